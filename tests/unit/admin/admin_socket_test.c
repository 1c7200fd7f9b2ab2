// SPDX-License-Identifier: MIT
//
// Tests clients of the admin socket that are slow, silent, hostile or too many. Time is an argument, so no test waits.
#include "admin/admin_socket.h"

#include <errno.h>
#include <jansson.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include "admin/commands.h"
#include "net/impairment.h"
#include "probe.h"
#include "test.h"
#include "test_folder.h"
#include "test_map.h"

static char path[80];
static struct session session;
static struct map map;
static struct admin_state admin;
static struct settings settings;
static struct tick_stats status;
static struct tick_clock ticks;
static struct log out;
static char logged[2048];
static struct admin_socket *endpoint;
static uint64_t now_ns;

static int64_t noon(void)
{
    return 1800000000;
}

static void begin(void)
{
    test_folder_make();
    snprintf(path, sizeof path, "%s", test_folder_path("sock"));
    settings = (struct settings){.resume = RESUME_NEVER, .players_max = 8};
    snprintf(settings.admin_socket, sizeof settings.admin_socket, "%s", path);
    memset(logged, 0, sizeof logged);
    out = (struct log){.out = fmemopen(logged, sizeof logged, "w"), .level = LOG_INFO};
    setvbuf(out.out, NULL, _IONBF, 0);
    test_map_random(&map, 4, 60, 40);
    struct match_config config = {
        .map = &map, .rules = {.mode = MODE_FFA, .seed = 7}, .players_max = 8, .snapshot_rate = 60};
    session_begin(&session, &config, &(struct impairment){0}, 0);
    admin = (struct admin_state){.settings = &settings,
                                 .log = &out,
                                 .status = &status,
                                 .clock = &ticks,
                                 .unix_time = noon,
                                 .match = session.match};
    now_ns = 1000;
    assert_true(admin_socket_open(&endpoint, &admin) == EXIT_OK && endpoint);
}

static void end(void)
{
    admin_socket_close(endpoint);
    session_end(&session);
    fclose(out.out);
    test_folder_remove();
}

EACH_TEST(begin, end);

static void serve(int rounds)
{
    for (int i = 0; i < rounds; i++)
        admin_socket_serve(endpoint, now_ns += 1000000);
}

static int dial(void)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    strcpy(address.sun_path, path);
    int file = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    assert_int_equal(connect(file, (const struct sockaddr *)&address, sizeof address), 0);
    serve(2);
    return file;
}

static void say(int file, const char *bytes, size_t count)
{
    for (size_t done = 0; done < count;) {
        ssize_t sent = send(file, bytes + done, count - done, MSG_NOSIGNAL);
        done += sent > 0 ? (size_t)sent : 0;
        serve(1);
    }
    serve(8);
}

// Everything received so far; ends with "<end>" if the server has closed the connection.
static const char *hear(int file)
{
    static char text[70000];
    size_t used = 0;
    for (int round = 0; round < 20; round++) {
        ssize_t count = recv(file, text + used, sizeof text - 10 - used, 0);
        if (count == 0 || (count < 0 && errno != EAGAIN)) {
            strcpy(text + used, "<end>");
            return text;
        }
        used += count > 0 ? (size_t)count : 0;
        serve(1);
    }
    text[used] = 0;
    return text;
}

// Everything received so far, without another pass of the server.
static const char *hear_now(int file)
{
    static char text[4096];
    ssize_t count = recv(file, text, sizeof text - 1, 0);
    text[count > 0 ? count : 0] = 0;
    return text;
}

static void ask(int file, const char *line, const char *wanted)
{
    say(file, line, strlen(line));
    assert_string_equal(hear(file), wanted);
}

