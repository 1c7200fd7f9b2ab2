// SPDX-License-Identifier: MIT
//
// Tests when the server calls Agones, and what it does if the sidecar is late, refuses, ignores or vanishes. Clock and
// HTTP client are doubles: time passes only while the thread waits, and every call is recorded with its time.
#include "monitor/agones.h"

#include <limits.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/http_client.h"
#include "test.h"

#define START_NS (1000 * CLOCK_SECOND_NS)
#define IPV4     "127.0.0.1:9358"
#define IPV6     "[::1]:9358"
#define SPEC                                                                                                           \
    "{\"spec\":{\"health\":{\"period_seconds\":10}},\"status\":{\"state\":\"Scheduled\",\"address\":\"192.0.2.7\","    \
    "\"ports\":[{\"name\":\"game\",\"port\":7123}]}}"
#define CALLS_MAX 900 // then it runs wild
#define STEPS_MAX 1000

// All that a matchmaker finds with the server.
#define DETAILS                                                                                                        \
    "; PUT %c/metadata/label {'key':'map','value':'arena'}; PUT %c/metadata/label {'key':'mode','value':'ffa'}; "      \
    "PUT %c/metadata/label {'key':'open','value':'true'}; PUT %c/metadata/annotation {'key':'key','value':'thekey'}; " \
    "PUT %c/metadata/annotation {'key':'address','value':'192.0.2.7:7123'}; "                                          \
    "PUT %c/metadata/annotation {'key':'invitation','value':'deadfall://192.0.2.7:7123#thekey'}"

// What is true from a time on.
struct moment {
    uint32_t from_ms;
    const char *sidecar;           // its address; null: there is none
    const char *refused, *ignored; // calls that it answers with 500, or not at all
    uint32_t played;               // bits of SLOTS
    enum mode mode;
    const char *map;    // null: "arena"
    uint32_t age_ms;    // of the newest snapshot
    const char *events; // lines that the sidecar sends now
};

struct scenario {
    const struct moment *moments;
    size_t moment_count;
    uint32_t end_ms;
    const char *spec; // answer to GET /gameserver; null: SPEC
};

static const uint32_t SLOTS[] = {0, 3, PLAYER_CAPACITY - 1};

static const struct scenario *scenario;
static const struct moment *moment;
static struct status_publisher publisher = STATUS_PUBLISHER_INITIAL;
static uint64_t now_ns;
static uint32_t calls, steps;
static char events[500], *next_event;
static FILE *timeline;
static sem_t has_ended, may_close;
static bool threads_fail, memory_fails, is_over;

uint64_t __wrap_clock_now_ns(void);
void __wrap_clock_sleep(uint64_t duration_ns);
bool __wrap_http_client_begin(struct http_client *client, const struct http_request *request);
enum http_client_state __wrap_http_client_step(struct http_client *client, uint64_t step_ns);
const char *__wrap_http_client_line(struct http_client *client);
void __wrap_http_client_wait(const struct http_client *client, int timeout_ms);
void __wrap_http_client_close(struct http_client *client);
int __real_pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *), void *context);
int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *), void *context);
int __real_pthread_join(pthread_t thread, void **result);
int __wrap_pthread_join(pthread_t thread, void **result);
void *__real_malloc(size_t byte_count);
void *__wrap_malloc(size_t byte_count);

static uint32_t now_ms(void)
{
    return (uint32_t)((now_ns - START_NS) / CLOCK_MS_NS);
}

static void enter(const struct moment *fresh)
{
    struct status_snapshot *snapshot = &publisher.snapshot;
    moment = fresh;
    snapshot->players = 0;
    snapshot->players_max = 16;
    for (size_t i = 0; i < sizeof SLOTS / sizeof *SLOTS; i++) {
        bool plays = moment->played & 1u << i;
        snapshot->players += plays;
        snapshot->world.players[SLOTS[i]].state = plays ? PLAYER_ALIVE : PLAYER_ABSENT;
    }
    snapshot->world.players[4] = (struct player){.state = PLAYER_ALIVE, .flags = PLAYER_BOT};
    snapshot->world.rules.mode = moment->mode;
    snprintf(snapshot->map.name, sizeof snapshot->map.name, "%s", moment->map ? moment->map : "arena");
    snprintf(events, sizeof events, "%s", moment->events ? moment->events : "");
    next_event = events;
}

