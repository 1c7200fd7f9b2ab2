// SPDX-License-Identifier: MIT
//
// Clients that are admitted and then lie: liar PORT LIE SECONDS SESSIONS. They join 127.0.0.1:PORT with ENet written by
// hand, play for a second and then do what LIE says; the victim is another socket of this program; they send
// with its address. Prints one line of JSON: bytes from the lying address and to it, the worst second (bytes to it in a
// second, over bytes from it in that second and the 0.2 s before), when the last byte came, and how often the server's
// ENet has answered an attempt to connect.
#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "base/clock.h"
#include "net/enet/enet_filter.h"
#include "net/secure_socket.h"
#include "wire/message.h"

#define MS_NS     UINT64_C(1000000)
#define TICK_NS   (CLOCK_SECOND_NS / TICKS_PER_SECOND)
#define BUCKET_NS (CLOCK_SECOND_NS / 10)

enum { SESSIONS_MAX = 16, BUCKETS = 1200, SECOND_BUCKETS = 10, LAG_BUCKETS = 2, CHANNELS = 3 };

// What a client does after it has joined.
static const struct lie {
    const char *name;
    bool joins;        // plays first
    bool forges;       // sends with the address of the victim
    bool bounces;      // and honestly with its own in between
    bool plays;        // sends inputs
    bool acknowledges; // what it gets
    bool invents;      // acknowledges what was never sent
    bool guesses;      // acknowledges what is probably in flight
    bool connects;     // asks ENet to connect, under another number each time
    bool hoards;       // sends the largest messages, all but the first, for which they would wait
    uint64_t each_ns;
} lies[] = {
    {.name = "roam", .joins = true, .forges = true, .plays = true, .invents = true, .each_ns = 500 * MS_NS},
    {.name = "creep", .joins = true, .forges = true, .plays = true, .each_ns = 500 * MS_NS},
    {.name = "guess", .joins = true, .forges = true, .plays = true, .guesses = true, .each_ns = 100 * MS_NS},
    {.name = "bounce",
     .joins = true,
     .forges = true,
     .bounces = true,
     .plays = true,
     .acknowledges = true,
     .each_ns = TICK_NS},
    {.name = "invent", .joins = true, .plays = true, .invents = true, .each_ns = TICK_NS},
    {.name = "mute", .joins = true, .plays = true, .each_ns = TICK_NS},
    {.name = "silent", .joins = true, .each_ns = CLOCK_SECOND_NS * 1000},
    {.name = "honest", .joins = true, .plays = true, .acknowledges = true, .each_ns = TICK_NS},
    {.name = "reconnect", .joins = true, .plays = true, .acknowledges = true, .connects = true, .each_ns = TICK_NS},
    {.name = "window", .connects = true, .each_ns = 250 * MS_NS},
    {.name = "hoard", .acknowledges = true, .hoards = true, .each_ns = TICK_NS},
    {.name = "idle", .each_ns = 250 * MS_NS},
};

static const uint8_t enet_connect[48] = {0x82, 0xff, 0, 1, 0, 0, 0xff, 0xff, 0, 0, 4, 0xb0, 0, 1, 0,
                                         0,    0,    0, 0, 2, 0, 0,    0,    0, 0, 0, 0,    0, 0, 0,
                                         0x13, 0x88, 0, 0, 0, 2, 0,    0,    0, 2, 0, 0,    0, 7};

struct client {
    struct secure_socket secure;
    uint16_t numbers[1];       // last reliable number sent on channel 0
    uint16_t newest[CHANNELS]; // last reliable number received by channel; the last is the peer's own
    uint8_t replies[1000];     // acknowledgements and messages to send
    size_t reply_bytes;
    tick tick;
    uint64_t began_ns; // 0: does not play yet
    bool has_asked;
    uint32_t inputs;
};

