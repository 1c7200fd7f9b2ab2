// SPDX-License-Identifier: MIT
//
// Lists of directories from a web server on loopback that answers each request with what the test has put there.
#include <arpa/inet.h>
#include <curl/curl.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "app/servers/directories.h"
#include "base/clock.h"
#include "test.h"
#include "test_folder.h"

#define KEY_A "abcdefghijklmnopqrstuvwxyz234567"
#define KEY_B "bbcdefghijklmnopqrstuvwxyz234567"

static struct directories directories;
static struct option_list urls;
static char folder[64];
static int listener = -1;
static uint64_t now_us;

static char *list_of(uint8_t seed_byte, const char *server, int64_t made_s, size_t *byte_count)
{
    uint8_t seed[32] = {seed_byte}, key[SIGNED_TEXT_KEY_BYTES], secret[SIGNED_TEXT_SECRET_BYTES];
    struct server_list_entry entry = {.addresses = {"192.0.2.1:27440"}};
    entry.facts = (struct server_facts){.name = "Alpha", .mode = "ffa", .map = "duel", .version = "1", .places = 8};
    strcpy(entry.fingerprint, server);
    signed_text_keys(seed, key, secret);
    char *text = server_list_write(&(struct server_list){.made_s = made_s, .count = 1, .entries = &entry}, key, secret,
                                   byte_count);
    assert_non_null(text);
    return text;
}

// Opens lists and waits until those that were kept are read, before anybody is asked.
static void open_lists(const char *kept_in)
{
    directories_open(&directories, &urls, kept_in);
    for (uint32_t i = 0; i < directories.count; i++)
        directories.sources[i].next_us = UINT64_MAX;
    for (uint32_t i = 0; i < directories.count; i++)
        for (int wait = 0; wait < 600000 && directories.sources[i].has_kept; wait++) { // ten minutes
            directories_step(&directories, now_us, DIRECTORIES_PERIOD_US);
            clock_sleep(1000000);
        }
    for (uint32_t i = 0; i < directories.count; i++)
        directories.sources[i].next_us = 0;
}

static void begin(void)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof address;
    test_folder_make();
    snprintf(folder, sizeof folder, "%s", test_folder_path(""));
    listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    assert_int_equal(bind(listener, (struct sockaddr *)&address, sizeof address), 0);
    assert_int_equal(listen(listener, 8), 0);
    assert_int_equal(getsockname(listener, (struct sockaddr *)&address, &size), 0);
    urls.count = 1;
    snprintf(urls.values[0], sizeof urls.values[0], "http://127.0.0.1:%u", ntohs(address.sin_port));
    now_us = 1000000;
    open_lists(folder);
}

static void finish(void)
{
    directories_close(&directories);
    close(listener);
    test_folder_remove();
}

static void begin_all(void)
{
    assert_true(sodium_init() >= 0);
}

ALL_TESTS(begin_all, NULL);
EACH_TEST(begin, finish);

// Lets the next request come, and answers it.
static void answer(const char *status, const char *body, size_t byte_count)
{
    char request[1024], head[128];
    uint32_t changes = directories.changes;
    now_us += DIRECTORIES_PERIOD_US;
    directories_step(&directories, now_us, DIRECTORIES_PERIOD_US);
    int connection = accept(listener, NULL, NULL);
    assert_true(connection >= 0);
    for (int i = 0; i < 100 && recv(connection, request, sizeof request, MSG_DONTWAIT) <= 0; i++) {
        directories_step(&directories, now_us, DIRECTORIES_PERIOD_US);
        clock_sleep(1000000);
    }
    int count = snprintf(head, sizeof head, "HTTP/1.1 %s\r\nContent-Length: %zu\r\nConnection: close\r\n\r\n", status,
                         byte_count);
    assert_int_equal(send(connection, head, (size_t)count, MSG_NOSIGNAL), count);
    assert_int_equal(send(connection, body, byte_count, MSG_NOSIGNAL), byte_count);
    close(connection);
    for (int i = 0; i < 5000 && directories.changes == changes; i++) {
        directories_step(&directories, now_us, DIRECTORIES_PERIOD_US);
        clock_sleep(1000000);
    }
    assert_int_not_equal(directories.changes, changes);
}

static void answer_list(uint8_t seed, const char *server, int64_t made_s)
{
    size_t byte_count;
    char *text = list_of(seed, server, made_s, &byte_count);
    answer("200 OK", text, byte_count);
    free(text);
}

