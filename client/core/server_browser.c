// SPDX-License-Identifier: MIT
#include "server_browser.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ASK            "\xFF\xFF\xFF\xFFTSource Engine Query" // with its zero
#define MARK           "\xFF\xFF\xFF\xFF"
#define MARK_BYTES     4u
#define KIND_CHALLENGE 'A'
#define KIND_INFO      'I'
#define EXTRA_PORT     0x80
#define EXTRA_ID       0x10
#define EXTRA_TV       0x40
#define EXTRA_KEYWORDS 0x20
#define TAKEN_AT_ONCE  64
#define KEY_WORD       ",key."

// Writes a request; `challenge` null: the first. Returns its bytes, at most 29.
static size_t write_request(uint8_t out[32], const uint8_t *challenge)
{
    memcpy(out, ASK, sizeof ASK);
    if (challenge)
        memcpy(out + sizeof ASK, challenge, 4);
    return sizeof ASK + (challenge ? 4 : 0);
}

/// An answer on its way in; `bad` once it was too short.
struct reader {
    const uint8_t *at, *end;
    bool bad;
};

static uint32_t take(struct reader *reader, size_t bytes)
{
    uint32_t value = 0;
    if ((size_t)(reader->end - reader->at) < bytes) {
        reader->bad = true;
        return 0;
    }
    for (size_t i = 0; i < bytes && i < 4; i++)
        value |= (uint32_t)reader->at[i] << 8 * i;
    reader->at += bytes;
    return value;
}

// Text to its zero, cut to what has room; control characters become blanks, half a character at the end goes.
static void take_text(struct reader *reader, char *text, size_t text_bytes)
{
    const uint8_t *zero = memchr(reader->at, 0, (size_t)(reader->end - reader->at));
    text[0] = 0;
    if (!zero) {
        reader->bad = true;
        return;
    }
    size_t length = (size_t)(zero - reader->at) < text_bytes ? (size_t)(zero - reader->at) : text_bytes - 1;
    memcpy(text, reader->at, length);
    while (reader->at[length] && length && (reader->at[length] & 0xC0) == 0x80)
        length--;
    text[length] = 0;
    for (char *c = text; *c; c++)
        *c = (uint8_t)*c < ' ' || *c == 0x7F ? ' ' : *c;
    reader->at = zero + 1;
}

// The mode stands first among the keywords; a word of its key may follow.
static void take_extras(struct reader *reader, struct server_browser_entry *server)
{
    char keywords[128];
    uint32_t extras = reader->at < reader->end ? take(reader, 1) : 0;
    take(reader, extras & EXTRA_PORT ? 2 : 0);
    take(reader, extras & EXTRA_ID ? 8 : 0);
    if (extras & EXTRA_TV) {
        take(reader, 2);
        take_text(reader, keywords, sizeof keywords);
    }
    if (!(extras & EXTRA_KEYWORDS))
        return;
    take_text(reader, keywords, sizeof keywords);
    snprintf(server->mode, sizeof server->mode, "%.*s", (int)strcspn(keywords, ",; "), keywords);
    const char *key = strstr(keywords, KEY_WORD);
    if (key)
        snprintf(server->key, sizeof server->key, "%.*s", (int)strcspn(key + strlen(KEY_WORD), ",; "),
                 key + strlen(KEY_WORD));
}

enum server_browser_answer server_browser_read(const uint8_t *bytes, size_t byte_count, uint8_t challenge[4],
                                               struct server_browser_entry *server)
{
    char skipped[SERVER_BROWSER_TEXT];
    struct reader reader = {bytes, bytes + byte_count, false};
    if (byte_count < MARK_BYTES + 1 || memcmp(bytes, MARK, MARK_BYTES))
        return SERVER_BROWSER_NOISE;
    take(&reader, MARK_BYTES);
    uint32_t kind = take(&reader, 1);
    if (kind == KIND_CHALLENGE && byte_count == MARK_BYTES + 5) {
        memcpy(challenge, reader.at, 4);
        return SERVER_BROWSER_CHALLENGE;
    }
    if (kind != KIND_INFO)
        return SERVER_BROWSER_NOISE;
    take(&reader, 1); // version of the protocol
    take_text(&reader, server->name, sizeof server->name);
    take_text(&reader, server->map, sizeof server->map);
    take_text(&reader, skipped, sizeof skipped);
    bool ours = !strcmp(skipped, "deadfall");
    take_text(&reader, skipped, sizeof skipped);
    take(&reader, 2); // number at Steam
    server->players = take(&reader, 1);
    server->players_max = take(&reader, 1);
    server->bots = take(&reader, 1);
    take(&reader, 2); // kind of server, system
    server->has_password = take(&reader, 1);
    take(&reader, 1); // guarded against cheats
    take_text(&reader, server->version, sizeof server->version);
    take_extras(&reader, server);
    return reader.bad || !ours ? SERVER_BROWSER_NOISE : SERVER_BROWSER_INFO;
}

bool server_browser_open(struct server_browser *browser, struct error *error)
{
    *browser = (struct server_browser){0};
    browser->open = udp_socket_open_query(&browser->port, error);
    return browser->open;
}

void server_browser_close(struct server_browser *browser)
{
    if (browser->open)
        udp_socket_close(&browser->port);
    browser->open = false;
}

static void ask(struct server_browser *browser, const struct net_address *to, const uint8_t *challenge, uint64_t now_us)
{
    uint8_t bytes[32];
    udp_socket_send(&browser->port, now_us * 1000, to, bytes, write_request(bytes, challenge));
}

