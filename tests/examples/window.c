// SPDX-License-Identifier: MIT
//
// A small world in a window: run and jump with the arrow keys, ride the lifts, mind the crusher and watch the ball.
// With a file as its argument, it plays for a while by itself and writes a picture (BMP).
#include <SDL.h>
#include <deadfall_physics/physics.h>

enum { EDGE = 16, COLUMNS = 20, ROWS = 11, WIDTH = COLUMNS * EDGE, HEIGHT = ROWS * EDGE, ZOOM = 3, TRAIL = 24 };
enum { FERRY, LIFT, CRUSHER, SOLIDS };
// The kinds of the tiles: 1 solid, 2 one-way, 3 block.
static const char map[ROWS][COLUMNS + 1] = {"00000000000000000000", "00000033333330000000", "00000033333330000000",
                                            "00000000000001111110", "02200000000000000100", "00000000000000000100",
                                            "00002200000000000100", "10000000000000000100", "11000002200000000000",
                                            "11100000000000000011", "11111000011111110011"};
static uint8_t kinds[ROWS * COLUMNS];
static uint32_t broken[ROWS * COLUMNS / 32 + 1];
static struct df_solid solids[SOLIDS] = {{.x = 84, .y = 160, .w = 32, .h = 6, .flags = DF_SOLID_PRESENT},
                                         {.x = 240, .y = 160, .w = 28, .h = 16, .flags = DF_SOLID_PRESENT},
                                         {.x = 212, .y = 64, .w = 24, .h = 20, .flags = DF_SOLID_PRESENT}};
static struct df_actor hero = {.x = 56, .y = 149, .w = 7, .h = 11, .flags = DF_ACTOR_ALIVE};
static struct df_ball ball = {.cx = 44000, .cy = 32000, .radius_px = 3, .vx = 410, .vy = -290, .flags = DF_BALL_ALIVE};
static struct df_space space;
static uint64_t memory[1 << 12];
static int32_t speed_x, speed_y;
static SDL_Point trail[TRAIL]; // of the ball
static SDL_Renderer *painter;

static void break_block(struct df_space *of, int32_t which, struct df_ball_hit hit, void *context)
{
    (void)which, (void)context;
    int32_t tile = hit.row * COLUMNS + hit.column;
    if (hit.solid < 0 && df_tiles_at(&of->tiles, hit.column, hit.row) == DF_TILE_BLOCK)
        broken[tile / 32] |= 1u << (tile % 32);
}

static void step(uint32_t tick, int32_t run, bool jump)
{
    df_tick_begin(&space, tick);
    df_solid_move(&space, FERRY, tick % 256 < 128 ? 56 : -56, 0);
    df_solid_move(&space, LIFT, 0, tick % 320 < 160 ? -152 : 152);
    df_solid_move(&space, CRUSHER, 0, tick % 160 < 38 ? 512 : tick % 160 >= 84 ? -256 : 0);
    int32_t aim = run * 300, lift_x, lift_y;
    struct df_actor_hits hits;
    speed_x += aim > speed_x + 30 ? 30 : aim < speed_x - 30 ? -30 : aim - speed_x;
    speed_y += speed_y < 700 ? 32 : 0;
    df_actor_lift(&space, 0, &lift_x, &lift_y);
    if (jump && speed_y >= 0 && df_actor_ground(&space, 0).kind != DF_HIT_NONE)
        speed_y = lift_y - 620;                              // a rising lift throws higher
    hero.ride = speed_y < 0 ? DF_RIDE_NEVER : DF_RIDE_STAND; // who rises through a shelf does not stand on it
    df_actor_step(&space, 0, speed_x, speed_y, &hits);
    speed_x = hits.x.kind != DF_HIT_NONE ? 0 : speed_x;
    speed_y = hits.y.kind != DF_HIT_NONE ? 0 : speed_y;
    df_ball_step(&space, 0);
    if ((hero.flags & DF_ACTOR_ALIVE) == 0 || hero.y + hero.h >= HEIGHT) { // squished, or fallen: once more
        hero.flags |= DF_ACTOR_ALIVE;
        df_actor_place(&space, 0, 56, 149);
    }
    trail[tick % TRAIL] = (SDL_Point){ball.cx / DF_SUB, ball.cy / DF_SUB};
}

static void paint(int x, int y, int w, int h, uint32_t colour, int strength)
{
    SDL_SetRenderDrawColor(painter, colour >> 16 & 255, colour >> 8 & 255, colour & 255, (uint8_t)strength);
    SDL_RenderFillRect(painter, &(SDL_Rect){x, y, w, h});
}

static void disc(int x, int y, int radius, uint32_t colour, int strength)
{
    for (int i = -radius; i <= radius; i++) {
        int half = (int)SDL_sqrt((double)(radius * radius - i * i));
        paint(x - half, y + i, 2 * half + 1, 1, colour, strength);
    }
}

