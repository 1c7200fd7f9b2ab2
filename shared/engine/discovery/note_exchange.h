// SPDX-License-Identifier: MIT
//
// How players leave notes at a directory and ask for those of their friends: one request with notes and with names of
// notes, and an answer with those of these names that are there. To the directory, names and notes are random bytes;
// friend_note.h makes them. PROTOCOL.md documents the bytes. Pure functions.
#ifndef DISCOVERY_NOTE_EXCHANGE_H
#define DISCOVERY_NOTE_EXCHANGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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

/// Writes a request; returns its bytes.
size_t note_exchange_write_request(const struct note_request *request, uint8_t bytes[NOTE_EXCHANGE_REQUEST_BYTES_MAX]);
/// Reads a request. False if it is malformed.
bool note_exchange_read_request(struct note_request *request, const uint8_t *bytes, size_t byte_count);
/// Writes an answer; returns its bytes.
size_t note_exchange_write_answer(const struct note_answer *answer, uint8_t bytes[NOTE_EXCHANGE_ANSWER_BYTES_MAX]);
/// Reads an answer. False if it is malformed.
bool note_exchange_read_answer(struct note_answer *answer, const uint8_t *bytes, size_t byte_count);

#endif
