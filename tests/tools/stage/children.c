// SPDX-License-Identifier: MIT
//
// Processes. A child has a slot before it exists and waits there for its first turn; an exec keeps slot and token. The
// scene goes into every environment, also into one that a test has made up. A static program cannot load this library:
// it gets a place outside, and no virtual time passes while it works.
#include "stage.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

struct child_wait {
    struct wait wait;
    idtype_t type;
    id_t id;
    int options;
};

static bool child_has_changed(const struct wait *wait)
{
    const struct child_wait *w = (const void *)wait;
    siginfo_t info = {0};
    return REAL(waitid)(w->type, w->id, &info, w->options | WNOHANG | WNOWAIT) != 0 || info.si_pid != 0;
}

static bool await_child(idtype_t type, id_t id, int options)
{
    if (!acts())
        return true;
    if (options & WNOHANG) {
        count_barren();
        return true;
    }
    struct child_wait w = {{child_has_changed, "waitpid", NEVER_NS, true}, type, id, options};
    while (await(&w.wait) == EINTR)
        if (!own_restarts) {
            errno = EINTR;
            return false;
        }
    return true;
}

pid_t wait4(pid_t pid, int *status, int options, struct rusage *used)
{
    idtype_t type = pid == -1 ? P_ALL : pid > 0 ? P_PID : P_PGID;
    pid_t id = pid > 0 ? pid : pid < -1 ? -pid : pid == 0 ? getpgrp() : 0;
    int kinds = WEXITED | (options & (WNOHANG | WCONTINUED)) | (options & WUNTRACED ? WSTOPPED : 0);
    return await_child(type, (id_t)id, kinds) ? REAL(wait4)(pid, status, options, used) : -1;
}

pid_t wait3(int *status, int options, struct rusage *used)
{
    return wait4(-1, status, options, used);
}

pid_t waitpid(pid_t pid, int *status, int options)
{
    return wait4(pid, status, options, NULL);
}

pid_t wait(int *status)
{
    return wait4(-1, status, 0, NULL);
}

int waitid(idtype_t type, id_t id, siginfo_t *info, int options)
{
    return await_child(type, id, options) ? REAL(waitid)(type, id, info, options) : -1;
}

pid_t fork(void)
{
    if (!acts())
        return REAL(fork)();
    struct slot *slot = reserve_slot(0, 0);
    pid_t pid = REAL(fork)();
    if (pid < 0) {
        slot->state = SLOT_FREE;
    } else if (pid > 0) {
        slot->pid = slot->tid = pid;
        slot->state = SLOT_WAITS;
    } else {
        own_pid = (int)getpid();
        own_slot = slot;
        slot->pid = slot->tid = own_pid;
        slot->thread = pthread_self();
        timers_forget();
        take_turn(slot);
    }
    return pid;
}

// A child of vfork() has its parent's memory and slot until it calls exec, and is no thread of the scene. Python starts
// programs this way, and a fork of Python takes longer than most of them.
static OWN struct {
    struct slot *slot;  // of the child; NULL: not in a scene
    char **environment; // that the child has made
    bool has_begun;     // it called exec, which has not failed
    bool is_static;
} own_child;

#ifdef __x86_64__
__attribute__((used)) static void vfork_begins(void)
{
    own_child.slot = acts() ? reserve_slot(0, 0) : NULL;
    own_child.environment = NULL;
    own_child.has_begun = own_child.is_static = false;
    own_vforks = own_child.slot != NULL;
}

__attribute__((used)) static pid_t vfork_ends(int result)
{
    struct slot *slot = own_child.slot;
    own_vforks = false;
    if (slot) {
        free(own_child.environment);
        slot->pid = result;
        slot->tid = own_child.is_static ? 0 : result;
        slot->state = !own_child.has_begun ? SLOT_FREE : own_child.is_static ? SLOT_OUTSIDE : SLOT_WAITS;
        if (result > 0 && !own_child.has_begun) {
            kernel_await_death(result);
            stage->moves++;
        }
    }
    if (result >= 0)
        return result;
    errno = -result;
    return -1;
}

// The child writes over the caller's frame, so the address to return to is kept in a register meanwhile.
__attribute__((naked)) pid_t vfork(void)
{
    __asm__("endbr64\n\t"
            "sub $8, %rsp\n\t"
            "call vfork_begins\n\t"
            "add $8, %rsp\n\t"
            "pop %rdx\n\t"
            "mov $58, %eax\n\t" // SYS_vfork
            "syscall\n\t"
            "push %rdx\n\t"
            "test %eax, %eax\n\t"
            "jz 1f\n\t"
            "mov %eax, %edi\n\t"
            "jmp vfork_ends\n"
            "1: ret");
}
#else
// A fork does all that a vfork promises.
pid_t vfork(void)
{
    return fork();
}
#endif

