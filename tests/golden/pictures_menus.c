// SPDX-License-Identifier: MIT
// Golden pictures of every screen of the menus, over a plain dusk, and of the states that a screen can have.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/friends/mute_list.h"
#include "app/menu/draw_menu.h"
#include "app/menu/screens.h"
#include "app/replay/replay_list.h"
#include "base/host_port.h"
#include "game/rules/mode.h"
#include "game/variant.h"
#include "hud/hud.h"
#include "pictures.h"
#include "pictures_scene.h"
#include "text/text.h"
#include "window/window.h"

#define REST_BEAT 100000u ///< when everything that falls or turns stands still

static struct menu menu;
static struct server_browser browser;
static struct server_rows servers;
static struct directories directories;
static struct server_list_entry listed[2000];
static struct lobby lobby;
static struct friends friends;
static const struct statistics statistics = {
    .matches = 41,
    .matches_won = 17,
    .rounds_won = 63,
    .played_ticks = 3 * 216000 + 12 * 3600,
    .kills = 512,
    .deaths = 377,
    .squishes = 48,
    .catches = 29,
    .shots = 2210,
    .hits = 467,
    .deaths_by = {201, 31, 88, 12, 4, 9, 32},
    .streak_best = 9,
    .awards = {11, 6, 4, 2},
    .maps = {3, {"foundry:20", "duel:14", "skyline:7"}},
};

#define SERVER_OF_ADA "abcdefghijklmnopqrstuvwxyz234567"
static const struct server_records records = {
    .count = 3,
    .of = {{"77777777777777777777777777777777",
            {.deviation = 25000, .mean = 150000, .server_name = "Jørgen's foundry"}},
           {SERVER_OF_ADA,
            {3, 163255, 4021, 118, 41, 17, 1630, 1201, 140, 77, 6912, 1688, 36 * 3600 + 1200, 1756000000, 1790000000,
             "Ada's server"}},
           {"22222222222222222222222222222222",
            {.rank = 1204,
             .deviation = 1,
             .server_name = "The longest name that any server can have, so that it must be cut"}}},
};

static bool has_map(const char *name)
{
    (void)name;
    return true;
}

static struct server_browser_entry *add_server(const char *address, const char *name)
{
    struct server_browser_entry *server = &browser.servers[browser.count++];
    struct host_port place;
    *server = (struct server_browser_entry){.map = "foundry",
                                            .mode = "ffa",
                                            .version = "0.1.0",
                                            .players = 9,
                                            .bots = 4,
                                            .players_max = 16,
                                            .rtt_ms = 12,
                                            .local = true,
                                            .answered = true};
    snprintf(server->address, sizeof server->address, "%s", address);
    snprintf(server->name, sizeof server->name, "%s", name);
    if (!host_port_parse(address, SIZE_MAX, &place) || !ip_address_parse(&server->net_address, place.host, place.port))
        abort();
    return server;
}

static void fill_browser(void)
{
    struct server_browser_entry *server = add_server("192.0.2.7:27440", "Jørgen's foundry");
    server->variants = 1u << VARIANT_BOMBS | 1u << VARIANT_WINGS;
    server = add_server("192.0.2.8:27440", "A server with a name that is long");
    server->has_password = true;
    server = add_server("192.0.2.9:27440", "");
    snprintf(server->address, sizeof server->address, "arena.example.org");
    server->answered = server->local = false;
    server->tries = SERVER_BROWSER_TRIES;
    preferences_remember(&still.preferences.favourites, "arena.example.org");
    preferences_remember(&still.preferences.recent, "arena.example.org");
    preferences_remember(&still.preferences.recent, "192.0.2.99:27441");
}

