// SPDX-License-Identifier: MIT
//
// A server that drains before it closes: who may still join, and what it waits for. In virtual time.
#include <stdio.h>
#include <string.h>

#include "game/tuning.h"
#include "session.h"
#include "test.h"

EACH_TEST(NULL, session_end);

#define GOOD                                                                                                           \
    (struct impairment)                                                                                                \
    {                                                                                                                  \
        .delay_us = 20000                                                                                              \
    }
#define DEAD                                                                                                           \
    (struct impairment)                                                                                                \
    {                                                                                                                  \
        .delay_us = 20000, .loss_ppm = 1000000                                                                         \
    }
#define LONG_MS         600000
#define WITHOUT_A_ROUND "The server closes in a moment, or after the next round if that begins first."

// Two clients play a match of so many seconds.
static void begin(uint64_t seed, uint32_t limit_s)
{
    struct match_config config = {.rules = {.mode = MODE_FFA, .time_limit_ticks = limit_s * TICKS_PER_SECOND}};
    session_begin_match(seed, "duel", &GOOD, &config);
    session_join_first(2, 2);
    session_run(9);
    session_check(session.match->world.round.phase == ROUND_PLAYING);
}

static bool plays(uint32_t index)
{
    return client_state(session.clients[index]) == CLIENT_PLAYING;
}

// Runs until the drain is over, for at most this time. Returns whether it is.
static bool runs_dry(double seconds)
{
    for (double s = 0; s < seconds && !drain_is_over(session.match); s += 0.1)
        session_run(0.1);
    return drain_is_over(session.match);
}

// Whether a client has received this message since it was asked last.
static bool has_read(uint32_t index, const char *text)
{
    struct chat_line line;
    while (client_chat_next(session.clients[index], &line))
        if (strcmp(line.text, text) == 0)
            return true;
    return false;
}

TEST(nobody_new_may_join_and_players_stay)
{
    begin(1, 0);
    drain_begin(session.match, LONG_MS);
    session_join(2, false);
    session_run(2);
    session_check(plays(0) && plays(1) && client_state(session.clients[2]) == CLIENT_ENDED);
    session_check(client_reason(session.clients[2]) == DENY_CLOSING);
    session_check(strcmp(client_status_text(session.clients[2]),
                         "The server is closing within 10 minutes, and nobody new may join. Choose another "
                         "one, or try again after that.") == 0);
    session_check(!drain_is_over(session.match));
}

TEST(a_player_whose_line_was_dead_comes_back)
{
    begin(2, 0);
    uint32_t slot = client_slot(session.clients[0]);
    session_kill(1);
    drain_begin(session.match, LONG_MS);
    memory_network_impair(session.network, &DEAD);
    session_run(3.4);
    memory_network_impair(session.network, &GOOD);
    session_run(4);
    session_check(plays(0) && client_slot(session.clients[0]) == slot);
    session_join(1, false); // after its connection has timed out
    session_run(2);
    session_check(plays(1));
    session_check(has_read(1, WITHOUT_A_ROUND));
}

TEST(the_round_ends_first_and_its_result_is_shown)
{
    begin(3, 20);
    drain_begin(session.match, LONG_MS);
    while (session.match->world.round.phase == ROUND_PLAYING) {
        session_check(!drain_is_over(session.match));
        session_run(0.1);
    }
    session_check(session.match->world.round.phase == ROUND_MATCH_OVER && !drain_is_over(session.match));
    session_run(3);
    session_check(!drain_is_over(session.match));
    session_check(runs_dry(1));
    session_check(session.match->world.round.phase == ROUND_MATCH_OVER);
}

TEST(the_time_ends_a_long_round)
{
    begin(4, 0);
    drain_begin(session.match, 7000);
    session_run(6);
    session_check(!drain_is_over(session.match) && drain_left_ms(session.match) <= 1000);
    drain_begin(session.match, 3000); // another time for the same drain
    session_run(2);
    session_check(!drain_is_over(session.match));
    session_run(1);
    session_check(drain_is_over(session.match) && drain_left_ms(session.match) == 0);
}

TEST(a_warm_up_ends_once_the_message_could_be_read)
{
    session_begin(5, "duel", &GOOD);
    session_join(0, false);
    session_run(2);
    session_check(session.match->world.round.phase == ROUND_WARMUP);
    drain_begin(session.match, LONG_MS);
    session_run(4);
    session_check(has_read(0, WITHOUT_A_ROUND));
    session_check(!drain_is_over(session.match));
    session_check(runs_dry(2));
}

TEST(an_empty_server_need_not_wait)
{
    begin(6, 0);
    session_check(!drain_is_over(session.match) && drain_left_ms(session.match) == DRAIN_NONE);
    drain_begin(session.match, LONG_MS);
    session_leave(0);
    session_run(1);
    session_check(!drain_is_over(session.match));
    session_leave(1);
    session_check(runs_dry(1));
}

TEST(a_drain_can_be_taken_back)
{
    begin(7, 0);
    session_check(!drain_cancel(session.match));
    drain_begin(session.match, 1000);
    session_check(drain_cancel(session.match));
    session_join(2, false);
    session_run(2);
    session_check(plays(2) && !drain_is_over(session.match));
}

TEST(players_read_how_long_they_have)
{
    static const struct {
        uint64_t limit_ms;
        const char *text;
    } rows[] = {
        /* 0 */ {600000, "The server closes after this round, in 10 minutes at most."},
        /* 1 */ {120000, "The server closes after this round, in 2 minutes at most."},
        /* 2 */ {119000, "The server closes after this round, in 119 seconds at most."},
        /* 3 */ {1, "The server closes after this round, in 1 second at most."},
        /* 4 */ {0, "The server closes in a moment."},
    };
    begin(8, 0);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        drain_begin(session.match, rows[i].limit_ms);
        session_run(0.2);
        if (!has_read(0, rows[i].text))
            fail_msg("row %zu", i);
        drain_cancel(session.match);
        session_run(0.2);
        session_check(has_read(0, "The server stays open."));
    }
}
