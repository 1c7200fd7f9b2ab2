// SPDX-License-Identifier: MIT
//
// The wheel of lines that players say with a key or a button: what is on it, and how it is drawn.
#ifndef HUD_QUICK_CHAT_H
#define HUD_QUICK_CHAT_H

#include <stdbool.h>
#include <stdint.h>

#include "scene/frame.h"

/// Choices on each wheel, clockwise from the top.
#define QUICK_CHAT_CHOICES 8
/// How long an emote shows, us.
#define QUICK_CHAT_EMOTE_US 3000000u

/// What a wheel offers.
enum quick_chat_kind { QUICK_CHAT_NONE, QUICK_CHAT_EMOTES, QUICK_CHAT_PHRASES };

/// The wheel of a local player.
struct quick_chat_wheel {
    enum quick_chat_kind kind; ///< QUICK_CHAT_NONE: it is closed
    uint32_t choice;           ///< 1 to QUICK_CHAT_CHOICES; 0: none
    uint32_t slot;             ///< of the player
};

/// Moves a wheel on: `held` is what its keys ask for now, `ways` the directions that are held (enum button). Returns
/// the chat line to send when the keys of a wheel that points at one are let go, else NULL.
const char *quick_chat_step(struct quick_chat_wheel *wheel, enum quick_chat_kind held, uint32_t ways);

/// Returns what stands on a wheel, 0 to QUICK_CHAT_CHOICES - 1, in the language in use.
const char *quick_chat_label(enum quick_chat_kind kind, uint32_t choice);

/// Returns 1 + the emote that a chat line of a player is; 0: it is none.
uint32_t quick_chat_emote(const char *line);

/// Returns how a chat line of a player reads: a sentence of the wheel in the language in use, other lines as they are.
const char *quick_chat_text(const char *line);

// --- the picture
//
// Draws the wheels around the players who hold them open. Keeps nothing.

/// Draws a wheel around its player, or in the middle if they are not in the picture, wholly inside the picture. Draws
/// nothing if it is closed.
void quick_chat_draw(const struct frame *frame, const struct quick_chat_wheel *wheel);

#endif
