// SPDX-License-Identifier: MIT
//
// Asks a web server on a numeric address, by HTTP/1.0, one request a connection, and never blocks: begin, step now and
// then, and the answer is whole or the request has failed with a sentence. What the server sends is hostile input; its
// answer is bounded in bytes and in time, and the time is an argument. An answer may also be read line by line while
// it comes. Source: RFC 9112.
#ifndef BASE_HTTP_CLIENT_H
#define BASE_HTTP_CLIENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "error.h"

/// Bytes of a request with its body and final zero. A longer one fails.
#define HTTP_CLIENT_REQUEST_BYTES 3072
/// Bytes of an answer's head, and of its body (or of a line of it, and what comes with it), with a final zero. A longer
/// one fails.
#define HTTP_CLIENT_ANSWER_BYTES 65536

/// A request.
struct http_request {
    const char *server;   ///< "ADDR:PORT" in numbers, as in 127.0.0.1:9464 or [::1]:9464
    const char *method;   ///< "GET"
    const char *path;     ///< "/metrics"
    const char *body;     ///< JSON; null: none
    uint64_t deadline_ns; ///< of the clock that http_client_step gets; UINT64_MAX: none
    const char *host;     ///< as it is named in the request, "directory.example.org:80"; null: `server`
    const char *from;     ///< own address in numbers, with port 0; null: any
};

enum http_client_state {
    HTTP_CLIENT_IDLE,     ///< nothing has been asked
    HTTP_CLIENT_WAITING,  ///< the answer has not come whole
    HTTP_CLIENT_ANSWERED, ///< see `status` and `body`
    HTTP_CLIENT_FAILED,   ///< see `error`
};

/// One request and its answer. Zero-initialise.
struct http_client {
    enum http_client_state state;
    int status;         ///< of HTTP, 100 to 999; 0 until the head of the answer has come
    struct error error; ///< why it failed
    int file;           ///< the connection, while it waits
    bool is_sent;
    uint64_t deadline_ns;
    char request[HTTP_CLIENT_REQUEST_BYTES];
    size_t missing_bytes; ///< of the length that the head promises; 0 if it promises none
    size_t line_bytes;    ///< taken as lines, and still at the beginning of `body`
    size_t byte_count;
    char body[HTTP_CLIENT_ANSWER_BYTES]; ///< of an answer that is whole, with a final zero; at first it holds the head
};

/// Begins a request, and gives up the one before. False if it has failed already.
bool http_client_begin(struct http_client *client, const struct http_request *request);
/// Sends and receives what is possible now. Returns the state that this leads to.
enum http_client_state http_client_step(struct http_client *client, uint64_t now_ns);
/// Takes the next whole line of the body, without its end, while the answer still comes or when it is whole. Null:
/// there is none. Valid until the next step.
const char *http_client_line(struct http_client *client);
/// Sleeps until a step has something to do, for at most this time. Returns at once if no answer is awaited.
void http_client_wait(const struct http_client *client, int timeout_ms);
/// Gives up: idle from now on.
void http_client_close(struct http_client *client);

#endif
