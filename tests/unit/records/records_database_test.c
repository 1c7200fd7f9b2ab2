// SPDX-License-Identifier: MIT
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "net/crypto/identity.h"
#include "records/rating.h"
#include "records_rows.h"
#include "sync/player_name.h"
#include "test.h"

#define NOON 1700000000

static struct records_file *open_sound(const char *path)
{
    struct records_file *file;
    struct error error = {0};
    if (records_database_open(&file, path, &error) != RECORDS_DONE)
        fail_msg("%s: %s", path, error.text);
    return file;
}

static enum records_outcome open_outcome(const char *path, struct error *error)
{
    struct records_file *file;
    enum records_outcome outcome = records_database_open(&file, path, error);
    assert_true((file == NULL) == (outcome != RECORDS_DONE));
    records_database_close(file);
    return outcome;
}

static void write_all(const char *path, const struct records_row *rows, uint32_t count, int64_t when)
{
    struct error error = {0};
    struct records_file *file = open_sound(path);
    if (records_database_write(file, rows, count, when, &error) != RECORDS_DONE)
        fail_msg("%s", error.text);
    records_database_close(file);
}

TEST(counts_add_up_over_restarts)
{
    const char *path = records_path("counts.db");
    struct records_row row = records_row('a', "Ada", 3, 1);
    row.earned.stats =
        (struct player_stats){.kills = 3, .deaths = 1, .squishes = 2, .catches = 4, .shots = 50, .hits = 20};
    row.played_ticks = 600;
    write_all(path, &row, 1, NOON);
    player_name_from_text(row.name, "Bob");
    write_all(path, &row, 1, NOON + 9);
    struct records_player player = records_read(path, 'a');
    assert_string_equal(player.name, "Bob");
    int64_t found[] = {player.kills, player.deaths,  player.squishes,     player.catches,    player.shots,
                       player.hits,  player.matches, player.played_ticks, player.first_seen, player.last_seen};
    static const int64_t wanted[] = {6, 2, 4, 8, 100, 40, 0, 1200, NOON, NOON + 9};
    assert_memory_equal(found, wanted, sizeof wanted);
    assert_true(player.rating.mean == RATING_START && player.rating.deviation == RATING_START_DEVIATION);
}

TEST(two_players_at_one_machine_have_two_records)
{
    const char *path = records_path("local.db");
    struct records_row rows[2] = {records_row('a', "Ada", 1, 0), records_row('a', "Guest", 2, 0)};
    rows[1].key.local = 1;
    write_all(path, rows, 2, NOON);
    assert_int_equal(records_number(path, "SELECT count(*) FROM players"), 2);
    assert_int_equal(records_number(path, "SELECT kills FROM players WHERE local = 1"), 2);
}

// The results of one match: kills do not count, standings do.
TEST(a_match_moves_ratings_toward_its_result_and_less_each_time)
{
    const char *path = records_path("match.db");
    struct records_row rows[3] = {records_row('a', "Ada", 0, 9), records_row('b', "Bob", 5, 5),
                                  records_row('c', "Cy", 9, 0)};
    rows[0].earned.score = 20;
    rows[1].earned.score = 10;
    rows[2].left = true;
    rows[0].match_rows = 3;
    rows[0].won = 1;
    write_all(path, rows, 3, NOON);
    struct records_player a = records_read(path, 'a'), b = records_read(path, 'b'), c = records_read(path, 'c');
    assert_true(a.rating.mean > 1580 && a.rating.mean < 1590);
    assert_true(b.rating.mean > 1515 && b.rating.mean < 1525);
    assert_true(c.rating.mean < 1400 && c.rating.mean > 1390);
    assert_int_equal(a.matches + b.matches + c.matches, 3);
    assert_int_equal(a.wins, 1);
    assert_int_equal(b.wins + c.wins, 0);
    double gained = a.rating.mean - 1500;
    write_all(path, rows, 3, NOON);
    a = records_read(path, 'a');
    assert_true(a.rating.mean - 1500 - gained < gained); // the same result was more likely this time
    assert_true(a.rating.mean - 1500 - gained > 0);
}

