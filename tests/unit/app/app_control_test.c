// SPDX-License-Identifier: MIT
//
// Tests the whole app, from keys to the server: menus, matches, chat, votes, local players, errors, replays.
#include <SDL.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app/menu/screens.h"
#include "app_session.h"
#include "looks/palette.h"
#include "sync/player_name.h"
#include "test.h"
#include "window/keyboard.h"

static void begin(const char *a, const char *b, const char *c, const char *d)
{
    const char *words[] = {a, b, c, d, NULL};
    app_session_begin(NULL, words);
    app_session_start();
}

// Returns the next chat line that the first player received, and skips older ones.
static const char *next_line(uint32_t *flags)
{
    static struct chat_line line;
    line.text[0] = 0;
    line.flags = 0;
    client_chat_next(local_players_client(&session.play->local), &line);
    if (flags)
        *flags = line.flags;
    return line.text;
}

static void skip_lines(void)
{
    while (*next_line(NULL))
        ;
}

ALL_TESTS(app_session_create, test_folder_remove);
EACH_TEST(NULL, app_session_end);

TEST(old_lines_can_be_scrolled_while_typing)
{
    app_session_begin_match();
    for (uint32_t i = 0; i < 20; i++)
        chat_panel_add(&session.play->chat.panel, &(struct chat_line){.text = "a line"}, &session.match->world, 0);
    app_session_press(KEY_RETURN);
    app_session_press(KEY_PAGE_UP);
    assert_int_equal(session.play->chat.panel.back, CHAT_PANEL_LINES);
    app_session_press(KEY_PAGE_UP);
    app_session_press(KEY_PAGE_DOWN);
    assert_int_equal(session.play->chat.panel.back, CHAT_PANEL_LINES);
}

TEST(keys_vote_only_for_existing_choices)
{
    static const struct {
        uint32_t choices, key;
        const char *command;
    } rows[] = {
        {2, KEY_Y, "vote 1\n"}, {2, KEY_N, "vote 2\n"}, {2, KEY_1, "vote 1\n"}, {2, KEY_2, "vote 2\n"},
        {2, KEY_3, ""},         {3, KEY_Y, ""},         {3, KEY_N, ""},         {3, KEY_3, "vote 3\n"},
        {6, KEY_6, "vote 6\n"}, {6, KEY_4, "vote 4\n"}, {6, KEY_5, "vote 5\n"}, {0, KEY_1, ""},
    };
    app_session_begin_match();
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        session.commands[0] = 0;
        session.play->chat.panel.votes = rows[i].choices > 0;
        session.play->chat.panel.vote.choice_count = rows[i].choices;
        app_session_press(rows[i].key);
        app_session_pass(3); // a client may not send faster
        if (strcmp(session.commands, rows[i].command))
            fail_msg("row %zu: %s", i + 1, session.commands);
    }
    assert_true(app_session_has_logged("say /vote 6"));
    session.commands[0] = 0;
    session.play->chat.panel.votes = false; // of a vote that has ended
    session.play->chat.panel.vote.choice_count = 2;
    app_session_press(KEY_1);
    app_session_pass(3);
    assert_string_equal(session.commands, "");
}

TEST(keys_that_control_the_player_do_nothing_else)
{
    app_session_begin_match();
    shell->context.profile.preferences.controls.buttons.keys[0][ACTION_JUMP] = KEY_T;
    app_session_press(KEY_T);
    assert_false(session.play->chat.panel.typing);
    app_session_repeat(KEY_U);
    app_session_pass(0.1);
    assert_false(session.play->chat.panel.typing);
}

// What moves the second player at a keyboard does nothing else while there is one.
TEST(keys_of_the_second_player_do_nothing_else)
{
    app_session_begin_match();
    shell->context.profile.preferences.controls.buttons.keys[2][ACTION_JUMP] = KEY_T; // by an older version, or by hand
    app_session_press(KEY_T);
    assert_true(session.play->chat.panel.typing);
    app_session_press(KEY_ESCAPE);
    lobby_press(&shell->context.lobby, DEVICE_KEYS, ACTION_JUMP);
    lobby_press(&shell->context.lobby, DEVICE_KEYS_SECOND, ACTION_JUMP);
    app_session_press(KEY_T);
    assert_false(session.play->chat.panel.typing);
}

