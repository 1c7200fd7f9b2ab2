// SPDX-License-Identifier: MIT
#include <string.h>

#include "discovery/web_address.h"
#include "test.h"

static struct web_address address;
static struct error error;

TEST(addresses_have_their_parts)
{
    assert_true(web_address_parse("http://directory.example.org", &address, &error));
    assert_string_equal(address.place.host, "directory.example.org");
    assert_int_equal(address.place.port, 80);
    assert_string_equal(address.authority, "directory.example.org");
    assert_string_equal(address.path, "");
    assert_true(web_address_parse("HTTP://[::1]:8080/dead%20fall/", &address, &error));
    assert_string_equal(address.place.host, "::1");
    assert_int_equal(address.place.port, 8080);
    assert_string_equal(address.authority, "[::1]:8080");
    assert_string_equal(address.path, "/dead%20fall");
}

TEST(https_is_refused_with_a_reason)
{
    assert_false(web_address_parse("https://directory.example.org", &address, &error));
    assert_non_null(strstr(error.text, "write http://"));
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
        if (web_address_parse(texts[i], &address, &error))
            fail_msg("\"%s\" is accepted", texts[i]);
    memset(large + 7, 'a', 500);
    assert_false(web_address_parse(large, &address, &error));
}
