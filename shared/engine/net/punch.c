// SPDX-License-Identifier: MIT
#include "punch.h"

#include <sodium.h>
#include <string.h>

#include "base/clock.h"
#include "base/host_port.h"
#include "base/little_endian.h"
#include "query.h"

#define PURPOSE    "deadfall punch 1"
#define FIELDS_MAX 6
#define FIELD(name)                                                                                                    \
    {                                                                                                                  \
        offsetof(struct punch_packet, name), sizeof((struct punch_packet *)NULL)->name                                 \
    }

// Each kind, in the order of its bytes behind the mark.
static const struct layout {
    uint8_t letter;
    struct field {
        size_t offset, byte_count;
    } fields[FIELDS_MAX]; // up to one without bytes
} LAYOUTS[PUNCH_PACKET_KINDS] = {
    [PUNCH_PACKET_REGISTER] = {'R', {FIELD(fingerprint), FIELD(nonce), FIELD(cookie), FIELD(varies), FIELD(tag)}},
    [PUNCH_PACKET_ASK] = {'Q', {FIELD(fingerprint), FIELD(nonce), FIELD(cookie)}},
    [PUNCH_PACKET_ANSWER] = {'a',
                             {FIELD(nonce), FIELD(cookie), FIELD(status), FIELD(varies), FIELD(place), FIELD(port)}},
    [PUNCH_PACKET_EXPECT] = {'X', {FIELD(number), FIELD(nonce), FIELD(place), FIELD(tag)}},
    [PUNCH_PACKET_HOLE] = {'H', {FIELD(nonce)}},
};

size_t punch_packet_write(const struct punch_packet *packet, uint8_t bytes[PUNCH_PACKET_BYTES_MAX])
{
    const struct layout *layout = &LAYOUTS[packet->kind];
    uint8_t *at = bytes + QUERY_MARK_BYTES;
    memset(bytes, 0xFF, QUERY_MARK_BYTES);
    *at++ = layout->letter;
    for (size_t i = 0; i < FIELDS_MAX; i++) {
        memcpy(at, (const uint8_t *)packet + layout->fields[i].offset, layout->fields[i].byte_count);
        at += layout->fields[i].byte_count;
    }
    return (size_t)(at - bytes);
}

bool punch_packet_read(struct punch_packet *packet, const uint8_t *bytes, size_t byte_count)
{
    if (!query_claims(bytes, byte_count))
        return false;
    size_t kind = 0, expected = QUERY_MARK_BYTES + 1;
    while (kind < PUNCH_PACKET_KINDS && LAYOUTS[kind].letter != bytes[QUERY_MARK_BYTES])
        kind++;
    for (size_t i = 0; kind < PUNCH_PACKET_KINDS && i < FIELDS_MAX; i++)
        expected += LAYOUTS[kind].fields[i].byte_count;
    if (kind == PUNCH_PACKET_KINDS || byte_count != expected)
        return false;
    const uint8_t *at = bytes + QUERY_MARK_BYTES + 1;
    *packet = (struct punch_packet){.kind = (enum punch_packet_kind)kind};
    for (size_t i = 0; i < FIELDS_MAX; i++) {
        memcpy((uint8_t *)packet + LAYOUTS[kind].fields[i].offset, at, LAYOUTS[kind].fields[i].byte_count);
        at += LAYOUTS[kind].fields[i].byte_count;
    }
    return packet->status < PUNCH_PACKET_STATUSES && packet->varies <= 1;
}

bool punch_packet_address(const struct punch_packet *packet, struct net_address *address)
{
    static const uint8_t NONE[16] = {0};
    uint8_t byte_count = packet->place[0];
    bool ipv4 = byte_count == ADDRESS_BYTES_IPV4;
    const uint8_t *bytes = packet->place + 1;
    if ((!ipv4 && byte_count != NET_ADDRESS_PLACE_BYTES - 1) ||
        (bytes[byte_count - 2] == 0 && bytes[byte_count - 1] == 0))
        return false;
    // Not everybody's, and not nobody's.
    if (ipv4 ? bytes[0] == 0 || bytes[0] >= 224 : bytes[0] == 0xFF || memcmp(bytes, NONE, sizeof NONE) == 0)
        return false;
    *address = (struct net_address){.byte_count = ipv4 ? ADDRESS_BYTES_IPV4 : ADDRESS_BYTES_MAX};
    memcpy(address->bytes, bytes, byte_count);
    return true;
}

