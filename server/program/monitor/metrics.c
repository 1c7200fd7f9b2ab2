// SPDX-License-Identifier: MIT
#include "metrics.h"

#include <inttypes.h>
#include <string.h>

#include "game/rules/mode.h"
#include "game/rules/round.h"
#include "game/variant.h"

// Upper edges of the buckets of tick durations, us: multiples of TICK_STATS_CLASS_US, below the last class.
static const uint32_t TICK_EDGES_US[] = {50,   100,  150,  200,  300,  400,  500,   750,   1000,  1500,
                                         2000, 3000, 4000, 5000, 6000, 8000, 10000, 12000, 16000, 25000};

static void head(FILE *file, const char *name, const char *type, const char *help)
{
    fprintf(file, "# HELP deadfall_%s %s\n# TYPE deadfall_%s %s\n", name, help, name, type);
}

static void one(FILE *file, const char *name, const char *type, const char *help, uint64_t value)
{
    head(file, name, type, help);
    fprintf(file, "deadfall_%s %" PRIu64 "\n", name, value);
}

// Ends a family of type histogram.
static void end_histogram(FILE *file, const char *name, double sum_s, uint64_t count)
{
    fprintf(file, "deadfall_%s_bucket{le=\"+Inf\"} %" PRIu64 "\ndeadfall_%s_sum %.9f\ndeadfall_%s_count %" PRIu64 "\n",
            name, count, name, sum_s, name, count);
}

// One sample of a family, with a label.
static void sample(FILE *file, const char *name, const char *label, const char *value, uint64_t count)
{
    fprintf(file, "deadfall_%s{%s=\"%s\"} %" PRIu64 "\n", name, label, value, count);
}

static void write_match(FILE *file, const struct status_snapshot *snapshot)
{
    const struct world *world = &snapshot->world;
    char variants[VARIANT_NAMES_BYTES];
    variant_names(world->rules.variants, variants);
    head(file, "match_info", "gauge", "What is played.");
    fputs("deadfall_match_info{map=\"", file);
    for (const char *at = snapshot->map.name; *at; at++) // any text
        if (*at == '\n')
            fputs("\\n", file);
        else
            fprintf(file, *at == '"' || *at == '\\' ? "\\%c" : "%c", *at);
    fprintf(file, "\",mode=\"%s\",variants=\"%s\",phase=\"%s\"} 1\n", mode_name((enum mode)world->rules.mode), variants,
            round_state_name(world));
    one(file, "asleep", "gauge", "Whether no client is connected and ticks have stopped.", snapshot->health.asleep);
    one(file, "recovered", "gauge",
        "Whether it continues the match of a server that crashed; 0 after a planned restart.",
        snapshot->health.recovered);
}

static void write_players(FILE *file, const struct status_snapshot *snapshot)
{
    const struct match_statistics *counts = &snapshot->statistics;
    double quarters_per_s = 4.0 * TICKS_PER_SECOND;
    uint64_t count = 0;
    one(file, "players", "gauge", "Players, without bots.", snapshot->players);
    one(file, "bots", "gauge", "Bots.", snapshot->bots);
    one(file, "draining", "gauge", "Whether nobody new may join, because the server closes soon.", snapshot->drains);
    one(file, "players_max", "gauge", "Limit of players, bots included.", snapshot->players_max);
    head(file, "connections_total", "counter", "Clients that asked to join.");
    sample(file, "connections_total", "result", "joined", counts->joins);
    sample(file, "connections_total", "result", "sent_away", counts->denials);
    one(file, "reconnects_total", "counter", "Joins of players who had been here before.", counts->returns);
    head(file, "snapshot_size_bytes", "summary", "Sizes of snapshots, each counted once for every client.");
    fprintf(file, "deadfall_snapshot_size_bytes_sum %" PRIu64 "\ndeadfall_snapshot_size_bytes_count %" PRIu64 "\n",
            counts->snapshot_bytes, counts->snapshots);
    one(file, "inputs_late_total", "counter", "Inputs that arrived after a tick that needed them.",
        counts->inputs_late);
    one(file, "inputs_missed_total", "counter", "Ticks of players that were stepped with another input than theirs.",
        counts->inputs_missed);
    head(file, "input_margin_seconds", "histogram",
         "How long before its tick an input arrived; late ones are below 0.");
    for (size_t i = 0; i < INPUT_MARGIN_CLASSES; i++) {
        count += counts->input_margin_classes[i];
        fprintf(file, "deadfall_input_margin_seconds_bucket{le=\"%.4f\"} %" PRIu64 "\n",
                INPUT_MARGIN_EDGES[i] / quarters_per_s, count);
    }
    end_histogram(file, "input_margin_seconds", (double)counts->input_margin_quarter_ticks / quarters_per_s,
                  counts->input_margins);
    one(file, "desyncs_total", "counter", "Full snapshots requested by clients that could not follow.",
        counts->full_requests);
}

