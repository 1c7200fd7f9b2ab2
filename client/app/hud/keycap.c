// SPDX-License-Identifier: MIT
#include "keycap.h"

#include <string.h>

#include "app/render/text_panel.h"

#define SHADE    RGB(0x0A0812)
#define PLATE    RGB(0x3A4460)
#define LIT      RGB(0x8FA6BE)
#define EDGE_PX  4 ///< between the plate's side and its name
#define GAP_PX   4 ///< between the plate and words
#define SIGN_PX  5
#define APART_PX 14 ///< between two hints

static const char *const ARROWS[] = {"Left", "Right", "Up", "Down"};
enum { ARROW_LEFT, ARROW_RIGHT, ARROW_UP, ARROW_DOWN, ARROW_NONE };

static uint32_t arrow_of(const char *name)
{
    uint32_t arrow = 0;
    while (arrow < ARROW_NONE && strcmp(ARROWS[arrow], name))
        arrow++;
    return arrow;
}

// A triangle of 5 x 3 pixels, or 3 x 5.
static void draw_arrow(struct canvas *canvas, int32_t x, int32_t y, uint32_t arrow)
{
    for (int32_t i = 0; i < 3; i++) {
        int32_t at = arrow == ARROW_LEFT || arrow == ARROW_UP ? i : 2 - i;
        if (arrow == ARROW_LEFT || arrow == ARROW_RIGHT)
            canvas_box(canvas, (struct rect){x + 1 + at, y + 3 - i, 1, 2 * i + 1}, INK);
        else
            canvas_box(canvas, (struct rect){x + 2 - i, y + 2 + at, 2 * i + 1, 1}, INK);
    }
}

int32_t keycap_width(enum font_face face, const char *name)
{
    return (arrow_of(name) == ARROW_NONE ? font_width(face, name) : SIGN_PX) + 2 * EDGE_PX - 1;
}

int32_t keycap_draw(struct canvas *canvas, enum font_face face, int32_t x, int32_t y, const char *name)
{
    int32_t w = keycap_width(face, name);
    uint32_t arrow = arrow_of(name);
    canvas_box(canvas, (struct rect){x, y - 3, w, 13}, SHADE);
    canvas_box(canvas, (struct rect){x + 1, y - 2, w - 2, 10}, PLATE);
    canvas_box(canvas, (struct rect){x + 1, y - 2, w - 2, 1}, LIT);
    if (arrow == ARROW_NONE)
        font_draw(canvas, face, x + EDGE_PX, y, INK, name);
    else
        draw_arrow(canvas, x + EDGE_PX - 1, y, arrow);
    return x + w;
}

int32_t keycap_hint_width(enum font_face face, const char *name, const char *does)
{
    return keycap_width(face, name) + GAP_PX + font_width(face, does);
}

int32_t keycap_hint(struct canvas *canvas, enum font_face face, int32_t x, int32_t y, const char *name,
                    const char *does)
{
    x = keycap_draw(canvas, face, x, y, name) + GAP_PX;
    font_draw_outlined(canvas, face, x, y, INK, does);
    return x + font_width(face, does);
}

static int32_t row_width(enum font_face face, const struct keycap_hint *hint)
{
    int32_t w = GAP_PX + font_width(face, hint->does);
    for (const char *const *cap = hint->caps; *cap; cap++)
        w += keycap_width(face, *cap) + (cap > hint->caps);
    return w;
}

void keycap_row(struct canvas *canvas, enum font_face face, int32_t y, const struct keycap_hint *hints, uint32_t count)
{
    int32_t w = -APART_PX;
    for (uint32_t i = 0; i < count; i++)
        w += row_width(face, &hints[i]) + APART_PX;
    int32_t x = (CANVAS_WIDTH - w) / 2;
    text_panel_sheet(canvas, (struct rect){x - 6, y - 5, w + 12, 17}, TEXT_PANEL_PART);
    for (uint32_t i = 0; i < count; i++) {
        for (const char *const *cap = hints[i].caps; *cap; cap++)
            x = keycap_draw(canvas, face, x + (cap > hints[i].caps), y, *cap);
        font_draw(canvas, face, x + GAP_PX, y, INK, hints[i].does);
        x += GAP_PX + font_width(face, hints[i].does) + APART_PX;
    }
}
