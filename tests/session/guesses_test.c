// SPDX-License-Identifier: MIT
//
// How good guesses about other players are, and how their corrections look: computer players are predicted exactly, and
// nobody's figure jumps.
#include <stdlib.h>
#include <string.h>

#include "core/pose.h"
#include "core/simulation.h"
#include "core/view.h"
#include "game/map/tiled/map_file.h"
#include "memory_network.h"
#include "prepared_map.h"
#include "seeds.h"
#include "session.h"
#include "test.h"

EACH_TEST(NULL, session_end);

enum { SETTLE_S = 5, PEOPLE = 4, BOTS = 12, STEP_SUB_MAX = 8 * 256 };

// A player's figure when it was last drawn.
struct sighting {
    uint32_t generation, deaths;
    struct pose pose;
    uint64_t passed; // as the figure's time was then
};

// The time of a client's picture, ticks / 256. Where the prediction stood still, it goes on with the next frame.
struct picture_time {
    uint64_t moment; // of the view
    bool stands;
    uint64_t passed;
};

static struct view view;
static struct sighting sightings[PEOPLE][PLAYER_CAPACITY];
static struct picture_time times[PEOPLE];

static void begin(uint64_t seed, const char *map, enum mode mode, enum skill skill, uint32_t bots)
{
    struct match_config config = {.rules = {.mode = mode, .bot_skill = skill}, .bots = bots};
    session_begin_match(seed, map, &(struct impairment){.delay_us = 50000}, &config);
}

// Checks that a client who plays alone against bots makes no wrong guess in this time, but that it does not know what
// is in a chest.
static void nothing_is_stepped_again(double seconds)
{
    uint32_t before = session_statistics(0).resimulations, events = session.match->world.event_count;
    uint32_t rolls = client_world(session.clients[0])->rolls;
    session_run(seconds);
    rolls = client_world(session.clients[0])->rolls - rolls;
    session_check(session_statistics(0).resimulations - before <= rolls);
    session_check(session.match->world.event_count > events + (uint32_t)seconds); // they play
}

TEST(bots_are_predicted_exactly)
{
    static const struct {
        const char *map;
        enum mode mode;
        enum skill skill;
    } rows[] = {
        {"foundry", MODE_FFA, SKILL_HARD},     {"duel", MODE_LMS, SKILL_NORMAL},
        {"clockwork", MODE_TEAMS, SKILL_EASY}, {"breakout", MODE_BREAKOUT, SKILL_HARD},
        {"skyline", MODE_FFA, SKILL_RANDOM},
    };
    for (uint64_t i = 0; i < seeds_asked(2) * sizeof rows / sizeof *rows; i++) {
        size_t row = i % (sizeof rows / sizeof *rows);
        begin(i + 1, rows[row].map, rows[row].mode, rows[row].skill, 9);
        session_join(0, false);
        session_run(SETTLE_S);
        nothing_is_stepped_again(15);
    }
}

// The first bots come to a server that began its map without any. The client has had the graph since it loaded the map.
TEST(bots_that_join_later_are_predicted_exactly)
{
    begin(7, "foundry", MODE_FFA, SKILL_HARD, 0);
    session_join(0, false);
    session_run(SETTLE_S);
    session_check(simulation_graph_count() == 1);
    match_map_build_nav_graph(session.match->own);
    session.match->bots = 6;
    session_run(1);
    nothing_is_stepped_again(20);
    session_check(simulation_graph_count() == 1);
}

TEST(full_clients_of_a_process_have_one_graph_for_each_map)
{
    static struct map map;
    char path[512];
    struct error error;
    session_check(map_file_find("duel", path, sizeof path) && map_file_read(path, &map, &error));
    begin(10, "foundry", MODE_FFA, SKILL_HARD, 2);
    for (uint32_t i = 0; i < PEOPLE; i++)
        session_join_as(i, 0, i); // at one machine
    session_run(SETTLE_S);
    session_check(simulation_graph_count() == 1);
    match_change(session.match, prepared_map(&map), &session.match->world.rules, session_now_us());
    session_run(SETTLE_S);
    session_check(session_statistics(PEOPLE - 1).snapshots > SETTLE_S * 60);
    session_leave(0);
    session_run(1);
    session_check(simulation_graph_count() <= 2); // that of the map before may stay
}

