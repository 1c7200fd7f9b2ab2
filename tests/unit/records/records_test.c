// SPDX-License-Identifier: MIT
//
// Tests records with their thread, and as text. Waits for the thread fail after some seconds; no test depends on how
// long one took.
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <sqlite3.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "lock_check.h"
#include "net/crypto/identity.h"
#include "records/records.h"
#include "records/records_text.h"
#include "records_rows.h"
#include "test.h"
#include "test_map.h"

// What the linker puts between the records and the system (--wrap); refuses as log.
static int clock_refusal, thread_refusal;
static atomic_int rename_refusal;

int __real_pthread_condattr_setclock(pthread_condattr_t *attributes, clockid_t clock);
int __wrap_pthread_condattr_setclock(pthread_condattr_t *attributes, clockid_t clock);
int __wrap_pthread_condattr_setclock(pthread_condattr_t *attributes, clockid_t clock)
{
    return clock_refusal ? clock_refusal : __real_pthread_condattr_setclock(attributes, clock);
}

int __real_pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *), void *context);
int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *), void *context);
int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *), void *context)
{
    return thread_refusal ? thread_refusal : __real_pthread_create(thread, attributes, run, context);
}

// The records read this clock, which stands still until a test moves it.
static atomic_uint_fast64_t now_ns = CLOCK_SECOND_NS;
static atomic_uint waits; // for a time, so far

uint64_t __wrap_clock_now_ns(void);
uint64_t __wrap_clock_now_ns(void)
{
    return atomic_load(&now_ns);
}

int __real_pthread_cond_timedwait(pthread_cond_t *condition, pthread_mutex_t *mutex, const struct timespec *until);
int __wrap_pthread_cond_timedwait(pthread_cond_t *condition, pthread_mutex_t *mutex, const struct timespec *until);
int __wrap_pthread_cond_timedwait(pthread_cond_t *condition, pthread_mutex_t *mutex, const struct timespec *until)
{
    struct timespec soon;
    (void)until;
    atomic_fetch_add(&waits, 1);
    clock_gettime(CLOCK_MONOTONIC, &soon);
    soon.tv_nsec += 2000000;
    soon.tv_sec += soon.tv_nsec / 1000000000;
    soon.tv_nsec %= 1000000000;
    int reason = __real_pthread_cond_timedwait(condition, mutex, &soon);
    if (reason != 0 && reason != ETIMEDOUT)
        abort(); // the thread does not hold the lock
    return reason;
}

// A lock of another process is waited for only briefly. Each opening of the file calls this once.
static atomic_uint opened;

int __real_sqlite3_busy_timeout(sqlite3 *base, int wait_ms);
int __wrap_sqlite3_busy_timeout(sqlite3 *base, int wait_ms);
int __wrap_sqlite3_busy_timeout(sqlite3 *base, int wait_ms)
{
    atomic_fetch_add(&opened, 1);
    return __real_sqlite3_busy_timeout(base, wait_ms < 10 ? wait_ms : 10);
}

// While `held`, the thread waits at the beginning of its next transaction, which then returns `injected`.
static pthread_mutex_t held;
static atomic_int injected;

int __real_sqlite3_exec(sqlite3 *base, const char *text, int (*each)(void *, int, char **, char **), void *context,
                        char **fault);
int __wrap_sqlite3_exec(sqlite3 *base, const char *text, int (*each)(void *, int, char **, char **), void *context,
                        char **fault);
int __wrap_sqlite3_exec(sqlite3 *base, const char *text, int (*each)(void *, int, char **, char **), void *context,
                        char **fault)
{
    if (strcmp(text, "BEGIN IMMEDIATE") == 0) {
        pthread_mutex_lock(&held);
        int code = atomic_load(&injected);
        pthread_mutex_unlock(&held);
        if (code != 0)
            return code;
    }
    return __real_sqlite3_exec(base, text, each, context, fault);
}

int __real_rename(const char *from, const char *to);
int __wrap_rename(const char *from, const char *to);
int __wrap_rename(const char *from, const char *to)
{
    errno = atomic_load(&rename_refusal);
    return errno ? -1 : __real_rename(from, to);
}

static char path[128], log_text[8000];
static FILE *log_file;
static struct log file_log;

static int64_t noon(void)
{
    return 1700000000;
}

static struct records *open_at(const char *file)
{
    if (!log_file)
        log_file = fmemopen(log_text, sizeof log_text, "w");
    assert_non_null(log_file);
    rewind(log_file);
    memset(log_text, 0, sizeof log_text);
    setvbuf(log_file, NULL, _IONBF, 0);
    file_log = (struct log){.out = log_file, .level = LOG_DEBUG};
    if (file != path)
        snprintf(path, sizeof path, "%s", file);
    struct records *records = records_open(path, noon, &file_log);
    assert_non_null(records);
    return records;
}

