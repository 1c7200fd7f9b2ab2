// SPDX-License-Identifier: MIT
//
// Tests commands of admins against a running match, from the admin socket and from players with an admin key.
#include "admin/commands.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "game/rules/mode.h"
#include "known_totals.h"
#include "net/impairment.h"
#include "net/net_address.h"
#include "probe.h"
#include "sync/player_name.h"
#include "test.h"
#include "test_folder.h"
#include "test_map.h"

#define NOW 1800000000 // 2027-01-15T08:00:00Z
#define KEY "abcdefghijklmnopqrstuvwxyz234567"

static struct session session;
static struct map map;
static struct admin_state admin;
static struct settings settings;
static struct log silent;
static struct tick_stats status;
static struct tick_clock ticks;
static char answers[8192];
static char subject[40]; // what the last line of the answer is about; empty: only text

static int64_t noon(void)
{
    return NOW;
}

static void begin(void)
{
    struct options_result nothing = {0}, result;
    char program[] = "deadfall-server", *words[] = {program, NULL};
    test_folder_make();
    memset(&settings, 0, sizeof settings);
    assert_int_equal(options_read(&SERVER_PROGRAM, &settings, 1, words, getenv, stdout, &result), OPTIONS_RUN);
    assert_true(settings_validate(&settings, &nothing, NULL));
    test_map_random(&map, 4, 60, 40);
    admin = (struct admin_state){
        .settings = &settings, .log = &silent, .status = &status, .clock = &ticks, .unix_time = noon, .keeps = false};
    struct match_config config = {.map = &map,
                                  .rules = {.mode = MODE_FFA, .seed = 7},
                                  .players_max = 4,
                                  .snapshot_rate = 60,
                                  .listener = command_listener_of(&admin)};
    session_begin(&session, &config, &(struct impairment){0}, 2);
    admin.match = session.match;
    session_run(&session, 60);
}

static void end(void)
{
    session_end(&session);
    test_folder_remove();
}

EACH_TEST(begin, end);

static void hear(void *context, const char *line, const struct fields *fields)
{
    (void)context;
    size_t used = strlen(answers);
    snprintf(subject, sizeof subject, "%s", fields ? fields->event : "");
    snprintf(answers + used, sizeof answers - used, "%s\n", line);
}

static bool execute(const char *line)
{
    struct command_caller caller = {COMMAND_CALLER_OUTSIDE, 0, true, "socket", hear, NULL, NULL};
    answers[0] = 0;
    return command_run(&admin, &caller, line);
}

static void does(const char *line, const char *answer)
{
    assert_true(execute(line));
    assert_string_equal(answers, answer);
}

static void does_with(const char *line, const char *words)
{
    assert_true(execute(line));
    if (!strstr(answers, words))
        fail_msg("%s: not \"%s\", but %s", line, words, answers);
}

static void refuses(const char *line, const char *answer)
{
    assert_false(execute(line));
    assert_string_equal(answers, answer);
}

static void key_of(uint32_t probe, char key[FINGERPRINT_TEXT_BYTES])
{
    uint32_t peer = peer_at_slot(session.match, session.probes[probe].slot);
    identity_fingerprint(session.match->peers[peer].client.identity, key);
}

// Programs read values and not sentences, so every command that an admin gives on the socket answers with some.
TEST(every_command_that_is_done_answers_with_values)
{
    char config[] = "deadfall-server", *words[] = {config, NULL};
    static const struct {
        const char *line, *subject;
    } rows[] = {
        {"help", "command"},          {"top", "top"},         {"status", "player"},
        {"say hello", "say"},         {"bans", "bans"},       {"pause", "pause"},
        {"set bots 2", "set"},        {"bots 1", "set"},      {"reload", "reload"},
        {"drain 5m", "drain"},        {"drain off", "drain"}, {"ban 192.0.2.1 1h", "ban"},
        {"unban 192.0.2.1", "unban"}, {"kick #0", "kicked"},  {"restart server", "restart"},
        {"shutdown", "shutdown"},
    };
    admin.argc = 1;
    admin.argv = words;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (!execute(rows[i].line) || strcmp(subject, rows[i].subject) != 0)
            fail_msg("%s: about \"%s\": %s", rows[i].line, subject, answers);
    session_run(&session, 2);
    assert_true(execute("resume"));
    assert_string_equal(subject, "pause");
}

