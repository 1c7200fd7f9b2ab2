// SPDX-License-Identifier: MIT
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>

#include "net/net_address.h"
#include "test.h"

static const struct net_address ipv4 = {{192, 0, 2, 7, 0x7A, 0x69}, ADDRESS_BYTES_IPV4};
static const struct net_address ipv6 = {{0x20, 1, 0x0d, 0xb8, [15] = 7, [16] = 0x7A, [17] = 0x69, [18] = 5},
                                        ADDRESS_BYTES_MAX};

TEST(an_address_has_a_text)
{
    char text[NET_ADDRESS_TEXT_BYTES];
    net_address_text(&ipv4, text);
    assert_string_equal(text, "192.0.2.7:31337");
    net_address_text(&ipv6, text);
    assert_string_equal(text, "[2001:db8::7]:31337");
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
