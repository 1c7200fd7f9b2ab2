// SPDX-License-Identifier: MIT
#include <stdio.h>
#include <string.h>

#include "game/rules/round.h"
#include "game/tuning.h"
#include "game/variant.h"
#include "lifecycle/map_loader.h"
#include "lifecycle/rotation.h"
#include "net/impairment.h"
#include "probe.h"
#include "sync/player_name.h"
#include "test.h"

static struct session session;
static struct settings settings;
static struct rotation rotation;
static struct map map;
static struct worker *worker;
static struct map_loader *loader;
static struct error error;

// Three players on duel; the list is of duel, foundry and duel.
static void begin(void)
{
    memset(&rotation, 0, sizeof rotation);
    settings =
        (struct settings){.map = "duel", .score_limit = -1, .seed = -1, .rotation = {3, {"duel", "foundry", "duel"}}};
    worker = worker_open();
    loader = map_loader_open(worker);
    rotation_init(&rotation, &settings, loader);
    assert_true(rotation_validate(&settings.rotation, MODE_FFA, &map, &error) &&
                map_loader_read("duel", MODE_FFA, &map, &error));
    struct match_config config = {.prepared = map_loader_begin(loader, &map),
                                  .rules = rotation_rules(&settings, MODE_FFA, 5),
                                  .players_max = 8,
                                  .snapshot_rate = 60};
    session_begin(&session, &config, &(struct impairment){.delay_us = 5000}, 3);
    session_run(&session, 60);
}

static void end(void)
{
    session_end(&session);
    worker_close(worker);
    map_loader_close(loader);
}

EACH_TEST(begin, end);

// What is due once the loader has answered.
static const struct rotation_next *due(void)
{
    const struct rotation_next *next = rotation_due(&rotation, session.match);
    map_loader_wait(loader);
    return next ? next : rotation_due(&rotation, session.match);
}

// Asks for a vote, and waits until it is open.
static bool asks(uint32_t peer, const char *words)
{
    return rotation_vote(&rotation, session.match, peer, words, &error) && !due();
}

static enum answer_outcome outcome_of(uint64_t command)
{
    const struct answer *answer = answers_look(&rotation.commands, command);
    snprintf(error.text, sizeof error.text, "%s", answer->text);
    return answer->outcome;
}

// Runs for at most this many ticks until the next match is due, and begins it; returns false if none was.
static bool follows(uint32_t ticks)
{
    for (uint32_t i = 0; i < ticks; i++) {
        const struct rotation_next *next = due();
        if (next) {
            match_change(session.match, next->map, &next->rules, session.now_us);
            return true;
        }
        session_run(&session, 1);
    }
    return false;
}

static const char *map_name(void)
{
    return session.match->map.name;
}

static void plays_next(uint32_t ticks, const char *map_wanted)
{
    assert_true(follows(ticks));
    assert_string_equal(map_name(), map_wanted);
}

static void end_match(void)
{
    session.match->world.round.phase = ROUND_MATCH_OVER;
    session.match->world.round.since_tick = session.match->world.tick;
}

static void plays_after_end(const char *map_wanted)
{
    end_match();
    plays_next(TUNING.over_ticks, map_wanted);
}

// Two of the three players are for it.
static void passes(const char *words)
{
    assert_true(asks(0, words));
    assert_true(vote_cast(session.match, 1, 0));
}

TEST(a_pause_after_the_end_delays_the_next_match)
{
    end_match();
    session_run(&session, 90);
    due();
    assert_int_equal(session.match->vote.message.choice_count, 3);
    assert_true(match_enqueue_command(session.match, &(struct command){.kind = COMMAND_PAUSE, .paused = 1}));
    assert_false(follows(3 * TUNING.over_ticks));
    assert_int_equal(session.match->vote.message.choice_count,
                     0); // it was counted without a result and is not asked again
    assert_true(match_enqueue_command(session.match, &(struct command){.kind = COMMAND_PAUSE}));
    plays_next(TUNING.over_ticks, "foundry");
}

TEST(a_fixed_seed_is_that_of_each_match)
{
    settings.seed = 77;
    for (int i = 0; i < 2; i++) {
        end_match();
        assert_true(follows(TUNING.over_ticks));
        assert_int_equal(session.match->world.rules.seed, 77);
    }
    settings.rotation.count = 1; // the world would go on by itself
    session.match->world.rules.seed = 3;
    end_match();
    assert_true(follows(TUNING.over_ticks));
    assert_int_equal(session.match->world.rules.seed, 77);
}

