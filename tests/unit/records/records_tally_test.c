// SPDX-License-Identifier: MIT
#include <stdlib.h>
#include <string.h>

#include "records/records_tally.h"
#include "test.h"
#include "test_map.h"

#define SEATS 8

// A match with a world that the tests move by hand, and the resulting rows.
static struct match *match;
static struct records_tally tally;
static struct records_row rows[TALLY_ROWS_MAX];
static uint32_t row_count, sink_calls;

static void take(void *context, const struct records_row *more, uint32_t count)
{
    (void)context;
    memcpy(rows + row_count, more, count * sizeof *more);
    row_count += count;
    sink_calls++;
}

static void begin(void)
{
    static struct map map;
    test_map_random(&map, 4, 60, 40);
    match = match_create(
        &(struct match_config){
            .map = &map, .rules = {.mode = MODE_FFA, .seed = 7}, .players_max = SEATS, .snapshot_rate = 60},
        NULL);
    assert_non_null(match);
    memset(&tally, 0, sizeof tally);
    tally.sink = take;
    row_count = sink_calls = 0;
}

static void end(void)
{
    match_destroy(match);
}

EACH_TEST(begin, end);

static void show(void)
{
    struct command commands[SEATS];
    uint32_t count = roster_commands(&match->roster, commands, SEATS);
    for (uint32_t i = 0; i < count; i++)
        assert_true(world_command(&match->world, &match->map, &commands[i]));
}

// The player with this letter joins; returns the slot.
static uint32_t come(char letter)
{
    struct seat_key key = {.local = 0};
    uint32_t name[PLAYER_NAME_BYTES / 4] = {(uint32_t)letter};
    memset(key.identity, letter, sizeof key.identity);
    uint32_t slot = roster_reserve(&match->roster, &key, name, 0);
    assert_true(slot < SEATS);
    roster_enter(&match->roster, slot);
    show();
    match->world.players[slot].state = PLAYER_ALIVE;
    return slot;
}

static void go(uint32_t slot)
{
    roster_leave(&match->roster, slot, match->world.players);
    show();
}

static void look(uint32_t ticks)
{
    for (; ticks > 0; ticks--)
        records_tally_update(&tally, match);
}

static void enter(enum round_phase phase, uint32_t number)
{
    match->world.round.phase = phase;
    match->world.round.number = number;
    look(1);
}

// As the world does it: after a tick of warm-up all counts are reset, then a countdown, then play.
static void begin_match(void)
{
    look(1);
    for (uint32_t slot = 0; slot < SEATS; slot++) {
        struct player *player = &match->world.players[slot];
        player->score = 0;
        player->stats = (struct player_stats){0};
    }
    enter(ROUND_COUNTDOWN, 0);
    enter(ROUND_PLAYING, 0);
}

static const struct records_row *row_of(char letter)
{
    for (uint32_t i = 0; i < row_count; i++)
        if (rows[i].key.identity[0] == (uint8_t)letter)
            return &rows[i];
    fail_msg("no row of %c", letter);
    return NULL;
}

static void stats_are(const struct records_row *row, struct player_stats wanted)
{
    assert_memory_equal(&row->earned.stats, &wanted, sizeof wanted);
}

TEST(points_earned_in_play_count_once)
{
    static const struct player_stats first = {
        .kills = 2, .deaths = 1, .squishes = 1, .catches = 4, .shots = 9, .hits = 5};
    struct player *player = &match->world.players[come('a')];
    player->stats.kills = 3; // in warm-up
    look(9);
    begin_match();
    player->stats = first;
    look(TALLY_ROW_TICKS - 12);
    assert_int_equal(row_count, 1);
    stats_are(&rows[0], first);
    assert_int_equal(rows[0].earned.score, 0);
    assert_int_equal(rows[0].match_rows, 0);
    assert_int_equal(rows[0].played_ticks, TALLY_ROW_TICKS);
    assert_int_equal(rows[0].name[0], 'a');
    player->stats.kills = 7;
    look(TALLY_ROW_TICKS);
    assert_int_equal(row_count, 2);
    stats_are(&rows[1], (struct player_stats){.kills = 5});
    look(TALLY_ROW_TICKS); // without any points
    assert_int_equal(row_count, 3);
    stats_are(&rows[2], (struct player_stats){0});
    assert_int_equal(rows[2].played_ticks, TALLY_ROW_TICKS);
    player->state = PLAYER_SPECTATOR;
    look(TALLY_ROW_TICKS);
    assert_int_equal(row_count, 3);
}

TEST(a_player_who_leaves_keeps_their_counts)
{
    uint32_t slot = come('a');
    begin_match();
    match->world.players[slot].stats.kills = 4;
    look(5);
    go(slot);
    look(1);
    assert_int_equal(row_count, 1);
    assert_int_equal(rows[0].earned.stats.kills, 4);
    slot = come('a'); // with their record
    assert_int_equal(match->world.players[slot].stats.kills, 4);
    look(1);
    match->world.players[slot].stats.kills = 5;
    look(1);
    records_tally_flush(&tally);
    assert_int_equal(row_count, 2);
    assert_int_equal(rows[1].earned.stats.kills, 1);
    assert_int_equal(rows[1].played_ticks, 2);
}

