// SPDX-License-Identifier: MIT
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "ai/ai.h"
#include "app/menu/draw_menu.h"
#include "app/menu/screens.h"
#include "game/rules/mode.h"
#include "game/variant.h"
#include "game/world.h"

static struct menu menu;
static struct preferences preferences;
static struct server_browser browser;
static struct canvas canvas, again;

static void start(const struct screen *screen)
{
    struct error error;
    memset(&menu, 0, sizeof menu);
    memset(&browser, 0, sizeof browser);
    preferences_read(&preferences, "", &error);
    menu.preferences = &preferences;
    menu.facts.browser = &browser;
    menu_open_alone(&menu, &SCREEN_TITLE);
    if (screen != &SCREEN_TITLE)
        menu_open(&menu, screen);
}

static void focus_on(const char *label)
{
    for (uint32_t i = 0; i < menu.count; i++) {
        if (!strcmp(menu_focused(&menu)->label, label))
            return;
        menu_press(&menu, MENU_DOWN);
    }
    fail_msg("no item \"%s\"", label);
}

static void type(const char *text)
{
    for (; *text; text++)
        menu_type(&menu, (char[]){*text, 0});
}

static void every_screen_is_found_by_its_name_and_drawn(void **state)
{
    (void)state;
    for (size_t i = 0; SCREENS[i]; i++) {
        assert_ptr_equal(screen_find(SCREENS[i]->name), SCREENS[i]);
        start(SCREENS[i]);
        memset(&canvas, 0, sizeof canvas);
        draw_menu(&canvas, &menu, 300);
        memset(&again, 0, sizeof again);
        assert_memory_not_equal(&canvas, &again, sizeof canvas);
    }
    assert_null(screen_find("kitchen"));
}

static void the_focus_wraps_and_skips_notes(void **state)
{
    (void)state;
    for (size_t i = 0; SCREENS[i]; i++) {
        start(SCREENS[i]);
        for (uint32_t press = 0; press < 3 * MENU_ITEM_CAPACITY && menu_focused(&menu); press++) {
            menu_press(&menu, press % 7 ? MENU_DOWN : MENU_UP);
            assert_non_null(menu_focused(&menu));
            assert_int_not_equal(menu_focused(&menu)->kind, ITEM_NOTE);
        }
    }
    start(&SCREEN_TITLE);
    menu_press(&menu, MENU_UP);
    assert_string_equal(menu_focused(&menu)->label, "Quit");
    menu_press(&menu, MENU_DOWN);
    assert_string_equal(menu_focused(&menu)->label, "Play now");
}

static void the_focus_is_visible(void **state)
{
    (void)state;
    start(&SCREEN_SETTINGS);
    draw_menu(&canvas, &menu, 0);
    menu_press(&menu, MENU_DOWN);
    draw_menu(&again, &menu, 0);
    assert_memory_not_equal(&canvas, &again, sizeof canvas);
}

static void accept_opens_and_back_returns_to_the_same_item(void **state)
{
    (void)state;
    start(&SCREEN_TITLE);
    focus_on("Settings");
    menu_press(&menu, MENU_ACCEPT);
    assert_ptr_equal(menu_screen(&menu), &SCREEN_SETTINGS);
    menu_press(&menu, MENU_BACK);
    assert_ptr_equal(menu_screen(&menu), &SCREEN_TITLE);
    assert_string_equal(menu_focused(&menu)->label, "Settings");
    menu_press(&menu, MENU_BACK); // the title is the last
    assert_ptr_equal(menu_screen(&menu), &SCREEN_TITLE);
}

