// SPDX-License-Identifier: MIT
#include <string.h>

#include "base/crc32.h"
#include "test.h"

TEST(the_checksum_equals_that_of_zlib)
{
    static const struct {
        const char *text;
        uint32_t checksum;
    } rows[] = {
        /* 0 */ {"", 0},
        /* 1 */ {"123456789", 0xCBF43926},
        /* 2 */ {"IEND", 0xAE426082},
        /* 3 */ {"a", 0xE8B7BE43},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (crc32_of(rows[i].text, strlen(rows[i].text)) != rows[i].checksum)
            fail_msg("row %zu", i);
}
