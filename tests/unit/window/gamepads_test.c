// SPDX-License-Identifier: MIT
//
// Tests gamepads without hardware, with SDL's virtual joystick.
#include <SDL.h>
#include <stdlib.h>
#include <string.h>

#include "app/menu/draw_menu.h"
#include "app/menu/screens.h"
#include "game/input.h"
#include "test.h"
#include "window/window.h"

#define SONY 0x054C // as a vendor of gamepads

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

static void detach(int device)
{
    SDL_JoystickDetachVirtual(device);
    look();
    look();
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

static void open_window(void)
{
    struct error error;
    SDL_setenv("SDL_VIDEODRIVER", "dummy", 1);
    SDL_SetHint(SDL_HINT_JOYSTICK_ALLOW_BACKGROUND_EVENTS, "1");
    preferences_read(&preferences, "", &error);
    assert_true(window_open(&window, preferences_window_setup(&preferences, 1), &error));
}

static void close_window(void)
{
    window_close(&window);
}

ALL_TESTS(open_window, close_window);

TEST(a_gamepad_plays_only_while_it_is_plugged_in)
{
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
    detach(device);
    assert_false(gamepads_has(&window.gamepads, 0));
}

TEST(a_tap_shorter_than_a_tick_counts_once)
{
    int device = attach();
    hold(0, SDL_CONTROLLER_BUTTON_X, true);
    hold(0, SDL_CONTROLLER_BUTTON_X, false);
    assert_int_equal(window_buttons(&window, DEVICE_GAMEPAD, false), BUTTON_SHOOT);
    assert_int_equal(window_buttons(&window, DEVICE_GAMEPAD, false), 0);
    detach(device);
}

TEST(two_gamepads_control_two_players)
{
    int first = attach(), second = attach();
    window_forget_taps(&window);
    hold(1, SDL_CONTROLLER_BUTTON_B, true);
    assert_int_equal(window_buttons(&window, DEVICE_GAMEPAD, false), 0);
    assert_int_equal(window_buttons(&window, DEVICE_GAMEPAD + 1, false), BUTTON_DASH);
    detach(second);
    detach(first);
}

TEST(a_push_of_the_stick_moves_the_focus_once)
{
    int device = attach();
    menu = (struct menu){.preferences = &preferences};
    menu_open_alone(&menu, &SCREEN_TITLE);
    for (int i = 0; i < 5; i++) { // pushed farther and farther: still one push
        SDL_JoystickSetVirtualAxis(joystick_of(0), SDL_CONTROLLER_AXIS_LEFTY, (Sint16)(28000 + 1000 * i));
        look();
        for (uint32_t at = 0; at < window.event_count; at++)
            menu_input_take(&menu, &window.events[at]);
    }
    assert_string_equal(menu_focused(&menu)->label, "Play together");
    assert_true(menu.by_gamepad);
    assert_int_equal(window_buttons(&window, DEVICE_GAMEPAD, false), BUTTON_DOWN);
    SDL_JoystickSetVirtualAxis(joystick_of(0), SDL_CONTROLLER_AXIS_LEFTY, 0);
    look();
    detach(device);
}

TEST(a_button_is_bound_by_pressing_it)
{
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
    preferences_read(&preferences, "", &(struct error){0});
    look();
    look();
}

static void push(int16_t x, int16_t y)
{
    SDL_JoystickSetVirtualAxis(joystick_of(0), SDL_CONTROLLER_AXIS_LEFTX, x);
    SDL_JoystickSetVirtualAxis(joystick_of(0), SDL_CONTROLLER_AXIS_LEFTY, y);
    look();
}

TEST(the_stick_has_eight_directions_and_a_dead_zone)
{
    static const struct {
        int16_t x, y;
        uint32_t buttons;
    } rows[] = {
        {20000, 0, BUTTON_RIGHT},
        {-20000, 0, BUTTON_LEFT},
        {0, 20000, BUTTON_DOWN},
        {0, -20000, BUTTON_UP},
        {20000, 20000, BUTTON_RIGHT | BUTTON_DOWN},
        {-20000, 20000, BUTTON_LEFT | BUTTON_DOWN},
        {20000, -20000, BUTTON_RIGHT | BUTTON_UP},
        {-20000, -20000, BUTTON_LEFT | BUTTON_UP},
        {8000, 0, 0}, // the dead zone: a quarter of the way
        {8500, 0, BUTTON_RIGHT},
        {0, -8000, 0},
        {-6500, 6500, BUTTON_LEFT | BUTTON_DOWN},
        {-5500, 5500, 0},
        {20000, 7500, BUTTON_RIGHT}, // a diagonal begins at 22.5 degrees
        {20000, 9000, BUTTON_RIGHT | BUTTON_DOWN},
        {-7500, -20000, BUTTON_UP},
        {-9000, -20000, BUTTON_LEFT | BUTTON_UP},
    };
    int device = attach();
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        push(rows[i].x, rows[i].y);
        window_forget_taps(&window);
        uint32_t found = window_buttons(&window, DEVICE_GAMEPAD, false);
        if (found != rows[i].buttons)
            fail_msg("row %zu: %x", i, found);
    }
    detach(device);
}

