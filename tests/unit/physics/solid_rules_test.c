// SPDX-License-Identifier: MIT
// Tests moves of solids that call the caller's rules: squishes, queued moves, riders chosen by the game, groups.
#include "stage.h"

static struct {
    struct df_squish last;
    int count;
    enum df_result asked;
} seen;

static void begin(struct stage *stage)
{
    memset(&seen, 0, sizeof seen);
    stage_begin(stage);
}

static enum df_squish_answer note(struct df_space *space, struct df_squish squish, void *context)
{
    (void)space, (void)context;
    seen.last = squish;
    seen.count++;
    return DF_SQUISH_HANDLED;
}

static enum df_squish_answer kill_the_next(struct df_space *space, struct df_squish squish, void *context)
{
    note(space, squish, context);
    space->actors[squish.actor + 1].flags = 0;
    df_actor_changed(space, squish.actor + 1);
    return DF_SQUISH_DESTROY;
}

static enum df_squish_answer bring_another(struct df_space *space, struct df_squish squish, void *context)
{
    note(space, squish, context);
    if (seen.count == 1)
        df_actor_place(space, 1, 20, 40);
    return DF_SQUISH_DESTROY;
}

static enum df_squish_answer move_a_solid(struct df_space *space, struct df_squish squish, void *context)
{
    note(space, squish, context);
    seen.asked = df_solid_move(space, 1, 0, 256);
    assert_int_equal(df_solid_move(space, 99, 0, 256), DF_OUT_OF_RANGE);
    return DF_SQUISH_DESTROY;
}

static enum df_squish_answer move_solids_without_end(struct df_space *space, struct df_squish squish, void *context)
{
    note(space, squish, context);
    for (int32_t i = 0; i < DF_QUEUE_CAPACITY; i++)
        assert_int_equal(df_solid_move(space, 1, 0, 256), DF_QUEUED);
    seen.asked = df_solid_move(space, 1, 0, 256);
    return DF_SQUISH_DESTROY;
}

static enum df_squish_answer wiggle(struct df_space *space, struct df_squish squish, void *context)
{
    note(space, squish, context);
    return df_actor_wiggle(space, squish.actor, 4, 4) ? DF_SQUISH_HANDLED : DF_SQUISH_DESTROY;
}

static enum df_squish_answer look_at_the_pusher(struct df_space *space, struct df_squish squish, void *context)
{
    note(space, squish, context);
    assert_true(df_space_blocked(space, (struct df_box){0, space->solids[squish.solid].y, 1, 1}));
    assert_true(df_actor_is_embedded(space, squish.actor));
    return DF_SQUISH_HANDLED;
}

// A crusher above a floor with actor 0 between them; solid 1 is far away.
static void press(struct stage *stage, enum df_squish_answer (*rule)(struct df_space *, struct df_squish, void *))
{
    memset(stage, 0, sizeof *stage);
    stage_solid(stage, 0, 0, 16, 8);
    stage_solid(stage, 100, 0, 8, 8);
    stage_solid(stage, 0, 20, 40, 8);
    stage_actor(stage, 4, 12, 8, 8);
    stage->space.rules.squish = rule;
}

TEST(a_squish_rule_gets_the_actor_direction_and_amount)
{
    struct stage stage;
    press(&stage, note);
    begin(&stage);
    df_solid_move(&stage.space, 0, 0, 6 * DF_SUB);
    assert_int_equal(seen.count, 1); // once, though two unit steps were stopped
    assert_int_equal(seen.last.actor, 0);
    assert_int_equal(seen.last.solid, 0);
    assert_int_equal(seen.last.direction_x, 0);
    assert_int_equal(seen.last.direction_y, 1);
    assert_int_equal(seen.last.missing_px, 1);
    assert_int_equal(seen.last.target_y, 13);
    assert_int_equal(seen.last.by.kind, DF_HIT_SOLID);
    assert_int_equal(seen.last.by.index, 2); // the floor
    assert_int_equal(stage.solids[0].y, 6);  // it always arrives
    assert_true((stage.actors[0].flags & DF_ACTOR_EMBEDDED) != 0);
    df_solid_move(&stage.space, 0, 0, -6 * DF_SUB);
    assert_true((stage.actors[0].flags & DF_ACTOR_EMBEDDED) == 0);
    assert_int_equal(seen.count, 1);
}