static void actions_issue_app_commands(void **state)
{
    (void)state;
    const struct {
        const struct screen *screen;
        const char *label;
        enum app_command_kind command;
    } rows[] = {
        /* 1 */ {&SCREEN_TITLE, "Play now", APP_COMMAND_PLAY},
        /* 2 */ {&SCREEN_TITLE, "Quit", APP_COMMAND_QUIT},
        /* 3 */ {&SCREEN_HOST, "Start", APP_COMMAND_HOST},
        /* 4 */ {&SCREEN_PAUSE, "Resume", APP_COMMAND_RESUME},
        /* 5 */ {&SCREEN_PAUSE, "Leave", APP_COMMAND_LEAVE},
        /* 6 */ {&SCREEN_TEAM, "Blue", APP_COMMAND_CHAT},
        /* 7 */ {&SCREEN_ERROR, "Try again", APP_COMMAND_RETRY},
        /* 8 */ {&SCREEN_JOIN, "Search again", APP_COMMAND_SEARCH},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        start(rows[i].screen);
        menu.facts.has_teams = true;
        menu_fill(&menu);
        focus_on(rows[i].label);
        menu_press(&menu, MENU_ACCEPT);
        if (menu.command.kind != rows[i].command)
            fail_msg("row %zu requested %d", i + 1, (int)menu.command.kind);
    }
    start(&SCREEN_PAUSE);
    menu_press(&menu, MENU_BACK);
    assert_int_equal(menu.command.kind, APP_COMMAND_RESUME);
    start(&SCREEN_TEAM);
    assert_string_equal(menu.items[0].label, "Watch"); // without teams there is none to choose
}

static void settings_change_in_both_directions(void **state)
{
    (void)state;
    start(&SCREEN_SOUND);
    menu_press(&menu, MENU_LEFT);
    assert_int_equal(preferences.volume, 7);
    assert_true(menu.changed);
    menu_press(&menu, MENU_RIGHT);
    menu_press(&menu, MENU_RIGHT);
    menu_press(&menu, MENU_RIGHT);
    assert_int_equal(preferences.volume, 10);
}

static void the_map_of_a_hosted_match_cycles_through_all_maps(void **state)
{
    (void)state;
    start(&SCREEN_HOST);
    focus_on("Map");
    menu_press(&menu, MENU_RIGHT);
    assert_string_equal(preferences.map, "clockwork");
    menu_press(&menu, MENU_LEFT);
    menu_press(&menu, MENU_LEFT);
    assert_string_equal(preferences.map, "colosseum");
}

static void a_mode_selects_a_map_that_suits_it(void **state)
{
    (void)state;
    start(&SCREEN_HOST);
    focus_on("Mode");
    menu_press(&menu, MENU_RIGHT);
    assert_string_equal(preferences.map, "foundry");
    menu_press(&menu, MENU_LEFT);
    menu_press(&menu, MENU_LEFT); // wraps to the last one
    assert_int_equal(preferences.mode, MODE_BREAKOUT);
    assert_string_equal(preferences.map, "breakout");
    focus_on("Map");
    menu_press(&menu, MENU_RIGHT);
    assert_string_equal(preferences.map, "breakout");
    assert_true(screen_map_suits("/home/ada/pit.tmj", MODE_BREAKOUT)); // unknown, so allowed
}

static void a_running_hosted_match_offers_only_possible_changes(void **state)
{
    (void)state;
    start(&SCREEN_HOST);
    uint32_t all = menu.count;
    start(&SCREEN_PAUSE);
    menu.facts.in_match = menu.facts.hosting = true;
    menu_fill(&menu);
    focus_on("Change map or mode");
    menu_press(&menu, MENU_ACCEPT);
    assert_string_equal(menu_screen(&menu)->title, "Change map or mode");
    assert_int_equal(menu.count, all - 3);
    focus_on("Change now");
    menu_press(&menu, MENU_ACCEPT);
    assert_int_equal(menu.command.kind, APP_COMMAND_CHANGE);
}

static void a_typed_address_is_joined(void **state)
{
    (void)state;
    start(&SCREEN_ADDRESS);
    assert_true(menu.typing);
    type("arena:278");
    menu_press(&menu, MENU_ERASE);
    assert_string_equal(menu.facts.address, "arena:27");
    menu_press(&menu, MENU_ACCEPT);
    assert_false(menu.typing);
    assert_int_equal(menu.command.kind, APP_COMMAND_JOIN); // with no second Enter
    assert_string_equal(menu.command.text, "arena:27");
}

static void typed_text_has_a_limit_and_whole_characters(void **state)
{
    (void)state;
    start(&SCREEN_ADDRESS);
    menu_type(&menu, "\xC3\xA9");
    menu_press(&menu, MENU_ERASE);
    assert_string_equal(menu.facts.address, "");
    menu_type(&menu, "\n");
    menu_type(&menu, "#"); // '#' would begin a comment in the file
    assert_string_equal(menu.facts.address, "");
    for (int i = 0; i < 1000; i++)
        menu_type(&menu, "\xC3\xA9");
    assert_true(strlen(menu.facts.address) < sizeof menu.facts.address);
    draw_menu(&canvas, &menu, 0);
}

