// SPDX-License-Identifier: MIT
#include <string.h>

#include "game/tuning.h"
#include "presentation/presenter.h"
#include "test.h"
#include "test_match.h"

#define OWN   1
#define OTHER 2
#define NONE  SOUNDS

static struct test_match match;
static struct view view;
static struct announcer announcer;
static struct sound_cue cues[ANNOUNCER_CUE_CAPACITY];

// A match of four players in a phase.
static void start(enum mode mode, enum round_phase phase)
{
    memset(&match, 0, sizeof match);
    announcer = (struct announcer){0};
    match.world.tick = 1000;
    match.world.rules.mode = (uint32_t)mode;
    match.world.round.phase = (uint32_t)phase;
    match.world.round.since_tick = 1000;
    match.world.player_slots = 4;
    for (uint32_t slot = 0; slot < 4; slot++)
        match.world.players[slot].state = PLAYER_ALIVE;
    view = (struct view){.map = &match.map, .world = &match.world, .confirmed = &match.world, .slot = OWN};
}

// Says whether another player is at the window, too.
static void share(bool is_shared)
{
    view.own = is_shared ? (struct local_seats){{OWN + 1, OTHER + 1}} : (struct local_seats){0};
}

static uint32_t collect(void)
{
    return announcer_collect(&announcer, &view, cues);
}

// Collects what one event makes.
static uint32_t hear(enum event_kind kind, uint32_t detail)
{
    view.event_count = 1;
    view.events[0] = (struct event){.kind = (uint32_t)kind, .detail = detail, .subject = EVENT_NOBODY};
    uint32_t count = collect();
    view.event_count = 0;
    return count;
}

TEST(a_round_is_announced_by_how_it_begins_and_ends)
{
    static const struct {
        enum round_phase phase;
        uint32_t winner, team, own_team; ///< winner: slot + 1
        bool is_shared;
        enum sound first, second;
    } rows[] = {
        /* 1 */ {ROUND_PLAYING, 0, 0, 0, false, SOUND_SAY_FIGHT, NONE},
        /* 2 */ {ROUND_OVER, OTHER + 1, 0, 0, false, SOUND_STING_ROUND, SOUND_SAY_ROUND},
        /* 3 */ {ROUND_OVER, 0, 0, 0, false, SOUND_STING_DRAW, SOUND_SAY_DRAW},
        /* 4 */ {ROUND_MATCH_OVER, OTHER + 1, 0, 0, false, SOUND_STING_MATCH, SOUND_SAY_WINNER},
        /* 5 */ {ROUND_MATCH_OVER, OWN + 1, 0, 0, false, SOUND_STING_MATCH, SOUND_SAY_YOU_WIN},
        /* 6 */ {ROUND_MATCH_OVER, OWN + 1, 0, 0, true, SOUND_STING_MATCH, SOUND_SAY_WINNER},
        /* 7 */ {ROUND_MATCH_OVER, 0, 2, 2, false, SOUND_STING_MATCH, SOUND_SAY_YOU_WIN},
        /* 8 */ {ROUND_MATCH_OVER, 0, 2, 1, false, SOUND_STING_MATCH, SOUND_SAY_WINNER},
        /* 9 */ {ROUND_MATCH_OVER, 0, 0, 1, false, SOUND_STING_DRAW, SOUND_SAY_DRAW},
        /* 10 */ {ROUND_WARMUP, 0, 0, 0, false, NONE, NONE},
        /* 11 */ {ROUND_COUNTDOWN, 0, 0, 0, false, SOUND_SAY_TWO, NONE},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        start(MODE_LMS, rows[i].phase);
        match.world.round.winner = rows[i].winner;
        match.world.round.winner_team = rows[i].team;
        match.world.players[OWN].team = rows[i].own_team;
        share(rows[i].is_shared);
        uint32_t count = hear(EVENT_ROUND, rows[i].phase);
        uint32_t wanted = rows[i].first == NONE ? 0 : rows[i].second == NONE ? 1 : 2;
        if (count != wanted || (count && cues[0].sound != rows[i].first) ||
            (count > 1 && cues[1].sound != rows[i].second))
            fail_msg("row %zu: %u cues, %d %d", i + 1, count, cues[0].sound, cues[1].sound);
    }
    view.slot = PLAYER_CAPACITY; // a spectator has not won
    hear(EVENT_ROUND, ROUND_MATCH_OVER);
    view.slot = OWN;
}

