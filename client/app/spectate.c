// SPDX-License-Identifier: MIT
#include "spectate.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/course/course_run.h"
#include "app/menu/screens.h"
#include "app/replay/replay_bar.h"
#include "app/web/download.h"
#include "base/utf8.h"
#include "text/text.h"
#include "window/keyboard.h"
#include "window/page.h"

#define FINGER_PX 44 ///< height of the replay's bar for a finger

static void *make(struct session_context *context, struct error *error)
{
    struct spectate *spectate = calloc(1, sizeof *spectate);
    if (spectate)
        spectate->context = context;
    else
        error_set_code(error, EXIT_FAILED, "Not enough memory.");
    return spectate;
}

static void end(void *state)
{
    struct spectate *spectate = state;
    clip_job_stop(&spectate->clip);
    replay_viewer_close(&spectate->viewer);
}

static bool open(struct spectate *spectate, const struct app_command *command, struct error *error)
{
    const struct course *course = course_of_name(command->text);
    char path[4200];
    if (command->kind == APP_COMMAND_LIVE)
        return replay_viewer_open_live(&spectate->viewer, command->text, command->is_foreign, error);
    snprintf(path, sizeof path, "%s", command->text);
    if (command->kind == APP_COMMAND_COURSE_REPLAY && !course)
        return error_set(error, "There is no such course.");
    if (command->kind == APP_COMMAND_COURSE_REPLAY)
        course_record_path(course, spectate->context->profile.paths.trials, path, sizeof path);
    log_write(spectate->context->config->log, LOG_DEBUG, "replay %s", path);
    return download_is_url(path) ? replay_viewer_open_url(&spectate->viewer, path, error)
                                 : replay_viewer_open(&spectate->viewer, path, error);
}

static void begin(void *state, const struct app_command *command)
{
    struct spectate *spectate = state;
    struct session_context *context = spectate->context;
    struct menu_facts *facts = &context->menu.facts;
    struct error error;
    presenter_begin(&context->presenter);
    clip_job_stop(&spectate->clip);
    spectate->clip.message[0] = 0;
    if (!open(spectate, command, &error)) {
        log_write(context->config->log, LOG_ERROR, "%s", error.text);
        snprintf(facts->message, sizeof facts->message, "%.150s", error.text);
        return;
    }
    spectate->actions = 0;
    spectate->drawn_us = context->config->now_us();
    menu_leave(&context->menu);
}

static void handle_event(void *state, const struct window_event *event)
{
    struct spectate *spectate = state;
    struct session_context *context = spectate->context;
    bool key = event->kind == WINDOW_KEY, pad = event->kind == WINDOW_GAMEPAD, click = event->kind == WINDOW_CLICK;
    if (key || pad)
        context->menu.by_gamepad = pad;
    if (event->kind == WINDOW_TAP || event->kind == WINDOW_DRAG) { // the bar is thin: a finger above it means it
        int32_t y = event->y >= CANVAS_HEIGHT - FINGER_PX ? CANVAS_HEIGHT - 1 : event->y;
        bool tap = event->kind == WINDOW_TAP;
        replay_bar_point(&spectate->viewer, event->x, y, tap || event->code == 1, true);
        if (tap)
            replay_bar_point(&spectate->viewer, event->x, y, false, false);
    }
    if (key) { // those that move a free camera do not wind, and one that is held only winds
        uint32_t ways = BUTTON_LEFT | BUTTON_RIGHT | BUTTON_UP | BUTTON_DOWN, winds = HOTKEY_BACK | HOTKEY_FORWARD;
        bool moves =
            spectate->viewer.spectator.mode == SPECTATOR_CAMERA_FREE &&
            keyboard_pressed(&context->profile.preferences.controls.buttons, KEYBOARD_FIRST, event->code) & ways;
        uint32_t far = HOTKEY_FAR_BACK | HOTKEY_FAR_FORWARD, held = event->repeated ? winds | far : UINT32_MAX;
        spectate->actions |= controls_replay_actions(event->code) & (moves ? ~winds : UINT32_MAX) & held;
    }
    if (pad && !gamepads_pressed(&context->profile.preferences.controls.buttons, event->code))
        spectate->actions |= controls_gamepad_actions(event->code);
    if (click || event->kind == WINDOW_POINTER || event->kind == WINDOW_RELEASE)
        replay_bar_point(&spectate->viewer, event->x, event->y, click && event->code == 1, event->code == 1);
    if (!session_asks_for_menu(event))
        return;
    end(spectate);
    if (!menu_return(&context->menu))
        menu_open_alone(&context->menu, &SCREEN_TITLE);
}

