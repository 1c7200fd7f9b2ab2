// SPDX-License-Identifier: MIT
//
// Measures how far each view is from the truth: 16 bots play with full clients over a network with a seed in virtual
// time, and each client draws 60 frames a second in both views. Each frame is compared with the server's world at the
// tick of that frame, for which the player gives inputs. Prints one JSON line per view and network; jerk is the third
// difference of positions from frame to frame, beside that of the truth.
//     bench_view_error [SECONDS [SEED [MAP]]]
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/histogram.h"
#include "core/pose.h"
#include "core/view.h"
#include "net/impairment.h"
#include "session.h"

enum { PLAYERS = 16, KINDS = 2, TRUTHS = 256, PENDING = 128, FRAME_STEPS = SESSION_STEPS / 60, SETTLE_S = 5 };

// A frame that waits for the server's world of its tick.
struct frame {
    tick tick; // 0: none
    uint32_t between;
    struct pose places[PLAYERS];
};

// The last positions of something, newest first.
struct trail {
    uint32_t count;
    struct pose places[4];
};

struct figures {
    struct histogram others_error_sub, own_error_sub, others_jerk_sub, own_jerk_sub;
    uint64_t life_wrong, lives;
    struct frame frames[PLAYERS][PENDING];
    struct trail trails[PLAYERS][PLAYERS];
};

static struct session session;
static struct view view;
static struct figures figures[KINDS];
static struct histogram truth_jerk_sub;
static struct trail truth_trails[PLAYERS];
static struct pose truths[TRUTHS][PLAYERS], places[POSE_CAPACITY];

static uint64_t distance_sub(int32_t x, int32_t y)
{
    return (uint64_t)llround(hypot(x, y));
}

// The shorter distance in a map that wraps.
static int32_t apart(int32_t a, int32_t b, int32_t tiles, bool wraps)
{
    int32_t side = tiles * MAP_EDGE_PX * 256, way = a - b;
    return !wraps ? way : way > side / 2 ? way - side : way < -side / 2 ? way + side : way;
}

// Returns false if there are too few: the thing has just appeared or was moved elsewhere.
static bool trail_jerk(struct trail *trail, struct pose place, uint64_t *jerk_sub)
{
    if (trail->count > 0 && !pose_is_continuous(trail->places[0], place))
        trail->count = 0;
    memmove(trail->places + 1, trail->places, 3 * sizeof *trail->places);
    trail->places[0] = place;
    trail->count += place.identity != 0 && trail->count < 4;
    const struct pose *p = trail->places;
    if (trail->count < 4)
        return false;
    *jerk_sub = distance_sub(p[0].x - 3 * p[1].x + 3 * p[2].x - p[3].x, p[0].y - 3 * p[1].y + 3 * p[2].y - p[3].y);
    return true;
}

static void draw(uint32_t index, enum view_kind kind)
{
    struct client *client = session.clients[index];
    view.kind = kind;
    if (!client_view(client, session_client_us(&session, index), &view))
        return;
    struct figures *of = &figures[kind];
    struct frame *frame = &of->frames[index][session.step / FRAME_STEPS % PENDING];
    frame->tick = view.world->tick;
    frame->between = view.between;
    pose_all(places, view.map, view.world);
    for (uint32_t slot = 0; slot < PLAYERS; slot++) {
        uint64_t jerk_sub;
        struct pose *place = &frame->places[slot];
        *place = (struct pose){view.actors[slot].x, view.actors[slot].y, places[slot].identity};
        if (trail_jerk(&of->trails[index][slot], *place, &jerk_sub))
            histogram_add(slot == view.slot ? &of->own_jerk_sub : &of->others_jerk_sub, jerk_sub);
    }
}

// Both ends of the tick of a frame must belong to the same life; otherwise there is no truth to compare with.
static void judge(struct figures *of, uint32_t index, const struct frame *frame)
{
    const struct map *map = client_map(session.clients[index]);
    for (uint32_t slot = 0; slot < PLAYERS; slot++) {
        struct pose from = truths[(frame->tick - 1) % TRUTHS][slot], to = truths[frame->tick % TRUTHS][slot];
        struct pose drawn = frame->places[slot];
        of->lives++;
        of->life_wrong += drawn.identity != to.identity;
        if (!pose_is_continuous(from, to) || drawn.identity != to.identity)
            continue;
        int32_t x = from.x + (to.x - from.x) * (int32_t)frame->between / 256;
        int32_t y = from.y + (to.y - from.y) * (int32_t)frame->between / 256;
        bool own = slot == client_slot(session.clients[index]);
        histogram_add(own ? &of->own_error_sub : &of->others_error_sub,
                      distance_sub(apart(drawn.x, x, map->columns, map->outside == DF_OUTSIDE_WRAP),
                                   apart(drawn.y, y, map->rows, map->outside == DF_OUTSIDE_WRAP)));
    }
}