TEST(settings_take_effect_at_once_and_are_saved_later)
{
    struct error error;
    struct preferences kept;
    char path[4096];
    begin("--screen", "sound", NULL, NULL);
    app_session_press(KEY_LEFT);
    assert_int_equal(shell->context.presenter.volumes.master, 70);
    assert_int_equal(shell->context.presenter.volumes.effects, 100);
    assert_int_equal(shell->context.presenter.volumes.ambience, 60);
    assert_int_equal(shell->context.presenter.volumes.music, 70);
    menu_open(&shell->context.menu, &SCREEN_EYES);
    app_session_press(KEY_UP);
    app_session_press(KEY_RIGHT);
    assert_true(shell->context.presenter.display.large_text);
    memcpy(path, shell->context.profile.paths.preferences, sizeof path);
    app_session_end();
    assert_true(preferences_read(&kept, path, &error));
    assert_true(kept.display.large_text);
    assert_int_equal(kept.volume, 7);
    remove(path);
}

TEST(the_command_line_overrides_saved_settings)
{
    begin("--map", "skyline", "--name", "Zoe");
    assert_string_equal(shell->context.profile.preferences.map, "skyline");
    assert_string_equal(shell->context.profile.preferences.name, "Zoe");
    assert_int_equal(shell->context.profile.preferences.bots, 4);
    assert_int_equal(shell->context.profile.preferences.colour, -1);
    app_session_end();
    begin("--bots", "0", "--colour", "0");
    assert_int_equal(shell->context.profile.preferences.bots, 0);
    assert_int_equal(shell->context.profile.preferences.colour, 0);
    assert_string_equal(shell->context.profile.preferences.map, "foundry");
    app_session_end();
    begin("--hat", "top-hat", "--fullscreen", NULL);
    assert_int_equal(shell->context.profile.preferences.hats[0], HAT_TOP);
    assert_true(shell->context.profile.preferences.window.fullscreen);
}

TEST(a_password_is_asked_for_and_goes_to_no_other_server)
{
    app_session_begin("sesame", (const char *const[]){"--connect", "SERVER", NULL});
    app_session_start();
    app_session_pass(1);
    assert_ptr_equal(app_session_screen(), &SCREEN_PASSWORD);
    assert_int_equal(shell->context.menu.depth, 2);
    assert_true(shell->context.failed);
    assert_string_equal(shell->context.menu.facts.message, "");
    app_session_press(KEY_RETURN);
    app_session_type("wrong");
    app_session_press(KEY_RETURN);
    app_session_pass(1);
    assert_ptr_equal(app_session_screen(), &SCREEN_PASSWORD);
    assert_string_equal(shell->context.menu.facts.message, "Wrong password.");
    app_session_press(KEY_RETURN);
    for (int i = 0; i < 5; i++)
        app_session_press(KEY_BACKSPACE);
    app_session_type("sesame");
    app_session_press(KEY_RETURN);
    app_session_pass(1);
    assert_true(local_players_is_playing(&session.play->local));
    assert_false(shell->context.failed);
    menu_command(&shell->context.menu, APP_COMMAND_JOIN, "127.0.0.1:9");
    shell_execute(shell);
    assert_string_equal(session.play->local.password, "");
}

