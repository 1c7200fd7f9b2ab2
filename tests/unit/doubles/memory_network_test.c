// SPDX-License-Identifier: MIT
#include <stdio.h>
#include <string.h>

#include "memory_network.h"
#include "net/transport.h"
#include "test.h"

static const struct impairment perfect = {0};
static const struct impairment bad = {
    .delay_us = 50000, .jitter_us = 30000, .loss_ppm = 100000, .duplicate_ppm = 100000, .reorder_ppm = 50000};

// Opens one client and waits until both ends are connected.
static struct transport *connected_client(struct memory_network *network, uint64_t *now_us, uint32_t *peer)
{
    struct transport *client = memory_network_client(network);
    struct net_event event;
    bool server_knows = false;
    for (uint64_t end_us = *now_us + 3000000; *now_us < end_us; *now_us += 1000) {
        memory_network_advance(network, *now_us);
        if (transport_poll(memory_network_server(network), &event) && event.kind == NET_CONNECTED) {
            *peer = event.peer;
            server_knows = true;
        }
        if (transport_poll(client, &event)) {
            assert_int_equal(event.kind, NET_CONNECTED);
            assert_true(server_knows);
            return client;
        }
    }
    fail_msg("no connection");
    return NULL;
}

TEST(a_message_arrives_exactly_after_the_delay)
{
    struct memory_network *network = memory_network_create(1, &(struct impairment){.delay_us = 20000}, 4);
    uint64_t now_us = 0;
    uint32_t peer = 99;
    struct transport *client = connected_client(network, &now_us, &peer);
    memory_network_advance(network, now_us);
    assert_true(transport_send(client, 0, NET_UNSEQUENCED, (const uint8_t *)"hello", 5));
    struct net_event event;
    memory_network_advance(network, now_us + 19999);
    assert_false(transport_poll(memory_network_server(network), &event));
    memory_network_advance(network, now_us + 20000);
    assert_true(transport_poll(memory_network_server(network), &event));
    assert_int_equal(event.kind, NET_MESSAGE);
    assert_int_equal(event.peer, peer);
    assert_int_equal(event.byte_count, 5);
    assert_memory_equal(event.bytes, "hello", 5);
    memory_network_destroy(network);
}

TEST(reliable_messages_arrive_once_and_in_order_over_a_bad_network)
{
    struct memory_network *network = memory_network_create(7, &bad, 4);
    uint64_t now_us = 0;
    uint32_t peer = 0;
    struct transport *client = connected_client(network, &now_us, &peer), *server = memory_network_server(network);
    uint32_t sent = 0, received = 0;
    for (uint32_t i = 0; i < 3000; i++, now_us += 5000) {
        memory_network_advance(network, now_us);
        if (i < 2000) {
            assert_true(transport_send(server, peer, NET_RELIABLE, (const uint8_t *)&sent, sizeof sent));
            sent++;
        }
        struct net_event event;
        while (transport_poll(client, &event)) {
            uint32_t number;
            assert_int_equal(event.byte_count, sizeof number);
            memcpy(&number, event.bytes, sizeof number);
            assert_int_equal(number, received);
            received++;
        }
    }
    assert_int_equal(received, 2000);
    memory_network_destroy(network);
}

// The result of 2,000 unsequenced messages: how many arrived, how many late, and their order as a hash.
struct outcome {
    uint32_t arrived, twice, overtaken;
    uint64_t hash;
};

static struct outcome run_unsequenced(uint64_t seed, const struct impairment *impairment)
{
    struct memory_network *network = memory_network_create(seed, impairment, 4);
    uint64_t now_us = 0;
    uint32_t peer = 0, highest = 0;
    struct transport *client = connected_client(network, &now_us, &peer);
    struct outcome outcome = {.hash = 14695981039346656037u};
    uint8_t seen[2000] = {0};
    for (uint32_t i = 0; i < 2200; i++, now_us += 5000) {
        memory_network_advance(network, now_us);
        if (i < 2000)
            transport_send(client, 0, NET_UNSEQUENCED, (const uint8_t *)&i, sizeof i);
        struct net_event event;
        while (transport_poll(memory_network_server(network), &event)) {
            uint32_t number;
            memcpy(&number, event.bytes, sizeof number);
            outcome.arrived++;
            outcome.twice += seen[number];
            seen[number] = 1;
            outcome.overtaken += number < highest;
            highest = number > highest ? number : highest;
            outcome.hash = (outcome.hash ^ (number + now_us)) * 1099511628211u;
        }
    }
    memory_network_destroy(network);
    return outcome;
}

