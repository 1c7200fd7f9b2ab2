// SPDX-License-Identifier: MIT
//
// deadfall-server --healthcheck: asks the server that runs on this machine how it does, as a server browser would
// (A2S), and ends. For containers, whose image then needs no other program. Called by main.c instead of a match.
#ifndef MONITOR_HEALTHCHECK_H
#define MONITOR_HEALTHCHECK_H

#include "lifecycle/settings.h"

/// Time that one server has for its answer, ms; a lost datagram is asked for again within it.
#define HEALTHCHECK_MS 2000

/// Asks at the port and address of the settings. EXIT_OK with a line on stdout, or EXIT_FAILED with one on stderr.
int healthcheck(const struct settings *settings);

#endif
