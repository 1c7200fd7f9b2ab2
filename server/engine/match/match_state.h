// SPDX-License-Identifier: MIT
//
// A running match: struct match, the structs in it, and what its parts do, one .c file each: peers and their messages,
// what is broadcast, chat, votes, the drain. The parts know nothing of match.c, which calls them in order. Code outside
// of this room includes match.h.
#ifndef MATCH_MATCH_STATE_H
#define MATCH_MATCH_STATE_H

#include <stdatomic.h>

#include "base/log.h"
#include "input_queue.h"
#include "net/crypto/dice.h"
#include "net/crypto/identity.h"
#include "net/household.h"
#include "net/rate_limit.h"
#include "net/transport.h"
#include "recording/live_stream.h"
#include "recording/recorder.h"
#include "roster.h"
#include "sync/world.h"
#include "wire/input_log.h"
#include "wire/message.h"
#include "wire/snapshot.h"

/// Connections beyond the players, so that a full server can say that it is full.
#define MATCH_EXTRA_PEERS   16
#define MATCH_PEER_CAPACITY (PLAYER_CAPACITY + MATCH_EXTRA_PEERS)

/// Commands from outside that one tick accepts.
#define MATCH_COMMAND_CAPACITY 32

/// From this tick on (207 days) the next match begins at tick 0 again. Ticks have 32 bits and are compared by their
/// signed difference, and 0 means none, so no tick may reach 2^31.
#define MATCH_TICKS_OLD 0x40000000u
/// A match that reaches this tick (414 days) must end.
#define MATCH_TICKS_MAX 0x7FFF0000u

/// A map with all that a match needs of it: its bytes for joining clients, their hashes, and the navigation graph of
/// the bots, which takes longer than a tick, so that a server computes it on another thread. 4 MB, of which most maps
/// touch a sixth: allocate it once, zeroed.
struct match_map {
    struct map map;
    uint64_t hash;                       ///< map_hash()
    uint32_t blob_bytes;                 ///< of `blob`
    uint8_t address[CONTENT_HASH_BYTES]; ///< identity_of_content() of the blob
    uint8_t blob[MAP_BLOB_BYTES_MAX];
    atomic_bool has_nav_graph; ///< set when `nav_graph` is complete
    struct nav_graph nav_graph;
};

/// Receives the commands that players type. Called from match_receive().
struct command_listener {
    /// `slot`: of the player who typed it, `peer`: their client. `line` is clean text without its '/', never empty.
    /// Null: the server takes no commands.
    void (*command)(void *context, uint32_t peer, uint32_t slot, const char *line);
    void *context;
};

/// Receives the vouches that clients show. Zero-initialise: nobody is asked for any.
struct vouch_listener {
    /// `bytes` is not verified. Called from match_receive(); must not wait.
    void (*shown)(void *context, const struct seat_key *key, const uint8_t bytes[MESSAGE_VOUCH_BYTES]);
    void *context;
    struct trusted_message trusted; ///< clients are asked for the vouches of these; count 0: for none
};

/// Learns who joins. Zero-initialise: nobody does.
struct join_listener {
    /// Called from match_receive() for each join, also of a player who was here before; must not wait.
    void (*joined)(void *context, const struct seat_key *key);
    void *context;
};

/// Limits how often a client may speak. Zero-initialise.
struct chat_sender {
    struct rate_limit bucket;
    bool warned; ///< that it sends too fast, since its last accepted line
};

enum peer_state {
    PEER_FREE,      ///< no connection
    PEER_CONNECTED, ///< has not sent JOIN yet
    PEER_LOADING,   ///< has seats; welcome and map are on their way
    PEER_PLAYING,   ///< receives snapshots
    PEER_LEAVING,   ///< has been dropped; waits for the end of the connection
};

