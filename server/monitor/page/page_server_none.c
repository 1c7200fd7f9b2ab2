// SPDX-License-Identifier: MIT
//
// Where a program cannot serve the web.
#include "page_server.h"

#include <stddef.h>

#include "options/options.h"

bool page_server_check(const struct page_config *config, struct error *error)
{
    (void)config;
    return error_set_code(error, EXIT_UNAVAILABLE, "on this system a server has no page: leave --page off");
}

struct page_server *page_server_open(const struct page_config *config, struct error *error)
{
    page_server_check(config, error);
    return NULL;
}

uint16_t page_server_port(const struct page_server *server)
{
    (void)server;
    return 0;
}

uint32_t page_server_stale(const struct page_server *server)
{
    (void)server;
    return 0;
}

const struct page_site *page_server_site(const struct page_server *server)
{
    (void)server;
    return NULL;
}

void page_server_close(struct page_server *server)
{
    (void)server;
}
