// SPDX-License-Identifier: MIT
//
// Tests what a server keeps in its state directory: a lock for one server, bans that are never lost, and an audit log
// that a full disk does not stop.
#include "admin/admin_state.h"
#include "test.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[40];
static struct admin_state admin, other;
static struct settings settings;
static struct log out;
static char *logged;
static size_t logged_bytes;

static int64_t noon(void)
{
    return 1800000000;
}

static void begin(void)
{
    strcpy(folder, "/tmp/desk_test_XXXXXX");
    assert_non_null(mkdtemp(folder));
    settings = (struct settings){.resume = RESUME_AUTO};
    snprintf(settings.state_dir, sizeof settings.state_dir, "%s", folder);
    out = (struct log){.out = open_memstream(&logged, &logged_bytes), .level = LOG_INFO};
    admin = other = (struct admin_state){.settings = &settings, .log = &out, .unix_time = noon};
    assert_true(out.out);
}

static void end(void)
{
    char command[80];
    fclose(out.out);
    free(logged);
    snprintf(command, sizeof command, "rm -r %s", folder);
    assert_int_equal(system(command), 0);
}

EACH_TEST(begin, end);

static uint32_t times_logged(const char *words)
{
    uint32_t count = 0;
    fflush(out.out);
    for (const char *at = logged; (at = strstr(at, words)); at++)
        count++;
    return count;
}

static void path_of(const char *file, char path[80])
{
    snprintf(path, 80, "%s/%s", folder, file);
}

static void read_text(const char *file, char text[4096])
{
    char path[80];
    path_of(file, path);
    FILE *opened = fopen(path, "r");
    assert_non_null(opened);
    text[fread(text, 1, 4095, opened)] = 0;
    fclose(opened);
}

TEST(a_state_directory_belongs_to_one_server)
{
    assert_int_equal(admin_state_open(&admin), EXIT_OK);
    assert_true(admin.keeps);
    assert_int_equal(admin_state_open(&other), EXIT_UNAVAILABLE);
    assert_int_equal(times_logged("another server (process "), 1);
    settings.resume = RESUME_NEVER;
    assert_int_equal(admin_state_open(&other), EXIT_OK);
    assert_false(other.keeps);
}

// Without a worker the bans are written at once.
static bool save_bans(struct admin_state *of, char answer[ADMIN_STATE_ANSWER_BYTES])
{
    enum ban_saving saving = admin_state_saved_bans(of, admin_state_save_bans(of), answer);
    assert_int_not_equal(saving, BANS_PENDING);
    return saving == BANS_SAVED;
}

TEST(a_server_without_a_state_obeys_bans_and_writes_none)
{
    char path[80], before[4096], after[4096], answer[ADMIN_STATE_ANSWER_BYTES];
    path_of("bans", path);
    FILE *file = fopen(path, "w");
    fputs("192.0.2.1 never\nnonsense\n", file);
    fclose(file);
    settings.resume = RESUME_NEVER;
    assert_int_equal(admin_state_open(&admin), EXIT_OK);
    assert_int_equal(admin.bans.count, 1);
    assert_int_equal(
        times_logged("bans:2: this line does not begin with a key or an address; the other 1 bans are in force"), 1);
    read_text("bans", before);
    assert_false(save_bans(&admin, answer));
    read_text("bans", after);
    assert_string_equal(before, after);
    admin_state_audit(&admin, "socket", "bots 3", true, "changed");
    path_of("audit.log", path);
    assert_null(fopen(path, "r"));
}

TEST(bans_that_cannot_be_read_are_not_overwritten)
{
    char path[80], answer[ADMIN_STATE_ANSWER_BYTES];
    path_of("bans", path);
    assert_int_equal(mkdir(path, 0700), 0);
    assert_int_equal(admin_state_open(&admin), EXIT_OK);
    assert_int_equal(times_logged("cannot be read: Is a directory; nobody is banned"), 1);
    assert_false(save_bans(&admin, answer));
    assert_string_equal(answer,
                        "That lasts only until this server ends: the file of bans could not be read, so it is not "
                        "overwritten.");
}

static void ban(const char *target)
{
    struct ban ban = {.until = BAN_FOREVER};
    assert_true(ban_target_parse(target, &ban.target));
    assert_true(ban_list_add(&admin.bans, &ban, noon()));
}