struct peer {
    // What every input and snapshot needs stands together, with the beginning of the queue.
    enum peer_state state;
    struct local_seats seats; ///< of its players, while loading or playing: one at least
    tick acknowledged;        ///< newest snapshot that it holds; 0: none
    tick acknowledge_after;   ///< acknowledgements up to this tick are too old: a full snapshot was requested since
    tick newest_input;        ///< newest_tick of its input messages
    uint32_t repeats;         ///< as the newest of them asks
    tick full_tick;           ///< when it was last sent a full snapshot; 0: never
    uint64_t heard_us;        ///< when it entered its state or last acknowledged a snapshot
    struct input_queue inputs;
    uint32_t malformed;      ///< malformed or misplaced messages so far
    uint32_t shown;          ///< vouches so far
    tick welcome_tick;       ///< tick of its last welcome
    uint32_t map_sent_bytes; ///< bytes of the map sent so far; all of them if the client has the map
    struct rate_limit joins; ///< of further players
    struct chat_sender chat_sender;
    struct net_client client; ///< identity and address
};

/// Bytes of what a vote is about, with the final zero.
#define VOTE_TARGET_BYTES 512
/// Bytes of who asked or voted, with the final zero: a name, the first letters of the key's fingerprint, a household.
#define VOTE_WHO_BYTES (PLAYER_NAME_BYTES + 15 + HOUSEHOLD_TEXT_BYTES)

/// What a vote decides, in the words of the caller who opens it.
struct vote_topic {
    uint32_t subject;               ///< less than 256
    uint32_t slot, occupant;        ///< of a player
    char target[VOTE_TARGET_BYTES]; ///< of a map, mode or player
};

/// The open vote. Zero-initialise: no vote is open.
struct vote {
    struct vote_message message; ///< what clients see; choice_count 0: no vote is open
    tick end_tick;               ///< when the votes are counted at the latest
    bool is_restricted;          ///< see vote_ask()
    struct vote_topic topic;
    char asker[VOTE_WHO_BYTES];                ///< empty: the server
    uint64_t household;                        ///< of the asker; 0: of nobody who is limited
    uint32_t chosen[PLAYER_CAPACITY];          ///< by slot: choice + 1; 0: has not voted
    uint32_t voter[PLAYER_CAPACITY];           ///< by slot: the occupant of the seat who chose
    uint64_t voter_household[PLAYER_CAPACITY]; ///< by slot: of that player
};

/// Failed votes that are remembered: those of 21 households that may ask for no more.
#define VOTE_FAILURE_CAPACITY 64

/// A vote that a household asked for and that failed.
struct vote_failure {
    uint64_t household; ///< 0: none
    uint64_t ticks;     ///< when, in ticks since the start of the server
};

/// Counters since the start.
struct match_statistics {
    uint64_t ticks, snapshots, snapshot_parts, snapshot_bytes, bodies_encoded;
    uint64_t household_denials; ///< joins refused because the household has all the seats that it may have
    uint64_t returns;           ///< joins of players who had been here before
    uint64_t joins, denials, malformed, inputs_late, inputs_missed, full_requests, unsent;
    uint64_t ticks_stood_still;                          ///< of the ticks, because the server stalled
    uint64_t input_margins;                              ///< measured
    int64_t input_margin_quarter_ticks;                  ///< their sum
    uint64_t input_margin_classes[INPUT_MARGIN_CLASSES]; ///< by edge; longer ones are only in the count
};

/// What a server does before it closes.
struct drain {
    bool is_on; ///< nobody new may join
    uint64_t begun_us, deadline_us;
};

