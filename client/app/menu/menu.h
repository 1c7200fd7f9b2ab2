// SPDX-License-Identifier: MIT
//
// Menus: a stack of screens. Each screen fills its table of items again before it is drawn or handles a press. This
// file has the stack, the focus, and what presses do to an item; draw_menu.h draws it. Behind its items a screen can
// have a long list of rows, of which only the one with the focus is made into an item. A screen asks the program for
// something by an app command, which shell.c executes. Knows no SDL and reads no clock.
#ifndef APP_MENU_MENU_H
#define APP_MENU_MENU_H

#include "app/config/preferences.h"
#include "app/config/statistics.h"
#include "app/course/course.h"
#include "app/friends/friends.h"
#include "app/servers/directories.h"
#include "app/servers/server_records.h"
#include "app/servers/server_rows.h"
#include "core/server_browser.h"
#include "discovery/invitation.h"
#include "discovery/qr_code.h"
#include "lobby.h"
#include "looks/sprites.h"
#include "window/canvas.h"
#include "window/font.h"

#define MENU_ITEM_CAPACITY  64
#define MENU_DEPTH_CAPACITY 8
/// Items and rows that are seen at once, except on the title; those that fingers tap are higher.
#define MENU_ROWS            14
#define MENU_ROWS_TOUCH      8
#define MENU_ROWS_TOUCH_TALL 12
/// No item: where there is none at a place of the picture.
#define MENU_NOTHING    UINT32_MAX
#define MENU_TEXT_BYTES 192
/// Largest text that can be typed, with its zero.
#define MENU_TYPED_BYTES 160
/// Gamepads, as window/gamepads.h has them.
#define MENU_PAD_CAPACITY 8
/// Displays that are named, and the bytes of a name, as window/window.h writes it.
#define MENU_DISPLAY_CAPACITY 8
#define MENU_DISPLAY_BYTES    48

struct menu;

/// Kinds of items.
enum item_kind {
    ITEM_NOTE,    ///< text; cannot have the focus
    ITEM_ACTION,  ///< calls `act`
    ITEM_SCREEN,  ///< opens another screen
    ITEM_SETTING, ///< left and right change it: a row of the preferences, or what `act` changes
    ITEM_TEXT,    ///< a row of the preferences, or a text of the menu, that is typed
    ITEM_KEY,     ///< a key of the preferences: accept waits for a new one
    ITEM_GAMEPAD, ///< the same for a gamepad button
};

/// One line of a screen.
struct item {
    enum item_kind kind;
    const char *label;
    const char *help;            ///< shown below the items while it has the focus; NULL: none
    const char *value;           ///< shown at the right; NULL: as menu_value() says
    enum preferences_row row;    ///< of the preferences
    const struct screen *screen; ///< of ITEM_SCREEN
    void (*act)(struct menu *menu, uint32_t argument);
    uint32_t argument;
    char *text;         ///< of ITEM_TEXT without a row
    size_t text_bytes;  ///< its room
    bool secret;        ///< shown as asterisks
    bool lit;           ///< the value stands out: something is on
    uint32_t swatch;    ///< 1 + the colour (0 to 15) of a box before the label; 0: none
    bool plain;         ///< the screen's `extra` is not for it
    bool is_table_head; ///< drawn as the titles of the columns of the rows
};

/// One screen.
struct screen {
    const char *name;  ///< for the log and --screen
    const char *title; ///< NULL: the logo of the game
    void (*fill)(struct menu *menu);
    void (*extra)(struct menu *menu, uint32_t argument); ///< for MENU_EXTRA; NULL: nothing
    const char *extra_hint;                              ///< what that does, for the hints
    void (*left)(struct menu *menu);                     ///< called on MENU_BACK; NULL: nothing
    int32_t aside_px;                                    ///< room beside the items, for a picture
    uint32_t least_rows;                                 ///< of the plate, for that picture
    bool types;                                          ///< the first item is typed in at once, unless by a gamepad
};