static void says(int64_t unix_s, const char *expected)
{
    char text[DIRECTORIES_TEXT_BYTES], *colon;
    directories_describe(&directories, unix_s, text);
    for (colon = strstr(text, "127.0.0.1:"); colon; colon = strstr(text, "127.0.0.1:")) // without the port
        memmove(colon + 9, colon + 10 + strspn(colon + 10, "0123456789"),
                strlen(colon + 10 + strspn(colon + 10, "0123456789")) + 1);
    assert_string_equal(text, expected);
}

BARE_TEST(addresses_of_lists_have_these_forms)
{
    static const struct {
        const char *text, *url, *key;
    } table[] = {
        /* 0 */ {"http://a.example", "http://a.example/servers.json", ""},
        /* 1 */ {"https://a.example:81/d/", "https://a.example:81/d/servers.json", ""},
        /* 2 */ {"https://a.example/mirror.json", "https://a.example/mirror.json", ""},
        /* 3 */ {"http://a.example#" KEY_A, "http://a.example/servers.json", KEY_A},
        /* 4 */ {"a.example", NULL, NULL},
        /* 5 */ {"ftp://a.example", NULL, NULL},
        /* 6 */ {"file:///etc/passwd", NULL, NULL},
        /* 7 */ {"http://", NULL, NULL},
        /* 8 */ {"http:///x", NULL, NULL},
        /* 9 */ {"http://a.example#short", NULL, NULL},
        /* 10 */ {"http://a b", NULL, NULL},
        /* 11 */ {"http://a.example?x", NULL, NULL},
        /* 12 */ {"", NULL, NULL},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        char url[DOWNLOAD_URL_BYTES], key[FINGERPRINT_TEXT_BYTES];
        bool good = directories_parse(table[i].text, url, key);
        if (good != (table[i].url != NULL) || (good && (strcmp(url, table[i].url) || strcmp(key, table[i].key))))
            fail_msg("row %zu: %s", i, good ? url : "refused");
    }
}

TEST(a_list_is_kept_and_goes_on_without_its_directory)
{
    says(1000, "Asking 127.0.0.1 for its servers.");
    answer_list(1, KEY_A, 1000);
    assert_int_equal(directories.merged.count, 1);
    says(1004, "The lists have 1 server, as of 4 s ago.");
    open_lists(folder); // the next run
    assert_int_equal(directories.merged.count, 1);
    answer("503 Busy", "no", 2);
    says(1000 + 7200, "127.0.0.1 has no list of servers. Its last list is 2 h old.");
    close(listener);
    now_us += DIRECTORIES_PERIOD_US;
    for (int i = 0; i < 5000 && directories.sources[0].fault != DIRECTORY_SILENT; i++) {
        directories_step(&directories, now_us, DIRECTORIES_PERIOD_US);
        clock_sleep(1000000);
    }
    says(1000 + 3 * 86400, "127.0.0.1 does not answer. Its last list is 3 days old.");
    assert_string_equal(directories.merged.entries[0].fingerprint, KEY_A);
}

TEST(only_what_the_same_key_has_signed_is_used)
{
    static const char LIES[] = "127.0.0.1 sends a list that is not signed by its key; it is not used.";
    answer("200 OK", "{\"servers\":[]}", 14);
    says(1000, LIES);
    answer("200 OK", "", 0);
    says(1000, LIES);
    answer_list(1, KEY_A, 1000);
    answer_list(2, KEY_B, 2000); // another key
    assert_int_equal(directories.merged.count, 1);
    assert_string_equal(directories.merged.entries[0].fingerprint, KEY_A);
    open_lists(folder); // the kept list has the key
    answer_list(2, KEY_B, 2000);
    assert_int_equal(directories.sources[0].fault, DIRECTORY_LIES);
    size_t byte_count;
    char *text = list_of(1, KEY_B, 3000, &byte_count);
    text[byte_count - 20] ^= 1; // one byte is wrong
    answer("200 OK", text, byte_count);
    free(text);
    assert_int_equal(directories.sources[0].fault, DIRECTORY_LIES);
    assert_string_equal(directories.merged.entries[0].fingerprint, KEY_A);
}

