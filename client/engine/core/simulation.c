// SPDX-License-Identifier: MIT
#include "simulation.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "sync/game.h"

// --- the navigation graphs of a process

static struct shared_nav_graph {
    struct nav_graph graph;
    struct map map;
    uint32_t users;
    struct shared_nav_graph *next;
} * shared;

const struct nav_graph *simulation_graph_take(const struct map *map)
{
    struct shared_nav_graph *entry = shared;
    while (entry && memcmp(&entry->map, map, sizeof *map) != 0)
        entry = entry->next;
    if (entry) {
        entry->users++;
        return &entry->graph;
    }
    for (struct shared_nav_graph **at = &shared; *at;) { // frees those without users
        struct shared_nav_graph *old = *at, **next = &old->next;
        if (old->users == 0) {
            *at = old->next;
            free(old);
        } else {
            at = next;
        }
    }
    entry = calloc(1, sizeof *entry);
    if (!entry)
        return NULL;
    game_prepare_bots(&entry->graph, map);
    entry->map = *map;
    entry->users = 1;
    entry->next = shared;
    shared = entry;
    return &entry->graph;
}

void simulation_graph_release(const struct nav_graph *graph)
{
    for (struct shared_nav_graph *entry = shared; entry; entry = entry->next)
        entry->users -= &entry->graph == graph;
}

uint32_t simulation_graph_count(void)
{
    uint32_t count = 0;
    for (const struct shared_nav_graph *entry = shared; entry; entry = entry->next)
        count++;
    return count;
}

// --- how near the prediction comes

// Follows whether a player dies only in the prediction. Returns the life to draw; 0: none.
static uint64_t drawn_life(struct accuracy *accuracy, const struct world *present, const struct world *confirmed,
                           uint32_t slot, bool own)
{
    const struct player *now = &present->players[slot], *sure = &confirmed->players[slot];
    uint64_t life = pose_life(sure), dying = accuracy->dying[slot];
    bool dies = pose_is_dying(now, sure);
    accuracy->counts.deaths_guessed += dies && dying != life;
    accuracy->counts.deaths_refuted += !dies && dying != 0 && dying == life;
    accuracy->dying[slot] = dies ? life : 0;
    if (now->state != PLAYER_ALIVE)
        return dies ? life : 0;
    return own || pose_is_same_life(now, sure) ? pose_life(now) : 0;
}

void simulation_accuracy_draw(struct accuracy *accuracy, const struct map *map, const struct world *present,
                              const struct world *confirmed, const struct smoothing *smoothing,
                              const struct local_seats *own)
{
    struct accuracy_tick *now = &accuracy->ticks[present->tick % ACCURACY_TICKS];
    const struct accuracy_tick *before = &accuracy->ticks[(present->tick - 1) % ACCURACY_TICKS];
    bool follows = before->tick == present->tick - 1;
    now->tick = present->tick;
    for (uint32_t i = 0; i < PLAYER_CAPACITY; i++) {
        struct pose *figure = &now->figures[i];
        figure->identity =
            i < present->player_slots ? drawn_life(accuracy, present, confirmed, i, local_seats_have(own, i)) : 0;
        if (!figure->identity)
            continue;
        figure->x = pose_of_player(present, i).x;
        figure->y = pose_of_player(present, i).y;
        figure->x += smoothing->now[i].x;
        figure->y += smoothing->now[i].y;
        if (accuracy->dying[i])
            *figure = (struct pose){smoothing->held[i].x, smoothing->held[i].y, figure->identity};
        bool same = follows && !local_seats_have(own, i) && before->figures[i].identity == figure->identity &&
                    pose_is_continuous(map, smoothing->poses_before[i], smoothing->poses_now[i]);
        accuracy->counts.jumps += same && pose_distance(map, before->figures[i], *figure) > ACCURACY_JUMP_PX * 256;
    }
}

void simulation_accuracy_confirm(struct accuracy *accuracy, const struct map *map, const struct world *confirmed,
                                 const struct local_seats *own)
{
    const struct accuracy_tick *drawn = &accuracy->ticks[confirmed->tick % ACCURACY_TICKS];
    uint64_t sum = 0;
    uint32_t count = 0;
    for (uint32_t i = 0; drawn->tick == confirmed->tick && i < confirmed->player_slots; i++) {
        const struct player *player = &confirmed->players[i];
        if (local_seats_have(own, i) || player->state != PLAYER_ALIVE ||
            drawn->figures[i].identity != pose_life(player))
            continue;
        sum += pose_distance(map, drawn->figures[i], pose_of_player(confirmed, i));
        count++;
    }
    accuracy->counts.error_subpx = count ? (uint32_t)(sum / count) : 0;
}

// --- the simulation

// After this long without a confirmed world, two in five own actions do not happen on the server.
#define SILENCE_TICKS 15

