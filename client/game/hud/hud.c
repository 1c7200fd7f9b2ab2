// SPDX-License-Identifier: MIT
#include "hud.h"

#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "game/gift.h"
#include "game/player/player.h"
#include "game/rules/mode.h"
#include "game/rules/round.h"
#include "game/tuning.h"
#include "hints.h"
#include "looks/item_looks.h"
#include "looks/sprites.h"
#include "scene/text_panel.h"
#include "sync/player_name.h"
#include "text/text.h"
#include <stdlib.h>

#define COUNT_Y        160 ///< below the hints
#define SPECTATOR_PX   50  ///< rows that a spectator's name and keys take at the bottom
#define STATUS_PX      16  ///< and those of a message of one line
#define STATUS_LINES   8   ///< of a system message at most
#define GIFT_PX        16  ///< columns of a gift at the right of the quiver
#define GIFT_TICKS     600 ///< at the end of a gift, which its bar shows
#define FEW            8   ///< with so many alive or fewer, each has a mark at the rim
#define INSET_PX       8   ///< from the rim to the middle of a mark
#define SIZE_PX        5   ///< from the middle of a mark to its tip
#define NET_LINES      11
#define NET_PANEL_PART 64      ///< of 256: the match stays visible behind the net graph
#define NET_DICE_BYTES 8       ///< of the commitment that the net graph shows: enough to compare by eye
#define SILENCE_US     500000u ///< of silence before a message reports it

// Writes the goal for what the score limit counts: points, which are kills less own mistakes, or rounds. Without
// a limit, writes "".
static void write_goal(const struct world *world, char text[TEXT_BYTES])
{
    int32_t limit = world->rules.score_limit;
    uint64_t count = limit > 0 ? (uint64_t)limit : 0;
    text[0] = 0;
    if (limit)
        snprintf(text, TEXT_BYTES,
                 mode_of(world)->decided ? text_plural("first to %d round", "first to %d rounds", count)
                                         : text_plural("first to %d point", "first to %d points", count),
                 limit);
}

static void draw_clock(const struct frame *frame)
{
    const struct world *world = frame->view->confirmed;
    const struct round *round = &world->round;
    uint32_t seconds = round_clock_display_s(frame->view), doom_s = round_clock_sudden_death_s(frame->view);
    char title[TEXT_BYTES] = "", below[TEXT_BYTES] = "";
    argb ink = INK_GOLD, ink_below = INK;
    if (round->paused == PAUSE_ORDERED) {
        snprintf(title, sizeof title, "%s", text_of("Paused"));
    } else if (round->phase == ROUND_WARMUP) {
        snprintf(title, sizeof title, "%s", text_of("Warm-up"));
        snprintf(below, sizeof below, "%s",
                 world->player_slots < 2 ? text_of("waiting for players") : text_of("starting soon"));
    } else if (round->phase == ROUND_COUNTDOWN) { // to the next round, and what is at stake in it
        bool decides = round_card_stake(world, below);
        snprintf(title, sizeof title, "%s", text_of("Get ready"));
        if (below[0])
            snprintf(title, sizeof title, text_of("Round %u"), round->number + 1);
        if (!round->number)
            write_goal(world, below);
        else if (decides)
            ink_below = INK_ALARM;
    } else if (round->phase == ROUND_PLAYING && round->sudden_death_ticks) {
        ink = INK_ALARM;
        snprintf(title, sizeof title, "%s", text_of("The walls close in"));
        snprintf(below, sizeof below, text_of("they meet in %u s"), doom_s);
    } else if (round->phase == ROUND_PLAYING) {
        ink = world->rules.time_limit_ticks && seconds <= 10 ? INK_ALARM : INK;
        snprintf(title, sizeof title, "%u:%02u", seconds / 60, seconds % 60);
        write_goal(world, below);
        if (doom_s) {
            ink_below = INK_ALARM;
            snprintf(below, sizeof below, text_of("sudden death in %u s"), doom_s);
        }
    }
    if (title[0])
        text_panel_backed(frame->canvas, FONT_LARGE, TEXT_PANEL_MARGIN, ink, title);
    if (below[0])
        text_panel_backed(frame->canvas, text_panel_face(frame), TEXT_PANEL_MARGIN + 13, ink_below, below);
}

