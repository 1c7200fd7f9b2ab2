// SPDX-License-Identifier: MIT
#include "local_players.h"

#include <stdio.h>
#include <string.h>

#include "base/utf8.h"
#include "game/rules/team.h"
#include "looks/palette.h"
#include "net/enet/enet_transport.h"
#include "text/text.h"
#include "window/window.h"

#define LEAVE_US 200000u ///< for the last packets to leave

uint32_t local_players_first(const struct local_players *local)
{
    for (uint32_t i = 0; i < LOCAL_PLAYERS; i++)
        if (local->players[i].client)
            return i;
    return 0;
}

struct client *local_players_client(const struct local_players *local)
{
    return local->players[local_players_first(local)].client;
}

uint32_t local_players_device(const struct local_players *local, uint32_t number)
{
    return lobby_count(local->lobby) ? local->lobby->players[number].device : DEVICE_ALL;
}

const struct world *local_players_world(const struct local_players *local)
{
    const struct client *client = local_players_client(local);
    return client ? client_world(client) : NULL;
}

bool local_players_is_playing(const struct local_players *local)
{
    return local_players_client(local) && client_state(local_players_client(local)) == CLIENT_PLAYING;
}

bool local_players_has_ended(const struct local_players *local)
{
    return !local_players_client(local) || client_state(local_players_client(local)) == CLIENT_ENDED;
}

bool local_players_is_away(const struct local_players *local)
{
    struct client_retry retry;
    return local_players_client(local) && client_retry(local_players_client(local), local->now_us(), &retry);
}

bool local_players_is_here(const struct local_players *local, uint32_t slot)
{
    for (uint32_t i = 0; i < LOCAL_PLAYERS; i++) {
        const struct client *client = local->players[i].client;
        if (client && client_world(client) && client_slot(client) == slot)
            return true;
    }
    return false;
}

uint32_t local_players_count_others(const struct local_players *local)
{
    uint32_t count = 0;
    if (!local_players_is_playing(local))
        return 0;
    const struct world *world = client_world(local_players_client(local));
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

static struct transport *open_transport(struct local_player *player, struct error *error)
{
    struct local_players *local = player->local;
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
                                    .password = local->password[0] ? local->password : settings->password,
                                    .ticket = &local->ticket,
                                    .proven = player->server,
                                    .key_path = settings->key_path[0] ? settings->key_path : NULL,
                                    .known_servers_path = settings->known_servers[0] ? settings->known_servers : NULL,
                                    .impairment = settings->impairment,
                                    .impairment_seed = local->now_us()},
        error);
}

static struct transport *reopen(void *context)
{
    struct local_player *player = context;
    struct error error = {0};
    struct transport *transport = open_transport(player, &error);
    if (transport)
        player->transport = transport;
    else
        log_write(player->local->log, LOG_INFO, "%s", error.text);
    return transport;
}

// What a server that is not the one of this connection says goes nowhere.
static void keep_vouch(void *context, const uint8_t bytes[MESSAGE_VOUCH_BYTES])
{
    const struct local_player *player = context;
    if (!server_records_keep_vouch(player->local->settings->vouches, player->server, player->number, bytes))
        log_write(player->local->log, LOG_DEBUG, "a vouch of the server is not kept");
}

static bool find_vouch(void *context, const char *fingerprint, uint8_t bytes[MESSAGE_VOUCH_BYTES])
{
    const struct local_player *player = context;
    return player->local->preferences->shows_rating &&
           server_records_find_vouch(player->local->settings->vouches, fingerprint, player->number, bytes);
}

static void keep_record(void *context, const struct record_message *record)
{
    const struct local_player *player = context;
    if (player->number == 0 && identity_fingerprint_is_valid(player->server))
        server_records_put(player->local->records, player->server, record);
}

static bool join_player(struct local_players *local, uint32_t number)
{
    struct local_player *player = &local->players[number];
    client_destroy(player->client);
    player->client = NULL;
    struct client_config config = {.colour = local->lobby->players[number].colour,
                                   .hat = local->lobby->players[number].hat,
                                   .handicap = local->lobby->players[number].handicap,
                                   .local = number,
                                   .map_cache = local->settings->map_cache,
                                   .reopen = reopen,
                                   .vouches = {keep_vouch, find_vouch},
                                   .keep_record = keep_record,
                                   .context = player};
    player->local = local;
    player->number = number;
    preferences_player_name(local->preferences, number, config.name);
    player->colour = config.colour;
    player->hat = config.hat;
    player->handicap = config.handicap;
    player->transport = open_transport(player, &local->error);
    if (player->transport)
        player->client = client_create(player->transport, &config);
    if (player->transport && !player->client) {
        transport_close(player->transport);
        error_set(&local->error, text_of("Not enough memory for the match."));
    }
    return player->client;
}

// Without anybody in the lobby, the first place is that of the one player.
bool local_players_join(struct local_players *local)
{
    bool joined = false, alone = !lobby_count(local->lobby);
    local->error.text[0] = 0;
    local->denial = DENIAL_NONE;
    local_players_set_defaults(local->lobby, local->preferences);
    for (uint32_t i = 0; i < LOCAL_PLAYERS; i++) {
        if (!(alone ? i == 0 : local->lobby->players[i].joined))
            continue;
        if (!join_player(local, i))
            return joined;
        joined = true;
    }
    return joined;
}

static void leave_player(struct local_player *player)
{
    if (player->client)
        client_leave(player->client);
    if (player->client)
        transport_wait(player->transport, (player->local->now_us() + LEAVE_US) * 1000);
    client_destroy(player->client);
    player->client = NULL;
}

