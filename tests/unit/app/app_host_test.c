// SPDX-License-Identifier: MIT
//
// Tests matches that the app hosts. A script beside this test replaces deadfall-server: it stores its arguments and
// prints the port of the server of app_session.h, which the app then joins.
#include <SDL.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "app/menu/screens.h"
#include "app_session.h"
#include "game/variant.h"
#include "net/crypto/identity.h"
#include "test.h"
#include "window/keyboard.h"

static char script_path[512];
static bool is_mute;      ///< the server never says a word
static int waited_ms;     ///< for its words, and for its end
static int longest_ms;    ///< one wait
static bool waits_faster; ///< for its end

// base/platform/posix/child.c waits with this: for the server's words, and in short steps for its end.
int poll(struct pollfd *files, nfds_t count, int timeout_ms)
{
    longest_ms = timeout_ms > longest_ms ? timeout_ms : longest_ms;
    waited_ms += timeout_ms;
    if (is_mute && count)
        return 0;
    struct timespec time = {timeout_ms / 1000, (waits_faster && !count ? 1 : timeout_ms % 1000) * 1000000L};
    return (int)syscall(SYS_ppoll, files, count, &time, NULL, 0);
}

// Writes the script with shell lines to run before the server is ready.
static void write_script(const char *lines)
{
    ssize_t length = readlink("/proc/self/exe", script_path, sizeof script_path - 32);
    assert_true(length > 0);
    script_path[length] = 0;
    strcpy(strrchr(script_path, '/') + 1, "deadfall-server");
    FILE *file = fopen(script_path, "w");
    assert_non_null(file);
    fprintf(file, "#!/bin/sh\nprintf '%%s ' \"$@\" >%s\n%s\necho hello\n", test_folder_path("arguments"), lines);
    fprintf(file, "echo 'ready: udp 127.0.0.1:%u map=duel key=%s'\nexec sleep 1000\n", session.port,
            session.fingerprint);
    fclose(file);
    assert_int_equal(chmod(script_path, 0700), 0);
}

static const char *arguments(void)
{
    return test_folder_read("arguments");
}

static void begin(const char *lines, const char *a, const char *b, const char *c)
{
    const char *words[] = {a, b, c, NULL};
    app_session_begin(NULL, words);
    write_script(lines);
}

static void end(void)
{
    app_session_end();
    remove(script_path);
}

static void check_joined(bool open)
{
    app_session_pass(1);
    assert_true(local_players_is_playing(&session.play->local));
    assert_int_equal(shell->context.menu.depth, 0);
    assert_true(shell->context.menu.facts.hosting);
    assert_int_equal(shell->context.menu.facts.open_port, open ? session.port : 0);
    assert_string_equal(session.play->local.address.host, "127.0.0.1");
    assert_string_equal(session.play->local.address.fingerprint, session.fingerprint);
}

ALL_TESTS(app_session_create, test_folder_remove);
EACH_TEST(NULL, end);

TEST(play_now_starts_and_joins_a_server_for_this_machine_only)
{
    struct error error;
    struct net_ticket none = {.bytes = {0}};
    char key[FINGERPRINT_TEXT_BYTES], expected[1024];
    begin("", NULL, NULL, NULL);
    app_session_start();
    snprintf(session.play->local.password, sizeof session.play->local.password, "of another server");
    memset(&session.play->local.ticket, 1, sizeof session.play->local.ticket); // as the password
    menu_command(&shell->context.menu, APP_COMMAND_PLAY, NULL);
    shell_execute(shell);
    assert_memory_equal(&session.play->local.ticket, &none, sizeof none);
    menu_command(&shell->context.menu, APP_COMMAND_LEAVE, NULL);
    shell_execute(shell);
    app_session_choose("Play now");
    check_joined(false);
    assert_string_equal(session.play->local.password, "");
    app_session_press(KEY_ESCAPE);
    app_session_choose("Leave");
    assert_int_equal(session.play->host.server.child.process, 0);
    assert_false(shell->context.menu.facts.hosting);
    app_session_choose("Play now"); // now the player has a key, which makes them admin
    check_joined(false);
    assert_true(identity_fingerprint_of_file(session.settings.key_path, key, &error));
    snprintf(
        expected, sizeof expected,
        "--resume never --port 0 --bind 127.0.0.1 --map foundry --mode ffa --bot-skill adaptive --name Deadfall "
        "--bots 4 --max-players 16 --log-level warning --rotation foundry,clockwork,skyline,breakout,duel,colosseum "
        "--admin-key %s --handicaps --record %s ",
        key, test_folder_path("replays"));
    assert_string_equal(arguments(), expected);
}