// Draws the quiver: the arrows that can be shot, and room for more. At its right stands what else the player has for a
// time, and how much of its last seconds is left.
static void draw_ammo(const struct frame *frame, const struct player *player)
{
    struct inks empty = {.of = {['w'] = RGB(0x4A4350), ['m'] = RGB(0x4A4350), ['f'] = RGB(0x4A4350)}};
    int32_t w = (int32_t)TUNING.arrows_max * 8 + 2, x = (canvas_width(frame->canvas) - w) / 2,
            y = canvas_height(frame->canvas) - frame->below - TEXT_PANEL_MARGIN - 9;
    text_panel_sheet(frame->canvas, (struct rect){x - 4, y - 3, w + 6, 15}, TEXT_PANEL_PART);
    for (uint32_t i = 0; i < TUNING.arrows_max; i++) {
        struct inks full = {.of = {['w'] = RGB(0xC58A4A),
                                   ['m'] = ITEM_LOOKS_ARROWS[item_looks_kind(player, i)].ink,
                                   ['f'] = palette_player(frame->display->colour_vision, player->colour)}};
        canvas_sprite(frame->canvas, &SPRITE_ARROW, (struct placement){.x = x + (int32_t)i * 8, .y = y},
                      i < player->arrows ? &full : &empty);
    }
    x += w + 4;
    for (uint32_t gift = 0; gift < MAP_GIFTS; gift++) {
        uint32_t left_ticks = game_view_gift_ticks(frame->view, frame->view->slot, (enum map_gift)gift, frame->tick);
        if (left_ticks == 0 || left_ticks == GIFT_UNTIL_USED)
            continue;
        uint32_t shown = left_ticks < GIFT_TICKS ? left_ticks : GIFT_TICKS;
        int32_t bar = GIFT_PX - 6, bar_left = (int32_t)(((uint32_t)bar * shown + GIFT_TICKS - 1) / GIFT_TICKS);
        text_panel_sheet(frame->canvas, (struct rect){x, y - 3, GIFT_PX, 15}, TEXT_PANEL_PART);
        item_looks_gift_icon(frame->canvas, (enum map_gift)gift, x + 3, y - 2);
        canvas_box(frame->canvas, (struct rect){x + 3, y + 8, bar, 2}, RGB(0x4A4350));
        canvas_box(frame->canvas, (struct rect){x + 3, y + 8, bar_left, 2},
                   shown < 2 * TICKS_PER_SECOND ? INK_ALARM : INK);
        x += GIFT_PX + 2;
    }
}

// The time until those at this window come back; who each is, if there are several. With one life a round, nobody does.
static void draw_respawns(const struct frame *frame)
{
    const struct view *view = frame->view;
    bool returns = round_spawns(view->confirmed) && view->confirmed->round.phase != ROUND_MATCH_OVER;
    int32_t y = TEXT_PANEL_MARGIN + 26;
    for (uint32_t slot = 0; returns && slot < view->world->player_slots; slot++) {
        uint32_t now = view->world->tick, at = view_player(view, slot)->respawn_tick;
        if (!view_is_own(frame->view, slot) || view_player(view, slot)->state != PLAYER_DEAD || at <= now)
            continue;
        char text[TEXT_BYTES], name[PLAYER_NAME_BYTES + 1], line[PLAYER_NAME_BYTES + TEXT_BYTES + 2];
        snprintf(text, sizeof text, text_of("respawn in %u"), (at - now + TICKS_PER_SECOND - 1) / TICKS_PER_SECOND);
        const struct player *player = &view->world->players[slot];
        player_name_to_text(player->name, name);
        snprintf(line, sizeof line, "%s: %s", name, text);
        argb colour = palette_player_light(frame->display->colour_vision, player->colour);
        bool shared = view_is_shared(frame->view);
        text_panel_backed(frame->canvas, FONT_LARGE, y, shared ? colour : INK, shared ? line : text);
        y += FONT_LINE_PX + 3;
    }
}

// Returns the column in the middle of what stands at the bottom.
static int32_t middle_of(const struct frame *frame)
{
    return (canvas_width(frame->canvas) - frame->right) / 2;
}

// Draws a line on a panel in the middle, at the bottom.
static void draw_backed(const struct frame *frame, enum font_face face, int32_t y, argb colour, const char *text)
{
    int32_t w = font_width(face, text), x = middle_of(frame) - (w + 1) / 2;
    text_panel_sheet(frame->canvas, (struct rect){x - 4, y - 3, w + 8, FONT_LINE_PX + 3}, TEXT_PANEL_PART);
    font_draw_outlined(frame->canvas, face, x, y, colour, text);
}

