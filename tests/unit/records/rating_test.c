// SPDX-License-Identifier: MIT
//
// Judges ratings by three means: values of OpenSkill itself, what must hold for leavers and teams, and simulated
// players with known true strengths.
#include "records/rating.h"
#include "test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define POINTS 30.0 // for one of OpenSkill's

// From openskill 5.0.1 of npm, plackettLuce with its standards: rate(teams, {rank}). Two numbers for each player.
static const struct {
    uint32_t count;
    uint32_t teams[6];
    int32_t ranks[6];
    double before[6][2], after[6][2];
} REFERENCE[] = {
#define NEW                                                                                                            \
    {                                                                                                                  \
        25, 25.0 / 3                                                                                                   \
    }
    /* 0: two alone */
    {2, {0, 0}, {1, 2}, {NEW, NEW}, {{27.635389493140497, 8.06590141354368}, {22.364610506859503, 8.06590141354368}}},
    /* 1: three */
    {3,
     {0, 0, 0},
     {1, 2, 3},
     {NEW, NEW, NEW},
     {{27.869048680749426, 8.205243377397993},
      {25.717262170187357, 8.058224222802378},
      {21.413689149063217, 8.058224222802378}}},
    /* 2: five */
    {5,
     {0, 0, 0, 0, 0},
     {1, 2, 3, 4, 5},
     {NEW, NEW, NEW, NEW, NEW},
     {{27.66682666240021, 8.290970108063354},
      {26.833443330400147, 8.240554815393708},
      {25.722265554400057, 8.180401026155035},
      {24.055498890399925, 8.112194856654364},
      {20.72196556239966, 8.112194856654364}}},
    /* 3: two share the second place */
    {3,
     {0, 0, 0},
     {1, 2, 2},
     {NEW, NEW, NEW},
     {{27.869048680749426, 8.205243377397993},
      {23.565475659625285, 8.058224222802378},
      {23.565475659625285, 8.058224222802378}}},
    /* 4: a draw of unequal players */
    {2,
     {0, 0},
     {1, 1},
     {{30, 4}, {20, 6}},
     {{29.57838111904535, 3.9706488720194377}, {20.948413838503193, 5.846261456082412}}},
    /* 5: two teams */
    {4,
     {1, 1, 2, 2},
     {1, 1, 2, 2},
     {NEW, {32.444, 5.123}, {43.381, 2.421}, {25.188, 6.211}},
     {{28.66965004054765, 8.0719347727684},
      {33.83109857241283, 5.063435158133771},
      {43.07093871398889, 2.4181164038116054},
      {23.149339322397246, 6.1384039696376735}}},
    /* 6: one against two against three; the first two are one side each */
    {6,
     {0, 1, 1, 2, 2, 2},
     {1, 2, 2, 3, 3, 3},
     {NEW, NEW, NEW, NEW, NEW, NEW},
     {{27.98242554490295, 8.318221569956423},
      {26.724277243729713, 8.21346376041861},
      {26.724277243729713, 8.21346376041861},
      {20.29329721136734, 8.171929968920235},
      {20.29329721136734, 8.171929968920235},
      {20.29329721136734, 8.171929968920235}}},
    /* 7: four of all kinds, not in the order of their places */
    {4,
     {0, 0, 0, 0},
     {2, 1, 3, 3},
     {{31, 1.5}, {22, 5}, {27, 3}, NEW},
     {{31.039531956361007, 1.5017961799990023},
      {23.557229452451583, 4.981111737090523},
      {26.58792037597477, 2.9896981393781026},
      {22.636134817938114, 7.665639807533018}}},
    /* 8: the weak one wins */
    {2,
     {0, 0},
     {2, 1},
     {{50, 1}, {10, 8}},
     {{49.900976543311465, 1.0034572705798237}, {16.29447724343596, 7.964211985560039}}},
};

static bool is_near(double one, double other)
{
    return fabs(one - other) < 1e-9;
}

static struct rating scaled(const double figures[2])
{
    return (struct rating){RATING_ZERO + POINTS * figures[0], POINTS * figures[1]};
}

TEST(ratings_are_those_of_openskill)
{
    for (size_t row = 0; row < sizeof REFERENCE / sizeof *REFERENCE; row++) {
        struct rating_player players[6] = {{.team = 0}};
        for (uint32_t i = 0; i < REFERENCE[row].count; i++)
            players[i] = (struct rating_player){.rating = scaled(REFERENCE[row].before[i]),
                                                .team = REFERENCE[row].teams[i],
                                                .standing = -REFERENCE[row].ranks[i]};
        rating_match(players, REFERENCE[row].count);
        for (uint32_t i = 0; i < REFERENCE[row].count; i++) {
            struct rating wanted = scaled(REFERENCE[row].after[i]), got = players[i].rating;
            if (!is_near(got.mean, wanted.mean) || !is_near(got.deviation, wanted.deviation))
                fail_msg("row %zu, player %u: %.12f, %.12f instead of %.12f, %.12f", row, i, got.mean, got.deviation,
                         wanted.mean, wanted.deviation);
        }
    }
}

