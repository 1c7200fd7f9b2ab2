// SPDX-License-Identifier: MIT
//
// Tests how the app connects its local players: with which keys, passwords, names, colours and hats, through losses,
// and what it says about them.
#include <SDL.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app/menu/screens.h"
#include "app_session.h"
#include "looks/palette.h"
#include "match/match_state.h"
#include "sync/player_name.h"
#include "test.h"
#include "window/keyboard.h"

static void begin(const char *a, const char *b, const char *c, const char *d)
{
    const char *words[] = {a, b, c, d, NULL};
    app_session_begin(NULL, words);
}

// A player stands in the lobby and is ready, so they join the match.
static void join(uint32_t device)
{
    lobby_press(&shell->context.lobby, device, ACTION_JUMP);
    lobby_press(&shell->context.lobby, device, ACTION_JUMP);
    local_players_follow(&session.play->local);
}

ALL_TESTS(app_session_create, test_folder_remove);
EACH_TEST(NULL, app_session_end);

TEST(the_password_may_come_from_a_file)
{
    test_folder_write("password", "sesame\n");
    assert_int_equal(chmod(test_folder_path("password"), 0600), 0);
    app_session_begin("sesame",
                      (const char *const[]){"--connect", "SERVER", "--password-file", "FOLDER/password", NULL});
    app_session_start();
    app_session_pass(1);
    assert_true(local_players_is_playing(&session.play->local));
}

TEST(only_the_server_with_the_expected_key_is_joined)
{
    for (uint32_t right = 0; right < 2; right++) {
        begin("--connect", "SERVER", NULL, NULL);
        char fingerprint[FINGERPRINT_TEXT_BYTES];
        memcpy(fingerprint, session.fingerprint, sizeof fingerprint);
        if (!right)
            fingerprint[3] = fingerprint[3] == 'a' ? 'b' : 'a';
        snprintf(session.settings.connect, sizeof session.settings.connect, "127.0.0.1:%u#%s", session.port,
                 fingerprint);
        app_session_start();
        app_session_pass(1);
        assert_int_equal(local_players_is_playing(&session.play->local), right);
        assert_ptr_equal(app_session_screen(), right ? NULL : &SCREEN_ERROR);
        assert_int_equal(shell->context.menu.depth, right ? 0 : 2); // back leads to the title
        app_session_end();
    }
    assert_int_equal(access(test_folder_path("player.key"), R_OK), 0);
}

TEST(traffic_is_impaired_on_demand)
{
    begin("--connect", "SERVER", "--net", "loss=100%");
    app_session_start();
    app_session_pass(2);
    assert_false(local_players_is_playing(&session.play->local));
    assert_int_equal(roster_count(&session.match->roster, SEAT_PLAYER), 0);
}

TEST(a_connection_that_breaks_is_made_again)
{
    app_session_begin_match();
    app_session_silence_server(true);
    app_session_pass(12);
    assert_false(local_players_is_playing(&session.play->local));
    assert_false(local_players_has_ended(&session.play->local));
    app_session_silence_server(false);
    app_session_pass(12);
    assert_true(local_players_is_playing(&session.play->local));
    assert_int_equal(roster_count(&session.match->roster, SEAT_PLAYER), 1);
    local_players_wait(&session.play->local, shell->context.config->now_us()); // with the new one
    menu_command(&shell->context.menu, APP_COMMAND_LEAVE, NULL);
    shell_execute(shell);
    app_session_pass(0.5);
    assert_int_equal(roster_count(&session.match->roster, SEAT_PLAYER), 0);
}

TEST(a_key_that_cannot_be_read_is_an_error)
{
    assert_int_equal(remove(test_folder_path("player.key")), 0);
    assert_int_equal(mkdir(test_folder_path("player.key"), 0700), 0);
    begin("--connect", "SERVER", NULL, NULL);
    app_session_start();
    assert_ptr_equal(app_session_screen(), &SCREEN_ERROR);
    assert_true(shell->context.failed);
    assert_non_null(strstr(shell->context.menu.facts.failure, "player.key"));
    assert_null(local_players_client(&session.play->local));
    app_session_end();
    assert_int_equal(rmdir(test_folder_path("player.key")), 0);

    app_session_begin_match();
    app_session_silence_server(true);
    assert_int_equal(remove(test_folder_path("player.key")), 0);
    assert_int_equal(mkdir(test_folder_path("player.key"), 0700), 0);
    app_session_pass(20);
    assert_true(app_session_has_logged("player.key"));
    app_session_end();
    assert_int_equal(rmdir(test_folder_path("player.key")), 0);
}

