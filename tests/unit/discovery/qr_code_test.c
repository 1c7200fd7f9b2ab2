// SPDX-License-Identifier: MIT
//
// Tests the lines of a code in a terminal; system.terminal_code has them read by a reader of codes.
#include <string.h>

#include "discovery/qr_code.h"
#include "test.h"

#define START "\x1b[38;5;16;48;5;231m"
#define END   "\x1b[0m"

static struct qr_code code;

// Reads the modules of a line back, the upper ones into the first row. Returns the number of columns.
static uint32_t read_line(const char *line, bool rows[2][QR_CODE_SIDE_MAX + 2 * QR_CODE_QUIET])
{
    static const char *const BLOCKS[] = {" ", "\u2580", "\u2584", "\u2588"};
    uint32_t columns = 0;
    assert_memory_equal(line, START, strlen(START));
    for (line += strlen(START); strcmp(line, END) != 0; columns++) {
        uint32_t block = 0;
        while (strncmp(line, BLOCKS[block], strlen(BLOCKS[block])) != 0)
            assert_true(++block < 4);
        rows[0][columns] = block & 1;
        rows[1][columns] = block & 2;
        line += strlen(BLOCKS[block]);
    }
    return columns;
}

static void check_lines(void)
{
    bool rows[2][QR_CODE_SIDE_MAX + 2 * QR_CODE_QUIET];
    char text[QR_CODE_LINE_BYTES];
    uint32_t side = code.side + 2 * QR_CODE_QUIET, dark = 0, expected = 0;
    assert_int_equal(qr_code_lines(&code), (side + 1) / 2);
    for (uint32_t line = 0; line < qr_code_lines(&code); line++) {
        qr_code_line(&code, line, text);
        assert_in_range(strlen(text), side, sizeof text - 1);
        assert_int_equal(read_line(text, rows), side);
        for (uint32_t half = 0; half < 2; half++)
            for (uint32_t column = 0; column < side; column++) {
                uint32_t y = 2 * line + half - QR_CODE_QUIET, x = column - QR_CODE_QUIET;
                bool is_module = y < code.side && x < code.side;
                assert_int_equal(rows[half][column], is_module && code.dark[y * code.side + x]);
                dark += rows[half][column];
            }
    }
    for (uint32_t i = 0; i < code.side * code.side; i++)
        expected += code.dark[i];
    assert_int_equal(dark, expected); // no row is missing
}

TEST(the_lines_for_a_terminal_have_all_modules_and_a_quiet_zone)
{
    char text[368];
    qr_code_make(&code, "deadfall://203.0.113.7:27440#abcdefghijklmnopqrstuvwxyz234567");
    assert_int_equal(code.side, 33);
    check_lines();
    memset(text, 'a', sizeof text);
    text[367] = 0;
    qr_code_make(&code, text);
    assert_int_equal(code.side, QR_CODE_SIDE_MAX);
    check_lines();
}

TEST(a_text_that_is_too_long_has_no_code)
{
    char text[4000];
    memset(text, 'a', sizeof text - 1);
    text[sizeof text - 1] = 0;
    for (size_t bytes = 368; bytes < sizeof text; bytes += sizeof text - 369) {
        qr_code_make(&code, text + sizeof text - 1 - bytes);
        assert_int_equal(code.side, 0);
        assert_int_equal(qr_code_lines(&code), 0);
    }
}
