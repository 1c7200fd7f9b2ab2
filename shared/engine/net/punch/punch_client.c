// SPDX-License-Identifier: MIT
#include "punch_client.h"

#include <sodium.h>
#include <string.h>

#include "base/clock.h"
#include "base/host_port.h"
#include "base/little_endian.h"

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
static bool take_answer(struct punch_client *client, const struct punch_packet *packet, uint64_t now_ns,
                        struct net_address *server)
{
    struct net_address address;
    bool introduces = packet->status == PUNCH_PACKET_INTRODUCED;
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
    if (!introduces)
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
        return take_answer(client, &packet, datagram->now_ns, server);
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
           "to "
           "open the server's UDP port in their router, or join from another network.";
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
