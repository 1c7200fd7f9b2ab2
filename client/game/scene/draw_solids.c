// SPDX-License-Identifier: MIT
#include "painters.h"

#include <stdlib.h>

#include "draw_sudden_death.h"

#define SHADOW      RGB(0x06060E)
#define BRASS_LIT   RGB(0xFFE39A)
#define BRASS_HIGH  RGB(0xE3B052)
#define BRASS       RGB(0xB97F35)
#define BRASS_LOW   RGB(0x855325)
#define BRASS_DARK  RGB(0x3B2117)
#define STEEL_LIT   RGB(0xC8D2DA)
#define STEEL       RGB(0x6B7684)
#define STEEL_LOW   RGB(0x48515F)
#define STEEL_DARK  RGB(0x1C1E28)
#define HAZARD      RGB(0xF6C12D)
#define HAZARD_DARK RGB(0x221D1C)

#define STRIPE_PX       6
#define EDGE_PX         8 ///< beyond the canvas, where painting stops
#define BELT_PX         5 ///< height of the belt on another kind of solid
#define ROD_REACH_TILES 40
#define PLANK_PX        4 ///< a one-way is drawn this thin, whatever its box

static struct rect solid_box(const struct frame *frame, int32_t solid)
{
    const struct df_solid *body = &frame->view->world->solids[solid];
    struct rect box = {frame_x(frame, frame_px(frame->view->solids[solid].x)),
                       frame_y(frame, frame_px(frame->view->solids[solid].y)), body->w, body->h};
    const struct crusher *trap = &frame->view->world->crushers[solid];
    if (trap->state == CRUSHER_WARNING)
        box.x += frame->tick / 2 % 2 ? 1 : -1;
    return box;
}

static bool is_drawn(const struct frame *frame, int32_t solid)
{
    return frame->view->world->solids[solid].flags & DF_SOLID_PRESENT;
}

static int32_t solid_count(const struct frame *frame)
{
    return frame->view->map->solid_count;
}

static void draw_rail(const struct frame *frame, const struct map_solid *solid)
{
    const struct map *map = frame->view->map;
    int32_t x = frame_x(frame, solid->box.x + solid->box.w / 2), y = frame_y(frame, solid->box.y + solid->box.h / 2);
    int32_t legs = solid->path_mode == MAP_PATH_LOOP ? solid->path_count : solid->path_count - 1;
    for (int32_t leg = 0; leg < legs; leg++) {
        struct map_point a = map->points[solid->path_first + leg];
        struct map_point b = map->points[solid->path_first + (leg + 1) % solid->path_count];
        int32_t length = abs(b.x - a.x) > abs(b.y - a.y) ? abs(b.x - a.x) : abs(b.y - a.y);
        for (int32_t i = 0; i <= length; i += 4) {
            int32_t dot_x = x + a.x + (length ? (b.x - a.x) * i / length : 0);
            int32_t dot_y = y + a.y + (length ? (b.y - a.y) * i / length : 0);
            canvas_veil(frame->canvas, (struct rect){dot_x, dot_y, 2, 2}, i % 16 ? SHADOW : BRASS_HIGH,
                        i % 16 ? 90 : 130);
        }
    }
}

// Returns the canvas row of the solid that a crusher hangs from, such as a belt or a beam: the lowest solid above its
// place of rest that its rod still meets; `top` if there is none.
static int32_t hanger(const struct frame *frame, int32_t solid, int32_t middle, int32_t top)
{
    const struct df_box *rest = &frame->view->map->solids[solid].box;
    for (int32_t i = 0; i < solid_count(frame); i++) {
        const struct df_box *other = &frame->view->map->solids[i].box;
        struct rect box = solid_box(frame, i);
        bool above = other->y + other->h <= rest->y && is_drawn(frame, i) && i != solid;
        if (above && box.x < middle && middle < box.x + box.w && box.y + box.h > top &&
            box.y + box.h <= solid_box(frame, solid).y)
            top = box.y + box.h;
    }
    return top;
}

