// SPDX-License-Identifier: MIT
//
// Tests what app_run() hands to its painters, and when: the rate of frames, the net graph, messages, hints, volumes.
#include <SDL.h>
#include <png.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/replay/replay_bar.h"
#include "app_session.h"
#include "scene/text_panel.h"
#include "test.h"
#include "virtual_udp.h"
#include "window/keyboard.h"

#define SECOND 240 // steps of virtual time

#pragma GCC diagnostic ignored "-Wmissing-prototypes" // painters that are wrapped

// What the painters got.
static struct {
    uint32_t frames, first_second, menus, messages, nets, hints_drawn;
    uint32_t first_menu_tick, last_menu_tick, first_message_tick, last_message_tick;
    char message[64][128]; ///< each text once
    uint32_t message_count;
    char title[64], back[16];
    struct hud_net net, net_before; ///< the newest, and that of a second earlier
    uint32_t net_changes;
    struct hints hints;
    struct sound_volumes volumes;
    bool reduced_motion;
    char status[128];     ///< newest system message
    enum font_face face;  ///< of messages
    uint64_t longest_us;  ///< of a silence of the server
    uint32_t chat_clicks; ///< sounds
    uint32_t themes[8];   ///< of the ambience, each time that it changed
    uint32_t theme_count;
    uint32_t scoreboards, scoreboards_below; ///< and rows kept free below them
    uint32_t skies, demos, still_demos;
    bool large_bar;                    ///< of a replay
    enum spectator_camera_mode camera; ///< of a replay
    struct hints bar_hints;
} seen;

// Painters that take most of the time, and are seen by the golden pictures, draw nothing.
#define DRAW_NOTHING(name)                                                                                             \
    void __wrap_##name(const struct frame *frame)                                                                      \
    {                                                                                                                  \
        (void)frame;                                                                                                   \
    }
DRAW_NOTHING(draw_backdrop)
DRAW_NOTHING(draw_tiles)
DRAW_NOTHING(draw_tiles_light)
DRAW_NOTHING(draw_solids_behind)
DRAW_NOTHING(draw_solids)
DRAW_NOTHING(draw_solids_light)

static uint32_t refresh_hz; ///< of the display; 0: as it is
static bool vsync;
static uint64_t quit_step;
static uint64_t silence_step; ///< at which the server vanishes; 0: never

void __wrap_window_show(struct window *window, const struct canvas *canvas)
{
    (void)window;
    (void)canvas;
    seen.frames++;
}

bool __real_window_open(struct window *window, struct window_setup setup, struct error *error);
bool __wrap_window_open(struct window *window, struct window_setup setup, struct error *error)
{
    bool open = __real_window_open(window, setup, error);
    window->vsync = window->has_vsync = vsync;
    window->refresh_hz = refresh_hz ? refresh_hz : window->refresh_hz;
    return open;
}

void __wrap_draw_menu(struct canvas *canvas, const struct menu *menu, uint32_t anim_tick)
{
    if (!seen.menus++)
        seen.first_menu_tick = anim_tick;
    (void)canvas;
    (void)menu;
    seen.last_menu_tick = anim_tick;
}

void __real_hud_draw_message(struct canvas *canvas, enum font_face face, const struct hud_message *message);
void __wrap_hud_draw_message(struct canvas *canvas, enum font_face face, const struct hud_message *message)
{
    if (!seen.messages++)
        seen.first_message_tick = message->anim_tick;
    seen.last_message_tick = message->anim_tick;
    seen.face = face;
    snprintf(seen.title, sizeof seen.title, "%s", message->title);
    snprintf(seen.back, sizeof seen.back, "%s", message->back);
    if (!seen.message_count || strcmp(seen.message[seen.message_count - 1], message->text)) {
        assert_in_range(seen.message_count, 0, 63);
        snprintf(seen.message[seen.message_count++], sizeof *seen.message, "%s", message->text);
    }
    __real_hud_draw_message(canvas, face, message);
}

