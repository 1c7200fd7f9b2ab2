// SPDX-License-Identifier: MIT
//
// The state of a directory: struct directory and the structs in it. Its parts (entries.h, places.h) work on this state
// and know nothing of directory.h, which includes it for all others.
#ifndef DIRECTORY_DIRECTORY_STATE_H
#define DIRECTORY_DIRECTORY_STATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/log.h"
#include "discovery/announcement.h"
#include "discovery/server_list.h"
#include "household_counts.h"
#include "net/household.h"
#include "net/net_address.h"
#include "net/query.h"
#include "net/rate_limit.h"

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

/// Bytes of a question at most.
#define REACH_QUESTION_BYTES 41
/// How often it is sent, and how long it waits each time, ns.
#define REACH_QUESTION_TRIES  6
#define REACH_QUESTION_TRY_NS 500000000u
/// How many challenges are answered at once. These are no tries, or a few forged challenges would use them up.
#define REACH_QUESTION_CHALLENGES 16

enum reach_answer { REACH_WAITS, REACH_PROVEN, REACH_FAILED };

/// One address is asked whether the owner of a key listens there.
struct reach_question {
    struct query_proof proof;
    uint8_t tag[QUERY_PROOF_TAG_BYTES]; ///< that proves it
    uint8_t challenge[4];
    bool has_challenge;
    bool is_answer;      ///< the next one answers a challenge
    uint32_t challenges; ///< that were answered at once
    uint32_t tries;
    uint64_t due_ns; ///< when to send it again, or to give up
};

/// Changes at a time.
#define CHANGE_QUEUE_CAPACITY 4096

enum change_kind {
    CHANGE_PROVEN,   ///< a server listens at this address
    CHANGE_FAILED,   ///< it does no longer
    CHANGE_LEFT,     ///< the server ends
    CHANGE_RESERVED, ///< a place of it
    CHANGE_MAPPED,   ///< clients are introduced to it here, by the directory that says so
    CHANGE_ASKED,    ///< a client at this address asks to be introduced to it
    CHANGE_NOTED,    ///< a player at this address has left a note; it comes from notes_share() and not by the queue
    CHANGE_KINDS,
};

struct change {
    enum change_kind kind;
    uint8_t key[SIGNED_TEXT_KEY_BYTES]; ///< of the server; CHANGE_NOTED: zeros
    struct net_address address;         ///< with the port of the game; CHANGE_NOTED: with port 0
    uint64_t at_ns, proven_ns;          ///< when it happened; when the address was proven, or the note was left
    uint8_t nonce[8];                   ///< CHANGE_MAPPED: of the server; CHANGE_ASKED: of the client
    bool varies;                        ///< CHANGE_MAPPED: the router has another port for each destination
    size_t byte_count;                  ///< of the text; 0 without
    char text[ANNOUNCEMENT_BYTES_MAX];  ///< announcement; CHANGE_NOTED: struct note
};

/// What there is to say to other directories that share the list (see store.h). When nobody takes changes away, the
/// oldest give way, because all that matters is said again within 20 seconds. Large: keep it on the heap.
/// Zero-initialise.
struct change_queue {
    uint64_t first, end, lost; ///< counted since the start; lost: pushed out
    struct change changes[CHANGE_QUEUE_CAPACITY];
};

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
