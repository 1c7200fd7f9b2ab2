// SPDX-License-Identifier: MIT
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/address.h"
#include "test.h"

#define KEY         "abcdefghijklmnopqrstuvwxyz234567"
#define CERTIFICATE "rUVXWfJ0qV8AxUVUxyWVd0_fC7kmCz-ZgVnFL9XJ8Q4"

TEST(an_address_is_a_host_and_a_port_in_any_usual_form)
{
    static const struct {
        const char *text, *host;
        uint16_t port;
        const char *fingerprint;
    } rows[] = {
        /* 1 */ {"example.org", "example.org", ADDRESS_PORT, NULL},
        /* 2 */ {"example.org:1", "example.org", 1, NULL},
        /* 3 */ {"127.0.0.1:65535", "127.0.0.1", 65535, NULL},
        /* 4 */ {"deadfall://example.org:27441", "example.org", 27441, NULL},
        /* 5 */ {"deadfall://example.org/", "example.org", ADDRESS_PORT, NULL}, // as browsers write it
        /* 6 */ {"[::1]:7", "::1", 7, NULL},
        /* 7 */ {"[::1]", "::1", ADDRESS_PORT, NULL},
        /* 8 */ {"example.org#" KEY, "example.org", ADDRESS_PORT, KEY},
        /* 9 */ {"deadfall://example.org:27441#" KEY, "example.org", 27441, KEY},
        /* 10 */ {"deadfall://example.org/#" KEY, "example.org", ADDRESS_PORT, KEY},
        /* 11 */ {"[::1]:7#" KEY, "::1", 7, KEY},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct address address;
        struct error error = {0};
        if (!address_read(&address, rows[i].text, &error))
            fail_msg("row %zu: %s", i + 1, error.text);
        assert_string_equal(address.host, rows[i].host);
        assert_int_equal(address.port, rows[i].port);
        assert_string_equal(address.fingerprint, rows[i].fingerprint ? rows[i].fingerprint : "");
    }
}

TEST(a_link_says_all_of_an_address)
{
    static const char *const rows[][2] = {
        /* 1 */ {"example.org", "deadfall://example.org:27440"},
        /* 2 */ {"[2001:db8::1]:7#" KEY, "deadfall://[2001:db8::1]:7#" KEY},
        /* 3 */ {"192.0.2.7:7#" KEY "@list.example.org:27480", "deadfall://192.0.2.7:7#" KEY "@list.example.org:27480"},
        /* 4 */ {"192.0.2.7:7#" KEY "@[2001:db8::2]:9", "deadfall://192.0.2.7:7#" KEY "@[2001:db8::2]:9"},
        /* 5 */ {"192.0.2.7:7#" KEY "." CERTIFICATE "@a:9", "deadfall://192.0.2.7:7#" KEY "." CERTIFICATE "@a:9"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct address address;
        struct error error;
        char link[192] = "";
        if (!address_read(&address, rows[i][0], &error))
            fail_msg("row %zu: %s", i + 1, error.text);
        address_link(&address, link, sizeof link);
        assert_string_equal(link, rows[i][1]);
        address_link(&address, link, strlen(rows[i][1]) + 1);
        assert_string_equal(link, rows[i][1]);
        for (size_t room = 1; room <= strlen(rows[i][1]); room++) {
            address_link(&address, link, room); // half of a link leads nowhere, or somewhere else
            assert_string_equal(link, "");
        }
    }
}

TEST(a_bad_address_is_refused_with_an_error_that_quotes_it)
{
    static const char *const rows[] = {
        /* 1 */ "",
        /* 2 */ "host:",
        /* 3 */ "host:0",
        /* 4 */ "host:65536",
        /* 5 */ "host:99999999999999999999",
        /* 6 */ "host:12x",
        /* 7 */ "host:1:2",
        /* 8 */ "[::1",
        /* 9 */ "[::1]7",
        /* 10 */ ":7",
        /* 11 */ "http://host",
        /* 12 */ "deadfall://host/map",
        /* 13 */ "two words",
        /* 14 */ "user@host",
        /* 15 */ "deadfall://",
        /* 16 */ "host#",
        /* 17 */ "host#abc",
        /* 18 */ ("host#" KEY "a"),
        /* 19 */ ("#" KEY),
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct address address;
        struct error error = {0};
        char quoted[96];
        snprintf(quoted, sizeof quoted, "\"%s\"", rows[i]);
        if (address_read(&address, rows[i], &error))
            fail_msg("row %zu was accepted", i + 1);
        assert_non_null(strstr(error.text, quoted));
    }
}

// A link comes from anywhere, and the sentence about it goes to a terminal.
TEST(a_bad_address_is_quoted_without_what_a_terminal_obeys)
{
    static const char *const rows[][2] = {
        /* 1 */ {"deadfall://a\x1b]0;x\x07:1", "\"deadfall://a\\x1b]0;x\\x07:1\""},
        /* 2 */ {"deadfall://\xe2\x80\xaemoc.elpmaxe", "\"deadfall://\\u{202e}moc.elpmaxe\""},
        /* 3 */ {"deadfall://a\xff", "\"deadfall://a\\xff\""},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct address address;
        struct error error = {0};
        if (address_read(&address, rows[i][0], &error) || !strstr(error.text, rows[i][1]))
            fail_msg("row %zu: %s", i + 1, error.text);
    }
}

TEST(a_host_that_is_too_long_is_refused)
{
    struct error error;
    char text[400];
    struct address address;
    memset(text, 'a', sizeof text - 1);
    text[sizeof text - 1] = 0;
    assert_false(address_read(&address, text, &error));
}
