// SPDX-License-Identifier: MIT
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/line_socket.h"
#include "base/platform/stream.h"
#include "test.h"

#define PATIENCE_MS 20000

static char folder[] = "/tmp/line_socket_XXXXXX", path[sizeof folder + 8];

static void make_folder(void)
{
    snprintf(path, sizeof path, "%s/socket", mkdtemp(folder));
}

static void remove_folder(void)
{
    assert_int_equal(rmdir(folder), 0);
}

ALL_TESTS(make_folder, remove_folder);

static pid_t ask_beside(const char *line, int32_t patience_ms)
{
    pid_t child = fork();
    if (child == 0)
        _exit(line_socket_ask(path, line, patience_ms));
    return child;
}

static bool answer_of(pid_t child)
{
    int status = 0;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

static struct line_socket *open_socket(void)
{
    struct error error;
    struct line_socket *server = line_socket_open(path, &error);
    assert_non_null(server);
    return server;
}

TEST(an_asker_learns_whether_it_is_done)
{
    static const struct {
        bool done;
        const char *text;
    } rows[] = {
        {true, ""}, {false, ""}, {true, "done"}, {false, "done"}, {true, "a sentence that is longer than its end"}};
    struct line_socket *server = open_socket();
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const char *line;
        pid_t child = ask_beside("a line", PATIENCE_MS);
        while (!(line = line_socket_next(server)))
            clock_sleep(CLOCK_MS_NS);
        assert_string_equal(line, "a line");
        line_socket_answer(server, rows[i].done, rows[i].text);
        assert_int_equal(answer_of(child), rows[i].done);
    }
    line_socket_close(server);
}

TEST(nobody_answers)
{
    assert_false(line_socket_ask(path, "there is no socket", PATIENCE_MS));
    struct line_socket *server = open_socket();
    assert_false(line_socket_ask(path, "the program stands still", 20));
    const char *line;
    pid_t child = ask_beside("the program ends", PATIENCE_MS);
    while (!(line = line_socket_next(server)) || strcmp(line, "the program ends") != 0) // the line before still waits
        clock_sleep(CLOCK_MS_NS);
    line_socket_close(server);
    assert_false(answer_of(child));
}

TEST(a_line_without_room_is_not_sent)
{
    char line[2 * LINE_SOCKET_BYTES];
    struct line_socket *server = open_socket();
    memset(line, 'a', sizeof line - 1);
    line[sizeof line - 1] = 0;
    assert_false(line_socket_ask(path, line, PATIENCE_MS));
    assert_null(line_socket_next(server));
    line_socket_close(server);
}

// The file keeps others out; should somebody open it to them, the kernel says who they are.
TEST(another_user_is_hung_up)
{
    if (geteuid() != 0)
        skip();
    const char *fault = NULL;
    struct local_socket *listener = stream_local_open(path, 1, &fault);
    assert_non_null(listener);
    assert_int_equal(chmod(path, 0666), 0);
    assert_int_equal(chmod(folder, 0755), 0);
    pid_t child = fork();
    if (child == 0) {
        char byte;
        int file = setuid(65534) == 0 ? stream_local_connect(path) : -1; // which trusts root
        _exit(file >= 0 && stream_local_wait(file, PATIENCE_MS) && stream_local_receive(file, &byte, 1) <= 0);
    }
    int status = 0, file = -1;
    while (waitpid(child, &status, WNOHANG) == 0) {
        file = stream_local_accept(listener);
        assert_int_equal(file, -1);
        clock_sleep(CLOCK_MS_NS);
    }
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 1);
    stream_local_close(listener);
}
