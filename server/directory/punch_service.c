// SPDX-License-Identifier: MIT
#include "punch_service.h"

#include <sodium.h>
#include <string.h>

#include "base/clock.h"
#include "base/little_endian.h"
#include "listing.h"

#define ROUND_DATAGRAMS 512

// A household may have 16 servers, which register every 15 s.
static const struct rate_limit_rates REGISTERS = {
    .household = {.per_s = 4, .burst = 64},
    .quiet = {.per_s = 1, .burst = 16},
    .all_quiet = {.per_s = 2000, .burst = 2000},
    .all_busy = {.per_s = 500, .burst = 500},
};
// A client asks three times; four at one address are still quiet.
static const struct rate_limit_rates ASKS = {
    .household = {.per_s = 4, .burst = 32},
    .quiet = {.per_s = 2, .burst = 16},
    .all_quiet = {.per_s = 1000, .burst = 1000},
    .all_busy = {.per_s = 300, .burst = 300},
};

void punch_service_init(struct punch_service *service, const uint8_t secret[SIGNED_TEXT_SECRET_BYTES],
                        uint16_t second_port)
{
    uint8_t key[RATE_LIMIT_KEY_BYTES];
    *service = (struct punch_service){.second_port = second_port};
    crypto_sign_ed25519_sk_to_curve25519(service->secret, secret);
    randombytes_buf(service->cookie_key, sizeof service->cookie_key);
    randombytes_buf(key, sizeof key);
    rate_limit_table_init(&service->registers, key, &REGISTERS);
    randombytes_buf(key, sizeof key);
    rate_limit_table_init(&service->asks, key, &ASKS);
}

// A packet for the directory, and who it is about.
struct request {
    const struct datagram *datagram;
    struct punch_packet packet;
    struct directory_entry *entry; // null: nobody
    struct directory_mapping *mapping;
};

static void answer(const struct punch_service *service, const struct request *request, enum punch_packet_status status,
                   struct punch_service_output *output)
{
    const struct datagram *datagram = request->datagram;
    struct punch_packet packet = {.kind = PUNCH_PACKET_ANSWER, .status = (uint8_t)status};
    bool introduces = status == PUNCH_PACKET_INTRODUCED;
    memcpy(packet.nonce, request->packet.nonce, sizeof packet.nonce);
    little_endian_write(packet.cookie, net_address_cookie(service->cookie_key, &datagram->from, datagram->now_ns), 8);
    little_endian_write(packet.port, service->second_port, sizeof packet.port);
    packet.varies = introduces && request->mapping->varies;
    net_address_write_place(introduces ? &request->mapping->address : &datagram->from, packet.place);
    output->to = datagram->from;
    output->byte_count = punch_packet_write(&packet, output->bytes);
}

// A client, and the server that is to expect it.
struct introduction {
    const struct directory_entry *entry;
    const struct directory_mapping *mapping;
    const struct net_address *client;
    const uint8_t *nonce; // of the client
};

// Lets the server expect who asks. Its number grows even when the directory starts again.
static bool expect(struct punch_service *service, const struct introduction *introduction, uint64_t unix_ms,
                   struct punch_service_output *output)
{
    uint8_t key[PUNCH_PACKET_KEY_BYTES];
    struct punch_packet packet = {.kind = PUNCH_PACKET_EXPECT};
    if (!punch_packet_key(service->secret, introduction->entry->last.server_key, key))
        return false;
    service->number = unix_ms << 16 > service->number ? unix_ms << 16 : service->number + 1;
    little_endian_write(packet.number, service->number, sizeof packet.number);
    memcpy(packet.nonce, introduction->nonce, sizeof packet.nonce);
    net_address_write_place(introduction->client, packet.place);
    output->to = introduction->mapping->address;
    output->byte_count = punch_packet_write(&packet, output->bytes);
    punch_packet_authenticate(output->bytes, output->byte_count, key, introduction->mapping->nonce);
    sodium_memzero(key, sizeof key);
    return true;
}

