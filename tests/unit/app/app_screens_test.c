// SPDX-License-Identifier: MIT
//
// Tests what events do besides opening screens: sounds of menus, full screen, saved settings, folders, mouse and
// gamepads in replays, and what a new match forgets.
#include <SDL.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app/menu/draw_menu.h"
#include "app/menu/screens.h"
#include "app/server_search.h"
#include "app_session.h"
#include "game/variant.h"
#include "test.h"
#include "window/keyboard.h"

static enum sound clicks[64];
static uint32_t click_count;

void __wrap_sound_device_click(struct sound_device *device, uint32_t sound);
void __wrap_sound_device_click(struct sound_device *device, uint32_t sound)
{
    assert_ptr_equal(device, &shell->context.presenter.sound);
    clicks[click_count++ % 64] = sound;
}

static void begin(const char *a, const char *b, const char *c, const char *d)
{
    const char *words[] = {a, b, c, d, NULL};
    app_session_begin(NULL, words);
    app_session_start();
    click_count = 0;
}

ALL_TESTS(app_session_create, test_folder_remove);
EACH_TEST(NULL, app_session_end);

TEST(each_press_in_a_menu_has_its_sound)
{
    static const struct {
        uint32_t key;
        enum sound sound;
    } rows[] = {
        {KEY_DOWN, SOUND_MENU_MOVE},   {KEY_RETURN, SOUND_MENU_SELECT}, {KEY_F, SOUND_MENU_SELECT},
        {KEY_UP, SOUND_MENU_MOVE},     {KEY_LEFT, SOUND_MENU_MOVE},     {KEY_BACKSPACE, SOUND_MENU_MOVE},
        {KEY_ESCAPE, SOUND_MENU_BACK},
    };
    begin(NULL, NULL, NULL, NULL);
    app_session_pass(0.5);
    assert_int_equal(click_count, 0);
    for (uint32_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        app_session_press(rows[i].key);
        app_session_pass(0.1);
        if (click_count != i + 1 || clicks[i] != rows[i].sound)
            fail_msg("row %u: sound %d of %u", i + 1, clicks[i], click_count);
    }
}

static bool is_full_screen(void)
{
    return SDL_GetWindowFlags(shell->context.window.window) & SDL_WINDOW_FULLSCREEN_DESKTOP;
}

TEST(the_window_follows_keys_and_settings_at_once)
{
    begin("--screen", "video", NULL, NULL);
    app_session_press(KEY_F11);
    assert_true(is_full_screen());
    app_session_repeat(KEY_F11);
    assert_true(is_full_screen());
    app_session_repeat(KEY_F3);
    assert_false(session.play->report.is_shown);
    app_session_press(KEY_F11);
    assert_false(is_full_screen());
    app_session_choose("Full screen");
    assert_true(is_full_screen());
    app_session_choose("Full screen");
    SDL_SetWindowSize(shell->context.window.window, 1000, 1000);
    app_session_choose("Scaling");
    assert_int_equal(shell->context.window.place.w % CANVAS_WIDTH, 0); // integer
    app_session_choose("Scaling");
    assert_int_equal(shell->context.window.place.w, 1000); // fit
    assert_int_equal(shell->context.window.place.h, 562);
    app_session_choose("Scaling");
    assert_int_equal(shell->context.window.place.h, 1000); // stretched
    app_session_end();
    remove(shell->context.profile.paths.preferences);
}

TEST(settings_that_cannot_be_saved_are_reported_once)
{
    begin("--screen", "sound", NULL, NULL);
    snprintf(shell->context.profile.paths.preferences, sizeof shell->context.profile.paths.preferences,
             "/nowhere/settings");
    app_session_press(KEY_ESCAPE);
    assert_false(app_session_has_logged("/nowhere/settings")); // nothing has changed
    app_session_choose("Settings");
    app_session_choose("Sound");
    app_session_press(KEY_LEFT);
    app_session_press(KEY_ESCAPE);
    app_session_choose("Keys");
    assert_int_equal(app_session_times_logged("/nowhere/settings"), 1);
    app_session_press(KEY_F11);
    app_session_press(KEY_ESCAPE);
    app_session_choose("Player");
    assert_int_equal(app_session_times_logged("/nowhere/settings"), 2);
}

