// SPDX-License-Identifier: MIT
//
// What moves on a map, beside players: each section is a file, which has the phase of its entities, what others may do
// to them, and the functions of their row in entity_list.c: NAME_start (a new world), NAME_begin_round, NAME_forget (a
// player leaves: slot + 1), NAME_explode, NAME_show (it is drawn elsewhere), NAME_is_supply (a player may fetch it) and
// NAME_is_valid (in a decoded world). Chests (chest.h) come after players, since they give to them.
#ifndef ENTITIES_ENTITIES_H
#define ENTITIES_ENTITIES_H

#include "game/step.h"

/// One thing as numbers, for a picture that is drawn without the structs of a world, as that of the live page is.
struct entity_sight {
    uint32_t count; ///< 0: it cannot be seen
    int32_t numbers[5];
};

// --- arrow.c
//
// Arrows: they fly, fall a little, stick in what they hit and ride it when it moves, until a player picks them up or
// something breaks them. A drill arrow passes the first wall of tiles that is not too thick; a bomb arrow burns where
// it sticks, and explodes. Arrow a is actor PLAYER_CAPACITY + a. contact.c decides which players they hit.

/// What the kinds of arrows differ in.
struct arrow_kind_row {
    enum death_cause cause; ///< of the death of a player that it hits
    bool explodes;          ///< where it breaks; burns down where it sticks
    bool drills;            ///< passes a wall
    size_t carried;         ///< of struct player: how many of this kind they carry; 0: what is left of all
};
extern const struct arrow_kind_row ARROW_KIND_TABLE[ARROW_KINDS];

/// Phase: flying arrows fly on, stuck ones that lost their hold fall, burnt bombs explode.
void arrow_step(struct step *step);

/// Phase: launchers, solids of the map, shoot an arrow of nobody from the middle of their side once a period. When they
/// do is a pure function of the map and the tick, like the place of a mover.
void arrow_launch(struct step *step);

/// Adds an arrow that flies from the middle of the shooter's box in one of eight directions (-1, 0, +1 on each axis).
/// In a full world the oldest stuck arrow makes room.
void arrow_shoot(struct step *step, enum arrow_kind kind, uint32_t owner, struct df_box from, int32_t aim_x,
                 int32_t aim_y);

/// Leaves a lit bomb of a player in the air, its middle at x, y px, unless something solid is there.
void arrow_leave_bomb(struct step *step, uint32_t owner, int32_t x, int32_t y, uint32_t fuse_ticks);

/// Moves an arrow at rest, without a bomb's fuse, by so many sub until something blocks it; it is still at rest. From
/// the first tick on in which it is not pulled, it falls, unless it touches a tile.
void arrow_pull(struct step *step, uint32_t arrow, int32_t dx_sub, int32_t dy_sub);

/// Removes an arrow without an event.
void arrow_remove(struct step *step, uint32_t arrow);

/// Removes an arrow with an event; a bomb explodes.
void arrow_break(struct step *step, uint32_t arrow);

/// Takes an arrow's hold or speed away, so that it falls.
void arrow_drop(struct step *step, uint32_t arrow);

/// Drops the arrows that stick in tiles at this box, because a block has broken.
void arrow_release_in(struct step *step, struct df_box box);

/// Its row in entity_list.c.
void arrow_begin_round(struct step *step);
void arrow_forget(struct world *world, uint32_t reference);
void arrow_explode(struct step *step, const struct explosion *explosion);
/// Its middle, px, its speed, sub per tick, and enum arrow_kind.
struct entity_sight arrow_show(const struct world *world, const struct map *map, uint32_t index);
bool arrow_is_supply(const struct world *world, uint32_t index);
bool arrow_is_valid(const struct world *world, const struct map *map);

