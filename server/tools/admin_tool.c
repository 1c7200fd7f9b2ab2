// SPDX-License-Identifier: MIT
//
// deadfall-admin: sends commands to a running server through its admin socket, one from the command line or many from
// stdin, and prints the answers.
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "admin/command_list.h"
#include "base/platform/disk.h"
#include "base/platform/process.h"
#include "base/platform/stream.h"
#include "base/utf8.h"
#include "options/options.h"

#define LINE_BYTES_MAX    512
#define ANSWER_LINE_BYTES 524288 // an answer in JSON is one line
#define WORDS_CAPACITY    64

struct settings {
    bool json;
};

static const struct option OPTIONS[] = {
    {"json", OPTION_FLAG, offsetof(struct settings, json), "off", .help = "print answers as JSON, one line each"},
};

static void help_more(FILE *out)
{
    fputs("\nARENA is the path of the server's --admin-socket, by default admin.sock in its state directory. Root can "
          "name\n"
          "a service instead: server for deadfall-server, NAME for deadfall-server@NAME. Without COMMAND,\n"
          "deadfall-admin reads commands from stdin, one per line. The command help lists all commands.\n"
          "Exit codes: 0 done, 1 refused, 69 no server answers, 74 the connection broke.\n",
          out);
}

// The names of a server's commands that need no seat in its match, for completion.
#define NAME_FOR_PLAYER(name)
#define NAME_FOR_ANYONE(name)              #name,
#define NAME_FOR_ADMIN(name)               #name,
#define NAME(name, arguments, help, right) NAME_FOR_##right(name)
static const char *const COMMANDS[] = {COMMAND_LIST(NAME) NULL};

static const struct program PROGRAM = {
    .name = "deadfall-admin",
    .summary = "Sends commands to a running server of Deadfall.",
    .operands = "ARENA [COMMAND...]",
    .options = OPTIONS,
    .option_count = sizeof OPTIONS / sizeof *OPTIONS,
    .operand_capacity = WORDS_CAPACITY,
    .help_more = help_more,
    .commands = COMMANDS,
    .commands_after = 1,
};

static int say(int code, const char *what, const char *why)
{
    fprintf(stderr, "deadfall-admin: %s%s%s\n", what, *why ? ": " : "", why);
    return code;
}

// What has come from the server, from the line that is printed next.
struct answer {
    int connection;
    size_t begin, end;
    char bytes[ANSWER_LINE_BYTES];
};

// Returns the next line of an answer without its end, for a while. Null: the connection has ended, or it is too long.
static char *read_line(struct answer *answer)
{
    for (size_t looked = 0;;) {
        char *line = answer->bytes + answer->begin;
        char *end = memchr(line + looked, '\n', answer->end - answer->begin - looked);
        if (end) {
            *end = 0;
            answer->begin = (size_t)(end + 1 - answer->bytes);
            return line;
        }
        looked = answer->end - answer->begin;
        memmove(answer->bytes, line, looked);
        answer->begin = 0, answer->end = looked;
        stream_local_wait(answer->connection, -1);
        int64_t count = stream_local_receive(answer->connection, answer->bytes + looked, sizeof answer->bytes - looked);
        if (count == 0 || (count < 0 && errno != EAGAIN))
            return NULL;
        answer->end += count > 0 ? (size_t)count : 0;
    }
}

// Sends one command and prints its answer, as a terminal may have it. Its last line, which begins with no blank, says
// whether the command was executed: a remark may follow.
static int execute(struct answer *server, const char *command, bool json)
{
    char bytes[LINE_BYTES_MAX + 16], *line = NULL;
    bool done = false, ended = false;
    size_t byte_count = (size_t)snprintf(bytes, sizeof bytes, "%s%s\n", json ? "json " : "", command), sent = 0;
    while (sent < byte_count) {
        int64_t count = stream_local_send(server->connection, bytes + sent, byte_count - sent);
        if (count < 0)
            break; // a server that does not read a line has no room for it
        sent += (size_t)count;
    }
    while (sent == byte_count && !ended && (line = read_line(server))) {
        bool goes_on = !json && line[0] == ' ';
        ended = !goes_on;
        done = json ? strstr(line, "],\"done\":true") != NULL : strcspn(line, " ") == 4 && memcmp(line, "done", 4) == 0;
        utf8_clean(line, strlen(line) + 1, line, strlen(line));
        if (json || goes_on)
            puts(line);
        else if (strchr(line, '('))
            fprintf(stderr, "deadfall-admin: %s\n", line);
    }
    if (!ended)
        return say(EXIT_IO, "the server has closed the connection", "");
    return fflush(stdout) != 0 ? EXIT_IO : done ? EXIT_OK : EXIT_FAILED;
}

