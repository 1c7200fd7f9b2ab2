// SPDX-License-Identifier: MIT
//
// Browsers that are admitted and then lie, amid rubbish of strangers: web_liar PORT SECONDS RATE. Each finishes its
// DTLS handshake, and sends SCTP packets inside it that are broken: its own ones with wrong bits, fragments without an
// end, acknowledgements of what was never sent, resets, streams and control messages without number. One that the
// server throws out begins again. Meanwhile RATE datagrams a second of STUN and DTLS, whole and broken, come from other
// ports. Sends only to 127.0.0.1. Prints one line of JSON.
#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>
#include <usrsctp.h>

#include "base/clock.h"
#include "base/random.h"
#include "web_client.h"

enum { LIARS = 8, LIES = 8, STRANGERS = 16, BATCH = 64, PACKET = 1180, RUBBISH = 128 };
enum { TAG_AT = 4, SUM_AT = 8, CHUNK_AT = 12 };
enum { DCEP = 50, BINARY = 53, STREAMS = 65536 };

struct liar {
    struct web_client web;
    uint8_t packet[PACKET]; ///< the last genuine one, of which the others are made
    size_t byte_count;
    bool lies; ///< the packet that goes out is sent as it is
};

struct flood {
    uint64_t random;
    uint64_t sent, sent_bytes, back, back_bytes, lies, channels;
    int strangers[STRANGERS];
    uint8_t datagrams[BATCH][RUBBISH];
    struct iovec pieces[BATCH];
    struct mmsghdr messages[BATCH];
    struct liar liars[LIARS];
};

static struct flood flood = {.random = 1};

static uint64_t below(uint64_t limit)
{
    return random_next64(&flood.random) % limit;
}

static void scribble(uint8_t *bytes, size_t byte_count)
{
    for (size_t i = 0; i < byte_count; i++)
        bytes[i] = (uint8_t)below(256);
}

// Keeps a copy of what usrsctp sends.
static size_t keep(void *context, uint8_t *packet, size_t byte_count)
{
    struct liar *liar = context;
    if (!liar->lies && byte_count >= CHUNK_AT && byte_count <= PACKET) {
        memcpy(liar->packet, packet, byte_count);
        liar->byte_count = byte_count;
    }
    return byte_count;
}

// Sends an SCTP packet with a right checksum, mostly.
static void lie(struct liar *liar, uint8_t *packet, size_t byte_count)
{
    memset(packet + SUM_AT, 0, 4);
    uint32_t sum = usrsctp_crc32c(packet, byte_count);
    if (below(16) > 0)
        memcpy(packet + SUM_AT, &sum, sizeof sum);
    web_client_send_raw(&liar->web, packet, byte_count);
    flood.lies++;
}

static void send_mutated(struct liar *liar)
{
    uint8_t packet[PACKET];
    size_t byte_count = liar->byte_count;
    memcpy(packet, liar->packet, byte_count);
    for (uint64_t flips = 1 + below(8); flips > 0; flips--)
        packet[CHUNK_AT + below(byte_count > CHUNK_AT ? byte_count - CHUNK_AT : 1)] = (uint8_t)below(256);
    if (below(4) == 0)
        byte_count = CHUNK_AT + below(byte_count - CHUNK_AT + 1);
    lie(liar, packet, byte_count);
}

// A chunk of some kind in the association, whose length is right, mostly. RFC 9260, 3.2.
static void send_chunk(struct liar *liar, uint8_t kind, uint8_t flags, size_t value_bytes)
{
    uint8_t packet[PACKET];
    memcpy(packet, liar->packet, CHUNK_AT);
    scribble(packet + CHUNK_AT, 4 + value_bytes);
    packet[CHUNK_AT] = kind;
    packet[CHUNK_AT + 1] = flags;
    uint64_t length = below(8) == 0 ? below(65536) : 4 + value_bytes;
    packet[CHUNK_AT + 2] = (uint8_t)(length >> 8);
    packet[CHUNK_AT + 3] = (uint8_t)length;
    if (below(2) == 0) // near what the server expects next, as far as the last packet says
        memcpy(packet + CHUNK_AT + 4, liar->packet + CHUNK_AT + 4, 3);
    lie(liar, packet, CHUNK_AT + 4 + ((value_bytes + 3) & ~(size_t)3));
}

static void send_lie(struct liar *liar)
{
    static const uint8_t kinds[] = {1,  2,  3,  4,  5,   7,   8,   9,   10,  11,  12,
                                    13, 14, 15, 64, 128, 129, 130, 132, 192, 193, 194};
    uint8_t bytes[PACKET];
    liar->lies = true;
    switch (below(LIES)) {
    case 0:
    case 1:
        send_mutated(liar);
        break;
    case 2: // fragments that begin and never end, also of other streams
        send_chunk(liar, 0, below(2) ? 2 : 0, 12 + below(1100));
        break;
    case 3: // acknowledgements and skips of anything
        send_chunk(liar, below(2) ? 3 : 192, 0, below(1100));
        break;
    case 4:
        send_chunk(liar, kinds[below(sizeof kinds)], (uint8_t)below(256), below(200));
        break;
    case 5: // whole messages on any stream, and DCEP, which nobody needs here
        scribble(bytes, sizeof bytes);
        web_client_send_as(&liar->web, (uint16_t)below(STREAMS), below(2) ? DCEP : (uint32_t)below(256), bytes,
                           1 + below(1100));
        break;
    case 6: // for the game: not what it expects
        scribble(bytes, sizeof bytes);
        web_client_send(&liar->web, bytes, 1 + below(PACKET - 100));
        break;
    default:
        scribble(bytes, sizeof bytes);
        web_client_send_raw(&liar->web, bytes, 1 + below(PACKET - 100));
        flood.lies++;
    }
    liar->lies = false;
}