// The list of a directory, of which some have answered.
static void fill_directory(uint32_t count)
{
    static const char *const NAME_WORDS[] = {"Forge",       "Old mill",      "Café Hammer",
                                             "Night shift", "Steam & Stone", "Kuźnia"};
    static const char *const MAP_WORDS[] = {"foundry", "duel", "clockwork", "colosseum", "skyline"};
    static const char *const REGION_WORDS[] = {"eu", "us-east", "asia", ""};
    directories.count = 1;
    directories.sources[0].fault = DIRECTORY_FINE;
    snprintf(directories.sources[0].host, sizeof directories.sources[0].host, "play.example.org");
    directories.merged = (struct server_list){.made_s = menu.facts.unix_s - 4, .count = count, .entries = listed};
    directories.sources[0].list.made_s = directories.merged.made_s;
    for (uint32_t i = 0; i < count; i++) {
        struct server_facts *facts = &listed[i].facts;
        *facts = (struct server_facts){.protocol = i % 9 == 3 ? 1 : PROTOCOL_VERSION,
                                       .players = i * 5 % 14,
                                       .bots = i % 4,
                                       .places = 16,
                                       .has_password = i % 7 == 2};
        if (i % 2)
            snprintf(facts->live_url, sizeof facts->live_url, "https://s%u.example.org/live/", i);
        facts->interest = i * 37 % 101;
        snprintf(facts->version, sizeof facts->version, "%s", i % 9 == 3 ? "0.0.9" : "0.1.0");
        snprintf(facts->name, sizeof facts->name, "%s %u", NAME_WORDS[i % 6], i);
        snprintf(facts->mode, sizeof facts->mode, "%s", MODE_NAMES[i % MODES_OFFERED]);
        snprintf(facts->map, sizeof facts->map, "%s", MAP_WORDS[i % 5]);
        snprintf(facts->region, sizeof facts->region, "%s", REGION_WORDS[i % 4]);
        snprintf(listed[i].addresses[0], sizeof listed[i].addresses[0], "203.0.113.%u:%u", i % 250, 1000 + i);
        snprintf(listed[i].fingerprint, sizeof listed[i].fingerprint, "%032u", i);
    }
}

static void fill_servers(void)
{
    server_rows_gather(&servers, &directories.merged, &browser, &still.preferences, 100000000);
    for (uint32_t i = 0; i < servers.count; i++) {
        bool is_listed = i % 5 < 3 && servers.rows[i].ping == SERVER_PING_NONE && servers.rows[i].is_proven;
        servers.rows[i].ping = is_listed ? SERVER_PING_KNOWN : servers.rows[i].ping;
        servers.rows[i].rtt_ms = is_listed ? 8 + i * 13 % 240 : servers.rows[i].rtt_ms;
    }
    server_rows_arrange(&servers, &still.preferences);
}

// Nobody stands in the lobby yet.
static void fill_lobby(void)
{
    memset(&lobby, 0, sizeof lobby);
    lobby.now_us = 1000000000;
    lobby_set_defaults(&lobby, (uint32_t[]){0, 1, 2, 3}, still.preferences.hats);
    for (uint32_t i = 0; i < LOCAL_PLAYERS; i++)
        lobby.players[i].colour = 3 * i;
}

static void invite(enum invitation_reach reach, const char *address)
{
    struct menu_invitation *invitation = &menu.facts.invitation;
    snprintf(invitation->link, sizeof invitation->link, "deadfall://%s#abcdefghijklmnopqrstuvwxyz234567", address);
    invitation->reach = reach;
    invitation->port = 27440;
    qr_code_make(&invitation->code, invitation->link);
}

// To make it takes longer than to draw the pictures that show it.
static const struct menu_card *replay_card(void)
{
    static struct menu_card card;
    static bool made;
    if (!made && !replay_list_read_card(&card, SOURCE_ROOT "/tests/golden/foundry.dfr", ""))
        abort();
    made = true;
    return &card;
}

