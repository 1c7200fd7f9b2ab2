// SPDX-License-Identifier: MIT
//
// Writes the match to a .dfr file without ever holding a tick up: ticks put bytes into a ring, a thread of its own
// writes them to the disk. If the disk cannot keep up or is full, the recording ends there and says so; the file is
// good up to that place.
#ifndef MATCH_RECORDER_H
#define MATCH_RECORDER_H

#include "base/error.h"
#include "wire/replay.h"

struct recorder;

/// Creates DIRECTORY/MAP-YYYYMMDD-HHMMSS.dfr (a number follows if that exists), with the world as its first, and waits
/// until that is written. Null on failure, with the reason in `sentence`; no file is left then.
struct recorder *recorder_open(const char *directory, int64_t unix_time, const struct map *map,
                               const struct world *first, struct error *error);

/// The same into a file of this name, made anew, whose head is safe on the disk when this returns.
struct recorder *recorder_open_at(const char *path, const struct map *map, const struct world *first,
                                  struct error *error);

/// Whether a recording could begin in this directory; leaves nothing behind. False with the reason in `sentence`.
bool recorder_check(const char *directory, struct error *error);

/// The file, as opened.
const char *recorder_path(const struct recorder *recorder);

/// One tick: the commands before it, its inputs, the world after it. Never blocks. Each second of ticks is synced to
/// the disk from the recorder's thread. A null recorder is allowed.
void recorder_tick(struct recorder *recorder, const struct command *commands, uint32_t command_count,
                   const struct player_input *inputs, const struct world *world);

/// Who wears what from the next tick on, by slot (PLAYER_CAPACITY of enum hat). A null recorder is allowed.
void recorder_hats(struct recorder *recorder, const uint8_t *hats);

/// Who sits where from now on: at most PLAYER_CAPACITY, rising by slot. Of a journal. A null recorder is allowed.
void recorder_seats(struct recorder *recorder, const struct replay_seat *seats, uint32_t seat_count);

/// Null while all is well, else why the recording has ended. A null recorder is well.
const char *recorder_fault(struct recorder *recorder);

/// Bytes that wait for the disk.
size_t recorder_backlog_bytes(struct recorder *recorder);

/// Writes the rest and the index, closes and frees. False if something could not be stored: `sentence` says why.
/// A null recorder is allowed.
bool recorder_close(struct recorder *recorder, struct error *error);

#endif
