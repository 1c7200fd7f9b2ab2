// SPDX-License-Identifier: MIT
#include "recorder.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/file.h"

// A minute of a full match, because a disk may be busy for that long.
#define RING_BYTES (1u << 20)

#define PATH_BYTES 600

// The tick's thread puts bytes into the ring, the writer's thread writes them to the file, and the syncer's thread
// waits for the disk. So a slow disk holds no bytes back that a crash of the program would lose.
struct recorder {
    struct replay_writer writer; // only the tick's thread uses it
    int file;
    char path[PATH_BYTES];
    pthread_t writer_thread, syncer_thread;
    pthread_mutex_t lock;    // of everything below
    char place[PATH_BYTES];  // where the file goes when its head is safe; "": it is there
    pthread_cond_t work;     // for the writer: there are bytes to write, or the end has come
    pthread_cond_t due;      // for the syncer: there may be a sync to do, or the end has come
    pthread_cond_t progress; // for the tick's thread, which waits for the first sync or a fault
    uint64_t put, written;   // bytes that went through the ring so far
    uint64_t sync_mark;      // bytes that the newest sync is to make safe
    uint32_t syncs_requested;
    uint32_t syncs_done;
    bool retains; // old recordings are to be removed
    struct retention retention;
    int64_t retention_s; // when that was asked for
    bool ending;
    unsigned threads; // that have something to do
    bool failed;
    char fault[200]; // why
    uint8_t ring[RING_BYTES];
};

// The first fault counts. Called under the lock, or when no thread runs.
static void fail(struct recorder *recorder, const char *why)
{
    if (recorder->failed)
        return;
    recorder->failed = true;
    snprintf(recorder->fault, sizeof recorder->fault, "%s", why);
    pthread_cond_signal(&recorder->work);
    pthread_cond_signal(&recorder->due);
}

// The sink of the replay writer, on the tick's thread.
static bool put(void *context, const uint8_t *bytes, size_t byte_count)
{
    struct recorder *recorder = context;
    pthread_mutex_lock(&recorder->lock);
    if (byte_count > RING_BYTES - (recorder->put - recorder->written))
        fail(recorder, "the disk cannot keep up");
    bool good = !recorder->failed;
    if (good) {
        size_t at = recorder->put % RING_BYTES;
        size_t to_end = byte_count < RING_BYTES - at ? byte_count : RING_BYTES - at;
        memcpy(recorder->ring + at, bytes, to_end);
        memcpy(recorder->ring, bytes + to_end, byte_count - to_end);
        recorder->put += byte_count;
    }
    pthread_cond_signal(&recorder->work);
    pthread_mutex_unlock(&recorder->lock);
    return good;
}

static void request_sync(struct recorder *recorder)
{
    pthread_mutex_lock(&recorder->lock);
    recorder->syncs_requested++;
    recorder->sync_mark = recorder->put;
    pthread_cond_signal(&recorder->due);
    pthread_mutex_unlock(&recorder->lock);
}

// Writes the bytes up to the end of the ring. Releases the lock meanwhile: the tick's thread only adds bytes behind.
static void write_bytes(struct recorder *recorder)
{
    size_t at = recorder->written % RING_BYTES, count = recorder->put - recorder->written;
    count = count < RING_BYTES - at ? count : RING_BYTES - at;
    pthread_mutex_unlock(&recorder->lock);
    ssize_t written = write(recorder->file, recorder->ring + at, count);
    int reason = errno;
    pthread_mutex_lock(&recorder->lock);
    if (written > 0)
        recorder->written += (uint64_t)written;
    else if (reason != EINTR)
        fail(recorder, strerror(reason));
    pthread_cond_signal(&recorder->due);
}

// Releases the lock meanwhile. A file that has no disk behind it cannot be synced, which is no fault.
static void sync_file(struct recorder *recorder)
{
    uint32_t requested = recorder->syncs_requested;
    pthread_mutex_unlock(&recorder->lock);
    bool good = fdatasync(recorder->file) == 0 || errno == EINVAL || errno == EROFS;
    bool places = good && recorder->place[0];
    if (places)
        good = file_place(recorder->path, recorder->place);
    int reason = errno;
    pthread_mutex_lock(&recorder->lock);
    recorder->syncs_done = requested;
    if (places && good)
        recorder->place[0] = '\0';
    if (!good)
        fail(recorder, strerror(reason));
}

