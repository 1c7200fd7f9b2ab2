// SPDX-License-Identifier: MIT
// Tests variants: each changes what its help says and nothing else does, and they combine.
#include <string.h>

#include "game/variant.h"
#include "test.h"
#include "test_map.h"
#include "test_match.h"

static struct test_match match;

// Starts a match of these variants with slot 0 and 1 on the floor of a hall, at spawns.
static struct player *begin(uint32_t variants)
{
    test_match_draw(&match, TEST_MAP_HALL);
    test_match_start(&match);
    match.world.rules.variants = variants;
    struct player *player = test_match_put(&match, 0, 60, 64);
    test_match_put(&match, 1, 160, 64);
    test_match_step(&match, 1);
    return player;
}

static void press(uint32_t buttons)
{
    test_match_hold(&match, 0, 0);
    test_match_step(&match, 1);
    test_match_hold(&match, 0, buttons);
    test_match_step(&match, 1);
}

TEST(every_variant_has_a_name_that_finds_it)
{
    for (uint32_t i = 0; i < VARIANTS; i++) {
        assert_int_equal(variant_find(VARIANT_TABLE[i].name), i);
        assert_true(strlen(VARIANT_TABLE[i].title) > 0 && strlen(VARIANT_TABLE[i].help) > 0);
    }
    assert_int_equal(variant_find("none-of-them"), VARIANTS);
    assert_true(VARIANTS >= 12);
}

TEST(names_are_written_and_read_back)
{
    char names[VARIANT_NAMES_BYTES];
    for (uint32_t variants = 0; variants < 1u << VARIANTS; variants++) {
        uint32_t read = 0;
        variant_names(variants | 1u << VARIANTS, names);
        if (variant_change(&read, names) != (variants != 0) || read != variants)
            fail_msg("\"%s\" is %x", names, read);
    }
    assert_int_equal(strlen(names), 141); // of all
    variant_names(1u << VARIANT_ICE | 1u << VARIANT_BOMBS, names);
    assert_string_equal(names, "bombs,ice");
}

TEST(words_change_variants_and_a_wrong_one_changes_nothing)
{
    enum { BOMBS = 1u << VARIANT_BOMBS, ICE = 1u << VARIANT_ICE, WINGS = 1u << VARIANT_WINGS };
    static const struct {
        const char *words;
        uint32_t before, after;
        bool reads;
    } rows[] = {
        /*  0 */ {"ice", BOMBS, BOMBS | ICE, true},
        /*  1 */ {"-ice", BOMBS | ICE, BOMBS, true},
        /*  2 */ {"-ice", BOMBS, BOMBS, true},
        /*  3 */ {"none", BOMBS | ICE, 0, true},
        /*  4 */ {"none, wings  ice,", BOMBS, ICE | WINGS, true},
        /*  5 */ {"ice+none", BOMBS, 0, true},
        /*  6 */ {" ice -bombs", BOMBS, ICE, true},
        /*  7 */ {"", BOMBS, BOMBS, false},
        /*  8 */ {" , ", BOMBS, BOMBS, false},
        /*  9 */ {"ice lava", BOMBS, BOMBS, false},
        /* 10 */ {"ic", BOMBS, BOMBS, false},
        /* 11 */ {"ices", BOMBS, BOMBS, false},
        /* 12 */ {"-", BOMBS, BOMBS, false},
        /* 13 */ {"--ice", BOMBS, BOMBS, false},
        /* 14 */ {"-none", BOMBS, BOMBS, false},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        uint32_t variants = rows[i].before;
        if (variant_change(&variants, rows[i].words) != rows[i].reads || variants != rows[i].after)
            fail_msg("row %zu: %x", i, variants);
    }
}

TEST(without_variants_the_numbers_are_those_of_the_game)
{
    struct tuning own;
    assert_ptr_equal(variant_tuning(&(struct rules){0}, &own), &TUNING);
}

