// SPDX-License-Identifier: MIT
// Tests bots: thinking has no side effects, they react to what is near, and a higher skill wins.
#include <string.h>

#include "game/ai/ai.h"
#include "game/ai/nav_graph_build.h"
#include "game/tuning.h"
#include "test.h"
#include "test_map.h"
#include "test_match.h"
#include "tournament.h"

static struct test_match match;
static struct world before;
static struct nav_graph graph;

static const char *const HALL[] = {"################################", "#..............................#",
                                   "#..............................#", "#..............................#",
                                   "#..............................#", "#..............................#",
                                   "#..............................#", "#...S......................S...#",
                                   "################################", NULL};

static void in_hall(void)
{
    test_match_draw(&match, HALL);
    test_match_start(&match);
}

// An arrow that sticks in something with its middle at x, y px.
static void put_arrow(uint32_t slot, int32_t x, int32_t y)
{
    match.world.arrows[slot] = (struct arrow){.state = ARROW_STUCK, .since_tick = match.world.tick - 100};
    match.world.actors[PLAYER_CAPACITY + slot] =
        (struct df_actor){.x = x - 2, .y = y - 2, .w = 4, .h = 4, .ride = DF_RIDE_NEVER, .flags = DF_ACTOR_ALIVE};
    match.world.arrow_slots = slot + 1;
}

// A tick in which slot 0 is a bot. Without a graph: NULL.
static void play(const struct nav_graph *its_graph, enum skill skill)
{
    match.inputs[0] = ai_think(&match.world, &match.map, its_graph, 0, skill);
    test_match_step(&match, 1);
}

TEST(skills_have_names)
{
    static const char *const names[] = {"idle", "random", "easy", "normal", "hard", "unknown"};
    for (uint32_t skill = 0; skill <= SKILLS; skill++)
        assert_string_equal(ai_skill_name((enum skill)skill), names[skill]);
}

TEST(thinking_changes_nothing_and_is_deterministic)
{
    in_hall();
    test_match_put(&match, 0, 40, 64);
    test_match_put(&match, 1, 200, 64);
    for (uint32_t i = 0; i < 200; i++) {
        before = match.world;
        for (uint32_t skill = 0; skill < SKILLS; skill++) {
            struct player_input a = ai_think(&match.world, &match.map, NULL, 0, (enum skill)skill);
            struct player_input b = ai_think(&match.world, &match.map, NULL, 0, (enum skill)skill);
            assert_int_equal(a.buttons, b.buttons);
            assert_int_equal(a.buttons >> BUTTON_BITS, 0);
        }
        assert_memory_equal(&before, &match.world, sizeof before);
        test_match_think(&match, SKILL_NORMAL);
        test_match_step(&match, 1);
    }
}

TEST(idle_and_dead_bots_press_nothing)
{
    in_hall();
    test_match_put(&match, 0, 40, 64);
    assert_int_equal(ai_think(&match.world, &match.map, NULL, 0, SKILL_IDLE).buttons, 0);
    assert_int_equal(ai_think(&match.world, &match.map, NULL, 9, SKILL_HARD).buttons, 0);
    match.world.players[0].state = PLAYER_DEAD;
    assert_int_equal(ai_think(&match.world, &match.map, NULL, 0, SKILL_HARD).buttons, 0);
}

// Ticks until slot 0 of a skill has killed an idle enemy in the open.
static uint32_t ticks_to_kill(enum skill skill)
{
    in_hall();
    test_match_put(&match, 0, 40, 64);
    struct player *enemy = test_match_put(&match, 1, 200, 64);
    while (enemy->state == PLAYER_ALIVE && match.world.tick < 3600)
        play(NULL, skill);
    return match.world.tick;
}

TEST(every_thinking_skill_kills_an_idle_enemy)
{
    assert_true(ticks_to_kill(SKILL_EASY) < 3600);
    assert_true(ticks_to_kill(SKILL_NORMAL) < 900);
    assert_true(ticks_to_kill(SKILL_HARD) < 600);
}

TEST(a_bot_runs_from_beneath_a_crusher)
{
    test_match_draw(&match, HALL);
    test_map_crusher(&match.map, (struct df_box){100, 8, 32, 16}, 40);
    test_match_start(&match);
    struct player *player = test_match_put(&match, 0, 112, 64);
    test_match_put(&match, 1, 115, 40)->state = PLAYER_DEAD;
    match.world.actors[1].flags = 0;
    match.world.players[1].respawn_tick = 100000;
    while (match.world.crushers[0].state != CRUSHER_RESTING)
        play(NULL, SKILL_NORMAL);
    assert_int_equal(player->state, PLAYER_ALIVE);
}