static void keep_truth(void)
{
    const struct world *world = &session.match->world;
    pose_all(places, &session.match->map, world);
    memcpy(truths[world->tick % TRUTHS], places, sizeof truths[0]);
    for (uint32_t slot = 0; slot < PLAYERS; slot++) {
        uint64_t jerk_sub;
        if (trail_jerk(&truth_trails[slot], places[slot], &jerk_sub))
            histogram_add(&truth_jerk_sub, jerk_sub);
    }
    for (int kind = 0; kind < KINDS; kind++)
        for (uint32_t i = 0; i < PLAYERS * PENDING; i++) {
            struct frame *frame = &figures[kind].frames[i / PENDING][i % PENDING];
            if (frame->tick == 0 || (int32_t)(world->tick - frame->tick) < 0)
                continue;
            judge(&figures[kind], i / PENDING, frame);
            frame->tick = 0;
        }
}

static void play(uint32_t seconds)
{
    for (uint32_t step = 0; step < seconds * SESSION_STEPS; step++) {
        tick before = session.match->world.tick;
        session_run(&session, 1.5 / SESSION_STEPS); // a step
        if (session.match->world.tick != before)
            keep_truth();
        for (uint32_t i = 0; i < PLAYERS; i++)
            for (uint32_t kind = 0; kind < KINDS && (session.step + i) % FRAME_STEPS == 0; kind++)
                draw(i, (enum view_kind)kind);
    }
}

static void print_distribution(const char *name, const struct histogram *histogram_sub)
{
    printf(",\"%s_mean_px\":%.2f,\"%s_p99_px\":%.1f", name, histogram_mean(histogram_sub) / 256, name,
           (double)histogram_quantile(histogram_sub, 990) / 256);
}

static void measure(uint64_t seed, const char *map, uint32_t rtt_ms, bool bad, uint32_t seconds)
{
    struct impairment line = {.delay_us = rtt_ms * 500, .jitter_us = bad ? 10000 : 0, .loss_ppm = bad ? 50000 : 0};
    uint32_t corrections = 0;
    session_begin(&session, seed, map, &line);
    for (uint32_t i = 0; i < PLAYERS; i++)
        session_join(&session, i, false);
    session_run(&session, SETTLE_S);
    memset(figures, 0, sizeof figures);
    memset(&truth_jerk_sub, 0, sizeof truth_jerk_sub);
    for (uint32_t i = 0; i < PLAYERS; i++)
        corrections -= session_statistics(&session, i).corrections;
    play(seconds);
    for (uint32_t i = 0; i < PLAYERS; i++)
        corrections += session_statistics(&session, i).corrections;
    for (int kind = 0; kind < KINDS; kind++) {
        struct figures *of = &figures[kind];
        printf("{\"bench\":\"view_error\",\"view\":\"%s\",\"rtt_ms\":%u,\"jitter_ms\":%u,\"loss_pct\":%u",
               VIEW_KIND_NAMES[kind], rtt_ms, line.jitter_us / 1000, line.loss_ppm / 10000);
        print_distribution("others_error", &of->others_error_sub);
        print_distribution("own_error", &of->own_error_sub);
        print_distribution("others_jerk", &of->others_jerk_sub);
        print_distribution("own_jerk", &of->own_jerk_sub);
        print_distribution("truth_jerk", &truth_jerk_sub);
        printf(",\"wrong_life_pct\":%.2f,\"own_corrections_per_min\":%.1f}\n",
               100.0 * (double)of->life_wrong / (double)of->lives, corrections * 60.0 / PLAYERS / seconds);
    }
    fflush(stdout);
    session_end(&session);
}

int main(int argc, char **argv)
{
    static const uint32_t rtts_ms[] = {0, 50, 100, 200};
    uint32_t seconds = argc > 1 ? (uint32_t)strtoul(argv[1], NULL, 10) : 30;
    uint64_t seed = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
    for (int bad = 0; bad < 2; bad++)
        for (size_t i = 0; i < sizeof rtts_ms / sizeof *rtts_ms; i++)
            measure(seed, argc > 3 ? argv[3] : "foundry", rtts_ms[i], bad != 0, seconds > 0 ? seconds : 1);
    return EXIT_SUCCESS;
}
