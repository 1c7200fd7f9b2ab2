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
#include "base/platform/process.h"
#include "base/utf8.h"
#include "discovery/announcement.h"
#include "game/rules/mode.h"
#include "game/rules/standing.h"
#include "net/net_address.h"
#include "wire/message.h"

// Shares of the interest of a match, together 100.
#define PERSON     8u // each, up to MANY
#define BOT        1u // the same
#define MANY       8u
#define NEARLY_WON 18u
#define TIED       10u

#define CALL_NS          (5 * CLOCK_SECOND_NS)
#define LEAVE_NS         (CLOCK_SECOND_NS / 2)
#define END_NS           (2 * CLOCK_SECOND_NS)
#define RESTART_NS       (CLOCK_SECOND_NS / 10) // players wait
#define SLICE_MS         50
#define LOOK_NS          (CLOCK_SECOND_NS / 4)
#define CHANGE_NS        (2 * CLOCK_SECOND_NS) // at least between two announcements
#define AGAIN_MS         ANNOUNCEMENT_PERIOD_MS
#define AGAIN_LESS       1000
#define AGAIN_MS_PUNCHED 3000 // until then the game's port has registered

const char *const ANNOUNCER_STATE_NAMES[] = {"waiting", "listed", "punched", "unreachable", "refused", "silent"};

// A directory over a family.
struct line {
    struct announcer_row row;
    uint64_t due_ns, sent_ns;
    struct server_facts facts; // as sent last
    uint32_t outside;          // the same
    struct net_address at;     // of the directory, as found last
    struct net_address own;    // of the server, as the directory says
    bool is_punched;           // the directory could not reach the server once
    struct punch_host_directory punch;
};

_Static_assert(ANNOUNCER_ROWS_MAX == PUNCH_HOST_DIRECTORIES_MAX, "a directory for each row");
_Static_assert(ANNOUNCER_ROWS_MAX == NET_REPLIES_OWN_MAX, "an address for each row");

struct announcer {
    pthread_t thread;
    atomic_bool closing, leaves, has_password;
    atomic_uint outside; // the port over IPv4; 0: not known yet
    struct announcer_config config;
    uint8_t key[SIGNED_TEXT_KEY_BYTES], secret[SIGNED_TEXT_SECRET_BYTES];
    uint64_t time_ms; // of the last announcement
    uint32_t count;   // of lines
    struct web_address directories[ANNOUNCER_DIRECTORIES_MAX];
    struct line lines[ANNOUNCER_ROWS_MAX];
    struct http_client http;
    pthread_mutex_t lock; // of the rows and what follows
    pthread_cond_t wakes; // it is to end, or has ended
    bool ended;
};

static uint32_t at_most(uint32_t value, uint32_t most)
{
    return value < most ? value : most;
}

uint32_t announcer_match_interest(const struct status_snapshot *snapshot)
{
    const struct world *world = &snapshot->world;
    int32_t score, goal = world->rules.score_limit;
    if (snapshot->health.asleep || world->round.paused || snapshot->players + snapshot->bots < 2)
        return 0;
    struct outcome leader = standing_leader(world, &score);
    uint32_t interest = PERSON * at_most(snapshot->players, MANY) + BOT * at_most(snapshot->bots, MANY);
    if (score > 0 && goal > 0)
        interest += NEARLY_WON * at_most((uint32_t)score, (uint32_t)goal) / (uint32_t)goal;
    if (score > 0 && !leader.winner && !leader.team)
        interest += TIED;
    return at_most(interest, SERVER_FACTS_INTEREST_MAX);
}

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
    snprintf(facts->certificate, sizeof facts->certificate, "%s", snapshot->health.webrtc.fingerprint);
    if (announcer->config.live_url[0] && snapshot->is_live) {
        snprintf(facts->live_url, sizeof facts->live_url, "%s", announcer->config.live_url);
        facts->interest = announcer_match_interest(snapshot);
    }
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
    bool is_good =
        fresh->state == ANNOUNCER_LISTED || fresh->state == ANNOUNCER_PUNCHED || fresh->state == ANNOUNCER_WAITING;
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

