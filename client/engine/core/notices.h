// SPDX-License-Identifier: MIT
//
// What a server says beside worlds: chat lines that nobody has read yet, the open vote, a system message, the marks of
// players, and vouches. Bounded: a reader that falls behind loses the oldest chat lines. Vouches cost the caller a file
// and signatures, so a server is heard a few times at once and then every ten seconds: of a flood, the newest message
// counts. Owned by the client; the window and the tests read it through client.h.
#ifndef CORE_NOTICES_H
#define CORE_NOTICES_H

#include "connection.h"
#include "sync/world.h"

/// Chat lines kept until they are read.
#define CHAT_LINES 32
/// Messages of a kind about vouches that are heard at once.
#define NOTICES_VOUCH_BURST 4u

/// One chat line.
struct chat_line {
    uint32_t from;  ///< slot + 1 of the author; 0: the server
    uint32_t flags; ///< CHAT_TEAM, CHAT_PRIVATE
    uint64_t heard_us;
    char text[CHAT_LINE_BYTES_MAX + 1];
};

/// Where vouches are kept (net/crypto/vouch.h). Both get the context of the client_config.
struct client_vouches {
    /// Keeps a vouch of the server of this connection. Null: none is kept.
    void (*keep)(void *context, const uint8_t bytes[MESSAGE_VOUCH_BYTES]);
    /// Finds the vouch of the server with this fingerprint about a local player. False if there is none, or the player
    /// does not show it. Null: none is shown.
    bool (*find)(void *context, uint32_t local, const char *fingerprint, uint8_t bytes[MESSAGE_VOUCH_BYTES]);
};

/// Zero-initialise.
struct notices {
    uint32_t line_count; ///< chat lines received; the newest is at (line_count - 1) % CHAT_LINES
    uint32_t lines_read; ///< read or lost
    struct chat_line lines[CHAT_LINES];
    struct vote_message vote;
    uint64_t vote_us; ///< when it came
    char system[SYSTEM_BYTES_MAX + 1];
    uint64_t system_us;
    uint8_t hats[PLAYER_CAPACITY];                    ///< by slot
    uint8_t tags[PLAYER_CAPACITY][MESSAGE_TAG_BYTES]; ///< by slot, of the present connection
    bool has_vouch, has_trusted;                      ///< heard, and waiting for its time
    uint64_t vouch_full_us, trusted_full_us;
    uint8_t vouch[MESSAGE_VOUCH_BYTES];
    struct trusted_message trusted; ///< the servers that this one believes
    uint32_t shown;                 ///< bits: local players who have shown what those say
};

/// Takes a message; one that is no notice changes nothing. A vote without choices ends the open one.
void notices_take(struct notices *notices, const struct message *message, uint64_t now_us);
/// Forgets what the old connection said.
void notices_reconnect(struct notices *notices);

/// Gets the oldest chat line that has not been read. False if there is none.
bool notices_next_line(struct notices *notices, struct chat_line *line);
/// Gets the open vote, its ticks counted down to now. False if there is none, or its end is more than 5 s overdue.
bool notices_open_vote(const struct notices *notices, uint64_t now_us, struct vote_message *vote);
/// Returns the system message of the last 8 seconds; "" if there is none.
const char *notices_system_message(const struct notices *notices, uint64_t now_us);

/// Does what is due with vouches: keeps one, and shows those of the servers that this one believes, once for each of
/// the local players (bits) who are here.
void notices_exchange_vouches(struct notices *notices, const struct client_vouches *vouches,
                              struct connection *connection, uint32_t players, uint64_t now_us);
/// Keeps the vouch that waits, at the end of the session.
void notices_keep_vouch(struct notices *notices, const struct client_vouches *vouches, void *context);

#endif
