// SPDX-License-Identifier: MIT
//
// Fuzzes what is our own of WebRTC with any bytes: frames of the socket pair, STUN inside them, and what the server
// lets in and out. A frame that can be read is written as the same bytes, no answer is longer than what it answers, and
// who has asked for nothing gets nothing. If the first byte is odd, the check gets a right MESSAGE-INTEGRITY, which a
// fuzzer could not find; a cookie that is asked for is returned.
#include <gnutls/crypto.h>
#include <string.h>

#include "net/webrtc.h"
#include "net/webrtc_filter.h"
#include "require.h"
#include "webrtc/stun.h"

#define CODE_BYTES     20
#define STUN_FIRST_MAX 3
#define SESSION_AT     59 // in a ClientHello
#define COOKIE_BYTES   8

static struct webrtc_filter filter;

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

// The field is the last one, and its code is over what stands before it, with the password "a".
static void add_integrity(uint8_t *check, size_t byte_count)
{
    uint8_t *field = check + byte_count - CODE_BYTES - 4;
    size_t length = byte_count - 20;
    memcpy(check + 20, "\0\6\0\3a:b", 8);
    memcpy(field, "\0\10\0\24", 4);
    check[0] = 0, check[1] = 1;
    check[2] = (uint8_t)(length >> 8), check[3] = (uint8_t)length;
    require(gnutls_hmac_fast(GNUTLS_MAC_SHA1, "a", 1, check, (size_t)(field - check), field + 4) == 0);
}

static void take_check(const struct webrtc_frame *frame, bool repair)
{
    uint8_t check[WEBRTC_PAYLOAD_BYTES_MAX], answer[STUN_ANSWER_BYTES_MAX];
    memcpy(check, frame->payload, frame->byte_count);
    if (repair && frame->byte_count >= 28 + 4 + CODE_BYTES)
        add_integrity(check, frame->byte_count);
    size_t count = stun_answer(&frame->address, check, frame->byte_count, answer);
    require(count <= frame->byte_count && count <= sizeof answer);
    require(count == 0 || webrtc_frame_claims(answer, count));
    if (count > 0)
        require(webrtc_filter_lets_out(&filter, &(struct datagram){.now_ns = 1, .bytes = answer, .byte_count = count},
                                       &frame->address));
}

static enum datagram_outcome take_datagram(const struct webrtc_frame *frame, const uint8_t *bytes, uint8_t *cookie)
{
    uint8_t answer[DATAGRAM_BYTES_MAX];
    struct datagram_output output = {.bytes = answer};
    struct datagram datagram = {frame->address, 1, bytes, frame->byte_count};
    enum datagram_outcome outcome = webrtc_filter_take(&filter, &datagram, &output);
    require(outcome != DATAGRAM_ANSWERED ||
            (output.byte_count < frame->byte_count && output.byte_count > COOKIE_BYTES));
    if (outcome == DATAGRAM_ANSWERED)
        memcpy(cookie, answer + output.byte_count - COOKIE_BYTES, COOKIE_BYTES);
    return outcome;
}

// Takes a packet like the server, and returns the cookie.
static void take_packet(const struct webrtc_frame *frame)
{
    uint8_t bytes[WEBRTC_PAYLOAD_BYTES_MAX], cookie[COOKIE_BYTES];
    memcpy(bytes, frame->payload, frame->byte_count);
    if (take_datagram(frame, bytes, cookie) != DATAGRAM_ANSWERED)
        return;
    size_t at = SESSION_AT + 2u + bytes[SESSION_AT];
    if (at + COOKIE_BYTES > frame->byte_count || bytes[at - 1] != COOKIE_BYTES)
        return;
    memcpy(bytes + at, cookie, COOKIE_BYTES);
    require(take_datagram(frame, bytes, cookie) != DATAGRAM_ANSWERED);
    webrtc_filter_open(&filter, &frame->address, 1);
    require(webrtc_filter_lets_in(&filter, &frame->address, 1));
}

static void take_frame(const struct webrtc_frame *frame, const uint8_t *bytes, size_t size, bool repair)
{
    uint8_t again[WEBRTC_FRAME_BYTES_MAX];
    struct webrtc_frame same;
    size_t count = webrtc_frame_write(frame, again);
    require(count == size && webrtc_frame_read(&same, again, count) == count);
    require(same.kind == frame->kind && net_address_equals(&same.address, &frame->address) &&
            same.arrived_ns == frame->arrived_ns && same.byte_count == frame->byte_count &&
            memcmp(same.payload, bytes + WEBRTC_HEAD_BYTES, same.byte_count) == 0);
    if (frame->kind == WEBRTC_PACKET)
        take_packet(frame);
    if (frame->kind == WEBRTC_MESSAGE)
        webrtc_filter_lets_in(&filter, &frame->address, 1);
    if (frame->kind == WEBRTC_PACKET && frame->payload[0] <= STUN_FIRST_MAX) // the rest is for GnuTLS
        take_check(frame, repair);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct webrtc_frame frame;
    size_t taken;
    webrtc_filter_init(&filter);
    for (size_t at = 1; at < size && (taken = webrtc_frame_read(&frame, data + at, size - at)) > 0; at += taken) {
        require(taken <= size - at);
        take_frame(&frame, data + at, taken, data[0] & 1);
    }
    return 0;
}
