// SPDX-License-Identifier: MIT
#include "font.h"

#include <stdbool.h>
#include <string.h>

#include "base/utf8.h"

#define CELL_ROWS     8
#define CELL_COLUMNS  5
#define STRIP_GLYPHS  16
#define STRIP_COLUMNS (STRIP_GLYPHS * (CELL_COLUMNS + 1) - 1)
#define MISSING       0x7F
#define OUTLINE       RGB(0x14121C)

// Sixteen glyphs a strip: 0x20 to 0x7F, 0xA0 to 0xBF, then the letters of EXTRAS. Row 7 is below the line.
static const char STRIPS[][CELL_ROWS * STRIP_COLUMNS + 1] = {
    // clang-format off
    // strip 0
    "..... #.... #.#.. .#.#. ..#.. ##..# .##.. #.... .#... #.... ..... ..... ..... ..... ..... ....#"
    "..... #.... #.#.. .#.#. .#### ##..# #..#. #.... #.... .#... #.#.# ..#.. ..... ..... ..... ...#."
    "..... #.... #.#.. ##### #.#.. ...#. #.#.. #.... #.... .#... .###. ..#.. ..... ..... ..... ...#."
    "..... #.... ..... .#.#. .###. ..#.. .#... ..... #.... .#... ##### ##### ..... ####. ..... ..#.."
    "..... #.... ..... ##### ..#.# .#... #.#.# ..... #.... .#... .###. ..#.. ..... ..... ..... .#..."
    "..... ..... ..... .#.#. ####. #..## #..#. ..... #.... .#... #.#.# ..#.. .#... ..... ..... .#..."
    "..... #.... ..... .#.#. ..#.. #..## .##.# ..... .#... #.... ..... ..... .#... ..... #.... #...."
    "..... ..... ..... ..... ..... ..... ..... ..... ..... ..... ..... ..... #.... ..... ..... .....",
    // strip 1
    ".###. .#... .###. ##### ...#. ##### ..##. ##### .###. .###. ..... ..... ...#. ..... #.... .###."
    "#...# ##... #...# ...#. ..##. #.... .#... ....# #...# #...# ..... ..... ..#.. ..... .#... #...#"
    "#..## .#... ....# ..#.. .#.#. ####. #.... ...#. #...# #...# #.... .#... .#... ####. ..#.. ....#"
    "#.#.# .#... ...#. ...#. #..#. ....# ####. ..#.. .###. .#### ..... ..... #.... ..... ...#. ...#."
    "##..# .#... ..#.. ....# ##### ....# #...# .#... #...# ....# ..... ..... .#... ####. ..#.. ..#.."
    "#...# .#... .#... #...# ...#. #...# #...# .#... #...# ...#. #.... .#... ..#.. ..... .#... ....."
    ".###. ###.. ##### .###. ...#. .###. .###. .#... .###. .##.. ..... .#... ...#. ..... #.... ..#.."
    "..... ..... ..... ..... ..... ..... ..... ..... ..... ..... ..... #.... ..... ..... ..... .....",
    // strip 2
    ".###. .###. ####. .###. ###.. ##### ##### .###. #...# ###.. ..### #...# #.... #...# #...# .###."
    "#...# #...# #...# #...# #..#. #.... #.... #...# #...# .#... ...#. #..#. #.... ##.## #...# #...#"
    "#.### #...# #...# #.... #...# #.... #.... #.... #...# .#... ...#. #.#.. #.... #.#.# ##..# #...#"
    "#.#.# ##### ####. #.... #...# ####. ####. #.### ##### .#... ...#. ##... #.... #.#.# #.#.# #...#"
    "#.##. #...# #...# #.... #...# #.... #.... #...# #...# .#... ...#. #.#.. #.... #...# #..## #...#"
    "#.... #...# #...# #...# #..#. #.... #.... #...# #...# .#... #..#. #..#. #.... #...# #...# #...#"
    ".#### #...# ####. .###. ###.. ##### #.... .#### #...# ###.. .##.. #...# ##### #...# #...# .###."
    "..... ..... ..... ..... ..... ..... ..... ..... ..... ..... ..... ..... ..... ..... ..... .....",
    // strip 3
    "####. .###. ####. .#### ##### #...# #...# #...# #...# #...# ##### ##... #.... ##... ..#.. ....."
    "#...# #...# #...# #.... ..#.. #...# #...# #...# #...# #...# ....# #.... .#... .#... .#.#. ....."
    "#...# #...# #...# #.... ..#.. #...# #...# #...# .#.#. #...# ...#. #.... .#... .#... #...# ....."
    "####. #...# ####. .###. ..#.. #...# #...# #.#.# ..#.. .#.#. ..#.. #.... ..#.. .#... ..... ....."
    "#.... #.#.# #.#.. ....# ..#.. #...# #...# #.#.# .#.#. ..#.. .#... #.... ...#. .#... ..... ....."
    "#.... #..#. #..#. ....# ..#.. #...# .#.#. #.#.# #...# ..#.. #.... #.... ...#. .#... ..... ....."
    "#.... .##.# #...# ####. ..#.. .###. ..#.. .#.#. #...# ..#.. ##### ##... ....# ##... ..... #####"
    "..... ..... ..... ..... ..... ..... ..... ..... ..... ..... ..... ..... ..... ..... ..... .....",
    // strip 4
    "#.... ..... #.... ..... ....# ..... ..##. ..... #.... #.... ..#.. #.... #.... ..... ..... ....."
    ".#... ..... #.... ..... ....# ..... .#... ..... #.... ..... ..... #.... #.... ..... ..... ....."
    "..... .###. #.##. .###. .##.# .###. ####. .#### #.##. #.... ..#.. #..#. #.... ##.#. #.##. .###."
    "..... ....# ##..# #.... #..## #...# .#... #...# ##..# #.... ..#.. #.#.. #.... #.#.# ##..# #...#"
    "..... .#### #...# #.... #...# ##### .#... #...# #...# #.... ..#.. ##... #.... #.#.# #...# #...#"
    "..... #...# #...# #.... #...# #.... .#... .#### #...# #.... ..#.. #.#.. #.... #.#.# #...# #...#"
    "..... .#### ####. .###. .#### .###. .#... ....# #...# #.... #.#.. #..#. .#... #.#.# #...# .###."
    "..... ..... ..... ..... ..... ..... ..... .###. ..... ..... .#... ..... ..... ..... ..... .....",
    // strip 5
    "..... ..... ..... ..... .#... ..... ..... ..... ..... ..... ..... ..#.. #.... #.... ..... ####."
    "..... ..... ..... ..... .#... ..... ..... ..... ..... ..... ..... .#... #.... .#... ..... #..#."
    "####. .#### #.##. .#### ####. #...# #...# #...# #...# #...# ##### .#... #.... .#... ..... #..#."
    "#...# #...# ##... #.... .#... #...# #...# #...# .#.#. #...# ...#. #.... #.... ..#.. .#..# #..#."
    "#...# #...# #.... .###. .#... #...# #...# #.#.# ..#.. #...# ..#.. .#... #.... .#... #.##. #..#."
    "####. .#### #.... ....# .#... #..## .#.#. #.#.# .#.#. .#### .#... .#... #.... .#... ..... #..#."
    "#.... ....# #.... ####. ..##. .##.# ..#.. .#.#. #...# ....# ##### ..#.. #.... #.... ..... ####."
    "#.... ....# ..... ..... ..... ..... ..... ..... ..... .###. ..... ..... ..... ..... ..... .....",
    // strip 6
    "..... ..... ..#.. ..##. ..... #...# #.... .###. #.#.. .###. .##.. ..... ..... ..... .###. ####."
    "..... #.... .###. .#..# #...# .#.#. #.... #.... ..... #...# #.#.. ..... ..... ..... #.#.# ....."
    "..... ..... #.#.. .#... .###. ##### #.... .##.. ..... #.### .##.. ..#.# ..... ..... ##.## ....."
    "..... #.... #.#.. ###.. .#.#. ..#.. ..... #..#. ..... #.#.# ..... .#.#. ####. ###.. #.#.# ....."
    "..... #.... #.#.. .#... .###. ##### #.... .##.. ..... #.### ###.. #.#.. ...#. ..... ##.## ....."
    "..... #.... .###. .#... #...# ..#.. #.... ...#. ..... #...# ..... .#.#. ..... ..... #.#.# ....."
    "..... #.... ..#.. ##### ..... ..#.. #.... ###.. ..... .###. ..... ..#.# ..... ..... .###. ....."
    "..... #.... ..... ..... ..... ..... ..... ..... ..... ..... ..... ..... ..... ..... ..... .....",
    // strip 7
    ".#... ..... ##... ##... .#... ..... .#### ..... ..... .#... .#... ..... #...# #...# ##..# ..#.."
    "#.#.. ..#.. ..#.. .##.. #.... ..... #.#.# ..... ..... ##... #.#.. ..... #..#. #..#. .#.#. ....."
    ".#... ..#.. .#... ..#.. ..... #...# #.#.# ..... ..... .#... .#... #.#.. #.#.. #.#.. #.#.. ..#.."
    "..... ##### ###.. ##... ..... #...# .##.# #.... ..... .#... ..... .#.#. .#.#. .#.#. .#.#. .#..."
    "..... ..#.. ..... ..... ..... #..## ..#.# ..... ..... ..... ###.. ..#.# #.##. #...# #.##. #...."
    "..... ..#.. ..... ..... ..... ###.# ..#.# ..... ..... ..... ..... .#.#. ..### ...#. ..### #...#"
    "..... ##### ..... ..... ..... #.... ..#.# ..... .#... ..... ..... #.#.. ...#. ..### ...#. .###."
    "..... ..... ..... ..... ..... #.... ..... ..... ##... ..... ..... ..... ..... ..... ..... .....",
    // strip 8
    ".#### .###. ..... .##.# #.... .##.. ..... .#.#. ..... ..... #.... ..... ..... ..... ..... ....."
    "#.#.. .#..# ..... #..#. ####. #..#. ..... ..#.. ..#.. ..... #.... ..... ..... ..... ..... ....."
    "#.#.. .#..# ..... #.#.# #...# #.#.. ##.#. .#.#. ..... .#### ####. .#... ..... ..... ..... ....."
    "##### ###.# #.#.. #.#.# #...# #..#. ..#.# ....# ##### #..## #...# .#... ..... ..... ..... ....."
    "#.#.. .#..# .#... #.#.# ####. #...# .#### .#### ..... #.#.# #...# .#... ..... ..... ..... ....."
    "#.#.. .#..# #.#.. .#..# #.... #.#.# #.#.. #...# ..#.. ##..# ####. .#... ..... ..... ..... ....."
    "#.### .###. ..... #.##. #.... #.##. .#.## .###. ..... ####. #.... .#... ..... ..... ..... ....."
    "..... ..... ..... ..... ..... ..... ..... ..... ..... ..... #.... ..... ..... ..... ..... .....",
    // clang-format on
};

