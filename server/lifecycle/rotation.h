// SPDX-License-Identifier: MIT
//
// Decides which match comes next, by the list of maps, operators' commands and players' votes. Opens the next map and
// reports when it is due; main.c begins the match. Maps are read between two ticks, never during one.
#ifndef LIFECYCLE_ROTATION_H
#define LIFECYCLE_ROTATION_H

#include "base/error.h"
#include "match/match.h"
#include "settings.h"

/// What an open vote decides.
enum rotation_subject { ROTATION_NEXT_MAP, ROTATION_MAP, ROTATION_MODE, ROTATION_RESTART, ROTATION_KICK };

/// The next match.
struct rotation_next {
    struct map map;
    struct rules rules;
};

/// About 160 KB: keep it static. Zero-initialise, then call rotation_init().
struct rotation {
    const struct settings *settings;
    uint32_t list_index;              ///< of the current map in the list
    uint32_t match_count;             ///< matches begun; makes their seeds differ
    char map_name[OPTION_TEXT_BYTES]; ///< name or file of the current match's map
    bool due;                         ///< `next` is to begin
    struct rotation_next next;
    struct map checked;                     ///< scratch: a map that is opened only as a check
    enum rotation_subject subject;          ///< of the open vote
    char target[OPTION_TEXT_BYTES];         ///< of the open vote: the map, mode or player
    uint32_t target_slot, target_occupant;  ///< of a vote to kick: the seat and its occupant
    uint32_t offered[VOTE_CHOICE_CAPACITY]; ///< of a vote on the next map: indices into the list
    bool vote_opened;                       ///< the vote on the next map, since this match is over
};

/// Begins with the settings' map. The settings must outlive the rotation.
void rotation_init(struct rotation *rotation, const struct settings *settings);

/// Continues with the map of a restored match.
void rotation_restore(struct rotation *rotation, const char *map_name);

/// Checks that each map of a list can be played in a mode. Returns false with an error.
bool rotation_validate(struct rotation *rotation, const struct option_list *list, enum mode mode, struct error *error);

/// Adopts a new list from the settings, and continues after the current map if the list has it. Ends an open vote on
/// the next map.
void rotation_relist(struct rotation *rotation, struct match *match);

/// Changes the map at an operator's command: the next match begins at once. Returns false with an error and changes
/// nothing if the map cannot be played.
bool rotation_map(struct rotation *rotation, const struct match *match, const char *name, struct error *error);

/// Changes the mode and the map (null: the current one) in the same way.
bool rotation_mode(struct rotation *rotation, const struct match *match, const char *name, const char *map_name,
                   struct error *error);

/// Restarts the match in the same way.
bool rotation_restart(struct rotation *rotation, const struct match *match, struct error *error);

/// Opens the vote that a player requests ("map NAME", "mode NAME", "restart" or "kick NAME") and casts their own vote
/// for it. Returns false with an error.
bool rotation_vote(struct rotation *rotation, struct match *match, uint32_t peer, const char *words,
                   struct error *error);

/// Counts votes and checks whether the match is over; call it between two ticks. Returns the next match, once, when it
/// is due, else null. If an operator has commanded a match, a vote on another one has no effect.
const struct rotation_next *rotation_due(struct rotation *rotation, struct match *match);

/// Returns the rules that the settings give for a mode.
struct rules rotation_rules(const struct settings *settings, enum mode mode, uint32_t seed);

#endif
