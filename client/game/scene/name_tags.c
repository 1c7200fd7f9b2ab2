// SPDX-License-Identifier: MIT
#include "painters.h"

#include "draw_player.h"
#include "looks/sprites.h"
#include "window/font.h"

#define BUBBLE_PX       (EMOTE_PX + 6)
#define TAIL_PX         3 ///< of a bubble
#define BELOW_PX        4 ///< from a figure to the name below it
#define MOVES_BELOW_MAX 2
#define MOVES_MAX       8 ///< a name that would rise further overlaps another

// The names and emotes that stand already, and the figures.
struct tags {
    struct rect rects[2 * PLAYER_CAPACITY], figures[PLAYER_CAPACITY];
    uint32_t count, figure_count;
};

// Returns the first of some rectangles that overlaps a name; NULL: none does.
static const struct rect *find_overlap(const struct rect *rects, uint32_t count, const struct rect *tag)
{
    for (uint32_t i = 0; i < count; i++) {
        const struct rect *other = &rects[i];
        if (tag->x < other->x + other->w && other->x < tag->x + tag->w && tag->y < other->y + other->h &&
            other->y < tag->y + tag->h)
            return other;
    }
    return NULL;
}

// Returns what stands in the way of a name; NULL: none does.
static const struct rect *in_the_way(const struct tags *tags, const struct rect *tag)
{
    return find_overlap(tags->rects, tags->count, tag);
}

static bool covers_a_figure(const struct tags *tags, const struct rect *tag)
{
    return find_overlap(tags->figures, tags->figure_count, tag);
}

// Draws a bubble that points at what is below row `bottom`.
static void draw_bubble(const struct frame *frame, uint32_t emote, int32_t middle, int32_t bottom)
{
    argb white = RGB(0xFBF6E9), outline = RGB(0x1A1420);
    int32_t x = middle - BUBBLE_PX / 2, y = bottom - BUBBLE_PX - TAIL_PX;
    canvas_box(frame->canvas, (struct rect){x + 1, y, BUBBLE_PX - 2, BUBBLE_PX}, outline);
    canvas_box(frame->canvas, (struct rect){x, y + 1, BUBBLE_PX, BUBBLE_PX - 2}, outline);
    canvas_box(frame->canvas, (struct rect){x + 1, y + 1, BUBBLE_PX - 2, BUBBLE_PX - 2}, white);
    for (int32_t row = 0; row < TAIL_PX; row++) {
        int32_t half = TAIL_PX - 1 - row, top = y + BUBBLE_PX - 1 + row;
        canvas_box(frame->canvas, (struct rect){middle - half - 1, top, 2 * half + 3, 1}, outline);
        canvas_box(frame->canvas, (struct rect){middle - half, top, 2 * half + 1, 1}, white);
    }
    emotes_draw(frame->canvas, emote, middle - EMOTE_PX / 2, y + 3);
}

static void draw_emote(struct tags *tags, const struct frame *frame, uint32_t slot, int32_t bottom)
{
    struct rect figure = draw_player_box(frame, slot);
    int32_t middle = figure.x + figure.w / 2, tall = BUBBLE_PX + TAIL_PX;
    if (!frame->heads || !frame->heads->emotes[slot])
        return;
    draw_bubble(frame, frame->heads->emotes[slot] - 1u, middle, bottom);
    tags->rects[tags->count++] = (struct rect){middle - BUBBLE_PX / 2, bottom - tall, BUBBLE_PX, tall};
}

// A name that would cover another player over its own stands below their feet, if that is free. Returns whether it
// does.
static bool draw_below(struct tags *tags, const struct frame *frame, uint32_t slot)
{
    struct rect tag = draw_player_name_box(frame, slot), figure = draw_player_box(frame, slot);
    if (!covers_a_figure(tags, &tag))
        return false;
    tag.y = figure.y + figure.h + BELOW_PX;
    const struct rect *other = in_the_way(tags, &tag);
    for (uint32_t moves = 0; other && moves < MOVES_BELOW_MAX; moves++) {
        tag.y = other->y + other->h;
        other = in_the_way(tags, &tag);
    }
    if (tag.y + tag.h > canvas_height(frame->canvas) - frame->below || covers_a_figure(tags, &tag) || other)
        return false;
    tags->rects[tags->count++] = tag;
    draw_player_name(frame, slot, tag.y);
    draw_emote(tags, frame, slot, draw_player_name_box(frame, slot).y + FONT_LINE_PX);
    return true;
}

static void draw_tag(struct tags *tags, const struct frame *frame, uint32_t slot)
{
    struct rect tag = draw_player_name_box(frame, slot);
    if (draw_below(tags, frame, slot))
        return;
    const struct rect *other = in_the_way(tags, &tag);
    for (uint32_t moves = 0; other && moves < MOVES_MAX; moves++) {
        tag.y = other->y - tag.h;
        other = in_the_way(tags, &tag);
    }
    tags->rects[tags->count++] = tag;
    draw_player_name(frame, slot, tag.y);
    draw_emote(tags, frame, slot, tag.y - 1);
}

void name_tags_draw(const struct frame *frame, const struct scene *scene)
{
    const struct world *world = frame->view->world;
    struct tags tags = {.count = 0};
    for (uint32_t slot = 0; slot < world->player_slots; slot++)
        if (scene->figures[slot].seen)
            tags.figures[tags.figure_count++] = draw_player_box(frame, slot);
    for (uint32_t pass = 0; pass < 2; pass++)
        for (uint32_t slot = 0; slot < world->player_slots; slot++) {
            bool local = view_is_own(frame->view, slot), own = local && !view_is_shared(frame->view);
            if (local != (pass == 0) || !scene->figures[slot].seen)
                continue;
            bool is_nameless = frame->heads && frame->heads->nameless[slot];
            if ((own && world->players[slot].shield_until <= world->tick) || is_nameless)
                draw_emote(&tags, frame, slot, draw_player_name_box(frame, slot).y + FONT_LINE_PX);
            else
                draw_tag(&tags, frame, slot);
        }
}
