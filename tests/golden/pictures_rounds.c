// SPDX-License-Identifier: MIT
// Golden pictures of the moments around a round: the story of a kill, the card between rounds, the end of a match, the
// winner's dance.
#include <stdio.h>
#include <string.h>

#include "hud/hud.h"
#include "looks/sprites.h"
#include "pictures.h"
#include "pictures_scene.h"
#include "scene/text_panel.h"

static const char *const NAMES[] = {"Ada",   "Bo",   "Jørgen", "Sixteen letters!", "Zoë", "Ember", "Cinder",
                                    "Anvil", "Slag", "Rivet"};

// Players who stand in a row, with the numbers of a match.
static const struct frame *begin(struct canvas *canvas, enum mode mode, uint32_t players)
{
    const struct frame *frame = still_begin(canvas);
    struct world *world = &still.match.world;
    world->rules.mode = mode;
    world->rules.score_limit = mode == MODE_BREAKOUT ? 3 : mode == MODE_FFA ? 20 : 5;
    for (uint32_t slot = 0; slot < players; slot++) {
        struct player *player = still_player(slot, 60 + (int32_t)slot * 60, 320, NAMES[slot], slot * 3 % 16);
        player->score = mode == MODE_FFA ? (int32_t)(20 - slot * 2) : (int32_t)(players - slot) % 5;
        player->team = mode == MODE_TEAMS || mode == MODE_BREAKOUT ? 1 + slot % 2 : 0;
        player->flags |= slot > 1 ? PLAYER_BOT : 0;
        player->stats = (struct player_stats){.kills = slot * 37 % 25,
                                              .deaths = slot * 11 % 9,
                                              .squishes = slot * 5 % 4,
                                              .catches = slot,
                                              .shots = 40,
                                              .hits = slot * 7 % 31,
                                              .jumps = 20};
        still.hats[slot] = (uint8_t)(slot % HATS);
    }
    world->round.since_tick = STILL_TICK - 20;
    still_look();
    still.view.slot = 0;
    return frame;
}

// A sentence of each cause: by somebody, by nobody, by oneself.
static void stories(struct canvas *canvas, uint32_t large)
{
    struct canvas *shown = canvas;
    static struct canvas other;
    still_begin(canvas);
    for (uint32_t cause = 0; cause < DEATH_CAUSES; cause++)
        for (uint32_t who = 0; who < 3; who++) {
            static const uint32_t KILLERS[] = {0, EVENT_NOBODY, 1};
            const struct frame *frame = begin(&other, MODE_LMS, 4);
            still.display.large_text = still_large || large;
            kill_story_draw(
                frame,
                &(struct kill_story){.kill = {.subject = 1, .other = KILLERS[who], .detail = cause, .x = 120, .y = 313},
                                     .solid = KILL_STORY_NO_SOLID});
            still_paste(shown, 0, (int32_t)(3 * cause + who) * 17, &other, (struct rect){0, 340, CANVAS_WIDTH, 17});
        }
}

// Marks around killer, victim and crusher.
static void story(struct canvas *canvas, uint32_t variant)
{
    (void)variant;
    const struct frame *frame = begin(canvas, MODE_LMS, 3);
    struct map *map = &still.match.map;
    map->solid_count = 1;
    map->solids[0].kind = MAP_SOLID_CRUSHER;
    still.match.world.solid_count = 1;
    still.match.world.solids[0] = (struct df_solid){.x = 100, .y = 270, .w = 48, .h = 32, .flags = DF_SOLID_PRESENT};
    still_look();
    struct event kill = {.subject = 1, .other = 0, .detail = DEATH_SQUISH, .x = 120, .y = 306};
    struct kill_story found = kill_story_of(map, &still.match.world, &kill);
    kill_story_draw(frame, &found);
}

enum { FIRST, MATCH_POINT, TEAMS, DRAWN, CARD_LARGE, MANY, TWO_LEAD };

static void card(struct canvas *canvas, uint32_t what)
{
    const struct frame *frame = begin(canvas, what == TEAMS ? MODE_BREAKOUT : MODE_LMS,
                                      what == FIRST  ? 2
                                      : what == MANY ? 10
                                                     : 4);
    struct round *round = &still.match.world.round;
    still.display.large_text = still_large || what == CARD_LARGE || what == TWO_LEAD;
    round->phase = ROUND_OVER;
    round->number = what == FIRST ? 0 : 6;
    round->winner = what == TEAMS || what == DRAWN ? 0 : 1;
    round->winner_team = what == TEAMS ? 2 : 0;
    round->team_scores[0] = 1;
    round->team_scores[1] = 2;
    for (uint32_t slot = 0; what == FIRST && slot < 2; slot++)
        still.match.world.players[slot].score = slot == 0;
    for (uint32_t slot = 0; what == DRAWN && slot < 4; slot++)
        still.match.world.players[slot].score = 2;
    for (uint32_t slot = 0; what == TWO_LEAD && slot < 4; slot++)
        still.match.world.players[slot].score = slot < 2 ? 1 : 2;
    if (what == MANY)
        still.match.world.players[9].score = 0;
    if (what == CARD_LARGE)
        still.match.world.rules.score_limit = 20;
    still_look();
    still.view.slot = what == MANY ? 9 : 0;
    round_card_draw(frame, 0);
}