static int64_t ms_of(const struct replay_viewer *viewer, tick moment)
{
    return ((int64_t)(moment - viewer->first) * 1000 + TICKS_PER_SECOND - 1) / TICKS_PER_SECOND;
}

// Marks where a clip begins, or, if that is marked, has what lies between there and now written. In a page, which makes
// no clips, gives the person the file.
static void clip(struct spectate *spectate, const char *extension)
{
    struct replay_viewer *viewer = &spectate->viewer;
    struct clip_job *job = &spectate->clip;
    tick now = viewer->playback.world.tick, from = now < viewer->mark ? now : viewer->mark;
    tick to = now < viewer->mark ? viewer->mark : now;
    viewer->touched = true;
    if (page_saves_files() && viewer->bytes) {
        page_save_file(viewer->name, viewer->bytes, viewer->byte_count);
        utf8_copy(job->message, sizeof job->message, text_of("The recording is in your downloads."));
        return;
    }
    if (job->child.process > 0 || !viewer->path[0]) // what is downloaded has no file
        return;
    if (viewer->has_mark && from < to)
        clip_job_start(job, spectate->context->profile.paths.clips, extension,
                       &(struct clip){viewer->path, NULL, ms_of(viewer, from), ms_of(viewer, to), NULL});
    viewer->has_mark = !viewer->has_mark || from == to;
    viewer->mark = now;
    if (viewer->has_mark)
        utf8_copy(job->message, sizeof job->message, text_of("The clip begins here. Go to its end and press E or G."));
}

// Logs what of a live match is shown, and why none is.
static void log_watching(struct spectate *spectate)
{
    const struct replay_viewer *viewer = &spectate->viewer;
    const struct log *log = spectate->context->config->log;
    const char *error = viewer->downloads ? viewer->error.text : viewer->live.error.text;
    tick now = viewer->playback.world.tick;
    if (!replay_viewer_is_live(viewer) && !viewer->downloads)
        return;
    if (viewer->is_new && viewer->downloads)
        log_write(log, LOG_DEBUG, "shows a replay from tick %u to %u", viewer->first, viewer->last);
    else if (viewer->is_new)
        log_write(log, LOG_DEBUG, "watches %s of %s from tick %u", viewer->live.index.match, viewer->live.index.server,
                  viewer->first);
    if (now / TICKS_PER_SECOND != spectate->logged_second)
        log_write(log, LOG_DEBUG, "shows tick %u", now);
    spectate->logged_second = now / TICKS_PER_SECOND;
    if (strcmp(spectate->logged_error, error) != 0 && error[0])
        log_write(log, LOG_WARNING, "cannot watch: %s", error);
    snprintf(spectate->logged_error, sizeof spectate->logged_error, "%s", error);
}

static bool view(void *state, uint64_t now_us)
{
    struct spectate *spectate = state;
    struct session_context *context = spectate->context;
    struct replay_viewer *viewer = &spectate->viewer;
    struct draw_options options = {.scoreboard = session_holds_scoreboard(context), .below = REPLAY_BAR_PX};
    uint32_t buttons = window_buttons(&context->window, DEVICE_ALL, false);
    if (!context->menu.by_gamepad)
        buttons &= ~(uint32_t)BUTTON_JUMP; // on the keyboard it pauses, and F frees the camera
    session_point_hints(context);
    replay_viewer_act(viewer, spectate->actions);
    if (spectate->actions & (HOTKEY_CLIP_WEBM | HOTKEY_CLIP_GIF))
        clip(spectate, spectate->actions & HOTKEY_CLIP_GIF ? ".gif" : ".webm");
    clip_job_update(&spectate->clip);
    viewer->message = spectate->clip.message;
    replay_viewer_advance(viewer, now_us - spectate->drawn_us, buttons, &context->presenter.scene.camera);
    spectate->drawn_us = now_us;
    log_watching(spectate);
    if (!viewer->has_picture) {
        presenter_wait(&context->presenter);
        session_draw_message(context, replay_viewer_state_text(viewer), session_back_key(context), now_us);
        return false;
    }
    replay_viewer_draw(viewer, &context->presenter, &context->canvas, &options);
    replay_bar_draw(viewer, &context->canvas, &context->hints, context->profile.preferences.display.large_text);
    spectate->actions = 0;
    histogram_add(&context->draw_us, context->config->now_us() - now_us);
    return true;
}

static struct session_status status(const void *state)
{
    const struct spectate *spectate = state;
    return (struct session_status){.is_open = replay_viewer_is_open(&spectate->viewer), .touch = TOUCH_USE_PAUSE};
}

const struct session_interface SESSION_SPECTATE = {
    .open = make, .begin = begin, .event = handle_event, .view = view, .status = status, .end = end};
