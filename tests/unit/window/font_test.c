// SPDX-License-Identifier: MIT
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "test.h"
#include "window/font.h"

static struct canvas canvas;

// The picture of a text: 40 columns of rows -3 to 9 around its line.
static void picture_of(enum font_face face, const char *text, char picture[13 * 40 + 1])
{
    memset(&canvas, 0, sizeof canvas);
    font_draw(&canvas, face, 0, 3, RGB(0xFFFFFF), text);
    for (int row = 0; row < 13; row++)
        for (int column = 0; column < 40; column++)
            picture[row * 40 + column] = canvas.pixels[row * CANVAS_WIDTH + column] ? '#' : '.';
    picture[13 * 40] = 0;
}

TEST(every_letter_of_latin_1_looks_different)
{
    static char pictures[256][13 * 40 + 1];
    char missing[13 * 40 + 1];
    picture_of(FONT_SMALL, "\x7F", missing);
    for (int code = 0x21; code <= 0xFF; code++) {
        char text[3] = {(char)code};
        if (code >= 0x80) {
            text[0] = (char)(0xC0 | code >> 6);
            text[1] = (char)(0x80 | (code & 0x3F));
        }
        if (code >= 0x7F && code <= 0xA0)
            continue;
        picture_of(FONT_SMALL, text, pictures[code]);
        assert_non_null(strchr(pictures[code], '#'));
        assert_string_not_equal(pictures[code], missing);
        // Broken and whole bar, hyphen and soft hyphen, point and decimal point differ too; only the box is shared.
        for (int other = 0x21; other < code; other++)
            if (pictures[other][0] && !strcmp(pictures[code], pictures[other]))
                fail_msg("0x%X looks like 0x%X", code, other);
    }
}

TEST(the_letters_of_polish_and_french_have_their_marks)
{
    static const struct {
        const char *letter, *plain;
    } rows[] = {
        /* 1 */ {"Ą", "A"},  /* 2 */ {"ą", "a"},  /* 3 */ {"Ć", "C"},  /* 4 */ {"ć", "c"},  /* 5 */ {"Ę", "E"},
        /* 6 */ {"ę", "e"},  /* 7 */ {"Ł", "L"},  /* 8 */ {"ł", "l"},  /* 9 */ {"Ń", "N"},  /* 10 */ {"ń", "n"},
        /* 11 */ {"Ś", "S"}, /* 12 */ {"ś", "s"}, /* 13 */ {"Ź", "Z"}, /* 14 */ {"ź", "z"}, /* 15 */ {"Ż", "Z"},
        /* 16 */ {"ż", "z"}, /* 17 */ {"Œ", "O"}, /* 18 */ {"œ", "o"},
    };
    static char pictures[18][13 * 40 + 1];
    char plain[13 * 40 + 1], box[13 * 40 + 1];
    picture_of(FONT_SMALL, "\x7F", box);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        picture_of(FONT_SMALL, rows[i].letter, pictures[i]);
        picture_of(FONT_SMALL, rows[i].plain, plain);
        assert_string_not_equal(pictures[i], plain);
        assert_string_not_equal(pictures[i], box);
        for (size_t other = 0; other < i; other++)
            assert_string_not_equal(pictures[i], pictures[other]);
    }
}

TEST(a_japanese_character_makes_the_picture_fine_and_keeps_what_is_on_it)
{
    memset(&canvas, 0, sizeof canvas);
    canvas_dot(&canvas, 100, 50, RGB(0x123456));
    canvas_dot(&canvas, CANVAS_WIDTH - 1, CANVAS_HEIGHT - 1, RGB(0x654321));
    font_draw(&canvas, FONT_SMALL, 200, 50, RGB(0xFFFFFF), "あ");
    assert_true(canvas.fine && canvas.refined && canvas.by_points);
    int32_t columns = canvas_columns(&canvas), count = 0;
    for (int32_t i = 0; i < columns * canvas_rows(&canvas); i++)
        count += canvas.pixels[i] == RGB(0x123456) || canvas.pixels[i] == RGB(0x654321);
    assert_int_equal(count, 2 * CANVAS_FINE * CANVAS_FINE);
    assert_int_equal(canvas.pixels[101 * columns + 201], RGB(0x123456));
    assert_int_equal(canvas_colour(&canvas, CANVAS_WIDTH - 1, CANVAS_HEIGHT - 1), RGB(0x654321));
    assert_int_equal(font_width(FONT_SMALL, "ああ"), 15);
    int32_t dots = 0;
    for (int32_t row = 0; row < canvas_rows(&canvas); row++)
        for (int32_t column = 0; column < columns; column++)
            if (canvas.pixels[row * columns + column] == RGB(0xFFFFFF)) {
                assert_in_range(column, 400, 415);
                assert_in_range(row, 98, 116);
                dots++;
            }
    assert_true(dots > 30 && dots < 128);
}

