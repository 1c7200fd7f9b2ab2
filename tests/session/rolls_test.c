// SPDX-License-Identifier: MIT
//
// What a cheater can know about chests, and what an honest client shows of them. An oracle that sees all that a client
// sees, without any delay, guesses each gift on the maps of the golden matches and on those that are shipped; a client
// over a bad network shows a chest as opening until it has the gift, and never takes one back.
#include <stdio.h>
#include <string.h>

#include "base/random.h"
#include "core/view.h"
#include "game/entities/chest.h"
#include "game/gift.h"
#include "game/map/tiled/map_file.h"
#include "game/tuning.h"
#include "memory_network.h"
#include "session.h"
#include "sync/world.h"
#include "test.h"
#include "test_map.h"

EACH_TEST(NULL, session_end);

enum { BOTS = 12, TICKS = 8000, PEOPLE = 4 };

// How an oracle guesses.
enum oracle {
    ORACLE_STEPS,  ///< steps a copy of the world
    ORACLE_RANDOM, ///< draws with the random numbers of the world
    ORACLE_SEED,   ///< draws with the seed and the number of the roll, which the server also knows
    ORACLE_LIKELY, ///< always says the most likely gift
    ORACLES
};

// Of one map.
struct tally {
    uint32_t rolls, hits[ORACLES], gifts[MAP_GIFTS];
    double expected, variance; // of the hits of the best guess without knowledge
    double shares[MAP_GIFTS];  // expected counts of gifts
};

static struct world ahead, stepped;
static struct view view;

static double weight_of(const struct map_chest *chest, uint32_t gift)
{
    return (chest->gifts >> gift & 1) * (double)GIFT_TABLE[gift].weight;
}

// What a prediction says, if it predicts a gift at all.
static uint32_t predicted_gift(const struct match *match)
{
    world_copy(&stepped, &ahead);
    world_step(&stepped, &match->map, match->inputs);
    for (uint32_t number = ahead.event_count; number != stepped.event_count; number++)
        if (stepped.events[number % EVENT_CAPACITY].kind == EVENT_OPEN)
            return stepped.events[number % EVENT_CAPACITY].detail;
    return MAP_GIFTS;
}

// Guesses what the chest has that the world is about to open.
static uint32_t guess_of(enum oracle oracle, const struct match *match, uint32_t chest)
{
    const struct map *map = &match->map;
    uint32_t state = ahead.random, seeded = ahead.rules.seed + ahead.rolls, likely = 0;
    for (uint32_t gift = 1; gift < MAP_GIFTS; gift++)
        if (weight_of(&map->chests[chest], gift) > weight_of(&map->chests[chest], likely))
            likely = gift;
    switch (oracle) {
    case ORACLE_STEPS:
        return predicted_gift(match);
    case ORACLE_RANDOM:
        return chest_draw(&map->chests[chest], random_next(&state));
    case ORACLE_SEED:
        return chest_draw(&map->chests[chest], random_next(&seeded));
    case ORACLE_LIKELY:
    case ORACLES:
        break;
    }
    return likely;
}

static void count(struct tally *tally, const struct match *match, const struct command *roll)
{
    const struct map *map = &match->map;
    double sum = 0, most = 0;
    for (uint32_t gift = 0; gift < MAP_GIFTS; gift++)
        sum += weight_of(&map->chests[roll->slot], gift);
    for (uint32_t gift = 0; gift < MAP_GIFTS; gift++) {
        double share = weight_of(&map->chests[roll->slot], gift) / sum;
        tally->shares[gift] += share;
        most = share > most ? share : most;
    }
    tally->rolls++;
    tally->gifts[roll->gift]++;
    tally->expected += most;
    tally->variance += most * (1 - most);
    for (enum oracle oracle = 0; oracle < ORACLES; oracle++)
        tally->hits[oracle] += guess_of(oracle, match, roll->slot) == roll->gift;
}

// Plays a match, and lets the oracles guess before each roll.
static struct tally play(const struct map *map, enum mode mode, uint32_t number)
{
    struct tally tally = {0};
    struct memory_network *network = memory_network_create(number, &(struct impairment){0}, MATCH_PEER_CAPACITY);
    struct match_config config = {.map = map,
                                  .rules = {.mode = mode, .seed = number, .bot_skill = SKILL_HARD},
                                  .players_max = BOTS,
                                  .bots = BOTS,
                                  .snapshot_rate = TICKS_PER_SECOND,
                                  .dice_key = {(uint8_t)number}};
    struct match *match = match_create(&config, memory_network_server(network));
    for (uint64_t i = 1; i <= TICKS; i++) {
        world_copy(&ahead, &match->world);
        match_tick(match, i * 1000000 / TICKS_PER_SECOND);
        const struct input_log_tick *done = &match->input_log.ticks[match->world.tick % INPUT_LOG_TICKS];
        for (uint32_t n = 0; n < done->command_count; n++) {
            if (done->commands[n].kind == COMMAND_ROLL)
                count(&tally, match, &done->commands[n]);
            assert_true(world_command(&ahead, map, &done->commands[n]));
        }
    }
    match_destroy(match);
    memory_network_destroy(network);
    return tally;
}

