// SPDX-License-Identifier: MIT
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>

#include "net/net_address.h"
#include "test.h"

static const struct net_address ipv4 = {{192, 0, 2, 7, 0x7A, 0x69}, ADDRESS_BYTES_IPV4};
static const struct net_address ipv6 = {{0x20, 1, 0x0d, 0xb8, [15] = 7, [16] = 0x7A, [17] = 0x69, [18] = 5},
                                        ADDRESS_BYTES_MAX};

TEST(addresses_are_printed_for_people)
{
    static const struct {
        struct net_address address;
        const char *text;
    } rows[] = {
        /* 0 */ {{{127, 0, 0, 1, 0x69, 0x78}, 6}, "127.0.0.1:27000"},
        /* 1 */ {{{255, 255, 255, 255, 255, 255}, 6}, "255.255.255.255:65535"},
        /* 2 */ {{{0x20, 1, 0xd, 0xb8, [15] = 1, [17] = 9}, 22}, "[2001:db8::1]:9"},
        /* 3 */ {{{0x20, 1, 0x0d, 0xb8, [15] = 7, [16] = 0x7A, [17] = 0x69, [18] = 5}, 22}, "[2001:db8::7]:31337"},
        /* 4 */ {{{0xfe, 0x80, [15] = 1, [17] = 9, 3}, 22}, "[fe80::1]:9"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[NET_ADDRESS_TEXT_BYTES];
        net_address_text(&rows[i].address, text);
        assert_string_equal(text, rows[i].text);
    }
}

TEST(addresses_of_the_internet_are_public)
{
    static const struct {
        const char *host;
        bool is_public;
    } rows[] = {
        /* 0 */ {"203.0.113.7", true},
        /* 1 */ {"9.255.255.255", true},
        /* 2 */ {"10.0.0.0", false},
        /* 3 */ {"10.255.255.255", false},
        /* 4 */ {"11.0.0.0", true},
        /* 5 */ {"100.63.255.255", true},
        /* 6 */ {"100.64.0.0", false},
        /* 7 */ {"100.127.255.255", false},
        /* 8 */ {"100.128.0.0", true},
        /* 9 */ {"127.0.0.1", false},
        /* 10 */ {"169.254.3.4", false},
        /* 11 */ {"172.15.255.255", true},
        /* 12 */ {"172.16.0.0", false},
        /* 13 */ {"172.31.255.255", false},
        /* 14 */ {"172.32.0.0", true},
        /* 15 */ {"192.168.1.2", false},
        /* 16 */ {"192.169.0.0", true},
        /* 17 */ {"223.255.255.255", true},
        /* 18 */ {"224.0.0.1", false},
        /* 19 */ {"255.255.255.255", false},
        /* 20 */ {"0.0.0.0", false},
        /* 21 */ {"2001:db8::1", true},
        /* 22 */ {"3fff::1", true},
        /* 23 */ {"fe80::1", false},
        /* 24 */ {"fd00::1", false},
        /* 25 */ {"::1", false},
        /* 26 */ {"4000::1", false},
        /* 27 */ {"::ffff:127.0.0.1", false},
        /* 28 */ {"::ffff:203.0.113.7", false},
        /* 29 */ {"64:ff9b::203.0.113.7", true},
        /* 30 */ {"64:ff9b::127.0.0.1", false},
        /* 31 */ {"64:ff9b::192.168.1.2", false},
        /* 32 */ {"64:ff9b:1::203.0.113.7", false},
        /* 33 */ {"::", false},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct net_address address;
        assert_true(ip_address_parse(&address, rows[i].host, 1));
        if (ip_address_is_public(&address) != rows[i].is_public)
            fail_msg("row %zu", i);
    }
}

TEST(a_host_is_found_by_name_or_number)
{
    struct net_address address;
    assert_true(ip_address_find(&address, "192.0.2.7", 31337, IP_ADDRESS_ANY));
    assert_true(net_address_equals(&address, &ipv4));
    assert_true(ip_address_find(&address, "::1", 65535, IP_ADDRESS_ANY));
    assert_int_equal(address.byte_count, ADDRESS_BYTES_MAX);
    assert_int_equal(address.bytes[16] << 8 | address.bytes[17], 65535);
    assert_true(ip_address_is_loopback(&address));
    assert_false(ip_address_find(&address, "no.such.host.invalid", 1, IP_ADDRESS_ANY));
}

TEST(addresses_convert_to_the_kernels_form_and_back)
{
    struct sockaddr_storage kernel;
    struct sockaddr_in6 six;
    memset(&kernel, 0xAA, sizeof kernel);
    assert_int_equal(ip_address_to_socket(&ipv4, &kernel), sizeof(struct sockaddr_in));
    assert_int_equal(kernel.ss_family, AF_INET);
    struct net_address again = ip_address_of_socket(&kernel);
    assert_true(net_address_equals(&again, &ipv4));
    memset(&kernel, 0xAA, sizeof kernel);
    assert_int_equal(ip_address_to_socket(&ipv6, &kernel), sizeof six);
    memcpy(&six, &kernel, sizeof six);
    assert_int_equal(six.sin6_family, AF_INET6);
    assert_int_equal(ntohs(six.sin6_port), 31337);
    assert_int_equal(six.sin6_scope_id, 5);
    assert_int_equal(six.sin6_flowinfo, 0);
    again = ip_address_of_socket(&kernel);
    assert_true(net_address_equals(&again, &ipv6));
}

TEST(every_byte_of_an_address_counts)
{
    for (size_t i = 0; i < ADDRESS_BYTES_MAX; i++) {
        struct net_address other = ipv6;
        other.bytes[i] ^= 1;
        assert_false(net_address_equals(&ipv6, &other));
        other = ipv4;
        other.bytes[i] ^= 1;
        assert_int_equal(net_address_equals(&ipv4, &other), i >= ADDRESS_BYTES_IPV4);
    }
    struct net_address longer = ipv4;
    longer.byte_count = ADDRESS_BYTES_MAX;
    assert_false(net_address_equals(&ipv4, &longer));
}

TEST(the_first_bytes_tell_loopback)
{
    static const struct {
        struct net_address address;
        bool is_loopback;
    } rows[] = {
        /* 0 */ {{{127, 0, 0, 1}, ADDRESS_BYTES_IPV4}, true},
        /* 1 */ {{{127, 9, 8, 7, 1, 1}, ADDRESS_BYTES_IPV4}, true},
        /* 2 */ {{{126, 0, 0, 1}, ADDRESS_BYTES_IPV4}, false},
        /* 3 */ {{{128, 0, 0, 1}, ADDRESS_BYTES_IPV4}, false},
        /* 4 */ {{{[15] = 1, [17] = 9}, ADDRESS_BYTES_MAX}, true},
        /* 5 */ {{{[15] = 2}, ADDRESS_BYTES_MAX}, false},
        /* 6 */ {{{[14] = 1, [15] = 1}, ADDRESS_BYTES_MAX}, false},
        /* 7 */ {{{127, [15] = 1}, ADDRESS_BYTES_MAX}, false},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (ip_address_is_loopback(&rows[i].address) != rows[i].is_loopback)
            fail_msg("row %zu", i);
}

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
