// SPDX-License-Identifier: MIT
//
// Many clients in one thread, and what they measure. Some are whole clients that decode, predict and compare hashes
// and play by brain; the others answer on the wire as clients do and walk at random. Given the time and the
// transports, so that it also runs over a network in virtual time.
#ifndef BOTS_SWARM_H
#define BOTS_SWARM_H

#include "core/client.h"
#include "game/brain.h"
#include "histogram.h"

/// Bots that a swarm can have.
#define SWARM_CAPACITY 1024

/// Opens a connection of a bot, by its number, to the server under test. Null: it cannot be; counted as a lost bot.
typedef struct transport *swarm_open(void *context, uint32_t bot);

struct swarm_settings {
    uint32_t count;      ///< bots, 1 to SWARM_CAPACITY
    uint32_t verify;     ///< of them whole clients: the first
    uint32_t spawn_rate; ///< bots a second
    uint32_t seed;       ///< of the random walks
    enum skill skill;    ///< of the whole clients
    bool idle;           ///< all hold nothing
    bool reconnect;      ///< who is cut off comes back by himself; else he counts as lost
    const char *name;    ///< prefix of their names
    swarm_open *open;
    void *context;
};

/// What is measured of all bots together, since the start or since the last sample.
struct swarm_sample {
    struct histogram connect_us, rtt_us, input_ack_us, snapshot_gap_us, prediction_error_subpx;
    uint64_t play_us;        ///< bots' time in the match, added up
    uint64_t verify_play_us; ///< the same of the whole clients
    uint64_t snapshots, snapshots_lost, bytes_down, bytes_up, inputs, inputs_missed, corrections, resimulated_ticks;
    uint64_t desyncs;
    uint64_t disconnects[DENY_REASONS]; ///< by reason; DENY_NONE: the connection was lost or never came
};

struct swarm;

/// Creates it; nothing is opened before the first pulse. The only allocation of its own. Null when memory is out.
struct swarm *swarm_create(const struct swarm_settings *settings);
/// All leave, and are freed.
void swarm_destroy(struct swarm *swarm);

/// Opens who is due, receives, ticks who is due. Call a few times a tick.
void swarm_pulse(struct swarm *swarm, uint64_t now_us);

/// Bots in the match now.
uint32_t swarm_connected(const struct swarm *swarm);
/// Bots that ever were in the match.
uint32_t swarm_joined(const struct swarm *swarm);
/// Bots that are neither in the match nor on the way: refused, lost, or never answered.
uint32_t swarm_ended(const struct swarm *swarm);
/// Snapshots a second of the bot that got the least, over its time in the match.
double swarm_least_snapshots_per_s(const struct swarm *swarm);
/// Why the first bot that ended has ended; "" if none has.
const char *swarm_sentence(const struct swarm *swarm);
/// A whole client in the match, for looking at it; null if there is none.
const struct client *swarm_witness(const struct swarm *swarm);

/// What was measured up to the last sample that was taken.
const struct swarm_sample *swarm_total(const struct swarm *swarm);
/// What was measured since this was called last.
void swarm_take_sample(struct swarm *swarm, struct swarm_sample *sample);

/// Adds up two samples.
void swarm_sample_add(struct swarm_sample *sum, const struct swarm_sample *sample);

/// "lost", "full" and so on: the names of `disconnects`.
const char *swarm_reason_name(uint32_t reason);

#endif
