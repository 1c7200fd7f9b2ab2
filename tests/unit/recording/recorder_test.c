// SPDX-License-Identifier: MIT
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lock_check.h"
#include "net/impairment.h"
#include "probe.h"
#include "recorded.h"
#include "recording/live_stream.h"
#include "sync/world.h"
#include "test.h"
#include "test_map.h"
#include "wire/replay.h"

#define NOON_UNIX 1000000000

static struct map map;

// The linker puts these functions between the recorder and the system (--wrap).
static int sync_refusal; // errno; 0: none
static int close_refusal;
static atomic_uint syncs;
static atomic_bool sync_hangs, sync_has_begun;
static atomic_int threads_max = INT_MAX; // that may run
static atomic_int threads;               // that run
static atomic_uint writes;
static atomic_int write_bytes_max = INT_MAX; // 0: nothing is written, and every call fails to say why

int __real_pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *), void *context);
int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *), void *context);
int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *), void *context)
{
    bool may = atomic_load(&threads) < atomic_load(&threads_max);
    int reason = may ? __real_pthread_create(thread, attributes, run, context) : EAGAIN;
    atomic_fetch_add(&threads, reason == 0);
    return reason;
}

int __real_pthread_join(pthread_t thread, void **result);
int __wrap_pthread_join(pthread_t thread, void **result);
int __wrap_pthread_join(pthread_t thread, void **result)
{
    atomic_fetch_sub(&threads, 1);
    return __real_pthread_join(thread, result);
}

ssize_t __real_write(int file, const void *bytes, size_t byte_count);
ssize_t __wrap_write(int file, const void *bytes, size_t byte_count);
ssize_t __wrap_write(int file, const void *bytes, size_t byte_count)
{
    size_t most = (size_t)atomic_load(&write_bytes_max);
    errno = most == 0 ? ENOSPC : EINTR;
    if (most == 1 && atomic_fetch_add(&writes, 1) % 3 == 0)
        return -1;
    return most == 0 ? 0 : __real_write(file, bytes, byte_count < most ? byte_count : most);
}

int __real_close(int file);
int __wrap_close(int file);
int __wrap_close(int file)
{
    int result = __real_close(file);
    errno = close_refusal ? close_refusal : errno;
    return close_refusal ? -1 : result;
}

int __real_fdatasync(int file);
int __wrap_fdatasync(int file);
int __wrap_fdatasync(int file)
{
    atomic_store(&sync_has_begun, true);
    while (atomic_load(&sync_hangs))
        sched_yield();
    errno = sync_refusal;
    bool good = !sync_refusal && __real_fdatasync(file) == 0;
    atomic_fetch_add(&syncs, 1);
    return good ? 0 : -1;
}

static char folder[40];
static struct error error;
static struct session session; // without clients, at first
static struct world *world;
static struct replay_reader reader;
static int first_file;

// The number that the next opened file gets.
static int next_file(void)
{
    int file = open("/dev/null", O_RDONLY);
    assert_true(file >= 0);
    close(file);
    return file;
}

static void begin_all(void)
{
    first_file = next_file();
}

static void begin_with(uint32_t probe_count)
{
    struct match_config config = {.map = &map,
                                  .rules = {.mode = MODE_FFA, .seed = 7, .bot_skill = SKILL_NORMAL},
                                  .players_max = 8,
                                  .bots = 6,
                                  .snapshot_rate = 60};
    session_begin(&session, &config, &(struct impairment){.delay_us = 10000}, probe_count);
    world = &session.match->world;
}

static void begin(void)
{
    error = (struct error){0};
    test_map_random(&map, 4, 60, 40);
    strcpy(folder, "/tmp/deadfall_recorder_XXXXXX");
    assert_non_null(mkdtemp(folder));
    begin_with(0);
}

static void end(void)
{
    char command[80];
    session_end(&session);
    snprintf(command, sizeof command, "rm -r %s", folder);
    assert_int_equal(system(command), 0);
}

ALL_TESTS(begin_all, NULL);
EACH_TEST(begin, end);