// Returns the code of the only press since the last look; 0: none.
static uint32_t pressed(void)
{
    assert_in_range(window.event_count, 0, 1);
    if (!window.event_count)
        return 0;
    assert_int_equal(window.events[0].kind, WINDOW_GAMEPAD);
    assert_int_equal(window.events[0].gamepad, 0);
    return window.events[0].code;
}

TEST(a_push_is_a_press_once_and_again_after_a_release)
{
    static const struct {
        int16_t x, y;
        uint32_t button;
    } rows[] = {
        {0, 19000, 0}, // less than six tenths
        {0, 20500, GAMEPAD_BUTTON_DOWN},
        {0, 30000, 0},
        {0, 9000, 0}, // still pushed
        {0, 25000, 0},
        {0, 7000, 0}, // released
        {0, 25000, GAMEPAD_BUTTON_DOWN},
        {0, 0, 0},
        {0, -25000, GAMEPAD_BUTTON_UP},
        {0, 0, 0},
        {-25000, 0, GAMEPAD_BUTTON_LEFT},
        {0, 0, 0},
        {25000, 0, GAMEPAD_BUTTON_RIGHT},
        {0, 0, 0},
    };
    int device = attach();
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        push(rows[i].x, rows[i].y);
        if (pressed() != rows[i].button)
            fail_msg("row %zu: %u", i, pressed());
    }
    detach(device);
}

TEST(triggers_are_buttons)
{
    static const struct {
        SDL_GameControllerAxis axis;
        uint32_t button;
    } rows[] = {{SDL_CONTROLLER_AXIS_TRIGGERLEFT, GAMEPAD_BUTTON_LEFT_TRIGGER},
                {SDL_CONTROLLER_AXIS_TRIGGERRIGHT, GAMEPAD_BUTTON_RIGHT_TRIGGER}};
    struct preferences own = preferences;
    struct error error;
    int device = attach();
    for (size_t i = 0; i < 2; i++) {
        preferences_read(&preferences, "", &error);
        memset(preferences.controls.buttons.gamepad_buttons, 0, sizeof preferences.controls.buttons.gamepad_buttons);
        preferences.controls.buttons.gamepad_buttons[1][ACTION_DASH] = rows[i].button;
        SDL_JoystickSetVirtualAxis(joystick_of(0), rows[i].axis, -32768); // at rest
        look();
        window_forget_taps(&window);
        assert_int_equal(window_buttons(&window, DEVICE_GAMEPAD, false), 0);
        SDL_JoystickSetVirtualAxis(joystick_of(0), rows[i].axis, 32000);
        look();
        assert_int_equal(pressed(), rows[i].button);
        assert_int_equal(window_buttons(&window, DEVICE_GAMEPAD, false), BUTTON_DASH);
        assert_int_equal(window_buttons(&window, DEVICE_GAMEPAD, false), BUTTON_DASH); // still held
        SDL_JoystickSetVirtualAxis(joystick_of(0), rows[i].axis, -20000);
        look();
        assert_int_equal(pressed(), 0);
        assert_int_equal(window_buttons(&window, DEVICE_GAMEPAD, false), 0);
    }
    preferences = own;
    detach(device);
}

static int SDLCALL feel(void *felt, Uint16 low, Uint16 high)
{
    ((uint32_t *)felt)[0] = low;
    ((uint32_t *)felt)[1] = high;
    return 0;
}

static int attach_model(uint16_t vendor, uint16_t product, uint32_t felt[2])
{
    SDL_VirtualJoystickDesc desc = {.version = SDL_VIRTUAL_JOYSTICK_DESC_VERSION,
                                    .type = SDL_JOYSTICK_TYPE_GAMECONTROLLER,
                                    .naxes = SDL_CONTROLLER_AXIS_MAX,
                                    .nbuttons = SDL_CONTROLLER_BUTTON_MAX,
                                    .vendor_id = vendor,
                                    .product_id = product,
                                    .userdata = felt,
                                    .Rumble = felt ? feel : NULL};
    int device = SDL_JoystickAttachVirtualEx(&desc);
    look();
    look();
    return device;
}

