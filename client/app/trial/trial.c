// SPDX-License-Identifier: MIT
#include "trial.h"

#include <string.h>

#include "game/map/tiled/map_file.h"
#include "game/rules/trial.h"
#include "game/trial_world.h"
#include "game/tuning.h"
#include "sync/world.h"

// How long a death is seen.
#define DEATH_TICKS 30
// How long the world goes on when all is done.
#define END_TICKS 120
// How long its result stays at least.
#define RESULT_TICKS 90

bool trial_open(struct trial *trial, const struct course *course, const char *folder, struct error *error)
{
    char path[1024];
    trial_close(trial);
    if (!course_find(course, ".tmj", path, sizeof path))
        return error_set(error, "The maps of Deadfall are not installed.");
    if (!map_file_read(path, &trial->map, error))
        return false;
    trial->course = course;
    trial->folder = folder;
    struct error none;
    trial_record_read_gold(&trial->ghosts[TRIAL_GOLD].run, course, &trial->map, &none);
    trial_record_read(&trial->ghosts[TRIAL_OWN].run, course, &trial->map, folder);
    trial_restart(trial);
    return true;
}

void trial_close(struct trial *trial)
{
    trial->course = NULL;
}

void trial_restart(struct trial *trial)
{
    const struct course *course = trial->course;
    trial_world_begin(&trial->world, &trial->map, course->catches, course->variants);
    // Two ticks until the player stands there, so that the course is seen with them in it.
    trial->inputs[0].buttons = 0;
    trial->run.buttons[0] = trial->run.buttons[1] = 0;
    for (uint32_t i = 0; i < 2; i++) {
        world_copy(&trial->before, &trial->world);
        world_step(&trial->world, &trial->map, trial->inputs);
    }
    for (uint32_t i = 0; i < TRIAL_GHOSTS; i++)
        world_copy(&trial->ghosts[i].world, &trial->world);
    trial->before.players[0].colour = trial->world.players[0].colour = trial->colour;
    trial->run.ticks = 0;
    trial->best_before_ticks = trial->ghosts[TRIAL_OWN].run.ticks;
    trial->is_done = false;
    trial->is_new = true;
    trial->view.event_count = 0;
}

static void step_ghost(struct trial *trial, struct trial_ghost *ghost)
{
    if (ghost->run.ticks == 0 || ghost->world.tick >= ghost->run.ticks)
        return;
    trial->inputs[0].buttons = ghost->run.buttons[ghost->world.tick];
    world_step(&ghost->world, &trial->map, trial->inputs);
}

static bool is_over(const struct trial *trial)
{
    const struct player *player = &trial->world.players[0];
    bool lesson = trial->course < COURSES + COURSE_LESSONS;
    return trial->world.tick == TRIAL_TICKS_MAX ||
           (!lesson && player->state == PLAYER_DEAD &&
            player->respawn_tick < trial->world.tick + TUNING.respawn_ticks - DEATH_TICKS);
}

static bool finish(struct trial *trial, struct error *error)
{
    struct trial_run *best = &trial->ghosts[TRIAL_OWN].run;
    trial->is_done = true;
    trial->run.ticks = trial->world.tick;
    trial->run.colour = trial->colour;
    if (best->ticks != 0 && best->ticks <= trial->run.ticks)
        return true;
    *best = trial->run;
    return trial->folder[0] == 0 || trial_record_write(best, trial->course, &trial->map, trial->folder, error);
}

bool trial_step(struct trial *trial, uint32_t buttons, struct error *error)
{
    bool waits = trial->world.tick == 2 && buttons == 0;
    if (waits || (trial->is_done && trial->world.tick > trial->run.ticks + END_TICKS))
        return true;
    world_copy(&trial->before, &trial->world);
    if (!trial->is_done) {
        trial->run.buttons[trial->world.tick] = (uint8_t)buttons;
        for (uint32_t i = 0; i < TRIAL_GHOSTS; i++)
            step_ghost(trial, &trial->ghosts[i]);
    }
    trial->inputs[0].buttons = trial->is_done ? 0 : buttons;
    world_step(&trial->world, &trial->map, trial->inputs);
    view_add_events(&trial->view, &trial->world, trial->before.event_count);
    if (!trial->is_done && trial->world.round.phase == ROUND_MATCH_OVER)
        return finish(trial, error);
    if (!trial->is_done && is_over(trial))
        trial_restart(trial);
    return true;
}

uint32_t trial_ticks(const struct trial *trial)
{
    return trial->is_done ? trial->run.ticks : trial->world.tick;
}

bool trial_leads_on(const struct trial *trial)
{
    return trial->is_done && trial->world.tick >= trial->run.ticks + RESULT_TICKS;
}

uint32_t trial_task(const struct trial *trial)
{
    uint32_t task = 0;
    for (int32_t i = 0; i < trial->map.switch_count; i++) {
        if (!trial_is_task(&trial->map.switches[i]))
            continue;
        if (!trial->world.switches[i].on)
            return task;
        task++;
    }
    return (uint32_t)trial->world.players[0].score;
}

void trial_fill_view(struct trial *trial, uint32_t between)
{
    view_fill(&trial->view, &trial->map, &trial->before, &trial->world, between, NULL);
    trial->view.slot = 0;
    trial->view.hats = trial->hats;
}