void local_players_leave(struct local_players *local)
{
    for (uint32_t i = 0; i < LOCAL_PLAYERS; i++)
        leave_player(&local->players[i]);
}

void local_players_say(struct local_players *local, const char *line)
{
    log_write(local->log, LOG_DEBUG, "say %s", line);
    if (local_players_client(local))
        client_chat_send(local_players_client(local), false, line);
}

// Lets the server know which team a player has chosen, in each match again.
static void choose_team(struct local_players *local, uint32_t number)
{
    static const char *const LINES[] = {"/team auto", "/team blue", "/team orange"};
    struct local_player *player = &local->players[number];
    const struct world *world =
        player->client && client_state(player->client) == CLIENT_PLAYING ? client_world(player->client) : NULL;
    const struct lobby_player *wanted = &local->lobby->players[number];
    if (!world || !wanted->joined || !team_mode(world) || wanted->team > TEAM_TWO)
        return;
    uint32_t generation = world->players[client_slot(player->client)].generation;
    if (player->team_generation == generation && player->team_asked == wanted->team)
        return;
    bool says = wanted->team != TEAM_AUTO || player->team_generation == generation;
    player->team_generation = generation;
    player->team_asked = wanted->team;
    if (says)
        client_chat_send(player->client, false, LINES[wanted->team]);
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
        bool looks_else =
            wanted->colour != player->colour || wanted->hat != player->hat || wanted->handicap != player->handicap;
        if (wanted->joined && wanted->ready && player->client && looks_else)
            leave_player(player); // and returns with their record
        if (wanted->joined && wanted->ready && !player->client)
            join_player(local, i);
        if (!wanted->joined && (count || i != first))
            leave_player(player);
    }
    lobby->playing = 0;
    for (uint32_t i = 0; i < LOCAL_PLAYERS; i++)
        lobby->playing |= local->players[i].client ? 1u << i : 0;
    for (uint32_t i = 0; i < LOCAL_PLAYERS; i++)
        choose_team(local, i);
}

// Logs that a player has joined or lost the connection; keeps why a player's match ended.
static void follow_state(struct local_players *local, const struct client *client, enum client_state before)
{
    enum client_state after = client_state(client);
    if (after != before && after == CLIENT_PLAYING)
        log_write(local->log, LOG_INFO, "joined as player %u of map %.*s", client_slot(client), MAP_NAME_CAPACITY,
                  client_map(client)->name);
    if (after != before && after == CLIENT_CONNECTING)
        log_write(local->log, LOG_INFO, "%s", client_status_text(client));
    if (after != before && after == CLIENT_ENDED) {
        error_set(&local->error, "%s", client_status_text(client));
        local->denial = client_denial(client);
    }
}

bool local_players_receive(struct local_players *local, uint32_t number)
{
    struct client *client = local->players[number].client;
    enum client_state before = client ? client_state(client) : CLIENT_ENDED;
    if (before == CLIENT_ENDED)
        return false;
    client_receive(client, local->now_us());
    follow_state(local, client, before);
    return true;
}

bool local_players_tick_due(const struct local_players *local, uint32_t number)
{
    return client_tick_due(local->players[number].client, local->now_us());
}

void local_players_tick(struct local_players *local, uint32_t number, struct player_input input)
{
    struct client *client = local->players[number].client;
    enum client_state before = client_state(client);
    client_tick(client, input, local->now_us());
    follow_state(local, client, before);
}

uint64_t local_players_next_us(const struct local_players *local)
{
    uint64_t next_us = UINT64_MAX;
    for (uint32_t i = 0; i < LOCAL_PLAYERS; i++) {
        uint64_t due_us = local->players[i].client ? client_next_tick_us(local->players[i].client) : UINT64_MAX;
        next_us = due_us < next_us ? due_us : next_us;
    }
    return next_us;
}

void local_players_wait(const struct local_players *local, uint64_t until_us)
{
    if (local_players_has_ended(local))
        window_idle();
    else
        transport_wait(local->players[local_players_first(local)].transport, until_us * 1000);
}

bool local_players_view(struct local_players *local, uint64_t now_us, struct view *view, struct camera *camera)
{
    bool shows = local_players_client(local) && client_view(local_players_client(local), now_us, view);
    if (shows && !local_players_is_playing(local))
        return true; // the picture stays
    camera->local_slot_count = 0;
    for (uint32_t i = local_players_first(local) + 1; shows && i < LOCAL_PLAYERS; i++) {
        const struct client *client = local->players[i].client;
        if (!client || client_state(client) != CLIENT_PLAYING)
            continue;
        // Each local player is drawn where their own client predicts them; the rest is the first player's view.
        uint32_t slot = client_slot(client);
        local->friend_view.kind = view->kind;
        if (client_view(local->players[i].client, now_us, &local->friend_view) && slot < view->world->player_slots)
            view->actors[slot] = local->friend_view.actors[slot];
        camera->local_slots[camera->local_slot_count++] = slot;
    }
    return shows;
}

const char *local_players_state_text(const struct local_players *local, uint32_t number)
{
    const struct client *client = local->players[number].client;
    if (!client)
        return "";
    switch (client_state(client)) {
    case CLIENT_CONNECTING:
    case CLIENT_JOINING:
        return TEXT_KEY("joining");
    case CLIENT_PLAYING:
        return TEXT_KEY("playing");
    case CLIENT_ENDED:
        break;
    }
    return client_status_text(client);
}
