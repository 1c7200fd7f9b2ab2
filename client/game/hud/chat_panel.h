// SPDX-License-Identifier: MIT
//
// The chat on screen: the last lines, the line that is being typed, and the open vote. The app adds received lines and
// typed letters, and takes the line to send. Reads no clock.
#ifndef HUD_CHAT_PANEL_H
#define HUD_CHAT_PANEL_H

#include "core/client.h"
#include "scene/frame.h"

/// Lines that are stored, to scroll through while typing; lines on screen otherwise, and how long each stays.
#define CHAT_PANEL_CAPACITY 64
#define CHAT_PANEL_LINES    6
#define CHAT_PANEL_LINE_US  10000000u

/// One line as it is shown.
struct chat_panel_line {
    char name[PLAYER_NAME_BYTES + 1]; ///< empty: the server
    uint32_t colour;                  ///< of the player who wrote it
    uint32_t flags;                   ///< as of struct chat_line
    uint64_t until_us;
    char text[CHAT_LINE_BYTES_MAX + 1];
};

/// The emote that a player showed last.
struct chat_panel_emote {
    uint32_t emote; ///< 1 + its number; 0: none yet
    uint64_t until_us;
};

/// Zero-initialise for each match.
struct chat_panel {
    uint32_t count; ///< lines ever; the newest is at (count - 1) % CHAT_PANEL_CAPACITY
    struct chat_panel_line lines[CHAT_PANEL_CAPACITY];
    bool typing, to_team;
    uint32_t back; ///< lines scrolled back while typing
    char typed[CHAT_SEND_BYTES_MAX + 1];
    struct chat_panel_emote emotes[PLAYER_CAPACITY]; ///< by slot
    bool votes;                                      ///< a vote is open: `vote`
    struct vote_message vote;
};

/// Adds a received line. An emote of somebody who is alive shows over their head instead.
void chat_panel_add(struct chat_panel *chat, const struct chat_line *line, const struct world *world, uint64_t now_us);

/// Writes what stands over the heads of players now.
void chat_panel_heads(const struct chat_panel *chat, uint64_t now_us, struct frame_heads *heads);

/// Opens an empty line for typing.
void chat_panel_open(struct chat_panel *chat, bool to_team);
/// Appends letters, UTF-8. Drops text that does not fit as a whole.
void chat_panel_type(struct chat_panel *chat, const char *text);
/// Deletes the last character.
void chat_panel_erase(struct chat_panel *chat);
/// Scrolls up by some lines (down if negative) while a line is open.
void chat_panel_scroll(struct chat_panel *chat, int32_t up);
/// Closes the line and moves it to `text`. Returns false if there is nothing to send.
bool chat_panel_submit(struct chat_panel *chat, char text[CHAT_SEND_BYTES_MAX + 1]);
/// Closes the line and discards it.
void chat_panel_cancel(struct chat_panel *chat);

/// Draws the lines, and the one that is being typed, at the left above row `bottom`. vote_panel_draw() draws the vote.
void chat_panel_draw(const struct frame *frame, const struct chat_panel *chat, int32_t bottom, uint64_t now_us);

#endif
