// SPDX-License-Identifier: MIT
#include "http.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/host_port.h"
#include "base/platform/stream.h"
#include "net/net_address.h"

#define TIMEOUT_S          10
#define END_NS             CLOCK_MS_NS // for each connection that ends
#define THREAD_STACK_BYTES 262144
#define MEMORY_BYTES       8192 // of a connection without a thread, while its request is read
#define BACKLOG            1024u

const struct http_connections_limits HTTP_READERS = {
    .max = 64, .household_max = 16, .streams_max = 32, .streams_household_max = 8};

static void add_header(struct MHD_Response *response, const char *name, const char *value)
{
    if (value)
        MHD_add_response_header(response, name, value);
}

struct MHD_Response *http_head_add(const struct http_head *head, struct MHD_Response *response)
{
    if (!response)
        return NULL;
    add_header(response, MHD_HTTP_HEADER_CONTENT_TYPE, head->type);
    add_header(response, MHD_HTTP_HEADER_CACHE_CONTROL, head->cache ? head->cache : "no-store");
    add_header(response, "X-Content-Type-Options", "nosniff");
    add_header(response, "Content-Security-Policy", head->policy);
    add_header(response, MHD_HTTP_HEADER_CONTENT_ENCODING, head->encoding);
    add_header(response, MHD_HTTP_HEADER_ETAG, head->etag);
    add_header(response, MHD_HTTP_HEADER_VARY, head->varies);
    add_header(response, MHD_HTTP_HEADER_ACCESS_CONTROL_ALLOW_ORIGIN, head->origins);
    add_header(response, MHD_HTTP_HEADER_RETRY_AFTER, head->retry_after);
    add_header(response, MHD_HTTP_HEADER_ALLOW, head->allow);
    return response;
}

enum MHD_Result http_head_send(struct MHD_Connection *connection, const struct http_head *head,
                               struct MHD_Response *response)
{
    if (!http_head_add(head, response))
        return MHD_NO;
    enum MHD_Result result = MHD_queue_response(connection, head->status, response);
    MHD_destroy_response(response);
    return result;
}

enum MHD_Result http_head_send_text(struct MHD_Connection *connection, const struct http_head *head, const char *text)
{
    return http_head_send(
        connection, head,
        MHD_create_response_from_buffer(strlen(text), (void *)(uintptr_t)text, MHD_RESPMEM_PERSISTENT));
}

void http_callers_init(struct http_callers *callers, const struct http_connections_limits *limits,
                       struct http_connection *places, uint32_t capacity)
{
    *callers = (struct http_callers){.lock = PTHREAD_MUTEX_INITIALIZER};
    http_connections_init(&callers->connections, limits, places, capacity);
}

static struct net_address address_of(struct MHD_Connection *connection)
{
    const struct sockaddr *address =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS)->client_addr;
    return ip_address_of_socket((const struct sockaddr_storage *)(const void *)address);
}

static bool is_proxy(const struct http_callers *callers, const struct net_address *address)
{
    struct address_range range = net_address_range_of(address);
    bool is = false;
    for (uint32_t i = 0; i < callers->proxy_count; i++)
        is |= net_address_range_contains(&callers->proxies[i], &range);
    return is;
}

// Finds who asks: the address at the other end, or the one that a proxy names. It appends to what strangers say, so the
// last one counts. False if it names none.
static bool find_caller(const struct http_callers *callers, struct MHD_Connection *connection, struct net_address *from)
{
    struct net_address other = address_of(connection);
    *from = net_address_with_port(&other, 0);
    if (!is_proxy(callers, from))
        return true;
    const char *said = MHD_lookup_connection_value(connection, MHD_HEADER_KIND, "X-Forwarded-For");
    const char *last = said ? strrchr(said, ',') : NULL;
    struct host_port place;
    last = last ? last + 1 : said;
    while (last && *last == ' ')
        last++;
    return last && host_port_parse(last, SIZE_MAX, &place) && ip_address_parse(from, place.host, 0);
}

