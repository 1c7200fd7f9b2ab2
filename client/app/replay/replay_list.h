// SPDX-License-Identifier: MIT
//
// Finds the recordings in a folder, the newest first, for the screen of replays. A file that is none is left out.
#ifndef APP_REPLAY_REPLAY_LIST_H
#define APP_REPLAY_REPLAY_LIST_H

#include "app/menu/menu.h"

/// Lists them. `folder` empty: none.
void replay_list_read(struct menu_facts *facts, const char *folder);

#endif
