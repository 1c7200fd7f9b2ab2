// SPDX-License-Identifier: MIT
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app/config/statistics.h"
#include "base/file.h"
#include "test.h"
#include "test_folder.h"

#define OWN   1
#define OTHER 2

static char path[64];
static struct statistics statistics, again;
static struct statistics_match match;
static struct world world;
static struct map map;
static struct view view;

// A match of three players in its warm-up.
static void start(void)
{
    memset(&statistics, 0, sizeof statistics);
    memset(&match, 0, sizeof match);
    memset(&world, 0, sizeof world);
    snprintf(map.name, sizeof map.name, "duel");
    world.tick = 500;
    world.player_slots = 3;
    for (uint32_t slot = 0; slot < 3; slot++)
        world.players[slot] = (struct player){.state = PLAYER_ALIVE, .generation = slot + 1};
    view = (struct view){.map = &map, .world = &world, .confirmed = &world, .slot = OWN};
}

static bool count(void)
{
    bool ended = statistics_count(&statistics, &match, &view);
    view.event_count = 0;
    return ended;
}

static void happen(enum event_kind kind, uint32_t subject, uint32_t other, uint32_t detail)
{
    view.events[view.event_count++] = (struct event){
        .kind = (uint32_t)kind, .tick = world.tick, .subject = subject, .other = other, .detail = detail};
}

static bool enter(enum round_phase phase, uint32_t winner)
{
    world.tick++;
    world.round.phase = (uint32_t)phase;
    world.round.since_tick = world.tick;
    world.round.winner = winner;
    happen(EVENT_ROUND, winner ? winner - 1 : EVENT_NOBODY, EVENT_NOBODY, (uint32_t)phase);
    return count();
}

static void pass(uint32_t ticks)
{
    world.tick += ticks;
    count();
}

// A kill, with the counters as the rules would have them.
static void kill(uint32_t killer, uint32_t victim, enum death_cause cause)
{
    world.tick++;
    world.players[victim].stats.deaths++;
    if (killer < PLAYER_CAPACITY && killer != victim)
        world.players[killer].stats.kills++;
    happen(EVENT_KILL, victim, killer, (uint32_t)cause);
    count();
}

static void begin_match(void)
{
    for (uint32_t slot = 0; slot < 3; slot++)
        world.players[slot].stats = (struct player_stats){0};
    enter(ROUND_COUNTDOWN, 0);
    pass(120);
    enter(ROUND_PLAYING, 0);
}

static void make_folder(void)
{
    test_folder_make();
    snprintf(path, sizeof path, "%s", test_folder_path("statistics"));
}

ALL_TESTS(make_folder, test_folder_remove);

TEST(a_match_counts_from_its_begin_to_its_end)
{
    start();
    count();
    world.players[OWN].stats = (struct player_stats){.kills = 7, .shots = 9}; // while warming up
    pass(100);
    begin_match();
    assert_int_equal(statistics.kills + statistics.shots + statistics.played_ticks, 0);
    pass(100);
    kill(OWN, OTHER, DEATH_ARROW);
    kill(OWN, 0, DEATH_SQUISH);
    kill(OWN, OTHER, DEATH_STOMP);
    kill(OTHER, OWN, DEATH_STOMP);
    kill(OWN, 0, DEATH_ARROW);
    kill(EVENT_NOBODY, OWN, DEATH_HAZARD);
    kill(OWN, OWN, DEATH_BOMB);
    world.players[OWN].stats.shots = 10;
    world.players[OWN].stats.hits = 4;
    world.players[OWN].stats.catches = 2;
    world.players[OWN].stats.squishes = 1;
    pass(50);
    assert_true(enter(ROUND_MATCH_OVER, OWN + 1));
    world.tick++; // what happens after the end does not count
    happen(EVENT_KILL, OWN, OTHER, DEATH_ARROW);
    assert_false(count());
    pass(400);
    assert_int_equal(statistics.matches, 1);
    assert_int_equal(statistics.matches_won, 1);
    assert_int_equal(statistics.kills, 4);
    assert_int_equal(statistics.deaths, 3);
    assert_int_equal(statistics.streak_best, 3);
    assert_int_equal(statistics.deaths_by[DEATH_STOMP], 1);
    assert_int_equal(statistics.deaths_by[DEATH_HAZARD], 1);
    assert_int_equal(statistics.deaths_by[DEATH_BOMB], 1);
    assert_int_equal(statistics.deaths_by[DEATH_ARROW], 0);
    assert_int_equal(statistics.shots, 10);
    assert_int_equal(statistics.hits, 4);
    assert_int_equal(statistics.catches, 2);
    assert_int_equal(statistics.squishes, 1);
    assert_int_equal(statistics.played_ticks, 100 + 7 + 50 + 1);
    assert_int_equal(statistics.awards[AWARD_KILLS], 1);
    assert_int_equal(statistics.awards[AWARD_CATCHES], 1);
    enter(ROUND_WARMUP, 0);
    begin_match(); // counters begin again
    pass(10);
    assert_false(enter(ROUND_OVER, OWN + 1));
    pass(100);
    enter(ROUND_COUNTDOWN, 0);
    enter(ROUND_PLAYING, 0);
    pass(20);
    assert_true(enter(ROUND_MATCH_OVER, OTHER + 1));
    assert_int_equal(statistics.matches, 2);
    assert_int_equal(statistics.matches_won, 1);
    assert_int_equal(statistics.rounds_won, 1);
    assert_int_equal(statistics.kills, 4);
    assert_int_equal(statistics.played_ticks, 158 + 11 + 21);
    char name[40];
    assert_int_equal(statistics_favourite_map(&statistics, name, sizeof name), 2);
    assert_string_equal(name, "duel");
}

