// SPDX-License-Identifier: MIT
//
// The words of a command that name players: #SLOT, their name in any case and in "quotes" if it has blanks, or their
// key.
#ifndef ADMIN_PLAYER_WORD_H
#define ADMIN_PLAYER_WORD_H

#include "command_call.h"

/// Bytes of a word, with the final zero.
#define PLAYER_WORD_BYTES 80

/// Reads the next word of a line, or the text in "quotes", and returns the rest of the line. The word is empty if there
/// is none, or if it is too long.
const char *player_word_take(const char *line, char word[PLAYER_WORD_BYTES]);
/// Returns the player in the match that a word names; null: nobody.
const struct peer *player_word_find(const struct match *match, const char *word);
/// Refuses a call because its word names nobody. Always returns false.
bool player_word_refuse(struct command_call *call, const char *word);
/// Writes the name of a player in the match.
void player_word_name(const struct match *match, const struct peer *peer, char name[PLAYER_NAME_BYTES + 1]);

#endif
