// SPDX-License-Identifier: MIT
#include "hud.h"

#include <stdio.h>

#include "game/player/player.h"
#include "game/rules/standing.h"
#include "looks/sprites.h"
#include "scene/draw_player.h"
#include "scene/text_panel.h"
#include "sync/player_name.h"

#define MARGIN_PX      14
#define GAP_PX         8  ///< between the stage, the scores and the oddity
#define ODDITY_PX      26 ///< rows of the oddity
#define SHEET_PART     225
#define STEP_PX        14 ///< height of a step of the stage
#define DANCERS_MAX    3
#define SCARF_STAGE_PX 220 ///< width of a stage on which the scarf of a large dancer has room
#define CONFETTI       70

// Who stands on the stage, the best first: the winner, the best of the team that won, or all who share the victory.
static uint32_t find_dancers(const struct world *world, uint32_t slots[DANCERS_MAX])
{
    const struct round *round = &world->round;
    uint32_t count = 0;
    for (uint32_t slot = 0; slot < world->player_slots; slot++) {
        const struct player *player = &world->players[slot];
        bool wins = round->winner_team ? player->team == round->winner_team : round->winner == slot + 1;
        if (!player_plays(player) || !wins)
            continue;
        uint32_t at = count < DANCERS_MAX ? count++ : DANCERS_MAX;
        for (; at > 0 && world->players[slots[at - 1]].score < player->score; at--)
            if (at < DANCERS_MAX)
                slots[at] = slots[at - 1];
        if (at < DANCERS_MAX)
            slots[at] = slot;
    }
    return count;
}

// Bits of paper in the winners' colours that fall and sway.
static void draw_confetti(const struct frame *frame, struct rect stage, const argb *inks, uint32_t ink_count)
{
    for (int32_t i = 0; i < CONFETTI; i++) {
        uint32_t hash = frame_hash(i, 41), fall = hash % 3 + 1;
        int32_t y = (int32_t)((frame->tick * fall / 3 + hash / 64) % (uint32_t)stage.h);
        int32_t sway = (int32_t)(frame->tick / 6 + hash / 8) % 8;
        int32_t x = (int32_t)(hash / 4096 % (uint32_t)(stage.w - 8)) + (sway < 4 ? sway : 8 - sway);
        bool edge_on = (frame->tick / 5 + hash) % 3 == 0;
        canvas_box(frame->canvas, (struct rect){stage.x + x, stage.y + y, edge_on ? 1 : 3, 2},
                   i % 3 ? inks[(uint32_t)i % ink_count] : INK_GOLD);
    }
}

static void draw_title(const struct frame *frame, struct rect stage, const uint32_t *slots, uint32_t count)
{
    const struct world *world = frame->view->confirmed;
    const char *wins = text_of("wins the match!");
    char name[TEXT_BYTES];
    argb ink = INK_GOLD;
    if (world->round.winner_team) {
        snprintf(name, sizeof name, "%s", scoreboard_team_name(world->round.winner_team));
        ink = palette_team(world->round.winner_team);
    } else if (count) {
        player_name_to_text(world->players[slots[0]].name, name);
        ink = palette_player_light(frame->display->colour_vision, world->players[slots[0]].colour);
    } else {
        snprintf(name, sizeof name, "%s", text_of("A draw"));
        wins = text_of("Nobody wins the match");
    }
    int32_t middle = stage.x + stage.w / 2;
    font_draw_outlined(frame->canvas, FONT_LARGE, middle - font_width(FONT_LARGE, name) / 2, stage.y + 10, ink, name);
    enum font_face face = font_that_fits(FONT_LARGE, wins, stage.w - 12);
    font_draw_outlined(frame->canvas, face, middle - font_width(face, wins) / 2, stage.y + 24, INK_GOLD, wins);
}

