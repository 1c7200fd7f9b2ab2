// SPDX-License-Identifier: MIT
#include "connection.h"

#include "base/utf8.h"

// The wait before a try doubles with each try.
#define RETRY_US_MIN 250000u
#define RETRY_US_MAX (RETRY_US_MIN << 3)

void connection_set_status(struct connection *connection, const char *text)
{
    utf8_copy(connection->status, sizeof connection->status, text);
}

void connection_playing(struct connection *connection)
{
    connection->state = CLIENT_PLAYING;
    connection->has_played = true;
    connection->tries = 0;
    connection->return_us = 0;
    connection_set_status(connection, "");
}

static void end(struct connection *connection, enum deny_reason reason, const char *text)
{
    connection->state = CLIENT_ENDED;
    connection->reason = reason;
    connection_set_status(connection, text);
}

void connection_leave(struct connection *connection, enum deny_reason reason, const char *text)
{
    if (connection->state == CLIENT_ENDED)
        return;
    transport_disconnect(connection->transport, 0, reason, false);
    transport_flush(connection->transport);
    end(connection, reason, text);
}

static void schedule_retry(struct connection *connection, uint64_t now_us)
{
    connection->retry_us = now_us + (connection->tries < 3 ? RETRY_US_MIN << connection->tries : RETRY_US_MAX);
    connection->tries++;
    connection->state = CLIENT_CONNECTING;
    connection_set_status(connection, connection->return_us != 0
                                          ? "The server has not come back. Trying to connect again."
                                          : "The connection to the server was lost. Trying to connect again.");
}

static void end_unsent(struct connection *connection)
{
    connection_leave(connection, DENY_NONE, "The connection to the server was lost: nothing can be sent.");
}

void connection_send(struct connection *connection, const struct message *message)
{
    uint8_t bytes[MESSAGE_BYTES_MAX];
    size_t count = message_encode(message, bytes);
    bool is_sent = transport_send(connection->transport, 0, NET_RELIABLE, bytes, count);
    if (!is_sent && connection->reopen && (connection->has_played || connection->tries > 0))
        connection->unsent = true;
    else if (!is_sent)
        end_unsent(connection);
    transport_flush(connection->transport);
}

bool connection_retry(struct connection *connection, uint64_t now_us)
{
    // A transport that could not send a message may work for a moment each time, so the wait grows.
    bool gives_up = connection->unsent && connection->state != CLIENT_ENDED && connection->retry_us == 0;
    connection->unsent = false;
    if (gives_up && connection->tries < CONNECTION_TRIES_MAX)
        schedule_retry(connection, now_us);
    else if (gives_up)
        end_unsent(connection);
    if (connection->state != CLIENT_CONNECTING || connection->retry_us == 0 || now_us < connection->retry_us)
        return false;
    struct transport *transport = connection->reopen(connection->context);
    if (!transport) {
        schedule_retry(connection, now_us);
        return false;
    }
    transport_close(connection->transport);
    connection->transport = transport;
    connection->retry_us = 0;
    return true;
}

void connection_return(struct connection *connection, uint64_t now_us)
{
    if (connection->state == CLIENT_ENDED || connection->retry_us != 0)
        return;
    if (!connection->reopen) {
        connection_leave(connection, DENY_RESTARTING, message_deny_text(DENY_RESTARTING));
        return;
    }
    if (connection->return_us == 0)
        connection->return_us = now_us + CONNECTION_RETURN_US_MAX;
    connection->retry_us = now_us;
    connection->tries++;
    connection->state = CLIENT_CONNECTING;
    connection_set_status(connection, "The server is restarting.");
}

void connection_lost(struct connection *connection, uint32_t reason, uint64_t now_us)
{
    if (connection->state == CLIENT_ENDED || connection->retry_us != 0)
        return;
    bool is_denied = reason > DENY_NONE && reason < DENY_REASONS && reason != DENY_RESTARTING;
    const char *refusal = transport_error(connection->transport);
    const char *silence = transport_silence(connection->transport);
    bool is_final = is_denied || *refusal || !connection->reopen;
    // A server that resets each session is waited for as after any loss.
    bool was_reset = reason == NET_REASON_RESET && connection->tries == 0;
    bool returns = was_reset || reason == DENY_RESTARTING || connection->return_us > now_us;
    if (!is_final && returns) {
        connection_return(connection, now_us);
        return;
    }
    if (!is_final && connection->has_played && connection->tries < CONNECTION_TRIES_MAX) {
        schedule_retry(connection, now_us);
        return;
    }
    connection->denial = transport_denial(connection->transport);
    if (is_denied)
        end(connection, (enum deny_reason)reason, message_deny_text((enum deny_reason)reason));
    else if (*refusal)
        end(connection, DENY_NONE, refusal);
    else if (connection->return_us != 0)
        end(connection, DENY_NONE,
            "The server was restarting and has not come back. Try again later, or join another one.");
    else if (connection->state == CLIENT_CONNECTING && !connection->has_played && *silence)
        end(connection, DENY_NONE, silence);
    else if (connection->state == CLIENT_CONNECTING && !connection->has_played)
        end(connection, DENY_NONE,
            "No server answers there. Check the address, that the server is running, and that both sides have the "
            "same version of the game.");
    else
        end(connection, DENY_NONE, "The connection to the server was lost. Check your network and try again.");
}
