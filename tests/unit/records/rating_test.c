// SPDX-License-Identifier: MIT
//
// Compares ratings with values calculated by hand. A match of n players is n - 1 games for each, worth
// RATING_STEP / (n - 1); 400 points more make a win ten times as likely, so the expectations are 1/11, 1/2 and 10/11.
#include "records/rating.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

static void check(struct rating_player *players, uint32_t count, const double *changes)
{
    for (uint32_t i = 0; i < count; i++)
        players[i].change = 1e9; // from an earlier match
    rating_match(players, count);
    for (uint32_t i = 0; i < count; i++)
        if (fabs(players[i].change - changes[i]) > 1e-9)
            fail_msg("player %u: %.9f instead of %.9f", i, players[i].change, changes[i]);
}

static void two_players_play_for_32_points(void **state)
{
    (void)state;
    static const struct {
        double ratings[2];
        int32_t standings[2];
        double change; // of the first; the second's is the opposite
    } rows[] = {
        /* 0 */ {{1500, 1500}, {2, 1}, 16},
        /* 1 */ {{1500, 1500}, {1, 2}, -16},
        /* 2 */ {{1500, 1500}, {1, 1}, 0},
        /* 3 */ {{1900, 1500}, {2, 1}, 32.0 / 11},
        /* 4 */ {{1900, 1500}, {1, 2}, -320.0 / 11},
        /* 5 */ {{1900, 1500}, {1, 1}, -32 * (10.0 / 11 - 0.5)},
        /* 6 */ {{1100, 1500}, {-3, -4}, 320.0 / 11},
        /* 7 */ {{1500, 1500}, {INT32_MIN, INT32_MIN}, 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct rating_player players[2] = {{.rating = rows[i].ratings[0], .standing = rows[i].standings[0]},
                                           {.rating = rows[i].ratings[1], .standing = rows[i].standings[1]}};
        check(players, 2, (double[]){rows[i].change, -rows[i].change});
    }
}

static void in_a_match_of_three_each_plays_two(void **state)
{
    (void)state;
    struct rating_player players[3] = {
        {.rating = 1500, .standing = 3}, {.rating = 1500, .standing = 2}, {.rating = 1900, .standing = 1}};
    check(players, 3, (double[]){8 + 160.0 / 11, -8 + 160.0 / 11, -320.0 / 11});
}

static void team_mates_do_not_play_each_other(void **state)
{
    (void)state;
    struct rating_player players[3] = {{.rating = 1500, .team = 1, .standing = 9},
                                       {.rating = 1500, .team = 1, .standing = 1},
                                       {.rating = 1500, .team = 2, .standing = 5}};
    check(players, 3, (double[]){8, -8, 0});
    struct rating_player alone[2] = {{.rating = 1500, .standing = 2}, {.rating = 1500, .standing = 1}};
    check(alone, 2, (double[]){16, -16}); // team 0 is no team
}

static void without_opponents_nothing_changes(void **state)
{
    (void)state;
    struct rating_player player = {.rating = 1700, .standing = 5};
    check(&player, 1, (double[]){0});
    rating_match(NULL, 0);
}

int main(void)
{
    struct CMUnitTest tests[] = {
        cmocka_unit_test(two_players_play_for_32_points),
        cmocka_unit_test(in_a_match_of_three_each_plays_two),
        cmocka_unit_test(team_mates_do_not_play_each_other),
        cmocka_unit_test(without_opponents_nothing_changes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