TEST(players_are_recognised_by_name_colour_and_hat)
{
    app_session_begin_match();
    assert_int_equal(session.match->roster.seats[0].colour, 14); // of the name
    shell->context.profile.preferences.hats[1] = HAT_CROWN;
    join(DEVICE_KEYS);
    join(DEVICE_KEYS_SECOND);
    assert_string_equal(local_players_state_text(&session.play->local, 1), "joining");
    app_session_pass(1);
    const struct seat *second = &session.match->roster.seats[1];
    char name[PLAYER_NAME_BYTES + 1];
    player_name_to_text(second->name, name);
    assert_string_equal(name, "Ada 2");
    assert_int_equal(second->colour, 13); // far from the first one's
    assert_int_equal(second->hat, HAT_CROWN);
    assert_int_equal(session.match->roster.seats[0].hat, HAT_NONE);
    assert_int_equal(session.match->roster.seats[0].key.local, 0);
    assert_int_equal(second->key.local, 1);
    assert_int_equal(shell->context.lobby.players[2].colour, palette_farthest(0, 1u << 13 | 1u << 14));
    lobby_press(&shell->context.lobby, DEVICE_KEYS_SECOND, ACTION_DASH);
    lobby_press(&shell->context.lobby, DEVICE_KEYS_SECOND, ACTION_DASH);
    local_players_follow(&session.play->local);
    assert_string_equal(local_players_state_text(&session.play->local, 1), "");
    join(DEVICE_KEYS_SECOND); // comes back
    assert_string_equal(local_players_state_text(&session.play->local, 1), "joining");
}

TEST(a_look_that_changes_in_a_match_reaches_the_others)
{
    app_session_begin_match();
    join(DEVICE_KEYS);
    join(DEVICE_KEYS_SECOND);
    app_session_pass(1);
    session.match->world.players[1].score = 7;
    lobby_press(&shell->context.lobby, DEVICE_KEYS_SECOND, ACTION_DASH);
    lobby_press(&shell->context.lobby, DEVICE_KEYS_SECOND, ACTION_RIGHT);
    lobby_press(&shell->context.lobby, DEVICE_KEYS_SECOND, ACTION_DOWN);
    app_session_pass(1);
    assert_int_equal(session.match->roster.seats[1].colour, 13); // not while they choose
    join(DEVICE_KEYS_SECOND);
    app_session_pass(1);
    assert_int_equal(roster_count(&session.match->roster, SEAT_PLAYER), 2);
    assert_int_equal(session.match->roster.seats[1].colour, 15);
    assert_int_equal(session.match->roster.seats[1].hat, HAT_NONE + 1);
    assert_int_equal(session.match->world.players[1].score, 7);
    assert_int_equal(session.match->roster.seats[0].colour, 14);
}

TEST(a_handicap_reaches_the_world_where_the_server_allows_it)
{
    for (uint32_t allowed = 0; allowed < 2; allowed++) {
        app_session_begin_match();
        session.match->allows_help = allowed;
        join(DEVICE_KEYS);
        lobby_press(&shell->context.lobby, DEVICE_KEYS_SECOND, ACTION_JUMP);
        lobby_press(&shell->context.lobby, DEVICE_GAMEPAD, ACTION_JUMP);
        shell->context.lobby.players[1].handicap = HANDICAP_SHIELD;
        shell->context.lobby.players[2].handicap = HANDICAP_ARROW;
        join(DEVICE_KEYS_SECOND);
        join(DEVICE_GAMEPAD);
        app_session_pass(1);
        const struct player *players = session.match->world.players;
        assert_int_equal(players[0].handicap, HANDICAP_NONE);
        assert_int_equal(players[1].handicap, allowed ? HANDICAP_SHIELD : HANDICAP_NONE);
        assert_int_equal(players[1].shield, allowed);
        assert_int_equal(players[2].handicap, HANDICAP_ARROW); // which helps nobody but the others
        assert_int_equal(players[2].arrows, 1);
        app_session_end();
    }
}

