// SPDX-License-Identifier: MIT
//
// What a directory has to say to others that share its list (see store.h): announcements of servers that have proven
// themselves, addresses that no longer answer, introductions, and places that are reserved. A ring of fixed size: when
// nobody takes changes away, the oldest give way, because all that matters is said again within 20 seconds. No lock.
#ifndef DIRECTORY_CHANGE_QUEUE_H
#define DIRECTORY_CHANGE_QUEUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "discovery/announcement.h"
#include "net/net_address.h"

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

/// Large: keep it on the heap. Zero-initialise.
struct change_queue {
    uint64_t first, end, lost; ///< counted since the start; lost: pushed out
    struct change changes[CHANGE_QUEUE_CAPACITY];
};

/// Returns whether changes of this kind have an announcement.
bool change_queue_announces(enum change_kind kind);
/// Adds a change, without its text. Returns it, to be filled.
struct change *change_queue_push(struct change_queue *queue);
/// Takes the oldest one away. False if there is none.
bool change_queue_pop(struct change_queue *queue, struct change *change);

#endif
