// SPDX-License-Identifier: MIT
#include "web_client.h"

#include <arpa/inet.h>
#include <errno.h>
#include <gnutls/crypto.h>
#include <gnutls/dtls.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>
#include <usrsctp.h>

#define SCTP_PORT      5000
#define SCTP_BYTES_MAX 1180
#define BINARY         53   // payload protocol of a data channel (RFC 8831)
#define CHECK_MS       2500 // Chromium's pace on a stable line
#define FIRST_CHECK_MS 50   // until one is answered
#define FLIGHT_MS      50   // until a flight of DTLS is sent again, at first, as browsers do
#define HANDSHAKE_MS   60000
#define PACKET_BYTES   2048
#define STUN_SUCCESS   1
#define PASSWORD       "deadfalldeadfalldeadfall"

static const char CIPHERS[] = "NORMAL:-VERS-ALL:+VERS-DTLS1.2";
static gnutls_certificate_credentials_t nobody;
static uint64_t timers_ms;

static int on_sctp_output(void *context, void *bytes, size_t byte_count, uint8_t service, uint8_t is_whole)
{
    struct web_client *client = context;
    (void)service, (void)is_whole;
    if (client->hooks.change)
        byte_count = client->hooks.change(client->hooks.context, bytes, byte_count);
    if (byte_count > 0)
        web_client_send_raw(client, bytes, byte_count);
    return 0;
}

bool web_client_start(void)
{
    usrsctp_init_nothreads(0, on_sctp_output, NULL);
    usrsctp_sysctl_set_sctp_ecn_enable(0);
    usrsctp_sysctl_set_sctp_asconf_enable(0);
    usrsctp_sysctl_set_sctp_auth_enable(0);
    return gnutls_certificate_allocate_credentials(&nobody) == 0;
}

void web_client_run_timers(uint64_t now_ms)
{
    if (timers_ms > 0)
        usrsctp_handle_timers((uint32_t)(now_ms - timers_ms));
    timers_ms = now_ms;
}

static ssize_t push(gnutls_transport_ptr_t context, const void *bytes, size_t byte_count)
{
    struct web_client *client = context;
    send(client->file, bytes, byte_count, MSG_DONTWAIT | MSG_NOSIGNAL); // what does not fit is lost
    return (ssize_t)byte_count;
}

static ssize_t pull(gnutls_transport_ptr_t context, void *bytes, size_t room)
{
    struct web_client *client = context;
    ssize_t byte_count;
    do
        byte_count = recv(client->file, bytes, room, MSG_DONTWAIT);
    while (byte_count > 0 && *(const uint8_t *)bytes < 20); // STUN
    if (byte_count < 0)
        gnutls_transport_set_errno(client->dtls, EAGAIN);
    return byte_count;
}

static int has_packet(gnutls_transport_ptr_t context, unsigned wait_ms)
{
    uint8_t byte;
    (void)wait_ms;
    return recv(((struct web_client *)context)->file, &byte, 1, MSG_DONTWAIT | MSG_PEEK) > 0;
}

// The connectivity check of RFC 8445, with a user name of our half and the server's.
static void send_check(struct web_client *client)
{
    static const char user[] = PASSWORD ":abcd";
    uint8_t check[20 + 4 + 32 + 24] = {0, 1, 0, 0, 0x21, 0x12, 0xa4, 0x42};
    size_t user_bytes = sizeof user - 1, at = 24 + ((user_bytes + 3) & ~(size_t)3);
    gnutls_rnd(GNUTLS_RND_NONCE, check + 8, 12);
    memcpy(check + 20, (uint8_t[]){0, 6, 0, (uint8_t)user_bytes}, 4);
    memcpy(check + 24, user, user_bytes);
    check[3] = (uint8_t)(at + 24 - 20);
    memcpy(check + at, (uint8_t[]){0, 8, 0, 20}, 4);
    gnutls_hmac_fast(GNUTLS_MAC_SHA1, PASSWORD, sizeof PASSWORD - 1, check, at, check + at + 4);
    push(client, check, at + 24);
}

