// SPDX-License-Identifier: MIT
#include "palette.h"

#include <float.h>
#include <math.h>

#include "game/map/map.h"

static const struct palette PALETTES[MAP_THEMES] =
    {
        [MAP_THEME_FOUNDRY] =
            {
                .sky = {RGB(0x171730), RGB(0x262046), RGB(0x40295A), RGB(0x693762), RGB(0x9E4C5C), RGB(0xD47A52)},
                .sun = RGB(0xF7B267),
                .skyline = SKYLINE_CHIMNEYS,
                .stars = true,
                .far = RGB(0x4A2C55),
                .far_lit = RGB(0x6E3D5E),
                .near = RGB(0x2B1E40),
                .near_lit = RGB(0x43294E),
                .window = RGB(0xE89A4C),
                .wall = RGB(0x2F3A52),
                .wall_deep = RGB(0x151A2A),
                .seam = RGB(0x1F2739),
                .edge = RGB(0x54688A),
                .edge_lit = RGB(0x9DB8CC),
                .lamp = RGB(0xFF9A3C),
            },
        [MAP_THEME_CLOCKWORK] =
            {
                .sky = {RGB(0x07091A), RGB(0x0B1024), RGB(0x101A33), RGB(0x172743), RGB(0x203854), RGB(0x2F5066)},
                .sun = RGB(0xD8E4E8),
                .skyline = SKYLINE_GEARS,
                .stars = true,
                .far = RGB(0x16263C),
                .far_lit = RGB(0x22384F),
                .near = RGB(0x0D1626),
                .near_lit = RGB(0x182739),
                .window = RGB(0xE8C872),
                .wall = RGB(0x3A3442),
                .wall_deep = RGB(0x18151E),
                .seam = RGB(0x28232F),
                .edge = RGB(0x6E6270),
                .edge_lit = RGB(0xC2AE9A),
                .lamp = RGB(0xF2C14E),
            },
        [MAP_THEME_SKYLINE] =
            {
                .sky = {RGB(0x4E7FB8), RGB(0x6A9ACB), RGB(0x8DB5D8), RGB(0xB4CDE0), RGB(0xDDDCD8), RGB(0xF6DFC0)},
                .sun = RGB(0xFFF4D6),
                .skyline = SKYLINE_CLOUDS,
                .far = RGB(0x92AFCB),
                .far_lit = RGB(0xB6C8D6),
                .near = RGB(0xC4D4E4),
                .near_lit = RGB(0xF2F6FA),
                .window = RGB(0xF7E6B0),
                .wall = RGB(0x3D4A63),
                .wall_deep = RGB(0x222C42),
                .seam = RGB(0x2E3A52),
                .edge = RGB(0x70829E),
                .edge_lit = RGB(0xE8EEF0),
                .lamp = RGB(0x7A6A48),
            },
        [MAP_THEME_BREAKOUT] =
            {
                .sky = {RGB(0x08040F), RGB(0x10061F), RGB(0x1C0A35), RGB(0x2E0F4A), RGB(0x4A155A), RGB(0x751F66)},
                .sun = RGB(0xFF5FA2),
                .skyline = SKYLINE_NEON,
                .stars = true,
                .far = RGB(0x230B3D),
                .far_lit = RGB(0x3A1560),
                .near = RGB(0x12051F),
                .near_lit = RGB(0x2A0E48),
                .window = RGB(0x35D6E8),
                .wall = RGB(0x232046),
                .wall_deep = RGB(0x0E0C20),
                .seam = RGB(0x181633),
                .edge = RGB(0x5B4BC4),
                .edge_lit = RGB(0x5FE3F0),
                .lamp = RGB(0xE040C8),
            },
        [MAP_THEME_SNOW] =
            {
                .sky = {RGB(0x16233F), RGB(0x223A5E), RGB(0x38597E), RGB(0x5F809C), RGB(0x93A9B8), RGB(0xD3C6BE)},
                .sun = RGB(0xF5E9D0),
                .skyline = SKYLINE_PEAKS,
                .stars = true,
                .far = RGB(0x6A86A3),
                .far_lit = RGB(0xA9BCC9),
                .near = RGB(0x34506E),
                .near_lit = RGB(0x5F7E98),
                .window = RGB(0xF2C879),
                .wall = RGB(0x34415A),
                .wall_deep = RGB(0x182033),
                .seam = RGB(0x263148),
                .edge = RGB(0x61779A),
                .edge_lit = RGB(0xDDE9F0),
                .cap = RGB(0xEAF2F5),
                .flake = RGB(0xEAF2F5),
                .lamp = RGB(0xFFB45C),
            },
        [MAP_THEME_DESERT] =
            {
                .sky = {RGB(0x2B4A72), RGB(0x4E7896), RGB(0x85A6A8), RGB(0xC2BE9C), RGB(0xEBC58A), RGB(0xF6B26B)},
                .sun = RGB(0xFFEAB0),
                .skyline = SKYLINE_ARCADES,
                .far = RGB(0xB98A63),
                .far_lit = RGB(0xDDAE78),
                .near = RGB(0x7E5746),
                .near_lit = RGB(0xA87857),
                .window = RGB(0xFFE3A0),
                .wall = RGB(0x594238),
                .wall_deep = RGB(0x2B1F20),
                .seam = RGB(0x42302B),
                .edge = RGB(0x94704F),
                .edge_lit = RGB(0xE8C48A),
                .cap = RGB(0xE2BC7C),
                .lamp = RGB(0xFF9A3C),
            },
};

