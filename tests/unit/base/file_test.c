// SPDX-License-Identifier: MIT
#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "test.h"

static char folder[64], path[128];
static char bytes[100000];
static size_t count;

// Records the calls to the file system, in order. The test is linked with these functions in place of the C library's.
// They fail on demand, and change errno where they may.
static char calls[64];
static int fsync_fails_at, fsync_fault; // the number of the call that fails, 0: none; errno of it
static bool close_fails, is_slow;       // the next close(); reads and writes of 1,000 bytes at most, some interrupted
static uint32_t transfers;
static uint32_t dies_at; // the number of the call before which the process is killed; 0: none

int __real_fsync(int file);
int __wrap_fsync(int file);
int __real_rename(const char *from, const char *to);
int __wrap_rename(const char *from, const char *to);
int __real_close(int file);
int __wrap_close(int file);
int __real_unlink(const char *name);
int __wrap_unlink(const char *name);
ssize_t __real_read(int file, void *target, size_t size);
ssize_t __wrap_read(int file, void *target, size_t size);
ssize_t __real_write(int file, const void *source, size_t size);
ssize_t __wrap_write(int file, const void *source, size_t size);

static void live(void)
{
    if (dies_at && --dies_at == 0)
        raise(SIGKILL);
}

static void note(const char *call)
{
    live();
    strncat(calls, call, sizeof calls - strlen(calls) - 1);
}

int __wrap_fsync(int file)
{
    struct stat status;
    assert_int_equal(fstat(file, &status), 0);
    note(S_ISDIR(status.st_mode) ? "sync-folder " : "sync ");
    if (fsync_fails_at && --fsync_fails_at == 0) {
        errno = fsync_fault;
        return -1;
    }
    return __real_fsync(file);
}

int __wrap_rename(const char *from, const char *to)
{
    note("rename ");
    return __real_rename(from, to);
}

int __wrap_close(int file)
{
    bool fails = close_fails;
    live();
    close_fails = false;
    __real_close(file);
    errno = fails ? ENOSPC : ECHILD;
    return fails ? -1 : 0;
}

int __wrap_unlink(const char *name)
{
    int result = __real_unlink(name);
    errno = ECHILD;
    return result;
}

static bool is_interrupted(void)
{
    errno = EINTR;
    return is_slow && ++transfers % 3 == 0;
}

ssize_t __wrap_read(int file, void *target, size_t size)
{
    assert_true(size > 0); // asks for nothing in vain
    return is_interrupted() ? -1 : __real_read(file, target, is_slow && size > 1000 ? 1000 : size);
}

ssize_t __wrap_write(int file, const void *source, size_t size)
{
    assert_true(size > 0);
    live();
    return is_interrupted() ? -1 : __real_write(file, source, is_slow && size > 1000 ? 1000 : size);
}

static uint32_t files_in(const char *name)
{
    uint32_t files = 0;
    DIR *directory = opendir(name);
    assert_non_null(directory);
    for (struct dirent *entry; (entry = readdir(directory));)
        files += entry->d_name[0] != '.';
    closedir(directory);
    return files;
}

static uint32_t open_before;

static void begin(void)
{
    strcpy(folder, "/tmp/file_test.XXXXXX");
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/it", folder);
    calls[0] = 0;
    fsync_fails_at = 0;
    fsync_fault = EIO;
    is_slow = close_fails = false;
    open_before = files_in("/proc/self/fd");
}

static void assert_fails(bool success, int reason)
{
    assert_false(success);
    assert_int_equal(errno, reason);
}

static void end(void)
{
    char command[128];
    is_slow = false;
    assert_int_equal(files_in("/proc/self/fd"), open_before); // no file is left open
    snprintf(command, sizeof command, "rm -rf %s", folder);
    assert_int_equal(system(command), 0);
}

EACH_TEST(begin, end);

TEST(a_written_file_is_read_back)
{
    static const size_t sizes[] = {0, 1, 4095, 4096, 4097, 8192, 65537, sizeof bytes};
    static char found[sizeof bytes];
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (char)(i * 7 + i / 251);
    for (size_t i = 0; i < 2 * COUNT_OF(sizes); i++) {
        size_t size = sizes[i / 2];
        is_slow = i % 2;
        assert_true(file_write(path, bytes, size));
        assert_true(file_read(path, found, size, &count));
        assert_int_equal(count, size);
        assert_memory_equal(found, bytes, size);
        assert_true(file_read_regular(path, found, size, &count));
        assert_int_equal(count, size);
        uint8_t *loaded = file_load(path, size, &count);
        assert_non_null(loaded);
        assert_int_equal(count, size);
        assert_memory_equal(loaded, bytes, size);
        assert_int_equal(loaded[size], 0);
        free(loaded);
    }
    assert_int_equal(files_in(folder), 1);
}

