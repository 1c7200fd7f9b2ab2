// SPDX-License-Identifier: MIT
#include <stdio.h>
#include <string.h>

#include "hud/hud.h"
#include "hud/mode_text.h"
#include "screens.h"
#include "text/text.h"

// Returns the row that is an item's argument; NULL if the list has changed.
static const struct server_row *row_of(const struct menu *menu, uint32_t place)
{
    const struct server_rows *servers = menu->facts.servers;
    return servers && place < servers->shown_count ? server_rows_at(servers, place) : NULL;
}

static void join_row(struct menu *menu, const struct server_row *row)
{
    struct menu_facts *facts = &menu->facts;
    if (!server_rows_fits(row)) {
        snprintf(facts->message, sizeof facts->message,
                 text_of("This server has version %.31s of the game, which does not go together with yours."),
                 row->facts.version);
        return;
    }
    if (row->takes_no_browsers) {
        snprintf(facts->message, sizeof facts->message, "%s",
                 text_of("This server takes no browsers. Join it with the game installed, or choose another one."));
        return;
    }
    if (!row->facts.has_password) {
        menu_command(menu, APP_COMMAND_JOIN, row->address);
        return;
    }
    snprintf(facts->address, sizeof facts->address, "%.*s", MENU_TYPED_BYTES - 1, row->address);
    facts->password[0] = 0;
    menu_open(menu, &SCREEN_PASSWORD);
}

static void join(struct menu *menu, uint32_t place)
{
    const struct server_row *row = row_of(menu, place);
    if (row)
        join_row(menu, row);
}

static void join_best(struct menu *menu, uint32_t argument)
{
    const struct server_row *best = menu->facts.servers ? server_rows_best(menu->facts.servers) : NULL;
    (void)argument;
    bool any = menu->facts.servers && menu->facts.servers->count > 0;
    if (best)
        join_row(menu, best);
    else
        snprintf(menu->facts.message, sizeof menu->facts.message, "%s",
                 any ? text_of("No server of the list has room for you. \"Filters\" may show more, or host a match "
                               "yourself.")
                     : text_of("No server has answered yet. Host a match yourself."));
}

// A server stays a favourite by the address that it was kept by.
static void toggle_favourite(struct menu *menu, uint32_t place)
{
    const struct server_row *row = row_of(menu, place);
    struct option_list *favourites = &menu->preferences->favourites;
    if (!row)
        return;
    if (!preferences_forget(favourites, row->known_as) && !preferences_forget(favourites, row->address))
        preferences_remember(favourites, row->address);
    menu->changed = true;
}

static void search(struct menu *menu, uint32_t argument)
{
    (void)argument;
    menu_command(menu, APP_COMMAND_SEARCH, NULL);
}

// A part of a row's description that may be empty.
static const char *part_of(struct menu *menu, const char *text)
{
    return text[0] ? menu_format(menu, "  %s", text) : "";
}

static const char *describe_row(struct menu *menu, const struct server_row *row)
{
    const struct server_facts *facts = &row->facts;
    char variants[VARIANT_ROW_BYTES];
    if (row->takes_no_browsers && facts->name[0])
        return menu_format(menu, "%.*s%s", (int)strcspn(row->address, "#"), row->address,
                           text_of("   takes no browsers"));
    if (!facts->name[0])
        return menu_format(menu, "%s%s", row->address, row->ping == SERVER_PING_SILENT ? text_of("   no answer") : "");
    variant_row_titles(row->variants, "", variants);
    return menu_format(
        menu, text_of("%.*s%s   people %u, bots %u   version %s   %s  %s%s%s%s"), (int)strcspn(row->address, "#"),
        row->address, facts->is_closing ? text_of("   closing") : "", facts->players, facts->bots, facts->version,
        mode_text_title_of(facts->mode), text_map_title(facts->map), part_of(menu, facts->region),
        row->key[0] && !row->is_proven ? text_of("   identity not verified") : "", part_of(menu, variants));
}

static struct item make_row(struct menu *menu, uint32_t place)
{
    const struct server_row *row = row_of(menu, place);
    return (struct item){ITEM_ACTION, row->address, describe_row(menu, row), .act = join, .argument = place};
}

