// SPDX-License-Identifier: MIT
//
// deadfall-server: the only file of the server that reads a clock, handles signals and ends the program.
#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/platform/process.h"
#include "game/rules/mode.h"
#include "lifecycle/crash_recovery.h"
#include "lifecycle/recording.h"
#include "lifecycle/successor.h"
#include "monitor/a2s.h"
#include "net/enet/enet_transport.h"
#include "server.h"

#define QUARTER_TICK_NS (CLOCK_SECOND_NS / TICKS_PER_SECOND / 4)
#define STATUS_TICKS    ((uint64_t)10 * TICKS_PER_SECOND) // ten seconds
#define GOODBYE_NS      CLOCK_SECOND_NS
#define SLEEP_NS        (CLOCK_SECOND_NS / 4) // of an empty server, between two checks for signals

static atomic_int stop_signals, reload_asked, restart_asked;
static atomic_int terminated; // 1: politely; 2: that is being done, and the next one does not wait; 3: the program of
                              // the next server is checked
static atomic_int may_drain;  // --drain is set
static atomic_int is_final;   // the service manager has said that no other server follows

static void stop(void)
{
    if (++stop_signals > 1)
        _Exit(EXIT_FAILED);
}

static void take_request(enum process_request request)
{
    switch (request) {
    case PROCESS_REQUEST_INTERRUPT:
        stop();
        return;
    case PROCESS_REQUEST_TERMINATE: // the main loop decides whether to drain: PROCESS_REQUEST_FINAL may come just after
        if (may_drain && terminated == 0) {
            terminated = 1;
            return;
        }
        terminated = 2;
        stop();
        return;
    case PROCESS_REQUEST_RELOAD:
        reload_asked = 1;
        return;
    case PROCESS_REQUEST_RESTART:
        restart_asked = 1;
        return;
    case PROCESS_REQUEST_FINAL:
        is_final = 1;
        return;
    }
}

static uint64_t to_us(uint64_t time_ns)
{
    return time_ns / 1000;
}

static void report_ready(const struct server *server, uint64_t begun_ns)
{
    struct net_totals totals;
    transport_totals(server->transport, &totals);
    log_event(
        &server->log, LOG_INFO,
        &(struct fields){"start",
                         "{name}: up to {players_max} players, socket buffer {buffer_kib} KiB, ready after {ms} ms",
                         {{"name", .text = server->settings.name},
                          {"players_max", .number = server->match->players_max},
                          {"buffer_kib", .number = totals.receive_buffer_bytes / 1024},
                          {"ms", .number = (int64_t)((clock_now_ns() - begun_ns) / CLOCK_MS_NS)},
                          {"port", .number = server->endpoint.port},
                          {"key", .text = server->endpoint.fingerprint},
                          {"map", .text = server->match->map.name},
                          {"mode", .text = mode_name((enum mode)server->match->world.rules.mode)},
                          {"restored", .number = server->restores, .is_flag = true}}});
    const char *bind = server->settings.bind;
    bool is_ipv6 = strchr(bind, ':') != NULL;
    printf("ready: udp %s%s%s:%u map=%s mode=%s key=%s\n", is_ipv6 ? "[" : "", bind, is_ipv6 ? "]" : "",
           server->endpoint.port, server->match->map.name, mode_name((enum mode)server->match->world.rules.mode),
           server->endpoint.fingerprint);
    if (fflush(stdout) != 0)
        log_write(&server->log, LOG_WARNING, "cannot write the ready line: %s", strerror(errno));
}

static void run_due_ticks(struct server *server)
{
    uint64_t now_ns = clock_now_ns(), begun_ns = now_ns;
    while (tick_clock_take(&server->clock, now_ns)) {
        match_tick(server->match, to_us(begun_ns));
        records_update(server->records, server->match);
        record_sender_update(server->records, server->settings.name, server->match);
        uint64_t ended_ns = clock_now_ns();
        status_count_tick(&server->status, ended_ns - begun_ns);
        if (server->status.ticks % STATUS_TICKS == 0)
            status_log(&server->status, server->match, &server->clock, &server->log, LOG_DEBUG);
        begun_ns = ended_ns;
    }
}

