// SPDX-License-Identifier: MIT
//
// Tests that a running server never allocates memory: this program replaces malloc and counts the calls while server
// code runs. Under a sanitizer, which needs malloc itself, nothing is counted.
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "memory_network.h"
#include "net/enet/enet_transport.h"
#include "probe.h"
#include "records/records_tally.h"
#include "test.h"
#include "test_map.h"

#ifndef __has_feature
#define __has_feature(name) 0
#endif
#if defined(__SANITIZE_ADDRESS__) || __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define COUNTS 0
#else
#define COUNTS 1
#endif

// volatile: to a compiler malloc reads and changes no variable of ours.
static volatile bool counting;
static volatile unsigned calls;

#if COUNTS
void *__libc_malloc(size_t byte_count);
void *__libc_calloc(size_t count, size_t each);
void *__libc_realloc(void *old, size_t byte_count);

void *malloc(size_t byte_count)
{
    calls += counting;
    return __libc_malloc(byte_count);
}

void *calloc(size_t count, size_t each)
{
    calls += counting;
    return __libc_calloc(count, each);
}

void *realloc(void *old, size_t byte_count)
{
    calls += counting;
    return __libc_realloc(old, byte_count);
}
#endif

static struct map map;

static struct match *new_match(struct transport *transport)
{
    test_map_random(&map, 4, 60, 40);
    struct match_config config = {.map = &map,
                                  .rules = {.mode = MODE_FFA, .seed = 7, .bot_skill = SKILL_NORMAL},
                                  .players_max = 16,
                                  .bots = 12,
                                  .snapshot_rate = 60};
    struct match *match = match_create(&config, transport);
    assert_non_null(match);
    return match;
}

// Stands in for the queue of the records' thread.
static uint32_t rows_taken;
static void take_rows(void *context, const struct records_row *rows, uint32_t count)
{
    (void)context, (void)rows;
    rows_taken += count;
}
static struct records_tally tally = {.sink = take_rows};

static void counted_tick(struct match *match, uint64_t now_us)
{
    counting = true;
    match_receive(match, now_us);
    match_tick(match, now_us);
    records_tally_update(&tally, match);
    counting = false;
}

TEST(the_counter_counts_allocations)
{
    counting = true;
    void *volatile bytes = malloc(10);
    counting = false;
    free(bytes);
    assert_int_equal(calls, COUNTS);
    calls = 0;
}

TEST(no_tick_over_the_memory_network_allocates)
{
    enum { PROBES = 8 };
    struct impairment impairment = {.delay_us = 30000, .jitter_us = 10000, .loss_ppm = 50000};
    struct memory_network *network = memory_network_create(3, &impairment, MATCH_PEER_CAPACITY);
    struct match *match = new_match(memory_network_server(network));
    struct probe *probes = calloc(PROBES, sizeof *probes);
    uint64_t now_us = 0;
    // The network is no part of the server: a storm of messages makes it allocate its packets in advance.
    struct transport *storm = memory_network_client(network);
    memory_network_advance(network, now_us += 2000000);
    struct net_event event;
    assert_true(transport_poll(storm, &event));
    for (uint32_t i = 0; i < 5000; i++)
        transport_send(storm, 0, NET_UNSEQUENCED, (const uint8_t *)"\x01", 1);
    transport_close(storm);
    memory_network_advance(network, now_us += 2000000);
    for (uint32_t i = 0; i < PROBES; i++)
        probes[i] = (struct probe){.transport = memory_network_client(network), .lead_ticks = 8};
    for (uint32_t i = 0; i < TALLY_ROW_TICKS + 600; i++) { // joins, maps, full snapshots and records too
        memory_network_advance(network, now_us += TICK_US);
        counted_tick(match, now_us);
        for (uint32_t p = 0; p < PROBES; p++) {
            probe_receive(&probes[p]);
            probe_send_input(&probes[p]);
        }
    }
    assert_int_equal(roster_count(&match->roster, SEAT_PLAYER), PROBES);
    assert_true(probes[0].snapshots > 900);
    assert_int_equal(rows_taken, PROBES);
    assert_int_equal(calls, 0);
    match_destroy(match);
    memory_network_destroy(network);
    free(probes);
}

static uint64_t now_us(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000u + (uint64_t)now.tv_nsec / 1000u;
}

TEST(no_tick_over_enet_allocates)
{
    enum { PROBES = 4 };
    struct error error;
    struct net_endpoint endpoint;
    struct transport *server = enet_transport_open_server(
        &(struct net_server_config){.bind_address = "127.0.0.1", .peer_capacity = 32}, &endpoint, &error);
    assert_non_null(server);
    struct match *match = new_match(server);
    struct probe *probes = calloc(PROBES, sizeof *probes);
    for (uint32_t i = 0; i < PROBES; i++)
        probes[i] = (struct probe){.transport = enet_transport_open_client(
                                       &(struct net_client_config){.host = "127.0.0.1", .port = endpoint.port}, &error),
                                   .lead_ticks = 8};
    uint64_t virtual_us = 0, end_us = now_us() + 60000000;
    uint32_t least = 0;
    while (least < 300 && now_us() < end_us) {
        counted_tick(match, virtual_us += TICK_US);
        least = UINT32_MAX;
        for (uint32_t i = 0; i < PROBES; i++) {
            probe_receive(&probes[i]);
            probe_send_input(&probes[i]);
            transport_flush(probes[i].transport);
            least = probes[i].snapshots < least ? probes[i].snapshots : least;
        }
        transport_wait(server, (now_us() + 2000) * 1000);
    }
    assert_true(least >= 300);
    for (uint32_t i = 0; i < PROBES; i++)
        assert_int_equal(probes[i].desyncs, 0);
    assert_int_equal(calls, 0);
    match_destroy(match);
    for (uint32_t i = 0; i < PROBES; i++)
        transport_close(probes[i].transport);
    transport_close(server);
    free(probes);
}
