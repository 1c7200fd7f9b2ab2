// SPDX-License-Identifier: MIT
//
// Tests keys and the mouse, through the same window as real ones, and their effects in a match, a replay and menus.
#include <SDL.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/menu/draw_menu.h"
#include "app/menu/screens.h"
#include "game/input.h"
#include "test.h"
#include "test_folder.h"
#include "window/keyboard.h"
#include "window/window.h"

static struct window window;
static struct preferences preferences;
static struct menu menu;

static void open_window(void)
{
    struct error error;
    SDL_setenv("SDL_VIDEODRIVER", "dummy", 1);
    preferences_read(&preferences, "", &error);
    assert_true(window_open(&window, preferences_window_setup(&preferences, 2), &error));
}

static void close_window(void)
{
    window_close(&window);
}

ALL_TESTS(open_window, close_window);

static const struct window_event *only_event(SDL_Event *event)
{
    window_poll(&window);
    SDL_PushEvent(event);
    window_poll(&window);
    assert_int_equal(window.event_count, 1);
    return &window.events[0];
}

static const struct window_event *press(uint32_t key, bool repeats, uint16_t modifiers)
{
    SDL_Event event = {.type = SDL_KEYDOWN};
    event.key.keysym.scancode = (SDL_Scancode)key;
    event.key.keysym.mod = modifiers;
    event.key.repeat = repeats;
    return only_event(&event);
}

TEST(a_key_is_an_event_and_a_tap_for_every_device_with_that_key)
{
    const struct window_event *event = press(KEY_SPACE, false, 0);
    assert_int_equal(event->kind, WINDOW_KEY);
    assert_int_equal(event->code, KEY_SPACE);
    assert_false(event->repeated);
    assert_false(event->with_alt);
    assert_int_equal(window_buttons(&window, DEVICE_KEYS, false), BUTTON_JUMP);
    assert_int_equal(window_buttons(&window, DEVICE_KEYS, false), 0);
    assert_int_equal(window_buttons(&window, DEVICE_ALL, false), BUTTON_JUMP);
    assert_int_equal(window_buttons(&window, DEVICE_KEYS_SECOND, false), 0);
    assert_int_equal(window_buttons(&window, DEVICE_GAMEPAD, false), 0);
    press((uint32_t)preferences.controls.buttons.keys[2][ACTION_DASH], false, 0);
    assert_int_equal(window_buttons(&window, DEVICE_KEYS_SECOND, false), BUTTON_DASH);
    assert_true(press(KEY_SPACE, true, KMOD_RALT)->repeated);
    assert_true(window.events[0].with_alt);
    assert_int_equal(window_buttons(&window, DEVICE_KEYS, false), 0);
    press(KEY_SPACE, false, 0);
    window_forget_taps(&window);
    assert_int_equal(window_buttons(&window, DEVICE_KEYS, false), 0);
}

TEST(held_keys_play_and_a_second_player_has_other_keys)
{
    Uint8 *held = (Uint8 *)(uintptr_t)SDL_GetKeyboardState(NULL);
    preferences.controls.buttons.keys[0][ACTION_LEFT] = preferences.controls.buttons.keys[2][ACTION_LEFT] = KEY_LEFT;
    held[KEY_LEFT] = 1;
    assert_int_equal(window_buttons(&window, DEVICE_ALL, false), BUTTON_LEFT);
    assert_int_equal(window_buttons(&window, DEVICE_KEYS, false), BUTTON_LEFT);
    assert_int_equal(window_buttons(&window, DEVICE_KEYS, true), 0); // another player has that key
    assert_int_equal(window_buttons(&window, DEVICE_KEYS_SECOND, true), BUTTON_LEFT);
    held[KEY_LEFT] = 0;
    held[KEY_A] = held[KEY_W] = 1;
    assert_int_equal(window_buttons(&window, DEVICE_KEYS, true), BUTTON_LEFT | BUTTON_UP);
    assert_true(keyboard_is_held(KEY_A));
    held[KEY_A] = held[KEY_W] = 0;
    assert_false(keyboard_is_held(KEY_A));
    assert_int_equal(window_buttons(&window, DEVICE_ALL, false), 0);
}

