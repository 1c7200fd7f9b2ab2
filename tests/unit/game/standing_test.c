// SPDX-License-Identifier: MIT
// Tests awards: which player gets which, and with what value.
#include "game/rules/standing.h"
#include "test.h"

static struct world world;

TEST(an_award_goes_to_the_player_who_did_most)
{
    static const struct {
        struct player players[3];
        enum award_kind kind;
        uint32_t slot, value;
    } rows[] = {
        /* 1 */ {{{.stats.kills = 1}, {.stats.kills = 3}, {.stats.kills = 2}}, AWARD_KILLS, 1, 3},
        /* 2 */ {{{.stats.squishes = 2}, {.stats.squishes = 1}, {0}}, AWARD_SQUISHES, 0, 2},
        /* 3 */ {{{0}, {0}, {.stats.catches = 1}}, AWARD_CATCHES, 2, 1},
        /* 4 */
        {{{.stats = {.shots = 4, .hits = 4}}, {.stats = {.shots = 10, .hits = 5}}, {.stats = {.shots = 9, .hits = 3}}},
         AWARD_ACCURACY,
         1,
         50},
        /* 5 */ {{{.stats = {.shots = 5, .hits = 6}}, {0}, {0}}, AWARD_ACCURACY, 0, 100}, // a bomb can hit several
                                                                                          // players
        /* 6 */ {{{.stats.catches = 2}, {.stats.catches = 2, .score = 1}, {0}}, AWARD_CATCHES, 1, 2},
        /* 7 */ {{{.stats.catches = 2}, {.stats.catches = 2}, {0}}, AWARD_CATCHES, 0, 2},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct award awards[AWARD_KINDS];
        world.player_slots = 3;
        for (uint32_t slot = 0; slot < 3; slot++) {
            world.players[slot] = rows[i].players[slot];
            world.players[slot].state = PLAYER_ALIVE;
        }
        assert_int_equal(standing_awards(&world, awards), 1);
        assert_int_equal(awards[0].kind, rows[i].kind);
        assert_int_equal(awards[0].slot, rows[i].slot);
        assert_int_equal(awards[0].value, rows[i].value);
    }
}

TEST(a_player_who_left_gets_no_award)
{
    struct award awards[AWARD_KINDS];
    world = (struct world){.player_slots = 2};
    world.players[0] = (struct player){.state = PLAYER_ABSENT, .stats.kills = 9};
    world.players[1] = (struct player){.state = PLAYER_DEAD, .stats.kills = 1};
    assert_int_equal(standing_awards(&world, awards), 1);
    assert_int_equal(awards[0].slot, 1);
}

TEST(a_player_who_hardly_hits_gets_no_award_for_aim)
{
    struct award awards[AWARD_KINDS];
    world = (struct world){.player_slots = 1};
    world.players[0] = (struct player){.state = PLAYER_ALIVE, .stats = {.shots = 50, .hits = 4}};
    assert_int_equal(standing_awards(&world, awards), 0);
    world.players[0].stats.hits = 5;
    assert_int_equal(standing_awards(&world, awards), 1);
    assert_int_equal(awards[0].value, 10);
}

TEST(a_player_who_did_nothing_gets_no_award)
{
    struct award awards[AWARD_KINDS];
    world = (struct world){.player_slots = 2};
    assert_int_equal(standing_awards(&world, awards), 0);
}

TEST(the_oddity_is_the_largest_number_for_its_kind)
{
    static const struct {
        struct player players[3];
        enum award_oddity_kind kind;
        uint32_t slot, value;
    } rows[] = {
        /* 0 */ {{{.stats.own_kills = 1}, {.stats.own_kills = 2}, {.stats.jumps = 150}}, ODDITY_OWN_KILLS, 1, 2},
        /* 1 */ {{{.stats.own_kills = 1}, {.stats.jumps = 301}, {.stats.wall_shots = 36}}, ODDITY_JUMPS, 1, 301},
        /* 2 */ {{{.stats.jumps = 300}, {.stats.jumps = 250}, {.stats.wall_shots = 36}}, ODDITY_WALL_SHOTS, 2, 36},
        /* 3 */ {{{0}, {.stats.fallen_px = 8008}, {.stats.own_kills = 1}}, ODDITY_FALL, 1, 1001},
        /* 4 */ {{{.stats.own_kills = 1}, {.stats.own_kills = 1}, {0}}, ODDITY_OWN_KILLS, 0, 1},
        /* 5 */ {{{.stats.jumps = 99}, {.stats.wall_shots = 11}, {.stats.fallen_px = 3999}}, ODDITY_NONE, 0, 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        world = (struct world){.player_slots = 3};
        for (uint32_t slot = 0; slot < 3; slot++) {
            world.players[slot] = rows[i].players[slot];
            world.players[slot].state = PLAYER_DEAD;
        }
        struct award_oddity found = standing_oddity(&world);
        if (found.kind != rows[i].kind || found.slot != rows[i].slot || found.value != rows[i].value)
            fail_msg("row %zu: kind %d, slot %u, value %u", i, (int)found.kind, found.slot, found.value);
        world.players[rows[i].slot].state = PLAYER_ABSENT; // who left is not laughed at
        assert_true(rows[i].kind == ODDITY_NONE || standing_oddity(&world).slot != rows[i].slot);
    }
}
