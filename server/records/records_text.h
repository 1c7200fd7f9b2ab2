// SPDX-License-Identifier: MIT
//
// Records as people read them: lines for chat and the administrator, and CSV for a spreadsheet. A name comes from
// anyone; in CSV it is data, whatever it begins with.
#ifndef RECORDS_RECORDS_TEXT_H
#define RECORDS_RECORDS_TEXT_H

#include "records_database.h"

/// Enough for one line of records_text_top and its end.
#define RECORDS_LINE_BYTES 256

/// "1. Ada 1532, 14 matches, 5 won, 120 kills, 80 deaths": a line a player, ended by a newline each, as many as fit
/// whole. Returns the length.
size_t records_text_top(const struct records_player *players, uint32_t count, char *text, size_t text_bytes);
/// All that is known of each, some lines a player. Returns the length.
size_t records_text_players(const struct records_player *players, uint32_t count, char *text, size_t text_bytes);

/// The first line of a CSV.
bool records_text_csv_header(FILE *out);
/// One line (RFC 4180). A name that a spreadsheet would take for a formula gets an apostrophe before it. False when it
/// cannot be written.
bool records_text_csv_row(FILE *out, const struct records_player *player);

#endif