TEST(every_variant_changes_numbers_and_all_of_them_combine)
{
    struct tuning own, all;
    for (uint32_t i = 0; i < VARIANTS; i++) {
        assert_ptr_equal(variant_tuning(&(struct rules){.variants = 1u << i}, &own), &own);
        assert_memory_not_equal(&own, &TUNING, sizeof own);
    }
    variant_tuning(&(struct rules){.variants = (1u << VARIANTS) - 1}, &all);
    assert_int_equal(all.gravity, 32);
    assert_int_equal(all.run_max, 576);
    assert_int_equal(all.dashes, 0);
    assert_int_equal(all.arrow_kind, ARROW_BOMB); // bombs come after drills
    assert_int_equal(all.arrows_start, 0);
}

TEST(endless_arrows_cost_nothing)
{
    struct player *player = begin(1u << VARIANT_ENDLESS_ARROWS);
    player->arrows = 1;
    for (uint32_t i = 0; i < 5; i++) {
        press(BUTTON_SHOOT | BUTTON_UP);
        assert_int_equal(player->arrows, 1);
        test_match_step(&match, 20);
    }
    assert_int_equal(player->stats.shots, 5);
}

// Kills slot 0 and waits until they are there again.
static void die(struct player *player)
{
    match.world.actors[0].y = 1000;
    test_match_step(&match, 2);
    assert_int_equal(player->state, PLAYER_DEAD);
    for (uint32_t i = 0; i < 400 && player->state != PLAYER_ALIVE; i++)
        test_match_step(&match, 1);
    assert_int_equal(player->state, PLAYER_ALIVE);
}

TEST(a_spawn_has_what_the_variant_says)
{
    static const struct {
        uint32_t variants, arrows, bombs, drills, shield, dashes;
        bool wings;
    } rows[] = {
        /* 1 */ {0, 3, 0, 0, 0, 1, false},
        /* 2 */ {1u << VARIANT_ONE_ARROW, 1, 0, 0, 0, 1, false},
        /* 3 */ {1u << VARIANT_NO_ARROWS, 0, 0, 0, 0, 1, false},
        /* 4 */ {1u << VARIANT_BOMBS, 3, 3, 0, 0, 1, false},
        /* 5 */ {1u << VARIANT_DRILLS, 3, 0, 3, 0, 1, false},
        /* 6 */ {1u << VARIANT_SHIELDS, 3, 0, 0, 1, 1, false},
        /* 7 */ {1u << VARIANT_WINGS, 3, 0, 0, 0, 1, true},
        /* 8 */ {1u << VARIANT_NO_DASH, 3, 0, 0, 0, 0, false},
        /* 9 */ {1u << VARIANT_BOMBS | 1u << VARIANT_ONE_ARROW | 1u << VARIANT_SHIELDS, 1, 1, 0, 1, 1, false},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct player *player = begin(rows[i].variants);
        die(player);
        if (player->arrows != rows[i].arrows || player->bombs != rows[i].bombs || player->drills != rows[i].drills ||
            player->shield != rows[i].shield || player->dashes != rows[i].dashes ||
            (player->wings_until > match.world.tick) != rows[i].wings)
            fail_msg("row %zu", i + 1);
    }
}

TEST(bombs_come_again)
{
    struct player *player = begin(1u << VARIANT_BOMBS);
    player->arrows = player->bombs = 0;
    test_match_step(&match, 150);
    assert_int_equal(player->arrows, 1);
    assert_int_equal(player->bombs, 1);
}

TEST(nobody_dashes_without_dash)
{
    struct player *player = begin(1u << VARIANT_NO_DASH);
    test_match_step(&match, 2);
    press(BUTTON_DASH | BUTTON_RIGHT);
    assert_int_equal(player->dash_until, 0);
    begin(0);
    press(BUTTON_DASH | BUTTON_RIGHT);
    assert_true(player->dash_until > match.world.tick);
}

