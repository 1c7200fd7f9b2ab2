// SPDX-License-Identifier: MIT
//
// What a server sends to a directory, signed by the server's key: that it is there, on which port, and what it plays.
// The time in it grows from each announcement to the next, so an old one cannot be sent again, and it names the
// directory, so nobody can send it to another. The address is not in it: it is the one that the announcement comes
// from. PROTOCOL.md documents the members. Pure functions.
#ifndef DISCOVERY_ANNOUNCEMENT_H
#define DISCOVERY_ANNOUNCEMENT_H

#include "base/host_port.h"
#include "net/crypto/identity.h"
#include "server_facts.h"
#include "signed_text.h"

/// Bytes of an announcement at most.
#define ANNOUNCEMENT_BYTES_MAX 2048
/// How far its time may be from the directory's, ms.
#define ANNOUNCEMENT_CLOCK_MS 300000
/// How often a server announces itself, and how long it stays in a list without doing so, ms.
#define ANNOUNCEMENT_PERIOD_MS 20000
#define ANNOUNCEMENT_LIFE_MS   60000

struct announcement {
    uint8_t key[SIGNED_TEXT_KEY_BYTES];       ///< of the server, Ed25519; set by announcement_read()
    uint8_t server_key[IDENTITY_BYTES];       ///< the same as X25519, as in the handshake; set by announcement_read()
    char fingerprint[FINGERPRINT_TEXT_BYTES]; ///< of that, as in an invitation; set by announcement_read()
    uint64_t time_ms;                         ///< since 1970; more than in the one before
    char to[WEB_ADDRESS_AUTHORITY_BYTES];     ///< the directory, as the server was given its address
    bool leaves;                              ///< the server ends: it is to be listed no more
    uint16_t port;                            ///< UDP, never 0
    struct server_facts facts;
};

/// Signs an announcement. The caller frees the text. Null without memory.
char *announcement_write(const struct announcement *announcement, const uint8_t key[SIGNED_TEXT_KEY_BYTES],
                         const uint8_t secret[SIGNED_TEXT_SECRET_BYTES], size_t *byte_count);
/// Reads an announcement and verifies its signature. False with an error.
bool announcement_read(const char *text, size_t byte_count, struct announcement *announcement, struct error *error);

#endif