// Both fail the test if the recording cannot begin.
static struct recorder *record(void)
{
    struct recorder *recorder = recorded_in(folder, NOON_UNIX, &map, world, &error);
    assert_non_null(recorder);
    return recorder;
}

static struct recorder *record_at(const char *path)
{
    struct recorder *recorder = recorded_at(path, &map, world, &error);
    assert_non_null(recorder);
    return recorder;
}

// Opens the recording of a path. Returns its size.
static size_t open_recording(const char *path)
{
    static uint8_t bytes[16u << 20];
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    size_t byte_count = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    assert_int_equal(replay_reader_open(&reader, bytes, byte_count), REPLAY_OK);
    return byte_count;
}

// A match that follows another does not wait for the disk; what is there stays until the new file is safe.
TEST(a_recording_that_does_not_wait_replaces_a_file_when_it_is_safe)
{
    char path[80];
    struct stat before, after;
    snprintf(path, sizeof path, "%s/journal.dfr", folder);
    struct recorder *recorder = record_at(path);
    assert_true(recorder_finish(recorder, &error));
    assert_int_equal(stat(path, &before), 0);
    sync_refusal = EIO;
    assert_true(recorder_begin_at(recorder, path, &map, world));
    while (!recorded_fault(recorder))
        sched_yield();
    sync_refusal = 0;
    assert_string_equal(recorded_path(recorder), path);
    assert_false(recorder_finish(recorder, &error));
    assert_int_equal(stat(path, &after), 0);
    assert_true(after.st_ino == before.st_ino); // the old one
    strcat(path, ".new");
    assert_int_not_equal(access(path, F_OK), 0);
    path[strlen(path) - 4] = '\0';
    assert_true(recorder_begin_at(recorder, path, &map, world));
    recorder_end(recorder);
    while (recorder_report(recorder, 3).state != DISK_DONE)
        sched_yield();
    assert_int_equal(stat(path, &after), 0);
    assert_true(after.st_ino != before.st_ino);
    assert_true(recorder_close(recorder, &error));
    recorder_end(NULL);
}

// One tick of the match, which is recorded.
static void step(struct recorder *recorder)
{
    static struct player_input inputs[PLAYER_CAPACITY];
    world_step(world, &map, inputs);
    recorder_tick(recorder, NULL, 0, inputs, world);
}

static bool wait_for_syncs(uint32_t count)
{
    while (atomic_load(&syncs) < count)
        sched_yield();
    return atomic_load(&syncs) == count;
}

TEST(a_tick_is_written_at_once_and_synced_each_second)
{
    atomic_store(&syncs, 0);
    struct recorder *recorder = record();
    assert_true(wait_for_syncs(1)); // the head
    for (uint32_t second = 1; second <= 3; second++) {
        for (uint32_t i = 0; i < TICKS_PER_SECOND; i++) {
            step(recorder);
            while (recorder_backlog_bytes(recorder) > 0)
                sched_yield();
            assert_int_equal(recorder_backlog_bytes(recorder), 0);
        }
        assert_true(wait_for_syncs(1 + second));
    }
    assert_null(recorded_fault(recorder));
    assert_true(recorder_close(recorder, &error));
    assert_int_equal(atomic_load(&syncs), 5);
}

TEST(a_sync_that_is_asked_for_during_another_follows_it)
{
    atomic_store(&syncs, 0);
    struct recorder *recorder = record();
    assert_true(wait_for_syncs(1)); // the head
    atomic_store(&sync_hangs, true);
    atomic_store(&sync_has_begun, false);
    for (uint32_t t = 0; t < TICKS_PER_SECOND; t++)
        step(recorder);
    while (!atomic_load(&sync_has_begun))
        sched_yield();
    for (uint32_t t = 0; t < TICKS_PER_SECOND; t++)
        step(recorder);
    atomic_store(&sync_hangs, false);
    assert_true(wait_for_syncs(3));
    assert_true(recorder_close(recorder, &error));
}