// The rows carry team, standing and who left to the rating.
TEST(the_result_of_teams_moves_ratings)
{
    const char *path = records_path("teams.db");
    struct records_row rows[4] = {records_row('a', "Ada", 0, 0), records_row('b', "Bob", 0, 0),
                                  records_row('c', "Cy", 0, 0), records_row('d', "Di", 0, 0)};
    for (uint32_t i = 0; i < 4; i++) {
        rows[i].earned.team = 1 + i / 2;
        rows[i].earned.score = i < 2 ? 9 : 4;
    }
    rows[1].left = true;
    rows[0].match_rows = 4;
    write_all(path, rows, 4, NOON);
    struct rating a = records_read(path, 'a').rating, b = records_read(path, 'b').rating;
    struct rating c = records_read(path, 'c').rating, d = records_read(path, 'd').rating;
    assert_true(a.mean > RATING_START && a.deviation < RATING_START_DEVIATION);
    assert_true(b.mean < RATING_START && b.deviation < RATING_START_DEVIATION);
    assert_true(c.mean < RATING_START && c.mean == d.mean && c.deviation == d.deviation);
}

TEST(the_most_kills_of_one_match_are_kept)
{
    static const struct {
        uint32_t kills;
        int64_t best;
    } rows[] = {{4, 4}, {9, 9}, {2, 9}};
    const char *path = records_path("best.db");
    struct records_row row = records_row('a', "Ada", 99, 0); // of several matches
    write_all(path, &row, 1, NOON);
    assert_int_equal(records_read(path, 'a').best_kills, 0); // none has ended
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        row.match_rows = 1;
        row.match_kills = rows[i].kills;
        write_all(path, &row, 1, NOON);
        assert_int_equal(records_read(path, 'a').best_kills, rows[i].best);
    }
}

// A newcomer's lucky match is no place above somebody who has proven themselves.
TEST(who_is_surely_strong_comes_before_who_may_be)
{
    const char *path = records_path("sure.db");
    struct records_row rows[2] = {records_row('a', "Sure", 0, 0), records_row('b', "Lucky", 0, 0)};
    struct records_player found[2];
    write_all(path, rows, 2, NOON);
    records_sql(path, "UPDATE players SET matches = 9, rating = 1600, deviation = 50 WHERE name = 'Sure'");
    records_sql(path, "UPDATE players SET matches = 1, rating = 1640, deviation = 230 WHERE name = 'Lucky'");
    struct records_file *file = open_sound(path);
    assert_int_equal(records_database_top(file, found, 2), 2);
    assert_string_equal(found[0].name, "Sure");
    assert_int_equal(found[0].rank, 1);
    assert_int_equal(found[1].rank, 2);
    assert_int_equal(records_database_find(file, "Lucky", found, 1), 1);
    assert_int_equal(found[0].rank, 2);
    records_database_close(file);
}

TEST(the_best_players_come_first_and_names_are_found)
{
    const char *path = records_path("top.db");
    struct records_row rows[3] = {records_row('a', "ada", 1, 0), records_row('b', "ADA", 2, 0),
                                  records_row('c', "Cy", 3, 0)};
    rows[0].match_rows = 2;
    rows[1].earned.score = 5;
    write_all(path, rows, 3, NOON);
    struct records_file *file = open_sound(path);
    struct records_player found[3];
    assert_int_equal(records_database_top(file, found, 3), 2); // Cy has not ended a match
    assert_string_equal(found[0].name, "ADA");
    assert_int_equal(found[0].rank, 1);
    assert_int_equal(found[1].rank, 2);
    assert_int_equal(records_database_top(file, found, 1), 1);
    assert_int_equal(records_database_find(file, "aDa", found, 3), 2);
    assert_int_equal(records_database_find(file, "cy", found, 3), 1);
    assert_int_equal(found[0].rank, 0);
    assert_int_equal(records_database_find(file, "' OR 1 --", found, 3), 0);
    records_database_close(file);
}

