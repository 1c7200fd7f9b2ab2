// SPDX-License-Identifier: MIT
//
// Moves messages between peers, through a table of functions with two implementations: enet_transport.h over UDP, and
// for tests a seeded network inside one process. To use a transport, this header is enough. Single-threaded.
#ifndef NET_TRANSPORT_H
#define NET_TRANSPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "crypto/identity.h"
#include "impairment.h"
#include "net_address.h"

/// Largest message, bytes: fits one datagram of MTU 1200.
#define NET_MESSAGE_BYTES_MAX 1150

/// How a message travels.
enum net_channel {
    NET_RELIABLE,    ///< arrives once, in order
    NET_UNSEQUENCED, ///< arrives at most once, maybe never, in any order
    NET_APART,       ///< arrives once, in order, on a channel that does not wait for losses of NET_RELIABLE
};

/// What a poll can find.
enum net_event_kind { NET_NOTHING, NET_CONNECTED, NET_DISCONNECTED, NET_MESSAGE };

#define NET_TICKET_BYTES 32
/// Reason of a NET_DISCONNECTED at a client: the server has lost the session, because it has restarted. Join again.
#define NET_REASON_RESET UINT32_MAX
/// Bytes of an error text as a client keeps it, with its final zero.
#define NET_ERROR_BYTES 640
/// Bytes of the reason for a refusal, with its final zero.
#define NET_REASON_BYTES 128

/// A client that has connected. The identity is proven; the address is the one it connected from.
struct net_client {
    uint8_t identity[IDENTITY_BYTES]; ///< Ed25519 public key: the player's account
    struct net_address address;       ///< from which it joined; byte_count 0: unknown
    uint64_t household;               ///< of the address that it joined from (see household.h); 0: unknown
};

/// Decides whether a client that has proven its identity may join. False with a reason for the player ("": none).
/// Called for each join, so it must be quick.
struct net_admission {
    bool (*admits)(void *context, const struct net_client *client, char reason[NET_REASON_BYTES]); ///< null: everybody
    void *context;
};

/// Why a server refuses a client before it is connected.
enum denial { DENIAL_NONE, DENIAL_FULL, DENIAL_VERSION, DENIAL_BANNED, DENIAL_PASSWORD };

/// What a server listens with.
struct net_server_config {
    const char *bind_address; ///< IPv4 or IPv6; null or "0.0.0.0": everywhere, over both
    uint16_t port;            ///< 0: any free
    const int *sockets;       ///< bound by the server before this one, or -1; used if they fit; null: none
    uint32_t socket_count;
    uint32_t peer_capacity;
    uint32_t protocol;    ///< version of the messages; a client with another one is refused
    const char *key_path; ///< file of the server's key, made if missing; null: a key for this run
    const char *password; ///< that clients must give; null: none
    struct net_admission admission;
};

/// Where a server listens, and the fingerprint of its key.
struct net_endpoint {
    uint16_t port;
    char fingerprint[FINGERPRINT_TEXT_BYTES];
};

/// What a server gives to a client that it admits: replaces the password for a day, even after a restart of the server,
/// as long as the password and the client's key stay the same. Zero: none.
struct net_ticket {
    uint8_t bytes[NET_TICKET_BYTES];
    uint8_t server[32]; ///< public key of the server that gave it: to another it would be a wrong password
};

/// What a client connects with.
struct net_client_config {
    const char *host; ///< name or address
    uint16_t port;
    uint32_t protocol;
    const char *fingerprint;        ///< of the only key that it accepts; null or empty: see known_servers.h
    const char *claimed;            ///< fingerprint of which a list of servers says so; null or empty: none
    const char *known_servers_path; ///< file of known_servers.h; null: keeps none
    const char *key_path;           ///< file of the player's key, made if missing; null: a key for this run
    const char *certificate;        ///< of the server for browsers, in base64url; null or empty: none is known
    const char *through;   ///< host of a directory that introduces this client to the server; null or empty: nobody
    uint16_t through_port; ///< its UDP port
    const uint8_t *key;    ///< IDENTITY_SEED_BYTES random bytes in place of a file; null: see key_path
    const char *password;  ///< null: none
    char *proven; ///< FINGERPRINT_TEXT_BYTES: gets the server's fingerprint, before NET_CONNECTED; null: nobody asks
    struct net_ticket *ticket; ///< used before the password, and renewed while the transport lives; null: none is kept
    struct impairment impairment; ///< of its own traffic, for tests
    uint64_t impairment_seed;
};

