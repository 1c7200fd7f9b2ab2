// SPDX-License-Identifier: MIT
//
// The list of the player's friends as their preferences keep it: an entry is KEY=NAME, in which blanks and signs of the
// name are written %20. Pure functions.
#ifndef APP_FRIENDS_FRIEND_LIST_H
#define APP_FRIENDS_FRIEND_LIST_H

#include "discovery/friend.h"
#include "options/option.h"

/// Friends at most: as many as notes fit into a request.
#define FRIEND_LIST_MAX 32

struct friend_entry {
    uint8_t key[FRIEND_KEY_BYTES];
    char name[FRIEND_NOTE_PLAYER_BYTES]; ///< empty: not known yet
};

/// Reads an entry. False if it has no key; a bad name is left out.
bool friend_list_read(const char *text, struct friend_entry *entry);
/// Returns the place of a key in the list; its count if the list does not have it.
uint32_t friend_list_find(const struct option_list *list, const uint8_t key[FRIEND_KEY_BYTES]);
/// Adds a friend at the end, or gives one who is in the list another name. False if the list is full.
bool friend_list_put(struct option_list *list, const struct friend_entry *entry);
/// Removes a friend. False if the list does not have them.
bool friend_list_remove(struct option_list *list, const uint8_t key[FRIEND_KEY_BYTES]);

#endif
