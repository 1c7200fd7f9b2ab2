// SPDX-License-Identifier: MIT
//
// Whether the player and their friends are there: leaves notes and finds those of friends wherever the player is, and
// says in a line who has come. The list of friends itself is of app/friends/friends.h.
#ifndef APP_FRIENDS_ONLINE_H
#define APP_FRIENDS_ONLINE_H

#include "session.h"

/// What is known of it. Zero-initialise. The address of the struct must not change.
struct friends_online {
    struct option_list addresses; ///< where friends play
    uint32_t changes;             ///< of the friends, that were looked at
    char notice[64];              ///< who has come
    uint64_t notice_us;           ///< until then it is shown
};

/// Loads the player's key. Without one there are no friends.
void friends_online_open(struct friends_online *friends_online, struct session_context *context);
/// Goes on with what is under way.
void friends_online_step(struct friends_online *friends_online, struct session_context *context);
/// Draws the line that says who has come.
void friends_online_draw(const struct friends_online *friends_online, struct session_context *context, uint64_t now_us);
/// Opens the list with a friend's key that was opened as a link. Returns false if the text is none.
bool friends_online_open_key(struct session_context *context, const char *text);

#endif
