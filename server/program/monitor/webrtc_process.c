// SPDX-License-Identifier: MIT
#include "webrtc_process.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sodium.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/file.h"
#include "lifecycle/successor.h"

#define PROGRAM      "deadfall-webrtc"
#define BUFFER_BYTES (1 << 20)
#define PIPE_BYTES   65536u // that its stderr holds
#define START_MS     5000   // that a start may take
#define PAUSE_NS     CLOCK_SECOND_NS
#define LINES_MAX    100 // of what one process says, since it may be taken over; a report of a sanitizer is shorter

// It gets its end of the socket pair, that of a pipe for what it says, and nothing else.
static void spawn(const struct webrtc_process *webrtc, int end, int words, struct webrtc_start *start)
{
    static char name[] = PROGRAM;
    // Its browsers' state is spread over a heap of some MiB; with huge pages it takes a fifth less time.
    static char tunables[] = "GLIBC_TUNABLES=glibc.malloc.hugetlb=1";
    char *arguments[] = {name, NULL}, *environment[] = {tunables, NULL};
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t all;
    sigfillset(&all);
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setsigdefault(&attributes, &all);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
    int reason = posix_spawn_file_actions_init(&actions);
    if (reason == 0) {
        posix_spawn_file_actions_adddup2(&actions, end, STDIN_FILENO);
        posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
        posix_spawn_file_actions_adddup2(&actions, words, STDERR_FILENO);
        reason = posix_spawn(&start->process, webrtc->path, &actions, &attributes, arguments, environment);
        posix_spawn_file_actions_destroy(&actions);
    }
    posix_spawnattr_destroy(&attributes);
    start->reason = reason;
}

// Starts the process and gives it the credentials; if it does not take them, it ends.
static struct webrtc_start start(const struct webrtc_process *webrtc)
{
    struct webrtc_start start = {.file = -1, .words = -1};
    int ends[2], words[2], room = BUFFER_BYTES;
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0) {
        start.reason = errno;
        return start;
    }
    if (pipe2(words, O_CLOEXEC) != 0) {
        start.reason = errno;
        close(ends[0]);
        close(ends[1]);
        return start;
    }
    fcntl(words[0], F_SETFL, O_NONBLOCK);
    for (size_t i = 0; i < 2; i++)
        setsockopt(ends[i], SOL_SOCKET, SO_SNDBUF, &room, sizeof room);
    spawn(webrtc, ends[1], words[1], &start);
    close(ends[1]);
    close(words[1]);
    if (start.reason != 0) {
        close(ends[0]);
        close(words[0]);
        return start;
    }
    uint8_t kept[WEBRTC_PAYLOAD_BYTES_MAX], bytes[WEBRTC_FRAME_BYTES_MAX];
    struct webrtc_frame frame = {.kind = WEBRTC_CREDENTIALS, .payload = kept};
    if (!file_read_regular(webrtc->certificate, kept, sizeof kept, &frame.byte_count))
        frame.byte_count = 0;
    size_t count = webrtc_frame_write(&frame, bytes);
    if (send(ends[0], bytes, count, MSG_DONTWAIT | MSG_NOSIGNAL) < 0)
        shutdown(ends[0], SHUT_RDWR);
    sodium_memzero(kept, sizeof kept);
    sodium_memzero(bytes, sizeof bytes);
    start.file = ends[0];
    start.words = words[0];
    return start;
}

// Takes a process that was started, or that none was. Returns whether one was.
static bool adopt(struct webrtc_process *webrtc, const struct webrtc_start *start)
{
    bool is_started = start->reason == 0;
    webrtc->link.file = start->file;
    webrtc->link.has_ended = !is_started;
    webrtc->link.in = (struct webrtc_batch){0}; // of the last one
    webrtc->words = start->words;
    webrtc->words_lines = 0;
    webrtc->process = is_started ? start->process : 0;
    webrtc->starts += is_started;
    return is_started;
}

static void log_line(struct webrtc_process *webrtc)
{
    webrtc->words_line[webrtc->words_bytes] = '\0';
    if (webrtc->words_bytes > 0 && webrtc->words_lines++ < LINES_MAX)
        log_event(webrtc->log, LOG_WARNING,
                  &(struct fields){
                      "webrtc", "the process for browsers says: {words}", {{"words", .text = webrtc->words_line}}});
    webrtc->words_bytes = 0;
}

// Logs what the process has said; of one that has ended, all that the pipe can hold.
static void log_words(struct webrtc_process *webrtc)
{
    char bytes[WEBRTC_PROCESS_WORDS_BYTES];
    ssize_t count;
    if (webrtc->words < 0)
        return;
    unsigned rest = PIPE_BYTES / sizeof bytes;
    do {
        count = read(webrtc->words, bytes, sizeof bytes);
        for (ssize_t i = 0; i < count; i++) {
            if (bytes[i] == '\n' || webrtc->words_bytes == sizeof webrtc->words_line - 1)
                log_line(webrtc);
            if (bytes[i] != '\n')
                webrtc->words_line[webrtc->words_bytes++] = bytes[i];
        }
    } while (count > 0 && webrtc->link.has_ended && rest-- > 0);
    if (!webrtc->link.has_ended)
        return;
    log_line(webrtc);
    close(webrtc->words);
    webrtc->words = -1;
}

