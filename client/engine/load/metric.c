// SPDX-License-Identifier: MIT
#include "metric.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DISTRIBUTION(name, member)                                                                                     \
    static const struct histogram *name(const struct measurement *of)                                                  \
    {                                                                                                                  \
        return &of->member;                                                                                            \
    }
DISTRIBUTION(connect_us, sample.connect_us)
DISTRIBUTION(rtt_us, sample.rtt_us)
DISTRIBUTION(input_ack_us, sample.input_ack_us)
DISTRIBUTION(stall_recovery_us, sample.stall_recovery_us)
DISTRIBUTION(outage_us, sample.outage_us)
DISTRIBUTION(recover_us, sample.recover_us)
DISTRIBUTION(snapshot_gap_us, sample.snapshot_gap_us)
DISTRIBUTION(prediction_error_subpx, sample.prediction_error_subpx)
DISTRIBUTION(others_error_subpx, sample.others_error_subpx)
DISTRIBUTION(server_tick_us, server.tick_us)
DISTRIBUTION(lag_us, lag_us)

// NAN without a sample, so that no threshold holds.
static double ratio(uint64_t part, uint64_t whole)
{
    return whole ? (double)part / (double)whole : NAN;
}

static uint64_t sum_of(const uint64_t *counts, uint32_t count)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < count; i++)
        sum += counts[i];
    return sum;
}

#define NUMBER(name, value)                                                                                            \
    static double name(const struct measurement *of)                                                                   \
    {                                                                                                                  \
        return value;                                                                                                  \
    }
NUMBER(connected, of->connected)
NUMBER(snapshots_per_s, 1e6 * ratio(of->sample.snapshots, of->sample.play_us))
NUMBER(least_snapshots_per_s, of->least_snapshots_per_s)
NUMBER(snapshots_lost_pct, 100 * ratio(of->sample.snapshots_lost, of->sample.snapshots_lost + of->sample.snapshots))
NUMBER(bytes_down_per_client_s, 1e6 * ratio(of->sample.bytes_down, of->sample.play_us))
NUMBER(bytes_up_per_client_s, 1e6 * ratio(of->sample.bytes_up, of->sample.play_us))
NUMBER(bytes_down, (double)of->sample.datagram_bytes_down)
NUMBER(bytes_up, (double)of->sample.datagram_bytes_up)
NUMBER(packets_down, (double)of->sample.datagrams_down)
NUMBER(packets_up, (double)of->sample.datagrams_up)
NUMBER(corrections_per_min, 60e6 * ratio(of->sample.corrections, of->sample.verify_play_us))
NUMBER(resimulated_ticks_per_s, 1e6 * ratio(of->sample.resimulated_ticks, of->sample.verify_play_us))
NUMBER(others_jumps_per_min, 60e6 * ratio(of->sample.others_jumps, of->sample.verify_play_us))
NUMBER(fact_delay_ms, 1e3 / TICKS_PER_SECOND * ratio(of->sample.fact_delay_ticks, of->sample.facts))
NUMBER(facts_lost, (double)of->sample.facts_lost)
NUMBER(actions_refuted_per_min,
       60e6 * ratio(sum_of(of->sample.actions_refuted, EVENT_KINDS), of->sample.verify_play_us))
NUMBER(deaths_refuted_per_min, 60e6 * ratio(of->sample.deaths_refuted, of->sample.verify_play_us))
NUMBER(false_events, (double)(sum_of(of->sample.actions_refuted, EVENT_KINDS) + of->sample.deaths_refuted))
NUMBER(inputs_missed_pct, 100 * ratio(of->sample.inputs_missed, of->sample.inputs))
NUMBER(desyncs, (double)of->sample.desyncs)
NUMBER(disconnects, (double)sum_of(of->sample.disconnects, DENY_REASONS))
NUMBER(reconnects, (double)of->sample.reconnects)
NUMBER(outages, (double)of->sample.outage_us.count)
NUMBER(expelled, (double)of->sample.expelled)
NUMBER(flood_messages, (double)of->sample.flood_messages)
NUMBER(server_cpu_pct, of->server.cpu_pct)
NUMBER(server_rss_mib, of->server.resident_mib)
NUMBER(cpu_pct, of->cpu_pct)

