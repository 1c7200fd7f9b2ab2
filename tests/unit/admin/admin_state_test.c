// SPDX-License-Identifier: MIT
//
// Tests what a server keeps in its state directory: a lock for one server, bans that are never lost, and an audit log
// that a full disk does not stop.
#include "admin/admin_state.h"
#include "test.h"
#include "test_folder.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

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
    test_folder_make();
    settings = (struct settings){.resume = RESUME_AUTO};
    snprintf(settings.state_dir, sizeof settings.state_dir, "%s", test_folder_path(""));
    out = (struct log){.out = open_memstream(&logged, &logged_bytes), .level = LOG_INFO};
    admin = other = (struct admin_state){.settings = &settings, .log = &out, .unix_time = noon};
    assert_true(out.out);
}

static void end(void)
{
    fclose(out.out);
    free(logged);
    test_folder_remove();
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

// The limit of a file's size in bytes stands for a full disk.
static void limit_files(rlim_t bytes)
{
    struct rlimit limit;
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &limit), 0);
    limit.rlim_cur = bytes < limit.rlim_max ? bytes : limit.rlim_max;
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
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
    static const char faulty[] = "192.0.2.1 never\nnonsense\n";
    char answer[ADMIN_STATE_ANSWER_BYTES];
    test_folder_write("bans", faulty);
    settings.resume = RESUME_NEVER;
    assert_int_equal(admin_state_open(&admin), EXIT_OK);
    assert_int_equal(admin.bans.count, 1);
    assert_int_equal(
        times_logged("bans:2: this line does not begin with a key or an address; the other 1 bans are in force"), 1);
    assert_false(save_bans(&admin, answer));
    assert_string_equal(test_folder_read("bans"), faulty);
    admin_state_audit(&admin, "socket", "bots 3", true, "changed");
    assert_int_not_equal(access(test_folder_path("audit.log"), F_OK), 0);
}

TEST(bans_that_cannot_be_read_are_not_overwritten)
{
    char answer[ADMIN_STATE_ANSWER_BYTES];
    assert_int_equal(mkdir(test_folder_path("bans"), 0700), 0);
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
    assert_int_equal(admin_state_open(&admin), EXIT_OK);
    ban("192.0.2.1");
    assert_true(save_bans(&admin, answer));
    ban("192.0.2.2");
    limit_files(0);
    assert_false(save_bans(&admin, answer));
    limit_files(RLIM_INFINITY);
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
    char answer[ADMIN_STATE_ANSWER_BYTES];
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
    assert_non_null(strstr(test_folder_read("bans"), "192.0.2.3 never\n"));
    worker_close(worker);
    close(tap[0]);
    close(tap[1]);
}

TEST(recordings_have_a_folder_where_something_is_kept)
{
    char path[ADMIN_STATE_PATH_BYTES] = "";
    strcpy(settings.record, "/some/where");
    assert_true(admin_state_record_folder(&admin, path)); // named
    assert_string_equal(path, "/some/where");
    strcpy(settings.record, "off");
    assert_false(admin_state_record_folder(&admin, path)); // keeps nothing
    assert_int_equal(admin_state_open(&admin), EXIT_OK);
    assert_true(admin_state_record_folder(&admin, path));
    assert_string_equal(path, test_folder_path("replays"));
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
    client.identity[IDENTITY_BYTES - 1] ^= 0x80; // by which an older version knew them
    identity_fingerprint(client.identity, settings.admin_keys.values[1]);
    client.identity[IDENTITY_BYTES - 1] ^= 0x80;
    assert_true(admin_state_is_admin(&admin, &client));
}

TEST(a_line_of_the_audit_log_cannot_be_forged)
{
    assert_int_equal(admin_state_open(&admin), EXIT_OK);
    admin_state_audit(&admin, "socket", "say a\nb\x1b[2J", true, "Sent to everyone.");
    admin_state_audit(&admin, "socket", "bans", false, "No.");
    assert_string_equal(test_folder_read("audit.log"),
                        "2027-01-15T08:00:00Z socket done: say ab[2J -> Sent to everyone.\n"
                        "2027-01-15T08:00:00Z socket refused: bans -> No.\n");
}

TEST(a_full_disk_is_logged_once_until_there_is_room)
{
    assert_int_equal(admin_state_open(&admin), EXIT_OK);
    limit_files(0);
    for (uint32_t i = 0; i < 3; i++)
        admin_state_audit(&admin, "socket", "bans", true, "lost");
    limit_files(RLIM_INFINITY);
    assert_int_equal(times_logged("cannot be written"), 1);
    admin_state_audit(&admin, "socket", "bans", true, "kept");
    assert_string_equal(test_folder_read("audit.log"), "2027-01-15T08:00:00Z socket done: bans -> kept\n");
}

TEST(a_faulty_list_is_put_aside_and_its_good_bans_written)
{
    static const char faulty[] = "192.0.2.1 never\nnonsense\n192.0.2.2 never cheating\n";
    test_folder_write("bans", faulty);
    assert_int_equal(admin_state_open(&admin), EXIT_OK);
    assert_int_equal(times_logged("the other 2 bans are in force; the file is kept as "), 1);
    assert_string_equal(test_folder_read("bans.aside"), faulty);
    const char *text = test_folder_read("bans");
    assert_null(strstr(text, "nonsense"));
    assert_non_null(strstr(text, "\n192.0.2.1 never\n192.0.2.2 never cheating\n"));
}

