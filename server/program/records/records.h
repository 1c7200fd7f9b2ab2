// SPDX-License-Identifier: MIT
//
// The records of players, in a database in the state directory. The tick's thread puts what players earned into a
// bounded queue and never waits for the disk; a second thread writes it to the database and answers questions. A file
// that cannot be written costs records, never the match, and is logged once.
//
// record_sender.c connects a match with them: each player gets what the server has on record about them, when they join
// and after a match, and then a vouch, too. It asks clients for vouches of trusted servers, and keeps the names in them
// for their owners.
#ifndef RECORDS_RECORDS_H
#define RECORDS_RECORDS_H

#include "lifecycle/server_health.h"
#include "lifecycle/settings.h"
#include "records_queues.h"

struct records;

/// Starts the thread, which opens the file. Returns null if the settings turn records off, and after a logged error if
/// memory, the thread or its clock is missing; all functions below accept null.
struct records *records_begin(const struct settings *settings, const struct log *log);
/// The same for any path. `unix_time` says when players were last seen. Null with errno.
struct records *records_open(const char *path, int64_t (*unix_time)(void), const struct log *log);
/// Counts what players earned in the last tick. Call after each tick.
void records_update(struct records *records, const struct match *match);
/// Writes the rows that still wait, which takes seconds at most, and ends the thread.
void records_close(struct records *records);

/// Copies the best `count` players, as of the last write to the database, and returns how many there are; `players` has
/// room for so many. Answers at once.
uint32_t records_top(struct records *records, uint32_t count, struct records_player *players);
/// Asks for the players with this name, or with the key of this fingerprint. Returns the number of the question, or 0
/// if too many wait, the name is too long, or there are no records.
uint64_t records_player(struct records *records, const char *name);
/// Asks for a CSV file of all players at `path`, which must not exist. Returns like records_player().
uint64_t records_export_csv(struct records *records, const char *path);
/// Fetches an answer. Returns true once, when the answer is there. Later answers replace those that nobody fetches.
bool records_answer(struct records *records, uint64_t question, struct records_answer *answer);

/// Lets the records sign vouches with the key of this seed, and believe those of servers with these fingerprints.
void records_begin_vouches(struct records *records, const uint8_t seed[IDENTITY_SEED_BYTES],
                           const struct option_list *trust);
/// Gives a vouch to be judged that the player with this key shows. If too many wait, it is dropped. For a match, of
/// which the records are the context, as are two functions below.
void records_show_vouch(void *records, const struct seat_key *key, const uint8_t bytes[VOUCH_BYTES]);
/// Returns whether a name is kept for others than the player with this key; null: for anybody.
bool records_keep_name(void *records, const struct seat_key *key, const char *name);
/// Returns whether the names that are kept have changed since the last call.
bool records_names_changed(struct records *records);

/// Asks for what is on record about a player, to be taken with records_take_own(). If too many wait, it is dropped.
void records_ask_own(void *records, const struct seat_key *key);
/// Takes what is on record about a player who was asked for, or, with a vouch, who has finished a match. False if there
/// is nothing.
bool records_take_own(struct records *records, struct records_mail *mail);

/// Returns how many rows have been lost so far.
uint64_t records_lost(struct records *records);

/// Fills in the health of the records. Without records it changes nothing.
void records_report(struct records *records, struct server_health *health);

/// Queues rows for the database; the results of one match come in one call. For the tally and for tests.
void records_put(void *records, const struct records_row *rows, uint32_t count);

/// Connects a match; `trust` are fingerprints. The records must outlive the match.
void record_sender_begin(struct records *records, const struct option_list *trust, struct match *match);
/// Sends the vouches that have been made and the records that have been looked up, and follows changes of the names.
/// `server_name`: of this server, for its players. Call after each tick.
void record_sender_update(struct records *records, const char *server_name, struct match *match);

/// Makes the message about a player. What does not fit is cut or as large as it gets.
struct record_message record_sender_message(const struct records_player *player, const char *server_name);

#endif
