// SPDX-License-Identifier: MIT
#include "hud.h"

#include <stdio.h>
#include <string.h>

#include "countdown.h"
#include "font.h"
#include "game/tuning.h"
#include "sprites.h"

#define MARGIN           6
#define HINT_Y           82 ///< below the ranking and the feed
#define PAPER            RGB(0x0E0C16)
#define INK              RGB(0xF2ECDD)
#define INK_DIM          RGB(0xA79FA8)
#define GOLD             RGB(0xF6C12D)
#define ALARM            RGB(0xFF6A4A)
#define PANEL_PART       130
#define BOARD_PART       215
#define TOP_ROWS         5
#define RANK_WIDTH_LEAST 70
#define BOARD_ROWS       20
/// What a player stands behind is seen through, the more the nearer he is.
#define NEAR_PX       24
#define THROUGH_OWN   190 ///< of 256
#define THROUGH_OTHER 110
#define BENEATH_PX    12288
#define SILENCE_US    500000u ///< before the player is told

static void text_right(struct canvas *canvas, int32_t right, int32_t y, argb colour, const char *text)
{
    font_draw(canvas, FONT_SMALL, right - font_width(FONT_SMALL, text), y, colour, text);
}

static void text_middle(struct canvas *canvas, enum font_face face, int32_t y, argb colour, const char *text)
{
    font_draw_outlined(canvas, face, (CANVAS_WIDTH - font_width(face, text)) / 2, y, colour, text);
}

// Paper with rounded corners; `part` of 256 hides what is below.
static void panel(struct canvas *canvas, int32_t x, int32_t y, int32_t w, int32_t h, int32_t part)
{
    canvas_veil(canvas, x + 1, y, w - 2, h, PAPER, part);
    canvas_veil(canvas, x, y + 1, 1, h - 2, PAPER, part);
    canvas_veil(canvas, x + w - 1, y + 1, 1, h - 2, PAPER, part);
}

static void text_backed(struct canvas *canvas, enum font_face face, int32_t y, argb colour, const char *text)
{
    int32_t w = font_width(face, text);
    panel(canvas, (CANVAS_WIDTH - w) / 2 - 4, y - 3, w + 8, FONT_LINE_PX + 3, PANEL_PART);
    text_middle(canvas, face, y, colour, text);
}

/// A part of the picture as it was before something was written over it.
struct beneath {
    int32_t x, y, w, h;
    argb pixels[BENEATH_PX];
};

static void keep(struct beneath *beneath, const struct canvas *canvas)
{
    for (int32_t row = 0; row < beneath->h; row++)
        memcpy(&beneath->pixels[row * beneath->w], &canvas->pixels[(beneath->y + row) * CANVAS_WIDTH + beneath->x],
               (size_t)beneath->w * sizeof *beneath->pixels);
}

static int32_t gap(int32_t a, int32_t a_size, int32_t b, int32_t b_size)
{
    int32_t before = b - (a + a_size), after = a - (b + b_size);
    int32_t most = before > after ? before : after;
    return most > 0 ? most : 0;
}

// How much of 256 of what was kept is to be seen again.
static int32_t through(const struct frame *frame, const struct beneath *beneath)
{
    int32_t most = 0;
    for (uint32_t slot = 0; slot < frame->view->world->player_slots; slot++) {
        const struct df_actor *actor = &frame->view->world->actors[slot];
        int32_t x = frame_x(frame, frame_px(frame->view->actors[slot].x));
        int32_t y = frame_y(frame, frame_px(frame->view->actors[slot].y));
        int32_t across = gap(beneath->x, beneath->w, x, actor->w), down = gap(beneath->y, beneath->h, y, actor->h);
        int32_t far = across > down ? across : down;
        if (frame->view->world->players[slot].state != PLAYER_ALIVE || far >= NEAR_PX)
            continue;
        int32_t part = (slot == frame->view->slot ? THROUGH_OWN : THROUGH_OTHER) * (NEAR_PX - far) / NEAR_PX;
        most = part > most ? part : most;
    }
    return most;
}

