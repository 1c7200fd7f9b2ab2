// SPDX-License-Identifier: MIT
//
// Fuzzes the transport of a client with a malicious server: a real one, of which the input damages, drops, repeats and
// injects datagrams of ENet before they are encrypted. Whatever comes, the client's events are valid, and it answers
// with a bounded number of bytes. Runs in virtual time. One client takes many inputs; after it has ended, or after 256
// inputs, everything begins again.
#include <string.h>

#include "damage.h"
#include "net/enet/enet_filter.h"
#include "net/enet/enet_transport.h"
#include "net/secure_socket.h"
#include "require.h"
#include "seeded_crypto.h"
#include "virtual_udp.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum {
    STEP_NS = 10000000,
    STEPS_TO_JOIN = 60,
    STEPS_MAX = 16,
    INPUTS_OF_CLIENT = 256,
    MESSAGE_BYTES = 200,
    HEAD_BYTES = 4,           // of a datagram of ENet with its time
    ANSWER_BYTES_MAX = 20000, // of a client in a step
};

// What an input does, by its first byte modulo their number.
enum step_kind { PASS, DAMAGE, DROP, REPEAT, INJECT, STEPS };

static struct transport *server, *client;
static uint32_t inputs; // of this client
static bool connected, ended;
static uint8_t head[HEAD_BYTES]; // of the server's last datagram
static size_t answer_bytes;      // from the client in this step

// What happens to the next datagram to the client.
static struct {
    enum step_kind kind;
    const uint8_t *bytes;
    size_t byte_count;
} next;

void __real_secure_socket_send(struct secure_socket *secure, struct session_id to, const uint8_t *bytes,
                               size_t byte_count);
void __wrap_secure_socket_send(struct secure_socket *secure, struct session_id to, const uint8_t *bytes,
                               size_t byte_count);

static void inject(struct secure_socket *secure, struct session_id to)
{
    uint8_t bytes[ENET_FILTER_MTU];
    size_t count = next.byte_count < sizeof bytes - HEAD_BYTES ? next.byte_count : sizeof bytes - HEAD_BYTES;
    memcpy(bytes, head, HEAD_BYTES);
    memcpy(bytes + HEAD_BYTES, next.bytes, count);
    __real_secure_socket_send(secure, to, bytes, HEAD_BYTES + count);
}

void __wrap_secure_socket_send(struct secure_socket *secure, struct session_id to, const uint8_t *bytes,
                               size_t byte_count)
{
    uint8_t sent[ENET_FILTER_MTU];
    enum step_kind kind = next.kind;
    if (!secure->is_server) {
        answer_bytes += byte_count;
        __real_secure_socket_send(secure, to, bytes, byte_count);
        return;
    }
    require(byte_count <= sizeof sent);
    memcpy(sent, bytes, byte_count);
    if (byte_count >= HEAD_BYTES && bytes[0] & 0x80)
        memcpy(head, bytes, HEAD_BYTES);
    if (kind == DAMAGE)
        damage(sent, byte_count, next.bytes, next.byte_count);
    if (kind == INJECT)
        inject(secure, to);
    next.kind = PASS;
    for (int i = kind == DROP ? 1 : 0; i < (kind == REPEAT ? 2 : 1); i++)
        __real_secure_socket_send(secure, to, sent, byte_count);
}

static void take_events(void)
{
    struct net_event event;
    while (transport_poll(client, &event)) {
        require(!ended && event.peer == 0);
        require(event.kind != NET_CONNECTED || !connected);
        require(event.kind != NET_MESSAGE || (event.byte_count > 0 && event.byte_count <= NET_MESSAGE_BYTES_MAX));
        connected |= event.kind == NET_CONNECTED;
        ended |= event.kind == NET_DISCONNECTED;
    }
}

// Both sides say something, in both ways.
static void pass(void)
{
    static const uint8_t message[MESSAGE_BYTES] = {1};
    struct net_event event;
    virtual_udp_advance(STEP_NS);
    while (transport_poll(server, &event))
        continue;
    if (connected && !ended) {
        transport_send(server, 0, inputs % 2 ? NET_RELIABLE : NET_UNSEQUENCED, message, sizeof message);
        transport_send(client, 0, inputs % 2 ? NET_UNSEQUENCED : NET_RELIABLE, message, sizeof message);
    }
    transport_flush(server);
    answer_bytes = 0;
    take_events();
    transport_flush(client);
    require(answer_bytes <= ANSWER_BYTES_MAX);
}

static void end(void)
{
    next.kind = PASS;
    transport_close(client);
    transport_close(server);
    virtual_udp_end();
    server = NULL;
}

static void begin(void)
{
    struct error error;
    struct net_endpoint endpoint;
    struct net_server_config config = {.bind_address = "127.0.0.1", .peer_capacity = 4};
    seeded_crypto_begin(1, true);
    virtual_udp_begin(1, &(struct impairment){0}, UINT64_C(1000000000000));
    connected = ended = false;
    inputs = 0;
    server = enet_transport_open_server(&config, &endpoint, &error);
    require(server != NULL);
    client =
        enet_transport_open_client(&(struct net_client_config){.host = "127.0.0.1", .port = endpoint.port}, &error);
    require(client != NULL);
    for (int i = 0; i < STEPS_TO_JOIN && !connected; i++)
        pass();
    require(connected && !ended);
}

// Each step of an input: what it does, an argument, and for some as many bytes as the argument says.
static size_t step(const uint8_t *bytes, size_t byte_count)
{
    size_t rest = byte_count - 2, count = bytes[1] < rest ? bytes[1] : rest;
    next.kind = (enum step_kind)(bytes[0] % STEPS);
    next.bytes = bytes + 2;
    next.byte_count = next.kind == DAMAGE || next.kind == INJECT ? count : 0;
    pass();
    return 2 + next.byte_count;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (!server)
        begin();
    inputs++;
    size_t at = 0;
    for (int i = 0; i < STEPS_MAX && at + 2 <= size && !ended; i++)
        at += step(data + at, size - at);
    next.kind = PASS;
    if (!ended)
        pass();
    if (ended || inputs == INPUTS_OF_CLIENT)
        end();
    return 0;
}