static const char *const VERSION_1 =
    "CREATE TABLE players(identity BLOB NOT NULL CHECK(length(identity) = 32), local INTEGER NOT NULL, "
    "name TEXT NOT NULL, rating REAL NOT NULL DEFAULT 1500, matches INTEGER NOT NULL DEFAULT 0, "
    "wins INTEGER NOT NULL DEFAULT 0, kills INTEGER NOT NULL DEFAULT 0, deaths INTEGER NOT NULL DEFAULT 0, "
    "squishes INTEGER NOT NULL DEFAULT 0, catches INTEGER NOT NULL DEFAULT 0, shots INTEGER NOT NULL DEFAULT 0, "
    "hits INTEGER NOT NULL DEFAULT 0, played_ticks INTEGER NOT NULL DEFAULT 0, first_seen INTEGER NOT NULL, "
    "last_seen INTEGER NOT NULL, PRIMARY KEY(identity, local)) STRICT, WITHOUT ROWID;"
    "INSERT INTO players(identity, local, name, rating, matches, kills, first_seen, last_seen) "
    "VALUES(CAST('aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa' AS BLOB), 0, 'Ada', 1600, 7, 70, 1, 2);"
    "PRAGMA user_version = 1";

static bool expect_clean_name(void *context, const struct records_player *player)
{
    assert_string_equal(player->name, context);
    return true;
}

TEST(names_that_others_have_written_are_clean)
{
    const char *path = records_path("names.db");
    struct records_row row = records_row('a', "Ada", 1, 0);
    char clean[] = "Ada[2J1. Bob";
    write_all(path, &row, 1, NOON);
    records_sql(path, "UPDATE players SET name = 'Ada' || char(27) || '[2J' || char(10) || '1. Bob' || char(8238)");
    struct records_file *file = open_sound(path);
    assert_true(records_database_all(file, expect_clean_name, clean));
    records_database_close(file);
}

TEST(a_file_of_version_1_is_upgraded)
{
    const char *path = records_path("version1.db");
    records_sql(path, VERSION_1);
    struct records_row row = records_row('a', "Ada", 1, 0);
    write_all(path, &row, 1, NOON);
    struct records_player player = records_read(path, 'a');
    assert_int_equal(player.kills, 71);
    assert_int_equal(player.matches, 7);
    assert_true(player.rating.mean == 1600 && player.rating.deviation == 210);
    assert_int_equal(records_number(path, "PRAGMA user_version"), RECORDS_VERSION);
    assert_int_equal(records_number(path, "SELECT count(*) FROM sqlite_schema WHERE type = 'index' AND sql NOT NULL"),
                     3);
}

// The ratings stay, and are the less sure the fewer matches they come from.
TEST(the_ratings_of_a_file_of_version_2_are_kept)
{
    static const struct {
        int matches;
        double deviation;
    } rows[] = {{0, 250}, {1, 210}, {9, 210}, {10, 165}, {29, 165}, {30, 125}, {5000, 125}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char sql[200];
        const char *path = records_path("version2.db");
        unlink(path);
        records_sql(path, VERSION_1);
        records_sql(path, "CREATE INDEX players_by_rating ON players(rating DESC, wins DESC, kills DESC) WHERE matches "
                          "> 0; CREATE INDEX players_by_name ON players(name COLLATE NOCASE); PRAGMA user_version = 2");
        snprintf(sql, sizeof sql, "UPDATE players SET matches = %d", rows[i].matches);
        records_sql(path, sql);
        struct rating rating = records_read(path, 'a').rating;
        if (rating.mean != 1600 || rating.deviation != rows[i].deviation)
            fail_msg("row %zu: %g, %g", i, rating.mean, rating.deviation);
    }
}

// Before version 6, a key could have either sign.
TEST(records_of_both_signs_of_a_key_become_those_of_its_account)
{
    const char *path = records_path("signs.db");
    struct records_row rows[] = {records_row('a', "Ada", 3, 0), records_row('b', "Bob", 5, 0)};
    write_all(path, rows, 2, NOON);
    records_sql(path, "UPDATE players SET identity = CAST(substr(identity, 1, 31) || X'E1' AS BLOB) WHERE name = 'Ada';"
                      "INSERT INTO players(identity, local, name, first_seen, last_seen) SELECT CAST(substr(identity, "
                      "1, 31) || X'E2' AS BLOB), 0, 'Twin', 1, 2 FROM players WHERE name = 'Bob';"
                      "PRAGMA user_version = 5");
    assert_int_equal(records_number(path, "SELECT count(*) FROM players"), 3);
    assert_int_equal(records_read(path, 'a').kills, 3);
    struct records_player player = records_read(path, 'b');
    assert_int_equal(player.kills, 5);
    assert_string_equal(player.name, "Bob");
    assert_int_equal(records_number(path, "SELECT count(*) FROM players"), 2);
}

