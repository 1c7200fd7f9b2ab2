// SPDX-License-Identifier: MIT
//
// Changes of directories on their way through Redis: what one has written, others with its key read, and nobody can
// change, repeat later, or make up.
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "directory/store/redis_connection.h"
#include "directory/store/store_change.h"
#include "test.h"

#define REDIS_MS UINT64_C(1764000000000)
#define NOW_NS   (1000 * CLOCK_SECOND_NS)

static struct store_change_codec writer, other, stranger;
static struct change change;
static struct store_change_text text;

static void begin(void)
{
    static const uint8_t secrets[2][SIGNED_TEXT_SECRET_BYTES] = {{1}, {2}};
    store_change_init(&writer, secrets[0]);
    store_change_init(&other, secrets[0]);
    store_change_init(&stranger, secrets[1]);
    change = (struct change){.kind = CHANGE_MAPPED,
                             .address = {{192, 0, 2, 7, 1, 1}, ADDRESS_BYTES_IPV4},
                             .proven_ns = NOW_NS - 3 * CLOCK_SECOND_NS,
                             .nonce = {1, 2, 3},
                             .varies = true,
                             .byte_count = 5,
                             .text = "{\0\r\n}"};
    store_change_write(&writer, &change, REDIS_MS, NOW_NS, &text);
}

static void begin_all(void)
{
    assert_true(sodium_init() >= 0);
}

ALL_TESTS(begin_all, NULL);
EACH_TEST(begin, NULL);

// What a client of Redis makes of these bytes.
static redisReply *parse(const char *bytes, size_t byte_count)
{
    redisReader *reader = redis_connection_reader();
    void *reply = NULL;
    redisReaderFeed(reader, bytes, byte_count);
    assert_int_equal(redisReaderGetReply(reader, &reply), REDIS_OK);
    assert_non_null(reply);
    redisReaderFree(reader);
    return reply;
}

static redisReply *fields_of(const struct store_change_text *written)
{
    char bytes[4096];
    size_t count = (size_t)snprintf(bytes, sizeof bytes, "*%d\r\n", 2 * STORE_CHANGE_FIELDS);
    for (size_t i = 0; i < 2 * STORE_CHANGE_FIELDS; i++) {
        count += (size_t)snprintf(bytes + count, sizeof bytes - count, "$%zu\r\n", written->sizes[i]);
        memcpy(bytes + count, written->words[i], written->sizes[i]);
        count += written->sizes[i];
        memcpy(bytes + count, "\r\n", 2);
        count += 2;
    }
    return parse(bytes, count);
}

static bool reads(const struct store_change_codec *codec, uint64_t written_ms, struct change *read)
{
    redisReply *fields = fields_of(&text);
    bool good = store_change_read(codec, fields, written_ms, 2000, NOW_NS, read);
    freeReplyObject(fields);
    return good;
}

TEST(a_change_is_read_as_it_was_written)
{
    static struct change read;
    assert_true(reads(&other, REDIS_MS, &read));
    assert_int_equal(read.kind, CHANGE_MAPPED);
    assert_true(net_address_equals(&read.address, &change.address));
    assert_int_equal(read.at_ns, NOW_NS - 2 * CLOCK_SECOND_NS);
    assert_int_equal(read.proven_ns, NOW_NS - 5 * CLOCK_SECOND_NS);
    assert_memory_equal(read.nonce, change.nonce, sizeof change.nonce);
    assert_true(read.varies);
    assert_int_equal(read.byte_count, 5);
    assert_memory_equal(read.text, change.text, 5);
}

// Players who leave notes or want a place have no port, and servers must have one.
TEST(a_note_is_read_as_it_was_written)
{
    static struct change read;
    change.address.bytes[4] = change.address.bytes[5] = 0;
    store_change_write(&writer, &change, REDIS_MS, NOW_NS, &text);
    assert_false(reads(&other, REDIS_MS, &read));
    change.kind = CHANGE_RESERVED;
    store_change_write(&writer, &change, REDIS_MS, NOW_NS, &text);
    assert_true(reads(&other, REDIS_MS, &read) && net_address_equals(&read.address, &change.address));
    change.kind = CHANGE_NOTED;
    change.byte_count = 280;
    memset(change.text, 0xA5, 280);
    store_change_write(&writer, &change, REDIS_MS, NOW_NS, &text);
    assert_true(reads(&other, REDIS_MS, &read));
    assert_int_equal(read.kind, CHANGE_NOTED);
    assert_true(net_address_equals(&read.address, &change.address));
    assert_int_equal(read.proven_ns, NOW_NS - 5 * CLOCK_SECOND_NS);
    assert_int_equal(read.byte_count, 280);
    assert_memory_equal(read.text, change.text, 280);
}

