// SPDX-License-Identifier: MIT
//
// What a server and a client open their transport with, and what they get besides it. Apart from transport.h, since
// only those who open one need it.
#ifndef NET_TRANSPORT_CONFIG_H
#define NET_TRANSPORT_CONFIG_H

#include "impairment.h"
#include "transport.h"

/// What a server listens with.
struct net_server_config {
    const char *bind_address; ///< IPv4 or IPv6; null or "0.0.0.0": everywhere, over both
    uint16_t port;            ///< 0: any free
    uint32_t peer_capacity;
    uint32_t protocol;    ///< version of the messages; a client with another one is refused
    const char *key_path; ///< file of the server's key, made if missing; null: a key for this run
    const char *password; ///< that clients must give; null: none
    struct net_admission admission;
};

/// Where a server is, and by what it is known.
struct net_endpoint {
    uint16_t port;
    char fingerprint[NET_FINGERPRINT_BYTES];
};

#define NET_KEY_BYTES    32
#define NET_TICKET_BYTES 32

/// What a server has given to a client that it let in: serves in place of the password for a day, also after a restart
/// of the server, as long as the password and the client's key stay the same. Zero: none.
struct net_ticket {
    uint8_t bytes[NET_TICKET_BYTES];
};

/// What a client connects with.
struct net_client_config {
    const char *host; ///< name or address
    uint16_t port;
    uint32_t protocol;
    const char *fingerprint;        ///< the only key it accepts; null or empty: any that is not known otherwise
    const char *known_servers_path; ///< list of servers met; null: keeps none
    const char *key_path;           ///< file of the player's key, made if missing; null: a key for this run
    const uint8_t *key;             ///< NET_KEY_BYTES random bytes in place of a file; null: see key_path
    const char *password;           ///< null: none
    struct net_ticket *ticket; ///< used before the password, and renewed while the transport lives; null: none is kept
    struct impairment impairment; ///< of its own traffic, for trying
    uint64_t impairment_seed;
};

#endif
