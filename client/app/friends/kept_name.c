// SPDX-License-Identifier: MIT
#include "kept_name.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "options/options.h"

static bool is_plain(char letter)
{
    return (letter >= '0' && letter <= '9') || (letter >= 'A' && letter <= 'Z') || (letter >= 'a' && letter <= 'z');
}

void kept_name_write(const char *name, char *text)
{
    for (; *name; name++)
        text += is_plain(*name) ? sprintf(text, "%c", *name) : sprintf(text, "%%%02x", (unsigned char)*name);
    *text = 0;
}

void kept_name_read(const char *text, char *name, size_t name_bytes)
{
    char raw[OPTION_TEXT_BYTES], digits[3] = "";
    size_t length = 0;
    for (; *text && length < sizeof raw - 1; text++) {
        if (*text == '%' && text[1] && text[2]) {
            memcpy(digits, text + 1, 2);
            raw[length++] = (char)strtoul(digits, NULL, 16);
            text += 2;
        } else {
            raw[length++] = *text;
        }
    }
    utf8_clean(name, name_bytes, raw, length);
}
