// SPDX-License-Identifier: MIT
//
// Who has played here, and how well: a file of records in the state directory, written by a thread of its own. The
// tick's thread hands over what players earned through a bounded queue and never waits for a disk; whatever is wrong
// with the file costs records, never the match, and is told once. What is asked of the file comes back later.
#ifndef RECORDS_RECORDS_H
#define RECORDS_RECORDS_H

#include "lifecycle/settings.h"
#include "records_text.h"

/// Rows that wait for the file. While it cannot be written, the newest beyond these are lost, and counted.
#define RECORDS_QUEUE_CAPACITY 2048
/// The best players whose list is at hand at any time.
#define RECORDS_TOP_CAPACITY 50
/// Questions that wait at once.
#define RECORDS_QUESTION_CAPACITY 8
/// Of an answer, with its end.
#define RECORDS_ANSWER_BYTES 2048

struct records;

/// Begins, unless the settings want none. Null then, and when memory, threads or a monotonic clock to wait by are
/// missing, which is logged; all that follows takes null. The file is opened by the thread.
struct records *records_begin(const struct settings *settings, const struct log *log);
/// The same for a file anywhere; `unix_time` is asked for when players were last seen. Null with errno.
struct records *records_open(const char *path, int64_t (*unix_time)(void), const struct log *log);
/// Looks at the match. Call after each tick.
void records_update(struct records *records, const struct match *match);
/// Writes what can be written, within seconds, and ends.
void records_close(struct records *records);

/// The best `count` players as text, a line each, as of the last writing; a sentence where there are none. At once.
/// Returns the length.
size_t records_top(struct records *records, uint32_t count, char *text, size_t text_bytes);
/// Asks for all who bear this name, or whose key has this fingerprint. The number of the question; 0: too many wait, or
/// there are no records.
uint64_t records_player(struct records *records, const char *name);
/// Asks for a CSV of all players in a file at `path`, which must not be there yet. The same.
uint64_t records_export_csv(struct records *records, const char *path);
/// True once, when the answer has come; a question of another time has none. An answer that is not fetched makes room
/// for later questions.
bool records_answer(struct records *records, uint64_t question, char text[RECORDS_ANSWER_BYTES]);

/// Rows that have been lost so far.
uint64_t records_lost(struct records *records);

/// For the tally and tests: queues rows for the file. Those of one match come at once.
void records_put(void *records, const struct records_row *rows, uint32_t count);

#endif
