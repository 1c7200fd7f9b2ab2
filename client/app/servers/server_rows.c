// SPDX-License-Identifier: MIT
#include "server_rows.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/hash.h"
#include "base/utf8.h"
#include "game/rules/mode.h"
#include "text/text.h"

#define PLACES      65536u ///< of the table of addresses; a power of two, more than two for each row
#define PLACES_MASK (PLACES - 1)

_Static_assert(PLACES > 2 * SERVER_ROWS_CAPACITY + SERVER_ROWS_CAPACITY / 2, "the table of addresses is never full");

// --- finding rows

// Returns the place of an address in the table, free or taken.
static uint32_t *place_of(const struct server_rows *rows, const char *address)
{
    uint32_t at = hash_crc32(address, strlen(address)) & PLACES_MASK;
    for (; rows->places[at]; at = (at + 1) & PLACES_MASK) {
        const struct server_row *row = &rows->rows[rows->places[at] - 1];
        if (!strcmp(row->ping_address, address) || !strcmp(row->address, address))
            break;
    }
    return &rows->places[at];
}

static struct server_row *find(const struct server_rows *rows, const char *address)
{
    uint32_t number = *place_of(rows, address);
    return number ? &rows->rows[number - 1] : NULL;
}

// Directories may disagree about where a server is. The one that answers counts.
static struct server_row *find_key(const struct server_rows *rows, const char *key)
{
    struct server_row *found = NULL;
    for (uint32_t i = 0; i < rows->count && *key; i++) {
        struct server_row *row = &rows->rows[i];
        if (!strcmp(row->key, key) && (!found || (row->is_proven && row->ping == SERVER_PING_KNOWN)))
            found = row;
    }
    return found;
}

// --- gathering

static bool make_room(struct server_rows *rows, uint32_t count)
{
    if (!rows->places)
        rows->places = calloc(PLACES, sizeof *rows->places);
    if (count > rows->capacity) {
        struct server_row *more = realloc(rows->rows, count * sizeof *more);
        rows->rows = more ? more : rows->rows;
        uint32_t *shown = realloc(rows->shown, count * sizeof *shown);
        rows->shown = shown ? shown : rows->shown;
        rows->capacity = more && shown ? count : rows->capacity;
    }
    return rows->places && count <= rows->capacity;
}

// Adds a row that is asked at an address, and found by it. Null if there is no room.
static struct server_row *add(struct server_rows *rows, const char *ping_address)
{
    if (rows->count == rows->capacity)
        return NULL;
    struct server_row *row = &rows->rows[rows->count];
    *row = (struct server_row){.sources = 0};
    snprintf(row->ping_address, sizeof row->ping_address, "%s", ping_address);
    snprintf(row->address, sizeof row->address, "%s", ping_address);
    uint32_t *place = place_of(rows, ping_address);
    row->next = *place;
    *place = ++rows->count;
    return row;
}

// A server that is joined only with the help of its directory cannot be asked.
static void add_listed(struct server_rows *rows, const struct server_list_entry *entry)
{
    char link[SERVER_LIST_LINK_BYTES];
    const char *direct = entry->addresses[!entry->addresses[0][0]];
    struct server_row *row = server_list_link(entry, link) ? add(rows, direct) : NULL;
    if (!row)
        return;
    row->sources = SERVER_SOURCE_DIRECTORY;
    row->facts = entry->facts;
    row->is_proven = true;
    memcpy(row->key, entry->fingerprint, sizeof row->key);
    snprintf(row->address, sizeof row->address, "%s", link);
}

// An answer with another key is that of another server.
static bool is_other(const struct server_row *row, const struct server_browser_entry *server)
{
    return server->answered && row->is_proven && server->key[0] && strcmp(server->key, row->key) != 0;
}

static struct server_row *next_of(const struct server_rows *rows, const struct server_row *row)
{
    return row->next ? &rows->rows[row->next - 1] : NULL;
}