// Releases the lock meanwhile.
static void retain(struct recorder *recorder)
{
    char directory[PATH_BYTES];
    struct retention limits = recorder->retention;
    int64_t unix_s = recorder->retention_s;
    recorder->retains = false;
    pthread_mutex_unlock(&recorder->lock);
    snprintf(directory, sizeof directory, "%.*s", (int)(strrchr(recorder->path, '/') - recorder->path), recorder->path);
    retention_apply(directory, &limits, unix_s);
    pthread_mutex_lock(&recorder->lock);
}

// The end of a thread.
static void *leave(struct recorder *recorder)
{
    recorder->threads--;
    pthread_cond_signal(&recorder->progress);
    pthread_mutex_unlock(&recorder->lock);
    return NULL;
}

// Writes until the end or a fault.
static void *run_writer(void *context)
{
    struct recorder *recorder = context;
    pthread_mutex_lock(&recorder->lock);
    while (!recorder->failed && (recorder->put != recorder->written || !recorder->ending)) {
        if (recorder->put != recorder->written)
            write_bytes(recorder);
        else
            pthread_cond_wait(&recorder->work, &recorder->lock);
    }
    return leave(recorder);
}

// Syncs until the end or a fault.
static void *run_syncer(void *context)
{
    struct recorder *recorder = context;
    pthread_mutex_lock(&recorder->lock);
    while (!recorder->failed) {
        bool syncs = recorder->syncs_done != recorder->syncs_requested;
        if (syncs && recorder->written >= recorder->sync_mark)
            sync_file(recorder);
        else if (recorder->retains)
            retain(recorder);
        else if (recorder->ending && !syncs)
            break;
        else
            pthread_cond_wait(&recorder->due, &recorder->lock);
        pthread_cond_signal(&recorder->progress);
    }
    return leave(recorder);
}

// Lets the threads end after they have written and synced the rest.
static void let_end(struct recorder *recorder)
{
    pthread_mutex_lock(&recorder->lock);
    recorder->ending = true;
    recorder->syncs_requested++;
    recorder->sync_mark = recorder->put;
    pthread_cond_signal(&recorder->work);
    pthread_cond_signal(&recorder->due);
    pthread_mutex_unlock(&recorder->lock);
}

static void join(struct recorder *recorder)
{
    pthread_join(recorder->writer_thread, NULL);
    pthread_join(recorder->syncer_thread, NULL);
}

static void destroy(struct recorder *recorder)
{
    pthread_cond_destroy(&recorder->progress);
    pthread_cond_destroy(&recorder->due);
    pthread_cond_destroy(&recorder->work);
    pthread_mutex_destroy(&recorder->lock);
    free(recorder);
}

// What a recording begins with, and whether the caller waits until that is safe, to learn of a full disk at once.
struct beginning {
    const struct map *map;
    const struct world *first;
    bool waits;
};

static bool write_head(struct recorder *recorder, const struct beginning *beginning)
{
    bool good = replay_writer_begin(&recorder->writer, put, recorder, beginning->map, beginning->first);
    request_sync(recorder);
    if (!beginning->waits)
        return good;
    pthread_mutex_lock(&recorder->lock);
    while (good && recorder->syncs_done != recorder->syncs_requested && !recorder->failed)
        pthread_cond_wait(&recorder->progress, &recorder->lock);
    good = good && !recorder->failed;
    pthread_mutex_unlock(&recorder->lock);
    return good;
}

static bool start_threads(struct recorder *recorder)
{
    recorder->threads = 2;
    int reason = pthread_create(&recorder->writer_thread, NULL, run_writer, recorder);
    if (reason == 0) {
        reason = pthread_create(&recorder->syncer_thread, NULL, run_syncer, recorder);
        if (reason == 0)
            return true;
        let_end(recorder);
        pthread_join(recorder->writer_thread, NULL);
    }
    fail(recorder, strerror(reason));
    return false;
}

