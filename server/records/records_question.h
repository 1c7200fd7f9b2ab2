// SPDX-License-Identifier: MIT
//
// The questions to the records that wait for their answers, and the answers that wait to be fetched: a bounded queue.
// Answers that nobody fetches make room for later questions. Knows no threads; records.c holds its lock around each
// call.
#ifndef RECORDS_RECORDS_QUESTION_H
#define RECORDS_RECORDS_QUESTION_H

#include "options/options.h"
#include "records_database.h"

/// Questions that may wait at once.
#define RECORDS_QUESTION_CAPACITY 8
/// Bytes of an answer's text, with its final zero.
#define RECORDS_ANSWER_BYTES 2048
/// Players in an answer at most.
#define RECORDS_FOUND_MAX 5

/// What is asked for.
enum records_subject { RECORDS_PLAYER, RECORDS_EXPORT };

struct records_answer {
    bool done;                       ///< the question could be answered
    char text[RECORDS_ANSWER_BYTES]; ///< lines, each with its newline
    char path[OPTION_TEXT_BYTES];    ///< of the file that was written; empty: none
    uint32_t player_count;
    struct records_player players[RECORDS_FOUND_MAX]; ///< that the text is about, in its order
};

enum records_question_state { RECORDS_QUESTION_FREE, RECORDS_QUESTION_ASKED, RECORDS_QUESTION_ANSWERED };

struct records_question {
    enum records_question_state state;
    uint64_t number;
    enum records_subject subject;
    char argument[OPTION_TEXT_BYTES]; ///< a name or a key, or the path of the file
    struct records_answer answer;
};

/// Zero-initialise.
struct records_questions {
    uint64_t asked; ///< so far
    struct records_question of[RECORDS_QUESTION_CAPACITY];
};

/// Adds a question. Returns its number, or 0 if too many wait or the argument is too long.
uint64_t records_question_put(struct records_questions *questions, enum records_subject subject, const char *argument);
/// Returns the question that has waited for longest, which stays where it is until it is answered; null: none waits.
struct records_question *records_question_next(struct records_questions *questions);
/// Answers a question.
void records_question_answer(struct records_question *question, const struct records_answer *answer);
/// Fetches the answer to a question. Returns true once, when the answer is there.
bool records_question_take(struct records_questions *questions, uint64_t number, struct records_answer *answer);

#endif
