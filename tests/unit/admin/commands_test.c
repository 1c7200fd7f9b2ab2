// SPDX-License-Identifier: MIT
//
// Tests commands that players type, against a running match.
#include "admin/commands.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "lifecycle/rotation.h"
#include "net/impairment.h"
#include "probe.h"
#include "records_rows.h"
#include "sync/player_name.h"
#include "test.h"
#include "test_map.h"

static struct session session;
static struct map map;
static struct admin_state admin;
static struct settings settings;
static struct log silent;
static struct tick_stats status;
static struct tick_clock ticks;

static int64_t noon(void)
{
    return 1700000000;
}

static void begin(uint32_t mode)
{
    test_map_random(&map, 4, 60, 40);
    struct match_config config = {.map = &map,
                                  .rules = {.mode = mode, .seed = 7},
                                  .players_max = 4,
                                  .snapshot_rate = 60,
                                  .listener = command_listener_of(&admin)};
    settings = (struct settings){0};
    admin = (struct admin_state){
        .settings = &settings, .log = &silent, .status = &status, .clock = &ticks, .unix_time = noon};
    session_begin(&session, &config, &(struct impairment){0}, 2);
    admin.match = session.match;
    session_run(&session, 60);
}

static void begin_ffa(void)
{
    begin(MODE_FFA);
}

static void end(void)
{
    session_end(&session);
}

EACH_TEST(begin_ffa, end);

// Sends a line and returns the answer: the number of lines, and the last of them.
static uint32_t say(const char *text, const char **answer)
{
    struct probe *probe = &session.probes[0];
    struct message message = {.kind = MESSAGE_CHAT_SEND};
    memcpy(message.as.chat_send.text, text, strlen(text));
    probe->chat_line_count = 0;
    probe_send(probe, &message, NET_RELIABLE);
    session_run(&session, 70); // so that the rate limit lets the next one through
    *answer = probe->chat_line_count ? probe->chat_lines[probe->chat_line_count - 1].text : "";
    return probe->chat_line_count;
}

static const struct player *player(void)
{
    return &session.match->world.players[session.probes[0].slot];
}

static void nobody_is_out_of_step(void)
{
    for (uint32_t i = 0; i < 2; i++)
        assert_int_equal(session.probes[i].desyncs + session.probes[i].undecodable, 0);
}

