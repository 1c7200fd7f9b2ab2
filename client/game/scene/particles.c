// SPDX-License-Identifier: MIT
#include "scene.h"

#include <math.h>
#include <stdlib.h>

#define DRAG         0.90f ///< of dust, a tick
#define FALL         0.16f ///< of sparks and drops, px per tick per tick
#define SLIDE        0.05f ///< of drops on a wall, px per tick
#define STREAK_PX    9     ///< length of a sliding drop's trace at most
#define STREAK_TICKS 14    ///< in which the trace grows by a pixel

// Evenly in [-1, 1). Never call it twice in one expression: the order there depends on the compiler, and so would
// pictures.
static float random_unit(struct particles *particles)
{
    particles->random_state = particles->random_state * 1664525u + 1013904223u;
    return (float)(int32_t)(particles->random_state >> 8 & 0xFFFF) / 32768.0f - 1.0f;
}

static struct particle *add(struct particles *particles, enum particle_kind kind, float x, float y, argb colour)
{
    struct particle *particle = &particles->all[particles->next++ % PARTICLE_CAPACITY];
    *particle = (struct particle){.kind = kind, .x = x, .y = y, .size = 1, .life = 30, .colour = colour};
    return particle;
}

static int32_t fewer(const struct particles *particles, int32_t count)
{
    return particles->sparse ? (count + 2) / 3 : count;
}

void particles_dust(struct particles *particles, float x, float y, float vx, float vy, int32_t count)
{
    for (int32_t i = 0; i < fewer(particles, count); i++) {
        float down = random_unit(particles), aside = random_unit(particles) * 4;
        struct particle *puff = add(particles, PARTICLE_DUST, x + aside, y + down, RGB(0xD8CCC4));
        puff->vx = vx + random_unit(particles) * 0.7f;
        puff->vy = vy - 0.15f + random_unit(particles) * 0.3f;
        puff->size = 1 + (i & 1);
        puff->life = 18 + (int32_t)(random_unit(particles) * 7);
    }
}

void particles_sparks(struct particles *particles, float x, float y, int32_t count, argb colour)
{
    for (int32_t i = 0; i < fewer(particles, count); i++) {
        struct particle *spark = add(particles, PARTICLE_SPARK, x, y, colour);
        spark->vx = random_unit(particles) * 2.4f;
        spark->vy = random_unit(particles) * 2.0f - 0.8f;
        spark->life = 16 + (int32_t)(random_unit(particles) * 8);
    }
}

void particles_splat(struct particles *particles, float x, float y, int32_t count, argb colour)
{
    for (int32_t i = 0; i < fewer(particles, count); i++) {
        argb shade = canvas_mix(colour, RGB(0x1A1030), (int32_t)(frame_hash(i, 9) % 120));
        float down = random_unit(particles) * 3, aside = random_unit(particles) * 3;
        struct particle *drop = add(particles, PARTICLE_DROP, x + aside, y + down, shade);
        drop->vx = random_unit(particles) * 3.2f;
        drop->vy = random_unit(particles) * 2.4f - 1.2f;
        drop->size = 1 + (int32_t)(frame_hash(i, 4) % 3);
        drop->life = 90 + (int32_t)(random_unit(particles) * 30);
    }
}

void particles_ring(struct particles *particles, float x, float y, int32_t size, argb colour)
{
    struct particle *ring = add(particles, PARTICLE_RING, x, y, colour);
    ring->size = size;
    ring->life = 14;
}

static int32_t px(float value)
{
    return (int32_t)floorf(value);
}

static void step_drop(struct particle *drop, const struct tile_view *tiles)
{
    drop->vy += FALL;
    float x = drop->x + drop->vx, y = drop->y + drop->vy;
    if (tile_view_stops(tiles, px(x), px(y))) {
        drop->kind = PARTICLE_STUCK;
        drop->age = 0;
        drop->life = 420;
    }
    drop->x = x;
    drop->y = y;
}

