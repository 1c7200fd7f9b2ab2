// SPDX-License-Identifier: MIT
// Golden pictures of players: poses, marks, hats, colours, names.
#include <string.h>

#include "looks/sprites.h"
#include "pictures.h"
#include "pictures_scene.h"
#include "scene/painters.h"

static const int8_t AIMS[8][2] = {{1, 0}, {1, 1}, {0, 1}, {-1, 1}, {-1, 0}, {-1, -1}, {0, -1}, {1, -1}};

// Draws some frames first, so that scarves fall and stream.
static void settle(int32_t speed_px)
{
    static struct view moving;
    still_look();
    for (int32_t left = 12; left >= 0; left--) {
        moving = still.view;
        for (uint32_t slot = 0; slot < still.match.world.player_slots; slot++)
            moving.actors[slot].x -= still.match.world.players[slot].facing * speed_px * left * DF_SUB;
        for (uint32_t slot = 0; slot < still.match.world.player_slots; slot++)
            player_figure_step(&still.scene.figures[slot], &moving, slot);
    }
}

static void draw_all(const struct frame *frame)
{
    for (uint32_t slot = 0; slot < still.match.world.player_slots; slot++)
        draw_player(frame, &still.scene.figures[slot], slot);
}

static struct player *put(int32_t column, int32_t row, int32_t facing)
{
    uint32_t slot = still.match.world.player_slots;
    struct player *player = still_player(slot, 20 + column * 36, 32 + row * 36, "Ada", slot);
    player->facing = facing;
    return player;
}

// All poses of the legs, to the right and to the left; below, squashed and stretched.
static void poses(struct canvas *canvas, uint32_t variant)
{
    (void)variant;
    const struct frame *frame = still_begin(canvas);
    for (int32_t facing = 1; facing >= -1; facing -= 2)
        for (int32_t pose = 0; pose < LEGS_POSES; pose++) {
            struct player *player = put(pose, facing < 0, facing);
            bool runs = pose >= LEGS_RUN_1 && pose <= LEGS_RUN_4;
            player->vx = runs ? facing * 400 : 0;
            player->vy = pose == LEGS_RISE ? -300 : pose == LEGS_FALL ? 300 : 0;
            player->flags = pose == LEGS_WALL && facing > 0 ? PLAYER_WALL_RIGHT
                            : pose == LEGS_WALL             ? PLAYER_WALL_LEFT
                            : pose >= LEGS_RISE             ? 0
                                                            : PLAYER_GROUNDED;
        }
    for (int32_t squash = -2; squash <= 3; squash++)
        put(squash + 2, 2, 1);
    settle(0);
    for (uint32_t slot = 0; slot < 2 * LEGS_POSES; slot++)
        still.scene.figures[slot].stride = (int32_t)(slot % LEGS_POSES + 3) * 5;
    for (int32_t squash = -2; squash <= 3; squash++)
        player_figure_squash(&still.scene.figures[2 * LEGS_POSES + squash + 2], squash);
    draw_all(frame);
}

// Above, players who live. Below, the same ones hit, but only by prediction.
static void hit(struct canvas *canvas, uint32_t variant)
{
    static struct world predicted;
    (void)variant;
    const struct frame *frame = still_begin(canvas);
    for (int32_t row = 0; row < 2; row++)
        for (int32_t column = 0; column < 6; column++)
            put(column, row, column % 2 ? -1 : 1)->vx = column * 100;
    settle(1);
    predicted = still.match.world;
    for (uint32_t slot = 6; slot < 12; slot++) {
        uint32_t generation = predicted.players[slot].generation;
        predicted.players[slot] = (struct player){.state = PLAYER_DEAD, .generation = generation, .colour = slot};
    }
    still.view.world = &predicted;
    draw_all(frame);
}

