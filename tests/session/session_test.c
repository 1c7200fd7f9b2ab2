// SPDX-License-Identifier: MIT
//
// Whole matches over good and bad networks. In each: no desync, every world equal on both sides, and few inputs missed.
#include <string.h>

#include "memory_network.h"
#include "seeds.h"
#include "session.h"
#include "test.h"

EACH_TEST(NULL, session_end);

static void everybody_joins(uint32_t first, uint32_t count)
{
    for (uint32_t i = first; i < first + count; i++)
        session_join(i, false);
}

// Checks that all play, none saw a desync, and fewer than `missed_per_mille` of the inputs were missed.
static void all_is_well(uint32_t seconds, uint32_t snapshots_per_s, uint32_t missed_per_mille)
{
    for (uint32_t i = 0; i < SESSION_CLIENTS; i++) {
        if (!session.clients[i])
            continue;
        struct client_statistics statistics = session_statistics(i);
        session_check(client_state(session.clients[i]) == CLIENT_PLAYING);
        session_check(statistics.desyncs == 0);
        session_check(statistics.snapshots >= seconds * snapshots_per_s);
        session_check(statistics.inputs_missed <= seconds * TICKS_PER_SECOND * missed_per_mille / 1000);
    }
    session_check(session.worlds_compared > 0);
}

TEST(sixteen_clients_play_a_minute_on_a_clean_network)
{
    session_begin(1, "foundry", &(struct impairment){.delay_us = 10000});
    everybody_joins(0, 16);
    session_run(length_asked(60));
    all_is_well(length_asked(60) - 1, 60, 2);
    session_check(session.match->world.event_count > length_asked(100)); // something happened
}

TEST(loss_delay_and_jitter_cost_no_world_and_few_inputs)
{
    for (uint64_t seed = 1; seed <= seeds_asked(3); seed++) {
        session_begin(seed, "duel", &(struct impairment){.delay_us = 50000, .jitter_us = 10000, .loss_ppm = 50000});
        everybody_joins(0, 6);
        session_run(4); // the clocks settle
        uint32_t missed[SESSION_CLIENTS];
        for (uint32_t i = 0; i < 6; i++)
            missed[i] = session_statistics(i).inputs_missed;
        session_run(30);
        for (uint32_t i = 0; i < 6; i++) // at most 0.5 % at 5 % loss
            session_check(session_statistics(i).inputs_missed - missed[i] <= 30 * 60 * 5 / 1000);
        all_is_well(33, 50, 100);
    }
}

TEST(duplicates_and_reordering_change_nothing)
{
    for (uint64_t seed = 1; seed <= seeds_asked(3); seed++) {
        session_begin(seed, "foundry",
                      &(struct impairment){.delay_us = 20000, .duplicate_ppm = 250000, .reorder_ppm = 50000});
        everybody_joins(0, 6);
        session_run(20);
        all_is_well(19, 50, 100);
    }
}

TEST(a_loss_of_a_quarter_is_survived)
{
    session_begin(7, "duel", &(struct impairment){.delay_us = 30000, .jitter_us = 20000, .loss_ppm = 250000});
    everybody_joins(0, 4);
    session_run(30);
    all_is_well(25, 40, 150);
}

TEST(a_late_client_gets_the_match_as_it_is)
{
    session_begin(3, "foundry", &(struct impairment){.delay_us = 30000, .loss_ppm = 20000});
    everybody_joins(0, 4);
    session_run(20);
    session_join(4, false);
    session_run(1);
    session_check(client_state(session.clients[4]) == CLIENT_PLAYING); // within a second
    session_run(5);
    session_check(session_statistics(4).desyncs == 0);
    session_check(session.match->world.players[client_slot(session.clients[4])].state != PLAYER_ABSENT);
}

TEST(a_client_that_leaves_is_gone_and_may_rejoin)
{
    session_begin(4, "duel", &(struct impairment){.delay_us = 20000});
    everybody_joins(0, 3);
    session_run(3);
    for (int round = 0; round < 3; round++) {
        uint32_t slot = client_slot(session.clients[1]);
        session_leave(1);
        session_run(1);
        session_check(session.match->world.players[slot].state == PLAYER_ABSENT);
        session_join(1, false);
        session_run(2);
        session_check(client_state(session.clients[1]) == CLIENT_PLAYING);
    }
    session_check(session_statistics(1).desyncs == 0);
    session_check(session_statistics(0).desyncs == 0);
}

