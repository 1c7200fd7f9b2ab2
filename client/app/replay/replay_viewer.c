// SPDX-License-Identifier: MIT
#include "replay_viewer.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/course/draw_course.h"
#include "base/file.h"
#include "base/utf8.h"
#include "game/rules/mode.h"
#include "sync/world.h"
#include "text/text.h"
#include "window/keyboard.h"

#define TICK_PARTS     1000000u
#define STEPS_MAX      32 ///< ticks of one call; the viewer does not catch up on more
#define NEAR_TICKS     (5 * TICKS_PER_SECOND)
#define FAR_TICKS      (30 * TICKS_PER_SECOND)
#define FILE_BYTES_MAX (512u << 20)
#define URL_BYTES_MAX  (64u << 20) ///< of a file that is downloaded: a day of a full match
#define URL_TIMEOUT_S  120
#define LATE_CHUNKS    3        ///< a live match that is so far behind goes on at its newest chunk
#define END_US         5000000u ///< a live match that is over is shown before the next one

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

// Begins to show the bytes of the file with this path or URL.
static enum replay_fault show(struct replay_viewer *viewer, const char *path)
{
    enum replay_fault fault = playback_open(&viewer->playback, viewer->bytes, viewer->byte_count);
    const char *slash = strrchr(path, '/');
    if (fault != REPLAY_OK)
        return fault;
    utf8_copy(viewer->name, sizeof viewer->name, slash ? slash + 1 : path);
    viewer->speed = REPLAY_VIEWER_SPEED_NORMAL;
    viewer->first = viewer->playback.world.tick;
    viewer->last = last_tick(&viewer->playback.reader);
    viewer->has_picture = true;
    replay_viewer_seek(viewer, viewer->first);
    return REPLAY_OK;
}

bool replay_viewer_open(struct replay_viewer *viewer, const char *path, struct error *error)
{
    replay_viewer_close(viewer);
    viewer->bytes = file_load(path, FILE_BYTES_MAX, &viewer->byte_count);
    if (!viewer->bytes)
        return refuse(viewer, path, strerror(errno), error);
    enum replay_fault fault = show(viewer, path);
    if (fault != REPLAY_OK)
        return refuse(viewer, path, replay_fault_text(fault), error);
    snprintf(viewer->path, sizeof viewer->path, "%s", path);
    return true;
}

bool replay_viewer_open_url(struct replay_viewer *viewer, const char *url, struct error *error)
{
    replay_viewer_close(viewer);
    if (!download_is_url(url))
        return error_set(error, text_of("A replay has an address such as https://example.org/match.dfr."));
    snprintf(viewer->url, sizeof viewer->url, "%s", url);
    viewer->downloads = download_open(&viewer->download, URL_BYTES_MAX, URL_TIMEOUT_S, error);
    if (viewer->downloads && !download_begin(&viewer->download, url)) {
        replay_viewer_close(viewer);
        return error_set(error, text_of("Not enough memory."));
    }
    return viewer->downloads;
}

// Shows what has come, and keeps nothing else of it. The error says why it cannot.
static void take_download(struct replay_viewer *viewer)
{
    struct download *download = &viewer->download;
    if (download->status != 200) {
        error_set(&viewer->error, text_of("There is no replay at this address (HTTP %u)."), download->status);
        return;
    }
    viewer->bytes = malloc(download->byte_count + 1);
    if (!viewer->bytes) {
        error_set(&viewer->error, text_of("Not enough memory."));
        return;
    }
    viewer->byte_count = download->byte_count;
    memcpy(viewer->bytes, download->bytes, viewer->byte_count);
    enum replay_fault fault = show(viewer, viewer->url);
    viewer->is_new = fault == REPLAY_OK;
    if (fault == REPLAY_OK)
        return;
    error_set(&viewer->error, text_of("What is at this address cannot be shown: %s."),
              text_of(replay_fault_text(fault)));
    free(viewer->bytes);
    viewer->bytes = NULL;
}