TEST(another_player_in_the_same_seat_has_another_record)
{
    uint32_t slot = come('a');
    begin_match();
    match->world.players[slot].stats.kills = 4;
    look(1);
    go(slot);
    assert_int_equal(come('b'), slot);
    match->world.players[slot].stats.kills = 9; // as a player who returns with a record
    look(1);
    records_tally_flush(&tally);
    assert_int_equal(row_of('a')->earned.stats.kills, 4);
    assert_int_equal(row_of('b')->earned.stats.kills, 0);
}

TEST(a_match_counts_for_all_who_took_part)
{
    uint32_t first = come('a'), second = come('b'), leaver = come('l'), watcher = come('w');
    begin_match();
    match->world.players[leaver].stats.kills = 2;
    look(100);
    go(leaver);
    match->world.players[watcher].state = PLAYER_SPECTATOR;
    look(60);
    uint32_t late = come('z');
    look(10);
    row_count = sink_calls = 0;
    match->world.players[first].score = 7;
    match->world.players[second].score = 20;
    match->world.players[second].stats.kills = 6; // one in the deciding tick
    match->world.players[late].score = 3;
    match->world.round.winner = second + 1;
    enter(ROUND_MATCH_OVER, 0);
    assert_int_equal(sink_calls, 1);
    assert_int_equal(row_count, 4); // all except the late player
    assert_int_equal(rows[0].match_rows, 4);
    assert_int_equal(row_of('a')->earned.score, 7);
    assert_int_equal(row_of('b')->earned.score, 20);
    assert_int_equal(row_of('b')->earned.stats.kills, 6);
    assert_true(row_of('l')->left);
    assert_true(row_of('w')->left);
    assert_int_equal(row_of('b')->match_kills, 6);
    assert_int_equal(row_of('l')->match_kills, 2);
    assert_int_equal(row_of('b')->won, 1);
    assert_false(row_of('a')->left || row_of('b')->left);
    for (uint32_t i = 1; i < 4; i++)
        assert_int_equal(rows[i].match_rows, 0);
    assert_int_equal(row_of('a')->won + row_of('l')->won + row_of('w')->won, 0);
    match->world.players[second].stats.kills = 8; // on the scoreboard
    look(TALLY_ROW_TICKS);
    for (uint32_t i = 4; i < row_count; i++) {
        assert_int_equal(rows[i].match_rows, 0);
        assert_int_equal(rows[i].earned.stats.kills, 0);
    }
}

// Their team is the one in which they played last, wherever they are at the end.
TEST(a_player_who_left_a_team_is_in_it)
{
    uint32_t stays = come('a'), leaver = come('l'), watcher = come('w'), returner = come('r');
    uint32_t teams[SEATS] = {[0] = 0};
    teams[stays] = teams[returner] = 1, teams[leaver] = teams[watcher] = 2;
    for (uint32_t slot = 0; slot < 4; slot++)
        match->world.players[slot].team = teams[slot];
    begin_match();
    look(100);
    go(leaver);
    go(returner);
    match->world.players[watcher].state = PLAYER_SPECTATOR;
    match->world.players[watcher].team = 0;
    look(9);
    returner = come('r');
    match->world.players[returner].team = 1;
    look(1);
    go(returner);
    look(1);
    row_count = 0;
    enter(ROUND_MATCH_OVER, 0);
    assert_int_equal(rows[0].match_rows, 4);
    assert_int_equal(row_of('a')->earned.team, 1);
    assert_int_equal(row_of('l')->earned.team, 2);
    assert_int_equal(row_of('w')->earned.team, 2);
    assert_int_equal(row_of('r')->earned.team, 1);
    assert_true(row_of('l')->left && row_of('w')->left && row_of('r')->left && !row_of('a')->left);
}

TEST(a_returning_player_plays_the_same_match_once)
{
    come('a');
    uint32_t slot = come('b'), others[2] = {come('c'), come('d')};
    begin_match();
    look(100);
    go(others[0]);
    look(1);
    go(slot);
    look(1);
    go(others[1]);
    look(20);
    slot = come('b');
    look(10);
    row_count = 0;
    match->world.players[slot].score = 4;
    enter(ROUND_MATCH_OVER, 0);
    assert_int_equal(rows[0].match_rows, 4); // once each
    assert_int_equal(row_of('b')->earned.score, 4);
    assert_true(row_of('c')->left);
    assert_true(row_of('d')->left);
}

TEST(who_left_or_watches_is_not_in_the_next_match)
{
    come('a');
    uint32_t leaver = come('l'), watcher = come('w');
    begin_match();
    look(100);
    go(leaver);
    look(1);
    enter(ROUND_MATCH_OVER, 0);
    enter(ROUND_WARMUP, 0);
    match->world.players[watcher].state = PLAYER_SPECTATOR;
    begin_match();
    look(20);
    row_count = 0;
    enter(ROUND_MATCH_OVER, 0);
    assert_int_equal(row_count, 1);
    assert_int_equal(rows[0].match_rows, 1);
}