static void pass(uint64_t duration_ns)
{
    now_ns += duration_ns;
    while (moment + 1 < scenario->moments + scenario->moment_count && moment[1].from_ms <= now_ms())
        enter(moment + 1);
    publisher.snapshot.written_ns = now_ns - moment->age_ms * CLOCK_MS_NS;
    if (now_ms() >= scenario->end_ms && !is_over) {
        is_over = true;
        sem_post(&has_ended);
        sem_wait(&may_close);
    }
}

uint64_t __wrap_clock_now_ns(void)
{
    return now_ns;
}

void __wrap_clock_sleep(uint64_t duration_ns)
{
    pass(duration_ns);
}

static bool is_stream(const struct http_client *client)
{
    return strstr(client->request, "/watch/") != NULL;
}

static bool is_answered(const struct http_client *client)
{
    return !moment->ignored || !strstr(client->request, moment->ignored);
}

bool __wrap_http_client_begin(struct http_client *client, const struct http_request *request)
{
    if (++calls > CALLS_MAX)
        abort();
    static const char lists[] = "/v1beta1/lists";
    bool is_list = strncmp(request->path, lists, sizeof lists - 1) == 0;
    fprintf(timeline, "%u %s %s%s%s%s", now_ms(), request->method, strcmp(request->server, IPV4) == 0 ? "4" : "6",
            is_list ? "~" : "", request->path + (is_list ? sizeof lists - 1 : 0), request->body ? " " : "");
    for (const char *at = request->body ? request->body : ""; *at; at++)
        fputc(*at == '"' ? '\'' : *at, timeline);
    fputc('\n', timeline);
    snprintf(client->request, sizeof client->request, "%s%s", request->server, request->path);
    client->state = HTTP_CLIENT_WAITING;
    client->is_sent = false;
    client->deadline_ns = request->deadline_ns;
    return true;
}

static enum http_client_state fails(struct http_client *client, const char *text)
{
    error_set(&client->error, "%s", text);
    return client->state = HTTP_CLIENT_FAILED;
}

enum http_client_state __wrap_http_client_step(struct http_client *client, uint64_t step_ns)
{
    if (++steps > STEPS_MAX || step_ns != now_ns)
        abort();
    if (client->state != HTTP_CLIENT_WAITING)
        return client->state;
    if (!moment->sidecar || memcmp(client->request, moment->sidecar, strlen(moment->sidecar)) != 0)
        return fails(client, "no connection");
    if (step_ns >= client->deadline_ns)
        return fails(client, "too late");
    if (is_stream(client) || !client->is_sent || !is_answered(client))
        return HTTP_CLIENT_WAITING;
    client->status = moment->refused && strstr(client->request, moment->refused) ? 500 : 200;
    const char *spec = scenario->spec ? scenario->spec : SPEC;
    snprintf(client->body, sizeof client->body, "%s",
             strstr(client->request, "/gameserver") ? spec : "{\"capacity\":\"16\",\"values\":[]}");
    return client->state = HTTP_CLIENT_ANSWERED;
}

const char *__wrap_http_client_line(struct http_client *client)
{
    char *line_end = client->state == HTTP_CLIENT_WAITING ? strchr(next_event, '\n') : NULL;
    if (!line_end)
        return NULL;
    const char *line = next_event;
    *line_end = 0;
    next_event = line_end + 1;
    return line;
}

// An answer comes at once.
void __wrap_http_client_wait(const struct http_client *client, int timeout_ms)
{
    steps = 0;
    ((struct http_client *)(uintptr_t)client)->is_sent = true;
    if (client->state == HTTP_CLIENT_WAITING && (is_stream(client) || !is_answered(client)))
        pass((uint64_t)timeout_ms * CLOCK_MS_NS);
}

void __wrap_http_client_close(struct http_client *client)
{
    fprintf(timeline, "%u closes %s\n", now_ms(), client->request);
    client->state = HTTP_CLIENT_IDLE;
}

int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *), void *context)
{
    return threads_fail ? 11 : __real_pthread_create(thread, attributes, run, context);
}

