// SPDX-License-Identifier: MIT
#include "app.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/menu/draw_menu.h"
#include "app/menu/screens.h"
#include "base/platform/process.h"
#include "base/platform/udp.h"
#include "base/utf8.h"
#include "hud/hud.h"
#include "links.h"
#include "window/page.h"
#include "window/screenshot.h"

#define SECOND_US  1000000u
#define WAITING_HZ 15 ///< frames a second while the client waits for a match
#define STEADY_HZ  60 ///< of menus at most, and with --frames

// --- begin and end

enum exit_code app_begin(struct shell *shell, const struct app_config *config, struct error *error)
{
    static const struct session_interface *const KINDS[SHELL_SESSIONS] = {
        [SHELL_SPECTATE] = &SESSION_SPECTATE, [SHELL_COURSE] = &SESSION_COURSE, [SHELL_PLAY] = &SESSION_PLAY};
    struct session_context *context = &shell->context;
    struct menu_facts *facts = &context->menu.facts;
    char preferences_fault[ERROR_TEXT_BYTES], statistics_fault[ERROR_TEXT_BYTES];
    context->config = config;
    profile_read(&context->profile, config->settings, config->log, preferences_fault, statistics_fault);
    if (preferences_fault[0])
        snprintf(facts->message, sizeof facts->message, "%.150s", preferences_fault);
    utf8_copy(facts->statistics_fault, sizeof facts->statistics_fault, statistics_fault);
    context->menu.preferences = &context->profile.preferences;
    context->hints.controls = &context->profile.preferences.controls;
    context->search.settings = config->settings;
    context->search.preferences = &context->profile.preferences;
    context->search.log = config->log;
    context->search.friends = &context->friends;
    context->search.folder = context->profile.paths.lists;
    context->search.rows.is_browser = udp_is_of_page();
    facts->statistics = &context->profile.statistics;
    facts->records = &context->profile.records;
    facts->servers = &context->search.rows;
    facts->directories = &context->search.directories;
    facts->directories_are_given = config->settings->directories.count > 0;
    facts->has_map = title_demo_has_map;
    facts->lobby = &context->lobby;
    friends_online_open(&shell->friends_online, context);
    for (uint32_t i = 0; i < SHELL_SESSIONS; i++) {
        shell->sessions[i].does = KINDS[i];
        shell->sessions[i].state = KINDS[i]->open(context, error);
        if (!shell->sessions[i].state)
            return (enum exit_code)error->code;
    }
    return EXIT_OK;
}

static void begin_named(struct shell *shell, enum app_command_kind kind, const char *text)
{
    if (!text[0])
        return;
    menu_command(&shell->context.menu, kind, text);
    shell_execute(shell);
}

void app_open(struct shell *shell)
{
    struct session_context *context = &shell->context;
    struct menu *menu = &context->menu;
    const struct settings *settings = context->config->settings;
    const struct screen *asked = settings->screen[0] ? screen_find(settings->screen) : NULL;
    char message[sizeof menu->facts.message];
    memcpy(message, menu->facts.message, sizeof message);
    menu->by_touch = page_is_for_fingers();
    if (settings->host || (settings->connect[0] && !friend_is_key(settings->connect))) {
        shell->opens_screen = asked;
        shell_begin_session(shell, SHELL_PLAY, &(struct app_command){.kind = APP_COMMAND_NONE});
        return;
    }
    menu_open_alone(menu, &SCREEN_TITLE);
    if (asked && asked != &SCREEN_TITLE)
        menu_open(menu, asked);
    if (settings->replay[0] || settings->live_url[0]) { // which is left to where others are
        menu_focus_on(menu, &SCREEN_REPLAYS);
        menu_open(menu, &SCREEN_REPLAYS);
    }
    if (settings->live_url[0])
        menu_open(menu, &SCREEN_LIVE);
    memcpy(menu->facts.message, message, sizeof message);
    friends_online_open_key(context, settings->connect);
    begin_named(shell, APP_COMMAND_COURSE, settings->trial);
    begin_named(shell, APP_COMMAND_REPLAY, settings->replay);
    begin_named(shell, APP_COMMAND_LIVE, settings->live_url);
}

void app_end(struct shell *shell)
{
    struct session_context *context = &shell->context;
    profile_save_preferences(&context->profile, context->config->log);
    profile_save_statistics(&context->profile, context->config->log);
    for (uint32_t i = 0; i < SHELL_SESSIONS; i++) {
        if (shell->sessions[i].state)
            shell->sessions[i].does->end(shell->sessions[i].state);
        free(shell->sessions[i].state);
        shell->sessions[i].state = NULL;
    }
    replay_list_close_cards(&shell->cards);
    server_search_close(&context->search);
    friends_close(&context->friends);
}