TEST(another_skill_is_known_to_clients)
{
    begin(8, "foundry", MODE_FFA, SKILL_EASY, 9);
    session_join(0, false);
    session_run(SETTLE_S);
    match_enqueue_command(session.match, &(struct command){.kind = COMMAND_RULES, .bot_skill = SKILL_HARD});
    session_run(1);
    session_check(client_world(session.clients[0])->rules.bot_skill == SKILL_HARD);
    nothing_is_stepped_again(20);
}

TEST(bots_are_predicted_on_the_next_map_too)
{
    static struct map map;
    char path[512];
    struct error error;
    session_check(map_file_find("clockwork", path, sizeof path) && map_file_read(path, &map, &error));
    begin(9, "foundry", MODE_FFA, SKILL_HARD, 9);
    session_join(0, false);
    session_run(SETTLE_S);
    match_change(session.match, prepared_map(&map), &session.match->world.rules, session_now_us());
    session_run(SETTLE_S);
    nothing_is_stepped_again(20);
}

static uint64_t passed(struct picture_time *time)
{
    uint64_t moment = (uint64_t)view.world->tick * 256 + view.between;
    time->passed += time->stands ? 256 : moment - time->moment;
    time->stands = moment == time->moment;
    time->moment = moment;
    return time->passed;
}

// Checks that no other player's figure moves more than 8 px in a tick since it was last drawn, also when it comes back
// from a death that was taken back, and when snapshots come again.
static void check_steps(uint32_t client)
{
    uint64_t now = passed(&times[client]);
    for (uint32_t slot = 0; slot < view.world->player_slots; slot++) {
        const struct player *player = &view.world->players[slot];
        struct sighting *last = &sightings[client][slot];
        if (player->state != PLAYER_ALIVE || !view_shows(&view, slot))
            continue;
        struct pose pose = {view.actors[slot].x, view.actors[slot].y, 1};
        bool same = last->generation == player->generation && last->deaths == player->stats.deaths;
        if (same && slot != view.slot) {
            struct view_point offset = pose_offset(view.map, last->pose, pose);
            int64_t x = offset.x, y = offset.y;
            int64_t ticks256 = now - last->passed > 256 ? (int64_t)(now - last->passed) : 256;
            int64_t step_max = STEP_SUB_MAX * ticks256 / 256;
            session_check(x * x + y * y <= step_max * step_max);
        }
        *last = (struct sighting){player->generation, player->stats.deaths, pose, now};
    }
}

static void draw(void)
{
    for (uint32_t i = 0; i < PEOPLE; i++)
        if (client_view(session.clients[i], session_client_us(i), &view))
            check_steps(i);
}

static void nobody_jumps_for(double seconds)
{
    for (uint32_t frame = 0; frame < (uint32_t)(seconds * 60); frame++) {
        session_run(1 / 60.0);
        draw();
    }
}

// The prediction stands still in a longer outage.
static void nobody_jumps_in_an_outage(void)
{
    memory_network_block(session.network, true, true);
    nobody_jumps_for(1.5);
    memory_network_block(session.network, false, false);
    nobody_jumps_for(2);
}

TEST(no_figure_jumps_over_a_bad_network)
{
    static const char *const maps[] = {"foundry", "duel", "clockwork", "skyline"};
    struct impairment line = {.delay_us = 75000, .jitter_us = 10000, .loss_ppm = 50000};
    struct match_config config = {.rules = {.mode = MODE_FFA, .bot_skill = SKILL_HARD}, .bots = BOTS};
    for (uint64_t i = 0; i < seeds_asked(3) * sizeof maps / sizeof *maps; i++) {
        session_begin_match(i + 1, maps[i % (sizeof maps / sizeof *maps)], &line, &config);
        memset(sightings, 0, sizeof sightings);
        memset(times, 0, sizeof times);
        for (uint32_t person = 0; person < PEOPLE; person++)
            session_join_person(person);
        session_run(2 * SETTLE_S);
        nobody_jumps_for(5);
        for (uint32_t outages = 0; outages < 2; outages++)
            nobody_jumps_in_an_outage();
    }
}

// An arrow or a chest that the confirmed world has had since it was first drawn.
struct thing {
    uint32_t identity; ///< 0: none
    bool drawn;        ///< in the last frame
    bool missing;      ///< was drawn before
    bool own;          ///< taken by the client's own player
};

static struct thing things[PEOPLE][ACTOR_CAPACITY];
static uint32_t vanished, came_back;

