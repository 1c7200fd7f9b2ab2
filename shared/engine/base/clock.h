// SPDX-License-Identifier: MIT
//
// Clocks, waiting and dates. Only a main.c and the rooms that talk to the outside (sockets, threads, files) ask what
// time it is; everywhere else time is an argument, so that a test can set it. If somebody sets the wall clock, only
// dates change: durations come from the monotonic clock.
#ifndef BASE_CLOCK_H
#define BASE_CLOCK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#define CLOCK_SECOND_NS UINT64_C(1000000000)
#define CLOCK_MS_NS     UINT64_C(1000000)
#define CLOCK_SECOND_US UINT64_C(1000000)

/// Bytes of a date as clock_date_utc writes it, with its final zero.
#define CLOCK_DATE_BYTES 32

/// Returns the monotonic clock, ns since some moment before the program began. Every deadline in the project uses it.
uint64_t clock_now_ns(void);

/// Returns the CPU time that all threads of this process have used, ns.
uint64_t clock_process_cpu_ns(void);

/// Returns the wall clock, s since 1970. For dates only: it may jump.
int64_t clock_unix_s(void);

/// The same in ns, to compare with moments of other programs and of the kernel.
uint64_t clock_unix_ns(void);

/// Sleeps until a moment of the monotonic clock, ns. A signal ends it early.
void clock_sleep_until(uint64_t deadline_ns);

/// Sleeps for a time, ns. A signal ends it early.
void clock_sleep(uint64_t duration_ns);

/// Writes a moment of the wall clock in UTC by a format of strftime, as "%Y-%m-%dT%H:%M:%SZ". False if there is no
/// such date or no room for it; then `text` is empty.
bool clock_date_utc(int64_t unix_s, const char *format, char *text, size_t text_bytes)
    __attribute__((format(strftime, 2, 0)));

/// The same in the time zone of this machine, for dates on its screen.
bool clock_date_local(int64_t unix_s, const char *format, char *text, size_t text_bytes)
    __attribute__((format(strftime, 2, 0)));

#endif
