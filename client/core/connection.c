// SPDX-License-Identifier: MIT
#include "connection.h"

#include <string.h>

/// Waiting before connecting again: doubled with each try.
#define AGAIN_US_MIN 250000u
#define AGAIN_US_MAX 2000000u

void connection_say(struct connection *connection, const char *sentence)
{
    size_t length = strnlen(sentence, sizeof connection->sentence - 1);
    memcpy(connection->sentence, sentence, length);
    connection->sentence[length] = 0;
}

void connection_plays(struct connection *connection)
{
    connection->state = CLIENT_PLAYING;
    connection->has_played = true;
    connection->tries = 0;
    connection_say(connection, "");
}

static void end(struct connection *connection, enum deny_reason reason, const char *sentence)
{
    connection->state = CLIENT_ENDED;
    connection->reason = reason;
    connection_say(connection, sentence);
}

void connection_leave(struct connection *connection, enum deny_reason reason, const char *sentence)
{
    if (connection->state == CLIENT_ENDED)
        return;
    transport_disconnect(connection->transport, 0, reason, false);
    transport_flush(connection->transport);
    end(connection, reason, sentence);
}

void connection_send(struct connection *connection, const struct message *message)
{
    uint8_t bytes[MESSAGE_BYTES_MAX];
    size_t count = message_encode(message, bytes);
    if (!transport_send(connection->transport, 0, NET_RELIABLE, bytes, count))
        connection_leave(connection, DENY_NONE, "The connection to the server was lost: nothing can be sent.");
    transport_flush(connection->transport);
}

static void wait_to_try(struct connection *connection, uint64_t now_us)
{
    uint64_t wait_us = (uint64_t)AGAIN_US_MIN << (connection->tries < 8 ? connection->tries : 8);
    connection->again_us = now_us + (wait_us < AGAIN_US_MAX ? wait_us : AGAIN_US_MAX);
    connection->tries++;
    connection->state = CLIENT_CONNECTING;
    connection_say(connection, "The connection to the server was lost. Trying to connect again.");
}

bool connection_try(struct connection *connection, uint64_t now_us)
{
    if (connection->state != CLIENT_CONNECTING || connection->again_us == 0 || now_us < connection->again_us)
        return false;
    struct transport *transport = connection->reopen(connection->context);
    if (!transport) {
        wait_to_try(connection, now_us);
        return false;
    }
    transport_close(connection->transport);
    connection->transport = transport;
    connection->again_us = 0;
    return true;
}

void connection_lost(struct connection *connection, uint32_t reason, uint64_t now_us)
{
    bool told = reason > DENY_NONE && reason < DENY_REASONS;
    const char *refused = transport_error(connection->transport);
    if (connection->state == CLIENT_ENDED || connection->again_us != 0)
        return;
    if (!told && !*refused && connection->reopen && connection->has_played &&
        connection->tries < CONNECTION_TRIES_MAX) {
        wait_to_try(connection, now_us);
        return;
    }
    const char *sentence = *refused ? refused
                           : connection->state == CLIENT_CONNECTING && !connection->has_played
                               ? "No server answers there. Check the address, and that the server is running."
                               : "The connection to the server was lost.";
    connection->denial = transport_denial(connection->transport);
    end(connection, told ? (enum deny_reason)reason : DENY_NONE,
        told ? deny_sentence((enum deny_reason)reason) : sentence);
}
