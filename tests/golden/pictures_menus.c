// SPDX-License-Identifier: MIT
// Golden pictures of every screen of the menus, over a plain dusk, and of the states that a screen can have.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/hud/hud.h"
#include "app/menu/draw_menu.h"
#include "app/menu/screens.h"
#include "app/platform/window.h"
#include "game/variant.h"
#include "pictures.h"
#include "pictures_scene.h"

#define REST_BEAT 100000u ///< when everything that falls or turns stands still

static struct menu menu;
static struct server_browser browser;
static struct lobby lobby;
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

static bool has_map(const char *name)
{
    (void)name;
    return true;
}

static void fill_browser(void)
{
    browser.count = 3;
    browser.servers[0] = (struct server_browser_entry){.address = "192.0.2.7:27440",
                                                       .name = "Jørgen's foundry",
                                                       .variants = 1u << VARIANT_BOMBS | 1u << VARIANT_WINGS,
                                                       .map = "foundry",
                                                       .mode = "ffa",
                                                       .version = "0.1.0",
                                                       .players = 9,
                                                       .bots = 4,
                                                       .players_max = 16,
                                                       .rtt_ms = 12,
                                                       .local = true,
                                                       .answered = true};
    browser.servers[1] = browser.servers[0];
    snprintf(browser.servers[1].address, sizeof browser.servers[1].address, "192.0.2.8:27440");
    snprintf(browser.servers[1].name, sizeof browser.servers[1].name, "A server with a name that is long");
    browser.servers[1].has_password = true;
    browser.servers[2] = (struct server_browser_entry){.address = "arena.example.org", .tries = SERVER_BROWSER_TRIES};
    preferences_remember(&still.preferences.favourites, "arena.example.org");
    preferences_remember(&still.preferences.recent, "arena.example.org");
    preferences_remember(&still.preferences.recent, "192.0.2.99:27441");
}

// Nobody stands in the lobby yet.
static void fill_lobby(void)
{
    memset(&lobby, 0, sizeof lobby);
    lobby.now_us = 1000000000;
    lobby_set_defaults(&lobby, 0, still.preferences.hats);
    for (uint32_t i = 0; i < LOCAL_PLAYERS; i++)
        lobby.players[i].colour = 3 * i;
}

static void fill_facts(void)
{
    struct menu_facts *facts = &menu.facts;
    facts->course_ticks[1] = 180;
    facts->course_ticks[COURSE_LESSONS] = 130;
    facts->course_ticks[COURSE_LESSONS + 2] = 400;
    facts->browser = &browser;
    facts->has_map = has_map;
    facts->statistics = &statistics;
    facts->replay_count = 25;
    for (uint32_t i = 0; i < facts->replay_count; i++) {
        struct menu_replay *replay = &facts->replays[i];
        snprintf(replay->path, sizeof replay->path, "/replays/2026-05-%02u-foundry.dfr", 1 + i);
        snprintf(replay->name, sizeof replay->name, "2026-05-%02u 20:15", 1 + i);
        snprintf(replay->map, sizeof replay->map, "%s", i % 2 ? "duel" : "foundry");
        snprintf(replay->length, sizeof replay->length, "%u:%02u", 4 + i, i);
    }
    fill_lobby();
    facts->lobby = &lobby;
    facts->pads[0] = PAD_PLAYSTATION;
    facts->pads[1] = PAD_SWITCH;
    facts->pads[2] = PAD_XBOX;
    facts->pad_bits = 7;
    facts->in_match = facts->hosting = facts->has_teams = facts->can_chat = true;
    facts->open_port = 27440;
    snprintf(facts->failure, sizeof facts->failure,
             "The server at arena.example.org does not answer. Is the address right, and does its firewall let UDP "
             "port 27440 through? What else there is to be known of it stands in a sentence as long as this one.");
    snprintf(facts->address, sizeof facts->address, "arena.example.org");
    snprintf(facts->password, sizeof facts->password, "secret");
}

