// SPDX-License-Identifier: MIT
#include "screens.h"

#include <string.h>

#include "app/text/text.h"

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
    &SCREEN_TRIAL,       &SCREEN_ROSTER,
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

struct item screen_lobby_item(struct menu *menu)
{
    uint32_t count = menu->facts.lobby ? lobby_count(menu->facts.lobby) : 0;
    return (struct item){.kind = ITEM_SCREEN,
                         .label = text_of("Players on this computer"),
                         .screen = &SCREEN_LOBBY,
                         .plain = true,
                         .value = menu_format(menu, "%u", count ? count : 1),
                         .help = text_of("up to four join the same match together")};
}
