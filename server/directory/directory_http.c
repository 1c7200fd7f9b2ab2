// SPDX-License-Identifier: MIT
#include "directory_http.h"

#include <arpa/inet.h>
#include <errno.h>
#include <microhttpd.h>
#include <netinet/in.h>
#include <sodium.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "base/clock.h"
#include "base/host_port.h"
#include "base/little_endian.h"
#include "directory_metrics.h"

#define TIMEOUT_S       10
#define CONNECTIONS_MAX 4000
#define HOUSEHOLD_MAX   16 // connections
#define ROWS            4096
#define LIST_MAX_AGE    "public, max-age=5"
#define RETRY_S         "5"
#define MEMORY_BYTES    8192 // of a connection

struct directory_http {
    const struct directory_settings *settings;
    struct directory *directory;
    pthread_mutex_t *lock; // of the directory
    uint32_t daemon_count;
    struct MHD_Daemon *daemons[DIRECTORY_LISTEN_MAX];
    uint32_t proxy_count;
    struct address_range proxies[OPTION_LIST_CAPACITY];
    pthread_mutex_t own; // of what follows
    struct MHD_Response *list;
    uint8_t key[crypto_shorthash_KEYBYTES];
    uint16_t connections[ROWS]; // open ones by household, which share a row now and then
};

// The body of a POST, as far as it has come.
struct body {
    size_t byte_count; // ANNOUNCEMENT_BYTES_MAX + 1: too large
    char bytes[ANNOUNCEMENT_BYTES_MAX + 1];
};

static enum MHD_Result send_text(struct MHD_Connection *connection, unsigned status, const char *type, char *text)
{
    struct MHD_Response *response =
        text ? MHD_create_response_from_buffer(strlen(text), text, MHD_RESPMEM_MUST_FREE) : NULL;
    if (!response)
        return MHD_NO;
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

static bool is_proxy(const struct directory_http *http, const char *numeric)
{
    struct address_range address;
    bool is = false;
    if (http->proxy_count == 0 || !address_range_parse_address(numeric, &address))
        return false;
    for (uint32_t i = 0; i < http->proxy_count; i++)
        is |= address_range_contains(&http->proxies[i], &address);
    return is;
}

static void write_host(const struct sockaddr *address, char host[INET6_ADDRSTRLEN])
{
    const void *bytes = address->sa_family == AF_INET
                            ? (const void *)&((const struct sockaddr_in *)(const void *)address)->sin_addr
                            : (const void *)&((const struct sockaddr_in6 *)(const void *)address)->sin6_addr;
    if (!inet_ntop(address->sa_family, bytes, host, INET6_ADDRSTRLEN))
        host[0] = 0;
}

// Who asks: the other end of the connection, or what a proxy that is believed says. It appends to what strangers say,
// so the last one counts. False if such a proxy says nothing.
static bool find_sender(const struct directory_http *http, struct MHD_Connection *connection, struct net_address *from)
{
    char host[INET6_ADDRSTRLEN];
    write_host(MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS)->client_addr, host);
    if (!is_proxy(http, host))
        return net_address_parse(from, host, 0);
    const char *said = MHD_lookup_connection_value(connection, MHD_HEADER_KIND, "X-Forwarded-For");
    const char *last = said ? strrchr(said, ',') : NULL;
    struct host_port place;
    last = last ? last + 1 : said;
    while (last && *last == ' ')
        last++;
    return last && host_port_parse(last, SIZE_MAX, &place) && net_address_parse(from, place.host, 0);
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
    struct directory_reply reply;
    struct error error;
    pthread_mutex_lock(http->lock);
    bool admits = directory_admit(http->directory, &http->directory->announcements, from, time.now_ns);
    bool good =
        admits && directory_announce(http->directory, body->bytes, body->byte_count, from, time, &reply, &error);
    pthread_mutex_unlock(http->lock);
    if (!admits)
        return send_error(connection, MHD_HTTP_TOO_MANY_REQUESTS, "this address announces too often");
    if (!good)
        return send_error(connection, STATUS_OF_REFUSALS[error.code], error.text);
    json_t *reachable = reply.is_listed || reply.has_failed ? json_boolean(reply.is_listed) : json_null();
    return send_json(connection, MHD_HTTP_OK,
                     json_pack("{s:s, s:o, s:i}", "address", reply.address, "reachable", reachable, "again_ms",
                               (int)reply.again_ms));
}

static const char *argument(struct MHD_Connection *connection, const char *name)
{
    const char *text = MHD_lookup_connection_value(connection, MHD_GET_ARGUMENT_KIND, name);
    return text ? text : "";
}

