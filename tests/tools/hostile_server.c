// SPDX-License-Identifier: MIT
//
// A server that sends hostile texts to its clients: hostile_server play|ban TEXT... Listens on a free port of 127.0.0.1
// and prints it. "play" gives its bots the texts as names and sends each as system message, chat line and vote, ten a
// second; "ban" refuses all clients, each with the next text as the reason. Runs until it is ended.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "match/match.h"
#include "net/enet/enet_transport.h"
#include "sync/player_name.h"
#include "test_map.h"

#define TICK_NS (CLOCK_SECOND_NS / TICKS_PER_SECOND)

static struct texts {
    char **of;
    uint32_t count, next;
} texts;

static const char *next_text(void)
{
    return texts.of[texts.next++ % texts.count];
}

static bool refuse(void *context, const struct net_client *client, char reason[NET_REASON_BYTES])
{
    (void)context, (void)client;
    snprintf(reason, NET_REASON_BYTES, "%s", next_text());
    return false;
}

static void put(char *field, size_t field_bytes, const char *text)
{
    snprintf(field, field_bytes, "x%s", text);
}

static void send_texts(struct match *match)
{
    const char *text = next_text();
    struct message system = {.kind = MESSAGE_SYSTEM}, line = {.kind = MESSAGE_CHAT_LINE};
    struct message vote = {.kind = MESSAGE_VOTE, .as.vote = {.choice_count = 2, .ticks_left = 600}};
    put(system.as.system, sizeof system.as.system, text);
    put(line.as.chat_line.text, sizeof line.as.chat_line.text, text);
    put(vote.as.vote.question, sizeof vote.as.vote.question, text);
    for (size_t i = 0; i < 2; i++)
        put(vote.as.vote.choices[i].text, sizeof vote.as.vote.choices[i].text, text);
    for (uint32_t i = 0; i < MATCH_PEER_CAPACITY; i++) {
        if (match->peers[i].state != PEER_PLAYING)
            continue;
        peer_send(match, i, &system);
        peer_send(match, i, &line);
        peer_send(match, i, &vote);
    }
}

static void run(struct match *match)
{
    for (uint64_t ticks = 0;; ticks++) {
        uint64_t now_us = clock_now_ns() / 1000;
        if (ticks > 2)
            match_receive(match, now_us);
        match_tick(match, now_us);
        for (uint32_t slot = 0; ticks == 2 && slot < match->world.player_slots; slot++)
            player_name_from_text(match->world.players[slot].name, next_text());
        if (ticks % 6 == 0)
            send_texts(match);
        clock_sleep(TICK_NS);
    }
}

int main(int argc, char **argv)
{
    static struct map map;
    struct error error;
    struct net_endpoint endpoint;
    bool bans = argc > 1 && strcmp(argv[1], "ban") == 0;
    struct net_server_config config = {
        .bind_address = "127.0.0.1", .peer_capacity = MATCH_PEER_CAPACITY, .protocol = PROTOCOL_VERSION};
    config.admission.admits = bans ? refuse : NULL;
    texts = (struct texts){argv + 2, (uint32_t)argc - 2, 0};
    struct transport *transport = argc > 2 ? enet_transport_open_server(&config, &endpoint, &error) : NULL;
    test_map_random(&map, 1, 96, 54);
    struct match *match =
        transport
            ? match_create(&(struct match_config){.map = &map, .players_max = 16, .bots = 12, .snapshot_rate = 60},
                           transport)
            : NULL;
    if (!match) {
        fprintf(stderr, "usage: hostile_server play|ban TEXT...\n");
        return EXIT_FAILURE;
    }
    printf("ready: udp 127.0.0.1:%u \n", endpoint.port);
    fflush(stdout);
    run(match);
}
