// SPDX-License-Identifier: MIT
//
// The messages between clients and servers, as plain structs. One walk writes and reads them; PROTOCOL.md documents the
// layouts. The encoder asserts that a message is valid; the decoder checks every bit and returns false. Snapshots are
// in snapshot.h. When a message is sent is up to the callers.
#ifndef WIRE_MESSAGE_H
#define WIRE_MESSAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sync/local_seats.h"
#include "sync/world.h"

/// Changes with any change of a layout here, in snapshots, in the field table, or in what world_step computes.
#define PROTOCOL_VERSION 12u

/// Largest message, bytes: one datagram, never a fragment.
#define MESSAGE_BYTES_MAX 1100

/// The most inputs in one message.
#define INPUT_BATCH_CAPACITY 16
/// The most snapshots in which a client may ask for the inputs of a tick.
#define INPUT_REPEATS_MAX 15
/// Ticks from one input message to the next while nothing changes. A change is sent in its tick and in the
/// INPUT_INTERVAL_TICKS - 1 after it.
#define INPUT_INTERVAL_TICKS 3

/// The most bytes of a map blob in one message.
#define MAP_PART_BYTES_MAX 1024

/// Bytes of the hash by which a map blob is stored and found everywhere.
#define MAP_ADDRESS_BYTES 32

/// Bytes of a vouch: see net/crypto/vouch.h.
#define MESSAGE_VOUCH_BYTES 165
/// Servers that a server asks for vouches of, at most, and letters of a fingerprint.
#define TRUSTED_CAPACITY    8
#define FINGERPRINT_LETTERS 32

/// Bytes of a tag: see net/crypto/identity.h. The most tags in one message.
#define MESSAGE_TAG_BYTES 8
#define TAGS_CAPACITY     32

/// Largest name of a server, bytes, and limits of a rating in hundredths of a point: its mean, either way, and its
/// deviation.
#define SERVER_NAME_BYTES_MAX 64
#define RECORD_MEAN_MAX       1000000
#define RECORD_DEVIATION_MAX  25000

/// Bytes of the commitment to the secret of a match's dice, and of the secret.
#define MATCH_DICE_BYTES 32

/// First byte of every message.
enum message_kind {
    MESSAGE_JOIN = 1,  ///< C>S reliable: who joins, and which map the client has; again for each further local player
    MESSAGE_READY,     ///< C>S reliable: the map is loaded, send the world
    MESSAGE_INPUT,     ///< C>S unsequenced, each tick: inputs not yet confirmed, and the newest snapshot received
    MESSAGE_WELCOME,   ///< S>C reliable: the rules, the map
    MESSAGE_DENY,      ///< S>C reliable: why a client is refused; the server disconnects after it
    MESSAGE_MAP_PART,  ///< S>C reliable: bytes of the map blob
    MESSAGE_SNAPSHOT,  ///< S>C unsequenced (a full one reliable): snapshot.h
    MESSAGE_SYSTEM,    ///< S>C reliable: a sentence for the player ("The server is closing.")
    MESSAGE_CHAT_SEND, ///< C>S reliable: a line to the others, or, beginning with '/', a command to the server
    MESSAGE_CHAT_LINE, ///< S>C reliable: a line that somebody said
    MESSAGE_VOTE,      ///< S>C reliable: the vote that is open, or none
    MESSAGE_HATS,      ///< S>C reliable: the hats of some players
    MESSAGE_VOUCH,     ///< S>C reliable: what the server says about the player, to keep and to show to other servers
    MESSAGE_TRUSTED,   ///< S>C reliable: the servers that it asks for vouches of
    MESSAGE_SHOW,      ///< C>S reliable: a vouch of one of them
    MESSAGE_TAGS,      ///< S>C reliable: by what the client recognises some players
    MESSAGE_RECORD,    ///< S>C reliable: what the server's own records say about the player
    MESSAGE_LEAVE,     ///< C>S reliable: a local player leaves, others stay
    MESSAGE_SEATS,     ///< S>C reliable: where the local players sit, or why they do not
    MESSAGE_KINDS      ///< one beyond the last
};

