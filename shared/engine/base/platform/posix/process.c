// SPDX-License-Identifier: MIT
#include "../process.h"

#include "../disk.h"

#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#define NICE 5

static volatile sig_atomic_t is_stopping;

long process_id(void)
{
    return (long)getpid();
}

bool process_path(char *path, size_t path_bytes)
{
    ssize_t length = readlink("/proc/self/exe", path, path_bytes);
    if (length <= 0 || (size_t)length >= path_bytes)
        return false;
    path[length] = 0;
    return true;
}

struct process_machine process_machine(void)
{
    struct process_machine machine = {.name = ""};
    struct utsname names;
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    machine.processors = processors > 0 ? (uint32_t)processors : 0;
    if (uname(&names) != 0)
        return machine;
    snprintf(machine.name, sizeof machine.name, "%s", names.nodename);
    snprintf(machine.system, sizeof machine.system, "%.63s", names.sysname);
    snprintf(machine.release, sizeof machine.release, "%s", names.release);
    snprintf(machine.hardware, sizeof machine.hardware, "%.63s", names.machine);
    return machine;
}

static uint32_t count_open_files(void)
{
    uint32_t count = 0;
    DIR *folder = opendir("/proc/self/fd");
    if (!folder)
        return 0;
    for (const struct dirent *entry; (entry = readdir(folder));)
        count += entry->d_name[0] != '.';
    closedir(folder);
    return count - 1; // the folder itself
}

static double boot_s(void)
{
    char line[200];
    double seconds = 0;
    FILE *file = fopen("/proc/stat", "re");
    while (file && fgets(line, sizeof line, file))
        if (sscanf(line, "btime %lf", &seconds) == 1)
            break;
    if (file)
        fclose(file);
    return seconds;
}

void process_find_usage(struct process_usage *usage)
{
    char text[1024] = "";
    unsigned long long user, system, started;
    long pages;
    double ticks_per_s = (double)sysconf(_SC_CLK_TCK);
    *usage = (struct process_usage){.open_files = count_open_files()};
    FILE *file = fopen("/proc/self/stat", "re");
    if (!file)
        return;
    size_t count = fread(text, 1, sizeof text - 1, file);
    fclose(file);
    text[count] = '\0';
    // After the name, which may hold anything: state is field 3, the times 14 and 15, start 22, resident pages 24.
    const char *rest = strrchr(text, ')');
    if (!rest ||
        sscanf(rest + 1, " %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %llu %llu %*d %*d %*d %*d %*d %*d %llu %*u %ld",
               &user, &system, &started, &pages) != 4)
        return;
    usage->cpu_s = (double)(user + system) / ticks_per_s;
    usage->start_s = boot_s() + (double)started / ticks_per_s;
    usage->resident_bytes = (uint64_t)pages * (uint64_t)sysconf(_SC_PAGESIZE);
}

char **process_environment(void)
{
    return environ;
}

bool process_is_terminal(FILE *stream)
{
    return isatty(fileno(stream));
}

static void stop(int number)
{
    (void)number;
    is_stopping = 1;
}

void process_catch_stop(void)
{
    struct sigaction action = {.sa_handler = stop};
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
}

bool process_is_stopping(void)
{
    return is_stopping;
}

static void (*take_request)(enum process_request request);

static void request(int number)
{
    take_request(number == SIGINT    ? PROCESS_REQUEST_INTERRUPT
                 : number == SIGTERM ? PROCESS_REQUEST_TERMINATE
                 : number == SIGHUP  ? PROCESS_REQUEST_RELOAD
                 : number == SIGUSR2 ? PROCESS_REQUEST_RESTART
                                     : PROCESS_REQUEST_FINAL);
}

void process_take_requests(void (*take)(enum process_request request))
{
    static const int NUMBERS[] = {SIGINT, SIGTERM, SIGHUP, SIGUSR2, SIGUSR1};
    struct sigaction action = {.sa_handler = request};
    take_request = take;
    for (size_t i = 0; i < sizeof NUMBERS / sizeof *NUMBERS; i++)
        sigaction(NUMBERS[i], &action, NULL);
}

void process_ignore_write_signals(void)
{
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN);
}

// The priority is that of a thread, in Linux. An idle thread, or one of the least weight, could starve on a busy
// machine.
void process_lower_thread(void)
{
    int reached = nice(NICE);
    (void)reached;
}

int process_repeat(bool (*step)(void *context), int (*end)(void *context), void *context)
{
    while (step(context))
        ;
    return end ? end(context) : 0;
}

void process_forbid_core_dumps(void)
{
    setrlimit(RLIMIT_CORE, &(struct rlimit){.rlim_cur = 0, .rlim_max = 0});
}

void process_lock_memory(const void *bytes, size_t byte_count)
{
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    uintptr_t begin = (uintptr_t)bytes / page * page, end = ((uintptr_t)bytes + byte_count + page - 1) / page * page;
    mlock((const void *)begin, end - begin);
    madvise((void *)begin, end - begin, MADV_DONTDUMP);
}

#define SECOND_NS UINT64_C(1000000000)

static struct timespec timespec_of(uint64_t time_ns)
{
    return (struct timespec){(time_t)(time_ns / SECOND_NS), (long)(time_ns % SECOND_NS)};
}

void process_sleep_until(uint64_t deadline_ns)
{
    struct timespec until = timespec_of(deadline_ns);
    clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL);
}

int process_condition_open(pthread_cond_t *condition)
{
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
    int reason = pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    int other_reason = pthread_cond_init(condition, &attributes);
    pthread_condattr_destroy(&attributes);
    return reason ? reason : other_reason;
}

bool process_condition_wait(pthread_cond_t *condition, pthread_mutex_t *lock, uint64_t deadline_ns)
{
    struct timespec until = timespec_of(deadline_ns);
    return pthread_cond_timedwait(condition, lock, &until) != ETIMEDOUT;
}

bool process_find_authorities(const char **file)
{
    static const char *const FILES[] = {
        "/etc/ssl/certs/ca-certificates.crt",                // Debian, Ubuntu, Arch, SteamOS, Flatpak
        "/etc/pki/tls/certs/ca-bundle.crt",                  // Fedora, RHEL
        "/etc/ssl/ca-bundle.pem",                            // openSUSE
        "/etc/ssl/cert.pem",                                 // Alpine
        "/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem", // newer Fedora and RHEL
        "/etc/ca-certificates/extracted/tls-ca-bundle.pem",  // Arch, SteamOS
        "/var/lib/ca-certificates/ca-bundle.pem",            // openSUSE that cannot write /etc
    };
    const char *given = getenv("SSL_CERT_FILE"), *folder = getenv("SSL_CERT_DIR");
    *file = given && disk_is_readable(given) ? given : NULL;
    if (*file || (folder && folder[0]))
        return true;
    for (size_t i = 0; i < sizeof FILES / sizeof *FILES && !*file; i++)
        if (disk_is_readable(FILES[i]))
            *file = FILES[i];
    return *file;
}

bool process_open_links(const char *scheme, const char *program)
{
    (void)scheme, (void)program;
    errno = ENOSYS;
    return false;
}

bool process_open_no_links(const char *scheme)
{
    (void)scheme;
    errno = ENOSYS;
    return false;
}
