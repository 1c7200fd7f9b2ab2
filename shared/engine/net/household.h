// SPDX-License-Identifier: MIT
//
// Who shares a line to the internet: an IPv4 address, or a /56 of IPv6, which is what a provider gives a home. A server
// limits by household what a stranger may have more than once: joins, queries, sessions, seats and votes. Addresses of
// the local network and those that an operator lists have no limit of sessions, seats and votes.
#ifndef NET_HOUSEHOLD_H
#define NET_HOUSEHOLD_H

#include "net_address.h"

/// Ranges that an operator may list.
#define HOUSEHOLD_RANGE_CAPACITY 64
/// Local players of one client.
#define HOUSEHOLD_COUCH 4
/// Households of one site that count for themselves: more of them share what one may have.
#define HOUSEHOLD_SITE_MAX 4
/// Bytes of a household as text, with its final zero.
#define HOUSEHOLD_TEXT_BYTES 64

/// Addresses with the same first bits.
struct household_range {
    uint64_t prefix, mask; ///< of a household
};

/// What a household may have.
struct household_rules {
    uint32_t players_max; ///< players, and sessions without a player; 0: no limit
    bool limits_lan;      ///< private, link-local and loopback addresses have the same limits as others
    uint32_t exempt_count;
    struct household_range exempt[HOUSEHOLD_RANGE_CAPACITY];
};

/// Returns the household of an address, never 0.
uint64_t household_of(const struct net_address *address);
/// Returns the site of a household: of IPv6 its /48, which anybody gets from a tunnel broker and many providers, and
/// which has 256 households; of IPv4 the household itself.
uint64_t household_site(uint64_t household);
/// Writes "192.0.2.7" or "2001:db8:1:200::/56", of a site "2001:db8:1::/48"; "an unknown address" for 0.
void household_text(uint64_t household, char text[HOUSEHOLD_TEXT_BYTES]);
/// Reads ADDRESS or ADDRESS/BITS; more bits than a household has mean the whole household. False for anything else.
bool household_range_parse(const char *text, struct household_range *range);
/// Returns whether a household that holds `held` seats of `capacity`, `free` of which nobody holds, may take another.
/// The last eighth of the seats is for households without one, and only while more than half of them are free does a
/// household get more than HOUSEHOLD_COUCH: so a few households cannot fill a server of 16, and a few friends can.
bool household_may_sit(const struct household_rules *rules, uint32_t held, uint32_t free, uint32_t capacity);
/// Returns whether a household has no limits. Household 0, which is unknown, has none.
bool household_is_exempt(const struct household_rules *rules, uint64_t household);

#endif
