// SPDX-License-Identifier: MIT
//
// What a full client computes so that its players can play and see a match: the confirmed worlds, the prediction of the
// present, smoothing, events and remote players. The client feeds it ticks and snapshots; a light client has none.
// Knows nothing of connections; reads no clock.
#ifndef CORE_SIMULATION_H
#define CORE_SIMULATION_H

#include "interpolation.h"
#include "map_download.h"
#include "pose.h"
#include "prediction.h"
#include "view.h"

/// Ticks for which drawn places are kept until they are confirmed; a power of two.
#define ACCURACY_TICKS 64
/// A figure that moves farther in a tick jumps, px. No player moves so fast.
#define ACCURACY_JUMP_PX 8

/// Zero-initialise; between matches, keep the counts.
struct accuracy {
    struct accuracy_tick {
        tick tick;                            ///< 0: none
        struct pose figures[PLAYER_CAPACITY]; ///< drawn; identity: of the life, 0: not drawn
    } ticks[ACCURACY_TICKS];
    uint64_t dying[PLAYER_CAPACITY]; ///< the life that ends only in the prediction; 0: none
    struct accuracy_counts {
        uint32_t error_subpx;    ///< in the newest confirmed world: mean distance of the others, the larger of x and y,
                                 ///< 1/256 px
        uint32_t jumps;          ///< steps of others over ACCURACY_JUMP_PX within a life
        uint32_t deaths_guessed; ///< shown as a hit before they were confirmed
        uint32_t deaths_refuted; ///< of those: the player lives on
    } counts;                    ///< since the join
};

/// Zero-initialise, then simulation_begin() and simulation_load_map() for each match. About 15 MB.
struct simulation {
    struct downloaded_map downloaded;
    struct snapshot_history history;
    const struct nav_graph *graph; ///< of the map; null: none yet
    struct prediction prediction;
    struct smoothing smoothing;
    struct interpolation interpolation;
    struct view_events events;
    struct accuracy accuracy;
    tick heard;   ///< the present when the newest confirmed world came
    bool started; ///< the first world is here
};

/// What a confirmed world changed in the present.
struct simulation_correction {
    bool resimulated;     ///< the prediction was wrong
    uint32_t ticks;       ///< stepped again
    uint32_t error_subpx; ///< how far own players were from where they are, the largest; 0 in another life
};

/// Begins another match. Keeps the seats, the map and the history, and until the first world of the match also what
/// views point to.
void simulation_begin(struct simulation *simulation);

/// Says where the own players sit from now on.
void simulation_seat(struct simulation *simulation, const struct local_seats *seats);

/// Makes the simulation ready for the downloaded map. Takes up to 90 ms on the first client of a process.
void simulation_load_map(struct simulation *simulation);

/// Gives back what the simulation shares with others.
void simulation_end(struct simulation *simulation);

/// Compares the prediction with the confirmed world of a tick, which the history must have. If it was wrong, predicts
/// again from that world on.
struct simulation_correction simulation_confirm(struct simulation *simulation, tick number, uint64_t now_us);

/// Predicts the tick `now` with the own inputs.
void simulation_tick(struct simulation *simulation, tick now, const struct local_inputs *own);

/// Fills a view of the moment that is `between` the last tick (0) and the next (256), in the way of view->kind.
void simulation_view(struct simulation *simulation, uint64_t now_us, uint32_t between, struct view *view);

// --- its parts, for tests

/// Notes where players are drawn in the present: predicted, with corrections smoothed. Call once a tick. `own`:
/// players.
void simulation_accuracy_draw(struct accuracy *accuracy, const struct map *map, const struct world *present,
                              const struct world *confirmed, const struct smoothing *smoothing,
                              const struct local_seats *own);

/// Compares a confirmed world with what was drawn in its tick.
void simulation_accuracy_confirm(struct accuracy *accuracy, const struct map *map, const struct world *confirmed,
                                 const struct local_seats *own);

/// Returns the graph of a map, built unless a client of this process has it. Null if memory runs out.
const struct nav_graph *simulation_graph_take(const struct map *map);

/// Gives back a graph that was taken; null is allowed.
void simulation_graph_release(const struct nav_graph *graph);

/// Returns how many graphs this process has.
uint32_t simulation_graph_count(void);

#endif
