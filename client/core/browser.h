// SPDX-License-Identifier: MIT
//
// Finds servers: asks with Valve's A2S_INFO everybody on the local network by broadcast, and each address it is given,
// and keeps what they answer. Every server challenges first (source: developer.valvesoftware.com/wiki/Server_Queries).
// What comes from the network is hostile: a bad answer is dropped. Reads no clock; never blocks but for names of hosts.
#ifndef CLIENT_BROWSER_H
#define CLIENT_BROWSER_H

#include "base/error.h"
#include "net/datagram.h"

/// Servers that are kept.
#define BROWSER_CAPACITY 48
/// Times that one is asked, and the time between, us.
#define BROWSER_TRIES  3u
#define BROWSER_TRY_US 700000u
#define BROWSER_TEXT   48

/// A server that was asked, or has answered a broadcast.
struct browser_server {
    char address[160]; ///< as it was given, or HOST:PORT
    char name[BROWSER_TEXT], map[BROWSER_TEXT], mode[16], version[16];
    char key[40];                        ///< as it says itself, unproven; empty: it says nothing of it
    uint32_t players, bots, players_max; ///< players with bots
    uint32_t rtt_ms;
    bool has_password;
    bool local;    ///< answered a broadcast
    bool answered; ///< all above is known
    struct net_address place;
    uint32_t tries;
    uint64_t asked_us; ///< last
};

/// See above. Zero-initialise.
struct browser {
    struct datagram_port port;
    bool open;
    uint32_t broadcast_count;
    struct net_address broadcasts[2]; ///< everybody on the network, and on this machine
    uint32_t broadcast_tries;
    uint64_t broadcast_us; ///< last
    uint32_t count;
    struct browser_server servers[BROWSER_CAPACITY];
    uint64_t dropped; ///< bad answers
};

/// What an A2S answer is.
enum browser_answer { BROWSER_NOISE, BROWSER_CHALLENGE, BROWSER_INFO };

/// Opens its socket. False with a sentence.
bool browser_open(struct browser *browser, struct error *error);
void browser_close(struct browser *browser);

/// Forgets all and asks anew: everybody within reach on this port, and the given addresses (HOST[:PORT][#KEY]).
void browser_search(struct browser *browser, uint16_t port, const char (*addresses)[512], uint32_t address_count,
                    uint64_t now_us);
/// Takes answers, asks again those who are silent.
void browser_step(struct browser *browser, uint64_t now_us);
/// What is known of an address; null: nothing.
const struct browser_server *browser_find(const struct browser *browser, const char *address);

/// Whether a server is one of this network to be listed: of one that is heard by two ways, only the first is.
bool browser_lists(const struct browser *browser, uint32_t index);

/// Reads one datagram: what it is; a challenge into `challenge`, a server's words into `server`. Pure.
enum browser_answer browser_read(const uint8_t *bytes, size_t byte_count, uint8_t challenge[4],
                                 struct browser_server *server);

#endif
