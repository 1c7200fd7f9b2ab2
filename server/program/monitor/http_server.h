// SPDX-License-Identifier: MIT
//
// Serves /metrics, /healthz, /readyz, /status.json and a live page with the match on a canvas over HTTP, read only.
// libmicrohttpd answers in its own threads from the status snapshot, so the tick never waits for it. On a loopback
// address it answers only requests for this machine's own names. http_connections.h says who gives way when there are
// many.
#ifndef MONITOR_HTTP_SERVER_H
#define MONITOR_HTTP_SERVER_H

#include "base/error.h"
#include "status_json.h"

struct http_server;

/// Opens the server on "ADDR:PORT" ("127.0.0.1:9100", "[::1]:9100"; port 0: any free one). `publisher` and the texts of
/// `server` must outlive it. Returns null with an error on failure.
struct http_server *http_server_open(const char *address_text, struct status_publisher *publisher,
                                     const struct status_server *server, struct error *error);
/// Returns the port that it listens on.
uint16_t http_server_port(const struct http_server *http);
/// Ends the server and its threads; accepts null.
void http_server_close(struct http_server *http);

#endif
