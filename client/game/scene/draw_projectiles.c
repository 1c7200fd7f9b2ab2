// SPDX-License-Identifier: MIT
#include "painters.h"

#include <stdlib.h>

#include "looks/item_looks.h"

#define OUTLINE    RGB(0x14121C)
#define STEEL_DARK RGB(0x1C1E28)
#define SHAFT_PX   10
#define FUSE_TICKS 6 ///< of one blink

// An arrow to draw: its tip and its direction, the longer component of which is 256.
struct shaft {
    int32_t x, y, dx, dy;
    const struct arrow_look *look;
    argb feather;
};

static void draw_shaft(const struct frame *frame, const struct shaft *shaft)
{
    struct canvas *canvas = frame->canvas;
    const struct arrow_look *look = shaft->look;
    int32_t across_x = shaft->dy ? 1 : 0, across_y = shaft->dy ? 0 : 1;
    for (int32_t outline = 1; outline >= 0; outline--)
        for (int32_t i = 0; i < SHAFT_PX; i++) {
            int32_t x = shaft->x - shaft->dx * i / 256, y = shaft->y - shaft->dy * i / 256;
            if (outline) {
                canvas_box(canvas, (struct rect){x - 1, y - 1, 3, 3}, OUTLINE);
                continue;
            }
            argb tip = i % 2 ? look->neck : look->tip, rest = i < SHAFT_PX - 3 ? look->shaft : shaft->feather;
            canvas_dot(canvas, x, y, i < look->tip_px ? tip : rest);
            if (i != look->tip_px && i < SHAFT_PX - 2)
                continue;
            argb barb = i >= SHAFT_PX - 2 ? shaft->feather : look->neck; // two dots beside the shaft
            canvas_dot(canvas, x + across_x, y + across_y, barb);
            canvas_dot(canvas, x - across_x, y - across_y, barb);
        }
}

// A bomb's head, and the spark on it that blinks faster when the fuse is nearly burnt.
static void draw_head(const struct frame *frame, const struct shaft *shaft, const struct arrow *arrow)
{
    int32_t radius = shaft->look->head_px;
    uint32_t left = arrow->burnt_tick > frame->tick ? arrow->burnt_tick - frame->tick : 0;
    bool burns = arrow->burnt_tick != 0, lit = burns && left / (left < 30 ? FUSE_TICKS / 3 : FUSE_TICKS) % 2;
    canvas_disc(frame->canvas, shaft->x, shaft->y, radius + 1, OUTLINE);
    canvas_disc(frame->canvas, shaft->x, shaft->y, radius, lit ? RGB(0xFF5A3A) : shaft->look->tip);
    canvas_dot(frame->canvas, shaft->x - 1, shaft->y - 1, RGB(0xC8C4D0));
    if (burns || frame->tick / 3 % 2)
        canvas_dot(frame->canvas, shaft->x, shaft->y - radius - 1, RGB(0xFFE9A0));
}

// An arrow that sticks quivers for a moment; one that is pulled is new in each tick, and points where it goes.
static void shake_stuck_arrow(struct shaft *shaft, uint32_t age)
{
    int32_t swing = age > 0 && age < 24 ? (age / 2 % 2 ? 4 : -4) * (int32_t)(24 - age) : 0;
    bool upright = abs(shaft->dy) > abs(shaft->dx);
    shaft->dx += upright ? swing : 0;
    shaft->dy += upright ? 0 : swing;
}