TEST(a_line_is_answered_in_text_or_json)
{
    int file = dial();
    ask(file, "bans\n", " Nobody is banned.\ndone\n");
    ask(file, "/bans\n", " Nobody is banned.\ndone\n");
    ask(file, "json bans\n",
        "{\"answer\":[{\"text\":\"Nobody is banned.\",\"about\":\"bans\",\"bans\":0}],\"done\":true}\n");
    ask(file, "nonsense\n", " There is no such command. help lists them.\nrefused\n");
    ask(file, "json kick \"a\\b\n",
        "{\"answer\":[{\"text\":\"There is no player \\\"a\\\\b\\\". status lists the players.\"}],\"done\":false}\n");
    ask(file, "\n", " There is no command in that line. help lists the commands.\nrefused\n");
    ask(file, "json help\\\n",
        "{\"answer\":[{\"text\":\"There is no such command. help lists them.\"}],\"done\":false}\n");
    ask(file, "json unban 192.0.2.1\n",
        "{\"answer\":[{\"text\":\"192.0.2.1 is not banned. bans lists who is.\"}],\"done\":false}\n");
    ask(file, "json ban 192.0.2.1 forever a \"b\n",
        "{\"answer\":[{\"text\":\"192.0.2.1 is banned forever; 0 kicked. That lasts only until this server ends: it "
        "was "
        "started with --resume never and keeps "
        "nothing.\",\"about\":\"ban\",\"target\":\"192.0.2.1\",\"until\":\"never\","
        "\"reason\":\"a \\\"b\",\"kicked\":0,\"kept\":false,\"fault\":\"That lasts only until this server ends: it was "
        "started with --resume never and keeps nothing.\"}],\"done\":true}\n");
    ask(file, "json unban 192.0.2.1\n",
        "{\"answer\":[{\"text\":\"192.0.2.1 may join again. That lasts only until this server ends: it was started "
        "with "
        "--resume never and keeps "
        "nothing.\",\"about\":\"unban\",\"target\":\"192.0.2.1\",\"kept\":false,\"fault\":\"That "
        "lasts only until this server ends: it was started with --resume never and keeps "
        "nothing.\"}],\"done\":true}\n");
    ask(file, "json \n", " There is no such command. help lists them.\nrefused\n"); // trailing blanks do not count
    close(file);
}

TEST(a_program_reads_flags_and_names_as_such)
{
    int file = dial();
    say(file, "drain 5m\n", 9);
    hear(file);
    ask(file, "json drain off\n",
        "{\"answer\":[{\"text\":\"Everybody may join again.\",\"about\":\"drain\",\"drains\":false}],\"done\":true}\n");
    struct bracket_entrant entrants[] = {{.key = {{1}, 0}, .name = {0x616441}}, // Ada
                                         {.key = {{2}, 0}, .name = {0x6F42}}};  // Bo
    bracket_draw(&admin.bracket, entrants, 2);
    bracket_decide(&admin.bracket, 1, (const int32_t[]){3, 5});
    ask(file, "json bracket\n",
        "{\"answer\":[{\"text\":\"Final: Ada 3, Bo 5; Bo goes on\",\"about\":\"pairing\",\"round\":\"Final\","
        "\"first\":\"Ada\",\"second\":\"Bo\",\"first_score\":3,\"second_score\":5,\"winner\":\"Bo\",\"now\":false}],"
        "\"done\":true}\n");
    close(file);
}

TEST(two_lines_at_once_are_answered_one_after_the_other)
{
    int file = dial();
    ask(file, "bans\nbans\nba", " Nobody is banned.\ndone\n Nobody is banned.\ndone\n");
    ask(file, "ns\n", " Nobody is banned.\ndone\n");
    say(file, "bans", 4);
    shutdown(file, SHUT_WR); // the last line has no line end
    serve(4);
    assert_string_equal(hear(file), " Nobody is banned.\ndone\n<end>");
    close(file);
    assert_false(admin_socket_is_used(endpoint));
}

TEST(a_line_longer_than_the_buffer_is_refused_once)
{
    static char line[5000];
    static const size_t lengths[] = {COMMAND_LINE_BYTES_MAX + 1, COMMAND_LINE_BYTES_MAX + 2,
                                     2 * COMMAND_LINE_BYTES_MAX + 2, 2 * COMMAND_LINE_BYTES_MAX + 3, 4000};
    int file = dial();
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        memset(line, 'x', lengths[i]);
        line[lengths[i]] = '\n';
        say(file, line, lengths[i] + 1);
        const char *heard = hear(file);
        if (strcmp(heard, " That line is too long. The limit is 512 bytes.\nrefused\n") != 0)
            fail_msg("%zu bytes: %s", lengths[i], heard);
        ask(file, "bans\n", " Nobody is banned.\ndone\n");
    }
    memset(line, 'x', COMMAND_LINE_BYTES_MAX);
    line[COMMAND_LINE_BYTES_MAX] = '\n';
    say(file, line, COMMAND_LINE_BYTES_MAX + 1); // just fits
    assert_string_equal(hear(file), " There is no such command. help lists them.\nrefused\n");
    close(file);
}

