// SPDX-License-Identifier: MIT
//
// What is said to an allocator, and which of its answers are a place.
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "directory/allocator.h"
#include "test.h"

#define KEY "abcdefghijklmnopqrstuvwxyz234567"

TEST(a_request_asks_for_the_fullest_open_arena)
{
    for (uint32_t i = 0; i < 2; i++) {
        char *text = allocator_write_request(&(struct allocation){"games", "arenas", i ? "lms" : "", "p1"});
        json_t *request = json_loads(text, 0, NULL);
        const char *name_space, *states[2], *fleet, *open, *type, *player;
        json_t *labels;
        int room;
        assert_int_equal(
            json_unpack_ex(
                request, NULL, JSON_STRICT,
                "{s:s, s:[{s:o, s:s, s:{s:{s:i}}}, {s:{s:s, s:s *}, s:s, s:{s:{s:i}}}], s:[{s:s, s:s, s:s}], "
                "s:{s:{s:[s]}}}",
                "namespace", &name_space, "gameServerSelectors", "matchLabels", &labels, "gameServerState", &states[0],
                "lists", "players", "minAvailable", &room, "matchLabels", "agones.dev/fleet", &fleet,
                "agones.dev/sdk-open", &open, "gameServerState", &states[1], "lists", "players", "minAvailable", &room,
                "priorities", "type", &type, "key", &type, "order", &type, "lists", "players", "addValues", &player),
            0);
        assert_string_equal(name_space, "games");
        assert_string_equal(fleet, "arenas");
        assert_string_equal(states[0], "ALLOCATED");
        assert_string_equal(states[1], "READY");
        assert_string_equal(player, "p1");
        assert_int_equal(room, 1);
        const char *mode = json_string_value(json_object_get(labels, "agones.dev/sdk-mode"));
        assert_true(i ? mode && strcmp(mode, "lms") == 0 : !mode);
        json_decref(request);
        free(text);
    }
}

TEST(only_a_whole_invitation_is_a_place)
{
    static const struct {
        const char *invitation, *place;
    } rows[] = {
        {"deadfall://192.0.2.7:7463#" KEY, "192.0.2.7:7463#" KEY},
        {"deadfall://[2001:db8::1]:7463#" KEY, "[2001:db8::1]:7463#" KEY},
        {"deadfall://node-1.example.org:1#" KEY, "node-1.example.org:1#" KEY},
        {"192.0.2.7:7463#" KEY, NULL},
        {"deadfall://192.0.2.7#" KEY, NULL},
        {"deadfall://192.0.2.7:0#" KEY, NULL},
        {"deadfall://192.0.2.7:7463", NULL},
        {"deadfall://192.0.2.7:7463#short", NULL},
        {"deadfall://192.0.2.7:7463#" KEY "x", NULL},
        {"deadfall://a\\nb:7463#" KEY, NULL},
        {"deadfall://a b:7463#" KEY, NULL},
        {"deadfall://:7463#" KEY, NULL},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[512], place[ALLOCATION_PLACE_BYTES] = "before";
        int length =
            snprintf(text, sizeof text, "{\"metadata\":{\"annotations\":{\"agones.dev/sdk-invitation\":\"%s\"}}}",
                     rows[i].invitation);
        assert_true(allocator_read_place(text, (size_t)length, place) == (rows[i].place != NULL));
        assert_string_equal(place, rows[i].place ? rows[i].place : "before");
        assert_false(allocator_read_place(text, (size_t)length - 1, place));
    }
    char place[ALLOCATION_PLACE_BYTES];
    assert_false(allocator_read_place("{\"metadata\":{\"annotations\":[7]}}", 32, place));
    assert_false(allocator_read_place("", 0, place));
}

// By status as its HTTP gateway has it, or, where it is set to another, by the sentence of pkg/allocation/converters.
TEST(an_allocator_without_a_place_has_not_failed)
{
    static const struct {
        long status;
        const char *answer;
        bool is_none;
    } rows[] = {
        {429, "{\"code\":8,\"message\":\"there is no available GameServer to allocate\",\"details\":[]}", true},
        {409, "{\"code\":10,\"message\":\"too many concurrent requests have overwhelmed the system\"}", true},
        {503, "{\"code\":14,\"message\":\"there is no available GameServer to allocate\",\"details\":[]}", true},
        {404, "{\"code\":5,\"message\":\"there is no available GameServer to allocate\"}", true},
        {429, "", true},
        {503, "{\"code\":14,\"message\":\"upstream connect error\"}", false},
        {503, "there is no available GameServer to allocate", false},
        {404, "{\"message\":7}", false},
        {404, "[]", false},
        {500, "", false},
        {403, "{\"code\":7,\"message\":\"forbidden\"}", false},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (allocator_says_none(rows[i].status, rows[i].answer, strlen(rows[i].answer)) != rows[i].is_none)
            fail_msg("row %zu", i);
}

TEST(words_are_those_of_labels)
{
    char longest[ALLOCATION_WORD_BYTES + 1];
    memset(longest, 'a', sizeof longest);
    longest[sizeof longest - 1] = 0;
    assert_false(allocator_word_is_valid(longest));
    longest[sizeof longest - 2] = 0;
    assert_true(allocator_word_is_valid(longest));
    assert_true(allocator_word_is_valid("") && allocator_word_is_valid("a-b_c.9"));
    assert_false(allocator_word_is_valid("a b") || allocator_word_is_valid("\"") || allocator_word_is_valid("ü"));
}

TEST(settings_are_checked)
{
    static const struct {
        const char *url, *fleet;
        bool good;
    } rows[] = {
        {"http://10.0.0.1:8000", "deadfall", true},
        {"https://allocator.example.org/", "games/arenas", true},
        {"ftp://host", "deadfall", false},
        {"allocator.example.org", "deadfall", false},
        {"https://user@host", "deadfall", false},
        {"https://host?x", "deadfall", false},
        {"https://host", "", false},
        {"https://host", "/arenas", false},
        {"https://host", "games/", false},
        {"https://host", "a/b/c", false},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct allocator_settings settings = {rows[i].url, "", rows[i].fleet, NULL};
        struct error error;
        assert_true(allocator_settings_validate(&settings, &error) == rows[i].good);
    }
}
