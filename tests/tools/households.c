// SPDX-License-Identifier: MIT
//
// Clients of many addresses of this machine, to attack a server and to measure who still gets in:
//
//   households PORT hoard HOUSEHOLDS SECONDS   each opens up to 32 sessions and keeps them, without a player
//   households PORT sit HOUSEHOLDS SECONDS     each joins with up to 32 players, who stay
//   households PORT kick HOUSEHOLDS SECONDS    four players together, who ask for a vote to kick bot1 and say yes
//   households PORT forge HOUSEHOLDS SECONDS   660 forged joins a second with valid cookies
//   households PORT join COUNT MILLISECONDS    an honest client joins COUNT times, and has so long for each
//
// Attackers are 127.0.1.1 and so on, the honest client is 127.0.2.1. Sends only to 127.0.0.1. With 56 or 48 in the
// environment variable HOUSEHOLDS_SITE they are of IPv6 instead, and send to ::1: all attackers are of one /56, or each
// is of a /56 of one /48, and the honest client is of another /48. Prints one number: the sessions or players that were
// there at the end, the forged joins that were sent, or the honest joins that succeeded.
#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>

#include "base/clock.h"
#include "net/client_session.h"
#include "net/enet/enet_transport.h"
#include "wire/message.h"

enum { HOUSEHOLDS = 9, SESSIONS = 32, FORGED_PER_S = 660, SILENCE_MS = 800, KICKERS = 4 };

static uint16_t port;
static uint32_t source;    ///< address of the sockets that are opened next
static uint32_t site_bits; ///< 0: of IPv4

// The address of the source, or of the server: where this program sends.
static socklen_t address_of(bool is_server, struct sockaddr_storage *address)
{
    uint32_t number = source - INADDR_LOOPBACK, site = number >> 8, low = number & 0xff;
    struct sockaddr_in from = {.sin_family = AF_INET, .sin_addr = {htonl(source)}};
    struct sockaddr_in6 from6 = {.sin6_family = AF_INET6, .sin6_addr = IN6ADDR_LOOPBACK_INIT};
    uint8_t bytes[16] = {0x20, 0x01, 0x0d, 0xb8, 0, (uint8_t)site, [15] = 1};
    bytes[site_bits == 48 ? 6 : 7] = (uint8_t)low;
    if (!is_server)
        memcpy(&from6.sin6_addr, bytes, sizeof bytes);
    if (is_server) {
        from.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        from.sin_port = from6.sin6_port = htons(port);
    }
    memset(address, 0, sizeof *address);
    memcpy(address, site_bits ? (const void *)&from6 : (const void *)&from, site_bits ? sizeof from6 : sizeof from);
    return site_bits ? sizeof from6 : sizeof from;
}

int __real_socket(int family, int type, int protocol);
int __wrap_socket(int family, int type, int protocol);

// Every socket of this program is bound to the source.
int __wrap_socket(int family, int type, int protocol)
{
    int file = __real_socket(family, type, protocol);
    struct sockaddr_storage from;
    socklen_t from_bytes = address_of(false, &from);
    int on = 1;
    if (file < 0 || family != from.ss_family)
        return file;
    if (family == AF_INET6)
        setsockopt(file, IPPROTO_IPV6, IPV6_FREEBIND, &on, sizeof on);
    if (bind(file, (const struct sockaddr *)&from, from_bytes) != 0)
        perror("households: bind");
    return file;
}

static void be_household(uint32_t number)
{
    source = INADDR_LOOPBACK + 0x100 + number;
}

static void pause_ms(uint32_t ms)
{
    nanosleep(&(struct timespec){.tv_nsec = ms * 1000000L}, NULL);
}

// A session that speaks no ENet: only the handshake, and a byte from time to time, which is a violation.
struct bare {
    struct client_session session;
    int file;
    uint64_t heard_ns, sent_ns;
};

static void bare_send(const struct bare *bare, const uint8_t *bytes, size_t byte_count)
{
    struct sockaddr_storage server;
    socklen_t server_bytes = address_of(true, &server);
    sendto(bare->file, bytes, byte_count, 0, (const struct sockaddr *)&server, server_bytes);
}

static void bare_begin(struct bare *bare, uint64_t now_ns)
{
    int file = bare->file;
    *bare = (struct bare){.file = file, .heard_ns = now_ns};
    clock_gettime(CLOCK_MONOTONIC, (struct timespec *)(void *)bare->session.seed); // another identity each time
    memcpy(bare->session.seed + 16, &bare, sizeof bare);
    client_session_begin(&bare->session, PROTOCOL_VERSION, "", now_ns);
}

static void bare_receive(struct bare *bare, uint64_t now_ns)
{
    uint8_t bytes[2048], plain[2048];
    for (ssize_t count; (count = recv(bare->file, bytes, sizeof bytes, MSG_DONTWAIT)) > 0;) {
        struct datagram datagram = {{.byte_count = ADDRESS_BYTES_IPV4}, now_ns, bytes, (size_t)count};
        struct datagram_output output = {.bytes = plain};
        client_session_take(&bare->session, &datagram, &output);
        bare->heard_ns = now_ns;
    }
}

