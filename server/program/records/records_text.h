// SPDX-License-Identifier: MIT
//
// Writes records as text: lines for chat and for administrators, and CSV for spreadsheets. Names come from strangers,
// so in CSV they are quoted and never taken for a formula.
#ifndef RECORDS_RECORDS_TEXT_H
#define RECORDS_RECORDS_TEXT_H

#include "base/log.h"
#include "net/crypto/identity.h"
#include "records_database.h"

/// Bytes of the line of records_text_top(), with its final zero.
#define RECORDS_LINE_BYTES 256

/// Writes a line about a player, like "1. Ada 1532 ±80, matches 14, won 5, kills 120, deaths 80".
void records_text_top(const struct records_player *player, char line[RECORDS_LINE_BYTES]);
/// Writes everything about each player, in some lines, as many players as fit whole. Returns the length.
size_t records_text_players(const struct records_player *players, uint32_t count, char *text, size_t text_bytes);

/// Returns everything about a player as the values of a line. `key` holds the fingerprint, and both must stay as long.
struct fields records_text_fields(const struct records_player *player, char key[FINGERPRINT_TEXT_BYTES]);

/// Writes the first line of a CSV file. False if it cannot be written.
bool records_text_csv_header(FILE *out);
/// Writes a player's line (RFC 4180). A name that a spreadsheet would take for a formula gets an apostrophe before it.
/// False if it cannot be written.
bool records_text_csv_row(FILE *out, const struct records_player *player);

#endif
