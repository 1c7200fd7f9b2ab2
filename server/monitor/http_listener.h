// SPDX-License-Identifier: MIT
//
// Listens on an address for HTTP, for those in this folder who answer: http_server.h and page_server.h. Each connection
// has a thread of libmicrohttpd; net/http_connections.h says who gives way when there are many. All answers are read
// only, and on a loopback address only requests for this machine's own names are answered.
#ifndef MONITOR_HTTP_LISTENER_H
#define MONITOR_HTTP_LISTENER_H

#include <microhttpd.h>
#include <pthread.h>

#include "base/error.h"
#include "net/http_connections.h"

/// Places for connections; those beyond the limit of 64 are for some that are about to end.
#define HTTP_LISTENER_CAPACITY 96

/// Answers a GET or HEAD of a path. Runs in the connection's thread.
typedef enum MHD_Result http_listener_handler(void *context, struct MHD_Connection *connection, const char *path);

/// http_listener_open() initialises all but `handler` and `context`. It must not move while it is open.
struct http_listener {
    struct MHD_Daemon *daemon;
    http_listener_handler *handler;
    void *context;
    uint16_t port;
    bool is_loopback;
    pthread_mutex_t lock; ///< of the connections
    struct http_connections connections;
    struct http_connection places[HTTP_LISTENER_CAPACITY];
};

/// What is sent with a body. Null texts are left out.
struct http_head {
    unsigned status;
    const char *type;     ///< Content-Type
    const char *cache;    ///< Cache-Control; null: no-store
    const char *policy;   ///< Content-Security-Policy; null: nothing may be loaded
    const char *encoding; ///< Content-Encoding
    const char *etag;     ///< with its quotation marks
    const char *varies;   ///< Vary
    const char *origins;  ///< Access-Control-Allow-Origin: pages that may read it; null: its own
};

/// Opens it on "ADDR:PORT" (port 0: any free one), for an option: "--metrics". The caller has set `handler` and
/// `context`. False with an error.
bool http_listener_open(struct http_listener *listener, const char *address_text, const char *option,
                        struct error *error);
/// Ends it and its threads.
void http_listener_close(struct http_listener *listener);

/// Lets a connection send a stream, which lasts. False: too many do.
bool http_listener_stream(struct http_listener *listener, struct MHD_Connection *connection);

/// Sends an answer and destroys the response. A null response (no memory) ends the connection.
enum MHD_Result http_listener_send(struct MHD_Connection *connection, const struct http_head *head,
                                   struct MHD_Response *response);
/// Sends a text that stays in memory.
enum MHD_Result http_listener_send_text(struct MHD_Connection *connection, const struct http_head *head,
                                        const char *text);

#endif
