// SPDX-License-Identifier: MIT
#include "painters.h"

#include "draw_sudden_death.h"
#include "game/entities/entities.h"
#include "looks/item_looks.h"

#define IRON_LIT   RGB(0x9AA6B4)
#define IRON       RGB(0x5A6472)
#define IRON_LOW   RGB(0x3C4450)
#define IRON_DARK  RGB(0x16181F)
#define BELT       RGB(0x2A2C34)
#define BELT_LIT   RGB(0x4C505C)
#define CHEVRON    RGB(0xF6C12D)
#define CHEVRON_PX 12 ///< from one to the next
#define FLAG_PX    20 ///< height of a flag's pole

#define LAUNCH_GLOW_TICKS 24 ///< before its shot a launcher glows

static argb channel_colour(const struct frame *frame, uint32_t channel)
{
    return palette_player(frame->display->colour_vision, channel);
}

void draw_devices_channel(const struct frame *frame, uint32_t channel, struct rect box)
{
    argb colour = channel_colour(frame, channel);
    int32_t x = box.x + box.w / 2 - 2, y = box.y + box.h / 2 - 2;
    bool on = switch_channels(frame->view->world, frame->view->map) >> (channel - 1) & 1u;
    canvas_box(frame->canvas, (struct rect){x - 1, y - 1, 6, 6}, IRON_DARK);
    canvas_box(frame->canvas, (struct rect){x, y, 4, 4},
               on ? canvas_mix(colour, RGB(0xFFFFFF), 90) : canvas_mix(colour, IRON_DARK, 120));
    canvas_dot(frame->canvas, x, y, on ? RGB(0xFFFFFF) : colour);
    if (on)
        canvas_glow(frame->canvas, x + 2, y + 2, 14, colour, 120);
}

void draw_devices_door(const struct frame *frame, const struct map_solid *solid, struct rect box)
{
    struct canvas *canvas = frame->canvas;
    bool upright = box.h >= box.w;
    canvas_box(canvas, box, IRON_DARK);
    canvas_box(canvas, (struct rect){box.x + 1, box.y + 1, box.w - 2, box.h - 2}, IRON);
    canvas_box(canvas, (struct rect){box.x + 1, box.y + 1, upright ? 1 : box.w - 2, upright ? box.h - 2 : 1}, IRON_LIT);
    for (int32_t i = 4; i < (upright ? box.h : box.w) - 3; i += 5) {
        canvas_box(canvas,
                   (struct rect){box.x + (upright ? 2 : i), box.y + (upright ? i : 2), upright ? box.w - 4 : 1,
                                 upright ? 1 : box.h - 4},
                   IRON_LOW);
        canvas_box(canvas,
                   (struct rect){box.x + (upright ? 2 : i + 1), box.y + (upright ? i + 1 : 2), upright ? box.w - 4 : 1,
                                 upright ? 1 : box.h - 4},
                   IRON_LIT);
    }
    draw_devices_channel(frame, solid->channel, box);
}

// Draws chevrons that move with the belt and show its direction and speed.
void draw_devices_belt(const struct frame *frame, const struct map_solid *solid, struct rect box)
{
    struct canvas *canvas = frame->canvas;
    int32_t run = (int32_t)((int64_t)frame->tick * solid->belt_sub / DF_SUB % CHEVRON_PX);
    int32_t h = box.h < 8 ? box.h : 8, way = solid->belt_sub < 0 ? -1 : 1, reach = h / 2;
    canvas_box(canvas, box, IRON_DARK);
    canvas_box(canvas, (struct rect){box.x + 1, box.y + 1, box.w - 2, box.h - 2}, BELT);
    canvas_box(canvas, (struct rect){box.x + 1, box.y, box.w - 2, 1}, BELT_LIT);
    for (int32_t mark = run - CHEVRON_PX; mark < box.w + CHEVRON_PX; mark += CHEVRON_PX)
        for (int32_t row = 1; row < h - 1; row++) {
            int32_t off = row < reach ? reach - row : row - reach, x = mark - way * off;
            if (x >= 2 && x < box.w - 3)
                canvas_box(canvas, (struct rect){box.x + x, box.y + row, 2, 1}, CHEVRON);
        }
    for (int32_t x = 4; box.h > 10 && x < box.w - 4; x += 16) {
        canvas_disc(canvas, box.x + x + 3, box.y + box.h - 5, 2, IRON_LOW);
        canvas_dot(canvas, box.x + x + 3, box.y + box.h - 5, IRON_LIT);
    }
}

