// SPDX-License-Identifier: MIT
//
// What the players of a match say to each other, at this window: lines of the chat, votes, the wheels of emotes and
// quick sentences, who joins and leaves, and offers of friendship, which are whispers with a key. What a muted player
// writes, whispers or shows with an emote is hidden, in later matches and on other servers too.
#ifndef APP_PLAY_CHAT_H
#define APP_PLAY_CHAT_H

#include "app/local_players.h"
#include "app/session.h"
#include "hud/arrivals.h"
#include "hud/chat_panel.h"
#include "hud/quick_chat.h"

/// Players of a match who are becoming friends.
#define FRIEND_OFFERS 16

/// An offer of friendship.
struct friend_offer {
    char name[PLAYER_NAME_BYTES + 1]; ///< empty: none
    uint8_t key[FRIEND_KEY_BYTES];    ///< if `asks`
    bool asks, asked;                 ///< they have offered it; the player has
};

/// The chat of a match. Zero-initialise, and set what is above the blank line.
struct play_chat {
    struct session_context *context;
    struct local_players *local;

    struct chat_panel panel;
    struct arrivals arrivals;
    struct quick_chat_wheel wheels[LOCAL_PLAYERS];
    struct friend_offer offers[FRIEND_OFFERS];
};

/// Begins without what was said in another match.
void play_chat_begin(struct play_chat *chat);
/// Takes lines and the open vote into the panel, with a sound. `now_us`: of the frame.
void play_chat_receive(struct play_chat *chat, const struct world *world, uint64_t now_us);
/// Forgets what players have offered who are no longer there. Call it in each turn of the loop.
void play_chat_step(struct play_chat *chat);

/// Handles an event while a line is open.
void play_chat_type(struct play_chat *chat, const struct window_event *event);
/// Opens a line to the player with this name alone.
void play_chat_whisper(struct play_chat *chat, const char *name);
/// Votes in the open vote; no such choice: does nothing.
void play_chat_vote(struct play_chat *chat, uint32_t choice);
/// The same for the choice that is drawn at a place of the picture.
void play_chat_vote_at(struct play_chat *chat, int32_t x, int32_t y);
/// Moves the wheel of a local player on, and sends what they have chosen. Returns the buttons that are left for the
/// game: none while keys point. Call it once a tick with the buttons that are held.
uint32_t play_chat_turn_wheel(struct play_chat *chat, uint32_t number, uint32_t buttons);

/// Returns whether the player in a slot of the match is muted.
bool play_chat_mutes(const struct play_chat *chat, uint32_t slot);
/// Mutes the player of the match with this name, or ends that, and says so in the chat.
void play_chat_toggle_mute(struct play_chat *chat, const char *name);
/// Obeys "/mute NAME" and "/unmute NAME". Returns false for any other line: it is for the server.
bool play_chat_obey(struct play_chat *chat, const char *line);

/// Offers friendship to a player of the match, or accepts theirs.
void play_chat_befriend(struct play_chat *chat, const char *name);
/// Marks in the list of players who is muted, who has offered friendship and who was asked.
void play_chat_mark(const struct play_chat *chat, uint32_t slot, struct menu_player *player);

#endif
