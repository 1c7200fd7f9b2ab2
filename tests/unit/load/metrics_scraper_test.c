// SPDX-License-Identifier: MIT
//
// Tests the scraper of a server's metrics. The test itself is the web server, on 127.0.0.1 in the same thread, with
// complete, slow, truncated, wrong and huge answers.
#include "unit.h"

#include <arpa/inet.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "load/metrics_scraper.h"

static struct metrics_scraper *scraper;
static struct server_sample sample;
static int listener, peer;

static void begin(void)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t bytes = sizeof address;
    struct error error;
    char place[40];
    listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    assert_true(bind(listener, (struct sockaddr *)&address, sizeof address) == 0 && listen(listener, 4) == 0);
    assert_true(getsockname(listener, (struct sockaddr *)&address, &bytes) == 0);
    snprintf(place, sizeof place, "127.0.0.1:%u", ntohs(address.sin_port));
    scraper = metrics_scraper_open(place, &error);
    assert_non_null(scraper);
    peer = -1;
}

static void finish(void)
{
    metrics_scraper_close(scraper);
    close(listener);
    if (peer >= 0)
        close(peer);
}

EACH_TEST(begin, finish);

// Waits until the request arrives.
static void take_question(void)
{
    char question[300] = "";
    size_t used = 0;
    metrics_scraper_ask(scraper);
    assert_true(metrics_scraper_waits(scraper));
    peer = accept(listener, NULL, NULL);
    assert_true(peer >= 0);
    for (uint32_t i = 0; i < 1000 && !strstr(question, "\r\n\r\n"); i++) {
        struct pollfd file = {.fd = peer, .events = POLLIN};
        metrics_scraper_pulse(scraper, 0);
        if (poll(&file, 1, 10) > 0)
            used += (size_t)recv(peer, question + used, sizeof question - 1 - used, 0);
    }
    assert_memory_equal(question, "GET /metrics HTTP/1.0\r\n", strlen("GET /metrics HTTP/1.0\r\n"));
}

static void say(const char *text)
{
    for (size_t length = strlen(text); length > 0;) {
        ssize_t count = send(peer, text, length, MSG_NOSIGNAL | MSG_DONTWAIT);
        if (count > 0) {
            text += count;
            length -= (size_t)count;
        } else if (metrics_scraper_waits(scraper)) {
            metrics_scraper_pulse(scraper, 0);
        } else {
            return; // it no longer listens
        }
    }
}

static void hang_up(uint64_t now_us)
{
    close(peer);
    peer = -1;
    for (uint32_t i = 0; i < 1000 && metrics_scraper_waits(scraper); i++) {
        metrics_scraper_pulse(scraper, now_us);
        poll(NULL, 0, i > 0);
    }
    assert_false(metrics_scraper_waits(scraper));
}

#define HEAD "HTTP/1.0 200 OK\r\nContent-Type: text/plain\r\n\r\n"

static void answer(uint64_t now_us, const char *text)
{
    take_question();
    say(HEAD);
    say(text);
    hang_up(now_us);
}

static void expect_no_figure(void)
{
    metrics_scraper_total(scraper, &sample);
    assert_true(isnan(sample.cpu_pct) && isnan(sample.resident_mib) && sample.tick_us.count == 0);
    metrics_scraper_take(scraper, &sample);
    assert_true(isnan(sample.cpu_pct) && isnan(sample.resident_mib) && sample.tick_us.count == 0);
}

#define BUCKET "deadfall_tick_duration_seconds_bucket{le=\""

static const char FIRST[] = "# HELP deadfall_tick_duration_seconds How long.\n"
                            "# TYPE deadfall_tick_duration_seconds histogram\n" BUCKET "0.00025\"} 10\n" BUCKET
                            "0.0015\"} 15\n" BUCKET "+Inf\"} 16\n"
                            "deadfall_tick_duration_seconds_sum 0.02\n"
                            "process_cpu_seconds_total 1.5\n"
                            "process_resident_memory_bytes 52428800\n";

// 4 ticks up to 0.25 ms, 20 up to 1.5 ms, 2 beyond.
static const char SECOND[] = BUCKET "0.00025\"} 14\n" BUCKET "0.0015\"} 39\n" BUCKET "+Inf\"} 42\n"
                                    "process_cpu_seconds_total 2.5\n"
                                    "process_resident_memory_bytes 13107200\n";

// Answers twice, and takes the sample.
static void answer_twice(const char *first, const char *second)
{
    answer(1000000, first);
    answer(5000000, second);
    metrics_scraper_take(scraper, &sample);
}

