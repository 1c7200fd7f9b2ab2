// SPDX-License-Identifier: MIT
#include "discovery/announcement.h"
#include "monitor/reach/announcer.h"
#include "test.h"

static struct status_snapshot snapshot;

// Two who play, with these points, to ten.
static uint32_t interest(uint32_t people, uint32_t bots, int32_t first, int32_t second)
{
    snapshot = (struct status_snapshot){.players = people, .bots = bots};
    snapshot.world.rules = (struct rules){.mode = MODE_FFA, .score_limit = 10};
    snapshot.world.player_slots = 2;
    snapshot.world.players[0] = (struct player){.state = PLAYER_ALIVE, .score = first};
    snapshot.world.players[1] = (struct player){.state = PLAYER_ALIVE, .score = second};
    return announcer_match_interest(&snapshot);
}

TEST(a_better_match_has_more)
{
    const struct {
        uint32_t less, more;
    } rows[] = {
        /* 1 */ {interest(0, 2, 0, 0), interest(0, 6, 0, 0)},
        /* 2 */ {interest(0, 16, 0, 0), interest(2, 0, 0, 0)},
        /* 3 */ {interest(2, 0, 0, 0), interest(2, 0, 5, 0)},
        /* 4 */ {interest(2, 0, 5, 0), interest(2, 0, 9, 0)},
        /* 5 */ {interest(2, 0, 9, 0), interest(2, 0, 9, 9)},
        /* 6 */ {interest(4, 0, 0, 0), interest(4, 4, 0, 0)},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (rows[i].less >= rows[i].more)
            fail_msg("row %zu: %u, %u", i + 1, rows[i].less, rows[i].more);
}

TEST(it_stays_within_its_range)
{
    assert_int_equal(interest(256, 256, 99, 99), SERVER_FACTS_INTEREST_MAX);
    assert_int_equal(interest(2, 0, -3, -3), 16);
}

TEST(nothing_moves)
{
    assert_int_equal(interest(1, 0, 5, 0), 0);
    interest(4, 4, 5, 5);
    snapshot.health.asleep = true;
    assert_int_equal(announcer_match_interest(&snapshot), 0);
    interest(4, 4, 5, 5);
    snapshot.world.round.paused = PAUSE_ORDERED;
    assert_int_equal(announcer_match_interest(&snapshot), 0);
}