// The filters that hide something, in a few words.
static const char *describe_filters(struct menu *menu)
{
    const struct preferences *preferences = menu->preferences;
    const char *text = "", *search = menu->facts.servers ? menu->facts.servers->search : "";
    char from[48];
    preferences_describe(preferences, ROW_SERVERS_FROM, from, sizeof from);
    if (preferences->servers_from != SERVERS_FROM_ALL)
        text = menu_format(menu, "%s", text_of(from));
    if (preferences->servers_mode < MODES_OFFERED)
        text = menu_format(menu, "%s%s%s", text, *text ? ", " : "", screen_servers_mode_title(menu));
    if (preferences->servers_region[0])
        text = menu_format(menu, "%s%s%.31s", text, *text ? ", " : "", preferences->servers_region);
    if (search[0])
        text = menu_format(menu, "%s%s\"%s\"", text, *text ? ", " : "", search);
    if (!preferences->servers_full || !preferences->servers_empty || !preferences->servers_locked)
        text = menu_format(menu, "%s%s%s", text, *text ? ", " : "", text_of("some hidden"));
    return *text ? text : text_of("none");
}

static void fill_join(struct menu *menu)
{
    const struct server_rows *servers = menu->facts.servers;
    const struct directories *directories = menu->facts.directories;
    menu_add(menu, (struct item){ITEM_ACTION, text_of("Quick match"),
                                 text_of("joins the best server of the list: near, with people, and with room"),
                                 .act = join_best, .plain = true});
    menu_add(menu, (struct item){ITEM_SCREEN, text_of("Type an address"),
                                 text_of("what the host gave you: a name, numbers, or a link"),
                                 .screen = &SCREEN_ADDRESS, .plain = true});
    menu_add(menu, screen_friends_item(menu));
    menu_add(menu, (struct item){ITEM_ACTION, text_of("Search again"), .act = search, .plain = true});
    menu_add(menu, screen_lobby_item(menu));
    menu_add(menu, (struct item){ITEM_SCREEN, text_of("Filters"), text_of("which servers the list shows"),
                                 .screen = &SCREEN_FILTERS, .plain = true, .value = describe_filters(menu),
                                 .lit = servers && servers->shown_count < servers->count});
    if (directories && directories->count == 0)
        menu_add(menu, screen_directories_item(menu));
    if (directories) {
        char text[DIRECTORIES_TEXT_BYTES];
        directories_describe(directories, menu->facts.unix_s, text);
        menu_paragraph(menu, menu_format(menu, "%s", text));
    }
    if (!servers || servers->shown_count == 0) {
        if (directories)
            menu_note(menu, servers && servers->count ? text_of("   the filters hide all servers")
                                                      : text_of("   no server has answered yet"));
        return;
    }
    menu_add(menu, (struct item){ITEM_SETTING, text_of("Sorted by"),
                                 text_of("left and right: sorts the list; 2+3/16: two people, three bots, 16 places"),
                                 .row = ROW_SERVERS_SORT, .plain = true, .is_table_head = true});
    menu_add_rows(menu, servers->shown_count, make_row);
}

static void join_typed(struct menu *menu, uint32_t argument)
{
    (void)argument;
    menu_command(menu, APP_COMMAND_JOIN, menu->facts.address);
}

static void fill_address(struct menu *menu)
{
    struct menu_facts *facts = &menu->facts;
    menu_add(menu,
             (struct item){.kind = ITEM_TEXT,
                           .label = text_of("Address"),
                           .text = facts->address,
                           .text_bytes = sizeof facts->address,
                           .act = join_typed,
                           .help = text_of(
                               "such as play.example.org, 203.0.113.5:27440, or a link that begins with deadfall://")});
    menu_add(menu, (struct item){ITEM_TEXT, text_of("Password"), text_of("only if the server requires one"),
                                 .text = facts->password, .text_bytes = sizeof facts->password, .secret = true});
    menu_add(menu, (struct item){ITEM_ACTION, text_of("Join"), .act = join_typed});
}

static void fill_password(struct menu *menu)
{
    struct menu_facts *facts = &menu->facts;
    menu_paragraph(menu, menu_format(menu, text_of("%s requires a password."), facts->address));
    menu_add(menu, (struct item){ITEM_TEXT, text_of("Password"), text_of("ask the person who runs the server"),
                                 .text = facts->password, .text_bytes = sizeof facts->password, .secret = true,
                                 .act = join_typed});
    menu_add(menu, (struct item){ITEM_ACTION, text_of("Join"), .act = join_typed});
}

const struct screen SCREEN_JOIN = {"join", TEXT_KEY("Join"), fill_join, .extra = toggle_favourite,
                                   .extra_hint = TEXT_KEY("favourite")};
const struct screen SCREEN_ADDRESS = {"address", TEXT_KEY("Join by address"), fill_address, .types = true};
const struct screen SCREEN_PASSWORD = {.name = "password", .title = TEXT_KEY("Password"), .fill = fill_password};

static void change_region(struct menu *menu, uint32_t argument)
{
    (void)argument;
    if (menu->facts.servers)
        server_rows_next_region(menu->facts.servers, menu->last == MENU_LEFT ? -1 : 1,
                                menu->preferences->servers_region);
}