TEST(without_a_rule_a_squish_kills)
{
    struct stage stage;
    press(&stage, NULL);
    begin(&stage);
    df_solid_move(&stage.space, 0, 0, 5 * DF_SUB);
    assert_true((stage.actors[0].flags & DF_ACTOR_ALIVE) == 0);
}

TEST(a_squish_rule_may_kill_an_actor_that_comes_later)
{
    struct stage stage;
    press(&stage, kill_the_next);
    stage_actor(&stage, 5, 12, 8, 8);
    begin(&stage);
    df_solid_move(&stage.space, 0, 0, 5 * DF_SUB);
    assert_int_equal(seen.count, 1);
}

// A solid pushes actor 0 against a wall; the rule then brings actor 1 near its path, which ends at 28.
static void push_with_a_rule(struct stage *stage, int32_t x, int32_t y, int32_t size,
                             enum df_squish_answer (*rule)(struct df_space *, struct df_squish, void *))
{
    *stage = (struct stage){0};
    stage_solid(stage, 0, 40, 8, 8);
    stage_solid(stage, 16, 32, 8, 8); // the wall
    stage_actor(stage, 8, 33, 8, 8);
    stage_actor(stage, x, y, size, size);
    stage->space.rules.squish = rule;
    begin(stage);
    df_solid_move(&stage->space, 0, 20 * DF_SUB, 0);
    assert_int_equal(stage->actors[1].x, 28);
}

TEST(an_actor_brought_near_during_a_move_is_pushed_too)
{
    struct stage stage;
    push_with_a_rule(&stage, 1000, 1000, 4, bring_another);
    assert_int_equal(seen.count, 1);
}

static enum df_squish_answer step_another(struct df_space *space, struct df_squish squish, void *context)
{
    (void)squish, (void)context;
    df_actor_step(space, 1, -4 * DF_SUB, 0, NULL);
    return DF_SQUISH_DESTROY;
}

// It stays in its cell, so that only the running move tells that it is looked at again.
TEST(an_actor_that_steps_near_during_a_move_is_pushed_too)
{
    struct stage stage;
    push_with_a_rule(&stage, 29, 40, 8, step_another);
}

// The cells around a solid are also those at the other end of a world that wraps, which is not a power of two wide.
TEST(an_actor_over_the_seam_is_carried_by_a_solid_on_one_side)
{
    static uint8_t kinds[41 * 43]; // 328 x 344 px, all empty
    static const struct {
        int32_t solid_x, solid_y, actor_x, actor_y, dx_sub, dy_sub, to_x, to_y;
    } rows[] = {
        /* 1 */ {1, 100, 324, 92, DF_SUB, 0, 325, 92},        // stands on it over the left seam
        /* 2 */ {1, 100, 324, 92, 0, -DF_SUB, 324, 91},       // and is pushed
        /* 3 */ {304, 100, 324, 92, -DF_SUB, 0, 323, 92},     // over the right seam
        /* 4 */ {100, 1, 104, 337, DF_SUB, 0, 105, 337},      // stands across the upper seam
        /* 5 */ {100, 1, 104, 337, 0, -DF_SUB, 104, 336},     // and is pushed
        /* 6 */ {100, 334, 104, 343, 0, 2 * DF_SUB, 104, 0},  // beneath it, around the lower seam
        /* 7 */ {1, 100, 321, 100, -2 * DF_SUB, 0, 319, 100}, // beside it, around the left seam
        /* 8 */ {302, 100, 326, 100, 2 * DF_SUB, 0, 0, 100},  // beside it, around the right seam
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct stage stage = {0};
        stage.space.tiles = (struct df_tiles){kinds, NULL, 41, 43, 8, DF_OUTSIDE_WRAP};
        stage_solid(&stage, rows[i].solid_x, rows[i].solid_y, 24, 8);
        stage_actor(&stage, rows[i].actor_x, rows[i].actor_y, 8, 8);
        begin(&stage);
        assert_int_equal(df_solid_move(&stage.space, 0, rows[i].dx_sub, rows[i].dy_sub), DF_OK);
        if (stage.actors[0].x != rows[i].to_x || stage.actors[0].y != rows[i].to_y)
            fail_msg("row %zu: at %d, %d", i + 1, stage.actors[0].x, stage.actors[0].y);
    }
}