TEST(an_older_list_does_not_come_back)
{
    answer_list(1, KEY_A, 2000);
    answer_list(1, KEY_B, 1000);
    assert_int_equal(directories.sources[0].fault, DIRECTORY_FINE);
    assert_string_equal(directories.merged.entries[0].fingerprint, KEY_A);
    answer_list(1, KEY_B, 2001);
    assert_string_equal(directories.merged.entries[0].fingerprint, KEY_B);
}

TEST(a_damaged_file_counts_as_none)
{
    answer_list(1, KEY_A, 1000);
    test_folder_run("for f in *; do printf '{}' > $f; done");
    open_lists(folder);
    assert_int_equal(directories.merged.count, 0);
    answer_list(2, KEY_B, 1000);
    assert_int_equal(directories.merged.count, 1);
}

TEST(a_directory_with_its_key_must_have_it)
{
    strcat(urls.values[0], "#" KEY_A);
    open_lists("");
    answer_list(1, KEY_B, 1000);
    assert_int_equal(directories.sources[0].fault, DIRECTORY_LIES);
    assert_int_equal(directories.merged.count, 0);
}

TEST(several_lists_are_merged_by_key)
{
    urls.count = 3;
    snprintf(urls.values[1], sizeof urls.values[1], "%.400s/other", urls.values[0]);
    snprintf(urls.values[2], sizeof urls.values[2], "no URL");
    open_lists(folder);
    assert_int_equal(directories.count, 2);
    directories.sources[1].next_us = UINT64_MAX;
    answer_list(1, KEY_A, 1000);
    directories.sources[0].next_us = UINT64_MAX;
    directories.sources[1].next_us = 0;
    answer_list(2, KEY_A, 1000);
    assert_int_equal(directories.merged.count, 1);
    directories.sources[1].next_us = 0;
    answer_list(2, KEY_B, 1001);
    assert_int_equal(directories.merged.count, 2);
}

TEST(a_list_of_nobody_counts)
{
    uint8_t seed[32] = {1}, key[SIGNED_TEXT_KEY_BYTES], secret[SIGNED_TEXT_SECRET_BYTES];
    size_t byte_count;
    answer_list(1, KEY_A, 1000);
    signed_text_keys(seed, key, secret);
    char *text = server_list_write(&(struct server_list){.made_s = 1030}, key, secret, &byte_count);
    assert_non_null(text);
    answer("200 OK", text, byte_count);
    free(text);
    assert_int_equal(directories.sources[0].fault, DIRECTORY_FINE);
    assert_int_equal(directories.merged.count, 0);
    says(1034, "The lists have 0 servers, as of 4 s ago.");
}

// While a list is read, nobody waits for it, none is asked for, and it can be closed.
TEST(a_large_list_is_read_beside)
{
    uint8_t seed[32] = {1}, key[SIGNED_TEXT_KEY_BYTES], secret[SIGNED_TEXT_SECRET_BYTES];
    size_t byte_count;
    uint32_t steps = 0;
    struct server_list large = {.made_s = 1000, .count = 4000};
    large.entries = calloc(large.count, sizeof *large.entries);
    assert_non_null(large.entries);
    for (uint32_t i = 0; i < large.count; i++) {
        struct server_list_entry *entry = &large.entries[i];
        entry->facts = (struct server_facts){.name = "A", .mode = "ffa", .map = "duel", .version = "1", .places = 8};
        strcpy(entry->addresses[0], "192.0.2.1:27440");
        strcpy(entry->fingerprint, KEY_A);
        for (uint32_t letter = 0; letter < 4; letter++)
            entry->fingerprint[letter] = (char)('a' + (i >> 4 * letter & 15));
    }
    signed_text_keys(seed, key, secret);
    char *text = server_list_write(&large, key, secret, &byte_count);
    assert_non_null(text);
    assert_true(file_write(directories.sources[0].path, (const uint8_t *)text, byte_count));
    directories_open(&directories, &urls, folder);
    directories.sources[0].next_us = UINT64_MAX;
    for (; directories.sources[0].has_kept && steps < 60000; steps++) {
        directories_step(&directories, now_us, DIRECTORIES_PERIOD_US);
        clock_sleep(1000000);
    }
    assert_in_range(steps, 2, 59999); // the caller went on
    assert_int_equal(directories.merged.count, 4000);
    directories_open(&directories, &urls, folder);
    directories_close(&directories); // while it is read
    assert_int_equal(directories.merged.count, 0);
    free(text);
    server_list_free(&large);
}

