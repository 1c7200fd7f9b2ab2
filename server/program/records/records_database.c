// SPDX-License-Identifier: MIT
#include "records_database.h"

#include <errno.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/platform/disk.h"
#include "base/utf8.h"
#include "net/crypto/identity.h"
#include "sync/player_name.h"

#define COLUMNS                                                                                                        \
    "identity, local, name, rating, deviation, matches, wins, kills, deaths, squishes, catches, shots, hits, "         \
    "played_ticks, "                                                                                                   \
    "first_seen, last_seen, best_kills"
// As rating_at_least().
#define AT_LEAST "(rating - 2 * deviation)"
#define RANK                                                                                                           \
    "CASE WHEN matches > 0 THEN 1 + (SELECT count(*) FROM players AS other WHERE other.matches > 0 AND "               \
    "(other.rating - 2 * other.deviation) > (players.rating - 2 * players.deviation)) ELSE 0 END"

#define NUMBER_END 1000 // of damaged files that are kept

enum query {
    QUERY_ADD,
    QUERY_RATING,
    QUERY_RESULT,
    QUERY_TOP,
    QUERY_FIND,
    QUERY_FIND_KEY,
    QUERY_ALL,
    QUERY_GET,
    QUERY_EXPIRE,
    QUERY_VOUCH,
    QUERY_VOUCHED,
    QUERY_NAMES,
    QUERIES
};

static const char *const QUERY_TEXTS[QUERIES] = {
    [QUERY_ADD] = "INSERT INTO players(identity, local, name, kills, deaths, squishes, catches, shots, hits, "
                  "played_ticks, first_seen, last_seen) VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?11) "
                  "ON CONFLICT(identity, local) DO UPDATE SET name = excluded.name, kills = kills + excluded.kills, "
                  "deaths = deaths + excluded.deaths, squishes = squishes + excluded.squishes, "
                  "catches = catches + excluded.catches, shots = shots + excluded.shots, hits = hits + excluded.hits, "
                  "played_ticks = played_ticks + excluded.played_ticks, last_seen = excluded.last_seen",
    [QUERY_RATING] = "SELECT rating, deviation FROM players WHERE identity = ?1 AND local = ?2",
    [QUERY_RESULT] = "UPDATE players SET matches = matches + 1, wins = wins + ?3, rating = ?4, deviation = ?5, "
                     "best_kills = max(best_kills, ?6) WHERE identity = ?1 AND local = ?2",
    [QUERY_TOP] = "SELECT " COLUMNS ", " RANK " FROM players WHERE matches > 0 "
                  "ORDER BY " AT_LEAST " DESC, wins DESC, kills DESC LIMIT ?1",
    [QUERY_FIND] =
        "SELECT " COLUMNS ", " RANK " FROM players WHERE name = ?2 COLLATE NOCASE ORDER BY last_seen DESC LIMIT ?1",
    [QUERY_FIND_KEY] =
        "SELECT " COLUMNS ", " RANK " FROM players WHERE fingerprint(identity) = ?2 ORDER BY last_seen DESC LIMIT ?1",
    [QUERY_ALL] = "SELECT " COLUMNS ", 0 FROM players ORDER BY " AT_LEAST " DESC, wins DESC, kills DESC",
    [QUERY_GET] = "SELECT " COLUMNS ", " RANK " FROM players WHERE identity = ?1 AND local = ?2",
    [QUERY_EXPIRE] = "DELETE FROM vouches WHERE expires <= ?1",
    // A name counts from the first vouch with it.
    [QUERY_VOUCH] = "INSERT INTO vouches(identity, local, name, server, matches, made, expires, noted) "
                    "VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8) ON CONFLICT(identity, local, server) DO UPDATE SET "
                    "noted = CASE WHEN name = excluded.name THEN noted ELSE excluded.noted END, name = excluded.name, "
                    "matches = excluded.matches, made = excluded.made, expires = excluded.expires "
                    "WHERE excluded.made > made",
    [QUERY_VOUCHED] = "INSERT INTO players(identity, local, name, rating, deviation, first_seen, last_seen) "
                      "VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?6) ON CONFLICT(identity, local) DO UPDATE SET "
                      "rating = excluded.rating, deviation = excluded.deviation WHERE matches = 0",
    [QUERY_NAMES] = "SELECT name, identity, server FROM vouches WHERE matches >= ?1 AND expires > ?2 "
                    "ORDER BY noted, made, identity LIMIT ?3",
};

