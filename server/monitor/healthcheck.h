// SPDX-License-Identifier: MIT
//
// deadfall-server --healthcheck: queries the server on this machine by A2S, as a server browser does, and exits. It is
// for containers, whose image then needs no other program. main.c calls it instead of running a match.
#ifndef MONITOR_HEALTHCHECK_H
#define MONITOR_HEALTHCHECK_H

#include "lifecycle/settings.h"

/// Time that one server has for its answer, ms; a lost datagram is asked for again within it.
#define HEALTHCHECK_MS 2000

/// Asks at the port and address of the settings. EXIT_OK with a line on stdout, or EXIT_FAILED with one on stderr.
int healthcheck(const struct settings *settings);

#endif
