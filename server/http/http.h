// SPDX-License-Identifier: MIT
//
// The HTTP front of a server and of a directory, over libmicrohttpd: it listens, keeps connections within their limits
// (http_connections.h says who gives way), finds the row of a request among the routes, and knows who asks. Either
// each connection has a thread, so that an answer may take its time, or all share one, and an answer that is not there
// yet suspends its connection. On a loopback address, a read-only site answers only requests for this machine's
// own names.
#ifndef HTTP_HTTP_H
#define HTTP_HTTP_H

#include <microhttpd.h>
#include <pthread.h>

#include "base/error.h"
#include "http_connections.h"
#include "net/household.h"
#include "net/net_address.h"
#include "options/options.h"

/// Content-Security-Policy of what may load nothing.
#define HTTP_POLICY_NOTHING "default-src 'none'; frame-ancestors 'none'"

/// A request. It stays the same while its connection is suspended.
struct http_request {
    struct MHD_Connection *connection;
    const struct http_route *route; ///< null: none
    const char *path;
    struct net_address from; ///< if the route knows the caller
    void *kept;              ///< by the handler from one call to the next; freed with the request
    size_t byte_count;       ///< of the body; one more than the listener takes: too large
    char bytes[];
};

/// Answers a request.
typedef enum MHD_Result http_handler(void *context, struct http_request *request);

/// A path and who answers it.
struct http_route {
    const char *path;
    http_handler *answer;
    bool is_post;      ///< otherwise GET and HEAD
    bool is_folder;    ///< and all paths that begin so
    bool knows_caller; ///< `from`; a proxy that does not say it is refused
    const void *of;    ///< for the handler
};

/// What is answered. What it points to must stay.
struct http_site {
    const struct http_route *routes;
    size_t route_count;
    enum MHD_Result (*refuse)(struct MHD_Connection *connection, unsigned status); ///< 400, 404 and 405
    void *context;
    size_t body_bytes_max; ///< 0: the site is read only and ignores bodies
    bool has_threads;      ///< one for each connection; otherwise one for all
};

/// Who is connected, to some listeners together. http_callers_init() initialises it; set `exempt` and `proxies` then.
struct http_callers {
    const struct household_rules *exempt; ///< who has no limits; null: nobody
    uint32_t proxy_count;
    struct address_range proxies[OPTION_LIST_CAPACITY]; ///< their X-Forwarded-For is believed; they have no limits
    bool waits_for_ends;  ///< a new connection waits until those that give way to it have ended; set by the site
    pthread_mutex_t lock; ///< of the connections
    struct http_connections connections;
};

/// It must not move while it is open.
struct http_listener {
    struct MHD_Daemon *daemon;
    const struct http_site *site;
    struct http_callers *callers;
    uint16_t port;
    bool is_loopback;
};

/// What is sent with a body. Null texts are left out.
struct http_head {
    unsigned status;
    const char *type;        ///< Content-Type
    const char *cache;       ///< Cache-Control; null: no-store
    const char *policy;      ///< Content-Security-Policy
    const char *encoding;    ///< Content-Encoding
    const char *etag;        ///< with its quotation marks
    const char *varies;      ///< Vary
    const char *origins;     ///< Access-Control-Allow-Origin: pages that may read it; null: its own
    const char *retry_after; ///< s
    const char *allow;       ///< methods
};

/// Limits and places for a site that is read only and has threads.
extern const struct http_connections_limits HTTP_READERS;
#define HTTP_READERS_CAPACITY 96

/// Begins without connections. There are more places than connections may be, for some that are about to end.
void http_callers_init(struct http_callers *callers, const struct http_connections_limits *limits,
                       struct http_connection *places, uint32_t capacity);

/// Listens on "ADDR:PORT" (port 0: any free one). `what` is added to an error: " for --metrics", or "". False with an
/// error.
bool http_listener_open(struct http_listener *listener, const struct http_site *site, struct http_callers *callers,
                        const char *address_text, const char *what, struct error *error);
/// Ends it and its threads.
void http_listener_close(struct http_listener *listener);

/// Lets the connection of a request send a stream, which lasts. False: too many do.
bool http_callers_stream(struct http_callers *callers, struct MHD_Connection *connection);

/// Adds the head to a response that is sent as often as one likes. Null (no memory) stays null.
struct MHD_Response *http_head_add(const struct http_head *head, struct MHD_Response *response);
/// Sends an answer and destroys the response. A null response (no memory) ends the connection.
enum MHD_Result http_head_send(struct MHD_Connection *connection, const struct http_head *head,
                               struct MHD_Response *response);
/// Sends a text that stays in memory.
enum MHD_Result http_head_send_text(struct MHD_Connection *connection, const struct http_head *head, const char *text);

#endif
