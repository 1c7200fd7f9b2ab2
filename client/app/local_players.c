// SPDX-License-Identifier: MIT
#include "local_players.h"

#include <stdio.h>
#include <string.h>

#include "base/utf8.h"
#include "game/rules/team.h"
#include "looks/palette.h"
#include "net/crypto/vouch.h"
#include "net/enet/enet_transport.h"
#include "text/text.h"
#include "window/window.h"

#define LEAVE_US 200000u ///< for the last packets to leave

uint32_t local_players_first(const struct local_players *local)
{
    for (uint32_t i = 0; i < LOCAL_PLAYERS; i++)
        if (local->players[i].plays)
            return i;
    return 0;
}

struct client *local_players_client(const struct local_players *local)
{
    return local->client;
}

uint32_t local_players_device(const struct local_players *local, uint32_t number)
{
    return lobby_count(local->lobby) ? local->lobby->players[number].device : DEVICE_ALL;
}

const struct world *local_players_world(const struct local_players *local)
{
    return local->client ? client_world(local->client) : NULL;
}

bool local_players_is_playing(const struct local_players *local)
{
    return local->client && client_state(local->client) == CLIENT_PLAYING;
}

bool local_players_has_ended(const struct local_players *local)
{
    return !local->client || client_state(local->client) == CLIENT_ENDED;
}

bool local_players_is_away(const struct local_players *local)
{
    struct client_retry retry;
    return local->client && client_retry(local->client, local->now_us(), &retry);
}

uint32_t local_players_slot(const struct local_players *local, uint32_t number)
{
    uint32_t seat = local_players_is_playing(local) ? client_seats(local->client)->of[number] : 0;
    return seat ? seat - 1 : PLAYER_CAPACITY;
}

bool local_players_is_here(const struct local_players *local, uint32_t slot)
{
    return local_players_world(local) && local_seats_have(client_seats(local->client), slot);
}

uint32_t local_players_count_others(const struct local_players *local)
{
    uint32_t count = 0;
    if (!local_players_is_playing(local))
        return 0;
    const struct world *world = client_world(local->client);
    for (uint32_t slot = 0; slot < PLAYER_CAPACITY; slot++) {
        const struct player *player = &world->players[slot];
        count += player->state != PLAYER_ABSENT && !(player->flags & PLAYER_BOT) && !local_players_is_here(local, slot);
    }
    return count;
}

void local_players_set_defaults(struct lobby *lobby, const struct preferences *preferences)
{
    uint32_t colours[LOCAL_PLAYERS], taken = 0, unknown = 0, sum = 0; // bits; of the name of the first
    for (const char *c = preferences->name; *c; c++)
        sum = sum * 31 + (uint8_t)*c;
    int64_t first = preferences->colour >= 0 ? preferences->colour : sum % PALETTE_PLAYERS;
    for (uint32_t i = 0; i < LOCAL_PLAYERS; i++) {
        const struct lobby_player *player = &lobby->players[i];
        int64_t wanted = i ? preferences->friend_colours[i - 1] : first;
        colours[i] = player->joined ? player->colour : (uint32_t)wanted % PALETTE_PLAYERS;
        unknown |= !player->joined && wanted < 0 ? 1u << i : 0;
        taken |= unknown >> i & 1 ? 0 : 1u << colours[i];
    }
    for (uint32_t i = 0; i < LOCAL_PLAYERS; i++) {
        if (unknown >> i & 1)
            colours[i] = palette_farthest(preferences->display.colour_vision, taken);
        taken |= 1u << colours[i];
    }
    lobby_set_defaults(lobby, colours, preferences->hats);
}

static struct transport *open_transport(struct local_players *local, struct error *error)
{
    const struct settings *settings = local->settings;
    return enet_transport_open_client(
        &(struct net_client_config){.host = local->address.host,
                                    .port = local->address.port,
                                    .protocol = PROTOCOL_VERSION,
                                    .fingerprint = local->address.fingerprint,
                                    .certificate = local->address.certificate,
                                    .through = local->address.through,
                                    .through_port = local->address.through_port,
                                    .claimed = local->claimed,
                                    .password = local->password,
                                    .ticket = &local->ticket,
                                    .proven = local->server,
                                    .key_path = settings->key_path[0] ? settings->key_path : NULL,
                                    .known_servers_path = settings->known_servers[0] ? settings->known_servers : NULL,
                                    .impairment = settings->impairment,
                                    .impairment_seed = local->now_us()},
        error);
}

