// SPDX-License-Identifier: MIT
//
// What the screen of replays shows: the replays in a folder, the match that began last first, with the local time at
// which each began; and their cards: a small picture of the match, drawn as the viewer draws it, and the players with
// the most points. To make a card takes some tens of milliseconds, so it is made in a thread, first that of the replay
// with the focus, then those around it, and kept in a file that is named after the content of the replay.
#ifndef APP_REPLAY_REPLAY_LIST_H
#define APP_REPLAY_REPLAY_LIST_H

#include <pthread.h>
#include <stdatomic.h>

#include "app/menu/menu.h"

/// Reads the list, without files that are no replays, but only of files without a date in their names what is within
/// them. `folder` empty: none.
void replay_list_read(struct menu_facts *facts, const char *folder);

/// Reads what is within some files of the list, of those for which that was not done: before they are seen.
void replay_list_look(struct menu_facts *facts, uint32_t first, uint32_t count);

/// Cards that a folder keeps; a further one takes the place of another.
#define REPLAY_CARD_FILES 1024

/// Reads the card of a replay from a folder, or makes it and keeps it there (`folder` empty: nowhere). Returns false
/// if the file is no replay that can be shown.
bool replay_list_read_card(struct menu_card *card, const char *replay, const char *folder);

/// Cards in memory: more than rows are seen.
#define REPLAY_CARDS_CAPACITY 32

/// A card in memory.
struct replay_cards_entry {
    char path[512]; ///< of the replay; empty: none
    bool is_good;   ///< it is a replay
    struct menu_card card;
};

/// All of them. About 2 MB: allocate it once. Zero-initialise.
struct replay_cards {
    const char *folder; ///< where they are kept; empty: nowhere
    struct replay_cards_entry entries[REPLAY_CARDS_CAPACITY];
    uint32_t next; ///< entry that is given up next
    bool works;    ///< there is a thread, which fills `made`
    atomic_bool is_done;
    pthread_t thread;
    struct replay_cards_entry made;
};

/// Gives the menu the card of the replay with the focus, if it is there, and has the next one made. Never waits.
void replay_list_show_card(struct replay_cards *cards, struct menu *menu);
/// Waits for the thread, if one works.
void replay_list_close_cards(struct replay_cards *cards);

#endif
