// SPDX-License-Identifier: MIT
#include "screens.h"

static const struct item CATEGORIES[] = {
    {.kind = ITEM_SCREEN, .label = "Player", .screen = &SCREEN_PLAYER, .help = "name, colour, hat"},
    {.kind = ITEM_SCREEN, .label = "Picture", .screen = &SCREEN_VIDEO, .help = "scaling, full screen, other players"},
    {.kind = ITEM_SCREEN, .label = "Sound", .screen = &SCREEN_SOUND},
    {.kind = ITEM_SCREEN, .label = "Keys", .screen = &SCREEN_KEYS},
    {.kind = ITEM_SCREEN,
     .label = "Keys of a second player",
     .screen = &SCREEN_KEYS_SECOND,
     .help = "for a player who shares this keyboard"},
    {.kind = ITEM_SCREEN, .label = "Gamepads", .screen = &SCREEN_GAMEPADS},
    {.kind = ITEM_SCREEN,
     .label = "Accessibility",
     .screen = &SCREEN_EYES,
     .help = "colours, motion, screen shake, text size"},
};

static const struct item VIDEO[] = {
    {.kind = ITEM_SETTING,
     .label = "Scaling",
     .row = "scaling",
     .help = "auto: integer where it fills the window, else fit"},
    {.kind = ITEM_SETTING, .label = "Full screen", .row = "fullscreen", .help = "F11 or Alt+Enter at any time"},
    {.kind = ITEM_SETTING, .label = "Screen", .row = "display", .help = "of several; 0: as the system says"},
    {.kind = ITEM_SETTING,
     .label = "Wait for the display",
     .row = "vsync",
     .help = "no torn frames; off: a little sooner"},
    {.kind = ITEM_SETTING, .label = "Frames a second", .row = "frame-limit", .help = "at most; fewer save power"},
    {.kind = ITEM_SETTING,
     .label = "Other players",
     .row = "view",
     .help = "predicted: where they are now   interpolated: later, but smoother"},
    {.kind = ITEM_SETTING,
     .label = "Replay the deciding kill",
     .row = "kill-replays",
     .help = "in slow motion, after a round"},
};

static const struct item SOUND[] = {
    {.kind = ITEM_SETTING, .label = "Master volume", .row = "volume"},
    {.kind = ITEM_SETTING, .label = "Effects", .row = "volume-effects"},
    {.kind = ITEM_SETTING, .label = "Music", .row = "volume-music", .help = "tightens as the round does"},
    {.kind = ITEM_SETTING, .label = "Ambience", .row = "volume-ambience"},
    {.kind = ITEM_SETTING,
     .label = "Mute in the background",
     .row = "background-mute",
     .help = "while another window has the focus"},
};

static const struct item PLAYER[] = {
    {.kind = ITEM_TEXT, .label = "Name", .row = "name", .help = "up to 16 letters; used from the next match on"},
    {.kind = ITEM_SETTING,
     .label = "Colour",
     .row = "colour",
     .help = "if another player has it, you get the next one"},
    {.kind = ITEM_SETTING, .label = "Hat", .row = "hat", .help = "used from the next match on"},
    {.kind = ITEM_SETTING,
     .label = "Hat of player 2",
     .row = "hat-second",
     .help = "for a player who shares this computer"},
    {.kind = ITEM_SETTING,
     .label = "Hat of player 3",
     .row = "hat-third",
     .help = "for a player who shares this computer"},
    {.kind = ITEM_SETTING,
     .label = "Hat of player 4",
     .row = "hat-fourth",
     .help = "for a player who shares this computer"},
};

static const struct item EYES[] = {
    {.kind = ITEM_SETTING, .label = "Colour vision", .row = "eyes", .help = "player colours that you can tell apart"},
    {.kind = ITEM_SETTING,
     .label = "Less motion",
     .row = "reduced-motion",
     .help = "no flashes, fewer particles, a still background"},
    {.kind = ITEM_SETTING, .label = "Screen shake", .row = "shake", .help = "when something heavy falls"},
    {.kind = ITEM_SETTING, .label = "Large text", .row = "large-text"},
};

static void fill_settings(struct menu *menu)
{
    menu_add_all(menu, CATEGORIES, sizeof CATEGORIES / sizeof *CATEGORIES);
}

static void fill_video(struct menu *menu)
{
    menu_add_all(menu, VIDEO, sizeof VIDEO / sizeof *VIDEO);
}

static void fill_sound(struct menu *menu)
{
    menu_add_all(menu, SOUND, sizeof SOUND / sizeof *SOUND);
}

static void fill_player(struct menu *menu)
{
    menu_add_all(menu, PLAYER, sizeof PLAYER / sizeof *PLAYER);
}

static void fill_eyes(struct menu *menu)
{
    menu_add_all(menu, EYES, sizeof EYES / sizeof *EYES);
}

static const char *const LABELS[PREFERENCES_ACTIONS] = {"Left", "Right", "Up, aim up", "Down, drop",
                                                        "Jump", "Dash",  "Shoot"};

// Adds a row for each action. The row of the preferences is KIND-ACTION with a suffix, "" or "-other" or "-second".
static void add_column(struct menu *menu, enum item_kind kind, const char *kind_word, const char *suffix, bool second)
{
    for (uint32_t action = 0; action < PREFERENCES_ACTIONS; action++)
        menu_add(menu, (struct item){
                           .kind = kind,
                           .label = menu_format(menu, "%s%s", LABELS[action], second ? ", alternative" : ""),
                           .row = menu_format(menu, "%s-%s%s", kind_word, PREFERENCES_ACTION_NAMES[action], suffix)});
}

static void reset(struct menu *menu, uint32_t argument)
{
    (void)argument;
    for (uint32_t i = 0; i < menu->count; i++)
        if (menu->items[i].kind == ITEM_KEY || menu->items[i].kind == ITEM_GAMEPAD)
            preferences_reset(menu->preferences, menu->items[i].row);
    menu->changed = true;
    menu->facts.message[0] = 0;
}

static void add_reset(struct menu *menu)
{
    menu_add(menu, (struct item){.kind = ITEM_ACTION, .label = "Reset to defaults", .act = reset});
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

static void fill_gamepads(struct menu *menu)
{
    menu_note(menu, "The left stick moves and aims.");
    add_column(menu, ITEM_GAMEPAD, "pad", "", false);
    add_column(menu, ITEM_GAMEPAD, "pad", "-other", true);
    add_reset(menu);
}

const struct screen SCREEN_SETTINGS = {.name = "settings", .title = "Settings", .fill = fill_settings};
const struct screen SCREEN_VIDEO = {.name = "video", .title = "Picture", .fill = fill_video};
const struct screen SCREEN_SOUND = {.name = "sound", .title = "Sound", .fill = fill_sound};
const struct screen SCREEN_PLAYER = {.name = "player", .title = "Player", .fill = fill_player};
const struct screen SCREEN_EYES = {.name = "accessibility", .title = "Accessibility", .fill = fill_eyes};
const struct screen SCREEN_KEYS = {.name = "keys", .title = "Keys", .fill = fill_keys};
const struct screen SCREEN_KEYS_SECOND = {
    .name = "keys-second", .title = "Keys of a second player", .fill = fill_second};
const struct screen SCREEN_GAMEPADS = {.name = "pads", .title = "Gamepads", .fill = fill_gamepads};
