// SPDX-License-Identifier: MIT
#include "transport.h"

bool transport_poll(struct transport *transport, struct net_event *event)
{
    return transport->table->poll(transport, event);
}

bool transport_send(struct transport *transport, uint32_t peer, enum net_channel channel, const uint8_t *bytes,
                    size_t byte_count)
{
    if (byte_count == 0 || byte_count > NET_MESSAGE_BYTES_MAX)
        return false;
    return transport->table->send(transport, peer, channel, bytes, byte_count);
}

void transport_flush(struct transport *transport)
{
    transport->table->flush(transport);
}

void transport_disconnect(struct transport *transport, uint32_t peer, uint32_t reason, bool now)
{
    transport->table->disconnect(transport, peer, reason, now);
}

void transport_wait(struct transport *transport, uint64_t deadline_ns)
{
    transport->table->wait(transport, deadline_ns);
}

void transport_totals(const struct transport *transport, struct net_totals *totals)
{
    *totals = (struct net_totals){0};
    transport->table->totals(transport, totals);
}

uint32_t transport_rtt_ms(const struct transport *transport, uint32_t peer)
{
    return transport->table->rtt_ms(transport, peer);
}

const char *transport_error(const struct transport *transport)
{
    return transport->table->error_text ? transport->table->error_text(transport) : "";
}

enum denial transport_denial(const struct transport *transport)
{
    return transport->table->denial ? transport->table->denial(transport) : DENIAL_NONE;
}

const char *transport_silence(const struct transport *transport)
{
    return transport->table->silence ? transport->table->silence(transport) : "";
}

void transport_reply(struct transport *transport, const struct net_replies *replies)
{
    if (transport->table->reply)
        transport->table->reply(transport, replies);
}

void transport_password(struct transport *transport, const char *password)
{
    if (transport->table->password)
        transport->table->password(transport, password);
}

void transport_limit(struct transport *transport, const struct household_rules *rules)
{
    if (transport->table->limit)
        transport->table->limit(transport, rules);
}

void transport_punch(struct transport *transport, const struct punch_host_directory *directories, uint32_t count)
{
    if (transport->table->punch)
        transport->table->punch(transport, directories, count);
}

void transport_keep(struct transport *transport, uint32_t peer)
{
    if (transport->table->keep)
        transport->table->keep(transport, peer);
}

bool transport_is_busy(const struct transport *transport)
{
    return transport->table->is_busy && transport->table->is_busy(transport);
}

bool transport_await_relay(const struct transport *transport, uint64_t deadline_ns)
{
    return transport->table->await_relay && transport->table->await_relay(transport, deadline_ns);
}

void transport_close(struct transport *transport)
{
    if (transport)
        transport->table->close(transport);
}