TEST(a_list_of_one_map_lets_the_match_start_again_unless_matches_are_kept_apart)
{
    settings.rotation.count = 1;
    end_match();
    assert_false(follows(TUNING.over_ticks + 10));
    assert_int_equal(session.match->world.round.phase, ROUND_WARMUP);
    rotation.keeps_apart = true;
    end_match();
    plays_next(TUNING.over_ticks - 10, "duel");
}

TEST(the_list_is_played_in_order_and_repeated)
{
    static const char *const wanted[] = {"foundry", "duel", "duel", "foundry"};
    for (size_t i = 0; i < 4; i++) {
        plays_after_end(wanted[i]);
        session_run(&session, 60);
        assert_int_equal(roster_count(&session.match->roster, SEAT_PLAYER), 3);
    }
}

TEST(maps_that_the_mode_cannot_use_are_skipped)
{
    memcpy(settings.rotation.values[2], "breakout", sizeof "breakout");
    assert_true(rotation_mode(&rotation, "breakout", "breakout", &error));
    assert_true(follows(1));
    end_match();
    for (uint32_t i = 0; i < 100; i++) {
        assert_null(due());
        session_run(&session, 1);
    }
    assert_int_equal(session.match->vote.message.choice_count, 0); // there is nothing to choose
    plays_next(TUNING.over_ticks, "breakout");
}

static void go_to_tick(tick number)
{
    struct rules rules = session.match->world.rules;
    world_begin(&session.match->world, &session.match->map, &rules, number);
    memset(&session.match->input_log, 0, sizeof session.match->input_log);
}

TEST(old_ticks_restart_after_a_match_or_at_last_within_it)
{
    settings.rotation.count = 1;
    go_to_tick(MATCH_TICKS_OLD - 300);
    end_match();
    assert_false(follows(200));
    go_to_tick(MATCH_TICKS_OLD);
    assert_false(follows(10)); // the match is playing
    end_match();
    assert_true(follows(TUNING.over_ticks));
    assert_int_equal(session.match->world.tick, 0);
    assert_string_equal(map_name(), "duel");
    go_to_tick(MATCH_TICKS_MAX - 10);
    uint32_t seed = session.match->world.rules.seed;
    assert_true(follows(11));
    assert_int_equal(session.match->world.tick, 0);
    assert_int_not_equal(session.match->world.rules.seed, seed);
    assert_false(follows(10));
    assert_int_equal(roster_count(&session.match->roster, SEAT_PLAYER), 3);
}

TEST(players_choose_the_next_map_when_a_match_is_over)
{
    end_match();
    for (uint32_t i = 0; i < 100; i++) {
        assert_null(due());
        session_run(&session, 1);
    }
    const struct vote_message *open_vote = &session.match->vote.message;
    assert_int_equal(open_vote->choice_count, 3);
    assert_string_equal(open_vote->choices[0].text, "foundry");
    assert_true(vote_cast(session.match, 0, 1)); // the third of the list
    assert_true(vote_cast(session.match, 1, 1));
    plays_next(1, "duel");
    assert_int_equal(rotation.list_index, 2);
}

TEST(a_vote_changes_map_or_mode_or_restarts_the_match)
{
    static const struct {
        const char *words, *map;
        enum mode mode;
    } rows[] = {
        /* 0 */ {"map foundry", "foundry", MODE_FFA},
        /* 1 */ {"mode lms", "foundry", MODE_LMS},
        /* 2 */ {"restart", "foundry", MODE_LMS},
        /* 3 */ {"map duel", "duel", MODE_LMS},
    };
    for (size_t i = 0; i < 4; i++) {
        assert_true(asks(0, rows[i].words));
        assert_false(follows(10)); // one of three is not enough
        assert_true(vote_cast(session.match, 2, 0));
        plays_next(1, rows[i].map);
        assert_int_equal(session.match->world.rules.mode, rows[i].mode);
        session_run(&session, 60);
    }
}

