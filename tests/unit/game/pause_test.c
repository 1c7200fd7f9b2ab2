// SPDX-License-Identifier: MIT
// Tests pauses, in which only the tick advances and after which nothing is older, and limits that change in a match.
#include <string.h>

#include "game/rules/round.h"
#include "game/tuning.h"
#include "seeds.h"
#include "sync/world.h"
#include "test.h"
#include "test_map.h"
#include "test_match.h"

#define BOTS         12
#define BEFORE_TICKS 700
#define AFTER_TICKS  1500
#define PAUSE_TICKS  977

static const char *const ROOM[] = {"################################", "#..............................#",
                                   "#..............................#", "#..............................#",
                                   "#..............................#", "#...S..........................#",
                                   "################################", NULL};

static struct test_match match, straight;
static struct player_input held[BEFORE_TICKS + AFTER_TICKS][PLAYER_CAPACITY];

static void begin(struct test_match *in, const struct rules *rules)
{
    test_match_start(in);
    world_init(&in->world, &in->map, rules);
    for (uint32_t slot = 0; slot < BOTS; slot++)
        assert_true(world_command(&in->world, &in->map, &(struct command){.slot = slot, .bot = 1}));
}

static bool set_paused(struct test_match *in, uint32_t paused)
{
    return world_command(&in->world, &in->map, &(struct command){.kind = COMMAND_PAUSE, .paused = paused});
}

static bool set_bot_rules(struct test_match *in, int32_t score, uint32_t time_ticks, uint32_t friendly_fire,
                          uint32_t bot_skill)
{
    return world_command(&in->world, &in->map,
                         &(struct command){.kind = COMMAND_RULES,
                                           .score_limit = score,
                                           .time_limit_ticks = time_ticks,
                                           .friendly_fire = friendly_fire,
                                           .bot_skill = bot_skill});
}

static bool set_rules(struct test_match *in, int32_t score, uint32_t time_ticks, uint32_t friendly_fire)
{
    return set_bot_rules(in, score, time_ticks, friendly_fire, SKILL_IDLE);
}

static void play_straight(uint32_t from, uint32_t until)
{
    for (uint32_t t = from; t < until; t++) {
        test_match_think(&straight, 3);
        memcpy(held[t], straight.inputs, sizeof held[t]);
        test_match_step(&straight, 1);
    }
}

static void play_again(uint32_t from, uint32_t until)
{
    for (uint32_t t = from; t < until; t++) {
        memcpy(match.inputs, held[t], sizeof held[t]);
        test_match_step(&match, 1);
    }
}

// Whether a word of a table holds a tick that a pause shifts.
static bool goes_along(const struct replication_table *table, const struct replication_field *field)
{
    return field->kind == REPLICATION_TICK && strcmp(table->name, "event") != 0;
}

// Compares word by word; ticks must be later by the pause. Of events only the kind and the position count.
static void assert_same_but_later(const struct world *late, const struct world *world, uint32_t ticks)
{
    for (uint32_t t = 0; t < REPLICATION_TABLE_COUNT; t++) {
        const struct replication_table *table = &REPLICATION_TABLES[t];
        const uint32_t *a = replication_table_words_const(table, late),
                       *b = replication_table_words_const(table, world);
        for (uint32_t i = 0; i < replication_table_used(table, world) * table->field_count; i++) {
            const struct replication_field *field = &table->fields[i % table->field_count];
            if (strcmp(field->name, "round.paused") == 0 || strcmp(field->name, "round.paused_ticks") == 0)
                continue;
            if (!goes_along(table, field) && field->kind == REPLICATION_TICK)
                continue;
            if (a[i] != b[i] + (goes_along(table, field) && b[i] != 0 ? ticks : 0))
                fail_msg("%s %u %s: %u after the pause, %u without", table->name, i / table->field_count, field->name,
                         a[i], b[i]);
        }
    }
}

static void compare(const struct rules *rules)
{
    match.map = straight.map;
    begin(&straight, rules);
    begin(&match, rules);
    play_straight(0, BEFORE_TICKS);
    play_again(0, BEFORE_TICKS);
    assert_true(set_paused(&match, 1));
    for (uint32_t i = 1; i <= PAUSE_TICKS; i++) {
        test_match_step(&match, 1);
        assert_true(world_validate(&match.world, &match.map));
    }
    assert_true(set_paused(&match, 0));
    assert_int_equal(match.world.tick, straight.world.tick + PAUSE_TICKS);
    assert_int_equal(match.world.round.paused_ticks, PAUSE_TICKS);
    assert_int_equal(match.world.event_count, straight.world.event_count);
    play_straight(BEFORE_TICKS, BEFORE_TICKS + AFTER_TICKS);
    play_again(BEFORE_TICKS, BEFORE_TICKS + AFTER_TICKS);
    assert_same_but_later(&match.world, &straight.world, PAUSE_TICKS);
}

TEST(a_match_continues_after_a_pause_as_if_there_had_been_none)
{
    static const struct rules rules[] = {
        {.mode = MODE_FFA, .seed = 3},
        {.mode = MODE_FFA, .seed = 4, .score_limit = 3, .time_limit_ticks = 900},
        {.mode = MODE_LMS, .seed = 5, .score_limit = 3},
        {.mode = MODE_TEAMS, .seed = 6, .time_limit_ticks = 1200},
    };
    for (size_t i = 0; i < seeds_asked(sizeof rules / sizeof rules[0]); i++) {
        test_map_machines(&straight.map);
        compare(&rules[i]);
        test_map_random(&straight.map, rules[i].seed, 48, 32);
        compare(&rules[i]);
    }
    test_map_court(&straight.map);
    compare(&(struct rules){.mode = MODE_BREAKOUT, .seed = 7, .score_limit = 2});
}

