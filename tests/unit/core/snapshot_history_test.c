// SPDX-License-Identifier: MIT
//
// Tests which worlds a client keeps from snapshots, and how it reports the others.
#include "core/snapshots.h"

#include <string.h>

#include "sync/world.h"
#include "test.h"
#include "test_match.h"

static struct test_match match;
static struct snapshot_history history;
static struct world fresh, worlds[256];
static struct input_log inputs;
static uint8_t body[SNAPSHOT_BODY_BYTES_MAX];

static void begin(void)
{
    test_match_in_hall(&match, 40);
    world_init(&fresh, &match.map, &match.world.rules);
    memset(&inputs, 0, sizeof inputs);
    memset(&history, 0x11, sizeof history);
    snapshot_history_clear(&history);
    snapshot_history_begin(&history, &match.map, &match.world.rules);
    for (tick i = match.world.tick + 1; i < 200; i++) {
        test_match_hold(&match, 0, i % 9 ? BUTTON_RIGHT : BUTTON_JUMP);
        test_match_step(&match, 1);
        world_copy(&worlds[i], &match.world);
    }
}

EACH_TEST(begin, NULL);

static enum snapshot_result insert(tick number, tick baseline, uint32_t hash_fault, size_t cut)
{
    struct snapshot_head head = {
        .tick = number, .baseline_tick = baseline, .world_hash = (uint32_t)world_hash(&worlds[number]) ^ hash_fault};
    for (tick i = baseline; baseline && i <= number; i++)
        input_log_add(&inputs, NULL, 0, &worlds[i]);
    size_t count = !baseline ? snapshot_body_encode(&fresh, &worlds[number], body, sizeof body)
                   : number - baseline < INPUT_LOG_TICKS
                       ? input_log_encode(&inputs, baseline, number, body, sizeof body)
                       : 40;
    assert_true(count > cut);
    return snapshot_history_insert(&history, &match.map, &head, body, count - cut);
}

static void assert_kept(tick number)
{
    assert_non_null(snapshot_history_at(&history, number));
    assert_memory_equal(snapshot_history_at(&history, number), &worlds[number], sizeof(struct world));
}

TEST(worlds_are_kept_unchanged_until_newer_ones_replace_them)
{
    assert_null(snapshot_history_at(&history, 0));
    assert_int_equal(insert(100, 0, 0, 0), SNAPSHOT_INSERTED);
    for (tick i = 101; i < 190; i++)
        assert_int_equal(insert(i, i - 1, 0, 0), SNAPSHOT_INSERTED);
    for (tick i = 0; i < 200; i++) {
        if (i >= 190 - SNAPSHOT_HISTORY_TICKS && i < 190)
            assert_kept(i);
        else
            assert_null(snapshot_history_at(&history, i));
    }
    snapshot_history_clear(&history);
    for (tick i = 0; i < 200; i++)
        assert_null(snapshot_history_at(&history, i));
}

TEST(snapshots_may_arrive_in_any_order)
{
    static const tick order[][2] = {{100, 0}, {110, 100}, {105, 100}, {108, 105}, {163, 108}, {120, 110}};
    for (size_t i = 0; i < sizeof order / sizeof *order; i++)
        assert_int_equal(insert(order[i][0], order[i][1], 0, 0), SNAPSHOT_INSERTED);
    for (size_t i = 0; i < sizeof order / sizeof *order; i++)
        assert_kept(order[i][0]);
}

TEST(worlds_between_two_snapshots_are_kept_if_the_later_one_is_true)
{
    assert_int_equal(insert(100, 0, 0, 0), SNAPSHOT_INSERTED);
    assert_int_equal(insert(110, 100, 1, 0), SNAPSHOT_DESYNC);
    for (tick i = 101; i <= 110; i++)
        assert_null(snapshot_history_at(&history, i));
    assert_int_equal(insert(110, 100, 0, 0), SNAPSHOT_INSERTED);
    for (tick i = 100; i <= 110; i++)
        assert_kept(i);
    assert_int_equal(insert(112, 105, 0, 0), SNAPSHOT_INSERTED);
    assert_int_equal(insert(103, 100, 1, 0), SNAPSHOT_DESYNC); // a lie about a world that is known
    assert_kept(103);
}

TEST(an_undecodable_snapshot_is_not_a_desync)
{
    static const struct {
        tick number, baseline;
        uint32_t hash_fault;
        size_t cut;
        enum snapshot_result result;
    } rows[] = {
        /* 0 */ {120, 110, 0, 0, SNAPSHOT_INSERTED},
        /* 1 */ {120, 110, 1, 0, SNAPSHOT_DESYNC},
        /* 2 */ {126, 110, 0, 1, SNAPSHOT_UNDECODABLE},
        /* 3 */ {120, 109, 0, 0, SNAPSHOT_UNDECODABLE}, // a baseline that never came
        /* 4 */ {110, 110, 0, 0, SNAPSHOT_UNDECODABLE}, // its own baseline
        /* 5 */ {100, 110, 0, 0, SNAPSHOT_UNDECODABLE}, // a later one
        /* 6 */ {173, 110, 0, 0, SNAPSHOT_INSERTED},
        /* 7 */ {174, 110, 0, 0, SNAPSHOT_UNDECODABLE}, // one that it would overwrite
        /* 8 */ {120, 0, 0, 1, SNAPSHOT_UNDECODABLE},
        /* 9 */ {120, 0, 1, 0, SNAPSHOT_DESYNC},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        begin();
        assert_int_equal(insert(110, 0, 0, 0), SNAPSHOT_INSERTED);
        enum snapshot_result result = insert(rows[i].number, rows[i].baseline, rows[i].hash_fault, rows[i].cut);
        if (result != rows[i].result)
            fail_msg("row %zu: %d", i, (int)result);
        if (rows[i].number != 110)
            assert_int_equal(snapshot_history_at(&history, rows[i].number) != NULL, result == SNAPSHOT_INSERTED);
        assert_kept(110);
    }
}
