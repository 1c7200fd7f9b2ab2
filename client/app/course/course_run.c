// SPDX-License-Identifier: MIT
#include "course_run.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/input_script.h"
#include "base/file.h"
#include "base/platform/disk.h"
#include "game/map/tiled/map_file.h"
#include "game/rules/mode.h"
#include "game/trial_world.h"
#include "game/tuning.h"
#include "sync/world.h"
#include "text/text.h"
#include "wire/replay.h"

#define FILE_BYTES_MAX (1u << 20)
#define DEATH_TICKS    30  ///< for which a death is seen
#define END_TICKS      120 ///< for which the world goes on when all is done
#define RESULT_TICKS   90  ///< for which its result stays at least

// What a writer gives away, in memory, so that a file is replaced as a whole.
struct buffer {
    uint8_t bytes[FILE_BYTES_MAX];
    size_t count;
};

void course_record_path(const struct course *course, const char *folder, char *path, size_t path_bytes)
{
    snprintf(path, path_bytes, "%s/%s.dfr", folder, course->name);
}

void course_record_play(struct course_record *record, const struct course *course, const struct map *map)
{
    static struct world world;
    static struct player_input inputs[PLAYER_CAPACITY];
    trial_world_begin(&world, map, course->catches, course->variants);
    record->ticks = 0;
    for (uint32_t i = 0; i < COURSE_TICKS_MAX && record->ticks == 0; i++) {
        inputs[0].buttons = record->buttons[i];
        world_step(&world, map, inputs);
        record->ticks = world.round.phase == ROUND_MATCH_OVER ? world.tick : 0;
    }
}

bool course_record_read_gold(struct course_record *record, const struct course *course, const struct map *map,
                             struct error *error)
{
    static struct input_script script;
    char path[1024];
    *record = (struct course_record){0};
    if (!course_find(course, ".txt", path, sizeof path) || !input_script_load(&script, path, error))
        return false;
    for (uint32_t i = 0; i < COURSE_TICKS_MAX; i++)
        record->buttons[i] = (uint8_t)input_script_buttons(&script, i + 1);
    course_record_play(record, course, map);
    return true;
}

static bool is_of(const struct replay_reader *reader, const struct course *course, const struct map *map)
{
    static struct world first;
    trial_world_begin(&first, map, course->catches, course->variants);
    first.players[0].colour = reader->first.players[0].colour;
    return map_hash(&reader->map) == map_hash(map) && world_hash(&reader->first) == world_hash(&first);
}

void course_record_read(struct course_record *record, const struct course *course, const struct map *map,
                        const char *folder)
{
    char path[4200];
    size_t byte_count;
    *record = (struct course_record){0};
    course_record_path(course, folder, path, sizeof path);
    uint8_t *bytes = folder[0] ? file_load(path, FILE_BYTES_MAX, &byte_count) : NULL;
    struct replay_reader *reader = bytes ? calloc(1, sizeof *reader) : NULL;
    if (reader && replay_reader_open(reader, bytes, byte_count) == REPLAY_OK && is_of(reader, course, map)) {
        for (uint32_t i = 0; i < COURSE_TICKS_MAX && replay_reader_next(reader) == REPLAY_OK; i++)
            record->buttons[i] = (uint8_t)reader->inputs[0].buttons;
        record->colour = reader->first.players[0].colour;
        course_record_play(record, course, map);
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
        ticks = is_old && reader->last_tick <= COURSE_TICKS_MAX ? reader->last_tick : 0;
    }
    free(reader);
    free(bytes);
    return ticks;
}

