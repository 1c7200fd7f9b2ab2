// SPDX-License-Identifier: MIT
//
// Asks one address whether the owner of a key listens there, by the query K of the game's port (see PROTOCOL.md): the
// question, its challenge, the question again, the proof; repeated where something is lost. No socket; time is an
// argument.
#ifndef DIRECTORY_REACH_QUESTION_H
#define DIRECTORY_REACH_QUESTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "net/crypto/reach_proof.h"

/// Bytes of a question at most.
#define REACH_QUESTION_BYTES 41
/// How often it is sent, and how long it waits each time, ns.
#define REACH_QUESTION_TRIES  6
#define REACH_QUESTION_TRY_NS 500000000u
/// How many challenges are answered at once. These are no tries, or a few forged challenges would use them up.
#define REACH_QUESTION_CHALLENGES 16

enum reach_answer { REACH_WAITS, REACH_PROVEN, REACH_FAILED };

struct reach_question {
    struct reach_proof proof;
    uint8_t tag[REACH_PROOF_TAG_BYTES]; ///< that proves it
    uint8_t challenge[4];
    bool has_challenge;
    bool is_answer;      ///< the next one answers a challenge
    uint32_t challenges; ///< that were answered at once
    uint32_t tries;
    uint64_t due_ns; ///< when to send it again, or to give up
};

/// Begins a question to the owner of a key (X25519). False if the key is bad.
bool reach_question_begin(struct reach_question *question, const uint8_t server_key[REACH_PROOF_KEY_BYTES],
                          uint64_t now_ns);
/// Writes the datagram that is to be sent now. Returns its bytes; 0: none. REACH_FAILED in `*answer`: nobody answers.
size_t reach_question_send(struct reach_question *question, uint64_t now_ns, uint8_t bytes[REACH_QUESTION_BYTES],
                           enum reach_answer *answer);
/// Takes a datagram from the address that was asked. Returns REACH_PROVEN for the proof, else REACH_WAITS:
/// noise and false proofs change nothing.
enum reach_answer reach_question_take(struct reach_question *question, const uint8_t *bytes, size_t byte_count,
                                      uint64_t now_ns);

#endif