static void the_path_of_a_replay_fits_its_box(void **state)
{
    (void)state;
    static struct canvas brief;
    start(&SCREEN_REPLAYS);
    menu.facts.replay_count = 1;
    snprintf(menu.facts.replays[0].path, sizeof menu.facts.replays[0].path, "/a.dfr");
    menu_fill(&menu);
    draw_menu(&brief, &menu, 0);
    snprintf(menu.facts.replays[0].path, sizeof menu.facts.replays[0].path,
             "/home/somebody-with-a-name/.local/share/deadfall/replays/colosseum-20261121-093407.dfr");
    menu_fill(&menu);
    memset(&canvas, 0, sizeof canvas);
    draw_menu(&canvas, &menu, 0);
    assert_memory_not_equal(&brief, &canvas, sizeof canvas);
    for (int32_t row = 0; row < CANVAS_HEIGHT; row++)
        assert_memory_equal(&brief.pixels[row * CANVAS_WIDTH + 540], &canvas.pixels[row * CANVAS_WIDTH + 540],
                            (CANVAS_WIDTH - 540) * sizeof *canvas.pixels);
}

static void a_key_is_bound_and_a_conflict_is_shown(void **state)
{
    (void)state;
    start(&SCREEN_KEYS);
    focus_on("Jump");
    assert_false(menu_bind_key(&menu, 10)); // no binding is in progress
    menu_press(&menu, MENU_ACCEPT);
    assert_true(menu.binding);
    menu_press(&menu, MENU_DOWN); // an arrow key can be bound as well
    assert_string_equal(menu_focused(&menu)->label, "Jump");
    assert_true(menu_bind_key(&menu, 10));
    assert_int_equal(preferences.keys[0][4], 10);
    assert_string_equal(menu.facts.message, "");
    menu_press(&menu, MENU_ACCEPT);
    assert_true(menu_bind_key(&menu, 27)); // X shoots
    assert_non_null(strstr(menu.facts.message, "Shoot"));
    menu_press(&menu, MENU_ERASE);
    assert_int_equal(preferences.keys[0][4], 0);
    menu_press(&menu, MENU_ACCEPT);
    menu_press(&menu, MENU_BACK); // cancels
    assert_false(menu_bind_key(&menu, 10));
    focus_on("Reset to defaults");
    menu_press(&menu, MENU_ACCEPT);
    assert_int_equal(preferences.keys[0][4], 44);
}

static void a_gamepad_button_is_bound(void **state)
{
    (void)state;
    start(&SCREEN_GAMEPADS);
    focus_on("Jump");
    menu_press(&menu, MENU_ACCEPT);
    assert_false(menu_bind_key(&menu, 10)); // a key is no button of a gamepad
    assert_true(menu_bind_gamepad(&menu, GAMEPAD_BUTTON_RIGHT_TRIGGER));
    assert_int_equal(preferences.gamepad_buttons[0][4], GAMEPAD_BUTTON_RIGHT_TRIGGER);
    assert_non_null(strstr(menu.facts.message, "Shoot")); // the action that had the button
}

static void servers_that_answered_are_listed_with_their_marks(void **state)
{
    (void)state;
    start(&SCREEN_TITLE);
    browser.count = 2;
    browser.servers[0] = (struct server_browser_entry){.address = "192.0.2.1:27440",
                                                       .name = "Alpha",
                                                       .map = "duel",
                                                       .mode = "ffa",
                                                       .players = 3,
                                                       .players_max = 8,
                                                       .local = true,
                                                       .answered = true};
    browser.servers[1] = (struct server_browser_entry){
        .address = "192.0.2.2:27440", .name = "Beta", .local = true, .answered = true, .has_password = true};
    menu_open(&menu, &SCREEN_JOIN);
    focus_on("Alpha");
    menu_press(&menu, MENU_EXTRA);
    assert_int_equal(preferences.favourites.count, 1);
    assert_string_equal(preferences.favourites.values[0], "192.0.2.1:27440");
    menu_press(&menu, MENU_ACCEPT);
    assert_int_equal(menu.command.kind, APP_COMMAND_JOIN);
    assert_string_equal(menu.command.text, "192.0.2.1:27440");
    menu.command.kind = APP_COMMAND_NONE;
    menu_press(&menu, MENU_EXTRA);
    assert_int_equal(preferences.favourites.count, 0);
    focus_on("Beta");
    menu_press(&menu, MENU_ACCEPT);
    assert_int_equal(menu.command.kind, APP_COMMAND_NONE);
    assert_ptr_equal(menu_screen(&menu), &SCREEN_PASSWORD);
}

