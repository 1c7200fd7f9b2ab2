// SPDX-License-Identifier: MIT
//
// Where a server belongs to no fleet.
#include "agones.h"

struct agones *agones_open(uint16_t port, const char *fingerprint, struct status_publisher *publisher,
                           const struct log *log)
{
    (void)port, (void)fingerprint, (void)publisher;
    log_write(log, LOG_ERROR, "on this system a server belongs to no fleet: leave --agones off");
    return NULL;
}

bool agones_wants_shutdown(const struct agones *agones)
{
    (void)agones;
    return false;
}

void agones_close(struct agones *agones)
{
    (void)agones;
}