static void write_ticks(FILE *file, const struct status_snapshot *snapshot)
{
    const struct tick_stats *ticks = &snapshot->status;
    uint64_t count = 0;
    uint32_t row = 0;
    one(file, "ticks_total", "counter", "Ticks stepped.", snapshot->statistics.ticks);
    one(file, "tick_overruns_total", "counter", "Stalls: times that more ticks were due than it catches up on.",
        snapshot->overruns);
    one(file, "ticks_late_total", "counter", "Ticks that began when the next one was due, too.", snapshot->late);
    one(file, "ticks_stood_still_total", "counter", "Ticks for which the match stood still after a stall.",
        snapshot->statistics.ticks_stood_still);
    head(file, "stalled_seconds_total", "counter", "Time that stalls have cost the match.");
    fprintf(file, "deadfall_stalled_seconds_total %.3f\n", (double)snapshot->skipped / TICKS_PER_SECOND);
    head(file, "tick_duration_seconds", "histogram", "Durations of ticks; at most 0.0167 keeps up.");
    for (size_t i = 0; i < sizeof TICK_EDGES_US / sizeof *TICK_EDGES_US; i++) {
        while (row < TICK_EDGES_US[i] / TICK_STATS_CLASS_US)
            count += ticks->classes[row++];
        fprintf(file, "deadfall_tick_duration_seconds_bucket{le=\"%g\"} %" PRIu64 "\n", TICK_EDGES_US[i] / 1e6, count);
    }
    end_histogram(file, "tick_duration_seconds", (double)ticks->tick_ns_total / 1e9, ticks->ticks);
}

static void write_network(FILE *file, const struct status_snapshot *snapshot)
{
    const struct net_totals *net = &snapshot->net;
    one(file, "network_receive_bytes_total", "counter", "UDP payload received.", net->bytes_in);
    one(file, "network_transmit_bytes_total", "counter", "UDP payload sent.", net->bytes_out);
    one(file, "network_receive_packets_total", "counter", "Datagrams received.", net->packets_in);
    one(file, "network_transmit_packets_total", "counter", "Datagrams sent.", net->packets_out);
    one(file, "network_receive_buffer_bytes", "gauge", "Receive buffer that the kernel granted the socket.",
        net->receive_buffer_bytes);
    one(file, "messages_unsent_total", "counter", "Messages to clients that could not be queued.",
        snapshot->statistics.unsent);
    one(file, "queries_total", "counter", "Answered queries of server browsers.", net->queries);
    head(file, "datagrams_rejected_total", "counter", "Datagrams and messages that no honest client sends.");
    sample(file, "datagrams_rejected_total", "reason", "not_admitted", net->rejected);
    sample(file, "datagrams_rejected_total", "reason", "malformed", snapshot->statistics.malformed);
}

