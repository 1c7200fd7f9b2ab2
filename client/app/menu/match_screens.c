// SPDX-License-Identifier: MIT
#include <stdio.h>
#include <string.h>

#include "app/hud/hints.h"
#include "app/hud/variant_row.h"
#include "app/text/text.h"
#include "screens.h"

#define ALL_MODES        ((1u << MODES_OFFERED) - 1)
#define WITHOUT_BREAKOUT (ALL_MODES & ~(1u << MODE_BREAKOUT))

const struct screen_map SCREEN_MAPS[SCREEN_MAP_COUNT] = {
    {"foundry", WITHOUT_BREAKOUT}, {"clockwork", WITHOUT_BREAKOUT}, {"skyline", WITHOUT_BREAKOUT},
    {"breakout", ALL_MODES},       {"duel", WITHOUT_BREAKOUT},      {"colosseum", WITHOUT_BREAKOUT},
};

static const char *const MODE_TITLES[MODES_OFFERED + 1] = {
    [MODE_FFA] = TEXT_KEY("Deathmatch"),
    [MODE_LMS] = TEXT_KEY("Last one standing"),
    [MODE_TEAMS] = TEXT_KEY("Teams"),
    [MODE_BREAKOUT] = TEXT_KEY("Breakout"),
    [PREFERENCES_MODE_AUTO] = TEXT_KEY("Automatic"),
};

const char *screen_mode_title(uint32_t mode)
{
    return text_of(MODE_TITLES[mode % MODES]);
}

// SCREEN_MAP_COUNT for a map from a file that the command line named.
static size_t index_of(const char *map)
{
    size_t index = 0;
    while (index < SCREEN_MAP_COUNT && strcmp(SCREEN_MAPS[index].name, map))
        index++;
    return index;
}

bool screen_map_suits(const char *map, uint32_t mode)
{
    size_t index = index_of(map);
    return index == SCREEN_MAP_COUNT || SCREEN_MAPS[index].modes >> mode & 1;
}

static void start_or_change(struct menu *menu, uint32_t is_running)
{
    menu_command(menu, is_running ? APP_COMMAND_CHANGE : APP_COMMAND_HOST, NULL);
}

// Steps right, or left after MENU_LEFT, to the next installed map that suits the mode.
static void step_map(struct menu *menu, uint32_t argument)
{
    size_t index = index_of(menu->preferences->map);
    (void)argument;
    for (size_t tried = 0; tried < SCREEN_MAP_COUNT; tried++) {
        index = (index + (menu->last == MENU_LEFT ? SCREEN_MAP_COUNT - 1 : 1)) % SCREEN_MAP_COUNT;
        const char *name = SCREEN_MAPS[index].name;
        if ((!menu->facts.has_map || menu->facts.has_map(name)) &&
            screen_map_suits(name, preferences_mode(menu->preferences, 1)))
            break;
    }
    snprintf(menu->preferences->map, sizeof menu->preferences->map, "%s", SCREEN_MAPS[index].name);
    menu->changed = true;
}

static void keep_map_suited(struct menu *menu, uint32_t argument)
{
    if (!screen_map_suits(menu->preferences->map, preferences_mode(menu->preferences, 1)))
        step_map(menu, argument);
}

// The last three items cannot change while the server runs, so the list ends before them.
static void fill_host(struct menu *menu)
{
    bool is_running = menu->facts.in_match && menu->facts.hosting;
    uint32_t mode = menu->preferences->mode;
    char variants[VARIANT_ROW_BYTES];
    variant_row_titles(preferences_variants(&menu->preferences->variants), text_of("none"), variants);
    struct item items[] = {
        {.kind = ITEM_ACTION,
         .label = is_running ? TEXT_KEY("Change now") : TEXT_KEY("Start"),
         .act = start_or_change,
         .argument = is_running,
         .help = is_running ? TEXT_KEY("for everybody in this match; nobody has to rejoin")
                            : TEXT_KEY("players on this network find it under Join")},
        {.kind = ITEM_SETTING, .label = TEXT_KEY("Map"), .row = "map", .act = step_map},
        {.kind = ITEM_SETTING,
         .label = TEXT_KEY("Mode"),
         .row = "mode",
         .value = text_of(MODE_TITLES[mode]),
         .act = keep_map_suited,
         .help = mode == PREFERENCES_MODE_AUTO
                     ? TEXT_KEY("deathmatch alone; rounds with one life each for several people here")
                     : hints_goal(mode)},
        {.kind = ITEM_SCREEN,
         .label = TEXT_KEY("Variants"),
         .screen = &SCREEN_VARIANTS,
         .value = menu_format(menu, "%s", variants),
         .help = TEXT_KEY("rules that change what a match feels like")},
        {.kind = ITEM_SETTING,
         .label = TEXT_KEY("Bots"),
         .row = "bots",
         .help = TEXT_KEY("bots fill the match up to this many players")},
        {.kind = ITEM_SETTING, .label = TEXT_KEY("Bot skill"), .row = "bot-skill"},
        {.kind = ITEM_SETTING, .label = TEXT_KEY("Player limit"), .row = "players", .help = TEXT_KEY("including bots")},
        {.kind = ITEM_TEXT,
         .label = TEXT_KEY("Server name"),
         .row = "server-name",
         .help = TEXT_KEY("shown in the list of servers")},
        screen_lobby_item(menu),
    };
    menu_add_all(menu, items, sizeof items / sizeof *items - (is_running ? 3 : 0));
}

