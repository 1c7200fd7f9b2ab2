// SPDX-License-Identifier: MIT
//
// The local players: up to four people at one window. Each has a device and a seat of their own at the server; they
// share one client with its connection, its prediction and its view. Connects, ticks, reconnects and leaves for all of
// them. The clock is an argument; the caller passes the inputs.
#ifndef APP_LOCAL_PLAYERS_H
#define APP_LOCAL_PLAYERS_H

#include "address.h"
#include "app/menu/lobby.h"
#include "app/menu/menu.h"
#include "app/servers/server_records.h"
#include "base/error.h"
#include "base/log.h"
#include "core/client.h"
#include "net/transport.h"
#include "settings.h"

/// One local player.
struct local_player {
    bool plays;                     ///< in the match, or waits for a seat
    uint32_t team_generation;       ///< of their player, when the server was asked for a team
    uint32_t team_asked;            ///< enum team_choice
    uint32_t colour, hat, handicap; ///< as they joined
};

/// All of them. Zero-initialise. The address of the struct must not change.
struct local_players {
    const struct settings *settings;
    const struct preferences *preferences;
    struct lobby *lobby; ///< who plays with which device; if nobody has joined it, one player uses every device
    struct server_records *records; ///< what servers say about the first place
    const struct log *log;
    uint64_t (*now_us)(void);
    struct address address;
    char claimed[FINGERPRINT_TEXT_BYTES]; ///< key that the list of servers says it has; empty: none
    struct net_ticket ticket;             ///< for the server at `address`
    char password[MENU_TYPED_BYTES];
    struct transport *transport;         ///< the client's
    struct client *client;               ///< NULL: no match
    char server[FINGERPRINT_TEXT_BYTES]; ///< that the transport is connected to; empty: none yet
    struct local_seats seats;            ///< of the client, when they were logged last
    struct local_player players[LOCAL_PLAYERS];
    struct error error; ///< why there is no match
    enum denial denial; ///< why the server refused the session
};

/// Brings the lobby up to date with the preferences and the match, and lets those in the lobby who are ready join a
/// running match, and those who left it leave. Call it in each turn of the loop.
void local_players_follow(struct local_players *local);

/// Gives places of the lobby where nobody stands their colour and hat: as the preferences say, else a colour that is
/// far from those of the others.
void local_players_set_defaults(struct lobby *lobby, const struct preferences *preferences);
/// Connects to the address again, for all players of the lobby. Returns false, with `error` set, if that cannot be.
bool local_players_join(struct local_players *local);
/// Leaves the match, and lets the server know.
void local_players_leave(struct local_players *local);

/// Receives what has arrived. Returns false without a match.
bool local_players_receive(struct local_players *local);
/// Returns whether a tick is due in the match.
bool local_players_tick_due(const struct local_players *local);
/// Makes one tick in the match.
void local_players_tick(struct local_players *local, const struct local_inputs *inputs);
/// Returns the time of the next tick, us; UINT64_MAX without a match.
uint64_t local_players_next_us(const struct local_players *local);
/// Sleeps until a time, or until something arrives.
void local_players_wait(const struct local_players *local, uint64_t until_us);

/// Sends a line of chat from the first player to everybody in the match. A line that begins with "/" is a command to
/// the server.
void local_players_say(struct local_players *local, const char *line);

/// Returns a player's device (enum device).
uint32_t local_players_device(const struct local_players *local, uint32_t number);
/// Returns the number of the first player, who has the lowest of those in the match; 0 without a match.
uint32_t local_players_first(const struct local_players *local);
/// Returns the slot of a player; PLAYER_CAPACITY: they have none now.
uint32_t local_players_slot(const struct local_players *local, uint32_t number);
/// Returns their client; NULL without a match.
struct client *local_players_client(const struct local_players *local);
/// Returns its world; NULL without a match, and before there is a world.
const struct world *local_players_world(const struct local_players *local);
/// Returns whether they are in the match.
bool local_players_is_playing(const struct local_players *local);
/// Returns whether they have played and connect again.
bool local_players_is_away(const struct local_players *local);
/// Returns whether a slot of the world is of a player at this machine.
bool local_players_is_here(const struct local_players *local, uint32_t slot);
/// Returns how many people at other computers are in the match, also those who only watch; 0 while there is no
/// match.
uint32_t local_players_count_others(const struct local_players *local);
/// Returns whether they have no match: none was begun, the server refused it, or the connection is lost.
bool local_players_has_ended(const struct local_players *local);
/// Fills the view, which stays as it is while the client connects again. Returns false before the first world, and once
/// the server has another map.
bool local_players_view(struct local_players *local, uint64_t now_us, struct view *view);
/// Returns what a player does, for the lobby: "joining", "playing", or why they do not; "" if they are not there.
const char *local_players_state_text(const struct local_players *local, uint32_t number);

#endif
