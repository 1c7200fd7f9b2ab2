// SPDX-License-Identifier: MIT
//
// Which server of a directory somebody is sent to, to play or to look on, the places that are reserved there, and the
// line that /play and /watch answer. A server that is reached only by an introduction is joined by the name of this
// directory, too.
#ifndef DIRECTORY_PLACES_H
#define DIRECTORY_PLACES_H

#include "directory.h"

/// What somebody wants to play; empty texts and 0: any.
struct directory_wanted {
    const char *mode, *region;
    uint32_t protocol;
    struct net_address from; ///< who asks, to have one place for their household; byte_count 0: nobody knows
    bool over_ipv6;          ///< how they reach the server
    bool introduced;         ///< a server that has to be introduced to them will do
};

/// Finds the fullest server that has room, first one that is reached directly, then in the region, and reserves a place
/// there for DIRECTORY_RESERVED_NS. Null: there is none. Never gives more places than there are. A household that asks
/// again gives back the place that is still reserved for it; so does the one of its site that has asked first once
/// HOUSEHOLD_SITE_MAX of the site have places. Households without limits get a place each time.
const struct directory_entry *places_play(struct directory *directory, const struct directory_wanted *wanted,
                                          uint64_t now_ns);
/// Finds the best match that can be watched, of any region. Null: none.
const struct directory_entry *places_best_live(const struct directory *directory,
                                               const struct directory_wanted *wanted);
/// Reserves a place on a server until then for who asks from an address; their household gives back the one before.
/// False if too many are reserved.
bool places_reserve(struct directory *directory, struct directory_entry *entry, const struct net_address *from,
                    uint64_t until_ns);
/// Counts the places that are reserved.
uint32_t places_count_reserved(const struct directory *directory);

/// Reserves a place and writes ADDRESS:PORT#FINGERPRINT or ADDRESS:PORT#FINGERPRINT@HOST:PORT, and the end of the line.
/// `through` is HOST or HOST:PORT by which players know this directory; it introduces nobody if that is no host. The
/// caller frees the line. Null: no server has room, or there is no memory.
char *places_line_play(struct directory *directory, const struct directory_wanted *wanted, const char *through,
                       uint64_t now_ns);
/// Writes where the best match can be watched, and the end of the line. The caller frees it. Null: nowhere.
char *places_line_live(const struct directory *directory, const struct directory_wanted *wanted);

#endif
