// SPDX-License-Identifier: MIT
#include "redis_connection.h"

#include <curl/curl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/platform/disk.h"
#include "base/platform/process.h"

#define PATIENCE_MS 1000
#define CHUNK_BYTES 16384
#define FILE_BYTES  1024
// Of an answer: 512 changes of at most 3 KB each, and twenty words in a change.
#define ELEMENTS_MAX     4096
#define ANSWER_BYTES_MAX ((size_t)16 << 20)

#if HIREDIS_MAJOR >= 1
typedef size_t element_count;
#else
typedef int element_count;
#endif

struct redis_connection {
    CURL *curl;
    CURLM *waiter; // waits for the socket
    curl_socket_t socket;
    redisReader *reader;
    char *out; // of the pipeline
    size_t out_bytes;
    bool is_broken; // the pipeline did not fit into memory
};

static void *(*create_any_array)(const redisReadTask *task, element_count count);

// Memory is taken for all elements before they come.
static void *create_array(const redisReadTask *task, element_count count)
{
    return count > ELEMENTS_MAX ? NULL : create_any_array(task, count);
}

redisReader *redis_connection_reader(void)
{
    static redisReplyObjectFunctions functions;
    redisReader *reader = redisReaderCreate();
    if (!reader)
        return NULL;
    if (!create_any_array) {
        functions = *reader->fn;
        create_any_array = functions.createArray;
        functions.createArray = create_array;
    }
    reader->fn = &functions;
    return reader;
}

static bool find_file(const char *folder, const char *name, char path[FILE_BYTES])
{
    return folder[0] && snprintf(path, FILE_BYTES, "%s/%s", folder, name) < FILE_BYTES && disk_is_readable(path);
}