TEST(each_local_player_is_drawn_where_the_one_prediction_has_them)
{
    static struct view view;
    begin("--connect", "SERVER", NULL, NULL);
    app_session_silence_server(true);
    app_session_start();
    assert_false(local_players_view(&session.play->local, shell->context.config->now_us(), &view)); // not yet
    app_session_silence_server(false);
    app_session_pass(1);
    join(DEVICE_KEYS);
    join(DEVICE_KEYS_SECOND);
    app_session_pass(1);
    struct client *client = local_players_client(&session.play->local);
    for (int i = 0; i < 60; i++) {
        app_session_pass(1.0 / 60);
        uint64_t now_us = shell->context.config->now_us();
        client_tick(client, &(struct local_inputs){{{0}, {BUTTON_RIGHT}}}, now_us);
        assert_true(local_players_view(&session.play->local, now_us, &view));
        assert_int_equal(client_world(client)->players[1].buttons, BUTTON_RIGHT); // at once, as the first one's own
        assert_int_equal(client_world(client)->players[0].buttons, 0);
        assert_true(view_is_own(&view, 0) && view_is_own(&view, 1) && !view_is_own(&view, 2));
    }
    assert_true(view_is_shared(&view));
    assert_int_equal(local_players_next_us(&session.play->local), client_next_tick_us(client));
}

TEST(the_picture_of_two_players_stays_while_the_server_restarts)
{
    static struct view view, held;
    app_session_begin_match();
    join(DEVICE_KEYS);
    join(DEVICE_KEYS_SECOND);
    app_session_pass(1);
    assert_true(local_players_view(&session.play->local, shell->context.config->now_us(), &view));
    match_announce_restart(session.match);
    for (uint32_t i = 0; i < MATCH_PEER_CAPACITY; i++) // the next server has none
        session.match->peers[i].state = PEER_FREE;
    session.match->peer_count = 0;
    app_session_silence_server(true);
    app_session_pass(0.1);
    for (int i = 0; i < 10; i++) {
        app_session_pass(0.02);
        view.event_count = 1;
        assert_true(local_players_view(&session.play->local, shell->context.config->now_us(), &view));
        held = i == 0 ? view : held;
        assert_memory_equal(&view, &held, sizeof held);
        assert_int_equal(view.event_count, 0);
        assert_memory_equal(&view.own, (&(struct local_seats){{1, 2}}), sizeof view.own);
    }
    app_session_silence_server(false);
    app_session_pass(1);
    assert_true(local_players_is_playing(&session.play->local));
    for (uint32_t i = 0; i < 2; i++)
        assert_int_equal(local_players_slot(&session.play->local, i), i);
}

TEST(a_player_whose_match_ended_says_why)
{
    app_session_begin_match();
    join(DEVICE_KEYS);
    join(DEVICE_KEYS_SECOND);
    SDL_JoystickAttachVirtual(SDL_JOYSTICK_TYPE_GAMECONTROLLER, SDL_CONTROLLER_AXIS_MAX, SDL_CONTROLLER_BUTTON_MAX, 0);
    app_session_pass(0.1);
    join(DEVICE_GAMEPAD);
    app_session_pass(1);
    peer_drop_player(session.match, peer_at_slot(session.match, 1), 1, DENY_KICKED);
    app_session_pass(1);
    assert_string_equal(local_players_state_text(&session.play->local, 0), "playing");
    assert_string_equal(local_players_state_text(&session.play->local, 1), message_deny_text(DENY_KICKED));
    struct view *view = &session.play->view;
    assert_true(local_players_view(&session.play->local, shell->context.config->now_us(), view));
    assert_memory_equal(&view->own, (&(struct local_seats){{1, 0, 3}}), sizeof view->own);
}

TEST(leaving_gives_the_last_packets_a_fifth_of_a_second)
{
    app_session_begin_match();
    uint64_t before = session.steps;
    local_players_leave(&session.play->local);
    assert_in_range(session.steps - before, 47, 49); // 240 a second
    before = session.steps;
    local_players_leave(&session.play->local); // nobody is there
    assert_int_equal(session.steps, before);
    assert_int_equal(roster_count(&session.match->roster, SEAT_PLAYER), 0);
}
