// SPDX-License-Identifier: MIT
#include "course_session.h"

#include <stdio.h>

#include "app/menu/screens.h"
#include "app/trial/draw_trial.h"
#include "game/map/tiled/map_file.h"
#include "local_players.h"
#include "window/keyboard.h"

#define TICK_US       (1000000u / TICKS_PER_SECOND)
#define TICKS_AT_ONCE 4

static bool is_lesson(const struct course *course)
{
    return course < COURSES + COURSE_LESSONS;
}

static void restart(struct course_session *session)
{
    trial_restart(&session->trial);
    session->trial.due_us = 0;
    session_close_menu(session->context);
}

// The player looks as they have chosen.
static bool open(struct course_session *session, const char *name, struct error *error)
{
    struct session_context *context = session->context;
    const struct course *course = course_of_name(name);
    const struct lobby_player *first = &context->lobby.players[0];
    local_players_set_defaults(&context->lobby, &context->profile.preferences);
    session->trial.colour = first->colour;
    session->trial.hats[0] = (uint8_t)first->hat;
    if (!course)
        return error_set(error, "There is no such course.");
    if (!trial_open(&session->trial, course, context->profile.paths.trials, error))
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
    trial_close(&session->trial);
}

void course_session_list(struct menu_facts *facts, const char *folder)
{
    static struct trial_run run;
    static struct map map;
    char path[1024];
    struct error error;
    for (size_t i = 0; i < COURSE_COUNT; i++) {
        bool good = course_find(&COURSES[i], ".tmj", path, sizeof path) && map_file_read(path, &map, &error);
        if (good)
            trial_record_read(&run, &COURSES[i], &map, folder);
        facts->course_ticks[i] = good ? run.ticks : 0;
        facts->course_old_ticks[i] = good ? trial_record_old_ticks(&COURSES[i], &map, folder) : 0;
    }
}

// Returns to the list that has the course.
static void leave(struct course_session *session)
{
    struct session_context *context = session->context;
    struct menu *menu = &context->menu;
    const struct course *course = session->trial.course ? session->trial.course : COURSES;
    const struct screen *list = is_lesson(course) ? &SCREEN_LESSONS : &SCREEN_TRIALS;
    uint32_t at = (uint32_t)(course - COURSES);
    end(session);
    presenter_wait(&context->presenter);
    menu_open_alone(menu, &SCREEN_TITLE);
    menu_focus_on(menu, &SCREEN_ALONE);
    menu_open(menu, &SCREEN_ALONE);
    menu_focus_on(menu, list);
    menu_open(menu, list);
    course_session_list(&menu->facts, context->profile.paths.trials);
    menu->focus[menu->depth - 1] = is_lesson(course) ? at : at - COURSE_LESSONS;
}

static void obey(void *state, const struct app_command *command)
{
    struct course_session *session = state;
    if (command->kind == APP_COMMAND_TRIAL_AGAIN && session->trial.course)
        restart(session);
    if (command->kind == APP_COMMAND_TRIAL_LEAVE)
        leave(session);
}

static void warn(const struct course_session *session, const struct error *error)
{
    log_write(session->context->config->log, LOG_WARNING, "%s", error->text);
}

static void open_next(struct course_session *session)
{
    const struct course *next = session->trial.course + 1;
    bool same_list = next < COURSES + COURSE_COUNT && is_lesson(next) == is_lesson(session->trial.course);
    struct error error;
    if (same_list && open(session, next->name, &error))
        return;
    if (same_list)
        warn(session, &error);
    leave(session);
}

static void handle_event(void *state, const struct window_event *event)
{
    struct course_session *session = state;
    struct session_context *context = session->context;
    const struct preferences *preferences = &context->profile.preferences;
    bool key = event->kind == WINDOW_KEY && !event->repeated, pad = event->kind == WINDOW_GAMEPAD;
    if (event->kind == WINDOW_KEY || pad)
        context->menu.by_gamepad = pad;
    uint32_t buttons = key   ? keyboard_pressed(&preferences->controls.buttons, KEYBOARD_FIRST, event->code)
                       : pad ? gamepads_pressed(&preferences->controls.buttons, event->code)
                             : event->buttons;
    if (session_asks_for_menu(event) && !event->repeated)
        menu_open_alone(&context->menu, &SCREEN_TRIAL);
    else if (trial_leads_on(&session->trial) && buttons & BUTTON_JUMP)
        open_next(session);
    else if ((key && event->code == KEY_R) || (pad && event->code == GAMEPAD_BUTTON_BACK))
        restart(session);
    else if (((key && event->code == KEY_F) || (pad && event->code == GAMEPAD_BUTTON_RIGHT_SHOULDER)) && !buttons)
        session->hides_ghosts = !session->hides_ghosts;
}

static void tick_course(struct course_session *session)
{
    struct trial *trial = &session->trial;
    struct error error;
    const struct input_script *script = session->context->config->script;
    uint32_t buttons = script ? input_script_buttons(script, trial->world.tick + 1)
                              : window_buttons(&session->context->window, DEVICE_ALL, false);
    bool was_done = trial->is_done;
    uint32_t task = trial_task(trial);
    if (!trial_step(trial, buttons, &error))
        warn(session, &error);
    if (trial_task(trial) != task)
        log_write(session->context->config->log, LOG_DEBUG, "course %s, task %u", trial->course->name,
                  trial_task(trial));
    if (trial->is_done && !was_done)
        log_write(session->context->config->log, LOG_DEBUG, "course %s done in %u ticks", trial->course->name,
                  trial->run.ticks);
}

static bool view(void *state, uint64_t now_us)
{
    struct course_session *session = state;
    struct session_context *context = session->context;
    struct trial *trial = &session->trial;
    bool stands = context->menu.depth > 0;
    if (!trial->due_us || now_us > trial->due_us + TICKS_AT_ONCE * TICK_US)
        trial->due_us = now_us;
    trial->view.event_count = 0;
    for (; !stands && trial->due_us <= now_us; trial->due_us += TICK_US)
        tick_course(session);
    if (trial->is_new)
        presenter_begin(&context->presenter);
    trial->is_new = false;
    trial_fill_view(trial, stands ? 256 : (uint32_t)(256 - (trial->due_us - now_us) * 256 / TICK_US));
    presenter_show(&context->presenter, &context->canvas, &trial->view,
                   &(struct draw_options){.bare = true, .scoreboard = true});
    session_point_hints(context);
    context->hints.shared_keys = context->hints.second_keys = false; // all keys are those of the one player
    struct draw_trial_options options = {.hints = &context->hints,
                                         .camera = &context->presenter.scene.camera,
                                         .has_ghosts = !session->hides_ghosts,
                                         .large_text = context->profile.preferences.display.large_text};
    draw_trial_ghosts(&context->canvas, trial, &options);
    if (!stands)
        draw_trial_hud(&context->canvas, trial, &options);
    return true;
}

static struct session_status status(const void *state)
{
    const struct course_session *session = state;
    return (struct session_status){.is_open = session->trial.course, .touch = TOUCH_USE_COURSE};
}

const struct session_interface COURSE = {
    .begin = begin, .obey = obey, .event = handle_event, .view = view, .status = status, .end = end};
