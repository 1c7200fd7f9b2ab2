// SPDX-License-Identifier: MIT
//
// A match that goes on after its server was started again: its bodies wait for the players they belong to, and who does
// not come back in time leaves. While a match runs, its journal is told who sits where. Called by match.c and the main.
#ifndef MATCH_RESTORE_H
#define MATCH_RESTORE_H

#include "journal.h"

struct match;

/// Puts a match, just created with the map and rules of `end`, where the journal ended. Who has no place any more
/// leaves.
void restore_match(struct match *match, const struct journal_end *end);
/// Each tick: who has not come back in time leaves.
void restore_expire(struct match *match);
/// Each tick: tells the journal who sits where, if that has changed.
void restore_record_seats(struct match *match);

#endif
