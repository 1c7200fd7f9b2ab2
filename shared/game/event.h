// SPDX-License-Identifier: MIT
//
// Things that happened, for ears, eyes and the kill feed. They are part of the world, so they reach
// every client exactly once, survive in replays, and cost nothing when nothing happens.
#ifndef GAME_EVENT_H
#define GAME_EVENT_H

#include "input.h"

/// The last events that a world remembers. A tick that makes more overwrites the oldest.
#define EVENT_CAPACITY 64

/// No player: a trap, the world.
#define EVENT_NOBODY 0xFFFFu

/// What happened. `subject` did it or suffers it, `other` is the counterpart.
enum event_kind {
    EVENT_NONE,
    EVENT_SPAWN,   ///< subject appears
    EVENT_JUMP,    ///< subject; detail: 0 ground, 1 wall, 2 wings, 3 ledge
    EVENT_LAND,    ///< subject; detail: fall speed, sub per tick
    EVENT_DASH,    ///< subject
    EVENT_SHOOT,   ///< subject; detail: enum arrow_kind
    EVENT_STICK,   ///< an arrow (other: its slot) sticks; subject: its owner
    EVENT_PICKUP,  ///< subject picks an arrow up; detail: enum arrow_kind
    EVENT_CATCH,   ///< subject dashes into an arrow and has it; detail: enum arrow_kind
    EVENT_KILL,    ///< subject dies; other killed him, or EVENT_NOBODY; detail: enum death_cause
    EVENT_WARN,    ///< a crusher (detail: its solid) is about to fall
    EVENT_FALL,    ///< it falls
    EVENT_SLAM,    ///< it has arrived
    EVENT_BOUNCE,  ///< a ball (detail) bounces
    EVENT_BREAK,   ///< something breaks at x, y; detail: 0 a block (subject: by whom), 1 an arrow, 2 a chest
    EVENT_JOIN,    ///< subject joins
    EVENT_LEAVE,   ///< subject leaves
    EVENT_ROUND,   ///< the round's phase changes; detail: enum round_phase; subject: the winner where there is one
    EVENT_SWITCH,  ///< a switch is turned, detail: 2 * its index + 1 on, + 0 off; subject: who did it
    EVENT_RETURN,  ///< something is there again at x, y; detail: 0 a block, 1 a chest
    EVENT_EXPLODE, ///< a bomb of subject explodes
    EVENT_DRILL,   ///< a drill arrow of subject enters a wall here, or comes out of it
    EVENT_KICK,    ///< subject sets a ball (detail) going: by a dash, an arrow or a bomb
    EVENT_OPEN,    ///< subject opens a chest; detail: enum map_gift
    EVENT_SHIELD,  ///< the shield of subject takes a hit of other and breaks; detail: enum death_cause
    EVENT_GRAB,    ///< subject takes hold of a ledge
    EVENT_CLOSING, ///< sudden death: the walls begin to close in
    EVENT_KINDS
};

/// How a player died.
enum death_cause {
    DEATH_ARROW,
    DEATH_STOMP,
    DEATH_SQUISH,
    DEATH_HAZARD,
    DEATH_FALL,
    DEATH_BALL,
    DEATH_BOMB,
    DEATH_CAUSES
};

/// One event: seven 32-bit fields without padding.
struct event {
    uint32_t kind;    ///< enum event_kind
    tick tick;        ///< when
    int32_t x, y;     ///< where, px
    uint32_t subject; ///< player slot or EVENT_NOBODY
    uint32_t other;   ///< the same
    uint32_t detail;  ///< by kind
};

struct world;

/// Remembers one event of the world's present tick. Subject and other: a player's slot or EVENT_NOBODY.
void event_push(struct world *world, enum event_kind kind, int32_t x, int32_t y, uint32_t subject, uint32_t other,
                uint32_t detail);

/// "spawn", "jump", ... for printing.
const char *event_kind_name(enum event_kind kind);

/// "arrow", "stomp", ... for printing.
const char *death_cause_name(enum death_cause cause);

#endif
