// SPDX-License-Identifier: MIT
#include "shell_events.h"

#include "app/menu/menu_input.h"
#include "app/menu/screens.h"
#include "app/platform/hotkeys.h"
#include "app/platform/keyboard.h"

static void toggle_fullscreen(struct session_context *context)
{
    context->profile.preferences.fullscreen = !context->profile.preferences.fullscreen;
    context->profile.unsaved = true;
    window_apply_preferences(&context->window);
}

// --- the lobby

// The device that a key belongs to in the lobby: the second set's if somebody has it, else the first's.
static uint32_t device_of_key(const struct session_context *context, uint32_t key)
{
    const struct preferences *preferences = &context->profile.preferences;
    uint32_t first = keyboard_pressed(preferences, KEYBOARD_FIRST, key),
             second = keyboard_pressed(preferences, KEYBOARD_SECOND, key);
    bool has_second = lobby_find(&context->lobby, DEVICE_KEYS_SECOND) < LOCAL_PLAYERS;
    return second && (has_second || !first) ? DEVICE_KEYS_SECOND : first ? DEVICE_KEYS : DEVICES;
}

static void next_mode(struct session_context *context)
{
    struct preferences *preferences = &context->profile.preferences;
    uint32_t people = lobby_count(&context->lobby), mode = preferences_mode(preferences, people);
    do
        mode = (mode + 1) % MODES;
    while (!screen_map_suits(preferences->map, mode));
    preferences->mode = PREFERENCES_MODE_AUTO;
    if (preferences_mode(preferences, people) != mode)
        preferences->mode = mode;
    context->profile.unsaved = true;
}

static void next_map(struct session_context *context)
{
    screen_step_map(&context->menu, false);
    context->profile.unsaved = true;
}

// None, or as many as fill the match up to two more players than before.
static void next_bots(struct session_context *context)
{
    context->profile.preferences.bots =
        context->profile.preferences.bots >= LOBBY_BOTS_MAX ? 0 : context->profile.preferences.bots / 2 * 2 + 2;
    context->profile.unsaved = true;
}

static void open_variants(struct session_context *context)
{
    menu_open(&context->menu, &SCREEN_VARIANTS);
}

// Fingers press the buttons of the first set of keys.
static bool touch_in_lobby(struct session_context *context, const struct window_event *event)
{
    if (event->code == TOUCH_PAUSE && event->tapped)
        menu_press(&context->menu, MENU_BACK);
    for (uint32_t action = 0; action < PREFERENCES_ACTIONS; action++)
        if (event->buttons >> action & 1)
            lobby_press(&context->lobby, DEVICE_KEYS, (enum player_action)action);
    return true;
}

// In the lobby, the presses of those who play choose and do nothing else. Returns whether this is one.
static bool press_in_lobby(struct session_context *context, const struct window_event *event)
{
    const struct preferences *preferences = &context->profile.preferences;
    bool pad = event->kind == WINDOW_GAMEPAD, key = event->kind == WINDOW_KEY;
    if (menu_screen(&context->menu) != &SCREEN_LOBBY)
        return false;
    if (event->kind == WINDOW_TOUCH)
        return touch_in_lobby(context, event);
    if (!(pad || key))
        return false;
    context->menu.by_gamepad = pad;
    context->menu.gamepad = pad ? event->gamepad : context->menu.gamepad;
    static const struct {
        uint32_t key, button;
        void (*act)(struct session_context *context);
    } SETTINGS[] = {{KEY_M, GAMEPAD_BUTTON_BACK, next_mode},
                    {KEY_N, GAMEPAD_BUTTON_LEFT_STICK, next_map},
                    {KEY_B, GAMEPAD_BUTTON_RIGHT_STICK, next_bots},
                    {KEY_V, GAMEPAD_BUTTON_LEFT_TRIGGER, open_variants}};
    for (size_t i = 0; i < sizeof SETTINGS / sizeof *SETTINGS && menu_lobby_begins(&context->menu); i++)
        if (event->code == (pad ? SETTINGS[i].button : SETTINGS[i].key)) {
            if (!event->repeated)
                SETTINGS[i].act(context);
            return true;
        }
    if (event->code == (pad ? (uint32_t)GAMEPAD_BUTTON_START : KEY_RETURN))
        return true; // which is held
    uint32_t device = pad ? DEVICE_GAMEPAD + event->gamepad : device_of_key(context, event->code);
    uint32_t buttons = pad                     ? gamepads_pressed(preferences, event->code)
                       : device == DEVICES     ? 0
                       : device == DEVICE_KEYS ? keyboard_pressed(preferences, KEYBOARD_FIRST, event->code)
                                               : keyboard_pressed(preferences, KEYBOARD_SECOND, event->code);
    for (uint32_t action = 0; action < PREFERENCES_ACTIONS; action++)
        if (buttons >> action & 1)
            return event->repeated || lobby_press(&context->lobby, device, (enum player_action)action);
    return false;
}

