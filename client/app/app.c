// SPDX-License-Identifier: MIT
#include "app.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "app/menu/draw_menu.h"
#include "base/platform/process.h"
#include "hud/hud.h"
#include "links.h"
#include "shell.h"
#include "shell_turn.h"
#include "window/screenshot.h"

#define SECOND_US  1000000u
#define WAITING_HZ 15 ///< frames a second while the client waits for a match
#define STEADY_HZ  60 ///< of menus at most, and with --frames

// The loop, and how it ends.
struct loop {
    struct shell *shell;
    struct line_socket *links; ///< takes links from programs that are started later; NULL: none
    uint64_t opened_us, next_frame_us, frames;
    enum exit_code code;
};

static const struct settings *settings_of(const struct loop *loop)
{
    return loop->shell->context.config->settings;
}

static uint64_t now_us_of(const struct loop *loop)
{
    return loop->shell->context.config->now_us();
}

static bool save_picture(struct session_context *context, const char *path)
{
    int64_t scale = context->config->settings->scale;
    if (screenshot_write(path, context->canvas.pixels, canvas_columns(&context->canvas), canvas_rows(&context->canvas),
                         scale ? (int32_t)scale : 1))
        return true;
    log_write(context->config->log, LOG_ERROR, "Cannot write the picture %s: %s.", path, strerror(errno));
    return false;
}

// Returns whether there is a picture of a session.
static bool draw_session(struct shell *shell, uint64_t now_us)
{
    struct session_context *context = &shell->context;
    const struct session *front = shell_front(shell);
    if (front->does->status(front->state).is_open)
        return front->does->view(front->state, now_us);
    presenter_wait(&context->presenter);
    if (!title_demo_draw(&shell->demo, &context->canvas, now_us, context->profile.preferences.display.reduced_motion))
        hud_draw_empty_sky(&context->canvas);
    return false;
}

// With vsync the display sets the rate of a match; three quarters of a period guard against a display that ignores it.
static void schedule_frame(struct loop *loop, uint64_t now_us, bool match)
{
    const struct session_context *context = &loop->shell->context;
    bool waits = !match && !context->menu.depth, counted = settings_of(loop)->frames;
    uint32_t limit_hz = preferences_frame_limit_hz(&context->profile.preferences),
             shown_hz = context->window.refresh_hz;
    bool limited = limit_hz && (limit_hz < shown_hz || !context->window.vsync);
    bool paced = context->window.vsync && match && !counted && !limited;
    uint64_t match_hz = limited ? limit_hz : shown_hz, menu_hz = match_hz < STEADY_HZ ? match_hz : STEADY_HZ;
    uint64_t period_us = SECOND_US / (waits ? WAITING_HZ : counted ? STEADY_HZ : match ? match_hz : menu_hz);
    loop->next_frame_us = paced ? now_us + period_us * 3 / 4 : loop->next_frame_us + period_us;
    if (loop->next_frame_us < now_us)
        loop->next_frame_us = now_us;
}

// A window that is higher than wide has tall menus; while they play, fingers need what is below the arena.
static void choose_shape(struct shell *shell)
{
    struct session_context *context = &shell->context;
    bool upright = window_is_upright(&context->window), plays = !context->menu.depth && !shell_is_idle(shell);
    bool is_wide = !upright || shell_status(shell, SHELL_SPECTATE).is_open;
    context->canvas.shape = is_wide ? CANVAS_WIDE : plays ? CANVAS_SQUARE : CANVAS_TALL;
    context->menu.is_tall = upright;
}

// Returns whether the frame showed a session.
static bool draw_frame(struct loop *loop)
{
    struct shell *shell = loop->shell;
    struct session_context *context = &shell->context;
    uint64_t now_us = now_us_of(loop);
    choose_shape(shell);
    bool shows = draw_session(shell, now_us);
    if (context->menu.depth) {
        menu_fill(&context->menu);
        draw_menu(&context->canvas, &context->menu, (uint32_t)((now_us - loop->opened_us) * 60 / SECOND_US));
    }
    friends_online_draw(&shell->friends_online, context, now_us);
    window_show(&context->window, &context->canvas);
    sound_device_write(&context->presenter.sound, now_us - loop->opened_us);
    schedule_frame(loop, now_us, shows);
    loop->frames += shows || shell_is_idle(shell);
    return shows;
}

