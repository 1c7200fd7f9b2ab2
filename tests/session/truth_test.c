// SPDX-License-Identifier: MIT
//
// Whether what is shown to a player is true: four clients and eight bots of the server play over bad networks, each
// client draws 60 frames a second, and every event that a view brings is compared with what happened on the server.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/histogram.h"
#include "core/view.h"
#include "game/rules/mode.h"
#include "game/state.h"
#include "prepared_map.h"
#include "session.h"
#include "test.h"

EACH_TEST(NULL, session_end);

enum { PLAYERS = 4, EVERYBODY = 12, FRAME_STEPS = SESSION_STEPS / 60, TRUTHS = 1 << 16, BROUGHT = 2 * TRUTHS };

// After so long without a snapshot, nothing is shown that is not confirmed.
#define SILENCE_US_MAX 300000u

// What happened on the server, by number of the event, and which clients know.
static struct event truths[TRUTHS];
static bool shown[PLAYERS][TRUTHS];
static uint32_t truth_count;
static uint32_t paused_ticks[TRUTHS]; // up to each tick
static struct event brought[PLAYERS][BROUGHT];
static tick brought_moving[PLAYERS][BROUGHT]; // their ticks without those of pauses
static uint32_t brought_count[PLAYERS];

// The figures of one match, of all clients.
static struct figures {
    uint64_t shown[EVENT_KINDS], untrue[EVENT_KINDS], twice[EVENT_KINDS], never[EVENT_KINDS];
    uint32_t rounds;
    struct histogram own_kill_ticks; ///< from the tick of an own kill to the one in which it is shown
} figures;

static struct view view;

static void gather_truths(void)
{
    const struct world *world = &session.match->world;
    static tick newest;
    newest = world->tick - newest < 600 ? newest : world->tick - 1; // after a stall, several ticks have passed at once
    while (newest != world->tick)
        paused_ticks[++newest % TRUTHS] = world->round.paused_ticks;
    for (; truth_count != world->event_count; truth_count++) {
        const struct event *event = &world->events[truth_count % EVENT_CAPACITY];
        assert_true(truth_count < TRUTHS && world->event_count - truth_count <= EVENT_CAPACITY);
        truths[truth_count] = *event;
        figures.rounds += event->kind == EVENT_ROUND && event->detail >= ROUND_OVER;
    }
}

// What a player does is shown to themselves at once, a little wrong if need be; what machines do follows a clock.
static bool is_shown_early(const struct event *event, uint32_t index)
{
    bool own = event->subject == client_slot(session.clients[index]);
    switch (event->kind) {
    case EVENT_JUMP:
    case EVENT_LAND:
    case EVENT_DASH:
    case EVENT_GRAB:
    case EVENT_SHOOT:
        return own;
    case EVENT_FALL:
    case EVENT_SLAM:
        return true;
    default:
        return false;
    }
}

// Time that stands still in a pause: what was shown at once may happen after it.
static tick moving(tick number)
{
    return number - paused_ticks[number % TRUTHS];
}

// Looks for the truth that equals an event, and marks it as shown.
static void judge(uint32_t index, const struct event *event, tick event_moving)
{
    bool twice = false, early = is_shown_early(event, index);
    figures.shown[event->kind]++;
    for (uint32_t i = 0; i < truth_count; i++) {
        const struct event *truth = &truths[i];
        int32_t apart = (int32_t)(moving(truth->tick) - event_moving);
        if (early ? truth->kind != event->kind || truth->subject != event->subject || truth->other != event->other ||
                        apart > 12 || apart < -12
                  : memcmp(truth, event, sizeof *truth) != 0)
            continue;
        twice = true;
        if (!shown[index][i]) {
            shown[index][i] = true;
            return;
        }
    }
    figures.twice[event->kind] += twice;
    figures.untrue[event->kind] += !twice;
}

// Checks what a view shows as a fact, and how late own kills are shown.
static void draw(uint32_t index)
{
    if (!session.clients[index] || !client_view(session.clients[index], session_client_us(index), &view))
        return;
    const struct world *truth = &session.worlds[view.confirmed->tick % INPUT_LOG_TICKS];
    if (truth->tick == view.confirmed->tick)
        session_check(memcmp(truth, view.confirmed, sizeof *truth) == 0);
    uint64_t silence_us = client_silence_us(session.clients[index], session_client_us(index));
    for (uint32_t i = 0; i < view.event_count; i++) {
        const struct event *event = &view.events[i];
        assert_true(brought_count[index] < BROUGHT);
        // What is predicted into a silence knows no pause that has begun meanwhile.
        bool predicted = (int32_t)(event->tick - view.confirmed->tick) > 0;
        session_check(!predicted || silence_us <= SILENCE_US_MAX);
        brought_moving[index][brought_count[index]] =
            predicted ? event->tick - view.confirmed->round.paused_ticks : moving(event->tick);
        brought[index][brought_count[index]++] = *event;
        if (event->kind == EVENT_KILL && event->other == view.slot)
            histogram_add(&figures.own_kill_ticks, view.world->tick - event->tick);
    }
}