TEST(a_gamepad_has_the_family_that_its_maker_says)
{
    static const struct {
        uint16_t vendor, product;
        enum pad_family family;
    } rows[] = {
        {0x045E, 0x0B12, PAD_XBOX},      // Xbox Series
        {SONY, 0x05C4, PAD_PLAYSTATION}, // DualShock 4
        {SONY, 0x0CE6, PAD_PLAYSTATION}, // DualSense
        {0x057E, 0x2009, PAD_SWITCH},    // Switch Pro
        {0x1234, 0x5678, PAD_XBOX},      // nobody's
    };
    assert_int_equal(gamepads_family(&window.gamepads, 0), PAD_XBOX); // there is none
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        memset(window.gamepads.models, 0, sizeof window.gamepads.models);
        int device = attach_model(rows[i].vendor, rows[i].product, NULL);
        if (gamepads_family(&window.gamepads, 0) != rows[i].family)
            fail_msg("row %zu: %d", i, gamepads_family(&window.gamepads, 0));
        detach(device);
    }
    memset(window.gamepads.models, 0, sizeof window.gamepads.models);
}

TEST(a_gamepad_shakes_alone_or_with_the_others)
{
    uint32_t felt[2][2] = {{0}};
    attach_model(SONY, 0x05C4, felt[0]);
    attach_model(SONY, 0x0CE6, felt[1]);
    uint32_t first = gamepads_has(&window.gamepads, 0) ? 0 : 1;
    while (!gamepads_has(&window.gamepads, first))
        first++;
    gamepads_rumble(&window.gamepads, first, 1000, 2000, 60);
    uint32_t shaken = felt[0][0] == 1000 && felt[0][1] == 2000 ? 0 : 1;
    assert_int_equal(felt[shaken][0], 1000);
    assert_int_equal(felt[1 - shaken][0], 0);
    gamepads_rumble(&window.gamepads, GAMEPAD_ANY, 3000, 4000, 60);
    assert_true(felt[0][0] == 3000 && felt[1][0] == 3000 && felt[1][1] == 4000);
    for (int i = 0; i < 100 && felt[0][0] + felt[1][0]; i++) // and ends by itself
        look();
    assert_int_equal(felt[0][0] + felt[1][0], 0);
    detach(1);
    detach(0);
}

TEST(two_gamepads_that_come_back_in_another_order_keep_their_numbers)
{
    uint32_t felt[2];
    memset(window.gamepads.models, 0, sizeof window.gamepads.models);
    attach_model(SONY, 0x05C4, felt);
    attach_model(SONY, 0x0CE6, felt);
    char first[40], second[40];
    memcpy(first, window.gamepads.models[0], sizeof first);
    memcpy(second, window.gamepads.models[1], sizeof second);
    assert_string_not_equal(first, second);
    detach(0);
    detach(0);
    assert_false(gamepads_has(&window.gamepads, 0) || gamepads_has(&window.gamepads, 1));
    attach_model(SONY, 0x0CE6, felt);
    assert_false(gamepads_has(&window.gamepads, 0));
    assert_true(gamepads_has(&window.gamepads, 1));
    attach_model(SONY, 0x05C4, felt);
    assert_true(gamepads_has(&window.gamepads, 0));
    detach(0);
    detach(0);
    attach_model(SONY, 0x0268, felt); // an unknown one gets a number that nobody waits for
    assert_true(gamepads_has(&window.gamepads, 2));
    detach(0);
    memset(window.gamepads.models, 0, sizeof window.gamepads.models);
}

TEST(more_gamepads_than_places_are_left_out)
{
    int devices[GAMEPAD_CAPACITY + 1];
    for (int i = 0; i <= GAMEPAD_CAPACITY; i++)
        devices[i] = attach();
    for (uint32_t i = 0; i < GAMEPAD_CAPACITY; i++)
        assert_true(gamepads_has(&window.gamepads, i));
    assert_false(gamepads_has(&window.gamepads, GAMEPAD_CAPACITY));
    window_forget_taps(&window);
    hold(GAMEPAD_CAPACITY - 1, SDL_CONTROLLER_BUTTON_A, true);
    assert_int_equal(window.tapped[DEVICE_GAMEPAD + GAMEPAD_CAPACITY - 1], BUTTON_JUMP);
    assert_int_equal(window.tapped[DEVICE_ALL], BUTTON_JUMP);
    detach(devices[1]);
    assert_false(gamepads_has(&window.gamepads, 1)); // the others keep their places
    assert_true(gamepads_has(&window.gamepads, 0));
    assert_true(gamepads_has(&window.gamepads, 2));
}
