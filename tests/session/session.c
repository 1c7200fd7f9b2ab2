// SPDX-License-Identifier: MIT
#include "session.h"

#include <stdio.h>
#include <string.h>

#include "base/random.h"
#include "game/ai/ai.h"
#include "game/map/tiled/map_file.h"
#include "memory_network.h"
#include "net/enet/enet_transport.h"
#include "sync/world.h"
#include "test.h"
#include "virtual_udp.h"

#define ENET_START_NS UINT64_C(1000000000000)

struct session session;

uint64_t session_now_us(void)
{
    return session.step * 1000000 / SESSION_STEPS;
}

static uint64_t now_ns(void)
{
    return session.step * UINT64_C(1000000000) / SESSION_STEPS;
}

uint64_t session_client_us(uint32_t index)
{
    uint64_t gained_us = session_now_us() * (uint64_t)(1000000 + session.drift_ppm[index]) / 1000000;
    return session.clock_start_us[index] + gained_us;
}

void session_fail(const char *condition, const char *file, int line)
{
    print_error("seed %llu, %.3f s: %s\n", (unsigned long long)session.seed, (double)session_now_us() / 1e6, condition);
    _fail(file, line);
}

void session_create_match(const struct map *map, const struct match_config *wanted, struct transport *transport)
{
    struct match_config config = *wanted;
    config.map = map;
    config.rules.seed = (uint32_t)session.seed;
    config.players_max = config.players_max ? config.players_max : SESSION_CLIENTS;
    config.snapshot_rate = config.snapshot_rate ? config.snapshot_rate : TICKS_PER_SECOND;
    session.match = match_create(&config, transport);
    assert_non_null(session.match);
    tick_clock_start(&session.clock, now_ns());
}

static void begin_match(const char *map_name, const struct match_config *wanted, struct transport *transport)
{
    static struct map map;
    char path[512];
    struct error error;
    assert_true(map_file_find(map_name, path, sizeof path) && map_file_read(path, &map, &error));
    session_create_match(&map, wanted, transport);
}

void session_begin_match(uint64_t seed, const char *map, const struct impairment *impairment,
                         const struct match_config *config)
{
    session_end();
    session.seed = seed;
    session.impairment = *impairment;
    session.network = memory_network_create(seed, impairment, MATCH_PEER_CAPACITY);
    begin_match(map, config, memory_network_server(session.network));
}

void session_begin(uint64_t seed, const char *map, const struct impairment *impairment)
{
    session_begin_match(seed, map, impairment, &(struct match_config){.rules = {.mode = MODE_FFA}});
}

void session_begin_with_key(uint64_t seed, const char *map, const struct impairment *impairment, const char *key_path)
{
    struct net_endpoint endpoint;
    struct error error;
    session_end();
    session.seed = seed;
    virtual_udp_begin(seed, impairment, ENET_START_NS);
    struct net_server_config config = {
        .bind_address = "127.0.0.1", .peer_capacity = MATCH_PEER_CAPACITY, .key_path = key_path};
    session.enet = enet_transport_open_server(&config, &endpoint, &error);
    assert_non_null(session.enet);
    session.port = endpoint.port;
    begin_match(map, &(struct match_config){.rules = {.mode = MODE_FFA}}, session.enet);
}

void session_begin_over_enet(uint64_t seed, const char *map, const struct impairment *impairment)
{
    session_begin_with_key(seed, map, impairment, NULL);
}

void session_end(void)
{
    for (uint32_t i = 0; i < SESSION_CLIENTS; i++)
        client_destroy(session.clients[i]);
    match_destroy(session.match);
    if (session.network)
        memory_network_destroy(session.network);
    if (session.port) {
        transport_close(session.enet);
        virtual_udp_end();
    }
    memset(&session, 0, sizeof session);
}

static struct transport *reopen(void *context)
{
    struct session_line *line = context;
    struct memory_network *network = session.network;
    uint8_t key[IDENTITY_SEED_BYTES] = {(uint8_t)line->identity, 1};
    struct net_client_config config = {.host = "127.0.0.1", .port = session.port, .key = key};
    struct error error;
    return line->transport = network ? memory_network_client_as(network, line->identity)
                                     : enet_transport_open_client(&config, &error);
}