struct match {
    struct transport *transport; ///< the match's while it runs, the caller's afterwards
    struct recorder *recorder;   ///< null: not recorded; belongs to the caller
    struct recorder *journal;    ///< null: not restored after a crash; belongs to the caller
    struct live_stream *live;    ///< null: not published; belongs to the caller
    uint32_t journaled_joins;    ///< joins of all seats when the journal last received the seats
    tick return_deadline;        ///< of a restored match: players who are not back by then leave; 0: none
    tick wait_deadline;          ///< of a restored match: it stands still for its players until then; 0: no longer
    const struct log *log;
    struct command_listener listener;
    struct vouch_listener vouches;
    struct join_listener joins;
    struct household_rules households; ///< what a household may have
    uint64_t household_logged_us;      ///< when a refusal of a household was logged last; 0: never
    struct map map;
    const struct match_map *prepared; ///< the map with what comes of it; belongs to the caller, but for `own`
    struct match_map *own;            ///< made by the match itself, since the caller gave none
    uint64_t map_hash;
    uint32_t map_blob_bytes;
    uint8_t dice_key[DICE_BYTES]; ///< from which the dice of all matches come
    uint32_t dice_count;          ///< matches whose dice came from the key
    struct dice dice;             ///< of this match
    uint32_t players_max, bots, snapshot_ticks;
    bool adapts_bots;                          ///< the skill of bots follows the score
    bool allows_help;                          ///< players may have a handicap that helps them
    uint32_t snapshot_round;                   ///< number of the next snapshots
    tick snapshot_sent[INPUT_REPEATS_MAX + 1]; ///< ticks of the newest ones, by number; 0: none
    uint64_t stepped_us;                       ///< when the last tick was stepped
    uint64_t received_us;                      ///< when match_receive() was called last
    bool arrivals_are_timed;                   ///< the server was not held up before
    uint64_t message_age_us;                   ///< how long before that call the message at hand arrived
    bool paused_alone;                         ///< `lone_player` paused the match for themselves
    uint8_t lone_player[IDENTITY_BYTES];
    bool resumes;        ///< the match goes on after standing still: the next tick records the command for that
    uint32_t peer_count; ///< connections
    uint32_t peer_end;   ///< their numbers are below: a tick looks at no others
    struct world world;
    struct roster roster;
    struct peer peers[MATCH_PEER_CAPACITY];
    struct player_input inputs[PLAYER_CAPACITY]; ///< of the last tick
    struct match_statistics statistics;
    struct vote vote;
    uint32_t vote_changes;                                    ///< counts what clients have seen of votes
    uint32_t journaled_vote;                                  ///< of these, what the journal has
    struct vote_failure vote_failures[VOTE_FAILURE_CAPACITY]; ///< a ring
    uint32_t vote_failure_count;                              ///< since the start
    struct drain drain;
    uint8_t hats[PLAYER_CAPACITY];    ///< by slot, as last sent to clients
    uint32_t tagged[PLAYER_CAPACITY]; ///< occupants of seats, with tags that were sent last; 0: nobody
    uint32_t command_count;
    struct command commands[MATCH_COMMAND_CAPACITY]; ///< from outside, for the next tick
    struct command
        applied[INPUT_LOG_COMMAND_CAPACITY]; ///< of a tick; not on the stack, where each tick would clear them
    struct world first_world;                ///< the map and rules at tick 0: the baseline of full snapshots
    struct input_log input_log;              ///< the last ticks: the source of all other snapshots
    uint8_t snapshot_body[SNAPSHOT_BODY_BYTES_MAX];
    uint8_t snapshot_part[MESSAGE_BYTES_MAX]; ///< a message with a part of it
};

// --- One network connection (peer.c): it begins, ends, is dropped, and is sent messages.

/// Longest waits for a client, us: to send JOIN, to load the map, and between two acknowledgements.
#define PEER_JOIN_US_MAX   5000000u
#define PEER_LOAD_US_MAX   30000000u
#define PEER_SILENT_US_MAX 7000000u

/// Returns true if the client has a seat: it is loading or playing.
bool peer_has_seat(const struct peer *peer);
/// Returns the peer of the client that has this slot among its seats; MATCH_PEER_CAPACITY: none.
uint32_t peer_at_slot(const struct match *match, uint32_t slot);
/// Counts the other households with seats of a household's site, among the peers before `end`; HOUSEHOLD_SITE_MAX at
/// most, 0 of IPv4.
uint32_t peer_count_neighbours(const struct match *match, uint32_t end, uint64_t household);
/// Moves a peer to another state and restarts its timeout.
void peer_enter(struct peer *peer, enum peer_state state, uint64_t now_us);
/// Begins a connection.
void peer_connected(struct match *match, uint32_t peer, const struct net_client *client, uint64_t now_us);
/// Ends a connection that the transport reports as closed; its seats become free.
void peer_disconnected(struct match *match, uint32_t peer);
/// Logs what happened to a client, or to its player in a slot (PLAYER_CAPACITY: to none of them): adds `name` and
/// `slot` of that player, `key` and `address`, to at most FIELD_CAPACITY - 4 values.
void peer_log(const struct match *match, uint32_t index, uint32_t slot, const struct fields *fields);
/// Sends a message reliably. Returns false, and counts it as unsent, if the transport does not take it.
bool peer_send(struct match *match, uint32_t peer, const struct message *message);
/// Ends a client's connection: sends the reason (DENY_NONE: it leaves by itself) and frees its seats at once. A player
/// who was replaced leaves their seat to their successor.
void peer_drop(struct match *match, uint32_t peer, enum deny_reason reason);
/// The same for one of a client's players; with the last one, for the client.
void peer_drop_player(struct match *match, uint32_t peer, uint32_t local, enum deny_reason reason);
/// Tells a client why it or one of its players is dropped next: it shows these words instead of its own about the
/// reason. What is longer than SYSTEM_BYTES_MAX is cut.
void peer_explain(struct match *match, uint32_t peer, const char *why);
/// Tells a client where its players sit. `denied`: why one has no seat, by local number; null: nobody was refused.
void peer_send_seats(struct match *match, uint32_t peer, const enum deny_reason denied[LOCAL_PLAYERS]);
/// Drops a client that has been silent for too long.
void peer_expire(struct match *match, uint32_t peer, uint64_t now_us);

