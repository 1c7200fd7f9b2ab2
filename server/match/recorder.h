// SPDX-License-Identifier: MIT
//
// Writes a match to a .dfr file without ever holding up a tick: ticks put bytes into a ring in memory, one thread
// writes them to the file, and another waits for the disk. If the disk is full or cannot keep up, the recording ends
// there with a fault; the file is valid up to that point.
#ifndef MATCH_RECORDER_H
#define MATCH_RECORDER_H

#include "base/error.h"
#include "net/crypto/dice.h"
#include "retention.h"
#include "wire/replay.h"

struct recorder;

/// Creates DIRECTORY/MAP-YYYYMMDD-HHMMSS.dfr (with a number if that exists), which begins with the world `first`, and
/// waits until that is on the disk. Returns null on failure, with an error; no file is left then.
struct recorder *recorder_open(const char *directory, int64_t unix_time, const struct map *map,
                               const struct world *first, struct error *error);

/// The same with a given path; replaces any file there.
struct recorder *recorder_open_at(const char *path, const struct map *map, const struct world *first,
                                  struct error *error);

/// Like recorder_open(), but never waits for the disk: a fault there ends the recording later (recorder_fault()).
struct recorder *recorder_begin(const char *directory, int64_t unix_time, const struct map *map,
                                const struct world *first, struct error *error);

/// Like recorder_begin(), with a given path. The file replaces any file there once its first bytes are on the disk.
struct recorder *recorder_begin_at(const char *path, const struct map *map, const struct world *first,
                                   struct error *error);

/// Returns whether a recording could begin in this directory; leaves nothing behind. False with an error.
bool recorder_check(const char *directory, struct error *error);

/// Lets a thread of the recorder remove old recordings beside this one. A null recorder is allowed.
void recorder_retain(struct recorder *recorder, const struct retention *limits, int64_t unix_s);

/// Returns the path of the file.
const char *recorder_path(const struct recorder *recorder);

/// Records one tick: the commands before it, its inputs, the world after it. Never blocks; a thread of the recorder
/// syncs the file after each second of ticks. A null recorder is allowed.
void recorder_tick(struct recorder *recorder, const struct command *commands, uint32_t command_count,
                   const struct player_input *inputs, const struct world *world);

/// Records the hats from the next tick on, by slot (PLAYER_CAPACITY of enum hat). A null recorder is allowed.
void recorder_hats(struct recorder *recorder, const uint8_t *hats);

/// Records the seats from now on, at most PLAYER_CAPACITY, rising by slot; for journals. A null recorder is allowed.
void recorder_seats(struct recorder *recorder, const struct replay_seat *seats, uint32_t seat_count);

/// Records the commitment of the dice, and with `reveals` their secret: at the end of a match, or in a journal, which
/// is private. A null recorder is allowed.
void recorder_dice(struct recorder *recorder, const struct dice *dice, bool reveals);

/// Returns why the recording has ended; null while it goes on, or without a recorder.
const char *recorder_fault(struct recorder *recorder);

/// Returns how often the file has been synced: once it rises, all bytes from before the last second are safe.
uint32_t recorder_syncs(struct recorder *recorder);

/// Returns the number of bytes that wait for the disk.
size_t recorder_backlog_bytes(struct recorder *recorder);

/// Ends the recording without waiting: its thread writes the rest and the index. Then recorder_close() is left to do.
/// Waits only if the recording was begun with recorder_begin_at() a moment ago and has not replaced the old file yet.
/// A null recorder is allowed.
void recorder_end(struct recorder *recorder);

/// Returns whether an ended recording is on the disk, or has failed, so that recorder_close() need not wait.
bool recorder_is_done(struct recorder *recorder);

/// Writes the rest and the index, closes the file and frees the recorder. False with an error if something could not
/// be stored. A null recorder is allowed.
bool recorder_close(struct recorder *recorder, struct error *error);

#endif
