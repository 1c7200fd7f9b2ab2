// SPDX-License-Identifier: MIT
//
// The players that this player has muted, as their preferences keep them: an entry is TAG=NAME. The tag recognises
// somebody on every server and under every name, the name is the one that they had; it is shown, and decides nothing.
// Pure functions.
#ifndef APP_FRIENDS_MUTE_LIST_H
#define APP_FRIENDS_MUTE_LIST_H

#include "game/state.h"
#include "options/options.h"
#include "wire/message.h"

/// Somebody who is muted.
struct mute_entry {
    uint8_t tag[MESSAGE_TAG_BYTES]; ///< never zero
    char name[PLAYER_NAME_BYTES + 1];
};

/// Reads an entry. False if it has no tag; a bad name is left out.
bool mute_list_read(const char *text, struct mute_entry *entry);
/// Returns whether somebody is muted; never those without a tag.
bool mute_list_has(const struct option_list *list, const uint8_t tag[MESSAGE_TAG_BYTES]);
/// Mutes somebody. A full list forgets the one who has been in it for the longest. False if they have no tag.
bool mute_list_add(struct option_list *list, const struct mute_entry *entry);
/// Removes somebody. False if the list does not have them.
bool mute_list_remove(struct option_list *list, const uint8_t tag[MESSAGE_TAG_BYTES]);

#endif
