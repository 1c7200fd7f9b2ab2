// SPDX-License-Identifier: MIT
// Tests which worlds world_validate refuses, and that world_step is safe with every world it accepts.
#include <string.h>

#include "base/random.h"
#include "game/variant.h"
#include "sync/world.h"
#include "test.h"
#include "test_map.h"
#include "test_match.h"

static struct test_match match;
static struct world good;

static void play_a_while_here(void)
{
    test_match_start(&match);
    for (uint32_t slot = 0; slot < 12; slot++)
        assert_true(world_command(&match.world, &match.map, &(struct command){.kind = COMMAND_JOIN, .slot = slot}));
    for (int i = 0; i < 800; i++) {
        test_match_think(&match, 3);
        test_match_step(&match, 1);
    }
    good = match.world;
    assert_true(world_validate(&good, &match.map));
}

static void play_a_while(uint32_t seed)
{
    test_map_random(&match.map, seed, 40, 30);
    play_a_while_here();
}

static uint32_t someone(enum player_state state)
{
    uint32_t slot = 0;
    while (good.players[slot].state != (uint32_t)state)
        slot++;
    return slot;
}

static uint32_t some_solid(enum map_solid_kind kind)
{
    uint32_t solid = 0;
    while (match.map.solids[solid].kind != (uint32_t)kind)
        solid++;
    return solid;
}

#define UNSOUND(change)                                                                                                \
    do {                                                                                                               \
        struct world *w = &match.world;                                                                                \
        *w = good;                                                                                                     \
        change;                                                                                                        \
        assert_false(world_validate(w, &match.map));                                                                   \
    } while (0)

TEST(impossible_counts_and_rules_are_refused)
{
    play_a_while(2);
    UNSOUND(w->rules.mode = MODES);
    UNSOUND(w->rules.score_limit = -1);
    UNSOUND(w->round.phase = ROUND_MATCH_OVER + 1);
    UNSOUND(w->round.paused = PAUSES);
    UNSOUND(w->round.winner_team = TEAM_COUNT + 1);
    UNSOUND(w->rules.friendly_fire = 2);
    UNSOUND(w->rules.variants = 1u << VARIANTS);
    UNSOUND(w->rules.bot_skill = SKILLS);
    UNSOUND(w->round.winner = PLAYER_CAPACITY + 1);
    UNSOUND(w->player_slots = PLAYER_CAPACITY + 1);
    UNSOUND(w->player_slots = UINT32_MAX);
    UNSOUND(w->player_slots++);
    UNSOUND(w->arrow_slots = ARROW_CAPACITY + 1);
    UNSOUND(w->solid_count++);
    UNSOUND(w->ball_count++);
    UNSOUND(w->broken_words++);
    UNSOUND(w->events[0].kind = EVENT_KINDS);
}

TEST(impossible_players_are_refused)
{
    play_a_while(2);
    uint32_t alive = someone(PLAYER_ALIVE), dead = someone(PLAYER_DEAD);
    UNSOUND(w->players[alive].state = PLAYER_ABSENT);
    UNSOUND(w->players[alive].state = PLAYER_DEAD);
    UNSOUND(w->players[dead].state = PLAYER_ALIVE);
    UNSOUND(w->players[alive].vx = 4097);
    UNSOUND(w->players[alive].facing = 0);
    UNSOUND(w->players[alive].handicap = HANDICAPS);
    UNSOUND(w->players[alive].team = 1); // in a mode without
    UNSOUND(w->players[alive].team_choice = TEAM_SPECTATE);
    UNSOUND(w->players[dead].state = PLAYER_SPECTATOR);
    UNSOUND(w->players[alive].aim_x = -2);
    UNSOUND(w->players[alive].arrows = 7);
    UNSOUND(w->players[alive].bombs = w->players[alive].arrows + 1);
    UNSOUND((w->players[alive].arrows = 3, w->players[alive].bombs = w->players[alive].drills = 2));
    UNSOUND(w->players[alive].shield = 2);
    UNSOUND(w->players[alive].flaps = 4);
    UNSOUND(w->players[alive].shover = 200);
    UNSOUND(w->players[alive].score = INT32_MIN);
    UNSOUND(w->actors[alive].w = 0);
    UNSOUND(w->actors[alive].h = 12);
    UNSOUND(w->actors[alive].x = INT32_MAX);
    UNSOUND(w->actors[alive].y = -5000);
    UNSOUND(w->actors[alive].rem_x = 129);
    UNSOUND(w->actors[alive].lift_x = 1068);
    UNSOUND(w->actors[alive].lift_y = 1);
    UNSOUND(w->actors[alive].carrier = 200);
    UNSOUND(w->actors[alive].flags = 8);
}

