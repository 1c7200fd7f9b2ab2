// SPDX-License-Identifier: MIT
#include "announcer.h"

#include <pthread.h>
#include <sodium.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/http_client.h"
#include "base/process.h"
#include "base/utf8.h"
#include "discovery/announcement.h"
#include "game/rules/mode.h"
#include "net/net_address.h"
#include "wire/message.h"

#define CALL_NS    (5 * CLOCK_SECOND_NS)
#define LEAVE_NS   (CLOCK_SECOND_NS / 2)
#define END_NS     (2 * CLOCK_SECOND_NS)
#define RESTART_NS (CLOCK_SECOND_NS / 10) // players wait
#define SLICE_MS   50
#define LOOK_NS    (CLOCK_SECOND_NS / 4)
#define CHANGE_NS  (2 * CLOCK_SECOND_NS) // at least between two announcements
#define AGAIN_MS   ANNOUNCEMENT_PERIOD_MS
#define AGAIN_LESS 1000

const char *const ANNOUNCER_STATE_NAMES[] = {"waiting", "listed", "unreachable", "refused", "silent"};

// A directory over a family.
struct line {
    struct announcer_row row;
    uint64_t due_ns, sent_ns;
    struct server_facts facts; // as sent last
};

struct announcer {
    pthread_t thread;
    atomic_bool closing, leaves, has_password;
    struct announcer_config config;
    uint8_t key[SIGNED_TEXT_KEY_BYTES], secret[SIGNED_TEXT_SECRET_BYTES];
    uint64_t time_ms; // of the last announcement
    uint32_t count;   // of lines
    struct web_address directories[ANNOUNCER_DIRECTORIES_MAX];
    struct line lines[ANNOUNCER_ROWS_MAX];
    struct http_client http;
    pthread_mutex_t lock; // of the rows and `wakes`
    pthread_cond_t wakes; // it is to end
};

// Copies what is announced, and not the whole snapshot.
static void read_facts(struct announcer *announcer, struct server_facts *facts)
{
    struct status_publisher *publisher = announcer->config.publisher;
    *facts = (struct server_facts){.protocol = PROTOCOL_VERSION, .has_password = atomic_load(&announcer->has_password)};
    pthread_mutex_lock(&publisher->lock);
    const struct status_snapshot *snapshot = &publisher->snapshot;
    utf8_copy(facts->name, sizeof facts->name, snapshot->name);
    utf8_copy(facts->map, sizeof facts->map, snapshot->map.name);
    snprintf(facts->mode, sizeof facts->mode, "%s", mode_name((enum mode)snapshot->world.rules.mode));
    facts->players = snapshot->players;
    facts->bots = snapshot->bots;
    facts->places = snapshot->players_max;
    facts->is_closing = snapshot->drains;
    pthread_mutex_unlock(&publisher->lock);
    snprintf(facts->version, sizeof facts->version, "%s", DEADFALL_VERSION);
    snprintf(facts->region, sizeof facts->region, "%s", announcer->config.region);
}

// Logs what is new. That one family does not work matters only if the other one does not, either.
static void report(struct announcer *announcer, struct line *line, const struct announcer_row *fresh)
{
    bool is_new = fresh->state != line->row.state || strcmp(fresh->said.text, line->row.said.text) != 0;
    bool other_works = false;
    for (uint32_t i = 0; i < announcer->count; i++)
        other_works |= &announcer->lines[i] != line && announcer->lines[i].row.answered > 0 &&
                       announcer->lines[i].row.state != ANNOUNCER_SILENT &&
                       strcmp(announcer->lines[i].row.directory, fresh->directory) == 0;
    bool is_good = fresh->state == ANNOUNCER_LISTED || fresh->state == ANNOUNCER_WAITING;
    enum log_level level = fresh->state == ANNOUNCER_WAITING || (fresh->state == ANNOUNCER_SILENT && other_works)
                               ? LOG_DEBUG
                               : LOG_WARNING;
    pthread_mutex_lock(&announcer->lock);
    line->row = *fresh;
    pthread_mutex_unlock(&announcer->lock);
    if (is_new)
        log_event(announcer->config.log, is_good && level == LOG_WARNING ? LOG_INFO : level,
                  &(struct fields){"announcement",
                                   "{text}",
                                   {{"text", .text = fresh->said.text},
                                    {"directory", .text = fresh->directory},
                                    {"family", .text = fresh->ipv6 ? "ipv6" : "ipv4"},
                                    {"state", .text = ANNOUNCER_STATE_NAMES[fresh->state]},
                                    {"address", .text = fresh->address}}});
}

static const char *family_name(const struct announcer_row *row)
{
    return row->ipv6 ? "IPv6" : "IPv4";
}

