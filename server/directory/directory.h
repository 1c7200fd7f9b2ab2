// SPDX-License-Identifier: MIT
//
// What a directory knows, in memory alone: the servers that announce themselves, at which addresses each has proven to
// listen, what households may have, and which places are reserved. Everything in it is gone a minute after the last
// announcement, so a directory that starts again knows all within 20 seconds. No socket, no lock; time is an argument.
#ifndef DIRECTORY_DIRECTORY_H
#define DIRECTORY_DIRECTORY_H

#include "base/log.h"
#include "discovery/announcement.h"
#include "discovery/server_list.h"
#include "household_counts.h"
#include "net/household.h"
#include "net/net_address.h"
#include "net/rate_limit.h"
#include "reach_question.h"

/// Servers, listed or not.
#define DIRECTORY_CAPACITY SERVER_LIST_CAPACITY
/// Questions at a time.
#define DIRECTORY_QUESTIONS_MAX 4096
/// How long a place stays reserved, ns; and reservations at a time.
#define DIRECTORY_RESERVED_NS      20000000000u
#define DIRECTORY_RESERVATIONS_MAX 65536
/// A proof is asked for again with the first announcement after this time, ns.
#define DIRECTORY_PROOF_NS 15000000000u
/// An announcement that waits for its proof is to be repeated so soon, ms.
#define DIRECTORY_SOON_MS 2000

/// Why an announcement was refused, counted.
enum directory_refusal {
    DIRECTORY_REFUSED_MALFORMED, ///< not readable, or the signature is wrong
    DIRECTORY_REFUSED_CLOCK,     ///< its time is far from ours
    DIRECTORY_REFUSED_REPLAYED,  ///< not newer than the one before
    DIRECTORY_REFUSED_ELSEWHERE, ///< it is for another directory
    DIRECTORY_REFUSED_RATE,      ///< the household announces or asks too often
    DIRECTORY_REFUSED_QUOTA,     ///< the household has too many servers
    DIRECTORY_REFUSED_FULL,      ///< the table is full
    DIRECTORY_REFUSALS,
};
/// Their names, for metrics.
extern const char *const DIRECTORY_REFUSAL_NAMES[];

/// An address of a server, over one family.
struct directory_address {
    struct net_address address; ///< byte_count 0: none
    uint64_t household, announced_ns, proven_ns;
    bool is_proven, has_failed, is_asked;
    struct reach_question question; ///< while is_asked
};

/// A server.
struct directory_entry {
    bool is_used;
    struct announcement last;              ///< announcement
    uint64_t announced_ns;                 ///< when it came
    uint32_t reserved;                     ///< places
    uint32_t after;                        ///< of its chain; UINT32_MAX: none
    uint64_t number;                       ///< of the entry, so that a reservation does not count for another
    struct directory_address addresses[2]; ///< IPv4, IPv6
};

/// A reserved place.
struct directory_reservation {
    uint64_t until_ns, number;
    uint32_t entry;
};

/// Large: keep it on the heap. directory_init() initialises it.
struct directory {
    const struct log *log;
    struct directory_hosts {
        uint32_t count;
        const char *const *names;
    } hosts;                           ///< names of this directory; none: any
    struct household_rules households; ///< players_max: servers of a household; 0: no limit
    uint8_t key[16];                   ///< of the chains, random
    uint32_t heads[DIRECTORY_CAPACITY];
    uint32_t top;    ///< entries beyond were never used
    uint32_t used;   ///< entries
    uint32_t cursor; ///< where a free one is looked for
    uint64_t numbers;
    struct directory_entry entries[DIRECTORY_CAPACITY];
    struct household_counts counts; ///< of servers
    struct rate_limit_table announcements, plays;
    uint32_t question_count;
    struct directory_asked {
        uint32_t entry, family;
    } questions[DIRECTORY_QUESTIONS_MAX];
    uint64_t reserved_first, reserved_end; ///< of the ring, counted since the start
    struct directory_reservation reservations[DIRECTORY_RESERVATIONS_MAX];
    bool has_changed; ///< the list; the caller resets it
    uint64_t swept_ns;
    uint64_t accepted, refused[DIRECTORY_REFUSALS], proofs, failures, plays_answered, plays_refused;
};

/// Begins empty, with random keys.
void directory_init(struct directory *directory, const struct log *log, const struct household_rules *households);

/// The moment of a request.
struct directory_time {
    uint64_t now_ns, unix_ms; ///< clock_now_ns(), clock_unix_ns() / 10^6
};

/// What is said to who announces.
struct directory_reply {
    char address[NET_ADDRESS_TEXT_BYTES]; ///< as it is seen from here
    bool is_listed, has_failed;           ///< neither: it is being asked
    uint32_t again_ms;                    ///< when to announce again
};

/// Returns whether a household may announce or ask once more, and counts a refusal.
bool directory_admit(struct directory *directory, struct rate_limit_table *table, const struct net_address *from,
                     uint64_t now_ns);
/// Takes an announcement that came from an address. False with an error and its refusal as code; it is counted.
bool directory_announce(struct directory *directory, const char *text, size_t byte_count,
                        const struct net_address *from, struct directory_time time, struct directory_reply *reply,
                        struct error *error);

/// Writes a question that is to be sent now. Returns its bytes; 0: none. Call until it returns 0.
size_t directory_ask(struct directory *directory, uint64_t now_ns, struct net_address *to,
                     uint8_t bytes[REACH_QUESTION_BYTES]);
/// Takes a datagram.
void directory_hear(struct directory *directory, const struct net_address *from, const uint8_t *bytes,
                    size_t byte_count, uint64_t now_ns);
/// Forgets who has not announced for a minute. Looks once a second.
void directory_sweep(struct directory *directory, uint64_t now_ns);

/// Collects the servers that are listed, at a time in s since 1970. False without memory.
bool directory_list(const struct directory *directory, uint64_t unix_s, struct server_list *list);
/// Counts the listed addresses of a family.
uint32_t directory_listed(const struct directory *directory, uint32_t family);

/// What somebody wants to play; empty texts and 0: any.
struct directory_wanted {
    const char *mode, *region;
    uint32_t protocol;
    bool over_ipv6; ///< how they reach the server
};

/// Finds the fullest server that has room, first in the region, and reserves a place there for
/// DIRECTORY_RESERVED_NS. Null: there is none. Never gives more places than there are.
const struct directory_entry *directory_play(struct directory *directory, const struct directory_wanted *wanted,
                                             uint64_t now_ns);

#endif
