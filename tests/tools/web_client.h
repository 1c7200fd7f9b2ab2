// SPDX-License-Identifier: MIT
//
// The other end of a data channel, as a browser is one: STUN checks, DTLS by GnuTLS and SCTP by usrsctp to a server on
// 127.0.0.1. For tools that join a server as browsers do, honestly or not.
#ifndef WEB_CLIENT_H
#define WEB_CLIENT_H

#include <gnutls/gnutls.h>
#include <stdbool.h>
#include <stdint.h>

struct socket; // of usrsctp

/// What a tool does with a client; all are optional.
struct web_client_hooks {
    /// A message came.
    void (*take)(void *context, const uint8_t *bytes, size_t byte_count);
    /// An SCTP packet is about to be encrypted; it may be changed. Returns its bytes; 0: it is not sent.
    size_t (*change)(void *context, uint8_t *packet, size_t byte_count);
    void *context;
    uint32_t from; ///< the address that it sends from; 0: 127.0.0.1
};

struct web_client {
    int file; ///< -1: closed
    gnutls_session_t dtls;
    struct socket *sctp; ///< null: the DTLS handshake is not done
    bool has_checked;    ///< a check was answered: DTLS may begin
    bool is_open;        ///< messages can be sent
    bool is_over;        ///< the server has ended it
    uint64_t retry_ms;   ///< when the handshake has to be continued without a packet
    uint64_t check_ms;   ///< when the next STUN check is due
    struct web_client_hooks hooks;
};

/// Starts GnuTLS and usrsctp; once, before everything else. False without memory.
bool web_client_start(void);
/// Lets usrsctp do what is due for all clients.
void web_client_run_timers(uint64_t now_ms);
/// Begins to connect. False without a socket or memory.
bool web_client_open(struct web_client *client, uint16_t port, const struct web_client_hooks *hooks, uint64_t now_ms);
/// Reads what has come.
void web_client_receive(struct web_client *client, uint64_t now_ms);
/// Does what is due.
void web_client_update(struct web_client *client, uint64_t now_ms);
/// Sends a message, neither ordered nor sent again. It is lost before the channel is open.
void web_client_send(struct web_client *client, const uint8_t *bytes, size_t byte_count);
/// Sends a message as a payload protocol on a stream, ordered. False if usrsctp does not take it.
bool web_client_send_as(struct web_client *client, uint16_t stream, uint32_t protocol, const uint8_t *bytes,
                        size_t byte_count);
/// Encrypts and sends any bytes in place of an SCTP packet.
void web_client_send_raw(struct web_client *client, const uint8_t *bytes, size_t byte_count);
/// Closes it without a goodbye.
void web_client_close(struct web_client *client);

#endif