TEST(play_now_is_the_usual_match_whatever_was_chosen_for_others)
{
    begin("", NULL, NULL, NULL);
    app_session_start();
    shell->context.profile.preferences.mode = MODE_TEAMS;
    shell->context.profile.preferences.bots = 2;
    shell->context.profile.preferences.bot_skill = SKILL_RANDOM;
    shell->context.lobby.players[0].handicap = HANDICAP_SHIELD;
    preferences_set_variants(&shell->context.profile.preferences, 1u << VARIANT_ICE);
    snprintf(shell->context.profile.preferences.map, sizeof shell->context.profile.preferences.map, "duel");
    app_session_choose("Play now");
    check_joined(false);
    assert_non_null(strstr(arguments(), "--map duel --mode ffa --bot-skill adaptive "));
    assert_non_null(strstr(arguments(), "--bots 4 --max-players 16 "));
    assert_null(strstr(arguments(), "--variants"));
    assert_int_equal(shell->context.lobby.players[0].handicap, 0);
    assert_int_equal(shell->context.profile.preferences.mode, MODE_TEAMS); // for the next match that is hosted
}

TEST(a_menu_asks_the_own_server_to_pause)
{
    begin("", NULL, NULL, NULL);
    app_session_start();
    app_session_choose("Play now");
    check_joined(false);
    session.commands[0] = 0;
    shell->context.window.unfocused = true;
    app_session_pass(0.5);
    assert_ptr_equal(app_session_screen(), &SCREEN_PAUSE);
    assert_string_equal(session.commands, "pause alone\n");
    session.match->world.round.paused = PAUSE_ORDERED;
    app_session_press(KEY_ESCAPE);
    assert_int_equal(shell->context.menu.depth, 0); // and no menu opens again before the focus has been there
    shell->context.profile.preferences.background_mute = true;
    app_session_pass(0.1);
    assert_int_equal(shell->context.presenter.volumes.master, 0);
    shell->context.window.unfocused = false;
    app_session_pass(0.1);
    assert_int_equal(shell->context.presenter.volumes.master, 80);
}