// What is written outlives a crash of the program, so ticks must not wait for the disk behind a sync.
TEST(a_sync_that_hangs_holds_no_tick_back)
{
    struct recorder *recorder = record();
    atomic_store(&syncs, 0);
    atomic_store(&sync_hangs, true);
    for (uint32_t t = 0; t < 3 * TICKS_PER_SECOND; t++) {
        step(recorder);
        while (recorder_backlog_bytes(recorder) > 0)
            sched_yield();
        assert_int_equal(recorder_backlog_bytes(recorder), 0);
    }
    assert_int_equal(atomic_load(&syncs), 0);
    atomic_store(&sync_hangs, false);
    assert_true(recorder_close(recorder, &error));
    assert_true(atomic_load(&syncs) > 0);
}

// A pipe that nobody reads cannot be opened.
TEST(a_file_that_cannot_be_opened_yet_holds_no_tick_back)
{
    char path[80], fresh[90], bytes[4];
    snprintf(path, sizeof path, "%s/pipe", folder);
    snprintf(fresh, sizeof fresh, "%s.new", path);
    assert_int_equal(mkfifo(fresh, 0600), 0);
    struct recorder *recorder = recorder_open();
    assert_true(recorder_begin_at(recorder, path, &map, world));
    for (uint32_t t = 0; t < 30; t++)
        step(recorder);
    assert_int_equal(recorder_report(recorder, 1).state, DISK_WAITS);
    assert_true(recorder_backlog_bytes(recorder) > 1000);
    int pipe_end = open(fresh, O_RDONLY);
    assert_int_equal(read(pipe_end, bytes, 4), 4);
    assert_memory_equal(bytes, REPLAY_MAGIC, 4);
    assert_true(recorder_close(recorder, &error));
    close(pipe_end);
}

// A match may end before its journal is on the disk: the next journal must not be replaced by that one.
TEST(the_last_of_several_files_that_wait_for_the_disk_stays)
{
    char path[80];
    snprintf(path, sizeof path, "%s/journal.dfr", folder);
    struct recorder *recorder = recorder_open();
    atomic_store(&sync_hangs, true);
    for (uint32_t number = 1; number <= DISK_WRITER_FILES; number++) {
        assert_true(recorder_begin_at(recorder, path, &map, world));
        assert_int_equal(recorder_number(recorder), number);
        step(recorder);
        recorder_end(recorder);
    }
    assert_false(recorder_begin_at(recorder, path, &map, world));
    assert_int_not_equal(access(path, F_OK), 0);
    atomic_store(&sync_hangs, false);
    assert_true(recorder_finish(recorder, &error));
    for (uint32_t number = 1; number <= DISK_WRITER_FILES; number++) {
        struct disk_report report = recorder_report(recorder, number);
        assert_int_equal(report.state, DISK_DONE);
        assert_string_equal(report.path, path);
    }
    open_recording(path);
    assert_int_equal(reader.last_tick, world->tick);
    strcat(path, ".new");
    assert_int_not_equal(access(path, F_OK), 0);
    assert_true(recorder_close(recorder, &error));
}

TEST(a_disk_that_cannot_sync_ends_the_recording)
{
    static const struct {
        int reason;
        bool ends;
    } rows[] = {{EIO, true}, {ENOSPC, true}, {EINVAL, false}, {EROFS, false}}; // the latter have no disk behind them
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct recorder *recorder = record();
        atomic_store(&syncs, 0);
        sync_refusal = rows[i].reason;
        for (uint32_t t = 0; t < TICKS_PER_SECOND; t++)
            step(recorder);
        assert_true(wait_for_syncs(1));
        while (rows[i].ends && !recorded_fault(recorder))
            sched_yield();
        assert_true((recorded_fault(recorder) != NULL) == rows[i].ends);
        assert_int_equal(recorder_close(recorder, &error), !rows[i].ends);
        sync_refusal = 0;
        if (rows[i].ends)
            assert_non_null(strstr(error.text, strerror(rows[i].reason)));
    }
}

