// SPDX-License-Identifier: MIT
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/platform/process.h"
#include "test.h"

// Returns whether the mapping of an address has a flag.
static bool has_flag(const void *bytes, const char *flag)
{
    char line[512], *end;
    bool is_it = false;
    FILE *file = fopen("/proc/self/smaps", "r");
    assert_non_null(file);
    while (fgets(line, sizeof line, file)) {
        uintptr_t begin = strtoull(line, &end, 16);
        if (*end == '-')
            is_it = begin <= (uintptr_t)bytes && (uintptr_t)bytes < strtoull(end + 1, NULL, 16);
        if (is_it && strncmp(line, "VmFlags:", 8) == 0)
            break;
    }
    fclose(file);
    return is_it && strstr(line, flag);
}

TEST(all_pages_with_the_bytes_are_locked)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    uint8_t *bytes = aligned_alloc(page, 6 * page);
    assert_non_null(bytes);
    memset(bytes, 1, 6 * page);
    process_lock_memory(bytes + 2 * page - 1, page + 2); // pages 1 to 3
    assert_int_equal(mlock(bytes + 5 * page, page), 0);
    bool can_lock = has_flag(bytes + 5 * page, " lo"); // sanitizers do not
    for (size_t i = 0; i < 5; i++)
        if (has_flag(bytes + i * page, " dd") != (i >= 1 && i <= 3) ||
            has_flag(bytes + i * page, " lo") != (can_lock && i >= 1 && i <= 3))
            fail_msg("page %zu", i);
    free(bytes);
}

TEST(core_dumps_are_forbidden_for_good)
{
    struct rlimit limit;
    process_forbid_core_dumps();
    assert_int_equal(getrlimit(RLIMIT_CORE, &limit), 0);
    assert_true(limit.rlim_cur == 0 && limit.rlim_max == 0);
}

static volatile unsigned requests; // by their bits

static void take(enum process_request request)
{
    requests |= 1u << request;
}

TEST(each_request_is_taken_and_ends_nothing)
{
    static const int SIGNALS[] = {SIGINT, SIGTERM, SIGHUP, SIGUSR2, SIGUSR1};
    process_take_requests(take);
    for (unsigned i = 0; i < 5; i++) {
        requests = 0;
        raise(SIGNALS[i]);
        assert_int_equal(requests, 1u << i);
    }
    process_ignore_write_signals();
    raise(SIGPIPE);
    raise(SIGXFSZ);
}

TEST(a_process_knows_what_it_uses)
{
    struct process_usage usage;
    char **at;
    process_find_usage(&usage);
    assert_true(usage.resident_bytes > 4096 && usage.start_s > 1.7e9 && usage.open_files >= 3);
    setenv("PROCESS_TEST", "found", 1);
    for (at = process_environment(); *at && strcmp(*at, "PROCESS_TEST=found") != 0; at++)
        ;
    assert_non_null(*at);
}

TEST(a_list_of_authorities_that_is_named_comes_first)
{
    const char *file;
    setenv("SSL_CERT_FILE", "/proc/self/exe", 1);
    assert_true(process_find_authorities(&file));
    assert_string_equal(file, "/proc/self/exe");
    setenv("SSL_CERT_FILE", "/nowhere/list.pem", 1);
    setenv("SSL_CERT_DIR", "/proc", 1);
    assert_true(process_find_authorities(&file));
    assert_null(file);
    unsetenv("SSL_CERT_DIR");
    bool is_found = process_find_authorities(&file); // which files there are, tests/system/portable_test.py knows
    assert_int_equal(is_found, file != NULL);
    assert_true(!file || access(file, R_OK) == 0);
}