TEST(commands_are_answered)
{
    static const struct {
        const char *line;
        bool done;
        const char *answer;
    } rows[] = {
        /*  1 */ {"nothing", false, "There is no such command. help lists them.\n"},
        /*  2 */ {"play", false, "Only players in the match can do that.\n"},
        /*  3 */ {"reload now", false, "That command takes no argument. help lists the commands.\n"},
        /*  4 */ {"say", false, "What? Give the text after say.\n"},
        /*  5 */ {"kick", false, "Who? Give a name (in \"quotes\" if it has blanks), #SLOT, or a key.\n"},
        /*  6 */ {"kick Nobody", false, "There is no player \"Nobody\". status lists the players.\n"},
        /*  7 */ {"kick #3", false, "There is no player \"#3\". status lists the players.\n"},
        /*  8 */ {"kick \"\"", false, "Who? Give a name (in \"quotes\" if it has blanks), #SLOT, or a key.\n"},
        /*  9 */ {"ban", false, "Who? Give a name (in \"quotes\" if it has blanks), #SLOT, or a key.\n"},
        /* 10 */ {"ban 10.0.0.0/4", false, "There is no player \"10.0.0.0/4\". status lists the players.\n"},
        /* 11 */ {"bans", true, "Nobody is banned.\n"},
        /* 12 */ {"unban Ann", false, "Which ban? Give a key, an address, or ADDRESS/BITS; bans lists them.\n"},
        /* 13 */ {"unban 192.0.2.1", false, "192.0.2.1 is not banned. bans lists who is.\n"},
        /* 14 */ {"set", false, "Give an option and its value, as in: set bot-skill hard\n"},
        /* 15 */ {"set bots", false, "Give an option and its value, as in: set bot-skill hard\n"},
        /* 16 */ {"set map duel", false, "map changes only by a restart\n"},
        /* 17 */ {"set nothing 1", false, "there is no option \"nothing\"\n"},
        /* 18 */ {"bots 17", false, "--bots is more than --max-players\n"},
        /* 19 */ {"bots many", false, NULL},
        /* 20 */ {"set admin-key me", false, NULL},
        /* 21 */ {"set bots 3", true, "changed: bots; only a restart changes: nothing\n"},
        /* 22 */ {"bots 2", true, "changed: bots; only a restart changes: nothing\n"},
        /* 23 */ {"record", false, "Say record on or record off. It is off now.\n"},
        /* 24 */ {"record off", false, "It is already off.\n"},
        /* 25 */
        {"record on", false,
         "There is no folder for recordings. Start the server with --record, or without --resume never.\n"},
        /* 26 */ {"resume", false, "The match is not paused.\n"},
        /* 27 */ {"records", false, "Say records player and a name or key, or records export.\n"},
        /* 28 */ {"records player", false, "Say records player and a name or key, or records export.\n"},
        /* 29 */ {"records player Ann", false, "This server keeps no records.\n"},
        /* 30 */ {"set password-file /nowhere/at/all", false, NULL},
        /* 31 */ {"set score-limit many", false, NULL},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        assert_int_equal(execute(rows[i].line), rows[i].done);
        assert_true(answers[0] != 0);
        if (rows[i].answer)
            assert_string_equal(answers, rows[i].answer);
    }
    assert_int_equal(session.match->bots, 2);
    assert_int_equal(settings.admin_keys.count, 0);
}

TEST(a_kicked_player_gets_the_reason)
{
    char line[40];
    snprintf(line, sizeof line, "kick #%u for camping", session.probes[1].slot);
    assert_true(execute(line));
    session_run(&session, 30);
    assert_int_equal(session.probes[1].denied, DENY_KICKED);
    assert_string_equal(session.probes[1].notice, "You were kicked: for camping.");
    assert_false(session.probes[0].ended);
}

