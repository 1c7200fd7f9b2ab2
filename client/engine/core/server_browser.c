// SPDX-License-Identifier: MIT
#include "server_browser.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/host_port.h"
#include "base/utf8.h"
#include "sync/game.h"

#define REQUEST          "\xFF\xFF\xFF\xFFTSource Engine Query" // with its zero
#define MARK             "\xFF\xFF\xFF\xFF"
#define MARK_BYTES       4u
#define KIND_CHALLENGE   'A'
#define KIND_INFO        'I'
#define EXTRA_PORT       0x80
#define EXTRA_ID         0x10
#define EXTRA_TV         0x40
#define EXTRA_KEYWORDS   0x20
#define ANSWERS_PER_STEP 64
#define KEY_WORD         ",key."
#define KEYWORD_ENDS     ",; "
#define CLOSES_WORD      ",closing"
#define PROTOCOL_WORD    ",protocol"
#define KEYWORDS_BYTES   320 // more than any server of ours has

// An answer being read; `bad` once it was too short.
struct reader {
    const uint8_t *at, *end;
    bool bad;
};

static void skip(struct reader *reader, size_t byte_count)
{
    reader->bad |= (size_t)(reader->end - reader->at) < byte_count;
    reader->at = reader->bad ? reader->end : reader->at + byte_count;
}

static uint8_t read_byte(struct reader *reader)
{
    uint8_t byte = reader->at < reader->end ? *reader->at : 0;
    skip(reader, 1);
    return byte;
}

// Reads text up to its zero, clean, cut at a whole character to what fits.
static void read_text(struct reader *reader, char *text, size_t text_bytes)
{
    const uint8_t *zero = memchr(reader->at, 0, (size_t)(reader->end - reader->at));
    utf8_clean(text, text_bytes, (const char *)reader->at, zero ? (size_t)(zero - reader->at) : 0);
    skip(reader, zero ? (size_t)(zero + 1 - reader->at) : SIZE_MAX);
}

// Reads the extra fields. The first keyword is the mode; CLOSES_WORD, one with the server's key and the names of
// variants may follow.
static void read_extras(struct reader *reader, struct server_browser_entry *server)
{
    char keywords[KEYWORDS_BYTES];
    server->mode[0] = server->key[0] = 0;
    server->closes = false;
    server->variants = server->protocol = 0;
    uint8_t extras = reader->at < reader->end ? read_byte(reader) : 0;
    skip(reader, extras & EXTRA_PORT ? 2 : 0);
    skip(reader, extras & EXTRA_ID ? 8 : 0);
    if (extras & EXTRA_TV) {
        skip(reader, 2);
        read_text(reader, keywords, sizeof keywords);
    }
    if (!(extras & EXTRA_KEYWORDS))
        return;
    read_text(reader, keywords, sizeof keywords);
    utf8_clean(server->mode, sizeof server->mode, keywords, strcspn(keywords, KEYWORD_ENDS));
    server->closes = strstr(keywords, CLOSES_WORD) != NULL;
    // Words that name no variant are none of ours, or of a later version.
    for (const char *at = keywords + strcspn(keywords, KEYWORD_ENDS); *at; at += strcspn(at, KEYWORD_ENDS)) {
        char word[32];
        at += strspn(at, KEYWORD_ENDS);
        snprintf(word, sizeof word, "%.*s", (int)strcspn(at, KEYWORD_ENDS), at);
        server->variants |= game_variant(word);
    }
    const char *key = strstr(keywords, KEY_WORD), *protocol = strstr(keywords, PROTOCOL_WORD);
    server->protocol = protocol ? (uint32_t)strtoul(protocol + strlen(PROTOCOL_WORD), NULL, 10) : 0;
    if (key)
        utf8_clean(server->key, sizeof server->key, key + strlen(KEY_WORD),
                   strcspn(key + strlen(KEY_WORD), KEYWORD_ENDS));
}

