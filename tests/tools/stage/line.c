// SPDX-License-Identifier: MIT
#include "stage.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/ip.h>
#include <netinet/ip6.h>
#include <netinet/udp.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define PPM 1000000

void stage_line(uint64_t delay_us, uint64_t jitter_us, uint32_t loss_ppm, uint32_t duplicate_ppm, uint32_t late_ppm,
                uint64_t late_us, uint32_t port)
{
    if (!acts())
        return;
    struct line *line = &stage->line;
    line->delay_ns = delay_us * 1000;
    line->jitter_ns = jitter_us * 1000;
    line->loss_ppm = loss_ppm;
    line->duplicate_ppm = duplicate_ppm;
    line->late_ppm = late_ppm;
    line->late_ns = late_us * 1000;
    line->port = port;
    line->is_on = delay_us || jitter_us || loss_ppm || duplicate_ppm || late_ppm;
}

// Its own numbers, so that a line does not change those of the programs.
static uint64_t draw(struct line *line, uint64_t below)
{
    line->random = line->random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return below ? (line->random >> 16) % below : 0;
}

static bool is_before(const struct line *line, uint16_t a, uint16_t b)
{
    const struct line_datagram *x = &line->datagrams[a], *y = &line->datagrams[b];
    return x->due_ns != y->due_ns ? x->due_ns < y->due_ns : x->number < y->number;
}

static void swap(uint16_t *a, uint16_t *b)
{
    uint16_t c = *a;
    *a = *b;
    *b = c;
}

static void put(struct line *line, uint16_t which)
{
    uint32_t i = line->count++;
    line->heap[i] = which;
    for (; i && is_before(line, line->heap[i], line->heap[(i - 1) / 2]); i = (i - 1) / 2)
        swap(&line->heap[i], &line->heap[(i - 1) / 2]);
}

// The numbers behind the heap's end are free.
static uint16_t take(struct line *line)
{
    uint16_t first = line->heap[0];
    line->heap[0] = line->heap[--line->count];
    for (uint32_t i = 0, child; (child = 2 * i + 1) < line->count; i = child) {
        if (child + 1 < line->count && is_before(line, line->heap[child + 1], line->heap[child]))
            child++;
        if (!is_before(line, line->heap[child], line->heap[i]))
            break;
        swap(&line->heap[i], &line->heap[child]);
    }
    return first;
}

static bool is_loopback(const struct sockaddr_in6 *address)
{
    const struct sockaddr_in *v4 = (const void *)address;
    if (address->sin6_family == AF_INET)
        return ntohl(v4->sin_addr.s_addr) >> 24 == 127;
    return address->sin6_family == AF_INET6 && IN6_IS_ADDR_LOOPBACK(&address->sin6_addr);
}

static in_port_t port_of(const struct sockaddr_in6 *address) // at the same place in both families
{
    return address->sin6_port;
}

// From where to where does it go? The kernel's choice of an address for an unbound sender is the loopback's own.
static bool addresses_of(int socket, const struct msghdr *message, struct line_datagram *datagram)
{
    socklen_t length = sizeof datagram->to;
    if (message->msg_name && message->msg_namelen <= length)
        memcpy(&datagram->to, message->msg_name, message->msg_namelen);
    else if (message->msg_name || getpeername(socket, (struct sockaddr *)&datagram->to, &length))
        return false;
    length = sizeof datagram->from;
    if (!is_loopback(&datagram->to) || getsockname(socket, (struct sockaddr *)&datagram->from, &length) ||
        datagram->from.sin6_family != datagram->to.sin6_family)
        return false;
    struct sockaddr_in *v4 = (void *)&datagram->from;
    if (datagram->from.sin6_family == AF_INET && v4->sin_addr.s_addr == INADDR_ANY)
        v4->sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    else if (datagram->from.sin6_family == AF_INET6 && IN6_IS_ADDR_UNSPECIFIED(&datagram->from.sin6_addr))
        datagram->from.sin6_addr = in6addr_loopback;
    return true;
}

static bool gather(const struct msghdr *message, struct line_datagram *datagram)
{
    size_t size = 0;
    for (size_t i = 0; i < message->msg_iovlen; size += message->msg_iov[i++].iov_len) {
        if (size + message->msg_iov[i].iov_len > LINE_BYTES)
            return false;
        memcpy(datagram->bytes + size, message->msg_iov[i].iov_base, message->msg_iov[i].iov_len);
    }
    datagram->size = (uint16_t)size;
    return true;
}

static void send_off(struct line *line, const struct line_datagram *datagram)
{
    if (line->count == LINE_DATAGRAMS || draw(line, PPM) < line->loss_ppm) {
        line->lost++;
        return;
    }
    uint16_t which = line->free[line->count];
    line->datagrams[which] = *datagram;
    uint64_t due_ns = stage->now_ns + line->delay_ns + draw(line, line->jitter_ns + 1);
    if (draw(line, PPM) < line->late_ppm) {
        due_ns += line->late_ns;
        line->overtaken++;
    }
    line->datagrams[which].due_ns = due_ns;
    line->datagrams[which].number = line->number++;
    put(line, which);
    if (line->heap[0] == which) // earlier than the postman knows
        stage->slots[line->postman - 1].poked = 1;
}

