// SPDX-License-Identifier: MIT
#include "network_simulator.h"
#include "impairment.h"

#include <string.h>

#include "base/random.h"

#define MILLION    1000000u
#define REORDER_NS 100000000u

static bool happens(struct network_simulator *simulator, uint32_t ppm)
{
    return random_next64(&simulator->random) % MILLION < ppm;
}

static uint64_t due_ns(struct network_simulator *simulator, uint64_t now_ns)
{
    const struct impairment *impairment = &simulator->impairment;
    uint64_t due = now_ns + impairment->delay_us * (uint64_t)1000;
    due += impairment->jitter_us ? random_next64(&simulator->random) % (impairment->jitter_us * (uint64_t)1000) : 0;
    return due + (happens(simulator, impairment->reorder_ppm) ? REORDER_NS : 0);
}

static void keep(struct network_simulator *simulator, uint64_t due, const struct net_address *address,
                 const uint8_t *bytes, size_t byte_count)
{
    for (uint32_t i = 0; i < NETWORK_SIMULATOR_CAPACITY; i++) {
        struct delayed_datagram *delayed = &simulator->delayed[i];
        if (delayed->due_ns)
            continue;
        delayed->due_ns = due ? due : 1;
        delayed->order = simulator->order++;
        delayed->address = *address;
        delayed->byte_count = (uint16_t)byte_count;
        memcpy(delayed->bytes, bytes, byte_count);
        simulator->count++;
        return;
    }
}

// When a line of this rate has sent the whole datagram.
static uint64_t sent_ns(struct network_simulator *simulator, uint64_t now_ns, size_t byte_count)
{
    if (simulator->impairment.rate_bits_per_s == 0)
        return now_ns;
    uint64_t begin_ns = simulator->busy_until_ns > now_ns ? simulator->busy_until_ns : now_ns;
    simulator->busy_until_ns = begin_ns + byte_count * 8u * 1000000000u / simulator->impairment.rate_bits_per_s;
    return simulator->busy_until_ns;
}

void network_simulator_push(struct network_simulator *simulator, uint64_t now_ns, const struct net_address *address,
                            const uint8_t *bytes, size_t byte_count)
{
    if (byte_count == 0 || byte_count > DATAGRAM_BYTES_MAX)
        return;
    uint64_t sent = sent_ns(simulator, now_ns, byte_count);
    if (happens(simulator, simulator->impairment.loss_ppm))
        return;
    keep(simulator, due_ns(simulator, sent), address, bytes, byte_count);
    if (happens(simulator, simulator->impairment.duplicate_ppm))
        keep(simulator, due_ns(simulator, sent), address, bytes, byte_count);
}

static const struct delayed_datagram *earliest(const struct network_simulator *simulator)
{
    const struct delayed_datagram *first = NULL;
    for (uint32_t i = 0, left = simulator->count; left > 0; i++) {
        const struct delayed_datagram *delayed = &simulator->delayed[i];
        left -= delayed->due_ns > 0;
        if (delayed->due_ns && (!first || delayed->due_ns < first->due_ns ||
                                (delayed->due_ns == first->due_ns && delayed->order < first->order)))
            first = delayed;
    }
    return first;
}

uint64_t network_simulator_due_ns(const struct network_simulator *simulator)
{
    const struct delayed_datagram *first = earliest(simulator);
    return first ? first->due_ns : UINT64_MAX;
}

size_t network_simulator_pop(struct network_simulator *simulator, uint64_t now_ns, struct net_address *address,
                             uint8_t bytes[DATAGRAM_BYTES_MAX])
{
    const struct delayed_datagram *first = earliest(simulator);
    if (!first || first->due_ns > now_ns)
        return 0;
    *address = first->address;
    simulator->arrived_ns = first->due_ns;
    memcpy(bytes, first->bytes, first->byte_count);
    simulator->delayed[first - simulator->delayed].due_ns = 0;
    simulator->count--;
    return first->byte_count;
}
