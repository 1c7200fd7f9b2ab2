// SPDX-License-Identifier: MIT
//
// Floods a directory with announcements of servers that do not exist, each signed with a key of its own, 32 an address,
// over HTTP from many loopback addresses at once (127.9.0.0 and on). Prints how many got which status, as JSON.
//
//   fake_servers PORT ADDRESSES PER_SECOND ROUNDS
//
// Each round is one announcement from each address; a slow machine takes longer, and sends as many.
#include <arpa/inet.h>
#include <netinet/in.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include "base/clock.h"
#include "discovery/announcement.h"

#define ADDRESSES_MAX     1000
#define STATUS_MAX        600
#define FAKES_PER_ADDRESS 32

static int files[ADDRESSES_MAX];
static struct fake {
    uint8_t key[SIGNED_TEXT_KEY_BYTES], secret[SIGNED_TEXT_SECRET_BYTES];
} fakes[ADDRESSES_MAX][FAKES_PER_ADDRESS];
static uint64_t statuses[STATUS_MAX], sent, lost;

static void reconnect(uint32_t i, uint16_t port)
{
    struct timeval patience = {.tv_sec = 20};
    struct sockaddr_in own = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(0x7F090000u + i)};
    struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    if (files[i] >= 0)
        close(files[i]);
    files[i] = socket(AF_INET, SOCK_STREAM, 0);
    setsockopt(files[i], SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    if (bind(files[i], (struct sockaddr *)&own, sizeof own) != 0 ||
        connect(files[i], (struct sockaddr *)&to, sizeof to) != 0) {
        close(files[i]);
        files[i] = -1;
    }
}

static void send_fake(uint32_t i, uint64_t round, uint16_t port)
{
    const struct fake *own = &fakes[i][round % FAKES_PER_ADDRESS];
    char request[ANNOUNCEMENT_BYTES_MAX + 256];
    size_t byte_count;
    struct announcement fake = {.time_ms = clock_unix_ns() / CLOCK_MS_NS,
                                .to = "directory",
                                .port = (uint16_t)(1024 + randombytes_uniform(60000)),
                                .facts = {.name = "FREE HATS",
                                          .mode = "ffa",
                                          .map = "duel",
                                          .version = "0.1.0",
                                          .protocol = 10,
                                          .players = 15,
                                          .places = 16}};
    char *text = announcement_write(&fake, own->key, own->secret, &byte_count);
    int count =
        snprintf(request, sizeof request, "POST /announce HTTP/1.1\r\nHost: directory\r\nContent-Length: %zu\r\n\r\n%s",
                 byte_count, text);
    free(text);
    if (files[i] < 0)
        reconnect(i, port);
    sent++;
    if (files[i] < 0 || send(files[i], request, (size_t)count, MSG_NOSIGNAL) != count) {
        lost++;
        reconnect(i, port);
    }
}

// One answer is shorter than a read.
static void receive(uint32_t i)
{
    char answer[2048];
    int status = 0;
    ssize_t count = files[i] < 0 ? 0 : recv(files[i], answer, sizeof answer - 1, 0);
    answer[count > 0 ? count : 0] = 0;
    if (count <= 0 && files[i] >= 0) {
        close(files[i]);
        files[i] = -1;
    }
    if (count > 0 && sscanf(answer, "HTTP/1.1 %d", &status) == 1 && status > 0 && status < STATUS_MAX)
        statuses[status]++;
    else
        lost++;
}

int main(int argc, char **argv)
{
    if (argc != 5 || sodium_init() < 0)
        return 64;
    uint16_t port = (uint16_t)atoi(argv[1]);
    uint32_t addresses = (uint32_t)atoi(argv[2]), per_s = (uint32_t)atoi(argv[3]);
    if (addresses == 0 || addresses > ADDRESSES_MAX || per_s == 0)
        return 64;
    memset(files, 0xFF, sizeof files);
    for (uint32_t i = 0; i < addresses * FAKES_PER_ADDRESS; i++) {
        struct fake *fake = &fakes[i / FAKES_PER_ADDRESS][i % FAKES_PER_ADDRESS];
        uint8_t seed[32];
        randombytes_buf(seed, sizeof seed);
        signed_text_keys(seed, fake->key, fake->secret);
    }
    uint64_t begun_ns = clock_now_ns(), rounds = (uint64_t)atoi(argv[4]);
    for (uint64_t round = 0; round < rounds; round++) {
        for (uint32_t i = 0; i < addresses; i++)
            send_fake(i, round, port);
        for (uint32_t i = 0; i < addresses; i++)
            receive(i);
        clock_sleep_until(begun_ns + (round + 1) * addresses * CLOCK_SECOND_NS / per_s);
    }
    printf("{\"sent\":%llu,\"lost\":%llu,\"seconds\":%.2f", (unsigned long long)sent, (unsigned long long)lost,
           (double)(clock_now_ns() - begun_ns) / 1e9);
    for (int i = 0; i < STATUS_MAX; i++)
        if (statuses[i])
            printf(",\"%d\":%llu", i, (unsigned long long)statuses[i]);
    printf("}\n");
    return 0;
}
