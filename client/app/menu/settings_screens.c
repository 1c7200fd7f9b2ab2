// SPDX-License-Identifier: MIT
#include "screens.h"

#include <stdio.h>

#include "app/config/bindings.h"
#include "app/text/text.h"

static const struct item CATEGORIES[] = {
    {.kind = ITEM_SCREEN, .label = TEXT_KEY("Player"), .screen = &SCREEN_PLAYER, .help = TEXT_KEY("name, colour, hat")},
    {.kind = ITEM_SCREEN,
     .label = TEXT_KEY("Picture"),
     .screen = &SCREEN_VIDEO,
     .help = TEXT_KEY("scaling, full screen, other players")},
    {.kind = ITEM_SCREEN, .label = TEXT_KEY("Sound"), .screen = &SCREEN_SOUND},
    {.kind = ITEM_SCREEN, .label = TEXT_KEY("Keys"), .screen = &SCREEN_KEYS},
    {.kind = ITEM_SCREEN,
     .label = TEXT_KEY("Keys of a second player"),
     .screen = &SCREEN_KEYS_SECOND,
     .help = TEXT_KEY("for a player who shares this keyboard")},
    {.kind = ITEM_SCREEN, .label = TEXT_KEY("Gamepads"), .screen = &SCREEN_GAMEPADS},
    {.kind = ITEM_SCREEN,
     .label = TEXT_KEY("Accessibility"),
     .screen = &SCREEN_EYES,
     .help = TEXT_KEY("colours, motion, screen shake, text size")},
    {.kind = ITEM_SETTING,
     .label = TEXT_KEY("Bring my rating"),
     .row = ROW_SHOW_RATING,
     .help = TEXT_KEY("to servers that trust the one where you earned it")},
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
    {.kind = ITEM_SETTING,
     .label = TEXT_KEY("Scaling"),
     .row = ROW_SCALING,
     .help = TEXT_KEY("automatic: whole pixels where they fill the window")},
    {.kind = ITEM_SETTING,
     .label = TEXT_KEY("Full screen"),
     .row = ROW_FULLSCREEN,
     .help = TEXT_KEY("F11 or Alt+Enter at any time")},
    {.kind = ITEM_SETTING,
     .label = TEXT_KEY("Monitor"),
     .row = ROW_DISPLAY,
     .act = keep_display,
     .help = TEXT_KEY("if this computer has several; automatic: the main one")},
    {.kind = ITEM_SETTING,
     .label = TEXT_KEY("Vertical sync"),
     .row = ROW_VSYNC,
     .help = TEXT_KEY("on: no tearing   off: less delay")},
    {.kind = ITEM_SETTING,
     .label = TEXT_KEY("Frame rate limit"),
     .row = ROW_FRAME_LIMIT,
     .help = TEXT_KEY("a lower one saves power")},
    {.kind = ITEM_SETTING,
     .label = TEXT_KEY("Show other players"),
     .row = ROW_VIEW,
     .help = TEXT_KEY("where they should be now, or where they surely were a moment ago")},
    {.kind = ITEM_SETTING,
     .label = TEXT_KEY("Replay the deciding kill"),
     .row = ROW_KILL_REPLAYS,
     .help = TEXT_KEY("in slow motion, after a round")},
};

static const struct item SOUND[] = {
    {.kind = ITEM_SETTING, .label = TEXT_KEY("Master volume"), .row = ROW_VOLUME},
    {.kind = ITEM_SETTING, .label = TEXT_KEY("Effects"), .row = ROW_VOLUME_EFFECTS},
    {.kind = ITEM_SETTING,
     .label = TEXT_KEY("Music"),
     .row = ROW_VOLUME_MUSIC,
     .help = TEXT_KEY("tightens as the round does")},
    {.kind = ITEM_SETTING, .label = TEXT_KEY("Voices"), .row = ROW_VOLUME_VOICES, .help = TEXT_KEY("the announcer")},
    {.kind = ITEM_SETTING, .label = TEXT_KEY("Ambience"), .row = ROW_VOLUME_AMBIENCE},
    {.kind = ITEM_SETTING,
     .label = TEXT_KEY("Mute in the background"),
     .row = ROW_BACKGROUND_MUTE,
     .help = TEXT_KEY("while another window has the focus")},
};

