// SPDX-License-Identifier: MIT
#include "quick_chat.h"

#include <stddef.h>
#include <string.h>

#include "game/input.h"
#include "looks/sprites.h"
#include "scene/draw_player.h"
#include "scene/text_panel.h"
#include "text/text.h"

_Static_assert(EMOTES == QUICK_CHAT_CHOICES, "each emote has a place on the wheel");

static const struct {
    const char *line, *label;
} EMOTE_ROWS[EMOTES] = {
    {":hello:", TEXT_KEY("Hello")}, {":laugh:", TEXT_KEY("Haha")}, {":love:", TEXT_KEY("Love it")},
    {":wow:", TEXT_KEY("Wow")},     {":sleep:", TEXT_KEY("Yawn")}, {":cry:", TEXT_KEY("Oh no")},
    {":angry:", TEXT_KEY("Grr")},   {":what:", TEXT_KEY("What?")},
};

static const char *const PHRASES[QUICK_CHAT_CHOICES] = {
    TEXT_KEY("Good luck!"), TEXT_KEY("Nice shot!"), TEXT_KEY("Thank you!"),      TEXT_KEY("Watch out!"),
    TEXT_KEY("Good game!"), TEXT_KEY("Sorry!"),     TEXT_KEY("That was close!"), TEXT_KEY("Once more?"),
};

const char *quick_chat_step(struct quick_chat_wheel *wheel, enum quick_chat_kind held, uint32_t ways)
{
    static const uint32_t CHOICES[3][3] = {{8, 1, 2}, {7, 0, 3}, {6, 5, 4}}; // rows from the top
    // Opposite directions cancel each other.
    int column = 1 + !!(ways & BUTTON_RIGHT) - !!(ways & BUTTON_LEFT);
    int row = 1 + !!(ways & BUTTON_DOWN) - !!(ways & BUTTON_UP);
    struct quick_chat_wheel before = *wheel;
    wheel->kind = held;
    wheel->choice = held ? CHOICES[row][column] : 0;
    if (held || !before.kind || !before.choice)
        return NULL;
    return before.kind == QUICK_CHAT_EMOTES ? EMOTE_ROWS[before.choice - 1].line : PHRASES[before.choice - 1];
}

const char *quick_chat_label(enum quick_chat_kind kind, uint32_t choice)
{
    return text_of(kind == QUICK_CHAT_EMOTES ? EMOTE_ROWS[choice].label : PHRASES[choice]);
}

uint32_t quick_chat_emote(const char *line)
{
    for (uint32_t i = 0; i < EMOTES; i++)
        if (!strcmp(line, EMOTE_ROWS[i].line))
            return i + 1;
    return 0;
}

const char *quick_chat_text(const char *line)
{
    uint32_t emote = quick_chat_emote(line);
    for (size_t i = 0; i < QUICK_CHAT_CHOICES; i++)
        if (!strcmp(line, PHRASES[i]))
            return text_of(line);
    return emote ? text_of(EMOTE_ROWS[emote - 1].label) : line;
}

// --- how it is drawn

#define EMOTE_FAR_PX  25 ///< from the middle of the wheel to the emotes above, below and beside it
#define EMOTE_NEAR_PX 18 ///< and to those between, along each axis
#define EMOTE_CELL_PX 17
#define ROW_PX        17 ///< between the rows of sentences
#define BESIDE_PX     26 ///< from the middle to the sentence beside it
#define SLANT_PX      18 ///< and to those above and below that
#define TOP_PX        50 ///< of the picture that the middle stays away from, and below it, where the hints are
#define BOTTOM_PX     90
#define CHOSEN        RGB(0x6A4A1A)

// Where each choice stands, clockwise from the top: columns and rows from the middle.
static const struct {
    int32_t column, row;
} PLACES[QUICK_CHAT_CHOICES] = {{0, -1}, {1, -1}, {1, 0}, {1, 1}, {0, 1}, {-1, 1}, {-1, 0}, {-1, -1}};

static int32_t clamp(int32_t value, int32_t least, int32_t most)
{
    return most < least ? (least + most) / 2 : value < least ? least : value > most ? most : value;
}