TEST(a_chat_line_reaches_every_client_once_over_a_bad_network)
{
    session_begin(8, "duel", &(struct impairment){.delay_us = 40000, .loss_ppm = 100000, .duplicate_ppm = 100000});
    everybody_joins(0, 4);
    session_check(!client_chat_send(session.clients[2], 0, false, "too early"));
    session_run(4);
    session_check(client_chat_send(session.clients[2], 0, false, "hello"));
    session_check(!client_chat_send(session.clients[2], 0, false, ""));
    session_run(3);
    for (uint32_t i = 0; i < 4; i++) {
        struct chat_line line;
        session_check(client_chat_next(session.clients[i], &line));
        session_check(strcmp(line.text, "hello") == 0);
        session_check(line.from == client_slot(session.clients[2]) + 1);
        session_check(!client_chat_next(session.clients[i], &line));
    }
}

TEST(a_light_client_answers_like_a_full_one)
{
    session_begin(5, "foundry", &(struct impairment){.delay_us = 20000, .loss_ppm = 10000});
    session_join(0, false);
    session_join(1, true);
    session_run(20);
    all_is_well(19, 55, 20);
    session_check(session_statistics(1).snapshot_bytes < 1000); // it acknowledges: no full snapshots
    session_check(client_world(session.clients[1]) == NULL);
}

TEST(a_blackout_of_two_seconds_resumes_in_place)
{
    struct impairment good = {.delay_us = 20000}, dead = {.delay_us = 20000, .loss_ppm = 1000000};
    session_begin(6, "foundry", &good);
    everybody_joins(0, 3);
    session_run(5);
    memory_network_impair(session.network, &dead);
    session_run(2);
    memory_network_impair(session.network, &good);
    session_run(3);
    uint32_t missed[3], snapshots[3];
    for (uint32_t i = 0; i < 3; i++) {
        missed[i] = session_statistics(i).inputs_missed;
        snapshots[i] = session_statistics(i).snapshots;
    }
    session_run(3);
    for (uint32_t i = 0; i < 3; i++) {
        session_check(session_statistics(i).inputs_missed == missed[i]);
        session_check(session_statistics(i).snapshots >= snapshots[i] + 170);
        session_check(session_statistics(i).desyncs == 0);
    }
}

TEST(a_full_server_says_so)
{
    session_begin(8, "duel", &(struct impairment){.delay_us = 5000});
    session.match->roster.seat_count = 2;
    everybody_joins(0, 3);
    session_run(2);
    session_check(client_state(session.clients[2]) == CLIENT_ENDED);
    session_check(client_reason(session.clients[2]) == DENY_FULL);
    session_check(strcmp(client_status_text(session.clients[2]), message_deny_text(DENY_FULL)) == 0);
    session_check(client_state(session.clients[0]) == CLIENT_PLAYING);
}

TEST(a_player_who_is_kicked_reads_why)
{
    static const struct message why = {.kind = MESSAGE_SYSTEM, .as.system = "You were kicked: for camping."};
    session_begin(10, "duel", &(struct impairment){.delay_us = 5000});
    everybody_joins(0, 2);
    session_run(2);
    peer_send(session.match, 0, &why);
    for (uint32_t i = 0; i < 2; i++)
        peer_drop(session.match, i, DENY_KICKED);
    session_run(0.5);
    session_check(strcmp(client_status_text(session.clients[0]), why.as.system) == 0);
    session_check(strcmp(client_status_text(session.clients[1]), message_deny_text(DENY_KICKED)) == 0); // nothing said
}

TEST(a_closing_server_differs_from_a_lost_one)
{
    session_begin(9, "duel", &(struct impairment){.delay_us = 5000});
    everybody_joins(0, 2);
    session_run(2);
    match_close(session.match);
    session_run(0.5);
    session_check(client_state(session.clients[0]) == CLIENT_ENDED);
    session_check(client_reason(session.clients[0]) == DENY_CLOSING);
}
