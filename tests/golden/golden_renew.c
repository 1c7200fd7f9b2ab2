// SPDX-License-Identifier: MIT
//
// Records golden matches again: golden_renew [NAME]...; without a name all of them.
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "game/ai/ai.h"
#include "game/map/tiled/map_file.h"
#include "golden.h"
#include "sync/game.h"
#include "test_map.h"
#include "wire/replay.h"

#define SEEDS_MAX   64 ///< with which a match is played until it has its event
#define PAUSE_TICKS 90

static struct map map;
static struct world world;
static struct player_input inputs[PLAYER_CAPACITY];
static struct replay_writer writer;

static bool to_file(void *file, const uint8_t *bytes, size_t byte_count)
{
    return fwrite(bytes, 1, byte_count, file) == byte_count;
}

static bool load_map(const struct golden *golden)
{
    char path[512];
    struct error error;
    if (golden->mode == MODE_BREAKOUT) {
        test_map_court(&map);
        return true;
    }
    if (golden->map == NULL) {
        test_map_random(&map, golden->map_seed, golden->columns, golden->rows);
        return true;
    }
    if (strcmp(golden->map, "machines") == 0) {
        test_map_machines(&map);
        return true;
    }
    if (map_file_find(golden->map, path, sizeof path) && map_file_read(path, &map, &error))
        return true;
    fprintf(stderr, "golden_renew: the map %s cannot be read\n", golden->map);
    return false;
}

// A restless match is paused for a while in the middle, and continues with other rules.
static uint32_t interrupt(const struct golden *golden, struct command *commands)
{
    tick middle = golden->ticks / 2;
    if (!golden->restless || (world.tick != middle && world.tick != middle + PAUSE_TICKS))
        return 0;
    commands[0] = (struct command){.kind = COMMAND_PAUSE, .paused = world.tick == middle};
    commands[1] = (struct command){.kind = COMMAND_RULES, .score_limit = 25, .time_limit_ticks = 2400};
    return world.tick == middle ? 1 : 2;
}

static uint32_t decide(const struct golden *golden, uint32_t *dice, struct command *commands)
{
    uint32_t count = interrupt(golden, commands);
    if (world.tick == 0)
        for (; count < golden->players; count++)
            commands[count] = (struct command){
                .kind = COMMAND_JOIN, .slot = count, .bot = 1, .colour = count % 16, .name = {'a' + count % 26}};
    else if (golden->restless && random_below(dice, 150) == 0) {
        uint32_t slot = random_below(dice, golden->players);
        bool there = world.players[slot].state != PLAYER_ABSENT;
        commands[count++] = (struct command){.kind = there ? COMMAND_LEAVE : COMMAND_JOIN, .slot = slot};
        if (!there && golden->mode != MODE_FFA)
            commands[count++] = (struct command){.kind = COMMAND_TEAM, .slot = slot, .team = random_below(dice, 2) * 3};
    }
    return count;
}

// Adds the kinds of its events to `kinds`.
static bool record(const struct golden *golden, uint32_t seed, FILE *replay, FILE *chain_file, uint64_t *kinds)
{
    uint32_t dice = 1;
    struct hash chain = hash_begin();
    if (!load_map(golden))
        return false;
    world_init(&world, &map,
               &(struct rules){.mode = golden->mode,
                               .score_limit = golden->mode == MODE_FFA ? 20 : 3,
                               .time_limit_ticks = 1800,
                               .seed = seed,
                               .friendly_fire = golden->restless,
                               .variants = golden->variants});
    bool good = replay_writer_begin(&writer, to_file, replay, &map, &world);
    while (good && world.tick < golden->ticks) {
        static struct command commands[REPLAY_COMMAND_CAPACITY];
        uint32_t rolls = game_roll(&world, &map, NULL, NULL, commands);
        uint32_t count = rolls + decide(golden, &dice, commands + rolls);
        for (uint32_t i = rolls; i < count; i++)
            world_command(&world, &map, &commands[i]);
        for (uint32_t slot = 0; slot < PLAYER_CAPACITY; slot++) {
            enum skill skill = golden->lazy && slot % 2 == 0 ? SKILL_IDLE : (enum skill)(SKILL_RANDOM + slot % 4);
            inputs[slot] = ai_think(&world, &map, NULL, slot, skill);
        }
        world_step(&world, &map, inputs);
        good = replay_writer_tick(&writer, commands, count, inputs, &world);
        for (uint32_t i = 0; i < EVENT_CAPACITY; i++)
            if (world.events[i].tick == world.tick)
                *kinds |= UINT64_C(1) << world.events[i].kind;
        golden_link(&chain, &world);
        if (world.tick % GOLDEN_LINE_TICKS == 0)
            fprintf(chain_file, "%" PRIu32 " %016" PRIx64 "\n", world.tick, hash_end(&chain));
    }
    return good && replay_writer_end(&writer);
}

static bool renew_with(const struct golden *golden, uint32_t seed, uint64_t *kinds)
{
    char path[512];
    golden_path(golden, ".dfr", path, sizeof path);
    FILE *replay = fopen(path, "wb");
    golden_path(golden, ".chain", path, sizeof path);
    FILE *chain = fopen(path, "w");
    bool good = replay != NULL && chain != NULL && record(golden, seed, replay, chain, kinds);
    good &= replay != NULL && fclose(replay) == 0;
    good &= chain != NULL && fclose(chain) == 0;
    return good;
}

static bool renew(const struct golden *golden)
{
    uint64_t kinds = 0;
    bool good = true;
    for (uint32_t seed = golden->ticks; good && (kinds >> golden->event & 1) == 0; seed++) {
        kinds = golden->event == EVENT_NONE;
        good = seed < golden->ticks + SEEDS_MAX && renew_with(golden, seed, &kinds);
    }
    printf("%s: %s\n", golden->name, good ? "renewed" : "failed");
    return good;
}

static bool is_asked_for(const struct golden *golden, int argc, char **argv)
{
    for (int i = 1; i < argc; i++)
        if (strcmp(argv[i], golden->name) == 0)
            return true;
    return argc == 1;
}

int main(int argc, char **argv)
{
    bool good = true;
    for (uint32_t i = 0; i < GOLDEN_COUNT; i++)
        if (is_asked_for(&GOLDENS[i], argc, argv))
            good &= renew(&GOLDENS[i]);
    return good ? EXIT_SUCCESS : EXIT_FAILURE;
}
