// SPDX-License-Identifier: MIT
// Golden pictures of everything in the arena except players.
#include <string.h>

#include "pictures.h"
#include "pictures_scene.h"
#include "scene/painters.h"
#include "test_map.h"

static const int8_t WAYS[8][2] = {{1, 0}, {1, 1}, {0, 1}, {-1, 1}, {-1, 0}, {-1, -1}, {0, -1}, {1, -1}};

static struct arrow *put_arrow(enum arrow_kind kind, enum arrow_state state, uint32_t way, int32_t x, int32_t y)
{
    struct world *world = &still.match.world;
    uint32_t index = world->arrow_slots++;
    world->arrows[index] = (struct arrow){.state = state,
                                          .owner = index % 5,
                                          .vx = WAYS[way][0] * 5 * DF_SUB,
                                          .vy = WAYS[way][1] * 5 * DF_SUB,
                                          .since_tick = STILL_TICK - 100,
                                          .kind = kind};
    world->actors[PLAYER_CAPACITY + index] =
        (struct df_actor){.x = x - 2, .y = y - 2, .w = 4, .h = 4, .ride = DF_RIDE_NEVER, .flags = DF_ACTOR_ALIVE};
    return &world->arrows[index];
}

static void put_owners(void)
{
    for (uint32_t slot = 0; slot < 4; slot++)
        still_player(slot, 0, -100, "Ada", slot);
}

// A row for each kind of arrow: flying in all eight directions.
static void flying_arrows(struct canvas *canvas, uint32_t light)
{
    const struct frame *frame = still_begin(canvas);
    put_owners();
    for (uint32_t kind = 0; kind < ARROW_KINDS; kind++)
        for (uint32_t way = 0; way < 8; way++)
            put_arrow((enum arrow_kind)kind, ARROW_FLYING, way, 28 + (int32_t)way * 48, 28 + (int32_t)kind * 48);
    still_look();
    draw_projectiles(frame);
    if (light)
        draw_projectiles_light(frame);
}

// Left: at rest in four directions, just stuck, and bombs with burning fuses, the second nearly burnt.
static void stuck_arrows(struct canvas *canvas, uint32_t light)
{
    const struct frame *frame = still_begin(canvas);
    put_owners();
    for (uint32_t kind = 0; kind < ARROW_KINDS; kind++)
        for (uint32_t i = 0; i < 6; i++) {
            uint32_t way = i < 4 ? 2 * i : i == 4 ? 0 : 2;
            struct arrow *arrow =
                put_arrow((enum arrow_kind)kind, ARROW_STUCK, way, 20 + (int32_t)i * 28, 20 + (int32_t)kind * 28);
            if (i >= 4)
                arrow->since_tick = STILL_TICK - 3;
            if (kind == ARROW_BOMB && i >= 2)
                arrow->burnt_tick = STILL_TICK + (i == 2 ? 6 : i == 3 ? 7 : i == 4 ? 80 : 90);
        }
    still_look();
    draw_projectiles(frame);
    if (light)
        draw_projectiles_light(frame);
}

// From left to right faster, from top to bottom larger; the last is out of play.
static void balls(struct canvas *canvas, uint32_t light)
{
    static const int32_t SPEEDS[] = {0, 200, 700, 1200, 1200};
    const struct frame *frame = still_begin(canvas);
    for (int32_t i = 0; i < 15; i++)
        test_map_ball(&still.match.map, 24 + i % 5 * 40, 20 + i / 5 * 40, 4 + i / 5 * 4, SPEEDS[i % 5], 0);
    test_match_start(&still.match);
    for (uint32_t i = 4; i < 15; i += 5)
        still.match.world.balls[i].flags &= ~(uint32_t)DF_BALL_ALIVE;
    still_look();
    draw_projectiles(frame);
    if (light)
        draw_projectiles_light(frame);
}