TEST(without_threads_there_is_no_recorder)
{
    for (int started = 0; started < 2; started++) {
        atomic_store(&threads_max, atomic_load(&threads) + started);
        assert_null(recorder_open());
        assert_true(started > 0 || !live_stream_open(&(struct live_stream_config){folder, "", 0}, &error));
        atomic_store(&threads_max, INT_MAX);
    }
}

// A pipe that nobody reads stands in for a disk that hangs.
TEST(a_hanging_disk_ends_the_recording_when_the_ring_is_full)
{
    char path[80];
    uint32_t random = 1;
    static struct player_input inputs[PLAYER_CAPACITY];
    signal(SIGPIPE, SIG_IGN);
    snprintf(path, sizeof path, "%s/pipe.new", folder);
    assert_int_equal(mkfifo(path, 0600), 0);
    int pipe_end = open(path, O_RDONLY | O_NONBLOCK);
    path[strlen(path) - 4] = 0;
    struct recorder *recorder = record_at(path);
    size_t most = 0;
    while (!recorded_fault(recorder)) {
        for (uint32_t slot = 0; slot < PLAYER_CAPACITY; slot++)
            inputs[slot].buttons = (random = random * 1664525u + 1013904223u) >> 24;
        world_step(world, &map, inputs);
        recorder_tick(recorder, NULL, 0, inputs, world);
        size_t backlog = recorder_backlog_bytes(recorder);
        most = backlog > most ? backlog : most;
    }
    assert_in_range(most, 900000, 1u << 20); // it was used to its end, nearly
    assert_string_equal(recorded_fault(recorder), "the disk cannot keep up");
    close(pipe_end);
    assert_false(recorder_finish(recorder, &error));
    assert_non_null(strstr(error.text, "pipe: the recording ends here: the disk cannot keep up"));
    assert_true(recorder_begin(recorder, folder, NOON_UNIX, &map, world)); // the next one
    step(recorder);
    assert_true(recorder_close(recorder, &error));
}

TEST(a_file_at_a_path_is_replaced_and_private)
{
    struct stat status;
    char path[80];
    snprintf(path, sizeof path, "%s/at.dfr", folder);
    struct recorder *recorder = record_at(path);
    assert_string_equal(recorded_path(recorder), path);
    assert_int_equal(stat(path, &status), 0);
    assert_int_equal(status.st_mode & 0777, 0600);
    for (int i = 0; i < 120; i++)
        step(recorder);
    assert_true(recorder_close(recorder, &error));
    assert_int_equal(stat(path, &status), 0);
    off_t before = status.st_size;
    recorder = record_at(path);
    assert_true(recorder_close(recorder, &error));
    assert_int_equal(stat(path, &status), 0);
    assert_true(status.st_size < before); // nothing of the first file is left
    assert_null(recorded_at("/proc/no/where", &map, world, &error));
    assert_string_equal(error.text, "cannot record into /proc/no/where: No such file or directory");
}

TEST(names_have_a_date_and_a_number_up_to_999)
{
    char path[140], first[120];
    struct recorder *recorder = recorded_in(folder, INT64_MAX, &map, world, &error); // no year has that
    assert_non_null(strstr(recorded_path(recorder), "-undated.dfr"));
    assert_true(recorder_close(recorder, &error));
    recorder = record();
    snprintf(first, sizeof first, "%s", recorded_path(recorder));
    assert_true(recorder_close(recorder, &error));
    first[strlen(first) - 4] = 0;
    for (int number = 2; number < 999; number++) {
        snprintf(path, sizeof path, "%s-%d.dfr", first, number);
        fclose(fopen(path, "w"));
    }
    recorder = record();
    assert_non_null(strstr(recorded_path(recorder), "-014640-999.dfr"));
    assert_true(recorder_close(recorder, &error));
    assert_null(recorded_in(folder, NOON_UNIX, &map, world, &error));
    assert_non_null(strstr(error.text, "File exists"));
}