// The place of a connection, or HTTP_CONNECTIONS_NONE, in the pointer that libmicrohttpd keeps for it.
static uint32_t place_of(void *kept)
{
    return kept ? (uint32_t)(uintptr_t)kept - 1 : HTTP_CONNECTIONS_NONE;
}

bool http_callers_stream(struct http_callers *callers, struct MHD_Connection *connection)
{
    uint32_t place = place_of(MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT)->socket_context);
    pthread_mutex_lock(&callers->lock);
    bool may = place != HTTP_CONNECTIONS_NONE && http_connections_stream(&callers->connections, place);
    pthread_mutex_unlock(&callers->lock);
    return may;
}

// Keeps the table of connections. A connection that gives way sees an end of file; its own thread closes it. Where
// libmicrohttpd would reset what comes while it has no place, the next one is taken only after these threads had time
// for that.
static void take_connection(void *context, struct MHD_Connection *connection, void **kept,
                            enum MHD_ConnectionNotificationCode code)
{
    struct http_callers *callers = context;
    struct http_connections *connections = &callers->connections;
    uint32_t ending = 0;
    pthread_mutex_lock(&callers->lock);
    if (code == MHD_CONNECTION_NOTIFY_STARTED) {
        int file = (int)MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD)->connect_fd;
        struct net_address from = address_of(connection);
        uint64_t household = is_proxy(callers, &from) ? 0 : household_of(&from); // a proxy carries everybody's
        if (callers->exempt && household_is_exempt(callers->exempt, household))
            household = 0;
        uint32_t victim, place = http_connections_add(connections, household, file, &victim);
        if (victim != HTTP_CONNECTIONS_NONE)
            stream_end(connections->of[victim].file);
        *kept = place == HTTP_CONNECTIONS_NONE ? NULL : (void *)(uintptr_t)(place + 1);
        ending = callers->waits_for_ends ? http_connections_ending(connections) : 0;
    } else if (*kept) {
        http_connections_remove(connections, place_of(*kept));
    }
    pthread_mutex_unlock(&callers->lock);
    if (ending > 0)
        clock_sleep(ending * (uint64_t)END_NS);
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

static enum MHD_Result refuse_early(struct MHD_Connection *connection, unsigned status)
{
    bool is_method = status == MHD_HTTP_METHOD_NOT_ALLOWED;
    struct http_head head = {
        .status = status, .type = "text/plain", .policy = HTTP_POLICY_NOTHING, .allow = is_method ? "GET, HEAD" : NULL};
    return http_head_send_text(connection, &head,
                               is_method ? "This server is read only.\n"
                                         : "This page has the names localhost, 127.0.0.1 and [::1] only.\n");
}

static const struct http_route *find_route(const struct http_site *site, const char *path, bool is_post)
{
    for (size_t i = 0; i < site->route_count; i++) {
        const struct http_route *route = &site->routes[i];
        bool is_it =
            route->is_folder ? strncmp(path, route->path, strlen(route->path)) == 0 : strcmp(path, route->path) == 0;
        if (is_it && route->is_post == is_post)
            return route;
    }
    return NULL;
}