// --- all events

static void handle(struct shell *shell, const struct window_event *event)
{
    struct session_context *context = &shell->context;
    struct menu *menu = &context->menu;
    struct session_status match = shell_status(shell, SHELL_PLAY);
    bool key = event->kind == WINDOW_KEY && !event->repeated, types = menu->typing || match.types;
    bool is_free = key && !types && !menu->binding && !session_plays_by(context, event->code);
    uint32_t actions = is_free ? hotkeys_in_match(&context->profile.preferences, event->code) : 0;
    const struct session *front = shell_front(shell);
    if (key && (event->code == KEY_F11 || (event->code == KEY_RETURN && event->with_alt)))
        toggle_fullscreen(context);
    else if (actions & HOTKEY_PEOPLE && menu_screen(menu) == &SCREEN_ROSTER)
        menu_command(menu, APP_COMMAND_RESUME, NULL);
    else if (actions & HOTKEY_PEOPLE && !menu->depth && match.is_playing) {
        menu_open_alone(menu, &SCREEN_PAUSE);
        menu_open(menu, &SCREEN_ROSTER);
    } else if (actions & HOTKEY_NET)
        menu_command(menu, APP_COMMAND_NET, NULL);
    else if (press_in_lobby(context, event))
        menu->moved++;
    else if (menu->depth)
        menu_input_take(menu, event);
    else
        front->does->event(front->state, event);
}

// Returns whether the player uses fingers from an event on: also while they type by the screen's keyboard.
static bool is_by_touch(const struct shell *shell, const struct window_event *event)
{
    const struct menu *menu = &shell->context.menu;
    bool types = menu->typing || shell_status(shell, SHELL_PLAY).types;
    bool press = event->kind <= WINDOW_GAMEPAD || event->kind == WINDOW_CLICK;
    return event->kind >= WINDOW_TOUCH || (menu->by_touch && (!press || types));
}

// A window that is closed while the question is shown means it.
static void handle_close(struct shell *shell)
{
    struct menu *menu = &shell->context.menu;
    if (!shell->context.window.closed)
        return;
    shell->context.window.closed = false;
    menu_command(menu, APP_COMMAND_QUIT, NULL);
    menu->command.is_confirmed = menu_screen(menu) == &SCREEN_LEAVE && menu->facts.leaving.kind == APP_COMMAND_QUIT;
    shell_execute(shell);
}

void shell_events_handle(struct shell *shell)
{
    struct window *window = &shell->context.window;
    struct menu *menu = &shell->context.menu;
    window_poll(window);
    shell->quits |= window->quit;
    handle_close(shell);
    for (uint32_t i = 0; i < window->event_count; i++) {
        const struct window_event *event = &window->events[i];
        bool by_touch = is_by_touch(shell, event);
        if (event->kind != WINDOW_TAP) // a tap hits what is drawn, which its first one makes larger
            menu->by_touch = by_touch;
        menu->by_gamepad &= event->kind < WINDOW_TOUCH;
        shell->pointer_rests = event->kind < WINDOW_POINTER || (shell->pointer_rests && event->kind >= WINDOW_TOUCH);
        handle(shell, event);
        menu->by_touch = by_touch;
        shell_execute(shell);
    }
}
