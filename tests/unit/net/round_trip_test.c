// SPDX-License-Identifier: MIT
//
// Tests the measurement of round trips from the time stamps of datagrams.
#include "net/enet/round_trip.h"
#include "test.h"

#define MS_NS UINT64_C(1000000)

static struct round_trip trips;

static void begin(void)
{
    trips = (struct round_trip){0};
}

EACH_TEST(begin, NULL);

TEST(a_round_trip_has_microseconds)
{
    round_trip_send(&trips, 5, 5 * MS_NS + 400000);
    round_trip_acknowledge(&trips, 5, 5 * MS_NS + 400000 + 1234567);
    assert_int_equal(trips.count, 1);
    assert_int_equal(trips.newest_us, 1234);
}

TEST(the_first_datagram_of_a_millisecond_and_the_first_acknowledgement_count)
{
    round_trip_send(&trips, 5, 5 * MS_NS);
    round_trip_send(&trips, 5, 5 * MS_NS + 900000);
    round_trip_acknowledge(&trips, 5, 7 * MS_NS);
    round_trip_acknowledge(&trips, 5, 9 * MS_NS);
    assert_int_equal(trips.count, 1);
    assert_int_equal(trips.newest_us, 2000);
}

TEST(what_was_never_sent_or_comes_before_it_is_no_round_trip)
{
    round_trip_acknowledge(&trips, 0, 7 * MS_NS);
    round_trip_send(&trips, 5, 5 * MS_NS);
    round_trip_acknowledge(&trips, 6, 7 * MS_NS);
    round_trip_acknowledge(&trips, 5, 5 * MS_NS - 1);
    assert_int_equal(trips.count, 0);
}

TEST(as_many_datagrams_as_fit_are_remembered)
{
    for (uint32_t i = 0; i <= ROUND_TRIP_CAPACITY; i++)
        round_trip_send(&trips, (uint16_t)(UINT16_MAX - 3 + i), (1 + i) * MS_NS); // ENet's clock wraps
    round_trip_acknowledge(&trips, UINT16_MAX - 3, 100 * MS_NS);
    assert_int_equal(trips.count, 0);
    round_trip_acknowledge(&trips, UINT16_MAX - 2, 100 * MS_NS);
    assert_int_equal(trips.newest_us, 98000);
    round_trip_acknowledge(&trips, ROUND_TRIP_CAPACITY - 4, 100 * MS_NS);
    assert_int_equal(trips.newest_us, (100 - 1 - ROUND_TRIP_CAPACITY) * 1000);
    assert_int_equal(trips.count, 2);
}
