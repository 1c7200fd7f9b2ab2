// SPDX-License-Identifier: MIT
//
// Many clients in one thread, and what they measure together. Time and transports are arguments, so that it also runs
// over a network in virtual time.
#ifndef LOAD_SWARM_H
#define LOAD_SWARM_H

#include "load_client.h"

/// Clients that a swarm can have.
#define SWARM_CAPACITY 1024

struct swarm;

/// Creates a swarm; nothing is opened before the first pulse. Its only allocation; null if memory runs out.
struct swarm *swarm_create(const struct load_client_settings *settings);
/// Lets all clients leave and frees the swarm.
void swarm_destroy(struct swarm *swarm);

/// Keeps the first `wanted` clients in the match, opening those that are not; the others leave. Receives, and ticks
/// clients that are due. Call a few times a tick.
void swarm_pulse(struct swarm *swarm, uint32_t wanted, uint64_t now_us);

/// Gives all clients behaviours of another mix.
void swarm_set_mix(struct swarm *swarm, const struct behaviour_mix *mix);

/// Returns how many clients are in the match now.
uint32_t swarm_connected(const struct swarm *swarm);
/// Returns how many clients were ever in the match.
uint32_t swarm_joined(const struct swarm *swarm);
/// Returns how many clients were ever in the match, or have ended without.
uint32_t swarm_settled(const struct swarm *swarm);
/// Returns how many clients were refused, lost, or never answered, and do not come back.
uint32_t swarm_ended(const struct swarm *swarm);
/// Returns how many clients have an outage now, and for how long the longest of them has lasted.
uint32_t swarm_silent(const struct swarm *swarm, uint64_t *longest_us);
/// Counts outages that are still open. For the end of a run. False if there were none.
bool swarm_end_outages(struct swarm *swarm);
/// Returns the snapshots a second of the client that received the fewest, over its time in the match.
double swarm_least_snapshots_per_s(const struct swarm *swarm);
/// Returns why the first client ended; "" if none has.
const char *swarm_error_text(const struct swarm *swarm);
/// Returns a full client in the match, to show the match; null if there is none.
const struct client *swarm_full_client(const struct swarm *swarm);

/// Returns the sum of all samples taken so far.
const struct sample *swarm_total(const struct swarm *swarm);
/// Takes what was measured since the last call.
void swarm_take_sample(struct swarm *swarm, struct sample *sample);

#endif
