// SPDX-License-Identifier: MIT
//
// Whole matches in which the server crashes or restarts as planned, over encrypted datagrams and ENet in virtual time:
// every player has their seat, score and match back, no world is wrong, and they are back within so many ticks. What a
// process costs to start is not in these; tests/system/restarts.py has that.
#include <string.h>

#include "restarts.h"
#include "test.h"
#include "virtual_udp.h"

enum { PLAYERS = 4, DOWN_MS = 100, ROUND_TRIP_TICKS = 4, NOT_BACK = 100000, TORN_BYTES = 5 };

// Round trips of a join: cookie, accept, ENet's two, welcome, first snapshot. Each may wait for a tick at both ends.
enum { JOIN_TICKS = 6 * (ROUND_TRIP_TICKS + 2), RESET_TICKS = ROUND_TRIP_TICKS + 2 };
// A join with the cookie of the server before is repeated for half a second before the client asks for another one.
enum { LOST_COOKIE_TICKS = TICKS_PER_SECOND / 2 };

static const struct impairment good = {.delay_us = 30000};
static struct restarts restarts;
static uint32_t slots[PLAYERS], generations[PLAYERS];

static const struct player *player_of(uint32_t index)
{
    return &session.match->world.players[slots[index]];
}

// Players play until they have shot.
static void begin(uint64_t seed, const struct impairment *line)
{
    restarts_begin(&restarts, seed, "duel", line);
    session_join_first(PLAYERS, PLAYERS);
    session_run(12);
    session_check(session.match->world.round.phase == ROUND_PLAYING);
    for (uint32_t i = 0; i < PLAYERS; i++) {
        session_check(client_state(session.clients[i]) == CLIENT_PLAYING);
        slots[i] = client_slot(session.clients[i]);
        generations[i] = player_of(i)->generation;
    }
}

static void end(void)
{
    restarts_end(&restarts);
}

EACH_TEST(NULL, end);

// Returns whether a client plays the match of the server that runs.
static bool is_back(uint32_t index)
{
    const struct world *world = client_world_confirmed(session.clients[index]);
    return client_state(session.clients[index]) == CLIENT_PLAYING && world && world->tick > restarts.end.world.tick &&
           peer_at_slot(session.match, slots[index]) < MATCH_PEER_CAPACITY;
}

// Runs until all are back. Returns how many ticks the server had played then.
static uint32_t ticks_until_back(void)
{
    for (uint32_t ticks = 0; ticks < 6 * TICKS_PER_SECOND; ticks++) {
        uint32_t back = 0;
        for (uint32_t i = 0; i < PLAYERS; i++)
            back += is_back(i);
        if (back == PLAYERS)
            return ticks;
        session_run(1.0 / TICKS_PER_SECOND);
    }
    return NOT_BACK;
}

// The players are those of the journal, never left, and play on.
static void all_is_whole(void)
{
    session_run(2);
    uint64_t compared = session.worlds_compared;
    session_run(1);
    session_check(session.worlds_compared - compared >= (uint64_t)PLAYERS * (TICKS_PER_SECOND - 2));
    uint32_t shots = 0;
    for (uint32_t i = 0; i < PLAYERS; i++) {
        const struct player *before = &restarts.end.world.players[slots[i]], *now = player_of(i);
        shots += before->stats.shots;
        session_check(client_state(session.clients[i]) == CLIENT_PLAYING);
        session_check(client_slot(session.clients[i]) == slots[i]);
        session_check(session_statistics(i).desyncs == 0);
        session_check(now->generation == generations[i] && now->stats.kills >= before->stats.kills &&
                      now->stats.shots >= before->stats.shots);
        session_check(strncmp((const char *)now->name, (const char *)before->name, sizeof now->name) == 0);
    }
    session_check(shots > 0);
    session_check(session.match->peer_count == PLAYERS && session.match->statistics.malformed == 0);
}

static void end_server(bool is_planned)
{
    if (is_planned)
        restarts_announce(&restarts);
    else
        restarts_kill(&restarts, 0);
}

