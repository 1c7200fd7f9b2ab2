// SPDX-License-Identifier: MIT
//
// Where a program cannot serve the web.
#include "http_server.h"

struct http_server *http_server_open(const char *address_text, struct status_publisher *publisher,
                                     const struct status_server *server, struct error *error)
{
    (void)address_text, (void)publisher, (void)server;
    error_set(error, "on this system a server has no metrics: leave --metrics off");
    return NULL;
}

uint16_t http_server_port(const struct http_server *http)
{
    (void)http;
    return 0;
}

void http_server_close(struct http_server *http)
{
    (void)http;
}
