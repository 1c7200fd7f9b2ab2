// SPDX-License-Identifier: MIT
#include "directory_http.h"

#include <errno.h>
#include <microhttpd.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/host_port.h"
#include "directory_metrics.h"
#include "http_callers.h"
#include "notes.h"
#include "places.h"

#define TIMEOUT_S      10
#define LIST_MAX_AGE   "public, max-age=5"
#define RETRY_S        "5"
#define MEMORY_BYTES   8192 // of a connection
#define BODY_BYTES_MAX NOTE_EXCHANGE_REQUEST_BYTES_MAX

struct directory_http {
    const struct directory_settings *settings;
    struct directory *directory;
    pthread_mutex_t *lock; // of the directory
    uint32_t daemon_count;
    struct allocator *allocator; // null: none
    struct MHD_Daemon *daemons[DIRECTORY_LISTEN_MAX];
    struct http_callers callers;
    pthread_mutex_t own; // of what follows
    struct MHD_Response *list;
};

// What is kept of a request: the body of a POST, as far as it has come, and what the allocator says.
struct body {
    struct MHD_Connection *connection;
    bool has_asked; // the allocator
    struct allocator_answer allocated;
    size_t byte_count; // BODY_BYTES_MAX + 1: too large
    char bytes[BODY_BYTES_MAX + 1];
};

_Static_assert(BODY_BYTES_MAX >= ANNOUNCEMENT_BYTES_MAX, "an announcement fits");

static enum MHD_Result send_response(struct MHD_Connection *connection, unsigned status, const char *type,
                                     struct MHD_Response *response)
{
    MHD_add_response_header(response, MHD_HTTP_HEADER_CONTENT_TYPE, type);
    MHD_add_response_header(response, MHD_HTTP_HEADER_CACHE_CONTROL, "no-store");
    MHD_add_response_header(response, MHD_HTTP_HEADER_ACCESS_CONTROL_ALLOW_ORIGIN, "*");
    MHD_add_response_header(response, "X-Content-Type-Options", "nosniff");
    if (status == MHD_HTTP_SERVICE_UNAVAILABLE || status == MHD_HTTP_TOO_MANY_REQUESTS)
        MHD_add_response_header(response, MHD_HTTP_HEADER_RETRY_AFTER, RETRY_S);
    if (status == MHD_HTTP_METHOD_NOT_ALLOWED)
        MHD_add_response_header(response, MHD_HTTP_HEADER_ALLOW, "GET, HEAD, POST");
    enum MHD_Result result = MHD_queue_response(connection, status, response);
    MHD_destroy_response(response);
    return result;
}

static enum MHD_Result send_text(struct MHD_Connection *connection, unsigned status, const char *type, char *text)
{
    struct MHD_Response *response =
        text ? MHD_create_response_from_buffer(strlen(text), text, MHD_RESPMEM_MUST_FREE) : NULL;
    return response ? send_response(connection, status, type, response) : MHD_NO;
}

static enum MHD_Result send_json(struct MHD_Connection *connection, unsigned status, json_t *object)
{
    char *text = json_dumps(object, JSON_COMPACT);
    json_decref(object);
    return send_text(connection, status, "application/json", text);
}

static enum MHD_Result send_error(struct MHD_Connection *connection, unsigned status, const char *text)
{
    return send_json(connection, status, json_pack("{s:s}", "error", text));
}

static const unsigned STATUS_OF_REFUSALS[DIRECTORY_REFUSALS] = {
    [DIRECTORY_REFUSED_MALFORMED] = MHD_HTTP_BAD_REQUEST,    [DIRECTORY_REFUSED_CLOCK] = MHD_HTTP_FORBIDDEN,
    [DIRECTORY_REFUSED_REPLAYED] = MHD_HTTP_CONFLICT,        [DIRECTORY_REFUSED_ELSEWHERE] = MHD_HTTP_FORBIDDEN,
    [DIRECTORY_REFUSED_RATE] = MHD_HTTP_TOO_MANY_REQUESTS,   [DIRECTORY_REFUSED_QUOTA] = MHD_HTTP_TOO_MANY_REQUESTS,
    [DIRECTORY_REFUSED_FULL] = MHD_HTTP_SERVICE_UNAVAILABLE,
};

