// SPDX-License-Identifier: MIT
//
// Limits how many passwords may be guessed. A server can tell a right password only by trying it, so it counts those
// that were wrong, by site (household.h): five are tried at once, the next one after 10 s, and each further one after
// twice as long, up to three minutes, in which a site is forgiven one failure as well. Who has proven the password is
// remembered by their key, and is tried whatever others of their site do. The tables are fixed: of the sites that share
// a set by a random key, the one that is forgiven first gives way, so strangers by the million forget light offenders
// and neither the worst ones nor anybody else. Time is an argument.
#ifndef NET_PASSWORD_GUARD_H
#define NET_PASSWORD_GUARD_H

#include "datagram.h"

#define PASSWORD_GUARD_KEY_BYTES   16
#define PASSWORD_GUARD_SETS        128
#define PASSWORD_GUARD_SET_SITES   8
#define PASSWORD_GUARD_ATTEMPTS    4                      ///< JOINs remembered of a site
#define PASSWORD_GUARD_ACCOUNTS    1024                   ///< accounts remembered
#define PASSWORD_GUARD_AT_ONCE     5                      ///< wrong passwords of a site before it has to wait
#define PASSWORD_GUARD_WAIT_MIN_NS UINT64_C(10000000000)  ///< after the fifth, ns
#define PASSWORD_GUARD_WAIT_MAX_NS UINT64_C(180000000000) ///< longest, ns; in it one failure is forgiven
/// Passwords of a site that are tried in a day at most: one in the longest wait, and those that came quicker.
#define PASSWORD_GUARD_DAY_MAX 490

/// A site that has given wrong passwords.
struct password_guard_site {
    uint64_t site;                              ///< see household_site(); 0: free
    uint64_t clear_ns;                          ///< when all is forgiven
    uint64_t next_ns;                           ///< not before, another password is tried
    uint64_t attempts[PASSWORD_GUARD_ATTEMPTS]; ///< hashes of the newest JOINs that were wrong
    uint32_t attempt_count;                     ///< that were wrong; the next one goes to the place of this number
    bool has_waited;                            ///< has had to wait since it was clear
};

struct password_guard {
    uint8_t key[PASSWORD_GUARD_KEY_BYTES];
    struct password_guard_site sites[PASSWORD_GUARD_SETS][PASSWORD_GUARD_SET_SITES];
    uint64_t accounts[PASSWORD_GUARD_ACCOUNTS]; ///< hashes of keys; 0: free
    uint32_t next_account;                      ///< to be replaced
};

/// Begins without failures and accounts; `key` is random.
void password_guard_init(struct password_guard *guard, const uint8_t key[PASSWORD_GUARD_KEY_BYTES]);
/// Returns how long the site of a JOIN has to wait until a password of it is tried, ns; 0: it may be tried now.
uint64_t password_guard_wait_ns(const struct password_guard *guard, const struct datagram *join);
/// Returns whether this very JOIN was wrong before: its sender repeats it until the answer arrives.
bool password_guard_has_failed(const struct password_guard *guard, const struct datagram *join);
/// Counts a JOIN with a wrong password. Returns whether its site has to wait from now on for the first time since it
/// was clear.
bool password_guard_fail(struct password_guard *guard, const struct datagram *join);
/// Remembers the key (32 bytes) of somebody who has proven the password. The oldest one is forgotten.
void password_guard_remember(struct password_guard *guard, const uint8_t static_key[32]);
/// Returns whether a key is remembered.
bool password_guard_knows(const struct password_guard *guard, const uint8_t static_key[32]);
/// Forgets all keys: the password has changed.
void password_guard_forget(struct password_guard *guard);

#endif
