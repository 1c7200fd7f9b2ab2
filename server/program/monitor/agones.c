// SPDX-License-Identifier: MIT
#include "agones.h"

#include <ctype.h>
#include <jansson.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/http_client.h"
#include "game/rules/mode.h"
#include "game_server.h"

#define SLICE_MS            200 // between two looks at the match
#define RETRY_MS_MIN        200 // while the sidecar is not there
#define RETRY_MS_MAX        2000
#define REFUSED_MS          1000  // until what was refused is asked again
#define CHANGES_MAX         32    // of the list between two looks, so that health is never late
#define EFFECT_MS           5000  // in which an accepted state should be seen
#define ADDRESS_MS          5000  // that the first Ready waits for the address
#define DETAILS_MS          10000 // that it waits for all details to be accepted
#define HEALTH_PERIOD_S     5     // if the sidecar names none
#define HEALTH_PERIOD_S_MIN 2
#define CALL_NS             2000000000u // then a call has failed
#define CALL_SLICE_MS       50          // between two looks at the clock
#define STILL_NS            1500000000u // ticks that pause for longer are no health
#define PLAYERS_PATH        "/v1beta1/lists/players"
#define LABEL_PATH          "/metadata/label"
#define ANNOTATION_PATH     "/metadata/annotation"
#define DETAIL_BYTES        220
#define BODY_BYTES          (6 * GAME_SERVER_VALUE_BYTES + 20) // of a value, each letter of which may be escaped

// What a selector or a matchmaker finds with the game server, as agones.dev/sdk-KEY.
struct detail {
    const char *path, *key;
    char wanted[DETAIL_BYTES], accepted[DETAIL_BYTES];
};

enum { LABEL_MAP, LABEL_MODE, LABEL_OPEN, ANNOTATION_KEY, ANNOTATION_ADDRESS, ANNOTATION_INVITATION, DETAILS };

static const struct detail NO_DETAILS[DETAILS] = {
    [LABEL_MAP] = {.path = LABEL_PATH, .key = "map"},
    [LABEL_MODE] = {.path = LABEL_PATH, .key = "mode"},
    [LABEL_OPEN] = {.path = LABEL_PATH, .key = "open"},
    [ANNOTATION_KEY] = {.path = ANNOTATION_PATH, .key = "key"},
    [ANNOTATION_ADDRESS] = {.path = ANNOTATION_PATH, .key = "address"},
    [ANNOTATION_INVITATION] = {.path = ANNOTATION_PATH, .key = "invitation"},
};

struct agones {
    uint16_t port;
    char server[32]; // the address of the sidecar
    const char *fingerprint;
    struct status_publisher *publisher;
    const struct log *log;
    atomic_bool closing, wants_end;
    pthread_t thread;
    bool there, was_ready;
    bool has_events; // a stream of events has begun
    uint64_t retry_ms, next_try_ms, found_ms, next_health_ms;
    uint64_t details_due_ms, state_due_ms, list_due_ms, events_due_ms; // not before
    uint64_t visit_until_ms;      // until then an allocated server waits for its first player
    const char *asked;            // the path of the state that was asked for last; null: none
    struct game_server self;      // as the sidecar sees it
    struct game_server_list list; // of players
    struct detail details[DETAILS];
    bool plays[PLAYER_CAPACITY];
    struct http_client events; // a stream of lines
    struct http_client http;   // one call after another
    struct status_snapshot snapshot;
};

static uint64_t now_ms(void)
{
    return clock_now_ns() / CLOCK_MS_NS;
}

static bool call_once(struct agones *agones, const char *method, const char *path, const char *body)
{
    struct http_client *http = &agones->http;
    http_client_begin(http, &(struct http_request){.server = agones->server,
                                                   .method = method,
                                                   .path = path,
                                                   .body = body,
                                                   .deadline_ns = clock_now_ns() + CALL_NS});
    while (http_client_step(http, clock_now_ns()) == HTTP_CLIENT_WAITING)
        http_client_wait(http, CALL_SLICE_MS);
    agones->there = http->state == HTTP_CLIENT_ANSWERED;
    return agones->there && http->status == 200;
}