TEST(unsequenced_messages_suffer_the_given_impairment)
{
    struct outcome clean = run_unsequenced(3, &perfect), dirty = run_unsequenced(3, &bad);
    assert_int_equal(clean.arrived, 2000);
    assert_int_equal(clean.twice + clean.overtaken, 0);
    assert_in_range(dirty.arrived - dirty.twice, 1750, 1900); // of 2000 one in ten is lost, some of their copies not
    assert_in_range(dirty.twice, 120, 220);
    assert_true(dirty.overtaken > 50);
}

TEST(the_network_depends_on_its_seed_alone)
{
    assert_true(run_unsequenced(42, &bad).hash == run_unsequenced(42, &bad).hash);
    assert_true(run_unsequenced(42, &bad).hash != run_unsequenced(43, &bad).hash);
}

TEST(a_disconnect_arrives_with_its_reason_after_earlier_messages)
{
    struct memory_network *network = memory_network_create(5, &bad, 4);
    uint64_t now_us = 0;
    uint32_t peer = 0;
    struct transport *client = connected_client(network, &now_us, &peer), *server = memory_network_server(network);
    transport_send(server, peer, NET_RELIABLE, (const uint8_t *)"bye", 3);
    transport_disconnect(server, peer, 6, false);
    assert_false(transport_send(server, peer, NET_RELIABLE, (const uint8_t *)"no", 2));
    memory_network_advance(network, now_us + 4000000);
    struct net_event event;
    assert_true(transport_poll(client, &event));
    assert_int_equal(event.kind, NET_MESSAGE);
    assert_true(transport_poll(client, &event));
    assert_int_equal(event.kind, NET_DISCONNECTED);
    assert_int_equal(event.reason, 6);
    assert_true(transport_poll(server, &event));
    assert_int_equal(event.kind, NET_DISCONNECTED);
    assert_false(transport_poll(server, &event));
    memory_network_destroy(network);
}

TEST(a_blackout_ends_a_connection_after_five_seconds_and_not_two)
{
    static const uint64_t seconds[] = {2, 5};
    for (size_t i = 0; i < 2; i++) {
        struct memory_network *network = memory_network_create(5, &perfect, 4);
        uint64_t now_us = 0;
        uint32_t peer = 0;
        struct transport *client = connected_client(network, &now_us, &peer);
        memory_network_impair(network, &(struct impairment){.loss_ppm = 1000000});
        transport_send(client, 0, NET_RELIABLE, (const uint8_t *)"!", 1);
        memory_network_advance(network, now_us += seconds[i] * 1000000);
        memory_network_impair(network, &perfect);
        memory_network_advance(network, now_us += 100000);
        struct net_event event;
        assert_true(transport_poll(memory_network_server(network), &event));
        assert_int_equal(event.kind, i == 0 ? NET_MESSAGE : NET_DISCONNECTED);
        assert_int_equal(transport_poll(client, &event), i == 1);
        memory_network_destroy(network);
    }
}

TEST(a_block_stops_one_direction)
{
    for (int blocked = 0; blocked < 4; blocked++) {
        bool to_server = blocked & 1, to_clients = blocked & 2;
        struct memory_network *network = memory_network_create(1, &perfect, 4);
        uint64_t now_us = 0;
        uint32_t peer = 0;
        struct net_event event;
        struct transport *client = connected_client(network, &now_us, &peer), *server = memory_network_server(network);
        memory_network_advance(network, now_us += 1000);
        memory_network_block(network, to_server, to_clients);
        assert_true(transport_send(client, 0, NET_UNSEQUENCED, (const uint8_t *)"up", 3));
        assert_true(transport_send(server, peer, NET_UNSEQUENCED, (const uint8_t *)"down", 5));
        memory_network_advance(network, now_us += 1000);
        assert_int_equal(transport_poll(server, &event), !to_server);
        assert_int_equal(transport_poll(client, &event), !to_clients);
        memory_network_destroy(network);
    }
}

