// SPDX-License-Identifier: MIT
//
// Writes a list of servers as a directory signs it, for tests: servers that do not exist, on ports of loopback that
// nobody listens to, or all on one port. The seed is that of the directory's key. With the key of a server that exists,
// the first one lies about where that server is, and the list about its age.
//
//   fake_list SEED COUNT [PORT [FINGERPRINT]]
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "discovery/server_list.h"
#include "wire/message.h"

static const char *const NAME_WORDS[] = {
    "Forge",  "Old mill",  "Café Hammer", "Night shift", "Steam & Stone",
    "Anvil",  "The Pit",   "Lift club",   "Zahnrad",     "Kuźnia",
    "Embers", "Foundry 9", "Low roof",    "Bellows",     "A name that is far too long for its place"};
static const char *const MODE_WORDS[] = {"ffa", "lms", "teams", "breakout"};
static const char *const MAP_WORDS[] = {"foundry", "duel", "clockwork", "colosseum", "skyline", "breakout"};
static const char *const REGION_WORDS[] = {"eu", "us-east", "us-west", "asia", ""};
#define PICK(list, i) (list)[(i) % (sizeof(list) / sizeof *(list))]

static void fill(struct server_list_entry *entry, uint32_t i, const char *port)
{
    uint8_t key[IDENTITY_BYTES] = {(uint8_t)i, (uint8_t)(i >> 8), 7};
    identity_fingerprint(key, entry->fingerprint);
    snprintf(entry->addresses[0], sizeof entry->addresses[0], "127.0.%u.%u:%.5s", 1 + i / 200, 1 + i % 200, port);
    entry->facts = (struct server_facts){.version = "0.1.0",
                                         .protocol = i % 17 == 5 ? PROTOCOL_VERSION + 1 : PROTOCOL_VERSION,
                                         .players = i * 7 % 13,
                                         .bots = i % 4,
                                         .places = 16,
                                         .has_password = i % 9 == 4};
    snprintf(entry->facts.name, sizeof entry->facts.name, "%s %u", PICK(NAME_WORDS, i * 31), i);
    snprintf(entry->facts.mode, sizeof entry->facts.mode, "%s", PICK(MODE_WORDS, i / 3));
    snprintf(entry->facts.map, sizeof entry->facts.map, "%s", PICK(MAP_WORDS, i / 2));
    snprintf(entry->facts.region, sizeof entry->facts.region, "%s", PICK(REGION_WORDS, i));
}

int main(int argc, char **argv)
{
    uint8_t seed[32] = {0}, key[SIGNED_TEXT_KEY_BYTES], secret[SIGNED_TEXT_SECRET_BYTES];
    size_t byte_count;
    if (argc < 3 || argc > 5 || sodium_init() < 0)
        return 64;
    seed[0] = (uint8_t)atoi(argv[1]);
    struct server_list list = {.made_s = clock_unix_s(), .count = (uint32_t)atoi(argv[2])};
    list.entries = calloc(list.count + 1, sizeof *list.entries);
    for (uint32_t i = 0; i < list.count; i++)
        fill(&list.entries[i], i, argc >= 4 ? argv[3] : "9");
    if (argc == 5 && list.count > 0) {
        list.made_s += 1000000;
        snprintf(list.entries->fingerprint, sizeof list.entries->fingerprint, "%s", argv[4]);
    }
    signed_text_keys(seed, key, secret);
    char *text = server_list_write(&list, key, secret, &byte_count);
    fwrite(text, 1, byte_count, stdout);
    free(text);
    free(list.entries);
    return 0;
}