// From the crusher up to the ceiling that holds it.
static void draw_rod(const struct frame *frame, int32_t solid)
{
    struct rect box = solid_box(frame, solid);
    const struct df_box *rest = &frame->view->map->solids[solid].box;
    int32_t column = df_floor_div(rest->x + rest->w / 2, MAP_EDGE_PX), row = df_floor_div(rest->y - 1, MAP_EDGE_PX);
    int32_t reach = 0;
    while (reach < ROD_REACH_TILES && row - reach >= 0 && !tile_view_is_wall(&frame->tiles, column, row - reach))
        reach++;
    int32_t middle = box.x + box.w / 2;
    int32_t top = hanger(frame, solid, middle, frame_y(frame, (row - reach + 1) * MAP_EDGE_PX));
    canvas_box(frame->canvas, (struct rect){middle - 3, top, 6, box.y - top}, STEEL_DARK);
    canvas_box(frame->canvas, (struct rect){middle - 2, top, 4, box.y - top}, STEEL_LOW);
    canvas_box(frame->canvas, (struct rect){middle - 1, top, 1, box.y - top}, STEEL_LIT);
    for (int32_t y = box.y - 5; y > top; y -= 6)
        canvas_box(frame->canvas, (struct rect){middle - 3, y, 6, 1}, STEEL_DARK);
}

void draw_solids_behind(const struct frame *frame)
{
    for (int32_t i = 0; i < solid_count(frame); i++) {
        const struct map_solid *solid = &frame->view->map->solids[i];
        if (is_drawn(frame, i) && solid->path_count > 1 && solid->kind != MAP_SOLID_DOOR)
            draw_rail(frame, solid);
    }
    for (int32_t i = 0; i < solid_count(frame); i++) {
        if (!is_drawn(frame, i))
            continue;
        struct rect box = solid_box(frame, i);
        bool plank = frame->view->world->solids[i].flags & DF_SOLID_ONEWAY;
        canvas_veil(frame->canvas, (struct rect){box.x + 2, box.y + 3, box.w, plank ? PLANK_PX : box.h}, SHADOW, 80);
        if (frame->view->map->solids[i].kind == MAP_SOLID_CRUSHER)
            draw_rod(frame, i);
    }
}

static void draw_rivet(const struct frame *frame, int32_t x, int32_t y)
{
    canvas_box(frame->canvas, (struct rect){x, y, 2, 2}, BRASS_DARK);
    canvas_dot(frame->canvas, x, y, BRASS_LIT);
}

// Brass: dark outline, a bright top, bands that darken downward, a seam and rivets every 16 px.
static void draw_brass(const struct frame *frame, struct rect box)
{
    struct canvas *canvas = frame->canvas;
    canvas_box(canvas, box, BRASS_DARK);
    for (int32_t y = 1; y < box.h - 1; y++) {
        int32_t place = (y - 1) * 3 * 16 / (box.h > 2 ? box.h - 2 : 1);
        for (int32_t x = 1; x < box.w - 1; x++) {
            int32_t band = (place + canvas_dither(x, y) - 8) / 16;
            canvas_dot(canvas, box.x + x, box.y + y, band <= 0 ? BRASS_HIGH : band == 1 ? BRASS : BRASS_LOW);
        }
    }
    canvas_box(canvas, (struct rect){box.x + 1, box.y + 1, box.w - 2, 1}, BRASS_LIT);
    canvas_box(canvas, (struct rect){box.x + 1, box.y + 1, 1, box.h - 2}, BRASS_HIGH);
    for (int32_t x = 16; x < box.w - 8; x += 16)
        canvas_veil(canvas, (struct rect){box.x + x, box.y + 2, 1, box.h - 3}, BRASS_DARK, 190);
    if (box.h < 7)
        return;
    for (int32_t x = 0; x < box.w; x += 16) {
        int32_t wide = box.w - x < 24 ? box.w - x : 16;
        draw_rivet(frame, box.x + x + 3, box.y + 3);
        draw_rivet(frame, box.x + x + wide - 4, box.y + 3);
        if (box.h >= 14) {
            draw_rivet(frame, box.x + x + 3, box.y + box.h - 5);
            draw_rivet(frame, box.x + x + wide - 4, box.y + box.h - 5);
        }
        if (wide > 16)
            break;
    }
}

