// SPDX-License-Identifier: MIT
//
// Merges lists of directories as clients do, and prints the servers as JSON. A list that cannot be read is left out,
// with the reason on stderr.
//
//   merge_lists FILE[#KEY]...      KEY: the fingerprint of the directory, if another signer is not to be believed
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "discovery/server_list.h"

static bool add(struct server_list *all, char *source)
{
    struct server_list list = {0};
    struct error error = {.text = "it cannot be read"};
    char *fingerprint = strchr(source, '#');
    size_t byte_count = 0;
    if (fingerprint)
        *fingerprint++ = 0;
    uint8_t *text = file_load(source, SERVER_LIST_BYTES_MAX, &byte_count);
    bool good = text && server_list_read(&list, (const char *)text, byte_count, fingerprint, &error) &&
                server_list_merge(all, &list);
    if (!good)
        fprintf(stderr, "%s: %s\n", source, error.text);
    server_list_free(&list);
    free(text);
    return good;
}

int main(int argc, char **argv)
{
    struct server_list all = {0};
    bool good = argc > 1;
    for (int i = 1; i < argc; i++)
        good &= add(&all, argv[i]);
    json_auto_t *servers = json_array();
    for (uint32_t i = 0; i < all.count; i++) {
        const struct server_list_entry *entry = &all.entries[i];
        char link[SERVER_LIST_LINK_BYTES] = "";
        server_list_link(entry, link);
        json_array_append_new(servers,
                              json_pack("{s:s, s:s, s:[s, s], s:I, s:s}", "key", entry->fingerprint, "name",
                                        entry->facts.name, "addresses", entry->addresses[0], entry->addresses[1],
                                        "made_s", (json_int_t)entry->made_s, "link", link));
    }
    json_dumpf(servers, stdout, JSON_COMPACT);
    server_list_free(&all);
    return good ? EXIT_SUCCESS : EXIT_FAILURE;
}
