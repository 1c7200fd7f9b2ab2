// SPDX-License-Identifier: MIT
#include "a2s.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/utf8.h"
#include "game/rules/mode.h"
#include "game/rules/round.h"
#include "game/variant.h"
#include "net/udp_socket.h"
#include "sync/player_name.h"

#define PROTOCOL_OF_SOURCE 17
#define EXTRA_PORT         0x80
#define EXTRA_KEYWORDS     0x20
#define NAME_BYTES_MAX     64
#define PLAYER_ROW_BYTES   (1 + PLAYER_NAME_BYTES + 1 + 4 + 4)
#define BOT_SECONDS        (-1.0f) // how gamedig recognises bots

#define INFO_REQUEST    "\xFF\xFF\xFF\xFFTSource Engine Query" // and its final zero
#define MARK_BYTES      4
#define CHALLENGE_BYTES 4
#define TRY_NS          (CLOCK_SECOND_NS / 2)
#define TEXT_BYTES      200

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
        if (a2s->generations[slot] != player->generation || a2s->since[slot] > world->tick)
            a2s->since[slot] = world->tick;
        a2s->generations[slot] = player->generation;
        if (reply->byte_count + PLAYER_ROW_BYTES > NET_REPLY_BYTES_MAX)
            continue;
        player_name_to_text(player->name, name);
        put_u8(reply, 0);
        put_text(reply, name, PLAYER_NAME_BYTES);
        put_u32(reply, (uint32_t)player->score);
        float seconds =
            player->flags & PLAYER_BOT ? BOT_SECONDS : (float)(world->tick - a2s->since[slot]) / TICKS_PER_SECOND;
        uint32_t bits;
        memcpy(&bits, &seconds, sizeof bits);
        put_u32(reply, bits);
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

// Asks until an answer has come, or the time is over. Returns its bytes, or 0.
static size_t ask(struct udp_socket *port, const struct net_address *server, uint8_t bytes[DATAGRAM_BYTES_MAX])
{
    uint8_t request[sizeof INFO_REQUEST + CHALLENGE_BYTES] = INFO_REQUEST;
    size_t request_bytes = sizeof INFO_REQUEST, byte_count;
    uint64_t now_ns = clock_now_ns(), end_ns = now_ns + A2S_HEALTHCHECK_NS, send_ns = now_ns;
    for (; now_ns < end_ns; now_ns = clock_now_ns()) {
        struct net_address from;
        if (now_ns >= send_ns) {
            udp_socket_send(port, now_ns, server, request, request_bytes);
            send_ns = now_ns + TRY_NS;
        }
        byte_count = udp_socket_receive(port, now_ns, &from, bytes);
        if (byte_count == 0) {
            udp_socket_wait(port, send_ns < end_ns ? send_ns : end_ns);
        } else if (byte_count > MARK_BYTES && bytes[MARK_BYTES] == 'I') {
            return byte_count;
        } else if (byte_count == MARK_BYTES + 1 + CHALLENGE_BYTES && bytes[MARK_BYTES] == 'A') {
            send_ns = request_bytes == sizeof request ? send_ns : now_ns; // at once, but not for each of many
            memcpy(request + sizeof INFO_REQUEST, bytes + MARK_BYTES + 1, CHALLENGE_BYTES);
            request_bytes = sizeof request;
        }
    }
    return 0;
}

int a2s_healthcheck(const struct settings *settings)
{
    // A server that listens on all addresses is asked on the loopback.
    const char *address = strcmp(settings->bind, "0.0.0.0") == 0 ? "127.0.0.1"
                          : strcmp(settings->bind, "::") == 0    ? "::1"
                                                                 : settings->bind;
    char name[TEXT_BYTES], map[TEXT_BYTES];
    struct net_address server;
    struct error error;
    struct udp_socket port;
    uint8_t bytes[DATAGRAM_BYTES_MAX];
    if (!udp_socket_connect(&port, address, (uint16_t)settings->port, "", &server, &error)) {
        fprintf(stderr, "deadfall-server: %s\n", error.text);
        return EXIT_FAILED;
    }
    size_t byte_count = ask(&port, &server, bytes);
    udp_socket_close(&port);
    // The name and the map are two texts behind the letter and the protocol.
    const uint8_t *at = bytes + MARK_BYTES + 2, *end = bytes + byte_count;
    const uint8_t *name_end = at < end ? memchr(at, 0, (size_t)(end - at)) : NULL;
    if (name_end && memchr(name_end + 1, 0, (size_t)(end - name_end - 1))) {
        utf8_clean(name, TEXT_BYTES, (const char *)at, (size_t)(name_end - at));
        utf8_clean(map, TEXT_BYTES, (const char *)name_end + 1, (size_t)(end - name_end - 1));
        printf("well: %s plays %s\n", name, map);
        return EXIT_OK;
    }
    fprintf(stderr, "deadfall-server: no server answers at %s:%lld\n", address, (long long)settings->port);
    return EXIT_FAILED;
}