static void play(double seconds, bool bursts)
{
    for (uint64_t end = session.step + (uint64_t)(seconds * SESSION_STEPS); session.step < end;) {
        session_run(1.5 / SESSION_STEPS); // a step
        uint64_t ticks = session.step / FRAME_STEPS, length = 3 + ticks / 120 % 7;
        if (bursts) // nothing arrives for 3 to 9 ticks, once in two seconds
            memory_network_block(session.network, ticks % 120 < length, ticks % 120 < length);
        gather_truths();
        for (uint32_t i = 0; i < PLAYERS; i++)
            if ((session.step + i) % FRAME_STEPS == 0)
                draw(i);
    }
}

// Judges a whole match: all that was shown, and whether each event of its middle was.
static void judge_all(uint32_t first, uint32_t last)
{
    for (uint32_t i = 0; i < PLAYERS; i++) {
        for (uint32_t j = 0; j < brought_count[i]; j++)
            if ((int32_t)(session.match->world.tick - brought[i][j].tick) > 12) // the server has not decided the rest
                judge(i, &brought[i][j], brought_moving[i][j]);
        for (uint32_t number = first; number < last; number++)
            figures.never[truths[number].kind] += !shown[i][number];
    }
}

static void check_figures(void)
{
    for (uint32_t kind = 1; kind < EVENT_KINDS; kind++) {
        bool early =
            kind == EVENT_JUMP || kind == EVENT_LAND || kind == EVENT_DASH || kind == EVENT_GRAB || kind == EVENT_SHOOT;
        uint64_t allowed = early ? 2 + figures.shown[kind] / 50 : 0;
        if (figures.untrue[kind] > allowed || figures.twice[kind] > allowed || figures.never[kind] > 0)
            print_error("%s: shown %llu, untrue %llu, twice %llu, never %llu\n", event_kind_name((enum event_kind)kind),
                        (unsigned long long)figures.shown[kind], (unsigned long long)figures.untrue[kind],
                        (unsigned long long)figures.twice[kind], (unsigned long long)figures.never[kind]);
        session_check(figures.untrue[kind] <= allowed && figures.twice[kind] <= allowed);
        session_check(figures.never[kind] == 0);
    }
}

static void forget(void)
{
    memset(&figures, 0, sizeof figures);
    memset(shown, 0, sizeof shown);
    memset(brought_count, 0, sizeof brought_count);
    truth_count = 0;
}

// Four people join a match with eight bots.
static void begin(enum mode mode, uint64_t seed, const struct impairment *impairment)
{
    forget();
    session_begin_match(seed, "duel", impairment,
                        &(struct match_config){.rules = {.mode = mode, .bot_skill = SKILL_HARD}, .bots = EVERYBODY});
    for (uint32_t i = 0; i < PLAYERS; i++)
        session_join_person(i);
    play(5, false);
}

struct line {
    uint32_t rtt_ms, loss_pct;
    bool bursts;
};

static void plays_truly(enum mode mode, struct line line, uint64_t seed, double seconds)
{
    struct impairment impairment = {
        .delay_us = line.rtt_ms * 500, .jitter_us = line.rtt_ms ? 5000 : 0, .loss_ppm = line.loss_pct * 10000};
    begin(mode, seed, &impairment);
    uint32_t first = truth_count;
    play(seconds, line.bursts);
    uint32_t last = truth_count;
    memory_network_block(session.network, false, false);
    play(2, false);
    judge_all(first, last);
    check_figures();
    uint64_t late = histogram_quantile(&figures.own_kill_ticks, 990);
    uint32_t guessed = 0, refuted = 0;
    for (uint32_t i = 0; i < PLAYERS; i++) {
        guessed += session_statistics(i).deaths_guessed;
        refuted += session_statistics(i).deaths_refuted;
    }
    print_message(
        "%s, %3u ms, %u %% loss%s: %2u round ends, %4llu kills shown, own ones after %llu ticks (p99 of %llu), "
        "%u of %u hits refuted\n",
        mode_name(mode), line.rtt_ms, line.loss_pct, line.bursts ? ", bursts" : "", figures.rounds,
        (unsigned long long)figures.shown[EVENT_KILL], (unsigned long long)late,
        (unsigned long long)figures.own_kill_ticks.count, refuted, guessed);
    session_check(figures.shown[EVENT_KILL] > 0);
    uint32_t round_trip_us = 2 * (impairment.delay_us + impairment.jitter_us);
    uint32_t round_trip_ticks = (round_trip_us * TICKS_PER_SECOND + 999999) / 1000000;
    session_check(line.loss_pct > 0 || late <= round_trip_ticks + 2);
}

