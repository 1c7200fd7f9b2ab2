// SPDX-License-Identifier: MIT
#include "draw_replays.h"

#include <stdio.h>
#include <string.h>

#include "app/gfx/palette.h"
#include "app/render/text_panel.h"
#include "app/text/map_title.h"
#include "base/utf8.h"
#include "menu_parts.h"
#include "screens.h"

#define LEFT_PX     14 ///< from the left of a row to its date, as to the label of an item
#define RIGHT_PX    6  ///< from its length to its right
#define GAP_PX      8  ///< between two columns
#define FRAME_PX    2  ///< of brass around the picture
#define LINE_PX     13 ///< of the players
#define TEXT_ROOM   96
#define WIDEST_DATE "0000-00-00 00:00"

// Draws a text cut to a width, px; `ends`: at the right of it.
static void draw_cut(const struct replay_pen *pen, struct rect rect, argb ink, const char *text, bool ends)
{
    char shown[TEXT_ROOM + FONT_CUT_BYTES];
    utf8_copy(shown, TEXT_ROOM, text);
    enum font_face face = font_that_fits(pen->face, shown, rect.w);
    font_cut(face, shown, rect.w);
    font_draw(pen->canvas, face, ends ? rect.x + rect.w - font_width(face, shown) : rect.x, rect.y, ink, shown);
}

void draw_replays_row(const struct replay_pen *pen, const struct menu_replay *replay, bool focused)
{
    argb ink = focused ? MENU_PARTS_ON_BRASS : INK, dim = focused ? MENU_PARTS_ON_BRASS : INK_DIM;
    int32_t y = pen->rect.y + (pen->rect.h - 8) / 2, x = pen->rect.x + LEFT_PX,
            right = pen->rect.x + pen->rect.w - RIGHT_PX;
    int32_t date_px = font_width(pen->face, WIDEST_DATE), length_px = font_width(pen->face, replay->length);
    int32_t map_x = x + date_px + GAP_PX;
    draw_cut(pen, (struct rect){x, y, date_px, 0}, ink, replay->name, false);
    draw_cut(pen, (struct rect){map_x, y, right - length_px - GAP_PX - map_x, 0}, dim, map_title(replay->map), false);
    draw_cut(pen, (struct rect){right - length_px, y, length_px, 0}, dim, replay->length, true);
}

static void draw_picture(const struct replay_pen *pen, const struct menu_card *card)
{
    struct canvas *canvas = pen->canvas;
    int32_t x = pen->rect.x, y = pen->rect.y;
    canvas_box(
        canvas,
        (struct rect){x - FRAME_PX, y - FRAME_PX, MENU_CARD_WIDTH + 2 * FRAME_PX, MENU_CARD_HEIGHT + 2 * FRAME_PX},
        RGB(0x8A5A2B));
    canvas_box(canvas, (struct rect){x, y, MENU_CARD_WIDTH, MENU_CARD_HEIGHT}, RGB(0x17121C));
    for (int32_t i = 0; card && i < MENU_CARD_WIDTH * MENU_CARD_HEIGHT; i++)
        canvas_dot(canvas, x + i % MENU_CARD_WIDTH, y + i / MENU_CARD_WIDTH, card->pixels[i]);
}

static void draw_player(const struct replay_pen *pen, int32_t y, const struct menu_card_player *player)
{
    char score[16];
    argb ink = player->won ? INK_GOLD : INK;
    snprintf(score, sizeof score, "%d", player->score);
    int32_t score_px = font_width(pen->face, score);
    canvas_box(pen->canvas, (struct rect){pen->rect.x, y, 7, 7},
               palette_player_dark(pen->colour_vision, player->colour));
    canvas_box(pen->canvas, (struct rect){pen->rect.x, y, 7, 5}, palette_player(pen->colour_vision, player->colour));
    draw_cut(pen, (struct rect){pen->rect.x + 12, y, pen->rect.w - 12 - score_px - GAP_PX, 0}, ink, player->name,
             false);
    draw_cut(pen, (struct rect){pen->rect.x + pen->rect.w - score_px, y, score_px, 0}, ink, score, true);
}

void draw_replays_card(const struct replay_pen *pen, const struct menu_replay *replay, const struct menu_card *card)
{
    int32_t y = pen->rect.y + MENU_CARD_HEIGHT + 8;
    char more[24];
    draw_picture(pen, card);
    draw_cut(pen, (struct rect){pen->rect.x, y, pen->rect.w, 0}, INK_GOLD, screen_mode_title(replay->mode), false);
    for (uint32_t i = 0; card && i < card->player_count && i < MENU_CARD_PLAYERS; i++)
        draw_player(pen, y += LINE_PX, &card->players[i]);
    if (!card || card->player_count <= MENU_CARD_PLAYERS)
        return;
    snprintf(more, sizeof more, "+%u", card->player_count - MENU_CARD_PLAYERS);
    draw_cut(pen, (struct rect){pen->rect.x + 12, y + LINE_PX, pen->rect.w, 0}, INK_DIM, more, false);
}
