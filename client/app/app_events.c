// SPDX-License-Identifier: MIT
#include "app_events.h"

#include <stdio.h>

#include "app/hud/hud.h"
#include "app/menu/menu_input.h"
#include "app/menu/screens.h"
#include "app/platform/hotkeys.h"
#include "app/platform/keyboard.h"
#include "app/replay/replay_bar.h"
#include "app_chat.h"
#include "app_commands.h"
#include "app_trial.h"

static void toggle_fullscreen(struct app *app)
{
    app->preferences.fullscreen = !app->preferences.fullscreen;
    app->unsaved = true;
    window_apply_preferences(&app->window);
}

// The device that a key belongs to in the lobby: the second set's if somebody has it, else the first's.
static uint32_t device_of_key(const struct app *app, uint32_t key)
{
    const struct preferences *preferences = &app->preferences;
    uint32_t first = keyboard_pressed(preferences, KEYBOARD_FIRST, key),
             second = keyboard_pressed(preferences, KEYBOARD_SECOND, key);
    bool has_second = lobby_find(&app->local.lobby, DEVICE_KEYS_SECOND) < LOCAL_PLAYERS;
    return second && (has_second || !first) ? DEVICE_KEYS_SECOND : first ? DEVICE_KEYS : DEVICES;
}

static void next_mode(struct app *app)
{
    struct preferences *preferences = &app->preferences;
    uint32_t people = lobby_count(&app->local.lobby), mode = preferences_mode(preferences, people);
    do
        mode = (mode + 1) % MODES;
    while (!screen_map_suits(preferences->map, mode));
    preferences->mode = PREFERENCES_MODE_AUTO;
    if (preferences_mode(preferences, people) != mode)
        preferences->mode = mode;
    app->unsaved = true;
}

static void next_map(struct app *app)
{
    screen_step_map(&app->menu, false);
    app->unsaved = true;
}

// None, or as many as fill the match up to two more players than before.
static void next_bots(struct app *app)
{
    app->preferences.bots = app->preferences.bots >= LOBBY_BOTS_MAX ? 0 : app->preferences.bots / 2 * 2 + 2;
    app->unsaved = true;
}

static void open_variants(struct app *app)
{
    menu_open(&app->menu, &SCREEN_VARIANTS);
}

// Fingers press the buttons of the first set of keys.
static bool touch_in_lobby(struct app *app, const struct window_event *event)
{
    if (event->code == TOUCH_PAUSE && event->tapped)
        menu_press(&app->menu, MENU_BACK);
    for (uint32_t action = 0; action < PREFERENCES_ACTIONS; action++)
        if (event->buttons >> action & 1)
            lobby_press(&app->local.lobby, DEVICE_KEYS, (enum player_action)action);
    return true;
}

// In the lobby, the presses of those who play choose and do nothing else. Returns whether this is one.
static bool take_in_lobby(struct app *app, const struct window_event *event)
{
    const struct preferences *preferences = &app->preferences;
    bool pad = event->kind == WINDOW_GAMEPAD, key = event->kind == WINDOW_KEY;
    if (menu_screen(&app->menu) != &SCREEN_LOBBY)
        return false;
    if (event->kind == WINDOW_TOUCH)
        return touch_in_lobby(app, event);
    if (!(pad || key))
        return false;
    app->menu.by_gamepad = pad;
    app->menu.gamepad = pad ? event->gamepad : app->menu.gamepad;
    static const struct {
        uint32_t key, button;
        void (*act)(struct app *app);
    } SETTINGS[] = {{KEY_M, GAMEPAD_BUTTON_BACK, next_mode},
                    {KEY_N, GAMEPAD_BUTTON_LEFT_STICK, next_map},
                    {KEY_B, GAMEPAD_BUTTON_RIGHT_STICK, next_bots},
                    {KEY_V, GAMEPAD_BUTTON_LEFT_TRIGGER, open_variants}};
    for (size_t i = 0; i < sizeof SETTINGS / sizeof *SETTINGS && menu_lobby_begins(&app->menu); i++)
        if (event->code == (pad ? SETTINGS[i].button : SETTINGS[i].key)) {
            if (!event->repeated)
                SETTINGS[i].act(app);
            return true;
        }
    if (event->code == (pad ? (uint32_t)GAMEPAD_BUTTON_START : KEY_RETURN))
        return true; // which is held
    uint32_t device = pad ? DEVICE_GAMEPAD + event->gamepad : device_of_key(app, event->code);
    uint32_t buttons = pad                     ? gamepads_pressed(preferences, event->code)
                       : device == DEVICES     ? 0
                       : device == DEVICE_KEYS ? keyboard_pressed(preferences, KEYBOARD_FIRST, event->code)
                                               : keyboard_pressed(preferences, KEYBOARD_SECOND, event->code);
    for (uint32_t action = 0; action < PREFERENCES_ACTIONS; action++)
        if (buttons >> action & 1)
            return event->repeated || lobby_press(&app->local.lobby, device, (enum player_action)action);
    return false;
}

