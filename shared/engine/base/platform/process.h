// SPDX-License-Identifier: MIT
//
// This process: where its program is, who asks it to stop, what machine it runs on, how it waits, and how it keeps its
// secrets: no core dumps, and memory that is neither swapped out nor dumped. These two are as good as the system
// allows, and never an error. A debugger works as usual, so those who may use one can read everything.
#ifndef PLATFORM_PROCESS_H
#define PLATFORM_PROCESS_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/// The machine and its system, for people.
struct process_machine {
    char name[256], system[64], release[128], hardware[64];
    uint32_t processors;
};

/// The resources that a process uses; what is unknown is 0.
struct process_usage {
    uint64_t resident_bytes;
    double cpu_s;   ///< user and system time
    double start_s; ///< since 1970
    uint32_t open_files;
};

/// What others can ask of a process. Windows knows the first two.
enum process_request {
    PROCESS_REQUEST_INTERRUPT, ///< Ctrl-C
    PROCESS_REQUEST_TERMINATE, ///< the system's polite end, or that of the program that has started this one
    PROCESS_REQUEST_RELOAD,
    PROCESS_REQUEST_RESTART,
    PROCESS_REQUEST_FINAL, ///< nobody follows when this process has ended
};

/// Returns the number of this process.
long process_id(void);
/// Finds the file of this program. False if it is unknown, or the path is too long.
bool process_path(char *path, size_t path_bytes);
/// Says what machine this is; what is unknown is empty or 0.
struct process_machine process_machine(void);
/// Finds what this process uses.
void process_find_usage(struct process_usage *usage);
/// Returns the variables of this process as NAME=VALUE, with NULL behind the last.
char **process_environment(void);
/// Returns whether a stream is a terminal, which people read.
bool process_is_terminal(FILE *stream);

/// From now on a request to stop (Ctrl-C, or of the system) does not end the process: process_is_stopping() says it,
/// and waits end early.
void process_catch_stop(void);
/// Returns whether somebody has asked this process to stop.
bool process_is_stopping(void);
/// From now on calls `take` for each request, which then does not end the process: in a signal handler, or where there
/// are no signals, in another thread.
void process_take_requests(void (*take)(enum process_request request));
/// From now on writing to a pipe that nobody reads, or more than a file may hold, is an error and does not end the
/// process.
void process_ignore_write_signals(void);
/// Lets other threads go first: this one has a third of their weight from now on, as far as the system can.
void process_lower_thread(void);

/// Calls a step again and again until it returns false; then calls `end` (may be null) and returns what that returns,
/// or 0. In a page, which cannot wait, this function does not return: what stands behind it never runs, but memory
/// stays as it is. There the window's step is called with each frame of the display, that of a program beside the page
/// at the moment that it last waited for, and what `end` returns is the program's exit code.
int process_repeat(bool (*step)(void *context), int (*end)(void *context), void *context);

/// Forbids core dumps of this process and of those that it starts.
void process_forbid_core_dumps(void);

/// Keeps the pages with these bytes in memory, and out of core dumps that somebody else makes. They stay so when the
/// bytes are freed, because other secrets may be on the same pages; the heap uses them again.
void process_lock_memory(const void *bytes, size_t byte_count);

/// Sleeps until a moment of the monotonic clock, ns. A signal ends it early, where the system has signals.
void process_sleep_until(uint64_t deadline_ns);

/// Initialises a condition for process_condition_wait(). Returns 0, or a number as errno has them; it is to be
/// destroyed even then.
int process_condition_open(pthread_cond_t *condition);
/// Waits for a condition until a moment of the monotonic clock, ns. False if that has come.
bool process_condition_wait(pthread_cond_t *condition, pthread_mutex_t *lock, uint64_t deadline_ns);

/// Finds the file with the authorities that sign certificates and that this machine trusts: the one that $SSL_CERT_FILE
/// names, or the first of those that systems have. A library for TLS knows only the name on the system that it was
/// built for. `*file` is null if the library finds the list itself: on Windows, and if there is an $SSL_CERT_DIR. False
/// if this machine has none.
bool process_find_authorities(const char **file);

/// Has a program open the links of a scheme, such as "deadfall", for this user, as the only operand of its command
/// line, behind "--". False with errno: ENOSYS where the system has no list of them, but a file of the package says it.
bool process_open_links(const char *scheme, const char *program);
/// Has no program open them, if one did. False with errno, as above.
bool process_open_no_links(const char *scheme);

#endif