static enum MHD_Result announce(struct directory_http *http, struct MHD_Connection *connection,
                                const struct net_address *from, const struct body *body)
{
    struct directory_time time = {clock_now_ns(), clock_unix_ns() / CLOCK_MS_NS};
    char key[2 * SIGNED_TEXT_KEY_BYTES + 1];
    struct directory_reply reply;
    struct error error;
    pthread_mutex_lock(http->lock);
    bool admits = directory_admit(http->directory, &http->directory->announcements, from, time.now_ns);
    bool good =
        admits && directory_announce(http->directory, body->bytes, body->byte_count, from, time, &reply, &error);
    uint16_t punch_port = http->directory->punch_port;
    signed_text_write_key(http->directory->public_key, key);
    pthread_mutex_unlock(http->lock);
    if (!admits)
        return send_error(connection, MHD_HTTP_TOO_MANY_REQUESTS, "this address announces too often");
    if (!good)
        return send_error(connection, STATUS_OF_REFUSALS[error.code], error.text);
    json_t *reachable = reply.is_listed || reply.has_failed ? json_boolean(reply.is_listed) : json_null();
    json_t *punched = reply.mapping[0] ? json_string(reply.mapping) : json_null();
    return send_json(connection, MHD_HTTP_OK,
                     json_pack("{s:s, s:o, s:o, s:i, s:s, s:i}", "address", reply.address, "reachable", reachable,
                               "punched", punched, "punch_port", (int)punch_port, "key", key, "again_ms",
                               (int)reply.again_ms));
}

static enum MHD_Result exchange_notes(struct directory_http *http, struct MHD_Connection *connection,
                                      const struct net_address *from, const struct body *body)
{
    struct notes_question question = {*from, (const uint8_t *)body->bytes, body->byte_count};
    uint8_t bytes[NOTE_EXCHANGE_ANSWER_BYTES_MAX];
    struct note_answer answer;
    switch (notes_exchange(http->directory->notes, &question, clock_now_ns(), &answer)) {
    case NOTES_MALFORMED:
        return send_error(connection, MHD_HTTP_BAD_REQUEST, "this is no request for notes");
    case NOTES_TOO_OFTEN:
        return send_error(connection, MHD_HTTP_TOO_MANY_REQUESTS, "this address asks too often");
    case NOTES_ANSWERED:
        break;
    }
    size_t byte_count = note_exchange_write_answer(&answer, bytes);
    struct MHD_Response *response = MHD_create_response_from_buffer(byte_count, bytes, MHD_RESPMEM_MUST_COPY);
    return response ? send_response(connection, MHD_HTTP_OK, "application/octet-stream", response) : MHD_NO;
}

static const char *argument(struct MHD_Connection *connection, const char *name)
{
    const char *text = MHD_lookup_connection_value(connection, MHD_GET_ARGUMENT_KIND, name);
    return text ? text : "";
}

// Reads what is wanted. False if the protocol makes no sense.
static bool read_wanted(struct MHD_Connection *connection, struct directory_wanted *wanted)
{
    const char *text = argument(connection, "protocol");
    uint16_t protocol = 0;
    if (*text && !host_port_parse_port(text, &protocol))
        return false;
    *wanted = (struct directory_wanted){
        .mode = argument(connection, "mode"), .region = argument(connection, "region"), .protocol = protocol};
    return true;
}

// The name by which players know the directory: its own, else the one that they have asked for.
static const char *own_name(const struct directory_http *http, struct MHD_Connection *connection)
{
    const char *asked = MHD_lookup_connection_value(connection, MHD_HEADER_KIND, MHD_HTTP_HEADER_HOST);
    return http->settings->host.count > 0 ? http->settings->host.values[0] : asked ? asked : "";
}

static void resume(const struct allocator_answer *answer)
{
    struct body *body = answer->context;
    MHD_resume_connection(body->connection);
}

// The connection waits for the allocator, and no thread does. This is called again then, when `body` has its answer.
static enum MHD_Result ask_allocator(struct directory_http *http, struct MHD_Connection *connection, struct body *body,
                                     const char *mode)
{
    body->has_asked = true;
    body->connection = connection;
    body->allocated = (struct allocator_answer){.done = resume, .context = body};
    MHD_suspend_connection(connection);
    if (!allocator_ask(http->allocator, mode, &body->allocated))
        MHD_resume_connection(connection);
    return MHD_YES;
}

static enum MHD_Result send_place(struct MHD_Connection *connection, const char *place)
{
    char *line = NULL;
    return send_text(connection, MHD_HTTP_OK, "text/plain", asprintf(&line, "%s\n", place) < 0 ? NULL : line);
}

