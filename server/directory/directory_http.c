// SPDX-License-Identifier: MIT
#include "directory_http.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/host_port.h"
#include "http/http.h"
#include "listing.h"
#include "net/net_address.h"
#include "notes.h"
#include "places.h"

#define LIST_MAX_AGE   "public, max-age=5"
#define RETRY_S        "5"
#define BODY_BYTES_MAX NOTE_EXCHANGE_REQUEST_BYTES_MAX
#define CAPACITY       5120 // places; those beyond the limit are for connections that are about to end

static const struct http_connections_limits LIMITS = {.max = 4000, .household_max = 16};

struct directory_http {
    const char *host; // as in the settings
    struct directory *directory;
    pthread_mutex_t *lock;       // of the directory
    struct allocator *allocator; // null: none
    struct http_site site;
    uint32_t listener_count;
    struct http_listener listeners[DIRECTORY_HTTP_LISTEN_MAX];
    struct http_callers callers;
    struct http_connection places[CAPACITY];
    pthread_mutex_t own; // of what follows
    struct MHD_Response *list;
};

_Static_assert(BODY_BYTES_MAX >= ANNOUNCEMENT_BYTES_MAX, "an announcement fits");

static enum MHD_Result send_response(struct MHD_Connection *connection, unsigned status, const char *type,
                                     struct MHD_Response *response)
{
    bool is_busy = status == MHD_HTTP_SERVICE_UNAVAILABLE || status == MHD_HTTP_TOO_MANY_REQUESTS;
    struct http_head head = {.status = status,
                             .type = type,
                             .origins = "*",
                             .retry_after = is_busy ? RETRY_S : NULL,
                             .allow = status == MHD_HTTP_METHOD_NOT_ALLOWED ? "GET, HEAD, POST" : NULL};
    return http_head_send(connection, &head, response);
}