static uint32_t times_logged(const char *words)
{
    uint32_t count = 0;
    for (const char *at = log_text; (at = strstr(at, words)); at++)
        count++;
    return count;
}

static void a_moment(void)
{
    nanosleep(&(struct timespec){.tv_nsec = 5000000}, NULL);
}

static void fetch(struct records *records, uint64_t question, struct records_answer *answer)
{
    assert_int_not_equal(question, 0);
    for (int i = 0; i < 2000; i++, a_moment())
        if (records_answer(records, question, answer))
            return;
    fail_msg("no answer: %s", log_text);
}

static void answers_with(struct records *records, uint64_t question, const char *words)
{
    struct records_answer answer;
    fetch(records, question, &answer);
    if (!strstr(answer.text, words))
        fail_msg("not \"%s\", but %s", words, answer.text);
}

// Writes the lines of the best players.
static void list_top(struct records *records, char *text, size_t text_bytes)
{
    struct records_player players[10];
    uint32_t count = records_top(records, 10, players);
    text[0] = 0;
    for (uint32_t i = 0; i < count; i++) {
        char line[RECORDS_LINE_BYTES];
        size_t used = strlen(text);
        records_text_top(&players[i], line);
        snprintf(text + used, text_bytes - used, "%s\n", line);
    }
}

static void wait_for_top(struct records *records, const char *words)
{
    char text[1000] = "";
    for (int i = 0; i < 2000 && !strstr(text, words); i++, a_moment())
        list_top(records, text, sizeof text);
    if (!strstr(text, words))
        fail_msg("\"%s\" is not in the list: %s; %s", words, text, log_text);
}

static void wait_until_logged(const char *words)
{
    for (int i = 0; i < 2000 && !times_logged(words); i++)
        a_moment();
    if (!times_logged(words))
        fail_msg("not logged: %s; but %s", words, log_text);
}

static void move_clock(uint64_t ns)
{
    atomic_fetch_add(&now_ns, ns);
}

// Waits until a number counts beyond `from`.
static void wait_for_more(atomic_uint *number, unsigned from)
{
    for (int i = 0; i < 2000 && atomic_load(number) <= from; i++)
        a_moment();
    assert_true(atomic_load(number) > from);
}

static void put_result(struct records *records, const char *winner)
{
    struct records_row rows[2] = {records_row('a', winner, 3, 1), records_row('b', "Bob", 1, 3)};
    rows[0].match_rows = 2;
    rows[0].won = 1;
    rows[0].earned.score = 2;
    records_put(records, rows, 2);
}

// Opens a file, in which Ada has won a match once this returns.
static struct records *open_with_ada(const char *file)
{
    struct records *records = open_at(records_path(file));
    put_result(records, "Ada");
    wait_for_top(records, "Ada");
    return records;
}

// A thread that has nothing to write waits without a time-out.
static void wait_idle(struct records *records)
{
    struct records_answer answer;
    unsigned before = atomic_load(&waits);
    for (int i = 0; i < 8; i++, a_moment())
        fetch(records, records_player(records, "Eve"), &answer);
    assert_int_equal(atomic_load(&waits), before);
}

TEST(the_list_is_ready_after_a_write_and_a_restart)
{
    char text[300];
    struct records *records = open_at(records_path("list.db"));
    list_top(records, text, sizeof text);
    assert_string_equal(text, "");
    put_result(records, "Ada");
    wait_for_top(
        records,
        "1. Ada 1579 ±484, matches 1, won 1, kills 3, deaths 1\n2. Bob 1421 ±484, matches 1, won 0, kills 1, deaths 3");
    struct records_player players[2];
    assert_int_equal(records_top(records, 1, players), 1); // no more than were asked for
    wait_idle(records);
    records_close(records);
    records = open_at(path);
    wait_for_top(records, "1. Ada 1579 ±484, matches 1, won 1");
    records_close(records);
    assert_string_equal(log_text, "");
}

TEST(queued_rows_are_written_at_the_end)
{
    struct records *records = open_at(records_path("end.db"));
    for (int i = 0; i < 300; i++) {
        struct records_row row = records_row('a', "Ada", 1, 0);
        records_put(records, &row, 1);
    }
    records_close(records);
    assert_int_equal(records_read(path, 'a').kills, 300);
}