uint32_t course_record_old_ticks(const struct course *course, const struct map *map, const char *folder)
{
    char path[4200];
    if (!folder[0])
        return 0;
    course_record_path(course, folder, path, sizeof path);
    uint32_t ticks = old_ticks(path, course, map);
    old_path(course, folder, path, sizeof path);
    return ticks ? ticks : old_ticks(path, course, map);
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
static bool write_replay(const struct course_record *record, const struct course *course, const struct map *map,
                         struct replay_writer *writer, struct buffer *buffer)
{
    static struct world world;
    static struct player_input inputs[PLAYER_CAPACITY];
    trial_world_begin(&world, map, course->catches, course->variants);
    world.players[0].colour = record->colour;
    bool good = replay_writer_begin(writer, to_buffer, buffer, map, &world);
    for (uint32_t i = 0; good && i < record->ticks; i++) {
        inputs[0].buttons = record->buttons[i];
        world_step(&world, map, inputs);
        good = replay_writer_tick(writer, NULL, 0, inputs, &world);
    }
    return good && replay_writer_end(writer);
}

bool course_record_write(const struct course_record *record, const struct course *course, const struct map *map,
                         const char *folder, struct error *error)
{
    char path[4200], kept[4200];
    struct replay_writer *writer = malloc(sizeof *writer);
    struct buffer *buffer = calloc(1, sizeof *buffer);
    course_record_path(course, folder, path, sizeof path);
    old_path(course, folder, kept, sizeof kept);
    if (old_ticks(path, course, map))
        (void)disk_move(path, kept);
    bool good = writer && buffer && (disk_make_folder(folder, DISK_OWNER_FOLDER) || errno == EEXIST) &&
                write_replay(record, course, map, writer, buffer) && file_write(path, buffer->bytes, buffer->count);
    if (!good)
        error_set(error, text_of("The record %s cannot be written: %s."), path, strerror(errno));
    free(writer);
    free(buffer);
    return good;
}

void course_record_list(const char *folder, uint32_t ticks[COURSE_COUNT], uint32_t old_ticks[COURSE_COUNT])
{
    static struct course_record record;
    static struct map map;
    char path[1024];
    struct error error;
    for (size_t i = 0; i < COURSE_COUNT; i++) {
        ticks[i] = old_ticks[i] = 0;
        if (!course_find(&COURSES[i], ".tmj", path, sizeof path) || !map_file_read(path, &map, &error))
            continue;
        course_record_read(&record, &COURSES[i], &map, folder);
        ticks[i] = record.ticks;
        old_ticks[i] = course_record_old_ticks(&COURSES[i], &map, folder);
    }
}

bool course_run_open(struct course_run *run, const struct course *course, const char *folder, struct error *error)
{
    char path[1024];
    course_run_close(run);
    if (!course_find(course, ".tmj", path, sizeof path))
        return error_set(error, "The maps of Deadfall are not installed.");
    if (!map_file_read(path, &run->map, error))
        return false;
    run->course = course;
    run->folder = folder;
    struct error none;
    course_record_read_gold(&run->ghosts[COURSE_GOLD].record, course, &run->map, &none);
    course_record_read(&run->ghosts[COURSE_OWN].record, course, &run->map, folder);
    course_run_restart(run);
    return true;
}

void course_run_close(struct course_run *run)
{
    run->course = NULL;
}

void course_run_restart(struct course_run *run)
{
    const struct course *course = run->course;
    trial_world_begin(&run->world, &run->map, course->catches, course->variants);
    // Two ticks until the player stands there, so that the course is seen with them in it.
    run->inputs[0].buttons = 0;
    run->record.buttons[0] = run->record.buttons[1] = 0;
    for (uint32_t i = 0; i < 2; i++) {
        world_copy(&run->before, &run->world);
        world_step(&run->world, &run->map, run->inputs);
    }
    for (uint32_t i = 0; i < COURSE_GHOSTS; i++)
        world_copy(&run->ghosts[i].world, &run->world);
    run->before.players[0].colour = run->world.players[0].colour = run->colour;
    run->record.ticks = 0;
    run->best_before_ticks = run->ghosts[COURSE_OWN].record.ticks;
    run->is_done = false;
    run->is_new = true;
    run->view.event_count = 0;
}

bool course_run_step(struct course_run *run, uint32_t buttons, struct error *error)
{
    bool waits = run->world.tick == 2 && buttons == 0;
    if (waits || (run->is_done && run->world.tick > run->record.ticks + END_TICKS))
        return true;
    world_copy(&run->before, &run->world);
    if (!run->is_done) {
        run->record.buttons[run->world.tick] = (uint8_t)buttons;
        for (uint32_t i = 0; i < COURSE_GHOSTS; i++) {
            struct course_ghost *ghost = &run->ghosts[i];
            if (ghost->world.tick >= ghost->record.ticks)
                continue;
            run->inputs[0].buttons = ghost->record.buttons[ghost->world.tick];
            world_step(&ghost->world, &run->map, run->inputs);
        }
    }
    run->inputs[0].buttons = run->is_done ? 0 : buttons;
    world_step(&run->world, &run->map, run->inputs);
    view_add_events(&run->view, &run->world, run->before.event_count);
    if (run->is_done)
        return true;
    if (run->world.round.phase == ROUND_MATCH_OVER) {
        struct course_record *best = &run->ghosts[COURSE_OWN].record;
        run->is_done = true;
        run->record.ticks = run->world.tick;
        run->record.colour = run->colour;
        if (best->ticks != 0 && best->ticks <= run->record.ticks)
            return true;
        *best = run->record;
        return run->folder[0] == 0 || course_record_write(best, run->course, &run->map, run->folder, error);
    }
    const struct player *player = &run->world.players[0];
    bool has_died =
        player->state == PLAYER_DEAD && player->respawn_tick < run->world.tick + TUNING.respawn_ticks - DEATH_TICKS;
    if (run->world.tick == COURSE_TICKS_MAX || (has_died && !course_is_lesson(run->course)))
        course_run_restart(run);
    return true;
}

uint32_t course_run_ticks(const struct course_run *run)
{
    return run->is_done ? run->record.ticks : run->world.tick;
}

bool course_run_leads_on(const struct course_run *run)
{
    return run->is_done && run->world.tick >= run->record.ticks + RESULT_TICKS;
}

uint32_t course_run_task(const struct course_run *run)
{
    uint32_t task = 0;
    for (int32_t i = 0; i < run->map.switch_count; i++) {
        if (!mode_is_trial_task(&run->map.switches[i]))
            continue;
        if (!run->world.switches[i].on)
            return task;
        task++;
    }
    return (uint32_t)run->world.players[0].score;
}

void course_run_fill_view(struct course_run *run, uint32_t between)
{
    view_fill(&run->view, &run->map, &run->before, &run->world, between, NULL);
    run->view.slot = 0;
    run->view.hats = run->hats;
}