static uint32_t take_register(const struct punch_service *service, struct directory *directory,
                              const struct request *request, struct punch_service_output *output)
{
    const struct datagram *datagram = request->datagram;
    struct directory_mapping mapping = {
        .address = datagram->from, .registered_ns = datagram->now_ns, .varies = request->packet.varies != 0};
    memcpy(mapping.nonce, request->packet.nonce, sizeof mapping.nonce);
    uint8_t key[PUNCH_PACKET_KEY_BYTES];
    bool is_forged = request->entry &&
                     !(punch_packet_key(service->secret, request->entry->last.server_key, key) &&
                       punch_packet_is_authentic(datagram->bytes, datagram->byte_count, key, request->packet.nonce));
    sodium_memzero(key, sizeof key);
    directory->introductions.forged += is_forged;
    if (is_forged)
        return 0;
    bool good = request->entry && listing_map(directory, request->entry, &mapping);
    directory->introductions.registered += good;
    directory->introductions.unknown += !good;
    answer(service, request, good ? PUNCH_PACKET_REGISTERED : PUNCH_PACKET_UNKNOWN, output);
    return 1;
}

static uint32_t take_ask(struct punch_service *service, struct directory *directory, const struct request *request,
                         uint64_t unix_ms, struct punch_service_output *outputs)
{
    const struct datagram *datagram = request->datagram;
    bool is_known = request->mapping && request->mapping->address.byte_count > 0;
    bool is_elsewhere = is_known && request->mapping->is_elsewhere, good = false;
    if (is_known && !is_elsewhere) {
        struct introduction introduction = {request->entry, request->mapping, &datagram->from, request->packet.nonce};
        good = expect(service, &introduction, unix_ms, &outputs[1]);
    } else if (is_elsewhere && directory->sharing.is_up) {
        // The directory with which the server has registered introduces the client.
        struct change *change = directory_share(directory, request->entry, directory_family(&datagram->from),
                                                CHANGE_ASKED, datagram->now_ns);
        good = change != NULL;
        if (change) {
            change->address = datagram->from;
            memcpy(change->nonce, request->packet.nonce, sizeof change->nonce);
        }
    }
    directory->introductions.introduced += good;
    directory->introductions.unknown += !good;
    answer(service, request, good ? PUNCH_PACKET_INTRODUCED : PUNCH_PACKET_UNKNOWN, &outputs[0]);
    return good && !is_elsewhere ? 2 : 1;
}

static bool read_request(const struct datagram *datagram, struct request *request)
{
    *request = (struct request){.datagram = datagram};
    return punch_packet_read(&request->packet, datagram->bytes, datagram->byte_count) &&
           (request->packet.kind == PUNCH_PACKET_REGISTER || request->packet.kind == PUNCH_PACKET_ASK);
}

uint32_t punch_service_take(struct punch_service *service, struct directory *directory, const struct datagram *datagram,
                            uint64_t unix_ms, struct punch_service_output outputs[PUNCH_SERVICE_OUTPUTS])
{
    struct request request;
    char fingerprint[FINGERPRINT_TEXT_BYTES] = "";
    if (!read_request(datagram, &request)) {
        directory->introductions.malformed++;
        return 0;
    }
    bool registers = request.packet.kind == PUNCH_PACKET_REGISTER;
    uint64_t cookie = little_endian_read(request.packet.cookie, sizeof request.packet.cookie);
    if (!net_address_cookie_is_met(service->cookie_key, &datagram->from, datagram->now_ns, cookie)) {
        answer(service, &request, PUNCH_PACKET_CHALLENGE, &outputs[0]);
        return 1;
    }
    // Only now: the sender of a request without a cookie may be forged, so it must cost nobody a token.
    uint64_t household = household_of(&datagram->from);
    if (!household_is_exempt(&directory->households, household) &&
        !rate_limit_table_take(registers ? &service->registers : &service->asks, household, datagram->now_ns)) {
        directory->introductions.too_many++;
        return 0;
    }
    memcpy(fingerprint, request.packet.fingerprint, sizeof request.packet.fingerprint);
    request.entry = identity_fingerprint_is_valid(fingerprint) ? directory_find(directory, fingerprint) : NULL;
    request.mapping = request.entry ? &request.entry->addresses[directory_family(&datagram->from)].mapping : NULL;
    return registers ? take_register(service, directory, &request, &outputs[0])
                     : take_ask(service, directory, &request, unix_ms, outputs);
}