static void fill_facts(void)
{
    struct menu_facts *facts = &menu.facts;
    facts->course_ticks[1] = 180;
    facts->course_ticks[COURSE_LESSONS] = 130;
    facts->course_ticks[COURSE_LESSONS + 2] = 400;
    facts->servers = &servers;
    facts->directories = &directories;
    facts->unix_s = 1800000000;
    facts->has_map = has_map;
    facts->statistics = &statistics;
    facts->records = &records;
    memcpy(facts->record_server, SERVER_OF_ADA, sizeof facts->record_server);
    facts->replay_count = 25;
    facts->replay_card = replay_card();
    for (uint32_t i = 0; i < facts->replay_count; i++) {
        struct menu_replay *replay = &facts->replays[i];
        snprintf(replay->path, sizeof replay->path, "/replays/2026-05-%02u-foundry.dfr", 1 + i);
        snprintf(replay->name, sizeof replay->name, "2026-05-%02u 20:15", 1 + i);
        snprintf(replay->map, sizeof replay->map, "%s", i % 2 ? "duel" : "foundry");
        snprintf(replay->length, sizeof replay->length, "%u:%02u", 4 + i, i);
    }
    static const struct menu_player PLAYERS[] = {
        {.name = "Ada", .colour = 0, .score = 12, .is_here = true},
        {.name = "Rivet", .colour = 5, .score = 3, .is_bot = true},
        {.name = "Sixteen letters!", .colour = 2, .score = 8},
        {.name = "Jørgen", .colour = 9, .score = -2, .is_muted = true},
        {.name = "Zoë", .colour = 13, .only_watches = true},
    };
    facts->player_count = sizeof PLAYERS / sizeof *PLAYERS;
    memcpy(facts->players, PLAYERS, sizeof PLAYERS);
    facts->ping_ms = 34;
    fill_lobby();
    facts->lobby = &lobby;
    facts->pads[0] = PAD_PLAYSTATION;
    facts->pads[1] = PAD_SWITCH;
    facts->pads[2] = PAD_XBOX;
    facts->pad_bits = 7;
    facts->in_match = facts->hosting = facts->has_teams = facts->can_chat = true;
    facts->open_port = 27440;
    invite(INVITATION_ROUTER, "203.0.113.7:27440");
    snprintf(facts->followed, sizeof facts->followed, "deadfall://203.0.113.5:27440#abcdefghijklmnopqrstuvwxyz234567");
    snprintf(facts->failure, sizeof facts->failure,
             "The server at arena.example.org does not answer. Is the address right, and does its firewall let UDP "
             "port 27440 through? What else there is to be known of it stands in a sentence as long as this one.");
    snprintf(facts->address, sizeof facts->address, "arena.example.org");
    snprintf(facts->password, sizeof facts->password, "secret");
}

// Three friends: one plays, one is in the menus and one is away.
static void fill_friends(void)
{
    static const char *const NAME_WORDS[] = {"Zoë", "Bert", ""};
    static struct option_list list;
    struct friend_entry entry;
    struct friend_keys keys;
    friends = (struct friends){.is_on = true, .source_count = 1};
    list.count = 0;
    friends_open(&friends, (const uint8_t[IDENTITY_SEED_BYTES]){1});
    for (uint8_t i = 0; i < 3; i++) {
        friend_key_derive((const uint8_t[IDENTITY_SEED_BYTES]){2, i}, &keys);
        memcpy(entry.key, keys.key, sizeof entry.key);
        snprintf(entry.name, sizeof entry.name, "%s", NAME_WORDS[i]);
        friend_list_put(&list, &entry);
    }
    friends_set_list(&friends, &list);
    friends.online = 2;
    friends.rows[0].is_online = friends.rows[1].is_online = true;
    friends.rows[0].note = (struct friend_note){.plays = true, .server = "Jørgen's foundry", .link = "192.0.2.7:27440"};
    still.preferences.friends_see = true;
    menu.facts.friends = &friends;
    qr_code_make(&menu.facts.friend_code, friends.link);
}

static void open_screen(struct canvas *canvas, const char *name)
{
    const struct screen *screen = screen_find(name);
    if (!screen)
        abort();
    still_begin(canvas);
    memset(&menu, 0, sizeof menu);
    memset(&browser, 0, sizeof browser);
    memset(&directories, 0, sizeof directories);
    servers.search[0] = 0;
    menu.preferences = &still.preferences;
    snprintf(still.preferences.name, sizeof still.preferences.name, "Ada");
    still.preferences.colour = 3;
    still.preferences.hats[0] = HAT_TOP;
    still.preferences.hats[2] = HAT_CROWN;
    fill_browser();
    fill_facts();
    fill_friends();
    fill_servers();
    if (screen == &SCREEN_MUTED || screen == &SCREEN_ROSTER) {
        mute_list_add(&still.preferences.muted, &(struct mute_entry){.tag = {1}, .name = "Jørgen"});
        mute_list_add(&still.preferences.muted, &(struct mute_entry){.tag = {2}, .name = "Sixteen letters."});
    }
    menu.facts.in_match = screen != &SCREEN_HOST;
    menu.facts.guests = screen == &SCREEN_LEAVE || screen == &SCREEN_FOLLOW ? 2 : 0;
    if (screen != &SCREEN_PAUSE && screen != &SCREEN_ERROR && screen != &SCREEN_DISCONNECTED &&
        screen != &SCREEN_CHANGE)
        menu_open_alone(&menu, &SCREEN_TITLE);
    if (screen != &SCREEN_TITLE)
        menu_open(&menu, screen);
}

static void paint(struct canvas *canvas, uint32_t anim_tick)
{
    hud_draw_empty_sky(canvas);
    fill_servers();
    menu_fill(&menu);
    draw_menu(canvas, &menu, anim_tick);
}