// Joins the words of the command line. A name with spaces, the second word, is quoted again.
static bool join(const struct options_result *options, char command[LINE_BYTES_MAX + 1])
{
    size_t used = 0;
    for (size_t i = 1; i < options->operand_count; i++) {
        const char *word = options->operands[i], *quote = strchr(word, ' ') && i == 2 ? "\"" : "";
        int length =
            snprintf(command + used, LINE_BYTES_MAX + 1 - used, "%s%s%s%s", i > 1 ? " " : "", quote, word, quote);
        used += (size_t)length;
        if (used > LINE_BYTES_MAX)
            return false;
    }
    return strpbrk(command, "\r\n") == NULL;
}

// Sends commands from stdin, a line each. One refusal is enough for EXIT_FAILED.
static int converse(struct answer *server, bool json)
{
    char line[LINE_BYTES_MAX + 2];
    int code = EXIT_OK;
    bool prompts = process_is_terminal(stdin);
    while (code == EXIT_OK || code == EXIT_FAILED) {
        if (prompts)
            fputs("> ", stdout), fflush(stdout);
        if (!fgets(line, sizeof line, stdin))
            break;
        bool is_whole = strchr(line, '\n') || feof(stdin);
        for (int byte = 0; !is_whole && byte != '\n' && byte != EOF;)
            byte = getchar(); // what does not fit
        line[strcspn(line, "\n")] = 0;
        if (line[strspn(line, " \t\r")] == 0)
            continue;
        if (prompts && (strcmp(line, "quit") == 0 || strcmp(line, "exit") == 0))
            break;
        int answered = is_whole ? execute(server, line, json) : say(EXIT_FAILED, "a command has at most 512 bytes", "");
        code = answered == EXIT_OK ? code : answered;
    }
    return code;
}

int main(int argc, char **argv)
{
    struct settings settings;
    struct options_result options;
    char command[LINE_BYTES_MAX + 1] = "", path[PATH_MAX];
    switch (options_read(&PROGRAM, &settings, argc, argv, getenv, stdout, &options)) {
    case OPTIONS_RUN:
        break;
    case OPTIONS_DONE:
        return EXIT_OK;
    case OPTIONS_WRONG:
        return say(options.error.code, options.error.text, "");
    }
    if (options.operand_count == 0)
        return say(EXIT_USAGE, "give the path of a server's admin socket, or the name of a service; see --help", "");
    if (!join(&options, command))
        return say(EXIT_USAGE, "a command is one line of at most 512 bytes", "");
    static struct answer server;
    process_ignore_write_signals();
    // An arena is a path, or the name of a service. The units in server/hosting set the state directories.
    const char *arena = options.operands[0];
    if (strpbrk(arena, "/\\") || disk_exists(arena))
        snprintf(path, sizeof path, "%s", arena);
    else if (strcmp(arena, "server") == 0)
        snprintf(path, sizeof path, "/var/lib/deadfall/admin.sock");
    else
        snprintf(path, sizeof path, "/var/lib/deadfall-arenas/%s/admin.sock", arena);
    server.begin = server.end = 0;
    server.connection = stream_local_connect(path);
    if (server.connection < 0) {
        fprintf(stderr, "deadfall-admin: no server answers at %s: %s\n", path, strerror(errno));
        return EXIT_UNAVAILABLE;
    }
    return *command ? execute(&server, command, settings.json) : converse(&server, settings.json);
}