enum server_browser_answer server_browser_read(const uint8_t *bytes, size_t byte_count, uint8_t challenge[4],
                                               struct server_browser_entry *server)
{
    char skipped[SERVER_BROWSER_TEXT];
    struct reader reader = {bytes, bytes + byte_count, false};
    if (byte_count < MARK_BYTES || memcmp(bytes, MARK, MARK_BYTES))
        return SERVER_BROWSER_NOISE;
    skip(&reader, MARK_BYTES);
    uint8_t kind = read_byte(&reader);
    if (kind == KIND_CHALLENGE && byte_count == MARK_BYTES + 5) {
        memcpy(challenge, reader.at, 4);
        return SERVER_BROWSER_CHALLENGE;
    }
    if (kind != KIND_INFO)
        return SERVER_BROWSER_NOISE;
    skip(&reader, 1); // protocol version
    read_text(&reader, server->name, sizeof server->name);
    read_text(&reader, server->map, sizeof server->map);
    read_text(&reader, skipped, sizeof skipped);
    bool is_deadfall = !strcmp(skipped, "deadfall");
    read_text(&reader, skipped, sizeof skipped);
    skip(&reader, 2); // Steam's number
    server->players = read_byte(&reader);
    server->players_max = read_byte(&reader);
    server->bots = read_byte(&reader);
    skip(&reader, 2); // kind of server, system
    server->has_password = read_byte(&reader);
    skip(&reader, 1); // cheat protection
    read_text(&reader, server->version, sizeof server->version);
    read_extras(&reader, server);
    return reader.bad || !is_deadfall ? SERVER_BROWSER_NOISE : SERVER_BROWSER_INFO;
}

bool server_browser_open(struct server_browser *browser, struct error *error)
{
    *browser = (struct server_browser){0};
    browser->open = udp_socket_open_query(&browser->socket, error);
    return browser->open;
}

void server_browser_close(struct server_browser *browser)
{
    if (browser->open)
        udp_socket_close(&browser->socket);
    browser->open = false;
}

// Sends a request, the first one if `challenge` is null.
static void send_request(struct server_browser *browser, const struct net_address *to, const uint8_t *challenge,
                         uint64_t now_us)
{
    uint8_t bytes[sizeof REQUEST + 4] = REQUEST;
    if (challenge)
        memcpy(bytes + sizeof REQUEST, challenge, 4);
    udp_socket_send(&browser->socket, now_us * 1000, to, bytes, sizeof REQUEST + (challenge ? 4 : 0));
}

// Adds the server of an address that a person typed: HOST[:PORT], with or without scheme, key and slash. One behind a
// router, which only its directory can introduce, would not hear the question.
static void add_address(struct server_browser *browser, const char *address, uint16_t port)
{
    static const char SCHEME[] = "deadfall://";
    const char *start = strncmp(address, SCHEME, sizeof SCHEME - 1) ? address : address + sizeof SCHEME - 1;
    struct server_browser_entry *server = &browser->servers[browser->count];
    struct host_port host;
    if (browser->count == SERVER_BROWSER_CAPACITY || strlen(address) >= sizeof server->address ||
        strchr(address, '@') || server_browser_find(browser, address) ||
        !host_port_parse(start, strcspn(start, "#/"), &host))
        return;
    *server = (struct server_browser_entry){0};
    snprintf(server->address, sizeof server->address, "%s", address);
    port = host.has_port ? host.port : port;
    if (port && ip_address_find(&server->net_address, host.host, port, IP_ADDRESS_ANY))
        browser->count++;
}

const struct server_browser_entry *server_browser_find(const struct server_browser *browser, const char *address)
{
    for (uint32_t i = 0; i < browser->count; i++)
        if (!strcmp(browser->servers[i].address, address))
            return &browser->servers[i];
    return NULL;
}

bool server_browser_lists(const struct server_browser *browser, uint32_t index)
{
    const struct server_browser_entry *server = &browser->servers[index];
    bool is_here = ip_address_is_loopback(&server->net_address);
    for (uint32_t i = 0; i < browser->count && server->key[0]; i++) {
        const struct server_browser_entry *other = &browser->servers[i];
        if (other->local && other->answered && ip_address_is_loopback(&other->net_address) &&
            (i < index || (i > index && !is_here)) && !strcmp(other->key, server->key))
            return false;
    }
    return server->local && server->answered;
}

void server_browser_search(struct server_browser *browser, uint16_t port, const char (*addresses)[512],
                           uint32_t address_count, uint64_t now_us)
{
    if (!browser->open)
        return;
    browser->count = browser->broadcast_count = browser->broadcast_tries = 0;
    browser->changes++;
    // A network without a route out refuses the first; the second finds servers on this machine even then.
    static const char *const BROADCAST_HOSTS[] = {"255.255.255.255", "127.255.255.255"};
    for (uint32_t i = 0; i < 2; i++)
        if (ip_address_find(&browser->broadcasts[browser->broadcast_count], BROADCAST_HOSTS[i], port, IP_ADDRESS_ANY))
            browser->broadcast_count++;
    for (uint32_t i = 0; i < address_count; i++)
        add_address(browser, addresses[i], port);
    server_browser_step(browser, now_us);
}