bool line_takes(int socket, const struct msghdr *message, size_t *bytes)
{
    struct line *line = &stage->line;
    if (!line->is_on || !line->postman || own_cage)
        return false;
    struct line_datagram datagram = {0};
    give_port(socket);
    if (!addresses_of(socket, message, &datagram) || !gather(message, &datagram))
        return false;
    if (line->port && ntohs(port_of(&datagram.from)) != line->port && ntohs(port_of(&datagram.to)) != line->port)
        return false;
    line->sent++;
    bool is_twice = draw(line, PPM) < line->duplicate_ppm;
    send_off(line, &datagram);
    if (is_twice) {
        line->duplicated++;
        send_off(line, &datagram);
    }
    *bytes = datagram.size;
    return true;
}

static uint16_t sum_of(const void *bytes, size_t size, uint32_t sum)
{
    const uint8_t *b = bytes;
    for (size_t i = 0; i < size; i++)
        sum += i % 2 ? b[i] : (uint32_t)b[i] << 8;
    while (sum >> 16)
        sum = (sum & 0xffff) + (sum >> 16);
    return (uint16_t)sum;
}

// Puts a datagram into the socket of its receiver, as if its sender had just sent it.
static void deliver(const struct line_datagram *datagram)
{
    static int raw4 = -1, raw6 = -1;
    struct sockaddr_in6 to = datagram->to;
    bool is_v4 = to.sin6_family == AF_INET;
    int *raw = is_v4 ? &raw4 : &raw6;
    if (*raw < 0)
        *raw = socket(is_v4 ? AF_INET : AF_INET6, SOCK_RAW | SOCK_CLOEXEC, IPPROTO_RAW);
    struct udphdr udp = {.source = port_of(&datagram->from),
                         .dest = port_of(&datagram->to),
                         .len = htons((uint16_t)(sizeof udp + datagram->size))};
    uint8_t packet[sizeof(struct ip6_hdr) + sizeof udp + LINE_BYTES];
    size_t head = is_v4 ? sizeof(struct iphdr) : sizeof(struct ip6_hdr), size = head + sizeof udp + datagram->size;
    memset(packet, 0, head);
    if (is_v4) {
        const struct sockaddr_in *from4 = (const void *)&datagram->from, *to4 = (const void *)&datagram->to;
        struct iphdr ip = {.version = 4,
                           .ihl = 5,
                           .ttl = 64,
                           .protocol = IPPROTO_UDP,
                           .tot_len = htons((uint16_t)size),
                           .saddr = from4->sin_addr.s_addr,
                           .daddr = to4->sin_addr.s_addr};
        memcpy(packet, &ip, sizeof ip);
    } else {
        struct ip6_hdr ip = {.ip6_src = datagram->from.sin6_addr, .ip6_dst = datagram->to.sin6_addr};
        ip.ip6_flow = htonl(6U << 28);
        ip.ip6_plen = udp.len;
        ip.ip6_nxt = IPPROTO_UDP;
        ip.ip6_hlim = 64;
        memcpy(packet, &ip, sizeof ip);
    }
    memcpy(packet + head + sizeof udp, datagram->bytes, datagram->size);
    memcpy(packet + head, &udp, sizeof udp);
    if (!is_v4) { // over IPv4 a datagram may go without
        uint32_t sum = sum_of(&datagram->from.sin6_addr, 16, sum_of(&datagram->to.sin6_addr, 16, IPPROTO_UDP));
        sum = sum_of(packet + head, size - head, sum + ntohs(udp.len));
        udp.check = htons((uint16_t)~sum ? (uint16_t)~sum : 0xffff);
        memcpy(packet + head, &udp, sizeof udp);
    }
    ((struct sockaddr_in6 *)&to)->sin6_port = 0; // a raw socket has none
    REAL(sendto)(*raw, packet, size, 0, (struct sockaddr *)&to, is_v4 ? sizeof(struct sockaddr_in) : sizeof to);
}

static uint64_t next_due_ns(void)
{
    const struct line *line = &stage->line;
    return line->count ? line->datagrams[line->heap[0]].due_ns : NEVER_NS;
}

static bool has_earlier(const struct wait *wait)
{
    return next_due_ns() < wait->deadline_ns;
}

void stage_postman(void)
{
    if (!acts())
        return;
    struct line *line = &stage->line;
    for (uint16_t i = 0; i < LINE_DATAGRAMS; i++)
        line->free[i] = i;
    line->random = stage->seed;
    line->postman = (int)(own_slot - stage->slots) + 1;
    while (1) {
        while (next_due_ns() <= stage->now_ns) {
            uint16_t which = take(line);
            line->free[line->count] = which;
            deliver(&line->datagrams[which]);
        }
        await(&(struct wait){has_earlier, "the line", next_due_ns(), false});
    }
}
