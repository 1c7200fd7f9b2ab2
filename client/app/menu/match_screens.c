// SPDX-License-Identifier: MIT
#include <stdio.h>
#include <string.h>

#include "app/text/text.h"
#include "game/rules/mode.h"
#include "hud/hints.h"
#include "hud/hud.h"
#include "screens.h"
#include "window/keyboard.h"

static bool is_only_map(uint32_t mode)
{
    uint32_t suited = 0;
    for (size_t i = 0; i < SCREEN_MAP_COUNT; i++)
        suited += SCREEN_MAPS[i].modes >> mode & 1;
    return suited == 1;
}

static void give_command(struct menu *menu, uint32_t command)
{
    menu_command(menu, (enum app_command_kind)command, NULL);
}

struct item screen_change_item(void)
{
    return (struct item){.kind = ITEM_ACTION,
                         .label = text_of("Change now"),
                         .act = give_command,
                         .argument = APP_COMMAND_CHANGE,
                         .help = text_of("for everybody in this match; nobody has to rejoin")};
}

// Right, or left after MENU_LEFT.
static void step_map(struct menu *menu, uint32_t argument)
{
    (void)argument;
    screen_step_map(menu, menu->last == MENU_LEFT);
}

static void keep_map_suited(struct menu *menu, uint32_t argument)
{
    uint32_t mode = menu->preferences->mode;
    if (mode != PREFERENCES_MODE_AUTO && !screen_map_suits(menu->preferences->map, mode))
        step_map(menu, argument);
}

// "up to 4 players", so that nobody takes the number for that of the bots.
static const char *fill_text(struct menu *menu)
{
    uint32_t bots = (uint32_t)menu->preferences->bots;
    return bots ? menu_format(menu, text_plural("up to %u player", "up to %u players", bots), bots)
                : text_of("no bots");
}

// The first item and the last five are for a server that does not run yet. What changes one that runs comes last, where
// nobody presses it by chance.
static void fill_host(struct menu *menu)
{
    bool is_running = menu->facts.in_match && menu->facts.hosting;
    bool listed = menu->preferences->listed;
    bool has_list = menu->preferences->directories.count > 0 || menu->facts.directories_are_given;
    uint32_t mode = menu->preferences->mode, played = preferences_mode(menu->preferences, 1);
    char variants[VARIANT_ROW_BYTES];
    variant_row_titles(preferences_variants(&menu->preferences->variants), text_of("As usual"), variants);
    struct item items[] = {
        {.kind = ITEM_ACTION,
         .label = TEXT_KEY("Start"),
         .act = give_command,
         .argument = APP_COMMAND_HOST,
         .help = TEXT_KEY("players on this network find it under Join")},
        {.kind = ITEM_SETTING,
         .label = TEXT_KEY("Map"),
         .row = ROW_MAP,
         .value = text_map_title(menu->preferences->map),
         .act = step_map,
         .help = is_only_map(mode) ? TEXT_KEY("the only map for this mode") : NULL},
        {.kind = ITEM_SETTING,
         .label = TEXT_KEY("Mode"),
         .row = ROW_MODE,
         .value = screen_mode_title(mode),
         .act = keep_map_suited,
         .help = mode == PREFERENCES_MODE_AUTO && played != MODE_BREAKOUT
                     ? TEXT_KEY("deathmatch alone; rounds with one life each for several people here")
                     : hints_goal(played)},
        {.kind = ITEM_SCREEN,
         .label = TEXT_KEY("Variants"),
         .screen = &SCREEN_VARIANTS,
         .value = menu_format(menu, "%s", variants),
         .help = TEXT_KEY("rules that change what a match feels like")},
        {.kind = ITEM_SETTING,
         .label = TEXT_KEY("Fill with bots"),
         .row = ROW_BOTS,
         .value = fill_text(menu),
         .help = TEXT_KEY("each person who joins takes the place of a bot")},
        {.kind = ITEM_SETTING, .label = TEXT_KEY("Bot skill"), .row = ROW_BOT_SKILL},
        {.kind = ITEM_SETTING,
         .label = TEXT_KEY("Player limit"),
         .row = ROW_PLAYERS,
         .help = TEXT_KEY("including bots")},
        {.kind = ITEM_SETTING,
         .label = TEXT_KEY("Ask the router to let friends in"),
         .row = ROW_PORT_MAPPING,
         .help = TEXT_KEY("otherwise only friends in this network can join")},
        {.kind = ITEM_SETTING,
         .label = TEXT_KEY("Who can find it"),
         .row = ROW_LISTED,
         .value = listed ? text_of("everybody in the lists") : text_of("on this network or with the link"),
         .help = listed && !has_list ? TEXT_KEY("no list of servers is chosen: see Join, Filters")
                                     : TEXT_KEY("the lists of servers on the internet; they also test the link")},
        {.kind = ITEM_TEXT,
         .label = TEXT_KEY("Server name"),
         .row = ROW_SERVER_NAME,
         .help = TEXT_KEY("shown in the list of servers")},
        screen_lobby_item(menu),
    };
    menu_add_all(menu, items + is_running, sizeof items / sizeof *items - (is_running ? 6 : 0));
    if (is_running)
        menu_add(menu, screen_change_item());
    if (is_running && menu->facts.invitation.link[0])
        menu_add(menu, screen_invite_item());
}

