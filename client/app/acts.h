// SPDX-License-Identifier: MIT
//
// What a person does at a match besides playing: talks, votes, watches, winds a replay. A table of keys (by their
// place) and nothing else; the same keys mean nothing to the player, whose buttons come from keys.h.
#ifndef APP_ACTS_H
#define APP_ACTS_H

#include <stdint.h>

/// Bits of acts.
enum act {
    ACT_TALK = 1u << 0, ///< Enter, T: opens a line
    ACT_YES = 1u << 1,
    ACT_NO = 1u << 2,
    ACT_NET = 1u << 3,   ///< the net graph
    ACT_PAUSE = 1u << 4, ///< of a replay, from here on
    ACT_BACK = 1u << 5,
    ACT_FORWARD = 1u << 6,
    ACT_FAR_BACK = 1u << 7,
    ACT_FAR_FORWARD = 1u << 8,
    ACT_SLOWER = 1u << 9,
    ACT_FASTER = 1u << 10,
    ACT_FREE = 1u << 11,      ///< the camera is moved by hand, or follows
    ACT_TEAM_TALK = 1u << 12, ///< U: opens a line to the own team
    ACT_CHOICE = 1u << 13,    ///< 1 to 6: that choice of a vote; the first, those after it follow
};
#define ACT_CHOICES 6

/// The acts of a key that was just pressed, by its scancode; 0: none.
uint32_t acts_pressed(uint32_t scancode);
/// Those of a pad's button in a replay: an index into PREFERENCES_PAD_NAMES.
uint32_t acts_of_pad(uint32_t button);

#endif
