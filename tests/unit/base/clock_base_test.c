// SPDX-License-Identifier: MIT
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/platform/process.h"
#include "test.h"

TEST(the_clock_runs_forward_and_sleeping_waits_for_it)
{
    uint64_t before = clock_now_ns();
    clock_sleep_until(before + 2 * CLOCK_MS_NS);
    uint64_t between = clock_now_ns();
    assert_true(between >= before + 2 * CLOCK_MS_NS);
    clock_sleep(2 * CLOCK_MS_NS);
    assert_true(clock_now_ns() >= between + 2 * CLOCK_MS_NS);
    clock_sleep_until(before); // long past
    assert_true(clock_unix_s() > 1700000000);
}

TEST(cpu_time_counts_work_and_not_sleep)
{
    uint64_t before = clock_process_cpu_ns(), wall = clock_now_ns();
    while (clock_process_cpu_ns() < before + CLOCK_MS_NS)
        ;
    clock_sleep(5 * CLOCK_MS_NS);
    assert_true(clock_process_cpu_ns() - before < clock_now_ns() - wall);
}

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition;
static bool is_signalled;

static void *signal_it(void *context)
{
    pthread_mutex_lock(&lock);
    is_signalled = true;
    pthread_cond_signal(&condition);
    pthread_mutex_unlock(&lock);
    return context;
}

TEST(a_condition_is_waited_for_until_a_moment_of_the_clock)
{
    pthread_t thread;
    assert_int_equal(process_condition_open(&condition), 0);
    pthread_mutex_lock(&lock);
    uint64_t deadline_ns = clock_now_ns() + 3 * CLOCK_MS_NS;
    while (process_condition_wait(&condition, &lock, deadline_ns))
        ;
    assert_true(clock_now_ns() >= deadline_ns);
    assert_false(process_condition_wait(&condition, &lock, 1)); // long past
    assert_int_equal(pthread_create(&thread, NULL, signal_it, NULL), 0);
    while (!is_signalled)
        assert_true(process_condition_wait(&condition, &lock, clock_now_ns() + 600 * CLOCK_SECOND_NS));
    pthread_mutex_unlock(&lock);
    pthread_join(thread, NULL);
    pthread_cond_destroy(&condition);
}

TEST(dates_are_written_in_the_given_format)
{
    static const struct {
        int64_t unix_s;
        const char *text;
    } rows[] = {
        /* 0 */ {0, "1970-01-01T00:00:00Z"},
        /* 1 */ {1800000000, "2027-01-15T08:00:00Z"},
        /* 2 */ {-1, "1969-12-31T23:59:59Z"},
        /* 3 */ {INT64_MAX, ""},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[CLOCK_DATE_BYTES] = "x";
        bool good = clock_date_utc(rows[i].unix_s, "%Y-%m-%dT%H:%M:%SZ", text, sizeof text);
        if (good != (rows[i].text[0] != 0) || strcmp(text, rows[i].text) != 0)
            fail_msg("row %zu: %s", i, text);
    }
    char small[4] = "x";
    assert_false(clock_date_utc(0, "%Y-%m-%d", small, sizeof small));
    assert_string_equal(small, "");
}

TEST(a_local_date_is_in_the_zone_of_the_machine)
{
    char text[CLOCK_DATE_BYTES];
    setenv("TZ", "XST-3", 1); // three hours east
    tzset();
    assert_true(clock_date_local(0, "%Y-%m-%d %H:%M", text, sizeof text));
    assert_string_equal(text, "1970-01-01 03:00");
    assert_false(clock_date_local(INT64_MAX, "%Y", text, sizeof text));
    assert_string_equal(text, "");
}
