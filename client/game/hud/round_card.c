// SPDX-License-Identifier: MIT
#include "hud.h"

#include <stdio.h>

#include "game/player/player.h"
#include "game/rules/standing.h"
#include "looks/sprites.h"
#include "scene/draw_player.h"
#include "scene/text_panel.h"
#include "sync/player_name.h"

#define ROWS_MAX   8
#define ROW_PX     22
#define HEAD_PX    36 ///< of the card, above its rows
#define FOOT_PX    26
#define WIDTH_PX   300
#define PIPS_MAX   10
#define PIP_PX     10 ///< from one to the next
#define NEW_TICKS  45 ///< for which the newest pip blinks
#define SHEET_PART 225

// A row: a player or a team.
struct row {
    char name[TEXT_BYTES / 2];
    argb ink;
    uint32_t colour, hat; ///< of a player
    uint32_t team;        ///< 0: a player
    uint32_t slot;        ///< of a player
    int32_t score;
    bool won; ///< this round
};

static struct row player_row(const struct frame *frame, uint32_t slot)
{
    const struct world *world = frame->view->confirmed;
    const struct player *player = &world->players[slot];
    struct row row = {.ink = palette_player_light(frame->display->colour_vision, player->colour),
                      .colour = player->colour,
                      .hat = frame->view->hats ? frame->view->hats[slot] : HAT_NONE,
                      .slot = slot,
                      .score = player->score,
                      .won = world->round.winner == slot + 1};
    player_name_to_text(player->name, row.name);
    return row;
}

// Fills the rows: the teams, or the players, the best first. Of equals the lower slot comes first. The viewer's player
// takes the last row if they rank lower.
static int32_t fill_rows(const struct frame *frame, struct row rows[ROWS_MAX])
{
    const struct world *world = frame->view->confirmed;
    for (uint32_t team = 0; mode_of(world)->teams && team < TEAM_COUNT; team++) {
        rows[team] = (struct row){.ink = palette_team(team + 1),
                                  .team = team + 1,
                                  .score = world->round.team_scores[team],
                                  .won = world->round.winner_team == team + 1};
        snprintf(rows[team].name, sizeof rows->name, "%s", scoreboard_team_name(team + 1));
    }
    if (mode_of(world)->teams)
        return TEAM_COUNT;
    int32_t count = 0;
    for (uint32_t slot = 0; slot < world->player_slots; slot++) {
        if (!player_plays(&world->players[slot]))
            continue;
        struct row row = player_row(frame, slot);
        int32_t at = count < ROWS_MAX ? count++ : ROWS_MAX;
        for (; at > 0 && rows[at - 1].score < row.score; at--)
            if (at < ROWS_MAX)
                rows[at] = rows[at - 1];
        if (at < ROWS_MAX)
            rows[at] = row;
    }
    uint32_t own = frame->view->slot;
    bool has_own = own >= PLAYER_CAPACITY || !player_plays(&world->players[own]);
    for (int32_t i = 0; i < count; i++)
        has_own |= rows[i].slot == own;
    if (!has_own)
        rows[ROWS_MAX - 1] = player_row(frame, own);
    return count;
}

// Writes that several lead with so many points, or that all do.
static void write_tie(const struct world *world, int32_t score, char text[TEXT_BYTES])
{
    char names[2][PLAYER_NAME_BYTES + 1];
    uint32_t leaders = 0, players = 0;
    for (uint32_t slot = 0; slot < world->player_slots; slot++) {
        const struct player *player = &world->players[slot];
        if (!player_plays(player))
            continue;
        players++;
        if (player->score != score)
            continue;
        if (leaders < 2)
            player_name_to_text(player->name, names[leaders]);
        leaders++;
    }
    if (mode_of(world)->teams || leaders == players)
        snprintf(text, TEXT_BYTES, "%s", text_of("All level"));
    else if (leaders == 2)
        snprintf(text, TEXT_BYTES, text_of("%s and %s lead"), names[0], names[1]);
    else
        snprintf(text, TEXT_BYTES, text_plural("%u player leads", "%u players lead", leaders), leaders);
}

bool round_card_stake(const struct world *world, char text[TEXT_BYTES])
{
    int32_t score;
    char name[TEXT_BYTES / 2] = "";
    struct outcome leader = standing_leader(world, &score);
    bool decides = standing_is_match_point(world);
    text[0] = 0;
    if (!mode_of(world)->decided)
        return false;
    if (leader.team)
        snprintf(name, sizeof name, "%s", scoreboard_team_name(leader.team));
    else if (leader.winner)
        player_name_to_text(world->players[leader.winner - 1].name, name);
    if (decides && name[0])
        snprintf(text, TEXT_BYTES, text_of("Match point: %s"), name);
    else if (decides)
        snprintf(text, TEXT_BYTES, "%s", text_of("Match point"));
    else if (name[0])
        snprintf(text, TEXT_BYTES, text_of("%s leads"), name);
    else
        write_tie(world, score, text);
    return decides;
}