// Half of the match or one minute of it is enough; one tick less is not.
TEST(a_player_who_played_long_enough_took_part)
{
    static const struct {
        uint32_t before, played; // ticks of the match before and after they joined
        bool took_part;
    } cases[] = {
        /* 0 */ {100, 100, true}, // half
        /* 1 */ {100, 99, false},
        /* 2 */ {0, 1, true},
        /* 3 */ {10000, TALLY_PART_TICKS, true},
        /* 4 */ {10000, TALLY_PART_TICKS - 1, false},
        /* 5 */ {TALLY_PART_TICKS, TALLY_PART_TICKS - 1, false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        come('a');
        begin_match();
        look(cases[i].before);
        come('b');
        look(cases[i].played - 1); // the last is the tick that ends the match
        row_count = 0;
        enter(ROUND_MATCH_OVER, 0);
        if ((row_count == 2) != cases[i].took_part)
            fail_msg("row %zu: %u results", i, row_count);
        end();
        begin();
    }
}

// More players leave than the table can hold; none is counted twice, and the table stays in its bounds.
TEST(more_players_may_leave_than_the_table_holds)
{
    uint32_t stays = come('a');
    begin_match();
    for (uint32_t i = 0; i < DISCONNECTED_PLAYERS_CAPACITY + 5; i++) {
        struct seat_key key = {.local = i};
        uint32_t slot = roster_reserve(&match->roster, &key, (uint32_t[PLAYER_NAME_BYTES / 4]){'l'}, 0);
        roster_enter(&match->roster, slot);
        show();
        match->world.players[slot].state = PLAYER_ALIVE;
        look(TALLY_PART_TICKS / 10);
        tally.seated[slot].match_ticks = TALLY_PART_TICKS;
        row_count = 0;
        go(slot);
        look(1);
        assert_int_equal(row_count, 1);
    }
    row_count = 0;
    match->world.players[stays].score = 3;
    enter(ROUND_MATCH_OVER, 0);
    assert_int_equal(row_count, 1 + DISCONNECTED_PLAYERS_CAPACITY);
    assert_int_equal(rows[0].match_rows, 1 + DISCONNECTED_PLAYERS_CAPACITY);
}

TEST(the_rounds_of_a_match_count_as_one_match)
{
    uint32_t slot = come('a');
    begin_match();
    match->world.players[slot].stats.kills = 1;
    look(10);
    enter(ROUND_OVER, 0);
    match->world.players[slot].stats.kills = 2; // after the round
    look(5);
    enter(ROUND_COUNTDOWN, 1);
    enter(ROUND_PLAYING, 1);
    match->world.players[slot].stats.kills = 3;
    look(10);
    enter(ROUND_MATCH_OVER, 1);
    assert_int_equal(row_count, 1);
    assert_int_equal(rows[0].match_rows, 1);
    assert_int_equal(rows[0].earned.stats.kills, 2);
}

TEST(a_team_wins_and_loses_together)
{
    uint32_t red = come('r'), blue = come('b');
    match->world.players[red].team = 1;
    match->world.players[blue].team = 2;
    begin_match();
    look(10);
    match->world.players[red].score = 90; // the best player of the losing team
    match->world.round.team_scores[0] = 10;
    match->world.round.team_scores[1] = 20;
    match->world.round.winner_team = 2;
    enter(ROUND_MATCH_OVER, 0);
    assert_int_equal(row_of('r')->earned.score, 10);
    assert_int_equal(row_of('r')->earned.team, 1);
    assert_int_equal(row_of('r')->won, 0);
    assert_int_equal(row_of('b')->earned.score, 20);
    assert_int_equal(row_of('b')->won, 1);
}

TEST(bots_and_players_without_an_account_have_no_rows)
{
    uint32_t name[PLAYER_NAME_BYTES / 4] = {'x'};
    roster_enter(&match->roster, roster_reserve(&match->roster, NULL, name, 0));
    roster_fill(&match->roster, 4);
    show();
    begin_match();
    for (uint32_t slot = 0; slot < 4; slot++)
        match->world.players[slot].stats.kills = 5;
    look(10);
    enter(ROUND_MATCH_OVER, 0);
    records_tally_flush(&tally);
    assert_int_equal(row_count, 0);
    assert_int_equal(sink_calls, 0);
}

// Another map: a new world, with new ticks and counts and everybody in their seat.
TEST(a_new_world_takes_nothing_away)
{
    uint32_t slot = come('a');
    begin_match();
    match->world.players[slot].stats.kills = 6;
    look(10);
    world_init(&match->world, &match->map, &match->first_world.rules);
    match->roster.seats[slot].occupant_shown = 0;
    look(1); // nobody is shown
    assert_int_equal(row_of('a')->earned.stats.kills, 6);
    show();
    match->world.players[slot].state = PLAYER_ALIVE;
    begin_match();
    match->world.players[slot].stats.kills = 1;
    look(1);
    row_count = 0;
    records_tally_flush(&tally);
    assert_int_equal(row_of('a')->earned.stats.kills, 1);
}
