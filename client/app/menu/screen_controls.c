// SPDX-License-Identifier: MIT
#include <stdio.h>

#include "screens.h"

static const char *const LABELS[PREFERENCES_ACTIONS] = {"Left", "Right", "Up, aim up", "Down, drop",
                                                        "Jump", "Dash",  "Shoot"};

// Rows of one column of the table; `suffix` names the column.
static void add_column(struct menu *menu, enum item_kind kind, const char *kind_word, const char *suffix, bool second)
{
    for (uint32_t action = 0; action < PREFERENCES_ACTIONS; action++)
        menu_add(menu, (struct item){
                           .kind = kind,
                           .label = menu_format(menu, "%s%s", LABELS[action], second ? ", second way" : ""),
                           .row = menu_format(menu, "%s-%s%s", kind_word, PREFERENCES_ACTION_NAMES[action], suffix)});
}

static void reset(struct menu *menu, uint32_t argument)
{
    (void)argument;
    for (uint32_t i = 0; i < menu->count; i++)
        if (menu->items[i].kind == ITEM_KEY || menu->items[i].kind == ITEM_PAD)
            preferences_reset(menu->preferences, menu->items[i].row);
    menu->changed = true;
    menu->facts.message[0] = 0;
}

static void add_reset(struct menu *menu)
{
    menu_add(menu, (struct item){.kind = ITEM_ACTION, .label = "As they were made", .act = reset});
}

static void fill_keys(struct menu *menu)
{
    add_column(menu, ITEM_KEY, "key", "", false);
    add_column(menu, ITEM_KEY, "key", "-other", true);
    add_reset(menu);
}

static void fill_second(struct menu *menu)
{
    add_column(menu, ITEM_KEY, "key", "-second", false);
    add_reset(menu);
}

static void fill_pads(struct menu *menu)
{
    menu_note(menu, "The left stick moves and aims.");
    add_column(menu, ITEM_PAD, "pad", "", false);
    add_column(menu, ITEM_PAD, "pad", "-other", true);
    add_reset(menu);
}

const struct screen SCREEN_KEYS = {.name = "keys", .title = "Keys", .fill = fill_keys};
const struct screen SCREEN_KEYS_SECOND = {
    .name = "keys-second", .title = "Keys of a second player", .fill = fill_second};
const struct screen SCREEN_PADS = {.name = "pads", .title = "Gamepads", .fill = fill_pads};