static struct transport *reopen(void *context)
{
    struct local_players *local = context;
    struct error error = {0};
    struct transport *transport = open_transport(local, &error);
    if (transport)
        local->transport = transport;
    else
        log_write(local->log, LOG_INFO, "%s", error.text);
    return transport;
}

// What a server that is not the one of this connection says goes nowhere.
static void keep_vouch(void *context, const uint8_t bytes[MESSAGE_VOUCH_BYTES])
{
    const struct local_players *local = context;
    if (!server_records_keep_vouch(local->settings->vouches, local->server, vouch_local(bytes), bytes))
        log_write(local->log, LOG_DEBUG, "a vouch of the server is not kept");
}

static bool find_vouch(void *context, uint32_t number, const char *fingerprint, uint8_t bytes[MESSAGE_VOUCH_BYTES])
{
    const struct local_players *local = context;
    return local->preferences->shows_rating &&
           server_records_find_vouch(local->settings->vouches, fingerprint, number, bytes);
}

static void keep_record(void *context, const struct record_message *record)
{
    const struct local_players *local = context;
    if (identity_fingerprint_is_valid(local->server))
        server_records_put(local->records, local->server, record);
}

// Notes that a player of the lobby plays, as they look there.
static struct client_player begin_player(struct local_players *local, uint32_t number)
{
    struct local_player *player = &local->players[number];
    const struct lobby_player *wanted = &local->lobby->players[number];
    struct client_player looks = {.colour = wanted->colour, .hat = wanted->hat, .handicap = wanted->handicap};
    preferences_player_name(local->preferences, number, looks.name);
    *player =
        (struct local_player){.plays = true, .colour = looks.colour, .hat = looks.hat, .handicap = looks.handicap};
    return looks;
}

// Without anybody in the lobby, the first place is that of the one player.
bool local_players_join(struct local_players *local)
{
    bool alone = !lobby_count(local->lobby);
    uint32_t first = 0;
    local_players_leave(local);
    local->error.text[0] = 0;
    local->denial = DENIAL_NONE;
    local_players_set_defaults(local->lobby, local->preferences);
    while (!alone && !local->lobby->players[first].joined)
        first++;
    struct client_config config = {.player = begin_player(local, first),
                                   .local = first,
                                   .map_cache = local->settings->map_cache,
                                   .reopen = reopen,
                                   .vouches = {keep_vouch, find_vouch},
                                   .keep_record = keep_record,
                                   .context = local};
    local->transport = open_transport(local, &local->error);
    if (local->transport)
        local->client = client_create(local->transport, &config);
    if (local->transport && !local->client) {
        transport_close(local->transport);
        error_set(&local->error, text_of("Not enough memory for the match."));
    }
    local->seats = (struct local_seats){{0}};
    for (uint32_t i = first + 1; i < LOCAL_PLAYERS && local->client; i++) {
        if (!local->lobby->players[i].joined)
            continue;
        struct client_player player = begin_player(local, i);
        client_join_player(local->client, i, &player);
    }
    return local->client;
}

void local_players_leave(struct local_players *local)
{
    for (uint32_t i = 0; i < LOCAL_PLAYERS; i++)
        local->players[i].plays = false;
    if (!local->client)
        return;
    client_leave(local->client);
    transport_wait(local->transport, (local->now_us() + LEAVE_US) * 1000);
    client_destroy(local->client);
    local->client = NULL;
}

void local_players_say(struct local_players *local, const char *line)
{
    log_write(local->log, LOG_DEBUG, "say %s", line);
    if (local->client)
        client_chat_send(local->client, local_players_first(local), false, line);
}

// Lets the server know which team a player has chosen, in each match again.
static void choose_team(struct local_players *local, uint32_t number)
{
    static const char *const LINES[] = {"/team auto", "/team blue", "/team orange"};
    struct local_player *player = &local->players[number];
    const struct world *world = local_players_world(local);
    const struct lobby_player *wanted = &local->lobby->players[number];
    uint32_t slot = local_players_slot(local, number);
    if (!world || slot == PLAYER_CAPACITY || !wanted->joined || !team_mode(world) || wanted->team > TEAM_TWO)
        return;
    uint32_t generation = world->players[slot].generation;
    if (player->team_generation == generation && player->team_asked == wanted->team)
        return;
    bool says = wanted->team != TEAM_AUTO || player->team_generation == generation;
    player->team_generation = generation;
    player->team_asked = wanted->team;
    if (says)
        client_chat_send(local->client, number, false, LINES[wanted->team]);
}

