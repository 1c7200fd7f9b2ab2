// SPDX-License-Identifier: MIT
//
// Merges the reports of several load-test processes, on one machine or many, into one: counts and buckets add up, rows
// of the series that are of the same moment become one, marks and outages keep their time. The processes should start
// at the same moment (--start-at), and the clocks of their machines agree.
#ifndef BOTS_MERGE_H
#define BOTS_MERGE_H

#include "settings.h"

/// Merges the files of the command line, prints the summary and writes the files. Returns the exit code of a run that
/// had all clients; EXIT_DATA or EXIT_IO, with a message, if a file is no report or cannot be read.
enum exit_code merge_run(const struct settings *settings, FILE *out, FILE *err);

#endif