// Dust, sparks, drops and rings; `ticks` old.
static void specks(struct canvas *canvas, uint32_t ticks)
{
    const struct frame *frame = still_begin(canvas);
    struct particles *particles = &still.scene.particles;
    particles->sparse = ticks == 7;
    particles_dust(particles, 30, 40, 0, 0, 12);
    particles_dust(particles, 70, 40, 1.2f, -0.4f, 12);
    particles_sparks(particles, 120, 40, 24, RGB(0xFFC46A));
    particles_splat(particles, 180, 40, 40, palette_player(0, 3));
    particles_ring(particles, 240, 40, 26, RGB(0xFFF4E0));
    particles_ring(particles, 240, 40, 14, RGB(0xFFD45A));
    for (uint32_t i = 0; i < ticks; i++)
        particles_step(particles, &frame->tiles);
    particles_draw_flying(frame, particles);
}

// The effects of every kind of event some ticks later, from left to right and from top to bottom.
static void effects(struct canvas *canvas, uint32_t ticks)
{
    const struct frame *frame = still_begin(canvas);
    still_player(0, 600, 100, "Ada", 6);
    still.match.world.players[0].dash_x = 1;
    still_look();
    scene_update(&still.scene, &still.view);
    for (uint32_t kind = EVENT_NONE + 1; kind < EVENT_KINDS; kind++)
        still.view.events[still.view.event_count++] = (struct event){.kind = kind,
                                                                     .tick = STILL_TICK,
                                                                     .x = 30 + (int32_t)((kind - 1) % 8) * 60,
                                                                     .y = 32 + (int32_t)((kind - 1) / 8) * 64,
                                                                     .other = EVENT_NOBODY};
    still.match.world.tick += ticks;
    scene_update(&still.scene, &still.view);
    particles_draw_flying(frame, &still.scene.particles);
}

static void draw_pit(void)
{
    static const char *const rows[] = {
        "####################", "#..................#", "#..................#", "#........##........#",
        "#..................#", "#........S.........#", "####################", NULL};
    memset(&still.match, 0, sizeof still.match);
    test_map_draw(&still.match.map, rows);
}

// Drops that have met walls: fresh, slid down, and fading.
static void stuck_drops(struct canvas *canvas, uint32_t ticks)
{
    draw_pit();
    const struct frame *frame = still_begin_on_map(canvas);
    struct particles *particles = &still.scene.particles;
    particles_splat(particles, 40, 28, 80, palette_player(0, 0));
    particles_splat(particles, 120, 28, 80, palette_player(0, 12));
    for (uint32_t i = 0; i < ticks; i++)
        particles_step(particles, &frame->tiles);
    draw_tiles(frame);
    particles_draw_stuck(frame, particles);
}

// All machines of the test map; crushers armed, about to fall, falling.
static const struct frame *begin_machines(struct canvas *canvas)
{
    test_map_machines(&still.match.map);
    still.match.map.chests[1].x = 180;
    test_map_crusher(&still.match.map, (struct df_box){296, 16, 16, 16}, 24);
    test_map_crusher(&still.match.map, (struct df_box){328, 16, 32, 10}, 24);
    test_map_crusher(&still.match.map, (struct df_box){80, 96, 24, 24}, 40);
    const struct frame *frame = still_begin_on_map(canvas);
    struct world *world = &still.match.world;
    uint32_t state = CRUSHER_ARMED;
    for (uint32_t i = 0; i < world->solid_count; i++)
        if (still.match.map.solids[i].kind == MAP_SOLID_CRUSHER)
            world->crushers[i].state = state++ % 3;
    for (uint32_t i = 0; i < world->switch_count; i++)
        world->switches[i].on = i % 2;
    for (uint32_t i = 0; i < world->chest_count; i++) {
        world->chests[i].state = CHEST_CLOSED;
        world->actors[CHEST_ACTORS + i] = (struct df_actor){.x = still.match.map.chests[i].x - 5,
                                                            .y = still.match.map.chests[i].y - 10,
                                                            .w = 10,
                                                            .h = 10,
                                                            .ride = DF_RIDE_STAND,
                                                            .flags = DF_ACTOR_ALIVE};
    }
    still_look();
    return frame;
}

static void behind_solids(struct canvas *canvas, uint32_t variant)
{
    (void)variant;
    const struct frame *frame = begin_machines(canvas);
    draw_solids_behind(frame);
}

