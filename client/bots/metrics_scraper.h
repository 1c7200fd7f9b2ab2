// SPDX-License-Identifier: MIT
//
// What the server under test says of itself on its page of metrics (--metrics ADDR:PORT there): durations of its ticks,
// CPU time, memory. Asked without waiting, so that the bots go on meanwhile; a server that does not answer is no
// figure.
#ifndef BOTS_METRICS_SCRAPER_H
#define BOTS_METRICS_SCRAPER_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "base/histogram.h"

/// Between two answers.
struct server_sample {
    struct histogram tick_us; ///< each at the upper edge of its class
    double cpu_pct;           ///< of one core; NAN: not known
    double resident_mib;      ///< at the later; NAN: not known
};

struct metrics_scraper;

/// "ADDR:PORT" of numbers, as in 127.0.0.1:9464 or [::1]:9464; "" watches nothing. Null with a sentence.
struct metrics_scraper *metrics_scraper_open(const char *place, struct error *error);
void metrics_scraper_close(struct metrics_scraper *watch);

/// Asks, unless a question is open.
void metrics_scraper_ask(struct metrics_scraper *watch);
/// Takes what has come by `now_us` of any monotonic clock.
void metrics_scraper_pulse(struct metrics_scraper *watch, uint64_t now_us);
/// True while a question is open.
bool metrics_scraper_waits(const struct metrics_scraper *watch);

/// What was between the last two different answers that were taken.
void metrics_scraper_take(struct metrics_scraper *watch, struct server_sample *sample);
/// What was between the first answer and the last.
void metrics_scraper_total(const struct metrics_scraper *watch, struct server_sample *sample);

#endif
