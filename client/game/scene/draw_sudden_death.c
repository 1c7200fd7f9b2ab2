// SPDX-License-Identifier: MIT
#include "draw_sudden_death.h"

#include "game/entities/entities.h"
#include "game/tuning.h"

#define AHEAD_TICKS 120 ///< of the walls' way that the bands show
#define NOTICE_PART 70  ///< of 256, by which the light is gone when the walls begin
#define LEAST_PART  90  ///< while they close in
#define MOST_PART   160 ///< when they meet
#define PULSE_TICKS 64
#define PULSE_PART  18
#define CHEVRON_PX  40 ///< from one to the next
#define HAZARD      RGB(0xF6C12D)
#define EMBERS      RGB(0x30080C)
#define EMBER_LIGHT RGB(0xFF4A20)

// Returns the ticks until the walls begin, at most the notice; 0: they have begun, or they never will.
static uint32_t notice_ticks(const struct world *world)
{
    uint32_t age_ticks = world->tick - world->round.since_tick;
    if (world->round.phase != ROUND_PLAYING || !sudden_death_walls((enum mode)world->rules.mode) ||
        age_ticks >= TUNING.sudden_death_after_ticks)
        return 0;
    uint32_t left = TUNING.sudden_death_after_ticks - age_ticks;
    return left < DRAW_SUDDEN_DEATH_NOTICE_TICKS ? left : 0;
}

bool draw_sudden_death_moves(const struct view *view)
{
    const struct round *round = &view->world->round;
    return round->phase == ROUND_PLAYING && !round->paused && round->sudden_death_ticks &&
           round->sudden_death_ticks < TUNING.sudden_death_closing_ticks;
}

static int32_t dimming(const struct frame *frame)
{
    const struct world *world = frame->view->world;
    uint32_t left = notice_ticks(world), closed = world->round.sudden_death_ticks;
    if (left)
        return (int32_t)(NOTICE_PART * (DRAW_SUDDEN_DEATH_NOTICE_TICKS - left) / DRAW_SUDDEN_DEATH_NOTICE_TICKS);
    if (!closed)
        return 0;
    int32_t beat = (int32_t)(frame->tick % PULSE_TICKS), half = PULSE_TICKS / 2;
    int32_t pulse = frame->display->reduced_motion ? 0 : (beat < half ? beat : PULSE_TICKS - beat) * PULSE_PART / half;
    return LEAST_PART + pulse + (int32_t)((MOST_PART - LEAST_PART) * closed / TUNING.sudden_death_closing_ticks);
}

const struct palette *draw_sudden_death_light(const struct frame *frame, struct palette *dimmed)
{
    int32_t part = dimming(frame);
    if (!part)
        return frame->palette;
    *dimmed = *frame->palette;
    argb *colours[] = {&dimmed->sun,      &dimmed->far,      &dimmed->far_lit,  &dimmed->near,
                       &dimmed->near_lit, &dimmed->window,   &dimmed->wall,     &dimmed->seam,
                       &dimmed->edge,     &dimmed->edge_lit, &dimmed->wall_deep};
    for (uint32_t i = 0; i < PALETTE_SKY_STEPS; i++)
        dimmed->sky[i] = canvas_mix(dimmed->sky[i], EMBERS, part);
    for (uint32_t i = 0; i < sizeof colours / sizeof *colours; i++)
        *colours[i] = canvas_mix(*colours[i], EMBERS, part * 3 / 4);
    dimmed->cap = dimmed->cap ? canvas_mix(dimmed->cap, EMBERS, part / 2) : 0;
    dimmed->lamp = canvas_mix(dimmed->lamp, EMBER_LIGHT, part);
    return dimmed;
}

bool draw_sudden_death_hides(const struct frame *frame, int32_t x_px)
{
    const struct view *view = frame->view;
    for (uint32_t i = (uint32_t)view->map->solid_count; i < view->world->solid_count; i++) {
        int32_t x = frame_px(view->solids[i].x);
        if (view->world->solids[i].flags & DF_SOLID_PRESENT && x_px >= x && x_px < x + view->world->solids[i].w)
            return true;
    }
    return false;
}

static void draw_chevrons(const struct frame *frame, struct rect band, int32_t way)
{
    int32_t shift = frame->display->reduced_motion ? 0 : (int32_t)(frame->tick / 4 % 6);
    for (int32_t y = band.y + CHEVRON_PX / 2; y < band.y + band.h; y += CHEVRON_PX)
        for (int32_t i = 0; i < 2; i++)
            for (int32_t dy = -4; dy <= 4; dy++) {
                int32_t out = 4 - (dy < 0 ? -dy : dy) + shift + i * 6;
                int32_t x = way > 0 ? band.x + out : band.x + band.w - 3 - out;
                if (x >= band.x && x + 3 <= band.x + band.w)
                    canvas_box(frame->canvas, (struct rect){x, y + dy, 3, 1}, HAZARD);
            }
}

void draw_sudden_death_bands(const struct frame *frame)
{
    const struct view *view = frame->view;
    int32_t map_w = view->map->columns * MAP_EDGE_PX, map_h = view->map->rows * MAP_EDGE_PX;
    int32_t ahead = map_w / 2 * AHEAD_TICKS / (int32_t)TUNING.sudden_death_closing_ticks;
    bool moves = draw_sudden_death_moves(view), blinks = frame->tick / 15 % 2 && !frame->display->reduced_motion;
    if ((!moves && !notice_ticks(view->world)) || view->world->solid_count < WALL_COUNT)
        return;
    for (uint32_t side = 0; side < WALL_COUNT; side++) {
        uint32_t solid = view->world->solid_count - WALL_COUNT + side;
        int32_t x = frame_px(view->solids[solid].x);
        if (!moves) // on a map that wraps, the walls begin inside of it
            x = view->world->solids[solid].x;
        int32_t left = side == 0 ? x + view->world->solids[solid].w : x - ahead;
        struct rect band = {frame_x(frame, left), frame_y(frame, 0), ahead, map_h};
        band = canvas_clip(frame->canvas, band);
        for (int32_t dy = 0; dy < band.h; dy++)
            for (int32_t dx = 0; dx < band.w; dx++)
                if ((band.x + dx + band.y + dy) % 16 < 8)
                    canvas_tint(frame->canvas, band.x + dx, band.y + dy, HAZARD, blinks ? 70 : 40);
        draw_chevrons(frame, band, side == 0 ? 1 : -1);
    }
}