TEST(other_characters_and_invalid_utf_8_are_drawn_as_a_box)
{
    char box[13 * 40 + 1], found[13 * 40 + 1];
    picture_of(FONT_SMALL, "\x7F", box);
    static const char *const rows[] = {
        /* 1 */ "\xE2\x82\xAB", // the dong
        /* 2 */ "\xF0\x9F\x98\x80",
        /* 3 */ "\xC3", // truncated
        /* 4 */ "\xFF",
        /* 5 */ "\x80",
        /* 6 */ "\xC0", // overlong
        /* 7 */ "\n",
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        picture_of(FONT_SMALL, rows[i], found);
        if (strcmp(found, box))
            fail_msg("row %zu is no box", i + 1);
    }
    picture_of(FONT_SMALL, "\x7F\x7F", box);
    picture_of(FONT_SMALL, "\xC0\xAF", found); // an overlong slash
    assert_string_equal(found, box);
}

TEST(a_text_without_room_ends_in_an_ellipsis)
{
    static const struct {
        const char *text;
        int32_t width;
        const char *cut;
    } rows[] = {
        /* 1 */ {"Ada", 17, "Ada"},
        /* 2 */ {"Ada", 16, "A…"},
        /* 3 */ {"A b", 12, "A…"}, // and none of the blank
        /* 4 */ {"A,b", 12, "A…"},
        /* 5 */ {"Éé", 10, "…"},
        /* 6 */ {"Ada", 0, "…"},
        /* 7 */ {"", 0, ""},
    };
    char box[13 * 40 + 1], ellipsis[13 * 40 + 1];
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[4 + FONT_CUT_BYTES + 1];
        strcpy(text, rows[i].text);
        font_cut(FONT_SMALL, text, rows[i].width);
        if (strcmp(text, rows[i].cut))
            fail_msg("row %zu gives \"%s\"", i + 1, text);
    }
    picture_of(FONT_SMALL, "\x7F", box);
    picture_of(FONT_SMALL, FONT_CUT_END, ellipsis);
    assert_string_not_equal(ellipsis, box);
}

TEST(an_accent_is_above_its_letter_and_replaces_the_dot)
{
    char picture[13 * 40 + 1];
    picture_of(FONT_SMALL, "\xC3\xAE", picture);
    static const char *const rows[] = {".#.", "#.#", "...", ".#.", ".#."};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        assert_memory_equal(picture + (2 + i) * 40, rows[i], 3);
}

TEST(the_width_equals_the_drawn_width)
{
    static const char *const rows[] = {"A", "Deadfall", "il.", "W\xC3\xA9\xC3\xAEq", "\xC3\xAE"};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (int face = FONT_SMALL; face <= FONT_LARGE; face++) {
            int32_t last = -1;
            memset(&canvas, 0, sizeof canvas);
            font_draw(&canvas, (enum font_face)face, 0, 20, RGB(0xFFFFFF), rows[i]);
            for (int32_t place = 0; place < CANVAS_WIDTH * CANVAS_HEIGHT; place++)
                if (canvas.pixels[place] && place % CANVAS_WIDTH > last)
                    last = place % CANVAS_WIDTH;
            assert_int_equal(font_width((enum font_face)face, rows[i]), last + 1);
        }
    assert_int_equal(font_width(FONT_SMALL, ""), 0);
}
