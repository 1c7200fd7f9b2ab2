// SPDX-License-Identifier: MIT
#include "hud.h"

#include <stdio.h>

#include "hints.h"
#include "scene/text_panel.h"
#include "text/text.h"

#define ROW_PX   17
#define APART_PX 12 ///< between two choices
#define SIDE_PX  12 ///< beside a line
#define OWN_PX   3  ///< by which the mark of the voter's choice exceeds the text
// The choices, and what a gamepad's button does.
#define PARTS_MAX (VOTE_CHOICE_CAPACITY + 1)

// One choice, or the gamepad's button.
struct part {
    const char *key; ///< on its cap; null: it has none
    char text[TEXT_BYTES + 16];
    bool own;
};

// What players press: for yes, for no, and on a gamepad for the next choice; empty: nothing.
struct vote_keys {
    char yes[32], no[32], next[32];
};

static struct vote_keys name_keys(const struct hints *hints)
{
    struct vote_keys keys = {"", "", ""};
    if (!hints || !hints->controls)
        return keys;
    if (hints->by_gamepad)
        hints_match_name(hints, MATCH_CHOICE, keys.next, sizeof keys.next);
    else { // votes are of the first set alone
        hints_key_name((uint32_t)hints->controls->match_keys[0][MATCH_YES], keys.yes, sizeof keys.yes);
        hints_key_name((uint32_t)hints->controls->match_keys[0][MATCH_NO], keys.no, sizeof keys.no);
    }
    return keys;
}

static int32_t width_of(enum font_face face, const struct part *part)
{
    return part->key ? keycap_hint_width(face, part->key, part->text) : font_width(face, part->text);
}

static uint32_t list_parts(const struct vote_message *vote, const struct vote_keys *keys, struct part parts[PARTS_MAX])
{
    static const char *const NUMBERS[] = {"1", "2", "3", "4", "5", "6"};
    const char *const yes_no[] = {keys->yes[0] ? keys->yes : NULL, keys->no[0] ? keys->no : NULL};
    _Static_assert(sizeof NUMBERS / sizeof *NUMBERS == VOTE_CHOICE_CAPACITY, "each choice has a key");
    uint32_t count = vote->choice_count < VOTE_CHOICE_CAPACITY ? vote->choice_count : VOTE_CHOICE_CAPACITY;
    for (uint32_t i = 0; i < count; i++) {
        parts[i] = (struct part){.key = keys->next[0] ? NULL
                                        : count > 2   ? NUMBERS[i]
                                                      : yes_no[i],
                                 .own = vote->own == i + 1};
        char words[TEXT_BYTES];
        server_lines_translate(text_map_title(vote->choices[i].text), words);
        snprintf(parts[i].text, sizeof parts[i].text, "%s: %u", words, vote->choices[i].votes);
    }
    if (keys->next[0]) {
        parts[count] = (struct part){.key = keys->next};
        snprintf(parts[count++].text, sizeof parts->text, "%s", text_of("next choice"));
    }
    return count;
}

// Returns how many parts from `first` on stand in one line, and where it begins.
static uint32_t take_line(const struct frame *frame, const struct part *parts, uint32_t first, uint32_t count,
                          struct rect *line)
{
    enum font_face face = text_panel_face(frame);
    uint32_t end = first + 1;
    line->w = width_of(face, &parts[first]);
    while (end < count && line->w + APART_PX + width_of(face, &parts[end]) <= canvas_width(frame->canvas) - 2 * SIDE_PX)
        line->w += APART_PX + width_of(face, &parts[end++]);
    line->x = (canvas_width(frame->canvas) - line->w) / 2;
    return end;
}

int32_t vote_panel_draw(const struct frame *frame, const struct vote_message *vote, const struct hints *hints,
                        int32_t y)
{
    struct vote_keys keys = name_keys(hints);
    struct part parts[PARTS_MAX];
    uint32_t count = list_parts(vote, &keys, parts), first = 0;
    char question[TEXT_BYTES], text[TEXT_BYTES + 16];
    server_lines_translate(vote->question, question);
    snprintf(text, sizeof text, "%s   %u s", question, (vote->ticks_left + TICKS_PER_SECOND - 1) / TICKS_PER_SECOND);
    enum font_face face = text_panel_face(frame);
    text_panel_backed(frame->canvas, face, y, INK_GOLD, text);
    for (y += ROW_PX; first < count; y += ROW_PX) {
        struct rect line;
        uint32_t end = take_line(frame, parts, first, count, &line);
        text_panel_sheet(frame->canvas, (struct rect){line.x - 8, y - 5, line.w + 16, ROW_PX}, TEXT_PANEL_PART);
        for (; first < end; first++) {
            const struct part *part = &parts[first];
            int32_t w = width_of(face, part), x = line.x + (part->key ? keycap_width(face, part->key) + 4 : 0);
            if (part->own)
                canvas_box(frame->canvas, (struct rect){x - OWN_PX, y - 3, line.x + w - x + 2 * OWN_PX, 13},
                           RGB(0x6A4A1A));
            if (part->key)
                keycap_draw(&(struct keycap_pen){frame->canvas, face, line.x, y}, part->key);
            font_draw_outlined(frame->canvas, face, x, y, part->own ? INK_GOLD : INK, part->text);
            line.x += w + APART_PX;
        }
    }
    return y - 5;
}

uint32_t vote_panel_at(const struct frame *frame, const struct vote_message *vote, const struct hints *hints,
                       int32_t top, int32_t x, int32_t y)
{
    struct vote_keys keys = name_keys(hints);
    struct part parts[PARTS_MAX];
    uint32_t count = list_parts(vote, &keys, parts);
    int32_t row_y = top + ROW_PX;
    for (uint32_t first = 0; first < count; row_y += ROW_PX) {
        struct rect line;
        uint32_t end = take_line(frame, parts, first, count, &line);
        for (; first < end; first++) {
            int32_t w = width_of(text_panel_face(frame), &parts[first]) + APART_PX;
            bool is_last = end == count;
            if (x >= line.x - APART_PX / 2 && x < line.x + w - APART_PX / 2 && y >= row_y - 5 &&
                y < row_y - 5 + (is_last ? 2 : 1) * ROW_PX)
                return first;
            line.x += w;
        }
    }
    return VOTE_CHOICE_CAPACITY;
}