// What a server says itself is newer than what a directory says, except its key.
static void take_answer(struct server_row *row, const struct server_browser_entry *server)
{
    struct server_facts *facts = &row->facts;
    row->ping = SERVER_PING_KNOWN;
    row->rtt_ms = server->rtt_ms;
    row->variants = server->variants;
    snprintf(facts->name, sizeof facts->name, "%s", server->name);
    snprintf(facts->mode, sizeof facts->mode, "%s", server->mode);
    snprintf(facts->map, sizeof facts->map, "%.*s", SERVER_FACTS_WORD_BYTES - 1, server->map);
    snprintf(facts->version, sizeof facts->version, "%s", server->version);
    facts->bots = server->bots;
    facts->players = server->players > server->bots ? server->players - server->bots : 0;
    facts->places = server->players_max;
    facts->protocol = server->protocol;
    facts->has_password = server->has_password;
    facts->is_closing = server->closes;
    if (!row->is_proven)
        snprintf(row->key, sizeof row->key, "%.*s", FINGERPRINT_TEXT_BYTES - 1, server->key);
}

static bool is_in(const struct option_list *list, const char *address)
{
    for (uint32_t i = 0; i < list->count; i++)
        if (!strcmp(list->values[i], address))
            return true;
    return false;
}

// Finds or adds the row of a server that was found or asked. Directories may list others at its address, who are not
// there then.
static void add_asked(struct server_rows *rows, const struct server_browser *browser, uint32_t index,
                      const struct preferences *preferences, uint64_t now_us)
{
    const struct server_browser_entry *server = &browser->servers[index];
    char numeric[NET_ADDRESS_TEXT_BYTES];
    bool is_near = server_browser_lists(browser, index), is_typed = !server->local && !server->listed;
    bool is_kept =
        is_typed && (is_in(&preferences->favourites, server->address) || is_in(&preferences->recent, server->address));
    net_address_text(&server->net_address, numeric);
    struct server_row *row = find(rows, numeric);
    while (row && is_other(row, server))
        row = next_of(rows, row);
    if (!row && (is_near || is_kept))
        add(rows, numeric);
    for (row = find(rows, numeric); row; row = next_of(rows, row)) {
        if (is_other(row, server)) {
            row->ping = SERVER_PING_SILENT;
            continue;
        }
        if (is_kept && !row->is_proven)
            snprintf(row->address, sizeof row->address, "%s", server->address);
        if (is_kept)
            snprintf(row->known_as, sizeof row->known_as, "%s", server->address);
        row->sources |= is_near ? SERVER_SOURCE_NEAR : 0;
        if (server->answered)
            take_answer(row, server);
        else if (row->ping == SERVER_PING_NONE)
            row->ping = server_browser_is_silent(server, now_us) ? SERVER_PING_SILENT : SERVER_PING_WAITS;
    }
}

// Marks the rows of addresses that are kept, and adds those that nothing is known of. An address has #KEY.CERTIFICATE
// behind it, or parts of that, or nothing.
static void mark(struct server_rows *rows, const struct option_list *list, enum server_source source)
{
    for (uint32_t i = 0; i < list->count; i++) {
        const char *address = list->values[i];
        const char *behind = address + strcspn(address, "#"), *dot = behind + strcspn(behind, ".");
        char key[FINGERPRINT_TEXT_BYTES], certificate[WEBRTC_FINGERPRINT_TEXT_BYTES];
        struct server_row *row = NULL;
        behind += *behind != 0;
        dot += *dot != 0;
        snprintf(key, sizeof key, "%.*s", (int)strcspn(behind, "@"), behind);
        snprintf(certificate, sizeof certificate, "%.*s", (int)strcspn(dot, "@"), dot);
        for (uint32_t k = 0; k < rows->count && !row; k++)
            if (!strcmp(rows->rows[k].known_as, address) || !strcmp(rows->rows[k].address, address))
                row = &rows->rows[k];
        row = row ? row : find(rows, address);
        row = row ? row : find_key(rows, key);
        row = row || strlen(address) >= sizeof row->address ? row : add(rows, "");
        if (!row)
            continue;
        if (!row->address[0])
            utf8_copy(row->address, sizeof row->address, address);
        if (!row->known_as[0])
            utf8_copy(row->known_as, sizeof row->known_as, address);
        row->sources |= source;
        if (!row->facts.certificate[0] && webrtc_frame_is_fingerprint(certificate)) // nothing newer is known
            memcpy(row->facts.certificate, certificate, sizeof certificate);
    }
}