// Glyphs of the last strip in their order, and the place of the dotless i after them.
static const uint8_t EXTRAS[] = {0xC6, 0xD0, 0xD7, 0xD8, 0xDE, 0xDF, 0xE6, 0xF0, 0xF7, 0xF8, 0xFE};
#define FIRST_EXTRA (0x60 + 0x20)
#define DOTLESS_I   (FIRST_EXTRA + (int32_t)sizeof EXTRAS)

// For 0xC0 to 0xFF: the letter below, and the mark on it ('.': the glyph is an extra of its own).
static const char LETTERS[] = "AAAAAA.CEEEEIIII.NOOOOO..UUUUY..aaaaaa.ceeeeiiii.nooooo..uuuuy.y";
static const char MARKS[] = "`'^~:o.,`'^:`'^:.~`'^~:..`'^:'..`'^~:o.,`'^:`'^:.~`'^~:..`'^:'.:";

struct mark {
    char name;
    int32_t width;
    const char *rows[2];
};

static const struct mark MARK_SHAPES[] = {
    {'`', 2, {"#.", ".#"}}, {'\'', 2, {".#", "#."}}, {'^', 3, {".#.", "#.#"}}, {'~', 4, {".#.#", "#.#."}},
    {':', 3, {"", "#.#"}},  {'o', 2, {"##", "##"}},  {',', 2, {".#", "##"}},
};

