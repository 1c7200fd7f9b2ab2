// SPDX-License-Identifier: MIT
//
// scene deadfall-screens FILE: plays a script of screens in virtual time (stage/), in a window that is nowhere; or
// with --real, and without scene, in a window of the X server at hand. Exits 0 when all that the script says is seen, 1
// when not, 65 on a malformed file.
// --check only reads it. This process is the director: it opens the windows and the server, and does what no window
// does. The window's main() is that of the program itself.
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/file.h"
#include "base/platform/child.h"
#include "base/platform/process.h"
#include "net/datagram.h"
#include "options/options.h"
#include "screen_devices.h"
#include "screen_play.h"

#define FRAME_NS      (CLOCK_SECOND_NS / 60)
#define STEP_NS       (1800 * CLOCK_SECOND_NS) // longer than any step takes
#define READY_MS      60000
#define END_MS        20000
#define ARGUMENTS_MAX (SCREEN_SCRIPT_WORDS + 12)
#define PATH_ROOM     (SCREEN_PLAY_PATH_BYTES + SCREEN_PLAY_TEXT_BYTES + 8)
#define TAIL_BYTES    2000
#define KEPT_BYTES    65536

// client/app/main.c has the other one.
int __wrap_main(int argc, char **argv);
int __real_main(int argc, char **argv);

static struct screen_script script;
static struct screen_play play = {.script = &script};
static pid_t windows[SCREEN_SCRIPT_WINDOWS]; // 0: not open
static struct child server;
static pid_t liar;             // 0: none
static uint32_t begun, frames; // 1 + the step that is due, and how many frames it has been
static uint64_t since_ns;

static void path_of(const char *file, char path[PATH_ROOM])
{
    char text[SCREEN_PLAY_TEXT_BYTES];
    screen_play_expand(&play, file, text);
    snprintf(path, PATH_ROOM, "%s/%s", play.folder, text);
}

// ---- windows ---------------------------------------------------------------------------------------------------

// Turns the words of a step into arguments behind those that are given.
static int add_arguments(const struct screen_step *step, char **arguments, int count)
{
    static char texts[SCREEN_SCRIPT_WORDS][SCREEN_PLAY_TEXT_BYTES];
    for (uint32_t i = 0; i < step->count; i++) {
        screen_play_expand(&play, step->words[i], texts[i]);
        arguments[count++] = texts[i];
    }
    arguments[count] = NULL;
    return count;
}

static void log_path_of(uint32_t window, char path[PATH_ROOM])
{
    char name[SCREEN_SCRIPT_NAME_BYTES + 8];
    snprintf(name, sizeof name, "%s.log", script.windows[window]);
    path_of(name, path);
}

// The window's process. It writes its faults where the director does, and its program logs to a file.
static void run_window(const struct screen_step *step, const char *log_path)
{
    char folder[PATH_ROOM];
    char *arguments[ARGUMENTS_MAX] = {"deadfall", "--state-dir", folder, "--log-level", "debug", "--scale", "1"};
    int count = add_arguments(step, arguments, 7);
    path_of(script.windows[step->window], folder);
    setenv("XDG_CACHE_HOME", folder, 1);
    screen_play_enter(&play, step->window, log_path);
    exit(__real_main(count, arguments));
}

static void open_window(const struct screen_step *step)
{
    char log_path[PATH_ROOM];
    log_path_of(step->window, log_path);
    int log = open(log_path, O_CREAT | O_TRUNC | O_WRONLY | O_APPEND | O_CLOEXEC, 0600);
    fflush(NULL);
    windows[step->window] = log < 0 ? -1 : fork();
    if (windows[step->window] == 0) {
        int faults = dup(STDERR_FILENO);
        dup2(log, STDERR_FILENO);
        screen_play_report_to(fdopen(faults, "w"));
        run_window(step, log_path);
    }
    close(log);
    if (windows[step->window] < 0)
        screen_play_fail(&play, "no process for the window.");
}

static void print_tail(uint32_t window)
{
    char path[PATH_ROOM], text[TAIL_BYTES + 1];
    log_path_of(window, path);
    FILE *log = fopen(path, "re");
    if (!log)
        return;
    if (fseek(log, -TAIL_BYTES, SEEK_END) != 0)
        rewind(log);
    text[fread(text, 1, TAIL_BYTES, log)] = 0;
    fclose(log);
    fprintf(stderr, "%s's log ends:\n%s\n", script.windows[window], text);
}

