// SPDX-License-Identifier: MIT
#include "metrics_scraper.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "net/fetch.h"

#define CLASS_CAPACITY  64
#define BUCKET_PREFIX   "deadfall_tick_duration_seconds_bucket{le=\""
#define CPU_PREFIX      "process_cpu_seconds_total "
#define RESIDENT_PREFIX "process_resident_memory_bytes "

// One answer.
struct facts {
    bool known;
    double at_s;
    uint32_t class_count;
    double edges_s[CLASS_CAPACITY];
    uint64_t counts[CLASS_CAPACITY]; ///< ticks up to the edge
    double cpu_s, resident_bytes;
};

struct metrics_scraper {
    struct fetch fetch;
    struct facts first, taken, newest;
};

struct metrics_scraper *metrics_scraper_open(const char *place, struct error *error)
{
    struct metrics_scraper *watch = calloc(1, sizeof *watch);
    if (!watch || fetch_open(&watch->fetch, place))
        return watch;
    error_set(error, "--server-metrics '%.100s': write ADDR:PORT in numbers, as in 127.0.0.1:9464", place);
    free(watch);
    return NULL;
}

void metrics_scraper_close(struct metrics_scraper *watch)
{
    if (watch)
        fetch_close(&watch->fetch);
    free(watch);
}

void metrics_scraper_ask(struct metrics_scraper *watch)
{
    fetch_ask(&watch->fetch);
}

static void read_line(struct facts *facts, const char *line)
{
    char *rest;
    if (strncmp(line, CPU_PREFIX, strlen(CPU_PREFIX)) == 0)
        facts->cpu_s = strtod(line + strlen(CPU_PREFIX), NULL);
    else if (strncmp(line, RESIDENT_PREFIX, strlen(RESIDENT_PREFIX)) == 0)
        facts->resident_bytes = strtod(line + strlen(RESIDENT_PREFIX), NULL);
    if (strncmp(line, BUCKET_PREFIX, strlen(BUCKET_PREFIX)) != 0 || facts->class_count == CLASS_CAPACITY)
        return;
    double edge_s = strtod(line + strlen(BUCKET_PREFIX), &rest); // "+Inf" too
    if (strncmp(rest, "\"} ", 3) != 0)
        return;
    facts->edges_s[facts->class_count] = edge_s;
    facts->counts[facts->class_count++] = strtoull(rest + 3, NULL, 10);
    facts->known = true;
}

static void read_page(struct metrics_scraper *watch, uint64_t now_us)
{
    struct facts facts = {.known = false, .at_s = (double)now_us * 1e-6, .cpu_s = NAN, .resident_bytes = NAN};
    for (const char *line = watch->fetch.answer; line; line = strchr(line, '\n') ? strchr(line, '\n') + 1 : NULL)
        read_line(&facts, line);
    if (!facts.known)
        return;
    watch->newest = facts;
    if (!watch->first.known)
        watch->first = watch->taken = facts;
}

void metrics_scraper_pulse(struct metrics_scraper *watch, uint64_t now_us)
{
    if (fetch_pulse(&watch->fetch, "/metrics"))
        read_page(watch, now_us);
}

bool metrics_scraper_waits(const struct metrics_scraper *watch)
{
    return fetch_waits(&watch->fetch);
}

// What came after `from` until `to`. A server that was started anew in between counts from zero.
static void between(const struct facts *from, const struct facts *to, struct server_sample *sample)
{
    static const struct facts zero;
    memset(sample, 0, sizeof *sample);
    sample->cpu_pct = NAN;
    sample->resident_mib = to->known ? to->resident_bytes / 1048576 : NAN;
    if (to->at_s <= from->at_s || !from->known)
        return;
    uint32_t last = to->class_count - 1;
    bool anew = from->class_count != to->class_count || to->counts[last] < from->counts[last];
    const struct facts *before = anew ? &zero : from;
    sample->cpu_pct = 100 * (to->cpu_s - before->cpu_s) / (to->at_s - from->at_s);
    uint64_t below = 0;
    for (uint32_t i = 0; i < to->class_count; i++) {
        uint64_t up_to = to->counts[i] - before->counts[i];
        double edge_s = isfinite(to->edges_s[i]) ? to->edges_s[i] : i > 0 ? 2 * to->edges_s[i - 1] : 0;
        histogram_add_many(&sample->tick_us, (uint64_t)llround(edge_s * 1e6), up_to > below ? up_to - below : 0);
        below = up_to;
    }
}

void metrics_scraper_take(struct metrics_scraper *watch, struct server_sample *sample)
{
    between(&watch->taken, &watch->newest, sample);
    watch->taken = watch->newest;
}

void metrics_scraper_total(const struct metrics_scraper *watch, struct server_sample *sample)
{
    between(&watch->first, &watch->newest, sample);
}
