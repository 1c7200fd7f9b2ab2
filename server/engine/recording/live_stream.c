// SPDX-License-Identifier: MIT
#include "live_stream.h"

#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/log.h"
#include "base/platform/disk.h"
#include "options/options.h"
#include "sync/game.h"
#include "wire/message.h"

#define RING_BYTES  (16u << 20) ///< the longest delay of a full match
#define FILES       512         ///< that may wait
#define NAME_BYTES  96          ///< of a file
#define MATCH_BYTES 48          ///< of a match's name
#define PATH_BYTES  1200
#define INDEX_BYTES 2048
#define MIB         ((uint64_t)1 << 20)

// A match, as the index describes it.
struct live_match {
    char name[MATCH_BYTES]; // that its files begin with
    char map[GAME_MAP_NAME_BYTES];
    struct rules rules;
    uint32_t number; // 1 for the first match
    tick first;      // of its first world
};

// A file that is written, or waits for the disk.
struct live_file {
    struct live_match match;
    bool is_head, is_last; // the last chunk of a match that is over
    bool is_lost;          // it did not fit into the ring
    uint32_t chunk;        // the number of a chunk
    uint64_t begin, end;   // in bytes that went through the ring
    uint64_t due_ticks;    // when it may be published
};

struct live_stream {
    struct replay_writer replay;
    char folder[1024], server[OPTION_TEXT_BYTES];
    uint32_t delay_s;
    int folder_lock;
    bool is_on;            // a match is published
    struct live_file open; // what is being written
    pthread_t thread;
    pthread_mutex_t lock; // of everything below
    pthread_cond_t work;  // a file may be due
    uint64_t ticks;       // of all matches
    uint64_t put, freed;  // bytes that went through the ring
    uint32_t begun, done; // files ever
    bool closing;
    uint64_t lost;
    struct error lost_why;
    uint64_t chunks, bytes; // that were placed
    uint64_t newest_ticks;  // `ticks` at the end of the newest of these chunks
    struct live_file files[FILES];
    struct {
        uint32_t match, chunk;
        char name[NAME_BYTES];
    } kept[LIVE_STREAM_KEPT]; // chunks on the disk, a ring; only of the thread
    uint32_t kept_count;      // ever
    uint8_t ring[RING_BYTES];
};

// --- the folder

static bool refuse(const char *folder, const char *why, struct error *error)
{
    return error_set(error, "cannot publish into %.500s: %s", folder, why);
}

// The folder's index.json, if it has one, must be that of a live stream.
static bool check_place(const char *folder, uint64_t least_bytes, struct error *error)
{
    char why[128], path[PATH_BYTES], begin[sizeof LIVE_STREAM_INDEX_BEGIN] = "";
    struct disk_room disk;
    if (!disk_can_create(folder))
        return refuse(folder, strerror(errno), error);
    snprintf(path, sizeof path, "%.1000s/" LIVE_STREAM_INDEX, folder);
    FILE *file = fopen(path, "re");
    bool is_own = !file && errno == ENOENT;
    if (file) {
        is_own =
            fread(begin, 1, sizeof begin - 1, file) == sizeof begin - 1 && strcmp(begin, LIVE_STREAM_INDEX_BEGIN) == 0;
        fclose(file);
    }
    if (!is_own)
        return refuse(folder, "its " LIVE_STREAM_INDEX " belongs to something else; choose a folder of its own", error);
    uint64_t room = disk_find_room(folder, &disk) ? disk.available_bytes : UINT64_MAX;
    snprintf(why, sizeof why, "its disk has %u MiB left, and %u are needed", (unsigned)(room / MIB),
             (unsigned)(least_bytes / MIB));
    return room >= least_bytes || refuse(folder, why, error);
}

bool live_stream_check(const char *folder, uint64_t least_bytes, struct error *error)
{
    bool made = disk_make_folder(folder, DISK_PUBLIC_FOLDER);
    if (!made && errno != EEXIST)
        return refuse(folder, strerror(errno), error);
    bool good = check_place(folder, least_bytes, error);
    if (made)
        disk_remove_folder(folder);
    return good;
}

