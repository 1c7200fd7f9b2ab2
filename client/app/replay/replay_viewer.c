// SPDX-License-Identifier: MIT
#include "replay_viewer.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/platform/hotkeys.h"
#include "app/text/text.h"
#include "base/file.h"

#define NORMAL         2
#define TICK_PARTS     1000000u
#define STEPS_MAX      32 ///< ticks of one call; the viewer does not catch up on more
#define NEAR_TICKS     (5 * TICKS_PER_SECOND)
#define FAR_TICKS      (30 * TICKS_PER_SECOND)
#define FILE_BYTES_MAX (512u << 20)

static const struct {
    const char *name;
    uint32_t quarters;
} SPEEDS[REPLAY_VIEWER_SPEEDS] = {{"1/4", 1}, {"1/2", 2}, {"1", 4}, {"2", 8}, {"4", 16}, {"8", 32}};

const char *replay_viewer_speed_name(const struct replay_viewer *viewer)
{
    return SPEEDS[viewer->speed].name;
}

static bool refuse(struct replay_viewer *viewer, const char *path, const char *why, struct error *error)
{
    error_set(error, text_of("The replay %s cannot be shown: %s."), path, text_of(why));
    replay_viewer_close(viewer);
    return false;
}

// Returns the last tick. A replay that was cut off has no index, so it is read to its end.
static tick last_tick(struct replay_reader *reader)
{
    if (reader->last_tick)
        return reader->last_tick;
    while (replay_reader_next(reader) == REPLAY_OK)
        ;
    return reader->tick;
}

bool replay_viewer_open(struct replay_viewer *viewer, const char *path, struct error *error)
{
    size_t byte_count;
    replay_viewer_close(viewer);
    viewer->bytes = file_load(path, FILE_BYTES_MAX, &byte_count);
    if (!viewer->bytes)
        return refuse(viewer, path, strerror(errno), error);
    enum replay_fault fault = playback_open(&viewer->playback, viewer->bytes, byte_count);
    if (fault != REPLAY_OK)
        return refuse(viewer, path, replay_fault_text(fault), error);
    viewer->speed = NORMAL;
    viewer->first = viewer->playback.world.tick;
    viewer->last = last_tick(&viewer->playback.reader);
    replay_viewer_seek(viewer, viewer->first);
    return true;
}

void replay_viewer_close(struct replay_viewer *viewer)
{
    free(viewer->bytes);
    memset(viewer, 0, sizeof *viewer);
}

void replay_viewer_seek(struct replay_viewer *viewer, tick target)
{
    target = target < viewer->first ? viewer->first : target > viewer->last ? viewer->last : target;
    enum replay_fault fault = playback_seek(&viewer->playback, target);
    viewer->fault = fault == REPLAY_END ? REPLAY_OK : fault;
    viewer->before = viewer->playback.world;
    viewer->behind = 0;
    viewer->wound = true;
}

static tick later(const struct replay_viewer *viewer, tick ticks)
{
    tick now = viewer->playback.world.tick;
    return viewer->last - now > ticks ? now + ticks : viewer->last;
}

static tick earlier(const struct replay_viewer *viewer, tick ticks)
{
    tick now = viewer->playback.world.tick;
    return now - viewer->first > ticks ? now - ticks : viewer->first;
}

void replay_viewer_act(struct replay_viewer *viewer, uint32_t actions)
{
    bool ended = viewer->playback.world.tick >= viewer->last;
    viewer->touched |= actions != 0;
    if (actions & HOTKEY_PAUSE && ended)
        replay_viewer_seek(viewer, viewer->first);
    else if (actions & HOTKEY_PAUSE)
        viewer->paused = !viewer->paused;
    if (actions & HOTKEY_SLOWER && viewer->speed > 0)
        viewer->speed--;
    if (actions & HOTKEY_FASTER && viewer->speed + 1 < REPLAY_VIEWER_SPEEDS)
        viewer->speed++;
    if (actions & HOTKEY_BACK)
        replay_viewer_seek(viewer, earlier(viewer, NEAR_TICKS));
    if (actions & HOTKEY_FORWARD)
        replay_viewer_seek(viewer, later(viewer, NEAR_TICKS));
    if (actions & HOTKEY_FAR_BACK)
        replay_viewer_seek(viewer, earlier(viewer, FAR_TICKS));
    if (actions & HOTKEY_FREE_CAMERA)
        viewer->free_wanted = true;
    if (actions & HOTKEY_FAR_FORWARD)
        replay_viewer_seek(viewer, later(viewer, FAR_TICKS));
}

static void step(struct replay_viewer *viewer)
{
    struct playback *playback = &viewer->playback;
    world_copy(&viewer->before, &playback->world);
    enum replay_fault fault = playback_next(playback);
    if (fault == REPLAY_OK)
        view_add_events(&viewer->view, &playback->world, viewer->before.event_count);
    else if (fault == REPLAY_END)
        viewer->last = playback->world.tick;
    else
        viewer->fault = fault;
}

void replay_viewer_advance(struct replay_viewer *viewer, uint64_t elapsed_us, uint32_t buttons,
                           const struct camera *camera)
{
    struct world *now = &viewer->playback.world;
    viewer->view.event_count = 0;
    if (viewer->seek_wanted)
        replay_viewer_seek(viewer, viewer->seek_target);
    viewer->seek_wanted = false;
    if (!viewer->paused && !viewer->dragged)
        viewer->behind += elapsed_us * TICKS_PER_SECOND * SPEEDS[viewer->speed].quarters / 4;
    for (int32_t i = 0; viewer->behind >= TICK_PARTS; i++) {
        bool more = now->tick < viewer->last && viewer->fault == REPLAY_OK && i < STEPS_MAX;
        if (!more) {
            viewer->behind = viewer->behind % TICK_PARTS;
            break;
        }
        step(viewer);
        viewer->behind -= TICK_PARTS;
    }
    bool ended = now->tick >= viewer->last;
    uint32_t between = ended ? 256 : (uint32_t)(viewer->behind * 256 / TICK_PARTS);
    view_fill(&viewer->view, &viewer->playback.reader.map, &viewer->before, now, between, 0);
    viewer->view.slot = PLAYER_CAPACITY;
    viewer->view.hats = viewer->playback.reader.hats;
    if (viewer->free_wanted)
        spectator_camera_toggle_free(&viewer->spectator, camera->x, camera->y);
    viewer->free_wanted = false;
    spectator_camera_step(&viewer->spectator, &viewer->view, buttons, camera->x, camera->y);
}

void replay_viewer_draw(struct replay_viewer *viewer, struct presenter *presenter, struct canvas *canvas,
                        const struct draw_options *options)
{
    if (viewer->wound)
        presenter_seek(presenter);
    viewer->wound = false;
    spectator_camera_apply(&viewer->spectator, &viewer->view, &presenter->scene.camera);
    presenter_show(presenter, canvas, &viewer->view, options);
}