TEST(host_listens_to_the_network_with_the_chosen_settings)
{
    begin("", "--seed", "7", NULL);
    app_session_start();
    shell->context.profile.preferences.mode = MODE_BREAKOUT;
    shell->context.profile.preferences.bots = 20;
    shell->context.profile.preferences.bot_skill = SKILL_HARD;
    preferences_set_variants(&shell->context.profile.preferences, 1u << VARIANT_ICE | 1u << VARIANT_BOMBS);
    snprintf(shell->context.profile.preferences.map, sizeof shell->context.profile.preferences.map, "breakout");
    snprintf(shell->context.profile.preferences.server_name, sizeof shell->context.profile.preferences.server_name,
             "My arena");
    app_session_choose("Host");
    app_session_choose("Start");
    check_joined(true);
    assert_non_null(strstr(arguments(), "--port 27440 --bind 0.0.0.0 --map breakout --mode breakout --bot-skill hard "
                                        "--name My arena --bots 20 --max-players 20 "));
    assert_non_null(strstr(arguments(), "--rotation breakout "));
    assert_non_null(strstr(arguments(), "--seed 7 "));
    assert_non_null(strstr(arguments(), "--variants bombs,ice "));
    app_session_press(KEY_ESCAPE);
    shell->context.profile.preferences.bots = 5; // what is chosen for later matches does not matter here
    shell->context.profile.preferences.mode = MODE_LMS;
    app_session_choose("Change map");
    assert_ptr_equal(app_session_screen(), &SCREEN_CHANGE);
    assert_int_equal(shell->context.profile.preferences.bots, 20);
    assert_int_equal(preferences_variants(&shell->context.profile.preferences.variants), // a vote may have changed them
                     client_world(session.play->local.client)->rules.variants);
    assert_int_equal(preferences_mode(&shell->context.profile.preferences, 1),
                     client_world(session.play->local.client)->rules.mode);
    assert_string_equal(shell->context.profile.preferences.map, client_map(session.play->local.client)->name);
    app_session_press(KEY_ESCAPE); // without a change
    assert_ptr_equal(app_session_screen(), &SCREEN_PAUSE);
    assert_int_equal(shell->context.profile.preferences.bots, 5);
    assert_int_equal(shell->context.profile.preferences.mode, MODE_LMS);
    app_session_choose("Change map");
    assert_int_equal(shell->context.profile.preferences.bots, 20);
    app_session_press(KEY_DOWN);
    app_session_press(KEY_DOWN); // to Variants, and back
    shell->context.profile.preferences.bots = 21;
    shell->context.profile.unsaved = true;
    app_session_press(KEY_RETURN);
    assert_ptr_equal(app_session_screen(), &SCREEN_VARIANTS);
    static struct preferences kept;
    struct error error;
    assert_true(preferences_read(&kept, shell->context.profile.paths.preferences, &error));
    assert_int_equal(kept.bots, 5); // nothing is changed yet
    app_session_press(KEY_ESCAPE);
    assert_int_equal(shell->context.profile.preferences.bots, 21);
    menu_close(&shell->context.menu); // from anywhere, without a change
    app_session_pass(0.1);
    assert_int_equal(shell->context.profile.preferences.bots, 5);
    app_session_press(KEY_ESCAPE);
    app_session_choose("Change map");
    shell->context.profile.preferences.bots = 30; // more than there are seats
    shell->context.profile.preferences.mode = MODE_LMS;
    snprintf(shell->context.profile.preferences.map, sizeof shell->context.profile.preferences.map, "duel");
    session.commands[0] = 0;
    app_session_choose("Change now");
    app_session_pass(5);
    assert_string_equal(session.commands, "mode lms duel\n");
    assert_int_equal(shell->context.menu.depth, 0);
    shell->context.profile.preferences.bots = 3;
    shell->context.profile.preferences.bot_skill = SKILL_EASY;
    session.commands[0] = 0;
    menu_command(&shell->context.menu, APP_COMMAND_CHANGE, NULL);
    shell_execute(shell);
    app_session_pass(5);
    assert_string_equal(session.commands, "bots 3\nset bot-skill easy\nmode lms duel\n");
    preferences_set_variants(&shell->context.profile.preferences, (1u << VARIANTS) - 1);
    session.commands[0] = 0;
    menu_command(&shell->context.menu, APP_COMMAND_CHANGE, NULL);
    shell_execute(shell);
    app_session_pass(5);
    assert_string_equal(session.commands,
                        "variants none endless-arrows one-arrow no-arrows bombs drills low-gravity high-jumps fast ice "
                        "mirrored no-dash\nvariants explosive-death shields wings hasty-crushers\nmode lms duel\n");
}

TEST(play_now_is_for_one_player)
{
    begin("", NULL, NULL, NULL);
    app_session_start();
    lobby_press(&shell->context.lobby, DEVICE_KEYS, ACTION_JUMP);
    lobby_press(&shell->context.lobby, DEVICE_KEYS_SECOND, ACTION_JUMP);
    app_session_choose("Play now");
    check_joined(false);
    assert_int_equal(lobby_count(&shell->context.lobby), 0);
    assert_non_null(strstr(arguments(), "--mode ffa "));
}