// Down to the last bit on every machine: no libm, no fused operations.
TEST(ratings_are_the_same_everywhere)
{
    struct rating_player players[3] = {{.rating = {1723.25, 81.5}, .standing = 4},
                                       {.rating = {1311, 244.125}, .standing = 9},
                                       {.rating = {1502.5, 33}, .standing = -2}};
    for (int i = 0; i < 50; i++)
        rating_match(players, 3);
    static const double BITS[3][2] = {{0x1.ca45233bd59fdp+10, 0x1.2030ed4f743fbp+6},
                                      {0x1.3be16b9c97921p+11, 0x1.f2921cb042427p+6},
                                      {0x1.66af75b9e8ad5p+10, 0x1.287049c98f864p+5}};
    for (uint32_t i = 0; i < 3; i++)
        if (players[i].rating.mean != BITS[i][0] || players[i].rating.deviation != BITS[i][1])
            fail_msg("player %u: %a, %a", i, players[i].rating.mean, players[i].rating.deviation);
}

static struct rating_player newcomer(uint32_t team, int32_t standing, bool left)
{
    return (struct rating_player){.rating = RATING_INITIAL, .team = team, .standing = standing, .left = left};
}

TEST(leavers_alone_come_last_and_level)
{
    struct rating_player left[3] = {newcomer(0, 50, true), newcomer(0, -3, false), newcomer(0, 0, true)};
    struct rating_player lost[3] = {newcomer(0, 1, false), newcomer(0, 2, false), newcomer(0, 1, false)};
    rating_match(left, 3);
    rating_match(lost, 3);
    assert_memory_equal(&left[0].rating, &lost[0].rating, sizeof(struct rating));
    assert_memory_equal(&left[1].rating, &lost[1].rating, sizeof(struct rating));
    assert_memory_equal(&left[2].rating, &lost[2].rating, sizeof(struct rating));
}

// Of a team that wins: to leave is to lose. The others are rated without them.
TEST(who_leaves_a_team_loses_even_if_it_wins)
{
    struct rating_player match[4] = {newcomer(1, 5, false), newcomer(1, 5, true), newcomer(2, 3, false),
                                     newcomer(2, 3, false)};
    struct rating_player three[3] = {newcomer(1, 5, false), newcomer(2, 3, false), newcomer(2, 3, false)};
    struct rating_player lost[4] = {newcomer(1, 2, false), newcomer(1, 2, false), newcomer(2, 3, false),
                                    newcomer(2, 3, false)};
    rating_match(match, 4);
    rating_match(three, 3);
    rating_match(lost, 4);
    assert_memory_equal(&match[0].rating, &three[0].rating, sizeof(struct rating));
    assert_memory_equal(&match[1].rating, &lost[1].rating, sizeof(struct rating));
    assert_memory_equal(&match[2].rating, &three[1].rating, sizeof(struct rating));
    assert_memory_equal(&match[3].rating, &three[2].rating, sizeof(struct rating));
    assert_true(match[0].rating.mean > RATING_START && match[1].rating.mean < RATING_START);
}

TEST(a_team_that_all_have_left_comes_last)
{
    struct rating_player left[3] = {newcomer(1, 1, false), newcomer(2, 9, true), newcomer(2, 9, true)};
    struct rating_player lost[3] = {newcomer(1, 1, false), newcomer(2, 0, false), newcomer(2, 0, false)};
    rating_match(left, 3);
    rating_match(lost, 3);
    for (uint32_t i = 0; i < 3; i++)
        assert_memory_equal(&left[i].rating, &lost[i].rating, sizeof(struct rating));
}

TEST(without_opponents_nothing_changes)
{
    struct rating_player alone = {.rating = {1700, 90}, .standing = 5};
    struct rating_player mates[3] = {newcomer(1, 4, false), newcomer(1, 4, false), newcomer(1, 4, true)};
    rating_match(&alone, 1);
    assert_true(alone.rating.mean == 1700 && alone.rating.deviation == 90);
    rating_match(mates, 2);
    assert_true(mates[0].rating.mean == RATING_START && mates[1].rating.deviation == RATING_START_DEVIATION);
    rating_match(NULL, 0);
}