static struct liar {
    const struct lie *lie;
    struct client clients[SESSIONS_MAX];
    unsigned count, connections;
    int victim;
    uint16_t port;
    uint64_t lie_ns, heard_ns; // when it began to lie; when the session, not a reset of it, was last heard
    uint64_t in[BUCKETS], out[BUCKETS];
} liar;

static void put16(uint8_t *bytes, uint32_t value)
{
    bytes[0] = (uint8_t)(value >> 8);
    bytes[1] = (uint8_t)value;
}

static uint16_t get16(const uint8_t *bytes)
{
    return (uint16_t)(bytes[0] << 8 | bytes[1]);
}

static uint64_t *bucket(uint64_t *buckets, uint64_t now_ns)
{
    uint64_t index = liar.lie_ns ? (now_ns - liar.lie_ns) / BUCKET_NS : BUCKETS;
    static uint64_t none;
    return index < BUCKETS ? &buckets[index] : &none;
}

// Sends bytes of ENet, with the client's own address or with the victim's.
static void send_from(struct client *client, bool forged, const uint8_t *bytes, size_t byte_count)
{
    uint8_t encrypted[DATAGRAM_BYTES_MAX];
    struct client_session *session = &client->secure.session;
    size_t size = packet_crypto_encrypt(&session->crypto, session->grant.session, bytes, byte_count, encrypted);
    struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons(liar.port), .sin_addr = {htonl(INADDR_LOOPBACK)}};
    sendto(forged ? liar.victim : client->secure.datagrams.sockets[0], encrypted, size, 0, (struct sockaddr *)&to,
           sizeof to);
    if (forged == liar.lie->forges)
        *bucket(liar.out, clock_now_ns()) += size;
}

static void send_enet(struct client *client, const uint8_t *bytes, size_t byte_count)
{
    send_from(client, liar.lie_ns && liar.lie->forges, bytes, byte_count);
}

// Begins a datagram. Returns its bytes.
static size_t begin(uint8_t *bytes)
{
    put16(bytes, 0x8000u);
    put16(bytes + 2, (uint32_t)(clock_now_ns() / MS_NS));
    return 4;
}

static size_t put_acknowledgement(uint8_t *bytes, uint8_t channel, uint16_t number, uint16_t time_ms)
{
    bytes[0] = 1;
    bytes[1] = channel;
    put16(bytes + 2, number);
    put16(bytes + 4, number);
    put16(bytes + 6, time_ms);
    return 8;
}

static void reply_message(struct client *client, const struct message *message)
{
    uint8_t *bytes = client->replies + client->reply_bytes;
    size_t size = message_encode(message, bytes + 6);
    bytes[0] = 0x86;
    bytes[1] = 0;
    put16(bytes + 2, ++client->numbers[0]);
    put16(bytes + 4, (uint32_t)size);
    client->reply_bytes += 6 + size;
}

static void take_message(struct client *client, const uint8_t *bytes, size_t byte_count)
{
    struct message message;
    if (byte_count == 0 || bytes[0] == MESSAGE_SNAPSHOT || !message_decode(&message, bytes, byte_count) ||
        message.kind != MESSAGE_WELCOME || client->began_ns)
        return;
    client->tick = message.as.welcome.tick;
    client->began_ns = clock_now_ns();
    reply_message(client, &(struct message){.kind = MESSAGE_READY, .as.ready = client->tick});
}