TEST(a_bot_runs_over_the_seam_from_a_crusher_at_the_edge)
{
    test_match_draw(&match, HALL);
    for (int32_t row = 0; row < match.map.rows - 1; row++)
        match.map.tiles[row * 32] = match.map.tiles[row * 32 + 31] = DF_TILE_EMPTY;
    match.map.outside = DF_OUTSIDE_WRAP;
    test_map_crusher(&match.map, (struct df_box){0, 8, 32, 16}, 40);
    for (int32_t x = 250; x <= 262; x += 4) { // near its left side, on both sides of the seam
        test_match_start(&match);
        match.world.crushers[0].state = CRUSHER_WARNING;
        const struct player *player = test_match_put(&match, 0, x % 256, 64);
        while (match.world.crushers[0].state != CRUSHER_RESTING)
            play(NULL, SKILL_HARD);
        assert_int_equal(player->state, PLAYER_ALIVE);
    }
}

TEST(an_unarmed_bot_fetches_an_arrow)
{
    in_hall();
    struct player *player = test_match_put(&match, 0, 40, 64);
    player->arrows = 0;
    put_arrow(1, 246, 58);
    while (player->arrows == 0 && match.world.tick < 600)
        play(NULL, SKILL_HARD);
    assert_int_equal(player->arrows, 1);
}

TEST(a_bot_jumps_over_spikes)
{
    static const char *const spikes[] = {
        "########################", "#......................#", "#......................#",
        "#......................#", "#......................#", "#......................#",
        "#.S.......^^........S..#", "########################", NULL};
    test_match_draw(&match, spikes);
    test_match_start(&match);
    struct player *player = test_match_put(&match, 0, 20, 56);
    player->arrows = 0;
    put_arrow(1, 172, 52);
    while (player->arrows == 0 && match.world.tick < 900) {
        play(NULL, SKILL_HARD);
        assert_int_equal(player->state, PLAYER_ALIVE);
    }
    assert_int_equal(player->arrows, 1);
}

TEST(a_bot_climbs_planks_to_a_chest)
{
    static const char *const shaft[] = {
        "############", "#..........#", "#..........#", "#...====...#", "#..........#", "#..........#", "#.====.....#",
        "#..........#", "#..........#", "#...====...#", "#..........#", "#.S........#", "############", NULL};
    test_match_draw(&match, shaft);
    test_map_chest(&match.map, 60, 24, 1u << MAP_GIFT_SHIELD, 0);
    test_match_start(&match);
    nav_graph_build(&graph, &match.map);
    const struct player *player = test_match_put(&match, 0, 20, 96);
    while (player->shield == 0 && match.world.tick < 600)
        play(&graph, SKILL_HARD);
    assert_int_equal(player->shield, 1);
}

TEST(a_bot_at_full_speed_leaves_the_reach_of_a_crusher)
{
    for (int32_t vx = -384; vx <= 384; vx += 384) {
        test_match_draw(&match, HALL);
        test_map_crusher(&match.map, (struct df_box){100, 8, 24, 16}, 40);
        test_match_start(&match);
        match.world.crushers[0].state = CRUSHER_WARNING;
        struct player *player = test_match_put(&match, 0, 108, 64);
        player->vx = vx;
        while (match.world.crushers[0].state != CRUSHER_RESTING)
            play(NULL, SKILL_HARD);
        assert_int_equal(player->state, PLAYER_ALIVE);
    }
}

// Puts an arrow high above the floor, where only the mover leads, and returns whether the bot fetched it.
TEST(a_bot_waits_for_a_lift_and_rides_it_up)
{
    static const char *const shaft[] = {"####################", "#..................#",
                                        "#..................#", "#..................#",
                                        "#..................#", "#...........########",
                                        "#..................#", "#..................#",
                                        "#..................#", "#..................#",
                                        "#..................#", "#..................#",
                                        "#..................#", "#..................#",
                                        "#..................#", "#..................#",
                                        "#..................#", "#..................#",
                                        "#..................#", "#..S...............#",
                                        "####################", NULL};
    static const struct map_point path[] = {{0, 0}, {0, -112}};
    test_match_draw(&match, shaft);
    test_map_mover(&match.map, (struct df_box){64, 148, 24, 8}, path, 2, MAP_PATH_PINGPONG, 400);
    nav_graph_build(&graph, &match.map);
    for (enum skill skill = SKILL_NORMAL; skill <= SKILL_HARD; skill++) {
        test_match_start(&match);
        struct player *player = test_match_put(&match, 0, 28, 160);
        player->arrows = 0;
        put_arrow(1, 130, 36);
        uint32_t ridden_ticks = 0;
        while (player->arrows == 0 && match.world.tick < (skill == SKILL_HARD ? 900 : 2400)) {
            play(&graph, skill);
            ridden_ticks += match.world.tick - match.world.actors[0].carried_tick < DF_LIFT_TICKS;
        }
        assert_int_equal(player->state, PLAYER_ALIVE);
        assert_int_equal(player->arrows, 1);
        assert_true(ridden_ticks > 50);
    }
}

