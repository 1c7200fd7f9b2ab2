// SPDX-License-Identifier: MIT
//
// Notifies the service manager that the server is ready, alive, reloading or stopping, by systemd's protocol: datagrams
// of "NAME=value" lines to the Unix socket in $NOTIFY_SOCKET (source: sd_notify(3)). Does nothing without that
// variable. Never blocks: a datagram that finds no room is lost. Reads no clock and allocates nothing.
#ifndef MONITOR_SYSTEMD_NOTIFY_H
#define MONITOR_SYSTEMD_NOTIFY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/// A phase of the server.
enum systemd_notify_phase {
    SYSTEMD_NOTIFY_READY,     ///< the match runs; also after a reload
    SYSTEMD_NOTIFY_RELOADING, ///< the config is being read
    SYSTEMD_NOTIFY_STOPPING,  ///< the clients are being disconnected
};

/// The connection to the service manager. Initialise by systemd_notify_open().
struct systemd_notify {
    int socket;            ///< -1: there is no manager
    bool ready;            ///< the manager knows that the server is ready
    uint64_t watchdog_ns;  ///< between two signs of life; 0: none are wanted
    uint64_t alive_due_ns; ///< when the next sign of life is due
    uint64_t status_due_ns;
    uint64_t ticks; ///< at the last sign of life
    char status[160];
};

/// Connects to the manager's socket: NOTIFY_SOCKET (a path, or '@' and a name outside of all folders), WATCHDOG_USEC
/// and WATCHDOG_PID of the environment; `environment` is like getenv. Returns true also if there is no manager; false
/// with an error if it cannot be reached.
bool systemd_notify_open(struct systemd_notify *notify, char *(*environment)(const char *name), long self,
                         struct error *error);

/// Reports a phase.
void systemd_notify_phase(struct systemd_notify *notify, enum systemd_notify_phase phase, uint64_t now_ns);

/// Sends what is due once the server is ready: a sign of life twice in each period of the watchdog, if `ticks` has
/// changed since the last one or the match sleeps, and `status` when it changes, at most once a second.
void systemd_notify_send(struct systemd_notify *notify, uint64_t ticks, bool sleeps, const char *status,
                         uint64_t now_ns);

/// Lets the manager, which ends the service, wait this much longer from now on.
void systemd_notify_extend(const struct systemd_notify *notify, uint64_t duration_us);

/// Gives the manager sockets to keep, -1 for none, which the next process gets from it (sd_listen_fds(3)) as soon as
/// this one has ended, however it did. `replaces`: it keeps some already, and has room for no more.
void systemd_notify_keep(const struct systemd_notify *notify, const int sockets[2], bool replaces);

/// Closes the socket.
void systemd_notify_close(struct systemd_notify *notify);

#endif
