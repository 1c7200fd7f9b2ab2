// SPDX-License-Identifier: MIT
#include "board.h"

#include <stdio.h>

#include "countdown.h"
#include "figure.h"
#include "paper.h"

#define BOARD_PART       215
#define TOP_ROWS         5
#define RANK_WIDTH_LEAST 70
#define BOARD_ROWS       20

static bool is_listed(const struct player *player)
{
    return player->state != PLAYER_ABSENT && player->state != PLAYER_SPECTATOR;
}

// Slots by score, the best first; equal scores in the order of slots.
static int32_t ranking(const struct world *world, uint32_t slots[PLAYER_CAPACITY])
{
    int32_t count = 0;
    for (uint32_t slot = 0; slot < world->player_slots; slot++) {
        if (!is_listed(&world->players[slot]))
            continue;
        int32_t place = count++;
        while (place > 0 && world->players[slots[place - 1]].score < world->players[slot].score) {
            slots[place] = slots[place - 1];
            place--;
        }
        slots[place] = slot;
    }
    return count;
}

// Of a list that is too short for all, the last row is the own player's if he comes later.
static int32_t place_in_row(const struct frame *frame, const uint32_t *slots, int32_t count, int32_t row, int32_t rows)
{
    int32_t place = row;
    for (int32_t i = rows; row == rows - 1 && i < count; i++)
        if (slots[i] == frame->view->slot)
            place = i;
    return place;
}

static int32_t rank_width(const struct frame *frame, uint32_t slot)
{
    const struct player *player = &frame->view->world->players[slot];
    char name[PLAYER_NAME_BYTES + 1], score[16];
    figure_name(player, name);
    snprintf(score, sizeof score, "%d", player->score);
    return 21 + font_width(FONT_SMALL, name) + 8 + font_width(FONT_SMALL, score);
}

static void draw_rank(const struct frame *frame, uint32_t slot, int32_t place, int32_t x, int32_t y, int32_t w)
{
    const struct player *player = &frame->view->world->players[slot];
    bool own = slot == frame->view->slot;
    char name[PLAYER_NAME_BYTES + 1], text[16];
    argb ink = player->state == PLAYER_DEAD ? INK_DIM : own ? RGB(0xFFFFFF) : INK;
    figure_name(player, name);
    if (own)
        canvas_veil(frame->canvas, x - 2, y - 2, w + 4, FONT_LINE_PX + 1,
                    palette_player(frame->look->eyes, player->colour), 90);
    snprintf(text, sizeof text, "%d", place);
    paper_right(frame->canvas, FONT_SMALL, x + 8, y, INK_DIM, text);
    canvas_box(frame->canvas, x + 12, y, 5, 7, palette_player_dark(frame->look->eyes, player->colour));
    canvas_box(frame->canvas, x + 12, y, 5, 5, palette_player(frame->look->eyes, player->colour));
    font_draw(frame->canvas, FONT_SMALL, x + 21, y, ink, name);
    snprintf(text, sizeof text, "%d", player->score);
    paper_right(frame->canvas, FONT_SMALL, x + w, y, own ? INK_GOLD : INK, text);
}

// The best, and the own player if he is not among them.
void board_draw_ranking(const struct frame *frame)
{
    uint32_t slots[PLAYER_CAPACITY];
    int32_t count = ranking(frame->view->world, slots), shown = count < TOP_ROWS ? count : TOP_ROWS;
    int32_t w = RANK_WIDTH_LEAST;
    for (int32_t i = 0; i < shown; i++) {
        int32_t wanted = rank_width(frame, slots[place_in_row(frame, slots, count, i, shown)]);
        w = wanted > w ? wanted : w;
    }
    struct paper_beneath beneath = {
        .x = PAPER_MARGIN - 3, .y = PAPER_MARGIN - 3, .w = w + 6, .h = shown * FONT_LINE_PX + 5};
    paper_keep(&beneath, frame->canvas);
    paper_sheet(frame->canvas, beneath.x, beneath.y, beneath.w, beneath.h, PAPER_PART);
    for (int32_t i = 0; i < shown; i++) {
        int32_t place = place_in_row(frame, slots, count, i, shown);
        draw_rank(frame, slots[place], place + 1, PAPER_MARGIN, PAPER_MARGIN + i * FONT_LINE_PX, w);
    }
    paper_show_through(frame, &beneath);
}

static void draw_board_row(const struct frame *frame, uint32_t slot, int32_t place, int32_t x, int32_t y, int32_t w)
{
    static const int32_t RIGHT[] = {45, 90, 130};
    const struct player *player = &frame->view->world->players[slot];
    const uint32_t values[] = {player->deaths, player->kills, player->squishes};
    char text[16];
    draw_rank(frame, slot, place, x, y, w);
    for (uint32_t i = 0; i < 3; i++) {
        snprintf(text, sizeof text, "%u", values[i]);
        paper_right(frame->canvas, FONT_SMALL, x + w - RIGHT[i], y, INK_DIM, text);
    }
    if (player->flags & PLAYER_BOT)
        paper_right(frame->canvas, FONT_SMALL, x + w - 185, y, INK_DIM, "bot");
}

void board_draw(const struct frame *frame)
{
    const struct world *world = frame->view->world;
    uint32_t slots[PLAYER_CAPACITY];
    int32_t count = ranking(world, slots), shown = count < BOARD_ROWS ? count : BOARD_ROWS;
    int32_t w = 330, x = (CANVAS_WIDTH - w) / 2, y = (CANVAS_HEIGHT - shown * FONT_LINE_PX) / 2 + 4;
    char text[PLAYER_NAME_BYTES + 32], name[PLAYER_NAME_BYTES + 1];
    paper_sheet(frame->canvas, x - 10, y - 32, w + 20, shown * FONT_LINE_PX + 40, BOARD_PART);
    if (world->round.phase == ROUND_OVER && world->round.winner - 1 < PLAYER_CAPACITY) {
        figure_name(&world->players[world->round.winner - 1], name);
        snprintf(text, sizeof text, "%s wins!", name);
        paper_middle(frame->canvas, FONT_LARGE, y - 26, INK_GOLD, text);
    } else {
        snprintf(text, sizeof text, "%u:%02u", countdown_clock_s(world) / 60, countdown_clock_s(world) % 60);
        paper_middle(frame->canvas, FONT_LARGE, y - 26, INK,
                     world->round.phase == ROUND_OVER     ? "A draw"
                     : world->round.phase == ROUND_WARMUP ? "Warm-up"
                                                          : text);
    }
    paper_right(frame->canvas, FONT_SMALL, x + w, y - 12, INK_DIM, "score");
    paper_right(frame->canvas, FONT_SMALL, x + w - 45, y - 12, INK_DIM, "deaths");
    paper_right(frame->canvas, FONT_SMALL, x + w - 90, y - 12, INK_DIM, "kills");
    paper_right(frame->canvas, FONT_SMALL, x + w - 130, y - 12, INK_DIM, "squishes");
    for (int32_t i = 0; i < shown; i++) {
        int32_t place = place_in_row(frame, slots, count, i, shown);
        draw_board_row(frame, slots[place], place + 1, x, y + i * FONT_LINE_PX, w);
    }
}