TEST(impossible_arrows_solids_crushers_and_balls_are_refused)
{
    play_a_while(2);
    uint32_t mover = some_solid(MAP_SOLID_MOVER), crusher = some_solid(MAP_SOLID_CRUSHER);
    uint32_t last = good.arrow_slots - 1;
    UNSOUND(w->arrows[last].state = 3);
    UNSOUND(w->arrows[last].state = ARROW_ABSENT);
    UNSOUND(w->arrows[last].owner = 100);
    UNSOUND(w->arrows[last].kind = ARROW_KINDS);
    UNSOUND((w->arrows[last].kind = ARROW_DRILL, w->arrows[last].burnt_tick = w->tick + 9));
    UNSOUND((w->arrows[last].kind = ARROW_BOMB, w->arrows[last].spent = 1));
    UNSOUND(w->arrows[last].vx = 5000);
    UNSOUND(w->arrows[last].stuck_in = 129);
    UNSOUND(w->actors[PLAYER_CAPACITY + last].w = 5);
    UNSOUND(w->actors[PLAYER_CAPACITY + last].flags = 0);
    UNSOUND(w->solids[mover].x++);
    UNSOUND(w->solids[mover].rem_y += 1);
    UNSOUND(w->solids[mover].flags = 0);
    UNSOUND(w->solids[mover].w++);
    UNSOUND(w->crushers[mover].state = CRUSHER_WARNING);
    UNSOUND(w->crushers[crusher].state = CRUSHER_RISING + 1);
    UNSOUND(w->crushers[crusher].fallen = -1);
    UNSOUND(w->crushers[crusher].fallen += 256);
    UNSOUND(w->crushers[crusher].vy = -1);
    UNSOUND(w->crushers[crusher].vy = 2000);
    if (good.ball_count > 0) {
        UNSOUND(w->balls[0].radius_px++);
        UNSOUND(w->balls[0].vx = 64 * 256 + 1);
        UNSOUND(w->balls[0].cx = 2000000);
        UNSOUND(w->ball_hits[0].by = 200);
    }
}

TEST(impossible_switches_lifts_and_broken_blocks_are_refused)
{
    test_map_machines(&match.map);
    play_a_while_here();
    enum { LEVER = 1, LEVER_TIMED = 2 };
    uint32_t door = some_solid(MAP_SOLID_DOOR), lift = some_solid(MAP_SOLID_LIFT),
             conveyor = some_solid(MAP_SOLID_CONVEYOR), mover = some_solid(MAP_SOLID_MOVER),
             crusher = some_solid(MAP_SOLID_CRUSHER);
    memset(good.rubble, 0, sizeof good.rubble);
    good.rubble[0] = (struct rubble){.tile = 17 * 48 + 22 + 1, .return_tick = 5};
    good.rubble_slots = 1;
    match.world = good;
    assert_true(world_validate(&match.world, &match.map));
    UNSOUND(w->switch_count++);
    UNSOUND(w->switch_count = 0);
    UNSOUND(w->switches[0].on = 2);
    UNSOUND(w->switches[0].touched = 2);
    UNSOUND((w->switches[LEVER].on = 1, w->switches[LEVER].off_tick = 9));
    UNSOUND((w->switches[LEVER_TIMED].on = 0, w->switches[LEVER_TIMED].off_tick = 9));
    UNSOUND(w->crushers[door].clock_ticks = 21); // it opens in 20
    UNSOUND(w->crushers[lift].clock_ticks = UINT32_MAX);
    UNSOUND(w->crushers[lift].clock_ticks = w->crushers[lift].clock_ticks > 60 ? 0 : 120); // it is elsewhere
    UNSOUND(w->crushers[lift].fallen = 1);
    UNSOUND(w->crushers[mover].clock_ticks = 1);
    UNSOUND(w->crushers[crusher].clock_ticks = 1);
    UNSOUND(w->crushers[conveyor].clock_ticks = 1);
    UNSOUND(w->crushers[conveyor].vy = 1);
    UNSOUND(w->solids[conveyor].x++);
    UNSOUND(w->solids[conveyor].rem_x++);
    UNSOUND(w->solids[door].y++);
    UNSOUND(w->rubble_slots = RUBBLE_CAPACITY + 1);
    UNSOUND(w->rubble_slots = 2); // the last is empty
    UNSOUND(w->rubble[0].tile = 48 * 30 + 1);
    UNSOUND(w->rubble[0].tile = 1 << 17);
    UNSOUND(w->rubble[0].tile = 5); // no block
    UNSOUND(w->rubble[0].tile = 0);
}

