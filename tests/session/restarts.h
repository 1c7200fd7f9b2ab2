// SPDX-License-Identifier: MIT
//
// A session in which the server ends and is followed by another, which has its key, its port and its journal: as when
// it crashes and is started again, or restarts as planned. Over ENet and virtual_udp.h. While no server runs, clients
// go on: what they send after a crash is lost, and what they send in a planned restart waits for the next server.
#ifndef SESSION_RESTARTS_H
#define SESSION_RESTARTS_H

#include "lifecycle/crash_recovery.h"
#include "session.h"

#define RESTARTS_PATH_BYTES 64

/// About 200 KB: keep it static.
struct restarts {
    struct settings settings; ///< the key and the journal are in its state directory
    char folder[RESTARTS_PATH_BYTES], key[RESTARTS_PATH_BYTES];
    struct log log;
    int socket;               ///< of all servers
    struct recorder *journal; ///< of the server that runs
    struct journal_end end;   ///< what the newest server has read
};

/// Begins a session on the shipped map of this name. Fails the test if it cannot.
void restarts_begin(struct restarts *restarts, uint64_t seed, const char *map, const struct impairment *impairment);
/// Kills the server; so many bytes at the end of its journal have not reached the disk.
void restarts_kill(struct restarts *restarts, size_t torn_bytes);
/// Ends the server after it has announced the next one.
void restarts_announce(struct restarts *restarts);
/// Starts the next server with what the journal has, and checks that this is, word for word, a world of the last one.
void restarts_start(struct restarts *restarts);
/// Ends the session and removes its files.
void restarts_end(struct restarts *restarts);

#endif
