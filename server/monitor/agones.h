// SPDX-License-Identifier: MIT
//
// Reports the server to Agones, which runs fleets of game servers: ready, healthy while it ticks, allocated while
// anybody plays, its players, map and mode; and listens for the request to shut down. It runs in a thread of its own
// and reads the status snapshot, so the tick never waits for it.
#ifndef MONITOR_AGONES_H
#define MONITOR_AGONES_H

#include "status_snapshot.h"

/// Where the sidecar listens unless AGONES_SDK_HTTP_PORT says otherwise.
#define AGONES_PORT 9358

struct agones;

/// Starts the thread. `publisher` and `log` must outlive it. Null without memory or threads.
struct agones *agones_open(uint16_t port, struct status_publisher *publisher, const struct log *log);
/// Returns true once the fleet has asked this server to shut down.
bool agones_wants_shutdown(const struct agones *agones);
/// Reports the shutdown and frees; accepts null. Takes four seconds at most, a moment if the sidecar answers.
void agones_close(struct agones *agones);

#endif