static void draw_stage(const struct frame *frame, struct rect stage)
{
    const struct world *world = frame->view->confirmed;
    uint32_t slots[DANCERS_MAX], count = find_dancers(world, slots), vision = frame->display->colour_vision;
    int32_t middle = stage.x + stage.w / 2, floor = stage.y + stage.h - STEP_PX - 6;
    argb inks[DANCERS_MAX];
    text_panel_sheet(frame->canvas, stage, SHEET_PART);
    for (uint32_t i = 0; i < count; i++)
        inks[i] = palette_player_light(vision, world->players[slots[i]].colour);
    for (int32_t y = stage.y; count && y < floor; y++) { // rays of light behind the winner
        int32_t half = 12 + (floor - y) * 2 / 5;
        canvas_veil(frame->canvas, (struct rect){middle - half, y, 2 * half, 1}, inks[0], 26);
        canvas_veil(frame->canvas, (struct rect){middle - half / 2, y, half, 1}, inks[0], 26);
    }
    if (count && !frame->display->reduced_motion)
        draw_confetti(frame, (struct rect){stage.x + 4, stage.y + 4, stage.w - 8, stage.h - 10}, inks, count);
    int32_t half = stage.w / 2 - 20;
    canvas_box(frame->canvas, (struct rect){middle - half, floor, 2 * half, STEP_PX}, RGB(0x3B2117));
    canvas_box(frame->canvas, (struct rect){middle - half, floor, 2 * half, STEP_PX - 4}, RGB(0xB97F35));
    canvas_box(frame->canvas, (struct rect){middle - half, floor, 2 * half, 2}, RGB(0xFFE39A));

    int32_t scale = count != 1 || stage.h <= 150 ? 3 : stage.w < SCARF_STAGE_PX ? 4 : 6;
    int32_t w = FIGURE_WIDTH * scale, h = FIGURE_HEIGHT * scale;
    for (uint32_t i = count; i-- > 0;) {
        int32_t side = i == 0 ? 0 : i == 1 ? -1 : 1;
        const struct player *player = &world->players[slots[i]];
        argb colour = palette_player(vision, player->colour);
        struct portrait dancer = {.colour = colour,
                                  .main = player->team ? palette_team(player->team) : colour,
                                  .hat = frame->view->hats ? (enum hat)frame->view->hats[slots[i]] : HAT_NONE,
                                  .has_scarf = true,
                                  .anim_tick = frame->display->reduced_motion ? frame->tick / 2 : frame->tick};
        draw_player_dancer(frame->canvas, &dancer,
                           (struct placement){.x = middle + side * 48 - w / 2, .y = floor - h, .w = w, .h = h});
    }
    draw_title(frame, stage, slots, count);
}

bool match_end_oddity_text(const struct world *world, char text[TEXT_BYTES])
{
    struct award_oddity oddity = standing_oddity(world);
    char name[PLAYER_NAME_BYTES + 1];
    text[0] = 0;
    player_name_to_text(world->players[oddity.slot].name, name);
    uint32_t value = oddity.value;
    switch (oddity.kind) {
    case ODDITY_OWN_KILLS:
        snprintf(text, TEXT_BYTES,
                 text_plural("%s needed no enemy: they got themselves %u time",
                             "%s needed no enemy: they got themselves %u times", value),
                 name, value);
        break;
    case ODDITY_WALL_SHOTS:
        snprintf(text, TEXT_BYTES, text_plural("%s shot %u arrow into walls", "%s shot %u arrows into walls", value),
                 name, value);
        break;
    case ODDITY_FALL:
        if (value < 1000)
            snprintf(text, TEXT_BYTES, text_of("%s fell %u m in all"), name, value);
        else
            snprintf(text, TEXT_BYTES, text_of("%s fell %u.%u km in all"), name, value / 1000, value / 100 % 10);
        break;
    case ODDITY_JUMPS:
        snprintf(text, TEXT_BYTES, text_plural("%s jumped %u time", "%s jumped %u times", value), name, value);
        break;
    case ODDITY_NONE:
    case ODDITY_KINDS:
        break;
    }
    return text[0];
}

void match_end_draw(const struct frame *frame, int32_t top)
{
    char oddity[TEXT_BYTES];
    bool odd = match_end_oddity_text(frame->view->confirmed, oddity);
    int32_t foot = odd ? ODDITY_PX + GAP_PX : 0;
    struct rect scores = scoreboard_draw_right(frame, top, MARGIN_PX, foot);
    struct rect stage = {MARGIN_PX, scores.y, scores.x - GAP_PX - MARGIN_PX, scores.h};
    draw_stage(frame, stage);
    if (!odd)
        return;
    struct rect line = {MARGIN_PX, scores.y + scores.h + GAP_PX, canvas_width(frame->canvas) - 2 * MARGIN_PX,
                        ODDITY_PX};
    text_panel_sheet(frame->canvas, line, SHEET_PART);
    text_panel_centred(frame->canvas, FONT_LARGE, line.y + (ODDITY_PX - 7) / 2, INK, oddity);
}