TEST(a_vote_asks_its_question_and_offers_yes_and_no)
{
    char name[PLAYER_NAME_BYTES + 1], kick[40], kick_question[40];
    player_name_to_text(session.match->roster.seats[local_seats_first(&session.match->peers[2].seats)].name, name);
    snprintf(kick, sizeof kick, "kick %s", name);
    snprintf(kick_question, sizeof kick_question, "Kick %s?", name);
    const struct {
        const char *words, *question;
    } rows[] = {
        /* 0 */ {"map foundry", "Change the map to foundry?"},
        /* 1 */ {"mode lms", "Change the mode to lms?"},
        /* 2 */ {"restart", "Restart the match?"},
        /* 3 */ {kick, kick_question},
        /* 4 */ {"variants ice bombs", "Play with bombs,ice?"},
        /* 5 */
        {"variants low-gravity high-jumps explosive-death endless-arrows one-arrow hasty-crushers",
         "Play with endless-arrows,one-arrow,low-gravity,high-jumps,explosive-de...?"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct vote_message *open_vote = &session.match->vote.message;
        assert_true(asks(1, rows[i].words));
        assert_string_equal(open_vote->question, rows[i].question);
        assert_int_equal(open_vote->choice_count, 2);
        assert_string_equal(open_vote->choices[0].text, "Yes");
        assert_string_equal(open_vote->choices[1].text, "No");
        assert_int_equal(open_vote->choices[0].votes, 1); // that of the player who asked
        vote_end(session.match);
    }
}

static uint32_t variants(void)
{
    return session.match->world.rules.variants;
}

// Asks for a vote that passes, and begins the match.
static void votes(const char *words)
{
    passes(words);
    assert_true(follows(1));
    session_run(&session, 60);
}

TEST(a_vote_changes_the_variants_of_all_later_matches)
{
    enum { BOMBS = 1u << VARIANT_BOMBS, ICE = 1u << VARIANT_ICE, WINGS = 1u << VARIANT_WINGS };
    votes("variants bombs ice");
    assert_int_equal(variants(), BOMBS | ICE);
    assert_string_equal(map_name(), "duel");
    votes("map foundry");
    assert_int_equal(variants(), BOMBS | ICE);
    assert_true(asks(0, "variants wings"));
    assert_true(vote_cast(session.match, 1, 1) && vote_cast(session.match, 2, 1));
    assert_false(follows(10)); // rejected
    end_match();
    assert_true(follows(TUNING.over_ticks));
    assert_int_equal(variants(), BOMBS | ICE);
    session_run(&session, 60);
    votes("variants wings -bombs");
    assert_int_equal(variants(), ICE | WINGS);
    assert_true(asks(0, "variants none"));
    assert_string_equal(session.match->vote.message.question, "Play with no variants?");
    assert_true(vote_cast(session.match, 1, 0));
    assert_true(follows(1));
    assert_int_equal(variants(), 0);
}

TEST(the_newest_decision_on_variants_counts)
{
    enum { BOMBS = 1u << VARIANT_BOMBS, ICE = 1u << VARIANT_ICE, WINGS = 1u << VARIANT_WINGS };
    votes("variants ice");
    settings.variants = (struct option_list){1, {"wings"}};
    rotation_restart(&rotation, session.match);
    assert_true(follows(1));
    assert_int_equal(variants(), WINGS); // the settings have changed since
    session_run(&session, 60);
    uint64_t command = rotation_variants(&rotation, session.match, "bombs", &error);
    uint64_t later = rotation_mode(&rotation, "lms", NULL, &error); // the newest command has the variants of both
    assert_true(follows(1));
    assert_int_equal(outcome_of(command), ANSWER_REPLACED);
    assert_int_equal(outcome_of(later), ANSWER_DONE);
    assert_int_equal(variants(), BOMBS | WINGS);
    assert_int_equal(rotation_variants(&rotation, session.match, "lava", &error), 0);
    assert_false(follows(10));
    rotation_init(&rotation, &settings, loader); // the next server
    rotation_restart(&rotation, session.match);
    assert_true(follows(1));
    assert_int_equal(variants(), WINGS);
}

TEST(a_rejected_vote_changes_nothing)
{
    assert_true(asks(0, "map foundry"));
    assert_true(vote_cast(session.match, 1, 1));
    assert_true(vote_cast(session.match, 2, 1));
    assert_false(follows(30));
    assert_int_equal(session.match->vote.message.choice_count, 0);
    assert_string_equal(map_name(), "duel");
}

TEST(a_changed_vote_counts_once_and_a_leavers_not_at_all)
{
    assert_true(asks(0, "map foundry"));
    assert_true(vote_cast(session.match, 0, 1));
    assert_true(vote_cast(session.match, 0, 0));
    assert_true(vote_cast(session.match, 0, 0));
    assert_int_equal(session.match->vote.message.choices[0].votes, 1);
    assert_int_equal(session.match->vote.message.choices[1].votes, 0);
    peer_drop(session.match, 0, DENY_KICKED);
    assert_false(follows(20 * TICKS_PER_SECOND + 10)); // the only player in favour has left
}

TEST(a_vote_kicks_a_player_and_not_their_successor)
{
    char name[PLAYER_NAME_BYTES + 1], words[40];
    uint32_t slot = local_seats_first(&session.match->peers[2].seats);
    player_name_to_text(session.match->roster.seats[slot].name, name);
    snprintf(words, sizeof words, "kick %s", name);
    passes(words);
    session.match->roster.seats[slot].occupant++; // another player has this seat now
    assert_null(due());
    assert_int_equal(session.match->peers[2].state, PEER_PLAYING);
    session.match->roster.seats[slot].occupant--;
    passes(words);
    assert_null(due());
    assert_int_equal(session.match->peers[2].state, PEER_LEAVING);
    session_run(&session, 5);
    assert_int_equal(session.probes[2].denied, DENY_KICKED);
    assert_string_equal(session.probes[2].notice, "The other players have voted to kick you.");
}

TEST(an_impossible_request_is_an_error)
{
    static const struct {
        const char *words, *error;
    } rows[] = {
        /* 0 */ {"", "you can vote on: "},
        /* 1 */ {"map", "you can vote on: "},
        /* 2 */ {"restart now", "you can vote on: "},
        /* 3 */ {"map ../../etc/passwd", "letters, digits"},
        /* 4 */ {"map foundry.tmj", "letters, digits"},
        /* 5 */ {"mode chess", "there is no mode \"chess\""},
        /* 6 */ {"mode breakout", "goal"}, // duel has none
        /* 7 */ {"kick nobody", "no player here"},
        /* 8 */ {"kick 50%d", "\"50%d\""},
        /* 9 */ {"variants", "you can vote on: "},
        /* 10 */ {"variants lava", "say NAME, -NAME or none, of endless-arrows,one-arrow,"},
        /* 11 */ {"variants none", "the match has these variants already"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (rotation_vote(&rotation, session.match, 0, rows[i].words, &error) || !strstr(error.text, rows[i].error))
            fail_msg("row %zu: %s", i, error.text);
        assert_int_equal(session.match->vote.message.choice_count, 0);
    }
    assert_true(asks(0, "restart"));
    assert_false(rotation_vote(&rotation, session.match, 1, "restart", &error));
    assert_non_null(strstr(error.text, "open already"));
}

TEST(a_household_whose_votes_fail_is_asked_to_wait)
{
    session.match->households = (struct household_rules){.players_max = 8};
    for (uint32_t peer = 0; peer < 3; peer++)
        session.match->peers[peer].client.household = (uint64_t)4 << 56 | 0xCB007100u | peer;
    for (uint32_t i = 0; i < VOTE_FAILURES_MAX; i++) {
        assert_true(asks(0, "restart"));
        assert_true(vote_cast(session.match, 1, 1) && vote_cast(session.match, 2, 1));
        assert_false(follows(1));
    }
    assert_false(rotation_vote(&rotation, session.match, 0, "restart", &error));
    assert_non_null(strstr(error.text, "3 votes of your household have failed, so you can ask again in 10 minutes"));
    assert_true(rotation_vote(&rotation, session.match, 1, "restart", &error));
}

TEST(an_operators_command_is_obeyed_when_its_map_is_ready_or_refused)
{
    uint64_t command = rotation_map(&rotation, session.match, "nowhere");
    assert_int_equal(outcome_of(command), ANSWER_OPEN);
    assert_false(follows(1));
    assert_int_equal(outcome_of(command), ANSWER_FAILED);
    assert_non_null(strstr(error.text, "there is no map \"nowhere\""));
    command = rotation_map(&rotation, session.match, "foundry");
    assert_true(follows(1));
    assert_int_equal(outcome_of(command), ANSWER_DONE);
    assert_string_equal(map_name(), "foundry");
    command = rotation_mode(&rotation, "breakout", NULL, &error); // foundry has no goals
    assert_false(follows(1));
    assert_int_equal(outcome_of(command), ANSWER_FAILED);
    assert_int_equal(rotation_mode(&rotation, "chess", NULL, &error), 0);
    rotation_mode(&rotation, "teams", NULL, &error);
    assert_true(follows(1));
    assert_int_equal(session.match->world.rules.score_limit, 30); // as is usual for teams
    rotation_restart(&rotation, session.match);
    plays_next(1, "foundry");
    rotation_mode(&rotation, "breakout", "breakout", &error);
    plays_next(1, "breakout");
    assert_int_equal(session.match->world.rules.mode, MODE_BREAKOUT);
}

TEST(a_match_goes_on_while_the_next_map_is_prepared)
{
    map_loader_wait(loader);
    const struct match_map *before = session.match->prepared;
    rotation_map(&rotation, session.match, "foundry");
    while (rotation.waits != ROTATION_WAITS_NOT) { // a few ticks, or many on a busy machine
        const struct rotation_next *next = rotation_due(&rotation, session.match);
        assert_true(next == NULL || (next->map != before && match_map_nav_graph(next->map)));
        session_run(&session, next == NULL);
    }
    assert_true(session.match->prepared == before && match_map_nav_graph(before));
    assert_int_equal(session.probes[0].desyncs, 0);
}

TEST(a_map_that_is_in_memory_needs_no_new_graph)
{
    const struct match_map *before = session.match->prepared;
    rotation_restart(&rotation, session.match);
    assert_true(follows(1));
    assert_true(session.match->prepared == before);
}

// A request or a check of a list comes between an operator's command and the match that it begins.
TEST(a_request_does_not_replace_an_operators_command)
{
    assert_true(rotation_mode(&rotation, "breakout", "breakout", &error));
    assert_false(rotation_vote(&rotation, session.match, 0, "map foundry", &error));
    assert_non_null(strstr(error.text, "another map is being prepared"));
    plays_next(1, "breakout");
    assert_int_equal(session.match->world.rules.mode, MODE_BREAKOUT);
    assert_true(rotation_mode(&rotation, "ffa", "foundry", &error));
    assert_true(rotation_validate(&settings.rotation, MODE_FFA, &map, &error)); // duel is the last
    plays_next(1, "foundry");
}

TEST(an_operators_command_comes_before_a_vote_that_passes)
{
    passes("map foundry"); // two of three
    assert_true(rotation_mode(&rotation, "breakout", "breakout", &error));
    plays_next(1, "breakout");
    assert_int_equal(session.match->world.rules.mode, MODE_BREAKOUT);
    assert_false(follows(10)); // and the vote is over
}

static const char *last_chat_line(uint32_t probe)
{
    const struct probe *at = &session.probes[probe];
    return at->chat_line_count ? at->chat_lines[(at->chat_line_count - 1) % PROBE_CHAT_CAPACITY].text : "";
}

TEST(all_players_read_how_a_vote_ends)
{
    passes("restart");
    assert_non_null(due());
    session_run(&session, 5);
    for (uint32_t i = 0; i < 3; i++)
        assert_string_equal(last_chat_line(i), "The vote has passed.");
    assert_true(asks(0, "restart"));
    assert_true(vote_cast(session.match, 1, 1));
    assert_true(vote_cast(session.match, 2, 1));
    assert_null(due());
    session_run(&session, 5);
    for (uint32_t i = 0; i < 3; i++)
        assert_string_equal(last_chat_line(i), "The vote has failed.");
}

TEST(a_map_that_has_disappeared_fails_its_vote_with_the_reason)
{
    passes("map foundry");
    strcpy(session.match->vote.topic.target, "nowhere"); // as if its file were gone
    assert_null(due());
    session_run(&session, 5);
    assert_non_null(strstr(last_chat_line(0), "there is no map \"nowhere\""));
}

TEST(a_player_reads_why_their_map_cannot_be_voted_on)
{
    assert_true(asks(0, "map nowhere"));
    session_run(&session, 5);
    assert_int_equal(session.match->vote.message.choice_count, 0);
    assert_non_null(strstr(last_chat_line(0), "There is no vote: there is no map \"nowhere\""));
    assert_string_equal(last_chat_line(1), "");
    assert_true(rotation_vote(&rotation, session.match, 0, "map foundry", &error));
    peer_drop(session.match, 0, DENY_KICKED);
    assert_null(due()); // the player has left
    assert_int_equal(session.match->vote.message.choice_count, 0);
}

TEST(the_list_goes_on_past_a_map_that_has_disappeared)
{
    strcpy(settings.rotation.values[1], "nowhere");
    plays_after_end("duel");
    assert_int_equal(rotation.list_index, 2);
    settings.rotation = (struct option_list){2, {"nowhere", "neither"}};
    rotation_relist(&rotation, session.match);
    end_match();
    assert_false(follows(TUNING.over_ticks + 10));
    assert_string_equal(map_name(), "duel");
}

TEST(a_list_with_a_map_that_cannot_be_played_is_refused)
{
    struct option_list list = {3, {"duel", "nowhere", "foundry"}};
    assert_false(rotation_validate(&list, MODE_FFA, &map, &error));
    assert_non_null(strstr(error.text, "nowhere"));
    strcpy(list.values[1], "breakout");
    assert_true(rotation_validate(&list, MODE_FFA, &map, &error));
    assert_false(rotation_validate(&list, MODE_BREAKOUT, &map, &error)); // duel has no goals
    strcpy(list.values[2], "nowhere");
    assert_false(rotation_validate(&list, MODE_FFA, &map, &error));
    list.count = 2;
    assert_true(rotation_validate(&list, MODE_FFA, &map, &error));
}

TEST(the_list_continues_after_the_current_map)
{
    settings.rotation = (struct option_list){3, {"duel", "foundry", "skyline"}};
    strcpy(settings.map, "foundry");
    rotation_init(&rotation, &settings, loader);
    plays_after_end("skyline");
    rotation_restore(&rotation, "duel");
    plays_after_end("foundry");
    strcpy(settings.rotation.values[0], "foundry");
    strcpy(settings.rotation.values[1], "colosseum");
    rotation_relist(&rotation, session.match);
    plays_after_end("colosseum");
}

TEST(a_new_list_ends_the_vote_on_the_next_map_and_no_other)
{
    end_match();
    session_run(&session, 90);
    due();
    assert_int_equal(session.match->vote.message.choice_count, 3);
    rotation_relist(&rotation, session.match);
    assert_int_equal(session.match->vote.message.choice_count, 0);
    due();
    assert_int_equal(session.match->vote.message.choice_count, 3); // on the new list
    vote_end(session.match);
    assert_true(asks(0, "restart"));
    rotation_relist(&rotation, session.match);
    assert_int_equal(session.match->vote.message.choice_count, 2);
}

TEST(the_vote_on_the_next_map_leaves_time_before_and_after)
{
    end_match();
    for (uint32_t age = 0; age < TUNING.over_ticks; age++) {
        bool begins = due() != NULL;
        bool open = session.match->vote.message.choice_count > 0;
        uint32_t ticks = session.match->world.tick - session.match->world.round.since_tick;
        if (open != (ticks >= 60 && ticks < TUNING.over_ticks - 120))
            fail_msg("a vote is %s %u ticks after the end", open ? "open" : "closed", ticks);
        if (begins != (ticks == TUNING.over_ticks - 60))
            fail_msg("the next match is %s %u ticks after the end", begins ? "due" : "not due", ticks);
        if (begins)
            return;
        session_run(&session, 1);
    }
    fail();
}

TEST(a_vote_that_is_open_when_the_list_goes_on_ends)
{
    end_match();
    session_run(&session, TUNING.over_ticks - 61);
    assert_true(asks(0, "restart"));
    assert_null(due()); // too late for a vote on the next map
    assert_int_equal(session.match->vote.message.choice_count, 2);
    session_run(&session, 1);
    assert_non_null(due());
    assert_int_equal(session.match->vote.message.choice_count, 0);
}

TEST(an_empty_server_holds_no_vote)
{
    for (uint32_t i = 0; i < 3; i++)
        peer_drop(session.match, i, DENY_KICKED);
    end_match();
    for (uint32_t i = 0; i < TUNING.over_ticks - 60; i++) {
        assert_null(due());
        assert_int_equal(session.match->vote.message.choice_count, 0);
        session.match->world.tick++;
    }
    assert_non_null(due());
}

TEST(every_match_has_another_seed)
{
    uint32_t seeds[4] = {session.match->world.rules.seed};
    for (size_t i = 1; i < 4; i++) {
        rotation_restart(&rotation, session.match);
        assert_true(follows(1));
        seeds[i] = session.match->world.rules.seed;
        for (size_t k = 0; k < i; k++)
            assert_int_not_equal(seeds[i], seeds[k]);
    }
}

TEST(of_several_commands_the_newest_counts)
{
    uint64_t first = rotation_map(&rotation, session.match, "foundry");
    uint64_t second = rotation_mode(&rotation, "breakout", "duel", &error); // no goals
    assert_int_equal(outcome_of(first), ANSWER_REPLACED);
    assert_false(follows(1));
    assert_int_equal(outcome_of(second), ANSWER_FAILED);
    rotation_map(&rotation, session.match, "duel");
    rotation_map(&rotation, session.match, "foundry");
    plays_next(1, "foundry");
    assert_false(follows(10));
}