// The thread may go on once it can see that it is to end.
int __wrap_pthread_join(pthread_t thread, void **result)
{
    sem_post(&may_close);
    return __real_pthread_join(thread, result);
}

void *__wrap_malloc(size_t byte_count)
{
    return memory_fails ? NULL : __real_malloc(byte_count);
}

// Plays a scenario to its end, and returns everything that the sidecar received and the log said.
static char *play(const struct scenario *chosen, bool wants_shutdown)
{
    char *text = NULL;
    size_t text_bytes;
    scenario = chosen;
    now_ns = START_NS;
    calls = steps = 0;
    is_over = false;
    enter(scenario->moments);
    publisher.snapshot.written_ns = now_ns - moment->age_ms * CLOCK_MS_NS;
    timeline = open_memstream(&text, &text_bytes);
    struct log log = {.out = timeline, .level = LOG_DEBUG};
    sem_init(&has_ended, 0, 0);
    sem_init(&may_close, 0, 0);
    struct agones *agones = agones_open(9358, "thekey", &publisher, &log);
    assert_non_null(agones);
    sem_wait(&has_ended);
    assert_int_equal(agones_wants_shutdown(agones), wants_shutdown);
    agones_close(agones);
    fclose(timeline);
    return text;
}

// Compares what happens with lines "TIME CALL; CALL; ..." in ms, with what the log says in its place. 4 and 6 stand for
// the addresses of the sidecar, ~ for its lists, DETAILS for all of them.
static void compare_from(const struct scenario *chosen, const char *wanted)
{
    char *all = play(chosen, false), *text = NULL;
    size_t text_bytes, same = 0;
    unsigned long last_ms = ULONG_MAX;
    FILE *by_time = open_memstream(&text, &text_bytes);
    for (const char *line = all; *line; line += strcspn(line, "\n") + 1) {
        char *call;
        unsigned long time_ms = strtoul(line, &call, 10);
        bool is_logged = call == line, is_new = !is_logged && time_ms != last_ms;
        if (is_new)
            fprintf(by_time, "%s%lu", last_ms == ULONG_MAX ? "" : "\n", time_ms);
        last_ms = is_logged ? last_ms : time_ms;
        fprintf(by_time, "%s%.*s", is_new ? "" : is_logged ? "; " : ";", (int)strcspn(call, "\n"), call);
    }
    fputc('\n', by_time);
    fclose(by_time);
    free(all);
    for (const char *sidecar = "46"; *sidecar; sidecar++) {
        char details[1000], c = *sidecar;
        int length = snprintf(details, sizeof details, DETAILS, c, c, c, c, c, c);
        for (char *at; (at = strstr(text, details));) {
            memcpy(at, "; DETAILS", 9);
            memmove(at + 9, at + length, strlen(at + length) + 1);
        }
    }
    while (text[same] && text[same] == wanted[same])
        same++;
    if (text[same] != wanted[same])
        fail_msg("after %zu characters: %.200s, wanted: %.200s", same, text + same, wanted + same);
    free(text);
}

TEST(a_sidecar_that_comes_late_is_waited_for)
{
    static const struct moment moments[] = {
        {.from_ms = 0},
        {.from_ms = 9000, .sidecar = IPV4, .refused = "/gameserver"},
        {.from_ms = 12000, .sidecar = IPV6},
    };
    compare_from(&(struct scenario){moments, 3, 13000, NULL},
                 "0 GET 4/gameserver; GET 6/gameserver\n"
                 "400 GET 4/gameserver; GET 6/gameserver\n"
                 "1200 GET 4/gameserver; GET 6/gameserver\n"
                 "2800 GET 4/gameserver; GET 6/gameserver\n"
                 "4800 GET 4/gameserver; GET 6/gameserver\n"
                 "6800 GET 4/gameserver; GET 6/gameserver\n"
                 "8800 GET 4/gameserver; GET 6/gameserver\n"
                 "10800 GET 4/gameserver; GET 6/gameserver\n"
                 "12800 GET 4/gameserver; GET 6/gameserver; info: Agones is there; health every 5000 ms; POST 6/health "
                 "{}; DETAILS; POST 6/ready {}; GET 6~/players; GET 6/watch/gameserver\n"
                 "13000 POST 6/shutdown {}; closes [::1]:9358/watch/gameserver\n");
}