void draw_devices_launcher(const struct frame *frame, const struct map_solid *solid, struct rect box)
{
    struct canvas *canvas = frame->canvas;
    const struct round *round = &frame->view->world->round;
    uint32_t clock_ticks = frame->tick - round->paused_ticks + (uint32_t)solid->phase_ticks;
    uint32_t left_ticks = (uint32_t)solid->period_ticks - clock_ticks % (uint32_t)solid->period_ticks;
    int32_t middle_x = box.x + box.w / 2, middle_y = box.y + box.h / 2;
    bool down = solid->kind == MAP_SOLID_LAUNCHER_DOWN, left = solid->kind == MAP_SOLID_LAUNCHER_LEFT;
    struct rect muzzle = down ? (struct rect){middle_x - 3, box.y + box.h - 4, 6, 4}
                              : (struct rect){left ? box.x : box.x + box.w - 4, middle_y - 3, 4, 6};
    canvas_box(canvas, box, IRON_DARK);
    canvas_box(canvas, (struct rect){box.x + 1, box.y + 1, box.w - 2, box.h - 2}, IRON);
    canvas_box(canvas, (struct rect){box.x + 1, box.y + 1, box.w - 2, 1}, IRON_LIT);
    canvas_box(canvas, (struct rect){box.x + 1, box.y + box.h - 2, box.w - 2, 1}, IRON_LOW);
    canvas_disc(canvas, middle_x, middle_y, 3, IRON_DARK);
    canvas_disc(canvas, middle_x, middle_y, 2, left_ticks <= LAUNCH_GLOW_TICKS ? RGB(0xFF9A3C) : IRON_LOW);
    canvas_box(canvas, muzzle, IRON_DARK);
    if (left_ticks > LAUNCH_GLOW_TICKS)
        return;
    int32_t bright = (int32_t)(LAUNCH_GLOW_TICKS - left_ticks) * 160 / LAUNCH_GLOW_TICKS + 40;
    canvas_glow(canvas, muzzle.x + muzzle.w / 2, muzzle.y + muzzle.h / 2, 14, RGB(0xFF7A2A), bright);
}

static void draw_plate(const struct frame *frame, const struct map_switch *of, int32_t x, int32_t y, bool on)
{
    int32_t rise = on ? 1 : 3, foot = y + of->box.h;
    argb colour = channel_colour(frame, of->channel);
    canvas_box(frame->canvas, (struct rect){x, foot - 2, of->box.w, 2}, IRON_DARK);
    canvas_box(frame->canvas, (struct rect){x + 1, foot - 2, of->box.w - 2, 1}, IRON);
    canvas_box(frame->canvas, (struct rect){x + 2, foot - 2 - rise, of->box.w - 4, rise},
               on ? canvas_mix(colour, RGB(0xFFFFFF), 100) : colour);
    canvas_box(frame->canvas, (struct rect){x + 2, foot - 2 - rise, of->box.w - 4, 1},
               canvas_mix(colour, RGB(0xFFFFFF), 150));
}

static void draw_lever(const struct frame *frame, const struct map_switch *of, int32_t x, int32_t y, bool on)
{
    argb colour = channel_colour(frame, of->channel);
    int32_t middle_x = x + of->box.w / 2, middle_y = y + of->box.h / 2;
    int32_t radius = (of->box.w < of->box.h ? of->box.w : of->box.h) / 2;
    canvas_disc(frame->canvas, middle_x, middle_y, radius, IRON_DARK);
    canvas_disc(frame->canvas, middle_x, middle_y, radius - 1, IRON);
    canvas_disc(frame->canvas, middle_x, middle_y, radius - 2, IRON_DARK);
    canvas_disc(frame->canvas, middle_x, middle_y, radius - 3,
                on ? canvas_mix(colour, RGB(0xFFFFFF), 90) : canvas_mix(colour, IRON_DARK, 110));
    canvas_dot(frame->canvas, middle_x - 1, middle_y - 1, RGB(0xFFFFFF));
    if (on)
        canvas_glow(frame->canvas, middle_x, middle_y, 18, colour, 130);
}

// Rings on straw, white ones on red; they lose their colour when they are hit.
static void draw_target(const struct frame *frame, const struct map_switch *of, int32_t x, int32_t y, bool on)
{
    struct canvas *canvas = frame->canvas;
    argb colour = channel_colour(frame, of->channel);
    int32_t middle_x = x + of->box.w / 2, middle_y = y + of->box.h / 2;
    int32_t radius = (of->box.w < of->box.h ? of->box.w : of->box.h) / 2;
    int32_t pulse = (int32_t)(frame->tick / 8 % 8);
    bool is_pale = (colour >> 16 & 255) > 200 && (colour >> 8 & 255) > 200 && (colour & 255) > 200;
    argb ground = is_pale ? RGB(0xC8452F) : RGB(0xF4E8CC);
    if (!on)
        canvas_glow(canvas, middle_x, middle_y, radius + 8, colour, 60 + 8 * (pulse < 4 ? pulse : 8 - pulse));
    canvas_disc(canvas, middle_x, middle_y, radius, IRON_DARK);
    for (int32_t ring = radius - 1, odd = 0; ring > 0; ring -= 2, odd = !odd)
        canvas_disc(canvas, middle_x, middle_y, ring, canvas_mix(odd ? colour : ground, IRON_DARK, on ? 150 : 0));
    canvas_dot(canvas, middle_x, middle_y, on ? RGB(0xFFFFFF) : RGB(0x7A1A1A));
}

