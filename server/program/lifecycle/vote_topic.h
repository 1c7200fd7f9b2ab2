// SPDX-License-Identifier: MIT
//
// What a vote of this game decides: the words in which a player asks for it, whether that can be done, and the question
// that everybody reads. A topic travels with its vote (match_state.h), also into the journal.
#ifndef LIFECYCLE_VOTE_TOPIC_H
#define LIFECYCLE_VOTE_TOPIC_H

#include "base/error.h"
#include "match/match.h"

/// The subjects of topics, as journals have them.
enum vote_topic_subject {
    VOTE_TOPIC_NEXT_MAP,
    VOTE_TOPIC_MAP,
    VOTE_TOPIC_MODE,
    VOTE_TOPIC_RESTART,
    VOTE_TOPIC_KICK,
    VOTE_TOPIC_VARIANTS,
    VOTE_TOPIC_SUBJECTS
};

/// Reads the topic that a player asks for ("map NAME", "mode NAME", "variants WORDS" of variant_change(), "restart" or
/// "kick NAME"). Returns false with an error if they cannot ask now, or it cannot be done; whether a map can be played
/// is left open.
bool vote_topic_read(struct vote_topic *topic, const struct match *match, uint32_t slot, const char *words,
                     struct error *error);

/// Opens the vote on a topic, and casts the asker's own vote for it. Returns false with an error.
bool vote_topic_ask(const struct vote_topic *topic, struct match *match, uint32_t slot, struct error *error);

/// Finds the mode of a name, as a player or an operator says it. Returns false with an error.
bool vote_topic_mode(const char *name, enum mode *mode, struct error *error);

/// Changes variants by words, as variant_change() does. Returns false with an error.
bool vote_topic_variants(uint32_t *variants, const char *words, struct error *error);

#endif