static void show_through(const struct frame *frame, const struct beneath *beneath)
{
    int32_t part = through(frame, beneath);
    for (int32_t row = 0; part && row < beneath->h; row++)
        for (int32_t i = 0; i < beneath->w; i++)
            canvas_tint(frame->canvas, beneath->x + i, beneath->y + row, beneath->pixels[row * beneath->w + i], part);
}

static bool is_listed(const struct player *player)
{
    return player->state != PLAYER_ABSENT && player->state != PLAYER_SPECTATOR;
}

// Slots by score, the best first; equal scores in the order of slots.
static int32_t ranking(const struct world *world, uint32_t slots[PLAYER_CAPACITY])
{
    int32_t count = 0;
    for (uint32_t slot = 0; slot < world->player_slots; slot++) {
        if (!is_listed(&world->players[slot]))
            continue;
        int32_t place = count++;
        while (place > 0 && world->players[slots[place - 1]].score < world->players[slot].score) {
            slots[place] = slots[place - 1];
            place--;
        }
        slots[place] = slot;
    }
    return count;
}

// Of a list that is too short for all, the last row is the own player's if he comes later.
static int32_t place_in_row(const struct frame *frame, const uint32_t *slots, int32_t count, int32_t row, int32_t rows)
{
    int32_t place = row;
    for (int32_t i = rows; row == rows - 1 && i < count; i++)
        if (slots[i] == frame->view->slot)
            place = i;
    return place;
}

static int32_t rank_width(const struct frame *frame, uint32_t slot)
{
    const struct player *player = &frame->view->world->players[slot];
    char name[PLAYER_NAME_BYTES + 1], score[16];
    figure_name(player, name);
    snprintf(score, sizeof score, "%d", player->score);
    return 21 + font_width(FONT_SMALL, name) + 8 + font_width(FONT_SMALL, score);
}

static void draw_rank(const struct frame *frame, uint32_t slot, int32_t place, int32_t x, int32_t y, int32_t w)
{
    const struct player *player = &frame->view->world->players[slot];
    bool own = slot == frame->view->slot;
    char name[PLAYER_NAME_BYTES + 1], text[16];
    argb ink = player->state == PLAYER_DEAD ? INK_DIM : own ? RGB(0xFFFFFF) : INK;
    figure_name(player, name);
    if (own)
        canvas_veil(frame->canvas, x - 2, y - 2, w + 4, FONT_LINE_PX + 1, palette_player(player->colour), 90);
    snprintf(text, sizeof text, "%d", place);
    text_right(frame->canvas, x + 8, y, INK_DIM, text);
    canvas_box(frame->canvas, x + 12, y, 5, 7, palette_player_dark(player->colour));
    canvas_box(frame->canvas, x + 12, y, 5, 5, palette_player(player->colour));
    font_draw(frame->canvas, FONT_SMALL, x + 21, y, ink, name);
    snprintf(text, sizeof text, "%d", player->score);
    text_right(frame->canvas, x + w, y, own ? GOLD : INK, text);
}

// The best, and the own player if he is not among them.
void hud_draw_ranking(const struct frame *frame)
{
    uint32_t slots[PLAYER_CAPACITY];
    int32_t count = ranking(frame->view->world, slots), shown = count < TOP_ROWS ? count : TOP_ROWS;
    int32_t w = RANK_WIDTH_LEAST;
    for (int32_t i = 0; i < shown; i++) {
        int32_t wanted = rank_width(frame, slots[place_in_row(frame, slots, count, i, shown)]);
        w = wanted > w ? wanted : w;
    }
    struct beneath beneath = {.x = MARGIN - 3, .y = MARGIN - 3, .w = w + 6, .h = shown * FONT_LINE_PX + 5};
    keep(&beneath, frame->canvas);
    panel(frame->canvas, beneath.x, beneath.y, beneath.w, beneath.h, PANEL_PART);
    for (int32_t i = 0; i < shown; i++) {
        int32_t place = place_in_row(frame, slots, count, i, shown);
        draw_rank(frame, slots[place], place + 1, MARGIN, MARGIN + i * FONT_LINE_PX, w);
    }
    show_through(frame, &beneath);
}

