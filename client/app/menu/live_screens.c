// SPDX-License-Identifier: MIT
#include "screens.h"

#include <string.h>

#include "app/servers/directories.h"
#include "app/text/text.h"
#include "base/host_port.h"
#include "wire/message.h"

#define SHOWN_MAX 24u ///< the best ones

static bool fits(const struct server_facts *facts)
{
    return facts->protocol == PROTOCOL_VERSION;
}

// Those of another version come last.
static bool is_better(const struct server_facts *facts, const struct server_facts *other)
{
    if (fits(facts) != fits(other))
        return fits(facts);
    return facts->interest > other->interest;
}

// Collects the indices of the best matches, the best one first. Returns how many.
static uint32_t find_best(const struct server_list *list, uint32_t best[SHOWN_MAX])
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < list->count; i++) {
        const struct server_facts *facts = &list->entries[i].facts;
        if (!facts->live_url[0])
            continue;
        uint32_t at = count < SHOWN_MAX ? count++ : SHOWN_MAX;
        for (; at > 0 && is_better(facts, &list->entries[best[at - 1]].facts); at--)
            if (at < SHOWN_MAX)
                best[at] = best[at - 1];
        if (at < SHOWN_MAX)
            best[at] = i;
    }
    return count;
}

// A server near the player may publish its match near them, too.
static bool is_near(const struct server_list_entry *entry)
{
    struct net_address address;
    for (uint32_t i = 0; i < 2; i++)
        if (host_port_parse_numeric(entry->addresses[i], &address) && !ip_address_is_public(&address))
            return true;
    return false;
}

static void show_live(struct menu *menu, uint32_t argument)
{
    const struct server_list_entry *entry = &menu->facts.directories->merged.entries[argument];
    menu_command(menu, APP_COMMAND_LIVE, entry->facts.live_url);
    menu->command.is_foreign = !is_near(entry);
}

static void show_typed(struct menu *menu, uint32_t argument)
{
    (void)argument;
    menu_command(menu, APP_COMMAND_LIVE, menu->facts.live_url);
}

static void add_match(struct menu *menu, const struct server_facts *facts, uint32_t argument)
{
    const char *other = fits(facts) ? "" : text_of("   another version");
    menu_add(menu, (struct item){.kind = ITEM_ACTION,
                                 .label = menu_format(menu, "%s", facts->name),
                                 .value = menu_format(menu, "%s   %s", text_map_title(facts->map),
                                                      screen_mode_title_of(facts->mode)),
                                 .help = menu_format(menu, text_of("people %u, bots %u   %s%s"), facts->players,
                                                     facts->bots, facts->live_url, other),
                                 .act = show_live,
                                 .argument = argument});
}

// The best match that can be watched at this moment, as far as a fresh list knows; NULL: none.
static const struct server_list_entry *find_live_now(const struct menu_facts *facts)
{
    const struct server_list *list = facts->directories ? &facts->directories->merged : NULL;
    const struct server_list_entry *best = NULL;
    for (uint32_t i = 0; list && i < list->count; i++) {
        const struct server_list_entry *entry = &list->entries[i];
        bool is_fresh = facts->unix_s - entry->made_s < SERVER_LIST_OLD_S;
        if (is_fresh && entry->facts.live_url[0] && fits(&entry->facts) && entry->facts.interest > 0 &&
            (!best || is_better(&entry->facts, &best->facts)))
            best = entry;
    }
    return best;
}

// Nobody's text stands on the title of everybody: neither the name of the server nor that of a map of its own. The item
// stays while it has the focus, so that a press never means another one.
void screen_add_live_now(struct menu *menu)
{
    const struct server_list_entry *best = find_live_now(&menu->facts);
    struct item item = {.kind = ITEM_ACTION,
                        .label = text_of("Live now"),
                        .value = "",
                        .help = text_of("No server shows its match at the moment."),
                        .act = menu_act_command,
                        .argument = APP_COMMAND_NONE};
    if (best) {
        const struct server_facts *facts = &best->facts;
        const char *title = text_map_title(facts->map);
        item.value = title == facts->map ? "" : title;
        item.help = menu_format(menu, text_of("people %u, bots %u   %s%s"), facts->players, facts->bots,
                                screen_mode_title_of(facts->mode), "");
        item.act = show_live;
        item.argument = (uint32_t)(best - menu->facts.directories->merged.entries);
    }
    if (best || menu->focus[menu->depth - 1] >= menu->count)
        menu_add(menu, item);
}

static void fill_live(struct menu *menu)
{
    const struct directories *directories = menu->facts.directories;
    struct menu_facts *facts = &menu->facts;
    uint32_t best[SHOWN_MAX], count = directories ? find_best(&directories->merged, best) : 0;
    for (uint32_t i = 0; i < count; i++)
        add_match(menu, &directories->merged.entries[best[i]].facts, best[i]);
    if (count == 0)
        menu_note(menu, text_of("No server shows its match at the moment."));
    menu_add(menu, (struct item){.kind = ITEM_TEXT,
                                 .label = text_of("Address"),
                                 .text = facts->live_url,
                                 .text_bytes = sizeof facts->live_url,
                                 .act = show_typed,
                                 .help = text_of("of any live match, such as https://example.org/live/")});
    if (directories && directories->count == 0)
        menu_add(menu, screen_directories_item(menu));
}

const struct screen SCREEN_LIVE = {.name = "live", .title = TEXT_KEY("Live matches"), .fill = fill_live};