TEST(a_file_larger_than_the_buffer_is_refused)
{
    char found[8] = "";
    assert_true(file_write(path, "123456789", 9));
    assert_fails(file_read(path, found, 8, &count), EFBIG);
    assert_int_equal(count, 8);
    assert_memory_equal(found, "12345678", 8);
    assert_fails(file_read_regular(path, found, 8, &count), EFBIG);
    assert_fails(file_load(path, 8, &count) != NULL, EFBIG);
    assert_int_equal(count, 0);
}

TEST(a_failed_read_says_why)
{
    char found[8], pipe_path[128];
    count = 9;
    assert_fails(file_read(path, found, sizeof found, &count), ENOENT);
    assert_int_equal(count, 0);
    count = 9;
    assert_fails(file_read_regular(path, found, sizeof found, &count), ENOENT);
    assert_int_equal(count, 0);
    count = 9;
    assert_fails(file_load(path, sizeof found, &count) != NULL, ENOENT);
    assert_int_equal(count, 0);
    assert_fails(file_read(folder, found, sizeof found, &count), EISDIR);
    assert_fails(file_load(folder, sizeof found, &count) != NULL, EISDIR);
    snprintf(pipe_path, sizeof pipe_path, "%s/pipe", folder);
    assert_int_equal(mkfifo(pipe_path, 0600), 0);
    assert_fails(file_read_regular(pipe_path, found, sizeof found, &count), EINVAL); // and does not wait for a writer
}

TEST(a_pipe_is_read_to_its_end)
{
    char found[8], name[32];
    for (int i = 0; i < 2; i++) {
        int ends[2];
        assert_int_equal(pipe(ends), 0);
        assert_int_equal(write(ends[1], "abc", 3), 3);
        close(ends[1]);
        snprintf(name, sizeof name, "/dev/fd/%d", ends[0]);
        if (i == 0) {
            assert_true(file_read(name, found, sizeof found, &count));
            assert_memory_equal(found, "abc", 3);
        } else {
            uint8_t *loaded = file_load(name, sizeof found, &count);
            assert_non_null(loaded);
            assert_string_equal((char *)loaded, "abc");
            free(loaded);
        }
        assert_int_equal(count, 3);
        close(ends[0]);
    }
}

TEST(a_write_syncs_the_file_and_its_folder)
{
    struct stat status;
    mode_t mask = umask(0);
    assert_true(file_write(path, "old", 3));
    umask(mask);
    assert_string_equal(calls, "sync rename sync-folder ");
    assert_int_equal(stat(path, &status), 0);
    assert_int_equal(status.st_mode & 07777, 0600);
}

TEST(a_failed_write_leaves_the_old_file)
{
    char found[200];
    struct rlimit limit;
    assert_true(file_write(path, "old", 3));
    fsync_fails_at = 1;
    assert_fails(file_write(path, "new", 3), EIO);
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &limit), 0);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &(struct rlimit){.rlim_cur = 150, .rlim_max = limit.rlim_max}), 0);
    bool written = file_write(path, bytes, 200);
    int reason = errno;
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
    assert_false(written);
    assert_int_equal(reason, EFBIG);
    assert_true(file_read(path, found, sizeof found, &count));
    assert_int_equal(count, 3);
    assert_memory_equal(found, "old", 3);
    assert_int_equal(files_in(folder), 1);
}

TEST(a_disk_that_fails_at_the_end_fails_the_write)
{
    static const struct {
        bool (*put)(const char *, const void *, size_t);
        bool close_fails;
        int fsync_fails_at, fsync_fault; // 2: the folder
        bool written;
        uint32_t files;
    } rows[] = {
        /* 1 */ {file_write, false, 2, EIO, false, 1},
        /* 2 */ {file_create, false, 2, EIO, false, 1},
        /* 3 */ {file_write, false, 2, EINVAL, true, 1}, // a file system without fsync
        /* 4 */ {file_write, true, 0, 0, false, 0},
        /* 5 */ {file_create, true, 0, 0, false, 0},
        /* 6 */ {file_create, false, 1, EIO, false, 0},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        close_fails = rows[i].close_fails;
        fsync_fails_at = rows[i].fsync_fails_at;
        fsync_fault = rows[i].fsync_fault;
        bool written = rows[i].put(path, "new", 3);
        if (written != rows[i].written || (fsync_fault == EIO && errno != EIO) || files_in(folder) != rows[i].files)
            fail_msg("row %zu: %d", i + 1, written);
        unlink(path);
    }
}

