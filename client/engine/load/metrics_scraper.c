// SPDX-License-Identifier: MIT
#include "metrics_scraper.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/host_port.h"
#include "base/http_client.h"

#define BUCKET_CAPACITY 64
#define BUCKET_PREFIX   "deadfall_tick_duration_seconds_bucket{le=\""
#define CPU_PREFIX      "process_cpu_seconds_total "
#define RESIDENT_PREFIX "process_resident_memory_bytes "
#define START_PREFIX    "process_start_time_seconds "
#define STORE_FORMAT    "deadfall_storage_up{store=\"%s\"} "

const char *const METRICS_SCRAPER_STORE_NAMES[METRICS_SCRAPER_STORES] = {"journal", "recording", "records"};

// The figures of one answer.
struct scrape {
    bool known;
    double at_s;
    uint32_t bucket_count;
    double edges_s[BUCKET_CAPACITY];
    uint64_t counts[BUCKET_CAPACITY]; ///< ticks that took at most edges_s
    double cpu_s, resident_bytes, start_s;
    uint32_t failing;
};

// What happened between answers.
struct scrape_sum {
    struct histogram tick_us;
    double cpu_s, seconds;
    bool has_answered, has_restarted;
    uint32_t failing;
};

struct metrics_scraper {
    char place[64]; // empty: nobody is asked
    struct http_client http;
    struct scrape newest;
    struct scrape_sum since, total; // the last call of metrics_scraper_take, the first answer
};

struct metrics_scraper *metrics_scraper_open(const char *place, struct error *error)
{
    struct metrics_scraper *scraper = calloc(1, sizeof *scraper);
    if (!scraper)
        return NULL;
    int length = snprintf(scraper->place, sizeof scraper->place, "%s", place);
    if (length == 0 || (host_port_is_numeric(place) && length < (int)sizeof scraper->place))
        return scraper;
    error_set(error, "--server-metrics '%.100s': write ADDR:PORT in numbers, as in 127.0.0.1:9464", place);
    free(scraper);
    return NULL;
}

void metrics_scraper_close(struct metrics_scraper *scraper)
{
    if (scraper)
        http_client_close(&scraper->http);
    free(scraper);
}

void metrics_scraper_ask(struct metrics_scraper *scraper)
{
    if (!*scraper->place || metrics_scraper_waits(scraper))
        return;
    http_client_begin(&scraper->http,
                      &(struct http_request){
                          .server = scraper->place, .method = "GET", .path = "/metrics", .deadline_ns = UINT64_MAX});
}

static void read_line(struct scrape *scrape, const char *line)
{
    char *rest;
    for (uint32_t i = 0; i < METRICS_SCRAPER_STORES; i++) {
        char prefix[60];
        snprintf(prefix, sizeof prefix, STORE_FORMAT, METRICS_SCRAPER_STORE_NAMES[i]);
        if (strncmp(line, prefix, strlen(prefix)) == 0 && strtod(line + strlen(prefix), NULL) == 0)
            scrape->failing |= 1u << i;
    }
    if (strncmp(line, CPU_PREFIX, strlen(CPU_PREFIX)) == 0)
        scrape->cpu_s = strtod(line + strlen(CPU_PREFIX), NULL);
    else if (strncmp(line, RESIDENT_PREFIX, strlen(RESIDENT_PREFIX)) == 0)
        scrape->resident_bytes = strtod(line + strlen(RESIDENT_PREFIX), NULL);
    else if (strncmp(line, START_PREFIX, strlen(START_PREFIX)) == 0)
        scrape->start_s = strtod(line + strlen(START_PREFIX), NULL);
    if (strncmp(line, BUCKET_PREFIX, strlen(BUCKET_PREFIX)) != 0 || scrape->bucket_count == BUCKET_CAPACITY)
        return;
    double edge_s = strtod(line + strlen(BUCKET_PREFIX), &rest); // "+Inf" too
    if (strncmp(rest, "\"} ", 3) != 0)
        return;
    scrape->edges_s[scrape->bucket_count] = edge_s;
    scrape->counts[scrape->bucket_count++] = strtoull(rest + 3, NULL, 10);
    scrape->known = true;
}

// Adds what happened after `from` until `to`. A server that was restarted in between counts from zero.
static void add_between(struct scrape_sum *sum, const struct scrape *from, const struct scrape *to)
{
    static const struct scrape zero;
    sum->has_answered = true;
    sum->failing |= to->failing;
    if (!from->known || to->at_s <= from->at_s)
        return;
    uint32_t last = to->bucket_count - 1;
    bool restarted =
        from->bucket_count != to->bucket_count || to->counts[last] < from->counts[last] || from->start_s != to->start_s;
    const struct scrape *before = restarted ? &zero : from;
    sum->has_restarted |= restarted;
    sum->cpu_s += to->cpu_s - before->cpu_s;
    sum->seconds += to->at_s - from->at_s;
    uint64_t below = 0;
    for (uint32_t i = 0; i < to->bucket_count; i++) {
        uint64_t up_to = to->counts[i] - before->counts[i];
        double edge_s = isfinite(to->edges_s[i]) ? to->edges_s[i] : i > 0 ? 2 * to->edges_s[i - 1] : 0;
        histogram_add_many(&sum->tick_us, (uint64_t)llround(edge_s * 1e6), up_to > below ? up_to - below : 0);
        below = up_to;
    }
}

void metrics_scraper_pulse(struct metrics_scraper *scraper, uint64_t now_us)
{
    struct scrape scrape = {.known = false, .at_s = (double)now_us * 1e-6, .cpu_s = NAN, .resident_bytes = NAN};
    if (!metrics_scraper_waits(scraper) || http_client_step(&scraper->http, now_us * 1000) != HTTP_CLIENT_ANSWERED)
        return;
    for (const char *line = scraper->http.body; line; line = strchr(line, '\n') ? strchr(line, '\n') + 1 : NULL)
        read_line(&scrape, line);
    if (!scrape.known)
        return;
    add_between(&scraper->since, &scraper->newest, &scrape);
    add_between(&scraper->total, &scraper->newest, &scrape);
    scraper->newest = scrape;
}

bool metrics_scraper_is_used(const struct metrics_scraper *scraper)
{
    return *scraper->place != 0;
}

bool metrics_scraper_waits(const struct metrics_scraper *scraper)
{
    return scraper->http.state == HTTP_CLIENT_WAITING;
}

static void fill(const struct metrics_scraper *scraper, const struct scrape_sum *sum, struct server_sample *sample)
{
    const struct scrape *newest = &scraper->newest;
    *sample = (struct server_sample){.tick_us = sum->tick_us,
                                     .cpu_pct = sum->seconds > 0 ? 100 * sum->cpu_s / sum->seconds : NAN,
                                     .resident_mib = newest->known ? newest->resident_bytes / 1048576 : NAN,
                                     .has_answered = sum->has_answered,
                                     .has_restarted = sum->has_restarted,
                                     .failing = sum->failing};
}

void metrics_scraper_take(struct metrics_scraper *scraper, struct server_sample *sample)
{
    fill(scraper, &scraper->since, sample);
    scraper->since = (struct scrape_sum){0};
}

void metrics_scraper_total(const struct metrics_scraper *scraper, struct server_sample *sample)
{
    fill(scraper, &scraper->total, sample);
}