static struct server_browser_entry *find_by_net_address(struct server_browser *browser, const struct net_address *from)
{
    for (uint32_t i = 0; i < browser->count; i++)
        if (net_address_equals(&browser->servers[i].net_address, from))
            return &browser->servers[i];
    return NULL;
}

bool server_browser_ask(struct server_browser *browser, const char *address, uint64_t now_us)
{
    struct net_address net_address;
    struct host_port place;
    if (!browser->open || !host_port_is_numeric(address) || !host_port_parse(address, SIZE_MAX, &place) ||
        !ip_address_parse(&net_address, place.host, place.port))
        return true;
    struct server_browser_entry *server = find_by_net_address(browser, &net_address);
    if (server ? server->answered || server->tries == SERVER_BROWSER_TRIES : browser->count == SERVER_BROWSER_CAPACITY)
        return true;
    if (now_us < browser->next_us || (server && now_us - server->asked_us < SERVER_BROWSER_TRY_US))
        return now_us >= browser->next_us; // one that is still being asked does not hold up the others
    if (!server) {
        server = &browser->servers[browser->count++];
        *server = (struct server_browser_entry){.net_address = net_address, .listed = true};
        snprintf(server->address, sizeof server->address, "%s", address);
    }
    browser->next_us = now_us + SERVER_BROWSER_NEXT_US;
    browser->changes++;
    server->tries++;
    server->asked_us = now_us;
    send_request(browser, &net_address, NULL, now_us);
    return true;
}

bool server_browser_is_silent(const struct server_browser_entry *server, uint64_t now_us)
{
    return !server->answered && server->tries == SERVER_BROWSER_TRIES &&
           now_us - server->asked_us >= SERVER_BROWSER_TRY_US;
}

static void take_answer(struct server_browser *browser, const struct net_address *from, const uint8_t *bytes,
                        size_t byte_count, uint64_t now_us)
{
    uint8_t challenge[4];
    struct server_browser_entry *server = find_by_net_address(browser, from);
    struct server_browser_entry info = server ? *server : (struct server_browser_entry){0};
    enum server_browser_answer answer = server_browser_read(bytes, byte_count, challenge, &info);
    // One that was not asked by its address answers a broadcast.
    if (answer == SERVER_BROWSER_CHALLENGE && !server && browser->count < SERVER_BROWSER_CAPACITY) {
        server = &browser->servers[browser->count++];
        *server = (struct server_browser_entry){.net_address = *from, .local = true};
        net_address_text(from, server->address);
    }
    if (answer == SERVER_BROWSER_NOISE || !server) { // an info from an address that was never challenged may be forged
        browser->dropped++;
    } else if (server->answered) {
        return; // the first answer stays: a later one may be forged in its name
    } else if (answer == SERVER_BROWSER_INFO) {
        info.rtt_ms = (uint32_t)((now_us - server->asked_us) / 1000);
        info.answered = true;
        *server = info;
        browser->changes++;
    } else {
        server->asked_us = now_us;
        send_request(browser, from, challenge, now_us);
    }
}

void server_browser_step(struct server_browser *browser, uint64_t now_us)
{
    struct net_address from;
    uint8_t bytes[DATAGRAM_BYTES_MAX];
    if (!browser->open)
        return;
    for (int i = 0; i < ANSWERS_PER_STEP; i++) {
        size_t count = udp_socket_receive(&browser->socket, now_us * 1000, &from, bytes);
        if (!count)
            break;
        take_answer(browser, &from, bytes, count, now_us);
    }
    bool again = browser->broadcast_tries == 0 || now_us - browser->broadcast_us >= SERVER_BROWSER_TRY_US;
    if (again && browser->broadcast_tries < SERVER_BROWSER_TRIES) {
        browser->broadcast_tries++;
        browser->broadcast_us = now_us;
        for (uint32_t i = 0; i < browser->broadcast_count; i++)
            send_request(browser, &browser->broadcasts[i], NULL, now_us);
    }
    for (uint32_t i = 0; i < browser->count; i++) {
        struct server_browser_entry *server = &browser->servers[i];
        if (server->answered || server->listed || server->tries == SERVER_BROWSER_TRIES ||
            (server->asked_us && now_us - server->asked_us < SERVER_BROWSER_TRY_US))
            continue;
        server->tries++;
        server->asked_us = now_us;
        send_request(browser, &server->net_address, NULL, now_us);
    }
}
