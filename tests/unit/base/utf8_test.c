// SPDX-License-Identifier: MIT
#include <string.h>

#include "base/utf8.h"
#include "test.h"

#define EURO  "\xE2\x82\xAC"
#define SMILE "\xF0\x9F\x98\x80"

TEST(only_the_shortest_form_of_a_character_is_decoded)
{
    static const struct {
        const char *text;
        size_t bytes, length;
        uint32_t character;
    } rows[] = {
        /* 0 */ {"a", 1, 1, 'a'},
        /* 1 */ {"\xC3\xA4", 2, 2, 0xE4},
        /* 2 */ {EURO, 3, 3, 0x20AC},
        /* 3 */ {SMILE, 4, 4, 0x1F600},
        /* 4 */ {"", 1, 1, 0},
        /* 5 */ {"a", 0, 0, 99},
        /* 6 */ {EURO, 2, 0, 99},                // cut
        /* 7 */ {"\xC0\xAF", 2, 0, 99},          // overlong
        /* 8 */ {"\xE0\x80\x80", 3, 0, 99},      // overlong
        /* 9 */ {"\xED\xA0\x80", 3, 0, 99},      // surrogate
        /* 10 */ {"\xF4\x90\x80\x80", 4, 0, 99}, // beyond U+10FFFF
        /* 11 */ {"\xF4\x8F\xBF\xBF", 4, 4, 0x10FFFF},
        /* 12 */ {"\xBF", 1, 0, 99},
        /* 13 */ {"\xC3(", 2, 0, 99},
        /* 14 */ {"\xFF", 1, 0, 99},
        /* 15 */ {"\x7F", 1, 1, 0x7F},
        /* 16 */ {"\xC2\x80", 2, 2, 0x80},
        /* 17 */ {"\xE0\xA0\x80", 3, 3, 0x800},
        /* 18 */ {"\xF0\x90\x80\x80", 4, 4, 0x10000},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        uint32_t character = 99;
        size_t length = utf8_decode(rows[i].text, rows[i].bytes, &character);
        if (length != rows[i].length || character != rows[i].character)
            fail_msg("row %zu: %zu bytes, %x", i, length, character);
    }
}

TEST(a_cut_never_splits_a_character)
{
    static const struct {
        const char *text;
        size_t most, fits;
    } rows[] = {
        /* 0 */ {"abc", 5, 3},    /* 1 */ {"abc", 3, 3},       /* 2 */ {"abc", 2, 2},
        /* 3 */ {"a" EURO, 4, 4}, /* 4 */ {"a" EURO, 3, 1},    /* 5 */ {"a" EURO, 2, 1},
        /* 6 */ {EURO, 2, 0},     /* 7 */ {SMILE SMILE, 7, 4}, /* 8 */ {"", 0, 0},
        /* 9 */ {"abc", 0, 0},    /* 10 */ {EURO "b", 3, 3},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char target[16];
        size_t fits = utf8_fit(rows[i].text, rows[i].most);
        if (fits != rows[i].fits)
            fail_msg("row %zu: %zu", i, fits);
        memset(target, 'x', sizeof target);
        assert_int_equal(utf8_copy(target, rows[i].most + 1, rows[i].text), fits);
        assert_memory_equal(target, rows[i].text, fits);
        assert_int_equal(target[fits], 0);
        assert_int_equal(target[rows[i].most + 1], 'x');
    }
}

TEST(a_text_can_be_walked_in_both_directions)
{
    static const char text[] = "a" EURO "\xC3\xA4" SMILE "b";
    static const size_t begins[] = {0, 1, 4, 6, 10, 11};
    for (size_t i = 0; i + 1 < sizeof begins / sizeof *begins; i++) {
        assert_int_equal(utf8_next(text + begins[i]), begins[i + 1] - begins[i]);
        assert_int_equal(utf8_previous(text, begins[i + 1]), begins[i]);
    }
    assert_int_equal(utf8_next(""), 0);
    assert_int_equal(utf8_previous(text, 0), 0);
    assert_int_equal(utf8_next("\xE2\x82"), 1); // truncated: one byte at a time
    assert_int_equal(utf8_next("\xFFz"), 1);
    assert_int_equal(utf8_previous("\xBF\xBF", 2), 0);
    assert_int_equal(utf8_length(text), 5);
    assert_int_equal(utf8_length(""), 0);
}

