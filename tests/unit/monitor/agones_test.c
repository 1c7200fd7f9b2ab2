// SPDX-License-Identifier: MIT
//
// Tests what the server sends to Agones, with a sidecar that records its requests. Waits end when a request arrives or
// fail after some seconds; no test depends on how long one took.
#include "monitor/agones.h"
#include "test.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

static struct status_publisher publisher = STATUS_PUBLISHER_INITIAL;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char heard[65536]; // "METHOD PATH BODY", a line each
static int listener, watcher = -1;
static uint16_t port;
static struct log out;
static char logged[2048];

static void answer_one(int file)
{
#define OK "HTTP/1.0 200 OK\r\n\r\n"
    static const char *const answers[][2] = {
        {"/watch/gameserver", OK}, // and stays open
        {"/gameserver", OK "{\"spec\":{\"health\":{\"period_seconds\":40}},\"status\":{\"address\":\"::1\","
                           "\"ports\":[{\"name\":\"game\",\"port\":1}]}}"},
        {"/v1beta1/lists/players", OK "{\"capacity\":\"0\",\"values\":[]}"},
        {"", OK "{}"}};
    char request[2048] = "", method[8], path[100];
    size_t used = 0;
    const char *body = NULL;
    while (!body || strlen(body) < strtoul(strstr(request, "Content-Length: ") + 16, NULL, 10)) {
        ssize_t count = recv(file, request + used, sizeof request - 1 - used, 0);
        if (count <= 0)
            break;
        used += (size_t)count;
        request[used] = 0;
        body = strstr(request, "\r\n\r\n");
        body = body ? body + 4 : NULL;
    }
    if (!body || sscanf(request, "%7s %99s", method, path) != 2) {
        close(file);
        return;
    }
    pthread_mutex_lock(&lock);
    size_t length = strlen(heard);
    snprintf(heard + length, sizeof heard - length, "%s %s %s\n", method, path, body);
    pthread_mutex_unlock(&lock);
    size_t row = 0;
    while (row < 3 && strcmp(path, answers[row][0]) != 0)
        row++;
    send(file, answers[row][1], strlen(answers[row][1]), MSG_NOSIGNAL);
    if (row > 0) {
        close(file);
        return;
    }
    pthread_mutex_lock(&lock);
    watcher = file;
    pthread_mutex_unlock(&lock);
}

static void *serve(void *context)
{
    (void)context;
    for (int file; (file = accept(listener, NULL, NULL)) >= 0;)
        answer_one(file);
    return NULL;
}

// Waits until a line has come this many times.
static void wait_for(const char *line, uint32_t times)
{
    for (int i = 0; i < 4000; i++) {
        uint32_t count = 0;
        pthread_mutex_lock(&lock);
        for (const char *at = heard; (at = strstr(at, line)); at++)
            count++;
        pthread_mutex_unlock(&lock);
        if (count == times)
            return;
        nanosleep(&(struct timespec){.tv_nsec = 2000000}, NULL);
    }
    fail_msg("\"%s\" did not come %u times: %s", line, times, heard);
}

static void play(uint32_t players)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    pthread_mutex_lock(&publisher.lock);
    publisher.snapshot.written_ns = (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
    publisher.snapshot.players = players;
    publisher.snapshot.world.players[3].state = players > 0 ? PLAYER_ALIVE : PLAYER_ABSENT;
    publisher.snapshot.world.players[4] = (struct player){.state = PLAYER_ALIVE, .flags = PLAYER_BOT};
    pthread_mutex_unlock(&publisher.lock);
}

TEST(agones_follows_a_match_from_start_to_end)
{
    static const char end[] = "{\"result\":{\"status\":{\"state\":\"Shutdown\"}}}\n";
    static const char other[] = "{\"result\":{\"status\":{\"state\":\"Ready\"}}}\nrubbish\n";
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t length = sizeof address;
    pthread_t thread;
    listener = socket(AF_INET, SOCK_STREAM, 0);
    assert_int_equal(bind(listener, (const struct sockaddr *)&address, sizeof address), 0);
    getsockname(listener, (struct sockaddr *)&address, &length);
    port = ntohs(address.sin_port);
    assert_int_equal(listen(listener, 8), 0);
    assert_int_equal(pthread_create(&thread, NULL, serve, NULL), 0);
    out = (struct log){.out = fmemopen(logged, sizeof logged, "w"), .level = LOG_INFO};
    setvbuf(out.out, NULL, _IONBF, 0);
    publisher.snapshot.maps = 1;
    memcpy(publisher.snapshot.map.name, "arena", 5);
    publisher.snapshot.world.rules.mode = MODE_LMS;
    play(0);
    struct agones *agones = agones_open(port, "thekey", &publisher, &out);
    assert_non_null(agones);
    wait_for("GET /gameserver \n", 1);
    wait_for("POST /ready {}\n", 1);
    wait_for("POST /health {}\n", 1);
    wait_for("PUT /metadata/label {\"key\":\"map\",\"value\":\"arena\"}\n", 1);
    wait_for("PUT /metadata/label {\"key\":\"mode\",\"value\":\"lms\"}\n", 1);
    wait_for("GET /watch/gameserver \n", 1);
    pthread_mutex_lock(&publisher.lock);
    publisher.snapshot.maps = 2;
    memcpy(publisher.snapshot.map.name, "duel\0", 5);
    pthread_mutex_unlock(&publisher.lock);
    wait_for("PUT /metadata/label {\"key\":\"map\",\"value\":\"duel\"}\n", 1);
    wait_for("POST /allocate {}\n", 0); // in a later round, with still nobody playing
    play(1);
    wait_for("POST /allocate {}\n", 1);
    wait_for("POST /v1beta1/lists/players:addValue {\"value\":\"slot-3\"}\n", 1);
    play(0);
    wait_for("POST /v1beta1/lists/players:removeValue {\"value\":\"slot-3\"}\n", 1);
    wait_for("POST /ready {}\n", 2);
    assert_null(strstr(heard, "slot-4")); // a bot
    assert_non_null(strstr(logged, "Agones is there; health every 20000 ms"));
    wait_for("POST /health {}\n", 1);
    assert_true(send(watcher, other, sizeof other - 1, MSG_NOSIGNAL) > 0);
    assert_false(agones_wants_shutdown(agones));
    assert_true(send(watcher, end, sizeof end - 1, MSG_NOSIGNAL) > 0);
    for (int i = 0; i < 4000 && !agones_wants_shutdown(agones); i++)
        nanosleep(&(struct timespec){.tv_nsec = 2000000}, NULL);
    assert_true(agones_wants_shutdown(agones));
    agones_close(agones);
    wait_for("POST /shutdown {}\n", 1);
    shutdown(listener, SHUT_RDWR);
    pthread_join(thread, NULL);
    close(listener);
    close(watcher);
    fclose(out.out);
    assert_false(agones_wants_shutdown(NULL));
    agones_close(NULL);
}