static void resume(struct menu *menu)
{
    menu_command(menu, APP_COMMAND_RESUME, NULL);
}

static void fill_pause(struct menu *menu)
{
    const struct menu_facts *facts = &menu->facts;
    menu_add(menu, (struct item){.kind = ITEM_ACTION,
                                 .label = text_of("Resume"),
                                 .act = menu_act_command,
                                 .argument = APP_COMMAND_RESUME});
    if (facts->hosting)
        menu_add(menu, (struct item){.kind = ITEM_SCREEN,
                                     .label = text_of("Change map or mode"),
                                     .screen = &SCREEN_CHANGE,
                                     .help = text_of("for everybody in this match; nobody has to rejoin")});
    if (facts->can_chat)
        menu_add(menu, (struct item){.kind = ITEM_SCREEN,
                                     .label = facts->has_teams ? text_of("Team or watch") : text_of("Watch or play"),
                                     .screen = &SCREEN_TEAM});
    if (facts->can_chat && !facts->hosting)
        menu_add(menu, (struct item){.kind = ITEM_SCREEN,
                                     .label = text_of("Vote on variants"),
                                     .screen = &SCREEN_VARIANTS,
                                     .help = text_of("rules that change what a match feels like")});
    menu_add(menu, (struct item){.kind = ITEM_SCREEN,
                                 .label = text_of("Players on this computer"),
                                 .screen = &SCREEN_LOBBY,
                                 .help = text_of("more join by pressing jump; up to four")});
    menu_add(menu, (struct item){.kind = ITEM_SCREEN, .label = text_of("Settings"), .screen = &SCREEN_SETTINGS});
    menu_add(menu, (struct item){.kind = ITEM_ACTION,
                                 .label = text_of("Leave"),
                                 .act = menu_act_command,
                                 .argument = APP_COMMAND_LEAVE,
                                 .help = text_of("back to the title")});
    if (facts->paused)
        menu_note(menu, text_of("The match stands still."));
    if (facts->open_port)
        menu_paragraph(menu, menu_format(menu, text_of("Others can join this computer at port %u."), facts->open_port));
}

// The chat lines that choose a team or watch. The first three need teams.
static const struct {
    const char *label, *line, *help;
} TEAMS[] = {
    {TEXT_KEY("Any team"), "/team auto", TEXT_KEY("the one with fewer players")},
    {TEXT_KEY("Blue"), "/team blue", NULL},
    {TEXT_KEY("Orange"), "/team orange", NULL},
    {TEXT_KEY("Watch"), "/spectate", TEXT_KEY("leave the arena; the match goes on")},
    {TEXT_KEY("Play"), "/play", TEXT_KEY("after watching")},
};
#define FIRST_WITHOUT_TEAMS 3

static void send_line(struct menu *menu, uint32_t team)
{
    menu_command(menu, APP_COMMAND_CHAT, TEAMS[team].line);
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

const struct screen SCREEN_HOST = {.name = "host", .title = TEXT_KEY("Host a match"), .fill = fill_host};
const struct screen SCREEN_CHANGE = {.name = "change", .title = TEXT_KEY("Change map or mode"), .fill = fill_host};
const struct screen SCREEN_PAUSE = {.name = "pause", .title = TEXT_KEY("Pause"), .fill = fill_pause, .left = resume};
const struct screen SCREEN_TEAM = {.name = "team", .title = TEXT_KEY("Playing"), .fill = fill_team};
