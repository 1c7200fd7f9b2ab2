// SPDX-License-Identifier: MIT
//
// What a server says about the player, to be kept, and which servers it believes, to be shown what those have said.
// Each costs the caller a file and signatures, so a server is heard a few times at once and then every ten seconds: of
// a flood, the newest message counts. Reads no clock.
#ifndef CORE_VOUCH_EXCHANGE_H
#define CORE_VOUCH_EXCHANGE_H

#include "connection.h"

/// Messages of a kind that are heard at once, and the time after which one more is, us.
#define VOUCH_EXCHANGE_BURST     4u
#define VOUCH_EXCHANGE_PERIOD_US UINT64_C(10000000)

/// Where vouches are kept (net/crypto/vouch.h). Both get the context of the client_config.
struct client_vouches {
    /// Keeps a vouch of the server of this connection. Null: none is kept.
    void (*keep)(void *context, const uint8_t bytes[MESSAGE_VOUCH_BYTES]);
    /// Finds the vouch of the server with this fingerprint. False if there is none, or the player does not show it.
    /// Null: none is shown.
    bool (*find)(void *context, const char *fingerprint, uint8_t bytes[MESSAGE_VOUCH_BYTES]);
};

/// Zero-initialise.
struct vouch_exchange {
    bool has_vouch, has_trusted; ///< heard, and waiting for its time
    uint64_t vouch_full_us, trusted_full_us;
    uint8_t vouch[MESSAGE_VOUCH_BYTES];
    struct trusted_message trusted;
};

/// Takes MESSAGE_VOUCH or MESSAGE_TRUSTED.
void vouch_exchange_take(struct vouch_exchange *exchange, const struct message *message);
/// Does what is due: keeps the vouch, and sends those that are asked for.
void vouch_exchange_step(struct vouch_exchange *exchange, const struct client_vouches *vouches,
                         struct connection *connection, uint64_t now_us);
/// Keeps the vouch that waits, at the end of the session.
void vouch_exchange_end(struct vouch_exchange *exchange, const struct client_vouches *vouches, void *context);

#endif
