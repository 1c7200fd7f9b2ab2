// SPDX-License-Identifier: MIT
//
// What benches have in common: a clock that other programs do not move, the middle of many times, and numbers on the
// command line.
#ifndef BENCH_H
#define BENCH_H

#include <stddef.h>
#include <stdint.h>

/// CPU time of this thread, us: the load of the machine does not count.
double bench_cpu_us(void);

/// Sorts values, the least first.
void bench_sort(double *values, size_t count);

/// Runs a bench for each number on the command line, within 1 to `max`; without any, for `usual`, of which the last is
/// 0.
void bench_each(int argc, char **argv, uint32_t max, const uint32_t *usual, void (*run)(uint32_t count));

#endif
