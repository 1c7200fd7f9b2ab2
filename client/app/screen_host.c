// SPDX-License-Identifier: MIT
#include <stdio.h>
#include <string.h>

#include "screens.h"

// Shown in this order; a map that is not among them is one of a file, given on the command line.
static const char *const MAPS[] = {"foundry", "clockwork", "skyline", "breakout", "duel", "colosseum"};

static void start(struct menu *menu, uint32_t argument)
{
    (void)argument;
    menu_wish(menu, WISH_PLAY, NULL);
}

// The next one that is there; to the left, the one before.
static void next_map(struct menu *menu, uint32_t argument)
{
    uint32_t at = 0, count = sizeof MAPS / sizeof *MAPS;
    (void)argument;
    while (at < count && strcmp(MAPS[at], menu->preferences->map))
        at++;
    for (uint32_t tried = 0; tried < count; tried++) {
        at = (at + (menu->last == MENU_LEFT ? count - 1 : 1)) % count;
        if (!menu->facts.has_map || menu->facts.has_map(MAPS[at]))
            break;
    }
    snprintf(menu->preferences->map, sizeof menu->preferences->map, "%s", MAPS[at]);
    menu->changed = true;
}

static const struct item ITEMS[] = {
    {.kind = ITEM_SETTING, .label = "Mode", .row = "mode", .help = "ffa: each for himself   lms: the last one alive"},
    {.kind = ITEM_SETTING, .label = "Bots", .row = "bots", .help = "the match is filled up to so many players"},
    {.kind = ITEM_SETTING, .label = "Their skill", .row = "bot-skill"},
    {.kind = ITEM_SETTING, .label = "Places", .row = "players", .help = "for players, bots included"},
    {.kind = ITEM_TEXT, .label = "Name of the server", .row = "server-name"},
};

static void fill(struct menu *menu)
{
    bool running = menu->facts.in_match && menu->facts.hosting;
    menu_add(menu, (struct item){.kind = ITEM_ACTION,
                                 .label = running ? "Change now" : "Start",
                                 .act = start,
                                 .help = running ? "the match begins anew like this" : NULL});
    menu_add(menu, (struct item){.kind = ITEM_SETTING, .label = "Map", .row = "map", .act = next_map});
    menu_add_all(menu, ITEMS, sizeof ITEMS / sizeof *ITEMS);
}

const struct screen SCREEN_HOST = {.name = "host", .title = "Host a match", .fill = fill};
