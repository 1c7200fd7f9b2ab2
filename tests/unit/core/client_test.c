// SPDX-License-Identifier: MIT
//
// Tests how a client joins, leaves, reconnects, chats and counts.
#include "core/client.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/platform/disk.h"
#include "core/map_download.h"
#include "scripted_server.h"
#include "test.h"

EACH_TEST(begin, finish);

static void again(void)
{
    finish();
    begin();
}

// Begins with another client.
static void begin_with(struct client_config config)
{
    client_destroy(client);
    strcpy(config.player.name, "Zo");
    client = client_create(memory_network_client(network), &config);
    pass_ms(1);
    pass_ms(1);
}

static void say_map(void)
{
    for (uint32_t offset = 0; offset < blob_bytes; offset += 900)
        say(part(offset, blob_bytes - offset < 900 ? blob_bytes - offset : 900));
    assert_int_equal(heard_count, 1);
    assert_int_equal(heard[0].kind, MESSAGE_READY);
}

static void remove_folder(const char *folder)
{
    char command[128];
    again(); // without the client that uses it
    snprintf(command, sizeof command, "rm -r %s", folder);
    assert_int_equal(system(command), 0);
}

TEST(a_client_joins_takes_the_map_and_plays)
{
    assert_int_equal(heard_count, 1);
    assert_int_equal(heard[0].kind, MESSAGE_JOIN);
    assert_int_equal(heard[0].as.join.protocol, PROTOCOL_VERSION);
    assert_int_equal(heard[0].as.join.name[0], 0xABC36F5A); // little-endian words
    assert_int_equal(heard[0].as.join.colour, 5);
    assert_int_equal(heard[0].as.join.hat, HAT_CAP);
    assert_string_equal(client_status_text(client), "Joining the match.");
    say(welcome());
    assert_string_equal(client_status_text(client), "Downloading the map.");
    say(part(0, 10));
    assert_null(client_map(client));
    say(part(10, blob_bytes - 10));
    assert_string_equal(client_status_text(client), "Waiting for the match.");
    assert_non_null(client_map(client));
    assert_int_equal(heard[1].kind, MESSAGE_READY);
    assert_null(client_world(client));
    assert_int_equal(client_next_tick_us(client), UINT64_MAX);
    say_snapshot(100, 0, 0, 0);
    assert_int_equal(client_state(client), CLIENT_PLAYING);
    assert_memory_equal(client_world(client), &worlds[100], sizeof(struct world));
    assert_string_equal(client_status_text(client), "");
    assert_true(counted().snapshot_bytes > 0 && counted().snapshot_bytes <= SNAPSHOT_PART_BYTES);
}

TEST(a_map_that_differs_from_the_announced_one_ends_the_join)
{
    static const struct {
        uint32_t offset, count;
        bool flip_hash;
        uint32_t announced; // bytes; 0: right
        const char *text;
    } rows[] = {
        /* 1 */ {1, 9, false, 0, "do not fit together"},
        /* 2 */ {0, 0, true, 0, "damaged, or not the one"}, // 0: all of it
        /* 3 */ {0, 0, false, 5, "do not fit together"},    // more than announced
        /* 4 */ {0, 5, false, 5, "damaged, or not the one"},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct message hello = welcome();
        hello.as.welcome.map_hash ^= rows[i].flip_hash;
        hello.as.welcome.map_blob_bytes = rows[i].announced ? rows[i].announced : blob_bytes;
        say(hello);
        say(part(rows[i].offset, rows[i].count ? rows[i].count : blob_bytes));
        if (client_state(client) != CLIENT_ENDED || !strstr(client_status_text(client), rows[i].text))
            fail_msg("row %zu: %s", i + 1, client_status_text(client));
        assert_null(client_map(client));
        again();
    }
}

TEST(a_refusal_is_reported_with_its_reason)
{
    say((struct message){.kind = MESSAGE_DENY, .as.deny = DENY_VERSION});
    assert_int_equal(client_state(client), CLIENT_ENDED);
    assert_int_equal(client_reason(client), DENY_VERSION);
    assert_string_equal(client_status_text(client), message_deny_text(DENY_VERSION));
}

TEST(a_connection_that_ends_is_reported_as_lost)
{
    let_in();
    transport_disconnect(server, 0, 0, false);
    pass_ms(10);
    assert_int_equal(client_state(client), CLIENT_ENDED);
    assert_int_equal(client_reason(client), DENY_NONE);
    assert_non_null(strstr(client_status_text(client), "lost"));
}

static uint32_t reopen_count;

