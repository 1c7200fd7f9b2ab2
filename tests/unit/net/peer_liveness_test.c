// SPDX-License-Identifier: MIT
#include "net/enet/peer_liveness.h"
#include "test.h"

#define NOBODY (-1)

TEST(of_commands_that_wait_the_oldest_of_each_channel_is_noted)
{
    static const struct {
        uint16_t numbers[3];
        uint16_t oldest;
    } rows[] = {
        /* 1 */ {{1, 2, 3}, 1},
        /* 2 */ {{3, 1, 2}, 1},
        /* 3 */ {{0, 65535, 1}, 65535},
        /* 4 */ {{32768, 1, 2}, 1},
        /* 5 */ {{5, 5, 5}, 5},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct peer_liveness_oldest oldest = {.waits = {false}};
        for (size_t j = 0; j < 3; j++)
            peer_liveness_note(&oldest, 1, rows[i].numbers[j]);
        assert_false(oldest.waits[0]);
        assert_true(oldest.waits[1]);
        assert_false(oldest.waits[2]);
        assert_int_equal(oldest.number[1], rows[i].oldest);
    }
}

// A peer is asked for every 100 ms from `from_ms` on; something comes from it until `heard_ms`, and on one channel a
// command waits that is the next one every `each_ms`.
struct life {
    uint32_t from_ms, heard_ms, each_ms;
    uint32_t channel;
    bool waits;
    int lost_after_ms; // NOBODY: never in 60 s
};

static int lost_after_ms(const struct life *life)
{
    struct peer_liveness liveness = {.heard_ms = life->from_ms};
    for (uint32_t ms = 0; ms <= 60000; ms += 100) {
        struct peer_liveness_oldest oldest = {.waits = {false}};
        if (ms <= life->heard_ms)
            liveness.heard_ms = life->from_ms + ms;
        if (life->waits)
            peer_liveness_note(&oldest, life->channel, (uint16_t)(ms / life->each_ms));
        if (peer_liveness_is_lost(&liveness, &oldest, life->from_ms + ms))
            return (int)ms;
    }
    return NOBODY;
}

TEST(a_peer_that_is_silent_or_does_not_acknowledge_is_lost)
{
    static const struct life rows[] = {
        /* 1 nothing comes */ {.heard_ms = 0, .lost_after_ms = 3500},
        /* 2 nothing comes any more */ {.heard_ms = 2000, .lost_after_ms = 5500},
        /* 3 it speaks and all is acknowledged */ {.heard_ms = 60000, .lost_after_ms = NOBODY},
        /* 4 it never acknowledges */
        {.heard_ms = 60000, .each_ms = 99999, .waits = true, .lost_after_ms = 7000},
        /* 5 on the second channel */
        {.heard_ms = 60000, .each_ms = 99999, .channel = 1, .waits = true, .lost_after_ms = 7000},
        /* 6 or beside the channels */
        {.heard_ms = 60000, .each_ms = 99999, .channel = 2, .waits = true, .lost_after_ms = 7000},
        /* 7 it acknowledges late, but always */
        {.heard_ms = 60000, .each_ms = 6900, .waits = true, .lost_after_ms = NOBODY},
        /* 8 the time wraps */
        {.from_ms = UINT32_MAX - 3000, .heard_ms = 60000, .each_ms = 99999, .waits = true, .lost_after_ms = 7000},
        /* 9 and of a silent one */ {.from_ms = UINT32_MAX - 3000, .heard_ms = 0, .lost_after_ms = 3500},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (lost_after_ms(&rows[i]) != rows[i].lost_after_ms)
            fail_msg("row %zu: lost after %d ms instead of %d", i + 1, lost_after_ms(&rows[i]), rows[i].lost_after_ms);
}

TEST(a_command_that_waits_again_is_another_one)
{
    struct peer_liveness liveness = {.heard_ms = 0};
    struct peer_liveness_oldest waits = {.waits = {true}, .number = {4}}, none = {.waits = {false}};
    assert_false(peer_liveness_is_lost(&liveness, &waits, 0));
    liveness.heard_ms = 6900;
    assert_false(peer_liveness_is_lost(&liveness, &none, 6900));
    assert_false(peer_liveness_is_lost(&liveness, &waits, 7000)); // of the same number, 65,536 later
    liveness.heard_ms = 13999;
    assert_false(peer_liveness_is_lost(&liveness, &waits, 13999));
    assert_true(peer_liveness_is_lost(&liveness, &waits, 14000));
}