// Draws a row. Its points are pips toward the goal, the newest of which blinks, or a number if there are too many.
static void draw_row(const struct frame *frame, const struct row *row, int32_t x, int32_t y)
{
    const struct world *world = frame->view->confirmed;
    int32_t middle = y + (ROW_PX - 8) / 2, right = x + WIDTH_PX - 26;
    struct placement figure = {.x = x + 6, .y = y + ROW_PX - FIGURE_HEIGHT - 2, .w = FIGURE_WIDTH, .h = FIGURE_HEIGHT};
    argb colour = row->team ? palette_team(row->team) : palette_player(frame->display->colour_vision, row->colour);
    struct portrait portrait = {
        .colour = colour, .main = colour, .hat = (enum hat)row->hat, .has_scarf = row->won, .anim_tick = frame->tick};
    if (row->won)
        canvas_veil(frame->canvas, (struct rect){x, y, WIDTH_PX - 20, ROW_PX - 1}, colour, 60);
    if (row->team)
        canvas_box(frame->canvas, (struct rect){x + 8, middle, 8, 8}, colour);
    else if (row->won)
        draw_player_dancer(frame->canvas, &portrait, figure);
    else
        draw_player_portrait(frame->canvas, &portrait, figure);
    font_draw(frame->canvas, text_panel_face(frame), x + 30, middle, row->ink, row->name);

    int32_t goal = world->rules.score_limit, age = (int32_t)(frame->tick - world->round.since_tick);
    char text[24];
    if (goal < 1 || goal > PIPS_MAX || row->score < 0) {
        snprintf(text, sizeof text, "%d", row->score);
        text_panel_right(frame->canvas, FONT_LARGE, right, middle, INK_GOLD, text);
        return;
    }
    for (int32_t i = 0; i < goal; i++) {
        int32_t pip_x = right - (goal - i) * PIP_PX;
        bool full = i < row->score, newest = row->won && i == row->score - 1;
        bool blinks = newest && age < NEW_TICKS && age / 6 % 2 && !frame->display->reduced_motion;
        canvas_box(frame->canvas, (struct rect){pip_x, middle - 1, 8, 9}, RGB(0x14121C));
        canvas_box(frame->canvas, (struct rect){pip_x + 1, middle, 6, 7}, full ? RGB(0x8A5A12) : RGB(0x2C2836));
        if (full)
            canvas_box(frame->canvas, (struct rect){pip_x + 1, middle, 6, 6}, blinks ? RGB(0xFFFFFF) : INK_GOLD);
        if (full)
            canvas_box(frame->canvas, (struct rect){pip_x + 2, middle + 1, 2, 2}, RGB(0xFFF4C8));
    }
}

static void draw_title(const struct frame *frame, int32_t y)
{
    const struct world *world = frame->view->confirmed;
    const struct round *round = &world->round;
    char text[TEXT_BYTES], name[TEXT_BYTES / 2] = "";
    argb ink = INK_GOLD;
    if (round->winner_team) {
        snprintf(name, sizeof name, "%s", scoreboard_team_name(round->winner_team));
        ink = palette_team(round->winner_team);
    } else if (round->winner - 1 < PLAYER_CAPACITY) {
        player_name_to_text(world->players[round->winner - 1].name, name);
        ink = palette_player_light(frame->display->colour_vision, world->players[round->winner - 1].colour);
    }
    if (name[0])
        snprintf(text, sizeof text, text_of("Round %u goes to %s"), round->number + 1, name);
    else
        snprintf(text, sizeof text, text_of("Nobody wins round %u"), round->number + 1);
    text_panel_centred(frame->canvas, FONT_LARGE, y, ink, text);
    if (world->rules.score_limit > 0) {
        snprintf(text, sizeof text, text_of("first to %d"), world->rules.score_limit);
        text_panel_centred(frame->canvas, text_panel_face(frame), y + 13, INK_DIM, text);
    }
}

void round_card_draw(const struct frame *frame, int32_t top)
{
    struct row rows[ROWS_MAX];
    char stake[TEXT_BYTES];
    int32_t count = fill_rows(frame, rows), h = HEAD_PX + count * ROW_PX + FOOT_PX;
    int32_t x = (canvas_width(frame->canvas) - WIDTH_PX) / 2,
            y = top + (canvas_height(frame->canvas) - frame->below - top - h) / 2;
    text_panel_sheet(frame->canvas, (struct rect){x, y, WIDTH_PX, h}, SHEET_PART);
    draw_title(frame, y + 8);
    for (int32_t i = 0; i < count; i++)
        draw_row(frame, &rows[i], x + 10, y + HEAD_PX + i * ROW_PX);
    bool decides = round_card_stake(frame->view->confirmed, stake);
    enum font_face face = decides ? FONT_LARGE : text_panel_face(frame);
    if (font_width(face, stake) > WIDTH_PX - 20) // two long names
        face = FONT_SMALL;
    text_panel_centred(frame->canvas, face, y + h - 17, decides ? INK_ALARM : INK, stake);
}
