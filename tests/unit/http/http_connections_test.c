// SPDX-License-Identifier: MIT
#include "http/http_connections.h"
#include "test.h"

enum { MAX = 64, HOUSEHOLD_MAX = 16, STREAMS_MAX = 32, STREAMS_HOUSEHOLD_MAX = 8, CAPACITY = 96 };

static const struct http_connections_limits LIMITS = {MAX, HOUSEHOLD_MAX, STREAMS_MAX, STREAMS_HOUSEHOLD_MAX};
static struct http_connection slots[CAPACITY];
static struct http_connections table;

static void begin(void)
{
    http_connections_init(&table, &LIMITS, slots, CAPACITY);
}

EACH_TEST(begin, NULL);

// Returns the file of the connection that gives way; -1: none.
static int add(uint64_t household, int file)
{
    uint32_t victim, place = http_connections_add(&table, household, file, &victim);
    assert_in_range(place, 0, CAPACITY - 1);
    if (victim == HTTP_CONNECTIONS_NONE)
        return -1;
    int ended = table.of[victim].file;
    assert_true(table.of[victim].ends);
    assert_int_equal(http_connections_ending(&table), 1);
    http_connections_remove(&table, victim);
    assert_int_equal(http_connections_ending(&table), 0);
    return ended;
}

TEST(a_household_with_too_many_loses_its_oldest)
{
    assert_int_equal(add(2, 1000), -1);
    for (int i = 0; i < HOUSEHOLD_MAX; i++)
        assert_int_equal(add(1, i), -1);
    for (int i = 0; i < 200; i++)
        assert_int_equal(add(1, HOUSEHOLD_MAX + i), i);
}

TEST(among_many_the_household_with_most_loses_its_oldest)
{
    for (int i = 0; i < 40; i++) // 40 of one each, 12 of two each
        assert_int_equal(add(100 + (uint64_t)i, i), -1);
    for (int i = 0; i < 24; i++)
        assert_int_equal(add(200 + (uint64_t)i % 12, 40 + i), -1);
    for (int i = 0; i < 12; i++)
        assert_int_equal(add(300 + (uint64_t)i, 100 + i), 40 + i);
    assert_int_equal(add(400, 500), 0); // all have one: the oldest of all
}

TEST(streams_have_a_part_and_never_give_way)
{
    uint32_t victim, streams = 0;
    for (int i = 0; i < MAX; i++) {
        uint32_t place = http_connections_add(&table, 1 + (uint64_t)i / 10, i, &victim);
        assert_int_equal(victim, HTTP_CONNECTIONS_NONE);
        bool streamed = http_connections_stream(&table, place);
        assert_int_equal(streamed, i % 10 < STREAMS_HOUSEHOLD_MAX && streams < STREAMS_MAX);
        streams += streamed;
    }
    assert_int_equal(streams, STREAMS_MAX);
    for (int i = 0; i < 200; i++) {
        http_connections_add(&table, 1000 + (uint64_t)i, i, &victim);
        assert_false(table.of[victim].streams);
        http_connections_remove(&table, victim);
    }
}

// A proxy, and the operator's own network.
TEST(who_has_no_limits_gives_way_last)
{
    for (int i = 0; i < MAX - 2; i++)
        assert_int_equal(add(0, i), -1);
    assert_int_equal(add(1, 1000), -1);
    assert_int_equal(add(2, 1001), -1);
    assert_int_equal(add(3, 1002), 1000);
    assert_int_equal(add(0, 2000), 1001);
    assert_int_equal(add(0, 2001), 1002);
    assert_int_equal(add(0, 2002), 0);
}

// However many addresses they have: one that asks quickly gets in.
TEST(many_that_never_ask_keep_nobody_out)
{
    for (int i = 0; i < 1000; i++)
        add(100 + (uint64_t)i % 20, i);
    assert_in_range(add(7, 5000), 0, 999);
    for (int i = 1000; i < 1500; i++)
        assert_int_not_equal(add(100 + (uint64_t)i % 20, i), 5000);
}

TEST(one_that_has_given_way_no_longer_counts)
{
    uint32_t victim, places = 0;
    for (int i = 0; i < CAPACITY; i++)
        places += http_connections_add(&table, 1 + (uint64_t)i, i, &victim) != HTTP_CONNECTIONS_NONE;
    assert_int_equal(places, CAPACITY); // 32 are about to end
    assert_true(table.of[0].ends && table.of[31].ends && !table.of[32].ends);
    assert_false(http_connections_stream(&table, 0));
    assert_int_equal(http_connections_add(&table, 1, 1, &victim), HTTP_CONNECTIONS_NONE);
    assert_int_equal(victim, HTTP_CONNECTIONS_NONE);
}