// The network is down for the first two attempts.
static struct transport *reopen(void *context)
{
    (void)context;
    return ++reopen_count < 3 ? NULL : memory_network_client(network);
}

TEST(a_failed_attempt_to_connect_is_repeated)
{
    struct client_retry retry;
    reopen_count = 0;
    begin_with((struct client_config){.reopen = reopen});
    let_in();
    transport_disconnect(server, peer, 0, false);
    pass_ms(1);
    pass_ms(1);
    for (uint32_t attempt = 1; attempt <= 3; attempt++) {
        assert_int_equal(client_state(client), CLIENT_CONNECTING);
        assert_true(client_retry(client, now_us, &retry));
        assert_int_equal(retry.attempt, attempt);
        assert_int_equal(reopen_count, attempt - 1);
        pass_ms(retry.wait_us / 1000 - 1);
        assert_int_equal(reopen_count, attempt - 1);
        pass_ms(2);
        assert_int_equal(reopen_count, attempt);
    }
    pass_ms(1);
    pass_ms(1);
    assert_int_equal(client_state(client), CLIENT_JOINING);
}

TEST(a_destroyed_client_disconnects_from_the_server)
{
    let_in();
    gone_reason = DENY_REASONS;
    client_destroy(client);
    client = NULL;
    memory_network_advance(network, now_us + 1000);
    hear();
    assert_int_equal(gone_reason, DENY_NONE);
}

TEST(hats_are_shown_until_the_next_welcome)
{
    static struct view view;
    let_in();
    say((struct message){.kind = MESSAGE_HATS, .as.hats = {0, 3, {HAT_CAP, HAT_NONE, HAT_CROWN}}});
    say((struct message){.kind = MESSAGE_HATS, .as.hats = {1, 1, {HAT_TOP}}});
    tick_once(0);
    assert_true(client_view(client, now_us, &view));
    assert_memory_equal(view.hats, ((uint8_t[4]){HAT_CAP, HAT_TOP, HAT_CROWN, HAT_NONE}), 4);
    const uint8_t *hats = view.hats;
    say(welcome_at(150));
    assert_memory_equal(hats, (uint8_t[4]){0}, 4);
}

TEST(a_cached_map_is_not_downloaded_again)
{
    char folder[] = "/tmp/deadfall-maps-XXXXXX";
    assert_non_null(mkdtemp(folder));
    for (int round = 0; round < 2; round++) {
        begin_with((struct client_config){.map_cache = folder});
        heard_count = 0;
        say(welcome());
        assert_int_equal(heard_count, (uint32_t)round); // ready at once, or not
        say_map();                                      // under way in any case
        say_snapshot(100, 0, 0, 0);
        assert_int_equal(client_state(client), CLIENT_PLAYING);
    }
    remove_folder(folder);
}

// What is in the cache is there for the next session; this one can do without.
TEST(a_server_with_maps_without_end_writes_a_few)
{
    char folder[] = "/tmp/deadfall-maps-XXXXXX";
    uint32_t count = 0;
    assert_non_null(mkdtemp(folder));
    begin_with((struct client_config){.map_cache = folder});
    for (int i = 0; i < MAP_DOWNLOAD_KEPT_MAX + 4; i++) {
        heard_count = 0;
        memset(match.map.name, 0, sizeof match.map.name);
        snprintf(match.map.name, sizeof match.map.name, "m%d", i);
        blob_bytes = (uint32_t)map_blob_encode(&match.map, blob, sizeof blob);
        say(welcome());
        say_map();
    }
    struct disk_list *list = disk_list_open(folder);
    for (const char *name; (name = disk_list_next(list));)
        count += name[0] != '.';
    disk_list_close(list);
    assert_int_equal(count, MAP_DOWNLOAD_KEPT_MAX);
    remove_folder(folder);
}

TEST(garbage_is_ignored_in_every_state)
{
    uint32_t random = 1;
    for (int phase = 0; phase < 2; phase++) {
        for (int i = 0; i < 500; i++) {
            uint8_t bytes[64];
            for (size_t b = 0; b < sizeof bytes; b++)
                bytes[b] = (uint8_t)((random = random * 1664525u + 1013904223u) >> 24);
            bytes[0] = MESSAGE_SNAPSHOT;
            if (i % 2)
                bytes[0] = (uint8_t)(MESSAGE_KINDS + i % 100);
            say_bytes(NET_UNSEQUENCED, bytes, 1 + (uint32_t)i % 63);
        }
        assert_int_not_equal(client_state(client), CLIENT_ENDED);
        if (phase == 0)
            let_in();
        assert_int_equal(client_state(client), CLIENT_PLAYING);
    }
}

