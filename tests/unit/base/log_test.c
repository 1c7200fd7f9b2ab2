// SPDX-License-Identifier: MIT
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/log.h"

static int64_t noon(void)
{
    return 1000000000;
}

static void lines_are_text_or_json_and_cannot_be_forged(void **state)
{
    (void)state;
    static const struct {
        struct log log;
        enum log_level level;
        const char *text, *expected;
    } rows[] = {
        /* 1 */ {{.level = LOG_INFO}, LOG_INFO, "hello", "info: hello\n"},
        /* 2 */ {{.level = LOG_INFO}, LOG_DEBUG, "hello", ""}, // beyond the level
        /* 3 */ {{.level = LOG_INFO, .unix_time = noon}, LOG_ERROR, "x", "2001-09-09T01:46:40Z error: x\n"},
        /* 4 */ {{.level = LOG_INFO}, LOG_INFO, "a\nerror: b\x1b[2J", "info: a\\x0aerror: b\\x1b[2J\n"},
        /* 5 */
        {{.level = LOG_DEBUG, .format = LOG_JSON, .unix_time = noon},
         LOG_WARNING,
         "say \"hi\"\\\t",
         "{\"time\":\"2001-09-09T01:46:40Z\",\"level\":\"warning\",\"message\":\"say \\\"hi\\\"\\\\\\u0009\"}\n"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char found[400] = "";
        struct log log = rows[i].log;
        log.out = fmemopen(found, sizeof found, "w");
        log_write(&log, rows[i].level, "%s", rows[i].text);
        fclose(log.out);
        if (strcmp(found, rows[i].expected) != 0)
            fail_msg("row %zu: %s", i + 1, found);
    }
}

static void without_a_log_nothing_is_written(void **state)
{
    (void)state;
    log_write(NULL, LOG_ERROR, "nothing");
    log_write(&(struct log){.level = LOG_DEBUG}, LOG_ERROR, "nothing");
}

int main(void)
{
    struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_are_text_or_json_and_cannot_be_forged),
        cmocka_unit_test(without_a_log_nothing_is_written),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
