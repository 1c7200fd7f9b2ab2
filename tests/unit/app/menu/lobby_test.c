// SPDX-License-Identifier: MIT
//
// Tests the lobby: who stands where, what presses choose, and when a match begins.
#include <stdlib.h>
#include <string.h>

#include "app/menu/lobby.h"
#include "test.h"

enum { FIRST = 1, SECOND, THIRD, FOURTH, FIFTH }; // devices

static struct lobby lobby;

static void begin(void)
{
    static const uint32_t hats[LOCAL_PLAYERS] = {HAT_TOP, HAT_NONE, HAT_CROWN, HAT_GOGGLES};
    memset(&lobby, 0, sizeof lobby);
    lobby_set_defaults(&lobby, (uint32_t[]){14, 15, 0, 1}, hats);
    lobby_open(&lobby);
}

EACH_TEST(begin, NULL);

static void press(uint32_t device, enum player_action action, uint32_t times)
{
    for (uint32_t i = 0; i < times; i++)
        assert_true(lobby_press(&lobby, device, action));
}

TEST(jump_makes_each_player_stand_at_the_next_free_place)
{
    assert_int_equal(lobby_count(&lobby), 0);
    for (int action = ACTION_LEFT; action <= ACTION_SHOOT; action++)
        if (action != ACTION_JUMP)
            assert_false(lobby_press(&lobby, FIRST, (enum player_action)action)); // the menu's
    assert_int_equal(lobby_count(&lobby), 0);
    press(THIRD, ACTION_JUMP, 1);
    press(FIRST, ACTION_JUMP, 1);
    press(SECOND, ACTION_JUMP, 1);
    press(FIFTH, ACTION_JUMP, 1);
    assert_true(lobby_press(&lobby, FOURTH, ACTION_JUMP)); // there is no place
    assert_int_equal(lobby_count(&lobby), 4);
    assert_int_equal(lobby_find(&lobby, THIRD), 0);
    assert_int_equal(lobby_find(&lobby, FIRST), 1);
    assert_int_equal(lobby_find(&lobby, FIFTH), 3);
    assert_int_equal(lobby_find(&lobby, FOURTH), LOCAL_PLAYERS);
    press(FIRST, ACTION_DASH, 1); // the others keep their places
    assert_int_equal(lobby_find(&lobby, FIRST), LOCAL_PLAYERS);
    assert_int_equal(lobby_find(&lobby, SECOND), 2);
    press(FOURTH, ACTION_JUMP, 1);
    assert_int_equal(lobby_find(&lobby, FOURTH), 1);
}

TEST(no_two_players_have_one_colour)
{
    press(FIRST, ACTION_JUMP, 1);
    press(SECOND, ACTION_JUMP, 1);
    press(THIRD, ACTION_JUMP, 1);
    assert_int_equal(lobby.players[0].colour, 14);
    assert_int_equal(lobby.players[1].colour, 15);
    assert_int_equal(lobby.players[2].colour, 0); // after the last comes the first
    press(FIRST, ACTION_RIGHT, 1);                // over the two others
    assert_int_equal(lobby.players[0].colour, 1);
    press(SECOND, ACTION_LEFT, 1);
    assert_int_equal(lobby.players[1].colour, 14);
    press(FIRST, ACTION_LEFT, 1);
    assert_int_equal(lobby.players[0].colour, 15);
    for (uint32_t i = 0; i < 400; i++) {
        lobby_press(&lobby, FIRST + i * 7 % 3, i * 5 % 4 < 2 ? ACTION_LEFT : ACTION_RIGHT);
        for (uint32_t a = 0; a < 3; a++)
            for (uint32_t b = 0; b < a; b++)
                assert_int_not_equal(lobby.players[a].colour, lobby.players[b].colour);
    }
    uint32_t taken = lobby.players[0].colour;
    press(FIRST, ACTION_DASH, 1);
    while (lobby.players[1].colour != taken) // free again
        press(SECOND, ACTION_RIGHT, 1);
    press(FIRST, ACTION_JUMP, 1); // and gone when the first comes back
    assert_int_not_equal(lobby.players[0].colour, taken);
}

