// SPDX-License-Identifier: MIT
#include "draw_player.h"

#include <math.h>
#include <stdlib.h>

#define SCARF_LINK_PX  1.8f
#define SCARF_DRAG     0.86f
#define SCARF_THICK_PX 2.0f
#define SCARF_FALL     0.10f ///< px per tick per tick
#define NECK_UP_PX     6     ///< above the feet
#define BOW_TICKS      14
#define SQUASH_MAX_PX  3
#define STRETCH_MAX_PX 2
#define LEAP_PX        64 ///< a longer way in one tick is a teleport, which the scarf does not follow

void player_figure_feet(const struct view *view, uint32_t slot, int32_t *x, int32_t *y)
{
    const struct df_actor *actor = &view->world->actors[slot];
    *x = frame_px(view->actors[slot].x) + actor->w / 2;
    *y = frame_px(view->actors[slot].y) + actor->h;
}

// A rope: each point keeps its velocity, falls a little, and stays within a link of the point before it.
static void step_scarf(struct player_figure *figure, int32_t facing, bool grounded, uint32_t now)
{
    float floor = (float)figure->y - SCARF_THICK_PX;
    figure->scarf_x[0] = (float)(figure->x - facing * 3);
    figure->scarf_y[0] = (float)(figure->y - NECK_UP_PX);
    for (int32_t i = 1; i < SCARF_POINTS; i++) {
        float x = figure->scarf_x[i], y = figure->scarf_y[i];
        float wind = 0.05f * sinf((float)now * 0.16f + (float)i * 0.9f) - 0.03f * (float)facing;
        float next_x = x + (x - figure->scarf_before_x[i]) * SCARF_DRAG + wind;
        float next_y = y + (y - figure->scarf_before_y[i]) * SCARF_DRAG + SCARF_FALL;
        float dx = next_x - figure->scarf_x[i - 1], dy = next_y - figure->scarf_y[i - 1];
        float length = sqrtf(dx * dx + dy * dy);
        if (length > SCARF_LINK_PX) {
            next_x = figure->scarf_x[i - 1] + dx * SCARF_LINK_PX / length;
            next_y = figure->scarf_y[i - 1] + dy * SCARF_LINK_PX / length;
        }
        if (grounded && next_y > floor)
            next_y = floor;
        figure->scarf_before_x[i] = x;
        figure->scarf_before_y[i] = y;
        figure->scarf_x[i] = next_x;
        figure->scarf_y[i] = next_y;
    }
}

void player_figure_step(struct player_figure *figure, const struct view *view, uint32_t slot)
{
    const struct player *player = view_player(view, slot);
    bool shown = view_shows(view, slot);
    if (!shown || figure->generation != player->generation)
        *figure = (struct player_figure){.generation = player->generation};
    if (!shown)
        return;
    for (int32_t i = GHOSTS - 1; i > 0; i--) {
        figure->ghost_x[i] = figure->ghost_x[i - 1];
        figure->ghost_y[i] = figure->ghost_y[i - 1];
    }
    figure->ghost_x[0] = figure->x;
    figure->ghost_y[0] = figure->y;
    int32_t before_x = figure->x;
    player_figure_feet(view, slot, &figure->x, &figure->y);
    if (!figure->seen || abs(figure->x - before_x) > LEAP_PX) {
        before_x = figure->x;
        for (int32_t i = 0; i < SCARF_POINTS; i++) {
            figure->scarf_x[i] = figure->scarf_before_x[i] = (float)figure->x;
            figure->scarf_y[i] = figure->scarf_before_y[i] = (float)(figure->y - NECK_UP_PX);
        }
    }
    figure->seen = true;
    figure->stride += abs(figure->x - before_x);
    figure->squash -= figure->squash > 0 ? 1 : figure->squash < 0 ? -1 : 0;
    figure->draw_ticks -= figure->draw_ticks > 0;
    step_scarf(figure, player->facing, player->flags & PLAYER_GROUNDED, view->world->tick);
}

void player_figure_squash(struct player_figure *figure, int32_t px)
{
    figure->squash = px > SQUASH_MAX_PX ? SQUASH_MAX_PX : px < -STRETCH_MAX_PX ? -STRETCH_MAX_PX : px;
}

void player_figure_shoot(struct player_figure *figure)
{
    figure->draw_ticks = BOW_TICKS;
}
