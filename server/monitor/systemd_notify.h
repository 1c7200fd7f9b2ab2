// SPDX-License-Identifier: MIT
//
// Tells the service manager how the server fares: that it is ready, alive, reads its config again, ends. systemd's
// protocol: a datagram of "NAME=value" lines to the Unix socket that $NOTIFY_SOCKET names (source: sd_notify(3)). Where
// nobody asks for it, nothing happens. Never blocks: a word that finds no room is lost. Reads no clock; allocates
// nothing.
#ifndef MONITOR_SYSTEMD_NOTIFY_H
#define MONITOR_SYSTEMD_NOTIFY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/error.h"

/// What the server goes through.
enum systemd_notify_phase {
    SYSTEMD_NOTIFY_READY,     ///< it plays; also after a reload
    SYSTEMD_NOTIFY_RELOADING, ///< it reads its config
    SYSTEMD_NOTIFY_STOPPING,  ///< it drains
};

/// See above. Initialise by systemd_notify_open.
struct systemd_notify {
    int socket;            ///< -1: nobody asked
    bool ready;            ///< the manager knows that the server is ready
    uint64_t watchdog_ns;  ///< between two signs of life; 0: none are wanted
    uint64_t alive_due_ns; ///< the next one
    uint64_t status_due_ns;
    uint64_t ticks; ///< at the last sign of life
    char status[160];
};

/// Connects to the manager's socket: NOTIFY_SOCKET (a path, or '@' and a name outside of all folders), WATCHDOG_USEC
/// and WATCHDOG_PID of the environment, which is like getenv. True as well when there is none; false with a sentence
/// when it cannot be reached: the server runs on without.
bool systemd_notify_open(struct systemd_notify *notify, char *(*environment)(const char *name), pid_t self,
                         struct error *error);

/// Tells a phase.
void systemd_notify_phase(struct systemd_notify *notify, enum systemd_notify_phase phase, uint64_t now_ns);

/// Tells what is due, once the server is ready: a sign of life twice in each period of the watchdog, but only when
/// `ticks` has moved since the last one or the match `sleeps`, and `status` once it differs, at most once a second.
void systemd_notify_send(struct systemd_notify *notify, uint64_t ticks, bool sleeps, const char *status,
                         uint64_t now_ns);

/// Closes the socket.
void systemd_notify_close(struct systemd_notify *notify);

#endif
