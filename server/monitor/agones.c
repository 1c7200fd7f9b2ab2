// SPDX-License-Identifier: MIT
#include "agones.h"

#include <jansson.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/http_client.h"
#include "game/rules/mode.h"

#define SLICE_MS             200 // between two looks at the match
#define RETRY_MS_MIN         200 // while the sidecar is not there
#define RETRY_MS_MAX         2000
#define HEALTH_PERIOD_MS     5000 // if the sidecar names none
#define HEALTH_PERIOD_MS_MIN 2000
#define CALL_NS              2000000000u // then a call has failed
#define CALL_SLICE_MS        50          // between two looks at the clock
#define STILL_NS             1500000000u // ticks that pause for longer are no health
#define PLAYERS_PATH         "/v1beta1/lists/players"

struct agones {
    uint16_t port;
    char server[32]; // the address of the sidecar
    struct status_publisher *publisher;
    const struct log *log;
    atomic_bool closing, wants_end;
    pthread_t thread;
    bool there, ready, allocated;
    uint64_t retry_ms, next_try_ms, health_ms, next_health_ms;
    uint32_t labelled_maps, labelled_mode;
    bool listed[PLAYER_CAPACITY]; // who is in the fleet's list of players
    struct http_client events;    // a stream of lines
    struct http_client http;      // one call after another
    struct status_snapshot snapshot;
};

static uint64_t now_ms(void)
{
    return clock_now_ns() / CLOCK_MS_NS;
}

// Calls the sidecar and waits for its answer. False: there is none.
static bool call(struct agones *agones, const char *method, const char *path, const char *body)
{
    struct http_client *http = &agones->http;
    http_client_begin(http, &(struct http_request){agones->server, method, path, body, clock_now_ns() + CALL_NS});
    while (http_client_step(http, clock_now_ns()) == HTTP_CLIENT_WAITING)
        http_client_wait(http, CALL_SLICE_MS);
    return http->state == HTTP_CLIENT_ANSWERED;
}

// Whether the sidecar took it. What it refuses is not repeated: only a missing sidecar is waited for.
static bool post(struct agones *agones, const char *path, const char *body)
{
    agones->there = call(agones, "POST", path, body);
    if (!agones->there)
        log_write(agones->log, LOG_DEBUG, "Agones does not answer to %s: %s", path, agones->http.error.text);
    else if (agones->http.status != 200)
        log_write(agones->log, LOG_DEBUG, "Agones answers %d to %s", agones->http.status, path);
    return agones->there && agones->http.status == 200;
}

static uint64_t health_period_ms(const char *body)
{
    json_auto_t *root = json_loads(body, JSON_REJECT_DUPLICATES, NULL);
    json_int_t period_s;
    if (json_unpack(root, "{s:{s:{s:I}}}", "spec", "health", "period_seconds", &period_s) != 0 || period_s < 1 ||
        period_s > 3600)
        period_s = HEALTH_PERIOD_MS / 1000;
    uint64_t period_ms = (uint64_t)period_s * 1000;
    return period_ms < HEALTH_PERIOD_MS_MIN ? HEALTH_PERIOD_MS_MIN : period_ms;
}

// The sidecar may come up after the server, and may come and go. It listens on either loopback address.
static void connect_to_sidecar(struct agones *agones)
{
    static const char *const LOOPBACKS[] = {"127.0.0.1:%u", "[::1]:%u"};
    if (now_ms() < agones->next_try_ms)
        return;
    for (size_t i = 0; i < 2 && !agones->there && !atomic_load(&agones->closing); i++) {
        snprintf(agones->server, sizeof agones->server, LOOPBACKS[i], (unsigned)agones->port);
        agones->there = call(agones, "GET", "/gameserver", NULL) && agones->http.status == 200;
    }
    agones->retry_ms = agones->there ? RETRY_MS_MIN : agones->retry_ms * 2;
    if (agones->retry_ms > RETRY_MS_MAX)
        agones->retry_ms = RETRY_MS_MAX;
    agones->next_try_ms = now_ms() + agones->retry_ms;
    if (!agones->there)
        return;
    agones->health_ms = health_period_ms(agones->http.body) / 2;
    log_write(agones->log, LOG_INFO, "Agones is there; health every %u ms", (unsigned)agones->health_ms);
}

static void report_health(struct agones *agones)
{
    if (now_ms() < agones->next_health_ms || clock_now_ns() - agones->snapshot.written_ns > STILL_NS)
        return;
    agones->next_health_ms = now_ms() + agones->health_ms;
    post(agones, "/health", "{}");
}