const struct metric METRICS[] = {
    {"connected", "", METRIC_HIGHER, .number = connected},
    {"connect_ms", "ms", METRIC_LOWER, .distribution = connect_us, .scale = 1e-3},
    {"rtt_ms", "ms", METRIC_LOWER, .distribution = rtt_us, .scale = 1e-3},
    {"input_ack_ms", "ms", METRIC_LOWER, .distribution = input_ack_us, .scale = 1e-3},
    {"stall_recovery_ms", "ms", METRIC_LOWER, .distribution = stall_recovery_us, .scale = 1e-3},
    {"outage_ms", "ms", METRIC_LOWER, .distribution = outage_us, .scale = 1e-3, .no_sample_is_zero = true},
    {"recover_ms", "ms", METRIC_LOWER, .distribution = recover_us, .scale = 1e-3, .no_sample_is_zero = true},
    {"snapshot_gap_ms", "ms", METRIC_LOWER, .distribution = snapshot_gap_us, .scale = 1e-3},
    {"snapshots_per_s", "", METRIC_HIGHER, .number = snapshots_per_s},
    {"least_snapshots_per_s", "", METRIC_HIGHER, .number = least_snapshots_per_s},
    {"snapshots_lost_pct", "%", METRIC_LOWER, .number = snapshots_lost_pct},
    {"bytes_down_per_client_s", "B", METRIC_LOWER, .number = bytes_down_per_client_s},
    {"bytes_up_per_client_s", "B", METRIC_LOWER, .number = bytes_up_per_client_s},
    {"bytes_down", "B", METRIC_NEITHER, .number = bytes_down},
    {"bytes_up", "B", METRIC_NEITHER, .number = bytes_up},
    {"packets_down", "", METRIC_NEITHER, .number = packets_down},
    {"packets_up", "", METRIC_NEITHER, .number = packets_up},
    {"prediction_error_px", "px", METRIC_LOWER, .distribution = prediction_error_subpx, .scale = 1.0 / 256},
    {"corrections_per_min", "", METRIC_LOWER, .number = corrections_per_min},
    {"resimulated_ticks_per_s", "", METRIC_LOWER, .number = resimulated_ticks_per_s},
    {"others_error_px", "px", METRIC_LOWER, .distribution = others_error_subpx, .scale = 1.0 / 256},
    {"others_jumps_per_min", "", METRIC_LOWER, .number = others_jumps_per_min},
    {"fact_delay_ms", "ms", METRIC_LOWER, .number = fact_delay_ms},
    {"facts_lost", "", METRIC_LOWER, .number = facts_lost},
    {"actions_refuted_per_min", "", METRIC_LOWER, .number = actions_refuted_per_min},
    {"deaths_refuted_per_min", "", METRIC_LOWER, .number = deaths_refuted_per_min},
    {"false_events", "", METRIC_NEITHER, .number = false_events},
    {"inputs_missed_pct", "%", METRIC_LOWER, .number = inputs_missed_pct},
    {"desyncs", "", METRIC_LOWER, .number = desyncs},
    {"disconnects", "", METRIC_LOWER, .number = disconnects},
    {"reconnects", "", METRIC_LOWER, .number = reconnects},
    {"outages", "", METRIC_LOWER, .number = outages},
    {"expelled", "", METRIC_NEITHER, .number = expelled},
    {"flood_messages", "", METRIC_NEITHER, .number = flood_messages},
    {"server_tick_ms", "ms", METRIC_LOWER, .distribution = server_tick_us, .scale = 1e-3},
    {"server_cpu_pct", "%", METRIC_LOWER, .number = server_cpu_pct},
    {"server_rss_mib", "MiB", METRIC_LOWER, .number = server_rss_mib},
    {"own_lag_ms", "ms", METRIC_NEITHER, .distribution = lag_us, .scale = 1e-3},
    {"own_cpu_pct", "%", METRIC_NEITHER, .number = cpu_pct},
};
const uint32_t METRIC_COUNT = sizeof METRICS / sizeof *METRICS;

const struct metric_quantile METRIC_QUANTILES[] = {
    {"p50", 500}, {"p90", 900}, {"p95", 950}, {"p99", 990}, {"p99.9", 999}, {"max", 1000},
};
const uint32_t METRIC_QUANTILE_COUNT = sizeof METRIC_QUANTILES / sizeof *METRIC_QUANTILES;

