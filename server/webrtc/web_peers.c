// SPDX-License-Identifier: MIT
#include "web_peers.h"

#include <arpa/inet.h>
#include <errno.h>
#include <gnutls/x509.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <usrsctp.h>

#include "base/hash.h"
#include "stun.h"

#define STUN_FIRST_MAX 3

#define SCTP_PORT      5000
#define DTLS_BYTES_MAX 1232 // as many fit every IPv6 path
#define SCTP_BYTES_MAX 1180 // with what DTLS adds
#define BINARY         53   // payload protocol of a data channel (RFC 8831)
#define HANDSHAKE_MS   10000
#define SILENCE_MS     30000
#define FLIGHT_MS      50  // before GnuTLS sends a flight again that the browser still asks for, at first
#define RETRY_MS       400 // before SCTP sends a lost chunk again, at first
#define RTO_MS_MAX     10000
#define RECORDS_MAX    16 // in one datagram

#define RECORD_HEAD_BYTES 13

#define CERTIFICATE_NAME  "deadfall"
#define CERTIFICATE_BEGIN 1577836800   // 2020, so that a wrong clock does no harm
#define CERTIFICATE_END   253402300799 // the last second of 9999 (RFC 5280, 4.1.2.5)

// Where the first packet of a handshake has what (RFC 6347, 4.1 and 4.2.2).
enum { RECORD_AT_EPOCH = 3, RECORD_AT_LENGTH = 11 };
enum { ALERT_RECORD = 21, HANDSHAKE_RECORD = 22, CLIENT_HELLO = 1 };
enum { HELLO_AT_SEQUENCE = 10, HELLO_AT_KIND = 13, HELLO_AT_NUMBER = 18, HELLO_AT_OFFSET = 19, HELLO_AT_RANDOM = 27 };

static const char CIPHERS[] = "NONE:+VERS-DTLS1.2:+ECDHE-ECDSA:+AES-128-GCM:+AES-256-GCM:+CHACHA20-POLY1305:+AEAD:"
                              "+SIGN-ALL:+GROUP-X25519:+GROUP-SECP256R1:+COMP-NULL:+CTYPE-X509";

static bool make_pair(gnutls_x509_privkey_t key, gnutls_x509_crt_t crt)
{
    static const uint8_t serial[] = {1};
    return gnutls_x509_privkey_generate(key, GNUTLS_PK_ECDSA, GNUTLS_CURVE_TO_BITS(GNUTLS_ECC_CURVE_SECP256R1), 0) ==
               0 &&
           gnutls_x509_crt_set_version(crt, 3) == 0 && gnutls_x509_crt_set_serial(crt, serial, sizeof serial) == 0 &&
           gnutls_x509_crt_set_activation_time(crt, CERTIFICATE_BEGIN) == 0 &&
           gnutls_x509_crt_set_expiration_time(crt, (time_t)CERTIFICATE_END) == 0 &&
           gnutls_x509_crt_set_dn_by_oid(crt, GNUTLS_OID_X520_COMMON_NAME, 0, CERTIFICATE_NAME,
                                         sizeof CERTIFICATE_NAME - 1) == 0 &&
           gnutls_x509_crt_set_key(crt, key) == 0 && gnutls_x509_crt_sign2(crt, crt, key, GNUTLS_DIG_SHA256, 0) == 0;
}

// Takes the kept key and certificate into use, or new ones. They are PEM, one after the other.
static bool open_pair(struct web_certificate *certificate, const uint8_t *kept, size_t byte_count, bool is_new)
{
    gnutls_x509_privkey_t key;
    gnutls_x509_crt_t crt;
    gnutls_datum_t text = {(unsigned char *)(uintptr_t)kept, (unsigned)byte_count};
    if (gnutls_x509_privkey_init(&key) != 0)
        return false;
    if (gnutls_x509_crt_init(&crt) != 0) {
        gnutls_x509_privkey_deinit(key);
        return false;
    }
    bool good = is_new ? make_pair(key, crt)
                       : byte_count > 0 && gnutls_x509_privkey_import(key, &text, GNUTLS_X509_FMT_PEM) == 0 &&
                             gnutls_x509_crt_import(crt, &text, GNUTLS_X509_FMT_PEM) == 0;
    uint8_t *ready = certificate->ready;
    size_t at = WEBRTC_FINGERPRINT_BYTES, fingerprint_bytes = at, room = sizeof certificate->ready - at;
    good = good && gnutls_x509_crt_get_fingerprint(crt, GNUTLS_DIG_SHA256, ready, &fingerprint_bytes) == 0 &&
           gnutls_x509_privkey_export(key, GNUTLS_X509_FMT_PEM, ready + at, &room) == 0;
    at += good ? room : 0;
    room = sizeof certificate->ready - at;
    good = good && gnutls_x509_crt_export(crt, GNUTLS_X509_FMT_PEM, ready + at, &room) == 0 &&
           gnutls_certificate_allocate_credentials(&certificate->credentials) == 0 &&
           gnutls_certificate_set_x509_key(certificate->credentials, &crt, 1, key) == 0;
    certificate->ready_bytes = at + room;
    gnutls_x509_crt_deinit(crt);
    gnutls_x509_privkey_deinit(key);
    return good;
}