TEST(a_lost_server_is_an_error_with_a_retry)
{
    app_session_begin(NULL, (const char *const[]){"--connect", "SERVER", NULL});
    app_session_silence_server(true);
    app_session_start();
    app_session_pass(30);
    assert_ptr_equal(app_session_screen(), &SCREEN_ERROR);
    assert_true(shell->context.failed);
    assert_true(*shell->context.menu.facts.failure);
    assert_string_equal(shell->context.menu.facts.failure, session.play->local.error.text);
    app_session_silence_server(false);
    app_session_choose("Try again");
    app_session_pass(1);
    assert_true(local_players_is_playing(&session.play->local));
    assert_false(shell->context.failed);
    app_session_silence_server(true);
    app_session_pass(200);
    assert_ptr_equal(app_session_screen(), &SCREEN_DISCONNECTED);
    app_session_press(KEY_ESCAPE);
    assert_ptr_equal(app_session_screen(), &SCREEN_TITLE);
    assert_false(shell->context.failed);
}

TEST(a_key_adds_a_second_local_player)
{
    app_session_begin_match();
    shell->context.profile.preferences.colour = 5;
    snprintf(shell->context.profile.preferences.name, sizeof shell->context.profile.preferences.name,
             "Sixteen letters!");
    app_session_press(KEY_ESCAPE);
    app_session_choose("Players");
    const struct lobby *lobby = &shell->context.lobby;
    uint32_t moved = shell->context.menu.moved,
             second_jump = (uint32_t)shell->context.profile.preferences.controls.buttons.keys[2][ACTION_JUMP];
    app_session_press(KEY_SPACE);
    assert_int_equal(lobby_count(lobby), 1);
    assert_int_equal(local_players_device(&session.play->local, 0), DEVICE_KEYS);
    assert_true(lobby->players[0].ready); // with the figure that they had
    assert_int_equal(shell->context.menu.moved, moved + 1);
    app_session_press(second_jump);
    assert_int_equal(lobby_count(lobby), 2);
    app_session_press(KEY_RIGHT); // of the second set, as long as somebody has it
    assert_int_equal(lobby->players[1].colour, (palette_farthest(0, 1u << 5) + 1) % PALETTE_PLAYERS);
    app_session_pass(1);
    assert_int_equal(roster_count(&session.match->roster, SEAT_PLAYER), 1); // not until they are ready
    assert_string_equal(shell->context.menu.facts.states[1], "");
    app_session_press(second_jump);
    app_session_pass(1);
    assert_int_equal(roster_count(&session.match->roster, SEAT_PLAYER), 2);
    assert_string_equal(shell->context.menu.facts.states[1], "playing");
    assert_string_equal(shell->context.menu.facts.states[2], "");
    assert_int_equal(session.match->roster.seats[1].colour, lobby->players[1].colour);
    char name[PLAYER_NAME_BYTES + 1];
    player_name_to_text(session.match->world.players[1].name, name);
    assert_string_equal(name, "Sixteen letter 2");
    struct view *view = &session.play->view;
    assert_true(local_players_view(&session.play->local, shell->context.config->now_us(), view));
    assert_int_equal(view->slot, 0);
    assert_memory_equal(&view->own, (&(struct local_seats){{1, 2}}), sizeof view->own);
    app_session_pass(1);
    assert_int_equal(shell->context.menu.depth, 0); // all are ready: the match goes on
    app_session_press(KEY_ESCAPE);
    app_session_choose("Players");
    app_session_press((uint32_t)shell->context.profile.preferences.controls.buttons.keys[0][ACTION_DASH]); // not ready
    app_session_pass(0.5);
    assert_int_equal(roster_count(&session.match->roster, SEAT_PLAYER), 2);
    app_session_press((uint32_t)shell->context.profile.preferences.controls.buttons
                          .keys[0][ACTION_DASH]); // leaves: the other continues with their figure
    app_session_pass(0.5);
    assert_int_equal(lobby_count(lobby), 1);
    assert_int_equal(local_players_device(&session.play->local, 1), DEVICE_KEYS_SECOND);
    assert_int_equal(roster_count(&session.match->roster, SEAT_PLAYER), 1);
    assert_int_equal(local_players_first(&session.play->local), 1);
    assert_true(local_players_view(&session.play->local, shell->context.config->now_us(), view));
    assert_int_equal(view->slot, 1);
    assert_false(view_is_shared(view));
    app_session_press((uint32_t)shell->context.profile.preferences.controls.buttons.keys[2][ACTION_DASH]);
    app_session_press((uint32_t)shell->context.profile.preferences.controls.buttons.keys[2][ACTION_DASH]);
    app_session_pass(0.5);
    assert_int_equal(lobby_count(lobby), 0);
    assert_int_equal(local_players_device(&session.play->local, 1), DEVICE_ALL);
    assert_true(local_players_is_playing(&session.play->local));
    app_session_press(KEY_SPACE); // keeps the figure, which is at the second place
    assert_true(lobby->players[1].joined && lobby->players[1].ready && !lobby->players[0].joined);
}