TEST(who_comes_back_brings_nothing_and_pauses_take_no_time)
{
    start();
    world.round.phase = ROUND_PLAYING;
    world.round.since_tick = 100;
    world.players[OWN].stats = (struct player_stats){.kills = 5, .deaths = 2, .shots = 20}; // of before
    count();
    assert_int_equal(statistics.kills + statistics.deaths + statistics.shots + statistics.played_ticks, 0);
    pass(30);
    world.round.paused_ticks += 40;
    pass(60);
    assert_int_equal(statistics.played_ticks, 50);
    world.players[OWN].generation = 9; // a new body, with a record
    world.players[OWN].stats.kills = 50;
    pass(10);
    assert_int_equal(statistics.kills, 0);
    world.players[OWN].stats.kills = 2; // the begin of a match was not seen
    pass(1);
    assert_int_equal(statistics.kills, 2);
    world.players[OWN].state = PLAYER_SPECTATOR;
    world.players[OWN].stats.kills = 8;
    happen(EVENT_ROUND, OTHER, EVENT_NOBODY, ROUND_MATCH_OVER);
    assert_false(count());
    view.slot = PLAYER_CAPACITY;
    assert_false(count());
    assert_int_equal(statistics.matches, 0);
    assert_int_equal(statistics.kills, 2);
}

TEST(a_team_wins_together)
{
    start();
    world.rules.mode = MODE_TEAMS;
    world.players[OWN].team = 2;
    count();
    begin_match();
    world.round.winner_team = 2;
    assert_true(enter(ROUND_MATCH_OVER, 0));
    world.round.winner_team = 0;
    enter(ROUND_WARMUP, 0);
    begin_match();
    world.players[OWN].team = 0;
    enter(ROUND_MATCH_OVER, 0); // a draw
    assert_int_equal(statistics.matches, 2);
    assert_int_equal(statistics.matches_won, 1);
}

TEST(the_file_keeps_all_figures)
{
    struct error error;
    unlink(path);
    memset(&again, 0x55, sizeof again);
    assert_true(statistics_read(&again, path, &error)); // none yet
    assert_int_equal(again.matches, 0);
    start();
    count();
    for (int i = 0; i < OPTION_LIST_CAPACITY + 5; i++) { // more maps than a list holds
        begin_match();
        kill(OTHER, OWN, DEATH_BALL);
        snprintf(map.name, sizeof map.name, "map:%d", i / 2);
        enter(ROUND_MATCH_OVER, OWN + 1);
        enter(ROUND_WARMUP, 0);
    }
    snprintf(map.name, sizeof map.name, "no, list");
    begin_match();
    enter(ROUND_MATCH_OVER, OWN + 1);
    assert_true(statistics_write(&statistics, path, &error));
    assert_true(statistics_read(&again, path, &error));
    assert_int_equal(again.matches, OPTION_LIST_CAPACITY + 6);
    assert_int_equal(again.deaths_by[DEATH_BALL], OPTION_LIST_CAPACITY + 5);
    assert_int_equal(again.maps.count, (OPTION_LIST_CAPACITY + 6) / 2);
    assert_string_equal(again.maps.values[0], "map:0:2");
    assert_memory_equal(again.awards, statistics.awards, sizeof again.awards);
    assert_false(statistics_write(&statistics, "/proc/none/statistics", &error));
    assert_non_null(strstr(error.text, "/proc/none/statistics"));
    assert_true(statistics_write(&statistics, "", &error));
}

