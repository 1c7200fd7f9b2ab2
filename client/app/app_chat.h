// SPDX-License-Identifier: MIT
//
// The chat in the running program: takes the lines that arrived, sends lines, and mutes players. What a muted player
// writes, whispers or shows with an emote is hidden, in later matches and on other servers too.
#ifndef APP_APP_CHAT_H
#define APP_APP_CHAT_H

#include "app_state.h"

/// Sends a chat line to everybody in the match. A line that begins with "/" is a command to the server.
void app_chat_send(struct app *app, const char *line);
/// Takes lines and the open vote into the panel, with a sound. `now_us`: of the frame.
void app_chat_receive(struct app *app, uint64_t now_us);

/// Returns whether the player in a slot of the match is muted.
bool app_chat_mutes(const struct app *app, uint32_t slot);
/// Mutes the player of the match with this name, or ends that, and says so in the chat.
void app_chat_toggle_mute(struct app *app, const char *name);
/// Obeys "/mute NAME" and "/unmute NAME". Returns false for any other line: it is for the server.
bool app_chat_obey(struct app *app, const char *line);

#endif
