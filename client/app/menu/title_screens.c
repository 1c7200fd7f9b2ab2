// SPDX-License-Identifier: MIT
#include "screens.h"

#include "app/text/text.h"

static const struct item TITLE[SCREEN_TITLE_COUNT] = {
    {.kind = ITEM_ACTION,
     .label = TEXT_KEY("Play now"),
     .act = menu_act_command,
     .argument = APP_COMMAND_PLAY,
     .help = TEXT_KEY("a match against bots, at once")},
    {.kind = ITEM_SCREEN,
     .label = TEXT_KEY("Play together"),
     .screen = &SCREEN_LOBBY,
     .help = TEXT_KEY("two to four players on this computer")},
    {.kind = ITEM_SCREEN,
     .label = TEXT_KEY("Join"),
     .screen = &SCREEN_JOIN,
     .help = TEXT_KEY("a match nearby, one that you know, or any address")},
    {.kind = ITEM_SCREEN,
     .label = TEXT_KEY("Host"),
     .screen = &SCREEN_HOST,
     .help = TEXT_KEY("choose a map and a mode; others can join")},
    {.kind = ITEM_SCREEN,
     .label = TEXT_KEY("Alone"),
     .screen = &SCREEN_ALONE,
     .help = TEXT_KEY("lessons, and trials against the clock")},
    {.kind = ITEM_SCREEN,
     .label = TEXT_KEY("Watch"),
     .screen = &SCREEN_REPLAYS,
     .help = TEXT_KEY("live matches, recorded matches, and your statistics")},
    {.kind = ITEM_SCREEN,
     .label = TEXT_KEY("Settings"),
     .screen = &SCREEN_SETTINGS,
     .help = TEXT_KEY("picture, sound, keys, name, accessibility")},
    {.kind = ITEM_ACTION, .label = TEXT_KEY("Quit"), .act = menu_act_command, .argument = APP_COMMAND_QUIT},
};

static void fill_title(struct menu *menu)
{
    menu_add_all(menu, TITLE, SCREEN_TITLE_COUNT);
    screen_add_live_now(menu);
}

// The lobby has no items: lobby.c takes the presses, and draw_lobby.c draws it.
static void fill_lobby(struct menu *menu)
{
    (void)menu;
}

static void play_replay(struct menu *menu, uint32_t replay)
{
    menu_command(menu, APP_COMMAND_REPLAY, menu->facts.replays[replay].path);
}

static struct item replay_row(struct menu *menu, uint32_t row)
{
    const struct menu_replay *replay = &menu->facts.replays[row];
    return (struct item){
        .kind = ITEM_ACTION, .label = replay->name, .act = play_replay, .argument = row, .help = replay->path};
}

static void fill_replays(struct menu *menu)
{
    menu_add(menu, (struct item){.kind = ITEM_SCREEN,
                                 .label = text_of("Live matches"),
                                 .screen = &SCREEN_LIVE,
                                 .plain = true,
                                 .help = text_of("what servers show to everybody at this moment")});
    menu_add_rows(menu, menu->facts.replay_count, replay_row);
    if (!menu->facts.replay_count) {
        menu_note(menu, text_of("There are no replays yet."));
        menu_paragraph(menu, text_of("The game records the matches that you host."));
        menu_add(menu,
                 (struct item){.kind = ITEM_SCREEN, .label = text_of("Statistics"), .screen = &SCREEN_STATISTICS});
    }
}

static void open_statistics(struct menu *menu, uint32_t argument)
{
    (void)argument;
    menu_open(menu, &SCREEN_STATISTICS);
}

static void leave_error(struct menu *menu)
{
    menu_open_alone(menu, &SCREEN_TITLE);
}

static void open_title(struct menu *menu, uint32_t argument)
{
    (void)argument;
    leave_error(menu);
}

static void fill_error(struct menu *menu)
{
    menu_paragraph(menu, menu->facts.failure);
    menu_add(menu, (struct item){.kind = ITEM_ACTION,
                                 .label = text_of("Try again"),
                                 .act = menu_act_command,
                                 .argument = APP_COMMAND_RETRY});
    menu_add(menu, (struct item){.kind = ITEM_ACTION, .label = text_of("Back to the title"), .act = open_title});
}

const struct screen SCREEN_TITLE = {.name = "title", .fill = fill_title};
const struct screen SCREEN_LOBBY = {
    .name = "players", .title = TEXT_KEY("Players on this computer"), .fill = fill_lobby};
const struct screen SCREEN_REPLAYS = {.name = "replays",
                                      .title = TEXT_KEY("Watch"),
                                      .fill = fill_replays,
                                      .extra = open_statistics,
                                      .extra_hint = TEXT_KEY("statistics"),
                                      .aside_px = 176,
                                      .least_rows = 11};
const struct screen SCREEN_ERROR = {
    .name = "error", .title = TEXT_KEY("That did not work"), .fill = fill_error, .left = leave_error};
const struct screen SCREEN_DISCONNECTED = {
    .name = "disconnected", .title = TEXT_KEY("Disconnected"), .fill = fill_error, .left = leave_error};