static enum MHD_Result play(struct directory_http *http, struct MHD_Connection *connection,
                            const struct net_address *from)
{
    uint32_t family = from->byte_count != ADDRESS_BYTES_IPV4;
    char address[NET_ADDRESS_TEXT_BYTES], *text = NULL;
    uint16_t protocol = 0;
    struct directory_wanted wanted = {
        .mode = argument(connection, "mode"), .region = argument(connection, "region"), .over_ipv6 = family == 1};
    if (*argument(connection, "protocol") && !host_port_parse_port(argument(connection, "protocol"), &protocol))
        return send_error(connection, MHD_HTTP_BAD_REQUEST, "protocol is a number up to 65535");
    wanted.protocol = protocol;
    pthread_mutex_lock(http->lock);
    uint64_t now_ns = clock_now_ns();
    bool admits = directory_admit(http->directory, &http->directory->plays, from, now_ns);
    const struct directory_entry *entry = admits ? directory_play(http->directory, &wanted, now_ns) : NULL;
    if (entry) {
        net_address_text(&entry->addresses[family].address, address);
        if (asprintf(&text, "%s#%s\n", address, entry->last.fingerprint) < 0)
            text = NULL;
    }
    pthread_mutex_unlock(http->lock);
    if (!admits)
        return send_error(connection, MHD_HTTP_TOO_MANY_REQUESTS, "this address asks too often");
    if (!entry)
        return send_error(connection, MHD_HTTP_SERVICE_UNAVAILABLE, "no server has room for this now");
    return send_text(connection, MHD_HTTP_OK, "text/plain", text);
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
                      "there are /servers.json, /play, /announce, /metrics and /healthz");
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
        if (body)
            body->byte_count = 0;
        *kept = body;
        return body ? MHD_YES : MHD_NO;
    }
    if (*byte_count > 0) {
        take_body(*kept, bytes, *byte_count);
        *byte_count = 0;
        return MHD_YES;
    }
    bool announces = posts && strcmp(path, "/announce") == 0, plays = gets && strcmp(path, "/play") == 0;
    if ((announces || plays) && !find_sender(http, connection, &from))
        return send_error(connection, MHD_HTTP_BAD_REQUEST, "the proxy does not say who asks (X-Forwarded-For)");
    if (announces)
        return announce(http, connection, &from, *kept);
    if (plays)
        return play(http, connection, &from);
    if (gets)
        return answer_get(http, connection, path);
    return send_error(connection, MHD_HTTP_METHOD_NOT_ALLOWED, "/announce takes POST, everything else GET");
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

static uint16_t *connections_of(struct directory_http *http, const struct sockaddr *address)
{
    uint8_t text[8], hash[crypto_shorthash_BYTES];
    struct sockaddr_storage kernel = {0};
    memcpy(&kernel, address, address->sa_family == AF_INET ? sizeof(struct sockaddr_in) : sizeof(struct sockaddr_in6));
    struct net_address from = net_address_of_socket(&kernel);
    little_endian_write(text, household_of(&from), sizeof text);
    crypto_shorthash(hash, text, sizeof text, http->key);
    return &http->connections[little_endian_read(hash, 8) % ROWS];
}

// A proxy carries everybody's connections, and the operator's own network is no stranger.
static bool is_limited(struct directory_http *http, const struct sockaddr *address)
{
    char host[INET6_ADDRSTRLEN];
    struct net_address from;
    write_host(address, host);
    return !is_proxy(http, host) && net_address_parse(&from, host, 0) &&
           !household_is_exempt(&http->directory->households, household_of(&from));
}

static enum MHD_Result accept_connection(void *context, const struct sockaddr *address, socklen_t size)
{
    struct directory_http *http = context;
    (void)size;
    pthread_mutex_lock(&http->own);
    bool accepts = *connections_of(http, address) < HOUSEHOLD_MAX;
    pthread_mutex_unlock(&http->own);
    return accepts || !is_limited(http, address) ? MHD_YES : MHD_NO;
}

static void count_connection(void *context, struct MHD_Connection *connection, void **kept,
                             enum MHD_ConnectionNotificationCode code)
{
    struct directory_http *http = context;
    (void)kept;
    const struct sockaddr *address =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS)->client_addr;
    pthread_mutex_lock(&http->own);
    uint16_t *count = connections_of(http, address);
    *count = (uint16_t)(*count + (code == MHD_CONNECTION_NOTIFY_STARTED ? 1 : -1));
    pthread_mutex_unlock(&http->own);
}

static bool start(struct directory_http *http, const char *text, struct error *error)
{
    struct sockaddr_storage address;
    host_port_parse_numeric(text, &address);
    unsigned flags = MHD_USE_EPOLL_INTERNAL_THREAD | (address.ss_family == AF_INET6 ? MHD_USE_IPv6 : 0u);
    struct MHD_Daemon *daemon =
        MHD_start_daemon(flags, 0, accept_connection, http, answer, http, MHD_OPTION_SOCK_ADDR, &address,
                         MHD_OPTION_CONNECTION_LIMIT, (unsigned)CONNECTIONS_MAX, MHD_OPTION_CONNECTION_TIMEOUT,
                         (unsigned)TIMEOUT_S, MHD_OPTION_NOTIFY_COMPLETED, complete, NULL, MHD_OPTION_NOTIFY_CONNECTION,
                         count_connection, http, MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)MEMORY_BYTES,
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
    randombytes_buf(http->key, sizeof http->key);
    json_object_seed(0); // before any thread could
    for (uint32_t i = 0; i < settings->proxy.count; i++)
        http->proxy_count += address_range_parse(settings->proxy.values[i], &http->proxies[http->proxy_count]);
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
    for (uint32_t i = 0; i < http->daemon_count; i++)
        MHD_stop_daemon(http->daemons[i]);
    if (http->list)
        MHD_destroy_response(http->list);
    free(http);
}
