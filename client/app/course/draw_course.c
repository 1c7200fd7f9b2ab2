// SPDX-License-Identifier: MIT
#include "draw_course.h"

#include <stdio.h>

#include "hud/hints.h"
#include "looks/sprites.h"
#include "scene/text_panel.h"
#include "text/text.h"

#define CLOCK_Y    8
#define TASK_Y     40
#define PANEL_W    300
#define PANEL_H    104
#define GHOST_FADE 150

void draw_course_time(uint32_t ticks, char *text, size_t text_bytes)
{
    uint32_t hundredths = ticks * 100 / TICKS_PER_SECOND, minutes = hundredths / 6000;
    if (minutes > 0)
        snprintf(text, text_bytes, text_of("%u:%02u.%02u"), minutes, hundredths / 100 % 60, hundredths % 100);
    else
        snprintf(text, text_bytes, text_of("%u.%02u"), hundredths / 100, hundredths % 100);
}

argb draw_course_medal_colour(enum medal medal)
{
    static const argb COLOURS[MEDALS] = {[MEDAL_NONE] = RGB(0x54688A),
                                         [MEDAL_BRONZE] = RGB(0xC0713C),
                                         [MEDAL_SILVER] = RGB(0xC4D0DC),
                                         [MEDAL_GOLD] = RGB(0xF6C12D)};
    return COLOURS[medal];
}

const char *draw_course_medal_name(enum medal medal)
{
    switch (medal) {
    case MEDAL_NONE:
        return text_of("no medal");
    case MEDAL_BRONZE:
        return text_of("bronze");
    case MEDAL_SILVER:
        return text_of("silver");
    case MEDAL_GOLD:
        return text_of("gold");
    case MEDALS:
        break;
    }
    return "";
}

static void draw_medal(struct canvas *canvas, int32_t x, int32_t y, enum medal medal)
{
    argb colour = draw_course_medal_colour(medal);
    canvas_disc(canvas, x, y, 5, RGB(0x16181F));
    canvas_disc(canvas, x, y, 4, colour);
    canvas_disc(canvas, x, y, 2, canvas_mix(colour, RGB(0x16181F), 70));
    canvas_dot(canvas, x - 2, y - 2, RGB(0xFFFFFF));
}

void draw_course_ghosts(struct canvas *canvas, const struct course_run *run, const struct draw_course_options *options)
{
    static const argb COLOURS[COURSE_GHOSTS] = {[COURSE_GOLD] = RGB(0xFFD45A), [COURSE_OWN] = RGB(0xBFE6FF)};
    int32_t left, top;
    camera_corner(options->camera, &run->view, &left, &top);
    for (uint32_t i = 0; i < COURSE_GHOSTS; i++) {
        const struct world *world = &run->ghosts[i].world;
        const struct df_actor *body = &world->actors[0];
        struct inks inks;
        if (!options->has_ghosts || run->ghosts[i].record.ticks == 0 || world->players[0].state != PLAYER_ALIVE)
            continue;
        for (int32_t ink = 0; ink < 128; ink++)
            inks.of[ink] = ink == '.' ? 0 : COLOURS[i];
        int32_t unit = canvas_unit(canvas), w = FIGURE_WIDTH, h = FIGURE_HEIGHT;
        canvas_sprite(canvas, &SPRITE_TORSO,
                      (struct placement){.x = (body->x + body->w / 2 - left) / unit - w / 2,
                                         .y = (body->y + body->h - top) / unit - h,
                                         .mirrored = world->players[0].facing < 0,
                                         .fade = GHOST_FADE},
                      &inks);
    }
}

static enum font_face face_of(const struct draw_course_options *options)
{
    return options->large_text ? FONT_LARGE : FONT_SMALL;
}

// Without a medal for a lesson, which has none, and for a course that this version does not know.
static void draw_clock(struct canvas *canvas, const struct course *course, const struct world *world, uint32_t ticks)
{
    char time[24], wanted[24], line[TEXT_BYTES];
    bool has_medals = course && !course_is_lesson(course);
    draw_course_time(ticks, time, sizeof time);
    snprintf(line, sizeof line, "%s  %d/%d", time, world->players[0].score, world->rules.score_limit);
    int32_t medal_px = has_medals ? 84 : 0, w = font_width(FONT_LARGE, line) + 16 + medal_px,
            x = (canvas_width(canvas) - w) / 2;
    text_panel_sheet(canvas, (struct rect){x, CLOCK_Y - 5, w, 18}, TEXT_PANEL_PART);
    font_draw(canvas, FONT_LARGE, x + 8, CLOCK_Y, INK, line);
    if (!has_medals)
        return;
    enum medal medal = course_medal(course, ticks > 0 ? ticks : 1);
    draw_course_time(course_medal_ticks(course, medal), wanted, sizeof wanted);
    draw_medal(canvas, x + w - 62, CLOCK_Y + 4, medal);
    if (medal != MEDAL_NONE)
        font_draw(canvas, FONT_SMALL, x + w - 52, CLOCK_Y, INK_DIM, wanted);
}

void draw_course_clock(struct canvas *canvas, const struct view *view)
{
    draw_clock(canvas, course_of_name(view->map->name), view->confirmed, view->confirmed->tick);
}