// Step n upgrades a file of version n to version n + 1; a new file has version 0. Never change a step: add one.
static const char *const STEPS[RECORDS_VERSION] = {
    "CREATE TABLE players("
    "identity BLOB NOT NULL CHECK(length(identity) = 32), local INTEGER NOT NULL, name TEXT NOT NULL, "
    "rating REAL NOT NULL DEFAULT 1500, matches INTEGER NOT NULL DEFAULT 0, wins INTEGER NOT NULL DEFAULT 0, "
    "kills INTEGER NOT NULL DEFAULT 0, deaths INTEGER NOT NULL DEFAULT 0, squishes INTEGER NOT NULL DEFAULT 0, "
    "catches INTEGER NOT NULL DEFAULT 0, shots INTEGER NOT NULL DEFAULT 0, hits INTEGER NOT NULL DEFAULT 0, "
    "played_ticks INTEGER NOT NULL DEFAULT 0, first_seen INTEGER NOT NULL, last_seen INTEGER NOT NULL, "
    "PRIMARY KEY(identity, local)) STRICT, WITHOUT ROWID",
    "CREATE INDEX players_by_rating ON players(rating DESC, wins DESC, kills DESC) WHERE matches > 0;"
    "CREATE INDEX players_by_name ON players(name COLLATE NOCASE)",
    // The ratings before were Elo's, on the same scale, without a deviation, and followed the last matches.
    "ALTER TABLE players ADD COLUMN deviation REAL NOT NULL DEFAULT 250;"
    "UPDATE players SET deviation = CASE WHEN matches >= 30 THEN 125 WHEN matches >= 10 THEN 165 ELSE 210 END "
    "WHERE matches > 0;"
    "DROP INDEX players_by_rating;"
    "CREATE INDEX players_by_rating ON players(" AT_LEAST " DESC, wins DESC, kills DESC) WHERE matches > 0",
    "CREATE TABLE vouches("
    "identity BLOB NOT NULL CHECK(length(identity) = 32), local INTEGER NOT NULL, name TEXT NOT NULL, "
    "server TEXT NOT NULL, matches INTEGER NOT NULL, made INTEGER NOT NULL, expires INTEGER NOT NULL, "
    "noted INTEGER NOT NULL, PRIMARY KEY(identity, local, server)) STRICT, WITHOUT ROWID;"
    "CREATE INDEX vouches_by_time ON vouches(noted)",
    "ALTER TABLE players ADD COLUMN best_kills INTEGER NOT NULL DEFAULT 0",
    // Keys had either sign. If somebody has played with both, the record under the account stays.
    "UPDATE OR IGNORE players SET identity = account(identity);"
    "DELETE FROM players WHERE identity <> account(identity);"
    "UPDATE OR IGNORE vouches SET identity = account(identity);"
    "DELETE FROM vouches WHERE identity <> account(identity)",
};

struct records_file {
    sqlite3 *base;
    sqlite3_stmt *queries[QUERIES];
    struct rating_player ratings[TALLY_ROWS_MAX];
};

static enum records_outcome outcome_of(int code)
{
    switch (code & 0xFF) {
    case SQLITE_OK:
    case SQLITE_ROW:
    case SQLITE_DONE:
        return RECORDS_DONE;
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
    case SQLITE_FULL:
    case SQLITE_IOERR:
    case SQLITE_READONLY:
    case SQLITE_CANTOPEN:
    case SQLITE_PERM:
    case SQLITE_PROTOCOL:
    case SQLITE_NOMEM:
        return RECORDS_LATER;
    default:
        return RECORDS_DAMAGED;
    }
}

static enum records_outcome run(struct records_file *file, const char *text)
{
    return outcome_of(sqlite3_exec(file->base, text, NULL, NULL, NULL));
}

// Runs a query of one row and one column. An answer that does not fit is cut off.
static enum records_outcome ask(struct records_file *file, const char *text, char *answer, size_t answer_bytes)
{
    sqlite3_stmt *query = NULL;
    int code = sqlite3_prepare_v2(file->base, text, -1, &query, NULL);
    if (code == SQLITE_OK)
        code = sqlite3_step(query);
    const unsigned char *column = code == SQLITE_ROW ? sqlite3_column_text(query, 0) : NULL;
    snprintf(answer, answer_bytes, "%s", column ? (const char *)column : "");
    sqlite3_finalize(query);
    return outcome_of(code);
}

