// SPDX-License-Identifier: MIT
#include "sprites.h"

#include <stdbool.h>

#define LETTERS    8
#define COLUMNS    7
#define ROWS       9
#define DOT        4  ///< px of a dot of the letters below
#define ADVANCE    33 ///< px from letter to letter
#define BEAM       10 ///< px of the beam's height
#define DROP       9  ///< px from the beam to a letter at rest
#define FALL_TICKS 18u
#define NEXT_TICKS 7u ///< from one letter's fall to the next

#define IRON_LIT  RGB(0xF4D9A0)
#define IRON_TOP  RGB(0xD89A4C)
#define IRON_LOW  RGB(0x8E4A34)
#define IRON_DEEP RGB(0x3A1A2A)
#define OUTLINE   RGB(0x120C18)
#define STEEL     RGB(0x3C4860)
#define STEEL_LIT RGB(0x8FA6BE)
#define HAZARD    RGB(0xF0B030)
#define CHAIN     RGB(0x6A7690)

// clang-format off
static const char *const SHAPES[LETTERS] = {
    "######." "#######" "##...##" "##...##" "##...##" "##...##" "##...##" "#######" "######.",
    "#######" "#######" "##....." "#####.." "#####.." "##....." "##....." "#######" "#######",
    "..###.." ".#####." "##...##" "##...##" "#######" "#######" "##...##" "##...##" "##...##",
    "######." "#######" "##...##" "##...##" "##...##" "##...##" "##...##" "#######" "######.",
    "#######" "#######" "##....." "#####.." "#####.." "##....." "##....." "##....." "##.....",
    "..###.." ".#####." "##...##" "##...##" "#######" "#######" "##...##" "##...##" "##...##",
    "##....." "##....." "##....." "##....." "##....." "##....." "##....." "#######" "#######",
    "##....." "##....." "##....." "##....." "##....." "##....." "##....." "#######" "#######",
};
// clang-format on

static bool has(uint32_t letter, int32_t column, int32_t row)
{
    return column >= 0 && column < COLUMNS && row >= 0 && row < ROWS && SHAPES[letter][row * COLUMNS + column] == '#';
}

// Returns how far a letter is above its place of rest, px: it accelerates and bounces once.
static int32_t height_of(uint32_t letter, uint32_t tick)
{
    uint32_t start = letter * NEXT_TICKS;
    int32_t age = tick < start ? 0 : (int32_t)(tick - start), fall = (int32_t)FALL_TICKS;
    if (age < fall)
        return 90 - 90 * age * age / (fall * fall);
    age -= fall;
    return age < 10 ? age * (10 - age) / 5 : 0;
}

static void draw_dot(struct canvas *canvas, uint32_t letter, int32_t column, int32_t row, int32_t x, int32_t y)
{
    for (int32_t dy = 0; dy < DOT; dy++)
        for (int32_t dx = 0; dx < DOT; dx++) {
            int32_t part = ((row * DOT + dy) * 16 + canvas_dither(dx, dy) * 4) * 256 / (ROWS * DOT * 16);
            canvas_dot(canvas, x + dx, y + dy, canvas_mix(IRON_TOP, IRON_LOW, part / 32 * 32));
        }
    if (!has(letter, column, row - 1))
        canvas_box(canvas, (struct rect){x, y, DOT, 1}, IRON_LIT);
    if (!has(letter, column - 1, row))
        canvas_box(canvas, (struct rect){x, y, 1, DOT}, canvas_mix(IRON_LIT, IRON_TOP, 150));
    if (!has(letter, column, row + 1))
        canvas_box(canvas, (struct rect){x, y + DOT - 1, DOT, 1}, IRON_DEEP);
    if (!has(letter, column + 1, row))
        canvas_box(canvas, (struct rect){x + DOT - 1, y, 1, DOT}, canvas_mix(IRON_DEEP, IRON_LOW, 110));
}

static void draw_letter(struct canvas *canvas, uint32_t letter, int32_t x, int32_t y)
{
    for (int32_t pass = 0; pass < 2; pass++)
        for (int32_t row = 0; row < ROWS; row++)
            for (int32_t column = 0; column < COLUMNS; column++) {
                int32_t dot_x = x + column * DOT, dot_y = y + row * DOT;
                if (has(letter, column, row) && pass == 0)
                    canvas_box(canvas, (struct rect){dot_x - 2, dot_y - 2, DOT + 4, DOT + 6}, OUTLINE);
                else if (has(letter, column, row))
                    draw_dot(canvas, letter, column, row, dot_x, dot_y);
            }
    for (int32_t side = 0; side < 2; side++)
        if (has(letter, side * 5, 8) && has(letter, side * 5 + 1, 8))
            canvas_box(canvas, (struct rect){x + side * 20 + 3, y + ROWS * DOT - 5, 2, 2}, IRON_DEEP);
}

static void draw_chain(struct canvas *canvas, int32_t x, int32_t top, int32_t bottom)
{
    for (int32_t y = top; y < bottom; y++)
        canvas_box(canvas, (struct rect){x - (y % 4 < 2), y, y % 4 < 2 ? 3 : 1, 1}, y % 4 < 2 ? CHAIN : OUTLINE);
}

static void draw_beam(struct canvas *canvas, int32_t x, int32_t y)
{
    canvas_box(canvas, (struct rect){x - 2, y - 2, LOGO_WIDTH + 4, BEAM + 3}, OUTLINE);
    canvas_box(canvas, (struct rect){x, y, LOGO_WIDTH, BEAM - 2}, STEEL);
    canvas_box(canvas, (struct rect){x, y, LOGO_WIDTH, 1}, STEEL_LIT);
    for (int32_t i = 0; i < LOGO_WIDTH; i++)
        for (int32_t row = 0; row < 4; row++)
            if ((i + row) % 12 < 6)
                canvas_dot(canvas, x + i, y + 3 + row, HAZARD);
            else
                canvas_dot(canvas, x + i, y + 3 + row, OUTLINE);
}

void logo_draw(struct canvas *canvas, int32_t x, int32_t y, uint32_t tick)
{
    for (uint32_t letter = 0; letter < LETTERS; letter++) {
        int32_t left = x + 2 + (int32_t)letter * ADVANCE, top = y + BEAM + DROP - height_of(letter, tick);
        draw_chain(canvas, left + 6, y + BEAM, top);
        draw_chain(canvas, left + COLUMNS * DOT - 7, y + BEAM, top);
        if (tick >= letter * NEXT_TICKS)
            draw_letter(canvas, letter, left, top);
    }
    draw_beam(canvas, x, y);
}