// Reads a datagram of ENet: acknowledges what must be, and looks for the two messages that matter.
static void take_enet(struct client *client, const uint8_t *bytes, size_t byte_count)
{
    static const uint8_t sizes[16] = {[1] = 8, [3] = 44, [4] = 8, [5] = 4, [6] = 6, [10] = 12, [11] = 16};
    bool acknowledges = !liar.lie_ns || liar.lie->acknowledges;
    uint16_t time_ms = bytes[0] & 0x80 ? get16(bytes + 2) : 0;
    for (size_t at = bytes[0] & 0x80 ? 4 : 2; at + 4 <= byte_count;) {
        const uint8_t *command = bytes + at;
        uint8_t kind = command[0] & 0x0f;
        size_t size = sizes[kind], payload = kind == 6 ? get16(command + 4) : 0;
        if (size == 0 || at + size + payload > byte_count)
            return;
        liar.connections += kind == 3;
        if (command[0] & 0x80)
            client->newest[command[1] < 2 ? command[1] : 2] = get16(command + 2);
        if ((command[0] & 0x80) && acknowledges &&
            client->reply_bytes + 8 < sizeof client->replies - MESSAGE_BYTES_MAX / 4)
            client->reply_bytes +=
                put_acknowledgement(client->replies + client->reply_bytes, command[1], get16(command + 2), time_ms);
        if (payload > 0)
            take_message(client, command + size, payload);
        at += size + payload;
    }
}

static void receive(struct client *client)
{
    struct session_id from;
    uint8_t bytes[DATAGRAM_BYTES_MAX];
    uint64_t before = client->secure.datagrams.bytes_in;
    secure_socket_begin(&client->secure, UINT32_MAX);
    for (size_t size; (size = secure_socket_receive(&client->secure, &from, bytes)) > 0;) {
        if (bytes[0] != DATAGRAM_MESSAGE)
            take_enet(client, bytes, size);
        liar.heard_ns = clock_now_ns();
    }
    if (!liar.lie->forges)
        *bucket(liar.in, clock_now_ns()) += client->secure.datagrams.bytes_in - before;
}

static void receive_victim(void)
{
    uint8_t bytes[2048];
    for (ssize_t size; (size = recv(liar.victim, bytes, sizeof bytes, MSG_DONTWAIT)) > 0;) {
        uint64_t now_ns = clock_now_ns();
        *bucket(liar.in, now_ns) += (uint64_t)size;
        if (bytes[0] != DATAGRAM_RESET)
            liar.heard_ns = now_ns;
    }
}

static void ask_to_connect(struct client *client, uint32_t id, bool small_window)
{
    uint8_t bytes[4 + sizeof enet_connect] = {0x8f, 0xff};
    put16(bytes + 2, (uint32_t)(clock_now_ns() / MS_NS));
    memcpy(bytes + 4, enet_connect, sizeof enet_connect);
    put16(bytes + 4 + 42, id);
    if (small_window)
        put16(bytes + 4 + 12, 0), put16(bytes + 4 + 14, 0x8000);
    send_enet(client, bytes, sizeof bytes);
}

// Sends an input, which also says which snapshot the client has: it claims to have a recent one, or now and then to
// have none.
static void send_input(struct client *client, bool forged)
{
    uint8_t bytes[1 + MESSAGE_BYTES_MAX] = {DATAGRAM_MESSAGE};
    uint64_t now_ns = clock_now_ns();
    tick present = client->tick + (tick)((now_ns - client->began_ns) / TICK_NS);
    struct message message = {
        .kind = MESSAGE_INPUT,
        .as.input = {.newest_tick = present + 6, .snapshot_tick = present - 6, .count = 1, .players = 1}};
    if (liar.lie_ns && !liar.lie->acknowledges && client->inputs++ % 2)
        message.as.input.snapshot_tick = 0;
    send_from(client, forged, bytes, 1 + message_encode(&message, bytes + 1));
}

// Sends one of the messages that may run ahead, and what it owes.
static void hoard(struct client *client)
{
    uint8_t bytes[DATAGRAM_BYTES_MAX];
    size_t size = begin(bytes);
    memcpy(bytes + size, client->replies, client->reply_bytes);
    if (client->reply_bytes > 0)
        send_enet(client, bytes, size + client->reply_bytes);
    client->reply_bytes = 0;
    uint8_t *command = bytes + size;
    uint32_t i = client->inputs++;
    *command = 0x86;
    command[1] = i % ENET_FILTER_CHANNELS;
    put16(command + 2, 2 + i / ENET_FILTER_CHANNELS % (ENET_FILTER_RELIABLE_AHEAD_MAX - 1));
    put16(command + 4, ENET_FILTER_PAYLOAD_BYTES_MAX);
    memset(command + 6, 0, ENET_FILTER_PAYLOAD_BYTES_MAX);
    send_enet(client, bytes, size + 6 + ENET_FILTER_PAYLOAD_BYTES_MAX);
}

