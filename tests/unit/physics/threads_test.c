// SPDX-License-Identifier: MIT
// Tests what threads may do (run it with TSan): any number of them ask one space while nothing moves in it, and each
// may move a space of its own.
#include <pthread.h>

#include "stage.h"

#define THREADS 8
#define ASKS    400

static struct stage shared;

static void fill(struct stage *stage)
{
    *stage = (struct stage){0};
    stage_tiles(stage, 8, "................#..#....########", DF_OUTSIDE_EMPTY);
    for (int32_t i = 0; i < 40; i++)
        stage_solid(stage, 7 * (i % 9), 5 * (i / 9) - 20, 3, 2);
    for (int32_t i = 0; i < 4; i++)
        stage_actor(stage, 12 * i, -35, 4, 6);
    stage_ball(stage, 3000, -12000, 2, 90, 120);
    stage_begin(stage);
}

// Mixes the answers of all queries into one number.
static uint32_t asked(const struct df_space *space, int32_t n)
{
    int32_t x = 0, y = 0, list[8] = {0}, i = n % 4;
    df_find_free(space, i, 9, &x, &y);
    struct df_cast cast = df_cast_ray(space, n * 37, -9000, n * 11, 9000, DF_CAST_ONEWAYS);
    struct df_hit ground = df_actor_ground(space, i), probe = df_actor_probe(space, i, n % 50 - 25, 0);
    uint32_t sum = (uint32_t)df_list_solids(space, (struct df_box){n % 60, -20, 9, 9}, list, 8);
    sum = sum * 31 + (uint32_t)df_list_actors(space, (struct df_box){0, -40, n % 60 + 1, 20}, list, 8);
    sum = sum * 31 + (uint32_t)list[1];
    sum = sum * 31 + (uint32_t)cast.dx_sub + (uint32_t)cast.kind;
    sum = sum * 31 + (uint32_t)ground.left_px + (uint32_t)probe.left_px;
    return sum * 31 + (uint32_t)x + (uint32_t)y * 7 + df_space_blocked(space, (struct df_box){n % 60, 10, 5, 5});
}

static void *ask(void *sum)
{
    for (int32_t n = 0; n < ASKS; n++)
        *(uint32_t *)sum = *(uint32_t *)sum * 131 + asked(&shared.space, n);
    return NULL;
}

static void *move(void *stage)
{
    struct df_space *space = &((struct stage *)stage)->space;
    for (uint32_t tick = 1; tick <= 200; tick++) {
        df_tick_begin(space, tick);
        for (int32_t i = 0; i < 40; i++)
            df_solid_move(space, i, (i % 5 - 2) * 40, (i % 3 - 1) * 50);
        for (int32_t i = 0; i < 4; i++) {
            df_actor_move_x(space, i, (i - 2) * 99, NULL, NULL);
            df_actor_move_y(space, i, 300, NULL, NULL);
        }
        df_ball_step(space, 0);
    }
    return NULL;
}

TEST(many_threads_ask_one_space)
{
    fill(&shared);
    pthread_t threads[THREADS];
    uint32_t sums[THREADS] = {0}, alone = 0;
    ask(&alone);
    for (size_t i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, ask, &sums[i]), 0);
    for (size_t i = 0; i < THREADS; i++) {
        assert_int_equal(pthread_join(threads[i], NULL), 0);
        assert_int_equal(sums[i], alone);
    }
}

TEST(threads_move_spaces_of_their_own)
{
    static struct stage stages[THREADS], alone;
    pthread_t threads[THREADS];
    fill(&alone);
    move(&alone);
    assert_int_not_equal(alone.solids[0].x, 0);
    for (size_t i = 0; i < THREADS; i++) {
        fill(&stages[i]);
        assert_int_equal(pthread_create(&threads[i], NULL, move, &stages[i]), 0);
    }
    for (size_t i = 0; i < THREADS; i++) {
        assert_int_equal(pthread_join(threads[i], NULL), 0);
        assert_memory_equal(stages[i].actors, alone.actors, sizeof alone.actors);
        assert_memory_equal(stages[i].solids, alone.solids, sizeof alone.solids);
        assert_memory_equal(stages[i].balls, alone.balls, sizeof alone.balls);
    }
}