static void solids(struct canvas *canvas, uint32_t later)
{
    const struct frame *frame = begin_machines(canvas);
    still.frame.tick += later;
    draw_solids(frame);
}

static void light_of_solids(struct canvas *canvas, uint32_t variant)
{
    (void)variant;
    const struct frame *frame = begin_machines(canvas);
    draw_solids_light(frame);
}

static void switches_and_chests(struct canvas *canvas, uint32_t later)
{
    const struct frame *frame = begin_machines(canvas);
    still.frame.tick += later; // a glint, and the switches in their other state
    for (uint32_t i = 0; i < still.match.world.switch_count; i++)
        still.match.world.switches[i].on = (i + later) % 2;
    draw_devices(frame);
}

// The own player opens the first chest, somebody else the second.
static void chests_that_open(struct canvas *canvas, uint32_t variant)
{
    (void)variant;
    const struct frame *frame = begin_machines(canvas);
    for (uint32_t i = 0; i < still.match.world.chest_count; i++) {
        still.match.world.chests[i].state = CHEST_OPENING;
        still.match.world.chests[i].opener = still.view.slot + 1 + i;
    }
    draw_devices(frame);
}

static void solid_parts(struct canvas *canvas, uint32_t variant)
{
    (void)variant;
    const struct frame *frame = begin_machines(canvas);
    struct map_solid of = {.channel = 1, .belt_sub = 160};
    draw_devices_door(frame, &of, (struct rect){10, 10, 8, 40});
    of.channel = 2;
    draw_devices_door(frame, &of, (struct rect){30, 10, 16, 40});
    of.channel = 4;
    draw_devices_door(frame, &of, (struct rect){60, 10, 48, 8});
    draw_devices_belt(frame, &of, (struct rect){60, 26, 60, 8});
    of.belt_sub = -300;
    draw_devices_belt(frame, &of, (struct rect){60, 40, 60, 16});
    for (uint32_t channel = 1; channel <= 4; channel++)
        draw_devices_channel(frame, channel, (struct rect){120 + (int32_t)channel * 10, 10, 10, 30});
}

// Both walls have come in: from the left and from the right. Of two plates and two chests they cover one each.
static void sudden_death_walls(struct canvas *canvas, uint32_t variant)
{
    (void)variant;
    const struct frame *frame = still_begin(canvas);
    struct world *world = &still.match.world;
    world->solids[0] = (struct df_solid){.x = -300, .y = -40, .w = 371, .h = 160, .flags = DF_SOLID_PRESENT};
    world->solids[1] = (struct df_solid){.x = 150, .y = 20, .w = 400, .h = 83, .flags = DF_SOLID_PRESENT};
    world->solid_count = WALL_COUNT;
    for (int32_t i = 0; i < 2; i++) {
        int32_t x = 30 + i * 70;
        still.match.map.switches[still.match.map.switch_count++] =
            (struct map_switch){.kind = MAP_SWITCH_PLATE, .channel = 1, .box = {x, 60, 16, 4}};
        world->chests[world->chest_count].state = CHEST_CLOSED;
        world->actors[CHEST_ACTORS + world->chest_count++] =
            (struct df_actor){.x = x, .y = 30, .w = 10, .h = 10, .flags = DF_ACTOR_ALIVE};
    }
    still_look();
    draw_solids(frame);
    draw_devices(frame);
}

static void draw_quarry(uint32_t theme)
{
    static const char *const rows[] = {
        "##############################", "##############################", "####..........^....#####.....#",
        "###................#####.....#", "##...#####.........#.........#", "##.....#.........BB..........#",
        "##...............BB....====..#", "#.....^^..S......BB..........#", "#...######.......BB.......B..#",
        "#..########..................#", "#.######################.....#", "##############################",
        "##############################", "##############################", NULL};
    memset(&still.match, 0, sizeof still.match);
    test_map_draw(&still.match.map, rows);
    still.match.map.theme = theme;
    still.match.map.goals[still.match.map.goal_count++] =
        (struct map_goal){.team = 1, .column = 17, .row = 5, .columns = 1, .rows = 4};
    still.match.map.goals[still.match.map.goal_count++] =
        (struct map_goal){.team = 2, .column = 18, .row = 5, .columns = 1, .rows = 4};
}

