// SPDX-License-Identifier: MIT
#include "hints.h"

#include <stdio.h>
#include <string.h>

#include "mode_text.h"
#include "scene/text_panel.h"
#include "text/text.h"
#include "window/keyboard.h"
#include "wire/message.h"

#define GOAL_Y     (TEXT_PANEL_MARGIN + 39) ///< below the clock and the time to respawn
#define ROW_PX     17
#define BOTTOM_PX  14  ///< from the lowest hints' text to the bottom of the picture
#define ARROWS_PX  42  ///< from the middle of the picture to the hints beside the quiver
#define APART_PX   14  ///< between two hints
#define SHEET_PART 232 ///< of 256: white spikes behind words are no part of them
#define MARK_PX    11  ///< of a player's colour and what parts it from the hints
#define ALL_WAYS   (BUTTON_LEFT | BUTTON_RIGHT | BUTTON_UP | BUTTON_DOWN)
#define CAPS_MAX   4
// Running and jumping stand at the left of the quiver, what takes another key at the right.
#define FIRST_AT_RIGHT 2

// A hint: caps, with a plus between if they belong to one press, and what they do.
static const struct {
    const char *does;
    uint32_t tried;       ///< bits of `tried`: one of them hides the hint
    uint32_t limit_ticks; ///< for which it shows unused; 0: until it is used, since nobody plays without it
    bool together;
    uint32_t count;
    enum player_action actions[CAPS_MAX];
} ROWS[] = {
    {TEXT_KEY("run, aim"), ALL_WAYS, 0, false, 4, {ACTION_LEFT, ACTION_RIGHT, ACTION_UP, ACTION_DOWN}},
    {TEXT_KEY("jump"), BUTTON_JUMP, 0, false, 1, {ACTION_JUMP}},
    {TEXT_KEY("shoot"), BUTTON_SHOOT, 0, false, 1, {ACTION_SHOOT}},
    {TEXT_KEY("dash"), BUTTON_DASH, 0, false, 1, {ACTION_DASH}},
    {TEXT_KEY("drop"), HINTS_DROP, HINTS_TICKS, true, 2, {ACTION_DOWN, ACTION_JUMP}},
};
#define ROW_COUNT (sizeof ROWS / sizeof *ROWS)

void hints_take(struct hints *hints, const struct world *world, uint32_t slot, uint32_t buttons)
{
    uint32_t drop = BUTTON_DOWN | BUTTON_JUMP;
    if (slot >= PLAYER_CAPACITY || world->players[slot].state != PLAYER_ALIVE)
        return;
    hints->since = hints->since ? hints->since : world->tick;
    hints->tried |= buttons | ((buttons & drop) == drop ? HINTS_DROP : 0);
}

uint32_t hints_choose(const struct hints *const *hints, uint32_t count, tick now, bool plays)
{
    uint32_t wanting[LOCAL_PLAYERS], wanting_count = 0;
    for (uint32_t i = 0; i < count; i++) {
        bool wants = !plays;
        for (size_t row = 0; row < ROW_COUNT; row++) // what nobody plays without
            wants |= !ROWS[row].limit_ticks && !(hints[i]->tried & ROWS[row].tried);
        if (wants)
            wanting[wanting_count++] = i;
    }
    return wanting_count ? wanting[now / HINTS_TURN_TICKS % wanting_count] : 0;
}

void hints_key_name(uint32_t key, char *name, size_t name_bytes)
{
    const char *arrow = key == KEY_LEFT    ? KEYCAP_LEFT
                        : key == KEY_RIGHT ? KEYCAP_RIGHT
                        : key == KEY_UP    ? KEYCAP_UP
                        : key == KEY_DOWN  ? KEYCAP_DOWN
                                           : NULL;
    if (arrow)
        snprintf(name, name_bytes, "%s", arrow);
    else
        controls_key_name(key, name, name_bytes);
}

// As the glyphs of the controls look (controls.c); up is a way of the stick.
static const char *const TOUCH_NAMES[CONTROLS_ACTIONS] = {
    [ACTION_LEFT] = KEYCAP_LEFT,   [ACTION_RIGHT] = KEYCAP_RIGHT, [ACTION_UP] = KEYCAP_UP,
    [ACTION_DOWN] = KEYCAP_DOWN,   [ACTION_JUMP] = KEYCAP_UP,     [ACTION_DASH] = "\u00BB",
    [ACTION_SHOOT] = KEYCAP_RIGHT,
};

