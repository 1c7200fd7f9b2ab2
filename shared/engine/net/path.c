// SPDX-License-Identifier: MIT
#include "path.h"

#include <sodium.h>
#include <string.h>

void path_credit_add(struct path_credit *credit, size_t byte_count, uint64_t life_ns, uint64_t now_ns)
{
    if (now_ns - credit->since_ns >= life_ns)
        *credit = (struct path_credit){.since_ns = now_ns};
    credit->byte_count += PATH_FACTOR * (uint32_t)byte_count;
}

bool path_credit_take(struct path_credit *credit, size_t byte_count, uint64_t life_ns, uint64_t now_ns)
{
    if (byte_count > credit->byte_count || now_ns - credit->since_ns >= 2 * life_ns)
        return false;
    credit->byte_count -= (uint32_t)byte_count;
    return true;
}

void path_init(struct path *path, const struct net_address *proven)
{
    *path = (struct path){.proven = *proven, .now = *proven};
}

static bool is_proven(const struct path *path)
{
    return net_address_equals(&path->now, &path->proven);
}

// Without an echo in time, the one who moved the session may not be its client.
static void give_up_when_due(struct path *path, uint64_t now_ns)
{
    if (now_ns >= path->end_ns)
        path->now = path->proven;
}

void path_receive(struct path *path, const struct datagram *datagram, bool newest)
{
    give_up_when_due(path, datagram->now_ns);
    bool is_here = net_address_equals(&datagram->from, &path->now);
    if (!is_here && !newest)
        return;
    if (!is_here) { // what an address has left is lost as the client moves on, so going to and fro earns nothing
        path->now = datagram->from;
        path->credit.byte_count = 0;
        path->challenged_ns = datagram->now_ns;
        path->end_ns = datagram->now_ns + PATH_NS_MAX;
        randombytes_buf(path->token, sizeof path->token);
    }
    path_credit_add(&path->credit, datagram->byte_count, PATH_CREDIT_NS, datagram->now_ns);
}

bool path_spend(struct path *path, size_t byte_count, uint64_t now_ns, struct net_address *to)
{
    give_up_when_due(path, now_ns);
    *to = path->now;
    return is_proven(path) || path_credit_take(&path->credit, byte_count, PATH_CREDIT_NS, now_ns);
}

bool path_challenge(struct path *path, uint64_t now_ns, uint8_t message[PATH_MESSAGE_BYTES])
{
    if (is_proven(path) || now_ns < path->challenged_ns)
        return false;
    path->challenged_ns = now_ns + PATH_CHALLENGE_NS;
    message[0] = PATH_CHALLENGE;
    memcpy(message + 1, path->token, PATH_TOKEN_BYTES);
    return true;
}

bool path_take_response(struct path *path, const struct net_address *from, const uint8_t *bytes, size_t byte_count)
{
    if (byte_count != PATH_MESSAGE_BYTES || bytes[0] != PATH_RESPONSE)
        return false;
    if (net_address_equals(from, &path->now) && sodium_memcmp(bytes + 1, path->token, PATH_TOKEN_BYTES) == 0)
        path->proven = path->now;
    return true;
}

bool path_answer(uint8_t *bytes, size_t byte_count)
{
    if (byte_count != PATH_MESSAGE_BYTES || bytes[0] != PATH_CHALLENGE)
        return false;
    bytes[0] = PATH_RESPONSE;
    return true;
}
