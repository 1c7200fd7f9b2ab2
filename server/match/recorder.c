// SPDX-License-Identifier: MIT
#include "recorder.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"

// A minute of a full match: a disk may be busy for long.
#define RING_BYTES (1u << 20)

#define PATH_BYTES 600

struct recorder {
    struct replay_writer writer;
    int file;
    char path[PATH_BYTES];
    pthread_t thread;
    pthread_mutex_t lock; // of all that follows
    pthread_cond_t more;  // to write, for the thread
    pthread_cond_t less;  // than before, or a fault: for who waits for the first bytes
    uint64_t put, got;    // bytes ever put into the ring, and written from it
    bool ending;
    uint64_t syncs_wanted, syncs_done; // what has been written is to be made safe
    char fault[200];
    uint8_t ring[RING_BYTES];
};

static void fail(struct recorder *recorder, const char *why)
{
    if (!recorder->fault[0])
        snprintf(recorder->fault, sizeof recorder->fault, "%s", why);
}

// The sink of the replay writer, on the tick's thread.
static bool put(void *context, const uint8_t *bytes, size_t byte_count)
{
    struct recorder *recorder = context;
    pthread_mutex_lock(&recorder->lock);
    bool fits = byte_count <= RING_BYTES - (recorder->put - recorder->got);
    if (!fits)
        fail(recorder, "the disk cannot keep up");
    bool good = !recorder->fault[0];
    for (size_t done = 0; good && done < byte_count;) {
        size_t at = recorder->put % RING_BYTES;
        size_t part = byte_count - done < RING_BYTES - at ? byte_count - done : RING_BYTES - at;
        memcpy(recorder->ring + at, bytes + done, part);
        recorder->put += part;
        done += part;
    }
    pthread_cond_signal(&recorder->more);
    pthread_mutex_unlock(&recorder->lock);
    return good;
}

// Writes what lies in one piece in the ring, without the lock: the other side only adds beyond it.
static void write_piece(struct recorder *recorder)
{
    size_t at = recorder->got % RING_BYTES, piece = recorder->put - recorder->got;
    piece = piece < RING_BYTES - at ? piece : RING_BYTES - at;
    pthread_mutex_unlock(&recorder->lock);
    ssize_t written = write(recorder->file, recorder->ring + at, piece);
    int reason = errno;
    pthread_mutex_lock(&recorder->lock);
    if (written > 0)
        recorder->got += (uint64_t)written;
    else if (reason != EINTR)
        fail(recorder, strerror(reason));
}

// Some files have no disk behind them; that is not a fault.
static void sync_file(struct recorder *recorder)
{
    uint64_t wanted = recorder->syncs_wanted;
    pthread_mutex_unlock(&recorder->lock);
    bool good = fdatasync(recorder->file) == 0 || errno == EINVAL || errno == EROFS;
    int reason = errno;
    pthread_mutex_lock(&recorder->lock);
    recorder->syncs_done = wanted;
    if (!good)
        fail(recorder, strerror(reason));
}

static void *write_all(void *context)
{
    struct recorder *recorder = context;
    pthread_mutex_lock(&recorder->lock);
    while (!recorder->fault[0]) {
        if (recorder->put != recorder->got)
            write_piece(recorder);
        else if (recorder->syncs_done != recorder->syncs_wanted)
            sync_file(recorder);
        else if (recorder->ending)
            break;
        else
            pthread_cond_wait(&recorder->more, &recorder->lock);
        pthread_cond_signal(&recorder->less);
    }
    pthread_mutex_unlock(&recorder->lock);
    return NULL;
}