static void come(uint32_t index, uint32_t identity, uint32_t local, bool light)
{
    struct session_line *line = &session.lines[index];
    *line = (struct session_line){.identity = identity};
    struct client_config config = {
        .player.colour = index % 16, .local = local, .light = light, .reopen = reopen, .context = line};
    snprintf(config.player.name, sizeof config.player.name, "client %u", index);
    session.clients[index] = client_create(reopen(line), &config);
    session.compared[index] = 0;
    session.people[index] = (struct person){0};
    assert_non_null(session.clients[index]);
}

void session_join(uint32_t index, bool light)
{
    come(index, index + 1, 0, light);
}

void session_join_first(uint32_t count, uint32_t full_count)
{
    for (uint32_t i = 0; i < count; i++)
        session_join(i, i >= full_count);
}

void session_join_person(uint32_t index)
{
    come(index, index + 1, 0, false);
    session.people[index].random = (uint32_t)session.seed * 64 + index + 1;
}

void session_join_as(uint32_t index, uint32_t identity, uint32_t local)
{
    come(index, identity + 1, local, false);
}

void session_join_beside(uint32_t index, uint32_t local)
{
    struct client_player player = {.colour = (index + local) % 16};
    snprintf(player.name, sizeof player.name, "%u beside %u", local, index);
    client_join_player(session.clients[index], local, &player);
}

void session_leave(uint32_t index)
{
    client_destroy(session.clients[index]);
    session.clients[index] = NULL;
}

void session_kill(uint32_t index)
{
    struct transport *transport = session.lines[index].transport;
    int sockets[2];
    if (session.network) {
        memory_network_kill(transport);
    } else {
        enet_transport_sockets(transport, sockets);
        virtual_udp_kill_client(sockets[0]);
    }
    session_leave(index);
}

struct client_statistics session_statistics(uint32_t index)
{
    struct client_statistics statistics;
    client_statistics(session.clients[index], &statistics);
    return statistics;
}

// Checks that the client's newest world is the server's of that tick, word for word.
static void compare(uint32_t index)
{
    const struct world *confirmed = client_world_confirmed(session.clients[index]);
    if (!confirmed || confirmed->tick == session.compared[index])
        return;
    const struct world *kept = &session.worlds[confirmed->tick % INPUT_LOG_TICKS];
    const struct world *truth = kept->tick == confirmed->tick ? kept : NULL;
    char text[128] = "";
    if (truth && replication_difference(confirmed, truth, text, sizeof text))
        print_error("client %u, tick %u: %s\n", index, confirmed->tick, text);
    session_check(!truth || memcmp(confirmed, truth, sizeof *confirmed) == 0);
    session.compared[index] = confirmed->tick;
    session.worlds_compared += truth != NULL;
}

// --- hands like a person's

#define DIRECTIONS ((uint32_t)(BUTTON_LEFT | BUTTON_RIGHT | BUTTON_UP | BUTTON_DOWN))

// Between two presses of a button a finger needs a moment.
#define RELEASE_TICKS 3
// A time of reaction lasts a second.
#define LAG_TICKS TICKS_PER_SECOND

static tick ticks_between(struct person *person, tick least, tick most)
{
    return least + random_below(&person->random, most - least + 1);
}

// Takes the decision of a tick and returns what the hands hold.
static struct player_input person_input(struct person *person, struct player_input decision)
{
    tick now = PERSON_DECISIONS + person->now++;
    person->decisions[now % PERSON_DECISIONS] = decision.buttons;
    if (now % LAG_TICKS == 0 || person->lag_ticks == 0)
        person->lag_ticks = ticks_between(person, 9, 15);
    uint32_t wanted = person->decisions[(now - person->lag_ticks) % PERSON_DECISIONS];
    uint32_t begins = wanted & ~person->decisions[(now - person->lag_ticks - 1) % PERSON_DECISIONS], pressed = 0;
    for (uint32_t bit = 0; bit < BUTTON_BITS; bit++) {
        tick *until = &person->press_until[bit];
        if ((begins & ~DIRECTIONS) >> bit & 1 && now >= *until + RELEASE_TICKS)
            *until = now + ticks_between(person, 4, 9);
        pressed |= now < *until ? 1u << bit : 0;
    }
    bool aims = pressed & begins & (BUTTON_SHOOT | BUTTON_DASH);
    if (aims || now >= person->direction_until) {
        bool rests = !aims && random_below(&person->random, 8) == 0;
        person->direction = rests ? 0 : wanted & DIRECTIONS;
        person->direction_until = now + ticks_between(person, 12, 54);
    }
    return (struct player_input){person->direction | pressed};
}

