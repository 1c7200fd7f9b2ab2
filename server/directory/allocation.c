// SPDX-License-Identifier: MIT
#include "allocation.h"

#include <jansson.h>
#include <stdio.h>
#include <string.h>

#define LETTERS    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-."
#define SCHEME     "deadfall://"
#define INVITATION "agones.dev/sdk-invitation"
// As the gateway of gRPC puts the codes RESOURCE_EXHAUSTED and ABORTED. An allocator can be set to another one for the
// first, but not to another message.
#define STATUS_NO_ARENA   429
#define STATUS_CONTENTION 409
#define NO_ARENA          "there is no available GameServer to allocate"

bool allocation_word_is_valid(const char *text)
{
    return strlen(text) < ALLOCATION_WORD_BYTES && strspn(text, LETTERS "_") == strlen(text);
}

static json_t *write_selector(const struct allocation *allocation, const char *state)
{
    json_t *labels = json_pack("{s:s, s:s}", "agones.dev/fleet", allocation->fleet, "agones.dev/sdk-open", "true");
    if (labels && allocation->mode[0])
        json_object_set_new(labels, "agones.dev/sdk-mode", json_string(allocation->mode));
    return json_pack("{s:o, s:s, s:{s:{s:i}}}", "matchLabels", labels, "gameServerState", state, "lists", "players",
                     "minAvailable", 1);
}

char *allocation_write(const struct allocation *allocation)
{
    json_auto_t *object =
        json_pack("{s:s, s:[o, o], s:[{s:s, s:s, s:s}], s:{s:{s:[s]}}}", "namespace", allocation->name_space,
                  "gameServerSelectors", write_selector(allocation, "ALLOCATED"), write_selector(allocation, "READY"),
                  "priorities", "type", "List", "key", "players", "order", "Ascending", "lists", "players", "addValues",
                  allocation->player);
    return object ? json_dumps(object, JSON_COMPACT) : NULL;
}

bool allocation_is_none(long status, const char *text, size_t byte_count)
{
    if (status == STATUS_NO_ARENA || status == STATUS_CONTENTION)
        return true;
    json_auto_t *object = json_loadb(text, byte_count, JSON_REJECT_DUPLICATES, NULL);
    const char *message = json_string_value(json_object_get(object, "message"));
    return message && strcmp(message, NO_ARENA) == 0;
}

bool allocation_read(const char *text, size_t byte_count, char place[ALLOCATION_PLACE_BYTES])
{
    struct host_port address;
    json_auto_t *object = json_loadb(text, byte_count, JSON_REJECT_DUPLICATES, NULL);
    const json_t *annotations = json_object_get(json_object_get(object, "metadata"), "annotations");
    const char *invitation = json_string_value(json_object_get(annotations, INVITATION));
    if (!invitation || strncmp(invitation, SCHEME, strlen(SCHEME)) != 0)
        return false;
    const char *server = invitation + strlen(SCHEME), *fingerprint = strchr(server, '#');
    if (!fingerprint || strlen(server) >= ALLOCATION_PLACE_BYTES || !identity_fingerprint_is_valid(fingerprint + 1) ||
        !host_port_parse(server, (size_t)(fingerprint - server), &address) || address.port == 0 ||
        strspn(address.host, LETTERS ":") != strlen(address.host))
        return false;
    strcpy(place, server);
    return true;
}
