// SPDX-License-Identifier: MIT
//
// A page has no UDP, but data channels that lose and reorder as UDP does: see udp.js. To programs beside it
// datagrams are messages, and these have one socket that others can send to (worker.js). It cannot wait, so
// what waits here returns at once, and the loop goes on with the next frame, or when something has come.
#include "../udp.h"

#include <errno.h>
#include <string.h>

#define MS_NS                 1e6
#define NUMBER_BYTES(address) ((address)->byte_count == ADDRESS_BYTES_IPV4 ? 6 : 18) ///< the address and the port

int browser_udp_open(void);
void browser_udp_certify(int socket, const char *certificate);
int browser_udp_is_near(const uint8_t *to, uint32_t address_bytes);
int browser_udp_is_opening(int socket);
int browser_udp_bind(int socket, int port);
void browser_udp_close(int socket);
void browser_listen(double timeout_ms);
int browser_udp_send(int socket, const uint8_t *to, uint32_t address_bytes, const void *bytes, uint32_t byte_count);
int browser_udp_receive(int socket, uint8_t *bytes, uint32_t room, uint8_t *from, uint8_t *address_bytes,
                        double *arrived_ms);

int udp_open(bool is_ipv6, uint32_t *receive_buffer_bytes)
{
    (void)is_ipv6;
    *receive_buffer_bytes = 0;
    return browser_udp_open();
}

bool udp_certify(int socket, const struct net_address *peer, const char *certificate)
{
    browser_udp_certify(socket, certificate);
    return *certificate || browser_udp_is_near(peer->bytes, NUMBER_BYTES(peer));
}

bool udp_is_opening(int socket)
{
    return browser_udp_is_opening(socket);
}

bool udp_adopt(int socket, uint32_t *receive_buffer_bytes)
{
    (void)socket, (void)receive_buffer_bytes;
    errno = ENOTSUP;
    return false;
}

bool udp_is_of_page(void)
{
    return true;
}

static struct net_address bound; // of the one socket of a program beside the page

bool udp_bind(int socket, const struct net_address *address)
{
    const uint8_t *asked = address->bytes + NUMBER_BYTES(address) - 2;
    int port = browser_udp_bind(socket, asked[0] << 8 | asked[1]);
    bound = *address;
    bound.bytes[NUMBER_BYTES(address) - 2] = (uint8_t)(port >> 8);
    bound.bytes[NUMBER_BYTES(address) - 1] = (uint8_t)port;
    errno = ENOTSUP;
    return port;
}

bool udp_allow_broadcasts(int socket)
{
    (void)socket;
    errno = ENOTSUP;
    return false;
}

bool udp_own_address(int socket, struct net_address *own)
{
    (void)socket;
    *own = bound;
    return bound.byte_count;
}

bool udp_connect(int socket, const struct net_address *peer)
{
    (void)socket, (void)peer;
    return false;
}

bool udp_find_router(struct net_address *router)
{
    (void)router;
    return false;
}

bool udp_find_route(const struct net_address *to, struct net_address *own)
{
    (void)to, (void)own;
    return false;
}

void udp_close(int socket)
{
    browser_udp_close(socket);
}

int udp_receive_many(int socket, struct udp_datagram *datagrams, unsigned capacity, uint32_t room)
{
    unsigned count = 0;
    for (; count < capacity; count++) {
        struct udp_datagram *datagram = &datagrams[count];
        uint8_t address_bytes;
        double arrived_ms;
        memset(&datagram->address, 0, sizeof datagram->address);
        int byte_count =
            browser_udp_receive(socket, datagram->bytes, room, datagram->address.bytes, &address_bytes, &arrived_ms);
        if (byte_count < 0)
            break;
        datagram->byte_count = (uint32_t)byte_count;
        datagram->address.byte_count = address_bytes == 6 ? ADDRESS_BYTES_IPV4 : ADDRESS_BYTES_MAX;
        datagram->arrived_unix_ns = (uint64_t)arrived_ms * 1000000;
    }
    errno = EAGAIN;
    return count > 0 ? (int)count : -1;
}

bool udp_send(int socket, const struct net_address *to, const void *bytes, size_t byte_count)
{
    return browser_udp_send(socket, to->bytes, NUMBER_BYTES(to), bytes, (uint32_t)byte_count);
}

unsigned udp_send_many(int socket, const struct udp_datagram *datagrams, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        if (!udp_send(socket, &datagrams[i].address, datagrams[i].bytes, datagrams[i].byte_count))
            return i;
    return count;
}

void udp_wait(const int *sockets, unsigned count, uint64_t timeout_ns)
{
    (void)sockets, (void)count;
    browser_listen((double)timeout_ns / MS_NS);
}
