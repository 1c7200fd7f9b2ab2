// SPDX-License-Identifier: MIT
//
// Which clients keep their seat, get it back, or are refused: the rows of the fault table about joining and leaving,
// over the network in virtual time.
#include <stdio.h>
#include <string.h>

#include "memory_network.h"
#include "seeds.h"
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

// Four clients play until client 0 has points.
static struct player begin(uint64_t seed)
{
    session_begin(seed, "duel", &GOOD);
    session_join_first(4, 4);
    session_run(12);
    struct player *player = &session.match->world.players[client_slot(session.clients[0])];
    session_check(session.match->world.round.phase == ROUND_PLAYING);
    return *player;
}

static const struct player *at(uint32_t slot)
{
    return &session.match->world.players[slot];
}

static bool plays(uint32_t index)
{
    return session.clients[index] && client_state(session.clients[index]) == CLIENT_PLAYING;
}

static bool has_all(const struct player *now, const struct player *before)
{
    return now->score >= before->score - 3 && now->stats.kills >= before->stats.kills &&
           now->stats.shots >= before->stats.shots && now->stats.deaths >= before->stats.deaths &&
           now->stats.shots > 0 && now->team == before->team;
}

TEST(after_a_drop_a_client_rejoins_and_has_its_slot_and_score_back)
{
    for (uint64_t seed = 1; seed <= seeds_asked(3); seed++) {
        begin(seed);
        uint32_t slots[4];
        struct player before[4];
        for (uint32_t i = 0; i < 4; i++) {
            slots[i] = client_slot(session.clients[i]);
            before[i] = *at(slots[i]);
        }
        memory_network_impair(session.network, &DEAD);
        session_run(7);
        session_check(session.match->peer_count == 0 && session.match->statistics.returns == 0);
        memory_network_impair(session.network, &GOOD);
        session_run(4);
        session_check(session.match->statistics.returns == 4);
        for (uint32_t i = 0; i < 4; i++) {
            session_check(plays(i) && client_slot(session.clients[i]) == slots[i]);
            session_check(at(slots[i])->generation != before[i].generation);
            session_check(has_all(at(slots[i]), &before[i]) ||
                          session.match->world.round.since_tick > before[i].generation);
            session_check(session_statistics(i).desyncs == 0);
        }
    }
}

TEST(a_player_whose_seat_a_bot_has_taken_gets_it_back)
{
    struct player before = begin(4);
    match_map_build_nav_graph(session.match->own);
    session.match->bots = 4;
    uint32_t slot = client_slot(session.clients[0]);
    before = *at(slot);
    session_kill(0);
    session_run(5);
    session_check(at(slot)->flags & PLAYER_BOT);
    session_join(0, false);
    session_run(1);
    session_check(plays(0) && client_slot(session.clients[0]) == slot);
    session_check(!(at(slot)->flags & PLAYER_BOT) && has_all(at(slot), &before));
}

TEST(a_new_join_of_the_same_account_replaces_the_dead_connection_at_once)
{
    begin(5);
    uint32_t slot = client_slot(session.clients[0]), generation = at(slot)->generation;
    session_kill(0);
    session_run(0.5); // not noticed yet
    session_check(at(slot)->generation == generation);
    session_join_as(4, 0, 0);
    session_run(0.5);
    session_check(plays(4) && client_slot(session.clients[4]) == slot);
    session_check(at(slot)->generation == generation); // the same player continues
    session_run(5);                                    // and stays when the dead connection times out
    session_check(plays(4) && at(slot)->generation == generation);
    session_check(session.match->peer_count == 4);
}

TEST(joining_from_elsewhere_ends_the_older_connection)
{
    begin(6);
    session_join_as(4, 0, 0);
    session_run(5);
    session_check(plays(4) && client_state(session.clients[0]) == CLIENT_ENDED);
    session_check(client_reason(session.clients[0]) == DENY_REPLACED);
    session_check(session.match->statistics.returns == 1);
    session_check(strstr(client_status_text(session.clients[0]), "elsewhere") != NULL);
}

