// SPDX-License-Identifier: MIT
//
// The player's friends in the running program: leaves notes and finds those of friends wherever the player is, says in
// a line who has come, and offers friendship to somebody in the match, as a whisper with the key.
#ifndef APP_APP_FRIENDS_H
#define APP_APP_FRIENDS_H

#include "app_state.h"

/// Loads the player's key. Without one there are no friends.
void app_friends_open(struct app *app);
void app_friends_close(struct app *app);
/// Goes on with what is under way.
void app_friends_update(struct app *app);
/// Offers friendship to a player of the match, or accepts theirs.
void app_friends_offer(struct app *app, const char *name);
/// Takes a line of the chat if it is an offer, or the echo of one. Returns true if it replaces the line by a sentence.
bool app_friends_take_line(struct app *app, struct chat_line *line);
/// Opens the list with a key that was opened as a link. Returns false if the text is none.
bool app_friends_open_link(struct app *app, const char *text);
/// Marks in the list of players who has offered friendship and who was asked.
void app_friends_mark(const struct app *app, struct menu_player *player);
/// Draws the line that says who has come.
void app_friends_draw(struct app *app, uint64_t now_us);

#endif