TEST(text_from_strangers_is_cleaned_for_display)
{
    static const struct {
        const char *dirty, *clean;
    } rows[] = {
        /* 0 */ {"Ann", "Ann"},
        /* 1 */ {"  Ann \t  B  ", "Ann B"},
        /* 2 */ {"A\x1B[2JB\x07", "A[2JB"},
        /* 3 */
        {"\xC2\x9B"
         "A\x7F",
         "A"},
        /* 4 */
        {"\xE2\x80\xAE"
         "evil",
         "evil"}, // right to left
        /* 5 */ {"\xE2\x80\x8B\xEF\xBB\xBF", ""},
        /* 6 */ {"A\xFF\xC3(" EURO, "A(" EURO},
        /* 7 */
        {"a\xC2\xA0\xE3\x80\x80"
         "b",
         "a b"},
        /* 8 */ {"\xE2\x82", ""},
        /* 9 */ {"", ""},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[40];
        size_t count = utf8_clean(text, sizeof text, rows[i].dirty, strlen(rows[i].dirty));
        if (strcmp(text, rows[i].clean) != 0 || count != strlen(text))
            fail_msg("row %zu: \"%s\"", i, text);
        strcpy(text, rows[i].dirty); // in place
        utf8_clean(text, sizeof text, text, strlen(text));
        assert_string_equal(text, rows[i].clean);
    }
}

static size_t write_character(char *target, uint32_t character)
{
    if (character < 0x80) {
        target[0] = (char)character;
        return 1;
    }
    size_t length = character < 0x800 ? 2 : character < 0x10000 ? 3 : 4;
    for (size_t i = length; i-- > 1; character >>= 6)
        target[i] = (char)(0x80 | (character & 0x3F));
    target[0] = (char)(uint8_t)(0xF00u >> length | character);
    return length;
}

// Each character between two letters stays, is removed, or becomes a blank.
TEST(every_character_is_kept_removed_or_made_a_blank)
{
    static const struct {
        uint32_t first, last;
        const char *becomes;
    } rows[] = {
        {0x01, 0x1F, ""}, // control
        {' ', ' ', " "},
        {0x7F, 0x9F, ""}, // control
        {0xA0, 0xA0, " "},
        {0xAD, 0xAD, ""}, // no-break space, soft hyphen
        {0x34F, 0x34F, ""},
        {0x61C, 0x61C, ""},    // grapheme joiner, Arabic letter mark
        {0x115F, 0x1160, ""},  // Hangul fillers
        {0x1680, 0x1680, " "}, // Ogham space
        {0x17B4, 0x17B5, ""},  // inherent vowels of Khmer
        {0x180B, 0x180F, ""},  // selectors of Mongolian
        {0x2000, 0x200A, " "}, // spaces of all widths
        {0x200B, 0x200F, ""},  // of no width, and directions
        {0x2028, 0x202E, ""},  // ends of lines, directions
        {0x202F, 0x202F, " "},
        {0x205F, 0x205F, " "},
        {0x2060, 0x206F, ""},    // joiners, directions
        {0x2800, 0x2800, " "},   // Braille without dots
        {0x3000, 0x3000, " "},   // ideographic space
        {0x3164, 0x3164, ""},    // Hangul filler
        {0xD800, 0xDFFF, ""},    // surrogates
        {0xE000, 0xF8FF, ""},    // private use
        {0xFDD0, 0xFDEF, ""},    // no characters
        {0xFE00, 0xFE0F, ""},    // variation selectors
        {0xFEFF, 0xFEFF, ""},    // byte order mark
        {0xFFA0, 0xFFA0, ""},    // Hangul filler
        {0xFFF0, 0xFFFF, ""},    // specials
        {0x13430, 0x1345F, ""},  // control of hieroglyphs
        {0x1BCA0, 0x1BCA3, ""},  // and of shorthand
        {0x1D173, 0x1D17A, ""},  // and of music
        {0xE0000, 0x10FFFF, ""}, // tags, private use
        {0x110000, UINT32_MAX, ""},
    };
    size_t row = 0;
    for (uint32_t character = 1; character < 0x110000; character++) {
        char dirty[8] = "a", clean[8], expected[8] = "a";
        size_t length = write_character(dirty + 1, character);
        dirty[length + 1] = 'b';
        row += character > rows[row].last;
        if ((character & 0xFFFE) == 0xFFFE)
            ; // the last two of each plane are no characters
        else if (character < rows[row].first)
            memcpy(expected + 1, dirty + 1, length);
        else
            strcat(expected, rows[row].becomes);
        strcat(expected, "b");
        utf8_clean(clean, sizeof clean, dirty, length + 2);
        bool kept = strlen(expected) > 2;
        if (strcmp(clean, expected) != 0 || utf8_is_clean(dirty, length + 2) != kept)
            fail_msg("U+%04X: \"%s\"", character, clean);
    }
}