static bool is_static(const char *path)
{
    char head[4096];
    ssize_t size = path ? kernel_read_file(path, head, sizeof head) : -1;
    if (size < (ssize_t)sizeof(Elf64_Ehdr) || memcmp(head, ELFMAG, SELFMAG) != 0)
        return false;
    const Elf64_Ehdr *file = (const void *)head;
    const Elf64_Phdr *parts = (const void *)(head + file->e_phoff);
    for (unsigned i = 0; i < file->e_phnum && file->e_phoff + (i + 1) * sizeof *parts < sizeof head; i++)
        if (parts[i].p_type == PT_INTERP)
            return false;
    return true;
}

static bool has_variable(char *const *environment, const char *name)
{
    size_t length = strlen(name);
    for (; *environment; environment++)
        if (strncmp(*environment, name, length) == 0 && (*environment)[length] == '=')
            return true;
    return false;
}

// Returns the environment with the scene in it; the caller frees it, but not what it leads to.
static char **with_scene(char *const *from)
{
    static const char *const names[] = {"STAGE", "LD_PRELOAD"};
    static char lines[2][512];
    size_t count = 0;
    while (from && from[count])
        count++;
    char **to = calloc(count + 3, sizeof *to);
    if (!to)
        return (char **)(uintptr_t)from;
    if (count)
        memcpy(to, from, count * sizeof *to);
    for (int i = 0; i < 2; i++) {
        const char *value = getenv(names[i]);
        if (!value || has_variable(to, names[i]))
            continue;
        snprintf(lines[i], sizeof lines[i], "%s=%s", names[i], value);
        to[count++] = lines[i];
    }
    return to;
}

static void free_environment(char **made, char *const *from)
{
    if (made != from)
        free(made);
}

int execve(const char *path, char *const arguments[], char *const from[])
{
    if (!own_vforks && !acts())
        return REAL(execve)(path, arguments, from);
    char **environment = with_scene(from);
    bool leaves = is_static(path) && access(path, X_OK) == 0;
    if (own_vforks) {
        own_child.environment = environment == from ? NULL : environment;
        own_child.is_static = leaves;
        own_child.has_begun = true;
    } else if (leaves) { // it goes on without the token
        struct slot *outside = reserve_slot(own_pid, 0);
        strcpy(outside->call, "exec, static");
        outside->state = SLOT_OUTSIDE;
        leave_stage(false);
    }
    int result = REAL(execve)(path, arguments, environment), error = errno;
    own_child.environment = NULL;
    own_child.has_begun = false;
    free_environment(environment, from);
    errno = error;
    return result;
}

int execv(const char *path, char *const arguments[])
{
    return execve(path, arguments, environ);
}

int execvpe(const char *file, char *const arguments[], char *const environment[])
{
    const char *path = getenv("PATH");
    if (strchr(file, '/') || !path)
        return execve(file, arguments, environment);
    int error = ENOENT;
    while (*path) {
        char full[4096];
        size_t length = strcspn(path, ":");
        snprintf(full, sizeof full, "%.*s%s%s", (int)length, path, length ? "/" : "", file);
        execve(full, arguments, environment);
        if (errno != ENOENT && errno != ENOTDIR)
            error = errno;
        path += length + (path[length] == ':');
    }
    errno = error;
    return -1;
}

int execvp(const char *file, char *const arguments[])
{
    return execvpe(file, arguments, environ);
}

static int spawn(pid_t *pid, const char *path, const posix_spawn_file_actions_t *actions,
                 const posix_spawnattr_t *attributes, char *const arguments[], char *const from[], bool by_name)
{
    __typeof__(&posix_spawn) real = by_name ? REAL(posix_spawnp) : REAL(posix_spawn);
    if (!acts())
        return real(pid, path, actions, attributes, arguments, from);
    char **environment = with_scene(from);
    pid_t child = 0;
    struct slot *slot = reserve_slot(0, 0);
    strcpy(slot->call, "posix_spawn");
    int error = real(&child, path, actions, attributes, arguments, environment); // when it returns, the child has begun
    slot->pid = child;
    if (error) {
        slot->state = SLOT_FREE;
    } else if (!by_name && is_static(path)) {
        slot->state = SLOT_OUTSIDE;
    } else {
        slot->tid = child;
        slot->state = SLOT_WAITS;
    }
    free_environment(environment, from);
    if (pid)
        *pid = child;
    return error;
}

int posix_spawn(pid_t *restrict pid, const char *restrict path, const posix_spawn_file_actions_t *actions,
                const posix_spawnattr_t *restrict attributes, char *const arguments[restrict],
                char *const environment[restrict])
{
    return spawn(pid, path, actions, attributes, arguments, environment, false);
}

int posix_spawnp(pid_t *restrict pid, const char *restrict path, const posix_spawn_file_actions_t *actions,
                 const posix_spawnattr_t *restrict attributes, char *const arguments[restrict],
                 char *const environment[restrict])
{
    return spawn(pid, path, actions, attributes, arguments, environment, true);
}

int system(const char *command)
{
    if (!acts())
        return REAL(system)(command);
    if (!command)
        return 1;
    pid_t pid = fork();
    if (pid == 0) {
        execl("/bin/sh", "sh", "-c", command, (char *)NULL);
        _exit(127);
    }
    int status = -1;
    while (pid > 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR) {
    }
    return pid < 0 ? -1 : status;
}