static void the_mouse_finds_every_item_where_it_is_drawn(void **state)
{
    (void)state;
    start(&SCREEN_SETTINGS);
    uint32_t seen = 0;
    for (int32_t y = 0; y < CANVAS_HEIGHT; y++) {
        uint32_t item = draw_menu_item_at(&menu, CANVAS_WIDTH / 2, y);
        seen |= item < MENU_ITEM_CAPACITY ? 1u << item : 0;
        assert_true(item < menu.count || item == MENU_ITEM_CAPACITY);
    }
    assert_int_equal(seen, (1u << menu.count) - 1);
    assert_int_equal(draw_menu_item_at(&menu, 2, 100), MENU_ITEM_CAPACITY);
    menu_point(&menu, 2, false);
    assert_string_equal(menu_focused(&menu)->label, "Sound");
    menu_point(&menu, 2, true);
    assert_ptr_equal(menu_screen(&menu), &SCREEN_SOUND);
    menu_point(&menu, MENU_ITEM_CAPACITY, true);
}

// Right and left change the value of every setting, and back again, unless it is at its end.
static void every_setting_can_be_changed_where_it_stands(void **state)
{
    static const struct {
        const struct screen *screen;
        const char *label, *row;
    } rows[] = {
        {&SCREEN_SOUND, "Master volume", "volume"},
        {&SCREEN_SOUND, "Effects", "volume-effects"},
        {&SCREEN_SOUND, "Music", "volume-music"},
        {&SCREEN_SOUND, "Ambience", "volume-ambience"},
        {&SCREEN_PLAYER, "Colour", "colour"},
        {&SCREEN_PLAYER, "Hat", "hat"},
        {&SCREEN_PLAYER, "Hat of player 2", "hat-second"},
        {&SCREEN_PLAYER, "Hat of player 3", "hat-third"},
        {&SCREEN_PLAYER, "Hat of player 4", "hat-fourth"},
        {&SCREEN_EYES, "Colour vision", "eyes"},
        {&SCREEN_EYES, "Less motion", "reduced-motion"},
        {&SCREEN_EYES, "Screen shake", "shake"},
        {&SCREEN_EYES, "Large text", "large-text"},
        {&SCREEN_HOST, "Map", "map"},
        {&SCREEN_HOST, "Mode", "mode"},
        {&SCREEN_HOST, "Bots", "bots"},
        {&SCREEN_HOST, "Bot skill", "bot-skill"},
        {&SCREEN_HOST, "Player limit", "players"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char before[64], between[64], after[64];
        start(rows[i].screen);
        focus_on(rows[i].label);
        preferences_describe(&preferences, rows[i].row, before, sizeof before);
        menu_press(&menu, MENU_LEFT);
        preferences_describe(&preferences, rows[i].row, between, sizeof between);
        assert_true(menu.changed);
        menu_press(&menu, MENU_RIGHT);
        preferences_describe(&preferences, rows[i].row, after, sizeof after);
        if (!strcmp(before, between) && !strcmp(between, after))
            fail_msg("row %zu: it stays %s", i, before);
        menu.changed = false;
        menu_press(&menu, MENU_ACCEPT); // as right does
        assert_true(menu.changed);
    }
}

static void the_title_and_the_pause_lead_to_each_screen(void **state)
{
    static const struct {
        const struct screen *from;
        const char *label;
        const struct screen *to;
    } rows[] = {
        {&SCREEN_TITLE, "Join", &SCREEN_JOIN},
        {&SCREEN_TITLE, "Host", &SCREEN_HOST},
        {&SCREEN_TITLE, "Play together", &SCREEN_LOBBY},
        {&SCREEN_TITLE, "Replays", &SCREEN_REPLAYS},
        {&SCREEN_TITLE, "Settings", &SCREEN_SETTINGS},
        {&SCREEN_JOIN, "Type an address", &SCREEN_ADDRESS},
        {&SCREEN_PAUSE, "Change map or mode", &SCREEN_CHANGE},
        {&SCREEN_PAUSE, "Team or watch", &SCREEN_TEAM},
        {&SCREEN_PAUSE, "Players on this computer", &SCREEN_LOBBY},
        {&SCREEN_PAUSE, "Settings", &SCREEN_SETTINGS},
        {&SCREEN_SETTINGS, "Player", &SCREEN_PLAYER},
        {&SCREEN_SETTINGS, "Picture", &SCREEN_VIDEO},
        {&SCREEN_SETTINGS, "Sound", &SCREEN_SOUND},
        {&SCREEN_SETTINGS, "Keys", &SCREEN_KEYS},
        {&SCREEN_SETTINGS, "Keys of a second player", &SCREEN_KEYS_SECOND},
        {&SCREEN_SETTINGS, "Gamepads", &SCREEN_GAMEPADS},
        {&SCREEN_SETTINGS, "Accessibility", &SCREEN_EYES},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        start(rows[i].from);
        menu.facts.hosting = menu.facts.in_match = menu.facts.can_chat = menu.facts.has_teams = true;
        menu_fill(&menu);
        focus_on(rows[i].label);
        menu_press(&menu, MENU_ACCEPT);
        assert_ptr_equal(menu_screen(&menu), rows[i].to);
        if (menu.typing)
            menu_press(&menu, MENU_BACK);
        menu_press(&menu, MENU_BACK);
        assert_ptr_equal(menu_screen(&menu), rows[i].from);
    }
    start(&SCREEN_ERROR);
    focus_on("Back to the title");
    menu_press(&menu, MENU_ACCEPT);
    assert_ptr_equal(menu_screen(&menu), &SCREEN_TITLE);
    assert_int_equal(menu.depth, 1);
    start(&SCREEN_ERROR);
    menu_press(&menu, MENU_BACK);
    assert_ptr_equal(menu_screen(&menu), &SCREEN_TITLE);
    assert_int_equal(menu.depth, 1);
}

static void each_choice_of_a_team_is_a_chat_line(void **state)
{
    static const struct {
        const char *label, *line;
    } rows[] = {{"Any team", "/team auto"},
                {"Blue", "/team blue"},
                {"Orange", "/team orange"},
                {"Watch", "/spectate"},
                {"Play", "/play"}};
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        start(&SCREEN_TEAM);
        menu.facts.has_teams = true;
        menu_fill(&menu);
        focus_on(rows[i].label);
        menu_press(&menu, MENU_ACCEPT);
        assert_int_equal(menu.command.kind, APP_COMMAND_CHAT);
        assert_string_equal(menu.command.text, rows[i].line);
    }
    assert_int_equal(menu.count, 5);
}

