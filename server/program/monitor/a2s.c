// SPDX-License-Identifier: MIT
#include "a2s.h"

#include "base/utf8.h"
#include "game/rules/mode.h"
#include "game/rules/round.h"
#include "game/variant.h"
#include "sync/player_name.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#define PROTOCOL_OF_SOURCE 17
#define EXTRA_PORT         0x80
#define EXTRA_KEYWORDS     0x20
#define NAME_BYTES_MAX     64
#define PLAYER_ROW_BYTES   (1 + PLAYER_NAME_BYTES + 1 + 4 + 4)
#define BOT_SECONDS        (-1.0f) // how gamedig recognises bots

static_assert(NET_REPLY_BYTES_MAX < 255 * (PLAYER_ROW_BYTES - PLAYER_NAME_BYTES), "one byte counts the players");

static void put(struct net_reply *reply, const void *bytes, size_t byte_count)
{
    memcpy(reply->bytes + reply->byte_count, bytes, byte_count);
    reply->byte_count = (uint16_t)(reply->byte_count + byte_count);
}

static void put_u8(struct net_reply *reply, uint32_t value)
{
    put(reply, &(uint8_t){(uint8_t)value}, 1);
}

static void put_u16(struct net_reply *reply, uint32_t value)
{
    put_u8(reply, value);
    put_u8(reply, value >> 8);
}

static void put_u32(struct net_reply *reply, uint32_t value)
{
    put_u16(reply, value);
    put_u16(reply, value >> 16);
}

static void put_float(struct net_reply *reply, float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    put_u32(reply, bits);
}

// Cuts a long text at a whole character.
static void put_text(struct net_reply *reply, const char *text, size_t byte_count_max)
{
    put(reply, text, utf8_fit(text, byte_count_max));
    put_u8(reply, 0);
}

static uint32_t at_most_255(uint32_t count)
{
    return count < 255 ? count : 255;
}

static void write_info(const struct a2s_server *server, const struct match *match, struct net_reply *reply)
{
    char keywords[48 + VARIANT_NAMES_BYTES + FINGERPRINT_TEXT_BYTES], variants[VARIANT_NAMES_BYTES];
    uint32_t players = roster_count(&match->roster, SEAT_PLAYER), bots = roster_count(&match->roster, SEAT_BOT);
    variant_names(match->world.rules.variants, variants);
    snprintf(keywords, sizeof keywords, "%s,protocol%u%s%s%s%s%s", mode_name((enum mode)match->world.rules.mode),
             PROTOCOL_VERSION, match->drain.is_on ? ",closing" : "", server->fingerprint ? ",key." : "",
             server->fingerprint ? server->fingerprint : "", variants[0] ? "," : "", variants);
    put_u8(reply, 'I');
    put_u8(reply, PROTOCOL_OF_SOURCE);
    put_text(reply, server->name, NAME_BYTES_MAX);
    put_text(reply, match->map.name, NAME_BYTES_MAX);
    put_text(reply, "deadfall", NAME_BYTES_MAX);
    put_text(reply, "Deadfall", NAME_BYTES_MAX);
    put_u16(reply, 0);
    put_u8(reply, at_most_255(players + bots));
    put_u8(reply, at_most_255(match->players_max));
    put_u8(reply, at_most_255(bots));
    put(reply, "dl", 2); // dedicated, on Linux
    put_u8(reply, server->has_password);
    put_u8(reply, 0);
    put_text(reply, DEADFALL_VERSION, NAME_BYTES_MAX);
    put_u8(reply, EXTRA_PORT | EXTRA_KEYWORDS);
    put_u16(reply, server->port);
    put_text(reply, keywords, sizeof keywords);
}

static float seconds_played(struct a2s *a2s, const struct world *world, uint32_t slot)
{
    const struct player *player = &world->players[slot];
    if (a2s->generations[slot] != player->generation || a2s->since[slot] > world->tick)
        a2s->since[slot] = world->tick;
    a2s->generations[slot] = player->generation;
    return (float)(world->tick - a2s->since[slot]) / TICKS_PER_SECOND;
}

// Writes as many players as fit. The info answer counts all of them.
static void write_players(struct a2s *a2s, const struct world *world, struct net_reply *reply)
{
    char name[PLAYER_NAME_BYTES + 1];
    put_u8(reply, 'D');
    put_u8(reply, 0);
    for (uint32_t slot = 0; slot < world->player_slots; slot++) {
        const struct player *player = &world->players[slot];
        if (player->state == PLAYER_ABSENT)
            continue;
        float seconds = seconds_played(a2s, world, slot);
        if (reply->byte_count + PLAYER_ROW_BYTES > NET_REPLY_BYTES_MAX)
            continue;
        player_name_to_text(player->name, name);
        put_u8(reply, 0);
        put_text(reply, name, PLAYER_NAME_BYTES);
        put_u32(reply, (uint32_t)player->score);
        put_float(reply, player->flags & PLAYER_BOT ? BOT_SECONDS : seconds);
        reply->bytes[1]++;
    }
}

static void write_rules(const struct match *match, struct net_reply *reply)
{
    const struct rules *rules = &match->world.rules;
    char numbers[3][16], variants[VARIANT_NAMES_BYTES];
    variant_names(rules->variants, variants);
    snprintf(numbers[0], sizeof numbers[0], "%d", rules->score_limit);
    snprintf(numbers[1], sizeof numbers[1], "%u", rules->time_limit_ticks / TICKS_PER_SECOND);
    snprintf(numbers[2], sizeof numbers[2], "%u", PROTOCOL_VERSION);
    const char *const rows[][2] = {{"mode", mode_name((enum mode)rules->mode)},
                                   {"phase", round_state_name(&match->world)},
                                   {"score_limit", numbers[0]},
                                   {"time_limit_s", numbers[1]},
                                   {"variants", variants},
                                   {"protocol", numbers[2]}};
    put_u8(reply, 'E');
    put_u16(reply, sizeof rows / sizeof *rows);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        put_text(reply, rows[i][0], NAME_BYTES_MAX);
        put_text(reply, rows[i][1], NAME_BYTES_MAX);
    }
}

void a2s_write(struct a2s *a2s, const struct a2s_server *server, const struct match *match, struct net_replies *replies)
{
    for (size_t i = 0; i < NET_REPLIES; i++)
        replies->of[i].byte_count = 0;
    write_info(server, match, &replies->of[NET_REPLY_INFO]);
    write_players(a2s, &match->world, &replies->of[NET_REPLY_PLAYERS]);
    write_rules(match, &replies->of[NET_REPLY_RULES]);
}