struct net_event {
    enum net_event_kind kind;
    uint32_t peer;                   ///< 0 to peer capacity - 1; of a client: 0 is the server
    uint32_t reason;                 ///< of NET_DISCONNECTED: as the other side gave it; 0 after a timeout
    const struct net_client *client; ///< of NET_CONNECTED at a server, never null there; valid as the bytes are
    const uint8_t *bytes;            ///< of NET_MESSAGE; valid until the next call on this transport
    size_t byte_count;
    uint64_t
        age_us; ///< of a NET_UNSEQUENCED message: how long it had waited when this round of polls began; 0: unknown
};

/// The sessions of a server, by state, and how many households they are of.
struct net_sessions {
    uint32_t accepted; ///< have keys, but nothing has come with them
    uint32_t waiting;  ///< are connected, but have no player yet
    uint32_t playing;
    uint32_t leaving;
    uint32_t households;
    uint32_t webrtc; ///< of all, those of browsers
};

/// Why a server has not admitted somebody, counted since the start.
struct net_refusals {
    uint64_t joins_of_household;   ///< more joins than the rate of a household
    uint64_t joins_of_all;         ///< more joins than the rate of all
    uint64_t queries_of_household; ///< the same of queries that bring their challenge
    uint64_t queries_of_all;
    uint64_t denied[DENIAL_PASSWORD + 1]; ///< by enum denial; full: all sessions have a player
    uint64_t passwords_untried;           ///< of those denied: not tried, because their site has to wait
    uint64_t password_waits;              ///< sites that had to wait, each once until all is forgiven
    uint64_t gave_way;                    ///< sessions without a player that ended for a newer one
    uint64_t resets;                      ///< datagrams of unknown sessions, answered so that their clients join again
    uint64_t browsers_gave_way;           ///< browsers without a session that ended for a newer one
    uint64_t joins_from, queries_from, sessions_of; ///< the last household with too many of them; 0: none
    uint64_t browsers_of;                           ///< the household of the last browser that gave way; 0: none
    uint64_t passwords_from;                        ///< the last site that had to wait; 0: none
};

/// Counts since the start; bytes are payload of UDP.
struct net_totals {
    uint64_t bytes_in, bytes_out, packets_in, packets_out;
    uint64_t queries;              ///< A2S, answered
    uint64_t rejected;             ///< datagrams or messages dropped as malformed or beyond a limit
    uint64_t round_trips;          ///< of a client: measured so far
    uint32_t round_trip_us;        ///< of a client, the newest: see enet_peers.h
    uint32_t receive_buffer_bytes; ///< that the kernel granted the socket; 0: no socket
    struct net_sessions sessions;
    struct net_refusals refusals;
};

/// The A2S queries that a server answers (see query.h).
enum net_reply_kind { NET_REPLY_INFO, NET_REPLY_PLAYERS, NET_REPLY_RULES, NET_REPLIES };

/// Largest answer, bytes: it fits one datagram, which Debian's qstat needs.
#define NET_REPLY_BYTES_MAX 1200

/// An answer, from its kind on.
struct net_reply {
    uint16_t byte_count; ///< 0: there is none
    uint8_t bytes[NET_REPLY_BYTES_MAX];
};

/// Addresses that a server knows of itself.
#define NET_REPLIES_OWN_MAX 16

/// The answers of a server.
struct net_replies {
    struct net_reply of[NET_REPLIES];
    uint32_t own_count;
    struct net_address own[NET_REPLIES_OWN_MAX]; ///< of the server, as far as it knows: it proves itself for no others
};

struct transport;
struct household_rules;
struct punch_host_directory;