// 330 is 2 of the next turn, and in the same 32 px as 322, where the move ends.
TEST(an_actor_written_beyond_the_seam_is_found_after_a_move)
{
    static uint8_t kinds[41 * 43]; // 328 x 344 px, all empty
    struct stage stage = {0};
    stage.space.tiles = (struct df_tiles){kinds, NULL, 41, 43, 8, DF_OUTSIDE_WRAP};
    stage_solid(&stage, 310, 100, 8, 8);
    stage_actor(&stage, 330, 100, 8, 8);
    begin(&stage);
    assert_int_equal(df_actor_move_x(&stage.space, 0, -8 * DF_SUB, NULL, NULL), DF_OK);
    assert_int_equal(stage.actors[0].x, 322);
    assert_int_equal(df_solid_move(&stage.space, 0, 8 * DF_SUB, 0), DF_OK);
    assert_int_equal(stage.actors[0].x, 326);
}

TEST(a_move_makes_a_place_canonical_on_both_axes)
{
    static uint8_t kinds[41 * 43]; // 328 x 344 px, all empty
    static const struct {
        int32_t actor_y, dx_sub, dy_sub, to_x, to_y;
        bool is_group;
    } rows[] = {
        /* 1 */ {200, 0, -DF_SUB, 308, 339, false}, // alone
        /* 2 */ {200, DF_SUB, 0, 309, 340, false},
        /* 3 */ {200, 0, -DF_SUB, 308, 339, true},
        /* 4 */ {200, DF_SUB, 0, 309, 340, true},
        /* 5 */ {332, 0, -DF_SUB, 308, 339, false}, // an actor stands on it
        /* 6 */ {332, DF_SUB, 0, 309, 340, false},
        /* 7 */ {332, 0, -DF_SUB, 308, 339, true},
        /* 8 */ {332, DF_SUB, 0, 309, 340, true},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct stage stage = {0};
        stage.space.tiles = (struct df_tiles){kinds, NULL, 41, 43, 8, DF_OUTSIDE_WRAP};
        stage_solid(&stage, -20, -4, 24, 8);
        stage_actor(&stage, 312, rows[i].actor_y, 8, 8);
        begin(&stage);
        int32_t solid = 0;
        enum df_result result = rows[i].is_group
                                    ? df_group_move(&stage.space, &solid, 1, rows[i].dx_sub, rows[i].dy_sub)
                                    : df_solid_move(&stage.space, 0, rows[i].dx_sub, rows[i].dy_sub);
        assert_int_equal(result, DF_OK);
        if (stage.solids[0].x != rows[i].to_x || stage.solids[0].y != rows[i].to_y)
            fail_msg("row %zu: at %d, %d", i + 1, stage.solids[0].x, stage.solids[0].y);
    }
}

TEST(a_solid_moved_in_a_rule_waits_for_the_end)
{
    struct stage stage;
    press(&stage, move_a_solid);
    begin(&stage);
    assert_int_equal(df_solid_move(&stage.space, 0, 0, 6 * DF_SUB), DF_OK);
    assert_int_equal(seen.asked, DF_QUEUED);
    assert_int_equal(stage.solids[1].y, 1);
    assert_int_equal(stage.space.waiting_count, 0);
}

TEST(a_full_queue_refuses_a_move)
{
    struct stage stage;
    press(&stage, move_solids_without_end);
    begin(&stage);
    df_solid_move(&stage.space, 0, 0, 6 * DF_SUB);
    assert_int_equal(seen.asked, DF_QUEUE_FULL);
    assert_int_equal(stage.solids[1].y, DF_QUEUE_CAPACITY);
}

