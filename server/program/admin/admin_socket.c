// SPDX-License-Identifier: MIT
#include "admin_socket.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/platform/stream.h"
#include "base/utf8.h"
#include "commands.h"

// Room for a list of all bans.
#define ANSWER_BYTES 262144
#define BEGIN_JSON   "{\"answer\":["

// What is said to somebody who does not wait any longer.
static const char *const DELAYS[COMMAND_SUBJECTS] = {
    [COMMAND_ASKS_RECORDS] = "The records do not answer.",
    [COMMAND_BEGINS_MATCH] = "The next match is still being prepared, and begins when it is ready.",
    [COMMAND_BEGINS_RECORDING] = "The disk has not answered yet. record says what has become of it.",
    [COMMAND_ENDS_RECORDING] = "The disk has not answered yet. record says what has become of it.",
    [COMMAND_RESTARTS] = "The server still checks its program, and restarts if that is good.",
    [COMMAND_CHANGES_OPTIONS] = "The files of the options are still being read. If they are good, the options change.",
    [COMMAND_CHANGES_BANS] = "That is in force, and the file of bans is still being written.",
};

struct connection {
    int number;                       // -1: free
    bool ended;                       // the client has closed its end
    bool overlong;                    // the line that is arriving is too long
    bool json, first;                 // how the answer is written; its next line is the first
    struct command_question question; // that waits
    uint64_t asked_ns;                // when its answer was first looked for; 0: not yet
    bool cut;                         // the answer did not fit
    uint64_t heard_ns, stuck_ns;      // when it last sent bytes; since when it reads nothing, 0: it has read everything
    size_t in_count, out_count, out_sent;
    char in[COMMAND_LINE_BYTES_MAX + 1]; // with the end of the line
    char out[ANSWER_BYTES];
};

struct admin_socket {
    struct admin_state *admin;
    struct local_socket *listener;
    struct connection connections[ADMIN_CONNECTION_CAPACITY];
};

int admin_socket_open(struct admin_socket **socket, struct admin_state *admin)
{
    char path[ADMIN_STATE_PATH_BYTES];
    const struct settings *settings = admin->settings;
    bool asked = strcmp(settings->admin_socket, "auto") != 0;
    *socket = NULL;
    snprintf(path, sizeof path, "%s", settings->admin_socket);
    if (asked ? strcmp(path, "off") == 0
              : !admin->keeps || !file_in_state_dir(settings->state_dir, getenv, "admin.sock", path, sizeof path))
        return EXIT_OK;
    struct admin_socket *server = calloc(1, sizeof *server);
    const char *fault = "out of memory";
    for (uint32_t i = 0; server && i < ADMIN_CONNECTION_CAPACITY; i++)
        server->connections[i].number = -1;
    if (server && (server->listener = stream_local_open(path, ADMIN_CONNECTION_CAPACITY, &fault))) {
        server->admin = admin;
        log_event(admin->log, LOG_INFO,
                  &(struct fields){"admin_socket", "admin socket {path}", {{"path", .text = path}}});
        *socket = server;
        return EXIT_OK;
    }
    log_write(admin->log, asked ? LOG_ERROR : LOG_WARNING, "no admin socket at %s: %s", path, fault);
    admin_socket_close(server);
    return asked ? EXIT_UNAVAILABLE : EXIT_OK; // a server starts without the default socket
}

static void hang_up(struct connection *connection)
{
    stream_local_hang_up(connection->number);
    connection->number = -1;
}

// Leaves room for the last line of the answer.
static void put(struct connection *connection, const char *bytes, size_t count)
{
    if (connection->out_count + count + 100 > ANSWER_BYTES) {
        connection->cut = true;
        return;
    }
    memcpy(connection->out + connection->out_count, bytes, count);
    connection->out_count += count;
}

// In JSON a line is an object with the text, what it is about, and its values.
static void answer(void *context, const char *line, const struct fields *fields)
{
    struct connection *connection = context;
    char clean[COMMAND_ANSWER_BYTES_MAX + 4], quoted[2 * COMMAND_ANSWER_BYTES_MAX + 8];
    char members[4 * COMMAND_ANSWER_BYTES_MAX] = "", object[8192];
    clean[0] = ' ';
    size_t length = 1 + utf8_clean(clean + 1, sizeof clean - 2, line, strlen(line));
    if (connection->json) {
        log_quote(clean + 1, quoted, sizeof quoted);
        if (fields)
            log_fields_json(fields, members, sizeof members);
        int count = snprintf(object, sizeof object, "%s{\"text\":%s%s%s%s%s}", connection->first ? "" : ",", quoted,
                             fields ? ",\"about\":\"" : "", fields ? fields->event : "", fields ? "\"" : "", members);
        put(connection, object, (size_t)count);
    } else {
        clean[length++] = '\n';
        put(connection, clean, length);
    }
    connection->first = false;
}

static bool wait(void *context, struct command_question question)
{
    ((struct connection *)context)->question = question;
    return true;
}

static void finish(struct connection *connection, bool done)
{
    char end[100];
    snprintf(end, sizeof end, connection->json ? "],\"done\":%s%s}\n" : "%s%s\n",
             connection->json ? (done ? "true" : "false") : (done ? "done" : "refused"),
             !connection->cut   ? ""
             : connection->json ? ",\"cut\":true"
                                : " (the answer was cut)");
    memcpy(connection->out + connection->out_count, end, strlen(end));
    connection->out_count += strlen(end);
}