TEST(a_leaving_client_disconnects_from_the_server)
{
    let_in();
    client_leave(client);
    assert_int_equal(client_state(client), CLIENT_ENDED);
    assert_int_equal(client_reason(client), DENY_NONE);
    struct net_event event = {.reason = DENY_REASONS};
    now_us += 1000;
    memory_network_advance(network, now_us);
    while (event.kind != NET_DISCONNECTED && transport_poll(server, &event))
        ;
    assert_int_equal(event.kind, NET_DISCONNECTED);
    assert_int_equal(event.reason, DENY_NONE);
    assert_false(client_tick_due(client, now_us + 1000000));
}

TEST(a_client_that_leaves_because_of_a_bad_map_says_why)
{
    struct message wrong = welcome();
    wrong.as.welcome.map_address[0] ^= 1;
    say(wrong);
    say(part(0, blob_bytes));
    assert_int_equal(client_state(client), CLIENT_ENDED);
    pass_ms(1);
    assert_int_equal(gone_reason, DENY_PROTOCOL);
}

TEST(statistics_count_what_was_sent_and_received)
{
    struct net_totals totals;
    let_in();
    assert_int_equal(counted().input_acks, 0);
    tick newest = tick_once(0)->newest_tick;
    uint64_t sent_us = now_us - 1000; // tick_once() lets a millisecond pass
    say_snapshot(101, 100, 0, 0);
    assert_int_equal(counted().input_acks, 0);
    for (tick i = 102; i < newest; i++)
        say_snapshot(i, i - 1, 0, 0);
    say_snapshot(newest, newest - 1, 0, newest);
    assert_int_equal(counted().input_acks, 1);
    assert_int_equal(counted().input_ack_us, now_us - sent_us);
    assert_int_equal(counted().lead_ticks, 0);
    assert_int_equal(counted().snapshot_rate, 60);
    assert_int_equal(counted().margin_quarter_ticks, 4);
    transport_totals(server, &totals);
    assert_true(totals.packets_in > 0 && totals.packets_out > totals.packets_in);
    assert_int_equal(counted().packets_out, totals.packets_in);
    assert_int_equal(counted().packets_in, totals.packets_out);
    assert_int_equal(counted().bytes_out, totals.bytes_in);
    assert_int_equal(counted().bytes_in, totals.bytes_out);
}

TEST(the_round_trip_is_reported_in_ms)
{
    struct client_statistics statistics;
    struct memory_network *slow = memory_network_create(1, &(struct impairment){.delay_us = 20000}, 1);
    memory_network_server(slow);
    struct client *far = client_create(memory_network_client(slow), &(struct client_config){.player.name = "A"});
    client_statistics(far, &statistics);
    assert_int_equal(statistics.rtt_ms, 40);
    client_destroy(far);
    memory_network_destroy(slow);
}

TEST(a_system_message_stays_for_some_seconds_of_snapshots)
{
    let_in();
    assert_string_equal(client_system_message(client, now_us), "");
    say((struct message){.kind = MESSAGE_SYSTEM, .as.system = "Ten minutes left."});
    say_snapshot(101, 100, 0, 0);
    uint64_t shown_us = now_us;
    assert_string_equal(client_system_message(client, shown_us), "Ten minutes left.");
    assert_string_equal(client_system_message(client, shown_us + 7990000), "Ten minutes left.");
    assert_string_equal(client_system_message(client, shown_us + 8000000), "");
    pass_ms(20000);
    assert_string_equal(client_system_message(client, now_us), "");
}

TEST(a_client_knows_how_long_the_server_has_been_silent)
{
    assert_int_equal(client_silence_us(client, now_us + 5000000), 0); // not playing yet
    let_in();
    assert_in_range(client_silence_us(client, now_us), 0, 2000);
    assert_in_range(client_silence_us(client, now_us + 700000), 700000, 702000);
    pass_ms(900);
    say_snapshot(101, 100, 0, 0);
    assert_in_range(client_silence_us(client, now_us), 0, 2000);
}

TEST(a_chat_line_is_sent_while_playing_and_cut_to_fit)
{
    char line[2 * CHAT_SEND_BYTES_MAX];
    memset(line, 'x', sizeof line);
    line[sizeof line - 1] = 0;
    heard_count = 0;
    assert_false(client_chat_send(client, 0, false, "too early"));
    pass_ms(1);
    assert_int_equal(heard_count, 0);
    let_in();
    heard_count = 0;
    assert_false(client_chat_send(client, 0, false, ""));
    assert_true(client_chat_send(client, 0, true, "y"));
    assert_true(client_chat_send(client, 0, false, line));
    pass_ms(1);
    pass_ms(1);
    assert_int_equal(heard_count, 2);
    assert_int_equal(heard[0].kind, MESSAGE_CHAT_SEND);
    assert_true(heard[0].as.chat_send.team);
    assert_string_equal(heard[0].as.chat_send.text, "y");
    assert_false(heard[1].as.chat_send.team);
    assert_int_equal(strlen(heard[1].as.chat_send.text), CHAT_SEND_BYTES_MAX);
}

