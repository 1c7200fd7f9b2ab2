// SPDX-License-Identifier: MIT
#include "scene.h"

#include <string.h>

#include "game/tuning.h"
#include "looks/sprites.h"
#include "sync/player_name.h"
#include "text_panel.h"

#define SHOWN_TICKS (6 * TICKS_PER_SECOND)
#define GAP_PX      5 ///< between a name and the picture of the cause

static void set_name(const struct view *view, uint32_t slot, char name[PLAYER_NAME_BYTES + 1], uint32_t *colour)
{
    if (slot >= PLAYER_CAPACITY)
        return;
    player_name_to_text(view->confirmed->players[slot].name, name);
    *colour = view->confirmed->players[slot].colour;
}

static void draw_line(const struct frame *frame, const struct kill_feed_line *line, int32_t y)
{
    static const struct inks PICTURE = {.of = {['#'] = RGB(0xF2ECDD)}};
    enum font_face face = text_panel_face(frame);
    int32_t killer_w = line->killer[0] ? font_width(face, line->killer) + GAP_PX : 0;
    int32_t w = killer_w + SPRITE_CAUSES[0].w + GAP_PX + font_width(face, line->victim);
    int32_t x = canvas_width(frame->canvas) - frame->top_right - TEXT_PANEL_MARGIN - w;
    struct text_panel_beneath beneath;
    text_panel_keep(&beneath, frame->canvas, (struct rect){x - 4, y - 3, w + 8, FONT_LINE_PX + 3});
    text_panel_sheet(frame->canvas, beneath.area, TEXT_PANEL_PART);
    if (line->killer[0])
        font_draw(frame->canvas, face, x, y, palette_player_light(frame->display->colour_vision, line->killer_colour),
                  line->killer);
    x += killer_w;
    if (line->cause < DEATH_CAUSES)
        canvas_sprite(frame->canvas, &SPRITE_CAUSES[line->cause], (struct placement){.x = x, .y = y}, &PICTURE);
    font_draw(frame->canvas, face, x + SPRITE_CAUSES[0].w + GAP_PX, y,
              palette_player_light(frame->display->colour_vision, line->victim_colour), line->victim);
    text_panel_show_through(frame, &beneath);
}

void kill_feed_add(struct kill_feed_line feed[KILL_FEED_LINES], const struct view *view, const struct event *kill)
{
    memmove(&feed[1], &feed[0], (KILL_FEED_LINES - 1) * sizeof *feed);
    feed[0] = (struct kill_feed_line){.cause = kill->detail, .until = view->world->tick + SHOWN_TICKS};
    set_name(view, kill->other, feed[0].killer, &feed[0].killer_colour);
    set_name(view, kill->subject, feed[0].victim, &feed[0].victim_colour);
}

void kill_feed_draw(const struct frame *frame, const struct kill_feed_line feed[KILL_FEED_LINES])
{
    for (int32_t i = 0; i < KILL_FEED_LINES; i++)
        if (feed[i].victim[0] && feed[i].until > frame->tick)
            draw_line(frame, &feed[i], TEXT_PANEL_MARGIN + i * (FONT_LINE_PX + 4));
}
