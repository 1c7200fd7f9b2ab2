// SPDX-License-Identifier: MIT
//
// Tests the answers that come later: of each question, as long as it is remembered.
#include "lifecycle/answers.h"
#include "test.h"

static struct answers answers;

static void begin(void)
{
    answers = (struct answers){0};
}

EACH_TEST(begin, NULL);

TEST(a_question_is_open_until_it_is_answered)
{
    uint64_t first = answers_ask(&answers), second = answers_ask(&answers);
    assert_int_equal(first, 1);
    assert_int_equal(answers_open(&answers), 2);
    answers_give(&answers, first, ANSWER_FAILED, "no such map");
    assert_int_equal(answers_look(&answers, first)->outcome, ANSWER_FAILED);
    assert_string_equal(answers_look(&answers, first)->text, "no such map");
    assert_int_equal(answers_look(&answers, second)->outcome, ANSWER_OPEN);
    assert_int_equal(answers_open(&answers), 1);
    answers_give(&answers, second, ANSWER_DONE, NULL);
    assert_int_equal(answers_look(&answers, second)->outcome, ANSWER_DONE);
    assert_string_equal(answers_look(&answers, second)->text, "");
    assert_int_equal(answers_open(&answers), 0);
}

TEST(one_outcome_answers_all_that_are_open_and_no_other)
{
    uint64_t first = answers_ask(&answers);
    answers_give(&answers, first, ANSWER_DONE, NULL);
    answers_ask(&answers);
    uint64_t last = answers_ask(&answers);
    answers_give(&answers, last, ANSWER_REPLACED, NULL);
    assert_int_equal(answers_look(&answers, first)->outcome, ANSWER_DONE);
    assert_int_equal(answers_look(&answers, last - 1)->outcome, ANSWER_REPLACED);
    assert_int_equal(answers_look(&answers, last)->outcome, ANSWER_REPLACED);
    answers_give(&answers, last, ANSWER_FAILED, "too late");
    assert_int_equal(answers_look(&answers, last)->outcome, ANSWER_REPLACED);
}

TEST(old_outcomes_are_forgotten_and_questions_that_wait_are_not)
{
    uint64_t first = answers_ask(&answers);
    for (int i = 0; i < 2 * ANSWERS_CAPACITY; i++)
        answers_ask(&answers);
    assert_int_equal(answers_look(&answers, first)->outcome, ANSWER_OPEN);
    answers_give(&answers, first + ANSWERS_CAPACITY - 1, ANSWER_DONE, NULL);
    assert_int_equal(answers_look(&answers, first)->outcome, ANSWER_DONE);
    answers_give(&answers, first + ANSWERS_CAPACITY, ANSWER_DONE, NULL);
    assert_int_equal(answers_look(&answers, first)->outcome, ANSWER_FORGOTTEN);
    assert_int_equal(answers_look(&answers, first + 1)->outcome, ANSWER_DONE);
}
