// SPDX-License-Identifier: MIT
//
// Runs a deadfall-server of our own beside the window: starts the program that lies next to this one on a free port
// of this machine, waits for its ready line, and ends it with the window, however that ends.
#ifndef APP_PLATFORM_LOCAL_SERVER_H
#define APP_PLATFORM_LOCAL_SERVER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/error.h"
#include "net/transport.h"

/// A running server.
struct local_server {
    pid_t process;                           ///< 0: none
    int output;                              ///< its standard output
    uint16_t port;                           ///< of its ready line
    char fingerprint[NET_FINGERPRINT_BYTES]; ///< of its key, from there too
    int exit_code; ///< after local_server_start has failed: what the server refused with, by sysexits.h; else 0
};

/// Starts the server with these arguments (after "--resume never"; ends with null) and waits for it.
/// False with a sentence if it cannot be started or ends before it is ready.
bool local_server_start(struct local_server *host, const char *const *arguments, struct error *error);

/// Asks it to end and waits for that; a server that does not listen is killed after 5 s. Harmless without one.
void local_server_stop(struct local_server *host);

#endif
