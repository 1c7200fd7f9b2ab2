// SPDX-License-Identifier: MIT
//
// A directory over HTTP: POST /announce and /notes, GET /servers.json, /play, /watch, /metrics and /healthz.
// libmicrohttpd answers in threads of its own; a lock keeps the directory to one of them at a time. Slow connections
// give way to new ones, so that nobody can keep others out. Its metrics contain no name, key or address of a server.
#ifndef DIRECTORY_DIRECTORY_HTTP_H
#define DIRECTORY_DIRECTORY_HTTP_H

#include <pthread.h>

#include "allocator.h"
#include "directory.h"
#include "options/options.h"

/// Addresses to listen on at most.
#define DIRECTORY_HTTP_LISTEN_MAX 8

struct directory_http;

/// What is served, and where.
struct directory_http_settings {
    const struct option_list *listen;           ///< ADDR:PORT
    const struct option_list *proxy;            ///< ADDR or ADDR/BITS; their X-Forwarded-For is believed
    const char *host;                           ///< name of the directory; null: any. It must outlive the service
    const struct allocator_settings *allocator; ///< null: none
};

/// Listens on all addresses. `directory`, which has notes, and its lock must outlive it. Null with an error.
struct directory_http *directory_http_open(const struct directory_http_settings *settings, struct directory *directory,
                                           pthread_mutex_t *lock, struct error *error);
/// Returns the port of an address to listen on.
uint16_t directory_http_port(const struct directory_http *http, uint32_t i);
/// Sets what /servers.json answers from now on. Takes over the text. False without memory.
bool directory_http_set_list(struct directory_http *http, char *text, size_t byte_count);
/// Ends its threads; accepts null.
void directory_http_close(struct directory_http *http);

#endif
