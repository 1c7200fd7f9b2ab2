// SPDX-License-Identifier: MIT
//
// The one list of servers that the player sees: those of the directories, of this network, favourites, recent ones and
// those where friends play, each once, with what its own answer says where there is one. The player's preferences
// filter and sort it. A server of a directory is joined by its key, so an address that somebody else has by now is
// refused.
#ifndef APP_SERVERS_SERVER_ROWS_H
#define APP_SERVERS_SERVER_ROWS_H

#include "app/config/preferences.h"
#include "core/server_browser.h"
#include "discovery/server_list.h"

/// Rows at most.
#define SERVER_ROWS_CAPACITY (SERVER_LIST_CAPACITY + SERVER_BROWSER_CAPACITY + 3 * OPTION_LIST_CAPACITY)
/// Bytes of what is searched for, with its final zero.
#define SERVER_ROWS_SEARCH_BYTES 48

/// Where a row is from, bits.
enum server_source {
    SERVER_SOURCE_DIRECTORY = 1,
    SERVER_SOURCE_NEAR = 2, ///< this network
    SERVER_SOURCE_FAVOURITE = 4,
    SERVER_SOURCE_RECENT = 8,
    SERVER_SOURCE_FRIEND = 16, ///< a friend plays there
};

/// What a server's own answer has shown so far.
enum server_ping {
    SERVER_PING_NONE,   ///< not asked
    SERVER_PING_WAITS,  ///< asked
    SERVER_PING_SILENT, ///< no answer, or that of another server
    SERVER_PING_KNOWN,
};

/// One server.
struct server_row {
    char address[160];                ///< to join: HOST:PORT, with #KEY if a directory knows it, or as it was typed
    char ping_address[64];            ///< numeric; empty: it is asked already
    char key[FINGERPRINT_TEXT_BYTES]; ///< empty: unknown
    char known_as[160];               ///< the favourite or recent address that it is; empty: neither
    uint32_t sources;                 ///< enum server_source
    enum server_ping ping;
    uint32_t rtt_ms;           ///< of SERVER_PING_KNOWN
    uint32_t variants;         ///< bits, 1 << enum variant
    struct server_facts facts; ///< name empty: unknown; ends with the key if a known server has it
    bool takes_no_browsers;    ///< and this program is one
    bool is_proven;            ///< a directory has spoken with the owner of the key
    uint32_t next;             ///< 1 + index of another row that is said to be at the same address; 0: none
};

/// The list. Zero-initialise.
struct server_rows {
    uint32_t count, capacity;
    struct server_row *rows;
    uint32_t shown_count;
    uint32_t *shown;                       ///< indices of rows, filtered and sorted
    char search[SERVER_ROWS_SEARCH_BYTES]; ///< part of a name, map, mode or region; empty: all
    bool is_browser;                       ///< this program joins only servers whose certificate is known
    const struct option_list *friends;     ///< addresses where friends play; null: none
    uint32_t places_used;                  ///< of the table of addresses
    uint32_t *places;
};

/// Gathers all rows. Without memory, some are missing.
void server_rows_gather(struct server_rows *rows, const struct server_list *list, const struct server_browser *browser,
                        const struct preferences *preferences, uint64_t now_us);
/// Filters and sorts them, as the preferences say.
void server_rows_arrange(struct server_rows *rows, const struct preferences *preferences);
void server_rows_free(struct server_rows *rows);

/// Returns the row that is shown at a place.
const struct server_row *server_rows_at(const struct server_rows *rows, uint32_t place);
/// Returns the place of the row with an address; `shown_count` if it is not shown.
uint32_t server_rows_place(const struct server_rows *rows, const char *address);
/// Returns whether the version of the protocol is the same, or unknown.
bool server_rows_fits(const struct server_row *row);
/// Returns the best of those shown for somebody who wants to play at once, without a password: where people are, near,
/// with room. Null if there is none.
const struct server_row *server_rows_best(const struct server_rows *rows);
/// Finds the next region among the rows in alphabetical order, or with `step` below 0 the one before; "" comes after
/// the last.
void server_rows_next_region(const struct server_rows *rows, int32_t step, char region[OPTION_TEXT_BYTES]);

#endif
