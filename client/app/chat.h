// SPDX-License-Identifier: MIT
//
// What is said in a match, on screen: the last lines, the line that is being typed, and the vote that is open. The app
// feeds it with what the client heard and with letters, and takes from it what is to be said. Reads no clock.
#ifndef APP_CHAT_H
#define APP_CHAT_H

#include "core/client.h"
#include "frame.h"

/// Lines that are kept, to be read again while a line is typed; lines on screen otherwise, and how long each stays.
#define CHAT_KEPT    64
#define CHAT_LINES   6
#define CHAT_LINE_US 10000000u

/// One line as it is shown.
struct chat_line {
    char name[PLAYER_NAME_BYTES + 1]; ///< empty: the server
    uint32_t colour;                  ///< of whoever said it
    uint32_t flags;                   ///< as of struct talk_line
    uint64_t until_us;
    char text[TALK_BYTES_MAX + 1];
};

/// Zero-initialise for each match.
struct chat {
    uint32_t count; ///< lines ever; the newest stands at (count - 1) % CHAT_KEPT
    struct chat_line lines[CHAT_KEPT];
    bool typing, to_team;
    uint32_t back; ///< lines below those that are shown while one types
    char typed[SAY_BYTES_MAX + 1];
    bool votes; ///< a vote is open: `ballot`
    struct ballot_message ballot;
};

/// Takes a line that was heard.
void chat_hear(struct chat *chat, const struct talk_line *line, const struct world *world, uint64_t now_us);

/// Opens a line; letters go into it until it is said or dropped.
void chat_open(struct chat *chat, bool to_team);
/// Letters, UTF-8; what does not fit whole is left out.
void chat_type(struct chat *chat, const char *text);
/// Takes the last letter away, all bytes of it.
void chat_erase(struct chat *chat);
/// Leafs through what was said, some lines up (or down, less than 0), while a line is open.
void chat_leaf(struct chat *chat, int32_t up);
/// Closes the line and moves what was typed to `text`. False: nothing is to be said.
bool chat_say(struct chat *chat, char text[SAY_BYTES_MAX + 1]);
/// Closes the line; what was typed is lost.
void chat_drop(struct chat *chat);

/// Draws what is said at the left, above the quiver; the vote is ballot.h's.
void chat_draw(const struct frame *frame, const struct chat *chat, uint64_t now_us);

#endif