// Ratings from elsewhere, whatever they are, lead to ratings.
TEST(what_is_no_rating_becomes_one)
{
    static const struct {
        struct rating given;
        double deviation_min;
        struct rating taken;
    } rows[] = {
        /* 0 */ {{1600, 80}, 0, {1600, 80}},
        /* 1 */ {{1600, 80}, 100, {1600, 100}},
        /* 2 */ {{1600, -5}, 0, {1600, 1}},
        /* 3 */ {{1e300, 1e300}, 0, {10000, 250}},
        /* 4 */ {{-1e300, 0}, 0, {-10000, 1}},
        /* 5 */ {{NAN, 80}, 0, RATING_INITIAL},
        /* 6 */ {{1600, NAN}, 0, RATING_INITIAL},
        /* 7 */ {{INFINITY, 80}, 0, RATING_INITIAL},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct rating got = rating_clamp(rows[i].given, rows[i].deviation_min);
        if (got.mean != rows[i].taken.mean || got.deviation != rows[i].taken.deviation)
            fail_msg("row %zu: %g, %g", i, got.mean, got.deviation);
    }
    struct rating_player far[3] = {{.rating = {10000, 1}, .standing = 1},
                                   {.rating = {-10000, 1}, .standing = 3},
                                   {.rating = {-10000, 250}, .standing = 2}};
    rating_match(far, 3);
    for (uint32_t i = 0; i < 3; i++)
        assert_true(isfinite(far[i].rating.mean) && far[i].rating.deviation > 0);
}

static uint64_t dice = 1;

// 0 to 1.
static double roll(void)
{
    dice = dice * 6364136223846793005u + 1442695040888963407u;
    return (double)(dice >> 11) / (double)(1ull << 53);
}

// Of a normal distribution: mean 0, deviation 1.
static double normal_roll(void)
{
    return sqrt(-2 * log(1 - roll())) * cos(6.283185307179586 * roll());
}

#define PEOPLE 24

struct person {
    double strength; // true
    struct rating rating;
};

// People play, eight at a time, with a strength that differs by RATING_BETA from match to match. One of fifty leaves.
static void play(struct person *people, uint32_t matches, uint32_t teams)
{
    for (; matches > 0; matches--) {
        struct rating_player players[8];
        uint32_t chosen[PEOPLE];
        double shown[8], of_team[3] = {0, 0, 0};
        for (uint32_t i = 0; i < PEOPLE; i++)
            chosen[i] = i;
        for (uint32_t i = 0; i < 8; i++) {
            uint32_t other = i + (uint32_t)(roll() * (PEOPLE - i)), kept = chosen[i];
            chosen[i] = chosen[other], chosen[other] = kept;
            shown[i] = people[chosen[i]].strength + RATING_BETA * normal_roll();
            players[i] = (struct rating_player){
                .rating = people[chosen[i]].rating, .team = teams > 0 ? 1 + i % teams : 0, .left = roll() < 0.02};
            of_team[players[i].team] += shown[i];
        }
        for (uint32_t i = 0; i < 8; i++)
            players[i].standing = (int32_t)(teams > 0 ? of_team[players[i].team] : shown[i]);
        rating_match(players, 8);
        for (uint32_t i = 0; i < 8; i++)
            people[chosen[i]].rating = players[i].rating;
    }
}

// Returns how many pairs with true strengths that differ by a deviation of a match at least are in the right order, 0
// to 1.
static double right_order(const struct person *people)
{
    uint32_t right = 0, all = 0;
    for (uint32_t i = 0; i < PEOPLE; i++)
        for (uint32_t j = 0; j < PEOPLE; j++)
            if (people[i].strength >= people[j].strength + RATING_BETA) {
                all++;
                right += people[i].rating.mean > people[j].rating.mean;
            }
    return (double)right / all;
}

// True strengths are 1100 to 1900 points. The result of a team says less about each of its players.
TEST(simulated_players_find_their_order)
{
    static const struct {
        uint32_t teams, matches; // for each player, about
        double order_min, deviation_max;
    } rows[] = {
        /* 0 */ {0, 10, 0.93, 249},
        /* 1 */ {0, 100, 0.98, 180},
        /* 2 */ {2, 10, 0.7, 246},
        /* 3 */ {2, 100, 0.95, 170},
    };
    for (size_t row = 0; row < sizeof rows / sizeof *rows; row++) {
        struct person people[PEOPLE];
        double least_sure = 0;
        for (uint32_t i = 0; i < PEOPLE; i++)
            people[i] = (struct person){1100 + 800.0 * i / (PEOPLE - 1), RATING_INITIAL};
        assert_true(right_order(people) == 0);
        play(people, rows[row].matches * PEOPLE / 8, rows[row].teams);
        for (uint32_t i = 0; i < PEOPLE; i++)
            least_sure = fmax(least_sure, people[i].rating.deviation);
        if (right_order(people) < rows[row].order_min || least_sure > rows[row].deviation_max)
            fail_msg("row %zu: order %.3f, least sure by %.0f", row, right_order(people), least_sure);
    }
}
