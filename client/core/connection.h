// SPDX-License-Identifier: MIT
//
// A client's connection to its server, and what becomes of it: why it ended, what people are told, and after a loss the
// tries to open it anew, farther and farther apart. It owns the transport. What is said over it, and in which order, is
// client.c's. Reads no clock.
#ifndef CLIENT_CONNECTION_H
#define CLIENT_CONNECTION_H

#include "net/transport.h"
#include "wire/message.h"

/// Where a client stands.
enum client_state {
    CLIENT_CONNECTING, ///< no answer yet, or connecting again after a loss
    CLIENT_JOINING,    ///< map and first world are on their way
    CLIENT_PLAYING,
    CLIENT_ENDED, ///< refused, or the connection is lost: client_sentence() says why
};

/// Tries to connect again after a loss, until it is the end.
#define CONNECTION_TRIES_MAX 20u

struct connection {
    struct transport *transport;
    struct transport *(*reopen)(void *context); ///< null: a loss is the end
    void *context;                              ///< its argument
    enum client_state state;
    enum deny_reason reason;
    enum denial denial; ///< why the server let nobody in; DENIAL_NONE if it did
    bool has_played;    ///< so a loss is worth another try
    uint32_t tries;     ///< to connect again since it last played
    uint64_t again_us;  ///< when the next try is due; 0: none is waited for
    char sentence[NET_SENTENCE_BYTES];
};

/// Tells people something.
void connection_say(struct connection *connection, const char *sentence);
/// It plays: whatever was lost before is forgotten.
void connection_plays(struct connection *connection);
/// Ends it and tells the server.
void connection_leave(struct connection *connection, enum deny_reason reason, const char *sentence);
/// Sends a message reliably, at once. What cannot be sent ends the connection.
void connection_send(struct connection *connection, const struct message *message);
/// The transport has told its end, with this reason: it is over, or will be tried again.
void connection_lost(struct connection *connection, uint32_t reason, uint64_t now_us);
/// Connects again if that is due. True when a new connection is under way: nothing measured on the old one holds.
bool connection_try(struct connection *connection, uint64_t now_us);

#endif