TEST(a_newer_file_is_left_alone)
{
    struct error error;
    const char *path = records_path("newer.db");
    records_sql(path, "CREATE TABLE players(x); PRAGMA user_version = 7");
    assert_int_equal(open_outcome(path, &error), RECORDS_NEWER);
    assert_non_null(strstr(error.text, "format 7; this one reads up to 6"));
    assert_int_equal(records_number(path, "PRAGMA user_version"), 7);
    records_sql(path, "PRAGMA user_version = -1"); // not a version of this program
    assert_int_equal(open_outcome(path, &error), RECORDS_NEWER);
    assert_int_equal(records_number(path, "PRAGMA user_version"), -1);
}

static void put_bytes(const char *path, long offset, const char *bytes, size_t count)
{
    FILE *file = fopen(path, offset < 0 ? "w" : "r+");
    assert_non_null(file);
    fseek(file, offset < 0 ? 0 : offset, SEEK_SET);
    fwrite(bytes, 1, count, file);
    fclose(file);
}

TEST(a_damaged_file_is_reported_and_put_aside)
{
    struct error error;
    static const char *const WHY[] = {"", "it is not a valid file of records (file is not a database)",
                                      "it is not a valid file of records (table players already exists)",
                                      "it is not a valid file of records (quick_check fails)"};
    const char *path = records_path("damaged.db");
    char aside[160], garbage[3000];
    struct stat kept;
    memset(garbage, 0xA5, sizeof garbage);
    for (int round = 1; round <= 3; round++) {
        if (round == 1) { // no database at all
            put_bytes(path, -1, "these are no records, despite their file name!", 46);
        } else if (round == 2) { // the database of another program
            records_sql(path, "CREATE TABLE players(x)");
        } else { // garbage in the middle
            struct records_row row = records_row('a', "Ada", 1, 0);
            write_all(path, &row, 1, NOON);
            put_bytes(path, 4096, garbage, sizeof garbage);
        }
        assert_int_equal(open_outcome(path, &error), RECORDS_DAMAGED);
        if (!strstr(error.text, WHY[round]))
            fail_msg("%s", error.text);
        char kept_as[FILE_PATH_BYTES];
        assert_true(records_database_put_aside(path, kept_as, &error));
        snprintf(aside, sizeof aside, "%s.damaged-%d", path, round);
        assert_string_equal(kept_as, aside);
        assert_int_equal(stat(aside, &kept), 0);
        assert_true(kept.st_size >= 46);
        assert_int_not_equal(access(path, F_OK), 0);
    }
    assert_int_equal(open_outcome(path, &error), RECORDS_DONE);
}

static bool impatient; // a lock of another process is not waited for

int __real_sqlite3_busy_timeout(sqlite3 *base, int wait_ms);
int __wrap_sqlite3_busy_timeout(sqlite3 *base, int wait_ms);
int __wrap_sqlite3_busy_timeout(sqlite3 *base, int wait_ms)
{
    return __real_sqlite3_busy_timeout(base, impatient ? 0 : wait_ms);
}

TEST(a_locked_file_is_tried_again_later)
{
    struct error error;
    const char *path = records_path("locked.db");
    struct records_row row = records_row('a', "Ada", 1, 0);
    impatient = true;
    struct records_file *file = open_sound(path);
    impatient = false;
    sqlite3 *other;
    sqlite3_open(path, &other);
    assert_int_equal(sqlite3_exec(other, "BEGIN EXCLUSIVE", NULL, NULL, NULL), SQLITE_OK);
    assert_int_equal(records_database_write(file, &row, 1, NOON, &error), RECORDS_LATER);
    assert_non_null(strstr(error.text, "locked"));
    assert_int_equal(sqlite3_exec(other, "COMMIT", NULL, NULL, NULL), SQLITE_OK);
    sqlite3_close(other);
    assert_int_equal(records_database_write(file, &row, 1, NOON, &error), RECORDS_DONE);
    records_database_close(file);
    assert_int_equal(records_read(path, 'a').kills, 1);
}

