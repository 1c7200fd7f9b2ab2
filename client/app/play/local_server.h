// SPDX-License-Identifier: MIT
//
// Runs a deadfall-server as a child of this program: starts the executable that lies beside this one on a free port of
// this machine, waits for its ready line, and stops it when the window closes, even if the window crashes.
#ifndef APP_PLATFORM_LOCAL_SERVER_H
#define APP_PLATFORM_LOCAL_SERVER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/platform/child.h"
#include "discovery/invitation.h"
#include "net/transport.h"

/// A running server.
struct local_server {
    struct child child;
    uint16_t port;                            ///< of its ready line; 0: it is not ready
    char fingerprint[FINGERPRINT_TEXT_BYTES]; ///< of its key, from there too
    struct invitation invitation;             ///< as the server said last; without an address: it has not
    int exit_code; ///< after local_server_start has failed: what the server refused with, by sysexits.h; else 0
};

/// Arguments of a server at most, with the null pointer behind them.
#define LOCAL_SERVER_ARGUMENTS 48

/// Starts the server with these arguments, which follow "--resume never" and end with NULL, and waits until it is
/// ready; where nothing can be waited for, in a page, it starts afterwards. Returns false with an error if it cannot be
/// started or ends before it is ready.
bool local_server_start(struct local_server *host, const char *const *arguments, struct error *error);

/// Returns whether the server is on its way to be ready.
bool local_server_starts(const struct local_server *host);

/// Looks how far a server is that starts. Returns false with an error if it has ended instead.
bool local_server_follow(struct local_server *host, struct error *error);

/// Reads what the server has said meanwhile, and waits for nothing. Does nothing if none is running.
void local_server_listen(struct local_server *host);

/// Asks the server to end and waits for it; kills it after 5 s. Does nothing if none is running.
void local_server_stop(struct local_server *host);

#endif