static bool glyph_dot(int32_t glyph, int32_t column, int32_t row)
{
    int32_t in_strip = glyph % STRIP_GLYPHS * (CELL_COLUMNS + 1) + column;
    return STRIPS[glyph / STRIP_GLYPHS][row * STRIP_COLUMNS + in_strip] == '#';
}

static int32_t glyph_width(int32_t glyph)
{
    for (int32_t column = CELL_COLUMNS - 1; column >= 0; column--)
        for (int32_t row = 0; row < CELL_ROWS; row++)
            if (glyph_dot(glyph, column, row))
                return column + 1;
    return 2;
}

static int32_t glyph_of(uint32_t code, const struct mark **mark)
{
    *mark = 0;
    if (code >= 0x20 && code <= 0x7F)
        return (int32_t)code - 0x20;
    if (code >= 0xA0 && code <= 0xBF)
        return (int32_t)code - 0xA0 + 0x60;
    for (int32_t i = 0; i < (int32_t)sizeof EXTRAS; i++)
        if (EXTRAS[i] == code)
            return FIRST_EXTRA + i;
    if (code < 0xC0 || code > 0xFF)
        return MISSING - 0x20;
    for (uint32_t i = 0; i < sizeof MARK_SHAPES / sizeof *MARK_SHAPES; i++)
        if (MARK_SHAPES[i].name == MARKS[code - 0xC0])
            *mark = &MARK_SHAPES[i];
    char letter = LETTERS[code - 0xC0];
    return letter == 'i' ? DOTLESS_I : letter - 0x20;
}