// In one transaction, because two servers may open the file at once.
static enum records_outcome upgrade(struct records_file *file, int *version)
{
    char text[40];
    enum records_outcome outcome = run(file, "BEGIN IMMEDIATE");
    if (outcome == RECORDS_DONE)
        outcome = ask(file, "PRAGMA user_version", text, sizeof text);
    if (outcome != RECORDS_DONE)
        return outcome;
    *version = atoi(text);
    if (*version < 0 || *version > RECORDS_VERSION)
        return RECORDS_NEWER;
    for (int step = *version; step < RECORDS_VERSION && outcome == RECORDS_DONE; step++)
        outcome = run(file, STEPS[step]);
    snprintf(text, sizeof text, "PRAGMA user_version = %d", RECORDS_VERSION);
    if (outcome == RECORDS_DONE && *version < RECORDS_VERSION)
        outcome = run(file, text);
    return outcome == RECORDS_DONE ? run(file, "COMMIT") : outcome;
}

static void fingerprint(sqlite3_context *context, int count, sqlite3_value **values)
{
    char text[FINGERPRINT_TEXT_BYTES] = "";
    (void)count;
    if (sqlite3_value_bytes(values[0]) == IDENTITY_BYTES)
        identity_fingerprint(sqlite3_value_blob(values[0]), text);
    sqlite3_result_text(context, text, -1, SQLITE_TRANSIENT);
}

static void account(sqlite3_context *context, int count, sqlite3_value **values)
{
    uint8_t key[IDENTITY_BYTES] = {0};
    (void)count;
    if (sqlite3_value_bytes(values[0]) == IDENTITY_BYTES)
        memcpy(key, sqlite3_value_blob(values[0]), sizeof key);
    identity_clear_sign(key);
    sqlite3_result_blob(context, key, sizeof key, SQLITE_TRANSIENT);
}

// SQLite makes the file readable for all. It gives the files beside it the same mode, but not those that a killed
// server has left.
static void make_private(const char *path)
{
    static const char *const ENDINGS[] = {"", "-wal", "-shm"};
    char name[FILE_PATH_BYTES];
    for (size_t i = 0; i < sizeof ENDINGS / sizeof *ENDINGS; i++) {
        int length = snprintf(name, sizeof name, "%s%s", path, ENDINGS[i]);
        bool is_wanted = length > 0 && (size_t)length < sizeof name && (i == 0 || disk_exists(name));
        int file = is_wanted ? disk_open(name, DISK_UPDATE | (i > 0 ? DISK_NO_LINK : 0), DISK_OWNER) : -1;
        if (file >= 0)
            disk_close(file);
    }
}

static enum records_outcome set_up(struct records_file *file, const char *path, int *version)
{
    char answer[200];
    make_private(path);
    enum records_outcome outcome = outcome_of(
        sqlite3_open_v2(path, &file->base, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX, NULL));
    if (outcome != RECORDS_DONE)
        return outcome;
    sqlite3_busy_timeout(file->base, RECORDS_BUSY_MS);
    outcome = run(file, "PRAGMA trusted_schema = OFF; PRAGMA synchronous = NORMAL; PRAGMA cell_size_check = ON");
    if (outcome == RECORDS_DONE)
        outcome = ask(file, "PRAGMA quick_check(1)", answer, sizeof answer);
    if (outcome == RECORDS_DONE && strcmp(answer, "ok") != 0)
        outcome = RECORDS_DAMAGED;
    if (outcome == RECORDS_DONE)
        outcome = outcome_of(
            sqlite3_create_function(file->base, "fingerprint", 1, SQLITE_UTF8, NULL, fingerprint, NULL, NULL));
    if (outcome == RECORDS_DONE)
        outcome = outcome_of(sqlite3_create_function(file->base, "account", 1, SQLITE_UTF8, NULL, account, NULL, NULL));
    if (outcome == RECORDS_DONE)
        outcome = upgrade(file, version);
    if (outcome == RECORDS_DONE)
        outcome = ask(file, "PRAGMA journal_mode = WAL", answer, sizeof answer);
    if (outcome != RECORDS_DONE)
        return outcome;
    int code = SQLITE_OK;
    for (int i = 0; i < QUERIES && code == SQLITE_OK; i++)
        code = sqlite3_prepare_v3(file->base, QUERY_TEXTS[i], -1, SQLITE_PREPARE_PERSISTENT, &file->queries[i], NULL);
    return outcome_of(code);
}

