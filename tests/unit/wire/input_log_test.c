// SPDX-License-Identifier: MIT
#include "unit.h"

#include <string.h>

#include "base/random.h"
#include "game/ai/ai.h"
#include "sync/world.h"
#include "test_map.h"
#include "test_match.h"
#include "wire/input_log.h"
#include "wire/range_coder.h"

static struct test_match match;
static struct input_log history;
static struct world kept[INPUT_LOG_TICKS], made;
static uint8_t body[64 * 1024];

static void tick_match(const struct command *commands, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        assert_true(world_command(&match.world, &match.map, &commands[i]));
    test_match_think(&match, SKILL_NORMAL);
    test_match_step(&match, 1);
    struct command all[64];
    for (uint32_t i = 0; i < count + match.roll_count; i++)
        all[i] = i < count ? commands[i] : match.rolls[i - count];
    input_log_add(&history, all, count + match.roll_count, &match.world);
    world_copy(&kept[match.world.tick % INPUT_LOG_TICKS], &match.world);
}

static void begin_match(uint32_t seed, uint32_t bots)
{
    struct command commands[16];
    memset(&history, 0, sizeof history);
    memset(kept, 0, sizeof kept);
    test_map_random(&match.map, seed, 64, 40);
    test_match_start(&match);
    for (uint32_t slot = 0; slot < bots; slot++)
        commands[slot] = (struct command){.slot = slot, .bot = 1, .colour = slot, .name = {slot, 0, ~slot}};
    tick_match(commands, bots);
}

// Players leave and join, also in the same slot.
static void tick_restlessly(uint32_t *dice, uint32_t slots)
{
    struct command commands[3];
    uint32_t count = 0, slot = random_below(dice, slots);
    if (random_below(dice, 12) == 0) {
        if (match.world.players[slot].state != PLAYER_ABSENT)
            commands[count++] = (struct command){.kind = COMMAND_LEAVE, .slot = slot};
        if (random_below(dice, 2) == 0)
            commands[count++] = (struct command){.kind = COMMAND_JOIN, .slot = slot, .colour = slot, .name = {0, 'n'}};
        if (random_below(dice, 2) == 0 && count > 0 && commands[count - 1].kind == COMMAND_JOIN)
            commands[count++] = (struct command){
                .kind = COMMAND_TEAM, .slot = slot, .team = random_below(dice, 2) == 0 ? TEAM_AUTO : TEAM_SPECTATE};
    }
    tick_match(commands, count);
}

// Decodes the body into `made`, or into another world.
static bool decode_into(struct world *world, const struct world *baseline, tick until, size_t byte_count)
{
    return input_log_decode((struct input_log_target){world, &match.map, NULL, NULL}, baseline, until, body,
                            byte_count);
}

static bool decode(const struct world *baseline, tick until, size_t byte_count)
{
    return decode_into(&made, baseline, until, byte_count);
}

static void assert_follows(tick baseline_tick, tick start_tick)
{
    tick now = match.world.tick;
    const struct world *baseline = &kept[baseline_tick % INPUT_LOG_TICKS];
    char text[160];
    size_t byte_count = input_log_encode(&history, baseline_tick, now, body, sizeof body);
    assert_true(byte_count > 0);
    made = kept[start_tick % INPUT_LOG_TICKS];
    assert_true(decode(baseline, now, byte_count));
    if (replication_difference(&made, &match.world, text, sizeof text))
        fail_msg("tick %u from %u by %u: %s", now, baseline_tick, start_tick, text);
    assert_memory_equal(&made, &match.world, sizeof made);
}

TEST(a_world_is_restored_from_any_baseline_and_any_later_world)
{
    for (uint32_t seed = 1; seed <= 5; seed++) {
        uint32_t dice = seed;
        begin_match(seed, 3 * seed);
        for (uint32_t t = 0; t < 500; t++) {
            tick_restlessly(&dice, 3 * seed + 1);
            uint32_t most = t + 1 < INPUT_LOG_TICKS ? t + 1 : INPUT_LOG_TICKS - 1, age = 1 + random_below(&dice, most);
            tick now = match.world.tick;
            assert_follows(now - age, now - random_below(&dice, age + 1));
        }
    }
}

