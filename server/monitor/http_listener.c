// SPDX-License-Identifier: MIT
#include "http_listener.h"

#include <errno.h>
#include <string.h>

#include "base/clock.h"
#include "base/host_port.h"
#include "base/platform/stream.h"
#include "net/household.h"

#define TIMEOUT_S           10
#define END_NS              CLOCK_MS_NS // for each connection that ends
#define REQUEST_STACK_BYTES 262144

static const struct http_connections_limits LIMITS = {
    .max = 64, .household_max = 16, .streams_max = 32, .streams_household_max = 8};

static void add_header(struct MHD_Response *response, const char *name, const char *value)
{
    if (value)
        MHD_add_response_header(response, name, value);
}

enum MHD_Result http_listener_send(struct MHD_Connection *connection, const struct http_head *head,
                                   struct MHD_Response *response)
{
    if (!response)
        return MHD_NO;
    add_header(response, MHD_HTTP_HEADER_CONTENT_TYPE, head->type);
    add_header(response, MHD_HTTP_HEADER_CACHE_CONTROL, head->cache ? head->cache : "no-store");
    add_header(response, "X-Content-Type-Options", "nosniff");
    add_header(response, "Content-Security-Policy",
               head->policy ? head->policy : "default-src 'none'; frame-ancestors 'none'");
    add_header(response, MHD_HTTP_HEADER_CONTENT_ENCODING, head->encoding);
    add_header(response, MHD_HTTP_HEADER_ETAG, head->etag);
    add_header(response, MHD_HTTP_HEADER_VARY, head->varies);
    add_header(response, MHD_HTTP_HEADER_ACCESS_CONTROL_ALLOW_ORIGIN, head->origins);
    add_header(response, MHD_HTTP_HEADER_ALLOW, head->status == MHD_HTTP_METHOD_NOT_ALLOWED ? "GET, HEAD" : NULL);
    enum MHD_Result result = MHD_queue_response(connection, head->status, response);
    MHD_destroy_response(response);
    return result;
}

enum MHD_Result http_listener_send_text(struct MHD_Connection *connection, const struct http_head *head,
                                        const char *text)
{
    return http_listener_send(
        connection, head,
        MHD_create_response_from_buffer(strlen(text), (void *)(uintptr_t)text, MHD_RESPMEM_PERSISTENT));
}

// The place of a connection, or HTTP_CONNECTIONS_NONE, in the pointer that libmicrohttpd keeps for it.
static uint32_t place_of(void *kept)
{
    return kept ? (uint32_t)(uintptr_t)kept - 1 : HTTP_CONNECTIONS_NONE;
}

bool http_listener_stream(struct http_listener *listener, struct MHD_Connection *connection)
{
    uint32_t place = place_of(MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT)->socket_context);
    pthread_mutex_lock(&listener->lock);
    bool may = place != HTTP_CONNECTIONS_NONE && http_connections_stream(&listener->connections, place);
    pthread_mutex_unlock(&listener->lock);
    return may;
}

// Another site can have its name point to this machine, and so let a browser here read the page. It cannot change what
// the browser says in Host. The port may be that of a tunnel.
static bool is_for_us(const struct http_listener *listener, struct MHD_Connection *connection)
{
    const char *text = MHD_lookup_connection_value(connection, MHD_HEADER_KIND, MHD_HTTP_HEADER_HOST);
    struct host_port host;
    if (!listener->is_loopback || !text)
        return true;
    return host_port_parse(text, SIZE_MAX, &host) &&
           (strcasecmp(host.host, "localhost") == 0 || strcmp(host.host, "127.0.0.1") == 0 ||
            strcmp(host.host, "::1") == 0);
}