static bool same_place(const struct net_address *a, const struct net_address *b)
{
    return a->byte_count == b->byte_count && !memcmp(a->bytes, b->bytes, a->byte_count);
}

// HOST:PORT of what a person typed: without scheme, key and slash.
static void add_address(struct server_browser *browser, const char *address, uint16_t port)
{
    static const char SCHEME[] = "deadfall://";
    char host[512];
    const char *start = strncmp(address, SCHEME, sizeof SCHEME - 1) ? address : address + sizeof SCHEME - 1;
    struct server_browser_entry *server = &browser->servers[browser->count];
    if (browser->count == SERVER_BROWSER_CAPACITY || strlen(address) >= sizeof server->address ||
        server_browser_find(browser, address))
        return;
    snprintf(host, sizeof host, "%.*s", (int)strcspn(start, "#/"), start);
    *server = (struct server_browser_entry){0};
    snprintf(server->address, sizeof server->address, "%s", address);
    char *name = *host == '[' ? host + 1 : host, *end = name + strcspn(name, *host == '[' ? "]" : ":");
    const char *colon = strchr(end, ':');
    unsigned long number = colon ? strtoul(colon + 1, NULL, 10) : port;
    *end = 0;
    if (number && number <= 65535 && udp_socket_find_address(&server->place, name, (uint16_t)number))
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
    for (uint32_t i = 0; i < index; i++) {
        const struct server_browser_entry *other = &browser->servers[i];
        if (server->key[0] && other->local && other->answered && !strcmp(other->key, server->key))
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
    // A network without a way out refuses the first; the second finds servers on this machine even then.
    static const char *const REACH[] = {"255.255.255.255", "127.255.255.255"};
    for (uint32_t i = 0; i < 2; i++)
        if (udp_socket_find_address(&browser->broadcasts[browser->broadcast_count], REACH[i], port))
            browser->broadcast_count++;
    for (uint32_t i = 0; i < address_count; i++)
        add_address(browser, addresses[i], port);
    browser->broadcast_us = 0;
    server_browser_step(browser, now_us);
}

static struct server_browser_entry *from_place(struct server_browser *browser, const struct net_address *from)
{
    for (uint32_t i = 0; i < browser->count; i++)
        if (same_place(&browser->servers[i].place, from))
            return &browser->servers[i];
    return NULL;
}

// Somebody who was not asked by address: he has heard the broadcast.
static struct server_browser_entry *welcome(struct server_browser *browser, const struct net_address *from)
{
    if (browser->count == SERVER_BROWSER_CAPACITY)
        return NULL;
    struct server_browser_entry *server = &browser->servers[browser->count++];
    *server = (struct server_browser_entry){.place = *from, .local = true, .asked_us = browser->broadcast_us};
    net_address_text(from, server->address);
    return server;
}

static void keep(struct server_browser_entry *server, const struct server_browser_entry *told, uint64_t now_us)
{
    struct server_browser_entry kept = *told;
    memcpy(kept.address, server->address, sizeof kept.address);
    kept.place = server->place;
    kept.local = server->local;
    kept.tries = server->tries;
    kept.asked_us = server->asked_us;
    kept.rtt_ms = server->answered ? server->rtt_ms : (uint32_t)((now_us - server->asked_us) / 1000);
    kept.answered = true;
    *server = kept;
}

static void take_answer(struct server_browser *browser, const struct net_address *from, const uint8_t *bytes,
                        size_t byte_count, uint64_t now_us)
{
    uint8_t challenge[4];
    struct server_browser_entry told = {0};
    enum server_browser_answer answer = server_browser_read(bytes, byte_count, challenge, &told);
    struct server_browser_entry *server = answer == SERVER_BROWSER_NOISE ? NULL : from_place(browser, from);
    if (answer == SERVER_BROWSER_CHALLENGE && !server)
        server = welcome(browser, from);
    if (!server) { // words of one who was never challenged are nobody's
        browser->dropped++;
        return;
    }
    if (answer == SERVER_BROWSER_INFO) {
        keep(server, &told, now_us);
    } else if (!server->answered) {
        server->asked_us = now_us;
        ask(browser, from, challenge, now_us);
    }
}

void server_browser_step(struct server_browser *browser, uint64_t now_us)
{
    struct net_address from;
    uint8_t bytes[DATAGRAM_BYTES_MAX];
    if (!browser->open)
        return;
    for (int i = 0; i < TAKEN_AT_ONCE; i++) {
        size_t count = udp_socket_receive(&browser->port, now_us * 1000, &from, bytes);
        if (!count)
            break;
        take_answer(browser, &from, bytes, count, now_us);
    }
    bool again = !browser->broadcast_us || now_us - browser->broadcast_us >= SERVER_BROWSER_TRY_US;
    if (again && browser->broadcast_tries < SERVER_BROWSER_TRIES) {
        browser->broadcast_tries++;
        browser->broadcast_us = now_us;
        for (uint32_t i = 0; i < browser->broadcast_count; i++)
            ask(browser, &browser->broadcasts[i], NULL, now_us);
    }
    for (uint32_t i = 0; i < browser->count; i++) {
        struct server_browser_entry *server = &browser->servers[i];
        if (server->answered || server->tries == SERVER_BROWSER_TRIES ||
            (server->asked_us && now_us - server->asked_us < SERVER_BROWSER_TRY_US))
            continue;
        server->tries++;
        server->asked_us = now_us;
        ask(browser, &server->place, NULL, now_us);
    }
}