// --- What a client sends (peer_messages.c): it joins, reports that it has the map, sends inputs and chat. Every
// message is hostile until it has been checked. What an honest client never sends is counted, and too much of it ends
// the connection.

/// Malformed or misplaced messages that end a connection.
#define PEER_MALFORMED_MAX 16

/// Handles a message that has arrived.
void peer_messages_handle(struct match *match, uint32_t peer, const uint8_t *bytes, size_t byte_count, uint64_t now_us);
/// Welcomes a client with a seat again, because another match has begun; it loads the new map. Others are left alone.
void peer_messages_welcome_again(struct match *match, uint32_t peer, uint64_t now_us);
/// Explains to the player in a slot why they have another name than they asked for, if that one is kept for somebody
/// else.
void peer_messages_explain_name(struct match *match, uint32_t slot);

// --- What all clients are sent each tick (broadcast.c): those that load the map get parts of it, those that play a
// snapshot. Beside the world they learn the hats of players, which change nothing in the game, so that recording and
// journal get them, too; and the tags (net/crypto/identity.h) by which a client recognises somebody it has muted,
// other ones for each client. Bots have no tag, and neither does anybody without an account.

/// Sends the next few parts of the map to each client that lacks some.
void broadcast_map_parts(struct match *match);
/// Sends the tick's snapshot to each playing client: the inputs of as many ticks as the client asks for, or since the
/// newest world that it holds, encoded once for all clients with the same baseline; or a full one, reliably, to clients
/// that hold no world.
void broadcast_snapshots(struct match *match);
/// Sends all clients what has changed since the last call. Call once a tick.
void broadcast_marks(struct match *match);
/// Sends a client that was just welcomed the hats that the others already have.
void broadcast_hats_to(struct match *match, uint32_t peer);
/// Sends a client that has just joined the tags of those who are here already.
void broadcast_tags_to(struct match *match, uint32_t peer);

// --- Chat (chat.c): lines of players to everyone or to their team, commands to the server (lines that begin with '/',
// passed to the command listener), and system messages. Text of players is cleaned and limited in rate.

/// Lines that a player can send at once; after these, one a second.
#define CHAT_BURST 5

/// Handles a line from a client with seats.
void chat_handle(struct match *match, uint32_t peer, const struct chat_send_message *sent, uint64_t now_us);
/// Sends a line of the player in a slot to one other player only, and a copy to its author. Returns false if nobody
/// with a client has the slot. Not in the log, which names only the two players.
bool chat_whisper(struct match *match, uint32_t from, uint32_t to, const char *text);
/// Sends a system message to one client with a seat. Text beyond CHAT_LINE_BYTES_MAX is cut.
void chat_send_system(struct match *match, uint32_t peer, const char *text);
/// Sends a system message to all clients with a seat. Text beyond CHAT_LINE_BYTES_MAX is cut.
void chat_broadcast_system(struct match *match, const char *text);

// --- Votes (vote.c): one may be open, with a question, two to six choices, a choice for each household, and an end. Of
// several players in one household the last choice counts; players of an exempt household choose for themselves. All
// clients see the counts after each vote, and the log says who asked and who chose what. The caller decides what the
// question is and what follows from the result.

