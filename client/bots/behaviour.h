// SPDX-License-Identifier: MIT
//
// What a bot does, and how a crowd is mixed of it: "play", or "play:8,churn:2" for eight of ten and two of ten. Two are
// burdens, which no honest client is: the server may send them away, and what they see of the match is not measured.
#ifndef BOTS_BEHAVIOUR_H
#define BOTS_BEHAVIOUR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

enum behaviour {
    BEHAVIOUR_PLAY,        ///< plays by brain or walks at random
    BEHAVIOUR_IDLE,        ///< holds nothing
    BEHAVIOUR_CHURN,       ///< plays, leaves after 2 to 6 seconds, and comes back after 0.5 to 2
    BEHAVIOUR_FLOOD,       ///< plays, and sends beside that thousands of messages a second, some of them nonsense
    BEHAVIOUR_SLOW_READER, ///< sends, but reads only every 2 seconds, when nobody knows any more what it then confirms
    BEHAVIOURS
};

/// Shares of a crowd. All zero is no crowd.
struct mix {
    uint32_t shares[BEHAVIOURS]; ///< 0 to MIX_SHARE_MAX
};
#define MIX_SHARE_MAX 1000

/// Reads "play", "play:8,churn:2". False with a sentence.
bool behaviour_mix_parse(struct mix *mix, const char *text, struct error *error);
/// What a bot does, by its number: the same for every run.
enum behaviour behaviour_mix_pick(const struct mix *mix, uint32_t bot);

/// True for those that are not measured.
bool behaviour_is_burden(enum behaviour behaviour);

#endif
