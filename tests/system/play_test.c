// SPDX-License-Identifier: MIT
//
// Hard bots play each shipped map in each mode that it has what it takes for, in one process: no player gets stuck, all
// that a map offers is used, and in breakout walls are broken through. They play for two minutes, and again with other
// seeds until all has been used, but no longer than ten; DEADFALL_PLAY_TURNS is how often they play at least. A map's
// name as argument: only that one.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "game/ai/ai.h"
#include "game/ai/nav_graph_build.h"
#include "game/entities/chest.h"
#include "game/map/tiled/map_file.h"
#include "game/rules/mode.h"
#include "game/state.h"
#include "sync/game.h"

// Who stays within so much for so long is stuck.
#define STUCK_PX    24
#define STUCK_TICKS 600

#define TURN_TICKS (2 * 60 * TICKS_PER_SECOND)
#define TURNS_MAX  5

// A map, and how many play it.
struct load_stage {
    const char *name;
    uint32_t players;
};

static const struct load_stage STAGES[] = {
    {"foundry", 12}, {"duel", 6}, {"clockwork", 12}, {"skyline", 12}, {"breakout", 10}, {"colosseum", 48},
};

// Where a player last moved on, and for how long they have been there.
struct standing {
    int32_t x, y;
    uint32_t ticks;
};

// What was used in all modes of a map.
struct used {
    bool spawns[MAP_SPAWN_CAPACITY];
    bool chests[MAP_CHEST_CAPACITY];
    bool carried[SOLID_CAPACITY]; ///< of a crusher: has fallen; of a door: has opened
    bool switches[MAP_SWITCH_CAPACITY];
    bool balls[MAP_BALL_CAPACITY];
    uint32_t breakthroughs[TEAM_COUNT]; ///< rounds of breakout that a team won
    uint32_t deaths[DEATH_CAUSES];
};

static struct map map;
static struct world world;
static struct nav_graph graph;
static struct player_input inputs[PLAYER_CAPACITY];
static struct standing standings[PLAYER_CAPACITY];
static struct used used;
static uint32_t faults, unused;
static bool tells_unused;

static void tell(const char *what, int32_t x, int32_t y)
{
    print_error("%s: %s at %d, %d\n", map.name, what, x, y);
}

static int32_t distance(int32_t a, int32_t b, int32_t side_tiles)
{
    return abs(map_distance(&map, a, b, side_tiles * MAP_EDGE_PX));
}

static void note_spawn(const struct event *event)
{
    for (int32_t i = 0; i < map.spawn_count; i++)
        used.spawns[i] |= map.spawns[i].x == event->x && map.spawns[i].y == event->y;
}

// A chest may have travelled: the one that went away in this tick and was nearest.
static void note_open(const struct event *event, const struct df_actor *before)
{
    for (int32_t i = 0; i < map.chest_count; i++)
        used.chests[i] |= before[i].w > 0 && world.chests[i].state == CHEST_AWAY &&
                          distance(before[i].x + before[i].w / 2, event->x, map.columns) < 16 &&
                          distance(before[i].y + before[i].h / 2, event->y, map.rows) < 16;
}

static void note_events(uint32_t from, const struct df_actor *chests_before)
{
    for (uint32_t n = from; n != world.event_count; n++) {
        const struct event *event = &world.events[n % EVENT_CAPACITY];
        if (event->kind == EVENT_SPAWN)
            note_spawn(event);
        if (event->kind == EVENT_OPEN)
            note_open(event, chests_before);
        if (event->kind == EVENT_KILL)
            used.deaths[event->detail]++;
        if (event->kind == EVENT_SLAM)
            used.carried[event->detail] = true;
        if (event->kind == EVENT_SWITCH)
            used.switches[event->detail / 2] = true;
        if (event->kind == EVENT_KICK)
            used.balls[event->detail] = true;
    }
}

static bool is_of_one_body(int32_t a, int32_t b)
{
    return a == b || (map.solids[a].group != 0 && map.solids[a].group == map.solids[b].group);
}

