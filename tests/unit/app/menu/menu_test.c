// SPDX-License-Identifier: MIT
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/menu/draw_menu.h"
#include "app/menu/screens.h"
#include "base/host_port.h"
#include "game/ai/ai.h"
#include "game/rules/mode.h"
#include "game/variant.h"
#include "sync/world.h"
#include "test.h"
#include "window/keyboard.h"

static struct menu menu;
static struct preferences preferences;
static struct server_browser browser;
static struct server_rows servers;
static struct directories directories;
static struct canvas canvas, again;

static void start(const struct screen *screen)
{
    struct error error;
    memset(&menu, 0, sizeof menu);
    memset(&browser, 0, sizeof browser);
    preferences_read(&preferences, "", &error);
    menu.preferences = &preferences;
    menu.facts.servers = &servers;
    menu.facts.directories = &directories;
    menu_open_alone(&menu, &SCREEN_TITLE);
    if (screen != &SCREEN_TITLE)
        menu_open(&menu, screen);
}

// Adds a server that has answered.
static struct server_browser_entry *add_answer(const char *address, const char *name, uint32_t players)
{
    struct host_port place;
    struct server_browser_entry *server = &browser.servers[browser.count++];
    *server = (struct server_browser_entry){.map = "duel",
                                            .mode = "ffa",
                                            .version = "7.0",
                                            .players = players,
                                            .players_max = 8,
                                            .rtt_ms = 9,
                                            .answered = true};
    snprintf(server->address, sizeof server->address, "%s", address);
    snprintf(server->name, sizeof server->name, "%s", name);
    assert_true(host_port_parse(address, SIZE_MAX, &place));
    assert_true(ip_address_parse(&server->net_address, place.host, place.port));
    return server;
}

static void renew_servers(void)
{
    static const struct server_list none;
    server_rows_gather(&servers, &none, &browser, &preferences, 1000000);
    server_rows_arrange(&servers, &preferences);
    menu_fill(&menu);
}

static void open_join(void)
{
    renew_servers();
    menu_open(&menu, &SCREEN_JOIN);
}

static void focus_on_row(const char *address)
{
    uint32_t place = server_rows_place(&servers, address);
    assert_true(place < servers.shown_count);
    menu.focus[menu.depth - 1] = menu.count + place;
    menu_fill(&menu);
    assert_string_equal(menu_focused(&menu)->label, address);
}

static void focus_on(const char *label)
{
    menu_fill(&menu);
    for (uint32_t i = 0; i < menu.count; i++) {
        if (!strcmp(menu_focused(&menu)->label, label))
            return;
        menu_press(&menu, MENU_DOWN);
    }
    fail_msg("no item \"%s\"", label);
}

static void choose(const char *label)
{
    focus_on(label);
    menu_press(&menu, MENU_ACCEPT);
}

static void press(enum menu_press key, uint32_t times)
{
    while (times--)
        menu_press(&menu, key);
}

// What was asked for last, which is then done.
static void check_command(enum app_command_kind kind, const char *text)
{
    assert_int_equal(menu.command.kind, kind);
    assert_string_equal(menu.command.text, text);
    menu.command.kind = APP_COMMAND_NONE;
}

static void check_screen(const struct screen *screen)
{
    assert_ptr_equal(menu_screen(&menu), screen);
}

static void type(const char *text)
{
    for (; *text; text++)
        menu_type(&menu, (char[]){*text, 0});
}

TEST(every_screen_is_found_by_its_name_and_drawn)
{
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

TEST(the_focus_wraps_skips_notes_and_is_visible)
{
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
    start(&SCREEN_SETTINGS);
    draw_menu(&canvas, &menu, 0);
    menu_press(&menu, MENU_DOWN);
    draw_menu(&again, &menu, 0);
    assert_memory_not_equal(&canvas, &again, sizeof canvas);
}

TEST(accept_opens_and_back_returns_to_the_same_item)
{
    start(&SCREEN_TITLE);
    choose("Settings");
    check_screen(&SCREEN_SETTINGS);
    menu_press(&menu, MENU_BACK);
    check_screen(&SCREEN_TITLE);
    assert_string_equal(menu_focused(&menu)->label, "Settings");
    menu_press(&menu, MENU_BACK); // the title is the last
    check_screen(&SCREEN_TITLE);
}

TEST(actions_issue_app_commands)
{
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
        choose(rows[i].label);
        if (menu.command.kind != rows[i].command)
            fail_msg("row %zu requested %d", i + 1, (int)menu.command.kind);
    }
    start(&SCREEN_PAUSE);
    menu_press(&menu, MENU_BACK);
    assert_int_equal(menu.command.kind, APP_COMMAND_RESUME);
    start(&SCREEN_TEAM);
    assert_string_equal(menu.items[0].label, "Only watch"); // without teams there is none to choose
}

