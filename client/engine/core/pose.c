// SPDX-License-Identifier: MIT
#include "pose.h"

#include <stdlib.h>
#include <string.h>

uint32_t pose_distance(const struct map *map, struct pose a, struct pose b)
{
    struct view_point offset = pose_offset(map, a, b);
    int32_t x = abs(offset.x), y = abs(offset.y);
    return (uint32_t)(x > y ? x : y);
}

bool pose_is_dying(const struct player *predicted, const struct player *confirmed)
{
    return predicted->state == PLAYER_DEAD && confirmed->state == PLAYER_ALIVE &&
           predicted->generation == confirmed->generation;
}

bool pose_is_same_life(const struct player *predicted, const struct player *confirmed)
{
    return pose_life(predicted) != 0 && pose_life(predicted) == pose_life(confirmed);
}

bool pose_is_continuous(const struct map *map, struct pose from, struct pose to)
{
    return from.identity != 0 && from.identity == to.identity && pose_distance(map, from, to) <= POSE_TELEPORT_SUB;
}

// --- smoothing

// A tick takes a quarter of an error away, and at least this many sub, so that small errors are gone at once.
#define DECAY_DIVISOR 4
#define DECAY_SUB_MIN 64

// How far a figure may move in a tick by its own motion and by what fades, so that it stays below 8 px in a frame, also
// while the clock runs fast.
#define STEP_SUB_MAX 1920

// A player who is farther away than this has been moved elsewhere.
#define PLAYER_ERROR_SUB_MAX (256 * 256)

static struct pose shown(struct pose pose, struct view_point error)
{
    return (struct pose){pose.x + error.x, pose.y + error.y, pose.identity};
}

// Returns the length of a way, up to a fifteenth too long.
static int32_t length(int32_t x, int32_t y)
{
    int32_t longer = abs(x) > abs(y) ? abs(x) : abs(y), shorter = abs(x) + abs(y) - longer;
    return longer + shorter * 3 / 8;
}

static int32_t decay(int32_t error)
{
    int32_t amount = abs(error) / DECAY_DIVISOR;
    amount = amount > DECAY_SUB_MIN ? amount : DECAY_SUB_MIN;
    amount = amount < abs(error) ? amount : abs(error);
    return error > 0 ? amount : -amount;
}

static void fade(struct smoothing *smoothing, const struct map *map, uint32_t i)
{
    struct view_point *error = &smoothing->now[i];
    struct pose from = smoothing->poses_before[i], to = smoothing->poses_now[i];
    int32_t x = decay(error->x), y = decay(error->y), way = length(x, y);
    if (way == 0)
        return;
    bool moves = pose_is_continuous(map, from, to);
    struct view_point step = pose_offset(map, from, to);
    int32_t own = moves ? length(step.x, step.y) : 0;
    int32_t room = own < STEP_SUB_MAX ? STEP_SUB_MAX - own : 0;
    error->x -= way > room ? x * room / way : x;
    error->y -= way > room ? y * room / way : y;
}

// The life of another player that only the prediction has begun is not drawn.
static void hold_players(struct smoothing *smoothing, const struct world *present, const struct world *confirmed)
{
    for (uint32_t i = 0; i < present->player_slots; i++)
        if (i == smoothing->slot ? smoothing->poses_now[i].identity != 0
                                 : pose_is_same_life(&present->players[i], &confirmed->players[i]))
            smoothing->held[i] = shown(smoothing->poses_now[i], smoothing->now[i]);
}

void pose_smoothing_advance(struct smoothing *smoothing, const struct map *map, const struct world *before,
                            const struct world *present, const struct world *confirmed)
{
    pose_all(smoothing->poses_before, map, before);
    pose_all(smoothing->poses_now, map, present);
    memcpy(smoothing->before, smoothing->now, sizeof smoothing->now);
    for (uint32_t i = 0; i < POSE_CAPACITY; i++)
        fade(smoothing, map, i);
    hold_players(smoothing, present, confirmed);
}

// Returns the largest error that is smoothed. A player who appears only in the prediction may appear elsewhere.
static int32_t error_sub_max(const struct world *confirmed, uint32_t i)
{
    if (i >= PLAYER_CAPACITY)
        return POSE_TELEPORT_SUB;
    return confirmed->players[i].state == PLAYER_ALIVE ? PLAYER_ERROR_SUB_MAX : 0;
}

// Finds how far a thing is drawn from its pose. Returns false with nothing if it is another one, or too far away.
static bool find_error(const struct map *map, struct pose drawn, struct pose to, int32_t sub_max,
                       struct view_point *error)
{
    struct view_point found = pose_offset(map, to, drawn);
    bool same = to.identity != 0 && drawn.identity == to.identity;
    bool good = same && abs(found.x) <= sub_max && abs(found.y) <= sub_max;
    *error = good ? found : (struct view_point){0};
    return good;
}

// Between two ticks nothing is drawn on the way from one error to a quite different one, as on two sides of a seam.
static bool are_near(struct view_point a, struct view_point b)
{
    return abs(a.x - b.x) <= POSE_TELEPORT_SUB && abs(a.y - b.y) <= POSE_TELEPORT_SUB;
}

void pose_smoothing_correct(struct smoothing *smoothing, const struct map *map, const struct world *before,
                            const struct world *present, const struct world *confirmed)
{
    struct pose poses_before[POSE_CAPACITY], poses_now[POSE_CAPACITY];
    pose_all(poses_before, map, before);
    pose_all(poses_now, map, present);
    for (uint32_t i = 0; i < POSE_CAPACITY; i++) {
        struct pose drawn = shown(smoothing->poses_now[i], smoothing->now[i]);
        struct pose drawn_before = shown(smoothing->poses_before[i], smoothing->before[i]);
        if (i < PLAYER_CAPACITY && drawn.identity != smoothing->held[i].identity) // nobody has seen it
            drawn = drawn_before = smoothing->held[i];
        struct view_point *now = &smoothing->now[i], *earlier = &smoothing->before[i];
        int32_t sub_max = error_sub_max(confirmed, i);
        bool is_wrong = find_error(map, drawn, poses_now[i], sub_max, now);
        bool was_wrong = is_wrong && find_error(map, drawn_before, poses_before[i], sub_max, earlier);
        if (!was_wrong || !are_near(*earlier, *now))
            *earlier = *now;
    }
    memcpy(smoothing->poses_before, poses_before, sizeof poses_before);
    memcpy(smoothing->poses_now, poses_now, sizeof poses_now);
    hold_players(smoothing, present, confirmed);
}
