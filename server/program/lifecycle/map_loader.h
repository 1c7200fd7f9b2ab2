// SPDX-License-Identifier: MIT
//
// Prepares the maps of matches off the tick: a worker finds and reads the file, checks it for the mode, and computes
// what a match needs of it. The main loop asks, goes on, and fetches the answer when it is there; it never waits and
// allocates nothing. There are two maps in memory: that of the running match and the next one.
#ifndef LIFECYCLE_MAP_LOADER_H
#define LIFECYCLE_MAP_LOADER_H

#include "base/error.h"
#include "game/rules/mode.h"
#include "match/match.h"
#include "options/options.h"
#include "wire/message.h"
#include "worker.h"

/// Maps in the order in which they are tried. The first that can be played in the mode is prepared.
struct map_request {
    enum mode mode;
    uint32_t wanted; ///< playable ones to find, 1 to VOTE_CHOICE_CAPACITY
    struct option_list names;
};

/// What has become of a request.
struct map_answer {
    uint32_t playable_count;                 ///< 0: none
    uint32_t playable[VOTE_CHOICE_CAPACITY]; ///< indices into the request's names
    const struct match_map *prepared;        ///< the first of these; valid until the next request
    struct error error;                      ///< why the first name that was tried and skipped cannot be played
    bool skipped;                            ///< there is such a name
};

/// Finds a map by its name or file, reads it, and checks that the mode can be played on it. At once, so only before a
/// match or on the worker. Returns false with an error; do not use `map` then.
bool map_loader_read(const char *name, enum mode mode, struct map *map, struct error *error);

struct map_loader;

/// Allocates a loader that gives its jobs to the worker. Null when out of memory.
struct map_loader *map_loader_open(struct worker *worker);

/// Takes the map (valid; copied) of the first match. Its navigation graph follows, from the worker.
const struct match_map *map_loader_begin(struct map_loader *loader, const struct map *map);

/// Asks for a map. Replaces an earlier request, which then gets no answer.
void map_loader_ask(struct map_loader *loader, const struct map_request *request);

/// Returns the answer to the newest request, once, else null. It is valid until the next request.
const struct map_answer *map_loader_answer(struct map_loader *loader);

/// Keeps a prepared map for the match that begins now; the map of the match before may be replaced.
void map_loader_use(struct map_loader *loader, const struct match_map *prepared);

/// Waits until everything that was asked for is done. Not while a match runs.
void map_loader_wait(struct map_loader *loader);

/// Frees the maps. The worker must be closed. Null is allowed.
void map_loader_close(struct map_loader *loader);

#endif