void __real_hud_draw_net(struct canvas *canvas, const struct hud_net *net);
void __wrap_hud_draw_net(struct canvas *canvas, const struct hud_net *net)
{
    seen.net_changes += seen.nets && net->bytes_in_s != seen.net.bytes_in_s;
    if (session.steps <= quit_step - SECOND)
        seen.net_before = *net;
    seen.nets++;
    seen.net = *net;
    __real_hud_draw_net(canvas, net);
}

int32_t __real_hints_draw(const struct frame *frame, const struct hints *hints);
int32_t __wrap_hints_draw(const struct frame *frame, const struct hints *hints)
{
    seen.hints = *hints;
    seen.hints_drawn++;
    seen.reduced_motion = frame->display->reduced_motion;
    return __real_hints_draw(frame, hints);
}

bool __real_sound_device_open(struct sound_device *device, const struct sound_setup *setup, struct error *error);
bool __wrap_sound_device_open(struct sound_device *device, const struct sound_setup *setup, struct error *error)
{
    seen.volumes = setup->volumes;
    return __real_sound_device_open(device, setup, error);
}

int32_t __real_hud_draw_status(const struct frame *frame, int32_t y, const char *system_message, uint64_t silence_us);
int32_t __wrap_hud_draw_status(const struct frame *frame, int32_t y, const char *system_message, uint64_t silence_us)
{
    seen.longest_us = silence_us > seen.longest_us ? silence_us : seen.longest_us;
    snprintf(seen.status, sizeof seen.status, "%s", system_message);
    seen.face = text_panel_face(frame);
    return __real_hud_draw_status(frame, y, system_message, silence_us);
}

void __wrap_sound_device_click(struct sound_device *device, uint32_t sound)
{
    (void)device;
    seen.chat_clicks += sound == SOUND_CHAT;
}

void __wrap_sound_device_configure(struct sound_device *device, uint32_t theme, uint32_t tension,
                                   const struct sound_volumes *volumes)
{
    (void)tension;
    (void)device;
    (void)volumes;
    if (!seen.theme_count || seen.themes[seen.theme_count - 1] != theme)
        seen.themes[seen.theme_count++ % 8] = theme;
}

void __wrap_scoreboard_draw(const struct frame *frame, int32_t top)
{
    (void)top;
    seen.scoreboards++;
    seen.scoreboards_below = (uint32_t)frame->below;
}

void __wrap_hud_draw_empty_sky(struct canvas *canvas)
{
    (void)canvas;
    seen.skies++;
}

bool __real_title_demo_draw(struct title_demo *demo, struct canvas *canvas, uint64_t now_us, bool still);
bool __wrap_title_demo_draw(struct title_demo *demo, struct canvas *canvas, uint64_t now_us, bool still)
{
    seen.demos++;
    seen.still_demos += still;
    return __real_title_demo_draw(demo, canvas, now_us, still);
}

void __wrap_replay_bar_draw(const struct replay_viewer *viewer, struct canvas *canvas, const struct hints *hints,
                            bool large)
{
    (void)canvas;
    seen.camera = viewer->spectator.mode;
    seen.large_bar = large;
    seen.bar_hints = *hints;
}

static uint32_t held_key; ///< from the first second on; 0: none
static int gamepad;
static bool has_gamepad; ///< from the first second on: its button A is pressed

static void each_step(uint64_t step)
{
    Uint8 *held = (Uint8 *)(uintptr_t)SDL_GetKeyboardState(NULL);
    held[held_key] = held_key && step > SECOND && step < quit_step;
    if (has_gamepad && step == SECOND) {
        SDL_SetHint(SDL_HINT_JOYSTICK_ALLOW_BACKGROUND_EVENTS, "1");
        gamepad = SDL_JoystickAttachVirtual(SDL_JOYSTICK_TYPE_GAMECONTROLLER, SDL_CONTROLLER_AXIS_MAX,
                                            SDL_CONTROLLER_BUTTON_MAX, 0);
    }
    if (has_gamepad && step >= SECOND + 30)
        SDL_JoystickSetVirtualButton(SDL_JoystickFromInstanceID(SDL_JoystickGetDeviceInstanceID(gamepad)),
                                     SDL_CONTROLLER_BUTTON_A, step < SECOND + 40);
    if (step == SECOND)
        seen.first_second = seen.frames;
    if (silence_step && step == silence_step)
        app_session_silence_server(true);
    if (step == quit_step) {
        SDL_Event quit = {.type = SDL_QUIT};
        SDL_PushEvent(&quit);
    }
}

