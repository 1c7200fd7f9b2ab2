// SPDX-License-Identifier: MIT
#include "screens.h"

#include <stdio.h>

#include "app/config/bindings.h"
#include "text/text.h"

static const struct item CATEGORIES[] = {
    {ITEM_SCREEN, TEXT_KEY("Player"), TEXT_KEY("name, colour, hat"), .screen = &SCREEN_PLAYER},
    {ITEM_SCREEN, TEXT_KEY("Picture"), TEXT_KEY("scaling, full screen, other players"), .screen = &SCREEN_VIDEO},
    {ITEM_SCREEN, TEXT_KEY("Sound"), .screen = &SCREEN_SOUND},
    {ITEM_SCREEN, TEXT_KEY("Keys"), .screen = &SCREEN_KEYS},
    {ITEM_SCREEN, TEXT_KEY("Keys of a second player"), TEXT_KEY("for a player who shares this keyboard"),
     .screen = &SCREEN_KEYS_SECOND},
    {ITEM_SCREEN, TEXT_KEY("Gamepads"), .screen = &SCREEN_GAMEPADS},
    {ITEM_SCREEN, TEXT_KEY("Accessibility"), TEXT_KEY("colours, motion, screen shake, text size"),
     .screen = &SCREEN_EYES},
    {ITEM_SETTING, TEXT_KEY("Bring my rating"), TEXT_KEY("to servers that trust the one where you earned it"),
     .row = ROW_SHOW_RATING},
};

// After a step: there is no display beyond the last.
static void keep_display(struct menu *menu, uint32_t argument)
{
    int64_t count = menu->facts.display_count;
    (void)argument;
    if (count && menu->preferences->window.screen > count)
        menu->preferences->window.screen = count;
}

static const struct item VIDEO[] = {
    {ITEM_SETTING, TEXT_KEY("Scaling"), TEXT_KEY("automatic: whole pixels where they fill the window"),
     .row = ROW_SCALING},
    {ITEM_SETTING, TEXT_KEY("Full screen"), TEXT_KEY("F11 or Alt+Enter at any time"), .row = ROW_FULLSCREEN},
    {ITEM_SETTING, TEXT_KEY("Monitor"), TEXT_KEY("if this computer has several; automatic: the main one"),
     .row = ROW_DISPLAY, .act = keep_display},
    {ITEM_SETTING, TEXT_KEY("Vertical sync"), TEXT_KEY("on: no tearing   off: less delay"), .row = ROW_VSYNC},
    {ITEM_SETTING, TEXT_KEY("Frame rate limit"), TEXT_KEY("a lower one saves power"), .row = ROW_FRAME_LIMIT},
    {ITEM_SETTING, TEXT_KEY("Show other players"),
     TEXT_KEY("where they should be now, or where they surely were a moment ago"), .row = ROW_VIEW},
    {ITEM_SETTING, TEXT_KEY("Replay the deciding kill"), TEXT_KEY("in slow motion, after a round"),
     .row = ROW_KILL_REPLAYS},
};

static const struct item SOUND[] = {
    {ITEM_SETTING, TEXT_KEY("Master volume"), .row = ROW_VOLUME},
    {ITEM_SETTING, TEXT_KEY("Effects"), .row = ROW_VOLUME_EFFECTS},
    {ITEM_SETTING, TEXT_KEY("Music"), TEXT_KEY("tightens as the round does"), .row = ROW_VOLUME_MUSIC},
    {ITEM_SETTING, TEXT_KEY("Voices"), TEXT_KEY("the announcer"), .row = ROW_VOLUME_VOICES},
    {ITEM_SETTING, TEXT_KEY("Ambience"), .row = ROW_VOLUME_AMBIENCE},
    {ITEM_SETTING, TEXT_KEY("Mute in the background"), TEXT_KEY("while another window has the focus"),
     .row = ROW_BACKGROUND_MUTE},
};

