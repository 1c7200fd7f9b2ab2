// SPDX-License-Identifier: MIT
//
// Pins what bots press: bots of every skill play on every map, and their inputs must have the recorded hash. A
// deliberate change of their behaviour renews them (tests/tools/renew.sh); a refactoring must not change any.
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "figures.h"
#include "game/ai/ai.h"
#include "game/ai/nav_graph_build.h"
#include "game/map/tiled/map_file.h"
#include "game/rules/mode.h"
#include "game/tuning.h"
#include "sync/game.h"
#include "sync/world.h"
#include "test.h"
#include "test_map.h"

#define FIGURES SOURCE_ROOT "/tests/unit/ai/ai_play.figures"

enum { BOTS = 8, PARTS = 4, PART_TICKS = 1500 };

static struct map map;
static struct nav_graph graph;
static struct world world;

static void join_all(enum mode mode)
{
    for (uint32_t slot = 0; slot < BOTS; slot++)
        world_command(&world, &map,
                      &(struct command){.kind = COMMAND_JOIN,
                                        .slot = slot,
                                        .bot = 1,
                                        .team = mode == MODE_TEAMS || mode == MODE_BREAKOUT ? 1 + slot % 2 : 0});
}

// Steps the world with bots of the skills from `worst` up, and returns the hash of their inputs and of those before.
static uint32_t step(bool has_graph, enum skill worst, uint32_t ticks, uint32_t hash)
{
    static struct player_input inputs[PLAYER_CAPACITY];
    for (uint32_t i = 0; i < ticks; i++) {
        for (uint32_t slot = 0; slot < BOTS; slot++) {
            enum skill skill = (enum skill)(worst + slot / 2 % (SKILLS - worst));
            inputs[slot] = ai_think(&world, &map, has_graph ? &graph : NULL, slot, skill);
            hash = (hash ^ inputs[slot].buttons) * 16777619u;
        }
        game_roll(&world, &map, NULL, NULL, NULL);
        world_step(&world, &map, inputs);
    }
    return hash;
}

// The hash of all inputs until the end of each part.
static void play(enum mode mode, bool has_graph, uint32_t part_ticks, uint32_t hashes[PARTS])
{
    uint32_t hash = 2166136261u;
    world_init(&world, &map, &(struct rules){.mode = mode, .seed = 5});
    join_all(mode);
    for (uint32_t part = 0; part < PARTS; part++)
        hashes[part] = hash = step(has_graph, SKILL_EASY, part_ticks, hash);
}

TEST(bots_press_the_recorded_buttons)
{
    static const struct {
        const char *name;
        enum mode mode;
        bool has_graph;
    } rows[] = {
        {"foundry", MODE_FFA, true},       {"foundry", MODE_TEAMS, false}, {"duel", MODE_LMS, true},
        {"clockwork", MODE_FFA, true},     {"skyline", MODE_FFA, true},    {"colosseum", MODE_TEAMS, true},
        {"breakout", MODE_BREAKOUT, true},
    };
    bool same = true;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char path[300], figure[64];
        struct error error;
        uint32_t hashes[PARTS];
        snprintf(path, sizeof path, SOURCE_ROOT "/shared/maps/%s.tmj", rows[i].name);
        if (!map_file_read(path, &map, &error))
            fail_msg("%s", error.text);
        nav_graph_build(&graph, &map);
        play(rows[i].mode, rows[i].has_graph, PART_TICKS, hashes);
        snprintf(figure, sizeof figure, "play-%s-%s%s", rows[i].name, mode_name(rows[i].mode),
                 rows[i].has_graph ? "" : "-without-graph");
        same &= figures_are_kept(FIGURES, figure, "%08" PRIx32 " %08" PRIx32 " %08" PRIx32 " %08" PRIx32, hashes[0],
                                 hashes[1], hashes[2], hashes[3]);
    }
    assert_true(same);
}

// Covers cells, edges and costs; the fields that only help to build the graph are left out.
static uint32_t graph_hash(void)
{
    uint32_t hash = 2166136261u;
    for (size_t i = 0; i < offsetof(struct nav_graph, incoming_firsts); i++)
        hash = (hash ^ ((const uint8_t *)&graph)[i]) * 16777619u;
    return hash;
}

TEST(navigation_graphs_equal_the_recorded_ones)
{
    static const char *const names[] = {"foundry", "duel", "clockwork", "skyline", "colosseum", "breakout"};
    bool same = true;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char path[300], figure[64];
        struct error error;
        snprintf(path, sizeof path, SOURCE_ROOT "/shared/maps/%s.tmj", names[i]);
        if (!map_file_read(path, &map, &error))
            fail_msg("%s", error.text);
        memset(&graph, 0, sizeof graph);
        nav_graph_build(&graph, &map);
        snprintf(figure, sizeof figure, "graph-%s", names[i]);
        same &= figures_are_kept(FIGURES, figure, "%08" PRIx32, graph_hash());
    }
    assert_true(same);
}

TEST(bots_on_random_maps_press_the_recorded_buttons)
{
    enum { MAPS = 24, MAP_TICKS = 150 };
    uint32_t hash = 2166136261u;
    for (uint32_t seed = 1; seed <= MAPS; seed++) {
        uint32_t hashes[PARTS];
        test_map_random(&map, seed, 40, 30);
        memset(&graph, 0, sizeof graph);
        nav_graph_build(&graph, &map);
        hash = (hash ^ graph_hash()) * 16777619u;
        play(seed % 3 ? MODE_FFA : MODE_LMS, true, MAP_TICKS, hashes);
        hash = (hash ^ hashes[PARTS - 1]) * 16777619u;
    }
    assert_true(figures_are_kept(FIGURES, "random-maps", "%08" PRIx32, hash));
}

