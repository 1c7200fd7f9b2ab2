// SPDX-License-Identifier: MIT
//
// Restores a match after its server has started again: the players' bodies wait for them, and players who do not come
// back in time leave. While a match runs, its journal is kept up to date on who has which seat.
#ifndef MATCH_RESTORE_H
#define MATCH_RESTORE_H

#include "journal.h"
#include "match_state.h"

/// Brings a match that was just created, with the map and rules of `end`, to the point where the journal ended. Players
/// beyond the seats of this server leave.
void restore_match(struct match *match, const struct journal_end *end);

/// Removes players who have not come back in time. Call each tick.
void restore_expire(struct match *match);

/// Writes to the journal who has which seat, if that has changed. Call each tick.
void restore_journal_seats(struct match *match);

#endif
