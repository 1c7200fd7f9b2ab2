// SPDX-License-Identifier: MIT
//
// All screens of the menus, each in a file of its own name.
#ifndef APP_MENU_SCREENS_H
#define APP_MENU_SCREENS_H

#include "menu.h"

extern const struct screen SCREEN_TITLE, SCREEN_JOIN, SCREEN_ADDRESS, SCREEN_PASSWORD, SCREEN_HOST, SCREEN_CHANGE,
    SCREEN_REPLAYS, SCREEN_SETTINGS, SCREEN_VIDEO, SCREEN_SOUND, SCREEN_KEYS, SCREEN_KEYS_SECOND, SCREEN_PADS,
    SCREEN_PLAYER, SCREEN_EYES, SCREEN_PAUSE, SCREEN_TEAM, SCREEN_LOCAL_PLAYERS, SCREEN_ERROR;

/// Maps that are chosen from, in this order; null ends them.
extern const char *const SCREEN_HOST_MAPS[];
/// Whether a mode (index into PREFERENCES_MODES) can be played on a map, as far as is known of it.
bool screen_host_suits(const char *map, uint32_t mode);

/// Every screen, by its name; null if there is none.
const struct screen *screen_find(const char *name);
/// The names; null ends them.
extern const char *const SCREEN_NAMES[];

#endif
