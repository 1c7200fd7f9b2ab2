// SPDX-License-Identifier: MIT
#include "sprites.h"

#define OVER_PX 3 ///< rows of the hood that a hat covers

static const struct inks INKS[HATS] = {
    [HAT_MINER] = {.of = {['k'] = RGB(0x14121C), ['H'] = RGB(0xFFE27A), ['h'] = RGB(0xE8B02C), ['l'] = RGB(0xFFFBE0)}},
    [HAT_TOP] = {.of = {['k'] = RGB(0x14121C), ['H'] = RGB(0x7C7894), ['h'] = RGB(0x4A465E), ['b'] = RGB(0xC8403C)}},
    [HAT_BOWLER] = {.of = {['k'] = RGB(0x14121C), ['H'] = RGB(0xB48458), ['h'] = RGB(0x8A5C3A), ['b'] = RGB(0x3A2620)}},
    [HAT_CROWN] = {.of = {['k'] = RGB(0x14121C), ['H'] = RGB(0xFFF0A0), ['h'] = RGB(0xF0B830), ['b'] = RGB(0xD83A50)}},
    [HAT_CAP] = {.of = {['k'] = RGB(0x14121C), ['H'] = RGB(0xA8B0A0), ['h'] = RGB(0x7A8478), ['b'] = RGB(0x525A54)}},
    [HAT_CONE] = {.of = {['k'] = RGB(0x14121C), ['H'] = RGB(0xFF9A50), ['h'] = RGB(0xF06A24), ['b'] = RGB(0xF4F0E8)}},
    [HAT_GOGGLES] = {.of = {['k'] = RGB(0x14121C),
                            ['H'] = RGB(0xE8F8FF),
                            ['h'] = RGB(0x4CC0D8),
                            ['b'] = RGB(0xC88A3C),
                            ['s'] = RGB(0x6A4430)}},
};

// clang-format off

// k outline, H the lit side, h the rest, b band, gems or brass, l light, s strap. A column wider than the hood on
// either side; looks right.
static const struct sprite ART[HATS] = {
    [HAT_MINER] = {14, 6,
        "....kkkkkk...."
        "..kkHHHhhhkk.."
        "..kHHhhhkkkkk."
        "..kHhhhhklllk."
        ".kHHhhhhklllk."
        ".kkkkkkkkkkkk."},
    [HAT_TOP] = {14, 8,
        "...kkkkkkkk..."
        "...kHHhhhhk..."
        "...kHHhhhhk..."
        "...kHhhhhhk..."
        "...kHhhhhhk..."
        "...kbbbbbbk..."
        ".kkHHhhhhhhkk."
        ".kkkkkkkkkkkk."},
    [HAT_BOWLER] = {14, 6,
        "....kkkkkk...."
        "...kHHHhhhk..."
        "..kHHhhhhhhk.."
        "..kbbbbbbbbk.."
        ".kHHhhhhhhhhk."
        ".kkkkkkkkkkkk."},
    [HAT_CROWN] = {14, 6,
        "..kk..kk..kk.."
        "..kHkkHhkkhk.."
        "..kHHkHhkhhk.."
        "..kHbhbbhbhk.."
        "..kHHhhhhhhk.."
        "..kkkkkkkkkk.."},
    [HAT_CAP] = {14, 5,
        "....kkkkkk...."
        "..kkHHHhhhkk.."
        ".kHHHhhhhhhk.."
        ".kHhhhhkkkkkk."
        ".kkkkkkkbbbbbk"},
    [HAT_CONE] = {14, 9,
        "......kk......"
        ".....kHhk....."
        ".....kHhk....."
        "....kbbbbk...."
        "....kbbbbk...."
        "...kHHhhhhk..."
        "...kbbbbbbk..."
        ".kkHHhhhhhhkk."
        ".kkkkkkkkkkkk."},
    [HAT_GOGGLES] = {14, 4,
        ".....kkkkkkkk."
        "..kkkbHhkbHhk."
        "..kssbhhkbhhk."
        "..kkkkkkkkkkk."},
};

// clang-format on

void hats_draw(struct canvas *canvas, enum hat hat, struct placement head)
{
    if (hat <= HAT_NONE || hat >= HATS)
        return;
    int32_t scale = head.h ? head.h / FIGURE_HEIGHT : 1;
    struct placement place = head;
    place.h = ART[hat].h * scale;
    place.w = head.w + 2 * scale;
    place.x = head.x - scale;
    place.y = head.y + OVER_PX * scale - place.h;
    canvas_sprite(canvas, &ART[hat], place, &INKS[hat]);
}

int32_t hats_rise_px(enum hat hat)
{
    return hat > HAT_NONE && hat < HATS ? ART[hat].h - OVER_PX : 0;
}