/// What a player presses in a menu.
enum menu_press {
    MENU_UP,
    MENU_DOWN,
    MENU_LEFT,
    MENU_RIGHT,
    MENU_ACCEPT,
    MENU_BACK,
    MENU_EXTRA,
    MENU_ERASE, ///< deletes a letter or a binding
    MENU_PAGE_UP,
    MENU_PAGE_DOWN,
    MENU_FIRST, ///< to the first item
    MENU_LAST,
};

/// What a screen asks the program to do.
enum app_command_kind {
    APP_COMMAND_NONE, ///< nothing; to begin a match: the one that the command line names
    APP_COMMAND_QUIT,
    APP_COMMAND_PLAY,          ///< start a local server for one player alone, and join it
    APP_COMMAND_PLAY_TOGETHER, ///< the same with everybody in the lobby
    APP_COMMAND_HOST,          ///< the same, and others can join
    APP_COMMAND_CHANGE,        ///< the local server takes over map, mode and bots of the preferences
    APP_COMMAND_JOIN,          ///< the address in `text`
    APP_COMMAND_REPLAY,        ///< the file in `text`
    APP_COMMAND_LIVE,          ///< the live match at the URL in `text`
    APP_COMMAND_COURSE,        ///< play the course named in `text`
    APP_COMMAND_COURSE_REPLAY, ///< show the best run of that course
    APP_COMMAND_COURSE_AGAIN,  ///< begin the course again
    APP_COMMAND_COURSE_LEAVE,  ///< back to the list of courses
    APP_COMMAND_RESUME,        ///< close the menu over a match
    APP_COMMAND_LEAVE,         ///< the match
    APP_COMMAND_RETRY,         ///< what failed
    APP_COMMAND_CHAT,          ///< `text`, in the match
    APP_COMMAND_COPY,          ///< `text`, to the clipboard
    APP_COMMAND_SEARCH,        ///< search for servers again
    APP_COMMAND_MUTE,          ///< hide what the player named in `text` writes, or show it again
    APP_COMMAND_BEFRIEND,      ///< offer friendship to the player named in `text`, or accept theirs
    APP_COMMAND_WHISPER,       ///< begin a line for the player named in `text` only
    APP_COMMAND_NET,           ///< show the net graph, or hide it
};

struct app_command {
    enum app_command_kind kind;
    bool is_confirmed; ///< the player was asked whether the match of their guests is to end
    bool is_foreign;   ///< `text` comes from a server on the internet
    char text[OPTION_TEXT_BYTES];
};

/// A replay file, for the screen of replays.
struct menu_replay {
    char path[512], name[48], map[40], length[48];
    int64_t unix_s; ///< when the match began
    uint32_t mode;  ///< enum mode, as `map` and `length` known only when `is_read`
    bool is_read;
};
#define MENU_REPLAY_CAPACITY 1000

/// The size of the picture of a replay, px.
#define MENU_CARD_WIDTH  160
#define MENU_CARD_HEIGHT 90
/// Players of a replay that are listed.
#define MENU_CARD_PLAYERS 5
/// One of the best players of a replay.
struct menu_card_player {
    char name[PLAYER_NAME_BYTES + 1];
    uint32_t colour; ///< 0 to 15
    int32_t score;
    bool won; ///< the match, alone or with their team
};

/// What the screen of replays shows of one of them.
struct menu_card {
    uint32_t player_count;                              ///< in its last tick
    struct menu_card_player players[MENU_CARD_PLAYERS]; ///< the best of them, the best first
    argb pixels[MENU_CARD_WIDTH * MENU_CARD_HEIGHT];
};

/// Somebody in the match, for the screen of players.
struct menu_player {
    char name[PLAYER_NAME_BYTES + 1];
    uint32_t colour; ///< 0 to 15
    int32_t score;
    bool is_here, is_bot, is_muted, only_watches; ///< is_here: plays at this computer
    bool asks, asked, is_friend; ///< has offered friendship; the player has offered it to them; it is settled
};
#define MENU_PLAYER_CAPACITY 64

/// How others join the match. Wider than struct invitation: a guest may have joined by a name.
struct menu_invitation {
    char link[OPTION_TEXT_BYTES]; ///< empty: there is nothing to invite to
    struct qr_code code;          ///< of the link
    enum invitation_reach reach;
    uint16_t port;
};

