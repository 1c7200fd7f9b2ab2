// SPDX-License-Identifier: MIT
//
// Tests the tags of players: what each client receives, how much of it, and that two clients cannot compare theirs.
#include "net/crypto/identity.h"

#include <stdlib.h>
#include <string.h>

#include "match/match.h"
#include "memory_network.h"
#include "prepared_map.h"
#include "probe.h"
#include "protocol_page.h"
#include "test.h"
#include "test_map.h"

static struct session session;
static struct map map;

static void end(void)
{
    session_end(&session);
}

EACH_TEST(NULL, end);

static void begin(uint32_t places, uint32_t bots, uint32_t probes)
{
    test_map_random(&map, 4, 60, 40);
    struct match_config config = {
        .map = &map, .rules = {.mode = MODE_FFA, .seed = 7}, .players_max = places, .bots = bots, .snapshot_rate = 60};
    session_begin(&session, &config, &(struct impairment){0}, probes);
    session_run(&session, 60);
}

static const uint8_t *account_of(uint32_t probe)
{
    return session.match->roster.seats[session.probes[probe].slot].key.identity;
}

// What a probe should have for a slot, by the table of seats.
static void assert_tagged(uint32_t probe, uint32_t slot)
{
    static const uint8_t NOBODY[PLAYER_TAG_BYTES];
    uint8_t tag[PLAYER_TAG_BYTES];
    const struct seat *seat = &session.match->roster.seats[slot];
    identity_player_tag(account_of(probe), seat->key.identity, tag);
    assert_memory_equal(session.probes[probe].tags[slot], seat->kind == SEAT_PLAYER ? tag : NOBODY, sizeof tag);
}

BARE_TEST(the_tag_of_protocol_md)
{
    uint8_t accounts[2][IDENTITY_BYTES], tag[PLAYER_TAG_BYTES], expected[PLAYER_TAG_BYTES];
    const char *row =
        protocol_page_after(protocol_page_after(protocol_page(), "| account of the player | tag |"), "63 | `");
    assert_int_equal(protocol_page_hex(row, expected, sizeof expected), sizeof expected);
    for (uint8_t i = 0; i < 2 * IDENTITY_BYTES; i++)
        accounts[i / IDENTITY_BYTES][i % IDENTITY_BYTES] = i;
    identity_player_tag(accounts[0], accounts[1], tag);
    assert_memory_equal(tag, expected, sizeof tag);
}

TEST(each_client_has_its_own_tag_of_each_person_and_none_of_bots)
{
    begin(6, 5, 3);
    assert_int_equal(roster_count(&session.match->roster, SEAT_BOT), 2);
    for (uint32_t probe = 0; probe < 3; probe++)
        for (uint32_t slot = 0; slot < PLAYER_CAPACITY; slot++)
            assert_tagged(probe, slot);
    const struct probe *probes = session.probes;
    uint32_t third = probes[2].slot;
    assert_memory_not_equal(probes[0].tags[third], probes[1].tags[third], PLAYER_TAG_BYTES);
}

// By the same account elsewhere, whatever slot they have there.
TEST(a_tag_is_the_same_on_another_server)
{
    uint8_t first[PLAYER_TAG_BYTES];
    begin(6, 0, 2);
    memcpy(first, session.probes[0].tags[session.probes[1].slot], sizeof first);
    session_end(&session);
    begin(8, 4, 2);
    assert_memory_equal(session.probes[0].tags[session.probes[1].slot], first, sizeof first);
}

TEST(who_leaves_is_replaced_and_another_match_changes_nothing)
{
    begin(3, 3, 3);
    uint32_t slot = session.probes[2].slot;
    transport_close(session.probes[2].transport);
    session.probe_count = 2;
    session_run(&session, 60);
    assert_int_equal(session.match->roster.seats[slot].kind, SEAT_BOT);
    assert_tagged(0, slot);
    size_t bytes = session.probes[0].tag_bytes;
    match_change(session.match, prepared_map(&map), &session.match->world.rules, session.now_us);
    session_run(&session, 60);
    assert_int_equal(session.probes[0].tag_bytes, bytes);
    assert_tagged(0, session.probes[1].slot);
}

// A message of 10 bytes to each for one who joins; 8 bytes a player to who joins.
TEST(tags_cost_a_few_bytes)
{
    begin(4, 0, 1);
    size_t bytes = session.probes[0].tag_bytes;
    assert_int_equal(bytes, 10);
    struct transport *another = memory_network_client(session.network);
    session.probes = realloc(session.probes, 2 * sizeof *session.probes);
    memset(&session.probes[1], 0, sizeof *session.probes);
    session.probes[1].transport = another;
    session.probe_count = 2;
    session_run(&session, 60);
    assert_int_equal(session.probes[0].tag_bytes, bytes + 10);
    assert_in_range(session.probes[1].tag_bytes, 2 * 8, 2 * 10);
}

// Many neighbours in one tick need several messages.
TEST(all_seats_of_a_full_server_have_tags)
{
    begin(PLAYER_CAPACITY, 0, 1);
    struct match *match = session.match;
    for (uint32_t slot = 0; slot < PLAYER_CAPACITY; slot++) {
        if (slot == session.probes[0].slot)
            continue;
        struct seat *seat = &match->roster.seats[slot];
        seat->kind = SEAT_PLAYER;
        seat->has_key = true;
        seat->occupant++;
        memset(seat->key.identity, (int)(slot + 1), sizeof seat->key.identity);
    }
    session_run(&session, 2);
    for (uint32_t slot = 0; slot < PLAYER_CAPACITY; slot++)
        assert_tagged(0, slot);
    struct probe *probe = &session.probes[0];
    memset(probe->tags, 0, sizeof probe->tags);
    broadcast_tags_to(match, peer_at_slot(match, probe->slot));
    session_run(&session, 2);
    for (uint32_t slot = 0; slot < PLAYER_CAPACITY; slot++)
        assert_tagged(0, slot);
}
