// SPDX-License-Identifier: MIT
#include "local_server.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "base/host_port.h"
#include "base/platform/disk.h"
#include "base/platform/process.h"
#include "text/text.h"

#define PROGRAM            "deadfall-server"
#define ARGUMENTS_CAPACITY (LOCAL_SERVER_ARGUMENTS + 3)
#define READY_MS           15000
#define END_MS             5000
#define REASON_MS          2000
#define CODE_MIN           64 // the first of sysexits.h

// The server beside this program, so that a build tree and an installation both work.
static bool server_path(char *path, size_t path_bytes)
{
    char *name = process_path(path, path_bytes) ? strrchr(path, '/') : NULL;
    size_t room = path_bytes - (size_t)(name ? name + 1 - path : 0);
    return name && (size_t)snprintf(name + 1, room, PROGRAM) < room;
}

// Reads the port of "ready: udp 127.0.0.1:40123 map=...".
static bool read_port(const char *line, uint16_t *port)
{
    static const char START[] = "ready: udp ";
    struct host_port place;
    const char *text = line + strlen(START);
    if (strncmp(line, START, strlen(START)) || !host_port_parse(text, strcspn(text, " \n"), &place))
        return false;
    *port = place.port;
    return place.port > 0;
}

// Reads up to the ready line, as far as the child has come within so long.
static void wait_for_ready(struct local_server *host, int timeout_ms)
{
    const char *line = child_line(&host->child, timeout_ms);
    while (line && !read_port(line, &host->port))
        line = child_line(&host->child, timeout_ms);
    if (!line)
        return;
    const char *key = strstr(line, " key="); // the last word
    snprintf(host->fingerprint, FINGERPRINT_TEXT_BYTES, "%s", key ? key + strlen(" key=") : "");
    host->fingerprint[strcspn(host->fingerprint, " \n")] = 0;
}

// A line that was cut is none of the server's.
void local_server_listen(struct local_server *host)
{
    struct invitation said;
    for (const char *line; host->port && (line = child_line(&host->child, 0));)
        if (strlen(line) < CHILD_LINE_BYTES - 1 && invitation_read(&said, line))
            host->invitation = said;
}

static bool start(struct child *child, const char *path, const char *const *arguments, bool gives_errors)
{
    const char *all[ARGUMENTS_CAPACITY] = {path, "--resume", "never"};
    for (size_t count = 3; *arguments && count < ARGUMENTS_CAPACITY - 1; count++)
        all[count] = *arguments++;
    return child_start(
        child,
        &(struct child_command){.program = path, .arguments = all, .gives_output = true, .gives_errors = gives_errors});
}

// Returns the sentence in a line of the server's: behind its name, or behind the time and the level of its log.
static const char *reason_in(const char *line)
{
    static const char NAME[] = PROGRAM ": ", LEVEL[] = " error: ";
    const char *level = strstr(line, LEVEL);
    return !strncmp(line, NAME, sizeof NAME - 1) ? line + sizeof NAME - 1 : level ? level + sizeof LEVEL - 1 : line;
}

// What a server says goes to where this program writes, which nobody sees from a window. So one that has ended is
// started once more, and heard. Writes its last sentence, or nothing if it says nothing or does not end this time.
static void ask_for_reason(const char *path, const char *const *arguments, char *said, size_t said_bytes)
{
    struct child child;
    if (!start(&child, path, arguments, true))
        return;
    for (const char *line; (line = child_line(&child, REASON_MS));)
        snprintf(said, said_bytes, "%s", reason_in(line));
    if (child_stop(&child, END_MS) < CODE_MIN)
        said[0] = 0;
}

bool local_server_start(struct local_server *host, const char *const *arguments, struct error *error)
{
    char path[FILE_PATH_BYTES], said[CHILD_LINE_BYTES] = "";
    *host = (struct local_server){0};
    if (!server_path(path, sizeof path) || !disk_is_program(path))
        return error_set(error, text_of("There is no %s beside this program: build it, or use --connect."), PROGRAM);
    if (!start(&host->child, path, arguments, false))
        return error_set(error, text_of("No pipe to %s: %s."), PROGRAM, strerror(errno));
    wait_for_ready(host, READY_MS);
    if (host->port || !child_can_wait())
        return true;
    local_server_stop(host);
    if (host->exit_code)
        ask_for_reason(path, arguments, said, sizeof said);
    return said[0] ? error_set(error, text_of("%s did not become ready: %s"), PROGRAM, said)
                   : error_set(error, text_of("%s did not become ready."), PROGRAM);
}

bool local_server_starts(const struct local_server *host)
{
    return host->child.process > 0 && !host->port;
}

bool local_server_follow(struct local_server *host, struct error *error)
{
    int code;
    if (local_server_starts(host))
        wait_for_ready(host, 0);
    if (host->port || !child_has_ended(&host->child, &code))
        return true;
    *host = (struct local_server){.exit_code = code >= CODE_MIN ? code : 0};
    return error_set(error, text_of("The match cannot be loaded. Look at your connection, and try again."));
}

void local_server_stop(struct local_server *host)
{
    if (host->child.process <= 0)
        return;
    int code = child_stop(&host->child, END_MS);
    *host = (struct local_server){.exit_code = code >= CODE_MIN ? code : 0};
}