// Connects as for HTTP or HTTPS, which libcurl then does not speak.
static bool connect_curl(CURL *curl, const struct redis_connection_target *target, curl_socket_t *socket,
                         struct error *error)
{
    char url[HOST_BYTES + 32], why[CURL_ERROR_SIZE] = "", path[FILE_BYTES];
    const char *authorities;
    snprintf(url, sizeof url, strchr(target->place.host, ':') ? "%s://[%s]:%u" : "%s://%s:%u",
             target->is_secure ? "https" : "http", target->place.host, (unsigned)target->place.port);
    curl_easy_setopt(curl, CURLOPT_URL, url);
    curl_easy_setopt(curl, CURLOPT_CONNECT_ONLY, 1L);
    curl_easy_setopt(curl, CURLOPT_PROXY, "");
    curl_easy_setopt(curl, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(curl, CURLOPT_SSL_ENABLE_ALPN, 0L);
    curl_easy_setopt(curl, CURLOPT_CONNECTTIMEOUT_MS, (long)PATIENCE_MS);
    curl_easy_setopt(curl, CURLOPT_ERRORBUFFER, why);
    if (target->tls[0]) // and no other authority, even if the file is gone
        curl_easy_setopt(curl, CURLOPT_CAINFO, find_file(target->tls, "ca.crt", path) ? path : "");
    else if (process_find_authorities(&authorities) && authorities)
        curl_easy_setopt(curl, CURLOPT_CAINFO, authorities);
    if (find_file(target->tls, "tls.crt", path))
        curl_easy_setopt(curl, CURLOPT_SSLCERT, path);
    if (find_file(target->tls, "tls.key", path))
        curl_easy_setopt(curl, CURLOPT_SSLKEY, path);
    CURLcode code = curl_easy_perform(curl);
    curl_easy_setopt(curl, CURLOPT_ERRORBUFFER, NULL);
    if (code == CURLE_OK)
        code = curl_easy_getinfo(curl, CURLINFO_ACTIVESOCKET, socket);
    return code == CURLE_OK || error_set(error, "%s", why[0] ? why : curl_easy_strerror(code));
}

struct redis_connection *redis_connection_open(const struct redis_connection_target *target, struct error *error)
{
    struct redis_connection *connection = calloc(1, sizeof *connection);
    error_set(error, "out of memory");
    if (!connection)
        return NULL;
    connection->curl = curl_easy_init();
    connection->waiter = curl_multi_init();
    connection->reader = redis_connection_reader();
    if (connection->curl && connection->waiter && connection->reader &&
        connect_curl(connection->curl, target, &connection->socket, error))
        return connection;
    redis_connection_close(connection);
    return NULL;
}

void redis_connection_close(struct redis_connection *connection)
{
    if (!connection)
        return;
    curl_easy_cleanup(connection->curl); // accept null
    curl_multi_cleanup(connection->waiter);
    if (connection->reader)
        redisReaderFree(connection->reader);
    free(connection->out);
    free(connection);
}

static void add(struct redis_connection *connection, char *command, int byte_count)
{
    size_t count = byte_count > 0 ? (size_t)byte_count : 0;
    char *more = count > 0 ? realloc(connection->out, connection->out_bytes + count) : NULL;
    if (more) {
        memcpy(more + connection->out_bytes, command, count);
        connection->out = more;
        connection->out_bytes += count;
    }
    connection->is_broken |= !more;
    if (count > 0)
        redisFreeCommand(command);
}

void redis_connection_add(struct redis_connection *connection, const char *format, ...)
{
    char *command = NULL;
    va_list arguments;
    va_start(arguments, format);
    int byte_count = redisvFormatCommand(&command, format, arguments);
    va_end(arguments);
    add(connection, command, byte_count);
}

void redis_connection_add_words(struct redis_connection *connection, int count, const char **words, const size_t *sizes)
{
    char *command = NULL;
    int byte_count = redisFormatCommandArgv(&command, count, words, sizes);
    add(connection, command, byte_count);
}

// Waits until bytes can be sent or have come. False when it takes too long.
static bool wait_for(const struct redis_connection *connection, short events, uint64_t until_ns, struct error *error)
{
    struct curl_waitfd socket = {.fd = connection->socket, .events = events};
    uint64_t now_ns = clock_now_ns();
    int wait_ms = now_ns < until_ns ? (int)((until_ns - now_ns) / CLOCK_MS_NS) + 1 : 0, count = 0;
    return (curl_multi_wait(connection->waiter, &socket, 1, wait_ms, &count) == CURLM_OK && count > 0) ||
           error_set(error, "it takes too long");
}

static bool flush(struct redis_connection *connection, struct error *error)
{
    uint64_t until_ns = clock_now_ns() + PATIENCE_MS * CLOCK_MS_NS;
    size_t done = 0, count;
    while (done < connection->out_bytes) {
        CURLcode code = curl_easy_send(connection->curl, connection->out + done, connection->out_bytes - done, &count);
        if (code == CURLE_OK)
            done += count;
        else if (code != CURLE_AGAIN)
            return error_set(error, "%s", curl_easy_strerror(code));
        else if (!wait_for(connection, CURL_WAIT_POLLOUT, until_ns, error))
            return false;
    }
    connection->out_bytes = 0;
    return true;
}

// Reads some bytes.
static bool read_bytes(struct redis_connection *connection, uint64_t until_ns, struct error *error)
{
    char bytes[CHUNK_BYTES];
    size_t count = 0;
    CURLcode code = curl_easy_recv(connection->curl, bytes, sizeof bytes, &count);
    if (code == CURLE_AGAIN)
        return wait_for(connection, CURL_WAIT_POLLIN, until_ns, error);
    if (code != CURLE_OK || count == 0)
        return error_set(error, "%s", code == CURLE_OK ? "it has closed the connection" : curl_easy_strerror(code));
    if (connection->reader->len > ANSWER_BYTES_MAX)
        return error_set(error, "its answer is too large");
    return redisReaderFeed(connection->reader, bytes, count) == REDIS_OK ||
           error_set(error, "%s", connection->reader->errstr);
}

redisReply *redis_connection_take(struct redis_connection *connection, struct error *error)
{
    void *reply = NULL;
    uint64_t until_ns = clock_now_ns() + PATIENCE_MS * CLOCK_MS_NS;
    bool good = !connection->is_broken || error_set(error, "out of memory");
    good = good && flush(connection, error);
    while (good && !reply) {
        good = redisReaderGetReply(connection->reader, &reply) == REDIS_OK ||
               error_set(error, "%s", connection->reader->errstr);
        good = good && (reply || read_bytes(connection, until_ns, error));
    }
    return good ? reply : NULL;
}