TEST(a_log_holds_only_its_last_ticks)
{
    begin_match(2, 4);
    assert_false(input_log_holds(&history, 0));
    assert_false(input_log_holds(&history, INPUT_LOG_TICKS));
    for (int t = 0; t < 200; t++)
        tick_match(NULL, 0);
    tick now = match.world.tick;
    assert_true(input_log_holds(&history, now));
    assert_true(input_log_holds(&history, now - (INPUT_LOG_TICKS - 1)));
    assert_false(input_log_holds(&history, now - INPUT_LOG_TICKS));
    assert_false(input_log_holds(&history, now + 1));
    assert_false(input_log_holds(&history, 0));
}

TEST(unchanged_inputs_cost_almost_nothing)
{
    begin_match(2, 16);
    memset(match.inputs, 0, sizeof match.inputs);
    for (int t = 0; t < 20; t++) {
        test_match_step(&match, 1);
        input_log_add(&history, &(struct command){0}, 0, &match.world);
    }
    tick now = match.world.tick;
    assert_in_range(input_log_encode(&history, now - 6, now, body, sizeof body), 1, 5);
}

TEST(a_body_is_encoded_as_protocol_md_says)
{
    begin_match(2, 0);
    tick_match(&(struct command){.slot = 3, .bot = 1, .colour = 9, .name = {0, 'x'}, .record = {.score = -2}}, 1);
    struct range_coder range = range_coder_writer(body, sizeof body);
    uint16_t command_model = 256, roll_model = 58982, zero_model = 32768, change_model;
    uint32_t buttons = match.world.players[3].buttons;
    range_coder_bit(&range, &command_model, true);
    range_coder_bit(&range, &roll_model, false);
    range_coder_bits(&range, 0, 3); // join
    range_coder_bits(&range, 3, 8); // slot
    range_coder_bits(&range, 1, 1); // bot
    range_coder_bits(&range, 9, 4); // colour
    range_coder_bit(&range, &zero_model, true);
    range_coder_bit(&range, &zero_model, false);
    range_coder_bits(&range, 'x', 32);
    range_coder_bit(&range, &zero_model, true);
    range_coder_bit(&range, &zero_model, true);
    range_coder_bit(&range, &zero_model, true); // team
    range_coder_bit(&range, &zero_model, true); // handicap
    range_coder_bit(&range, &zero_model, false);
    range_coder_bits(&range, UINT32_MAX - 1, 32); // score
    for (int i = 0; i < 10; i++)
        range_coder_bit(&range, &zero_model, true);
    range_coder_bit(&range, &command_model, false);
    change_model = 1098; // they held nothing, and nothing before
    assert_int_equal(buttons, 0);
    range_coder_bit(&range, &change_model, false);
    static uint8_t expected[64];
    size_t byte_count = range_coder_finish(&range);
    memcpy(expected, body, byte_count);
    assert_int_equal(input_log_encode(&history, 1, 2, body, sizeof body), byte_count);
    assert_memory_equal(body, expected, byte_count);
}

