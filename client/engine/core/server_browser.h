// SPDX-License-Identifier: MIT
//
// Finds servers: asks everybody on the local network by broadcast, and each given address, with Valve's A2S_INFO, and
// keeps the first answer of each, which proves nothing: name and key are claims until a join has proven the key. Every
// server challenges first (source: developer.valvesoftware.com/wiki/Server_Queries). Answers
// are hostile input: bad ones are dropped and counted. Servers of a long list are asked one by one, a few a second, and
// only while somebody looks at it. Reads no clock; blocks only to look up host names.
#ifndef CORE_SERVER_BROWSER_H
#define CORE_SERVER_BROWSER_H

#include "base/error.h"
#include "net/udp_socket.h"

/// Servers kept.
#define SERVER_BROWSER_CAPACITY 4096
/// How often a server is asked, and the time between two requests, us.
#define SERVER_BROWSER_TRIES  3u
#define SERVER_BROWSER_TRY_US 700000u
/// Time between two servers of a long list that are asked: eight a second, us.
#define SERVER_BROWSER_NEXT_US 125000u
/// Bytes of a name with the final zero; a longer one is cut.
#define SERVER_BROWSER_TEXT 48

/// A server that was asked, or that answered a broadcast.
struct server_browser_entry {
    char address[160]; ///< as given, or HOST:PORT
    char name[SERVER_BROWSER_TEXT], map[SERVER_BROWSER_TEXT], mode[16], version[16];
    char key[40];                        ///< fingerprint that it claims; a join proves it; empty: none
    uint32_t players, bots, players_max; ///< `players` includes bots
    uint32_t rtt_ms;
    uint32_t protocol; ///< 0: it does not say
    bool has_password;
    bool closes;       ///< nobody new may join
    uint32_t variants; ///< of its match: bits, 1 << enum variant
    bool local;        ///< answered a broadcast
    bool listed;       ///< asked by server_browser_ask()
    bool answered;     ///< everything above is known
    struct net_address net_address;
    uint32_t tries;
    uint64_t asked_us; ///< last
};

/// The servers found so far. Zero-initialise.
struct server_browser {
    struct udp_socket socket;
    bool open;
    uint32_t broadcast_count;
    struct net_address broadcasts[2]; ///< the network, and this machine
    uint32_t broadcast_tries;
    uint64_t broadcast_us; ///< last
    uint32_t count;
    struct server_browser_entry servers[SERVER_BROWSER_CAPACITY];
    uint64_t dropped; ///< bad answers
    uint64_t next_us; ///< until then server_browser_ask() asks nobody
    uint32_t changes; ///< grows when anything above does that a list would show
};

/// Kinds of A2S answers.
enum server_browser_answer { SERVER_BROWSER_NOISE, SERVER_BROWSER_CHALLENGE, SERVER_BROWSER_INFO };

/// Opens the socket. False with an error.
bool server_browser_open(struct server_browser *browser, struct error *error);
void server_browser_close(struct server_browser *browser);

/// Forgets all servers and asks again: everybody within reach on this port, and the given addresses
/// (HOST[:PORT][#KEY]).
void server_browser_search(struct server_browser *browser, uint16_t port, const char (*addresses)[512],
                           uint32_t address_count, uint64_t now_us);
/// Takes answers, and asks servers again that have not answered.
void server_browser_step(struct server_browser *browser, uint64_t now_us);
/// Asks a server of a long list by its numeric address, HOST:PORT, unless it has answered or been asked enough. Returns
/// false if its turn has not come, because another was asked a moment ago; then ask again later.
bool server_browser_ask(struct server_browser *browser, const char *address, uint64_t now_us);
/// Returns whether an entry has been asked as often as it will be, and long enough ago, without an answer.
bool server_browser_is_silent(const struct server_browser_entry *server, uint64_t now_us);
/// Returns what is known of an address; null if nothing is.
const struct server_browser_entry *server_browser_find(const struct server_browser *browser, const char *address);

/// Returns whether to list a server as one of the local network. A server of this machine that also answered from its
/// address in the network is listed once. Others that claim the same key are all listed, since only one of them has it.
bool server_browser_lists(const struct server_browser *browser, uint32_t index);

/// Reads one datagram and returns its kind; fills `challenge` from a challenge, `server` from an info. Pure.
enum server_browser_answer server_browser_read(const uint8_t *bytes, size_t byte_count, uint8_t challenge[4],
                                               struct server_browser_entry *server);

#endif