int32_t hud_draw_spectator(const struct frame *frame, const struct spectator_camera *spectator,
                           const struct hints *hints)
{
    char text[TEXT_BYTES], name[TEXT_BYTES], jump[32], dash[32], shoot[32];
    snprintf(text, sizeof text, "%s",
             spectator->mode == SPECTATOR_CAMERA_FREE ? text_of("Free camera")
                                                      : text_of("The camera follows the action"));
    if (spectator->mode == SPECTATOR_CAMERA_PLAYER) {
        player_name_to_text(frame->view->world->players[spectator->slot].name, name);
        snprintf(text, sizeof text, text_of("You are watching %s"), name);
    }
    int32_t bottom = canvas_height(frame->canvas) - frame->below;
    draw_backed(frame, text_panel_face(frame), bottom - 44, INK_GOLD, text);
    if (!hints || !hints->controls)
        return bottom - SPECTATOR_PX;
    hints_name(hints, ACTION_JUMP, jump, sizeof jump);
    hints_name(hints, ACTION_DASH, dash, sizeof dash);
    hints_name(hints, ACTION_SHOOT, shoot, sizeof shoot);
    struct keycap_hint keys[] = {
        {{dash, shoot}, text_of("players")},
        {{jump}, spectator->mode == SPECTATOR_CAMERA_FREE ? text_of("follow") : text_of("free camera")}};
    keycap_row((struct keycap_pen){frame->canvas, text_panel_face(frame), middle_of(frame), bottom - 26}, keys, 2);
    return bottom - SPECTATOR_PX;
}

void hud_draw(const struct frame *frame, const struct scene *scene)
{
    const struct view *view = frame->view;
    const struct round *round = &view->confirmed->round;
    int32_t middle = canvas_width(frame->canvas) / 2;
    draw_clock(frame);
    for (uint32_t team = 1; mode_of(view->confirmed)->teams && team <= TEAM_COUNT; team++) {
        char text[16];
        snprintf(text, sizeof text, "%d", round->team_scores[team - 1]);
        int32_t w = font_width(FONT_LARGE, text) + 8, off = round->phase == ROUND_PLAYING ? 26 : 62;
        int32_t x = team == 1 ? middle - off - w : middle + off; // beside the clock
        canvas_veil(frame->canvas, (struct rect){x, TEXT_PANEL_MARGIN - 3, w, FONT_LINE_PX + 3}, palette_team(team),
                    200);
        font_draw_outlined(frame->canvas, FONT_LARGE, x + 4, TEXT_PANEL_MARGIN, RGB(0xFFFFFF), text);
    }
    uint32_t seconds = round_clock_countdown_s(view);
    if (seconds)
        font_draw_huge(frame->canvas, middle, COUNT_Y, INK_GOLD, (char[]){(char)('0' + seconds % 10), 0});
    kill_feed_draw(frame, scene->feed);
    if (view->slot >= PLAYER_CAPACITY)
        return;
    const struct player *player = view_player(view, view->slot);
    if (player->state == PLAYER_ALIVE && !view_is_shared(frame->view)) // else they are over each head
        draw_ammo(frame, player);
    draw_respawns(frame);
}

void hud_margin_text(int32_t quarter_ticks, char *text, size_t text_bytes)
{
    uint32_t size = quarter_ticks < 0 ? 0 - (uint32_t)quarter_ticks : (uint32_t)quarter_ticks;
    snprintf(text, text_bytes, text_of("margin %s%u.%02u ticks"), quarter_ticks < 0 ? "-" : "", size / 4,
             size % 4 * 25);
}