// Takes one character; malformed bytes count as one missing character each.
static int32_t next_glyph(const char **text, const struct mark **mark)
{
    uint32_t character;
    size_t length = utf8_decode(*text, strnlen(*text, 4), &character);
    *text += length ? length : 1;
    return glyph_of(length ? character : MISSING, mark);
}

// The large face doubles columns 0, 2 and 4, where the stems are.
static int32_t stretched(enum font_face face, int32_t column)
{
    static const int32_t LARGE[CELL_COLUMNS + 1] = {0, 2, 3, 5, 6, 8};
    return face == FONT_LARGE ? LARGE[column] : column;
}

static void draw_dot(struct canvas *canvas, enum font_face face, int32_t x, int32_t y, int32_t column, argb colour)
{
    for (int32_t i = stretched(face, column); i < stretched(face, column + 1); i++)
        canvas_dot(canvas, x + i, y, colour);
}

static void draw_mark(struct canvas *canvas, enum font_face face, int32_t x, int32_t y, int32_t glyph, argb colour,
                      const struct mark *mark)
{
    bool capital = glyph <= 'Z' - 0x20;
    int32_t top = mark->name == ',' ? 7 : capital ? -3 : -1;
    int32_t left = (glyph_width(glyph) - mark->width + 1) / 2;
    for (int32_t row = 0; row < 2; row++)
        for (int32_t i = 0; mark->rows[row][0] && i < mark->width; i++)
            if (mark->rows[row][i] == '#')
                draw_dot(canvas, face, x, y + top + row, left + i, colour);
}

static int32_t advance(enum font_face face, int32_t glyph, const struct mark *mark)
{
    int32_t width = glyph_width(glyph);
    if (mark && mark->width > width)
        width = mark->width;
    return stretched(face, width) + 1;
}

int32_t font_width(enum font_face face, const char *text)
{
    int32_t width = 0;
    const struct mark *mark;
    while (*text) {
        int32_t glyph = next_glyph(&text, &mark);
        width += advance(face, glyph, mark);
    }
    return width ? width - 1 : 0;
}

void font_draw(struct canvas *canvas, enum font_face face, int32_t x, int32_t y, argb colour, const char *text)
{
    const struct mark *mark;
    while (*text) {
        int32_t glyph = next_glyph(&text, &mark);
        for (int32_t row = 0; row < CELL_ROWS; row++)
            for (int32_t column = 0; column < CELL_COLUMNS; column++)
                if (glyph_dot(glyph, column, row))
                    draw_dot(canvas, face, x, y + row, column, colour);
        if (mark)
            draw_mark(canvas, face, x, y, glyph, colour, mark);
        x += advance(face, glyph, mark);
    }
}

void font_draw_outlined(struct canvas *canvas, enum font_face face, int32_t x, int32_t y, argb colour, const char *text)
{
    for (int32_t dy = -1; dy <= 1; dy++)
        for (int32_t dx = -1; dx <= 1; dx++)
            if (dx || dy)
                font_draw(canvas, face, x + dx, y + dy, OUTLINE, text);
    font_draw(canvas, face, x, y, colour, text);
}

void font_draw_huge(struct canvas *canvas, int32_t middle, int32_t y, argb colour, const char *text)
{
    const struct mark *mark;
    int32_t from = middle - font_width(FONT_SMALL, text) * FONT_HUGE / 2;
    for (int32_t pass = 0; pass < 2; pass++) {
        int32_t rim = pass ? 0 : 2;
        const char *rest = text;
        for (int32_t x = from; *rest;) {
            int32_t glyph = next_glyph(&rest, &mark);
            for (int32_t row = 0; row < CELL_ROWS; row++)
                for (int32_t column = 0; column < CELL_COLUMNS; column++)
                    if (glyph_dot(glyph, column, row))
                        canvas_box(canvas,
                                   (struct rect){x + column * FONT_HUGE - rim, y + row * FONT_HUGE - rim,
                                                 FONT_HUGE + 2 * rim, FONT_HUGE + 2 * rim},
                                   pass ? colour : OUTLINE);
            x += advance(FONT_SMALL, glyph, mark) * FONT_HUGE;
        }
    }
}