// What a match has seldom: walls at ceiling and floor, levers and doors, sudden death, bots without a graph or without
// skill.
TEST(bots_press_the_recorded_buttons_in_rare_situations)
{
    enum { TICKS = 1200 };
    static const struct {
        void (*draw)(struct map *map);
        enum mode mode;
        bool has_graph;
        enum skill worst;
        uint32_t sudden_death_ticks; ///< at the beginning
    } rows[] = {
        /* 1 */ {test_map_upright_court, MODE_BREAKOUT, true, SKILL_EASY, 0},
        /* 2 */ {test_map_upright_court, MODE_BREAKOUT, false, SKILL_NORMAL, 0},
        /* 3 */ {test_map_court, MODE_BREAKOUT, false, SKILL_EASY, 0},
        /* 4 */ {test_map_machines, MODE_FFA, true, SKILL_EASY, 0},
        /* 5 */ {test_map_machines, MODE_TEAMS, false, SKILL_NORMAL, 0},
        /* 6 */ {test_map_machines, MODE_LMS, true, SKILL_EASY, 1},
        /* 7 */ {test_map_court, MODE_LMS, false, SKILL_NORMAL, 300},
        /* 8 */ {test_map_court, MODE_FFA, true, SKILL_IDLE, 0},
    };
    bool same = true;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        rows[i].draw(&map);
        nav_graph_build(&graph, &map);
        world_init(&world, &map, &(struct rules){.mode = rows[i].mode, .seed = 5});
        join_all(rows[i].mode);
        uint32_t hash = 2166136261u;
        if (rows[i].sudden_death_ticks > 0) {
            hash = step(rows[i].has_graph, rows[i].worst, 400, hash); // the countdown
            world.round.sudden_death_ticks = rows[i].sudden_death_ticks;
        }
        hash = step(rows[i].has_graph, rows[i].worst, TICKS, hash);
        char figure[16];
        snprintf(figure, sizeof figure, "rare-%zu", i + 1);
        same &= figures_are_kept(FIGURES, figure, "%08" PRIx32, hash);
    }
    assert_true(same);
}

// Returns the cell that the first edges of shortest paths lead to, one after the other, until one is in the region of
// `to`.
static uint16_t follow_path(uint16_t from, uint16_t to)
{
    uint16_t cell = from;
    for (uint32_t steps = 0; steps < NAV_CELL_CAPACITY && graph.regions[cell] != graph.regions[to]; steps++) {
        const struct nav_edge *edge = nav_graph_next(&graph, cell, to);
        if (edge == NULL)
            break;
        assert_true(nav_graph_cost(&graph, edge->to, to) < nav_graph_cost(&graph, cell, to));
        cell = edge->to;
    }
    return cell;
}

// Costs of all pairs of regions do not fit for a large map, so its regions are larger.
TEST(paths_of_a_large_map_lead_to_the_region_of_their_end)
{
    test_map_random(&map, 3, 160, 120);
    nav_graph_build(&graph, &map);
    uint32_t paths = 0;
    for (uint32_t from = 0; from < graph.cell_count; from += 97)
        for (uint32_t to = 0; to < graph.cell_count; to += 101) {
            if (nav_graph_cost(&graph, (uint16_t)from, (uint16_t)to) == NAV_COST_FAR)
                continue;
            uint16_t end = follow_path((uint16_t)from, (uint16_t)to);
            assert_int_equal(graph.regions[end], graph.regions[to]);
            paths++;
        }
    print_message("%u cells, %u regions of %d tiles, %u paths\n", graph.cell_count, graph.region_count,
                  graph.region_edge, paths);
    assert_true(paths > 100 && graph.region_edge > 4);
    assert_true(figures_are_kept(FIGURES, "large-map", "%08" PRIx32, graph_hash()));
}

static bool is_untouched(const void *from, const void *end)
{
    for (const uint8_t *byte = from; byte < (const uint8_t *)end; byte++)
        if (*byte != 0xA5)
            return false;
    return true;
}

// So a fresh graph of 3.5 MB takes 400 KB, and one that had another map before is as good.
TEST(a_graph_is_written_only_where_its_map_needs_it)
{
    static struct nav_graph used;
    struct error error;
    assert_true(map_file_read(SOURCE_ROOT "/shared/maps/duel.tmj", &map, &error));
    memset(&graph, 0, sizeof graph);
    nav_graph_build(&graph, &map);
    memset(&used, 0xA5, sizeof used);
    nav_graph_build(&used, &map);
    uint32_t cells = used.cell_count, edges = used.edge_count, costs = used.region_count * cells;
    assert_true(is_untouched(used.edges + edges, used.edges + NAV_EDGE_CAPACITY));
    assert_true(is_untouched(used.costs + costs, used.costs + NAV_COST_CAPACITY));
    assert_true(is_untouched(used.incoming + edges, used.incoming + NAV_EDGE_CAPACITY));
    assert_int_equal(graph.region_count, used.region_count);
    assert_memory_equal(graph.cells, used.cells, sizeof used.cells);
    assert_memory_equal(graph.edge_firsts, used.edge_firsts, (cells + 1) * sizeof *used.edge_firsts);
    assert_memory_equal(graph.edges, used.edges, edges * sizeof *used.edges);
    assert_memory_equal(graph.costs, used.costs, costs * sizeof *used.costs);
}
