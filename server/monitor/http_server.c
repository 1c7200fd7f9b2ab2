// SPDX-License-Identifier: MIT
#include "http_server.h"

#include <errno.h>
#include <jansson.h>
#include <microhttpd.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/host_port.h"
#include "base/platform/memory_stream.h"
#include "base/platform/stream.h"
#include "http_connections.h"
#include "metrics.h"
#include "net/household.h"
#include "page.h"

#define TIMEOUT_S            10
#define END_NS               CLOCK_MS_NS // for each connection that ends
#define FRAME_NS             100000000   // ten frames a second
#define STILL_NS             3000000000u
#define STREAM_BLOCK_BYTES   32768
#define REQUEST_STACK_BYTES  262144
#define CONNECTIONS_CAPACITY 96

static const struct http_connections_limits LIMITS = {
    .max = 64, .household_max = 16, .streams_max = 32, .streams_household_max = 8};

struct http_server {
    struct MHD_Daemon *daemon;
    struct status_publisher *publisher;
    struct status_server server;
    uint16_t port;
    bool is_loopback;
    pthread_mutex_t lock; // of the connections
    struct http_connections connections;
    struct http_connection places[CONNECTIONS_CAPACITY];
};

// A browser that shows the live page.
struct stream {
    struct status_publisher *publisher;
    char *text; // the frame that is being sent
    size_t byte_count, sent_bytes;
    struct status_snapshot snapshot;
};

typedef char *text_maker(const struct http_server *http, const struct status_snapshot *snapshot);

static char *make_metrics(const struct http_server *http, const struct status_snapshot *snapshot)
{
    struct memory_stream memory;
    size_t byte_count;
    struct metrics_source source = {.snapshot = snapshot, .announcer = http->server.announcer};
    if (!memory_stream_open(&memory))
        return NULL;
    process_find_usage(&source.process);
    for (size_t i = 0; i < STORES; i++)
        metrics_read_space(http->server.directories[i], &source.spaces[i]);
    metrics_write(memory.out, &source);
    return memory_stream_close(&memory, &byte_count);
}

static char *make_status(const struct http_server *http, const struct status_snapshot *snapshot)
{
    return status_json_status(snapshot, &http->server);
}

static char *make_map(const struct http_server *http, const struct status_snapshot *snapshot)
{
    (void)http;
    return status_json_map(snapshot);
}

// Pages with a `make` are written from a snapshot on request; the others are fixed texts.
static const struct row {
    const char *path, *type;
    text_maker *make;
    const char *fixed;
} ROWS[] = {
    {"/metrics", "text/plain; version=0.0.4; charset=utf-8", make_metrics, NULL},
    {"/status.json", "application/json", make_status, NULL},
    {"/map.json", "application/json", make_map, NULL},
    {"/", "text/html; charset=utf-8", NULL, PAGE_HTML},
    {"/live.js", "text/javascript; charset=utf-8", NULL, PAGE_JS},
    {"/live.css", "text/css; charset=utf-8", NULL, PAGE_CSS},
};