TEST(garbage_is_refused_and_cannot_break_json)
{
    static const char rubbish[] = "json \x01\xFF\xC3\x1B[2J\"\\\x7F\0\"\n";
    json_error_t error;
    int file = dial();
    say(file, rubbish, sizeof rubbish - 1);
    json_t *root = json_loads(hear(file), 0, &error);
    assert_non_null(root);
    assert_true(json_is_false(json_object_get(root, "done")));
    json_decref(root);
    ask(file, "bans\n", " Nobody is banned.\ndone\n");
    close(file);
}

TEST(a_new_connection_replaces_the_longest_silent_one)
{
    int files[ADMIN_CONNECTION_CAPACITY + 1];
    for (int i = 0; i < ADMIN_CONNECTION_CAPACITY; i++)
        files[i] = dial();
    ask(files[0], "bans\n", " Nobody is banned.\ndone\n"); // active: now the second has been silent longest
    files[ADMIN_CONNECTION_CAPACITY] = dial();
    assert_string_equal(hear(files[1]), "<end>");
    assert_string_equal(hear(files[0]), "");
    assert_string_equal(hear(files[2]), "");
    ask(files[ADMIN_CONNECTION_CAPACITY], "bans\n", " Nobody is banned.\ndone\n");
    for (int i = 0; i <= ADMIN_CONNECTION_CAPACITY; i++)
        close(files[i]);
    serve(4);
    assert_false(admin_socket_is_used(endpoint));
}

static void ask_for_help(int file, int times)
{
    for (int i = 0; i < times; i++) {
        send(file, "help\n", 5, MSG_NOSIGNAL);
        admin_socket_serve(endpoint, now_ns);
    }
}

// The client asks and never reads. Its buffers fill up, and after the time-out the server closes the connection.
TEST(a_client_that_does_not_read_is_dropped_after_five_seconds)
{
    int file = dial(), least = 1;
    setsockopt(file, SOL_SOCKET, SO_RCVBUF, &least, sizeof least);
    ask_for_help(file, 20000);
    now_ns += ADMIN_SLOW_NS - 1;
    admin_socket_serve(endpoint, now_ns);
    assert_true(admin_socket_is_used(endpoint));
    now_ns += 2;
    admin_socket_serve(endpoint, now_ns);
    assert_false(admin_socket_is_used(endpoint));
    close(file);
}

// The client reads a little now and then. The connection stays open while something is sent every five seconds.
TEST(a_client_that_reads_slowly_gets_its_whole_answer)
{
    static char text[32768];
    int file = dial(), least = 1;
    setsockopt(file, SOL_SOCKET, SO_RCVBUF, &least, sizeof least);
    ask_for_help(file, 20000);
    for (int i = 0; i < 6; i++) {
        now_ns += ADMIN_SLOW_NS / 2 + 1000;
        for (int reads = 0; reads < 8; reads++) {
            recv(file, text, sizeof text, 0);
            admin_socket_serve(endpoint, now_ns);
        }
        ask_for_help(file, 2000); // the buffers fill up again
        assert_true(admin_socket_is_used(endpoint));
    }
    close(file);
}

// A list of bans that is longer than the socket takes at once, three times: it arrives whole.
TEST(a_long_answer_arrives_whole)
{
    static char once[300000], all[900000];
    for (uint32_t i = 0; i < BAN_LIST_CAPACITY; i++) {
        char address[60];
        struct ban ban = {.until = BAN_FOREVER};
        snprintf(address, sizeof address, "2001:db8:1111:2222:3333:4444:5555:%x/128", i);
        memset(ban.reason, 'a' + (int)(i % 26), sizeof ban.reason - 1);
        assert_true(ban_target_parse(address, &ban.target) && ban_list_add(&admin.bans, &ban, 0));
    }
    int file = dial();
    size_t once_bytes = 0, all_bytes = 0;
    send(file, "bans\n", 5, MSG_NOSIGNAL);
    while (once_bytes < 5 || memcmp(once + once_bytes - 5, "done\n", 5) != 0) {
        ssize_t count = recv(file, once + once_bytes, sizeof once - once_bytes, 0);
        once_bytes += count > 0 ? (size_t)count : 0;
        serve(1);
    }
    assert_true(once_bytes > 100 * BAN_LIST_CAPACITY);
    send(file, "bans\nbans\nbans\n", 15, MSG_NOSIGNAL);
    for (int round = 0; round < 2000 && all_bytes < 3 * once_bytes; round++) {
        serve(3); // the socket fills up
        ssize_t count = recv(file, all + all_bytes, 5000, 0);
        all_bytes += count > 0 ? (size_t)count : 0;
    }
    assert_int_equal(all_bytes, 3 * once_bytes);
    for (int i = 0; i < 3; i++)
        assert_memory_equal(all + (size_t)i * once_bytes, once, once_bytes);
    close(file);
}

