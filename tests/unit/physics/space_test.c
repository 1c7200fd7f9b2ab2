// SPDX-License-Identifier: MIT
// Tests the space and its memory.
#include "stage.h"

TEST(the_library_has_the_version_of_its_headers)
{
    assert_int_equal(df_version(), DF_VERSION);
    assert_true(df_version_matches());
}

TEST(too_little_memory_is_refused)
{
    struct stage stage = {0};
    stage_actor(&stage, 0, 0, 8, 8);
    stage.space.actors = stage.actors;
    size_t needed_bytes = df_index_bytes(&stage.space);
    assert_int_equal(df_space_init(&stage.space, stage.memory, needed_bytes - 1), DF_OUT_OF_RANGE);
    assert_int_equal(df_space_init(&stage.space, NULL, needed_bytes), DF_OUT_OF_RANGE);
    assert_int_equal(df_space_init(&stage.space, stage.memory, needed_bytes), DF_OK);
}

// A good space of 4 x 4 tiles with one body of each kind.
static struct stage good(enum df_outside outside)
{
    struct stage stage = {0};
    stage_tiles(&stage, 4, "................", outside);
    stage_solid(&stage, 0, 0, 8, 8);
    stage_actor(&stage, 0, 0, 8, 8);
    return stage;
}

static bool is_refused(struct stage *stage)
{
    static uint64_t memory[1 << 13];
    stage->space.tiles.kinds = stage->space.tiles.kinds ? stage->kinds : NULL;
    stage->space.actors = stage->actors;
    stage->space.solids = stage->solids;
    stage->space.balls = stage->balls;
    return df_space_init(&stage->space, memory, sizeof memory) == DF_OUT_OF_RANGE;
}

#define EXPECT(refused, outside, change)                                                                               \
    do {                                                                                                               \
        struct stage stage = good(outside);                                                                            \
        change;                                                                                                        \
        assert_int_equal(is_refused(&stage), refused);                                                                 \
    } while (0)
#define GOOD(change) EXPECT(false, DF_OUTSIDE_SOLID, change)
#define BAD(change)  EXPECT(true, DF_OUTSIDE_SOLID, change)

TEST(a_space_beyond_the_limits_is_refused)
{
    GOOD((void)0);
    BAD(stage.space.tiles.columns = 0);
    BAD(stage.space.tiles.rows = 0);
    BAD(stage.space.tiles.edge_px = 0);
    GOOD((stage.space.tiles.columns = stage.space.tiles.rows = stage.space.tiles.edge_px = 1));
    GOOD(stage.space.tiles.columns = DF_COORDINATE_PX_MAX / 8);
    BAD(stage.space.tiles.columns = DF_COORDINATE_PX_MAX / 8 + 1);
    GOOD(stage.space.tiles.rows = DF_COORDINATE_PX_MAX / 8);
    BAD(stage.space.tiles.rows = DF_COORDINATE_PX_MAX / 8 + 1);
    GOOD(stage.space.tiles.edge_px = DF_COORDINATE_PX_MAX / 4);
    BAD(stage.space.tiles.edge_px = DF_COORDINATE_PX_MAX / 4 + 1);
    GOOD((stage.space.tiles.columns = stage.space.tiles.rows = 1, stage.space.tiles.edge_px = DF_COORDINATE_PX_MAX));
    BAD((stage.space.tiles.columns = stage.space.tiles.rows = 1, stage.space.tiles.edge_px = DF_COORDINATE_PX_MAX + 1));
    GOOD((stage.space.tiles.kinds = NULL, stage.space.tiles.columns = 0));
    BAD(stage.space.solid_count = -1);
    BAD(stage.space.actor_count = -1);
    BAD(stage.space.ball_count = -1);
    GOOD(stage.space.solid_count = stage.space.actor_count = stage.space.ball_count = 0);
}

TEST(a_body_beyond_the_limits_is_refused)
{
    BAD(stage.actors[0].x = DF_COORDINATE_PX_MAX + 1);
    GOOD(stage.actors[0].x = DF_COORDINATE_PX_MAX);
    BAD((stage.actors[1].x = DF_COORDINATE_PX_MAX + 1, stage.actors[1].w = stage.actors[1].h = 1,
         stage.actors[1].flags = DF_ACTOR_ALIVE, stage.space.actor_count = 2));
    GOOD((stage.actors[0].x = DF_COORDINATE_PX_MAX + 1, stage.actors[0].flags = 0)); // dead
    BAD(stage.actors[0].h = 0);
    BAD(stage.solids[0].w = 0);
    BAD(stage.solids[0].y = -DF_COORDINATE_PX_MAX - 1);
    BAD((stage.solids[1] = (struct df_solid){.flags = DF_SOLID_PRESENT}, stage.space.solid_count = 2));
    GOOD((stage.solids[0].w = 0, stage.solids[0].flags = 0)); // absent
    GOOD((stage.solids[0].w = stage.solids[0].h = 32));
    GOOD((stage.space.tiles.kinds = NULL, stage.space.tiles.outside = DF_OUTSIDE_WRAP, stage.solids[0].w = 32));
    EXPECT(false, DF_OUTSIDE_WRAP, (stage.solids[0].w = stage.solids[0].h = 31)); // smaller than the world
    EXPECT(true, DF_OUTSIDE_WRAP, stage.solids[0].w = 32);
    EXPECT(true, DF_OUTSIDE_WRAP, stage.solids[0].h = 32);
    EXPECT(true, DF_OUTSIDE_WRAP, stage.actors[0].w = 32);
    EXPECT(true, DF_OUTSIDE_WRAP, stage.actors[0].h = 32);
}

