// SPDX-License-Identifier: MIT
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "discovery/web_address.h"

static struct web_address address;
static struct error error;

static void addresses_have_their_parts(void **state)
{
    (void)state;
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

static void https_is_refused_with_a_reason(void **state)
{
    (void)state;
    assert_false(web_address_parse("https://directory.example.org", &address, &error));
    assert_non_null(strstr(error.text, "write http://"));
}

static void anything_else_is_refused(void **state)
{
    (void)state;
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

int main(void)
{
    struct CMUnitTest tests[] = {cmocka_unit_test(addresses_have_their_parts),
                                 cmocka_unit_test(https_is_refused_with_a_reason),
                                 cmocka_unit_test(anything_else_is_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