bool web_peers_certify(struct web_certificate *certificate, const uint8_t *kept, size_t byte_count)
{
    // A pair of which half was read is not made new in place: GnuTLS would lose what the key held.
    return open_pair(certificate, kept, byte_count, false) || open_pair(certificate, kept, byte_count, true);
}

static int on_sctp_output(void *context, void *bytes, size_t byte_count, uint8_t service, uint8_t is_whole)
{
    struct web_peer *peer = context;
    (void)service;
    (void)is_whole;
    if (peer->dtls)
        gnutls_record_send(peer->dtls, bytes, byte_count);
    return 0;
}

static void send_packet(const struct web_peer *peer, const uint8_t *bytes, size_t byte_count)
{
    if (byte_count > 0 && byte_count <= WEBRTC_PAYLOAD_BYTES_MAX)
        peer->output.emit(peer->output.context,
                          &(struct webrtc_frame){WEBRTC_PACKET, peer->address, 0, bytes, byte_count});
}

static void send_flight(struct web_peer *peer)
{
    send_packet(peer, peer->flight->bytes, peer->flight->byte_count);
    peer->flight->byte_count = 0;
}

static ssize_t push(gnutls_transport_ptr_t context, const void *bytes, size_t byte_count)
{
    struct web_peer *peer = context;
    struct web_flight *flight = peer->flight;
    if (peer->sctp || byte_count > DTLS_BYTES_MAX) {
        send_packet(peer, bytes, byte_count);
        return (ssize_t)byte_count;
    }
    if (flight->byte_count + byte_count > DTLS_BYTES_MAX)
        send_flight(peer);
    memcpy(flight->bytes + flight->byte_count, bytes, byte_count);
    flight->byte_count += byte_count;
    return (ssize_t)byte_count;
}

// Copies the whole records of a packet, but for alerts that are not encrypted. Returns the bytes.
static size_t copy_records(const uint8_t *packet, size_t byte_count, uint8_t *bytes)
{
    size_t copied = 0;
    for (size_t at = 0, size; at + RECORD_HEAD_BYTES <= byte_count; at += size) {
        const uint8_t *record = packet + at;
        bool is_plain = record[RECORD_AT_EPOCH] == 0 && record[RECORD_AT_EPOCH + 1] == 0;
        size = RECORD_HEAD_BYTES + (size_t)(record[RECORD_AT_LENGTH] << 8 | record[RECORD_AT_LENGTH + 1]);
        if (size > byte_count - at)
            break;
        if (is_plain && record[0] == ALERT_RECORD)
            continue;
        memcpy(bytes + copied, record, size);
        copied += size;
    }
    return copied;
}

static ssize_t pull(gnutls_transport_ptr_t context, void *bytes, size_t room)
{
    struct web_peer *peer = context;
    const uint8_t *packet = peer->packet.bytes;
    size_t byte_count =
        packet && peer->packet.byte_count <= room ? copy_records(packet, peer->packet.byte_count, bytes) : 0;
    peer->packet.bytes = NULL;
    if (byte_count > 0)
        return (ssize_t)byte_count;
    gnutls_transport_set_errno(peer->dtls, EAGAIN);
    return -1;
}

static int has_packet(gnutls_transport_ptr_t context, unsigned wait_ms)
{
    (void)wait_ms;
    return ((const struct web_peer *)context)->packet.bytes != NULL;
}

