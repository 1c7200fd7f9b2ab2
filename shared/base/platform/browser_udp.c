// SPDX-License-Identifier: MIT
//
// A page has no UDP, but data channels that lose and reorder as UDP does: see browser_udp.js. It cannot wait, so what
// waits here returns at once, and the page calls again with its next frame.
#include "udp.h"

#include <errno.h>
#include <string.h>

#define NUMBER_BYTES(address) ((address)->byte_count == ADDRESS_BYTES_IPV4 ? 6 : 18) ///< the address and the port

int browser_udp_open(void);
void browser_udp_certify(int socket, const char *certificate);
void browser_udp_close(int socket);
int browser_udp_send(int socket, const uint8_t *to, uint32_t address_bytes, const void *bytes, uint32_t byte_count);
int browser_udp_receive(int socket, uint8_t *bytes, uint32_t room, uint8_t *from, uint8_t *address_bytes,
                        double *arrived_ms);

int udp_open(bool is_ipv6, uint32_t *receive_buffer_bytes)
{
    (void)is_ipv6;
    *receive_buffer_bytes = 0;
    return browser_udp_open();
}

bool udp_certify(int socket, const char *certificate)
{
    browser_udp_certify(socket, certificate);
    return *certificate;
}

bool udp_adopt(int socket, uint32_t *receive_buffer_bytes)
{
    (void)socket, (void)receive_buffer_bytes;
    errno = ENOTSUP;
    return false;
}

bool udp_bind(int socket, const struct net_address *address)
{
    (void)socket, (void)address;
    errno = ENOTSUP;
    return false;
}

bool udp_allow_broadcasts(int socket)
{
    (void)socket;
    errno = ENOTSUP;
    return false;
}

bool udp_own_address(int socket, struct net_address *own)
{
    (void)socket, (void)own;
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
    (void)sockets, (void)count, (void)timeout_ns;
}
