// SPDX-License-Identifier: MIT
//
// Fuzzes what Redis answers to a directory, by the first byte of the input: any bytes; or a change that another
// directory has written, perhaps with a damaged byte. A change that is whole is read as it was written, one that is not
// is refused, and nothing makes the directory larger than its changes.
#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "directory/notes.h"
#include "directory/store/redis_connection.h"
#include "directory/store/store_change.h"
#include "require.h"
#include "signed_text.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
uint64_t __wrap_clock_now_ns(void);

enum { IS_CHANGE = 1, IS_DAMAGED = 2, IS_SIGNED = 4, VARIES = 8, IPV6 = 16, HEAD_BYTES = 8, BYTES_MAX = 8192 };

#define PASSES_NS (20 * 60 * CLOCK_SECOND_NS)
#define REDIS_MS  UINT64_C(1764000000000)

static struct store_reader reader;
static struct store_change_codec writer;
static uint64_t now_ns = PASSES_NS;

uint64_t __wrap_clock_now_ns(void)
{
    return now_ns;
}

static void begin(void)
{
    static const uint8_t secret[SIGNED_TEXT_SECRET_BYTES] = {1};
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    require(sodium_init() >= 0);
    reader.directory = calloc(1, sizeof *reader.directory);
    require(reader.directory != NULL);
    directory_init(reader.directory, NULL, &(struct household_rules){.players_max = 4});
    reader.directory->changes = calloc(1, sizeof *reader.directory->changes);
    reader.directory->notes = notes_open(&reader.directory->households);
    require(reader.directory->changes != NULL && reader.directory->notes != NULL);
    reader.lock = &lock;
    store_change_init(&reader.codec, secret);
    store_change_init(&writer, secret);
}

static redisReply *parse(const uint8_t *bytes, size_t byte_count)
{
    void *reply = NULL;
    redisReader *redis = redis_connection_reader();
    redisReaderFeed(redis, (const char *)bytes, byte_count);
    redisReaderGetReply(redis, &reply);
    redisReaderFree(redis);
    return reply;
}

static void take(const uint8_t *bytes, size_t byte_count)
{
    redisReply *reply = parse(bytes, byte_count);
    if (reply) {
        store_reader_take_changes(&reader, bytes[0] & 1, reply);
        store_reader_take_time(&reader, reply);
    }
    freeReplyObject(reply);
    for (size_t i = 0; i < STORE_STREAMS; i++)
        require(memchr(reader.cursors[i], 0, sizeof reader.cursors[i]) != NULL);
}

// HEAD, TEXT
static void fill(struct change *change, const uint8_t *data, size_t size)
{
    static const uint8_t seed[32] = {0};
    uint8_t secret[SIGNED_TEXT_SECRET_BYTES];
    bool is_ipv6 = data[0] & IPV6;
    *change = (struct change){.kind = data[1] % CHANGE_KINDS,
                              .address = {.byte_count = is_ipv6 ? ADDRESS_BYTES_MAX : ADDRESS_BYTES_IPV4},
                              .proven_ns = now_ns - data[2] % 100 * CLOCK_SECOND_NS,
                              .varies = data[0] & VARIES};
    memcpy(change->nonce, data, sizeof change->nonce);
    change->address.bytes[0] = is_ipv6 ? 0x20 : 192;
    change->address.bytes[3] = data[3];
    change->address.bytes[is_ipv6 ? 17 : 5] = (uint8_t)(data[4] | 1);
    signed_text_keys(seed, change->key, secret);
    size -= HEAD_BYTES;
    char *text = data[0] & IS_SIGNED ? sign_bytes(data + HEAD_BYTES, size) : NULL;
    const void *given = text ? (const void *)text : data + HEAD_BYTES;
    change->byte_count = size + (text ? SIGNED_TEXT_HEAD_BYTES : 0);
    if (change->byte_count > sizeof change->text)
        change->byte_count = sizeof change->text;
    memcpy(change->text, given, change->byte_count);
    free(text);
}

// The answer to XREAD with one entry. Returns its bytes.
static size_t answer(const struct store_change_text *text, uint8_t bytes[BYTES_MAX])
{
    int count = snprintf((char *)bytes, BYTES_MAX, "*1\r\n*2\r\n$1\r\ns\r\n*1\r\n*2\r\n$15\r\n%llu-0\r\n*%d\r\n",
                         (unsigned long long)REDIS_MS, 2 * STORE_CHANGE_FIELDS);
    size_t end = (size_t)count;
    for (size_t i = 0; i < 2 * STORE_CHANGE_FIELDS; i++) {
        end += (size_t)snprintf((char *)bytes + end, BYTES_MAX - end, "$%zu\r\n", text->sizes[i]);
        memcpy(bytes + end, text->words[i], text->sizes[i]);
        end += text->sizes[i];
        memcpy(bytes + end, "\r\n", 2);
        end += 2;
    }
    return end;
}

static void take_change(const uint8_t *data, size_t size)
{
    static struct change change;
    struct store_change_text text;
    uint8_t bytes[BYTES_MAX];
    struct directory_sharing *sharing = &reader.directory->sharing;
    fill(&change, data, size);
    store_change_write(&writer, &change, REDIS_MS, now_ns, &text);
    size_t byte_count = answer(&text, bytes);
    uint64_t received = sharing->received, refused = sharing->refused;
    reader.redis_ms = REDIS_MS + data[5] % 64 * 1000u;
    if (data[0] & IS_DAMAGED)
        bytes[(size_t)(data[6] | data[7] << 8) % byte_count] ^= (uint8_t)(1 + data[5] % 255);
    take(bytes, byte_count);
    if (data[0] & IS_DAMAGED)
        return;
    require(sharing->received + sharing->refused == received + refused + 1);
    require(reader.change.kind == change.kind && net_address_equals(&reader.change.address, &change.address) &&
            reader.change.byte_count == change.byte_count && reader.change.varies == change.varies &&
            memcmp(reader.change.text, change.text, change.byte_count) == 0 &&
            memcmp(reader.change.nonce, change.nonce, sizeof change.nonce) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (!reader.directory)
        begin();
    now_ns += PASSES_NS;
    if (reader.directory->used > 0) // else nothing is to be forgotten, and a sweep takes longer than the rest
        directory_sweep(reader.directory, now_ns);
    reader.directory->relay_count = 0;
    reader.directory->changes->first = reader.directory->changes->end;
    require(reader.directory->used == 0);
    if (size > HEAD_BYTES && data[0] & IS_CHANGE)
        take_change(data, size);
    else if (size > 1)
        take(data + 1, size - 1);
    require(reader.directory->used <= 1 + size / 64);
    return 0;
}