static size_t make_rubbish(uint8_t *bytes)
{
    static const uint8_t stun[] =
        "\0\1\0\74\x21\x12\xa4\x42tttttttttttt\0\6\0\35deadfalldeadfalldeadfall:abcd\0\0\0\0\10\0\24";
    static const uint8_t hello[] = "\x16\xfe\xfd\0\0\0\0\0\0\0\0\0\107\1\0\0\73\0\0\0\0\0\0\0\73\xfe\xfd";
    bool is_stun = below(2);
    size_t byte_count = is_stun ? 80 : 84;
    scribble(bytes, byte_count);
    memcpy(bytes, is_stun ? stun : hello, is_stun ? sizeof stun - 1 : sizeof hello - 1);
    for (uint64_t flips = below(4); flips > 0; flips--)
        bytes[below(byte_count)] = (uint8_t)below(256);
    if (below(8) == 0)
        bytes[0] = (uint8_t)(20 + below(44)); // records of no handshake
    return below(10) ? byte_count : 1 + below(byte_count);
}

static void send_rubbish(void)
{
    for (size_t i = 0; i < BATCH; i++)
        flood.pieces[i].iov_len = make_rubbish(flood.datagrams[i]);
    int count = sendmmsg(flood.strangers[below(STRANGERS)], flood.messages, BATCH, 0);
    for (int i = 0; i < count; i++)
        flood.sent_bytes += flood.pieces[i].iov_len;
    flood.sent += count > 0 ? (uint64_t)count : 0;
}

static void take_answers(void)
{
    uint8_t bytes[2048];
    for (size_t i = 0; i < STRANGERS; i++)
        for (ssize_t count; (count = recv(flood.strangers[i], bytes, sizeof bytes, MSG_DONTWAIT)) > 0;) {
            flood.back++;
            flood.back_bytes += (uint64_t)count;
        }
}

static void serve(struct liar *liar, uint16_t port, uint64_t now_ms)
{
    struct web_client_hooks hooks = {.change = keep, .context = liar};
    if (liar->web.is_over) {
        web_client_close(&liar->web);
        liar->byte_count = 0;
    }
    if (liar->web.file < 0 && !web_client_open(&liar->web, port, &hooks, now_ms))
        liar->web.is_over = true;
    bool was_open = liar->web.is_open;
    web_client_receive(&liar->web, now_ms);
    web_client_update(&liar->web, now_ms);
    flood.channels += liar->web.is_open && !was_open;
    for (unsigned i = 0; i < 4 && liar->web.is_open && !liar->web.is_over && liar->byte_count > CHUNK_AT; i++)
        send_lie(liar);
}

static bool prepare(uint16_t port)
{
    struct sockaddr_in server = {.sin_family = AF_INET, .sin_port = htons(port), .sin_addr = {htonl(INADDR_LOOPBACK)}};
    for (size_t i = 0; i < STRANGERS; i++) {
        flood.strangers[i] = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
        if (flood.strangers[i] < 0 || connect(flood.strangers[i], (const struct sockaddr *)&server, sizeof server) != 0)
            return false;
    }
    for (size_t i = 0; i < BATCH; i++) {
        flood.pieces[i].iov_base = flood.datagrams[i];
        flood.messages[i].msg_hdr = (struct msghdr){.msg_iov = &flood.pieces[i], .msg_iovlen = 1};
    }
    for (size_t i = 0; i < LIARS; i++)
        flood.liars[i].web.file = -1;
    return web_client_start();
}

static void flow(uint16_t port, double seconds, double rate)
{
    uint64_t begun_ns = clock_now_ns(), now_ns, served_ms = 0;
    while ((now_ns = clock_now_ns()) - begun_ns < (uint64_t)(seconds * (double)CLOCK_SECOND_NS)) {
        double due = (double)(now_ns - begun_ns) / (double)CLOCK_SECOND_NS * rate;
        if ((double)flood.sent < due)
            send_rubbish();
        else
            nanosleep(&(struct timespec){.tv_nsec = 200000}, NULL);
        take_answers();
        uint64_t now_ms = now_ns / CLOCK_MS_NS;
        if (now_ms - served_ms < 4)
            continue;
        served_ms = now_ms;
        web_client_run_timers(now_ms);
        for (size_t i = 0; i < LIARS; i++)
            serve(&flood.liars[i], port, now_ms);
    }
}

int main(int argc, char **argv)
{
    long port = argc == 4 ? strtol(argv[1], NULL, 10) : 0;
    double seconds = argc == 4 ? strtod(argv[2], NULL) : 0, rate = argc == 4 ? strtod(argv[3], NULL) : -1;
    if (port < 1 || port > 65535 || seconds <= 0 || rate < 0) {
        fputs("usage: web_liar PORT SECONDS DATAGRAMS_PER_SECOND (floods only 127.0.0.1:PORT)\n", stderr);
        return 64;
    }
    if (!prepare((uint16_t)port)) {
        perror("web_liar");
        return 69;
    }
    flow((uint16_t)port, seconds, rate);
    printf("{\"sent\": %llu, \"sent_per_s\": %.0f, \"sent_bytes\": %llu, \"back\": %llu, \"back_bytes\": %llu, "
           "\"lies\": %llu, "
           "\"channels\": %llu}\n",
           (unsigned long long)flood.sent, (double)flood.sent / seconds, (unsigned long long)flood.sent_bytes,
           (unsigned long long)flood.back, (unsigned long long)flood.back_bytes, (unsigned long long)flood.lies,
           (unsigned long long)flood.channels);
    return 0;
}