TEST(a_replay_is_shown_controlled_and_closed)
{
    static const char PATH[] = SOURCE_ROOT "/tests/golden/foundry.dfr";
    begin("--replay", PATH, NULL, NULL);
    assert_non_null(session.spectate->viewer.bytes);
    assert_int_equal(shell->context.menu.depth, 0);
    app_session_press(KEY_P);
    assert_int_equal(session.spectate->actions, HOTKEY_PAUSE); // app.c hands it to the viewer
    session.spectate->actions = 0;
    app_session_press(KEY_SPACE);
    assert_int_equal(session.spectate->actions, HOTKEY_PAUSE);
    session.spectate->actions = 0;
    app_session_press(KEY_LEFT);
    app_session_press(KEY_RIGHT);
    assert_int_equal(session.spectate->actions, HOTKEY_BACK | HOTKEY_FORWARD);
    session.spectate->actions = 0;
    session.spectate->viewer.spectator.mode = SPECTATOR_CAMERA_FREE; // which these keys move
    app_session_press(KEY_LEFT);
    app_session_press(KEY_RIGHT);
    assert_int_equal(session.spectate->actions, 0);
    app_session_press(KEY_COMMA);
    assert_int_equal(session.spectate->actions, HOTKEY_BACK);
    app_session_press(KEY_ESCAPE);
    assert_null(session.spectate->viewer.bytes);
    assert_ptr_equal(app_session_screen(), &SCREEN_REPLAYS);
    assert_int_equal(shell->context.menu.depth, 2);
    app_session_press(KEY_ESCAPE);
    assert_ptr_equal(menu_focused(&shell->context.menu)->screen, &SCREEN_REPLAYS); // as where the player came from
    app_session_press(KEY_RETURN);
    menu_command(&shell->context.menu, APP_COMMAND_REPLAY, "/nowhere.dfr");
    shell_execute(shell);
    assert_null(session.spectate->viewer.bytes);
    assert_non_null(strstr(shell->context.menu.facts.message, "/nowhere.dfr"));
    assert_ptr_equal(app_session_screen(), &SCREEN_REPLAYS);
    menu_command(&shell->context.menu, APP_COMMAND_REPLAY, PATH);
    shell_execute(shell);
    assert_int_equal(shell->context.menu.command.kind, APP_COMMAND_NONE);
    assert_non_null(session.spectate->viewer.bytes);
}

TEST(a_line_waits_for_a_server_that_restarts)
{
    app_session_begin_match();
    app_session_press(KEY_RETURN);
    app_session_type("hello");
    match_announce_restart(session.match);
    app_session_silence_server(true);
    app_session_pass(0.1);
    app_session_press(KEY_RETURN);
    assert_true(session.play->chat.panel.typing);
    app_session_silence_server(false);
    app_session_pass(1);
    skip_lines();
    app_session_press(KEY_RETURN);
    assert_false(session.play->chat.panel.typing);
    app_session_pass(0.3);
    assert_string_equal(next_line(NULL), "hello");
}

TEST(keys_pressed_before_the_match_begins_open_no_chat_in_it)
{
    app_session_begin(NULL, (const char *const[]){"--connect", "SERVER", NULL});
    app_session_silence_server(true);
    app_session_start();
    assert_false(local_players_is_playing(&session.play->local));
    app_session_press(KEY_T);
    app_session_silence_server(false);
    app_session_pass(3);
    assert_true(local_players_is_playing(&session.play->local));
    app_session_press(KEY_SPACE);
    assert_false(session.play->chat.panel.typing);
}

