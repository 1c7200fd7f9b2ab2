// SPDX-License-Identifier: MIT
//
// scene [--seed N] [--twice] [--turns FILE] COMMAND...: runs a command, and all that it starts, on the stage.
//
// The scene has its own network, process ids, /dev/shm and temporary folder, and one core of the machine. It passes if
// the command does, nobody blocked in a call that the stage does not know and, with --twice, both runs went the same
// way. Exits with the command's code, or 70.
#include "stage.h"

#include <errno.h>
#include <fcntl.h>
#include <net/if.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define PAGE          "/dev/shm/stage"
#define TEMPORARY     "/dev/shm/tmp"
#define EXIT_SKIP     77
#define EXIT_FAULT    70
#define RANDOM_BYTES  (1 << 20)
#define SCENES_A_CORE 8

static struct options {
    uint64_t seed;
    bool is_twice;
    const char *turns_path;
    char library[4096];
    char **command;
} options;

static _Noreturn void fail(int code, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    fprintf(stderr, "scene: ");
    vfprintf(stderr, format, list);
    fprintf(stderr, "\n");
    exit(code);
}

static void write_text(const char *path, const char *text)
{
    int file = open(path, O_WRONLY | O_CLOEXEC);
    if (file < 0 || write(file, text, strlen(text)) < 0)
        fail(EXIT_FAULT, "%s: %s", path, strerror(errno));
    close(file);
}

// One core a scene: with its jumps, a switch takes a quarter of the time if nobody has to be woken on another core. Of
// the cores it takes one on which the fewest other scenes run.
static void choose_core(void)
{
    cpu_set_t all;
    sched_getaffinity(0, sizeof all, &all);
    for (unsigned i = 0; i < SCENES_A_CORE * CPU_SETSIZE; i++) {
        unsigned core = i % CPU_SETSIZE;
        char path[64];
        snprintf(path, sizeof path, "/tmp/deadfall-core-%u-%u-%u", core, i / CPU_SETSIZE, getuid());
        int file = CPU_ISSET(core, &all) ? open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600) : -1;
        if (file < 0)
            continue;
        if (flock(file, LOCK_EX | LOCK_NB) == 0) { // until this process ends
            cpu_set_t one;
            CPU_ZERO(&one);
            CPU_SET(core, &one);
            sched_setaffinity(0, sizeof one, &one);
            return;
        }
        close(file);
    }
}

// The kernel begins to stamp datagrams some time after the first socket that asks for it, and until then says of each
// that it came when it is read. So one socket asks before a scene begins, and for as long as it lasts.
static void begin_stamps(void)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t length = sizeof address;
    int file = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0), on = 1;
    if (file < 0 || bind(file, (struct sockaddr *)&address, sizeof address) ||
        getsockname(file, (struct sockaddr *)&address, &length) ||
        setsockopt(file, SOL_SOCKET, SO_TIMESTAMPNS, &on, sizeof on))
        fail(EXIT_FAULT, "stamps of datagrams: %s", strerror(errno));
    for (int tries = 0; tries < 1000; tries++) {
        char byte = 0, control[128];
        struct iovec part = {&byte, 1};
        struct msghdr message = {
            .msg_iov = &part, .msg_iovlen = 1, .msg_control = control, .msg_controllen = sizeof control};
        struct timespec stamp, between;
        sendto(file, &byte, 1, 0, (struct sockaddr *)&address, sizeof address);
        usleep(1000);
        clock_gettime(CLOCK_REALTIME, &between);
        if (recvmsg(file, &message, 0) != 1 || !CMSG_FIRSTHDR(&message))
            continue;
        memcpy(&stamp, CMSG_DATA(CMSG_FIRSTHDR(&message)), sizeof stamp);
        if (timespec_ns(&stamp) < timespec_ns(&between))
            return;
    }
    fail(EXIT_FAULT, "the kernel does not stamp datagrams when they arrive");
}

// Each of a scene's many short turns would wait for a slice of the scheduler behind all that is busy. A session of
// its own has a share of its own; where no more may be asked for, so be it.
static void ask_for_turns(void)
{
    int file = setsid() < 0 ? -1 : open("/proc/self/autogroup", O_WRONLY | O_CLOEXEC);
    if (file < 0)
        return;
    ssize_t count = write(file, "-15", 3);
    (void)count;
    close(file);
}