/// Why a server refuses or removes a client. Also the reason of a disconnect.
enum deny_reason {
    DENY_NONE,
    DENY_VERSION,    ///< other protocol version
    DENY_FULL,       ///< no slot free
    DENY_KICKED,     ///< removed by an operator
    DENY_CLOSING,    ///< the server drains
    DENY_PROTOCOL,   ///< sent what no correct client sends
    DENY_SILENT,     ///< has acknowledged nothing for too long
    DENY_REPLACED,   ///< the same player has joined from elsewhere
    DENY_HOUSEHOLD,  ///< others at the same address have all the seats that it may have
    DENY_RESTARTING, ///< not for good: the client joins again
    DENY_REASONS
};

/// Returns a sentence that says why a client was refused and what to do; "" for DENY_NONE.
const char *message_deny_text(enum deny_reason reason);

/// Returns true if every byte is an enum hat of the game. Hats are for show: no rule depends on them, so they are not
/// part of the world and travel beside it, in their own messages and records.
static inline bool message_hats_are_valid(const uint8_t *hats, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (hats[i] >= HATS)
            return false;
    return true;
}

struct join_message {
    uint32_t protocol;                    ///< PROTOCOL_VERSION
    uint32_t name[PLAYER_NAME_BYTES / 4]; ///< as in struct player; cleaned by the server
    uint32_t colour;                      ///< requested, 0 to 15
    uint32_t hat;                         ///< enum hat
    uint32_t local;                       ///< number of the player among those of one account, 0 to LOCAL_PLAYERS - 1
    uint32_t handicap;                    ///< requested, below GAME_HANDICAPS
    uint64_t map_hash;                    ///< of a map that the client has already, 0: none
};

struct input_message {
    tick newest_tick;   ///< tick that the last entry of `inputs` is for
    tick snapshot_tick; ///< newest snapshot decoded; 0: none, send a full one
    uint32_t repeats; ///< snapshots that shall have the inputs of each tick, up to INPUT_REPEATS_MAX; 0: until that of
                      ///< the tick is decoded
    uint32_t count;   ///< 1 to INPUT_BATCH_CAPACITY; entry i is for newest_tick - (count - 1) + i
    uint32_t players; ///< bits: the local players that it has inputs of, one at least; those of others are zero
    struct local_inputs inputs[INPUT_BATCH_CAPACITY];
};

/// Where the local players of a client sit: all of them, each time.
struct seats_message {
    struct local_seats seats;
    enum deny_reason denied[LOCAL_PLAYERS]; ///< why one has no seat who had or asked for one; else DENY_NONE
};

struct welcome_message {
    uint32_t snapshot_rate;                 ///< a second: 60, 30 or 20
    tick tick;                              ///< of the server when sent
    struct rules rules;                     ///< of the match
    uint64_t map_hash;                      ///< which map
    uint32_t map_blob_bytes;                ///< size of its blob; parts follow until the client is ready
    uint8_t map_address[MAP_ADDRESS_BYTES]; ///< BLAKE2b-256 of its blob
    uint8_t dice[MATCH_DICE_BYTES];         ///< commitment to the secret of all rolls
};

struct map_part_message {
    uint32_t offset;      ///< of the first byte in the blob
    uint32_t count;       ///< 1 to MAP_PART_BYTES_MAX
    const uint8_t *bytes; ///< into the received message; valid as long as that is
};

#define SYSTEM_BYTES_MAX 200

/// Largest chat line that a player sends, and that a server sends (its answers are longer), bytes.
#define CHAT_SEND_BYTES_MAX 120
#define CHAT_LINE_BYTES_MAX 200

struct chat_send_message {
    uint32_t local;                     ///< number of the player who says it
    bool team;                          ///< to their own team only
    char text[CHAT_SEND_BYTES_MAX + 1]; ///< UTF-8, zero-terminated, not empty; cleaned by the server
};

/// Bits of chat_line_message.flags.
#define CHAT_TEAM    1u ///< said to the own team only
#define CHAT_PRIVATE 2u ///< sent to this client only: the answer to a command
#define CHAT_FLAGS   3u ///< all of them

