// SPDX-License-Identifier: MIT
#include "app_start.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "app/menu/screens.h"
#include "app/platform/page.h"
#include "app_commands.h"
#include "app_control.h"
#include "app_friends.h"
#include "app_link.h"
#include "app_servers.h"
#include "app_trial.h"
#include "base/platform/disk.h"
#include "base/platform/udp.h"
#include "base/utf8.h"

static const struct settings *settings_of(const struct app *app)
{
    return app->config->settings;
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
        snprintf(app->server_records_path, sizeof app->server_records_path, "%s/server-records", folder);
        snprintf(app->clips_path, sizeof app->clips_path, "%s/clips", folder);
        snprintf(app->replays_path, sizeof app->replays_path, "%s/replays", folder);
        snprintf(app->trials_path, sizeof app->trials_path, "%s/trials", folder);
        snprintf(app->lists_path, sizeof app->lists_path, "%s/lists", folder);
        snprintf(app->cards_path, sizeof app->cards_path, "%s/replay-cards", folder);
    } else {
        window_pref_path("settings", app->preferences_path, sizeof app->preferences_path);
        window_pref_path("statistics", app->statistics_path, sizeof app->statistics_path);
        window_pref_path("server-records", app->server_records_path, sizeof app->server_records_path);
        window_pref_path("clips", app->clips_path, sizeof app->clips_path);
        window_pref_path("replays", app->replays_path, sizeof app->replays_path);
        window_pref_path("trials", app->trials_path, sizeof app->trials_path);
        window_pref_path("lists", app->lists_path, sizeof app->lists_path);
        window_pref_path("replay-cards", app->cards_path, sizeof app->cards_path);
    }
    if (settings_of(app)->frames && !folder[0])
        app->statistics_path[0] = app->server_records_path[0] = 0; // a run for pictures is no match of the player
    if (folder[0])
        disk_make_folder(folder, DISK_OWNER_FOLDER);
    if (app->replays_path[0] && !disk_make_folder(app->replays_path, DISK_OWNER_FOLDER) && errno != EEXIST)
        app->replays_path[0] = 0;
}

static bool is_friend_link(const char *text)
{
    uint8_t key[FRIEND_KEY_BYTES];
    return friend_key_read(text, key);
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
    server_records_read(&app->server_records, app->server_records_path);
    app->menu.facts.statistics = &app->statistics;
    app->menu.facts.records = &app->server_records;
    app->local.records = &app->server_records;
    app->menu.preferences = &app->preferences;
    app->hints.preferences = &app->preferences;
    app->servers.is_browser = udp_is_of_page();
    app->menu.facts.servers = &app->servers;
    app->menu.facts.directories = &app->directories;
    app->menu.facts.directories_are_given = settings->directories.count > 0;
    app->menu.facts.has_map = title_demo_has_map;
    app->menu.facts.lobby = &app->local.lobby;
    app->local.settings = settings;
    app->local.preferences = &app->preferences;
    app->local.log = app->config->log;
    app->local.now_us = app->config->now_us;
    app_friends_open(app);
    if (settings->connect[0] && !is_friend_link(settings->connect) &&
        !address_read(&app->local.address, settings->connect, error))
        return EXIT_USAGE;
    if (settings->host && !app_start_host(app, APP_COMMAND_PLAY_TOGETHER, error))
        return app->host.exit_code ? (enum exit_code)app->host.exit_code : EXIT_UNAVAILABLE;
    return EXIT_OK;
}

void app_open(struct app *app)
{
    const struct settings *settings = settings_of(app);
    const struct screen *asked = settings->screen[0] ? screen_find(settings->screen) : NULL;
    char message[sizeof app->menu.facts.message];
    memcpy(message, app->menu.facts.message, sizeof message);
    app->menu.by_touch = page_is_for_fingers();
    bool joins = settings->connect[0] && !is_friend_link(settings->connect);
    if (joins || settings->host) {
        app->opens_screen = asked;
        app->retry = settings->host ? APP_COMMAND_PLAY_TOGETHER : APP_COMMAND_JOIN;
        snprintf(app->menu.facts.address, sizeof app->menu.facts.address, "%.*s", MENU_TYPED_BYTES - 1,
                 settings->connect);
        if (settings->host)
            app_join_host(app);
        else
            app_join(app);
        return;
    }
    menu_open_alone(&app->menu, &SCREEN_TITLE);
    if (asked && asked != &SCREEN_TITLE)
        menu_open(&app->menu, asked);
    if (settings->replay[0] || settings->live_url[0]) { // which is left to where others are
        menu_focus_on(&app->menu, &SCREEN_REPLAYS);
        menu_open(&app->menu, &SCREEN_REPLAYS);
    }
    if (settings->live_url[0])
        menu_open(&app->menu, &SCREEN_LIVE);
    memcpy(app->menu.facts.message, message, sizeof message);
    app_friends_open_link(app, settings->connect);
    struct error error;
    if (settings->trial[0] && !app_trial_open(app, settings->trial, &error))
        app_fail(app, error.text, DENIAL_NONE);
    if (settings->replay[0])
        app_show_replay(app, settings->replay);
    if (settings->live_url[0])
        app_show_live(app, settings->live_url, false);
}

void app_end(struct app *app)
{
    app_save_preferences(app);
    app_save_statistics(app);
    local_players_leave(&app->local);
    replay_cards_close(&app->cards);
    replay_viewer_close(&app->viewer);
    app_servers_close(app);
    app_friends_close(app);
}
