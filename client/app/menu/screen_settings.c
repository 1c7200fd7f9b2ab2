// SPDX-License-Identifier: MIT
#include "screens.h"

#define FILL(name, rows)                                                                                               \
    static void name(struct menu *menu)                                                                                \
    {                                                                                                                  \
        menu_add_all(menu, rows, sizeof rows / sizeof *rows);                                                          \
    }

static const struct item ALL[] = {
    {.kind = ITEM_SCREEN, .label = "Player", .screen = &SCREEN_PLAYER, .help = "name, colour, hat"},
    {.kind = ITEM_SCREEN, .label = "Picture", .screen = &SCREEN_VIDEO, .help = "scaling, whole screen"},
    {.kind = ITEM_SCREEN, .label = "Sound", .screen = &SCREEN_SOUND},
    {.kind = ITEM_SCREEN, .label = "Keys", .screen = &SCREEN_KEYS},
    {.kind = ITEM_SCREEN,
     .label = "Keys of a second player",
     .screen = &SCREEN_KEYS_SECOND,
     .help = "who shares this keyboard"},
    {.kind = ITEM_SCREEN, .label = "Gamepads", .screen = &SCREEN_PADS},
    {.kind = ITEM_SCREEN,
     .label = "Accessibility",
     .screen = &SCREEN_EYES,
     .help = "colours, motion, shaking, size of text"},
};

static const struct item VIDEO[] = {
    {.kind = ITEM_SETTING,
     .label = "Scaling",
     .row = "scaling",
     .help = "integer: every pixel alike   fit: as large as the window   stretch: fill it"},
    {.kind = ITEM_SETTING, .label = "Whole screen", .row = "fullscreen", .help = "F11 or Alt+Enter at any time"},
    {.kind = ITEM_SETTING, .label = "Last kill again", .row = "kill-replays", .help = "slowly, when a round is over"},
};

static const struct item SOUND[] = {
    {.kind = ITEM_SETTING, .label = "Everything", .row = "volume"},
    {.kind = ITEM_SETTING, .label = "What happens", .row = "volume-effects"},
    {.kind = ITEM_SETTING, .label = "The place", .row = "volume-ambience"},
};

static const struct item PLAYER[] = {
    {.kind = ITEM_TEXT, .label = "Name", .row = "name", .help = "up to 16 letters; from the next match on"},
    {.kind = ITEM_SETTING,
     .label = "Colour",
     .row = "colour",
     .help = "if somebody wears it already, the next one is yours"},
    {.kind = ITEM_SETTING, .label = "Hat", .row = "hat", .help = "from the next match on"},
    {.kind = ITEM_SETTING, .label = "Hat of player 2", .row = "hat-second", .help = "who shares this machine"},
    {.kind = ITEM_SETTING, .label = "Hat of player 3", .row = "hat-third", .help = "who shares this machine"},
    {.kind = ITEM_SETTING, .label = "Hat of player 4", .row = "hat-fourth", .help = "who shares this machine"},
};

static const struct item EYES[] = {
    {.kind = ITEM_SETTING,
     .label = "Colours for",
     .row = "eyes",
     .help = "players in colours that these eyes tell apart"},
    {.kind = ITEM_SETTING,
     .label = "Less motion",
     .row = "reduced-motion",
     .help = "no flashes, fewer specks, a still backdrop"},
    {.kind = ITEM_SETTING, .label = "Shaking", .row = "shake", .help = "of the screen, when something heavy falls"},
    {.kind = ITEM_SETTING, .label = "Large text", .row = "large-text"},
};

FILL(fill_all, ALL)
FILL(fill_video, VIDEO)
FILL(fill_sound, SOUND)
FILL(fill_player, PLAYER)
FILL(fill_eyes, EYES)

const struct screen SCREEN_SETTINGS = {.name = "settings", .title = "Settings", .fill = fill_all};
const struct screen SCREEN_VIDEO = {.name = "video", .title = "Picture", .fill = fill_video};
const struct screen SCREEN_SOUND = {.name = "sound", .title = "Sound", .fill = fill_sound};
const struct screen SCREEN_PLAYER = {.name = "player", .title = "Player", .fill = fill_player};
const struct screen SCREEN_EYES = {.name = "accessibility", .title = "Accessibility", .fill = fill_eyes};
