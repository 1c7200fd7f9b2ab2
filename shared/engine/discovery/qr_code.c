// SPDX-License-Identifier: MIT
#include "qr_code.h"

#include <stdio.h>
#include <string.h>

#ifdef DEADFALL_QR_CODES // else there is no library that makes codes
#include <qrencode.h>
#endif

#define COLOURS "\x1b[38;5;16;48;5;231m" // of the 256 that themes leave alone
#define PLAIN   "\x1b[0m"

static uint32_t whole_side(const struct qr_code *code)
{
    return code->side + 2 * QR_CODE_QUIET;
}

uint32_t qr_code_lines(const struct qr_code *code)
{
    return code->side ? (whole_side(code) + 1) / 2 : 0;
}

// Rows and columns count from the corner of the quiet zone.
static bool is_dark(const struct qr_code *code, uint32_t row, uint32_t column)
{
    uint32_t y = row - QR_CODE_QUIET, x = column - QR_CODE_QUIET; // beyond any side in the quiet zone above and left
    return y < code->side && x < code->side && code->dark[y * code->side + x];
}

void qr_code_line(const struct qr_code *code, uint32_t line, char text[QR_CODE_LINE_BYTES])
{
    static const char *const BLOCKS[] = {" ", "\u2580", "\u2584", "\u2588"}; // none, upper half, lower half, both
    char *end = text + sprintf(text, "%s", COLOURS);
    for (uint32_t column = 0; column < whole_side(code); column++) {
        bool upper = is_dark(code, 2 * line, column), lower = is_dark(code, 2 * line + 1, column);
        end = stpcpy(end, BLOCKS[upper + 2 * lower]);
    }
    strcpy(end, PLAIN);
}

void qr_code_make(struct qr_code *code, const char *text)
{
    code->side = 0;
#ifdef DEADFALL_QR_CODES
    QRcode *made = QRcode_encodeString8bit(text, 0, QR_ECLEVEL_L);
    if (!made)
        return;
    if (made->width <= QR_CODE_SIDE_MAX) {
        code->side = (uint32_t)made->width;
        for (uint32_t i = 0; i < code->side * code->side; i++)
            code->dark[i] = made->data[i] & 1;
    }
    QRcode_free(made);
#else
    (void)text;
#endif
}
