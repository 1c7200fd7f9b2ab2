// SPDX-License-Identifier: MIT
//
// How a server is: the durations of its ticks, which main.c measures, and a copy of its match for other threads:
// metrics, status, the live page, the fleet. The tick's thread writes the copy and never waits: while a reader copies,
// it skips a write. Readers always see one consistent moment.
#ifndef MONITOR_STATUS_H
#define MONITOR_STATUS_H

#include <pthread.h>

#include "lifecycle/server_health.h"
#include "match/match.h"
#include "match/tick_clock.h"
#include "options/options.h"
#include "recording/live_stream.h"

/// Width and number of the histogram's classes: 50 us each, up to 25.6 ms.
#define TICK_STATS_CLASS_US    50
#define TICK_STATS_CLASS_COUNT 512

/// Zero-initialise.
struct tick_stats {
    uint64_t ticks, tick_ns_total, tick_ns_max;
    uint64_t slow, slow_ns_last;              ///< ticks that took longer than a tick has; the duration of the last one
    uint64_t classes[TICK_STATS_CLASS_COUNT]; ///< ticks by duration; the last holds all beyond
};

/// Counts a tick of this duration.
void status_count_tick(struct tick_stats *ticks, uint64_t duration_ns);
/// Returns the duration, us, that this many of a thousand ticks did not exceed, to the width of a class.
uint64_t status_tick_us(const struct tick_stats *ticks, uint32_t permille);
/// Writes the log line that shows them with the traffic and the match's own counts.
void status_log(const struct tick_stats *ticks, const struct match *match, const struct tick_clock *clock,
                const struct log *log, enum log_level level);

/// Upper edges of the classes of round trips, ms; longer ones are only in the count.
#define STATUS_SNAPSHOT_RTT_CLASSES 8
extern const uint32_t STATUS_SNAPSHOT_RTT_EDGES_MS[STATUS_SNAPSHOT_RTT_CLASSES];

/// The names of the stores, by enum store.
extern const char *const STATUS_SNAPSHOT_STORE_NAMES[STORES];

/// One moment of a server.
struct status_snapshot {
    uint64_t written_ns;          ///< CLOCK_MONOTONIC
    char name[OPTION_TEXT_BYTES]; ///< of the server
    uint32_t players, bots, players_max;
    bool drains;       ///< nobody new may join
    uint32_t maps;     ///< maps begun so far: another number means another map
    uint64_t overruns; ///< stalls: times that more ticks were due than are caught up on
    uint64_t skipped;  ///< ticks that stalls have cost
    uint64_t late;     ///< ticks that began when the next one was due, too
    struct server_health health;
    struct tick_stats status;
    struct match_statistics statistics;
    struct net_totals net;
    uint64_t rtt_classes[STATUS_SNAPSHOT_RTT_CLASSES]; ///< samples by round trip, one a client and second
    uint64_t rtt_count, rtt_ms_total;
    bool is_live; ///< it is published live
    struct live_stream_totals live;
    uint64_t map_hash;
    struct map map;
    struct world world;
    uint8_t hats[PLAYER_CAPACITY]; ///< enum hat, by slot
};

/// Initialise by STATUS_PUBLISHER_INITIAL.
struct status_publisher {
    pthread_mutex_t lock;
    uint64_t sampled_ns; ///< when round trips were last sampled
    struct status_snapshot snapshot;
};

#define STATUS_PUBLISHER_INITIAL                                                                                       \
    {                                                                                                                  \
        .lock = PTHREAD_MUTEX_INITIALIZER                                                                              \
    }

/// What a snapshot is taken of.
struct status_source {
    const char *name; ///< of the server
    const struct match *match;
    const struct tick_stats *status;
    const struct tick_clock *clock;
    const struct server_health *health;
};

/// Writes a new snapshot, unless a reader holds the lock. Takes some microseconds; call ten times a second.
void status_snapshot_write(struct status_publisher *publisher, const struct status_source *source, uint64_t now_ns);

/// Copies the snapshot. May be called from any thread.
void status_snapshot_read(struct status_publisher *publisher, struct status_snapshot *snapshot);

#endif