// Calls the sidecar and waits for its answer. Returns whether it has accepted the call. Some refusals pass at once.
static bool call(struct agones *agones, const char *method, const char *path, const char *body)
{
    if (call_once(agones, method, path, body) || (agones->there && call_once(agones, method, path, body)))
        return true;
    if (agones->there)
        log_write(agones->log, LOG_DEBUG, "Agones answers %d to %s", agones->http.status, path);
    else
        log_write(agones->log, LOG_DEBUG, "Agones does not answer to %s: %s", path, agones->http.error.text);
    return false;
}

// The same with a body of some texts, which may be from others.
static bool call_with(struct agones *agones, const char *method, const char *path, json_t *fields)
{
    char body[BODY_BYTES];
    size_t length = json_dumpb(fields, body, sizeof body, JSON_COMPACT);
    json_decref(fields);
    if (length == 0 || length >= sizeof body)
        return false;
    body[length] = 0;
    return call(agones, method, path, body);
}

static bool is_allocated(const struct agones *agones)
{
    return strcmp(agones->self.state, "Allocated") == 0;
}

// An allocation, even of a server that is allocated already, sends somebody here.
static void take_game_server(struct agones *agones, const struct game_server *fresh)
{
    bool again = strcmp(fresh->allocated, agones->self.allocated) != 0 || !is_allocated(agones);
    agones->self = *fresh;
    agones->list.known = false;
    if (again && is_allocated(agones))
        agones->visit_until_ms = now_ms() + GAME_SERVER_VISIT_MS;
    if (strcmp(fresh->state, "Shutdown") == 0 && !atomic_exchange(&agones->wants_end, true))
        log_event(agones->log, LOG_INFO, &(struct fields){"agones_shutdown", "Agones wants this server to end", {{0}}});
}

static uint64_t health_ms(const struct agones *agones)
{
    uint32_t period_s = agones->self.health_period ? agones->self.health_period : HEALTH_PERIOD_S;
    return (period_s < HEALTH_PERIOD_S_MIN ? HEALTH_PERIOD_S_MIN : period_s) * (uint64_t)500;
}

// What a sidecar has accepted, it may have forgotten while it was away.
static void forget_accepted(struct agones *agones)
{
    memcpy(agones->details, NO_DETAILS, sizeof agones->details);
    agones->details_due_ms = agones->state_due_ms = agones->list_due_ms = 0;
    agones->list.known = agones->has_events = false;
    agones->asked = NULL;
}

// The sidecar may come up after the server, and may come and go. It listens on either loopback address.
static void connect_to_sidecar(struct agones *agones)
{
    static const char *const LOOPBACKS[] = {"127.0.0.1:%u", "[::1]:%u"};
    if (now_ms() < agones->next_try_ms)
        return;
    bool accepted = false;
    for (size_t i = 0; i < 2 && !accepted && !atomic_load(&agones->closing); i++) {
        snprintf(agones->server, sizeof agones->server, LOOPBACKS[i], (unsigned)agones->port);
        accepted = call_once(agones, "GET", "/gameserver", NULL);
    }
    agones->there = accepted;
    agones->retry_ms = accepted ? RETRY_MS_MIN : agones->retry_ms * 2;
    if (agones->retry_ms > RETRY_MS_MAX)
        agones->retry_ms = RETRY_MS_MAX;
    agones->next_try_ms = now_ms() + agones->retry_ms;
    if (!accepted)
        return;
    struct game_server self = {0};
    game_server_read(&self, agones->http.body);
    take_game_server(agones, &self);
    forget_accepted(agones);
    if (agones->found_ms == 0)
        agones->found_ms = now_ms();
    log_event(agones->log, LOG_INFO,
              &(struct fields){"agones",
                               "Agones is there; health every {health_ms} ms",
                               {{"health_ms", .number = (int64_t)health_ms(agones)},
                                {"address", .text = agones->self.address},
                                {"state", .text = agones->self.state}}});
}