// Reads what the directory says: a refusal, or whether it reaches the server. Returns when to announce again, ms.
static uint64_t read_answer(struct announcer *announcer, struct announcer_row *row)
{
    const struct http_client *http = &announcer->http;
    json_auto_t *root = json_loads(http->body, JSON_REJECT_DUPLICATES, NULL);
    const json_t *reachable = json_object_get(root, "reachable");
    const char *given = json_string_value(json_object_get(root, http->status == 200 ? "address" : "error"));
    json_int_t again_ms = json_integer_value(json_object_get(root, "again_ms"));
    char words[160] = "";
    if (given)
        utf8_clean(words, sizeof words, given, strlen(given));
    row->answered++;
    if (http->status != 200 || !host_port_is_numeric(words)) {
        row->state = ANNOUNCER_REFUSED;
        error_set(&row->said, "%s does not list this server over %s: %s", row->directory, family_name(row),
                  http->status != 200 && words[0] ? words : "its answer makes no sense");
    } else {
        utf8_copy(row->address, sizeof row->address, words);
        row->state = json_is_true(reachable)    ? ANNOUNCER_LISTED
                     : json_is_false(reachable) ? ANNOUNCER_UNREACHABLE
                                                : ANNOUNCER_WAITING;
        if (row->state == ANNOUNCER_LISTED)
            error_set(&row->said, "%s lists this server over %s; invite with deadfall://%s#%s", row->directory,
                      family_name(row), row->address, announcer->config.fingerprint);
        else if (row->state == ANNOUNCER_WAITING)
            error_set(&row->said, "%s tries to reach this server over %s at %s", row->directory, family_name(row),
                      row->address);
        else
            error_set(&row->said,
                      "%s does not list this server: it is not reachable from outside over %s at %s; open UDP port %u "
                      "in firewall and router",
                      row->directory, family_name(row), row->address, (unsigned)announcer->config.port);
    }
    return again_ms < AGAIN_LESS || again_ms > ANNOUNCEMENT_LIFE_MS ? AGAIN_MS : (uint64_t)again_ms;
}

static void fail(struct announcer_row *row, const char *reason)
{
    row->state = ANNOUNCER_SILENT;
    row->address[0] = 0;
    error_set(&row->said, "no announcement to %s over %s: %s", row->directory, family_name(row), reason);
}

static bool call(struct announcer *announcer, const struct web_address *directory, const struct announcer_row *row,
                 const char *body, const char **reason)
{
    char server[NET_ADDRESS_TEXT_BYTES], from[NET_ADDRESS_TEXT_BYTES] = "", path[WEB_ADDRESS_PATH_BYTES + 16];
    struct http_client *http = &announcer->http;
    struct net_address address, own;
    *reason = "its name has no such address";
    if (!net_address_find_family(&address, directory->place.host, directory->place.port, row->ipv6))
        return false;
    net_address_text(&address, server);
    if (strcmp(announcer->config.bind, "0.0.0.0") != 0 && strcmp(announcer->config.bind, "::") != 0 &&
        net_address_parse(&own, announcer->config.bind, 0))
        net_address_text(&own, from);
    snprintf(path, sizeof path, "%s/announce", directory->path);
    bool leaves = atomic_load(&announcer->closing);
    http_client_begin(http, &(struct http_request){.server = server,
                                                   .method = "POST",
                                                   .path = path,
                                                   .body = body,
                                                   .deadline_ns = clock_now_ns() + (leaves ? LEAVE_NS : CALL_NS),
                                                   .host = directory->authority,
                                                   .from = from[0] ? from : NULL});
    while (http_client_step(http, clock_now_ns()) == HTTP_CLIENT_WAITING) {
        http_client_wait(http, SLICE_MS);
        if (atomic_load(&announcer->closing) && !leaves)
            http_client_close(http);
    }
    *reason = http->state == HTTP_CLIENT_FAILED ? http->error.text : "the server ends";
    return http->state == HTTP_CLIENT_ANSWERED;
}

static void announce(struct announcer *announcer, uint32_t i, const struct server_facts *facts, bool leaves)
{
    struct line *line = &announcer->lines[i];
    const struct web_address *directory = &announcer->directories[i / 2];
    struct announcer_row fresh = line->row;
    struct announcement announcement = {.leaves = leaves, .port = announcer->config.port, .facts = *facts};
    uint64_t unix_ms = clock_unix_ns() / CLOCK_MS_NS, again_ms = AGAIN_MS;
    size_t byte_count;
    const char *reason;
    announcer->time_ms = announcement.time_ms = unix_ms > announcer->time_ms ? unix_ms : announcer->time_ms + 1;
    strcpy(announcement.to, directory->authority);
    char *body = announcement_write(&announcement, announcer->key, announcer->secret, &byte_count);
    fresh.sent++;
    if (body && call(announcer, directory, &fresh, body, &reason))
        again_ms = read_answer(announcer, &fresh);
    else
        fail(&fresh, body ? reason : "out of memory");
    free(body);
    line->facts = *facts;
    line->sent_ns = clock_now_ns();
    line->due_ns = line->sent_ns + again_ms * CLOCK_MS_NS;
    if (!atomic_load(&announcer->closing))
        report(announcer, line, &fresh);
}

