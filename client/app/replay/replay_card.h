// SPDX-License-Identifier: MIT
//
// What the list of replays shows of one of them: a small picture of the match, drawn as the viewer draws it, and the
// players with the most points. To make one takes some tens of milliseconds, so it is kept in a file that is named
// after the content of the replay.
#ifndef APP_REPLAY_REPLAY_CARD_H
#define APP_REPLAY_REPLAY_CARD_H

#include "app/menu/menu.h"

/// Cards that a folder keeps; a further one takes the place of another.
#define REPLAY_CARD_FILES 1024

/// Reads the card of a replay from a folder, or makes it and keeps it there (`folder` empty: nowhere). Returns false
/// if the file is no replay that can be shown.
bool replay_card_read(struct menu_card *card, const char *replay, const char *folder);

#endif