static void begin(double seconds, const char *a, const char *b, const char *c, const char *d)
{
    const char *words[] = {a, b, c, d, NULL};
    memset(&seen, 0, sizeof seen);
    refresh_hz = 0;
    vsync = false;
    silence_step = 0;
    held_key = 0;
    has_gamepad = false;
    quit_step = (uint64_t)(seconds * SECOND);
    app_session_begin(NULL, words);
    session.each_step = each_step;
}

static void play(void)
{
    assert_int_equal(app_run(&session.config), EXIT_OK);
}

ALL_TESTS(app_session_create, test_folder_remove);
EACH_TEST(NULL, app_session_end);

TEST(frames_come_at_the_rate_of_what_is_shown)
{
    begin(2, NULL, NULL, NULL, NULL);
    play();
    assert_in_range(seen.frames, 118, 122); // menus: 60 a second
    assert_in_range(seen.menus, seen.frames - 1, seen.frames);
    assert_int_equal(seen.first_menu_tick, 0);
    assert_in_range(seen.last_menu_tick, 118, 120);

    begin(2, "--frame-limit", "30", NULL, NULL);
    play();
    assert_in_range(seen.frames, 59, 61); // there, too
    assert_in_range(seen.last_menu_tick, 116, 120);

    begin(2, "--connect", "SERVER", NULL, NULL);
    app_session_silence_server(true);
    play();
    assert_in_range(seen.frames, 29, 31); // waiting: 15 a second
    assert_int_equal(seen.messages, seen.frames);
    assert_in_range(seen.last_message_tick - seen.first_message_tick, 115, 117);
    assert_string_equal(seen.title, "Deadfall");
    assert_string_equal(seen.back, "Esc");
    assert_int_equal(seen.message_count, 1);

    static const struct {
        uint32_t refresh_hz;
        bool vsync;
        uint32_t least, most; ///< frames in the last three seconds
    } rows[] = {{60, false, 178, 182}, {120, false, 355, 362}, {60, true, 236, 242}, {48, true, 178, 182}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        begin(4, "--connect", "SERVER", NULL, NULL);
        refresh_hz = rows[i].refresh_hz;
        vsync = rows[i].vsync;
        play();
        uint32_t frames = seen.frames - seen.first_second;
        if (frames < rows[i].least || frames > rows[i].most)
            fail_msg("row %zu: %u frames", i + 1, frames);
    }

    begin(60, "--connect", "SERVER", "--frames", "120");
    refresh_hz = 240;
    vsync = true;
    play();
    assert_in_range(session.steps, 118 * 4, 170 * 4); // 60 a second whatever the display
}

TEST(hints_name_the_keys_of_the_first_player)
{
    static const struct {
        uint32_t column;
        bool second;
    } rows[] = {{0, false}, {2, true}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct preferences preferences;
        struct error error;
        preferences_read(&preferences, "", &error);
        begin(4, "--connect", "SERVER", "--screen", "players");
        app_session_press_at(SECOND, (uint32_t)preferences.controls.buttons.keys[rows[i].column][ACTION_JUMP]);
        app_session_press_at(SECOND * 2, KEY_ESCAPE);
        app_session_press_at(SECOND * 9 / 4, KEY_ESCAPE);
        play();
        assert_false(seen.hints.by_gamepad);
        assert_int_equal(seen.hints.second_keys, rows[i].second);
    }
}

static uint64_t ticking_us(void)
{
    static uint64_t calls;
    return virtual_udp_now_ns() / 1000 + calls++ % 64;
}

