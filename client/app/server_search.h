// SPDX-License-Identifier: MIT
//
// Keeps the list of servers up to date while somebody looks at it: gets the lists of directories, searches the network,
// and asks the servers that are seen, and then the others, a few a second. Otherwise it does nothing.
#ifndef APP_SERVER_SEARCH_H
#define APP_SERVER_SEARCH_H

#include "app/config/preferences.h"
#include "app/friends/friends.h"
#include "app/menu/menu.h"
#include "app/servers/directories.h"
#include "app/servers/server_rows.h"
#include "base/log.h"
#include "core/server_browser.h"
#include "settings.h"

/// The search. Zero-initialise, and set what is above the blank line.
struct server_search {
    const struct settings *settings;
    const struct preferences *preferences;
    const struct log *log;
    struct friends *friends; ///< look at the same directories
    const char *folder;      ///< of the lists of directories; empty: they are not kept

    struct server_browser browser;
    struct directories directories;
    struct option_list opened_directories; ///< those that `directories` was opened with
    enum directory_fault logged_faults[DIRECTORIES_MAX];
    struct server_rows rows;   ///< the list that the player sees
    uint64_t gathered_us;      ///< when it was gathered last; 0: it must be again
    uint32_t gathered_changes; ///< of what it is gathered from, at that time
    uint32_t next_asked;       ///< place in it of the server that is asked next
};

/// Returns the directories of this run: those of the command line, else the player's own.
const struct option_list *server_search_directories(const struct server_search *search);
/// Searches again: this network, the favourites and recent servers, and the directories.
void server_search_begin(struct server_search *search, uint64_t now_us);
/// Opens the directories that are chosen now, also for friends, if they are others than before.
void server_search_open_directories(struct server_search *search);
/// Returns whether a screen shows the list, or what it is made of.
bool server_search_is_seen(const struct screen *screen);
/// Goes on with what is under way, and keeps the focus of the menu on its server.
void server_search_step(struct server_search *search, struct menu *menu, uint64_t now_us);
void server_search_close(struct server_search *search);

/// Returns what the list knows about the server with an address; NULL: nothing.
const struct server_row *server_search_row(const struct server_search *search, const char *address);
/// Returns the key that the server at an address has answered with; "" if it has not.
const char *server_search_key(const struct server_search *search, const char *address);

#endif
