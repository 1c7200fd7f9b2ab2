// SPDX-License-Identifier: MIT
#include "screens.h"

#include <stdio.h>
#include <string.h>

#include "game/rules/mode.h"
#include "hud/mode_text.h"
#include "text/text.h"

const struct screen *const SCREENS[] = {
    &SCREEN_TITLE,       &SCREEN_JOIN,
    &SCREEN_ADDRESS,     &SCREEN_PASSWORD,
    &SCREEN_HOST,        &SCREEN_REPLAYS,
    &SCREEN_SETTINGS,    &SCREEN_VIDEO,
    &SCREEN_SOUND,       &SCREEN_KEYS,
    &SCREEN_KEYS_SECOND, &SCREEN_GAMEPADS,
    &SCREEN_PLAYER,      &SCREEN_EYES,
    &SCREEN_PAUSE,       &SCREEN_TEAM,
    &SCREEN_LOBBY,       &SCREEN_ERROR,
    &SCREEN_CHANGE,      &SCREEN_DISCONNECTED,
    &SCREEN_VARIANTS,    &SCREEN_PRESETS,
    &SCREEN_STATISTICS,  &SCREEN_ALONE,
    &SCREEN_LESSONS,     &SCREEN_TRIALS,
    &SCREEN_COURSE,      &SCREEN_ROSTER,
    &SCREEN_INVITE,      &SCREEN_FILTERS,
    &SCREEN_DIRECTORIES, &SCREEN_LIVE,
    &SCREEN_FOLLOW,      &SCREEN_FRIENDS,
    &SCREEN_LEAVE,       &SCREEN_MUTED,
    &SCREEN_RECORD,      NULL,
};

const struct screen *screen_find(const char *name)
{
    const struct screen *const *screen = SCREENS;
    while (*screen && strcmp((*screen)->name, name))
        screen++;
    return *screen;
}

// --- maps and modes

const struct screen_map SCREEN_MAPS[SCREEN_MAP_COUNT] = {{"foundry", false}, {"clockwork", false},
                                                         {"skyline", false}, {"breakout", true},
                                                         {"duel", false},    {"colosseum", false}};

const char *screen_mode_title(uint32_t mode)
{
    return mode == PREFERENCES_MODE_AUTO ? text_of("Automatic") : mode_text_title(mode);
}

// SCREEN_MAP_COUNT for a map from a file that the command line named.
static size_t index_of(const char *map)
{
    size_t index = 0;
    while (index < SCREEN_MAP_COUNT && strcmp(SCREEN_MAPS[index].name, map))
        index++;
    return index;
}

bool screen_map_suits(const char *map, uint32_t mode)
{
    size_t index = index_of(map);
    return index == SCREEN_MAP_COUNT || !mode_play((enum mode)mode)->goals || SCREEN_MAPS[index].has_goals;
}

void screen_step_map(struct menu *menu, bool back)
{
    size_t index = index_of(menu->preferences->map);
    uint32_t mode = menu->preferences->mode;
    for (size_t tried = 0; tried < SCREEN_MAP_COUNT; tried++) {
        index = (index + (back ? SCREEN_MAP_COUNT - 1 : 1)) % SCREEN_MAP_COUNT;
        const char *name = SCREEN_MAPS[index].name;
        bool suits =
            mode == PREFERENCES_MODE_AUTO || screen_map_suits(name, mode); // by itself, it follows from the map
        if ((!menu->facts.has_map || menu->facts.has_map(name)) && suits)
            break;
    }
    snprintf(menu->preferences->map, sizeof menu->preferences->map, "%s", SCREEN_MAPS[index].name);
    menu->changed = true;
}

// --- items that more than one screen has

struct item screen_lobby_item(struct menu *menu)
{
    uint32_t count = menu->facts.lobby ? lobby_count(menu->facts.lobby) : 0;
    return (struct item){ITEM_SCREEN,
                         text_of("Players on this computer"),
                         text_of("up to four join the same match together"),
                         .screen = &SCREEN_LOBBY,
                         .plain = true,
                         .value = menu_format(menu, "%u", count ? count : 1)};
}

struct item screen_friends_item(struct menu *menu)
{
    const struct friends *friends = menu->facts.friends;
    uint32_t online = friends ? friends->online : 0;
    return (struct item){ITEM_SCREEN,
                         text_of("Friends"),
                         text_of("who of your friends is there, and where they play"),
                         .screen = &SCREEN_FRIENDS,
                         .plain = true,
                         .value = online ? menu_format(menu, text_of("%u online"), online) : "",
                         .lit = online > 0};
}

struct item screen_invite_item(void)
{
    return (struct item){ITEM_SCREEN, text_of("Invite friends"), text_of("a link and a code that lead into this match"),
                         .screen = &SCREEN_INVITE, .plain = true};
}

struct item screen_directories_item(struct menu *menu)
{
    const struct directories *directories = menu->facts.directories;
    return (struct item){ITEM_SCREEN,
                         text_of("Lists of servers"),
                         text_of("where the list of servers on the internet comes from"),
                         .screen = &SCREEN_DIRECTORIES,
                         .plain = true,
                         .value = menu_format(menu, "%u", directories ? directories->count : 0)};
}

void screen_add_stay_or(struct menu *menu, const char *label, void (*act)(struct menu *menu, uint32_t argument))
{
    menu_add(menu,
             (struct item){ITEM_ACTION, text_of("Stay here"), .act = menu_act_command, .argument = APP_COMMAND_RESUME});
    menu_add(menu, (struct item){ITEM_ACTION, label, .act = act});
}