TEST(the_net_graph_shows_the_bytes_of_a_second)
{
    begin(6, "--connect", "SERVER", NULL, NULL);
    app_session_press_at(SECOND, KEY_F3);
    session.config.now_us = ticking_us;
    play();
    uint64_t in = seen.net.statistics.bytes_in - seen.net_before.statistics.bytes_in;
    uint64_t out = seen.net.statistics.bytes_out - seen.net_before.statistics.bytes_out;
    assert_true(in > 1000 && out > 500);
    assert_in_range(seen.net.bytes_in_s, in * 9 / 10, in * 11 / 10);
    assert_in_range(seen.net.bytes_out_s, out * 9 / 10, out * 11 / 10);
    assert_in_range(seen.net_changes, 3, 6); // once a second
    assert_in_range(seen.net.draw_us, 1, 63);
    assert_in_range(seen.nets, 280, 305);
}

TEST(saved_settings_hold_from_the_beginning)
{
    begin(2, "--connect", "SERVER", NULL, NULL);
    test_folder_write("settings",
                      "volume = 3\nvolume-effects = 4\nvolume-ambience = 5\nvolume-music = 6\nreduced-motion = on\n");
    play();
    assert_true(app_session_has_logged("There is no sound: "));
    app_session_end();
    test_folder_write("settings", "");
    assert_int_equal(seen.volumes.master, 30);
    assert_int_equal(seen.volumes.effects, 40);
    assert_int_equal(seen.volumes.ambience, 50);
    assert_int_equal(seen.volumes.music, 60);
    assert_true(seen.reduced_motion);
    assert_true(seen.hints_drawn > 0);
    assert_false(seen.hints.by_gamepad);
    assert_false(seen.hints.second_keys);
}

TEST(a_picture_is_as_large_as_the_scale)
{
    static const struct {
        const char *scale;
        uint32_t times;
    } rows[] = {{"1", 1}, {"3", 3}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        png_image image = {.version = PNG_IMAGE_VERSION};
        begin(0.1, "--screenshot", "FOLDER/large.png", "--scale", rows[i].scale);
        play();
        assert_true(png_image_begin_read_from_file(&image, test_folder_path("large.png")));
        assert_int_equal(image.width, CANVAS_WIDTH * rows[i].times);
        assert_int_equal(image.height, CANVAS_HEIGHT * rows[i].times);
        png_image_free(&image);
        test_folder_run("rm large.png");
    }
}

TEST(a_program_that_ends_on_its_error_screen_has_failed)
{
    begin(40, "--connect", "SERVER", NULL, NULL);
    app_session_silence_server(true);
    assert_int_equal(app_run(&session.config), EXIT_UNAVAILABLE);
    assert_true(session.steps >= quit_step);
}

TEST(the_newest_device_names_the_keys)
{
    begin(2.5, "--connect", "SERVER", NULL, NULL);
    has_gamepad = true;
    silence_step = SECOND * 2;
    play();
    assert_true(seen.hints.by_gamepad);
    assert_true(seen.longest_us > 300000 && seen.longest_us < 600000);

    test_folder_write("settings", "large-text = on\n");
    begin(12, "--connect", "SERVER", NULL, NULL);
    has_gamepad = true;
    silence_step = SECOND * 2;
    app_run(&session.config);
    app_session_end();
    assert_string_equal(seen.status,
                        "The connection was lost. Connecting again: attempt 2 of 20. Start opens the menu.");
    assert_int_equal(seen.face, FONT_LARGE);
    assert_int_equal(seen.theme_count, 2); // waiting, and the map
    assert_int_equal(seen.themes[0], 0);
    assert_in_range(seen.themes[1], 1, MAP_THEMES);

    begin(2, "--replay", SOURCE_ROOT "/tests/golden/foundry.dfr", NULL, NULL);
    has_gamepad = true;
    play();
    assert_true(seen.large_bar);
    assert_true(seen.bar_hints.by_gamepad);
    test_folder_write("settings", "");
}

TEST(tab_shows_the_scoreboard_of_matches_and_replays)
{
    for (int replay = 0; replay < 2; replay++) {
        begin(2, replay ? "--replay" : "--connect", replay ? SOURCE_ROOT "/tests/golden/foundry.dfr" : "SERVER", NULL,
              NULL);
        held_key = KEY_TAB;
        play();
        assert_in_range(seen.scoreboards, 57, 62); // in the last second
        assert_int_equal(seen.scoreboards_below, replay ? REPLAY_BAR_PX : 0);
        assert_false(seen.large_bar);
        assert_false(seen.bar_hints.by_gamepad);
    }
}

