// SPDX-License-Identifier: MIT
#include "hud.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "core/pose.h"
#include "looks/sprites.h"
#include "scene/text_panel.h"
#include "sync/player_name.h"

#define BAR_PX       22
#define CLEAR_PX     18 ///< from a kill to a bar, for figures and marks
#define REACH_PX     12 ///< from a victim to the solid that squished them, at most
#define CAUSE_GAP_PX 8  ///< between the picture of the cause and the sentence
#define MARK_PX      13 ///< from the middle of a marked player to the mark
#define MARK_ARM_PX  5
#define ORANGE       RGB(0xFF9A3C)

// The phrases of a cause: by somebody else, by nobody, by the victim.
struct phrases {
    const char *by_other, *by_nobody, *by_own;
};

static const struct phrases PHRASES[DEATH_CAUSES] = {
    [DEATH_ARROW] = {TEXT_KEY("{killer} shot {victim}"), TEXT_KEY("An arrow hit {victim}"),
                     TEXT_KEY("{victim} met their own arrow")},
    [DEATH_STOMP] = {TEXT_KEY("{killer} stomped on {victim}"), TEXT_KEY("{victim} was stomped"),
                     TEXT_KEY("{victim} was stomped")},
    [DEATH_SQUISH] = {TEXT_KEY("{killer} got {victim} squished"), TEXT_KEY("{victim} was squished"),
                      TEXT_KEY("{victim} was squished")},
    [DEATH_HAZARD] = {TEXT_KEY("{killer} pushed {victim} onto the spikes"), TEXT_KEY("{victim} found the spikes"),
                      TEXT_KEY("{victim} found the spikes")},
    [DEATH_FALL] = {TEXT_KEY("{killer} pushed {victim} out of the arena"), TEXT_KEY("{victim} fell out of the arena"),
                    TEXT_KEY("{victim} fell out of the arena")},
    [DEATH_BALL] = {TEXT_KEY("{killer} hit {victim} with a ball"), TEXT_KEY("A ball hit {victim}"),
                    TEXT_KEY("{victim} met their own ball")},
    [DEATH_BOMB] = {TEXT_KEY("{killer} blew up {victim}"), TEXT_KEY("A bomb blew up {victim}"),
                    TEXT_KEY("{victim} met their own bomb")},
};

static const struct phrases WALLS = {TEXT_KEY("{killer} left {victim} to the walls"),
                                     TEXT_KEY("The walls squished {victim}"), TEXT_KEY("The walls squished {victim}")};

static const struct phrases SQUISHES[MAP_SOLID_KINDS] = {
    [MAP_SOLID_MOVER] = {TEXT_KEY("{killer} squished {victim} with a platform"),
                         TEXT_KEY("A platform squished {victim}"), TEXT_KEY("A platform squished {victim}")},
    [MAP_SOLID_CRUSHER] = {TEXT_KEY("{killer} squished {victim} with a crusher"),
                           TEXT_KEY("A crusher squished {victim}"), TEXT_KEY("A crusher squished {victim}")},
    [MAP_SOLID_DOOR] = {TEXT_KEY("{killer} squished {victim} with a door"), TEXT_KEY("A door squished {victim}"),
                        TEXT_KEY("A door squished {victim}")},
    [MAP_SOLID_CONVEYOR] = {TEXT_KEY("{killer} squished {victim} on a conveyor"),
                            TEXT_KEY("A conveyor squished {victim}"), TEXT_KEY("A conveyor squished {victim}")},
    [MAP_SOLID_LIFT] = {TEXT_KEY("{killer} squished {victim} with a lift"), TEXT_KEY("A lift squished {victim}"),
                        TEXT_KEY("A lift squished {victim}")},
};

// Returns how far a point is outside of a box along an axis.
static int32_t outside(int32_t at, int32_t from, int32_t size)
{
    return at < from ? from - at : at > from + size ? at - from - size : 0;
}