TEST(saved_bans_are_read_by_the_next_server)
{
    char answer[ADMIN_STATE_ANSWER_BYTES];
    struct rlimit limit;
    assert_int_equal(admin_state_open(&admin), EXIT_OK);
    ban("192.0.2.1");
    assert_true(save_bans(&admin, answer));
    ban("192.0.2.2");
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &limit), 0);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &(struct rlimit){.rlim_cur = 0, .rlim_max = limit.rlim_max}), 0);
    assert_false(save_bans(&admin, answer));
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
    assert_string_equal(answer, "That lasts only until this server ends: File too large.");
    settings.resume = RESUME_NEVER;
    assert_int_equal(admin_state_open(&other), EXIT_OK);
    assert_int_equal(other.bans.count, 1);
    assert_false(save_bans(&other, answer));
    assert_string_equal(answer, "That lasts only until this server ends: it was started with --resume never and keeps "
                                "nothing.");
}

// Holds up the worker until the test writes to a pipe.
static int tap[2];

static void wait_for_test(struct worker_job *job)
{
    char byte;
    (void)job;
    assert_int_equal(read(tap[0], &byte, 1), 1);
}

TEST(bans_wait_for_the_disk_and_nobody_waits_for_them)
{
    char answer[ADMIN_STATE_ANSWER_BYTES], text[4096];
    struct worker_job job = {.run = wait_for_test};
    struct worker *worker = worker_open();
    assert_int_equal(pipe(tap), 0);
    assert_int_equal(admin_state_open(&admin), EXIT_OK);
    admin.ban_file.worker = worker;
    worker_ask(worker, &job);
    ban("192.0.2.1");
    uint64_t first = admin_state_save_bans(&admin);
    ban("192.0.2.2");
    ban("192.0.2.3");
    uint64_t last = admin_state_save_bans(&admin);
    assert_int_equal(admin_state_saved_bans(&admin, first, answer), BANS_PENDING);
    assert_int_equal(write(tap[1], "", 1), 1);
    worker_wait(worker);
    ban_file_update(&admin.ban_file);
    assert_int_equal(admin_state_saved_bans(&admin, first, answer), BANS_SAVED);
    assert_int_equal(admin_state_saved_bans(&admin, last, answer), BANS_PENDING);
    worker_wait(worker);
    ban_file_update(&admin.ban_file);
    assert_int_equal(admin_state_saved_bans(&admin, last, answer), BANS_SAVED);
    read_text("bans", text);
    assert_non_null(strstr(text, "192.0.2.3 never\n"));
    worker_close(worker);
    close(tap[0]);
    close(tap[1]);
}

TEST(recordings_have_a_folder_where_something_is_kept)
{
    char path[ADMIN_STATE_PATH_BYTES] = "", wanted[ADMIN_STATE_PATH_BYTES];
    strcpy(settings.record, "/some/where");
    assert_true(admin_state_record_folder(&admin, path)); // named
    assert_string_equal(path, "/some/where");
    strcpy(settings.record, "off");
    assert_false(admin_state_record_folder(&admin, path)); // keeps nothing
    assert_int_equal(admin_state_open(&admin), EXIT_OK);
    assert_true(admin_state_record_folder(&admin, path));
    snprintf(wanted, sizeof wanted, "%s/replays", folder);
    assert_string_equal(path, wanted);
}

TEST(each_of_several_keys_is_an_admins)
{
    struct net_client client = {.identity = {7}};
    identity_fingerprint(client.identity, settings.admin_keys.values[1]);
    strcpy(settings.admin_keys.values[0], "abcdefghijklmnopqrstuvwxyz234567");
    settings.admin_keys.count = 1;
    assert_false(admin_state_is_admin(&admin, &client));
    settings.admin_keys.count = 2;
    assert_true(admin_state_is_admin(&admin, &client));
}

TEST(a_line_of_the_audit_log_cannot_be_forged)
{
    char text[4096];
    assert_int_equal(admin_state_open(&admin), EXIT_OK);
    admin_state_audit(&admin, "socket", "say a\nb\x1b[2J", true, "Sent to everyone.");
    admin_state_audit(&admin, "socket", "bans", false, "No.");
    read_text("audit.log", text);
    assert_string_equal(text, "2027-01-15T08:00:00Z socket done: say ab[2J -> Sent to everyone.\n"
                              "2027-01-15T08:00:00Z socket refused: bans -> No.\n");
}

