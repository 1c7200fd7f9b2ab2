// SPDX-License-Identifier: MIT
#include <stdio.h>
#include <string.h>

#include "app/hud/hints.h"
#include "screens.h"

// A map that is not among them is one of a file, given on the command line.
const char *const SCREEN_HOST_MAPS[] = {"foundry", "clockwork", "skyline", "breakout", "duel", "colosseum", NULL};
#define MAP_COUNT (sizeof SCREEN_HOST_MAPS / sizeof *SCREEN_HOST_MAPS - 1)

static const char *const MODES_TOLD[] = {"Deathmatch", "Last one standing", "Teams", "Breakout"};

static size_t place_of(const char *map)
{
    size_t at = 0;
    while (at < MAP_COUNT && strcmp(SCREEN_HOST_MAPS[at], map))
        at++;
    return at;
}

bool screen_host_suits(const char *map, uint32_t mode)
{
    return mode != MODE_BREAKOUT || place_of(map) == MAP_COUNT || !strcmp(map, "breakout");
}

static void start(struct menu *menu, uint32_t running)
{
    menu_command(menu, running ? APP_COMMAND_CHANGE : APP_COMMAND_HOST, NULL);
}

// The next one that is there and suits the mode; to the left, the one before.
static void next_map(struct menu *menu, uint32_t argument)
{
    size_t at = place_of(menu->preferences->map), count = MAP_COUNT;
    (void)argument;
    for (size_t tried = 0; tried < count; tried++) {
        at = (at + (menu->last == MENU_LEFT ? count - 1 : 1)) % count;
        if ((!menu->facts.has_map || menu->facts.has_map(SCREEN_HOST_MAPS[at])) &&
            screen_host_suits(SCREEN_HOST_MAPS[at], menu->preferences->mode))
            break;
    }
    snprintf(menu->preferences->map, sizeof menu->preferences->map, "%s", SCREEN_HOST_MAPS[at]);
    menu->changed = true;
}

static void keep_map_suited(struct menu *menu, uint32_t argument)
{
    if (!screen_host_suits(menu->preferences->map, menu->preferences->mode))
        next_map(menu, argument);
}

// What a running server keeps is not offered.
static void fill(struct menu *menu)
{
    bool running = menu->facts.in_match && menu->facts.hosting;
    uint32_t mode = menu->preferences->mode;
    const struct item items[] = {
        {.kind = ITEM_ACTION,
         .label = running ? "Change now" : "Start",
         .act = start,
         .argument = running,
         .help =
             running ? "for all who play here; nobody has to join again" : "others of this network find it by Join"},
        {.kind = ITEM_SETTING, .label = "Map", .row = "map", .act = next_map},
        {.kind = ITEM_SETTING,
         .label = "Mode",
         .row = "mode",
         .value = MODES_TOLD[mode],
         .act = keep_map_suited,
         .help = hints_goal(mode)},
        {.kind = ITEM_SETTING, .label = "Bots", .row = "bots", .help = "the match is filled up to so many players"},
        {.kind = ITEM_SETTING, .label = "Their skill", .row = "bot-skill"},
        {.kind = ITEM_SETTING, .label = "Places", .row = "players", .help = "for players, bots included"},
        {.kind = ITEM_TEXT,
         .label = "Name of the server",
         .row = "server-name",
         .help = "as others see it in their list"},
    };
    menu_add_all(menu, items, sizeof items / sizeof *items - (running ? 2 : 0));
}

const struct screen SCREEN_HOST = {.name = "host", .title = "Host a match", .fill = fill};
const struct screen SCREEN_CHANGE = {.name = "change", .title = "Change map or mode", .fill = fill};
