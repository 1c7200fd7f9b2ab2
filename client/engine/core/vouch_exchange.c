// SPDX-License-Identifier: MIT
#include "vouch_exchange.h"

#include <string.h>

void vouch_exchange_take(struct vouch_exchange *exchange, const struct message *message)
{
    if (message->kind == MESSAGE_VOUCH) {
        memcpy(exchange->vouch, message->as.vouch, sizeof exchange->vouch);
        exchange->has_vouch = true;
    } else {
        exchange->trusted = message->as.trusted;
        exchange->has_trusted = true;
    }
}

// A bucket of VOUCH_EXCHANGE_BURST tokens that is full at a time.
static bool take_token(uint64_t *full_us, uint64_t now_us)
{
    uint64_t full = *full_us > now_us ? *full_us : now_us;
    if (full - now_us > (VOUCH_EXCHANGE_BURST - 1) * VOUCH_EXCHANGE_PERIOD_US)
        return false;
    *full_us = full + VOUCH_EXCHANGE_PERIOD_US;
    return true;
}

// The player shows what servers have said about them to a server that believes those.
static void show(const struct trusted_message *trusted, const struct client_vouches *vouches,
                 struct connection *connection)
{
    struct message message = {.kind = MESSAGE_SHOW};
    for (uint32_t i = 0; i < trusted->count && vouches->find; i++)
        if (vouches->find(connection->context, trusted->fingerprints[i], message.as.show))
            connection_send(connection, &message);
}

void vouch_exchange_step(struct vouch_exchange *exchange, const struct client_vouches *vouches,
                         struct connection *connection, uint64_t now_us)
{
    if (exchange->has_vouch && take_token(&exchange->vouch_full_us, now_us))
        vouch_exchange_end(exchange, vouches, connection->context);
    if (exchange->has_trusted && take_token(&exchange->trusted_full_us, now_us)) {
        exchange->has_trusted = false;
        show(&exchange->trusted, vouches, connection);
    }
}

void vouch_exchange_end(struct vouch_exchange *exchange, const struct client_vouches *vouches, void *context)
{
    if (exchange->has_vouch && vouches->keep)
        vouches->keep(context, exchange->vouch);
    exchange->has_vouch = false;
}