// Sleeps until the next tick: to wake up costs more than to read what has arrived, and the kernel knows when that was.
// Who waits for answers waits for a quarter of a tick. Without clients the match stops until one connects, unless there
// is a --duration or --run-empty. What browsers send and get passes through another process: what that has encrypted
// since the tick goes out a quarter of a tick before the next one, which has in time what has come.
static void rest(struct server *server)
{
    uint64_t now = clock_now_ns(), deadline_ns = tick_clock_deadline_ns(&server->clock);
    uint64_t wake_ns = now + QUARTER_TICK_NS, look_ns = deadline_ns - QUARTER_TICK_NS;
    bool admin_waits = admin_socket_is_used(server->admin_socket);
    server->health.asleep =
        match_may_sleep(server->match) && server->settings.duration_ms == 0 && !server->settings.run_empty;
    if (server->health.asleep) {
        transport_wait(server->transport, now + (admin_waits ? QUARTER_TICK_NS : SLEEP_NS));
        return;
    }
    bool is_urgent = admin_waits || transport_is_busy(server->transport);
    if (!is_urgent && transport_await_relay(server->transport, look_ns)) {
        match_receive(server->match, to_us(clock_now_ns()));
        clock_sleep_until(look_ns);
        match_receive(server->match, to_us(clock_now_ns()));
    }
    clock_sleep_until(is_urgent && wake_ns < deadline_ns ? wake_ns : deadline_ns);
}

static void reload(struct server *server)
{
    if (reload_asked && server->reload == 0) {
        reload_asked = 0;
        integrations_publish_phase(&server->integrations, SYSTEMD_NOTIFY_RELOADING, clock_now_ns());
        server->reload = option_change_reload(&server->admin);
        reload_asked |= server->reload == 0; // too many changes wait
    }
    struct fields fields;
    enum answer_outcome outcome =
        server->reload ? option_change_outcome(&server->admin, server->reload, &fields) : ANSWER_OPEN;
    if (outcome == ANSWER_OPEN)
        return;
    fields.line = "SIGHUP, {answer}";
    log_event(&server->log, outcome == ANSWER_DONE ? LOG_INFO : LOG_ERROR, &fields);
    integrations_publish_phase(&server->integrations, SYSTEMD_NOTIFY_READY, clock_now_ns());
    server->reload = 0;
}

// Returns whether a service manager starts the next server.
static bool has_manager(const struct server *server)
{
    return integrations_have_manager(&server->integrations) && !is_final;
}

// Returns whether this server ends because a service manager starts the next one.
static bool is_replaced(const struct server *server)
{
    return terminated > 0 && stop_signals > 0 && has_manager(server) && !drain_is_over(server->match) &&
           !server->admin.ends;
}

// Returns whether the program of the next server has passed its check.
static bool will_restart(const struct server *server)
{
    const struct answers *restarts = &server->admin.restarts;
    return answers_look(restarts, restarts->answered)->outcome == ANSWER_DONE;
}

// A restart waits for the tick that obeys the commands before it: their senders have their answers.
static bool is_over(const struct server *server)
{
    bool checks = is_replaced(server) && (terminated < 3 || answers_open(&server->admin.restarts) > 0);
    return (stop_signals > 0 && !checks) || server->admin.ends ||
           (will_restart(server) && server->match->command_count == 0) || drain_is_over(server->match) ||
           (server->settings.duration_ms > 0 &&
            server_ran_ms(server, clock_now_ns()) >= (uint64_t)server->settings.duration_ms);
}

// An end lets the round end first if there is a --drain, and so does the fleet. A drain that ends earlier stays. Before
// a restart there is nothing to wait for.
static void end_if_asked(struct server *server)
{
    uint64_t limit_ms = (uint64_t)server->settings.drain_ms, left_ms = drain_left_ms(server->match);
    bool is_asked = terminated == 1;
    may_drain = limit_ms > 0;
    if (!is_asked && (left_ms != DRAIN_NONE || !integrations_wants_shutdown(&server->integrations)))
        return;
    if (is_asked)
        terminated = 2;
    if (is_asked && has_manager(server)) {
        stop_signals = stop_signals > 0 ? stop_signals : 1;
        return;
    }
    if (is_asked)
        integrations_extend_stop(&server->integrations, limit_ms);
    if (left_ms > limit_ms)
        drain_begin(server->match, limit_ms);
}

