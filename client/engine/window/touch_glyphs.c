// SPDX-License-Identifier: MIT
#include "touch_picture.h"

#define ART_PX   13
#define INK      0xF4F6F2u
#define SHADOW   0x0A0812u
#define BODY     0x1E1A30u
#define BODY_LIT 0xD08A3Cu
#define RIM      0x9DB8CCu
#define RIM_LIT  0xFFD98Au

// In the order of enum touch_control; the stick and the clock have no glyph.
static const char *const ART[TOUCH_GLYPHS] = {
    [1] = "............."
          "......#......"
          ".....###....."
          "....#####...."
          "...#######..."
          "..#########.."
          "....#####...."
          "....#####...."
          "....#####...."
          "............."
          "....#####...."
          "....#####...."
          ".............",
    [2] = "............."
          "............."
          ".#.......#..."
          ".##......##.."
          "..##.....###."
          "..###########"
          "..###########"
          "..##.....###."
          ".##......##.."
          ".#.......#..."
          "............."
          "............."
          ".............",
    [3] = "............."
          "............."
          ".##...##....."
          "..##...##...."
          "...##...##..."
          "....##...##.."
          ".....##...##."
          "....##...##.."
          "...##...##..."
          "..##...##...."
          ".##...##....."
          "............."
          ".............",
    [4] = "............."
          "............."
          "...##...##..."
          "...##...##..."
          "...##...##..."
          "...##...##..."
          "...##...##..."
          "...##...##..."
          "...##...##..."
          "...##...##..."
          "...##...##..."
          "............."
          ".............",
    [5] = "............."
          "............."
          "..#########.."
          ".###########."
          ".###########."
          ".##.##.##.##."
          ".###########."
          ".###########."
          "..#########.."
          "...##........"
          "...#........."
          "............."
          ".............",
    [6] = "............."
          "....#####...."
          "..##.....##.."
          "..#.......#.."
          ".#..#...#..#."
          ".#..#...#..#."
          ".#.........#."
          ".#.#.....#.#."
          ".#..#...#..#."
          "..#..###..#.."
          "..##.....##.."
          "....#####...."
          ".............",
};

static uint32_t mix(uint32_t under, uint32_t colour, int32_t part)
{
    uint32_t mixed = 0;
    for (uint32_t shift = 0; shift < 24; shift += 8) {
        int32_t from = (int32_t)(under >> shift & 0xFF), to = (int32_t)(colour >> shift & 0xFF);
        mixed |= (uint32_t)(from + (to - from) * part / 255) << shift;
    }
    return mixed;
}

// Returns how much of a pixel lies within a radius, 0 to 255; lengths are doubled.
static int32_t inside(int64_t square, int32_t radius)
{
    int64_t in = (int64_t)(radius - 1) * (radius - 1), out = (int64_t)(radius + 1) * (radius + 1);
    return square <= in ? 255 : square >= out ? 0 : (int32_t)((out - square) * 255 / (out - in));
}

static bool has_ink(uint32_t glyph, int32_t x, int32_t y)
{
    return ART[glyph] && x >= 0 && y >= 0 && x < ART_PX && y < ART_PX && ART[glyph][y * ART_PX + x] == '#';
}

static uint32_t disc_pixel(int64_t square, int32_t size, bool lit, bool solid)
{
    int32_t rim_w = size / 16 + 2, disc = inside(square, size - 2), core = inside(square, size - 2 - rim_w);
    int32_t rim_part = 255 - core, body = solid ? (lit ? 220 : 170) : lit ? 150 : 96;
    int32_t alpha = (body * core + (lit ? 235 : 150) * rim_part) / 255 * disc / 255;
    return (uint32_t)alpha << 24 | mix(lit ? BODY_LIT : solid ? RIM : BODY, lit ? RIM_LIT : RIM, rim_part);
}

void touch_glyphs_draw(uint32_t *pixels, int32_t size, uint32_t glyph, bool lit)
{
    int32_t pixel = size / 20 < 1 ? 1 : size / 20, art = pixel * ART_PX, corner = (size - art) / 2;
    for (int32_t y = 0; y < size; y++)
        for (int32_t x = 0; x < size; x++) {
            int64_t dx = 2 * x + 1 - size, dy = 2 * y + 1 - size;
            uint32_t *at = &pixels[y * size + x];
            *at = disc_pixel(dx * dx + dy * dy, size, lit && glyph, glyph == TOUCH_GLYPHS_KNOB);
            int32_t column = (x - corner + art) / pixel - ART_PX, row = (y - corner + art) / pixel - ART_PX;
            int32_t shade = (pixel + 1) / 2, up = (x - shade - corner + art) / pixel - ART_PX,
                    left = (y - shade - corner + art) / pixel - ART_PX;
            if (has_ink(glyph, column, row))
                *at = 0xF0000000u | INK;
            else if (has_ink(glyph, up, left))
                *at = 0xC0000000u | SHADOW;
        }
}
