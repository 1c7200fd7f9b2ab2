// SPDX-License-Identifier: MIT
#include "replay_viewer.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/platform/key_actions.h"
#include "replay_bar.h"

#define NORMAL         2
#define TICK_PARTS     1000000u
#define STEPS_MAX      32 ///< of one call: what takes longer is not made up for
#define NEAR_TICKS     (5 * TICKS_PER_SECOND)
#define FAR_TICKS      (30 * TICKS_PER_SECOND)
#define FILE_BYTES_MAX (512u << 20)

static const struct {
    const char *name;
    uint32_t quarters;
} SPEEDS[REPLAY_VIEWER_SPEEDS] = {{"1/4", 1}, {"1/2", 2}, {"1", 4}, {"2", 8}, {"4", 16}, {"8", 32}};

const char *replay_viewer_speed_name(const struct replay_viewer *theatre)
{
    return SPEEDS[theatre->speed].name;
}

static bool refuse(struct replay_viewer *theatre, const char *path, const char *why, struct error *error)
{
    error_set(error, "The replay %s cannot be shown: %s.", path, why);
    replay_viewer_close(theatre);
    return false;
}

// The whole file; null, with errno, if it cannot be read.
static uint8_t *read_all(const char *path, size_t *byte_count)
{
    FILE *file = fopen(path, "rb");
    uint8_t *bytes = 0;
    long size = -1;
    if (file && !fseek(file, 0, SEEK_END))
        size = ftell(file);
    if (size > (long)FILE_BYTES_MAX)
        errno = EFBIG;
    else if (size >= 0)
        bytes = malloc((size_t)size + 1);
    if (bytes && (fseek(file, 0, SEEK_SET) || fread(bytes, 1, (size_t)size, file) != (size_t)size)) {
        free(bytes);
        bytes = 0;
    }
    *byte_count = bytes ? (size_t)size : 0;
    if (file)
        fclose(file);
    return bytes;
}

// A replay that was cut off has no index that tells its length.
static tick last_tick(struct replay_reader *reader)
{
    if (reader->last_tick)
        return reader->last_tick;
    while (replay_reader_next(reader) == REPLAY_OK)
        ;
    return reader->tick;
}

bool replay_viewer_open(struct replay_viewer *theatre, const char *path, struct error *error)
{
    size_t byte_count;
    replay_viewer_close(theatre);
    theatre->bytes = read_all(path, &byte_count);
    if (!theatre->bytes)
        return refuse(theatre, path, strerror(errno), error);
    enum replay_fault fault = playback_open(&theatre->playback, theatre->bytes, byte_count);
    if (fault != REPLAY_OK)
        return refuse(theatre, path, replay_fault_sentence(fault), error);
    theatre->speed = NORMAL;
    theatre->first = theatre->playback.world.tick;
    theatre->last = last_tick(&theatre->playback.reader);
    replay_viewer_seek(theatre, theatre->first);
    return true;
}

void replay_viewer_close(struct replay_viewer *theatre)
{
    free(theatre->bytes);
    memset(theatre, 0, sizeof *theatre);
}

void replay_viewer_seek(struct replay_viewer *theatre, tick target)
{
    target = target < theatre->first ? theatre->first : target > theatre->last ? theatre->last : target;
    enum replay_fault fault = playback_seek(&theatre->playback, target);
    theatre->fault = fault == REPLAY_END ? REPLAY_OK : fault;
    theatre->before = theatre->playback.world;
    theatre->behind = 0;
    theatre->wound = true;
}

static tick later(const struct replay_viewer *theatre, tick ticks)
{
    tick now = theatre->playback.world.tick;
    return theatre->last - now > ticks ? now + ticks : theatre->last;
}

static tick earlier(const struct replay_viewer *theatre, tick ticks)
{
    tick now = theatre->playback.world.tick;
    return now - theatre->first > ticks ? now - ticks : theatre->first;
}

