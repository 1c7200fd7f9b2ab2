// SPDX-License-Identifier: MIT
//
// What a directory knows, in memory alone: the servers that announce themselves, at which addresses each has proven to
// listen, what households may have, and which places are reserved. Everything in it is gone a minute after the last
// announcement, so a directory that starts again knows all within 20 seconds. No socket, no lock; time is an argument.
#ifndef DIRECTORY_DIRECTORY_H
#define DIRECTORY_DIRECTORY_H

#include "directory_state.h"

/// Names of enum directory_refusal, for metrics.
extern const char *const DIRECTORY_REFUSAL_NAMES[];

/// Begins empty, with random keys.
void directory_init(struct directory *directory, const struct log *log, const struct household_rules *households);

/// Frees what is in it, without itself. Accepts null.
void directory_clear(struct directory *directory);

/// The moment of a request.
struct directory_time {
    uint64_t now_ns, unix_ms; ///< clock_now_ns(), clock_unix_ns() / 10^6
};

/// What is said to who announces.
struct directory_reply {
    char address[NET_ADDRESS_TEXT_BYTES]; ///< as it is seen from here
    bool is_listed, has_failed;           ///< neither: it is being asked
    char mapping[NET_ADDRESS_TEXT_BYTES]; ///< at which this directory introduces clients to it; "": nowhere
    uint32_t again_ms;                    ///< when to announce again
};

/// Returns whether a household may announce or ask once more, and counts a refusal.
bool directory_admit(struct directory *directory, struct rate_limit_table *table, const struct net_address *from,
                     uint64_t now_ns);
/// Takes an announcement that came from an address. False with an error and its refusal as code; it is counted.
bool directory_announce(struct directory *directory, const char *text, size_t byte_count,
                        const struct net_address *from, struct directory_time time, struct directory_reply *reply,
                        struct error *error);

/// Takes a change from another directory with the same list, where it happened at change->at_ns, and its announcement,
/// which announcement_read() has read; null for kinds without one. False if it is of no use, as an old one, or beyond a
/// household's quota.
bool directory_learn(struct directory *directory, const struct change *change, const struct announcement *announcement,
                     uint64_t now_ns);

/// Writes a question that is to be sent now. Returns its bytes; 0: none. Call until it returns 0.
size_t directory_ask(struct directory *directory, uint64_t now_ns, struct net_address *to,
                     uint8_t bytes[REACH_QUESTION_BYTES]);
/// Takes a datagram.
void directory_hear(struct directory *directory, const struct net_address *from, const uint8_t *bytes,
                    size_t byte_count, uint64_t now_ns);
/// Takes where a server has registered for clients that are to be introduced to it. False if it does not announce
/// itself over this family.
bool directory_map(struct directory *directory, struct directory_entry *entry, const struct directory_mapping *mapping);
/// Forgets who has not announced for a minute. Looks once a second.
void directory_sweep(struct directory *directory, uint64_t now_ns);

/// Collects the servers that are listed, at a time in s since 1970. False without memory.
bool directory_list(const struct directory *directory, uint64_t unix_s, struct server_list *list);
/// Counts the listed addresses of a family.
uint32_t directory_listed(const struct directory *directory, uint32_t family);

#endif
