// SPDX-License-Identifier: MIT
//
// Fuzzes the session table of a server with datagrams. The input is a list of them, each after two bytes for its length
// and one for its sender. No answer is longer than its request, and no stranger gets a session.
#include <stdlib.h>
#include <string.h>

#include "net/session_table.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static struct session_table table;

static void give(const uint8_t *bytes, size_t byte_count, uint8_t sender, uint64_t now_ns)
{
    static uint8_t out[DATAGRAM_BYTES_MAX];
    struct datagram datagram = {.now_ns = now_ns, .bytes = bytes, .byte_count = byte_count};
    datagram.from = (struct net_address){{10, 0, 0, sender}, (sender & 1) ? 6 : ADDRESS_BYTES_MAX};
    struct datagram_output output = {.bytes = out};
    switch (session_table_take(&table, &datagram, &output)) {
    case DATAGRAM_REJECTED:
        break;
    case DATAGRAM_ANSWERED:
        if (output.byte_count > byte_count || (out[0] != DATAGRAM_COOKIE && out[0] != DATAGRAM_RESET))
            abort();
        break;
    case DATAGRAM_CONSUMED:
    case DATAGRAM_DELIVERED:
        abort();
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const uint8_t seed[32] = {1};
    uint64_t now_ns = 1;
    if (!table.sessions && !session_table_open(&table, 8, seed, 1))
        return 0;
    while (size >= 3) {
        size_t length = (size_t)data[0] | (size_t)data[1] << 8;
        uint8_t sender = data[2];
        data += 3;
        size -= 3;
        length = length < size ? length : size;
        give(data, length, sender, now_ns += 1000000);
        data += length;
        size -= length;
    }
    return 0;
}