static void press(enum menu_press what, uint32_t times)
{
    for (uint32_t i = 0; i < times; i++)
        menu_press(&menu, what);
}

// The lobby with some players, of which the later ones are ready.
static void stand(uint32_t count, uint32_t ready_count)
{
    static const uint32_t DEVICES_TAKEN[LOCAL_PLAYERS] = {DEVICE_KEYS, DEVICE_GAMEPAD, DEVICE_KEYS_SECOND,
                                                          DEVICE_GAMEPAD + 1};
    for (uint32_t i = 0; i < count; i++) {
        lobby_press(&lobby, DEVICES_TAKEN[i], ACTION_JUMP);
        for (uint32_t press = 0; press < 2 * i; press++)
            lobby_press(&lobby, DEVICES_TAKEN[i], ACTION_DOWN);
        if (i >= count - ready_count)
            lobby_press(&lobby, DEVICES_TAKEN[i], ACTION_JUMP);
    }
    lobby.now_us += 60000000; // all have come to rest
    menu.facts.in_match = false;
}

// A screen as it opens, by its index in SCREENS.
static void screen(struct canvas *canvas, uint32_t index)
{
    open_screen(canvas, SCREENS[index]->name);
    paint(canvas, REST_BEAT);
}

// The states that a screen can have.
enum {
    TITLE_FALLING,
    FOCUS_MOVED,
    SCROLLED,
    SCROLLED_HALF,
    BINDING,
    BOUND_AGAIN,
    TYPING,
    TYPING_BY_GAMEPAD,
    LARGE_SETTINGS,
    LARGE_KEYS,
    LARGE_ERROR,
    LARGE_JOIN,
    VOLUMES,
    COLOURS,
    HAT_FOCUSED,
    NO_REPLAYS,
    NO_STATISTICS,
    STATISTICS_HERE,
    PAUSE_RECORD,
    NO_SERVERS,
    JOIN_FAVOURITE,
    JOIN_FIVE,
    LIVE_MATCHES,
    TITLE_LIVE,
    JOIN_MANY,
    JOIN_SORTED,
    JOIN_OLD,
    FILTERED,
    LISTS_KEPT,
    HOST_BREAKOUT,
    PAUSE_CLIENT,
    PAUSE_GUESTS,
    ROSTER_CLIENT,
    VARIANTS_CHOSEN,
    PRESETS_KEPT,
    LOBBY_ONE,
    LOBBY_TWO,
    LOBBY_THREE,
    LOBBY_FOUR,
    LOBBY_FOUR_PROTANOPIA,
    LOBBY_TWO_DEUTERANOPIA,
    LOBBY_LOST,
    LOBBY_NO_PADS,
    LOBBY_LARGE,
    LOBBY_IN_MATCH,
    LOBBY_TEAMS,
    INVITE_REFUSED,
    INVITE_CARRIER,
    INVITE_BLOCKED,
    INVITE_LARGE,
    INVITE_COPIED,
};