TEST(questions_are_answered_later)
{
    struct records_answer answer;
    char csv[140], line[300] = "";
    struct records *records = open_at(records_path("questions.db"));
    put_result(records, "=Ada\"");
    wait_for_top(records, "=Ada");
    fetch(records, records_player(records, "=aDA\""), &answer);
    assert_non_null(strstr(answer.text, "=Ada\", key "));
    assert_non_null(strstr(answer.text, "rating 1579 ±484, number 1 by rating; 1 match, 1 won"));
    assert_non_null(strstr(answer.text, "3 kills, 1 deaths"));
    assert_non_null(strstr(answer.text, "2023-11-14"));
    uint64_t question = records_player(records, "Eve");
    fetch(records, question, &answer);
    assert_string_equal(answer.text, "No player with the name or key \"Eve\" has played here.\n");
    assert_false(records_answer(records, question, &answer)); // once
    snprintf(csv, sizeof csv, "%s.csv", path);
    answers_with(records, records_export_csv(records, csv), "All players were written to ");
    FILE *file = fopen(csv, "r");
    assert_non_null(file);
    assert_non_null(fgets(line, sizeof line, file));
    assert_string_equal(
        line, "name,key,player,rating,deviation,matches,wins,kills,deaths,squishes,catches,shots,hits,played_s,"
              "first_seen,last_seen,best_kills\r\n");
    assert_non_null(fgets(line, sizeof line, file));
    fclose(file);
    assert_memory_equal(line, "\"'=Ada\"\"\",", 10);
    answers_with(records, records_export_csv(records, csv), "File exists"); // never over a file that is there
    answers_with(records, records_export_csv(records, "/no/where"), "cannot write /no/where: No such file");
    records_close(records);
}

// All entries are requested while the thread is held; then it answers in the order of the questions.
TEST(questions_wait_and_are_answered_in_order)
{
    struct records_answer answer;
    char csv[140], long_name[OPTION_TEXT_BYTES + 1];
    uint64_t questions[RECORDS_QUESTION_CAPACITY];
    pthread_mutex_lock(&held);
    struct records *records = open_at(records_path("order.db"));
    snprintf(csv, sizeof csv, "%s.csv", path);
    for (int i = 0; i < RECORDS_QUESTION_CAPACITY; i++) {
        questions[i] = records_export_csv(records, csv);
        assert_int_not_equal(questions[i], 0);
        assert_false(records_answer(records, questions[i], &answer));
    }
    assert_int_equal(records_player(records, "Ada"), 0);
    pthread_mutex_unlock(&held);
    answers_with(records, questions[0], "All players were written to ");
    for (int i = 1; i < RECORDS_QUESTION_CAPACITY; i++) {
        answers_with(records, questions[i], "File exists");
    }
    memset(long_name, 'x', sizeof long_name);
    long_name[OPTION_TEXT_BYTES] = '\0';
    assert_int_equal(records_player(records, long_name), 0);
    long_name[OPTION_TEXT_BYTES - 1] = '\0';
    assert_int_not_equal(records_player(records, long_name), 0);
    records_close(records);
}

TEST(the_oldest_answer_that_nobody_fetches_is_dropped_first)
{
    struct records_answer answer;
    uint64_t questions[ANSWERS_CAPACITY];
    struct records *records = open_at(records_path("oldest.db"));
    for (int i = 0; i < ANSWERS_CAPACITY; i++) {
        questions[i] = records_player(records, "Eve");
        if (i % RECORDS_QUESTION_CAPACITY == RECORDS_QUESTION_CAPACITY - 1)
            fetch(records, questions[i], &answer); // all are answered now
    }
    assert_false(records_answer(records, questions[ANSWERS_CAPACITY - 1], &answer)); // once
    assert_int_not_equal(records_player(records, "Bob"), 0);                         // replaces the first
    assert_false(records_answer(records, questions[0], &answer));
    for (int i = 1; i < ANSWERS_CAPACITY; i++)
        if (i % RECORDS_QUESTION_CAPACITY != RECORDS_QUESTION_CAPACITY - 1)
            assert_true(records_answer(records, questions[i], &answer));
    records_close(records);
}

// A file cannot grow beyond a limit here, as on a full disk.
TEST(an_export_that_does_not_fit_leaves_no_file)
{
    struct records_answer answer;
    char csv[140];
    struct rlimit before;
    struct records *records = open_with_ada("large.db");
    snprintf(csv, sizeof csv, "%s.csv", path);
    signal(SIGXFSZ, SIG_IGN);
    getrlimit(RLIMIT_FSIZE, &before);
    setrlimit(RLIMIT_FSIZE, &(struct rlimit){10, before.rlim_max});
    fetch(records, records_export_csv(records, csv), &answer);
    setrlimit(RLIMIT_FSIZE, &before);
    assert_non_null(strstr(answer.text, ".csv: File too large"));
    assert_int_not_equal(access(csv, F_OK), 0);
    records_close(records);
}

TEST(answers_that_nobody_fetches_make_room)
{
    struct records_answer answer;
    struct records *records = open_at(records_path("room.db"));
    uint64_t question = 0;
    for (int i = 0; i < 5 * RECORDS_QUESTION_CAPACITY; i++) {
        question = 0;
        for (int tries = 0; tries < 2000 && !(question = records_player(records, "Eve")); tries++)
            a_moment();
    }
    fetch(records, question, &answer);
    records_close(records);
}