int32_t hud_draw_status(const struct frame *frame, int32_t y, const char *system_message, uint64_t silence_us)
{
    enum font_face face = text_panel_face(frame);
    char lines[STATUS_LINES][TEXT_PANEL_LINE_BYTES], text[TEXT_BYTES];
    int32_t count = 0, room = canvas_width(frame->canvas) - frame->right - 2 * TEXT_PANEL_MARGIN - 8;
    if (system_message && *system_message) {
        while (count < STATUS_LINES && text_panel_take_line(&system_message, face, room, lines[count]))
            count++;
        for (int32_t i = 0; i < count; i++)
            draw_backed(frame, face, y - (count - i) * (FONT_LINE_PX + 3) + 3, INK_GOLD, lines[i]);
        y -= count * (FONT_LINE_PX + 3) + 3;
    }
    if (silence_us >= SILENCE_US) {
        snprintf(text, sizeof text, text_of("The server has not answered for %u.%u s."),
                 (uint32_t)(silence_us / 1000000), (uint32_t)(silence_us / 100000 % 10));
        draw_backed(frame, FONT_LARGE, y - FONT_LINE_PX, INK_ALARM, text);
        y -= STATUS_PX;
    }
    return y;
}

void hud_draw_net(struct canvas *canvas, const struct hud_net *net)
{
    const struct client_statistics *of = &net->statistics;
    uint32_t all = of->snapshots + of->snapshots_lost;
    char lines[NET_LINES][96];
    uint32_t refuted = of->deaths_refuted;
    for (uint32_t kind = 0; kind < EVENT_KINDS; kind++)
        refuted += of->refuted[kind];
    snprintf(lines[0], sizeof lines[0], text_of("RTT %u ms, ack %u ms"), of->rtt_ms, of->input_ack_us / 1000);
    hud_margin_text(of->margin_quarter_ticks, lines[1], sizeof lines[1]);
    snprintf(lines[2], sizeof lines[2], text_of("lost %u of %u snapshots"), of->snapshots_lost, all);
    snprintf(lines[3], sizeof lines[3], text_of("%u inputs missed, %u stalls"), of->inputs_missed, of->clock_stalls);
    snprintf(lines[4], sizeof lines[4], text_of("%u.%u in, %u.%u out KB/s"), net->bytes_in_s / 1000,
             net->bytes_in_s / 100 % 10, net->bytes_out_s / 1000, net->bytes_out_s / 100 % 10);
    snprintf(lines[5], sizeof lines[5], text_of("%u desyncs"), of->desyncs);
    snprintf(lines[6], sizeof lines[6], text_of("others %u.%u px off, %u jumps"), of->others_error_subpx / 256,
             of->others_error_subpx % 256 * 10 / 256, of->others_jumps);
    snprintf(lines[7], sizeof lines[7], text_of("facts after %u ms"),
             of->facts ? (uint32_t)(of->fact_delay_ticks * UINT64_C(1000) / TICKS_PER_SECOND / of->facts) : 0);
    snprintf(lines[8], sizeof lines[8], text_of("%u corrections, %u refuted"), of->corrections, refuted);
    int length = snprintf(lines[9], sizeof lines[9], "%s ", text_of("dice"));
    for (size_t i = 0; i < NET_DICE_BYTES; i++)
        length += snprintf(lines[9] + length, sizeof lines[9] - (size_t)length, "%02x", of->dice[i]);
    snprintf(lines[10], sizeof lines[10], text_of("drawn in %u.%u ms"), net->draw_us / 1000, net->draw_us / 100 % 10);
    int32_t w = 0, h = NET_LINES * FONT_LINE_PX + 5, y = canvas_height(canvas) - TEXT_PANEL_MARGIN - h;
    for (int32_t i = 0; i < NET_LINES; i++)
        w = font_width(FONT_SMALL, lines[i]) > w ? font_width(FONT_SMALL, lines[i]) : w;
    int32_t x = canvas_width(canvas) - TEXT_PANEL_MARGIN - w - 4; // the chat is at the left
    text_panel_sheet(canvas, (struct rect){x - 3, y - 3, w + 10, h + 2}, NET_PANEL_PART);
    for (int32_t i = 0; i < NET_LINES; i++) {
        bool bad = (i == 5 && of->desyncs) || (i == 2 && of->snapshots_lost * 50 > all);
        font_draw_outlined(canvas, FONT_SMALL, x + 2, y + 1 + i * FONT_LINE_PX, bad ? INK_ALARM : INK, lines[i]);
    }
}

void hud_draw_empty_sky(struct canvas *canvas)
{
    canvas_resize(canvas, false);
    int32_t w = canvas_width(canvas);
    for (int32_t row = 0; row < canvas_height(canvas); row++) {
        argb four[4];
        for (int32_t x = 0; x < 4; x++)
            four[x] = canvas_mix(RGB(0x171730), RGB(0x40295A), (row + canvas_dither(x, row)) / 16 * 16 * 256 / 288);
        for (int32_t x = 0; x < w; x++)
            canvas->pixels[row * w + x] = four[x & 3];
    }
}

