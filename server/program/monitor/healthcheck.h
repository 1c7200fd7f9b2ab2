// SPDX-License-Identifier: MIT
//
// deadfall-server --healthcheck: queries the server on this machine by A2S, as a server browser does, and exits.
// Containers use it, so that their image needs no other program. main.c calls it instead of running a match.
#ifndef MONITOR_HEALTHCHECK_H
#define MONITOR_HEALTHCHECK_H

#include "lifecycle/settings.h"

/// How long to wait for the answer, ms; the query is repeated within that time.
#define HEALTHCHECK_MS 2000

/// Queries the address and port of the settings. EXIT_OK with a line on stdout, or EXIT_FAILED with one on stderr.
int healthcheck(const struct settings *settings);

#endif