TEST(a_locked_file_is_logged_once_and_written_later)
{
    sqlite3 *other;
    struct records *records = open_with_ada("held.db");
    sqlite3_open(path, &other);
    assert_int_equal(sqlite3_exec(other, "BEGIN EXCLUSIVE", NULL, NULL, NULL), SQLITE_OK);
    put_result(records, "Ada");
    wait_until_logged("records cannot be kept in");
    put_result(records, "Ada");
    unsigned tries = atomic_load(&opened);
    move_clock(2 * CLOCK_SECOND_NS - 1);
    wait_for_more(&waits, atomic_load(&waits) + 2);
    assert_int_equal(atomic_load(&opened), tries); // not yet
    move_clock(1);
    wait_for_more(&opened, tries);
    wait_for_more(&waits, atomic_load(&waits) + 2); // that try failed too
    assert_int_equal(sqlite3_exec(other, "COMMIT", NULL, NULL, NULL), SQLITE_OK);
    sqlite3_close(other);
    move_clock(2 * CLOCK_SECOND_NS);
    wait_for_top(records, "matches 3, won 3, kills 9");
    wait_until_logged("written again");
    put_result(records, "Ada");
    wait_for_top(records, "matches 4, won 4, kills 12");
    assert_int_equal(times_logged("records cannot be kept in"), 1);
    assert_int_equal(times_logged("written again"), 1);
    assert_int_equal(records_lost(records), 0);
    struct server_health health = {0};
    records_report(records, &health);
    assert_true(health.stores[STORE_RECORDS].up && health.stores[STORE_RECORDS].failures == 1);
    records_close(records);
    assert_int_equal(times_logged("lost"), 0);
}

TEST(a_full_queue_is_logged_once_and_counted)
{
    struct records *records = open_at("/proc/self/records.db");
    struct records_row row = records_row('a', "Ada", 1, 0);
    for (int i = 0; i < RECORDS_QUEUE_CAPACITY + 7; i++)
        records_put(records, &row, 1);
    assert_int_equal(records_lost(records), 7);
    put_result(records, "Ada"); // two rows, together or not at all
    assert_int_equal(records_lost(records), 9);
    wait_until_logged("records cannot be kept in");
    assert_int_equal(times_logged("records are being lost: 2048 rows"), 1);
    struct server_health health = {0};
    records_report(records, &health);
    assert_true(health.stores[STORE_RECORDS].wanted && !health.stores[STORE_RECORDS].up);
    assert_true(health.stores[STORE_RECORDS].failures == 1 && health.records_lost == 9);
    records_close(records);
    assert_int_equal(times_logged("records cannot be kept in"), 1);
    assert_int_equal(times_logged("2057 rows of records were lost"), 1);
}

// The queue begins behind the rows that were written before, and goes around its end.
TEST(a_queue_that_is_just_full_loses_nothing)
{
    struct records *records = open_at(records_path("around.db"));
    struct records_row row = records_row('c', "Cy", 1, 0);
    put_result(records, "Ada");
    wait_for_top(records, "Ada");
    atomic_store(&injected, SQLITE_BUSY);
    for (int i = 0; i < RECORDS_QUEUE_CAPACITY - 1; i++)
        records_put(records, &row, 1);
    row = records_row('d', "Di", 1, 0);
    records_put(records, &row, 1);
    assert_int_equal(records_lost(records), 0);
    records_put(records, &row, 1);
    assert_int_equal(records_lost(records), 1);
    atomic_store(&injected, 0);
    records_close(records);
    assert_int_equal(times_logged(" 1 rows of records were lost"), 1);
    assert_int_equal(records_read(path, 'c').kills, RECORDS_QUEUE_CAPACITY - 1);
    assert_int_equal(records_read(path, 'd').kills, 1);
}

TEST(rows_that_cannot_be_written_at_the_end_are_counted)
{
    struct records *records = open_with_ada("last.db");
    atomic_store(&injected, SQLITE_FULL);
    struct records_row row = records_row('c', "Cy", 1, 0);
    records_put(records, &row, 1);
    records_close(records);
    atomic_store(&injected, 0);
    assert_int_equal(times_logged(" 1 rows of records were lost"), 1);
}

TEST(a_damaged_file_that_cannot_be_renamed_is_tried_again_later)
{
    records_sql(records_path("stuck.db"), "CREATE TABLE players(x)");
    atomic_store(&rename_refusal, EPERM);
    struct records *records = open_at(records_path("stuck.db"));
    put_result(records, "Ada");
    wait_until_logged("it cannot be renamed to");
    wait_until_logged("records cannot be kept in");
    atomic_store(&rename_refusal, 0);
    move_clock(2 * CLOCK_SECOND_NS);
    wait_for_top(records, "Ada");
    records_close(records);
    assert_int_equal(times_logged("a new file replaces it"), 1);
}