// Returns whether a packet begins a handshake: it is a ClientHello, or its first fragment. The server has checked its
// cookie.
static bool begins(const struct webrtc_frame *packet)
{
    static const uint8_t start[3] = {0};
    return packet->byte_count > HELLO_AT_RANDOM && packet->payload[0] == HANDSHAKE_RECORD &&
           packet->payload[HELLO_AT_KIND] == CLIENT_HELLO &&
           memcmp(packet->payload + HELLO_AT_OFFSET, start, sizeof start) == 0;
}

// Begins the handshake with the address of a packet that begins(). It goes on with the numbers of that packet.
static bool open_dtls(struct web_peer *peer, const struct webrtc_frame *packet, gnutls_certificate_credentials_t own,
                      uint64_t now_ms)
{
    gnutls_dtls_prestate_st state = {.record_seq = packet->payload[HELLO_AT_SEQUENCE],
                                     .hsk_read_seq = packet->payload[HELLO_AT_NUMBER]};
    *peer = (struct web_peer){.address = packet->address,
                              .output = peer->output,
                              .flight = peer->flight,
                              .begun_ms = now_ms,
                              .heard_ms = now_ms};
    gnutls_session_t dtls;
    if (gnutls_init(&dtls, GNUTLS_SERVER | GNUTLS_DATAGRAM | GNUTLS_NONBLOCK | GNUTLS_NO_SIGNAL) != 0)
        return false;
    if (gnutls_priority_set_direct(dtls, CIPHERS, NULL) != 0 ||
        gnutls_srtp_set_profile_direct(dtls, "SRTP_AES128_CM_HMAC_SHA1_80", NULL) != 0 || // some browsers insist on it
        gnutls_credentials_set(dtls, GNUTLS_CRD_CERTIFICATE, own) != 0) {
        gnutls_deinit(dtls);
        return false;
    }
    gnutls_transport_set_ptr(dtls, peer);
    gnutls_transport_set_push_function(dtls, push);
    gnutls_transport_set_pull_function(dtls, pull);
    gnutls_transport_set_pull_timeout_function(dtls, has_packet);
    gnutls_dtls_set_mtu(dtls, DTLS_BYTES_MAX);
    gnutls_dtls_set_timeouts(dtls, FLIGHT_MS, HANDSHAKE_MS);
    gnutls_dtls_prestate_set(dtls, &state);
    peer->dtls = dtls;
    return true;
}

static int on_sctp_message(struct socket *socket, union sctp_sockstore from, void *bytes, size_t byte_count,
                           struct sctp_rcvinfo about, int flags, void *context)
{
    struct web_peer *peer = context;
    const union sctp_notification *notification = flags & MSG_NOTIFICATION ? bytes : NULL;
    (void)socket;
    (void)from;
    (void)about;
    if (!bytes)
        peer->is_over = true;
    else if (notification)
        peer->is_over |= notification->sn_header.sn_type == SCTP_ASSOC_CHANGE &&
                         notification->sn_assoc_change.sac_state != SCTP_COMM_UP &&
                         notification->sn_assoc_change.sac_state != SCTP_RESTART;
    else if (byte_count > 0 && byte_count <= WEBRTC_PAYLOAD_BYTES_MAX)
        peer->output.emit(peer->output.context,
                          &(struct webrtc_frame){WEBRTC_MESSAGE, peer->address, peer->arrived_ns, bytes, byte_count});
    free(bytes);
    return 1;
}