static void happening(struct canvas *canvas, uint32_t what)
{
    static const char *const NAMES[] = {
        [TITLE_FALLING] = "title",
        [FOCUS_MOVED] = "settings",
        [SCROLLED] = "replays",
        [SCROLLED_HALF] = "keys",
        [BINDING] = "keys",
        [BOUND_AGAIN] = "pads",
        [TYPING] = "player",
        [TYPING_BY_GAMEPAD] = "address",
        [LARGE_SETTINGS] = "accessibility",
        [LARGE_KEYS] = "keys",
        [LARGE_ERROR] = "error",
        [LARGE_JOIN] = "join",
        [VOLUMES] = "sound",
        [COLOURS] = "player",
        [HAT_FOCUSED] = "player",
        [NO_REPLAYS] = "replays",
        [NO_STATISTICS] = "statistics",
        [STATISTICS_HERE] = "statistics",
        [PAUSE_RECORD] = "pause",
        [NO_SERVERS] = "join",
        [JOIN_FAVOURITE] = "join",
        [JOIN_FIVE] = "join",
        [LIVE_MATCHES] = "live",
        [TITLE_LIVE] = "title",
        [JOIN_MANY] = "join",
        [JOIN_SORTED] = "join",
        [JOIN_OLD] = "join",
        [FILTERED] = "filters",
        [LISTS_KEPT] = "lists",
        [HOST_BREAKOUT] = "host",
        [PAUSE_CLIENT] = "pause",
        [PAUSE_GUESTS] = "pause",
        [ROSTER_CLIENT] = "roster",
        [VARIANTS_CHOSEN] = "variants",
        [PRESETS_KEPT] = "presets",
        [LOBBY_ONE] = "players",
        [LOBBY_TWO] = "players",
        [LOBBY_THREE] = "players",
        [LOBBY_FOUR] = "players",
        [LOBBY_FOUR_PROTANOPIA] = "players",
        [LOBBY_TWO_DEUTERANOPIA] = "players",
        [LOBBY_LOST] = "players",
        [LOBBY_NO_PADS] = "players",
        [LOBBY_LARGE] = "players",
        [LOBBY_IN_MATCH] = "players",
        [LOBBY_TEAMS] = "players",
        [INVITE_REFUSED] = "invite",
        [INVITE_CARRIER] = "invite",
        [INVITE_BLOCKED] = "invite",
        [INVITE_LARGE] = "invite",
        [INVITE_COPIED] = "invite",
    };
    uint32_t anim_tick = REST_BEAT;
    open_screen(canvas, NAMES[what]);
    switch (what) {
    case TITLE_FALLING:
        anim_tick = 40;
        press(MENU_DOWN, 2);
        break;
    case FOCUS_MOVED:
        press(MENU_DOWN, 4);
        anim_tick = REST_BEAT + 16;
        break;
    case SCROLLED:
        press(MENU_UP, 1);
        break;
    case SCROLLED_HALF:
        press(MENU_DOWN, 9);
        break;
    case BINDING:
        press(MENU_DOWN, 2);
        press(MENU_ACCEPT, 1);
        anim_tick = REST_BEAT / 40 * 40 + 20;
        break;
    case BOUND_AGAIN:
        menu.by_gamepad = true;
        press(MENU_DOWN, 4);
        press(MENU_ERASE, 1);
        snprintf(menu.facts.message, sizeof menu.facts.message, text_of("\"%s\" is not bound any more."),
                 text_of("Down, drop"));
        break;
    case TYPING:
        press(MENU_ACCEPT, 1);
        menu_type(&menu, " Löwe");
        anim_tick = REST_BEAT / 48 * 48;
        break;
    case TYPING_BY_GAMEPAD:
        menu.by_gamepad = true;
        press(MENU_DOWN, 1);
        press(MENU_ACCEPT, 1);
        anim_tick = REST_BEAT / 48 * 48 + 24;
        break;
    case LARGE_SETTINGS:
    case LARGE_KEYS:
    case LARGE_ERROR:
    case LARGE_JOIN:
        still.preferences.display.large_text = true;
        press(MENU_DOWN, what == LARGE_ERROR ? 0 : 3);
        break;
    case VOLUMES:
        still.preferences.volume = 7;
        still.preferences.volume_ambience = 0;
        press(MENU_DOWN, 1);
        press(MENU_LEFT, 3);
        break;
    case COLOURS:
        press(MENU_DOWN, 1);
        press(MENU_RIGHT, 2);
        break;
    case HAT_FOCUSED:
        press(MENU_DOWN, 2);
        press(MENU_RIGHT, 3);
        break;
    case NO_REPLAYS:
        menu.facts.replay_count = 0;
        break;
    case NO_STATISTICS:
        menu.facts.statistics = NULL;
        menu.facts.records = NULL;
        snprintf(menu.facts.statistics_fault, sizeof menu.facts.statistics_fault,
                 text_of("Your statistics cannot be read and stay as they are. Repair or delete the file. %s"),
                 "/home/ada/.local/share/deadfall/statistics:3: kills is not a number");
        break;
    case STATISTICS_HERE:
    case PAUSE_RECORD:
        menu.facts.server = SERVER_OF_ADA;
        menu.facts.hosting = false;
        break;
    case NO_SERVERS:
        browser.count = 0;
        still.preferences.favourites.count = still.preferences.recent.count = 0;
        break;
    case JOIN_FAVOURITE:
        press(MENU_DOWN, 8);
        press(MENU_EXTRA, 1);
        break;
    case JOIN_FIVE: // and what was there already
        fill_directory(5);
        fill_servers();
        press(MENU_DOWN, 9);
        break;
    case LIVE_MATCHES:
        fill_directory(14);
        menu_fill(&menu);
        press(MENU_DOWN, 1);
        break;
    case TITLE_LIVE:
        fill_directory(14);
        for (uint32_t i = 0; i < directories.merged.count; i++)
            listed[i].made_s = directories.merged.made_s;
        press(MENU_UP, 1);
        break;
    case JOIN_MANY:
        fill_directory(2000);
        fill_servers();
        press(MENU_PAGE_DOWN, 40);
        break;
    case JOIN_SORTED: // those of another version at the end
        fill_directory(2000);
        still.preferences.servers_sort = SERVERS_SORT_MAP;
        fill_servers();
        press(MENU_UP, 2);
        menu.by_gamepad = true;
        break;
    case JOIN_OLD:
        fill_directory(5);
        directories.sources[0].fault = DIRECTORY_SILENT;
        directories.sources[0].list.made_s -= 3 * 86400;
        fill_servers();
        press(MENU_DOWN, 6);
        break;
    case FILTERED:
        fill_directory(2000);
        snprintf(servers.search, sizeof servers.search, "forge");
        snprintf(still.preferences.servers_region, sizeof still.preferences.servers_region, "eu");
        still.preferences.servers_mode = MODE_FFA;
        still.preferences.servers_full = false;
        fill_servers();
        press(MENU_DOWN, 3);
        break;
    case LISTS_KEPT:
        preferences_remember(&still.preferences.directories, "https://play.example.org");
        preferences_remember(&still.preferences.directories,
                             "http://192.0.2.1:8080/deadfall#abcdefghijklmnopqrstuvwxyz234567");
        menu.facts.directories_are_given = true;
        press(MENU_DOWN, 1);
        break;
    case HOST_BREAKOUT:
        menu.facts.in_match = menu.facts.hosting = false;
        press(MENU_DOWN, 2);
        press(MENU_LEFT, 1);
        break;
    case PAUSE_CLIENT:
        menu.facts.hosting = menu.facts.has_teams = false;
        menu.facts.open_port = 0;
        press(MENU_DOWN, 1);
        break;
    case PAUSE_GUESTS: // who host others, and are about to leave
        menu.facts.guests = 2;
        press(MENU_UP, 1);
        break;
    case ROSTER_CLIENT:
        menu.facts.hosting = false;
        break;
    case VARIANTS_CHOSEN: // by a guest, who can ask for a vote
        menu.facts.hosting = false;
        preferences_set_variants(&still.preferences, 1u << VARIANT_ENDLESS_ARROWS | 1u << VARIANT_ICE);
        press(MENU_DOWN, 7);
        break;
    case PRESETS_KEPT:
        still.preferences.variant_presets =
            (struct option_list){2, {"bombs+low-gravity+wings+ice+fast+shields", "ice"}};
        preferences_set_variants(&still.preferences, 1u << VARIANT_ICE);
        press(MENU_UP, 1);
        break;
    case LOBBY_ONE:
        stand(1, 0);
        break;
    case LOBBY_TWO_DEUTERANOPIA:
        still.preferences.display.colour_vision = COLOUR_VISION_DEUTERANOPIA;
        stand(2, 1);
        break;
    case LOBBY_TWO:
        stand(2, 2);
        lobby_step(&lobby, lobby.now_us, false);
        lobby_step(&lobby, lobby.now_us + LOBBY_READY_US * 2 / 3, false);
        break;
    case LOBBY_THREE:
        stand(3, 1);
        menu.by_gamepad = true;
        lobby.players[0].moved_us = lobby.now_us - 130000; // hops
        preferences_set_variants(&still.preferences, 1u << VARIANT_LOW_GRAVITY | 1u << VARIANT_HIGH_JUMPS);
        break;
    case LOBBY_FOUR_PROTANOPIA:
        still.preferences.display.colour_vision = COLOUR_VISION_PROTANOPIA;
        stand(4, 1);
        break;
    case LOBBY_FOUR:
        stand(4, 2);
        break;
    case LOBBY_LOST:
        stand(4, 4);
        lobby_set_lost(&lobby, DEVICE_GAMEPAD + 1, true);
        snprintf(menu.facts.message, sizeof menu.facts.message,
                 text_of("The gamepad of %s was disconnected. Plug it in again to play on."), "Ada 4");
        break;
    case LOBBY_TEAMS: // teams and handicaps
        still.preferences.mode = MODE_TEAMS;
        lobby.has_teams = true;
        stand(4, 1);
        for (uint32_t i = 0; i < LOCAL_PLAYERS; i++) {
            lobby.players[i].team = i % 3;
            lobby.players[i].handicap = (i + 1) % HANDICAPS;
            lobby.players[i].shows_rules = i != 2;
        }
        break;
    case LOBBY_NO_PADS: // and both sets of keys are taken
        menu.facts.pad_bits = 0;
        stand(1, 1);
        lobby_press(&lobby, DEVICE_KEYS_SECOND, ACTION_JUMP);
        break;
    case LOBBY_LARGE:
        still.preferences.display.large_text = true;
        preferences_set_variants(&still.preferences, (1u << VARIANTS) - 1); // more than have room
        stand(3, 1);
        break;
    case LOBBY_IN_MATCH:
        stand(3, 2);
        menu.facts.in_match = true;
        lobby.playing = 6;
        menu.facts.states[1] = "playing";
        menu.facts.states[2] = message_deny_text(DENY_HOUSEHOLD);
        break;
    case INVITE_REFUSED:
        invite(INVITATION_REFUSED, "192.168.178.23:27440");
        break;
    case INVITE_CARRIER:
        invite(INVITATION_CARRIER, "192.168.178.23:27440");
        break;
    case INVITE_BLOCKED: // the longest address
        invite(INVITATION_BLOCKED, "[2001:db8:1234:5678:9abc:def0:1234:5678]:27440");
        break;
    case INVITE_LARGE:
        still.preferences.display.large_text = true;
        invite(INVITATION_SILENT, "192.168.178.23:27440");
        break;
    case INVITE_COPIED:
        invite(INVITATION_WAITING, "192.168.178.23:27440");
        snprintf(menu.facts.message, sizeof menu.facts.message, "%s",
                 text_of("The link is copied: paste it wherever your friends read."));
        break;
    default:
        abort();
    }
    paint(canvas, anim_tick);
}

