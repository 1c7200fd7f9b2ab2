// SPDX-License-Identifier: MIT
#include "shell.h"

#include <stdio.h>

#include "app/course/course_run.h"
#include "app/menu/draw_menu.h"
#include "app/menu/screens.h"
#include "links.h"
#include "text/text.h"
#include "window/keyboard.h"

_Static_assert(MENU_DISPLAY_BYTES == WINDOW_DISPLAY_BYTES, "the menu takes the names of displays");

struct session_status shell_status(const struct shell *shell, enum shell_session session)
{
    return shell->sessions[session].does->status(shell->sessions[session].state);
}

enum shell_session shell_front(const struct shell *shell)
{
    enum shell_session front = SHELL_SPECTATE;
    while (front != SHELL_PLAY && !shell_status(shell, front).is_open)
        front++;
    return front;
}

bool shell_is_idle(const struct shell *shell)
{
    return shell_status(shell, SHELL_PLAY).is_loading && !shell_status(shell, SHELL_COURSE).is_open;
}

static void set_volumes(struct shell *shell)
{
    const struct preferences *preferences = &shell->context.profile.preferences;
    bool muted = preferences->background_mute && shell->context.window.unfocused;
    shell->context.presenter.volumes =
        (struct sound_volumes){muted ? 0 : (uint32_t)preferences->volume * 10,
                               (uint32_t)preferences->volume_effects * 10, (uint32_t)preferences->volume_ambience * 10,
                               (uint32_t)preferences->volume_music * 10, (uint32_t)preferences->volume_voices * 10};
}

void shell_apply_preferences(struct shell *shell)
{
    const struct preferences *preferences = &shell->context.profile.preferences;
    text_use((enum text_language)(preferences->language ? preferences->language - 1
                                                        : shell->context.config->settings->system_language));
    shell->context.presenter.display = preferences->display;
    set_volumes(shell);
    window_apply_settings(&shell->context.window);
}

// --- what menus ask for

// The session that begins ends what it has shown itself.
void shell_begin_session(struct shell *shell, enum shell_session session, const struct app_command *command)
{
    for (uint32_t i = 0; i < SHELL_SESSIONS; i++)
        if (i != session)
            shell->sessions[i].does->end(shell->sessions[i].state);
    shell->sessions[session].does->begin(shell->sessions[session].state, command);
}

static void obey(struct shell *shell, enum shell_session session, const struct app_command *command)
{
    shell->sessions[session].does->obey(shell->sessions[session].state, command);
}

// Asks before the match of guests ends. Returns whether it did.
static bool ask(struct menu *menu, const struct app_command *command)
{
    bool ends =
        command->kind == APP_COMMAND_QUIT || command->kind == APP_COMMAND_JOIN || command->kind == APP_COMMAND_LEAVE;
    if (!ends || command->is_confirmed || menu->facts.guests == 0)
        return false;
    menu->facts.leaving = *command;
    if (menu_screen(menu) != &SCREEN_LEAVE)
        menu_open(menu, &SCREEN_LEAVE);
    return true;
}