TEST(a_key_is_banned_with_time_and_reason)
{
    char key[FINGERPRINT_TEXT_BYTES], line[100], reason[NET_REASON_BYTES] = "";
    key_of(1, key);
    struct net_client client = {0};
    ip_address_parse(&client.address, "192.0.2.1", 5);
    uint32_t peer = peer_at_slot(session.match, session.probes[1].slot);
    memcpy(client.identity, session.match->peers[peer].client.identity, sizeof client.identity);
    snprintf(line, sizeof line, "ban #%u 2h 3 times too often", session.probes[1].slot);
    assert_true(execute(line));
    snprintf(line, sizeof line, "%s is banned until 2027-01-15T10:00:00Z; 1 kicked.", key);
    assert_non_null(strstr(answers, line));
    assert_non_null(strstr(answers, "That lasts only until this server ends"));
    session_run(&session, 30);
    assert_int_equal(session.probes[1].denied, DENY_KICKED);
    struct net_admission admission = admin_state_admission(&admin);
    assert_false(admission.admits(admission.context, &client, reason));
    assert_string_equal(reason, "You are banned until 2027-01-15 10:00 UTC: 3 times too often.");
    snprintf(line, sizeof line, "unban %s", key);
    assert_true(execute(line));
    assert_true(admission.admits(admission.context, &client, reason));
}

TEST(a_reason_may_stand_in_place_of_a_time)
{
    assert_true(execute("ban 192.0.2.0/24 camping all day"));
    does("bans", "192.0.2.0/24 never camping all day\n");
    assert_true(execute("ban 192.0.2.9/24 1d less")); // the same range: replaces the ban
    does("bans", "192.0.2.0/24 2027-01-16T08:00:00Z less\n");
    refuses("ban 192.0.2.1 1d 1234567890123456789012345678901234567890123456789012345678901234567890123",
            "The reason is longer than 72 bytes.\n");
}

static void make_admin(uint32_t probe)
{
    settings.admin_keys.count = 1;
    key_of(probe, settings.admin_keys.values[0]);
}

TEST(no_ban_applies_to_an_admin)
{
    char line[40], reason[NET_REASON_BYTES];
    make_admin(0);
    snprintf(line, sizeof line, "ban #%u", session.probes[0].slot);
    refuses(line, "That is an admin's key. Remove it from --admin-key first.\n");
    struct ban ban = {.until = BAN_FOREVER};
    assert_true(ban_target_parse(settings.admin_keys.values[0], &ban.target));
    assert_true(ban_list_add(&admin.bans, &ban, NOW)); // as an edited file might have it
    uint32_t kept_out = 0;
    for (uint32_t i = 0; i < 2; i++)
        kept_out += !admin_state_admission(&admin).admits(&admin, &session.match->peers[i].client, reason);
    assert_int_equal(kept_out, 0);
    settings.admin_keys.count = 0;
    for (uint32_t i = 0; i < 2; i++)
        kept_out += !admin_state_admission(&admin).admits(&admin, &session.match->peers[i].client, reason);
    assert_int_equal(kept_out, 1);
}

static const char *last_line(uint32_t probe)
{
    uint32_t count = session.probes[probe].chat_line_count;
    return count ? session.probes[probe].chat_lines[count - 1].text : "";
}

static const char *say(uint32_t index, const char *text)
{
    struct probe *probe = &session.probes[index];
    struct message message = {.kind = MESSAGE_CHAT_SEND};
    memcpy(message.as.chat_send.text, text, strlen(text));
    probe->chat_line_count = 0;
    probe_send(probe, &message, NET_RELIABLE);
    session_run(&session, 70); // so that the rate limit lets the next one through
    return last_line(index);
}

TEST(only_admins_may_command_from_the_game)
{
    make_admin(0);
    assert_string_equal(say(1, "/bots 3"), "Only admins may do that.");
    assert_string_equal(say(1, "/shutdown"), "Only admins may do that.");
    assert_false(admin.ends);
    assert_string_equal(say(0, "/bots 3"), "changed: bots; only a restart changes: nothing");
    assert_int_equal(session.match->bots, 3);
    assert_string_equal(say(1, "/help"), "/help COMMAND says what it does, such as /help vote.");
    assert_int_equal(session.probes[1].chat_line_count, 2);
    assert_string_equal(session.probes[1].chat_lines[0].text,
                        "/help /top /team /spectate /play /w /vote /yes /no /bracket");
    assert_string_equal(say(1, "/help /team"), "/team blue|orange|auto: changes your team; auto picks the smaller one");
    assert_string_equal(say(1, "/help ban"), "There is no such command. /help lists them.");
    say(0, "/help");
    assert_non_null(strstr(session.probes[0].chat_lines[session.probes[0].chat_line_count - 2].text, "/shutdown"));
    say(0, "/say Hello");
    assert_string_equal(last_line(1), "Hello");
    say(0, "/shutdown");
    assert_true(admin.ends);
}

