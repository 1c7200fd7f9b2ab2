// SPDX-License-Identifier: MIT
//
// The folder of a live stream. A web server shows it to everybody, so it must be one that nobody else fills: another
// server, or a web site, which would lose its index.json. Each server that publishes locks its folder; the lock goes
// with the process.
#ifndef RECORDING_LIVE_FOLDER_H
#define RECORDING_LIVE_FOLDER_H

#include <stdint.h>

#include "base/error.h"

/// Endings of the files in it: the beginning of a match, a chunk, and what is not whole yet.
#define LIVE_FOLDER_HEAD  ".head"
#define LIVE_FOLDER_CHUNK ".chunk"
#define LIVE_FOLDER_FRESH ".fresh"
/// Names the newest chunk.
#define LIVE_FOLDER_INDEX "index.json"
/// As it begins.
#define LIVE_FOLDER_INDEX_BEGIN "{\"deadfall\":\"live\""

/// Checks whether a server could publish into a folder, which may not exist yet, and that there is room for so many
/// bytes. Leaves no trace, and does not ask whether another server publishes there. False with an error.
bool live_folder_check(const char *folder, uint64_t least_bytes, struct error *error);

/// Makes the folder if needed, locks it, and removes what an earlier server has published there. Returns a descriptor
/// that holds the lock until it is closed; -1 with an error.
int live_folder_open(const char *folder, struct error *error);

#endif
