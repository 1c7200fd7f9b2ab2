// SPDX-License-Identifier: MIT
#include "app_control.h"

#include <errno.h>
#include <string.h>

#include "app/menu/screens.h"
#include "app/platform/keyboard.h"
#include "app/replay/replay_list.h"
#include "app/text/text.h"
#include "app_chat.h"
#include "app_commands.h"
#include "app_friends.h"
#include "app_link.h"
#include "app_pause.h"
#include "app_servers.h"
#include "app_trial.h"
#include "sync/player_name.h"

static const struct settings *settings_of(const struct app *app)
{
    return app->config->settings;
}

_Static_assert(MENU_DISPLAY_BYTES == WINDOW_DISPLAY_BYTES, "the menu takes the names of displays");

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
    const struct preferences *preferences = &app->preferences;
    uint32_t key = (uint32_t)preferences->match_keys[0][MATCH_SCOREBOARD],
             button = preferences->match_buttons[MATCH_SCOREBOARD];
    bool by_key = keyboard_is_held(key) && !keyboard_pressed(preferences, KEYBOARD_FIRST, key);
    bool by_button =
        !gamepads_pressed(preferences, button) && gamepads_is_held(&app->window.gamepads, GAMEPAD_ANY, button);
    return !app->menu.depth && !app->chat.typing &&
           (by_key || by_button || touch_controls_finger(&app->window.touch, TOUCH_SCORES));
}

// Fingers play in a match and in the lobby, and tap everywhere else.
static enum touch_use touch_use_of(const struct app *app)
{
    if (menu_screen(&app->menu) == &SCREEN_LOBBY)
        return TOUCH_USE_COURSE;
    if (app->menu.depth || app->chat.typing)
        return TOUCH_USE_POINTER;
    if (replay_viewer_is_open(&app->viewer))
        return TOUCH_USE_PAUSE;
    return app->trial.course                       ? TOUCH_USE_COURSE
           : local_players_is_playing(&app->local) ? TOUCH_USE_PLAY
                                                   : TOUCH_USE_PAUSE;
}

static void copy_match_choices(struct preferences *to, const struct preferences *from)
{
    memcpy(to->map, from->map, sizeof to->map);
    to->mode = from->mode;
    to->bots = from->bots;
    to->bot_skill = from->bot_skill;
    to->variants = from->variants;
}

void app_save_preferences(struct app *app)
{
    struct error error;
    struct preferences kept = app->preferences;
    if (app->changes_match)
        copy_match_choices(&kept, &app->chosen);
    if (app->unsaved && !preferences_write(&kept, app->preferences_path, &error))
        log_write(app->config->log, LOG_WARNING, "%s", error.text);
    app->unsaved = false;
}

void app_save_statistics(struct app *app)
{
    struct error error;
    if (app->statistics_unsaved && !statistics_write(&app->statistics, app->statistics_path, &error))
        log_write(app->config->log, LOG_WARNING, "%s", error.text);
    app->statistics_unsaved = false;
    if (app->server_records.changed && !server_records_write(&app->server_records, app->server_records_path))
        log_write(app->config->log, LOG_WARNING, "%s: %s", app->server_records_path, strerror(errno));
}

// Changes to a match begin with what is played there now. A map from a file stays the one that was chosen.
static void choose_as_played(struct app *app)
{
    struct preferences *preferences = &app->preferences;
    copy_match_choices(&app->chosen, preferences);
    app->changes_match = true;
    const struct client *client = local_players_client(&app->local);
    const struct world *world = client ? client_world(client) : NULL;
    if (!world || !client_map(client))
        return;
    if (title_demo_has_map(client_map(client)->name))
        snprintf(preferences->map, sizeof preferences->map, "%s", client_map(client)->name);
    if (preferences_mode(preferences, lobby_count(&app->local.lobby)) != world->rules.mode)
        preferences->mode = world->rules.mode;
    preferences->bots = app->host_settings.bots;
    preferences->bot_skill = app->host_settings.bot_skill;
    preferences_set_variants(preferences, world->rules.variants); // also those of a vote
}