TEST(nobody_else_can_write_change_or_keep_one)
{
    static struct change read;
    assert_false(reads(&stranger, REDIS_MS, &read));
    assert_true(reads(&other, REDIS_MS + STORE_CHANGE_LATE_MS, &read));
    assert_false(reads(&other, REDIS_MS + STORE_CHANGE_LATE_MS + 1, &read));
    assert_false(reads(&other, REDIS_MS - STORE_CHANGE_LATE_MS - 1, &read));
    for (size_t field = 0; field < STORE_CHANGE_FIELDS; field++) {
        char value[ANNOUNCEMENT_BYTES_MAX];
        const char *whole = text.words[2 * field + 1];
        size_t byte_count = text.sizes[2 * field + 1];
        memcpy(value, whole, byte_count);
        text.words[2 * field + 1] = value;
        value[byte_count - 1] ^= 1;
        assert_false(reads(&other, REDIS_MS, &read));
        value[byte_count - 1] ^= 1;
        text.sizes[2 * field + 1]--;
        assert_false(reads(&other, REDIS_MS, &read));
        text.sizes[2 * field + 1]++;
        assert_true(reads(&other, REDIS_MS, &read));
        text.words[2 * field + 1] = whole;
    }
}

TEST(a_directory_knows_its_own_changes)
{
    redisReply *fields = fields_of(&text);
    assert_true(store_change_is_own(&writer, fields));
    assert_false(store_change_is_own(&other, fields));
    freeReplyObject(fields);
}

// Nobody takes memory for what a liar only announces.
TEST(an_array_that_is_too_large_is_refused)
{
    static const char *const sizes[] = {"*4097\r\n", "*666666661\r\n:1\r\n", "*1\r\n*2147483647\r\n"};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        void *reply = NULL;
        redisReader *reader = redis_connection_reader();
        redisReaderFeed(reader, sizes[i], strlen(sizes[i]));
        assert_int_equal(redisReaderGetReply(reader, &reply), REDIS_ERR);
        assert_null(reply);
        redisReaderFree(reader);
    }
}

TEST(answers_of_another_shape_are_refused)
{
    static const struct {
        const char *bytes;
        bool is_time, is_changes;
    } rows[] = {
        /*  1 */ {"*2\r\n$2\r\n17\r\n$4\r\n5000\r\n", true, false},
        /*  2 */ {"*2\r\n:17\r\n$1\r\n5\r\n", false, false},
        /*  3 */ {"*1\r\n$2\r\n17\r\n", false, false},
        /*  4 */ {"*-1\r\n", false, true},
        /*  5 */ {"*1\r\n*2\r\n$1\r\ns\r\n*0\r\n", false, true},
        /*  6 */ {"*1\r\n*2\r\n$1\r\ns\r\n*1\r\n*2\r\n$3\r\n1-0\r\n*0\r\n", false, true},
        /*  7 */ {"*1\r\n*2\r\n$1\r\ns\r\n*1\r\n*2\r\n$3\r\n1-0\r\n*2\r\n:1\r\n*0\r\n", false, true},
        /*  8 */ {"*1\r\n*2\r\n$1\r\ns\r\n*1\r\n*2\r\n:1\r\n*0\r\n", false, false},
        /*  9 */ {"*1\r\n*2\r\n$1\r\ns\r\n*1\r\n$1\r\na\r\n", false, false},
        /* 10 */ {"*0\r\n", false, false},
        /* 11 */ {"+OK\r\n", false, false},
        /* 12 */
        {"*1\r\n*2\r\n$1\r\ns\r\n*1\r\n*2\r\n"
         "$50\r\n99999999999999999999999999999999999999999999999999\r\n*0\r\n",
         false, false},
    };
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    struct store_reader *reader = calloc(1, sizeof *reader);
    struct household_rules rules = {.players_max = 2};
    reader->directory = calloc(1, sizeof *reader->directory);
    directory_init(reader->directory, NULL, &rules);
    reader->lock = &lock;
    reader->codec = other;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        redisReply *reply = parse(rows[i].bytes, strlen(rows[i].bytes));
        if (store_reader_take_time(reader, reply) != rows[i].is_time ||
            store_reader_take_changes(reader, STORE_SERVERS, reply) != rows[i].is_changes)
            fail_msg("row %zu", i + 1);
        freeReplyObject(reply);
    }
    assert_int_equal(reader->redis_ms, 17005);
    assert_string_equal(reader->cursors[STORE_SERVERS], "1-0");
    assert_int_equal(reader->directory->sharing.refused, 2);
    store_reader_rewind(reader);
    assert_string_equal(reader->cursors[STORE_SERVERS], "0-0");
    assert_string_equal(reader->cursors[STORE_NOTES], "0-0");
    free(reader->directory);
    free(reader);
}