TEST(ticks_cpu_and_memory_are_measured_between_two_answers)
{
    expect_no_figure();
    answer(1000000, FIRST);
    metrics_scraper_take(scraper, &sample); // the first answer: only the memory is known
    assert_true(isnan(sample.cpu_pct));
    assert_close(sample.resident_mib, 50);
    assert_int_equal(sample.tick_us.count, 0);
    answer(5000000, SECOND);
    answer(6000000, "<html>404</html>"); // keeps what is known
    metrics_scraper_take(scraper, &sample);
    assert_close(sample.cpu_pct, 25); // 1 s of 4
    assert_close(sample.resident_mib, 12.5);
    assert_int_equal(sample.tick_us.count, 26);
    assert_int_equal(sample.tick_us.sum, 4 * 250 + 20 * 1500 + 2 * 3000); // each at the upper edge of its bucket
    assert_int_equal(sample.tick_us.max, 3000);                           // beyond the last edge: twice that
    assert_int_equal(histogram_quantile(&sample.tick_us, 150), 251);      // within a 64th
    metrics_scraper_take(scraper, &sample);                               // an answer is counted once
    assert_true(isnan(sample.cpu_pct));
    assert_close(sample.resident_mib, 12.5);
    assert_int_equal(sample.tick_us.count, 0);
}

TEST(the_total_covers_the_first_answer_to_the_last)
{
    answer(1000000, FIRST);
    metrics_scraper_take(scraper, &sample);
    answer(2000000, SECOND);
    metrics_scraper_take(scraper, &sample);
    answer(11000000, BUCKET "0.00025\"} 14\n" BUCKET "0.0015\"} 40\n" BUCKET "+Inf\"} 43\n"
                            "process_cpu_seconds_total 6.5\nprocess_resident_memory_bytes 1048576\n");
    metrics_scraper_total(scraper, &sample);
    assert_close(sample.cpu_pct, 50); // 5 s of 10
    assert_close(sample.resident_mib, 1);
    assert_int_equal(sample.tick_us.count, 27);
    metrics_scraper_take(scraper, &sample);
    assert_int_equal(sample.tick_us.count, 1);
    assert_int_equal(sample.tick_us.max, 1500);
}

TEST(a_restarted_server_counts_from_zero)
{
    answer(1000000, SECOND);
    answer(3000000, FIRST);
    metrics_scraper_take(scraper, &sample);
    assert_close(sample.cpu_pct, 75); // 1.5 s of 2
    assert_int_equal(sample.tick_us.count, 16);
    answer(4000000, BUCKET "0.001\"} 30\nprocess_cpu_seconds_total 2\n"); // another version, with other buckets
    metrics_scraper_take(scraper, &sample);
    assert_close(sample.cpu_pct, 200);
    assert_int_equal(sample.tick_us.count, 30);
    assert_true(isnan(sample.resident_mib));
}

#define STORE "deadfall_storage_up{store=\""

TEST(a_store_that_could_not_be_written_and_a_restart_are_seen)
{
    answer(1000000,
           BUCKET "0.001\"} 3\nprocess_start_time_seconds 1000.25\n" STORE "journal\"} 1\n" STORE "records\"} 1\n");
    metrics_scraper_take(scraper, &sample);
    assert_true(sample.has_answered && !sample.has_restarted && sample.failing == 0);
    answer(2000000, BUCKET "0.001\"} 4\nprocess_start_time_seconds 1000.25\n" STORE "journal\"} 0\n" STORE
                           "records\"} 1\n" STORE "elsewhere\"} 0\n");
    answer(3000000, BUCKET "0.001\"} 5\nprocess_start_time_seconds 1000.25\n");
    metrics_scraper_take(scraper, &sample);
    assert_true(sample.has_answered && !sample.has_restarted);
    assert_int_equal(sample.failing, 1u << METRICS_SCRAPER_JOURNAL); // although it is well again
    answer(4000000, BUCKET "0.001\"} 9\nprocess_start_time_seconds 1003.5\n" STORE "recording\"} 0\n");
    metrics_scraper_take(scraper, &sample);
    assert_true(sample.has_restarted);
    assert_int_equal(sample.failing, 1u << METRICS_SCRAPER_RECORDING);
    assert_int_equal(sample.tick_us.count, 9);
    metrics_scraper_take(scraper, &sample);
    assert_false(sample.has_answered || sample.has_restarted || sample.failing);
    metrics_scraper_total(scraper, &sample);
    assert_true(sample.has_answered && sample.has_restarted);
    assert_int_equal(sample.failing, 1u << METRICS_SCRAPER_JOURNAL | 1u << METRICS_SCRAPER_RECORDING);
    assert_int_equal(sample.tick_us.count, 2 + 9); // of both processes
}

TEST(a_server_may_report_only_ticks)
{
    static const struct {
        const char *first, *second;
        uint64_t count, max_us;
    } rows[] = {
        /* 1 */ {BUCKET "0.001\"} 3\n", BUCKET "0.001\"} 5\n", 2, 1000},
        /* 2 */ {BUCKET "+Inf\"} 3\n", BUCKET "+Inf\"} 5\n", 2, 0}, // without an upper edge
                                                                    /* 3 */
        {BUCKET "0.001\"} 0\n" BUCKET "0.002\"} 0\n" BUCKET "0.003\"} 0\n",
         BUCKET "0.001\"} 9\n" BUCKET "0.002\"} 4\n" BUCKET "0.003\"} 6\n", 9 + 2, 3000}, // a count that falls is 0
        /* 4 */ {BUCKET "0.001\"} 3\n" BUCKET "0.002\"", BUCKET "0.001\"} 7\n" BUCKET "0.0", 4, 1000}, // cut lines
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        answer_twice(rows[i].first, rows[i].second);
        assert_true(isnan(sample.cpu_pct) && isnan(sample.resident_mib));
        if (sample.tick_us.count != rows[i].count || sample.tick_us.max != rows[i].max_us)
            fail_msg("row %zu: %llu ticks", i + 1, (unsigned long long)sample.tick_us.count);
        finish();
        begin();
    }
}

