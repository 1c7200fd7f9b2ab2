// SPDX-License-Identifier: MIT
#include "hud.h"

#include <stdio.h>

#include "game/player/player.h"
#include "game/rules/mode.h"
#include "game/rules/standing.h"
#include "scene/draw_player.h"
#include "scene/text_panel.h"
#include "sync/player_name.h"
#include "text/text.h"

#define HANDICAP_PX      9 ///< of its sign behind a name
#define SHEET_PART       215
#define TOP_ROWS         5
#define RANK_WIDTH_LEAST 70
#define ROWS_MAX         20
#define HEAD_PX          32 ///< of the board, above its rows
#define FOOT_PX          8
#define AWARDS_PX        46
#define STAGE_PX         190 ///< least height of the board beside the stage of a match's end

// Slots by score, or by team and score, the best first; equal scores in the order of slots.
static int32_t ranking(const struct world *world, uint32_t slots[PLAYER_CAPACITY], bool by_team)
{
    int32_t count = 0;
    for (uint32_t slot = 0; slot < world->player_slots; slot++) {
        const struct player *player = &world->players[slot];
        if (!player_plays(player))
            continue;
        int32_t rank = count++;
        for (; rank > 0; rank--) {
            const struct player *above = &world->players[slots[rank - 1]];
            if (by_team && player->team != above->team ? player->team > above->team : player->score <= above->score)
                break;
            slots[rank] = slots[rank - 1];
        }
        slots[rank] = slot;
    }
    return count;
}

// If the list is too short for all, its last row is the viewer's player if they rank lower.
static int32_t rank_in_row(const struct frame *frame, const uint32_t *slots, int32_t count, int32_t row, int32_t rows)
{
    int32_t rank = row;
    for (int32_t i = rows; row == rows - 1 && i < count; i++)
        if (slots[i] == frame->view->slot)
            rank = i;
    return rank;
}

static void draw_rank(const struct frame *frame, uint32_t slot, int32_t rank, int32_t x, int32_t y, int32_t w)
{
    const struct player *player = &frame->view->confirmed->players[slot];
    bool own = slot == frame->view->slot;
    char name[PLAYER_NAME_BYTES + 1], text[16];
    argb ink = player->state == PLAYER_DEAD ? INK_DIM : own ? RGB(0xFFFFFF) : INK;
    player_name_to_text(player->name, name);
    if (own)
        canvas_veil(frame->canvas, (struct rect){x - 2, y - 2, w + 4, FONT_LINE_PX + 1},
                    palette_player(frame->display->colour_vision, player->colour), 90);
    snprintf(text, sizeof text, "%d", rank);
    text_panel_right(frame->canvas, FONT_SMALL, x + 8, y, INK_DIM, text);
    canvas_box(frame->canvas, (struct rect){x + 12, y, 5, 7},
               palette_player_dark(frame->display->colour_vision, player->colour));
    canvas_box(frame->canvas, (struct rect){x + 12, y, 5, 5},
               palette_player(frame->display->colour_vision, player->colour));
    if (player->team)
        canvas_box(frame->canvas, (struct rect){x - 3, y - 1, 2, FONT_LINE_PX - 1}, palette_team(player->team));
    font_draw(frame->canvas, text_panel_face(frame), x + 21, y, ink, name);
    int32_t sign_x = x + 25 + font_width(text_panel_face(frame), name);
    if (player->handicap == HANDICAP_SHIELD) // at each spawn: a gold ring
        canvas_ring(frame->canvas, sign_x + 3, y + 3, 3, RGB(0xFFD45A), 256);
    if (player->handicap == HANDICAP_ARROW) { // a single one: it is short
        canvas_box(frame->canvas, (struct rect){sign_x, y + 3, 7, 1}, RGB(0xC89A5C));
        canvas_box(frame->canvas, (struct rect){sign_x + 4, y + 2, 1, 3}, INK);
        canvas_box(frame->canvas, (struct rect){sign_x + 5, y + 3, 2, 1}, INK);
    }
    snprintf(text, sizeof text, "%d", player->score);
    text_panel_right(frame->canvas, text_panel_face(frame), x + w, y, own ? INK_GOLD : INK, text);
}