static bool start(struct recorder *recorder, const struct beginning *beginning)
{
    pthread_mutex_init(&recorder->lock, NULL);
    pthread_cond_init(&recorder->work, NULL);
    pthread_cond_init(&recorder->due, NULL);
    pthread_cond_init(&recorder->progress, NULL);
    if (!start_threads(recorder))
        return false;
    if (write_head(recorder, beginning))
        return true;
    let_end(recorder);
    join(recorder);
    return false;
}

// Begins to record into an open file, which is removed on failure.
static struct recorder *begin(int file, const char *path, const char *place, const struct beginning *beginning,
                              struct error *error)
{
    struct recorder *recorder = calloc(1, sizeof *recorder);
    if (recorder) {
        recorder->file = file;
        flock(file, LOCK_EX | LOCK_NB); // so that no server removes it as an old one
        snprintf(recorder->path, sizeof recorder->path, "%s", path);
        snprintf(recorder->place, sizeof recorder->place, "%s", place);
        if (start(recorder, beginning))
            return recorder;
    }
    error_set(error, "cannot record into %.500s: %s", path, recorder ? recorder->fault : "out of memory");
    close(file);
    unlink(path);
    if (recorder)
        destroy(recorder);
    return NULL;
}

// Creates a file that was not there before. Returns -1 with errno on failure.
static int create_file(const char *directory, int64_t unix_time, const char *map_name, char path[PATH_BYTES])
{
    char when[CLOCK_DATE_BYTES], number_text[8] = "";
    if (!clock_date_utc(unix_time, "%Y%m%d-%H%M%S", when, sizeof when))
        strcpy(when, "undated");
    if (mkdir(directory, 0755) != 0 && errno != EEXIST)
        return -1;
    for (int number = 2;; number++) {
        snprintf(path, PATH_BYTES, "%.500s/%.*s-%s%s.dfr", directory, MAP_NAME_CAPACITY, map_name, when, number_text);
        int file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
        if (file >= 0 || errno != EEXIST || number == 1000)
            return file;
        snprintf(number_text, sizeof number_text, "-%d", number);
    }
}

static struct recorder *open_in(const char *directory, int64_t unix_time, const struct beginning *beginning,
                                struct error *error)
{
    char path[PATH_BYTES];
    int file = create_file(directory, unix_time, beginning->map->name, path);
    if (file >= 0)
        return begin(file, path, "", beginning, error);
    error_set(error, "cannot record into %.500s: %s", directory, strerror(errno));
    return NULL;
}

static struct recorder *open_at(const char *path, const char *place, const struct beginning *beginning,
                                struct error *error)
{
    int file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (file >= 0)
        return begin(file, path, place, beginning, error);
    error_set(error, "cannot record into %.500s: %s", path, strerror(errno));
    return NULL;
}

struct recorder *recorder_open(const char *directory, int64_t unix_time, const struct map *map,
                               const struct world *first, struct error *error)
{
    return open_in(directory, unix_time, &(struct beginning){map, first, true}, error);
}

struct recorder *recorder_open_at(const char *path, const struct map *map, const struct world *first,
                                  struct error *error)
{
    return open_at(path, "", &(struct beginning){map, first, true}, error);
}

struct recorder *recorder_begin(const char *directory, int64_t unix_time, const struct map *map,
                                const struct world *first, struct error *error)
{
    return open_in(directory, unix_time, &(struct beginning){map, first, false}, error);
}

struct recorder *recorder_begin_at(const char *path, const struct map *map, const struct world *first,
                                   struct error *error)
{
    char fresh[PATH_BYTES];
    if ((size_t)snprintf(fresh, sizeof fresh, "%s.new", path) < sizeof fresh)
        return open_at(fresh, path, &(struct beginning){map, first, false}, error);
    error_set(error, "the path %.500s is too long", path);
    return NULL;
}

