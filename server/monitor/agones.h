// SPDX-License-Identifier: MIT
//
// A server as one of a fleet: tells Agones' sidecar that it is ready, healthy as long as its ticks go on, allocated
// while anybody plays, who plays, which map and mode; and listens for the order to end. All in a thread of its own,
// from the published copy: the tick never waits for it.
#ifndef MONITOR_AGONES_H
#define MONITOR_AGONES_H

#include "status_snapshot.h"

/// Where the sidecar listens unless AGONES_SDK_HTTP_PORT says otherwise.
#define AGONES_PORT 9358

struct agones;

/// Begins to tell. `published` and `log` must outlive it. Null when memory or threads are out.
struct agones *agones_open(uint16_t port, struct status_publisher *publisher, const struct log *log);
/// True once the fleet has ordered this server to end.
bool agones_wants_shutdown(const struct agones *agones);
/// Says that the server ends, and frees; null: nothing. Takes four seconds at most, a moment if the sidecar answers.
void agones_close(struct agones *agones);

#endif
