// SPDX-License-Identifier: MIT
#include "secure_socket.h"

#include <sodium.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/platform/process.h"

static bool load_seed(const char *path, const uint8_t *given, uint8_t seed[32], struct error *error)
{
    if (given) {
        memcpy(seed, given, 32);
        return true;
    }
    if (path)
        return identity_load(path, seed, error);
    randombytes_buf(seed, 32);
    return true;
}

bool secure_socket_listen(struct secure_socket *secure, const struct net_server_config *config,
                          struct net_endpoint *endpoint, struct error *error)
{
    uint8_t seed[32];
    *secure = (struct secure_socket){.is_server = true, .datagrams = {.sockets = {-1, -1}}};
    endpoint->port = config->port;
    if (!udp_socket_adopt(&secure->datagrams, config->sockets, config->socket_count, config->bind_address,
                          &endpoint->port) &&
        !udp_socket_listen(&secure->datagrams, config->bind_address, &endpoint->port, error))
        return false;
    if (!load_seed(config->key_path, NULL, seed, error)) {
        secure_socket_close(secure);
        return false;
    }
    bool good = session_table_open(&secure->sessions, config->peer_capacity, seed, config->protocol);
    sodium_memzero(seed, sizeof seed);
    if (!good) {
        error_set(error, "out of memory for %u sessions", config->peer_capacity);
        secure_socket_close(secure);
        return false;
    }
    query_init(&secure->query);
    secure->query.public_key = secure->sessions.handshake.public_key;
    secure->query.secret_key = secure->sessions.handshake.secret_key;
    secure->sessions.admission = config->admission;
    session_table_password(&secure->sessions, config->password ? config->password : "");
    identity_fingerprint(secure->sessions.handshake.public_key, endpoint->fingerprint);
    punch_host_init(&secure->expects, endpoint->fingerprint);
    return true;
}

bool secure_socket_connect(struct secure_socket *secure, const struct net_client_config *config, struct error *error)
{
    static const struct impairment perfect = {0};
    struct client_session *session = &secure->session;
    struct net_address directory;
    *secure = (struct secure_socket){.datagrams = {.sockets = {-1, -1}}};
    process_lock_memory(session, sizeof *session);
    if (!udp_socket_connect(&secure->datagrams, config->host, config->port,
                            config->certificate ? config->certificate : "", &secure->server, error))
        return false;
    if (!load_seed(config->key_path, config->key, session->seed, error)) {
        secure_socket_close(secure);
        return false;
    }
    if (memcmp(&config->impairment, &perfect, sizeof perfect) != 0 &&
        !udp_socket_impair(&secure->datagrams, &config->impairment, config->impairment_seed)) {
        error_set(error, "out of memory for the network simulator");
        secure_socket_close(secure);
        return false;
    }
    session->ticket = config->ticket;
    session->proven = config->proven;
    known_servers_name(config->host, config->port, session->server_name);
    snprintf(session->fingerprint, sizeof session->fingerprint, "%s", config->fingerprint ? config->fingerprint : "");
    snprintf(session->claimed, sizeof session->claimed, "%s", config->claimed ? config->claimed : "");
    // Servers on this machine come and go with tests and local games, so their keys are not remembered: if the player
    // has written loopback, not if a name server says so.
    if (config->known_servers_path && !known_servers_is_loopback(config->host))
        snprintf(session->known_servers_path, sizeof session->known_servers_path, "%s", config->known_servers_path);
    // Without a key, nobody could say to a directory which server is meant.
    const char *fingerprint = session->fingerprint[0] ? session->fingerprint : session->claimed;
    bool ipv6 = secure->server.byte_count != ADDRESS_BYTES_IPV4;
    if (config->through && config->through[0] && fingerprint[0] &&
        ip_address_find(&directory, config->through, config->through_port, ipv6 ? IP_ADDRESS_IPV6 : IP_ADDRESS_IPV4))
        punch_client_begin(&secure->asks, &directory, fingerprint, clock_now_ns());
    client_session_begin(session, config->protocol, config->password ? config->password : "", clock_now_ns());
    return true;
}

void secure_socket_close(struct secure_socket *secure)
{
    udp_socket_flush(&secure->datagrams, UINT64_MAX); // the last datagrams
    udp_socket_close(&secure->datagrams);
    session_table_close(&secure->sessions);
    sodium_memzero(&secure->session, sizeof secure->session);
}

void secure_socket_begin(struct secure_socket *secure, uint32_t budget)
{
    uint8_t bytes[HELLO_BYTES];
    struct net_address to;
    uint64_t now_ns = clock_now_ns();
    secure->budget = budget;
    udp_socket_begin_round(&secure->datagrams);
    if (secure->is_server)
        session_table_sweep(&secure->sessions, now_ns);
    secure->sessions.handshake.unix_s = (uint64_t)clock_unix_s();
    size_t count = secure->is_server ? 0 : client_session_due(&secure->session, now_ns, bytes);
    if (count > 0)
        udp_socket_send(&secure->datagrams, now_ns, &secure->server, bytes, count);
    // Ask and open the way between routers. A client that has heard of the server needs no directory any more.
    do {
        count = 0;
        if (secure->is_server)
            count = punch_host_due(&secure->expects, now_ns, &to, bytes);
        else if (secure->session.state == CLIENT_SESSION_HELLO)
            count = punch_client_due(&secure->asks, now_ns, &to, bytes);
        if (count > 0)
            udp_socket_send(&secure->datagrams, now_ns, &to, bytes, count);
    } while (count > 0);
}