TEST(the_mouse_seeks_in_a_replay)
{
    begin("--replay", SOURCE_ROOT "/tests/golden/foundry.dfr", NULL, NULL);
    SDL_Event click = {.type = SDL_MOUSEBUTTONDOWN};
    click.button.button = SDL_BUTTON_LEFT;
    click.button.x = CANVAS_WIDTH / 2;
    click.button.y = CANVAS_HEIGHT - 4;
    SDL_PushEvent(&click);
    app_session_pass(0.05);
    assert_true(session.spectate->viewer.dragged);
    assert_true(session.spectate->viewer.seek_wanted);
    click.type = SDL_MOUSEBUTTONUP;
    SDL_PushEvent(&click);
    app_session_pass(0.05);
    assert_false(session.spectate->viewer.dragged);
}

TEST(the_list_of_replays_is_read_when_its_screen_opens)
{
    begin(NULL, NULL, NULL, NULL);
    test_folder_run("cp " SOURCE_ROOT "/tests/golden/duel.dfr replays/");
    assert_int_equal(shell->context.menu.facts.replay_count, 0);
    app_session_choose("Watch");
    assert_int_equal(shell->context.menu.facts.replay_count, 1);
    assert_non_null(strstr(shell->context.menu.facts.replays[0].path, "/replays/duel.dfr"));
    assert_string_equal(shell->context.menu.facts.replays[0].map, "duel");
    assert_int_equal(strlen(shell->context.menu.facts.replays[0].name), strlen("2026-11-22 11:00"));
    assert_int_equal(strncmp(shell->context.menu.facts.replays[0].name, "20", 2), 0);
    app_session_press(KEY_ESCAPE);
    // Beside it, files that are none: by their names, their contents, or their kind. The newest comes first.
    test_folder_run("cd replays && cp duel.dfr none.txt && cp duel.dfr old.dfr && touch -d 2001-02-03T04:05 old.dfr && "
                    "touch empty.dfr && echo >bad.dfr && mkdir folder.dfr");
    app_session_choose("Watch");
    assert_int_equal(shell->context.menu.facts.replay_count, 2);
    assert_string_equal(shell->context.menu.facts.replays[1].name, "2001-02-03 04:03"); // it is two minutes long
    app_session_press(KEY_DOWN);
    app_session_press(KEY_DOWN);
    app_session_press(KEY_RETURN);
    assert_non_null(session.spectate->viewer.bytes);
    app_session_press(KEY_ESCAPE); // back to the row that was shown
    assert_ptr_equal(app_session_screen(), &SCREEN_REPLAYS);
    assert_int_equal(shell->context.menu.focus[1], 2);
    app_session_press(KEY_RETURN);
    menu_open(&shell->context.menu, &SCREEN_FOLLOW); // over the replay
    menu_close(&shell->context.menu);
    app_session_press(KEY_ESCAPE);
    assert_ptr_equal(app_session_screen(), &SCREEN_TITLE);
    test_folder_run("rm -r replays");
    app_session_press(KEY_ESCAPE);
    app_session_choose("Watch");
    assert_int_equal(shell->context.menu.facts.replay_count, 0);
}

TEST(the_join_screen_searches_for_servers_that_are_known)
{
    begin(NULL, NULL, NULL, NULL);
    preferences_remember(&shell->context.profile.preferences.favourites, "127.0.0.1:11");
    preferences_remember(&shell->context.profile.preferences.recent, "127.0.0.1:12");
    assert_false(shell->context.search.browser.open);
    app_session_choose("Join");
    assert_true(shell->context.search.browser.open);
    assert_non_null(server_browser_find(&shell->context.search.browser, "127.0.0.1:11"));
    assert_non_null(server_browser_find(&shell->context.search.browser, "127.0.0.1:12"));
    assert_true(server_browser_find(&shell->context.search.browser, "127.0.0.1:11")->tries > 0);
}