static void write_clients(FILE *file, const struct status_snapshot *snapshot)
{
    const struct net_sessions *sessions = &snapshot->net.sessions;
    const struct net_refusals *refusals = &snapshot->net.refusals;
    uint64_t count = 0;
    head(file, "sessions", "gauge", "Sessions of clients, by state.");
    sample(file, "sessions", "state", "accepted", sessions->accepted);
    sample(file, "sessions", "state", "waiting", sessions->waiting);
    sample(file, "sessions", "state", "playing", sessions->playing);
    sample(file, "sessions", "state", "leaving", sessions->leaving);
    one(file, "sessions_webrtc", "gauge", "Sessions of browsers, in any state.", sessions->webrtc);
    one(file, "webrtc_starts_total", "counter", "Starts of the process for browsers.", snapshot->health.webrtc.starts);
    one(file, "webrtc_dropped_total", "counter", "Datagrams that the process for browsers did not take.",
        snapshot->health.webrtc.dropped);
    one(file, "webrtc_refused_total", "counter",
        "Frames of the process for browsers for addresses that have not asked or paid for them.",
        snapshot->health.webrtc.refused);
    one(file, "webrtc_gave_way_total", "counter", "Browsers without a session that ended for newer ones.",
        refusals->browsers_gave_way);
    one(file, "households", "gauge", "Households that have sessions.", sessions->households);
    head(file, "joins_refused_total", "counter", "Joins that were not admitted.");
    sample(file, "joins_refused_total", "reason", "household_rate", refusals->joins_of_household);
    sample(file, "joins_refused_total", "reason", "rate", refusals->joins_of_all);
    sample(file, "joins_refused_total", "reason", "full", refusals->denied[DENIAL_FULL]);
    sample(file, "joins_refused_total", "reason", "version", refusals->denied[DENIAL_VERSION]);
    sample(file, "joins_refused_total", "reason", "banned", refusals->denied[DENIAL_BANNED]);
    sample(file, "joins_refused_total", "reason", "password", refusals->denied[DENIAL_PASSWORD]);
    sample(file, "joins_refused_total", "reason", "household_players", snapshot->statistics.household_denials);
    one(file, "passwords_untried_total", "counter",
        "Of the joins refused for their password, those of sites that have to wait after wrong ones.",
        refusals->passwords_untried);
    one(file, "password_waits_total", "counter", "Sites that had to wait because they gave too many wrong passwords.",
        refusals->password_waits);
    one(file, "sessions_gave_way_total", "counter", "Sessions without a player that ended for a newer one.",
        refusals->gave_way);
    one(file, "resets_total", "counter", "Datagrams of unknown sessions, answered so that their clients join again.",
        refusals->resets);
    head(file, "queries_refused_total", "counter", "Queries with a challenge that were not answered.");
    sample(file, "queries_refused_total", "reason", "household_rate", refusals->queries_of_household);
    sample(file, "queries_refused_total", "reason", "rate", refusals->queries_of_all);
    head(file, "client_rtt_seconds", "histogram", "Round trips, sampled once a second for each client.");
    for (size_t i = 0; i < STATUS_SNAPSHOT_RTT_CLASSES; i++) {
        count += snapshot->rtt_classes[i];
        fprintf(file, "deadfall_client_rtt_seconds_bucket{le=\"%g\"} %" PRIu64 "\n",
                STATUS_SNAPSHOT_RTT_EDGES_MS[i] / 1e3, count);
    }
    end_histogram(file, "client_rtt_seconds", (double)snapshot->rtt_ms_total / 1e3, snapshot->rtt_count);
}

// The figures of a store that have a family each; a store that nobody wants has none.
static void write_stores(FILE *file, const struct metrics_source *source)
{
    enum { UP, SUCCESS, FAILURES, AVAILABLE, SIZE, FAMILIES };
    static const struct {
        const char *name, *type, *help;
    } families[FAMILIES] = {
        {"storage_up", "gauge", "Whether the server can write this store, which it should."},
        {"storage_last_success_timestamp_seconds", "gauge", "When bytes of this store were last safe on the disk."},
        {"storage_failures_total", "counter", "Times that this store stopped being written."},
        {"storage_available_bytes", "gauge", "Room for this store on its disk."},
        {"storage_size_bytes", "gauge", "Size of the disk of this store."},
    };
    for (size_t family = 0; family < FAMILIES; family++) {
        head(file, families[family].name, families[family].type, families[family].help);
        for (size_t i = 0; i < STORES; i++) {
            const struct store_health *store = &source->snapshot->health.stores[i];
            const struct disk_room *space = &source->spaces[i];
            uint64_t values[FAMILIES] = {store->up, (uint64_t)store->success_s, store->failures, space->available_bytes,
                                         space->size_bytes};
            if (store->wanted && (family < AVAILABLE || space->size_bytes > 0))
                sample(file, families[family].name, "store", STATUS_SNAPSHOT_STORE_NAMES[i], values[family]);
        }
    }
    one(file, "records_lost_total", "counter", "Rows of records that could not be stored.",
        source->snapshot->health.records_lost);
}

