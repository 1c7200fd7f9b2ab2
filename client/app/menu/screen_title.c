// SPDX-License-Identifier: MIT
#include "screens.h"

static void command(struct menu *menu, uint32_t kind)
{
    menu_command(menu, (enum app_command_kind)kind, NULL);
}

static const struct item ITEMS[] = {
    {.kind = ITEM_ACTION,
     .label = "Play now",
     .act = command,
     .argument = APP_COMMAND_PLAY,
     .help = "a match against bots, at once"},
    {.kind = ITEM_SCREEN,
     .label = "Join",
     .screen = &SCREEN_JOIN,
     .help = "somebody's match: near, known, or by its address"},
    {.kind = ITEM_SCREEN, .label = "Host", .screen = &SCREEN_HOST, .help = "choose a map and a mode; others can join"},
    {.kind = ITEM_SCREEN, .label = "Players", .screen = &SCREEN_LOCAL_PLAYERS, .help = "up to four at this machine"},
    {.kind = ITEM_SCREEN, .label = "Replays", .screen = &SCREEN_REPLAYS, .help = "matches that were recorded"},
    {.kind = ITEM_SCREEN,
     .label = "Settings",
     .screen = &SCREEN_SETTINGS,
     .help = "picture, sound, keys, name, and what eyes need"},
    {.kind = ITEM_ACTION, .label = "Quit", .act = command, .argument = APP_COMMAND_QUIT},
};

static void fill(struct menu *menu)
{
    menu_add_all(menu, ITEMS, sizeof ITEMS / sizeof *ITEMS);
}

const struct screen SCREEN_TITLE = {.name = "title", .fill = fill};