static void update_download(struct replay_viewer *viewer)
{
    struct error error;
    switch (download_step(&viewer->download, &error)) {
    case DOWNLOAD_IDLE:
    case DOWNLOAD_RUNS:
        return;
    case DOWNLOAD_DONE:
        take_download(viewer);
        break;
    case DOWNLOAD_FAILED:
        if (viewer->download.is_too_large)
            error_set(&viewer->error, text_of("The replay at this address has more than %u MB."), URL_BYTES_MAX >> 20);
        else
            error_set(&viewer->error, text_of("The replay does not come: %s."), error.text);
        break;
    }
    download_close(&viewer->download);
}

const char *replay_viewer_state_text(const struct replay_viewer *viewer)
{
    if (viewer->downloads)
        return viewer->error.text[0] ? viewer->error.text : text_of("The replay is loading.");
    return viewer->live.error.text[0] ? viewer->live.error.text : text_of("Waiting for the live match");
}

bool replay_viewer_open_live(struct replay_viewer *viewer, const char *url, bool is_foreign, struct error *error)
{
    replay_viewer_close(viewer);
    viewer->speed = REPLAY_VIEWER_SPEED_NORMAL;
    return live_download_open(&viewer->live, url, is_foreign, error);
}

void replay_viewer_close(struct replay_viewer *viewer)
{
    live_download_close(&viewer->live);

    download_close(&viewer->download);
    free(viewer->bytes);
    memset(viewer, 0, sizeof *viewer);
}

bool replay_viewer_is_live(const struct replay_viewer *viewer)
{
    return viewer->live.transfer;
}

bool replay_viewer_is_open(const struct replay_viewer *viewer)
{
    return viewer->bytes || viewer->downloads || replay_viewer_is_live(viewer);
}

// The first chunk of a match follows the first world; the others begin with a keyframe.
static enum replay_fault begin_chunk(struct replay_viewer *viewer, const struct live_chunk *chunk)
{
    struct playback *playback = &viewer->playback;
    tick begin = chunk->number * viewer->live.index.chunk_ticks;
    if (begin <= playback->reader.first.tick)
        return playback_seek(playback, playback->reader.first.tick);
    return playback_join(playback, chunk->offset, begin);
}