static void tell_lie(struct client *client)
{
    uint8_t bytes[DATAGRAM_BYTES_MAX];
    const struct lie *lie = liar.lie;
    uint16_t time_ms = (uint16_t)(clock_now_ns() / MS_NS - 20);
    size_t size = begin(bytes);
    if (lie->connects)
        ask_to_connect(client, ++client->inputs, !lie->joins);
    if (lie->hoards) {
        hoard(client);
        return;
    }
    if (!lie->joins) {
        memcpy(bytes + size, (const uint8_t[]){0x85, 0xff, 0, 1}, 4); // a ping
        send_enet(client, bytes, size + 4);
        return;
    }
    if (lie->invents)
        size += put_acknowledgement(bytes + size, 0, (uint16_t)(client->newest[0] + 20000), time_ms);
    for (uint8_t channel = 0; lie->guesses && channel < CHANNELS; channel++)
        for (int i = 0; i < 2; i++)
            size += put_acknowledgement(bytes + size, channel < 2 ? channel : 0xff, ++client->newest[channel], time_ms);
    if (lie->acknowledges) {
        memcpy(bytes + size, client->replies, client->reply_bytes);
        size += client->reply_bytes;
        client->reply_bytes = 0;
    }
    if (size > 4)
        send_from(client, lie->forges && !lie->bounces, bytes, size);
    if (lie->plays)
        send_input(client, lie->forges && !lie->bounces);
    if (lie->bounces)
        send_input(client, lie->forges);
}

// What an honest client does until it plays.
static void join(struct client *client)
{
    uint8_t bytes[DATAGRAM_BYTES_MAX];
    if (client->secure.session.state != CLIENT_SESSION_OPEN)
        return;
    if (!client->has_asked)
        reply_message(client, &(struct message){.kind = MESSAGE_JOIN,
                                                .as.join = {.protocol = PROTOCOL_VERSION, .name = {0x7261696C}}});
    client->has_asked = true;
    size_t size = begin(bytes);
    memcpy(bytes + size, client->replies, client->reply_bytes);
    size += client->reply_bytes;
    client->reply_bytes = 0;
    if (size > 4)
        send_enet(client, bytes, size);
    if (client->began_ns)
        send_input(client, false);
}

static bool is_ready(const struct client *client, uint64_t now_ns)
{
    if (!liar.lie->joins)
        return client->secure.session.state == CLIENT_SESSION_OPEN;
    return client->began_ns && now_ns > client->began_ns + CLOCK_SECOND_NS;
}

static bool open_clients(void)
{
    struct error error;
    struct net_client_config config = {.host = "127.0.0.1", .port = liar.port, .protocol = PROTOCOL_VERSION};
    int buffer_bytes = 4 << 20;
    liar.victim = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    setsockopt(liar.victim, SOL_SOCKET, SO_RCVBUF, &buffer_bytes, sizeof buffer_bytes);
    for (unsigned i = 0; i < liar.count; i++) {
        if (!secure_socket_connect(&liar.clients[i].secure, &config, &error)) {
            fprintf(stderr, "liar: %s\n", error.text);
            return false;
        }
    }
    return true;
}

// Plays until all are ready to lie. False after ten seconds.
static bool begin_to_lie(void)
{
    uint64_t end_ns = clock_now_ns() + 10 * CLOCK_SECOND_NS, next_ns = 0, now_ns;
    for (unsigned ready = 0; ready < liar.count; udp_socket_wait(&liar.clients[0].secure.datagrams, next_ns)) {
        now_ns = clock_now_ns();
        bool due = now_ns >= next_ns;
        next_ns = due ? now_ns + TICK_NS : next_ns;
        ready = 0;
        for (unsigned i = 0; i < liar.count; i++) {
            receive(&liar.clients[i]);
            if (due && liar.lie->joins)
                join(&liar.clients[i]);
            ready += is_ready(&liar.clients[i], now_ns);
        }
        if (now_ns > end_ns)
            return false;
    }
    return true;
}

