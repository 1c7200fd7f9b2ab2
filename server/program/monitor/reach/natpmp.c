// SPDX-License-Identifier: MIT
#include "natpmp.h"

#include <errno.h>
#include <stddef.h>
#include <string.h>

#include "base/clock.h"
#include "base/platform/udp.h"

#define FIRST_NS      (CLOCK_SECOND_NS / 4) // until a question is sent again; then twice as long each time
#define ANSWER_ROOM   64
#define QUESTION_ROOM 12
#define TO_ANSWER     128 // added to the operation of a question

enum operation { ADDRESS, MAP_UDP };

enum result { SUCCESS, UNSUPPORTED_VERSION, UNSUPPORTED_OPERATION = 5 };

// A question, and what is an answer to it.
struct question {
    uint8_t bytes[QUESTION_ROOM];
    uint32_t byte_count;
    uint32_t answer_bytes; // if it is granted
};

struct answer {
    uint8_t bytes[ANSWER_ROOM];
    uint32_t byte_count;
};

static void write_16(uint8_t *bytes, uint32_t value)
{
    bytes[0] = (uint8_t)(value >> 8);
    bytes[1] = (uint8_t)value;
}

static uint32_t read_16(const uint8_t *bytes)
{
    return (uint32_t)bytes[0] << 8 | bytes[1];
}

static uint32_t read_32(const uint8_t *bytes)
{
    return read_16(bytes) << 16 | read_16(bytes + 2);
}

static struct question address_question(void)
{
    return (struct question){.bytes = {0, ADDRESS}, .byte_count = 2, .answer_bytes = 12};
}

static struct question mapping_question(const struct natpmp_request *request)
{
    struct question question = {.bytes = {0, MAP_UDP}, .byte_count = 12, .answer_bytes = 16};
    write_16(question.bytes + 4, request->port);
    write_16(question.bytes + 6, request->lease_s ? request->outside : 0);
    write_16(question.bytes + 8, request->lease_s >> 16);
    write_16(question.bytes + 10, request->lease_s);
    return question;
}

// Returns whether a datagram answers a question; then `*outcome` is what it says. A router that speaks only another
// version answers in that one.
static bool judge(const struct question *question, const struct answer *answer, enum natpmp_outcome *outcome)
{
    const uint8_t *bytes = answer->bytes;
    if (answer->byte_count < 4 || answer->byte_count > sizeof answer->bytes)
        return false;
    *outcome = NATPMP_ABSENT;
    if (bytes[0] != 0)
        return true;
    if (bytes[1] != question->bytes[1] + TO_ANSWER)
        return false;
    uint32_t result = read_16(bytes + 2);
    if (result == UNSUPPORTED_VERSION || result == UNSUPPORTED_OPERATION)
        return true;
    *outcome = NATPMP_REFUSED;
    if (result != SUCCESS)
        return true;
    *outcome = NATPMP_GRANTED;
    return answer->byte_count >= question->answer_bytes &&
           (question->bytes[1] != MAP_UDP || memcmp(bytes + 8, question->bytes + 4, 2) == 0);
}

// Receives one datagram if it is there. Returns whether that decides it.
static bool receive(int socket, const struct question *question, struct answer *answer, enum natpmp_outcome *outcome)
{
    struct udp_datagram datagram = {.bytes = answer->bytes};
    int count = udp_receive_many(socket, &datagram, 1, sizeof answer->bytes);
    answer->byte_count = datagram.byte_count;
    if (count == 1)
        return judge(question, answer, outcome);
    *outcome = NATPMP_ABSENT;
    return count < 0 && errno == ECONNREFUSED; // nobody has that port there
}

static enum natpmp_outcome converse(int socket, const struct net_address *router, const struct question *question,
                                    struct answer *answer)
{
    enum natpmp_outcome outcome;
    uint64_t now_ns = clock_now_ns(), end_ns = now_ns + NATPMP_PATIENCE_NS, again_ns = now_ns, pause_ns = FIRST_NS;
    for (; now_ns < end_ns; now_ns = clock_now_ns()) {
        if (now_ns >= again_ns) {
            if (!udp_send(socket, router, question->bytes, question->byte_count))
                return NATPMP_ABSENT;
            again_ns += pause_ns;
            pause_ns *= 2;
        }
        uint64_t until_ns = again_ns < end_ns ? again_ns : end_ns;
        udp_wait(&socket, 1, until_ns > now_ns ? until_ns - now_ns : 0);
        if (receive(socket, question, answer, &outcome))
            return outcome;
    }
    return NATPMP_ABSENT;
}

static enum natpmp_outcome map(int socket, const struct natpmp_request *request, struct natpmp_mapping *mapping)
{
    struct question for_address = address_question(), for_mapping = mapping_question(request);
    struct answer address, granted;
    enum natpmp_outcome outcome = NATPMP_GRANTED;
    if (request->lease_s)
        outcome = converse(socket, &request->router, &for_address, &address);
    if (outcome == NATPMP_GRANTED)
        outcome = converse(socket, &request->router, &for_mapping, &granted);
    if (outcome != NATPMP_GRANTED || request->lease_s == 0)
        return outcome;
    mapping->outside = (struct net_address){.byte_count = ADDRESS_BYTES_IPV4};
    memcpy(mapping->outside.bytes, address.bytes + 8, 4);
    memcpy(mapping->outside.bytes + 4, granted.bytes + 10, 2);
    mapping->port = (uint16_t)read_16(granted.bytes + 10);
    uint32_t lease_s = read_32(granted.bytes + 12);
    mapping->lease_s = lease_s < request->lease_s ? lease_s : request->lease_s;
    return lease_s > 0 && mapping->port > 0 ? NATPMP_GRANTED : NATPMP_REFUSED;
}

enum natpmp_outcome natpmp_ask(const struct natpmp_request *request, struct natpmp_mapping *mapping)
{
    uint32_t buffer_bytes;
    int socket = udp_open(request->router.byte_count != ADDRESS_BYTES_IPV4, &buffer_bytes);
    if (socket < 0)
        return NATPMP_ABSENT;
    enum natpmp_outcome outcome = udp_connect(socket, &request->router) ? map(socket, request, mapping) : NATPMP_ABSENT;
    udp_close(socket);
    return outcome;
}