TEST(a_bot_opens_a_lid_by_its_plate)
{
    static const char *const pit[] = {"####################",
                                      "#..................#",
                                      "#..................#",
                                      "#..................#",
                                      "#..................#",
                                      "#.S................#",
                                      "######......########",
                                      "######......########",
                                      "######......########",
                                      "####################",
                                      NULL};
    static const struct map_point aside[] = {{0, 0}, {48, 0}};
    test_match_draw(&match, pit);
    uint32_t plate = test_map_switch(&match.map, MAP_SWITCH_PLATE, (struct df_box){128, 40, 16, 8}, 1);
    match.map.switches[plate].hold_ticks = 200;
    test_map_driven(&match.map, MAP_SOLID_DOOR, (struct df_box){48, 48, 48, 8}, aside, 2, MAP_PATH_CALL, 60, 1);
    nav_graph_build(&graph, &match.map);
    for (enum skill skill = SKILL_NORMAL; skill <= SKILL_HARD; skill++) {
        test_match_start(&match);
        struct player *player = test_match_put(&match, 0, 20, 48);
        player->arrows = 0;
        put_arrow(1, 70, 66);
        while (player->arrows == 0 && match.world.tick < 1800)
            play(&graph, skill);
        assert_int_equal(player->arrows, 1);
    }
}

// A lid that only an arrow in a lever opens. Without arrows, or where no door is in the way, nobody touches it.
TEST(a_bot_opens_a_lid_by_its_lever)
{
    static const char *const pit[] = {"####################",
                                      "#..................#",
                                      "#..................#",
                                      "#..................#",
                                      "#..................#",
                                      "#.S................#",
                                      "######......########",
                                      "######......########",
                                      "######......########",
                                      "####################",
                                      NULL};
    static const struct map_point aside[] = {{0, 0}, {48, 0}};
    static const struct {
        uint32_t arrows;
        int32_t hold_ticks;
        bool opens;
    } rows[] = {/* 1 */ {2, 0, true}, /* 2: with a time */ {2, 200, true}, /* 3 */ {0, 0, false}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        test_match_draw(&match, pit);
        uint32_t lever = test_map_switch(&match.map, MAP_SWITCH_LEVER, (struct df_box){144, 24, 8, 16}, 1);
        match.map.switches[lever].hold_ticks = rows[i].hold_ticks;
        test_map_driven(&match.map, MAP_SOLID_DOOR, (struct df_box){48, 48, 48, 8}, aside, 2, MAP_PATH_CALL, 60, 1);
        nav_graph_build(&graph, &match.map);
        for (enum skill skill = SKILL_NORMAL; skill <= SKILL_HARD; skill++) {
            test_match_start(&match);
            struct player *player = test_match_put(&match, 0, 20, 48);
            struct player *enemy = test_match_put(&match, 1, 70, 72); // in the pit, without arrows
            player->arrows = rows[i].arrows;
            enemy->arrows = 0;
            bool opened = false;
            while (!opened && match.world.tick < 1800) {
                play(&graph, skill);
                opened = match.world.switches[lever].on;
            }
            if (opened != rows[i].opens)
                fail_msg("row %zu, skill %u: the lever %s", i + 1, skill, opened ? "was turned" : "stays");
        }
    }
}

TEST(a_bot_drops_through_a_plank)
{
    static const char *const shelf[] = {"############", "#..........#", "#....S.....#", "#==========#",
                                        "#..........#", "#..........#", "############", NULL};
    test_match_draw(&match, shelf);
    test_match_start(&match);
    nav_graph_build(&graph, &match.map);
    struct player *player = test_match_put(&match, 0, 44, 24);
    player->arrows = 0;
    put_arrow(1, 44, 44);
    while (player->arrows == 0 && match.world.tick < 240)
        play(&graph, SKILL_NORMAL);
    assert_int_equal(player->arrows, 1);
}

