// SPDX-License-Identifier: MIT
#include "local_players.h"

#include <stdio.h>
#include <string.h>

#include "app/gfx/palette.h"
#include "app/platform/window.h"
#include "net/enet_transport.h"

#define TICKS_AT_ONCE 8       ///< before the window is looked at again
#define LEAVE_US      200000u ///< for the farewell to leave

// Seats in use: at least one.
static uint32_t count_of(const struct local_players *party)
{
    return party->taken ? party->taken : 1;
}

struct client *local_players_client(const struct local_players *party)
{
    return party->seats[0].client;
}

bool local_players_is_playing(const struct local_players *party)
{
    return local_players_client(party) && client_state(local_players_client(party)) == CLIENT_PLAYING;
}

bool local_players_has_ended(const struct local_players *party)
{
    return !local_players_client(party) || client_state(local_players_client(party)) == CLIENT_ENDED;
}

static uint32_t wished_colour(const struct local_players *party, uint32_t seat)
{
    uint32_t sum = 0;
    for (const char *c = party->preferences->name; *c; c++)
        sum = sum * 31 + (uint8_t)*c;
    uint32_t first = party->preferences->colour >= 0 ? (uint32_t)party->preferences->colour : sum;
    return (first + seat) % PALETTE_PLAYERS;
}

// A further player's name is the first one's with a number; half a character at the cut goes too.
static void name_of(const struct local_players *party, uint32_t seat, char name[PLAYER_NAME_BYTES + 1])
{
    size_t length = strnlen(party->preferences->name, seat ? PLAYER_NAME_BYTES - 2 : PLAYER_NAME_BYTES);
    while (length && ((uint8_t)party->preferences->name[length] & 0xC0) == 0x80)
        length--;
    memcpy(name, party->preferences->name, length);
    name[length] = 0;
    if (seat)
        snprintf(name + length, PLAYER_NAME_BYTES + 1 - length, " %u", seat + 1);
}

static struct transport *open_transport(struct seat *seat, struct error *error)
{
    struct local_players *party = seat->party;
    const struct settings *settings = party->settings;
    return enet_transport_open_client(
        &(struct net_client_config){.host = party->address.host,
                                    .port = party->address.port,
                                    .protocol = PROTOCOL_VERSION,
                                    .fingerprint = party->address.fingerprint,
                                    .password = party->password[0] ? party->password : settings->password,
                                    .ticket = &party->ticket,
                                    .key_path = settings->key_path[0] ? settings->key_path : NULL,
                                    .known_servers_path = settings->known_servers[0] ? settings->known_servers : NULL,
                                    .impairment = settings->impairment,
                                    .impairment_seed = party->now_us()},
        error);
}

static struct transport *reopen(void *context)
{
    struct seat *seat = context;
    struct error error = {0};
    struct transport *transport = open_transport(seat, &error);
    if (transport)
        seat->transport = transport;
    else
        log_write(seat->party->log, LOG_INFO, "%s", error.text);
    return transport;
}

_Static_assert(MENU_SEATS <= LOCAL_PLAYERS, "each has a place of his own at the server");

static bool join_seat(struct local_players *party, uint32_t number)
{
    struct seat *seat = &party->seats[number];
    client_destroy(seat->client);
    seat->client = NULL;
    struct client_config config = {.colour = wished_colour(party, number),
                                   .hat = party->preferences->hats[number],
                                   .local = number,
                                   .map_cache = party->settings->map_cache,
                                   .reopen = reopen,
                                   .context = seat};
    seat->party = party;
    seat->number = number;
    name_of(party, number, config.name);
    seat->transport = open_transport(seat, &party->error);
    if (seat->transport)
        seat->client = client_create(seat->transport, &config);
    if (seat->transport && !seat->client) {
        transport_close(seat->transport);
        error_set(&party->error, "There is no memory for the match.");
    }
    return seat->client;
}

bool local_players_join(struct local_players *party)
{
    if (!party->taken)
        party->seats[0].device = DEVICE_EVERYTHING;
    party->error.text[0] = 0;
    party->denial = DENIAL_NONE;
    for (uint32_t i = 0; i < count_of(party); i++)
        if (!join_seat(party, i))
            return i > 0;
    return true;
}

static void leave_seat(struct seat *seat)
{
    if (seat->client)
        client_leave(seat->client);
    if (seat->client)
        transport_wait(seat->transport, (seat->party->now_us() + LEAVE_US) * 1000);
    client_destroy(seat->client);
    seat->client = NULL;
}

void local_players_leave(struct local_players *party)
{
    for (uint32_t i = 0; i < MENU_SEATS; i++)
        leave_seat(&party->seats[i]);
}

