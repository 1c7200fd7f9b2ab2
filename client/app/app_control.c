// SPDX-License-Identifier: MIT
#include "app_control.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "app/menu/menu_input.h"
#include "app/menu/screens.h"
#include "app/platform/hotkeys.h"
#include "app/platform/keyboard.h"
#include "app/replay/replay_bar.h"
#include "app/replay/replay_list.h"
#include "app/text/text.h"
#include "app_commands.h"
#include "app_pause.h"
#include "app_trial.h"
#include "base/utf8.h"
#include "options/state_dir.h"

static const struct settings *settings_of(const struct app *app)
{
    return app->config->settings;
}

static void set_volumes(struct app *app)
{
    const struct preferences *preferences = &app->preferences;
    bool muted = preferences->background_mute && app->window.unfocused;
    app->presenter.volumes =
        (struct sound_volumes){muted ? 0 : (uint32_t)preferences->volume * 10,
                               (uint32_t)preferences->volume_effects * 10, (uint32_t)preferences->volume_ambience * 10,
                               (uint32_t)preferences->volume_music * 10, (uint32_t)preferences->volume_voices * 10};
}

void app_apply_preferences(struct app *app)
{
    const struct preferences *preferences = &app->preferences;
    text_use(preferences->language ? (enum text_language)(preferences->language - 1)
                                   : (enum text_language)settings_of(app)->system_language);
    app->presenter.display = preferences->display;
    app->view.kind = (enum view_kind)preferences->view;
    set_volumes(app);
    window_apply_preferences(&app->window);
}

bool app_holds_scoreboard(const struct app *app)
{
    return !app->menu.depth && keyboard_is_held(KEY_TAB);
}

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

