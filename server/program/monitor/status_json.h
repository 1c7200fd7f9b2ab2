// SPDX-License-Identifier: MIT
//
// Writes a status snapshot as JSON: a summary for scripts and panels, and what the live page draws, first the map and
// then frame by frame. The field names are part of the interface.
#ifndef MONITOR_STATUS_JSON_H
#define MONITOR_STATUS_JSON_H

#include "reach/announcer.h"
#include "status.h"

struct page_site;

/// What a snapshot does not know about its server.
struct status_server {
    const char *fingerprint;
    uint16_t port;
    struct announcer *announcer;     ///< null: the server is in no list
    const char *directories[STORES]; ///< that the stores are in
    const struct page_site *page;    ///< for browsers; null: none is served
    bool page_has_live;              ///< it shows the live match
};

/// /status.json: name, version, map, mode, phase, players with their scores, durations of ticks, traffic, sessions by
/// state, and how many were refused by reason. The caller frees the text; null without memory.
char *status_json_status(const struct status_snapshot *snapshot, const struct status_server *server);
/// /map.json: tiles row by row as digits of enum df_tile, the colours' theme, the size, boxes of switches, goals.
char *status_json_map(const struct status_snapshot *snapshot);
/// One frame: the match with its players' boxes, names and scores; the lists of entity_list_show(), in rows of numbers;
/// which switches are on; indices of broken tiles.
char *status_json_frame(const struct status_snapshot *snapshot);

#endif
