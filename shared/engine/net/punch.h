// SPDX-License-Identifier: MIT
//
// Hole punching: a server keeps a directory informed where its router lets it be reached, a client asks the directory
// for the server, the directory lets the server expect the client, and the server sends something there, so that its
// router lets the client in. The datagrams begin like queries, travel between the ordinary ports, and no answer is
// longer than what it answers. PROTOCOL.md documents them. Here are the datagrams, and the sides of a server (host) and
// of a client; punch_service.h has that of a directory. No socket; time and bytes are arguments.
#ifndef NET_PUNCH_H
#define NET_PUNCH_H

#include "crypto/identity.h"
#include "datagram.h"
#include "rate_limit.h"
#include "webrtc.h"

/// Bytes of the largest one.
#define PUNCH_PACKET_BYTES_MAX 70
#define PUNCH_PACKET_KEY_BYTES 32
#define PUNCH_PACKET_TAG_BYTES 16

enum punch_packet_kind {
    PUNCH_PACKET_REGISTER, ///< server to directory, authenticated: here I am
    PUNCH_PACKET_ASK,      ///< client to directory: let me in there
    PUNCH_PACKET_ANSWER,   ///< directory to both
    PUNCH_PACKET_EXPECT,   ///< directory to server, authenticated: somebody comes
    PUNCH_PACKET_HOLE,     ///< server to client: opens its router
    PUNCH_PACKET_KINDS,
};

/// What an answer says, and which address is in it.
enum punch_packet_status {
    PUNCH_PACKET_CHALLENGE,  ///< send that again, with this cookie; your own address
    PUNCH_PACKET_REGISTERED, ///< the server can be asked for; its own address
    PUNCH_PACKET_INTRODUCED, ///< the server expects you; its address
    PUNCH_PACKET_UNKNOWN,    ///< no such server has registered; your own address
    PUNCH_PACKET_SEEN,       ///< from the second port: your own address
    PUNCH_PACKET_STATUSES,
};

/// One of them. Each kind has some of the members; PUNCH_PACKET_REGISTER has `varies`, PUNCH_PACKET_ANSWER all but the
/// fingerprint, the number and the tag.
struct punch_packet {
    enum punch_packet_kind kind;
    uint8_t fingerprint[FINGERPRINT_TEXT_BYTES - 1]; ///< of the server, letters
    uint8_t nonce[8];                                ///< of who registers or asks, random
    uint8_t cookie[8];                               ///< of the directory for an address; zeros: none yet
    uint8_t number[8];                               ///< little-endian; grows from one PUNCH_PACKET_EXPECT to the next
    uint8_t status;                                  ///< enum punch_packet_status
    uint8_t varies;                                  ///< 1: the server's router has another port for each destination
    uint8_t place[NET_ADDRESS_PLACE_BYTES];          ///< see net_address_write_place()
    uint8_t port[2];                                 ///< of the directory's second port, little-endian
    uint8_t tag[PUNCH_PACKET_TAG_BYTES];
};

/// Writes one. Returns its bytes.
size_t punch_packet_write(const struct punch_packet *packet, uint8_t bytes[PUNCH_PACKET_BYTES_MAX]);
/// Reads one. False if the bytes are none of them.
bool punch_packet_read(struct punch_packet *packet, const uint8_t *bytes, size_t byte_count);
/// Gets the address in it, which can be sent to. False for port 0, no address, and those of many or of nobody.
bool punch_packet_address(const struct punch_packet *packet, struct net_address *address);

/// Computes the key that a server and a directory share, from the secret of one and the public key of the other
/// (X25519). False if the public key is bad.
bool punch_packet_key(const uint8_t secret[32], const uint8_t theirs[32], uint8_t key[PUNCH_PACKET_KEY_BYTES]);
/// Writes the tag at the end of an authenticated packet, for the server that has this nonce.
void punch_packet_authenticate(uint8_t *bytes, size_t byte_count, const uint8_t key[PUNCH_PACKET_KEY_BYTES],
                               const uint8_t nonce[8]);
/// Returns whether the tag at its end is right.
bool punch_packet_is_authentic(const uint8_t *bytes, size_t byte_count, const uint8_t key[PUNCH_PACKET_KEY_BYTES],
                               const uint8_t nonce[8]);