static bool is_due(const struct line *line, const struct server_facts *facts, uint64_t now_ns)
{
    bool changes = line->row.state == ANNOUNCER_LISTED && !server_facts_equal(&line->facts, facts);
    return now_ns >= line->due_ns || (changes && now_ns >= line->sent_ns + CHANGE_NS);
}

// A server that listens at one address has one family, and so has a directory with a number for an address.
static bool has_family(const struct announcer *announcer, uint32_t i)
{
    const char *bind = announcer->config.bind, *host = announcer->directories[i / 2].place.host;
    bool ipv6 = i & 1, listens_everywhere = strcmp(bind, "0.0.0.0") == 0 || strcmp(bind, "::") == 0;
    struct net_address number;
    return (listens_everywhere || (strchr(bind, ':') != NULL) == ipv6) &&
           (!net_address_parse(&number, host, 0) || (number.byte_count != ADDRESS_BYTES_IPV4) == ipv6);
}

static void rest(struct announcer *announcer)
{
    struct timespec until = clock_timespec(clock_now_ns() + LOOK_NS);
    pthread_mutex_lock(&announcer->lock);
    if (!atomic_load(&announcer->closing))
        pthread_cond_clockwait(&announcer->wakes, &announcer->lock, CLOCK_MONOTONIC, &until);
    pthread_mutex_unlock(&announcer->lock);
}

static void *run(void *context)
{
    struct announcer *announcer = context;
    struct server_facts facts;
    while (!atomic_load(&announcer->closing)) {
        read_facts(announcer, &facts);
        for (uint32_t i = 0; i < announcer->count && !atomic_load(&announcer->closing); i++)
            if (has_family(announcer, i) && is_due(&announcer->lines[i], &facts, clock_now_ns()))
                announce(announcer, i, &facts, false);
        rest(announcer);
    }
    uint64_t end_ns = clock_now_ns() + END_NS / 2;
    for (uint32_t i = 0; i < announcer->count && atomic_load(&announcer->leaves) && clock_now_ns() < end_ns; i++)
        if (announcer->lines[i].row.answered > 0)
            announce(announcer, i, &announcer->lines[i].facts, true);
    http_client_close(&announcer->http);
    return NULL;
}

struct announcer *announcer_open(const struct announcer_config *config)
{
    struct announcer *announcer = calloc(1, sizeof *announcer);
    if (!announcer)
        return NULL;
    announcer->config = *config;
    atomic_init(&announcer->has_password, config->has_password);
    pthread_mutex_init(&announcer->lock, NULL);
    pthread_cond_init(&announcer->wakes, NULL);
    process_lock_memory(announcer, sizeof *announcer);
    signed_text_keys(config->seed, announcer->key, announcer->secret);
    sodium_memzero(announcer->config.seed, sizeof announcer->config.seed);
    for (uint32_t i = 0; i < config->directories->count && i < ANNOUNCER_DIRECTORIES_MAX; i++)
        if (web_address_parse(config->directories->values[i], &announcer->directories[i], NULL)) {
            for (uint32_t family = 0; family < 2; family++) {
                struct announcer_row *row = &announcer->lines[announcer->count++].row;
                strcpy(row->directory, announcer->directories[i].authority);
                row->ipv6 = family == 1;
            }
        }
    json_object_seed(0);
    if (pthread_create(&announcer->thread, NULL, run, announcer) == 0)
        return announcer;
    free(announcer);
    return NULL;
}

void announcer_set_password(struct announcer *announcer, bool has_password)
{
    if (announcer)
        atomic_store(&announcer->has_password, has_password);
}

uint32_t announcer_read(struct announcer *announcer, struct announcer_row rows[ANNOUNCER_ROWS_MAX])
{
    uint32_t count = 0;
    if (!announcer)
        return 0;
    pthread_mutex_lock(&announcer->lock);
    for (uint32_t i = 0; i < announcer->count; i++)
        if (has_family(announcer, i))
            rows[count++] = announcer->lines[i].row;
    pthread_mutex_unlock(&announcer->lock);
    return count;
}

// A name server may keep the thread waiting. It is left behind then: the process ends.
void announcer_close(struct announcer *announcer, bool leaves)
{
    if (!announcer)
        return;
    atomic_store(&announcer->leaves, leaves);
    pthread_mutex_lock(&announcer->lock);
    atomic_store(&announcer->closing, true);
    pthread_cond_signal(&announcer->wakes);
    pthread_mutex_unlock(&announcer->lock);
    struct timespec end = clock_timespec(clock_now_ns() + (leaves ? END_NS : RESTART_NS));
    if (pthread_clockjoin_np(announcer->thread, NULL, CLOCK_MONOTONIC, &end) != 0)
        return;
    sodium_memzero(announcer->secret, sizeof announcer->secret);
    free(announcer);
}
