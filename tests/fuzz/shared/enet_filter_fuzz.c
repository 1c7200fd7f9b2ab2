// SPDX-License-Identifier: MIT
//
// Fuzzes the ENet filter with any bytes. What passes must not pass with one byte more or less.
#include <stdlib.h>
#include <string.h>

#include "net/enet/enet_filter.h"

#define SIZE_MAX_HERE 1300
#define REFUSED       SIZE_MAX

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static enum enet_filter_sent sent(const void *context, uint8_t channel, uint16_t number)
{
    (void)context;
    return (enum enet_filter_sent)((channel + number) % 3);
}

// Gives the filter so many bytes, zeros after the input. Returns how many are left.
static size_t passes(const uint8_t *data, size_t size, size_t byte_count, enum enet_filter_side side)
{
    uint8_t bytes[SIZE_MAX_HERE + 1] = {0};
    struct enet_filter_peer peer = {.side = side, .received = {0, 0xfff0}, .sent = sent};
    memcpy(bytes, data, size);
    return enet_filter_accepts(&peer, bytes, &byte_count) ? byte_count : REFUSED;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size > SIZE_MAX_HERE)
        return 0;
    for (int side = ENET_FILTER_OF_CLIENT; side <= ENET_FILTER_OF_SERVER; side++) {
        size_t left = passes(data, size, size, (enum enet_filter_side)side);
        if (left == REFUSED)
            continue;
        if ((data[0] & 0x40) || left > size || passes(data, size, size - 1, (enum enet_filter_side)side) != REFUSED ||
            passes(data, size, size + 1, (enum enet_filter_side)side) != REFUSED)
            abort();
    }
    return 0;
}
