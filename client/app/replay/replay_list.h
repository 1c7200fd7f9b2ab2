// SPDX-License-Identifier: MIT
//
// Finds the replays in a folder, the match that began last first, for the screen of replays, with the local time at
// which each began. Skips files that are not replays.
#ifndef APP_REPLAY_REPLAY_LIST_H
#define APP_REPLAY_REPLAY_LIST_H

#include "app/menu/menu.h"

/// Reads the list. `folder` empty: none.
void replay_list_read(struct menu_facts *facts, const char *folder);

#endif