// A label has letters, digits, '-', '_' and '.', and begins and ends with a letter or digit.
static void write_label(char label[DETAIL_BYTES], const char *text)
{
    size_t length = 0;
    for (const char *at = text; *at && length < 63; at++)
        if (isalnum((unsigned char)*at) || (length > 0 && strchr("-_.", *at)))
            label[length++] = *at;
    while (length > 0 && !isalnum((unsigned char)label[length - 1]))
        length--;
    label[length] = 0;
}

// Returns whether the sidecar has accepted all details.
static bool report_details(struct agones *agones)
{
    const struct status_snapshot *snapshot = &agones->snapshot;
    struct detail *details = agones->details;
    const char *address = agones->self.address;
    bool done = true;
    write_label(details[LABEL_MAP].wanted, snapshot->map.name);
    write_label(details[LABEL_MODE].wanted, mode_name((enum mode)snapshot->world.rules.mode));
    write_label(details[LABEL_OPEN].wanted, snapshot->drains ? "false" : "true");
    snprintf(details[ANNOTATION_KEY].wanted, DETAIL_BYTES, "%s", agones->fingerprint);
    if (address[0]) {
        snprintf(details[ANNOTATION_ADDRESS].wanted, DETAIL_BYTES, "%s", address);
        snprintf(details[ANNOTATION_INVITATION].wanted, DETAIL_BYTES, "deadfall://%s#%s", address, agones->fingerprint);
    }
    for (struct detail *detail = details; detail < details + DETAILS; detail++) {
        if (strcmp(detail->wanted, detail->accepted) == 0)
            continue;
        if (agones->there && now_ms() >= agones->details_due_ms &&
            call_with(agones, "PUT", detail->path,
                      json_pack("{s:s, s:s}", "key", detail->key, "value", detail->wanted)))
            memcpy(detail->accepted, detail->wanted, sizeof detail->accepted);
        else
            done = false;
    }
    if (!done && now_ms() >= agones->details_due_ms)
        agones->details_due_ms = now_ms() + REFUSED_MS;
    return done;
}

// Returns whether the sidecar has accepted it now. What it has accepted shows later, in an event.
static bool ask_for(struct agones *agones, const char *state, const char *path)
{
    if (agones->asked == path && now_ms() < agones->state_due_ms)
        return false;
    bool accepted = call(agones, "POST", path, "{}");
    agones->asked = path;
    agones->state_due_ms = now_ms() + (accepted ? EFFECT_MS : REFUSED_MS);
    if (accepted)
        snprintf(agones->self.state, sizeof agones->self.state, "%s", state);
    return accepted;
}

static bool change_list(struct agones *agones, const struct game_server_change *change)
{
    char text[12];
    switch (change->kind) {
    case GAME_SERVER_ADD:
        return call_with(agones, "POST", PLAYERS_PATH ":addValue", json_pack("{s:s}", "value", change->value));
    case GAME_SERVER_REMOVE:
        return call_with(agones, "POST", PLAYERS_PATH ":removeValue", json_pack("{s:s}", "value", change->value));
    case GAME_SERVER_CAPACITY:
        snprintf(text, sizeof text, "%u", change->capacity);
        return call_with(agones, "PATCH", PLAYERS_PATH "?update_mask=capacity", json_pack("{s:s}", "capacity", text));
    }
    return false;
}

// Brings the list of players up to date, change by change. After a refusal it is read again.
static void report_players(struct agones *agones)
{
    struct game_server_wanted wanted = {agones->plays, agones->snapshot.players_max, agones->snapshot.drains};
    struct game_server_change change;
    for (uint32_t slot = 0; slot < PLAYER_CAPACITY; slot++) {
        const struct player *player = &agones->snapshot.world.players[slot];
        agones->plays[slot] = player->state != PLAYER_ABSENT && !(player->flags & PLAYER_BOT);
    }
    game_server_list_observe(&agones->list, agones->plays);
    if (now_ms() < agones->list_due_ms)
        return;
    bool accepted = agones->list.known || (call(agones, "GET", PLAYERS_PATH, NULL) &&
                                           game_server_list_read(&agones->list, agones->http.body, now_ms()));
    for (uint32_t i = 0;
         i < CHANGES_MAX && accepted && game_server_list_next(&agones->list, &wanted, now_ms(), &change); i++) {
        accepted = change_list(agones, &change);
        if (accepted)
            game_server_list_apply(&agones->list, &change, now_ms());
    }
    agones->list.known = accepted;
    if (!accepted)
        agones->list_due_ms = now_ms() + REFUSED_MS;
}