// Both sides begin the association, and SCTP makes one of the two.
static bool open_sctp(struct web_peer *peer)
{
    struct sockaddr_conn end = {.sconn_family = AF_CONN, .sconn_port = htons(SCTP_PORT), .sconn_addr = peer};
    struct linger none = {.l_onoff = 1};
    struct sctp_event changes = {.se_assoc_id = SCTP_ALL_ASSOC, .se_type = SCTP_ASSOC_CHANGE, .se_on = 1};
    struct sctp_paddrparams path = {.spp_flags = SPP_PMTUD_DISABLE, .spp_pathmtu = SCTP_BYTES_MAX};
    uint32_t on = 1;
    usrsctp_register_address(peer);
    struct socket *sctp = usrsctp_socket(AF_CONN, SOCK_STREAM, IPPROTO_SCTP, on_sctp_message, NULL, 0, peer);
    peer->sctp = sctp;
    return sctp && usrsctp_set_non_blocking(sctp, 1) == 0 &&
           usrsctp_setsockopt(sctp, SOL_SOCKET, SO_LINGER, &none, sizeof none) == 0 &&
           usrsctp_setsockopt(sctp, IPPROTO_SCTP, SCTP_NODELAY, &on, sizeof on) == 0 &&
           usrsctp_setsockopt(sctp, IPPROTO_SCTP, SCTP_EVENT, &changes, sizeof changes) == 0 &&
           usrsctp_setsockopt(sctp, IPPROTO_SCTP, SCTP_PEER_ADDR_PARAMS, &path, sizeof path) == 0 &&
           usrsctp_bind(sctp, (struct sockaddr *)&end, sizeof end) == 0 &&
           (usrsctp_connect(sctp, (struct sockaddr *)&end, sizeof end) == 0 || errno == EINPROGRESS);
}

// Goes on with what a packet has brought. If that was nothing new, the last flight was lost, and may be due again:
// GnuTLS looks at its timer only when there is no packet.
static void continue_handshake(struct web_peer *peer)
{
    int result = gnutls_handshake(peer->dtls);
    if (result < 0 && !gnutls_error_is_fatal(result))
        result = gnutls_handshake(peer->dtls);
    send_flight(peer);
    if (result == GNUTLS_E_SUCCESS) {
        peer->output.emit(peer->output.context, &(struct webrtc_frame){.kind = WEBRTC_OPEN, .address = peer->address});
        peer->is_over = !open_sctp(peer);
    } else
        peer->is_over = gnutls_error_is_fatal(result);
}

static void read_records(struct web_peer *peer, uint64_t now_ms)
{
    uint8_t bytes[WEBRTC_PAYLOAD_BYTES_MAX];
    // Nearly all packets are one record and no more (RFC 6347, 4.1).
    const uint8_t *packet = peer->packet.bytes;
    bool is_one = packet && peer->packet.byte_count > RECORD_HEAD_BYTES &&
                  peer->packet.byte_count == RECORD_HEAD_BYTES + (size_t)(packet[11] << 8 | packet[12]);
    unsigned most = is_one ? 1 : RECORDS_MAX;
    for (unsigned records = 0; records < most && !peer->is_over; records++) {
        ssize_t byte_count = gnutls_record_recv(peer->dtls, bytes, sizeof bytes);
        if (byte_count == GNUTLS_E_AGAIN)
            return;
        peer->is_over |= byte_count == 0 || (byte_count < 0 && gnutls_error_is_fatal((int)byte_count));
        if (byte_count <= 0)
            continue;
        peer->heard_ms = now_ms;
        usrsctp_conninput(peer, bytes, (size_t)byte_count, 0);
    }
}

void web_peers_init(struct web_peers *peers, const struct web_certificate *certificate, const struct web_output *output,
                    uint64_t now_ms)
{
    *peers = (struct web_peers){.output = *output, .own = certificate->credentials, .updated_ms = now_ms};
    for (size_t i = 0; i < WEB_PEERS_CAPACITY; i++)
        peers->peers[i] = (struct web_peer){.output = *output, .flight = &peers->flight};
    usrsctp_init_nothreads(0, on_sctp_output, NULL);
    usrsctp_sysctl_set_sctp_ecn_enable(0);
    usrsctp_sysctl_set_sctp_asconf_enable(0);
    usrsctp_sysctl_set_sctp_auth_enable(0);
    usrsctp_sysctl_set_sctp_rto_initial_default(RETRY_MS);
    usrsctp_sysctl_set_sctp_init_rto_max_default(RTO_MS_MAX);
    usrsctp_sysctl_set_sctp_nr_outgoing_streams_default(1);
}

static struct web_peer **bucket_of(struct web_peers *peers, const struct net_address *address)
{
    uint32_t hash = hash_crc32(address->bytes, address->byte_count);
    return &peers->buckets[hash % WEB_PEERS_BUCKETS];
}

// Returns what points to the peer of an address; to null if it has none.
static struct web_peer **find_link(struct web_peers *peers, const struct net_address *address)
{
    struct web_peer **link = bucket_of(peers, address);
    while (*link && !net_address_equals(&(*link)->address, address))
        link = &(*link)->next;
    return link;
}