TEST(maps_cycle_and_a_mode_selects_one_that_suits_it)
{
    start(&SCREEN_HOST);
    focus_on("Map");
    menu_press(&menu, MENU_RIGHT);
    assert_string_equal(preferences.map, "clockwork");
    press(MENU_LEFT, 2);
    assert_string_equal(preferences.map, "colosseum");
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

TEST(a_running_hosted_match_offers_only_possible_changes)
{
    start(&SCREEN_HOST);
    uint32_t all = menu.count;
    start(&SCREEN_PAUSE);
    menu.facts.in_match = menu.facts.hosting = true;
    choose("Change map or mode");
    assert_string_equal(menu_screen(&menu)->title, "Change map or mode");
    assert_int_equal(menu.count, all - 5);
    choose("Change now");
    check_command(APP_COMMAND_CHANGE, "");
    focus_on("Variants"); // can be taken over where they are chosen
    menu_press(&menu, MENU_ACCEPT);
    choose("Change now");
    assert_int_equal(menu.command.kind, APP_COMMAND_CHANGE);
    start(&SCREEN_VARIANTS); // before a match
    for (uint32_t i = 0; i < menu.count; i++)
        assert_string_not_equal(menu.items[i].label, "Change now");
}

TEST(a_typed_address_is_joined)
{
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

TEST(typed_text_has_a_limit_and_whole_characters)
{
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

TEST(the_path_of_a_replay_fits_its_box)
{
    static struct canvas brief;
    start(&SCREEN_REPLAYS);
    menu.facts.replay_count = 1;
    snprintf(menu.facts.replays[0].path, sizeof menu.facts.replays[0].path, "/a.dfr");
    menu.focus[menu.depth - 1] = 1; // below the live matches
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

TEST(a_key_is_bound_and_a_conflict_is_shown)
{
    start(&SCREEN_KEYS);
    focus_on("Jump");
    assert_false(menu_bind_key(&menu, 10)); // no binding is in progress
    menu_press(&menu, MENU_ACCEPT);
    assert_true(menu.binding);
    menu_press(&menu, MENU_DOWN); // an arrow key can be bound as well
    assert_string_equal(menu_focused(&menu)->label, "Jump");
    assert_true(menu_bind_key(&menu, 10));
    assert_int_equal(preferences.controls.buttons.keys[0][4], 10);
    assert_string_equal(menu.facts.message, "");
    menu_press(&menu, MENU_ACCEPT);
    assert_true(menu_bind_key(&menu, 27));                         // X shoots
    assert_int_equal(preferences.controls.buttons.keys[0][6], 10); // what jumped before
    assert_string_equal(menu.facts.message, "\"Shoot\" is on G now.");
    menu_press(&menu, MENU_ACCEPT);
    assert_true(menu_bind_key(&menu, KEY_F11)); // which stays what it is
    assert_true(menu.binding && menu.facts.message[0]);
    assert_int_equal(preferences.controls.buttons.keys[0][4], 27);
    assert_true(menu_bind_key(&menu, 27)); // again
    assert_string_equal(menu.facts.message, "");
    menu_press(&menu, MENU_ERASE);
    assert_int_equal(preferences.controls.buttons.keys[0][4], 0);
    menu_press(&menu, MENU_ACCEPT);
    menu_press(&menu, MENU_BACK); // cancels
    assert_false(menu_bind_key(&menu, 10));
    choose("Reset to defaults");
    assert_int_equal(preferences.controls.buttons.keys[0][4], 44);
    assert_string_equal(menu.facts.message, "All of these are at their defaults.");
    focus_on("Emotes");
    menu_press(&menu, MENU_ERASE);
    assert_int_equal(preferences.controls.match_keys[0][MATCH_EMOTES], 0);
    menu_press(&menu, MENU_ACCEPT);
    assert_true(menu_bind_key(&menu, 23)); // the chat's, which has nothing to take
    assert_string_equal(menu.facts.message, "\"Chat\" is not bound any more.");
}

TEST(a_gamepad_button_is_bound)
{
    start(&SCREEN_GAMEPADS);
    choose("Jump");
    assert_false(menu_bind_key(&menu, 10)); // a key is no button of a gamepad
    assert_true(menu_bind_gamepad(&menu, GAMEPAD_BUTTON_RIGHT_TRIGGER));
    assert_int_equal(preferences.controls.buttons.gamepad_buttons[0][4], GAMEPAD_BUTTON_RIGHT_TRIGGER);
    assert_int_equal(preferences.controls.buttons.gamepad_buttons[1][6],
                     GAMEPAD_BUTTON_A); // the action that had the button
    assert_non_null(strstr(menu.facts.message, "Shoot, alternative"));
    menu_press(&menu, MENU_ACCEPT);
    assert_true(menu_bind_gamepad(&menu, GAMEPAD_BUTTON_START)); // leads to the menu
    assert_int_equal(preferences.controls.buttons.gamepad_buttons[0][4], GAMEPAD_BUTTON_RIGHT_TRIGGER);
}

TEST(servers_that_answered_are_listed)
{
    start(&SCREEN_TITLE);
    add_answer("192.0.2.1:27440", "Alpha", 3)->local = true;
    struct server_browser_entry *beta = add_answer("192.0.2.2:27440", "Beta", 0);
    beta->local = beta->has_password = true;
    open_join();
    focus_on_row("192.0.2.1:27440");
    menu_press(&menu, MENU_EXTRA);
    assert_int_equal(preferences.favourites.count, 1);
    assert_string_equal(preferences.favourites.values[0], "192.0.2.1:27440");
    menu_press(&menu, MENU_ACCEPT);
    check_command(APP_COMMAND_JOIN, "192.0.2.1:27440");
    menu_press(&menu, MENU_EXTRA);
    assert_int_equal(preferences.favourites.count, 0);
    focus_on_row("192.0.2.2:27440");
    menu_press(&menu, MENU_ACCEPT);
    assert_int_equal(menu.command.kind, APP_COMMAND_NONE);
    check_screen(&SCREEN_PASSWORD);
}

TEST(the_mouse_finds_every_item_where_it_is_drawn)
{
    start(&SCREEN_SETTINGS);
    uint32_t seen = 0;
    for (int32_t y = 0; y < CANVAS_HEIGHT; y++) {
        uint32_t item = draw_menu_item_at(&menu, CANVAS_WIDTH / 2, y);
        seen |= item != MENU_NOTHING ? 1u << item : 0;
        assert_true(item < menu.count || item == MENU_NOTHING);
    }
    assert_int_equal(seen, (1u << menu.count) - 1);
    assert_int_equal(draw_menu_item_at(&menu, 2, 100), MENU_NOTHING);
    menu_point(&menu, 2, false);
    assert_string_equal(menu_focused(&menu)->label, "Sound");
    menu_point(&menu, 2, true);
    check_screen(&SCREEN_SOUND);
    menu_point(&menu, MENU_ITEM_CAPACITY, true);
}

// A directory with many servers, of which 14 are seen at once.
TEST(a_long_list_scrolls_by_keys_pages_and_wheel)
{
    static struct server_list_entry entries[500];
    struct server_list list = {.count = 500, .entries = entries};
    start(&SCREEN_TITLE);
    for (uint32_t i = 0; i < list.count; i++) {
        entries[i].facts = (struct server_facts){.protocol = PROTOCOL_VERSION, .places = 8};
        snprintf(entries[i].facts.name, sizeof entries[i].facts.name, "Server %03u", i);
        snprintf(entries[i].addresses[0], sizeof entries[i].addresses[0], "192.0.2.1:%u", 1000 + i);
    }
    server_rows_gather(&servers, &list, &browser, &preferences, 1000000);
    server_rows_arrange(&servers, &preferences);
    menu_open(&menu, &SCREEN_JOIN);
    uint32_t *focus = &menu.focus[menu.depth - 1], *first = &menu.first[menu.depth - 1], total = menu.count + 500;
    assert_int_equal(menu_count(&menu), total);
    menu_press(&menu, MENU_UP);
    assert_int_equal(*focus, total - 1);
    assert_string_equal(menu_focused(&menu)->label, "192.0.2.1:1499#");
    assert_int_equal(*first, total - MENU_ROWS);
    menu_press(&menu, MENU_PAGE_UP);
    assert_int_equal(*focus, total - MENU_ROWS);
    press(MENU_PAGE_DOWN, 2);
    assert_int_equal(*focus, total - 1);
    menu_scroll(&menu, -300);
    assert_int_equal(*first, total - MENU_ROWS - 300);
    assert_int_equal(*focus, *first + MENU_ROWS - 1); // is always seen
    uint32_t before = *first;
    assert_int_equal(menu_pinned(&menu), menu.count - 1); // in the place of the first row
    menu_point(&menu, before, true);
    assert_int_equal(*focus, before + MENU_ROWS - 1);
    for (uint32_t i = 1; i < MENU_ROWS; i++) { // the pointer moves no list
        menu_point(&menu, before + i, false);
        assert_int_equal(*focus, before + i);
        assert_int_equal(*first, before);
    }
    menu_press(&menu, MENU_FIRST);
    assert_int_equal(*focus, 0);
    assert_int_equal(*first, 0);
    assert_int_equal(menu_pinned(&menu), MENU_NOTHING);
    menu_press(&menu, MENU_LAST);
    assert_int_equal(*focus, total - 1);
    for (uint32_t i = 1; i < total - MENU_ROWS; i++) { // no row is ever hidden by the titles of the columns
        menu_press(&menu, MENU_UP);
        assert_int_equal(*focus, total - 1 - i);
        assert_true(*focus > *first || menu_pinned(&menu) == MENU_NOTHING);
    }
    menu_scroll(&menu, -2000);
    assert_int_equal(*first, 0);
    assert_int_equal(menu_pinned(&menu), MENU_NOTHING);
    for (uint32_t i = 1; i <= menu.count; i++) { // nor by the wheel
        menu_scroll(&menu, 1);
        assert_int_equal(*first, i);
        assert_true(*focus > *first || menu_pinned(&menu) == MENU_NOTHING);
    }
    menu_scroll(&menu, -2000);
    menu_scroll(&menu, 2000);
    assert_int_equal(*first, total - MENU_ROWS);
    draw_menu(&canvas, &menu, 0);
    menu_press(&menu, MENU_PAGE_DOWN);
    menu_press(&menu, MENU_DOWN);
    assert_int_equal(*focus, 0);
    assert_int_equal(*first, 0);
}

// Each choice of the filters hides what it says, and all can be shown again.
TEST(filters_are_chosen_on_their_screen)
{
    start(&SCREEN_TITLE);
    add_answer("192.0.2.1:1", "Alpha", 3);
    add_answer("192.0.2.2:2", "Beta", 0)->local = true;
    add_answer("192.0.2.3:3", "Gamma", 8)->local = true;
    browser.servers[0].local = true;
    open_join();
    assert_int_equal(menu.row_count, 3);
    choose("Filters");
    check_screen(&SCREEN_FILTERS);
    focus_on("Servers without people");
    menu_press(&menu, MENU_RIGHT);
    renew_servers();
    assert_string_equal(menu.items[menu.count - 1].label, "2 of 3 servers are shown.");
    focus_on("Full servers");
    menu_press(&menu, MENU_RIGHT);
    choose("Search");
    type("ALP");
    menu_press(&menu, MENU_ACCEPT);
    renew_servers();
    assert_string_equal(menu.items[menu.count - 1].label, "1 of 3 servers are shown.");
    menu_press(&menu, MENU_BACK);
    focus_on("Filters");
    assert_string_equal(menu_focused(&menu)->value, "\"ALP\", some hidden");
    menu_press(&menu, MENU_ACCEPT);
    choose("Clear all filters");
    renew_servers();
    assert_string_equal(menu.items[menu.count - 1].label, "3 of 3 servers are shown.");
    focus_on("Mode");
    assert_string_equal(menu_focused(&menu)->value, "all");
    menu_press(&menu, MENU_RIGHT);
    assert_string_equal(menu_focused(&menu)->value, "Deathmatch");
    menu_press(&menu, MENU_BACK);
    focus_on("Filters");
    assert_string_equal(menu_focused(&menu)->value, "Deathmatch");
}

TEST(lists_are_added_and_removed)
{
    start(&SCREEN_DIRECTORIES);
    menu_press(&menu, MENU_ACCEPT);
    type("example.org");
    menu_press(&menu, MENU_ACCEPT);
    assert_string_equal(menu.facts.message,
                        "A list has an address such as https://example.org/, with #KEY or without.");
    assert_int_equal(preferences.directories.count, 0);
    snprintf(menu.facts.directory, sizeof menu.facts.directory, "https://example.org");
    press(MENU_ACCEPT, 2);
    assert_int_equal(preferences.directories.count, 1);
    assert_string_equal(preferences.directories.values[0], "https://example.org");
    choose("https://example.org");
    assert_int_equal(preferences.directories.count, 0);
}

static void title_has(const char *map, const char *help)
{
    menu_fill(&menu);
    assert_int_equal(menu.count, SCREEN_TITLE_COUNT + (help ? 1 : 0));
    if (!help)
        return;
    assert_string_equal(menu.items[SCREEN_TITLE_COUNT].label, "Live now");
    assert_string_equal(menu.items[SCREEN_TITLE_COUNT].value, map);
    assert_string_equal(menu.items[SCREEN_TITLE_COUNT].help, help);
}

TEST(the_title_shows_the_best_live_match_of_a_fresh_list)
{
    static struct server_list_entry entries[3];
    static struct directories lists = {.count = 1, .merged = {.entries = entries}};
    start(&SCREEN_TITLE);
    title_has(NULL, NULL);
    menu.facts.directories = &lists;
    menu.facts.unix_s = 10000;
    title_has(NULL, NULL);
    lists.merged.count = 3;
    for (uint32_t i = 0; i < 3; i++) {
        entries[i].made_s = 10000 + 1 - SERVER_LIST_OLD_S;
        entries[i].facts =
            (struct server_facts){.protocol = PROTOCOL_VERSION, .interest = 10 + i, .players = i, .bots = 4};
        strcpy(entries[i].facts.mode, "lms");
        strcpy(entries[i].facts.map, i == 1 ? "Buy hats" : "duel");
        strcpy(entries[i].facts.name, "Buy more hats");
        snprintf(entries[i].facts.live_url, sizeof entries[i].facts.live_url, "http://s%u/", i);
    }
    title_has("Duel", "people 2, bots 4   Last one standing");
    entries[2].facts.protocol++;                           // which this window could not show
    title_has("", "people 1, bots 4   Last one standing"); // a map of its own has no title
    entries[1].facts.live_url[0] = 0;
    title_has("Duel", "people 0, bots 4   Last one standing");
    menu.focus[0] = SCREEN_TITLE_COUNT;
    menu_press(&menu, MENU_ACCEPT);
    check_command(APP_COMMAND_LIVE, "http://s0/");
    assert_true(menu.command.is_foreign);
    menu.facts.unix_s++; // the list is old: its directory may be gone, and its servers too
    title_has("", "No server shows its match at the moment."); // while it has the focus
    menu_press(&menu, MENU_ACCEPT);
    assert_int_equal(menu.command.kind, APP_COMMAND_NONE);
    menu_press(&menu, MENU_UP);
    assert_string_equal(menu_focused(&menu)->label, "Quit");
    title_has(NULL, NULL);
    menu.facts.unix_s--;
    entries[0].facts.interest = 0; // nothing moves there
    title_has(NULL, NULL);
}

TEST(the_best_live_match_comes_first)
{
    static struct server_list_entry entries[40];
    start(&SCREEN_LIVE);
    assert_string_equal(menu.items[0].label, "No server shows its match at the moment.");
    for (uint32_t i = 0; i < 40; i++) {
        struct server_facts *facts = &entries[i].facts;
        *facts = (struct server_facts){.protocol = i == 20 ? 1 : PROTOCOL_VERSION, .interest = i * 17 % 40};
        snprintf(facts->name, sizeof facts->name, "Server %u", i);
        if (i % 4 != 3) // 30 of them
            snprintf(facts->live_url, sizeof facts->live_url, "http://s%u/", i);
    }
    directories.merged = (struct server_list){.count = 40, .entries = entries};
    menu_fill(&menu);
    uint32_t last = 40;
    for (uint32_t i = 0; i < 24; i++) {
        uint32_t server = menu.items[i].argument;
        assert_true(entries[server].facts.live_url[0] && entries[server].facts.interest < last);
        assert_int_not_equal(server, 20); // of another version: behind all others
        last = entries[server].facts.interest;
    }
    assert_string_equal(menu.items[24].label, "Address");
    menu.focus[menu.depth - 1] = 0;
    menu_press(&menu, MENU_ACCEPT);
    check_command(APP_COMMAND_LIVE, entries[menu.items[0].argument].facts.live_url);
    strcpy(entries[menu.items[0].argument].addresses[1], "[2001:db8::7]:27440");
    menu_press(&menu, MENU_ACCEPT);
    assert_true(menu.command.is_foreign);
    strcpy(entries[menu.items[0].argument].addresses[0], "192.168.1.7:27440"); // it is near, and so may its match be
    menu_press(&menu, MENU_ACCEPT);
    assert_false(menu.command.is_foreign);
    focus_on("Address");
    snprintf(menu.facts.live_url, sizeof menu.facts.live_url, "https://example.org/live/");
    press(MENU_ACCEPT, 2);
    assert_string_equal(menu.command.text, "https://example.org/live/");
    assert_false(menu.command.is_foreign); // the player typed it
    directories.merged = (struct server_list){0};
}

TEST(quick_match_joins_or_says_that_there_is_nothing)
{
    start(&SCREEN_TITLE);
    open_join();
    choose("Quick match");
    assert_int_equal(menu.command.kind, APP_COMMAND_NONE);
    assert_string_equal(menu.facts.message, "No server has answered yet. Host a match yourself.");
    add_answer("192.0.2.2:2", "Full", 8)->local = true;
    renew_servers();
    choose("Quick match");
    assert_int_equal(menu.command.kind, APP_COMMAND_NONE);
    assert_non_null(strstr(menu.facts.message, "No server of the list has room for you."));
    add_answer("192.0.2.1:1", "Alpha", 3)->local = true;
    renew_servers();
    choose("Quick match");
    check_command(APP_COMMAND_JOIN, "192.0.2.1:1");
}

TEST(a_server_of_another_version_is_not_joined)
{
    start(&SCREEN_TITLE);
    struct server_browser_entry *alpha = add_answer("192.0.2.1:1", "Alpha", 3);
    alpha->local = true;
    alpha->protocol = PROTOCOL_VERSION + 1;
    open_join();
    focus_on_row("192.0.2.1:1");
    menu_press(&menu, MENU_ACCEPT);
    assert_int_equal(menu.command.kind, APP_COMMAND_NONE);
    assert_string_equal(menu.facts.message,
                        "This server has version 7.0 of the game, which does not go together with yours.");
}

// Right and left change the value of every setting, and back again, unless it is at its end.
TEST(every_setting_can_be_changed_where_it_stands)
{
    uint32_t count = 0;
    for (size_t i = 0; SCREENS[i]; i++) {
        start(SCREENS[i]);
        for (uint32_t k = 0; k < menu.count; k++) {
            char before[64], between[64], after[64];
            enum preferences_row row = menu.items[k].row;
            if (menu.items[k].kind != ITEM_SETTING || !row)
                continue;
            menu_point(&menu, k, false);
            menu.changed = false;
            preferences_describe(&preferences, row, before, sizeof before);
            menu_press(&menu, MENU_LEFT);
            preferences_describe(&preferences, row, between, sizeof between);
            assert_true(menu.changed);
            menu_press(&menu, MENU_RIGHT);
            preferences_describe(&preferences, row, after, sizeof after);
            if (!strcmp(before, between) && !strcmp(between, after))
                fail_msg("\"%s\" stays %s", menu.items[k].label, before);
            menu.changed = false;
            menu_press(&menu, MENU_ACCEPT); // as right does
            assert_true(menu.changed);
            count++;
        }
    }
    assert_in_range(count, 40, MENU_ITEM_CAPACITY);
    start(&SCREEN_SOUND);
    menu_press(&menu, MENU_LEFT);
    assert_int_equal(preferences.volume, 7);
    assert_true(menu.changed);
    press(MENU_RIGHT, 3);
    assert_int_equal(preferences.volume, 10);
}

static const char *value_of(const char *label)
{
    menu_fill(&menu);
    for (uint32_t i = 0; i < menu.count; i++)
        if (strcmp(menu.items[i].label, label) == 0)
            return menu.items[i].value;
    return NULL;
}

// That of the match stands first, by whatever name; the others have theirs.
TEST(the_statistics_show_what_servers_have_counted)
{
    static const struct server_records records = {
        .count = 2,
        .of = {{"77777777777777777777777777777777", {.deviation = 1, .server_name = "Elsewhere"}},
               {"abcdefghijklmnopqrstuvwxyz234567",
                {.rank = 3, .mean = -12345, .deviation = 149, .kills = 30, .deaths = 20, .server_name = "Here"}}}};
    start(&SCREEN_PAUSE);
    menu.facts.in_match = menu.facts.can_chat = true;
    menu.facts.server = records.of[1].server;
    menu_fill(&menu);
    for (uint32_t i = 0; i < menu.count; i++)
        assert_string_not_equal(menu.items[i].label, "Statistics"); // this server has sent nothing
    menu.facts.records = &records;
    choose("Statistics");
    check_screen(&SCREEN_STATISTICS);
    assert_string_equal(value_of("On this server"), "rank 3");
    assert_string_equal(menu.items[0].label, "On this server");
    assert_string_equal(value_of("On Elsewhere"), "-");
    menu_press(&menu, MENU_ACCEPT);
    check_screen(&SCREEN_RECORD);
    menu_fill(&menu);
    assert_string_equal(menu.items[0].label, "Here");
    assert_string_equal(value_of("Rank"), "3");
    assert_string_equal(value_of("Rating"), "-123 ±3");
    assert_string_equal(value_of("Kills for each death"), "1.5");
    menu_press(&menu, MENU_BACK);
    menu.facts.server = "";
    assert_string_equal(value_of("On Here"), "rank 3");
    choose("On Elsewhere");
    assert_string_equal(value_of("Rank"), "-");
}

TEST(the_title_and_the_pause_lead_to_each_screen)
{
    static const struct {
        const struct screen *from;
        const char *label;
        const struct screen *to;
    } rows[] = {
        {&SCREEN_TITLE, "Join", &SCREEN_JOIN},
        {&SCREEN_TITLE, "Host", &SCREEN_HOST},
        {&SCREEN_TITLE, "Play together", &SCREEN_LOBBY},
        {&SCREEN_TITLE, "Watch", &SCREEN_REPLAYS},
        {&SCREEN_REPLAYS, "Live matches", &SCREEN_LIVE},
        {&SCREEN_TITLE, "Settings", &SCREEN_SETTINGS},
        {&SCREEN_JOIN, "Type an address", &SCREEN_ADDRESS},
        {&SCREEN_PAUSE, "Change map or mode", &SCREEN_CHANGE},
        {&SCREEN_PAUSE, "Change team, or only watch", &SCREEN_TEAM},
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
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        start(rows[i].from);
        menu.facts.hosting = menu.facts.in_match = menu.facts.can_chat = menu.facts.has_teams = true;
        choose(rows[i].label);
        check_screen(rows[i].to);
        if (menu.typing)
            menu_press(&menu, MENU_BACK);
        menu_press(&menu, MENU_BACK);
        check_screen(rows[i].from);
    }
    start(&SCREEN_ERROR);
    choose("Back to the title");
    check_screen(&SCREEN_TITLE);
    assert_int_equal(menu.depth, 1);
    start(&SCREEN_ERROR);
    menu_press(&menu, MENU_BACK);
    check_screen(&SCREEN_TITLE);
    assert_int_equal(menu.depth, 1);
}

TEST(players_are_muted_and_whispered_to)
{
    static const struct {
        struct menu_player player;
        enum app_command_kind accepted, extra;
    } rows[] = {
        /* 1 */ {{.name = "Bo"}, APP_COMMAND_MUTE, APP_COMMAND_WHISPER},
        /* 2 */ {{.name = "Bo", .is_muted = true}, APP_COMMAND_MUTE, APP_COMMAND_WHISPER},
        /* 3 */ {{.name = "Bo", .is_bot = true}, APP_COMMAND_NONE, APP_COMMAND_NONE},
        /* 4 */ {{.name = "Bo", .is_here = true}, APP_COMMAND_NONE, APP_COMMAND_NONE},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        start(&SCREEN_ROSTER);
        menu.facts.player_count = 1;
        menu.facts.players[0] = rows[i].player;
        choose("Bo");
        assert_int_equal(menu.command.kind, rows[i].accepted);
        assert_string_equal(menu.command.text, rows[i].accepted ? "Bo" : "");
        menu.command.kind = APP_COMMAND_NONE;
        menu_press(&menu, MENU_EXTRA);
        assert_int_equal(menu.command.kind, rows[i].extra);
    }
}

TEST(muted_players_are_listed_and_unmuted)
{
    static const struct screen *const FROM[] = {&SCREEN_ROSTER, &SCREEN_PLAYER};
    for (size_t i = 0; i < sizeof FROM / sizeof *FROM; i++) {
        struct option_list *muted = &preferences.muted;
        start(FROM[i]);
        muted->count = 0;
        menu_fill(&menu);
        for (uint32_t row = 0; row < menu.count; row++)
            assert_string_not_equal(menu.items[row].label, "Muted players");
        muted->count = 2;
        snprintf(muted->values[0], sizeof muted->values[0], "00000000000000ab=Bo");
        snprintf(muted->values[1], sizeof muted->values[1], "00000000000000ac=Cy");
        choose("Muted players");
        assert_string_equal(menu.items[0].label, "Cy"); // the newest
        focus_on("Bo");
        menu.changed = false;
        menu_press(&menu, MENU_ACCEPT);
        assert_true(menu.changed);
        assert_int_equal(muted->count, 1);
        assert_string_equal(muted->values[0], "00000000000000ac=Cy");
        assert_string_equal(menu.facts.message, "You see again what Bo writes.");
        choose("Cy");
        menu_fill(&menu);
        assert_int_equal(muted->count, 0);
        for (uint32_t row = 0; row < menu.count; row++)
            assert_int_not_equal(menu.items[row].kind, ITEM_ACTION);
    }
}

TEST(the_host_is_asked_before_a_match_with_others_ends)
{
    static const struct {
        uint32_t guests;
        const char *question; // NULL: none
    } rows[] = {
        /* 1 */ {0, NULL},
        /* 2 */ {1, "Leave and end the match for 1 player?"},
        /* 3 */ {2, "Leave and end the match for 2 players?"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        start(&SCREEN_PAUSE);
        menu.facts.in_match = menu.facts.hosting = true;
        menu.facts.guests = rows[i].guests;
        focus_on("Leave");
        assert_string_equal(menu_focused(&menu)->help, rows[i].question
                                                           ? "the match ends for everybody; you are asked first"
                                                           : "back to the title");
        menu_press(&menu, MENU_ACCEPT);
        assert_int_equal(menu.command.kind, APP_COMMAND_LEAVE);
        assert_false(menu.command.is_confirmed);
        if (!rows[i].question)
            continue;
        menu.facts.leaving = (struct app_command){.kind = APP_COMMAND_JOIN, .text = "example.org"};
        menu_open(&menu, &SCREEN_LEAVE); // as the program does
        assert_string_equal(menu.items[0].label, rows[i].question);
        menu_press(&menu, MENU_ACCEPT); // who presses too often stays
        assert_int_equal(menu.command.kind, APP_COMMAND_RESUME);
        choose("Leave");
        check_command(APP_COMMAND_JOIN, "example.org");
        assert_true(menu.command.is_confirmed);
        menu_command(&menu, APP_COMMAND_NONE, NULL);
        menu_press(&menu, MENU_BACK);
        check_screen(&SCREEN_PAUSE);
        assert_int_equal(menu.command.kind, APP_COMMAND_NONE);
    }
    menu_open_alone(&menu, &SCREEN_LEAVE); // over the match, as its window is about to close
    menu_press(&menu, MENU_BACK);
    assert_int_equal(menu.command.kind, APP_COMMAND_RESUME);
    start(&SCREEN_LEAVE); // when the others have left
    assert_string_equal(menu.items[0].label, "Stay here");
    assert_string_equal(menu.items[1].label, "Leave");
}

TEST(a_host_reads_nothing_of_a_line_to_the_server)
{
    start(&SCREEN_ROSTER);
    menu.facts.ping_ms = 34;
    menu_fill(&menu);
    assert_string_equal(menu.items[0].label, "Your line to the server takes 34 ms.");
    menu.facts.hosting = true;
    menu_fill(&menu);
    assert_int_not_equal(menu.items[0].kind, ITEM_NOTE);
}

TEST(each_choice_of_a_team_is_a_chat_line)
{
    static const struct {
        const char *label, *line;
    } rows[] = {{"Any team", "/team auto"},
                {"Blue", "/team blue"},
                {"Orange", "/team orange"},
                {"Only watch", "/spectate"},
                {"Play again", "/play"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        start(&SCREEN_TEAM);
        menu.facts.has_teams = true;
        choose(rows[i].label);
        check_command(APP_COMMAND_CHAT, rows[i].line);
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

TEST(the_list_of_servers_has_favourites_and_recent_ones_once)
{
    start(&SCREEN_TITLE);
    preferences_remember(&preferences.recent, "192.0.2.1:1");
    preferences_remember(&preferences.recent, "192.0.2.2:2");
    preferences_remember(&preferences.favourites, "192.0.2.1:1");
    struct server_browser_entry *beta = add_answer("192.0.2.2:2", "Beta", 3);
    beta->bots = 2;
    beta->has_password = true;
    open_join();
    static const char *const labels[] = {"Quick match",     "Type an address",          "Friends",
                                         "Search again",    "Players on this computer", "Filters",
                                         "Lists of servers"};
    for (uint32_t i = 0; i < sizeof labels / sizeof *labels; i++)
        assert_string_equal(menu.items[i].label, labels[i]);
    assert_true(menu.items[menu.count - 1].is_table_head);
    assert_int_equal(menu.row_count, 2);
    focus_on_row("192.0.2.2:2");
    assert_string_equal(menu_focused(&menu)->help, "192.0.2.2:2   people 1, bots 2   version 7.0   Deathmatch  Duel");
    beta->closes = true;
    renew_servers();
    assert_string_equal(menu_focused(&menu)->help,
                        "192.0.2.2:2   closing   people 1, bots 2   version 7.0   Deathmatch  Duel");
    focus_on_row("192.0.2.1:1");
    assert_string_equal(menu_focused(&menu)->help, "192.0.2.1:1");
    menu_press(&menu, MENU_ACCEPT);
    check_command(APP_COMMAND_JOIN, "192.0.2.1:1");
    snprintf(menu.facts.password, sizeof menu.facts.password, "old");
    focus_on_row("192.0.2.2:2");
    menu_press(&menu, MENU_ACCEPT);
    check_screen(&SCREEN_PASSWORD);
    assert_string_equal(menu.facts.address, "192.0.2.2:2");
    assert_string_equal(menu.facts.password, "");
    assert_string_equal(menu.items[0].label, "192.0.2.2:2 requires a password.");
    menu_press(&menu, MENU_ACCEPT);
    type("key");
    char value[16];
    menu_value(&menu, menu_focused(&menu), value, sizeof value);
    assert_string_equal(value, "***");
    menu_press(&menu, MENU_ACCEPT);
    check_command(APP_COMMAND_JOIN, "192.0.2.2:2");
}

TEST(a_replay_and_a_local_player_are_chosen_by_their_row)
{
    start(&SCREEN_REPLAYS);
    assert_string_equal(menu.items[1].label, "There are no replays yet.");
    menu.facts.replay_count = 2;
    for (uint32_t i = 0; i < 2; i++)
        menu.facts.replays[i] = (struct menu_replay){.map = "duel", .length = "1:02"};
    snprintf(menu.facts.replays[0].name, sizeof menu.facts.replays[0].name, "one");
    snprintf(menu.facts.replays[1].name, sizeof menu.facts.replays[1].name, "two");
    snprintf(menu.facts.replays[1].path, sizeof menu.facts.replays[1].path, "/two.dfr");
    menu_fill(&menu);
    assert_int_equal(menu.count, 1);
    assert_int_equal(menu_count(&menu), 3);
    press(MENU_DOWN, 2);
    menu_fill(&menu);
    assert_string_equal(menu_focused(&menu)->label, "two");
    menu_press(&menu, MENU_ACCEPT);
    check_command(APP_COMMAND_REPLAY, "/two.dfr");
}

static uint32_t chosen(void)
{
    return preferences_variants(&menu.preferences->variants);
}

TEST(maps_are_chosen_that_suit_the_mode)
{
    static const char *const ALL[] = {"clockwork", "skyline", "breakout", "duel"};
    start(&SCREEN_HOST);
    assert_int_equal(preferences.mode, PREFERENCES_MODE_AUTO);
    for (size_t i = 0; i < sizeof ALL / sizeof *ALL; i++) { // the mode follows the map
        screen_step_map(&menu, false);
        assert_string_equal(preferences.map, ALL[i]);
        assert_int_equal(preferences_mode(&preferences, 1), strcmp(ALL[i], "breakout") ? MODE_FFA : MODE_BREAKOUT);
        assert_int_equal(preferences_mode(&preferences, 2), strcmp(ALL[i], "breakout") ? MODE_LMS : MODE_BREAKOUT);
    }
    preferences.mode = MODE_LMS;
    static const char *const SUIT_ROUNDS[] = {"clockwork", "skyline", "breakout", "duel", "colosseum", "foundry"};
    start(&SCREEN_LOBBY);
    snprintf(menu.preferences->map, sizeof menu.preferences->map, "foundry");
    for (size_t i = 0; i < sizeof SUIT_ROUNDS / sizeof *SUIT_ROUNDS; i++) {
        screen_step_map(&menu, false);
        assert_string_equal(menu.preferences->map, SUIT_ROUNDS[i]);
    }
    assert_true(menu.changed);
    screen_step_map(&menu, true);
    assert_string_equal(menu.preferences->map, "colosseum");
    preferences.mode = MODE_BREAKOUT;
    screen_step_map(&menu, false);
    assert_string_equal(menu.preferences->map, "breakout");
}

TEST(variants_are_switched_and_combine)
{
    start(&SCREEN_HOST);
    assert_string_equal(item_called("Variants")->value, "As usual");
    choose("Variants");
    check_screen(&SCREEN_VARIANTS);
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
    choose("Ice");
    assert_int_equal(chosen(), ((1u << VARIANTS) - 1) ^ 1u << VARIANT_ICE);
    focus_on("All off");
    menu.changed = false;
    menu_press(&menu, MENU_ACCEPT);
    assert_int_equal(chosen(), 0);
    assert_true(menu.changed);
    assert_string_equal(menu_focused(&menu)->label, "All off");
}

TEST(presets_are_chosen_kept_and_forgotten)
{
    enum { OWN = 1u << VARIANT_BOMBS | 1u << VARIANT_WINGS };
    start(&SCREEN_PRESETS);
    assert_string_equal(item_called("As usual")->value, "chosen");
    choose("Moon");
    assert_int_equal(chosen(), 1u << VARIANT_LOW_GRAVITY | 1u << VARIANT_HIGH_JUMPS);
    assert_string_equal(item_called("Moon")->value, "chosen");
    menu_press(&menu, MENU_EXTRA); // only own ones are forgotten
    assert_string_equal(item_called("As usual")->value, "");
    preferences_set_variants(menu.preferences, OWN);
    choose("Keep what is chosen now");
    assert_int_equal(menu.preferences->variant_presets.count, 1);
    assert_string_equal(menu.preferences->variant_presets.values[0], "bombs+wings");
    assert_string_equal(item_called("Bombs only, Wings")->value, "chosen");
    choose("As usual");
    assert_int_equal(chosen(), 0);
    choose("Bombs only, Wings");
    assert_int_equal(chosen(), OWN);
    menu_press(&menu, MENU_EXTRA);
    assert_int_equal(menu.preferences->variant_presets.count, 0);
    menu.preferences->variant_presets = (struct option_list){1, {"lava+of-a-later-version"}};
    choose("no variants");
    assert_int_equal(chosen(), 0);
}

TEST(guests_ask_for_a_vote_on_variants)
{
    start(&SCREEN_PAUSE);
    menu.facts.can_chat = menu.facts.in_match = true;
    choose("Vote on variants");
    preferences_set_variants(menu.preferences, 1u << VARIANT_BOMBS | 1u << VARIANT_ICE);
    choose("Ask the others");
    check_command(APP_COMMAND_CHAT, "/vote variants none bombs,ice");
    preferences_set_variants(menu.preferences, (1u << VARIANTS) - 1);
    menu_press(&menu, MENU_ACCEPT);
    assert_int_equal(menu.command.kind, APP_COMMAND_NONE);
    assert_string_equal(menu.facts.message, "These are too many for one vote.");
}
