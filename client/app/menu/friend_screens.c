// SPDX-License-Identifier: MIT
#include <stdio.h>
#include <string.h>

#include "app/text/text.h"
#include "screens.h"

#define KEY_LETTERS 8 ///< of a friend's key, in place of a name

static void tell(struct menu *menu, const char *format, const char *name)
{
    snprintf(menu->facts.message, sizeof menu->facts.message, format, name);
}

static const char *name_of(struct menu *menu, const struct friend_row *row)
{
    return row->entry.name[0] ? row->entry.name : menu_format(menu, "%.*s..", KEY_LETTERS, row->key_text);
}

static void copy_key(struct menu *menu, uint32_t argument)
{
    (void)argument;
    menu_command(menu, APP_COMMAND_COPY, menu->facts.friends->link);
}

static void add_typed(struct menu *menu, uint32_t argument)
{
    struct friend_entry entry = {.name = ""};
    char *typed = menu->facts.friend_key;
    (void)argument;
    if (!friend_key_read(typed, entry.key))
        tell(menu, "%s", text_of("This is no friend's key, or a letter of it is wrong."));
    else if (memcmp(entry.key, menu->facts.friends->own.key, FRIEND_KEY_BYTES) == 0)
        tell(menu, "%s", text_of("This is your own key: give it to a friend, and type theirs here."));
    else if (friend_list_find(&menu->preferences->friends, entry.key) < menu->preferences->friends.count)
        tell(menu, "%s", text_of("This friend is in the list already."));
    else if (!friend_list_put(&menu->preferences->friends, &entry))
        tell(menu, "%s", text_of("The list of friends is full."));
    else
        tell(menu, "%s", text_of("Added. You see each other when they have added your key, too."));
    if (friend_list_find(&menu->preferences->friends, entry.key) < menu->preferences->friends.count)
        typed[0] = 0;
    menu->changed = true;
}

static const struct friend_row *row_of(const struct menu *menu, uint32_t index)
{
    const struct friends *friends = menu->facts.friends;
    return friends && index < friends->count ? &friends->rows[index] : NULL;
}

static void join(struct menu *menu, uint32_t index)
{
    const struct friend_row *row = row_of(menu, index);
    if (row && row->is_online && row->note.link[0])
        menu_command(menu, APP_COMMAND_JOIN, row->note.link);
}

// The key goes into the field, so one press takes it back.
static void drop(struct menu *menu, uint32_t index)
{
    const struct friend_row *row = row_of(menu, index);
    if (!row || !friend_list_remove(&menu->preferences->friends, row->entry.key))
        return;
    snprintf(menu->facts.friend_key, sizeof menu->facts.friend_key, "%s", row->key_text);
    tell(menu, text_of("%s is no longer your friend; \"Add\" takes that back."), name_of(menu, row));
    menu->changed = true;
}

static const char *place_of(const struct friend_row *row)
{
    return !row->is_online       ? ""
           : row->note.server[0] ? row->note.server
           : row->note.plays     ? text_of("plays")
                                 : text_of("online");
}

static const char *describe(const struct friend_row *row)
{
    if (!row->is_online)
        return text_of("not here, or has not added you");
    return row->note.link[0]  ? text_of("joins their match")
           : !row->note.plays ? text_of("is in the menus")
                              : text_of("plays where nobody else can join");
}

static void add_friends(struct menu *menu)
{
    const struct friends *friends = menu->facts.friends;
    for (uint32_t online = 2; online-- > 0;)
        for (uint32_t i = 0; i < friends->count; i++)
            if (friends->rows[i].is_online == online)
                menu_add(menu, (struct item){.kind = ITEM_ACTION,
                                             .label = name_of(menu, &friends->rows[i]),
                                             .value = place_of(&friends->rows[i]),
                                             .lit = online,
                                             .act = join,
                                             .argument = i,
                                             .help = describe(&friends->rows[i])});
    if (!friends->count)
        menu_paragraph(menu, text_of("Nobody yet. Give your key to a friend, by \"Copy my key\" or the code, and add "
                                     "theirs."));
}

static void befriend(struct menu *menu, uint32_t player)
{
    if (player < menu->facts.player_count)
        menu_command(menu, APP_COMMAND_BEFRIEND, menu->facts.players[player].name);
}

// Who plays in the match now, and is somebody else.
static void add_others(struct menu *menu)
{
    const struct menu_facts *facts = &menu->facts;
    for (uint32_t i = 0; facts->can_chat && i < facts->player_count; i++) {
        const struct menu_player *player = &facts->players[i];
        if (player->is_here || player->is_bot || player->is_friend)
            continue;
        menu_add(menu, (struct item){.kind = ITEM_ACTION,
                                     .label = menu_format(menu, text_of("Add %s"), player->name),
                                     .value = player->asks    ? text_of("wants to be your friend")
                                              : player->asked ? text_of("asked")
                                                              : "",
                                     .lit = player->asks,
                                     .act = befriend,
                                     .argument = i,
                                     .swatch = 1 + player->colour,
                                     .plain = true,
                                     .help = text_of("sends them your key; you are friends when they do the same")});
    }
}

static const struct item CHOICES[] = {
    {.kind = ITEM_SETTING,
     .label = TEXT_KEY("Friends see where I play"),
     .row = ROW_FRIENDS_SEE,
     .plain = true,
     .help = TEXT_KEY("only friends who have added you, too; and you see them")},
    {.kind = ITEM_SETTING,
     .label = TEXT_KEY("Notify when a friend comes"),
     .row = ROW_FRIEND_NOTICES,
     .plain = true,
     .help = TEXT_KEY("a line at the top, without a sound")},
};

static void fill_friends(struct menu *menu)
{
    const struct friends *friends = menu->facts.friends;
    if (!friends || !friends->has_key) {
        menu_paragraph(menu, text_of("There is no key of the player here, so there are no friends."));
        return;
    }
    menu_add_all(menu, CHOICES, sizeof CHOICES / sizeof *CHOICES);
    menu_add(menu, (struct item){.kind = ITEM_ACTION,
                                 .label = text_of("Copy my key"),
                                 .act = copy_key,
                                 .plain = true,
                                 .help = text_of("a link for your friends; the code says the same")});
    menu_add(menu, (struct item){.kind = ITEM_TEXT,
                                 .label = text_of("Add"),
                                 .text = menu->facts.friend_key,
                                 .text_bytes = sizeof menu->facts.friend_key,
                                 .act = add_typed,
                                 .plain = true,
                                 .help = text_of("the key that a friend gave you")});
    if (!menu->preferences->friends_see)
        menu_paragraph(menu, text_of("As long as it is off, nothing is sent, and you see nobody."));
    else if (friends->source_count == 0)
        menu_paragraph(menu, text_of("Friends find each other by a list of servers, and none is chosen."));
    add_friends(menu);
    add_others(menu);
}

struct item screen_friends_item(struct menu *menu)
{
    const struct friends *friends = menu->facts.friends;
    uint32_t online = friends ? friends->online : 0;
    return (struct item){.kind = ITEM_SCREEN,
                         .label = text_of("Friends"),
                         .screen = &SCREEN_FRIENDS,
                         .plain = true,
                         .value = online ? menu_format(menu, text_of("%u online"), online) : "",
                         .lit = online > 0,
                         .help = text_of("who of your friends is there, and where they play")};
}

const struct screen SCREEN_FRIENDS = {.name = "friends",
                                      .title = TEXT_KEY("Friends"),
                                      .fill = fill_friends,
                                      .extra = drop,
                                      .extra_hint = TEXT_KEY("remove"),
                                      .aside_px = 150,
                                      .least_rows = 10};
