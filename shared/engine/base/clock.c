// SPDX-License-Identifier: MIT
#include "clock.h"

#include "platform/process.h"

static uint64_t read_ns(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (uint64_t)now.tv_sec * CLOCK_SECOND_NS + (uint64_t)now.tv_nsec;
}

uint64_t clock_now_ns(void)
{
    return read_ns(CLOCK_MONOTONIC);
}

uint64_t clock_process_cpu_ns(void)
{
    return read_ns(CLOCK_PROCESS_CPUTIME_ID);
}

int64_t clock_unix_s(void)
{
    return (int64_t)time(NULL);
}

uint64_t clock_unix_ns(void)
{
    return read_ns(CLOCK_REALTIME);
}

void clock_sleep_until(uint64_t deadline_ns)
{
    process_sleep_until(deadline_ns);
}

void clock_sleep(uint64_t duration_ns)
{
    process_sleep_until(clock_now_ns() + duration_ns);
}

bool clock_date_utc(int64_t unix_s, const char *format, char *text, size_t text_bytes)
{
    struct tm parts;
    time_t seconds = (time_t)unix_s;
    if (gmtime_r(&seconds, &parts) && strftime(text, text_bytes, format, &parts) > 0)
        return true;
    text[0] = 0;
    return false;
}

bool clock_date_local(int64_t unix_s, const char *format, char *text, size_t text_bytes)
{
    struct tm parts;
    time_t seconds = (time_t)unix_s;
    if (localtime_r(&seconds, &parts) && strftime(text, text_bytes, format, &parts) > 0)
        return true;
    text[0] = 0;
    return false;
}