// Must be called before any other call of SQLite, which would replace the reason.
static void explain(const struct records_file *file, enum records_outcome outcome, int version, struct error *error)
{
    const char *why = file->base ? sqlite3_errmsg(file->base) : "out of memory";
    int reason = file->base ? sqlite3_system_errno(file->base) : 0;
    if (outcome == RECORDS_NEWER)
        error_set(error, "a newer version of Deadfall made it (format %d; this one reads up to %d)", version,
                  RECORDS_VERSION);
    else if (outcome == RECORDS_DAMAGED)
        error_set(error, "it is not a valid file of records (%s)",
                  outcome_of(sqlite3_errcode(file->base)) == RECORDS_DONE ? "quick_check fails" : why);
    else if (reason != 0)
        error_set(error, "%s (%s)", why, strerror(reason));
    else
        error_set(error, "%s", why);
}

enum records_outcome records_database_open(struct records_file **out, const char *path, struct error *error)
{
    struct records_file *file = calloc(1, sizeof *file);
    int version = 0;
    *out = NULL;
    if (!file) {
        error_set(error, "out of memory");
        return RECORDS_LATER;
    }
    enum records_outcome outcome = set_up(file, path, &version);
    if (outcome == RECORDS_DONE) {
        *out = file;
        return RECORDS_DONE;
    }
    explain(file, outcome, version, error);
    records_database_close(file);
    return outcome;
}

static sqlite3_stmt *bind_key(struct records_file *file, enum query query, const struct seat_key *key)
{
    sqlite3_stmt *statement = file->queries[query];
    sqlite3_bind_blob(statement, 1, key->identity, sizeof key->identity, SQLITE_STATIC);
    sqlite3_bind_int64(statement, 2, key->local);
    return statement;
}

// Runs a prepared statement that returns no rows.
static enum records_outcome finish(sqlite3_stmt *statement)
{
    int code = sqlite3_step(statement);
    sqlite3_reset(statement);
    return outcome_of(code);
}

static enum records_outcome add(struct records_file *file, const struct records_row *row, int64_t unix_time)
{
    const struct player_stats *earned = &row->earned.stats;
    int64_t numbers[] = {earned->kills, earned->deaths, earned->squishes,  earned->catches,
                         earned->shots, earned->hits,   row->played_ticks, unix_time};
    char name[PLAYER_NAME_BYTES + 1];
    sqlite3_stmt *statement = bind_key(file, QUERY_ADD, &row->key);
    player_name_to_text(row->name, name);
    sqlite3_bind_text(statement, 3, name, -1, SQLITE_STATIC);
    for (int i = 0; i < (int)(sizeof numbers / sizeof *numbers); i++)
        sqlite3_bind_int64(statement, 4 + i, numbers[i]);
    return finish(statement);
}

// Reads a rating from two columns. Others may have edited the file.
static struct rating column_rating(sqlite3_stmt *statement, int column)
{
    struct rating rating = {sqlite3_column_double(statement, column), sqlite3_column_double(statement, column + 1)};
    return rating_clamp(rating, 0);
}

// Applies the result of a match, whose rows have been added already.
static enum records_outcome add_match(struct records_file *file, const struct records_row *rows, uint32_t count)
{
    enum records_outcome outcome = RECORDS_DONE;
    for (uint32_t i = 0; i < count && outcome == RECORDS_DONE; i++) {
        sqlite3_stmt *statement = bind_key(file, QUERY_RATING, &rows[i].key);
        outcome = outcome_of(sqlite3_step(statement));
        file->ratings[i] = (struct rating_player){.rating = column_rating(statement, 0),
                                                  .team = rows[i].earned.team,
                                                  .standing = rows[i].earned.score,
                                                  .left = rows[i].left};
        sqlite3_reset(statement);
    }
    rating_match(file->ratings, count);
    for (uint32_t i = 0; i < count && outcome == RECORDS_DONE; i++) {
        sqlite3_stmt *statement = bind_key(file, QUERY_RESULT, &rows[i].key);
        sqlite3_bind_int64(statement, 3, rows[i].won);
        sqlite3_bind_double(statement, 4, file->ratings[i].rating.mean);
        sqlite3_bind_double(statement, 5, file->ratings[i].rating.deviation);
        sqlite3_bind_int64(statement, 6, rows[i].match_kills);
        outcome = finish(statement);
    }
    return outcome;
}

