// SPDX-License-Identifier: MIT
//
// Fuzzes a server with a client that was admitted and then sends any bytes, as ENet datagrams and beside ENet, through
// encryption, the ENet filter and the real ENet. An honest client beside it must not be affected. Runs in virtual time.
// The server and the honest client live for many inputs, and so does a session that the server has not ended.
#include <string.h>

#include "net/enet/enet_transport.h"
#include "net/secure_socket.h"
#include "require.h"
#include "seeded_crypto.h"
#include "virtual_udp.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { STEP_NS = 5000000, DATAGRAMS_MAX = 16, COMMANDS_BYTES_MAX = 1100, INPUTS_OF_SERVER = 256 };

static const struct session_id server_session = {0, 1}; // as every client numbers its server

static const uint8_t ping[] = {0x80, 0, 0, 0, 0x85, 0xff, 0, 2};

static struct transport *server, *honest;
static struct secure_socket hostile = {.datagrams = {.sockets = {-1, -1}}};
static struct net_client_config config;
static uint32_t inputs;   // of this server
static bool hostile_here; // the hostile client has joined
static bool answered;     // since it was false, something has come to it
static bool honest_connected;
static uint32_t honest_peer, heard; // the honest client's number at the server, and its messages received there

static void serve(void)
{
    struct net_event event;
    while (transport_poll(server, &event)) {
        require(event.peer < 4);
        if (event.kind == NET_CONNECTED && honest_peer == UINT32_MAX)
            honest_peer = event.peer;
        require(event.kind != NET_DISCONNECTED || event.peer != honest_peer);
        if (event.kind == NET_MESSAGE)
            require(event.byte_count > 0 && event.byte_count <= NET_MESSAGE_BYTES_MAX);
        heard += event.kind == NET_MESSAGE && event.peer == honest_peer;
    }
    transport_flush(server);
    while (transport_poll(honest, &event)) {
        require(event.kind == NET_CONNECTED);
        honest_connected = true;
    }
    transport_flush(honest);
}

// Reads the server's answers to the hostile client.
static void listen_hostile(void)
{
    struct session_id from;
    uint8_t bytes[DATAGRAM_BYTES_MAX];
    secure_socket_begin(&hostile, UINT32_MAX);
    while (secure_socket_receive(&hostile, &from, bytes) > 0)
        answered = true;
}

static void pass(uint32_t steps)
{
    for (; steps > 0; steps--) {
        virtual_udp_advance(STEP_NS);
        serve();
        if (hostile_here)
            listen_hostile();
    }
}

static void begin(void)
{
    struct error error;
    struct net_endpoint endpoint;
    seeded_crypto_begin(1, true); // joining again and again would take longer than all else
    virtual_udp_begin(1, &(struct impairment){0}, UINT64_C(1000000000000));
    honest_connected = false;
    honest_peer = UINT32_MAX;
    heard = inputs = 0;
    server = enet_transport_open_server(&(struct net_server_config){.bind_address = "127.0.0.1", .peer_capacity = 4},
                                        &endpoint, &error);
    require(server != NULL);
    config = (struct net_client_config){.host = "127.0.0.1", .port = endpoint.port};
    honest = enet_transport_open_client(&config, &error);
    require(honest != NULL);
    pass(10);
    require(honest_connected && honest_peer != UINT32_MAX);
}

static void join(void)
{
    struct error error;
    answered = false;
    secure_socket_close(&hostile);
    require(secure_socket_connect(&hostile, &config, &error));
    hostile_here = true;
    for (int i = 0; i < 400 && hostile.session.state != CLIENT_SESSION_OPEN; i++)
        pass(1);
    require(hostile.session.state == CLIENT_SESSION_OPEN);
    secure_socket_send(&hostile, server_session, ping, sizeof ping);
    pass(3);
    require(answered);
}

static void end(void)
{
    secure_socket_close(&hostile);
    transport_close(honest);
    transport_close(server);
    virtual_udp_end();
    server = NULL;
    hostile_here = false;
}

// The honest client's message arrives. Returns whether the hostile one is still here: the server answers its ping,
// unless it has ended the session.
static bool check(void)
{
    uint32_t before = heard;
    answered = false;
    secure_socket_send(&hostile, server_session, ping, sizeof ping);
    require(transport_send(honest, 0, NET_RELIABLE, (const uint8_t *)"still here", 10));
    pass(3);
    require(heard == before + 1);
    return answered;
}

// A datagram of the input: the time until the next, its size, whether it has a time or is a message, its bytes.
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (!server)
        begin();
    if (!hostile_here)
        join();
    for (size_t i = 0, at = 0; i < DATAGRAMS_MAX && at + 3 < size; i++) {
        uint8_t bytes[4 + COMMANDS_BYTES_MAX];
        size_t wanted = (size_t)(data[at + 1] | data[at + 2] << 8), rest = size - at - 3;
        bool timed = wanted & 0x8000, is_message = wanted & 0x4000;
        wanted &= 0x7ff;
        size_t count = wanted < rest ? wanted : rest, start = timed ? 4 : 2;
        count = count < COMMANDS_BYTES_MAX ? count : COMMANDS_BYTES_MAX;
        start = is_message ? 1 : start;
        bytes[0] = is_message ? DATAGRAM_MESSAGE : timed ? 0x80 : 0;
        bytes[1] = bytes[2] = bytes[3] = 0;
        memcpy(bytes + start, data + at + 3, count);
        secure_socket_send(&hostile, server_session, bytes, start + count);
        pass(data[at] % 8);
        at += 3 + count;
    }
    hostile_here = check();
    if (++inputs == INPUTS_OF_SERVER)
        end();
    return 0;
}