TEST(a_match_is_paused_and_continued)
{
    make_admin(0);
    assert_string_equal(say(1, "/pause"), "Only admins may do that.");
    say(0, "/pause");
    assert_string_equal(last_line(1), "The match is paused.");
    assert_int_equal(session.match->world.round.paused, 1);
    assert_string_equal(say(0, "/pause"), "The match is already paused.");
    does_with("status", ", paused, tick");
    does("resume", "The match goes on.\n");
    session_run(&session, 2);
    assert_int_equal(session.match->world.round.paused, 0);
    does("pause", "The match is paused until resume.\n");
    session_run(&session, 2);
    assert_int_equal(session.match->world.round.paused, 1);
    assert_int_equal(session.probes[0].desyncs + session.probes[1].desyncs, 0);
    session.match->world.round.paused = PAUSE_STALLED; // as after a restart
    refuses("pause", "The match waits for its players after a restart. Try again in a second.\n");
    refuses("resume", "The match is not paused.\n");
}

TEST(a_pause_of_a_lone_player_ends_when_somebody_else_is_there)
{
    uint8_t own[IDENTITY_BYTES];
    uint8_t *second = session.match->peers[1].client.identity;
    make_admin(0);
    assert_string_equal(say(0, "/pause alone"), "Others are connected, so the match goes on.");
    assert_string_equal(say(0, "/pause now"), "That command takes no argument but alone.");
    assert_false(execute("pause alone")); // the socket is nobody
    assert_int_equal(session.match->world.round.paused, PAUSE_NONE);
    memcpy(own, second, sizeof own);
    memcpy(second, session.match->peers[0].client.identity, sizeof own); // two players at one machine
    for (int i = 0; i < 2; i++) {
        assert_string_equal(say(0, "/pause alone"), ""); // the picture says it
        assert_int_equal(session.match->world.round.paused, PAUSE_ORDERED);
        assert_string_equal(say(0, "/resume"), "");
        assert_int_equal(session.match->world.round.paused, PAUSE_NONE);
    }
    say(0, "/pause alone");
    assert_int_equal(session.match->world.round.paused, PAUSE_ORDERED);
    memcpy(second, own, sizeof own);
    session_run(&session, 2);
    assert_int_equal(session.match->world.round.paused, PAUSE_NONE);
    say(0, "/pause"); // an operator's lasts
    assert_int_equal(session.match->world.round.paused, PAUSE_ORDERED);
    assert_int_equal(session.probes[0].desyncs + session.probes[1].desyncs, 0);
}

TEST(the_status_shows_sessions_refusals_and_the_vote)
{
    const struct transport_table *real = session.match->transport->table;
    struct transport_table table = *real;
    table.totals = known_totals;
    session.match->transport->table = &table;
    session.match->statistics.household_denials = 220;
    assert_true(execute("status"));
    session.match->transport->table = real;
    assert_non_null(strstr(answers, "sessions: 33 playing, 32 waiting, 31 accepted, 34 leaving, of 35 households\n"));
    assert_non_null(strstr(answers,
                           "refused: joins 211 by the rate of a household, 212 by the rate of all, 215 full, 216 by "
                           "version, 217 banned, 218 by password (221 of them untried), 220 by the places of a "
                           "household; 219 sessions "
                           "and 223 browsers gave way; queries 213 and 214 by rate; 220 sessions reset\n"));
    assert_null(strstr(answers, "vote:"));
    assert_true(vote_ask(session.match, 0, "Restart the match?", false));
    does_with("status", "vote: Restart the match? asked by ");
    assert_non_null(strstr(answers, " votes Yes\n"));
}

TEST(a_system_message_reaches_everyone)
{
    does("say Hello there", "Sent to everyone.\n");
    session_run(&session, 10);
    assert_string_equal(last_line(0), "Hello there");
    assert_string_equal(last_line(1), "Hello there");
    assert_true(execute("kick #1"));
    session_run(&session, 30);
    assert_string_equal(session.probes[1].notice, "You were kicked.");
    does("shutdown", "The server is shutting down.\n");
    assert_true(admin.ends);
}