bool web_client_open(struct web_client *client, uint16_t port, const struct web_client_hooks *hooks, uint64_t now_ms)
{
    struct sockaddr_in server = {.sin_family = AF_INET, .sin_port = htons(port), .sin_addr = {htonl(INADDR_LOOPBACK)}};
    struct sockaddr_in own = {.sin_family = AF_INET, .sin_addr = {htonl(hooks->from ? hooks->from : INADDR_LOOPBACK)}};
    *client = (struct web_client){.hooks = *hooks, .retry_ms = now_ms, .check_ms = now_ms};
    client->file = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (client->file < 0 || bind(client->file, (const struct sockaddr *)&own, sizeof own) != 0 ||
        connect(client->file, (const struct sockaddr *)&server, sizeof server) != 0 ||
        gnutls_init(&client->dtls, GNUTLS_CLIENT | GNUTLS_DATAGRAM | GNUTLS_NONBLOCK | GNUTLS_NO_SIGNAL) != 0)
        return false;
    gnutls_transport_set_ptr(client->dtls, client);
    gnutls_transport_set_push_function(client->dtls, push);
    gnutls_transport_set_pull_function(client->dtls, pull);
    gnutls_transport_set_pull_timeout_function(client->dtls, has_packet);
    gnutls_dtls_set_mtu(client->dtls, SCTP_BYTES_MAX + 52);
    gnutls_dtls_set_timeouts(client->dtls, FLIGHT_MS, HANDSHAKE_MS);
    return gnutls_priority_set_direct(client->dtls, CIPHERS, NULL) == 0 &&
           gnutls_credentials_set(client->dtls, GNUTLS_CRD_CERTIFICATE, nobody) == 0;
}

static void take_notification(struct web_client *client, const union sctp_notification *notification)
{
    if (notification->sn_header.sn_type != SCTP_ASSOC_CHANGE)
        return;
    uint16_t state = notification->sn_assoc_change.sac_state;
    client->is_open |= state == SCTP_COMM_UP || state == SCTP_RESTART;
    client->is_over |= state != SCTP_COMM_UP && state != SCTP_RESTART;
}

static int on_sctp_message(struct socket *socket, union sctp_sockstore from, void *bytes, size_t byte_count,
                           struct sctp_rcvinfo about, int flags, void *context)
{
    struct web_client *client = context;
    (void)socket, (void)from, (void)about;
    if (!bytes)
        client->is_over = true;
    else if (flags & MSG_NOTIFICATION)
        take_notification(client, bytes);
    else if (client->hooks.take)
        client->hooks.take(client->hooks.context, bytes, byte_count);
    free(bytes);
    return 1;
}

static bool open_sctp(struct web_client *client)
{
    struct sockaddr_conn end = {.sconn_family = AF_CONN, .sconn_port = htons(SCTP_PORT), .sconn_addr = client};
    struct sctp_event changes = {.se_assoc_id = SCTP_ALL_ASSOC, .se_type = SCTP_ASSOC_CHANGE, .se_on = 1};
    struct sctp_paddrparams path = {.spp_flags = SPP_PMTUD_DISABLE, .spp_pathmtu = SCTP_BYTES_MAX};
    struct linger none = {.l_onoff = 1};
    uint32_t on = 1;
    usrsctp_register_address(client);
    struct socket *sctp = usrsctp_socket(AF_CONN, SOCK_STREAM, IPPROTO_SCTP, on_sctp_message, NULL, 0, client);
    client->sctp = sctp;
    return sctp && usrsctp_set_non_blocking(sctp, 1) == 0 &&
           usrsctp_setsockopt(sctp, SOL_SOCKET, SO_LINGER, &none, sizeof none) == 0 &&
           usrsctp_setsockopt(sctp, IPPROTO_SCTP, SCTP_NODELAY, &on, sizeof on) == 0 &&
           usrsctp_setsockopt(sctp, IPPROTO_SCTP, SCTP_EVENT, &changes, sizeof changes) == 0 &&
           usrsctp_setsockopt(sctp, IPPROTO_SCTP, SCTP_PEER_ADDR_PARAMS, &path, sizeof path) == 0 &&
           usrsctp_bind(sctp, (struct sockaddr *)&end, sizeof end) == 0 &&
           (usrsctp_connect(sctp, (struct sockaddr *)&end, sizeof end) == 0 || errno == EINPROGRESS);
}