// Ready at first; allocated as soon as anybody plays, so that no autoscaler removes the match; ready again without
// them.
static void report_state(struct agones *agones)
{
    bool played = agones->snapshot.players > 0;
    if (!agones->ready)
        agones->ready = post(agones, "/ready", "{}");
    else if (played && !agones->allocated)
        agones->allocated = post(agones, "/allocate", "{}");
    else if (!played && agones->allocated)
        agones->allocated = !post(agones, "/ready", "{}");
}

static void report_players(struct agones *agones)
{
    const struct world *world = &agones->snapshot.world;
    char body[64];
    for (uint32_t slot = 0; slot < PLAYER_CAPACITY && agones->there; slot++) {
        const struct player *player = &world->players[slot];
        bool plays = player->state != PLAYER_ABSENT && !(player->flags & PLAYER_BOT);
        if (plays == agones->listed[slot])
            continue;
        snprintf(body, sizeof body, "{\"value\":\"slot-%u\"}", slot);
        post(agones, plays ? PLAYERS_PATH ":addValue" : PLAYERS_PATH ":removeValue", body);
        if (agones->there) // else it is repeated when the sidecar is back
            agones->listed[slot] = plays;
    }
}

static void put_label(struct agones *agones, const char *key, const char *value)
{
    char body[128];
    snprintf(body, sizeof body, "{\"key\":\"%s\",\"value\":\"%s\"}", key, value);
    if (!call(agones, "PUT", "/metadata/label", body))
        agones->there = false;
}

static void report_labels(struct agones *agones)
{
    const struct status_snapshot *snapshot = &agones->snapshot;
    if (snapshot->maps == agones->labelled_maps && snapshot->world.rules.mode == agones->labelled_mode)
        return;
    put_label(agones, "map", snapshot->map.name);
    put_label(agones, "mode", mode_name((enum mode)snapshot->world.rules.mode));
    if (!agones->there)
        return;
    agones->labelled_maps = snapshot->maps;
    agones->labelled_mode = snapshot->world.rules.mode;
}

static void handle_event(struct agones *agones, const char *line)
{
    const char *state = "";
    json_auto_t *root = json_loads(line, 0, NULL);
    if (json_unpack(root, "{s:{s:{s:s}}}", "result", "status", "state", &state) == 0 &&
        strcmp(state, "Shutdown") == 0 && !atomic_exchange(&agones->wants_end, true))
        log_write(agones->log, LOG_INFO, "Agones wants this server to end");
}

// Also the pause of the loop.
static void wait_for_events(struct agones *agones)
{
    struct http_client *events = &agones->events;
    if (agones->there && events->state != HTTP_CLIENT_WAITING)
        http_client_begin(events, &(struct http_request){agones->server, "GET", "/watch/gameserver", NULL, UINT64_MAX});
    http_client_wait(events, SLICE_MS);
    enum http_client_state state = http_client_step(events, clock_now_ns());
    for (const char *line; (line = http_client_line(events));)
        handle_event(agones, line);
    if (state != HTTP_CLIENT_WAITING)
        clock_sleep(SLICE_MS * CLOCK_MS_NS);
}

static void *run(void *context)
{
    struct agones *agones = context;
    while (!atomic_load(&agones->closing)) {
        status_snapshot_read(agones->publisher, &agones->snapshot);
        if (!agones->there)
            connect_to_sidecar(agones);
        if (agones->there)
            report_state(agones);
        if (agones->there)
            report_health(agones);
        if (agones->there)
            report_players(agones);
        if (agones->there)
            report_labels(agones);
        wait_for_events(agones);
    }
    if (agones->there)
        post(agones, "/shutdown", "{}");
    http_client_close(&agones->events);
    return NULL;
}

struct agones *agones_open(uint16_t port, struct status_publisher *publisher, const struct log *log)
{
    struct agones *agones = malloc(sizeof *agones);
    if (!agones)
        return NULL;
    *agones = (struct agones){
        .port = port, .publisher = publisher, .log = log, .retry_ms = RETRY_MS_MIN, .labelled_mode = UINT32_MAX};
    json_object_seed(0);
    if (pthread_create(&agones->thread, NULL, run, agones) == 0)
        return agones;
    free(agones);
    return NULL;
}

bool agones_wants_shutdown(const struct agones *agones)
{
    return agones && atomic_load(&agones->wants_end);
}

void agones_close(struct agones *agones)
{
    if (!agones)
        return;
    atomic_store(&agones->closing, true);
    pthread_join(agones->thread, NULL);
    free(agones);
}
