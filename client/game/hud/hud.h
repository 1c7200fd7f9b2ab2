// SPDX-License-Identifier: MIT
//
// What is written over the arena: the clock, the arrows of the viewer's player, the net graph, the scoreboard, cards
// between rounds, votes, and messages in the middle while there is no match to see. Reads a view and the scene's feed;
// keeps nothing.
#ifndef HUD_HUD_H
#define HUD_HUD_H

#include "core/client.h"
#include "core/view.h"
#include "hints.h"
#include "scene/camera.h"
#include "scene/frame.h"
#include "scene/scene.h"
#include "text/text.h"
#include "window/font.h"
#include "wire/message.h"

/// What the net graph shows, besides the statistics.
struct hud_net {
    struct client_statistics statistics;
    uint32_t bytes_in_s, bytes_out_s; ///< over the last second
    uint32_t draw_us;                 ///< newest, to draw one frame
};

/// Draws the clock, the scores of teams, the kill feed, and the state of the viewer's player.
void hud_draw(const struct frame *frame, const struct scene *scene);

/// Draws marks at the rim of the picture for players outside of it: those at this window, team mates, and everybody
/// once few are alive. A mark has the player's colour and the number of their arrows.
void hud_draw_edge_markers(const struct frame *frame);

/// What stands in the middle at the bottom, from there upward, is stacked: each painter takes the row below which the
/// next one may write, and returns that row for the one after it. The first is HUD_BOTTOM_PX above the bottom.
#define HUD_BOTTOM_PX 24

/// Draws who is being watched, and the keys that switch to others (`hints` NULL: no keys), above the quiver's place.
/// Returns the row above.
int32_t hud_draw_spectator(const struct frame *frame, const struct spectator_camera *spectator,
                           const struct hints *hints);

/// Columns that the net graph takes at the right, px.
#define HUD_NET_PX 168

/// Draws the net graph (F3) in the corner at the right.
void hud_draw_net(struct canvas *canvas, const struct hud_net *net);

/// Writes the net graph's line for the input margin: "margin -0.25 ticks".
void hud_margin_text(int32_t quarter_ticks, char *text, size_t text_bytes);

/// Draws what the player must know while playing, above row `y`: a system message of any length (NULL or empty: none),
/// and that the server is silent. Returns the row above.
int32_t hud_draw_status(const struct frame *frame, int32_t y, const char *system_message, uint64_t silence_us);

/// Fills the canvas with an evening sky.
void hud_draw_empty_sky(struct canvas *canvas);

/// A message in place of a match.
struct hud_message {
    const char *title, *text;
    const char *back;   ///< the key that leads back; NULL: none
    uint32_t anim_tick; ///< moves an ornament while something is waited for; 0: no ornament
};

/// Draws a message, its text wrapped, over an empty sky.
void hud_draw_message(struct canvas *canvas, enum font_face face, const struct hud_message *message);

// --- round_card.c
//
// The card between two rounds: who has won the round, the points so far as pips toward the goal, who leads, and whether
// the next point can decide the match. Reads a view; keeps nothing.

/// Writes what is at stake in the next round: "Match point: Ada", "Ada leads", "Ada and Bo lead", "All level"; in a
/// mode without rounds "". Returns whether it is a match point.
bool round_card_stake(const struct world *world, char text[TEXT_BYTES]);

/// Draws the card of the round that is over, below row `top`.
void round_card_draw(const struct frame *frame, int32_t top);

// --- scoreboard.c
//
// The scores: the best players during a round, the whole scoreboard while Tab is held or between rounds, and awards
// when the match is over (match_end.c has the winner). Reads a view; keeps nothing.

/// Draws the best five players, the viewer's player among them.
void scoreboard_draw_ranking(const struct frame *frame);

/// Draws the scoreboard with as many players as fit below row `top`.
void scoreboard_draw(const struct frame *frame, int32_t top);

/// Draws the same at the right, `margin` px from the side, as high as the stage of a match's end beside it, and with
/// `foot` rows free below. Returns what it covers.
struct rect scoreboard_draw_right(const struct frame *frame, int32_t top, int32_t margin, int32_t foot);

/// Returns the name of a team, 1 or 2.
const char *scoreboard_team_name(uint32_t team);

