// SPDX-License-Identifier: MIT
//
// Reports the server to Agones, which runs fleets of game servers: where and with which key it is found, its map and
// mode, ready, healthy while it ticks, allocated while anybody plays or is expected, its players; and listens for
// allocations and for the request to shut down. Everything is repeated until the sidecar has accepted it, and all of it
// after the sidecar was away. It runs in a thread of its own and reads the status snapshot, so the tick never waits.
#ifndef MONITOR_AGONES_H
#define MONITOR_AGONES_H

#include "status.h"

/// Where the sidecar listens unless AGONES_SDK_HTTP_PORT says otherwise.
#define AGONES_PORT 9358

struct agones;

/// Starts the thread. `fingerprint` of the server's key, `publisher` and `log` must outlive it. Null without memory or
/// threads.
struct agones *agones_open(uint16_t port, const char *fingerprint, struct status_publisher *publisher,
                           const struct log *log);
/// Returns true once the fleet has asked this server to shut down.
bool agones_wants_shutdown(const struct agones *agones);
/// Reports the shutdown and frees; accepts null. Takes four seconds at most, a moment if the sidecar answers.
void agones_close(struct agones *agones);

#endif
