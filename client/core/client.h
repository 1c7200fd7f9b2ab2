// SPDX-License-Identifier: MIT
//
// One player's side of a match without keys and without a screen: joins, fetches the map, keeps its clock ahead
// of the server, sends inputs, predicts the whole world, is corrected, and shows a view. The window, the bots and the
// tests drive it with time and inputs as arguments; it reads no clock.
#ifndef CLIENT_CLIENT_H
#define CLIENT_CLIENT_H

#include "chat.h"
#include "connection.h"
#include "game/world.h"
#include "view.h"

struct client_config {
    char name[PLAYER_NAME_BYTES + 1];           ///< UTF-8
    uint32_t colour;                            ///< wished, 0 to 15
    uint32_t hat;                               ///< enum hat
    uint32_t local;                             ///< which of the players that share a key, 0 to LOCAL_PLAYERS - 1
    struct transport *(*reopen)(void *context); ///< opens the connection anew after a loss; null: a loss is the end
    void *context;                              ///< its argument
    const char *map_cache; ///< folder of maps that are kept, must outlive the client; null or empty: none are
    bool light;            ///< answers on the wire as a client does, without map and worlds: for load tests
};

/// What a net graph or a load test wants to know; counted since the join unless said otherwise.
struct client_statistics {
    uint32_t rtt_ms;
    uint32_t snapshots;              ///< decoded (light: complete)
    uint32_t snapshots_lost;         ///< that have not come, or could not be decoded
    uint32_t snapshot_rate;          ///< a second, as the server promised
    uint32_t snapshot_bytes;         ///< of the newest, its body
    uint32_t resimulations;          ///< worlds that were not as predicted, so that all was stepped again
    uint32_t resimulated_ticks;      ///< steps made for that
    uint32_t corrections;            ///< of those worlds: the own player was not where predicted
    uint32_t prediction_error_subpx; ///< newest correction of the own player, 0 when right
    uint32_t desyncs;                ///< world hashes that differed: must stay 0
    uint32_t inputs_missed;          ///< told by the server, over all connections
    int32_t margin_quarter_ticks;    ///< newest, told by the server
    uint32_t lead_ticks;             ///< own tick less that of the newest snapshot
    uint32_t clock_restarts;         ///< hard resyncs of the clock
    uint32_t input_acks;             ///< snapshots that used an own input
    uint32_t input_ack_us;           ///< newest: from sending an input to a snapshot that used it
    uint64_t bytes_in, bytes_out, packets_in, packets_out; ///< of the present connection
};

/// How a client that was cut off tries to come back.
struct client_retry {
    uint32_t attempt, attempts_max; ///< from 1
    uint64_t wait_us;               ///< until this attempt begins; 0: it is under way
};

struct client;

/// Creates a client over a transport that it then owns. The only allocation; null when memory is out.
struct client *client_create(struct transport *transport, const struct client_config *config);
void client_destroy(struct client *client);

/// Takes all that has arrived. `now_us`: any monotonic clock.
void client_receive(struct client *client, uint64_t now_us);
/// True when the next tick is due (the client's clock runs up to 3 % fast or slow). Call in a loop: while due, tick.
bool client_tick_due(const struct client *client, uint64_t now_us);
/// When the next tick is due, us; UINT64_MAX before the first world.
uint64_t client_next_tick_us(const struct client *client);
/// One tick: stamps the input, sends all that is unconfirmed, predicts.
void client_tick(struct client *client, struct player_input input, uint64_t now_us);
/// Leaves: tells the server; the state becomes CLIENT_ENDED.
void client_leave(struct client *client);

/// True while it tries to come back after a loss, with how; to be shown to people beside client_sentence().
bool client_retry(const struct client *client, uint64_t now_us, struct client_retry *retry);

enum client_state client_state(const struct client *client);
/// Why it ended: DENY_NONE for a lost connection or a client_leave().
enum deny_reason client_reason(const struct client *client);
/// Why the server did not even let it in, such as a wrong password; DENIAL_NONE if it did, or none answered.
enum denial client_denial(const struct client *client);
/// For people: why it ended, or what it waits for.
const char *client_sentence(const struct client *client);
/// What the server told people in words during the last seconds; "" if nothing.
const char *client_system_message(const struct client *client, uint64_t now_us);
/// Says a line to all or to the own team; one that begins with '/' is a command to the server. What is longer than
/// CHAT_SEND_BYTES_MAX is cut. False, and not sent: it is empty, or the client does not play.
bool client_chat_send(struct client *client, bool team, const char *text);
/// Takes the oldest line that was said and not taken yet; the last CHAT_LINES are kept. False: there is none.
bool client_chat_next(struct client *client, struct chat_line *line);
/// The vote that is open, its ticks counted down to now. False: none is. To vote, say "/yes", "/no", or "/vote NUMBER".
bool client_open_vote(const struct client *client, uint64_t now_us, struct vote_message *ballot);
/// For how long no snapshot has come, us; 0 unless playing.
uint64_t client_silence_us(const struct client *client, uint64_t now_us);
/// The own slot; only while playing.
uint32_t client_slot(const struct client *client);
/// The predicted world; null before the first, and for a light client. For brains and tests.
const struct world *client_world(const struct client *client);
/// The newest world that the server told; null as above. For tests.
const struct world *client_world_confirmed(const struct client *client);
/// Null before it has arrived.
const struct map *client_map(const struct client *client);
void client_statistics(const struct client *client, struct client_statistics *statistics);
/// Fills what may be drawn at a moment between ticks, of the kind that the view wishes. False before the first world.
bool client_view(struct client *client, uint64_t now_us, struct view *view);

#endif