static void draw_clock(const struct frame *frame)
{
    const struct world *world = frame->view->world;
    char text[48];
    uint32_t seconds = countdown_clock_s(world);
    bool hurry = world->rules.time_limit_ticks && seconds <= 10;
    if (world->round.phase == ROUND_WARMUP) {
        bool alone = world->player_slots < 2;
        text_backed(frame->canvas, FONT_LARGE, MARGIN, GOLD, "Warm-up");
        text_backed(frame->canvas, FONT_SMALL, MARGIN + 13, INK, alone ? "waiting for others" : "about to begin");
    } else if (world->round.phase == ROUND_PLAYING) {
        snprintf(text, sizeof text, "%u:%02u", seconds / 60, seconds % 60);
        text_backed(frame->canvas, FONT_LARGE, MARGIN, hurry ? ALARM : INK, text);
        snprintf(text, sizeof text, "first to %d", world->rules.score_limit);
        if (world->rules.score_limit)
            text_backed(frame->canvas, FONT_SMALL, MARGIN + 13, INK, text);
    }
}

static int32_t feed_line_width(const struct feed_line *line)
{
    int32_t killer = line->killer[0] ? font_width(FONT_SMALL, line->killer) + 5 : 0;
    return killer + SPRITE_CAUSES[0].w + 5 + font_width(FONT_SMALL, line->victim);
}

static void draw_feed(const struct frame *frame, const struct scene *scene)
{
    static const struct inks PICTURE = {.of = {['#'] = RGB(0xF2ECDD)}};
    for (int32_t i = 0; i < FEED_CAPACITY; i++) {
        const struct feed_line *line = &scene->feed[i];
        if (!line->victim[0] || line->until <= frame->tick)
            continue;
        int32_t w = feed_line_width(line), x = CANVAS_WIDTH - MARGIN - w, y = MARGIN + i * (FONT_LINE_PX + 4);
        struct beneath beneath = {.x = x - 4, .y = y - 3, .w = w + 8, .h = FONT_LINE_PX + 3};
        keep(&beneath, frame->canvas);
        panel(frame->canvas, beneath.x, beneath.y, beneath.w, beneath.h, PANEL_PART);
        if (line->killer[0]) {
            font_draw(frame->canvas, FONT_SMALL, x, y, palette_player_light(line->killer_colour), line->killer);
            x += font_width(FONT_SMALL, line->killer) + 5;
        }
        if (line->cause < DEATH_CAUSES)
            canvas_sprite(frame->canvas, &SPRITE_CAUSES[line->cause], (struct placement){.x = x, .y = y}, &PICTURE);
        font_draw(frame->canvas, FONT_SMALL, x + SPRITE_CAUSES[0].w + 5, y, palette_player_light(line->victim_colour),
                  line->victim);
        show_through(frame, &beneath);
    }
}

// The quiver below: what can be shot, and room for more.
static void draw_arrows(const struct frame *frame, const struct player *player)
{
    const struct inks full = {
        .of = {['w'] = RGB(0xC58A4A), ['m'] = RGB(0xF4F6F2), ['f'] = palette_player(player->colour)}};
    const struct inks empty = {.of = {['w'] = RGB(0x4A4350), ['m'] = RGB(0x4A4350), ['f'] = RGB(0x4A4350)}};
    int32_t w = (int32_t)TUNING.arrows_max * 8 + 2, x = (CANVAS_WIDTH - w) / 2, y = CANVAS_HEIGHT - MARGIN - 9;
    panel(frame->canvas, x - 4, y - 3, w + 6, 15, PANEL_PART);
    for (uint32_t i = 0; i < TUNING.arrows_max; i++)
        canvas_sprite(frame->canvas, &SPRITE_QUIVER, (struct placement){.x = x + (int32_t)i * 8, .y = y},
                      i < player->arrows ? &full : &empty);
}