TEST(the_mouse_has_a_position_on_the_canvas)
{
    static const struct {
        uint32_t scaling;
        int32_t x, y, canvas_x, canvas_y;
    } rows[] = {
        {SCALING_INTEGER, 100, 50, 50, 25}, {SCALING_AUTO, 102, 52, 51, 26}, {SCALING_STRETCH, 100, 50, 50, 25}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        preferences.window.scaling = rows[i].scaling;
        window_apply_settings(&window);
        SDL_Event event = {.type = SDL_MOUSEBUTTONDOWN};
        event.button.button = SDL_BUTTON_LEFT;
        event.button.x = rows[i].x;
        event.button.y = rows[i].y;
        const struct window_event *click = only_event(&event);
        assert_int_equal(click->kind, WINDOW_CLICK);
        assert_int_equal(click->code, 1);
        assert_int_equal(click->x, rows[i].canvas_x);
        assert_int_equal(click->y, rows[i].canvas_y);
        event.button.button = SDL_BUTTON_RIGHT;
        assert_int_equal(only_event(&event)->code, 2);
        event.type = SDL_MOUSEBUTTONUP;
        event.button.button = SDL_BUTTON_LEFT;
        assert_int_equal(only_event(&event)->kind, WINDOW_RELEASE);
        SDL_Event motion = {.type = SDL_MOUSEMOTION};
        motion.motion.x = rows[i].x;
        motion.motion.y = rows[i].y;
        const struct window_event *moved = only_event(&motion);
        assert_int_equal(moved->kind, WINDOW_POINTER);
        assert_int_equal(moved->code, 0);
        assert_int_equal(moved->x, rows[i].canvas_x);
        motion.motion.state = SDL_BUTTON_LMASK;
        assert_int_equal(only_event(&motion)->code, 1);
    }
    SDL_Event wheel = {.type = SDL_MOUSEWHEEL};
    wheel.wheel.y = -2;
    assert_int_equal(only_event(&wheel)->kind, WINDOW_WHEEL);
    assert_int_equal(window.events[0].x, -2);
}

TEST(events_beyond_the_capacity_are_dropped)
{
    SDL_Event event = {.type = SDL_TEXTINPUT};
    SDL_strlcpy(event.text.text, "\u00e9", sizeof event.text.text);
    for (int i = 0; i < WINDOW_EVENT_CAPACITY + 5; i++)
        SDL_PushEvent(&event);
    window_poll(&window);
    assert_int_equal(window.event_count, WINDOW_EVENT_CAPACITY);
    assert_int_equal(window.events[WINDOW_EVENT_CAPACITY - 1].kind, WINDOW_TEXT);
    assert_string_equal(window.events[0].text, "\u00e9");
    event = (SDL_Event){.type = SDL_WINDOWEVENT};
    event.window.event = SDL_WINDOWEVENT_CLOSE;
    SDL_PushEvent(&event);
    window_poll(&window);
    assert_true(window.closed);
    assert_false(window.quit);
    event.type = SDL_QUIT; // a signal
    SDL_PushEvent(&event);
    window_poll(&window);
    assert_true(window.quit);
}

TEST(text_input_is_on_only_when_requested)
{
    assert_false(SDL_IsTextInputActive());
    window_text_input(true);
    assert_true(SDL_IsTextInputActive());
    window_text_input(false);
    assert_false(SDL_IsTextInputActive());
}

TEST(keys_have_the_names_of_the_keyboard_layout)
{
    static const struct {
        uint32_t key;
        const char *name;
    } rows[] = {{KEY_A, "A"}, {KEY_SPACE, "Space"}, {KEY_LEFT, "Left"}, {0, "none"}, {500, "key 500"}};
    char name[32];
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        controls_key_name(rows[i].key, name, sizeof name);
        assert_string_equal(name, rows[i].name);
    }
}

