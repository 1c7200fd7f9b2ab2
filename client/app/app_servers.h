// SPDX-License-Identifier: MIT
//
// Keeps the list of servers up to date while somebody looks at it: gets the lists of directories, searches the network,
// and asks the servers that are seen, and then the others, a few a second. Otherwise it does nothing.
#ifndef APP_APP_SERVERS_H
#define APP_APP_SERVERS_H

#include "app_state.h"

/// Returns the directories of this run: those of the command line, else the player's own.
const struct option_list *app_servers_directories(const struct app *app);
/// Searches again: this network, the favourites and recent servers, and the directories.
void app_servers_search(struct app *app);
/// Opens the directories that are chosen now, also for friends, if they are others than before.
void app_servers_open_directories(struct app *app);
/// Returns whether a screen shows the list, or what it is made of.
bool app_servers_are_seen(const struct screen *screen);
/// Goes on with what is under way.
void app_servers_update(struct app *app);
void app_servers_close(struct app *app);

#endif