// Inputs are numbered by the fastest answer during the join.
TEST(the_first_tick_is_ahead_by_the_fastest_round_trip)
{
    static const struct {
        uint64_t welcome_ms, snapshot_ms; // how long the server takes
        tick first;
    } rows[] = {{0, 0, 102}, {200, 0, 102}, {0, 200, 102}, {200, 300, 114}, {300, 200, 114}};
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        pass_ms(rows[i].welcome_ms);
        say(welcome());
        say(part(0, blob_bytes));
        pass_ms(rows[i].snapshot_ms);
        say_snapshot(100, 0, 0, 0);
        if (tick_once(0)->newest_tick != rows[i].first)
            fail_msg("row %zu: %u", i, heard[0].as.input.newest_tick);
        again();
    }
}

static void begin_again(void)
{
    reopen_count = 3; // it is up
    begin_with((struct client_config){.reopen = reopen});
}

static void lose_and_come_back(void)
{
    transport_disconnect(server, peer, 0, false);
    for (int i = 0; i < 3; i++)
        pass_ms(1);
    assert_int_equal(client_state(client), CLIENT_CONNECTING);
    pass_ms(250);
    for (int i = 0; i < 3; i++)
        pass_ms(1);
    assert_int_equal(client_state(client), CLIENT_JOINING);
}

TEST(a_connection_after_a_loss_names_its_map_and_measures_its_own_round_trip)
{
    begin_again();
    assert_int_equal(heard[heard_count - 1].kind, MESSAGE_JOIN);
    assert_true(heard[heard_count - 1].as.join.map_hash == 0);
    let_in();
    lose_and_come_back();
    assert_int_equal(heard[heard_count - 1].kind, MESSAGE_JOIN);
    assert_true(heard[heard_count - 1].as.join.map_hash == map_hash(client_map(client))); // which it has
    pass_ms(200);
    say(welcome_at(110));
    pass_ms(200);
    say_snapshot(120, 0, 0, 0);
    assert_int_equal(tick_once(0)->newest_tick, 120 + 12 + 2);
}

TEST(chat_lines_and_votes_are_kept_for_the_player)
{
    struct chat_line line;
    struct vote_message vote = {1, 0, 600, "restart?", {{0, "Yes"}, {0, "No"}}}, open;
    vote.choice_count = 2;
    begin_again();
    say((struct message){.kind = MESSAGE_VOTE, .as.vote = vote});
    assert_false(client_open_vote(client, now_us, &open)); // it does not play yet
    let_in();
    assert_true(client_open_vote(client, now_us, &open));
    assert_string_equal(open.question, "restart?");
    assert_false(client_chat_next(client, &line));
    say((struct message){.kind = MESSAGE_CHAT_LINE, .as.chat_line = {.from = 2, .flags = CHAT_TEAM, .text = "hello"}});
    assert_true(client_chat_next(client, &line));
    assert_string_equal(line.text, "hello");
    assert_int_equal(line.from, 2);
    assert_int_equal(line.flags, CHAT_TEAM);
    assert_int_equal(line.heard_us, now_us);
    lose_and_come_back();
    let_in();
    assert_false(client_open_vote(client, now_us, &open)); // it ends with its connection
}

TEST(missed_inputs_add_up_and_each_connection_counts_from_zero)
{
    static const struct {
        uint32_t reported, total;
    } rows[] = {{0, 0}, {5, 5}, {5, 5}, {3, 5}, {6, 6}, {32000, 32000}, {64000, 64000}, {1, 65537}};
    begin_again();
    let_in();
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        say_snapshot_with((struct snapshot_head){.tick = 101 + (tick)i, .inputs_missed = rows[i].reported});
        if (counted().inputs_missed != rows[i].total)
            fail_msg("row %zu: %u", i, counted().inputs_missed);
    }
    lose_and_come_back();
    say(welcome_at(110));
    say_snapshot_with((struct snapshot_head){.tick = 120, .inputs_missed = 4});
    assert_int_equal(counted().inputs_missed, 65541);
}

