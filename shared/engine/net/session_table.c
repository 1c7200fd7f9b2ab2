// SPDX-License-Identifier: MIT
#include "session_table.h"

#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/platform/process.h"

#define VIOLATIONS_MAX 8

// How long a session lives without a valid datagram: ENet gives its peers up after four seconds.
static const uint64_t patience_ns[] = {
    [SESSION_FREE] = 0,
    [SESSION_ACCEPTED] = 4 * CLOCK_SECOND_NS,
    [SESSION_LIVE] = 8 * CLOCK_SECOND_NS,
    [SESSION_LEAVING] = CLOCK_SECOND_NS,
};

bool session_table_open(struct session_table *table, uint32_t capacity, const uint8_t seed[32], uint32_t protocol)
{
    uint8_t key[RATE_LIMIT_KEY_BYTES];
    randombytes_buf(key, sizeof key);
    handshake_server_init(&table->handshake, seed, protocol);
    rate_limit_table_init(&table->joins, key, &RATE_LIMIT_JOINS);
    rate_limit_table_init(&table->resets, key, &RATE_LIMIT_RESETS);
    password_guard_init(&table->passwords, key);
    table->capacity = capacity;
    table->sessions = calloc(capacity, sizeof *table->sessions);
    process_lock_memory(&table->handshake, sizeof table->handshake);
    if (table->sessions)
        process_lock_memory(table->sessions, capacity * sizeof *table->sessions);
    return table->sessions != NULL;
}

void session_table_close(struct session_table *table)
{
    if (table->sessions)
        sodium_memzero(table->sessions, table->capacity * sizeof *table->sessions);
    free(table->sessions);
    sodium_memzero(table, sizeof *table);
}

void session_table_password(struct session_table *table, const char *password)
{
    char before[PASSWORD_BYTES];
    memcpy(before, table->handshake.password, sizeof before);
    handshake_server_password(&table->handshake, password);
    if (sodium_memcmp(before, table->handshake.password, sizeof before) != 0)
        password_guard_forget(&table->passwords);
    sodium_memzero(before, sizeof before);
}

static bool is_gone(const struct session *session, uint64_t now_ns)
{
    return session->state == SESSION_FREE || now_ns - session->heard_ns > patience_ns[session->state];
}

void session_table_sweep(struct session_table *table, uint64_t now_ns)
{
    handshake_server_renew(&table->handshake, now_ns);
    for (uint32_t i = 0; i < table->end; i++) {
        struct session *session = &table->sessions[i];
        if (session->state == SESSION_FREE || !is_gone(session, now_ns))
            continue;
        uint16_t generation = session->generation; // it stays, so that the next session has another one
        sodium_memzero(session, sizeof *session);
        session->generation = generation;
    }
    while (table->end > 0 && table->sessions[table->end - 1].state == SESSION_FREE)
        table->end--;
}

static struct session *find_session(struct session_table *table, struct session_id id)
{
    struct session *session = id.index < table->capacity ? &table->sessions[id.index] : NULL;
    return session && session->state != SESSION_FREE && session->generation == id.generation ? session : NULL;
}

bool session_table_has(const struct session_table *table, struct session_id id, uint64_t now_ns)
{
    return id.index < table->capacity && table->sessions[id.index].generation == id.generation &&
           !is_gone(&table->sessions[id.index], now_ns);
}

static bool may_give_way(const struct session *session, uint64_t now_ns)
{
    return !is_gone(session, now_ns) && !session->has_player;
}

// Finds the oldest session without a player of a household's site, and counts them: they wait for a moment only, so
// the households of a site need no more than one.
static uint32_t oldest_of(struct session_table *table, uint64_t household, uint64_t now_ns, struct session **oldest)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < table->capacity; i++) {
        struct session *session = &table->sessions[i];
        if (!may_give_way(session, now_ns) || household_site(session->household) != household_site(household))
            continue;
        if (count++ == 0 || session->begun_ns < (*oldest)->begun_ns)
            *oldest = session;
    }
    return count;
}

