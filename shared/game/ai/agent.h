// SPDX-License-Identifier: MIT
//
// What a bot knows in one tick, and its parts: aim, threats, goals, choice of a motion. Private to this room; ai.c puts
// them together.
#ifndef AI_AGENT
#define AI_AGENT

#include <stdlib.h>

#include "motion_simulation.h"
#include "nav_graph.h"

/// What distinguishes the skills.
struct traits {
    uint32_t think_ticks;    ///< between two choices of a motion
    uint32_t decision_ticks; ///< for which a random decision holds
    uint32_t shots_of_8;     ///< how many of eight chances to shoot are taken
    uint32_t wander_of_8;    ///< how many of eight decisions are to go to a random spawn
    uint32_t dodge_of_8;     ///< how many of eight arrows are seen in time
    int32_t sight_px;        ///< longest shot
    int32_t aim_px;          ///< by how much an aimed shot may miss the middle
    bool leads;              ///< aims where the enemy will be
    bool foresees;           ///< avoids what flies, falls and burns
    bool cunning;            ///< sees stomps coming, does not shoot at dashing players, keeps away without arrows
};

/// An offset from the bot or a point, px; or a direction, -1, 0, +1.
struct vector {
    int32_t x, y;
};

/// Where a bot goes.
struct goal {
    struct vector to; ///< from the middle of the bot
    uint16_t cell;    ///< in the navigation graph, or NAV_CELL_NONE
    struct motion_target target;
    uint32_t lever; ///< 1 + the switch to shoot at on the way; 0: none
};

/// A bot and what it knows in this tick.
struct agent {
    const struct world *world;
    const struct map *map;
    const struct nav_graph *graph; ///< may be NULL
    const struct player *player;
    const struct df_actor *body;
    const struct traits *traits;
    const struct tuning *tuning; ///< of the match
    struct df_tiles tiles;
    uint32_t slot;
    tick decision_tick; ///< now; in the air the time of a jump ago, so that no decision changes there
    int32_t x, y;       ///< middle of the body, px
    int32_t feet;       ///< first row below the body, px
    uint16_t cell;      ///< where it stands, or NAV_CELL_NONE
};

/// Returns a random number that holds for `hold_ticks`. It depends only on the seed, the tick, the slot and `salt`.
uint32_t agent_dice(const struct world *world, uint32_t slot, uint32_t hold_ticks, uint32_t salt);

/// Returns a random number like agent_dice(), but one that does not change while the bot is in the air.
uint32_t agent_decision(const struct agent *agent, uint32_t hold_ticks, uint32_t salt);

/// Returns the offset from the bot to a point; on a map that wraps, the short way round.
struct vector agent_offset(const struct agent *agent, int32_t x, int32_t y);

/// Returns the offset from the bot to the middle of an actor.
struct vector agent_offset_to(const struct agent *agent, uint32_t actor);

/// How far below a body in the air its cell is searched, tiles.
#define AGENT_FALL_ROWS 24

/// Returns the cell in which somebody with these feet stands, or into which they would fall within `rows`;
/// NAV_CELL_NONE without one, or without a graph.
uint16_t agent_cell(const struct agent *agent, int32_t x, int32_t feet, int32_t rows);

/// Returns the same without the cells of moving solids. Needs a graph.
uint16_t agent_cell_below(const struct agent *agent, int32_t x, int32_t feet, int32_t rows);

/// Returns true if the player in `slot` is alive and no friend.
bool agent_is_enemy(const struct agent *agent, uint32_t slot);

/// Returns the nearest enemy and the offset to them, or NULL.
const struct player *agent_nearest_enemy(const struct agent *agent, struct vector *at);

/// Returns true if the bot held this button in the last step.
static inline bool agent_holds(const struct agent *agent, uint32_t button)
{
    return (agent->player->buttons & button) != 0;
}

/// Returns true if the bot can dash now.
static inline bool agent_can_dash(const struct agent *agent)
{
    return agent->player->dashes > 0 && agent->world->tick + 1 >= agent->player->dash_ready_tick &&
           !agent_holds(agent, BUTTON_DASH);
}

/// Returns -1, 0 or +1.
static inline int32_t agent_sign(int32_t value)
{
    return (value > 0) - (value < 0);
}

/// Returns the buttons of a direction.
static inline uint32_t agent_direction_buttons(int32_t x, int32_t y)
{
    return (x < 0 ? BUTTON_LEFT : x > 0 ? BUTTON_RIGHT : 0) | (y < 0 ? BUTTON_UP : y > 0 ? BUTTON_DOWN : 0);
}

// --- aim.c
//
// Decides whether a bot shoots, and in which of the eight directions. It allows for the fall of the arrow and, by
// skill, for the enemy's movement.

/// Returns the buttons of a shot that hits an enemy, or 0.
uint32_t aim_shot(const struct agent *agent);

/// Returns the buttons of a shot that turns a lever over, or 0. Waits until the bot's arrows in the air have landed.
uint32_t aim_lever(const struct agent *agent, struct df_box lever);

/// Returns true if no wall is between the bot and a point.
bool aim_is_clear(const struct agent *agent, struct vector to);

// --- threats.c
//
// What threatens a bot: solids, arrows, balls, bombs, crushers and falling players near it. Skill decides what it sees.

/// Fills the space of a simulation with what is near the bot now.
void threats_see(const struct agent *agent, struct motion_space *space);

/// Returns true if the bot would be hit soon where it stands.
bool threats_are_near(const struct agent *agent, struct motion_space *space);

/// Returns the buttons of a dash that catches an arrow which is about to hit, or 0.
uint32_t threats_dodge(const struct agent *agent);

// --- goals.c
//
// Decides where a bot goes: to an enemy, something to fetch, a ball, a switch that opens a door, or away. It depends on
// the mode, the arrows that the bot has, and now and then on chance.

/// Returns where the bot goes.
struct goal goals_choose(const struct agent *agent);

/// Returns the buttons of a dash or shot that drives a ball toward the other team's wall, or 0.
uint32_t goals_hit_ball(const struct agent *agent);

// --- motion_choice.c
//
// Brings a bot to its goal: simulates motions, those of the navigation graph's path first, and takes the first tick of
// the one that costs least. Death, danger and standing still have a cost too.

/// Returns the buttons that bring the bot nearer to its goal.
uint32_t motion_choice_buttons(const struct agent *agent, struct goal goal);

#endif
