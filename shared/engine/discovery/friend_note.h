// SPDX-License-Identifier: MIT
//
// What one friend leaves for another at a directory: that they are there, and where they play. Name and content come
// from the secret that only the two know, and from the time in steps of ten minutes, so nobody else can find a note,
// read it, or see whose it is, and notes of different steps have nothing in common. PROTOCOL.md documents the bytes.
#ifndef DISCOVERY_FRIEND_NOTE_H
#define DISCOVERY_FRIEND_NOTE_H

#include "friend_key.h"
#include "note_exchange.h"

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

#endif