struct chat_line_message {
    uint32_t from;                      ///< slot + 1 of who said it, at most PLAYER_CAPACITY; 0: the server
    uint32_t flags;                     ///< CHAT_TEAM, CHAT_PRIVATE
    char text[CHAT_LINE_BYTES_MAX + 1]; ///< UTF-8, zero-terminated, not empty
};

#define VOTE_CHOICE_CAPACITY    6
#define VOTE_QUESTION_BYTES_MAX 80
#define VOTE_CHOICE_BYTES_MAX   32

struct vote_choice {
    uint32_t votes;                       ///< at most PLAYER_CAPACITY
    char text[VOTE_CHOICE_BYTES_MAX + 1]; ///< UTF-8, zero-terminated, not empty
};

struct vote_message {
    uint32_t choice_count;                      ///< 2 to VOTE_CHOICE_CAPACITY; 0: no vote is open, the rest is zero
    uint32_t own;                               ///< what this client has chosen, 1 to choice_count; 0: nothing yet
    uint32_t ticks_left;                        ///< until it is counted, less than 65,536
    char question[VOTE_QUESTION_BYTES_MAX + 1]; ///< UTF-8, zero-terminated, not empty
    struct vote_choice choices[VOTE_CHOICE_CAPACITY];
};

/// The hats of neighbouring slots. The hats of other slots do not change; at first there are none.
struct hats_message {
    uint32_t first;                ///< slot of the first one
    uint32_t count;                ///< at least 1; none is beyond PLAYER_CAPACITY
    uint8_t hats[PLAYER_CAPACITY]; ///< enum hat; those from `count` on are zero
};

/// The tags of players in neighbouring slots, for this client only. Those of other slots do not change; at first there
/// are none.
struct tags_message {
    uint32_t first;                                 ///< slot of the first one
    uint32_t count;                                 ///< 1 to TAGS_CAPACITY; none is beyond PLAYER_CAPACITY
    uint8_t tags[TAGS_CAPACITY][MESSAGE_TAG_BYTES]; ///< zero: nobody who can be recognised
};

/// The servers that a server believes when they vouch.
struct trusted_message {
    uint32_t count;                                               ///< at least 1
    char fingerprints[TRUSTED_CAPACITY][FINGERPRINT_LETTERS + 1]; ///< of their keys
};

/// What a server has on record about a client's player with the number 0. Only that client gets it.
struct record_message {
    uint32_t rank;                             ///< by rating on that server, from 1; 0: no match finished there yet
    int32_t mean;                              ///< of the rating, hundredths of a point
    uint32_t deviation;                        ///< of it, at least 1
    uint32_t matches, wins;                    ///< finished
    uint32_t best_kills;                       ///< most kills of one match
    uint32_t kills, deaths, squishes, catches; ///< in all matches
    uint32_t shots, hits;
    uint32_t played_s;                           ///< in matches
    uint32_t first_s, last_s;                    ///< when the player was first and last seen, s since 1970
    char server_name[SERVER_NAME_BYTES_MAX + 1]; ///< clean and not empty
};

/// One message, by kind.
struct message {
    enum message_kind kind; ///< never MESSAGE_SNAPSHOT here
    union {
        struct join_message join;
        tick ready; ///< of the welcome that this answers
        struct input_message input;
        struct welcome_message welcome;
        enum deny_reason deny;
        struct map_part_message map_part;
        char system[SYSTEM_BYTES_MAX + 1]; ///< UTF-8, zero-terminated
        struct chat_send_message chat_send;
        struct chat_line_message chat_line;
        struct vote_message vote;
        struct hats_message hats;
        uint8_t vouch[MESSAGE_VOUCH_BYTES]; ///< not verified
        struct trusted_message trusted;
        uint8_t show[MESSAGE_VOUCH_BYTES]; ///< not verified
        struct tags_message tags;
        struct record_message record;
        uint32_t leave; ///< number of the local player
        struct seats_message seats;
    } as;
};

/// Writes a message into `bytes` (room for MESSAGE_BYTES_MAX). Returns its size in bytes.
size_t message_encode(const struct message *message, uint8_t *bytes);

/// Reads a message that is not a snapshot. Returns false on anything that the encoder would not have written.
bool message_decode(struct message *message, const uint8_t *bytes, size_t byte_count);

#endif