TEST(a_wiggle_avoids_the_pusher)
{
    struct stage stage;
    press(&stage, wiggle);
    stage.actors[0].x = 13; // three pixels under the crusher
    begin(&stage);
    df_solid_move(&stage.space, 0, 0, 8 * DF_SUB);
    assert_int_equal(stage.actors[0].x, 16);
    assert_int_equal(stage.actors[0].y, 12);
    assert_int_equal(stage.actors[0].flags, DF_ACTOR_ALIVE);
}

TEST(while_a_rule_runs_the_pusher_collides_at_its_position)
{
    struct stage stage;
    press(&stage, look_at_the_pusher);
    begin(&stage);
    df_solid_move(&stage.space, 0, 0, 6 * DF_SUB);
    assert_int_equal(seen.count, 1);
}

static int rides_from_afar(const struct df_space *space, int32_t actor, int32_t solid, void *context)
{
    (void)space, (void)context;
    seen.count++;
    return solid == 0 ? (actor == 0 ? 1 : 0) : -1;
}

TEST(the_game_can_decide_who_rides)
{
    struct stage stage = {0};
    stage_solid(&stage, 0, 8, 16, 8);
    stage_actor(&stage, 16, 8, 8, 8); // beside it: rides because the game says so
    stage_actor(&stage, 0, 0, 8, 8);  // on it: does not
    stage_actor(&stage, 18, 8, 8, 8); // not even touching: not asked
    stage.space.rules.rides = rides_from_afar;
    begin(&stage);
    df_solid_move(&stage.space, 0, -2 * DF_SUB, 0);
    assert_int_equal(stage.actors[0].x, 14);
    assert_int_equal(stage.actors[1].x, 0);
    assert_int_equal(stage.actors[2].x, 18);
    assert_int_equal(seen.count, 4); // two actors, two unit steps
}

TEST(a_group_needs_different_members)
{
    struct stage stage = {0};
    for (int32_t i = 0; i < 70; i++)
        stage_solid(&stage, i * 10, 0, 8, 8);
    begin(&stage);
    int32_t all[70];
    for (int32_t i = 0; i < 70; i++)
        all[i] = i;
    int32_t twice[] = {3, 4, 3}, beyond[] = {3, 70}, before[] = {3, -1};
    assert_int_equal(df_group_move(&stage.space, all, 0, 256, 0), DF_OUT_OF_RANGE);
    assert_int_equal(df_group_move(&stage.space, all, 65, 256, 0), DF_OUT_OF_RANGE);
    assert_int_equal(df_group_move(&stage.space, twice, 3, 256, 0), DF_OUT_OF_RANGE);
    assert_int_equal(df_group_move(&stage.space, beyond, 2, 256, 0), DF_OUT_OF_RANGE);
    assert_int_equal(df_group_move(&stage.space, before, 2, 256, 0), DF_OUT_OF_RANGE);
    assert_int_equal(stage.solids[3].x, 30);
    assert_int_equal(df_group_move(&stage.space, all, 64, 256, 0), DF_OK);
    assert_int_equal(stage.solids[63].x, 631);
    assert_int_equal(stage.solids[64].x, 640);
}

TEST(a_group_uses_the_remainder_of_its_first_solid)
{
    struct stage stage = {0};
    stage_solid(&stage, 0, 0, 8, 8);
    stage_solid(&stage, 50, 0, 8, 8);
    stage.solids[0].rem_x = -128;
    stage.solids[1].rem_x = 100;
    begin(&stage);
    int32_t group[] = {1, 0};
    df_group_move(&stage.space, group, 2, 28, 0);
    assert_int_equal(stage.solids[0].x, 1);
    assert_int_equal(stage.solids[1].x, 51);
    assert_int_equal(stage.solids[0].rem_x, -128);
    assert_int_equal(stage.solids[1].rem_x, -128);
}

