// SPDX-License-Identifier: MIT
//
// A snapshot without a world. Both sides have a baseline and the same world_step, so the commands and inputs since then
// define the world of a later tick. They take few bytes, because players mostly keep holding the same buttons. The
// server logs the last ticks and encodes from the log; a client steps on from the newest world that it has.
#ifndef WIRE_INPUT_LOG_H
#define WIRE_INPUT_LOG_H

#include "sync/event_log.h"
#include "sync/world.h"

/// Number of ticks that a log keeps.
#define INPUT_LOG_TICKS 64
/// Largest number of commands in one tick.
#define INPUT_LOG_COMMAND_CAPACITY 256

/// The inputs that all players hold after a tick.
struct held_inputs {
    uint32_t slots;                   ///< no player is in a slot beyond these
    bool there[PLAYER_CAPACITY];      ///< not absent
    uint8_t buttons[PLAYER_CAPACITY]; ///< held in the tick: enum button
    uint8_t before[PLAYER_CAPACITY];  ///< in the tick before
    uint32_t paused;                  ///< enum pause
};

/// One tick of a log.
struct input_log_tick {
    tick tick; ///< 0: none
    struct held_inputs held;
    uint32_t command_count;
    struct command commands[INPUT_LOG_COMMAND_CAPACITY]; ///< applied before the step, in order
};

/// The last ticks, by tick % INPUT_LOG_TICKS. About 1.4 MB, of which little is ever touched. Zero-initialise.
struct input_log {
    struct input_log_tick ticks[INPUT_LOG_TICKS];
};

/// Forgets all ticks, and touches little.
void input_log_clear(struct input_log *log);

/// Adds a tick: the commands applied before it, and the world after it. Replaces the oldest.
void input_log_add(struct input_log *log, const struct command *commands, uint32_t command_count,
                   const struct world *world);

/// Returns true if the log has everything since this tick, so that its world can be a baseline.
bool input_log_holds(const struct input_log *log, tick baseline_tick);

/// Encodes everything since a baseline that the log holds, up to the world of `until`. Returns the size in bytes, 0 if
/// it exceeds `capacity`.
size_t input_log_encode(const struct input_log *log, tick baseline_tick, tick until, uint8_t *bytes, size_t capacity);

/// What a log is decoded into.
struct input_log_target {
    struct world *world; ///< of a tick from the baseline on; a later one needs fewer steps
    const struct map *map;
    struct event_log *events; ///< gets the events of each tick; null: nobody needs them
    struct world *between;    ///< gets the worlds before the last, by tick % INPUT_LOG_TICKS; null: nobody needs them
};

/// Steps the target's world to the tick `until` with everything since the baseline. Returns false on malformed bytes;
/// the world is then undefined.
bool input_log_decode(struct input_log_target target, const struct world *baseline, tick until, const uint8_t *bytes,
                      size_t byte_count);

#endif
