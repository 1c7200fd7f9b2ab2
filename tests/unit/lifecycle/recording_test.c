// SPDX-License-Identifier: MIT
//
// Tests how a recording is named, what its operator reads, and what is reported once when the disk ends it.
#include "lifecycle/recording.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "base/file.h"
#include "match/journal.h"
#include "net/impairment.h"
#include "probe.h"
#include "recorded.h"
#include "test.h"
#include "test_folder.h"
#include "test_map.h"

#define NOW 1800000000 // 2027-01-15T08:00:00Z

static struct session session;
static struct recorder *recorder, *journal_recorder;
static struct error error;
static struct map map;
static struct log out;
static char logged[2048];

static void begin(void)
{
    test_folder_make();
    test_map_random(&map, 4, 60, 40);
    memset(map.name, 0, sizeof map.name);
    memcpy(map.name, "arena", 5);
    memset(logged, 0, sizeof logged);
    out = (struct log){.out = fmemopen(logged, sizeof logged, "w"), .level = LOG_INFO};
    setvbuf(out.out, NULL, _IONBF, 0);
    struct match_config config = {
        .map = &map, .rules = {.mode = MODE_FFA, .seed = 7}, .players_max = 8, .snapshot_rate = 60};
    session_begin(&session, &config, &(struct impairment){0}, 1);
    recorder = recorder_open();
    journal_recorder = recorder_open();
    assert_true(recorder && journal_recorder);
}

static void end(void)
{
    recorder_close(journal_recorder, NULL);
    recorder_close(recorder, NULL);
    session_end(&session);
    fclose(out.out);
    test_folder_remove();
}

EACH_TEST(begin, end);

// As the main loop does.
static void report(struct server_health *health, const struct settings *settings, int64_t unix_s)
{
    struct recording_stores stores = {settings, session.match, recorder, journal_recorder};
    recording_report(health, &stores, &out, unix_s);
}

static const struct settings keeps_all;

static bool record(int64_t unix_time)
{
    return recording_begin(session.match, recorder, test_folder_path(""), &keeps_all, unix_time) &&
           recorder_wait(recorder, &error);
}

static bool stop(bool match_is_over)
{
    recording_end(session.match, match_is_over);
    assert_null(session.match->recorder);
    return recorder_finish(recorder, &error);
}

TEST(a_recording_is_named_by_map_and_second_and_a_number)
{
    static const struct {
        int64_t unix_time;
        const char *file;
    } rows[] = {{NOW, "arena-20270115-080000.dfr"},
                {NOW, "arena-20270115-080000-2.dfr"},
                {NOW, "arena-20270115-080000-3.dfr"},
                {0, "arena-19700101-000000.dfr"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        assert_true(record(rows[i].unix_time));
        assert_string_equal(recorded_path(recorder), test_folder_path(rows[i].file));
        session_run(&session, 3);
        assert_true(stop(true));
    }
    assert_true(stop(true)); // there is none
}

static bool file_has(const char *path, const uint8_t *bytes)
{
    size_t byte_count;
    uint8_t *file = file_load(path, 1 << 24, &byte_count);
    assert_non_null(file);
    bool found = memmem(file, byte_count, bytes, DICE_BYTES) != NULL;
    free(file);
    return found;
}

TEST(a_recording_has_the_secret_of_the_dice_only_when_the_match_is_over)
{
    const struct dice *dice = &session.match->dice;
    for (int is_over = 0; is_over <= 1; is_over++) {
        char path[600];
        assert_true(record(NOW));
        snprintf(path, sizeof path, "%s", recorded_path(session.match->recorder));
        do
            session_run(&session, 700);
        while (recorder_backlog_bytes(session.match->recorder) > 0);
        assert_true(file_has(path, dice->commitment));
        assert_false(file_has(path, dice->secret));
        assert_true(stop(is_over));
        assert_true(file_has(path, dice->commitment));
        assert_int_equal(file_has(path, dice->secret), is_over);
    }
}

TEST(an_unwritable_folder_is_an_error)
{
    static const struct {
        const char *folder, *suffix, *fault;
    } rows[] = {{"file", ".dfr", "Not a directory"}, {"no/where", "", "No such file or directory"}};
    test_folder_write("file", "");
    for (int i = 0; i < 2; i++) {
        const char *path = test_folder_path(rows[i].folder);
        char wanted[700];
        assert_true(recording_begin(session.match, recorder, path, &keeps_all, NOW));
        assert_false(recorder_wait(recorder, &error));
        snprintf(wanted, sizeof wanted, "cannot record into %s/arena-20270115-080000%s: %s", path, rows[i].suffix,
                 rows[i].fault);
        assert_string_equal(error.text, wanted);
        recording_end(session.match, false);
    }
}

// A disk fault during a recording: the recorder's thread finds that its file cannot grow (RLIMIT_FSIZE).
static void fill_the_disk(bool full)
{
    struct rlimit limit;
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &limit), 0);
    limit.rlim_cur = full ? 0 : limit.rlim_max;
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
}