void shell_execute(struct shell *shell)
{
    struct session_context *context = &shell->context;
    struct app_command command = context->menu.command;
    context->menu.command.kind = APP_COMMAND_NONE;
    if (ask(&context->menu, &command))
        return;
    switch (command.kind) {
    case APP_COMMAND_NONE:
        break;
    case APP_COMMAND_QUIT:
        shell->quits = true;
        break;
    case APP_COMMAND_JOIN:
        if (!friends_online_open_key(context, command.text))
            shell_begin_session(shell, SHELL_PLAY, &command);
        break;
    case APP_COMMAND_PLAY:
    case APP_COMMAND_PLAY_TOGETHER:
    case APP_COMMAND_HOST:
    case APP_COMMAND_RETRY:
        shell_begin_session(shell, SHELL_PLAY, &command);
        break;
    case APP_COMMAND_COURSE:
        shell_begin_session(shell, SHELL_COURSE, &command);
        break;
    case APP_COMMAND_LIVE:
    case APP_COMMAND_REPLAY:
    case APP_COMMAND_COURSE_REPLAY:
        shell_begin_session(shell, SHELL_SPECTATE, &command);
        break;
    case APP_COMMAND_COURSE_AGAIN:
    case APP_COMMAND_COURSE_LEAVE:
        obey(shell, SHELL_COURSE, &command);
        break;
    case APP_COMMAND_CHANGE:
    case APP_COMMAND_LEAVE:
    case APP_COMMAND_CHAT:
    case APP_COMMAND_MUTE:
    case APP_COMMAND_BEFRIEND:
    case APP_COMMAND_WHISPER:
    case APP_COMMAND_NET:
        obey(shell, SHELL_PLAY, &command);
        break;
    case APP_COMMAND_RESUME:
        session_close_menu(context);
        break;
    case APP_COMMAND_COPY:
        log_write(context->config->log, LOG_DEBUG, "copy %s", command.text);
        snprintf(context->menu.facts.message, sizeof context->menu.facts.message, "%s",
                 window_copy(command.text) ? text_of("The link is copied: paste it wherever your friends read.")
                                           : text_of("The link cannot be copied: there is no clipboard."));
        break;
    case APP_COMMAND_SEARCH:
        server_search_begin(&context->search, context->config->now_us());
        break;
    }
}

// --- presses in the lobby

// The device that a key belongs to in the lobby: the second set's if somebody has it, else the first's.
static uint32_t device_of_key(const struct session_context *context, uint32_t key)
{
    const struct preferences *preferences = &context->profile.preferences;
    uint32_t first = keyboard_pressed(&preferences->controls.buttons, KEYBOARD_FIRST, key),
             second = keyboard_pressed(&preferences->controls.buttons, KEYBOARD_SECOND, key);
    bool has_second = lobby_find(&context->lobby, DEVICE_KEYS_SECOND) < LOCAL_PLAYERS;
    return second && (has_second || !first) ? DEVICE_KEYS_SECOND : first ? DEVICE_KEYS : DEVICES;
}

// The settings of the match, by the key and the gamepad's button that change them.
static const struct {
    uint32_t key, button;
} SETTINGS[] = {{KEY_M, GAMEPAD_BUTTON_BACK},
                {KEY_N, GAMEPAD_BUTTON_LEFT_STICK},
                {KEY_B, GAMEPAD_BUTTON_RIGHT_STICK},
                {KEY_V, GAMEPAD_BUTTON_LEFT_TRIGGER}};

static void change_setting(struct session_context *context, size_t setting)
{
    struct preferences *preferences = &context->profile.preferences;
    uint32_t people = lobby_count(&context->lobby), mode = preferences_mode(preferences, people);
    int64_t *bots = &preferences->bots;
    context->profile.unsaved |= SETTINGS[setting].key != KEY_V;
    if (SETTINGS[setting].key == KEY_M) {
        do
            mode = (mode + 1) % MODES;
        while (!screen_map_suits(preferences->map, mode));
        preferences->mode = PREFERENCES_MODE_AUTO;
        if (preferences_mode(preferences, people) != mode)
            preferences->mode = mode;
    } else if (SETTINGS[setting].key == KEY_N)
        screen_step_map(&context->menu, false);
    else if (SETTINGS[setting].key == KEY_B) // none, or as many as fill the match up to two more players than before
        *bots = *bots >= LOBBY_BOTS_MAX ? 0 : *bots / 2 * 2 + 2;
    else
        menu_open(&context->menu, &SCREEN_VARIANTS);
}