// Neighbours in the first row differ in lightness as well as in hue. The others were searched for so that any two of a
// row are as far apart as possible to such eyes and still resemble the first; palette_test measures it.
static const argb PLAYERS[COLOUR_VISIONS][PALETTE_PLAYERS] = {
    {RGB(0xE8473C), RGB(0x4FB4F2), RGB(0xF7CF3A), RGB(0x35A860), RGB(0xE272CE), RGB(0xF0EEE4), RGB(0xF58B2E),
     RGB(0x2BB8B0), RGB(0x8B68EE), RGB(0xB9E654), RGB(0xFFAFC4), RGB(0xA0673C), RGB(0x3C62E2), RGB(0xB42C50),
     RGB(0x96A0AE), RGB(0xA6EED0)},
    {RGB(0xCA3810), RGB(0x2CFFFF), RGB(0xFFB606), RGB(0x596C62), RGB(0xAA83FF), RGB(0xE3FFBF), RGB(0xEF7216),
     RGB(0x60A18D), RGB(0x872DFE), RGB(0xFFFF00), RGB(0xFC83EB), RGB(0x703600), RGB(0x2B08D0), RGB(0x632D72),
     RGB(0x925EB9), RGB(0xE0B7A2)},
    {RGB(0xD4111D), RGB(0x00E0FE), RGB(0xFCC426), RGB(0x08AE08), RGB(0x8074E7), RGB(0xFFFFFF), RGB(0x9E750C),
     RGB(0x0AADEA), RGB(0x4501EC), RGB(0xFFFF3A), RGB(0xD0B29D), RGB(0x286C8E), RGB(0x0E4197), RGB(0x840B44),
     RGB(0x569286), RGB(0x58EEAB)},
    {RGB(0xEB0000), RGB(0x2FCAD8), RGB(0xA3BA59), RGB(0x007E34), RGB(0xCF15E2), RGB(0xFFFFFF), RGB(0xF48784),
     RGB(0x4DA38A), RGB(0x8441C1), RGB(0xC2E66F), RGB(0xFBAAF7), RGB(0xA7003F), RGB(0x351BC3), RGB(0x750782),
     RGB(0xA08390), RGB(0x8AFEFE)},
};

static const argb TEAMS[] = {RGB(0x96A0AE), RGB(0x3F8CFF), RGB(0xFF9A2E)};

const struct palette *palette_of(uint32_t theme)
{
    return &PALETTES[theme < MAP_THEMES ? theme : MAP_THEME_FOUNDRY];
}

argb palette_player(uint32_t colour_vision, uint32_t colour)
{
    return PLAYERS[colour_vision % COLOUR_VISIONS][colour % PALETTE_PLAYERS];
}

argb palette_player_dark(uint32_t colour_vision, uint32_t colour)
{
    return canvas_mix(palette_player(colour_vision, colour), RGB(0x1A1030), 105);
}

argb palette_player_light(uint32_t colour_vision, uint32_t colour)
{
    return canvas_mix(palette_player(colour_vision, colour), RGB(0xFFFFFF), 100);
}

// A colour in OKLab (Ottosson 2020), where distances are as people see them.
struct lab {
    float l, a, b;
};

static struct lab lab_of(argb colour)
{
    float red = (float)(colour >> 16 & 255) / 255, green = (float)(colour >> 8 & 255) / 255,
          blue = (float)(colour & 255) / 255;
    red *= red, green *= green, blue *= blue; // nearly as light adds up
    float l = cbrtf(0.4122f * red + 0.5363f * green + 0.0514f * blue);
    float m = cbrtf(0.2119f * red + 0.6807f * green + 0.1074f * blue);
    float s = cbrtf(0.0883f * red + 0.2817f * green + 0.6300f * blue);
    return (struct lab){0.2105f * l + 0.7936f * m - 0.0041f * s, 1.9780f * l - 2.4286f * m + 0.4506f * s,
                        0.0259f * l + 0.7828f * m - 0.8087f * s};
}

uint32_t palette_farthest(uint32_t colour_vision, uint32_t taken)
{
    struct lab labs[PALETTE_PLAYERS];
    uint32_t farthest = 0;
    float most = -1;
    for (uint32_t i = 0; i < PALETTE_PLAYERS; i++)
        labs[i] = lab_of(palette_player(colour_vision, i));
    for (uint32_t i = 0; i < PALETTE_PLAYERS; i++) {
        float nearest = FLT_MAX;
        for (uint32_t other = 0; other < PALETTE_PLAYERS; other++) {
            float l = labs[i].l - labs[other].l, a = labs[i].a - labs[other].a, b = labs[i].b - labs[other].b;
            if (taken >> other & 1)
                nearest = fminf(nearest, l * l + a * a + b * b);
        }
        if (nearest > most) {
            most = nearest;
            farthest = i;
        }
    }
    return farthest;
}

argb palette_team(uint32_t team)
{
    return TEAMS[team < sizeof TEAMS / sizeof *TEAMS ? team : 0];
}