static enum MHD_Result send_response(struct MHD_Connection *connection, unsigned status, const char *type,
                                     struct MHD_Response *response)
{
    if (!response)
        return MHD_NO;
    MHD_add_response_header(response, MHD_HTTP_HEADER_CONTENT_TYPE, type);
    MHD_add_response_header(response, MHD_HTTP_HEADER_CACHE_CONTROL, "no-store");
    MHD_add_response_header(response, "X-Content-Type-Options", "nosniff");
    MHD_add_response_header(
        response, "Content-Security-Policy",
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:");
    if (status == MHD_HTTP_METHOD_NOT_ALLOWED)
        MHD_add_response_header(response, MHD_HTTP_HEADER_ALLOW, "GET, HEAD");
    enum MHD_Result result = MHD_queue_response(connection, status, response);
    MHD_destroy_response(response);
    return result;
}

static enum MHD_Result send_fixed(struct MHD_Connection *connection, unsigned status, const char *type,
                                  const char *text)
{
    return send_response(
        connection, status, type,
        MHD_create_response_from_buffer(strlen(text), (void *)(uintptr_t)text, MHD_RESPMEM_PERSISTENT));
}

static enum MHD_Result send_made(struct http_server *http, struct MHD_Connection *connection, const struct row *row)
{
    struct status_snapshot *snapshot = malloc(sizeof *snapshot);
    if (!snapshot)
        return MHD_NO;
    status_snapshot_read(http->publisher, snapshot);
    char *text = row->make(http, snapshot);
    free(snapshot);
    if (!text)
        return MHD_NO;
    return send_response(connection, MHD_HTTP_OK, row->type,
                         MHD_create_response_from_buffer(strlen(text), text, MHD_RESPMEM_MUST_FREE));
}

// A server that drains is healthy, but not ready: nothing new should be sent there.
static enum MHD_Result send_health(struct http_server *http, struct MHD_Connection *connection, bool asks_ready)
{
    pthread_mutex_lock(&http->publisher->lock);
    uint64_t written_ns = http->publisher->snapshot.written_ns;
    bool drains = http->publisher->snapshot.drains;
    pthread_mutex_unlock(&http->publisher->lock);
    if (clock_now_ns() - written_ns >= STILL_NS)
        return send_fixed(connection, MHD_HTTP_SERVICE_UNAVAILABLE, "text/plain", "the match stands still\n");
    if (asks_ready && drains)
        return send_fixed(connection, MHD_HTTP_SERVICE_UNAVAILABLE, "text/plain", "nobody new may join\n");
    return send_fixed(connection, MHD_HTTP_OK, "text/plain", "ok\n");
}

static bool next_frame(struct stream *stream)
{
    clock_sleep(FRAME_NS);
    status_snapshot_read(stream->publisher, &stream->snapshot);
    char *text, *frame = status_json_frame(&stream->snapshot);
    int count = frame ? asprintf(&text, "data: %s\n\n", frame) : -1;
    free(frame);
    if (count < 0)
        return false;
    free(stream->text);
    stream->text = text;
    stream->byte_count = (size_t)count;
    stream->sent_bytes = 0;
    return true;
}

static ssize_t stream_read(void *context, uint64_t position, char *bytes, size_t byte_count)
{
    (void)position;
    struct stream *stream = context;
    if (stream->sent_bytes == stream->byte_count && !next_frame(stream))
        return MHD_CONTENT_READER_END_WITH_ERROR;
    size_t count = stream->byte_count - stream->sent_bytes;
    count = count < byte_count ? count : byte_count;
    memcpy(bytes, stream->text + stream->sent_bytes, count);
    stream->sent_bytes += count;
    return (ssize_t)count;
}

static void stream_free(void *context)
{
    struct stream *stream = context;
    free(stream->text);
    free(stream);
}

// The place of a connection, or HTTP_CONNECTIONS_NONE, in the pointer that libmicrohttpd keeps for it.
static uint32_t place_of(void *kept)
{
    return kept ? (uint32_t)(uintptr_t)kept - 1 : HTTP_CONNECTIONS_NONE;
}

static bool may_stream(struct http_server *http, struct MHD_Connection *connection)
{
    uint32_t place = place_of(MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT)->socket_context);
    pthread_mutex_lock(&http->lock);
    bool may = place != HTTP_CONNECTIONS_NONE && http_connections_stream(&http->connections, place);
    pthread_mutex_unlock(&http->lock);
    return may;
}

static enum MHD_Result begin_stream(struct http_server *http, struct MHD_Connection *connection)
{
    if (!may_stream(http, connection))
        return send_fixed(connection, MHD_HTTP_SERVICE_UNAVAILABLE, "text/plain", "Too many watch this page.\n");
    struct stream *stream = malloc(sizeof *stream);
    if (!stream)
        return MHD_NO;
    *stream = (struct stream){.publisher = http->publisher};
    struct MHD_Response *response =
        MHD_create_response_from_callback(MHD_SIZE_UNKNOWN, STREAM_BLOCK_BYTES, stream_read, stream, stream_free);
    if (!response)
        stream_free(stream);
    return send_response(connection, MHD_HTTP_OK, "text/event-stream", response);
}

// Another site can have its name point to this machine, and so let a browser here read the page. It cannot change what
// the browser says in Host. The port may be that of a tunnel.
static bool is_for_us(const struct http_server *http, struct MHD_Connection *connection)
{
    const char *text = MHD_lookup_connection_value(connection, MHD_HEADER_KIND, MHD_HTTP_HEADER_HOST);
    struct host_port host;
    if (!http->is_loopback || !text)
        return true;
    return host_port_parse(text, SIZE_MAX, &host) &&
           (strcasecmp(host.host, "localhost") == 0 || strcmp(host.host, "127.0.0.1") == 0 ||
            strcmp(host.host, "::1") == 0);
}