// --- ball.c
//
// The balls of the map: they keep flying at their speed, break blocks, and return to their start when a solid squishes
// them or they are lost. A ball pressed against blocks is not squished: the blocks break. A dash kicks a ball, an arrow
// drives it on, a bomb throws it. A ball that was hit belongs to the player who hit it last, who is credited with its
// kills until it is back at the speed that the map gave it. contact.c decides which players it kills.

/// Phase: every ball flies on; one that was squished starts again as soon as there is room.
void ball_step(struct step *step);

/// Breaks the tile that a ball met, if it is a block. Called by physics.
void ball_meet_tile(struct step *step, uint32_t ball, struct df_ball_hit hit);

/// A solid presses a ball against something: breaks the blocks that it touches; if there are none, the ball is gone
/// until it starts again. Called by physics.
void ball_squish(struct step *step, uint32_t ball);

/// Sends a ball in the direction of a player's dash.
void ball_kick(struct step *step, uint32_t ball, uint32_t slot);

/// Lets an arrow hit a ball. A fast arrow gives it a part of its speed and drops, a fast bomb explodes, a slow arrow
/// does nothing.
void ball_meet_arrow(struct step *step, uint32_t ball, uint32_t arrow);

/// Returns true if the circle of a living ball reaches into the box.
bool ball_touches(const struct step *step, uint32_t ball, struct df_box box);

/// Returns true if the ball is fast enough to kill.
bool ball_kills(const struct df_ball *ball);

/// Its row in entity_list.c.
void ball_start(struct world *world, const struct map *map);
void ball_begin_round(struct step *step);
void ball_forget(struct world *world, uint32_t reference);
void ball_explode(struct step *step, const struct explosion *explosion);
/// Its middle and its radius, px.
struct entity_sight ball_show(const struct world *world, const struct map *map, uint32_t index);
bool ball_is_valid(const struct world *world, const struct map *map);

// --- block.c
//
// Blocks: tiles that break, and come back after a time that the map or the mode sets, once nothing is inside.
// world.broken says which are broken, world.rubble which come back and when. In a mode of
// goals their blocks stay broken.

/// Breaks the block at a tile; in a map that wraps, column and row may lie beyond the seam. `by` is the slot of the
/// player who did it, or EVENT_NOBODY. Returns false if there is no block, it is broken already, or the world can
/// remember no more rubble.
bool block_break(struct step *step, int32_t column, int32_t row, uint32_t by);

/// Breaks all blocks that the box overlaps. Returns true if any broke.
bool block_break_in(struct step *step, struct df_box box, uint32_t by);

/// Phase: brings back the blocks that are due, if nothing is inside.
void block_step(struct step *step);

/// Its row in entity_list.c.
void block_begin_round(struct step *step);
void block_start(struct world *world, const struct map *map);
bool block_is_valid(const struct world *world, const struct map *map);

// --- switch.c
//
// Switches: plates that players stand on and levers that arrows turn over. A channel is on while any of its switches is
// on; doors and lifts follow channels (mover.c). The state of a switch is in world.switches at its index in the map.

/// Phase: turns plates and levers on and off by what touches them, and off when their hold time is over.
void switch_step(struct step *step);

/// Its row in entity_list.c.
void switch_begin_round(struct step *step);
void switch_start(struct world *world, const struct map *map);
bool switch_is_valid(const struct world *world, const struct map *map);

/// Returns the channels that are on: bit c - 1 for channel c.
uint32_t switch_channels(const struct world *world, const struct map *map);

// --- mover.c
//
// Solids that follow a path, alone or as a rigid group: movers always, doors and lifts as a channel of switches drives
// their clock. A door is a lift along a line of two points: open at its end, shut at its beginning. The position of a
// solid is a pure function of the map and its clock, so it cannot drift, and a world that says otherwise is invalid.

/// Phase: the clocks of doors and lifts go on, go back or stand, as their channels say.
void mover_step_clocks(struct step *step);

/// Phase: every solid with a path moves to its position of this tick, and carries, pushes or squishes what is there.
void mover_step(struct step *step);