static void play_on(const char *name)
{
    snprintf(map.name, sizeof map.name, "%.*s", (int)sizeof map.name - 1, name);
    begin_match();
    enter(ROUND_MATCH_OVER, OWN + 1);
    enter(ROUND_WARMUP, 0);
}

TEST(of_two_favourite_maps_the_one_played_first_stays)
{
    static const struct {
        const char *played[5], *favourite;
        uint32_t matches;
    } rows[] = {
        /* 1 */ {{"duel", "foundry"}, "duel", 1},
        /* 2 */ {{"duel", "foundry", "foundry"}, "foundry", 2},
        /* 3 */ {{"duel", "foundry", "foundry", "duel"}, "duel", 2},
    };
    char name[40];
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        start();
        count();
        for (uint32_t n = 0; rows[i].played[n]; n++)
            play_on(rows[i].played[n]);
        uint32_t matches = statistics_favourite_map(&statistics, name, sizeof name);
        if (matches != rows[i].matches || strcmp(name, rows[i].favourite) != 0)
            fail_msg("row %zu: %s, %u", i + 1, name, matches);
    }
}

TEST(a_map_for_which_there_is_no_room_is_not_listed_and_the_others_count_on)
{
    struct error error;
    char name[40];
    start();
    count();
    for (int i = 0; i <= OPTION_LIST_CAPACITY; i++) {
        snprintf(name, sizeof name, "map%d", i);
        play_on(name);
    }
    assert_int_equal(statistics.maps.count, OPTION_LIST_CAPACITY);
    snprintf(name, sizeof name, "map%d", OPTION_LIST_CAPACITY - 1); // the last that is listed
    play_on(name);
    assert_int_equal(statistics.matches, OPTION_LIST_CAPACITY + 2);
    assert_true(statistics_write(&statistics, path, &error));
    assert_true(statistics_read(&again, path, &error));
    assert_int_equal(again.maps.count, OPTION_LIST_CAPACITY);
    char favourite[40];
    assert_int_equal(statistics_favourite_map(&again, favourite, sizeof favourite), 2);
    assert_string_equal(favourite, name);
}

TEST(the_matches_of_a_map_end_at_a_number_that_can_be_read_again)
{
    static const char almost[] = "maps = duel:999999999\n";
    struct error error;
    char name[40];
    start();
    count();
    assert_true(file_write(path, almost, strlen(almost)));
    assert_true(statistics_read(&statistics, path, &error));
    for (uint32_t i = 0; i < 3; i++) {
        play_on("duel");
        assert_int_equal(statistics_favourite_map(&statistics, name, sizeof name), 1000000000);
    }
    assert_true(statistics_write(&statistics, path, &error));
    assert_true(statistics_read(&again, path, &error));
}

TEST(a_bad_file_is_an_error_and_counts_for_nothing)
{
    static const struct {
        const char *text, *says;
    } rows[] = {
        /* 1 */ {"matches = -1\n", "matches"},
        /* 2 */ {"matches = 99999999999999999999\n", "matches"},
        /* 3 */ {"kills = many\n", "kills"},
        /* 4 */ {"nonsense = 1\n", "nonsense"},
        /* 5 */ {"matches = 3\nmaps = duel\n", "NAME:MATCHES"},
        /* 6 */ {"maps = duel:0\n", "NAME:MATCHES"},
        /* 7 */ {"maps = duel:4x\n", "NAME:MATCHES"},
        /* 8 */ {"maps = duel:-4\n", "NAME:MATCHES"},
        /* 9 */ {"maps = :4\n", "NAME:MATCHES"},
        /* 10 */ {"maps = duel:99999999999\n", "NAME:MATCHES"},
        /* 11 */ {"\377\376\001", ":1:"},
        /* 12 */ {"maps = duel:1000000001\n", "NAME:MATCHES"},
    };
    struct error error;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        assert_true(file_write(path, rows[i].text, strlen(rows[i].text)));
        if (statistics_read(&again, path, &error) || !strstr(error.text, rows[i].says) ||
            !strstr(error.text, "cannot be read") || again.matches || again.maps.count)
            fail_msg("row %zu: %s", i + 1, error.text);
    }
    unlink(path);
    assert_int_equal(mkdir(path, 0700), 0);
    assert_false(statistics_read(&again, path, &error));
    assert_int_equal(rmdir(path), 0);
}