static void draw_own(const struct frame *frame)
{
    const struct world *world = frame->view->world;
    if (frame->view->slot >= PLAYER_CAPACITY)
        return;
    const struct player *player = &world->players[frame->view->slot];
    char text[64];
    if (player->state == PLAYER_ALIVE)
        draw_arrows(frame, player);
    if (player->state == PLAYER_ALIVE && world->round.phase == ROUND_WARMUP)
        text_middle(frame->canvas, FONT_SMALL, HINT_Y, INK,
                    "Arrows or WASD: run, aim   Space: jump   X: shoot   C: dash   Down + jump: drop");
    uint32_t left = player->respawn_tick > world->tick ? player->respawn_tick - world->tick : 0;
    if (player->state == PLAYER_DEAD && left && world->round.phase != ROUND_OVER) {
        snprintf(text, sizeof text, "back in %u", (left + TICKS_PER_SECOND - 1) / TICKS_PER_SECOND);
        text_middle(frame->canvas, FONT_LARGE, MARGIN + 30, INK, text);
    }
    if (player->state == PLAYER_SPECTATOR)
        text_middle(frame->canvas, FONT_SMALL, CANVAS_HEIGHT - 20, INK, "You are watching.");
}

void hud_draw(const struct frame *frame, const struct scene *scene)
{
    draw_clock(frame);
    draw_feed(frame, scene);
    draw_own(frame);
}

static void draw_board_row(const struct frame *frame, uint32_t slot, int32_t place, int32_t x, int32_t y, int32_t w)
{
    static const int32_t RIGHT[] = {45, 90, 130};
    const struct player *player = &frame->view->world->players[slot];
    const uint32_t values[] = {player->deaths, player->kills, player->squishes};
    char text[16];
    draw_rank(frame, slot, place, x, y, w);
    for (uint32_t i = 0; i < 3; i++) {
        snprintf(text, sizeof text, "%u", values[i]);
        text_right(frame->canvas, x + w - RIGHT[i], y, INK_DIM, text);
    }
    if (player->flags & PLAYER_BOT)
        text_right(frame->canvas, x + w - 185, y, INK_DIM, "bot");
}

void hud_draw_scoreboard(const struct frame *frame)
{
    const struct world *world = frame->view->world;
    uint32_t slots[PLAYER_CAPACITY];
    int32_t count = ranking(world, slots), shown = count < BOARD_ROWS ? count : BOARD_ROWS;
    int32_t w = 330, x = (CANVAS_WIDTH - w) / 2, y = (CANVAS_HEIGHT - shown * FONT_LINE_PX) / 2 + 4;
    char text[PLAYER_NAME_BYTES + 32], name[PLAYER_NAME_BYTES + 1];
    panel(frame->canvas, x - 10, y - 32, w + 20, shown * FONT_LINE_PX + 40, BOARD_PART);
    if (world->round.phase == ROUND_OVER && world->round.winner - 1 < PLAYER_CAPACITY) {
        figure_name(&world->players[world->round.winner - 1], name);
        snprintf(text, sizeof text, "%s wins!", name);
        text_middle(frame->canvas, FONT_LARGE, y - 26, GOLD, text);
    } else {
        snprintf(text, sizeof text, "%u:%02u", countdown_clock_s(world) / 60, countdown_clock_s(world) % 60);
        text_middle(frame->canvas, FONT_LARGE, y - 26, INK,
                    world->round.phase == ROUND_OVER     ? "A draw"
                    : world->round.phase == ROUND_WARMUP ? "Warm-up"
                                                         : text);
    }
    text_right(frame->canvas, x + w, y - 12, INK_DIM, "score");
    text_right(frame->canvas, x + w - 45, y - 12, INK_DIM, "deaths");
    text_right(frame->canvas, x + w - 90, y - 12, INK_DIM, "kills");
    text_right(frame->canvas, x + w - 130, y - 12, INK_DIM, "squishes");
    for (int32_t i = 0; i < shown; i++) {
        int32_t place = place_in_row(frame, slots, count, i, shown);
        draw_board_row(frame, slots[place], place + 1, x, y + i * FONT_LINE_PX, w);
    }
}

void hud_margin_text(int32_t quarter_ticks, char *text, size_t text_bytes)
{
    uint32_t size = quarter_ticks < 0 ? 0 - (uint32_t)quarter_ticks : (uint32_t)quarter_ticks;
    snprintf(text, text_bytes, "margin %s%u.%02u ticks", quarter_ticks < 0 ? "-" : "", size / 4, size % 4 * 25);
}

