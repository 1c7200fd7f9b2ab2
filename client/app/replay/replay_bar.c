// SPDX-License-Identifier: MIT
#include "replay_bar.h"

#include <stdio.h>

#include "hud/hints.h"
#include "scene/text_panel.h"
#include "text/text.h"
#include "window/keyboard.h"
#include "window/page.h"

#define LINE_X 118
#define LINE_W (CANVAS_WIDTH - LINE_X - 236)
#define LINE_Y (CANVAS_HEIGHT - REPLAY_BAR_PX / 2 - 2)
#define TEXT_Y (CANVAS_HEIGHT - REPLAY_BAR_PX + 4)

// minutes:seconds since the first tick.
static void format_time(char *text, size_t text_bytes, tick ticks)
{
    uint32_t seconds = ticks / TICKS_PER_SECOND;
    snprintf(text, text_bytes, "%u:%02u", seconds / 60, seconds % 60);
}

static int32_t x_of(const struct replay_viewer *viewer, tick moment)
{
    tick length = viewer->last - viewer->first;
    return LINE_X + (length ? (int32_t)((uint64_t)(moment - viewer->first) * LINE_W / length) : 0);
}

static void draw_line(struct canvas *canvas, const struct replay_viewer *viewer)
{
    int32_t now = x_of(viewer, viewer->playback.world.tick);
    canvas_box(canvas, (struct rect){LINE_X, LINE_Y, LINE_W, 3}, RGB(0x4A4350));
    canvas_box(canvas, (struct rect){LINE_X, LINE_Y, now - LINE_X, 3}, INK_GOLD);
    tick minute = 60 * TICKS_PER_SECOND;
    for (tick moment = viewer->first + minute; moment < viewer->last; moment += minute)
        canvas_box(canvas, (struct rect){x_of(viewer, moment), LINE_Y - 1, 1, 5}, TEXT_PANEL_COLOUR);
    if (viewer->has_mark)
        canvas_box(canvas, (struct rect){x_of(viewer, viewer->mark) - 1, LINE_Y - 3, 2, 9}, INK_GOLD);
    canvas_box(canvas, (struct rect){now - 1, LINE_Y - 3, 3, 9}, INK);
}

// A sign above the time, and why nothing comes.
static void draw_live(struct canvas *canvas, enum font_face face, const struct replay_viewer *viewer)
{
    const char *live = text_of("LIVE"), *error = viewer->live.error.text;
    int32_t width = font_width(face, live) + 16;
    int32_t y = CANVAS_HEIGHT - REPLAY_BAR_PX - 16;
    canvas_veil(canvas, (struct rect){4, y, width, 13}, TEXT_PANEL_COLOUR, 215);
    canvas_box(canvas, (struct rect){8, y + 4, 5, 5}, INK_ALARM);
    font_draw(canvas, face, 16, y + 3, INK, live);
    if (error[0])
        text_panel_backed(canvas, face, CANVAS_HEIGHT - REPLAY_BAR_PX - 30, INK_ALARM, error);
}

void replay_bar_point(struct replay_viewer *viewer, int32_t x, int32_t y, bool clicked, bool held)
{
    bool on_bar = y >= CANVAS_HEIGHT - REPLAY_BAR_PX;
    viewer->dragged = clicked ? on_bar && x >= LINE_X && x <= LINE_X + LINE_W : viewer->dragged && held;
    if (clicked && on_bar && x < LINE_X)
        replay_viewer_act(viewer, HOTKEY_PAUSE);
    if (!viewer->dragged)
        return;
    viewer->touched = viewer->seek_wanted = true;
    int32_t at = x < LINE_X ? 0 : x > LINE_X + LINE_W ? LINE_W : x - LINE_X;
    viewer->seek_target = viewer->first + (tick)((uint64_t)(viewer->last - viewer->first) * (uint32_t)at / LINE_W);
}

