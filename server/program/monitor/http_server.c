// SPDX-License-Identifier: MIT
#include "http_server.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/platform/disk.h"
#include "http/http.h"
#include "metrics.h"
#include "page.h"
#include "page/page_server.h"

#define FRAME_NS           100000000 // ten frames a second
#define STILL_NS           3000000000u
#define STREAM_BLOCK_BYTES 32768
#define PLAY               "/play" // the page for browsers, so that the live page can show it

// The live page has scripts and styles of its own, and may show the page for browsers in a frame.
static const char POLICY[] = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
                             "img-src data:; frame-src 'self'; frame-ancestors 'none'";

struct http_server {
    struct http_listener listener;
    struct http_site site;
    struct http_callers callers;
    struct http_connection places[HTTP_READERS_CAPACITY];
    struct status_publisher *publisher;
    struct status_server server;
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
    struct disk_memory memory;
    size_t byte_count;
    struct metrics_source source = {.snapshot = snapshot, .announcer = http->server.announcer};
    if (!disk_memory_open(&memory))
        return NULL;
    process_find_usage(&source.process);
    for (size_t i = 0; i < STORES; i++)
        if (http->server.directories[i])
            disk_find_room(http->server.directories[i], &source.spaces[i]);
    metrics_write(memory.out, &source);
    return disk_memory_close(&memory, &byte_count);
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

// Written from a snapshot on request.
static const struct made {
    const char *type;
    text_maker *make;
} METRICS = {"text/plain; version=0.0.4; charset=utf-8", make_metrics}, STATUS = {"application/json", make_status},
  MAP = {"application/json", make_map};

static const struct fixed {
    const char *type, *text;
} LIVE_HTML = {"text/html; charset=utf-8", PAGE_HTML}, LIVE_JS = {"text/javascript; charset=utf-8", PAGE_JS},
  LIVE_CSS = {"text/css; charset=utf-8", PAGE_CSS};

static enum MHD_Result send_text(struct MHD_Connection *connection, unsigned status, const char *type, const char *text)
{
    return http_head_send_text(connection, &(struct http_head){.status = status, .type = type, .policy = POLICY}, text);
}

static enum MHD_Result send_response(struct MHD_Connection *connection, const char *type, struct MHD_Response *response)
{
    return http_head_send(connection, &(struct http_head){.status = MHD_HTTP_OK, .type = type, .policy = POLICY},
                          response);
}

static enum MHD_Result send_fixed(void *context, struct http_request *request)
{
    (void)context;
    const struct fixed *fixed = request->route->of;
    return send_text(request->connection, MHD_HTTP_OK, fixed->type, fixed->text);
}

static enum MHD_Result send_made(void *context, struct http_request *request)
{
    struct http_server *http = context;
    const struct made *made = request->route->of;
    struct status_snapshot *snapshot = malloc(sizeof *snapshot);
    if (!snapshot)
        return MHD_NO;
    status_snapshot_read(http->publisher, snapshot);
    char *text = made->make(http, snapshot);
    free(snapshot);
    if (!text)
        return MHD_NO;
    return send_response(request->connection, made->type,
                         MHD_create_response_from_buffer(strlen(text), text, MHD_RESPMEM_MUST_FREE));
}

static const char READY; // what /readyz asks, and /healthz does not

// A server that drains is healthy, but not ready: nothing new should be sent there.
static enum MHD_Result send_health(void *context, struct http_request *request)
{
    struct http_server *http = context;
    struct MHD_Connection *connection = request->connection;
    pthread_mutex_lock(&http->publisher->lock);
    uint64_t written_ns = http->publisher->snapshot.written_ns;
    bool drains = http->publisher->snapshot.drains;
    pthread_mutex_unlock(&http->publisher->lock);
    if (clock_now_ns() - written_ns >= STILL_NS)
        return send_text(connection, MHD_HTTP_SERVICE_UNAVAILABLE, "text/plain", "the match stands still\n");
    if (request->route->of == &READY && drains)
        return send_text(connection, MHD_HTTP_SERVICE_UNAVAILABLE, "text/plain", "nobody new may join\n");
    return send_text(connection, MHD_HTTP_OK, "text/plain", "ok\n");
}

// Waits for the next frame when the last one is sent.
static ssize_t stream_read(void *context, uint64_t position, char *bytes, size_t byte_count)
{
    (void)position;
    struct stream *stream = context;
    if (stream->sent_bytes == stream->byte_count) {
        clock_sleep(FRAME_NS);
        status_snapshot_read(stream->publisher, &stream->snapshot);
        char *text, *frame = status_json_frame(&stream->snapshot);
        int length = frame ? asprintf(&text, "data: %s\n\n", frame) : -1;
        free(frame);
        if (length < 0)
            return MHD_CONTENT_READER_END_WITH_ERROR;
        free(stream->text);
        stream->text = text;
        stream->byte_count = (size_t)length;
        stream->sent_bytes = 0;
    }
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

static enum MHD_Result begin_stream(void *context, struct http_request *request)
{
    struct http_server *http = context;
    struct MHD_Connection *connection = request->connection;
    if (!http_callers_stream(&http->callers, connection))
        return send_text(connection, MHD_HTTP_SERVICE_UNAVAILABLE, "text/plain", "Too many watch this page.\n");
    struct stream *stream = malloc(sizeof *stream);
    if (!stream)
        return MHD_NO;
    *stream = (struct stream){.publisher = http->publisher};
    struct MHD_Response *response =
        MHD_create_response_from_callback(MHD_SIZE_UNKNOWN, STREAM_BLOCK_BYTES, stream_read, stream, stream_free);
    if (!response)
        stream_free(stream);
    return send_response(connection, "text/event-stream", response);
}

static enum MHD_Result refuse(struct MHD_Connection *connection, unsigned status)
{
    return send_text(connection, status, "text/plain",
                     "There are /, /metrics, /healthz, /readyz and /status.json here.\n");
}

static enum MHD_Result send_page(void *context, struct http_request *request)
{
    const struct http_server *http = context;
    return http->server.page ? (enum MHD_Result)page_server_answer(http->server.page, request->connection,
                                                                   request->path + strlen(PLAY))
                             : refuse(request->connection, MHD_HTTP_NOT_FOUND);
}

static const struct http_route ROUTES[] = {
    {"/metrics", send_made, .of = &METRICS},    {"/status.json", send_made, .of = &STATUS},
    {"/map.json", send_made, .of = &MAP},       {"/events", begin_stream, .of = NULL},
    {"/healthz", send_health, .of = NULL},      {"/readyz", send_health, .of = &READY},
    {"/", send_fixed, .of = &LIVE_HTML},        {"/live.js", send_fixed, .of = &LIVE_JS},
    {"/live.css", send_fixed, .of = &LIVE_CSS}, {PLAY "/", send_page, .is_folder = true},
};

struct http_server *http_server_open(const char *address_text, struct status_publisher *publisher,
                                     const struct status_server *server, struct error *error)
{
    struct http_server *http = malloc(sizeof *http);
    json_object_seed(0); // before any thread could
    if (!http) {
        error_set(error, "out of memory");
        return NULL;
    }
    *http = (struct http_server){.site = {.routes = ROUTES,
                                          .route_count = sizeof ROUTES / sizeof *ROUTES,
                                          .refuse = refuse,
                                          .context = http,
                                          .has_threads = true},
                                 .publisher = publisher,
                                 .server = *server};
    http_callers_init(&http->callers, &HTTP_READERS, http->places, HTTP_READERS_CAPACITY);
    if (http_listener_open(&http->listener, &http->site, &http->callers, address_text, " for --metrics", error))
        return http;
    free(http);
    return NULL;
}

uint16_t http_server_port(const struct http_server *http)
{
    return http->listener.port;
}

void http_server_close(struct http_server *http)
{
    if (!http)
        return;
    http_listener_close(&http->listener);
    free(http);
}
