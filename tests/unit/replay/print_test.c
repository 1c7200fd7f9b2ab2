// SPDX-License-Identifier: MIT
//
// Tests the output of the replay tool, word for word, as text and as JSON.
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "replay/print.h"
#include "sync/player_name.h"
#include "sync/world.h"
#include "test.h"
#include "test_map.h"

static struct replay_reader reader;
static struct print_summary summary;
static struct world world;
static char text[8000];

static void begin(void)
{
    memset(&reader, 0, sizeof reader);
    memset(&summary, 0, sizeof summary);
    memset(&world, 0, sizeof world);
}

EACH_TEST(begin, NULL);

// Reads into `text` what the calls print.
#define PRINTED(...)                                                                                                   \
    do {                                                                                                               \
        FILE *file = tmpfile();                                                                                        \
        fflush(stdout);                                                                                                \
        int kept = dup(STDOUT_FILENO);                                                                                 \
        dup2(fileno(file), STDOUT_FILENO);                                                                             \
        __VA_ARGS__;                                                                                                   \
        fflush(stdout);                                                                                                \
        dup2(kept, STDOUT_FILENO);                                                                                     \
        close(kept);                                                                                                   \
        rewind(file);                                                                                                  \
        text[fread(text, 1, sizeof text - 1, file)] = 0;                                                               \
        fclose(file);                                                                                                  \
    } while (0)

static void add_name(const char *name)
{
    uint32_t words[PLAYER_NAME_BYTES / 4];
    player_name_from_text(words, name);
    print_summary_add(&summary, words);
}

static void fill(void)
{
    test_map_draw(&reader.map, TEST_MAP_HALL);
    reader.first.rules = (struct rules){.mode = MODE_TEAMS, .score_limit = 20, .time_limit_ticks = 7200, .seed = 9};
    reader.first.tick = 100;
    reader.index = (const uint8_t *)text;
    summary = (struct print_summary){.last_tick = 100 + 3723 * TICKS_PER_SECOND + 45,
                                     .players = 2,
                                     .joins = 3,
                                     .end = REPLAY_END,
                                     .proof = ROLL_CHECK_PROVEN};
    reader.has_commitment = true;
    reader.commitment[0] = 0xab;
    reader.commitment[REPLAY_DICE_BYTES - 1] = 0xcd;
    add_name("Ada");
    add_name("Zo\xc3\xab");
    add_name("Ada"); // a name is stored once
}

static void print(bool json)
{
    PRINTED(print_info(&reader, &summary, json));
}

TEST(a_replay_is_described_for_people)
{
    char expected[600];
    fill();
    print(false);
    snprintf(
        expected, sizeof expected,
        "map       test, 32 x 9 tiles, hash %016" PRIx64 "\n"
        "mode      teams, score limit 20, time limit 120 s, seed 9\n"
        "ticks     223425, from 100 to 223525\n"
        "duration  1:02:03\n"
        "players   2 at the start, 3 joined: Ada, Zo\xc3\xab\n"
        "dice      ab000000000000000000000000000000000000000000000000000000000000cd; it has their secret, so --verify "
        "checks each roll\n"
        "end       complete\n",
        map_hash(&reader.map));
    assert_string_equal(text, expected);
    reader.has_commitment = false;
    summary.proof = ROLL_CHECK_NO_DICE;
    print(false);
    assert_non_null(strstr(text, "dice      none; unproven: the replay has no commitment to the dice\n"));
}

TEST(a_replay_is_described_as_json)
{
    char expected[600];
    fill();
    print(true);
    snprintf(expected, sizeof expected,
             "{\"map\":\"test\",\"columns\":32,\"rows\":9,\"map_hash\":\"%016" PRIx64 "\",\"mode\":\"teams\","
             "\"score_limit\":20,\"time_limit_ticks\":7200,\"seed\":9,\"first_tick\":100,\"last_tick\":223525,"
             "\"duration_s\":3723.750,\"players\":2,\"joins\":3,\"names\":[\"Ada\",\"Zo\xc3\xab\"],"
             "\"dice\":\"ab000000000000000000000000000000000000000000000000000000000000cd\",\"dice_secret\":true,"
             "\"end\":\"complete\"}\n",
             map_hash(&reader.map));
    assert_string_equal(text, expected);
    summary.proof = ROLL_CHECK_FORGED;
    print(true);
    assert_non_null(strstr(text, "cd\",\"dice_secret\":false,"));
}