static void step(struct particle *particle, const struct tile_view *tiles)
{
    if (++particle->age > particle->life) {
        particle->kind = PARTICLE_NONE;
        return;
    }
    switch (particle->kind) {
    case PARTICLE_DUST:
        particle->vx *= DRAG;
        particle->vy *= DRAG;
        particle->x += particle->vx;
        particle->y += particle->vy;
        break;
    case PARTICLE_SPARK:
        particle->vy += FALL;
        particle->x += particle->vx;
        particle->y += particle->vy;
        break;
    case PARTICLE_DROP:
        step_drop(particle, tiles);
        break;
    case PARTICLE_STUCK:
        if (tile_view_stops(tiles, px(particle->x), px(particle->y + 2)))
            particle->y += SLIDE / (float)particle->size * (particle->age < 200);
        break;
    case PARTICLE_RING:
    case PARTICLE_NONE:
        break;
    }
}

void particles_step(struct particles *particles, const struct tile_view *tiles)
{
    for (int32_t i = 0; i < PARTICLE_CAPACITY; i++)
        if (particles->all[i].kind != PARTICLE_NONE)
            step(&particles->all[i], tiles);
}

static void draw_stuck(const struct frame *frame, const struct particle *drop, int32_t x, int32_t y)
{
    int32_t left = drop->life - drop->age, part = left < 90 ? left * 230 / 90 : 230;
    int32_t streak = drop->age / STREAK_TICKS;
    if (streak > STREAK_PX * drop->size / 3)
        streak = STREAK_PX * drop->size / 3;
    canvas_veil(frame->canvas, (struct rect){x - drop->size / 2, y - drop->size / 2, drop->size, drop->size},
                drop->colour, part);
    for (int32_t i = 1; i <= streak; i++)
        if (tile_view_stops(&frame->tiles, x + frame->left, y + i + frame->top))
            canvas_tint(frame->canvas, x, y + i, drop->colour, part - i * 12);
}

static void draw(const struct frame *frame, const struct particle *particle)
{
    int32_t x = frame_x(frame, px(particle->x)), y = frame_y(frame, px(particle->y));
    int32_t left = (particle->life - particle->age) * 256 / particle->life;
    int32_t size = particle->size;
    switch (particle->kind) {
    case PARTICLE_DUST:
        canvas_veil(frame->canvas, (struct rect){x - size / 2, y - size / 2, size + 1, size + 1}, particle->colour,
                    left * 3 / 4);
        break;
    case PARTICLE_SPARK:
        canvas_dot(frame->canvas, x, y, canvas_mix(particle->colour, RGB(0xFFFFFF), left / 2));
        canvas_tint(frame->canvas, px(particle->x - particle->vx) - frame->left,
                    px(particle->y - particle->vy) - frame->top, particle->colour, left / 2);
        break;
    case PARTICLE_DROP:
        canvas_box(frame->canvas, (struct rect){x - size / 2, y - size / 2, size, size}, particle->colour);
        break;
    case PARTICLE_STUCK:
        draw_stuck(frame, particle, x, y);
        break;
    case PARTICLE_RING:
        canvas_ring(frame->canvas, x, y, 2 + size * particle->age / particle->life, particle->colour, left);
        break;
    case PARTICLE_NONE:
        break;
    }
}

void particles_draw_stuck(const struct frame *frame, const struct particles *particles)
{
    for (int32_t i = 0; i < PARTICLE_CAPACITY; i++)
        if (particles->all[i].kind == PARTICLE_STUCK)
            draw(frame, &particles->all[i]);
}

void particles_draw_flying(const struct frame *frame, const struct particles *particles)
{
    for (int32_t i = 0; i < PARTICLE_CAPACITY; i++)
        if (particles->all[i].kind != PARTICLE_STUCK && particles->all[i].kind != PARTICLE_NONE)
            draw(frame, &particles->all[i]);
}