bool punch_packet_key(const uint8_t secret[32], const uint8_t theirs[32], uint8_t key[PUNCH_PACKET_KEY_BYTES])
{
    uint8_t shared[crypto_scalarmult_BYTES];
    if (crypto_scalarmult(shared, secret, theirs) != 0)
        return false;
    crypto_generichash(key, PUNCH_PACKET_KEY_BYTES, (const uint8_t *)PURPOSE, sizeof PURPOSE - 1, shared,
                       sizeof shared);
    sodium_memzero(shared, sizeof shared);
    return true;
}

static void compute_tag(const uint8_t *bytes, size_t byte_count, const uint8_t *key, const uint8_t *nonce,
                        uint8_t tag[PUNCH_PACKET_TAG_BYTES])
{
    crypto_generichash_state state;
    crypto_generichash_init(&state, key, PUNCH_PACKET_KEY_BYTES, PUNCH_PACKET_TAG_BYTES);
    crypto_generichash_update(&state, nonce, 8);
    crypto_generichash_update(&state, bytes, byte_count - PUNCH_PACKET_TAG_BYTES);
    crypto_generichash_final(&state, tag, PUNCH_PACKET_TAG_BYTES);
}

void punch_packet_authenticate(uint8_t *bytes, size_t byte_count, const uint8_t key[PUNCH_PACKET_KEY_BYTES],
                               const uint8_t nonce[8])
{
    compute_tag(bytes, byte_count, key, nonce, bytes + byte_count - PUNCH_PACKET_TAG_BYTES);
}

bool punch_packet_is_authentic(const uint8_t *bytes, size_t byte_count, const uint8_t key[PUNCH_PACKET_KEY_BYTES],
                               const uint8_t nonce[8])
{
    uint8_t tag[PUNCH_PACKET_TAG_BYTES];
    compute_tag(bytes, byte_count, key, nonce, tag);
    return sodium_memcmp(tag, bytes + byte_count - PUNCH_PACKET_TAG_BYTES, sizeof tag) == 0;
}

// A server's side.

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

void punch_host_set(struct punch_host *host, const struct punch_host_directory *directories, uint32_t count,
                    uint64_t now_ns)
{
    struct punch_host before = *host;
    host->count = count;
    for (uint32_t i = 0; i < count; i++) {
        host->rows[i] = (struct punch_host_row){.directory = directories[i], .due_ns = now_ns};
        for (uint32_t j = before.count; j-- > 0;)
            if (net_address_equals(&before.rows[j].directory.address, &directories[i].address) &&
                memcmp(before.rows[j].directory.key, directories[i].key, sizeof directories[i].key) == 0)
                host->rows[i] = before.rows[j];
    }
}

size_t punch_host_due(struct punch_host *host, uint64_t now_ns, struct net_address *to,
                      uint8_t bytes[PUNCH_PACKET_BYTES_MAX])
{
    for (uint32_t i = 0; i < PUNCH_HOST_CLIENTS_MAX; i++) {
        struct punch_host_client *client = &host->clients[i];
        if (client->left == 0 || now_ns < client->due_ns)
            continue;
        struct punch_packet hole = {.kind = PUNCH_PACKET_HOLE};
        memcpy(hole.nonce, client->nonce, sizeof hole.nonce);
        client->left--;
        client->due_ns = now_ns + HOLE_NS;
        *to = client->to;
        return punch_packet_write(&hole, bytes);
    }
    for (uint32_t i = 0; i < host->count; i++) {
        struct punch_host_row *row = &host->rows[i];
        bool is_due = now_ns >= row->due_ns;
        if (!is_due && !row->asks_second)
            continue;
        *to = is_due ? row->directory.address : row->second;
        if (is_due) {
            uint64_t wait_ns = AGAIN_NS_MIN << (row->unanswered < DOUBLINGS ? row->unanswered : DOUBLINGS);
            row->due_ns = now_ns + (wait_ns < PUNCH_HOST_PERIOD_NS ? wait_ns : PUNCH_HOST_PERIOD_NS);
            row->unanswered++;
        } else {
            row->asks_second = false;
        }
        struct punch_packet here = {.kind = PUNCH_PACKET_REGISTER, .varies = row->varies};
        memcpy(here.fingerprint, host->fingerprint, sizeof here.fingerprint);
        memcpy(here.nonce, host->nonce, sizeof here.nonce);
        memcpy(here.cookie, row->cookie, sizeof here.cookie);
        size_t byte_count = punch_packet_write(&here, bytes);
        punch_packet_authenticate(bytes, byte_count, row->directory.key, host->nonce);
        return byte_count;
    }
    return 0;
}

