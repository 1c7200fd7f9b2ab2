// SPDX-License-Identifier: MIT
//
// Scrapes the metrics page of the server under test (--metrics ADDR:PORT there): durations of its ticks, CPU time,
// memory. Never waits, so that the clients go on meanwhile. A server that does not answer leaves the figures unknown.
#ifndef LOAD_METRICS_SCRAPER_H
#define LOAD_METRICS_SCRAPER_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "base/histogram.h"

/// What the server did between two answers.
struct server_sample {
    struct histogram tick_us; ///< each tick at the upper edge of its bucket
    double cpu_pct;           ///< of one core; NAN: unknown
    double resident_mib;      ///< at the later answer; NAN: unknown
    bool has_answered;        ///< since the one before
    bool has_restarted;       ///< as another process
    uint32_t failing;         ///< a bit for each enum metrics_scraper_store that could not be written
};

/// What a server keeps, and says in its metrics whether it can.
enum metrics_scraper_store {
    METRICS_SCRAPER_JOURNAL,
    METRICS_SCRAPER_RECORDING,
    METRICS_SCRAPER_RECORDS,
    METRICS_SCRAPER_STORES
};
/// Their names: "journal" and so on.
extern const char *const METRICS_SCRAPER_STORE_NAMES[METRICS_SCRAPER_STORES];

struct metrics_scraper;

/// Opens a scraper of "ADDR:PORT" in numbers, as in 127.0.0.1:9464 or [::1]:9464; "" scrapes nothing. Null with an
/// error.
struct metrics_scraper *metrics_scraper_open(const char *place, struct error *error);
/// Frees a scraper; null is allowed.
void metrics_scraper_close(struct metrics_scraper *scraper);

/// Returns whether there is a server to ask.
bool metrics_scraper_is_used(const struct metrics_scraper *scraper);
/// Sends a request, unless one is open.
void metrics_scraper_ask(struct metrics_scraper *scraper);
/// Takes what has arrived. `now_us`: any monotonic clock.
void metrics_scraper_pulse(struct metrics_scraper *scraper, uint64_t now_us);
/// Returns whether a request is open.
bool metrics_scraper_waits(const struct metrics_scraper *scraper);

/// Gets what happened between the newest answer and the one that the last call used.
void metrics_scraper_take(struct metrics_scraper *scraper, struct server_sample *sample);
/// Gets what happened between the first answer and the newest.
void metrics_scraper_total(const struct metrics_scraper *scraper, struct server_sample *sample);

#endif
