// SPDX-License-Identifier: MIT
#include "utf8.h"

#include <stdio.h>
#include <string.h>

size_t utf8_decode(const char *text, size_t byte_count, uint32_t *character)
{
    static const struct {
        uint32_t least;
        uint8_t mask, lead, length;
    } rows[] = {{0, 0x80, 0x00, 1}, {0x80, 0xE0, 0xC0, 2}, {0x800, 0xF0, 0xE0, 3}, {0x10000, 0xF8, 0xF0, 4}};
    const uint8_t *bytes = (const uint8_t *)text;
    for (size_t i = 0; i < sizeof rows / sizeof *rows && byte_count > 0; i++) {
        if ((bytes[0] & rows[i].mask) != rows[i].lead || rows[i].length > byte_count)
            continue;
        uint32_t value = bytes[0] & (uint8_t)~rows[i].mask;
        for (size_t at = 1; at < rows[i].length; at++) {
            if ((bytes[at] & 0xC0) != 0x80)
                return 0;
            value = value << 6 | (bytes[at] & 0x3F);
        }
        bool surrogate = value >= 0xD800 && value <= 0xDFFF;
        if (value < rows[i].least || value > 0x10FFFF || surrogate)
            return 0;
        *character = value;
        return rows[i].length;
    }
    return 0;
}

// Bytes 10xxxxxx continue a character.
static bool goes_on(char byte)
{
    return ((uint8_t)byte & 0xC0) == 0x80;
}

size_t utf8_next(const char *text)
{
    uint32_t character;
    size_t length = utf8_decode(text, strnlen(text, 4), &character);
    return length ? length : *text != 0;
}

size_t utf8_previous(const char *text, size_t at)
{
    while (at > 0 && goes_on(text[--at]))
        ;
    return at;
}

size_t utf8_fit(const char *text, size_t byte_count_max)
{
    size_t count = strnlen(text, byte_count_max);
    while (count > 0 && goes_on(text[count]))
        count--;
    return count;
}

size_t utf8_copy(char *target, size_t target_bytes, const char *text)
{
    size_t count = utf8_fit(text, target_bytes - 1);
    memmove(target, text, count);
    target[count] = 0;
    return count;
}

size_t utf8_length(const char *text)
{
    size_t count = 0;
    for (; *text; text++)
        count += !goes_on(*text);
    return count;
}

static bool is_shown(uint32_t character)
{
    static const struct {
        uint32_t first, last;
    } hidden[] = {
        {0x00, 0x1F},       {0x7F, 0x9F},                            // control
        {0xAD, 0xAD},       {0x34F, 0x34F},      {0x61C, 0x61C},     // soft hyphen, joiners, direction
        {0x115F, 0x1160},   {0x17B4, 0x17B5},    {0x180B, 0x180F},   // fillers and selectors
        {0x200B, 0x200F},   {0x2028, 0x202E},    {0x2060, 0x206F},   // zero width, line ends, direction
        {0x3164, 0x3164},   {0xE000, 0xF8FF},    {0xFDD0, 0xFDEF},   // filler, private use, no characters
        {0xFE00, 0xFE0F},   {0xFEFF, 0xFEFF},    {0xFFA0, 0xFFA0},   // selectors, byte order mark, filler
        {0xFFF0, 0xFFFF},   {0x13430, 0x1345F},  {0x1BCA0, 0x1BCA3}, // specials, control of hieroglyphs and shorthand
        {0x1D173, 0x1D17A}, {0xE0000, 0x10FFFF},                     // control of music; tags, private use
    };
    if (character >= ' ' && character <= '~')
        return true;
    for (size_t i = 0; i < sizeof hidden / sizeof *hidden; i++)
        if (character >= hidden[i].first && character <= hidden[i].last)
            return false;
    return (character & 0xFFFE) != 0xFFFE; // the last two of each plane are no characters
}

static bool is_blank(uint32_t character)
{
    return character == ' ' || character == 0xA0 || character == 0x1680 ||
           (character >= 0x2000 && character <= 0x200A) || character == 0x202F || character == 0x205F ||
           character == 0x2800 || character == 0x3000;
}

bool utf8_is_clean(const char *text, size_t byte_count)
{
    uint32_t character;
    for (size_t at = 0, length; at < byte_count; at += length) {
        length = utf8_decode(text + at, byte_count - at, &character);
        if (length == 0 || !is_shown(character))
            return false;
    }
    return true;
}

size_t utf8_clean(char *clean, size_t clean_bytes, const char *dirty, size_t dirty_bytes)
{
    size_t count = 0;
    bool blank = false;
    for (size_t at = 0, length; at < dirty_bytes && dirty[at]; at += length ? length : 1) {
        uint32_t character;
        length = utf8_decode(dirty + at, dirty_bytes - at, &character);
        if (length == 0 || !is_shown(character))
            continue;
        if (is_blank(character)) {
            blank = count > 0;
            continue;
        }
        if (count + blank + length >= clean_bytes)
            break;
        if (blank)
            clean[count++] = ' ';
        blank = false;
        memmove(clean + count, dirty + at, length);
        count += length;
    }
    clean[count] = '\0';
    return count;
}

size_t utf8_escape(char *target, size_t target_bytes, const char *text)
{
    size_t count = 0;
    for (size_t length; *text; text += length) {
        char escape[16];
        uint32_t character = (uint8_t)*text;
        length = utf8_decode(text, strnlen(text, 4), &character);
        bool shown = length > 0 && is_shown(character);
        if (!shown)
            snprintf(escape, sizeof escape, length < 2 ? "\\x%02x" : "\\u{%x}", (unsigned)character);
        length = length ? length : 1;
        size_t wanted = shown ? length : strlen(escape);
        if (count + wanted >= target_bytes)
            break;
        memcpy(target + count, shown ? text : escape, wanted);
        count += wanted;
    }
    target[count] = '\0';
    return count;
}
