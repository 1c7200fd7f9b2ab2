// SPDX-License-Identifier: MIT
#include <stdlib.h>
#include <string.h>

#include "game/tuning.h"
#include "hud/hud.h"
#include "presentation/presenter.h"
#include "test.h"
#include "test_match.h"

#define OWN 3

static struct test_match match;
static struct view view;
static struct camera camera;
static struct audio_events audio;
static struct sound_cue cues[SOUND_CUE_CAPACITY];

// A map of 1,000 x 1,000 px with the camera in the middle.
static void start(void)
{
    memset(&match, 0, sizeof match);
    audio = (struct audio_events){0};
    match.map.columns = match.map.rows = 125;
    camera = (struct camera){.started = true, .x = 500, .y = 500};
    view = (struct view){.map = &match.map, .world = &match.world, .confirmed = &match.world, .slot = OWN};
}

static uint32_t hear(const struct event *event)
{
    view.event_count = 1;
    view.events[0] = *event;
    return audio_events_collect(&audio, &view, &camera, cues);
}

TEST(each_event_has_its_sound)
{
    static const struct {
        struct event event;
        enum sound sound;
    } rows[] = {
        /* 1 */ {{.kind = EVENT_JUMP, .subject = OWN}, SOUND_JUMP},
        /* 2 */ {{.kind = EVENT_JUMP, .subject = OWN, .detail = 1}, SOUND_WALL_JUMP},
        /* 3 */ {{.kind = EVENT_LAND, .subject = OWN, .detail = 900}, SOUND_LAND},
        /* 4 */ {{.kind = EVENT_DASH, .subject = OWN}, SOUND_DASH},
        /* 5 */ {{.kind = EVENT_SHOOT, .subject = OWN}, SOUND_SHOOT},
        /* 6 */ {{.kind = EVENT_STICK, .subject = OWN}, SOUND_STICK},
        /* 7 */ {{.kind = EVENT_PICKUP, .subject = OWN}, SOUND_PICKUP},
        /* 8 */ {{.kind = EVENT_CATCH, .subject = OWN}, SOUND_CATCH},
        /* 9 */ {{.kind = EVENT_KILL, .subject = OWN, .other = 1, .detail = DEATH_ARROW}, SOUND_DEATH},
        /* 10 */ {{.kind = EVENT_KILL, .subject = 1, .other = OWN, .detail = DEATH_ARROW}, SOUND_OWN_KILL},
        /* 11 */ {{.kind = EVENT_KILL, .subject = OWN, .other = EVENT_NOBODY, .detail = DEATH_SQUISH}, SOUND_SQUISH},
        /* 12 */ {{.kind = EVENT_KILL, .subject = 1, .other = 2, .detail = DEATH_STOMP}, SOUND_STOMP},
        /* 13 */ {{.kind = EVENT_WARN, .subject = EVENT_NOBODY}, SOUND_WARN},
        /* 14 */ {{.kind = EVENT_SLAM, .subject = EVENT_NOBODY}, SOUND_SLAM},
        /* 15 */ {{.kind = EVENT_BOUNCE, .subject = EVENT_NOBODY}, SOUND_BOUNCE},
        /* 16 */ {{.kind = EVENT_BREAK, .subject = EVENT_NOBODY}, SOUND_BREAK},
        /* 17 */ {{.kind = EVENT_ROUND, .subject = EVENT_NOBODY, .detail = ROUND_PLAYING}, SOUND_GO},
        /* 18 */ {{.kind = EVENT_SHOOT, .subject = OWN, .detail = ARROW_BOMB}, SOUND_SHOOT_BOMB},
        /* 19 */ {{.kind = EVENT_SHOOT, .subject = OWN, .detail = ARROW_DRILL}, SOUND_SHOOT_DRILL},
        /* 20 */ {{.kind = EVENT_EXPLODE, .subject = OWN}, SOUND_EXPLOSION},
        /* 21 */ {{.kind = EVENT_OPEN, .subject = OWN}, SOUND_GIFT},
        /* 22 */ {{.kind = EVENT_SHIELD, .subject = OWN}, SOUND_SHIELD},
        /* 23 */ {{.kind = EVENT_SWITCH, .subject = OWN}, SOUND_SWITCH},
        /* 24 */ {{.kind = EVENT_RETURN, .subject = EVENT_NOBODY}, SOUND_RETURN},
    };
    start();
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct event event = rows[i].event;
        event.x = event.y = 500;
        if (hear(&event) != 1 || cues[0].sound != rows[i].sound || cues[0].gain <= 0)
            fail_msg("row %zu: %d", i + 1, cues[0].sound);
    }
}

TEST(events_without_a_sound_are_silent)
{
    static const struct event rows[] = {
        {.kind = EVENT_NONE},
        {.kind = EVENT_KINDS},
        {.kind = UINT32_MAX},
        {.kind = EVENT_LAND, .detail = 100, .x = 500, .y = 500},
        {.kind = EVENT_ROUND, .detail = ROUND_WARMUP},
        {.kind = EVENT_ROUND, .detail = ROUND_MATCH_OVER},
        {.kind = EVENT_SLAM, .x = 1900, .y = 500, .subject = EVENT_NOBODY},
        {.kind = EVENT_SLAM, .x = INT32_MIN, .y = INT32_MAX, .subject = EVENT_NOBODY},
    };
    start();
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (hear(&rows[i]))
            fail_msg("row %zu made a sound", i + 1);
}

