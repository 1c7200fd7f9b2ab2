// SPDX-License-Identifier: MIT
//
// Decides which match comes next, by the list of maps, operators' commands and players' votes. Asks the map loader for
// its map, and reports the match when that is ready; main.c begins it. Nothing here reads a file but
// rotation_validate(), which is for the start and for the worker.
#ifndef LIFECYCLE_ROTATION_H
#define LIFECYCLE_ROTATION_H

#include "answers.h"
#include "base/error.h"
#include "map_loader.h"
#include "match/match.h"
#include "settings.h"
#include "vote_topic.h"

/// What the map loader has been asked for.
enum rotation_wait {
    ROTATION_WAITS_NOT,
    ROTATION_WAITS_FOR_LIST,  ///< the playable maps of the list, before the vote on the next one
    ROTATION_WAITS_FOR_VOTE,  ///< the map that a player asks a vote for
    ROTATION_WAITS_FOR_MATCH, ///< the map of the next match, which begins when it is ready
};

/// How far the end of a match has got.
enum rotation_end { ROTATION_PLAYING, ROTATION_LIST_ASKED, ROTATION_VOTE_OPENED, ROTATION_NEXT_ASKED };

/// The next match.
struct rotation_next {
    const struct match_map *map;
    struct rules rules;
};

/// About 37 KB: keep it static. Zero-initialise, then call rotation_init().
struct rotation {
    const struct settings *settings;
    struct map_loader *loader;
    uint32_t list_index;              ///< of the current map in the list
    uint32_t match_count;             ///< matches begun; makes their seeds differ
    char map_name[OPTION_TEXT_BYTES]; ///< name or file of the current match's map
    uint32_t variants;                ///< of later matches: as configured, or as commands and votes have changed them
    uint32_t variants_configured;     ///< what the settings had when `variants` followed them last
    uint32_t variants_voted;          ///< of the request that follows a vote on variants
    bool has_variants_voted;
    bool keeps_apart; ///< each match begins by itself, with its own recording, on a list of one map, too
    bool due;         ///< `next` is to begin
    struct rotation_next next;
    enum rotation_wait waits;   ///< for the answer to `request`
    struct map_request request; ///< the newest
    uint32_t request_index;  ///< in the list, of the request's first name; OPTION_LIST_CAPACITY: it is not from there
    bool commanded;          ///< an operator has asked for it
    struct answers commands; ///< of operators, and what has become of them
    struct vote_topic asked; ///< of the vote that waits for its map
    uint32_t asker_slot, asker_occupant; ///< of the player who asks for it
    uint32_t offered_count;
    uint32_t offered[VOTE_CHOICE_CAPACITY]; ///< for the vote on the next map: indices into the list
    enum rotation_end end;
};

/// Begins with the settings' map. Settings and loader must outlive the rotation.
void rotation_init(struct rotation *rotation, const struct settings *settings, struct map_loader *loader);

/// Continues with the map of a restored match.
void rotation_restore(struct rotation *rotation, const char *map_name);

/// Takes over the open vote of a restored match. Ends it if what it decides is not there any more.
void rotation_restore_vote(struct rotation *rotation, struct match *match);

/// Checks that each map of a list can be played in a mode. Reads their files, so it may take long; `map` is scratch.
/// Returns false with an error.
bool rotation_validate(const struct option_list *list, enum mode mode, struct map *map, struct error *error);

/// Adopts a new list from the settings, and continues after the current map if the list has it. Ends an open vote on
/// the next map.
void rotation_relist(struct rotation *rotation, struct match *match);

/// Changes the map at an operator's command: the next match begins as soon as it is ready. Returns the number of the
/// command in `commands`, where its outcome is. Of several commands the newest one counts.
uint64_t rotation_map(struct rotation *rotation, const struct match *match, const char *name);

/// Changes the mode and the map (null: the current one) in the same way. Returns 0 with an error if there is no such
/// mode.
uint64_t rotation_mode(struct rotation *rotation, const char *name, const char *map_name, struct error *error);

/// Changes the variants of all later matches as variant_change() does, and restarts the match in the same way. They
/// stay until the settings' variants change or the server restarts. Returns 0 with an error for a word that is wrong.
uint64_t rotation_variants(struct rotation *rotation, const struct match *match, const char *words,
                           struct error *error);

/// Restarts the match in the same way.
uint64_t rotation_restart(struct rotation *rotation, const struct match *match);

/// Opens the vote that a player requests, in the words of vote_topic_read(), and casts their own vote for it; a vote on
/// a map opens when that is ready, or the player reads why not. Returns false with an error.
bool rotation_vote(struct rotation *rotation, struct match *match, uint32_t slot, const char *words,
                   struct error *error);

/// Counts votes, checks whether the match is over, and takes what the loader has prepared; call it between two ticks.
/// Returns the next match, once, when it is due, else null; begin it before the next call. If an operator has commanded
/// a match, a vote on another one has no effect.
const struct rotation_next *rotation_due(struct rotation *rotation, struct match *match);

/// Returns the rules that the settings give for a mode.
struct rules rotation_rules(const struct settings *settings, enum mode mode, uint32_t seed);

#endif
