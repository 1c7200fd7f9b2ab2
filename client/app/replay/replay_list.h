// SPDX-License-Identifier: MIT
//
// Finds the replays in a folder, the match that began last first, for the screen of replays, with the local time at
// which each began. Skips files that are not replays.
#ifndef APP_REPLAY_REPLAY_LIST_H
#define APP_REPLAY_REPLAY_LIST_H

#include "app/menu/menu.h"

/// Reads the list, but only of files without a date in their names what is within them. `folder` empty: none.
void replay_list_read(struct menu_facts *facts, const char *folder);

/// Reads what is within some files of the list, of those for which that was not done: before they are seen.
void replay_list_look(struct menu_facts *facts, uint32_t first, uint32_t count);

#endif