TEST(a_sound_is_panned_and_fades_outside_the_picture)
{
    static const struct {
        int32_t x, outside, pan, gain_least, gain_most;
    } rows[] = {
        /* 1 */ {500, DF_OUTSIDE_SOLID, 0, 256, 256},
        /* 2 */ {180, DF_OUTSIDE_SOLID, -256, 256, 256},
        /* 3 */ {660, DF_OUTSIDE_SOLID, 128, 256, 256},
        /* 4 */ {950, DF_OUTSIDE_SOLID, 256, 100, 160},
        /* 5 */ {1340, DF_OUTSIDE_WRAP, -128, 256, 256}, // across the seam it is near
    };
    start();
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        match.map.outside = (uint32_t)rows[i].outside;
        assert_int_equal(hear(&(struct event){.kind = EVENT_SLAM, .x = rows[i].x, .y = 500, .subject = EVENT_NOBODY}),
                         1);
        assert_int_equal(cues[0].pan, rows[i].pan);
        assert_in_range(cues[0].gain, rows[i].gain_least, rows[i].gain_most);
    }
}

TEST(the_players_own_jump_is_louder)
{
    start();
    hear(&(struct event){.kind = EVENT_JUMP, .x = 500, .y = 500, .subject = OWN, .other = EVENT_NOBODY});
    int32_t own = cues[0].gain;
    hear(&(struct event){.kind = EVENT_JUMP, .x = 500, .y = 500, .subject = OWN + 1, .other = EVENT_NOBODY});
    assert_true(cues[0].gain < own);
}

TEST(the_last_three_seconds_are_counted_once_each)
{
    static const struct {
        uint32_t phase, limit, length, counts;
    } rows[] = {{ROUND_WARMUP, 0, 0, 3},
                {ROUND_PLAYING, 1200, 1200, 3},
                {ROUND_PLAYING, 0, 1200, 0},
                {ROUND_MATCH_OVER, 0, 600, 0}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        start();
        uint32_t count = 0, length = rows[i].length ? rows[i].length : TUNING.warmup_ticks;
        match.world.round.phase = rows[i].phase;
        match.world.rules.time_limit_ticks = rows[i].limit;
        for (match.world.tick = 0; match.world.tick < length; match.world.tick++) {
            uint32_t now = audio_events_collect(&audio, &view, &camera, cues);
            assert_true(!now || cues[0].sound == SOUND_COUNT);
            count += now;
        }
        assert_int_equal(count, rows[i].counts);
    }
}

TEST(the_lid_of_the_own_chest_sounds_once_when_it_goes_up)
{
    static const struct {
        uint32_t state, opener;
        bool sounds;
    } rows[] = {
        /* 0 */ {CHEST_CLOSED, 0, false},
        /* 1 */ {CHEST_OPENING, OWN + 2, false},
        /* 2 */ {CHEST_OPENING, OWN + 1, true},
        /* 3 */ {CHEST_OPENING, OWN + 1, false},
        /* 4 */ {CHEST_AWAY, 0, false},
        /* 5 */ {CHEST_OPENING, OWN + 1, true},
    };
    start();
    match.world.chest_count = 3;
    match.world.actors[CHEST_ACTORS + 2] = (struct df_actor){.x = 500, .y = 500, .w = 12, .h = 12};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        match.world.chests[2] = (struct chest){.state = rows[i].state, .opener = rows[i].opener};
        view.event_count = 0;
        uint32_t count = audio_events_collect(&audio, &view, &camera, cues);
        if (count != rows[i].sounds || (count && (cues[0].sound != SOUND_LID || cues[0].gain != 200)))
            fail_msg("row %zu: %u sounds", i, count);
    }
    camera.x = 100000;
    match.world.chests[1] = match.world.chests[2];
    assert_int_equal(audio_events_collect(&audio, &view, &camera, cues), 0); // too far away
}

TEST(all_doors_of_a_channel_make_one_sound_when_they_start)
{
    static const struct {
        uint32_t clock_ticks;
        bool sounds;
    } rows[] = {{0, false},  {1, true},  {2, false}, {19, false}, {20, false},
                {20, false}, {19, true}, {0, false}, {3, true}};
    start();
    match.map.solid_count = 3;
    for (uint32_t i = 0; i < 3; i++) {
        match.map.solids[i] = (struct map_solid){.kind = i < 2 ? MAP_SOLID_DOOR : MAP_SOLID_LIFT,
                                                 .path_mode = MAP_PATH_CALL,
                                                 .period_ticks = 40,
                                                 .channel = i < 2 ? 5 : 6};
        match.world.solids[i] = (struct df_solid){.x = 500, .y = 500, .w = 8, .h = 32};
    }
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        for (uint32_t solid = 0; solid < 3; solid++)
            match.world.crushers[solid].clock_ticks = rows[i].clock_ticks;
        view.event_count = 0;
        uint32_t count = audio_events_collect(&audio, &view, &camera, cues);
        if (count != rows[i].sounds || (count && cues[0].sound != SOUND_DOOR))
            fail_msg("row %zu: %u sounds", i, count);
    }
    start();
    camera.x = 100000;
    match.map.solid_count = 1;
    match.map.solids[0] =
        (struct map_solid){.kind = MAP_SOLID_DOOR, .path_mode = MAP_PATH_CALL, .period_ticks = 40, .channel = 1};
    match.world.crushers[0].clock_ticks = 1;
    assert_int_equal(audio_events_collect(&audio, &view, &camera, cues), 0);
}

TEST(a_clock_counts_down_to_a_limit_and_up_without_one)
{
    static const struct {
        uint32_t passed, limit, shown;
    } rows[] = {{0, 600, 10}, {1, 600, 10}, {60, 600, 9}, {599, 600, 1}, {700, 600, 0}, {61, 0, 2}, {3600, 0, 60}};
    start();
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        match.world.tick = rows[i].passed;
        match.world.rules.time_limit_ticks = rows[i].limit;
        assert_int_equal(round_clock_display_s(&view), rows[i].shown);
    }
}
