// SPDX-License-Identifier: MIT
//
// Tests tournaments as trees; system.tournament plays one.
#include "lifecycle/bracket.h"

#include <stdio.h>
#include <string.h>

#include "sync/player_name.h"
#include "test.h"

static struct bracket bracket, other;
static struct bracket_entrant entrants[BRACKET_CAPACITY];

static void begin(uint32_t count)
{
    memset(&bracket, 0, sizeof bracket);
    for (uint32_t i = 0; i < count; i++) {
        char name[16];
        snprintf(name, sizeof name, "P %u", i);
        entrants[i] = (struct bracket_entrant){.key.local = i % 4};
        memset(entrants[i].key.identity, (int)i / 4 + 1, IDENTITY_BYTES);
        player_name_from_text(entrants[i].name, name);
    }
    bracket_draw(&bracket, entrants, count);
}

static uint32_t seed_on(uint32_t side)
{
    return (uint32_t)(bracket_side(&bracket, bracket.pairing, side) - bracket.entrants);
}

static void decide_for(uint32_t side)
{
    bracket_decide(&bracket, side, (int32_t[2]){side == 0 ? 5 : 3, side == 1 ? 5 : -3});
}

// If the better one always wins, each round has the best that are left, and the best meets the worst of them.
TEST(the_seeding_decides_who_meets_when)
{
    for (uint32_t count = 2; count <= BRACKET_CAPACITY; count++) {
        uint32_t left = count, places = 2;
        begin(count);
        while (places < count)
            places *= 2;
        while (left > 1) {
            uint32_t matches = left - places / 2;
            for (uint32_t i = 0; i < matches; i++) {
                uint32_t first = seed_on(0), second = seed_on(1);
                assert_int_equal(first + second, places - 1);
                assert_true(first != second && first < left && second < left);
                decide_for(second < first);
            }
            left = places /= 2;
        }
        assert_int_equal(bracket.pairing, 0);
        assert_int_equal(bracket_winner(&bracket) - bracket.entrants, 0);
    }
}

TEST(one_match_less_than_players_decides_it)
{
    for (uint32_t count = 2; count <= BRACKET_CAPACITY; count++) {
        uint32_t played = 0, lost[BRACKET_CAPACITY] = {0};
        begin(count);
        for (; bracket.pairing != 0; played++) {
            uint32_t side = (played * 7 + count) % 3 == 0;
            lost[seed_on(!side)]++;
            decide_for(side);
        }
        assert_int_equal(played, count - 1);
        for (uint32_t i = 0; i < count; i++)
            assert_int_equal(lost[i], &bracket.entrants[i] != bracket_winner(&bracket));
    }
}

TEST(rounds_have_names)
{
    begin(5);
    assert_string_equal(bracket_round_name(bracket.pairing), "Quarter-final");
    assert_int_equal(seed_on(0) + seed_on(1), 7); // the fourth and the fifth; all others rest
    decide_for(1);
    assert_string_equal(bracket_round_name(bracket.pairing), "Semi-final");
    decide_for(0);
    decide_for(0);
    assert_string_equal(bracket_round_name(bracket.pairing), "Final");
    begin(32);
    assert_string_equal(bracket_round_name(bracket.pairing), "Round of 32");
}

TEST(only_the_two_of_the_pairing_may_play)
{
    begin(4);
    uint32_t playing = 0;
    for (uint32_t i = 0; i < 4; i++)
        playing += bracket_may_play(&bracket, &entrants[i].key);
    assert_int_equal(playing, 2);
    assert_false(bracket_may_play(&bracket, NULL));
    bracket_clear(&bracket);
    assert_true(bracket_may_play(&bracket, NULL));
    assert_true(bracket_may_play(&bracket, &entrants[0].key));
}

// Reads the lines of a text into `other`; returns how many were refused.
static uint32_t read_lines(const char *text, size_t byte_count)
{
    char copy[BRACKET_TEXT_BYTES + 1], *rest = copy, *line;
    uint32_t refused = 0;
    memcpy(copy, text, byte_count);
    copy[byte_count] = '\0';
    memset(&other, 0, sizeof other);
    while ((line = strsep(&rest, "\n")))
        refused += *line != '\0' && !bracket_read_line(&other, line);
    return refused;
}

TEST(a_tournament_outlives_its_server)
{
    static char text[BRACKET_TEXT_BYTES], again[BRACKET_TEXT_BYTES];
    assert_int_equal(bracket_write(&other, text), 0);
    for (uint32_t count = 2; count <= BRACKET_CAPACITY; count += 5) {
        begin(count);
        for (uint32_t decided = 0;; decided++) {
            bracket.match_is_over = decided % 2;
            size_t bytes = bracket_write(&bracket, text);
            assert_int_equal(read_lines(text, bytes), 0);
            assert_int_equal(other.pairing, bracket.pairing);
            assert_int_equal(other.match_is_over, bracket.match_is_over);
            assert_int_equal(bracket_write(&other, again), bytes);
            assert_memory_equal(again, text, bytes);
            if (bracket.pairing == 0)
                break;
            decide_for(decided % 2);
        }
    }
}

TEST(lines_that_no_server_writes_are_refused)
{
    static const char *const rows[] = {
        "entrant",
        "entrant 00 0 Ann",
        "entrant zz 0 Ann",
        "entrant 0101010101010101010101010101010101010101010101010101010101010101 4 Ann",
        "entrant 0101010101010101010101010101010101010101010101010101010101010101 -1 Ann",
        "entrant 010101010101010101010101010101010101010101010101010101010101010101 1 Ann",
        "pairing 1 0 5 3",
        "pairing 1 0",
        "match over",
        "match",
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        memset(&other, 0, sizeof other);
        assert_false(bracket_read_line(&other, rows[i]));
        assert_int_equal(other.entrant_count, 0);
    }
    static char text[BRACKET_TEXT_BYTES];
    begin(2);
    read_lines(text, bracket_write(&bracket, text));
    assert_false(bracket_read_line(&other, "pairing 1 2 5 3"));
    assert_false(bracket_read_line(&other, "pairing 2 0 5 3"));
    assert_false(bracket_read_line(&other, "pairing 0 0 5 3"));
    assert_true(bracket_read_line(&other, "pairing 1 1 3 5"));
    assert_false(bracket_read_line(&other, "pairing 1 1 3 5"));
}