// A screen that comes to the front is logged and prepared; changes made on the previous one are saved.
static void show_screen(struct app *app)
{
    const struct screen *screen = menu_screen(&app->menu);
    if (screen == app->entered_screen)
        return;
    const struct screen *last = app->entered_screen;
    bool had_servers = app_servers_are_seen(last);
    app->entered_screen = screen;
    app->failed &= screen != &SCREEN_TITLE;
    if (app->changes_match && screen != &SCREEN_CHANGE && screen != &SCREEN_VARIANTS) { // nothing was changed
        copy_match_choices(&app->preferences, &app->chosen);
        app->changes_match = false;
    }
    log_write(app->config->log, LOG_DEBUG, "screen %s", screen ? screen->name : "match");
    app_save_preferences(app);
    if (screen == &SCREEN_TITLE || screen == &SCREEN_STATISTICS)
        app_save_statistics(app);
    window_forget_taps(&app->window);
    if (screen == &SCREEN_VIDEO)
        app->menu.facts.display_count = window_displays(app->menu.facts.displays, MENU_DISPLAY_CAPACITY);
    if (screen == &SCREEN_CHANGE && last == &SCREEN_PAUSE)
        choose_as_played(app);
    if (screen == &SCREEN_LOBBY)
        lobby_open(&app->local.lobby);
    if (screen == &SCREEN_TRIALS || screen == &SCREEN_LESSONS)
        app_trial_list(app);
    if ((screen == &SCREEN_JOIN || screen == &SCREEN_LIVE) && !had_servers)
        app_servers_search(app);
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

// The hats and colours that were chosen are kept.
static void keep_choices(struct app *app)
{
    const struct lobby *lobby = &app->local.lobby;
    for (uint32_t i = 0; i < LOCAL_PLAYERS; i++) {
        const struct lobby_player *player = &lobby->players[i];
        app->unsaved |= player->joined && app->preferences.hats[i] != player->hat;
        app->preferences.hats[i] = player->joined ? player->hat : app->preferences.hats[i];
        int64_t *colour = preferences_player_colour(&app->preferences, i);
        if (player->joined && player->chose_colour && *colour != player->colour) {
            *colour = player->colour;
            app->unsaved = true;
        }
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

static void list_players(struct app *app)
{
    struct menu_facts *facts = &app->menu.facts;
    const struct client *client = local_players_client(&app->local);
    const struct world *world = facts->can_chat ? client_world(client) : NULL;
    facts->player_count = 0;
    for (uint32_t slot = 0; world && slot < world->player_slots; slot++) {
        const struct player *player = &world->players[slot];
        if (player->state == PLAYER_ABSENT || facts->player_count == MENU_PLAYER_CAPACITY)
            continue;
        struct menu_player *row = &facts->players[facts->player_count++];
        *row = (struct menu_player){.colour = player->colour,
                                    .score = player->score,
                                    .is_here = local_players_is_here(&app->local, slot),
                                    .is_bot = player->flags & PLAYER_BOT,
                                    .only_watches = player->state == PLAYER_SPECTATOR};
        player_name_to_text(player->name, row->name);
        row->is_muted = app_chat_mutes(app, slot);
        app_friends_mark(app, row);
    }
    facts->ping_ms = app->net.statistics.rtt_ms;
}

static bool watches(const struct client *client)
{
    uint32_t slot = client_slot(client);
    return slot < PLAYER_CAPACITY && client_world(client)->players[slot].state == PLAYER_SPECTATOR;
}

static void update_lobby(struct app *app)
{
    struct menu_facts *facts = &app->menu.facts;
    bool holds =
        keyboard_is_held(KEY_RETURN) || gamepads_is_held(&app->window.gamepads, GAMEPAD_ANY, GAMEPAD_BUTTON_START);
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

static void update_replays(struct app *app)
{
    uint32_t first = app->menu.first[app->menu.depth - 1];
    replay_list_look(&app->menu.facts, first > 0 ? first - 1 : 0, MENU_ROWS); // below the live matches
    app->cards.folder = app->cards_path;
    replay_cards_update(&app->cards, &app->menu);
}

void app_update(struct app *app)
{
    struct menu *menu = &app->menu;
    struct menu_facts *facts = &menu->facts;
    if (menu->changed) {
        menu->changed = false;
        app->servers_us = 0;
        app->unsaved = true;
        friends_set_list(&app->friends, &app->preferences.friends);
        app_apply_preferences(app);
    }
    if (local_server_starts(&app->host))
        app_join_host(app);
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
    facts->hosting = app->host.child.process > 0;
    facts->guests = facts->hosting ? local_players_count_others(&app->local) : 0;
    facts->open_port = facts->hosting && app->host_settings.open ? app->host.port : 0;
    app_link_update(app);
    facts->can_chat = local_players_is_playing(&app->local);
    facts->server = facts->can_chat ? app->local.players[local_players_first(&app->local)].server : "";
    facts->has_teams = has_teams(facts->can_chat ? client_world(local_players_client(&app->local)) : NULL);
    facts->watches = facts->can_chat && watches(local_players_client(&app->local));
    if (menu_screen(menu) == &SCREEN_ROSTER || menu_screen(menu) == &SCREEN_FRIENDS)
        list_players(app);
    if (menu_screen(menu) == &SCREEN_REPLAYS)
        update_replays(app);
    if (app->browser.open)
        server_browser_step(&app->browser, app->config->now_us());
    window_text_input(menu->typing || app->chat.typing);
    window_use_touch(&app->window, touch_use_of(app));
    bool watches_or_chooses =
        menu->depth || replay_viewer_is_open(&app->viewer) || !(facts->in_match || app->trial.course);
    window_show_pointer(&app->window, watches_or_chooses && !app->pointer_rests);
    show_screen(app);
    app_servers_update(app);
    app_friends_update(app);
    update_backdrop(app);
    sound_menu(app);
}
