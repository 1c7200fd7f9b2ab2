// SPDX-License-Identifier: MIT
//
// Where a program cannot take the place of another one in its process: no socket is left by an earlier server.
#include "successor.h"

static bool refuse(struct error *error)
{
    return error_set(error, "on this system a server cannot restart itself: stop it, and start it again");
}

unsigned successor_take(char *(*environment)(const char *name), long self, int sockets[SUCCESSOR_SOCKETS])
{
    (void)environment, (void)self, (void)sockets;
    return 0;
}

bool successor_find(char *path, size_t path_bytes, struct error *error)
{
    (void)path, (void)path_bytes;
    return refuse(error);
}

void successor_keep(const int sockets[SUCCESSOR_SOCKETS], int kept[SUCCESSOR_SOCKETS])
{
    (void)sockets;
    for (size_t i = 0; i < SUCCESSOR_SOCKETS; i++)
        kept[i] = -1;
}

void successor_run(const char *path, char **arguments, const int sockets[SUCCESSOR_SOCKETS], struct error *error)
{
    (void)path, (void)arguments, (void)sockets;
    refuse(error);
}
bool successor_check(struct successor_check *check, const char *path, char **arguments, uint64_t now_ns,
                     struct error *error)
{
    (void)check, (void)path, (void)arguments, (void)now_ns;
    return error_set(error, "on this system a server cannot restart itself");
}

enum successor_outcome successor_poll(struct successor_check *check, uint64_t now_ns, struct error *error)
{
    (void)check, (void)now_ns, (void)error;
    return SUCCESSOR_CHECKING;
}
