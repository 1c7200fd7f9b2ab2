// SPDX-License-Identifier: MIT
//
// What a directory knows, in memory alone: the table of servers that announce themselves, an entry for each key with an
// address for each family, what households have, which places are reserved, and what other directories are to be told.
// It finds, adds, forgets and lists entries; listing.h says what gets them onto the list, places.h who is sent where. A
// family is 0 for IPv4 and 1 for IPv6. Everything is gone a minute after the last announcement, so a directory that
// starts again knows all within 20 seconds. No socket, no lock; time is an argument.
#ifndef DIRECTORY_DIRECTORY_H
#define DIRECTORY_DIRECTORY_H

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
/// How long a server that does not announce itself any more stays listed, ns.
#define DIRECTORY_LIFE_NS (ANNOUNCEMENT_LIFE_MS * (uint64_t)1000000)
/// How long a place stays reserved, ns; and reservations at a time.
#define DIRECTORY_RESERVED_NS      20000000000u
#define DIRECTORY_RESERVATIONS_MAX 65536
/// Clients at a time that other directories want introduced from here.
#define DIRECTORY_RELAYS_MAX 256
/// How long a server stays registered for introductions, ns.
#define DIRECTORY_MAPPING_NS 50000000000u
/// An announcement that waits for its proof is to be repeated so soon, ms.
#define DIRECTORY_SOON_MS 2000

/// An address is asked whether the owner of a key listens there.
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
    CHANGE_RESERVED, ///< a place of it, for a player at this address
    CHANGE_MAPPED,   ///< clients are introduced to it here, by the directory that says so
    CHANGE_ASKED,    ///< a client at this address asks to be introduced to it
    CHANGE_NOTED,    ///< a player at this address has left a note; it comes from notes_share() and not by the queue
    CHANGE_KINDS,
};

struct change {
    enum change_kind kind;
    uint8_t key[SIGNED_TEXT_KEY_BYTES]; ///< of the server; CHANGE_NOTED: zeros
    struct net_address address;         ///< with the port of the game; CHANGE_RESERVED, CHANGE_NOTED: with port 0
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
/// Their names, for metrics.
extern const char *const DIRECTORY_REFUSAL_NAMES[DIRECTORY_REFUSALS];

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
    uint64_t household; ///< that has no other place; 0: without limits, or given back
    struct directory_entry *entry;
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
        struct directory_entry *entry;
        uint32_t family;
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

/// Begins empty, with random keys.
void directory_init(struct directory *directory, const struct log *log, const struct household_rules *households);
/// Frees what is in it, without itself and without its notes. Accepts null.
void directory_clear(struct directory *directory);

/// Returns whether a household may announce or ask once more, and counts a refusal.
bool directory_admit(struct directory *directory, struct rate_limit_table *table, const struct net_address *from,
                     uint64_t now_ns);
/// Returns the family of an address.
uint32_t directory_family(const struct net_address *address);

/// Finds a server by its fingerprint. Null: none that announces itself.
struct directory_entry *directory_find(struct directory *directory, const char *fingerprint);
/// Finds a server by the key that signs its announcements. Null: none.
struct directory_entry *directory_find_key(struct directory *directory, const uint8_t key[SIGNED_TEXT_KEY_BYTES]);
/// Adds a server that has announced itself. Null: the table is full of servers that are listed.
struct directory_entry *directory_enter(struct directory *directory, const struct announcement *announcement,
                                        uint64_t now_ns);
/// Returns whether clients reach the server over a family.
bool directory_is_listed(const struct directory_entry *entry, uint32_t family);
/// Returns whether clients are introduced to it.
bool directory_is_mapped(const struct directory_entry *entry, uint32_t family);
/// Returns whether one of both is true of one of its addresses.
bool directory_is_public(const struct directory_entry *entry);
/// Returns the address of a server over the family of this one; another address before is forgotten.
struct directory_address *directory_move(struct directory *directory, struct directory_entry *entry,
                                         const struct net_address *fresh);
/// Takes an address from the list, if it is in there, and forgets it.
void directory_unlist(struct directory *directory, struct directory_entry *entry, uint32_t family);
/// Ends the question whether the server is reached over a family.
void directory_drop_question(struct directory *directory, const struct directory_entry *entry, uint32_t family);
/// Forgets who has not announced for a minute. Looks once a second.
void directory_sweep(struct directory *directory, uint64_t now_ns);
/// Logs what happened to a server: `line` may name {name}, {address} and {key}.
void directory_log(const struct directory *directory, const struct directory_entry *entry, const struct net_address *at,
                   const char *event, const char *line);

/// Tells the other directories with the same list what happened, if there are any. Returns the change, to be completed;
/// null: nobody is told.
struct change *directory_share(struct directory *directory, const struct directory_entry *entry, uint32_t family,
                               enum change_kind kind, uint64_t now_ns);
/// Tells them where a server has registered here.
void directory_share_mapping(struct directory *directory, const struct directory_entry *entry, uint32_t family,
                             uint64_t now_ns);
/// Returns whether changes of this kind have an announcement.
bool directory_change_announces(enum change_kind kind);
/// Adds a change, without its text. Returns it, to be filled.
struct change *directory_push_change(struct change_queue *queue);
/// Takes the oldest one away. False if there is none.
bool directory_pop_change(struct change_queue *queue, struct change *change);

/// Collects the servers that are listed, at a time in s since 1970. False without memory.
bool directory_list(const struct directory *directory, uint64_t unix_s, struct server_list *list);
/// Counts the listed addresses of a family.
uint32_t directory_listed(const struct directory *directory, uint32_t family);

#endif
