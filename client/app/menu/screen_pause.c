// SPDX-License-Identifier: MIT
#include "screens.h"

static void command(struct menu *menu, uint32_t kind)
{
    menu_command(menu, (enum app_command_kind)kind, NULL);
}

static void resume(struct menu *menu)
{
    menu_command(menu, APP_COMMAND_RESUME, NULL);
}

static const struct item FIRST[] = {
    {.kind = ITEM_ACTION, .label = "Resume", .act = command, .argument = APP_COMMAND_RESUME}};
static const struct item HOSTING[] = {{.kind = ITEM_SCREEN,
                                       .label = "Change map or mode",
                                       .screen = &SCREEN_CHANGE,
                                       .help = "for all who play here; nobody has to join again"}};
static const struct item SAYING[] = {{.kind = ITEM_SCREEN, .label = "Watch, or play", .screen = &SCREEN_TEAM}},
                         TEAMING[] = {{.kind = ITEM_SCREEN, .label = "Team, or watch", .screen = &SCREEN_TEAM}};
static const struct item REST[] = {
    {.kind = ITEM_SCREEN, .label = "Players", .screen = &SCREEN_LOCAL_PLAYERS, .help = "up to four at this machine"},
    {.kind = ITEM_SCREEN, .label = "Settings", .screen = &SCREEN_SETTINGS},
    {.kind = ITEM_ACTION, .label = "Leave", .act = command, .argument = APP_COMMAND_LEAVE, .help = "back to the title"},
};

static void fill(struct menu *menu)
{
    menu_add_all(menu, FIRST, 1);
    if (menu->facts.hosting)
        menu_add_all(menu, HOSTING, 1);
    if (menu->facts.can_chat)
        menu_add_all(menu, menu->facts.has_teams ? TEAMING : SAYING, 1);
    menu_add_all(menu, REST, sizeof REST / sizeof *REST);
    if (menu->facts.open_port)
        menu_paragraph(menu, menu_format(menu, "Others can join: this machine, port %u", menu->facts.open_port));
}

static const struct {
    const char *label, *line, *help;
} TEAMS[] = {
    {"Any team", "/team auto", "the one with fewer players"},
    {"Blue", "/team blue", NULL},
    {"Orange", "/team orange", NULL},
    {"Watch", "/spectate", "nobody sees you; the match goes on"},
    {"Play", "/play", "after watching"},
};

#define FIRST_WITHOUT_TEAMS 3

static void say(struct menu *menu, uint32_t argument)
{
    menu_command(menu, APP_COMMAND_CHAT, TEAMS[argument].line);
}

static void fill_team(struct menu *menu)
{
    for (uint32_t i = menu->facts.has_teams ? 0 : FIRST_WITHOUT_TEAMS; i < sizeof TEAMS / sizeof *TEAMS; i++)
        menu_add(menu,
                 (struct item){
                     .kind = ITEM_ACTION, .label = TEAMS[i].label, .act = say, .argument = i, .help = TEAMS[i].help});
}

const struct screen SCREEN_PAUSE = {.name = "pause", .title = "Pause", .fill = fill, .left = resume};
const struct screen SCREEN_TEAM = {.name = "team", .title = "Playing", .fill = fill_team};