// Finds a session for a household: a free one, or one that gives way. If all are taken, that is the oldest one without
// a player, of the household that has most of these, so a household that opens many only takes from itself. Null if all
// have players.
static struct session *find_room(struct session_table *table, uint64_t household, uint64_t now_ns)
{
    struct session *found = NULL, *oldest = NULL;
    bool limited = !household_is_exempt(&table->rules, household);
    if (!limited || oldest_of(table, household, now_ns, &found) < table->rules.players_max) {
        uint32_t most = 0;
        found = NULL;
        for (uint32_t i = 0; i < table->capacity; i++)
            if (is_gone(&table->sessions[i], now_ns))
                return &table->sessions[i];
        for (uint32_t i = 0; i < table->capacity; i++) {
            if (!may_give_way(&table->sessions[i], now_ns))
                continue;
            uint32_t count = oldest_of(table, table->sessions[i].household, now_ns, &oldest);
            if (count > most || (count == most && oldest->begun_ns < found->begun_ns)) {
                most = count;
                found = oldest;
            }
        }
    }
    table->refusals.gave_way += found != NULL;
    if (found)
        table->refusals.sessions_of = found->household;
    return found;
}

static void describe(struct net_client *client, const uint8_t identity[IDENTITY_BYTES],
                     const struct net_address *address, uint64_t household)
{
    client->household = household;
    memcpy(client->identity, identity, sizeof client->identity);
    client->address = *address;
}

static void accept_join(struct session_table *table, struct session *session, struct join *join,
                        const struct datagram *datagram)
{
    uint16_t before = session->generation, generation = 0;
    while (generation == 0 || generation == before)
        randombytes_buf(&generation, sizeof generation);
    *session = (struct session){.state = SESSION_ACCEPTED,
                                .household = household_of(&datagram->from),
                                .begun_ns = datagram->now_ns,
                                .heard_ns = datagram->now_ns,
                                .generation = generation};
    path_init(&session->path, &datagram->from);
    memcpy(session->identity, join->identity, IDENTITY_BYTES);
    memcpy(session->ephemeral_key, join->ephemeral_key, PUBLIC_KEY_BYTES);
    struct session_id id = {(uint16_t)(session - table->sessions), generation};
    table->end = id.index < table->end ? table->end : id.index + 1u;
    struct session_grant grant = handshake_grant(table->handshake.secret_key, id, session->household);
    handshake_accept_write(&table->handshake, join, handshake_nonce(datagram->bytes), &grant, session->accept,
                           &session->crypto);
}

// Tries the password of a JOIN without a ticket, if its site may try one. A key that has proven the password always
// may: without its secret nobody can send a JOIN that is good with any password, and with it there is nothing to guess.
static enum denial try_password(struct session_table *table, const struct datagram *datagram, struct join *join,
                                char reason[NET_REASON_BYTES])
{
    struct password_guard *guard = &table->passwords;
    bool is_known = password_guard_knows(guard, join->static_key);
    uint64_t wait_ns = is_known ? 0 : password_guard_wait_ns(guard, datagram);
    if (!join->has_share || password_guard_has_failed(guard, datagram))
        return DENIAL_PASSWORD;
    if (wait_ns > 0) {
        char time[24];
        uint32_t wait_s = (uint32_t)((wait_ns + CLOCK_SECOND_NS - 1) / CLOCK_SECOND_NS);
        snprintf(time, sizeof time, wait_s == 1 ? "%u second" : "%u seconds", wait_s);
        snprintf(reason, NET_REASON_BYTES, "Too many wrong passwords came from your network. Try again in %s.", time);
        table->refusals.passwords_untried++;
        return DENIAL_PASSWORD;
    }
    if (handshake_join_try(&table->handshake, datagram->bytes, join))
        return DENIAL_NONE;
    if (!is_known && password_guard_fail(guard, datagram)) {
        table->refusals.password_waits++;
        table->refusals.passwords_from = household_site(household_of(&datagram->from));
    }
    return DENIAL_PASSWORD;
}

