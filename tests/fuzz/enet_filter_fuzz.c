// SPDX-License-Identifier: MIT
//
// Fuzzes the ENet filter with any bytes. What passes must not pass with one byte more or less, and a connecting command
// must not pass on the other side.
#include <stdlib.h>
#include <string.h>

#include "net/enet_filter.h"

#define SIZE_MAX_HERE 1300

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static uint8_t longer[SIZE_MAX_HERE + 1];
    uint16_t reliable[ENET_FILTER_CHANNELS] = {0, 0xfff0};
    if (size > SIZE_MAX_HERE)
        return 0;
    memcpy(longer, data, size);
    for (int side = ENET_FILTER_OF_CLIENT; side <= ENET_FILTER_OF_SERVER; side++) {
        if (!enet_filter_accepts(data, size, (enum enet_filter_side)side, reliable))
            continue;
        if ((data[0] & 0x40) || enet_filter_accepts(data, size - 1, (enum enet_filter_side)side, reliable) ||
            enet_filter_accepts(longer, size + 1, (enum enet_filter_side)side, reliable))
            abort();
    }
    return 0;
}
