// SPDX-License-Identifier: MIT
//
// How likely players are to change their buttons, by what they hold: the contexts of input_log.c and where they start.
// The numbers in input_log_model.c are made from matches of bots by tests/tools/input_log_train.c.
#ifndef WIRE_INPUT_LOG_MODEL_H
#define WIRE_INPUT_LOG_MODEL_H

#include "game/input.h"

/// Contexts of "his buttons change", and of "this button flips" once they do.
#define INPUT_LOG_CHANGES 64
#define INPUT_LOG_FLIPS   (BUTTON_BITS * 4)

/// Chances in 1 / RANGE_CODER_ONE that each context begins with: changes, then flips.
extern const uint16_t MOVES_ODDS[INPUT_LOG_CHANGES + INPUT_LOG_FLIPS];

/// Context of a change of `buttons`, which were `before` the tick before.
static inline uint32_t input_log_change_context(uint32_t buttons, uint32_t before)
{
    uint32_t across = (buttons & (BUTTON_LEFT | BUTTON_RIGHT)) != 0, along = (buttons & (BUTTON_UP | BUTTON_DOWN)) != 0;
    uint32_t acts = buttons >> 4 & 7; // jump, dash, shoot
    return acts << 3 | along << 2 | across << 1 | (buttons != before);
}

/// Context of a flip of one button (0 to BUTTON_BITS - 1). `flips`: of the lower ones.
static inline uint32_t input_log_flip_context(uint32_t button, uint32_t buttons, uint32_t flips)
{
    return INPUT_LOG_CHANGES + (button << 2 | (buttons >> button & 1) << 1 | (flips != 0));
}

#endif