bool webrtc_process_open(struct webrtc_process *webrtc, const char *certificate, const struct log *log, uint64_t now_ns,
                         struct error *error)
{
    // The program is beside the server, or where packages put programs that nobody starts by hand.
    static const char *const PLACES[] = {"", "../libexec/deadfall/"};
    char own[WEBRTC_PROCESS_PATH_BYTES];
    bool is_found = false;
    *webrtc = (struct webrtc_process){.link.file = -1, .words = -1, .log = log, .started_ns = now_ns};
    webrtc_filter_init(&webrtc->filter);
    snprintf(webrtc->certificate, sizeof webrtc->certificate, "%s", certificate);
    if (!successor_find(own, sizeof own, error))
        return false;
    *(strrchr(own, '/') + 1) = '\0';
    for (size_t i = 0; i < sizeof PLACES / sizeof *PLACES && !is_found; i++) {
        int length = snprintf(webrtc->path, sizeof webrtc->path, "%s%s" PROGRAM, own, PLACES[i]);
        is_found = (size_t)length < sizeof webrtc->path && access(webrtc->path, X_OK) == 0;
    }
    if (!is_found)
        return error_set(error, "--web needs the program " PROGRAM ", which is not beside this one");
    webrtc->start = start(webrtc);
    if (!adopt(webrtc, &webrtc->start))
        return error_set(error, "%.400s cannot be run: %s", webrtc->path, strerror(webrtc->start.reason));
    // This first start waits for the certificate, because links need it.
    uint8_t bytes[WEBRTC_FRAME_BYTES_MAX];
    struct webrtc_frame frame;
    struct pollfd readable = {.fd = webrtc->link.file, .events = POLLIN};
    ssize_t count = poll(&readable, 1, START_MS) == 1 ? recv(webrtc->link.file, bytes, sizeof bytes, MSG_DONTWAIT) : 0;
    if (count <= 0 || !webrtc_frame_read(&frame, bytes, (size_t)count) || frame.kind != WEBRTC_READY) {
        log_words(webrtc);
        return error_set(error, "%.400s does not start", webrtc->path);
    }
    sodium_bin2base64(webrtc->fingerprint, sizeof webrtc->fingerprint, frame.payload, WEBRTC_FINGERPRINT_BYTES,
                      sodium_base64_VARIANT_URLSAFE_NO_PADDING);
    bool is_kept = file_write(webrtc->certificate, frame.payload + WEBRTC_FINGERPRINT_BYTES,
                              frame.byte_count - WEBRTC_FINGERPRINT_BYTES);
    sodium_memzero(bytes, sizeof bytes);
    return is_kept || error_set(error, "%.400s cannot be written: %s", webrtc->certificate, strerror(errno));
}

// Its parent sleeps until a new process has its program, and a busy machine may take its time.
static void *start_beside(void *context)
{
    struct webrtc_process *webrtc = context;
    webrtc->start = start(webrtc);
    atomic_store(&webrtc->has_started, true);
    return NULL;
}

static void end_start(struct webrtc_process *webrtc)
{
    pthread_join(webrtc->starter, NULL);
    webrtc->is_starting = false;
    int ending = webrtc->ending;
    if (adopt(webrtc, &webrtc->start))
        log_event(webrtc->log, LOG_WARNING,
                  &(struct fields){"webrtc",
                                   "the process for browsers had ended (signal {signal}), and was started again; "
                                   "browsers have to open their channels again",
                                   {{"signal", .number = WIFSIGNALED(ending) ? WTERMSIG(ending) : 0},
                                    {"starts", .number = webrtc->starts}}});
}

void webrtc_process_update(struct webrtc_process *webrtc, uint64_t now_ns)
{
    if (webrtc->is_starting && atomic_load(&webrtc->has_started))
        end_start(webrtc);
    if (webrtc->link.has_ended && !webrtc->is_starting && webrtc->process > 0)
        kill(webrtc->process, SIGKILL); // it may have closed the link alone, and go on
    if (!webrtc->is_starting)
        log_words(webrtc);
    if (!webrtc->link.has_ended || webrtc->is_starting)
        return;
    if (webrtc->link.file >= 0)
        close(webrtc->link.file);
    webrtc->link.file = -1;
    if (webrtc->process > 0 && waitpid(webrtc->process, &webrtc->ending, WNOHANG) != 0)
        webrtc->process = 0;
    if (webrtc->process == 0 && now_ns - webrtc->started_ns >= PAUSE_NS) {
        webrtc->started_ns = now_ns;
        atomic_store(&webrtc->has_started, false);
        webrtc->is_starting = pthread_create(&webrtc->starter, NULL, start_beside, webrtc) == 0;
    }
}

void webrtc_process_report(const struct webrtc_process *webrtc, struct webrtc_health *health)
{
    *health = (struct webrtc_health){
        .starts = webrtc->starts, .dropped = webrtc->link.dropped, .refused = webrtc->filter.refused};
    memcpy(health->fingerprint, webrtc->fingerprint, sizeof health->fingerprint);
}

void webrtc_process_close(struct webrtc_process *webrtc)
{
    if (webrtc->starts == 0)
        return;
    if (webrtc->is_starting)
        end_start(webrtc);
    if (webrtc->process > 0) {
        kill(webrtc->process, SIGKILL);
        waitpid(webrtc->process, NULL, 0);
    }
    if (webrtc->link.file >= 0)
        close(webrtc->link.file);
    if (webrtc->words >= 0)
        close(webrtc->words);
    webrtc->process = 0;
    webrtc->link.file = -1;
}