enum { WON, TEAM_WON, NOBODY_WON, END_LARGE, BELOW_VOTE };

static void end(struct canvas *canvas, uint32_t what)
{
    const struct frame *frame = begin(canvas, what == TEAM_WON ? MODE_TEAMS : MODE_FFA, what == WON ? 4 : 8);
    struct round *round = &still.match.world.round;
    struct player *players = still.match.world.players;
    still.display.large_text = still_large || what == END_LARGE;
    round->phase = ROUND_MATCH_OVER;
    round->winner = what == TEAM_WON || what == NOBODY_WON ? 0 : 1;
    round->winner_team = what == TEAM_WON;
    round->team_scores[0] = 30;
    round->team_scores[1] = 22;
    players[1].stats.fallen_px = what == WON ? 16900 : 0;
    players[1].stats.own_kills = what == TEAM_WON ? 3 : 0;
    players[2].stats.wall_shots = what == END_LARGE ? 25 : 0;
    players[3].stats.jumps = what == BELOW_VOTE ? 312 : 0;
    still_look();
    match_end_draw(frame, what == BELOW_VOTE ? 60 : 0);
}

// Every moment of the dance, and the winner among others in the arena.
static void dances(struct canvas *canvas, uint32_t variant)
{
    (void)variant;
    still_ground(canvas);
    for (uint32_t i = 0; i < 24; i++)
        draw_player_dancer(canvas,
                           &(struct portrait){.colour = palette_player(0, i % PALETTE_PLAYERS),
                                              .main = palette_player(0, i % PALETTE_PLAYERS),
                                              .hat = (enum hat)(i % HATS),
                                              .has_scarf = true,
                                              .anim_tick = i * 4},
                           (struct placement){.x = 16 + (int32_t)(i % 12) * 52,
                                              .y = 50 + (int32_t)(i / 12) * 80,
                                              .w = FIGURE_WIDTH * 3,
                                              .h = FIGURE_HEIGHT * 3});
    static struct canvas other;
    for (uint32_t i = 0; i < 3; i++) {
        const struct frame *frame = begin(&other, MODE_LMS, 3);
        still.match.world.round.phase = ROUND_OVER;
        still.match.world.round.winner = 2;
        still.frame.tick = STILL_TICK - STILL_TICK % DANCE_TICKS + i * 34;
        still_look();
        for (uint32_t slot = 0; slot < 3; slot++) {
            player_figure_step(&still.scene.figures[slot], &still.view, slot);
            draw_player(frame, &still.scene.figures[slot], slot);
        }
        still_paste(canvas, 10 + (int32_t)i * 210, 240, &other, (struct rect){40, 270, 200, 60});
    }
}

const struct picture PICTURES_ROUNDS[] = {
    {"kill-stories", 0, 0, 0, 0, stories, 0},
    {"kill-stories-large", 0, 0, 0, 0, stories, 1},
    {"kill-story-crusher", 0, 0, 0, 0, story, 0},
    {"round-card-first", 0, 0, 0, 0, card, FIRST},
    {"round-card-match-point", 0, 0, 0, 0, card, MATCH_POINT},
    {"round-card-teams", 0, 0, 0, 0, card, TEAMS},
    {"round-card-drawn", 0, 0, 0, 0, card, DRAWN},
    {"round-card-large", 0, 0, 0, 0, card, CARD_LARGE},
    {"round-card-many", 0, 0, 0, 0, card, MANY},
    {"round-card-two-lead", 0, 0, 0, 0, card, TWO_LEAD},
    {"match-end-won", 0, 0, 0, 0, end, WON},
    {"match-end-team-won", 0, 0, 0, 0, end, TEAM_WON},
    {"match-end-drawn", 0, 0, 0, 0, end, NOBODY_WON},
    {"match-end-large", 0, 0, 0, 0, end, END_LARGE},
    {"match-end-below-vote", 0, 0, 0, 0, end, BELOW_VOTE},
    {"dance", 0, 0, 0, 0, dances, 0},
    {NULL, 0, 0, 0, 0, NULL, 0},
};
