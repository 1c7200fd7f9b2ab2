// SPDX-License-Identifier: MIT
//
// Writes matches to .dfr files, one after another, without ever holding up a tick (disk_writer.h). A server opens a
// recorder for its recordings and one for its journal, and gives it to the match while that is recorded. If the disk is
// full or cannot keep up, the recording ends there with a fault; the file is valid up to that point.
#ifndef RECORDING_RECORDER_H
#define RECORDING_RECORDER_H

#include "base/error.h"
#include "disk_writer.h"
#include "net/crypto/dice.h"
#include "wire/replay.h"

struct recorder;

/// Allocates a recorder and starts its threads. Null when out of memory or threads.
struct recorder *recorder_open(void);

/// Begins DIRECTORY/MAP-YYYYMMDD-HHMMSS.dfr (with a number if that exists), which begins with the world `first`. The
/// recording before must have ended. Does not wait: recorder_report() says whether the file could be created. False if
/// too many recordings wait for the disk.
bool recorder_begin(struct recorder *recorder, const char *directory, int64_t unix_time, const struct map *map,
                    const struct world *first);

/// The same with a given path. The file replaces any file there once its first bytes are on the disk.
bool recorder_begin_at(struct recorder *recorder, const char *path, const struct map *map, const struct world *first);

/// Waits until the first bytes of the recording are on the disk. If they cannot be stored, ends it, and returns false
/// with an error; no file is left then.
bool recorder_wait(struct recorder *recorder, struct error *error);

/// Returns whether a recording could begin in this directory; leaves nothing behind. False with an error.
bool recorder_check(const char *directory, struct error *error);

/// Lets a thread of the recorder remove old recordings beside the newest one. A null recorder is allowed.
void recorder_retain(struct recorder *recorder, const struct retention *limits, int64_t unix_s);

/// Returns the number of the newest recording, rising from 1; 0: none yet, or a null recorder.
uint32_t recorder_number(const struct recorder *recorder);

/// Returns how far one of the last DISK_WRITER_FILES recordings has got. `syncs` (may be null) rises whenever more of
/// it is safe.
enum disk_state recorder_state(struct recorder *recorder, uint32_t number, uint32_t *syncs);

/// The same with where it is, and why it has failed.
struct disk_report recorder_report(struct recorder *recorder, uint32_t number);

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

/// Notes something for the next server, 1 to REPLAY_NOTE_BYTES_MAX bytes; for journals. A null recorder is allowed.
void recorder_note(struct recorder *recorder, enum replay_note note, const uint8_t *bytes, size_t byte_count);

/// Returns the number of bytes that wait to be written.
size_t recorder_backlog_bytes(struct recorder *recorder);

/// Ends the recording without waiting: its threads write the rest and the index. A null recorder is allowed.
void recorder_end(struct recorder *recorder);

/// Ends the recording and waits until everything is on the disk. False with an error if the newest recording could not
/// be stored. A null recorder is allowed.
bool recorder_finish(struct recorder *recorder, struct error *error);

/// Does the same, and frees the recorder. Null is allowed.
bool recorder_close(struct recorder *recorder, struct error *error);

#endif
