// SPDX-License-Identifier: MIT
//
// Floods a server on this machine with datagrams of strangers: flood PORT SECONDS RATE. In equal parts noise, sealed
// datagrams of no session, HELLOs with nonces of their own, and JOINs that bring a cookie which the server has given to
// this very address, with contents that no client has encrypted. Sends only to 127.0.0.1. Prints one line of JSON: what
// was sent and what came back.
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/little_endian.h"
#include "base/random.h"
#include "net/crypto/handshake.h"
#include "wire/message.h"

enum {
    BATCH = 64,
    KINDS = 4,
    VERSION_AT = 1,
    NONCE_AT = 5,
    COOKIE_AT = 9,
    JOIN_COOKIE_AT = 13,
    COOKIE_PART_BYTES = 17
};

struct flood {
    int file;
    uint64_t random;
    uint64_t sent, sent_bytes, refused, back, back_bytes, odd;
    uint8_t datagrams[BATCH][HELLO_BYTES];
    struct iovec pieces[BATCH];
    struct mmsghdr messages[BATCH];
    uint8_t cookie[COOKIE_BYTES]; ///< the newest that came
};

// Renews what differs from one datagram of a kind to the next. Returns its size in bytes.
static size_t renew(struct flood *flood, uint64_t number, uint8_t *bytes)
{
    uint64_t noise = random_next64(&flood->random);
    switch (number % KINDS) {
    case 0: // noise
        memcpy(bytes, &noise, sizeof noise);
        return 1 + noise % 200;
    case 1: // of no session
        bytes[0] = DATAGRAM_ENCRYPTED;
        memcpy(bytes + 1, &noise, sizeof noise);
        return 80;
    case 2:
        bytes[0] = DATAGRAM_HELLO;
        little_endian_write(bytes + VERSION_AT, HANDSHAKE_VERSION, 4);
        memcpy(bytes + NONCE_AT, &noise, NONCE_BYTES);
        return HELLO_BYTES;
    default:
        bytes[0] = DATAGRAM_JOIN;
        little_endian_write(bytes + VERSION_AT, HANDSHAKE_VERSION, 4);
        memcpy(bytes + NONCE_AT, flood->cookie + 1, NONCE_BYTES);
        memcpy(bytes + JOIN_COOKIE_AT, flood->cookie + COOKIE_AT, COOKIE_PART_BYTES);
        little_endian_write(bytes + JOIN_COOKIE_AT + COOKIE_PART_BYTES, PROTOCOL_VERSION, 4);
        memcpy(bytes + 66, &noise, sizeof noise); // another ephemeral key each time
        return JOIN_BYTES;
    }
}

static void send_batch(struct flood *flood)
{
    for (uint64_t i = 0; i < BATCH; i++)
        flood->pieces[i].iov_len = renew(flood, i, flood->datagrams[i]);
    int count = sendmmsg(flood->file, flood->messages, BATCH, 0);
    flood->refused += count < 0;
    for (int i = 0; i < count; i++)
        flood->sent_bytes += flood->pieces[i].iov_len;
    flood->sent += count > 0 ? (uint64_t)count : 0;
}

static void take_answers(struct flood *flood)
{
    uint8_t bytes[2048];
    for (ssize_t count; (count = recv(flood->file, bytes, sizeof bytes, MSG_DONTWAIT)) > 0;) {
        flood->back++;
        flood->back_bytes += (uint64_t)count;
        flood->odd += bytes[0] != DATAGRAM_COOKIE && bytes[0] != DATAGRAM_DENY && bytes[0] != DATAGRAM_RESET;
        if (bytes[0] == DATAGRAM_COOKIE && count == COOKIE_BYTES)
            memcpy(flood->cookie, bytes, COOKIE_BYTES);
    }
}

static uint64_t flow(struct flood *flood, double seconds, double rate)
{
    uint64_t begun_ns = clock_now_ns(), end_ns = begun_ns + (uint64_t)(seconds * (double)CLOCK_SECOND_NS), now;
    while ((now = clock_now_ns()) < end_ns) {
        double due = (double)(now - begun_ns) / (double)CLOCK_SECOND_NS * rate;
        if ((double)flood->sent < due)
            send_batch(flood);
        else
            nanosleep(&(struct timespec){.tv_nsec = 200000}, NULL);
        take_answers(flood);
    }
    return now - begun_ns;
}

int main(int argc, char **argv)
{
    static struct flood flood = {.random = 1};
    long port = argc == 4 ? strtol(argv[1], NULL, 10) : 0;
    double seconds = argc == 4 ? strtod(argv[2], NULL) : 0, rate = argc == 4 ? strtod(argv[3], NULL) : 0;
    int buffer_bytes = 4 << 20;
    if (port < 1 || port > 65535 || seconds <= 0 || rate <= 0) {
        fputs("usage: flood PORT SECONDS DATAGRAMS_PER_SECOND (floods only 127.0.0.1:PORT)\n", stderr);
        return 64;
    }
    struct sockaddr_in server = {
        .sin_family = AF_INET, .sin_port = htons((uint16_t)port), .sin_addr = {htonl(INADDR_LOOPBACK)}};
    flood.file = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    setsockopt(flood.file, SOL_SOCKET, SO_RCVBUF, &buffer_bytes, sizeof buffer_bytes);
    if (flood.file < 0 || connect(flood.file, (const struct sockaddr *)&server, sizeof server) != 0) {
        fprintf(stderr, "flood: no socket to 127.0.0.1:%ld: %s\n", port, strerror(errno));
        return 69;
    }
    for (uint64_t i = 0; i < BATCH; i++) {
        flood.pieces[i].iov_base = flood.datagrams[i];
        flood.messages[i].msg_hdr = (struct msghdr){.msg_iov = &flood.pieces[i], .msg_iovlen = 1};
    }
    double took_s = (double)flow(&flood, seconds, rate) / (double)CLOCK_SECOND_NS;
    nanosleep(&(struct timespec){.tv_nsec = 300000000}, NULL);
    take_answers(&flood);
    printf("{\"seconds\": %.3f, \"sent\": %llu, \"sent_per_s\": %.0f, \"sent_bytes\": %llu, \"refused\": %llu, "
           "\"back\": %llu, \"back_bytes\": %llu, \"odd\": %llu}\n",
           took_s, (unsigned long long)flood.sent, (double)flood.sent / took_s, (unsigned long long)flood.sent_bytes,
           (unsigned long long)flood.refused, (unsigned long long)flood.back, (unsigned long long)flood.back_bytes,
           (unsigned long long)flood.odd);
    close(flood.file);
    return 0;
}
