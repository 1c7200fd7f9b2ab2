// SPDX-License-Identifier: MIT
#include "server_list.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/host_port.h"

#define PURPOSE "servers 1"

static json_t *write_addresses(const char *ipv4, const char *ipv6)
{
    const char *addresses[] = {ipv4, ipv6};
    json_t *array = json_array();
    for (size_t i = 0; i < 2; i++)
        if (addresses[i][0])
            json_array_append_new(array, json_string(addresses[i]));
    return array;
}

static json_t *write_entry(const struct server_list_entry *entry)
{
    json_t *object = json_pack("{s:s, s:o}", "key", entry->fingerprint, "addresses",
                               write_addresses(entry->addresses[0], entry->addresses[1]));
    bool good = object && announcement_facts_write(&entry->facts, object);
    if (good && (entry->mappings[0][0] || entry->mappings[1][0]))
        good = json_object_set_new(object, "punched", write_addresses(entry->mappings[0], entry->mappings[1])) == 0 &&
               json_object_set_new(object, "punch_port", json_integer(entry->punch_port)) == 0;
    if (good)
        return object;
    json_decref(object);
    return NULL;
}

char *server_list_write(const struct server_list *list, const uint8_t key[SIGNED_TEXT_KEY_BYTES],
                        const uint8_t secret[SIGNED_TEXT_SECRET_BYTES], size_t *byte_count)
{
    char key_text[2 * SIGNED_TEXT_KEY_BYTES + 1];
    json_t *servers = json_array();
    bool good = servers != NULL;
    for (uint32_t i = 0; i < list->count && good; i++)
        good = json_array_append_new(servers, write_entry(&list->entries[i])) == 0;
    signed_text_write_key(key, key_text);
    json_auto_t *object = json_pack("{s:s, s:s, s:I, s:o}", "deadfall", PURPOSE, "key", key_text, "made_s",
                                    (json_int_t)list->made_s, "servers", servers);
    good = good && object && (!list->host[0] || json_object_set_new(object, "host", json_string(list->host)) == 0);
    return good ? signed_text_write(object, secret, byte_count) : NULL;
}

// Takes at most one address of each family.
static bool read_addresses(const json_t *array, char addresses[2][NET_ADDRESS_TEXT_BYTES])
{
    const json_t *address;
    size_t row;
    json_array_foreach(array, row, address)
    {
        const char *text = json_string_value(address);
        size_t family = text && text[0] == '[';
        if (!text || strlen(text) >= NET_ADDRESS_TEXT_BYTES || !host_port_is_numeric(text) || addresses[family][0])
            return false;
        strcpy(addresses[family], text);
    }
    return true;
}

static bool read_entry(const json_t *object, struct server_list_entry *entry)
{
    const json_t *addresses = json_object_get(object, "addresses"), *mappings = json_object_get(object, "punched");
    const char *fingerprint = json_string_value(json_object_get(object, "key"));
    json_int_t punch_port = json_integer_value(json_object_get(object, "punch_port"));
    bool has_mapping = json_array_size(mappings) > 0;
    entry->punch_port = has_mapping ? (uint16_t)punch_port : 0;
    if ((has_mapping && (punch_port < 1 || punch_port > UINT16_MAX)) || !fingerprint ||
        !identity_fingerprint_is_valid(fingerprint) || json_array_size(addresses) + json_array_size(mappings) == 0 ||
        !announcement_facts_read(object, &entry->facts, NULL) || !read_addresses(addresses, entry->addresses) ||
        !read_addresses(mappings, entry->mappings))
        return false;
    strcpy(entry->fingerprint, fingerprint);
    return true;
}

// By key; of the same key the newest first.
static int compare(const void *left, const void *right)
{
    const struct server_list_entry *one = left, *two = right;
    int order = strcmp(one->fingerprint, two->fingerprint);
    return order ? order : (one->made_s < two->made_s) - (one->made_s > two->made_s);
}

static const char *place_of(const struct server_list_entry *entry)
{
    const char *direct = entry->addresses[!entry->addresses[0][0]];
    return *direct ? direct : entry->mappings[!entry->mappings[0][0]];
}

// Keeps one entry of a server; or, if `each_place`, one for each place where it is said to be.
static void sort_and_drop_doubles(struct server_list *list, bool each_place)
{
    uint32_t kept = 0, first = 0; // first: of this server
    if (list->count > 0)
        qsort(list->entries, list->count, sizeof *list->entries, compare);
    for (uint32_t i = 0; i < list->count; i++) {
        const struct server_list_entry *entry = &list->entries[i];
        if (kept > 0 && strcmp(list->entries[first].fingerprint, entry->fingerprint) != 0)
            first = kept;
        uint32_t same = first;
        while (same < kept && each_place && strcmp(place_of(&list->entries[same]), place_of(entry)) != 0)
            same++;
        if (same == kept)
            list->entries[kept++] = *entry;
    }
    list->count = kept;
}