// Makes the folder and clears it of an earlier stream. Returns a descriptor that holds its lock until it is closed; -1
// with an error.
static int open_folder(const char *folder, struct error *error)
{
    if (!disk_make_folder(folder, DISK_PUBLIC_FOLDER) && errno != EEXIST) {
        refuse(folder, strerror(errno), error);
        return -1;
    }
    if (!check_place(folder, 0, error))
        return -1;
    int lock = disk_lock_folder(folder);
    struct disk_list *names = lock >= 0 ? disk_list_open(folder) : NULL;
    if (!names) {
        refuse(folder, lock < 0 && errno == EWOULDBLOCK ? "another server publishes there" : strerror(errno), error);
        if (lock >= 0)
            disk_close(lock);
        return -1;
    }
    static const char *const ENDINGS[] = {LIVE_STREAM_HEAD, LIVE_STREAM_CHUNK, LIVE_STREAM_HEAD LIVE_STREAM_FRESH,
                                          LIVE_STREAM_CHUNK LIVE_STREAM_FRESH};
    char path[PATH_BYTES];
    for (const char *name; (name = disk_list_next(names));) {
        const char *ending = name + strspn(name, "0123456789-"); // names are of digits up to it: nothing else goes
        snprintf(path, sizeof path, "%.1000s/%.150s", folder, name);
        for (size_t i = 0; i < sizeof ENDINGS / sizeof *ENDINGS; i++)
            if (ending > name && strcmp(ending, ENDINGS[i]) == 0)
                disk_remove(path);
    }
    disk_list_close(names);
    return lock;
}

// --- the thread

// Places a file of two parts under its name when it is whole. A web server reads it. Nothing is synced: a
// disk that is slow at it would lose chunks, and the next server begins a stream of its own.
static bool place(struct live_stream *stream, const char *name, const uint8_t *const parts[2], const size_t bytes[2])
{
    char path[PATH_BYTES], fresh[PATH_BYTES + sizeof LIVE_STREAM_FRESH];
    snprintf(path, sizeof path, "%s/%s", stream->folder, name);
    snprintf(fresh, sizeof fresh, "%s" LIVE_STREAM_FRESH, path);
    int file = disk_open(fresh, DISK_REPLACE | DISK_NO_LINK, DISK_PUBLIC);
    bool good = file >= 0 && file_write_all(file, parts[0], bytes[0]) && file_write_all(file, parts[1], bytes[1]);
    int reason = errno;
    good = (file < 0 || disk_close(file) || !good) && good;
    bool placed = good && disk_move(fresh, path);
    reason = good ? errno : reason;
    pthread_mutex_lock(&stream->lock);
    stream->bytes += placed ? bytes[0] + bytes[1] : 0;
    if (placed) {
        pthread_mutex_unlock(&stream->lock);
        return true;
    }
    stream->lost++;
    error_set(&stream->lost_why, "%s: %s", path, strerror(reason));
    pthread_mutex_unlock(&stream->lock);
    if (file >= 0)
        disk_remove(fresh);
    return false;
}

static void remove_file(const struct live_stream *stream, const char *name)
{
    char path[PATH_BYTES];
    snprintf(path, sizeof path, "%s/%s", stream->folder, name);
    disk_remove(path);
}

// Makes room for one more chunk. With the last chunk of a match, its head goes.
static void forget_oldest(struct live_stream *stream)
{
    uint32_t at = stream->kept_count % LIVE_STREAM_KEPT, next = (at + 1) % LIVE_STREAM_KEPT;
    if (stream->kept_count < LIVE_STREAM_KEPT)
        return;
    remove_file(stream, stream->kept[at].name);
    if (stream->kept[at].match == stream->kept[next].match)
        return;
    char *end = strrchr(stream->kept[at].name, '-');
    memcpy(end, LIVE_STREAM_HEAD, sizeof LIVE_STREAM_HEAD);
    remove_file(stream, stream->kept[at].name);
}

static void write_index(struct live_stream *stream, const struct live_file *newest)
{
    char text[INDEX_BYTES] = LIVE_STREAM_INDEX_BEGIN;
    const struct live_match *match = &newest->match;
    uint32_t oldest = stream->kept_count - 1, kept = 0; // chunk of this match on the disk
    while (kept < LIVE_STREAM_KEPT && kept < stream->kept_count &&
           stream->kept[(stream->kept_count - 1 - kept) % LIVE_STREAM_KEPT].match == match->number)
        oldest = stream->kept[(stream->kept_count - 1 - kept++) % LIVE_STREAM_KEPT].chunk;
    struct fields fields = {"live",
                            "",
                            {{"protocol", .number = PROTOCOL_VERSION},
                             {"format", .number = REPLAY_FORMAT},
                             {"server", .text = stream->server},
                             {"match", .text = match->name},
                             {"map", .text = match->map},
                             {"mode", .text = game_mode_name(&match->rules)},
                             {"chunk_ticks", .number = LIVE_STREAM_CHUNK_TICKS},
                             {"first_tick", .number = match->first},
                             {"oldest", .number = oldest},
                             {"newest", .number = newest->chunk},
                             {"delay_s", .number = stream->delay_s},
                             {"over", .number = newest->is_last, .is_flag = true}}};
    size_t used = strlen(text);
    used += log_fields_json(&fields, text + used, sizeof text - used - 2);
    memcpy(text + used, "}\n", 2);
    place(stream, LIVE_STREAM_INDEX, (const uint8_t *const[]){(const uint8_t *)text, NULL},
          (const size_t[]){used + 2, 0});
}