// --- a step

static struct player_input think(uint32_t index, uint32_t slot)
{
    const struct client *client = session.clients[index];
    const struct world *world = client_world(client);
    const struct match *match = session.match;
    struct person *person = &session.people[index];
    if (world && match && person->random)
        return person_input(
            person, ai_think(world, client_map(client), match_map_nav_graph(match->prepared), slot, SKILL_NORMAL));
    enum skill skill = index % 3 == 0 ? SKILL_RANDOM : SKILL_EASY;
    return world ? ai_think(world, client_map(client), NULL, slot, skill) : (struct player_input){BUTTON_RIGHT};
}

static void step_client(uint32_t index)
{
    struct client *client = session.clients[index];
    uint64_t client_us = session_client_us(index);
    client_receive(client, client_us);
    while (client_tick_due(client, client_us)) {
        struct local_inputs inputs = {{{0}}};
        for (uint32_t local = 0; local < LOCAL_PLAYERS; local++)
            if (client_seats(client)->of[local])
                inputs.of[local] = think(index, client_seats(client)->of[local] - 1);
        client_tick(client, &inputs, client_us);
    }
}

static void tick_server(void)
{
    const struct world *world = &session.match->world;
    match_tick(session.match, session_now_us());
    world_copy(&session.worlds[world->tick % INPUT_LOG_TICKS], world);
}

// Runs the server as its main.c does: unless it is busy, it looks only when a tick is due.
static void step_server(void)
{
    if (now_ns() < tick_clock_deadline_ns(&session.clock) && !transport_is_busy(session.match->transport))
        return;
    uint32_t skipped = tick_clock_skip(&session.clock, now_ns());
    if (skipped > 0)
        match_stand_still(session.match, skipped);
    match_receive(session.match, session_now_us());
    while (tick_clock_take(&session.clock, now_ns()))
        tick_server();
}

static uint64_t end_of(uint32_t ms)
{
    return session.step + (uint64_t)ms * SESSION_STEPS / 1000;
}

void session_stall_server(uint32_t ms)
{
    session.server_resumes = end_of(ms);
}

void session_stall_client(uint32_t index, uint32_t ms)
{
    session.client_resumes[index] = end_of(ms);
}

void session_hold_line(uint32_t ms)
{
    session.line_resumes = end_of(ms);
}

// What is sent while the line is held arrives when it resumes.
static void hold_line(void)
{
    if (session.step > session.line_resumes)
        return;
    struct impairment held = session.impairment;
    uint64_t rest_us = (session.line_resumes - session.step) * 1000000 / SESSION_STEPS;
    held.delay_us = rest_us > held.delay_us ? (uint32_t)rest_us : held.delay_us;
    memory_network_impair(session.network, &held);
}

void session_run(double seconds)
{
    uint64_t end = session.step + (uint64_t)(seconds * SESSION_STEPS);
    while (session.step < end) {
        session.step++;
        if (session.network) {
            if (session.line_resumes)
                hold_line();
            memory_network_advance(session.network, session_now_us());
        } else
            virtual_udp_advance(ENET_START_NS + session_now_us() * 1000 - virtual_udp_now_ns());
        if (session.match && session.step >= session.server_resumes)
            step_server();
        for (uint32_t i = 0; i < SESSION_CLIENTS; i++) {
            if (!session.clients[i] || session.step < session.client_resumes[i])
                continue;
            step_client(i);
            compare(i);
        }
    }
}