TEST(a_full_server_refuses_clients_until_one_leaves)
{
    struct memory_network *network = memory_network_create(5, &perfect, 1);
    uint64_t now_us = 0;
    uint32_t peer = 0;
    struct net_event event;
    struct transport *first = connected_client(network, &now_us, &peer);
    struct transport *second = memory_network_client(network);
    memory_network_advance(network, now_us += 1000);
    assert_true(transport_poll(second, &event));
    assert_int_equal(event.kind, NET_DISCONNECTED);
    transport_close(first);
    memory_network_advance(network, now_us += 1000);
    assert_true(transport_poll(memory_network_server(network), &event));
    assert_int_equal(event.kind, NET_DISCONNECTED);
    connected_client(network, &now_us, &peer);
    assert_int_equal(peer, 0);
    memory_network_destroy(network);
}

static bool not_the_seventh(void *context, const struct net_client *client, char reason[NET_REASON_BYTES])
{
    snprintf(reason, NET_REASON_BYTES, "not %s", (const char *)context);
    return client->identity[0] != 1 || client->identity[1] != 7;
}

TEST(a_server_can_refuse_a_client_by_its_identity)
{
    struct memory_network *network = memory_network_create(5, &perfect, 8);
    struct transport *refused = memory_network_client_as(network, 7);
    memory_network_admit(network, &(struct net_admission){not_the_seventh, "you"});
    for (int i = 0; i < 2; i++)
        memory_network_client_as(network, 9);
    memory_network_client(network);
    memory_network_client(network);
    memory_network_advance(network, 1000);
    struct net_client guests[4];
    struct net_event event;
    uint32_t count = 0;
    while (transport_poll(memory_network_server(network), &event)) {
        assert_true(event.kind == NET_CONNECTED && count < 4);
        guests[count++] = *event.client;
    }
    assert_int_equal(count, 4);
    assert_memory_equal(guests[0].identity, guests[1].identity, IDENTITY_BYTES);
    assert_memory_not_equal(guests[1].identity, guests[2].identity, IDENTITY_BYTES);
    assert_memory_not_equal(guests[2].identity, guests[3].identity, IDENTITY_BYTES);
    assert_memory_not_equal(&guests[0].address, &guests[1].address, sizeof guests[0].address);
    assert_true(transport_poll(refused, &event) && event.kind == NET_DISCONNECTED);
    assert_string_equal(transport_error(refused), "not you");
    memory_network_destroy(network);
}

TEST(three_hundred_clients_share_one_server)
{
    enum { CLIENTS = 300 };
    struct memory_network *network = memory_network_create(11, &bad, CLIENTS);
    struct transport *clients[CLIENTS];
    for (size_t i = 0; i < CLIENTS; i++)
        clients[i] = memory_network_client(network);
    uint32_t echoed = 0, connected = 0;
    struct net_event event;
    for (uint64_t now_us = 0; now_us < 5000000; now_us += 16667) {
        memory_network_advance(network, now_us);
        while (transport_poll(memory_network_server(network), &event))
            if (event.kind == NET_MESSAGE)
                transport_send(memory_network_server(network), event.peer, NET_RELIABLE, event.bytes, event.byte_count);
        for (uint32_t i = 0; i < CLIENTS; i++)
            while (transport_poll(clients[i], &event)) {
                if (event.kind == NET_CONNECTED) {
                    connected++;
                    transport_send(clients[i], 0, NET_RELIABLE, (const uint8_t *)&i, sizeof i);
                } else {
                    assert_memory_equal(event.bytes, &i, sizeof i);
                    echoed++;
                }
            }
    }
    assert_int_equal(connected, CLIENTS);
    assert_int_equal(echoed, CLIENTS);
    memory_network_destroy(network);
}