TEST(up_and_down_choose_a_hat_until_ready)
{
    press(FIRST, ACTION_JUMP, 1);
    assert_int_equal(lobby.players[0].hat, HAT_TOP);
    press(FIRST, ACTION_DOWN, 1);
    assert_int_equal(lobby.players[0].hat, HAT_BOWLER);
    press(FIRST, ACTION_UP, 4);
    assert_int_equal(lobby.players[0].hat, HATS - 1);
    press(FIRST, ACTION_JUMP, 1);
    press(FIRST, ACTION_UP, 1);
    press(FIRST, ACTION_RIGHT, 1);
    assert_int_equal(lobby.players[0].hat, HATS - 1);
    assert_int_equal(lobby.players[0].colour, 14);
    press(FIRST, ACTION_DASH, 1); // not ready, but still there
    press(FIRST, ACTION_DOWN, 1);
    assert_int_equal(lobby.players[0].hat, HAT_NONE);
    assert_int_equal(lobby_count(&lobby), 1);
}

TEST(a_match_begins_a_moment_after_all_are_ready)
{
    uint64_t now_us = 1000000;
    assert_false(lobby_step(&lobby, now_us, false)); // nobody is there
    press(FIRST, ACTION_JUMP, 2);
    assert_false(lobby_step(&lobby, now_us, false));
    press(SECOND, ACTION_JUMP, 1); // somebody comes in time
    assert_false(lobby_step(&lobby, now_us += 2 * LOBBY_READY_US, false));
    press(SECOND, ACTION_JUMP, 1);
    assert_false(lobby_step(&lobby, now_us, false));
    assert_false(lobby_step(&lobby, now_us + LOBBY_READY_US - 1, false));
    assert_true(lobby_step(&lobby, now_us + LOBBY_READY_US, false));
    assert_false(lobby_step(&lobby, now_us + LOBBY_READY_US + 1, false)); // once
    assert_false(lobby_step(&lobby, now_us + 3 * LOBBY_READY_US, false));
}

TEST(who_is_alone_has_time_for_a_friend)
{
    press(FIRST, ACTION_JUMP, 2);
    assert_false(lobby_step(&lobby, 1, false));
    assert_false(lobby_step(&lobby, LOBBY_ALONE_US, false));
    press(SECOND, ACTION_JUMP, 1); // in the last moment
    assert_false(lobby_step(&lobby, 1 + LOBBY_ALONE_US, false));
    press(SECOND, ACTION_DASH, 1); // and leaves
    assert_false(lobby_step(&lobby, 2 + LOBBY_ALONE_US, false));
    assert_true(lobby_step(&lobby, 2 + 2 * LOBBY_ALONE_US, false));
}

TEST(start_begins_when_it_is_held_but_not_from_before)
{
    uint64_t now_us = 1000000;
    assert_false(lobby_step(&lobby, now_us, true)); // it opened the lobby
    press(FIRST, ACTION_JUMP, 1);
    assert_false(lobby_step(&lobby, now_us += 2 * LOBBY_HOLD_US, true));
    assert_false(lobby_step(&lobby, now_us, false));
    assert_false(lobby_step(&lobby, now_us, true));
    assert_false(lobby_step(&lobby, now_us + LOBBY_HOLD_US / 2, false)); // too short
    assert_false(lobby_step(&lobby, now_us += LOBBY_HOLD_US, true));
    assert_true(lobby_step(&lobby, now_us += LOBBY_HOLD_US, true));
    assert_false(lobby_step(&lobby, now_us += 3 * LOBBY_HOLD_US, true)); // once
    press(FIRST, ACTION_DASH, 1);
    assert_false(lobby_step(&lobby, now_us, false));
    assert_false(lobby_step(&lobby, now_us, true));
    assert_false(lobby_step(&lobby, now_us + 2 * LOBBY_HOLD_US, true)); // without anybody
}

TEST(nobody_is_ready_for_the_next_match)
{
    press(FIRST, ACTION_JUMP, 2);
    lobby_open(&lobby);
    assert_true(lobby.players[0].joined);
    assert_false(lobby.players[0].ready);
}

