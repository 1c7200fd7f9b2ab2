// SPDX-License-Identifier: MIT
#include "simulation.h"

#include <stdlib.h>
#include <string.h>

#include "ai/ai.h"

void simulation_begin(struct simulation *simulation, uint32_t slot)
{
    memset(&simulation->prediction, 0, sizeof simulation->prediction);
    memset(&simulation->smoothing, 0, sizeof simulation->smoothing);
    memset(&simulation->remote.interpolation, 0, sizeof simulation->remote.interpolation);
    simulation->accuracy = (struct accuracy){.counts = simulation->accuracy.counts};
    simulation->prediction.slot = slot;
    simulation->started = false;
}

// A server without bots saves the client the graph, which takes longer than a frame.
static void need_nav_graph(struct simulation *simulation)
{
    const struct map *map = &simulation->downloaded.map;
    uint64_t hash = map_hash(map);
    if (simulation->graph_hash != hash)
        nav_graph_build(&simulation->graph, map);
    simulation->graph_hash = hash;
    simulation->prediction.graph = &simulation->graph;
}

static uint32_t own_error_subpx(const struct world *drawn, const struct world *corrected, uint32_t slot)
{
    const struct df_actor *a = &drawn->actors[slot], *b = &corrected->actors[slot];
    if (drawn->players[slot].state != PLAYER_ALIVE || corrected->players[slot].state != PLAYER_ALIVE ||
        drawn->players[slot].stats.deaths != corrected->players[slot].stats.deaths)
        return 0;
    int32_t x = abs(a->x * 256 + a->rem_x - b->x * 256 - b->rem_x);
    int32_t y = abs(a->y * 256 + a->rem_y - b->y * 256 - b->rem_y);
    return (uint32_t)(x > y ? x : y);
}

static void predict_events(struct simulation *simulation)
{
    const struct prediction *prediction = &simulation->prediction;
    view_events_predict(&simulation->events, prediction_world(prediction), prediction_confirmed(prediction),
                        prediction->slot);
}

// Shows what a newly confirmed world and the present made from it bring.
static void show(struct simulation *simulation)
{
    const struct prediction *prediction = &simulation->prediction;
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
    remote_players_arrived(&simulation->remote, number, now_us);
    if (!prediction->graph && ai_has_bots(confirmed))
        need_nav_graph(simulation);
    accuracy_confirm(&simulation->accuracy, map, confirmed, prediction->slot);
    if (prediction_confirm(prediction, map, confirmed)) {
        show(simulation);
        return correction;
    }
    if (simulation->started) {
        world_copy(&simulation->drawn, prediction_world(prediction));
        correction.resimulated = true;
        correction.ticks = prediction_restore(prediction, map, confirmed);
        const struct world *corrected = prediction_world(prediction);
        correction.error_subpx = own_error_subpx(&simulation->drawn, corrected, prediction->slot);
        smoothing_correct(&simulation->smoothing, map, &simulation->drawn, corrected);
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
    prediction_push(&simulation->prediction, &simulation->downloaded.map, now, input);
    smoothing_decay(&simulation->smoothing);
    accuracy_draw(&simulation->accuracy, &simulation->downloaded.map, prediction_world(&simulation->prediction),
                  prediction_confirmed(&simulation->prediction), &simulation->smoothing, simulation->prediction.slot);
    predict_events(simulation);
}

void simulation_view(struct simulation *simulation, uint64_t now_us, uint32_t between, struct view *view)
{
    const struct prediction *prediction = &simulation->prediction;
    view->slot = prediction->slot;
    view_fill(view, &simulation->downloaded.map, prediction_world_before(prediction), prediction_world(prediction),
              between, &simulation->smoothing);
    if (view->kind == VIEW_INTERPOLATED)
        remote_players_show(&simulation->remote, &simulation->history, prediction, now_us, view);
    view->confirmed = prediction_confirmed(prediction);
    view_hold_dying(view);
    view_events_drain(&simulation->events, view);
}
