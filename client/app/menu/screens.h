// SPDX-License-Identifier: MIT
//
// All screens of the menus, and what more than one of them has (screens.c). title_screens.c, join_screens.c,
// spectate_screens.c, match_screens.c, people_screens.c and settings_screens.c define them.
#ifndef APP_MENU_SCREENS_H
#define APP_MENU_SCREENS_H

#include "menu.h"

extern const struct screen SCREEN_TITLE, SCREEN_JOIN, SCREEN_ADDRESS, SCREEN_PASSWORD, SCREEN_HOST, SCREEN_CHANGE,
    SCREEN_REPLAYS, SCREEN_SETTINGS, SCREEN_VIDEO, SCREEN_SOUND, SCREEN_KEYS, SCREEN_KEYS_SECOND, SCREEN_GAMEPADS,
    SCREEN_PLAYER, SCREEN_EYES, SCREEN_PAUSE, SCREEN_TEAM, SCREEN_LOBBY, SCREEN_ERROR, SCREEN_DISCONNECTED,
    SCREEN_VARIANTS, SCREEN_PRESETS, SCREEN_STATISTICS, SCREEN_ALONE, SCREEN_LESSONS, SCREEN_TRIALS, SCREEN_COURSE,
    SCREEN_ROSTER, SCREEN_INVITE, SCREEN_FOLLOW, SCREEN_FILTERS, SCREEN_DIRECTORIES, SCREEN_FRIENDS, SCREEN_LIVE,
    SCREEN_LEAVE, SCREEN_MUTED, SCREEN_RECORD;

/// A map that the game ships with.
struct screen_map {
    const char *name;
    bool has_goals; ///< for the modes that need them
};
#define SCREEN_MAP_COUNT 6
/// The maps to choose from, in the order in which they are offered.
extern const struct screen_map SCREEN_MAPS[SCREEN_MAP_COUNT];
/// Returns whether a mode (enum mode) can be played on a map. True for a map that is not among SCREEN_MAPS.
bool screen_map_suits(const char *map, uint32_t mode);

/// Items of the title that are always there. Behind them is the live match, which stands beside them.
#define SCREEN_TITLE_COUNT 8

/// Returns the item that opens the lobby from the screens that lead to a match with others.
struct item screen_lobby_item(struct menu *menu);

/// Returns the item by which a match that is hosted here takes over what was chosen.
struct item screen_change_item(void);
/// Returns the item that opens the statistics, of a match on a server that keeps records.
struct item screen_statistics_item(void);
/// Returns the item that opens the invitation to a match; only while there is one.
struct item screen_invite_item(void);
/// Returns the item that opens the list of friends.
struct item screen_friends_item(struct menu *menu);
/// Returns the item that opens the list of muted players.
struct item screen_muted_item(struct menu *menu);
/// Returns the item that opens the screen of the lists of servers.
struct item screen_directories_item(struct menu *menu);

/// Adds the item that shows the best live match that a fresh list has, if there is one.
void screen_add_live_now(struct menu *menu);

/// Adds the choice to stay in the match, first, so that a jump that was meant for the match stays; and what ends it.
void screen_add_stay_or(struct menu *menu, const char *label, void (*act)(struct menu *menu, uint32_t argument));

/// Chooses the next installed map that suits the chosen mode, or the one before; any if the mode follows by itself.
void screen_step_map(struct menu *menu, bool back);
/// Returns what a mode (enum mode, or PREFERENCES_MODE_AUTO) is called.
const char *screen_mode_title(uint32_t mode);
/// Returns the title of the mode that the list of servers is limited to, "all" without one.
const char *screen_servers_mode_title(const struct menu *menu);
/// Finds a screen by its name. NULL if there is none.
const struct screen *screen_find(const char *name);
/// All screens; NULL ends them.
extern const struct screen *const SCREENS[];

#endif