static const struct item *item_called(const char *label)
{
    for (uint32_t i = 0; i < menu.count; i++)
        if (!strcmp(menu.items[i].label, label))
            return &menu.items[i];
    fail_msg("no item \"%s\"", label);
    return NULL;
}

static void the_list_of_servers_has_favourites_and_recent_ones_once(void **state)
{
    (void)state;
    start(&SCREEN_TITLE);
    preferences_remember(&preferences.recent, "a:1");
    preferences_remember(&preferences.recent, "b:2");
    preferences_remember(&preferences.favourites, "a:1");
    browser.count = 2;
    browser.servers[0] = (struct server_browser_entry){.address = "b:2",
                                                       .name = "Beta",
                                                       .map = "duel",
                                                       .mode = "ffa",
                                                       .version = "7.0",
                                                       .players = 3,
                                                       .bots = 2,
                                                       .players_max = 8,
                                                       .rtt_ms = 9,
                                                       .has_password = true,
                                                       .answered = true};
    browser.servers[1] = (struct server_browser_entry){.address = "a:1", .tries = SERVER_BROWSER_TRIES};
    menu_open(&menu, &SCREEN_JOIN);
    static const char *const labels[] = {"Type an address",
                                         "Search again",
                                         "Players on this computer",
                                         "On this network",
                                         "   no server has answered yet",
                                         "Favourites",
                                         "* a:1",
                                         "Recent",
                                         "Beta"};
    assert_int_equal(menu.count, 9);
    for (uint32_t i = 0; i < menu.count; i++)
        assert_string_equal(menu.items[i].label, labels[i]);
    assert_string_equal(item_called("* a:1")->value, "no answer");
    assert_string_equal(item_called("* a:1")->help, "a:1");
    assert_string_equal(item_called("Beta")->value, "locked  duel  ffa  3/8  9 ms");
    assert_string_equal(item_called("Beta")->help, "b:2   3 players, 2 of them bots   version 7.0");
    browser.servers[0].closes = true;
    menu_fill(&menu);
    assert_string_equal(item_called("Beta")->value, "locked  closing  duel  ffa  3/8  9 ms");
    browser.servers[1].tries--;
    menu_fill(&menu);
    assert_string_equal(item_called("* a:1")->value, "...");
    focus_on("* a:1");
    menu_press(&menu, MENU_ACCEPT);
    assert_int_equal(menu.command.kind, APP_COMMAND_JOIN);
    assert_string_equal(menu.command.text, "a:1");
    snprintf(menu.facts.password, sizeof menu.facts.password, "old");
    focus_on("Beta");
    menu_press(&menu, MENU_ACCEPT);
    assert_ptr_equal(menu_screen(&menu), &SCREEN_PASSWORD);
    assert_string_equal(menu.facts.address, "b:2");
    assert_string_equal(menu.facts.password, "");
    assert_string_equal(menu.items[0].label, "b:2 requires a password.");
    menu_press(&menu, MENU_ACCEPT);
    type("key");
    char value[16];
    menu_value(&menu, menu_focused(&menu), value, sizeof value);
    assert_string_equal(value, "***");
    menu_press(&menu, MENU_ACCEPT);
    assert_int_equal(menu.command.kind, APP_COMMAND_JOIN);
    assert_string_equal(menu.command.text, "b:2");
}