static void enter_namespaces(void)
{
    uid_t user = getuid();
    gid_t group = getgid();
    int kinds = CLONE_NEWNET | CLONE_NEWPID | CLONE_NEWNS | CLONE_NEWIPC;
    if (unshare(user == 0 ? kinds : kinds | CLONE_NEWUSER))
        fail(EXIT_SKIP, "skipped: a scene needs namespaces of its own, and this system gives none: %s",
             strerror(errno));
    if (user == 0)
        return;
    char line[64];
    write_text("/proc/self/setgroups", "deny");
    snprintf(line, sizeof line, "0 %u 1", user);
    write_text("/proc/self/uid_map", line);
    snprintf(line, sizeof line, "0 %u 1", group);
    write_text("/proc/self/gid_map", line);
}

static void raise_loopback(void)
{
    int file = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    struct ifreq request = {.ifr_name = "lo", .ifr_flags = IFF_UP | IFF_RUNNING};
    if (file < 0 || ioctl(file, SIOCSIFFLAGS, &request))
        fail(EXIT_FAULT, "the loopback interface: %s", strerror(errno));
    close(file);
}

// Who reads random numbers from a file gets the same ones in each run, too.
static void mount_random(void)
{
    static uint8_t bytes[RANDOM_BYTES];
    uint64_t number = options.seed + 1;
    for (size_t i = 0; i < sizeof bytes; i++) {
        number = number * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        bytes[i] = (uint8_t)(number >> 56);
    }
    int file = open("/dev/shm/random", O_WRONLY | O_CREAT | O_CLOEXEC, 0444);
    if (file < 0 || write(file, bytes, sizeof bytes) != sizeof bytes ||
        mount("/dev/shm/random", "/dev/urandom", NULL, MS_BIND, NULL))
        fail(EXIT_FAULT, "/dev/urandom: %s", strerror(errno));
    close(file);
}

static void make_room(void)
{
    if (mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) || mount("proc", "/proc", "proc", 0, NULL) ||
        mount("tmpfs", "/dev/shm", "tmpfs", MS_NOSUID | MS_NODEV, "mode=1777") || mkdir(TEMPORARY, 01777))
        fail(EXIT_FAULT, "the scene's file systems: %s", strerror(errno));
    chmod(TEMPORARY, 01777);
    mount_random();
    raise_loopback();
    begin_stamps();
}

