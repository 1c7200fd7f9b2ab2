// SPDX-License-Identifier: MIT
//
// Tests the program deadfall-admin, with the test itself as the server: what it sends and prints, and its exit codes.
#include <poll.h>
#include <pty.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "test.h"

#define PATIENCE_MS 20000

static char folder[64], path[80];
static int listener;
static char output[65536], heard[4096];

static int listen_at(const char *place)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    memcpy(address.sun_path, place, strlen(place)); // 108 bytes need no final zero
    int file = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    assert_int_equal(bind(file, (const struct sockaddr *)&address, sizeof address), 0);
    assert_int_equal(listen(file, 4), 0);
    return file;
}

static void begin(void)
{
    strcpy(folder, "/tmp/deadfall_admin_XXXXXX");
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/admin.sock", folder);
    listener = listen_at(path);
}

static void end(void)
{
    close(listener);
    unlink(path);
    assert_int_equal(rmdir(folder), 0);
}

EACH_TEST(begin, end);

// Answers each line with the next reply, and closes the connection at the first line without one. Stores the lines.
static void serve(int from, const char *const *replies)
{
    struct pollfd called = {from, POLLIN, 0};
    assert_int_equal(poll(&called, 1, PATIENCE_MS), 1);
    int client = accept(from, NULL, NULL);
    size_t used = 0;
    heard[0] = '\0';
    for (char *line = heard; *replies || line == heard; line = heard + used) {
        while (!strchr(line, '\n')) {
            ssize_t got = read(client, heard + used, sizeof heard - 1 - used);
            if (got <= 0) {
                close(client);
                return;
            }
            used += (size_t)got;
            heard[used] = '\0';
        }
        if (!*replies)
            break;
        assert_int_equal(write(client, *replies, strlen(*replies)), (ssize_t)strlen(*replies));
        replies++;
    }
    shutdown(client, SHUT_WR);
    while (used < sizeof heard - 1) {
        ssize_t got = read(client, heard + used, sizeof heard - 1 - used);
        if (got <= 0)
            break;
        used += (size_t)got;
        heard[used] = '\0';
    }
    close(client);
}

// Runs the program with arguments as a shell reads them, and a server if there are replies. Returns the exit code.
static int run(const char *arguments, const char *const *replies)
{
    char command[2048];
    snprintf(command, sizeof command, arguments, ADMIN_PROGRAM, path);
    FILE *pipe = popen(command, "r");
    assert_non_null(pipe);
    heard[0] = '\0';
    if (replies)
        serve(listener, replies);
    output[fread(output, 1, sizeof output - 1, pipe)] = '\0';
    return WEXITSTATUS(pclose(pipe));
}

