// SPDX-License-Identifier: MIT
//
// Which match comes after this one: the list of maps, what an operator orders, what the players vote for. It finds and
// checks the next map and says when it is time; the main begins it. Maps are read between two ticks, never in one.
#ifndef LIFECYCLE_ROTATION_H
#define LIFECYCLE_ROTATION_H

#include "base/error.h"
#include "match/match.h"
#include "settings.h"

/// Finds, reads and checks a map for a mode. False with a sentence.
typedef bool map_opener(const char *name, enum mode mode, struct map *map, struct error *error);

/// What an open vote decides.
enum rotation_subject { ROTATION_NEXT_MAP, ROTATION_MAP, ROTATION_MODE, ROTATION_RESTART, ROTATION_KICK };

/// The next match.
struct rotation_next {
    struct map map;
    struct rules rules;
};

/// About 160 KB: keep it static. Zero-initialise, then rotation_init().
struct rotation {
    const struct settings *settings;
    map_opener *open;
    uint32_t place;                   ///< in the list of maps, of the one that was begun last by it
    uint32_t begun;                   ///< matches, for their seeds
    char map_name[OPTION_TEXT_BYTES]; ///< as the present match's map was named
    bool due;                         ///< `next` is to begin
    struct rotation_next next;
    struct map checked;                     ///< opened only to see whether it can be played; nobody relies on it
    enum rotation_subject subject;          ///< of the open vote
    char wish[OPTION_TEXT_BYTES];           ///< of the vote: the map or mode
    uint32_t wish_slot, wish_guest;         ///< of a vote to kick: who
    uint32_t offered[VOTE_CHOICE_CAPACITY]; ///< places in the list, of a vote on the next map
    bool asked;                             ///< which map is next, since this match is over
};

/// Begins with the settings' map. They must outlive it.
void rotation_init(struct rotation *rotation, const struct settings *settings, map_opener *open);
/// The match goes on with a map that an earlier server had come to.
void rotation_restore(struct rotation *rotation, const char *map_name);
/// Checks each map of a list for a mode, so that no match ends in a fault. Null, or a sentence.
const char *rotation_fault(struct rotation *rotation, const struct option_list *list, enum mode mode,
                           struct error *error);
/// The settings have another list: it is played from the present map on, if that is in it. An open vote on the next map
/// ends.
void rotation_relist(struct rotation *rotation, struct match *match);

/// Orders from an operator: the match changes at once. False with a sentence; nothing changes then. A mode may come
/// with a map; null: the present one.
bool rotation_map(struct rotation *rotation, const struct match *match, const char *name, struct error *error);
bool rotation_mode(struct rotation *rotation, const struct match *match, const char *name, const char *map_name,
                   struct error *error);
bool rotation_restart(struct rotation *rotation, const struct match *match, struct error *error);

/// A player asks for a vote: "map NAME", "mode NAME", "restart", "kick NAME". He is taken to be for it. False with a
/// sentence.
bool rotation_vote(struct rotation *rotation, struct match *match, uint32_t peer, const char *words,
                   struct error *error);

/// Between two ticks: counts votes, and looks whether the match is over. Not null, once, when the next match is to
/// begin.
const struct rotation_next *rotation_due(struct rotation *rotation, struct match *match);

/// The rules that the settings mean for a mode.
struct rules rotation_rules(const struct settings *settings, enum mode mode, uint32_t seed);

#endif