// Holds its session, and opens another one when it is refused or lost. It begins again when nothing
// has come for two seconds.
static void bare_serve(struct bare *bare, uint64_t now_ns)
{
    uint8_t bytes[DATAGRAM_BYTES_MAX];
    bare_receive(bare, now_ns);
    if (bare->session.state == CLIENT_SESSION_REFUSED || now_ns - bare->heard_ns > 2 * CLOCK_SECOND_NS)
        bare_begin(bare, now_ns);
    size_t count = client_session_due(&bare->session, now_ns, bytes);
    if (count > 0)
        bare_send(bare, bytes, count);
    if (bare->session.state != CLIENT_SESSION_OPEN || now_ns - bare->sent_ns < SILENCE_MS * CLOCK_MS_NS)
        return;
    bare->sent_ns = now_ns;
    bare_send(
        bare, bytes,
        packet_crypto_encrypt(&bare->session.crypto, bare->session.grant.session, (const uint8_t *)"x", 1, bytes));
}

static uint32_t hoard(uint32_t households, uint64_t end_ns)
{
    static struct bare bares[HOUSEHOLDS * SESSIONS];
    uint32_t count = households * SESSIONS, open = 0;
    for (uint32_t i = 0; i < count; i++) {
        be_household(i % households);
        bares[i].file = socket(site_bits ? AF_INET6 : AF_INET, SOCK_DGRAM, 0);
        bare_begin(&bares[i], clock_now_ns());
    }
    for (uint64_t now_ns; (now_ns = clock_now_ns()) < end_ns; pause_ms(8))
        for (uint32_t i = 0; i < count; i++)
            bare_serve(&bares[i], now_ns);
    for (uint32_t i = 0; i < count; i++)
        open += bares[i].session.state == CLIENT_SESSION_OPEN;
    return open;
}

static uint32_t forge(uint32_t households, uint64_t end_ns)
{
    static struct bare bares[HOUSEHOLDS];
    uint64_t begun_ns = clock_now_ns();
    uint32_t sent = 0;
    for (uint32_t i = 0; i < households; i++) {
        be_household(i);
        bares[i].file = socket(site_bits ? AF_INET6 : AF_INET, SOCK_DGRAM, 0);
        bare_begin(&bares[i], clock_now_ns());
    }
    for (uint64_t now_ns; (now_ns = clock_now_ns()) < end_ns; pause_ms(5)) {
        uint8_t bytes[DATAGRAM_BYTES_MAX];
        for (uint32_t i = 0; i < households; i++) {
            bare_receive(&bares[i], now_ns);
            size_t count = client_session_due(&bares[i].session, now_ns, bytes);
            if (count == HELLO_BYTES)
                bare_send(&bares[i], bytes, count);
        }
        for (; sent < (now_ns - begun_ns) * FORGED_PER_S / CLOCK_SECOND_NS; sent++) {
            const struct bare *bare = &bares[sent % households];
            memcpy(bytes, bare->session.attempt.join, JOIN_BYTES);
            bytes[JOIN_BYTES - 1] ^= 1;
            if (bare->session.state == CLIENT_SESSION_JOIN)
                bare_send(bare, bytes, JOIN_BYTES);
        }
    }
    return sent;
}

// A whole client, which plays without pressing a button.
struct sitter {
    struct transport *transport;
    bool is_in;
    uint32_t tick;
    uint64_t begun_ns;
};

static void sitter_send(struct sitter *sitter, enum net_channel channel, const struct message *message)
{
    uint8_t bytes[MESSAGE_BYTES_MAX];
    transport_send(sitter->transport, 0, channel, bytes, message_encode(message, bytes));
}

static void sitter_begin(struct sitter *sitter)
{
    struct error error;
    struct net_client_config config = {
        .host = site_bits ? "::1" : "127.0.0.1", .port = port, .protocol = PROTOCOL_VERSION};
    *sitter = (struct sitter){.transport = enet_transport_open_client(&config, &error), .begun_ns = clock_now_ns()};
    if (!sitter->transport) {
        fprintf(stderr, "households: %s\n", error.text);
        exit(69);
    }
}

static void sitter_end(struct sitter *sitter)
{
    if (sitter->transport)
        transport_close(sitter->transport);
    sitter->transport = NULL;
}

static void sitter_take(struct sitter *sitter, const struct net_event *event)
{
    struct message message;
    uint32_t snapshot = 0;
    if (event->bytes[0] == MESSAGE_SNAPSHOT && event->byte_count > 4)
        memcpy(&snapshot, event->bytes + 1, sizeof snapshot); // its tick, which is all that an answer needs
    else if (message_decode(&message, event->bytes, event->byte_count) && message.kind == MESSAGE_WELCOME) {
        sitter->is_in = true;
        sitter->tick = message.as.welcome.tick;
        sitter_send(sitter, NET_RELIABLE, &(struct message){.kind = MESSAGE_READY, .as.ready = sitter->tick});
    }
    if (snapshot > sitter->tick)
        sitter->tick = snapshot;
}