static enum MHD_Result answer(void *context, struct MHD_Connection *connection, const char *path, const char *method,
                              const char *version, const char *upload, size_t *upload_bytes, void **request)
{
    (void)version, (void)upload, (void)upload_bytes, (void)request;
    struct http_server *http = context;
    if (!is_for_us(http, connection))
        return send_fixed(connection, MHD_HTTP_MISDIRECTED_REQUEST, "text/plain",
                          "This page has the names localhost, 127.0.0.1 and [::1] only.\n");
    if (strcmp(method, MHD_HTTP_METHOD_GET) != 0 && strcmp(method, MHD_HTTP_METHOD_HEAD) != 0)
        return send_fixed(connection, MHD_HTTP_METHOD_NOT_ALLOWED, "text/plain", "This server is read only.\n");
    bool asks_ready = strcmp(path, "/readyz") == 0;
    if (asks_ready || strcmp(path, "/healthz") == 0)
        return send_health(http, connection, asks_ready);
    if (strcmp(path, "/events") == 0)
        return begin_stream(http, connection);
    for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++)
        if (strcmp(path, ROWS[i].path) == 0)
            return ROWS[i].make ? send_made(http, connection, &ROWS[i])
                                : send_fixed(connection, MHD_HTTP_OK, ROWS[i].type, ROWS[i].fixed);
    return send_fixed(connection, MHD_HTTP_NOT_FOUND, "text/plain",
                      "There are /, /metrics, /healthz, /readyz and /status.json here.\n");
}

// Keeps the table of connections. A connection that gives way sees an end of file; its own thread closes it. The next
// one is taken only after these threads had time for that: libmicrohttpd resets what comes while it has no place.
static void take_connection(void *context, struct MHD_Connection *connection, void **kept,
                            enum MHD_ConnectionNotificationCode code)
{
    struct http_server *http = context;
    uint32_t ending = 0;
    pthread_mutex_lock(&http->lock);
    if (code == MHD_CONNECTION_NOTIFY_STARTED) {
        struct net_address address =
            ip_address_of_socket((const struct sockaddr_storage *)(const void *)MHD_get_connection_info(
                                     connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS)
                                     ->client_addr);
        int file = (int)MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD)->connect_fd;
        uint32_t victim, place = http_connections_add(&http->connections, household_of(&address), file, &victim);
        if (victim != HTTP_CONNECTIONS_NONE)
            stream_end(http->connections.of[victim].file);
        *kept = place == HTTP_CONNECTIONS_NONE ? NULL : (void *)(uintptr_t)(place + 1);
        ending = http_connections_ending(&http->connections);
    } else if (*kept) {
        http_connections_remove(&http->connections, place_of(*kept));
    }
    pthread_mutex_unlock(&http->lock);
    if (ending > 0)
        clock_sleep(ending * (uint64_t)END_NS);
}

static bool start(struct http_server *http, const struct net_address *own)
{
    struct sockaddr_storage address;
    ip_address_to_socket(own, &address);
    http->is_loopback = ip_address_is_loopback(own);
    unsigned flags = MHD_USE_INTERNAL_POLLING_THREAD | MHD_USE_THREAD_PER_CONNECTION | MHD_USE_POLL |
                     (address.ss_family == AF_INET6 ? MHD_USE_IPv6 : 0u);
    http->daemon =
        MHD_start_daemon(flags, 0, NULL, NULL, answer, http, MHD_OPTION_SOCK_ADDR, &address,
                         MHD_OPTION_CONNECTION_LIMIT, (unsigned)CONNECTIONS_CAPACITY, MHD_OPTION_NOTIFY_CONNECTION,
                         take_connection, http, MHD_OPTION_CONNECTION_TIMEOUT, (unsigned)TIMEOUT_S,
                         MHD_OPTION_THREAD_STACK_SIZE, (size_t)REQUEST_STACK_BYTES, MHD_OPTION_END);
    return http->daemon != NULL;
}

struct http_server *http_server_open(const char *address_text, struct status_publisher *publisher,
                                     const struct status_server *server, struct error *error)
{
    struct net_address address;
    if (!host_port_parse_numeric(address_text, &address)) {
        error_set(error, "\"%s\" is not an ADDR:PORT", address_text);
        return NULL;
    }
    struct http_server *http = malloc(sizeof *http);
    json_object_seed(0); // before any thread could
    if (http)
        *http = (struct http_server){.publisher = publisher, .server = *server, .lock = PTHREAD_MUTEX_INITIALIZER};
    if (http)
        http_connections_init(&http->connections, &LIMITS, http->places, CONNECTIONS_CAPACITY);
    if (!http || !start(http, &address)) {
        error_set(error, "cannot listen on http://%s for --metrics: %s", address_text, strerror(errno));
        free(http);
        return NULL;
    }
    http->port = MHD_get_daemon_info(http->daemon, MHD_DAEMON_INFO_BIND_PORT)->port;
    return http;
}

uint16_t http_server_port(const struct http_server *http)
{
    return http->port;
}

void http_server_close(struct http_server *http)
{
    if (!http)
        return;
    MHD_stop_daemon(http->daemon);
    free(http);
}
