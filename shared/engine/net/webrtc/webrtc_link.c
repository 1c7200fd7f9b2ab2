// SPDX-License-Identifier: MIT
#include "webrtc_link.h"

#include <errno.h>
#include <sys/socket.h>

void webrtc_link_flush(struct webrtc_link *link)
{
    struct webrtc_batch *out = &link->out;
    if (out->frames == 0)
        return;
    if (link->file < 0 || send(link->file, out->bytes, out->byte_count, MSG_DONTWAIT | MSG_NOSIGNAL) < 0)
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

void webrtc_link_send(struct webrtc_link *link, const struct net_address *to, const uint8_t *bytes, size_t byte_count)
{
    webrtc_link_give(link, &(struct webrtc_frame){WEBRTC_MESSAGE, *to, 0, bytes, byte_count});
}

// False if there is nothing to read, or nobody who writes.
static bool fill(struct webrtc_link *link)
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

bool webrtc_link_receive(struct webrtc_link *link, struct webrtc_frame *frame)
{
    struct webrtc_batch *in = &link->in;
    while (link->file >= 0 && !link->has_ended) {
        if (in->at == in->byte_count && !fill(link))
            return false;
        size_t size = webrtc_frame_read(frame, in->bytes + in->at, in->byte_count - in->at);
        in->at += size;
        if (size > 0 && (frame->kind == WEBRTC_PACKET || frame->kind == WEBRTC_MESSAGE))
            return true;
        in->at = in->byte_count;
        link->dropped++;
    }
    return false;
}
