// SPDX-License-Identifier: MIT
//
// What a player has chosen and keeps between sessions: picture, sound, name, keys and servers. One option table drives
// the file, the settings screens and the defaults. Writing replaces the whole file or leaves it as it was. A bad file
// gives an error and the defaults. Includes no SDL: keys are numbers, buttons of gamepads are words.
#ifndef APP_CONFIG_PREFERENCES_H
#define APP_CONFIG_PREFERENCES_H

#include "base/error.h"
#include "game/state.h"
#include "hud/controls.h"
#include "looks/display_options.h"
#include "options/options.h"
#include "window/window.h"
#include "wire/message.h"

/// Frames a second at most: as many as the display shows, or a number.
enum frame_limit {
    FRAME_LIMIT_DISPLAY,
    FRAME_LIMIT_30,
    FRAME_LIMIT_60,
    FRAME_LIMIT_120,
    FRAME_LIMIT_144,
    FRAME_LIMIT_240
};

/// Which servers the list shows, and what it is sorted by.
enum servers_from {
    SERVERS_FROM_ALL,
    SERVERS_FROM_INTERNET,
    SERVERS_FROM_NETWORK,
    SERVERS_FROM_FAVOURITES,
    SERVERS_FROM_RECENT,
    SERVERS_FROM_FRIENDS
};
enum servers_sort {
    SERVERS_SORT_PLAYERS, ///< people, the most first
    SERVERS_SORT_PING,
    SERVERS_SORT_NAME,
    SERVERS_SORT_MODE,
    SERVERS_SORT_MAP,
    SERVERS_SORT_REGION
};

/// Steps of a volume.
#define PREFERENCES_VOLUME_MAX 10

/// Names of enum frame_limit; NULL ends them.
extern const char *const PREFERENCES_FRAME_LIMITS[];

#define ROWS_OF_ACTION(ACTION)                                                                                         \
    ROW_KEY_##ACTION, ROW_KEY_##ACTION##_OTHER, ROW_KEY_##ACTION##_SECOND, ROW_PAD_##ACTION, ROW_PAD_##ACTION##_OTHER
/// The rows of the table, in the order of the file.
enum preferences_row {
    ROW_NONE, ///< of what is no preference
    ROW_LANGUAGE,
    ROW_SCALING,
    ROW_FULLSCREEN,
    ROW_VSYNC,
    ROW_FRAME_LIMIT,
    ROW_DISPLAY,
    ROW_VIEW,
    ROW_VOLUME,
    ROW_VOLUME_EFFECTS,
    ROW_VOLUME_MUSIC,
    ROW_VOLUME_VOICES,
    ROW_VOLUME_AMBIENCE,
    ROW_RUMBLE,
    ROW_PORT_MAPPING,
    ROW_LISTED,
    ROW_BACKGROUND_MUTE,
    ROW_NAME,
    ROW_COLOUR,
    ROW_NAME_SECOND,
    ROW_COLOUR_SECOND,
    ROW_NAME_THIRD,
    ROW_COLOUR_THIRD,
    ROW_NAME_FOURTH,
    ROW_COLOUR_FOURTH,
    ROW_SHOW_RATING,
    ROW_HAT,
    ROW_HAT_SECOND,
    ROW_HAT_THIRD,
    ROW_HAT_FOURTH,
    ROW_EYES,
    ROW_REDUCED_MOTION,
    ROW_SHAKE,
    ROW_LARGE_TEXT,
    ROW_KILL_REPLAYS,
    ROW_MAP,
    ROW_MODE,
    ROW_BOTS,
    ROW_BOT_SKILL,
    ROW_PLAYERS,
    ROW_SERVER_NAME,
    ROWS_OF_ACTION(LEFT),
    ROWS_OF_ACTION(RIGHT),
    ROWS_OF_ACTION(UP),
    ROWS_OF_ACTION(DOWN),
    ROWS_OF_ACTION(JUMP),
    ROWS_OF_ACTION(DASH),
    ROWS_OF_ACTION(SHOOT),
    ROW_KEY_CHAT,
    ROW_KEY_TEAM_CHAT,
    ROW_KEY_EMOTES,
    ROW_KEY_PHRASES,
    ROW_KEY_SCOREBOARD,
    ROW_KEY_PEOPLE,
    ROW_KEY_YES,
    ROW_KEY_NO,
    ROW_KEY_NET,
    ROW_KEY_EMOTES_SECOND,
    ROW_KEY_PHRASES_SECOND,
    ROW_PAD_EMOTES,
    ROW_PAD_PHRASES,
    ROW_PAD_SCOREBOARD,
    ROW_PAD_VOTE,
    ROW_VARIANTS,
    ROW_VARIANT_PRESETS,
    ROW_FAVOURITES,
    ROW_RECENT,
    ROW_DIRECTORIES,
    ROW_FRIENDS,
    ROW_MUTED,
    ROW_FRIENDS_SEE,
    ROW_FRIEND_NOTICES,
    ROW_SERVERS_FROM,
    ROW_SERVERS_SORT,
    ROW_SERVERS_MODE,
    ROW_SERVERS_REGION,
    ROW_SERVERS_FULL,
    ROW_SERVERS_EMPTY,
    ROW_SERVERS_LOCKED,
    PREFERENCES_ROWS
};

