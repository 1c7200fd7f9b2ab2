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

// Sixteen glyphs a strip: 0x20 to 0x7F, 0xA0 to 0xBF, then EXTRAS. Row 7 is below the line.
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
    ".#### .###. ..... .##.# #.... .##.. ..... .#.#. ..... ..... #.... ..... .#... .#... .#### ....."
    "#.#.. .#..# ..... #..#. ####. #..#. ..... ..#.. ..#.. ..... #.... ..... .#... .#... #.#.. ....."
    "#.#.. .#..# ..... #.#.# #...# #.#.. ##.#. .#.#. ..... .#### ####. .#... .#.#. .##.. #.#.. .#.#."
    "##### ###.# #.#.. #.#.# #...# #..#. ..#.# ....# ##### #..## #...# .#... .##.. .#... #.### #.#.#"
    "#.#.. .#..# .#... #.#.# ####. #...# .#### .#### ..... #.#.# #...# .#... ##... ##... #.#.. #.###"
    "#.#.. .#..# #.#.. .#..# #.... #.#.# #.#.. #...# ..#.. ##..# ####. .#... .#... .#... #.#.. #.#.."
    "#.### .###. ..... #.##. #.... #.##. .#.## .###. ..... ####. #.... .#... .#### ..#.. .#### .#.##"
    "..... ..... ..... ..... ..... ..... ..... ..... ..... ..... #.... ..... ..... ..... ..... .....",
    // strip 9
    "..... ..... ..... .#... .#... ..... .#.#. .#.#. ..... ..... ..... ..... ..##. ..... ..... ....."
    "..... ..... ..... #.... .#... ..... #.#.. .#.#. ..... ..... ..... ..... .#... ..... ..... ....."
    "..... ..... ..... #.... #.... ..... #.#.. #.#.. ..... ..... ..#.. #.... ###.. ..... ..... ....."
    "..... ####. ##### ..... ..... ..... ..... ..... ..... ##... .#... .#... .#... ..... ..... ....."
    "..... ..... ..... ..... ..... ..... ..... ..... ..... ##... #.... ..#.. ###.. ..... ..... ....."
    "..... ..... ..... ..... ..... .#... ..... ..... .#.#. ..... .#... .#... .#... ..... ..... ....."
    "#.#.# ..... ..... ..... ..... .#... ..... ..... .#.#. ..... ..#.. #.... ..##. ..... ..... ....."
    "..... ..... ..... ..... ..... #.... ..... ..... #.#.. ..... ..... ..... ..... ..... ..... .....",
    // clang-format on
};

// Characters of the last strips in their order.
static const uint16_t EXTRAS[] = {0xC6,   0xD0,   0xD7,   0xD8,   0xDE,   0xDF,   0xE6,   0xF0,   0xF7,   0xF8,
                                  0xFE,   0x131,  0x141,  0x142,  0x152,  0x153,  0x2026, 0x2013, 0x2014, 0x2018,
                                  0x2019, 0x201A, 0x201C, 0x201D, 0x201E, 0x2022, 0x2039, 0x203A, 0x20AC};
#define FIRST_EXTRA (0x60 + 0x20)
#define DOTLESS_I   (FIRST_EXTRA + 11)

// For 0xC0 to 0xFF: the letter below, and the mark on it ('.': the glyph is an extra of its own).
static const char LETTERS[] = "AAAAAA.CEEEEIIII.NOOOOO..UUUUY..aaaaaa.ceeeeiiii.nooooo..uuuuy.y";
static const char MARKS[] = "`'^~:o.,`'^:`'^:.~`'^~:..`'^:'..`'^~:o.,`'^:`'^:.~`'^~:..`'^:'.:";

// The letters of Polish beyond Latin-1, as above.
static const struct {
    uint16_t code;
    char letter, mark;
} POLISH[] = {
    {0x104, 'A', ';'},  {0x105, 'a', ';'},  {0x106, 'C', '\''}, {0x107, 'c', '\''}, {0x118, 'E', ';'},
    {0x119, 'e', ';'},  {0x143, 'N', '\''}, {0x144, 'n', '\''}, {0x15A, 'S', '\''}, {0x15B, 's', '\''},
    {0x179, 'Z', '\''}, {0x17A, 'z', '\''}, {0x17B, 'Z', '!'},  {0x17C, 'z', '!'},
};

struct mark {
    char name;
    int32_t width;
    const char *rows[2];
};

