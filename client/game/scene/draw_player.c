// SPDX-License-Identifier: MIT
#include "draw_player.h"

#include <math.h>
#include <stdlib.h>

#include "base/number.h"
#include "looks/item_looks.h"
#include "looks/sprites.h"
#include "sync/player_name.h"
#include "text_panel.h"

#define STRIDE_PX 5 ///< per pose of the legs
#define MARKER_PX 5 ///< rows of a marker
#define PIPS_PX   5 ///< and of the arrows above it
#define OUTLINE   RGB(0x14121C)
#define INSIDE    RGB(0x1D1828)
#define EYE       RGB(0xFFF4D8)

static enum hat hat_of(const struct view *view, uint32_t slot)
{
    return view->hats ? (enum hat)view->hats[slot] : HAT_NONE;
}

static argb lighter(argb colour)
{
    return canvas_mix(colour, RGB(0xFFFFFF), 100);
}

static enum legs legs_of(const struct player_figure *figure, const struct player *player)
{
    if (player->flags & (PLAYER_WALL_LEFT | PLAYER_WALL_RIGHT))
        return LEGS_WALL;
    if (!(player->flags & PLAYER_GROUNDED))
        return player->vy < 0 ? LEGS_RISE : LEGS_FALL;
    if (abs(player->vx) < DF_SUB / 8)
        return LEGS_STAND;
    return (enum legs)(LEGS_RUN_1 + figure->stride / STRIDE_PX % 4);
}

static void draw_scarf(const struct frame *frame, const struct player_figure *figure, argb main, int32_t shift_x,
                       int32_t shift_y)
{
    argb bright = lighter(main), fold = main;
    for (int32_t pass = 0; pass < 2; pass++)
        for (int32_t i = SCARF_POINTS - 1; i >= 0; i--) {
            int32_t x = frame_x(frame, (int32_t)lroundf(figure->scarf_x[i])) + shift_x;
            int32_t y = frame_y(frame, (int32_t)lroundf(figure->scarf_y[i])) + shift_y;
            int32_t h = i < 5 ? 2 : 1;
            if (pass == 0)
                canvas_box(frame->canvas, (struct rect){x - 1, y - 1, 4, h + 2}, OUTLINE);
            else {
                canvas_box(frame->canvas, (struct rect){x, y, 2, h}, bright);
                if (h == 2)
                    canvas_dot(frame->canvas, x, y + 1, fold);
            }
        }
}

static void draw_eyes(const struct frame *frame, const struct player *player, uint32_t slot, int32_t x, int32_t y)
{
    bool blinks = (frame->tick + slot * 37) % 190 < 6;
    int32_t facing = player->facing < 0 ? -1 : 1;
    int32_t look_x = player->aim_x ? 1 : 0, look_y = player->aim_y;
    for (int32_t eye = 0; eye < 2; eye++) {
        int32_t column = 5 + look_x + eye * 3;
        int32_t at_x = facing < 0 ? x + FIGURE_WIDTH - 1 - column : x + column;
        canvas_box(frame->canvas, (struct rect){at_x, y + 5 + look_y + blinks, 1, blinks ? 1 : 2}, EYE);
    }
}

// In a team, hood and coat have the team's colour and the scarf the player's.
static struct inks inks_of(argb own, argb main)
{
    argb dark = canvas_mix(main, RGB(0x1A1030), 105);
    return (struct inks){.of = {['k'] = OUTLINE,
                                ['h'] = main,
                                ['H'] = lighter(main),
                                ['d'] = INSIDE,
                                ['s'] = lighter(own),
                                ['S'] = own,
                                ['b'] = dark,
                                ['B'] = canvas_mix(dark, main, 128)}};
}