TEST(an_address_that_many_share_cannot_be_banned)
{
    static const struct {
        const char *command;
        bool done;
    } rows[] = {
        /* 0 */ {"ban 198.51.100.7", false}, /* 1 */ {"ban 198.51.100.0/25 1h", false},
        /* 2 */ {"ban 198.51.101.7", true},  /* 3 */ {"ban 2001:db8:7::1", false},
        /* 4 */ {"ban 2001:db8:8::1", true}, /* 5 */ {"ban aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", true},
    };
    assert_true(execute("set household-exempt 198.51.100.0/24, 2001:db8:7::/48"));
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (execute(rows[i].command) != rows[i].done ||
            (strncmp(answers, "Many share that address", 23) == 0) == rows[i].done)
            fail_msg("row %zu: %s", i, answers);
    assert_true(execute("set household-exempt \"\""));
}

TEST(a_drain_takes_its_time_from_the_command_or_the_option)
{
    static const struct {
        const char *command;
        int64_t option_ms;
        bool done;
        uint64_t left_ms;
        const char *answer;
    } rows[] = {
        /* 0 */ {"drain off", 0, false, DRAIN_NONE, "The server does not drain.\n"},
        /* 1 */ {"drain", 0, true, 600000, "Nobody new may join. The server ends after the round, in 600 s at most.\n"},
        /* 2 */
        {"drain", 90000, true, 90000, "Nobody new may join. The server ends after the round, in 90 s at most.\n"},
        /* 3 */
        {"drain 2m", 90000, true, 120000, "Nobody new may join. The server ends after the round, in 120 s at most.\n"},
        /* 4 */
        {"drain 24h", 0, true, 86400000, "Nobody new may join. The server ends after the round, in 86400 s at most.\n"},
        /* 5 */
        {"drain 25h", 0, false, 86400000, "How long at most? Say drain 90s, drain 10m or drain off; up to a day.\n"},
        /* 6 */
        {"drain soon", 0, false, 86400000, "How long at most? Say drain 90s, drain 10m or drain off; up to a day.\n"},
        /* 7 */ {"drain off", 0, true, DRAIN_NONE, "Everybody may join again.\n"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        admin.settings->drain_ms = rows[i].option_ms;
        bool done = execute(rows[i].command);
        if (done != rows[i].done || drain_left_ms(session.match) != rows[i].left_ms ||
            strcmp(answers, rows[i].answer) != 0)
            fail_msg("row %zu: %s", i, answers);
        execute("status");
        assert_int_equal(strstr(answers, "drains: nobody new may join") != NULL, rows[i].left_ms != DRAIN_NONE);
    }
    admin.settings->drain_ms = 0;
}

// Everyone in the range goes, except the admin.
TEST(a_ban_of_a_range_kicks_all_but_admins)
{
    make_admin(0);
    for (uint32_t i = 0; i < MATCH_PEER_CAPACITY; i++)
        if (session.match->peers[i].state == PEER_PLAYING)
            ip_address_parse(&session.match->peers[i].client.address, "192.0.2.9", 4000);
    assert_true(execute("ban 192.0.2.0/24 1d pests"));
    assert_non_null(strstr(answers, "192.0.2.0/24 is banned until 2027-01-16T08:00:00Z; 1 kicked."));
    session_run(&session, 30);
    assert_true(session.probes[1].ended);
    assert_string_equal(session.probes[1].notice, "You are banned until 2027-01-16 08:00 UTC: pests.");
    assert_false(session.probes[0].ended);
    assert_true(execute("ban 192.0.2.0/24"));
    assert_non_null(strstr(answers, "192.0.2.0/24 is banned forever; 0 kicked."));
    does_with("unban 192.0.2.0/24", "192.0.2.0/24 may join again.");
    struct ban over = {.until = NOW};
    assert_true(ban_target_parse("192.0.2.1", &over.target));
    assert_true(ban_list_add(&admin.bans, &over, NOW - 1));
    does("bans", "Nobody is banned.\n"); // an expired ban is none
}

TEST(a_full_list_refuses_another_ban)
{
    for (uint32_t i = 0; i < BAN_LIST_CAPACITY; i++) {
        char address[40];
        struct ban ban = {.until = BAN_FOREVER};
        snprintf(address, sizeof address, "10.0.%u.%u", i / 256, i % 256);
        assert_true(ban_target_parse(address, &ban.target) && ban_list_add(&admin.bans, &ban, NOW));
    }
    refuses("ban 192.0.2.1", "There are 1024 bans, and no room for more. Lift one with unban first.\n");
}

// Of two names that differ only in case, the exact one is meant.
TEST(a_name_with_the_exact_case_wins)
{
    struct seat *seats = session.match->roster.seats;
    uint32_t first = session.probes[0].slot, second = session.probes[1].slot;
    player_name_from_text(seats[first].name, "Ann");
    player_name_from_text(seats[second].name, "ANN");
    does("kick Ann", "Ann was kicked.\n");
    does("kick ann", "ANN was kicked.\n"); // the only one left
    assert_false(execute("kick ann"));
}

static struct command_question waited_for;

static bool wait_for(void *context, struct command_question question)
{
    (void)context;
    waited_for = question;
    return question.number != 0;
}

// Executes a command and waits for its answer, which comes from another thread.
static bool execute_and_wait(const char *line)
{
    struct command_caller caller = {COMMAND_CALLER_OUTSIDE, 0, true, "socket", hear, wait_for, NULL};
    answers[0] = 0;
    waited_for.number = 0;
    bool done = command_run(&admin, &caller, line);
    for (int i = 0; i < 2000 && waited_for.number; i++) {
        enum answer_outcome outcome = command_question_answer(&admin, waited_for, &caller);
        if (outcome != ANSWER_OPEN)
            return outcome == ANSWER_DONE;
        nanosleep(&(struct timespec){.tv_nsec = 5000000}, NULL);
    }
    assert_int_equal(waited_for.number, 0);
    return done;
}

TEST(a_recording_begins_and_ends_at_a_command)
{
    char wanted[700];
    snprintf(settings.record, sizeof settings.record, "%s", test_folder_path(""));
    admin.recorder = recorder_open();
    for (int number = 1; number <= 2; number++) {
        const char *suffix = number == 1 ? "" : "-2";
        snprintf(wanted, sizeof wanted, "%s/%.*s-20270115-080000%s.dfr\n", settings.record, MAP_NAME_CAPACITY, map.name,
                 suffix);
        assert_true(execute_and_wait("record on"));
        assert_true(strncmp(answers, "recording to ", 13) == 0);
        assert_string_equal(answers + 13, wanted);
        assert_non_null(session.match->recorder);
        assert_true(execute("status"));
        assert_non_null(strstr(answers, "recording on, journal off"));
        assert_false(execute("record on"));
        assert_string_equal(answers, "It is already on.\n");
        assert_false(execute("record"));
        assert_string_equal(answers, "Say record on or record off. It is on now.\n");
        assert_true(execute_and_wait("record off"));
        assert_true(strncmp(answers, "recorded to ", 12) == 0);
        assert_string_equal(answers + 12, wanted);
        assert_null(session.match->recorder);
    }
    does("record on", "The recording begins.\n"); // a caller that cannot wait
    does("record off", "The recording ends.\n");
    strcpy(settings.record, "/proc/no");
    assert_false(execute_and_wait("record on"));
    assert_non_null(strstr(answers, "cannot record into /proc/no/"));
    assert_null(session.match->recorder);
    recorder_close(admin.recorder, NULL);
}

TEST(commands_without_room_are_refused)
{
    char text[1000] = "";
    silent = (struct log){.out = fmemopen(text, sizeof text, "w"), .level = LOG_INFO};
    setvbuf(silent.out, NULL, _IONBF, 0);
    struct command command = {.kind = COMMAND_TEAM, .slot = 200};
    while (match_enqueue_command(session.match, &command))
        ;
    refuses("pause", "Too many commands at once. Try again.\n");
    execute("set score-limit 4");
    assert_non_null(strstr(text, "too many commands at once: the limits of this match stay as they are"));
    session.match->command_count = 0;
    session.match->world.round.paused = 1;
    while (match_enqueue_command(session.match, &command))
        ;
    assert_false(execute("resume"));
    fclose(silent.out);
    silent = (struct log){.out = NULL};
}

TEST(an_export_is_named_by_its_time)
{
    char wanted[700];
    snprintf(settings.state_dir, sizeof settings.state_dir, "%s", test_folder_path(""));
    admin.records = records_open(test_folder_path("records.db"), noon, &silent);
    assert_true(execute_and_wait("records export"));
    assert_int_not_equal(waited_for.number, 0);
    snprintf(wanted, sizeof wanted, "All players were written to %s/players-1800000000.csv.\n", settings.state_dir);
    assert_string_equal(answers, wanted);
    assert_string_equal(subject, "records");
    refuses("records export", "Too many questions at once. Try again.\n"); // a caller that cannot wait
    records_close(admin.records);
    admin.records = NULL;
}

// The table of players' questions has a limit, and a free entry is used again.
TEST(the_number_of_open_questions_is_limited)
{
    struct command_question question = {COMMAND_ASKS_RECORDS, 99};
    for (uint64_t i = 1; i <= PENDING_QUESTION_CAPACITY; i++)
        assert_true(command_question_keep(&admin, 0, (struct command_question){COMMAND_ASKS_RECORDS, i}));
    assert_false(command_question_keep(&admin, 0, question));
    admin.questions[3].question.subject = COMMAND_ASKS_NOTHING;
    assert_true(command_question_keep(&admin, 1, question));
    assert_int_equal(admin.questions[3].question.number, 99);
    assert_int_equal(admin.questions[3].peer, 1);
}

TEST(limits_apply_at_once)
{
    assert_true(execute("set score-limit 3"));
    assert_true(execute("set time-limit 90s"));
    assert_true(execute("set friendly-fire on"));
    session_run(&session, 1);
    const struct rules *rules = &session.match->world.rules;
    assert_int_equal(rules->score_limit, 3);
    assert_int_equal(rules->time_limit_ticks, 5400);
    assert_int_equal(rules->friendly_fire, 1);
    assert_int_equal(rules->seed, 7);
    assert_true(execute("set score-limit -1"));
    session_run(&session, 1);
    assert_int_equal(rules->score_limit, mode_play(MODE_FFA)->score_limit); // the default of the mode
    assert_int_equal(session.probes[0].desyncs, 0);
}

// Help is what an operator reads first: the command, its arguments, and what it does.
TEST(help_says_what_each_command_takes_and_does)
{
    assert_true(execute("help"));
    assert_string_equal(
        answers,
        "help [COMMAND]: lists the commands, or explains one\n"
        "top [N]: lists the best players by rating\n"
        "map NAME|FILE: starts a match on another map\n"
        "mode ffa|lms|teams|breakout [MAP]: starts a match in another mode, and on another map if one is given\n"
        "variants NAME|-NAME|none ...: starts the match again, with variants added or removed\n"
        "bracket: shows the pairs of the tournament\n"
        "tournament start PLAYER PLAYER ...|win PLAYER|end: lets players, the best first, meet in pairs until one is "
        "left; "
        "decides the present match; ends it\n"
        "restart [match|server]: starts the match again, or the server, with the program and options as they are now\n"
        "pause [alone]: pauses the match; alone: until somebody else is there\n"
        "resume: resumes the match\n"
        "status: shows the state of the server and its players\n"
        "say TEXT: sends a message to everyone\n"
        "kick PLAYER [REASON]: disconnects a player, who may come back\n"
        "ban PLAYER|KEY|ADDRESS[/BITS] [TIME] [REASON]: bans a player for 30m, 12h, 7d, 2w or forever\n"
        "unban KEY|ADDRESS[/BITS]: lifts a ban\n"
        "bans: lists the bans\n"
        "bots N: fills up to N players with bots\n"
        "set KEY VALUE: sets an option that may change while the server runs; \"\" is an empty value\n"
        "records player NAME|KEY|export: shows a player's record, or writes all players to a CSV file\n"
        "record on|off: starts or ends a replay of the match\n"
        "reload: reads the options again, as SIGHUP does\n"
        "drain [TIME|off]: lets nobody new join, and ends the server after the round, at most after TIME\n"
        "shutdown: ends the server; the next one can continue the match\n");
}

// The thread of the database answers when it can; a tick never waits for it. A question that still waits does not hold
// up the next.
TEST(an_admin_in_the_game_reads_the_records)
{
    make_admin(0);
    admin.records = records_open(test_folder_path("records.db"), noon, &silent);
    assert_true(command_question_keep(
        &admin, 1, (struct command_question){COMMAND_ASKS_RECORDS, UINT64_MAX})); // which nobody answers
    say(0, "/records player Ann");
    for (uint32_t i = 0; i < 2000 && session.probes[0].chat_line_count == 0; i++) {
        nanosleep(&(struct timespec){.tv_nsec = 5000000}, NULL);
        command_question_send_answers(&admin);
        session_run(&session, 1);
    }
    assert_string_equal(session.probes[0].chat_lines[0].text,
                        "No player with the name or key \"Ann\" has played here.");
    assert_int_equal(admin.questions[0].question.number, UINT64_MAX);
    assert_int_equal(admin.questions[1].question.subject, COMMAND_ASKS_NOTHING);
    records_close(admin.records);
}

TEST(status_lists_the_players)
{
    char key[FINGERPRINT_TEXT_BYTES];
    assert_true(execute("status"));
    assert_non_null(strstr(answers, "; 2 players, 0 bots, up to 4; bots play at skill idle\n"));
    for (uint32_t i = 0; i < 2; i++) {
        char row[200];
        key_of(i, key);
        snprintf(row, sizeof row, "\n#%u \"%s\" %s from 127.0.0.1:", session.probes[i].slot,
                 i == 0 ? "Player" : "Player 2", key);
        assert_non_null(strstr(answers, row));
    }
    status = (struct tick_stats){0};
    for (uint32_t i = 0; i < 200; i++)
        status_count_tick(&status, i < 198 ? 20000 : 9000000);
    ticks.overruns = 7;
    session.match->statistics.ticks_stood_still = 8;
    session.match->world.players[session.probes[0].slot].score = 12;
    session.match->peers[peer_at_slot(session.match, 1)].state = PEER_LOADING;
    assert_true(execute("status"));
    assert_non_null(strstr(
        answers, "\n99 of 100 ticks take up to 50 us, the longest took 9000 us; 7 overruns, stood still for 8 ticks; "
                 "recording off, journal off\n"));
    assert_non_null(strstr(answers, " ms, score 12\n"));
    assert_non_null(strstr(answers, " ms, score 0, loading\n"));
    status = (struct tick_stats){0};
    ticks.overruns = 0;
}

TEST(a_player_is_named_by_slot_name_or_key)
{
    char key[FINGERPRINT_TEXT_BYTES], line[200];
    const char *const words[] = {"#1", "\"player 2\"", "\"PLAYER 2\"", key};
    for (size_t i = 0; i < 4; i++) {
        key_of(1, key);
        snprintf(line, sizeof line, "kick %s", words[i]);
        if (!execute(line) || !strstr(answers, "Player 2 was kicked."))
            fail_msg("%s: %s", line, answers);
        end();
        begin();
    }
    memset(line, 0, sizeof line);
    memset(line, 'x', 5 + 79);
    memcpy(line, "kick ", 5);
    assert_false(execute(line));
    assert_non_null(strstr(answers, "There is no player \"xxx"));
    line[5 + 79] = 'x'; // one more than a word may have
    assert_false(execute(line));
    assert_non_null(strstr(answers, "Who?"));
}

TEST(a_setting_reaches_the_match)
{
    assert_true(execute("set bot-skill hard"));
    session_run(&session, 1);
    assert_int_equal(session.match->world.rules.bot_skill, SKILL_HARD);
    assert_true(execute("bots 3"));
    assert_int_equal(session.match->bots, 3);
    assert_true(execute("set log-level debug"));
    assert_int_equal(silent.level, LOG_DEBUG);
    assert_true(execute("set log-format json"));
    assert_int_equal(silent.format, LOG_JSON);
    silent = (struct log){.out = NULL};
}

TEST(only_commands_of_admins_are_audited)
{
    snprintf(admin.audit.path, sizeof admin.audit.path, "%s", test_folder_path("audit.log"));
    admin.keeps = true;
    execute("help");
    execute("bots 1");
    execute("nonsense");
    execute("kick nobody");
    execute("status"); // these only read, and monitoring asks them all day
    execute("bans");
    execute("records player Ann");
    assert_string_equal(test_folder_read("audit.log"),
                        "2027-01-15T08:00:00Z socket done: bots 1 -> changed: bots; only a restart changes: nothing\n"
                        "2027-01-15T08:00:00Z socket refused: kick nobody -> There is no player \"nobody\". status "
                        "lists the players.\n");
}
