// SPDX-License-Identifier: MIT
//
// Fuzzes the three sides of introductions with any bytes: a directory, a server and a client. The first byte says from
// where they come; bit 7 puts a right cookie and tag into them, which a fuzzer could not find. Nothing is longer than
// what it answers, and only a client moves to another address.
#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "base/little_endian.h"
#include "directory/punch_service.h"
#include "net/punch.h"
#include "require.h"

#define NOW 1000000000000u

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const struct net_address FIRST = {{203, 0, 113, 1, 1, 1}, 6}, STRANGER = {{192, 0, 2, 2, 3, 3}, 6};
static const char FINGERPRINT[] = "abcdefghijklmnopqrstuvwxyz234567";

static struct directory *directory;
static struct punch_service service;

static void prepare(void)
{
    static const uint8_t seed[32] = {1};
    uint8_t key[SIGNED_TEXT_KEY_BYTES], secret[SIGNED_TEXT_SECRET_BYTES];
    directory = calloc(1, sizeof *directory);
    require(directory != NULL && sodium_init() >= 0);
    directory_init(directory, NULL, &(struct household_rules){.players_max = 16});
    signed_text_keys(seed, key, secret);
    punch_service_init(&service, secret, 258);
}

static void give_to_directory(const struct datagram *datagram)
{
    struct punch_service_output outputs[PUNCH_SERVICE_OUTPUTS];
    uint32_t count = punch_service_take(&service, directory, datagram, 1, outputs);
    require(count <= 1); // nobody has announced a server
    require(count == 0 || outputs[0].byte_count < datagram->byte_count);
    count = punch_service_see(&service, datagram, outputs);
    require(count == 0 || outputs[0].byte_count < datagram->byte_count);
}

static void give_to_server(const struct datagram *datagram)
{
    static struct punch_host host;
    uint8_t bytes[PUNCH_PACKET_BYTES_MAX];
    struct net_address to;
    struct punch_host_directory at = {.address = FIRST};
    uint32_t count = 0;
    punch_host_init(&host, FINGERPRINT);
    memset(host.nonce, 0, sizeof host.nonce);
    punch_host_set(&host, &at, 1, NOW);
    punch_host_take(&host, datagram);
    while (punch_host_due(&host, NOW, &to, bytes) > 0)
        count++;
    require(count <= 3);
}

static void give_to_client(const struct datagram *datagram)
{
    struct punch_client client;
    struct net_address server = STRANGER;
    punch_client_begin(&client, &FIRST, FINGERPRINT, NOW);
    memset(client.nonce, 0, sizeof client.nonce);
    if (punch_client_take(&client, datagram, &server))
        require(server.byte_count == ADDRESS_BYTES_IPV4 || server.byte_count == ADDRESS_BYTES_MAX);
    require(punch_client_failure(&client)[0] != 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const uint8_t key[PUNCH_PACKET_KEY_BYTES] = {0}, nonce[8] = {0};
    uint8_t bytes[DATAGRAM_BYTES_MAX];
    struct punch_packet packet;
    if (!directory)
        prepare();
    if (size == 0 || size > sizeof bytes)
        return 0;
    struct datagram datagram = {data[0] & 1 ? FIRST : STRANGER, NOW, bytes, size - 1};
    memcpy(bytes, data + 1, size - 1);
    if (data[0] & 128 && punch_packet_read(&packet, bytes, size - 1)) {
        little_endian_write(packet.cookie, net_address_cookie(service.cookie_key, &datagram.from, NOW), 8);
        require(punch_packet_write(&packet, bytes) == size - 1);
        if (packet.kind == PUNCH_PACKET_EXPECT || packet.kind == PUNCH_PACKET_REGISTER)
            punch_packet_authenticate(bytes, size - 1, key, nonce);
    }
    give_to_directory(&datagram);
    give_to_server(&datagram);
    give_to_client(&datagram);
    return 0;
}
