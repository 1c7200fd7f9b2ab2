// SPDX-License-Identifier: MIT
//
// Fuzzes the commands of a running match with any lines: by the first byte of the input, from an admin outside and from
// a player, or as bytes of the admin socket. Each line gets an answer, a refusal changes no ban, and the list of bans
// survives being written and read back. The next match begins when a command or a vote asks for it, and no player makes
// the server look for a map by the path of a file.
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "admin/admin_socket.h"
#include "admin/commands.h"
#include "base/utf8.h"
#include "lifecycle/map_loader.h"
#include "lifecycle/rotation.h"
#include "match/match.h"
#include "memory_network.h"
#include "require.h"
#include "sync/player_name.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static struct map map;
static struct admin_state admin;
static struct settings settings;
static struct log silent;
static struct tick_stats status;
static struct tick_clock ticks;
static struct rotation rotation;
static uint32_t lines_answered;
static struct admin_socket *admin_socket;
static int visitor = -1; // a client of that
static uint64_t now_us = 1000000;
static bool player_asks; // and not an admin

// Stands in for lifecycle/map_loader.c and its worker: prepares nothing but two maps, and answers at once.
struct map_loader {
    struct match_map maps[2];
    struct map_answer answer;
    bool answered;
};
static struct map_loader loader;
static const char *const map_names[] = {"fuzzed", "other"};

static int64_t noon(void)
{
    return 1800000000;
}

static const struct match_map *find_map(const char *name)
{
    require(!player_asks || !strpbrk(name, "/."));
    for (size_t i = 0; i < 2; i++)
        if (strcmp(name, map_names[i]) == 0)
            return &loader.maps[i];
    return NULL;
}

bool map_loader_read(const char *name, enum mode mode, struct map *opened, struct error *error)
{
    (void)mode;
    const struct match_map *found = find_map(name);
    if (found)
        *opened = found->map;
    return found || error_set(error, "there is no map %.50s", name);
}

void map_loader_ask(struct map_loader *asked, const struct map_request *request)
{
    struct map_answer *answer = &asked->answer;
    *answer = (struct map_answer){0};
    for (uint32_t i = 0; i < request->names.count && answer->playable_count < request->wanted; i++) {
        const struct match_map *found = find_map(request->names.values[i]);
        if (found && answer->playable_count == 0)
            answer->prepared = found;
        if (found)
            answer->playable[answer->playable_count++] = i;
        else
            answer->skipped = true, error_set(&answer->error, "there is no map");
    }
    asked->answered = true;
}

const struct map_answer *map_loader_answer(struct map_loader *asked)
{
    bool answered = asked->answered;
    asked->answered = false;
    return answered ? &asked->answer : NULL;
}

void map_loader_use(struct map_loader *asked, const struct match_map *prepared)
{
    require(prepared == &asked->maps[0] || prepared == &asked->maps[1]);
}

static void hear(void *context, const char *line, const struct fields *fields)
{
    (void)fields;
    (void)context;
    require(line[0] && strlen(line) <= COMMAND_ANSWER_BYTES_MAX);
    lines_answered++;
}

static void close_socket(void)
{
    admin_socket_close(admin_socket);
}

static void make_maps(void)
{
    map = (struct map){.columns = 20, .rows = 12, .spawn_count = 1};
    map.spawns[0] = (struct map_spawn){.x = 80, .y = 80};
    for (size_t i = 0; i < 2; i++) {
        snprintf(map.name, sizeof map.name, "%s", map_names[i]);
        match_map_begin(&loader.maps[i], &map);
    }
}

static void begin(void)
{
    char program[] = "deadfall-server", *words[] = {program, NULL};
    struct options_result result;
    require(options_read(&SERVER_PROGRAM, &settings, 1, words, getenv, stdout, &result) == OPTIONS_RUN);
    make_maps();
    strcpy(settings.map, map_names[0]);
    struct impairment perfect = {0};
    struct memory_network *network = memory_network_create(1, &perfect, 4);
    rotation_init(&rotation, &settings, &loader);
    admin = (struct admin_state){.settings = &settings,
                                 .log = &silent,
                                 .status = &status,
                                 .clock = &ticks,
                                 .rotation = &rotation,
                                 .unix_time = noon,
                                 .argc = 1};
    admin.match = match_create(&(struct match_config){.prepared = &loader.maps[0],
                                                      .rules = {.mode = MODE_FFA, .seed = 1},
                                                      .players_max = 4,
                                                      .snapshot_rate = 60,
                                                      .listener = command_listener_of(&admin)},
                               memory_network_server(network));
    require(admin.match != NULL);
    snprintf(settings.admin_socket, sizeof settings.admin_socket, "/tmp/commands_fuzz.%ld.sock", (long)getpid());
    require(admin_socket_open(&admin_socket, &admin) == EXIT_OK && admin_socket);
    atexit(close_socket);
}

