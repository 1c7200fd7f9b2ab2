// SPDX-License-Identifier: MIT
#include "records_question.h"

#include <stdio.h>
#include <string.h>

// Returns the question with the least number in a state; null: there is none.
static struct records_question *oldest(struct records_questions *questions, enum records_question_state state)
{
    struct records_question *found = NULL;
    for (uint32_t i = 0; i < RECORDS_QUESTION_CAPACITY; i++) {
        struct records_question *question = &questions->of[i];
        if (question->state == state && (!found || question->number < found->number))
            found = question;
    }
    return found;
}

uint64_t records_question_put(struct records_questions *questions, enum records_subject subject, const char *argument)
{
    struct records_question *question = oldest(questions, RECORDS_QUESTION_FREE);
    if (!question)
        question = oldest(questions, RECORDS_QUESTION_ANSWERED);
    if (!question || strlen(argument) >= sizeof question->argument)
        return 0;
    question->state = RECORDS_QUESTION_ASKED;
    question->number = ++questions->asked;
    question->subject = subject;
    strcpy(question->argument, argument);
    return question->number;
}

struct records_question *records_question_next(struct records_questions *questions)
{
    return oldest(questions, RECORDS_QUESTION_ASKED);
}

void records_question_answer(struct records_question *question, const struct records_answer *answer)
{
    question->answer = *answer;
    question->state = RECORDS_QUESTION_ANSWERED;
}

bool records_question_take(struct records_questions *questions, uint64_t number, struct records_answer *answer)
{
    for (uint32_t i = 0; i < RECORDS_QUESTION_CAPACITY; i++) {
        struct records_question *question = &questions->of[i];
        if (question->state != RECORDS_QUESTION_ANSWERED || question->number != number)
            continue;
        *answer = question->answer;
        question->state = RECORDS_QUESTION_FREE;
        return true;
    }
    return false;
}