TEST(a_fault_is_reported_once_and_again_for_the_next_recording)
{
    struct server_health health = {0};
    static const struct settings settings = {.record = "off"};
    report(&health, &settings, NOW);
    assert_string_equal(logged, "");
    for (int round = 1; round <= 2; round++) {
        assert_true(record(NOW));
        report(&health, &settings, NOW);
        fill_the_disk(true);
        for (int i = 0; i < 5000 && !recorded_fault(session.match->recorder); i++)
            session_run(&session, 1);
        fill_the_disk(false);
        report(&health, &settings, NOW);
        report(&health, &settings, NOW);
        assert_false(stop(true));
        assert_non_null(strstr(error.text, "the recording ends here: File too large"));
        report(&health, &settings, NOW);
    }
    const char *first = strstr(logged, "the recording ends here: File too large");
    assert_non_null(first);
    const char *second = strstr(first + 1, "the recording ends here");
    assert_non_null(second);
    assert_null(strstr(second + sizeof "the recording ends here", "ends here"));
    assert_null(strstr(logged, "survive"));
    assert_int_equal(health.stores[STORE_RECORDING].failures, 2);
    assert_false(health.stores[STORE_RECORDING].wanted);
}

TEST(health_follows_each_store)
{
    struct server_health health = {0};
    struct settings settings = {.record = "off", .resume = RESUME_NEVER};
    struct store_health *recording = &health.stores[STORE_RECORDING], *journal = &health.stores[STORE_JOURNAL];
    report(&health, &settings, NOW);
    assert_false(recording->wanted || journal->wanted || recording->failures || journal->failures);
    settings = (struct settings){.record = "somewhere", .resume = RESUME_AUTO}; // neither could be begun
    report(&health, &settings, NOW);
    report(&health, &settings, NOW);
    assert_true(recording->wanted && journal->wanted && !recording->up && !journal->up);
    assert_true(recording->failures == 1 && journal->failures == 1 && recording->success_s == 0);
    assert_true(record(NOW));
    report(&health, &settings, NOW + 5);
    assert_true(recording->up && recording->failures == 1 && recording->success_s == NOW + 5 && !journal->up);
    report(&health, &settings, NOW + 6); // nothing was synced since
    assert_int_equal(recording->success_s, NOW + 5);
    for (int i = 0; i < 5000 && recording->success_s != NOW + 7; i++) {
        session_run(&session, 1);
        report(&health, &settings, NOW + 7);
    }
    assert_int_equal(recording->success_s, NOW + 7);
    assert_true(stop(true));
    char wanted[120];
    snprintf(wanted, sizeof wanted, "info: recording to %s/arena-20270115-080000.dfr\n", test_folder_path(""));
    assert_string_equal(logged, wanted);
}

TEST(a_fault_of_the_journal_is_reported_once)
{
    struct server_health health = {0};
    static const struct settings settings = {.record = "off"};
    assert_true(recorder_begin_at(journal_recorder, test_folder_path("journal.dfr"), &session.match->map,
                                  &session.match->world));
    assert_true(recorder_wait(journal_recorder, &error));
    session.match->journal = journal_recorder;
    fill_the_disk(true);
    for (int i = 0; i < 5000 && !recorded_fault(session.match->journal); i++)
        session_run(&session, 1);
    fill_the_disk(false);
    report(&health, &settings, NOW);
    const char *line = strstr(logged, "the match cannot be restored after a crash: ");
    assert_non_null(line);
    report(&health, &settings, NOW);
    assert_null(strstr(line + 1, "the match cannot"));
    session.match->journal = NULL;
}
