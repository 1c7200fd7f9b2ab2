// SPDX-License-Identifier: MIT
#include "password_guard.h"

#include <sodium.h>
#include <string.h>

#include "base/little_endian.h"
#include "household.h"

// What a failure adds to the time until all is forgiven. A site has at most ten such times ahead of it, because the
// wait before the next failure is as long then: so in a day it fails once in each, and ten times more.
#define FORGIVEN_NS PASSWORD_GUARD_WAIT_MAX_NS

_Static_assert(PASSWORD_GUARD_KEY_BYTES == crypto_shorthash_KEYBYTES, "key");
_Static_assert(24 * 60 * 60 * UINT64_C(1000000000) / FORGIVEN_NS + 10 == PASSWORD_GUARD_DAY_MAX, "day");

static uint64_t hash_of(const struct password_guard *guard, const uint8_t *bytes, size_t byte_count)
{
    uint8_t hash[crypto_shorthash_BYTES];
    crypto_shorthash(hash, bytes, byte_count, guard->key);
    return little_endian_read(hash, sizeof hash);
}

static uint64_t site_of(const struct datagram *join)
{
    return household_site(household_of(&join->from));
}

static uint32_t set_of(const struct password_guard *guard, uint64_t site)
{
    uint8_t text[8];
    little_endian_write(text, site, sizeof text);
    return (uint32_t)(hash_of(guard, text, sizeof text) % PASSWORD_GUARD_SETS);
}

static const struct password_guard_site *find_site(const struct password_guard *guard, const struct datagram *join)
{
    uint64_t site = site_of(join);
    const struct password_guard_site *set = guard->sites[set_of(guard, site)];
    for (size_t i = 0; i < PASSWORD_GUARD_SET_SITES; i++)
        if (set[i].site == site && set[i].clear_ns > join->now_ns)
            return &set[i];
    return NULL;
}

void password_guard_init(struct password_guard *guard, const uint8_t key[PASSWORD_GUARD_KEY_BYTES])
{
    memset(guard, 0, sizeof *guard);
    memcpy(guard->key, key, PASSWORD_GUARD_KEY_BYTES);
}

uint64_t password_guard_wait_ns(const struct password_guard *guard, const struct datagram *join)
{
    const struct password_guard_site *site = find_site(guard, join);
    return site && site->next_ns > join->now_ns ? site->next_ns - join->now_ns : 0;
}

bool password_guard_has_failed(const struct password_guard *guard, const struct datagram *join)
{
    const struct password_guard_site *site = find_site(guard, join);
    uint64_t hash = hash_of(guard, join->bytes, join->byte_count);
    bool found = false;
    for (size_t i = 0; site && i < PASSWORD_GUARD_ATTEMPTS; i++)
        found |= site->attempts[i] == hash;
    return found;
}

bool password_guard_fail(struct password_guard *guard, const struct datagram *join)
{
    uint64_t number = site_of(join), now_ns = join->now_ns;
    struct password_guard_site *set = guard->sites[set_of(guard, number)], *site = set;
    for (size_t i = 0; i < PASSWORD_GUARD_SET_SITES && site->site != number; i++)
        if (set[i].site == number || set[i].clear_ns < site->clear_ns)
            site = &set[i];
    if (site->site != number || site->clear_ns <= now_ns)
        *site = (struct password_guard_site){.site = number, .clear_ns = now_ns};
    site->clear_ns += FORGIVEN_NS;
    site->attempts[site->attempt_count++ % PASSWORD_GUARD_ATTEMPTS] = hash_of(guard, join->bytes, join->byte_count);
    uint64_t failures = (site->clear_ns - now_ns + FORGIVEN_NS - 1) / FORGIVEN_NS;
    if (failures < PASSWORD_GUARD_AT_ONCE)
        return false;
    uint64_t wait_ns = PASSWORD_GUARD_WAIT_MIN_NS << (failures - PASSWORD_GUARD_AT_ONCE);
    site->next_ns = now_ns + (wait_ns < PASSWORD_GUARD_WAIT_MAX_NS ? wait_ns : PASSWORD_GUARD_WAIT_MAX_NS);
    bool is_first = !site->has_waited;
    site->has_waited = true;
    return is_first;
}

void password_guard_remember(struct password_guard *guard, const uint8_t static_key[32])
{
    if (password_guard_knows(guard, static_key))
        return;
    guard->accounts[guard->next_account] = hash_of(guard, static_key, 32);
    guard->next_account = (guard->next_account + 1) % PASSWORD_GUARD_ACCOUNTS;
}

bool password_guard_knows(const struct password_guard *guard, const uint8_t static_key[32])
{
    uint64_t hash = hash_of(guard, static_key, 32);
    bool found = false;
    for (size_t i = 0; i < PASSWORD_GUARD_ACCOUNTS; i++)
        found |= guard->accounts[i] == hash;
    return found;
}

void password_guard_forget(struct password_guard *guard)
{
    memset(guard->accounts, 0, sizeof guard->accounts);
}