static void publish(struct live_stream *stream, const struct live_file *file)
{
    char name[NAME_BYTES];
    size_t at = file->begin % RING_BYTES, bytes = (size_t)(file->end - file->begin);
    size_t first = bytes < RING_BYTES - at ? bytes : RING_BYTES - at;
    if (file->is_head)
        snprintf(name, sizeof name, "%s" LIVE_STREAM_HEAD, file->match.name);
    else
        snprintf(name, sizeof name, "%s-%" PRIu32 LIVE_STREAM_CHUNK, file->match.name, file->chunk);
    if (!place(stream, name, (const uint8_t *const[]){stream->ring + at, stream->ring},
               (const size_t[]){first, bytes - first}) ||
        file->is_head)
        return;
    pthread_mutex_lock(&stream->lock);
    stream->chunks++;
    stream->newest_ticks = file->due_ticks - stream->delay_s * TICKS_PER_SECOND;
    pthread_mutex_unlock(&stream->lock);
    forget_oldest(stream);
    uint32_t slot = stream->kept_count++ % LIVE_STREAM_KEPT;
    stream->kept[slot].match = file->match.number;
    stream->kept[slot].chunk = file->chunk;
    memcpy(stream->kept[slot].name, name, sizeof name);
    write_index(stream, file);
}

static bool is_due(const struct live_stream *stream)
{
    return stream->done != stream->begun && stream->files[stream->done % FILES].due_ticks <= stream->ticks;
}

static void *run(void *context)
{
    struct live_stream *stream = context;
    pthread_mutex_lock(&stream->lock);
    for (;;) {
        while (!is_due(stream) && !stream->closing)
            pthread_cond_wait(&stream->work, &stream->lock);
        if (!is_due(stream))
            break;
        struct live_file file = stream->files[stream->done % FILES];
        pthread_mutex_unlock(&stream->lock);
        publish(stream, &file);
        pthread_mutex_lock(&stream->lock);
        stream->done++;
        stream->freed = file.end;
    }
    pthread_mutex_unlock(&stream->lock);
    return NULL;
}

// --- the match

// The sink of the replay writer. A file that does not fit is lost as a whole; the next one begins with a keyframe.
static bool put(void *context, const uint8_t *bytes, size_t byte_count)
{
    struct live_stream *stream = context;
    pthread_mutex_lock(&stream->lock);
    stream->open.is_lost = stream->open.is_lost || stream->put + byte_count - stream->freed > RING_BYTES;
    pthread_mutex_unlock(&stream->lock);
    if (stream->open.is_lost)
        return true;
    size_t at = stream->put % RING_BYTES, first = byte_count < RING_BYTES - at ? byte_count : RING_BYTES - at;
    memcpy(stream->ring + at, bytes, first);
    memcpy(stream->ring, bytes + first, byte_count - first);
    stream->put += byte_count;
    return true;
}

// Ends the file that is being written, and begins the next one.
static void cut(struct live_stream *stream)
{
    struct live_file *open = &stream->open;
    pthread_mutex_lock(&stream->lock);
    if (open->is_lost || stream->begun - stream->done == FILES) {
        stream->put = open->begin;
        stream->lost++;
        error_set(&stream->lost_why, "the disk is too slow for the live stream");
        stream->is_on = stream->is_on && !open->is_head;
    } else if (stream->put > open->begin) {
        open->end = stream->put;
        open->due_ticks = stream->ticks + stream->delay_s * TICKS_PER_SECOND;
        stream->files[stream->begun++ % FILES] = *open;
        pthread_cond_signal(&stream->work);
    }
    pthread_mutex_unlock(&stream->lock);
    *open = (struct live_file){.match = open->match, .begin = stream->put};
}

