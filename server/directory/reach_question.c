// SPDX-License-Identifier: MIT
#include "reach_question.h"

#include <sodium.h>
#include <string.h>

#include "net/query.h"

#define QUESTION_LETTER  'K'
#define CHALLENGE_LETTER 'A'
#define PROOF_LETTER     'k'
#define HEAD_BYTES       (QUERY_MARK_BYTES + 1)

_Static_assert(REACH_QUESTION_BYTES == HEAD_BYTES + REACH_PROOF_KEY_BYTES + 4, "question");

bool reach_question_begin(struct reach_question *question, const uint8_t server_key[REACH_PROOF_KEY_BYTES],
                          uint64_t now_ns)
{
    *question = (struct reach_question){.due_ns = now_ns};
    memcpy(question->proof.server, server_key, REACH_PROOF_KEY_BYTES);
    return reach_proof_ask(&question->proof, question->tag);
}

size_t reach_question_send(struct reach_question *question, uint64_t now_ns, uint8_t bytes[REACH_QUESTION_BYTES],
                           enum reach_answer *answer)
{
    *answer = REACH_WAITS;
    if (now_ns < question->due_ns)
        return 0;
    if (!question->is_answer && question->tries == REACH_QUESTION_TRIES) {
        *answer = REACH_FAILED;
        return 0;
    }
    question->tries += !question->is_answer;
    question->is_answer = false;
    question->due_ns = now_ns + REACH_QUESTION_TRY_NS;
    memset(bytes, 0xFF, QUERY_MARK_BYTES);
    bytes[QUERY_MARK_BYTES] = QUESTION_LETTER;
    memcpy(bytes + HEAD_BYTES, question->proof.asker, REACH_PROOF_KEY_BYTES);
    memcpy(bytes + HEAD_BYTES + REACH_PROOF_KEY_BYTES, question->challenge, sizeof question->challenge);
    return question->has_challenge ? REACH_QUESTION_BYTES : REACH_QUESTION_BYTES - sizeof question->challenge;
}

enum reach_answer reach_question_take(struct reach_question *question, const uint8_t *bytes, size_t byte_count,
                                      uint64_t now_ns)
{
    bool is_query = query_claims(bytes, byte_count);
    if (is_query && bytes[QUERY_MARK_BYTES] == CHALLENGE_LETTER &&
        byte_count == HEAD_BYTES + sizeof question->challenge) {
        bool is_new = !question->has_challenge ||
                      memcmp(question->challenge, bytes + HEAD_BYTES, sizeof question->challenge) != 0;
        memcpy(question->challenge, bytes + HEAD_BYTES, sizeof question->challenge);
        question->has_challenge = true;
        if (is_new && question->challenges < REACH_QUESTION_CHALLENGES) {
            question->challenges++;
            question->is_answer = true;
            question->due_ns = now_ns;
        }
        return REACH_WAITS;
    }
    // A false proof is no failure, or anyone who can forge the address of a server could strike it off the list.
    if (!is_query || bytes[QUERY_MARK_BYTES] != PROOF_LETTER || byte_count != HEAD_BYTES + REACH_PROOF_TAG_BYTES ||
        sodium_memcmp(bytes + HEAD_BYTES, question->tag, REACH_PROOF_TAG_BYTES) != 0)
        return REACH_WAITS;
    return REACH_PROVEN;
}