static void draw_arrow(const struct frame *frame, const struct world *world, uint32_t index,
                       const struct view_point *place)
{
    const struct arrow *arrow = &world->arrows[index];
    const struct df_actor *actor = &world->actors[PLAYER_CAPACITY + index];
    int32_t x = frame_x(frame, frame_px(place->x) + actor->w / 2);
    int32_t y = frame_y(frame, frame_px(place->y) + actor->h / 2);
    int32_t longer = abs(arrow->vx) > abs(arrow->vy) ? abs(arrow->vx) : abs(arrow->vy);
    longer = longer ? longer : 1;
    argb feather = RGB(0xC8C8C8); // of nobody's
    if (arrow->owner != 0 && arrow->owner <= PLAYER_CAPACITY)
        feather = palette_player(frame->display->colour_vision, frame->view->world->players[arrow->owner - 1].colour);
    struct shaft shaft = {.dx = arrow->vx * 256 / longer,
                          .dy = arrow->vy * 256 / longer,
                          .look = &ITEM_LOOKS_ARROWS[arrow->kind < ARROW_KINDS ? arrow->kind : ARROW_NORMAL],
                          .feather = feather};
    for (int32_t i = 12; arrow->state == ARROW_FLYING && i < 44; i++) // its trail
        canvas_tint(frame->canvas, x - arrow->vx * i / (8 * DF_SUB), y - arrow->vy * i / (8 * DF_SUB), feather,
                    150 - i * 3);
    if (arrow->state != ARROW_FLYING)
        shake_stuck_arrow(&shaft, frame->tick - arrow->since_tick);
    shaft.x = x + shaft.dx * 2 / 256;
    shaft.y = y + shaft.dy * 2 / 256;
    draw_shaft(frame, &shaft);
    if (shaft.look->head_px)
        draw_head(frame, &shaft, arrow);
}

static int32_t heat(const struct df_ball *ball)
{
    int32_t speed = abs(ball->vx) + abs(ball->vy);
    return speed > 4 * DF_SUB ? 256 : speed / 4;
}

static void draw_ball(const struct frame *frame, uint32_t index)
{
    const struct df_ball *ball = &frame->view->world->balls[index];
    int32_t x = frame_x(frame, frame_px(frame->view->balls[index].x));
    int32_t y = frame_y(frame, frame_px(frame->view->balls[index].y)), r = ball->radius_px;
    argb body = canvas_mix(RGB(0x5A6270), RGB(0xE8502A), heat(ball));
    canvas_disc(frame->canvas, x, y, r, STEEL_DARK);
    canvas_disc(frame->canvas, x, y, r - 1, canvas_mix(body, STEEL_DARK, 90));
    canvas_disc(frame->canvas, x - 1, y - 1, r - 2, body);
    canvas_disc(frame->canvas, x - r / 3, y - r / 3, r / 4, canvas_mix(body, RGB(0xFFFFFF), 170));
}

void draw_projectiles(const struct frame *frame)
{
    const struct world *world = frame->view->world;
    for (uint32_t i = 0; i < world->arrow_slots; i++)
        if (world->arrows[i].state != ARROW_ABSENT)
            draw_arrow(frame, world, i, &frame->view->actors[PLAYER_CAPACITY + i]);
    for (const struct view_held *held = frame->view->held; held < frame->view->held + frame->view->held_count; held++)
        if (game_view_holds_arrow(held))
            draw_arrow(frame, held->world, held->actor - PLAYER_CAPACITY, &held->at);
    for (uint32_t i = 0; i < world->ball_count; i++)
        if (world->balls[i].flags & DF_BALL_ALIVE)
            draw_ball(frame, i);
}

static void draw_fuse_light(const struct frame *frame, const struct arrow *arrow, const struct view_point *place)
{
    argb light = arrow->kind < ARROW_KINDS ? ITEM_LOOKS_ARROWS[arrow->kind].light : 0;
    if (arrow->state != ARROW_ABSENT && light)
        canvas_glow(frame->canvas, frame_x(frame, frame_px(place->x)), frame_y(frame, frame_px(place->y)), 14, light,
                    arrow->burnt_tick ? 150 : 70);
}

void draw_projectiles_light(const struct frame *frame)
{
    const struct world *world = frame->view->world;
    for (uint32_t i = 0; i < world->ball_count; i++)
        if (world->balls[i].flags & DF_BALL_ALIVE)
            canvas_glow(frame->canvas, frame_x(frame, frame_px(frame->view->balls[i].x)),
                        frame_y(frame, frame_px(frame->view->balls[i].y)), world->balls[i].radius_px * 3, RGB(0xFF7A3C),
                        heat(&world->balls[i]) * 3 / 8);
    for (uint32_t i = 0; i < world->arrow_slots; i++)
        draw_fuse_light(frame, &world->arrows[i], &frame->view->actors[PLAYER_CAPACITY + i]);
    for (const struct view_held *held = frame->view->held; held < frame->view->held + frame->view->held_count; held++)
        if (game_view_holds_arrow(held))
            draw_fuse_light(frame, &held->world->arrows[held->actor - PLAYER_CAPACITY], &held->at);
}
