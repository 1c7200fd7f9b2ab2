// SPDX-License-Identifier: MIT
#include "screens.h"

static void command(struct menu *menu, uint32_t kind)
{
    menu_command(menu, (enum app_command_kind)kind, NULL);
}

static void left(struct menu *menu)
{
    menu_open_alone(menu, &SCREEN_TITLE);
}

static void to_title(struct menu *menu, uint32_t argument)
{
    (void)argument;
    left(menu);
}

static void fill(struct menu *menu)
{
    menu_paragraph(menu, menu->facts.failure);
    menu_add(menu,
             (struct item){.kind = ITEM_ACTION, .label = "Try again", .act = command, .argument = APP_COMMAND_RETRY});
    menu_add(menu, (struct item){.kind = ITEM_ACTION, .label = "Back to the title", .act = to_title});
}

const struct screen SCREEN_ERROR = {.name = "error", .title = "That did not work", .fill = fill, .left = left};