/// Everything that the file holds.
struct preferences {
    uint32_t language; ///< 1 + enum text_language; 0: as the system says
    struct window_settings window;
    uint32_t frame_limit; ///< enum frame_limit
    uint32_t view;        ///< enum view_kind: where other players are drawn
    int64_t volume;       ///< 0 to PREFERENCES_VOLUME_MAX, over the others
    int64_t volume_effects, volume_music, volume_voices, volume_ambience;
    bool rumble;          ///< gamepads shake
    bool port_mapping;    ///< matches that are hosted ask the router to let others in
    bool listed;          ///< matches that are hosted are in the lists of the directories
    bool shows_rating;    ///< servers get the vouches of servers that they trust
    bool friends_see;     ///< friends see where the player plays, and the player sees them
    bool friend_notices;  ///< a line says when a friend comes
    bool background_mute; ///< no sound while another window has the focus
    char name[OPTION_TEXT_BYTES];
    int64_t colour; ///< 0 to 15; -1: by the name
    char friend_names[LOCAL_PLAYERS - 1]
                     [OPTION_TEXT_BYTES];      ///< of the others at this machine; empty: `name` with a number
    int64_t friend_colours[LOCAL_PLAYERS - 1]; ///< -1: next to that of the first
    uint32_t hats[LOCAL_PLAYERS];              ///< enum hat, of each player at this machine
    struct display_options display;
    char map[OPTION_TEXT_BYTES], server_name[OPTION_TEXT_BYTES];
    uint32_t mode; ///< enum mode, or PREFERENCES_MODE_AUTO
    int64_t bots;
    uint32_t bot_skill; ///< enum skill, or AI_SKILL_ADAPTIVE
    int64_t players;
    struct controls controls;
    struct option_list variants;                      ///< names of VARIANT_TABLE, of a match that you host
    struct option_list variant_presets;               ///< mixtures that you have kept, as "bombs+ice"
    struct option_list favourites, recent;            ///< addresses as typed, the newest first
    struct option_list friends;                       ///< entries of app/friends/friends.h
    struct option_list muted;                         ///< entries of app/friends/mute_list.h
    struct option_list directories;                   ///< URLs of lists of servers, with #KEY or without
    uint32_t servers_from, servers_sort;              ///< enum servers_from, enum servers_sort
    uint32_t servers_mode;                            ///< enum mode, or MODES_OFFERED: all
    char servers_region[OPTION_TEXT_BYTES];           ///< empty: all
    bool servers_full, servers_empty, servers_locked; ///< are shown
};

/// Names of enum gamepad_button and of enum player_action; NULL ends each list.
extern const char *const PREFERENCES_GAMEPAD_BUTTONS[];
extern const char *const PREFERENCES_ACTION_NAMES[];

/// The mode follows from the people at this computer: see preferences_mode().
#define PREFERENCES_MODE_AUTO MODES_OFFERED

/// Returns the mode of a match for so many people at this computer: the chosen one; by itself breakout on the map of
/// that name, else last man standing for several, and for one the mode without rounds.
enum mode preferences_mode(const struct preferences *preferences, uint32_t people);

/// Writes the name of a player at this machine, 0 to LOCAL_PLAYERS - 1, cut between characters.
void preferences_player_name(const struct preferences *preferences, uint32_t number, char name[PLAYER_NAME_BYTES + 1]);
/// Returns where the colour of a player at this machine is kept.
int64_t *preferences_player_colour(struct preferences *preferences, uint32_t number);

/// Returns what the window is opened with; `scale`: see there.
struct window_setup preferences_window_setup(const struct preferences *preferences, uint32_t scale);

/// Returns the limit in frames a second; 0: as the display.
uint32_t preferences_frame_limit_hz(const struct preferences *preferences);

/// Returns variants as bits, 1 << enum variant. Words that are none, as a later version may write them, count as
/// nothing.
uint32_t preferences_variants(const struct option_list *variants);
/// Chooses the variants of a match that you host.
void preferences_set_variants(struct preferences *preferences, uint32_t variants);

/// Reads a file. A missing file, or an empty path, gives the defaults. Returns false with an error, and the defaults,
/// if the file is bad.
bool preferences_read(struct preferences *preferences, const char *path, struct error *error);

/// Replaces the file, which keeps its content unless everything is written. Returns false with an error. Does nothing
/// for an empty path.
bool preferences_write(const struct preferences *preferences, const char *path, struct error *error);

/// Returns a row of the table; NULL for ROW_NONE.
const struct option *preferences_option(enum preferences_row row);
/// Writes the value of a row as the settings screens show it.
void preferences_describe(const struct preferences *preferences, enum preferences_row row, char *text,
                          size_t text_bytes);
/// Changes a row's value: toggles a flag, cycles a choice, adds `step` to a number and clamps it.
void preferences_change(struct preferences *preferences, enum preferences_row row, int32_t step);
/// Returns the text of a text row; NULL for another kind.
char *preferences_text(struct preferences *preferences, enum preferences_row row);
/// Sets a row to its default.
void preferences_reset(struct preferences *preferences, enum preferences_row row);

/// Moves or adds an address, or another text without blanks and commas, to the front of a list; a full list loses its
/// last one.
void preferences_remember(struct option_list *list, const char *address);
/// Removes an address from a list. Returns false if the list does not have it.
bool preferences_forget(struct option_list *list, const char *address);
/// Removes the entry at a place.
void preferences_remove_at(struct option_list *list, uint32_t at);
/// Writes a name as lists keep it, where an entry has no blanks and commas: all but letters and digits become %20.
/// `text` has room for three bytes for each of the name, and a zero.
void preferences_write_name(const char *name, char *text);
/// Reads such a name, cleaned and cut to `name_bytes` with its zero.
void preferences_read_name(const char *text, char *name, size_t name_bytes);

#endif