static void create_file(struct recorder *recorder, const char *directory, int64_t unix_time, const char *map_name)
{
    char when[CLOCK_DATE_BYTES];
    if (!clock_date_utc(unix_time, "%Y%m%d-%H%M%S", when, sizeof when))
        strcpy(when, "undated");
    if (mkdir(directory, 0755) != 0 && errno != EEXIST)
        return;
    for (int number = 1; number < 1000; number++) {
        char again[8] = "";
        if (number > 1)
            snprintf(again, sizeof again, "-%d", number);
        snprintf(recorder->path, sizeof recorder->path, "%.500s/%.*s-%s%s.dfr", directory, MAP_NAME_CAPACITY, map_name,
                 when, again);
        recorder->file = open(recorder->path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
        if (recorder->file >= 0 || errno != EEXIST)
            return;
    }
}

// Ends the thread when it has written the rest.
static void stop(struct recorder *recorder)
{
    pthread_mutex_lock(&recorder->lock);
    recorder->ending = true;
    recorder->syncs_wanted++;
    pthread_cond_signal(&recorder->more);
    pthread_mutex_unlock(&recorder->lock);
    pthread_join(recorder->thread, NULL);
}

static void destroy(struct recorder *recorder)
{
    pthread_cond_destroy(&recorder->less);
    pthread_cond_destroy(&recorder->more);
    pthread_mutex_destroy(&recorder->lock);
    free(recorder);
}

// Waits until the head of the file is safe, so that a full disk is reported at once, every time.
static bool begin(struct recorder *recorder, const struct map *map, const struct world *first)
{
    bool begun = replay_writer_begin(&recorder->writer, put, recorder, map, first);
    pthread_mutex_lock(&recorder->lock);
    recorder->syncs_wanted++;
    pthread_cond_signal(&recorder->more);
    while (begun && recorder->syncs_done != recorder->syncs_wanted && !recorder->fault[0])
        pthread_cond_wait(&recorder->less, &recorder->lock);
    bool good = begun && !recorder->fault[0];
    pthread_mutex_unlock(&recorder->lock);
    if (!good)
        stop(recorder);
    return good;
}

static bool start(struct recorder *recorder, const struct map *map, const struct world *first)
{
    int reason = pthread_create(&recorder->thread, NULL, write_all, recorder);
    if (reason)
        fail(recorder, strerror(reason));
    return !reason && begin(recorder, map, first);
}

static struct recorder *create(void)
{
    struct recorder *recorder = calloc(1, sizeof *recorder);
    if (!recorder)
        return NULL;
    recorder->file = -1;
    pthread_mutex_init(&recorder->lock, NULL);
    pthread_cond_init(&recorder->more, NULL);
    pthread_cond_init(&recorder->less, NULL);
    return recorder;
}

// The second half of opening, with or without a file. Null on failure: nothing is left then.
static struct recorder *open_or_free(struct recorder *recorder, const struct map *map, const struct world *first,
                                     const char *place, struct error *error)
{
    if (recorder && recorder->file < 0)
        fail(recorder, strerror(errno));
    else if (recorder && start(recorder, map, first))
        return recorder;
    error_set(error, "cannot record into %.300s: %s", place, recorder ? recorder->fault : "out of memory");
    if (!recorder)
        return NULL;
    if (recorder->file >= 0) {
        close(recorder->file);
        unlink(recorder->path);
    }
    destroy(recorder);
    return NULL;
}

struct recorder *recorder_open(const char *directory, int64_t unix_time, const struct map *map,
                               const struct world *first, struct error *error)
{
    struct recorder *recorder = create();
    if (recorder)
        create_file(recorder, directory, unix_time, map->name);
    return open_or_free(recorder, map, first, directory, error);
}

struct recorder *recorder_open_at(const char *path, const struct map *map, const struct world *first,
                                  struct error *error)
{
    struct recorder *recorder = create();
    if (recorder) {
        snprintf(recorder->path, sizeof recorder->path, "%s", path);
        recorder->file = open(recorder->path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    }
    return open_or_free(recorder, map, first, path, error);
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
        error_set(error, "cannot record into %.300s: %s", directory, strerror(reason));
    }
    if (made)
        rmdir(directory);
    return file >= 0;
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
    if (world->tick % TICKS_PER_SECOND == 0) {
        pthread_mutex_lock(&recorder->lock);
        recorder->syncs_wanted++;
        pthread_cond_signal(&recorder->more);
        pthread_mutex_unlock(&recorder->lock);
    }
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

const char *recorder_fault(struct recorder *recorder)
{
    if (!recorder)
        return NULL;
    pthread_mutex_lock(&recorder->lock);
    bool failed = recorder->fault[0];
    pthread_mutex_unlock(&recorder->lock);
    return failed ? recorder->fault : NULL;
}

size_t recorder_backlog_bytes(struct recorder *recorder)
{
    pthread_mutex_lock(&recorder->lock);
    size_t backlog = (size_t)(recorder->put - recorder->got);
    pthread_mutex_unlock(&recorder->lock);
    return backlog;
}

bool recorder_close(struct recorder *recorder, struct error *error)
{
    if (!recorder)
        return true;
    replay_writer_end(&recorder->writer);
    stop(recorder);
    if (close(recorder->file) != 0)
        fail(recorder, strerror(errno));
    bool good = !recorder->fault[0];
    if (!good)
        error_set(error, "%s: the recording ends here: %s", recorder->path, recorder->fault);
    destroy(recorder);
    return good;
}