static void end(struct web_peers *peers, struct web_peer *peer)
{
    *find_link(peers, &peer->address) = peer->next;
    if (peer->sctp) {
        usrsctp_close(peer->sctp); // says goodbye
        usrsctp_deregister_address(peer);
    }
    gnutls_deinit(peer->dtls);
    *peer = (struct web_peer){.output = peer->output, .flight = peer->flight};
    peers->count--;
}

// The same, if the server does not know it yet.
static void leave(struct web_peers *peers, struct web_peer *peer)
{
    struct net_address address = peer->address;
    end(peers, peer);
    peers->output.emit(peers->output.context, &(struct webrtc_frame){.kind = WEBRTC_FORGET, .address = address});
}

static struct web_peer *open_peer(struct web_peers *peers, const struct webrtc_frame *packet, uint64_t now_ms)
{
    struct web_peer *place = peers->peers, *silent = NULL;
    if (!begins(packet))
        return NULL;
    for (; place < peers->peers + WEB_PEERS_CAPACITY && place->dtls; place++)
        if (!silent || place->heard_ms < silent->heard_ms)
            silent = place;
    if (place == peers->peers + WEB_PEERS_CAPACITY) { // somebody has left, and it was lost that they have
        place = silent;
        end(peers, place);
    }
    if (!open_dtls(place, packet, peers->own, now_ms))
        return NULL;
    struct web_peer **bucket = bucket_of(peers, &place->address);
    place->next = *bucket;
    *bucket = place;
    peers->count++;
    return place;
}

static void take_dtls(struct web_peers *peers, const struct webrtc_frame *packet, uint64_t now_ms)
{
    struct web_peer *peer = *find_link(peers, &packet->address);
    if (!peer && !(peer = open_peer(peers, packet, now_ms)))
        return;
    peer->arrived_ns = packet->arrived_ns;
    peer->packet.bytes = packet->payload;
    peer->packet.byte_count = packet->byte_count;
    if (!peer->sctp)
        continue_handshake(peer);
    if (peer->sctp && !peer->is_over)
        read_records(peer, now_ms);
    peer->packet.bytes = NULL;
    if (peer->is_over)
        leave(peers, peer);
}

void web_peers_take(struct web_peers *peers, const struct webrtc_frame *frame, uint64_t now_ms)
{
    struct sctp_sendv_spa how = {
        .sendv_flags = SCTP_SEND_SNDINFO_VALID | SCTP_SEND_PRINFO_VALID,
        .sendv_sndinfo = {.snd_flags = SCTP_UNORDERED, .snd_ppid = htonl(BINARY)},
        .sendv_prinfo = {.pr_policy = SCTP_PR_SCTP_RTX},
    };
    uint8_t answer[STUN_ANSWER_BYTES_MAX];
    struct web_peer *peer = frame->kind != WEBRTC_PACKET ? *find_link(peers, &frame->address) : NULL;
    if (peer && frame->kind == WEBRTC_FORGET)
        end(peers, peer);
    else if (peer && peer->sctp)
        usrsctp_sendv(peer->sctp, frame->payload, frame->byte_count, NULL, 0, &how, sizeof how, SCTP_SENDV_SPA, 0);
    if (frame->kind == WEBRTC_PACKET && frame->payload[0] > STUN_FIRST_MAX)
        take_dtls(peers, frame, now_ms);
    else if (frame->kind == WEBRTC_PACKET) {
        size_t byte_count = stun_answer(&frame->address, frame->payload, frame->byte_count, answer);
        if (byte_count > 0)
            peers->output.emit(peers->output.context,
                               &(struct webrtc_frame){WEBRTC_PACKET, frame->address, 0, answer, byte_count});
    }
}

void web_peers_update(struct web_peers *peers, uint64_t now_ms)
{
    usrsctp_handle_timers((uint32_t)(now_ms - peers->updated_ms));
    peers->updated_ms = now_ms;
    for (size_t i = 0; i < WEB_PEERS_CAPACITY && peers->count > 0; i++) {
        struct web_peer *peer = &peers->peers[i];
        if (!peer->dtls)
            continue;
        peer->is_over |= peer->sctp ? now_ms - peer->heard_ms > SILENCE_MS : now_ms - peer->begun_ms > HANDSHAKE_MS;
        if (peer->is_over)
            leave(peers, peer);
    }
}