TEST(a_reconnection_is_shown_until_the_client_plays_again)
{
    struct client_retry retry;
    begin_again();
    assert_false(client_retry(client, now_us, &retry)); // the first connection is no retry
    let_in();
    assert_false(client_retry(client, now_us, &retry));
    transport_disconnect(server, peer, 0, false);
    for (int i = 0; i < 3; i++)
        pass_ms(1);
    assert_true(client_retry(client, now_us, &retry));
    assert_int_equal(retry.attempt, 1);
    assert_int_equal(retry.attempts_max, CONNECTION_TRIES_MAX);
    assert_in_range(retry.wait_us, 247000, 250000);
    assert_true(client_retry(client, now_us + retry.wait_us - 1, &retry));
    assert_int_equal(retry.wait_us, 1);
    memory_network_block(network, true, true);
    pass_ms(250);
    assert_true(client_retry(client, now_us, &retry));
    assert_int_equal(retry.wait_us, 0); // it is under way
}

TEST(a_client_that_has_left_ignores_all_messages)
{
    let_in();
    struct message message = welcome_at(150);
    uint8_t bytes[MESSAGE_BYTES_MAX];
    assert_true(transport_send(server, peer, NET_RELIABLE, bytes, message_encode(&message, bytes)));
    transport_flush(server);
    client_leave(client);
    pass_ms(1);
    assert_int_equal(client_state(client), CLIENT_ENDED);
    assert_string_equal(client_status_text(client), "You left.");
}

TEST(a_long_sleep_is_a_stall_and_does_not_restart_the_clock)
{
    let_in();
    tick_once(0);
    assert_int_equal(counted().clock_stalls, 0);
    now_us += 1000000;
    client_tick(client, &(struct local_inputs){{{0}}}, now_us);
    assert_int_equal(counted().clock_stalls, 1);
    assert_int_equal(counted().clock_restarts, 0);
}

TEST(another_seat_changes_the_own_player)
{
    static struct view view;
    say((struct message){.kind = MESSAGE_SEATS, .as.seats.seats.of[0] = 2});
    say(welcome());
    say(part(0, blob_bytes));
    say_snapshot(100, 0, 0, 0);
    assert_int_equal(client_slot(client), 1);
    tick_once(BUTTON_RIGHT | BUTTON_DASH);
    assert_int_equal(client_world(client)->players[1].buttons, BUTTON_RIGHT | BUTTON_DASH);
    assert_int_equal(client_world(client)->players[0].buttons, worlds[100].players[0].buttons);
    assert_true(client_view(client, now_us, &view));
    assert_int_equal(view.slot, 1);
}

TEST(until_a_rate_is_announced_it_is_one_per_tick)
{
    struct message hello = welcome();
    hello.as.welcome.snapshot_rate = 20;
    assert_int_equal(counted().snapshot_rate, 60);
    say(hello);
    assert_int_equal(counted().snapshot_rate, 20);
}

static uint32_t kept_count, found_count;
static uint8_t last_kept[MESSAGE_VOUCH_BYTES];

static void keep_vouch(void *context, const uint8_t bytes[MESSAGE_VOUCH_BYTES])
{
    (void)context;
    kept_count++;
    memcpy(last_kept, bytes, sizeof last_kept);
}

static bool find_vouch(void *context, uint32_t local, const char *fingerprint, uint8_t bytes[MESSAGE_VOUCH_BYTES])
{
    (void)context, (void)local, (void)fingerprint, (void)bytes;
    found_count++;
    return false;
}

// Both cost a file and signatures. The newest counts, at the latest when the player leaves.
TEST(a_flood_of_vouches_costs_a_few)
{
    struct message vouch = {.kind = MESSAGE_VOUCH};
    struct message trusted = {.kind = MESSAGE_TRUSTED, .as.trusted = {1, {"abcdefghijklmnopqrstuvwxyz234567"}}};
    kept_count = found_count = 0;
    begin_with((struct client_config){.vouches = {keep_vouch, find_vouch}});
    let_in();
    for (uint32_t i = 0; i < 600; i++) { // 36 s
        vouch.as.vouch[0] = (uint8_t)i;
        vouch.as.vouch[1] = (uint8_t)(i >> 8);
        say(vouch);
        say(trusted);
        pass_ms(58);
    }
    assert_int_equal(kept_count, NOTICES_VOUCH_BURST + 3);
    assert_int_equal(found_count, 1); // shown once in a connection
    client_destroy(client);
    client = NULL;
    assert_int_equal(kept_count, NOTICES_VOUCH_BURST + 4);
    assert_int_equal(last_kept[0] + 256 * last_kept[1], 599);
}
