// SPDX-License-Identifier: MIT
#include <stdio.h>
#include <string.h>

#include "app/text/text.h"
#include "screens.h"

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

// The key begins a line, so that the address is seen at once.
static void add_link(struct menu *menu, const char *link)
{
    size_t length = strcspn(link, "#");
    menu_paragraph(menu, menu_format(menu, "%.*s", (int)length, link));
    menu_paragraph(menu, link + length);
}

static void fill_invite(struct menu *menu)
{
    const struct menu_invitation *invitation = &menu->facts.invitation;
    char text[2 * TEXT_BYTES];
    menu_add(menu, (struct item){.kind = ITEM_ACTION,
                                 .label = text_of("Copy the link"),
                                 .act = copy,
                                 .help = text_of("all who open it join this match; so do all who scan the code")});
    add_link(menu, invitation->link);
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

struct item screen_invite_item(void)
{
    return (struct item){.kind = ITEM_SCREEN,
                         .label = text_of("Invite friends"),
                         .screen = &SCREEN_INVITE,
                         .plain = true,
                         .help = text_of("a link and a code that lead into this match")};
}

const struct screen SCREEN_INVITE = {
    .name = "invite", .title = TEXT_KEY("Invite friends"), .fill = fill_invite, .aside_px = 150, .least_rows = 8};
const struct screen SCREEN_FOLLOW = {
    .name = "follow", .title = TEXT_KEY("A link was opened"), .fill = fill_follow, .left = stay};
