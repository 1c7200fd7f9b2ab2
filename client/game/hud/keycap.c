// SPDX-License-Identifier: MIT
#include "hints.h"

#include <string.h>

#include "scene/text_panel.h"
#include "window/gamepads.h"

#define SHADE    RGB(0x0A0812)
#define PLATE    RGB(0x3A4460)
#define LIT      RGB(0x8FA6BE)
#define EDGE_PX  4 ///< between the plate's side and its name
#define GAP_PX   4 ///< between the plate and words
#define ARROW_PX 5
#define LEAST_PX 5  ///< of a name; a narrower one, such as a comma, stands in the middle of its cap
#define APART_PX 14 ///< between two hints of a row
#define HINT_PX  12 ///< between two hints that follow each other

enum cap_arrow { ARROW_LEFT, ARROW_UP, ARROW_RIGHT, ARROW_DOWN, ARROW_NONE };

static enum cap_arrow arrow_of(const char *name)
{
    static const char *const NAMES[ARROW_NONE] = {KEYCAP_LEFT, KEYCAP_UP, KEYCAP_RIGHT, KEYCAP_DOWN};
    enum cap_arrow arrow = ARROW_LEFT;
    while (arrow < ARROW_NONE && strcmp(NAMES[arrow], name))
        arrow++;
    return arrow;
}

int32_t keycap_width(enum font_face face, const char *name)
{
    int32_t glyph_w = pad_glyphs_width(name);
    if (glyph_w)
        return glyph_w;
    int32_t name_px = arrow_of(name) == ARROW_NONE ? font_width(face, name) : ARROW_PX;
    return (name_px > LEAST_PX ? name_px : LEAST_PX) + 2 * EDGE_PX - 1;
}

void keycap_draw(struct keycap_pen *pen, const char *name)
{
    int32_t x = pen->x, y = pen->y, w = keycap_width(pen->face, name);
    enum cap_arrow arrow = arrow_of(name);
    pen->x += w;
    if (pad_glyphs_width(name)) {
        pad_glyphs_draw(pen->canvas, x, y - 3, name);
        return;
    }
    canvas_box(pen->canvas, (struct rect){x, y - 3, w, 13}, SHADE);
    canvas_box(pen->canvas, (struct rect){x + 1, y - 2, w - 2, 10}, PLATE);
    canvas_box(pen->canvas, (struct rect){x + 1, y - 2, w - 2, 1}, LIT);
    if (arrow == ARROW_NONE)
        font_draw(pen->canvas, pen->face, x + (w - font_width(pen->face, name) + 1) / 2, y, INK, name);
    for (int32_t i = 0; arrow != ARROW_NONE && i < 3; i++) { // a triangle of 5 x 3 pixels, or 3 x 5
        int32_t left = x + EDGE_PX - 1, at = arrow == ARROW_LEFT || arrow == ARROW_UP ? i : 2 - i;
        if (arrow == ARROW_LEFT || arrow == ARROW_RIGHT)
            canvas_box(pen->canvas, (struct rect){left + 1 + at, y + 3 - i, 1, 2 * i + 1}, INK);
        else
            canvas_box(pen->canvas, (struct rect){left + 2 - i, y + 2 + at, 2 * i + 1, 1}, INK);
    }
}

int32_t keycap_hint_width(enum font_face face, const char *name, const char *does)
{
    return keycap_width(face, name) + GAP_PX + font_width(face, does);
}

void keycap_hint(struct keycap_pen *pen, const char *name, const char *does)
{
    keycap_draw(pen, name);
    font_draw_outlined(pen->canvas, pen->face, pen->x + GAP_PX, pen->y, INK, does);
    pen->x += GAP_PX + font_width(pen->face, does) + HINT_PX;
}

void keycap_row(struct keycap_pen pen, const struct keycap_hint *hints, uint32_t count)
{
    int32_t w = -APART_PX;
    for (uint32_t i = 0; i < count; i++) {
        w += GAP_PX + font_width(pen.face, hints[i].does) + APART_PX;
        for (const char *const *cap = hints[i].caps; *cap; cap++)
            w += keycap_width(pen.face, *cap) + (cap > hints[i].caps);
    }
    pen.x -= (w + 1) / 2;
    text_panel_sheet(pen.canvas, (struct rect){pen.x - 6, pen.y - 5, w + 12, 17}, TEXT_PANEL_PART);
    for (uint32_t i = 0; i < count; i++) {
        for (const char *const *cap = hints[i].caps; *cap; cap++) {
            pen.x += cap > hints[i].caps;
            keycap_draw(&pen, *cap);
        }
        font_draw(pen.canvas, pen.face, pen.x + GAP_PX, pen.y, INK, hints[i].does);
        pen.x += GAP_PX + font_width(pen.face, hints[i].does) + APART_PX;
    }
}
