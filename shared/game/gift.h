// SPDX-License-Identifier: MIT
//
// Gifts: what chests give. A gift is one row of GIFT_TABLE, and how it looks one row of client/game/looks/item_looks.c:
// maps, chests, dice, reports, figures and the HUD read these. A new gift comes last in enum map_gift, so that maps and
// replays keep their meaning; what a player has of it is a member of struct player with a row in replication.c. What it
// changes of movement is in player/movement.c, by that member.
#ifndef GAME_GIFT_H
#define GAME_GIFT_H

#include <stddef.h>

#include "state.h"

struct step;

/// One gift.
struct gift {
    const char *name;   ///< in maps, and in PROTOCOL.md
    const char *report; ///< as a sentence names it: "a shield"
    uint32_t weight;    ///< chance against the others
    void (*give)(const struct world *world, struct player *player, enum arrow_kind kind);
    enum arrow_kind kind;                           ///< of the arrows that it gives
    size_t member;                                  ///< of struct player, where it stays; 0: nothing stays
    bool is_timed;                                  ///< the member is the tick until which they have it, else 1
    void (*step)(struct step *step, uint32_t slot); ///< in each tick in which somebody alive has it; NULL: nothing
};

/// All gifts, by enum map_gift.
extern const struct gift GIFT_TABLE[MAP_GIFTS];

/// Gives a gift to a living player.
void gift_give(const struct world *world, struct player *player, enum map_gift gift);

/// gift_left_ticks() of what a player keeps until it is used up.
#define GIFT_UNTIL_USED UINT32_MAX

/// Returns the ticks after `now` for which a player has what stays of a gift; 0: they have it not.
uint32_t gift_left_ticks(const struct player *player, enum map_gift gift, tick now);

/// Phase: what chests have given does its work.
void gift_step(struct step *step);

#endif
