// SPDX-License-Identifier: MIT
//
// Tests that register themselves. Each .c file with tests includes this header, which includes cmocka, and says
//
//     TEST(a_box_has_four_sides) { assert_int_equal(box_sides(&box), 4); }
//
// The tests of a file run in the order of their lines, those of a program file by file, each file in a process of its
// own.
#ifndef TEST_H
#define TEST_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
// cmocka needs the headers above
#include <cmocka.h>

/// The elements of an array, such as the rows of a table.
#define COUNT_OF(array) (sizeof(array) / sizeof(array)[0])

/// Begins a test; its name is a sentence.
#define TEST(name) TEST_REGISTERED(name, false)

/// Begins a test to which EACH_TEST does not apply.
#define BARE_TEST(name) TEST_REGISTERED(name, true)

/// EACH_TEST(begin, end): calls begin() before each test of this file, and end() after it, also if it failed. Either
/// may be NULL. If an assertion of begin() fails, so does the test.
#define EACH_TEST(setup, teardown) TEST_FIXTURE(each, setup, teardown)

/// ALL_TESTS(begin, end): calls begin() before the first test of this file, and end() after the last.
#define ALL_TESTS(setup, teardown) TEST_FIXTURE(all, setup, teardown)

/// One test, as its file registers it.
struct test {
    const char *file, *name;
    int line;
    bool is_bare; ///< no fixture of its file applies to it
    void (*run)(void);
    struct test *next;
};

/// What is done before and after: around each test of a file, or around all of them.
struct test_fixture {
    const char *file;
    void (*setup)(void), (*teardown)(void); ///< may be null
    struct test_fixture *next;
};

/// What the macros above say, kept until main() runs.
void test_register(struct test *test);
void test_register_each(struct test_fixture *fixture);
void test_register_all(struct test_fixture *fixture);

/// Runs the tests that the arguments name; returns an exit code. Only a program with a main() of its own calls it.
int test_main(int argc, char **argv);

#define TEST_REGISTERED(name, bare)                                                                                    \
    static void name(void);                                                                                            \
    __attribute__((constructor)) static void name##_registers(void)                                                    \
    {                                                                                                                  \
        static struct test registered = {__FILE__, #name, __LINE__, bare, name, NULL};                                 \
        test_register(&registered);                                                                                    \
    }                                                                                                                  \
    static void name(void)

#define TEST_FIXTURE(which, setup, teardown)                                                                           \
    __attribute__((constructor)) static void test_fixture_of_##which(void)                                             \
    {                                                                                                                  \
        static struct test_fixture registered = {__FILE__, setup, teardown, NULL};                                     \
        test_register_##which(&registered);                                                                            \
    }                                                                                                                  \
    struct test_fixture // takes the semicolon

#endif