// Checks the next server's program while the match goes on. Nothing can stop a service manager that replaces this
// server, so if its program is bad, players need not wait for it.
static void check_restart(struct server *server)
{
    struct answers *restarts = &server->admin.restarts;
    struct successor_check *check = &server->check;
    struct error error = {0};
    char path[ADMIN_STATE_PATH_BYTES];
    enum successor_outcome outcome = SUCCESSOR_CHECKING;
    if (restart_asked)
        answers_ask(&server->admin.restarts);
    restart_asked = 0;
    if (terminated == 2 && is_replaced(server)) {
        terminated = 3;
        answers_ask(&server->admin.restarts);
    }
    if (check->process != 0)
        outcome = successor_poll(check, clock_now_ns(), &error);
    else if (answers_open(restarts) > 0 && (!successor_find(path, sizeof path, &error) ||
                                            !successor_check(check, path, server->admin.argv, clock_now_ns(), &error)))
        outcome = SUCCESSOR_BAD;
    if (outcome == SUCCESSOR_CHECKING)
        return;
    bool is_good = outcome == SUCCESSOR_GOOD;
    answers_give(restarts, restarts->asked, is_good ? ANSWER_DONE : ANSWER_FAILED, error.text);
    if (!is_good)
        log_event(&server->log, LOG_ERROR,
                  &(struct fields){"restart_refused",
                                   terminated == 3
                                       ? "the players are sent away, because no server would follow: {reason}"
                                       : "no restart, the server goes on: {reason}",
                                   {{"reason", .text = error.text}}});
}

static bool serve(void *context)
{
    struct server *server = context;
    if (is_over(server))
        return false;
    if (server->health.asleep)
        tick_clock_start(&server->clock, clock_now_ns());
    // after a stall, the match stands still up to the ticks that are caught up on, before any input is received: so the
    // inputs for these ticks are in time
    uint32_t skipped = tick_clock_skip(&server->clock, clock_now_ns());
    if (skipped > 0)
        match_stand_still(server->match, skipped);
    match_receive(server->match, to_us(clock_now_ns()));
    end_if_asked(server);
    run_due_ticks(server);
    bracket_update(&server->admin.bracket, server->match);
    server->rotation.keeps_apart = server->admin.bracket.pairing > 0;
    const struct rotation_next *next = rotation_due(&server->rotation, server->match);
    if (next)
        server_follow(server, next, to_us(clock_now_ns()));
    server_hand_over(server, clock_now_ns());
    struct recording_stores stores = {&server->settings, server->match, server->recorder, server->journal};
    recording_report(&server->health, &stores, &server->log, clock_unix_s());
    records_report(server->records, &server->health);
    webrtc_process_report(&server->webrtc, &server->health.webrtc);
    server_report_live(server);
    webrtc_process_update(&server->webrtc, clock_now_ns());
    integrations_publish(&server->integrations, &server->subject, clock_now_ns());
    warnings_log_refusals(&server->warnings, server->transport, &server->log, clock_now_ns());
    warnings_log_stalls(&server->warnings, &server->clock, &server->status, &server->log, clock_now_ns());
    check_restart(server); // first: the answer goes out before the restart
    admin_socket_serve(server->admin_socket, clock_now_ns());
    server_update_commands(server);
    reload(server);
    rest(server);
    return true;
}

// Returns whether the next server follows at once, so that players wait for it.
static bool has_successor(const struct server *server)
{
    return will_restart(server) && (stop_signals == 0 || is_replaced(server));
}

// Returns whether this process is to run the next server.
static bool runs_next(const struct server *server)
{
    return will_restart(server) && stop_signals == 0;
}

static int begin(struct server *server)
{
    uint64_t begun_ns = clock_now_ns();
    int code = server_open(server, begun_ns);
    if (code != EXIT_OK)
        return code;
    report_ready(server, begun_ns);
    int sockets[SUCCESSOR_SOCKETS];
    enet_transport_sockets(server->transport, sockets);
    integrations_keep_sockets(&server->integrations, sockets, server->socket_count > 0);
    integrations_publish_phase(&server->integrations, SYSTEMD_NOTIFY_READY, clock_now_ns());
    server->begun_ns = clock_now_ns();
    tick_clock_start(&server->clock, server->begun_ns);
    server_continue_drain(server, to_us(server->begun_ns));
    return EXIT_OK;
}