static struct stage *make_page(void)
{
    int file = open(PAGE, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    struct stage *page = MAP_FAILED;
    if (file >= 0 && fchmod(file, 0666) == 0 && ftruncate(file, sizeof *page) == 0)
        page = mmap(NULL, sizeof *page, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (page == MAP_FAILED)
        fail(EXIT_FAULT, "%s: %s", PAGE, strerror(errno));
    close(file);
    page->now_ns = BEGIN_NS;
    page->seed = options.seed;
    return page;
}

static void set_environment(void)
{
    char preload[8192];
    const char *others = getenv("LD_PRELOAD"); // a sanitizer's library wants to be the first
    snprintf(preload, sizeof preload, "%s%s%s", others ? others : "", others ? ":" : "", options.library);
    setenv("LD_PRELOAD", preload, 1);
    setenv("STAGE", PAGE, 1);
    setenv("TMPDIR", TEMPORARY, 1);
    setenv("PYTHONHASHSEED", "0", 1);
    setenv("PYTHONDONTWRITEBYTECODE", "1", 1);
}

static pid_t start(char *const command[])
{
    pid_t pid = fork();
    if (pid)
        return pid;
    execvp(command[0], command);
    fail(127, "%s: %s", command[0], strerror(errno));
}

// The first process of the scene: all others end with it.
static int run_command(const struct stage *page)
{
    char self[] = "/proc/self/exe";
    set_environment();
    start((char *[]){self, "--postman", NULL});
    while (!page->line.postman) // it is the first in every run
        usleep(100);
    pid_t command = start(options.command);
    while (1) {
        int status;
        pid_t pid = wait(&status);
        if (pid == command)
            return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
        if (pid < 0)
            return EXIT_FAULT;
    }
}

// Runs the command in a new scene. Its page is copied to outcome.
static int run(struct stage *outcome)
{
    int code;
    pid_t pid = fork();
    if (pid == 0) {
        ask_for_turns();
        enter_namespaces();
        pid_t first = fork(); // process 1 of the scene
        if (first == 0) {
            prctl(PR_SET_PDEATHSIG, SIGKILL);
            personality(ADDR_NO_RANDOMIZE);
            make_room();
            struct stage *page = make_page();
            code = run_command(page);
            memcpy(outcome, page, sizeof *page);
            exit(code);
        }
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        waitpid(first, &code, 0);
        exit(WIFEXITED(code) ? WEXITSTATUS(code) : 128 + WTERMSIG(code));
    }
    waitpid(pid, &code, 0);
    return WIFEXITED(code) ? WEXITSTATUS(code) : 128 + WTERMSIG(code);
}

static void print_turn(FILE *file, const struct turn *turn)
{
    fprintf(file, "%.9f slot %u process %u after %s\n", (double)(turn->now_ns - BEGIN_NS) / 1e9, turn->slot, turn->pid,
            turn->call);
}

static void write_turns(const struct stage *outcome)
{
    FILE *file = options.turns_path ? fopen(options.turns_path, "w") : NULL;
    if (!file)
        return;
    uint64_t first = outcome->turns > TURNS ? outcome->turns - TURNS : 0;
    for (uint64_t i = first; i < outcome->turns; i++)
        print_turn(file, &outcome->turn[i % TURNS]);
    fclose(file);
}

static bool is_same(const struct stage *a, const struct stage *b)
{
    uint64_t count = a->turns, other = b->turns, most = count < other ? count : other;
    uint64_t last = count > other ? count : other;
    for (uint64_t i = last > TURNS ? last - TURNS : 0; i < last; i++) {
        const struct turn *x = &a->turn[i % TURNS], *y = &b->turn[i % TURNS];
        if (i < most && memcmp(x, y, sizeof *x) == 0)
            continue;
        fprintf(stderr, "scene: turn %llu differs%s:\n", (unsigned long long)i,
                i < most ? "" : ", and is one run's alone");
        if (i < count)
            print_turn(stderr, x);
        if (i < other)
            print_turn(stderr, y);
        return false;
    }
    if (a->now_ns != b->now_ns)
        fprintf(stderr, "scene: the same turns took %llu ns, then %llu\n", (unsigned long long)(a->now_ns - BEGIN_NS),
                (unsigned long long)(b->now_ns - BEGIN_NS));
    return a->now_ns == b->now_ns;
}

static void print_outcome(const struct stage *outcome)
{
    printf("scene: %.3f virtual s, %llu moves, %llu switches, %llu jumps, %llu seizures\n",
           (double)(outcome->now_ns - BEGIN_NS) / 1e9, (unsigned long long)outcome->moves,
           (unsigned long long)outcome->switches, (unsigned long long)outcome->jumps,
           (unsigned long long)outcome->seizures);
    fflush(stdout);
}

static struct stage *new_outcome(void)
{
    void *page = mmap(NULL, sizeof(struct stage), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (page == MAP_FAILED)
        fail(EXIT_FAULT, "there is no memory");
    return page;
}

static void read_options(int count, char **arguments)
{
    int i = 1;
    const char *twice = getenv("STAGE_TWICE");
    options.is_twice = twice && *twice;
    for (; i < count && strncmp(arguments[i], "--", 2) == 0; i++) {
        if (strcmp(arguments[i], "--twice") == 0)
            options.is_twice = true;
        else if (strcmp(arguments[i], "--seed") == 0 && i + 1 < count)
            options.seed = strtoull(arguments[++i], NULL, 10);
        else if (strcmp(arguments[i], "--turns") == 0 && i + 1 < count)
            options.turns_path = arguments[++i];
        else
            break;
    }
    options.command = arguments + i;
    if (i == count || strncmp(arguments[i], "--", 2) == 0)
        fail(64, "scene [--seed N] [--twice] [--turns FILE] COMMAND...");
    ssize_t length = readlink("/proc/self/exe", options.library, sizeof options.library - 16);
    char *end = length > 0 ? memrchr(options.library, '/', (size_t)length) : NULL;
    if (!end)
        fail(EXIT_FAULT, "/proc is not mounted");
    strcpy(end, "/stage.so");
}

int main(int count, char **arguments)
{
    if (count == 2 && strcmp(arguments[1], "--postman") == 0) {
        void (*postman)(void) = (void (*)(void))dlsym(RTLD_DEFAULT, "stage_postman");
        if (postman)
            postman();
        return EXIT_FAULT;
    }
    read_options(count, arguments);
    choose_core();
    struct stage *outcome = new_outcome(), *again = new_outcome();
    int code = run(outcome);
    if (code == 0 && options.is_twice)
        code = run(again);
    if (outcome->turns)
        print_outcome(outcome);
    write_turns(outcome);
    if (code)
        return code;
    if (outcome->seizures)
        fail(EXIT_FAULT, "somebody blocked in a call that the stage does not know; STAGE_TELLS=1 says who");
    if (options.is_twice && !is_same(outcome, again)) {
        print_outcome(again);
        fail(EXIT_FAULT, "two runs went different ways");
    }
    return 0;
}
