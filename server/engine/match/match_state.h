// SPDX-License-Identifier: MIT
//
// The state of a running match: struct match and the structs in it. The parts of the match (peers, chat, votes,
// snapshots and the others) work on this state and know nothing of match.c, which calls them in order. Code outside of
// this room includes match.h.
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
    /// `line` is clean text without its '/', never empty. Null: the server takes no commands.
    void (*command)(void *context, uint32_t peer, const char *line);
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
    PEER_LOADING,   ///< has a seat; welcome and map are on their way
    PEER_PLAYING,   ///< receives snapshots
    PEER_LEAVING,   ///< has been dropped; waits for the end of the connection
};

struct peer {
    // What every input and snapshot needs stands together, with the beginning of the queue.
    enum peer_state state;
    uint32_t slot;          ///< its seat, while loading or playing
    tick acknowledged;      ///< newest snapshot that it holds; 0: none
    tick acknowledge_after; ///< acknowledgements up to this tick are too old: a full snapshot was requested since
    tick newest_input;      ///< newest_tick of its input messages
    uint32_t repeats;       ///< as the newest of them asks
    tick full_tick;         ///< when it was last sent a full snapshot; 0: never
    uint64_t heard_us;      ///< when it entered its state or last acknowledged a snapshot
    struct input_queue inputs;
    uint32_t malformed;      ///< malformed or misplaced messages so far
    uint32_t shown;          ///< vouches so far
    tick welcome_tick;       ///< tick of its last welcome
    uint32_t map_sent_bytes; ///< bytes of the map sent so far; all of them if the client has the map
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

/// What a server does before it closes (see drain.h).
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

#endif