TEST(saved_settings_hold_unless_the_command_line_overrides_them)
{
    static const struct {
        const char *a, *b, *name;
        bool fullscreen;
        uint32_t hat;
    } rows[] = {
        {NULL, NULL, "Ann", true, HAT_CONE},          {"--name", "Zoe", "Zoe", true, HAT_CONE},
        {"--windowed", NULL, "Ann", false, HAT_CONE}, {"--hat", "none", "Ann", true, HAT_NONE},
        {"--hat", "crown", "Ann", true, HAT_CROWN},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        test_folder_write("settings", "name = Ann\nfullscreen = on\nhat = cone\n");
        begin(rows[i].a, rows[i].b, NULL, NULL);
        assert_string_equal(shell->context.profile.preferences.name, rows[i].name);
        assert_int_equal(shell->context.profile.preferences.window.fullscreen, rows[i].fullscreen);
        assert_int_equal(shell->context.profile.preferences.hats[0], rows[i].hat);
        app_session_end();
    }
    test_folder_write("settings", "volume = 5\n");
    begin(NULL, NULL, NULL, NULL);
    assert_string_equal(shell->context.profile.preferences.name, "player"); // there is no name yet, and no $USER
    assert_int_equal(shell->context.profile.preferences.volume, 5);
    app_session_end();
    remove(shell->context.profile.paths.preferences);
}

static bool is_own_folder(const char *name)
{
    struct stat info;
    return stat(test_folder_path(name), &info) == 0 && (info.st_mode & 0777) == 0700;
}

TEST(files_are_kept_in_a_folder_of_their_player)
{
    struct error error;
    char folder[128];
    app_session_begin(NULL, (const char *const[]){NULL});
    memset(shell, 0, sizeof *shell);
    snprintf(folder, sizeof folder, "%s", test_folder_path("new"));
    snprintf(session.settings.state_dir, sizeof session.settings.state_dir, "%s", folder);
    assert_int_equal(app_begin(shell, &session.config, &error), EXIT_OK);
    app_end(shell);
    assert_true(is_own_folder("new"));
    assert_string_equal(shell->context.profile.paths.replays, test_folder_path("new/replays"));
    assert_true(is_own_folder("new/replays"));
    assert_string_equal(shell->context.profile.paths.preferences, test_folder_path("new/settings"));

    snprintf(session.settings.state_dir, sizeof session.settings.state_dir, "/nowhere/new");
    assert_int_equal(app_begin(shell, &session.config, &error), EXIT_OK);
    app_end(shell);
    assert_string_equal(shell->context.profile.paths.replays, ""); // no folder, no recordings

    session.settings.state_dir[0] = 0; // where SDL keeps the data of each user
    setenv("XDG_DATA_HOME", folder, 1);
    assert_int_equal(app_begin(shell, &session.config, &error), EXIT_OK);
    app_end(shell);
    assert_string_equal(shell->context.profile.paths.preferences, test_folder_path("new/deadfall/settings"));
    assert_string_equal(shell->context.profile.paths.replays, test_folder_path("new/deadfall/replays"));
    assert_int_equal(access(shell->context.profile.paths.replays, F_OK), 0);
    unsetenv("XDG_DATA_HOME");
}

TEST(a_search_can_be_repeated)
{
    begin("--screen", "join", NULL, NULL);
    assert_true(shell->context.search.browser.open);
    preferences_remember(&shell->context.profile.preferences.recent, "127.0.0.1:13");
    assert_null(server_browser_find(&shell->context.search.browser, "127.0.0.1:13"));
    app_session_choose("Search again");
    assert_non_null(server_browser_find(&shell->context.search.browser, "127.0.0.1:13"));
    assert_ptr_equal(app_session_screen(), &SCREEN_JOIN);
    for (uint32_t i = 0; i < OPTION_LIST_CAPACITY; i++) {
        char address[32];
        snprintf(address, sizeof address, "127.0.0.1:%u", 100 + i);
        preferences_remember(&shell->context.profile.preferences.favourites, address);
    }
    server_search_begin(&shell->context.search, shell->context.config->now_us());
    assert_non_null(server_browser_find(&shell->context.search.browser, "127.0.0.1:100"));
    assert_non_null(
        server_browser_find(&shell->context.search.browser, shell->context.profile.preferences.favourites.values[0]));
    assert_null(server_browser_find(&shell->context.search.browser, "127.0.0.1:13")); // there are enough without it
    shell->context.profile.preferences.favourites.count = 0;
    server_search_begin(&shell->context.search, shell->context.config->now_us());
    assert_null(server_browser_find(&shell->context.search.browser, "127.0.0.1:100"));
    app_session_end();
    assert_false(shell->context.search.browser.open);
}

