// SPDX-License-Identifier: MIT
//
// Compares encodings of snapshots. Bots play on a map for a minute, and each tick is sent to a client in every
// encoding, over a clean network and over one with a round trip of 100 ms that loses 5 % of all datagrams both ways.
// Prints one JSON line per figure; bytes are those of whole messages at 60 a second. The encodings:
//     raw                  every field in use as 4 bytes
//     fields               differences of fields from the acknowledged world (as in full snapshots)
//     fields_range         the same through the range coder
//     extrapolated         differences from that world, stepped with all buttons held, through the range coder
//     extrapolated_tapped  the same with jump, dash and shoot released after one tick
//     moves                what the server sends: the inputs and commands since then
//     bench_snapshot MAP.tmj [BOTS]...
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/random.h"
#include "bench.h"
#include "bench_match.h"
#include "fields.h"
#include "game/ai/ai.h"
#include "sync/game.h"
#include "sync/world.h"
#include "wire/input_log.h"
#include "wire/snapshot.h"

enum { TICKS = 3600, FIRST = 60 };

enum coding { RAW, FIELDS, FIELDS_RANGE, EXTRAPOLATED, EXTRAPOLATED_TAPPED, MOVES, CODINGS };

static const char *const NAMES[CODINGS] = {"raw",  "fields", "fields_range", "extrapolated", "extrapolated_tapped",
                                           "moves"};

static const struct network {
    const char *name;
    uint32_t way_ticks, lost_percent;
} NETWORKS[] = {{"clean", 0, 0}, {"100 ms, 5 % lost", 3, 5}};

static struct map map;
static struct nav_graph graph;
static struct world world, worlds[INPUT_LOG_TICKS], guessed, decoded;
static struct input_log history;
static struct player_input inputs[PLAYER_CAPACITY];
static tick received[TICKS + 1], acknowledged[TICKS + 1]; // newest, by tick: at the client, at the server
static double encode_us[TICKS], decode_us[TICKS];
static uint32_t sizes[CODINGS][TICKS];
static uint8_t body[256 * 1024];

static double now_us(void)
{
    return (double)clock_now_ns() / 1e3;
}

static void step(void)
{
    struct command rolls[MAP_CHEST_CAPACITY];
    uint32_t roll_count = game_roll(&world, &map, NULL, NULL, rolls);
    for (uint32_t slot = 0; slot < world.player_slots; slot++)
        inputs[slot] = ai_think(&world, &map, &graph, slot, SKILL_NORMAL);
    world_step(&world, &map, inputs);
    input_log_add(&history, rolls, roll_count, &world);
    world_copy(&worlds[world.tick % INPUT_LOG_TICKS], &world);
}

// The tick that the server knows the client to have when it sends the tick `now`.
static tick baseline_of(const struct network *network, tick now, uint32_t *dice)
{
    tick arrived = now - network->way_ticks, heard = now - 1 - network->way_ticks;
    bool snapshot_lost = random_below(dice, 100) < network->lost_percent;
    bool input_lost = random_below(dice, 100) < network->lost_percent;
    received[now] = snapshot_lost || arrived > now ? received[now - 1] : arrived;
    acknowledged[now] = input_lost || heard > now ? acknowledged[now - 1] : received[heard];
    return acknowledged[now];
}

static void extrapolate(const struct world *baseline, bool tapped)
{
    static struct player_input held[PLAYER_CAPACITY];
    uint32_t taps = BUTTON_JUMP | BUTTON_DASH | BUTTON_SHOOT;
    world_copy(&guessed, baseline);
    for (uint32_t slot = 0; slot < PLAYER_CAPACITY; slot++)
        held[slot].buttons = baseline->players[slot].buttons & (tapped ? ~taps : UINT32_MAX);
    while (guessed.tick != world.tick)
        world_step(&guessed, &map, held);
}

static uint32_t raw_bytes(void)
{
    uint32_t bytes = 0;
    for (uint32_t t = 0; t < REPLICATION_TABLE_COUNT; t++)
        bytes += replication_table_used(&REPLICATION_TABLES[t], &world) * REPLICATION_TABLES[t].element_bytes;
    return bytes;
}