static void draw_task(struct canvas *canvas, const struct course_run *run, const struct draw_course_options *options)
{
    const struct course *course = run->course;
    enum font_face face = face_of(options);
    uint32_t at = course_run_task(run);
    at = at < COURSE_TASKS ? at : COURSE_TASKS - 1;
    while (at > 0 && course->tasks[at] == NULL)
        at--;
    static const struct {
        uint32_t button;
        enum player_action action;
    } CAPS[] = {{BUTTON_LEFT, ACTION_LEFT}, {BUTTON_RIGHT, ACTION_RIGHT}, {BUTTON_DOWN, ACTION_DOWN},
                {BUTTON_JUMP, ACTION_JUMP}, {BUTTON_DASH, ACTION_DASH},   {BUTTON_SHOOT, ACTION_SHOOT}};
    char names[sizeof CAPS / sizeof *CAPS][32];
    uint32_t count = 0;
    int32_t caps_px = 0;
    for (size_t i = 0; i < sizeof CAPS / sizeof *CAPS; i++)
        if (course->buttons[at] & CAPS[i].button) {
            hints_name(options->hints, CAPS[i].action, names[count], sizeof names[count]);
            caps_px += keycap_width(face, names[count++]) + 6;
        }
    const char *task = text_of(course->tasks[at]);
    int32_t w = caps_px + font_width(face, task), x = (canvas_width(canvas) - w) / 2;
    text_panel_sheet(canvas, (struct rect){x - 8, TASK_Y - 6, w + 16, 19}, TEXT_PANEL_PART);
    struct keycap_pen pen = {canvas, face, x, TASK_Y};
    for (uint32_t i = 0; i < count; i++) {
        keycap_draw(&pen, names[i]);
        pen.x += 5;
    }
    font_draw(canvas, face, x + caps_px, TASK_Y, INK_GOLD, task);
}

static const char *again_key(const struct draw_course_options *options)
{
    return options->hints->by_gamepad ? pad_glyphs_name(options->hints->family, GAMEPAD_BUTTON_BACK) : "R";
}

static const char *menu_key(const struct draw_course_options *options)
{
    return options->hints->by_gamepad ? pad_glyphs_name(options->hints->family, GAMEPAD_BUTTON_START) : text_of("Esc");
}

static void draw_end(struct canvas *canvas, const struct course_run *run, const struct draw_course_options *options)
{
    enum medal medal = course_medal(run->course, run->record.ticks);
    enum font_face face = face_of(options);
    char time[24], best[24], gold[24], line[TEXT_BYTES];
    int32_t x = (canvas_width(canvas) - PANEL_W) / 2, y = (canvas_height(canvas) - PANEL_H) / 2;
    draw_course_time(run->record.ticks, time, sizeof time);
    draw_course_time(run->ghosts[COURSE_OWN].record.ticks, best, sizeof best);
    draw_course_time(run->course->gold_ticks, gold, sizeof gold);
    text_panel_sheet(canvas, (struct rect){x, y, PANEL_W, PANEL_H}, 225);
    text_panel_centred(canvas, FONT_LARGE, y + 12, INK_GOLD, text_of(run->course->title));
    if (course_is_lesson(run->course)) {
        text_panel_centred(canvas, FONT_LARGE, y + 36, INK, text_of("Learned!"));
    } else {
        draw_medal(canvas, canvas_width(canvas) / 2 - font_width(FONT_LARGE, time) / 2 - 12, y + 40, medal);
        text_panel_centred(canvas, FONT_LARGE, y + 36, draw_course_medal_colour(medal), time);
        bool is_record = run->best_before_ticks == 0 || run->record.ticks < run->best_before_ticks;
        snprintf(line, sizeof line,
                 is_record ? text_of("Your best time. Gold: %s") : text_of("Your best: %s. Gold: %s"),
                 is_record ? gold : best, gold);
        text_panel_centred(canvas, face, y + 56, INK_DIM, line);
    }
    char jump[32];
    hints_name(options->hints, ACTION_JUMP, jump, sizeof jump);
    struct keycap_hint hints[] = {
        {{jump}, text_of("next")}, {{again_key(options)}, text_of("again")}, {{menu_key(options)}, text_of("menu")}};
    uint32_t first = !course_run_leads_on(run), end = options->hints->by_touch ? 1 : 3;
    if (first < end)
        keycap_row((struct keycap_pen){canvas, face, canvas_width(canvas) / 2, y + PANEL_H - 20}, hints + first,
                   end - first);
}

void draw_course_hud(struct canvas *canvas, const struct course_run *run, const struct draw_course_options *options)
{
    draw_clock(canvas, run->course, &run->world, run->world.tick > 2 ? course_run_ticks(run) : 0);
    if (run->is_done) {
        draw_end(canvas, run, options);
        return;
    }
    draw_task(canvas, run, options);
    const char *ghosts =
        options->hints->by_gamepad ? pad_glyphs_name(options->hints->family, GAMEPAD_BUTTON_RIGHT_SHOULDER) : "F";
    struct keycap_hint again = {{again_key(options)}, text_of("again")}, menu = {{menu_key(options)}, text_of("menu")};
    bool shows_ghosts = run->ghosts[COURSE_GOLD].record.ticks || run->ghosts[COURSE_OWN].record.ticks;
    struct keycap_hint hints[3] = {again, menu, menu};
    if (shows_ghosts)
        hints[1] = (struct keycap_hint){{ghosts}, text_of("ghosts")};
    if (run->world.tick == 2 && !options->hints->by_touch)
        keycap_row((struct keycap_pen){canvas, face_of(options), canvas_width(canvas) / 2, canvas_height(canvas) - 16},
                   hints, shows_ghosts ? 3 : 2);
}
