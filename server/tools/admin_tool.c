// SPDX-License-Identifier: MIT
//
// deadfall-admin: sends commands to a running server through its admin socket, one from the command line or many from
// stdin, and prints the answers.
#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/utf8.h"
#include "options/options.h"

#define LINE_BYTES_MAX 512
#define WORDS_CAPACITY 64

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

// The names of a server's admin commands, for completion.
static const char *const COMMANDS[] = {"help",       "status",  "top",    "say",    "kick",     "ban",
                                       "unban",      "bans",    "map",    "mode",   "variants", "bracket",
                                       "tournament", "restart", "pause",  "resume", "bots",     "set",
                                       "records",    "record",  "reload", "drain",  "shutdown", NULL};

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

// Two streams on one socket, since a single stream would need a seek between reading and writing.
struct line {
    FILE *to, *from;
};

// Makes the path of the admin socket of an arena: a path, or the name of a service. The units in server/hosting set the
// state directories.
static void socket_path(const char *arena, char *path, size_t path_bytes)
{
    if (strchr(arena, '/') || access(arena, F_OK) == 0)
        snprintf(path, path_bytes, "%s", arena);
    else if (strcmp(arena, "server") == 0)
        snprintf(path, path_bytes, "/var/lib/deadfall/admin.sock");
    else
        snprintf(path, path_bytes, "/var/lib/deadfall-arenas/%s/admin.sock", arena);
}

static bool reach(const char *path, struct line *server)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    if (strlen(path) >= sizeof address.sun_path) {
        errno = ENAMETOOLONG;
        return false;
    }
    strcpy(address.sun_path, path);
    int file = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (file < 0 || connect(file, (const struct sockaddr *)&address, sizeof address) != 0)
        return false;
    server->to = fdopen(file, "w");
    server->from = fdopen(dup(file), "r");
    return server->to && server->from;
}

// Whether the last line of an answer, as it has come, says that the command was executed: a remark may follow.
static bool is_done(const char *line, bool json)
{
    return json ? strstr(line, "],\"done\":true") != NULL : strcspn(line, " \n") == 4 && memcmp(line, "done", 4) == 0;
}

// Prints a line of an answer, as a terminal may have it. Returns true at its end; then `done` says whether the command
// was executed.
static bool print_line(char *line, bool json, bool *done)
{
    bool goes_on = !json && line[0] == ' ';
    *done = is_done(line, json);
    utf8_clean(line, strlen(line) + 1, line, strlen(line));
    if (json || goes_on)
        puts(line);
    else if (strchr(line, '('))
        fprintf(stderr, "deadfall-admin: %s\n", line);
    return !goes_on;
}

// Sends one command and prints its answer.
static int execute(const struct line *server, const char *command, bool json)
{
    char *line = NULL;
    size_t room = 0;
    bool done = false, ended = false;
    fprintf(server->to, "%s%s\n", json ? "json " : "", command);
    bool sent = fflush(server->to) == 0;
    while (sent && !ended && getline(&line, &room, server->from) > 0)
        ended = print_line(line, json, &done);
    free(line);
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

// Sends commands from stdin. One refusal is enough for EXIT_FAILED.
static int converse(const struct line *server, bool json)
{
    char *line = NULL;
    size_t room = 0;
    int code = EXIT_OK;
    bool prompts = isatty(STDIN_FILENO);
    while (code == EXIT_OK || code == EXIT_FAILED) {
        if (prompts)
            fputs("> ", stdout), fflush(stdout);
        if (getline(&line, &room, stdin) <= 0)
            break;
        line[strcspn(line, "\n")] = 0;
        if (line[strspn(line, " \t\r")] == 0)
            continue;
        if (prompts && (strcmp(line, "quit") == 0 || strcmp(line, "exit") == 0))
            break;
        int answered = execute(server, line, json);
        code = answered == EXIT_OK ? code : answered;
    }
    free(line);
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
    struct line server;
    signal(SIGPIPE, SIG_IGN);
    socket_path(options.operands[0], path, sizeof path);
    if (!reach(path, &server)) {
        fprintf(stderr, "deadfall-admin: no server answers at %s: %s\n", path, strerror(errno));
        return EXIT_UNAVAILABLE;
    }
    return *command ? execute(&server, command, settings.json) : converse(&server, settings.json);
}