static enum MHD_Result send_text(struct MHD_Connection *connection, unsigned status, const char *type, char *text)
{
    return send_response(connection, status, type,
                         text ? MHD_create_response_from_buffer(strlen(text), text, MHD_RESPMEM_MUST_FREE) : NULL);
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

static enum MHD_Result announce(void *context, struct http_request *request)
{
    struct directory_http *http = context;
    struct MHD_Connection *connection = request->connection;
    const struct net_address *from = &request->from;
    struct listing_time time = {clock_now_ns(), clock_unix_ns() / CLOCK_MS_NS};
    char key[2 * SIGNED_TEXT_KEY_BYTES + 1];
    struct listing_reply reply;
    struct error error;
    pthread_mutex_lock(http->lock);
    bool admits = directory_admit(http->directory, &http->directory->announcements, from, time.now_ns);
    bool good =
        admits && listing_announce(http->directory, request->bytes, request->byte_count, from, time, &reply, &error);
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

static enum MHD_Result exchange_notes(void *context, struct http_request *request)
{
    struct directory_http *http = context;
    struct MHD_Connection *connection = request->connection;
    struct notes_question question = {request->from, (const uint8_t *)request->bytes, request->byte_count};
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
    size_t byte_count = friend_notes_write_answer(&answer, bytes);
    return send_response(connection, MHD_HTTP_OK, "application/octet-stream",
                         MHD_create_response_from_buffer(byte_count, bytes, MHD_RESPMEM_MUST_COPY));
}

static const char *argument(struct MHD_Connection *connection, const char *name)
{
    const char *text = MHD_lookup_connection_value(connection, MHD_GET_ARGUMENT_KIND, name);
    return text ? text : "";
}

static void resume(const struct allocator_answer *answer)
{
    MHD_resume_connection(answer->context);
}

static const char SPECTATE; // what /watch asks, and /play does not

// Answers both. If an allocator is to be asked, the connection waits for it, and no thread does; the
// request comes again then, with its answer.
static enum MHD_Result send_found(void *context, struct http_request *request)
{
    struct directory_http *http = context;
    bool watches = request->route->of == &SPECTATE;
    struct MHD_Connection *connection = request->connection;
    struct allocator_answer *allocated = request->kept;
    struct directory_wanted wanted = {.mode = argument(connection, "mode"), .region = argument(connection, "region")};
    const char *protocol_text = argument(connection, "protocol");
    uint16_t protocol = 0;
    char *line = NULL;
    if (allocated && allocated->place[0])
        return send_text(connection, MHD_HTTP_OK, "text/plain",
                         asprintf(&line, "%s\n", allocated->place) < 0 ? NULL : line);
    if (*protocol_text && !host_port_parse_port(protocol_text, &protocol))
        return send_error(connection, MHD_HTTP_BAD_REQUEST, "protocol is a number up to 65535");
    wanted.protocol = protocol;
    wanted.from = request->from;
    wanted.over_ipv6 = directory_family(&request->from);
    // Players know the directory by its own name, else by the one that they have asked for.
    const char *asked = MHD_lookup_connection_value(connection, MHD_HEADER_KIND, MHD_HTTP_HEADER_HOST);
    const char *own_name = http->host ? http->host : asked ? asked : "";
    pthread_mutex_lock(http->lock);
    uint64_t now_ns = clock_now_ns();
    bool admits = allocated || directory_admit(http->directory, &http->directory->plays, &request->from, now_ns);
    bool asks = admits && !watches && http->allocator && !allocated;
    if (admits && !asks)
        line = watches ? places_line_live(http->directory, &wanted)
                       : places_line_play(http->directory, &wanted, own_name, now_ns);
    pthread_mutex_unlock(http->lock);
    if (!admits)
        return send_error(connection, MHD_HTTP_TOO_MANY_REQUESTS, "this address asks too often");
    if (asks) {
        allocated = request->kept = calloc(1, sizeof *allocated);
        if (!allocated)
            return MHD_NO;
        *allocated = (struct allocator_answer){.done = resume, .context = connection};
        MHD_suspend_connection(connection);
        if (!allocator_ask(http->allocator, wanted.mode, allocated))
            MHD_resume_connection(connection);
        return MHD_YES;
    }
    if (!line)
        return send_error(connection, MHD_HTTP_SERVICE_UNAVAILABLE,
                          watches ? "no match can be watched now" : "no server has room for this now");
    return send_text(connection, MHD_HTTP_OK, "text/plain", line);
}

static enum MHD_Result send_list(void *context, struct http_request *request)
{
    struct directory_http *http = context;
    enum MHD_Result result = MHD_NO;
    pthread_mutex_lock(&http->own);
    bool has_list = http->list != NULL;
    if (has_list)
        result = MHD_queue_response(request->connection, MHD_HTTP_OK, http->list);
    pthread_mutex_unlock(&http->own);
    return has_list ? result : send_error(request->connection, MHD_HTTP_SERVICE_UNAVAILABLE, "there is no list yet");
}

struct sample {
    const char *value;
    uint64_t count;
};

static void write_head(FILE *file, const char *name, const char *type, const char *help)
{
    fprintf(file, "# HELP deadfall_directory_%s %s\n# TYPE deadfall_directory_%s %s\n", name, help, name, type);
}

static void write_one(FILE *file, const char *name, const char *type, const char *help, uint64_t value)
{
    write_head(file, name, type, help);
    fprintf(file, "deadfall_directory_%s %" PRIu64 "\n", name, value);
}

// A family with a label; its samples differ by their values of it. The last one has none.
static void write_family(FILE *file, const char *name, const char *type, const char *help, const char *label,
                         const struct sample *samples)
{
    write_head(file, name, type, help);
    for (; samples->value; samples++)
        fprintf(file, "deadfall_directory_%s{%s=\"%s\"} %" PRIu64 "\n", name, label, samples->value, samples->count);
}

static void write_metrics(FILE *file, const struct directory *directory)
{
    const struct directory_introductions *introductions = &directory->introductions;
    const struct directory_sharing *sharing = &directory->sharing;
    struct sample refused[DIRECTORY_REFUSALS + 1] = {{NULL, 0}};
    for (uint32_t i = 0; i < DIRECTORY_REFUSALS; i++)
        refused[i] = (struct sample){DIRECTORY_REFUSAL_NAMES[i], directory->refused[i]};
    write_head(file, "build_info", "gauge", "The version that runs.");
    fprintf(file, "deadfall_directory_build_info{version=\"%s\"} 1\n", DEADFALL_VERSION);
    write_family(file, "listed", "gauge", "Servers that are listed, by family.", "family",
                 (struct sample[]){
                     {"ipv4", directory_listed(directory, 0)}, {"ipv6", directory_listed(directory, 1)}, {NULL, 0}});
    write_one(file, "known", "gauge", "Servers that are remembered, listed or not.", directory->used);
    write_one(file, "questions", "gauge", "Addresses that are being asked for a proof.", directory->question_count);
    write_one(file, "reserved", "gauge", "Places that are reserved.", places_count_reserved(directory));
    write_one(file, "announcements_total", "counter", "Announcements accepted.", directory->accepted);
    write_one(file, "proofs_total", "counter", "Addresses that have proven that a server listens.", directory->proofs);
    write_one(file, "unreachable_total", "counter", "Addresses that did not answer.", directory->failures);
    write_family(file, "refused_total", "counter", "Announcements and calls refused, by reason.", "reason", refused);
    write_one(file, "registered_total", "counter", "Registrations of servers for introductions.",
              introductions->registered);
    write_one(file, "introduced_total", "counter", "Clients introduced to servers.", introductions->introduced);
    write_one(file, "relayed_total", "counter", "Clients introduced who had asked another directory with this list.",
              introductions->relayed);
    write_family(file, "introductions_refused_total", "counter", "Datagrams for introductions refused, by reason.",
                 "reason",
                 (struct sample[]){{"unknown", introductions->unknown},
                                   {"forged", introductions->forged},
                                   {"malformed", introductions->malformed},
                                   {"rate", introductions->too_many},
                                   {NULL, 0}});
    write_family(
        file, "plays_total", "counter", "Calls of /play, by what they got.", "result",
        (struct sample[]){{"place", directory->plays_answered}, {"none", directory->plays_refused}, {NULL, 0}});
    if (!sharing->is_on)
        return;
    write_one(file, "store_up", "gauge", "Whether the store answers.", sharing->is_up);
    write_family(file, "store_changes_total", "counter", "Changes that went through the store, by what became of them.",
                 "result",
                 (struct sample[]){{"sent", sharing->sent},
                                   {"received", sharing->received},
                                   {"refused", sharing->refused},
                                   {"lost", sharing->lost},
                                   {NULL, 0}});
}

static enum MHD_Result send_metrics(void *context, struct http_request *request)
{
    struct directory_http *http = context;
    char *text = NULL;
    size_t byte_count;
    FILE *file = open_memstream(&text, &byte_count);
    if (!file)
        return MHD_NO;
    pthread_mutex_lock(http->lock);
    write_metrics(file, http->directory);
    pthread_mutex_unlock(http->lock);
    notes_metrics_write(file, http->directory->notes);
    if (http->allocator)
        allocator_metrics_write(file, http->allocator);
    fclose(file);
    return send_text(request->connection, MHD_HTTP_OK, "text/plain; version=0.0.4; charset=utf-8", text);
}

static enum MHD_Result send_health(void *context, struct http_request *request)
{
    (void)context;
    return send_text(request->connection, MHD_HTTP_OK, "text/plain", strdup("ok\n"));
}

static enum MHD_Result refuse(struct MHD_Connection *connection, unsigned status)
{
    return send_error(connection, status,
                      status == MHD_HTTP_BAD_REQUEST ? "the proxy does not say who asks (X-Forwarded-For)"
                      : status == MHD_HTTP_NOT_FOUND
                          ? "there are /servers.json, /play, /watch, /announce, /notes, /metrics and /healthz"
                          : "/announce and /notes take POST, everything else GET");
}

static const struct http_route ROUTES[] = {
    {"/announce", announce, .is_post = true, .knows_caller = true},
    {"/notes", exchange_notes, .is_post = true, .knows_caller = true},
    {"/play", send_found, .knows_caller = true},
    {"/watch", send_found, .knows_caller = true, .of = &SPECTATE},
    {"/servers.json", send_list, .of = NULL},
    {"/metrics", send_metrics, .of = NULL},
    {"/healthz", send_health, .of = NULL},
};

struct directory_http *directory_http_open(const struct directory_http_settings *settings, struct directory *directory,
                                           pthread_mutex_t *lock, struct error *error)
{
    struct directory_http *http = calloc(1, sizeof *http);
    error_set(error, "out of memory");
    if (!http)
        return NULL;
    *http = (struct directory_http){
        .host = settings->host,
        .directory = directory,
        .lock = lock,
        .own = PTHREAD_MUTEX_INITIALIZER,
        .site = {ROUTES, sizeof ROUTES / sizeof *ROUTES, refuse, http, .body_bytes_max = BODY_BYTES_MAX}};
    struct http_callers *callers = &http->callers;
    http_callers_init(callers, &LIMITS, http->places, CAPACITY);
    callers->exempt = &directory->households;
    for (uint32_t i = 0; i < settings->proxy->count; i++)
        callers->proxy_count +=
            net_address_range_parse(settings->proxy->values[i], &callers->proxies[callers->proxy_count]);
    json_object_seed(0); // before any thread could
    bool good = !settings->allocator || (http->allocator = allocator_open(settings->allocator, error)) != NULL;
    for (uint32_t i = 0; good && i < settings->listen->count; i++) {
        good = http_listener_open(&http->listeners[i], &http->site, callers, settings->listen->values[i], "", error);
        http->listener_count += good;
    }
    if (good)
        return http;
    directory_http_close(http);
    return NULL;
}

uint16_t directory_http_port(const struct directory_http *http, uint32_t i)
{
    return http->listeners[i].port;
}

bool directory_http_set_list(struct directory_http *http, char *text, size_t byte_count)
{
    struct http_head head = {.type = "application/json", .cache = LIST_MAX_AGE, .origins = "*"};
    struct MHD_Response *fresh =
        http_head_add(&head, MHD_create_response_from_buffer(byte_count, text, MHD_RESPMEM_MUST_FREE));
    if (!fresh) {
        free(text);
        return false;
    }
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
    for (uint32_t i = 0; i < http->listener_count; i++)
        http_listener_close(&http->listeners[i]);
    allocator_close(http->allocator);
    if (http->list)
        MHD_destroy_response(http->list);
    free(http);
}
