// SPDX-License-Identifier: MIT
//
// How soon a client recovers when its world differs from the server's.
#include <stdio.h>
#include <string.h>

#include "memory_network.h"
#include "session.h"
#include "test.h"

EACH_TEST(NULL, session_end);

enum { DELAY_US = 100000 };

// Changes the server's world in a way that only a full snapshot shows. Returns its tick.
static tick come_apart(void)
{
    session.match->world.players[0].stats.deaths++;
    return session.match->world.tick + 1;
}

// Loses a reliable message to client 0, which will be sent again.
static void lose_a_message(void)
{
    memory_network_block(session.network, false, true);
    for (uint32_t i = 0; i < MATCH_PEER_CAPACITY; i++)
        if (session.match->peers[i].state == PEER_PLAYING)
            peer_send(session.match, i, &(struct message){.kind = MESSAGE_SYSTEM, .as.system = "lost at first"});
    memory_network_block(session.network, false, false);
}

// Returns the milliseconds from a world that differs to the next correct one at the client.
static uint32_t resync_ms(bool with_lost_message)
{
    session_begin(21, "duel", &(struct impairment){.delay_us = DELAY_US});
    session_join(0, false);
    session_run(3);
    uint64_t start = session.step;
    tick apart = come_apart();
    session_run(0.15);
    if (with_lost_message)
        lose_a_message();
    const struct world *confirmed = NULL;
    while (!confirmed || (int32_t)(confirmed->tick - apart) < 0) {
        session_check(session.step - start < SESSION_STEPS);
        session_run(1.0 / SESSION_STEPS);
        confirmed = client_world_confirmed(session.clients[0]);
    }
    uint32_t ms = (uint32_t)((session.step - start) * 1000 / SESSION_STEPS);
    session_check(session_statistics(0).desyncs > 0);
    session_run(1);
    session_check(client_state(session.clients[0]) == CLIENT_PLAYING);
    session_check(strcmp(client_system_message(session.clients[0], session_client_us(0)),
                         with_lost_message ? "lost at first" : "") == 0);
    session_end();
    return ms;
}

TEST(a_full_snapshot_waits_for_no_lost_message)
{
    uint32_t alone_ms = resync_ms(false), behind_ms = resync_ms(true);
    print_message("a true world %u ms after the difference, with a lost message %u ms\n", alone_ms, behind_ms);
    assert_in_range(alone_ms, 3 * DELAY_US / 1000,
                    3 * DELAY_US / 1000 + 50); // the snapshot, the request, and the full snapshot
    assert_int_equal(behind_ms, alone_ms);
}