// The best players, and the viewer's player if they are not among them.
void scoreboard_draw_ranking(const struct frame *frame)
{
    uint32_t slots[PLAYER_CAPACITY];
    int32_t count = ranking(frame->view->confirmed, slots, false), shown = count < TOP_ROWS ? count : TOP_ROWS;
    int32_t w = RANK_WIDTH_LEAST;
    enum font_face face = text_panel_face(frame);
    for (int32_t i = 0; i < shown; i++) {
        uint32_t slot = slots[rank_in_row(frame, slots, count, i, shown)];
        const struct player *player = &frame->view->confirmed->players[slot];
        char name[PLAYER_NAME_BYTES + 1], score[16];
        player_name_to_text(player->name, name);
        snprintf(score, sizeof score, "%d", player->score);
        int32_t wanted =
            21 + font_width(face, name) + (player->handicap ? HANDICAP_PX : 0) + 8 + font_width(face, score);
        w = wanted > w ? wanted : w;
    }
    struct text_panel_beneath beneath;
    text_panel_keep(&beneath, frame->canvas,
                    (struct rect){TEXT_PANEL_MARGIN - 3, TEXT_PANEL_MARGIN - 3, w + 6, shown * FONT_LINE_PX + 5});
    text_panel_sheet(frame->canvas, beneath.area, TEXT_PANEL_PART);
    for (int32_t i = 0; i < shown; i++) {
        int32_t rank = rank_in_row(frame, slots, count, i, shown);
        draw_rank(frame, slots[rank], rank + 1, TEXT_PANEL_MARGIN, TEXT_PANEL_MARGIN + i * FONT_LINE_PX, w);
    }
    text_panel_show_through(frame, &beneath);
}

// Where the columns of the board stand, px from its right.
struct columns {
    int32_t w, deaths, kills, squishes, bot;
};

static struct columns columns_of(const struct frame *frame)
{
    return frame->display->large_text ? (struct columns){420, 58, 122, 170, 246}
                                      : (struct columns){330, 45, 90, 130, 185};
}

static void draw_row(const struct frame *frame, uint32_t slot, int32_t rank, int32_t x, int32_t y)
{
    const struct player *player = &frame->view->confirmed->players[slot];
    struct columns columns = columns_of(frame);
    uint32_t values[] = {player->stats.deaths, player->stats.kills, player->stats.squishes};
    int32_t from_right[] = {columns.deaths, columns.kills, columns.squishes};
    char text[16];
    draw_rank(frame, slot, rank, x, y, columns.w);
    for (uint32_t i = 0; i < 3; i++) {
        snprintf(text, sizeof text, "%u", values[i]);
        text_panel_right(frame->canvas, text_panel_face(frame), x + columns.w - from_right[i], y, INK_DIM, text);
    }
    if (player->flags & PLAYER_BOT)
        text_panel_right(frame->canvas, text_panel_face(frame), x + columns.w - columns.bot, y, INK_DIM,
                         text_of("bot"));
}

static const struct {
    const char *title, *one, *many;
} AWARDS[AWARD_KINDS] = {
    [AWARD_KILLS] = {TEXT_KEY("Deadliest"), TEXT_PLURAL("%u kill", "%u kills")},
    [AWARD_SQUISHES] = {TEXT_KEY("Best squisher"), TEXT_PLURAL("%u squish", "%u squishes")},
    [AWARD_CATCHES] = {TEXT_KEY("Safest hands"), TEXT_PLURAL("%u catch", "%u catches")},
    [AWARD_ACCURACY] = {TEXT_KEY("Sharpest aim"), TEXT_PLURAL("%u%% hits", "%u%% hits")},
};

// Draws two awards in a row: the title, the player's name, the number.
static void draw_awards(const struct frame *frame, const struct award *awards, uint32_t count, int32_t x, int32_t y,
                        int32_t w)
{
    canvas_box(frame->canvas, (struct rect){x, y - 3, w, 1}, INK_DIM);
    for (uint32_t i = 0; i < count; i++) {
        const struct player *player = &frame->view->confirmed->players[awards[i].slot];
        int32_t at_x = x + (int32_t)(i % 2) * (w / 2 + 4), at_y = y + (int32_t)(i / 2) * 2 * FONT_LINE_PX + 2;
        char name[PLAYER_NAME_BYTES + 1], text[TEXT_BYTES];
        player_name_to_text(player->name, name);
        font_draw(frame->canvas, text_panel_face(frame), at_x, at_y, INK_GOLD, text_of(AWARDS[awards[i].kind].title));
        font_draw(frame->canvas, text_panel_face(frame), at_x, at_y + FONT_LINE_PX - 1,
                  palette_player_light(frame->display->colour_vision, player->colour), name);
        snprintf(text, sizeof text,
                 text_plural(AWARDS[awards[i].kind].one, AWARDS[awards[i].kind].many, awards[i].value),
                 awards[i].value);
        int32_t room = w / 2 - 16 - font_width(text_panel_face(frame), name);
        text_panel_right(frame->canvas, font_that_fits(text_panel_face(frame), text, room), at_x + w / 2 - 8,
                         at_y + FONT_LINE_PX - 1, INK, text);
    }
}

