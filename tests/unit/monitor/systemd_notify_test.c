// SPDX-License-Identifier: MIT
//
// Tests notifications to the service manager over real sockets, by path and by abstract name.
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "monitor/systemd_notify.h"
#include "test.h"

#define SELF  4711
#define MS_NS UINT64_C(1000000)

static struct systemd_notify notify;
static struct error error;
static char name[64]; // of the manager's socket, abstract
static int manager;
static const char *socket_variable, *period_variable, *process_variable;

static char *environment(const char *asked)
{
    const char *value = strcmp(asked, "NOTIFY_SOCKET") == 0   ? socket_variable
                        : strcmp(asked, "WATCHDOG_USEC") == 0 ? period_variable
                        : strcmp(asked, "WATCHDOG_PID") == 0  ? process_variable
                                                              : NULL;
    return (char *)(uintptr_t)value;
}

static void tell(const char *socket, const char *period, const char *process)
{
    socket_variable = socket;
    period_variable = period;
    process_variable = process;
}

static int listen_at(const char *where)
{
    struct sockaddr_un place = {.sun_family = AF_UNIX};
    size_t length = strlen(where);
    memcpy(place.sun_path, where, length);
    if (where[0] == '@')
        place.sun_path[0] = 0;
    int file = socket(AF_UNIX, SOCK_DGRAM | SOCK_NONBLOCK, 0);
    assert_true(file >= 0);
    assert_int_equal(
        bind(file, (struct sockaddr *)&place, (socklen_t)(offsetof(struct sockaddr_un, sun_path) + length)), 0);
    return file;
}

// Everything that was received, one datagram per line.
static const char *heard(int file)
{
    static char text[4096];
    size_t used = 0;
    for (ssize_t count; (count = recv(file, text + used, sizeof text - used - 2, 0)) > 0;) {
        used += (size_t)count;
        text[used++] = '\n';
    }
    text[used] = 0;
    return text;
}

static void begin(void)
{
    snprintf(name, sizeof name, "@deadfall_notify_%d", (int)getpid());
    manager = listen_at(name);
    tell(name, NULL, NULL);
}

static void end(void)
{
    close(manager);
}

EACH_TEST(begin, end);

// A server may have been started without stdin, so that its first socket has the number 0.
TEST(a_socket_with_the_number_0_is_one)
{
    int real = dup(0);
    close(0);
    assert_true(systemd_notify_open(&notify, environment, SELF, &error));
    assert_int_equal(notify.socket, 0);
    assert_int_equal(fcntl(0, F_GETFD), FD_CLOEXEC); // no program that the server starts speaks for it
    systemd_notify_phase(&notify, SYSTEMD_NOTIFY_READY, 0);
    systemd_notify_send(&notify, 1, false, "no players", 0);
    assert_string_equal(heard(manager), "READY=1\nSTATUS=no players\n");
    systemd_notify_close(&notify);
    assert_int_equal(fcntl(0, F_GETFD), -1);
    assert_int_equal(notify.socket, -1);
    dup2(real, 0);
    close(real);
}

TEST(notifications_reach_a_path_and_an_abstract_name)
{
    char path[64];
    snprintf(path, sizeof path, "/tmp/deadfall_notify_%d", (int)getpid());
    const char *names[] = {name, path};
    int files[] = {manager, listen_at(path)};
    for (size_t i = 0; i < 2; i++) {
        tell(names[i], NULL, NULL);
        assert_true(systemd_notify_open(&notify, environment, SELF, &error));
        systemd_notify_phase(&notify, SYSTEMD_NOTIFY_READY, 0);
        systemd_notify_phase(&notify, SYSTEMD_NOTIFY_RELOADING, 1234567890);
        systemd_notify_phase(&notify, SYSTEMD_NOTIFY_READY, 0);
        systemd_notify_extend(&notify, 600000000);
        systemd_notify_phase(&notify, SYSTEMD_NOTIFY_STOPPING, 0);
        assert_string_equal(heard(files[i]), "READY=1\nRELOADING=1\nMONOTONIC_USEC=1234567\nREADY=1\n"
                                             "EXTEND_TIMEOUT_USEC=600000000\nSTOPPING=1\n");
        systemd_notify_close(&notify);
    }
    close(files[1]);
    unlink(path);
}

TEST(a_missing_socket_is_no_error_and_a_bad_address_is_one)
{
    static char longest[109], shorter[108]; // 107 bytes fit the address
    memset(longest, 'x', sizeof longest - 1);
    memset(shorter, 'x', sizeof shorter - 1);
    longest[0] = shorter[0] = '/';
    static const struct {
        const char *place;
        bool good;
        const char *says;
    } ROWS[] = {
        /* 0 */ {NULL, true, ""},
        /* 1 */ {"", true, ""},
        /* 2 */ {"relative", false, "not a path"},
        /* 3 */ {"@", false, "not a path"},
        /* 4 */ {longest, false, "not a path"},
        /* 5 */ {"/nowhere/at/all", false, "No such file"},
        /* 6 */ {"@deadfall_nobody_listens", false, "refused"},
        /* 7 */ {shorter, false, "No such file"},
        /* 8 */ {"/", false, "not a path"},
        /* 9 */ {"/-", false, "No such file"},
    };
    for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++) {
        error = (struct error){0};
        tell(ROWS[i].place, "1000000", NULL);
        bool good = systemd_notify_open(&notify, environment, SELF, &error);
        if (good != ROWS[i].good || !strstr(error.text, ROWS[i].says) || notify.socket != -1)
            fail_msg("row %zu: %d: %s", i, good, error.text);
        systemd_notify_phase(&notify, SYSTEMD_NOTIFY_READY, 0); // and nothing happens
        systemd_notify_send(&notify, 1, false, "", 0);
        systemd_notify_close(&notify);
    }
}