// libmicrohttpd calls this before the body of a request, with what the body has, and behind it. An answer before the
// body ends the connection, so a server that is read only refuses then. Browsers keep the others open for the next
// file.
static enum MHD_Result answer(void *context, struct MHD_Connection *connection, const char *path, const char *method,
                              const char *version, const char *upload, size_t *upload_bytes, void **kept)
{
    (void)version;
    const struct http_listener *listener = context;
    const struct http_site *site = listener->site;
    struct http_request *request = *kept;
    bool is_post = strcmp(method, MHD_HTTP_METHOD_POST) == 0;
    bool is_get = strcmp(method, MHD_HTTP_METHOD_GET) == 0 || strcmp(method, MHD_HTTP_METHOD_HEAD) == 0;
    if (site->body_bytes_max == 0 && !is_for_us(listener, connection))
        return refuse_early(connection, MHD_HTTP_MISDIRECTED_REQUEST);
    if (site->body_bytes_max == 0 && !is_get)
        return refuse_early(connection, MHD_HTTP_METHOD_NOT_ALLOWED);
    if (!request) {
        *kept = calloc(1, sizeof *request + site->body_bytes_max + 1);
        return *kept ? MHD_YES : MHD_NO;
    }
    if (*upload_bytes > 0) {
        size_t room = site->body_bytes_max + 1 - request->byte_count;
        size_t count = site->body_bytes_max == 0 ? 0 : *upload_bytes < room ? *upload_bytes : room;
        memcpy(request->bytes + request->byte_count, upload, count);
        request->byte_count += count;
        *upload_bytes = 0;
        return MHD_YES;
    }
    request->connection = connection;
    request->path = path;
    request->route = is_get || is_post ? find_route(site, path, is_post) : NULL;
    if (!request->route)
        return site->refuse(connection, is_get ? MHD_HTTP_NOT_FOUND : MHD_HTTP_METHOD_NOT_ALLOWED);
    if (request->route->knows_caller && !find_caller(listener->callers, connection, &request->from))
        return site->refuse(connection, MHD_HTTP_BAD_REQUEST);
    return request->route->answer(site->context, request);
}

static void complete(void *context, struct MHD_Connection *connection, void **kept,
                     enum MHD_RequestTerminationCode code)
{
    (void)context, (void)connection, (void)code;
    struct http_request *request = *kept;
    if (request)
        free(request->kept);
    free(request);
    *kept = NULL;
}

bool http_listener_open(struct http_listener *listener, const struct http_site *site, struct http_callers *callers,
                        const char *address_text, const char *what, struct error *error)
{
    struct net_address own;
    struct sockaddr_storage address;
    if (!host_port_parse_numeric(address_text, &own))
        return error_set(error, "\"%s\" is not an ADDR:PORT", address_text);
    ip_address_to_socket(&own, &address);
    *listener = (struct http_listener){.site = site, .callers = callers, .is_loopback = ip_address_is_loopback(&own)};
    bool has_threads = callers->waits_for_ends = site->has_threads;
    unsigned flags = (has_threads ? MHD_USE_INTERNAL_POLLING_THREAD | MHD_USE_THREAD_PER_CONNECTION | MHD_USE_POLL
                                  : MHD_USE_EPOLL_INTERNAL_THREAD | MHD_ALLOW_SUSPEND_RESUME) |
                     (address.ss_family == AF_INET6 ? MHD_USE_IPv6 : 0u);
    listener->daemon = MHD_start_daemon(
        flags, 0, NULL, NULL, answer, listener, MHD_OPTION_SOCK_ADDR, &address, MHD_OPTION_CONNECTION_LIMIT,
        callers->connections.capacity, MHD_OPTION_NOTIFY_CONNECTION, take_connection, callers,
        MHD_OPTION_NOTIFY_COMPLETED, complete, NULL, MHD_OPTION_CONNECTION_TIMEOUT, (unsigned)TIMEOUT_S,
        MHD_OPTION_THREAD_STACK_SIZE, (size_t)(has_threads ? THREAD_STACK_BYTES : 0),
        has_threads ? MHD_OPTION_END : MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)MEMORY_BYTES,
        MHD_OPTION_LISTEN_BACKLOG_SIZE, BACKLOG, MHD_OPTION_END);
    if (!listener->daemon)
        return error_set(error, "cannot listen on http://%s%s: %s", address_text, what, strerror(errno));
    listener->port = MHD_get_daemon_info(listener->daemon, MHD_DAEMON_INFO_BIND_PORT)->port;
    return true;
}

void http_listener_close(struct http_listener *listener)
{
    if (listener->daemon)
        MHD_stop_daemon(listener->daemon);
}
