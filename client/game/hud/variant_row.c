// SPDX-License-Identifier: MIT
#include "hud.h"

#include <stdio.h>
#include <string.h>

#include "game/variant.h"
#include "scene/text_panel.h"
#include "text/text.h"

void variant_row_titles(uint32_t variants, const char *none, char text[VARIANT_ROW_BYTES])
{
    size_t used = 0;
    text[0] = 0;
    for (uint32_t i = 0; i < VARIANTS; i++)
        if (variants >> i & 1)
            used += (size_t)snprintf(text + used, VARIANT_ROW_BYTES - used, "%s%s", used ? ", " : "",
                                     text_of(VARIANT_TABLE[i].title));
    if (!used)
        snprintf(text, VARIANT_ROW_BYTES, "%s", none);
}

static int32_t lay_out(const struct frame *frame, int32_t y, int32_t width, bool draws)
{
    char titles[VARIANT_ROW_BYTES], line[TEXT_PANEL_LINE_BYTES];
    const char *text = titles;
    int32_t top = y;
    variant_row_titles(frame->view->confirmed->rules.variants, "", titles);
    for (; text_panel_take_line(&text, text_panel_face(frame), width, line); y += FONT_LINE_PX + 2)
        if (draws)
            text_panel_backed(frame->canvas, text_panel_face(frame), y, INK_GOLD, line);
    return y - top;
}

int32_t variant_row_draw(const struct frame *frame, int32_t y, int32_t width)
{
    return lay_out(frame, y, width, true);
}

int32_t variant_row_height(const struct frame *frame, int32_t width)
{
    return lay_out(frame, 0, width, false);
}