TEST(the_backdrop_shows_the_map_that_will_be_hosted)
{
    begin(NULL, NULL, NULL, NULL);
    assert_string_equal(shell->demo.name, "foundry");
    assert_false(shell->context.menu.facts.has_map("atlantis"));
    snprintf(shell->context.profile.preferences.map, sizeof shell->context.profile.preferences.map, "duel");
    app_session_pass(0.1);
    assert_string_equal(shell->demo.name, "foundry");
    app_session_choose("Host");
    assert_string_equal(shell->demo.name, "duel");
    app_session_end();
    begin("--replay", SOURCE_ROOT "/tests/golden/foundry.dfr", NULL, NULL);
    app_session_pass(0.1);
    assert_false(shell->demo.ready);
    app_session_end();
    app_session_begin_match();
    assert_false(shell->demo.ready);
    app_session_press(KEY_ESCAPE);
    app_session_choose("Leave");
    assert_true(shell->demo.ready);
}

TEST(presses_in_a_menu_are_no_presses_in_the_match)
{
    app_session_begin_match();
    app_session_press(KEY_ESCAPE);
    SDL_Event space = {.type = SDL_KEYDOWN};
    space.key.keysym.scancode = SDL_SCANCODE_SPACE;
    SDL_PushEvent(&space); // "Resume", and the key to jump
    shell_take_events(shell);
    assert_int_equal(shell->context.menu.depth, 0);
    assert_int_equal(window_buttons(&shell->context.window, DEVICE_ALL, false), 0);
    app_session_press(KEY_SPACE);
    app_session_press(KEY_ESCAPE); // another screen
    assert_int_equal(window_buttons(&shell->context.window, DEVICE_ALL, false), 0);
    shell->context.window.tapped[DEVICE_KEYS] = BUTTON_JUMP;
    menu_command(&shell->context.menu, APP_COMMAND_RETRY, NULL);
    shell_execute(shell);
    assert_int_equal(window_buttons(&shell->context.window, DEVICE_KEYS, false), 0);
    app_session_pass(1);
    shell->context.window.tapped[DEVICE_KEYS] = BUTTON_JUMP;
    menu_command(&shell->context.menu, APP_COMMAND_CHANGE, NULL);
    shell_execute(shell);
    assert_int_equal(window_buttons(&shell->context.window, DEVICE_KEYS, false), 0);
}

static void show_replay(void)
{
    menu_command(&shell->context.menu, APP_COMMAND_REPLAY, SOURCE_ROOT "/tests/golden/foundry.dfr");
    shell_execute(shell);
    assert_non_null(session.spectate->viewer.bytes);
}

TEST(a_new_match_begins_without_what_belongs_to_the_last)
{
    begin("--connect", "SERVER", "--view", "interpolated");
    app_session_pass(1);
    assert_int_equal(session.play->view.kind, VIEW_INTERPOLATED);
    chat_panel_add(&session.play->chat.panel, &(struct chat_line){.text = "a line"}, &session.match->world, 0);
    shell->context.hints.since = 5;
    session.play->report.in = session.play->report.out = 1000;
    shell->context.failed = true;
    session.play->local.error.text[0] = 'x';
    session.play->local.denial = DENIAL_PASSWORD;
    shell->context.presenter.scene.camera.x = 77;
    session.play->devices.has_origin = true;
    snprintf(shell->context.menu.facts.address, sizeof shell->context.menu.facts.address, "127.0.0.1:%u", session.port);
    menu_command(&shell->context.menu, APP_COMMAND_RETRY, NULL);
    shell_execute(shell);
    assert_int_equal(session.play->chat.panel.count, 0);
    assert_int_equal(shell->context.hints.since, 0);
    assert_int_equal(session.play->report.in + session.play->report.out, 0);
    assert_int_equal(shell->context.presenter.scene.camera.x, 0);
    assert_false(shell->context.failed);
    assert_false(session.play->devices.has_origin);
    assert_string_equal(session.play->local.error.text, "");
    assert_int_equal(session.play->local.denial, DENIAL_NONE);
    app_session_pass(1);
    assert_true(local_players_is_playing(&session.play->local));
    show_replay();
    assert_int_equal(session.spectate->drawn_us, shell->context.config->now_us());
    session.spectate->actions = HOTKEY_PAUSE;
    shell->context.presenter.scene.camera.x = 77;
    show_replay();
    assert_int_equal(session.spectate->actions, 0);
    assert_int_equal(shell->context.presenter.scene.camera.x, 0);
}