static void show_all(struct menu *menu, uint32_t argument)
{
    static const enum preferences_row ROWS[] = {ROW_SERVERS_FROM, ROW_SERVERS_MODE, ROW_SERVERS_FULL, ROW_SERVERS_EMPTY,
                                                ROW_SERVERS_LOCKED};
    (void)argument;
    for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++)
        preferences_reset(menu->preferences, ROWS[i]);
    menu->preferences->servers_region[0] = 0;
    if (menu->facts.servers)
        menu->facts.servers->search[0] = 0;
    menu->changed = true;
}

static const struct item CHOICES[] = {
    {ITEM_SETTING, TEXT_KEY("Servers"), .row = ROW_SERVERS_FROM},
    {ITEM_SETTING, TEXT_KEY("Full servers"), .row = ROW_SERVERS_FULL},
    {ITEM_SETTING, TEXT_KEY("Servers without people"), .row = ROW_SERVERS_EMPTY},
    {ITEM_SETTING, TEXT_KEY("Servers with a password"), .row = ROW_SERVERS_LOCKED},
};

const char *screen_servers_mode_title(const struct menu *menu)
{
    uint32_t mode = menu->preferences->servers_mode;
    return mode < MODES_OFFERED ? mode_text_title(mode) : text_of("all");
}

static void fill_filters(struct menu *menu)
{
    struct server_rows *servers = menu->facts.servers;
    const char *region = menu->preferences->servers_region;
    if (servers)
        menu_add(menu, (struct item){ITEM_TEXT, text_of("Search"), text_of("part of a name, map, mode or region"),
                                     .text = servers->search, .text_bytes = sizeof servers->search});
    menu_add_all(menu, CHOICES, 1);
    menu_add(menu, (struct item){ITEM_SETTING, text_of("Mode"), .row = ROW_SERVERS_MODE,
                                 .value = screen_servers_mode_title(menu)});
    menu_add(menu, (struct item){ITEM_SETTING, text_of("Region"), text_of("as the servers call it"),
                                 .value = region[0] ? menu_format(menu, "%.31s", region) : text_of("everywhere"),
                                 .act = change_region});
    menu_add_all(menu, CHOICES + 1, sizeof CHOICES / sizeof *CHOICES - 1);
    menu_add(menu, (struct item){ITEM_ACTION, text_of("Clear all filters"), .act = show_all});
    menu_add(menu, screen_directories_item(menu));
    if (servers)
        menu_note(menu,
                  menu_format(menu, text_of("%u of %u servers are shown."), servers->shown_count, servers->count));
}

static void add_directory(struct menu *menu, uint32_t argument)
{
    struct menu_facts *facts = &menu->facts;
    char url[DOWNLOAD_URL_BYTES], key[FINGERPRINT_TEXT_BYTES];
    (void)argument;
    if (!directories_parse(facts->directory, url, key)) {
        snprintf(facts->message, sizeof facts->message, "%s",
                 text_of("A list has an address such as https://example.org/, with #KEY or without."));
        return;
    }
    preferences_remember(&menu->preferences->directories, facts->directory);
    facts->directory[0] = facts->message[0] = 0;
    menu->changed = true;
}

static void remove_directory(struct menu *menu, uint32_t index)
{
    struct option_list *directories = &menu->preferences->directories;
    if (index < directories->count)
        preferences_forget(directories, directories->values[index]);
    menu->changed = true;
}

static void fill_directories(struct menu *menu)
{
    struct menu_facts *facts = &menu->facts;
    const struct option_list *directories = &menu->preferences->directories;
    menu_add(menu, (struct item){.kind = ITEM_TEXT,
                                 .label = text_of("Add"),
                                 .text = facts->directory,
                                 .text_bytes = sizeof facts->directory,
                                 .act = add_directory,
                                 .plain = true,
                                 .help = text_of("such as https://play.example.org/")});
    for (uint32_t i = 0; i < directories->count; i++)
        menu_add(menu, (struct item){ITEM_ACTION, menu_format(menu, "%.150s", directories->values[i]),
                                     text_of("removes this list"), .act = remove_directory, .argument = i});
    menu_paragraph(menu,
                   text_of("While a directory does not answer, its last list is used. A list counts only with the "
                           "signature of its directory."));
    if (facts->directories_are_given)
        menu_paragraph(menu, text_of("For this run, the command line says which lists are used."));
}

const struct screen SCREEN_FILTERS = {.name = "filters", .title = TEXT_KEY("Filters"), .fill = fill_filters};
const struct screen SCREEN_DIRECTORIES = {
    .name = "lists", .title = TEXT_KEY("Lists of servers"), .fill = fill_directories};