// Name and colour of another player at this computer.
#define FRIEND(name_, colour_, ROW)                                                                                    \
    {.kind = ITEM_TEXT, .label = name_, .row = ROW_NAME_##ROW, .help = TEXT_KEY("empty: your name with a number")},    \
    {                                                                                                                  \
        .kind = ITEM_SETTING, .label = colour_, .row = ROW_COLOUR_##ROW,                                               \
        .help = TEXT_KEY("if another player has it, you get the next one")                                             \
    }

static const struct item PLAYER[] = {
    {.kind = ITEM_TEXT,
     .label = TEXT_KEY("Name"),
     .row = ROW_NAME,
     .help = TEXT_KEY("up to 16 letters; used from the next match on")},
    {.kind = ITEM_SETTING,
     .label = TEXT_KEY("Colour"),
     .row = ROW_COLOUR,
     .help = TEXT_KEY("if another player has it, you get the next one")},
    {.kind = ITEM_SETTING, .label = TEXT_KEY("Hat"), .row = ROW_HAT, .help = TEXT_KEY("used from the next match on")},
    FRIEND(TEXT_KEY("Player 2: name"), TEXT_KEY("Player 2: colour"), SECOND),
    {.kind = ITEM_SETTING,
     .label = TEXT_KEY("Player 2: hat"),
     .row = ROW_HAT_SECOND,
     .help = TEXT_KEY("for a player who shares this computer")},
    FRIEND(TEXT_KEY("Player 3: name"), TEXT_KEY("Player 3: colour"), THIRD),
    {.kind = ITEM_SETTING,
     .label = TEXT_KEY("Player 3: hat"),
     .row = ROW_HAT_THIRD,
     .help = TEXT_KEY("for a player who shares this computer")},
    FRIEND(TEXT_KEY("Player 4: name"), TEXT_KEY("Player 4: colour"), FOURTH),
    {.kind = ITEM_SETTING,
     .label = TEXT_KEY("Player 4: hat"),
     .row = ROW_HAT_FOURTH,
     .help = TEXT_KEY("for a player who shares this computer")},
};

static const struct item EYES[] = {
    {.kind = ITEM_SETTING,
     .label = TEXT_KEY("Colour vision"),
     .row = ROW_EYES,
     .help = TEXT_KEY("player colours that you can tell apart")},
    {.kind = ITEM_SETTING,
     .label = TEXT_KEY("Less motion"),
     .row = ROW_REDUCED_MOTION,
     .help = TEXT_KEY("no flashes, fewer particles, a still background")},
    {.kind = ITEM_SETTING,
     .label = TEXT_KEY("Screen shake"),
     .row = ROW_SHAKE,
     .help = TEXT_KEY("when something heavy falls")},
    {.kind = ITEM_SETTING, .label = TEXT_KEY("Large text"), .row = ROW_LARGE_TEXT},
};

static void fill_settings(struct menu *menu)
{
    uint32_t language = menu->preferences->language;
    menu_add_all(menu, CATEGORIES, sizeof CATEGORIES / sizeof *CATEGORIES);
    // English too, for somebody who cannot read the rest.
    menu_add(menu, (struct item){.kind = ITEM_SETTING,
                                 .label = text_language_used() == TEXT_ENGLISH
                                              ? "Language"
                                              : menu_format(menu, "%s / Language", text_of("Language")),
                                 .row = ROW_LANGUAGE,
                                 .value = language ? text_language_title((enum text_language)(language - 1))
                                                   : text_of("same as the system")});
}

// The number and the name of the chosen display.
static const char *display_text(struct menu *menu)
{
    uint32_t number = (uint32_t)menu->preferences->window.screen;
    bool has_name = number && number <= menu->facts.display_count && menu->facts.displays[number - 1][0];
    return !number    ? text_of("automatic")
           : has_name ? menu_format(menu, "%u: %s", number, menu->facts.displays[number - 1])
                      : menu_format(menu, "%u", number);
}

static void fill_video(struct menu *menu)
{
    menu_add_all(menu, VIDEO, sizeof VIDEO / sizeof *VIDEO);
    for (uint32_t i = 0; i < menu->count; i++)
        if (menu->items[i].act == keep_display)
            menu->items[i].value = display_text(menu);
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
            menu_add(menu, (struct item){.kind = set == BINDING_BUTTONS ? ITEM_GAMEPAD : ITEM_KEY,
                                         .label = binding->is_alternative
                                                      ? menu_format(menu, text_of("%s, alternative"), label)
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
    menu_add(menu, (struct item){.kind = ITEM_ACTION, .label = text_of("Reset to defaults"), .act = reset});
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
    menu_add(menu, (struct item){.kind = ITEM_SETTING,
                                 .label = text_of("Rumble"),
                                 .row = ROW_RUMBLE,
                                 .help = text_of("when you hit or are hit, and when something heavy lands")});
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