TEST(a_match_is_reported_from_start_to_end)
{
    static const struct moment moments[] = {
        {.from_ms = 0, .sidecar = IPV4},
        {.from_ms = 1000, .sidecar = IPV4, .played = 1},
        {.from_ms = 2000, .sidecar = IPV4, .played = 7},
        {.from_ms = 3000, .sidecar = IPV4, .played = 6, .mode = MODE_LMS},
        {.from_ms = 4000, .sidecar = IPV4, .played = 0, .mode = MODE_LMS, .map = "duel"},
        {.from_ms = 5000, .sidecar = IPV4, .played = 1, .mode = MODE_LMS, .map = "duel"},
    };
    compare_from(
        &(struct scenario){moments, 6, 11000, NULL},
        "0 GET 4/gameserver; info: Agones is there; health every 5000 ms; POST 4/health {}; DETAILS; POST 4/ready {}; "
        "GET 4~/players; GET 4/watch/gameserver\n"
        "1000 POST 4/allocate {}; POST 4~/players:addValue {'value':'slot-0'}\n"
        "2000 POST 4~/players:addValue {'value':'slot-3'}; POST 4~/players:addValue {'value':'slot-255'}\n"
        "3000 PUT 4/metadata/label {'key':'mode','value':'lms'}; POST 4~/players:removeValue {'value':'slot-0'}\n"
        "4000 PUT 4/metadata/label {'key':'map','value':'duel'}; POST 4/ready {}; POST 4~/players:removeValue "
        "{'value':'slot-3'}; POST 4~/players:removeValue {'value':'slot-255'}\n"
        "5000 POST 4/health {}; POST 4/allocate {}; POST 4~/players:addValue {'value':'slot-0'}\n"
        "10000 POST 4/health {}\n"
        "11000 POST 4/shutdown {}; closes 127.0.0.1:9358/watch/gameserver\n");
}

TEST(what_the_sidecar_refuses_is_asked_again)
{
    static const struct moment moments[] = {
        {.from_ms = 0, .sidecar = IPV4, .refused = "/ready"},
        {.from_ms = 500, .sidecar = IPV4},
        {.from_ms = 1200, .sidecar = IPV4, .refused = "/allocate", .played = 1},
        {.from_ms = 2000, .sidecar = IPV4, .played = 1},
        {.from_ms = 3000, .sidecar = IPV4, .refused = "players", .played = 3},
        {.from_ms = 3500, .sidecar = IPV4, .played = 3, .refused = "/metadata", .map = "duel"},
        {.from_ms = 4900, .sidecar = IPV4, .refused = "/health", .played = 3, .map = "duel"},
        {.from_ms = 5500, .sidecar = IPV4, .played = 3, .map = "duel"},
    };
    compare_from(
        &(struct scenario){moments, 8, 8000, NULL},
        "0 GET 4/gameserver; info: Agones is there; health every 5000 ms; POST 4/health {}; DETAILS; POST 4/ready {}; "
        "POST 4/ready {}; debug: Agones answers 500 to /ready; GET 4~/players; GET 4/watch/gameserver\n"
        "1000 POST 4/ready {}\n"
        "1200 POST 4/allocate {}; POST 4/allocate {}; debug: Agones answers 500 to /allocate; POST 4~/players:addValue "
        "{'value':'slot-0'}\n"
        "2200 POST 4/allocate {}\n"
        "3000 POST 4~/players:addValue {'value':'slot-3'}; POST 4~/players:addValue {'value':'slot-3'}; debug: Agones "
        "answers 500 to /v1beta1/lists/players:addValue\n"
        "3600 PUT 4/metadata/label {'key':'map','value':'duel'}; PUT 4/metadata/label {'key':'map','value':'duel'}; "
        "debug: Agones answers 500 to /metadata/label\n"
        "4000 GET 4~/players; POST 4~/players:addValue {'value':'slot-0'}; POST 4~/players:addValue "
        "{'value':'slot-3'}\n"
        "4600 PUT 4/metadata/label {'key':'map','value':'duel'}; PUT 4/metadata/label {'key':'map','value':'duel'}; "
        "debug: Agones answers 500 to /metadata/label\n"
        "5000 POST 4/health {}; POST 4/health {}; debug: Agones answers 500 to /health\n"
        "5600 PUT 4/metadata/label {'key':'map','value':'duel'}\n"
        "6000 POST 4/health {}\n"
        "8000 POST 4/shutdown {}; closes 127.0.0.1:9358/watch/gameserver\n");
}

