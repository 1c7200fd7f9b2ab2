// SPDX-License-Identifier: MIT
#include "webrtc_filter.h"

#include <sodium.h>
#include <string.h>

#include "base/clock.h"
#include "base/little_endian.h"

#define STUN_FIRST_MAX 3
#define CHECKED_NS     (30 * CLOCK_SECOND_NS) // an address may begin DTLS for so long after a check
#define HANDSHAKE_NS   (10 * CLOCK_SECOND_NS) // that it may take
#define SILENCE_NS     (35 * CLOCK_SECOND_NS) // longer than the process waits for a browser
#define SESSION_NS     (8 * CLOCK_SECOND_NS)  // a session lives for so long after its last datagram
#define WAYS           4                      // strangers that share a row

// Where a ClientHello has what, behind the heads of its record and of its fragment (RFC 6347, 4.1 and 4.2.2).
enum { EPOCH_AT = 3, SEQUENCE_AT = 5, SEQUENCE_BYTES = 6, KIND_AT = 13, OFFSET_AT = 19, SESSION_AT = 59 };
enum { HANDSHAKE_RECORD = 22, CLIENT_HELLO = 1, HELLO_VERIFY_REQUEST = 3, SESSION_BYTES_MAX = 32, COOKIE_BYTES = 8 };

void webrtc_filter_init(struct webrtc_filter *filter)
{
    uint8_t key[RATE_LIMIT_KEY_BYTES];
    memset(filter, 0, sizeof *filter);
    randombytes_buf(filter->key, sizeof filter->key);
    randombytes_buf(key, sizeof key);
    rate_limit_table_init(&filter->handshakes, key, &RATE_LIMIT_JOINS);
}

static uint64_t hash_of(const struct webrtc_filter *filter, const struct net_address *address)
{
    return net_address_cookie(filter->key, address, 0);
}

static struct webrtc_place **bucket_of(struct webrtc_filter *filter, const struct net_address *address)
{
    return &filter->buckets[hash_of(filter, address) % WEBRTC_FILTER_BUCKETS];
}

static bool is_gone(const struct webrtc_place *place, uint64_t now_ns)
{
    return now_ns - place->heard_ns > SILENCE_NS || (!place->is_open && now_ns - place->begun_ns > HANDSHAKE_NS);
}

static void close_place(struct webrtc_filter *filter, struct webrtc_place *place)
{
    struct webrtc_place **link = bucket_of(filter, &place->address);
    while (*link != place)
        link = &(*link)->next;
    *link = place->next;
    *place = (struct webrtc_place){0};
}

static struct webrtc_place *find_place(struct webrtc_filter *filter, const struct net_address *address, uint64_t now_ns)
{
    struct webrtc_place *place = *bucket_of(filter, address);
    while (place && !net_address_equals(&place->address, address))
        place = place->next;
    if (!place || !is_gone(place, now_ns))
        return place;
    close_place(filter, place);
    return NULL;
}

// Finds a free place, or the oldest without a session of the site that has most of these, so a site that takes many
// only takes from itself. Null if all have sessions.
static struct webrtc_place *find_room(struct webrtc_filter *filter, uint64_t now_ns)
{
    struct webrtc_place *waiting[WEBRTC_FILTER_PLACES], *found = NULL;
    uint64_t sites[WEBRTC_FILTER_PLACES];
    uint32_t count = 0, most = 0;
    for (uint32_t i = 0; i < WEBRTC_FILTER_PLACES; i++) {
        struct webrtc_place *place = &filter->places[i];
        if (place->address.byte_count > 0 && is_gone(place, now_ns))
            close_place(filter, place);
        if (place->address.byte_count == 0)
            return place;
        if (place->session_ns > 0 && now_ns - place->session_ns <= SESSION_NS)
            continue;
        waiting[count] = place;
        sites[count++] = household_site(place->household);
    }
    for (uint32_t i = 0; i < count; i++) {
        uint32_t of_site = 0;
        for (uint32_t j = 0; j < count; j++)
            of_site += sites[j] == sites[i];
        if (of_site > most || (of_site == most && waiting[i]->begun_ns < found->begun_ns)) {
            most = of_site;
            found = waiting[i];
        }
    }
    if (!found)
        return NULL;
    filter->gave_way++;
    filter->gave_way_of = found->household;
    filter->left = found->address;
    close_place(filter, found);
    return found;
}

