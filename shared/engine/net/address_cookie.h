// SPDX-License-Identifier: MIT
//
// A number that proves to who drew it that somebody receives at an address: it is sent there, and comes back. It
// follows from the address, the time and a random key, so nothing is kept for strangers. Time is an argument.
#ifndef NET_ADDRESS_COOKIE_H
#define NET_ADDRESS_COOKIE_H

#include "net_address.h"

#define ADDRESS_COOKIE_KEY_BYTES 16
/// Length of an epoch, ns. A cookie is valid in its epoch and the next.
#define ADDRESS_COOKIE_EPOCH_NS 30000000000u

/// Returns the cookie of an address now, all of its 64 bits random to who does not know the key.
uint64_t address_cookie_of(const uint8_t key[ADDRESS_COOKIE_KEY_BYTES], const struct net_address *from,
                           uint64_t now_ns);
/// Returns whether a cookie is that of the address, in this epoch or the one before.
bool address_cookie_is_met(const uint8_t key[ADDRESS_COOKIE_KEY_BYTES], const struct net_address *from, uint64_t now_ns,
                           uint64_t cookie);

#endif
