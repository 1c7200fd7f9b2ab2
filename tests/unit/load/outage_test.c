// SPDX-License-Identifier: MIT
#include "unit.h"

#include "load/load_client.h"

enum { TICK_US = 16667 };

static struct recovery recovery;
static uint64_t now_us;

// Takes acknowledgements, one a tick. Returns how long the recovery took that ended with one of them; UINT64_MAX: none.
static uint64_t take(uint32_t ack_us, uint32_t count)
{
    uint64_t took_us = UINT64_MAX;
    for (uint32_t i = 0; i < count; i++) {
        uint64_t took;
        now_us += TICK_US;
        if (load_client_recovery_ack(&recovery, ack_us, now_us, &took))
            took_us = took;
    }
    return took_us;
}

static void begin(void)
{
    recovery = (struct recovery){0};
    now_us = 5000000;
    assert_true(take(60000, 60) == UINT64_MAX);
}

EACH_TEST(begin, NULL);

TEST(a_stall_is_a_tenth_of_a_second_without_an_acknowledgement)
{
    now_us += 99999 - TICK_US;
    assert_true(take(60000, 1) == UINT64_MAX);
    now_us += 100000 - TICK_US;
    assert_true(take(60000, 1) == 0); // it is over at once
    assert_true(take(60000, 60) == UINT64_MAX);
}

TEST(a_recovery_ends_when_inputs_take_as_long_as_before)
{
    now_us += 200000;
    assert_true(take(300000, 30) == UINT64_MAX);
    assert_true(take(70400, 30) == UINT64_MAX); // 10 % and a quarter of a tick are 10,167
    uint64_t took_us = take(70100, 60);
    assert_in_range(took_us, 60 * TICK_US, 80 * TICK_US);
}

TEST(a_client_that_does_not_recover_counts_with_ten_seconds)
{
    now_us += 200000;
    assert_true(take(300000, 590) == UINT64_MAX);
    assert_true(take(300000, 30) == RECOVERY_US_MAX);
    now_us += 200000;
    assert_true(take(300000, 1) == 0); // as usual
}

TEST(what_is_usual_is_followed_and_a_stall_is_judged_from_its_end)
{
    assert_true(take(90000, 300) == UINT64_MAX);
    now_us += 200000;
    assert_true(take(90000, 1) == 0);
    now_us += 200000;
    assert_true(take(120000, 1) == UINT64_MAX); // averaged with what came before the stall, it would be near enough
}
