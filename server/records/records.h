// SPDX-License-Identifier: MIT
//
// The records of players: a database in the state directory, which a thread of its own writes. The tick's thread queues
// what players earned in a bounded queue and never waits for the disk; a broken file costs records, never the match,
// and is logged once. Questions to the database are answered later.
#ifndef RECORDS_RECORDS_H
#define RECORDS_RECORDS_H

#include "lifecycle/settings.h"
#include "records_text.h"

/// Rows that may wait for the database. While it cannot be written, newer rows are lost and counted.
#define RECORDS_QUEUE_CAPACITY 2048
/// The best players, whose list is kept in memory.
#define RECORDS_TOP_CAPACITY 50
/// Questions that wait at once.
#define RECORDS_QUESTION_CAPACITY 8
/// Bytes of an answer, with its final zero.
#define RECORDS_ANSWER_BYTES 2048

struct records;

/// Begins, unless the settings turn records off. Null then, and after a logged error when there is no memory, thread or
/// monotonic condition clock; the functions below accept null. The thread opens the file.
struct records *records_begin(const struct settings *settings, const struct log *log);
/// The same for a file anywhere; `unix_time` is asked for when players were last seen. Null with errno.
struct records *records_open(const char *path, int64_t (*unix_time)(void), const struct log *log);
/// Counts what players earned in the last tick. Call after each tick.
void records_update(struct records *records, const struct match *match);
/// Writes the rows that wait, within seconds, and ends the thread.
void records_close(struct records *records);

/// The best `count` players as text, a line each, as of the last writing; a sentence where there are none. At once.
/// Returns the length.
size_t records_top(struct records *records, uint32_t count, char *text, size_t text_bytes);
/// Asks for all players with this name or this key's fingerprint. Returns the number of the question; 0: too many
/// wait, or there are no records.
uint64_t records_player(struct records *records, const char *name);
/// Asks for a CSV file of all players at `path`, which must not exist. Returns the same.
uint64_t records_export_csv(struct records *records, const char *path);
/// Fetches an answer. True once, after it has come. An answer that nobody fetches gives way to later questions.
bool records_answer(struct records *records, uint64_t question, char text[RECORDS_ANSWER_BYTES]);

/// Returns how many rows have been lost so far.
uint64_t records_lost(struct records *records);

/// For the tally and tests: queues rows for the file. Those of one match come at once.
void records_put(void *records, const struct records_row *rows, uint32_t count);

#endif
