// SPDX-License-Identifier: MIT
//
// The notes that players leave for their friends, in memory alone and for little more than a minute. What is in them,
// whose they are and for whom, the directory does not learn: names and notes are random bytes to it. A household has a
// limit of notes and of requests, and when there is no more room, those with the most make it. Directories that share
// their list share the notes, and the limits count for all of them. Has a lock of its own.
#ifndef DIRECTORY_NOTES_H
#define DIRECTORY_NOTES_H

#include <stdio.h>

#include "directory.h"
#include "discovery/friend.h"

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
/// Takes a note that has come since it was taken the last time, as CHANGE_NOTED. False if there is none. Their order is
/// by their places and not by time, so a household with many makes no other wait for all of them.
bool notes_share(struct notes *notes, uint64_t now_ns, struct change *change);
/// Learns a note that was left at another directory, by the same limits. False if it is old, malformed or beyond them.
bool notes_learn(struct notes *notes, const struct change *change, uint64_t now_ns);
/// Writes the metrics.
void notes_metrics_write(FILE *file, struct notes *notes);

#endif
