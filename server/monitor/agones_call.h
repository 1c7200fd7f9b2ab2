// SPDX-License-Identifier: MIT
//
// Speaks with Agones' sidecar: HTTP/1.0 over loopback, one call a connection, bounded in time and bytes. What it
// answers is hostile input like any other. For agones.c, in a thread of its own.
#ifndef MONITOR_AGONES_CALL_H
#define MONITOR_AGONES_CALL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Bytes of an answer at most, with its head; what is longer is no answer.
#define AGONES_ANSWER_BYTES_MAX 65536
/// How long a call may take.
#define AGONES_CALL_MS 2000

/// What came back.
struct agones_answer {
    int status;       ///< of HTTP; 0: nobody answered, or no HTTP
    const char *body; ///< in `text`, ended by a zero
    char text[AGONES_ANSWER_BYTES_MAX + 1];
};

/// Calls and waits for the answer. `body` is null for GET. False: nobody answered in time, or no HTTP.
bool agones_call(uint16_t port, const char *method, const char *path, const char *body, struct agones_answer *answer);

/// A stream of lines that the sidecar keeps open. Initialise `socket` with -1.
struct agones_stream {
    int socket;
    bool begun; ///< the head of the answer is read
    size_t byte_count;
    char line[AGONES_ANSWER_BYTES_MAX + 1];
};

/// Opens it. False: nobody is there.
bool agones_stream_open(struct agones_stream *stream, uint16_t port, const char *path);
/// Waits up to `wait_ms` for a line. 1: `line` holds it; 0: none yet; -1: the stream has ended and is closed.
int agones_stream_next(struct agones_stream *stream, int wait_ms);
void agones_stream_close(struct agones_stream *stream);

#endif