TEST(a_recording_that_goes_on_lets_older_ones_be_removed)
{
    char old[120];
    struct recorder *recorder = record();
    snprintf(old, sizeof old, "%s", recorded_path(recorder));
    assert_true(recorder_finish(recorder, &error));
    assert_true(recorder_begin(recorder, folder, NOON_UNIX + 1, &map, world));
    assert_true(recorder_wait(recorder, &error));
    recorder_retain(recorder, &(struct retention){.files = 1}, NOON_UNIX);
    while (access(old, F_OK) == 0)
        sched_yield();
    assert_true(recorder_close(recorder, &error));
}

TEST(a_disk_that_takes_a_byte_at_a_time_gets_all_bytes)
{
    char path[80];
    snprintf(path, sizeof path, "%s/bytes.dfr", folder);
    atomic_store(&write_bytes_max, 1); // and each third call is interrupted
    struct recorder *recorder = record_at(path);
    for (int i = 0; i < 60; i++)
        step(recorder);
    assert_true(recorder_close(recorder, &error));
    atomic_store(&write_bytes_max, INT_MAX);
    open_recording(path);
    assert_int_equal(reader.last_tick, world->tick);
    for (int i = 0; i < 60; i++)
        assert_int_equal(replay_reader_next(&reader), REPLAY_OK);
    assert_int_equal(replay_reader_next(&reader), REPLAY_END);
}

TEST(a_disk_that_takes_nothing_ends_the_recording)
{
    struct recorder *recorder = record();
    atomic_store(&write_bytes_max, 0);
    step(recorder);
    while (!recorded_fault(recorder))
        sched_yield();
    atomic_store(&write_bytes_max, INT_MAX);
    assert_non_null(recorded_fault(recorder));
    assert_false(recorder_close(recorder, &error));
}

TEST(a_file_that_cannot_be_closed_is_reported)
{
    struct recorder *recorder = record();
    close_refusal = EIO;
    bool good = recorder_close(recorder, &error);
    close_refusal = 0;
    assert_false(good);
    assert_non_null(strstr(error.text, "the recording ends here: Input/output error"));
}

TEST(of_two_faults_the_first_is_reported)
{
    struct recorder *recorder = record();
    sync_refusal = ENOSPC;
    for (uint32_t t = 0; t < TICKS_PER_SECOND; t++)
        step(recorder);
    while (!recorded_fault(recorder))
        sched_yield();
    close_refusal = EIO;
    assert_false(recorder_close(recorder, &error));
    close_refusal = sync_refusal = 0;
    assert_non_null(strstr(error.text, strerror(ENOSPC)));
}

// Another server may share the folder, and remove old recordings there.
TEST(a_recording_is_locked_until_it_has_ended)
{
    struct recorder *recorder = record();
    int other = open(recorder_report(recorder, recorder_number(recorder)).path, O_RDONLY);
    assert_true(other >= 0);
    assert_int_equal(flock(other, LOCK_EX | LOCK_NB), -1);
    assert_int_equal(errno, EWOULDBLOCK);
    assert_true(recorder_close(recorder, &error));
    assert_int_equal(flock(other, LOCK_EX | LOCK_NB), 0);
    close(other);
}

static void assert_mode(const char *path, mode_t mode)
{
    struct stat status;
    assert_int_equal(stat(path, &status), 0);
    assert_int_equal(status.st_mode & 07777, mode);
}

// Others may read a recording, and no program that the server starts inherits it.
TEST(a_recording_makes_its_folder_and_belongs_to_this_program)
{
    char fresh[60], path[80];
    int number = next_file();
    mode_t before = umask(022);
    snprintf(fresh, sizeof fresh, "%s/new", folder);
    snprintf(path, sizeof path, "%s/private.dfr", folder);
    errno = 0;
    struct recorder *recorders[2] = {
        recorded_in(fresh, NOON_UNIX, &map, world, &error),
        recorded_at(path, &map, world, &error),
    };
    umask(before);
    assert_true(recorders[0] && recorders[1]);
    assert_mode(fresh, 0755);
    assert_mode(recorded_path(recorders[0]), 0644);
    assert_mode(path, 0600);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(fcntl(number + i, F_GETFD), FD_CLOEXEC);
        assert_int_equal(fcntl(number + i, F_GETFL) & O_ACCMODE, O_WRONLY);
        assert_true(recorder_close(recorders[i], &error));
    }
}