bool metric_find(const char *name, const struct metric **metric, const struct metric_quantile **quantile)
{
    size_t length = strlen(name);
    *quantile = NULL;
    for (uint32_t i = 0; i < METRIC_QUANTILE_COUNT; i++) {
        size_t tail = strlen(METRIC_QUANTILES[i].name);
        if (length <= tail + 1 || name[length - tail - 1] != '_' ||
            strcmp(name + length - tail, METRIC_QUANTILES[i].name) != 0)
            continue;
        *quantile = &METRIC_QUANTILES[i];
        length -= tail + 1;
        break;
    }
    for (uint32_t i = 0; i < METRIC_COUNT; i++) {
        // A metric may be named without its unit.
        size_t full = strlen(METRICS[i].name), unit = strlen(METRICS[i].unit);
        bool ends_in_unit = unit && full > unit && strcmp(METRICS[i].name + full - unit, METRICS[i].unit) == 0;
        if (strncmp(METRICS[i].name, name, length) != 0 ||
            (length != full && !(ends_in_unit && length == full - unit - 1)))
            continue;
        *metric = &METRICS[i];
        return ((*metric)->distribution != NULL) == (*quantile != NULL);
    }
    *metric = NULL;
    return false;
}

double metric_value(const struct metric *metric, const struct metric_quantile *quantile,
                    const struct measurement *measurement)
{
    if (metric->number)
        return metric->number(measurement);
    const struct histogram *histogram = metric->distribution(measurement);
    if (histogram->count == 0)
        return metric->no_sample_is_zero ? 0 : NAN;
    return (double)histogram_quantile(histogram, quantile->per_mille) * metric->scale;
}

void metric_print_names(FILE *out)
{
    fputs("\nMetrics of --threshold that are numbers:\n", out);
    for (uint32_t i = 0; i < METRIC_COUNT; i++)
        if (METRICS[i].number)
            fprintf(out, "  %s\n", METRICS[i].name);
    fputs("Those that take one of", out);
    for (uint32_t i = 0; i < METRIC_QUANTILE_COUNT; i++)
        fprintf(out, " _%s", METRIC_QUANTILES[i].name);
    fputs(" (as in rtt_ms_p99, or rtt_p99):\n", out);
    for (uint32_t i = 0; i < METRIC_COUNT; i++)
        if (METRICS[i].distribution)
            fprintf(out, "  %s\n", METRICS[i].name);
}

bool metric_is_bottleneck(const struct measurement *total)
{
    return histogram_quantile(&total->lag_us, 990) > METRIC_OWN_LAG_US_MAX || total->cpu_pct > METRIC_OWN_CPU_PCT_MAX;
}

#define COUNT(member)                                                                                                  \
    {                                                                                                                  \
#member, offsetof(struct sample, member)                                                                       \
    }
const struct metric_count METRIC_COUNTS[] = {
    COUNT(play_us),
    COUNT(verify_play_us),
    COUNT(snapshots),
    COUNT(snapshots_lost),
    COUNT(bytes_down),
    COUNT(bytes_up),
    COUNT(inputs),
    COUNT(inputs_missed),
    COUNT(corrections),
    COUNT(resimulated_ticks),
    COUNT(datagram_bytes_down),
    COUNT(datagram_bytes_up),
    COUNT(datagrams_down),
    COUNT(datagrams_up),
    COUNT(reconnects),
    COUNT(desyncs),
    COUNT(facts),
    COUNT(fact_delay_ticks),
    COUNT(facts_lost),
    COUNT(deaths_refuted),
    COUNT(others_jumps),
    COUNT(expelled),
    COUNT(flood_messages),
};
const uint32_t METRIC_COUNTS_SIZE = sizeof METRIC_COUNTS / sizeof *METRIC_COUNTS;