static void open_screen(struct canvas *canvas, const char *name)
{
    const struct screen *screen = screen_find(name);
    if (!screen)
        abort();
    still_begin(canvas);
    memset(&menu, 0, sizeof menu);
    memset(&browser, 0, sizeof browser);
    menu.preferences = &still.preferences;
    snprintf(still.preferences.name, sizeof still.preferences.name, "Ada");
    still.preferences.colour = 3;
    still.preferences.hats[0] = HAT_TOP;
    still.preferences.hats[2] = HAT_CROWN;
    fill_browser();
    fill_facts();
    menu.facts.in_match = screen != &SCREEN_HOST;
    if (screen != &SCREEN_PAUSE && screen != &SCREEN_ERROR && screen != &SCREEN_DISCONNECTED &&
        screen != &SCREEN_CHANGE)
        menu_open_alone(&menu, &SCREEN_TITLE);
    if (screen != &SCREEN_TITLE)
        menu_open(&menu, screen);
}

static void paint(struct canvas *canvas, uint32_t anim_tick)
{
    hud_draw_empty_sky(canvas);
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
    NO_SERVERS,
    JOIN_FAVOURITE,
    HOST_BREAKOUT,
    PAUSE_CLIENT,
    VARIANTS_CHOSEN,
    PRESETS_KEPT,
    LOBBY_ONE,
    LOBBY_TWO,
    LOBBY_THREE,
    LOBBY_FOUR,
    LOBBY_FOUR_PROTANOPIA,
    LOBBY_TWO_DEUTERANOPIA,
    LOBBY_LOST,
    LOBBY_LARGE,
    LOBBY_IN_MATCH,
    LOBBY_TEAMS,
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
        [NO_SERVERS] = "join",
        [JOIN_FAVOURITE] = "join",
        [HOST_BREAKOUT] = "host",
        [PAUSE_CLIENT] = "pause",
        [VARIANTS_CHOSEN] = "variants",
        [PRESETS_KEPT] = "presets",
        [LOBBY_ONE] = "players",
        [LOBBY_TWO] = "players",
        [LOBBY_THREE] = "players",
        [LOBBY_FOUR] = "players",
        [LOBBY_FOUR_PROTANOPIA] = "players",
        [LOBBY_TWO_DEUTERANOPIA] = "players",
        [LOBBY_LOST] = "players",
        [LOBBY_LARGE] = "players",
        [LOBBY_IN_MATCH] = "players",
        [LOBBY_TEAMS] = "players",
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
        snprintf(menu.facts.message, sizeof menu.facts.message, "A was Jump, which has none now");
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
        snprintf(menu.facts.statistics_fault, sizeof menu.facts.statistics_fault,
                 "Your statistics cannot be read and stay as they are. Mend or delete the file. "
                 "/home/ada/.local/share/deadfall/statistics:3: kills is no number");
        break;
    case NO_SERVERS:
        browser.count = 0;
        still.preferences.favourites.count = still.preferences.recent.count = 0;
        break;
    case JOIN_FAVOURITE:
        press(MENU_DOWN, 3);
        press(MENU_EXTRA, 1);
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
                 "The gamepad of player 4 was disconnected. Plug it in again to play on.");
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
    case LOBBY_LARGE:
        still.preferences.display.large_text = true;
        stand(3, 1);
        break;
    case LOBBY_IN_MATCH:
        stand(3, 2);
        menu.facts.in_match = true;
        lobby.playing = 6;
        menu.facts.states[1] = "playing";
        menu.facts.states[2] = message_deny_text(DENY_HOUSEHOLD);
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
    {"menu-host-breakout", 0, 0, 0, 0, happening, HOST_BREAKOUT},
    {"menu-pause-client", 0, 0, 0, 0, happening, PAUSE_CLIENT},
    {"lobby-one", 0, 0, 0, 0, happening, LOBBY_ONE},
    {"lobby-two", 0, 0, 0, 0, happening, LOBBY_TWO},
    {"lobby-three", 0, 0, 0, 0, happening, LOBBY_THREE},
    {"lobby-four", 0, 0, 0, 0, happening, LOBBY_FOUR},
    {"lobby-four-protanopia", 0, 0, 0, 0, happening, LOBBY_FOUR_PROTANOPIA},
    {"lobby-two-deuteranopia", 0, 0, 0, 0, happening, LOBBY_TWO_DEUTERANOPIA},
    {"lobby-lost", 0, 0, 0, 0, happening, LOBBY_LOST},
    {"lobby-large", 0, 0, 0, 0, happening, LOBBY_LARGE},
    {"lobby-teams", 0, 0, 0, 0, happening, LOBBY_TEAMS},
    {"lobby-in-match", 0, 0, 0, 0, happening, LOBBY_IN_MATCH},
    {NULL, 0, 0, 0, 0, NULL, 0},
};