void hud_draw_message(struct canvas *canvas, enum font_face face, const struct hud_message *message)
{
    char line[TEXT_PANEL_LINE_BYTES];
    const char *text = message->text;
    int32_t middle = canvas_width(canvas) / 2, y = canvas_height(canvas) / 2 - 14;
    hud_draw_empty_sky(canvas);
    text_panel_centred(canvas, FONT_LARGE, y - 14, INK_GOLD, message->title);
    for (int32_t row = y + 8; text_panel_take_line(&text, face, canvas_width(canvas) - 120, line);
         row += FONT_LINE_PX + 2)
        text_panel_centred(canvas, face, row, INK, line);
    if (message->back)
        keycap_row((struct keycap_pen){canvas, face, middle, canvas_height(canvas) - 20},
                   &(struct keycap_hint){{message->back}, text_of("back")}, 1);
    for (int32_t i = 0; message->anim_tick && i < 5; i++) {
        int32_t lift = (message->anim_tick / 8 + (uint32_t)i) % 5 == 0 ? 3 : 0;
        canvas_box(canvas, (struct rect){middle - 22 + i * 10, y + 44 - lift, 4, 4}, lift ? INK_GOLD : INK_DIM);
    }
}

// Draws a triangle that points outward, and the number of arrows within.
static void draw_mark(const struct frame *frame, uint32_t slot, int32_t x, int32_t y)
{
    const struct player *player = &frame->view->world->players[slot];
    argb colour = palette_player_light(frame->display->colour_vision, player->colour);
    int32_t at_x = number_clamp(x, INSET_PX, canvas_width(frame->canvas) - 1 - INSET_PX);
    int32_t at_y = number_clamp(y, INSET_PX, canvas_height(frame->canvas) - frame->below - 1 - INSET_PX);
    bool beside = abs(x - at_x) >= abs(y - at_y);
    int32_t dx = !beside ? 0 : x < at_x ? -1 : 1, dy = beside ? 0 : y < at_y ? -1 : 1;
    for (int32_t pass = 0; pass < 2; pass++) // its edge, then its inside
        for (int32_t i = 0; i <= SIZE_PX; i++) {
            int32_t half = SIZE_PX - i + 1 - pass, along = i - pass;
            struct rect across = dx ? (struct rect){at_x + dx * along, at_y - half, 1 + !pass, 2 * half + 1}
                                    : (struct rect){at_x - half, at_y + dy * along, 2 * half + 1, 1 + !pass};
            canvas_box(frame->canvas, across, pass ? colour : RGB(0x14121C));
        }
    char arrows[8];
    snprintf(arrows, sizeof arrows, "%u", player->arrows);
    font_draw_outlined(frame->canvas, FONT_SMALL, at_x - dx * 10 - 2, at_y - dy * 11 - 3, INK, arrows);
}

void hud_draw_edge_markers(const struct frame *frame)
{
    const struct view *view = frame->view;
    const struct player *players = view->world->players;
    uint32_t alive = 0, team = view->slot < PLAYER_CAPACITY ? players[view->slot].team : 0;
    for (uint32_t slot = 0; slot < view->world->player_slots; slot++)
        alive += view_shows(view, slot);
    for (uint32_t slot = 0; slot < view->world->player_slots; slot++) {
        bool is_team_mate = team && players[slot].team == team;
        if (!view_shows(view, slot) || !(alive <= FEW || view_is_own(frame->view, slot) || is_team_mate))
            continue;
        const struct df_actor *actor = &view->world->actors[slot];
        int32_t left = frame_px(view->actors[slot].x), top = frame_px(view->actors[slot].y);
        int32_t x = frame_x(frame, left + actor->w / 2), y = frame_y(frame, top + actor->h / 2);
        bool seen = frame_x(frame, left + actor->w) > 0 && frame_x(frame, left) < canvas_width(frame->canvas) &&
                    frame_y(frame, top + actor->h) > 0 &&
                    frame_y(frame, top) < canvas_height(frame->canvas) - frame->below;
        if (!seen)
            draw_mark(frame, slot, x, y);
    }
}
