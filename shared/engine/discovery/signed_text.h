// SPDX-License-Identifier: MIT
//
// A JSON object that is signed as bytes: its first line holds the signature (Ed25519) of everything after that line.
// So it is one file, any program can read it as JSON, and nobody has to agree on how JSON is written. What follows
// begins with the text's purpose, so that one kind never passes as another.
//
//   {"signature":"128 hex digits",
//   "deadfall":"announcement 1", ...}
#ifndef DISCOVERY_SIGNED_TEXT_H
#define DISCOVERY_SIGNED_TEXT_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SIGNED_TEXT_KEY_BYTES    32 ///< Ed25519, public
#define SIGNED_TEXT_SECRET_BYTES 64
/// The first line, with its end.
#define SIGNED_TEXT_HEAD_BYTES 145

/// Computes the keys that belong to a seed (32 bytes).
void signed_text_keys(const uint8_t seed[32], uint8_t key[SIGNED_TEXT_KEY_BYTES],
                      uint8_t secret[SIGNED_TEXT_SECRET_BYTES]);
/// Writes and signs an object with the first member "deadfall". The caller frees the text, which ends with a zero that
/// `*byte_count` does not count. Null without memory.
char *signed_text_write(const json_t *object, const uint8_t secret[SIGNED_TEXT_SECRET_BYTES], size_t *byte_count);
/// Returns whether a text has the form of a signed one of this purpose, and is signed by this key.
bool signed_text_verify(const char *text, size_t byte_count, const char *purpose,
                        const uint8_t key[SIGNED_TEXT_KEY_BYTES]);
/// Reads 64 hex digits, in lower case. False for anything else, null included.
bool signed_text_read_key(const char *text, uint8_t key[SIGNED_TEXT_KEY_BYTES]);
/// Writes a key as hex digits.
void signed_text_write_key(const uint8_t key[SIGNED_TEXT_KEY_BYTES], char text[2 * SIGNED_TEXT_KEY_BYTES + 1]);

#endif
