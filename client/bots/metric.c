// SPDX-License-Identifier: MIT
#include "metric.h"

#include <math.h>
#include <stdio.h>
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

static uint64_t disconnect_count(const struct sample *sample)
{
    uint64_t count = 0;
    for (uint32_t i = 0; i < DENY_REASONS; i++)
        count += sample->disconnects[i];
    return count;
}

static uint64_t actions_refuted(const struct sample *sample)
{
    uint64_t count = 0;
    for (uint32_t i = 0; i < EVENT_KINDS; i++)
        count += sample->actions_refuted[i];
    return count;
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
NUMBER(corrections_per_min, 60e6 * ratio(of->sample.corrections, of->sample.verify_play_us))
NUMBER(resimulated_ticks_per_s, 1e6 * ratio(of->sample.resimulated_ticks, of->sample.verify_play_us))
NUMBER(others_jumps_per_min, 60e6 * ratio(of->sample.others_jumps, of->sample.verify_play_us))
NUMBER(fact_delay_ms, 1e3 / TICKS_PER_SECOND * ratio(of->sample.fact_delay_ticks, of->sample.facts))
NUMBER(facts_lost, (double)of->sample.facts_lost)
NUMBER(actions_refuted_per_min, 60e6 * ratio(actions_refuted(&of->sample), of->sample.verify_play_us))
NUMBER(deaths_refuted_per_min, 60e6 * ratio(of->sample.deaths_refuted, of->sample.verify_play_us))
NUMBER(inputs_missed_pct, 100 * ratio(of->sample.inputs_missed, of->sample.inputs))
NUMBER(desyncs, (double)of->sample.desyncs)
NUMBER(disconnects, (double)disconnect_count(&of->sample))
NUMBER(expelled, (double)of->sample.expelled)
NUMBER(flood_messages, (double)of->sample.flood_messages)
NUMBER(server_cpu_pct, of->server.cpu_pct)
NUMBER(server_rss_mib, of->server.resident_mib)
NUMBER(cpu_pct, of->cpu_pct)

const struct metric METRICS[] = {
    {"connected", "", .number = connected},
    {"connect_ms", "ms", .distribution = connect_us, .scale = 1e-3},
    {"rtt_ms", "ms", .distribution = rtt_us, .scale = 1e-3},
    {"input_ack_ms", "ms", .distribution = input_ack_us, .scale = 1e-3},
    {"stall_recovery_ms", "ms", .distribution = stall_recovery_us, .scale = 1e-3},
    {"snapshot_gap_ms", "ms", .distribution = snapshot_gap_us, .scale = 1e-3},
    {"snapshots_per_s", "", .number = snapshots_per_s},
    {"least_snapshots_per_s", "", .number = least_snapshots_per_s},
    {"snapshots_lost_pct", "%", .number = snapshots_lost_pct},
    {"bytes_down_per_client_s", "B", .number = bytes_down_per_client_s},
    {"bytes_up_per_client_s", "B", .number = bytes_up_per_client_s},
    {"prediction_error_px", "px", .distribution = prediction_error_subpx, .scale = 1.0 / 256},
    {"corrections_per_min", "", .number = corrections_per_min},
    {"resimulated_ticks_per_s", "", .number = resimulated_ticks_per_s},
    {"others_error_px", "px", .distribution = others_error_subpx, .scale = 1.0 / 256},
    {"others_jumps_per_min", "", .number = others_jumps_per_min},
    {"fact_delay_ms", "ms", .number = fact_delay_ms},
    {"facts_lost", "", .number = facts_lost},
    {"actions_refuted_per_min", "", .number = actions_refuted_per_min},
    {"deaths_refuted_per_min", "", .number = deaths_refuted_per_min},
    {"inputs_missed_pct", "%", .number = inputs_missed_pct},
    {"desyncs", "", .number = desyncs},
    {"disconnects", "", .number = disconnects},
    {"expelled", "", .number = expelled},
    {"flood_messages", "", .number = flood_messages},
    {"server_tick_ms", "ms", .distribution = server_tick_us, .scale = 1e-3},
    {"server_cpu_pct", "%", .number = server_cpu_pct},
    {"server_rss_mib", "MiB", .number = server_rss_mib},
    {"own_lag_ms", "ms", .distribution = lag_us, .scale = 1e-3},
    {"own_cpu_pct", "%", .number = cpu_pct},
};
const uint32_t METRIC_COUNT = sizeof METRICS / sizeof *METRICS;

const struct metric_quantile METRIC_QUANTILES[] = {
    {"p50", 500}, {"p90", 900}, {"p95", 950}, {"p99", 990}, {"p99.9", 999}, {"max", 1000},
};
const uint32_t METRIC_QUANTILE_COUNT = sizeof METRIC_QUANTILES / sizeof *METRIC_QUANTILES;

// Returns whether `name`, of `length` bytes, is the metric's, with or without its unit.
static bool is_named(const struct metric *metric, const char *name, size_t length)
{
    char bare[64];
    snprintf(bare, sizeof bare, "%s", metric->name);
    size_t bare_length = strlen(bare), unit_length = strlen(metric->unit);
    bool full = length == bare_length && strncmp(bare, name, length) == 0;
    if (unit_length && bare_length > unit_length && strcmp(bare + bare_length - unit_length, metric->unit) == 0)
        bare_length -= unit_length + 1;
    return full || (length == bare_length && strncmp(bare, name, length) == 0);
}

static const struct metric *named(const char *name, size_t length)
{
    for (uint32_t i = 0; i < METRIC_COUNT; i++) {
        if (is_named(&METRICS[i], name, length))
            return &METRICS[i];
    }
    return NULL;
}

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
    *metric = named(name, length);
    return *metric && ((*metric)->distribution != NULL) == (*quantile != NULL);
}

