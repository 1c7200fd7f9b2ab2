// SPDX-License-Identifier: MIT
//
// What one player does in one tick: a set of held buttons. Keys, gamepads, bots, packets and replays all produce it,
// and nothing else of a player reaches the world.
#ifndef GAME_INPUT_H
#define GAME_INPUT_H

#include <stdint.h>

/// Number of a tick, at 60 Hz, from 1 for the first step of a match. 32 bits last two years.
typedef uint32_t tick;

/// Ticks in a second.
#define TICKS_PER_SECOND 60

/// Bits of `player_input.buttons`. Directions move and aim (8 ways).
enum button {
    BUTTON_LEFT = 1u << 0,
    BUTTON_RIGHT = 1u << 1,
    BUTTON_UP = 1u << 2,
    BUTTON_DOWN = 1u << 3,
    BUTTON_JUMP = 1u << 4,
    BUTTON_DASH = 1u << 5,
    BUTTON_SHOOT = 1u << 6,
    BUTTON_GRAB = 1u << 7, ///< reserved for climbing
};

/// Number of bits in use; a decoder rejects any other.
#define BUTTON_BITS 8

/// One tick of one player.
struct player_input {
    uint32_t buttons; ///< enum button
};

#endif
