// SPDX-License-Identifier: MIT
//
// Small maps for tests, drawn in characters: a row a string, a tile of 8 px a character.
// '#' solid, '=' one-way, 'B' block, '^' hazard, 'S' a spawn (feet at the bottom of the tile), anything else empty.
// A map that is not valid fails the test at once, with the error of map_validate.
#ifndef TEST_MAP_H
#define TEST_MAP_H

#include "game/map/map.h"

/// Draws a map called "test" from rows, all of the width of the first; the last entry is null. Outside is solid.
void test_map_draw(struct map *map, const char *const *rows);

/// Rows of an empty hall of 32 by 9 tiles: its floor is at 64 px, with a spawn at the left.
extern const char *const TEST_MAP_HALL[];

/// Adds a mover along `count` points relative to its box, and returns its solid's index.
uint32_t test_map_mover(struct map *map, struct df_box box, const struct map_point *points, int32_t count,
                        enum map_path_mode mode, int32_t period_ticks);

/// Adds a crusher that falls by `drop_px`, and returns its solid's index.
uint32_t test_map_crusher(struct map *map, struct df_box box, int32_t drop_px);

/// Adds a switch of a kind on a channel, and returns its index.
uint32_t test_map_switch(struct map *map, enum map_switch_kind kind, struct df_box box, uint32_t channel);

/// Adds a door or lift on a channel that has a switch already; else as test_map_mover.
uint32_t test_map_driven(struct map *map, enum map_solid_kind kind, struct df_box box, const struct map_point *points,
                         int32_t count, enum map_path_mode mode, int32_t period_ticks, uint32_t channel);

/// Adds a conveyor, and returns its solid's index.
uint32_t test_map_conveyor(struct map *map, struct df_box box, int32_t belt_sub);

/// Adds a ball (centre and radius in px, speed in sub per tick), and returns its index.
uint32_t test_map_ball(struct map *map, int32_t cx, int32_t cy, int32_t radius_px, int32_t vx, int32_t vy);

/// A hall that holds every machine: movers, a slippery one, a group, one-ways, crushers, doors alone and in a group,
/// lifts of each mode, belts that stand and move, plates, levers, returning blocks, a team's goal, spikes, chests and a
/// ball. It wraps at the left and right.
void test_map_machines(struct map *map);

/// A court for breakout, 40 by 12 tiles, with one ball that flies from the middle. At each end, from outside: the wall
/// of the map, an empty column, which is the goal line, and two columns of blocks; team 1 is left, with spawns of its
/// own.
void test_map_court(struct map *map);
/// A court on its side, 20 by 26 tiles, with two balls: team 1 guards the floor, team 2 the ceiling.
void test_map_upright_court(struct map *map);

/// Adds a chest with the middle of its foot at x, y px that may give what `gifts` says; comes back after `ticks`.
uint32_t test_map_chest(struct map *map, int32_t x, int32_t y, uint32_t gifts, int32_t ticks);

/// A map of that many tiles with floors, walls, one-ways, blocks, spikes, movers, crushers, balls, chests; another for
/// each seed. Outside is solid, empty or wrap, by seed.
void test_map_random(struct map *map, uint32_t seed, int32_t columns, int32_t rows);

#endif