uint32_t local_players_add(struct local_players *party, uint32_t device)
{
    for (uint32_t i = 0; i < party->taken; i++)
        if (party->seats[i].device == device)
            return i;
    if (party->taken == MENU_SEATS)
        return MENU_SEATS;
    uint32_t seat = party->taken++;
    party->seats[seat].device = device;
    if (seat && !local_players_has_ended(party))
        join_seat(party, seat);
    return seat;
}

// A client keeps the seat that it was opened for, so devices move, and the last seat falls free.
void local_players_remove(struct local_players *party, uint32_t seat)
{
    if (seat >= party->taken)
        return;
    for (uint32_t i = seat; i + 1 < party->taken; i++)
        party->seats[i].device = party->seats[i + 1].device;
    party->taken--;
    if (party->taken)
        leave_seat(&party->seats[party->taken]);
    else
        party->seats[0].device = DEVICE_EVERYTHING;
}

static void run_seat(struct local_players *party, struct seat *seat,
                     struct player_input (*sample)(void *context, struct seat *seat), void *context)
{
    enum client_state before = client_state(seat->client);
    client_receive(seat->client, party->now_us());
    for (int i = 0; i < TICKS_AT_ONCE && client_tick_due(seat->client, party->now_us()); i++)
        client_tick(seat->client, sample(context, seat), party->now_us());
    enum client_state after = client_state(seat->client);
    if (after != before && after == CLIENT_PLAYING)
        log_write(party->log, LOG_INFO, "joined as player %u of map %.*s", client_slot(seat->client), MAP_NAME_CAPACITY,
                  client_map(seat->client)->name);
    if (after != before && after == CLIENT_ENDED) {
        error_set(&party->error, "%s", client_sentence(seat->client));
        party->denial = client_denial(seat->client);
    }
}

void local_players_run(struct local_players *party, struct player_input (*sample)(void *context, struct seat *seat),
                       void *context)
{
    for (uint32_t i = 0; i < MENU_SEATS; i++)
        if (party->seats[i].client && client_state(party->seats[i].client) != CLIENT_ENDED)
            run_seat(party, &party->seats[i], sample, context);
}

uint64_t local_players_next_us(const struct local_players *party)
{
    uint64_t next_us = UINT64_MAX;
    for (uint32_t i = 0; i < MENU_SEATS; i++) {
        uint64_t due_us = party->seats[i].client ? client_next_tick_us(party->seats[i].client) : UINT64_MAX;
        next_us = due_us < next_us ? due_us : next_us;
    }
    return next_us;
}

void local_players_wait(const struct local_players *party, uint64_t until_us)
{
    if (local_players_has_ended(party))
        window_rest();
    else
        transport_wait(party->seats[0].transport, until_us * 1000);
}

// His own client knows best where he is; the rest of the picture is the first seat's.
static void show_friend(struct local_players *party, struct seat *seat, uint64_t now_us, struct view *view)
{
    uint32_t slot = client_slot(seat->client);
    party->other.kind = view->kind;
    if (client_view(seat->client, now_us, &party->other) && slot < view->world->player_slots)
        view->actors[slot] = party->other.actors[slot];
}

bool local_players_view(struct local_players *party, uint64_t now_us, struct view *view, uint32_t friends[MENU_SEATS],
                        uint32_t *friend_count)
{
    *friend_count = 0;
    if (!local_players_is_playing(party) || !client_view(local_players_client(party), now_us, view))
        return false;
    for (uint32_t i = 1; i < MENU_SEATS; i++) {
        struct seat *seat = &party->seats[i];
        if (!seat->client || client_state(seat->client) != CLIENT_PLAYING)
            continue;
        show_friend(party, seat, now_us, view);
        friends[(*friend_count)++] = client_slot(seat->client);
    }
    return true;
}

static const char *state_of(const struct seat *seat)
{
    if (!seat->client)
        return "ready";
    switch (client_state(seat->client)) {
    case CLIENT_CONNECTING:
    case CLIENT_JOINING:
        return "joining";
    case CLIENT_PLAYING:
        return "plays";
    case CLIENT_ENDED:
        break;
    }
    return client_sentence(seat->client);
}

void local_players_describe(const struct local_players *party, struct menu_seat seats[MENU_SEATS])
{
    for (uint32_t i = 0; i < MENU_SEATS; i++) {
        uint32_t device = party->seats[i].device;
        seats[i] = (struct menu_seat){.colour = wished_colour(party, i), .state = state_of(&party->seats[i])};
        if (i >= party->taken)
            continue;
        if (device >= DEVICE_PAD)
            snprintf(seats[i].device, sizeof seats[i].device, "pad %u", device - DEVICE_PAD + 1);
        else
            snprintf(seats[i].device, sizeof seats[i].device, "%s",
                     device == DEVICE_KEYS_SECOND ? "second keys" : "first keys");
    }
}
