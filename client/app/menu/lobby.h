// SPDX-License-Identifier: MIT
//
// The lobby: who plays at this machine, on which device, in which colour, hat and team, with which handicap, and who is
// ready. A press of jump makes a player stand there; further presses choose, make ready, or leave. Knows no device, no
// menu and no network: presses and the time are arguments.
#ifndef APP_MENU_LOBBY_H
#define APP_MENU_LOBBY_H

#include "app/config/preferences.h"

/// All must be ready for so long before a match begins by itself, us.
#define LOBBY_READY_US 1500000u
/// The only one who has joined is ready for so long before a match, since a friend may still take their place, us.
#define LOBBY_ALONE_US 5000000u
/// Start is held for so long to begin at once, us.
#define LOBBY_HOLD_US 600000u

/// Bots fill a match up to so many players at most, as the lobby offers.
#define LOBBY_BOTS_MAX 8

/// One place of the lobby. Its number is that of the local player.
struct lobby_player {
    bool joined;
    bool ready;
    bool lost;         ///< their gamepad is unplugged; they get the place back with it
    uint32_t device;   ///< enum device
    uint32_t colour;   ///< 0 to 15; no two who have joined have the same
    uint32_t hat;      ///< enum hat
    uint32_t team;     ///< enum team_choice, in a mode with teams
    uint32_t handicap; ///< enum handicap
    bool shows_rules;  ///< the keys of colour and hat choose team and handicap
    bool chose_colour; ///< themselves
    uint64_t moved_us; ///< time of their last press, for their figure
};

/// All places. Zero-initialise, then lobby_set_defaults().
struct lobby {
    struct lobby_player players[LOCAL_PLAYERS];
    uint32_t playing;  ///< a bit for each place with a player in a match
    bool has_teams;    ///< the mode has teams
    bool changed;      ///< somebody has become ready since lobby_open()
    uint64_t now_us;   ///< time of the last lobby_step()
    uint64_t ready_us; ///< since when all are ready; 0: they are not
    uint64_t
        held_us; ///< since when start is held; 0: it is not; UINT64_MAX: not since lobby_open(), so it counts not yet
};

/// Gives the places that are free their colours, 0 to 15, and hats (enum hat).
void lobby_set_defaults(struct lobby *lobby, const uint32_t colours[LOCAL_PLAYERS], const uint32_t hats[LOCAL_PLAYERS]);

/// Lets everybody leave.
void lobby_clear(struct lobby *lobby);

/// Opens the lobby. Without a match, nobody is ready yet.
void lobby_open(struct lobby *lobby);

/// Handles a press on a device. Returns false if it means nothing here, so that the menu may have it.
bool lobby_press(struct lobby *lobby, uint32_t device, enum player_action action);

/// Lets time pass; `holds_start`: somebody holds the key that begins. Returns true, once, when it is time to begin.
bool lobby_step(struct lobby *lobby, uint64_t now_us, bool holds_start);

/// Returns for how long all must be ready, us.
uint64_t lobby_wait_us(const struct lobby *lobby);

/// Notes that a device is there or not. Returns whether that is new to a player who has joined.
bool lobby_set_lost(struct lobby *lobby, uint32_t device, bool lost);

/// Returns how many have joined; 0: one player uses all devices.
uint32_t lobby_count(const struct lobby *lobby);
/// Returns the place of the player with a device; LOCAL_PLAYERS: nobody has it.
uint32_t lobby_find(const struct lobby *lobby, uint32_t device);
/// Returns the first player without their gamepad; LOCAL_PLAYERS: there is none.
uint32_t lobby_find_lost(const struct lobby *lobby);

#endif