static void take_registered(struct punch_host_row *row, const struct punch_packet *packet, uint64_t now_ns)
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
    struct punch_host_client *client = host->clients; // the one with the fewest datagrams left
    for (uint32_t i = 0; i < PUNCH_HOST_CLIENTS_MAX; i++)
        if (host->clients[i].left < client->left)
            client = &host->clients[i];
    *client = (struct punch_host_client){.to = to, .left = HOLES, .due_ns = datagram->now_ns};
    memcpy(client->nonce, packet->nonce, sizeof client->nonce);
    host->expected++;
    return true;
}

enum datagram_outcome punch_host_take(struct punch_host *host, const struct datagram *datagram)
{
    struct punch_packet packet;
    struct net_address seen;
    struct punch_host_row *row = NULL;
    bool is_second = false, good = false;
    for (uint32_t i = 0; i < host->count && !row; i++) {
        is_second = net_address_equals(&host->rows[i].second, &datagram->from);
        if (is_second || net_address_equals(&host->rows[i].directory.address, &datagram->from))
            row = &host->rows[i];
    }
    if (!row || !punch_packet_read(&packet, datagram->bytes, datagram->byte_count))
        return DATAGRAM_REJECTED;
    bool is_answer = packet.kind == PUNCH_PACKET_ANSWER && memcmp(packet.nonce, host->nonce, sizeof host->nonce) == 0;
    if (is_answer && !is_second)
        take_registered(row, &packet, datagram->now_ns);
    // Only the second port of a directory says where it sees the server from there. A router that has another port for
    // it than for the first has one for each destination.
    else if (is_answer && packet.status == PUNCH_PACKET_SEEN && punch_packet_address(&packet, &seen))
        row->varies = !net_address_equals(&seen, &row->seen);
    else if (packet.kind == PUNCH_PACKET_EXPECT && !is_second)
        good = take_expectation(host, row, datagram, &packet);
    host->refused += !good && !is_answer;
    return good || is_answer ? DATAGRAM_CONSUMED : DATAGRAM_REJECTED;
}

// A client's side.

#define ASK_NS      (CLOCK_SECOND_NS / 4)
#define ASK_MORE_NS CLOCK_SECOND_NS // once introduced
#define AT_ONCE_NS  (100 * CLOCK_MS_NS)

_Static_assert(sizeof((struct punch_client_route *)NULL)->host == HOST_BYTES, "a host fits");

void punch_client_begin(struct punch_client *client, const struct net_address *directory, const char *fingerprint,
                        uint64_t now_ns)
{
    *client = (struct punch_client){.is_on = true, .directory = *directory, .due_ns = now_ns};
    memcpy(client->fingerprint, fingerprint, sizeof client->fingerprint);
    randombytes_buf(client->nonce, sizeof client->nonce);
}

size_t punch_client_due(struct punch_client *client, uint64_t now_ns, struct net_address *to,
                        uint8_t bytes[PUNCH_PACKET_BYTES_MAX])
{
    struct punch_packet packet = {.kind = PUNCH_PACKET_ASK};
    bool asks_first = now_ns >= client->due_ns;
    if (!client->is_on || client->is_opened || (!asks_first && !client->asks_second))
        return 0;
    *to = asks_first ? client->directory : client->second;
    if (asks_first)
        client->due_ns = now_ns + (client->is_introduced ? ASK_MORE_NS : ASK_NS);
    else
        client->asks_second = false;
    memcpy(packet.fingerprint, client->fingerprint, sizeof packet.fingerprint);
    memcpy(packet.nonce, client->nonce, sizeof packet.nonce);
    memcpy(packet.cookie, client->cookie, sizeof packet.cookie);
    return punch_packet_write(&packet, bytes);
}