// Stands on a solid that is under way; who stands on one of a group uses them all.
static void note_rides(const struct df_solid *before)
{
    for (int32_t i = 0; i < map.solid_count; i++) {
        const struct df_solid *solid = &world.solids[i];
        bool moves = solid->x != before[i].x || solid->y != before[i].y || map.solids[i].belt_sub != 0;
        if (map.solids[i].kind == MAP_SOLID_CRUSHER || !moves)
            continue;
        struct df_box top = {solid->x, solid->y - 1, solid->w, 1};
        bool carries = map.solids[i].kind == MAP_SOLID_DOOR;
        for (uint32_t slot = 0; slot < world.player_slots && !carries; slot++) {
            const struct df_actor *a = &world.actors[slot];
            carries = world.players[slot].state == PLAYER_ALIVE && (world.players[slot].flags & PLAYER_GROUNDED) != 0 &&
                      map_overlaps(&map, top, (struct df_box){a->x, a->y + a->h - 1, a->w, 1});
        }
        for (int32_t k = 0; k < map.solid_count && carries; k++)
            used.carried[k] |= is_of_one_body(i, k);
    }
}

static void note_standing(uint32_t slot, const char *mode)
{
    const struct df_actor *a = &world.actors[slot];
    struct standing *standing = &standings[slot];
    // The countdown holds players, and the walls of sudden death leave no room.
    bool free = world.players[slot].state == PLAYER_ALIVE && world.round.phase != ROUND_COUNTDOWN &&
                world.round.sudden_death_ticks == 0;
    if (!free || distance(standing->x, a->x, map.columns) > STUCK_PX ||
        distance(standing->y, a->y, map.rows) > STUCK_PX)
        *standing = (struct standing){.x = a->x, .y = a->y};
    if (++standing->ticks == STUCK_TICKS) {
        char what[64];
        snprintf(what, sizeof what, "in %s, player %u is stuck until tick %u", mode, slot, world.tick);
        tell(what, a->x, a->y);
        faults++;
    }
}

static void play_tick(void)
{
    static struct df_solid solids_before[SOLID_CAPACITY];
    static struct df_actor chests_before[MAP_CHEST_CAPACITY];
    memcpy(solids_before, world.solids, sizeof solids_before);
    memcpy(chests_before, &world.actors[CHEST_ACTORS], sizeof chests_before);
    uint32_t events = world.event_count;
    int32_t scores[TEAM_COUNT] = {world.round.team_scores[0], world.round.team_scores[1]};
    for (uint32_t slot = 0; slot < world.player_slots; slot++)
        inputs[slot] = ai_think(&world, &map, &graph, slot, SKILL_HARD);
    game_roll(&world, &map, NULL, NULL, NULL);
    world_step(&world, &map, inputs);
    assert_true(world.event_count - events <= EVENT_CAPACITY);
    note_events(events, chests_before);
    note_rides(solids_before);
    for (uint32_t team = 0; team < TEAM_COUNT && world.rules.mode == MODE_BREAKOUT; team++)
        used.breakthroughs[team] += world.round.team_scores[team] > scores[team];
    for (uint32_t slot = 0; slot < world.player_slots; slot++)
        note_standing(slot, mode_name((enum mode)world.rules.mode));
}

static void play(const struct load_stage *stage, enum mode mode, uint32_t turn)
{
    uint32_t seed = 1 + (uint32_t)mode + turn * MODES_OFFERED;
    world_init(&world, &map, &(struct rules){.mode = mode, .time_limit_ticks = TURN_TICKS / 2, .seed = seed});
    memset(standings, 0, sizeof standings);
    for (uint32_t slot = 0; slot < stage->players; slot++)
        world_command(&world, &map, &(struct command){.kind = COMMAND_JOIN, .slot = slot, .bot = 1});
    while (world.tick < TURN_TICKS)
        play_tick();
}

static bool has_tile(enum df_tile tile)
{
    return memchr(map.tiles, (int)tile, (size_t)(map.columns * map.rows)) != NULL;
}

