// SPDX-License-Identifier: MIT
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "discovery/announcement.h"
#include "net/crypto/handshake.h"
#include "protocol_page.h"
#include "test.h"

static uint8_t seed[32], key[SIGNED_TEXT_KEY_BYTES], secret[SIGNED_TEXT_SECRET_BYTES];
static struct announcement announcement;
static struct announcement again;
static struct error error;
static char *text;
static size_t byte_count;

static void begin(void)
{
    for (size_t i = 0; i < sizeof seed; i++)
        seed[i] = (uint8_t)(0x10 + i);
    signed_text_keys(seed, key, secret);
    announcement = (struct announcement){.time_ms = 1764000000000,
                                         .to = "directory.example.org",
                                         .port = 27440,
                                         .facts = {.name = "Forge & S\xC3\xB6hne",
                                                   .mode = "ffa",
                                                   .map = "foundry",
                                                   .version = "0.1.0",
                                                   .region = "eu",
                                                   .protocol = 9,
                                                   .players = 3,
                                                   .bots = 2,
                                                   .places = 16}};
    text = announcement_write(&announcement, key, secret, &byte_count);
    assert_true(text);
}

static void finish(void)
{
    free(text);
}

static void begin_all(void)
{
    assert_true(sodium_init() >= 0);
}

ALL_TESTS(begin_all, NULL);
EACH_TEST(begin, finish);

TEST(what_is_written_is_read)
{
    assert_true(announcement_read(text, byte_count, &again, &error));
    assert_memory_equal(again.key, key, sizeof key);
    assert_int_equal(again.time_ms, announcement.time_ms);
    assert_int_equal(again.port, 27440);
    assert_string_equal(again.to, "directory.example.org");
    assert_false(again.leaves);
    assert_true(announcement_facts_equal(&again.facts, &announcement.facts));
    protocol_page_after(protocol_page_after(protocol_page(), "### Announcement vector"), text);
    // One key for both: an announcement says which key the handshake will have.
    struct handshake_server server;
    char fingerprint[FINGERPRINT_TEXT_BYTES];
    handshake_server_init(&server, seed, 9);
    identity_fingerprint(server.public_key, fingerprint);
    assert_memory_equal(again.server_key, server.public_key, sizeof server.public_key);
    assert_string_equal(again.fingerprint, fingerprint);
}

TEST(every_changed_byte_is_noticed)
{
    for (size_t i = 0; i < byte_count; i++)
        for (unsigned bit = 0; bit < 8; bit++) {
            text[i] = (char)(text[i] ^ (1 << bit));
            assert_false(announcement_read(text, byte_count, &again, &error));
            text[i] = (char)(text[i] ^ (1 << bit));
        }
    for (size_t count = 0; count < byte_count; count++)
        assert_false(announcement_read(text, count, &again, &error));
    assert_true(announcement_read(text, byte_count, &again, &error));
}

// A list, or a text of any other purpose, is no announcement even if the key signs it.
TEST(another_key_and_another_purpose_are_refused)
{
    assert_true(signed_text_verify(text, byte_count, "announcement 1", key));
    assert_false(signed_text_verify(text, byte_count, "servers 1", key));
    assert_false(signed_text_verify(text, byte_count, "announcement", key));
    uint8_t other[32] = {1}, other_key[SIGNED_TEXT_KEY_BYTES], other_secret[SIGNED_TEXT_SECRET_BYTES];
    signed_text_keys(other, other_key, other_secret);
    free(text);
    text = announcement_write(&announcement, key, other_secret, &byte_count);
    assert_false(announcement_read(text, byte_count, &again, &error));
    assert_string_equal(error.text, "the signature is wrong");
}

// Signs any object as an announcement.
static bool read_signed(const char *members)
{
    char key_text[65], object[4000];
    size_t signed_bytes;
    signed_text_write_key(key, key_text);
    snprintf(object, sizeof object, "{\"deadfall\":\"announcement 1\",\"key\":\"%s\",%s}", key_text, members);
    json_t *root = json_loads(object, 0, NULL);
    assert_non_null(root);
    char *own = signed_text_write(root, secret, &signed_bytes);
    bool good = announcement_read(own, signed_bytes, &again, &error);
    free(own);
    json_decref(root);
    return good;
}

#define FACTS                                                                                                          \
    "\"name\":\"A\",\"mode\":\"ffa\",\"map\":\"duel\",\"version\":\"1\",\"region\":\"\",\"protocol\":9,"               \
    "\"players\":0,\"bots\":0,\"places\":2,\"password\":false,\"closing\":false"
#define OWN "\"time_ms\":5,\"to\":\"d\",\"leaves\":false,\"port\":1,"

TEST(signed_members_have_limits)
{
    assert_true(read_signed(OWN FACTS));
    static const char *const wrong[] = {
        "\"time_ms\":-5,\"to\":\"d\",\"leaves\":false,\"port\":1," FACTS,
        "\"time_ms\":\"5\",\"to\":\"d\",\"leaves\":false,\"port\":1," FACTS,
        "\"time_ms\":5,\"to\":\"d\",\"leaves\":false,\"port\":0," FACTS,
        "\"time_ms\":5,\"to\":\"d\",\"leaves\":false,\"port\":65536," FACTS,
        "\"time_ms\":5,\"to\":\"d\",\"leaves\":0,\"port\":1," FACTS,
        "\"time_ms\":5,\"to\":\"a\\nb\",\"leaves\":false,\"port\":1," FACTS,
        "\"time_ms\":5,\"leaves\":false,\"port\":1," FACTS,
        OWN "\"name\":\"A\"",
        OWN "\"name\":\"A\\u001b[2J\",\"mode\":\"ffa\",\"map\":\"duel\",\"version\":\"1\",\"region\":\"\","
            "\"protocol\":9,\"players\":0,\"bots\":0,\"places\":2,\"password\":false,\"closing\":false",
        OWN "\"name\":\"A\",\"mode\":\"f f a\",\"map\":\"duel\",\"version\":\"1\",\"region\":\"\","
            "\"protocol\":9,\"players\":0,\"bots\":0,\"places\":2,\"password\":false,\"closing\":false",
        OWN "\"name\":\"A\",\"mode\":\"ffa\",\"map\":\"duel\",\"version\":\"1\",\"region\":\"\","
            "\"protocol\":9,\"players\":257,\"bots\":0,\"places\":2,\"password\":false,\"closing\":false",
    };
    for (size_t i = 0; i < COUNT_OF(wrong); i++)
        if (read_signed(wrong[i]))
            fail_msg("accepted: %s", wrong[i]);
}

TEST(where_it_can_be_watched_and_the_certificate_are_announced)
{
    size_t with_bytes;
    struct announcement with = announcement;
    memset(with.facts.live_url, 'x', sizeof with.facts.live_url - 1);
    memcpy(with.facts.live_url, "http://", 7);
    with.facts.interest = 55;
    strcpy(with.facts.certificate, "AbCdEfGhIjKlMnOpQrStUvWxYz0123456789-_AbCdE");
    char *with_text = announcement_write(&with, key, secret, &with_bytes);
    assert_true(announcement_read(with_text, with_bytes, &again, &error));
    assert_true(announcement_facts_equal(&again.facts, &with.facts));
    assert_int_equal(again.facts.interest, 55);
    assert_string_equal(again.facts.certificate, with.facts.certificate);
    assert_null(strstr(text, "watch"));
    assert_null(strstr(text, "certificate"));
    free(with_text);
}