const char *scoreboard_team_name(uint32_t team)
{
    return team == 1 ? text_of("Blue") : text_of("Orange");
}

// Draws the score, around a middle column.
static void draw_title(const struct frame *frame, int32_t middle, int32_t y)
{
    const struct world *world = frame->view->confirmed;
    const struct round *round = &world->round;
    uint32_t seconds = round_clock_display_s(frame->view);
    char text[TEXT_BYTES];
    if (mode_of(world)->teams)
        snprintf(text, sizeof text, "%s %d : %d %s", scoreboard_team_name(1), round->team_scores[0],
                 round->team_scores[1], scoreboard_team_name(2));
    else if (round->phase == ROUND_WARMUP)
        snprintf(text, sizeof text, "%s", text_of("Warm-up"));
    else if (round->phase == ROUND_MATCH_OVER)
        snprintf(text, sizeof text, "%s", text_of("Final scores"));
    else if (round->phase == ROUND_OVER)
        snprintf(text, sizeof text, text_of("After round %u"), round->number + 1);
    else
        snprintf(text, sizeof text, "%u:%02u", seconds / 60, seconds % 60);
    font_draw_outlined(frame->canvas, FONT_LARGE, (2 * middle - font_width(FONT_LARGE, text)) / 2, y, INK, text);
}

// Draws the board; its rows begin at x. Returns what it covers.
static struct rect draw_board(const struct frame *frame, int32_t x, int32_t top, int32_t foot)
{
    const struct world *world = frame->view->confirmed;
    uint32_t slots[PLAYER_CAPACITY];
    struct columns columns = columns_of(frame);
    int32_t variants_h = foot ? 0 : variant_row_height(frame, columns.w), head_h = HEAD_PX + variants_h;
    struct award awards[AWARD_KINDS];
    uint32_t award_count = world->round.phase == ROUND_MATCH_OVER ? standing_awards(world, awards) : 0;
    int32_t awards_h = award_count ? AWARDS_PX : 0, around_h = head_h + FOOT_PX + awards_h;
    int32_t room = canvas_height(frame->canvas) - frame->below - top - foot, most = (room - around_h) / FONT_LINE_PX;
    most = most < ROWS_MAX ? most : ROWS_MAX;
    int32_t count = ranking(world, slots, true), shown = count < most ? count : most;
    int32_t least = foot ? STAGE_PX : 0, h = shown * FONT_LINE_PX + around_h;
    h = h > least ? h : least;
    int32_t w = columns.w, y = top + (room - h) / 2 + head_h;
    struct rect board = {x - 10, y - head_h, w + 20, h};
    text_panel_sheet(frame->canvas, board, SHEET_PART);
    draw_title(frame, x + w / 2, y - variants_h - 26);
    if (variants_h)
        variant_row_draw(frame, y - variants_h - 12, columns.w);
    text_panel_right(frame->canvas, text_panel_face(frame), x + w, y - 12, INK_DIM, text_of("score"));
    text_panel_right(frame->canvas, text_panel_face(frame), x + w - columns.deaths, y - 12, INK_DIM, text_of("deaths"));
    text_panel_right(frame->canvas, text_panel_face(frame), x + w - columns.kills, y - 12, INK_DIM, text_of("kills"));
    text_panel_right(frame->canvas, text_panel_face(frame), x + w - columns.squishes, y - 12, INK_DIM,
                     text_of("squishes"));
    for (int32_t i = 0; i < shown; i++) {
        int32_t rank = rank_in_row(frame, slots, count, i, shown);
        draw_row(frame, slots[rank], rank + 1, x, y + i * FONT_LINE_PX);
    }
    if (awards_h)
        draw_awards(frame, awards, award_count, x, board.y + h - AWARDS_PX, w);
    return board;
}

void scoreboard_draw(const struct frame *frame, int32_t top)
{
    draw_board(frame, (canvas_width(frame->canvas) - columns_of(frame).w) / 2, top, 0);
}

struct rect scoreboard_draw_right(const struct frame *frame, int32_t top, int32_t margin, int32_t foot)
{
    return draw_board(frame, canvas_width(frame->canvas) - margin - 10 - columns_of(frame).w, top, foot ? foot : 1);
}