// Locks the file for a fifth of a second, as another program does when it writes.
static void *hold_for_a_moment(void *context)
{
    sqlite3 *other = context;
    nanosleep(&(struct timespec){.tv_nsec = 200000000}, NULL);
    sqlite3_exec(other, "COMMIT", NULL, NULL, NULL);
    return NULL;
}

TEST(a_file_that_is_locked_for_a_moment_is_waited_for)
{
    struct error error;
    const char *path = records_path("moment.db");
    pthread_t thread;
    sqlite3 *other;
    struct records_row row = records_row('a', "Ada", 1, 0);
    struct records_file *file = open_sound(path);
    sqlite3_open(path, &other);
    assert_int_equal(sqlite3_exec(other, "BEGIN EXCLUSIVE", NULL, NULL, NULL), SQLITE_OK);
    assert_int_equal(pthread_create(&thread, NULL, hold_for_a_moment, other), 0);
    assert_int_equal(records_database_write(file, &row, 1, NOON, &error), RECORDS_DONE);
    pthread_join(thread, NULL);
    sqlite3_close(other);
    records_database_close(file);
}

TEST(players_are_found_by_the_fingerprint_of_their_key)
{
    const char *path = records_path("keys.db");
    char fingerprint[FINGERPRINT_TEXT_BYTES];
    struct records_row rows[3] = {records_row('a', "Ada", 1, 0), records_row('b', "Bob", 2, 0),
                                  records_row('a', "Guest", 3, 0)};
    struct records_player found[3];
    rows[2].key.local = 1;
    write_all(path, rows, 2, NOON);
    write_all(path, &rows[2], 1, NOON + 1);
    struct records_file *file = open_sound(path);
    identity_fingerprint(rows[0].key.identity, fingerprint);
    assert_int_equal(records_database_find(file, fingerprint, found, 3), 2);
    assert_string_equal(found[0].name, "Guest"); // most recently seen
    assert_int_equal(found[0].key.local, 1);
    assert_string_equal(found[1].name, "Ada");
    assert_int_equal(records_database_find(file, fingerprint, found, 1), 1);
    identity_fingerprint(rows[1].key.identity, fingerprint);
    assert_int_equal(records_database_find(file, fingerprint, found, 3), 1);
    assert_string_equal(found[0].name, "Bob");
    records_database_close(file);
}

struct visit {
    uint32_t count, last;
};

static bool count_each(void *context, const struct records_player *player)
{
    (void)player;
    struct visit *visit = context;
    return ++visit->count < visit->last;
}

TEST(all_players_are_visited_until_the_visitor_stops)
{
    const char *path = records_path("all.db");
    struct records_row rows[3] = {records_row('a', "Ada", 1, 0), records_row('b', "Bob", 2, 0),
                                  records_row('c', "Cy", 3, 0)};
    struct visit visit = {.last = 2};
    write_all(path, rows, 3, NOON);
    struct records_file *file = open_sound(path);
    assert_false(records_database_all(file, count_each, &visit));
    assert_int_equal(visit.count, 2);
    visit = (struct visit){.last = 9};
    assert_true(records_database_all(file, count_each, &visit)); // starts from the first again
    assert_int_equal(visit.count, 3);
    records_database_close(file);
}

static void touch(const char *path)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fclose(file);
}