// Torso and legs, w x h over both; a running body rises by `bob` on longer legs.
static void draw_body(struct canvas *canvas, enum legs legs, int32_t bob, struct placement place,
                      const struct inks *inks)
{
    int32_t legs_h = place.h * LEGS_HEIGHT / FIGURE_HEIGHT + bob;
    struct placement torso = place, below = place;
    torso.h = place.h + bob - legs_h;
    torso.y = place.y - bob;
    below.y = torso.y + torso.h;
    below.h = legs_h;
    canvas_sprite(canvas, &SPRITE_LEGS[legs], below, inks);
    canvas_sprite(canvas, &SPRITE_TORSO, torso, inks);
}

static void draw_ghosts(const struct frame *frame, const struct player_figure *figure, const struct player *player)
{
    argb colour = palette_player_light(frame->display->colour_vision, player->colour);
    struct inks inks;
    for (int32_t i = 0; i < 128; i++)
        inks.of[i] = i == '.' ? 0 : colour;
    for (int32_t i = GHOSTS - 1; i >= 1; i--)
        draw_body(frame->canvas, LEGS_RISE, 0,
                  (struct placement){.x = frame_x(frame, figure->ghost_x[i]) - FIGURE_WIDTH / 2,
                                     .y = frame_y(frame, figure->ghost_y[i]) - FIGURE_HEIGHT,
                                     .w = FIGURE_WIDTH,
                                     .h = FIGURE_HEIGHT,
                                     .mirrored = player->facing < 0,
                                     .fade = 130 + i * 30},
                  &inks);
}

// An arc before the figure, and its string.
static void draw_bow(const struct frame *frame, const struct player *player, int32_t x, int32_t y)
{
    int32_t ax = player->aim_x, ay = player->aim_y;
    if (!ax && !ay)
        ax = player->facing;
    for (int32_t i = -4; i <= 4; i++) {
        int32_t out = 8 - i * i / 5;
        int32_t at_x = x + ax * out - ay * i, at_y = y + ay * out + ax * i;
        canvas_box(frame->canvas, (struct rect){at_x, at_y, 2, 2}, i == 0 ? RGB(0xF4E0B0) : RGB(0xC58A4A));
    }
    canvas_line(frame->canvas, x + ax * 5 + ay * 4, y + ay * 5 - ax * 4, x + ax * 5 - ay * 4, y + ay * 5 + ax * 4,
                RGB(0xF4F6F2));
}

// Shows the viewer's player where the next arrow goes.
static void draw_aim(const struct frame *frame, const struct player *player, int32_t x, int32_t y)
{
    int32_t ax = player->aim_x, ay = player->aim_y;
    if (!ax && !ay)
        ax = player->facing;
    for (int32_t i = 0; i < 3; i++)
        canvas_veil(frame->canvas, (struct rect){x + ax * (14 + i * 5), y + ay * (14 + i * 5), 2, 2},
                    player->arrows ? RGB(0xFFFFFF) : RGB(0xE8473C), 200 - i * 60);
}

static void draw_shield(const struct frame *frame, const struct player *player, int32_t x, int32_t y)
{
    int32_t left = (int32_t)(player->shield_until - frame->tick);
    if (left < 24 && left / 3 % 2)
        return;
    canvas_ring(frame->canvas, x, y, 12, RGB(0xBFE8FF), 150);
    canvas_ring(frame->canvas, x, y, 11, RGB(0x6FC0F0), 70 + (int32_t)(frame->tick / 4 % 8) * 8);
}

// Arms in the air, beside the head.
static void draw_arms(struct canvas *canvas, struct placement place, int32_t scale, const struct inks *inks)
{
    for (int32_t side = 0; side < 2; side++) {
        int32_t x = side ? place.x + place.w - 2 * scale : place.x;
        canvas_box(canvas, (struct rect){x - scale, place.y - scale, 4 * scale, 9 * scale}, inks->of['k']);
        canvas_box(canvas, (struct rect){x, place.y, 2 * scale, 7 * scale}, inks->of['B']);
        canvas_box(canvas, (struct rect){x, place.y, 2 * scale, 2 * scale}, inks->of['H']);
    }
}

// --- the dance of the winner