void hints_name(const struct hints *hints, enum player_action action, char *name, size_t name_bytes)
{
    const struct button_bindings *of = &hints->controls->buttons;
    if (hints->by_touch)
        snprintf(name, name_bytes, "%s", TOUCH_NAMES[action]);
    else if (hints->by_gamepad)
        snprintf(name, name_bytes, "%s",
                 pad_glyphs_name(hints->family, of->gamepad_buttons[0][action] ? of->gamepad_buttons[0][action]
                                                                               : of->gamepad_buttons[1][action]));
    else if (hints->second_keys)
        hints_key_name((uint32_t)of->keys[2][action], name, name_bytes);
    else {
        uint32_t key = (uint32_t)of->keys[0][action], other = (uint32_t)of->keys[1][action];
        bool taken = hints->shared_keys && keyboard_pressed(of, KEYBOARD_SECOND, key);
        hints_key_name(key && !taken ? key : other, name, name_bytes);
    }
}

void hints_match_name(const struct hints *hints, enum match_action action, char *name, size_t name_bytes)
{
    const struct controls *of = hints->controls;
    if (hints->by_gamepad)
        snprintf(name, name_bytes, "%s", pad_glyphs_name(hints->family, of->match_buttons[action]));
    else
        hints_key_name((uint32_t)of->match_keys[hints->second_keys][action], name, name_bytes);
}

// One hint as it will be drawn.
struct shown {
    char caps[CAPS_MAX][32];
    uint32_t count;
    int32_t w; ///< 0: it is not
    bool tried;
};

// A gamepad's stick stands for four keys.
static struct shown measure(const struct hints *hints, size_t row, enum font_face face)
{
    struct shown shown = {.count = ROWS[row].count};
    if ((hints->by_gamepad || hints->by_touch) && row == 0) {
        shown.count = 1;
        snprintf(shown.caps[0], sizeof shown.caps[0], "%s", pad_glyphs_name(hints->family, PAD_GLYPH_STICK));
    }
    for (uint32_t i = 0; i < shown.count; i++) {
        if (!shown.caps[i][0])
            hints_name(hints, ROWS[row].actions[i], shown.caps[i], sizeof shown.caps[i]);
        shown.w += keycap_width(face, shown.caps[i]) + (i ? ROWS[row].together ? 9 : 1 : 0);
    }
    shown.w += 4 + font_width(face, text_of(ROWS[row].does));
    return shown;
}

static void draw_hint(struct keycap_pen pen, const struct shown *shown, size_t row)
{
    for (uint32_t i = 0; i < shown->count; i++) {
        if (i && ROWS[row].together)
            font_draw(pen.canvas, pen.face, pen.x + 2, pen.y, INK_DIM, "+");
        pen.x += i ? ROWS[row].together ? 9 : 1 : 0;
        keycap_draw(&pen, shown->caps[i]);
    }
    font_draw(pen.canvas, pen.face, pen.x + 4, pen.y, shown->tried ? INK_DIM : INK, text_of(ROWS[row].does));
}

static int32_t beside_px(const struct frame *frame)
{
    return canvas_width(frame->canvas) / 2 - ARROWS_PX - 12;
}

// Where a line of hints stands: beside the quiver, or over it.
enum place { AT_LEFT, AT_RIGHT, ABOVE };

// Draws the hints from `first` to before `end`; those that do not fit into a line in others above it. Returns the row
// above them.
static int32_t draw_lines(const struct frame *frame, const struct hints *hints, const struct shown *shown, size_t first,
                          size_t end, enum place place)
{
    const struct player *players = frame->view->confirmed->players;
    int32_t mark_px = hints->is_marked ? MARK_PX : 0;
    int32_t y = canvas_height(frame->canvas) - frame->below - BOTTOM_PX - (place == ABOVE ? ROW_PX : 0);
    int32_t room = place == ABOVE ? canvas_width(frame->canvas) - 40 : beside_px(frame) - mark_px;
    for (size_t line_end; first < end; first = line_end) {
        int32_t w = -APART_PX;
        for (line_end = first; line_end < end && (w <= 0 || w + shown[line_end].w + APART_PX <= room); line_end++)
            w += shown[line_end].w ? shown[line_end].w + APART_PX : 0;
        if (w <= 0)
            continue;
        w += mark_px;
        int32_t x = place == AT_LEFT    ? canvas_width(frame->canvas) / 2 - ARROWS_PX - w
                    : place == AT_RIGHT ? canvas_width(frame->canvas) / 2 + ARROWS_PX
                                        : (canvas_width(frame->canvas) - w) / 2;
        struct text_panel_beneath beneath;
        text_panel_keep(&beneath, frame->canvas, (struct rect){x - 6, y - 5, w + 12, ROW_PX});
        text_panel_sheet(frame->canvas, beneath.area, SHEET_PART);
        text_panel_show_through(frame, &beneath); // what the player is falling on
        if (hints->is_marked) {
            uint32_t vision = frame->display->colour_vision, colour = players[hints->slot].colour;
            canvas_box(frame->canvas, (struct rect){x, y, 7, 7}, palette_player_dark(vision, colour));
            canvas_box(frame->canvas, (struct rect){x, y, 7, 5}, palette_player(vision, colour));
        }
        x += mark_px;
        for (size_t row = first; row < line_end; row++)
            if (shown[row].w) {
                draw_hint((struct keycap_pen){frame->canvas, text_panel_face(frame), x, y}, &shown[row], row);
                x += shown[row].w + APART_PX;
            }
        y -= ROW_PX;
    }
    return y + ROW_PX - 5;
}