// Ends a transaction: keeps all of it or nothing.
static enum records_outcome end_writing(struct records_file *file, enum records_outcome outcome, struct error *error)
{
    if (outcome == RECORDS_DONE)
        outcome = run(file, "COMMIT");
    if (outcome == RECORDS_DONE)
        return RECORDS_DONE;
    explain(file, outcome, 0, error);
    if (!sqlite3_get_autocommit(file->base))
        run(file, "ROLLBACK");
    return outcome;
}

enum records_outcome records_database_write(struct records_file *file, const struct records_row *rows, uint32_t count,
                                            int64_t unix_time, struct error *error)
{
    enum records_outcome outcome = run(file, "BEGIN IMMEDIATE");
    for (uint32_t i = 0; i < count && outcome == RECORDS_DONE; i++)
        outcome = add(file, &rows[i], unix_time);
    for (uint32_t i = 0; i < count && outcome == RECORDS_DONE; i++)
        outcome = add_match(file, &rows[i], rows[i].match_rows);
    return end_writing(file, outcome, error);
}

static void read_player(sqlite3_stmt *statement, struct records_player *player)
{
    int64_t *const numbers[] = {&player->matches,      &player->wins,       &player->kills,     &player->deaths,
                                &player->squishes,     &player->catches,    &player->shots,     &player->hits,
                                &player->played_ticks, &player->first_seen, &player->last_seen, &player->best_kills,
                                &player->rank};
    const void *identity = sqlite3_column_blob(statement, 0);
    const unsigned char *name = sqlite3_column_text(statement, 2);
    *player = (struct records_player){.rating = column_rating(statement, 3)};
    if (identity && sqlite3_column_bytes(statement, 0) == IDENTITY_BYTES)
        memcpy(player->key.identity, identity, IDENTITY_BYTES);
    player->key.local = (uint32_t)sqlite3_column_int64(statement, 1);
    // An edited file can give a player any name.
    if (name)
        utf8_clean(player->name, sizeof player->name, (const char *)name, strlen((const char *)name));
    for (int i = 0; i < (int)(sizeof numbers / sizeof *numbers); i++)
        *numbers[i] = sqlite3_column_int64(statement, 5 + i);
}

static uint32_t read_players(sqlite3_stmt *statement, struct records_player *players, uint32_t capacity)
{
    uint32_t count = 0;
    sqlite3_bind_int64(statement, 1, capacity);
    while (count < capacity && sqlite3_step(statement) == SQLITE_ROW)
        read_player(statement, &players[count++]);
    sqlite3_reset(statement);
    return count;
}

uint32_t records_database_top(struct records_file *file, struct records_player *players, uint32_t capacity)
{
    return read_players(file->queries[QUERY_TOP], players, capacity);
}

uint32_t records_database_find(struct records_file *file, const char *name, struct records_player *players,
                               uint32_t capacity)
{
    sqlite3_stmt *statement = file->queries[identity_fingerprint_is_valid(name) ? QUERY_FIND_KEY : QUERY_FIND];
    sqlite3_bind_text(statement, 2, name, -1, SQLITE_TRANSIENT);
    return read_players(statement, players, capacity);
}

bool records_database_all(struct records_file *file, bool (*each)(void *context, const struct records_player *player),
                          void *context)
{
    sqlite3_stmt *statement = file->queries[QUERY_ALL];
    struct records_player player;
    bool continues = true;
    int code = SQLITE_ROW;
    while (continues && (code = sqlite3_step(statement)) == SQLITE_ROW) {
        read_player(statement, &player);
        continues = each(context, &player);
    }
    sqlite3_reset(statement);
    return continues && code == SQLITE_DONE;
}

bool records_database_get(struct records_file *file, const struct seat_key *key, struct records_player *player)
{
    sqlite3_stmt *statement = bind_key(file, QUERY_GET, key);
    bool found = sqlite3_step(statement) == SQLITE_ROW;
    if (found)
        read_player(statement, player);
    sqlite3_reset(statement);
    return found;
}

