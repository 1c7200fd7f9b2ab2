// SPDX-License-Identifier: MIT
//
// Many bots in one thread, and what they measure together. Given the time and the transports, so that it also runs over
// a network in virtual time.
#ifndef BOTS_SWARM_H
#define BOTS_SWARM_H

#include "bot.h"

/// Bots that a swarm can have.
#define SWARM_CAPACITY 1024

struct swarm;

/// Creates it; nothing is opened before the first pulse. The only allocation of its own. Null when memory is out.
struct swarm *swarm_create(const struct bot_settings *settings);
/// All leave, and are freed.
void swarm_destroy(struct swarm *swarm);

/// The first `wanted` bots are in, opened now where they are not; the others leave. Receives, ticks who is due. Call a
/// few times a tick.
void swarm_pulse(struct swarm *swarm, uint32_t wanted, uint64_t now_us);

/// Bots in the match now.
uint32_t swarm_connected(const struct swarm *swarm);
/// Bots that ever were in the match.
uint32_t swarm_joined(const struct swarm *swarm);
/// Bots that were refused, lost, or never answered, and do not come back.
uint32_t swarm_ended(const struct swarm *swarm);
/// Snapshots a second of the bot that got the least, over its time in the match.
double swarm_least_snapshots_per_s(const struct swarm *swarm);
/// Why the first bot that ended has ended; "" if none has.
const char *swarm_error_text(const struct swarm *swarm);
/// A whole client in the match, for looking at it; null if there is none.
const struct client *swarm_witness(const struct swarm *swarm);

/// What was measured up to the last sample that was taken.
const struct sample *swarm_total(const struct swarm *swarm);
/// What was measured since this was called last.
void swarm_take_sample(struct swarm *swarm, struct sample *sample);

#endif