TEST(a_command_is_refused_or_explained_in_one_line)
{
    static const struct {
        const char *line, *answer;
    } rows[] = {
        /* 1 */ {"/nothing", "There is no such command. /help lists them."},
        /* 2 */ {"/hel", "There is no such command. /help lists them."},
        /* 3 */ {"/HELP", "There is no such command. /help lists them."},
        /* 4 */ {"/ help", "There is no such command. /help lists them."},
        /* 5 */ {"/%s%n", "There is no such command. /help lists them."},
        /* 6 */ {"/help me", "There is no such command. /help lists them."},
        /* 7 */ {"/team", "Which team? Say /team blue, /team orange or /team auto."},
        /* 8 */ {"/team green", "Which team? Say /team blue, /team orange or /team auto."},
        /* 9 */ {"/team red", "There are no teams in this mode."},
        /* 10 */ {"/top", "This server keeps no records."},
        /* 11 */ {"/top 0", "How many? Say /top, or /top and a number from 1 to 10."},
        /* 12 */ {"/top 11", "How many? Say /top, or /top and a number from 1 to 10."},
        /* 13 */ {"/top 3x", "How many? Say /top, or /top and a number from 1 to 10."},
        /* 14 */
        {"/help vote",
         "/vote map NAME|mode NAME|variants NAME|restart|kick NAME|NUMBER: starts a vote, or votes in the open one"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const char *answer;
        assert_int_equal(say(rows[i].line, &answer), 1);
        assert_string_equal(answer, rows[i].answer);
    }
    assert_int_equal(session.probes[1].chat_line_count, 0);
}

TEST(the_best_players_are_listed)
{
    const char *answer;
    struct records_player best;
    struct records_row rows[3] = {records_row('a', "Ada", 3, 1), records_row('b', "Bob", 2, 2),
                                  records_row('c', "Cy", 1, 3)};
    for (int i = 0; i < 3; i++)
        rows[i].earned.score = 3 - i;
    rows[0].match_rows = 3;
    struct records *records = admin.records = records_open(records_path("commands.db"), noon, NULL);
    assert_int_equal(say("/top", &answer), 1);
    assert_string_equal(answer, "Nobody has finished a match here yet.");
    records_put(records, rows, 3);
    for (int i = 0; i < 2000 && records_top(records, 1, &best) == 0; i++)
        nanosleep(&(struct timespec){.tv_nsec = 5000000}, NULL);
    assert_int_equal(say("/top", &answer), 3);
    assert_string_equal(answer, "3. Cy 1392 ±483, matches 1, won 0, kills 1, deaths 3");
    assert_int_equal(say("/top 10", &answer), 3);
    assert_int_equal(say("/top 2", &answer), 2);
    assert_string_equal(answer, "2. Bob 1522 ±483, matches 1, won 0, kills 2, deaths 2");
    records_close(records);
}

static struct command_question asked; // the question that a command has left; number 0: none

static void keep_answer(void *context, const char *line, const struct fields *fields)
{
    (void)fields;
    strcpy(context, line);
}

static struct rotation rotation;
static struct worker *worker;
static struct map_loader *loader;

static void begin_rotation(void)
{
    worker = worker_open();
    loader = map_loader_open(worker);
    memset(&rotation, 0, sizeof rotation);
    strcpy(settings.map, "duel");
    rotation_init(&rotation, &settings, loader);
    map_loader_begin(loader, &session.match->map);
    admin.rotation = &rotation;
}

static void end_rotation(void)
{
    worker_close(worker);
    map_loader_close(loader);
}

// What a command answers to the first probe's player, and whether it was carried out.
TEST(commands_say_whether_they_were_carried_out)
{
    static const struct {
        const char *line;
        bool done;
        const char *answer; // "": none
    } rows[] = {
        /*  0 */ {"yes", false, "No vote is open."},
        /*  1 */ {"no", false, "No vote is open."},
        /*  2 */ {"vote 1", false, "No vote is open."},
        /*  3 */
        {"vote", false, "There is no vote: you can vote on: map NAME, mode NAME, variants NAME, restart, kick NAME."},
        /*  4 */
        {"vote map ../duel", false, "There is no vote: a map's name has letters, digits, _ and - only."},
        /*  5 */ {"vote restart", true, ""},
        /*  6 */ {"vote restart", false, "There is no vote: a vote is open already."},
        /*  7 */ {"vote 2", true, ""},
        /*  8 */ {"vote 3", false, "The vote has no such choice."},
        /*  9 */ {"vote 9999999999999999999999", false, "The vote has no such choice."},
        /* 10 */ {"vote 6", false, "The vote has no such choice."},
        /* 11 */ {"vote 2x", false, "There is no vote: a vote is open already."},
        /* 12 */ {"vote 0", false, "There is no vote: a vote is open already."},
        /* 13 */ {"yes", true, ""},
        /* 14 */ {"no", true, ""},
        /* 15 */ {"spectate", true, ""},
        /* 16 */ {"play", true, ""},
        /* 17 */ {"team auto", true, ""},
        /* 18 */ {"team blue", false, "There are no teams in this mode."},
        /* 19 */ {"team", false, "Which team? Say /team blue, /team orange or /team auto."},
        /* 20 */ {"top", true, "This server keeps no records."},
        /* 21 */ {"restart", false, "Only admins may do that."},
    };
    static const uint32_t chosen[sizeof rows / sizeof *rows] = {
        [5] = 1, [6] = 1, [7] = 2, [8] = 2, [9] = 2, [10] = 2, [11] = 2, [12] = 2, [13] = 1, [14] = 2};
    char answer[COMMAND_ANSWER_BYTES_MAX + 1];
    begin_rotation(); // no row asks for a map
    uint32_t slot = session.probes[0].slot, peer = peer_at_slot(session.match, slot);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct command_caller caller = {.peer = peer, .answer = keep_answer, .context = answer};
        answer[0] = 0;
        if (command_run(&admin, &caller, rows[i].line) != rows[i].done || strcmp(answer, rows[i].answer) != 0)
            fail_msg("row %zu: %s", i, answer);
        if (chosen[i] && session.match->vote.chosen[slot] != chosen[i])
            fail_msg("row %zu: choice %u", i, session.match->vote.chosen[slot]);
    }
    session.match->peers[peer].state = PEER_LOADING;
    struct command_caller caller = {.peer = peer, .answer = keep_answer, .context = answer};
    assert_false(command_run(&admin, &caller, "spectate"));
    assert_string_equal(answer, "You are not in the match yet. Try again in a second.");
    end_rotation();
}

