// SPDX-License-Identifier: MIT
//
// Measures how far each view is from the truth, in virtual time over a network with a seed, in three matches: 16
// clients that the AI plays, 16 with hands like a person's, and four of these against 12 hard bots of the server. Each
// client draws 60 frames a second in both views. Each frame is compared with the server's world at the tick of that
// frame, for which the player gives inputs. Prints one JSON line per match, view and network; people_error is that of
// those among the others who are no bots, jerk the third difference of positions from frame to frame, beside that of
// the truth. Another player's figure jumps when it moves more than 8 px in a frame, and farther than in truth, later
// than a third of a second after it appeared; a death is refuted when the view shows it and takes it back.
//     bench_view_error [SECONDS [SEED [MAP]]]
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/histogram.h"
#include "core/pose.h"
#include "core/view.h"
#include "net/impairment.h"
#include "session.h"

enum { PLAYERS = 16, KINDS = 2, TRUTHS = 256, PENDING = 128, FRAME_STEPS = SESSION_STEPS / 60 };
enum { SETTLE_S = 10, JUMP_SUB = 8 * 256, SPAWN_TICKS = 20 };

// Who plays.
static const struct match_kind {
    const char *name;
    uint32_t clients;
    bool people; // with hands like a person's
    uint32_t bots;
} MATCHES[] = {
    {"clients", PLAYERS, false, 0},
    {"people", PLAYERS, true, 0},
    {"people and bots", 4, true, PLAYERS},
};

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

// Where another player was in the last frame that showed them, as it was drawn and in truth.
struct sighting {
    uint64_t frame;
    tick since_tick; // of their life
    struct pose drawn, truth;
};

struct figures {
    struct histogram others_error_sub, people_error_sub, own_error_sub, others_jerk_sub, own_jerk_sub;
    uint64_t life_wrong, lives, jumps, refuted_deaths;
    struct frame frames[PLAYERS][PENDING];
    uint64_t drawn[PLAYERS], judged[PLAYERS]; // frames, by client
    struct trail trails[PLAYERS][PLAYERS];
    struct sighting sightings[PLAYERS][PLAYERS];
    struct player players[PLAYERS][PLAYERS]; // of the last frame
};

static struct view view;
static struct figures figures[KINDS];
static struct histogram truth_jerk_sub;
static struct trail truth_trails[PLAYERS];
static struct pose truths[TRUTHS][PLAYERS], places[POSE_CAPACITY];
static uint32_t clients;

static uint64_t distance_sub(int32_t x, int32_t y)
{
    return (uint64_t)llround(hypot(x, y));
}

static struct view_point way(struct pose to, struct pose from)
{
    const struct map *map = &session.match->map;
    return pose_offset(map, from, to);
}

// Returns false if there are too few: the thing has just appeared or was moved elsewhere.
static bool trail_jerk(struct trail *trail, struct pose place, uint64_t *jerk_sub)
{
    if (trail->count > 0 && !pose_is_continuous(&session.match->map, trail->places[0], place))
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
    if (!client_view(client, session_client_us(index), &view))
        return;
    struct figures *of = &figures[kind];
    struct frame *frame = &of->frames[index][of->drawn[index]++ % PENDING];
    frame->tick = view.world->tick;
    frame->between = view.between;
    pose_all(places, view.map, view.world);
    for (uint32_t slot = 0; slot < PLAYERS; slot++) {
        uint64_t jerk_sub;
        struct pose *place = &frame->places[slot];
        const struct player *now = &view.world->players[slot];
        struct player *before = &of->players[index][slot];
        *place = (struct pose){view.actors[slot].x, view.actors[slot].y, places[slot].identity};
        if (trail_jerk(&of->trails[index][slot], *place, &jerk_sub))
            histogram_add(slot == view.slot ? &of->own_jerk_sub : &of->others_jerk_sub, jerk_sub);
        of->refuted_deaths += before->generation == now->generation && now->stats.deaths < before->stats.deaths;
        *before = *now;
    }
}

