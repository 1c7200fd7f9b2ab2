// SPDX-License-Identifier: MIT
//
// Tests when a server updates what others read: server browsers once a second, the service manager its status. Also
// tests what is refused at the start. Time is an argument.
#include "monitor/integrations.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "net/transport.h"
#include "probe.h"
#include "test.h"
#include "test_map.h"

#define SECOND_NS ((uint64_t)1000000000)

static struct session session;
static struct map map;
static struct settings settings;
static struct tick_stats status;
static struct tick_clock ticks;
static struct server_health health;
static struct log out;
static char logged[2048];
static struct net_endpoint endpoint;
static struct integrations integrations, initial = INTEGRATIONS_INITIAL;
static struct integrations_subject subject;
static const struct transport_table *real;
static struct transport_table table;
static uint32_t replies_sent;
static struct net_replies replies;

static void take_replies(struct transport *transport, const struct net_replies *fresh)
{
    (void)transport;
    replies_sent++;
    replies = *fresh;
}

// The fleet as a double: what was opened and closed.
static struct {
    uint32_t opened, closed;
    uint16_t port;
    bool fails, wants_shutdown;
    const struct status_publisher *publisher;
    const struct log *log;
} fleet;

struct agones *__wrap_agones_open(uint16_t port, const char *fingerprint, struct status_publisher *publisher,
                                  const struct log *log);
void __wrap_agones_close(struct agones *agones);
bool __wrap_agones_wants_shutdown(const struct agones *agones);

struct agones *__wrap_agones_open(uint16_t port, const char *fingerprint, struct status_publisher *publisher,
                                  const struct log *log)
{
    fleet.opened++;
    fleet.port = port;
    fleet.publisher = publisher;
    fleet.log = log;
    assert_ptr_equal(fingerprint, endpoint.fingerprint);
    return fleet.fails ? NULL : (struct agones *)&fleet;
}

void __wrap_agones_close(struct agones *agones)
{
    fleet.closed += agones == (struct agones *)&fleet;
}

bool __wrap_agones_wants_shutdown(const struct agones *agones)
{
    return agones && fleet.wants_shutdown;
}

static void begin(void)
{
    memset(&fleet, 0, sizeof fleet);
    unsetenv("NOTIFY_SOCKET");
    unsetenv("AGONES_SDK_HTTP_PORT");
    memset(logged, 0, sizeof logged);
    out = (struct log){.out = fmemopen(logged, sizeof logged, "w"), .level = LOG_INFO};
    setvbuf(out.out, NULL, _IONBF, 0);
    test_map_random(&map, 4, 60, 40);
    memset(map.name, 0, sizeof map.name);
    memcpy(map.name, "arena", 5);
    struct match_config config = {
        .map = &map, .rules = {.mode = MODE_FFA, .seed = 7}, .players_max = 8, .snapshot_rate = 60};
    session_begin(&session, &config, &(struct impairment){0}, 0);
    real = session.match->transport->table;
    table = *real;
    table.reply = take_replies;
    session.match->transport->table = &table;
    settings = (struct settings){.name = "Server", .metrics = "off", .page = "off"};
    endpoint = (struct net_endpoint){.port = 27440};
    status = (struct tick_stats){0};
    subject = (struct integrations_subject){&settings, &endpoint, session.match, &status, &ticks, &health, &out};
    integrations = initial;
    replies_sent = 0;
}

static void end(void)
{
    integrations_close(&integrations);
    session.match->transport->table = real;
    session_end(&session);
    fclose(out.out);
}

EACH_TEST(begin, end);

TEST(answers_to_server_browsers_change_once_a_second)
{
    assert_int_equal(integrations_open(&integrations, &subject, 5 * SECOND_NS), EXIT_OK);
    assert_int_equal(replies_sent, 1);
    assert_memory_equal(replies.of[NET_REPLY_INFO].bytes, "I\x11Server\0arena", 14);
    integrations_publish(&integrations, &subject, 6 * SECOND_NS - 1);
    assert_int_equal(replies_sent, 1);
    integrations_publish(&integrations, &subject, 6 * SECOND_NS);
    assert_int_equal(replies_sent, 2);
    integrations_publish(&integrations, &subject, 6 * SECOND_NS + 1);
    assert_int_equal(replies_sent, 2);
}

static uint8_t password_flag(void)
{
    return replies.of[NET_REPLY_INFO]
        .bytes[2 + sizeof "Server" + sizeof "arena" + sizeof "deadfall" + sizeof "Deadfall" + 2 + 3 + 2];
}