TEST(commands_are_sent_and_answers_printed)
{
    static const struct {
        const char *arguments;
        const char *replies[4];
        const char *heard, *output;
        int code;
    } rows[] = {
        /* 0 */ {"%s %s status 2>&1", {" one\n  two\ndone\n"}, "status\n", "one\ntwo\n", 0},
        /* 1 */ {"%s %s status 2>&1", {" do\ndone (2 lines)\n"}, "status\n", "deadfall-admin: done (2 lines)\ndo\n", 0},
        /* 2 */ {"%s %s kick Ann 2>&1", {"refused (who?)\n"}, "kick Ann\n", "deadfall-admin: refused (who?)\n", 1},
        /* 3 */ {"%s %s kick Ann 2>&1", {"refused\n"}, "kick Ann\n", "", 1},
        /* 4 */
        {"%s --json %s status",
         {"[{\"done\":true},[],\"done\":true}\n"},
         "json status\n",
         "[{\"done\":true},[],\"done\":true}\n",
         0},
        /* 5 */ {"%s --json %s status", {"{[],\"done\":false}\n"}, "json status\n", "{[],\"done\":false}\n", 1},
        /* 6 */ {"%s %s kick 'An na' 'of us'", {"done\n"}, "kick \"An na\" of us\n", "", 0},
        /* 7 */ {"%s %s 'say hello' you", {"done\n"}, "say hello you\n", "", 0},
        /* 8 */ {"%s %s status 2>&1", {NULL}, "status\n", "deadfall-admin: the server has closed the connection\n", 74},
        /* 9 */
        {"%s %s status 2>&1",
         {" half\n"},
         "status\n",
         "deadfall-admin: the server has closed the connection\nhalf\n",
         74},
        /* 10 */ {"%s %s status <&-", {" one\ndone\n"}, "status\n", "one\n", 0}, // the socket is file 0
        /* 11 */ {"%s %s status", {" \x1b[2J\xc2\x9b\xe2\x80\xaename\xff\ndone\n"}, "status\n", "[2Jname\n", 0},
        /* 12 */ {"%s %s status 2>&1 >/dev/full", {" one\ndone\n"}, "status\n", "", 74},
        /* 13 */
        {"%s %s status", {"don\377e\n"}, "status\n", "", 1},
        /* 14 */ {"%s %s status", {"donenot\n"}, "status\n", "", 1},
        // From stdin, line by line.
        /* 15 */
        {"printf 'a\\n\\n \\t\\r\\nb c\\n' | %s %s 2>&1", {" 1\ndone\n", " 2\ndone\n"}, "a\nb c\n", "1\n2\n", 0},
        /* 16 */ {"printf 'a\\nb' | %s %s 2>&1", {"refused\n", "done\n"}, "a\nb\n", "", 1}, // one refusal is enough
        /* 17 */ {"printf 'a\\nb\\n' | %s %s 2>&1", {"done\n", "refused\n"}, "a\nb\n", "", 1},
        /* 18 */ {"printf 'quit\\n' | %s %s 2>&1", {"done\n"}, "quit\n", "", 0}, // no person at a terminal
        /* 19 */
        {"printf 'a\\nb\\nc\\n' | %s %s 2>&1",
         {"done\n"},
         "a\nb\n",
         "deadfall-admin: the server has closed the connection\n",
         74},
        /* 20 */ {"printf 'a\\n' | %s --json %s", {"{],\"done\":true}\n"}, "json a\n", "{],\"done\":true}\n", 0},
        /* 21 */ {"%s %s </dev/null", {NULL}, "", "", 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        int code = run(rows[i].arguments, rows[i].replies);
        if (code != rows[i].code || strcmp(output, rows[i].output) != 0 || strcmp(heard, rows[i].heard) != 0)
            fail_msg("row %zu exits with %d, sends %s and prints %s", i, code, heard, output);
    }
}

TEST(a_wrong_command_line_is_refused)
{
    static const struct {
        const char *arguments;
        int code;
        const char *says;
    } rows[] = {
        /* 0 */ {"%s 2>&1", 64,
                 "deadfall-admin: give the path of a server's admin socket, or the name of a service; see --help\n"},
        /* 1 */ {"%s --colour %s 2>&1", 64, "deadfall-admin: there is no option --colour"},
        /* 2 */ {"%s %s 'two\nlines' 2>&1", 64, "deadfall-admin: a command is one line of at most 512 bytes\n"},
        /* 3 */ {"%s %s 'two\rlines' 2>&1", 64, "deadfall-admin: a command is one line of at most 512 bytes\n"},
        /* 4 */ {"%s %s.gone status 2>&1", 69, "admin.sock.gone: No such file or directory\n"},
        /* 5 */ {"%s --help", 0, "Usage: deadfall-admin [OPTION]... ARENA [COMMAND...]\n"},
        /* 6 */ {"%s --help", 0, "\nARENA is the path of the server's --admin-socket"},
        /* 7 */ {"%s --version", 0, "deadfall-admin 0."},
        /* 8 */
        {"%s --help-bash", 0,
         "if [ \"$COMP_CWORD\" = 2 ]; then _deadfall_words 'help top map mode variants bracket tournament "
         "restart pause resume status say kick ban unban bans bots set records record reload drain shutdown'; else"},
        /* 9 */ {"%s --help 2>&1 >/dev/full", 74, "No space left"},
        /* 10 */ {"%s no_such status 2>&1", 69, "answers at /var/lib/deadfall-arenas/no_such/admin.sock: No such file"},
        /* 11 */
        {"cd ${TMPDIR:-/tmp} && %s $(basename $(mktemp ./XXXXXX)) status 2>&1", 69,
         "Connection refused"}, // a file here
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        int code = run(rows[i].arguments, NULL);
        if (code != rows[i].code || !strstr(output, rows[i].says))
            fail_msg("row %zu exits with %d and says: %s", i, code, output);
    }
}

TEST(a_command_has_at_most_512_bytes_and_64_words)
{
    static const char *const done[] = {"done\n", NULL};
    char arguments[1200], words[512 + 2];
    memset(words, 'x', sizeof words);
    words[400] = words[511] = ' ';
    snprintf(arguments, sizeof arguments, "%%s %%s %.512s 2>&1", words); // a blank at the end is none
    assert_int_equal(run(arguments, done), 0);
    assert_int_equal(strlen(heard), 512);
    words[511] = 'x';
    snprintf(arguments, sizeof arguments, "%%s %%s %.512s 2>&1", words);
    assert_int_equal(run(arguments, done), 0);
    assert_int_equal(strlen(heard), 513);
    snprintf(arguments, sizeof arguments, "%%s %%s %.513s 2>&1", words);
    assert_int_equal(run(arguments, NULL), 64);
    strcpy(arguments, "%s %s");
    for (int i = 0; i < 63; i++)
        strcat(arguments, " w");
    assert_int_equal(run(arguments, done), 0);
    strcat(arguments, " w 2>&1");
    assert_int_equal(run(arguments, NULL), 64);
    assert_non_null(strstr(output, "one argument too many"));
}

TEST(a_path_has_at_most_107_bytes)
{
    static const char *const done[] = {"done\n", NULL};
    char longest[120], arguments[300];
    memset(longest, 'p', sizeof longest);
    memcpy(longest, folder, strlen(folder));
    longest[strlen(folder)] = '/';
    longest[107] = '\0';
    int file = listener;
    listener = listen_at(longest);
    snprintf(arguments, sizeof arguments, "%%s %s status", longest);
    int code = run(arguments, done);
    close(listener);
    unlink(longest);
    longest[107] = 'p';
    longest[108] = '\0';
    listener = listen_at(longest); // without its final zero; the program must not cut the name either
    snprintf(arguments, sizeof arguments, "%%s %s status 2>&1", longest);
    int long_code = run(arguments, NULL);
    close(listener);
    unlink(longest);
    listener = file;
    assert_int_equal(code, 0);
    assert_int_equal(long_code, 69);
    assert_non_null(strstr(output, ": File name too long\n"));
}

TEST(a_person_at_a_terminal_has_a_prompt_and_can_quit)
{
    static const char *const ways_out[] = {"bans\nquit\n", "bans\nexit\n"};
    static const char *const done[] = {" none\ndone\n", "done\n", NULL};
    for (size_t i = 0; i < sizeof ways_out / sizeof *ways_out; i++) {
        int terminal, status;
        pid_t child = forkpty(&terminal, NULL, NULL, NULL);
        assert_true(child >= 0);
        if (child == 0) {
            execl(ADMIN_PROGRAM, ADMIN_PROGRAM, path, NULL);
            _exit(127);
        }
        assert_int_equal(write(terminal, ways_out[i], strlen(ways_out[i])), (ssize_t)strlen(ways_out[i]));
        serve(listener, done);
        size_t used = 0;
        ssize_t got;
        while ((got = read(terminal, output + used, sizeof output - 1 - used)) > 0)
            used += (size_t)got;
        output[used] = '\0';
        close(terminal);
        assert_int_equal(waitpid(child, &status, 0), child);
        assert_int_equal(WEXITSTATUS(status), 0);
        assert_string_equal(heard, "bans\n");
        assert_non_null(strstr(output, "> ")); // the terminal's echo comes before or behind it
        assert_non_null(strstr(output, "none\r\n> "));
    }
}
