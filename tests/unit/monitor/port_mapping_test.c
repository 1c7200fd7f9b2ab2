// SPDX-License-Identifier: MIT
#include "base/clock.h"
#include "monitor/reach/port_mapping.h"
#include "test.h"

#define NOW_NS (1000 * CLOCK_SECOND_NS)

TEST(a_lease_is_renewed_after_half_of_it)
{
    static const struct {
        uint32_t lease_s;
        uint64_t next_ms, end_ms; // after its beginning; 0: no end
    } rows[] = {
        /* 1 */ {3600, 1800000, 3600000},
        /* 2 */ {4, 2000, 4000},
        /* 3 */ {1, 500, 1000},
        /* 4 */ {0, 1800000, 0}, // a router may forget it all the same
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct port_mapping_lease lease = {0};
        port_mapping_lease_begin(&lease, rows[i].lease_s, NOW_NS);
        assert_int_equal(lease.next_ns, NOW_NS + rows[i].next_ms * CLOCK_MS_NS);
        assert_int_equal(lease.end_ns, rows[i].end_ms ? NOW_NS + rows[i].end_ms * CLOCK_MS_NS : UINT64_MAX);
    }
}

TEST(what_is_not_renewed_lasts_until_its_end_and_is_asked_for_until_then)
{
    struct port_mapping_lease lease = {0};
    uint64_t now_ns = NOW_NS;
    port_mapping_lease_begin(&lease, 3600, now_ns);
    static const uint64_t waits_ms[] = {60000, 60000, 60000};
    for (size_t i = 0; i < sizeof waits_ms / sizeof *waits_ms; i++) {
        now_ns = lease.next_ns;
        assert_true(port_mapping_lease_fail(&lease, now_ns));
        assert_int_equal(lease.next_ns, now_ns + waits_ms[i] * CLOCK_MS_NS);
    }
    now_ns = NOW_NS + 3590 * CLOCK_SECOND_NS;
    assert_true(port_mapping_lease_fail(&lease, now_ns));
    assert_int_equal(lease.next_ns, now_ns + 5 * CLOCK_SECOND_NS); // half of the rest
    uint32_t times = 0;
    while (port_mapping_lease_fail(&lease, lease.next_ns))
        assert_in_range(times++, 0, 20);
    assert_int_equal(lease.next_ns - lease.end_ns > 60 * CLOCK_SECOND_NS, 1);
    port_mapping_lease_begin(&lease, 0, NOW_NS);
    assert_true(port_mapping_lease_fail(&lease, UINT64_MAX / 2));
}

TEST(without_a_lease_a_router_is_asked_each_minute)
{
    struct port_mapping_lease lease = {0};
    assert_false(port_mapping_lease_fail(&lease, NOW_NS));
    assert_int_equal(lease.next_ns, NOW_NS + 60 * CLOCK_SECOND_NS);
}
