// SPDX-License-Identifier: MIT
//
// Shares the list of a directory with others that serve the same name, through a Redis: a stream of what each of them
// has seen proven, and of the places that it reserves, and one of the notes that players leave for their friends. Each
// still has all in memory and answers from that; a thread of its own sends and reads changes, so nobody waits for
// Redis. While Redis is away each goes on with what it has, says so once, and tries again every second. What comes from
// Redis is read as a stranger's bytes: the signatures of announcements count there too. Source: redis.io/docs, streams.
#ifndef DIRECTORY_STORE_H
#define DIRECTORY_STORE_H

#include <pthread.h>

#include "base/host_port.h"
#include "directory/directory.h"

struct store_address {
    struct host_port place; ///< with its port, 6379 if none is written
    uint32_t database;      ///< its number
    bool is_secure;         ///< by TLS
};

/// Parses redis://HOST[:PORT][/DB], or rediss:// for TLS. False for anything else.
bool store_address_parse(const char *text, struct store_address *address);

struct store;

/// What a store needs; the texts must outlive it.
struct store_settings {
    const char *address;       ///< valid
    const char *password_file; ///< read at each connection; "": none
    const char *tls;           ///< folder of certificates, see redis_connection_target
    const uint8_t *secret;     ///< of the directory's key, which the others have too
};

/// Begins to share a directory, which is locked by `lock`. Null with an error.
struct store *store_open(const struct store_settings *settings, struct directory *directory, pthread_mutex_t *lock,
                         struct error *error);
/// Ends its thread, within a few seconds; accepts null.
void store_close(struct store *store);

#endif