// Eyes and bow in eight directions; standing, and running fast.
static void aims(struct canvas *canvas, uint32_t speed_px)
{
    const struct frame *frame = still_begin(canvas);
    for (uint32_t way = 0; way < 8; way++)
        for (uint32_t row = 0; row < 2; row++) {
            struct player *player = put((int32_t)way, (int32_t)row, AIMS[way][0] < 0 ? -1 : 1);
            player->aim_x = AIMS[way][0];
            player->aim_y = AIMS[way][1];
        }
    settle((int32_t)speed_px);
    for (uint32_t slot = 0; slot < still.match.world.player_slots; slot += 2)
        player_figure_shoot(&still.scene.figures[slot]);
    draw_all(frame);
}

// From left to right: the aim of the own player, with and without arrows; a shield, and one about to end; the shield of
// a chest; wings on the ground, in the air, beating, to the left; a dash; each team; a blink; a
// magnet.
static void marks(struct canvas *canvas, uint32_t later)
{
    const struct frame *frame = still_begin(canvas);
    struct player *players[14];
    for (int32_t i = 0; i < 14; i++)
        players[i] = put(i % 7, i / 7, 1);
    players[1]->aim_y = -1;
    players[1]->arrows = 0;
    players[2]->shield_until = STILL_TICK + 500;
    players[3]->shield_until = STILL_TICK + 16;
    players[4]->shield = 1;
    for (int32_t i = 5; i <= 8; i++)
        players[i]->wings_until = STILL_TICK + (i == 8 ? 42u : 500u);
    players[6]->flags = players[7]->flags = 0;
    players[6]->vy = 300;
    players[7]->vy = -300;
    players[8]->facing = -1;
    players[9]->dash_until = STILL_TICK + 20;
    players[10]->team = 1;
    players[11]->team = 2;
    players[13]->magnet_until = STILL_TICK + 500;
    settle(4);
    still.frame.tick = STILL_TICK + later;
    for (uint32_t own = 0; own < 2; own++) {
        still.view.slot = own;
        draw_player(frame, &still.scene.figures[own], own);
    }
    still.view.slot = PLAYER_CAPACITY;
    for (uint32_t slot = 2; slot < 14; slot++)
        if (slot != 12)
            draw_player(frame, &still.scene.figures[slot], slot);
    still.frame.tick = STILL_TICK - STILL_TICK % 190 + 190 - 12 * 37 % 190 + 2;
    draw_player(frame, &still.scene.figures[12], 12);
}

static void hats(struct canvas *canvas, uint32_t variant)
{
    (void)variant;
    const struct frame *frame = still_begin(canvas);
    for (int32_t row = 0; row < 3; row++)
        for (uint32_t hat = 0; hat < HATS; hat++) {
            still.hats[still.match.world.player_slots] = (uint8_t)hat;
            put((int32_t)hat, row, row == 1 ? -1 : 1);
        }
    settle(0);
    for (uint32_t slot = 2 * HATS; slot < 3 * HATS; slot++)
        player_figure_squash(&still.scene.figures[slot], 3);
    draw_all(frame);
}

// A row for each kind of eyes.
static void colours(struct canvas *canvas, uint32_t variant)
{
    (void)variant;
    const struct frame *frame = still_begin(canvas);
    for (uint32_t eyes = 0; eyes < COLOUR_VISIONS; eyes++)
        for (uint32_t colour = 0; colour < PALETTE_PLAYERS; colour++)
            still_player(eyes * PALETTE_PLAYERS + colour, 16 + (int32_t)colour * 24, 24 + (int32_t)eyes * 24, "Ada",
                         colour);
    settle(0);
    for (uint32_t slot = 0; slot < still.match.world.player_slots; slot++) {
        still.display.colour_vision = slot / PALETTE_PLAYERS;
        draw_player(frame, &still.scene.figures[slot], slot);
    }
}

