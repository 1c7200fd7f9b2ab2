// SPDX-License-Identifier: MIT
#include "theatre_bar.h"

#include <stdio.h>

#include "paper.h"

#define LINE_X 92
#define LINE_W (CANVAS_WIDTH - LINE_X - 96)
#define LINE_Y (CANVAS_HEIGHT - THEATRE_BAR_PX / 2 - 2)

static const char *const HINT =
    "P pause  , . 5 s  Page 30 s  - + speed  X C players  F or Space camera by hand, arrows move it";

// minutes:seconds since the first tick.
static void tell_time(char *text, size_t text_bytes, tick ticks)
{
    uint32_t seconds = ticks / TICKS_PER_SECOND;
    snprintf(text, text_bytes, "%u:%02u", seconds / 60, seconds % 60);
}

static int32_t place_of(const struct theatre *theatre, tick moment)
{
    tick length = theatre->last - theatre->first;
    return LINE_X + (length ? (int32_t)((uint64_t)(moment - theatre->first) * LINE_W / length) : 0);
}

static void draw_sign(struct canvas *canvas, bool paused)
{
    int32_t x = 7, y = CANVAS_HEIGHT - THEATRE_BAR_PX + 4;
    for (int32_t i = 0; !paused && i < 7; i++)
        canvas_box(canvas, x, y + i, i < 4 ? 2 * i + 1 : 13 - 2 * i, 1, INK_GOLD);
    if (paused) {
        canvas_box(canvas, x, y, 2, 7, INK_GOLD);
        canvas_box(canvas, x + 4, y, 2, 7, INK_GOLD);
    }
}

static void draw_line(struct canvas *canvas, const struct theatre *theatre)
{
    int32_t now = place_of(theatre, theatre->playback.world.tick);
    canvas_box(canvas, LINE_X, LINE_Y, LINE_W, 3, RGB(0x4A4350));
    canvas_box(canvas, LINE_X, LINE_Y, now - LINE_X, 3, INK_GOLD);
    tick minute = 60 * TICKS_PER_SECOND;
    for (tick moment = theatre->first + minute; moment < theatre->last; moment += minute)
        canvas_box(canvas, place_of(theatre, moment), LINE_Y - 1, 1, 5, PAPER);
    canvas_box(canvas, now - 1, LINE_Y - 3, 3, 9, INK);
}

bool theatre_bar_moment(const struct theatre *theatre, int32_t x, int32_t y, tick *moment)
{
    if (y < CANVAS_HEIGHT - THEATRE_BAR_PX || x < LINE_X || x > LINE_X + LINE_W)
        return false;
    *moment = theatre->first + (tick)((uint64_t)(theatre->last - theatre->first) * (uint32_t)(x - LINE_X) / LINE_W);
    return true;
}

void theatre_bar_draw(const struct theatre *theatre, struct canvas *canvas)
{
    tick now = theatre->playback.world.tick;
    char text[64], time[24], whole[24];
    canvas_veil(canvas, 0, CANVAS_HEIGHT - THEATRE_BAR_PX, CANVAS_WIDTH, THEATRE_BAR_PX, PAPER, 215);
    draw_sign(canvas, theatre->paused);
    tell_time(time, sizeof time, now - theatre->first);
    tell_time(whole, sizeof whole, theatre->last - theatre->first);
    snprintf(text, sizeof text, "%s / %s", time, whole);
    font_draw(canvas, FONT_SMALL, 20, CANVAS_HEIGHT - THEATRE_BAR_PX + 4, INK, text);
    draw_line(canvas, theatre);
    snprintf(text, sizeof text, "speed %s   %s", theatre_speed_name(theatre),
             theatre->watch.mode == WATCH_FREE     ? "by hand"
             : theatre->watch.mode == WATCH_PLAYER ? "player"
                                                   : "all");
    paper_right(canvas, FONT_SMALL, CANVAS_WIDTH - 7, CANVAS_HEIGHT - THEATRE_BAR_PX + 4, INK, text);
    if (theatre->fault != REPLAY_OK)
        paper_backed(canvas, FONT_SMALL, CANVAS_HEIGHT - THEATRE_BAR_PX - 14, INK_ALARM,
                     replay_fault_sentence(theatre->fault));
    else if (theatre->paused || !theatre->touched)
        paper_backed(canvas, FONT_SMALL, CANVAS_HEIGHT - THEATRE_BAR_PX - 14, INK, HINT);
}
