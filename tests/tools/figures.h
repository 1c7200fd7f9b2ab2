// SPDX-License-Identifier: MIT
//
// Figures of recorded play, such as the hash of a match or the ticks of a run, in a file beside the test that asks
// them: a line each, "NAME FIGURE...". A change of play renews them with all other recordings: tests/tools/renew.sh,
// which runs the tests with DEADFALL_RENEW in their environment.
#ifndef TOOLS_FIGURES_H
#define TOOLS_FIGURES_H

#include <stdbool.h>
#include <stdint.h>

/// Compares the figures of a name, in the form of printf, with those in a file. Returns whether they are the same; if
/// not, prints what to do. A test asks for all names before it fails. With DEADFALL_RENEW, keeps the figures.
__attribute__((format(printf, 3, 4))) bool figures_are_kept(const char *path, const char *name, const char *format,
                                                            ...);

#endif
