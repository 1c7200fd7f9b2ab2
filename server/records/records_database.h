// SPDX-License-Identifier: MIT
//
// The records as a file: one SQLite table of players, found by their identity. Only records.c's thread calls it while a
// server runs: any call may wait for a disk or another process, for RECORDS_BUSY_MS at most. Everything is written in
// transactions, so a kill at any moment leaves the file as it was after one of them. The only file that includes
// sqlite3.h is records_database.c.
#ifndef RECORDS_RECORDS_DATABASE_H
#define RECORDS_RECORDS_DATABASE_H

#include "base/error.h"
#include "records_tally.h"

/// Patience with another process that holds the file.
#define RECORDS_BUSY_MS 1000
/// The version of the schema that this program writes (PRAGMA user_version); older files are brought to it.
#define RECORDS_VERSION 2

/// How it went. All but the first come with a sentence.
enum records_outcome {
    RECORDS_DONE,
    RECORDS_LATER,   ///< the disk is full, the folder read-only, the file locked: it may go another time
    RECORDS_DAMAGED, ///< this is no sound file of records
    RECORDS_NEWER,   ///< a newer program's: hands off
};

/// One player as the database has them.
struct records_player {
    struct seat_key key;
    char name[PLAYER_NAME_BYTES + 1]; ///< the last one they used
    double rating;
    int64_t rank; ///< 1: nobody who has ended a match has a higher rating; 0: has not ended any, or unknown
    int64_t matches, wins, kills, deaths, squishes, catches, shots, hits;
    int64_t played_ticks, first_seen, last_seen; ///< seen: s since 1970
};

struct records_file;

/// Opens, makes or brings up to date the file at `path`. `file` is null unless it is RECORDS_DONE.
enum records_outcome records_database_open(struct records_file **file, const char *path, struct error *error);
/// Adds rows, all or none. `unix_time`: now, s.
enum records_outcome records_database_write(struct records_file *file, const struct records_row *rows, uint32_t count,
                                            int64_t unix_time, struct error *error);
/// The best by rating of those who have ended a match. Returns how many; less than there are if the file fails.
uint32_t records_database_top(struct records_file *file, struct records_player *players, uint32_t capacity);
/// Who bears this name, in any case of its letters, or whose key has this fingerprint; seen last first.
uint32_t records_database_find(struct records_file *file, const char *name, struct records_player *players,
                               uint32_t capacity);
/// Calls `each` for all players, best first, until it returns false. True if all were visited.
bool records_database_all(struct records_file *file, bool (*each)(void *context, const struct records_player *player),
                          void *context);
/// Null is allowed.
void records_database_close(struct records_file *file);

/// Gives a damaged file (and what SQLite keeps beside it) a name of its own, which never was another's. False with the
/// sentence; else the sentence tells the name.
bool records_database_put_aside(const char *path, char *answer, size_t answer_bytes);

#endif