// Gives an address a place, and what it has left as a stranger, if it still is one.
static struct webrtc_place *open_place(struct webrtc_filter *filter, const struct net_address *address,
                                       const struct webrtc_stranger *stranger, uint64_t now_ns)
{
    uint64_t household = household_of(address);
    struct webrtc_place *place =
        rate_limit_table_take(&filter->handshakes, household, now_ns) ? find_room(filter, now_ns) : NULL;
    if (!place)
        return NULL;
    struct webrtc_place **bucket = bucket_of(filter, address);
    *place = (struct webrtc_place){.address = *address,
                                   .next = *bucket,
                                   .household = household,
                                   .begun_ns = now_ns,
                                   .credit = stranger ? stranger->credit : (struct path_credit){0}};
    *bucket = place;
    return place;
}

// Returns the stranger of an address; if it has none and `is_new`, the one of its row that has been silent for the
// longest becomes that. Else null.
static struct webrtc_stranger *find_stranger(struct webrtc_filter *filter, const struct net_address *address,
                                             bool is_new)
{
    struct webrtc_stranger *row =
        &filter->strangers[hash_of(filter, address) % (WEBRTC_FILTER_STRANGERS / WAYS) * WAYS];
    struct webrtc_stranger *silent = row;
    for (struct webrtc_stranger *stranger = row; stranger < row + WAYS; stranger++) {
        if (net_address_equals(&stranger->address, address))
            return stranger;
        if (stranger->heard_ns < silent->heard_ns)
            silent = stranger;
    }
    if (!is_new)
        return NULL;
    *silent = (struct webrtc_stranger){.address = *address};
    return silent;
}

// Returns whether a datagram begins with a ClientHello, or with its first fragment, which has the cookie.
static bool read_hello(const struct datagram *datagram, uint64_t *cookie)
{
    static const uint8_t ZEROS[3] = {0};
    const uint8_t *bytes = datagram->bytes;
    size_t end = datagram->byte_count;
    if (end <= SESSION_AT || bytes[0] != HANDSHAKE_RECORD || memcmp(bytes + EPOCH_AT, ZEROS, 2) != 0 ||
        bytes[KIND_AT] != CLIENT_HELLO || memcmp(bytes + OFFSET_AT, ZEROS, sizeof ZEROS) != 0 ||
        bytes[SESSION_AT] > SESSION_BYTES_MAX)
        return false;
    size_t at = SESSION_AT + 1u + bytes[SESSION_AT];
    if (at >= end)
        return false;
    bool is_ours = bytes[at] == COOKIE_BYTES && at + 1 + COOKIE_BYTES <= end;
    *cookie = is_ours ? little_endian_read(bytes + at + 1, COOKIE_BYTES) : 0;
    return true;
}

// A HelloVerifyRequest, shorter than any ClientHello. Its record has the number of what it answers.
static void ask(const struct webrtc_filter *filter, const struct datagram *hello, struct datagram_output *output)
{
    enum { VERSION_AT = 25, COOKIE_AT = 28, BODY_BYTES = 3 + COOKIE_BYTES };
    static const uint8_t DTLS_1_0[] = {0xfe, 0xff}; // so it is here for 1.2, too (RFC 6347, 4.2.1)
    uint8_t *bytes = output->bytes;
    output->byte_count = COOKIE_AT + COOKIE_BYTES;
    memset(bytes, 0, output->byte_count);
    bytes[0] = HANDSHAKE_RECORD;
    memcpy(bytes + 1, DTLS_1_0, sizeof DTLS_1_0);
    memcpy(bytes + SEQUENCE_AT, hello->bytes + SEQUENCE_AT, SEQUENCE_BYTES);
    bytes[KIND_AT - 1] = COOKIE_AT + COOKIE_BYTES - KIND_AT; // bytes of the record
    bytes[KIND_AT] = HELLO_VERIFY_REQUEST;
    bytes[OFFSET_AT - 3] = bytes[VERSION_AT - 1] = BODY_BYTES; // of the message, and of its only fragment
    memcpy(bytes + VERSION_AT, DTLS_1_0, sizeof DTLS_1_0);
    bytes[COOKIE_AT - 1] = COOKIE_BYTES;
    little_endian_write(bytes + COOKIE_AT, net_address_cookie(filter->key, &hello->from, hello->now_ns), COOKIE_BYTES);
}

static void take_stun(struct webrtc_filter *filter, const struct datagram *datagram)
{
    struct webrtc_stranger *stranger = find_stranger(filter, &datagram->from, true);
    stranger->heard_ns = datagram->now_ns;
    path_credit_add(&stranger->credit, datagram->byte_count, WEBRTC_FILTER_CREDIT_NS, datagram->now_ns);
}