// Checks in the order of cost: cookie, rate limits, a repeated JOIN, key exchange, a free session.
static enum datagram_outcome take_join(struct session_table *table, const struct datagram *datagram,
                                       struct datagram_output *output)
{
    uint64_t household = household_of(&datagram->from), now_ns = datagram->now_ns;
    const struct net_admission *admission = &table->admission;
    if (!handshake_join_is_proven(&table->handshake, datagram) ||
        !rate_limit_table_take(&table->joins, household, now_ns))
        return DATAGRAM_REJECTED;
    const uint8_t *attempt = handshake_join_ephemeral_key(datagram->bytes);
    struct session *session = NULL;
    for (uint32_t i = 0; i < table->capacity && !session; i++)
        if (!is_gone(&table->sessions[i], now_ns) &&
            memcmp(table->sessions[i].ephemeral_key, attempt, PUBLIC_KEY_BYTES) == 0)
            session = &table->sessions[i];
    if (!session) {
        struct join join;
        enum denial denial;
        if (!handshake_join_read(&table->handshake, datagram->bytes, &join, &denial))
            return DATAGRAM_REJECTED;
        char reason[NET_REASON_BYTES] = "";
        if (denial == DENIAL_PASSWORD)
            denial = try_password(table, datagram, &join, reason);
        if (denial == DENIAL_NONE && table->handshake.password[0])
            password_guard_remember(&table->passwords, join.static_key);
        if (denial == DENIAL_NONE && admission->admits) {
            struct net_client client;
            describe(&client, join.identity, &datagram->from, household);
            denial = admission->admits(admission->context, &client, reason) ? DENIAL_NONE : DENIAL_BANNED;
        }
        if (denial == DENIAL_NONE && !(session = find_room(table, household, now_ns)))
            denial = DENIAL_FULL;
        if (!session) {
            table->refusals.denied[denial]++;
            handshake_deny_write(&join, handshake_nonce(datagram->bytes), denial, reason, output->bytes);
            output->byte_count = DENY_BYTES;
            return DATAGRAM_ANSWERED;
        }
        accept_join(table, session, &join, datagram);
    }
    memcpy(output->bytes, session->accept, ACCEPT_BYTES);
    output->byte_count = ACCEPT_BYTES;
    return DATAGRAM_ANSWERED;
}

// So the client of a session that is over, or from before a restart, joins again at once. The answer is shorter than
// what it answers, and the token is good only in the household that the session began in.
static enum datagram_outcome answer_reset(struct session_table *table, struct session_id id,
                                          const struct datagram *datagram, struct datagram_output *output)
{
    uint64_t household = household_of(&datagram->from);
    if (id.generation == 0 || !rate_limit_table_take(&table->resets, household, datagram->now_ns))
        return DATAGRAM_REJECTED;
    struct session_grant grant = handshake_grant(table->handshake.secret_key, id, household);
    handshake_reset_write(&grant, output->bytes);
    output->byte_count = SESSION_RESET_BYTES;
    table->refusals.resets++;
    return DATAGRAM_ANSWERED;
}

static enum datagram_outcome take_encrypted(struct session_table *table, const struct datagram *datagram,
                                            struct datagram_output *output)
{
    bool newest;
    struct session_id id;
    if (!packet_crypto_claims(datagram->bytes, datagram->byte_count, &id))
        return DATAGRAM_REJECTED;
    if (!session_table_has(table, id, datagram->now_ns))
        return answer_reset(table, id, datagram, output);
    struct session *session = &table->sessions[id.index];
    if (!packet_crypto_decrypt(&session->crypto, datagram->bytes, datagram->byte_count, output->bytes, &newest))
        return DATAGRAM_REJECTED;
    if (session->state == SESSION_ACCEPTED || session->state == SESSION_LIVE)
        session->heard_ns = datagram->now_ns;
    if (!rate_limit_take(&session->flow, RATE_LIMIT_SESSION, datagram->now_ns))
        return DATAGRAM_REJECTED;
    path_receive(&session->path, datagram, newest);
    output->session = id;
    output->byte_count = datagram->byte_count - PACKET_CRYPTO_OVERHEAD_BYTES;
    bool is_response = path_take_response(&session->path, &datagram->from, output->bytes, output->byte_count);
    return is_response ? DATAGRAM_CONSUMED : DATAGRAM_DELIVERED;
}

