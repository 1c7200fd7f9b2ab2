// SPDX-License-Identifier: MIT
#include <string.h>

#include "base/little_endian.h"
#include "net/password_guard.h"
#include "test.h"

#define SECOND_NS UINT64_C(1000000000)
#define DAY_S     86400u

static const struct net_address home = {{192, 0, 2, 7, 1, 1}, ADDRESS_BYTES_IPV4};
static const struct net_address elsewhere = {{192, 0, 2, 8, 1, 1}, ADDRESS_BYTES_IPV4};

static struct password_guard guard;
static uint64_t now_ns;
static uint8_t bytes[8]; // of the newest JOIN, all of which differ

static void begin(void)
{
    static const uint8_t key[PASSWORD_GUARD_KEY_BYTES] = {1, 2, 3};
    memset(&guard, 0xff, sizeof guard);
    password_guard_init(&guard, key);
    now_ns = 1000 * SECOND_NS;
}

EACH_TEST(begin, NULL);

static struct datagram join_of(const struct net_address *from)
{
    static uint64_t number;
    little_endian_write(bytes, ++number, sizeof bytes);
    return (struct datagram){*from, now_ns, bytes, sizeof bytes};
}

static uint64_t wait_s(const struct net_address *from)
{
    struct datagram join = join_of(from);
    return (password_guard_wait_ns(&guard, &join) + SECOND_NS - 1) / SECOND_NS;
}

static bool fail_from(const struct net_address *from)
{
    struct datagram join = join_of(from);
    return password_guard_fail(&guard, &join);
}

TEST(five_are_tried_at_once_and_each_further_one_after_twice_as_long)
{
    static const uint32_t waits_s[] = {0, 0, 0, 0, 10, 20, 40, 80, 160};
    for (size_t i = 0; i < COUNT_OF(waits_s); i++) {
        fail_from(&home);
        if (wait_s(&home) != waits_s[i])
            fail_msg("failure %zu: %llu s", i + 1, (unsigned long long)wait_s(&home));
        now_ns += waits_s[i] * SECOND_NS;
        assert_int_equal(wait_s(&home), 0);
    }
    for (int i = 0; i < 10; i++) {
        fail_from(&home);
        now_ns += wait_s(&home) * SECOND_NS;
    }
    fail_from(&home);
    assert_int_equal(wait_s(&home), PASSWORD_GUARD_WAIT_MAX_NS / SECOND_NS);
    assert_int_equal(wait_s(&elsewhere), 0);
}

// As often as it can, in bursts after a pause of some length.
TEST(in_no_day_are_more_than_490_of_an_address_tried)
{
    static const uint32_t pauses_s[] = {0, 60, 179, 181, 900, 1800, 7200};
    for (size_t i = 0; i < COUNT_OF(pauses_s); i++) {
        uint32_t tried = 0;
        begin();
        for (uint32_t second = 0; second < DAY_S; second++, now_ns += SECOND_NS) {
            bool pauses = pauses_s[i] && second % (2 * pauses_s[i]) < pauses_s[i];
            for (; !pauses && wait_s(&home) == 0; tried++)
                fail_from(&home);
        }
        if (tried > PASSWORD_GUARD_DAY_MAX || (i == 0 && tried < PASSWORD_GUARD_DAY_MAX - 10))
            fail_msg("pauses of %u s: %u", pauses_s[i], tried);
    }
}

TEST(a_site_is_forgiven_one_failure_in_three_minutes)
{
    for (int i = 0; i < 5; i++)
        fail_from(&home);
    now_ns += 2 * PASSWORD_GUARD_WAIT_MAX_NS;
    fail_from(&home);
    assert_int_equal(wait_s(&home), 0);
    fail_from(&home);
    assert_int_equal(wait_s(&home), 10);
    now_ns += 5 * PASSWORD_GUARD_WAIT_MAX_NS;
    for (int i = 0; i < 4; i++)
        fail_from(&home);
    assert_int_equal(wait_s(&home), 0);
}