TEST(the_countdown_is_said_once_a_second)
{
    start(MODE_FFA, ROUND_COUNTDOWN);
    uint32_t said[3] = {0};
    for (uint32_t i = 0; i < TUNING.countdown_ticks; i++) {
        uint32_t count = collect();
        for (uint32_t cue = 0; cue < count; cue++)
            said[cues[cue].sound - SOUND_SAY_THREE]++;
        match.world.tick++;
    }
    assert_int_equal(said[2], 1);
    assert_int_equal(said[1], 1);
    assert_int_equal(said[0], TUNING.countdown_ticks >= 121);
    start(MODE_FFA, ROUND_WARMUP); // which may begin again and again
    match.world.tick += TUNING.warmup_ticks - 30;
    assert_int_equal(collect(), 0);
}

TEST(the_last_two_are_announced_once_a_round)
{
    static const struct {
        enum mode mode;
        uint32_t players, alive;
        bool is_shared, own_lives;
        enum sound line;
    } rows[] = {
        /* 1 */ {MODE_LMS, 4, 2, false, true, SOUND_SAY_LAST_ONE},
        /* 2 */ {MODE_LMS, 4, 2, false, false, SOUND_SAY_LAST_TWO},
        /* 3 */ {MODE_LMS, 4, 2, true, true, SOUND_SAY_LAST_TWO},
        /* 4 */ {MODE_LMS, 4, 3, false, true, NONE},
        /* 5 */ {MODE_LMS, 2, 2, false, true, NONE},
        /* 6 */ {MODE_FFA, 4, 2, false, true, NONE},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        start(rows[i].mode, ROUND_PLAYING);
        match.world.player_slots = rows[i].players;
        collect();
        uint32_t left = rows[i].players;
        for (uint32_t n = 0; n < rows[i].players && left > rows[i].alive; n++) {
            uint32_t slot = rows[i].own_lives ? (OWN + 1 + n) % rows[i].players : (OWN + n) % rows[i].players;
            match.world.players[slot].state = PLAYER_DEAD;
            left--;
        }
        share(rows[i].is_shared);
        uint32_t count = collect();
        if (count != (rows[i].line == NONE ? 0 : 2) ||
            (count && (cues[0].sound != SOUND_STING_LAST || cues[1].sound != rows[i].line)))
            fail_msg("row %zu: %u cues, %d", i + 1, count, cues[1].sound);
        assert_int_equal(collect(), 0);
    }
}

TEST(match_point_sudden_death_and_the_last_seconds_are_announced_once)
{
    start(MODE_LMS, ROUND_OVER);
    match.world.rules.score_limit = 5;
    match.world.players[OTHER].score = 3;
    assert_int_equal(collect(), 0);
    match.world.players[OTHER].score = 4;
    assert_int_equal(collect(), 1);
    assert_int_equal(cues[0].sound, SOUND_SAY_MATCH_POINT);
    assert_int_equal(collect(), 0);
    start(MODE_LMS, ROUND_PLAYING);
    assert_int_equal(hear(EVENT_CLOSING, 0), 2);
    assert_int_equal(cues[0].sound, SOUND_STING_SUDDEN_DEATH);
    assert_int_equal(cues[1].sound, SOUND_SAY_SUDDEN_DEATH);
    start(MODE_FFA, ROUND_PLAYING);
    match.world.rules.time_limit_ticks = 3600;
    uint32_t said = 0;
    for (uint32_t i = 0; i < 3600; i++) {
        uint32_t count = collect();
        for (uint32_t cue = 0; cue < count; cue++)
            if (cues[cue].sound == SOUND_SAY_TEN_SECONDS) {
                said++;
                assert_int_equal(match.world.tick, 1000 + 3000);
            }
        match.world.tick++;
    }
    assert_int_equal(said, 1);
}