TEST(each_new_failure_of_the_audit_log_is_logged)
{
    assert_int_equal(admin_state_open(&admin), EXIT_OK);
    for (uint32_t round = 1; round <= 2; round++) {
        const char *path = test_folder_path("audit.log");
        assert_int_equal(mkdir(path, 0700), 0); // so that no file can be created there
        admin_state_audit(&admin, "socket", "bans", true, "lost");
        admin_state_audit(&admin, "socket", "bans", true, "lost");
        assert_int_equal(times_logged("cannot be written: Is a directory"), round);
        assert_int_equal(rmdir(path), 0);
        admin_state_audit(&admin, "socket", "bans", true, "kept");
        assert_int_equal(rename(path, test_folder_path("audit.old")), 0);
    }
}

// The line after 1 MiB begins another file, and five old ones are kept.
TEST(the_audit_log_begins_another_file_when_it_is_large)
{
    char name[40];
    assert_int_equal(admin_state_open(&admin), EXIT_OK);
    for (int round = 0; round < 8; round++) {
        snprintf(name, sizeof name, "round %d", round);
        admin_state_audit(&admin, "socket", name, true, "");
        assert_non_null(strstr(test_folder_read("audit.log"), name));
        assert_int_equal(truncate(test_folder_path("audit.log"), (1 << 20) - 1), 0);
        admin_state_audit(&admin, "socket", "fits", true, "");
    }
    for (int number = 1; number <= 6; number++) {
        snprintf(name, sizeof name, "audit.log.%d", number);
        assert_int_equal(access(test_folder_path(name), F_OK), number <= 5 ? 0 : -1);
    }
    assert_non_null(strstr(test_folder_read("audit.log.5"), "round 2"));
}

TEST(an_impossible_state_directory_has_an_exit_code)
{
    test_folder_write("file", "");
    snprintf(settings.state_dir, sizeof settings.state_dir, "%s", test_folder_path("file"));
    assert_int_equal(admin_state_open(&admin), EXIT_UNAVAILABLE);
    assert_int_equal(times_logged("the state directory cannot be locked by "), 1);
    assert_false(admin.keeps);
}

// Another server on the same folder; returns whether it gets the lock, and why not.
static bool other_takes(const char *path, char *why, size_t why_bytes)
{
    int answers[2], status;
    assert_int_equal(pipe(answers), 0);
    pid_t child = fork();
    if (child == 0) {
        struct error error = {0};
        bool taken = admin_state_lock(path, &error);
        ssize_t written = write(answers[1], error.text, strlen(error.text));
        _exit(taken && written == 0 ? 0 : 1);
    }
    close(answers[1]);
    ssize_t length = read(answers[0], why, why_bytes - 1);
    why[length > 0 ? length : 0] = '\0';
    close(answers[0]);
    assert_int_equal(waitpid(child, &status, 0), child);
    return WEXITSTATUS(status) == 0;
}

TEST(the_first_server_keeps_the_lock_and_is_named_to_the_next)
{
    struct error error;
    struct stat facts;
    const char *path = test_folder_path("in/new/folders/lock");
    char why[ERROR_TEXT_BYTES], wanted[40];
    assert_true(other_takes(path, why, sizeof why)); // and it has ended
    assert_true(admin_state_lock(path, &error));
    assert_false(other_takes(path, why, sizeof why));
    snprintf(wanted, sizeof wanted, "another server (process %ld)", (long)getpid());
    assert_non_null(strstr(why, wanted));
    assert_non_null(strstr(why, "in/new/folders/lock"));
    assert_int_equal(stat(path, &facts), 0);
    assert_int_equal(facts.st_mode & 0777, 0600);
    snprintf(wanted, sizeof wanted, "%ld\n", (long)getpid());
    assert_string_equal(test_folder_read("in/new/folders/lock"), wanted);
}

static int open_files(void)
{
    int count = 0;
    for (int file = 0; file < 256; file++)
        count += fcntl(file, F_GETFD) >= 0;
    return count;
}

TEST(a_refused_lock_leaves_no_file_open)
{
    struct error error;
    assert_true(admin_state_lock(test_folder_path("lock"), &error));
    int before = open_files();
    for (int i = 0; i < 3; i++)
        assert_false(admin_state_lock(test_folder_path("lock"), &error));
    assert_int_equal(open_files(), before);
}

TEST(the_lock_names_only_its_holder)
{
    char wanted[30];
    test_folder_write("lock", "12345678901234567890\nmore\n"); // from a server that has died
    assert_int_equal(admin_state_open(&admin), EXIT_OK);
    snprintf(wanted, sizeof wanted, "%ld\n", (long)getpid());
    assert_string_equal(test_folder_read("lock"), wanted);
}

TEST(a_file_that_cannot_be_a_lock_is_an_error)
{
    struct error error;
    assert_int_equal(mkdir(test_folder_path("lock"), 0700), 0);
    assert_false(admin_state_lock(test_folder_path("lock"), &error));
    assert_non_null(strstr(error.text, "/lock: Is a directory"));
    assert_int_equal(symlink("/dev/null", test_folder_path("link")), 0);
    assert_false(admin_state_lock(test_folder_path("link"), &error)); // somebody else may have put it there
    assert_non_null(strstr(error.text, "/link: Too many levels of symbolic links"));
}
