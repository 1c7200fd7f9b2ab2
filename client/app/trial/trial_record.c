// SPDX-License-Identifier: MIT
#include "trial_record.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/input_script.h"
#include "app/text/text.h"
#include "base/file.h"
#include "base/platform/disk.h"
#include "game/trial_world.h"
#include "sync/world.h"
#include "wire/replay.h"

#define FILE_BYTES_MAX (1u << 20)

// What a writer gives away, in memory, so that a file is replaced as a whole.
struct buffer {
    uint8_t bytes[FILE_BYTES_MAX];
    size_t count;
};

void trial_record_path(const struct course *course, const char *folder, char *path, size_t path_bytes)
{
    snprintf(path, path_bytes, "%s/%s.dfr", folder, course->name);
}

void trial_record_play(struct trial_run *run, const struct course *course, const struct map *map)
{
    static struct world world;
    static struct player_input inputs[PLAYER_CAPACITY];
    trial_world_begin(&world, map, course->catches, course->variants);
    run->ticks = 0;
    for (uint32_t i = 0; i < TRIAL_TICKS_MAX && run->ticks == 0; i++) {
        inputs[0].buttons = run->buttons[i];
        world_step(&world, map, inputs);
        run->ticks = world.round.phase == ROUND_MATCH_OVER ? world.tick : 0;
    }
}

bool trial_record_read_gold(struct trial_run *run, const struct course *course, const struct map *map,
                            struct error *error)
{
    static struct input_script script;
    char path[1024];
    *run = (struct trial_run){0};
    if (!course_find(course, ".txt", path, sizeof path) || !input_script_load(&script, path, error))
        return false;
    for (uint32_t i = 0; i < TRIAL_TICKS_MAX; i++)
        run->buttons[i] = (uint8_t)input_script_buttons(&script, i + 1);
    trial_record_play(run, course, map);
    return true;
}

static bool is_of(const struct replay_reader *reader, const struct course *course, const struct map *map)
{
    static struct world first;
    trial_world_begin(&first, map, course->catches, course->variants);
    first.players[0].colour = reader->first.players[0].colour;
    return map_hash(&reader->map) == map_hash(map) && world_hash(&reader->first) == world_hash(&first);
}

void trial_record_read(struct trial_run *run, const struct course *course, const struct map *map, const char *folder)
{
    char path[4200];
    size_t byte_count;
    *run = (struct trial_run){0};
    trial_record_path(course, folder, path, sizeof path);
    uint8_t *bytes = folder[0] ? file_load(path, FILE_BYTES_MAX, &byte_count) : NULL;
    struct replay_reader *reader = bytes ? calloc(1, sizeof *reader) : NULL;
    if (reader && replay_reader_open(reader, bytes, byte_count) == REPLAY_OK && is_of(reader, course, map)) {
        for (uint32_t i = 0; i < TRIAL_TICKS_MAX && replay_reader_next(reader) == REPLAY_OK; i++)
            run->buttons[i] = (uint8_t)reader->inputs[0].buttons;
        run->colour = reader->first.players[0].colour;
        trial_record_play(run, course, map);
    }
    free(reader);
    free(bytes);
}

// Writes where a record is kept that cannot be played any more, while there is a newer one.
static void old_path(const struct course *course, const char *folder, char *path, size_t path_bytes)
{
    snprintf(path, path_bytes, "%s/%s-old.dfr", folder, course->name);
}

// Returns what a record took if it is of another version or map; else 0.
static uint32_t old_ticks(const char *path, const struct course *course, const struct map *map)
{
    size_t byte_count;
    uint8_t *bytes = file_load(path, FILE_BYTES_MAX, &byte_count);
    struct replay_reader *reader = bytes ? calloc(1, sizeof *reader) : NULL;
    uint32_t ticks = 0;
    if (reader) {
        enum replay_fault fault = replay_reader_open(reader, bytes, byte_count);
        bool is_old = fault == REPLAY_VERSION || (fault == REPLAY_OK && !is_of(reader, course, map));
        ticks = is_old && reader->last_tick <= TRIAL_TICKS_MAX ? reader->last_tick : 0;
    }
    free(reader);
    free(bytes);
    return ticks;
}

uint32_t trial_record_old_ticks(const struct course *course, const struct map *map, const char *folder)
{
    char path[4200];
    if (!folder[0])
        return 0;
    trial_record_path(course, folder, path, sizeof path);
    uint32_t ticks = old_ticks(path, course, map);
    old_path(course, folder, path, sizeof path);
    return ticks ? ticks : old_ticks(path, course, map);
}

static void keep_old(const struct course *course, const struct map *map, const char *folder, const char *path)
{
    char kept[4200];
    old_path(course, folder, kept, sizeof kept);
    if (old_ticks(path, course, map))
        (void)disk_move(path, kept);
}

static bool to_buffer(void *context, const uint8_t *bytes, size_t byte_count)
{
    struct buffer *buffer = context;
    if (byte_count > sizeof buffer->bytes - buffer->count)
        return false;
    memcpy(buffer->bytes + buffer->count, bytes, byte_count);
    buffer->count += byte_count;
    return true;
}

// Plays the run once more, into a replay.
static bool write_replay(const struct trial_run *run, const struct course *course, const struct map *map,
                         struct replay_writer *writer, struct buffer *buffer)
{
    static struct world world;
    static struct player_input inputs[PLAYER_CAPACITY];
    trial_world_begin(&world, map, course->catches, course->variants);
    world.players[0].colour = run->colour;
    bool good = replay_writer_begin(writer, to_buffer, buffer, map, &world);
    for (uint32_t i = 0; good && i < run->ticks; i++) {
        inputs[0].buttons = run->buttons[i];
        world_step(&world, map, inputs);
        good = replay_writer_tick(writer, NULL, 0, inputs, &world);
    }
    return good && replay_writer_end(writer);
}

bool trial_record_write(const struct trial_run *run, const struct course *course, const struct map *map,
                        const char *folder, struct error *error)
{
    char path[4200];
    struct replay_writer *writer = malloc(sizeof *writer);
    struct buffer *buffer = calloc(1, sizeof *buffer);
    trial_record_path(course, folder, path, sizeof path);
    keep_old(course, map, folder, path);
    bool good = writer && buffer && (disk_make_folder(folder, DISK_OWNER_FOLDER) || errno == EEXIST) &&
                write_replay(run, course, map, writer, buffer) && file_write(path, buffer->bytes, buffer->count);
    if (!good)
        error_set(error, text_of("The record %s cannot be written: %s."), path, strerror(errno));
    free(writer);
    free(buffer);
    return good;
}
