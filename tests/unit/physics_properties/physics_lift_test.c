// SPDX-License-Identifier: MIT
//
// Tests lift, which the scenario language cannot express, in both implementations.
#include "implementation.h"
#include "test.h"

static const struct implementation *const IMPLEMENTATIONS[] = {&implementation_fast, &implementation_literal};

// A solid of 20 x 4 at (0, 10), and an actor of 8 x 8 standing on it at (4, 2).
struct load_stage {
    struct df_space space;
    struct df_solid solid;
    struct df_actor actor;
    uint64_t memory[1024];
};

static void set(struct load_stage *stage)
{
    *stage = (struct load_stage){.solid = {.x = 0, .y = 10, .w = 20, .h = 4, .flags = DF_SOLID_PRESENT},
                                 .actor = {.x = 4, .y = 2, .w = 8, .h = 8, .flags = DF_ACTOR_ALIVE}};
    stage->space = (struct df_space){
        .solids = &stage->solid, .solid_count = 1, .actors = &stage->actor, .actor_count = 1, .tick = 1};
    assert_int_equal(df_space_init(&stage->space, stage->memory, sizeof stage->memory), DF_OK);
}

static void assert_lift(struct load_stage *stage, const struct implementation *physics, int32_t x, int32_t y)
{
    int32_t lift_x, lift_y;
    physics->actor_lift(&stage->space, 0, &lift_x, &lift_y);
    assert_int_equal(lift_x, x);
    assert_int_equal(lift_y, y);
}

TEST(lift_is_the_amount_of_the_call_within_its_caps)
{
    static const struct {
        int32_t dx, dy, lift_x, lift_y;
    } rows[] = {
        /* 1 */ {300, 0, 300, 0},         // one pixel, but the amount counts
        /* 2 */ {-300, 0, -300, 0},       // the mirror image
        /* 3 */ {0, -300, 0, -300},       // pushed up
        /* 4 */ {0, 300, 0, 0},           // carried down: no downward part
        /* 5 */ {300, 300, 300, 0},       // nor beside a sideways part
        /* 6 */ {300, -300, 300, -300},   // both
        /* 7 */ {1067, -555, 1067, -555}, // exactly the caps
        /* 8 */ {1068, -556, 1067, -555}, // beyond them
        /* 9 */ {-5000, 0, -1067, 0},     // far beyond
        /* 10 */ {100, 100, 0, 0},        // no whole pixel: nobody is carried
        /* 11 */ {100, -300, 100, -300},  // only y has a pixel, but the lift still has x
    };
    for (size_t i = 0; i < 2 * sizeof rows / sizeof rows[0]; i++) {
        const struct implementation *physics = IMPLEMENTATIONS[i % 2];
        struct load_stage stage;
        set(&stage);
        physics->solid_move(&stage.space, 0, rows[i / 2].dx, rows[i / 2].dy);
        assert_lift(&stage, physics, rows[i / 2].lift_x, rows[i / 2].lift_y);
    }
}

TEST(lift_is_readable_for_ten_ticks)
{
    for (size_t i = 0; i < 2; i++) {
        const struct implementation *physics = IMPLEMENTATIONS[i];
        struct load_stage stage;
        set(&stage);
        assert_lift(&stage, physics, 0, 0);
        physics->solid_move(&stage.space, 0, 300, 0);
        physics->tick_begin(&stage.space, 11);
        assert_lift(&stage, physics, 300, 0);
        physics->tick_begin(&stage.space, 12);
        assert_lift(&stage, physics, 0, 0);
        physics->solid_move(&stage.space, 0, -400, 0);
        assert_lift(&stage, physics, -400, 0);
    }
}

TEST(pushed_actors_get_lift_and_bystanders_do_not)
{
    for (size_t i = 0; i < 2; i++) {
        const struct implementation *physics = IMPLEMENTATIONS[i];
        struct load_stage stage;
        set(&stage);
        stage.actor.x = 21;
        stage.actor.y = 8;
        df_actor_changed(&stage.space, 0);
        physics->solid_move(&stage.space, 0, 256, 0);
        assert_lift(&stage, physics, 0, 0);
        physics->solid_move(&stage.space, 0, 256, 0);
        assert_lift(&stage, physics, 256, 0);
        assert_int_equal(stage.actor.x, 22);
    }
}
