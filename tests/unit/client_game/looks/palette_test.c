// SPDX-License-Identifier: MIT
//
// Measures colours as eyes see them: deficiencies with the matrices of Machado, Oliveira and Fernandes (2009, severity
// 1.0), distances in OKLab (Ottosson 2020), contrast by WCAG 2.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "game/map/map.h"
#include "looks/palette.h"
#include "scene/text_panel.h"
#include "test.h"

struct light {
    double r, g, b;
};

static double linear(uint32_t byte)
{
    double part = byte / 255.0;
    return part <= 0.04045 ? part / 12.92 : pow((part + 0.055) / 1.055, 2.4);
}

static struct light light_of(argb colour)
{
    return (struct light){linear(colour >> 16 & 255), linear(colour >> 8 & 255), linear(colour & 255)};
}

static double bounded(double value)
{
    return value < 0 ? 0 : value > 1 ? 1 : value;
}

// In the order of enum colour_vision.
static struct light seen_by(uint32_t vision, struct light l)
{
    static const double rows[COLOUR_VISIONS][3][3] = {
        {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
        {{0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413}, {-0.011820, 0.042940, 0.968881}},
        {{0.152286, 1.052583, -0.204868}, {0.114503, 0.786281, 0.099216}, {-0.003882, -0.048116, 1.051998}},
        {{1.255528, -0.076749, -0.178779}, {-0.078411, 0.930809, 0.147602}, {0.004733, 0.691367, 0.303900}},
    };
    const double(*m)[3] = rows[vision];
    return (struct light){bounded(m[0][0] * l.r + m[0][1] * l.g + m[0][2] * l.b),
                          bounded(m[1][0] * l.r + m[1][1] * l.g + m[1][2] * l.b),
                          bounded(m[2][0] * l.r + m[2][1] * l.g + m[2][2] * l.b)};
}

static double distance(struct light x, struct light y)
{
    double sum = 0, lab[2][3];
    for (int i = 0; i < 2; i++) {
        struct light v = i ? y : x;
        double l = cbrt(0.4122214708 * v.r + 0.5363325363 * v.g + 0.0514459929 * v.b);
        double m = cbrt(0.2119034982 * v.r + 0.6806995451 * v.g + 0.1073969566 * v.b);
        double s = cbrt(0.0883024619 * v.r + 0.2817188376 * v.g + 0.6299787005 * v.b);
        lab[i][0] = 0.2104542553 * l + 0.7936177850 * m - 0.0040720468 * s;
        lab[i][1] = 1.9779984951 * l - 2.4285922050 * m + 0.4505937099 * s;
        lab[i][2] = 0.0259040371 * l + 0.7827717662 * m - 0.8086757660 * s;
    }
    for (int i = 0; i < 3; i++)
        sum += (lab[0][i] - lab[1][i]) * (lab[0][i] - lab[1][i]);
    return sqrt(sum);
}

static double contrast(argb a, argb b)
{
    struct light x = light_of(a), y = light_of(b);
    double first = 0.2126 * x.r + 0.7152 * x.g + 0.0722 * x.b + 0.05;
    double second = 0.2126 * y.r + 0.7152 * y.g + 0.0722 * y.b + 0.05;
    return first > second ? first / second : second / first;
}

TEST(the_sixteen_colours_differ_for_every_colour_vision)
{
    // A distance of 0.02 is just noticeable.
    static const double least[COLOUR_VISIONS] = {0.09, 0.12, 0.12, 0.12};
    for (uint32_t vision = 0; vision < COLOUR_VISIONS; vision++)
        for (uint32_t a = 0; a < PALETTE_PLAYERS; a++)
            for (uint32_t b = 0; b < a; b++) {
                struct light x = seen_by(vision, light_of(palette_player(vision, a)));
                struct light y = seen_by(vision, light_of(palette_player(vision, b)));
                if (distance(x, y) < least[vision])
                    fail_msg("colour vision %u: colours %u and %u are %.3f apart", vision, b, a, distance(x, y));
            }
}

// As those who share a window have them, whichever the first one's is.
TEST(four_far_colours_are_far_from_each_other)
{
    for (uint32_t vision = 0; vision < COLOUR_VISIONS; vision++)
        for (uint32_t first = 0; first < PALETTE_PLAYERS; first++) {
            uint32_t colours[4] = {first}, taken = 1u << first;
            for (uint32_t i = 1; i < 4; i++) {
                colours[i] = palette_farthest(vision, taken);
                taken |= 1u << colours[i];
                for (uint32_t other = 0; other < i; other++) {
                    double apart = distance(light_of(palette_player(vision, colours[i])),
                                            light_of(palette_player(vision, colours[other])));
                    if (apart < 0.2)
                        fail_msg("colour vision %u: colours %u and %u are %.3f apart", vision, colours[i],
                                 colours[other], apart);
                }
            }
        }
}

TEST(the_teams_differ_for_every_colour_vision)
{
    for (uint32_t vision = 0; vision < COLOUR_VISIONS; vision++)
        assert_true(distance(seen_by(vision, light_of(palette_team(1))), seen_by(vision, light_of(palette_team(2)))) >
                    0.2);
}

TEST(names_are_readable_on_a_text_panel)
{
    static const argb inks[] = {INK, INK_DIM, INK_GOLD, INK_ALARM};
    for (uint32_t theme = 0; theme < MAP_THEMES; theme++) {
        const struct palette *palette = palette_of(theme);
        argb behind[] = {palette->sky[0], palette->sky[PALETTE_SKY_STEPS - 1], palette->wall, palette->edge_lit};
        for (size_t i = 0; i < sizeof behind / sizeof *behind; i++) {
            argb panel = canvas_mix(behind[i], TEXT_PANEL_COLOUR, TEXT_PANEL_PART);
            for (size_t ink = 0; ink < sizeof inks / sizeof *inks; ink++)
                if (contrast(inks[ink], panel) < 3)
                    fail_msg("theme %u, behind %zu, ink %zu: %.2f", theme, i, ink, contrast(inks[ink], panel));
        }
    }
    for (uint32_t vision = 0; vision < COLOUR_VISIONS; vision++)
        for (uint32_t colour = 0; colour < PALETTE_PLAYERS; colour++)
            if (contrast(palette_player_light(vision, colour), TEXT_PANEL_COLOUR) < 4.5)
                fail_msg("colour vision %u, colour %u: %.2f", vision, colour,
                         contrast(palette_player_light(vision, colour), TEXT_PANEL_COLOUR));
}

TEST(any_number_gives_a_colour)
{
    assert_int_equal(palette_player(0, 16), palette_player(0, 0));
    assert_int_equal(palette_player(UINT32_MAX, UINT32_MAX) >> 24, 0xFF);
    assert_int_equal(palette_team(UINT32_MAX), palette_team(0));
    assert_ptr_equal(palette_of(UINT32_MAX), palette_of(MAP_THEME_FOUNDRY));
}
