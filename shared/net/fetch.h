// SPDX-License-Identifier: MIT
//
// Asks a web server on a numeric address for a page by HTTP/1.0, without ever waiting: ask, pulse now and then, and the
// whole answer is there or not. For programs that look at a server's metrics while they do something else.
#ifndef NET_FETCH_H
#define NET_FETCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Bytes of an answer at most, with its head and a final zero; a longer one is none.
#define FETCH_BYTES 65536

struct fetch {
    uint8_t place[128];   ///< a socket address
    uint32_t place_bytes; ///< 0: nobody is asked
    int file;             ///< -1: no question is open
    bool asked;           ///< the question is sent
    size_t byte_count;
    char answer[FETCH_BYTES]; ///< with a final zero once it is whole
};

/// Sets the server to ask: "ADDR:PORT" of numbers, as in 127.0.0.1:9464 or [::1]:9464; "" is nobody. False: it is none.
bool fetch_open(struct fetch *fetch, const char *place);
void fetch_close(struct fetch *fetch);

/// Begins a question, unless one is open.
void fetch_ask(struct fetch *fetch);
/// Sends and takes what is possible now. True once when the answer has come whole; `answer` holds it until the next
/// question.
bool fetch_pulse(struct fetch *fetch, const char *path);
/// True while a question is open.
bool fetch_waits(const struct fetch *fetch);

#endif
