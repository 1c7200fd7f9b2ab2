// SPDX-License-Identifier: MIT
//
// For builds without the libraries that talk to routers.
#include "port_mapping.h"

struct port_mapping *port_mapping_open(uint16_t port, const struct log *log)
{
    log_write(log, LOG_WARNING, "this build cannot ask routers; forward UDP port %u in the router's settings", port);
    return NULL;
}

void port_mapping_read(struct port_mapping *mapping, struct port_mapping_result *result)
{
    (void)mapping;
    *result = (struct port_mapping_result){0};
}

void port_mapping_close(struct port_mapping *mapping, bool leaves)
{
    (void)mapping;
    (void)leaves;
}
