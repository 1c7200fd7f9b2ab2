// SPDX-License-Identifier: MIT
//
// Simulates viewers of a live match on a few connections: each asks a web server for what the window would ask for
// (live_download.c), at the same moments, and compares each chunk with that of all others. Prints one JSON line.
//
//   bench_live_viewers PORT FOLDER VIEWERS SECONDS
//
// FOLDER is what the server publishes: the ages of chunks are those of their files.
#include <arpa/inet.h>
#include <errno.h>
#include <inttypes.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app/replay/live_download.h"
#include "base/clock.h"
#include "base/hash.h"
#include "base/histogram.h"

#define CONNECTIONS 16
#define OPEN_MAX    64 ///< requests of a connection on their way
#define IN_BYTES    (1u << 20)
#define OUT_BYTES   (1u << 16)
#define CHUNKS_MAX  4096
#define US_NS       1000u
#define CHUNK_NS    (2 * CLOCK_SECOND_NS)

enum part { PART_INDEX, PART_HEAD, PART_CHUNK };

struct viewer {
    uint64_t due_ns, begun_ns; // begun_ns: its first request; 0: not yet
    uint64_t plays_ns;         // when it has played all that it has
    uint32_t wanted;
    enum part part;
    bool asks, has_head, has_chunk;
};

struct connection {
    int socket;
    uint32_t first, count; // of `asked`, a ring
    uint32_t asked[OPEN_MAX];
    size_t in, out;
    char inbox[IN_BYTES], outbox[OUT_BYTES];
};

static struct connection connections[CONNECTIONS];
static struct viewer *viewers;
static uint32_t viewer_count;
static struct live_index newest;
static const char *folder;
static uint32_t crcs[CHUNKS_MAX]; // of chunks, as the first viewer got them; 0: nobody has
static uint64_t bytes_in, requests, chunks, different, refused;
static struct histogram start_ms, behind_ms;

static _Noreturn void stop(const char *what)
{
    fprintf(stderr, "%s: %s\n", what, strerror(errno));
    exit(1);
}

static int dial(uint16_t port)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(port)};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    int made = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (made < 0 || connect(made, (struct sockaddr *)&address, sizeof address) != 0)
        stop("connect");
    return made;
}

// Returns false if the connection is full.
static bool ask(struct connection *connection, uint32_t number, uint64_t now_ns)
{
    struct viewer *viewer = &viewers[number];
    char name[128] = "index.json";
    if (connection->count == OPEN_MAX || connection->out + 512 > OUT_BYTES)
        return false;
    if (viewer->part == PART_HEAD)
        snprintf(name, sizeof name, "%s.head", newest.match);
    if (viewer->part == PART_CHUNK)
        snprintf(name, sizeof name, "%s-%" PRIu32 ".chunk", newest.match, viewer->wanted);
    connection->out += (size_t)snprintf(connection->outbox + connection->out, OUT_BYTES - connection->out,
                                        "GET /%s HTTP/1.1\r\nHost: l\r\nUser-Agent: deadfall\r\nAccept: */*\r\n"
                                        "Accept-Encoding: gzip\r\n\r\n",
                                        name);
    connection->asked[(connection->first + connection->count++) % OPEN_MAX] = number;
    viewer->asks = true;
    if (!viewer->begun_ns)
        viewer->begun_ns = now_ns;
    requests++;
    return true;
}

static void take_chunk(struct viewer *viewer, const char *body, size_t byte_count, uint64_t now_ns)
{
    uint32_t crc = hash_crc32(body, byte_count) | 1, *first = &crcs[viewer->wanted % CHUNKS_MAX];
    char path[1024];
    struct stat state;
    chunks++;
    different += *first && *first != crc;
    *first = crc;
    snprintf(path, sizeof path, "%s/%s-%" PRIu32 ".chunk", folder, newest.match, viewer->wanted);
    if (!viewer->has_chunk)
        histogram_add(&start_ms, (now_ns - viewer->begun_ns) / CLOCK_MS_NS);
    uint64_t plays_ns = viewer->has_chunk && viewer->plays_ns > now_ns ? viewer->plays_ns : now_ns;
    if (stat(path, &state) == 0) {
        uint64_t written_ns = (uint64_t)state.st_mtim.tv_sec * CLOCK_SECOND_NS + (uint64_t)state.st_mtim.tv_nsec;
        uint64_t age_ns = clock_unix_ns() - written_ns; // its end was played then
        histogram_add(&behind_ms, (age_ns + CHUNK_NS + (plays_ns - now_ns)) / CLOCK_MS_NS);
    }
    viewer->plays_ns = plays_ns + CHUNK_NS;
    viewer->has_chunk = true;
    viewer->wanted++;
}

// As live_download.c: the head and the newest chunk first, then what follows.
static void take(struct viewer *viewer, const char *body, size_t byte_count, unsigned status, uint64_t now_ns)
{
    struct error error;
    struct live_index index;
    viewer->due_ns = now_ns;
    if (status != 200) {
        refused++;
        viewer->due_ns = now_ns + CHUNK_NS;
        viewer->part = PART_INDEX;
        return;
    }
    if (viewer->part == PART_INDEX) {
        if (!live_download_read_index(&index, body, byte_count, &error))
            exit(2);
        newest = index;
        bool has_more = !viewer->has_chunk || viewer->wanted <= index.newest;
        if (!viewer->has_chunk)
            viewer->wanted = index.newest;
        viewer->part = !viewer->has_head ? PART_HEAD : has_more ? PART_CHUNK : PART_INDEX;
        viewer->due_ns = has_more ? now_ns : now_ns + LIVE_DOWNLOAD_POLL_US * US_NS;
    } else if (viewer->part == PART_HEAD) {
        viewer->has_head = true;
        viewer->part = PART_CHUNK;
    } else {
        take_chunk(viewer, body, byte_count, now_ns);
        bool has_more = viewer->wanted <= newest.newest;
        viewer->part = has_more ? PART_CHUNK : PART_INDEX;
        if (!has_more)
            viewer->due_ns = now_ns + live_download_rest_us(&newest) * US_NS;
    }
}