// The names of directories come from the operator: host_port_parse_web() leaves no quote and no backslash in them.
static void write_announcements(FILE *file, struct announcer *announcer)
{
    struct announcer_row rows[ANNOUNCER_ROWS_MAX];
    uint32_t count = announcer_read(announcer, rows);
    if (count == 0)
        return;
    head(file, "announcement_listed", "gauge", "Whether a directory lists the server, by family.");
    for (uint32_t i = 0; i < count; i++)
        fprintf(file, "deadfall_announcement_listed{directory=\"%s\",family=\"%s\"} %d\n", rows[i].directory,
                rows[i].ipv6 ? "ipv6" : "ipv4",
                rows[i].state == ANNOUNCER_LISTED || rows[i].state == ANNOUNCER_PUNCHED);
    head(file, "announcements_total", "counter", "Announcements sent to a directory.");
    for (uint32_t i = 0; i < count; i++)
        fprintf(file, "deadfall_announcements_total{directory=\"%s\",family=\"%s\"} %" PRIu64 "\n", rows[i].directory,
                rows[i].ipv6 ? "ipv6" : "ipv4", rows[i].sent);
}

void metrics_write(FILE *file, const struct metrics_source *source)
{
    const struct status_snapshot *snapshot = source->snapshot;
    const struct live_stream_totals *live = &snapshot->live;
    const struct process_usage *process = &source->process;
    head(file, "build_info", "gauge", "The version that runs.");
    fprintf(file, "deadfall_build_info{version=\"%s\",protocol=\"%u\"} 1\n", DEADFALL_VERSION, PROTOCOL_VERSION);
    write_match(file, snapshot);
    write_players(file, snapshot);
    write_ticks(file, snapshot);
    write_network(file, snapshot);
    write_clients(file, snapshot);
    write_stores(file, source);
    write_announcements(file, source->announcer);
    if (snapshot->is_live) {
        one(file, "live_chunks_total", "counter", "Chunks of the live stream that were published.", live->chunks);
        one(file, "live_bytes_total", "counter", "Bytes of all files that the live stream has published.", live->bytes);
        one(file, "live_lost_total", "counter", "Files of the live stream that the disk refused or was too slow for.",
            live->lost);
        one(file, "live_delay_seconds", "gauge", "Delay of the live stream, as configured.", live->delay_s);
        head(file, "live_behind_seconds", "gauge",
             "How much of the match the newest chunk lacks; two more than the delay.");
        fprintf(file, "deadfall_live_behind_seconds %.2f\n", (double)live->behind_ticks / TICKS_PER_SECOND);
    }
    fprintf(file,
            "# HELP process_resident_memory_bytes Resident memory size in bytes.\n"
            "# TYPE process_resident_memory_bytes gauge\nprocess_resident_memory_bytes %" PRIu64
            "\n# HELP process_cpu_seconds_total Total user and system CPU time spent in seconds.\n"
            "# TYPE process_cpu_seconds_total counter\nprocess_cpu_seconds_total %.2f\n"
            "# HELP process_open_fds Number of open file descriptors.\n"
            "# TYPE process_open_fds gauge\nprocess_open_fds %u\n"
            "# HELP process_start_time_seconds Start time of the process since unix epoch in seconds.\n"
            "# TYPE process_start_time_seconds gauge\nprocess_start_time_seconds %.2f\n",
            process->resident_bytes, process->cpu_s, process->open_files, process->start_s);
}