void replay_viewer_seek(struct replay_viewer *viewer, tick target)
{
    target = target < viewer->first ? viewer->first : target > viewer->last ? viewer->last : target;
    if (replay_viewer_is_live(viewer) &&
        (viewer->live.chunk_count == 0 || viewer->live_replays != viewer->live.replays))
        return;
    enum replay_fault fault = REPLAY_OK;
    if (viewer->bytes) {
        fault = playback_seek(&viewer->playback, target);
    } else {
        uint32_t at = viewer->live.chunk_count - 1;
        while (at > 0 && viewer->live.chunks[at].number * viewer->live.index.chunk_ticks > target)
            at--;
        fault = begin_chunk(viewer, &viewer->live.chunks[at]);
        while (fault == REPLAY_OK && viewer->playback.reader.tick < target)
            fault = playback_next(&viewer->playback);
    }
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
    if (!viewer->has_picture)
        return;
    if (actions & HOTKEY_HELP)
        viewer->shows_help = viewer->touched && !viewer->shows_help;
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

// Finds a chunk that begins where the reader is, and before which one is missing. NULL: the next tick follows.
static const struct live_chunk *chunk_after_gap(const struct replay_viewer *viewer)
{
    const struct live_download *live = &viewer->live;
    const struct replay_reader *reader = &viewer->playback.reader;
    for (uint32_t i = live->chunk_count; i > 0 && live->chunks[i - 1].offset >= reader->offset; i--)
        if (live->chunks[i - 1].offset == reader->offset &&
            live->chunks[i - 1].number * live->index.chunk_ticks > reader->tick + 1)
            return &live->chunks[i - 1];
    return NULL;
}

static void step(struct replay_viewer *viewer)
{
    struct playback *playback = &viewer->playback;
    const struct live_chunk *gap = chunk_after_gap(viewer);
    world_copy(&viewer->before, &playback->world);
    enum replay_fault fault = gap ? begin_chunk(viewer, gap) : playback_next(playback);
    viewer->wound = viewer->wound || gap;
    if (fault == REPLAY_OK && replay_viewer_is_live(viewer) && playback_hash_differs(playback))
        fault = REPLAY_DAMAGED;
    if (fault == REPLAY_OK)
        view_add_events(&viewer->view, &playback->world, viewer->before.event_count);
    else if (fault == REPLAY_END)
        viewer->last = playback->world.tick;
    else
        viewer->fault = fault;
}

// Begins to play what was downloaded: the first match, the next one, or this one at its newest chunk.
static void begin_live(struct replay_viewer *viewer)
{
    struct live_download *live = &viewer->live;
    enum replay_fault fault = playback_open(&viewer->playback, live->bytes, live->byte_count);
    viewer->fault = fault == REPLAY_OK ? begin_chunk(viewer, &live->chunks[0]) : fault;
    viewer->live_replays = live->replays;
    viewer->first = viewer->playback.world.tick;
    viewer->before = viewer->playback.world;
    viewer->behind = viewer->waited_us = 0;
    viewer->has_picture = viewer->has_picture || viewer->fault == REPLAY_OK;
    viewer->wound = viewer->is_new = true;
}

// Returns whether there is something to play.
static bool update_live(struct replay_viewer *viewer, uint64_t elapsed_us)
{
    struct live_download *live = &viewer->live;
    live_download_step(live, elapsed_us);
    if (live->chunk_count == 0)
        return false;
    if (viewer->live_replays != live->replays)
        begin_live(viewer);
    else
        replay_reader_extend(&viewer->playback.reader, live->bytes, live->byte_count);
    if (viewer->fault != REPLAY_OK)
        return false;
    tick now = viewer->playback.world.tick, chunk_ticks = live->index.chunk_ticks;
    bool is_played = viewer->playback.reader.offset == live->byte_count;
    viewer->last = is_played ? now : (live->chunks[live->chunk_count - 1].number + 1) * chunk_ticks - 1;
    if (!viewer->touched && viewer->last > now + LATE_CHUNKS * chunk_ticks)
        replay_viewer_seek(viewer, viewer->last + 1 - chunk_ticks);
    viewer->waited_us = live->is_over && is_played ? viewer->waited_us + elapsed_us : 0;
    if (viewer->waited_us >= END_US)
        live_download_follow(live);
    return true;
}

void replay_viewer_advance(struct replay_viewer *viewer, uint64_t elapsed_us, uint32_t buttons,
                           const struct camera *camera)
{
    struct world *now = &viewer->playback.world;

    viewer->view.event_count = 0;
    if (viewer->downloads)
        update_download(viewer);
    if (replay_viewer_is_live(viewer) && !update_live(viewer, elapsed_us)) {
        viewer->behind = 0;
        viewer->seek_wanted = false;
    }
    if (!viewer->has_picture)
        return;
    if (viewer->seek_wanted)
        replay_viewer_seek(viewer, viewer->seek_target);
    viewer->seek_wanted = false;
    if (!viewer->paused && !viewer->dragged)
        viewer->behind += elapsed_us * TICKS_PER_SECOND * SPEEDS[viewer->speed].quarters / 4;
    for (int32_t i = 0; viewer->behind >= TICK_PARTS; i++) {
        bool has_bytes = viewer->bytes || viewer->live_replays == viewer->live.replays;
        bool more = now->tick < viewer->last && viewer->fault == REPLAY_OK && has_bytes && i < STEPS_MAX;
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
        camera_spectator_toggle_free(&viewer->spectator, camera->x, camera->y);
    viewer->free_wanted = false;
    camera_spectator_step(&viewer->spectator, &viewer->view, buttons, camera->x, camera->y);
}

void replay_viewer_draw(struct replay_viewer *viewer, struct presenter *presenter, struct canvas *canvas,
                        const struct draw_options *options)
{
    if (viewer->is_new)
        presenter_begin(presenter);
    else if (viewer->wound)
        presenter_seek(presenter);
    viewer->wound = viewer->is_new = false;
    camera_spectator_apply(&viewer->spectator, &viewer->view, &presenter->scene.camera);
    bool is_course = mode_of(viewer->view.confirmed)->alone; // which has no score and no winner
    struct draw_options shown = *options;
    shown.bare |= is_course;
    presenter_show(presenter, canvas, &viewer->view, &shown);
    if (is_course)
        draw_course_clock(canvas, &viewer->view);
}
