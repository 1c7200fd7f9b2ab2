// SPDX-License-Identifier: MIT
//
// A player's side of a match without keys and without a screen: joins, downloads the map, keeps its clock ahead of the
// server, sends the inputs of up to four local players, predicts the whole world, applies corrections, and fills a
// view. The window, the load test and the tests drive it with time and inputs as arguments; it reads no clock.
#ifndef CORE_CLIENT_H
#define CORE_CLIENT_H

#include "connection.h"
#include "notices.h"
#include "sync/world.h"
#include "view.h"

/// A player as they wish to be seen.
struct client_player {
    char name[PLAYER_NAME_BYTES + 1]; ///< UTF-8
    uint32_t colour;                  ///< requested, 0 to 15
    uint32_t hat;                     ///< enum hat
    uint32_t handicap;                ///< requested, enum handicap
};

/// What a client is created with.
struct client_config {
    struct client_player player;                ///< who joins first
    uint32_t local;                             ///< their number, 0 to LOCAL_PLAYERS - 1
    struct transport *(*reopen)(void *context); ///< connects again after a loss; null: a loss is the end
    struct client_vouches vouches;
    /// Takes what the server has on record about the player. Null: nobody does.
    void (*keep_record)(void *context, const struct record_message *record);
    void *context;         ///< the argument of these functions
    const char *map_cache; ///< folder of cached maps, must outlive the client; null or empty: none
    bool light;            ///< answers on the wire like a full client, without map and worlds: for load tests
};

/// Figures for the net graph and load tests; counted since the join unless stated otherwise.
struct client_statistics {
    uint32_t rtt_ms;                 ///< smoothed
    uint32_t round_trip_us;          ///< newest, from the time stamps of datagrams (see net_totals)
    uint64_t round_trips;            ///< measured, of the present connection
    uint32_t snapshots;              ///< decoded (light: complete)
    uint32_t snapshots_lost;         ///< have not come, or could not be decoded
    uint32_t snapshot_rate;          ///< a second, as the server announced
    uint8_t dice[MATCH_DICE_BYTES];  ///< commitment to the dice of the match, as the server announced
    uint32_t snapshot_bytes;         ///< body of the newest
    uint32_t resimulations;          ///< worlds that were not as predicted, so that ticks were stepped again
    uint32_t resimulated_ticks;      ///< ticks stepped for that
    uint32_t corrections;            ///< of those worlds: an own player was somewhere else
    uint32_t prediction_error_subpx; ///< newest correction of own players, the largest; 0: none was needed
    uint32_t desyncs;                ///< world hashes that differed; must stay 0
    uint32_t facts;                  ///< events shown once they were confirmed
    uint32_t fact_delay_ticks;       ///< sum over facts: from the event to the tick in which it was shown
    uint32_t facts_lost;             ///< too many happened between two worlds
    uint32_t refuted[EVENT_KINDS];   ///< own actions that were shown at once but did not happen, by enum event_kind
    uint32_t deaths_guessed;         ///< players shown as hit before that was confirmed
    uint32_t deaths_refuted;         ///< of those: they live on
    uint32_t others_error_subpx;     ///< newest: mean distance from where others were drawn to where they were
    uint32_t others_jumps;           ///< drawn steps of others of more than 8 px
    uint32_t inputs_missed;          ///< reported by the server, over all connections
    int32_t margin_quarter_ticks;    ///< newest, reported by the server
    uint32_t lead_ticks;             ///< own tick minus that of the newest snapshot
    uint32_t clock_restarts;         ///< hard resyncs of the clock
    uint32_t clock_stalls;           ///< times that the client itself ticked more than 2.5 ticks too late
    uint32_t input_acks;             ///< snapshots that used an own input
    uint32_t input_ack_us;           ///< newest: from sending an input to a snapshot that used it
    uint64_t bytes_in, bytes_out, packets_in, packets_out; ///< of the present connection
};

/// Why a client connects again.
enum client_retry_cause {
    CLIENT_RETRY_LOSS,    ///< the connection was lost
    CLIENT_RETRY_RESTART, ///< the server restarts, or has restarted
    CLIENT_RETRY_OVERDUE, ///< it should have come back by now
};

/// An attempt to connect again and to join.
struct client_retry {
    enum client_retry_cause cause;
    uint32_t attempt, attempts_max; ///< from 1
    uint64_t wait_us;               ///< until this attempt begins; 0: it is under way
};