TEST(files_of_sqlite_are_put_aside_with_the_database)
{
    static const char *const ends[] = {"", "-wal", "-shm"};
    struct error error;
    char path[128], from[160], to[160], kept[FILE_PATH_BYTES];
    snprintf(path, sizeof path, "%s", records_path("beside.db"));
    assert_false(records_database_put_aside(path, kept, &error)); // there is none
    assert_non_null(strstr(error.text, "No such file"));
    for (int i = 0; i < 3; i++) {
        snprintf(from, sizeof from, "%s%s", path, ends[i]);
        touch(from);
    }
    assert_true(records_database_put_aside(path, kept, &error));
    for (int i = 0; i < 3; i++) {
        snprintf(from, sizeof from, "%s%s", path, ends[i]);
        snprintf(to, sizeof to, "%s.damaged-1%s", path, ends[i]);
        assert_true(access(from, F_OK) != 0 && access(to, F_OK) == 0);
    }
}

TEST(records_are_for_the_server_alone_also_if_they_were_there)
{
    static const char *const ends[] = {"", "-wal", "-shm"};
    struct stat facts;
    char path[128], name[160];
    mode_t mask = umask(0);
    snprintf(path, sizeof path, "%s", records_path("private.db"));
    for (int round = 0; round < 2; round++) {
        struct records_file *file = open_sound(path);
        for (int i = 0; i < 3; i++) {
            snprintf(name, sizeof name, "%s%s", path, ends[i]);
            if (stat(name, &facts) != 0 && round == 0)
                continue; // not yet
            if ((facts.st_mode & 0777) != 0600)
                fail_msg("%s has mode %o in round %d", name, facts.st_mode & 0777, round);
        }
        records_database_close(file);
        for (int i = 0; i < 3; i++) { // as one that was killed, of an older version, has left them
            snprintf(name, sizeof name, "%s%s", path, ends[i]);
            int left = open(name, O_WRONLY | O_CREAT, 0666);
            assert_true(left >= 0 && fchmod(left, 0666) == 0);
            close(left);
        }
    }
    umask(mask);
}

TEST(a_path_that_grows_too_long_is_reported)
{
    struct error error;
    char path[FILE_PATH_BYTES], kept[FILE_PATH_BYTES];
    size_t longest = sizeof path - sizeof ".damaged-1";
    memset(path, 'x', sizeof path);
    path[longest + 1] = '\0';
    assert_false(records_database_put_aside(path, kept, &error));
    assert_string_equal(error.text, "its path is too long to keep it under another name");
    path[longest] = '\0';
    assert_false(records_database_put_aside(path, kept, &error));
    assert_non_null(strstr(error.text, "it cannot be renamed to xxx")); // it fits, but the system accepts no such name
}

TEST(no_more_than_999_damaged_files_are_kept)
{
    struct error error;
    const char *path = records_path("many.db");
    char other[160], kept[FILE_PATH_BYTES];
    touch(path);
    for (int number = 1; number < 999; number++) {
        snprintf(other, sizeof other, "%s.damaged-%d", path, number);
        touch(other);
    }
    assert_true(records_database_put_aside(path, kept, &error));
    assert_non_null(strstr(kept, ".damaged-999"));
    touch(path);
    assert_false(records_database_put_aside(path, kept, &error));
    assert_non_null(strstr(error.text, "999 damaged files"));
    assert_int_equal(access(path, F_OK), 0);
}

// Writes many players until the disk is full. Without the limit, every row reported as written is there once.
TEST(a_full_disk_is_tried_again_later_and_harms_nothing)
{
    struct error error = {0};
    const char *path = records_path("full.db");
    struct rlimit before;
    uint32_t written = 0;
    enum records_outcome outcome = RECORDS_DONE;
    struct records_file *file = open_sound(path);
    signal(SIGXFSZ, SIG_IGN);
    getrlimit(RLIMIT_FSIZE, &before);
    setrlimit(RLIMIT_FSIZE, &(struct rlimit){200000, before.rlim_max});
    for (; outcome == RECORDS_DONE && written < 100000; written += outcome == RECORDS_DONE) {
        struct records_row row = records_row('a', "Ada", 1, 0);
        memcpy(row.key.identity, &written, sizeof written);
        outcome = records_database_write(file, &row, 1, NOON, &error);
    }
    records_database_close(file);
    setrlimit(RLIMIT_FSIZE, &before);
    assert_int_equal(outcome, RECORDS_LATER);
    assert_true(error.text[0]);
    assert_true(written > 10);
    assert_int_equal(records_number(path, "SELECT count(*) FROM players"), written);
    assert_int_equal(records_number(path, "SELECT sum(kills) FROM players"), written);
    assert_int_equal(open_outcome(path, &error), RECORDS_DONE); // quick_check is well
}

