// SPDX-License-Identifier: MIT
#include "chat_panel.h"

#include <stdio.h>
#include <string.h>

#include "base/utf8.h"
#include "quick_chat.h"
#include "scene/draw_player.h"
#include "scene/text_panel.h"
#include "sync/player_name.h"
#include "text/text.h"

#define WIDTH_PX 300 ///< width of a line at most; longer ones are wrapped
#define ROWS_MAX 8
#define TOP_PX   66 ///< the ranking is above

void chat_panel_heads(const struct chat_panel *chat, uint64_t now_us, struct frame_heads *heads)
{
    *heads = (struct frame_heads){{0}, {0}};
    for (uint32_t slot = 0; slot < PLAYER_CAPACITY; slot++)
        if (chat->emotes[slot].until_us > now_us)
            heads->emotes[slot] = (uint8_t)chat->emotes[slot].emote;
}

void chat_panel_add(struct chat_panel *chat, const struct chat_line *line, const struct world *world, uint64_t now_us)
{
    const struct player *by = line->from && line->from <= PLAYER_CAPACITY ? &world->players[line->from - 1] : NULL;
    uint32_t emote = by && !line->flags ? quick_chat_emote(line->text) : 0; // whispers are only text
    if (emote && by->state == PLAYER_ALIVE) {
        chat->emotes[line->from - 1] = (struct chat_panel_emote){emote, now_us + QUICK_CHAT_EMOTE_US};
        return;
    }
    char text[TEXT_BYTES];
    if (line->from)
        utf8_copy(text, sizeof text, quick_chat_text(line->text));
    else
        server_lines_translate(line->text, text);
    struct chat_panel_line *shown = &chat->lines[chat->count++ % CHAT_PANEL_CAPACITY];
    *shown = (struct chat_panel_line){.flags = line->flags, .until_us = now_us + CHAT_PANEL_LINE_US};
    utf8_copy(shown->text, sizeof shown->text, text);
    if (by) {
        player_name_to_text(by->name, shown->name);
        shown->colour = by->colour;
    }
    if (chat->back > 0) // keeps older lines in place for their reader
        chat_panel_scroll(chat, 1);
}

void chat_panel_open(struct chat_panel *chat, bool to_team)
{
    chat->typing = true;
    chat->to_team = to_team;
    chat->back = 0;
    chat->typed[0] = 0;
}

void chat_panel_type(struct chat_panel *chat, const char *text)
{
    size_t length = strlen(chat->typed), more = strlen(text);
    if (chat->typing && length + more < sizeof chat->typed)
        memcpy(chat->typed + length, text, more + 1);
}

void chat_panel_erase(struct chat_panel *chat)
{
    chat->typed[utf8_previous(chat->typed, strlen(chat->typed))] = 0;
}

void chat_panel_scroll(struct chat_panel *chat, int32_t up)
{
    int32_t kept = (int32_t)(chat->count < CHAT_PANEL_CAPACITY ? chat->count : CHAT_PANEL_CAPACITY),
            back = (int32_t)chat->back + up;
    chat->back = (uint32_t)(back >= kept ? kept - 1 : back);
    if (back < 0 || kept == 0 || !chat->typing)
        chat->back = 0;
}

bool chat_panel_submit(struct chat_panel *chat, char text[CHAT_SEND_BYTES_MAX + 1])
{
    memcpy(text, chat->typed, sizeof chat->typed);
    chat_panel_cancel(chat);
    return text[strspn(text, " ")];
}

void chat_panel_cancel(struct chat_panel *chat)
{
    chat->typing = false;
    chat->typed[0] = 0;
}

// Draws a line above row `y`. Returns the row above it.
static int32_t draw_line(const struct frame *frame, const struct chat_panel_line *line, int32_t y)
{
    enum font_face face = text_panel_face(frame);
    char head[PLAYER_NAME_BYTES + 48] = "", rows[ROWS_MAX][TEXT_PANEL_LINE_BYTES];
    if (line->name[0])
        snprintf(head, sizeof head, "%s%s:", line->name,
                 line->flags & CHAT_TEAM      ? text_of(" (team)")
                 : line->flags & CHAT_PRIVATE ? text_of(" (whispers)")
                                              : "");
    int32_t indent = head[0] ? font_width(face, head) + 5 : 0, count = 0;
    for (const char *rest = line->text;
         count < ROWS_MAX && text_panel_take_line(&rest, face, WIDTH_PX - indent, rows[count]);)
        count++;
    y -= count * FONT_LINE_PX;
    int32_t w = 0;
    for (int32_t i = 0; i < count; i++)
        w = font_width(face, rows[i]) > w ? font_width(face, rows[i]) : w;
    struct text_panel_beneath beneath;
    text_panel_keep(&beneath, frame->canvas,
                    (struct rect){TEXT_PANEL_MARGIN - 3, y - 2, indent + w + 8, count * FONT_LINE_PX + 2});
    text_panel_sheet(frame->canvas, beneath.area, TEXT_PANEL_PART);
    text_panel_show_through(frame, &beneath); // before the text, which stays whole
    font_draw_outlined(frame->canvas, face, TEXT_PANEL_MARGIN, y,
                       palette_player_light(frame->display->colour_vision, line->colour), head);
    for (int32_t i = 0; i < count; i++)
        font_draw_outlined(frame->canvas, face, TEXT_PANEL_MARGIN + indent, y + i * FONT_LINE_PX,
                           line->name[0] ? INK : INK_GOLD, rows[i]);
    return y - 3;
}

void chat_panel_draw(const struct frame *frame, const struct chat_panel *chat, int32_t bottom, uint64_t now_us)
{
    int32_t y = bottom - (chat->typing ? FONT_LINE_PX + 8 : 0);
    if (chat->typing) { // the end of what is being typed is always visible
        enum font_face face = text_panel_face(frame);
        const char *to = chat->to_team ? text_of("Team:") : text_of("All:");
        int32_t to_px = font_width(face, to) + 5, x = TEXT_PANEL_MARGIN + to_px, typed_y = bottom - FONT_LINE_PX;
        const char *text = text_panel_tail(face, chat->typed, WIDTH_PX - to_px);
        text_panel_sheet(frame->canvas,
                         (struct rect){TEXT_PANEL_MARGIN - 3, typed_y - 3, WIDTH_PX + 8, FONT_LINE_PX + 4}, 225);
        font_draw(frame->canvas, face, TEXT_PANEL_MARGIN, typed_y, INK_GOLD, to);
        font_draw(frame->canvas, face, x, typed_y, INK, text);
        if (frame->tick / 20 % 2 || frame->display->reduced_motion)
            canvas_box(frame->canvas, (struct rect){x + font_width(face, text) + 2, typed_y - 1, 1, 9}, INK_GOLD);
    }
    uint32_t first = chat->typing ? chat->back : 0, most = chat->typing ? CHAT_PANEL_CAPACITY : CHAT_PANEL_LINES;
    for (uint32_t i = first; i < most && i < chat->count && y > TOP_PX; i++) {
        const struct chat_panel_line *line = &chat->lines[(chat->count - 1 - i) % CHAT_PANEL_CAPACITY];
        if (line->until_us > now_us || chat->typing)
            y = draw_line(frame, line, y);
    }
}
