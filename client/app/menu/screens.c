// SPDX-License-Identifier: MIT
#include "screens.h"

#include <string.h>

static const struct screen *const SCREENS[] = {
    &SCREEN_TITLE,       &SCREEN_JOIN,          &SCREEN_ADDRESS, &SCREEN_PASSWORD, &SCREEN_HOST,
    &SCREEN_REPLAYS,     &SCREEN_SETTINGS,      &SCREEN_VIDEO,   &SCREEN_SOUND,    &SCREEN_KEYS,
    &SCREEN_KEYS_SECOND, &SCREEN_GAMEPADS,      &SCREEN_PLAYER,  &SCREEN_EYES,     &SCREEN_PAUSE,
    &SCREEN_TEAM,        &SCREEN_LOCAL_PLAYERS, &SCREEN_ERROR,   &SCREEN_CHANGE,
};

const char *const SCREEN_NAMES[] = {"title", "join",  "address", "password",    "host",   "replays", "settings",
                                    "video", "sound", "keys",    "keys-second", "pads",   "player",  "accessibility",
                                    "pause", "team",  "players", "error",       "change", NULL};

const struct screen *screen_find(const char *name)
{
    for (size_t i = 0; i < sizeof SCREENS / sizeof *SCREENS; i++)
        if (!strcmp(SCREENS[i]->name, name))
            return SCREENS[i];
    return NULL;
}
