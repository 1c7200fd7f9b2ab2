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

// --- input_model.c
//
// How likely players are to change their buttons, by what they hold: the contexts of the input log and their initial
// probabilities. tests/tools/input_log_train.c generates the numbers in input_model.c from matches of bots.

/// Number of contexts of "the buttons change", and of "this button toggles" once they do.
#define INPUT_LOG_CHANGES 64
#define INPUT_LOG_TOGGLES (BUTTON_BITS * 4)

/// The initial probability of each context in 1 / RANGE_CODER_ONE: changes, then toggles.
extern const uint16_t INPUT_LOG_MODEL[INPUT_LOG_CHANGES + INPUT_LOG_TOGGLES];

/// Returns the context of a change of `buttons`, which were `before` the tick before.
static inline uint32_t input_log_change_context(uint32_t buttons, uint32_t before)
{
    uint32_t across = (buttons & (BUTTON_LEFT | BUTTON_RIGHT)) != 0, along = (buttons & (BUTTON_UP | BUTTON_DOWN)) != 0;
    uint32_t actions = buttons >> 4 & 7; // jump, dash, shoot
    return actions << 3 | along << 2 | across << 1 | (buttons != before);
}

/// Returns the context of a toggle of one button (0 to BUTTON_BITS - 1). `toggles`: the toggles of the lower buttons.
static inline uint32_t input_log_toggle_context(uint32_t button, uint32_t buttons, uint32_t toggles)
{
    return INPUT_LOG_CHANGES + (button << 2 | (buttons >> button & 1) << 1 | (toggles != 0));
}

#endif