static const struct mark MARK_SHAPES[] = {
    {'`', 2, {"#.", ".#"}},     {'\'', 2, {".#", "#."}}, {'^', 3, {".#.", "#.#"}},
    {'~', 4, {".#.#", "#.#."}}, {':', 3, {"", "#.#"}},   {'o', 2, {"##", "##"}},
    {',', 2, {".#", "##"}},     {';', 2, {"#.", ".#"}},  {'!', 1, {"", "#"}},
};

// A Japanese character: a square of dots that are half as large as those of the other letters. The table is sorted.
struct glyph {
    uint32_t code;
    uint16_t rows[16]; ///< the first dot is the highest bit
};
#include "japanese.h"
#define SQUARE_DOTS 16
#define SQUARE_PX   (SQUARE_DOTS / CANVAS_FINE)

// One character of a text.
struct letter {
    int32_t glyph; ///< of the strips
    const struct mark *mark;
    const struct glyph *square; ///< instead of both; NULL: none
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

static struct letter marked_letter(char letter, char mark)
{
    struct letter marked = {.glyph = letter == 'i' ? DOTLESS_I : letter - 0x20};
    for (uint32_t i = 0; i < sizeof MARK_SHAPES / sizeof *MARK_SHAPES; i++)
        if (MARK_SHAPES[i].name == mark)
            marked.mark = &MARK_SHAPES[i];
    return marked;
}

static const struct glyph *square_of(uint32_t code)
{
    size_t low = 0, high = sizeof JAPANESE / sizeof *JAPANESE;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (JAPANESE[middle].code == code)
            return &JAPANESE[middle];
        if (JAPANESE[middle].code < code)
            low = middle + 1;
        else
            high = middle;
    }
    return NULL;
}

static struct letter letter_of(uint32_t code)
{
    if (code >= 0x20 && code <= 0x7F)
        return (struct letter){.glyph = (int32_t)code - 0x20};
    if (code >= 0xA0 && code <= 0xBF)
        return (struct letter){.glyph = (int32_t)code - 0xA0 + 0x60};
    for (int32_t i = 0; i < (int32_t)(sizeof EXTRAS / sizeof *EXTRAS); i++)
        if (EXTRAS[i] == code)
            return (struct letter){.glyph = FIRST_EXTRA + i};
    if (code >= 0xC0 && code <= 0xFF)
        return marked_letter(LETTERS[code - 0xC0], MARKS[code - 0xC0]);
    for (size_t i = 0; i < sizeof POLISH / sizeof *POLISH; i++)
        if (POLISH[i].code == code)
            return marked_letter(POLISH[i].letter, POLISH[i].mark);
    return (struct letter){.glyph = MISSING - 0x20, .square = square_of(code)};
}

bool font_has(uint32_t character)
{
    struct letter letter = letter_of(character);
    return character != MISSING && (letter.glyph != MISSING - 0x20 || letter.square);
}

// Takes one character; malformed bytes count as one missing character each.
static struct letter next_letter(const char **text)
{
    uint32_t character;
    size_t length = utf8_decode(*text, strnlen(*text, 4), &character);
    *text += length ? length : 1;
    return letter_of(length ? character : MISSING);
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
    int32_t top = mark->name == ',' || mark->name == ';' ? 7 : capital ? -3 : -1;
    int32_t room = glyph_width(glyph) - mark->width, left = mark->name == ';' ? room : (room + 1) / 2;
    for (int32_t row = 0; row < 2; row++)
        for (int32_t i = 0; mark->rows[row][0] && i < mark->width; i++)
            if (mark->rows[row][i] == '#')
                draw_dot(canvas, face, x, y + top + row, left + i, colour);
}

static int32_t advance(enum font_face face, const struct letter *letter)
{
    if (letter->square)
        return face == FONT_LARGE ? SQUARE_PX + 1 : SQUARE_PX;
    int32_t width = glyph_width(letter->glyph);
    if (letter->mark && letter->mark->width > width)
        width = letter->mark->width;
    return stretched(face, width) + 1;
}

int32_t font_width(enum font_face face, const char *text)
{
    int32_t width = 0;
    while (*text) {
        struct letter letter = next_letter(&text);
        width += advance(face, &letter);
    }
    return width ? width - 1 : 0;
}

enum font_face font_that_fits(enum font_face face, const char *text, int32_t width)
{
    return font_width(face, text) <= width ? face : FONT_SMALL;
}

void font_cut(enum font_face face, char *text, int32_t width)
{
    size_t length = strlen(text);
    while (length && font_width(face, text) > width) {
        do
            length = utf8_previous(text, length);
        while (length && strchr(" ,", text[length - 1]));
        strcpy(text + length, FONT_CUT_END);
    }
}

