// SPDX-License-Identifier: MIT
//
// Menus: a stack of screens. Each screen fills its table of items again before it is drawn or handles a press. This
// file has the stack, the focus, and what presses do to an item; draw_menu.h draws it. A screen asks the program for
// something by an app command, which app_commands.c executes. Knows no SDL and reads no clock.
#ifndef APP_MENU_MENU_H
#define APP_MENU_MENU_H

#include "app/config/preferences.h"
#include "app/config/statistics.h"
#include "app/gfx/pad_glyphs.h"
#include "app/trial/course.h"
#include "core/server_browser.h"
#include "lobby.h"

#define MENU_ITEM_CAPACITY  64
#define MENU_DEPTH_CAPACITY 8
#define MENU_TEXT_BYTES     192
/// Largest text that can be typed, with its zero.
#define MENU_TYPED_BYTES 160
/// Gamepads, as platform/gamepads.h has them.
#define MENU_PAD_CAPACITY 8

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
    const char *value;           ///< shown at the right; NULL: as menu_value() says
    const char *help;            ///< shown below the items while it has the focus; NULL: none
    const char *row;             ///< of the preferences
    const struct screen *screen; ///< of ITEM_SCREEN
    void (*act)(struct menu *menu, uint32_t argument);
    uint32_t argument;
    char *text;        ///< of ITEM_TEXT without a row
    size_t text_bytes; ///< its room
    bool secret;       ///< shown as asterisks
    bool lit;          ///< the value stands out: something is on
    bool plain;        ///< the screen's `extra` is not for it
};

/// One screen.
struct screen {
    const char *name;  ///< for the log and --screen
    const char *title; ///< NULL: the logo of the game
    void (*fill)(struct menu *menu);
    void (*extra)(struct menu *menu, uint32_t argument); ///< for MENU_EXTRA; NULL: nothing
    const char *extra_hint;                              ///< what that does, for the hints
    void (*left)(struct menu *menu);                     ///< called on MENU_BACK; NULL: nothing
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
};

/// What a screen asks the program to do.
enum app_command_kind {
    APP_COMMAND_NONE,
    APP_COMMAND_QUIT,
    APP_COMMAND_PLAY,          ///< start a local server for one player alone, and join it
    APP_COMMAND_PLAY_TOGETHER, ///< the same with everybody in the lobby
    APP_COMMAND_HOST,          ///< the same, and others can join
    APP_COMMAND_CHANGE,        ///< the local server takes over map, mode and bots of the preferences
    APP_COMMAND_JOIN,          ///< the address in `text`
    APP_COMMAND_REPLAY,        ///< the file in `text`
    APP_COMMAND_TRIAL,         ///< play the course named in `text`
    APP_COMMAND_TRIAL_REPLAY,  ///< show the best run of that course
    APP_COMMAND_TRIAL_AGAIN,   ///< begin the course again
    APP_COMMAND_TRIAL_LEAVE,   ///< back to the list of courses
    APP_COMMAND_RESUME,        ///< close the menu over a match
    APP_COMMAND_LEAVE,         ///< the match
    APP_COMMAND_RETRY,         ///< what failed
    APP_COMMAND_CHAT,          ///< `text`, in the match
    APP_COMMAND_SEARCH,        ///< search for servers again
};

struct app_command {
    enum app_command_kind kind;
    char text[OPTION_TEXT_BYTES];
};

/// A replay file, for the screen of replays.
struct menu_replay {
    char path[512], name[48], map[40], length[48];
};
#define MENU_REPLAY_CAPACITY 40

/// What the screens show of the program and the match, and what was typed. The program keeps it up to date.
struct menu_facts {
    struct server_browser *browser;      ///< null: none
    const struct statistics *statistics; ///< NULL: none
    char statistics_fault[256];          ///< why they are not kept; empty: they are
    uint32_t replay_count;
    struct menu_replay replays[MENU_REPLAY_CAPACITY];
    const struct lobby *lobby;               ///< who plays at this machine; NULL: nobody has joined
    const char *states[LOCAL_PLAYERS];       ///< of their connections: "joining", "playing", ...; NULL: none
    enum pad_family pads[MENU_PAD_CAPACITY]; ///< by gamepad
    uint32_t pad_bits;                       ///< a bit for each gamepad that is plugged in
    uint32_t course_ticks[COURSE_COUNT];     ///< best times of the courses; 0: none
    bool in_match, hosting;
    bool paused;                       ///< the match stands still
    uint32_t open_port;                ///< port of the local server that others can join; 0: they cannot
    bool has_teams;                    ///< the mode has teams
    bool can_chat;                     ///< the player is in the match, so they can choose a team
    bool (*has_map)(const char *name); ///< NULL: every map is installed
    char failure[640];                 ///< of the error screen
    char address[MENU_TYPED_BYTES], password[MENU_TYPED_BYTES];
    char message[320]; ///< one line below the items, such as a conflict of keys; empty: none
};

struct menu {
    struct preferences *preferences;
    bool changed; ///< the preferences have changed: apply and save them
    struct menu_facts facts;
    struct app_command command;
    uint32_t depth; ///< 0: closed
    const struct screen *stack[MENU_DEPTH_CAPACITY];
    uint32_t focus[MENU_DEPTH_CAPACITY];
    bool typing;                                         ///< letters go into the item with the focus
    bool binding;                                        ///< the next key or gamepad button is bound to it
    uint32_t count, used;                                ///< items; texts in use
    struct item items[MENU_ITEM_CAPACITY];               ///< of the topmost screen, as filled last
    char texts[MENU_ITEM_CAPACITY * 2][MENU_TEXT_BYTES]; ///< of items
    enum menu_press last;                                ///< pressed last
    uint32_t moved;                                      ///< number of presses so far
    bool by_gamepad;                                     ///< the last press was on a gamepad: hints show its buttons
    uint32_t gamepad;                                    ///< number of that gamepad
};

/// Opens a screen over what is open, or alone.
void menu_open(struct menu *menu, const struct screen *screen);
void menu_open_alone(struct menu *menu, const struct screen *screen);
void menu_close(struct menu *menu);
/// Puts the focus on the item that opens a screen, if there is one.
void menu_focus_on(struct menu *menu, const struct screen *screen);
/// Fills the items of the topmost screen again; call it before drawing.
void menu_fill(struct menu *menu);
/// Returns the topmost screen; NULL: the menu is closed.
const struct screen *menu_screen(const struct menu *menu);
/// Returns whether the lobby, when it is done, begins a match on this computer.
bool menu_lobby_begins(const struct menu *menu);
/// Returns the family of the gamepad that was pressed last.
enum pad_family menu_pad_family(const struct menu *menu);
/// Returns the item that has the focus; NULL: none.
const struct item *menu_focused(const struct menu *menu);

/// For fill(): adds an item, a note, several items; formats a text that lasts until the next fill.
void menu_add(struct menu *menu, struct item item);
void menu_note(struct menu *menu, const char *texts);
/// Adds a text as several notes, wrapped between words.
void menu_paragraph(struct menu *menu, const char *text);
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
/// Appends typed letters, UTF-8. Does nothing unless a text is being typed.
void menu_type(struct menu *menu, const char *text);
/// Binds a key (enum key) or a gamepad's button (enum gamepad_button). Returns false if none is waited for.
bool menu_bind_key(struct menu *menu, uint32_t scancode);
bool menu_bind_gamepad(struct menu *menu, uint32_t name);
/// Writes what an item shows at its right.
void menu_value(const struct menu *menu, const struct item *item, char *text, size_t text_bytes);

#endif
