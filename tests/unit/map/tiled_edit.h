// SPDX-License-Identifier: MIT
//
// Helps to test the Tiled reader with a valid map in which one place is changed. The texts are written with ' for ".
#ifndef TILED_EDIT_H
#define TILED_EDIT_H

#include "game/map/tiled/map_file.h"

/// One reading.
struct tiled_edit {
    struct map map;
    struct error error;
    char text[16384];
};

/// One row of a table of bad maps.
struct tiled_bad {
    const char *old, *new;
    enum tiled_fault fault;
    const char *text; ///< NULL: any text
};

/// One row of a table of numbers: what replaces `old` has a %d, which may be from `least` to `most`.
struct tiled_range {
    const char *old, *new, *name;
    int32_t least, most;
};

/// Turns every ' into ".
void tiled_quote(char *text);

/// Reads the good text, as pit.tmj, with the first `old` replaced; `old` must be there.
bool tiled_read_edited(struct tiled_edit *edit, const char *good, const char *old, const char *new);

/// Expects that each row's least and most are valid numbers, and that one beyond is refused with the range.
void tiled_expect_ranges(struct tiled_edit *edit, const char *good, const struct tiled_range *rows, size_t count);

/// Expects that the change of each row is refused with its fault and text.
void tiled_expect_bad(struct tiled_edit *edit, const char *good, const struct tiled_bad *rows, size_t count);

#endif
