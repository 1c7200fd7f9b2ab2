// SPDX-License-Identifier: MIT
//
// The state of a directory: struct directory and the structs in it. Its parts (entries.h, places.h) work on this state
// and know nothing of directory.h, which includes it for all others.
#ifndef DIRECTORY_DIRECTORY_STATE_H
#define DIRECTORY_DIRECTORY_STATE_H

#include "base/log.h"
#include "discovery/announcement.h"
#include "discovery/server_list.h"
#include "household_counts.h"
#include "net/household.h"
#include "net/net_address.h"
#include "net/rate_limit.h"
#include "reach_question.h"
#include "store/change_queue.h"

/// Servers, listed or not.
#define DIRECTORY_CAPACITY SERVER_LIST_CAPACITY
/// Questions at a time.
#define DIRECTORY_QUESTIONS_MAX 4096
/// How long a place stays reserved, ns; and reservations at a time.
#define DIRECTORY_RESERVED_NS      20000000000u
#define DIRECTORY_RESERVATIONS_MAX 65536
/// Clients at a time that other directories want introduced from here.
#define DIRECTORY_RELAYS_MAX 256
/// How long a server stays registered for introductions, ns.
#define DIRECTORY_MAPPING_NS 50000000000u
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

/// An address of a server, over one family.
struct directory_address {
    struct net_address address; ///< byte_count 0: none
    uint64_t household, announced_ns, proven_ns;
    uint64_t time_ms; ///< of the announcement that says so, on the server's clock
    bool is_proven, has_failed, is_asked;
    struct directory_mapping {
        struct net_address address; ///< that a router gives the server towards this directory; byte_count 0: none
        uint64_t registered_ns;
        bool varies;       ///< it has another one for each destination
        bool is_elsewhere; ///< another directory with this list has registered it, and introduces
        uint8_t nonce[8];
    } mapping;
    struct reach_question question; ///< while is_asked
};

/// A server.
struct directory_entry {
    bool is_used;
    struct announcement last; ///< announcement
    char *text;               ///< the same as it was sent, if changes are shared; else null
    size_t text_bytes;
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

/// A client that another directory with this list was asked by.
struct directory_relay {
    struct net_address client;
    uint8_t nonce[8];
    char fingerprint[FINGERPRINT_TEXT_BYTES]; ///< of the server
};

/// Large: keep it on the heap. directory_init() initialises it.
struct directory {
    const struct log *log;
    struct directory_hosts {
        uint32_t count;
        const char *const *names;
    } hosts;                                   ///< names of this directory; none: any
    uint8_t public_key[SIGNED_TEXT_KEY_BYTES]; ///< of this directory
    uint16_t punch_port;                       ///< where servers register and clients ask, UDP; 0: nowhere
    struct household_rules households;         ///< players_max: servers of a household; 0: no limit
    uint8_t key[16];                           ///< of the chains, random
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
    struct notes *notes;          ///< of players for their friends, with a lock of their own; null: none
    struct change_queue *changes; ///< for the store; null: nobody shares them
    struct directory_sharing {
        bool is_on, is_up;                      ///< there is a store; it answers
        uint64_t sent, received, refused, lost; ///< changes
    } sharing;                                  ///< kept by the store
    uint32_t relay_count;
    struct directory_relay relays[DIRECTORY_RELAYS_MAX];
    struct directory_introductions {
        uint64_t registered, introduced, relayed;      ///< servers; clients; of these for another directory
        uint64_t unknown, forged, malformed, too_many; ///< refused
    } introductions;                                   ///< kept by the punch service
    bool has_changed;                                  ///< the list; the caller resets it
    uint64_t swept_ns;
    uint64_t accepted, refused[DIRECTORY_REFUSALS], proofs, failures, plays_answered, plays_refused;
};

#endif