TEST(keys_of_the_game_move_the_camera_of_a_replay)
{
    static const struct {
        uint32_t held, pressed, mode;
    } rows[] = {
        /* 1 */ {27, 0, SPECTATOR_CAMERA_PLAYER},     // X: shoot
        /* 2 */ {KEY_SPACE, 0, SPECTATOR_CAMERA_OWN}, // jump pauses
        /* 3 */ {0, KEY_F, SPECTATOR_CAMERA_FREE},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        begin(1.5, "--replay", SOURCE_ROOT "/tests/golden/foundry.dfr", NULL, NULL);
        held_key = rows[i].held;
        if (rows[i].pressed)
            app_session_press_at(SECOND / 2, rows[i].pressed);
        play();
        if (seen.camera != rows[i].mode)
            fail_msg("row %zu", i + 1);
    }
}

TEST(hints_keep_to_the_device_of_a_player_who_has_joined)
{
    for (uint32_t by_gamepad = 0; by_gamepad < 2; by_gamepad++) {
        begin(2, "--connect", "SERVER", "--screen", "players");
        has_gamepad = true; // after which Escape is pressed, or before
        if (!by_gamepad)
            app_session_press_at(SECOND / 2, KEY_SPACE);
        uint64_t closes = by_gamepad ? SECOND * 3 / 2 : SECOND / 2 + 20;
        app_session_press_at(closes, KEY_ESCAPE);
        app_session_press_at(closes + 20, KEY_ESCAPE);
        play();
        assert_true(seen.hints_drawn > 10);
        assert_int_equal(seen.hints.by_gamepad, by_gamepad);
        assert_false(seen.hints.second_keys);
    }
}

TEST(nothing_is_drawn_over_a_match_below_a_menu)
{
    begin(3, "--connect", "SERVER", NULL, NULL);
    app_session_press_at(SECOND * 2, KEY_ESCAPE);
    play();
    assert_in_range(seen.hints_drawn, 90, 121);
    assert_in_range(seen.menus, 58, 61);
}

TEST(the_title_has_a_match_of_bots_or_a_sky_behind_it)
{
    begin(0.5, NULL, NULL, NULL, NULL);
    play();
    assert_true(seen.demos > 20);
    assert_int_equal(seen.still_demos + seen.skies, 0);
    assert_int_equal(seen.theme_count, 1); // no ambience
    assert_int_equal(seen.themes[0], 0);
    test_folder_write("settings", "reduced-motion = on\n");
    begin(0.5, "--map", "/nowhere.tmj", NULL, NULL);
    play();
    assert_int_equal(seen.still_demos, seen.demos);
    assert_int_equal(seen.skies, seen.demos);
    test_folder_write("settings", "");
}

static void say(uint64_t step)
{
    each_step(step);
    if (step == SECOND)
        chat_broadcast_system(session.match, "A line of the server.");
}

TEST(a_chat_line_is_heard_once)
{
    begin(3, "--connect", "SERVER", NULL, NULL);
    session.each_step = say;
    session.match->world.rules.mode = MODE_TEAMS;
    play();
    assert_int_equal(app_session_times_logged("plays "), 1);
    assert_int_equal(app_session_times_logged("plays teams on duel\n"), 1);
    app_session_end();
    assert_int_equal(seen.chat_clicks, 1);
}

TEST(players_act_in_every_tick_however_slow_the_display_is)
{
    begin(5, "--connect", "SERVER", NULL, NULL);
    refresh_hz = 4;
    app_session_press_at(SECOND, KEY_F3);
    play();
    assert_in_range(seen.nets, 12, 18);
    assert_in_range(seen.net.statistics.inputs_missed, 0, 5);
}

static struct input_script script;
static tick joined_tick, moved_tick;

static void note_buttons(uint64_t step)
{
    const struct world *world = &session.match->world;
    each_step(step);
    if (!world->player_slots || world->players[0].state == PLAYER_ABSENT)
        return;
    joined_tick = joined_tick ? joined_tick : input_script_origin(world, 0);
    if (!moved_tick && world->players[0].buttons & BUTTON_RIGHT)
        moved_tick = world->tick;
}