// Draws what the bound keys and the fixed keys do.
static void draw_hints(struct canvas *canvas, const struct hints *hints, enum font_face face)
{
    char jump[32] = "F", dash[32], shoot[32], space[32];
    if (hints->by_gamepad)
        hints_name(hints, ACTION_JUMP, jump, sizeof jump);
    hints_key_name(KEY_SPACE, space, sizeof space);
    hints_name(hints, ACTION_DASH, dash, sizeof dash);
    hints_name(hints, ACTION_SHOOT, shoot, sizeof shoot);
    struct keycap_hint wind[] = {{{space}, text_of("pause")},
                                 {{KEYCAP_LEFT, KEYCAP_RIGHT}, text_of("5 s")},
                                 {{text_of("PgUp"), text_of("PgDn")}, text_of("30 s")},
                                 {{"-", "="}, text_of("speed")},
                                 {{"E", "G"}, text_of("clip")}};
    if (page_saves_files())
        wind[sizeof wind / sizeof *wind - 1] = (struct keycap_hint){{"E"}, text_of("save")};
    struct keycap_hint gamepad_wind[] = {{{pad_glyphs_name(hints->family, GAMEPAD_BUTTON_BACK)}, text_of("pause")},
                                         {{pad_glyphs_name(hints->family, GAMEPAD_BUTTON_LEFT_TRIGGER),
                                           pad_glyphs_name(hints->family, GAMEPAD_BUTTON_RIGHT_SHOULDER)},
                                          text_of("5 s")}};
    struct keycap_hint look[] = {
        {{dash, shoot}, text_of("players")},
        {{jump}, text_of("free camera")},
        {{hints->by_gamepad ? pad_glyphs_name(hints->family, GAMEPAD_BUTTON_START) : text_of("Esc")}, text_of("back")}};
    struct keycap_pen low = {canvas, face, CANVAS_WIDTH / 2, CANVAS_HEIGHT - REPLAY_BAR_PX - 14}, high = low;
    high.y -= 17;
    keycap_row(low, look, sizeof look / sizeof *look);
    if (hints->by_gamepad)
        keycap_row(high, gamepad_wind, sizeof gamepad_wind / sizeof *gamepad_wind);
    else
        keycap_row(high, wind, sizeof wind / sizeof *wind);
}

static const char *camera_word(const struct replay_viewer *viewer)
{
    switch (viewer->spectator.mode) {
    case SPECTATOR_CAMERA_FREE:
        return text_of("free");
    case SPECTATOR_CAMERA_PLAYER:
        return text_of("player");
    case SPECTATOR_CAMERA_OWN:
        break;
    }
    return text_of("everybody");
}

void replay_bar_draw(const struct replay_viewer *viewer, struct canvas *canvas, const struct hints *hints, bool large)
{
    tick now = viewer->playback.world.tick;
    enum font_face face = large ? FONT_LARGE : FONT_SMALL;
    char text[TEXT_BYTES], time[24], whole[24];
    canvas_veil(canvas, (struct rect){0, CANVAS_HEIGHT - REPLAY_BAR_PX, CANVAS_WIDTH, REPLAY_BAR_PX}, TEXT_PANEL_COLOUR,
                215);
    for (int32_t i = 0; !viewer->paused && i < 7; i++)
        canvas_box(canvas, (struct rect){7, TEXT_Y + i, i < 4 ? 2 * i + 1 : 13 - 2 * i, 1}, INK_GOLD);
    for (int32_t i = 0; viewer->paused && i < 2; i++)
        canvas_box(canvas, (struct rect){7 + 4 * i, TEXT_Y, 2, 7}, INK_GOLD);
    if (replay_viewer_is_live(viewer))
        draw_live(canvas, face, viewer);
    format_time(time, sizeof time, now - viewer->first);
    format_time(whole, sizeof whole, viewer->last - viewer->first);
    snprintf(text, sizeof text, "%s / %s", time, whole);
    font_draw(canvas, face, 20, TEXT_Y, INK, text);
    draw_line(canvas, viewer);
    if (large)
        snprintf(text, sizeof text, "x %s", replay_viewer_speed_name(viewer));
    else
        snprintf(text, sizeof text, text_of("speed %s   camera: %s"), replay_viewer_speed_name(viewer),
                 camera_word(viewer));
    // The key that shows what all keys do is at the right.
    const char *key = hints->by_gamepad ? pad_glyphs_name(hints->family, GAMEPAD_BUTTON_LEFT_STICK) : "H";
    int32_t key_x = CANVAS_WIDTH - 7 - keycap_hint_width(FONT_SMALL, key, text_of("keys"));
    keycap_hint(&(struct keycap_pen){canvas, FONT_SMALL, key_x, TEXT_Y}, key, text_of("keys"));
    text_panel_right(canvas, face, key_x - 9, TEXT_Y, INK, text);
    if (viewer->fault != REPLAY_OK)
        text_panel_backed(canvas, face, CANVAS_HEIGHT - REPLAY_BAR_PX - 14, INK_ALARM,
                          text_of(replay_fault_text(viewer->fault)));
    else if (viewer->message && viewer->message[0])
        text_panel_backed(canvas, face, CANVAS_HEIGHT - REPLAY_BAR_PX - 14, INK, viewer->message);
    else if (hints->controls && (viewer->shows_help || !viewer->touched))
        draw_hints(canvas, hints, face);
}
