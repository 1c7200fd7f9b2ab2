// SPDX-License-Identifier: MIT
#include "app_trial.h"

#include <stdio.h>

#include "app/menu/screens.h"
#include "app/platform/keyboard.h"
#include "app/trial/draw_trial.h"
#include "game/map/tiled/map_file.h"

#define TICK_US       (1000000u / TICKS_PER_SECOND)
#define TICKS_AT_ONCE 4

static bool is_lesson(const struct course *course)
{
    return course < COURSES + COURSE_LESSONS;
}

static void warn(struct app *app, const struct error *error)
{
    log_write(app->config->log, LOG_WARNING, "%s", error->text);
}

bool app_trial_open(struct app *app, const char *name, struct error *error)
{
    const struct course *course = course_of_name(name);
    const struct lobby_player *first = &app->local.lobby.players[0];
    local_players_leave(&app->local);
    local_players_set_defaults(&app->local);
    app->trial.colour = first->colour;
    app->trial.hats[0] = (uint8_t)first->hat;
    if (!course)
        return error_set(error, "There is no such course.");
    if (!trial_open(&app->trial, course, app->trials_path, error))
        return false;
    log_write(app->config->log, LOG_DEBUG, "course %s", name);
    app_trial_again(app);
    return true;
}

void app_trial_again(struct app *app)
{
    if (!app->trial.course)
        return;
    trial_restart(&app->trial);
    app->trial.due_us = 0;
    menu_close(&app->menu);
    window_forget_taps(&app->window);
}

void app_trial_leave(struct app *app)
{
    const struct course *course = app->trial.course ? app->trial.course : COURSES;
    const struct screen *list = is_lesson(course) ? &SCREEN_LESSONS : &SCREEN_TRIALS;
    uint32_t at = (uint32_t)(course - COURSES);
    trial_close(&app->trial);
    presenter_wait(&app->presenter);
    menu_open_alone(&app->menu, &SCREEN_TITLE);
    menu_focus_on(&app->menu, &SCREEN_ALONE);
    menu_open(&app->menu, &SCREEN_ALONE);
    menu_focus_on(&app->menu, list);
    menu_open(&app->menu, list);
    app_trial_list(app);
    app->menu.focus[app->menu.depth - 1] = is_lesson(course) ? at : at - COURSE_LESSONS;
}

static void open_next(struct app *app)
{
    const struct course *next = app->trial.course + 1;
    bool same_list = next < COURSES + COURSE_COUNT && is_lesson(next) == is_lesson(app->trial.course);
    struct error error;
    if (same_list && app_trial_open(app, next->name, &error))
        return;
    if (same_list)
        warn(app, &error);
    app_trial_leave(app);
}

void app_trial_take(struct app *app, const struct window_event *event)
{
    bool key = event->kind == WINDOW_KEY && !event->repeated, pad = event->kind == WINDOW_GAMEPAD;
    if (event->kind == WINDOW_KEY || pad)
        app->menu.by_gamepad = pad;
    uint32_t buttons = key   ? keyboard_pressed(&app->preferences, KEYBOARD_FIRST, event->code)
                       : pad ? gamepads_pressed(&app->preferences, event->code)
                             : event->buttons;
    bool pauses = event->kind == WINDOW_TOUCH && event->code == TOUCH_PAUSE && event->tapped;
    if (pauses || (key && event->code == KEY_ESCAPE) || (pad && event->code == GAMEPAD_BUTTON_START))
        menu_open_alone(&app->menu, &SCREEN_TRIAL);
    else if (trial_leads_on(&app->trial) && buttons & BUTTON_JUMP)
        open_next(app);
    else if ((key && event->code == KEY_R) || (pad && event->code == GAMEPAD_BUTTON_BACK))
        app_trial_again(app);
    else if (((key && event->code == KEY_F) || (pad && event->code == GAMEPAD_BUTTON_RIGHT_SHOULDER)) && !buttons)
        app->hides_ghosts = !app->hides_ghosts;
}

static void step(struct app *app)
{
    struct trial *trial = &app->trial;
    struct error error;
    const struct input_script *script = app->config->script;
    uint32_t buttons =
        script ? input_script_buttons(script, trial->world.tick + 1) : window_buttons(&app->window, DEVICE_ALL, false);
    bool was_done = trial->is_done;
    uint32_t task = trial_task(trial);
    if (!trial_step(trial, buttons, &error))
        warn(app, &error);
    if (trial_task(trial) != task)
        log_write(app->config->log, LOG_DEBUG, "course %s, task %u", trial->course->name, trial_task(trial));
    if (trial->is_done && !was_done)
        log_write(app->config->log, LOG_DEBUG, "course %s done in %u ticks", trial->course->name, trial->run.ticks);
}

void app_trial_draw(struct app *app, uint64_t now_us)
{
    struct trial *trial = &app->trial;
    bool stands = app->menu.depth > 0;
    if (!trial->due_us || now_us > trial->due_us + TICKS_AT_ONCE * TICK_US)
        trial->due_us = now_us;
    trial->view.event_count = 0;
    for (; !stands && trial->due_us <= now_us; trial->due_us += TICK_US)
        step(app);
    if (trial->is_new)
        presenter_begin(&app->presenter);
    trial->is_new = false;
    trial_fill_view(trial, stands ? 256 : (uint32_t)(256 - (trial->due_us - now_us) * 256 / TICK_US));
    presenter_show(&app->presenter, &app->canvas, &trial->view,
                   &(struct draw_options){.bare = true, .scoreboard = true});
    app->hints.by_gamepad = app->menu.by_gamepad;
    app->hints.by_touch = app->menu.by_touch;
    app->hints.family = menu_pad_family(&app->menu);
    app->hints.shared_keys = app->hints.second_keys = false; // all keys are those of the one player
    struct draw_trial_options options = {.hints = &app->hints,
                                         .camera = &app->presenter.scene.camera,
                                         .has_ghosts = !app->hides_ghosts,
                                         .large_text = app->preferences.display.large_text};
    draw_trial_ghosts(&app->canvas, trial, &options);
    if (!stands)
        draw_trial_hud(&app->canvas, trial, &options);
}

void app_trial_list(struct app *app)
{
    static struct trial_run run;
    static struct map map;
    char path[1024];
    struct error error;
    for (size_t i = 0; i < COURSE_COUNT; i++) {
        bool good = course_find(&COURSES[i], ".tmj", path, sizeof path) && map_file_read(path, &map, &error);
        if (good)
            trial_record_read(&run, &COURSES[i], &map, app->trials_path);
        app->menu.facts.course_ticks[i] = good ? run.ticks : 0;
        app->menu.facts.course_old_ticks[i] = good ? trial_record_old_ticks(&COURSES[i], &map, app->trials_path) : 0;
    }
}
