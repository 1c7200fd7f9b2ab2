// SPDX-License-Identifier: MIT
//
// A text as a QR code, for the camera of a telephone or of a friend: square modules, and around them a quiet zone. The
// window draws it, and a terminal shows it as lines of text.
#ifndef DISCOVERY_QR_CODE_H
#define DISCOVERY_QR_CODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Modules of a side at most: version 12, which has room for 367 letters.
#define QR_CODE_SIDE_MAX 65
/// Light modules around the code, as ISO/IEC 18004 wants.
#define QR_CODE_QUIET 4
/// Bytes of a line for a terminal: a character of at most three for each column, the colours, the end.
#define QR_CODE_LINE_BYTES (3 * (QR_CODE_SIDE_MAX + 2 * QR_CODE_QUIET) + 32)

/// Modules, row by row.
struct qr_code {
    uint32_t side; ///< 0: there is no code
    bool dark[QR_CODE_SIDE_MAX * QR_CODE_SIDE_MAX];
};

/// Makes the code of a text. Without room or memory there is none.
void qr_code_make(struct qr_code *code, const char *text);
/// Returns how many lines the code has in a terminal, with its quiet zone; 0: there is none.
uint32_t qr_code_lines(const struct qr_code *code);
/// Writes one of them: two rows of modules in half blocks, black on white whatever the colours of the terminal are.
void qr_code_line(const struct qr_code *code, uint32_t line, char text[QR_CODE_LINE_BYTES]);

#endif