/// Directories, over IPv4 and IPv6 each for itself.
#define PUNCH_HOST_DIRECTORIES_MAX 16
/// Clients that are expected at a time.
#define PUNCH_HOST_CLIENTS_MAX 64
/// How often the server registers, ns: routers forget after 30 s at the earliest.
#define PUNCH_HOST_PERIOD_NS 15000000000u

/// A directory that introduces clients.
struct punch_host_directory {
    struct net_address address; ///< of its UDP port
    uint8_t key[PUNCH_PACKET_KEY_BYTES];
};

/// A server's side. It believes only a directory that it announces itself to, at that directory's address and under a
/// key that nobody else has, and each expectation once. Zero-initialised it has no directories.
struct punch_host {
    uint8_t fingerprint[FINGERPRINT_TEXT_BYTES - 1], nonce[8];
    uint32_t count;
    struct punch_host_row {
        struct punch_host_directory directory;
        struct net_address second; ///< its second port; byte_count 0: not known
        struct net_address seen;   ///< where the directory sees the server
        uint8_t cookie[8];
        bool asks_second, varies;
        uint32_t unanswered;
        uint64_t due_ns, again_ns; ///< when to register, and from when on a challenge is answered at once
        uint64_t number;           ///< of the last expectation
    } rows[PUNCH_HOST_DIRECTORIES_MAX];
    struct punch_host_client {
        struct net_address to;
        uint8_t nonce[8];
        uint32_t left; ///< datagrams
        uint64_t due_ns;
    } clients[PUNCH_HOST_CLIENTS_MAX];
    struct rate_limit expectations;
    uint64_t expected, refused; ///< clients; what was forged, repeated or too much
};

/// Begins with the fingerprint of the server's key.
void punch_host_init(struct punch_host *host, const char *fingerprint);
/// Sets the directories, at most PUNCH_HOST_DIRECTORIES_MAX. Those that stay keep what is known of them.
void punch_host_set(struct punch_host *host, const struct punch_host_directory *directories, uint32_t count,
                    uint64_t now_ns);
/// Writes the datagram that is due now. Returns its bytes; 0: none. Call until it returns 0.
size_t punch_host_due(struct punch_host *host, uint64_t now_ns, struct net_address *to,
                      uint8_t bytes[PUNCH_PACKET_BYTES_MAX]);
/// Takes a datagram. DATAGRAM_REJECTED if it is from no directory, or forged.
enum datagram_outcome punch_host_take(struct punch_host *host, const struct datagram *datagram);

/// A client's side: learns where the server is, and what stood in the way if nobody comes through. Zero-initialised it
/// asks nobody.
struct punch_client {
    bool is_on;
    struct net_address directory; ///< its UDP port
    struct net_address second;    ///< its second port; byte_count 0: not known
    struct net_address seen;      ///< where the directory sees this client
    uint8_t fingerprint[FINGERPRINT_TEXT_BYTES - 1], nonce[8], cookie[8];
    uint64_t due_ns, again_ns; ///< when to ask, and from when on a challenge is answered at once
    bool asks_second;
    bool is_answered, is_introduced, is_opened; ///< by the directory; to the server; the server has reached the client
    bool varies, server_varies;                 ///< the router here, and there, has another port for each destination
};

/// Begins to ask a directory for the server with a fingerprint.
void punch_client_begin(struct punch_client *client, const struct net_address *directory, const char *fingerprint,
                        uint64_t now_ns);
/// Writes the datagram that is due now. Returns its bytes; 0: none.
size_t punch_client_due(struct punch_client *client, uint64_t now_ns, struct net_address *to,
                        uint8_t bytes[PUNCH_PACKET_BYTES_MAX]);
/// Takes a datagram. True if it says where the server is.
bool punch_client_take(struct punch_client *client, const struct datagram *datagram, struct net_address *server);
/// Returns why nobody came through and what to do, as a sentence for the player; "" if no directory was asked.
const char *punch_client_failure(const struct punch_client *client);

/// How to join a server: its key, its certificate for browsers, and the directory that introduces clients to it.
struct punch_client_route {
    char fingerprint[FINGERPRINT_TEXT_BYTES];
    char certificate[WEBRTC_FINGERPRINT_TEXT_BYTES]; ///< empty: none is known
    char host[256];                                  ///< of the directory; empty: the server is reached directly
    uint16_t port;                                   ///< UDP
};

/// Reads KEY[.CERTIFICATE][@HOST:PORT], as it stands behind the # of an invitation. False for anything else.
bool punch_client_read_route(const char *text, struct punch_client_route *route);

#endif
