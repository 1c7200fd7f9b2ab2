// SPDX-License-Identifier: MIT
//
// The present, guessed: the newest world the server told, stepped forward by the same world_step with the own inputs
// as they were sent and everybody else's last input held. Keeps every guessed world until the server has told
// the true one of that tick. Called by the client; nothing here knows of packets or drawing.
#ifndef CLIENT_PREDICTION_H
#define CLIENT_PREDICTION_H

#include "game/world.h"

/// Worlds kept, by tick; a power of two.
#define PREDICTION_WORLDS 64
/// Ticks that are guessed at most beyond the newest told world; then the guess stands still until news come.
#define PREDICTION_TICKS_MAX (PREDICTION_WORLDS - 4)

/// About 7 MB. Zero-initialise, then prediction_restore() the first world.
struct prediction {
    tick told;    ///< of the newest world that the server told
    tick newest;  ///< of the newest guessed world
    tick present; ///< tick to guess up to: that of the newest own input
    uint32_t slot;
    struct player_input own[PREDICTION_WORLDS];  ///< by tick
    struct player_input inputs[PLAYER_CAPACITY]; ///< of the step being made
    struct world worlds[PREDICTION_WORLDS];      ///< by tick
};

/// The own input of the tick `now`: guesses on to it. Ticks left out since the last get the same input.
void prediction_push(struct prediction *prediction, const struct map *map, tick now, struct player_input input);

/// True if `world`, told by the server, is word for word the guessed world of its tick. Then nothing else is to do.
bool prediction_confirm(struct prediction *prediction, const struct map *map, const struct world *world);

/// Takes `world` for the truth and guesses again up to the present. Returns the ticks stepped.
uint32_t prediction_restore(struct prediction *prediction, const struct map *map, const struct world *world);

/// The guessed present.
const struct world *prediction_world(const struct prediction *prediction);

/// The guessed world of a tick from the newest told one to the present; null for others.
const struct world *prediction_world_at(const struct prediction *prediction, tick number);

/// The tick before it, for drawing between the two; the same world if there is none.
const struct world *prediction_world_before(const struct prediction *prediction);

#endif
