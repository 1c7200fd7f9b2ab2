// SPDX-License-Identifier: MIT
#include "course_session.h"

#include <stdlib.h>

#include "app/course/draw_course.h"
#include "app/menu/screens.h"
#include "local_players.h"
#include "window/keyboard.h"

#define TICK_US       (1000000u / TICKS_PER_SECOND)
#define TICKS_AT_ONCE 4

static void restart(struct course_session *session)
{
    course_run_restart(&session->run);
    session->run.due_us = 0;
    session_close_menu(session->context);
}

static void *make(struct session_context *context, struct error *error)
{
    struct course_session *session = calloc(1, sizeof *session);
    if (session)
        session->context = context;
    else
        error_set_code(error, EXIT_FAILED, "Not enough memory.");
    return session;
}

// The player looks as they have chosen.
static bool open(struct course_session *session, const char *name, struct error *error)
{
    struct session_context *context = session->context;
    const struct course *course = course_of_name(name);
    const struct lobby_player *first = &context->lobby.players[0];
    local_players_set_defaults(&context->lobby, &context->profile.preferences);
    session->run.colour = first->colour;
    session->run.hats[0] = (uint8_t)first->hat;
    if (!course)
        return error_set(error, "There is no such course.");
    if (!course_run_open(&session->run, course, context->profile.paths.trials, error))
        return false;
    log_write(context->config->log, LOG_DEBUG, "course %s", name);
    restart(session);
    return true;
}

static void begin(void *state, const struct app_command *command)
{
    struct course_session *session = state;
    struct error error;
    if (!open(session, command->text, &error))
        session_fail(session->context, error.text, DENIAL_NONE, false);
}

static void end(void *state)
{
    struct course_session *session = state;
    course_run_close(&session->run);
}

// Returns to the list that has the course.
static void leave(struct course_session *session)
{
    struct session_context *context = session->context;
    struct menu *menu = &context->menu;
    const struct course *course = session->run.course ? session->run.course : COURSES;
    const struct screen *list = course_is_lesson(course) ? &SCREEN_LESSONS : &SCREEN_TRIALS;
    uint32_t at = (uint32_t)(course - COURSES);
    end(session);
    presenter_wait(&context->presenter);
    menu_open_alone(menu, &SCREEN_TITLE);
    menu_focus_on(menu, &SCREEN_ALONE);
    menu_open(menu, &SCREEN_ALONE);
    menu_focus_on(menu, list);
    menu_open(menu, list);
    course_record_list(context->profile.paths.trials, menu->facts.course_ticks, menu->facts.course_old_ticks);
    menu->focus[menu->depth - 1] = course_is_lesson(course) ? at : at - COURSE_LESSONS;
}

static void obey(void *state, const struct app_command *command)
{
    struct course_session *session = state;
    if (command->kind == APP_COMMAND_COURSE_AGAIN && session->run.course)
        restart(session);
    if (command->kind == APP_COMMAND_COURSE_LEAVE)
        leave(session);
}

static void handle_event(void *state, const struct window_event *event)
{
    struct course_session *session = state;
    struct session_context *context = session->context;
    const struct preferences *preferences = &context->profile.preferences;
    struct error error;
    bool key = event->kind == WINDOW_KEY && !event->repeated, pad = event->kind == WINDOW_GAMEPAD;
    if (event->kind == WINDOW_KEY || pad)
        context->menu.by_gamepad = pad;
    uint32_t buttons = key   ? keyboard_pressed(&preferences->controls.buttons, KEYBOARD_FIRST, event->code)
                       : pad ? gamepads_pressed(&preferences->controls.buttons, event->code)
                             : event->buttons;
    if (session_asks_for_menu(event) && !event->repeated)
        menu_open_alone(&context->menu, &SCREEN_COURSE);
    else if (course_run_leads_on(&session->run) && buttons & BUTTON_JUMP) {
        const struct course *next = session->run.course + 1;
        bool same_list =
            next < COURSES + COURSE_COUNT && course_is_lesson(next) == course_is_lesson(session->run.course);
        if (same_list && open(session, next->name, &error))
            return;
        if (same_list)
            log_write(context->config->log, LOG_WARNING, "%s", error.text);
        leave(session);
    } else if ((key && event->code == KEY_R) || (pad && event->code == GAMEPAD_BUTTON_BACK))
        restart(session);
    else if (((key && event->code == KEY_F) || (pad && event->code == GAMEPAD_BUTTON_RIGHT_SHOULDER)) && !buttons)
        session->hides_ghosts = !session->hides_ghosts;
}

static void tick_course(struct course_session *session)
{
    struct course_run *run = &session->run;
    struct error error;
    const struct input_script *script = session->context->config->script;
    const struct log *log = session->context->config->log;
    uint32_t buttons = script ? input_script_buttons(script, run->world.tick + 1)
                              : window_buttons(&session->context->window, DEVICE_ALL, false);
    bool was_done = run->is_done;
    uint32_t task = course_run_task(run);
    if (!course_run_step(run, buttons, &error))
        log_write(log, LOG_WARNING, "%s", error.text);
    if (course_run_task(run) != task)
        log_write(log, LOG_DEBUG, "course %s, task %u", run->course->name, course_run_task(run));
    if (run->is_done && !was_done)
        log_write(log, LOG_DEBUG, "course %s done in %u ticks", run->course->name, run->record.ticks);
}

static bool view(void *state, uint64_t now_us)
{
    struct course_session *session = state;
    struct session_context *context = session->context;
    struct course_run *run = &session->run;
    bool stands = context->menu.depth > 0;
    if (!run->due_us || now_us > run->due_us + TICKS_AT_ONCE * TICK_US)
        run->due_us = now_us;
    run->view.event_count = 0;
    for (; !stands && run->due_us <= now_us; run->due_us += TICK_US)
        tick_course(session);
    if (run->is_new)
        presenter_begin(&context->presenter);
    run->is_new = false;
    course_run_fill_view(run, stands ? 256 : (uint32_t)(256 - (run->due_us - now_us) * 256 / TICK_US));
    presenter_show(&context->presenter, &context->canvas, &run->view,
                   &(struct draw_options){.bare = true, .scoreboard = true});
    session_point_hints(context);
    context->hints.shared_keys = context->hints.second_keys = false; // all keys are those of the one player
    struct draw_course_options options = {.hints = &context->hints,
                                          .camera = &context->presenter.scene.camera,
                                          .has_ghosts = !session->hides_ghosts,
                                          .large_text = context->profile.preferences.display.large_text};
    draw_course_ghosts(&context->canvas, run, &options);
    if (!stands)
        draw_course_hud(&context->canvas, run, &options);
    return true;
}

static struct session_status status(const void *state)
{
    const struct course_session *session = state;
    return (struct session_status){.is_open = session->run.course, .touch = TOUCH_USE_COURSE};
}

const struct session_interface SESSION_COURSE = {
    .open = make, .begin = begin, .obey = obey, .event = handle_event, .view = view, .status = status, .end = end};