TEST(a_sidecar_that_does_not_answer_is_looked_for_again)
{
    static const struct moment moments[] = {
        {.from_ms = 0, .sidecar = IPV4, .ignored = "/gameserver"},
        {.from_ms = 3000, .sidecar = IPV4, .ignored = "/ready"},
        {.from_ms = 7000, .sidecar = IPV4, .ignored = "/health"},
        {.from_ms = 11000, .sidecar = IPV4, .ignored = "players", .played = 3},
        {.from_ms = 15000, .sidecar = IPV4, .ignored = "/metadata", .played = 3, .map = "duel"},
        {.from_ms = 20000, .sidecar = IPV4, .played = 3, .map = "duel"},
        {.from_ms = 30000, .map = "duel"},
    };
    compare_from(
        &(struct scenario){moments, 7, 40000, NULL},
        "0 GET 4/gameserver\n"
        "2000 GET 6/gameserver\n"
        "2400 GET 4/gameserver; info: Agones is there; health every 5000 ms\n"
        "3000 POST 4/health {}; DETAILS; POST 4/ready {}; debug: Agones does not answer to /ready: too late\n"
        "5200 GET 4/gameserver; info: Agones is there; health every 5000 ms; DETAILS; POST 4/ready {}\n"
        "7000 GET 4~/players; GET 4/watch/gameserver\n"
        "8000 POST 4/health {}; debug: Agones does not answer to /health: too late\n"
        "10200 GET 4/gameserver; info: Agones is there; health every 5000 ms; DETAILS; POST 4/ready {}; GET "
        "4~/players\n"
        "11000 POST 4/health {}; POST 4/allocate {}; POST 4~/players:addValue {'value':'slot-0'}; debug: Agones does "
        "not answer to /v1beta1/lists/players:addValue: too late\n"
        "13200 GET 4/gameserver; info: Agones is there; health every 5000 ms; DETAILS; POST 4/allocate {}; GET "
        "4~/players\n"
        "15000 POST 4~/players:addValue {'value':'slot-0'}; POST 4~/players:addValue {'value':'slot-3'}\n"
        "15200 PUT 4/metadata/label {'key':'map','value':'duel'}; debug: Agones does not answer to /metadata/label: "
        "too late\n"
        "17400 GET 4/gameserver; info: Agones is there; health every 5000 ms; POST 4/health {}; PUT 4/metadata/label "
        "{'key':'map','value':'duel'}; debug: Agones does not answer to /metadata/label: too late\n"
        "19600 GET 4/gameserver; info: Agones is there; health every 5000 ms; PUT 4/metadata/label "
        "{'key':'map','value':'duel'}\n"
        "20000 PUT 4/metadata/label {'key':'mode','value':'ffa'}; PUT 4/metadata/label {'key':'open','value':'true'}; "
        "PUT 4/metadata/annotation {'key':'key','value':'thekey'}; PUT 4/metadata/annotation "
        "{'key':'address','value':'192.0.2.7:7123'}; PUT 4/metadata/annotation "
        "{'key':'invitation','value':'deadfall://192.0.2.7:7123#thekey'}; POST 4/allocate {}; GET 4~/players; POST "
        "4~/players:addValue {'value':'slot-0'}; POST 4~/players:addValue {'value':'slot-3'}\n"
        "22400 POST 4/health {}\n"
        "27400 POST 4/health {}\n"
        "30200 POST 4/ready {}; debug: Agones does not answer to /ready: no connection\n"
        "30400 GET 4/gameserver; GET 6/gameserver\n"
        "30800 GET 4/gameserver; GET 6/gameserver\n"
        "31600 GET 4/gameserver; GET 6/gameserver\n"
        "33200 GET 4/gameserver; GET 6/gameserver\n"
        "35200 GET 4/gameserver; GET 6/gameserver\n"
        "37200 GET 4/gameserver; GET 6/gameserver\n"
        "39200 GET 4/gameserver; GET 6/gameserver\n"
        "40000 closes 127.0.0.1:9358/watch/gameserver\n");
}

