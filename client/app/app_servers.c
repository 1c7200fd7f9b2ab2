// SPDX-License-Identifier: MIT
#include "app_servers.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "app/menu/screens.h"

#define RENEW_US  250000u  ///< between two looks at what has changed
#define SECOND_US 1000000u ///< after which time alone changes something: who does not answer
#define LOOKS_MAX 64u      ///< at servers that are not seen, in a step

const struct option_list *app_servers_directories(const struct app *app)
{
    const struct option_list *given = &app->config->settings->directories;
    return given->count ? given : &app->preferences.directories;
}

void app_servers_open_directories(struct app *app)
{
    const struct option_list *list = app_servers_directories(app);
    bool is_same = list->count == app->opened_directories.count;
    for (uint32_t i = 0; i < list->count && is_same; i++)
        is_same = strcmp(list->values[i], app->opened_directories.values[i]) == 0;
    if (is_same)
        return;
    app->opened_directories = *list;
    directories_open(&app->directories, list, app->lists_path);
    friends_set_directories(&app->friends, list);
}

void app_servers_search(struct app *app)
{
    static struct option_list all;
    const struct option_list *lists[] = {&app->preferences.favourites, &app->preferences.recent};
    struct error error;
    all.count = 0;
    for (int list = 0; list < 2; list++)
        for (uint32_t i = 0; i < lists[list]->count && all.count < OPTION_LIST_CAPACITY; i++)
            memcpy(all.values[all.count++], lists[list]->values[i], OPTION_TEXT_BYTES);
    if (!app->servers.is_browser && !app->browser.open && !server_browser_open(&app->browser, &error))
        log_write(app->config->log, LOG_WARNING, "%s", error.text);
    server_browser_search(&app->browser, (uint16_t)app->config->settings->lan_port, all.values, all.count,
                          app->config->now_us());
    app_servers_open_directories(app);
    directories_refresh(&app->directories, app->config->now_us());
    app->next_asked = 0;
    app->servers_us = 0;
}

// Asks first the servers that are seen, then the others from the top.
static void ask(struct app *app, uint64_t now_us)
{
    const struct server_rows *rows = &app->servers;
    const struct menu *menu = &app->menu;
    uint32_t first = menu->first[menu->depth - 1], count = menu->count;
    if (now_us < app->browser.next_us)
        return;
    for (uint32_t i = first > count ? first - count : 0; i + count < first + MENU_ROWS && i < rows->shown_count; i++) {
        const struct server_row *row = server_rows_at(rows, i);
        if (row->ping <= SERVER_PING_WAITS && row->ping_address[0] &&
            !server_browser_ask(&app->browser, row->ping_address, now_us))
            return;
    }
    uint32_t looks = rows->shown_count < LOOKS_MAX ? rows->shown_count : LOOKS_MAX;
    for (; looks > 0; looks--, app->next_asked++) {
        app->next_asked = app->next_asked < rows->shown_count ? app->next_asked : 0;
        const struct server_row *row = server_rows_at(rows, app->next_asked);
        if (row->ping <= SERVER_PING_WAITS && row->ping_address[0] &&
            !server_browser_ask(&app->browser, row->ping_address, now_us))
            return;
    }
}

// The focus stays on its server while others come and go around it.
static void renew(struct app *app, uint64_t now_us)
{
    struct server_rows *rows = &app->servers;
    struct menu *menu = &app->menu;
    uint32_t *focus = menu->depth ? &menu->focus[menu->depth - 1] : NULL, before = rows->shown_count;
    bool has_row = menu_screen(menu) == &SCREEN_JOIN && *focus >= menu->count && *focus - menu->count < before;
    char address[sizeof rows->rows->address] = "";
    uint32_t old_row = has_row ? *focus - menu->count : 0;
    if (has_row)
        memcpy(address, server_rows_at(rows, old_row)->address, sizeof address);
    server_rows_gather(rows, &app->directories.merged, &app->browser, &app->preferences, now_us);
    server_rows_arrange(rows, &app->preferences);
    menu_fill(menu);
    uint32_t new_row = has_row ? server_rows_place(rows, address) : rows->shown_count;
    if (new_row == rows->shown_count)
        return;
    int64_t first = (int64_t)menu->first[menu->depth - 1] + new_row - old_row;
    menu->first[menu->depth - 1] = (uint32_t)(first < 0 ? 0 : first);
    *focus = menu->count + new_row;
    menu_fill(menu);
}

static void log_faults(struct app *app)
{
    for (uint32_t i = 0; i < app->directories.count; i++) {
        const struct directory_source *source = &app->directories.sources[i];
        if (source->fault != app->logged_faults[i] && source->fault > DIRECTORY_WAITS)
            log_write(app->config->log, LOG_WARNING, "The list %s is not renewed: %s.", source->url, source->reason);
        if (source->fault != app->logged_faults[i] && source->fault == DIRECTORY_FINE)
            log_write(app->config->log, LOG_DEBUG, "list %s has %u servers, made at %" PRId64, source->url,
                      source->list.count, source->list.made_s);
        app->logged_faults[i] = source->fault;
    }
}

bool app_servers_are_seen(const struct screen *screen)
{
    return screen == &SCREEN_JOIN || screen == &SCREEN_FILTERS || screen == &SCREEN_DIRECTORIES ||
           screen == &SCREEN_LIVE;
}

void app_servers_update(struct app *app)
{
    const struct screen *screen = menu_screen(&app->menu);
    uint64_t now_us = app->config->now_us();
    bool is_seen = app_servers_are_seen(screen);
    if (!is_seen && screen != &SCREEN_TITLE)
        return;
    app_servers_open_directories(app);
    directories_step(&app->directories, now_us, is_seen ? DIRECTORIES_PERIOD_US : DIRECTORIES_REST_US);
    log_faults(app);
    app->menu.facts.unix_s = app->config->log->unix_time ? app->config->log->unix_time() : 0;
    if (!is_seen)
        return;
    if (screen == &SCREEN_JOIN && app->browser.open)
        ask(app, now_us);
    uint32_t changes = app->directories.changes + app->browser.changes;
    uint64_t age_us = now_us - app->servers_us;
    bool has_changed = changes != app->servers_changes || screen != &SCREEN_JOIN || age_us >= SECOND_US;
    if (app->servers_us != 0 && (age_us < RENEW_US || !has_changed))
        return;
    app->servers_changes = changes;
    app->servers_us = now_us;
    renew(app, now_us);
}

void app_servers_close(struct app *app)
{
    server_browser_close(&app->browser);
    directories_close(&app->directories);
    server_rows_free(&app->servers);
}
