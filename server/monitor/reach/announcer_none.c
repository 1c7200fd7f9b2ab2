// SPDX-License-Identifier: MIT
//
// Where a server is in no list, because nobody else can reach it.
#include "announcer.h"

struct announcer *announcer_open(const struct announcer_config *config)
{
    (void)config;
    return NULL;
}

void announcer_set_password(struct announcer *announcer, bool has_password)
{
    (void)announcer, (void)has_password;
}

void announcer_set_port(struct announcer *announcer, uint16_t port)
{
    (void)announcer, (void)port;
}

uint32_t announcer_read(struct announcer *announcer, struct announcer_row rows[ANNOUNCER_ROWS_MAX])
{
    (void)announcer, (void)rows;
    return 0;
}

uint32_t announcer_punch(struct announcer *announcer,
                         struct punch_host_directory directories[PUNCH_HOST_DIRECTORIES_MAX])
{
    (void)announcer, (void)directories;
    return 0;
}

void announcer_close(struct announcer *announcer, bool leaves)
{
    (void)announcer, (void)leaves;
}