static int attach_gamepad(void)
{
    SDL_SetHint(SDL_HINT_JOYSTICK_ALLOW_BACKGROUND_EVENTS, "1");
    int device = SDL_JoystickAttachVirtual(SDL_JOYSTICK_TYPE_GAMECONTROLLER, SDL_CONTROLLER_AXIS_MAX,
                                           SDL_CONTROLLER_BUTTON_MAX, 0);
    app_session_pass(0.1);
    return device;
}

static void press_button(uint32_t gamepad, SDL_GameControllerButton button)
{
    SDL_Joystick *joystick = SDL_GameControllerGetJoystick(shell->context.window.gamepads.open[gamepad]);
    for (int down = 1; down >= 0; down--) {
        SDL_JoystickSetVirtualButton(joystick, button, (Uint8)down);
        app_session_pass(0.05);
    }
}

TEST(a_gamepad_controls_a_replay)
{
    begin("--replay", SOURCE_ROOT "/tests/golden/foundry.dfr", NULL, NULL);
    int device = attach_gamepad();
    press_button(0, SDL_CONTROLLER_BUTTON_RIGHTSHOULDER);
    assert_int_equal(session.spectate->actions, HOTKEY_FORWARD);
    press_button(0, SDL_CONTROLLER_BUTTON_BACK);
    assert_int_equal(session.spectate->actions, HOTKEY_FORWARD | HOTKEY_PAUSE);
    session.spectate->actions = 0;
    session.play->chat.panel.votes = true; // of a match before
    session.play->chat.panel.vote = (struct vote_message){.choice_count = 3, .own = 2};
    shell->context.profile.preferences.controls.buttons.gamepad_buttons[1][ACTION_JUMP] = GAMEPAD_BUTTON_BACK;
    press_button(0, SDL_CONTROLLER_BUTTON_BACK); // a button of the game
    assert_int_equal(session.spectate->actions, 0);
    assert_false(app_session_has_logged("say /vote"));
    shell->context.profile.preferences.controls.buttons.keys[0][ACTION_JUMP] = KEY_P;
    app_session_press(KEY_P); // keys of the game are free in a replay
    assert_int_equal(session.spectate->actions, HOTKEY_PAUSE);
    press_button(0, SDL_CONTROLLER_BUTTON_START);
    assert_null(session.spectate->viewer.bytes);
    assert_ptr_equal(app_session_screen(), &SCREEN_REPLAYS);
    SDL_JoystickDetachVirtual(device);
}

TEST(a_shoulder_button_shows_and_hides_the_ghosts)
{
    begin("--trial", "first-steps", NULL, NULL);
    int device = attach_gamepad();
    assert_false(session.course->hides_ghosts);
    press_button(0, SDL_CONTROLLER_BUTTON_RIGHTSHOULDER);
    assert_true(session.course->hides_ghosts);
    press_button(0, SDL_CONTROLLER_BUTTON_RIGHTSHOULDER);
    assert_false(session.course->hides_ghosts);
    shell->context.profile.preferences.controls.buttons.gamepad_buttons[1][ACTION_SHOOT] =
        GAMEPAD_BUTTON_RIGHT_SHOULDER;
    press_button(0, SDL_CONTROLLER_BUTTON_RIGHTSHOULDER); // a button of the game
    assert_false(session.course->hides_ghosts);
    SDL_JoystickDetachVirtual(device);
}

TEST(who_runs_a_course_looks_as_they_have_chosen)
{
    static const char *const words[] = {"--trial", "first-steps", "--colour", "7", "--hat", "crown", NULL};
    app_session_begin(NULL, words);
    app_session_start();
    app_session_pass(0.5);
    assert_int_equal(session.course->run.world.players[0].colour, 7);
    assert_int_equal(session.course->run.hats[0], HAT_CROWN);
    app_session_press(KEY_R);
    app_session_pass(0.5);
    assert_int_equal(session.course->run.world.players[0].colour, 7);
}

TEST(buttons_of_the_game_do_not_vote_and_the_second_gamepad_joins_as_itself)
{
    app_session_begin_match();
    int first = attach_gamepad(), second = attach_gamepad();
    session.play->chat.panel.votes = true;
    session.play->chat.panel.vote = (struct vote_message){.choice_count = 3, .own = 3};
    shell->context.profile.preferences.controls.buttons.gamepad_buttons[1][ACTION_JUMP] = GAMEPAD_BUTTON_BACK;
    press_button(0, SDL_CONTROLLER_BUTTON_BACK);
    assert_false(app_session_has_logged("say /vote"));
    shell->context.profile.preferences.controls.buttons.gamepad_buttons[1][ACTION_JUMP] = 0;
    press_button(0, SDL_CONTROLLER_BUTTON_BACK);
    assert_true(app_session_has_logged("say /vote 1\n")); // after the last choice comes the first
    session.play->chat.panel.votes = false;
    app_session_press(KEY_ESCAPE);
    app_session_choose("Players");
    press_button(1, SDL_CONTROLLER_BUTTON_A);
    assert_int_equal(lobby_count(&shell->context.lobby), 1);
    assert_int_equal(local_players_device(&session.play->local, 0), DEVICE_GAMEPAD + 1);
    SDL_JoystickDetachVirtual(second);
    SDL_JoystickDetachVirtual(first);
}