// --- the loop

// The loop, and how it ends.
struct loop {
    struct shell *shell;
    struct line_socket *links; ///< takes links from programs that are started later; NULL: none
    uint64_t opened_us, next_frame_us, frames;
    enum exit_code code;
};

static bool save_picture(struct session_context *context, const char *path)
{
    int64_t scale = context->config->settings->scale;
    if (screenshot_write(path, context->canvas.pixels, canvas_columns(&context->canvas), canvas_rows(&context->canvas),
                         scale ? (int32_t)scale : 1))
        return true;
    log_write(context->config->log, LOG_ERROR, "Cannot write the picture %s: %s.", path, strerror(errno));
    return false;
}

// With vsync the display sets the rate of a match; three quarters of a period guard against a display that ignores it.
static void schedule_frame(struct loop *loop, uint64_t now_us, bool match)
{
    const struct session_context *context = &loop->shell->context;
    bool waits = !match && !context->menu.depth, counted = context->config->settings->frames;
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

// Returns whether the frame showed a session. A window that is higher than wide has tall menus; while they play,
// fingers need what is below the arena.
static bool draw_frame(struct loop *loop)
{
    struct shell *shell = loop->shell;
    struct session_context *context = &shell->context;
    uint64_t now_us = context->config->now_us();
    bool upright = window_is_upright(&context->window), plays = !context->menu.depth && !shell_is_idle(shell);
    bool is_wide = !upright || shell_status(shell, SHELL_SPECTATE).is_open;
    context->canvas.shape = is_wide ? CANVAS_WIDE : plays ? CANVAS_SQUARE : CANVAS_TALL;
    context->menu.is_tall = upright;
    enum shell_session front = shell_front(shell);
    bool shows = false;
    if (shell_status(shell, front).is_open) {
        shows = shell->sessions[front].does->view(shell->sessions[front].state, now_us);
    } else {
        presenter_wait(&context->presenter);
        if (!title_demo_draw(&shell->demo, &context->canvas, now_us,
                             context->profile.preferences.display.reduced_motion))
            hud_draw_empty_sky(&context->canvas);
    }
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

// Runs the loop once. Returns false when the loop ends.
static bool run_once(void *argument)
{
    struct loop *loop = argument;
    struct shell *shell = loop->shell;
    struct session_context *context = &shell->context;
    uint64_t frames = (uint64_t)context->config->settings->frames;
    shell_take_events(shell);
    if (shell->quits)
        return false;
    shell_update(shell, loop->links);
    if (context->failed && frames) {
        loop->code = EXIT_UNAVAILABLE;
        return false;
    }
    if (context->config->now_us() < loop->next_frame_us) {
        enum shell_session front = shell_front(shell);
        if (shell->sessions[front].does->wait)
            shell->sessions[front].does->wait(shell->sessions[front].state, loop->next_frame_us);
        else
            window_idle();
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

// Opens the window and the sound, and runs the loop.
static enum exit_code run_in_window(struct shell *shell)
{
    struct session_context *context = &shell->context;
    const struct settings *settings = context->config->settings;
    const struct log *log = context->config->log;
    struct error error;
    enum exit_code code = EXIT_OK;
    if (!window_open(&context->window,
                     preferences_window_setup(&context->profile.preferences, (uint32_t)settings->scale), &error)) {
        log_write(log, LOG_ERROR, "%s", error.text);
        return EXIT_UNAVAILABLE;
    }
    shell_apply_preferences(shell);
    const char *sound_file = settings->sound_file[0] ? settings->sound_file : NULL;
    if (!presenter_open(&context->presenter, sound_file, &error)) {
        log_write(log, sound_file ? LOG_ERROR : LOG_INFO, "%s", error.text);
        code = sound_file ? EXIT_IO : EXIT_OK;
    }
    if (!code) {
        app_open(shell);
        code = run(shell);
        app_end(shell);
    }
    if (!presenter_close(&context->presenter, &error) && !code) {
        log_write(log, LOG_ERROR, "%s", error.text);
        code = EXIT_IO;
    }
    window_close(&context->window);
    return code;
}

enum exit_code app_run(const struct app_config *config)
{
    struct error error;
    if (links_hand_over(config->settings, config->log))
        return EXIT_OK;
    struct shell *shell = calloc(1, sizeof *shell);
    if (!shell) {
        log_write(config->log, LOG_ERROR, "Not enough memory.");
        return EXIT_FAILED;
    }
    enum exit_code code = app_begin(shell, config, &error);
    if (code)
        log_write(config->log, LOG_ERROR, "%s", error.text);
    else
        code = run_in_window(shell);
    app_end(shell); // also after a failure: a server that --host has started
    free(shell);
    return code;
}