// Handles an event while a chat line is open.
static void take_typed(struct app *app, const struct window_event *event)
{
    char line[CHAT_SEND_BYTES_MAX + 1];
    if (event->kind == WINDOW_TEXT)
        chat_panel_type(&app->chat, event->text);
    if (event->kind == WINDOW_TAP)
        chat_panel_cancel(&app->chat);
    if (event->kind != WINDOW_KEY)
        return;
    if (event->code == KEY_BACKSPACE)
        chat_panel_erase(&app->chat);
    if (event->code == KEY_PAGE_UP || event->code == KEY_PAGE_DOWN)
        chat_panel_scroll(&app->chat, event->code == KEY_PAGE_UP ? CHAT_PANEL_LINES : -CHAT_PANEL_LINES);
    if (event->code == KEY_ESCAPE)
        chat_panel_cancel(&app->chat);
    if (event->code == KEY_RETURN || event->code == KEY_KP_ENTER) {
        bool to_team = app->chat.to_team;
        if (local_players_is_playing(&app->local) && chat_panel_submit(&app->chat, line) && !app_chat_obey(app, line))
            client_chat_send(local_players_client(&app->local), to_team, line);
    }
}

static void choose(struct app *app, uint32_t choice)
{
    char line[24];
    snprintf(line, sizeof line, "/vote %u", choice + 1);
    if (app->chat.votes && choice < app->chat.vote.choice_count)
        app_chat_send(app, line);
}

static void choose_at(struct app *app, int32_t x, int32_t y)
{
    static const int32_t TOPS[] = {VOTE_PANEL_Y, VOTE_PANEL_TOP_Y};
    struct frame frame = {.canvas = &app->canvas, .display = &app->preferences.display};
    for (size_t i = 0; i < sizeof TOPS / sizeof *TOPS; i++)
        choose(app, vote_panel_at(&frame, &app->chat.vote, &app->hints, TOPS[i], x, y)); // it is drawn at one of them
}

// Executes the actions of a match; the replay viewer executes those of a replay.
static void take_actions(struct app *app)
{
    uint32_t actions = app->actions;
    if (replay_viewer_is_open(&app->viewer))
        return;
    app->actions = 0;
    if (!local_players_is_playing(&app->local))
        return;
    if (actions & (HOTKEY_CHAT | HOTKEY_TEAM_CHAT))
        chat_panel_open(&app->chat, actions & HOTKEY_TEAM_CHAT);
    for (uint32_t choice = 0; choice < HOTKEY_CHOICES; choice++)
        if (actions & (uint32_t)HOTKEY_CHOICE << choice)
            choose(app, choice);
    if (actions & HOTKEY_YES && app->chat.vote.choice_count == 2)
        choose(app, 0);
    if (actions & HOTKEY_NO && app->chat.vote.choice_count == 2)
        choose(app, 1);
}

// Returns what a key does to a replay. The keys that move a free camera do not wind, and a key that is held only winds.
static uint32_t replay_actions(const struct app *app, const struct window_event *event)
{
    uint32_t ways = BUTTON_LEFT | BUTTON_RIGHT | BUTTON_UP | BUTTON_DOWN, winds = HOTKEY_BACK | HOTKEY_FORWARD;
    bool moves = app->viewer.spectator.mode == SPECTATOR_CAMERA_FREE &&
                 keyboard_pressed(&app->preferences, KEYBOARD_FIRST, event->code) & ways;
    uint32_t actions = hotkeys_in_replay(event->code) & (moves ? ~winds : UINT32_MAX);
    return event->repeated ? actions & (winds | HOTKEY_FAR_BACK | HOTKEY_FAR_FORWARD) : actions;
}

// Returns whether a key moves somebody at this keyboard; then it does nothing else.
static bool plays_by(const struct app *app, uint32_t key)
{
    bool has_second = lobby_find(&app->local.lobby, DEVICE_KEYS_SECOND) < LOCAL_PLAYERS;
    return keyboard_pressed(&app->preferences, KEYBOARD_FIRST, key) ||
           (has_second && keyboard_pressed(&app->preferences, KEYBOARD_SECOND, key));
}

#define FINGER_PX 44 ///< height of the replay's bar for a finger

// The bar is thin: a finger that touches above it means it.
static void touch_replay(struct app *app, const struct window_event *event)
{
    int32_t y = event->y >= CANVAS_HEIGHT - FINGER_PX ? CANVAS_HEIGHT - 1 : event->y;
    bool tap = event->kind == WINDOW_TAP;
    replay_bar_point(&app->viewer, event->x, y, tap || event->code == 1, true);
    if (tap)
        replay_bar_point(&app->viewer, event->x, y, false, false);
}

// Handles a finger during a match. Returns whether it asks for the menu.
static bool touch_in_match(struct app *app, const struct window_event *event)
{
    bool watches = replay_viewer_is_open(&app->viewer);
    if (watches && (event->kind == WINDOW_TAP || event->kind == WINDOW_DRAG))
        touch_replay(app, event);
    if (event->kind == WINDOW_TAP && !watches && app->chat.votes)
        choose_at(app, event->x, event->y);
    if (event->kind == WINDOW_TOUCH && event->code == TOUCH_CHAT && event->tapped)
        app->actions |= HOTKEY_CHAT;
    return event->kind == WINDOW_TOUCH && event->code == TOUCH_PAUSE && event->tapped;
}

