// SPDX-License-Identifier: MIT
#include <stdio.h>
#include <string.h>

#include "app/friends/mute_list.h"
#include "screens.h"
#include "text/text.h"

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

static void add_friends(struct menu *menu)
{
    const struct friends *friends = menu->facts.friends;
    for (uint32_t at = 0; at < 2 * friends->count; at++) { // those who are there come first
        const struct friend_row *row = &friends->rows[at % friends->count];
        const struct friend_note *note = &row->note;
        if (row->is_online != (at < friends->count))
            continue;
        const char *place = !row->is_online   ? ""
                            : note->server[0] ? note->server
                            : note->plays     ? text_of("plays")
                                              : text_of("online");
        const char *help = !row->is_online ? text_of("not here, or has not added you")
                           : note->link[0] ? text_of("joins their match")
                           : !note->plays  ? text_of("is in the menus")
                                           : text_of("plays where nobody else can join");
        menu_add(menu, (struct item){ITEM_ACTION, name_of(menu, row), help, .value = place, .lit = row->is_online,
                                     .act = join, .argument = at % friends->count});
    }
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
        menu_add(menu, (struct item){ITEM_ACTION, menu_format(menu, text_of("Add %s"), player->name),
                                     text_of("sends them your key; you are friends when they do the same"),
                                     .value = player->asks    ? text_of("wants to be your friend")
                                              : player->asked ? text_of("asked")
                                                              : "",
                                     .lit = player->asks, .act = befriend, .argument = i, .swatch = 1 + player->colour,
                                     .plain = true});
    }
}

static const struct item CHOICES[] = {
    {ITEM_SETTING, TEXT_KEY("Friends see where I play"),
     TEXT_KEY("only friends who have added you, too; and you see them"), .row = ROW_FRIENDS_SEE, .plain = true},
    {ITEM_SETTING, TEXT_KEY("Notify when a friend comes"), TEXT_KEY("a line at the top, without a sound"),
     .row = ROW_FRIEND_NOTICES, .plain = true},
};

static void fill_friends(struct menu *menu)
{
    const struct friends *friends = menu->facts.friends;
    if (!friends || !friends->has_key) {
        menu_paragraph(menu, text_of("There is no key of the player here, so there are no friends."));
        return;
    }
    menu_add_all(menu, CHOICES, sizeof CHOICES / sizeof *CHOICES);
    menu_add(menu,
             (struct item){ITEM_ACTION, text_of("Copy my key"),
                           text_of("a link for your friends; the code says the same"), .act = copy_key, .plain = true});
    menu_add(menu, (struct item){ITEM_TEXT, text_of("Add"), text_of("the key that a friend gave you"),
                                 .text = menu->facts.friend_key, .text_bytes = sizeof menu->facts.friend_key,
                                 .act = add_typed, .plain = true});
    if (!menu->preferences->friends_see)
        menu_paragraph(menu, text_of("As long as it is off, nothing is sent, and you see nobody."));
    else if (friends->source_count == 0)
        menu_paragraph(menu, text_of("Friends find each other by a list of servers, and none is chosen."));
    add_friends(menu);
    add_others(menu);
}

const struct screen SCREEN_FRIENDS = {
    "friends",       TEXT_KEY("Friends"), fill_friends, .extra = drop, .extra_hint = TEXT_KEY("remove"),
    .aside_px = 150, .least_rows = 10};

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

static void add_player(struct menu *menu, uint32_t index)
{
    const struct menu_player *player = &menu->facts.players[index];
    bool is_other = !player->is_here && !player->is_bot;
    const char *kind = player->is_here        ? text_of("at this computer")
                       : player->is_bot       ? text_of("bot")
                       : player->is_muted     ? text_of("muted")
                       : player->only_watches ? text_of("only watches")
                                              : "";
    menu_add(menu,
             (struct item){ITEM_ACTION, player->name,
                           !is_other          ? text_of("the number is their score")
                           : player->is_muted ? text_of("choose a player to read them again")
                                              : text_of("choose them to hide what they write, here and elsewhere"),
                           .value = menu_format(menu, "%s   %d", kind, player->score), .act = mute, .argument = index,
                           .swatch = 1 + player->colour, .plain = !is_other});
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
            menu_add(menu, (struct item){ITEM_ACTION, menu_format(menu, "%s", entry.name),
                                         text_of("choose a player to read them again"), .value = text_of("muted"),
                                         .act = unmute, .argument = i, .plain = true});
    if (!list->count)
        menu_paragraph(menu,
                       text_of("You have muted nobody. Mute somebody in a match: Pause, Everybody in this match."));
}