TEST(local_players_of_one_key_have_their_own_slots)
{
    session_begin(7, "duel", &GOOD);
    for (uint32_t i = 0; i < LOCAL_PLAYERS; i++)
        session_join_as(i, 9, i);
    session_run(2);
    for (uint32_t i = 0; i < LOCAL_PLAYERS; i++)
        for (uint32_t k = 0; k < i; k++)
            session_check(plays(i) && client_slot(session.clients[i]) != client_slot(session.clients[k]));
    uint32_t slot = client_slot(session.clients[2]);
    session_kill(2);
    session_join_as(5, 9, 2);
    session_run(1);
    session_check(plays(5) && client_slot(session.clients[5]) == slot && plays(0) && plays(1) && plays(3));
}

// Four at one machine: over one connection, with one prediction.
static void begin_couch(uint64_t seed)
{
    session_begin(seed, "duel", &GOOD);
    session_join(0, false);
    for (uint32_t local = 1; local < LOCAL_PLAYERS; local++)
        session_join_beside(0, local);
    session_run(4);
}

static uint32_t seated(void)
{
    return local_seats_count(client_seats(session.clients[0]));
}

TEST(four_local_players_share_one_connection_and_one_prediction)
{
    for (uint64_t seed = 1; seed <= seeds_asked(3); seed++) {
        begin_couch(seed);
        session_check(session.match->peer_count == 1 && seated() == LOCAL_PLAYERS);
        session_run(20);
        for (uint32_t local = 0; local < LOCAL_PLAYERS; local++) {
            uint32_t seat = client_seats(session.clients[0])->of[local];
            session_check(seat && at(seat - 1)->state != PLAYER_ABSENT && at(seat - 1)->stats.shots > 0);
            session_check(client_player_denied(session.clients[0], local) == DENY_NONE);
        }
        struct client_statistics statistics = session_statistics(0);
        session_check(statistics.desyncs == 0 && statistics.inputs_missed == 0);
        // Nobody else plays, so nothing is guessed but what nobody may foresee.
        session_check(statistics.prediction_error_subpx == 0 && statistics.others_jumps == 0);
    }
}

TEST(a_local_player_leaves_and_returns_alone)
{
    begin_couch(21);
    uint32_t slot = client_seats(session.clients[0])->of[0] - 1, second = client_seats(session.clients[0])->of[1] - 1;
    session_run(8);
    struct player before = *at(second);
    client_leave_player(session.clients[0], 1);
    session_run(1);
    session_check(at(second)->state == PLAYER_ABSENT && seated() == 3 && plays(0) &&
                  client_slot(session.clients[0]) == slot);
    session_join_beside(0, 1);
    session_run(1);
    session_check(seated() == 4 && client_seats(session.clients[0])->of[1] - 1 == second);
    session_check(session.match->statistics.returns == 1 && has_all(at(second), &before));
    client_leave_player(session.clients[0], 0); // the others stay when the first one leaves
    session_run(1);
    session_check(plays(0) && seated() == 3 && client_slot(session.clients[0]) == second);
    for (uint32_t local = 1; local < LOCAL_PLAYERS; local++)
        client_leave_player(session.clients[0], local);
    session_run(1);
    session_check(client_state(session.clients[0]) == CLIENT_ENDED && session.match->peer_count == 0);
}

TEST(all_local_players_come_back_after_a_loss)
{
    begin_couch(22);
    struct local_seats seats = *client_seats(session.clients[0]);
    memory_network_impair(session.network, &DEAD);
    session_run(7);
    session_check(session.match->peer_count == 0);
    memory_network_impair(session.network, &GOOD);
    session_run(6);
    session_check(plays(0) && memcmp(client_seats(session.clients[0]), &seats, sizeof seats) == 0);
    session_check(session.match->statistics.returns == LOCAL_PLAYERS);
}

TEST(the_vote_of_any_local_player_is_the_own_one_of_their_client)
{
    static const char *const CHOICES[] = {"a", "b", "c"};
    struct vote_message vote;
    begin_couch(24);
    session_check(vote_open(session.match, "?", CHOICES, 3, VOTE_TICKS));
    session_check(vote_cast(session.match, client_seats(session.clients[0])->of[2] - 1, 1));
    session_run(1);
    session_check(client_open_vote(session.clients[0], session_client_us(0), &vote) && vote.own == 2);
    session_check(vote_cast(session.match, client_seats(session.clients[0])->of[1] - 1, 2));
    session_run(1);
    session_check(client_open_vote(session.clients[0], session_client_us(0), &vote) && vote.own == 3);
    client_leave_player(session.clients[0], 1); // with their vote
    session_run(1);
    session_check(vote_cast(session.match, client_seats(session.clients[0])->of[0] - 1, 0));
    session_run(1);
    session_check(client_open_vote(session.clients[0], session_client_us(0), &vote) && vote.own == 1);
}

