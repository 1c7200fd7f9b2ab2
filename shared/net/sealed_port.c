// SPDX-License-Identifier: MIT
#include "sealed_port.h"

#include <sodium.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"

// As many as ENet takes in one of its passes; the next pass goes on.
#define ROUND_DATAGRAMS 256

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

bool sealed_port_listen(struct sealed_port *port, const struct net_server_config *config, struct net_endpoint *endpoint,
                        struct error *error)
{
    uint8_t seed[32];
    *port = (struct sealed_port){.is_server = true, .datagrams = {.sockets = {-1, -1}}};
    endpoint->port = config->port;
    if (!load_seed(config->key_path, NULL, seed, error) ||
        !datagram_listen(&port->datagrams, config->bind_address, &endpoint->port, error))
        return false;
    if (!session_table_open(&port->sessions, config->peer_capacity, seed, config->protocol)) {
        error_set(error, "out of memory for %u sessions", config->peer_capacity);
        sealed_port_close(port);
        return false;
    }
    query_init(&port->query);
    port->sessions.admission = config->admission;
    handshake_server_password(&port->sessions.handshake, config->password ? config->password : "");
    fingerprint_of(port->sessions.handshake.public_key, endpoint->fingerprint);
    return true;
}

// Servers on this machine come and go with a test or a game at home; they are not remembered.
static void note_server(struct sealed_port *port, const struct net_client_config *config)
{
    struct joining *joining = &port->joining;
    snprintf(joining->place, sizeof joining->place, "%.255s:%u", config->host, config->port);
    snprintf(joining->expected, sizeof joining->expected, "%s", config->fingerprint ? config->fingerprint : "");
    if (config->known_servers_path && !net_address_is_loopback(&port->server))
        snprintf(joining->known, sizeof joining->known, "%s", config->known_servers_path);
}

bool sealed_port_dial(struct sealed_port *port, const struct net_client_config *config, struct error *error)
{
    static const struct impairment perfect = {0};
    *port = (struct sealed_port){.datagrams = {.sockets = {-1, -1}}};
    if (!load_seed(config->key_path, config->key, port->joining.seed, error) ||
        !datagram_dial(&port->datagrams, config->host, config->port, &port->server, error))
        return false;
    if (memcmp(&config->impairment, &perfect, sizeof perfect) != 0 &&
        !datagram_impair(&port->datagrams, &config->impairment, config->impairment_seed)) {
        error_set(error, "out of memory for a bad line");
        sealed_port_close(port);
        return false;
    }
    note_server(port, config);
    port->joining.ticket = config->ticket;
    joining_begin(&port->joining, config->protocol, config->password ? config->password : "", clock_now_ns());
    return true;
}

void sealed_port_close(struct sealed_port *port)
{
    datagram_release(&port->datagrams, UINT64_MAX); // the last words
    datagram_close(&port->datagrams);
    session_table_close(&port->sessions);
    sodium_memzero(&port->joining, sizeof port->joining);
}

void sealed_port_begin(struct sealed_port *port)
{
    uint8_t bytes[HELLO_BYTES];
    uint64_t now_ns = clock_now_ns();
    port->budget = ROUND_DATAGRAMS;
    port->sessions.handshake.unix_s = (uint64_t)clock_unix_s();
    size_t count = port->is_server ? 0 : joining_due(&port->joining, now_ns, bytes);
    if (count > 0)
        datagram_send(&port->datagrams, now_ns, &port->server, bytes, count);
    datagram_release(&port->datagrams, now_ns);
}

static bool answer_query(struct sealed_port *port, uint64_t now_ns, const struct net_address *from,
                         const uint8_t *bytes, size_t byte_count, uint8_t *out)
{
    size_t count = query_take(&port->query, now_ns, from, bytes, byte_count, out);
    if (count > 0)
        datagram_send(&port->datagrams, now_ns, from, out, count);
    return count > 0;
}

// True: `out` is for ENet.
static bool take(struct sealed_port *port, uint64_t now_ns, const struct net_address *from, const uint8_t *bytes,
                 size_t byte_count, uint8_t *out, size_t *out_count, struct session_id *id)
{
    if (!port->is_server) {
        *id = (struct session_id){0, 1};
        return joining_take(&port->joining, now_ns, bytes, byte_count, out, out_count);
    }
    if (query_claims(bytes, byte_count)) {
        port->rejected += !answer_query(port, now_ns, from, bytes, byte_count, out);
        return false;
    }
    switch (session_table_take(&port->sessions, now_ns, from, bytes, byte_count, out, out_count, id)) {
    case SESSION_DROPPED:
        port->rejected++;
        return false;
    case SESSION_ANSWER:
        datagram_send(&port->datagrams, now_ns, from, out, *out_count);
        return false;
    case SESSION_OPENED:
        return true;
    }
    return false;
}

size_t sealed_port_receive(struct sealed_port *port, struct session_id *from, uint8_t *bytes)
{
    uint8_t sealed[DATAGRAM_BYTES_MAX];
    struct net_address address;
    uint64_t now_ns = clock_now_ns();
    for (; port->budget > 0; port->budget--) {
        size_t opened_count, count = datagram_receive(&port->datagrams, now_ns, &address, sealed);
        if (count == 0)
            return 0;
        if (take(port, now_ns, &address, sealed, count, bytes, &opened_count, from))
            return opened_count;
    }
    return 0;
}

void sealed_port_send(struct sealed_port *port, struct session_id to, const uint8_t *bytes, size_t byte_count)
{
    uint8_t sealed[DATAGRAM_BYTES_MAX];
    struct net_address address = port->server;
    struct joining *joining = &port->joining;
    size_t count = 0;
    if (port->is_server)
        count = session_table_seal(&port->sessions, to, bytes, byte_count, sealed, &address);
    else if (joining->state == JOINING_OPEN && byte_count <= DATAGRAM_BYTES_MAX - SEAL_OVERHEAD_BYTES)
        count = seal_write(&joining->seal, joining->session, bytes, byte_count, sealed);
    if (count > 0)
        datagram_send(&port->datagrams, clock_now_ns(), &address, sealed, count);
}

void sealed_port_strike(struct sealed_port *port, struct session_id from)
{
    port->rejected++;
    if (port->is_server)
        session_table_strike(&port->sessions, from, clock_now_ns());
}

void sealed_port_end(struct sealed_port *port, struct session_id id)
{
    if (port->is_server)
        session_table_end(&port->sessions, id, clock_now_ns());
}