TEST(a_recording_may_have_the_file_number_0)
{
    char path[80];
    snprintf(path, sizeof path, "%s/zero.dfr", folder);
    int kept = dup(0);
    for (int i = 0; i < 3; i++) {
        close(0);
        struct recorder *recorder = i == 0 ? record() : i == 1 ? recorded_at(path, &map, world, &error) : NULL;
        bool good = i == 2 ? recorder_check(folder, &error) : recorder && recorder_close(recorder, &error);
        if (kept >= 0)
            dup2(kept, 0);
        if (!good)
            fail_msg("row %d: %s", i, error.text);
    }
    close(kept);
}

BARE_TEST(without_a_recorder_nothing_is_recorded)
{
    recorder_tick(NULL, NULL, 0, NULL, NULL);
    recorder_hats(NULL, NULL);
    recorder_seats(NULL, NULL, 0);
    assert_true(recorder_close(NULL, NULL));
}

TEST(a_recorded_match_is_simulated_to_the_same_hashes)
{
    char path[700];
    static struct world simulated;
    session_end(&session);
    begin_with(3);
    struct recorder *recorder = session.match->recorder = record();
    snprintf(path, sizeof path, "%s", recorded_path(recorder));
    assert_non_null(strstr(path, "-20010909-014640.dfr"));
    session_run(&session, 300);
    transport_close(session.probes[0].transport); // a player leaves
    session.probes[0].mute = true;
    session_run(&session, 400);
    assert_true(recorder_close(recorder, &error));
    open_recording(path);
    assert_non_null(reader.index); // of a file that was closed
    assert_int_equal(reader.last_tick, world->tick);
    world_copy(&simulated, &reader.first);
    uint32_t ticks = 0, hashes = 0;
    enum replay_fault fault;
    for (; (fault = replay_reader_next(&reader)) == REPLAY_OK; ticks++) {
        for (uint32_t i = 0; i < reader.command_count; i++)
            assert_true(world_command(&simulated, &reader.map, &reader.commands[i]));
        world_step(&simulated, &reader.map, reader.inputs);
        if (reader.has_hash && reader.hash != world_hash(&simulated))
            fail_msg("tick %u differs", reader.tick);
        hashes += reader.has_hash;
    }
    assert_int_equal(fault, REPLAY_END);
    assert_int_equal(ticks, 700);
    assert_true(hashes >= 11);
    assert_true(world_hash(&simulated) == world_hash(world));
}

static uint32_t dice(uint32_t *random)
{
    return (*random = *random * 1664525u + 1013904223u) >> 24;
}

// Several times more than the ring between the tick and the disk holds.
TEST(a_long_recording_is_read_back_byte_for_byte)
{
    enum { TICKS = 12000 };
    static struct player_input inputs[PLAYER_CAPACITY];
    char path[700];
    struct recorder *recorder = record();
    snprintf(path, sizeof path, "%s", recorded_path(recorder));
    uint32_t random = 1;
    for (uint32_t i = 0; i < TICKS; i++) {
        for (uint32_t slot = 0; slot < PLAYER_CAPACITY; slot++)
            inputs[slot].buttons = dice(&random);
        world_step(world, &map, inputs);
        recorder_tick(recorder, NULL, 0, inputs, world);
        while (recorder_backlog_bytes(recorder) > 100000)
            sched_yield();
    }
    assert_true(recorder_close(recorder, &error));
    assert_true(open_recording(path) > 2000000);
    random = 1;
    for (uint32_t i = 0; i < TICKS; i++) {
        assert_int_equal(replay_reader_next(&reader), REPLAY_OK);
        for (uint32_t slot = 0; slot < PLAYER_CAPACITY; slot++)
            if (reader.inputs[slot].buttons != dice(&random))
                fail_msg("tick %u, slot %u", i, slot);
    }
    assert_int_equal(replay_reader_next(&reader), REPLAY_END);
}