/// What the screens show of the program and the match, and what was typed. The program keeps it up to date.
struct menu_facts {
    struct server_rows *servers;                ///< NULL: there is no list
    const struct directories *directories;      ///< NULL: none
    bool directories_are_given;                 ///< by the command line, for this run
    const struct friends *friends;              ///< NULL: there are none
    struct qr_code friend_code;                 ///< of the player's own key
    char friend_key[MENU_TYPED_BYTES];          ///< as typed
    int64_t unix_s;                             ///< since 1970, for ages
    const struct statistics *statistics;        ///< NULL: none
    char statistics_fault[256];                 ///< why they are not kept; empty: they are
    const struct server_records *records;       ///< NULL: none
    const char *server;                         ///< fingerprint of the server of the match; empty or NULL: none
    char record_server[FINGERPRINT_TEXT_BYTES]; ///< of the server, the record of which is shown
    uint32_t replay_count;
    struct menu_replay replays[MENU_REPLAY_CAPACITY];
    const struct menu_card *replay_card; ///< of the one with the focus; NULL: not there yet
    uint32_t player_count;               ///< in the match
    struct menu_player players[MENU_PLAYER_CAPACITY];
    uint32_t ping_ms;                        ///< of this computer
    const struct lobby *lobby;               ///< who plays at this machine; NULL: nobody has joined
    const char *states[LOCAL_PLAYERS];       ///< of their connections: "joining", "playing", ...; NULL: none
    enum pad_family pads[MENU_PAD_CAPACITY]; ///< by gamepad
    uint32_t pad_bits;                       ///< a bit for each gamepad that is plugged in
    uint32_t course_ticks[COURSE_COUNT];     ///< best times of the courses; 0: none
    uint32_t course_old_ticks[COURSE_COUNT]; ///< the same from before the course changed
    uint32_t display_count;                  ///< of this computer; 0: unknown
    char displays[MENU_DISPLAY_CAPACITY][MENU_DISPLAY_BYTES];
    bool in_match, hosting;
    bool paused;        ///< the match stands still
    uint32_t guests;    ///< people at other computers in the match that this window hosts
    uint32_t open_port; ///< port of the local server that others can join; 0: they cannot
    struct menu_invitation invitation;
    struct app_command leaving;        ///< would end the match of guests: the player is asked about it
    char followed[OPTION_TEXT_BYTES];  ///< link that the player is asked about
    char server_name[64];              ///< of the match, as the list has it; empty: it is not in the list
    bool has_teams;                    ///< the mode has teams
    bool watches;                      ///< the player only watches
    bool can_chat;                     ///< the player is in the match, so they can choose a team
    bool (*has_map)(const char *name); ///< NULL: every map is installed
    char failure[640];                 ///< of the error screen
    char live_url[MENU_TYPED_BYTES];
    char address[MENU_TYPED_BYTES], password[MENU_TYPED_BYTES], directory[MENU_TYPED_BYTES];
    char message[320]; ///< one line below the items, such as a conflict of keys; empty: none
};

struct menu {
    struct preferences *preferences;
    bool changed; ///< the preferences have changed: apply and save them
    struct menu_facts facts;
    struct app_command command;
    uint32_t depth;      ///< 0: closed
    uint32_t left_depth; ///< to which menu_return() opens it; 0: it does not
    const struct screen *stack[MENU_DEPTH_CAPACITY];
    uint32_t focus[MENU_DEPTH_CAPACITY];
    uint32_t first[MENU_DEPTH_CAPACITY];                 ///< item or row that is seen at the top
    bool typing;                                         ///< letters go into the item with the focus
    bool binding;                                        ///< the next key or gamepad button is bound to it
    uint32_t count, used;                                ///< items; texts in use
    struct item items[MENU_ITEM_CAPACITY];               ///< of the topmost screen, as filled last
    char texts[MENU_ITEM_CAPACITY * 2][MENU_TEXT_BYTES]; ///< of items
    uint32_t row_count;                                  ///< behind the items
    struct item (*row)(struct menu *menu, uint32_t row); ///< makes one of them
    struct item focused_row;                             ///< the one with the focus, if one has
    enum menu_press last;                                ///< pressed last
    uint32_t moved;                                      ///< number of presses so far
    bool by_gamepad;                                     ///< the last press was on a gamepad: hints show its buttons
    uint32_t gamepad;                                    ///< number of that gamepad
    bool is_tall;                                        ///< the picture is higher than wide
    bool by_touch;                                       ///< the last press was a finger's: what it hits is larger
    int32_t dragged;                                     ///< by a finger, px, less than a row
};