void live_stream_begin(struct live_stream *stream, const struct map *map, const struct world *first,
                       const struct dice *dice, int64_t unix_s)
{
    if (!stream)
        return;
    struct live_match *match = &stream->open.match;
    *match = (struct live_match){.rules = first->rules, .number = match->number + 1, .first = first->tick};
    snprintf(match->name, sizeof match->name, "%" PRId64 "-%" PRIu32 "-%" PRIu32, unix_s, (uint32_t)first->tick,
             match->number);
    memcpy(match->map, game_map_name(map), sizeof match->map);
    stream->is_on = true;
    stream->open.is_head = true;
    replay_writer_begin(&stream->replay, put, stream, map, first);
    replay_writer_set_stride(&stream->replay, LIVE_STREAM_CHUNK_TICKS);
    replay_writer_dice(&stream->replay, dice->commitment, NULL);
    cut(stream);
    stream->open.chunk = (first->tick + 1) / LIVE_STREAM_CHUNK_TICKS;
}

void live_stream_tick(struct live_stream *stream, const struct command *commands, uint32_t command_count,
                      const struct player_input *inputs, const struct world *world)
{
    if (!stream)
        return;
    pthread_mutex_lock(&stream->lock);
    stream->ticks++;
    if (is_due(stream))
        pthread_cond_signal(&stream->work);
    pthread_mutex_unlock(&stream->lock);
    if (!stream->is_on)
        return;
    if (world->tick % LIVE_STREAM_CHUNK_TICKS == 0) {
        cut(stream);
        stream->open.chunk = world->tick / LIVE_STREAM_CHUNK_TICKS;
    }
    replay_writer_tick(&stream->replay, commands, command_count, inputs, world);
}

void live_stream_hats(struct live_stream *stream, const uint8_t *hats)
{
    if (stream && stream->is_on)
        replay_writer_hats(&stream->replay, hats);
}

void live_stream_end(struct live_stream *stream, const struct dice *dice)
{
    if (!stream || !stream->is_on)
        return;
    if (dice)
        replay_writer_dice(&stream->replay, dice->commitment, dice->secret);
    stream->open.is_last = dice != NULL;
    cut(stream);
    stream->is_on = false;
}

void live_stream_read_totals(struct live_stream *stream, struct live_stream_totals *totals)
{
    pthread_mutex_lock(&stream->lock);
    *totals = (struct live_stream_totals){.chunks = stream->chunks,
                                          .bytes = stream->bytes,
                                          .lost = stream->lost,
                                          .delay_s = stream->delay_s,
                                          .behind_ticks = (uint32_t)(stream->ticks - stream->newest_ticks)};
    pthread_mutex_unlock(&stream->lock);
}

uint64_t live_stream_lost(struct live_stream *stream, struct error *why)
{
    pthread_mutex_lock(&stream->lock);
    uint64_t lost = stream->lost;
    *why = stream->lost_why;
    pthread_mutex_unlock(&stream->lock);
    return lost;
}

// --- from open to close

static void destroy(struct live_stream *stream)
{
    pthread_cond_destroy(&stream->work);
    pthread_mutex_destroy(&stream->lock);
    disk_close(stream->folder_lock);
    free(stream);
}

struct live_stream *live_stream_open(const struct live_stream_config *config, struct error *error)
{
    int lock = open_folder(config->folder, error);
    if (lock < 0)
        return NULL;
    struct live_stream *stream = calloc(1, sizeof *stream);
    if (stream) {
        snprintf(stream->folder, sizeof stream->folder, "%s", config->folder);
        snprintf(stream->server, sizeof stream->server, "%s", config->server);
        stream->delay_s = config->delay_s;
        pthread_mutex_init(&stream->lock, NULL);
        pthread_cond_init(&stream->work, NULL);
        stream->folder_lock = lock;
    }
    if (stream && pthread_create(&stream->thread, NULL, run, stream) == 0)
        return stream;
    error_set(error, "cannot publish into %.500s: out of memory or threads", config->folder);
    if (stream)
        destroy(stream);
    else
        disk_close(lock);
    return NULL;
}

void live_stream_close(struct live_stream *stream)
{
    if (!stream)
        return;
    live_stream_end(stream, NULL);
    pthread_mutex_lock(&stream->lock);
    stream->closing = true;
    pthread_cond_signal(&stream->work);
    pthread_mutex_unlock(&stream->lock);
    pthread_join(stream->thread, NULL);
    destroy(stream);
}