TEST(a_password_set_while_running_is_shown)
{
    assert_int_equal(integrations_open(&integrations, &subject, 0), EXIT_OK);
    assert_int_equal(password_flag(), 0);
    strcpy(settings.password_file, "p");
    integrations_publish(&integrations, &subject, SECOND_NS);
    assert_int_equal(password_flag(), 1);
}

TEST(the_copy_for_the_page_is_written_ten_times_a_second)
{
    strcpy(settings.metrics, "127.0.0.1:0");
    assert_int_equal(integrations_open(&integrations, &subject, SECOND_NS), EXIT_OK);
    const char *port = strstr(logged, "metrics and a live page on port ");
    assert_non_null(port);
    assert_int_equal(strtol(port + strlen("metrics and a live page on port "), NULL, 10),
                     http_server_port(integrations.http));
    assert_int_equal(integrations.publisher.snapshot.written_ns, SECOND_NS);
    status_count_tick(&status, 1000);
    integrations_publish(&integrations, &subject, SECOND_NS + 10);
    integrations_publish(&integrations, &subject, SECOND_NS + 100000009);
    assert_int_equal(integrations.publisher.snapshot.written_ns, SECOND_NS + 10);
    integrations_publish(&integrations, &subject, SECOND_NS + 100000010);
    assert_int_equal(integrations.publisher.snapshot.written_ns, SECOND_NS + 100000010);
    assert_int_equal(integrations.publisher.snapshot.status.ticks, 1);
    struct http_server *again;
    struct error error;
    snprintf(settings.metrics, sizeof settings.metrics, "127.0.0.1:%u", http_server_port(integrations.http));
    integrations_close(&integrations);
    again =
        http_server_open(settings.metrics, &integrations.publisher, &(struct status_server){.fingerprint = ""}, &error);
    assert_non_null(again); // the port is free again
    http_server_close(again);
    integrations = initial;
}

