// SPDX-License-Identifier: MIT
#include "webrtc_link.h"

#include <errno.h>
#include <sys/socket.h>

static void give(struct webrtc_link *link, const struct webrtc_frame *frame)
{
    bool is_taken = false;
    if (link->file >= 0 && frame->byte_count <= WEBRTC_PAYLOAD_BYTES_MAX) {
        size_t size = webrtc_frame_write(frame, link->bytes);
        is_taken = send(link->file, link->bytes, size, MSG_DONTWAIT | MSG_NOSIGNAL) >= 0;
    }
    link->dropped += !is_taken;
}

void webrtc_link_forward(struct webrtc_link *link, const struct net_address *from, uint64_t arrived_ns,
                         const uint8_t *bytes, size_t byte_count)
{
    link->heard_ns = arrived_ns;
    link->forwarded++;
    give(link, &(struct webrtc_frame){WEBRTC_PACKET, *from, arrived_ns, bytes, byte_count});
}

void webrtc_link_send(struct webrtc_link *link, const struct net_address *to, const uint8_t *bytes, size_t byte_count)
{
    give(link, &(struct webrtc_frame){WEBRTC_MESSAGE, *to, 0, bytes, byte_count});
}

bool webrtc_link_receive(struct webrtc_link *link, struct webrtc_frame *frame)
{
    while (link->file >= 0 && !link->has_ended) {
        ssize_t count = recv(link->file, link->bytes, sizeof link->bytes, MSG_DONTWAIT);
        if (count < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR))
            return false;
        link->has_ended = count <= 0;
        if (count <= 0)
            return false;
        if (webrtc_frame_read(frame, link->bytes, (size_t)count) &&
            (frame->kind == WEBRTC_PACKET || frame->kind == WEBRTC_MESSAGE))
            return true;
        link->dropped++;
    }
    return false;
}