// Copies a host without its port, and with the brackets of an IPv6 address. False if it is none.
static bool copy_host(char copy[SERVER_LIST_HOST_BYTES], const char *text)
{
    struct host_port place;
    if (!host_port_parse(text, SIZE_MAX, &place) || strlen(place.host) >= SERVER_LIST_HOST_BYTES - 2)
        return false;
    snprintf(copy, SERVER_LIST_HOST_BYTES, place.is_bracketed ? "[%.45s]" : "%.45s", place.host);
    return true;
}

static void set_through(struct server_list *list, const char *host)
{
    for (uint32_t i = 0; i < list->count; i++)
        if (!list->entries[i].through[0])
            memcpy(list->entries[i].through, host, SERVER_LIST_HOST_BYTES);
}

bool server_list_read(struct server_list *list, const char *text, size_t byte_count, const char *fingerprint,
                      struct error *error)
{
    uint8_t key[SIGNED_TEXT_KEY_BYTES];
    const json_t *server;
    size_t row;
    if (byte_count > SERVER_LIST_BYTES_MAX)
        return error_set(error, "the list is larger than %zu bytes", SERVER_LIST_BYTES_MAX);
    json_auto_t *object = json_loadb(text, byte_count, JSON_REJECT_DUPLICATES, NULL);
    const json_t *servers = json_object_get(object, "servers"), *made_s = json_object_get(object, "made_s");
    if (!signed_text_read_key(json_string_value(json_object_get(object, "key")), key) || !json_is_array(servers) ||
        !json_is_integer(made_s) || json_integer_value(made_s) < 0)
        return error_set(error, "this is no list of servers");
    char signer[FINGERPRINT_TEXT_BYTES];
    identity_fingerprint(key, signer);
    if (fingerprint && strcmp(signer, fingerprint) != 0)
        return error_set(error, "the list is not of the directory that was asked: it has another key");
    if (!signed_text_verify(text, byte_count, PURPOSE, key))
        return error_set(error, "the signature of the list is wrong");
    size_t capacity = json_array_size(servers);
    if (capacity > SERVER_LIST_CAPACITY)
        return error_set(error, "the list has more than %d servers", SERVER_LIST_CAPACITY);
    struct server_list fresh = {.made_s = json_integer_value(made_s),
                                .entries = calloc(capacity + 1, sizeof *fresh.entries)};
    if (!fresh.entries)
        return error_set(error, "out of memory");
    memcpy(fresh.signer, signer, sizeof signer);
    json_array_foreach(servers, row, server)
    {
        struct server_list_entry *entry = &fresh.entries[fresh.count];
        *entry = (struct server_list_entry){.made_s = fresh.made_s};
        fresh.count += read_entry(server, entry);
    }
    sort_and_drop_doubles(&fresh, false);
    const char *host = json_string_value(json_object_get(object, "host"));
    if (host && copy_host(fresh.host, host))
        set_through(&fresh, fresh.host);
    server_list_free(list);
    *list = fresh;
    return true;
}

void server_list_set_host(struct server_list *list, const char *host)
{
    if (!copy_host(list->host, host))
        list->host[0] = 0;
}

void server_list_set_directory(struct server_list *list, const char *host)
{
    char copy[SERVER_LIST_HOST_BYTES] = "";
    if (copy_host(copy, host))
        set_through(list, copy);
}

bool server_list_link(const struct server_list_entry *entry, char link[SERVER_LIST_LINK_BYTES])
{
    const char *place = place_of(entry);
    bool is_direct = entry->addresses[0][0] || entry->addresses[1][0];
    if (is_direct)
        snprintf(link, SERVER_LIST_LINK_BYTES, "%s#%s", place, entry->fingerprint);
    else
        snprintf(link, SERVER_LIST_LINK_BYTES, "%s#%s@%s:%u", place, entry->fingerprint, entry->through,
                 (unsigned)entry->punch_port);
    return is_direct || (*place && entry->through[0]);
}

bool server_list_merge(struct server_list *list, const struct server_list *other)
{
    struct server_list_entry *entries =
        realloc(list->entries, ((size_t)list->count + other->count + 1) * sizeof *entries);
    if (!entries)
        return false;
    list->entries = entries;
    if (other->count > 0)
        memcpy(entries + list->count, other->entries, other->count * sizeof *entries);
    list->count += other->count;
    list->made_s = list->made_s > other->made_s ? list->made_s : other->made_s;
    sort_and_drop_doubles(list, true);
    return true;
}

void server_list_free(struct server_list *list)
{
    free(list->entries);
    *list = (struct server_list){0};
}
