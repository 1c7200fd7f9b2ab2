// SPDX-License-Identifier: MIT
#include <arpa/inet.h>
#include <string.h>
#include <sys/socket.h>

#include "base/host_port.h"
#include "test.h"

TEST(an_address_is_a_host_with_or_without_a_port)
{
    static const struct {
        const char *text, *host;
        bool is_bracketed, has_port;
        uint16_t port;
    } rows[] = {
        /* 0 */ {"example.org", "example.org", false, false, 0},
        /* 1 */ {"example.org:1", "example.org", false, true, 1},
        /* 2 */ {"127.0.0.1:65535", "127.0.0.1", false, true, 65535},
        /* 3 */ {"127.0.0.1:0", "127.0.0.1", false, true, 0},
        /* 4 */ {"[::1]:7", "::1", true, true, 7},
        /* 5 */ {"[::1]", "::1", true, false, 0},
        /* 6 */ {"::1", "::1", false, false, 0},
        /* 7 */ {"2001:db8::2", "2001:db8::2", false, false, 0},
        /* 8 */ {"a:00080", "a", false, true, 80},
        /* 9 */ {"[fe80::1%eth0.2]:7", "fe80::1%eth0.2", true, true, 7},
        /* 10 */ {"my_host-2.example", "my_host-2.example", false, false, 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct host_port place;
        if (!host_port_parse(rows[i].text, SIZE_MAX, &place))
            fail_msg("row %zu is refused", i);
        assert_string_equal(place.host, rows[i].host);
        assert_int_equal(place.is_bracketed, rows[i].is_bracketed);
        assert_int_equal(place.has_port, rows[i].has_port);
        assert_int_equal(place.port, rows[i].port);
    }
}

TEST(a_malformed_address_is_refused)
{
    static const char *const rows[] = {
        /* 0 */ "",
        /* 1 */ ":7",
        /* 2 */ "[]",
        /* 3 */ "[]:7",
        /* 4 */ "[::1",
        /* 5 */ "[::1]7",
        /* 6 */ "[::1]:",
        /* 7 */ "a:",
        /* 8 */ "a:-1",
        /* 9 */ "a:+1",
        /* 10 */ "a: 1",
        /* 11 */ "a:1x",
        /* 12 */ "a:65536",
        /* 13 */ "a:99999999999999999999",
        /* 14 */ "[a]:1:2",
        /* 15 */ "[[]",
        /* 16 */ "a]:1",
        /* 17 */ "[[::1]:1",
        /* 18 */ "a b",
        /* 19 */ "a\x1b[31m:1",
        /* 20 */ "\xe2\x80\xaemoc.elpmaxe:1", // would be read from right to left
        /* 21 */ "ex\xc3\xa4mple.org",
        /* 22 */ "user@a",
        /* 23 */ "a/b",
        /* 24 */ "a#b",
        /* 25 */ "a\"b",
        /* 26 */ "a\\b",
        /* 27 */ "a\x7f",
        /* 28 */ "[::1\n]:1",
    };
    struct host_port place;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (host_port_parse(rows[i], SIZE_MAX, &place))
            fail_msg("row %zu is accepted", i);
}

TEST(an_address_can_be_a_part_of_a_text)
{
    struct host_port place;
    assert_true(host_port_parse("host:71#key", 6, &place));
    assert_string_equal(place.host, "host");
    assert_int_equal(place.port, 7);
    assert_false(host_port_parse("host", 0, &place));
    assert_false(host_port_parse("[::1]", 4, &place));
}

TEST(a_host_has_at_most_255_bytes)
{
    char text[HOST_BYTES + 20];
    struct host_port place;
    memset(text, 'a', sizeof text);
    strcpy(text + HOST_BYTES - 1, ":12345");
    assert_true(host_port_parse(text, SIZE_MAX, &place));
    assert_int_equal(strlen(place.host), HOST_BYTES - 1);
    assert_int_equal(place.port, 12345);
    memset(text, 'a', HOST_BYTES);
    strcpy(text + HOST_BYTES, ":1");
    assert_false(host_port_parse(text, SIZE_MAX, &place));
    memset(text, 'a', sizeof text - 1);
    text[sizeof text - 1] = 0;
    assert_false(host_port_parse(text, SIZE_MAX, &place));
}

TEST(a_numeric_address_becomes_bytes)
{
    static const uint8_t IPV4[ADDRESS_BYTES_IPV4] = {192, 0, 2, 7, 9100 >> 8, 9100 & 255};
    static const uint8_t IPV6[ADDRESS_BYTES_MAX] = {0x20, 0x01, 0x0d, 0xb8, [15] = 7, [16] = 255, [17] = 255};
    struct net_address address;
    assert_true(host_port_parse_numeric("192.0.2.7:9100", &address));
    assert_int_equal(address.byte_count, sizeof IPV4);
    assert_memory_equal(address.bytes, IPV4, sizeof IPV4);
    assert_true(host_port_parse_numeric("[2001:db8::7]:65535", &address));
    assert_int_equal(address.byte_count, sizeof IPV6);
    assert_memory_equal(address.bytes, IPV6, sizeof IPV6);
}

TEST(names_and_addresses_without_a_port_are_not_numeric)
{
    static const struct {
        const char *text;
        bool numeric;
    } rows[] = {{"127.0.0.1:0", true}, {"[::1]:9100", true}, {"127.0.0.1", false},   {"127.0.0.1:", false},
                {"[::1]", false},      {"::1:9100", false},  {"localhost:1", false}, {"[127.0.0.1]:1", false},
                {"1.2.3:80", false},   {"", false},          {":9100", false}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (host_port_is_numeric(rows[i].text) != rows[i].numeric)
            fail_msg("\"%s\"", rows[i].text);
}

// --- of web services

static struct web_address address;
static struct error error;

TEST(addresses_have_their_parts)
{
    assert_true(host_port_parse_web("http://directory.example.org", &address, &error));
    assert_string_equal(address.place.host, "directory.example.org");
    assert_int_equal(address.place.port, 80);
    assert_string_equal(address.authority, "directory.example.org");
    assert_string_equal(address.path, "");
    assert_true(host_port_parse_web("HTTP://[::1]:8080/dead%20fall/", &address, &error));
    assert_string_equal(address.place.host, "::1");
    assert_int_equal(address.place.port, 8080);
    assert_string_equal(address.authority, "[::1]:8080");
    assert_string_equal(address.path, "/dead%20fall");
}

TEST(anything_else_is_refused)
{
    char large[600] = "http://";
    static const char *const texts[] = {"",
                                        "http://",
                                        "directory.example.org",
                                        "ftp://directory.example.org",
                                        "http://host:0",
                                        "http://host:65536",
                                        "http://us er/",
                                        "http://user@host/",
                                        "http://host\r\nX: y/",
                                        "http://host/a b",
                                        "http://host/a\r\nX: y",
                                        "http://host/?query",
                                        "http://host/#key",
                                        "http://host\"/"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        if (host_port_parse_web(texts[i], &address, &error))
            fail_msg("\"%s\" is accepted", texts[i]);
    assert_false(host_port_parse_web("https://directory.example.org", &address, &error));
    assert_non_null(strstr(error.text, "write http://"));
    memset(large + 7, 'a', 500);
    assert_false(host_port_parse_web(large, &address, &error));
}