TEST(damage_that_cannot_be_put_aside_loses_no_queued_row)
{
    struct records *records = open_with_ada("aside.db");
    atomic_store(&rename_refusal, EPERM);
    atomic_store(&injected, SQLITE_CORRUPT);
    put_result(records, "Ada");
    wait_until_logged("records cannot be kept in");
    atomic_store(&injected, 0);
    atomic_store(&rename_refusal, 0);
    records_close(records);
    assert_int_equal(records_read(path, 'a').kills, 6);
}

static bool is_kept(int number)
{
    char kept[160];
    snprintf(kept, sizeof kept, "%s.damaged-%d", path, number);
    return access(kept, F_OK) == 0;
}

TEST(a_damaged_file_is_kept_and_a_new_one_replaces_it)
{
    FILE *file = fopen(records_path("broken.db"), "w");
    assert_non_null(file);
    for (int i = 0; i < 5000; i++)
        fputs("garbage", file);
    fclose(file);
    struct records *records = open_with_ada("broken.db");
    records_close(records);
    assert_true(is_kept(1));
    assert_int_equal(times_logged("a new file replaces it"), 1);
    assert_int_equal(records_read(path, 'a').kills, 3);
}

// Garbage under an open file, as a failing disk leaves it.
TEST(damage_at_run_time_loses_no_queued_row)
{
    char garbage[4096];
    memset(garbage, 0x5A, sizeof garbage);
    struct records *records = open_with_ada("failing.db");
    records_number(path, "PRAGMA wal_checkpoint(TRUNCATE)");
    FILE *file = fopen(path, "r+");
    for (int page = 0; page < 4; page++)
        fwrite(garbage, 1, sizeof garbage, file);
    fclose(file);
    for (int i = 0; i < 400 && !times_logged("replaces it"); i++, a_moment())
        put_result(records, "Ada");
    wait_until_logged("a new file replaces it");
    put_result(records, "Eve");
    wait_for_top(records, "Eve");
    records_close(records);
    assert_true(is_kept(1));
    assert_int_equal(records_lost(NULL), 0);
}

// A fault that damages a new file before anything is in it would damage the next one too.
TEST(a_replacement_that_is_damaged_at_once_stays)
{
    atomic_store(&injected, SQLITE_CORRUPT);
    struct records *records = open_at(records_path("twice.db"));
    wait_until_logged("records cannot be kept in");
    assert_true(is_kept(1));
    assert_false(is_kept(2));
    atomic_store(&injected, 0);
    put_result(records, "Ada");
    move_clock(2 * CLOCK_SECOND_NS);
    wait_for_top(records, "Ada");
    atomic_store(&injected, SQLITE_CORRUPT); // now there is something in it
    put_result(records, "Ada");
    for (int i = 0; i < 2000 && times_logged("cannot be kept") < 2; i++)
        a_moment();
    assert_true(is_kept(2));
    assert_false(is_kept(3));
    assert_int_equal(times_logged("a new file replaces it"), 2);
    atomic_store(&injected, 0);
    records_close(records);
    assert_int_equal(records_lost(NULL), 0);
    assert_int_equal(records_read(path, 'a').kills, 3);
}

TEST(a_newer_file_is_left_alone_and_answers_say_why)
{
    struct records_answer answer;
    records_sql(records_path("newer.db"), "PRAGMA user_version = 99");
    struct records *records = open_at(records_path("newer.db"));
    put_result(records, "Ada");
    fetch(records, records_player(records, "Ada"), &answer);
    assert_string_equal(answer.text,
                        "The records cannot be read: a newer version of Deadfall made it (format 99; this one "
                        "reads up to 6).\n");
    wait_idle(records);
    records_close(records);
    assert_int_equal(times_logged("records cannot be kept in"), 1);
    assert_int_equal(times_logged("2 rows of records were lost"), 1);
    assert_int_equal(times_logged("written again"), 0);
    assert_int_equal(records_number(path, "PRAGMA user_version"), 99);
    assert_int_equal(records_number(path, "SELECT count(*) FROM sqlite_schema"), 0);
    assert_false(is_kept(1));
}

