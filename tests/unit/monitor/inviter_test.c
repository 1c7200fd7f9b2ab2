// SPDX-License-Identifier: MIT
//
// Tests which link a server gives out, and who can use it as it says, by what it knows of directories and the router.
#include "monitor/reach/inviter.h"
#include "test.h"

#include <stdio.h>
#include <string.h>

#define HOME   "192.168.7.2"
#define THERE  "203.0.113.2:27440"
#define SIXTH  "[2001:db8::2]:27440"
#define LISTER "203.0.113.1:27480"
#define SHARED "100.64.0.9:27440"

static struct inviter_facts facts_of(const char *own, enum port_mapping_state mapping, const char *outside)
{
    struct inviter_facts facts = {.mapping = {.state = mapping}};
    assert_true(ip_address_parse(&facts.own, own, 27440));
    snprintf(facts.mapping.address, sizeof facts.mapping.address, "%s", outside ? outside : "");
    return facts;
}

static void add_row(struct inviter_facts *facts, enum announcer_state state, const char *address)
{
    struct announcer_row *row = &facts->rows[facts->row_count++];
    row->state = state;
    snprintf(row->address, sizeof row->address, "%s", address);
    snprintf(row->through, sizeof row->through, "%s", state == ANNOUNCER_PUNCHED ? LISTER : "");
}