TEST(every_command_is_encoded_as_protocol_md_says)
{
    static const struct {
        struct command command;
        struct {
            uint32_t value, count;
        } fields[7];
    } rows[] = {
        /* 1 */ {{.kind = COMMAND_JOIN, .slot = 255, .bot = 0, .colour = 15}, {{0, 3}, {255, 8}, {0, 1}, {15, 4}}},
        /* 2 */ {{.kind = COMMAND_LEAVE, .slot = 1}, {{COMMAND_LEAVE, 3}, {1, 8}}},
        /* 3 */ {{.kind = COMMAND_TEAM, .slot = 1, .team = 3}, {{COMMAND_TEAM, 3}, {1, 8}, {3, 2}}},
        /* 4 */ {{.kind = COMMAND_PAUSE, .paused = 1}, {{COMMAND_PAUSE, 3}, {0, 8}, {1, 2}}},
        /* 5 */
        {{.kind = COMMAND_RULES, .score_limit = 7, .time_limit_ticks = 0x80000001, .friendly_fire = 1, .bot_skill = 4},
         {{COMMAND_RULES, 3}, {0, 8}, {7, 32}, {0x80000001, 32}, {1, 1}, {4, 3}}},
        /* 6 */ {{.kind = COMMAND_ROLL, .slot = 31, .gift = 4}, {{31, 5}, {4, 3}}},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        begin_match(2, 2);
        struct world *next = &kept[2];
        *next = match.world;
        next->tick++;
        for (uint32_t slot = 0; slot < PLAYER_CAPACITY; slot++)
            next->players[slot].buttons = 0;
        input_log_add(&history, &rows[i].command, 1, next);
        uint8_t expected[64];
        struct range_coder range = range_coder_writer(expected, sizeof expected);
        uint16_t command_model = 256, roll_model = 58982, zero_model = 32768, change_model = 1098;
        range_coder_bit(&range, &command_model, true);
        range_coder_bit(&range, &roll_model, rows[i].command.kind == COMMAND_ROLL);
        for (size_t field = 0; field < COUNT_OF(rows[i].fields); field++)
            range_coder_bits(&range, rows[i].fields[field].value, rows[i].fields[field].count);
        for (size_t word = 0; i == 0 && word < PLAYER_NAME_BYTES / 4 + PLAYER_RECORD_WORDS; word++)
            range_coder_bit(&range, &zero_model, true);
        range_coder_bit(&range, &command_model, false);
        for (uint32_t players = i == 0 ? 3 : i == 1 ? 1 : 2; players > 0; players--)
            range_coder_bit(&range, &change_model, false);
        size_t byte_count = range_coder_finish(&range);
        if (input_log_encode(&history, 1, 2, body, sizeof body) != byte_count)
            fail_msg("row %zu", i + 1);
        assert_memory_equal(body, expected, byte_count);
    }
}

TEST(bodies_that_no_encoder_writes_are_refused)
{
    begin_match(3, 2);
    static const struct {
        uint32_t kind, slot;
        bool good;
    } rows[] = {
        /* 1 */ {COMMAND_LEAVE, 1, true},  // a player in this slot
        /* 2 */ {COMMAND_LEAVE, 2, false}, // nobody is
        /* 3 */ {COMMAND_JOIN, 1, false},  // taken
        /* 4 */ {COMMAND_JOIN, 2, true},   // free
        /* 5 */ {COMMAND_TEAM, 1, true},   // to the spectators
        /* 6 */ {COMMAND_TEAM, 2, false},  // no player in this slot
        /* 7 */ {COMMAND_PAUSE, 9, false}, // the match is not paused
        /* 8 */ {COMMAND_RULES, 9, false}, // no score is below zero
        /* 9 */ {COMMAND_KINDS, 1, false}, // no such command
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct command command = {.kind = rows[i].kind, .slot = rows[i].slot, .team = TEAM_SPECTATE, .score_limit = -1};
        struct world *next = &kept[2];
        *next = match.world;
        if (rows[i].good)
            world_command(next, &match.map, &command);
        world_step(next, &match.map, (struct player_input[PLAYER_CAPACITY]){{0}});
        input_log_add(&history, &command, 1, next);
        size_t byte_count = input_log_encode(&history, 1, 2, body, sizeof body);
        made = match.world;
        if (decode(&match.world, 2, byte_count) != rows[i].good)
            fail_msg("row %zu", i + 1);
        made = *next; // the world has this tick already: the command is not applied again, but must be valid
        if (decode(&match.world, 2, byte_count) != rows[i].good)
            fail_msg("row %zu, known", i + 1);
    }
}

static bool decodes_roll(struct world *world, bool as_kind, uint32_t chest, uint32_t gift)
{
    struct range_coder range = range_coder_writer(body, sizeof body);
    uint16_t command_model = 256, roll_model = 58982;
    range_coder_bit(&range, &command_model, true);
    range_coder_bit(&range, &roll_model, !as_kind);
    range_coder_bits(&range, COMMAND_ROLL, as_kind ? 3 : 0);
    range_coder_bits(&range, chest, as_kind ? 8 : 5);
    range_coder_bits(&range, gift, as_kind ? 0 : 3);
    range_coder_bit(&range, &command_model, false);
    size_t byte_count = range_coder_finish(&range);
    return decode_into(world, &match.world, 2, byte_count);
}

