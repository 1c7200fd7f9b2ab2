// SPDX-License-Identifier: MIT
#include "server_search.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "app/menu/screens.h"
#include "net/crypto/identity.h"

#define RENEW_US  250000u  ///< between two looks at what has changed
#define SECOND_US 1000000u ///< after which time alone changes something: who does not answer
#define LOOKS_MAX 64u      ///< at servers that are not seen, in a step

const struct option_list *server_search_directories(const struct server_search *search)
{
    const struct option_list *given = &search->settings->directories;
    return given->count ? given : &search->preferences->directories;
}

void server_search_open_directories(struct server_search *search)
{
    const struct option_list *list = server_search_directories(search);
    bool is_same = list->count == search->opened_directories.count;
    for (uint32_t i = 0; i < list->count && is_same; i++)
        is_same = strcmp(list->values[i], search->opened_directories.values[i]) == 0;
    if (is_same)
        return;
    search->opened_directories = *list;
    directories_open(&search->directories, list, search->folder);
    friends_set_directories(search->friends, list);
}

void server_search_begin(struct server_search *search, uint64_t now_us)
{
    static struct option_list all;
    const struct option_list *lists[] = {&search->preferences->favourites, &search->preferences->recent};
    struct error error;
    all.count = 0;
    for (int list = 0; list < 2; list++)
        for (uint32_t i = 0; i < lists[list]->count && all.count < OPTION_LIST_CAPACITY; i++)
            memcpy(all.values[all.count++], lists[list]->values[i], OPTION_TEXT_BYTES);
    if (!search->rows.is_browser && !search->browser.open && !server_browser_open(&search->browser, &error))
        log_write(search->log, LOG_WARNING, "%s", error.text);
    server_browser_search(&search->browser, (uint16_t)search->settings->lan_port, all.values, all.count, now_us);
    server_search_open_directories(search);
    directories_refresh(&search->directories, now_us);
    search->next_asked = 0;
    search->gathered_us = 0;
}

// Asks first the servers that are seen, then the others from the top.
static void ask(struct server_search *search, const struct menu *menu, uint64_t now_us)
{
    const struct server_rows *rows = &search->rows;
    uint32_t first = menu->first[menu->depth - 1], count = menu->count;
    if (now_us < search->browser.next_us)
        return;
    for (uint32_t i = first > count ? first - count : 0; i + count < first + MENU_ROWS && i < rows->shown_count; i++) {
        const struct server_row *row = server_rows_at(rows, i);
        if (row->ping <= SERVER_PING_WAITS && row->ping_address[0] &&
            !server_browser_ask(&search->browser, row->ping_address, now_us))
            return;
    }
    uint32_t looks = rows->shown_count < LOOKS_MAX ? rows->shown_count : LOOKS_MAX;
    for (; looks > 0; looks--, search->next_asked++) {
        search->next_asked = search->next_asked < rows->shown_count ? search->next_asked : 0;
        const struct server_row *row = server_rows_at(rows, search->next_asked);
        if (row->ping <= SERVER_PING_WAITS && row->ping_address[0] &&
            !server_browser_ask(&search->browser, row->ping_address, now_us))
            return;
    }
}

// The focus stays on its server while others come and go around it.
static void renew(struct server_search *search, struct menu *menu, uint64_t now_us)
{
    struct server_rows *rows = &search->rows;
    uint32_t *focus = menu->depth ? &menu->focus[menu->depth - 1] : NULL, before = rows->shown_count;
    bool has_row = menu_screen(menu) == &SCREEN_JOIN && *focus >= menu->count && *focus - menu->count < before;
    char address[sizeof rows->rows->address] = "";
    uint32_t old_row = has_row ? *focus - menu->count : 0;
    if (has_row)
        memcpy(address, server_rows_at(rows, old_row)->address, sizeof address);
    server_rows_gather(rows, &search->directories.merged, &search->browser, search->preferences, now_us);
    server_rows_arrange(rows, search->preferences);
    menu_fill(menu);
    uint32_t new_row = has_row ? server_rows_place(rows, address) : rows->shown_count;
    if (new_row == rows->shown_count)
        return;
    int64_t first = (int64_t)menu->first[menu->depth - 1] + new_row - old_row;
    menu->first[menu->depth - 1] = (uint32_t)(first < 0 ? 0 : first);
    *focus = menu->count + new_row;
    menu_fill(menu);
}

bool server_search_is_seen(const struct screen *screen)
{
    return screen == &SCREEN_JOIN || screen == &SCREEN_FILTERS || screen == &SCREEN_DIRECTORIES ||
           screen == &SCREEN_LIVE;
}

void server_search_step(struct server_search *search, struct menu *menu, uint64_t now_us)
{
    const struct screen *screen = menu_screen(menu);
    bool is_seen = server_search_is_seen(screen);
    if (search->browser.open)
        server_browser_step(&search->browser, now_us);
    if (!is_seen && screen != &SCREEN_TITLE)
        return;
    server_search_open_directories(search);
    directories_step(&search->directories, now_us, is_seen ? DIRECTORIES_PERIOD_US : DIRECTORIES_REST_US);
    for (uint32_t i = 0; i < search->directories.count; i++) {
        const struct directory_source *source = &search->directories.sources[i];
        if (source->fault != search->logged_faults[i] && source->fault > DIRECTORY_WAITS)
            log_write(search->log, LOG_WARNING, "The list %s is not renewed: %s.", source->url, source->reason);
        if (source->fault != search->logged_faults[i] && source->fault == DIRECTORY_FINE)
            log_write(search->log, LOG_DEBUG, "list %s has %u servers, made at %" PRId64, source->url,
                      source->list.count, source->list.made_s);
        search->logged_faults[i] = source->fault;
    }
    menu->facts.unix_s = search->log->unix_time ? search->log->unix_time() : 0;
    if (!is_seen)
        return;
    if (screen == &SCREEN_JOIN && search->browser.open)
        ask(search, menu, now_us);
    uint32_t changes = search->directories.changes + search->browser.changes;
    uint64_t age_us = now_us - search->gathered_us;
    bool has_changed = changes != search->gathered_changes || screen != &SCREEN_JOIN || age_us >= SECOND_US;
    if (search->gathered_us != 0 && (age_us < RENEW_US || !has_changed))
        return;
    search->gathered_changes = changes;
    search->gathered_us = now_us;
    renew(search, menu, now_us);
}

void server_search_close(struct server_search *search)
{
    server_browser_close(&search->browser);
    directories_close(&search->directories);
    server_rows_free(&search->rows);
}

const struct server_row *server_search_row(const struct server_search *search, const char *address)
{
    uint32_t place = server_rows_place(&search->rows, address);
    return place < search->rows.shown_count ? server_rows_at(&search->rows, place) : NULL;
}

const char *server_search_key(const struct server_search *search, const char *address)
{
    const struct server_browser_entry *server = server_browser_find(&search->browser, address);
    return server && server->answered && identity_fingerprint_is_valid(server->key) ? server->key : "";
}
