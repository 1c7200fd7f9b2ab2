// SPDX-License-Identifier: MIT
#include "trial.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/input_script.h"
#include "app/text/text.h"
#include "base/file.h"
#include "base/platform/disk.h"
#include "game/map/tiled/map_file.h"
#include "game/rules/mode.h"
#include "game/trial_world.h"
#include "game/tuning.h"
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

// How long a death is seen.
#define DEATH_TICKS 30
// How long the world goes on when all is done.
#define END_TICKS 120
// How long its result stays at least.
#define RESULT_TICKS 90

bool trial_open(struct trial *trial, const struct course *course, const char *folder, struct error *error)
{
    char path[1024];
    trial_close(trial);
    if (!course_find(course, ".tmj", path, sizeof path))
        return error_set(error, "The maps of Deadfall are not installed.");
    if (!map_file_read(path, &trial->map, error))
        return false;
    trial->course = course;
    trial->folder = folder;
    struct error none;
    trial_record_read_gold(&trial->ghosts[TRIAL_GOLD].run, course, &trial->map, &none);
    trial_record_read(&trial->ghosts[TRIAL_OWN].run, course, &trial->map, folder);
    trial_restart(trial);
    return true;
}

void trial_close(struct trial *trial)
{
    trial->course = NULL;
}

void trial_restart(struct trial *trial)
{
    const struct course *course = trial->course;
    trial_world_begin(&trial->world, &trial->map, course->catches, course->variants);
    // Two ticks until the player stands there, so that the course is seen with them in it.
    trial->inputs[0].buttons = 0;
    trial->run.buttons[0] = trial->run.buttons[1] = 0;
    for (uint32_t i = 0; i < 2; i++) {
        world_copy(&trial->before, &trial->world);
        world_step(&trial->world, &trial->map, trial->inputs);
    }
    for (uint32_t i = 0; i < TRIAL_GHOSTS; i++)
        world_copy(&trial->ghosts[i].world, &trial->world);
    trial->before.players[0].colour = trial->world.players[0].colour = trial->colour;
    trial->run.ticks = 0;
    trial->best_before_ticks = trial->ghosts[TRIAL_OWN].run.ticks;
    trial->is_done = false;
    trial->is_new = true;
    trial->view.event_count = 0;
}

static void step_ghost(struct trial *trial, struct trial_ghost *ghost)
{
    if (ghost->run.ticks == 0 || ghost->world.tick >= ghost->run.ticks)
        return;
    trial->inputs[0].buttons = ghost->run.buttons[ghost->world.tick];
    world_step(&ghost->world, &trial->map, trial->inputs);
}

static bool is_over(const struct trial *trial)
{
    const struct player *player = &trial->world.players[0];
    bool lesson = trial->course < COURSES + COURSE_LESSONS;
    return trial->world.tick == TRIAL_TICKS_MAX ||
           (!lesson && player->state == PLAYER_DEAD &&
            player->respawn_tick < trial->world.tick + TUNING.respawn_ticks - DEATH_TICKS);
}

static bool finish(struct trial *trial, struct error *error)
{
    struct trial_run *best = &trial->ghosts[TRIAL_OWN].run;
    trial->is_done = true;
    trial->run.ticks = trial->world.tick;
    trial->run.colour = trial->colour;
    if (best->ticks != 0 && best->ticks <= trial->run.ticks)
        return true;
    *best = trial->run;
    return trial->folder[0] == 0 || trial_record_write(best, trial->course, &trial->map, trial->folder, error);
}

bool trial_step(struct trial *trial, uint32_t buttons, struct error *error)
{
    bool waits = trial->world.tick == 2 && buttons == 0;
    if (waits || (trial->is_done && trial->world.tick > trial->run.ticks + END_TICKS))
        return true;
    world_copy(&trial->before, &trial->world);
    if (!trial->is_done) {
        trial->run.buttons[trial->world.tick] = (uint8_t)buttons;
        for (uint32_t i = 0; i < TRIAL_GHOSTS; i++)
            step_ghost(trial, &trial->ghosts[i]);
    }
    trial->inputs[0].buttons = trial->is_done ? 0 : buttons;
    world_step(&trial->world, &trial->map, trial->inputs);
    view_add_events(&trial->view, &trial->world, trial->before.event_count);
    if (!trial->is_done && trial->world.round.phase == ROUND_MATCH_OVER)
        return finish(trial, error);
    if (!trial->is_done && is_over(trial))
        trial_restart(trial);
    return true;
}

uint32_t trial_ticks(const struct trial *trial)
{
    return trial->is_done ? trial->run.ticks : trial->world.tick;
}

bool trial_leads_on(const struct trial *trial)
{
    return trial->is_done && trial->world.tick >= trial->run.ticks + RESULT_TICKS;
}

uint32_t trial_task(const struct trial *trial)
{
    uint32_t task = 0;
    for (int32_t i = 0; i < trial->map.switch_count; i++) {
        if (!mode_is_trial_task(&trial->map.switches[i]))
            continue;
        if (!trial->world.switches[i].on)
            return task;
        task++;
    }
    return (uint32_t)trial->world.players[0].score;
}

void trial_fill_view(struct trial *trial, uint32_t between)
{
    view_fill(&trial->view, &trial->map, &trial->before, &trial->world, between, NULL);
    trial->view.slot = 0;
    trial->view.hats = trial->hats;
}
