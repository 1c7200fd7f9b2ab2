// SPDX-License-Identifier: MIT
//
// The line that /play and /watch answer: how a server is joined on which a place is now reserved, and where a match can
// be watched. A server that is reached only by an introduction is joined by the name of this directory, too.
#ifndef DIRECTORY_PLACE_LINE_H
#define DIRECTORY_PLACE_LINE_H

#include "places.h"

/// Reserves a place and writes ADDRESS:PORT#FINGERPRINT or ADDRESS:PORT#FINGERPRINT@HOST:PORT, and the end of the line.
/// `through` is HOST or HOST:PORT by which players know this directory; it introduces nobody if that is no host. The
/// caller frees the line. Null: no server has room, or there is no memory.
char *place_line_play(struct directory *directory, const struct directory_wanted *wanted, const char *through,
                      uint64_t now_ns);
/// Writes where the best match can be watched, and the end of the line. The caller frees it. Null: nowhere.
char *place_line_live(const struct directory *directory, const struct directory_wanted *wanted);

#endif