/// Opens a screen over what is open, or alone.
void menu_open(struct menu *menu, const struct screen *screen);
void menu_open_alone(struct menu *menu, const struct screen *screen);
void menu_close(struct menu *menu);
/// Closes the menu for a while: menu_return() opens it as it was, unless another screen was opened since. Returns
/// whether it did.
void menu_leave(struct menu *menu);
bool menu_return(struct menu *menu);
/// Puts the focus on the item that opens a screen, if there is one.
void menu_focus_on(struct menu *menu, const struct screen *screen);
/// Fills the items of the topmost screen again; call it before drawing.
void menu_fill(struct menu *menu);
/// Returns how many items and rows are seen at once in a menu that is open.
uint32_t menu_rows(const struct menu *menu);
/// Returns the head of a table that stays at the top of the list while its rows scroll under it; MENU_NOTHING: none.
uint32_t menu_pinned(const struct menu *menu);
/// Returns the topmost screen; NULL: the menu is closed.
const struct screen *menu_screen(const struct menu *menu);
/// Returns whether the lobby, when it is done, begins a match on this computer.
bool menu_lobby_begins(const struct menu *menu);
/// Returns the family of the gamepad that was pressed last.
enum pad_family menu_pad_family(const struct menu *menu);
/// Returns the face of all that is not a title: large for those who want it, and for fingers.
enum font_face menu_face(const struct menu *menu);
/// Returns the number of items and rows.
uint32_t menu_count(const struct menu *menu);
/// Returns the item that has the focus, or the row as an item; NULL: none.
const struct item *menu_focused(const struct menu *menu);

/// For fill(): adds an item, a note, several items; formats a text that lasts until the next fill.
void menu_add(struct menu *menu, struct item item);
void menu_note(struct menu *menu, const char *texts);
/// Adds a text as several notes, wrapped between words.
void menu_paragraph(struct menu *menu, const char *text);
/// Adds a list of rows behind all items, however long; `row` makes the one that has the focus.
void menu_add_rows(struct menu *menu, uint32_t count, struct item (*row)(struct menu *menu, uint32_t row));
/// Adds a table of items, and translates their labels and helps.
void menu_add_all(struct menu *menu, const struct item *items, size_t count);
const char *menu_format(struct menu *menu, const char *format, ...) __attribute__((format(printf, 2, 3)));
/// For actions: issues a command to the program.
void menu_command(struct menu *menu, enum app_command_kind kind, const char *text);

/// An `act` that issues the command in its argument (enum app_command_kind).
void menu_act_command(struct menu *menu, uint32_t kind);

/// Handles a press.
void menu_press(struct menu *menu, enum menu_press press);
/// Puts the focus on an item; `pressed`: and accepts it.
void menu_point(struct menu *menu, uint32_t item, bool pressed);
/// Moves a long list by so many rows, and the focus with it if it would not be seen; a short one moves the focus.
void menu_scroll(struct menu *menu, int32_t rows);
/// Appends typed letters, UTF-8. Does nothing unless a text is being typed.
void menu_type(struct menu *menu, const char *text);
/// Binds a key (enum key) or a gamepad's button (enum gamepad_button). Returns false if none is waited for.
bool menu_bind_key(struct menu *menu, uint32_t scancode);
bool menu_bind_gamepad(struct menu *menu, uint32_t name);
/// Returns the key (enum key) of an ITEM_KEY, the button (enum gamepad_button) of an ITEM_GAMEPAD; 0: none.
uint32_t menu_bound(const struct menu *menu, const struct item *item);
/// Writes what an item shows at its right.
void menu_value(const struct menu *menu, const struct item *item, char *text, size_t text_bytes);

#endif