// The keys that README and the replay bar name.
TEST(keys_do_what_the_hints_say)
{
    static const struct {
        uint32_t key, actions;
    } rows[] = {
        {KEY_SPACE, HOTKEY_PAUSE},
        {KEY_P, HOTKEY_PAUSE},
        {KEY_LEFT, HOTKEY_BACK},
        {KEY_COMMA, HOTKEY_BACK},
        {KEY_RIGHT, HOTKEY_FORWARD},
        {KEY_PERIOD, HOTKEY_FORWARD},
        {KEY_PAGE_UP, HOTKEY_FAR_BACK},
        {KEY_PAGE_DOWN, HOTKEY_FAR_FORWARD},
        {KEY_MINUS, HOTKEY_SLOWER},
        {KEY_KP_MINUS, HOTKEY_SLOWER},
        {KEY_EQUALS, HOTKEY_FASTER},
        {KEY_KP_PLUS, HOTKEY_FASTER},
        {KEY_F, HOTKEY_FREE_CAMERA},
        {KEY_T, 0},
        {KEY_1, 0},
        {KEY_W, 0},
        {KEY_ESCAPE, 0},
    };
    static const struct {
        uint32_t key, actions;
    } in_match[] = {
        {KEY_RETURN, HOTKEY_CHAT},
        {KEY_T, HOTKEY_CHAT},
        {KEY_U, HOTKEY_TEAM_CHAT},
        {KEY_Y, HOTKEY_YES},
        {KEY_N, HOTKEY_NO},
        {KEY_F2, HOTKEY_PEOPLE},
        {KEY_F3, HOTKEY_NET},
        {KEY_1, HOTKEY_CHOICE},
        {KEY_E, 0},
        {KEY_6, HOTKEY_CHOICE << 5},
        {KEY_P, 0},
        {0, 0},
    };
    struct preferences kept;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        assert_int_equal(controls_replay_actions(rows[i].key), rows[i].actions);
    assert_true(preferences_read(&kept, "", NULL));
    for (size_t i = 0; i < sizeof in_match / sizeof *in_match; i++)
        assert_int_equal(controls_match_actions(&kept.controls, in_match[i].key), in_match[i].actions);
    kept.controls.match_keys[0][MATCH_CHAT] = KEY_P;
    kept.controls.match_keys[0][MATCH_NO] = KEY_RETURN; // which then says no, and opens no chat
    kept.controls.match_keys[1][MATCH_EMOTES] = KEY_2;
    assert_int_equal(controls_match_actions(&kept.controls, KEY_P), HOTKEY_CHAT);
    assert_int_equal(controls_match_actions(&kept.controls, KEY_T), 0);
    assert_int_equal(controls_match_actions(&kept.controls, KEY_RETURN), HOTKEY_NO);
    assert_int_equal(controls_match_actions(&kept.controls, KEY_2), 0);
    assert_int_equal(controls_gamepad_actions(GAMEPAD_BUTTON_BACK), HOTKEY_PAUSE);
    assert_int_equal(controls_gamepad_actions(GAMEPAD_BUTTON_LEFT_TRIGGER), HOTKEY_BACK);
    assert_int_equal(controls_gamepad_actions(GAMEPAD_BUTTON_RIGHT_SHOULDER), HOTKEY_FORWARD);
    assert_int_equal(controls_gamepad_actions(GAMEPAD_BUTTON_A), 0);
}

static void begin_menu(const struct screen *screen)
{
    struct error error;
    preferences_read(&preferences, "", &error);
    menu = (struct menu){.preferences = &preferences};
    menu_open_alone(&menu, &SCREEN_TITLE);
    menu_open(&menu, screen);
}

static void take(enum window_event_kind kind, uint32_t code)
{
    menu_input_take(&menu, &(struct window_event){.kind = kind, .code = code});
}