TEST(a_script_counts_ticks_since_the_player_joined)
{
    struct error error;
    begin(3, "--connect", "SERVER", NULL, NULL);
    assert_true(input_script_read(&script, "script", "30 right\n", &error));
    session.config.script = &script;
    session.each_step = note_buttons;
    joined_tick = moved_tick = 0;
    play();
    assert_int_equal(moved_tick, joined_tick + 30);
}

TEST(the_log_says_where_an_event_happened)
{
    int32_t x = 0, y = 0;
    uint32_t happened = 0;
    begin(2, "--connect", "SERVER", NULL, NULL);
    app_session_press_at(SECOND * 3 / 2, KEY_SPACE);
    play();
    assert_true(app_session_has_logged("event jump subject=0 (you) other=65535 detail=0 x="));
    const char *line = strstr(session.logged, "event jump");
    assert_int_equal(sscanf(strstr(line, " x="), " x=%d y=%d tick=%u", &x, &y, &happened), 3);
    const struct world *world = &session.match->world;
    bool found = false;
    for (uint32_t i = 0; i < world->event_count; i++)
        found |= world->events[i].kind == EVENT_JUMP && world->events[i].x == x && world->events[i].y == y &&
                 world->events[i].tick == happened;
    assert_true(found);
}

static int32_t begun_x, last_x;

static void hold_right(uint64_t step)
{
    Uint8 *held = (Uint8 *)(uintptr_t)SDL_GetKeyboardState(NULL);
    each_step(step);
    held[KEY_RIGHT] = step > SECOND * 3 / 2 && step < quit_step;
    if (step == SECOND * 3 / 2)
        begun_x = session.match->world.actors[0].x;
    if (step == quit_step)
        last_x = session.match->world.actors[0].x;
}

TEST(held_keys_move_the_player_unless_a_menu_or_the_chat_is_open)
{
    static const struct {
        uint32_t key;
        bool moves;
    } rows[] = {{KEY_F3, true}, {KEY_RETURN, false}, {KEY_ESCAPE, false}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        begin(1.7, "--connect", "SERVER", NULL, NULL);
        app_session_press_at(SECOND, rows[i].key);
        session.each_step = hold_right;
        play();
        if (rows[i].moves ? last_x <= begun_x : last_x != begun_x)
            fail_msg("row %zu: from %d to %d", i + 1, begun_x, last_x);
        assert_int_equal(!!(seen.hints.tried & BUTTON_RIGHT), rows[i].moves);
        assert_true(seen.hints.since > 0);
        app_session_end();
    }
}

static int32_t first_x[2], end_x[2];

static void note_places(uint64_t step)
{
    each_step(step);
    for (int i = 0; i < 2; i++) {
        first_x[i] = step == SECOND * 3 / 2 ? session.match->world.actors[i].x : first_x[i];
        end_x[i] = step == quit_step ? session.match->world.actors[i].x : end_x[i];
    }
}

TEST(two_players_at_one_keyboard_have_a_set_of_keys_each)
{
    struct preferences preferences;
    struct error error;
    test_folder_write("settings", "key-left-other = 4\nkey-left-second = 4\n"); // A is in both sets
    preferences_read(&preferences, "", &error);
    begin(3, "--connect", "SERVER", "--screen", "players");
    uint32_t presses[] = {(uint32_t)preferences.controls.buttons.keys[0][ACTION_JUMP],
                          (uint32_t)preferences.controls.buttons.keys[2][ACTION_JUMP],
                          (uint32_t)preferences.controls.buttons.keys[2][ACTION_JUMP], KEY_ESCAPE, KEY_ESCAPE};
    for (uint32_t i = 0; i < 5; i++)
        app_session_press_at(SECOND + 16 * i, presses[i]);
    held_key = KEY_A;
    session.each_step = note_places;
    play();
    assert_int_equal(first_x[0], end_x[0]);
    assert_true(end_x[1] < first_x[1]);
    app_session_end();
    test_folder_write("settings", "");
}
