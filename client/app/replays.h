// SPDX-License-Identifier: MIT
//
// Finds the recordings in a folder, the newest first, for the screen of replays. A file that is none is left out.
#ifndef APP_REPLAYS_H
#define APP_REPLAYS_H

#include "menu.h"

/// Lists them. `folder` empty: none.
void replays_list(struct menu_facts *facts, const char *folder);

#endif