// In the lobby, the presses of those who play choose and do nothing else. Returns whether this is one.
static bool press_in_lobby(struct session_context *context, const struct window_event *event)
{
    const struct preferences *preferences = &context->profile.preferences;
    bool pad = event->kind == WINDOW_GAMEPAD, key = event->kind == WINDOW_KEY;
    if (menu_screen(&context->menu) != &SCREEN_LOBBY)
        return false;
    if (event->kind == WINDOW_TOUCH) { // fingers press the buttons of the first set of keys
        if (event->code == TOUCH_PAUSE && event->tapped)
            menu_press(&context->menu, MENU_BACK);
        for (uint32_t action = 0; action < CONTROLS_ACTIONS; action++)
            if (event->buttons >> action & 1)
                lobby_press(&context->lobby, DEVICE_KEYS, (enum player_action)action);
        return true;
    }
    if (!(pad || key))
        return false;
    context->menu.by_gamepad = pad;
    context->menu.gamepad = pad ? event->gamepad : context->menu.gamepad;
    for (size_t i = 0; i < sizeof SETTINGS / sizeof *SETTINGS && menu_lobby_begins(&context->menu); i++)
        if (event->code == (pad ? SETTINGS[i].button : SETTINGS[i].key)) {
            if (!event->repeated)
                change_setting(context, i);
            return true;
        }
    if (event->code == (pad ? (uint32_t)GAMEPAD_BUTTON_START : KEY_RETURN))
        return true; // which is held
    uint32_t device = pad ? DEVICE_GAMEPAD + event->gamepad : device_of_key(context, event->code);
    uint32_t buttons = pad                 ? gamepads_pressed(&preferences->controls.buttons, event->code)
                       : device == DEVICES ? 0
                       : device == DEVICE_KEYS
                           ? keyboard_pressed(&preferences->controls.buttons, KEYBOARD_FIRST, event->code)
                           : keyboard_pressed(&preferences->controls.buttons, KEYBOARD_SECOND, event->code);
    for (uint32_t action = 0; action < CONTROLS_ACTIONS; action++)
        if (buttons >> action & 1)
            return event->repeated || lobby_press(&context->lobby, device, (enum player_action)action);
    return false;
}

// --- events

static void handle(struct shell *shell, const struct window_event *event)
{
    struct session_context *context = &shell->context;
    struct menu *menu = &context->menu;
    struct session_status match = shell_status(shell, SHELL_PLAY);
    bool key = event->kind == WINDOW_KEY && !event->repeated, types = menu->typing || match.types;
    bool is_free = key && !types && !menu->binding && !session_plays_by(context, event->code);
    uint32_t actions = is_free ? controls_match_actions(&context->profile.preferences.controls, event->code) : 0;
    enum shell_session front = shell_front(shell);
    if (key && (event->code == KEY_F11 || (event->code == KEY_RETURN && event->with_alt))) {
        context->profile.preferences.window.fullscreen = !context->profile.preferences.window.fullscreen;
        context->profile.unsaved = true;
        window_apply_settings(&context->window);
    } else if (actions & HOTKEY_PEOPLE && menu_screen(menu) == &SCREEN_ROSTER)
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
        shell->sessions[front].does->event(shell->sessions[front].state, event);
}

void shell_take_events(struct shell *shell)
{
    struct window *window = &shell->context.window;
    struct menu *menu = &shell->context.menu;
    window_poll(window);
    shell->quits |= window->quit;
    if (window->closed) { // while the question is shown, it is meant
        window->closed = false;
        menu_command(menu, APP_COMMAND_QUIT, NULL);
        menu->command.is_confirmed = menu_screen(menu) == &SCREEN_LEAVE && menu->facts.leaving.kind == APP_COMMAND_QUIT;
        shell_execute(shell);
    }
    for (uint32_t i = 0; i < window->event_count; i++) {
        const struct window_event *event = &window->events[i];
        // Whether the player uses fingers from here on: also while they type by the screen's keyboard.
        bool types = menu->typing || shell_status(shell, SHELL_PLAY).types;
        bool press = event->kind <= WINDOW_GAMEPAD || event->kind == WINDOW_CLICK;
        bool by_touch = event->kind >= WINDOW_TOUCH || (menu->by_touch && (!press || types));
        if (event->kind != WINDOW_TAP) // a tap hits what is drawn, which its first one makes larger
            menu->by_touch = by_touch;
        menu->by_gamepad &= event->kind < WINDOW_TOUCH;
        shell->pointer_rests = event->kind < WINDOW_POINTER || (shell->pointer_rests && event->kind >= WINDOW_TOUCH);
        handle(shell, event);
        menu->by_touch = by_touch;
        shell_execute(shell);
    }
}

