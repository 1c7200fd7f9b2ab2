// SPDX-License-Identifier: MIT
#include "text_panel.h"

#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "base/utf8.h"

// A panel lets players behind it show through, the more the nearer they are.
#define NEAR_PX       24
#define THROUGH_OWN   230 ///< of 256
#define THROUGH_OTHER 190

enum font_face text_panel_face(const struct frame *frame)
{
    return frame->display->large_text ? FONT_LARGE : FONT_SMALL;
}

void text_panel_right(struct canvas *canvas, enum font_face face, int32_t right, int32_t y, argb colour,
                      const char *text)
{
    font_draw(canvas, face, right - font_width(face, text), y, colour, text);
}

void text_panel_centred(struct canvas *canvas, enum font_face face, int32_t y, argb colour, const char *text)
{
    font_draw_outlined(canvas, face, (canvas_width(canvas) - font_width(face, text)) / 2, y, colour, text);
}

void text_panel_sheet(struct canvas *canvas, struct rect rect, int32_t part)
{
    canvas_veil(canvas, (struct rect){rect.x + 1, rect.y, rect.w - 2, rect.h}, TEXT_PANEL_COLOUR, part);
    canvas_veil(canvas, (struct rect){rect.x, rect.y + 1, 1, rect.h - 2}, TEXT_PANEL_COLOUR, part);
    canvas_veil(canvas, (struct rect){rect.x + rect.w - 1, rect.y + 1, 1, rect.h - 2}, TEXT_PANEL_COLOUR, part);
}

void text_panel_backed(struct canvas *canvas, enum font_face face, int32_t y, argb colour, const char *text)
{
    int32_t w = font_width(face, text);
    text_panel_sheet(canvas, (struct rect){(canvas_width(canvas) - w) / 2 - 4, y - 3, w + 8, FONT_LINE_PX + 3},
                     TEXT_PANEL_PART);
    text_panel_centred(canvas, face, y, colour, text);
}

void text_panel_keep(struct text_panel_beneath *beneath, const struct canvas *canvas, struct rect area)
{
    area = canvas_clip(canvas, area);
    if (area.w * area.h > TEXT_PANEL_BENEATH_PX)
        area.h = TEXT_PANEL_BENEATH_PX / area.w;
    for (int32_t row = 0; row < area.h; row++)
        for (int32_t i = 0; i < area.w; i++)
            beneath->pixels[row * area.w + i] = canvas_colour(canvas, area.x + i, area.y + row);
    beneath->area = area;
}

static int32_t gap(int32_t a, int32_t a_size, int32_t b, int32_t b_size)
{
    int32_t before = b - (a + a_size), after = a - (b + b_size);
    int32_t most = before > after ? before : after;
    return most > 0 ? most : 0;
}

// Returns how much of 256 of the copy shows through.
static int32_t through(const struct frame *frame, const struct text_panel_beneath *beneath)
{
    struct rect area = beneath->area;
    int32_t most = 0;
    for (uint32_t slot = 0; slot < frame->view->world->player_slots; slot++) {
        const struct df_actor *actor = &frame->view->world->actors[slot];
        int32_t x = frame_x(frame, frame_px(frame->view->actors[slot].x));
        int32_t y = frame_y(frame, frame_px(frame->view->actors[slot].y));
        int32_t across = gap(area.x, area.w, x, actor->w), down = gap(area.y, area.h, y, actor->h);
        int32_t far = across > down ? across : down;
        if (!view_shows(frame->view, slot) || far >= NEAR_PX)
            continue;
        int32_t part = (view_is_own(frame->view, slot) ? THROUGH_OWN : THROUGH_OTHER) * (NEAR_PX - far) / NEAR_PX;
        most = part > most ? part : most;
    }
    return most;
}

void text_panel_show_through(const struct frame *frame, const struct text_panel_beneath *beneath)
{
    struct rect area = beneath->area;
    int32_t part = through(frame, beneath);
    for (int32_t row = 0; part && row < area.h; row++)
        for (int32_t i = 0; i < area.w; i++)
            canvas_tint(frame->canvas, area.x + i, area.y + row, beneath->pixels[row * area.w + i], part);
}

// Bytes of the longest line that fits: whole words; or whole names of a path, or else part of a word, if one word is
// too wide. At least one character.
static size_t fitting(const char *text, enum font_face face, int32_t width)
{
    char line[TEXT_PANEL_LINE_BYTES];
    size_t fits = 0, words = 0, names = 0;
    for (size_t end = utf8_next(text); end > fits && end < sizeof line; end += utf8_next(text + end)) {
        utf8_copy(line, end + 1, text);
        if (fits && font_width(face, line) > width)
            return words ? words : names ? names : fits;
        fits = end;
        if (text[end] == ' ')
            words = end;
        if (text[end - 1] == '/')
            names = end;
    }
    return fits;
}

bool text_panel_take_line(const char **text, enum font_face face, int32_t width, char line[TEXT_PANEL_LINE_BYTES])
{
    size_t fits = fitting(*text, face, width);
    utf8_copy(line, fits + 1, *text);
    *text += fits;
    *text += strspn(*text, " ");
    return fits;
}

const char *text_panel_tail(enum font_face face, const char *text, int32_t width)
{
    while (*text && font_width(face, text) > width)
        text += utf8_next(text);
    return text;
}