TEST(keys_and_buttons_navigate_menus)
{
    static const struct {
        uint32_t key, button;
        enum menu_press press;
    } rows[] = {
        {KEY_UP, GAMEPAD_BUTTON_UP, MENU_UP},          {KEY_W, GAMEPAD_BUTTON_UP, MENU_UP},
        {KEY_DOWN, GAMEPAD_BUTTON_DOWN, MENU_DOWN},    {KEY_S, GAMEPAD_BUTTON_DOWN, MENU_DOWN},
        {KEY_TAB, GAMEPAD_BUTTON_DOWN, MENU_DOWN},     {KEY_LEFT, GAMEPAD_BUTTON_LEFT, MENU_LEFT},
        {KEY_A, GAMEPAD_BUTTON_LEFT, MENU_LEFT},       {KEY_RIGHT, GAMEPAD_BUTTON_RIGHT, MENU_RIGHT},
        {KEY_D, GAMEPAD_BUTTON_RIGHT, MENU_RIGHT},     {KEY_RETURN, GAMEPAD_BUTTON_A, MENU_ACCEPT},
        {KEY_KP_ENTER, GAMEPAD_BUTTON_A, MENU_ACCEPT}, {KEY_SPACE, GAMEPAD_BUTTON_START, MENU_ACCEPT},
        {KEY_ESCAPE, GAMEPAD_BUTTON_B, MENU_BACK},     {KEY_ESCAPE, GAMEPAD_BUTTON_BACK, MENU_BACK},
        {KEY_BACKSPACE, GAMEPAD_BUTTON_Y, MENU_ERASE}, {KEY_DELETE, GAMEPAD_BUTTON_Y, MENU_ERASE},
        {KEY_F, GAMEPAD_BUTTON_X, MENU_EXTRA},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        begin_menu(&SCREEN_SOUND);
        take(WINDOW_KEY, rows[i].key);
        assert_int_equal(menu.moved, 1);
        assert_int_equal(menu.last, rows[i].press);
        assert_false(menu.by_gamepad);
        take(WINDOW_GAMEPAD, rows[i].button);
        assert_int_equal(menu.moved, 2);
        assert_int_equal(menu.last, rows[i].press);
        assert_true(menu.by_gamepad);
    }
    begin_menu(&SCREEN_SOUND);
    take(WINDOW_KEY, KEY_P);
    take(WINDOW_GAMEPAD, GAMEPAD_BUTTON_GUIDE);
    take(WINDOW_RELEASE, 0);
    assert_int_equal(menu.moved, 0);
}

TEST(a_key_that_is_held_repeats_steps_but_accepts_once)
{
    static const struct {
        uint32_t key;
        bool repeats;
    } rows[] = {{KEY_UP, true},      {KEY_DOWN, true},      {KEY_LEFT, true},    {KEY_RIGHT, true},
                {KEY_RETURN, false}, {KEY_BACKSPACE, true}, {KEY_ESCAPE, false}, {KEY_F, false}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        begin_menu(&SCREEN_SOUND);
        menu_input_take(&menu, &(struct window_event){.kind = WINDOW_KEY, .code = rows[i].key, .repeated = true});
        assert_int_equal(menu.moved, rows[i].repeats);
    }
}

TEST(letters_are_text_while_the_player_types)
{
    begin_menu(&SCREEN_PLAYER);
    take(WINDOW_KEY, KEY_RETURN);
    assert_true(menu.typing);
    take(WINDOW_KEY, KEY_W);
    take(WINDOW_KEY, KEY_SPACE);
    menu_input_take(&menu, &(struct window_event){.kind = WINDOW_TEXT, .text = "w"});
    assert_string_equal(preferences.name, "w");
    assert_int_equal(menu.moved, 1);
    take(WINDOW_KEY, KEY_BACKSPACE);
    assert_string_equal(preferences.name, "");
}

TEST(a_key_is_bound_unless_it_is_escape_or_held)
{
    begin_menu(&SCREEN_KEYS);
    take(WINDOW_KEY, KEY_RETURN);
    assert_true(menu.binding);
    menu_input_take(&menu, &(struct window_event){.kind = WINDOW_KEY, .code = KEY_RETURN, .repeated = true});
    assert_true(menu.binding);
    take(WINDOW_KEY, KEY_UP); // taken as a binding, not as a step
    assert_false(menu.binding);
    assert_int_equal(preferences.controls.buttons.keys[0][ACTION_LEFT], KEY_UP);
    take(WINDOW_KEY, KEY_RETURN);
    take(WINDOW_KEY, KEY_ESCAPE);
    assert_false(menu.binding);
    assert_int_equal(preferences.controls.buttons.keys[0][ACTION_LEFT], KEY_UP);
    assert_ptr_equal(menu_screen(&menu), &SCREEN_KEYS);
}