// --- the lobby

// What happens when all are ready, or when start was held. The hats and colours that were chosen are kept.
static void close_lobby(struct shell *shell)
{
    struct session_context *context = &shell->context;
    struct menu *menu = &context->menu;
    struct profile *profile = &context->profile;
    for (uint32_t i = 0; i < LOCAL_PLAYERS; i++) {
        const struct lobby_player *player = &context->lobby.players[i];
        profile->unsaved |= player->joined && profile->preferences.hats[i] != player->hat;
        profile->preferences.hats[i] = player->joined ? player->hat : profile->preferences.hats[i];
        int64_t *colour = preferences_player_colour(&profile->preferences, i);
        if (player->joined && player->chose_colour && *colour != player->colour) {
            *colour = player->colour;
            profile->unsaved = true;
        }
    }
    if (menu->facts.in_match)
        menu_command(menu, APP_COMMAND_RESUME, NULL);
    else if (menu_lobby_begins(menu))
        menu_command(menu, APP_COMMAND_PLAY_TOGETHER, NULL);
    else
        menu_press(menu, MENU_BACK);
    shell_execute(shell);
}

static void update_lobby(struct shell *shell)
{
    struct session_context *context = &shell->context;
    struct menu_facts *facts = &context->menu.facts;
    const struct gamepads *gamepads = &context->window.gamepads;
    bool holds = keyboard_is_held(KEY_RETURN) || gamepads_is_held(gamepads, GAMEPAD_ANY, GAMEPAD_BUTTON_START);
    facts->pad_bits = 0;
    for (uint32_t i = 0; i < GAMEPAD_CAPACITY; i++) {
        facts->pads[i] = gamepads_family(gamepads, i);
        facts->pad_bits |= gamepads_has(gamepads, i) ? 1u << i : 0;
    }
    if (shell->entered_screen == &SCREEN_LOBBY && lobby_step(&context->lobby, context->config->now_us(), holds))
        close_lobby(shell);
}

// --- links

// In a match the player is asked first.
static void follow_link(struct shell *shell, struct line_socket *links)
{
    struct session_context *context = &shell->context;
    struct menu_facts *facts = &context->menu.facts;
    char link[LINE_SOCKET_BYTES];
    if (!links_next(links, context->config->log, link))
        return;
    window_raise(&context->window);
    if (friends_online_open_key(context, link))
        return;
    snprintf(facts->followed, sizeof facts->followed, "%.*s", (int)sizeof facts->followed - 1, link);
    if (!shell_is_idle(shell)) {
        menu_open_alone(&context->menu, &SCREEN_FOLLOW);
        return;
    }
    menu_command(&context->menu, APP_COMMAND_JOIN, link);
    shell_execute(shell);
}

// --- screens

