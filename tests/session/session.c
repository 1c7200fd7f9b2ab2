// SPDX-License-Identifier: MIT
#include "session.h"

#include <stdio.h>
#include <string.h>

#include "game/ai/ai.h"
#include "game/map/tiled/map_file.h"
#include "memory_network.h"
#include "net/enet/enet_transport.h"
#include "sync/replication.h"
#include "sync/world.h"
#include "test.h"
#include "virtual_udp.h"

#define ENET_START_NS UINT64_C(1000000000000)

static uint64_t now_us(const struct session *session)
{
    return session->step * 1000000 / SESSION_STEPS;
}

static uint64_t now_ns(const struct session *session)
{
    return session->step * UINT64_C(1000000000) / SESSION_STEPS;
}

uint64_t session_client_us(const struct session *session, uint32_t index)
{
    uint64_t gained_us = now_us(session) * (uint64_t)(1000000 + session->drift_ppm[index]) / 1000000;
    return session->clock_start_us[index] + gained_us;
}

void session_fail(const struct session *session, const char *condition, const char *file, int line)
{
    print_error("seed %llu, %.3f s: %s\n", (unsigned long long)session->seed, (double)now_us(session) / 1e6, condition);
    _fail(file, line);
}

void session_create_match(struct session *session, const struct map *map, const struct match_config *wanted,
                          struct transport *transport)
{
    struct match_config config = *wanted;
    config.map = map;
    config.rules.seed = (uint32_t)session->seed;
    config.players_max = config.players_max ? config.players_max : SESSION_CLIENTS;
    config.snapshot_rate = config.snapshot_rate ? config.snapshot_rate : TICKS_PER_SECOND;
    session->match = match_create(&config, transport);
    assert_non_null(session->match);
    tick_clock_start(&session->clock, now_ns(session));
}

static void begin_match(struct session *session, const char *map_name, const struct match_config *wanted,
                        struct transport *transport)
{
    static struct map map;
    char path[512];
    struct error error;
    assert_true(map_file_find(map_name, path, sizeof path) && map_file_read(path, &map, &error));
    session_create_match(session, &map, wanted, transport);
}

void session_begin_match(struct session *session, uint64_t seed, const char *map, const struct impairment *impairment,
                         const struct match_config *config)
{
    memset(session, 0, sizeof *session);
    session->seed = seed;
    session->impairment = *impairment;
    session->network = memory_network_create(seed, impairment, MATCH_PEER_CAPACITY);
    begin_match(session, map, config, memory_network_server(session->network));
}

void session_begin(struct session *session, uint64_t seed, const char *map, const struct impairment *impairment)
{
    session_begin_match(session, seed, map, impairment, &(struct match_config){.rules = {.mode = MODE_FFA}});
}

void session_begin_with_key(struct session *session, uint64_t seed, const char *map,
                            const struct impairment *impairment, const char *key_path)
{
    struct net_endpoint endpoint;
    struct error error;
    memset(session, 0, sizeof *session);
    session->seed = seed;
    virtual_udp_begin(seed, impairment, ENET_START_NS);
    struct net_server_config config = {
        .bind_address = "127.0.0.1", .peer_capacity = MATCH_PEER_CAPACITY, .key_path = key_path};
    session->enet = enet_transport_open_server(&config, &endpoint, &error);
    assert_non_null(session->enet);
    session->port = endpoint.port;
    begin_match(session, map, &(struct match_config){.rules = {.mode = MODE_FFA}}, session->enet);
}

void session_begin_over_enet(struct session *session, uint64_t seed, const char *map,
                             const struct impairment *impairment)
{
    session_begin_with_key(session, seed, map, impairment, NULL);
}

void session_end(struct session *session)
{
    for (uint32_t i = 0; i < SESSION_CLIENTS; i++)
        client_destroy(session->clients[i]);
    match_destroy(session->match);
    if (session->network) {
        memory_network_destroy(session->network);
    } else {
        transport_close(session->enet);
        virtual_udp_end();
    }
}

static struct transport *reopen(void *context)
{
    struct session_line *line = context;
    struct memory_network *network = line->session->network;
    uint8_t key[IDENTITY_SEED_BYTES] = {(uint8_t)line->identity, 1};
    struct net_client_config config = {.host = "127.0.0.1", .port = line->session->port, .key = key};
    struct error error;
    return line->transport = network ? memory_network_client_as(network, line->identity)
                                     : enet_transport_open_client(&config, &error);
}

static void come(struct session *session, uint32_t index, uint32_t identity, uint32_t local, bool light)
{
    struct session_line *line = &session->lines[index];
    *line = (struct session_line){.session = session, .identity = identity};
    struct client_config config = {
        .colour = index % 16, .local = local, .light = light, .reopen = reopen, .context = line};
    snprintf(config.name, sizeof config.name, "client %u", index);
    session->clients[index] = client_create(reopen(line), &config);
    session->compared[index] = 0;
    session->people[index] = (struct person){0};
    assert_non_null(session->clients[index]);
}

void session_join(struct session *session, uint32_t index, bool light)
{
    come(session, index, index + 1, 0, light);
}

