// SPDX-License-Identifier: MIT
//
// The file of records: an SQLite database with one table of players, found by their seat key. Calls may wait for the
// disk, or RECORDS_BUSY_MS for another process, so only the thread of records.c makes them while a server runs.
// Everything is written in transactions: a crash at any moment leaves the file as one of them left it. Only
// records_database.c includes sqlite3.h.
#ifndef RECORDS_RECORDS_DATABASE_H
#define RECORDS_RECORDS_DATABASE_H

#include "base/error.h"
#include "base/file.h"
#include "net/crypto/vouch.h"
#include "rating.h"
#include "records_tally.h"

/// How long a call waits for another process that has locked the file, ms.
#define RECORDS_BUSY_MS 1000
/// The version of the schema (PRAGMA user_version); older files are upgraded to it.
#define RECORDS_VERSION 6

/// Result of a call. All but RECORDS_DONE come with an error.
enum records_outcome {
    RECORDS_DONE,
    RECORDS_LATER,   ///< the disk is full, the folder read-only, the file locked: another attempt may succeed
    RECORDS_DAMAGED, ///< it is not a valid file of records
    RECORDS_NEWER,   ///< a newer version of the program made it; it is left as it is
};

/// One player as the database has them.
struct records_player {
    struct seat_key key;
    char name[PLAYER_NAME_BYTES + 1]; ///< the last one they used
    struct rating rating;
    int64_t rank; ///< by rating_at_least() among those who have finished a match, from 1; 0: none, or unknown
    int64_t matches, wins, kills, deaths, squishes, catches, shots, hits;
    int64_t played_ticks, first_seen, last_seen; ///< seen: s since 1970
    int64_t best_kills;                          ///< most kills of one match that they finished
};

/// Matches from which on a vouch keeps the name for the player.
#define RECORDS_NAME_MATCHES 10
/// How sure a rating of another server is at most: its deviation, points.
#define RECORDS_VOUCHED_DEVIATION 100.0

/// A name that is kept for a player because a server vouches for them.
struct records_name {
    char name[PLAYER_NAME_BYTES + 1];
    uint8_t identity[IDENTITY_BYTES];
    char server[FINGERPRINT_TEXT_BYTES]; ///< that vouches
};

struct records_file;

/// Opens the file at `path`, or creates or upgrades it. `*file` is null unless the result is RECORDS_DONE.
enum records_outcome records_database_open(struct records_file **file, const char *path, struct error *error);
/// Adds all rows or none. `unix_time`: now, s since 1970.
enum records_outcome records_database_write(struct records_file *file, const struct records_row *rows, uint32_t count,
                                            int64_t unix_time, struct error *error);
/// Reads the best players by rating_at_least() among those who have finished a match. Returns how many could be read.
uint32_t records_database_top(struct records_file *file, struct records_player *players, uint32_t capacity);
/// Reads the players with this name, in upper or lower case, or with the key of this fingerprint; the one seen last
/// comes first. Returns how many could be read.
uint32_t records_database_find(struct records_file *file, const char *name, struct records_player *players,
                               uint32_t capacity);
/// Calls `each` for all players, the best first, until it returns false. Returns true if all were visited.
bool records_database_all(struct records_file *file, bool (*each)(void *context, const struct records_player *player),
                          void *context);
/// Reads the player with this key. False if there is none, or the file cannot be read.
bool records_database_get(struct records_file *file, const struct seat_key *key, struct records_player *player);
/// Notes a vouch, which must count now, and takes its rating for a player who has finished no match. `*is_new`: it was
/// not noted before, nor a newer one of the same server. Forgets those that have expired. `unix_time`: now, s since
/// 1970.
enum records_outcome records_database_vouch(struct records_file *file, const struct vouch *vouch, int64_t unix_time,
                                            bool *is_new, struct error *error);
/// Reads the names that are kept now, the one that was noted first before others with the same name. Returns how many
/// could be read.
uint32_t records_database_names(struct records_file *file, int64_t unix_time, struct records_name *names,
                                uint32_t capacity);
/// Closes the file; null is allowed.
void records_database_close(struct records_file *file);

/// Renames a damaged file, and what SQLite keeps beside it, to PATH.damaged-N, a name that was free. `kept` is the new
/// name. False with an error.
bool records_database_put_aside(const char *path, char kept[FILE_PATH_BYTES], struct error *error);

#endif
