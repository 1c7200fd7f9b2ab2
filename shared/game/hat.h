// SPDX-License-Identifier: MIT
//
// The hats of this game. They are for show, and travel beside the world (wire/message.h).
#ifndef GAME_HAT_H
#define GAME_HAT_H

/// Numbers as on the wire.
enum hat { HAT_NONE, HAT_MINER, HAT_TOP, HAT_BOWLER, HAT_CROWN, HAT_CAP, HAT_CONE, HAT_GOGGLES, HATS };
/// Their names for people and files, in that order.
#define HAT_WORDS "none", "miner", "top-hat", "bowler", "crown", "flat-cap", "cone", "goggles"

#endif
