// SPDX-License-Identifier: MIT
#include "simulation.h"

#include <stdlib.h>
#include <string.h>

#include "shared_nav_graphs.h"

// After this long without a confirmed world, two in five own actions do not happen on the server.
#define SILENCE_TICKS 15

void simulation_begin(struct simulation *simulation, uint32_t slot)
{
    simulation->accuracy = (struct accuracy){.counts = simulation->accuracy.counts};
    simulation->prediction.slot = slot;
    simulation->started = false;
}

void simulation_load_map(struct simulation *simulation)
{
    const struct nav_graph *before = simulation->graph;
    simulation->graph = shared_nav_graphs_take(&simulation->downloaded.map);
    shared_nav_graphs_release(before);
}

void simulation_end(struct simulation *simulation)
{
    shared_nav_graphs_release(simulation->graph);
}

// Forgets the worlds of the match before.
static void forget_prediction(struct simulation *simulation)
{
    struct prediction *prediction = &simulation->prediction;
    uint32_t slot = prediction->slot;
    memset(prediction, 0, sizeof *prediction);
    prediction->slot = slot;
    prediction->graph = simulation->graph;
    memset(&simulation->smoothing, 0, sizeof simulation->smoothing);
    simulation->smoothing.slot = slot;
    memset(&simulation->remote.interpolation, 0, sizeof simulation->remote.interpolation);
}

// Returns how far apart two poses of the own player are; 0 in another life.
static uint32_t own_error_subpx(const struct map *map, struct pose drawn, struct pose corrected)
{
    bool same = drawn.identity != 0 && drawn.identity == corrected.identity;
    return same ? pose_distance(map, corrected, drawn) : 0;
}

// Lets figures go from where they were drawn to where the present has them.
static void smooth(struct simulation *simulation, const struct world *confirmed)
{
    const struct prediction *prediction = &simulation->prediction;
    smoothing_correct(&simulation->smoothing, &simulation->downloaded.map, prediction_world_before(prediction),
                      prediction_world(prediction), confirmed);
}

static void predict_events(struct simulation *simulation)
{
    const struct prediction *prediction = &simulation->prediction;
    if (prediction->present - simulation->heard > SILENCE_TICKS)
        view_events_withhold(&simulation->events, prediction->present);
    view_events_predict(&simulation->events, prediction_world(prediction), prediction_confirmed(prediction),
                        prediction->slot);
}

// Shows what a newly confirmed world and the present made from it bring.
static void show(struct simulation *simulation)
{
    const struct prediction *prediction = &simulation->prediction;
    simulation->heard = prediction->present;
    view_events_confirm(&simulation->events, &simulation->history.events, prediction_confirmed(prediction),
                        prediction->newest);
    predict_events(simulation);
}

struct simulation_correction simulation_confirm(struct simulation *simulation, tick number, uint64_t now_us)
{
    struct prediction *prediction = &simulation->prediction;
    const struct map *map = &simulation->downloaded.map;
    const struct world *confirmed = snapshot_history_at(&simulation->history, number);
    struct simulation_correction correction = {.resimulated = false};
    if (!simulation->started)
        forget_prediction(simulation);
    remote_players_arrived(&simulation->remote, number, now_us);
    accuracy_confirm(&simulation->accuracy, map, confirmed, prediction->slot);
    tick newest = prediction->newest;
    if (prediction_confirm(prediction, map, confirmed)) {
        if (prediction->newest != newest) // it stood still, and goes on
            smooth(simulation, confirmed);
        show(simulation);
        return correction;
    }
    if (simulation->started) {
        const struct pose *own = &simulation->smoothing.poses_now[prediction->slot];
        struct pose drawn = *own;
        correction.resimulated = true;
        correction.ticks = prediction_restore(prediction, map, confirmed);
        smooth(simulation, confirmed);
        correction.error_subpx = own_error_subpx(map, drawn, *own);
    } else {
        prediction_restore(prediction, map, confirmed);
        view_events_begin(&simulation->events, confirmed);
        simulation->started = true;
    }
    show(simulation);
    return correction;
}

void simulation_tick(struct simulation *simulation, tick now, struct player_input input)
{
    const struct prediction *prediction = &simulation->prediction;
    const struct map *map = &simulation->downloaded.map;
    prediction_push(&simulation->prediction, map, now, input);
    smoothing_advance(&simulation->smoothing, map, prediction_world_before(prediction), prediction_world(prediction),
                      prediction_confirmed(prediction));
    accuracy_draw(&simulation->accuracy, map, prediction_world(prediction), prediction_confirmed(prediction),
                  &simulation->smoothing, prediction->slot);
    predict_events(simulation);
}

static void hold_things(const struct prediction *prediction, struct view *view)
{
    for (tick number = prediction->confirmed; number != prediction->newest; number++)
        view_hold(view, prediction_world_at(prediction, number), prediction_world_at(prediction, number + 1));
}

void simulation_view(struct simulation *simulation, uint64_t now_us, uint32_t between, struct view *view)
{
    const struct prediction *prediction = &simulation->prediction;
    view->slot = prediction->slot;
    view_fill(view, &simulation->downloaded.map, prediction_world_before(prediction), prediction_world(prediction),
              between, &simulation->smoothing);
    if (prediction_stands(prediction))
        view->between = 256;
    view->confirmed = prediction_confirmed(prediction);
    tick others_tick = prediction->newest;
    if (view->kind == VIEW_INTERPOLATED)
        others_tick = remote_players_show(&simulation->remote, &simulation->history, prediction, now_us, view);
    else
        hold_things(prediction, view);
    view_events_drain(&simulation->events, view, others_tick);
}