/// What an implementation fills in.
struct transport_table {
    bool (*poll)(struct transport *transport, struct net_event *event);
    bool (*send)(struct transport *transport, uint32_t peer, enum net_channel channel, const uint8_t *bytes,
                 size_t byte_count);
    void (*flush)(struct transport *transport);
    void (*disconnect)(struct transport *transport, uint32_t peer, uint32_t reason, bool now);
    void (*wait)(struct transport *transport, uint64_t deadline_ns);
    void (*totals)(const struct transport *transport, struct net_totals *totals);
    uint32_t (*rtt_ms)(const struct transport *transport, uint32_t peer);
    const char *(*error_text)(const struct transport *transport);                    ///< null: it never has one
    enum denial (*denial)(const struct transport *transport);                        ///< null: nobody is refused
    void (*reply)(struct transport *transport, const struct net_replies *replies);   ///< null: it gets no queries
    void (*password)(struct transport *transport, const char *password);             ///< null: it needs none
    void (*limit)(struct transport *transport, const struct household_rules *rules); ///< null: it knows no households
    void (*keep)(struct transport *transport, uint32_t peer);                        ///< null: nobody gives way
    bool (*is_busy)(const struct transport *transport);                              ///< null: never
    bool (*await_relay)(const struct transport *transport, uint64_t deadline_ns);    ///< null: there is none
    const char *(*silence)(const struct transport *transport);                       ///< null: never a reason
    void (*punch)(struct transport *transport, const struct punch_host_directory *directories,
                  uint32_t count); ///< null: it has no router
    void (*close)(struct transport *transport);
};

/// The first member of every implementation.
struct transport {
    const struct transport_table *table;
};

/// Takes the next event. False if there is none now. Never blocks; the work per call is bounded.
bool transport_poll(struct transport *transport, struct net_event *event);
/// Queues a message. False if the peer is gone, the size is 0 or too large, or memory is short (which is counted).
bool transport_send(struct transport *transport, uint32_t peer, enum net_channel channel, const uint8_t *bytes,
                    size_t byte_count);
/// Sends what is queued.
void transport_flush(struct transport *transport);
/// Ends a connection; `now`: without sending what is queued. A NET_DISCONNECTED follows unless `now`.
void transport_disconnect(struct transport *transport, uint32_t peer, uint32_t reason, bool now);
/// Sleeps until something arrives or the deadline of clock_now_ns(). The network of the tests returns at once.
void transport_wait(struct transport *transport, uint64_t deadline_ns);
/// Gets the traffic since the start.
void transport_totals(const struct transport *transport, struct net_totals *totals);
/// Returns the smoothed round trip of a peer, ms. For display only.
uint32_t transport_rtt_ms(const struct transport *transport, uint32_t peer);
/// Returns why a client was refused before it was connected, as a sentence for the player; "" if it was not.
const char *transport_error(const struct transport *transport);
/// The same for programs: the denial of the server; DENIAL_NONE if it did not refuse.
enum denial transport_denial(const struct transport *transport);
/// Returns why nobody has answered a client that a directory was to introduce, as a sentence for the player; "":
/// unknown.
const char *transport_silence(const struct transport *transport);
/// Sets the answers of a server to A2S queries. Until then it is silent.
void transport_reply(struct transport *transport, const struct net_replies *replies);
/// Sets the password that clients need from now on; "": none. Connected clients stay.
void transport_password(struct transport *transport, const char *password);
/// Sets what a household may have from now on. Until then there are no limits.
void transport_limit(struct transport *transport, const struct household_rules *rules);
/// Sets the directories that introduce clients to a server, at most PUNCH_HOST_DIRECTORIES_MAX (punch.h).
void transport_punch(struct transport *transport, const struct punch_host_directory *directories, uint32_t count);
/// Keeps the session of a peer that has a player: others give way to newer ones when the server is full.
void transport_keep(struct transport *transport, uint32_t peer);
/// Returns whether to poll again soon: somebody joins or asks, and waits for each answer, or so much arrives that the
/// socket could overflow. Otherwise it is enough to poll before each tick: messages say how long they have waited.
bool transport_is_busy(const struct transport *transport);
/// Datagrams of browsers pass through another process: sleeps until that has answered, at most until the deadline.
/// Returns false at once if no browser has sent anything lately.
bool transport_await_relay(const struct transport *transport, uint64_t deadline_ns);
/// Ends all connections and frees the transport; accepts null.
void transport_close(struct transport *transport);

#endif