#define KEY     "abcdefghijklmnopqrstuvwxyz234567"
#define INVITED "deadfall://203.0.113.7:40000#" KEY

TEST(a_host_invites_by_what_the_server_says_last)
{
    const struct menu_invitation *invitation = &shell->context.menu.facts.invitation;
    char sign[sizeof script_path + 8];
    begin("(read go <\"$0.go\"; seq 999 | tr -d '\\n'; echo; echo 'invite: deadfall://192.168.7.2:1#abc reach=router'; "
          "echo 'invite: " INVITED " reach=router') &",
          NULL, NULL, NULL);
    snprintf(sign, sizeof sign, "%s.go", script_path);
    assert_int_equal(mkfifo(sign, 0600), 0);
    int go = open(sign, O_RDWR | O_CLOEXEC); // so that the script ends with this process
    app_session_start();
    app_session_choose("Host");
    app_session_choose("Start");
    check_joined(true);
    assert_non_null(strstr(arguments(), "--print-invitations --port-mapping "));
    assert_string_equal(invitation->link, "");
    assert_int_equal(write(go, "\n", 1), 1);
    while (!invitation->link[0]) {
        sched_yield();
        shell_update(shell, NULL);
    }
    assert_string_equal(invitation->link, INVITED);
    assert_int_equal(invitation->reach, INVITATION_ROUTER);
    assert_true(invitation->code.side > 0);
    app_session_press(KEY_ESCAPE);
    app_session_choose("Leave");
    assert_string_equal(invitation->link, "");
    shell->context.profile.preferences.port_mapping = false;
    assert_null(strstr(arguments(), "--announce")); // unless the player says so
    shell->context.profile.preferences.listed = true;
    shell->context.profile.preferences.directories =
        (struct option_list){3, {"http://192.0.2.1/a/#" KEY, "https://192.0.2.2", "http://192.0.2.3:80/servers.json"}};
    app_session_choose("Host");
    app_session_choose("Start");
    assert_null(strstr(arguments(), "--port-mapping"));
    assert_non_null(strstr(arguments(), "--announce http://192.0.2.1/a --announce http://192.0.2.3:80 "));
    assert_null(strstr(arguments(), "192.0.2.2"));
    remove(sign);
    close(go); // no script can wait for it any more
}

TEST(a_host_uses_another_port_if_the_usual_one_is_taken)
{
    begin("[ \"$4\" = 27440 ] && exit 70", NULL, NULL, NULL);
    app_session_start();
    app_session_choose("Host");
    app_session_choose("Start");
    check_joined(true);
    assert_non_null(strstr(arguments(), "--port 0 --bind 0.0.0.0 "));
}

TEST(a_server_that_does_not_start_is_an_error_with_a_retry)
{
    begin("exit 70", NULL, NULL, NULL);
    app_session_start();
    app_session_choose("Host");
    app_session_choose("Start");
    assert_ptr_equal(app_session_screen(), &SCREEN_ERROR);
    assert_int_equal(session.play->host.server.child.process, 0);
    write_script("");
    app_session_choose("Try again");
    check_joined(true);
    menu_command(&shell->context.menu, APP_COMMAND_LEAVE, NULL);
    shell_execute(shell);
    remove(script_path);
    menu_command(&shell->context.menu, APP_COMMAND_PLAY, NULL);
    shell_execute(shell);
    assert_ptr_equal(app_session_screen(), &SCREEN_ERROR);
    assert_non_null(strstr(shell->context.menu.facts.failure, "deadfall-server"));
    write_script("");
    app_session_choose("Try again");
    check_joined(false);
}