// Draws a square character in a fine picture, where its dots are pixels. `rim`: as a dark shape that is wider by so
// many pixels on each side, which the character is then drawn on.
static void draw_square(struct canvas *canvas, const struct letter *letter, enum font_face face, int32_t x, int32_t y,
                        argb colour, int32_t rim)
{
    canvas_refine(canvas);
    bool by_points = canvas->by_points;
    uint32_t rows[SQUARE_DOTS + 2 * 2] = {0};
    int32_t unit = canvas_unit(canvas);
    for (int32_t row = 0; row < SQUARE_DOTS; row++) {
        uint32_t dots = (uint32_t)letter->square->rows[row] << 8, wide = 0;
        dots |= face == FONT_LARGE ? dots >> 1 : 0;
        for (int32_t i = 0; i <= rim; i++)
            wide |= dots << i | dots >> i;
        for (int32_t i = -rim; i <= rim; i++)
            rows[row + 2 + i] |= wide;
    }
    canvas->by_points = false;
    for (int32_t row = 0; row < (int32_t)(sizeof rows / sizeof *rows); row++)
        for (int32_t bit = 0; bit < 32; bit++)
            if (rows[row] >> bit & 1)
                canvas_dot(canvas, x * unit + 23 - bit, y * unit + row - 3, colour);
    canvas->by_points = by_points;
}

static void draw_letter(struct canvas *canvas, const struct letter *letter, enum font_face face, int32_t x, int32_t y,
                        argb colour)
{
    for (int32_t row = 0; row < CELL_ROWS; row++)
        for (int32_t column = 0; column < CELL_COLUMNS; column++)
            if (glyph_dot(letter->glyph, column, row))
                draw_dot(canvas, face, x, y + row, column, colour);
    if (letter->mark)
        draw_mark(canvas, face, x, y, letter->glyph, colour, letter->mark);
}

void font_draw(struct canvas *canvas, enum font_face face, int32_t x, int32_t y, argb colour, const char *text)
{
    while (*text) {
        struct letter letter = next_letter(&text);
        if (letter.square)
            draw_square(canvas, &letter, face, x, y, colour, 0);
        else
            draw_letter(canvas, &letter, face, x, y, colour);
        x += advance(face, &letter);
    }
}

static void draw_outline(struct canvas *canvas, enum font_face face, int32_t x, int32_t y, const char *text)
{
    while (*text) {
        struct letter letter = next_letter(&text);
        if (letter.square)
            draw_square(canvas, &letter, face, x, y, OUTLINE, CANVAS_FINE);
        for (int32_t i = 0; !letter.square && i < 9; i++)
            draw_letter(canvas, &letter, face, x + i % 3 - 1, y + i / 3 - 1, OUTLINE);
        x += advance(face, &letter);
    }
}

void font_draw_outlined(struct canvas *canvas, enum font_face face, int32_t x, int32_t y, argb colour, const char *text)
{
    draw_outline(canvas, face, x, y, text);
    font_draw(canvas, face, x, y, colour, text);
}

// Draws one dot of a huge letter, `size` points wide, or the rim around it.
static void draw_huge_dot(struct canvas *canvas, int32_t x, int32_t y, int32_t size, int32_t rim, argb colour)
{
    canvas_box(canvas, (struct rect){x - rim, y - rim, size + 2 * rim, size + 2 * rim}, rim ? OUTLINE : colour);
}

void font_draw_huge(struct canvas *canvas, int32_t middle, int32_t y, argb colour, const char *text)
{
    int32_t from = middle - font_width(FONT_SMALL, text) * FONT_HUGE / 2, dot = FONT_HUGE / CANVAS_FINE;
    for (int32_t rim = 2; rim >= 0; rim -= 2) {
        const char *rest = text;
        for (int32_t x = from; *rest;) {
            struct letter letter = next_letter(&rest);
            for (int32_t i = 0; letter.square && i < SQUARE_DOTS * SQUARE_DOTS; i++)
                if (letter.square->rows[i / SQUARE_DOTS] << i % SQUARE_DOTS & 0x8000)
                    draw_huge_dot(canvas, x + i % SQUARE_DOTS * dot, y + (i / SQUARE_DOTS - 1) * dot, dot, rim, colour);
            for (int32_t i = 0; !letter.square && i < CELL_ROWS * CELL_COLUMNS; i++)
                if (glyph_dot(letter.glyph, i % CELL_COLUMNS, i / CELL_COLUMNS))
                    draw_huge_dot(canvas, x + i % CELL_COLUMNS * FONT_HUGE, y + i / CELL_COLUMNS * FONT_HUGE, FONT_HUGE,
                                  rim, colour);
            x += advance(FONT_SMALL, &letter) * FONT_HUGE;
        }
    }
}