// Returns whether the window has ended, which it must do with exit status 0.
static bool has_ended(uint32_t window)
{
    int status = 0;
    if (windows[window] == 0 || waitpid(windows[window], &status, WNOHANG) != windows[window])
        return windows[window] == 0;
    windows[window] = 0;
    if (status != 0 && !play.stage->failed) {
        screen_play_fail(&play, WIFSIGNALED(status) ? "a window was killed by a signal."
                                                    : "a window ended with another exit status than 0.");
        print_tail(window);
    }
    return true;
}

// ---- the server ------------------------------------------------------------------------------------------------

// It lies beside this program.
static void start_server(const struct screen_step *step)
{
    char program[PATH_ROOM], folder[PATH_ROOM];
    char *arguments[ARGUMENTS_MAX] = {program, "--port", "0", "--state-dir", folder, "--log-level", "warning"};
    struct child_command command = {
        .program = program, .arguments = (const char *const *)arguments, .gives_output = true};
    char address[32];
    path_of("server", folder);
    add_arguments(step, arguments, 7);
    bool found = process_path(program, SCREEN_PLAY_PATH_BYTES);
    if (found)
        strcpy(strrchr(program, '/') + 1, "deadfall-server");
    const char *line = found && child_start(&server, &command) ? child_line(&server, READY_MS) : NULL;
    const char *key = line ? strstr(line, " key=") : NULL;
    const char *port = line ? strrchr(line, ':') : NULL;
    if (!key || !port)
        screen_play_fail(&play, line ? line : "the server is not ready.");
    if (!key || !port)
        return;
    int length = snprintf(address, sizeof address, "127.0.0.1:%.*s", (int)strspn(port + 1, "0123456789"), port + 1);
    screen_play_note(&play, "server", address, (size_t)length);
    screen_play_note(&play, "port", strchr(address, ':') + 1, (size_t)length - strlen("127.0.0.1:"));
    screen_play_note(&play, "key", key + strlen(" key="), strlen(key + strlen(" key=")));
}

static void stop_server(void)
{
    if (server.process > 0 && child_stop(&server, END_MS) != 0 && !play.stage->failed)
        screen_play_fail(&play, "the server did not end as it should.");
}

// ---- a liar ----------------------------------------------------------------------------------------------------

// Answers with another's key those who look for servers, and passes everything else on to the server and back.
static void lie(int front, int back, const char *key)
{
    static const char CHALLENGE[] = "\xff\xff\xff\xff"
                                    "A1234",
                      QUERY[] = "\xff\xff\xff\xff";
    char info[256], bytes[DATAGRAM_BYTES_MAX];
    struct sockaddr_in from, client = {0};
    size_t length = (size_t)snprintf(info, sizeof info,
                                     "%sI\x11Smithy%cduel%cdeadfall%cDeadfall%c%c%c%c\x08%cdl%c%c0.1.0%c\x20"
                                     "ffa,key.%s",
                                     QUERY, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, key);
    for (;;) {
        struct pollfd ready[] = {{.fd = front, .events = POLLIN}, {.fd = back, .events = POLLIN}};
        socklen_t size = sizeof from;
        poll(ready, 2, READY_MS);
        ssize_t count = recv(back, bytes, sizeof bytes, MSG_DONTWAIT);
        if (count > 0)
            sendto(front, bytes, (size_t)count, 0, (struct sockaddr *)&client, sizeof client);
        count = recvfrom(front, bytes, sizeof bytes, MSG_DONTWAIT, (struct sockaddr *)&from, &size);
        bool asks = count >= 4 && !memcmp(bytes, QUERY, 4);
        if (asks && count > 25) // with the challenge
            sendto(front, info, length + 1, 0, (struct sockaddr *)&from, size);
        else if (asks)
            sendto(front, CHALLENGE, sizeof CHALLENGE - 1, 0, (struct sockaddr *)&from, size);
        else if (count > 0) {
            client = from;
            send(back, bytes, (size_t)count, 0);
        }
    }
}