// A hostile server cannot give what the chest does not have, nor open it twice.
TEST(rolls_that_no_chest_waits_for_are_refused)
{
    static const struct {
        uint32_t chest_state, chest, gift;
        bool as_kind, is_good;
    } rows[] = {
        /* 1 */ {CHEST_OPENING, 1, MAP_GIFT_WINGS, false, true},
        /* 2 */ {CHEST_CLOSED, 1, MAP_GIFT_WINGS, false, false},
        /* 3 */ {CHEST_AWAY, 1, MAP_GIFT_WINGS, false, false},
        /* 4 */ {CHEST_OPENING, 0, MAP_GIFT_WINGS, false, false},  // the other chest
        /* 5 */ {CHEST_OPENING, 2, MAP_GIFT_WINGS, false, false},  // there is none
        /* 6 */ {CHEST_OPENING, 31, MAP_GIFT_WINGS, false, false}, // nor here
        /* 7 */ {CHEST_OPENING, 1, MAP_GIFT_BOMB, false, false},   // is never in it
        /* 8 */ {CHEST_OPENING, 1, MAP_GIFTS, false, false},
        /* 9 */ {CHEST_OPENING, 1, MAP_GIFT_WINGS, true, false}, // there is one way to write a roll
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        test_match_draw(&match, TEST_MAP_HALL);
        test_map_chest(&match.map, 60, 64, MAP_GIFTS_ANY, 100);
        test_map_chest(&match.map, 100, 64, 1u << MAP_GIFT_WINGS, 100);
        test_match_start(&match);
        test_match_step(&match, 1);
        if (rows[i].chest_state == CHEST_AWAY)
            match.world.actors[CHEST_ACTORS + 1] = (struct df_actor){0};
        match.world.chests[1].state = rows[i].chest_state;
        made = match.world;
        if (decodes_roll(&made, rows[i].as_kind, rows[i].chest, rows[i].gift) != rows[i].is_good)
            fail_msg("row %zu", i + 1);
        made = match.world;
        made.tick++; // the world has this tick already
        assert_true(decodes_roll(&made, false, 1, MAP_GIFT_WINGS));
        assert_false(decodes_roll(&made, false, 1, MAP_GIFTS));
    }
}

TEST(a_tick_has_a_largest_number_of_commands)
{
    static struct world next;
    begin_match(3, 0);
    for (uint32_t count = INPUT_LOG_COMMAND_CAPACITY - 1; count <= INPUT_LOG_COMMAND_CAPACITY + 1; count++) {
        struct range_coder range = range_coder_writer(body, sizeof body);
        uint16_t command_model = 256, roll_model = 58982;
        for (uint32_t i = 0; i < count; i++) { // the match pauses and goes on
            range_coder_bit(&range, &command_model, true);
            range_coder_bit(&range, &roll_model, false);
            range_coder_bits(&range, COMMAND_PAUSE, 3);
            range_coder_bits(&range, 0, 8);
            range_coder_bits(&range, i % 2 == 0, 2);
        }
        range_coder_bit(&range, &command_model, false);
        size_t byte_count = range_coder_finish(&range);
        next = made = match.world;
        assert_int_equal(decode(&match.world, 2, byte_count), count <= INPUT_LOG_COMMAND_CAPACITY);
        next.tick = 2; // known already
        assert_int_equal(decode_into(&next, &match.world, 2, byte_count), count <= INPUT_LOG_COMMAND_CAPACITY);
    }
}