// What each status has an address of: the server, if it introduces, and else this client.
static bool take_introduction(struct punch_client *client, const struct punch_packet *packet, uint64_t now_ns,
                              struct net_address *server)
{
    struct net_address address;
    if (!punch_packet_address(packet, &address))
        return false;
    memcpy(client->cookie, packet->cookie, sizeof client->cookie);
    client->is_answered = true;
    client->second = net_address_with_port(&client->directory, (uint16_t)little_endian_read(packet->port, 2));
    if (packet->status == PUNCH_PACKET_CHALLENGE) {
        client->seen = address;
        client->asks_second = true;
        if (now_ns >= client->again_ns)
            client->due_ns = now_ns;
        client->again_ns = now_ns + AT_ONCE_NS;
    }
    if (packet->status != PUNCH_PACKET_INTRODUCED)
        return false;
    client->is_introduced = true;
    client->server_varies = packet->varies;
    client->due_ns = now_ns + ASK_MORE_NS;
    *server = address;
    return !client->is_opened;
}

bool punch_client_take(struct punch_client *client, const struct datagram *datagram, struct net_address *server)
{
    struct punch_packet packet;
    struct net_address seen;
    if (!client->is_on || !punch_packet_read(&packet, datagram->bytes, datagram->byte_count) ||
        memcmp(packet.nonce, client->nonce, sizeof client->nonce) != 0)
        return false;
    if (packet.kind == PUNCH_PACKET_HOLE && !client->is_opened) {
        client->is_opened = true;
        *server = datagram->from; // its router may have another port for us than for the directory
        return true;
    }
    if (packet.kind != PUNCH_PACKET_ANSWER)
        return false;
    if (net_address_equals(&datagram->from, &client->directory))
        return take_introduction(client, &packet, datagram->now_ns, server);
    if (net_address_equals(&datagram->from, &client->second) && packet.status == PUNCH_PACKET_SEEN &&
        punch_packet_address(&packet, &seen))
        client->varies = !net_address_equals(&seen, &client->seen);
    return false;
}

const char *punch_client_failure(const struct punch_client *client)
{
    if (!client->is_on)
        return "";
    if (!client->is_answered)
        return "The directory that could open the way to this server does not answer. Try again later, or ask the host "
               "to open the server's UDP port in their router.";
    if (!client->is_introduced)
        return "The directory knows no such server now: it may have ended. Look at the list again, or ask the host for "
               "a "
               "new invitation.";
    if (client->varies || client->server_varies)
        return "There is no way between your router and the server's, because one of them takes a new port for each "
               "connection. Ask the host to open the server's UDP port in their router, or join from another network.";
    return "There is no way between your router and the server's, although both were asked to open one. Ask the host "
           "to open the server's UDP port in their router, or join from another network.";
}

bool punch_client_read_route(const char *text, struct punch_client_route *route)
{
    struct host_port place;
    size_t key = strcspn(text, ".@"), length = strcspn(text, "@");
    *route = (struct punch_client_route){.port = 0};
    if (key >= sizeof route->fingerprint)
        return false;
    memcpy(route->fingerprint, text, key);
    if (!identity_fingerprint_is_valid(route->fingerprint))
        return false;
    if (key < length) {
        if (length - key > sizeof route->certificate)
            return false;
        memcpy(route->certificate, text + key + 1, length - key - 1);
        if (!webrtc_frame_is_fingerprint(route->certificate))
            return false;
    }
    if (!text[length])
        return true;
    if (!host_port_parse(text + length + 1, SIZE_MAX, &place) || !place.has_port || place.port == 0 ||
        (!place.is_bracketed && strchr(place.host, ':')))
        return false;
    strcpy(route->host, place.host);
    route->port = place.port;
    return true;
}
