// SPDX-License-Identifier: MIT
#include <stdio.h>
#include <string.h>

#include "app/text/text.h"
#include "screens.h"

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
    {.kind = ITEM_SETTING, .label = TEXT_KEY("Servers"), .row = ROW_SERVERS_FROM},
    {.kind = ITEM_SETTING, .label = TEXT_KEY("Full servers"), .row = ROW_SERVERS_FULL},
    {.kind = ITEM_SETTING, .label = TEXT_KEY("Servers without people"), .row = ROW_SERVERS_EMPTY},
    {.kind = ITEM_SETTING, .label = TEXT_KEY("Servers with a password"), .row = ROW_SERVERS_LOCKED},
};

const char *screen_servers_mode_title(const struct menu *menu)
{
    uint32_t mode = menu->preferences->servers_mode;
    return mode < MODES_OFFERED ? screen_mode_title(mode) : text_of("all");
}

static void fill_filters(struct menu *menu)
{
    struct server_rows *servers = menu->facts.servers;
    const char *region = menu->preferences->servers_region;
    if (servers)
        menu_add(menu, (struct item){.kind = ITEM_TEXT,
                                     .label = text_of("Search"),
                                     .text = servers->search,
                                     .text_bytes = sizeof servers->search,
                                     .help = text_of("part of a name, map, mode or region")});
    menu_add_all(menu, CHOICES, 1);
    menu_add(menu, (struct item){.kind = ITEM_SETTING,
                                 .label = text_of("Mode"),
                                 .row = ROW_SERVERS_MODE,
                                 .value = screen_servers_mode_title(menu)});
    menu_add(menu, (struct item){.kind = ITEM_SETTING,
                                 .label = text_of("Region"),
                                 .value = region[0] ? menu_format(menu, "%.31s", region) : text_of("everywhere"),
                                 .act = change_region,
                                 .help = text_of("as the servers call it")});
    menu_add_all(menu, CHOICES + 1, sizeof CHOICES / sizeof *CHOICES - 1);
    menu_add(menu, (struct item){.kind = ITEM_ACTION, .label = text_of("Clear all filters"), .act = show_all});
    menu_add(menu, screen_directories_item(menu));
    if (servers)
        menu_note(menu,
                  menu_format(menu, text_of("%u of %u servers are shown."), servers->shown_count, servers->count));
}

struct item screen_directories_item(struct menu *menu)
{
    const struct directories *directories = menu->facts.directories;
    return (struct item){.kind = ITEM_SCREEN,
                         .label = text_of("Lists of servers"),
                         .screen = &SCREEN_DIRECTORIES,
                         .plain = true,
                         .value = menu_format(menu, "%u", directories ? directories->count : 0),
                         .help = text_of("where the list of servers on the internet comes from")};
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
        menu_add(menu, (struct item){.kind = ITEM_ACTION,
                                     .label = menu_format(menu, "%.150s", directories->values[i]),
                                     .act = remove_directory,
                                     .argument = i,
                                     .help = text_of("removes this list")});
    menu_paragraph(menu,
                   text_of("While a directory does not answer, its last list is used. A list counts only with the "
                           "signature of its directory."));
    if (facts->directories_are_given)
        menu_paragraph(menu, text_of("For this run, the command line says which lists are used."));
}

const struct screen SCREEN_FILTERS = {.name = "filters", .title = TEXT_KEY("Filters"), .fill = fill_filters};
const struct screen SCREEN_DIRECTORIES = {
    .name = "lists", .title = TEXT_KEY("Lists of servers"), .fill = fill_directories};