static void start_liar(const char *key)
{
    char server_port[SCREEN_PLAY_TEXT_BYTES], port[8];
    struct sockaddr_in own = {.sin_family = AF_INET}, to = {.sin_family = AF_INET};
    socklen_t size = sizeof own;
    int front = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0), back = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    screen_play_expand(&play, "{port}", server_port);
    to.sin_port = htons((uint16_t)strtoul(server_port, NULL, 10));
    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (bind(front, (struct sockaddr *)&own, size) != 0 || getsockname(front, (struct sockaddr *)&own, &size) != 0 ||
        connect(back, (struct sockaddr *)&to, sizeof to) != 0)
        screen_play_fail(&play, strerror(errno));
    int length = snprintf(port, sizeof port, "%u", ntohs(own.sin_port));
    screen_play_note(&play, "liar", port, (size_t)length);
    liar = fork();
    if (liar == 0)
        lie(front, back, key);
}

// ---- steps -----------------------------------------------------------------------------------------------------

static void make_folders(char *path)
{
    for (char *slash = path + strlen(play.folder) + 1; (slash = strchr(slash, '/')); slash++) {
        *slash = 0;
        mkdir(path, 0700);
        *slash = '/';
    }
}

// Only the owner may read it, as a file with a password must be.
static void write_file(const struct screen_step *step)
{
    char path[PATH_ROOM], text[SCREEN_PLAY_TEXT_BYTES];
    path_of(step->words[0], path);
    make_folders(path);
    int file = open(path, O_CREAT | O_TRUNC | O_WRONLY | O_CLOEXEC, 0600);
    FILE *out = file < 0 ? NULL : fdopen(file, "w");
    for (uint32_t i = 1; out && i < step->count; i++) {
        screen_play_expand(&play, step->words[i], text);
        fprintf(out, "%s\n", text);
    }
    if (!out || fclose(out) != 0)
        screen_play_fail(&play, strerror(errno));
}

static bool is_kept(const struct screen_step *step)
{
    static char content[KEPT_BYTES];
    char path[PATH_ROOM], text[SCREEN_PLAY_TEXT_BYTES];
    size_t bytes = 0;
    path_of(step->words[0], path);
    if (!file_read(path, content, sizeof content - 1, &bytes))
        return false;
    content[bytes] = 0;
    for (uint32_t i = 1; i < step->count; i++) {
        screen_play_expand(&play, step->words[i], text);
        if (!strstr(content, text))
            return false;
    }
    return true;
}

// Returns whether the step is done.
static bool do_step(const struct screen_step *step)
{
    bool is_of_server = step->window == SCREEN_SCRIPT_WINDOWS;
    if (step->verb == SCREEN_WINDOW)
        open_window(step);
    else if (step->verb == SCREEN_SERVER)
        start_server(step);
    else if (step->verb == SCREEN_LIAR)
        start_liar(step->words[0]);
    else if (step->verb == SCREEN_FILE)
        write_file(step);
    else if (step->verb == SCREEN_STOP && is_of_server)
        stop_server();
    else if (step->verb == SCREEN_STOP && windows[step->window] > 0 && frames == 0)
        kill(windows[step->window], SIGTERM);
    bool waits = step->verb == SCREEN_ENDS || (step->verb == SCREEN_STOP && !is_of_server);
    return waits ? has_ended(step->window) : step->verb == SCREEN_KEPT ? is_kept(step) : true;
}

// A window that ends must do so because the script says it.
static void check_windows(const struct screen_step *step)
{
    for (uint32_t i = 0; i < SCREEN_SCRIPT_WINDOWS; i++) {
        bool may_end = (step->verb == SCREEN_ENDS || step->verb == SCREEN_STOP) && step->window == i;
        if (windows[i] == 0 || may_end || !has_ended(i) || play.stage->failed)
            continue;
        screen_play_fail(&play, "a window ended.");
        print_tail(i);
    }
}

static void direct(void)
{
    struct screen_stage *stage = play.stage;
    while (!stage->failed && stage->at < script.count) {
        uint32_t at = stage->at;
        const struct screen_step *step = &script.steps[at];
        if (begun != at + 1) {
            begun = at + 1;
            frames = 0;
            since_ns = clock_now_ns();
        }
        check_windows(step);
        if (step->is_of_director && !stage->failed && do_step(step)) {
            stage->at += !stage->failed;
            continue;
        }
        clock_sleep(FRAME_NS);
        if (clock_now_ns() - since_ns > STEP_NS)
            screen_play_fail(&play, "its window draws nothing any more.");
        if (step->is_of_director && ++frames > 0 && !screen_play_may_wait(&play, step, frames, since_ns)) {
            screen_play_fail(&play, "waited in vain.");
            for (uint32_t i = 0; i < script.window_count; i++)
                print_tail(i);
        }
    }
}