static uint32_t some_chest(enum chest_state state)
{
    uint32_t chest = 0;
    while (chest < good.chest_count && good.chests[chest].state != (uint32_t)state)
        chest++;
    return chest;
}

TEST(impossible_chests_are_refused)
{
    uint32_t seed = 1;
    do
        play_a_while(seed++);
    while (some_chest(CHEST_CLOSED) == good.chest_count || some_chest(CHEST_AWAY) == good.chest_count);
    uint32_t closed = some_chest(CHEST_CLOSED), away = some_chest(CHEST_AWAY);
    UNSOUND(w->chest_count++);
    UNSOUND(w->chests[closed].state = 3);
    UNSOUND(w->chests[closed].opener = 1);
    UNSOUND(w->chests[away].opener = 1);
    UNSOUND((w->chests[closed].state = CHEST_OPENING, w->chests[closed].opener = w->player_slots + 1));
    UNSOUND(w->chests[closed].state = CHEST_AWAY);
    UNSOUND(w->chests[closed].vy = -1);
    UNSOUND(w->chests[closed].vy = 684);
    UNSOUND(w->chests[closed].returns_tick = 1);
    UNSOUND(w->actors[CHEST_ACTORS + closed].w++);
    UNSOUND(w->actors[CHEST_ACTORS + closed].x = 20000);
    UNSOUND(w->actors[CHEST_ACTORS + closed].flags = 0);
    UNSOUND(w->chests[away].state = CHEST_CLOSED);
    UNSOUND(w->chests[away].vy = 1);
    UNSOUND(w->actors[CHEST_ACTORS + away].flags = DF_ACTOR_ALIVE);
}

TEST(an_accepted_world_steps_safely)
{
    uint32_t dice = 11, let_through = 0;
    for (uint32_t trial = 0; trial < 6000; trial++) {
        if (trial == 5000) {
            test_map_machines(&match.map);
            play_a_while_here();
        } else if (trial % 1000 == 0) {
            play_a_while(trial / 1000 + 1);
        }
        match.world = good;
        for (uint32_t change = 1 + random_below(&dice, 3); change > 0; change--) {
            const struct replication_table *table = &REPLICATION_TABLES[random_below(&dice, REPLICATION_TABLE_COUNT)];
            uint32_t used = replication_table_used(table, &match.world) * table->field_count;
            if (used == 0)
                continue;
            uint32_t word = random_below(&dice, used), bits = table->fields[word % table->field_count].bits;
            uint32_t value = random_next(&dice) >> (32 - bits);
            bool negative = table->fields[word % table->field_count].kind == REPLICATION_SIGNED && value >> (bits - 1);
            replication_table_words(table, &match.world)[word] =
                negative && bits < 32 ? value | UINT32_MAX << bits : value;
        }
        if (!world_validate(&match.world, &match.map))
            continue;
        let_through++;
        for (int i = 0; i < 5; i++) {
            test_match_think(&match, 4);
            test_match_step(&match, 1);
        }
        assert_true(world_validate(&match.world, &match.map));
    }
    assert_true(let_through > 500);
}
