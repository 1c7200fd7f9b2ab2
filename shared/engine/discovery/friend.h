// SPDX-License-Identifier: MIT
//
// How friends find each other. Their keys, X25519, come from the seed of the player's account, but are others than the
// account's: servers see the account of everybody who plays there, and only friends see this key. By the secret that
// two friends share, one leaves notes for the other at a directory: that they are there, and where they play. Name and
// content come from that secret and from the time in steps of ten minutes, so nobody else can find a note, read it, or
// see who wrote it, and notes of different steps have nothing in common. PROTOCOL.md documents the bytes. Pure
// functions.
#ifndef DISCOVERY_FRIEND_H
#define DISCOVERY_FRIEND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "net/crypto/identity.h"

#define FRIEND_KEY_BYTES 32
/// Letters of a key as text, with a sum, so that a wrong letter is noticed: a to z and 2 to 7, with the final zero.
#define FRIEND_KEY_TEXT_BYTES 57
/// What a link begins with; the key follows.
#define FRIEND_KEY_LINK       "deadfall://friend/"
#define FRIEND_KEY_LINK_BYTES (sizeof FRIEND_KEY_LINK - 1 + FRIEND_KEY_TEXT_BYTES)

struct friend_keys {
    uint8_t key[FRIEND_KEY_BYTES], secret[FRIEND_KEY_BYTES];
};

/// Computes the keys of the player with a seed.
void friend_key_derive(const uint8_t seed[IDENTITY_SEED_BYTES], struct friend_keys *keys);
/// Writes a key as text.
void friend_key_write(const uint8_t key[FRIEND_KEY_BYTES], char text[FRIEND_KEY_TEXT_BYTES]);
/// Reads a key as text, or a link with it. False if it is neither, or a letter is wrong.
bool friend_key_read(const char *text, uint8_t key[FRIEND_KEY_BYTES]);
/// Computes the secret that only two friends know, the same on both sides. False if the other key is one of the few
/// that give the same secret to everybody.
bool friend_key_pair(const struct friend_keys *own, const uint8_t theirs[FRIEND_KEY_BYTES],
                     uint8_t pair[FRIEND_KEY_BYTES]);

#define NOTE_EXCHANGE_NAME_BYTES 16
#define NOTE_EXCHANGE_BYTES      264 ///< of a note
#define NOTE_EXCHANGE_NOTES_MAX  32  ///< of a request
#define NOTE_EXCHANGE_NAMES_MAX  64  ///< of a request, and so notes of an answer
#define NOTE_EXCHANGE_REQUEST_BYTES_MAX                                                                                \
    (6 + NOTE_EXCHANGE_NOTES_MAX * (NOTE_EXCHANGE_NAME_BYTES + NOTE_EXCHANGE_BYTES) +                                  \
     NOTE_EXCHANGE_NAMES_MAX * NOTE_EXCHANGE_NAME_BYTES)
#define NOTE_EXCHANGE_ANSWER_BYTES_MAX (5 + NOTE_EXCHANGE_NAMES_MAX * (NOTE_EXCHANGE_NAME_BYTES + NOTE_EXCHANGE_BYTES))
/// How long a directory keeps a note, and how often players renew theirs, s.
#define NOTE_EXCHANGE_LIFE_S   80u
#define NOTE_EXCHANGE_PERIOD_S 20u

struct note {
    uint8_t name[NOTE_EXCHANGE_NAME_BYTES];
    uint8_t bytes[NOTE_EXCHANGE_BYTES];
};

struct note_request {
    uint32_t note_count, name_count;
    struct note notes[NOTE_EXCHANGE_NOTES_MAX];
    uint8_t names[NOTE_EXCHANGE_NAMES_MAX][NOTE_EXCHANGE_NAME_BYTES];
};

struct note_answer {
    uint32_t count;
    struct note notes[NOTE_EXCHANGE_NAMES_MAX];
};

/// Length of a step, s.
#define FRIEND_NOTE_STEP_S 600
/// Texts with their final zero: of a player's name, a server's name, and an address to join.
#define FRIEND_NOTE_PLAYER_BYTES 17
#define FRIEND_NOTE_SERVER_BYTES 49
#define FRIEND_NOTE_LINK_BYTES   151

struct friend_note {
    uint64_t time_ms; ///< since 1970, on the author's clock; more than in the one before
    bool plays;       ///< a match
    char player[FRIEND_NOTE_PLAYER_BYTES];
    char server[FRIEND_NOTE_SERVER_BYTES]; ///< empty: none, or it has no name
    char link[FRIEND_NOTE_LINK_BYTES];     ///< by which a friend can join; empty: they cannot
};

/// Which note it is.
struct friend_note_place {
    const uint8_t *pair;   ///< of the two, as friend_key_pair() computes it
    const uint8_t *author; ///< key of who leaves it
    uint64_t step;         ///< of the time, friend_note_step()
};

/// Returns the step of a time, s since 1970.
uint64_t friend_note_step(int64_t unix_s);
/// Returns the step next to that of a time which is nearer: where to look, too, because clocks differ.
uint64_t friend_note_step_beside(int64_t unix_s);
/// Computes the name of a note.
void friend_note_name(const struct friend_note_place *place, uint8_t name[NOTE_EXCHANGE_NAME_BYTES]);
/// Encrypts what a note says, with the name.
void friend_note_encrypt(const struct friend_note *note, const struct friend_note_place *place, struct note *encrypted);
/// Decrypts a note. False if it is forged, of another place, or says what a friend's program would not write.
bool friend_note_decrypt(struct friend_note *note, const struct friend_note_place *place, const struct note *encrypted);

// --- one request with notes and with names of notes, and an answer with those of these names that are there; to the
// directory, names and notes are random bytes

/// Writes a request; returns its bytes.
size_t friend_notes_write_request(const struct note_request *request, uint8_t bytes[NOTE_EXCHANGE_REQUEST_BYTES_MAX]);
/// Reads a request. False if it is malformed.
bool friend_notes_read_request(struct note_request *request, const uint8_t *bytes, size_t byte_count);
/// Writes an answer; returns its bytes.
size_t friend_notes_write_answer(const struct note_answer *answer, uint8_t bytes[NOTE_EXCHANGE_ANSWER_BYTES_MAX]);
/// Reads an answer. False if it is malformed.
bool friend_notes_read_answer(struct note_answer *answer, const uint8_t *bytes, size_t byte_count);

#endif
