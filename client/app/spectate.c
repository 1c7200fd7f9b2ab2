// SPDX-License-Identifier: MIT
#include "spectate.h"

#include <stdio.h>
#include <string.h>

#include "app/menu/screens.h"
#include "app/replay/replay_bar.h"
#include "app/trial/trial.h"
#include "app/web/download.h"
#include "window/keyboard.h"

#define FINGER_PX 44 ///< height of the replay's bar for a finger

static void end(void *state)
{
    struct spectate *spectate = state;
    replay_viewer_close(&spectate->viewer);
}

static bool open_file(struct spectate *spectate, const char *path, struct error *error)
{
    log_write(spectate->context->config->log, LOG_DEBUG, "replay %s", path);
    return download_is_url(path) ? replay_viewer_open_url(&spectate->viewer, path, error)
                                 : replay_viewer_open(&spectate->viewer, path, error);
}

static bool open_record(struct spectate *spectate, const char *name, struct error *error)
{
    const struct course *course = course_of_name(name);
    char path[4200];
    if (!course)
        return error_set(error, "There is no such course.");
    trial_record_path(course, spectate->context->profile.paths.trials, path, sizeof path);
    return open_file(spectate, path, error);
}

static void begin(void *state, const struct app_command *command)
{
    struct spectate *spectate = state;
    struct session_context *context = spectate->context;
    struct menu_facts *facts = &context->menu.facts;
    struct error error;
    presenter_begin(&context->presenter);
    bool opened = command->kind == APP_COMMAND_LIVE
                      ? replay_viewer_open_live(&spectate->viewer, command->text, command->is_foreign, &error)
                  : command->kind == APP_COMMAND_TRIAL_REPLAY ? open_record(spectate, command->text, &error)
                                                              : open_file(spectate, command->text, &error);
    if (!opened) {
        log_write(context->config->log, LOG_ERROR, "%s", error.text);
        snprintf(facts->message, sizeof facts->message, "%.150s", error.text);
        return;
    }
    spectate->actions = 0;
    spectate->drawn_us = context->config->now_us();
    menu_leave(&context->menu);
}

static void obey(void *state, const struct app_command *command)
{
    (void)state;
    (void)command;
}

// Returns what a key does to a replay. The keys that move a free camera do not wind, and a key that is held only winds.
static uint32_t actions_of_key(const struct spectate *spectate, const struct window_event *event)
{
    uint32_t ways = BUTTON_LEFT | BUTTON_RIGHT | BUTTON_UP | BUTTON_DOWN, winds = HOTKEY_BACK | HOTKEY_FORWARD;
    bool moves =
        spectate->viewer.spectator.mode == SPECTATOR_CAMERA_FREE &&
        keyboard_pressed(&spectate->context->profile.preferences.controls.buttons, KEYBOARD_FIRST, event->code) & ways;
    uint32_t actions = controls_replay_actions(event->code) & (moves ? ~winds : UINT32_MAX);
    return event->repeated ? actions & (winds | HOTKEY_FAR_BACK | HOTKEY_FAR_FORWARD) : actions;
}

// The bar is thin: a finger that touches above it means it.
static void touch(struct spectate *spectate, const struct window_event *event)
{
    int32_t y = event->y >= CANVAS_HEIGHT - FINGER_PX ? CANVAS_HEIGHT - 1 : event->y;
    bool tap = event->kind == WINDOW_TAP;
    replay_bar_point(&spectate->viewer, event->x, y, tap || event->code == 1, true);
    if (tap)
        replay_bar_point(&spectate->viewer, event->x, y, false, false);
}

static void handle_event(void *state, const struct window_event *event)
{
    struct spectate *spectate = state;
    struct session_context *context = spectate->context;
    bool key = event->kind == WINDOW_KEY, pad = event->kind == WINDOW_GAMEPAD, click = event->kind == WINDOW_CLICK;
    if (key || pad)
        context->menu.by_gamepad = pad;
    if (event->kind == WINDOW_TAP || event->kind == WINDOW_DRAG)
        touch(spectate, event);
    if (key)
        spectate->actions |= actions_of_key(spectate, event);
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
        replay_viewer_clip(viewer, context->profile.paths.clips,
                           spectate->actions & HOTKEY_CLIP_GIF ? ".gif" : ".webm");
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
    return (struct session_status){
        .is_open = replay_viewer_is_open(&spectate->viewer), .is_watched = true, .touch = TOUCH_USE_PAUSE};
}

const struct session_interface SPECTATE = {
    .begin = begin, .obey = obey, .event = handle_event, .view = view, .status = status, .end = end};