TEST(the_option_host_starts_a_server_before_the_window_opens)
{
    static const struct {
        const char *lines;
        enum exit_code code;
    } rows[] = {{"exit 78", 78}, {"exit 1", EXIT_UNAVAILABLE}, {"", EXIT_OK}};
    struct error error;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        begin(rows[i].lines, "--host", NULL, NULL);
        memset(shell, 0, sizeof *shell);
        assert_int_equal(app_begin(shell, &session.config, &error), rows[i].code);
        const struct play *play = shell->sessions[SHELL_PLAY].state;
        assert_int_equal(play && play->host.server.child.process > 0, rows[i].code == EXIT_OK);
        app_end(shell);
        end();
    }
    begin("", "--host", NULL, NULL);
    app_session_start();
    check_joined(false);
    pid_t process = (pid_t)session.play->host.server.child.process;
    assert_int_equal(kill(process, 0), 0);
    session_fail(&shell->context, "It ended.", DENIAL_NONE, true);
    app_session_choose("Try again");
    check_joined(false);
    assert_int_not_equal(kill(process, 0), 0);
}

TEST(joining_elsewhere_or_opening_a_replay_stops_the_own_server)
{
    char address[32];
    begin("", NULL, NULL, NULL);
    app_session_start();
    app_session_choose("Play now");
    check_joined(false);
    snprintf(address, sizeof address, "127.0.0.1:%u", session.port);
    menu_command(&shell->context.menu, APP_COMMAND_JOIN, address);
    shell_execute(shell);
    app_session_pass(1);
    assert_true(local_players_is_playing(&session.play->local));
    assert_int_equal(session.play->host.server.child.process, 0);
    assert_false(shell->context.menu.facts.hosting);
    menu_command(&shell->context.menu, APP_COMMAND_PLAY, NULL);
    shell_execute(shell);
    check_joined(false);
    menu_command(&shell->context.menu, APP_COMMAND_REPLAY, SOURCE_ROOT "/tests/golden/duel.dfr");
    shell_execute(shell);
    assert_non_null(session.spectate->viewer.bytes);
    assert_int_equal(session.play->host.server.child.process, 0);
    assert_null(local_players_client(&session.play->local));
}

// Somebody at another computer.
static void add_other_person(void)
{
    static const uint32_t NAME[PLAYER_NAME_BYTES / 4] = {'B' | 'o' << 8};
    struct roster *roster = &session.match->roster;
    roster_enter(roster, roster_reserve(roster, &(struct seat_key){.identity = {7}}, NAME, 0));
}

// On the screen that asks; its question begins like the item.
static void choose_to_leave(void)
{
    app_session_press(KEY_DOWN);
    app_session_press(KEY_RETURN);
}

static void begin_with_other_person(void)
{
    begin("", NULL, NULL, NULL);
    app_session_start();
    app_session_choose("Host");
    app_session_choose("Start");
    check_joined(true);
    add_other_person();
    app_session_pass(0.5);
    assert_int_equal(shell->context.menu.facts.guests, 1);
}

TEST(joining_elsewhere_from_a_match_with_others_is_asked_about)
{
    char address[48];
    begin_with_other_person();
    snprintf(address, sizeof address, "127.0.0.1:%u", session.port);
    menu_command(&shell->context.menu, APP_COMMAND_JOIN, address); // as Friends does
    shell_execute(shell);
    assert_ptr_equal(app_session_screen(), &SCREEN_LEAVE);
    menu_command(&shell->context.menu, APP_COMMAND_LEAVE, NULL);
    shell_execute(shell);
    assert_int_equal(shell->context.menu.depth, 1); // one question at a time
    menu_command(&shell->context.menu, APP_COMMAND_JOIN, address);
    shell_execute(shell);
    app_session_pass(0.1);
    assert_int_not_equal(session.play->host.server.child.process, 0);
    choose_to_leave();
    assert_int_equal(session.play->host.server.child.process, 0);
    assert_string_equal(shell->context.menu.facts.address, address);
    end();
    begin_with_other_person(); // a link that was opened asks once
    snprintf(shell->context.menu.facts.followed, sizeof shell->context.menu.facts.followed, "deadfall://127.0.0.1:%u",
             session.port);
    menu_open_alone(&shell->context.menu, &SCREEN_FOLLOW);
    assert_string_equal(shell->context.menu.items[1].label, "This ends the match for 1 player.");
    app_session_choose("Join");
    assert_int_equal(session.play->host.server.child.process, 0);
}