struct kill_story kill_story_of(const struct map *map, const struct world *world, const struct event *kill)
{
    struct kill_story story = {*kill, KILL_STORY_NO_SOLID};
    int32_t nearest = REACH_PX + 1;
    for (uint32_t i = 0; kill->detail == DEATH_SQUISH && i < world->solid_count; i++) {
        const struct df_solid *solid = &world->solids[i];
        int32_t dx = outside(kill->x, solid->x, solid->w), dy = outside(kill->y, solid->y, solid->h);
        // Of a crusher and what the victim stood on, it was the crusher.
        bool falls = i < (uint32_t)map->solid_count && map->solids[i].kind == MAP_SOLID_CRUSHER;
        int32_t away = (dx > dy ? dx : dy) - (falls ? 4 : 0);
        if (!(solid->flags & DF_SOLID_PRESENT) || away >= nearest)
            continue;
        nearest = away;
        story.solid = i;
    }
    return story;
}

static const char *phrase_of(const struct view *view, const struct kill_story *story)
{
    const struct event *kill = &story->kill;
    uint32_t cause = kill->detail < DEATH_CAUSES ? kill->detail : DEATH_ARROW;
    uint32_t of_map = (uint32_t)view->map->solid_count;
    const struct phrases *of = &PHRASES[cause];
    if (cause == DEATH_SQUISH && story->solid < view->world->solid_count)
        of = story->solid >= of_map ? &WALLS : &SQUISHES[view->map->solids[story->solid].kind];
    return text_of(kill->other >= PLAYER_CAPACITY ? of->by_nobody
                   : kill->other == kill->subject ? of->by_own
                                                  : of->by_other);
}

// A part of a sentence: words, or a name in the colour of its player.
struct part {
    char text[TEXT_BYTES];
    argb ink;
};

static void name_part(const struct frame *frame, const struct view *view, uint32_t slot, struct part *part)
{
    char name[TEXT_BYTES];
    snprintf(name, sizeof name, "%s", text_of("nobody"));
    if (slot < PLAYER_CAPACITY) {
        player_name_to_text(view->world->players[slot].name, name);
        if (frame)
            part->ink = palette_player_light(frame->display->colour_vision, view->world->players[slot].colour);
    }
    snprintf(part->text, sizeof part->text, "%s", name);
}

// Takes the next part of a sentence. Returns false at its end. Without a frame, parts have no colour.
static bool take_part(const struct frame *frame, const struct view *view, const struct kill_story *story,
                      const char **phrase, struct part *part)
{
    static const char KILLER[] = "{killer}", VICTIM[] = "{victim}";
    part->ink = INK;
    if (!strncmp(*phrase, KILLER, sizeof KILLER - 1)) {
        name_part(frame, view, story->kill.other, part);
        *phrase += sizeof KILLER - 1;
        return true;
    }
    if (!strncmp(*phrase, VICTIM, sizeof VICTIM - 1)) {
        name_part(frame, view, story->kill.subject, part);
        *phrase += sizeof VICTIM - 1;
        return true;
    }
    int length = (int)strcspn(*phrase, "{");
    snprintf(part->text, sizeof part->text, "%.*s", length, *phrase);
    *phrase += length;
    return length > 0;
}

void kill_story_text(const struct view *view, const struct kill_story *story, char text[TEXT_BYTES])
{
    const char *phrase = phrase_of(view, story);
    struct part part;
    text[0] = 0;
    while (take_part(NULL, view, story, &phrase, &part))
        strncat(text, part.text, TEXT_BYTES - 1 - strlen(text));
}

// Draws the corners of a box.
static void draw_corners(const struct frame *frame, struct rect box, argb colour)
{
    int32_t right = box.x + box.w, bottom = box.y + box.h;
    for (int32_t pass = 1; pass >= 0; pass--)
        for (int32_t corner = 0; corner < 4; corner++) {
            int32_t x = corner % 2 ? right - MARK_ARM_PX : box.x, y = corner / 2 ? bottom : box.y;
            int32_t up = corner / 2 ? bottom - MARK_ARM_PX : box.y, side = corner % 2 ? right : box.x;
            argb ink = pass ? RGB(0x14121C) : colour;
            canvas_box(frame->canvas, (struct rect){x - pass, y - pass, MARK_ARM_PX + 1 + 2 * pass, 1 + 2 * pass}, ink);
            canvas_box(frame->canvas, (struct rect){side - pass, up - pass, 1 + 2 * pass, MARK_ARM_PX + 1 + 2 * pass},
                       ink);
        }
}

static void mark_place(const struct frame *frame, int32_t x_px, int32_t y_px, argb colour)
{
    draw_corners(
        frame, (struct rect){frame_x(frame, x_px) - MARK_PX, frame_y(frame, y_px) - MARK_PX, 2 * MARK_PX, 2 * MARK_PX},
        colour);
}

