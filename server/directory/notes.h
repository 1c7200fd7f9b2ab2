// SPDX-License-Identifier: MIT
//
// The notes that players leave for their friends, in memory alone and for little more than a minute. What is in them,
// whose they are and for whom, the directory does not learn: names and notes are random bytes to it. A household has a
// limit of notes and of requests, and when there is no more room, those with the most make it. Has a lock of its own.
#ifndef DIRECTORY_NOTES_H
#define DIRECTORY_NOTES_H

#include <stdio.h>

#include "discovery/note_exchange.h"
#include "net/household.h"

/// Notes at a time, and of a household: four players, each with as many friends as there can be.
#define NOTES_CAPACITY      32768
#define NOTES_HOUSEHOLD_MAX (4 * NOTE_EXCHANGE_NOTES_MAX)

struct notes;

/// What became of a request.
enum notes_outcome { NOTES_ANSWERED, NOTES_MALFORMED, NOTES_TOO_OFTEN };

/// Begins without notes. `households` says who has no limits; it stays in use. Null without memory.
struct notes *notes_open(const struct household_rules *households);
/// Accepts null.
void notes_close(struct notes *notes);

/// A request and where it comes from.
struct notes_question {
    struct net_address from;
    const uint8_t *bytes;
    size_t byte_count;
};

/// Keeps the notes of a request, beyond the limits not, and finds those that it asks for.
enum notes_outcome notes_exchange(struct notes *notes, const struct notes_question *question, uint64_t now_ns,
                                  struct note_answer *answer);
/// Writes the metrics.
void notes_metrics_write(FILE *file, struct notes *notes);

#endif
