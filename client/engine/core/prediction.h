// SPDX-License-Identifier: MIT
//
// Predicts the present: steps the newest confirmed world forward by the same world_step, with the own inputs of its
// players as they were sent, those of computer players as the server will compute them, and everybody else's last input
// held as long as people do. Keeps every predicted world until the server has confirmed its tick. Called by the client;
// knows nothing of packets or drawing.
#ifndef CORE_PREDICTION_H
#define CORE_PREDICTION_H

#include "sync/local_seats.h"

/// Worlds kept, by tick; a power of two.
#define PREDICTION_WORLDS 64
/// Ticks predicted beyond the newest confirmed world at most; then the prediction stands still until the next one
/// comes.
#define PREDICTION_TICKS_MAX (PREDICTION_WORLDS - 4)

/// About 7 MB. Zero-initialise, then prediction_restore() the first world.
struct prediction {
    tick confirmed; ///< newest confirmed tick
    tick newest;    ///< newest predicted tick
    tick present;   ///< tick to predict up to: that of the newest own inputs
    struct local_seats seats;
    const struct nav_graph *graph; ///< of the map, for computer players; null: they are guessed like people
    struct local_inputs own[PREDICTION_WORLDS];  ///< by tick
    struct player_input inputs[PLAYER_CAPACITY]; ///< of the step being made
    struct world worlds[PREDICTION_WORLDS];      ///< by tick
};

/// Adds the own inputs of the tick `now` and predicts up to it. Ticks left out since the last call get the same.
void prediction_push(struct prediction *prediction, const struct map *map, tick now, const struct local_inputs *own);

/// Returns true if the confirmed `world` equals the predicted world of its tick, byte for byte. Otherwise the caller
/// restores it.
bool prediction_confirm(struct prediction *prediction, const struct map *map, const struct world *world);

/// Starts again from a confirmed world and predicts up to the present. Returns the ticks stepped.
uint32_t prediction_restore(struct prediction *prediction, const struct map *map, const struct world *world);

/// Returns the newest confirmed world.
const struct world *prediction_confirmed(const struct prediction *prediction);

/// Returns the predicted present.
const struct world *prediction_world(const struct prediction *prediction);

/// Returns the predicted world of a tick between the newest confirmed one and the present; null for other ticks.
const struct world *prediction_world_at(const struct prediction *prediction, tick number);

/// Returns whether it stands still, because no snapshot has come for too long.
bool prediction_stands(const struct prediction *prediction);

/// Returns the world one tick before the present, for drawing between the two; the present if there is none, or if it
/// stands still.
const struct world *prediction_world_before(const struct prediction *prediction);

#endif
