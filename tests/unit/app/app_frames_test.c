// SPDX-License-Identifier: MIT
//
// Tests what app_run() hands to its painters, and when: the rate of frames, the net graph, messages, hints, volumes.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <SDL.h>
#include <cmocka.h>
#include <png.h>

#include "app/app.h"
#include "app/platform/keyboard.h"
#include "app_session.h"
#include "virtual_udp.h"

#define SECOND 240 // steps of virtual time

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
} seen;

static uint32_t refresh_hz; ///< of the display; 0: as it is
static bool vsync;
static uint64_t key_step[8], quit_step;
static uint32_t keys[8];
static uint64_t silence_step; ///< at which the server vanishes; 0: never

void __real_window_show(struct window *window, const struct canvas *canvas);
void __wrap_window_show(struct window *window, const struct canvas *canvas);
void __wrap_window_show(struct window *window, const struct canvas *canvas)
{
    seen.frames++;
    __real_window_show(window, canvas);
}

bool __real_window_open(struct window *window, uint32_t scale, const struct preferences *preferences,
                        struct error *error);
bool __wrap_window_open(struct window *window, uint32_t scale, const struct preferences *preferences,
                        struct error *error);
bool __wrap_window_open(struct window *window, uint32_t scale, const struct preferences *preferences,
                        struct error *error)
{
    bool open = __real_window_open(window, scale, preferences, error);
    window->vsync = vsync;
    window->refresh_hz = refresh_hz ? refresh_hz : window->refresh_hz;
    return open;
}

void __real_draw_menu(struct canvas *canvas, const struct menu *menu, uint32_t anim_tick);
void __wrap_draw_menu(struct canvas *canvas, const struct menu *menu, uint32_t anim_tick);
void __wrap_draw_menu(struct canvas *canvas, const struct menu *menu, uint32_t anim_tick)
{
    if (!seen.menus++)
        seen.first_menu_tick = anim_tick;
    seen.last_menu_tick = anim_tick;
    __real_draw_menu(canvas, menu, anim_tick);
}

void __real_hud_draw_message(struct canvas *canvas, enum font_face face, const struct hud_message *message);
void __wrap_hud_draw_message(struct canvas *canvas, enum font_face face, const struct hud_message *message);
void __wrap_hud_draw_message(struct canvas *canvas, enum font_face face, const struct hud_message *message)
{
    if (!seen.messages++)
        seen.first_message_tick = message->anim_tick;
    seen.last_message_tick = message->anim_tick;
    snprintf(seen.title, sizeof seen.title, "%s", message->title);
    snprintf(seen.back, sizeof seen.back, "%s", message->back);
    if (!seen.message_count || strcmp(seen.message[seen.message_count - 1], message->text)) {
        assert_in_range(seen.message_count, 0, 63);
        snprintf(seen.message[seen.message_count++], sizeof *seen.message, "%s", message->text);
    }
    __real_hud_draw_message(canvas, face, message);
}

void __real_hud_draw_net(struct canvas *canvas, const struct hud_net *net);
void __wrap_hud_draw_net(struct canvas *canvas, const struct hud_net *net);
void __wrap_hud_draw_net(struct canvas *canvas, const struct hud_net *net)
{
    seen.net_changes += seen.nets && net->bytes_in_s != seen.net.bytes_in_s;
    if (session.steps <= quit_step - SECOND)
        seen.net_before = *net;
    seen.nets++;
    seen.net = *net;
    __real_hud_draw_net(canvas, net);
}

void __real_hints_draw(const struct frame *frame, const struct hints *hints);
void __wrap_hints_draw(const struct frame *frame, const struct hints *hints);
void __wrap_hints_draw(const struct frame *frame, const struct hints *hints)
{
    seen.hints = *hints;
    seen.hints_drawn++;
    seen.reduced_motion = frame->display->reduced_motion;
    __real_hints_draw(frame, hints);
}

bool __real_sound_device_open(struct sound_device *device, const struct sound_volumes *volumes, struct error *error);
bool __wrap_sound_device_open(struct sound_device *device, const struct sound_volumes *volumes, struct error *error);
bool __wrap_sound_device_open(struct sound_device *device, const struct sound_volumes *volumes, struct error *error)
{
    seen.volumes = *volumes;
    return __real_sound_device_open(device, volumes, error);
}