TEST(a_move_beyond_the_coordinates_is_refused)
{
    struct stage stage = {0};
    stage_solid(&stage, DF_COORDINATE_PX_MAX - 4, 0, 8, 8);
    begin(&stage);
    assert_int_equal(df_solid_move(&stage.space, 0, 5 * DF_SUB, 0), DF_OUT_OF_RANGE);
    assert_int_equal(df_solid_move(&stage.space, 0, DF_AMOUNT_SUB_MAX + 1, 0), DF_OUT_OF_RANGE);
    assert_int_equal(df_solid_move(&stage.space, 0, 4 * DF_SUB, 0), DF_OK);
    stage.solids[0].flags = 0;
    df_solid_changed(&stage.space, 0);
    assert_int_equal(df_solid_move(&stage.space, 0, -256, 0), DF_OK); // absent: skipped
    assert_int_equal(stage.solids[0].x, DF_COORDINATE_PX_MAX);
}

TEST(a_move_at_the_limits_is_made_and_one_beyond_is_not)
{
    static const struct {
        int32_t solid, at, size, rem, amount, end;
        enum df_result result;
    } rows[] = {
        /* 1 */ {0, 0, 8, 0, DF_AMOUNT_SUB_MAX, DF_AMOUNT_SUB_MAX / DF_SUB, DF_OK},
        /* 2 */ {0, 0, 8, 0, -DF_AMOUNT_SUB_MAX, -DF_AMOUNT_SUB_MAX / DF_SUB, DF_OK},
        /* 3 */ {0, 0, 8, 0, DF_AMOUNT_SUB_MAX + 1, 0, DF_OUT_OF_RANGE},
        /* 4 */ {0, 0, 8, 0, -DF_AMOUNT_SUB_MAX - 1, 0, DF_OUT_OF_RANGE},
        /* 5 */ {0, 0, 8, 128, 128, 1, DF_OK},
        /* 6 */ {0, 0, 8, -128, -128, -1, DF_OK},
        /* 7 */ {0, 0, 8, 129, 256, 0, DF_OUT_OF_RANGE},
        /* 8 */ {0, 0, 8, -129, 256, 0, DF_OUT_OF_RANGE},
        /* 9 */ {0, DF_COORDINATE_PX_MAX - 1, 8, 0, 256, DF_COORDINATE_PX_MAX, DF_OK},
        /* 10 */ {0, DF_COORDINATE_PX_MAX, 8, 0, 256, DF_COORDINATE_PX_MAX, DF_OUT_OF_RANGE},
        /* 11 */ {0, -DF_COORDINATE_PX_MAX, 8, 0, -256, -DF_COORDINATE_PX_MAX, DF_OUT_OF_RANGE},
        /* 12 */ {0, DF_COORDINATE_PX_MAX + 1, 8, 0, -256, DF_COORDINATE_PX_MAX + 1, DF_OUT_OF_RANGE},
        /* 13 */ {0, 0, 0, 0, 256, 0, DF_OUT_OF_RANGE},
        /* 14 */ {-1, 0, 8, 0, 256, 0, DF_OUT_OF_RANGE},
        /* 15 */ {1, 0, 8, 0, 256, 0, DF_OUT_OF_RANGE},
    };
    for (size_t i = 0; i < 3 * COUNT_OF(rows); i++) {
        bool x = i % 3 != 1, y = i % 3 != 0; // along one axis, or both
        struct stage stage = {0};
        stage_solid(&stage, 0, 0, 8, 8);
        begin(&stage);
        int32_t amount = rows[i / 3].amount, solid = rows[i / 3].solid;
        stage.solids[0].x = x ? rows[i / 3].at : 0;
        stage.solids[0].y = y ? rows[i / 3].at : 0;
        stage.solids[0].w = x ? rows[i / 3].size : 8;
        stage.solids[0].h = y ? rows[i / 3].size : 8;
        stage.solids[0].rem_x = x ? rows[i / 3].rem : 0;
        stage.solids[0].rem_y = y ? rows[i / 3].rem : 0;
        struct stage same = stage; // for a group of one
        same.space.solids = same.solids;
        assert_int_equal(df_solid_move(&stage.space, solid, x ? amount : 0, y ? amount : 0), rows[i / 3].result);
        assert_int_equal(df_group_move(&same.space, &solid, 1, x ? amount : 0, y ? amount : 0), rows[i / 3].result);
        assert_int_equal(stage.solids[0].x, x ? rows[i / 3].end : 0);
        assert_int_equal(stage.solids[0].y, y ? rows[i / 3].end : 0);
        assert_memory_equal(stage.solids, same.solids, sizeof stage.solids);
    }
}