// The second row fails, so the first is not written either.
TEST(rows_are_written_together_or_not_at_all)
{
    struct error error;
    const char *path = records_path("together.db");
    struct records_file *file = open_sound(path);
    records_sql(path, "CREATE TRIGGER no_cy BEFORE INSERT ON players WHEN NEW.name = 'Cy' "
                      "BEGIN SELECT RAISE(ABORT, 'no Cy'); END");
    struct records_row rows[2] = {records_row('a', "Ada", 1, 0), records_row('c', "Cy", 1, 0)};
    assert_int_not_equal(records_database_write(file, rows, 2, NOON, &error), RECORDS_DONE);
    assert_int_equal(records_number(path, "SELECT count(*) FROM players"), 0);
    assert_int_equal(records_database_write(file, rows, 1, NOON, &error), RECORDS_DONE);
    records_sql(path, "CREATE TRIGGER no_result BEFORE UPDATE OF matches ON players "
                      "BEGIN SELECT RAISE(ABORT, 'no result'); END");
    rows[0].match_rows = 1;
    assert_int_not_equal(records_database_write(file, rows, 1, NOON, &error), RECORDS_DONE);
    assert_int_equal(records_number(path, "SELECT kills FROM players"), 1);
    records_database_close(file);
}

TEST(an_unwritable_folder_is_tried_again_later)
{
    struct error error = {0};
    assert_int_equal(open_outcome("/proc/self/records.db", &error), RECORDS_LATER);
    assert_non_null(strstr(error.text, "unable to open database file (No such file or directory)"));
    assert_int_equal(open_outcome(records_path("no/such/folder.db"), &error), RECORDS_LATER);
}

static int injected; // code that the next BEGIN answers with; 0: its own

int __real_sqlite3_exec(sqlite3 *base, const char *text, int (*each)(void *, int, char **, char **), void *context,
                        char **fault);
int __wrap_sqlite3_exec(sqlite3 *base, const char *text, int (*each)(void *, int, char **, char **), void *context,
                        char **fault);
int __wrap_sqlite3_exec(sqlite3 *base, const char *text, int (*each)(void *, int, char **, char **), void *context,
                        char **fault)
{
    if (injected != 0 && strcmp(text, "BEGIN IMMEDIATE") == 0)
        return injected;
    return __real_sqlite3_exec(base, text, each, context, fault);
}

// A fault that may pass is tried again later; any other means a damaged file.
TEST(each_code_of_sqlite_has_its_outcome)
{
    static const int later[] = {SQLITE_BUSY,     SQLITE_LOCKED,      SQLITE_FULL,         SQLITE_IOERR,
                                SQLITE_READONLY, SQLITE_CANTOPEN,    SQLITE_PERM,         SQLITE_PROTOCOL,
                                SQLITE_NOMEM,    SQLITE_IOERR_FSYNC, SQLITE_BUSY_SNAPSHOT};
    static const int damaged[] = {SQLITE_CORRUPT, SQLITE_NOTADB, SQLITE_ERROR, SQLITE_CORRUPT_INDEX};
    struct error error;
    const char *path = records_path("codes.db");
    struct records_file *file = open_sound(path);
    struct records_row row = records_row('a', "Ada", 1, 0);
    for (size_t i = 0; i < COUNT_OF(later) + COUNT_OF(damaged); i++) {
        bool passes = i < COUNT_OF(later);
        injected = passes ? later[i] : damaged[i - COUNT_OF(later)];
        if (records_database_write(file, &row, 1, NOON, &error) != (passes ? RECORDS_LATER : RECORDS_DAMAGED))
            fail_msg("code %d", injected);
    }
    injected = 0;
    assert_int_equal(records_database_write(file, &row, 1, NOON, &error), RECORDS_DONE);
    records_database_close(file);
}

