// SPDX-License-Identifier: MIT
#include "memory_streams.h"

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/socket.h>

#define FIRST_FILE 100000 // no file of the kernel

static struct stream {
    bool open, ended;
    size_t byte_count;
    uint8_t bytes[MEMORY_STREAMS_BYTES];
} streams[MEMORY_STREAMS_CAPACITY];
static int newest = -1;

int __wrap_socket(int domain, int type, int protocol);
int __wrap_connect(int file, const struct sockaddr *address, socklen_t address_bytes);
ssize_t __wrap_send(int file, const void *bytes, size_t byte_count, int flags);
ssize_t __wrap_recv(int file, void *bytes, size_t byte_count, int flags);
int __wrap_close(int file);
int __real_close(int file);

static struct stream *stream_of(int file)
{
    int at = file - FIRST_FILE;
    return at >= 0 && at < MEMORY_STREAMS_CAPACITY && streams[at].open ? &streams[at] : NULL;
}

static ssize_t fail(int reason)
{
    errno = reason;
    return -1;
}

void memory_streams_begin(void)
{
    for (int i = 0; i < MEMORY_STREAMS_CAPACITY; i++)
        streams[i].open = false;
    newest = -1;
}

int memory_streams_newest(void)
{
    return newest;
}

void memory_streams_send(int file, const void *bytes, size_t byte_count)
{
    struct stream *stream = stream_of(file);
    if (!stream || stream->ended)
        return;
    size_t room = sizeof stream->bytes - stream->byte_count, count = byte_count < room ? byte_count : room;
    memcpy(stream->bytes + stream->byte_count, bytes, count);
    stream->byte_count += count;
}

void memory_streams_end(int file)
{
    struct stream *stream = stream_of(file);
    if (stream)
        stream->ended = true;
}

int __wrap_socket(int domain, int type, int protocol)
{
    (void)domain, (void)type, (void)protocol;
    for (int i = 0; i < MEMORY_STREAMS_CAPACITY; i++)
        if (!streams[i].open) {
            streams[i].open = true;
            streams[i].ended = false;
            streams[i].byte_count = 0;
            return newest = FIRST_FILE + i;
        }
    return (int)fail(EMFILE);
}

int __wrap_connect(int file, const struct sockaddr *address, socklen_t address_bytes)
{
    (void)address, (void)address_bytes;
    return stream_of(file) ? 0 : (int)fail(EBADF);
}

ssize_t __wrap_send(int file, const void *bytes, size_t byte_count, int flags)
{
    (void)bytes, (void)flags;
    const struct stream *stream = stream_of(file);
    return stream && !stream->ended ? (ssize_t)byte_count : fail(stream ? EPIPE : EBADF);
}

ssize_t __wrap_recv(int file, void *bytes, size_t byte_count, int flags)
{
    (void)flags;
    struct stream *stream = stream_of(file);
    if (!stream || (stream->byte_count == 0 && !stream->ended))
        return fail(stream ? EAGAIN : EBADF);
    size_t count = byte_count < stream->byte_count ? byte_count : stream->byte_count;
    memcpy(bytes, stream->bytes, count);
    stream->byte_count -= count;
    memmove(stream->bytes, stream->bytes + count, stream->byte_count);
    return (ssize_t)count;
}

int __wrap_close(int file)
{
    struct stream *stream = stream_of(file);
    if (!stream)
        return __real_close(file);
    stream->open = false;
    return 0;
}