// All matches together: 100 rounds of lms and 20 minutes of ffa with DEADFALL_TEST_LONG, else a third of that.
static void plays_truly_on_all_lines(enum mode mode, double seconds)
{
    static const uint32_t rtts_ms[] = {0, 50, 100, 200}, losses_pct[] = {0, 2, 5};
    for (uint32_t i = 0; i < 12; i++)
        plays_truly(mode, (struct line){rtts_ms[i / 3], losses_pct[i % 3], i % 3 == 2}, i + 1,
                    getenv("DEADFALL_TEST_LONG") ? seconds : seconds / 3);
}

TEST(rounds_of_the_last_one_standing_are_shown_as_they_were)
{
    plays_truly_on_all_lines(MODE_LMS, 135);
}

TEST(minutes_of_everybody_against_everybody_are_shown_as_they_were)
{
    plays_truly_on_all_lines(MODE_FFA, 100);
}

static uint32_t facts_lost(void)
{
    uint32_t lost = 0;
    for (uint32_t i = 0; i < PLAYERS; i++)
        lost += session_statistics(i).facts_lost;
    return lost;
}

static void black_out_for(double seconds)
{
    memory_network_block(session.network, true, true);
    play(seconds, false);
    memory_network_block(session.network, false, false);
}

// After a blackout of more than the input log holds a full world comes, which remembers only its last events. What is
// left out is counted, and nothing else is.
TEST(pauses_blackouts_and_new_matches_repeat_nothing_and_count_what_is_lost)
{
    begin(MODE_FFA, 21, &(struct impairment){.delay_us = 50000, .jitter_us = 5000, .loss_ppm = 20000});
    for (uint32_t part = 0; part < 2; part++) {
        play(2, false);
        uint32_t first = truth_count;
        play(10, false);
        match_enqueue_command(session.match, &(struct command){.kind = COMMAND_PAUSE, .paused = 1});
        play(1.5, false);
        match_enqueue_command(session.match, &(struct command){.kind = COMMAND_PAUSE});
        play(5, false);
        black_out_for(0.9);
        play(5, false);
        session_check(facts_lost() == 0 || part == 1);
        uint32_t lost_before = facts_lost();
        black_out_for(2.5);
        play(5, false);
        uint32_t last = truth_count;
        play(2, false);
        judge_all(first, last);
        uint64_t never = 0;
        for (uint32_t kind = 0; kind < EVENT_KINDS; kind++) {
            never += figures.never[kind];
            figures.never[kind] = 0;
        }
        session_check(never <= facts_lost() - lost_before);
        check_figures();
        forget();
        match_change(session.match, prepared_map(&session.match->map), &session.match->world.rules, session_now_us());
        play(5, false);
        memset(brought_count, 0, sizeof brought_count); // the last of the old match are among them
    }
}

TEST(stalls_of_server_clients_and_line_change_nothing_of_what_is_shown)
{
    static const uint32_t stalls_ms[] = {50, 100, 220, 500, 800};
    begin(MODE_FFA, 22, &(struct impairment){.delay_us = 50000, .jitter_us = 5000, .loss_ppm = 20000});
    uint32_t first = truth_count;
    for (uint32_t i = 0; i < 20; i++) {
        uint32_t ms = stalls_ms[i / 4];
        play(1, false);
        if (i % 4 == 0)
            session_stall_server(ms);
        else if (i % 4 == 1)
            session_stall_client(i % PLAYERS, ms);
        else if (i % 4 == 2)
            session_hold_line(ms);
        else
            black_out_for(ms / 1000.0);
        play(1, false);
    }
    play(2, false);
    uint32_t last = truth_count;
    play(2, false);
    judge_all(first, last);
    session_check(facts_lost() == 0);
    check_figures();
}
