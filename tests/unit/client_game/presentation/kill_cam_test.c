// SPDX-License-Identifier: MIT
//
// The kill cam at the ends of real rounds: bots play matches of every mode, and the cam sees them as a client does,
// some ticks late. What it shows is judged by the worlds alone: who lived before the tick that ended the round, and not
// after.
#include <string.h>

#include "game/ai/ai.h"
#include "game/ai/nav_graph_build.h"
#include "game/map/tiled/map_file.h"
#include "presentation/presenter.h"
#include "sync/world.h"
#include "test.h"

enum { BOTS = 6, LATE_TICKS = 10, KEPT = 256, TICKS_MAX = 70000 };

static struct map map;
static struct nav_graph graph;
static struct world worlds[KEPT];
static struct player_input inputs[PLAYER_CAPACITY];
static struct kill_cam cam;
static struct view live;

// The end of a round, from the worlds.
struct end {
    tick tick; // 0: the round still goes on
    bool died[PLAYER_CAPACITY], killed[PLAYER_CAPACITY];
    uint32_t deaths;
};

static struct world *world_at(tick number)
{
    return &worlds[number % KEPT];
}

static bool is_over(const struct world *world)
{
    return world->round.phase == ROUND_OVER || world->round.phase == ROUND_MATCH_OVER;
}

static struct end end_at(tick number)
{
    const struct world *before = world_at(number - 1), *after = world_at(number);
    struct end end = {.tick = is_over(after) && !is_over(before) ? number : 0};
    for (uint32_t slot = 0; slot < BOTS; slot++) {
        end.died[slot] = before->players[slot].state == PLAYER_ALIVE && after->players[slot].state == PLAYER_DEAD;
        end.killed[slot] = after->players[slot].stats.kills > before->players[slot].stats.kills;
        end.deaths += end.died[slot];
    }
    return end;
}

static void begin(enum mode mode, const char *name, uint32_t seed)
{
    char path[1024];
    struct error error;
    assert_true(map_file_find(name, path, sizeof path) && map_file_read(path, &map, &error));
    nav_graph_build(&graph, &map);
    memset(worlds, 0, sizeof worlds);
    world_init(&worlds[0], &map, &(struct rules){.mode = mode, .score_limit = 4, .seed = seed});
    for (uint32_t slot = 0; slot < BOTS; slot++)
        world_command(&worlds[0], &map, &(struct command){.kind = COMMAND_JOIN, .slot = slot, .bot = 1, .name = {65}});
    kill_cam_clear(&cam);
}

static void step(tick now)
{
    world_copy(world_at(now), world_at(now - 1));
    for (uint32_t slot = 0; slot < BOTS; slot++)
        inputs[slot] = ai_think(world_at(now), &map, &graph, slot, SKILL_HARD);
    world_step(world_at(now), &map, inputs);
}

static struct view *look(tick now)
{
    view_fill(&live, &map, world_at(now - 1), world_at(now), 0, NULL);
    live.confirmed = world_at(now - LATE_TICKS);
    live.event_count = 0;
    view_add_events(&live, live.confirmed, world_at(now - LATE_TICKS - 1)->event_count);
    return kill_cam_record(&cam, &live);
}

// Checks what is shown of an end: whether it may be, who, and that they live before the hit and not after it.
static void judge(const struct view *again, const struct end *end)
{
    uint32_t victim = cam.kill.subject, killer = cam.kill.other;
    assert_true(end->deaths > 0 && map.goal_count == 0);
    assert_int_equal(cam.kill.tick, end->tick);
    assert_true(victim < BOTS && end->died[victim]);
    assert_true(killer >= BOTS || killer == victim || end->killed[killer]);
    assert_int_equal(again->slot, killer < BOTS ? killer : victim);
    const struct df_solid *solid =
        cam.story.solid < worlds[0].solid_count ? &world_at(end->tick)->solids[cam.story.solid] : NULL;
    assert_true(cam.kill.detail == DEATH_SQUISH || !solid);
    if (solid) // it is beside the victim
        assert_true(cam.kill.x >= solid->x - 16 && cam.kill.x <= solid->x + solid->w + 16 &&
                    cam.kill.y >= solid->y - 16 && cam.kill.y <= solid->y + solid->h + 16);
    if (again->world->tick != end->tick)
        assert_int_equal(again->world->players[victim].state == PLAYER_ALIVE, again->world->tick < end->tick);
}

// Plays until so many rounds have ended, and adds to `decided` those that a kill ended, and to `shown` those of them
// that were shown to their last tick.
static void play(enum mode mode, const char *name, uint32_t rounds, uint32_t *decided, uint32_t *shown)
{
    struct end end = {0};
    tick finished = 0; // the end that was shown last
    begin(mode, name, 7 + (uint32_t)mode);
    for (tick now = 1; rounds > 0 || now < end.tick + 175; now++) {
        assert_true(now < TICKS_MAX);
        step(now);
        struct end this = end_at(now);
        if (this.tick) {
            end = this;
            rounds -= rounds > 0;
            *decided += end.deaths > 0 && map.goal_count == 0;
        }
        const struct view *again = now > LATE_TICKS ? look(now) : NULL;
        if (!again)
            continue;
        judge(again, &end);
        bool whole = again->world->tick >= end.tick + KILL_CAM_AFTER_TICKS - KILL_CAM_EACH_TICKS;
        *shown += whole && finished != end.tick;
        finished = whole ? end.tick : finished;
    }
}

TEST(each_kill_that_ends_a_round_is_shown_and_nothing_else)
{
    uint32_t decided = 0, shown = 0;
    assert_true(kill_cam_create(&cam));
    play(MODE_LMS, "duel", 30, &decided, &shown);
    play(MODE_FFA, "foundry", 10, &decided, &shown);
    play(MODE_TEAMS, "foundry", 10, &decided, &shown);
    play(MODE_BREAKOUT, "breakout", 6, &decided, &shown);
    kill_cam_destroy(&cam);
    print_message("%u of %u deciding kills were shown\n", shown, decided);
    assert_true(decided >= 45);
    assert_int_equal(shown, decided);
}