static void run(uint64_t ns)
{
    liar.lie_ns = liar.heard_ns = clock_now_ns();
    uint64_t next_ns = liar.lie_ns, now_ns;
    while ((now_ns = clock_now_ns()) < liar.lie_ns + ns) {
        bool due = now_ns >= next_ns;
        next_ns += due ? liar.lie->each_ns : 0;
        for (unsigned i = 0; i < liar.count; i++) {
            receive(&liar.clients[i]);
            if (due)
                tell_lie(&liar.clients[i]);
        }
        receive_victim();
        struct timespec rest = {.tv_nsec = (long)MS_NS};
        nanosleep(&rest, NULL);
    }
}

static uint64_t sum(const uint64_t *buckets, size_t from, size_t to)
{
    uint64_t total = 0;
    for (size_t i = from; i < to; i++)
        total += buckets[i];
    return total;
}

static double worst_second(void)
{
    double worst = 0;
    for (size_t i = 0; i + SECOND_BUCKETS <= BUCKETS; i++) {
        uint64_t to = sum(liar.in, i, i + SECOND_BUCKETS);
        uint64_t from = sum(liar.out, i > LAG_BUCKETS ? i - LAG_BUCKETS : 0, i + SECOND_BUCKETS);
        double ratio = to == 0 ? 0 : (double)to / (double)(from ? from : 1);
        worst = ratio > worst ? ratio : worst;
    }
    return worst;
}

int main(int argc, char **argv)
{
    double seconds = argc == 5 ? strtod(argv[3], NULL) : 0;
    for (size_t i = 0; argc == 5 && i < sizeof lies / sizeof *lies; i++)
        if (strcmp(argv[2], lies[i].name) == 0)
            liar.lie = &lies[i];
    liar.port = argc == 5 ? (uint16_t)strtoul(argv[1], NULL, 10) : 0;
    liar.count = argc == 5 ? (unsigned)strtoul(argv[4], NULL, 10) : 0;
    if (!liar.lie || liar.port == 0 || seconds <= 0 || liar.count == 0 || liar.count > SESSIONS_MAX) {
        fputs("usage: liar PORT LIE SECONDS SESSIONS\n", stderr);
        return 64;
    }
    if (!open_clients() || !begin_to_lie()) {
        fputs("liar: not all clients were admitted\n", stderr);
        return EXIT_FAILURE;
    }
    run((uint64_t)(seconds * (double)CLOCK_SECOND_NS));
    for (int i = 0; i < 100; i++) {
        for (unsigned j = 0; j < liar.count; j++)
            receive(&liar.clients[j]);
        nanosleep(&(struct timespec){.tv_nsec = (long)(5 * MS_NS)}, NULL);
    }
    uint64_t from = sum(liar.out, 0, BUCKETS), to = sum(liar.in, 0, BUCKETS);
    printf("{\"lie\": \"%s\", \"to\": \"%s\", \"sessions\": %u, \"bytes_from\": %llu, \"bytes_to\": %llu, \"ratio\": "
           "%.2f, "
           "\"worst_second\": %.2f, \"heard_ms\": %.0f, \"connections\": %u}\n",
           liar.lie->name, liar.lie->forges ? "the victim" : "them", liar.count, (unsigned long long)from,
           (unsigned long long)to, (double)to / (double)(from ? from : 1), worst_second(),
           (double)(liar.heard_ns - liar.lie_ns) / 1e6, liar.connections);
    for (unsigned i = 0; i < liar.count; i++)
        secure_socket_close(&liar.clients[i].secure);
    return EXIT_SUCCESS;
}
