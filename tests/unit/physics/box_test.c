// SPDX-License-Identifier: MIT
// Tests the arithmetic that all rounding uses.
#include "stage.h"

TEST(an_amount_rounds_to_the_nearest_pixel_and_ties_outward)
{
    static const struct {
        int32_t sub, px;
    } rows[] = {
        /* 1 */ {0, 0},
        /* 2 */ {127, 0},
        /* 3 */ {128, 1},
        /* 4 */ {-127, 0},
        /* 5 */ {-128, -1}, // floor(x + 1/2) would give 0 and favour the right
        /* 6 */ {383, 1},
        /* 7 */ {384, 2},
        /* 8 */ {-384, -2},
        /* 9 */ {DF_AMOUNT_SUB_MAX + 128, 16385},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++)
        assert_int_equal(df_round_px(rows[i].sub), rows[i].px);
}

TEST(a_coordinate_divides_toward_minus_infinity)
{
    static const struct {
        int32_t value, divisor, quotient;
    } rows[] = {
        /* 1 */ {-35, 40, -1},
        /* 2 */ {35, 40, 0},
        /* 3 */ {-40, 40, -1},
        /* 4 */ {-41, 40, -2},
        /* 5 */ {79, 8, 9},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++)
        assert_int_equal(df_floor_div(rows[i].value, rows[i].divisor), rows[i].quotient);
}

TEST(boxes_that_share_an_edge_do_not_overlap)
{
    struct df_box box = {0, 0, 8, 8};
    assert_false(df_box_overlaps(box, (struct df_box){8, 0, 8, 8}));
    assert_false(df_box_overlaps(box, (struct df_box){0, -8, 8, 8}));
    assert_true(df_box_overlaps(box, (struct df_box){7, 7, 1, 1}));
    assert_true(df_box_overlaps(box, (struct df_box){-9, -9, 10, 10}));
}