TEST(a_ban_is_reported_once_until_all_is_forgiven)
{
    uint32_t reported = 0;
    for (uint32_t second = 0; second < DAY_S; second++, now_ns += SECOND_NS)
        for (; wait_s(&home) == 0;)
            reported += fail_from(&home);
    assert_int_equal(reported, 1);
    now_ns += 10 * PASSWORD_GUARD_WAIT_MAX_NS;
    for (int i = 0; i < 5; i++)
        reported += fail_from(&home);
    assert_int_equal(reported, 2);
}

TEST(a_site_of_ipv6_waits_as_one)
{
    struct net_address from = {{0x20, 1, 0xd, 0xb8, 0, 1, 0}, 18}, other_site = from;
    other_site.bytes[5] = 2;
    for (uint8_t i = 0; i < 5; i++) {
        from.bytes[6] = from.bytes[15] = i;
        fail_from(&from);
    }
    from.bytes[6] = 99;
    assert_int_equal(wait_s(&from), 10);
    assert_int_equal(wait_s(&other_site), 0);
}

TEST(a_repeated_join_is_recognised_among_those_of_its_site)
{
    struct datagram joins[PASSWORD_GUARD_ATTEMPTS];
    static uint8_t own[PASSWORD_GUARD_ATTEMPTS][8];
    for (size_t i = 0; i < COUNT_OF(joins); i++) {
        joins[i] = join_of(&home);
        joins[i].bytes = memcpy(own[i], bytes, sizeof bytes);
        assert_false(password_guard_has_failed(&guard, &joins[i]));
        password_guard_fail(&guard, &joins[i]);
    }
    for (size_t i = 0; i < COUNT_OF(joins); i++)
        assert_true(password_guard_has_failed(&guard, &joins[i]));
    struct datagram other = joins[0];
    other.from = elsewhere;
    assert_false(password_guard_has_failed(&guard, &other));
    own[0][7] ^= 1;
    assert_false(password_guard_has_failed(&guard, &joins[0]));
}

// Each from an address of its own, some thousand times as many as there is room for.
TEST(strangers_by_the_million_neither_free_the_worst_nor_stop_anybody_else)
{
    struct net_address stranger = {{11, 0, 0, 0, 1, 1}, ADDRESS_BYTES_IPV4};
    while (now_ns < 3000 * SECOND_NS) {
        if (wait_s(&home) == 0)
            fail_from(&home);
        now_ns += SECOND_NS;
    }
    while (wait_s(&home) < 100) {
        if (wait_s(&home) == 0)
            fail_from(&home);
        now_ns += SECOND_NS;
    }
    uint64_t wait_before_s = wait_s(&home);
    for (uint32_t i = 0; i < 1000000; i++) {
        little_endian_write(stranger.bytes + 1, i, 3);
        fail_from(&stranger);
    }
    assert_int_equal(wait_s(&home), wait_before_s);
    assert_int_equal(wait_s(&elsewhere), 0);
    for (int i = 0; i < 5; i++)
        fail_from(&elsewhere);
    assert_int_equal(wait_s(&elsewhere), 10);
}

TEST(the_newest_accounts_are_remembered_until_the_password_changes)
{
    uint8_t key[32] = {0};
    for (uint32_t i = 0; i <= PASSWORD_GUARD_ACCOUNTS; i++) {
        little_endian_write(key, i, 4);
        assert_false(password_guard_knows(&guard, key));
        for (int times = 0; times < 3; times++) // it takes one place
            password_guard_remember(&guard, key);
        assert_true(password_guard_knows(&guard, key));
    }
    little_endian_write(key, 0, 4);
    assert_false(password_guard_knows(&guard, key));
    little_endian_write(key, 1, 4);
    assert_true(password_guard_knows(&guard, key));
    password_guard_forget(&guard);
    assert_false(password_guard_knows(&guard, key));
}
