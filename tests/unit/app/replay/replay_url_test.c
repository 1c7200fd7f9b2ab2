// SPDX-License-Identifier: MIT
//
// A replay from a web server on loopback, which sends what the test wants.
#include <arpa/inet.h>
#include <curl/curl.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "app/replay/replay_viewer.h"
#include "base/clock.h"
#include "base/file.h"
#include "test.h"

#define FILE_BYTES_MAX ((size_t)64 << 20)

static struct replay_viewer viewer;
static struct camera camera;
static struct error error;
static char url[96];
static uint8_t *golden;
static size_t golden_bytes;
static int listener = -1;

static void begin(void)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof address;
    listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    assert_int_equal(bind(listener, (struct sockaddr *)&address, sizeof address), 0);
    assert_int_equal(listen(listener, 8), 0);
    assert_int_equal(getsockname(listener, (struct sockaddr *)&address, &size), 0);
    snprintf(url, sizeof url, "http://127.0.0.1:%u/replays/a%%20match.dfr", ntohs(address.sin_port));
    golden = file_load(SOURCE_ROOT "/tests/golden/duel.dfr", FILE_BYTES_MAX, &golden_bytes);
    assert_non_null(golden);
}

static void finish(void)
{
    replay_viewer_close(&viewer);
    free(golden);
    assert_int_equal(close(listener), 0);
}

EACH_TEST(begin, finish);
static void begin_curl(void)
{
    curl_global_init(CURL_GLOBAL_DEFAULT);
}

ALL_TESTS(begin_curl, NULL);

static void wait_a_moment(void)
{
    replay_viewer_advance(&viewer, 1000, 0, &camera);
    clock_sleep(1000000);
}

// Takes the request, and sends a head and some of `byte_count` bytes, of which there are `sent`.
static void answer(const char *status, const uint8_t *bytes, size_t byte_count, size_t sent)
{
    char request[1024], head[128];
    assert_true(replay_viewer_open_url(&viewer, url, &error));
    assert_true(replay_viewer_is_open(&viewer));
    assert_false(replay_viewer_is_live(&viewer));
    assert_string_equal(replay_viewer_state_text(&viewer), "The replay is loading.");
    wait_a_moment();
    int connection = accept(listener, NULL, NULL);
    assert_true(connection >= 0);
    for (int i = 0; i < 5000 && recv(connection, request, sizeof request, MSG_DONTWAIT) <= 0; i++)
        wait_a_moment();
    int count = snprintf(head, sizeof head, "HTTP/1.1 %s\r\nContent-Length: %zu\r\nConnection: close\r\n\r\n", status,
                         byte_count);
    assert_int_equal(send(connection, head, (size_t)count, MSG_NOSIGNAL), count);
    for (size_t at = 0; at < sent && !viewer.error.text[0];) {
        ssize_t now = send(connection, bytes + at, sent - at, MSG_NOSIGNAL | MSG_DONTWAIT);
        at += now > 0 ? (size_t)now : 0;
        if (now < 0)
            wait_a_moment();
    }
    close(connection);
    for (int i = 0; i < 10000 && !viewer.has_picture && !viewer.error.text[0]; i++)
        wait_a_moment();
}

static void refused_with(const char *words)
{
    assert_false(viewer.has_picture);
    assert_null(viewer.bytes);
    assert_true(replay_viewer_is_open(&viewer)); // to show why
    if (!strstr(replay_viewer_state_text(&viewer), words))
        fail_msg("it says: %s", replay_viewer_state_text(&viewer));
}

TEST(what_a_web_server_sends_is_shown)
{
    answer("200 OK", golden, golden_bytes, golden_bytes);
    assert_true(viewer.has_picture);
    assert_true(viewer.last > viewer.first);
    assert_string_equal(viewer.name, "a%20match.dfr");
    assert_int_equal(viewer.byte_count, golden_bytes);
    tick before = viewer.playback.world.tick;
    replay_viewer_advance(&viewer, 100000, 0, &camera);
    assert_int_equal(viewer.playback.world.tick, before + 6);
    replay_viewer_seek(&viewer, viewer.last);
    assert_int_equal(viewer.fault, REPLAY_OK);
}

TEST(a_wrong_answer_is_explained)
{
    uint8_t text[] = "<html>not here</html>";
    answer("404 Not Found", text, sizeof text, sizeof text);
    refused_with("There is no replay at this address (HTTP 404).");
    answer("200 OK", text, sizeof text, sizeof text);
    refused_with("What is at this address cannot be shown: ");
    answer("200 OK", text, 0, 0);
    refused_with("What is at this address cannot be shown: ");
    answer("200 OK", golden, golden_bytes, golden_bytes / 2); // the connection ends
    refused_with("The replay does not come: ");
    golden[100] ^= 1; // of the map, whose checksum is wrong now
    answer("200 OK", golden, golden_bytes, golden_bytes);
    refused_with("What is at this address cannot be shown: ");
}

TEST(an_answer_without_end_is_given_up)
{
    uint8_t *bytes = calloc(1, FILE_BYTES_MAX + 1);
    assert_non_null(bytes);
    answer("200 OK", bytes, FILE_BYTES_MAX + 1, FILE_BYTES_MAX + 1);
    free(bytes);
    refused_with("more than 64 MB");
}

TEST(what_is_no_url_is_refused)
{
    assert_false(replay_viewer_open_url(&viewer, "ftp://example.org/a.dfr", &error));
    assert_non_null(strstr(error.text, "https://"));
    assert_false(replay_viewer_is_open(&viewer));
    assert_true(replay_viewer_open_url(&viewer, url, &error));
    replay_viewer_close(&viewer); // while it comes
    assert_false(replay_viewer_is_open(&viewer));
}

TEST(a_server_on_the_internet_publishes_nothing_on_loopback)
{
    for (int is_foreign = 0; is_foreign <= 1; is_foreign++) {
        char live[96];
        snprintf(live, sizeof live, "%.*s/", (int)(strstr(url, "/replays") - url), url);
        assert_true(replay_viewer_open_live(&viewer, live, is_foreign, &error));
        for (int i = 0; i < 50 && !viewer.live.error.text[0]; i++)
            wait_a_moment();
        fcntl(listener, F_SETFL, O_NONBLOCK);
        int connection = accept(listener, NULL, NULL);
        assert_int_equal(connection >= 0, !is_foreign);
        if (is_foreign)
            assert_non_null(strstr(viewer.live.error.text, "from the internet into a network of your own"));
        if (connection >= 0)
            close(connection);
        replay_viewer_close(&viewer);
    }
}