static void each_step(uint64_t step)
{
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (keys[i] && key_step[i] == step) {
            SDL_Event event = {.type = SDL_KEYDOWN};
            event.key.keysym.scancode = (SDL_Scancode)keys[i];
            SDL_PushEvent(&event);
        }
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
    memset(keys, 0, sizeof keys);
    refresh_hz = 0;
    vsync = false;
    silence_step = 0;
    quit_step = (uint64_t)(seconds * SECOND);
    app_session_begin(NULL, words);
    session.each_step = each_step;
}

static void frames_come_at_the_rate_of_what_is_shown(void **state)
{
    (void)state;
    begin(2, NULL, NULL, NULL, NULL);
    assert_int_equal(app_run(&session.config), EXIT_OK);
    app_session_end();
    assert_in_range(seen.frames, 118, 122); // menus: 60 a second
    assert_in_range(seen.menus, seen.frames - 1, seen.frames);
    assert_int_equal(seen.first_menu_tick, 0);
    assert_in_range(seen.last_menu_tick, 117, 121);

    begin(2, "--connect", "SERVER", NULL, NULL);
    app_session_silence_server(true);
    assert_int_equal(app_run(&session.config), EXIT_OK);
    app_session_end();
    assert_in_range(seen.frames, 29, 31); // waiting: 15 a second
    assert_int_equal(seen.messages, seen.frames);
    assert_in_range(seen.last_message_tick - seen.first_message_tick, 110, 120);
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
        assert_int_equal(app_run(&session.config), EXIT_OK);
        app_session_end();
        uint32_t frames = seen.frames - seen.first_second;
        if (frames < rows[i].least || frames > rows[i].most)
            fail_msg("row %zu: %u frames", i + 1, frames);
    }

    begin(60, "--connect", "SERVER", "--frames", "120");
    refresh_hz = 240;
    vsync = true;
    assert_int_equal(app_run(&session.config), EXIT_OK);
    assert_in_range(session.steps, 118 * 4, 170 * 4); // 60 a second whatever the display
    app_session_end();
}

static void a_lost_connection_counts_its_attempts(void **state)
{
    (void)state;
    begin(20, "--connect", "SERVER", NULL, NULL);
    silence_step = SECOND;
    app_run(&session.config);
    app_session_end();
    assert_string_equal(seen.title, "The connection was lost");
    assert_string_equal(seen.message[seen.message_count - 1], "Reconnecting: attempt 3 of 20");
    assert_string_equal(seen.message[seen.message_count - 2], "Reconnecting: attempt 3 of 20 in 1 s");
    assert_string_equal(seen.message[seen.message_count - 6], "Reconnecting: attempt 1 of 20 in 1 s");
    assert_string_equal(seen.message[0], "Connecting to the server.");
}

static void hints_name_the_keys_of_the_first_player(void **state)
{
    static const struct {
        uint32_t column;
        bool second;
    } rows[] = {{0, false}, {2, true}};
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct preferences preferences;
        struct error error;
        preferences_read(&preferences, "", &error);
        begin(4, "--connect", "SERVER", "--screen", "players");
        keys[0] = (uint32_t)preferences.keys[rows[i].column][ACTION_JUMP];
        key_step[0] = SECOND;
        keys[1] = keys[2] = KEY_ESCAPE;
        key_step[1] = SECOND * 2;
        key_step[2] = SECOND * 9 / 4;
        assert_int_equal(app_run(&session.config), EXIT_OK);
        app_session_end();
        assert_false(seen.hints.by_gamepad);
        assert_int_equal(seen.hints.second_keys, rows[i].second);
    }
}

static uint64_t ticking_us(void)
{
    static uint64_t calls;
    return virtual_udp_now_ns() / 1000 + calls++ % 64;
}