TEST(who_plays_can_change_their_look_and_a_lone_player_keeps_their_figure)
{
    lobby.playing = 1u << 1;
    press(SECOND, ACTION_JUMP, 1); // the second place plays
    assert_int_equal(lobby_find(&lobby, SECOND), 1);
    assert_true(lobby.players[1].ready);
    press(FIRST, ACTION_JUMP, 1);
    assert_int_equal(lobby_find(&lobby, FIRST), 0);
    press(SECOND, ACTION_DASH, 1);
    press(SECOND, ACTION_RIGHT, 1);
    press(SECOND, ACTION_DOWN, 1);
    assert_int_equal(lobby.players[1].colour, 0);
    assert_int_equal(lobby.players[1].hat, HAT_NONE + 1);
    press(SECOND, ACTION_JUMP, 1);
    lobby_open(&lobby);
    assert_true(lobby.players[1].ready);
    assert_false(lobby.players[0].ready);
    assert_false(lobby_step(&lobby, 1, false));
    press(FIRST, ACTION_DASH, 1);
    assert_false(lobby_step(&lobby, 2, false));
    assert_false(lobby_step(&lobby, 2 + 2 * LOBBY_READY_US, false)); // nobody new is ready
}

TEST(a_match_waits_for_an_unplugged_gamepad)
{
    press(FIRST, ACTION_JUMP, 2);
    press(SECOND, ACTION_JUMP, 2);
    assert_false(lobby_set_lost(&lobby, THIRD, true)); // nobody's
    assert_int_equal(lobby_find_lost(&lobby), LOCAL_PLAYERS);
    assert_true(lobby_set_lost(&lobby, SECOND, true));
    assert_false(lobby_set_lost(&lobby, SECOND, true)); // as before
    assert_int_equal(lobby_find_lost(&lobby), 1);
    assert_false(lobby_step(&lobby, 1, false));
    assert_false(lobby_step(&lobby, 1 + LOBBY_READY_US, false));
    assert_true(lobby_set_lost(&lobby, SECOND, false));
    assert_false(lobby_step(&lobby, 1 + LOBBY_READY_US, false));
    assert_true(lobby_step(&lobby, 1 + 2 * LOBBY_READY_US, false));
}

TEST(shoot_turns_to_team_and_handicap)
{
    press(FIRST, ACTION_JUMP, 1);
    press(FIRST, ACTION_SHOOT, 1);
    press(FIRST, ACTION_DOWN, 1);
    assert_int_equal(lobby.players[0].handicap, HANDICAP_SHIELD);
    press(FIRST, ACTION_RIGHT, 1); // without teams it goes on
    assert_int_equal(lobby.players[0].handicap, HANDICAP_ARROW);
    press(FIRST, ACTION_DOWN, 1);
    assert_int_equal(lobby.players[0].handicap, HANDICAP_NONE);
    press(FIRST, ACTION_UP, 1);
    assert_int_equal(lobby.players[0].handicap, HANDICAP_ARROW);
    lobby.has_teams = true;
    press(FIRST, ACTION_RIGHT, 1);
    assert_int_equal(lobby.players[0].team, TEAM_ONE);
    press(FIRST, ACTION_LEFT, 2);
    assert_int_equal(lobby.players[0].team, TEAM_TWO);
    assert_int_equal(lobby.players[0].handicap, HANDICAP_ARROW);
    assert_int_equal(lobby.players[0].colour, 14);
    assert_int_equal(lobby.players[0].hat, HAT_TOP);
    press(FIRST, ACTION_SHOOT, 1);
    press(FIRST, ACTION_RIGHT, 1);
    assert_int_equal(lobby.players[0].colour, 15);
    assert_int_equal(lobby.players[0].team, TEAM_TWO);
    press(FIRST, ACTION_JUMP, 1);
    lobby.playing = 1;
    press(FIRST, ACTION_RIGHT, 1); // the team can change in a match
    assert_int_equal(lobby.players[0].team, TEAM_AUTO);
    press(FIRST, ACTION_SHOOT, 1);
    press(FIRST, ACTION_DOWN, 1); // the handicap not
    assert_int_equal(lobby.players[0].handicap, HANDICAP_ARROW);
    assert_int_equal(lobby.players[0].colour, 15);
}

TEST(free_places_follow_the_preferences)
{
    static const uint32_t hats[LOCAL_PLAYERS] = {HAT_CONE, HAT_CONE, HAT_CONE, HAT_CONE};
    press(FIRST, ACTION_JUMP, 1);
    lobby_set_defaults(&lobby, (uint32_t[]){3, 4, 5, 6}, hats);
    assert_int_equal(lobby.players[0].colour, 14);
    assert_int_equal(lobby.players[0].hat, HAT_TOP);
    assert_int_equal(lobby.players[1].colour, 4);
    assert_int_equal(lobby.players[3].hat, HAT_CONE);
}