// There is a player that a command can name, and who may vote.
static void join(uint32_t peer)
{
    if (admin.match->peers[peer].state == PEER_LOADING)
        admin.match->peers[peer].state = PEER_PLAYING; // as if it had answered the welcome
    if (admin.match->peers[peer].state == PEER_PLAYING)
        return;
    uint8_t bytes[MESSAGE_BYTES_MAX];
    struct message message = {.kind = MESSAGE_JOIN, .as.join = {.protocol = PROTOCOL_VERSION}};
    player_name_from_text(message.as.join.name, "Ann B");
    peer_connected(admin.match, peer,
                   &(struct net_client){.identity = {1}, .address = {.bytes = {192, 0, 2, 7, 0, 5}, .byte_count = 6}},
                   0);
    peer_messages_handle(admin.match, peer, bytes, message_encode(&message, bytes), 0);
    admin.match->statistics.ticks += VOTE_SENIORITY_TICKS;
    if (admin.match->peers[peer].state == PEER_LOADING)
        admin.match->peers[peer].state = PEER_PLAYING;
}

// As the main loop does between two ticks.
static void follow(void)
{
    const struct rotation_next *next = rotation_due(&rotation, admin.match);
    if (next)
        match_change(admin.match, next->map, &next->rules, now_us);
    command_question_send_answers(&admin);
}

static void same_after_writing(void)
{
    static struct ban_list again;
    struct error error;
    require(ban_list_write(&admin.bans, "bans", noon()));
    require(ban_list_read(&again, "bans", noon(), &error) == BAN_LIST_READ);
    require(again.count == admin.bans.count);
    for (uint32_t i = 0; i < again.count; i++)
        require(ban_target_equal(&again.rows[i].target, &admin.bans.rows[i].target) &&
                again.rows[i].until == admin.bans.rows[i].until &&
                strcmp(again.rows[i].reason, admin.bans.rows[i].reason) == 0);
}

static bool reads_files(const char *text, size_t length)
{
    return memmem(text, length, "reload", 6) || memmem(text, length, "password-file", 13);
}

static void take_line(const char *dirty, size_t length)
{
    char line[COMMAND_LINE_BYTES_MAX + 2];
    struct command_caller socket_caller = {COMMAND_CALLER_OUTSIDE, 0, true, "socket", hear, NULL, NULL},
                          player = {0, 0, false, "player", hear, NULL, NULL};
    if (reads_files(dirty, length) || utf8_clean(line, sizeof line, dirty, length) == 0 ||
        reads_files(line, strlen(line)))
        return;
    join(0);
    uint32_t bans = admin.bans.count;
    lines_answered = 0;
    require(command_run(&admin, &socket_caller, line) || admin.bans.count == bans);
    require(lines_answered > 0);
    bans = admin.bans.count;
    follow();
    join(0);
    player_asks = true;
    if (admin.match->peers[0].state == PEER_PLAYING)
        command_run(&admin, &player, line);
    player_asks = false;
    require(admin.bans.count == bans);
    follow();
}

static void take_lines(const uint8_t *data, size_t size)
{
    for (size_t at = 0; at < size;) {
        const uint8_t *end = memchr(data + at, '\n', size - at);
        size_t length = end ? (size_t)(end - data) - at : size - at;
        take_line((const char *)data + at, length < COMMAND_LINE_BYTES_MAX ? length : COMMAND_LINE_BYTES_MAX);
        at += length + 1;
    }
}

static void open_visitor(void)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    memcpy(address.sun_path, settings.admin_socket, sizeof address.sun_path - 1);
    visitor = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    require(connect(visitor, (const struct sockaddr *)&address, sizeof address) == 0);
}

// Each round takes one line. A last line break ends what the input has left open.
static void visit(const uint8_t *data, size_t size)
{
    static uint64_t now_ns = UINT64_C(1000000000);
    char answer[4096];
    if (reads_files((const char *)data, size))
        return;
    if (visitor < 0)
        open_visitor();
    bool sent = send(visitor, data, size, MSG_NOSIGNAL) == (ssize_t)size && send(visitor, "\n", 1, MSG_NOSIGNAL) == 1;
    size_t rounds = 3;
    for (size_t i = 0; i < size; i++)
        rounds += data[i] == '\n';
    ssize_t got = 0;
    for (; sent && got >= 0 && rounds > 0; rounds--) {
        admin_socket_serve(admin_socket, now_ns += 1000000);
        while ((got = recv(visitor, answer, sizeof answer, 0)) > 0)
            continue;
        got = got == 0 ? -1 : 0; // closed, or nothing more now
    }
    if (sent && got == 0)
        return;
    close(visitor);
    visitor = -1;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (!admin.match)
        begin();
    admin.bans.count = 0;
    if (size > 0 && data[0] & 1)
        visit(data + 1, size - 1);
    else if (size > 0)
        take_lines(data + 1, size - 1);
    follow();
    match_tick(admin.match, now_us += 16667);
    if (admin.bans.count > 0)
        same_after_writing();
    return 0;
}
