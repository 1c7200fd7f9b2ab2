// SPDX-License-Identifier: MIT
//
// Tests what players feel in their gamepads.
#include <stdlib.h>
#include <string.h>

#include "presentation/presenter.h"
#include "test.h"
#include "test_match.h"

#define OWN 3

static struct test_match match;
static struct view view;

// A map of 1,000 x 1,000 px with a living player in the middle.
static void start(void)
{
    memset(&match, 0, sizeof match);
    match.map.columns = match.map.rows = 125;
    match.world.players[OWN].state = PLAYER_ALIVE;
    view = (struct view){.map = &match.map, .world = &match.world, .confirmed = &match.world, .slot = 1};
    view.actors[OWN].x = view.actors[OWN].y = 500;
}

static uint32_t strength(struct rumble rumble)
{
    return rumble.low + rumble.high;
}

static struct rumble feel(struct event event)
{
    view.event_count = 1;
    view.events[0] = event;
    return rumble_of(&view, OWN);
}

TEST(each_event_is_felt_by_those_it_concerns)
{
    static const struct {
        struct event event;
        bool felt;
    } rows[] = {
        /* 1 */ {{.kind = EVENT_KILL, .subject = OWN, .other = 1}, true},
        /* 2 */ {{.kind = EVENT_KILL, .subject = 1, .other = OWN}, true},
        /* 3 */ {{.kind = EVENT_KILL, .subject = 1, .other = 2}, false}, // near, but no squish
        /* 4 */ {{.kind = EVENT_KILL, .subject = 1, .other = 2, .detail = DEATH_SQUISH}, true},
        /* 5 */ {{.kind = EVENT_SHIELD, .subject = OWN, .other = 2}, true},
        /* 6 */ {{.kind = EVENT_SHIELD, .subject = 2, .other = OWN}, false},
        /* 7 */ {{.kind = EVENT_SLAM, .subject = EVENT_NOBODY}, true},
        /* 8 */ {{.kind = EVENT_EXPLODE, .subject = 2}, true},
        /* 9 */ {{.kind = EVENT_JUMP, .subject = OWN}, false},
        /* 10 */ {{.kind = EVENT_SHOOT, .subject = OWN}, false},
    };
    start();
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct event event = rows[i].event;
        event.x = event.y = 510;
        struct rumble rumble = feel(event);
        if ((strength(rumble) > 0) != rows[i].felt || (rumble.duration_ms > 0) != rows[i].felt)
            fail_msg("row %zu: %u for %u ms", i + 1, strength(rumble), rumble.duration_ms);
    }
}

TEST(what_is_near_is_felt_more_across_a_seam_too)
{
    start();
    uint32_t before = UINT32_MAX;
    for (int32_t apart = 10; apart <= 150; apart += 20) {
        uint32_t now = strength(feel((struct event){.kind = EVENT_SLAM, .x = 500 + apart, .y = 500}));
        assert_true(now > 0 && now < before);
        before = now;
    }
    assert_int_equal(strength(feel((struct event){.kind = EVENT_SLAM, .x = 700, .y = 500})), 0);
    view.actors[OWN].x = 20;
    assert_int_equal(strength(feel((struct event){.kind = EVENT_SLAM, .x = 980, .y = 500})), 0);
    match.map.outside = DF_OUTSIDE_WRAP;
    assert_true(strength(feel((struct event){.kind = EVENT_SLAM, .x = 980, .y = 500})) > 0);
}

TEST(the_dead_and_spectators_feel_only_what_is_theirs)
{
    start();
    match.world.players[OWN].state = PLAYER_DEAD;
    assert_int_equal(strength(feel((struct event){.kind = EVENT_SLAM, .x = 500, .y = 500})), 0);
    assert_true(strength(feel((struct event){.kind = EVENT_KILL, .subject = OWN, .other = EVENT_NOBODY})) > 0);
    view.events[0].subject = EVENT_NOBODY;
    assert_int_equal(strength(rumble_of(&view, PLAYER_CAPACITY)), 0);
    assert_int_equal(strength(rumble_of(&view, EVENT_NOBODY)), 0);
}

TEST(the_strongest_of_a_frame_counts)
{
    start();
    uint32_t squished = strength(feel((struct event){.kind = EVENT_KILL, .subject = OWN, .detail = DEATH_SQUISH}));
    view.events[1] = view.events[0];
    view.events[0] = (struct event){.kind = EVENT_SLAM, .x = 500, .y = 500};
    view.events[2] = (struct event){.kind = EVENT_KILL, .subject = 1, .other = OWN};
    view.event_count = 3;
    assert_int_equal(strength(rumble_of(&view, OWN)), squished);
    view.event_count = 0;
    assert_int_equal(strength(rumble_of(&view, OWN)), 0);
}
