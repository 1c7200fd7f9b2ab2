// SPDX-License-Identifier: MIT
//
// What the parts of a bot's mind share: who thinks, with what skill, and how far things are.
#ifndef AI_MIND
#define AI_MIND

#include <stdlib.h>

#include "nav_graph.h"
#include "trajectory.h"

/// What tells one skill from another; times in ticks, distances in px.
struct traits {
    uint32_t think_ticks;     ///< between two decisions where to go
    uint32_t attention_ticks; ///< for how long a mood stands
    uint32_t shots_of_8;      ///< of eight chances to shoot, how many are taken
    uint32_t wander_of_8;     ///< of eight moods, how many lead somewhere else
    uint32_t dodge_of_8;      ///< of eight arrows, how many are seen coming
    int32_t sight_px;         ///< how far it shoots
    int32_t aim_px;           ///< by how much a shot may miss in its mind
    bool leads;               ///< aims where the enemy will be
    bool foresees;            ///< looks at what flies, falls and burns before it goes
    bool cunning;             ///< stomps, catches, keeps away when out of arrows
};

/// A point relative to the bot, or a place; px.
struct spot {
    int32_t x, y;
};

/// Where it wants to be.
struct goal {
    struct spot to; ///< from its middle to there
    uint16_t cell;  ///< of the brain's map, or NAV_CELL_NONE
    struct trajectory_prize prize;
};

/// What a bot knows in this tick.
struct mind {
    const struct world *world;
    const struct map *map;
    const struct nav_graph *ways; ///< or null
    const struct player *player;
    const struct df_actor *body;
    const struct traits *traits;
    struct df_tiles tiles;
    uint32_t slot;
    tick mood_tick;     ///< now, but in the air about when it leapt, so that it does not change its mind there
    int32_t x, y, feet; ///< middle of the body, and the first row below it, px
    uint16_t cell;      ///< where it stands, or NAV_CELL_NONE
};

/// Dice that stay the same for `hold_ticks`: pure, of the seed, the slot and the time.
uint32_t mind_dice(const struct world *world, uint32_t slot, uint32_t hold_ticks, uint32_t salt);

/// The same of the moods, which stay as they are in the air.
uint32_t mind_mood(const struct mind *mind, uint32_t hold_ticks, uint32_t salt);

/// From the bot to a point; in a map that wraps, the short way round.
struct spot mind_way(const struct mind *mind, int32_t x, int32_t y);

/// The middle of an actor as mind_way() gives it.
struct spot mind_way_to(const struct mind *mind, uint32_t actor);

/// Rows that somebody in the air is followed down.
#define MIND_FALL_ROWS 24

/// The cell that somebody at a point stands in, or would fall to within so many rows; NAV_CELL_NONE.
uint16_t mind_cell(const struct mind *mind, int32_t x, int32_t feet, int32_t rows);

/// The same without solids that move.
uint16_t mind_cell_beneath(const struct mind *mind, int32_t x, int32_t feet, int32_t rows);

/// Whether a living other may be hurt, and should be.
bool mind_is_enemy(const struct mind *mind, uint32_t slot);

/// Returns the nearest enemy, or null; `at` is the way to them.
const struct player *mind_enemy(const struct mind *mind, struct spot *at);

/// Returns true if the bot holds this button now.
static inline bool mind_pressed(const struct mind *mind, uint32_t button)
{
    return (mind->player->buttons & button) != 0;
}

/// Returns true if the bot can dash now.
static inline bool mind_can_dash(const struct mind *mind)
{
    return mind->player->dashes > 0 && mind->world->tick + 1 >= mind->player->dash_ready_tick &&
           !mind_pressed(mind, BUTTON_DASH);
}

/// Returns -1, 0 or +1.
static inline int32_t mind_sign(int32_t value)
{
    return (value > 0) - (value < 0);
}

/// Buttons of a direction.
static inline uint32_t mind_buttons(int32_t x, int32_t y)
{
    return (x < 0 ? BUTTON_LEFT : x > 0 ? BUTTON_RIGHT : 0) | (y < 0 ? BUTTON_UP : y > 0 ? BUTTON_DOWN : 0);
}

#endif