static enum MHD_Result send_found(struct directory_http *http, struct MHD_Connection *connection,
                                  const struct net_address *from, bool watches, struct body *body)
{
    struct directory_wanted wanted;
    if (body->has_asked && body->allocated.place[0])
        return send_place(connection, body->allocated.place);
    if (!read_wanted(connection, &wanted))
        return send_error(connection, MHD_HTTP_BAD_REQUEST, "protocol is a number up to 65535");
    wanted.over_ipv6 = from->byte_count != ADDRESS_BYTES_IPV4;
    pthread_mutex_lock(http->lock);
    uint64_t now_ns = clock_now_ns();
    bool admits = body->has_asked || directory_admit(http->directory, &http->directory->plays, from, now_ns);
    bool asks = admits && !watches && http->allocator && !body->has_asked;
    char *line = !admits || asks ? NULL
                 : watches       ? place_line_live(http->directory, &wanted)
                                 : place_line_play(http->directory, &wanted, own_name(http, connection), now_ns);
    pthread_mutex_unlock(http->lock);
    if (!admits)
        return send_error(connection, MHD_HTTP_TOO_MANY_REQUESTS, "this address asks too often");
    if (asks)
        return ask_allocator(http, connection, body, wanted.mode);
    if (!line)
        return send_error(connection, MHD_HTTP_SERVICE_UNAVAILABLE,
                          watches ? "no match can be watched now" : "no server has room for this now");
    return send_text(connection, MHD_HTTP_OK, "text/plain", line);
}

static enum MHD_Result send_list(struct directory_http *http, struct MHD_Connection *connection)
{
    enum MHD_Result result = MHD_NO;
    pthread_mutex_lock(&http->own);
    bool has_list = http->list != NULL;
    if (has_list)
        result = MHD_queue_response(connection, MHD_HTTP_OK, http->list);
    pthread_mutex_unlock(&http->own);
    return has_list ? result : send_error(connection, MHD_HTTP_SERVICE_UNAVAILABLE, "there is no list yet");
}

static enum MHD_Result send_metrics(struct directory_http *http, struct MHD_Connection *connection)
{
    char *text = NULL;
    size_t byte_count;
    FILE *file = open_memstream(&text, &byte_count);
    if (!file)
        return MHD_NO;
    pthread_mutex_lock(http->lock);
    directory_metrics_write(file, http->directory);
    pthread_mutex_unlock(http->lock);
    notes_metrics_write(file, http->directory->notes);
    if (http->allocator)
        allocator_metrics_write(file, http->allocator);
    fclose(file);
    return send_text(connection, MHD_HTTP_OK, "text/plain; version=0.0.4; charset=utf-8", text);
}

static enum MHD_Result answer_get(struct directory_http *http, struct MHD_Connection *connection, const char *path)
{
    if (strcmp(path, "/servers.json") == 0)
        return send_list(http, connection);
    if (strcmp(path, "/metrics") == 0)
        return send_metrics(http, connection);
    if (strcmp(path, "/healthz") == 0)
        return send_text(connection, MHD_HTTP_OK, "text/plain", strdup("ok\n"));
    return send_error(connection, MHD_HTTP_NOT_FOUND,
                      "there are /servers.json, /play, /watch, /announce, /notes, /metrics and /healthz");
}

static void take_body(struct body *body, const char *bytes, size_t byte_count)
{
    size_t room = sizeof body->bytes - body->byte_count;
    size_t count = byte_count < room ? byte_count : room;
    memcpy(body->bytes + body->byte_count, bytes, count);
    body->byte_count += count;
}

static enum MHD_Result answer(void *context, struct MHD_Connection *connection, const char *path, const char *method,
                              const char *version, const char *bytes, size_t *byte_count, void **kept)
{
    struct directory_http *http = context;
    struct net_address from;
    (void)version;
    bool posts = strcmp(method, MHD_HTTP_METHOD_POST) == 0;
    bool gets = strcmp(method, MHD_HTTP_METHOD_GET) == 0 || strcmp(method, MHD_HTTP_METHOD_HEAD) == 0;
    if (!*kept) {
        struct body *body = malloc(sizeof *body);
        if (body) {
            body->byte_count = 0;
            body->has_asked = false;
        }
        *kept = body;
        return body ? MHD_YES : MHD_NO;
    }
    if (*byte_count > 0) {
        take_body(*kept, bytes, *byte_count);
        *byte_count = 0;
        return MHD_YES;
    }
    bool announces = posts && strcmp(path, "/announce") == 0, plays = gets && strcmp(path, "/play") == 0;
    bool watches = gets && strcmp(path, "/watch") == 0, exchanges = posts && strcmp(path, "/notes") == 0;
    if ((announces || plays || watches || exchanges) && !http_callers_find(&http->callers, connection, &from))
        return send_error(connection, MHD_HTTP_BAD_REQUEST, "the proxy does not say who asks (X-Forwarded-For)");
    if (announces)
        return announce(http, connection, &from, *kept);
    if (exchanges)
        return exchange_notes(http, connection, &from, *kept);
    if (plays || watches)
        return send_found(http, connection, &from, watches, *kept);
    if (gets)
        return answer_get(http, connection, path);
    return send_error(connection, MHD_HTTP_METHOD_NOT_ALLOWED, "/announce and /notes take POST, everything else GET");
}

