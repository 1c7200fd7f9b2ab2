// SPDX-License-Identifier: MIT
//
// Who a server and a player are, from one start to the next: a key of 32 random bytes in a file that only its owner may
// read, made when it is missing; the short text that people compare keys by; and the list of servers met so far, which
// notices when one has changed its key. Used at start and at connect, never in a tick.
#ifndef NET_IDENTITY_H
#define NET_IDENTITY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

#define IDENTITY_SEED_BYTES 32
/// Letters of a fingerprint and its end.
#define FINGERPRINT_TEXT_BYTES 33

/// Reads the seed in a file; makes file and folders with a random one if it is missing. False with a sentence when it
/// cannot be read, made, or trusted (damaged, or open to others).
bool identity_load(const char *path, uint8_t seed[IDENTITY_SEED_BYTES], struct error *error);

/// The fingerprint of a public key (32 bytes): 160 bits of BLAKE2b in base32, a to z and 2 to 7.
void identity_fingerprint(const uint8_t key[32], char text[FINGERPRINT_TEXT_BYTES]);
/// The fingerprint by which servers know the player whose seed is in a file, as identity_load() finds or makes it.
bool identity_fingerprint_of_file(const char *path, char text[FINGERPRINT_TEXT_BYTES], struct error *error);
/// Whether a text has the form of a fingerprint.
bool identity_fingerprint_is_valid(const char *text);

/// Compares with the list in a file what a server is known by ("host:port"). False with a sentence when its key has
/// changed, or the file cannot be read. One never met is fine.
bool identity_check_server(const char *path, const char *place, const char *fingerprint, struct error *error);

/// The same, of a server that has proven its key: adds it if it is new. False also when the file cannot be written.
bool identity_remember_server(const char *path, const char *place, const char *fingerprint, struct error *error);

#endif
