// SPDX-License-Identifier: MIT
#include "answers.h"

#include <stdio.h>

uint64_t answers_ask(struct answers *answers)
{
    return ++answers->asked;
}

void answers_give(struct answers *answers, uint64_t number, enum answer_outcome outcome, const char *text)
{
    while (answers->answered < number) {
        struct answer *answer = &answers->of[++answers->answered % ANSWERS_CAPACITY];
        answer->outcome = outcome;
        snprintf(answer->text, sizeof answer->text, "%s", text ? text : "");
    }
}

const struct answer *answers_look(const struct answers *answers, uint64_t number)
{
    static const struct answer open = {.outcome = ANSWER_OPEN}, forgotten = {.outcome = ANSWER_FORGOTTEN};
    if (number > answers->answered)
        return &open;
    return answers->answered - number < ANSWERS_CAPACITY ? &answers->of[number % ANSWERS_CAPACITY] : &forgotten;
}

uint64_t answers_open(const struct answers *answers)
{
    return answers->asked - answers->answered;
}