TEST(a_server_that_ends_looks_for_no_further_sidecar)
{
    static const struct moment always = {.sidecar = IPV4, .ignored = "/gameserver"};
    compare_from(&(struct scenario){&always, 1, 1000, NULL}, "0 GET 4/gameserver\n"
                                                             "2200 closes \n");
}

TEST(ticks_that_pause_are_no_health)
{
    static const struct moment moments[] = {
        {.from_ms = 0, .sidecar = IPV4, .age_ms = 1501},
        {.from_ms = 1000, .sidecar = IPV4, .age_ms = 1500},
    };
    compare_from(&(struct scenario){moments, 2, 2000, NULL},
                 "0 GET 4/gameserver; info: Agones is there; health every 5000 ms; DETAILS; POST 4/ready {}; GET "
                 "4~/players; GET 4/watch/gameserver\n"
                 "1000 POST 4/health {}\n"
                 "2000 POST 4/shutdown {}; closes 127.0.0.1:9358/watch/gameserver\n");
}

TEST(the_sidecar_names_the_period_of_health)
{
    static const struct {
        const char *spec;
        uint32_t health_ms;
    } rows[] = {
        /* 0 */ {"{\"spec\":{\"health\":{\"period_seconds\":10}}}", 5000},
        /* 1 */ {"{\"spec\":{\"health\":{\"period_seconds\":3}}}", 1500},
        /* 2 */ {"{\"spec\":{\"health\":{\"period_seconds\":2}}}", 1000},
        /* 3 */ {"{\"spec\":{\"health\":{\"period_seconds\":1}}}", 1000},
        /* 4 */ {"{\"spec\":{\"health\":{\"period_seconds\":0}}}", 2500},
        /* 5 */ {"{\"spec\":{\"health\":{\"period_seconds\":-7}}}", 2500},
        /* 6 */ {"{\"spec\":{\"health\":{\"period_seconds\":3600}}}", 1800000},
        /* 7 */ {"{\"spec\":{\"health\":{\"period_seconds\":3601}}}", 2500},
        /* 8 */ {"{\"spec\":{\"health\":{\"period_seconds\":\"10\"}}}", 2500},
        /* 9 */ {"{\"spec\":{\"health\":{\"period_seconds\":9,\"period_seconds\":8}}}", 2500},
        /* 10 */ {"{\"spec\":{}}", 2500},
        /* 11 */ {"rubbish", 2500},
    };
    static const struct moment always = {.sidecar = IPV4};
    char wanted[100];
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char *text = play(&(struct scenario){&always, 1, 200, rows[i].spec}, false);
        snprintf(wanted, sizeof wanted, "info: Agones is there; health every %u ms", rows[i].health_ms);
        if (!strstr(text, wanted))
            fail_msg("row %zu: %s", i, text);
        free(text);
    }
}

#define STATE(name) "{\"result\":{\"status\":{\"state\":\"" name "\"}}}\n"

TEST(the_fleet_may_ask_for_the_end)
{
    static const struct {
        const char *events;
        uint32_t times; // that the log says so
    } rows[] = {
        /* 0 */ {STATE("Ready"), 0},
        /* 1 */ {STATE("Shutdown"), 1},
        /* 2 */ {STATE("Shutdown") STATE("Shutdown") STATE("Ready"), 1},
        /* 3 */ {STATE("Ready") STATE("shutdown") STATE("Shutdowns") STATE(""), 0},
        /* 4 */ {"rubbish\n\n" STATE("Shutdown"), 1},
        /* 5 */ {"{\"result\":{\"status\":{\"state\":7}}}\n", 0},
        /* 6 */ {"{\"result\":{\"state\":\"Shutdown\"}}\n", 0},
        /* 7 */ {"{\"result\":{\"status\":{\"state\":\"Shutdown\"}},\"new\":1,\"new\":2}\n", 1},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct moment moments[] = {{.sidecar = IPV4}, {.from_ms = 600, .sidecar = IPV4, .events = rows[i].events}};
        uint32_t times = 0;
        char *text = play(&(struct scenario){moments, 2, 1200, NULL}, rows[i].times > 0);
        for (const char *at = text; (at = strstr(at, "info: Agones wants this server to end\n")); at++)
            times++;
        if (times != rows[i].times)
            fail_msg("row %zu: %s", i, text);
        free(text);
    }
}