#define STEP_TICKS 8

// One moment of it.
struct dance {
    enum legs legs;
    int32_t rise;   // above the floor, px of a figure
    int32_t squash; // px: positive flat, negative tall
    bool mirrored;  // looks left
    bool arms_up;
};

static struct dance dance_at(uint32_t anim_tick)
{
    // Rows of STEP_TICKS each: step, step, the other way, then two leaps with arms up.
    static const struct dance STEPS[DANCE_TICKS / STEP_TICKS] = {
        {.legs = LEGS_RUN_1},
        {.legs = LEGS_STAND, .squash = 1},
        {.legs = LEGS_RUN_3},
        {.legs = LEGS_STAND, .squash = 1},
        {.legs = LEGS_RUN_1, .mirrored = true},
        {.legs = LEGS_STAND, .squash = 1, .mirrored = true},
        {.legs = LEGS_RUN_3, .mirrored = true},
        {.legs = LEGS_STAND, .squash = 2, .mirrored = true},
        {.legs = LEGS_RISE, .squash = -1, .arms_up = true},
        {.legs = LEGS_STAND, .squash = 2, .arms_up = true},
        {.legs = LEGS_RISE, .squash = -1, .mirrored = true, .arms_up = true},
        {.legs = LEGS_STAND, .squash = 2, .arms_up = true},
    };
    struct dance dance = STEPS[anim_tick % DANCE_TICKS / STEP_TICKS];
    int32_t at = (int32_t)(anim_tick % STEP_TICKS);
    if (dance.legs == LEGS_RISE)
        dance.rise = at * (STEP_TICKS - at) * 7 / 16; // a leap of seven pixels
    return dance;
}

// Who has won dances where they stand.
static bool dances(const struct view *view, const struct player *player, uint32_t slot)
{
    const struct round *round = &view->confirmed->round;
    bool over = round->phase == ROUND_OVER || round->phase == ROUND_MATCH_OVER;
    uint32_t team = view->confirmed->players[slot].team;
    bool has_won = over && (round->winner == slot + 1 || (team != 0 && round->winner_team == team));
    return has_won && player->flags & PLAYER_GROUNDED && abs(player->vx) < DF_SUB / 8;
}

void draw_player(const struct frame *frame, const struct player_figure *figure, uint32_t slot)
{
    struct player shown = *view_player(frame->view, slot), *player = &shown;
    struct dance dance = {.legs = legs_of(figure, player), .mirrored = player->facing < 0};
    if (dances(frame->view, player, slot))
        dance = dance_at(frame->display->reduced_motion ? frame->tick / 2 : frame->tick);
    player->facing = dance.mirrored ? -1 : 1;
    int32_t feet_x, feet_y, squash = figure->squash + dance.squash;
    player_figure_feet(frame->view, slot, &feet_x, &feet_y);
    int32_t x = frame_x(frame, feet_x), y = frame_y(frame, feet_y) - dance.rise;
    int32_t w = FIGURE_WIDTH + squash, h = FIGURE_HEIGHT - squash;
    int32_t bob = dance.legs == LEGS_RUN_2 || dance.legs == LEGS_RUN_4;
    argb own = palette_player(frame->display->colour_vision, player->colour);
    struct inks inks = inks_of(own, player->team ? palette_team(player->team) : own);
    bool flashes = view_is_dying(frame->view, slot) || slot + 1 == frame->struck; // they may have been hit
    for (size_t i = 0; flashes && i < sizeof inks.of / sizeof *inks.of; i++)
        inks.of[i] = inks.of[i] ? canvas_mix(inks.of[i], RGB(0xFFFFFF), 190) : 0;
    struct placement place = {.x = x - w / 2, .y = y - h, .w = w, .h = h, .mirrored = dance.mirrored};
    struct gift_wearer wearer = {.player = player, .slot = slot, .x = x, .y = y, .now = frame->tick};
    if (player->dash_until > frame->tick)
        draw_ghosts(frame, figure, player);
    draw_scarf(frame, figure, own, feet_x - figure->x, feet_y - figure->y - dance.rise);
    item_looks_gifts(frame->canvas, frame->view, &wearer, false);
    if (dance.arms_up)
        draw_arms(frame->canvas, place, 1, &inks);
    draw_body(frame->canvas, dance.legs, bob, place, &inks);
    hats_draw(frame->canvas, hat_of(frame->view, slot),
              (struct placement){.x = place.x, .y = place.y - bob, .w = w, .mirrored = place.mirrored});
    draw_eyes(frame, player, slot, place.x + (w - FIGURE_WIDTH) / 2, place.y - bob + (h - FIGURE_HEIGHT) / 2);
    if (figure->draw_ticks)
        draw_bow(frame, player, x - 1, y - 7);
    if (view_is_own(frame->view, slot))
        draw_aim(frame, player, x - 1, y - 8);
    item_looks_gifts(frame->canvas, frame->view, &wearer, true);
    if (player->shield_until > frame->tick)
        draw_shield(frame, player, x, y - 7);
}