enum datagram_outcome session_table_take(struct session_table *table, const struct datagram *datagram,
                                         struct datagram_output *output)
{
    if (datagram->byte_count == 0 || datagram->byte_count > DATAGRAM_BYTES_MAX)
        return DATAGRAM_REJECTED;
    if (datagram->bytes[0] == DATAGRAM_ENCRYPTED)
        return take_encrypted(table, datagram, output);
    handshake_server_renew(&table->handshake, datagram->now_ns);
    if (datagram->bytes[0] == DATAGRAM_JOIN)
        return take_join(table, datagram, output);
    if (!handshake_hello_is_valid(datagram->bytes, datagram->byte_count))
        return DATAGRAM_REJECTED;
    handshake_cookie_write(&table->handshake, datagram, output->bytes);
    output->byte_count = COOKIE_BYTES;
    return DATAGRAM_ANSWERED;
}

size_t session_table_encrypt(struct session_table *table, struct session_id id, const struct datagram *plain,
                             uint8_t *out, struct net_address *to)
{
    struct session *session = find_session(table, id);
    if (!session || plain->byte_count > DATAGRAM_BYTES_MAX - PACKET_CRYPTO_OVERHEAD_BYTES ||
        !path_spend(&session->path, plain->byte_count + PACKET_CRYPTO_OVERHEAD_BYTES, plain->now_ns, to))
        return 0;
    return packet_crypto_encrypt(&session->crypto, id, plain->bytes, plain->byte_count, out);
}

size_t session_table_challenge(struct session_table *table, struct session_id id, uint64_t now_ns, uint8_t *out,
                               struct net_address *to)
{
    uint8_t message[PATH_MESSAGE_BYTES];
    struct session *session = find_session(table, id);
    if (!session || session->state == SESSION_LEAVING || !path_challenge(&session->path, now_ns, message))
        return 0;
    struct datagram plain = {.now_ns = now_ns, .bytes = message, .byte_count = sizeof message};
    return session_table_encrypt(table, id, &plain, out, to);
}

bool session_table_connect(struct session_table *table, struct session_id id, uint64_t now_ns, uint64_t *round_trip_ns)
{
    struct session *session = find_session(table, id);
    if (!session || session->state != SESSION_ACCEPTED)
        return false;
    session->state = SESSION_LIVE;
    *round_trip_ns = now_ns > session->begun_ns ? now_ns - session->begun_ns : 0;
    return true;
}

bool session_table_client(struct session_table *table, struct session_id id, struct net_client *client)
{
    struct session *session = find_session(table, id);
    if (session)
        describe(client, session->identity, &session->path.proven, session->household);
    return session != NULL;
}

void session_table_keep(struct session_table *table, struct session_id id)
{
    struct session *session = find_session(table, id);
    if (session && session->state != SESSION_LEAVING)
        session->has_player = true;
}

void session_table_count(const struct session_table *table, uint64_t now_ns, struct net_sessions *sessions)
{
    *sessions = (struct net_sessions){0};
    for (uint32_t i = 0; i < table->capacity; i++) {
        const struct session *session = &table->sessions[i];
        if (is_gone(session, now_ns))
            continue;
        sessions->accepted += session->state == SESSION_ACCEPTED;
        sessions->waiting += session->state == SESSION_LIVE && !session->has_player;
        sessions->playing += session->has_player;
        sessions->leaving += session->state == SESSION_LEAVING;
        sessions->webrtc += net_address_has_channel(&session->path.now);
        bool is_first = true; // of its household
        for (uint32_t j = 0; j < i && is_first; j++)
            is_first = table->sessions[j].household != session->household || is_gone(&table->sessions[j], now_ns);
        sessions->households += is_first;
    }
}

void session_table_report_violation(struct session_table *table, struct session_id id, uint64_t now_ns)
{
    struct session *session = find_session(table, id);
    if (session && ++session->violations == VIOLATIONS_MAX)
        session_table_end(table, id, now_ns);
}

void session_table_end(struct session_table *table, struct session_id id, uint64_t now_ns)
{
    struct session *session = find_session(table, id);
    if (!session || session->state == SESSION_LEAVING)
        return;
    session->state = SESSION_LEAVING;
    session->has_player = false;
    session->heard_ns = now_ns;
}
