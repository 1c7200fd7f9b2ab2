// SPDX-License-Identifier: MIT
#include "screen_frame.h"

#include <string.h>
#include <unistd.h>

#include "app/menu/menu_parts.h"
#include "text/text.h"
#include "window/font.h"

#define TEXTS_MAX  1024
#define TEXT_ROOM  256
#define FOCUS_MAX  8
#define HASH_BEGIN UINT64_C(14695981039346656037) // FNV-1a, with its factor
#define HASH_TIMES UINT64_C(1099511628211)

void __real_font_draw(struct canvas *canvas, enum font_face face, int32_t x, int32_t y, argb colour, const char *text);
void __wrap_font_draw(struct canvas *canvas, enum font_face face, int32_t x, int32_t y, argb colour, const char *text);
void __real_font_draw_outlined(struct canvas *canvas, enum font_face face, int32_t x, int32_t y, argb colour,
                               const char *text);
void __wrap_font_draw_outlined(struct canvas *canvas, enum font_face face, int32_t x, int32_t y, argb colour,
                               const char *text);
void __real_font_draw_huge(struct canvas *canvas, int32_t middle, int32_t y, argb colour, const char *text);
void __wrap_font_draw_huge(struct canvas *canvas, int32_t middle, int32_t y, argb colour, const char *text);
void __real_menu_parts_focus(struct canvas *canvas, struct rect rect, uint32_t anim_tick);
void __wrap_menu_parts_focus(struct canvas *canvas, struct rect rect, uint32_t anim_tick);

// One frame.
struct frame_texts {
    uint32_t count, focus_count;
    struct drawn {
        const struct canvas *canvas;
        struct rect place;
        char text[TEXT_ROOM];
    } texts[TEXTS_MAX];
    struct rect focus[FOCUS_MAX];
};
static struct frame_texts drawing, seen;

// Pictures of replays are drawn by a thread of their own.
static bool is_first_thread(void)
{
    return gettid() == getpid();
}

static void record(const struct canvas *canvas, struct rect place, const char *text)
{
    if (!*text || drawing.count == TEXTS_MAX || !is_first_thread())
        return;
    struct drawn *drawn = &drawing.texts[drawing.count++];
    drawn->canvas = canvas;
    drawn->place = place;
    snprintf(drawn->text, sizeof drawn->text, "%s", text);
}

void __wrap_font_draw(struct canvas *canvas, enum font_face face, int32_t x, int32_t y, argb colour, const char *text)
{
    record(canvas, (struct rect){x, y, font_width(face, text), FONT_LINE_PX}, text);
    __real_font_draw(canvas, face, x, y, colour, text);
}

void __wrap_font_draw_outlined(struct canvas *canvas, enum font_face face, int32_t x, int32_t y, argb colour,
                               const char *text)
{
    record(canvas, (struct rect){x, y, font_width(face, text), FONT_LINE_PX}, text);
    __real_font_draw_outlined(canvas, face, x, y, colour, text);
}

void __wrap_font_draw_huge(struct canvas *canvas, int32_t middle, int32_t y, argb colour, const char *text)
{
    record(canvas, (struct rect){middle, y, 0, FONT_HUGE * FONT_LINE_PX}, text);
    __real_font_draw_huge(canvas, middle, y, colour, text);
}

void __wrap_menu_parts_focus(struct canvas *canvas, struct rect rect, uint32_t anim_tick)
{
    if (drawing.focus_count < FOCUS_MAX && is_first_thread())
        drawing.focus[drawing.focus_count++] = rect;
    __real_menu_parts_focus(canvas, rect, anim_tick);
}

void screen_frame_end(const struct canvas *canvas)
{
    seen.count = 0;
    for (uint32_t i = 0; i < drawing.count; i++)
        if (drawing.texts[i].canvas == canvas)
            seen.texts[seen.count++] = drawing.texts[i];
    seen.focus_count = drawing.focus_count;
    memcpy(seen.focus, drawing.focus, sizeof seen.focus);
    drawing.count = drawing.focus_count = 0;
}

static const char *skip_blanks(const char *text)
{
    return text + strspn(text, " ");
}

// Returns whether `text` stands at the beginning of `line`, or goes on in the texts from number `next` on.
static bool goes_on(const char *text, const char *line, uint32_t next)
{
    while (*text && *line && *text == *line)
        text++, line++;
    if (!*text)
        return true;
    if (*skip_blanks(line) || next == seen.count)
        return false;
    return goes_on(skip_blanks(text), skip_blanks(seen.texts[next].text), next + 1);
}

bool screen_frame_sees(const char *text, struct rect *where)
{
    for (uint32_t i = 0; i < seen.count; i++)
        for (const char *at = seen.texts[i].text; *at; at++)
            if (*at == *text && goes_on(text, at, i + 1)) {
                const struct rect *place = &seen.texts[i].place;
                if (where)
                    *where = (struct rect){place->x + place->w / 2, place->y + place->h / 2, 0, 0};
                return true;
            }
    return false;
}

const char *screen_frame_find(const char *begin)
{
    for (uint32_t i = 0; i < seen.count; i++)
        if (!strncmp(seen.texts[i].text, begin, strlen(begin)))
            return seen.texts[i].text;
    return NULL;
}

static bool has_focus(const struct drawn *drawn)
{
    int32_t x = drawn->place.x + 1, y = drawn->place.y + 1;
    for (uint32_t i = 0; i < seen.focus_count; i++) {
        const struct rect *rect = &seen.focus[i];
        if (x >= rect->x && x < rect->x + rect->w && y >= rect->y && y < rect->y + rect->h)
            return true;
    }
    return false;
}

bool screen_frame_is_at(const char *text, bool begins)
{
    for (uint32_t i = 0; i < seen.count; i++) {
        const char *found = has_focus(&seen.texts[i]) ? strstr(seen.texts[i].text, text) : NULL;
        if (found && (!begins || found == seen.texts[i].text))
            return true;
    }
    return false;
}

uint64_t screen_frame_hash(void)
{
    uint64_t hash = HASH_BEGIN;
    for (uint32_t i = 0; i < seen.count; i++) {
        const struct drawn *drawn = &seen.texts[i];
        hash = (hash ^ (uint32_t)drawn->place.x) * HASH_TIMES;
        hash = (hash ^ (uint32_t)drawn->place.y) * HASH_TIMES;
        for (const char *at = drawn->text; *at; at++)
            hash = (hash ^ (uint8_t)*at) * HASH_TIMES;
    }
    return hash;
}

void screen_frame_print(FILE *out)
{
    for (uint32_t i = 0; i < seen.count; i++)
        fprintf(out, "  %c %s\n", has_focus(&seen.texts[i]) ? '>' : ' ', seen.texts[i].text);
}