static void draw_plank(const struct frame *frame, struct rect box)
{
    int32_t h = box.h < PLANK_PX ? box.h : PLANK_PX;
    canvas_box(frame->canvas, (struct rect){box.x, box.y, box.w, h}, RGB(0xA8733F));
    canvas_box(frame->canvas, (struct rect){box.x, box.y, box.w, 1}, RGB(0xF0C684));
    canvas_box(frame->canvas, (struct rect){box.x, box.y + h - 1, box.w, 1}, RGB(0x4A2E22));
    for (int32_t x = 8; x < box.w - 4; x += 8)
        canvas_box(frame->canvas, (struct rect){box.x + x, box.y + 1, 1, h - 2}, RGB(0x5E3B28));
    canvas_box(frame->canvas, (struct rect){box.x, box.y, 3, h}, BRASS_HIGH);
    canvas_box(frame->canvas, (struct rect){box.x + box.w - 3, box.y, 3, h}, BRASS);
}

static void draw_stripes(const struct frame *frame, int32_t x, int32_t y, int32_t w, int32_t h)
{
    for (int32_t dy = 0; dy < h; dy++)
        for (int32_t dx = 0; dx < w; dx++)
            canvas_dot(frame->canvas, x + dx, y + dy, (dx + dy) % 10 < 5 ? HAZARD : HAZARD_DARK);
    canvas_veil(frame->canvas, (struct rect){x, y, w, 1}, RGB(0xFFFFFF), 90);
    canvas_veil(frame->canvas, (struct rect){x, y + h - 1, w, 1}, STEEL_DARK, 120);
}

// Steel above, hazard stripes below, and a lamp that shows what it will do next.
static void draw_crusher(const struct frame *frame, int32_t solid, struct rect box)
{
    struct canvas *canvas = frame->canvas;
    uint32_t state = frame->view->world->crushers[solid].state;
    int32_t band = box.h >= 16 ? 8 : box.h / 2;
    canvas_box(canvas, box, STEEL_DARK);
    canvas_box(canvas, (struct rect){box.x + 1, box.y + 1, box.w - 2, box.h - 2}, STEEL);
    canvas_box(canvas, (struct rect){box.x + 1, box.y + 1, box.w - 2, 1}, STEEL_LIT);
    canvas_box(canvas, (struct rect){box.x + 1, box.y + 1, 1, box.h - 2}, STEEL_LIT);
    canvas_box(canvas, (struct rect){box.x + box.w - 3, box.y + 2, 2, box.h - 3}, STEEL_LOW);
    draw_stripes(frame, box.x + 1, box.y + box.h - 1 - band, box.w - 2, band);
    canvas_box(canvas, (struct rect){box.x + 1, box.y + box.h - 2 - band, box.w - 2, 1}, STEEL_DARK);
    if (box.h < 16)
        return;
    int32_t middle = box.x + box.w / 2, eye = box.y + 2 + (box.h - band - 7) / 2;
    argb lamp = state == CRUSHER_WARNING   ? (frame->tick / 4 % 2 ? RGB(0xFFF0C0) : RGB(0xFF4A2A))
                : state == CRUSHER_FALLING ? RGB(0xFF4A2A)
                                           : RGB(0x7A2A24);
    canvas_box(canvas, (struct rect){middle - 3, eye, 6, 4}, STEEL_DARK);
    canvas_box(canvas, (struct rect){middle - 2, eye + 1, 4, 2}, lamp);
    for (int32_t side = 0; side < 2; side++) {
        int32_t x = side ? box.x + box.w - 6 : box.x + 4;
        canvas_box(canvas, (struct rect){x, eye + 1, 2, 2}, STEEL_DARK);
        canvas_dot(canvas, x, eye + 1, STEEL_LIT);
    }
}

