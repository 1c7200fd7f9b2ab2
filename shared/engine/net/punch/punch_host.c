// SPDX-License-Identifier: MIT
#include "punch_host.h"

#include <sodium.h>
#include <string.h>

#include "base/clock.h"
#include "base/little_endian.h"

#define AGAIN_NS_MIN (CLOCK_SECOND_NS / 2) // without an answer, twice as long each time
#define DOUBLINGS    5
#define HOLES        5 // datagrams to a client, of which some come before the client's router is open
#define HOLE_NS      (200 * CLOCK_MS_NS)

static const struct rate_limit_rate EXPECTATIONS = {.per_s = 20, .burst = 60};

void punch_host_init(struct punch_host *host, const char *fingerprint)
{
    *host = (struct punch_host){.count = 0};
    memcpy(host->fingerprint, fingerprint, sizeof host->fingerprint);
    randombytes_buf(host->nonce, sizeof host->nonce);
}

static const struct punch_host_row *row_of(const struct punch_host *host, const struct punch_host_directory *directory)
{
    for (uint32_t i = 0; i < host->count; i++)
        if (net_address_equals(&host->rows[i].directory.address, &directory->address) &&
            memcmp(host->rows[i].directory.key, directory->key, sizeof directory->key) == 0)
            return &host->rows[i];
    return NULL;
}

void punch_host_set(struct punch_host *host, const struct punch_host_directory *directories, uint32_t count,
                    uint64_t now_ns)
{
    struct punch_host before = *host;
    host->count = count;
    for (uint32_t i = 0; i < count; i++) {
        const struct punch_host_row *known = row_of(&before, &directories[i]);
        host->rows[i] = known ? *known : (struct punch_host_row){.directory = directories[i], .due_ns = now_ns};
    }
}

static size_t write_register(struct punch_host *host, const struct punch_host_row *row, uint8_t *bytes)
{
    struct punch_packet packet = {.kind = PUNCH_PACKET_REGISTER, .varies = row->varies};
    memcpy(packet.fingerprint, host->fingerprint, sizeof packet.fingerprint);
    memcpy(packet.nonce, host->nonce, sizeof packet.nonce);
    memcpy(packet.cookie, row->cookie, sizeof packet.cookie);
    size_t byte_count = punch_packet_write(&packet, bytes);
    punch_packet_authenticate(bytes, byte_count, row->directory.key, host->nonce);
    return byte_count;
}

static size_t write_hole(struct punch_host_client *client, uint64_t now_ns, uint8_t *bytes)
{
    struct punch_packet packet = {.kind = PUNCH_PACKET_HOLE};
    memcpy(packet.nonce, client->nonce, sizeof packet.nonce);
    client->left--;
    client->due_ns = now_ns + HOLE_NS;
    return punch_packet_write(&packet, bytes);
}

size_t punch_host_due(struct punch_host *host, uint64_t now_ns, struct net_address *to,
                      uint8_t bytes[PUNCH_PACKET_BYTES_MAX])
{
    for (uint32_t i = 0; i < PUNCH_HOST_CLIENTS_MAX; i++)
        if (host->clients[i].left > 0 && now_ns >= host->clients[i].due_ns) {
            *to = host->clients[i].to;
            return write_hole(&host->clients[i], now_ns, bytes);
        }
    for (uint32_t i = 0; i < host->count; i++) {
        struct punch_host_row *row = &host->rows[i];
        bool is_due = now_ns >= row->due_ns;
        *to = is_due ? row->directory.address : row->second;
        if (is_due) {
            uint64_t wait_ns = AGAIN_NS_MIN << (row->unanswered < DOUBLINGS ? row->unanswered : DOUBLINGS);
            row->due_ns = now_ns + (wait_ns < PUNCH_HOST_PERIOD_NS ? wait_ns : PUNCH_HOST_PERIOD_NS);
            row->unanswered++;
        } else if (!row->asks_second) {
            continue;
        } else {
            row->asks_second = false;
        }
        return write_register(host, row, bytes);
    }
    return 0;
}

