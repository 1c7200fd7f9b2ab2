// SPDX-License-Identifier: MIT
//
// How servers get onto the list of a directory, and off it: they announce themselves, prove that they listen where they
// say (by the query K of the game's port, see PROTOCOL.md: the question, its challenge, the question again, the proof;
// repeated where something is lost), register for introductions, or another directory with the same list has seen it.
// No socket, no lock; time is an argument.
#ifndef DIRECTORY_LISTING_H
#define DIRECTORY_LISTING_H

#include "directory.h"
#include "net/datagram.h"

/// Bytes of a question at most.
#define LISTING_QUESTION_BYTES 60

/// The moment of a request.
struct listing_time {
    uint64_t now_ns, unix_ms; ///< clock_now_ns(), clock_unix_ns() / 10^6
};

/// What is said to who announces.
struct listing_reply {
    char address[NET_ADDRESS_TEXT_BYTES]; ///< as it is seen from here
    bool is_listed, has_failed;           ///< neither: it is being asked
    char mapping[NET_ADDRESS_TEXT_BYTES]; ///< at which this directory introduces clients to it; "": nowhere
    uint32_t again_ms;                    ///< when to announce again
};

/// Takes an announcement that came from an address. False with an error and its refusal as code; it is counted.
bool listing_announce(struct directory *directory, const char *text, size_t byte_count, const struct net_address *from,
                      struct listing_time time, struct listing_reply *reply, struct error *error);
/// Writes a question that is to be sent now. Returns its bytes; 0: none. Call until it returns 0.
size_t listing_ask(struct directory *directory, uint64_t now_ns, struct net_address *to,
                   uint8_t bytes[LISTING_QUESTION_BYTES]);
/// Takes a datagram, which may be the answer to one. Noise and false proofs change nothing.
void listing_hear(struct directory *directory, const struct datagram *datagram);
/// Takes where a server has registered for clients that are to be introduced to it. False if it does not announce
/// itself over this family.
bool listing_map(struct directory *directory, struct directory_entry *entry, const struct directory_mapping *mapping);
/// Takes a change from another directory with the same list, where it happened at change->at_ns, and its announcement,
/// which announcement_read() has read; null for kinds without one. False if it is of no use, as an old one, or beyond a
/// household's quota.
bool listing_learn(struct directory *directory, const struct change *change, const struct announcement *announcement,
                   uint64_t now_ns);

#endif