// The last one to leave the lobby plays on with every device.
void local_players_follow(struct local_players *local)
{
    struct lobby *lobby = local->lobby;
    bool in_match = !local_players_has_ended(local);
    uint32_t first = local_players_first(local), count = lobby_count(lobby);
    local_players_set_defaults(local->lobby, local->preferences);
    for (uint32_t i = 0; in_match && i < LOCAL_PLAYERS; i++) {
        const struct lobby_player *wanted = &lobby->players[i];
        struct local_player *player = &local->players[i];
        bool looks_else = !player->plays || wanted->colour != player->colour || wanted->hat != player->hat ||
                          wanted->handicap != player->handicap;
        if (wanted->joined && wanted->ready && looks_else) { // who was here returns with their record
            struct client_player looks = begin_player(local, i);
            client_join_player(local->client, i, &looks);
        }
    }
    for (uint32_t i = 0; in_match && i < LOCAL_PLAYERS; i++) {
        if (!local->players[i].plays || lobby->players[i].joined || (!count && i == first))
            continue;
        local->players[i].plays = false;
        client_leave_player(local->client, i);
    }
    lobby->playing = 0;
    for (uint32_t i = 0; i < LOCAL_PLAYERS; i++)
        lobby->playing |= local->players[i].plays ? 1u << i : 0;
    for (uint32_t i = 0; i < LOCAL_PLAYERS; i++)
        choose_team(local, i);
}

// Logs that players have joined, or that the connection was lost; keeps why the match ended.
static void follow_state(struct local_players *local, enum client_state before)
{
    const struct client *client = local->client;
    enum client_state after = client_state(client);
    for (uint32_t i = 0; i < LOCAL_PLAYERS && after == CLIENT_PLAYING; i++) {
        uint32_t seat = client_seats(client)->of[i];
        if (seat && (seat != local->seats.of[i] || before != CLIENT_PLAYING))
            log_write(local->log, LOG_INFO, "joined as player %u of map %.*s", seat - 1, MAP_NAME_CAPACITY,
                      client_map(client)->name);
        local->seats.of[i] = seat;
    }
    if (after != before && after == CLIENT_CONNECTING)
        log_write(local->log, LOG_INFO, "%s", client_status_text(client));
    if (after != before && after == CLIENT_ENDED) {
        error_set(&local->error, "%s", client_status_text(client));
        local->denial = client_denial(client);
    }
}

bool local_players_receive(struct local_players *local)
{
    if (local_players_has_ended(local))
        return false;
    enum client_state before = client_state(local->client);
    client_receive(local->client, local->now_us());
    follow_state(local, before);
    return true;
}

bool local_players_tick_due(const struct local_players *local)
{
    return client_tick_due(local->client, local->now_us());
}

void local_players_tick(struct local_players *local, const struct local_inputs *inputs)
{
    enum client_state before = client_state(local->client);
    client_tick(local->client, inputs, local->now_us());
    follow_state(local, before);
}

uint64_t local_players_next_us(const struct local_players *local)
{
    return local->client ? client_next_tick_us(local->client) : UINT64_MAX;
}

void local_players_wait(const struct local_players *local, uint64_t until_us)
{
    if (local_players_has_ended(local))
        window_idle();
    else
        transport_wait(local->transport, until_us * 1000);
}

bool local_players_view(struct local_players *local, uint64_t now_us, struct view *view)
{
    return local->client && client_view(local->client, now_us, view);
}

const char *local_players_state_text(const struct local_players *local, uint32_t number)
{
    if (!local->client || !local->players[number].plays)
        return "";
    enum deny_reason denied = client_player_denied(local->client, number);
    switch (client_state(local->client)) {
    case CLIENT_CONNECTING:
    case CLIENT_JOINING:
        return TEXT_KEY("joining");
    case CLIENT_PLAYING:
        return denied != DENY_NONE                                    ? message_deny_text(denied)
               : local_players_slot(local, number) == PLAYER_CAPACITY ? TEXT_KEY("joining")
                                                                      : TEXT_KEY("playing");
    case CLIENT_ENDED:
        break;
    }
    return client_status_text(local->client);
}