static void continue_handshake(struct web_client *client, uint64_t now_ms)
{
    int result = gnutls_handshake(client->dtls);
    client->retry_ms = now_ms + gnutls_dtls_get_timeout(client->dtls);
    if (result == GNUTLS_E_SUCCESS)
        client->is_over = !open_sctp(client);
    else
        client->is_over = gnutls_error_is_fatal(result);
}

void web_client_receive(struct web_client *client, uint64_t now_ms)
{
    uint8_t bytes[PACKET_BYTES];
    ssize_t byte_count;
    while (!client->has_checked && (byte_count = recv(client->file, bytes, sizeof bytes, MSG_DONTWAIT)) > 0)
        client->has_checked = bytes[0] == STUN_SUCCESS;
    if (!client->has_checked)
        return;
    if (!client->sctp)
        continue_handshake(client, now_ms);
    while (client->sctp && !client->is_over &&
           (byte_count = gnutls_record_recv(client->dtls, bytes, sizeof bytes)) != GNUTLS_E_AGAIN) {
        client->is_over = byte_count == 0 || (byte_count < 0 && gnutls_error_is_fatal((int)byte_count));
        if (byte_count > 0)
            usrsctp_conninput(client, bytes, (size_t)byte_count, 0);
    }
}

void web_client_update(struct web_client *client, uint64_t now_ms)
{
    if (now_ms >= client->check_ms) {
        client->check_ms = now_ms + (client->has_checked ? CHECK_MS : FIRST_CHECK_MS);
        send_check(client);
    }
    if (client->has_checked && !client->sctp && now_ms >= client->retry_ms)
        continue_handshake(client, now_ms);
}

void web_client_send(struct web_client *client, const uint8_t *bytes, size_t byte_count)
{
    struct sctp_sendv_spa how = {
        .sendv_flags = SCTP_SEND_SNDINFO_VALID | SCTP_SEND_PRINFO_VALID,
        .sendv_sndinfo = {.snd_flags = SCTP_UNORDERED, .snd_ppid = htonl(BINARY)},
        .sendv_prinfo = {.pr_policy = SCTP_PR_SCTP_RTX},
    };
    if (client->is_open && !client->is_over)
        usrsctp_sendv(client->sctp, bytes, byte_count, NULL, 0, &how, sizeof how, SCTP_SENDV_SPA, 0);
}

bool web_client_send_as(struct web_client *client, uint16_t stream, uint32_t protocol, const uint8_t *bytes,
                        size_t byte_count)
{
    struct sctp_sndinfo how = {.snd_sid = stream, .snd_ppid = htonl(protocol)};
    return client->is_open && !client->is_over &&
           usrsctp_sendv(client->sctp, bytes, byte_count, NULL, 0, &how, sizeof how, SCTP_SENDV_SNDINFO, 0) >= 0;
}

void web_client_send_raw(struct web_client *client, const uint8_t *bytes, size_t byte_count)
{
    if (client->dtls)
        gnutls_record_send(client->dtls, bytes, byte_count);
}

void web_client_close(struct web_client *client)
{
    client->hooks = (struct web_client_hooks){0};
    if (client->sctp) {
        usrsctp_close(client->sctp);
        usrsctp_deregister_address(client);
    }
    if (client->dtls)
        gnutls_deinit(client->dtls);
    close(client->file);
    *client = (struct web_client){.file = -1};
}
