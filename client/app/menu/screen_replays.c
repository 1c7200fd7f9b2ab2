// SPDX-License-Identifier: MIT
#include "screens.h"

static void play(struct menu *menu, uint32_t argument)
{
    menu_command(menu, APP_COMMAND_REPLAY, menu->facts.replays[argument].path);
}

static void fill(struct menu *menu)
{
    for (uint32_t i = 0; i < menu->facts.replay_count; i++) {
        const struct menu_replay *replay = &menu->facts.replays[i];
        menu_add(menu, (struct item){.kind = ITEM_ACTION,
                                     .label = replay->name,
                                     .act = play,
                                     .argument = i,
                                     .help = replay->path,
                                     .value = menu_format(menu, "%s   %s", replay->map, replay->length)});
    }
    if (!menu->facts.replay_count) {
        menu_note(menu, "There is none yet.");
        menu_paragraph(menu, "Matches that you host are recorded here.");
    }
}

const struct screen SCREEN_REPLAYS = {.name = "replays", .title = "Replays", .fill = fill};
