// SPDX-License-Identifier: MIT
//
// Compares two reports: which figures of the second are worse than those of the first, by more than a tolerance and by
// more than they vary from interval to interval. That variation is three standard errors of the mean of the series,
// over the intervals in which all clients were connected.
#ifndef BOTS_COMPARE_H
#define BOTS_COMPARE_H

#include "settings.h"

/// Compares the two files of the command line and prints a table and a verdict. EXIT_OK: nothing is worse;
/// EXIT_THRESHOLD: something is; EXIT_BOTTLENECK: the figures of a file do not count; EXIT_DATA or EXIT_IO, with a
/// message, if a file is no report or cannot be read.
enum exit_code compare_run(const struct settings *settings, FILE *out, FILE *err);

#endif