TEST(a_player_without_a_seat_learns_why_and_the_others_play_on)
{
    session_begin_match(23, "duel", &GOOD, &(struct match_config){.rules = {.mode = MODE_FFA}, .players_max = 2});
    session_join(0, false);
    for (uint32_t local = 1; local < LOCAL_PLAYERS; local++)
        session_join_beside(0, local);
    session_run(3);
    session_check(plays(0) && seated() == 2 && session_statistics(0).desyncs == 0);
    session_check(client_player_denied(session.clients[0], 2) == DENY_FULL);
    session_check(client_player_denied(session.clients[0], 3) == DENY_FULL);
    client_leave_player(session.clients[0], 0);
    session_run(0.5);
    session_join_beside(0, 3); // asks again
    session_run(2);
    session_check(seated() == 2 && client_player_denied(session.clients[0], 3) == DENY_NONE);
}

TEST(a_local_player_who_is_kicked_or_replaced_learns_why)
{
    begin_couch(24);
    uint32_t slot = client_seats(session.clients[0])->of[2] - 1;
    peer_drop_player(session.match, peer_at_slot(session.match, slot), 2, DENY_KICKED);
    session_run(0.5);
    session_check(plays(0) && seated() == 3 && client_player_denied(session.clients[0], 2) == DENY_KICKED);
    session_join_as(1, 0, 3); // from another machine
    session_run(2);
    session_check(plays(0) && plays(1) && seated() == 2);
    session_check(client_player_denied(session.clients[0], 3) == DENY_REPLACED);
    session_check(session_statistics(0).desyncs == 0 && session_statistics(1).desyncs == 0);
}

// A client that joins and leaves as fast as it can costs everybody else a few messages a second, and then its place.
TEST(joins_beside_are_limited)
{
    begin(25);
    for (uint32_t i = 0; i < 40; i++) {
        uint8_t bytes[MESSAGE_BYTES_MAX];
        struct message join = {.kind = MESSAGE_JOIN, .as.join = {.protocol = PROTOCOL_VERSION, .local = 1}};
        struct message leave = {.kind = MESSAGE_LEAVE, .as.leave = 1};
        uint32_t peer = peer_at_slot(session.match, client_slot(session.clients[0]));
        if (peer == MATCH_PEER_CAPACITY)
            break;
        peer_messages_handle(session.match, peer, bytes, message_encode(&join, bytes), session_now_us());
        peer_messages_handle(session.match, peer, bytes, message_encode(&leave, bytes), session_now_us());
    }
    session_check(session.match->statistics.joins == 4 + 2 * LOCAL_PLAYERS);
    session_run(1);
    session_check(!plays(0) && client_reason(session.clients[0]) == DENY_PROTOCOL && plays(1) && plays(2) && plays(3));
}

TEST(the_slot_of_a_killed_client_is_free_within_4_s)
{
    begin(8);
    uint32_t slot = client_slot(session.clients[0]);
    session_kill(0);
    session_run(4.1);
    session_check(at(slot)->state == PLAYER_ABSENT && session.match->peer_count == 3);
}

TEST(a_full_server_lets_only_its_own_players_back)
{
    begin(9);
    session.match->roster.seat_count = 4;
    session_join(4, false);
    session_run(1);
    session_check(client_state(session.clients[4]) == CLIENT_ENDED);
    session_check(client_reason(session.clients[4]) == DENY_FULL);
    session_kill(0);
    session_join_as(5, 0, 0);
    session_run(1);
    session_check(plays(5));
}

static bool refuses_all(void *context, const struct net_client *client, char reason[NET_REASON_BYTES])
{
    (void)client;
    snprintf(reason, NET_REASON_BYTES, "%s", (const char *)context);
    return false;
}

TEST(a_client_refused_after_a_drop_learns_why_and_stops_trying)
{
    begin(10);
    memory_network_impair(session.network, &DEAD);
    session_run(7);
    memory_network_admit(session.network, &(struct net_admission){refuses_all, "Banned: camping."});
    memory_network_impair(session.network, &GOOD);
    session_run(4);
    for (uint32_t i = 0; i < 4; i++) {
        session_check(client_state(session.clients[i]) == CLIENT_ENDED);
        session_check(strcmp(client_status_text(session.clients[i]), "Banned: camping.") == 0);
    }
}
