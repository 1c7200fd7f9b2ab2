// SPDX-License-Identifier: MIT
//
// Tests who is said to have joined and left: people who were not there at first, and who stay away.
#include "hud/arrivals.h"

#include <stdio.h>
#include <string.h>

#include "sync/player_name.h"
#include "test.h"

static struct arrivals arrivals;
static struct world world;
static char said[256];

static void seat(uint32_t slot, const char *name, uint32_t flags)
{
    world.players[slot] = (struct player){.state = *name ? PLAYER_ALIVE : PLAYER_ABSENT, .flags = flags};
    player_name_from_text(world.players[slot].name, name);
}

// Writes what is found at a time: "+1Ann -2Bob ".
static const char *look(uint64_t now_us)
{
    struct arrival arrival;
    said[0] = 0;
    while (arrivals_next(&arrivals, &world, now_us, &arrival))
        snprintf(said + strlen(said), sizeof said - strlen(said), "%c%u%s ", arrival.joined ? '+' : '-', arrival.slot,
                 arrival.name);
    return said;
}

static void start(void)
{
    memset(&arrivals, 0, sizeof arrivals);
    memset(&world, 0, sizeof world);
    world.player_slots = 8;
    seat(0, "Ada", 0);
    seat(1, "Rivet", PLAYER_BOT);
    assert_string_equal(look(1000), ""); // who is there has not come
    assert_string_equal(look(2000), "");
}

EACH_TEST(start, NULL);

TEST(people_join_and_leave_and_bots_do_not)
{
    seat(2, "Bo", 0);
    seat(3, "Slag", PLAYER_BOT);
    assert_string_equal(look(3000), "+2Bo ");
    assert_string_equal(look(4000), "");
    seat(2, "", 0);
    seat(3, "", 0);
    assert_string_equal(look(4000 + ARRIVALS_AWAY_US - 1), "");
    assert_string_equal(look(4000 + ARRIVALS_AWAY_US), "-2Bo ");
    assert_string_equal(look(5000 + ARRIVALS_AWAY_US), "");
}

TEST(several_come_at_once)
{
    seat(5, "Cy", 0);
    seat(4, "Bo", 0);
    assert_string_equal(look(3000), "+4Bo +5Cy ");
}

// All seats are empty for a tick; and a name is taken away.
TEST(another_match_and_another_name_are_no_arrivals)
{
    seat(0, "", 0);
    seat(1, "", 0);
    assert_string_equal(look(100000), "");
    seat(0, "Ada 2", 0);
    assert_string_equal(look(200000), "");
    seat(0, "", 0);
    assert_string_equal(look(200000 + ARRIVALS_AWAY_US), "-0Ada 2 ");
}
