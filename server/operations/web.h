// SPDX-License-Identifier: MIT
//
// The server as monitoring and browsers see it over HTTP: /metrics, /healthz, /status.json, and a live page with the
// match on a canvas. It only tells: there is nothing to post. libmicrohttpd answers in its own threads, from the
// published copy; the tick never waits for it.
#ifndef OPERATIONS_WEB_H
#define OPERATIONS_WEB_H

#include "base/error.h"
#include "scene_json.h"

struct web;

/// True if a place has the form that web_open takes.
bool web_place_is_sound(const char *place);
/// Opens it on "ADDR:PORT" ("127.0.0.1:9100", "[::1]:9100"; port 0: any free). `published` and the texts of `server`
/// must outlive it. Null on failure, with a sentence.
struct web *web_open(const char *place, struct published *published, const struct scene_server *server,
                     struct error *error);
/// The port it listens on.
uint16_t web_port(const struct web *web);
/// Ends it and its threads; null: nothing.
void web_close(struct web *web);

#endif
