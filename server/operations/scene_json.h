// SPDX-License-Identifier: MIT
//
// A published moment as JSON: the summary for scripts and panels, and what the live page draws, the map once and then a
// frame at a time. The field names are part of the interface.
#ifndef OPERATIONS_SCENE_JSON_H
#define OPERATIONS_SCENE_JSON_H

#include "published.h"

/// What the moment does not know of its server.
struct scene_server {
    const char *fingerprint;
    uint16_t port;
};

/// /status.json: name, version, map, mode, phase, players with their scores, durations of ticks, traffic. The caller
/// frees the text; null when memory is out.
char *scene_json_status(const struct published_facts *facts, const struct scene_server *server);
/// /map.json: tiles row by row as digits of enum df_tile, the colours' theme, the size, boxes of switches, goals.
char *scene_json_map(const struct published_facts *facts);
/// One frame: boxes of solids, players, arrows, balls, chests; which switches are on; indices of broken tiles; players'
/// names and scores.
char *scene_json_frame(const struct published_facts *facts);

#endif