// A scarf in a light wind: eight points behind the neck, each a little behind the one before.
static void draw_portrait_scarf(struct canvas *canvas, const struct portrait *portrait, struct placement place)
{
    int32_t scale = place.h / FIGURE_HEIGHT;
    for (int32_t pass = 0; pass < 2; pass++)
        for (int32_t i = SCARF_POINTS - 1; i >= 0; i--) {
            float wave = sinf((float)portrait->anim_tick * 0.09f - (float)i * 0.75f) * (float)i * 0.28f;
            int32_t back = (3 - 2 * i) * scale, h = i < 5 ? 2 : 1;
            int32_t x = place.mirrored ? place.x + place.w - back - 2 * scale : place.x + back;
            int32_t y = place.y + (8 + (int32_t)lroundf(wave + (float)i * 0.2f)) * scale;
            if (pass == 0)
                canvas_box(canvas, (struct rect){x - scale, y - scale, 4 * scale, (h + 2) * scale}, OUTLINE);
            else {
                canvas_box(canvas, (struct rect){x, y, 2 * scale, h * scale}, lighter(portrait->colour));
                if (h == 2)
                    canvas_box(canvas, (struct rect){x, y + scale, scale, scale}, portrait->colour);
            }
        }
}

static void draw_portrait(struct canvas *canvas, const struct portrait *portrait, struct placement place,
                          struct dance dance)
{
    struct inks inks = inks_of(portrait->colour, portrait->main);
    int32_t scale = place.h / FIGURE_HEIGHT, hat_h = place.h;
    place.y -= dance.rise * scale;
    place.mirrored = dance.mirrored;
    if (portrait->has_scarf)
        draw_portrait_scarf(canvas, portrait, place);
    place.y += dance.squash * scale;
    place.x -= dance.squash * scale / 2;
    place.w += dance.squash * scale;
    place.h -= dance.squash * scale;
    if (dance.arms_up)
        draw_arms(canvas, place, scale, &inks);
    draw_body(canvas, dance.legs, 0, place, &inks);
    for (int32_t eye = 0; eye < 2; eye++) {
        int32_t x = (6 + eye * 3) * scale + dance.squash * scale / 2;
        canvas_box(canvas,
                   (struct rect){dance.mirrored ? place.x + place.w - x - scale : place.x + x,
                                 place.y + (portrait->blinks ? 6 : 5) * scale, scale,
                                 portrait->blinks ? scale : 2 * scale},
                   EYE);
    }
    place.h = hat_h;
    hats_draw(canvas, portrait->hat, place);
}

void draw_player_portrait(struct canvas *canvas, const struct portrait *portrait, struct placement place)
{
    draw_portrait(canvas, portrait, place, (struct dance){.legs = portrait->legs});
}

