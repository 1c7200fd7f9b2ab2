// SPDX-License-Identifier: MIT
//
// Tests when a peer of ENet is gone, and the measurement of round trips from the time stamps of datagrams.
#include "net/enet/enet_peers.h"
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
        struct enet_adapter_oldest oldest = {.waits = {false}};
        for (size_t j = 0; j < 3; j++)
            enet_adapter_note(&oldest, 1, rows[i].numbers[j]);
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
    struct enet_peer peer = {.heard_ms = life->from_ms};
    for (uint32_t ms = 0; ms <= 60000; ms += 100) {
        struct enet_adapter_oldest oldest = {.waits = {false}};
        if (ms <= life->heard_ms)
            peer.heard_ms = life->from_ms + ms;
        if (life->waits)
            enet_adapter_note(&oldest, life->channel, (uint16_t)(ms / life->each_ms));
        if (enet_peers_is_gone(&peer, &oldest, life->from_ms + ms))
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
    struct enet_peer peer = {.heard_ms = 0};
    struct enet_adapter_oldest waits = {.waits = {true}, .number = {4}}, none = {.waits = {false}};
    assert_false(enet_peers_is_gone(&peer, &waits, 0));
    peer.heard_ms = 6900;
    assert_false(enet_peers_is_gone(&peer, &none, 6900));
    assert_false(enet_peers_is_gone(&peer, &waits, 7000)); // of the same number, 65,536 later
    peer.heard_ms = 13999;
    assert_false(enet_peers_is_gone(&peer, &waits, 13999));
    assert_true(enet_peers_is_gone(&peer, &waits, 14000));
}

#define MS_NS UINT64_C(1000000)

static struct enet_trips trips;

static void begin(void)
{
    trips = (struct enet_trips){0};
}

EACH_TEST(begin, NULL);

TEST(a_round_trip_has_microseconds)
{
    enet_peers_sent(&trips, 5, 5 * MS_NS + 400000);
    enet_peers_acknowledged(&trips, 5, 5 * MS_NS + 400000 + 1234567);
    assert_int_equal(trips.count, 1);
    assert_int_equal(trips.newest_us, 1234);
}

TEST(the_first_datagram_of_a_millisecond_and_the_first_acknowledgement_count)
{
    enet_peers_sent(&trips, 5, 5 * MS_NS);
    enet_peers_sent(&trips, 5, 5 * MS_NS + 900000);
    enet_peers_acknowledged(&trips, 5, 7 * MS_NS);
    enet_peers_acknowledged(&trips, 5, 9 * MS_NS);
    assert_int_equal(trips.count, 1);
    assert_int_equal(trips.newest_us, 2000);
}

TEST(what_was_never_sent_or_comes_before_it_is_no_round_trip)
{
    enet_peers_acknowledged(&trips, 0, 7 * MS_NS);
    enet_peers_sent(&trips, 5, 5 * MS_NS);
    enet_peers_acknowledged(&trips, 6, 7 * MS_NS);
    enet_peers_acknowledged(&trips, 5, 5 * MS_NS - 1);
    assert_int_equal(trips.count, 0);
}

TEST(as_many_datagrams_as_fit_are_remembered)
{
    for (uint32_t i = 0; i <= ENET_PEERS_TRIPS; i++)
        enet_peers_sent(&trips, (uint16_t)(UINT16_MAX - 3 + i), (1 + i) * MS_NS); // ENet's clock wraps
    enet_peers_acknowledged(&trips, UINT16_MAX - 3, 100 * MS_NS);
    assert_int_equal(trips.count, 0);
    enet_peers_acknowledged(&trips, UINT16_MAX - 2, 100 * MS_NS);
    assert_int_equal(trips.newest_us, 98000);
    enet_peers_acknowledged(&trips, ENET_PEERS_TRIPS - 4, 100 * MS_NS);
    assert_int_equal(trips.newest_us, (100 - 1 - ENET_PEERS_TRIPS) * 1000);
    assert_int_equal(trips.count, 2);
}