// Walls, planks, spikes, blocks of no team, of each team, and around a hole.
static void walls(struct canvas *canvas, uint32_t theme)
{
    draw_quarry(theme);
    const struct frame *frame = still_begin_on_map(canvas);
    uint32_t hole = 7 * 30 + 17;
    still.match.world.broken[hole / 32] |= 1u << hole % 32;
    draw_tiles(frame);
}

static void light_of_walls(struct canvas *canvas, uint32_t theme)
{
    draw_quarry(theme);
    draw_tiles_light(still_begin_on_map(canvas));
}

static const struct frame *begin_sky(struct canvas *canvas, uint32_t theme)
{
    const struct frame *frame = still_begin(canvas);
    still.match.map.theme = theme;
    still.frame.palette = palette_of(theme);
    still.frame.left = 100;
    still.frame.top = -8;
    return frame;
}

static void sky(struct canvas *canvas, uint32_t theme)
{
    draw_backdrop(begin_sky(canvas, theme));
}

static void sky_later(struct canvas *canvas, uint32_t theme)
{
    const struct frame *frame = begin_sky(canvas, theme);
    still.frame.tick += 500;
    still.frame.left = 400;
    draw_backdrop(frame);
}

static void calm_sky(struct canvas *canvas, uint32_t theme)
{
    const struct frame *frame = begin_sky(canvas, theme);
    still.display.reduced_motion = true;
    draw_backdrop(frame);
    draw_backdrop_weather(frame);
}

// The far layer above, the near one below.
static void skylines(struct canvas *canvas, uint32_t theme)
{
    static struct canvas other;
    const struct frame *frame = begin_sky(canvas, theme);
    draw_backdrop_skyline(frame, false, 120, STILL_TICK);
    still.frame.canvas = &other;
    still_ground(&other);
    draw_backdrop_skyline(frame, true, 240, STILL_TICK);
    still_paste(canvas, 0, 130, &other, (struct rect){0, 130, CANVAS_WIDTH, 140});
}

static void weather(struct canvas *canvas, uint32_t theme)
{
    draw_backdrop_weather(begin_sky(canvas, theme));
}

// Targets and flags of some channels over a dusk and over a light sky; the last two of each are done.
static void marks_of_courses(struct canvas *canvas, uint32_t variant)
{
    static const uint32_t THEMES[] = {MAP_THEME_FOUNDRY, MAP_THEME_SKYLINE};
    static struct canvas other;
    (void)variant;
    for (int32_t band = 0; band < 2; band++) {
        const struct frame *frame = begin_sky(&other, THEMES[band]);
        struct map *map = &still.match.map;
        still.frame.left = still.frame.top = 0;
        for (int32_t i = 0; i < 12; i++) {
            bool flag = i >= 6;
            map->switches[map->switch_count++] = (struct map_switch){.kind = flag ? MAP_SWITCH_FLAG : MAP_SWITCH_TARGET,
                                                                     .channel = (uint32_t)i % 6 + 3,
                                                                     .box = {10 + i * 24, 240, 14, flag ? 20 : 14}};
            still.match.world.switches[i].on = i % 6 >= 4;
        }
        draw_backdrop(frame);
        draw_devices(frame);
        still_paste(canvas, 0, band * 30, &other, (struct rect){0, 234, 304, 30});
    }
}