TEST(the_own_server_ends_with_the_program)
{
    int process = 0;
    begin("echo $$ >process", "--host", "--frames", "10");
    assert_int_equal(chdir(test_folder_path("")), 0);
    assert_int_equal(app_run(&session.config), EXIT_OK);
    assert_int_equal(sscanf(test_folder_read("process"), "%d", &process), 1);
    assert_null(strstr(arguments(), "--record")); // not for a number of frames
    assert_int_not_equal(kill(process, 0), 0);
}

TEST(the_first_word_of_a_server_may_be_that_it_is_ready)
{
    static const struct {
        const char *line;
        bool starts;
    } rows[] = {
        {"ready: udp 127.0.0.1:4321 map=duel key=abc", true},  {"ready: udp 127.0.0.1:4321", true},
        {"ready: udp 127.0.0.1:0 map=duel key=abc", false},    {"not ready: udp 127.0.0.1:4321", false},
        {"ready: udp nowhere map=duel key=abc", false},        {"ready: udp 127.0.0.1:65535 key=abc x=y", true},
        {"ready: tcp 127.0.0.1:4321 map=duel key=abc", false},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct local_server host;
        struct error error;
        char line[128];
        begin("", NULL, NULL, NULL);
        snprintf(line, sizeof line, "echo '%s'; %s", rows[i].line, rows[i].starts ? "exec sleep 1000" : "exit 1");
        write_script(line);
        if (local_server_start(&host, (const char *const[]){"--one", "two", NULL}, &error) != rows[i].starts)
            fail_msg("row %zu", i + 1);
        assert_string_equal(arguments(), "--resume never --one two ");
        if (rows[i].starts) {
            assert_int_equal(host.port, strstr(rows[i].line, "65535") ? 65535 : 4321);
            assert_string_equal(host.fingerprint, strstr(rows[i].line, "key") ? "abc" : "");
            pid_t process = (pid_t)host.child.process;
            local_server_stop(&host);
            assert_int_not_equal(kill(process, 0), 0);
        }
        assert_int_equal(host.child.process, 0);
        end();
    }
}

TEST(a_mute_server_is_given_up_after_15_seconds)
{
    struct local_server host;
    struct error error;
    begin("exec sleep 1000", NULL, NULL, NULL);
    is_mute = true;
    longest_ms = 0;
    assert_false(local_server_start(&host, (const char *const[]){NULL}, &error));
    is_mute = false;
    assert_int_equal(longest_ms, 15000);
    assert_int_equal(host.child.process, 0);
    assert_non_null(strstr(error.text, "did not become ready"));
}

TEST(a_server_that_does_not_end_is_killed_after_5_seconds)
{
    struct local_server host;
    struct error error;
    begin("trap '' TERM", NULL, NULL, NULL);
    assert_true(local_server_start(&host, (const char *const[]){NULL}, &error));
    pid_t process = (pid_t)host.child.process;
    waited_ms = 0;
    waits_faster = true;
    local_server_stop(&host);
    waits_faster = false;
    assert_in_range(waited_ms, 5000, 6000);
    assert_int_not_equal(kill(process, 0), 0);
    assert_int_equal(host.exit_code, 0);
}

TEST(a_server_can_have_28_arguments)
{
    const char *words[40] = {0};
    struct local_server host;
    struct error error;
    char expected[128] = "--resume never ";
    begin("", NULL, NULL, NULL);
    for (int i = 0; i < 28; i++) {
        words[i] = "x";
        strcat(expected, "x ");
    }
    assert_true(local_server_start(&host, words, &error));
    assert_string_equal(arguments(), expected);
    local_server_stop(&host);
}