void metric_sample_add(struct sample *sum, const struct sample *sample)
{
    static const size_t histograms[] = {
        offsetof(struct sample, connect_us),        offsetof(struct sample, rtt_us),
        offsetof(struct sample, input_ack_us),      offsetof(struct sample, stall_recovery_us),
        offsetof(struct sample, snapshot_gap_us),   offsetof(struct sample, outage_us),
        offsetof(struct sample, recover_us),        offsetof(struct sample, prediction_error_subpx),
        offsetof(struct sample, others_error_subpx)};
    for (size_t i = 0; i < sizeof histograms / sizeof *histograms; i++)
        histogram_merge((void *)((char *)sum + histograms[i]), (const void *)((const char *)sample + histograms[i]));
    for (uint32_t i = 0; i < METRIC_COUNTS_SIZE; i++)
        *(uint64_t *)(void *)((char *)sum + METRIC_COUNTS[i].offset) +=
            *(const uint64_t *)(const void *)((const char *)sample + METRIC_COUNTS[i].offset);
    for (uint32_t i = 0; i < EVENT_KINDS; i++) {
        sum->actions_refuted[i] += sample->actions_refuted[i];
        sum->events[i] += sample->events[i];
    }
    for (uint32_t i = 0; i < DENY_REASONS; i++)
        sum->disconnects[i] += sample->disconnects[i];
}

void metric_measurement_begin(struct measurement *sum)
{
    memset(sum, 0, sizeof *sum);
    sum->least_snapshots_per_s = sum->cpu_pct = sum->server.cpu_pct = sum->server.resident_mib = NAN;
}

void metric_measurement_add(struct measurement *sum, const struct measurement *measurement)
{
    metric_sample_add(&sum->sample, &measurement->sample);
    sum->connected += measurement->connected;
    if (measurement->sample.play_us > 0) // 0 snapshots a second of nobody are not the least
        sum->least_snapshots_per_s = fmin(sum->least_snapshots_per_s, measurement->least_snapshots_per_s);
    histogram_merge(&sum->lag_us, &measurement->lag_us);
    sum->cpu_pct = fmax(sum->cpu_pct, measurement->cpu_pct);
    if (isnan(sum->server.resident_mib) || measurement->server.tick_us.count > sum->server.tick_us.count)
        sum->server = measurement->server;
}

const char *metric_reason_name(uint32_t reason)
{
    static const char *const names[DENY_REASONS] = {
        [DENY_NONE] = "lost",           [DENY_VERSION] = "version",
        [DENY_FULL] = "full",           [DENY_KICKED] = "kicked",
        [DENY_CLOSING] = "closing",     [DENY_PROTOCOL] = "protocol",
        [DENY_SILENT] = "silent",       [DENY_REPLACED] = "replaced",
        [DENY_HOUSEHOLD] = "household", [DENY_RESTARTING] = "restarting",
    };
    return reason < DENY_REASONS && names[reason] ? names[reason] : "other";
}

// --- thresholds

bool metric_threshold_read(struct threshold *threshold, const char *text, struct error *error)
{
    char name[64];
    size_t length = strcspn(text, " <>");
    const char *sign = text + length + strspn(text + length, " ");
    if (length == 0 || length >= sizeof name || (*sign != '<' && *sign != '>'))
        return error_set(error, "threshold '%s': write METRIC<VALUE, with <, <=, > or >=", text);
    memcpy(name, text, length);
    name[length] = 0;
    *threshold = (struct threshold){.text = text, .upper = *sign == '<', .or_equal = sign[1] == '='};
    if (!metric_find(name, &threshold->metric, &threshold->quantile)) {
        const char *remedy = threshold->metric && threshold->metric->distribution
                                 ? "say which value of it: _p50, _p90, _p95, _p99, _p99.9 or _max"
                             : threshold->metric ? "that one is a plain number"
                                                 : "there is no such metric, --help lists them";
        return error_set(error, "threshold '%s': %s", text, remedy);
    }
    // "50", "50ms" or "50 ms" for a metric in ms.
    const char *value = sign + 1 + threshold->or_equal;
    char *rest;
    threshold->limit = strtod(value, &rest);
    bool is_number = rest != value && isfinite(threshold->limit);
    rest += strspn(rest, " ");
    if (!is_number || (*rest != 0 && strcmp(rest, threshold->metric->unit) != 0))
        return error_set(error, "threshold '%s': the value must be a number%s%s", text,
                         *threshold->metric->unit ? ", or a number and " : "", threshold->metric->unit);
    return true;
}

bool metric_threshold_holds(const struct threshold *threshold, const struct measurement *measurement)
{
    double value = metric_value(threshold->metric, threshold->quantile, measurement);
    if (threshold->or_equal && value == threshold->limit)
        return true;
    return threshold->upper ? value < threshold->limit : value > threshold->limit;
}
