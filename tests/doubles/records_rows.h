// SPDX-License-Identifier: MIT
//
// Rows of records for tests, and a folder for their files.
#ifndef TEST_RECORDS_ROWS_H
#define TEST_RECORDS_ROWS_H

#include "records/records_database.h"

/// Returns the row of player `letter`, with 32 times that letter as key, called `name`: kills and deaths, and a tick
/// played.
struct records_row records_row(char letter, const char *name, uint32_t kills, uint32_t deaths);

/// Returns a path in a folder of this program, which is removed at its end.
const char *records_path(const char *file);

/// Returns the player of a letter in the file at `path`. Fails the test if there is none.
struct records_player records_read(const char *path, char letter);

/// Runs SQL on the file at `path`, as another program would. Fails the test if it fails.
void records_sql(const char *path, const char *sql);

/// Returns the single number that an SQL query gives.
long records_number(const char *path, const char *sql);

#endif