double metric_value(const struct metric *metric, const struct metric_quantile *quantile,
                    const struct measurement *measurement)
{
    if (metric->number)
        return metric->number(measurement);
    const struct histogram *histogram = metric->distribution(measurement);
    return histogram->count ? (double)histogram_quantile(histogram, quantile->per_mille) * metric->scale : NAN;
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

void metric_sample_add(struct sample *sum, const struct sample *sample)
{
    histogram_merge(&sum->connect_us, &sample->connect_us);
    histogram_merge(&sum->rtt_us, &sample->rtt_us);
    histogram_merge(&sum->input_ack_us, &sample->input_ack_us);
    histogram_merge(&sum->stall_recovery_us, &sample->stall_recovery_us);
    histogram_merge(&sum->snapshot_gap_us, &sample->snapshot_gap_us);
    histogram_merge(&sum->prediction_error_subpx, &sample->prediction_error_subpx);
    histogram_merge(&sum->others_error_subpx, &sample->others_error_subpx);
    sum->play_us += sample->play_us;
    sum->verify_play_us += sample->verify_play_us;
    sum->snapshots += sample->snapshots;
    sum->snapshots_lost += sample->snapshots_lost;
    sum->bytes_down += sample->bytes_down;
    sum->bytes_up += sample->bytes_up;
    sum->inputs += sample->inputs;
    sum->inputs_missed += sample->inputs_missed;
    sum->corrections += sample->corrections;
    sum->resimulated_ticks += sample->resimulated_ticks;
    sum->desyncs += sample->desyncs;
    sum->facts += sample->facts;
    sum->fact_delay_ticks += sample->fact_delay_ticks;
    sum->facts_lost += sample->facts_lost;
    sum->deaths_refuted += sample->deaths_refuted;
    sum->others_jumps += sample->others_jumps;
    for (uint32_t i = 0; i < EVENT_KINDS; i++)
        sum->actions_refuted[i] += sample->actions_refuted[i];
    sum->expelled += sample->expelled;
    sum->flood_messages += sample->flood_messages;
    for (uint32_t i = 0; i < DENY_REASONS; i++)
        sum->disconnects[i] += sample->disconnects[i];
}

const char *metric_reason_name(uint32_t reason)
{
    static const char *const names[DENY_REASONS] = {
        [DENY_NONE] = "lost",     [DENY_VERSION] = "version",   [DENY_FULL] = "full",
        [DENY_KICKED] = "kicked", [DENY_CLOSING] = "closing",   [DENY_PROTOCOL] = "protocol",
        [DENY_SILENT] = "silent", [DENY_REPLACED] = "replaced", [DENY_HOUSEHOLD] = "household",
    };
    return reason < DENY_REASONS && names[reason] ? names[reason] : "other";
}
