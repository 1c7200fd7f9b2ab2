// SPDX-License-Identifier: MIT
//
// Tests the law P8 of the physics contract on random worlds (trial.h), by a judge that shares no code with either
// implementation: no ball is inside of anything, unless it began so or its squish was answered so. On its way from
// bounce to bounce it flies through nothing, and without a bounce it goes as far as its speed.
#include <stdlib.h>

#include "ball_judge.h"
#include "test.h"
#include "trial.h"

#define SLACK_SUB 2 ///< shares of a speed are whole subs, so a flight is straight to within one

static const struct implementation *const IMPLEMENTATIONS[] = {&implementation_fast, &implementation_literal};

// What is judged now: the flight of one ball since its last bounce.
static struct {
    struct trial trial;
    struct world world;
    int32_t ball;
    int32_t bounces;
    struct ball_judge_point from;
    int64_t vx, vy;
    bool excused[WORLD_BALLS]; ///< it began in something, or its rule left it where it was squished
    void (*bounced)(struct df_space *, int32_t, struct df_ball_hit, void *);
} now;

static struct ball_judge_point place(int32_t ball)
{
    return (struct ball_judge_point){now.world.balls[ball].cx, now.world.balls[ball].cy};
}

// Returns how far a ball has gone along an axis where the world may wrap; it has gone less than once around.
static int64_t gone(int64_t from, int64_t to, int64_t speed, int64_t around)
{
    int64_t way = around > 0 ? (to - from) % around : to - from;
    if (speed >= 0 && way < 0)
        way += around;
    if (speed <= 0 && way > 0)
        way -= around;
    return way;
}

static void take_off(int32_t ball)
{
    now.ball = ball;
    now.from = place(ball);
    now.vx = now.world.balls[ball].vx;
    now.vy = now.world.balls[ball].vy;
}

static void judge_flight(bool ended_by_bounce)
{
    const struct df_tiles *tiles = &now.world.space.tiles;
    bool wraps = tiles->kinds != NULL && tiles->outside == DF_OUTSIDE_WRAP;
    int64_t width = wraps ? (int64_t)tiles->columns * tiles->edge_px * DF_SUB : 0;
    int64_t height = wraps ? (int64_t)tiles->rows * tiles->edge_px * DF_SUB : 0;
    if (now.excused[now.ball] || (wraps && (llabs(now.vx) >= width || llabs(now.vy) >= height)))
        return;
    struct ball_judge_point to = place(now.ball);
    struct ball_judge_point way = {gone(now.from.x, to.x, now.vx, width), gone(now.from.y, to.y, now.vy, height)};
    if (ball_judge_crosses(&now.world.space, now.from, way, SLACK_SUB))
        trial_fail(&now.trial, "P8 a ball flies through something", &now.world, NULL);
    if (!ended_by_bounce && now.bounces == 0 && (way.x != now.vx || way.y != now.vy))
        trial_fail(&now.trial, "P8 a ball that meets nothing stops", &now.world, NULL);
}

// A flight ends with a bounce. The block that it breaks still stands.
static void on_bounce(struct df_space *space, int32_t ball, struct df_ball_hit hit, void *context)
{
    judge_flight(true);
    now.bounces++;
    now.bounced(space, ball, hit, context);
    take_off(ball);
}

static bool was_squished(int32_t ball)
{
    for (int32_t i = 0; i < now.world.event_count; i++)
        if (now.world.events[i].kind == 'S' && now.world.events[i].body == ball)
            return true;
    return false;
}

static bool is_inside(int32_t ball)
{
    return (now.world.balls[ball].flags & DF_BALL_ALIVE) != 0 && ball_judge_is_inside(&now.world.space, place(ball));
}

static void judge_operation(struct operation operation)
{
    bool inside[WORLD_BALLS];
    for (int32_t i = 0; i < now.world.space.ball_count; i++) {
        inside[i] = is_inside(i);
        now.excused[i] |= inside[i];
    }
    bool flies = operation.kind == OPERATION_STEP && operation.body < now.world.space.ball_count &&
                 (now.world.balls[operation.body].flags & DF_BALL_ALIVE) != 0;
    now.bounces = 0;
    if (flies)
        take_off(operation.body);
    operation_do(&now.world, operation);
    if (flies)
        judge_flight(false);
    for (int32_t i = 0; i < now.world.space.ball_count; i++) {
        now.excused[i] |= was_squished(i);
        if (is_inside(i) && !inside[i] && !was_squished(i) && operation.kind != OPERATION_MEND)
            trial_fail(&now.trial, "P8 a ball is inside of something", &now.world, NULL);
    }
}

// Sends a ball to a corner of the first solid.
static void aim_at_corner(struct df_ball *ball, const struct df_solid *solid, struct random *random)
{
    int32_t far_sub = random_in(random, DF_SUB, 8 * DF_SUB), speed = random_in(random, 200, 3000);
    ball->cx = solid->x * DF_SUB - far_sub;
    ball->cy = solid->y * DF_SUB - far_sub + random_in(random, -DF_SUB, DF_SUB);
    ball->vx = speed;
    ball->vy = speed + random_in(random, -20, 20);
}

ALL_TESTS(trial_set, NULL);

TEST(no_ball_gets_inside_of_anything)
{
    for (uint64_t n = 0; n < trial_worlds(); n++) {
        struct random random;
        trial_begin(&now.trial, &random, n, (struct taste){.balls = true});
        for (int32_t i = 0; i < now.trial.start.space.ball_count; i++) {
            if (n % 4 < 2)
                now.trial.start.balls[i].radius_px = 1; // the smallest get inside most easily
            if (n % 3 == 0)
                aim_at_corner(&now.trial.start.balls[i], &now.trial.start.solids[0], &random);
        }
        world_copy(&now.world, &now.trial.start, IMPLEMENTATIONS[n % 2]);
        for (int32_t i = 0; i < now.world.space.ball_count; i++)
            now.excused[i] = ball_judge_overlaps(&now.world.space, place(i), now.world.balls[i].radius_px);
        now.bounced = now.world.space.rules.ball_hit;
        now.world.space.rules.ball_hit = on_bounce;
        while (now.trial.count < TRIAL_OPERATIONS)
            judge_operation(trial_next(&now.trial, &random));
    }
}