void simulation_begin(struct simulation *simulation)
{
    simulation->accuracy = (struct accuracy){.counts = simulation->accuracy.counts};
    simulation->started = false;
}

void simulation_seat(struct simulation *simulation, const struct local_seats *seats)
{
    simulation->prediction.seats = simulation->smoothing.own = *seats;
}

void simulation_load_map(struct simulation *simulation)
{
    const struct nav_graph *before = simulation->graph;
    simulation->graph = simulation_graph_take(&simulation->downloaded.map);
    simulation_graph_release(before);
}

void simulation_end(struct simulation *simulation)
{
    simulation_graph_release(simulation->graph);
}

// Lets figures go from where they were drawn to where the present has them.
static void smooth(struct simulation *simulation, const struct world *confirmed)
{
    const struct prediction *prediction = &simulation->prediction;
    view_smoothing_correct(&simulation->smoothing, &simulation->downloaded.map, prediction_world_before(prediction),
                           prediction_world(prediction), confirmed);
}

static void predict_events(struct simulation *simulation)
{
    const struct prediction *prediction = &simulation->prediction;
    if (prediction->present - simulation->heard > SILENCE_TICKS)
        view_events_withhold(&simulation->events, prediction->present);
    view_events_predict(&simulation->events, prediction_world(prediction), prediction_confirmed(prediction),
                        &prediction->seats);
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
    if (!simulation->started) { // forgets the worlds of the match before
        struct local_seats seats = prediction->seats;
        memset(prediction, 0, sizeof *prediction);
        memset(&simulation->smoothing, 0, sizeof simulation->smoothing);
        memset(&simulation->interpolation, 0, offsetof(struct interpolation, shown));
        prediction->seats = simulation->smoothing.own = seats;
        prediction->graph = simulation->graph;
    }
    interpolation_arrived(&simulation->interpolation, number, now_us);
    simulation_accuracy_confirm(&simulation->accuracy, map, confirmed, &prediction->seats);
    tick newest = prediction->newest;
    if (prediction_confirm(prediction, map, confirmed)) {
        if (prediction->newest != newest) // it stood still, and goes on
            smooth(simulation, confirmed);
        show(simulation);
        return correction;
    }
    if (simulation->started) {
        const struct pose *poses = simulation->smoothing.poses_now;
        struct pose drawn[LOCAL_PLAYERS] = {{0}};
        for (uint32_t local = 0; local < LOCAL_PLAYERS; local++)
            if (prediction->seats.of[local])
                drawn[local] = poses[prediction->seats.of[local] - 1];
        correction.resimulated = true;
        correction.ticks = prediction_restore(prediction, map, confirmed);
        smooth(simulation, confirmed);
        for (uint32_t local = 0; local < LOCAL_PLAYERS; local++) {
            if (drawn[local].identity == 0)
                continue;
            struct pose own = poses[prediction->seats.of[local] - 1];
            uint32_t error = drawn[local].identity == own.identity ? pose_distance(map, own, drawn[local]) : 0;
            correction.error_subpx = error > correction.error_subpx ? error : correction.error_subpx;
        }
    } else {
        prediction_restore(prediction, map, confirmed);
        view_events_begin(&simulation->events, confirmed);
        simulation->started = true;
    }
    show(simulation);
    return correction;
}

void simulation_tick(struct simulation *simulation, tick now, const struct local_inputs *own)
{
    const struct prediction *prediction = &simulation->prediction;
    const struct map *map = &simulation->downloaded.map;
    prediction_push(&simulation->prediction, map, now, own);
    view_smoothing_advance(&simulation->smoothing, map, prediction_world_before(prediction),
                           prediction_world(prediction), prediction_confirmed(prediction));
    simulation_accuracy_draw(&simulation->accuracy, map, prediction_world(prediction), prediction_confirmed(prediction),
                             &simulation->smoothing, &prediction->seats);
    predict_events(simulation);
}

void simulation_view(struct simulation *simulation, uint64_t now_us, uint32_t between, struct view *view)
{
    const struct prediction *prediction = &simulation->prediction;
    view->own = prediction->seats;
    view->slot = local_seats_first(&view->own);
    view_fill(view, &simulation->downloaded.map, prediction_world_before(prediction), prediction_world(prediction),
              between, &simulation->smoothing);
    if (prediction_stands(prediction))
        view->between = 256;
    view->confirmed = prediction_confirmed(prediction);
    tick others_tick = prediction->newest;
    if (view->kind == VIEW_INTERPOLATED)
        others_tick = interpolation_show(&simulation->interpolation, &simulation->history, prediction, now_us, view);
    else
        for (tick number = prediction->confirmed; number != prediction->newest; number++)
            view_hold(view, prediction_world_at(prediction, number), prediction_world_at(prediction, number + 1));
    view_events_drain(&simulation->events, view, others_tick);
}