void draw_player_dancer(struct canvas *canvas, const struct portrait *portrait, struct placement place)
{
    draw_portrait(canvas, portrait, place, dance_at(portrait->anim_tick));
}

// Returns the row above a player's hat.
static int32_t top_of(const struct frame *frame, uint32_t slot, int32_t feet_y)
{
    int32_t tall = FIGURE_HEIGHT + hats_rise_px(hat_of(frame->view, slot));
    return frame_y(frame, feet_y - tall);
}

struct rect draw_player_box(const struct frame *frame, uint32_t slot)
{
    int32_t x, y;
    player_figure_feet(frame->view, slot, &x, &y);
    int32_t left = frame_x(frame, x - FIGURE_WIDTH / 2), top = top_of(frame, slot, y);
    return (struct rect){left, top, frame_x(frame, x + FIGURE_WIDTH / 2) - left, frame_y(frame, y) - top};
}

struct rect draw_player_name_box(const struct frame *frame, uint32_t slot)
{
    const struct player *player = &frame->view->world->players[slot];
    char name[PLAYER_NAME_BYTES + 1];
    bool local = view_is_own(frame->view, slot);
    int32_t x, y, marker_h = !local ? 0 : view_is_shared(frame->view) ? MARKER_PX + PIPS_PX : MARKER_PX;
    player_figure_feet(frame->view, slot, &x, &y);
    player_name_to_text(player->name, name);
    int32_t w = font_width(text_panel_face(frame), name), middle = frame_x(frame, x), left = middle - w / 2,
            room = canvas_width(frame->canvas) - w - 1;
    if (middle >= 0 && middle < canvas_width(frame->canvas)) // a player who is seen has their whole name in the picture
        left = number_clamp(left, 1, room > 1 ? room : 1);
    return (struct rect){left, top_of(frame, slot, y) - 12 - marker_h, w, FONT_LINE_PX};
}

void draw_player_name(const struct frame *frame, uint32_t slot, int32_t y)
{
    const struct player *player = &frame->view->world->players[slot];
    char name[PLAYER_NAME_BYTES + 1];
    player_name_to_text(player->name, name);
    argb colour =
        player->team ? palette_team(player->team) : palette_player(frame->display->colour_vision, player->colour);
    font_draw_outlined(frame->canvas, text_panel_face(frame), draw_player_name_box(frame, slot).x, y, lighter(colour),
                       name);
}

// Draws the arrows that a player has.
static void draw_pips(const struct frame *frame, const struct player *player, int32_t middle_x, int32_t y)
{
    int32_t x = middle_x - (int32_t)player->arrows * 3 / 2;
    for (uint32_t i = 0; i < player->arrows; i++) {
        argb colour = ITEM_LOOKS_ARROWS[item_looks_kind(player, i)].ink;
        canvas_box(frame->canvas, (struct rect){x + (int32_t)i * 3 - 1, y - 1, 4, 5}, OUTLINE);
        canvas_box(frame->canvas, (struct rect){x + (int32_t)i * 3, y, 2, 3}, colour);
    }
}

void draw_player_marker(const struct frame *frame, uint32_t slot)
{
    const struct player *player = &frame->view->world->players[slot];
    argb colour = view_is_shared(frame->view) ? palette_player_light(frame->display->colour_vision, player->colour)
                                              : RGB(0xFFFFFF);
    int32_t x, y;
    player_figure_feet(frame->view, slot, &x, &y);
    x = frame_x(frame, x) - 1;
    y = top_of(frame, slot, y) - 5;
    if (view_is_shared(frame->view))
        draw_pips(frame, view_player(frame->view, slot), x + 1, y - 1 - PIPS_PX);
    for (int32_t pass = 0; pass < 2; pass++)
        for (int32_t row = 0; row < 3; row++)
            canvas_box(frame->canvas,
                       (struct rect){x - row - 1 + pass, y - row - 1 + pass, 2 * row + 3 - 2 * pass, 3 - 2 * pass},
                       pass ? colour : OUTLINE);
}