static void poll_answer(struct admin_socket *server, struct connection *connection, uint64_t now_ns)
{
    struct command_caller caller = {.peer = COMMAND_CALLER_OUTSIDE, .answer = answer, .context = connection};
    enum answer_outcome outcome = command_question_answer(server->admin, connection->question, &caller);
    bool done = outcome == ANSWER_DONE;
    connection->asked_ns = connection->asked_ns ? connection->asked_ns : now_ns;
    if (outcome == ANSWER_OPEN && now_ns - connection->asked_ns < ADMIN_SLOW_NS)
        return;
    if (outcome == ANSWER_OPEN) {
        done = connection->question.subject == COMMAND_CHANGES_BANS;
        answer(connection, DELAYS[connection->question.subject], NULL);
    }
    connection->question = (struct command_question){0};
    connection->asked_ns = 0;
    finish(connection, done);
}

// Executes the first complete line. A line that is too long is dropped as it arrives.
static void take_line(struct admin_socket *server, struct connection *connection)
{
    char *end = memchr(connection->in, '\n', connection->in_count);
    if (!end && connection->in_count == sizeof connection->in) {
        connection->overlong = true;
        connection->in_count = 0;
    }
    if (!end && !(connection->ended && connection->in_count > 0))
        return;
    size_t length = end ? (size_t)(end - connection->in) : connection->in_count, used = length + (end != NULL);
    char clean[COMMAND_LINE_BYTES_MAX + 2];
    struct command_caller caller = {.peer = COMMAND_CALLER_OUTSIDE,
                                    .is_admin = true,
                                    .name = "socket",
                                    .answer = answer,
                                    .wait = wait,
                                    .context = connection};
    bool done = false;
    utf8_clean(clean, sizeof clean, connection->in, length);
    connection->json = strncmp(clean, "json ", 5) == 0;
    connection->first = true;
    connection->cut = false;
    const char *command = clean + (connection->json ? 5 : 0);
    if (connection->json)
        put(connection, BEGIN_JSON, strlen(BEGIN_JSON));
    if (connection->overlong)
        answer(connection, "That line is too long. The limit is 512 bytes.", NULL);
    else if (*command)
        done = command_run(server->admin, &caller, command + (*command == '/'));
    else
        answer(connection, "There is no command in that line. help lists the commands.", NULL);
    if (!connection->question.subject)
        finish(connection, done);
    connection->overlong = false;
    connection->in_count -= used;
    memmove(connection->in, connection->in + used, connection->in_count);
}

static void receive(struct connection *connection, uint64_t now_ns)
{
    size_t room = sizeof connection->in - connection->in_count;
    if (room == 0 || connection->ended)
        return;
    int64_t count = stream_local_receive(connection->number, connection->in + connection->in_count, room);
    if (count > 0) {
        connection->in_count += (size_t)count;
        connection->heard_ns = now_ns;
    } else if (count == 0) {
        connection->ended = true;
    } else if (errno != EAGAIN) {
        hang_up(connection);
    }
}

static void send_answer(struct connection *connection, uint64_t now_ns)
{
    const char *bytes = connection->out + connection->out_sent;
    int64_t count = stream_local_send(connection->number, bytes, connection->out_count - connection->out_sent);
    if (count > 0) {
        connection->out_sent += (size_t)count;
        connection->stuck_ns = 0;
    } else if (errno != EAGAIN) {
        hang_up(connection);
        return;
    }
    if (connection->out_sent == connection->out_count)
        connection->out_sent = connection->out_count = 0;
    else if (connection->stuck_ns == 0)
        connection->stuck_ns = now_ns;
    else if (now_ns - connection->stuck_ns > ADMIN_SLOW_NS)
        hang_up(connection);
}

// A connection's next command waits until its last answer has been read.
static void serve(struct admin_socket *server, struct connection *connection, uint64_t now_ns)
{
    if (connection->question.subject) {
        poll_answer(server, connection, now_ns);
    } else if (connection->out_count == 0) {
        receive(connection, now_ns);
        if (connection->number >= 0)
            take_line(server, connection);
    }
    if (connection->number >= 0 && connection->out_count > 0 && !connection->question.subject)
        send_answer(connection, now_ns);
    if (connection->number >= 0 && connection->ended && connection->out_count == 0 && connection->in_count == 0 &&
        !connection->question.subject)
        hang_up(connection);
}

void admin_socket_serve(struct admin_socket *server, uint64_t now_ns)
{
    for (uint32_t i = 0; server && i < ADMIN_CONNECTION_CAPACITY; i++)
        if (server->connections[i].number >= 0)
            serve(server, &server->connections[i], now_ns);
    int number = server ? stream_local_accept(server->listener) : -1;
    if (number < 0)
        return;
    struct connection *connection = &server->connections[0]; // one that is free, or silent for longest
    for (uint32_t i = 1; i < ADMIN_CONNECTION_CAPACITY && connection->number >= 0; i++)
        if (server->connections[i].number < 0 || server->connections[i].heard_ns < connection->heard_ns)
            connection = &server->connections[i];
    if (connection->number >= 0)
        hang_up(connection);
    memset(connection, 0, offsetof(struct connection, in));
    connection->number = number;
    connection->heard_ns = now_ns;
}

bool admin_socket_is_used(const struct admin_socket *server)
{
    for (uint32_t i = 0; server && i < ADMIN_CONNECTION_CAPACITY; i++)
        if (server->connections[i].number >= 0)
            return true;
    return false;
}

void admin_socket_close(struct admin_socket *server)
{
    if (!server)
        return;
    for (uint32_t i = 0; i < ADMIN_CONNECTION_CAPACITY; i++)
        if (server->connections[i].number >= 0)
            hang_up(&server->connections[i]);
    stream_local_close(server->listener);
    free(server);
}