struct item screen_muted_item(struct menu *menu)
{
    return (struct item){ITEM_SCREEN,
                         text_of("Muted players"),
                         text_of("what they write is hidden on every server"),
                         .screen = &SCREEN_MUTED,
                         .plain = true,
                         .value = menu_format(menu, "%u", menu->preferences->muted.count)};
}

const struct screen SCREEN_MUTED = {.name = "muted", .title = TEXT_KEY("Muted players"), .fill = fill_muted};

const struct screen SCREEN_ROSTER = {"roster", TEXT_KEY("Everybody in this match"), fill_roster, .extra = whisper,
                                     .extra_hint = TEXT_KEY("whisper")};

// Who can join by the link, and what else can be done. The number is the port.
static const char *const SENTENCES[INVITATION_REACHES] = {
    [INVITATION_WAITING] =
        TEXT_KEY("Friends in this network can join. The router is being asked to let in friends from elsewhere."),
    [INVITATION_DIRECTORY] = TEXT_KEY("Friends everywhere can join."),
    [INVITATION_INTRODUCED] =
        TEXT_KEY("Friends nearly everywhere can join: a directory introduces them to this match."),
    [INVITATION_ROUTER] = TEXT_KEY("Friends everywhere can join: the router lets them in."),
    [INVITATION_PUBLIC] = TEXT_KEY("Friends everywhere can join if no firewall closes UDP port %u."),
    [INVITATION_SILENT] =
        TEXT_KEY("Friends in this network can join. For friends elsewhere, forward UDP port %u to this "
                 "computer in the router's settings."),
    [INVITATION_REFUSED] =
        TEXT_KEY("Only friends in this network can join: the router lets nobody in. Allow UPnP in its "
                 "settings, or forward UDP port %u to this computer."),
    [INVITATION_CARRIER] = TEXT_KEY("Only friends in this network can join: your provider shares its address among "
                                    "homes. Join a friend's match instead."),
    [INVITATION_BLOCKED] =
        TEXT_KEY("Only friends in this network can join: UDP port %u is closed from outside. Forward "
                 "it to this computer in the router's settings."),
    [INVITATION_NEARBY] = TEXT_KEY("Friends in this network can join."),
    [INVITATION_MACHINE] = TEXT_KEY("Only this computer can join."),
};

static void copy(struct menu *menu, uint32_t argument)
{
    (void)argument;
    menu_command(menu, APP_COMMAND_COPY, menu->facts.invitation.link);
}

static void fill_invite(struct menu *menu)
{
    const struct menu_invitation *invitation = &menu->facts.invitation;
    char text[2 * TEXT_BYTES];
    menu_add(menu, (struct item){ITEM_ACTION, text_of("Copy the link"),
                                 text_of("all who open it join this match; so do all who scan the code"), .act = copy});
    size_t length = strcspn(invitation->link, "#"); // the key begins a line, so that the address is seen at once
    menu_paragraph(menu, menu_format(menu, "%.*s", (int)length, invitation->link));
    menu_paragraph(menu, invitation->link + length);
    menu_note(menu, "");
    snprintf(text, sizeof text, text_of(SENTENCES[invitation->reach % INVITATION_REACHES]), invitation->port);
    menu_paragraph(menu, text);
}

static void follow(struct menu *menu, uint32_t argument)
{
    (void)argument;
    menu_command(menu, APP_COMMAND_JOIN, menu->facts.followed);
    menu->command.is_confirmed = true;
}

static void stay(struct menu *menu)
{
    menu_command(menu, APP_COMMAND_RESUME, NULL);
}

// The key of the server says nothing to a person.
static void fill_follow(struct menu *menu)
{
    const char *link = menu->facts.followed;
    const char *address = menu_format(menu, "%.*s", (int)strcspn(link, "#"), link);
    uint32_t guests = menu->facts.guests;
    menu_paragraph(menu, menu_format(menu, text_of("Leave this match and join %s?"), address));
    if (guests)
        menu_paragraph(menu, menu_format(menu,
                                         text_plural("This ends the match for %u player.",
                                                     "This ends the match for %u players.", guests),
                                         guests));
    menu_note(menu, "");
    screen_add_stay_or(menu, text_of("Join"), follow);
}

const struct screen SCREEN_INVITE = {"invite", TEXT_KEY("Invite friends"), fill_invite, .aside_px = 150,
                                     .least_rows = 8};
const struct screen SCREEN_FOLLOW = {"follow", TEXT_KEY("A link was opened"), fill_follow, .left = stay};