// Names of each length and script, in teams, under hats; the own player's with its marker.
static void names(struct canvas *canvas, uint32_t large)
{
    static const char *const NAMES[] = {"A",       "Jørgen", "Zoë Müller", "Sixteen letters!",
                                        "Ñandú ß", "日本",   "Blue",       "Orange"};
    const struct frame *frame = still_begin(canvas);
    still.display.large_text = still_large || large;
    for (uint32_t i = 0; i < 8; i++) {
        struct player *player =
            still_player(i, 60 + (int32_t)(i % 4) * 110, 40 + (int32_t)(i / 4) * 40, NAMES[i], i * 2 % 16);
        player->team = i == 6 ? 1 : i == 7 ? 2 : 0;
        still.hats[i] = i == 1 ? HAT_CONE : i == 4 ? HAT_TOP : HAT_NONE;
    }
    settle(0);
    still.view.slot = 4;
    draw_all(frame);
    for (uint32_t slot = 0; slot < 8; slot++)
        draw_player_name(frame, slot, draw_player_name_box(frame, slot).y);
    draw_player_marker(frame, 4);
    draw_player_marker(frame, 0);
}

// Names of players who stand together: each can be read, and covers nobody.
static void names_together(struct canvas *canvas, uint32_t variant)
{
    static const char *const NAMES[] = {"Ada", "Bea the Great", "Cem", "Dag", "Sixteen letters!", "Eve", "Flo"};
    const struct frame *frame = still_begin(canvas);
    (void)variant;
    for (uint32_t i = 0; i < 7; i++)
        still_player(i, 60 + (int32_t)(i % 4) * 14, 76 + (int32_t)(i / 4) * 18, NAMES[i], i * 2)->shield_until = 1;
    settle(0);
    still.view.slot = 2;
    draw_all(frame);
    name_tags_draw(frame, &still.scene);
}

static void portraits(struct canvas *canvas, uint32_t variant)
{
    (void)variant;
    still_ground(canvas);
    for (uint32_t hat = 0; hat < HATS; hat++)
        for (int32_t scale = 2; scale <= 4; scale += 2)
            draw_player_portrait(canvas,
                                 &(struct portrait){.colour = palette_player(0, hat),
                                                    .main = palette_player(0, hat),
                                                    .hat = (enum hat)hat,
                                                    .has_scarf = hat % 2,
                                                    .legs = hat == 3 ? LEGS_RISE : LEGS_STAND,
                                                    .blinks = hat == 5},
                                 (struct placement){.x = 10 + (int32_t)hat * 56,
                                                    .y = scale == 2 ? 16 : 68,
                                                    .w = scale * FIGURE_WIDTH,
                                                    .h = scale * FIGURE_HEIGHT});
}

// Hats alone, so that their painter is seen without any other.
static void hats_alone(struct canvas *canvas, uint32_t variant)
{
    (void)variant;
    still_ground(canvas);
    for (uint32_t hat = 0; hat < HATS; hat++)
        for (int32_t row = 0; row < 2; row++)
            hats_draw(canvas, (enum hat)hat,
                      (struct placement){
                          .x = 8 + (int32_t)hat * 20, .y = 16 + row * 20, .w = FIGURE_WIDTH, .mirrored = row == 1});
}

const struct picture PICTURES_FIGURES[] = {
    {"players-poses", 0, 0, 300, 112, poses, 0},
    {"players-hit", 0, 0, 230, 80, hit, 0},
    {"players-aims", 0, 0, 300, 80, aims, 0},
    {"players-aims-running", 0, 0, 300, 80, aims, 3},
    {"players-markers", 0, 0, 270, 76, marks, 0},
    {"players-markers-later", 0, 0, 270, 76, marks, 4},
    {"players-hats", 0, 0, 300, 112, hats, 0},
    {"players-colours", 0, 0, 400, 104, colours, 0},
    {"players-names", 0, 0, 470, 88, names, 0},
    {"players-names-large", 0, 0, 470, 88, names, 1},
    {"players-names-together", 0, 0, 240, 140, names_together, 0},
    {"players-portraits", 0, 0, 464, 128, portraits, 0},
    {"hats", 0, 0, 172, 56, hats_alone, 0},
    {NULL, 0, 0, 0, 0, NULL, 0},
};