static void mark_player(const struct frame *frame, uint32_t slot, argb colour)
{
    const struct df_actor *actor = &frame->view->world->actors[slot];
    const struct view_point *at = &frame->view->actors[slot];
    if (view_shows(frame->view, slot))
        mark_place(frame, frame_px(at->x) + actor->w / 2, frame_px(at->y) + actor->h / 2, colour);
}

static void mark_cause(const struct frame *frame, const struct kill_story *story)
{
    const struct view *view = frame->view;
    if (story->solid < (uint32_t)view->map->solid_count) {
        const struct df_solid *solid = &view->world->solids[story->solid];
        int32_t unit = canvas_unit(frame->canvas);
        draw_corners(frame,
                     (struct rect){frame_x(frame, frame_px(view->solids[story->solid].x)) - 3,
                                   frame_y(frame, frame_px(view->solids[story->solid].y)) - 3, solid->w / unit + 5,
                                   solid->h / unit + 5},
                     ORANGE);
    }
    uint32_t nearest = MAP_BALL_CAPACITY;
    int32_t least = INT32_MAX;
    for (uint32_t i = 0; story->kill.detail == DEATH_BALL && i < view->world->ball_count; i++) {
        int32_t away =
            abs(frame_px(view->balls[i].x) - story->kill.x) + abs(frame_px(view->balls[i].y) - story->kill.y);
        nearest = away < least ? i : nearest;
        least = away < least ? away : least;
    }
    if (nearest < MAP_BALL_CAPACITY)
        mark_place(frame, frame_px(view->balls[nearest].x), frame_px(view->balls[nearest].y), ORANGE);
}

// Returns the height of the lower bar, which stands on the bar of a replay.
static int32_t lower_bar_px(const struct frame *frame)
{
    return BAR_PX + frame->below;
}

int32_t kill_story_shift(const struct frame *frame, const struct kill_story *story)
{
    int32_t y = frame_y(frame, story->kill.y), lower = lower_bar_px(frame);
    int32_t clear = number_clamp(y, BAR_PX + CLEAR_PX, canvas_height(frame->canvas) - lower - CLEAR_PX);
    return number_clamp(clear - y, -lower, BAR_PX) * canvas_arena_unit(frame->canvas);
}

void kill_story_draw(const struct frame *frame, const struct kill_story *story)
{
    static const struct inks PICTURE = {.of = {['#'] = RGB(0xF2ECDD)}};
    const struct event *kill = &story->kill;
    mark_cause(frame, story);
    if (kill->other < PLAYER_CAPACITY && kill->other != kill->subject)
        mark_player(frame, kill->other, INK_GOLD);
    if (kill->subject < PLAYER_CAPACITY && view_shows(frame->view, kill->subject))
        mark_player(frame, kill->subject, INK_ALARM);
    else
        mark_place(frame, kill->x, kill->y, INK_ALARM);

    int32_t width = canvas_width(frame->canvas), lower = lower_bar_px(frame),
            lower_y = canvas_height(frame->canvas) - lower;
    canvas_box(frame->canvas, (struct rect){0, 0, width, BAR_PX}, RGB(0x000000));
    canvas_box(frame->canvas, (struct rect){0, lower_y, width, lower}, RGB(0x000000));
    text_panel_centred(frame->canvas, FONT_LARGE, 7, INK_GOLD, text_of("The deciding kill"));

    // In the lower bar, the picture of the cause and the sentence.
    enum font_face face = text_panel_face(frame);
    char text[TEXT_BYTES];
    kill_story_text(frame->view, story, text);
    int32_t cause_w = SPRITE_CAUSES[0].w, y = lower_y + 7;
    int32_t x = (width - font_width(face, text) - cause_w - CAUSE_GAP_PX) / 2;
    if (kill->detail < DEATH_CAUSES)
        canvas_sprite(frame->canvas, &SPRITE_CAUSES[kill->detail], (struct placement){.x = x, .y = y}, &PICTURE);
    x += cause_w + CAUSE_GAP_PX;
    const char *phrase = phrase_of(frame->view, story);
    for (struct part part; take_part(frame, frame->view, story, &phrase, &part); x += font_width(face, part.text))
        font_draw(frame->canvas, face, x, y, part.ink, part.text);
}