// libmicrohttpd calls this before the body of a request, with what the body has, and behind it. An answer before the
// body ends the connection, so what is refused is refused then. Browsers keep the others open for the next file.
static enum MHD_Result answer(void *context, struct MHD_Connection *connection, const char *path, const char *method,
                              const char *version, const char *upload, size_t *upload_bytes, void **request)
{
    (void)version, (void)upload;
    static char has_begun;
    struct http_listener *listener = context;
    bool is_first = *request != &has_begun;
    if (!is_for_us(listener, connection))
        return http_listener_send_text(
            connection, &(struct http_head){.status = MHD_HTTP_MISDIRECTED_REQUEST, .type = "text/plain"},
            "This page has the names localhost, 127.0.0.1 and [::1] only.\n");
    if (strcmp(method, MHD_HTTP_METHOD_GET) != 0 && strcmp(method, MHD_HTTP_METHOD_HEAD) != 0)
        return http_listener_send_text(connection,
                                       &(struct http_head){.status = MHD_HTTP_METHOD_NOT_ALLOWED, .type = "text/plain"},
                                       "This server is read only.\n");
    *request = &has_begun;
    if (is_first || *upload_bytes > 0) { // nobody asks with a body, and what there is counts nothing
        *upload_bytes = 0;
        return MHD_YES;
    }
    return listener->handler(listener->context, connection, path);
}

// Keeps the table of connections. A connection that gives way sees an end of file; its own thread closes it. The next
// one is taken only after these threads had time for that: libmicrohttpd resets what comes while it has no place.
static void take_connection(void *context, struct MHD_Connection *connection, void **kept,
                            enum MHD_ConnectionNotificationCode code)
{
    struct http_listener *listener = context;
    struct http_connections *connections = &listener->connections;
    uint32_t ending = 0;
    pthread_mutex_lock(&listener->lock);
    if (code == MHD_CONNECTION_NOTIFY_STARTED) {
        struct net_address address =
            ip_address_of_socket((const struct sockaddr_storage *)(const void *)MHD_get_connection_info(
                                     connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS)
                                     ->client_addr);
        int file = (int)MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD)->connect_fd;
        uint32_t victim, place = http_connections_add(connections, household_of(&address), file, &victim);
        if (victim != HTTP_CONNECTIONS_NONE)
            stream_end(connections->of[victim].file);
        *kept = place == HTTP_CONNECTIONS_NONE ? NULL : (void *)(uintptr_t)(place + 1);
        ending = http_connections_ending(connections);
    } else if (*kept) {
        http_connections_remove(connections, place_of(*kept));
    }
    pthread_mutex_unlock(&listener->lock);
    if (ending > 0)
        clock_sleep(ending * (uint64_t)END_NS);
}

static bool start(struct http_listener *listener, const struct net_address *own)
{
    struct sockaddr_storage address;
    ip_address_to_socket(own, &address);
    listener->is_loopback = ip_address_is_loopback(own);
    unsigned flags = MHD_USE_INTERNAL_POLLING_THREAD | MHD_USE_THREAD_PER_CONNECTION | MHD_USE_POLL |
                     (address.ss_family == AF_INET6 ? MHD_USE_IPv6 : 0u);
    listener->daemon =
        MHD_start_daemon(flags, 0, NULL, NULL, answer, listener, MHD_OPTION_SOCK_ADDR, &address,
                         MHD_OPTION_CONNECTION_LIMIT, (unsigned)HTTP_LISTENER_CAPACITY, MHD_OPTION_NOTIFY_CONNECTION,
                         take_connection, listener, MHD_OPTION_CONNECTION_TIMEOUT, (unsigned)TIMEOUT_S,
                         MHD_OPTION_THREAD_STACK_SIZE, (size_t)REQUEST_STACK_BYTES, MHD_OPTION_END);
    return listener->daemon != NULL;
}

bool http_listener_open(struct http_listener *listener, const char *address_text, const char *option,
                        struct error *error)
{
    struct net_address address;
    if (!host_port_parse_numeric(address_text, &address))
        return error_set(error, "\"%s\" is not an ADDR:PORT", address_text);
    listener->lock = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
    http_connections_init(&listener->connections, &LIMITS, listener->places, HTTP_LISTENER_CAPACITY);
    if (!start(listener, &address))
        return error_set(error, "cannot listen on http://%s for %s: %s", address_text, option, strerror(errno));
    listener->port = MHD_get_daemon_info(listener->daemon, MHD_DAEMON_INFO_BIND_PORT)->port;
    return true;
}

void http_listener_close(struct http_listener *listener)
{
    MHD_stop_daemon(listener->daemon);
}