// In the lobby, the presses of those who play choose and do nothing else. Returns whether this is one.
static bool take_in_lobby(struct app *app, const struct window_event *event)
{
    const struct preferences *preferences = &app->preferences;
    bool pad = event->kind == WINDOW_GAMEPAD, key = event->kind == WINDOW_KEY;
    if (menu_screen(&app->menu) != &SCREEN_LOBBY || !(pad || key))
        return false;
    app->menu.by_gamepad = pad;
    app->menu.gamepad = pad ? event->gamepad : app->menu.gamepad;
    if (event->code == (pad ? (uint32_t)GAMEPAD_BUTTON_BACK : KEY_M) && menu_lobby_begins(&app->menu)) {
        if (!event->repeated)
            next_mode(app);
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
        if (local_players_is_playing(&app->local) && chat_panel_submit(&app->chat, line) &&
            !chat_panel_obey(&app->chat, line, client_world(local_players_client(&app->local)), app->config->now_us()))
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
    bool plays = !replay_viewer_is_open(&app->viewer);
    if (event->kind == WINDOW_KEY && !event->repeated &&
        !(plays && keyboard_pressed(&app->preferences, KEYBOARD_FIRST, event->code)))
        app->actions |= hotkeys_pressed(event->code);
    if (event->kind == WINDOW_GAMEPAD && !plays && !gamepads_pressed(&app->preferences, event->code))
        app->actions |= hotkeys_gamepad_pressed(event->code);
    if ((event->kind == WINDOW_CLICK || event->kind == WINDOW_POINTER || event->kind == WINDOW_RELEASE) && !plays)
        replay_bar_point(&app->viewer, event->x, event->y, event->kind == WINDOW_CLICK && event->code == 1,
                         event->code == 1);
    take_actions(app);
    if (event->kind == WINDOW_GAMEPAD && event->code == GAMEPAD_BUTTON_BACK &&
        !gamepads_pressed(&app->preferences, event->code) && app->chat.votes && plays)
        choose(app, app->chat.vote.own % app->chat.vote.choice_count);
    if (!escape && !start)
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
    bool key = event->kind == WINDOW_KEY && !event->repeated;
    if (key && (event->code == KEY_F11 || (event->code == KEY_RETURN && event->with_alt)))
        toggle_fullscreen(app);
    else if (key && event->code == KEY_F3)
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

void app_take_events(struct app *app)
{
    window_poll(&app->window);
    app->quits |= app->window.quit;
    for (uint32_t i = 0; i < app->window.event_count; i++) {
        take(app, &app->window.events[i]);
        app_execute(app);
    }
}

static void save(struct app *app)
{
    struct error error;
    if (app->unsaved && !preferences_write(&app->preferences, app->preferences_path, &error))
        log_write(app->config->log, LOG_WARNING, "%s", error.text);
    app->unsaved = false;
}

void app_save_statistics(struct app *app)
{
    struct error error;
    if (app->statistics_unsaved && !statistics_write(&app->statistics, app->statistics_path, &error))
        log_write(app->config->log, LOG_WARNING, "%s", error.text);
    app->statistics_unsaved = false;
}

// A screen that comes to the front is logged and prepared; changes made on the previous one are saved.
static void show_screen(struct app *app)
{
    const struct screen *screen = menu_screen(&app->menu);
    if (screen == app->entered_screen)
        return;
    app->entered_screen = screen;
    app->failed &= screen != &SCREEN_TITLE;
    log_write(app->config->log, LOG_DEBUG, "screen %s", screen ? screen->name : "match");
    save(app);
    if (screen == &SCREEN_TITLE || screen == &SCREEN_STATISTICS)
        app_save_statistics(app);
    window_forget_taps(&app->window);
    if (screen == &SCREEN_LOBBY)
        lobby_open(&app->local.lobby);
    if (screen == &SCREEN_TRIALS || screen == &SCREEN_LESSONS)
        app_trial_list(app);
    if (screen == &SCREEN_JOIN)
        app_search(app);
    if (screen == &SCREEN_REPLAYS)
        replay_list_read(&app->menu.facts, app->replays_path);
}

// The backdrop shows the map that is about to be hosted.
static void update_backdrop(struct app *app)
{
    bool hosting = menu_screen(&app->menu) == &SCREEN_HOST;
    if (!local_players_client(&app->local) && !app->trial.course && !replay_viewer_is_open(&app->viewer) &&
        (hosting || !app->demo.ready))
        title_demo_begin(&app->demo, app->preferences.map, (uint32_t)app->config->now_us());
}

static void sound_menu(struct app *app)
{
    if (app->menu.moved == app->sounded_presses)
        return;
    app->sounded_presses = app->menu.moved;
    enum menu_press press = app->menu.last;
    sound_device_click(&app->presenter.sound, press == MENU_BACK                            ? SOUND_MENU_BACK
                                              : press == MENU_ACCEPT || press == MENU_EXTRA ? SOUND_MENU_SELECT
                                                                                            : SOUND_MENU_MOVE);
}

// The hats and the first colour that were chosen are kept.
static void keep_choices(struct app *app)
{
    const struct lobby *lobby = &app->local.lobby;
    for (uint32_t i = 0; i < LOCAL_PLAYERS; i++) {
        const struct lobby_player *player = &lobby->players[i];
        app->unsaved |= player->joined && app->preferences.hats[i] != player->hat;
        app->preferences.hats[i] = player->joined ? player->hat : app->preferences.hats[i];
    }
    const struct lobby_player *first = &lobby->players[0];
    if (first->joined && first->chose_colour && app->preferences.colour != first->colour) {
        app->preferences.colour = first->colour;
        app->unsaved = true;
    }
}

// What happens when all are ready, or when start was held.
static void close_lobby(struct app *app)
{
    struct menu *menu = &app->menu;
    keep_choices(app);
    if (local_players_client(&app->local))
        menu_command(menu, APP_COMMAND_RESUME, NULL);
    else if (menu_lobby_begins(menu))
        menu_command(menu, APP_COMMAND_PLAY_TOGETHER, NULL);
    else
        menu_press(menu, MENU_BACK);
    app_execute(app);
}

static bool has_teams(const struct world *world)
{
    return world && (world->rules.mode == MODE_TEAMS || world->rules.mode == MODE_BREAKOUT);
}

static void update_lobby(struct app *app)
{
    struct menu_facts *facts = &app->menu.facts;
    bool holds = keyboard_is_held(KEY_RETURN) || gamepads_is_held(&app->window.gamepads, GAMEPAD_BUTTON_START);
    const struct client *client = local_players_client(&app->local);
    uint32_t mode = preferences_mode(&app->preferences, lobby_count(&app->local.lobby));
    app->local.lobby.has_teams = local_players_is_playing(&app->local) ? has_teams(client_world(client))
                                                                       : mode == MODE_TEAMS || mode == MODE_BREAKOUT;
    facts->lobby = &app->local.lobby;
    facts->pad_bits = 0;
    for (uint32_t i = 0; i < GAMEPAD_CAPACITY; i++) {
        facts->pads[i] = gamepads_family(&app->window.gamepads, i);
        facts->pad_bits |= gamepads_has(&app->window.gamepads, i) ? 1u << i : 0;
    }
    for (uint32_t i = 0; i < LOCAL_PLAYERS; i++)
        facts->states[i] = local_players_state_text(&app->local, i);
    if (app->entered_screen == &SCREEN_LOBBY && lobby_step(&app->local.lobby, app->config->now_us(), holds))
        close_lobby(app);
    local_players_follow(&app->local);
}

void app_update(struct app *app)
{
    struct menu *menu = &app->menu;
    struct menu_facts *facts = &menu->facts;
    if (menu->changed) {
        menu->changed = false;
        app->unsaved = true;
        app_apply_preferences(app);
    }
    if (local_players_client(&app->local) && local_players_has_ended(&app->local))
        app_fail(app, app->local.error.text, app->local.denial);
    if (app->opens_screen && local_players_is_playing(&app->local)) {
        app->opens_screen = false;
        menu_open_alone(menu, &SCREEN_PAUSE);
        menu_open(menu, screen_find(settings_of(app)->screen));
    }
    set_volumes(app); // which depend on the focus
    app_pause_update(app);
    update_lobby(app);
    facts->in_match = local_players_client(&app->local);
    facts->hosting = app->host.process > 0;
    facts->open_port = facts->hosting && app->host_settings.open ? app->host.port : 0;
    facts->can_chat = local_players_is_playing(&app->local);
    facts->has_teams = has_teams(facts->can_chat ? client_world(local_players_client(&app->local)) : NULL);
    if (app->browser.open)
        server_browser_step(&app->browser, app->config->now_us());
    window_text_input(menu->typing || app->chat.typing);
    window_show_pointer(&app->window,
                        menu->depth || replay_viewer_is_open(&app->viewer) || !(facts->in_match || app->trial.course));
    show_screen(app);
    update_backdrop(app);
    sound_menu(app);
}

// The command line overrides the saved preferences.
static void overlay(struct app *app)
{
    const struct settings *settings = settings_of(app);
    struct preferences *preferences = &app->preferences;
    if (settings->map[0])
        memcpy(preferences->map, settings->map, sizeof preferences->map);
    if (settings->name_is_given || !preferences->name[0])
        memcpy(preferences->name, settings->name, sizeof preferences->name);
    if (settings->bots >= 0)
        preferences->bots = settings->bots;
    if (settings->colour >= 0)
        preferences->colour = settings->colour;
    if (settings->hat)
        preferences->hats[0] = settings->hat - 1;
    if (settings->view)
        preferences->view = settings->view - 1;
    if (settings->language)
        preferences->language = settings->language - 1;
    if (settings->vsync)
        preferences->vsync = settings->vsync - 1;
    if (settings->frame_limit)
        preferences->frame_limit = settings->frame_limit - 1;
    if (settings->display >= 0)
        preferences->screen = settings->display;
    if (settings->fullscreen || settings->windowed)
        preferences->fullscreen = settings->fullscreen;
}

static void find_places(struct app *app)
{
    const char *folder = settings_of(app)->state_dir;
    if (folder[0]) {
        snprintf(app->preferences_path, sizeof app->preferences_path, "%s/settings", folder);
        snprintf(app->statistics_path, sizeof app->statistics_path, "%s/statistics", folder);
        snprintf(app->clips_path, sizeof app->clips_path, "%s/clips", folder);
        snprintf(app->replays_path, sizeof app->replays_path, "%s/replays", folder);
        snprintf(app->trials_path, sizeof app->trials_path, "%s/trials", folder);
    } else {
        window_pref_path("settings", app->preferences_path, sizeof app->preferences_path);
        window_pref_path("statistics", app->statistics_path, sizeof app->statistics_path);
        window_pref_path("clips", app->clips_path, sizeof app->clips_path);
        window_pref_path("replays", app->replays_path, sizeof app->replays_path);
        window_pref_path("trials", app->trials_path, sizeof app->trials_path);
    }
    if (settings_of(app)->frames && !folder[0])
        app->statistics_path[0] = 0; // a run for pictures is no match of the player
    if (folder[0])
        mkdir(folder, 0700);
    if (app->replays_path[0] && mkdir(app->replays_path, 0700) && errno != EEXIST)
        app->replays_path[0] = 0;
}

enum exit_code app_begin(struct app *app, struct error *error)
{
    const struct settings *settings = settings_of(app);
    find_places(app);
    if (!preferences_read(&app->preferences, app->preferences_path, error)) {
        log_write(app->config->log, LOG_WARNING, "%s", error->text);
        snprintf(app->menu.facts.message, sizeof app->menu.facts.message, "%.150s", error->text);
    }
    overlay(app);
    if (!statistics_read(&app->statistics, app->statistics_path, error)) {
        log_write(app->config->log, LOG_WARNING, "%s", error->text);
        utf8_copy(app->menu.facts.statistics_fault, sizeof app->menu.facts.statistics_fault, error->text);
        app->statistics_path[0] = 0; // and leave the file alone
    }
    app->menu.facts.statistics = &app->statistics;
    app->menu.preferences = &app->preferences;
    app->hints.preferences = &app->preferences;
    app->menu.facts.browser = &app->browser;
    app->menu.facts.has_map = title_demo_has_map;
    app->menu.facts.lobby = &app->local.lobby;
    app->local.settings = settings;
    app->local.preferences = &app->preferences;
    app->local.log = app->config->log;
    app->local.now_us = app->config->now_us;
    if (settings->connect[0] && !address_read(&app->local.address, settings->connect, error))
        return EXIT_USAGE;
    if (settings->host && !app_start_host(app, false, error))
        return app->host.exit_code ? (enum exit_code)app->host.exit_code : EXIT_UNAVAILABLE;
    return EXIT_OK;
}

void app_open(struct app *app)
{
    const struct settings *settings = settings_of(app);
    const struct screen *asked = settings->screen[0] ? screen_find(settings->screen) : NULL;
    char message[sizeof app->menu.facts.message];
    memcpy(message, app->menu.facts.message, sizeof message);
    if (settings->connect[0] || settings->host) {
        app->opens_screen = asked;
        app->retry = settings->host ? APP_COMMAND_PLAY : APP_COMMAND_JOIN;
        snprintf(app->menu.facts.address, sizeof app->menu.facts.address, "%.*s", MENU_TYPED_BYTES - 1,
                 settings->connect);
        app_join(app);
        return;
    }
    menu_open_alone(&app->menu, &SCREEN_TITLE);
    if (asked && asked != &SCREEN_TITLE)
        menu_open(&app->menu, asked);
    memcpy(app->menu.facts.message, message, sizeof message);
    struct error error;
    if (settings->trial[0] && !app_trial_open(app, settings->trial, &error))
        app_fail(app, error.text, DENIAL_NONE);
    if (settings->replay[0])
        app_show_replay(app, settings->replay);
    if (settings->live_url[0])
        app_show_live(app, settings->live_url);
}

void app_end(struct app *app)
{
    save(app);
    app_save_statistics(app);
    local_players_leave(&app->local);
    replay_viewer_close(&app->viewer);
    server_browser_close(&app->browser);
}