static void a_replay_and_a_local_player_are_chosen_by_their_row(void **state)
{
    (void)state;
    start(&SCREEN_REPLAYS);
    assert_string_equal(menu.items[0].label, "There are no replays yet.");
    menu.facts.replay_count = 2;
    for (uint32_t i = 0; i < 2; i++)
        menu.facts.replays[i] = (struct menu_replay){.map = "duel", .length = "1:02"};
    snprintf(menu.facts.replays[0].name, sizeof menu.facts.replays[0].name, "one");
    snprintf(menu.facts.replays[1].name, sizeof menu.facts.replays[1].name, "two");
    snprintf(menu.facts.replays[1].path, sizeof menu.facts.replays[1].path, "/two.dfr");
    menu_fill(&menu);
    assert_int_equal(menu.count, 2);
    assert_string_equal(item_called("two")->value, "duel   1:02");
    focus_on("two");
    menu_press(&menu, MENU_ACCEPT);
    assert_int_equal(menu.command.kind, APP_COMMAND_REPLAY);
    assert_string_equal(menu.command.text, "/two.dfr");
}

static uint32_t chosen(void)
{
    return preferences_variants(&menu.preferences->variants);
}

static void variants_are_switched_and_combine(void **state)
{
    (void)state;
    start(&SCREEN_HOST);
    assert_string_equal(item_called("Variants")->value, "none");
    focus_on("Variants");
    menu_press(&menu, MENU_ACCEPT);
    assert_ptr_equal(menu_screen(&menu), &SCREEN_VARIANTS);
    for (uint32_t i = 0; i < VARIANTS; i++) {
        focus_on(VARIANT_TABLE[i].title);
        assert_string_equal(menu_focused(&menu)->help, VARIANT_TABLE[i].help);
        assert_string_equal(menu_focused(&menu)->value, "off");
        menu.changed = false;
        menu_press(&menu, i % 3 == 0 ? MENU_ACCEPT : i % 3 == 1 ? MENU_LEFT : MENU_RIGHT);
        assert_true(menu.changed);
        assert_string_equal(menu_focused(&menu)->value, "on");
        assert_int_equal(chosen(), (2u << i) - 1);
    }
    focus_on("Ice");
    menu_press(&menu, MENU_ACCEPT);
    assert_int_equal(chosen(), ((1u << VARIANTS) - 1) ^ 1u << VARIANT_ICE);
}

