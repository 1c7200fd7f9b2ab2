// SPDX-License-Identifier: MIT
//
// Rows of records as tests write them, and a folder for the files that they make.
#ifndef TEST_RECORDS_ROWS_H
#define TEST_RECORDS_ROWS_H

#include "records/records_database.h"

/// What player `letter` (his key is 32 times that letter) called `name` earned: kills and deaths; a tick played each.
struct records_row records_row(char letter, const char *name, uint32_t kills, uint32_t deaths);

/// A path in a folder made for this program, removed at its end.
const char *records_path(const char *file);

/// The player of that letter as the file at `path` has him. Fails the test if there is none.
struct records_player records_read(const char *path, char letter);

/// Runs SQL on the file at `path`, as another program would. Fails the test if it fails.
void records_sql(const char *path, const char *sql);

/// The one number that SQL answers.
long records_number(const char *path, const char *sql);

#endif