static bool keep_question(void *context, struct command_question question)
{
    (void)context;
    asked = question;
    return true;
}

TEST(admins_choose_the_next_match)
{
    static const struct {
        const char *line;
        bool done;     // at once; the rest of the answer comes when the map is ready
        uint32_t mode; // of the next match; MODES: there is none
        const char *answer;
    } rows[] = {
        /* 0 */ {"map duel", true, MODE_FFA, "The next match begins."},
        /* 1 */
        {"map nowhere", true, MODES,
         "The match goes on as it is: there is no map \"nowhere\" in $DEADFALL_MAP_DIR or among the game's own; give "
         "the name of a map or a file."},
        /* 2 */ {"mode lms", true, MODE_LMS, "The next match begins."},
        /* 3 */ {"mode lms   duel", true, MODE_LMS, "The next match begins."},
        /* 4 */
        {"mode lms nowhere", true, MODES,
         "The match goes on as it is: there is no map \"nowhere\" in $DEADFALL_MAP_DIR or among the game's own; give "
         "the name of a map or a file."},
        /* 5 */
        {"mode chess", false, MODES,
         "The match goes on as it is: there is no mode \"chess\"; there are ffa, lms, teams and breakout."},
        /* 6 */ {"restart", true, MODE_FFA, "The next match begins."},
        /* 7 */ {"variants ice,bombs", true, MODE_FFA, "The next match begins."},
        /* 8 */
        {"variants lava", false, MODES,
         "The match goes on as it is: say NAME, -NAME or none, of endless-arrows,one-arrow,no-arrows,bombs,drills,"
         "low-gravity,high-jumps,fast,ice,mirrored,no-dash,explosive-death,shields,wings,hasty-crushers."},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char answer[RECORDS_ANSWER_BYTES] = "";
        struct command_caller caller = {COMMAND_CALLER_OUTSIDE, 0, true, "socket", keep_answer, keep_question, answer};
        end();
        begin(MODE_FFA);
        begin_rotation();
        asked.number = 0;
        if (command_run(&admin, &caller, rows[i].line) != rows[i].done || (asked.number != 0) != rows[i].done)
            fail_msg("row %zu: %s", i, answer);
        if (asked.number && command_question_answer(&admin, asked, &caller) != ANSWER_OPEN)
            fail_msg("row %zu: an answer before there is one", i);
        map_loader_wait(loader);
        const struct rotation_next *next = rotation_due(&rotation, session.match);
        if ((next ? next->rules.mode : MODES) != rows[i].mode)
            fail_msg("row %zu: the next match", i);
        if (asked.number && command_question_answer(&admin, asked, &caller) != (next ? ANSWER_DONE : ANSWER_FAILED))
            fail_msg("row %zu: no answer", i);
        if (strcmp(answer, rows[i].answer) != 0)
            fail_msg("row %zu: %s", i, answer);
        end_rotation();
    }
}

