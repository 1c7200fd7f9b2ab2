// SPDX-License-Identifier: MIT
#include <string.h>

#include "net/household.h"
#include "test.h"

static const struct net_address alice = {{192, 0, 2, 7, 1, 1}, ADDRESS_BYTES_IPV4};

static uint64_t of_text(const char *text)
{
    struct net_address address;
    assert_true(ip_address_find(&address, text, 1, IP_ADDRESS_ANY));
    return household_of(&address);
}

TEST(a_household_is_an_ipv4_address_or_a_56_of_ipv6)
{
    static const struct {
        const char *address, *household;
    } rows[] = {
        /* 0 */ {"192.0.2.7", "192.0.2.7"},
        /* 1 */ {"0.0.0.0", "0.0.0.0"},
        /* 2 */ {"2001:db8:1:2ff:3::4", "2001:db8:1:200::/56"},
        /* 3 */ {"2001:db8:1:300::", "2001:db8:1:300::/56"},
        /* 4 */ {"::1", "::/56"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[HOUSEHOLD_TEXT_BYTES];
        household_text(of_text(rows[i].address), text);
        if (strcmp(text, rows[i].household) != 0)
            fail_msg("row %zu: %s", i, text);
    }
    char text[HOUSEHOLD_TEXT_BYTES];
    household_text(0, text);
    assert_string_equal(text, "an unknown address");
    household_text(household_site(of_text("2001:db8:1:2ff:3::4")), text);
    assert_string_equal(text, "2001:db8:1::/48");
    household_text(household_site(of_text("192.0.2.7")), text);
    assert_string_equal(text, "192.0.2.7");
    struct net_address other_port = alice, other = alice;
    other_port.bytes[5]++;
    other.bytes[3]++;
    assert_true(household_of(&alice) == household_of(&other_port));
    assert_false(household_of(&alice) == household_of(&other));
}

TEST(the_local_network_is_exempt_unless_it_is_limited_too)
{
    static const struct {
        const char *address;
        bool exempt;
    } rows[] = {
        /*  0 */ {"127.0.0.1", true},
        /*  1 */ {"126.255.255.255", false},
        /*  2 */ {"128.0.0.0", false},
        /*  3 */ {"10.255.0.1", true},
        /*  4 */ {"11.0.0.0", false},
        /*  5 */ {"172.16.0.0", true},
        /*  6 */ {"172.31.255.255", true},
        /*  7 */ {"172.32.0.0", false},
        /*  8 */ {"172.15.255.255", false},
        /*  9 */ {"192.168.255.1", true},
        /* 10 */ {"192.169.0.0", false},
        /* 11 */ {"169.254.1.1", true},
        /* 12 */ {"169.253.1.1", false},
        /* 13 */ {"100.64.0.1", false},
        /* 14 */ {"0.0.0.0", false},
        /* 15 */ {"::1", true},
        /* 16 */ {"fe80::1", true},
        /* 17 */ {"febf:ffff::", true},
        /* 18 */ {"fec0::1", false},
        /* 19 */ {"fc00::1", true},
        /* 20 */ {"fdff::1", true},
        /* 21 */ {"fe00::1", false},
        /* 22 */ {"2001:db8::1", false},
        /* 23 */ {"fb00::1", false},
    };
    struct household_rules open = {.players_max = 8}, strict = {.players_max = 8, .limits_lan = true};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (household_is_exempt(&open, of_text(rows[i].address)) != rows[i].exempt ||
            household_is_exempt(&strict, of_text(rows[i].address)))
            fail_msg("row %zu", i);
    assert_true(household_is_exempt(&strict, 0)); // unknown
    strict.players_max = 0;
    assert_true(household_is_exempt(&strict, of_text("192.0.2.7")));
}

TEST(a_site_has_256_households_of_ipv6_and_one_of_ipv4)
{
    static const struct {
        const char *address, *other;
        bool same;
    } rows[] = {
        /* 0 */ {"2001:db8:1::1", "2001:db8:1:ff00::2", true},
        /* 1 */ {"2001:db8:1::1", "2001:db8:2::1", false},
        /* 2 */ {"192.0.2.7", "192.0.2.7", true},
        /* 3 */ {"192.0.2.7", "192.0.2.8", false},
        /* 4 */ {"::c000:207", "192.0.2.7", false},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if ((household_site(of_text(rows[i].address)) == household_site(of_text(rows[i].other))) != rows[i].same)
            fail_msg("row %zu", i);
    assert_true(household_site(of_text("192.0.2.7")) == of_text("192.0.2.7"));
    assert_true(household_site(of_text("2001:db8::1")) != of_text("2001:db8::1"));
    assert_true(household_site(0) == 0);
}

TEST(an_operator_exempts_addresses_and_ranges)
{
    static const struct {
        const char *range, *inside, *outside;
    } rows[] = {
        /* 0 */ {"192.0.2.7", "192.0.2.7", "192.0.2.6"},
        /* 1 */ {"192.0.2.7/32", "192.0.2.7", "192.0.2.6"},
        /* 2 */ {"192.0.2.77/24", "192.0.2.255", "192.0.3.0"},
        /* 3 */ {"192.0.2.77/31", "192.0.2.76", "192.0.2.78"},
        /* 4 */ {"0.0.0.0/0", "203.0.113.1", "2001:db8::1"},
        /* 5 */ {"2001:db8::1", "2001:db8:0:ff::2", "2001:db8:0:100::"}, // a household is never split
        /* 6 */ {"2001:db8::/64", "2001:db8:0:ff::2", "2001:db8:0:100::"},
        /* 7 */ {"2001:db8::/32", "2001:db8:ffff::", "2001:db9::"},
        /* 8 */ {"::/0", "2001:db8::1", "203.0.113.1"},
        /* 9 */ {"::ffff:192.0.2.77/120", "192.0.2.255", "192.0.3.0"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct household_rules rules = {.players_max = 8, .limits_lan = true, .exempt_count = 1};
        if (!household_range_parse(rows[i].range, &rules.exempt[0]) ||
            !household_is_exempt(&rules, of_text(rows[i].inside)) ||
            household_is_exempt(&rules, of_text(rows[i].outside)))
            fail_msg("row %zu", i);
    }
}

TEST(other_texts_are_no_ranges)
{
    static const char *const rows[] = {
        "",
        "/",
        "192.0.2",
        "192.0.2.7/",
        "192.0.2.7/33",
        "192.0.2.7/-1",
        "192.0.2.7/ 8",
        "192.0.2.7/8x",
        "192.0.2.7/8/8",
        "2001:db8::/129",
        "arena.example",
        "2001:db8::1%eth0",
        "192.0.2.7/99999999999999999999",
        "1111:2222:3333:4444:5555:6666:7777:8888:9999:aaaa:bbbb:cccc:dddd:eeee",
    };
    struct household_range range;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (household_range_parse(rows[i], &range))
            fail_msg("row %zu", i);
}

// A household asks for as many seats as it gets, then the next one does.
TEST(a_few_households_cannot_fill_a_server)
{
    static const struct {
        uint32_t players_max, capacity;
        uint32_t held[6]; // by the first, the second and so on
    } rows[] = {
        /* 0 */ {8, 16, {8, 4, 2, 1, 1, 0}},
        /* 1 */ {4, 16, {4, 4, 4, 2, 1, 1}},
        /* 2 */ {16, 16, {8, 4, 2, 1, 1, 0}},
        /* 3 */ {1, 16, {1, 1, 1, 1, 1, 1}},
        /* 4 */ {8, 4, {4, 0}}, // a couch of four fits a server of four
        /* 5 */ {8, 8, {4, 3, 1, 0}},
        /* 6 */ {8, 1, {1, 0}},
        /* 7 */ {8, 64, {8, 8, 8, 8, 4, 4}},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct household_rules rules = {.players_max = rows[i].players_max};
        uint32_t left = rows[i].capacity;
        for (size_t who = 0; who < 6; who++) {
            uint32_t held = 0;
            for (; left > 0 && household_may_sit(&rules, held, left, rows[i].capacity); left--)
                held++;
            if (held != rows[i].held[who])
                fail_msg("row %zu: household %zu has %u", i, who, held);
        }
    }
}
