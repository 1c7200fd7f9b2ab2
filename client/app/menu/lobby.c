// SPDX-License-Identifier: MIT
#include "lobby.h"

#define COLOURS 16

uint32_t lobby_count(const struct lobby *lobby)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < LOCAL_PLAYERS; i++)
        count += lobby->players[i].joined;
    return count;
}

uint32_t lobby_find(const struct lobby *lobby, uint32_t device)
{
    uint32_t i = 0;
    while (i < LOCAL_PLAYERS && !(lobby->players[i].joined && lobby->players[i].device == device))
        i++;
    return i;
}

uint32_t lobby_find_lost(const struct lobby *lobby)
{
    uint32_t i = 0;
    while (i < LOCAL_PLAYERS && !(lobby->players[i].joined && lobby->players[i].lost))
        i++;
    return i;
}

static bool is_playing(const struct lobby *lobby, uint32_t place)
{
    return lobby->playing >> place & 1;
}

// Returns the next colour in steps of `step` that nobody else here has; `from` itself may do.
static uint32_t free_colour(const struct lobby *lobby, uint32_t place, uint32_t from, uint32_t step)
{
    uint32_t taken = 0; // bits
    for (uint32_t i = 0; i < LOCAL_PLAYERS; i++)
        taken |= lobby->players[i].joined && i != place ? 1u << lobby->players[i].colour : 0;
    while (taken >> from & 1)
        from = (from + step) % COLOURS;
    return from;
}

void lobby_set_defaults(struct lobby *lobby, const uint32_t colours[LOCAL_PLAYERS], const uint32_t hats[LOCAL_PLAYERS])
{
    for (uint32_t i = 0; i < LOCAL_PLAYERS; i++)
        if (!lobby->players[i].joined) {
            lobby->players[i].colour = colours[i] % COLOURS;
            lobby->players[i].hat = hats[i];
        }
}

void lobby_open(struct lobby *lobby)
{
    for (uint32_t i = 0; i < LOCAL_PLAYERS; i++)
        lobby->players[i].ready = lobby->players[i].joined && is_playing(lobby, i);
    lobby->changed = false;
    lobby->ready_us = 0;
    lobby->held_us = UINT64_MAX;
}

void lobby_clear(struct lobby *lobby)
{
    for (uint32_t i = 0; i < LOCAL_PLAYERS; i++) {
        lobby->players[i].joined = lobby->players[i].ready = lobby->players[i].lost = false;
        lobby->players[i].handicap = 0;
    }
}

// A player who has all devices in a match keeps their figure when they choose one of them.
static uint32_t free_place(const struct lobby *lobby)
{
    uint32_t free = LOCAL_PLAYERS;
    for (uint32_t i = LOCAL_PLAYERS; i-- > 0;)
        if (!lobby->players[i].joined && (free == LOCAL_PLAYERS || is_playing(lobby, i) || !is_playing(lobby, free)))
            free = i;
    return free;
}

static void choose(struct lobby *lobby, uint32_t place, enum player_action action)
{
    struct lobby_player *player = &lobby->players[place];
    uint32_t step = action == ACTION_LEFT ? COLOURS - 1 : 1;
    bool sideways = action == ACTION_LEFT || action == ACTION_RIGHT, forward = step == 1 && action != ACTION_UP;
    if (sideways && lobby->has_teams && (player->shows_rules || player->ready)) { // also in a match
        player->team = (player->team + (forward ? 1 : TEAM_SPECTATE - 1)) % TEAM_SPECTATE;
        return;
    }
    if (player->ready)
        return;
    if (player->shows_rules)
        player->handicap = (player->handicap + (forward ? 1 : HANDICAPS - 1)) % HANDICAPS;
    else if (sideways) {
        player->colour = free_colour(lobby, place, (player->colour + step) % COLOURS, step);
        player->chose_colour = true;
    } else
        player->hat = (player->hat + (forward ? 1 : HATS - 1)) % HATS;
}

bool lobby_press(struct lobby *lobby, uint32_t device, enum player_action action)
{
    uint32_t place = lobby_find(lobby, device);
    bool is_new = place == LOCAL_PLAYERS;
    if (is_new)
        place = action == ACTION_JUMP ? free_place(lobby) : LOCAL_PLAYERS;
    if (place == LOCAL_PLAYERS)
        return action == ACTION_JUMP;
    struct lobby_player *player = &lobby->players[place];
    player->moved_us = lobby->now_us;
    if (is_new) {
        *player = (struct lobby_player){.joined = true,
                                        .ready = is_playing(lobby, place),
                                        .device = device,
                                        .colour = free_colour(lobby, place, player->colour, 1),
                                        .hat = player->hat,
                                        .team = player->team,
                                        .handicap = player->handicap,
                                        .moved_us = lobby->now_us};
        return true;
    }
    switch (action) {
    case ACTION_LEFT:
    case ACTION_RIGHT:
    case ACTION_UP:
    case ACTION_DOWN:
        choose(lobby, place, action);
        break;
    case ACTION_JUMP:
        player->ready = true;
        lobby->changed = true;
        break;
    case ACTION_DASH:
        player->joined = player->ready;
        player->ready = false;
        break;
    case ACTION_SHOOT:
        player->shows_rules = !player->shows_rules;
        break;
    }
    return true;
}

bool lobby_set_lost(struct lobby *lobby, uint32_t device, bool lost)
{
    uint32_t place = lobby_find(lobby, device);
    if (place == LOCAL_PLAYERS || lobby->players[place].lost == lost)
        return false;
    lobby->players[place].lost = lost;
    return true;
}

uint64_t lobby_wait_us(const struct lobby *lobby)
{
    return lobby->playing || lobby_count(lobby) > 1 ? LOBBY_READY_US : LOBBY_ALONE_US;
}

bool lobby_step(struct lobby *lobby, uint64_t now_us, bool holds_start)
{
    bool all_are_ready = lobby_count(lobby) > 0;
    for (uint32_t i = 0; i < LOCAL_PLAYERS; i++)
        all_are_ready &= !lobby->players[i].joined || (lobby->players[i].ready && !lobby->players[i].lost);
    lobby->now_us = now_us;
    if (!all_are_ready || !lobby->changed)
        lobby->ready_us = 0;
    else if (!lobby->ready_us)
        lobby->ready_us = now_us;
    if (!holds_start || !lobby_count(lobby))
        lobby->held_us = holds_start ? UINT64_MAX : 0;
    else if (!lobby->held_us)
        lobby->held_us = now_us;
    bool held = lobby->held_us && lobby->held_us != UINT64_MAX && now_us - lobby->held_us >= LOBBY_HOLD_US;
    bool begins = held || (lobby->ready_us && now_us - lobby->ready_us >= lobby_wait_us(lobby));
    if (begins) {
        lobby->ready_us = 0;
        lobby->held_us = UINT64_MAX;
        lobby->changed = false;
    }
    return begins;
}