// Serves a sitter. False if the server has ended the connection or refused it.
static bool sitter_serve(struct sitter *sitter)
{
    struct message join = {.kind = MESSAGE_JOIN, .as.join = {.protocol = PROTOCOL_VERSION, .name = {0x6574756D}}};
    struct net_event event;
    while (transport_poll(sitter->transport, &event)) {
        if (event.kind == NET_DISCONNECTED)
            return false;
        if (event.kind == NET_CONNECTED)
            sitter_send(sitter, NET_RELIABLE, &join);
        else if (event.kind == NET_MESSAGE)
            sitter_take(sitter, &event);
    }
    if (sitter->is_in)
        sitter_send(sitter, NET_UNSEQUENCED,
                    &(struct message){
                        .kind = MESSAGE_INPUT,
                        .as.input = {
                            .newest_tick = sitter->tick + 6, .snapshot_tick = sitter->tick, .count = 1, .players = 1}});
    transport_flush(sitter->transport);
    return true;
}

static void sitter_say(struct sitter *sitter, const char *line)
{
    struct message message = {.kind = MESSAGE_CHAT_SEND};
    snprintf(message.as.chat_send.text, sizeof message.as.chat_send.text, "%s", line);
    sitter_send(sitter, NET_RELIABLE, &message);
}

// The first one asks, and all say yes, every other second: more chat is not let through.
static void vote(struct sitter *sitters, uint32_t count)
{
    static uint64_t due_ns;
    if (clock_now_ns() < due_ns)
        return;
    due_ns = clock_now_ns() + 2 * CLOCK_SECOND_NS;
    for (uint32_t i = 0; i < count; i++)
        if (sitters[i].transport && sitters[i].is_in)
            sitter_say(&sitters[i], i == 0 ? "/vote kick bot1" : "/yes");
}

static uint32_t sit(uint32_t households, uint32_t count, bool votes, uint64_t end_ns)
{
    static struct sitter sitters[HOUSEHOLDS * SESSIONS];
    uint32_t in = 0;
    while (clock_now_ns() < end_ns) {
        if (votes)
            vote(sitters, count);
        for (uint32_t i = 0; i < count; i++) {
            be_household(i % households);
            if (!sitters[i].transport && clock_now_ns() - sitters[i].begun_ns > CLOCK_SECOND_NS)
                sitter_begin(&sitters[i]);
            if (sitters[i].transport && !sitter_serve(&sitters[i]))
                sitter_end(&sitters[i]);
        }
        pause_ms(20);
    }
    for (uint32_t i = 0; i < count; i++) {
        in += sitters[i].transport && sitters[i].is_in;
        sitter_end(&sitters[i]);
    }
    return in;
}

static uint32_t join(uint32_t count, uint32_t ms)
{
    uint32_t in = 0;
    source = INADDR_LOOPBACK + 0x200;
    for (uint32_t i = 0; i < count; i++) {
        struct sitter sitter;
        sitter_begin(&sitter);
        uint64_t end_ns = sitter.begun_ns + ms * CLOCK_MS_NS;
        while (!sitter.is_in && clock_now_ns() < end_ns && sitter_serve(&sitter))
            pause_ms(2);
        in += sitter.is_in;
        sitter_end(&sitter);
        while (clock_now_ns() < end_ns)
            pause_ms(2);
    }
    return in;
}

int main(int argc, char **argv)
{
    uint32_t first = argc == 5 ? (uint32_t)strtoul(argv[3], NULL, 10) : 0;
    uint32_t second = argc == 5 ? (uint32_t)strtoul(argv[4], NULL, 10) : 0;
    port = argc == 5 ? (uint16_t)strtoul(argv[1], NULL, 10) : 0;
    uint64_t end_ns = clock_now_ns() + second * CLOCK_SECOND_NS;
    const char *site = getenv("HOUSEHOLDS_SITE");
    site_bits = site ? (uint32_t)strtoul(site, NULL, 10) : 0;
    bool joins = argc == 5 && strcmp(argv[2], "join") == 0;
    if (port == 0 || first == 0 || second == 0 || (!joins && first > HOUSEHOLDS)) {
        fputs("usage: households PORT hoard|sit|kick|forge HOUSEHOLDS SECONDS, or households PORT join COUNT "
              "MILLISECONDS\n",
              stderr);
        return 64;
    }
    if (joins)
        printf("%u\n", join(first, second));
    else if (strcmp(argv[2], "hoard") == 0)
        printf("%u\n", hoard(first, end_ns));
    else if (strcmp(argv[2], "sit") == 0)
        printf("%u\n", sit(first, first * SESSIONS, false, end_ns));
    else if (strcmp(argv[2], "kick") == 0)
        printf("%u\n", sit(first, KICKERS, true, end_ns));
    else
        printf("%u\n", forge(first, end_ns));
    return 0;
}