// Anybody can give their server any name. One that the player knows keeps its own; others that have it show the
// beginning of their keys.
static void mark_namesakes(struct server_rows *rows)
{
    for (uint32_t i = 0; i < rows->count; i++) {
        const struct server_row *known = &rows->rows[i];
        if (!known->known_as[0] || !known->facts.name[0])
            continue;
        for (uint32_t k = 0; k < rows->count; k++) {
            struct server_row *row = &rows->rows[k];
            char end[8], name[SERVER_FACTS_NAME_BYTES];
            if (row->known_as[0] || strcasecmp(row->facts.name, known->facts.name) != 0)
                continue;
            snprintf(end, sizeof end, " #%.4s", row->key[0] ? row->key : "?");
            utf8_copy(name, sizeof name - strlen(end), row->facts.name);
            strcat(name, end);
            utf8_copy(row->facts.name, sizeof row->facts.name, name);
        }
    }
}

void server_rows_gather(struct server_rows *rows, const struct server_list *list, const struct server_browser *browser,
                        const struct preferences *preferences, uint64_t now_us)
{
    uint32_t asked = browser ? browser->count : 0;
    rows->count = rows->shown_count = 0;
    if (!make_room(rows, list->count + asked + 3 * OPTION_LIST_CAPACITY))
        return;
    memset(rows->places, 0, PLACES * sizeof *rows->places);
    for (uint32_t i = 0; i < list->count; i++)
        add_listed(rows, &list->entries[i]);
    for (uint32_t i = 0; i < asked; i++)
        add_asked(rows, browser, i, preferences, now_us);
    mark(rows, &preferences->favourites, SERVER_SOURCE_FAVOURITE);
    mark(rows, &preferences->recent, SERVER_SOURCE_RECENT);
    if (rows->friends)
        mark(rows, rows->friends, SERVER_SOURCE_FRIEND);
    mark_namesakes(rows);
    for (uint32_t i = 0; i < rows->count; i++)
        rows->rows[i].takes_no_browsers = rows->is_browser && !rows->rows[i].facts.certificate[0];
}

// --- filters

// Searches without regard to the case of A to Z.
static bool has_part(const char *text, const char *part)
{
    size_t length = strlen(part);
    for (; *text; text++)
        if (!strncasecmp(text, part, length))
            return true;
    return length == 0;
}

static bool is_from(const struct server_row *row, enum servers_from from)
{
    switch (from) {
    case SERVERS_FROM_ALL:
        break;
    case SERVERS_FROM_INTERNET:
        return row->sources & SERVER_SOURCE_DIRECTORY;
    case SERVERS_FROM_NETWORK:
        return row->sources & SERVER_SOURCE_NEAR;
    case SERVERS_FROM_FAVOURITES:
        return row->sources & SERVER_SOURCE_FAVOURITE;
    case SERVERS_FROM_RECENT:
        return row->sources & SERVER_SOURCE_RECENT;
    case SERVERS_FROM_FRIENDS:
        return row->sources & SERVER_SOURCE_FRIEND;
    }
    return true;
}

static bool is_full(const struct server_row *row)
{
    return row->facts.name[0] && row->facts.players >= row->facts.places; // bots give way
}

static bool is_shown(const struct server_rows *rows, const struct server_row *row,
                     const struct preferences *preferences)
{
    const struct server_facts *facts = &row->facts;
    bool is_known = facts->name[0];
    if (!is_from(row, (enum servers_from)preferences->servers_from))
        return false;
    if (rows->search[0] && !has_part(is_known ? facts->name : row->address, rows->search) &&
        !has_part(facts->map, rows->search) && !has_part(facts->mode, rows->search) &&
        !has_part(facts->region, rows->search))
        return false;
    if (preferences->servers_mode < MODES_OFFERED && strcmp(facts->mode, MODE_NAMES[preferences->servers_mode]) != 0)
        return false;
    if (preferences->servers_region[0] && strcmp(facts->region, preferences->servers_region) != 0)
        return false;
    if (is_known && !preferences->servers_empty && facts->players == 0)
        return false;
    return !((!preferences->servers_full && is_full(row)) || (!preferences->servers_locked && facts->has_password));
}

// --- order

// A row and what it is sorted by: rank, number, text, and where it stands among all.
struct sorted {
    uint32_t rank, number, index;
    const char *text;
};

bool server_rows_fits(const struct server_row *row)
{
    return row->facts.protocol == 0 || row->facts.protocol == PROTOCOL_VERSION;
}