struct client;

/// Creates a client over a transport that it then owns. The only allocation; null if memory runs out.
struct client *client_create(struct transport *transport, const struct client_config *config);
/// Leaves and frees a client; null is allowed.
void client_destroy(struct client *client);

/// Handles everything that has arrived. `now_us`: any monotonic clock.
void client_receive(struct client *client, uint64_t now_us);
/// Returns whether the next tick is due (the client's clock runs up to 3 % fast or slow). Call in a loop: while due,
/// tick.
bool client_tick_due(const struct client *client, uint64_t now_us);
/// Returns when the next tick is due, us; UINT64_MAX before the first world.
uint64_t client_next_tick_us(const struct client *client);
/// Runs one tick: numbers the inputs, sends all unconfirmed ones, predicts. Those of players without a seat are
/// ignored.
void client_tick(struct client *client, const struct local_inputs *inputs, uint64_t now_us);
/// Lets another local player join the match as soon as the client is in it, or one who plays return with another look.
/// They share the connection and the prediction. A seat costs the server a message to everybody, so they join a second
/// apart if there are many.
void client_join_player(struct client *client, uint32_t local, const struct client_player *player);
/// Lets a local player leave the match. With the last one the client leaves it.
void client_leave_player(struct client *client, uint32_t local);
/// Leaves the match and tells the server. The state becomes CLIENT_ENDED.
void client_leave(struct client *client);

/// Gets the attempt to connect again, which lasts until the client plays. False if there is none.
bool client_retry(const struct client *client, uint64_t now_us, struct client_retry *retry);

/// Returns where the client stands.
enum client_state client_state(const struct client *client);
/// Returns whether the client has played since it was created.
bool client_has_played(const struct client *client);
/// Returns why the client ended; DENY_NONE after a lost connection or client_leave().
enum deny_reason client_reason(const struct client *client);
/// Returns why the server refused the session, such as a wrong password; DENIAL_NONE if it did not, or none answered.
enum denial client_denial(const struct client *client);
/// Returns a text for the player: why the client ended, or what it waits for.
const char *client_status_text(const struct client *client);
/// Returns the system message of the last 8 seconds; "" if there is none.
const char *client_system_message(const struct client *client, uint64_t now_us);
/// Sends a chat line of a local player to all or to their team; one that begins with '/' is a command to the server. A
/// line longer than CHAT_SEND_BYTES_MAX is cut. False, and nothing is sent, if it is empty or the client does not play.
bool client_chat_send(struct client *client, uint32_t local, bool team, const char *text);
/// Takes the oldest chat line that was not taken yet; the last CHAT_LINES are kept. False if there is none.
bool client_chat_next(struct client *client, struct chat_line *line);
/// Returns the tag (MESSAGE_TAG_BYTES) by which the player in a slot is recognised on every server, but by this
/// client's account only; zero: they cannot be.
const uint8_t *client_player_tag(const struct client *client, uint32_t slot);
/// Gets the open vote, its ticks counted down to now. False if there is none. To vote, send "/yes", "/no", or
/// "/vote NUMBER".
bool client_open_vote(const struct client *client, uint64_t now_us, struct vote_message *vote);
/// Returns for how long no snapshot has come, us; 0 unless playing.
uint64_t client_silence_us(const struct client *client, uint64_t now_us);
/// Returns the slots of the local players; only while playing.
const struct local_seats *client_seats(const struct client *client);
/// Returns the slot of the first one of them; only while playing. Always below PLAYER_CAPACITY.
uint32_t client_slot(const struct client *client);
/// Returns why a local player who wished to play has no seat; DENY_NONE if they have one, or wait for it.
enum deny_reason client_player_denied(const struct client *client, uint32_t local);
/// Returns the predicted world; null before the first, and for a light client. For AIs and tests.
const struct world *client_world(const struct client *client);
/// Returns the newest confirmed world; null as above. For tests.
const struct world *client_world_confirmed(const struct client *client);
/// Returns the map; null before it has arrived, and for a light client.
const struct map *client_map(const struct client *client);
/// Fills the figures.
void client_statistics(const struct client *client, struct client_statistics *statistics);
/// Fills what may be drawn at a moment between ticks, in the way of view->kind. While the client connects again, the
/// view stays as it was filled last, without events. False before the first world, and once the server has another map.
bool client_view(struct client *client, uint64_t now_us, struct view *view);

#endif