TEST(two_recordings_of_the_same_second_have_different_files)
{
    struct recorder *first = record(), *second = record();
    assert_non_null(strstr(recorded_path(first), "-014640.dfr"));
    assert_non_null(strstr(recorded_path(second), "-014640-2.dfr"));
    assert_true(recorder_close(first, &error) && recorder_close(second, &error));
}

// Lets files have so many bytes at most. Returns the limits before.
static struct rlimit limit_files(rlim_t byte_count)
{
    struct rlimit before;
    signal(SIGXFSZ, SIG_IGN);
    getrlimit(RLIMIT_FSIZE, &before);
    setrlimit(RLIMIT_FSIZE, &(struct rlimit){byte_count, before.rlim_max});
    return before;
}

TEST(a_full_disk_ends_the_recording_and_keeps_what_was_written)
{
    char path[700];
    session_end(&session);
    begin_with(1);
    struct rlimit before = limit_files(6000);
    struct recorder *recorder = session.match->recorder = record();
    snprintf(path, sizeof path, "%s", recorded_path(recorder));
    session_run(&session, 3600);
    bool good = recorder_close(recorder, &error);
    setrlimit(RLIMIT_FSIZE, &before);
    assert_false(good);
    assert_non_null(strstr(error.text, "too large"));
    open_recording(path);
    uint32_t ticks = 0;
    enum replay_fault fault;
    while ((fault = replay_reader_next(&reader)) == REPLAY_OK)
        ticks++;
    assert_true(fault == REPLAY_TORN || fault == REPLAY_END); // the latter if the disk was full between two records
    assert_true(ticks > 60);
}

TEST(a_disk_full_from_the_start_is_reported_and_leaves_no_file)
{
    struct rlimit before = limit_files(100);
    for (int i = 0; i < 20; i++) {
        assert_null(recorded_in(folder, NOON_UNIX, &map, world, &error));
        assert_non_null(strstr(error.text, "too large"));
    }
    setrlimit(RLIMIT_FSIZE, &before);
    assert_int_equal(rmdir(folder), 0); // empty
    assert_int_equal(mkdir(folder, 0700), 0);
}

TEST(a_folder_is_checked_and_no_file_is_left)
{
    char fresh[60];
    assert_true(recorder_check(folder, &error));
    snprintf(fresh, sizeof fresh, "%s/new", folder);
    assert_true(recorder_check(fresh, &error));
    assert_int_equal(rmdir(folder), 0);
    assert_int_equal(mkdir(folder, 0700), 0);
    assert_false(recorder_check("/proc/nowhere", &error));
    assert_non_null(strstr(error.text, "/proc/nowhere"));
    assert_false(recorder_check("/dev/null", &error));
    assert_non_null(strstr(error.text, "Not a directory"));
    assert_null(recorded_in("/proc/nowhere", NOON_UNIX, &map, world, &error));
    assert_non_null(strstr(error.text, "/proc/nowhere"));
}

// The recorder's thread waits again before each call of this one.
TEST(a_thread_that_waits_is_always_woken)
{
    while (world->tick % TICKS_PER_SECOND != TICKS_PER_SECOND - 1)
        step(NULL);
    atomic_store(&lock_check_pause_us, 2000);
    atomic_store(&syncs, 0);
    struct recorder *recorder = record();
    step(recorder);
    assert_true(wait_for_syncs(2)); // the head, and this second
    assert_true(recorder_close(recorder, &error));
    assert_int_equal(atomic_load(&syncs), 3);
    atomic_store(&lock_check_pause_us, 0);
}

// The last test.
BARE_TEST(no_lock_thread_or_open_file_is_left)
{
    assert_int_equal(lock_check_living(), 0);
    assert_int_equal(atomic_load(&threads), 0);
    assert_int_equal(next_file(), first_file);
}