static struct punch_host_row *find_row(struct punch_host *host, const struct net_address *from, bool *is_second)
{
    for (uint32_t i = 0; i < host->count; i++) {
        *is_second = net_address_equals(&host->rows[i].second, from);
        if (*is_second || net_address_equals(&host->rows[i].directory.address, from))
            return &host->rows[i];
    }
    return NULL;
}

static void take_answer(struct punch_host_row *row, const struct punch_packet *packet, uint64_t now_ns)
{
    memcpy(row->cookie, packet->cookie, sizeof row->cookie);
    punch_packet_address(packet, &row->seen);
    if (packet->status == PUNCH_PACKET_REGISTERED) {
        row->unanswered = 0;
        row->due_ns = now_ns + PUNCH_HOST_PERIOD_NS;
        row->second = net_address_with_port(&row->directory.address, (uint16_t)little_endian_read(packet->port, 2));
        row->asks_second = true;
    } else if (packet->status == PUNCH_PACKET_CHALLENGE && now_ns >= row->again_ns) {
        row->again_ns = now_ns + CLOCK_SECOND_NS;
        row->due_ns = now_ns;
    }
}

// Only the second port of a directory says where it sees the server from there. A router that has another port for it
// than for the first has one for each destination.
static void take_second(struct punch_host_row *row, const struct punch_packet *packet)
{
    struct net_address seen;
    if (packet->status == PUNCH_PACKET_SEEN && punch_packet_address(packet, &seen))
        row->varies = !net_address_equals(&seen, &row->seen);
}

static struct punch_host_client *find_client(struct punch_host *host)
{
    struct punch_host_client *client = host->clients;
    for (uint32_t i = 0; i < PUNCH_HOST_CLIENTS_MAX; i++)
        if (host->clients[i].left < client->left)
            client = &host->clients[i];
    return client;
}

// A directory elsewhere must not aim at what only this machine reaches.
static bool take_expectation(struct punch_host *host, struct punch_host_row *row, const struct datagram *datagram,
                             const struct punch_packet *packet)
{
    struct net_address to;
    uint64_t number = little_endian_read(packet->number, sizeof packet->number);
    if (!punch_packet_is_authentic(datagram->bytes, datagram->byte_count, row->directory.key, host->nonce) ||
        number <= row->number || !punch_packet_address(packet, &to) ||
        (ip_address_is_loopback(&to) && !ip_address_is_loopback(&row->directory.address)))
        return false;
    row->number = number;
    if (!rate_limit_take(&host->expectations, EXPECTATIONS, datagram->now_ns))
        return false;
    struct punch_host_client *client = find_client(host);
    *client = (struct punch_host_client){.to = to, .left = HOLES, .due_ns = datagram->now_ns};
    memcpy(client->nonce, packet->nonce, sizeof client->nonce);
    host->expected++;
    return true;
}

enum datagram_outcome punch_host_take(struct punch_host *host, const struct datagram *datagram)
{
    struct punch_packet packet;
    bool is_second, good = false;
    struct punch_host_row *row = find_row(host, &datagram->from, &is_second);
    if (!row || !punch_packet_read(&packet, datagram->bytes, datagram->byte_count))
        return DATAGRAM_REJECTED;
    bool is_answer = packet.kind == PUNCH_PACKET_ANSWER && memcmp(packet.nonce, host->nonce, sizeof host->nonce) == 0;
    if (is_answer && is_second)
        take_second(row, &packet);
    else if (is_answer)
        take_answer(row, &packet, datagram->now_ns);
    else if (packet.kind == PUNCH_PACKET_EXPECT && !is_second)
        good = take_expectation(host, row, datagram, &packet);
    host->refused += !good && !is_answer;
    return good || is_answer ? DATAGRAM_CONSUMED : DATAGRAM_REJECTED;
}
