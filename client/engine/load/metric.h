// SPDX-License-Identifier: MIT
//
// The metrics of a load test: one table gives each its name, its unit and how it is computed from what the swarm
// measured. Lines, summary, JSON, CSV and thresholds all read this table, so a metric has one name everywhere.
#ifndef LOAD_METRIC_H
#define LOAD_METRIC_H

#include <stdbool.h>
#include <stdio.h>

#include "base/error.h"
#include "metrics_scraper.h"
#include "wire/message.h"

/// What all clients together measure, in an interval or over a whole run.
struct sample {
    struct histogram connect_us, rtt_us, input_ack_us, stall_recovery_us, snapshot_gap_us;
    struct histogram outage_us;  ///< without a snapshot, of each outage that is over (struct outage)
    struct histogram recover_us; ///< from the last snapshot before a lost connection to the first after it
    struct histogram prediction_error_subpx, others_error_subpx;
    uint64_t play_us;        ///< sum of the clients' time in the match
    uint64_t verify_play_us; ///< the same, of full clients only
    uint64_t snapshots, snapshots_lost, bytes_down, bytes_up, inputs, inputs_missed, corrections, resimulated_ticks;
    uint64_t datagram_bytes_down, datagram_bytes_up; ///< of all datagrams, joins included; payload of UDP
    uint64_t datagrams_down, datagrams_up;
    uint64_t reconnects; ///< connections that were lost and came back
    uint64_t desyncs;
    uint64_t facts, fact_delay_ticks, facts_lost; ///< events shown once confirmed, their delays in all, those lost
    uint64_t actions_refuted[EVENT_KINDS];        ///< of the own player, shown but not confirmed; by enum event_kind
    uint64_t events[EVENT_KINDS];                 ///< of the own players of full clients, confirmed
    uint64_t deaths_refuted;                      ///< shown as hits but not confirmed
    uint64_t others_jumps;                        ///< drawn steps of other players of more than 8 px
    uint64_t disconnects[DENY_REASONS];           ///< by reason; DENY_NONE: the connection was lost or never came
    uint64_t expelled;                            ///< times that an abusive client was removed or lost its connection
    uint64_t flood_messages;                      ///< sent by floods, beyond what a client sends
};

/// A count of a sample, by the name that it has in a report.
struct metric_count {
    const char *name;
    size_t offset; ///< of a uint64_t in struct sample
};

/// All single counts of a sample: with the histograms, what reports keep so that they can be merged.
extern const struct metric_count METRIC_COUNTS[];
extern const uint32_t METRIC_COUNTS_SIZE;

/// Adds a sample to a sum.
void metric_sample_add(struct sample *sum, const struct sample *sample);

/// Returns the name of a row of `disconnects`: "lost", "full" and so on.
const char *metric_reason_name(uint32_t reason);

/// What metrics are computed from: the swarm's sample, and the state of the load test itself.
struct measurement {
    struct sample sample;
    uint32_t connected; ///< now; of a whole run: clients that ever were
    double least_snapshots_per_s;
    struct histogram lag_us; ///< how late the load test itself woke up
    double cpu_pct;          ///< of one core, used by itself
    struct server_sample server;
};

/// Zeroes a sum of measurements of several processes.
void metric_measurement_begin(struct measurement *sum);
/// Adds the measurement of another process. Counts and histograms add up; of the slowest client, of the CPU and of the
/// server, which all processes see, the one that says most is kept.
void metric_measurement_add(struct measurement *sum, const struct measurement *measurement);

/// Which change of a metric is a change for the worse.
enum metric_better { METRIC_LOWER, METRIC_HIGHER, METRIC_NEITHER };

/// One metric.
struct metric {
    const char *name;
    const char *unit; ///< "ms", "px", "%", "B" or ""
    enum metric_better better;
    bool no_sample_is_zero; ///< without a sample nothing was wrong; otherwise nothing is known
    /// Returns the histogram of a distribution; null for a number.
    const struct histogram *(*distribution)(const struct measurement *measurement);
    double scale; ///< from the histogram's unit to `unit`
    /// Returns the value of a number, NAN without a sample; null for a distribution.
    double (*number)(const struct measurement *measurement);
};

/// All metrics, in the order of every output.
extern const struct metric METRICS[];
extern const uint32_t METRIC_COUNT;

/// A quantile of a distribution.
struct metric_quantile {
    const char *name;   ///< "p50" to "p99.9", "max"
    uint32_t per_mille; ///< 1000: the largest
};
extern const struct metric_quantile METRIC_QUANTILES[];
extern const uint32_t METRIC_QUANTILE_COUNT;

/// Finds "desyncs" (a number; `quantile` null) or "rtt_ms_p99" (a distribution). The unit may be left out: "rtt_p99".
bool metric_find(const char *name, const struct metric **metric, const struct metric_quantile **quantile);

/// Returns the value in the metric's unit; NAN without a sample, unless that means 0.
double metric_value(const struct metric *metric, const struct metric_quantile *quantile,
                    const struct measurement *measurement);

/// Prints all names, for --help.
void metric_print_names(FILE *out);

/// Above these the load test itself is the bottleneck: a tick of lag (99th percentile, us), per cent of a core.
#define METRIC_OWN_LAG_US_MAX  (1000000 / TICKS_PER_SECOND)
#define METRIC_OWN_CPU_PCT_MAX 80.0

/// Returns whether the load test itself was too slow for its figures to count.
bool metric_is_bottleneck(const struct measurement *total);

// --- thresholds: limits that a load test must keep: "rtt_p99<50ms", "connected>=16", "desyncs<1". Read from the
// command line before anything runs; checked at the end, and at each interval with --fail-fast.

/// One threshold.
struct threshold {
    const char *text; ///< as given
    const struct metric *metric;
    const struct metric_quantile *quantile; ///< null if the metric is a number
    bool upper;                             ///< < or <=
    bool or_equal;                          ///< <= or >=
    double limit;                           ///< in the metric's unit
};

/// Reads a threshold, which keeps pointing to `text`. False with an error.
bool metric_threshold_read(struct threshold *threshold, const char *text, struct error *error);

/// Returns whether a threshold holds; false without a sample.
bool metric_threshold_holds(const struct threshold *threshold, const struct measurement *measurement);

#endif
