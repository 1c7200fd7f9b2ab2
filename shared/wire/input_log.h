// SPDX-License-Identifier: MIT
//
// A snapshot without a world: both sides hold a baseline and the same world_step, so the world of a later tick is
// told by what came into it since: commands, and what differs from everybody holding on to his buttons. The server
// keeps a log of the last ticks and encodes from it; a client steps on from the newest world that it holds.
#ifndef WIRE_INPUT_LOG_H
#define WIRE_INPUT_LOG_H

#include "game/world.h"

/// Ticks that a log keeps.
#define INPUT_LOG_TICKS 64
/// Commands that one tick can have.
#define INPUT_LOG_COMMAND_CAPACITY 256

/// Everybody's hands after a tick.
struct held_inputs {
    uint32_t slots;                   ///< beyond these nobody is there
    bool there[PLAYER_CAPACITY];      ///< not absent
    uint8_t buttons[PLAYER_CAPACITY]; ///< held in the tick: enum button
    uint8_t before[PLAYER_CAPACITY];  ///< in the tick before
    uint32_t paused;                  ///< the match stands still
};

/// One tick of a log.
struct input_log {
    tick tick; ///< 0: none
    struct held_inputs hands;
    uint32_t command_count;
    struct command commands[INPUT_LOG_COMMAND_CAPACITY]; ///< applied before the step, in order
};

/// The last ticks, by tick % INPUT_LOG_TICKS. Some 1.4 MB, of which few are ever touched. Zero-initialise.
struct input_log_log {
    struct input_log ticks[INPUT_LOG_TICKS];
};

/// Keeps a tick: what was applied before it, and the world after it. The oldest makes room.
void input_log_log_add(struct input_log_log *log, const struct command *commands, uint32_t command_count,
                       const struct world *world);

/// True if all since this tick is kept, so that its world can be a baseline.
bool input_log_log_holds(const struct input_log_log *log, tick baseline_tick);

/// Encodes what came since a baseline that is held, up to the world of `until`. Returns its size in bytes, 0 if it did
/// not fit `capacity`.
size_t input_log_encode(const struct input_log_log *log, tick baseline_tick, tick until, uint8_t *bytes,
                        size_t capacity);

/// Steps `world` to the tick `until` by what came since the baseline. `world` is that of a tick between the two (the
/// baseline itself will do: the later, the fewer steps). False on malformed bytes; `world` is then undefined.
bool input_log_decode(struct world *world, const struct map *map, const struct world *baseline, tick until,
                      const uint8_t *bytes, size_t byte_count);

#endif
