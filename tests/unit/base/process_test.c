// SPDX-License-Identifier: MIT
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/process.h"

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

static void all_pages_with_the_bytes_are_locked(void **state)
{
    (void)state;
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

static void core_dumps_are_forbidden_for_good(void **state)
{
    (void)state;
    struct rlimit limit;
    process_forbid_core_dumps();
    assert_int_equal(getrlimit(RLIMIT_CORE, &limit), 0);
    assert_true(limit.rlim_cur == 0 && limit.rlim_max == 0);
}

int main(void)
{
    struct CMUnitTest tests[] = {
        cmocka_unit_test(all_pages_with_the_bytes_are_locked),
        cmocka_unit_test(core_dumps_are_forbidden_for_good),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
