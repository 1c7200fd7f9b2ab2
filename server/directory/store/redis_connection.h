// SPDX-License-Identifier: MIT
//
// A connection to a Redis, in the clear or by TLS: sends commands in a pipeline and takes the answers in their order,
// and waits at most a second for each. libcurl connects and encrypts, hiredis knows the protocol.
#ifndef DIRECTORY_REDIS_CONNECTION_H
#define DIRECTORY_REDIS_CONNECTION_H

#include <hiredis/hiredis.h>
#include <stdbool.h>

#include "base/error.h"
#include "base/host_port.h"

struct redis_connection;

/// Where a Redis is.
struct redis_connection_target {
    struct host_port place;
    bool is_secure;  ///< by TLS; its certificate must have this host
    const char *tls; ///< folder with ca.crt, and perhaps tls.crt and tls.key; "": the system's authorities
};

/// Makes a reader of answers, which refuses larger arrays than a directory asks for. Null without memory.
redisReader *redis_connection_reader(void);

/// Connects. Null with an error. curl_global_init() must have been called.
struct redis_connection *redis_connection_open(const struct redis_connection_target *target, struct error *error);
/// Closes it; accepts null.
void redis_connection_close(struct redis_connection *connection);

/// Adds a command to the pipeline, as redisFormatCommand() of hiredis.
void redis_connection_add(struct redis_connection *connection, const char *format, ...);
/// Adds a command to the pipeline, word by word.
void redis_connection_add_words(struct redis_connection *connection, int count, const char **words,
                                const size_t *sizes);
/// Sends the pipeline and takes the next answer, which the caller frees. Null with an error, after which the connection
/// is of no use.
redisReply *redis_connection_take(struct redis_connection *connection, struct error *error);

#endif
