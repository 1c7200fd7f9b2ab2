// SPDX-License-Identifier: MIT
//
// What the shipped maps are called on the screen. Files and servers name a map by a short English word; a player reads
// its title in their language. A map of somebody else keeps the name that it has.
#ifndef APP_TEXT_MAP_TITLE_H
#define APP_TEXT_MAP_TITLE_H

/// Returns the title of a map; the name itself if the game does not ship it.
const char *map_title(const char *name);

#endif