TEST(left_is_right_in_the_mirror)
{
    const struct player *player = begin(1u << VARIANT_MIRRORED);
    test_match_hold(&match, 0, BUTTON_LEFT);
    test_match_step(&match, 20);
    assert_int_equal(player->vx, TUNING.run_max);
    assert_int_equal(player->facing, 1);
}

// The highest a jump of slot 0 gets above the floor with jump held, px.
static int32_t jump_height(uint32_t variants)
{
    begin(variants);
    int32_t floor = test_match_body(&match, 0)->y, top = floor;
    press(BUTTON_JUMP);
    for (uint32_t i = 0; i < 120; i++) {
        test_match_step(&match, 1);
        top = test_match_body(&match, 0)->y < top ? test_match_body(&match, 0)->y : top;
    }
    return floor - top;
}

TEST(jumps_are_higher_where_a_variant_says_so)
{
    int32_t usual = jump_height(0);
    assert_true(jump_height(1u << VARIANT_LOW_GRAVITY) > usual);
    assert_true(jump_height(1u << VARIANT_HIGH_JUMPS) > usual);
}

// How far slot 0 runs to the right in half a second, and slides after that, px.
static void run(uint32_t variants, int32_t *ran, int32_t *slid)
{
    begin(variants);
    int32_t start = test_match_body(&match, 0)->x;
    test_match_hold(&match, 0, BUTTON_RIGHT);
    test_match_step(&match, 30);
    *ran = test_match_body(&match, 0)->x - start;
    test_match_hold(&match, 0, 0);
    test_match_step(&match, 30);
    *slid = test_match_body(&match, 0)->x - start - *ran;
}

TEST(the_fast_run_farther_and_who_stops_on_ice_slides)
{
    int32_t ran, slid, fast_ran, ice_slid, unused;
    run(0, &ran, &slid);
    run(1u << VARIANT_FAST, &fast_ran, &unused);
    run(1u << VARIANT_ICE, &unused, &ice_slid);
    assert_true(fast_ran > ran * 5 / 4);
    assert_true(ice_slid > slid + 10);
}

TEST(who_dies_leaves_a_bomb_that_takes_others_along)
{
    begin(1u << VARIANT_EXPLOSIVE_DEATH);
    const struct player *other = test_match_put(&match, 1, 80, 64);
    match.world.players[1].shield_until = match.world.players[0].shield_until = 0;
    match.world.actors[PLAYER_CAPACITY] =
        (struct df_actor){.x = 58, .y = 56, .w = 4, .h = 4, .ride = DF_RIDE_NEVER, .flags = DF_ACTOR_ALIVE};
    match.world.arrows[0] = (struct arrow){.state = ARROW_FLYING};
    match.world.arrow_slots = 1;
    for (uint32_t i = 0; i < 60 && other->state == PLAYER_ALIVE; i++)
        test_match_step(&match, 1);
    assert_int_equal(match.world.players[0].state, PLAYER_DEAD);
    assert_int_equal(other->state, PLAYER_DEAD);
    const struct event *kill = test_match_event(&match, EVENT_KILL);
    for (uint32_t i = 0; i < match.world.event_count; i++)
        if (match.world.events[i].kind == EVENT_KILL && match.world.events[i].subject == 1)
            kill = &match.world.events[i];
    assert_int_equal(kill->other, 0);
    assert_int_equal(kill->detail, DEATH_BOMB);
}

TEST(hasty_crushers_fall_after_half_the_warning)
{
    uint32_t ticks[2] = {0, 0};
    for (uint32_t i = 0; i < 2; i++) {
        test_match_draw(&match, TEST_MAP_HALL);
        test_map_crusher(&match.map, (struct df_box){100, 8, 32, 16}, 40);
        test_match_start(&match);
        match.world.rules.variants = i << VARIANT_HASTY_CRUSHERS;
        test_match_put(&match, 0, 112, 64);
        while (match.world.crushers[0].state != CRUSHER_FALLING && ticks[i] < 100) {
            test_match_step(&match, 1);
            ticks[i]++;
        }
    }
    assert_int_equal(ticks[0] - ticks[1], 10);
}
