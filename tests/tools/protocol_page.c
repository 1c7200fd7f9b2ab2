// SPDX-License-Identifier: MIT
#include "protocol_page.h"

#include <stdio.h>
#include <string.h>

#include "test.h"

const char *protocol_page(void)
{
    static char page[128 * 1024];
    if (page[0])
        return page;
    FILE *file = fopen(SOURCE_ROOT "/docs/PROTOCOL.md", "rb");
    assert_non_null(file);
    size_t byte_count = fread(page, 1, sizeof page, file);
    assert_int_equal(fclose(file), 0);
    assert_true(byte_count < sizeof page); // else a part of it would be left out
    return page;
}

const char *protocol_page_after(const char *place, const char *text)
{
    const char *found = strstr(place, text);
    if (!found)
        fail_msg("PROTOCOL.md has no '%s' where it should", text);
    return found + strlen(text);
}

size_t protocol_page_hex(const char *digits, uint8_t *bytes, size_t capacity)
{
    static const char DIGITS[] = "0123456789abcdef0123456789ABCDEF";
    size_t count = strspn(digits, DIGITS);
    assert_true(count > 0 && count % 2 == 0 && count / 2 <= capacity);
    for (size_t i = 0; i < count; i++) {
        size_t digit = (size_t)(strchr(DIGITS, digits[i]) - DIGITS) % 16;
        bytes[i / 2] = (uint8_t)(i % 2 ? bytes[i / 2] * 16 + digit : digit);
    }
    return count / 2;
}
