// SPDX-License-Identifier: MIT
//
// Tests how the lines of the control socket are read.
#include "unit.h"

#include "bots/control.h"

TEST(each_command_is_read)
{
    static const struct {
        const char *line;
        enum control_kind kind;
        uint32_t count;
        const char *text;
    } rows[] = {
        /* 1 */ {"count 0", CONTROL_COUNT, 0, "0"},
        /* 2 */ {"count    20", CONTROL_COUNT, 20, "20"},
        /* 3 */ {"behaviour churn", CONTROL_BEHAVIOUR, 0, "churn"},
        /* 4 */ {"mark restart", CONTROL_MARK, 0, "restart"},
        /* 5 */ {"mark   the server restarts", CONTROL_MARK, 0, "the server restarts"},
        /* 6 */ {"mark \"the server restarts\"", CONTROL_MARK, 0, "the server restarts"},
        /* 7 */ {"mark \"", CONTROL_MARK, 0, "\""},
        /* 8 */ {"mark \"\"", CONTROL_MARK, 0, ""},
        /* 9 */ {"stop", CONTROL_STOP, 0, ""},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct control_command command = {.count = 99};
        struct error error = {0};
        if (!control_parse(&command, rows[i].line, 20, &error))
            fail_msg("row %zu: %s", i + 1, error.text);
        if (command.kind != rows[i].kind || command.count != rows[i].count ||
            command.text_bytes != strlen(rows[i].text) || memcmp(command.text, rows[i].text, command.text_bytes) != 0 ||
            (command.kind == CONTROL_BEHAVIOUR && command.mix.shares[BEHAVIOUR_CHURN] != 1))
            fail_msg("row %zu: kind %d, count %u, '%.*s'", i + 1, command.kind, command.count, (int)command.text_bytes,
                     command.text);
    }
}

TEST(anything_else_is_refused_with_what_to_write)
{
    static const char words[] = "write count N, behaviour MIX, mark TEXT or stop";
    static const struct {
        const char *line, *text;
    } rows[] = {
        /*  1 */ {"", words},
        /*  2 */ {" stop", words},
        /*  3 */ {"sto", words},
        /*  4 */ {"stops", words},
        /*  5 */ {"stop now", words},
        /*  6 */ {"mark", words},
        /*  7 */ {"mark ", words},
        /*  8 */ {"count", "count: write a number from 0 to 20"},
        /*  9 */ {"count 21", "count: write a number from 0 to 20"},
        /* 10 */ {"count 4294967297", "count: write a number from 0 to 20"},
        /* 11 */ {"count -1", "count: write a number from 0 to 20"},
        /* 12 */ {"count 2x", "count: write a number from 0 to 20"},
        /* 13 */ {"behaviour dance", "--behaviour 'dance'"},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct control_command command;
        struct error error = {0};
        if (control_parse(&command, rows[i].line, 20, &error) ||
            strncmp(error.text, rows[i].text, strlen(rows[i].text)) != 0)
            fail_msg("row %zu: '%s'", i + 1, error.text);
    }
}