TEST(the_best_link_is_chosen)
{
    enum { NONE = ANNOUNCER_SILENT + 1 };
    static const struct {
        const char *own;
        enum port_mapping_state mapping;
        const char *outside;
        int first, second; // states of announcements
        enum invitation_reach reach;
        const char *address;
    } rows[] = {
        /* 0 */ {HOME, PORT_MAPPING_OFF, NULL, NONE, NONE, INVITATION_SILENT, HOME ":27440"},
        /* 1 */ {HOME, PORT_MAPPING_ASKING, NULL, NONE, NONE, INVITATION_WAITING, HOME ":27440"},
        /* 2 */ {HOME, PORT_MAPPING_OPEN, THERE, NONE, NONE, INVITATION_ROUTER, THERE},
        /* 3 */ {HOME, PORT_MAPPING_OPEN, SHARED, NONE, NONE, INVITATION_CARRIER, HOME ":27440"},
        /* 4 */ {HOME, PORT_MAPPING_REFUSED, NULL, NONE, NONE, INVITATION_REFUSED, HOME ":27440"},
        /* 5 */ {HOME, PORT_MAPPING_SILENT, NULL, NONE, NONE, INVITATION_SILENT, HOME ":27440"},
        /* 6 */ {HOME, PORT_MAPPING_OFF, NULL, ANNOUNCER_LISTED, NONE, INVITATION_DIRECTORY, THERE},
        /* 7 */ {HOME, PORT_MAPPING_OPEN, SHARED, ANNOUNCER_LISTED, NONE, INVITATION_DIRECTORY, THERE},
        /* 8 */ {HOME, PORT_MAPPING_OPEN, THERE, ANNOUNCER_UNREACHABLE, NONE, INVITATION_BLOCKED, HOME ":27440"},
        /* 9 */ {HOME, PORT_MAPPING_ASKING, NULL, ANNOUNCER_UNREACHABLE, NONE, INVITATION_WAITING, HOME ":27440"},
        /* 10 */ {HOME, PORT_MAPPING_OPEN, THERE, ANNOUNCER_WAITING, ANNOUNCER_SILENT, INVITATION_ROUTER, THERE},
        /* 11 */ {HOME, PORT_MAPPING_OFF, NULL, ANNOUNCER_UNREACHABLE, ANNOUNCER_LISTED, INVITATION_DIRECTORY, SIXTH},
        /* 12 */ {HOME, PORT_MAPPING_OFF, NULL, ANNOUNCER_LISTED, ANNOUNCER_LISTED, INVITATION_DIRECTORY, THERE},
        /* 13 */ {"198.51.100.9", PORT_MAPPING_OFF, NULL, NONE, NONE, INVITATION_PUBLIC, "198.51.100.9:27440"},
        /* 14 */ {"198.51.100.9", PORT_MAPPING_ASKING, NULL, NONE, NONE, INVITATION_PUBLIC, "198.51.100.9:27440"},
        /* 15 */
        {"198.51.100.9", PORT_MAPPING_OFF, NULL, ANNOUNCER_UNREACHABLE, NONE, INVITATION_BLOCKED, "198.51.100.9:27440"},
        /* 16 */ {"2001:db8::9", PORT_MAPPING_OFF, NULL, NONE, NONE, INVITATION_PUBLIC, "[2001:db8::9]:27440"},
        /* 17 */ {HOME, PORT_MAPPING_OFF, NULL, ANNOUNCER_PUNCHED, NONE, INVITATION_INTRODUCED, THERE},
        /* 18 */ {HOME, PORT_MAPPING_OPEN, SHARED, ANNOUNCER_PUNCHED, NONE, INVITATION_INTRODUCED, THERE},
        /* 19 */ {HOME, PORT_MAPPING_OFF, NULL, ANNOUNCER_PUNCHED, ANNOUNCER_LISTED, INVITATION_DIRECTORY, SIXTH},
        /* 20 */ {HOME, PORT_MAPPING_OFF, NULL, ANNOUNCER_UNREACHABLE, ANNOUNCER_PUNCHED, INVITATION_INTRODUCED, SIXTH},
        /* 21 */ {"127.0.0.1", PORT_MAPPING_OFF, NULL, ANNOUNCER_LISTED, NONE, INVITATION_MACHINE, "127.0.0.1:27440"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct inviter_facts facts = facts_of(rows[i].own, rows[i].mapping, rows[i].outside);
        struct invitation chosen = {0};
        if (rows[i].first != NONE)
            add_row(&facts, (enum announcer_state)rows[i].first, THERE);
        if (rows[i].second != NONE)
            add_row(&facts, (enum announcer_state)rows[i].second, SIXTH);
        inviter_choose(&chosen, &facts);
        assert_string_equal(chosen.through, chosen.reach == INVITATION_INTRODUCED ? LISTER : "");
        if (chosen.reach != rows[i].reach || strcmp(chosen.address, rows[i].address) != 0)
            fail_msg("row %zu: %s at %s", i, INVITATION_REACH_NAMES[chosen.reach], chosen.address);
    }
}

TEST(a_server_has_the_address_at_which_it_listens_or_one_of_its_own)
{
    char text[NET_ADDRESS_TEXT_BYTES];
    struct net_address own = inviter_own_address("192.0.2.9", 7);
    net_address_text(&own, text);
    assert_string_equal(text, "192.0.2.9:7");
    own = inviter_own_address("127.0.0.1", 7);
    assert_true(ip_address_is_loopback(&own));
    own = inviter_own_address("0.0.0.0", 27441); // loopback on a machine without a network
    net_address_text(&own, text);
    assert_non_null(strstr(text, ":27441"));
    assert_null(strstr(text, "0.0.0.0"));
}

TEST(the_page_has_a_link_that_its_readers_can_open)
{
    static const struct {
        const char *own, *game; // where the game is, and where its invitation says
        enum invitation_reach reach;
        const char *listens, *certificate, *link;
        bool joins_others;
    } rows[] = {
        /* 0 */ {HOME, HOME ":27440", INVITATION_SILENT, "0.0.0.0:27441", "C",
                 "http://192.168.7.2:80/#192.168.7.2:27440#K.C", true},
        /* 1 */ {HOME, THERE, INVITATION_DIRECTORY, "0.0.0.0:27441", "C", "http://203.0.113.2:80/#" THERE "#K.C", true},
        /* 2 */ {HOME, SIXTH, INVITATION_DIRECTORY, "[::]:1", "C", "http://[2001:db8::2]:80/#" SIXTH "#K.C", true},
        /* 3 */ {HOME, THERE, INVITATION_ROUTER, "[::]:1", "C", "http://192.168.7.2:80/#192.168.7.2:27440#K.C", true},
        /* 4 */
        {HOME, THERE, INVITATION_INTRODUCED, "0.0.0.0:1", "C", "http://192.168.7.2:80/#192.168.7.2:27440#K.C", true},
        /* 5 */
        {HOME, HOME ":27440", INVITATION_SILENT, "127.0.0.1:1", "C", "http://127.0.0.1:80/#192.168.7.2:27440#K.C",
         false},
        /* 6 */
        {"127.0.0.1", "127.0.0.1:27440", INVITATION_MACHINE, "0.0.0.0:1", "C",
         "http://127.0.0.1:80/#127.0.0.1:27440#K.C", false},
        /* 7 */
        {HOME, HOME ":27440", INVITATION_SILENT, "192.0.2.1:1", "C", "http://192.0.2.1:80/#192.168.7.2:27440#K.C",
         true},
        /* 8 */ {HOME, HOME ":27440", INVITATION_SILENT, "0.0.0.0:1", "", "http://192.168.7.2:80/", false},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct net_address own;
        struct invitation invitation = {.reach = rows[i].reach, .fingerprint = "K"};
        struct inviter_page page = {rows[i].listens, 80, &own};
        char link[INVITER_PAGE_LINK_BYTES];
        assert_true(ip_address_parse(&own, rows[i].own, 27440));
        strcpy(invitation.address, rows[i].game);
        strcpy(invitation.certificate, rows[i].certificate);
        strcpy(invitation.through, rows[i].reach == INVITATION_INTRODUCED ? LISTER : "");
        bool joins_others = inviter_page_link(&invitation, &page, link);
        if (strcmp(link, rows[i].link) != 0 || joins_others != rows[i].joins_others)
            fail_msg("row %zu: %s", i, link);
    }
}
