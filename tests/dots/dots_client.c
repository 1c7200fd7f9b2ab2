// SPDX-License-Identifier: MIT
//
// A player of dots without a screen: dots-client HOST PORT SECONDS. It runs to the nearest coins, shoots, and says what
// came of it.
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/platform/process.h"
#include "core/client.h"
#include "dots.h"
#include "load/load_game.h"
#include "net/enet/enet_transport.h"

// What the player holds. A window asks its keys here, and draws client_view().
static struct player_input held(const struct client *client, const struct map *map)
{
    const struct world *world = client_world(client);
    struct player_input input = load_game_think(world, map, client_slot(client), 1);
    input.buttons |= world->tick % 32 == 0 ? BUTTON_SHOOT : 0;
    return input;
}

int main(int argc, char **argv)
{
    if (argc != 4) {
        fprintf(stderr, "usage: dots-client HOST PORT SECONDS\n");
        return EXIT_FAILURE;
    }
    struct net_client_config server = {.host = argv[1], .port = (uint16_t)atoi(argv[2]), .protocol = DOTS_PROTOCOL};
    struct error error;
    struct transport *transport = enet_transport_open_client(&server, &error);
    if (!transport) {
        fprintf(stderr, "dots-client: %s\n", error.text);
        return EXIT_FAILURE;
    }
    struct client *client = client_create(transport, &(struct client_config){.player.name = "dot"});
    if (!client)
        return EXIT_FAILURE;
    process_catch_stop();
    uint64_t now_us = clock_now_ns() / 1000, end_us = now_us + strtoul(argv[3], NULL, 10) * 1000000;
    while (client_state(client) != CLIENT_ENDED && now_us < end_us && !process_is_stopping()) {
        client_receive(client, now_us);
        while (client_tick_due(client, now_us))
            client_tick(client, &(struct local_inputs){{held(client, client_map(client))}}, now_us);
        clock_sleep(CLOCK_MS_NS); // a window draws a frame instead
        now_us = clock_now_ns() / 1000;
    }
    struct client_statistics counted;
    client_statistics(client, &counted);
    if (client_state(client) == CLIENT_PLAYING)
        printf("tick %" PRIu32 ", coins %" PRIu32 ", snapshots %" PRIu32 ", desyncs %" PRIu32 "\n",
               client_world_confirmed(client)->tick, client_world_confirmed(client)->players[client_slot(client)].coins,
               counted.snapshots, counted.desyncs);
    else
        printf("%s\n", client_status_text(client));
    client_destroy(client);
    return EXIT_SUCCESS;
}
