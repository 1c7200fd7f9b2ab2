// SPDX-License-Identifier: MIT
#include "webrtc.h"

#include <assert.h>
#include <errno.h>
#include <string.h>
#ifndef _WIN32
#include <sys/socket.h>
#endif

#include "base/little_endian.h"

#define DTLS_FIRST_MIN  20
#define DTLS_FIRST_MAX  63
#define STUN_HEAD_BYTES 20
#define TIME_AT         (2 + ADDRESS_BYTES_MAX)
#define LENGTH_AT       (TIME_AT + 8)

size_t webrtc_frame_write(const struct webrtc_frame *frame, uint8_t bytes[WEBRTC_FRAME_BYTES_MAX])
{
    assert(frame->byte_count <= WEBRTC_PAYLOAD_BYTES_MAX);
    bytes[0] = (uint8_t)frame->kind;
    bytes[1] = frame->address.byte_count;
    memcpy(bytes + 2, frame->address.bytes, ADDRESS_BYTES_MAX);
    little_endian_write(bytes + TIME_AT, frame->arrived_ns, 8);
    little_endian_write(bytes + LENGTH_AT, frame->byte_count, 2);
    if (frame->byte_count > 0)
        memcpy(bytes + WEBRTC_HEAD_BYTES, frame->payload, frame->byte_count);
    return WEBRTC_HEAD_BYTES + frame->byte_count;
}

static bool has_address(const struct webrtc_frame *frame)
{
    uint8_t count = frame->address.byte_count;
    return count == ADDRESS_BYTES_IPV4 || count == ADDRESS_BYTES_MAX;
}

static bool is_sound(const struct webrtc_frame *frame)
{
    switch (frame->kind) {
    case WEBRTC_CREDENTIALS:
        return frame->address.byte_count == 0;
    case WEBRTC_READY:
        return frame->address.byte_count == 0 && frame->byte_count > WEBRTC_FINGERPRINT_BYTES;
    case WEBRTC_PACKET:
        return has_address(frame) && webrtc_frame_claims(frame->payload, frame->byte_count);
    case WEBRTC_MESSAGE:
        return has_address(frame) && frame->byte_count > 0;
    case WEBRTC_FORGET:
    case WEBRTC_OPEN:
        return has_address(frame) && frame->byte_count == 0;
    }
    return false;
}

size_t webrtc_frame_read(struct webrtc_frame *frame, const uint8_t *bytes, size_t byte_count)
{
    size_t length = byte_count >= WEBRTC_HEAD_BYTES ? (size_t)little_endian_read(bytes + LENGTH_AT, 2) : 0;
    if (length > WEBRTC_PAYLOAD_BYTES_MAX || byte_count < WEBRTC_HEAD_BYTES + length)
        return 0;
    *frame = (struct webrtc_frame){.kind = (enum webrtc_frame_kind)bytes[0],
                                   .address.byte_count = bytes[1],
                                   .arrived_ns = little_endian_read(bytes + TIME_AT, 8),
                                   .payload = bytes + WEBRTC_HEAD_BYTES,
                                   .byte_count = length};
    if (has_address(frame))
        memcpy(frame->address.bytes, bytes + 2, frame->address.byte_count);
    return is_sound(frame) ? WEBRTC_HEAD_BYTES + length : 0;
}

bool webrtc_frame_claims(const uint8_t *bytes, size_t byte_count)
{
    static const uint8_t MAGIC[] = {0x21, 0x12, 0xa4, 0x42};
    if (byte_count > 0 && bytes[0] >= DTLS_FIRST_MIN && bytes[0] <= DTLS_FIRST_MAX)
        return true;
    // STUN. A HELLO begins like it, but has neither the magic cookie nor its own length where STUN has them.
    return byte_count >= STUN_HEAD_BYTES && bytes[0] <= 3 && memcmp(bytes + 4, MAGIC, sizeof MAGIC) == 0 &&
           (size_t)(bytes[2] << 8 | bytes[3]) + STUN_HEAD_BYTES == byte_count;
}

bool webrtc_frame_is_fingerprint(const char *text)
{
    static const char LETTERS[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    size_t length = strspn(text, LETTERS);
    return length == WEBRTC_FINGERPRINT_TEXT_BYTES - 1 && !text[length] &&
           (strchr(LETTERS, text[length - 1]) - LETTERS) % 4 == 0; // its last two bits carry nothing
}

#ifdef _WIN32 // where deadfall-webrtc does not run: there is never a process
static bool write_batch(const struct webrtc_link *link)
{
    (void)link;
    return false;
}

static bool read_batch(struct webrtc_link *link)
{
    link->has_ended = true;
    return false;
}
#else
static bool write_batch(const struct webrtc_link *link)
{
    return send(link->file, link->out.bytes, link->out.byte_count, MSG_DONTWAIT | MSG_NOSIGNAL) >= 0;
}

// False if there is nothing to read, or nobody who writes.
static bool read_batch(struct webrtc_link *link)
{
    struct webrtc_batch *in = &link->in;
    ssize_t count = recv(link->file, in->bytes, sizeof in->bytes, MSG_DONTWAIT);
    in->at = 0;
    in->byte_count = count > 0 ? (size_t)count : 0;
    if (count < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR))
        return false;
    link->has_ended = count <= 0;
    return count > 0;
}
#endif

void webrtc_link_flush(struct webrtc_link *link)
{
    struct webrtc_batch *out = &link->out;
    if (out->frames == 0)
        return;
    if (link->file < 0 || !write_batch(link))
        link->dropped += out->frames;
    out->byte_count = out->frames = 0;
}

void webrtc_link_give(struct webrtc_link *link, const struct webrtc_frame *frame)
{
    struct webrtc_batch *out = &link->out;
    if (frame->byte_count > WEBRTC_PAYLOAD_BYTES_MAX) {
        link->dropped++;
        return;
    }
    if (out->byte_count + WEBRTC_HEAD_BYTES + frame->byte_count > WEBRTC_BATCH_BYTES)
        webrtc_link_flush(link);
    out->byte_count += webrtc_frame_write(frame, out->bytes + out->byte_count);
    out->frames++;
}

void webrtc_link_forward(struct webrtc_link *link, const struct net_address *from, uint64_t arrived_ns,
                         const uint8_t *bytes, size_t byte_count)
{
    link->heard_ns = arrived_ns;
    link->forwarded++;
    webrtc_link_give(link, &(struct webrtc_frame){WEBRTC_PACKET, *from, arrived_ns, bytes, byte_count});
}

void webrtc_link_forget(struct webrtc_link *link, const struct net_address *address)
{
    webrtc_link_give(link, &(struct webrtc_frame){.kind = WEBRTC_FORGET, .address = *address});
}

void webrtc_link_send(struct webrtc_link *link, const struct net_address *to, const uint8_t *bytes, size_t byte_count)
{
    webrtc_link_give(link, &(struct webrtc_frame){WEBRTC_MESSAGE, *to, 0, bytes, byte_count});
}

bool webrtc_link_receive(struct webrtc_link *link, struct webrtc_frame *frame)
{
    struct webrtc_batch *in = &link->in;
    while (link->file >= 0 && !link->has_ended) {
        if (in->at == in->byte_count && !read_batch(link))
            return false;
        size_t size = webrtc_frame_read(frame, in->bytes + in->at, in->byte_count - in->at);
        in->at += size;
        if (size > 0 && frame->kind != WEBRTC_CREDENTIALS && frame->kind != WEBRTC_READY)
            return true;
        in->at = in->byte_count;
        link->dropped++;
    }
    return false;
}