// The match is examined after each tick, and once more at the end.
TEST(points_earned_in_a_match_are_in_the_file)
{
    static struct map map;
    struct seat_key key = {.local = 0};
    uint32_t name[PLAYER_NAME_BYTES / 4] = {'A'};
    memset(key.identity, 'a', sizeof key.identity);
    test_map_random(&map, 4, 60, 40);
    struct match *match = match_create(
        &(struct match_config){
            .map = &map, .rules = {.mode = MODE_FFA, .seed = 7}, .players_max = 2, .snapshot_rate = 60},
        NULL);
    assert_non_null(match);
    uint32_t slot = roster_reserve(&match->roster, &key, name, 0);
    roster_enter(&match->roster, slot);
    struct command command;
    assert_int_equal(roster_commands(&match->roster, &command, 1), 1);
    assert_true(world_command(&match->world, &match->map, &command));
    match->world.round.phase = ROUND_PLAYING;
    struct records *records = open_at(records_path("match.db"));
    for (uint32_t i = 0; i < 10; i++) {
        records_update(records, match);
        match->world.players[slot].stats.kills++;
    }
    records_close(records);
    assert_int_equal(records_read(path, 'a').kills, 9); // the tenth kill came after the last tick
    assert_int_equal(records_read(path, 'a').played_ticks, 10);
    match_destroy(match);
}

// As another user, because root may write anywhere.
TEST(a_read_only_folder_costs_records_only)
{
    char folder[100];
    snprintf(folder, sizeof folder, "%.99s", records_path("readonly"));
    assert_int_equal(mkdir(folder, 0555), 0);
    chmod(records_path("."), 0755);
    pid_t child = fork();
    if (child == 0) {
        if (getuid() == 0 && setuid(65534) != 0)
            _exit(9);
        snprintf(path, sizeof path, "%s/records.db", folder);
        struct records *records = open_at(path);
        put_result(records, "Ada");
        put_result(records, "Ada");
        wait_until_logged("records cannot be kept in");
        records_close(records);
        _exit(times_logged("records cannot be kept in") == 1 && times_logged("4 rows of records were lost") == 1 ? 0
                                                                                                                 : 1);
    }
    int status;
    waitpid(child, &status, 0);
    assert_int_equal(status, 0);
}

static struct records_player wait_for_own(struct records *records)
{
    struct records_mail mail;
    for (int i = 0; i < 2000; i++, a_moment())
        if (records_take_own(records, &mail))
            return mail.player;
    fail_msg("nobody was looked up: %s", log_text);
    return mail.player;
}

// Both without a key for vouches, and with their rank.
TEST(players_are_looked_up_after_a_match_and_when_asked_for)
{
    struct records *records = open_at(records_path("own.db"));
    struct records_row ada = records_row('a', "Ada", 0, 0), stranger = records_row('s', "", 0, 0);
    struct records_player player;
    struct records_mail mail;
    assert_false(records_take_own(records, &mail));
    put_result(records, "Ada");
    player = wait_for_own(records);
    assert_string_equal(player.name, "Ada");
    assert_int_equal(player.rank, 1);
    assert_int_equal(player.kills, 3);
    player = wait_for_own(records);
    assert_string_equal(player.name, "Bob");
    assert_int_equal(player.rank, 2);
    records_ask_own(records, &stranger.key);
    records_ask_own(records, &ada.key);
    player = wait_for_own(records);
    assert_string_equal(player.name, "Ada");
    assert_false(records_take_own(records, &mail));
    records_close(records);
}

// The match goes on; who asks later has an answer.
TEST(a_flood_of_players_is_looked_up_as_far_as_there_is_room)
{
    struct records *records = open_at(records_path("flood.db"));
    struct records_row ada = records_row('a', "Ada", 0, 0);
    struct records_mail mail;
    uint32_t found = 0;
    put_result(records, "Ada");
    wait_for_own(records);
    wait_for_own(records);
    pthread_mutex_lock(&held);
    records_put(records, &ada, 1); // the thread waits in this
    for (uint32_t i = 0; i < 10 * RECORDS_ASKED_CAPACITY; i++)
        records_ask_own(records, &ada.key);
    pthread_mutex_unlock(&held);
    for (int quiet = 0; quiet < 40; quiet++, a_moment())
        while (records_take_own(records, &mail)) {
            found++;
            quiet = 0;
        }
    assert_in_range(found, 1, 2 * RECORDS_ASKED_CAPACITY);
    records_ask_own(records, &ada.key);
    assert_string_equal(wait_for_own(records).name, "Ada");
    records_close(records);
}