static void take_in_match(struct app *app, const struct window_event *event)
{
    if (event->kind == WINDOW_KEY || event->kind == WINDOW_GAMEPAD)
        app->menu.by_gamepad = event->kind == WINDOW_GAMEPAD;
    if (app->chat.typing) {
        take_typed(app, event);
        return;
    }
    bool escape = event->kind == WINDOW_KEY && event->code == KEY_ESCAPE;
    bool start = event->kind == WINDOW_GAMEPAD && event->code == GAMEPAD_BUTTON_START;
    bool plays = !replay_viewer_is_open(&app->viewer), pauses = touch_in_match(app, event);
    if (event->kind == WINDOW_KEY && !plays)
        app->actions |= replay_actions(app, event);
    else if (event->kind == WINDOW_KEY && !event->repeated && !plays_by(app, event->code))
        app->actions |= hotkeys_in_match(&app->preferences, event->code);
    if (event->kind == WINDOW_GAMEPAD && !plays && !gamepads_pressed(&app->preferences, event->code))
        app->actions |= hotkeys_gamepad_pressed(event->code);
    if ((event->kind == WINDOW_CLICK || event->kind == WINDOW_POINTER || event->kind == WINDOW_RELEASE) && !plays)
        replay_bar_point(&app->viewer, event->x, event->y, event->kind == WINDOW_CLICK && event->code == 1,
                         event->code == 1);
    take_actions(app);
    if (event->kind == WINDOW_GAMEPAD && event->code == app->preferences.match_buttons[MATCH_CHOICE] &&
        !gamepads_pressed(&app->preferences, event->code) && app->chat.votes && plays)
        choose(app, app->chat.vote.own % app->chat.vote.choice_count);
    if (!escape && !start && !pauses)
        return;
    if (replay_viewer_is_open(&app->viewer)) {
        app_close_replay(app);
        return;
    }
    if (local_players_is_playing(&app->local) || local_players_is_away(&app->local))
        menu_open_alone(&app->menu, &SCREEN_PAUSE);
    else
        app_leave(app);
}

static void take(struct app *app, const struct window_event *event)
{
    bool key = event->kind == WINDOW_KEY && !event->repeated, types = app->menu.typing || app->chat.typing;
    bool is_free = key && !types && !app->menu.binding && !plays_by(app, event->code);
    uint32_t actions = is_free ? hotkeys_in_match(&app->preferences, event->code) : 0;
    if (key && (event->code == KEY_F11 || (event->code == KEY_RETURN && event->with_alt)))
        toggle_fullscreen(app);
    else if (actions & HOTKEY_PEOPLE && menu_screen(&app->menu) == &SCREEN_ROSTER)
        menu_command(&app->menu, APP_COMMAND_RESUME, NULL);
    else if (actions & HOTKEY_PEOPLE && !app->menu.depth && local_players_is_playing(&app->local)) {
        menu_open_alone(&app->menu, &SCREEN_PAUSE);
        menu_open(&app->menu, &SCREEN_ROSTER);
    } else if (actions & HOTKEY_NET)
        app->shows_net = !app->shows_net;
    else if (take_in_lobby(app, event))
        app->menu.moved++;
    else if (app->menu.depth)
        menu_input_take(&app->menu, event);
    else if (app->trial.course && !replay_viewer_is_open(&app->viewer))
        app_trial_take(app, event);
    else
        take_in_match(app, event);
}

// Returns whether the player uses fingers from an event on: also while they type by the screen's keyboard.
static bool is_by_touch(const struct app *app, const struct window_event *event)
{
    bool types = app->menu.typing || app->chat.typing;
    bool press = event->kind <= WINDOW_GAMEPAD || event->kind == WINDOW_CLICK;
    return event->kind >= WINDOW_TOUCH || (app->menu.by_touch && (!press || types));
}

// A window that is closed while the question is shown means it.
static void take_close(struct app *app)
{
    struct menu *menu = &app->menu;
    if (!app->window.closed)
        return;
    app->window.closed = false;
    menu_command(menu, APP_COMMAND_QUIT, NULL);
    menu->command.is_confirmed = menu_screen(menu) == &SCREEN_LEAVE && menu->facts.leaving.kind == APP_COMMAND_QUIT;
    app_execute(app);
}

void app_take_events(struct app *app)
{
    window_poll(&app->window);
    app->quits |= app->window.quit;
    take_close(app);
    for (uint32_t i = 0; i < app->window.event_count; i++) {
        const struct window_event *event = &app->window.events[i];
        bool by_touch = is_by_touch(app, event);
        if (event->kind != WINDOW_TAP) // a tap hits what is drawn, which its first one makes larger
            app->menu.by_touch = by_touch;
        app->menu.by_gamepad &= event->kind < WINDOW_TOUCH;
        app->pointer_rests = event->kind < WINDOW_POINTER || (app->pointer_rests && event->kind >= WINDOW_TOUCH);
        take(app, event);
        app->menu.by_touch = by_touch;
        app_execute(app);
    }
}