// --- match_end.c
//
// The end of a match: the winner, large and dancing, beside the scores with the awards, and below them one number worth
// smiling at. Reads a view; keeps nothing.

/// Writes the oddity of a match as a sentence: "Bo shot 12 arrows into walls". Returns false, and writes "", if nothing
/// remarkable has happened.
bool match_end_oddity_text(const struct world *world, char text[TEXT_BYTES]);

/// Draws the end of a match below row `top`.
void match_end_draw(const struct frame *frame, int32_t top);

// --- round_clock.c
//
// The seconds of a match: what the clock shows, and the countdown before a round begins or ends. The phase is that of
// the confirmed world, the time that of the present, so the clock is neither wrong nor late.

/// First second of the countdown.
#define ROUND_CLOCK_COUNTDOWN_S 3

/// Returns the seconds left of a round, rounded up; without a time limit, the seconds passed.
uint32_t round_clock_display_s(const struct view *view);

/// Returns 3, 2, 1 before a round begins or its time is up; 0: no countdown.
uint32_t round_clock_countdown_s(const struct view *view);

/// Sudden death is announced so many seconds before.
#define ROUND_CLOCK_SUDDEN_DEATH_S 10

/// Returns the seconds until the walls of sudden death begin to close in, in the last ROUND_CLOCK_SUDDEN_DEATH_S; once
/// they do, until they meet; 0: neither.
uint32_t round_clock_sudden_death_s(const struct view *view);

// --- kill_story.c
//
// The story of a kill as the kill cam tells it: bars over the picture, a sentence with what happened, and marks around
// killer, victim and what killed. Reads a view; keeps nothing.

/// No solid killed.
#define KILL_STORY_NO_SOLID UINT32_MAX

/// A kill and what did it.
struct kill_story {
    struct event kill; ///< an EVENT_KILL
    uint32_t solid;    ///< that squished the victim, or KILL_STORY_NO_SOLID
};

/// Returns the story of a kill in the world of its tick: of a squish, the nearest solid that is at the victim.
struct kill_story kill_story_of(const struct map *map, const struct world *world, const struct event *kill);

/// Writes the story as a sentence: "Ada squished Bo with a crusher".
void kill_story_text(const struct view *view, const struct kill_story *story, char text[TEXT_BYTES]);

/// Returns how far down the arena has to move, map px, so that the bars do not hide the kill; negative: up.
int32_t kill_story_shift(const struct frame *frame, const struct kill_story *story);

/// Draws the bars, the sentence and the marks over a replay of the kill.
void kill_story_draw(const struct frame *frame, const struct kill_story *story);

// --- vote_panel.c
//
// The open vote, drawn over the arena: the question, the seconds left, and each choice with its key and its votes.
// The preferences have the keys. Keeps nothing.

/// Rows where it begins: below the clock and the time to respawn, and above the scoreboard.
#define VOTE_PANEL_Y     46
#define VOTE_PANEL_TOP_Y 8

/// Draws the vote in the middle, from row `y` down, with the keys or the button of a player's hints. Returns the
/// row below it.
int32_t vote_panel_draw(const struct frame *frame, const struct vote_message *vote, const struct hints *hints,
                        int32_t y);

/// Returns the choice at x, y of the canvas, with room for a finger around it, when it is drawn from row `top` down;
/// VOTE_CHOICE_CAPACITY: none.
uint32_t vote_panel_at(const struct frame *frame, const struct vote_message *vote, const struct hints *hints,
                       int32_t top, int32_t x, int32_t y);

// --- variant_row.c
//
// The variants of a match, as people read them: in a row over the arena before a round and on the scoreboard, and as a
// text in the menus.

/// Bytes of the titles of all variants, with the final zero.
#define VARIANT_ROW_BYTES 320

/// Writes the titles of the variants of these bits as "Low gravity, Ice"; without any `none`.
void variant_row_titles(uint32_t variants, const char *none, char text[VARIANT_ROW_BYTES]);

/// Draws the titles of the match's variants from row `y` down, wrapped to `width` px in the middle of the picture.
/// Returns the rows that they take; without variants 0.
int32_t variant_row_draw(const struct frame *frame, int32_t y, int32_t width);
/// Returns the rows that variant_row_draw() takes.
int32_t variant_row_height(const struct frame *frame, int32_t width);

#endif