// A player who gives a newer command in the game sees what begins; a script wants to know what became of each.
TEST(only_a_script_learns_of_a_command_that_a_newer_one_replaced)
{
    char answer[RECORDS_ANSWER_BYTES] = "";
    struct command_caller caller = {COMMAND_CALLER_OUTSIDE, 0, true, "socket", keep_answer, keep_question, answer};
    begin_rotation();
    assert_true(command_run(&admin, &caller, "variants ice"));
    struct command_question first = asked;
    assert_true(command_run(&admin, &caller, "mode lms"));
    assert_int_equal(command_question_answer(&admin, first, &caller), ANSWER_FAILED);
    assert_string_equal(answer, "A newer command decides what is played.");
    answer[0] = 0;
    caller.peer = 0;
    assert_int_equal(command_question_answer(&admin, first, &caller), ANSWER_FAILED);
    assert_string_equal(answer, "");
    end_rotation();
}

TEST(a_player_spectates_and_comes_back)
{
    const char *answer;
    assert_int_equal(say("/spectate", &answer), 0);
    assert_int_equal(player()->team_choice, TEAM_SPECTATE);
    assert_int_equal(say("/play", &answer), 0);
    assert_int_equal(player()->team_choice, TEAM_AUTO);
    nobody_is_out_of_step();
}

// Two whispers: to the other, and to oneself, which the other does not hear.
TEST(a_whisper_reaches_one_player_only)
{
    const char *answer;
    char own[PLAYER_NAME_BYTES + 1], other[PLAYER_NAME_BYTES + 1], line[80];
    player_name_to_text(player()->name, own);
    player_name_to_text(session.match->world.players[session.probes[1].slot].name, other);
    snprintf(line, sizeof line, "/w %s  well  done", other);
    assert_int_equal(say(line, &answer), 1);
    assert_non_null(strstr(answer, "well done"));
    assert_non_null(strstr(answer, other));
    assert_int_equal(session.probes[1].chat_line_count, 1);
    assert_int_equal(session.probes[1].chat_lines[0].from, session.probes[0].slot + 1);
    assert_int_equal(session.probes[1].chat_lines[0].flags, CHAT_PRIVATE);
    assert_string_equal(session.probes[1].chat_lines[0].text, "well done");
    snprintf(line, sizeof line, "/w %s psst", own);
    assert_int_equal(say(line, &answer), 2); // what was whispered, and the copy
    assert_int_equal(session.probes[1].chat_line_count, 1);
    static const char *const NOBODY[] = {"/w", "/w nobody psst"};
    for (size_t i = 0; i < 2; i++) {
        assert_int_equal(say(NOBODY[i], &answer), 1);
        assert_non_null(strstr(answer, "/w, the name"));
    }
    snprintf(line, sizeof line, "/w %s", other); // and nothing
    assert_int_equal(say(line, &answer), 1);
    assert_non_null(strstr(answer, "/w, the name"));
    assert_int_equal(session.probes[1].chat_line_count, 1);
    nobody_is_out_of_step();
}

TEST(a_player_changes_teams)
{
    const char *answer;
    end();
    begin(MODE_TEAMS);
    say("/team blue", &answer);
    assert_int_equal(player()->team_choice, TEAM_ONE);
    say("/team orange", &answer);
    assert_int_equal(player()->team_choice, TEAM_TWO);
    say("/team blue", &answer);
    say("/team red", &answer); // by its colour
    assert_int_equal(player()->team_choice, TEAM_TWO);
    nobody_is_out_of_step();
}

TEST(invalid_commands_are_dropped_and_too_many_refused)
{
    struct command command = {.kind = COMMAND_TEAM, .slot = 200, .team = TEAM_SPECTATE}; // no player in this slot
    for (uint32_t i = 0; i < MATCH_COMMAND_CAPACITY; i++)
        assert_true(match_enqueue_command(session.match, &command));
    assert_false(match_enqueue_command(session.match, &command));
    session_run(&session, 2);
    assert_int_equal(session.match->command_count, 0);
    nobody_is_out_of_step();
}