static bool has_bombs(void)
{
    uint32_t gifts = 0;
    for (int32_t i = 0; i < map.chest_count; i++)
        gifts |= map.chests[i].gifts;
    return (gifts >> MAP_GIFT_BOMB & 1) != 0;
}

static void ask(bool is_used, const char *what, int32_t x, int32_t y)
{
    unused += !is_used;
    if (!is_used && tells_unused)
        tell(what, x, y);
}

static void ask_deaths(void)
{
    bool offered[DEATH_CAUSES] = {
        [DEATH_ARROW] = true,
        [DEATH_STOMP] = true,
        [DEATH_SQUISH] = map.solid_count > 0,
        [DEATH_HAZARD] = has_tile(DF_TILE_HAZARD),
        [DEATH_FALL] = map.outside == DF_OUTSIDE_EMPTY,
        [DEATH_BALL] = map.ball_count > 0,
        [DEATH_BOMB] = has_bombs(),
    };
    for (uint32_t cause = 0; cause < DEATH_CAUSES; cause++) {
        char what[64];
        snprintf(what, sizeof what, "no player died by %s", event_death_cause_name((enum death_cause)cause));
        ask(!offered[cause] || used.deaths[cause] > 0, what, 0, 0);
    }
}

// How much nobody has used; says what, too.
static uint32_t count_unused(bool tells)
{
    unused = 0;
    tells_unused = tells;
    ask_deaths();
    for (int32_t i = 0; i < map.spawn_count; i++)
        ask(used.spawns[i], "no player passed the spawn", map.spawns[i].x, map.spawns[i].y);
    for (int32_t i = 0; i < map.chest_count; i++)
        ask(used.chests[i], "no player opened the chest", map.chests[i].x, map.chests[i].y);
    for (int32_t i = 0; i < map.solid_count; i++)
        ask(used.carried[i], "no player used the solid", map.solids[i].box.x, map.solids[i].box.y);
    for (int32_t i = 0; i < map.switch_count; i++)
        ask(used.switches[i], "no player used the switch", map.switches[i].box.x, map.switches[i].box.y);
    for (int32_t i = 0; i < map.ball_count; i++)
        ask(used.balls[i], "no player hit the ball", map.balls[i].cx, map.balls[i].cy);
    if (mode_validate_map(MODE_BREAKOUT, &map) == NULL)
        ask(used.breakthroughs[0] + used.breakthroughs[1] > 0, "no player broke through a wall", 0, 0);
    return unused;
}

static void map_is_played_in_every_sensible_mode_and_all_of_it_is_used(void **state)
{
    const struct load_stage *stage = *state;
    const char *least = getenv("DEADFALL_PLAY_TURNS");
    uint32_t turns_min = least != NULL ? (uint32_t)atoi(least) : 1, turns = 0;
    char path[512];
    struct error error;
    assert_true(map_file_find(stage->name, path, sizeof path) && map_file_read(path, &map, &error));
    nav_graph_build(&graph, &map);
    memset(&used, 0, sizeof used);
    faults = 0;
    for (; turns < turns_min || (turns < TURNS_MAX && count_unused(false) > 0); turns++)
        for (uint32_t mode = 0; mode < MODES_OFFERED; mode++)
            if (mode_validate_map((enum mode)mode, &map) == NULL)
                play(stage, (enum mode)mode, turns);
    print_message("%s: played %u times in each mode\n", map.name, turns);
    assert_int_equal(faults + count_unused(true), 0);
}

int main(int argc, char **argv)
{
    setenv("DEADFALL_MAP_DIR", SOURCE_ROOT "/shared/maps", 1);
    if (argc > 1)
        cmocka_set_test_filter(argv[1]);
    struct CMUnitTest tests[sizeof STAGES / sizeof STAGES[0]];
    for (size_t i = 0; i < sizeof STAGES / sizeof STAGES[0]; i++)
        tests[i] = (struct CMUnitTest){.name = STAGES[i].name,
                                       .test_func = map_is_played_in_every_sensible_mode_and_all_of_it_is_used,
                                       .initial_state = (void *)(uintptr_t)&STAGES[i]};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