TEST(the_mouse_points_clicks_and_scrolls)
{
    begin_menu(&SCREEN_SETTINGS);
    struct window_event event = {.kind = WINDOW_POINTER, .x = CANVAS_WIDTH / 2};
    for (event.y = 0; event.y < CANVAS_HEIGHT && menu.focus[menu.depth - 1] != 2; event.y++)
        menu_input_take(&menu, &event);
    assert_int_equal(menu.focus[menu.depth - 1], 2);
    assert_ptr_equal(menu_screen(&menu), &SCREEN_SETTINGS);
    event.kind = WINDOW_WHEEL;
    event.x = -1;
    menu_input_take(&menu, &event);
    assert_int_equal(menu.focus[menu.depth - 1], 3);
    event.x = 1;
    menu_input_take(&menu, &event);
    assert_int_equal(menu.focus[menu.depth - 1], 2);
    event = (struct window_event){.kind = WINDOW_CLICK, .code = 1, .x = CANVAS_WIDTH / 2, .y = event.y};
    menu_input_take(&menu, &event);
    assert_ptr_equal(menu_screen(&menu), &SCREEN_SOUND);
    event.code = 2;
    menu_input_take(&menu, &event);
    assert_ptr_equal(menu_screen(&menu), &SCREEN_SETTINGS);
    event = (struct window_event){.kind = WINDOW_CLICK, .code = 1, .x = 5, .y = 5}; // beside everything
    menu_input_take(&menu, &event);
    assert_ptr_equal(menu_screen(&menu), &SCREEN_SETTINGS);
}

TEST(fingers_play_or_tap_and_drag_as_the_use_says)
{
    window_use_touch(&window, TOUCH_USE_PLAY);
    struct touch_circle jump = window.touch.circles[TOUCH_JUMP];
    int32_t w = window.touch.surface.w, h = window.touch.surface.h;
    window_poll(&window);
    window_push_finger(&window, 1, true, jump.x * 1000 / w, jump.y * 1000 / h);
    window_push_finger(&window, 2, false, 0, 0); // was never down
    window_poll(&window);
    assert_int_equal(window.event_count, 1);
    assert_int_equal(window.events[0].kind, WINDOW_TOUCH);
    assert_int_equal(window.events[0].code, TOUCH_JUMP);
    assert_int_equal(window.events[0].buttons, BUTTON_JUMP);
    assert_int_equal(window_buttons(&window, DEVICE_ALL, false), BUTTON_JUMP);
    assert_int_equal(window_buttons(&window, DEVICE_KEYS, false), BUTTON_JUMP);
    assert_int_equal(window_buttons(&window, DEVICE_GAMEPAD, false), 0);
    window_push_finger(&window, 1, false, 0, 0);
    window_poll(&window);
    assert_int_equal(window_buttons(&window, DEVICE_ALL, false), 0);
    window_use_touch(&window, TOUCH_USE_POINTER);
    window_push_finger(&window, 1, true, 500, 250);
    window_push_finger(&window, 1, false, 0, 0);
    window_poll(&window);
    assert_int_equal(window.event_count, 1);
    assert_int_equal(window.events[0].kind, WINDOW_TAP);
    assert_int_equal(window.events[0].x, CANVAS_WIDTH / 2);
    assert_int_equal(window.events[0].y, CANVAS_HEIGHT / 4);
    window_push_finger(&window, 1, true, 500, 500);
    window_push_finger(&window, 1, true, 500, 250);
    window_push_finger(&window, 1, false, 0, 0);
    window_poll(&window);
    assert_int_equal(window.event_count, 2);
    assert_int_equal(window.events[0].kind, WINDOW_DRAG);
    assert_int_equal(window.events[0].code, 1);
    assert_int_equal(window.events[0].down, -CANVAS_HEIGHT / 4);
    assert_int_equal(window.events[1].kind, WINDOW_RELEASE);
}