static void the_net_graph_shows_the_bytes_of_a_second(void **state)
{
    (void)state;
    begin(6, "--connect", "SERVER", NULL, NULL);
    keys[0] = KEY_F3;
    key_step[0] = SECOND;
    session.config.now_us = ticking_us;
    assert_int_equal(app_run(&session.config), EXIT_OK);
    app_session_end();
    uint64_t in = seen.net.statistics.bytes_in - seen.net_before.statistics.bytes_in;
    uint64_t out = seen.net.statistics.bytes_out - seen.net_before.statistics.bytes_out;
    assert_true(in > 1000 && out > 500);
    assert_in_range(seen.net.bytes_in_s, in * 9 / 10, in * 11 / 10);
    assert_in_range(seen.net.bytes_out_s, out * 9 / 10, out * 11 / 10);
    assert_in_range(seen.net_changes, 3, 6); // once a second
    assert_in_range(seen.net.draw_us, 1, 63);
    assert_in_range(seen.nets, 280, 305);
}

static void saved_settings_hold_from_the_beginning(void **state)
{
    char path[128];
    (void)state;
    begin(2, "--connect", "SERVER", NULL, NULL);
    snprintf(path, sizeof path, "%s/settings", session.folder);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fprintf(file, "volume = 3\nvolume-effects = 4\nvolume-ambience = 5\nreduced-motion = on\n");
    fclose(file);
    assert_int_equal(app_run(&session.config), EXIT_OK);
    assert_true(app_session_has_logged("There is no sound: "));
    app_session_end();
    remove(path);
    assert_int_equal(seen.volumes.master, 30);
    assert_int_equal(seen.volumes.effects, 40);
    assert_int_equal(seen.volumes.ambience, 50);
    assert_true(seen.reduced_motion);
    assert_true(seen.hints_drawn > 0);
    assert_false(seen.hints.by_gamepad);
    assert_false(seen.hints.second_keys);
}

static void a_picture_is_as_large_as_the_scale(void **state)
{
    static const struct {
        const char *scale;
        uint32_t times;
    } rows[] = {{"1", 1}, {"3", 3}};
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char path[128];
        png_image image = {.version = PNG_IMAGE_VERSION};
        begin(0.1, "--screenshot", "FOLDER/large.png", "--scale", rows[i].scale);
        assert_int_equal(app_run(&session.config), EXIT_OK);
        app_session_end();
        snprintf(path, sizeof path, "%s/large.png", session.folder);
        assert_true(png_image_begin_read_from_file(&image, path));
        assert_int_equal(image.width, CANVAS_WIDTH * rows[i].times);
        assert_int_equal(image.height, CANVAS_HEIGHT * rows[i].times);
        png_image_free(&image);
        remove(path);
    }
}

static void a_program_that_ends_on_its_error_screen_has_failed(void **state)
{
    (void)state;
    begin(40, "--connect", "SERVER", NULL, NULL);
    app_session_silence_server(true);
    assert_int_equal(app_run(&session.config), EXIT_UNAVAILABLE);
    assert_true(session.steps >= quit_step);
    app_session_end();
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

static void held_keys_move_the_player_unless_a_menu_or_the_chat_is_open(void **state)
{
    static const struct {
        uint32_t key;
        bool moves;
    } rows[] = {{KEY_F3, true}, {KEY_RETURN, false}, {KEY_ESCAPE, false}};
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        begin(1.7, "--connect", "SERVER", NULL, NULL);
        keys[0] = rows[i].key;
        key_step[0] = SECOND;
        session.each_step = hold_right;
        assert_int_equal(app_run(&session.config), EXIT_OK);
        if ((last_x > begun_x) != rows[i].moves)
            fail_msg("row %zu: from %d to %d", i + 1, begun_x, last_x);
        app_session_end();
    }
}

int main(void)
{
    struct CMUnitTest tests[] = {
        cmocka_unit_test(frames_come_at_the_rate_of_what_is_shown),
        cmocka_unit_test(a_lost_connection_counts_its_attempts),
        cmocka_unit_test(hints_name_the_keys_of_the_first_player),
        cmocka_unit_test(the_net_graph_shows_the_bytes_of_a_second),
        cmocka_unit_test(saved_settings_hold_from_the_beginning),
        cmocka_unit_test(a_picture_is_as_large_as_the_scale),
        cmocka_unit_test(a_program_that_ends_on_its_error_screen_has_failed),
        cmocka_unit_test(held_keys_move_the_player_unless_a_menu_or_the_chat_is_open),
    };
    return cmocka_run_group_tests(tests, app_session_create, app_session_destroy);
}
