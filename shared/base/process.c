// SPDX-License-Identifier: MIT
#include "process.h"

#include <stdint.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

void process_forbid_core_dumps(void)
{
    setrlimit(RLIMIT_CORE, &(struct rlimit){.rlim_cur = 0, .rlim_max = 0});
}

void process_lock_memory(const void *bytes, size_t byte_count)
{
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    uintptr_t begin = (uintptr_t)bytes / page * page, end = ((uintptr_t)bytes + byte_count + page - 1) / page * page;
    mlock((const void *)begin, end - begin);
    madvise((void *)begin, end - begin, MADV_DONTDUMP);
}