TEST(an_index_has_a_size_for_any_allowed_count)
{
    struct df_space space = {0};
    int32_t *const counts[] = {&space.solid_count, &space.actor_count, &space.ball_count};
    assert_true(df_index_bytes(&space) > 0);
    for (size_t i = 0; i < COUNT_OF(counts); i++) {
        *counts[i] = DF_COORDINATE_PX_MAX;
        assert_true(df_index_bytes(&space) > DF_COORDINATE_PX_MAX / 8);
        *counts[i] = DF_COORDINATE_PX_MAX + 1;
        assert_int_equal(df_index_bytes(&space), 0);
        *counts[i] = 0;
    }
}

TEST(a_space_begins_without_moves)
{
    struct df_squish squish = {.actor = 0, .direction_x = 1};
    struct stage stage = {0};
    stage_solid(&stage, 0, 0, 8, 8);
    stage.space.moving = true;
    stage.space.waiting_count = DF_QUEUE_CAPACITY;
    stage.space.squishing = &squish;
    stage_begin(&stage);
    assert_null(stage.space.squishing);
    assert_int_equal(stage.space.waiting_count, 0);
    assert_int_equal(df_solid_move(&stage.space, 0, DF_SUB, 0), DF_OK);
    assert_int_equal(stage.solids[0].x, 1);
}

TEST(a_restored_world_continues_unchanged)
{
    struct stage stage = {0};
    stage_solid(&stage, 0, 40, 64, 8);
    stage_solid(&stage, 500, 0, 8, 48);
    stage_actor(&stage, 10, 29, 8, 11);
    stage_begin(&stage);
    struct df_solid solids[80];
    struct df_actor actors[4];
    memcpy(solids, stage.solids, sizeof solids);
    memcpy(actors, stage.actors, sizeof actors);
    df_solid_move(&stage.space, 0, 480 * DF_SUB, 0);
    int32_t first_x = stage.actors[0].x;
    assert_int_equal(first_x, 490);
    memcpy(stage.solids, solids, sizeof solids);
    memcpy(stage.actors, actors, sizeof actors);
    df_space_refresh(&stage.space);
    df_solid_move(&stage.space, 0, 480 * DF_SUB, 0);
    assert_int_equal(stage.actors[0].x, first_x);
}

TEST(df_space_changed_finds_a_body_at_its_new_position)
{
    struct stage stage = {0};
    stage_solid(&stage, 0, 40, 8, 8);
    stage_actor(&stage, 1000, 1000, 8, 8);
    stage_begin(&stage);
    stage.solids[0].x = 1012;
    stage.solids[0].y = 1000;
    df_solid_changed(&stage.space, 0);
    assert_int_equal(df_actor_probe(&stage.space, 0, 8, 0).left_px, 4);
    stage.solids[0].flags = 0;
    df_solid_changed(&stage.space, 0);
    assert_int_equal(df_actor_probe(&stage.space, 0, 8, 0).kind, DF_HIT_NONE);
    stage.solids[0].flags = DF_SOLID_PRESENT;
    df_solid_changed(&stage.space, 0);
    stage.actors[0].x = 1005;
    stage.actors[0].y = 900;
    df_actor_changed(&stage.space, 0);
    df_solid_move(&stage.space, 0, 0, -95 * DF_SUB);
    assert_int_equal(stage.actors[0].y, 1000 - 95 - 8);
}

TEST(without_a_living_body_nothing_is_near)
{
    struct stage stage = {0};
    stage_begin(&stage);
    assert_false(df_space_blocked(&stage.space, (struct df_box){0, 0, 8, 8}));
    assert_true(
        df_space_blocked(&stage.space, (struct df_box){DF_COORDINATE_PX_MAX + 1, 0, 8, 8})); // beyond the limits
    assert_int_equal(df_solid_move(&stage.space, 0, 0, 0), DF_OUT_OF_RANGE);
}