// Remembers where the game's port registers, once the directory has not reached it. The connection says where the
// directory is, and its answer, which key it has. Returns whether it begins.
static bool note_punch(struct announcer *announcer, struct line *line, const json_t *root, const json_t *reachable)
{
    uint8_t key[SIGNED_TEXT_KEY_BYTES], theirs[32], own[32];
    json_int_t port = json_integer_value(json_object_get(root, "punch_port"));
    struct punch_host_directory punch = {.address = net_address_with_port(&line->at, (uint16_t)port)};
    bool good =
        port > 0 && port <= UINT16_MAX && signed_text_read_key(json_string_value(json_object_get(root, "key")), key) &&
        crypto_sign_ed25519_pk_to_curve25519(theirs, key) == 0 &&
        crypto_sign_ed25519_sk_to_curve25519(own, announcer->secret) == 0 && punch_packet_key(own, theirs, punch.key);
    sodium_memzero(own, sizeof own);
    pthread_mutex_lock(&announcer->lock);
    bool was_punched = line->is_punched;
    line->is_punched = good && (line->is_punched || json_is_false(reachable));
    line->punch = punch;
    pthread_mutex_unlock(&announcer->lock);
    sodium_memzero(&punch, sizeof punch);
    return line->is_punched && !was_punched;
}

static void describe(const struct announcer *announcer, const struct line *line, struct announcer_row *row)
{
    unsigned port = announcer->config.port;
    const char *family = family_name(row), *fingerprint = announcer->config.fingerprint;
    switch (row->state) {
    case ANNOUNCER_LISTED:
        error_set(&row->said, "%s lists this server over %s; invite with deadfall://%s#%s", row->directory, family,
                  row->address, fingerprint);
        return;
    case ANNOUNCER_PUNCHED:
        net_address_text(&line->punch.address, row->through);
        error_set(&row->said,
                  "%s lists this server over %s and introduces players to it, since it is not reachable from outside "
                  "otherwise; invite with deadfall://%s#%s@%s, or open UDP port %u in firewall and router",
                  row->directory, family, row->address, fingerprint, row->through, port);
        return;
    case ANNOUNCER_UNREACHABLE:
        error_set(&row->said,
                  "%s does not list this server: it is not reachable from outside over %s at %s; open UDP port %u in "
                  "firewall and router",
                  row->directory, family, row->address, port);
        return;
    case ANNOUNCER_WAITING:
    case ANNOUNCER_REFUSED:
    case ANNOUNCER_SILENT:
        error_set(&row->said, "%s tries to reach this server over %s at %s", row->directory, family, row->address);
        return;
    }
}

// Reads what the directory says: a refusal, or whether it reaches the server. Returns when to announce again, ms.
static uint64_t read_answer(struct announcer *announcer, struct line *line, struct announcer_row *row)
{
    const struct http_client *http = &announcer->http;
    json_auto_t *root = json_loads(http->body, JSON_REJECT_DUPLICATES, NULL);
    const json_t *reachable = json_object_get(root, "reachable");
    const char *given = json_string_value(json_object_get(root, http->status == 200 ? "address" : "error"));
    const char *mapped = json_string_value(json_object_get(root, "punched"));
    json_int_t again_ms = json_integer_value(json_object_get(root, "again_ms"));
    char words[160] = "", mapping[NET_ADDRESS_TEXT_BYTES] = "";
    if (given)
        utf8_clean(words, sizeof words, given, strlen(given));
    if (mapped)
        utf8_clean(mapping, sizeof mapping, mapped, strlen(mapped));
    row->answered++;
    row->through[0] = 0;
    if (http->status != 200 || !host_port_is_numeric(words)) {
        row->state = ANNOUNCER_REFUSED;
        error_set(&row->said, "%s does not list this server over %s: %s", row->directory, family_name(row),
                  http->status != 200 && words[0] ? words : "its answer makes no sense");
    } else {
        if (note_punch(announcer, line, root, reachable))
            again_ms = AGAIN_MS_PUNCHED;
        row->state = json_is_true(reachable)         ? ANNOUNCER_LISTED
                     : host_port_is_numeric(mapping) ? ANNOUNCER_PUNCHED
                     : json_is_false(reachable)      ? ANNOUNCER_UNREACHABLE
                                                     : ANNOUNCER_WAITING;
        utf8_copy(row->address, sizeof row->address, row->state == ANNOUNCER_PUNCHED ? mapping : words);
        pthread_mutex_lock(&announcer->lock);
        host_port_parse_numeric(words, &line->own);
        pthread_mutex_unlock(&announcer->lock);
        describe(announcer, line, row);
    }
    return again_ms < AGAIN_LESS || again_ms > ANNOUNCEMENT_LIFE_MS ? AGAIN_MS : (uint64_t)again_ms;
}

