// SPDX-License-Identifier: MIT
//
// What a client does, and how behaviours are mixed: "play", or "play:8,churn:2" for eight in ten and two in ten. Two of
// them are abusive, as no honest client is: the server may remove such a client, and what it sees of the match is not
// measured.
#ifndef BOTS_BEHAVIOUR_H
#define BOTS_BEHAVIOUR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/// What a client does.
enum behaviour {
    BEHAVIOUR_PLAY,        ///< plays as the AI does (full clients) or walks at random
    BEHAVIOUR_IDLE,        ///< holds nothing
    BEHAVIOUR_CHURN,       ///< plays, leaves after 2 to 6 seconds, and comes back after 0.5 to 2
    BEHAVIOUR_FLOOD,       ///< plays, and also sends thousands of messages a second, some of them nonsense
    BEHAVIOUR_SLOW_READER, ///< sends, but reads only every 2 seconds, so that what it confirms is too old
    BEHAVIOURS
};

/// How many clients have which behaviour, as shares.
struct behaviour_mix {
    uint32_t shares[BEHAVIOURS]; ///< 0 to BEHAVIOUR_SHARE_MAX, not all 0
};
/// Largest share of a behaviour.
#define BEHAVIOUR_SHARE_MAX 1000

/// Reads "play" or "play:8,churn:2". False with an error.
bool behaviour_mix_parse(struct behaviour_mix *mix, const char *text, struct error *error);
/// Returns the behaviour of a client, by its number: the same in every run.
enum behaviour behaviour_mix_pick(const struct behaviour_mix *mix, uint32_t client);

/// Returns whether a behaviour is abusive.
bool behaviour_is_abusive(enum behaviour behaviour);

#endif