// Those that cannot be joined come last.
static uint32_t rank_of(const struct server_row *row)
{
    return !server_rows_fits(row) || row->takes_no_browsers ? 2 : row->ping == SERVER_PING_SILENT ? 1 : 0;
}

static struct sorted sorted_of(const struct server_row *row, uint32_t index, enum servers_sort sort)
{
    const struct server_facts *facts = &row->facts;
    const char *name = facts->name[0] ? facts->name : row->address;
    struct sorted sorted = {.rank = rank_of(row), .index = index, .text = name};
    switch (sort) {
    case SERVERS_SORT_PLAYERS:
        sorted.number = UINT32_MAX - facts->players * 1024 - facts->bots;
        break;
    case SERVERS_SORT_PING:
        sorted.number = row->ping == SERVER_PING_KNOWN ? row->rtt_ms : UINT32_MAX;
        break;
    case SERVERS_SORT_NAME:
        break;
    case SERVERS_SORT_MODE:
        sorted.text = facts->mode;
        break;
    case SERVERS_SORT_MAP:
        sorted.text = facts->map;
        break;
    case SERVERS_SORT_REGION:
        sorted.text = facts->region;
        sorted.number = !facts->region[0];
        break;
    }
    return sorted;
}

static int compare(const void *left, const void *right)
{
    const struct sorted *one = left, *two = right;
    if (one->rank != two->rank)
        return one->rank < two->rank ? -1 : 1;
    if (one->number != two->number)
        return one->number < two->number ? -1 : 1;
    int order = strcasecmp(one->text, two->text);
    return order ? order : (one->index > two->index) - (one->index < two->index);
}

void server_rows_arrange(struct server_rows *rows, const struct preferences *preferences)
{
    struct sorted *sorted = rows->count ? malloc(rows->count * sizeof *sorted) : NULL;
    rows->shown_count = 0;
    for (uint32_t i = 0; sorted && i < rows->count; i++)
        if (is_shown(rows, &rows->rows[i], preferences))
            sorted[rows->shown_count++] = sorted_of(&rows->rows[i], i, (enum servers_sort)preferences->servers_sort);
    if (sorted)
        qsort(sorted, rows->shown_count, sizeof *sorted, compare);
    for (uint32_t i = 0; i < rows->shown_count; i++)
        rows->shown[i] = sorted[i].index;
    free(sorted);
}

void server_rows_free(struct server_rows *rows)
{
    free(rows->rows);
    free(rows->shown);
    free(rows->places);
    *rows = (struct server_rows){0};
}

// --- choosing

const struct server_row *server_rows_at(const struct server_rows *rows, uint32_t place)
{
    return &rows->rows[rows->shown[place]];
}

uint32_t server_rows_place(const struct server_rows *rows, const char *address)
{
    uint32_t place = 0;
    while (place < rows->shown_count && strcmp(server_rows_at(rows, place)->address, address) != 0)
        place++;
    return place;
}

// Fewer is better: milliseconds, of which each person there is worth 20, up to a hundred of them.
static int64_t cost_of(const struct server_row *row)
{
    uint32_t people = row->facts.players < 100 ? row->facts.players : 100;
    int64_t ping = row->ping == SERVER_PING_KNOWN ? row->rtt_ms : 250;
    return ping - 20 * (int64_t)people;
}

const struct server_row *server_rows_best(const struct server_rows *rows)
{
    const struct server_row *best = NULL;
    for (uint32_t i = 0; i < rows->shown_count; i++) {
        const struct server_row *row = server_rows_at(rows, i);
        bool suits = rank_of(row) == 0 && row->facts.name[0] && !is_full(row) && !row->facts.has_password &&
                     !row->facts.is_closing;
        if (suits && (!best || cost_of(row) < cost_of(best)))
            best = row;
    }
    return best;
}

void server_rows_next_region(const struct server_rows *rows, int32_t step, char region[OPTION_TEXT_BYTES])
{
    const char *next = "";
    for (uint32_t i = 0; i < rows->count; i++) {
        const char *other = rows->rows[i].facts.region;
        int past = strcmp(other, region) * step;
        bool lies_beyond = *other && (!*region || past > 0);
        bool is_nearer = !*next || strcmp(other, next) * step < 0;
        next = lies_beyond && is_nearer ? other : next;
    }
    snprintf(region, OPTION_TEXT_BYTES, "%s", next);
}