void hud_draw_told(struct canvas *canvas, const char *notice, uint64_t silence_us)
{
    char text[64];
    if (notice && *notice)
        text_backed(canvas, FONT_SMALL, CANVAS_HEIGHT - 34, GOLD, notice);
    if (silence_us < SILENCE_US)
        return;
    snprintf(text, sizeof text, "no answer for %u.%u s", (uint32_t)(silence_us / 1000000),
             (uint32_t)(silence_us / 100000 % 10));
    text_backed(canvas, FONT_LARGE, CANVAS_HEIGHT - 50, ALARM, text);
}

void hud_draw_net(struct canvas *canvas, const struct hud_net *net)
{
    const struct client_statistics *of = &net->statistics;
    uint32_t all = of->snapshots + of->snapshots_lost;
    char lines[7][48];
    snprintf(lines[0], sizeof lines[0], "RTT %u ms, ack %u ms", of->rtt_ms, of->input_ack_us / 1000);
    hud_margin_text(of->margin_quarter_ticks, lines[1], sizeof lines[1]);
    snprintf(lines[2], sizeof lines[2], "lost %u of %u snapshots", of->snapshots_lost, all);
    snprintf(lines[3], sizeof lines[3], "%u corrections, %u inputs missed", of->corrections, of->inputs_missed);
    snprintf(lines[4], sizeof lines[4], "%u.%u in, %u.%u out KB/s", net->bytes_in_s / 1000, net->bytes_in_s / 100 % 10,
             net->bytes_out_s / 1000, net->bytes_out_s / 100 % 10);
    snprintf(lines[5], sizeof lines[5], "%u desyncs", of->desyncs);
    snprintf(lines[6], sizeof lines[6], "drawn in %u.%u ms", net->draw_us / 1000, net->draw_us / 100 % 10);
    int32_t w = 150, h = 7 * FONT_LINE_PX + 5, x = MARGIN, y = CANVAS_HEIGHT - MARGIN - h;
    panel(canvas, x - 3, y - 3, w, h + 2, PANEL_PART);
    for (int32_t i = 0; i < 7; i++) {
        bool bad = (i == 5 && of->desyncs) || (i == 2 && of->snapshots_lost * 50 > all);
        font_draw(canvas, FONT_SMALL, x + 2, y + 1 + i * FONT_LINE_PX, bad ? ALARM : INK, lines[i]);
    }
}

// Returns the row below the last line.
static int32_t draw_wrapped(struct canvas *canvas, int32_t y, int32_t width, const char *sentence)
{
    char line[160];
    while (*sentence) {
        size_t fits = 0;
        for (size_t end = 1; fits < end; end++) {
            end += strcspn(sentence + end, " ");
            snprintf(line, sizeof line, "%.*s", (int)end, sentence);
            if (!fits || font_width(FONT_SMALL, line) <= width)
                fits = end;
            else
                break;
            if (!sentence[end])
                break;
        }
        snprintf(line, sizeof line, "%.*s", (int)fits, sentence);
        text_middle(canvas, FONT_SMALL, y, INK, line);
        y += FONT_LINE_PX + 2;
        sentence += fits;
        sentence += strspn(sentence, " ");
    }
    return y;
}

void hud_draw_sentence(struct canvas *canvas, const char *title, const char *sentence, const char *hint, uint32_t beat)
{
    int32_t middle = CANVAS_WIDTH / 2, y = CANVAS_HEIGHT / 2 - 14;
    for (int32_t row = 0; row < CANVAS_HEIGHT; row++)
        for (int32_t x = 0; x < CANVAS_WIDTH; x++)
            canvas->pixels[row * CANVAS_WIDTH + x] =
                colour_mix(RGB(0x171730), RGB(0x40295A), (row + canvas_dither(x, row)) / 16 * 16 * 256 / 288);
    text_middle(canvas, FONT_LARGE, y - 14, GOLD, title);
    int32_t below = draw_wrapped(canvas, y + 8, CANVAS_WIDTH - 120, sentence);
    if (hint)
        text_middle(canvas, FONT_SMALL, below + 12, INK_DIM, hint);
    for (int32_t i = 0; !hint && i < 5; i++) {
        int32_t lift = (beat / 8 + (uint32_t)i) % 5 == 0 ? 3 : 0;
        canvas_box(canvas, middle - 22 + i * 10, y + 44 - lift, 4, 4, lift ? GOLD : INK_DIM);
    }
}