/// How long a vote that a player calls is open. At the end of a match, the vote on the next map has the time that is
/// left.
#define VOTE_TICKS (20 * TICKS_PER_SECOND)
/// How long somebody has to play before they take part in a restricted vote: a minute. Exempt households need not.
#define VOTE_SENIORITY_TICKS (60 * TICKS_PER_SECOND)
/// A restricted vote needs so many votes at least.
#define VOTE_RESTRICTED_MIN 2
/// After so many failed votes in so long a time, ten minutes, a household waits until the first of them is that old.
#define VOTE_FAILURES_MAX  3
#define VOTE_FAILURE_TICKS (600 * TICKS_PER_SECOND)
/// Bytes of a vote as vote_write() writes it.
#define VOTE_NOTE_BYTES_MAX 8192
/// No choice.
#define VOTE_NONE UINT32_MAX

/// Opens a vote on 2 to VOTE_CHOICE_CAPACITY choices for a number of ticks. Texts that are too long are cut. Returns
/// false if a vote is open already.
bool vote_open(struct match *match, const char *question, const char *const *choices, uint32_t choice_count,
               uint32_t ticks);
/// Opens a vote of the player in a slot on yes or no, and takes their yes. Only those who vote_has_seniority() take
/// part in a restricted one, where all households of a site have one choice; it passes with more than half of them and
/// VOTE_RESTRICTED_MIN at least. Returns false like vote_open().
bool vote_ask(struct match *match, uint32_t slot, const char *question, bool is_restricted);
/// Returns how long the player in a slot has to wait before they may ask for a vote, because too many of their
/// household's have failed; 0: they may. Exempt households never wait.
uint32_t vote_wait_ticks(const struct match *match, uint32_t slot);
/// Returns whether the player in a slot may ask for a restricted vote, and take part in one.
bool vote_has_seniority(const struct match *match, uint32_t slot);
/// Returns whether the player in a slot takes no part because HOUSEHOLD_SITE_MAX other households of their site, which
/// were here before theirs, do.
bool vote_site_is_full(const struct match *match, uint32_t slot);
/// Takes the choice (from 0) of the player in a slot in place of the earlier one of their household. Returns false if
/// no vote is open, if it has no such choice, or if the player may not take part.
bool vote_cast(struct match *match, uint32_t slot, uint32_t choice);
/// Returns what the player of a slot has chosen; VOTE_NONE: nothing that counts.
uint32_t vote_choice(const struct match *match, uint32_t slot);
/// Counts the votes, each tick. The vote ends as soon as more than half of the households have made one choice, or at
/// its end tick; `ended` is true then, once, and the result is the choice with the most votes, the first of equals.
/// Returns VOTE_NONE while the vote is open, and if nobody has voted.
uint32_t vote_count(struct match *match, bool *ended);
/// Shows the open vote, if there is one, to a client that begins to play.
void vote_show(struct match *match, uint32_t peer);
/// Writes the open vote, or that there is none. Returns the bytes, at least 1.
size_t vote_write(const struct match *match, uint8_t bytes[VOTE_NOTE_BYTES_MAX]);
/// Opens the vote that an earlier server has written, in a restored match that has its players. Returns false,
/// and opens none, if these are not the bytes of a vote.
bool vote_read(struct match *match, const uint8_t *bytes, size_t byte_count);
/// Ends the open vote, if there is one, without a result.
void vote_end(struct match *match);

// --- The drain (drain.c), before a server closes: nobody new may join, players who lose their connection may come
// back, and the round that is being played ends first, if it ends in time. The time is that of match_receive().

/// What drain_left_ms() returns without a drain.
#define DRAIN_NONE UINT64_MAX

/// Begins a drain of at most this time, or changes the time of the one that has begun. Players read how long they have.
void drain_begin(struct match *match, uint64_t limit_ms);
/// Lets a player who has come back during a drain read how long they have.
void drain_notify(struct match *match, uint32_t peer);
/// Drops a peer who may not join because of the drain. They read how long it lasts at most.
void drain_refuse(struct match *match, uint32_t peer);
/// Takes the drain back. Returns false if there is none.
bool drain_cancel(struct match *match);
/// Returns the time until the drain is over at the latest, rounded up, or DRAIN_NONE.
uint64_t drain_left_ms(const struct match *match);
/// Returns true once the server may close: nobody holds a seat, the round has ended and its result was shown, no round
/// was being played, or the time is over. False without a drain.
bool drain_is_over(const struct match *match);

#endif