static bool call(struct announcer *announcer, const struct web_address *directory, struct line *line, const char *body,
                 const char **reason)
{
    char server[NET_ADDRESS_TEXT_BYTES], from[NET_ADDRESS_TEXT_BYTES] = "", path[WEB_ADDRESS_PATH_BYTES + 16];
    struct http_client *http = &announcer->http;
    struct net_address own;
    *reason = "its name has no such address";
    if (!ip_address_find(&line->at, directory->place.host, directory->place.port,
                         line->row.ipv6 ? IP_ADDRESS_IPV6 : IP_ADDRESS_IPV4))
        return false;
    net_address_text(&line->at, server);
    if (strcmp(announcer->config.bind, "0.0.0.0") != 0 && strcmp(announcer->config.bind, "::") != 0 &&
        ip_address_parse(&own, announcer->config.bind, 0))
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

static uint32_t outside_of(struct announcer *announcer, const struct line *line)
{
    return line->row.ipv6 ? announcer->config.port : atomic_load(&announcer->outside);
}

static void announce(struct announcer *announcer, uint32_t i, const struct server_facts *facts, bool leaves)
{
    struct line *line = &announcer->lines[i];
    const struct web_address *directory = &announcer->directories[i / 2];
    struct announcer_row fresh = line->row;
    uint32_t outside = outside_of(announcer, line);
    struct announcement announcement = {.leaves = leaves, .port = (uint16_t)outside, .facts = *facts};
    uint64_t unix_ms = clock_unix_ns() / CLOCK_MS_NS, again_ms = AGAIN_MS;
    size_t byte_count;
    const char *reason = "out of memory";
    announcer->time_ms = announcement.time_ms = unix_ms > announcer->time_ms ? unix_ms : announcer->time_ms + 1;
    strcpy(announcement.to, directory->authority);
    char *body = announcement_write(&announcement, announcer->key, announcer->secret, &byte_count);
    fresh.sent++;
    if (body && call(announcer, directory, line, body, &reason)) {
        again_ms = read_answer(announcer, line, &fresh);
    } else {
        fresh.state = ANNOUNCER_SILENT;
        fresh.address[0] = fresh.through[0] = 0;
        error_set(&fresh.said, "no announcement to %s over %s: %s", fresh.directory, family_name(&fresh), reason);
    }
    free(body);
    line->facts = *facts;
    line->outside = outside;
    line->sent_ns = clock_now_ns();
    line->due_ns = line->sent_ns + again_ms * CLOCK_MS_NS;
    if (!atomic_load(&announcer->closing))
        report(announcer, line, &fresh);
}

static bool is_due(struct announcer *announcer, const struct line *line, const struct server_facts *facts,
                   uint64_t now_ns)
{
    uint32_t outside = outside_of(announcer, line);
    bool is_listed = line->row.state == ANNOUNCER_LISTED || line->row.state == ANNOUNCER_PUNCHED;
    bool changes = is_listed && !announcement_facts_equal(&line->facts, facts);
    bool is_time = now_ns >= line->due_ns || line->outside != outside;
    return outside > 0 && (is_time || (changes && now_ns >= line->sent_ns + CHANGE_NS));
}

// A server that listens at one address has one family, and so has a directory with a number for an address.
static bool has_family(const struct announcer *announcer, uint32_t i)
{
    const char *bind = announcer->config.bind, *host = announcer->directories[i / 2].place.host;
    bool ipv6 = i & 1, listens_everywhere = strcmp(bind, "0.0.0.0") == 0 || strcmp(bind, "::") == 0;
    struct net_address number;
    return (listens_everywhere || (strchr(bind, ':') != NULL) == ipv6) &&
           (!ip_address_parse(&number, host, 0) || (number.byte_count != ADDRESS_BYTES_IPV4) == ipv6);
}

static void *run(void *context)
{
    struct announcer *announcer = context;
    struct server_facts facts;
    while (!atomic_load(&announcer->closing)) {
        read_facts(announcer, &facts);
        for (uint32_t i = 0; i < announcer->count && !atomic_load(&announcer->closing); i++)
            if (has_family(announcer, i) && is_due(announcer, &announcer->lines[i], &facts, clock_now_ns()))
                announce(announcer, i, &facts, false);
        pthread_mutex_lock(&announcer->lock);
        if (!atomic_load(&announcer->closing))
            process_condition_wait(&announcer->wakes, &announcer->lock, clock_now_ns() + LOOK_NS);
        pthread_mutex_unlock(&announcer->lock);
    }
    uint64_t end_ns = clock_now_ns() + END_NS / 2;
    for (uint32_t i = 0; i < announcer->count && atomic_load(&announcer->leaves) && clock_now_ns() < end_ns; i++)
        if (announcer->lines[i].row.answered > 0)
            announce(announcer, i, &announcer->lines[i].facts, true);
    http_client_close(&announcer->http);
    pthread_mutex_lock(&announcer->lock);
    announcer->ended = true;
    pthread_cond_signal(&announcer->wakes);
    pthread_mutex_unlock(&announcer->lock);
    return NULL;
}

struct announcer *announcer_open(const struct announcer_config *config)
{
    struct announcer *announcer = calloc(1, sizeof *announcer);
    if (!announcer)
        return NULL;
    announcer->config = *config;
    atomic_init(&announcer->has_password, config->has_password);
    atomic_init(&announcer->outside, config->waits_for_port ? 0 : config->port);
    process_lock_memory(announcer, sizeof *announcer);
    signed_text_keys(config->seed, announcer->key, announcer->secret);
    sodium_memzero(announcer->config.seed, sizeof announcer->config.seed);
    for (uint32_t i = 0; i < config->directories->count && i < ANNOUNCER_DIRECTORIES_MAX; i++)
        if (host_port_parse_web(config->directories->values[i], &announcer->directories[i], NULL)) {
            for (uint32_t family = 0; family < 2; family++) {
                struct announcer_row *row = &announcer->lines[announcer->count++].row;
                strcpy(row->directory, announcer->directories[i].authority);
                row->ipv6 = family == 1;
            }
        }
    json_object_seed(0);
    pthread_mutex_init(&announcer->lock, NULL);
    if (process_condition_open(&announcer->wakes) == 0 && pthread_create(&announcer->thread, NULL, run, announcer) == 0)
        return announcer;
    free(announcer);
    return NULL;
}

void announcer_set_password(struct announcer *announcer, bool has_password)
{
    if (announcer)
        atomic_store(&announcer->has_password, has_password);
}

void announcer_set_port(struct announcer *announcer, uint16_t port)
{
    if (announcer)
        atomic_store(&announcer->outside, port);
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

uint32_t announcer_punch(struct announcer *announcer,
                         struct punch_host_directory directories[PUNCH_HOST_DIRECTORIES_MAX])
{
    uint32_t count = 0;
    if (!announcer)
        return 0;
    pthread_mutex_lock(&announcer->lock);
    for (uint32_t i = 0; i < announcer->count; i++)
        if (announcer->lines[i].is_punched)
            directories[count++] = announcer->lines[i].punch;
    pthread_mutex_unlock(&announcer->lock);
    return count;
}

uint32_t announcer_own(struct announcer *announcer, struct net_address own[ANNOUNCER_ROWS_MAX])
{
    uint32_t count = 0;
    if (!announcer)
        return 0;
    pthread_mutex_lock(&announcer->lock);
    for (uint32_t i = 0; i < announcer->count; i++)
        if (announcer->lines[i].own.byte_count > 0)
            own[count++] = announcer->lines[i].own;
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
    uint64_t end_ns = clock_now_ns() + (leaves ? END_NS : RESTART_NS);
    while (!announcer->ended && process_condition_wait(&announcer->wakes, &announcer->lock, end_ns))
        ;
    bool ended = announcer->ended;
    pthread_mutex_unlock(&announcer->lock);
    if (!ended)
        return;
    pthread_join(announcer->thread, NULL);
    sodium_memzero(announcer->secret, sizeof announcer->secret);
    free(announcer);
}
