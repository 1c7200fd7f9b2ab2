// SPDX-License-Identifier: MIT
#include "screens.h"

#include <stdio.h>

#include "app/friends/mute_list.h"
#include "app/text/text.h"

// Bots write nothing, and those at this computer are heard anyway.
static void command(struct menu *menu, enum app_command_kind kind, uint32_t player)
{
    const struct menu_player *to = &menu->facts.players[player];
    if (!to->is_here && !to->is_bot)
        menu_command(menu, kind, to->name);
}

static void mute(struct menu *menu, uint32_t player)
{
    command(menu, APP_COMMAND_MUTE, player);
}

static void whisper(struct menu *menu, uint32_t player)
{
    command(menu, APP_COMMAND_WHISPER, player);
}

static const char *kind_of(const struct menu_player *player)
{
    return player->is_here        ? text_of("at this computer")
           : player->is_bot       ? text_of("bot")
           : player->is_muted     ? text_of("muted")
           : player->only_watches ? text_of("only watches")
                                  : "";
}

static void add_player(struct menu *menu, uint32_t index)
{
    const struct menu_player *player = &menu->facts.players[index];
    bool is_other = !player->is_here && !player->is_bot;
    menu_add(menu, (struct item){.kind = ITEM_ACTION,
                                 .label = player->name,
                                 .value = menu_format(menu, "%s   %d", kind_of(player), player->score),
                                 .help = !is_other ? text_of("the number is their score")
                                         : player->is_muted
                                             ? text_of("choose a player to read them again")
                                             : text_of("choose them to hide what they write, here and elsewhere"),
                                 .act = mute,
                                 .argument = index,
                                 .swatch = 1 + player->colour,
                                 .plain = !is_other});
}

// People come before bots. A match that this window hosts has no line to speak of.
static void fill_roster(struct menu *menu)
{
    const struct menu_facts *facts = &menu->facts;
    if (facts->ping_ms && !facts->hosting)
        menu_note(menu, menu_format(menu, text_of("Your line to the server takes %u ms."), facts->ping_ms));
    for (uint32_t bots = 0; bots < 2; bots++)
        for (uint32_t i = 0; i < facts->player_count; i++)
            if (facts->players[i].is_bot == bots)
                add_player(menu, i);
    menu_add(menu, screen_friends_item(menu));
    if (menu->preferences->muted.count)
        menu_add(menu, screen_muted_item(menu));
}

static void unmute(struct menu *menu, uint32_t index)
{
    struct mute_entry entry;
    if (index >= menu->preferences->muted.count || !mute_list_read(menu->preferences->muted.values[index], &entry))
        return;
    mute_list_remove(&menu->preferences->muted, entry.tag);
    snprintf(menu->facts.message, sizeof menu->facts.message, text_of("You see again what %s writes."), entry.name);
    menu->changed = true;
}

// Who was muted last is at the top.
static void fill_muted(struct menu *menu)
{
    const struct option_list *list = &menu->preferences->muted;
    struct mute_entry entry;
    for (uint32_t i = list->count; i-- > 0;)
        if (mute_list_read(list->values[i], &entry))
            menu_add(menu, (struct item){.kind = ITEM_ACTION,
                                         .label = menu_format(menu, "%s", entry.name),
                                         .value = text_of("muted"),
                                         .help = text_of("choose a player to read them again"),
                                         .act = unmute,
                                         .argument = i,
                                         .plain = true});
    if (!list->count)
        menu_paragraph(menu,
                       text_of("You have muted nobody. Mute somebody in a match: Pause, Everybody in this match."));
}

struct item screen_muted_item(struct menu *menu)
{
    return (struct item){.kind = ITEM_SCREEN,
                         .label = text_of("Muted players"),
                         .screen = &SCREEN_MUTED,
                         .plain = true,
                         .value = menu_format(menu, "%u", menu->preferences->muted.count),
                         .help = text_of("what they write is hidden on every server")};
}

const struct screen SCREEN_MUTED = {.name = "muted", .title = TEXT_KEY("Muted players"), .fill = fill_muted};

const struct screen SCREEN_ROSTER = {.name = "roster",
                                     .title = TEXT_KEY("Everybody in this match"),
                                     .fill = fill_roster,
                                     .extra = whisper,
                                     .extra_hint = TEXT_KEY("whisper")};