TEST(an_output_that_cannot_open_is_an_error_with_an_exit_code)
{
    static const struct {
        const char *metrics, *port; // of the sidecar; null: the variable is not set
        uint32_t agones;
        int code;
        const char *words;
        uint32_t sidecar; // its port; 0: not called
    } rows[] = {
        /* 0 */ {"off", NULL, AGONES_AUTO, EXIT_OK, "", 0},
        /* 1 */ {"off", "0", AGONES_AUTO, EXIT_CONFIG, "AGONES_SDK_HTTP_PORT is \"0\", not a port from 1 to 65535", 0},
        /* 2 */ {"off", "65536", AGONES_AUTO, EXIT_CONFIG, "is \"65536\", not a port", 0},
        /* 3 */ {"off", "words", AGONES_ON, EXIT_CONFIG, "is \"words\", not a port", 0},
        /* 4 */ {"off", "0", AGONES_OFF, EXIT_OK, "", 0},
        /* 5 */ {"192.0.2.1:1", NULL, AGONES_AUTO, EXIT_UNAVAILABLE, "cannot listen on http://192.0.2.1:1", 0},
        /* 6 */ {"off", "65535", AGONES_AUTO, EXIT_OK, "", 65535},
        /* 7 */ {"off", "1", AGONES_ON, EXIT_OK, "", 1},
        /* 8 */ {"off", "0100", AGONES_AUTO, EXIT_OK, "", 100},
        /* 9 */ {"off", NULL, AGONES_ON, EXIT_OK, "", 9358},
        /* 10 */ {"off", NULL, AGONES_OFF, EXIT_OK, "", 0},
        /* 11 */ {"192.0.2.1:1", "100", AGONES_ON, EXIT_UNAVAILABLE, "cannot listen on http://192.0.2.1:1", 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        integrations = initial;
        memset(logged, 0, sizeof logged);
        rewind(out.out);
        strcpy(settings.metrics, rows[i].metrics);
        settings.agones = rows[i].agones;
        if (rows[i].port)
            setenv("AGONES_SDK_HTTP_PORT", rows[i].port, 1);
        else
            unsetenv("AGONES_SDK_HTTP_PORT");
        int code = integrations_open(&integrations, &subject, 0);
        if (code != rows[i].code || !strstr(logged, rows[i].words) || (!*rows[i].words && *logged))
            fail_msg("row %zu: %d, %s", i, code, logged);
        assert_int_equal(fleet.port, rows[i].sidecar);
        assert_int_equal(fleet.opened, rows[i].sidecar != 0);
        assert_false(integrations_wants_shutdown(&integrations));
        integrations_close(&integrations);
        assert_int_equal(fleet.closed, fleet.opened);
        memset(&fleet, 0, sizeof fleet);
    }
    integrations = initial;
}

TEST(a_fleet_that_cannot_be_opened_is_an_error)
{
    settings.agones = AGONES_ON;
    fleet.fails = true;
    assert_int_equal(integrations_open(&integrations, &subject, 0), EXIT_UNAVAILABLE);
}

TEST(the_fleet_reads_the_match_and_may_end_it)
{
    settings.agones = AGONES_ON;
    assert_int_equal(integrations_open(&integrations, &subject, SECOND_NS), EXIT_OK);
    assert_ptr_equal(fleet.publisher, &integrations.publisher);
    assert_ptr_equal(fleet.log, &out);
    assert_string_equal(fleet.publisher->snapshot.name, "Server");
    integrations_publish(&integrations, &subject, 2 * SECOND_NS);
    assert_int_equal(fleet.publisher->snapshot.written_ns, 2 * SECOND_NS);
    assert_false(integrations_wants_shutdown(&integrations));
    fleet.wants_shutdown = true;
    assert_true(integrations_wants_shutdown(&integrations));
}

TEST(nobody_reads_and_no_copy_is_written)
{
    assert_int_equal(integrations_open(&integrations, &subject, SECOND_NS), EXIT_OK);
    integrations_publish(&integrations, &subject, 5 * SECOND_NS);
    assert_int_equal(integrations.publisher.snapshot.written_ns, SECOND_NS);
}

TEST(a_service_manager_that_cannot_be_reached_is_a_warning)
{
    setenv("NOTIFY_SOCKET", "nowhere", 1);
    assert_int_equal(integrations_open(&integrations, &subject, 0), EXIT_OK);
    assert_non_null(strstr(logged, "warning: "));
    assert_non_null(strstr(logged, "NOTIFY_SOCKET"));
}

static int manager;

static void compare_next_notification(const char *wanted)
{
    char text[200];
    ssize_t count = recv(manager, text, sizeof text - 1, 0);
    text[count > 0 ? count : 0] = 0;
    assert_string_equal(text, wanted);
}

TEST(the_service_manager_reads_how_many_play)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    char name[60];
    snprintf(name, sizeof name, "@deadfall-presence-test-%ld", (long)getpid());
    memcpy(address.sun_path + 1, name + 1, strlen(name) - 1);
    manager = socket(AF_UNIX, SOCK_DGRAM | SOCK_NONBLOCK, 0);
    assert_int_equal(bind(manager, (const struct sockaddr *)&address,
                          (socklen_t)(offsetof(struct sockaddr_un, sun_path) + strlen(name))),
                     0);
    setenv("NOTIFY_SOCKET", name, 1);
    int real_stdin = dup(0);
    close(0); // a server without stdin: its first socket has the number 0
    session.match->roster.seats[0].kind = session.match->roster.seats[1].kind = SEAT_PLAYER;
    session.match->roster.seats[2].kind = session.match->roster.seats[3].kind = SEAT_BOT;
    session.match->roster.seats[4].kind = SEAT_BOT;
    assert_int_equal(integrations_open(&integrations, &subject, 0), EXIT_OK);
    integrations_publish_phase(&integrations, SYSTEMD_NOTIFY_READY, SECOND_NS);
    integrations_publish(&integrations, &subject, 2 * SECOND_NS);
    integrations_publish_phase(&integrations, SYSTEMD_NOTIFY_RELOADING, 3 * SECOND_NS);
    session.match->drain.is_on = true;
    integrations_publish(&integrations, &subject, 4 * SECOND_NS);
    integrations_extend_stop(&integrations, 5000);
    integrations_publish_phase(&integrations, SYSTEMD_NOTIFY_STOPPING, 5 * SECOND_NS);
    compare_next_notification("READY=1");
    compare_next_notification("STATUS=2 of 8 players, 3 bots, on arena");
    compare_next_notification("RELOADING=1\nMONOTONIC_USEC=3000000");
    compare_next_notification("STATUS=2 of 8 players, 3 bots, on arena, drains");
    compare_next_notification("EXTEND_TIMEOUT_USEC=50000000");
    compare_next_notification("STOPPING=1");
    compare_next_notification("");
    assert_int_equal(integrations.notify.socket, 0);
    integrations_close(&integrations);
    assert_int_equal(fcntl(0, F_GETFD), -1);
    integrations = initial;
    dup2(real_stdin, 0);
    close(real_stdin);
    close(manager);
    memset(&session.match->roster.seats, 0, sizeof session.match->roster.seats);
}