static struct vouch vouch_for(char letter, const char *name, uint32_t made_s)
{
    struct vouch vouch = {.mean = 170050,
                          .deviation = 4000,
                          .matches = RECORDS_NAME_MATCHES,
                          .made_s = made_s,
                          .expires_s = made_s + 1000};
    memset(vouch.fingerprint, 's', sizeof vouch.fingerprint - 1);
    memset(vouch.player, letter, sizeof vouch.player);
    snprintf(vouch.name, sizeof vouch.name, "%s", name);
    return vouch;
}

static bool note(const char *path, struct vouch vouch, int64_t when)
{
    bool is_new;
    struct error error = {0};
    struct records_file *file = open_sound(path);
    if (records_database_vouch(file, &vouch, when, &is_new, &error) != RECORDS_DONE)
        fail_msg("%s", error.text);
    records_database_close(file);
    return is_new;
}

// Once a player has finished a match, what is known here counts.
TEST(a_vouch_counts_once_and_only_for_newcomers)
{
    const char *path = records_path("vouch.db");
    struct vouch vouch = vouch_for('a', "Ada", NOON);
    assert_true(note(path, vouch, NOON));
    struct records_player player = records_read(path, 'a');
    assert_true(player.rating.mean == 1700.5 && player.rating.deviation == RECORDS_VOUCHED_DEVIATION);
    assert_true(player.matches == 0 && player.rank == 0);
    assert_string_equal(player.name, "Ada");
    records_sql(path, "UPDATE players SET rating = 1234");
    assert_false(note(path, vouch, NOON)); // shown again
    vouch.made_s -= 1;                     // an older one
    assert_false(note(path, vouch, NOON));
    assert_true(records_read(path, 'a').rating.mean == 1234);
    vouch.made_s = NOON + 1;
    vouch.deviation = 20000;
    assert_true(note(path, vouch, NOON));
    player = records_read(path, 'a');
    assert_true(player.rating.mean == 1700.5 && player.rating.deviation == 200);
    struct records_row row = records_row('a', "Ada", 1, 0);
    row.match_rows = 1;
    write_all(path, &row, 1, NOON);
    records_sql(path, "UPDATE players SET rating = 1300");
    vouch.made_s = NOON + 2;
    assert_true(note(path, vouch, NOON));
    player = records_read(path, 'a');
    assert_true(player.rating.mean == 1300 && player.matches == 1);
}

static uint32_t names_at(const char *path, int64_t when, struct records_name names[4])
{
    struct records_file *file = open_sound(path);
    uint32_t count = records_database_names(file, when, names, 4);
    records_database_close(file);
    return count;
}

TEST(a_name_is_kept_for_the_first_until_it_expires)
{
    const char *path = records_path("names_kept.db");
    struct records_name names[4];
    struct vouch first = vouch_for('a', "Ada", NOON), second = vouch_for('b', "ada", NOON - 5);
    struct vouch few = vouch_for('c', "Cy", NOON);
    few.matches--;
    note(path, first, NOON);
    note(path, second, NOON + 1);
    note(path, few, NOON);
    assert_int_equal(names_at(path, NOON, names), 2);
    assert_int_equal(names[0].identity[0], 'a');
    assert_string_equal(names[0].name, "Ada");
    assert_string_equal(names[0].server, first.fingerprint);
    assert_int_equal(names[1].identity[0], 'b');
    assert_int_equal(names_at(path, NOON + 999, names), 1); // the second was made earlier
    first.made_s = NOON + 3;
    note(path, first, NOON + 3); // renewed, it keeps its place
    assert_int_equal(names_at(path, NOON + 3, names), 2);
    assert_int_equal(names[0].identity[0], 'a');
    first.made_s = NOON + 4;
    strcpy(first.name, "Eve"); // with another name it is the last
    note(path, first, NOON + 4);
    assert_int_equal(names_at(path, NOON + 4, names), 2);
    assert_int_equal(names[0].identity[0], 'b');
    assert_string_equal(names[1].name, "Eve");
    note(path, few, NOON + 2000); // the others have expired and are forgotten
    assert_int_equal(records_number(path, "SELECT count(*) FROM vouches"), 1);
}