static void draw_solid(const struct frame *frame, int32_t solid, struct rect box)
{
    const struct map_solid *of = &frame->view->map->solids[solid];
    switch ((enum map_solid_kind)of->kind) {
    case MAP_SOLID_CRUSHER:
        draw_crusher(frame, solid, box);
        return;
    case MAP_SOLID_DOOR:
        draw_devices_door(frame, of, box);
        return;
    case MAP_SOLID_CONVEYOR:
        draw_devices_belt(frame, of, box);
        return;
    case MAP_SOLID_LAUNCHER_LEFT:
    case MAP_SOLID_LAUNCHER_RIGHT:
    case MAP_SOLID_LAUNCHER_DOWN:
        draw_devices_launcher(frame, of, box);
        return;
    case MAP_SOLID_MOVER:
    case MAP_SOLID_LIFT:
    case MAP_SOLID_KINDS:
        break;
    }
    if (frame->view->world->solids[solid].flags & DF_SOLID_ONEWAY)
        draw_plank(frame, box);
    else
        draw_brass(frame, box);
    if (of->belt_sub)
        draw_devices_belt(frame, of, (struct rect){box.x, box.y, box.w, BELT_PX});
    if (of->channel)
        draw_devices_channel(frame, of->channel, box);
}

// A wall of sudden death: plates, with hazard stripes at its deadly edge.
static void draw_closing_wall(const struct frame *frame, struct rect box)
{
    struct canvas *canvas = frame->canvas;
    int32_t left = box.x > -EDGE_PX ? box.x : -EDGE_PX, top = box.y > -EDGE_PX ? box.y : -EDGE_PX;
    int32_t right = box.x + box.w < canvas_columns(frame->canvas) + EDGE_PX ? box.x + box.w
                                                                            : canvas_columns(frame->canvas) + EDGE_PX;
    int32_t bottom =
        box.y + box.h < canvas_rows(frame->canvas) + EDGE_PX ? box.y + box.h : canvas_rows(frame->canvas) + EDGE_PX;
    if (right <= left || bottom <= top)
        return;
    canvas_box(canvas, (struct rect){left, top, right - left, bottom - top}, STEEL_DARK);
    for (int32_t y = top - (top - box.y) % 16; y < bottom; y += 16)
        for (int32_t x = left - (left - box.x) % 16; x < right; x += 16) {
            int32_t w = right - x < 15 ? right - x : 15, h = bottom - y < 15 ? bottom - y : 15;
            canvas_box(canvas, (struct rect){x, y, w, h}, STEEL_LOW);
            canvas_box(canvas, (struct rect){x, y, w, 1}, STEEL);
        }
    draw_stripes(frame, left, top, right - left, STRIPE_PX);
    draw_stripes(frame, left, bottom - STRIPE_PX, right - left, STRIPE_PX);
    draw_stripes(frame, left, top, STRIPE_PX, bottom - top);
    draw_stripes(frame, right - STRIPE_PX, top, STRIPE_PX, bottom - top);
}

void draw_solids(const struct frame *frame)
{
    for (int32_t i = 0; i < solid_count(frame); i++) {
        struct rect box = solid_box(frame, i);
        if (!is_drawn(frame, i))
            continue;
        draw_solid(frame, i, box);
    }
    bool trembles = draw_sudden_death_moves(frame->view) && !frame->display->reduced_motion;
    for (uint32_t i = (uint32_t)frame->view->map->solid_count; i < frame->view->world->solid_count; i++) {
        struct rect box = solid_box(frame, (int32_t)i);
        box.x += trembles && frame->tick / 2 % 2;
        if (is_drawn(frame, (int32_t)i))
            draw_closing_wall(frame, box);
    }
}

void draw_solids_light(const struct frame *frame)
{
    for (int32_t i = 0; i < solid_count(frame); i++) {
        uint32_t state = frame->view->world->crushers[i].state;
        if (state != CRUSHER_WARNING && state != CRUSHER_FALLING)
            continue;
        struct rect box = solid_box(frame, i);
        if (draw_sudden_death_hides(frame, frame_px(frame->view->solids[i].x) + box.w / 2))
            continue;
        canvas_glow(frame->canvas, box.x + box.w / 2, box.y + box.h / 3, 30, RGB(0xFF4A2A), 120);
    }
}
