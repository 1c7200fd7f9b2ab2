// SPDX-License-Identifier: MIT
//
// Tests which match a server restores, what happens to all others, and what a power loss or a failing disk leaves.
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "disk_calls.h"
#include "lifecycle/crash_recovery.h"
#include "net/impairment.h"
#include "probe.h"
#include "sync/world.h"
#include "test.h"
#include "test_folder.h"
#include "test_map.h"

static struct settings settings;
static struct session session;
static struct map map;
static struct journal_end last;
static struct recorder *journal;
static struct log out;
static char logged[4096];

static void begin(void)
{
    test_folder_make();
    settings = (struct settings){.resume = RESUME_AUTO, .map = "duel", .mode = MODE_FFA};
    snprintf(settings.state_dir, sizeof settings.state_dir, "%s", test_folder_path(""));
    memset(logged, 0, sizeof logged);
    out = (struct log){.out = fmemopen(logged, sizeof logged, "w"), .level = LOG_INFO};
    setvbuf(out.out, NULL, _IONBF, 0);
    test_map_random(&map, 4, 60, 40);
    struct match_config config = {
        .map = &map, .rules = {.mode = MODE_FFA, .seed = 7}, .players_max = 8, .snapshot_rate = 60};
    session_begin(&session, &config, &(struct impairment){0}, 1);
    journal = recorder_open();
    assert_non_null(journal);
}

static void end(void)
{
    recorder_close(journal, NULL);
    session_end(&session);
    fclose(out.out);
    test_folder_remove();
}

EACH_TEST(begin, end);

static bool is_there(const char *file)
{
    return access(test_folder_path(file), F_OK) == 0;
}

// One run of a server: it plays for some ticks and then dies or ends.
static void live(uint32_t ticks, bool keep)
{
    crash_recovery_begin(&settings, session.match, journal, &out);
    session_run(&session, ticks);
    crash_recovery_end(&settings, session.match, &out, keep);
}

TEST(a_match_is_restored_with_the_same_map_and_mode)
{
    assert_false(crash_recovery_find(&settings, &out, &last));
    live(30, true);
    settings.bots = 3; // may change
    assert_true(crash_recovery_find(&settings, &out, &last));
    assert_int_equal(last.world.tick, 30);
    assert_true(world_hash(&last.world) == world_hash(&session.match->world));
    assert_string_equal(logged, "");
}

TEST(a_match_with_another_map_or_mode_is_put_aside)
{
    live(5, true);
    settings.mode = MODE_LMS;
    assert_false(crash_recovery_find(&settings, &out, &last));
    assert_non_null(strstr(logged, "the last server had another map or mode; a new match begins, the old one "
                                   "is kept as "));
    assert_true(is_there("journal.dfr.aside") && !is_there("journal.dfr"));
    live(5, true);
    assert_true(crash_recovery_find(&settings, &out, &last));
    snprintf(settings.map, sizeof settings.map, "foundry");
    assert_false(crash_recovery_find(&settings, &out, &last));
}

// A server that ends as planned may have published the secret in a recording.
TEST(a_match_goes_on_with_the_same_dice_only_after_a_crash)
{
    struct dice dice = session.match->dice;
    crash_recovery_begin(&settings, session.match, journal, &out);
    do
        session_run(&session, 60);
    while (recorder_backlog_bytes(session.match->journal) > 0);
    assert_true(crash_recovery_find(&settings, &out, &last)); // as if the server were killed now
    assert_true(last.has_secret);
    memset(&session.match->dice, 0, sizeof dice);
    journal_restore(session.match, &last);
    assert_memory_equal(&session.match->dice, &dice, sizeof dice);
    crash_recovery_end(&settings, session.match, &out, true);
    assert_true(crash_recovery_find(&settings, &out, &last));
    assert_false(last.has_secret);
    memset(&session.match->dice, 0x11, sizeof dice);
    journal_restore(session.match, &last);
    assert_int_equal(session.match->dice.secret[0], 0x11);
}

TEST(a_finished_match_leaves_no_journal)
{
    live(5, false);
    assert_null(session.match->journal);
    assert_false(is_there("journal.dfr"));
    assert_false(crash_recovery_find(&settings, &out, &last));
    assert_string_equal(logged, "");
}

TEST(a_faulty_journal_is_put_aside_with_the_reason)
{
    test_folder_write("journal.dfr", "no journal at all");
    assert_false(crash_recovery_find(&settings, &out, &last));
    assert_non_null(strstr(logged, "journal.dfr cannot be restored: "));
    assert_non_null(strstr(logged, "; a new match begins, the old one is kept as "));
    assert_true(is_there("journal.dfr.aside") && !is_there("journal.dfr"));
}

TEST(a_server_that_never_resumes_neither_reads_nor_writes)
{
    live(5, true);
    settings.resume = RESUME_NEVER;
    assert_false(crash_recovery_find(&settings, &out, &last));
    assert_true(is_there("journal.dfr"));
    crash_recovery_begin(&settings, session.match, journal, &out);
    assert_null(session.match->journal);
    crash_recovery_end(&settings, session.match, &out, false);
    assert_true(is_there("journal.dfr"));
    assert_string_equal(logged, "");
}

// After a power loss a file is there only if it was synced before the rename, and its folder after it.
TEST(journal_for_is_synced_before_the_journal_begins)
{
    disk_calls_begin();
    crash_recovery_begin(&settings, session.match, journal, &out);
    if (strncmp(disk_calls.made, "wsrd", 4) != 0)
        fail_msg("written, synced, moved, folder synced? %s", disk_calls.made);
    crash_recovery_end(&settings, session.match, &out, true);
    disk_calls_begin();
    crash_recovery_begin(&settings, session.match, journal, &out); // the file already says so
    assert_null(strchr(disk_calls.made, 'w'));
    crash_recovery_end(&settings, session.match, &out, true);
}

TEST(a_failing_disk_costs_only_crash_recovery)
{
    static const char kinds[] = "owscr";
    for (const char *kind = kinds; *kind; kind++) {
        test_folder_write("journal.for", "another");
        memset(logged, 0, sizeof logged);
        rewind(out.out);
        disk_calls_begin();
        disk_calls.refused = *kind;
        disk_calls.reason = ENOSPC;
        crash_recovery_begin(&settings, session.match, journal, &out);
        disk_calls.refused = 0;
        if (!strstr(logged, "the match cannot be restored after a crash: ") ||
            !strstr(logged, "No space left on device"))
            fail_msg("refused %c: %s", *kind, logged);
        session_run(&session, 5);
        crash_recovery_end(&settings, session.match, &out, true);
        assert_false(crash_recovery_find(&settings, &out, &last));
    }
}

TEST(without_a_state_directory_there_is_a_warning_and_no_journal)
{
    snprintf(settings.state_dir, sizeof settings.state_dir, "%s", test_folder_path("nowhere"));
    crash_recovery_begin(&settings, session.match, journal, &out);
    assert_null(session.match->journal);
    assert_non_null(strstr(logged, "the match cannot be restored after a crash: "));
}