TEST(after_a_crash_resets_bring_all_players_back)
{
    begin(1, &good);
    tick last = session.match->world.tick;
    end_server(false);
    session_run(DOWN_MS / 1e3);
    restarts_start(&restarts);
    session_check(restarts.end.world.tick == last && restarts.end.has_secret);
    session_check(ticks_until_back() <= RESET_TICKS + JOIN_TICKS);
    all_is_whole();
}

TEST(after_a_planned_restart_no_tick_is_lost)
{
    begin(2, &good);
    tick last = session.match->world.tick;
    end_server(true);
    session_run(DOWN_MS / 1e3);
    for (uint32_t i = 0; i < PLAYERS; i++)
        session_check(strcmp(client_status_text(session.clients[i]), "The server is restarting.") == 0);
    restarts_start(&restarts);
    session_check(restarts.end.world.tick == last && !restarts.end.has_secret);
    session_check(ticks_until_back() <= JOIN_TICKS - ROUND_TRIP_TICKS);
    all_is_whole();
}

TEST(a_torn_journal_costs_its_last_tick)
{
    begin(3, &good);
    tick last = session.match->world.tick;
    restarts_kill(&restarts, TORN_BYTES);
    session_run(DOWN_MS / 1e3);
    restarts_start(&restarts);
    session_check(restarts.end.world.tick == last - 1);
    session_check(ticks_until_back() <= RESET_TICKS + JOIN_TICKS);
    all_is_whole();
}

// The first row ends a server that has not played a tick.
TEST(two_restarts_in_a_row_are_two_absences)
{
    static const uint32_t between_ms[] = {0, 50, 120, 250};
    begin(4, &good);
    for (uint32_t kinds = 0; kinds < 4; kinds++)
        for (size_t row = 0; row < sizeof between_ms / sizeof *between_ms; row++) {
            for (uint32_t i = 0; i < 2; i++) {
                session_run(i * between_ms[row] / 1e3);
                end_server(kinds >> i & 1);
                session_run(DOWN_MS / 1e3);
                restarts_start(&restarts);
            }
            session_check(ticks_until_back() <= LOST_COOKIE_TICKS + JOIN_TICKS);
        }
    all_is_whole();
}

TEST(clients_that_are_joining_get_in_after_the_restart)
{
    begin(5, &good);
    for (uint32_t ms = 0; ms < 420; ms += 35)
        for (uint32_t is_planned = 0; is_planned < 2; is_planned++) {
            session_join(PLAYERS, false);
            session_run(ms / 1e3);
            end_server(is_planned);
            session_run(DOWN_MS / 1e3);
            restarts_start(&restarts);
            uint32_t ticks = 0;
            while (client_state(session.clients[PLAYERS]) != CLIENT_PLAYING &&
                   ticks++ <= LOST_COOKIE_TICKS + JOIN_TICKS)
                session_run(1.0 / TICKS_PER_SECOND);
            session_check(ticks <= LOST_COOKIE_TICKS + JOIN_TICKS);
            session_check(ticks_until_back() <= RESET_TICKS + JOIN_TICKS);
            session_leave(PLAYERS);
        }
    all_is_whole();
}

TEST(loss_and_reordering_cost_a_few_round_trips)
{
    static const struct impairment bad = {.delay_us = 30000, .loss_ppm = 100000, .reorder_ppm = 100000};
    uint32_t slow = 0;
    begin(6, &bad);
    for (uint32_t i = 0; i < 10; i++) {
        end_server(i % 2);
        session_run(DOWN_MS / 1e3);
        restarts_start(&restarts);
        uint32_t ticks = ticks_until_back();
        print_message("bad line, planned %u: %u ticks\n", i % 2, ticks);
        session_check(ticks != NOT_BACK);
        slow += ticks > 3 * TICKS_PER_SECOND / 2;
        session_run(1);
    }
    session_check(slow <= 2); // of 200 with other seeds 3 % took 1.7 s and more: several losses in a row
}

TEST(clients_come_back_from_other_ports)
{
    begin(7, &good);
    for (uint32_t is_planned = 0; is_planned < 2; is_planned++) {
        end_server(is_planned);
        session_run(DOWN_MS / 2e3);
        virtual_udp_move();
        session_run(DOWN_MS / 2e3);
        restarts_start(&restarts);
        session_check(ticks_until_back() <= RESET_TICKS + JOIN_TICKS);
    }
    all_is_whole();
}
