// SPDX-License-Identifier: MIT
#include "restarts.h"

#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "net/enet/enet_transport.h"
#include "test.h"
#include "virtual_udp.h"

#define SOCKET_MIN 200 // above those of clients, by which virtual_udp.h knows them

static void begin_journal(struct restarts *restarts)
{
    restarts->journal = recorder_open();
    assert_non_null(restarts->journal);
    crash_recovery_begin(&restarts->settings, session.match, restarts->journal, &restarts->log);
    assert_non_null(session.match->journal);
}

void restarts_begin(struct restarts *restarts, uint64_t seed, const char *map, const struct impairment *impairment)
{
    int sockets[2];
    *restarts = (struct restarts){.settings = {.resume = RESUME_AUTO, .mode = MODE_FFA},
                                  .folder = "/tmp/deadfall_restarts_XXXXXX",
                                  .log = {.out = stderr, .level = LOG_ERROR}};
    assert_non_null(mkdtemp(restarts->folder));
    snprintf(restarts->key, sizeof restarts->key, "%.40s/key", restarts->folder);
    snprintf(restarts->settings.state_dir, sizeof restarts->settings.state_dir, "%s", restarts->folder);
    snprintf(restarts->settings.map, sizeof restarts->settings.map, "%s", map);
    session_begin_with_key(seed, map, impairment, restarts->key);
    enet_transport_sockets(session.enet, sockets);
    restarts->socket = fcntl(sockets[0], F_DUPFD_CLOEXEC, SOCKET_MIN);
    assert_true(restarts->socket >= SOCKET_MIN);
    begin_journal(restarts);
}

static void close_server(struct restarts *restarts)
{
    struct error error;
    crash_recovery_end(&restarts->settings, session.match, &restarts->log, true);
    assert_true(recorder_close(restarts->journal, &error));
    match_destroy(session.match);
    transport_close(session.enet);
    session.match = NULL;
    session.enet = NULL;
}

void restarts_kill(struct restarts *restarts, size_t torn_bytes)
{
    char path[RESTARTS_PATH_BYTES];
    struct stat facts;
    snprintf(path, sizeof path, "%.40s/journal.dfr", restarts->folder);
    while (recorder_backlog_bytes(restarts->journal) > 0)
        sched_yield();
    assert_int_equal(stat(path, &facts), 0);
    virtual_udp_kill_server();
    close_server(restarts);
    // The end that close_server() has written is that of a server which stops as planned.
    assert_int_equal(truncate(path, facts.st_size - (off_t)torn_bytes), 0);
}

void restarts_announce(struct restarts *restarts)
{
    match_announce_restart(session.match);
    close_server(restarts);
}

void restarts_start(struct restarts *restarts)
{
    struct error error;
    struct net_endpoint endpoint;
    int socket = fcntl(restarts->socket, F_DUPFD_CLOEXEC, SOCKET_MIN);
    struct net_server_config config = {.bind_address = "127.0.0.1",
                                       .port = session.port,
                                       .sockets = &socket,
                                       .socket_count = 1,
                                       .peer_capacity = MATCH_PEER_CAPACITY,
                                       .key_path = restarts->key};
    session_check(crash_recovery_find(&restarts->settings, &restarts->log, &restarts->end));
    const struct world *read = &restarts->end.world, *last = &session.worlds[read->tick % INPUT_LOG_TICKS];
    session_check(memcmp(read, last, sizeof *read) == 0);
    session.enet = enet_transport_open_server(&config, &endpoint, &error);
    assert_non_null(session.enet);
    assert_int_equal(endpoint.port, session.port);
    session_create_match(&restarts->end.map, &(struct match_config){.rules = read->rules}, session.enet);
    journal_restore(session.match, &restarts->end);
    begin_journal(restarts);
    virtual_udp_start_server();
}

void restarts_end(struct restarts *restarts)
{
    struct error error;
    crash_recovery_end(&restarts->settings, session.match, &restarts->log, false);
    assert_true(recorder_close(restarts->journal, &error));
    session_end();
    close(restarts->socket);
    char path[RESTARTS_PATH_BYTES];
    snprintf(path, sizeof path, "%.40s/journal.for", restarts->folder);
    unlink(path);
    unlink(restarts->key);
    assert_int_equal(rmdir(restarts->folder), 0);
}