// Returns what tells a thing from another in its place; 0: nothing is there.
static uint32_t identity(const struct world *world, uint32_t actor)
{
    if (actor >= CHEST_ACTORS)
        return world->chests[actor - CHEST_ACTORS].state != CHEST_AWAY;
    const struct arrow *arrow = &world->arrows[actor - PLAYER_CAPACITY];
    return arrow->state == ARROW_ABSENT ? 0 : 1 + arrow->owner * ARROW_KINDS + arrow->kind;
}

static bool is_drawn(uint32_t actor, uint32_t wanted)
{
    bool drawn = identity(view.world, actor) == wanted;
    for (uint32_t i = 0; i < view.held_count; i++)
        drawn = drawn || (view.held[i].actor == actor && identity(view.held[i].world, actor) == wanted);
    return drawn;
}

// Returns whether the own player takes something in the prediction.
static bool takes_something(void)
{
    for (uint32_t i = 0; i < EVENT_CAPACITY; i++) {
        const struct event *event = &view.world->events[i];
        bool takes = event->kind == EVENT_PICKUP || event->kind == EVENT_CATCH;
        if (takes && event->subject == view.slot && (int32_t)(event->tick - view.confirmed->tick) > 0)
            return true;
    }
    return false;
}

// Counts the things that are no longer drawn although they are still there, and how many of them come back.
static void follow_things(uint32_t client)
{
    bool takes = takes_something();
    for (uint32_t actor = PLAYER_CAPACITY; actor < ACTOR_CAPACITY; actor++) {
        struct thing *thing = &things[client][actor];
        uint32_t there = identity(view.confirmed, actor);
        if (there != thing->identity)
            *thing = (struct thing){.identity = there};
        bool drawn = there && is_drawn(actor, there);
        thing->own = !drawn && (thing->own || takes);
        vanished += thing->drawn && !drawn && !thing->own;
        came_back += there && !thing->drawn && drawn && thing->missing;
        thing->missing = there && !drawn && !thing->own && (thing->drawn || thing->missing);
        thing->drawn = drawn;
    }
}

// What another player takes only in the prediction stays in the picture; so do arrows that hit somebody only there.
// Half a minute on each map with DEADFALL_TEST_LONG, else ten seconds.
TEST(things_that_others_take_do_not_come_back)
{
    static const char *const maps[] = {"foundry", "duel", "clockwork", "skyline"};
    struct impairment line = {.delay_us = 75000, .jitter_us = 10000, .loss_ppm = 50000};
    struct match_config config = {.rules = {.mode = MODE_FFA, .bot_skill = SKILL_HARD}, .bots = BOTS};
    uint32_t seconds = getenv("DEADFALL_TEST_LONG") ? 30 : 10;
    for (uint64_t i = 0; i < seeds_asked(2) * sizeof maps / sizeof *maps; i++) {
        const char *map = maps[i % (sizeof maps / sizeof *maps)];
        session_begin_match(i + 1, map, &line, &config);
        memset(things, 0, sizeof things);
        vanished = came_back = 0;
        for (uint32_t person = 0; person < PEOPLE; person++)
            session_join_person(person);
        session_run(2 * SETTLE_S);
        for (uint32_t frame = 0; frame < seconds * 60; frame++) {
            session_run(1 / 60.0);
            for (uint32_t client = 0; client < PEOPLE; client++)
                if (client_view(session.clients[client], session_client_us(client), &view))
                    follow_things(client);
        }
        print_message("%s: %u vanished, %u came back\n", map, vanished, came_back);
        session_check(vanished == 0);
    }
}

// The prediction ends a second after the last snapshot. Nothing may then swing between its last two ticks.
TEST(without_snapshots_the_picture_stands_still)
{
    static struct view_point before[PLAYER_CAPACITY];
    begin(12, "foundry", MODE_FFA, SKILL_HARD, BOTS);
    session_join(0, false);
    session_run(2 * SETTLE_S);
    memory_network_block(session.network, true, true);
    session_run(1.6);
    for (int moment = 0; moment < 20; moment++) {
        session_check(client_view(session.clients[0], session_client_us(0), &view));
        for (uint32_t slot = 0; moment > 0 && slot < view.world->player_slots; slot++)
            session_check(view.actors[slot].x == before[slot].x && view.actors[slot].y == before[slot].y);
        memcpy(before, view.actors, sizeof before);
        session_run(1.5 / SESSION_STEPS);
    }
}
