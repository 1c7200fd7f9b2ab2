// SPDX-License-Identifier: MIT
//
// Virtual time for the processes of one test: a program that links this has its own clock_gettime() and its own waits
// (ppoll, poll, clock_nanosleep, nanosleep, waitpid, fork) in place of the kernel's. One process runs at a time. When
// all wait and none finds anything ready, time jumps to the nearest end of a wait. Sockets and pipes are the kernel's.
// A test begins it; the children that it forks take part, and so do the programs that these execute, if they link this.
// Without it all calls go to the kernel. Threads other than the first live in real time.
#ifndef TOOLS_VIRTUAL_TIME_H
#define TOOLS_VIRTUAL_TIME_H

#include <stdbool.h>
#include <stdint.h>

/// Processes at the most.
#define VIRTUAL_TIME_PROCESSES 16

/// Begins virtual time with this process alone, by a new file at `path`. False with errno.
bool virtual_time_begin(const char *path);

/// Returns whether this process lives in virtual time.
bool virtual_time_runs(void);

#endif