static void draw_cell(const struct frame *frame, struct rect cell, bool chosen)
{
    text_panel_sheet(frame->canvas, cell, TEXT_PANEL_PART);
    if (chosen)
        canvas_box(frame->canvas, (struct rect){cell.x + 1, cell.y + 1, cell.w - 2, cell.h - 2}, CHOSEN);
}

static void draw_emotes(const struct frame *frame, const struct quick_chat_wheel *wheel, int32_t x, int32_t y)
{
    for (uint32_t i = 0; i < QUICK_CHAT_CHOICES; i++) {
        int32_t far = PLACES[i].column && PLACES[i].row ? EMOTE_NEAR_PX : EMOTE_FAR_PX;
        struct rect cell = {x + PLACES[i].column * far - EMOTE_CELL_PX / 2, y + PLACES[i].row * far - EMOTE_CELL_PX / 2,
                            EMOTE_CELL_PX, EMOTE_CELL_PX};
        draw_cell(frame, cell, wheel->choice == i + 1);
        emotes_draw(frame->canvas, i, cell.x + 3, cell.y + 3);
    }
    if (!wheel->choice)
        return;
    const char *label = quick_chat_label(wheel->kind, wheel->choice - 1);
    enum font_face face = text_panel_face(frame);
    font_draw_outlined(frame->canvas, face, x - font_width(face, label) / 2, y + EMOTE_FAR_PX + EMOTE_CELL_PX / 2 + 5,
                       INK_GOLD, label);
}

static struct rect phrase_box(const struct frame *frame, uint32_t choice, int32_t x, int32_t y)
{
    int32_t w = font_width(text_panel_face(frame), quick_chat_label(QUICK_CHAT_PHRASES, choice)) + 9;
    int32_t column = PLACES[choice].column, row = PLACES[choice].row, beside = row ? SLANT_PX : BESIDE_PX;
    int32_t rows = column ? row : 2 * row; // those above and below keep clear of their neighbours
    int32_t left = column < 0 ? x - beside - w : column ? x + beside : x - w / 2;
    return (struct rect){left, y + rows * ROW_PX - 7, w, 14};
}

static void draw_phrases(const struct frame *frame, const struct quick_chat_wheel *wheel, int32_t x, int32_t y)
{
    for (uint32_t i = 0; i < QUICK_CHAT_CHOICES; i++) {
        struct rect box = phrase_box(frame, i, x, y);
        bool chosen = wheel->choice == i + 1;
        draw_cell(frame, box, chosen);
        font_draw_outlined(frame->canvas, text_panel_face(frame), box.x + 5, box.y + 3, chosen ? INK_GOLD : INK,
                           quick_chat_label(QUICK_CHAT_PHRASES, i));
    }
}

void quick_chat_draw(const struct frame *frame, const struct quick_chat_wheel *wheel)
{
    const struct world *world = frame->view->world;
    int32_t x = canvas_width(frame->canvas) / 2, y = canvas_height(frame->canvas) / 2;
    if (!wheel->kind)
        return;
    if (wheel->slot < world->player_slots && world->players[wheel->slot].state == PLAYER_ALIVE) {
        player_figure_feet(frame->view, wheel->slot, &x, &y);
        x = frame_x(frame, x);
        y = frame_y(frame, y - FIGURE_HEIGHT / 2);
    }
    // How far the wheel reaches to the left and to the right of its middle.
    bool has_emotes = wheel->kind == QUICK_CHAT_EMOTES;
    int32_t left = has_emotes ? EMOTE_FAR_PX + EMOTE_CELL_PX : 0, right = left;
    for (uint32_t i = 0; !has_emotes && i < QUICK_CHAT_CHOICES; i++) {
        struct rect box = phrase_box(frame, i, 0, 0);
        left = -box.x > left ? -box.x : left;
        right = box.x + box.w > right ? box.x + box.w : right;
    }
    x = clamp(x, left + TEXT_PANEL_MARGIN, canvas_width(frame->canvas) - right - TEXT_PANEL_MARGIN);
    y = clamp(y, TOP_PX, canvas_height(frame->canvas) - frame->below - BOTTOM_PX);
    if (has_emotes)
        draw_emotes(frame, wheel, x, y);
    else
        draw_phrases(frame, wheel, x, y);
}