static void presets_are_chosen_kept_and_forgotten(void **state)
{
    (void)state;
    enum { OWN = 1u << VARIANT_BOMBS | 1u << VARIANT_WINGS };
    start(&SCREEN_PRESETS);
    assert_string_equal(item_called("As usual")->value, "chosen");
    focus_on("Moon");
    menu_press(&menu, MENU_ACCEPT);
    assert_int_equal(chosen(), 1u << VARIANT_LOW_GRAVITY | 1u << VARIANT_HIGH_JUMPS);
    assert_string_equal(item_called("Moon")->value, "chosen");
    menu_press(&menu, MENU_EXTRA); // only own ones are forgotten
    assert_string_equal(item_called("As usual")->value, "");
    preferences_set_variants(menu.preferences, OWN);
    menu_fill(&menu);
    focus_on("Keep what is chosen now");
    menu_press(&menu, MENU_ACCEPT);
    assert_int_equal(menu.preferences->variant_presets.count, 1);
    assert_string_equal(menu.preferences->variant_presets.values[0], "bombs+wings");
    assert_string_equal(item_called("Bombs only, Wings")->value, "chosen");
    focus_on("As usual");
    menu_press(&menu, MENU_ACCEPT);
    assert_int_equal(chosen(), 0);
    focus_on("Bombs only, Wings");
    menu_press(&menu, MENU_ACCEPT);
    assert_int_equal(chosen(), OWN);
    menu_press(&menu, MENU_EXTRA);
    assert_int_equal(menu.preferences->variant_presets.count, 0);
    menu.preferences->variant_presets = (struct option_list){1, {"lava+of-a-later-version"}};
    menu_fill(&menu);
    focus_on("none");
    menu_press(&menu, MENU_ACCEPT);
    assert_int_equal(chosen(), 0);
}

static void guests_ask_for_a_vote_on_variants(void **state)
{
    (void)state;
    start(&SCREEN_PAUSE);
    menu.facts.can_chat = menu.facts.in_match = true;
    menu_fill(&menu);
    focus_on("Vote on variants");
    menu_press(&menu, MENU_ACCEPT);
    preferences_set_variants(menu.preferences, 1u << VARIANT_BOMBS | 1u << VARIANT_ICE);
    focus_on("Ask the others");
    menu_press(&menu, MENU_ACCEPT);
    assert_int_equal(menu.command.kind, APP_COMMAND_CHAT);
    assert_string_equal(menu.command.text, "/vote variants none bombs,ice");
    menu.command.kind = APP_COMMAND_NONE;
    preferences_set_variants(menu.preferences, (1u << VARIANTS) - 1);
    menu_press(&menu, MENU_ACCEPT);
    assert_int_equal(menu.command.kind, APP_COMMAND_NONE);
    assert_string_equal(menu.facts.message, "These are too many for one vote.");
}

int main(void)
{
    struct CMUnitTest tests[] = {
        cmocka_unit_test(every_screen_is_found_by_its_name_and_drawn),
        cmocka_unit_test(the_focus_wraps_and_skips_notes),
        cmocka_unit_test(the_focus_is_visible),
        cmocka_unit_test(accept_opens_and_back_returns_to_the_same_item),
        cmocka_unit_test(actions_issue_app_commands),
        cmocka_unit_test(settings_change_in_both_directions),
        cmocka_unit_test(the_map_of_a_hosted_match_cycles_through_all_maps),
        cmocka_unit_test(a_mode_selects_a_map_that_suits_it),
        cmocka_unit_test(a_running_hosted_match_offers_only_possible_changes),
        cmocka_unit_test(a_typed_address_is_joined),
        cmocka_unit_test(variants_are_switched_and_combine),
        cmocka_unit_test(presets_are_chosen_kept_and_forgotten),
        cmocka_unit_test(guests_ask_for_a_vote_on_variants),
        cmocka_unit_test(typed_text_has_a_limit_and_whole_characters),
        cmocka_unit_test(the_path_of_a_replay_fits_its_box),
        cmocka_unit_test(a_key_is_bound_and_a_conflict_is_shown),
        cmocka_unit_test(a_gamepad_button_is_bound),
        cmocka_unit_test(servers_that_answered_are_listed_with_their_marks),
        cmocka_unit_test(the_mouse_finds_every_item_where_it_is_drawn),
        cmocka_unit_test(every_setting_can_be_changed_where_it_stands),
        cmocka_unit_test(the_title_and_the_pause_lead_to_each_screen),
        cmocka_unit_test(each_choice_of_a_team_is_a_chat_line),
        cmocka_unit_test(the_list_of_servers_has_favourites_and_recent_ones_once),
        cmocka_unit_test(a_replay_and_a_local_player_are_chosen_by_their_row),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