TEST(the_watchdog_needs_this_process_and_a_valid_time)
{
    static const struct {
        const char *period, *process;
        uint64_t watchdog_ns;
    } ROWS[] = {
        /* 0 */ {NULL, NULL, 0},
        /* 1 */ {"10000000", NULL, 5000 * MS_NS},
        /* 2 */ {"10000000", "4711", 5000 * MS_NS},
        /* 3 */ {"10000000", "4712", 0},
        /* 4 */ {"soon", NULL, 0},
        /* 5 */ {"-1", NULL, 0},
        /* 6 */ {"10s", NULL, 0},
        /* 7 */ {"99999999999999999999", NULL, 0},
        /* 8 */ {"", NULL, 0},
        /* 9 */ {"18446744073709551615", NULL, 0},
        /* 10 */ {"18446744073709552", NULL, 0},
        /* 11 */ {"18446744073709551", NULL, 9223372036854775500u},
        /* 12 */ {"0", NULL, 0},
        /* 13 */ {"010000000", NULL, 5000 * MS_NS}, // decimal
        /* 14 */ {"90000000", "4711", 45000 * MS_NS},
        /* 15 */ {" 10000000", NULL, 0},
        /* 16 */ {":", NULL, 0},
    };
    for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++) {
        tell(name, ROWS[i].period, ROWS[i].process);
        assert_true(systemd_notify_open(&notify, environment, SELF, &error));
        if (notify.watchdog_ns != ROWS[i].watchdog_ns)
            fail_msg("row %zu: %llu ns", i, (unsigned long long)notify.watchdog_ns);
        systemd_notify_close(&notify);
    }
}

TEST(the_watchdog_is_fed_twice_a_period_while_ticks_move)
{
    static const struct {
        uint64_t now_ms, ticks;
        bool sleeps;
        const char *status, *says;
    } ROWS[] = {
        /* 0 */ {0, 1, false, "0 players", "WATCHDOG=1\nSTATUS=0 players\n"},
        /* 1 */ {499, 30, false, "0 players", ""},            // too early
        /* 2 */ {500, 30, false, "1 player", "WATCHDOG=1\n"}, // the status changes once a second
        /* 3 */ {999, 60, false, "2 players", ""},
        /* 4 */ {1000, 60, false, "2 players", "WATCHDOG=1\nSTATUS=2 players\n"},
        /* 5 */ {1500, 60, false, "2 players", ""}, // no tick since: it hangs
        /* 6 */ {9000, 60, false, "2 players", ""},
        /* 7 */ {9001, 61, false, "2 players", "WATCHDOG=1\n"},
        /* 8 */ {9501, 61, true, "2 players", "WATCHDOG=1\n"}, // an empty server that sleeps is alive
        /* 9 */ {10001, 61, false, "2 players", ""},
    };
    tell(name, "1000000", NULL);
    assert_true(systemd_notify_open(&notify, environment, SELF, &error));
    systemd_notify_send(&notify, 0, false, "before", 0);
    assert_string_equal(heard(manager), ""); // not before it is ready
    systemd_notify_phase(&notify, SYSTEMD_NOTIFY_READY, 0);
    assert_string_equal(heard(manager), "READY=1\n");
    for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++) {
        systemd_notify_send(&notify, ROWS[i].ticks, ROWS[i].sleeps, ROWS[i].status, ROWS[i].now_ms * MS_NS);
        const char *says = heard(manager);
        if (strcmp(says, ROWS[i].says) != 0)
            fail_msg("row %zu says: %s", i, says);
    }
    systemd_notify_phase(&notify, SYSTEMD_NOTIFY_STOPPING, 0);
    systemd_notify_send(&notify, 99, false, "more", 20000 * MS_NS);
    assert_string_equal(heard(manager), "STOPPING=1\n");
    systemd_notify_close(&notify);
}

TEST(a_service_manager_that_does_not_read_delays_nothing)
{
    assert_true(systemd_notify_open(&notify, environment, SELF, &error));
    for (int i = 0; i < 2000; i++) // far beyond any queue
        systemd_notify_phase(&notify, SYSTEMD_NOTIFY_READY, 0);
    close(manager);
    systemd_notify_phase(&notify, SYSTEMD_NOTIFY_STOPPING, 0); // nor does one that has exited
    systemd_notify_close(&notify);
}
