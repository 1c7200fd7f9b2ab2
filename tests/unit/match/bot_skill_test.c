// SPDX-License-Identifier: MIT
//
// The skill of bots follows the score. Rows of worlds say which skill comes next; real matches over a network show that
// a strong player meets harder bots and a weak one easier ones, and that clients have the same world all the time.
#include <string.h>

#include "game/ai/ai.h"
#include "game/map/tiled/map_file.h"
#include "prepared_map.h"
#include "probe.h"
#include "sync/world.h"
#include "test.h"

#define TICKS_MAX (10u * 60 * TICKS_PER_SECOND)

static const struct impairment perfect = {0};
static struct map map;
static struct session session;

BARE_TEST(the_next_skill_follows_the_lead)
{
    static const struct {
        enum mode mode;
        int32_t limit, human, bot, team_scores[2];
        enum skill skill, next;
    } rows[] = {
        /* 0 */ {MODE_FFA, 20, 2, 0, {0}, SKILL_EASY, SKILL_EASY},
        /* 1 */ {MODE_FFA, 20, 3, 0, {0}, SKILL_EASY, SKILL_NORMAL},
        /* 2 */ {MODE_FFA, 20, 5, 0, {0}, SKILL_NORMAL, SKILL_NORMAL},
        /* 3 */ {MODE_FFA, 20, 6, 0, {0}, SKILL_NORMAL, SKILL_HARD},
        /* 4 */ {MODE_FFA, 20, 9, 9, {0}, SKILL_HARD, SKILL_HARD},
        /* 5 */ {MODE_FFA, 20, 9, 11, {0}, SKILL_HARD, SKILL_HARD},
        /* 6 */ {MODE_FFA, 20, 9, 12, {0}, SKILL_HARD, SKILL_NORMAL},
        /* 7 */ {MODE_FFA, 20, 9, 12, {0}, SKILL_NORMAL, SKILL_NORMAL},
        /* 8 */ {MODE_FFA, 20, -1, 5, {0}, SKILL_NORMAL, SKILL_EASY},
        /* 9 */ {MODE_FFA, 0, 3, 0, {0}, SKILL_EASY, SKILL_NORMAL},
        /* 10 */ {MODE_LMS, 5, 1, 0, {0}, SKILL_EASY, SKILL_NORMAL},
        /* 11 */ {MODE_LMS, 5, 2, 0, {0}, SKILL_NORMAL, SKILL_HARD},
        /* 12 */ {MODE_LMS, 5, 0, 1, {0}, SKILL_HARD, SKILL_NORMAL},
        /* 13 */ {MODE_TEAMS, 30, 0, 0, {5, 0}, SKILL_EASY, SKILL_NORMAL},
        /* 14 */ {MODE_TEAMS, 30, 0, 0, {0, 5}, SKILL_HARD, SKILL_NORMAL},
        /* 15 */ {MODE_BREAKOUT, 3, 0, 0, {1, 0}, SKILL_EASY, SKILL_NORMAL},
        /* 16 */ {MODE_FFA, 20, 0, 0, {0}, SKILL_IDLE, SKILL_EASY},
    };
    static struct world world;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        memset(&world, 0, sizeof world);
        world.rules = (struct rules){.mode = rows[i].mode, .score_limit = rows[i].limit, .bot_skill = rows[i].skill};
        memcpy(world.round.team_scores, rows[i].team_scores, sizeof world.round.team_scores);
        world.player_slots = 4;
        world.players[0] = (struct player){.state = PLAYER_DEAD, .score = rows[i].human, .team = 1};
        world.players[1] = (struct player){.state = PLAYER_ALIVE, .score = rows[i].human - 2, .team = 1};
        world.players[2] =
            (struct player){.state = PLAYER_ALIVE, .flags = PLAYER_BOT, .score = rows[i].bot - 1, .team = 2};
        world.players[3] = (struct player){.state = PLAYER_ALIVE, .flags = PLAYER_BOT, .score = rows[i].bot, .team = 2};
        if (ai_skill_next(&world) != rows[i].next)
            fail_msg("row %zu: skill %u", i, ai_skill_next(&world));
        world.players[2].state = world.players[3].state = PLAYER_SPECTATOR; // nobody to compare with
        if (rows[i].skill >= SKILL_EASY && ai_skill_next(&world) != rows[i].skill)
            fail_msg("row %zu: skill %u without bots", i, ai_skill_next(&world));
    }
}

// Plays a match in which the only human plays at a skill, until the bots have the wanted one. Returns whether they got
// it; the skills that they had on the way are in `seen`, as bits.
static bool play_until(enum skill human, enum skill wanted, uint32_t *seen)
{
    struct match *match = session.match;
    struct probe *probe = &session.probes[0];
    for (uint32_t t = 0; t < TICKS_MAX && match->world.rules.bot_skill != wanted; t++) {
        if (probe->ready)
            probe->buttons =
                ai_think(&match->world, &match->map, match_map_nav_graph(match->prepared), probe->slot, human).buttons;
        session_run(&session, 1);
        *seen |= 1u << match->world.rules.bot_skill;
    }
    assert_int_equal(probe->desyncs + probe->undecodable, 0);
    return match->world.rules.bot_skill == wanted;
}

static void end(void)
{
    session_end(&session);
}

EACH_TEST(NULL, end);

static void begin(bool adapts, enum skill skill)
{
    char path[1024];
    struct error error;
    assert_true(map_file_find("duel", path, sizeof path) && map_file_read(path, &map, &error));
    struct match_config config = {.map = &map,
                                  .rules = {.mode = MODE_FFA, .score_limit = 20, .seed = 7, .bot_skill = skill},
                                  .players_max = 4,
                                  .bots = 2,
                                  .adapts_bots = adapts,
                                  .snapshot_rate = 60};
    session_begin(&session, &config, &perfect, 1);
}

TEST(a_strong_player_meets_harder_bots_also_in_the_next_match)
{
    uint32_t seen = 0;
    begin(true, SKILL_EASY);
    assert_true(play_until(SKILL_HARD, SKILL_HARD, &seen));
    assert_int_equal(seen, 1u << SKILL_EASY | 1u << SKILL_NORMAL | 1u << SKILL_HARD);
    struct rules rules = {.mode = MODE_LMS, .score_limit = 5, .seed = 8, .bot_skill = SKILL_EASY};
    match_change(session.match, prepared_map(&map), &rules, session.now_us);
    session_run(&session, 120);
    assert_int_equal(session.match->world.rules.bot_skill, SKILL_HARD);
    assert_int_equal(session.match->world.rules.mode, MODE_LMS);
    assert_true(world_hash(&session.probes[0].world) == world_hash(&session.match->world));
}

TEST(a_weak_player_meets_easier_bots)
{
    uint32_t seen = 0;
    begin(true, SKILL_HARD);
    assert_true(play_until(SKILL_IDLE, SKILL_EASY, &seen));
    assert_int_equal(seen, 1u << SKILL_EASY | 1u << SKILL_NORMAL | 1u << SKILL_HARD);
}

TEST(a_chosen_skill_stays)
{
    uint32_t seen = 0;
    begin(false, SKILL_EASY);
    assert_false(play_until(SKILL_HARD, SKILL_HARD, &seen));
    assert_int_equal(seen, 1u << SKILL_EASY);
}
