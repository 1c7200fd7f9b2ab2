// SPDX-License-Identifier: MIT
//
// Tests the scoreboard in a terminal, line by line.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "load/load_game.h"
#include "sync/player_name.h"
#include "test.h"

static struct world world;
static struct map map;

static void begin(void)
{
    memset(&world, 0, sizeof world);
    strcpy(map.name, "foundry");
}

EACH_TEST(begin, NULL);

static void put(uint32_t slot, const char *name, enum player_state player_state, int32_t score, uint32_t kills,
                uint32_t deaths)
{
    struct player *player = &world.players[slot];
    player_name_from_text(player->name, name);
    player->state = player_state;
    player->score = score;
    player->stats.kills = kills;
    player->stats.deaths = deaths;
    if (slot >= world.player_slots)
        world.player_slots = slot + 1;
}

static void expect(bool redraw, const char *expected)
{
    char *text;
    size_t size;
    FILE *file = open_memstream(&text, &size);
    load_game_print_scores(&world, &map, redraw, file);
    fclose(file);
    assert_string_equal(text, expected);
    free(text);
}

TEST(players_are_sorted_by_score_then_kills_then_slot)
{
    world.tick = (61 * 60 + 5) * TICKS_PER_SECOND + TICKS_PER_SECOND - 1;
    put(0, "low", PLAYER_ALIVE, -2, 0, 12);
    put(1, "second", PLAYER_ALIVE, 7, 3, 1);
    put(2, "third", PLAYER_ALIVE, 7, 3, 0);
    put(3, "first", PLAYER_DEAD, 7, 4, 9);
    put(4, "best", PLAYER_ALIVE, 8, 0, 0);
    expect(false, "foundry, 5 players, 61:05, warm-up\n"
                  "  name              score  kills deaths\n"
                  "  best                  8      0      0\n"
                  "x first                 7      4      9\n"
                  "  second                7      3      1\n"
                  "  third                 7      3      0\n"
                  "  low                  -2      0     12\n");
}

TEST(players_who_are_not_in_the_match_are_omitted)
{
    put(0, "absent", PLAYER_ABSENT, 9, 0, 0);
    put(1, "here", PLAYER_ALIVE, 1, 0, 0);
    put(5, "beyond", PLAYER_ALIVE, 5, 0, 0);
    world.player_slots = 5;
    expect(false, "foundry, 1 players, 0:00, warm-up\n"
                  "  name              score  kills deaths\n"
                  "  here                  1      0      0\n");
}

TEST(on_a_terminal_a_table_replaces_the_previous_one)
{
    expect(true, "\033[H\033[2Jfoundry, 0 players, 0:00, warm-up\n"
                 "  name              score  kills deaths\n");
}

TEST(names_are_aligned_and_cannot_control_the_terminal)
{
    put(0,
        "a\033b\x7f"
        "c",
        PLAYER_ALIVE, 3, 0, 0);
    put(1, "gr\xc3\xbc\xc3\x9f", PLAYER_ALIVE, 2, 0, 0);
    put(2, "0123456789abcdef", PLAYER_ALIVE, 1, 0, 0);
    expect(false, "foundry, 3 players, 0:00, warm-up\n"
                  "  name              score  kills deaths\n"
                  "  abc                   3      0      0\n"
                  "  gr\xc3\xbc\xc3\x9f                  2      0      0\n"
                  "  0123456789abcdef      1      0      0\n");
}

TEST(sixteen_players_are_listed_and_the_others_counted)
{
    for (uint32_t count = 16; count <= 18; count++) {
        char expected[2000], name[12];
        begin();
        size_t used = (size_t)snprintf(expected, sizeof expected,
                                       "foundry, %u players, 0:00, warm-up\n"
                                       "  name              score  kills deaths\n",
                                       count);
        for (uint32_t slot = 0; slot < count; slot++) {
            snprintf(name, sizeof name, "p%02u", slot);
            put(slot, name, PLAYER_ALIVE, 0, 0, 0);
            if (slot < 16)
                used += (size_t)snprintf(expected + used, sizeof expected - used,
                                         "  %s                   0      0      0\n", name);
        }
        if (count > 16)
            snprintf(expected + used, sizeof expected - used, "  and %u more\n", count - 16);
        expect(false, expected);
    }
}