// Both ends of the tick of a frame must belong to the same life; otherwise there is no truth to compare with.
static void judge(struct figures *of, uint32_t index, const struct frame *frame)
{
    const struct map *map = &session.match->map;
    for (uint32_t slot = 0; slot < PLAYERS; slot++) {
        struct pose from = truths[(frame->tick - 1) % TRUTHS][slot], to = truths[frame->tick % TRUTHS][slot];
        struct pose drawn = frame->places[slot];
        struct sighting *last = &of->sightings[index][slot];
        bool own = slot == client_slot(session.clients[index]);
        of->lives++;
        of->life_wrong += drawn.identity != to.identity;
        if (!pose_is_continuous(map, from, to))
            *last = (struct sighting){.since_tick = frame->tick};
        if (drawn.identity == 0 || !pose_is_continuous(map, from, to))
            continue;
        struct view_point step = pose_offset(map, from, to);
        struct pose truth = {from.x + step.x * (int32_t)frame->between / 256,
                             from.y + step.y * (int32_t)frame->between / 256, to.identity};
        struct view_point seen = way(drawn, last->drawn), moved = way(truth, last->truth);
        uint64_t number = of->judged[index], step_sub = distance_sub(seen.x, seen.y);
        if (!own && last->truth.identity == truth.identity && frame->tick - last->since_tick > SPAWN_TICKS)
            of->jumps +=
                step_sub > JUMP_SUB * (number - last->frame) && step_sub > distance_sub(moved.x, moved.y) + 256;
        *last = (struct sighting){number, last->since_tick, drawn, truth};
        if (drawn.identity != to.identity)
            continue;
        struct view_point off = way(drawn, truth);
        histogram_add(own ? &of->own_error_sub : &of->others_error_sub, distance_sub(off.x, off.y));
        if (!own && !(session.match->world.players[slot].flags & PLAYER_BOT))
            histogram_add(&of->people_error_sub, distance_sub(off.x, off.y));
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
    for (struct figures *of = figures; of < figures + KINDS; of++)
        for (uint32_t i = 0; i < clients; i++)
            while (of->judged[i] < of->drawn[i] &&
                   (int32_t)(world->tick - of->frames[i][of->judged[i] % PENDING].tick) >= 0)
                judge(of, i, &of->frames[i][of->judged[i]++ % PENDING]);
}

static void play(uint32_t seconds)
{
    for (uint32_t step = 0; step < seconds * SESSION_STEPS; step++) {
        tick before = session.match->world.tick;
        session_run(1.5 / SESSION_STEPS); // a step
        if (session.match->world.tick != before)
            keep_truth();
        for (uint32_t i = 0; i < clients; i++)
            for (uint32_t kind = 0; kind < KINDS && (session.step + i) % FRAME_STEPS == 0; kind++)
                draw(i, (enum view_kind)kind);
    }
}

static void begin(uint64_t seed, const char *map, const struct match_kind *kind, const struct impairment *line)
{
    struct match_config config = {
        .rules = {.mode = MODE_FFA, .bot_skill = SKILL_HARD}, .players_max = PLAYERS, .bots = kind->bots};
    session_begin_match(seed, map, line, &config);
    clients = kind->clients;
    for (uint32_t i = 0; i < clients; i++)
        kind->people ? session_join_person(i) : session_join(i, false);
    session_run(SETTLE_S);
    memset(figures, 0, sizeof figures);
    memset(&truth_jerk_sub, 0, sizeof truth_jerk_sub);
}

// The sums over all clients of what the bench prints of their statistics.
static struct client_statistics statistics(void)
{
    struct client_statistics sum = {0};
    for (uint32_t i = 0; i < clients; i++) {
        struct client_statistics one = session_statistics(i);
        sum.corrections += one.corrections;
        sum.resimulations += one.resimulations;
        sum.resimulated_ticks += one.resimulated_ticks;
        sum.bytes_in += one.bytes_in;
    }
    return sum;
}

static void print_distribution(const char *name, const struct histogram *histogram_sub)
{
    printf(",\"%s_mean_px\":%.2f,\"%s_p99_px\":%.1f", name, histogram_mean(histogram_sub) / 256, name,
           (double)histogram_quantile(histogram_sub, 990) / 256);
}

static void print_figures(const struct figures *of, double minutes)
{
    print_distribution("others_error", &of->others_error_sub);
    print_distribution("people_error", &of->people_error_sub);
    print_distribution("own_error", &of->own_error_sub);
    print_distribution("others_jerk", &of->others_jerk_sub);
    print_distribution("own_jerk", &of->own_jerk_sub);
    print_distribution("truth_jerk", &truth_jerk_sub);
    printf(",\"jumps_per_min\":%.1f,\"wrong_life_pct\":%.2f,\"refuted_deaths_per_min\":%.1f",
           (double)of->jumps / minutes, 100.0 * (double)of->life_wrong / (double)of->lives,
           (double)of->refuted_deaths / minutes);
}

static void measure(uint64_t seed, const char *map, const struct match_kind *played, uint32_t rtt_ms, bool bad,
                    uint32_t seconds)
{
    struct impairment line = {.delay_us = rtt_ms * 500, .jitter_us = bad ? 10000 : 0, .loss_ppm = bad ? 50000 : 0};
    begin(seed, map, played, &line);
    struct client_statistics before = statistics();
    clock_t start = clock();
    play(seconds);
    double cpu_ms = (double)(clock() - start) * 1e3 / CLOCKS_PER_SEC, client_s = (double)clients * seconds;
    struct client_statistics after = statistics();
    for (int kind = 0; kind < KINDS; kind++) {
        printf("{\"bench\":\"view_error\",\"players\":\"%s\",\"view\":\"%s\",\"rtt_ms\":%u,\"jitter_ms\":%u,"
               "\"loss_pct\":%u",
               played->name, VIEW_KIND_NAMES[kind], rtt_ms, line.jitter_us / 1000, line.loss_ppm / 10000);
        print_figures(&figures[kind], client_s / 60);
        printf(",\"own_corrections_per_min\":%.1f,\"resimulations_per_s\":%.1f,\"resimulated_ticks_per_s\":%.0f,"
               "\"bytes_in_per_s\":%.0f,\"cpu_ms_per_s\":%.1f}\n",
               (after.corrections - before.corrections) * 60 / client_s,
               (after.resimulations - before.resimulations) / client_s,
               (after.resimulated_ticks - before.resimulated_ticks) / client_s,
               (double)(after.bytes_in - before.bytes_in) / client_s, cpu_ms / client_s);
    }
    fflush(stdout);
    session_end();
}

int main(int argc, char **argv)
{
    static const uint32_t rtts_ms[] = {0, 50, 100, 200};
    uint32_t seconds = argc > 1 ? (uint32_t)strtoul(argv[1], NULL, 10) : 30;
    uint64_t seed = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
    for (size_t kind = 0; kind < sizeof MATCHES / sizeof *MATCHES; kind++)
        for (int bad = 0; bad < 2; bad++)
            for (size_t i = 0; i < sizeof rtts_ms / sizeof *rtts_ms; i++)
                measure(seed, argc > 3 ? argv[3] : "foundry", &MATCHES[kind], rtts_ms[i], bad != 0,
                        seconds > 0 ? seconds : 1);
    return EXIT_SUCCESS;
}