TEST(a_finger_taps_items_and_buttons_that_are_larger_for_it)
{
    begin_menu(&SCREEN_SETTINGS);
    int32_t row_px = draw_menu_row_px(&menu);
    menu.by_touch = true;
    assert_true(draw_menu_row_px(&menu) > row_px);
    struct window_event event = {.kind = WINDOW_TAP, .x = CANVAS_WIDTH / 2};
    while (event.y < CANVAS_HEIGHT && draw_menu_item_at(&menu, event.x, event.y) != 2)
        event.y++;
    menu_input_take(&menu, &event);
    assert_ptr_equal(menu_screen(&menu), &SCREEN_SOUND);
    menu.focus[menu.depth - 1] = 0;
    int64_t volume = preferences.volume;
    event.y = 0;
    while (event.y < CANVAS_HEIGHT && draw_menu_item_at(&menu, event.x, event.y) != 0)
        event.y++;
    menu_input_take(&menu, &event); // left of the value
    assert_int_equal(preferences.volume, volume - 1);
    event.x = CANVAS_WIDTH - 90;
    menu_input_take(&menu, &event);
    assert_int_equal(preferences.volume, volume);
    enum menu_press press;
    assert_false(draw_menu_button_at(&menu, 20, 20, &press));
    event = (struct window_event){.kind = WINDOW_TAP, .x = 20, .y = CANVAS_HEIGHT - 10};
    menu_input_take(&menu, &event);
    assert_ptr_equal(menu_screen(&menu), &SCREEN_SETTINGS);
    menu.by_touch = false;
}

static argb pixel_at(int x, int y)
{
    argb pixel = 0;
    SDL_RenderReadPixels(window.renderer, &(SDL_Rect){x, y, 1, 1}, SDL_PIXELFORMAT_ARGB8888, &pixel, 4);
    return pixel;
}

TEST(the_canvas_fills_the_window)
{
    static struct canvas canvas;
    int w, h;
    SDL_GetWindowMinimumSize(window.window, &w, &h);
    assert_int_equal(w, CANVAS_WIDTH);
    assert_int_equal(h, CANVAS_HEIGHT);
    SDL_GetWindowSize(window.window, &w, &h);
    assert_int_equal(w, 2 * CANVAS_WIDTH);
    assert_int_equal(h, 2 * CANVAS_HEIGHT);
    assert_string_equal(SDL_GetWindowTitle(window.window), "Deadfall");
    assert_int_equal(window.refresh_hz, 60);
    for (int32_t i = 0; i < CANVAS_WIDTH * CANVAS_HEIGHT; i++)
        canvas.pixels[i] = i % CANVAS_WIDTH < 10   ? RGB(0x102030)
                           : i / CANVAS_WIDTH < 10 ? RGB(0x405060)
                                                   : RGB(0x708090);
    preferences.window.scaling = SCALING_STRETCH;
    window_apply_settings(&window);
    window_show(&window, &canvas);
    assert_int_equal(pixel_at(19, 300), RGB(0x102030));
    assert_int_equal(pixel_at(20, 300), RGB(0x708090));
    assert_int_equal(pixel_at(300, 19), RGB(0x405060));
    assert_int_equal(pixel_at(300, 20), RGB(0x708090));
    SDL_SetWindowSize(window.window, 2 * CANVAS_WIDTH, 3 * CANVAS_HEIGHT);
    window_show(&window, &canvas);
    assert_int_equal(pixel_at(300, 3 * CANVAS_HEIGHT - 1), RGB(0x708090));
    preferences.window.scaling = SCALING_FIT; // with black bars above and below
    window_apply_settings(&window);
    window_show(&window, &canvas);
    assert_int_equal(pixel_at(300, 3 * CANVAS_HEIGHT - 1) & 0xFFFFFF, 0);
    assert_int_equal(pixel_at(300, CANVAS_HEIGHT / 2 + 20), RGB(0x708090));
    SDL_SetWindowSize(window.window, 2 * CANVAS_WIDTH, 2 * CANVAS_HEIGHT);
    preferences.window.scaling = SCALING_INTEGER;
    window_apply_settings(&window);
}

