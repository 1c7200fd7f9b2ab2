// SPDX-License-Identifier: MIT
//
// Answers that come later, such as from the disk: one sequence of them for each thing that is asked. A question gets a
// number, and somebody who has kept it looks now and then for its outcome, as often as they like; nobody waits.
// Questions are answered in their order, several at once if one outcome is that of all. The newest outcomes are
// remembered.
#ifndef LIFECYCLE_ANSWERS_H
#define LIFECYCLE_ANSWERS_H

#include <stdint.h>
#include <stdio.h>

#include "base/error.h"

/// Outcomes that are remembered.
#define ANSWERS_CAPACITY 16

/// What has become of a question.
enum answer_outcome {
    ANSWER_OPEN,
    ANSWER_DONE,
    ANSWER_FAILED,
    ANSWER_REPLACED, ///< by a newer question, which counts
    ANSWER_FORGOTTEN ///< many came after it
};

struct answer {
    enum answer_outcome outcome;
    char text[ERROR_TEXT_BYTES]; ///< of a failure: why. Otherwise as the one who answers says
};

/// Zero-initialise.
struct answers {
    uint64_t asked, answered; ///< numbers of the newest question, and of the newest that has an outcome; 0: none
    struct answer of[ANSWERS_CAPACITY];
};

/// Asks. Returns the number, from 1.
static inline uint64_t answers_ask(struct answers *answers)
{
    return ++answers->asked;
}

/// Answers all open questions up to a number. `text` may be null.
static inline void answers_give(struct answers *answers, uint64_t number, enum answer_outcome outcome, const char *text)
{
    while (answers->answered < number) {
        struct answer *answer = &answers->of[++answers->answered % ANSWERS_CAPACITY];
        answer->outcome = outcome;
        snprintf(answer->text, sizeof answer->text, "%s", text ? text : "");
    }
}

/// Returns what has become of a question.
static inline const struct answer *answers_look(const struct answers *answers, uint64_t number)
{
    static const struct answer open = {.outcome = ANSWER_OPEN}, forgotten = {.outcome = ANSWER_FORGOTTEN};
    if (number > answers->answered)
        return &open;
    return answers->answered - number < ANSWERS_CAPACITY ? &answers->of[number % ANSWERS_CAPACITY] : &forgotten;
}

/// Returns how many questions are open.
static inline uint64_t answers_open(const struct answers *answers)
{
    return answers->asked - answers->answered;
}

#endif
