// SPDX-License-Identifier: MIT
//
// Finds servers: asks with Valve's A2S_INFO everybody on the local network by broadcast, and each address it is given,
// and keeps what they answer. Every server challenges first (source: developer.valvesoftware.com/wiki/Server_Queries).
// What comes from the network is hostile: a bad answer is dropped. Reads no clock; never blocks but for names of hosts.
#ifndef CORE_SERVER_BROWSER_H
#define CORE_SERVER_BROWSER_H

#include "base/error.h"
#include "net/udp_socket.h"

/// Servers that are kept.
#define SERVER_BROWSER_CAPACITY 48
/// Times that one is asked, and the time between, us.
#define SERVER_BROWSER_TRIES  3u
#define SERVER_BROWSER_TRY_US 700000u
#define SERVER_BROWSER_TEXT   48

/// A server that was asked, or has answered a broadcast.
struct server_browser_entry {
    char address[160]; ///< as it was given, or HOST:PORT
    char name[SERVER_BROWSER_TEXT], map[SERVER_BROWSER_TEXT], mode[16], version[16];
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
struct server_browser {
    struct udp_socket port;
    bool open;
    uint32_t broadcast_count;
    struct net_address broadcasts[2]; ///< everybody on the network, and on this machine
    uint32_t broadcast_tries;
    uint64_t broadcast_us; ///< last
    uint32_t count;
    struct server_browser_entry servers[SERVER_BROWSER_CAPACITY];
    uint64_t dropped; ///< bad answers
};

/// What an A2S answer is.
enum server_browser_answer { SERVER_BROWSER_NOISE, SERVER_BROWSER_CHALLENGE, SERVER_BROWSER_INFO };

/// Opens its socket. False with a sentence.
bool server_browser_open(struct server_browser *browser, struct error *error);
void server_browser_close(struct server_browser *browser);

/// Forgets all and asks anew: everybody within reach on this port, and the given addresses (HOST[:PORT][#KEY]).
void server_browser_search(struct server_browser *browser, uint16_t port, const char (*addresses)[512],
                           uint32_t address_count, uint64_t now_us);
/// Takes answers, asks again those who are silent.
void server_browser_step(struct server_browser *browser, uint64_t now_us);
/// What is known of an address; null: nothing.
const struct server_browser_entry *server_browser_find(const struct server_browser *browser, const char *address);

/// Whether a server is one of this network to be listed: of one that is heard by two ways, only the first is.
bool server_browser_lists(const struct server_browser *browser, uint32_t index);

/// Reads one datagram: what it is; a challenge into `challenge`, a server's words into `server`. Pure.
enum server_browser_answer server_browser_read(const uint8_t *bytes, size_t byte_count, uint8_t challenge[4],
                                               struct server_browser_entry *server);

#endif