TEST(a_server_that_nobody_can_find_is_not_ready)
{
    static const struct moment moments[] = {
        {.from_ms = 0, .sidecar = IPV4},
        {.from_ms = 6000, .sidecar = IPV4, .events = "{\"result\":" SPEC "}\n"},
    };
    compare_from(&(struct scenario){moments, 2, 7000, "{\"status\":{\"state\":\"Scheduled\",\"address\":\"\"}}"},
                 "0 GET 4/gameserver; info: Agones is there; health every 2500 ms; POST 4/health {}; PUT "
                 "4/metadata/label {'key':'map','value':'arena'}; PUT 4/metadata/label {'key':'mode','value':'ffa'}; "
                 "PUT 4/metadata/label {'key':'open','value':'true'}; PUT 4/metadata/annotation "
                 "{'key':'key','value':'thekey'}; GET 4~/players; GET 4/watch/gameserver\n"
                 "2600 POST 4/health {}\n"
                 "5000 POST 4/ready {}\n"
                 "5200 POST 4/health {}\n"
                 "6000 PUT 4/metadata/annotation {'key':'address','value':'192.0.2.7:7123'}; PUT 4/metadata/annotation "
                 "{'key':'invitation','value':'deadfall://192.0.2.7:7123#thekey'}; GET 4~/players\n"
                 "7000 POST 4/shutdown {}; closes 127.0.0.1:9358/watch/gameserver\n");
}

TEST(a_server_is_ready_in_the_end_whatever_is_refused)
{
    static const struct moment moments[] = {{.from_ms = 0, .sidecar = IPV4, .refused = "/metadata"}};
    char *text = play(&(struct scenario){moments, 1, 11000, NULL}, false);
    assert_null(strstr(text, "\n9800 POST 4/ready {}"));
    assert_non_null(strstr(text, "\n10000 POST 4/ready {}"));
    free(text);
}

#define ALLOCATED(time)                                                                                                \
    "{\"result\":{\"object_meta\":{\"annotations\":{\"agones.dev/last-allocated\":\"" time "\"}},"                     \
    "\"status\":{\"state\":\"Allocated\"}}}\n"

// Who is sent here has a minute, and the last one who is sent counts.
TEST(an_allocated_server_without_players_is_ready_after_a_minute)
{
    static const struct {
        uint32_t first_ms, second_ms, ready_ms; // 0: never
        const char *second;
    } rows[] = {
        /* 0 */ {1000, 30000, 61000, ALLOCATED("10:00")}, // the same allocation
        /* 1 */ {1000, 30000, 90000, ALLOCATED("10:01")},
        /* 2 */ {1000, 30000, 0, STATE("Ready")},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct moment moments[] = {
            {.from_ms = 0, .sidecar = IPV4},
            {.from_ms = rows[i].first_ms, .sidecar = IPV4, .events = ALLOCATED("10:00")},
            {.from_ms = rows[i].second_ms, .sidecar = IPV4, .events = rows[i].second},
        };
        char *text = play(&(struct scenario){moments, 3, 100000, NULL}, false);
        const char *second = strstr(strstr(text, "/ready {}") + 1, "/ready {}");
        uint32_t ready_ms = 0;
        for (const char *at = text; second && at < second; at = strchr(at, '\n') + 1)
            ready_ms = (uint32_t)strtoul(at, NULL, 10);
        if (ready_ms / 1000 != rows[i].ready_ms / 1000)
            fail_msg("row %zu: %u ms: %s", i, ready_ms, text);
        free(text);
    }
}

TEST(without_memory_or_threads_there_is_no_fleet)
{
    memory_fails = true;
    struct agones *agones = agones_open(9358, "thekey", &publisher, NULL);
    memory_fails = false;
    assert_null(agones);
    threads_fail = true;
    assert_null(agones_open(9358, "thekey", &publisher, NULL));
    threads_fail = false;
}