// Name and colour of another player at this computer.
#define FRIEND(name_, colour_, ROW)                                                                                    \
    {ITEM_TEXT, name_, TEXT_KEY("empty: your name with a number"), .row = ROW_NAME_##ROW},                             \
    {                                                                                                                  \
        .kind = ITEM_SETTING, .label = colour_, .row = ROW_COLOUR_##ROW,                                               \
        .help = TEXT_KEY("if another player has it, you get the next one")                                             \
    }

static const struct item PLAYER[] = {
    {ITEM_TEXT, TEXT_KEY("Name"), TEXT_KEY("up to 16 letters; used from the next match on"), .row = ROW_NAME},
    {ITEM_SETTING, TEXT_KEY("Colour"), TEXT_KEY("if another player has it, you get the next one"), .row = ROW_COLOUR},
    {ITEM_SETTING, TEXT_KEY("Hat"), TEXT_KEY("used from the next match on"), .row = ROW_HAT},
    FRIEND(TEXT_KEY("Player 2: name"), TEXT_KEY("Player 2: colour"), SECOND),
    {ITEM_SETTING, TEXT_KEY("Player 2: hat"), TEXT_KEY("for a player who shares this computer"), .row = ROW_HAT_SECOND},
    FRIEND(TEXT_KEY("Player 3: name"), TEXT_KEY("Player 3: colour"), THIRD),
    {ITEM_SETTING, TEXT_KEY("Player 3: hat"), TEXT_KEY("for a player who shares this computer"), .row = ROW_HAT_THIRD},
    FRIEND(TEXT_KEY("Player 4: name"), TEXT_KEY("Player 4: colour"), FOURTH),
    {ITEM_SETTING, TEXT_KEY("Player 4: hat"), TEXT_KEY("for a player who shares this computer"), .row = ROW_HAT_FOURTH},
};

static const struct item EYES[] = {
    {ITEM_SETTING, TEXT_KEY("Colour vision"), TEXT_KEY("player colours that you can tell apart"), .row = ROW_EYES},
    {ITEM_SETTING, TEXT_KEY("Less motion"), TEXT_KEY("no flashes, fewer particles, a still background"),
     .row = ROW_REDUCED_MOTION},
    {ITEM_SETTING, TEXT_KEY("Screen shake"), TEXT_KEY("when something heavy falls"), .row = ROW_SHAKE},
    {ITEM_SETTING, TEXT_KEY("Large text"), .row = ROW_LARGE_TEXT},
};

static void fill_settings(struct menu *menu)
{
    uint32_t language = menu->preferences->language;
    menu_add_all(menu, CATEGORIES, sizeof CATEGORIES / sizeof *CATEGORIES);
    // English too, for somebody who cannot read the rest.
    menu_add(menu, (struct item){ITEM_SETTING,
                                 text_language_used() == TEXT_ENGLISH
                                     ? "Language"
                                     : menu_format(menu, "%s / Language", text_of("Language")),
                                 .row = ROW_LANGUAGE,
                                 .value = language ? text_language_title((enum text_language)(language - 1))
                                                   : text_of("same as the system")});
}

static void fill_video(struct menu *menu)
{
    uint32_t number = (uint32_t)menu->preferences->window.screen;
    bool has_name = number && number <= menu->facts.display_count && menu->facts.displays[number - 1][0];
    menu_add_all(menu, VIDEO, sizeof VIDEO / sizeof *VIDEO);
    for (uint32_t i = 0; i < menu->count; i++)
        if (menu->items[i].act == keep_display)
            menu->items[i].value = !number    ? text_of("automatic")
                                   : has_name ? menu_format(menu, "%u: %s", number, menu->facts.displays[number - 1])
                                              : menu_format(menu, "%u", number);
}

static void fill_sound(struct menu *menu)
{
    menu_add_all(menu, SOUND, sizeof SOUND / sizeof *SOUND);
}

static void fill_player(struct menu *menu)
{
    menu_add_all(menu, PLAYER, sizeof PLAYER / sizeof *PLAYER);
    if (menu->preferences->muted.count)
        menu_add(menu, screen_muted_item(menu));
}

static void fill_eyes(struct menu *menu)
{
    menu_add_all(menu, EYES, sizeof EYES / sizeof *EYES);
}

// Adds a row for each binding of a set.
static void add_bindings(struct menu *menu, enum binding_set set)
{
    for (uint32_t i = 0; i < BINDING_COUNT; i++) {
        const struct binding *binding = &BINDINGS[i];
        const char *label = text_of(binding->label);
        if (binding->set == set)
            menu_add(menu, (struct item){set == BINDING_BUTTONS ? ITEM_GAMEPAD : ITEM_KEY,
                                         binding->is_alternative ? menu_format(menu, text_of("%s, alternative"), label)
                                                                 : label,
                                         .row = binding->row});
    }
}

static void reset(struct menu *menu, uint32_t argument)
{
    (void)argument;
    for (uint32_t i = 0; i < menu->count; i++)
        if (menu->items[i].kind == ITEM_KEY || menu->items[i].kind == ITEM_GAMEPAD)
            bindings_reset(menu->preferences, bindings_find(menu->items[i].row));
    menu->changed = true;
    snprintf(menu->facts.message, sizeof menu->facts.message, "%s", text_of("All of these are at their defaults."));
}

static void add_reset(struct menu *menu)
{
    menu_add(menu, (struct item){ITEM_ACTION, text_of("Reset to defaults"), .act = reset});
}

static void fill_keys(struct menu *menu)
{
    add_bindings(menu, BINDING_KEYS);
    add_reset(menu);
}

static void fill_second(struct menu *menu)
{
    add_bindings(menu, BINDING_KEYS_SECOND);
    add_reset(menu);
}

static void fill_gamepads(struct menu *menu)
{
    menu_note(menu, text_of("The left stick moves and aims."));
    menu_add(menu,
             (struct item){ITEM_SETTING, text_of("Rumble"),
                           text_of("when you hit or are hit, and when something heavy lands"), .row = ROW_RUMBLE});
    add_bindings(menu, BINDING_BUTTONS);
    add_reset(menu);
}

const struct screen SCREEN_SETTINGS = {.name = "settings", .title = TEXT_KEY("Settings"), .fill = fill_settings};
const struct screen SCREEN_VIDEO = {.name = "video", .title = TEXT_KEY("Picture"), .fill = fill_video};
const struct screen SCREEN_SOUND = {.name = "sound", .title = TEXT_KEY("Sound"), .fill = fill_sound};
const struct screen SCREEN_PLAYER = {.name = "player", .title = TEXT_KEY("Player"), .fill = fill_player};
const struct screen SCREEN_EYES = {.name = "accessibility", .title = TEXT_KEY("Accessibility"), .fill = fill_eyes};
const struct screen SCREEN_KEYS = {.name = "keys", .title = TEXT_KEY("Keys"), .fill = fill_keys};
const struct screen SCREEN_KEYS_SECOND = {
    .name = "keys-second", .title = TEXT_KEY("Keys of a second player"), .fill = fill_second};
const struct screen SCREEN_GAMEPADS = {.name = "pads", .title = TEXT_KEY("Gamepads"), .fill = fill_gamepads};
