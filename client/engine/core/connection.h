// SPDX-License-Identifier: MIT
//
// A client's connection to its server: its state, why it ended, the status text that the player reads, and the tries to
// connect again after a loss, farther and farther apart. Owns the transport. client.c decides which messages are sent,
// and when. Reads no clock.
#ifndef CORE_CONNECTION_H
#define CORE_CONNECTION_H

#include "net/transport.h"
#include "wire/message.h"

/// Where a client stands.
enum client_state {
    CLIENT_CONNECTING, ///< no answer yet, or connecting again after a loss
    CLIENT_JOINING,    ///< waits for the map and the first world
    CLIENT_PLAYING,
    CLIENT_ENDED, ///< refused, left, or the connection is lost: client_status_text() says why
};

/// Tries to connect again after a loss, before the client gives up.
#define CONNECTION_TRIES_MAX 20u
/// How long a server may take to restart before it is overdue, us.
#define CONNECTION_RETURN_US_MAX 10000000u

struct connection {
    struct transport *transport;
    struct transport *(*reopen)(void *context); ///< null: a loss is the end
    void *context;                              ///< its argument
    enum client_state state;
    enum deny_reason reason;
    enum denial denial; ///< why the server refused the session; DENIAL_NONE if it did not
    bool has_played;    ///< so a loss is worth another try
    bool unsent;        ///< a message could not be sent
    uint32_t tries;     ///< to connect again, since it last played
    uint64_t retry_us;  ///< when the next try is due; 0: none is
    uint64_t return_us; ///< the server restarts: when it is overdue; 0: it does not
    char status[NET_ERROR_BYTES];
};

/// Sets the status text.
void connection_set_status(struct connection *connection, const char *text);
/// Records that the client plays. Forgets earlier losses.
void connection_playing(struct connection *connection);
/// Ends the connection and tells the server.
void connection_leave(struct connection *connection, enum deny_reason reason, const char *text);
/// Sends a message reliably, at once. If it cannot be sent, a client that has played or comes back to a server connects
/// again at the next connection_retry(), and any other ends.
void connection_send(struct connection *connection, const struct message *message);
/// Handles that the server restarts, or has restarted: connects again at once, and at once after each failure until the
/// server is overdue.
void connection_return(struct connection *connection, uint64_t now_us);
/// Handles the end of the transport, for the reason that it gives: the connection ends, or a new try is scheduled.
void connection_lost(struct connection *connection, uint32_t reason, uint64_t now_us);
/// Connects again if a try is due. True when a new connection is under way; measurements of the old one are void then.
bool connection_retry(struct connection *connection, uint64_t now_us);

#endif