TEST(nothing_moves_in_a_pause)
{
    test_map_machines(&straight.map);
    match.map = straight.map;
    begin(&straight, &(struct rules){.seed = 9});
    begin(&match, &(struct rules){.seed = 9});
    play_straight(0, BEFORE_TICKS);
    play_again(0, BEFORE_TICKS);
    assert_true(set_paused(&match, 1));
    for (uint32_t ticks = 1; ticks <= 100; ticks++) {
        test_match_step(&match, 1);
        match.inputs[3].buttons = held[BEFORE_TICKS - 1][3].buttons;
        for (uint32_t slot = 0; slot < BOTS; slot++) // their inputs of the tick before are stored
            match.world.players[slot].buttons_before = straight.world.players[slot].buttons_before;
        assert_same_but_later(&match.world, &straight.world, ticks);
    }
}

TEST(a_key_pressed_during_a_pause_has_no_effect_after_it)
{
    test_match_draw(&match, ROOM);
    test_match_start(&match);
    test_match_put(&match, 0, 100, 48);
    test_match_step(&match, 10);
    int32_t floor_y = test_match_body(&match, 0)->y;
    assert_true(match.world.players[0].flags & PLAYER_GROUNDED);
    assert_true(set_paused(&match, 1));
    test_match_hold(&match, 0, BUTTON_JUMP);
    test_match_step(&match, 5);
    assert_true(set_paused(&match, 0));
    test_match_step(&match, 5);
    assert_int_equal(test_match_body(&match, 0)->y, floor_y);
    test_match_hold(&match, 0, 0);
    test_match_step(&match, 1);
    test_match_hold(&match, 0, BUTTON_JUMP);
    test_match_step(&match, 5);
    assert_true(test_match_body(&match, 0)->y < floor_y);
}

TEST(a_player_who_joins_in_a_pause_appears_after_it)
{
    test_match_draw(&match, ROOM);
    test_match_start(&match);
    assert_true(set_paused(&match, 1));
    test_match_step(&match, 5);
    assert_true(world_command(&match.world, &match.map, &(struct command){.kind = COMMAND_JOIN, .slot = 2}));
    test_match_step(&match, 100);
    assert_int_equal(match.world.players[2].state, PLAYER_DEAD);
    assert_true(set_paused(&match, 0));
    test_match_step(&match, 1);
    assert_int_equal(match.world.players[2].state, PLAYER_ALIVE);
}

TEST(invalid_pause_commands_are_refused)
{
    test_match_draw(&match, ROOM);
    test_match_start(&match);
    assert_false(set_paused(&match, 0));
    assert_false(set_paused(&match, PAUSES));
    assert_true(set_paused(&match, PAUSE_ORDERED));
    assert_false(set_paused(&match, PAUSE_ORDERED));
    assert_false(set_paused(&match, PAUSE_STALLED));
    assert_string_equal(round_state_name(&match.world), "paused");
    assert_true(set_paused(&match, PAUSE_NONE));
    assert_true(set_paused(&match, PAUSE_STALLED));
    assert_false(set_paused(&match, PAUSE_ORDERED));
    assert_string_equal(round_state_name(&match.world), "warm-up"); // nobody has paused it
    assert_true(set_paused(&match, PAUSE_NONE));
    assert_string_equal(round_state_name(&match.world), "warm-up");
}

TEST(a_limit_changed_during_a_match_can_end_it)
{
    test_match_draw(&match, ROOM);
    test_match_start(&match);
    test_match_put(&match, 0, 40, 48);
    test_match_put(&match, 1, 200, 48);
    test_match_step(&match, TUNING.warmup_ticks + TUNING.countdown_ticks + 5);
    assert_int_equal(match.world.round.phase, ROUND_PLAYING);
    match.world.players[0].score = 7;
    assert_true(set_rules(&match, 8, 0, 1));
    test_match_step(&match, 1);
    assert_int_equal(match.world.round.phase, ROUND_PLAYING);
    assert_int_equal(match.world.rules.friendly_fire, 1);
    assert_true(set_bot_rules(&match, 8, 0, 1, SKILL_HARD));
    assert_int_equal(match.world.rules.bot_skill, SKILL_HARD);
    assert_true(set_rules(&match, 7, 0, 0));
    test_match_step(&match, 1);
    assert_int_equal(match.world.round.phase, ROUND_MATCH_OVER);
    assert_int_equal(match.world.round.winner, 1);
}

TEST(invalid_rules_change_nothing)
{
    test_match_draw(&match, ROOM);
    test_match_start(&match);
    struct rules before = match.world.rules;
    assert_false(set_rules(&match, -1, 0, 0));
    assert_false(set_rules(&match, TUNING.score_max + 1, 0, 0));
    assert_false(set_rules(&match, 0, 0, 2));
    assert_false(set_bot_rules(&match, 0, 0, 0, SKILLS));
    assert_false(set_rules(&match, 0, 0, 0)); // they are so already
    assert_memory_equal(&match.world.rules, &before, sizeof before);
}
