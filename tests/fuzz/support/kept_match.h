// SPDX-License-Identifier: MIT
//
// Brings a match back to what it was before an input played it, since starting a new one would take longer than most
// inputs.
#ifndef FUZZ_KEPT_MATCH_H
#define FUZZ_KEPT_MATCH_H

#include <stddef.h>
#include <string.h>

#include "match/match.h"

/// Copies what an input changes. Map, navigation graph and the buffers behind the input log are most of a match and
/// stay as they are.
static inline void kept_match_restore(struct match *match, const struct match *unplayed)
{
    enum { STATE = offsetof(struct match, map_hash), STATE_END = offsetof(struct match, input_log) };
    memcpy(match, unplayed, offsetof(struct match, map));
    memcpy((char *)match + STATE, (const char *)unplayed + STATE, STATE_END - STATE);
    for (size_t i = 0; i < INPUT_LOG_TICKS; i++)
        if (match->input_log.ticks[i].tick != unplayed->input_log.ticks[i].tick)
            match->input_log.ticks[i] = unplayed->input_log.ticks[i];
}

#endif
