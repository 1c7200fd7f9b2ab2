// SPDX-License-Identifier: MIT
//
// The player's friends: who of them is there, and where they play. For each friend it leaves a note at the directories
// and asks for theirs, every 20 seconds and when the player joins or leaves a match. Only who has added each other sees
// anything (discovery/friend.h). While it is off, nothing is sent and nobody is shown. The list itself is in the
// preferences: an entry is KEY=NAME, in which blanks and signs of the name are written %20. Never blocks; time is an
// argument.
#ifndef APP_FRIENDS_FRIENDS_H
#define APP_FRIENDS_FRIENDS_H

#include "app/servers/directories.h"
#include "app/web/download.h"
#include "discovery/friend.h"
#include "options/options.h"

/// Friends at most: as many as notes fit into a request.
#define FRIEND_LIST_MAX 32

struct friend_entry {
    uint8_t key[FRIEND_KEY_BYTES];
    char name[FRIEND_NOTE_PLAYER_BYTES]; ///< empty: not known yet
};

/// Returns whether a text is the key of a friend, or the link with it.
bool friend_is_key(const char *text);

/// Reads an entry. False if it has no key; a bad name is left out.
bool friend_list_read(const char *text, struct friend_entry *entry);
/// Returns the place of a key in the list; its count if the list does not have it.
uint32_t friend_list_find(const struct option_list *list, const uint8_t key[FRIEND_KEY_BYTES]);
/// Adds a friend at the end, or gives one who is in the list another name. False if the list is full.
bool friend_list_put(struct option_list *list, const struct friend_entry *entry);
/// Removes a friend. False if the list does not have them.
bool friend_list_remove(struct option_list *list, const uint8_t key[FRIEND_KEY_BYTES]);

/// Least time between two requests to a directory, us.
#define FRIENDS_AGAIN_US 5000000u

/// A friend.
struct friend_row {
    struct friend_entry entry;
    char key_text[FRIEND_KEY_TEXT_BYTES];
    uint8_t pair[FRIEND_KEY_BYTES];
    bool is_possible;        ///< there is a secret of the two
    bool is_online;          ///< a note of theirs is fresh
    bool was_asked;          ///< a directory has answered since they were added
    uint64_t heard_us;       ///< when the time of their notes grew last
    struct friend_note note; ///< the newest one
};

/// A directory with notes.
struct friends_source {
    char url[DOWNLOAD_URL_BYTES];
    struct download download;
    uint64_t begun_us, next_us;
};

/// What friends see of the player.
struct friends_self {
    bool plays;
    char player[FRIEND_NOTE_PLAYER_BYTES], server[FRIEND_NOTE_SERVER_BYTES], link[FRIEND_NOTE_LINK_BYTES];
};

/// All of them. Zero-initialise.
struct friends {
    bool has_key; ///< without one there are no friends
    struct friend_keys own;
    char link[FRIEND_KEY_LINK_BYTES]; ///< that the player gives to others; empty without a key
    bool is_on;
    uint32_t count, online; ///< `online`: how many of them are there
    struct friend_row rows[FRIEND_LIST_MAX];
    uint32_t source_count;
    struct friends_source sources[DIRECTORIES_MAX];
    struct friends_self self;               ///< as it was sent last
    uint64_t time_ms;                       ///< of the last note
    uint32_t changes;                       ///< grows with what a list would show
    char arrived[FRIEND_NOTE_PLAYER_BYTES]; ///< who has come last; the reader empties it
};

/// The moment of a step.
struct friends_time {
    uint64_t now_us;
    int64_t unix_s;
};

/// Takes the key of the player.
void friends_open(struct friends *friends, const uint8_t seed[IDENTITY_SEED_BYTES]);
void friends_close(struct friends *friends);
/// Takes the list of friends; what is known of those who stay is kept.
void friends_set_list(struct friends *friends, const struct option_list *list);
/// Uses these directories, as the list of servers does.
void friends_set_directories(struct friends *friends, const struct option_list *urls);
/// Sends and receives what is due. `self`: as friends are to see the player; null: the player has switched it off.
void friends_step(struct friends *friends, const struct friends_self *self, struct friends_time time);
/// Finds the friend with a key. Null if there is none.
const struct friend_row *friends_find(const struct friends *friends, const uint8_t key[FRIEND_KEY_BYTES]);
/// Takes the answer of a directory, as friends_step() does. False if it is malformed.
bool friends_take_answer(struct friends *friends, const uint8_t *bytes, size_t byte_count, struct friends_time time);
/// Writes what is to be sent now; returns its bytes.
size_t friends_write_request(struct friends *friends, struct friends_time time,
                             uint8_t bytes[NOTE_EXCHANGE_REQUEST_BYTES_MAX]);

#endif