void session_join_person(struct session *session, uint32_t index)
{
    come(session, index, index + 1, 0, false);
    session->people[index].random = (uint32_t)session->seed * 64 + index + 1;
}

void session_join_as(struct session *session, uint32_t index, uint32_t identity, uint32_t local)
{
    come(session, index, identity + 1, local, false);
}

void session_leave(struct session *session, uint32_t index)
{
    client_destroy(session->clients[index]);
    session->clients[index] = NULL;
}

void session_kill(struct session *session, uint32_t index)
{
    struct transport *transport = session->lines[index].transport;
    int sockets[2];
    if (session->network) {
        memory_network_kill(transport);
    } else {
        enet_transport_sockets(transport, sockets);
        virtual_udp_kill_client(sockets[0]);
    }
    session_leave(session, index);
}

struct client_statistics session_statistics(const struct session *session, uint32_t index)
{
    struct client_statistics statistics;
    client_statistics(session->clients[index], &statistics);
    return statistics;
}

// Checks that the client's newest world is the server's of that tick, word for word.
static void compare(struct session *session, uint32_t index)
{
    const struct world *confirmed = client_world_confirmed(session->clients[index]);
    if (!confirmed || confirmed->tick == session->compared[index])
        return;
    const struct world *kept = &session->worlds[confirmed->tick % INPUT_LOG_TICKS];
    const struct world *truth = kept->tick == confirmed->tick ? kept : NULL;
    char text[128] = "";
    if (truth && replication_difference(confirmed, truth, text, sizeof text))
        print_error("client %u, tick %u: %s\n", index, confirmed->tick, text);
    session_check(session, !truth || memcmp(confirmed, truth, sizeof *confirmed) == 0);
    session->compared[index] = confirmed->tick;
    session->worlds_compared += truth != NULL;
}

static struct player_input think(struct session *session, uint32_t index)
{
    const struct client *client = session->clients[index];
    const struct world *world = client_world(client);
    const struct match *match = session->match;
    struct person *person = &session->people[index];
    if (world && match && person->random)
        return person_input(person, ai_think(world, client_map(client), match_map_nav_graph(match->prepared),
                                             client_slot(client), SKILL_NORMAL));
    enum skill skill = index % 3 == 0 ? SKILL_RANDOM : SKILL_EASY;
    return world ? ai_think(world, client_map(client), NULL, client_slot(client), skill)
                 : (struct player_input){BUTTON_RIGHT};
}

static void step_client(struct session *session, uint32_t index)
{
    struct client *client = session->clients[index];
    uint64_t client_us = session_client_us(session, index);
    client_receive(client, client_us);
    while (client_tick_due(client, client_us))
        client_tick(client, think(session, index), client_us);
}

static void tick_server(struct session *session)
{
    const struct world *world = &session->match->world;
    match_tick(session->match, now_us(session));
    world_copy(&session->worlds[world->tick % INPUT_LOG_TICKS], world);
}

// Runs the server as its main.c does: unless it is busy, it looks only when a tick is due.
static void step_server(struct session *session)
{
    if (now_ns(session) < tick_clock_deadline_ns(&session->clock) && !transport_is_busy(session->match->transport))
        return;
    uint32_t skipped = tick_clock_skip(&session->clock, now_ns(session));
    if (skipped > 0)
        match_stand_still(session->match, skipped);
    match_receive(session->match, now_us(session));
    while (tick_clock_take(&session->clock, now_ns(session)))
        tick_server(session);
}

static uint64_t end_of(const struct session *session, uint32_t ms)
{
    return session->step + (uint64_t)ms * SESSION_STEPS / 1000;
}

void session_stall_server(struct session *session, uint32_t ms)
{
    session->server_resumes = end_of(session, ms);
}

void session_stall_client(struct session *session, uint32_t index, uint32_t ms)
{
    session->client_resumes[index] = end_of(session, ms);
}

void session_hold_line(struct session *session, uint32_t ms)
{
    session->line_resumes = end_of(session, ms);
}

// What is sent while the line is held arrives when it resumes.
static void hold_line(struct session *session)
{
    if (session->step > session->line_resumes)
        return;
    struct impairment held = session->impairment;
    uint64_t rest_us = (session->line_resumes - session->step) * 1000000 / SESSION_STEPS;
    held.delay_us = rest_us > held.delay_us ? (uint32_t)rest_us : held.delay_us;
    memory_network_impair(session->network, &held);
}

void session_run(struct session *session, double seconds)
{
    uint64_t end = session->step + (uint64_t)(seconds * SESSION_STEPS);
    while (session->step < end) {
        session->step++;
        if (session->network) {
            if (session->line_resumes)
                hold_line(session);
            memory_network_advance(session->network, now_us(session));
        } else
            virtual_udp_advance(ENET_START_NS + now_us(session) * 1000 - virtual_udp_now_ns());
        if (session->match && session->step >= session->server_resumes)
            step_server(session);
        for (uint32_t i = 0; i < SESSION_CLIENTS; i++) {
            if (!session->clients[i] || session->step < session->client_resumes[i])
                continue;
            step_client(session, i);
            compare(session, i);
        }
    }
}