void replay_viewer_act(struct replay_viewer *theatre, uint32_t acts)
{
    bool ended = theatre->playback.world.tick >= theatre->last;
    theatre->touched |= acts != 0;
    if (acts & KEY_ACTION_PAUSE && ended)
        replay_viewer_seek(theatre, theatre->first);
    else if (acts & KEY_ACTION_PAUSE)
        theatre->paused = !theatre->paused;
    if (acts & KEY_ACTION_SLOWER && theatre->speed > 0)
        theatre->speed--;
    if (acts & KEY_ACTION_FASTER && theatre->speed + 1 < REPLAY_VIEWER_SPEEDS)
        theatre->speed++;
    if (acts & KEY_ACTION_BACK)
        replay_viewer_seek(theatre, earlier(theatre, NEAR_TICKS));
    if (acts & KEY_ACTION_FORWARD)
        replay_viewer_seek(theatre, later(theatre, NEAR_TICKS));
    if (acts & KEY_ACTION_FAR_BACK)
        replay_viewer_seek(theatre, earlier(theatre, FAR_TICKS));
    if (acts & KEY_ACTION_FREE)
        theatre->free_wanted = true;
    if (acts & KEY_ACTION_FAR_FORWARD)
        replay_viewer_seek(theatre, later(theatre, FAR_TICKS));
}

// What commands did stands there too, with the tick before.
static void take_events(struct view *view, const struct world *before, const struct world *world)
{
    uint32_t fresh = world->event_count - before->event_count;
    for (uint32_t i = fresh < EVENT_CAPACITY ? fresh : EVENT_CAPACITY; i > 0; i--)
        if (view->event_count < VIEW_EVENT_CAPACITY)
            view->events[view->event_count++] = world->events[(world->event_count - i) % EVENT_CAPACITY];
}

static void step(struct replay_viewer *theatre)
{
    struct playback *playback = &theatre->playback;
    world_copy(&theatre->before, &playback->world);
    enum replay_fault fault = playback_next(playback);
    if (fault == REPLAY_OK)
        take_events(&theatre->view, &theatre->before, &playback->world);
    else if (fault == REPLAY_END)
        theatre->last = playback->world.tick;
    else
        theatre->fault = fault;
}

void replay_viewer_advance(struct replay_viewer *theatre, uint64_t elapsed_us, uint32_t buttons,
                           const struct camera *camera)
{
    struct world *now = &theatre->playback.world;
    theatre->view.event_count = 0;
    if (theatre->seek_wanted)
        replay_viewer_seek(theatre, theatre->seek_target);
    theatre->seek_wanted = false;
    if (!theatre->paused && !theatre->dragged)
        theatre->behind += elapsed_us * TICKS_PER_SECOND * SPEEDS[theatre->speed].quarters / 4;
    for (int32_t i = 0; theatre->behind >= TICK_PARTS; i++) {
        bool more = now->tick < theatre->last && theatre->fault == REPLAY_OK && i < STEPS_MAX;
        if (!more) {
            theatre->behind = theatre->behind % TICK_PARTS;
            break;
        }
        step(theatre);
        theatre->behind -= TICK_PARTS;
    }
    bool ended = now->tick >= theatre->last;
    uint32_t between = ended ? 256 : (uint32_t)(theatre->behind * 256 / TICK_PARTS);
    view_fill(&theatre->view, &theatre->playback.reader.map, &theatre->before, now, between, 0);
    theatre->view.slot = PLAYER_CAPACITY;
    theatre->view.hats = theatre->playback.reader.hats;
    if (theatre->free_wanted)
        spectator_camera_turn_free(&theatre->watch, camera->x, camera->y);
    theatre->free_wanted = false;
    spectator_camera_step(&theatre->watch, &theatre->view, buttons, camera->x, camera->y);
}

void replay_viewer_fill_view(struct replay_viewer *theatre, struct load_stage *stage, struct canvas *canvas,
                             const struct draw_options *options, const struct hints *hints)
{
    struct draw_options with_bar = *options;
    with_bar.below = REPLAY_BAR_PX;
    if (theatre->wound)
        presenter_seek(stage);
    theatre->wound = false;
    spectator_camera_show(&theatre->watch, &theatre->view, &stage->scene.camera);
    presenter_show(stage, canvas, &theatre->view, &with_bar);
    replay_bar_draw(theatre, canvas, hints, stage->look.large_text);
}
