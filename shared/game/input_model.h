// SPDX-License-Identifier: MIT
//
// How likely players are to change their buttons, by what they hold: the contexts of the input log and their initial
// probabilities. tests/tools/input_log_train.c generates the numbers in input_model.c from matches of bots.
#ifndef GAME_INPUT_MODEL_H
#define GAME_INPUT_MODEL_H

#include "input.h"

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