TEST(a_record_is_written_as_far_as_it_fits)
{
    struct records_player player = {.rating = {-123.456, 77.777},
                                    .rank = 3,
                                    .matches = -1,
                                    .wins = 4,
                                    .kills = INT64_MAX,
                                    .deaths = (int64_t)UINT32_MAX + 1,
                                    .squishes = UINT32_MAX,
                                    .catches = 8,
                                    .shots = 9,
                                    .hits = 10,
                                    .played_ticks = (int64_t)TICKS_PER_SECOND * 11 + 1,
                                    .first_seen = 1700000000,
                                    .last_seen = 1800000000,
                                    .best_kills = 12};
    struct record_message record = record_sender_message(&player, "Ada's server");
    struct record_message expected = {3,          -12346, 7778, 0,  4,  12,         UINT32_MAX, UINT32_MAX,
                                      UINT32_MAX, 8,      9,    10, 11, 1700000000, 1800000000, "Ada's server"};
    assert_memory_equal(&record, &expected, offsetof(struct record_message, server_name));
    assert_string_equal(record.server_name, expected.server_name);
    // Any valid name of a server makes a valid message.
    char name[200];
    memset(name, 'n', sizeof name - 1);
    name[sizeof name - 1] = 0;
    memcpy(name + SERVER_NAME_BYTES_MAX - 1, "\xc3\xbc", 2); // a letter across the end
    const char *const names[] = {"", name};
    for (size_t i = 0; i < 2; i++) {
        uint8_t bytes[MESSAGE_BYTES_MAX];
        struct message message = {.kind = MESSAGE_RECORD, .as.record = record_sender_message(&player, names[i])}, read;
        assert_true(message_decode(&read, bytes, message_encode(&message, bytes)));
        assert_int_equal(strlen(read.as.record.server_name), i ? SERVER_NAME_BYTES_MAX - 1 : strlen("Deadfall"));
    }
}

TEST(a_vouch_of_a_trusted_server_is_noted)
{
    static const uint8_t seeds[2][IDENTITY_SEED_BYTES] = {{1}, {2}};
    struct records_player player = {.name = "Ada", .rating = {1611.128, 77.7}, .matches = 12};
    struct option_list nobody = {0}, trust = {.count = 1};
    struct records_vouches other = {0};
    struct records_vouch made;
    struct vouch vouch;
    records_vouches_begin(&other, seeds[0], &nobody);
    records_vouches_sign(&other, &player, noon(), &made);
    assert_true(vouch_read(&vouch, made.bytes, sizeof made.bytes));
    strcpy(trust.values[0], vouch.fingerprint);
    struct records *records = open_at(records_path("vouched.db"));
    file_log.format = LOG_JSON;
    records_begin_vouches(records, seeds[1], &trust);
    records_show_vouch(records, &made.key, made.bytes);
    wait_until_logged("\"name\":\"Ada\"");
    assert_true(times_logged("\"rating\":1611") && times_logged("\"deviation\":77,") && times_logged("\"matches\":12"));
    records_close(records);
}

TEST(without_records_everything_is_harmless)
{
    struct records_answer answer;
    struct settings off = {.records = RECORDS_OFF};
    assert_null(records_begin(&off, NULL));
    records_update(NULL, NULL);
    record_sender_begin(NULL, NULL, NULL);
    record_sender_update(NULL, "", NULL);
    assert_int_equal(records_top(NULL, 5, answer.players), 0);
    assert_int_equal(records_player(NULL, "Ada"), 0);
    assert_int_equal(records_export_csv(NULL, "x"), 0);
    assert_false(records_answer(NULL, 1, &answer));
    records_close(NULL);
}

// A wait by another clock than that of its deadline would return at once, and the thread would spin.
TEST(without_a_clock_or_a_thread_the_log_says_why_records_are_off)
{
    struct settings on = {.records = RECORDS_ON};
    records_close(open_at(records_path("refused.db"))); // for the log
    file_log.unix_time = noon;
    snprintf(on.state_dir, sizeof on.state_dir, "%s", records_path("."));
    clock_refusal = EINVAL;
    assert_null(records_begin(&on, &file_log));
    clock_refusal = 0;
    assert_int_equal(times_logged("no records: Invalid argument"), 1);
    thread_refusal = EAGAIN;
    assert_null(records_begin(&on, &file_log));
    thread_refusal = 0;
    assert_int_equal(times_logged("no records: Resource temporarily unavailable"), 1);
    struct records *records = records_begin(&on, &file_log);
    assert_non_null(records);
    records_close(records);
}

static const char *csv_row(const struct records_player *player)
{
    static char line[600];
    memset(line, 0, sizeof line);
    FILE *out = fmemopen(line, sizeof line, "w");
    assert_true(records_text_csv_row(out, player));
    fclose(out);
    return line;
}