// A pole with a cloth: low until it is touched, then at the top. An outline parts both from any sky.
static void draw_flag(const struct frame *frame, const struct map_switch *of, int32_t x, int32_t y, bool on)
{
    struct canvas *canvas = frame->canvas;
    argb colour = channel_colour(frame, of->channel);
    int32_t pole = x + of->box.w / 2 - 3, foot = y + of->box.h, top = foot - FLAG_PX;
    if (on)
        canvas_glow(canvas, pole + 4, top + 4, 18, colour, 110);
    canvas_box(canvas, (struct rect){pole - 3, foot - 2, 8, 2}, IRON_DARK);
    canvas_box(canvas, (struct rect){pole - 2, foot - 2, 6, 1}, IRON);
    canvas_box(canvas, (struct rect){pole - 1, top - 1, 4, FLAG_PX - 1}, IRON_DARK);
    for (int32_t column = 9; column >= 0; column--) {
        int32_t wave = (int32_t)(frame->tick / 6 + (uint32_t)column) / 3 % 2,
                cloth_y = (on ? top + 1 : foot - 10) + wave;
        argb shade = column % 4 == 3 ? canvas_mix(colour, IRON_DARK, 60) : colour;
        canvas_box(canvas, (struct rect){pole + 2 + column, cloth_y - 1, 1, 9}, IRON_DARK);
        if (column < 9)
            canvas_box(canvas, (struct rect){pole + 2 + column, cloth_y, 1, 7},
                       on ? shade : canvas_mix(shade, IRON_DARK, 70));
    }
    canvas_box(canvas, (struct rect){pole, top, 2, FLAG_PX - 2}, IRON_LOW);
    canvas_box(canvas, (struct rect){pole, top, 1, FLAG_PX - 2}, IRON_LIT);
    canvas_dot(canvas, pole, top - 1, RGB(0xFFD45A));
}

static void draw_switch(const struct frame *frame, int32_t index)
{
    const struct map_switch *of = &frame->view->map->switches[index];
    if (draw_sudden_death_hides(frame, of->box.x + of->box.w / 2))
        return;
    int32_t x = frame_x(frame, of->box.x), y = frame_y(frame, of->box.y);
    bool on = frame->view->world->switches[index].on;
    switch ((enum map_switch_kind)of->kind) {
    case MAP_SWITCH_PLATE:
        draw_plate(frame, of, x, y, on);
        return;
    case MAP_SWITCH_LEVER:
        draw_lever(frame, of, x, y, on);
        return;
    case MAP_SWITCH_TARGET:
        draw_target(frame, of, x, y, on);
        return;
    case MAP_SWITCH_FLAG:
        draw_flag(frame, of, x, y, on);
        return;
    case MAP_SWITCH_KINDS:
        return;
    }
}

static void draw_chest(const struct frame *frame, const struct world *world, uint32_t index,
                       const struct view_point *place)
{
    const struct df_actor *actor = &world->actors[CHEST_ACTORS + index];
    if (draw_sudden_death_hides(frame, frame_px(place->x) + actor->w / 2))
        return;
    int32_t x = frame_x(frame, frame_px(place->x)) + actor->w / 2, y = frame_y(frame, frame_px(place->y)) + actor->h;
    bool opens = game_view_lid_is_up(frame->view, world, index);
    item_looks_chest(frame->canvas, x, y, opens);
    if (opens)
        return;
    // A glint now and then marks it as valuable.
    int32_t glint = (int32_t)((frame->tick + index * 37) % 140);
    if (glint < 10)
        canvas_box(frame->canvas, (struct rect){x - 4 + glint, y - 8, 1, 2}, RGB(0xFFFFFF));
}

void draw_devices(const struct frame *frame)
{
    for (int32_t i = 0; i < frame->view->map->switch_count; i++)
        draw_switch(frame, i);
    const struct view *view = frame->view;
    for (uint32_t i = 0; i < view->world->chest_count; i++)
        if (view->world->chests[i].state != CHEST_AWAY)
            draw_chest(frame, view->world, i, &view->actors[CHEST_ACTORS + i]);
    for (const struct view_held *held = view->held; held < view->held + view->held_count; held++)
        if (!game_view_holds_arrow(held))
            draw_chest(frame, held->world, held->actor - CHEST_ACTORS, &held->at);
}