// Also the pause of the loop.
static void wait_for_events(struct agones *agones)
{
    struct http_client *events = &agones->events;
    struct game_server self = {0};
    if (agones->there && events->state != HTTP_CLIENT_WAITING && now_ms() >= agones->events_due_ms) {
        agones->events_due_ms = now_ms() + REFUSED_MS;
        http_client_begin(events, &(struct http_request){.server = agones->server,
                                                         .method = "GET",
                                                         .path = "/watch/gameserver",
                                                         .deadline_ns = UINT64_MAX});
    }
    http_client_wait(events, SLICE_MS);
    enum http_client_state state = http_client_step(events, clock_now_ns());
    for (const char *line; (line = http_client_line(events));)
        if (game_server_read_event(&self, line)) {
            take_game_server(agones, &self);
            agones->has_events = true;
        }
    if (state == HTTP_CLIENT_WAITING)
        return;
    if (agones->has_events)
        forget_accepted(agones);
    clock_sleep(SLICE_MS * CLOCK_MS_NS);
}

static void report(struct agones *agones)
{
    const struct status_snapshot *snapshot = &agones->snapshot;
    if (!agones->there)
        connect_to_sidecar(agones);
    if (agones->there && now_ms() >= agones->next_health_ms && clock_now_ns() - snapshot->written_ns <= STILL_NS) {
        bool accepted = call(agones, "POST", "/health", "{}");
        agones->next_health_ms = now_ms() + (accepted ? health_ms(agones) : REFUSED_MS);
    }
    bool has_details = agones->there && report_details(agones);
    const char *state = agones->self.state;
    bool is_ready = strcmp(state, "Ready") == 0 || strcmp(state, "RequestReady") == 0;
    if (agones->there && !agones->was_ready) {
        // A server that is ready may be given to players, so they must be able to find it. It has been ready if it is
        // allocated already: then an earlier process was.
        uint64_t waited_ms = now_ms() - agones->found_ms;
        bool findable = has_details && (agones->self.address[0] || waited_ms >= ADDRESS_MS);
        agones->was_ready = is_allocated(agones) ||
                            ((findable || waited_ms >= DETAILS_MS) && ask_for(agones, "RequestReady", "/ready"));
    } else if (agones->there && snapshot->players > 0) {
        if (!is_allocated(agones)) // as soon as anybody plays, so that no autoscaler removes the match
            ask_for(agones, "Allocated", "/allocate");
    } else if (agones->there && !is_ready && !snapshot->drains && now_ms() >= agones->visit_until_ms) {
        // Without players, but not before those who were sent here could have come.
        ask_for(agones, "RequestReady", "/ready");
    }
    if (agones->there)
        report_players(agones);
}

static void *run(void *context)
{
    struct agones *agones = context;
    while (!atomic_load(&agones->closing)) {
        status_snapshot_read(agones->publisher, &agones->snapshot);
        report(agones);
        wait_for_events(agones);
    }
    if (agones->there)
        call(agones, "POST", "/shutdown", "{}");
    http_client_close(&agones->events);
    return NULL;
}

struct agones *agones_open(uint16_t port, const char *fingerprint, struct status_publisher *publisher,
                           const struct log *log)
{
    struct agones *agones = malloc(sizeof *agones);
    if (!agones)
        return NULL;
    *agones = (struct agones){
        .port = port, .fingerprint = fingerprint, .publisher = publisher, .log = log, .retry_ms = RETRY_MS_MIN};
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
