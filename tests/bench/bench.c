// SPDX-License-Identifier: MIT
#include "bench.h"

#include <stdlib.h>
#include <time.h>

double bench_cpu_us(void)
{
    struct timespec time;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return (double)time.tv_sec * 1e6 + (double)time.tv_nsec / 1e3;
}

static int by_size(const void *a, const void *b)
{
    double left = *(const double *)a, right = *(const double *)b;
    return (left > right) - (left < right);
}

void bench_sort(double *values, size_t count)
{
    qsort(values, count, sizeof *values, by_size);
}

void bench_each(int argc, char **argv, uint32_t max, const uint32_t *usual, void (*run)(uint32_t count))
{
    for (; argc == 1 && *usual != 0; usual++)
        run(*usual);
    for (int i = 1; i < argc; i++) {
        long count = strtol(argv[i], NULL, 10);
        run(count < 1 ? 1 : count > max ? max : (uint32_t)count);
    }
}
