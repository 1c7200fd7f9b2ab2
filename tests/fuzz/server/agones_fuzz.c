// SPDX-License-Identifier: MIT
//
// Fuzzes what the sidecar of Agones answers. The server's thread runs in this one, in virtual time; whenever it waits
// for the sidecar, it gets the next part of the input, after a byte that says how: as the whole answer, as a piece of
// raw HTTP, or as an end of the connection. Only an event that says so ends the server.
#include <pthread.h>
#include <setjmp.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/http_client.h"
#include "memory_streams.h"
#include "monitor/agones.h"
#include "require.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { BODY_BYTES_MAX = 512 };

// What a part of the input is, by its first byte modulo their number.
enum part_kind { ANSWER, PIECE, END, KINDS };

static const uint8_t *rest;
static size_t rest_bytes;
static uint64_t now_ns;
static void *(*thread)(void *context);
static void *thread_context;
static jmp_buf input_is_over;

void __wrap_http_client_wait(const struct http_client *client, int timeout_ms);
uint64_t __wrap_clock_now_ns(void);
void __wrap_clock_sleep(uint64_t duration_ns);
void __wrap_status_snapshot_read(struct status_publisher *publisher, struct status_snapshot *snapshot);
int __wrap_pthread_create(pthread_t *made, const pthread_attr_t *attributes, void *(*run)(void *), void *context);
int __wrap_pthread_join(pthread_t made, void **result);

uint64_t __wrap_clock_now_ns(void)
{
    return now_ns;
}

void __wrap_clock_sleep(uint64_t duration_ns)
{
    now_ns += duration_ns;
    if (rest_bytes < 2)
        longjmp(input_is_over, 1);
}

// The match does not change, so one copy is enough.
void __wrap_status_snapshot_read(struct status_publisher *publisher, struct status_snapshot *snapshot)
{
    if (snapshot->written_ns != publisher->snapshot.written_ns)
        *snapshot = publisher->snapshot;
}

int __wrap_pthread_create(pthread_t *made, const pthread_attr_t *attributes, void *(*run)(void *), void *context)
{
    (void)made, (void)attributes;
    thread = run;
    thread_context = context;
    return 0;
}

int __wrap_pthread_join(pthread_t made, void **result)
{
    (void)made, (void)result;
    return 0;
}

static void answer(int file, const uint8_t *bytes, size_t byte_count)
{
    char head[64];
    int head_bytes = snprintf(head, sizeof head, "HTTP/1.0 200 OK\r\nContent-Length: %zu\r\n\r\n", byte_count);
    memory_streams_send(file, head, (size_t)head_bytes);
    memory_streams_send(file, bytes, byte_count);
    memory_streams_end(file);
}

void __wrap_http_client_wait(const struct http_client *client, int timeout_ms)
{
    now_ns += (uint64_t)timeout_ms * CLOCK_MS_NS;
    if (rest_bytes < 2)
        longjmp(input_is_over, 1);
    size_t byte_count = rest[1] * (size_t)2 < rest_bytes - 2 ? rest[1] * (size_t)2 : rest_bytes - 2;
    enum part_kind kind = (enum part_kind)(rest[0] % KINDS);
    const uint8_t *bytes = rest + 2;
    byte_count = kind == END ? 0 : byte_count;
    rest += 2 + byte_count;
    rest_bytes -= 2 + byte_count;
    if (client->state != HTTP_CLIENT_WAITING)
        return;
    if (kind == ANSWER)
        answer(client->file, bytes, byte_count);
    else if (kind == PIECE)
        memory_streams_send(client->file, bytes, byte_count);
    else
        memory_streams_end(client->file);
}

static bool mentions_the_end(const uint8_t *data, size_t size)
{
    return memmem(data, size, "Shutdown", 8) || memchr(data, '\\', size); // or an escaped letter of it
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct status_publisher publisher = STATUS_PUBLISHER_INITIAL;
    static const struct log silent;
    rest = data;
    rest_bytes = size;
    now_ns = 1000 * CLOCK_SECOND_NS;
    memory_streams_begin();
    publisher.snapshot.written_ns = now_ns;
    publisher.snapshot.players = size % 2;
    publisher.snapshot.world.players[1].state = size % 2 ? PLAYER_ALIVE : PLAYER_ABSENT;
    struct agones *volatile agones = agones_open(AGONES_PORT, "thekey", &publisher, &silent);
    require(agones != NULL);
    if (setjmp(input_is_over) == 0)
        thread(thread_context);
    require(!agones_wants_shutdown(agones) || mentions_the_end(data, size));
    agones_close(agones);
    return 0;
}