// Takes a ClientHello. Returns what to do, and the place of its sender if that has returned a cookie.
static enum datagram_outcome take_hello(struct webrtc_filter *filter, const struct datagram *datagram, uint64_t cookie,
                                        struct webrtc_place **place, struct datagram_output *output)
{
    uint64_t now_ns = datagram->now_ns;
    struct webrtc_stranger *stranger = *place ? NULL : find_stranger(filter, &datagram->from, false);
    bool has_checked = stranger && stranger->checked_ns > 0 && now_ns - stranger->checked_ns <= CHECKED_NS;
    bool is_proven = net_address_cookie_is_met(filter->key, &datagram->from, now_ns, cookie);
    // Who returns a cookie had been checked, and may have been forgotten among many others since.
    if (!*place && !has_checked && !is_proven)
        return DATAGRAM_REJECTED;
    if (!is_proven) {
        ask(filter, datagram, output);
        if (stranger) { // what is left helps to pay for the answer to the next one
            path_credit_add(&stranger->credit, datagram->byte_count, WEBRTC_FILTER_CREDIT_NS, now_ns);
            path_credit_take(&stranger->credit, output->byte_count, WEBRTC_FILTER_CREDIT_NS, now_ns);
        }
        return DATAGRAM_ANSWERED;
    }
    if (!*place)
        *place = open_place(filter, &datagram->from, stranger, now_ns);
    // Where a handshake is done it has come late, or somebody repeats it.
    return *place && !(*place)->is_open ? DATAGRAM_DELIVERED : DATAGRAM_REJECTED;
}

enum datagram_outcome webrtc_filter_take(struct webrtc_filter *filter, const struct datagram *datagram,
                                         struct datagram_output *output)
{
    uint64_t now_ns = datagram->now_ns, cookie;
    struct webrtc_place *place = find_place(filter, &datagram->from, now_ns);
    enum datagram_outcome outcome = place ? DATAGRAM_DELIVERED : DATAGRAM_REJECTED;
    filter->left = (struct net_address){0};
    if (!place && datagram->bytes[0] <= STUN_FIRST_MAX) {
        take_stun(filter, datagram);
        return DATAGRAM_DELIVERED;
    }
    if (read_hello(datagram, &cookie))
        outcome = take_hello(filter, datagram, cookie, &place, output);
    if (outcome == DATAGRAM_DELIVERED) {
        place->heard_ns = now_ns;
        path_credit_add(&place->credit, datagram->byte_count, WEBRTC_FILTER_CREDIT_NS, now_ns);
    }
    return outcome;
}

bool webrtc_filter_lets_out(struct webrtc_filter *filter, const struct datagram *packet, const struct net_address *to)
{
    struct webrtc_place *place = find_place(filter, to, packet->now_ns);
    struct webrtc_stranger *stranger = place ? NULL : find_stranger(filter, to, false);
    bool is_stun = packet->bytes[0] <= STUN_FIRST_MAX, good = place && place->is_open;
    if (!good && (place || (stranger && is_stun)))
        good = path_credit_take(place ? &place->credit : &stranger->credit, packet->byte_count, WEBRTC_FILTER_CREDIT_NS,
                                packet->now_ns);
    if (good && stranger) // the process answers only checks with the right name
        stranger->checked_ns = packet->now_ns;
    filter->refused += !good;
    return good;
}

void webrtc_filter_open(struct webrtc_filter *filter, const struct net_address *address, uint64_t now_ns)
{
    struct webrtc_place *place = find_place(filter, address, now_ns);
    if (place)
        place->is_open = true;
    filter->refused += !place;
}

void webrtc_filter_forget(struct webrtc_filter *filter, const struct net_address *address, uint64_t now_ns)
{
    struct webrtc_place *place = find_place(filter, address, now_ns);
    if (place)
        close_place(filter, place);
}

bool webrtc_filter_lets_in(struct webrtc_filter *filter, const struct net_address *from, uint64_t now_ns)
{
    struct webrtc_place *place = find_place(filter, from, now_ns);
    if (place && place->is_open)
        return true;
    filter->refused++;
    return false;
}

static bool is_of(const struct webrtc_place *place, struct session_id session)
{
    return place->session_ns > 0 && place->session.index == session.index &&
           place->session.generation == session.generation;
}

void webrtc_filter_keep(struct webrtc_filter *filter, const struct net_address *from, struct session_id session,
                        uint64_t now_ns)
{
    struct net_address address = *from;
    address.bytes[ADDRESS_CHANNEL] = 0;
    struct webrtc_place *place = find_place(filter, &address, now_ns);
    if (!place)
        return;
    for (uint32_t i = 0; i < WEBRTC_FILTER_PLACES && !is_of(place, session); i++)
        if (is_of(&filter->places[i], session))
            filter->places[i].session_ns = 0; // it has moved: with one session nobody keeps many places
    place->session = session;
    place->session_ns = now_ns;
}