// The records' thread cannot read its file at first, because another program holds it.
TEST(a_question_to_the_records_is_answered_or_times_out)
{
    const char *file_path = test_folder_path("records.db");
    sqlite3 *other;
    records_close(records_open(file_path, noon, NULL)); // makes it
    assert_int_equal(sqlite3_open(file_path, &other), SQLITE_OK);
    assert_int_equal(sqlite3_exec(other, "PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE", NULL, NULL, NULL),
                     SQLITE_OK);
    now_ns = (uint64_t)1 << 40;
    admin.records = records_open(file_path, noon, NULL);
    int file = dial();
    send(file, "records player Ann\nbans\n", 24, MSG_NOSIGNAL);
    serve(3);
    uint64_t asked_ns = now_ns - 1000000; // the round in which its answer was looked for first
    now_ns = asked_ns + ADMIN_SLOW_NS - 1;
    admin_socket_serve(endpoint, now_ns);
    assert_string_equal(hear_now(file), "");
    admin_socket_serve(endpoint, now_ns + 3000000);
    serve(6);
    assert_string_equal(hear(file), " The records do not answer.\nrefused\n Nobody is banned.\ndone\n");
    assert_int_equal(sqlite3_exec(other, "COMMIT", NULL, NULL, NULL), SQLITE_OK);
    sqlite3_close(other);
    records_close(admin.records);
    admin.records = records_open(file_path, noon, NULL);
    send(file, "json records player Ann\n", 24, MSG_NOSIGNAL);
    const char *heard = "";
    for (int i = 0; i < 300000 && !*heard; i++) { // ten minutes: then something is wrong
        nanosleep(&(struct timespec){.tv_nsec = 2000000}, NULL);
        admin_socket_serve(endpoint, now_ns);
        heard = hear_now(file);
    }
    assert_string_equal(heard, "{\"answer\":[{\"text\":\"No player with the name or key \\\"Ann\\\" has played "
                               "here.\",\"about\":\"records\",\"players\":0}],\"done\":true}\n");
    records_close(admin.records);
    close(file);
}

TEST(only_the_socket_of_a_dead_server_is_replaced)
{
    struct admin_socket *second;
    struct stat status_before;
    assert_int_equal(stat(path, &status_before), 0);
    assert_int_equal(status_before.st_mode & 0777, 0600);
    assert_int_equal(admin_socket_open(&second, &admin), EXIT_UNAVAILABLE);
    assert_non_null(strstr(logged, "another server answers there"));
    admin_socket_close(endpoint);
    assert_int_not_equal(access(path, F_OK), 0);
    test_folder_write("sock", "");
    assert_int_equal(admin_socket_open(&endpoint, &admin), EXIT_UNAVAILABLE);
    assert_non_null(strstr(logged, "another file is there"));
    unlink(path);
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    strcpy(address.sun_path, path);
    int dead = socket(AF_UNIX, SOCK_STREAM, 0);
    assert_int_equal(bind(dead, (const struct sockaddr *)&address, sizeof address), 0);
    close(dead);
    assert_int_equal(admin_socket_open(&endpoint, &admin), EXIT_OK);
    assert_non_null(endpoint);
    unlink(path); // the file of another server in its place stays when this server ends
    test_folder_write("sock", "");
    admin_socket_close(endpoint);
    assert_int_equal(access(path, F_OK), 0);
    unlink(path);
    memset(settings.admin_socket, 'x', 200);
    assert_int_equal(admin_socket_open(&endpoint, &admin), EXIT_UNAVAILABLE);
    assert_non_null(strstr(logged, "the path is too long for a socket"));
    snprintf(settings.admin_socket, sizeof settings.admin_socket, "off");
    assert_int_equal(admin_socket_open(&endpoint, &admin), EXIT_OK);
    assert_null(endpoint);
    snprintf(settings.admin_socket, sizeof settings.admin_socket, "auto"); // and no state directory
    assert_int_equal(admin_socket_open(&endpoint, &admin), EXIT_OK);
    assert_null(endpoint);
    admin_socket_serve(NULL, 1);
    assert_false(admin_socket_is_used(NULL));
}