static void point(uint32_t type, uint8_t button, int32_t x, int32_t y)
{
    SDL_Event event = {.type = type};
    if (type == SDL_MOUSEMOTION) {
        event.motion.state = (uint32_t)(button ? SDL_BUTTON(button) : 0);
        event.motion.x = x;
        event.motion.y = y;
    } else {
        event.button.button = button;
        event.button.x = x;
        event.button.y = y;
    }
    SDL_PushEvent(&event);
    app_session_pass(0.05);
}

TEST(the_pointer_rests_while_keys_are_used)
{
    begin(NULL, NULL, NULL, NULL);
    point(SDL_MOUSEMOTION, 0, 200, 100);
    assert_false(shell->context.window.hides_pointer);
    app_session_press(KEY_DOWN);
    assert_true(shell->context.window.hides_pointer);
    point(SDL_MOUSEMOTION, 0, 201, 100);
    assert_false(shell->context.window.hides_pointer);
    app_session_end();
    app_session_begin_match();
    point(SDL_MOUSEMOTION, 0, 200, 100);
    assert_true(shell->context.window.hides_pointer);
}

TEST(only_the_left_button_drags_the_bar_of_a_replay)
{
    int32_t y = CANVAS_HEIGHT - 4;
    begin("--replay", SOURCE_ROOT "/tests/golden/foundry.dfr", NULL, NULL);
    point(SDL_MOUSEBUTTONDOWN, SDL_BUTTON_RIGHT, 200, y);
    assert_false(session.spectate->viewer.dragged);
    point(SDL_MOUSEMOTION, SDL_BUTTON_LEFT, 210, y);
    assert_false(session.spectate->viewer.dragged);
    point(SDL_MOUSEBUTTONDOWN, SDL_BUTTON_LEFT, 200, y);
    assert_true(session.spectate->viewer.dragged);
    tick first = session.spectate->viewer.seek_target;
    point(SDL_MOUSEMOTION, SDL_BUTTON_LEFT, 300, 10);
    assert_true(session.spectate->viewer.dragged);
    assert_true(session.spectate->viewer.seek_target > first);
    point(SDL_MOUSEMOTION, 0, 310, y);
    assert_false(session.spectate->viewer.dragged);
    app_session_end();
    app_session_begin_match();
    point(SDL_MOUSEBUTTONDOWN, SDL_BUTTON_LEFT, 200, y);
    assert_false(session.spectate->viewer.dragged);
}

static void touch(uint32_t type, int32_t x, int32_t y)
{
    const struct window *window = &shell->context.window;
    SDL_Event event = {.type = type};
    event.tfinger.fingerId = 1;
    event.tfinger.x = (float)(window->place.x + (x * window->place.w + window->place.w / 2) / CANVAS_WIDTH) /
                      (float)window->touch.surface.w;
    event.tfinger.y = (float)(window->place.y + (y * window->place.h + window->place.h / 2) / CANVAS_HEIGHT) /
                      (float)window->touch.surface.h;
    SDL_PushEvent(&event);
    app_session_pass(0.05);
}

// The first finger hits what its player sees, and only then does the menu become larger.
TEST(the_first_tap_hits_what_was_drawn)
{
    begin(NULL, NULL, NULL, NULL);
    app_session_pass(1);
    uint32_t settings = 6;
    int32_t x = 143, y = 0;
    struct menu larger = shell->context.menu;
    larger.by_touch = true;
    while (y < CANVAS_HEIGHT &&
           (draw_menu_item_at(&shell->context.menu, x, y) != settings || draw_menu_item_at(&larger, x, y) == settings))
        y++;
    assert_in_range(y, 1, CANVAS_HEIGHT - 1);
    assert_false(shell->context.menu.by_touch);
    touch(SDL_FINGERDOWN, x, y);
    touch(SDL_FINGERUP, x, y);
    assert_ptr_equal(app_session_screen(), &SCREEN_SETTINGS);
    assert_true(shell->context.menu.by_touch);
}
