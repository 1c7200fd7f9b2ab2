// SPDX-License-Identifier: MIT
//
// The last kill of a round, shown again slowly when the round is over. Keeps every second world of the last seconds in
// a ring that is allocated once, and makes views of them. Counts in ticks of the match; nothing here reads a clock.
#ifndef APP_RECALL_H
#define APP_RECALL_H

#include "core/view.h"

/// Worlds kept, one each RECALL_EACH_TICKS.
#define RECALL_WORLDS     64
#define RECALL_EACH_TICKS 2
/// Shown before and after the kill, ticks; and how much slower than it was.
#define RECALL_BEFORE_TICKS 60
#define RECALL_AFTER_TICKS  14
#define RECALL_SLOWNESS     2

/// Zero-initialise, then recall_create().
struct recall {
    struct world *worlds;  ///< RECALL_WORLDS of them; null: there is none, and nothing is ever shown
    uint32_t kept;         ///< worlds ever; the newest stands at (kept - 1) % RECALL_WORLDS
    bool has_kill;         ///< of this round
    struct event kill;     ///< its last
    bool shows, has_shown; ///< of this end of a round
    tick since;            ///< of the match, when it began to be shown
    uint32_t drawn;        ///< the world that was shown last, as counted by `kept`
    struct view view;
};

/// Takes about 6 MB. False when memory is out.
bool recall_create(struct recall *recall);
void recall_destroy(struct recall *recall);
/// Another match: forgets all.
void recall_clear(struct recall *recall);

/// Takes what is seen live. Returns what is to be shown instead, its own slot that of whoever killed; null: nothing.
struct view *recall_take(struct recall *recall, const struct view *live);

#endif