TEST(each_end_of_a_replay_has_its_word)
{
    static const struct {
        enum replay_fault end;
        bool index;
        const char *word;
    } rows[] = {{REPLAY_END, true, "complete"},
                {REPLAY_END, false, "without index"},
                {REPLAY_TORN, true, "torn"},
                {REPLAY_TORN, false, "torn"},
                {REPLAY_TORN + 1 == REPLAY_END ? REPLAY_TORN + 2 : REPLAY_TORN + 1, true, "damaged"}};
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        char expected[60];
        reader.index = rows[i].index ? (const uint8_t *)text : NULL;
        summary.end = rows[i].end;
        print(false);
        snprintf(expected, sizeof expected, "commitment to the dice\nend       %s\n", rows[i].word);
        assert_non_null(strstr(text, expected));
        print(true);
        snprintf(expected, sizeof expected, "\"names\":[],\"dice\":\"none\",\"dice_secret\":false,\"end\":\"%s\"}\n",
                 rows[i].word);
        assert_non_null(strstr(text, expected));
    }
}

TEST(names_cannot_control_the_terminal_or_break_json)
{
    static const struct {
        const char *name, *text, *json;
    } rows[] = {
        /* 1 */ {"a\"b\\c", "a\"b\\c", "a\\\"b\\\\c"},
        /* 2 */ {"\033[m\x7f~", "[m~", "[m~"},
        /* 3 */ {"\xc2\x9b|\xc2\xa0|\xe2\x80\xae", "| |", "| |"},
        /* 4 */ {"0123456789abcde\xc3", "0123456789abcde", "0123456789abcde"},
        /* 5 */ {"\xed\x9f\xbf|", "\xed\x9f\xbf|", "\xed\x9f\xbf|"},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        char expected[200];
        begin();
        add_name(rows[i].name);
        print(false);
        snprintf(expected, sizeof expected, "0 joined: %s\n", rows[i].text);
        if (!strstr(text, expected))
            fail_msg("row %zu: %s", i + 1, text);
        print(true);
        snprintf(expected, sizeof expected, "\"names\":[\"%s\"],", rows[i].json);
        if (!strstr(text, expected))
            fail_msg("row %zu: %s", i + 1, text);
    }
}

TEST(sixty_four_names_are_stored)
{
    for (uint32_t i = 0; i < 70; i++) {
        char name[12];
        snprintf(name, sizeof name, "p%u", i);
        add_name(name);
    }
    assert_int_equal(summary.names_count, 64);
    assert_memory_equal(summary.names[63], "p63", 4);
}

TEST(hashes_differences_and_results_are_lines)
{
    struct print_verification found = {1, 2, 3, 4, 6, 5, false, "unproven"};
    PRINTED(print_hash(12, 0xABC, false); print_hash(12, 0xABC, true); print_difference(7, "player 1 x: 2, 3", false);
            print_difference(7, "player 1 x: 2, 3", true); print_verified(&found, false); print_verified(&found, true));
    assert_string_equal(text, "12 0000000000000abc\n"
                              "{\"tick\":12,\"hash\":\"0000000000000abc\"}\n"
                              "tick 7: player 1 x: 2, 3\n"
                              "{\"tick\":7,\"difference\":\"player 1 x: 2, 3\"}\n"
                              "1 ticks, 2 hashes, 3 keyframes, 4 differences\n"
                              "6 rolls, 5 wrong; unproven\n"
                              "{\"ticks\":1,\"hashes\":2,\"keyframes\":3,\"differences\":4,"
                              "\"rolls\":6,\"wrong_rolls\":5,\"rolls_proven\":false}\n");
}

TEST(a_world_is_printed_without_its_zeros)
{
    char head[80], json_head[80];
    world.tick = 5;
    world.player_slots = 2;
    world.players[1].state = PLAYER_ALIVE;
    world.players[1].score = -3;
    world.players[1].stats.kills = UINT32_MAX;
    snprintf(head, sizeof head, "5 %016" PRIx64 "\n", world_hash(&world));
    snprintf(json_head, sizeof json_head, "{\"tick\":5,\"hash\":\"%016" PRIx64 "\"", world_hash(&world));
    PRINTED(print_world(&world, false));
    assert_memory_equal(text, head, strlen(head));
    assert_non_null(strstr(text, " 1 score -3\n"));
    assert_non_null(strstr(text, " 1 kills 4294967295\n")); // unsigned
    assert_null(strstr(text, " deaths "));
    assert_null(strstr(text, "players 0 "));
    PRINTED(print_world(&world, true));
    assert_memory_equal(text, json_head, strlen(json_head));
    assert_non_null(strstr(text, ":[{\"slot\":1,"));
    assert_non_null(strstr(text, ",\"score\":-3"));
    assert_non_null(strstr(text, ",\"kills\":4294967295"));
    assert_string_equal(text + strlen(text) - 3, "]}\n");
    world.players[0].score = 1; // two elements: a comma between them
    PRINTED(print_world(&world, true));
    assert_non_null(strstr(text, ":[{\"slot\":0,\"score\":1},{\"slot\":1,"));
}
