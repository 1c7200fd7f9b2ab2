// SPDX-License-Identifier: MIT
#include "mute_list.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/config/preferences.h"

#define TAG_LETTERS (2 * MESSAGE_TAG_BYTES)

static bool is_tag(const uint8_t tag[MESSAGE_TAG_BYTES])
{
    static const uint8_t NOBODY[MESSAGE_TAG_BYTES];
    return memcmp(tag, NOBODY, sizeof NOBODY) != 0;
}

bool mute_list_read(const char *text, struct mute_entry *entry)
{
    char digits[3] = "";
    if (strspn(text, "0123456789abcdef") != TAG_LETTERS || text[TAG_LETTERS] != '=')
        return false;
    for (size_t i = 0; i < MESSAGE_TAG_BYTES; i++) {
        memcpy(digits, text + 2 * i, 2);
        entry->tag[i] = (uint8_t)strtoul(digits, NULL, 16);
    }
    preferences_read_name(text + TAG_LETTERS + 1, entry->name, sizeof entry->name);
    return is_tag(entry->tag);
}

static uint32_t find(const struct option_list *list, const uint8_t tag[MESSAGE_TAG_BYTES])
{
    struct mute_entry entry;
    uint32_t at = 0;
    while (at < list->count &&
           !(mute_list_read(list->values[at], &entry) && memcmp(entry.tag, tag, sizeof entry.tag) == 0))
        at++;
    return at;
}

bool mute_list_has(const struct option_list *list, const uint8_t tag[MESSAGE_TAG_BYTES])
{
    return find(list, tag) < list->count;
}

bool mute_list_add(struct option_list *list, const struct mute_entry *entry)
{
    char name[3 * sizeof entry->name], *text;
    if (!is_tag(entry->tag))
        return false;
    mute_list_remove(list, entry->tag);
    if (list->count == OPTION_LIST_CAPACITY)
        preferences_remove_at(list, 0);
    text = list->values[list->count++];
    for (size_t i = 0; i < MESSAGE_TAG_BYTES; i++)
        sprintf(text + 2 * i, "%02x", entry->tag[i]);
    preferences_write_name(entry->name, name);
    snprintf(text + TAG_LETTERS, OPTION_TEXT_BYTES - TAG_LETTERS, "=%s", name);
    return true;
}

bool mute_list_remove(struct option_list *list, const uint8_t tag[MESSAGE_TAG_BYTES])
{
    uint32_t at = find(list, tag);
    if (at == list->count)
        return false;
    preferences_remove_at(list, at);
    return true;
}