const struct picture PICTURES_MENUS[] = {
    {"screen-title", 0, 0, 0, 0, screen, 0},
    {"screen-join", 0, 0, 0, 0, screen, 1},
    {"screen-address", 0, 0, 0, 0, screen, 2},
    {"screen-password", 0, 0, 0, 0, screen, 3},
    {"screen-host", 0, 0, 0, 0, screen, 4},
    {"screen-replays", 0, 0, 0, 0, screen, 5},
    {"screen-settings", 0, 0, 0, 0, screen, 6},
    {"screen-video", 0, 0, 0, 0, screen, 7},
    {"screen-sound", 0, 0, 0, 0, screen, 8},
    {"screen-keys", 0, 0, 0, 0, screen, 9},
    {"screen-keys-second", 0, 0, 0, 0, screen, 10},
    {"screen-pads", 0, 0, 0, 0, screen, 11},
    {"screen-player", 0, 0, 0, 0, screen, 12},
    {"screen-accessibility", 0, 0, 0, 0, screen, 13},
    {"screen-pause", 0, 0, 0, 0, screen, 14},
    {"screen-team", 0, 0, 0, 0, screen, 15},
    {"screen-players", 0, 0, 0, 0, screen, 16},
    {"screen-error", 0, 0, 0, 0, screen, 17},
    {"screen-change", 0, 0, 0, 0, screen, 18},
    {"screen-disconnected", 0, 0, 0, 0, screen, 19},
    {"screen-variants", 0, 0, 0, 0, screen, 20},
    {"screen-presets", 0, 0, 0, 0, screen, 21},
    {"menu-variants", 0, 0, 0, 0, happening, VARIANTS_CHOSEN},
    {"menu-presets", 0, 0, 0, 0, happening, PRESETS_KEPT},
    {"screen-statistics", 0, 0, 0, 0, screen, 22},
    {"screen-alone", 0, 0, 0, 0, screen, 23},
    {"screen-lessons", 0, 0, 0, 0, screen, 24},
    {"screen-trials", 0, 0, 0, 0, screen, 25},
    {"screen-trial", 0, 0, 0, 0, screen, 26},
    {"screen-roster", 0, 0, 0, 0, screen, 27},
    {"screen-invite", 0, 0, 0, 0, screen, 28},
    {"screen-filters", 0, 0, 0, 0, screen, 29},
    {"screen-lists", 0, 0, 0, 0, screen, 30},
    {"screen-live", 0, 0, 0, 0, screen, 31},
    {"screen-follow", 0, 0, 0, 0, screen, 32},
    {"screen-friends", 0, 0, 0, 0, screen, 33},
    {"screen-leave", 0, 0, 0, 0, screen, 34},
    {"screen-muted", 0, 0, 0, 0, screen, 35},
    {"screen-record", 0, 0, 0, 0, screen, 36},
    {"menu-statistics-here", 0, 0, 0, 0, happening, STATISTICS_HERE},
    {"menu-pause-record", 0, 0, 0, 0, happening, PAUSE_RECORD},
    {"menu-live-matches", 0, 0, 0, 0, happening, LIVE_MATCHES},
    {"menu-title-live", 0, 0, 0, 0, happening, TITLE_LIVE},
    {"menu-title-falling", 0, 0, 0, 0, happening, TITLE_FALLING},
    {"menu-focus", 0, 0, 0, 0, happening, FOCUS_MOVED},
    {"menu-scrolled", 0, 0, 0, 0, happening, SCROLLED},
    {"menu-scrolled-half", 0, 0, 0, 0, happening, SCROLLED_HALF},
    {"menu-binding", 0, 0, 0, 0, happening, BINDING},
    {"menu-bound-again", 0, 0, 0, 0, happening, BOUND_AGAIN},
    {"menu-typing", 0, 0, 0, 0, happening, TYPING},
    {"menu-typing-by-gamepad", 0, 0, 0, 0, happening, TYPING_BY_GAMEPAD},
    {"menu-large-settings", 0, 0, 0, 0, happening, LARGE_SETTINGS},
    {"menu-large-keys", 0, 0, 0, 0, happening, LARGE_KEYS},
    {"menu-large-error", 0, 0, 0, 0, happening, LARGE_ERROR},
    {"menu-large-join", 0, 0, 0, 0, happening, LARGE_JOIN},
    {"menu-volumes", 0, 0, 0, 0, happening, VOLUMES},
    {"menu-colours", 0, 0, 0, 0, happening, COLOURS},
    {"menu-hats", 0, 0, 0, 0, happening, HAT_FOCUSED},
    {"menu-no-replays", 0, 0, 0, 0, happening, NO_REPLAYS},
    {"menu-no-statistics", 0, 0, 0, 0, happening, NO_STATISTICS},
    {"menu-no-servers", 0, 0, 0, 0, happening, NO_SERVERS},
    {"menu-favourite", 0, 0, 0, 0, happening, JOIN_FAVOURITE},
    {"menu-join-five", 0, 0, 0, 0, happening, JOIN_FIVE},
    {"menu-join-many", 0, 0, 0, 0, happening, JOIN_MANY},
    {"menu-join-sorted", 0, 0, 0, 0, happening, JOIN_SORTED},
    {"menu-join-old", 0, 0, 0, 0, happening, JOIN_OLD},
    {"menu-filtered", 0, 0, 0, 0, happening, FILTERED},
    {"menu-lists", 0, 0, 0, 0, happening, LISTS_KEPT},
    {"menu-host-breakout", 0, 0, 0, 0, happening, HOST_BREAKOUT},
    {"menu-pause-client", 0, 0, 0, 0, happening, PAUSE_CLIENT},
    {"menu-pause-guests", 0, 0, 0, 0, happening, PAUSE_GUESTS},
    {"menu-roster-client", 0, 0, 0, 0, happening, ROSTER_CLIENT},
    {"lobby-one", 0, 0, 0, 0, happening, LOBBY_ONE},
    {"lobby-two", 0, 0, 0, 0, happening, LOBBY_TWO},
    {"lobby-three", 0, 0, 0, 0, happening, LOBBY_THREE},
    {"lobby-four", 0, 0, 0, 0, happening, LOBBY_FOUR},
    {"lobby-four-protanopia", 0, 0, 0, 0, happening, LOBBY_FOUR_PROTANOPIA},
    {"lobby-two-deuteranopia", 0, 0, 0, 0, happening, LOBBY_TWO_DEUTERANOPIA},
    {"lobby-lost", 0, 0, 0, 0, happening, LOBBY_LOST},
    {"lobby-no-pads", 326, 54, 150, 232, happening, LOBBY_NO_PADS},
    {"lobby-large", 0, 0, 0, 0, happening, LOBBY_LARGE},
    {"lobby-teams", 0, 0, 0, 0, happening, LOBBY_TEAMS},
    {"menu-invite-refused", 0, 0, 0, 0, happening, INVITE_REFUSED},
    {"menu-invite-carrier", 0, 0, 0, 0, happening, INVITE_CARRIER},
    {"menu-invite-blocked", 0, 0, 0, 0, happening, INVITE_BLOCKED},
    {"menu-invite-large", 0, 0, 0, 0, happening, INVITE_LARGE},
    {"menu-invite-copied", 0, 0, 0, 0, happening, INVITE_COPIED},
    {"lobby-in-match", 0, 0, 0, 0, happening, LOBBY_IN_MATCH},
    {NULL, 0, 0, 0, 0, NULL, 0},
};