// Takes one answer from the front of the inbox. Returns its bytes; 0: it is not whole.
static size_t take_answer(struct connection *connection, const char *begin, size_t byte_count, uint64_t now_ns)
{
    const char *end = memmem(begin, byte_count, "\r\n\r\n", 4);
    if (!end)
        return 0;
    const char *length = memmem(begin, (size_t)(end - begin), "Content-Length: ", 16);
    size_t head = (size_t)(end - begin) + 4, body = length ? strtoul(length + 16, NULL, 10) : 0;
    if (!length) { // compressed, in parts whose sizes are counted as bytes of the body: the last is empty
        const char *last = memmem(end, byte_count - head + 4, "\r\n0\r\n\r\n", 7);
        if (!last)
            return 0;
        body = (size_t)(last - end) + 7 - 4;
    }
    if (byte_count < head + body)
        return 0;
    struct viewer *viewer = &viewers[connection->asked[connection->first]];
    connection->first = (connection->first + 1) % OPEN_MAX;
    connection->count--;
    viewer->asks = false;
    take(viewer, begin + head, body, (unsigned)strtoul(begin + 9, NULL, 10), now_ns);
    return head + body;
}

static void receive(struct connection *connection, uint64_t now_ns)
{
    size_t at = 0, used;
    ssize_t got = recv(connection->socket, connection->inbox + connection->in, IN_BYTES - connection->in, MSG_DONTWAIT);
    if (got == 0 || (got < 0 && errno != EAGAIN))
        stop("the web server has closed a connection");
    if (got < 0)
        return;
    bytes_in += (uint64_t)got;
    connection->in += (size_t)got;
    while ((used = take_answer(connection, connection->inbox + at, connection->in - at, now_ns)) > 0)
        at += used;
    memmove(connection->inbox, connection->inbox + at, connection->in - at);
    connection->in -= at;
}

static void flush(struct connection *connection)
{
    ssize_t sent = send(connection->socket, connection->outbox, connection->out, MSG_DONTWAIT | MSG_NOSIGNAL);
    if (sent < 0 && errno != EAGAIN)
        stop("send");
    if (sent <= 0)
        return;
    memmove(connection->outbox, connection->outbox + sent, connection->out - (size_t)sent);
    connection->out -= (size_t)sent;
}

static void run(uint64_t begun_ns, uint64_t end_ns)
{
    struct pollfd waits[CONNECTIONS];
    for (uint32_t i = 0; i < viewer_count; i++) // they come within two seconds
        viewers[i].due_ns = begun_ns + (uint64_t)i * CHUNK_NS / viewer_count;
    for (uint64_t now_ns = begun_ns; now_ns < end_ns; now_ns = clock_now_ns()) {
        for (uint32_t i = 0; i < viewer_count; i++)
            if (!viewers[i].asks && viewers[i].due_ns <= now_ns)
                ask(&connections[i % CONNECTIONS], i, now_ns);
        for (uint32_t i = 0; i < CONNECTIONS; i++) {
            flush(&connections[i]);
            waits[i] = (struct pollfd){connections[i].socket, POLLIN, 0};
        }
        poll(waits, CONNECTIONS, 2);
        for (uint32_t i = 0; i < CONNECTIONS; i++)
            if (waits[i].revents)
                receive(&connections[i], clock_now_ns());
    }
}

int main(int argc, char **argv)
{
    if (argc != 5)
        return 64;
    folder = argv[2];
    viewer_count = (uint32_t)strtoul(argv[3], NULL, 10);
    double seconds = strtod(argv[4], NULL);
    viewers = calloc(viewer_count, sizeof *viewers);
    if (!viewers || viewer_count == 0)
        return 64;
    for (uint32_t i = 0; i < CONNECTIONS; i++)
        connections[i].socket = dial((uint16_t)strtoul(argv[1], NULL, 10));
    uint64_t begun_ns = clock_now_ns();
    run(begun_ns, begun_ns + (uint64_t)(seconds * CLOCK_SECOND_NS));
    double took_s = (double)(clock_now_ns() - begun_ns) / CLOCK_SECOND_NS;
    printf("{\"viewers\":%u,\"seconds\":%.1f,\"mb_per_s\":%.2f,\"requests_per_s\":%.0f,\"chunks\":%" PRIu64
           ",\"different\":%" PRIu64 ",\"refused\":%" PRIu64 ",\"started\":%" PRIu64 ",\"start_ms_p99\":%" PRIu64
           ",\"behind_ms_p50\":%" PRIu64 ",\"behind_ms_p99\":%" PRIu64 "}\n",
           viewer_count, took_s, (double)bytes_in / took_s / 1e6, (double)requests / took_s, chunks, different, refused,
           start_ms.count, histogram_quantile(&start_ms, 990), histogram_quantile(&behind_ms, 500),
           histogram_quantile(&behind_ms, 990));
    return different > 0 || start_ms.count < viewer_count;
}
