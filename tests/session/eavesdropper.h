// SPDX-License-Identifier: MIT
//
// Somebody on the way between an honest client and its server, who hears all that they send, keeps nothing back, and
// adds datagrams in the name of either: to end the client's session, or to use up what the server has for it. For tests
// in the virtual time of virtual_udp.h. It knows PROTOCOL.md, and no keys.
#ifndef SESSION_EAVESDROPPER_H
#define SESSION_EAVESDROPPER_H

#include "net/datagram.h"

#define EAVESDROPPER_HEARD       8
#define EAVESDROPPER_HEARD_BYTES 256

struct eavesdropper {
    struct net_address own;    ///< where it gets answers itself
    struct net_address client; ///< it is on their line; byte_count 0: on nobody's
    uint32_t per_step;         ///< datagrams that it adds in a step, at most; not 0
    uint64_t random;
    uint8_t name[4]; ///< of the client's newest session
    bool has_name;
    uint32_t resets_heard; ///< by the client, or as answers to its own datagrams
    uint8_t tokens[EAVESDROPPER_HEARD][16];
    uint32_t datagrams_heard; ///< of the client
    struct {
        size_t byte_count;
        uint8_t bytes[EAVESDROPPER_HEARD_BYTES];
    } datagrams[EAVESDROPPER_HEARD];
    uint64_t resets_forged; ///< for the client
};

/// Hears a datagram that is on its way between client and server, or that the server has sent to its own address.
void eavesdropper_hear(struct eavesdropper *eavesdropper, bool to_server, const uint8_t *bytes, size_t byte_count);
/// Adds what it adds in a step of 1/60 s.
void eavesdropper_step(struct eavesdropper *eavesdropper);

#endif