// Steps until the request has ended, while the directory sends what it can take.
static void send_until_it_ends(int connection, const char *bytes, size_t byte_count)
{
    const struct download *download = &directories.sources[0].download;
    for (int i = 0; i < 20000 && download->runs; i++) {
        if (send(connection, bytes, byte_count, MSG_NOSIGNAL | MSG_DONTWAIT) <= 0)
            clock_sleep(1000000);
        directories_step(&directories, now_us, DIRECTORIES_PERIOD_US);
        assert_in_range(download->byte_count, 0, SERVER_LIST_BYTES_MAX);
    }
    assert_false(download->runs);
}

TEST(a_list_without_end_is_given_up_at_its_largest_size)
{
    static const char HEAD[] = "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n";
    static char bytes[65536];
    answer_list(1, KEY_A, 1000);
    memset(bytes, ' ', sizeof bytes);
    now_us += DIRECTORIES_PERIOD_US;
    directories_step(&directories, now_us, DIRECTORIES_PERIOD_US);
    int connection = accept(listener, NULL, NULL);
    assert_int_equal(send(connection, HEAD, sizeof HEAD - 1, MSG_NOSIGNAL), sizeof HEAD - 1);
    send_until_it_ends(connection, bytes, sizeof bytes);
    close(connection);
    says(1004, "127.0.0.1 sends a list that is too large; it is not used. Its last list is 4 s old.");
    assert_string_equal(directories.merged.entries[0].fingerprint, KEY_A);
    answer_list(1, KEY_B, 2000); // it may do better
    assert_string_equal(directories.merged.entries[0].fingerprint, KEY_B);
}

// A letter now and then: nothing waits for it, it is asked no second time meanwhile, and at last it is given up.
TEST(a_slow_directory_holds_up_nothing)
{
    answer_list(1, KEY_A, 1000);
    curl_easy_setopt(directories.sources[0].download.easy, CURLOPT_TIMEOUT_MS, 1000L); // in place of seconds
    now_us += DIRECTORIES_PERIOD_US;
    directories_step(&directories, now_us, DIRECTORIES_PERIOD_US);
    int connection = accept4(listener, NULL, NULL, SOCK_CLOEXEC);
    assert_int_equal(fcntl(listener, F_SETFL, O_NONBLOCK), 0);
    for (uint32_t i = 0; i < 10; i++) {
        now_us += DIRECTORIES_PERIOD_US;
        directories_step(&directories, now_us, DIRECTORIES_PERIOD_US);
        assert_int_equal(accept(listener, NULL, NULL), -1);
        assert_string_equal(directories.merged.entries[0].fingerprint, KEY_A);
    }
    send_until_it_ends(connection, "H", 1);
    close(connection);
    assert_int_equal(directories.sources[0].fault, DIRECTORY_SILENT);
    assert_int_equal(directories.merged.count, 1);
}

// Counts the requests of a quarter of an hour.
static uint32_t count_requests(uint64_t period_us, bool searches)
{
    uint32_t changes, count = 0;
    for (uint32_t second = 0; second < 900; second++) {
        if (searches)
            directories_refresh(&directories, now_us);
        now_us += 1000000;
        changes = directories.changes;
        directories_step(&directories, now_us, period_us);
        if (!directories.sources[0].download.runs)
            continue;
        close(accept(listener, NULL, NULL));
        for (int i = 0; i < 5000 && directories.changes == changes; i++) {
            directories_step(&directories, now_us, period_us);
            clock_sleep(100000);
        }
        count++;
    }
    return count;
}

TEST(a_directory_is_asked_no_more_often_than_this)
{
    count_requests(DIRECTORIES_PERIOD_US, false); // the first is at once
    assert_int_equal(count_requests(DIRECTORIES_PERIOD_US, false), 30);
    assert_int_equal(count_requests(DIRECTORIES_PERIOD_US, true), 450);
    count_requests(DIRECTORIES_REST_US, false);
    assert_in_range(count_requests(DIRECTORIES_REST_US, false), 7, 8);
}

TEST(a_search_by_hand_asks_sooner_but_not_at_once)
{
    answer_list(1, KEY_A, 1000);
    directories_refresh(&directories, now_us);
    assert_int_equal(directories.sources[0].next_us, now_us + DIRECTORIES_AGAIN_US);
    directories_refresh(&directories, now_us + 1);
    assert_int_equal(directories.sources[0].next_us, now_us + DIRECTORIES_AGAIN_US);
}