/// Returns the clock of a solid: a mover's is the world's tick without pauses, a door's or lift's is its own.
uint32_t mover_clock_ticks(const struct world *world, const struct map *map, uint32_t solid);

/// Returns what that clock will be in `ticks`, if no switch and no pause changes anything.
uint32_t mover_clock_in(const struct world *world, const struct map *map, uint32_t solid, uint32_t ticks);

/// Returns the highest value that the clock of a door or lift reaches.
uint32_t mover_clock_max(const struct map_solid *solid);

/// Computes the exact position of a solid at a clock value: 256 * px + rem, sub. Without a path: its box.
void mover_place(const struct map *map, uint32_t solid, uint32_t clock_ticks, int32_t *x_sub, int32_t *y_sub);

/// Returns the distance from where a solid is (px and rem) to where it should be (sub), on an axis of `side_tiles`
/// tiles; in a map that wraps, the short way round.
int32_t mover_way(const struct map *map, int32_t at_px, int32_t rem, int32_t to_sub, int32_t side_tiles);

/// Phase, after the solids have moved: each actor on a belt, the surface of a conveyor, mover, door or lift, moves with
/// it until a wall stops it; also arrows that stick in its top. If several belts are under an actor, the first of the
/// map carries it. The fraction of a px is kept in the actor's own remainder, so nothing is lost.
void mover_step_belts(struct step *step);

/// Moves an actor that is on a belt of this speed. Who jumps off it keeps its speed, like that of any solid that
/// carries them: on a belt that moves both. `was_carried`: the solid with the belt, or another of its group, carried
/// the actor a short time ago. A slow solid moves by a whole pixel only now and then; between two of them its last lift
/// counts.
void mover_carry(struct df_space *space, int32_t actor, int32_t belt_sub, bool was_carried);

/// Its row in entity_list.c.
void mover_start(struct world *world, const struct map *map);
/// Of any solid: its box, px, and how it looks: 0 a machine, 1 a plank, 2 a crusher, 3 a wall of sudden death.
struct entity_sight mover_show(const struct world *world, const struct map *map, uint32_t index);
bool mover_is_valid(const struct world *world, const struct map *map);

// --- crusher.c
//
// Crushers, the deadfalls of the title: a crusher waits above, warns when a player is beneath, falls, rests and rises.
// Its state is in world.crushers at the index of its solid.

/// Phase: every crusher looks, warns, falls, rests or rises.
void crusher_step(struct step *step);

/// Returns what a crusher is after tick `now`: its solid has moved by the difference of `fallen`. `sees_someone`: a
/// living player is in its reach.
struct crusher crusher_next(struct crusher crusher, const struct map_solid *solid, const struct tuning *tuning,
                            tick now, bool sees_someone);

/// Returns true if a crusher that warns or falls would come down on this box.
bool crusher_threatens(const struct world *world, const struct map *map, struct df_box box);

/// Returns the box that a crusher sweeps from its rest position to the ground, px.
struct df_box crusher_reach(const struct map_solid *crusher);

// --- sudden_death.c
//
// Sudden death: two walls that come in from both sides of the map once a round of lms has lasted long enough, and meet
// in the middle. They are the last solids of the world, after those of the map, and present only while they close in,
// so they carry, push and squish like any other solid. Their positions are a pure function of the map and
// round.sudden_death_ticks.

/// Returns the number of walls in a mode: WALL_COUNT, or 0.
uint32_t sudden_death_walls(enum mode mode);

/// Phase: moves the walls closer when it is time.
void sudden_death_step(struct step *step);

/// Writes the walls of a new world after the solids of its map, and counts all.
void sudden_death_start(struct world *world, const struct map *map);

/// Removes the walls.
void sudden_death_reset(struct step *step);

/// Returns true if the walls of a decoded world are exactly where and what they should be.
bool sudden_death_is_valid(const struct world *world, const struct map *map);

#endif