// A screen that comes to the front is logged and prepared; changes made on the previous one are saved.
static void show_screen(struct shell *shell)
{
    struct session_context *context = &shell->context;
    struct profile *profile = &context->profile;
    struct menu_facts *facts = &context->menu.facts;
    const struct screen *screen = menu_screen(&context->menu), *last = shell->entered_screen;
    if (screen == last)
        return;
    shell->entered_screen = screen;
    context->failed &= screen != &SCREEN_TITLE;
    if (screen != &SCREEN_CHANGE && screen != &SCREEN_VARIANTS)
        profile_cancel_change(profile);
    log_write(context->config->log, LOG_DEBUG, "screen %s", screen ? screen->name : "match");
    profile_save_preferences(profile, context->config->log);
    if (screen == &SCREEN_TITLE || screen == &SCREEN_STATISTICS)
        profile_save_statistics(profile, context->config->log);
    window_forget_taps(&context->window);
    if (screen == &SCREEN_VIDEO)
        facts->display_count = window_displays(facts->displays, MENU_DISPLAY_CAPACITY);
    if (screen == &SCREEN_LOBBY)
        lobby_open(&context->lobby);
    if (screen == &SCREEN_TRIALS || screen == &SCREEN_LESSONS)
        course_record_list(profile->paths.trials, facts->course_ticks, facts->course_old_ticks);
    if ((screen == &SCREEN_JOIN || screen == &SCREEN_LIVE) && !server_search_is_seen(last))
        server_search_begin(&context->search, context->config->now_us());
    if (screen == &SCREEN_REPLAYS)
        replay_list_read(facts, profile->paths.replays);
}

void shell_update(struct shell *shell, struct line_socket *links)
{
    struct session_context *context = &shell->context;
    struct menu *menu = &context->menu;
    if (menu->changed) {
        menu->changed = false;
        context->search.gathered_us = 0;
        context->profile.unsaved = true;
        friends_set_list(&context->friends, &context->profile.preferences.friends);
        shell_apply_preferences(shell);
    }
    set_volumes(shell); // which depend on the focus
    update_lobby(shell);
    for (uint32_t i = 0; i < SHELL_SESSIONS; i++)
        if (shell->sessions[i].does->step)
            shell->sessions[i].does->step(shell->sessions[i].state);
    if (shell->opens_screen && shell_status(shell, SHELL_PLAY).is_playing) {
        shell->opens_screen = false;
        menu_open_alone(menu, &SCREEN_PAUSE);
        menu_open(menu, screen_find(context->config->settings->screen));
    }
    follow_link(shell, links);
    if (menu_screen(menu) == &SCREEN_REPLAYS) {
        uint32_t first = menu->first[menu->depth - 1];
        replay_list_look(&menu->facts, first > 0 ? first - 1 : 0, MENU_ROWS); // below the live matches
        shell->cards.folder = context->profile.paths.cards;
        replay_list_show_card(&shell->cards, menu);
    }
    // Fingers play in a session and in the lobby, and tap everywhere else.
    enum shell_session front = shell_front(shell);
    struct session_status status = shell_status(shell, front);
    bool points = menu->depth || front == SHELL_SPECTATE || shell_is_idle(shell);
    window_text_input(menu->typing || shell_status(shell, SHELL_PLAY).types);
    window_use_touch(&context->window, menu_screen(menu) == &SCREEN_LOBBY ? TOUCH_USE_COURSE
                                       : menu->depth || status.types      ? TOUCH_USE_POINTER
                                                                          : status.touch);
    window_show_pointer(&context->window, points && !shell->pointer_rests);
    show_screen(shell);
    server_search_step(&context->search, menu, context->config->now_us());
    friends_online_step(&shell->friends_online, context);
    bool hosting = menu_screen(menu) == &SCREEN_HOST; // the backdrop shows the map that is about to be hosted
    if (shell_is_idle(shell) && !shell_status(shell, SHELL_SPECTATE).is_open && (hosting || !shell->demo.ready))
        title_demo_begin(&shell->demo, context->profile.preferences.map, (uint32_t)context->config->now_us());
    if (menu->moved != shell->sounded_presses)
        sound_device_click(&context->presenter.sound, menu->last == MENU_BACK ? SOUND_MENU_BACK
                                                      : menu->last == MENU_ACCEPT || menu->last == MENU_EXTRA
                                                          ? SOUND_MENU_SELECT
                                                          : SOUND_MENU_MOVE);
    shell->sounded_presses = menu->moved;
}
