// SPDX-License-Identifier: MIT
//
// Measures how true the picture was: where other players were drawn in a tick, compared with where the server says they
// were; drawn figures that jumped; and deaths that were predicted but not confirmed. The client passes each present
// once and each confirmed world, so the figures do not depend on frames.
#ifndef CORE_ACCURACY_H
#define CORE_ACCURACY_H

#include "smoothing.h"

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

/// Notes where players are drawn in the present: predicted, with corrections smoothed. Call once a tick. `slot`: own.
void accuracy_draw(struct accuracy *accuracy, const struct map *map, const struct world *present,
                   const struct world *confirmed, const struct smoothing *smoothing, uint32_t slot);

/// Compares a confirmed world with what was drawn in its tick.
void accuracy_confirm(struct accuracy *accuracy, const struct map *map, const struct world *confirmed, uint32_t slot);

#endif
