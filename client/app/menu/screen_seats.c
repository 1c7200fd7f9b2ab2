// SPDX-License-Identifier: MIT
#include "screens.h"

static void leave(struct menu *menu, uint32_t argument)
{
    menu->facts.leaving = argument + 1;
}

static void fill(struct menu *menu)
{
    menu_sentence(menu, "Press jump on a pad or a set of keys to take a place.");
    for (uint32_t i = 0; i < MENU_SEATS; i++) {
        const struct menu_seat *seat = &menu->facts.seats[i];
        struct item item = {
            .kind = ITEM_ACTION, .label = menu_words(menu, "Player %u", i + 1), .act = leave, .argument = i};
        item.value = seat->device[0] ? menu_words(menu, "%s   %s", seat->device, seat->state) : "free";
        item.help = seat->device[0] ? "Enter: he leaves" : NULL;
        menu_add(menu, item);
    }
    menu_sentence(menu, "With nobody here, one player has all keys and pads.");
}

const struct screen SCREEN_SEATS = {.name = "players", .title = "Players at this machine", .fill = fill};
