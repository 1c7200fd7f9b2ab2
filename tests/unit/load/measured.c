// SPDX-License-Identifier: MIT
#include "measured.h"

#include <string.h>

void measured_distribution(struct histogram *histogram, uint64_t base)
{
    static const uint64_t counts[QUANTILES] = {500, 400, 50, 40, 9, 1};
    for (uint32_t i = 0; i < QUANTILES; i++)
        for (uint64_t n = 0; n < counts[i]; n++)
            histogram_add(histogram, measured_quantile(base, i));
}

uint64_t measured_quantile(uint64_t base, uint32_t quantile)
{
    return (base << quantile) - 1;
}

double measured_mean(uint64_t base)
{
    return (double)base * 1.996 - 1; // 500 + 2 * 400 + 4 * 50 + 8 * 40 + 16 * 9 + 32, of 1000
}

void measured_fill(struct measurement *measurement)
{
    struct sample *sample = &measurement->sample;
    memset(measurement, 0, sizeof *measurement);
    measured_distribution(&sample->connect_us, 65 << 10);
    measured_distribution(&sample->rtt_us, 75 << 8);
    measured_distribution(&sample->input_ack_us, 85 << 9);
    measured_distribution(&sample->stall_recovery_us, 70 << 6);
    measured_distribution(&sample->outage_us, 80 << 11);
    measured_distribution(&sample->recover_us, 90 << 12);
    measured_distribution(&sample->snapshot_gap_us, 95 << 7);
    measured_distribution(&sample->prediction_error_subpx, 105);
    measured_distribution(&sample->others_error_subpx, 110);
    measured_distribution(&measurement->server.tick_us, 115 << 2);
    measured_distribution(&measurement->lag_us, 125 << 1);
    sample->play_us = 40000000;
    sample->verify_play_us = 20000000;
    sample->snapshots = 2376;
    sample->snapshots_lost = 24;
    sample->bytes_down = 480000;
    sample->bytes_up = 101000;
    sample->inputs = 5000;
    sample->inputs_missed = 25;
    sample->corrections = 3;
    sample->resimulated_ticks = 50;
    sample->datagram_bytes_down = 512000;
    sample->datagram_bytes_up = 128000;
    sample->datagrams_down = 4100;
    sample->datagrams_up = 4200;
    sample->reconnects = 8;
    sample->desyncs = 2;
    sample->facts = 300;
    sample->fact_delay_ticks = 1800;
    sample->facts_lost = 5;
    sample->actions_refuted[EVENT_JUMP] = 2;
    sample->actions_refuted[EVENT_KINDS - 1] = 5;
    sample->events[EVENT_JUMP] = 11;
    sample->events[EVENT_KINDS - 1] = 12;
    sample->deaths_refuted = 4;
    sample->others_jumps = 11;
    for (uint32_t i = 0; i < DENY_REASONS; i++)
        sample->disconnects[i] = 1u << i;
    sample->expelled = 6;
    sample->flood_messages = 9000;
    measurement->connected = 7;
    measurement->least_snapshots_per_s = 58.5;
    measurement->cpu_pct = 12.5;
    measurement->server.cpu_pct = 37.5;
    measurement->server.resident_mib = 48.25;
}

const struct measured_row MEASURED[] = {
    {"connected", "", 7, 0, 0},
    {"connect_ms", "ms", 0, 65 << 10, 0.001},
    {"rtt_ms", "ms", 0, 75 << 8, 0.001},
    {"input_ack_ms", "ms", 0, 85 << 9, 0.001},
    {"stall_recovery_ms", "ms", 0, 70 << 6, 0.001},
    {"outage_ms", "ms", 0, 80 << 11, 0.001},
    {"recover_ms", "ms", 0, 90 << 12, 0.001},
    {"snapshot_gap_ms", "ms", 0, 95 << 7, 0.001},
    {"snapshots_per_s", "", 59.4, 0, 0},
    {"least_snapshots_per_s", "", 58.5, 0, 0},
    {"snapshots_lost_pct", "%", 1, 0, 0},
    {"bytes_down_per_client_s", "B", 12000, 0, 0},
    {"bytes_up_per_client_s", "B", 2525, 0, 0},
    {"bytes_down", "B", 512000, 0, 0},
    {"bytes_up", "B", 128000, 0, 0},
    {"packets_down", "", 4100, 0, 0},
    {"packets_up", "", 4200, 0, 0},
    {"prediction_error_px", "px", 0, 105, 0.00390625},
    {"corrections_per_min", "", 9, 0, 0},
    {"resimulated_ticks_per_s", "", 2.5, 0, 0},
    {"others_error_px", "px", 0, 110, 0.00390625},
    {"others_jumps_per_min", "", 33, 0, 0},
    {"fact_delay_ms", "ms", 100, 0, 0},
    {"facts_lost", "", 5, 0, 0},
    {"actions_refuted_per_min", "", 21, 0, 0},
    {"deaths_refuted_per_min", "", 12, 0, 0},
    {"false_events", "", 11, 0, 0},
    {"inputs_missed_pct", "%", 0.5, 0, 0},
    {"desyncs", "", 2, 0, 0},
    {"disconnects", "", (1u << DENY_REASONS) - 1, 0, 0},
    {"reconnects", "", 8, 0, 0},
    {"outages", "", MEASURED_COUNT, 0, 0},
    {"expelled", "", 6, 0, 0},
    {"flood_messages", "", 9000, 0, 0},
    {"server_tick_ms", "ms", 0, 115 << 2, 0.001},
    {"server_cpu_pct", "%", 37.5, 0, 0},
    {"server_rss_mib", "MiB", 48.25, 0, 0},
    {"own_lag_ms", "ms", 0, 125 << 1, 0.001},
    {"own_cpu_pct", "%", 12.5, 0, 0},
};
const uint32_t MEASURED_ROWS = sizeof MEASURED / sizeof *MEASURED;
