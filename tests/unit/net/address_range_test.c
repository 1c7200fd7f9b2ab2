// SPDX-License-Identifier: MIT
#include "net/net_address.h"
#include "test.h"

TEST(ranges_are_read_and_written)
{
    static const struct {
        const char *text, *written; // null: refused
    } rows[] = {
        /*  1 */ {"192.0.2.7", "192.0.2.7"},
        /*  2 */ {"192.0.2.7/24", "192.0.2.0/24"},
        /*  3 */ {"192.0.2.255/31", "192.0.2.254/31"},
        /*  4 */ {"192.0.2.7/0", "0.0.0.0/0"},
        /*  5 */ {"192.0.2.7/33", NULL},
        /*  6 */ {"2001:db8:1:1ff:3::4", "2001:db8:1:100::/56"}, // a home
        /*  7 */ {"2001:db8::1/128", "2001:db8::1/128"},
        /*  8 */ {"2001:db8::1/129", NULL},
        /*  9 */ {"::/0", "::/0"},
        /* 10 */ {"::ffff:192.0.2.7", "192.0.2.7"},
        /* 11 */ {"::ffff:192.0.2.7/120", "192.0.2.0/24"},
        /* 12 */ {"::ffff:192.0.2.7/96", "0.0.0.0/0"},
        /* 13 */ {"::ffff:192.0.2.7/95", NULL}, // neither IPv4 nor IPv6
        /* 14 */ {"192.0.2.7/", NULL},
        /* 15 */ {"192.0.2.7/+8", NULL},
        /* 16 */ {"192.0.2.7/8/8", NULL},
        /* 17 */ {"/8", NULL},
        /* 18 */ {"", NULL},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct address_range range;
        char written[ADDRESS_RANGE_TEXT_BYTES];
        if (net_address_range_parse(rows[i].text, &range) != (rows[i].written != NULL))
            fail_msg("row %zu", i + 1);
        if (!rows[i].written)
            continue;
        net_address_range_text(&range, written);
        assert_string_equal(written, rows[i].written);
    }
}

TEST(a_range_has_the_addresses_that_begin_like_it)
{
    static const struct {
        const char *range, *other;
        bool contains;
    } rows[] = {
        /*  1 */ {"192.0.2.0/24", "192.0.2.255", true},
        /*  2 */ {"192.0.2.0/24", "192.0.3.0", false},
        /*  3 */ {"192.0.2.0/24", "192.0.2.0/24", true},
        /*  4 */ {"192.0.2.0/24", "192.0.0.0/16", false},
        /*  5 */ {"192.0.2.0/25", "192.0.2.127", true},
        /*  6 */ {"192.0.2.0/25", "192.0.2.128", false},
        /*  7 */ {"0.0.0.0/0", "203.0.113.9", true},
        /*  8 */ {"0.0.0.0/0", "2001:db8::1/128", false},
        /*  9 */ {"2001:db8::/32", "2001:db8:ffff::1/128", true},
        /* 10 */ {"2001:db8::/32", "2001:db9::1/128", false},
        /* 11 */ {"::/0", "2001:db8::1/128", true},
        /* 12 */ {"::/0", "192.0.2.7", false}, // its IPv6 form begins with zeros
        /* 13 */ {"::/16", "192.0.2.7", false},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct address_range range, other;
        assert_true(net_address_range_parse(rows[i].range, &range) && net_address_range_parse(rows[i].other, &other));
        if (net_address_range_contains(&range, &other) != rows[i].contains)
            fail_msg("row %zu", i + 1);
    }
}

TEST(an_address_alone_keeps_all_of_its_bits)
{
    struct address_range range;
    assert_true(net_address_range_parse_address("2001:db8::1", &range));
    assert_int_equal(range.bits, ADDRESS_RANGE_BITS_MAX);
    assert_int_equal(range.prefix[15], 1);
    assert_false(net_address_range_parse_address("2001:db8::/56", &range));
    assert_false(net_address_range_parse_address("arena.example", &range));
}
