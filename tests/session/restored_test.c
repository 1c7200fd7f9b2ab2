// SPDX-License-Identifier: MIT
//
// A server that restarts under whole clients in a fight: the restored match stands still until they are back. In
// virtual time.
#include "match/journal.h"
#include "restarts.h"
#include "seeds.h"
#include "sync/world.h"
#include "test.h"

enum { PLAYERS = 4, FIGHT_S = 12 };

static struct restarts restarts;
static const struct world *const end = &restarts.end.world; ///< where the server before ended

static void begin(uint64_t seed, uint32_t delay_us)
{
    restarts_begin(&restarts, seed, "duel", &(struct impairment){.delay_us = delay_us, .jitter_us = 2000});
    session_join_first(PLAYERS, PLAYERS);
    session_run(FIGHT_S);
}

static void restart(void)
{
    restarts_announce(&restarts);
    restarts_start(&restarts);
}

static bool is_as_it_was(uint32_t slot)
{
    const struct df_actor *now = &session.match->world.actors[slot], *then = &end->actors[slot];
    const struct player *player = &session.match->world.players[slot], *before = &end->players[slot];
    return now->x == then->x && now->y == then->y && now->rem_x == then->rem_x && now->rem_y == then->rem_y &&
           player->state == before->state && player->stats.deaths == before->stats.deaths;
}

static uint32_t slot_of(uint32_t index)
{
    return client_slot(session.clients[index]);
}

static bool has_input(uint32_t slot)
{
    uint32_t peer = peer_at_slot(session.match, slot);
    return peer < MATCH_PEER_CAPACITY && session.match->peers[peer].inputs.newest_tick != 0;
}

// Runs until a tick after the match goes on. Returns the ticks that it stood still.
static uint32_t wait(void)
{
    uint32_t since = session.match->world.round.paused_ticks;
    do {
        for (uint32_t i = 0; i < PLAYERS; i++)
            if (session.clients[i])
                session_check(has_input(slot_of(i)) || is_as_it_was(slot_of(i)));
        session_run(1.0 / SESSION_STEPS);
    } while (session.match->wait_deadline != 0);
    return session.match->world.round.paused_ticks - since;
}

TEST(nobody_moves_or_dies_before_their_own_input_counts)
{
    for (uint64_t seed = 1; seed <= seeds_asked(5); seed++) {
        begin(seed, 15000 * (uint32_t)seed);
        restart();
        session_check(wait() < JOURNAL_WAIT_TICKS);
        for (uint32_t slot = 0; slot < PLAYERS; slot++)
            session_check(has_input(slot));
        session_run(2);
        bool moved = false;
        for (uint32_t i = 0; i < PLAYERS; i++) {
            session_check(client_state(session.clients[i]) == CLIENT_PLAYING);
            session_check(session_statistics(i).desyncs == 0);
            moved = moved || !is_as_it_was(slot_of(i));
        }
        session_check(moved && session.match->world.round.paused == PAUSE_NONE);
        restarts_end(&restarts);
    }
}

TEST(who_never_returns_delays_the_others_by_a_second)
{
    begin(1, 20000);
    session_kill(1);
    restart();
    uint32_t stood = wait();
    session_check(stood >= JOURNAL_WAIT_TICKS - 1 && stood <= JOURNAL_WAIT_TICKS);
    session_run(1);
    session_check(session.match->world.round.paused_ticks == stood + end->round.paused_ticks);
    restarts_end(&restarts);
}

TEST(an_ordered_pause_outlives_the_wait)
{
    begin(1, 20000);
    match_enqueue_command(session.match, &(struct command){.kind = COMMAND_PAUSE, .paused = PAUSE_ORDERED});
    session_run(0.1);
    restart();
    session_run(3);
    session_check(session.match->world.round.paused == PAUSE_ORDERED);
    restarts_end(&restarts);
}

// The journal of the next server has the wait in it, and a server that restarts while it waits begins to wait again.
TEST(a_match_is_restored_while_it_waits)
{
    begin(1, 20000);
    session_kill(1);
    restart();
    session_run(0.5);
    session_check(session.match->world.round.paused == PAUSE_STALLED);
    uint64_t before = world_hash(&session.match->world);
    restart();
    session_check(world_hash(end) == before);
    session_check(wait() >= JOURNAL_WAIT_TICKS - 1);
    session_check(session.match->world.round.paused == PAUSE_NONE);
    restarts_end(&restarts);
}

// Three of four have to say yes. Who comes back first does not decide alone, and everybody's choice still counts.
TEST(an_open_vote_is_decided_after_a_restart)
{
    bool ended;
    begin(1, 20000);
    session_check(vote_ask(session.match, slot_of(0), "Restart the match?", false));
    session_check(vote_cast(session.match, slot_of(1), 0));
    session_check(vote_count(session.match, &ended) == VOTE_NONE && !ended);
    session_run(0.1);
    tick end_tick = session.match->vote.end_tick;
    session_kill(1);
    restart();
    for (int tenths = 0; tenths < 20; tenths++) {
        session_check(vote_count(session.match, &ended) == VOTE_NONE && !ended);
        session_run(0.1);
    }
    const struct vote_message *message = &session.match->vote.message;
    session_check(session.match->vote.end_tick == end_tick && message->choices[0].votes == 2);
    assert_string_equal(message->question, "Restart the match?");
    struct vote_message seen;
    session_check(client_open_vote(session.clients[2], session_client_us(2), &seen));
    session_check(vote_cast(session.match, slot_of(2), 0));
    session_check(vote_count(session.match, &ended) == 0 && ended);
    restarts_end(&restarts);
}

TEST(a_vote_that_is_not_decided_ends_in_time_after_a_restart)
{
    bool ended = false;
    begin(1, 20000);
    session_check(vote_ask(session.match, slot_of(0), "Kick client 2?", true));
    session_run(1);
    restart();
    uint32_t result = VOTE_NONE;
    for (int tenths = 0; tenths < 190 && !ended; tenths++) {
        session_run(0.1);
        result = vote_count(session.match, &ended);
    }
    session_check(ended && result == 1);
    restarts_end(&restarts);
}
