// SPDX-License-Identifier: MIT
//
// Last man standing: one life a round; who alone is left alive wins it. If the last ones die in the same tick, or still
// live together a second after the walls have met, it is a draw, and nobody gets the point.
#include "mode.h"

static bool decided(const struct step *step, struct outcome *outcome)
{
    const struct world *world = step->world;
    uint32_t alive = 0;
    for (uint32_t slot = 0; slot < world->player_slots; slot++) {
        if (world->players[slot].state != PLAYER_ALIVE)
            continue;
        outcome->winner = slot + 1;
        alive++;
    }
    if (alive > 1)
        outcome->winner = 0;
    return alive <= 1 ||
           world->tick - world->round.since_tick > TUNING.sudden_death_ticks + TUNING.closing_ticks + TICKS_PER_SECOND;
}

const struct mode_play MODE_LMS_PLAY = {.one_life = true, .score_limit = 5, .decided = decided};