static void resume(struct menu *menu)
{
    menu_command(menu, APP_COMMAND_RESUME, NULL);
}

// The chat lines that choose a team or watch. The first three need teams.
static const struct {
    const char *label, *line, *help;
} TEAMS[] = {
    {TEXT_KEY("Any team"), "/team auto", TEXT_KEY("the one with fewer players")},
    {TEXT_KEY("Blue"), "/team blue", NULL},
    {TEXT_KEY("Orange"), "/team orange", NULL},
    {TEXT_KEY("Only watch"), "/spectate", TEXT_KEY("leave the arena; the match goes on")},
    {TEXT_KEY("Play again"), "/play", TEXT_KEY("after watching")},
};
#define FIRST_WITHOUT_TEAMS 3

static void send_line(struct menu *menu, uint32_t team)
{
    menu_command(menu, APP_COMMAND_CHAT, TEAMS[team].line);
}

// Without teams, the pause has one of these itself.
// A help with the key that opens the same in a match.
static const char *with_key(struct menu *menu, const char *help)
{
    char name[32];
    uint32_t key = (uint32_t)menu->preferences->controls.match_keys[0][MATCH_PEOPLE];
    controls_key_name(key, name, sizeof name);
    return key ? menu_format(menu, "%s (%s)", help, name) : help;
}

static const struct item SPECTATE = {.kind = ITEM_ACTION,
                                     .label = TEXT_KEY("Only watch"),
                                     .act = send_line,
                                     .argument = FIRST_WITHOUT_TEAMS,
                                     .help = TEXT_KEY("leave the arena; the match goes on")},
                         PLAY_AGAIN = {.kind = ITEM_ACTION,
                                       .label = TEXT_KEY("Play again"),
                                       .act = send_line,
                                       .argument = FIRST_WITHOUT_TEAMS + 1,
                                       .help = TEXT_KEY("after watching")};