static void complete(void *context, struct MHD_Connection *connection, void **kept,
                     enum MHD_RequestTerminationCode code)
{
    (void)context;
    (void)connection;
    (void)code;
    free(*kept);
    *kept = NULL;
}

static bool start(struct directory_http *http, const char *text, struct error *error)
{
    struct net_address own;
    struct sockaddr_storage address;
    host_port_parse_numeric(text, &own);
    ip_address_to_socket(&own, &address);
    unsigned flags =
        MHD_USE_EPOLL_INTERNAL_THREAD | MHD_ALLOW_SUSPEND_RESUME | (address.ss_family == AF_INET6 ? MHD_USE_IPv6 : 0u);
    struct MHD_Daemon *daemon =
        MHD_start_daemon(flags, 0, NULL, NULL, answer, http, MHD_OPTION_SOCK_ADDR, &address,
                         MHD_OPTION_CONNECTION_LIMIT, (unsigned)HTTP_CALLERS_CAPACITY, MHD_OPTION_CONNECTION_TIMEOUT,
                         (unsigned)TIMEOUT_S, MHD_OPTION_NOTIFY_COMPLETED, complete, NULL, MHD_OPTION_NOTIFY_CONNECTION,
                         http_callers_take, &http->callers, MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)MEMORY_BYTES,
                         MHD_OPTION_LISTEN_BACKLOG_SIZE, 1024u, MHD_OPTION_LISTENING_ADDRESS_REUSE, 1u, MHD_OPTION_END);
    if (!daemon)
        return error_set(error, "cannot listen on http://%s: %s", text, strerror(errno));
    http->daemons[http->daemon_count++] = daemon;
    return true;
}

struct directory_http *directory_http_open(const struct directory_settings *settings, struct directory *directory,
                                           pthread_mutex_t *lock, struct error *error)
{
    struct directory_http *http = calloc(1, sizeof *http);
    error_set(error, "out of memory");
    if (!http)
        return NULL;
    *http = (struct directory_http){
        .settings = settings, .directory = directory, .lock = lock, .own = PTHREAD_MUTEX_INITIALIZER};
    http_callers_init(&http->callers, &settings->proxy, &directory->households);
    json_object_seed(0); // before any thread could
    struct allocator_settings allocator = directory_settings_allocator(settings, directory->log);
    if (strcmp(settings->allocator, "off") != 0 && !(http->allocator = allocator_open(&allocator, error))) {
        directory_http_close(http);
        return NULL;
    }
    for (uint32_t i = 0; i < settings->listen.count; i++)
        if (!start(http, settings->listen.values[i], error)) {
            directory_http_close(http);
            return NULL;
        }
    return http;
}

uint16_t directory_http_port(const struct directory_http *http, uint32_t i)
{
    return MHD_get_daemon_info(http->daemons[i], MHD_DAEMON_INFO_BIND_PORT)->port;
}

bool directory_http_set_list(struct directory_http *http, char *text, size_t byte_count)
{
    struct MHD_Response *fresh = MHD_create_response_from_buffer(byte_count, text, MHD_RESPMEM_MUST_FREE);
    if (!fresh) {
        free(text);
        return false;
    }
    MHD_add_response_header(fresh, MHD_HTTP_HEADER_CONTENT_TYPE, "application/json");
    MHD_add_response_header(fresh, MHD_HTTP_HEADER_CACHE_CONTROL, LIST_MAX_AGE);
    MHD_add_response_header(fresh, MHD_HTTP_HEADER_ACCESS_CONTROL_ALLOW_ORIGIN, "*");
    MHD_add_response_header(fresh, "X-Content-Type-Options", "nosniff");
    pthread_mutex_lock(&http->own);
    struct MHD_Response *old = http->list;
    http->list = fresh;
    pthread_mutex_unlock(&http->own);
    if (old)
        MHD_destroy_response(old); // a reader keeps it to the end
    return true;
}

void directory_http_close(struct directory_http *http)
{
    if (!http)
        return;
    if (http->allocator)
        allocator_end(http->allocator); // so that no connection waits for it
    for (uint32_t i = 0; i < http->daemon_count; i++)
        MHD_stop_daemon(http->daemons[i]);
    allocator_close(http->allocator);
    if (http->list)
        MHD_destroy_response(http->list);
    free(http);
}