bool recorder_check(const char *directory, struct error *error)
{
    char path[PATH_BYTES];
    bool made = mkdir(directory, 0755) == 0, found = made || errno == EEXIST;
    snprintf(path, sizeof path, "%.500s/check-XXXXXX", directory);
    int file = found ? mkostemp(path, O_CLOEXEC) : -1, reason = errno;
    if (file >= 0) {
        close(file);
        unlink(path);
    } else {
        error_set(error, "cannot record into %.500s: %s", directory, strerror(reason));
    }
    if (made)
        rmdir(directory);
    return file >= 0;
}

void recorder_retain(struct recorder *recorder, const struct retention *limits, int64_t unix_s)
{
    if (!recorder)
        return;
    pthread_mutex_lock(&recorder->lock);
    recorder->retention = *limits;
    recorder->retention_s = unix_s;
    recorder->retains = true;
    pthread_cond_signal(&recorder->due);
    pthread_mutex_unlock(&recorder->lock);
}

const char *recorder_path(const struct recorder *recorder)
{
    return recorder->path;
}

void recorder_tick(struct recorder *recorder, const struct command *commands, uint32_t command_count,
                   const struct player_input *inputs, const struct world *world)
{
    if (!recorder)
        return;
    replay_writer_tick(&recorder->writer, commands, command_count, inputs, world);
    if (world->tick % TICKS_PER_SECOND == 0)
        request_sync(recorder);
}

void recorder_seats(struct recorder *recorder, const struct replay_seat *seats, uint32_t seat_count)
{
    if (recorder)
        replay_writer_seats(&recorder->writer, seats, seat_count);
}

void recorder_hats(struct recorder *recorder, const uint8_t *hats)
{
    if (recorder)
        replay_writer_hats(&recorder->writer, hats);
}

void recorder_dice(struct recorder *recorder, const struct dice *dice, bool reveals)
{
    if (!recorder)
        return;
    replay_writer_dice(&recorder->writer, dice->commitment, reveals ? dice->secret : NULL);
    request_sync(recorder);
}

const char *recorder_fault(struct recorder *recorder)
{
    if (!recorder)
        return NULL;
    pthread_mutex_lock(&recorder->lock);
    bool failed = recorder->failed;
    pthread_mutex_unlock(&recorder->lock);
    return failed ? recorder->fault : NULL;
}

uint32_t recorder_syncs(struct recorder *recorder)
{
    pthread_mutex_lock(&recorder->lock);
    uint32_t syncs = recorder->failed ? 0 : recorder->syncs_done;
    pthread_mutex_unlock(&recorder->lock);
    return syncs;
}

size_t recorder_backlog_bytes(struct recorder *recorder)
{
    pthread_mutex_lock(&recorder->lock);
    size_t backlog = (size_t)(recorder->put - recorder->written);
    pthread_mutex_unlock(&recorder->lock);
    return backlog;
}

void recorder_end(struct recorder *recorder)
{
    if (!recorder || recorder->ending) // only this thread sets it
        return;
    replay_writer_end(&recorder->writer);
    let_end(recorder);
    pthread_mutex_lock(&recorder->lock);
    while (recorder->place[0] &&
           recorder->threads > 0) // begun a moment ago: the next recording may want the same place
        pthread_cond_wait(&recorder->progress, &recorder->lock);
    if (recorder->place[0])
        unlink(recorder->path); // it has failed, and has replaced nothing
    pthread_mutex_unlock(&recorder->lock);
}

bool recorder_is_done(struct recorder *recorder)
{
    pthread_mutex_lock(&recorder->lock);
    bool done = recorder->threads == 0;
    pthread_mutex_unlock(&recorder->lock);
    return done;
}

bool recorder_close(struct recorder *recorder, struct error *error)
{
    if (!recorder)
        return true;
    recorder_end(recorder);
    join(recorder);
    if (close(recorder->file) != 0)
        fail(recorder, strerror(errno));
    bool good = !recorder->failed;
    if (!good)
        error_set(error, "%s: the recording ends here: %s", recorder->path, recorder->fault);
    destroy(recorder);
    return good;
}
