// SPDX-License-Identifier: MIT
#include "local_server.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <sysexits.h>
#include <unistd.h>

#include "app/text/text.h"
#include "base/host_port.h"

#define PROGRAM            "deadfall-server"
#define ARGUMENTS_CAPACITY 40
#define READY_MS           15000
#define END_MS             5000
#define PROBE_MS           20

// The server beside this program, so that a build tree and an installation both work.
static bool server_path(char *path, size_t path_bytes)
{
    ssize_t length = readlink("/proc/self/exe", path, path_bytes - 1);
    if (length < 0)
        return false;
    path[length] = 0;
    char *name = strrchr(path, '/');
    size_t room = path_bytes - (size_t)(name ? name + 1 - path : 0);
    return name && (size_t)snprintf(name + 1, room, PROGRAM) < room;
}

static void run_server(const char *path, const char *const *arguments, int output, pid_t parent)
{
    const char *all[ARGUMENTS_CAPACITY] = {path, "--resume", "never"};
    for (size_t count = 3; *arguments && count < ARGUMENTS_CAPACITY - 1; count++)
        all[count] = *arguments++;
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (getppid() != parent)
        _exit(127);
    dup2(output, STDOUT_FILENO);
    execv(path, (char *const *)all);
    _exit(127);
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

// The last word of the line: "key=...".
static void read_fingerprint(const char *line, char fingerprint[FINGERPRINT_TEXT_BYTES])
{
    const char *key = strstr(line, " key=");
    snprintf(fingerprint, FINGERPRINT_TEXT_BYTES, "%s", key ? key + strlen(" key=") : "");
    fingerprint[strcspn(fingerprint, " \n")] = 0;
}

static bool wait_for_ready(struct local_server *host)
{
    char line[256];
    size_t length = 0;
    while (length < sizeof line - 1) {
        struct pollfd ready = {.fd = host->output, .events = POLLIN};
        int found = poll(&ready, 1, READY_MS);
        if (found < 0 && errno == EINTR)
            continue;
        if (found <= 0 || read(host->output, line + length, 1) != 1)
            return false;
        line[++length] = 0;
        if (line[length - 1] != '\n')
            continue;
        if (read_port(line, &host->port)) {
            read_fingerprint(line, host->fingerprint);
            return true;
        }
        length = 0;
    }
    return false;
}

bool local_server_start(struct local_server *host, const char *const *arguments, struct error *error)
{
    char path[4096];
    int ends[2];
    *host = (struct local_server){0};
    if (!server_path(path, sizeof path) || access(path, X_OK))
        return error_set(error, text_of("There is no %s beside this program: build it, or use --connect."), PROGRAM);
    pid_t parent = getpid();
    if (pipe2(ends, O_CLOEXEC))
        return error_set(error, text_of("No pipe to %s: %s."), PROGRAM, strerror(errno));
    host->process = fork();
    if (host->process == 0)
        run_server(path, arguments, ends[1], parent);
    close(ends[1]);
    host->output = ends[0];
    if (host->process > 0 && wait_for_ready(host))
        return true;
    local_server_stop(host);
    return error_set(error, text_of("%s did not become ready; what it said stands above."), PROGRAM);
}

void local_server_stop(struct local_server *host)
{
    if (host->process <= 0)
        return;
    int status = 0;
    kill(host->process, SIGTERM);
    for (int32_t waited = 0; waitpid(host->process, &status, WNOHANG) == 0; waited += PROBE_MS) {
        if (waited >= END_MS)
            kill(host->process, SIGKILL);
        poll(0, 0, PROBE_MS);
    }
    close(host->output);
    *host = (struct local_server){.exit_code =
                                      WIFEXITED(status) && WEXITSTATUS(status) >= EX__BASE ? WEXITSTATUS(status) : 0};
}