// More than one hit and three standard deviations above those of a guess without knowledge.
static bool is_knowledge(const struct tally *tally, uint32_t hits)
{
    double more = hits - tally->expected - 1;
    return more > 0 && more * more > 9 * tally->variance;
}

static void compare(const char *name, const struct tally *tally)
{
    print_message("%s: %u rolls, %.1f guessed without knowledge; oracles: %u %u %u %u\n", name, tally->rolls,
                  tally->expected, tally->hits[0], tally->hits[1], tally->hits[2], tally->hits[3]);
    assert_true(tally->rolls >= 20 && is_knowledge(tally, tally->rolls));
    for (enum oracle oracle = 0; oracle < ORACLES; oracle++)
        if (is_knowledge(tally, tally->hits[oracle]))
            fail_msg("%s: oracle %u knows %u of %u gifts", name, (unsigned)oracle, tally->hits[oracle], tally->rolls);
}

TEST(nobody_guesses_a_gift_better_than_by_its_weight)
{
    static const struct {
        const char *name; // of a shipped map; otherwise drawn
        uint32_t seed;
        int32_t columns, rows;
        enum mode mode;
    } rows[] = {
        /* 1 */ {.name = "foundry"},
        /* 2 */ {.name = "foundry", .mode = MODE_TEAMS},
        /* 3 */ {.name = "duel"},
        /* 4 */ {.name = "clockwork"},
        /* 5 */ {.name = "skyline"},
        /* 6 */ {.name = "colosseum"},
        /* 7 */ {.name = "breakout", .mode = MODE_BREAKOUT},
        /* 8 */ {.seed = 17, .columns = 56, .rows = 40},
        /* 9 */ {.seed = 29, .columns = 64, .rows = 40},
        /* 10 */ {.seed = 12, .columns = 48, .rows = 36},
        /* 11 */ {.seed = 47, .columns = 48, .rows = 30},
        /* 12 */ {.seed = 0}, // machines
    };
    static struct map map;
    double chi_square = 0;
    struct tally all = {0};
    for (uint32_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char path[512];
        struct error error;
        if (rows[i].name)
            assert_true(map_file_find(rows[i].name, path, sizeof path) && map_file_read(path, &map, &error));
        else if (rows[i].seed)
            test_map_random(&map, rows[i].seed, rows[i].columns, rows[i].rows);
        else
            test_map_machines(&map);
        struct tally tally = play(&map, rows[i].mode, i + 1);
        compare(map.name, &tally);
        for (uint32_t gift = 0; gift < MAP_GIFTS; gift++) {
            all.gifts[gift] += tally.gifts[gift];
            all.shares[gift] += tally.shares[gift];
        }
    }
    for (uint32_t gift = 0; gift < MAP_GIFTS; gift++)
        chi_square += (all.gifts[gift] - all.shares[gift]) * (all.gifts[gift] - all.shares[gift]) / all.shares[gift];
    assert_true(chi_square < 18.5); // four degrees of freedom: once in a thousand; the keys are fixed
}

// Of one client.
struct shown {
    tick lid_tick;            // when a lid was last up
    uint32_t opened, at_once; // own chests with a gift that was shown, and those of them with a lid that never went up
};

static void look(struct shown *shown)
{
    session_check(view.world->rolls == view.confirmed->rolls); // no gift is ever predicted
    for (uint32_t i = 0; i < view.event_count; i++) {
        const struct event *event = &view.events[i];
        if (event->kind != EVENT_OPEN || event->subject != view.slot)
            continue;
        shown->opened++;
        shown->at_once += shown->lid_tick < event->tick; // the view is ahead of what is confirmed
    }
    for (uint32_t i = 0; i < view.world->chest_count; i++)
        if (game_view_lid_is_up(&view, view.world, i))
            shown->lid_tick = view.world->tick;
}

TEST(a_client_shows_a_chest_as_opening_until_it_has_the_gift)
{
    struct impairment line = {.delay_us = 75000, .jitter_us = 10000, .loss_ppm = 50000};
    struct match_config config = {.rules = {.mode = MODE_FFA, .bot_skill = SKILL_HARD}};
    struct shown shown[PEOPLE] = {0};
    uint32_t opened = 0, at_once = 0;
    session_begin_match(4, "colosseum", &line, &config);
    for (uint32_t person = 0; person < PEOPLE; person++)
        session_join(person, false);
    for (uint32_t frame = 0; frame < 95 * 60; frame++) {
        session_run(1 / 60.0);
        for (uint32_t person = 0; person < PEOPLE; person++)
            if (client_view(session.clients[person], session_client_us(person), &view))
                look(&shown[person]);
    }
    for (uint32_t person = 0; person < PEOPLE; person++) {
        opened += shown[person].opened;
        at_once += shown[person].at_once;
    }
    print_message("%u chests opened, %u without a lid that goes up first\n", opened, at_once);
    session_check(opened >= 10 && at_once == 0);
}