TEST(a_bot_wall_jumps_or_dashes_up_where_a_jump_is_too_low)
{
    static const char *const cliff[] = {
        "################", "#..............#", "#..............#", "#..............#", "#......#########",
        "#......#########", "#......#########", "#......#########", "#......#########", "#......#########",
        "#......#########", "#......#########", "#..S...#########", "################", NULL};
    test_match_draw(&match, cliff);
    test_match_start(&match);
    nav_graph_build(&graph, &match.map);
    struct player *player = test_match_put(&match, 0, 28, 104);
    player->arrows = 0;
    put_arrow(1, 100, 28);
    while (player->arrows == 0 && match.world.tick < 900)
        play(&graph, SKILL_NORMAL);
    assert_int_equal(player->arrows, 1);
}

TEST(a_hard_bot_catches_an_arrow_with_a_dash)
{
    in_hall();
    struct player *player = test_match_put(&match, 0, 40, 64);
    test_match_step(&match, 2);
    put_arrow(1, 64, 57);
    match.world.arrows[1].state = ARROW_FLYING;
    match.world.arrows[1].vx = -TUNING.arrow_speed;
    match.world.arrows[1].since_tick = match.world.tick;
    for (uint32_t i = 0; i < 20 && player->stats.catches == 0; i++)
        play(NULL, SKILL_HARD);
    assert_int_equal(player->stats.catches, 1);
    assert_int_equal(player->state, PLAYER_ALIVE);
}

TEST(a_bot_runs_from_a_burning_bomb)
{
    in_hall();
    struct player *player = test_match_put(&match, 0, 100, 64);
    put_arrow(1, 104, 60);
    match.world.arrows[1].kind = ARROW_BOMB;
    match.world.arrows[1].burnt_tick = match.world.tick + 36;
    for (uint32_t i = 0; i < 60; i++)
        play(NULL, SKILL_HARD);
    assert_int_equal(match.world.arrows[1].state, ARROW_ABSENT);
    assert_int_equal(player->state, PLAYER_ALIVE);
}

TEST(no_bot_shoots_at_a_team_mate)
{
    test_match_draw(&match, HALL);
    test_match_start_mode(&match, MODE_TEAMS);
    match.world.rules.friendly_fire = 1;
    struct player *player = test_match_put(&match, 0, 40, 64);
    struct player *other = test_match_put(&match, 1, 140, 64);
    test_match_step(&match, 2);
    for (uint32_t team = 1; team <= 2; team++) {
        player->team = 1;
        other->team = team;
        uint32_t shots = 0;
        for (uint32_t i = 0; i < 60; i++) {
            match.world.tick++;
            shots += (ai_think(&match.world, &match.map, NULL, 0, SKILL_HARD).buttons & BUTTON_SHOOT) != 0;
        }
        assert_int_equal(shots > 0, team == 2);
    }
}

TEST(a_bot_kicks_a_ball_toward_the_enemy_wall)
{
    memset(&match, 0, sizeof match);
    test_map_court(&match.map);
    for (uint32_t team = 1; team <= 2; team++) {
        test_match_start_mode(&match, MODE_BREAKOUT);
        struct player *player = test_match_put(&match, 0, 160, 88);
        player->team = team;
        match.world.balls[0].cx = (team == 1 ? 172 : 148) * DF_SUB;
        match.world.balls[0].cy = 82 * DF_SUB;
        match.world.balls[0].vx = match.world.balls[0].vy = 0;
        uint32_t buttons = ai_think(&match.world, &match.map, NULL, 0, SKILL_NORMAL).buttons;
        assert_int_equal(buttons & (BUTTON_DASH | BUTTON_LEFT | BUTTON_RIGHT),
                         BUTTON_DASH | (team == 1 ? BUTTON_RIGHT : BUTTON_LEFT));
    }
}

