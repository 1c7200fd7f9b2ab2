// SPDX-License-Identifier: MIT
//
// The guess about other people: what a client lets them hold in the ticks of which it does not know their inputs yet.
// What they do then is decided by world_step, as for everybody; a guess that was wrong is corrected by the snapshot
// that says so.
#include "sync/game.h"

// People let go of a press after about this many ticks, and of a direction after so many that it is held for any usual
// round trip.
#define PRESS_TICKS     5
#define DIRECTION_TICKS 36

struct player_input game_guess_input(const struct player *player, tick ticks)
{
    uint32_t buttons = player->buttons;
    if (ticks >= DIRECTION_TICKS)
        buttons = 0;
    else if (ticks >= PRESS_TICKS)
        buttons &= ~GAME_EDGE_BUTTONS;
    return (struct player_input){buttons};
}