static void draw(uint32_t tick)
{
    static const uint32_t sky[] = {0x1a1836, 0x34275a, 0x6b3a74, 0xb5566f, 0xf08a5d, 0xffc27a};
    for (int y = 0, band = HEIGHT / 5 + 1; y < HEIGHT; y++)
        for (int i = 0; i < 2; i++)
            paint(0, y, WIDTH, 1, sky[y / band + i], i == 0 ? 255 : y % band * 255 / band);
    for (int i = 0; i < 60; i++)
        paint(i * 8363 % WIDTH, i * 5471 % 70, 1, 1, 0xfff4dc, 60 + (i * 37 + (int)tick) % 120);
    for (int radius = 44; radius >= 26; radius -= 3)
        disc(180, 112, radius, 0xffd9a0, radius == 26 ? 255 : 22);
    for (int i = 0; i < 2 * WIDTH; i++) {
        int near = i / WIDTH, x = i % WIDTH, y = 122 + 20 * near;
        y += (int)(12 * SDL_sin(x * 0.023 + 4 * near) + 5 * SDL_sin(x * 0.071 + near));
        paint(x, y, 1, HEIGHT - y, near != 0 ? 0x4b2b5a : 0x7a3f6d, 255);
    }
    for (int i = 0; i < ROWS * COLUMNS; i++) {
        int x = i % COLUMNS * EDGE, y = i / COLUMNS * EDGE;
        enum df_tile kind = df_tiles_at(&space.tiles, i % COLUMNS, i / COLUMNS);
        bool solid = kind == DF_TILE_SOLID, open = solid && (i < COLUMNS || kinds[i - COLUMNS] != DF_TILE_SOLID);
        if (kind != DF_TILE_EMPTY)
            paint(x, y, EDGE - !solid, kind == DF_TILE_ONEWAY ? 4 : EDGE - !solid, solid ? 0x1f1a33 : 0xc9713f, 255);
        for (int j = 0; j < EDGE && kind != DF_TILE_EMPTY && (open || !solid); j += 4)
            paint(x + j, y, 4 - (j == 12 && !solid), open ? 2 + (x + j * 5) % 7 % 3 : 1, solid ? 0x57c785 : 0xffc07a,
                  255);
    }
    for (int i = 0; i < SOLIDS; i++) {
        paint(solids[i].x, solids[i].y, solids[i].w, solids[i].h, i == CRUSHER ? 0xffd23f : 0xa9c7e8, 255);
        paint(solids[i].x, solids[i].y + (i != CRUSHER), solids[i].w, solids[i].h - 2, 0x3b4a6b, 255);
    }
    for (int i = 1; i < TRAIL; i++) // oldest first
        disc(trail[(tick + (uint32_t)i) % TRAIL].x, trail[(tick + (uint32_t)i) % TRAIL].y, i / 8 + 1, 0xfff1b8, 4 * i);
    for (int radius = 18; radius > 2; radius -= 2)
        disc(ball.cx / DF_SUB, ball.cy / DF_SUB, radius, 0xfff1b8, radius < 5 ? 255 : 14);
    paint(hero.x, hero.y, hero.w, hero.h, 0xf5efe6, 255);
    paint(hero.x - (speed_x < 0 ? 0 : 4), hero.y + 5 + (int)(tick / 8 % 2), hero.w + 4, 2, 0xff4d6d, 255);
    paint(hero.x + (speed_x < 0 ? 1 : 4), hero.y + 2, 2, 2, 0x1a1836, 255);
}

int main(int argc, char **argv)
{
    for (int i = 0; i < ROWS * COLUMNS; i++)
        kinds[i] = (uint8_t)(map[i / COLUMNS][i % COLUMNS] - '0');
    space.tiles = (struct df_tiles){kinds, broken, COLUMNS, ROWS, EDGE, DF_OUTSIDE_SOLID};
    space.solids = solids;
    space.actors = &hero;
    space.balls = &ball;
    space.solid_count = SOLIDS;
    space.actor_count = space.ball_count = 1;
    space.rules.ball_hit = break_block;
    SDL_Surface *canvas = SDL_CreateRGBSurfaceWithFormat(0, WIDTH, HEIGHT, 32, SDL_PIXELFORMAT_RGB888);
    painter = SDL_CreateSoftwareRenderer(canvas);
    if (SDL_SetRenderDrawBlendMode(painter, SDL_BLENDMODE_BLEND) != 0 ||
        df_space_init(&space, memory, sizeof memory) != DF_OK)
        return 1;
    uint32_t tick = 1;
    for (; argc > 1 && tick <= 760; tick++)
        step(tick, tick < 616, tick % 40 == 10);
    draw(tick - 1);
    if (argc > 1)
        return SDL_SaveBMP(canvas, argv[1]) == 0 ? 0 : 1;
    SDL_Window *window = SDL_CreateWindow("deadfall_physics", 0, 0, WIDTH * ZOOM, HEIGHT * ZOOM, 0);
    for (SDL_Event event = {0}; window != NULL && event.type != SDL_QUIT; tick++) {
        while (SDL_PollEvent(&event) != 0 && event.type != SDL_QUIT)
            continue;
        const uint8_t *keys = SDL_GetKeyboardState(NULL);
        step(tick, keys[SDL_SCANCODE_RIGHT] - keys[SDL_SCANCODE_LEFT], keys[SDL_SCANCODE_UP] != 0);
        draw(tick);
        SDL_BlitScaled(canvas, NULL, SDL_GetWindowSurface(window), NULL);
        SDL_UpdateWindowSurface(window);
        SDL_Delay(16);
    }
    return 0;
}
