// SPDX-License-Identifier: MIT
#include "hud.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/number.h"
#include "game/player/player.h"
#include "scene/text_panel.h"

#define FEW      8 ///< with so many alive or fewer, each has a mark
#define INSET_PX 8 ///< from the rim to the middle of a mark
#define SIZE_PX  5 ///< from the middle of a mark to its tip

static bool is_few(const struct view *view)
{
    uint32_t alive = 0;
    for (uint32_t slot = 0; slot < view->world->player_slots; slot++)
        alive += view_shows(view, slot);
    return alive <= FEW;
}

static bool is_team_mate(const struct view *view, uint32_t slot)
{
    const struct player *players = view->world->players;
    return view->slot < PLAYER_CAPACITY && players[slot].team && players[slot].team == players[view->slot].team;
}

// Draws a triangle that points outward.
static void draw_tip(const struct frame *frame, int32_t x, int32_t y, int32_t dx, int32_t dy, argb colour)
{
    for (int32_t pass = 0; pass < 2; pass++)
        for (int32_t i = 0; i <= SIZE_PX; i++) {
            int32_t half = SIZE_PX - i + 1 - pass, along = i - pass;
            struct rect across = dx ? (struct rect){x + dx * along, y - half, 1 + !pass, 2 * half + 1}
                                    : (struct rect){x - half, y + dy * along, 2 * half + 1, 1 + !pass};
            canvas_box(frame->canvas, across, pass ? colour : RGB(0x14121C));
        }
}

static void draw_mark(const struct frame *frame, uint32_t slot, int32_t x, int32_t y)
{
    const struct player *player = &frame->view->world->players[slot];
    int32_t at_x = number_clamp(x, INSET_PX, canvas_width(frame->canvas) - 1 - INSET_PX);
    int32_t at_y = number_clamp(y, INSET_PX, canvas_height(frame->canvas) - frame->below - 1 - INSET_PX);
    bool beside = abs(x - at_x) >= abs(y - at_y);
    int32_t dx = !beside ? 0 : x < at_x ? -1 : 1, dy = beside ? 0 : y < at_y ? -1 : 1;
    char arrows[8];
    snprintf(arrows, sizeof arrows, "%u", player->arrows);
    draw_tip(frame, at_x, at_y, dx, dy, palette_player_light(frame->display->colour_vision, player->colour));
    font_draw_outlined(frame->canvas, FONT_SMALL, at_x - dx * 10 - 2, at_y - dy * 11 - 3, INK, arrows);
}

void edge_markers_draw(const struct frame *frame)
{
    const struct view *view = frame->view;
    bool few = is_few(view);
    for (uint32_t slot = 0; slot < view->world->player_slots; slot++) {
        if (!view_shows(view, slot) || !(few || frame_is_local(frame, slot) || is_team_mate(view, slot)))
            continue;
        const struct df_actor *actor = &view->world->actors[slot];
        int32_t left = frame_px(view->actors[slot].x), top = frame_px(view->actors[slot].y);
        int32_t x = frame_x(frame, left + actor->w / 2), y = frame_y(frame, top + actor->h / 2);
        bool seen = frame_x(frame, left + actor->w) > 0 && frame_x(frame, left) < canvas_width(frame->canvas) &&
                    frame_y(frame, top + actor->h) > 0 &&
                    frame_y(frame, top) < canvas_height(frame->canvas) - frame->below;
        if (!seen)
            draw_mark(frame, slot, x, y);
    }
}