// Encodes the inputs and applies them to the client's world of the tick before. Returns false if the result differs.
static bool follow(const struct world *baseline)
{
    double start = now_us();
    size_t size = input_log_encode(&history, baseline->tick, world.tick, body, sizeof body);
    double middle = now_us();
    world_copy(&decoded, &worlds[(world.tick - 1) % INPUT_LOG_TICKS]);
    bool good =
        input_log_decode((struct input_log_target){&decoded, &map, NULL, NULL}, baseline, world.tick, body, size);
    decode_us[world.tick - 1] = now_us() - middle;
    encode_us[world.tick - 1] = middle - start;
    sizes[MOVES][world.tick - 1] = (uint32_t)size;
    return good && memcmp(&decoded, &world, sizeof world) == 0;
}

static bool encode_all(const struct world *baseline)
{
    uint32_t t = world.tick - 1;
    sizes[RAW][t] = raw_bytes();
    sizes[FIELDS][t] = (uint32_t)snapshot_body_encode(baseline, &world, body, sizeof body);
    sizes[FIELDS_RANGE][t] = (uint32_t)fields_encode(baseline, &world, body, sizeof body);
    extrapolate(baseline, false);
    sizes[EXTRAPOLATED][t] = (uint32_t)fields_encode(&guessed, &world, body, sizeof body);
    extrapolate(baseline, true);
    sizes[EXTRAPOLATED_TAPPED][t] = (uint32_t)fields_encode(&guessed, &world, body, sizeof body);
    return follow(baseline);
}

static int by_size(const void *a, const void *b)
{
    uint32_t left = *(const uint32_t *)a, right = *(const uint32_t *)b;
    return (left > right) - (left < right);
}

static void print(uint32_t bots, const struct network *network, enum coding coding)
{
    uint32_t *from = &sizes[coding][FIRST], count = TICKS - FIRST;
    double body_bytes = 0, head_bytes = 0;
    struct snapshot_head usual = {.tick = 1000, .baseline_tick = 994, .input_tick = 1002, .parts = 1};
    double head = (double)snapshot_part_encode(&usual, body, 1, body + 16) - 1;
    for (uint32_t t = 0; t < count; t++) {
        body_bytes += (double)from[t] / count;
        head_bytes += head * ((from[t] + SNAPSHOT_PART_BYTES - 1) / SNAPSHOT_PART_BYTES) / count;
    }
    qsort(from, count, sizeof *from, by_size);
    printf("{\"bench\":\"snapshot\",\"map\":\"%s\",\"bots\":%u,\"network\":\"%s\",\"coding\":\"%s\","
           "\"bytes_per_s\":%.0f,\"body_bytes_mean\":%.1f,\"body_bytes_p99\":%u,\"body_bytes_max\":%u",
           map.name, bots, network->name, NAMES[coding], 60 * (body_bytes + head_bytes), body_bytes,
           from[count * 99 / 100], from[count - 1]);
    if (coding == MOVES)
        printf(",\"encode_us\":%.2f,\"decode_us\":%.2f", encode_us[TICKS / 2], decode_us[TICKS / 2]);
    printf("}\n");
}

static int measure(uint32_t bots, const struct network *network)
{
    uint32_t dice = 1;
    memset(&history, 0, sizeof history);
    memset(worlds, 0, sizeof worlds);
    fields_begin();
    bench_match_begin(&world, &map, bots);
    while (world.tick < TICKS) {
        step();
        tick baseline_tick = baseline_of(network, world.tick, &dice);
        if (world.tick > FIRST && !encode_all(&worlds[baseline_tick % INPUT_LOG_TICKS])) {
            fprintf(stderr, "bench_snapshot: a decoded world differs\n");
            return EXIT_FAILURE;
        }
    }
    bench_sort(encode_us, TICKS);
    bench_sort(decode_us, TICKS);
    for (enum coding coding = RAW; coding < CODINGS; coding++)
        print(bots, network, coding);
    return EXIT_SUCCESS;
}

int main(int argc, char **argv)
{
    static const uint32_t usual[] = {16, 64};
    if (!bench_match_map(argc, argv, "bench_snapshot MAP.tmj [BOTS]...", &map, &graph))
        return EXIT_FAILURE;
    int result = EXIT_SUCCESS;
    for (int i = 0; i < (argc > 2 ? argc - 2 : 2); i++)
        for (size_t n = 0; n < sizeof NETWORKS / sizeof NETWORKS[0]; n++)
            result |= measure(argc > 2 ? (uint32_t)strtoul(argv[i + 2], NULL, 10) : usual[i], &NETWORKS[n]);
    return result;
}
