// SPDX-License-Identifier: MIT
#include "screens.h"

static const struct item TITLE[] = {
    {.kind = ITEM_ACTION,
     .label = "Play now",
     .act = menu_act_command,
     .argument = APP_COMMAND_PLAY,
     .help = "a match against bots, at once"},
    {.kind = ITEM_SCREEN,
     .label = "Join",
     .screen = &SCREEN_JOIN,
     .help = "a match nearby, one that you know, or any address"},
    {.kind = ITEM_SCREEN, .label = "Host", .screen = &SCREEN_HOST, .help = "choose a map and a mode; others can join"},
    {.kind = ITEM_SCREEN,
     .label = "Players",
     .screen = &SCREEN_LOCAL_PLAYERS,
     .help = "up to four players on this computer"},
    {.kind = ITEM_SCREEN, .label = "Replays", .screen = &SCREEN_REPLAYS, .help = "recorded matches"},
    {.kind = ITEM_SCREEN,
     .label = "Settings",
     .screen = &SCREEN_SETTINGS,
     .help = "picture, sound, keys, name, accessibility"},
    {.kind = ITEM_ACTION, .label = "Quit", .act = menu_act_command, .argument = APP_COMMAND_QUIT},
};

static void fill_title(struct menu *menu)
{
    menu_add_all(menu, TITLE, sizeof TITLE / sizeof *TITLE);
}

static void remove_local_player(struct menu *menu, uint32_t player)
{
    menu->facts.leaving = player + 1;
}

static void fill_local_players(struct menu *menu)
{
    menu_paragraph(menu, "Press jump on a gamepad or a set of keys to join.");
    for (uint32_t i = 0; i < LOCAL_PLAYERS; i++) {
        const struct menu_local_player *player = &menu->facts.players[i];
        struct item item = {.kind = ITEM_ACTION,
                            .label = menu_format(menu, "Player %u", i + 1),
                            .act = remove_local_player,
                            .argument = i};
        item.value = player->device[0] ? menu_format(menu, "%s   %s", player->device, player->state) : "free";
        item.help = player->device[0] ? "Enter: this player leaves" : NULL;
        menu_add(menu, item);
    }
    menu_paragraph(menu, "If nobody joins here, one player uses all keys and gamepads.");
}

static void play_replay(struct menu *menu, uint32_t replay)
{
    menu_command(menu, APP_COMMAND_REPLAY, menu->facts.replays[replay].path);
}

static void fill_replays(struct menu *menu)
{
    for (uint32_t i = 0; i < menu->facts.replay_count; i++) {
        const struct menu_replay *replay = &menu->facts.replays[i];
        menu_add(menu, (struct item){.kind = ITEM_ACTION,
                                     .label = replay->name,
                                     .act = play_replay,
                                     .argument = i,
                                     .help = replay->path,
                                     .value = menu_format(menu, "%s   %s", replay->map, replay->length)});
    }
    if (!menu->facts.replay_count) {
        menu_note(menu, "There are no replays yet.");
        menu_paragraph(menu, "The game records the matches that you host.");
    }
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
    menu_add(menu,
             (struct item){
                 .kind = ITEM_ACTION, .label = "Try again", .act = menu_act_command, .argument = APP_COMMAND_RETRY});
    menu_add(menu, (struct item){.kind = ITEM_ACTION, .label = "Back to the title", .act = open_title});
}

const struct screen SCREEN_TITLE = {.name = "title", .fill = fill_title};
const struct screen SCREEN_LOCAL_PLAYERS = {
    .name = "players", .title = "Players on this computer", .fill = fill_local_players};
const struct screen SCREEN_REPLAYS = {.name = "replays", .title = "Replays", .fill = fill_replays};
const struct screen SCREEN_ERROR = {
    .name = "error", .title = "That did not work", .fill = fill_error, .left = leave_error};
const struct screen SCREEN_DISCONNECTED = {
    .name = "disconnected", .title = "Disconnected", .fill = fill_error, .left = leave_error};