TEST(without_a_scale_the_window_fits_the_display)
{
    struct window other;
    struct error error;
    int w, h;
    window_close(&window);
    assert_true(
        window_open(&other, preferences_window_setup(&preferences, 0), &error)); // the dummy display: 1024 x 768
    SDL_GetWindowSize(other.window, &w, &h);
    assert_int_equal(w, CANVAS_WIDTH);
    assert_int_equal(h, CANVAS_HEIGHT);
    window_close(&other);
    assert_null(other.window);
    SDL_setenv("SDL_VIDEODRIVER", "there is none", 1);
    assert_false(window_open(&other, preferences_window_setup(&preferences, 1), &error));
    assert_non_null(strstr(error.text, "No window can be opened"));
    SDL_setenv("SDL_VIDEODRIVER", "dummy", 1);
    assert_true(window_open(&window, preferences_window_setup(&preferences, 2), &error));
}

TEST(a_picture_has_whole_pixels_where_they_fill_the_window)
{
    static const struct {
        int32_t w, h;
        uint32_t scaling;
        struct window_place place;
    } rows[] = {
        /* 1 */ {1920, 1080, SCALING_AUTO, {0, 0, 1920, 1080, 4, false}},
        /* 2 */ {1440, 900, SCALING_AUTO, {0, 45, 1440, 810, 3, false}}, // just 90 %
        /* 3 */ {1440, 901, SCALING_AUTO, {0, 45, 1440, 810, 3, false}}, // the same size, though it fits
        /* 4 */ {1366, 768, SCALING_AUTO, {0, 0, 1365, 768, 2, true}},
        /* 5 */ {1366, 768, SCALING_INTEGER, {203, 114, 960, 540, 2, false}},
        /* 6 */ {1280, 1024, SCALING_AUTO, {0, 152, 1280, 720, 2, true}},
        /* 7 */ {2560, 1440, SCALING_AUTO, {0, 0, 2560, 1440, 5, true}},
        /* 8 */ {2560, 1440, SCALING_FIT, {0, 0, 2560, 1440, 5, true}},
        /* 9 */ {1000, 1000, SCALING_STRETCH, {0, 0, 1000, 1000, 2, true}},
        /* 10 */ {240, 135, SCALING_INTEGER, {0, 0, 240, 135, 1, true}}, // smaller than the canvas
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct window_place place = window_place(rows[i].w, rows[i].h, 480, 270, rows[i].scaling);
        if (place.x != rows[i].place.x || place.y != rows[i].place.y || place.w != rows[i].place.w ||
            place.h != rows[i].place.h || place.scale != rows[i].place.scale ||
            place.filtered != rows[i].place.filtered)
            fail_msg("row %zu: %d, %d, %d x %d, %u, %d", i + 1, place.x, place.y, place.w, place.h, place.scale,
                     place.filtered);
    }
}

TEST(the_pointer_is_hidden_and_shown)
{
    window_show_pointer(&window, false);
    assert_int_equal(SDL_ShowCursor(SDL_QUERY), SDL_DISABLE);
    window_show_pointer(&window, true);
    assert_int_equal(SDL_ShowCursor(SDL_QUERY), SDL_ENABLE);
}

static int room_w, room_h;   ///< of the display; 0: as SDL says
static bool refuses_vsync;   ///< as a display without a graphics card does
static bool refuses_windows; ///< that draw in any way

int __real_SDL_GetDisplayUsableBounds(int display, SDL_Rect *room);
int __wrap_SDL_GetDisplayUsableBounds(int display, SDL_Rect *room);
int __wrap_SDL_GetDisplayUsableBounds(int display, SDL_Rect *room)
{
    if (!room_w)
        return __real_SDL_GetDisplayUsableBounds(display, room);
    *room = (SDL_Rect){0, 0, room_w, room_h};
    return room_w < 0 ? -1 : 0;
}

SDL_Renderer *__real_SDL_CreateRenderer(SDL_Window *on, int index, Uint32 flags);
SDL_Renderer *__wrap_SDL_CreateRenderer(SDL_Window *on, int index, Uint32 flags);
SDL_Renderer *__wrap_SDL_CreateRenderer(SDL_Window *on, int index, Uint32 flags)
{
    bool vsync = flags & SDL_RENDERER_PRESENTVSYNC;
    assert_int_equal(index, -1);
    return refuses_windows || (vsync && refuses_vsync) ? NULL : __real_SDL_CreateRenderer(on, index, flags);
}

static bool refuses_to_open;

