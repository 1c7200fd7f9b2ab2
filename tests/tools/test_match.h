// SPDX-License-Identifier: MIT
//
// A match in a test: a map, a world and the held inputs. Tests place players, set the buttons that they hold, and step
// the world; events of a kind can be counted and found. One is about 200 KB: keep it static.
#ifndef TEST_MATCH_H
#define TEST_MATCH_H

#include "sync/world.h"

/// See above.
struct test_match {
    struct map map;
    struct world world;
    struct player_input inputs[PLAYER_CAPACITY];
    struct command rolls[MAP_CHEST_CAPACITY]; ///< that came before the last tick
    uint32_t roll_count;
    uint32_t events_seen; ///< events of the world before the last test_match_forget()
};

/// A fresh match on a map drawn by test_map_draw(); add solids to match->map, then call test_match_start().
void test_match_draw(struct test_match *match, const char *const *rows);

/// Begins the world of the match's map, ffa without limits, seed 1.
void test_match_start(struct test_match *match);

/// The same in another mode.
void test_match_start_mode(struct test_match *match, enum mode mode);

/// Lets a player join, with the middle of the feet at x, y px: alive, without shield, ready for everything.
struct player *test_match_put(struct test_match *match, uint32_t slot, int32_t x, int32_t y);

/// Begins a match in the empty hall with one player, slot 0, on its floor at x px, and steps once.
struct player *test_match_in_hall(struct test_match *match, int32_t x);

/// Sets the buttons that a player holds from now on.
void test_match_hold(struct test_match *match, uint32_t slot, uint32_t buttons);

/// Lets a player shoot: steps once with the button and these directions held; then they hold nothing.
void test_match_shoot(struct test_match *match, uint32_t slot, uint32_t directions);

/// Steps that many ticks.
void test_match_step(struct test_match *match, uint32_t ticks);

/// Fills the inputs of the next step by the AI of a skill, for all players.
void test_match_think(struct test_match *match, uint32_t skill);

/// Begins on a random map of this seed, with so many bots, and plays so many ticks.
void test_match_play(struct test_match *match, uint32_t seed, uint32_t bots, uint32_t ticks);

/// From now on test_match_event() looks at new events only.
void test_match_forget(struct test_match *match);

/// The first new event of a kind, or null.
const struct event *test_match_event(const struct test_match *match, enum event_kind kind);

/// Whether the block of a tile is broken.
bool test_match_is_broken(const struct test_match *match, uint32_t column, uint32_t row);

/// The actor of a player.
struct df_actor *test_match_body(struct test_match *match, uint32_t slot);

#endif