uint32_t punch_service_relay(struct punch_service *service, struct directory *directory, uint64_t unix_ms,
                             struct punch_service_output *output)
{
    while (directory->relay_count > 0) {
        const struct directory_relay *relay = &directory->relays[--directory->relay_count];
        const struct directory_entry *entry = directory_find(directory, relay->fingerprint);
        uint32_t family = directory_family(&relay->client);
        if (!entry || !directory_is_mapped(entry, family))
            continue;
        struct introduction introduction = {entry, &entry->addresses[family].mapping, &relay->client, relay->nonce};
        if (!expect(service, &introduction, unix_ms, output))
            continue;
        directory->introductions.relayed++;
        return 1;
    }
    return 0;
}

uint32_t punch_service_see(const struct punch_service *service, const struct datagram *datagram,
                           struct punch_service_output *output)
{
    struct request request;
    if (!read_request(datagram, &request))
        return 0;
    answer(service, &request, PUNCH_PACKET_SEEN, output);
    return 1;
}

uint16_t punch_service_open(struct punch_ports *ports, uint16_t port, const uint8_t secret[SIGNED_TEXT_SECRET_BYTES],
                            struct error *error)
{
    uint16_t first = port, second = 0;
    if (!udp_socket_listen(&ports->first, NULL, &first, error)) {
        first = 0;
        if (!udp_socket_listen(&ports->first, NULL, &first, error))
            return 0;
    }
    if (!udp_socket_listen(&ports->second, NULL, &second, error))
        return 0;
    punch_service_init(&ports->service, secret, second);
    return first;
}

void punch_service_serve(struct punch_ports *ports, struct directory *directory, pthread_mutex_t *lock)
{
    uint8_t bytes[DATAGRAM_BYTES_MAX];
    struct punch_service_output outputs[PUNCH_SERVICE_OUTPUTS];
    struct datagram datagram = {.now_ns = clock_now_ns(), .bytes = bytes};
    for (uint32_t i = 0; i < ROUND_DATAGRAMS; i++) {
        datagram.byte_count = udp_socket_receive(&ports->first, datagram.now_ns, &datagram.from, bytes);
        if (datagram.byte_count == 0)
            break;
        pthread_mutex_lock(lock);
        uint32_t count =
            punch_service_take(&ports->service, directory, &datagram, clock_unix_ns() / CLOCK_MS_NS, outputs);
        pthread_mutex_unlock(lock);
        for (uint32_t k = 0; k < count; k++)
            udp_socket_send(&ports->first, datagram.now_ns, &outputs[k].to, outputs[k].bytes, outputs[k].byte_count);
    }
    uint64_t unix_ms = clock_unix_ns() / CLOCK_MS_NS;
    pthread_mutex_lock(lock);
    while (punch_service_relay(&ports->service, directory, unix_ms, outputs) > 0)
        udp_socket_send(&ports->first, clock_now_ns(), &outputs->to, outputs->bytes, outputs->byte_count);
    pthread_mutex_unlock(lock);
    datagram.now_ns = clock_now_ns();
    for (uint32_t i = 0; i < ROUND_DATAGRAMS; i++) {
        datagram.byte_count = udp_socket_receive(&ports->second, datagram.now_ns, &datagram.from, bytes);
        if (datagram.byte_count == 0)
            break;
        if (punch_service_see(&ports->service, &datagram, outputs) > 0)
            udp_socket_send(&ports->second, datagram.now_ns, &outputs->to, outputs->bytes, outputs->byte_count);
    }
}

void punch_service_close(struct punch_ports *ports)
{
    udp_socket_close(&ports->first);
    udp_socket_close(&ports->second);
    sodium_memzero(ports->service.secret, sizeof ports->service.secret);
}