TEST(a_solid_squishes_an_actor_at_the_end_of_the_coordinates)
{
    struct stage stage = {0};
    stage_solid(&stage, 0, 0, DF_COORDINATE_PX_MAX, 8);
    stage_actor(&stage, DF_COORDINATE_PX_MAX, 0, 8, 8);
    begin(&stage);
    for (int32_t i = 0; i < DF_COORDINATE_PX_MAX / (DF_AMOUNT_SUB_MAX / DF_SUB); i++)
        assert_int_equal(df_solid_move(&stage.space, 0, DF_AMOUNT_SUB_MAX, 0), DF_OK);
    assert_int_equal(stage.solids[0].x, DF_COORDINATE_PX_MAX);
    assert_int_equal(stage.actors[0].x, DF_COORDINATE_PX_MAX);
    assert_int_equal(stage.actors[0].flags & DF_ACTOR_ALIVE, 0);
}

// Solid 1 waits for the end of the move, in which each request is valid by itself; its end is checked when it runs.
static enum df_squish_answer move_a_solid_twice(struct df_space *space, struct df_squish squish, void *context)
{
    note(space, squish, context);
    assert_int_equal(df_solid_move(space, 1, 3 * DF_SUB, 0), DF_QUEUED);
    assert_int_equal(df_solid_move(space, 1, 3 * DF_SUB, 0), DF_QUEUED);
    assert_int_equal(df_solid_move(space, 1, -2 * DF_SUB, 256), DF_QUEUED);
    return DF_SQUISH_DESTROY;
}

TEST(waiting_moves_run_in_order_if_they_still_can)
{
    struct stage stage;
    press(&stage, move_a_solid_twice);
    stage.solids[1].x = DF_COORDINATE_PX_MAX - 5;
    begin(&stage);
    assert_int_equal(df_solid_move(&stage.space, 0, 0, 6 * DF_SUB), DF_OK);
    assert_int_equal(stage.solids[1].x, DF_COORDINATE_PX_MAX - 5 + 3 - 2); // the second would have gone too far
    assert_int_equal(stage.solids[1].y, 1);
    assert_int_equal(stage.space.waiting_count, 0);
}

TEST(an_actor_has_one_carrier_per_tick)
{
    struct stage stage = {0};
    stage_solid(&stage, 0, 8, 4, 8);
    stage_solid(&stage, 4, 8, 4, 8);
    stage_actor(&stage, 0, 0, 8, 8);
    begin(&stage);
    df_solid_move(&stage.space, 1, 256, 0);
    df_solid_move(&stage.space, 0, 256, 0);
    assert_int_equal(stage.actors[0].x, 1);
    assert_int_equal(stage.actors[0].carrier, 2);
    df_tick_begin(&stage.space, 2);
    df_solid_move(&stage.space, 0, 256, 0);
    assert_int_equal(stage.actors[0].x, 2);
    assert_int_equal(stage.actors[0].carrier, 1);
}

TEST(a_move_far_away_frees_an_embedded_actor)
{
    struct stage stage = {0};
    stage_solid(&stage, 400, 400, 8, 8);
    stage_actor(&stage, 0, 0, 8, 8);
    stage.actors[0].flags |= DF_ACTOR_EMBEDDED; // and has been free since
    begin(&stage);
    df_solid_move(&stage.space, 0, 100, 0);
    assert_true((stage.actors[0].flags & DF_ACTOR_EMBEDDED) != 0); // no whole pixel: no move
    df_solid_move(&stage.space, 0, 100, 0);
    assert_true((stage.actors[0].flags & DF_ACTOR_EMBEDDED) == 0);
}