// All that is open ends as a person would end it, and well.
static void end_all(void)
{
    for (uint32_t i = 0; i < SCREEN_SCRIPT_WINDOWS; i++) {
        if (windows[i] > 0)
            kill(windows[i], play.stage->failed ? SIGKILL : SIGTERM);
        while (!has_ended(i))
            clock_sleep(FRAME_NS);
    }
    stop_server();
    if (liar > 0) {
        kill(liar, SIGKILL);
        waitpid(liar, NULL, 0);
    }
}

// ---- begin and end ---------------------------------------------------------------------------------------------

static bool read_script(const char *path)
{
    static char text[SCREEN_SCRIPT_BYTES_MAX + 1];
    struct words_error error;
    size_t bytes = 0;
    const char *name = strrchr(path, '/');
    script.is_key = screen_devices_is_key;
    script.is_pad_button = screen_devices_is_pad_button;
    script.is_pad_axis = screen_devices_is_pad_axis;
    if (!file_read(path, text, sizeof text, &bytes)) {
        fprintf(stderr, "%s cannot be read: %s.\n", path, strerror(errno));
        exit(EXIT_IO);
    }
    play.path = path;
    snprintf(play.name, sizeof play.name, "%.*s", (int)strcspn(name ? name + 1 : path, "."), name ? name + 1 : path);
    if (screen_script_read(&script, text, bytes, &error))
        return true;
    fprintf(stderr, "%s:%d:%d: %s\n", path, error.line, error.column, error.message);
    return false;
}

static bool set_stage(char **notes)
{
    char here[PATH_MAX];
    const char *temporary = getenv("TMPDIR");
    if (!realpath(play.path, here))
        return false;
    *strrchr(here, '/') = 0;
    snprintf(play.folder, sizeof play.folder, "%s/screens_XXXXXX", temporary ? temporary : "/tmp");
    play.stage = mmap(NULL, sizeof *play.stage, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (play.stage == MAP_FAILED || !mkdtemp(play.folder))
        return false;
    screen_play_note(&play, "folder", play.folder, strlen(play.folder));
    screen_play_note(&play, "here", here, strlen(here));
    for (; *notes; notes++) {
        char name[SCREEN_PLAY_NOTE_BYTES];
        const char *text = *notes + strcspn(*notes, "=");
        snprintf(name, sizeof name, "%.*s", (int)(text - *notes), *notes);
        screen_play_note(&play, name, text + (*text == '='), strlen(text));
    }
    setenv("LC_ALL", "C", 1);
    setenv("SDL_JOYSTICK_ALLOW_BACKGROUND_EVENTS", "1", 1);
    setenv("SDL_AUDIODRIVER", play.is_real ? "dummy" : "there is none", 1); // SDL's dummy plays in real time
    setenv("SDL_VIDEODRIVER", play.is_real ? "x11" : "dummy", 1);
    return true;
}

int __wrap_main(int argc, char **argv)
{
    char command[PATH_ROOM];
    int file = 1;
    bool only_checks = argc > 2 && !strcmp(argv[1], "--check");
    play.is_real = argc > 2 && !strcmp(argv[1], "--real");
    file += only_checks || play.is_real;
    if (argc <= file) {
        fputs("usage: deadfall-screens [--check|--real] FILE [NAME=TEXT]...\n", stderr);
        return EXIT_USAGE;
    }
    if (!read_script(argv[file]))
        return EXIT_DATA;
    if (only_checks)
        return EXIT_OK;
    if (!play.is_real && !getenv("STAGE")) {
        fputs(
            "A script takes its time: play it in virtual time, scene deadfall-screens FILE, or in a window, --real.\n",
            stderr);
        return EXIT_USAGE;
    }
    if (!set_stage(argv + file + 1)) {
        fprintf(stderr, "no stage: %s\n", strerror(errno));
        return EXIT_IO;
    }
    direct();
    end_all();
    snprintf(command, sizeof command, "rm -rf %s", play.folder);
    bool removed = system(command) == 0;
    return play.stage->failed || !removed ? EXIT_FAILURE : EXIT_OK;
}