TEST(rules_and_pauses_have_their_limits)
{
    static struct world next;
    static const struct {
        struct command command;
        enum pause before;
        bool good;
    } rows[] = {
        /* 1 */ {{.kind = COMMAND_RULES, .score_limit = 0}, PAUSE_NONE, true},
        /* 2 */ {{.kind = COMMAND_RULES, .score_limit = 500000}, PAUSE_NONE, true},
        /* 3 */ {{.kind = COMMAND_RULES, .score_limit = 500001}, PAUSE_NONE, false},
        /* 4 */ {{.kind = COMMAND_RULES, .score_limit = -1}, PAUSE_NONE, false},
        /* 5 */ {{.kind = COMMAND_PAUSE, .paused = PAUSE_ORDERED}, PAUSE_NONE, true},
        /* 6 */ {{.kind = COMMAND_PAUSE, .paused = PAUSE_NONE}, PAUSE_NONE, false},
        /* 7 */ {{.kind = COMMAND_PAUSE, .paused = PAUSE_NONE}, PAUSE_ORDERED, true},
        /* 8 */ {{.kind = COMMAND_PAUSE, .paused = PAUSE_ORDERED}, PAUSE_ORDERED, false},
        /* 9 */ {{.kind = COMMAND_PAUSE, .paused = PAUSE_STALLED}, PAUSE_NONE, true},
        /* 10 */ {{.kind = COMMAND_PAUSE, .paused = PAUSES}, PAUSE_NONE, false},
        /* 11 */ {{.kind = COMMAND_PAUSE, .paused = PAUSE_NONE}, PAUSE_STALLED, true},
        /* 12 */ {{.kind = COMMAND_PAUSE, .paused = PAUSE_STALLED}, PAUSE_ORDERED, false},
        /* 13 */ {{.kind = COMMAND_PAUSE, .paused = PAUSE_ORDERED}, PAUSE_STALLED, false},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        begin_match(3, 1);
        match.world.round.paused = rows[i].before;
        input_log_add(&history, NULL, 0, &match.world);
        next = match.world;
        next.tick++;
        input_log_add(&history, &rows[i].command, 1, &next);
        size_t byte_count = input_log_encode(&history, 1, 2, body, sizeof body);
        if (decode_into(&next, &match.world, 2, byte_count) != rows[i].good)
            fail_msg("row %zu", i + 1);
    }
}

TEST(ticks_out_of_order_are_refused)
{
    begin_match(3, 0);
    for (int t = 0; t < 30; t++)
        tick_match(NULL, 0);
    size_t byte_count = input_log_encode(&history, 10, 20, body, sizeof body);
    static const struct {
        tick baseline, start, until;
        bool good;
    } rows[] = {
        /* 1 */ {10, 10, 20, true},
        /* 2 */ {10, 20, 20, true},  // there already
        /* 3 */ {10, 9, 20, false},  // before the baseline
        /* 4 */ {10, 21, 20, false}, // beyond
        /* 5 */ {10, 10, 9, false},  // backward
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        made = kept[rows[i].start];
        if (decode(&kept[rows[i].baseline], rows[i].until, byte_count) != rows[i].good)
            fail_msg("row %zu", i + 1);
    }
    struct range_coder range = range_coder_writer(body, sizeof body); // well-formed except for its length
    uint16_t command_model = 64;
    for (uint32_t t = 0; t < INPUT_LOG_TICKS; t++)
        range_coder_bit(&range, &command_model, false);
    byte_count = range_coder_finish(&range);
    made = kept[10];
    assert_false(decode(&kept[10], 10 + INPUT_LOG_TICKS, byte_count));
}

TEST(damaged_bodies_are_refused_or_give_a_valid_world)
{
    uint32_t dice = 4;
    begin_match(5, 10);
    for (uint32_t t = 0; t < 120; t++)
        tick_restlessly(&dice, 12);
    tick now = match.world.tick;
    const struct world *baseline = &kept[(now - 40) % INPUT_LOG_TICKS];
    size_t byte_count = input_log_encode(&history, now - 40, now, body, sizeof body);
    for (size_t bit = 0; bit < 8 * byte_count; bit++) {
        body[bit / 8] ^= (uint8_t)(1u << bit % 8);
        made = *baseline;
        if (decode(baseline, now, byte_count)) {
            assert_true(world_validate(&made, &match.map));
            assert_true(memcmp(&made, &match.world, sizeof made) != 0);
        }
        body[bit / 8] ^= (uint8_t)(1u << bit % 8);
    }
    for (size_t cut = 0; cut < byte_count; cut++) {
        made = *baseline;
        if (decode(baseline, now, cut))
            assert_true(memcmp(&made, &match.world, sizeof made) != 0);
    }
    body[byte_count] = 0;
    made = *baseline;
    assert_false(decode(baseline, now, byte_count + 1));
    for (size_t capacity = 0; capacity < byte_count; capacity++)
        assert_int_equal(input_log_encode(&history, now - 40, now, body, capacity), 0);
}