// Draws how to talk and see the scores, above row `y`. Returns the row above.
static int32_t draw_match_keys(const struct frame *frame, const struct hints *hints, int32_t y)
{
    static const struct {
        enum match_action action;
        const char *does;
    } MATCH_ROW[] = {{MATCH_CHAT, TEXT_KEY("chat")},
                     {MATCH_EMOTES, TEXT_KEY("hold: emotes")},
                     {MATCH_PHRASES, TEXT_KEY("hold: quick sentences")},
                     {MATCH_SCOREBOARD, TEXT_KEY("scores")}};
    const struct controls *of = hints->controls;
    char names[sizeof MATCH_ROW / sizeof *MATCH_ROW][32];
    struct keycap_hint row[sizeof MATCH_ROW / sizeof *MATCH_ROW];
    uint32_t count = 0;
    for (size_t i = 0; i < sizeof MATCH_ROW / sizeof *MATCH_ROW; i++) {
        if (hints->by_gamepad ? !of->match_buttons[MATCH_ROW[i].action]
                              : !of->match_keys[hints->second_keys][MATCH_ROW[i].action])
            continue;
        hints_match_name(hints, MATCH_ROW[i].action, names[count], sizeof names[count]);
        row[count] = (struct keycap_hint){{names[count]}, text_of(MATCH_ROW[i].does)};
        count++;
    }
    if (!count)
        return y;
    int32_t middle = (canvas_width(frame->canvas) - frame->right) / 2;
    keycap_row((struct keycap_pen){frame->canvas, text_panel_face(frame), middle, y - ROW_PX + 5}, row, count);
    return y - ROW_PX;
}

int32_t hints_draw(const struct frame *frame, const struct hints *hints)
{
    const struct world *world = frame->view->confirmed;
    struct shown shown[ROW_COUNT] = {0};
    uint32_t slot = hints->is_marked ? hints->slot : frame->view->slot;
    bool plays = world->round.phase == ROUND_PLAYING, fits = true;
    if (!hints->controls || world->round.phase > ROUND_PLAYING || slot >= PLAYER_CAPACITY ||
        frame->view->world->players[slot].state == PLAYER_SPECTATOR)
        return canvas_height(frame->canvas);
    if (!plays)
        text_panel_backed(frame->canvas, text_panel_face(frame), GOAL_Y, INK_GOLD, mode_text_goal(world->rules.mode));
    for (size_t row = 0; row < ROW_COUNT; row++) {
        bool is_late = ROWS[row].limit_ticks && frame->view->world->tick - hints->since >= ROWS[row].limit_ticks;
        bool tried = hints->tried & ROWS[row].tried || is_late;
        if (!plays || !tried) // before a round all of them
            shown[row] = measure(hints, row, text_panel_face(frame));
        shown[row].tried = tried;
        fits = fits && shown[row].w <= beside_px(frame) - (hints->is_marked ? MARK_PX : 0);
    }
    size_t at_left = frame->right ? ROW_COUNT : FIRST_AT_RIGHT; // the net graph stands at the right
    int32_t top = draw_lines(frame, hints, shown, 0, fits ? at_left : ROW_COUNT, fits ? AT_LEFT : ABOVE);
    int32_t top_at_right = fits ? draw_lines(frame, hints, shown, at_left, ROW_COUNT, AT_RIGHT) : top;
    top = top < top_at_right ? top : top_at_right;
    return plays || hints->by_touch ? top : draw_match_keys(frame, hints, top - 2); // fingers see what they touch
}
