// SPDX-License-Identifier: MIT
//
// The local players of one window: each has a seat with a device in his hands and a connection of his own to the same
// server. Connects, ticks, reconnects and leaves for all of them, and makes the one view that they share. The clock is
// an argument; what is held comes from the caller.
#ifndef APP_LOCAL_PLAYERS_H
#define APP_LOCAL_PLAYERS_H

#include "address.h"
#include "app/menu/menu.h"
#include "base/error.h"
#include "core/client.h"
#include "net/transport_config.h"
#include "options/log.h"
#include "settings.h"

struct local_players;

/// One local player.
struct local_player {
    struct local_players *local;
    uint32_t number;             ///< 0 to MENU_SEATS - 1; the server tells him from the others at this key by it
    uint32_t device;             ///< enum device
    struct transport *transport; ///< the client's
    struct client *client;       ///< null: not in a match
};

/// All of them. Zero-initialise; its address must not change.
struct local_players {
    const struct settings *settings;
    const struct preferences *preferences;
    const struct log *log;
    uint64_t (*now_us)(void);
    struct address address;
    struct net_ticket ticket; ///< of the server there
    char password[MENU_TYPED_BYTES];
    uint32_t joined_count; ///< seats that were taken by a press; 0: one player has everything
    struct local_player players[LOCAL_PLAYERS];
    struct view friend_view; ///< of one seat after the other
    struct error error;      ///< why the first seat has no match
    enum denial denial;      ///< that is, what its server refused it for
};

/// Takes a seat for a device, unless it has one; in a match he joins at once. Returns the seat; MENU_SEATS: none free.
uint32_t local_players_add(struct local_players *local, uint32_t device);
/// Gives a seat up; those behind move up. The first one's match goes on with the next.
void local_players_remove(struct local_players *local, uint32_t player);

/// Connects every seat to the address anew. False, with the sentence, if even the first cannot begin.
bool local_players_join(struct local_players *local);
/// Leaves with a word to the server.
void local_players_leave(struct local_players *local);

/// Takes what has arrived and makes the ticks that are due; `sample` gives what a seat holds.
void local_players_run(struct local_players *local,
                       struct player_input (*sample)(void *context, struct local_player *player), void *context);
/// When something is to be done next, us.
uint64_t local_players_next_us(const struct local_players *local);
/// Sleeps until then, or something arrives.
void local_players_wait(const struct local_players *local, uint64_t until_us);

/// The first seat's client; null without a match.
struct client *local_players_client(const struct local_players *local);
bool local_players_is_playing(const struct local_players *local);
/// It was refused, or the connection is lost for good.
bool local_players_has_ended(const struct local_players *local);
/// Fills the view of the first seat, with the other local players where their own clients have them. `local_slots` are
/// their slots, `local_slot_count` of them. False before the first world.
bool local_players_view(struct local_players *local, uint64_t now_us, struct view *view,
                        uint32_t local_slots[LOCAL_PLAYERS], uint32_t *local_slot_count);
/// Tells the screen of players who sits where.
void local_players_describe(const struct local_players *local, struct menu_local_player players[LOCAL_PLAYERS]);

#endif