TEST(a_name_without_a_folder_is_in_the_current_folder)
{
    char before[FILE_PATH_BYTES], found[8];
    assert_non_null(getcwd(before, sizeof before));
    assert_int_equal(chdir(folder), 0);
    file_make_folders("name");
    assert_int_equal(files_in(folder), 0);
    assert_true(file_write("name", "abc", 3));
    assert_string_equal(calls, "sync rename sync-folder ");
    assert_true(file_read("name", found, sizeof found, &count));
    file_make_folders("deep/er/name");
    assert_true(file_create("deep/er/name", "abc", 3));
    assert_int_equal(chdir(before), 0);
}

TEST(the_target_of_a_link_is_not_written)
{
    char fresh[200], found[8];
    snprintf(fresh, sizeof fresh, "%s.new.%ld", path, (long)getpid());
    assert_true(file_write(path, "old", 3));
    assert_int_equal(symlink(path, fresh), 0); // the name of the temporary file
    assert_fails(file_write(path, "new", 3), ELOOP);
    assert_true(file_read(path, found, sizeof found, &count));
    assert_memory_equal(found, "old", 3);
}

TEST(a_write_to_an_impossible_path_says_why)
{
    static char long_path[FILE_PATH_BYTES];
    assert_int_equal(mkdir(path, 0700), 0);
    assert_fails(file_write(path, "a", 1), EISDIR);
    assert_int_equal(files_in(folder), 1);
    strcat(path, "/none/it");
    assert_fails(file_write(path, "a", 1), ENOENT);
    memset(long_path, 'a', sizeof long_path - 1);
    assert_fails(file_write(long_path, "a", 1), ENAMETOOLONG);
}

TEST(an_existing_file_is_not_created_again)
{
    char found[8];
    assert_true(file_create(path, "one", 3));
    assert_string_equal(calls, "sync sync-folder ");
    assert_fails(file_create(path, "two", 3), EEXIST);
    assert_true(file_read(path, found, sizeof found, &count));
    assert_memory_equal(found, "one", 3);
    assert_int_equal(files_in(folder), 1);
}

// A child process is killed before each call of its writing; the file must hold the old or the new content, complete.
TEST(a_kill_at_any_moment_leaves_a_whole_file)
{
    static char ones[60000], twos[30000], found[sizeof ones];
    int status = 0;
    uint32_t deaths = 0;
    memset(ones, '1', sizeof ones);
    memset(twos, '2', sizeof twos);
    do {
        assert_true(file_write(path, ones, sizeof ones));
        pid_t child = fork();
        assert_true(child >= 0);
        if (child == 0) {
            dies_at = deaths + 1;
            is_slow = true; // in many parts
            _exit(!file_write(path, twos, sizeof twos));
        }
        assert_int_equal(waitpid(child, &status, 0), child);
        assert_true(file_read(path, found, sizeof found, &count));
        assert_memory_equal(found, count == sizeof ones ? ones : twos,
                            count == sizeof ones ? sizeof ones : sizeof twos);
        deaths += WIFSIGNALED(status) != 0;
    } while (WIFSIGNALED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
    assert_int_equal(count, sizeof twos);
    assert_in_range(deaths, 34, 60); // 30 parts, two syncs, a rename and the closes
}

TEST(the_folders_above_a_file_are_created)
{
    char deep[160];
    struct stat status;
    static char long_path[FILE_PATH_BYTES + 1];
    snprintf(deep, sizeof deep, "%s/a/b/file", folder);
    mode_t mask = umask(0);
    file_make_folders(deep);
    umask(mask);
    assert_true(file_write(deep, "x", 1));
    snprintf(deep, sizeof deep, "%s/a/b", folder);
    assert_int_equal(stat(deep, &status), 0);
    assert_int_equal(status.st_mode & 0777, 0700);
    snprintf(deep, sizeof deep, "%s/c", folder);
    file_make_folders(deep);
    assert_int_not_equal(access(deep, F_OK), 0); // the last part is the name of the file
    file_make_folders("");
    memset(long_path, '/', FILE_PATH_BYTES); // too long
    file_make_folders(long_path);
}
