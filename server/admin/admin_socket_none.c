// SPDX-License-Identifier: MIT
//
// Where no other program of the user can connect.
#include "admin_socket.h"

#include "lifecycle/settings.h"

int admin_socket_open(struct admin_socket **socket, struct admin_state *admin)
{
    *socket = NULL;
    log_write(admin->log, LOG_INFO, "this system has no admin socket");
    return EXIT_OK;
}

void admin_socket_serve(struct admin_socket *socket, uint64_t now_ns)
{
    (void)socket, (void)now_ns;
}

bool admin_socket_is_used(const struct admin_socket *socket)
{
    (void)socket;
    return false;
}

void admin_socket_close(struct admin_socket *socket)
{
    (void)socket;
}