TEST(a_cleaned_text_fits)
{
    static const struct {
        const char *dirty, *clean;
        size_t room, length;
    } rows[] = {
        /* 0 */ {"abc", "ab", 3, 3},
        /* 1 */ {"abc", "", 1, 3},
        /* 2 */ {"ab c", "ab", 4, 4}, // never a blank at the end
        /* 3 */ {"ab c", "ab c", 5, 4},
        /* 4 */ {"a" EURO, "a", 4, 4}, // nor a part of a character
        /* 5 */ {"a" EURO, "a" EURO, 5, 4},
        /* 6 */ {"abcdef", "abc", 7, 3},
        /* 7 */ {"ab\0def", "ab", 7, 6},
        /* 8 */ {"ab" EURO, "ab", 7, 4},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char clean[10] = "xxxxxxxxx";
        assert_int_equal(utf8_clean(clean, rows[i].room, rows[i].dirty, rows[i].length), strlen(rows[i].clean));
        assert_string_equal(clean, rows[i].clean);
        assert_int_equal(clean[rows[i].room], 'x');
    }
}

TEST(what_is_hidden_can_be_printed_as_an_escape)
{
    static const struct {
        const char *text, *escaped;
        size_t room;
    } rows[] = {
        /* 0 */ {"gr\xC3\xBC " EURO, "gr\xC3\xBC " EURO, 99},
        /* 1 */ {"\x1B[2J\n\x7F", "\\x1b[2J\\x0a\\x7f", 99},
        /* 2 */ {"\xC2\x9B\xE2\x80\xAE", "\\u{9b}\\u{202e}", 99},
        /* 3 */ {"\x9B\xC0\xAF\xE2\x80", "\\x9b\\xc0\\xaf\\xe2\\x80", 99}, // no UTF-8
        /* 4 */ {"a\x1B", "a\\x1b", 6},
        /* 5 */ {"a\x1B", "a", 5}, // whole escapes
        /* 6 */ {"a" EURO, "a", 4},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char escaped[100], again[100];
        size_t count = utf8_escape(escaped, rows[i].room, rows[i].text);
        if (strcmp(escaped, rows[i].escaped) != 0 || count != strlen(escaped) || !utf8_is_clean(escaped, count))
            fail_msg("row %zu: \"%s\"", i, escaped);
        utf8_escape(again, sizeof again, escaped);
        assert_string_equal(again, escaped);
    }
}
