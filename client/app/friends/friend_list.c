// SPDX-License-Identifier: MIT
#include "friend_list.h"

#include <stdio.h>
#include <string.h>

#include "kept_name.h"

_Static_assert(FRIEND_LIST_MAX == NOTE_EXCHANGE_NOTES_MAX && FRIEND_LIST_MAX <= OPTION_LIST_CAPACITY, "one note each");

bool friend_list_read(const char *text, struct friend_entry *entry)
{
    char key[FRIEND_KEY_TEXT_BYTES];
    size_t length = strcspn(text, "=");
    if (length != FRIEND_KEY_TEXT_BYTES - 1)
        return false;
    memcpy(key, text, length);
    key[length] = 0;
    kept_name_read(text[length] ? text + length + 1 : "", entry->name, sizeof entry->name);
    return friend_key_read(key, entry->key);
}

uint32_t friend_list_find(const struct option_list *list, const uint8_t key[FRIEND_KEY_BYTES])
{
    struct friend_entry entry;
    uint32_t at = 0;
    while (at < list->count &&
           !(friend_list_read(list->values[at], &entry) && memcmp(entry.key, key, FRIEND_KEY_BYTES) == 0))
        at++;
    return at;
}

bool friend_list_put(struct option_list *list, const struct friend_entry *entry)
{
    char key[FRIEND_KEY_TEXT_BYTES], name[3 * FRIEND_NOTE_PLAYER_BYTES];
    uint32_t at = friend_list_find(list, entry->key);
    if (at >= FRIEND_LIST_MAX)
        return false;
    friend_key_write(entry->key, key);
    kept_name_write(entry->name, name);
    snprintf(list->values[at], sizeof list->values[at], "%s=%s", key, name);
    list->count += at == list->count;
    return true;
}

bool friend_list_remove(struct option_list *list, const uint8_t key[FRIEND_KEY_BYTES])
{
    uint32_t at = friend_list_find(list, key);
    if (at == list->count)
        return false;
    list->count--;
    memmove(list->values[at], list->values[at + 1], (list->count - at) * sizeof *list->values);
    return true;
}