static int finish(struct server *server)
{
    server_finish_commands(server);
    if (!runs_next(server))
        integrations_publish_phase(&server->integrations, SYSTEMD_NOTIFY_STOPPING, clock_now_ns());
    server_hand_over_last(server, clock_now_ns(), has_successor(server));
    if (has_successor(server)) {
        log_event(&server->log, LOG_INFO, &(struct fields){"restart", "the server restarts", {{0}}});
        match_announce_restart(server->match);
    } else {
        match_close(server->match);
        uint64_t end_ns = clock_now_ns() + GOODBYE_NS;
        while (!match_is_empty(server->match) && clock_now_ns() < end_ns) {
            transport_wait(server->transport, clock_now_ns() + QUARTER_TICK_NS);
            match_receive(server->match, to_us(clock_now_ns()));
        }
    }
    status_log(&server->status, server->match, &server->clock, &server->log, LOG_INFO);
    crash_recovery_end(&server->settings, server->match, &server->log,
                       stop_signals > 0 || server->admin.ends || will_restart(server));
    return server_record_end(server);
}

static int refuse(const struct error *error)
{
    fprintf(stderr, "deadfall-server: %s\n", error->text);
    return error->code;
}

// Closes everything. Before a restart the sockets stay open, and what arrives meanwhile waits there for the program
// that runs next in this process.
static int leave(struct server *server, int code)
{
    char path[ADMIN_STATE_PATH_BYTES];
    struct error error;
    int sockets[SUCCESSOR_SOCKETS], kept[SUCCESSOR_SOCKETS];
    bool restarts = code == EXIT_OK && runs_next(server);
    if (restarts) {
        enet_transport_sockets(server->transport, sockets);
        successor_keep(sockets, kept);
    }
    server_close(server);
    if (!restarts)
        return code == EXIT_OK && ferror(stdout) ? EXIT_IO : code;
    if (successor_find(path, sizeof path, &error))
        successor_run(path, server->admin.argv, kept, &error);
    log_write(&server->log, LOG_ERROR, "%s", error.text);
    return EXIT_UNAVAILABLE;
}

static int end(void *context)
{
    return leave(context, finish(context));
}

int main(int argc, char **argv)
{
    static struct server server = {.integrations = INTEGRATIONS_INITIAL};
    struct options_result options;
    server.admin = (struct admin_state){.settings = &server.settings,
                                        .rotation = &server.rotation,
                                        .log = &server.log,
                                        .status = &server.status,
                                        .clock = &server.clock,
                                        .unix_time = clock_unix_s,
                                        .argc = argc,
                                        .argv = argv};
    process_forbid_core_dumps();
    process_take_requests(take_request);
    process_ignore_write_signals(); // a file that may not grow is a fault of that file
    server.socket_count = successor_take(getenv, process_id(), server.sockets);
    enum options_outcome outcome =
        options_read(&SERVER_PROGRAM, &server.settings, argc, argv, getenv, stdout, &options);
    if (outcome == OPTIONS_WRONG)
        return refuse(&options.error);
    if (outcome == OPTIONS_DONE && !options.check_config)
        return EXIT_OK;
    if (!settings_validate(&server.settings, &options, &options.error))
        return refuse(&options.error);
    server.log = (struct log){stderr, server.settings.log_level, server.settings.log_format, clock_unix_s,
                              log_is_journal(stderr, getenv("JOURNAL_STREAM"))};
    for (char **at = process_environment(); (at = options_find_stranger(&SERVER_PROGRAM, at)); at++)
        log_write(&server.log, LOG_WARNING, "%.*s is not an option of deadfall-server", (int)strcspn(*at, "="), *at);
    if (outcome == OPTIONS_DONE)
        return server_check(&server);
    if (server.settings.healthcheck)
        return a2s_healthcheck(&server.settings);
    int code = begin(&server);
    return code == EXIT_OK ? process_repeat(serve, end, &server) : leave(&server, code);
}
