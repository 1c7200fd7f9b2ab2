// SPDX-License-Identifier: MIT
#include "test.h"

#include <fnmatch.h>
#include <limits.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <sysexits.h>
#include <unistd.h>

enum { NAME_BYTES = 300 };

static struct test *tests; // by file and line
static struct test_fixture *each, *all;

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static int order_of(const struct test *a, const struct test *b)
{
    int names = strcmp(base_name(a->file), base_name(b->file));
    int files = names ? names : strcmp(a->file, b->file);
    return files ? files : a->line - b->line;
}

void test_register(struct test *test)
{
    struct test **place = &tests;
    while (*place && order_of(*place, test) < 0)
        place = &(*place)->next;
    test->next = *place;
    *place = test;
}

static void add_fixture(struct test_fixture **list, struct test_fixture *fixture)
{
    fixture->next = *list;
    *list = fixture;
}

void test_register_each(struct test_fixture *fixture)
{
    add_fixture(&each, fixture);
}

void test_register_all(struct test_fixture *fixture)
{
    add_fixture(&all, fixture);
}

static const struct test_fixture *fixture_of(const char *file, const struct test_fixture *list)
{
    static const struct test_fixture none;
    while (list && strcmp(list->file, file) != 0)
        list = list->next;
    return list ? list : &none;
}

// What cmocka calls; the state is the test.
static void run_one(void **state)
{
    const struct test *test = *state;
    test->run();
}

static int begin_test(void **state)
{
    const struct test *test = *state;
    fixture_of(test->file, each)->setup();
    return 0;
}

static int end_test(void **state)
{
    const struct test *test = *state;
    fixture_of(test->file, each)->teardown();
    return 0;
}

static const struct test_fixture *around_all; // of the file that runs
static bool all_ended;                        // to cmocka, a teardown that fails is no failure

static int begin_all(void **state)
{
    (void)state;
    around_all->setup();
    return 0;
}

static int end_all(void **state)
{
    (void)state;
    around_all->teardown();
    all_ended = true;
    return 0;
}

static struct CMUnitTest for_cmocka(struct test *test)
{
    const struct test_fixture *around = fixture_of(test->file, each);
    return (struct CMUnitTest){.name = test->name,
                               .test_func = run_one,
                               .setup_func = around->setup && !test->is_bare ? begin_test : NULL,
                               .teardown_func = around->teardown && !test->is_bare ? end_test : NULL,
                               .initial_state = test};
}

// Runs the count tests of one file, of which test is the first.
static int run_file(struct test *test, size_t count)
{
    char name[NAME_BYTES];
    snprintf(name, sizeof name, "%.*s", (int)strcspn(base_name(test->file), "."), base_name(test->file));
    around_all = fixture_of(test->file, all);
    struct CMUnitTest *rows = calloc(count, sizeof *rows);
    if (!rows)
        return EX_OSERR;
    for (size_t i = 0; i < count; i++, test = test->next)
        rows[i] = for_cmocka(test);
    int failed = _cmocka_run_group_tests(name, rows, count, around_all->setup ? begin_all : NULL,
                                         around_all->teardown ? end_all : NULL);
    free(rows);
    return failed || (around_all->teardown && !all_ended) ? EXIT_FAILURE : EXIT_SUCCESS;
}

// The same in a process of its own.
static int run_file_apart(struct test *test, size_t count)
{
    int status;
    pid_t child = fork();
    if (child == 0)
        exit(run_file(test, count));
    if (child < 0 || waitpid(child, &status, 0) != child)
        return EX_OSERR;
    if (WIFSIGNALED(status))
        fprintf(stderr, "%s: ended by signal %d\n", test->file, WTERMSIG(status));
    return WIFEXITED(status) ? WEXITSTATUS(status) : EXIT_FAILURE;
}

// Returns how many tests the file of this one has from here on, and the first of the next file.
static size_t end_of_file(struct test *test, struct test **next)
{
    size_t count = 0;
    for (*next = test; *next && strcmp((*next)->file, test->file) == 0; *next = (*next)->next)
        count++;
    return count;
}

static void full_name(const struct test *test, char name[static NAME_BYTES])
{
    const char *file = base_name(test->file);
    snprintf(name, NAME_BYTES, "%.*s:%s", (int)strcspn(file, "."), file, test->name);
}

static bool is_named(const struct test *test, char **patterns, int count)
{
    char name[NAME_BYTES], pattern[NAME_BYTES];
    full_name(test, name);
    for (int i = 0; i < count; i++) {
        snprintf(pattern, sizeof pattern, "%s%s", patterns[i], strchr(patterns[i], ':') ? "" : ":*");
        if (fnmatch(pattern, name, 0) == 0)
            return true;
    }
    return count == 0;
}

static void keep_named(char **patterns, int count)
{
    for (struct test **place = &tests; *place;)
        if (is_named(*place, patterns, count))
            place = &(*place)->next;
        else
            *place = (*place)->next;
}

static int list(void)
{
    char name[NAME_BYTES];
    for (const struct test *test = tests; test; test = test->next) {
        full_name(test, name);
        puts(name);
    }
    return EXIT_SUCCESS;
}

// Tests make and free matches of megabytes. Pages that are fresh each time would take half of their time: so what is
// freed is kept, and a sanitizer's heap, which keeps nothing, has large pages.
#if defined(__has_feature)
#if __has_feature(address_sanitizer)
enum { LARGE_PAGE = 2 << 20 };

void __sanitizer_malloc_hook(const volatile void *block, size_t bytes);
void __sanitizer_malloc_hook(const volatile void *block, size_t bytes)
{
    uintptr_t begin = ((uintptr_t)block + LARGE_PAGE - 1) / LARGE_PAGE * LARGE_PAGE;
    uintptr_t end = ((uintptr_t)block + bytes) / LARGE_PAGE * LARGE_PAGE;
    if (begin < end)
        madvise((void *)begin, end - begin, MADV_HUGEPAGE);
}
#endif
#endif

static void keep_memory(void)
{
#ifdef M_MMAP_THRESHOLD
    mallopt(M_MMAP_THRESHOLD, 32 << 20);
    mallopt(M_TRIM_THRESHOLD, INT_MAX);
#endif
}

int test_main(int argc, char **argv)
{
    keep_memory();
    bool lists = argc > 1 && strcmp(argv[1], "--list") == 0;
    int first = lists ? 2 : 1;
    keep_named(argv + first, argc > first ? argc - first : 0);
    if (!tests) {
        fprintf(stderr, "No test has this name. usage: %s [--list] [FILE[:TEST]]...; both may contain * and ?\n",
                argv[0]);
        return EX_USAGE;
    }
    if (lists)
        return list();
    int failed = EXIT_SUCCESS;
    for (struct test *test = tests, *next; test; test = next) {
        size_t count = end_of_file(test, &next);
        if (test == tests && !next)
            return run_file(test, count); // alone: easier to debug
        int code = run_file_apart(test, count);
        failed = failed ? failed : code;
    }
    return failed;
}