static void fill_pause(struct menu *menu)
{
    const struct menu_facts *facts = &menu->facts;
    menu_add(menu, (struct item){.kind = ITEM_ACTION,
                                 .label = text_of("Resume"),
                                 .act = menu_act_command,
                                 .argument = APP_COMMAND_RESUME,
                                 .help = text_of("back to the match")});
    if (facts->hosting)
        menu_add(menu, (struct item){.kind = ITEM_SCREEN,
                                     .label = text_of("Change map or mode"),
                                     .screen = &SCREEN_CHANGE,
                                     .help = text_of("for everybody in this match; nobody has to rejoin")});
    if (facts->can_chat && facts->has_teams)
        menu_add(menu, (struct item){.kind = ITEM_SCREEN,
                                     .label = text_of("Change team, or only watch"),
                                     .screen = &SCREEN_TEAM,
                                     .help = text_of("your score stays")});
    else if (facts->can_chat)
        menu_add_all(menu, facts->watches ? &PLAY_AGAIN : &SPECTATE, 1);
    if (facts->can_chat && !facts->hosting)
        menu_add(menu, (struct item){.kind = ITEM_SCREEN,
                                     .label = text_of("Vote on variants"),
                                     .screen = &SCREEN_VARIANTS,
                                     .help = text_of("rules that change what a match feels like")});
    if (facts->can_chat)
        menu_add(menu, (struct item){.kind = ITEM_SCREEN,
                                     .label = text_of("Everybody in this match"),
                                     .screen = &SCREEN_ROSTER,
                                     .help = with_key(menu, text_of("who plays; mute them, or whisper to them"))});
    if (facts->server && facts->records && server_records_find(facts->records, facts->server))
        menu_add(menu, screen_statistics_item());
    menu_add(menu, (struct item){.kind = ITEM_SCREEN,
                                 .label = text_of("Players on this computer"),
                                 .screen = &SCREEN_LOBBY,
                                 .help = text_of("more join by pressing jump; up to four")});
    if (facts->invitation.link[0])
        menu_add(menu, screen_invite_item());
    menu_add(menu, (struct item){.kind = ITEM_SCREEN,
                                 .label = text_of("Settings"),
                                 .screen = &SCREEN_SETTINGS,
                                 .help = text_of("picture, sound, keys and gamepads")});
    menu_add(menu, (struct item){.kind = ITEM_ACTION,
                                 .label = text_of("Leave"),
                                 .act = menu_act_command,
                                 .argument = APP_COMMAND_LEAVE,
                                 .help = facts->guests ? text_of("the match ends for everybody; you are asked first")
                                                       : text_of("back to the title")});
    if (facts->paused)
        menu_note(menu, text_of("The match waits until you are back."));
    if (facts->open_port)
        menu_paragraph(menu, menu_format(menu, text_of("Others can join this computer at port %u."), facts->open_port));
}

static void fill_team(struct menu *menu)
{
    for (uint32_t i = menu->facts.has_teams ? 0 : FIRST_WITHOUT_TEAMS; i < sizeof TEAMS / sizeof *TEAMS; i++)
        menu_add_all(
            menu,
            &(struct item){
                .kind = ITEM_ACTION, .label = TEAMS[i].label, .act = send_line, .argument = i, .help = TEAMS[i].help},
            1);
}

static void leave(struct menu *menu, uint32_t argument)
{
    (void)argument;
    menu->command = menu->facts.leaving;
    menu->command.is_confirmed = true;
}

// Back to the menu that asked, or to the match if its window was about to close.
static void go_on(struct menu *menu)
{
    if (menu->depth == 1)
        resume(menu);
}

static void fill_leave(struct menu *menu)
{
    uint32_t guests = menu->facts.guests;
    if (guests) {
        menu_paragraph(menu, menu_format(menu,
                                         text_plural("Leave and end the match for %u player?",
                                                     "Leave and end the match for %u players?", guests),
                                         guests));
        menu_note(menu, "");
    }
    screen_add_stay_or(menu, text_of("Leave"), leave);
}

const struct screen SCREEN_HOST = {.name = "host", .title = TEXT_KEY("Host a match"), .fill = fill_host};
const struct screen SCREEN_CHANGE = {.name = "change", .title = TEXT_KEY("Change map or mode"), .fill = fill_host};
const struct screen SCREEN_PAUSE = {.name = "pause", .title = TEXT_KEY("Pause"), .fill = fill_pause, .left = resume};
const struct screen SCREEN_LEAVE = {.name = "leave", .title = TEXT_KEY("Leave"), .fill = fill_leave, .left = go_on};
const struct screen SCREEN_TEAM = {.name = "team", .title = TEXT_KEY("Playing"), .fill = fill_team};