TEST(names_cannot_break_csv)
{
    static const struct {
        const char *name, *cell;
    } rows[] = {
        /* 1 */ {"Ada", "\"Ada\""},
        /* 2 */ {"A,da", "\"A,da\""},
        /* 3 */ {"A\"da\"", "\"A\"\"da\"\"\""},
        /* 4 */ {"A\nda", "\"A\nda\""},
        /* 5 */ {"=1+1", "\"'=1+1\""},
        /* 6 */ {"+1", "\"'+1\""},
        /* 7 */ {"-1", "\"'-1\""},
        /* 8 */ {"@SUM(A1)", "\"'@SUM(A1)\""},
        /* 9 */ {"\t=1", "\"'\t=1\""},
        /* 10 */ {" =1", "\"' =1\""},
        /* 11 */ {"＝1", "\"'＝1\""},
        /* 12 */ {"\r\n=1", "\"'\r\n=1\""},
        /* 13 */ {"", "\"\""},
        /* 14 */ {"a=b", "\"a=b\""},
        /* 15 */ {"＋1", "\"'＋1\""},
        /* 16 */ {"－1", "\"'－1\""},
        /* 17 */ {"＠1", "\"'＠1\""},
        /* 18 */ {"\n=1", "\"'\n=1\""},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct records_player player = {.rating = RATING_INITIAL};
        snprintf(player.name, sizeof player.name, "%s", rows[i].name);
        const char *line = csv_row(&player);
        size_t length = strlen(rows[i].cell);
        if (strncmp(line, rows[i].cell, length) != 0 || line[length] != ',' ||
            strcmp(line + strlen(line) - 2, "\r\n") != 0)
            fail_msg("row %zu: %s", i + 1, line);
    }
}

TEST(lists_end_with_a_whole_line)
{
    struct records_player players[5] = {
        {.name = "Ada", .rank = 1}, {.name = "Bob", .rank = 2}, {.name = "Cy", .rank = 3}};
    char about[1000];
    size_t length = records_text_players(players, 2, about, sizeof about);
    assert_int_equal(length, strlen(about));
    assert_non_null(strstr(about, "Bob, key "));
    assert_int_equal(records_text_players(players, 2, about, length + 1), length);
    assert_true(records_text_players(players, 2, about, length) < length);
    assert_null(strstr(about, "Bob"));
    assert_int_equal(records_text_players(players, 2, about, 10), 0);
    assert_string_equal(about, "");
    length = records_text_players(players, 1, about, sizeof about);
    strcpy(players[1].name, "Bob of a Smithy");
    assert_int_equal(records_text_players(players, 3, about, 2 * length), length); // not Cy without Bob
}

TEST(the_text_about_a_player_has_every_figure)
{
    char text[600], wanted[600], key[FINGERPRINT_TEXT_BYTES];
    struct records_player player = {.name = "Ada",
                                    .rating = {1516.5, 60.25},
                                    .rank = 3,
                                    .matches = 21,
                                    .wins = 4,
                                    .kills = 5,
                                    .deaths = 6,
                                    .squishes = 7,
                                    .catches = 8,
                                    .shots = 9,
                                    .hits = 10,
                                    .played_ticks = (int64_t)TICKS_PER_SECOND * 60 * 185 + 1,
                                    .first_seen = 1700000000,
                                    .last_seen = 1800000000,
                                    .best_kills = 11};
    player.key.local = 1;
    identity_fingerprint(player.key.identity, key);
    records_text_players(&player, 1, text, sizeof text);
    snprintf(wanted, sizeof wanted,
             "Ada, key %s, player 2 at their machine\n"
             "  rating 1517 ±121, number 3 by rating; 21 matches, 4 won\n"
             "  5 kills, 6 deaths, 7 squishes, 8 catches, 9 shots, 10 hits\n"
             "  played 3 h 5 min, from 2023-11-14 to 2027-01-15\n",
             key);
    assert_string_equal(text, wanted);
    snprintf(wanted, sizeof wanted, "\"Ada\",%s,2,1516.50,60.25,21,4,5,6,7,8,9,10,11100,1700000000,1800000000,11\r\n",
             key);
    assert_string_equal(csv_row(&player), wanted);
    player.rank = 0;
    player.matches = 1;
    records_text_players(&player, 1, text, sizeof text);
    assert_non_null(strstr(text, "rating 1517 ±121, no match finished yet; 1 match, 4 won"));
    player.first_seen = INT64_MAX; // no date
    records_text_players(&player, 1, text, sizeof text);
    assert_non_null(strstr(text, "from ? to 2027-01-15"));
}

TEST(csv_that_cannot_be_written_is_reported)
{
    struct records_player player = {.name = "Ada"};
    FILE *out = fopen("/dev/full", "w");
    assert_non_null(out);
    setvbuf(out, NULL, _IONBF, 0);
    assert_false(records_text_csv_header(out));
    assert_false(records_text_csv_row(out, &player));
    fclose(out);
}

static void begin_all(void)
{
    assert_int_equal(pthread_mutex_init(&held, NULL), 0);
}

ALL_TESTS(begin_all, NULL);

// The last test.
TEST(no_lock_is_left)
{
    pthread_mutex_destroy(&held);
    assert_int_equal(lock_check_living(), 0);
}
