// SPDX-License-Identifier: MIT
//
// What servers have said about the players at this machine: a file of vouches (net/crypto/vouch.h), one behind the
// other, the newest first, one for each server and player. Others may have edited it: what is no vouch is skipped.
#ifndef APP_VOUCH_FILE_H
#define APP_VOUCH_FILE_H

#include "net/crypto/vouch.h"

/// Vouches in a file at most; the oldest make room.
#define VOUCH_FILE_CAPACITY 64

/// Keeps a vouch that the server with this fingerprint has sent to a local player. False if it is not of that server or
/// not about this player, or the file (empty: there is none) cannot be written.
bool vouch_file_keep(const char *path, const char *fingerprint, uint32_t local, const uint8_t bytes[VOUCH_BYTES]);
/// Finds the vouch of the server with this fingerprint about a local player. False if there is none.
bool vouch_file_find(const char *path, const char *fingerprint, uint32_t local, uint8_t bytes[VOUCH_BYTES]);

#endif