TEST(a_slow_answer_counts_when_it_is_complete)
{
    answer(1000000, FIRST);
    take_question();
    say(HEAD);
    for (const char *at = SECOND; *at; at++) {
        char byte[2] = {*at};
        say(byte);
        metrics_scraper_ask(scraper); // one request at a time
        metrics_scraper_pulse(scraper, 2000000);
    }
    assert_true(metrics_scraper_waits(scraper));
    metrics_scraper_take(scraper, &sample);
    assert_int_equal(sample.tick_us.count, 0);
    hang_up(3000000);
    metrics_scraper_take(scraper, &sample);
    assert_close(sample.cpu_pct, 50); // the answer is dated when it was complete
    assert_int_equal(sample.tick_us.count, 26);
}

TEST(a_truncated_answer_is_ignored)
{
    struct linger at_once = {.l_onoff = 1, .l_linger = 0};
    take_question();
    say(HEAD);
    say(FIRST);
    setsockopt(peer, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once); // resets the connection
    hang_up(1000000);
    expect_no_figure();
    answer(2000000, FIRST); // the next one counts
    metrics_scraper_take(scraper, &sample);
    assert_close(sample.resident_mib, 50);
}

TEST(an_answer_without_ticks_or_a_head_or_of_huge_size_is_ignored)
{
    static const char *const rows[] = {"",
                                       "\n\n\n",
                                       "<html>404</html>",
                                       "process_cpu_seconds_total 9\n",
                                       " " BUCKET "0.001\"} 3\n",
                                       BUCKET "0.001\"}3\n",
                                       "deadfall_tick_duration_seconds_count 3\n"};
    static char huge[70000];
    memset(huge, ' ', sizeof huge - 1);
    memcpy(huge, FIRST, sizeof FIRST - 1);
    answer(500000, huge);
    expect_no_figure();
    take_question();
    say(FIRST); // without a head
    hang_up(600000);
    expect_no_figure();
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        answer(1000000 * (i + 1), rows[i]);
        expect_no_figure();
    }
}

TEST(the_first_64_buckets_count)
{
    static char texts[2][8000];
    for (uint32_t k = 0; k < 2; k++)
        for (uint32_t i = 0, used = 0; i < 70; i++)
            used +=
                (uint32_t)snprintf(texts[k] + used, sizeof texts[k] - used, BUCKET "%u\"} %u\n", i + 1, k * (i + 1));
    answer_twice(texts[0], texts[1]);
    assert_int_equal(sample.tick_us.count, 64);
    assert_int_equal(sample.tick_us.max, 64000000);
}

TEST(a_missing_server_gives_no_figure_and_is_asked_again)
{
    close(listener);
    for (uint32_t again = 0; again < 2; again++) {
        metrics_scraper_ask(scraper);
        for (uint32_t i = 0; i < 1000 && metrics_scraper_waits(scraper); i++) {
            metrics_scraper_pulse(scraper, 1000000);
            poll(NULL, 0, i > 0);
        }
        assert_false(metrics_scraper_waits(scraper));
        expect_no_figure();
    }
}

BARE_TEST(an_address_is_numeric_or_refused_with_a_remedy)
{
    static const struct {
        const char *place;
        bool good;
    } rows[] = {
        /* 1 */ {"127.0.0.1:9464", true}, /* 2 */ {"[::1]:9464", true}, /* 3 */ {"", true},
        /* 4 */ {"here:1", false},        /* 5 */ {"127.0.0.1", false}, /* 6 */ {":9464", false},
        /* 7 */ {"[]:9464", false},       /* 8 */ {"[::1:9464", false},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct error error = {0};
        char expected[200];
        struct metrics_scraper *other = metrics_scraper_open(rows[i].place, &error);
        snprintf(expected, sizeof expected, "--server-metrics '%s': write ADDR:PORT in numbers, as in 127.0.0.1:9464",
                 rows[i].place);
        if ((other != NULL) != rows[i].good || strcmp(error.text, rows[i].good ? "" : expected) != 0)
            fail_msg("row %zu: %s", i + 1, error.text);
        metrics_scraper_close(other);
    }
}

BARE_TEST(without_a_server_there_is_nothing_to_wait_for)
{
    struct error error;
    struct metrics_scraper *nothing = metrics_scraper_open("", &error);
    metrics_scraper_ask(nothing);
    assert_false(metrics_scraper_waits(nothing));
    metrics_scraper_pulse(nothing, 1);
    metrics_scraper_total(nothing, &sample);
    assert_true(isnan(sample.cpu_pct) && isnan(sample.resident_mib) && sample.tick_us.count == 0);
    metrics_scraper_close(nothing);
}
