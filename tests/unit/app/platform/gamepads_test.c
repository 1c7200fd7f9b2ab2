// SPDX-License-Identifier: MIT
//
// Tests gamepads without hardware, with SDL's virtual joystick.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <SDL.h>
#include <cmocka.h>

#include "app/menu/menu_input.h"
#include "app/menu/screens.h"
#include "app/platform/window.h"
#include "game/input.h"

static struct window window;
static struct preferences preferences;
static struct menu menu;

static void look(void)
{
    SDL_Delay(2);
    window_poll(&window);
}

// Attaches a new virtual gamepad with every button of a controller and returns its device number.
static int attach(void)
{
    int device = SDL_JoystickAttachVirtual(SDL_JOYSTICK_TYPE_GAMECONTROLLER, SDL_CONTROLLER_AXIS_MAX,
                                           SDL_CONTROLLER_BUTTON_MAX, 0);
    if (device < 0)
        fail_msg("no virtual joystick: %s", SDL_GetError());
    look();
    look();
    return device;
}

static SDL_Joystick *joystick_of(uint32_t pad)
{
    return SDL_GameControllerGetJoystick(window.gamepads.open[pad]);
}

static void hold(uint32_t pad, int button, bool down)
{
    SDL_JoystickSetVirtualButton(joystick_of(pad), button, down);
    look();
    look();
}

static int open_window(void **state)
{
    struct error error;
    (void)state;
    SDL_setenv("SDL_VIDEODRIVER", "dummy", 1);
    SDL_SetHint(SDL_HINT_JOYSTICK_ALLOW_BACKGROUND_EVENTS, "1");
    preferences_read(&preferences, "", &error);
    return window_open(&window, 1, &preferences, &error) ? 0 : -1;
}

static int close_window(void **state)
{
    (void)state;
    window_close(&window);
    return 0;
}

static void a_gamepad_plays_only_while_it_is_plugged_in(void **state)
{
    (void)state;
    assert_false(gamepads_has(&window.gamepads, 0));
    int device = attach();
    assert_true(gamepads_has(&window.gamepads, 0));
    window_forget_taps(&window);
    hold(0, SDL_CONTROLLER_BUTTON_A, true);
    assert_int_equal(window_buttons(&window, DEVICE_GAMEPAD, false), BUTTON_JUMP);
    assert_int_equal(window_buttons(&window, DEVICE_ALL, false), BUTTON_JUMP);
    assert_int_equal(window_buttons(&window, DEVICE_KEYS, false), 0);
    hold(0, SDL_CONTROLLER_BUTTON_A, false);
    assert_int_equal(window_buttons(&window, DEVICE_GAMEPAD, false), 0);
    SDL_JoystickDetachVirtual(device);
    look();
    look();
    assert_false(gamepads_has(&window.gamepads, 0));
}

static void a_tap_shorter_than_a_tick_counts_once(void **state)
{
    (void)state;
    int device = attach();
    hold(0, SDL_CONTROLLER_BUTTON_X, true);
    hold(0, SDL_CONTROLLER_BUTTON_X, false);
    assert_int_equal(window_buttons(&window, DEVICE_GAMEPAD, false), BUTTON_SHOOT);
    assert_int_equal(window_buttons(&window, DEVICE_GAMEPAD, false), 0);
    SDL_JoystickDetachVirtual(device);
    look();
    look();
}

static void two_gamepads_control_two_players(void **state)
{
    (void)state;
    int first = attach(), second = attach();
    window_forget_taps(&window);
    hold(1, SDL_CONTROLLER_BUTTON_B, true);
    assert_int_equal(window_buttons(&window, DEVICE_GAMEPAD, false), 0);
    assert_int_equal(window_buttons(&window, DEVICE_GAMEPAD + 1, false), BUTTON_DASH);
    SDL_JoystickDetachVirtual(second);
    SDL_JoystickDetachVirtual(first);
    look();
    look();
}

static void a_push_of_the_stick_moves_the_focus_once(void **state)
{
    (void)state;
    int device = attach();
    menu = (struct menu){.preferences = &preferences};
    menu_open_alone(&menu, &SCREEN_TITLE);
    for (int i = 0; i < 5; i++) { // pushed farther and farther: still one push
        SDL_JoystickSetVirtualAxis(joystick_of(0), SDL_CONTROLLER_AXIS_LEFTY, (Sint16)(28000 + 1000 * i));
        look();
        for (uint32_t at = 0; at < window.event_count; at++)
            menu_input_take(&menu, &window.events[at]);
    }
    assert_string_equal(menu_focused(&menu)->label, "Join");
    assert_true(menu.by_gamepad);
    assert_int_equal(window_buttons(&window, DEVICE_GAMEPAD, false), BUTTON_DOWN);
    SDL_JoystickSetVirtualAxis(joystick_of(0), SDL_CONTROLLER_AXIS_LEFTY, 0);
    look();
    SDL_JoystickDetachVirtual(device);
    look();
    look();
}

static void a_button_is_bound_by_pressing_it(void **state)
{
    (void)state;
    int device = attach();
    menu = (struct menu){.preferences = &preferences};
    menu_open_alone(&menu, &SCREEN_GAMEPADS);
    while (strcmp(menu_focused(&menu)->label, "Jump"))
        menu_press(&menu, MENU_DOWN);
    menu_press(&menu, MENU_ACCEPT);
    SDL_JoystickSetVirtualButton(joystick_of(0), SDL_CONTROLLER_BUTTON_RIGHTSHOULDER, 1);
    for (int i = 0; i < 3 && menu.binding; i++) {
        look();
        for (uint32_t at = 0; at < window.event_count; at++)
            menu_input_take(&menu, &window.events[at]);
    }
    assert_false(menu.binding);
    window_forget_taps(&window);
    assert_int_equal(window_buttons(&window, DEVICE_GAMEPAD, false), BUTTON_JUMP);
    hold(0, SDL_CONTROLLER_BUTTON_RIGHTSHOULDER, false);
    hold(0, SDL_CONTROLLER_BUTTON_A, true);
    assert_int_equal(window_buttons(&window, DEVICE_GAMEPAD, false), 0);
    SDL_JoystickDetachVirtual(device);
}

int main(void)
{
    struct CMUnitTest tests[] = {
        cmocka_unit_test(a_gamepad_plays_only_while_it_is_plugged_in),
        cmocka_unit_test(a_tap_shorter_than_a_tick_counts_once),
        cmocka_unit_test(two_gamepads_control_two_players),
        cmocka_unit_test(a_push_of_the_stick_moves_the_focus_once),
        cmocka_unit_test(a_button_is_bound_by_pressing_it),
    };
    return cmocka_run_group_tests(tests, open_window, close_window);
}
