// SPDX-License-Identifier: MIT
#include "arena.h"

#include "unit.h"

#include "memory_network.h"
#include "test_map.h"

static void take_command(void *context, uint32_t peer, uint32_t slot, const char *line)
{
    (void)slot;
    struct arena *arena = context;
    (void)peer;
    arena->commands++;
    snprintf(arena->command, sizeof arena->command, "%s", line);
}

void arena_begin(struct arena *arena, uint32_t players_max, const struct impairment *impairment)
{
    static struct map map;
    test_map_draw(&map, TEST_MAP_HALL);
    memset(arena, 0, sizeof *arena);
    arena->now_us = ARENA_START_US;
    arena->network = memory_network_create(3, impairment, MATCH_PEER_CAPACITY);
    struct match_config config = {.map = &map,
                                  .rules = {.mode = MODE_FFA, .seed = 5},
                                  .players_max = players_max,
                                  .snapshot_rate = 60,
                                  .listener = {take_command, arena}};
    arena->match = match_create(&config, memory_network_server(arena->network));
    assert_non_null(arena->match);
}

void arena_end(struct arena *arena)
{
    match_destroy(arena->match);
    memory_network_destroy(arena->network);
}

struct transport *arena_connect(void *context, uint32_t bot)
{
    struct arena *arena = context;
    if (arena->refuses)
        return NULL;
    arena->opened++;
    return arena->transports[bot % COUNT_OF(arena->transports)] = memory_network_client_as(arena->network, bot + 1);
}

void arena_advance(struct arena *arena, uint64_t now_us)
{
    arena->now_us = now_us;
    memory_network_advance(arena->network, now_us);
    match_receive(arena->match, now_us);
    for (; ARENA_START_US + arena->ticks * 1000000 / TICKS_PER_SECOND <= now_us; arena->ticks++) {
        arena->match->world.players[0].score += arena->falsifies;
        match_tick(arena->match, now_us);
    }
    memory_network_advance(arena->network, now_us);
}

void arena_cut(struct arena *arena, uint32_t slot)
{
    for (uint32_t i = 0; i < MATCH_PEER_CAPACITY; i++)
        if (arena->match->peers[i].state == PEER_PLAYING && local_seats_first(&arena->match->peers[i].seats) == slot)
            transport_disconnect(arena->match->transport, i, DENY_NONE, false);
    transport_flush(arena->match->transport);
}

static bool refuses_all(void *context, const struct net_client *client, char reason[NET_REASON_BYTES])
{
    (void)context, (void)client;
    reason[0] = 0;
    return false;
}

void arena_shut(struct arena *arena, bool shut)
{
    memory_network_admit(arena->network, &(struct net_admission){.admits = shut ? refuses_all : NULL});
}