// Within the transaction.
static enum records_outcome note_vouch(struct records_file *file, const struct vouch *vouch, int64_t unix_time,
                                       bool *is_new)
{
    struct seat_key key = {.local = vouch->local};
    memcpy(key.identity, vouch->player, sizeof key.identity);
    sqlite3_bind_int64(file->queries[QUERY_EXPIRE], 1, unix_time);
    enum records_outcome outcome = finish(file->queries[QUERY_EXPIRE]);
    if (outcome != RECORDS_DONE)
        return outcome;
    int64_t numbers[] = {vouch->matches, vouch->made_s, vouch->expires_s, unix_time};
    sqlite3_stmt *statement = bind_key(file, QUERY_VOUCH, &key);
    sqlite3_bind_text(statement, 3, vouch->name, -1, SQLITE_STATIC);
    sqlite3_bind_text(statement, 4, vouch->fingerprint, -1, SQLITE_STATIC);
    for (int i = 0; i < (int)(sizeof numbers / sizeof *numbers); i++)
        sqlite3_bind_int64(statement, 5 + i, numbers[i]);
    outcome = finish(statement);
    *is_new = outcome == RECORDS_DONE && sqlite3_changes(file->base) > 0;
    if (!*is_new)
        return outcome;
    struct rating rating =
        rating_clamp((struct rating){vouch->mean / 100.0, vouch->deviation / 100.0}, RECORDS_VOUCHED_DEVIATION);
    statement = bind_key(file, QUERY_VOUCHED, &key);
    sqlite3_bind_text(statement, 3, vouch->name, -1, SQLITE_STATIC);
    sqlite3_bind_double(statement, 4, rating.mean);
    sqlite3_bind_double(statement, 5, rating.deviation);
    sqlite3_bind_int64(statement, 6, unix_time);
    return finish(statement);
}

enum records_outcome records_database_vouch(struct records_file *file, const struct vouch *vouch, int64_t unix_time,
                                            bool *is_new, struct error *error)
{
    *is_new = false;
    enum records_outcome outcome = run(file, "BEGIN IMMEDIATE");
    if (outcome == RECORDS_DONE)
        outcome = note_vouch(file, vouch, unix_time, is_new);
    return end_writing(file, outcome, error);
}

uint32_t records_database_names(struct records_file *file, int64_t unix_time, struct records_name *names,
                                uint32_t capacity)
{
    sqlite3_stmt *statement = file->queries[QUERY_NAMES];
    uint32_t count = 0;
    sqlite3_bind_int64(statement, 1, RECORDS_NAME_MATCHES);
    sqlite3_bind_int64(statement, 2, unix_time);
    sqlite3_bind_int64(statement, 3, capacity);
    while (count < capacity && sqlite3_step(statement) == SQLITE_ROW) {
        struct records_name *name = &names[count];
        const unsigned char *text = sqlite3_column_text(statement, 0), *server = sqlite3_column_text(statement, 2);
        const void *identity = sqlite3_column_blob(statement, 1);
        *name = (struct records_name){.name = ""};
        if (!text || !server || !identity || sqlite3_column_bytes(statement, 1) != IDENTITY_BYTES)
            continue;
        utf8_clean(name->name, sizeof name->name, (const char *)text, strlen((const char *)text));
        snprintf(name->server, sizeof name->server, "%s", (const char *)server);
        memcpy(name->identity, identity, IDENTITY_BYTES);
        count++;
    }
    sqlite3_reset(statement);
    return count;
}

void records_database_close(struct records_file *file)
{
    if (!file)
        return;
    for (int i = 0; i < QUERIES; i++)
        sqlite3_finalize(file->queries[i]);
    sqlite3_close(file->base);
    free(file);
}

bool records_database_put_aside(const char *path, char kept[FILE_PATH_BYTES], struct error *error)
{
    static const char *const BESIDE[] = {"-wal", "-shm"};
    char from[FILE_PATH_BYTES + 4], to[FILE_PATH_BYTES + 4];
    int number = 1;
    do {
        if (snprintf(kept, FILE_PATH_BYTES, "%s.damaged-%d", path, number) >= FILE_PATH_BYTES)
            return error_set(error, "its path is too long to keep it under another name");
    } while (disk_exists(kept) && ++number < NUMBER_END);
    if (number == NUMBER_END)
        return error_set(error, "it cannot be kept: there are %d damaged files already", NUMBER_END - 1);
    if (!disk_move(path, kept))
        return error_set(error, "it cannot be renamed to %s: %s", kept, strerror(errno));
    for (size_t i = 0; i < sizeof BESIDE / sizeof *BESIDE; i++) {
        snprintf(from, sizeof from, "%s%s", path, BESIDE[i]);
        snprintf(to, sizeof to, "%s%s", kept, BESIDE[i]);
        disk_move(from, to); // usually there is none
    }
    return true;
}
