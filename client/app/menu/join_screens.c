// SPDX-License-Identifier: MIT
#include <stdio.h>
#include <string.h>

#include "app/hud/variant_row.h"
#include "screens.h"

#include "app/text/text.h"

// An item's argument is an index into the browser's list, or into a list of the preferences plus its offset.
#define FAVOURITES_OFFSET 1000u
#define RECENT_OFFSET     2000u

static const char *address_of(const struct menu *menu, uint32_t argument)
{
    if (argument >= RECENT_OFFSET)
        return menu->preferences->recent.values[argument - RECENT_OFFSET];
    if (argument >= FAVOURITES_OFFSET)
        return menu->preferences->favourites.values[argument - FAVOURITES_OFFSET];
    return menu->facts.browser->servers[argument].address;
}

static void join(struct menu *menu, uint32_t argument)
{
    const char *address = address_of(menu, argument);
    const struct server_browser_entry *server =
        menu->facts.browser ? server_browser_find(menu->facts.browser, address) : NULL;
    menu_command(menu, APP_COMMAND_JOIN, address);
    if (server && server->has_password) {
        menu->command.kind = APP_COMMAND_NONE;
        snprintf(menu->facts.address, sizeof menu->facts.address, "%s", address);
        menu->facts.password[0] = 0;
        menu_open(menu, &SCREEN_PASSWORD);
    }
}

static void toggle_favourite(struct menu *menu, uint32_t argument)
{
    char address[OPTION_TEXT_BYTES];
    snprintf(address, sizeof address, "%s", address_of(menu, argument));
    if (!preferences_forget(&menu->preferences->favourites, address))
        preferences_remember(&menu->preferences->favourites, address);
    menu->changed = true;
}

static void search(struct menu *menu, uint32_t argument)
{
    (void)argument;
    menu_command(menu, APP_COMMAND_SEARCH, NULL);
}

static bool is_in(const struct option_list *list, const char *address)
{
    for (uint32_t i = 0; i < list->count; i++)
        if (!strcmp(list->values[i], address))
            return true;
    return false;
}

static void add_server(struct menu *menu, const char *address, uint32_t argument)
{
    const struct server_browser_entry *server =
        menu->facts.browser ? server_browser_find(menu->facts.browser, address) : NULL;
    bool favourite = is_in(&menu->preferences->favourites, address), answered = server && server->answered;
    struct item item = {.kind = ITEM_ACTION, .act = join, .argument = argument};
    item.label = menu_format(menu, "%s%s", favourite ? "* " : "", answered ? server->name : address);
    item.value =
        answered
            ? menu_format(menu, "%s%s%s  %s  %u/%u  %u ms", server->has_password ? text_of("locked  ") : "",
                          server->closes ? text_of("closing  ") : "", server->map, server->mode, server->players,
                          server->players_max, server->rtt_ms)
            : menu_format(menu, "%s", server && server->tries < SERVER_BROWSER_TRIES ? "..." : text_of("no answer"));
    char variants[VARIANT_ROW_BYTES];
    variant_row_titles(answered ? server->variants : 0, "", variants);
    const char *facts = answered ? menu_format(menu, text_of("%s   %u players, %u of them bots   version %s%s%.8s"),
                                               address, server->players, server->bots, server->version,
                                               server->key[0] ? text_of("   unproven key ") : "", server->key)
                                 : menu_format(menu, "%s", address);
    item.help = variants[0] ? menu_format(menu, "%s   %s", facts, variants) : facts;
    menu_add(menu, item);
}

static void fill_join(struct menu *menu)
{
    const struct server_browser *browser = menu->facts.browser;
    const struct option_list *favourites = &menu->preferences->favourites, *recent = &menu->preferences->recent;
    uint32_t local = 0;
    menu_add(menu, (struct item){.kind = ITEM_SCREEN,
                                 .label = text_of("Type an address"),
                                 .screen = &SCREEN_ADDRESS,
                                 .plain = true,
                                 .help = text_of("HOST, HOST:PORT or deadfall://HOST:PORT#KEY")});
    menu_add(menu, (struct item){.kind = ITEM_ACTION, .label = text_of("Search again"), .act = search, .plain = true});
    menu_add(menu, screen_lobby_item(menu));
    menu_note(menu, text_of("On this network"));
    for (uint32_t i = 0; browser && i < browser->count; i++)
        if (server_browser_lists(browser, i) && ++local)
            add_server(menu, browser->servers[i].address, i);
    if (!local)
        menu_note(menu, text_of("   no server has answered yet"));
    if (favourites->count)
        menu_note(menu, text_of("Favourites"));
    for (uint32_t i = 0; i < favourites->count; i++)
        add_server(menu, favourites->values[i], FAVOURITES_OFFSET + i);
    if (recent->count)
        menu_note(menu, text_of("Recent"));
    for (uint32_t i = 0; i < recent->count; i++)
        if (!is_in(favourites, recent->values[i]))
            add_server(menu, recent->values[i], RECENT_OFFSET + i);
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
                           .help = text_of("HOST, HOST:PORT or deadfall://HOST:PORT; #KEY accepts only that server")});
    menu_add(menu, (struct item){.kind = ITEM_TEXT,
                                 .label = text_of("Password"),
                                 .text = facts->password,
                                 .text_bytes = sizeof facts->password,
                                 .secret = true,
                                 .help = text_of("only if the server requires one")});
    menu_add(menu, (struct item){.kind = ITEM_ACTION, .label = text_of("Join"), .act = join_typed});
}

static void fill_password(struct menu *menu)
{
    struct menu_facts *facts = &menu->facts;
    menu_paragraph(menu, menu_format(menu, text_of("%s requires a password."), facts->address));
    menu_add(menu, (struct item){.kind = ITEM_TEXT,
                                 .label = text_of("Password"),
                                 .text = facts->password,
                                 .text_bytes = sizeof facts->password,
                                 .secret = true,
                                 .act = join_typed,
                                 .help = text_of("ask the person who runs the server")});
    menu_add(menu, (struct item){.kind = ITEM_ACTION, .label = text_of("Join"), .act = join_typed});
}

const struct screen SCREEN_JOIN = {.name = "join",
                                   .title = TEXT_KEY("Join"),
                                   .fill = fill_join,
                                   .extra = toggle_favourite,
                                   .extra_hint = TEXT_KEY("favourite")};
const struct screen SCREEN_ADDRESS = {
    .name = "address", .title = TEXT_KEY("Join by address"), .fill = fill_address, .types = true};
const struct screen SCREEN_PASSWORD = {.name = "password", .title = TEXT_KEY("Password"), .fill = fill_password};
