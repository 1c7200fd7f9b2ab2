// SPDX-License-Identifier: MIT
//
// The vote that is open, over the arena: what is asked, for how long, and each choice with the key that chooses it and
// those who did. Which key that is stands in acts.h. Keeps nothing.
#ifndef APP_BALLOT_H
#define APP_BALLOT_H

#include "frame.h"
#include "wire/message.h"

/// Draws it in the middle, from a row on; `by_pad`: for one who holds a pad. Returns the row below it.
int32_t ballot_draw(const struct frame *frame, const struct ballot_message *ballot, bool by_pad, int32_t y);

#endif
