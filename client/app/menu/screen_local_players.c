// SPDX-License-Identifier: MIT
#include "screens.h"

static void leave(struct menu *menu, uint32_t argument)
{
    menu->facts.leaving = argument + 1;
}

static void fill(struct menu *menu)
{
    menu_paragraph(menu, "Press jump on a pad or a set of keys to take a place.");
    for (uint32_t i = 0; i < LOCAL_PLAYERS; i++) {
        const struct menu_local_player *player = &menu->facts.players[i];
        struct item item = {
            .kind = ITEM_ACTION, .label = menu_format(menu, "Player %u", i + 1), .act = leave, .argument = i};
        item.value = player->device[0] ? menu_format(menu, "%s   %s", player->device, player->state) : "free";
        item.help = player->device[0] ? "Enter: he leaves" : NULL;
        menu_add(menu, item);
    }
    menu_paragraph(menu, "With nobody here, one player has all keys and pads.");
}

const struct screen SCREEN_LOCAL_PLAYERS = {.name = "players", .title = "Players at this machine", .fill = fill};