SDL_Window *__real_SDL_CreateWindow(const char *title, int x, int y, int w, int h, Uint32 flags);
SDL_Window *__wrap_SDL_CreateWindow(const char *title, int x, int y, int w, int h, Uint32 flags);
SDL_Window *__wrap_SDL_CreateWindow(const char *title, int x, int y, int w, int h, Uint32 flags)
{
    return refuses_to_open ? NULL : __real_SDL_CreateWindow(title, x, y, w, h, flags);
}

TEST(a_window_is_as_large_as_nine_tenths_of_the_display_allow)
{
    static const struct {
        int w, h, window_w, window_h; // the last two: the window's, whole pixels where they lose at most a third
    } rows[] = {{1920, 1080, 1280, 720}, {712, 401, 640, 360},   {1423, 801, 1280, 720}, {1422, 801, 1279, 719},
                {1423, 799, 1278, 718},  {1280, 720, 1152, 648}, {100, 100, 640, 360},   {-1, 0, 1280, 720}};
    struct error error;
    int w, h;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        window_close(&window);
        room_w = rows[i].w;
        room_h = rows[i].h;
        refuses_vsync = i % 2;
        preferences.window.fullscreen = false;
        assert_true(window_open(&window, preferences_window_setup(&preferences, 0), &error));
        SDL_GetWindowSize(window.window, &w, &h);
        assert_int_equal(w, rows[i].window_w);
        assert_int_equal(h, rows[i].window_h);
        assert_true(SDL_GetWindowFlags(window.window) & SDL_WINDOW_RESIZABLE);
        assert_false(SDL_GetWindowFlags(window.window) & SDL_WINDOW_FULLSCREEN_DESKTOP);
    }
    room_w = 0;
    refuses_vsync = false;
    window_close(&window);
    refuses_windows = true;
    assert_false(window_open(&window, preferences_window_setup(&preferences, 2), &error));
    assert_null(window.window);
    refuses_windows = false;
    refuses_to_open = true;
    assert_false(window_open(&window, preferences_window_setup(&preferences, 2), &error));
    refuses_to_open = false;
    assert_true(window_open(&window, preferences_window_setup(&preferences, 2), &error));
}

TEST(full_screen_follows_the_preferences)
{
    preferences.window.fullscreen = true;
    window_apply_settings(&window);
    assert_true(SDL_GetWindowFlags(window.window) & SDL_WINDOW_FULLSCREEN_DESKTOP);
    preferences.window.fullscreen = false;
    window_apply_settings(&window);
    assert_false(SDL_GetWindowFlags(window.window) & SDL_WINDOW_FULLSCREEN_DESKTOP);
}

TEST(files_of_the_player_have_a_folder)
{
    char path[256], brief[20];
    test_folder_make();
    const char *expected = test_folder_path("deadfall/settings");
    SDL_setenv("XDG_DATA_HOME", test_folder_path(""), 1);
    window_pref_path("deadfall", "settings", path, sizeof path);
    assert_string_equal(path, expected);
    window_pref_path("deadfall", "settings", brief, sizeof brief);
    assert_string_equal(brief, "");
    window_pref_path("deadfall", "settings", path, strlen(expected) + 1);
    assert_string_equal(path, expected);
    window_pref_path("deadfall", "settings", path, strlen(expected));
    assert_string_equal(path, "");
    test_folder_remove();
}

static const char *key_name; ///< of the layout; NULL: SDL's

const char *__real_SDL_GetKeyName(SDL_Keycode key);
const char *__wrap_SDL_GetKeyName(SDL_Keycode key);
const char *__wrap_SDL_GetKeyName(SDL_Keycode key)
{
    return key_name ? key_name : __real_SDL_GetKeyName(key);
}

TEST(keys_of_a_layout_without_latin_letters_have_their_usual_names)
{
    static const struct {
        const char *layout, *name;
    } rows[] = {{"\u00d6", "\u00d6"}, {"\u00ff", "\u00ff"}, {"\u0100", "A"},
                {"\u0424", "A"},      {"a\u0424", "A"},     {"", "A"}};
    char name[32];
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        key_name = rows[i].layout;
        controls_key_name(KEY_A, name, sizeof name);
        assert_string_equal(name, rows[i].name);
    }
    key_name = NULL;
}
