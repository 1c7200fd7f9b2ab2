// SPDX-License-Identifier: MIT
// The counters of the players at the end of every golden match, judged by what its worlds show: events for jumps, stuck
// arrows and deaths of one's own doing, places for the way that they fell.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "game/rules/standing.h"
#include "golden.h"
#include "sync/world.h"
#include "test.h"
#include "wire/replay.h"

static struct replay_reader reader;
static struct world world, before;
static struct player_stats judged[PLAYER_CAPACITY];

static void count_event(const struct event *event)
{
    struct player_stats *stats = event->subject < PLAYER_CAPACITY ? &judged[event->subject] : NULL;
    if (!stats)
        return;
    stats->jumps += event->kind == EVENT_JUMP;
    stats->wall_shots += event->kind == EVENT_STICK;
    stats->own_kills += event->kind == EVENT_KILL && event->other == event->subject;
}

// Who is in the air falls by the way between two ticks. What carries somebody down in the meantime is left out.
static void count_fall(uint32_t slot)
{
    const struct player *was = &before.players[slot], *is = &world.players[slot];
    int32_t down_px = world.actors[slot].y - before.actors[slot].y;
    bool carried = before.players[slot].flags & world.players[slot].flags & PLAYER_GROUNDED;
    if (was->state == PLAYER_ALIVE && is->state == PLAYER_ALIVE && down_px > 0 && down_px < 64 && !carried)
        judged[slot].fallen_px += (uint32_t)down_px;
}

static void count_tick(void)
{
    bool begins = world.round.phase == ROUND_COUNTDOWN && before.round.phase != ROUND_COUNTDOWN;
    for (uint32_t slot = 0; slot < PLAYER_CAPACITY; slot++)
        if (before.players[slot].generation != world.players[slot].generation || (begins && world.round.number == 0))
            judged[slot] = (struct player_stats){0};
    if (before.round.phase != ROUND_PLAYING)
        return;
    uint32_t fresh = world.event_count - before.event_count;
    assert_true(fresh <= EVENT_CAPACITY);
    for (uint32_t i = fresh; i > 0; i--)
        count_event(&world.events[(world.event_count - i) % EVENT_CAPACITY]);
    for (uint32_t slot = 0; slot < world.player_slots; slot++)
        count_fall(slot);
}

static void play(const struct golden *golden)
{
    char path[512];
    static uint8_t bytes[1 << 20];
    golden_path(golden, ".dfr", path, sizeof path);
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    size_t byte_count = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    assert_int_equal(replay_reader_open(&reader, bytes, byte_count), REPLAY_OK);
    memset(judged, 0, sizeof judged);
    world_copy(&world, &reader.first);
    while (replay_reader_next(&reader) == REPLAY_OK) {
        world_copy(&before, &world);
        for (uint32_t i = 0; i < reader.command_count; i++)
            assert_true(world_command(&world, &reader.map, &reader.commands[i]));
        for (uint32_t slot = 0; slot < PLAYER_CAPACITY; slot++) // their team withdraws them between two ticks
            if (world.players[slot].state != PLAYER_ALIVE)
                before.players[slot].state = world.players[slot].state;
        world_step(&world, &reader.map, reader.inputs);
        count_tick();
    }
}

// Squeezed out of a wall, or in a tick in which a carrier goes, somebody moves down without falling.
static bool is_near(uint32_t found, uint32_t expected)
{
    uint32_t apart = found > expected ? found - expected : expected - found;
    return apart <= 40 + expected / 20;
}

// The number of the match's oddity is that of its player, and nobody has a larger one.
static void check_oddity(const struct golden *golden)
{
    struct award_oddity oddity = standing_oddity(&world);
    for (uint32_t slot = 0; oddity.kind != ODDITY_NONE && slot < world.player_slots; slot++) {
        const struct player_stats *of = &judged[slot];
        uint32_t value = oddity.kind == ODDITY_JUMPS        ? of->jumps
                         : oddity.kind == ODDITY_WALL_SHOTS ? of->wall_shots
                         : oddity.kind == ODDITY_OWN_KILLS  ? of->own_kills
                                                            : of->fallen_px / 8;
        bool good = slot == oddity.slot ? is_near(value, oddity.value) : value <= oddity.value + oddity.value / 20 + 5;
        if (!good && world.players[slot].state != PLAYER_ABSENT)
            fail_msg("%s: oddity %d of slot %u is %u, slot %u has %u", golden->name, (int)oddity.kind, oddity.slot,
                     oddity.value, slot, value);
    }
}

TEST(every_counter_is_what_happened)
{
    uint64_t jumps = 0, wall_shots = 0, own_kills = 0, fallen_px = 0;
    for (uint32_t i = 0; i < GOLDEN_COUNT; i++) {
        play(&GOLDENS[i]);
        check_oddity(&GOLDENS[i]);
        for (uint32_t slot = 0; slot < world.player_slots; slot++) {
            const struct player_stats *found = &world.players[slot].stats, *expected = &judged[slot];
            bool good = found->jumps == expected->jumps && found->wall_shots == expected->wall_shots &&
                        found->own_kills == expected->own_kills && is_near(found->fallen_px, expected->fallen_px);
            if (!good)
                fail_msg("%s, slot %u: jumps %u not %u, wall shots %u not %u, own kills %u not %u, fallen %u not %u px",
                         GOLDENS[i].name, slot, found->jumps, expected->jumps, found->wall_shots, expected->wall_shots,
                         found->own_kills, expected->own_kills, found->fallen_px, expected->fallen_px);
            jumps += found->jumps;
            wall_shots += found->wall_shots;
            own_kills += found->own_kills;
            fallen_px += found->fallen_px;
        }
    }
    printf("%llu jumps, %llu wall shots, %llu own kills, %llu px fallen\n", (unsigned long long)jumps,
           (unsigned long long)wall_shots, (unsigned long long)own_kills, (unsigned long long)fallen_px);
    assert_true(jumps > 500 && wall_shots > 200 && own_kills > 5 && fallen_px > 50000);
}