static enum datagram_outcome take_datagram(struct secure_socket *secure, const struct datagram *datagram,
                                           struct datagram_output *output)
{
    bool is_query = query_claims(datagram->bytes, datagram->byte_count);
    if (!is_query && secure->is_server)
        return session_table_take(&secure->sessions, datagram, output);
    if (!is_query)
        return client_session_take(&secure->session, datagram, output);
    if (secure->is_server) {
        enum datagram_outcome outcome = punch_host_take(&secure->expects, datagram);
        return outcome == DATAGRAM_REJECTED ? query_take(&secure->query, datagram, output) : outcome;
    }
    // What a directory or the server sends outside of the session says where the server is.
    if (secure->session.state == CLIENT_SESSION_HELLO)
        punch_client_take(&secure->asks, datagram, &secure->server);
    return DATAGRAM_CONSUMED;
}

size_t secure_socket_receive(struct secure_socket *secure, struct session_id *from, uint8_t *bytes)
{
    struct datagram datagram = {.now_ns = clock_now_ns(), .bytes = secure->received};
    struct datagram_output output = {.bytes = bytes};
    while (secure->budget > 0) {
        datagram.byte_count = udp_socket_receive(&secure->datagrams, datagram.now_ns, &datagram.from, secure->received);
        if (datagram.byte_count == 0)
            return 0;
        secure->budget--;
        enum datagram_outcome outcome = take_datagram(secure, &datagram, &output);
        secure->rejected += outcome == DATAGRAM_REJECTED;
        if (outcome == DATAGRAM_ANSWERED) {
            secure->answered_ns = datagram.now_ns;
            udp_socket_send(&secure->datagrams, datagram.now_ns, secure->is_server ? &datagram.from : &secure->server,
                            output.bytes, output.byte_count);
        }
        if (outcome != DATAGRAM_DELIVERED)
            continue;
        if (secure->is_server) { // before anything else, so that an address with little credit proves itself first
            uint8_t encrypted[PATH_MESSAGE_BYTES + PACKET_CRYPTO_OVERHEAD_BYTES];
            struct net_address to;
            size_t count = session_table_challenge(&secure->sessions, output.session, datagram.now_ns, encrypted, &to);
            if (count > 0)
                udp_socket_send(&secure->datagrams, datagram.now_ns, &to, encrypted, count);
            if (net_address_has_channel(&datagram.from))
                webrtc_filter_keep(secure->datagrams.filter, &datagram.from, output.session, datagram.now_ns);
        }
        *from = output.session;
        return output.byte_count;
    }
    return 0;
}

void secure_socket_send(struct secure_socket *secure, struct session_id to, const uint8_t *bytes, size_t byte_count)
{
    struct net_address address = secure->server;
    struct client_session *session = &secure->session;
    struct datagram plain = {.now_ns = clock_now_ns(), .bytes = bytes, .byte_count = byte_count};
    size_t count = 0;
    if (secure->is_server)
        count = session_table_encrypt(&secure->sessions, to, &plain, secure->encrypted, &address);
    else if (session->state == CLIENT_SESSION_OPEN && byte_count <= DATAGRAM_BYTES_MAX - PACKET_CRYPTO_OVERHEAD_BYTES)
        count = packet_crypto_encrypt(&session->crypto, session->grant.session, bytes, byte_count, secure->encrypted);
    if (count > 0)
        udp_socket_send(&secure->datagrams, plain.now_ns, &address, secure->encrypted, count);
}

void secure_socket_report_violation(struct secure_socket *secure, struct session_id from)
{
    secure->rejected++;
    session_table_report_violation(&secure->sessions, from, clock_now_ns());
}

void secure_socket_admissions(const struct secure_socket *secure, struct net_sessions *sessions,
                              struct net_refusals *refusals)
{
    const struct rate_limit_table *joins = &secure->sessions.joins, *queries = &secure->query.askers;
    session_table_count(&secure->sessions, clock_now_ns(), sessions);
    *refusals = secure->sessions.refusals;
    refusals->joins_of_household = joins->refused_household;
    refusals->joins_of_all = joins->refused_all;
    const struct webrtc_filter *filter = secure->datagrams.filter;
    refusals->browsers_gave_way = filter ? filter->gave_way : 0;
    refusals->browsers_of = filter ? filter->gave_way_of : 0;
    refusals->joins_from = joins->newest_refused;
    refusals->queries_from = queries->newest_refused;
    refusals->queries_of_household = queries->refused_household;
    refusals->queries_of_all = queries->refused_all;
}

void secure_socket_end(struct secure_socket *secure, struct session_id id)
{
    session_table_end(&secure->sessions, id, clock_now_ns());
}
