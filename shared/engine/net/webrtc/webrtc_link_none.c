// SPDX-License-Identifier: MIT
//
// Where deadfall-webrtc does not run: there is never a process, so what is for it is dropped.
#include "webrtc_link.h"

void webrtc_link_give(struct webrtc_link *link, const struct webrtc_frame *frame)
{
    (void)frame;
    link->dropped++;
}

void webrtc_link_forward(struct webrtc_link *link, const struct net_address *from, uint64_t arrived_ns,
                         const uint8_t *bytes, size_t byte_count)
{
    (void)from, (void)arrived_ns, (void)bytes, (void)byte_count;
    link->dropped++;
}

void webrtc_link_send(struct webrtc_link *link, const struct net_address *to, const uint8_t *bytes, size_t byte_count)
{
    (void)to, (void)bytes, (void)byte_count;
    link->dropped++;
}

void webrtc_link_flush(struct webrtc_link *link)
{
    (void)link;
}

bool webrtc_link_receive(struct webrtc_link *link, struct webrtc_frame *frame)
{
    (void)link, (void)frame;
    return false;
}