const struct picture PICTURES_ARENA[] = {
    {"arrows-flying", 0, 0, 400, 152, flying_arrows, 0},
    {"arrows-flying-light", 0, 0, 400, 152, flying_arrows, 1},
    {"arrows-stuck", 0, 0, 180, 96, stuck_arrows, 0},
    {"arrows-stuck-light", 0, 0, 180, 96, stuck_arrows, 1},
    {"balls", 0, 0, 208, 120, balls, 0},
    {"balls-light", 0, 0, 208, 120, balls, 1},
    {"particles-fresh", 0, 0, 280, 88, specks, 1},
    {"particles-flying", 0, 0, 280, 88, specks, 6},
    {"particles-sparse", 0, 0, 280, 88, specks, 7},
    {"particles-old", 0, 0, 280, 88, specks, 13},
    {"effects-fresh", 0, 0, 480, 250, effects, 2},
    {"effects", 0, 0, 480, 250, effects, 7},
    {"stuck-drops-fresh", 0, 0, 160, 56, stuck_drops, 25},
    {"stuck-drops-slid", 0, 0, 160, 56, stuck_drops, 150},
    {"stuck-drops-fading", 0, 0, 160, 56, stuck_drops, 410},
    {"solids-behind", 0, 0, 424, 232, behind_solids, 0},
    {"solids", 0, 0, 424, 232, solids, 0},
    {"solids-later", 0, 0, 424, 232, solids, 6},
    {"solids-light", 0, 0, 424, 232, light_of_solids, 0},
    {"devices", 0, 0, 384, 232, switches_and_chests, 0},
    {"devices-other-half", 0, 0, 384, 232, switches_and_chests, 87},
    {"devices-opening", 0, 0, 384, 232, chests_that_open, 0},
    {"devices-parts", 0, 0, 180, 64, solid_parts, 0},
    {"devices-of-courses", 0, 0, 304, 60, marks_of_courses, 0},
    {"closing-walls", 0, 0, 240, 128, sudden_death_walls, 0},
    {"tiles-foundry", 0, 0, 256, 128, walls, MAP_THEME_FOUNDRY},
    {"tiles-clockwork", 0, 0, 256, 128, walls, MAP_THEME_CLOCKWORK},
    {"tiles-skyline", 0, 0, 256, 128, walls, MAP_THEME_SKYLINE},
    {"tiles-breakout", 0, 0, 256, 128, walls, MAP_THEME_BREAKOUT},
    {"tiles-snow", 0, 0, 256, 128, walls, MAP_THEME_SNOW},
    {"tiles-desert", 0, 0, 256, 128, walls, MAP_THEME_DESERT},
    {"tiles-light-foundry", 0, 0, 256, 128, light_of_walls, MAP_THEME_FOUNDRY},
    {"tiles-light-breakout", 0, 0, 256, 128, light_of_walls, MAP_THEME_BREAKOUT},
    {"sky-foundry", 0, 0, 0, 0, sky, MAP_THEME_FOUNDRY},
    {"sky-foundry-later", 0, 0, 0, 0, sky_later, MAP_THEME_FOUNDRY},
    {"sky-clockwork", 0, 0, 0, 0, sky, MAP_THEME_CLOCKWORK},
    {"sky-skyline", 0, 0, 0, 0, sky, MAP_THEME_SKYLINE},
    {"sky-breakout", 0, 0, 0, 0, sky, MAP_THEME_BREAKOUT},
    {"sky-snow", 0, 0, 0, 0, sky, MAP_THEME_SNOW},
    {"sky-snow-reduced-motion", 0, 0, 0, 0, calm_sky, MAP_THEME_SNOW},
    {"sky-desert", 0, 0, 0, 0, sky, MAP_THEME_DESERT},
    {"skyline-foundry", 0, 0, 0, 0, skylines, MAP_THEME_FOUNDRY},
    {"skyline-clockwork", 0, 0, 0, 0, skylines, MAP_THEME_CLOCKWORK},
    {"skyline-skyline", 0, 0, 0, 0, skylines, MAP_THEME_SKYLINE},
    {"skyline-breakout", 0, 0, 0, 0, skylines, MAP_THEME_BREAKOUT},
    {"skyline-snow", 0, 0, 0, 0, skylines, MAP_THEME_SNOW},
    {"skyline-desert", 0, 0, 0, 0, skylines, MAP_THEME_DESERT},
    {"weather-snow", 0, 0, 0, 0, weather, MAP_THEME_SNOW},
    {NULL, 0, 0, 0, 0, NULL, 0},
};