TEST(each_team_of_bots_breaks_through_the_enemy_wall)
{
    static void (*const courts[])(struct map * map) = {test_map_court, test_map_upright_court};
    for (uint32_t row = 0; row < 4; row++) {
        uint32_t team = 1 + row % 2;
        memset(&match, 0, sizeof match);
        courts[row / 2](&match.map);
        nav_graph_build(&graph, &match.map);
        test_match_start_mode(&match, MODE_BREAKOUT);
        for (uint32_t slot = 0; slot < 4; slot++)
            assert_true(world_command(&match.world, &match.map, &(struct command){.kind = COMMAND_JOIN, .slot = slot}));
        while (match.world.round.team_scores[team - 1] == 0 && match.world.tick < 18000) {
            for (uint32_t slot = 0; slot < 4; slot++)
                match.inputs[slot] = ai_think(&match.world, &match.map, &graph, slot,
                                              match.world.players[slot].team == team ? SKILL_HARD : SKILL_IDLE);
            test_match_step(&match, 1);
        }
        print_message("row %u: team %u broke through after %u ticks\n", row + 1, team, match.world.tick);
        assert_int_equal(match.world.round.team_scores[team - 1], 1);
    }
}

TEST(a_bot_flees_the_walls_of_sudden_death)
{
    test_match_draw(&match, HALL);
    for (int32_t x = 20; x <= 236; x += 216) { // near one wall, then near the other
        test_match_start_mode(&match, MODE_LMS);
        struct player *player = test_match_put(&match, 0, x, 64);
        test_match_put(&match, 1, 256 - x, 64);
        player->shield_until = 0;
        match.world.round = (struct round){.phase = ROUND_PLAYING, .since_tick = 1, .match_since_tick = 1};
        match.world.round.sudden_death_ticks = 1;
        match.world.tick = 3602;
        while (match.world.round.sudden_death_ticks < 1200) {
            match.inputs[0] = ai_think(&match.world, &match.map, NULL, 0, SKILL_EASY);
            match.world.players[1].shield_until = UINT32_MAX; // their death must not end the round
            test_match_step(&match, 1);
            if (match.world.round.phase != ROUND_PLAYING)
                break;
        }
        assert_int_equal(player->state, PLAYER_ALIVE);
    }
}

TEST(in_sudden_death_a_bot_goes_to_the_spawn_nearest_to_the_middle)
{
    static const char *const above[] = {"################################", "#..............................#",
                                        "#..............S...............#", "#...........=======............#",
                                        "#..............................#", "#.......====.......====........#",
                                        "#..............................#", "#...S......................S...#",
                                        "################################", NULL};
    static const char *const below[] = {"################################", "#..............................#",
                                        "#..S........................S..#", "#.===......................===.#",
                                        "#..............................#", "#.......====.......====........#",
                                        "#..............................#", "#..............S...............#",
                                        "################################", NULL};
    for (uint32_t row = 0; row < 2; row++) {
        test_match_draw(&match, row == 0 ? above : below);
        nav_graph_build(&graph, &match.map);
        test_match_start_mode(&match, MODE_LMS);
        test_match_put(&match, 0, 36, 64);
        test_match_put(&match, 1, 220, 64);
        match.world.round = (struct round){.phase = ROUND_PLAYING, .since_tick = 1, .match_since_tick = 1};
        match.world.round.sudden_death_ticks = 1;
        match.world.tick = 3602;
        for (uint32_t i = 0; i < 900; i++) {
            match.inputs[0] = ai_think(&match.world, &match.map, &graph, 0, SKILL_EASY);
            match.world.players[0].shield_until = match.world.players[1].shield_until = UINT32_MAX;
            test_match_step(&match, 1);
        }
        const struct df_actor *body = test_match_body(&match, 0);
        print_message("row %u: at %d, %d\n", row + 1, body->x, body->y);
        assert_int_equal(body->y + body->h <= 24, row == 0);
    }
}

TEST(the_better_skill_wins)
{
    static const char *const arena[] = {
        "########################################", "#......................................#",
        "#..S................................S..#", "#.#####..........####..........#####...#",
        "#......................................#", "#..........====........====............#",
        "#......................................#", "#...###.......................###......#",
        "#................======................#", "#.......S....................S.........#",
        "########################################", NULL};
    test_match_draw(&match, arena);
    nav_graph_build(&graph, &match.map);
    for (enum skill better = SKILL_EASY; better < SKILLS; better++) {
        struct tournament t = {
            .map = &match.map, .graph = &graph, .bots = 4, .skills = {better - 1, better}, .ticks = 1800};
        for (uint32_t seed = 1; seed <= 20; seed++)
            tournament_play(&t, seed);
        print_message("%s won %u, %s won %u\n", ai_skill_name(t.skills[0]), t.wins[0], ai_skill_name(better),
                      t.wins[1]);
        assert_true(t.wins[0] + t.wins[1] >= 10);
        assert_true(100 * t.wins[1] >= 65 * (t.wins[0] + t.wins[1]));
        assert_int_equal(t.stands, 0);
    }
}
