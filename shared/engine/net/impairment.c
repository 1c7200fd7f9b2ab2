// SPDX-License-Identifier: MIT
#include "impairment.h"

#include <string.h>

#include "base/random.h"

#define MILLION       1000000u
#define TIME_US_MAX   10000000u
#define UNITS         3
#define DECIMALS_MAX  4
#define RATE_BITS_MAX 1000000000u
#define REORDER_NS    100000000u

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

struct unit {
    const char *name;
    uint64_t factor;
};

// "50ms", in units of the first one.
static const char *read_with_unit(const char *at, const struct unit units[UNITS], uint64_t *value)
{
    uint64_t number;
    at = read_decimal(at, &number, 0);
    for (size_t i = 0; at && i < UNITS; i++) {
        const char *end = after(at, units[i].name);
        *value = number * units[i].factor;
        if (end)
            return end;
    }
    return NULL;
}

static const char *read_time_us(const char *at, uint64_t *time_us)
{
    static const struct unit units[UNITS] = {{"us", 1}, {"ms", 1000}, {"s", MILLION}};
    const char *end = read_with_unit(at, units, time_us);
    return end && *time_us <= TIME_US_MAX ? end : NULL;
}

static const char *read_chance_ppm(const char *at, uint64_t *ppm)
{
    at = read_decimal(at, ppm, DECIMALS_MAX);
    return at && *at == '%' && *ppm <= MILLION ? at + 1 : NULL;
}

static const char *read_rate(const char *at, uint64_t *rate)
{
    static const struct unit units[UNITS] = {{"bit", 1}, {"kbit", 1000}, {"mbit", MILLION}};
    const char *end = read_with_unit(at, units, rate);
    return end && *rate >= 1 && *rate <= RATE_BITS_MAX ? end : NULL;
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

static bool happens(struct impairment_line *line, uint32_t ppm)
{
    return random_next64(&line->random) % MILLION < ppm;
}

// Lets a datagram arrive that the line has sent, unless there is no room.
static void delay(struct impairment_line *line, uint64_t sent_ns, const struct net_address *address,
                  const uint8_t *bytes, size_t byte_count)
{
    const struct impairment *impairment = &line->impairment;
    uint64_t due_ns = sent_ns + impairment->delay_us * (uint64_t)1000;
    due_ns += impairment->jitter_us ? random_next64(&line->random) % (impairment->jitter_us * (uint64_t)1000) : 0;
    due_ns += happens(line, impairment->reorder_ppm) ? REORDER_NS : 0;
    for (uint32_t i = 0; i < IMPAIRMENT_LINE_CAPACITY; i++) {
        struct delayed_datagram *delayed = &line->delayed[i];
        if (delayed->due_ns)
            continue;
        delayed->due_ns = due_ns ? due_ns : 1;
        delayed->order = line->order++;
        delayed->address = *address;
        delayed->byte_count = (uint16_t)byte_count;
        memcpy(delayed->bytes, bytes, byte_count);
        line->count++;
        return;
    }
}

void impairment_line_push(struct impairment_line *line, uint64_t now_ns, const struct net_address *address,
                          const uint8_t *bytes, size_t byte_count)
{
    if (byte_count == 0 || byte_count > DATAGRAM_BYTES_MAX)
        return;
    uint64_t sent_ns = now_ns; // when a line of its rate has sent the whole datagram
    if (line->impairment.rate_bits_per_s > 0) {
        uint64_t begin_ns = line->busy_until_ns > now_ns ? line->busy_until_ns : now_ns;
        line->busy_until_ns = begin_ns + byte_count * 8u * 1000000000u / line->impairment.rate_bits_per_s;
        sent_ns = line->busy_until_ns;
    }
    if (happens(line, line->impairment.loss_ppm))
        return;
    delay(line, sent_ns, address, bytes, byte_count);
    if (happens(line, line->impairment.duplicate_ppm))
        delay(line, sent_ns, address, bytes, byte_count);
}

static const struct delayed_datagram *earliest(const struct impairment_line *line)
{
    const struct delayed_datagram *first = NULL;
    for (uint32_t i = 0, left = line->count; left > 0; i++) {
        const struct delayed_datagram *delayed = &line->delayed[i];
        left -= delayed->due_ns > 0;
        if (delayed->due_ns && (!first || delayed->due_ns < first->due_ns ||
                                (delayed->due_ns == first->due_ns && delayed->order < first->order)))
            first = delayed;
    }
    return first;
}

uint64_t impairment_line_due_ns(const struct impairment_line *line)
{
    const struct delayed_datagram *first = earliest(line);
    return first ? first->due_ns : UINT64_MAX;
}

size_t impairment_line_pop(struct impairment_line *line, uint64_t now_ns, struct net_address *address,
                           uint8_t bytes[DATAGRAM_BYTES_MAX])
{
    const struct delayed_datagram *first = earliest(line);
    if (!first || first->due_ns > now_ns)
        return 0;
    *address = first->address;
    line->arrived_ns = first->due_ns;
    memcpy(bytes, first->bytes, first->byte_count);
    line->delayed[first - line->delayed].due_ns = 0;
    line->count--;
    return first->byte_count;
}
