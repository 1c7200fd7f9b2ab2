// SPDX-License-Identifier: MIT
#include "impairment.h"

#include <string.h>

#define MILLION       1000000u
#define TIME_US_MAX   10000000u
#define DECIMALS_MAX  4
#define RATE_BITS_MAX 1000000000u

// "12.5": the digits as an integer in units of 10^-decimals. Null if there is no number, or it is beyond all use.
static const char *read_decimal(const char *at, uint64_t *value, int decimals)
{
    int after_point = -1, digits = 0;
    *value = 0;
    for (; (*at >= '0' && *at <= '9') || (*at == '.' && after_point < 0); at++) {
        if (*at == '.') {
            after_point = 0;
            continue;
        }
        if (after_point == decimals || ++digits > 12)
            return NULL;
        *value = *value * 10 + (uint64_t)(*at - '0');
        after_point += after_point >= 0;
    }
    for (int i = after_point < 0 ? 0 : after_point; i < decimals; i++)
        *value *= 10;
    return digits > 0 ? at : NULL;
}

static const char *after(const char *at, const char *word)
{
    size_t length = strlen(word);
    return strncmp(at, word, length) == 0 ? at + length : NULL;
}

static const char *read_time_us(const char *at, uint64_t *time_us)
{
    static const struct {
        const char *name;
        uint64_t us;
    } units[] = {{"us", 1}, {"ms", 1000}, {"s", MILLION}};
    uint64_t value;
    at = read_decimal(at, &value, 0);
    for (size_t i = 0; at && i < sizeof units / sizeof *units; i++) {
        const char *end = after(at, units[i].name);
        *time_us = value * units[i].us;
        if (end)
            return *time_us <= TIME_US_MAX ? end : NULL;
    }
    return NULL;
}

static const char *read_chance_ppm(const char *at, uint64_t *ppm)
{
    at = read_decimal(at, ppm, DECIMALS_MAX);
    return at && *at == '%' && *ppm <= MILLION ? at + 1 : NULL;
}

static const char *read_rate(const char *at, uint64_t *rate)
{
    static const struct {
        const char *name;
        uint64_t bits;
    } units[] = {{"bit", 1}, {"kbit", 1000}, {"mbit", MILLION}};
    uint64_t value;
    at = read_decimal(at, &value, 0);
    for (size_t i = 0; at && i < sizeof units / sizeof *units; i++) {
        const char *end = after(at, units[i].name);
        *rate = value * units[i].bits;
        if (end)
            return *rate >= 1 && *rate <= RATE_BITS_MAX ? end : NULL;
    }
    return NULL;
}

bool impairment_parse(const char *text, struct impairment *impairment, struct error *error)
{
    *impairment = (struct impairment){0};
    const struct {
        const char *name;
        const char *(*read)(const char *, uint64_t *);
        uint32_t *target;
    } rows[] = {
        {"delay=", read_time_us, &impairment->delay_us},         {"jitter=", read_time_us, &impairment->jitter_us},
        {"loss=", read_chance_ppm, &impairment->loss_ppm},       {"dup=", read_chance_ppm, &impairment->duplicate_ppm},
        {"reorder=", read_chance_ppm, &impairment->reorder_ppm}, {"rate=", read_rate, &impairment->rate_bits_per_s},
    };
    for (const char *at = text; *at;) {
        const char *end = NULL;
        for (size_t i = 0; !end && i < sizeof rows / sizeof *rows; i++) {
            uint64_t value = 0;
            const char *number = after(at, rows[i].name);
            end = number ? rows[i].read(number, &value) : NULL;
            if (end)
                *rows[i].target = (uint32_t)value;
        }
        if (!end || (*end && (*end != ',' || !end[1]))) {
            error_set(error,
                      "\"%.48s\" is no network impairment; write for example delay=50ms,jitter=10ms,loss=5%%,dup=2%%,"
                      "reorder=2%%,rate=128kbit",
                      at);
            return false;
        }
        at = *end ? end + 1 : end;
    }
    return true;
}
