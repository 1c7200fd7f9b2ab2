// SPDX-License-Identifier: MIT
//
// What a player has chosen and wants to find again: picture, sound, name, keys, and the servers he likes. One option
// table drives the file, the settings screens and the defaults; the file is replaced whole or not at all. A bad file is
// a sentence and the defaults. Knows no SDL: keys are numbers, pads are words.
#ifndef APP_CONFIG_PREFERENCES_H
#define APP_CONFIG_PREFERENCES_H

#include "base/error.h"
#include "options/options.h"
#include "wire/message.h"

/// How the picture fills the window.
enum scaling { SCALING_INTEGER, SCALING_FIT, SCALING_STRETCH };
/// Colours of players for all eyes, and for those that see few.
enum eyes { EYES_ALL, EYES_DEUTERANOPIA, EYES_PROTANOPIA, EYES_TRITANOPIA };

/// What a player can do with keys, in the order of the bits of enum button.
enum player_action { DEED_LEFT, DEED_RIGHT, DEED_UP, DEED_DOWN, DEED_JUMP, DEED_DASH, DEED_SHOOT };
#define PREFERENCES_ACTIONS 7
/// Places for keys: two of the first keyboard set, one of the second, which another player may use.
#define PREFERENCES_KEYS 3
/// Places for buttons of a pad.
#define PREFERENCES_PADS 2
/// Steps of a volume.
#define PREFERENCES_VOLUME_MAX 10

/// See above.
struct preferences {
    uint32_t scaling; ///< enum scaling
    bool fullscreen;
    int64_t volume, volume_effects, volume_ambience; ///< 0 to PREFERENCES_VOLUME_MAX; the first is over the others
    char name[OPTION_TEXT_BYTES];
    int64_t colour;               ///< 0 to 15; -1: by the name
    uint32_t hats[LOCAL_PLAYERS]; ///< enum hat, of each player at this machine
    uint32_t eyes;                ///< enum eyes
    bool reduced_motion;
    int64_t shake;     ///< of the screen, 0 to 10: 10 is all of it
    bool large_text;   ///< in menus and over the arena
    bool kill_replays; ///< the last kill of a round is shown again
    char map[OPTION_TEXT_BYTES], server_name[OPTION_TEXT_BYTES];
    uint32_t mode; ///< index into PREFERENCES_MODES
    int64_t bots;
    uint32_t bot_skill; ///< index into PREFERENCES_SKILLS
    int64_t players;
    int64_t keys[PREFERENCES_KEYS][PREFERENCES_ACTIONS];  ///< scancodes (USB HID usages); 0: none
    uint32_t pads[PREFERENCES_PADS][PREFERENCES_ACTIONS]; ///< index into PREFERENCES_PAD_NAMES; 0: none
    struct option_list favourites, recent;                ///< addresses as typed, the newest first
};

/// Words of the modes and skills that a server takes, of the deeds, and of a pad's buttons (1 + SDL's number, the
/// triggers last); null ends them.
extern const char *const PREFERENCES_MODES[], *const PREFERENCES_SKILLS[], *const PREFERENCES_PAD_NAMES[];
extern const char *const PREFERENCES_ACTION_NAMES[];
/// Those in PREFERENCES_PAD_NAMES that the program itself looks at.
#define PREFERENCES_PAD_BACK           5u
#define PREFERENCES_PAD_START          7u
#define PREFERENCES_PAD_SHOULDER_RIGHT 11u
#define PREFERENCES_PAD_TRIGGER_LEFT   16u
#define PREFERENCES_PAD_TRIGGER_RIGHT  17u

/// Reads them from a file; one that is not there gives the defaults. False with a sentence, and the defaults, if the
/// file is bad. `path` empty: the defaults.
bool preferences_read(struct preferences *preferences, const char *path, struct error *error);

/// Replaces the file: what it held stays unless all is written. False with a sentence. `path` empty: nothing to do.
bool preferences_write(const struct preferences *preferences, const char *path, struct error *error);

/// The row of this name in the table; null if there is none.
const struct option *preferences_row(const char *name);
/// What a row holds, for people.
void preferences_describe(const struct preferences *preferences, const char *name, char *text, size_t text_bytes);
/// Moves a row's value on: a flag turns, a choice goes round, a number goes up or down by `step`.
void preferences_change(struct preferences *preferences, const char *name, int32_t step);
/// The text of a text row; null for another.
char *preferences_text(struct preferences *preferences, const char *name);
/// Puts a row back as it was made.
void preferences_reset(struct preferences *preferences, const char *name);

/// Puts an address in front of a list, once; the last one gives way.
void preferences_remember(struct option_list *list, const char *address);
/// Takes an address from a list. False if it is not in it.
bool preferences_forget(struct option_list *list, const char *address);

#endif