static void wait_for_work(const struct loop *loop)
{
    const struct session *front = shell_front(loop->shell);
    if (front->does->wait)
        front->does->wait(front->state, loop->next_frame_us);
    else
        window_idle();
}

// Runs the loop once. Returns false when the loop ends.
static bool run_once(void *argument)
{
    struct loop *loop = argument;
    struct shell *shell = loop->shell;
    struct session_context *context = &shell->context;
    uint64_t frames = (uint64_t)settings_of(loop)->frames;
    shell_turn_events(shell);
    if (shell->quits)
        return false;
    shell_turn_update(shell, loop->links);
    if (context->failed && frames) {
        loop->code = EXIT_UNAVAILABLE;
        return false;
    }
    if (now_us_of(loop) < loop->next_frame_us) {
        wait_for_work(loop);
        return true;
    }
    if (draw_frame(loop) && context->screenshot) {
        loop->code = save_picture(context, context->screenshot) ? loop->code : EXIT_IO;
        context->screenshot = NULL;
    }
    return !(frames && loop->frames >= frames) && loop->code != EXIT_IO;
}

static enum exit_code run(struct shell *shell)
{
    struct session_context *context = &shell->context;
    const struct app_config *config = context->config;
    const struct histogram *draw_us = &context->draw_us;
    struct loop loop = {.shell = shell, .links = links_open(config->settings, config->log), .code = EXIT_OK};
    loop.next_frame_us = loop.opened_us = config->now_us();
    process_repeat(run_once, NULL, &loop);
    if (context->failed) {
        loop.code = loop.code ? loop.code : EXIT_UNAVAILABLE;
        draw_frame(&loop);
    }
    if (config->settings->screenshot[0] && !save_picture(context, config->settings->screenshot))
        loop.code = EXIT_IO;
    log_write(config->log, LOG_INFO, "drew %" PRIu64 " frames: mean %.0f us, p99 %" PRIu64 " us", draw_us->count,
              histogram_mean(draw_us), histogram_quantile(draw_us, 990));
    line_socket_close(loop.links);
    return loop.code;
}

static enum exit_code open_and_run(struct shell *shell, const struct app_config *config)
{
    struct session_context *context = &shell->context;
    const struct settings *settings = config->settings;
    struct error error;
    if (links_hand_over(settings, config->log))
        return EXIT_OK;
    enum exit_code code = shell_begin(shell, config, &error);
    if (!code &&
        !window_open(&context->window,
                     preferences_window_setup(&context->profile.preferences, (uint32_t)settings->scale), &error))
        code = EXIT_UNAVAILABLE;
    if (code) {
        log_write(config->log, LOG_ERROR, "%s", error.text);
        return code;
    }
    shell_apply_preferences(shell);
    const char *sound_file = settings->sound_file[0] ? settings->sound_file : NULL;
    if (!presenter_open(&context->presenter, sound_file, &error)) {
        log_write(config->log, sound_file ? LOG_ERROR : LOG_INFO, "%s", error.text);
        code = sound_file ? EXIT_IO : EXIT_OK;
    }
    if (!code) {
        shell_open(shell);
        code = run(shell);
        shell_end(shell);
    }
    if (!presenter_close(&context->presenter, &error) && !code) {
        log_write(config->log, LOG_ERROR, "%s", error.text);
        code = EXIT_IO;
    }
    window_close(&context->window);
    return code;
}

enum exit_code app_run(const struct app_config *config)
{
    struct shell *shell = calloc(1, sizeof *shell);
    if (!shell) {
        log_write(config->log, LOG_ERROR, "Not enough memory.");
        return EXIT_FAILED;
    }
    enum exit_code code = open_and_run(shell, config);
    if (shell->sessions[SHELL_PLAY].does) // a server that --host has started
        shell->sessions[SHELL_PLAY].does->end(shell->sessions[SHELL_PLAY].state);
    free(shell);
    return code;
}