TEST(a_full_disk_is_logged_once_until_there_is_room)
{
    char text[4096];
    struct rlimit limit;
    assert_int_equal(admin_state_open(&admin), EXIT_OK);
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &limit), 0);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &(struct rlimit){.rlim_cur = 0, .rlim_max = limit.rlim_max}), 0);
    for (uint32_t i = 0; i < 3; i++)
        admin_state_audit(&admin, "socket", "bans", true, "lost");
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
    assert_int_equal(times_logged("cannot be written"), 1);
    admin_state_audit(&admin, "socket", "bans", true, "kept");
    read_text("audit.log", text);
    assert_string_equal(text, "2027-01-15T08:00:00Z socket done: bans -> kept\n");
}

TEST(a_faulty_list_is_put_aside_and_its_good_bans_written)
{
    static const char faulty[] = "192.0.2.1 never\nnonsense\n192.0.2.2 never cheating\n";
    char path[80], text[4096];
    path_of("bans", path);
    FILE *file = fopen(path, "w");
    fputs(faulty, file);
    fclose(file);
    assert_int_equal(admin_state_open(&admin), EXIT_OK);
    assert_int_equal(times_logged("the other 2 bans are in force; the file is kept as "), 1);
    read_text("bans.aside", text);
    assert_string_equal(text, faulty);
    read_text("bans", text);
    assert_null(strstr(text, "nonsense"));
    assert_non_null(strstr(text, "\n192.0.2.1 never\n192.0.2.2 never cheating\n"));
}

TEST(each_new_failure_of_the_audit_log_is_logged)
{
    char path[80], aside[80];
    assert_int_equal(admin_state_open(&admin), EXIT_OK);
    path_of("audit.log", path);
    path_of("audit.old", aside);
    for (uint32_t round = 1; round <= 2; round++) {
        assert_int_equal(mkdir(path, 0700), 0); // so that no file can be created there
        admin_state_audit(&admin, "socket", "bans", true, "lost");
        admin_state_audit(&admin, "socket", "bans", true, "lost");
        assert_int_equal(times_logged("cannot be written: Is a directory"), round);
        assert_int_equal(rmdir(path), 0);
        admin_state_audit(&admin, "socket", "bans", true, "kept");
        assert_int_equal(rename(path, aside), 0);
    }
}

// The line after 1 MiB begins another file, and five old ones are kept.
TEST(the_audit_log_begins_another_file_when_it_is_large)
{
    char path[80], old[100], text[4096], line[40];
    struct stat facts;
    assert_int_equal(admin_state_open(&admin), EXIT_OK);
    path_of("audit.log", path);
    for (int round = 0; round < 8; round++) {
        snprintf(line, sizeof line, "round %d", round);
        admin_state_audit(&admin, "socket", line, true, "");
        read_text("audit.log", text);
        assert_non_null(strstr(text, line));
        assert_int_equal(truncate(path, (1 << 20) - 1), 0);
        admin_state_audit(&admin, "socket", "fits", true, "");
    }
    for (int number = 1; number <= 6; number++) {
        snprintf(old, sizeof old, "%s.%d", path, number);
        assert_int_equal(stat(old, &facts), number <= 5 ? 0 : -1);
    }
    read_text("audit.log.5", text);
    assert_non_null(strstr(text, "round 2"));
    for (int number = 1; number <= 5; number++) {
        snprintf(old, sizeof old, "%s.%d", path, number);
        unlink(old);
    }
}

TEST(an_impossible_state_directory_has_an_exit_code)
{
    char path[80];
    path_of("file", path);
    fclose(fopen(path, "w"));
    snprintf(settings.state_dir, sizeof settings.state_dir, "%s", path);
    assert_int_equal(admin_state_open(&admin), EXIT_UNAVAILABLE);
    assert_int_equal(times_logged("the state directory cannot be locked by "), 1);
    assert_false(admin.keeps);
}

TEST(the_lock_names_only_its_holder)
{
    char path[80], text[4096], wanted[30];
    path_of("lock", path);
    FILE *file = fopen(path, "w");
    fputs("12345678901234567890\n", file); // from a server that has died
    fclose(file);
    assert_int_equal(admin_state_open(&admin), EXIT_OK);
    read_text("lock", text);
    snprintf(wanted, sizeof wanted, "%ld\n", (long)getpid());
    assert_string_equal(text, wanted);
}
