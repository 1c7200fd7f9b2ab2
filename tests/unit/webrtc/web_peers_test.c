// SPDX-License-Identifier: MIT
//
// Browsers' handshakes with the process behind the server's filter, without a network and in virtual time; GnuTLS is
// the browser.
#include <errno.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "base/random.h"
#include "test.h"
#include "webrtc/web_peers.h"

#define BROWSERS   (WEB_PEERS_CAPACITY + 2)
#define QUEUE      64
#define BYTES      1500
#define PATIENT_MS 10000 // that a handshake may take
#define SILENT_MS  30000 // that a browser may be silent

#define QUESTION_BYTES 36 // for a cookie

// Datagrams to one side.
struct mailbox {
    unsigned first, count;
    struct {
        size_t byte_count;
        uint8_t bytes[BYTES];
    } of[QUEUE];
};

// Made by another program, with the user name deadfallpassword:abcd.
static const char CHECK[] =
    "\x00\x01\x00\x50\x21\x12\xa4\x42\x01\x02\x03\x04\x05\x06\x07\x08\x09\x0a\x0b\x0c\x00\x06\x00\x15"
    "\x64\x65\x61\x64\x66\x61\x6c\x6c\x70\x61\x73\x73\x77\x6f\x72\x64\x3a\x61\x62\x63\x64\x00\x00\x00"
    "\x00\x24\x00\x04\x6e\x7f\x1e\xff\x80\x2a\x00\x08\x00\x01\x02\x03\x04\x05\x06\x07\x00\x08\x00\x14"
    "\x23\x29\x64\x38\x14\xb5\xf5\xb0\xd3\x5f\x40\xcc\x71\xe8\x38\x36\x2a\x54\xfc\x23\x80\x28\x00\x04"
    "\xbe\x7b\x11\x2f";

struct browser {
    struct net_address address;
    gnutls_session_t dtls;
    bool is_done;
    struct mailbox in, out; // from the process and to it
    uint64_t sent_bytes, got_bytes;
};

static struct webrtc_filter filter;
static struct web_peers peers;
static struct web_certificate certificate;
static gnutls_certificate_credentials_t nobody;
static struct browser browsers[BROWSERS];
static unsigned used;
static uint64_t now_ms = 1000000;

// GnuTLS looks at it.
int clock_gettime(clockid_t clock, struct timespec *now)
{
    (void)clock;
    *now = (struct timespec){(time_t)(now_ms / 1000), (long)(now_ms % 1000 * 1000000)};
    return 0;
}

static void put(struct mailbox *box, const void *bytes, size_t byte_count)
{
    if (box->count == QUEUE || byte_count > BYTES)
        return;
    unsigned at = (box->first + box->count++) % QUEUE;
    memcpy(box->of[at].bytes, bytes, byte_count);
    box->of[at].byte_count = byte_count;
}

static void emit(void *context, const struct webrtc_frame *frame)
{
    struct datagram packet = {.now_ns = now_ms * CLOCK_MS_NS, .bytes = frame->payload, .byte_count = frame->byte_count};
    (void)context;
    if (frame->kind == WEBRTC_OPEN) {
        webrtc_filter_open(&filter, &frame->address, now_ms * CLOCK_MS_NS);
        return;
    }
    if (frame->kind == WEBRTC_FORGET) {
        webrtc_filter_forget(&filter, &frame->address, now_ms * CLOCK_MS_NS);
        return;
    }
    assert_int_equal(frame->kind, WEBRTC_PACKET);
    if (!webrtc_filter_lets_out(&filter, &packet, &frame->address))
        return;
    for (unsigned i = 0; i < used; i++)
        if (net_address_equals(&browsers[i].address, &frame->address)) {
            put(&browsers[i].in, frame->payload, frame->byte_count);
            browsers[i].got_bytes += frame->byte_count;
        }
}

static ssize_t push(gnutls_transport_ptr_t context, const void *bytes, size_t byte_count)
{
    put(&((struct browser *)context)->out, bytes, byte_count);
    return (ssize_t)byte_count;
}

// Gives the process a packet that the filter lets in; else its sender may get an answer.
static void take(struct browser *browser, const struct net_address *from, const uint8_t *bytes, size_t byte_count)
{
    uint8_t answer[BYTES];
    struct datagram datagram = {*from, now_ms * CLOCK_MS_NS, bytes, byte_count};
    struct datagram_output output = {.bytes = answer};
    enum datagram_outcome outcome = webrtc_filter_take(&filter, &datagram, &output);
    if (outcome == DATAGRAM_ANSWERED) {
        put(&browser->in, answer, output.byte_count);
        browser->got_bytes += output.byte_count;
    }
    if (outcome != DATAGRAM_DELIVERED)
        return;
    if (filter.left.byte_count > 0)
        web_peers_take(&peers, &(struct webrtc_frame){.kind = WEBRTC_FORGET, .address = filter.left}, now_ms);
    web_peers_take(&peers, &(struct webrtc_frame){WEBRTC_PACKET, *from, 0, bytes, byte_count}, now_ms);
}

// Gives the process what the browser has sent.
static void deliver(struct browser *browser)
{
    for (struct mailbox *out = &browser->out; out->count > 0; out->count--) {
        const uint8_t *bytes = out->of[out->first].bytes;
        size_t byte_count = out->of[out->first].byte_count;
        browser->sent_bytes += byte_count;
        take(browser, &browser->address, bytes, byte_count);
        out->first = (out->first + 1) % QUEUE;
    }
}

static ssize_t pull(gnutls_transport_ptr_t context, void *bytes, size_t room)
{
    struct browser *browser = context;
    struct mailbox *in = &browser->in;
    if (in->count == 0) {
        gnutls_transport_set_errno(browser->dtls, EAGAIN);
        return -1;
    }
    size_t byte_count = in->of[in->first].byte_count < room ? in->of[in->first].byte_count : room;
    memcpy(bytes, in->of[in->first].bytes, byte_count);
    in->first = (in->first + 1) % QUEUE;
    in->count--;
    return (ssize_t)byte_count;
}

static int has_mail(gnutls_transport_ptr_t context, unsigned wait_ms)
{
    (void)wait_ms;
    return ((const struct browser *)context)->in.count > 0;
}

// Sends a connectivity check and takes the answer.
static void check(struct browser *browser)
{
    take(browser, &browser->address, (const uint8_t *)CHECK, sizeof CHECK - 1);
    browser->sent_bytes += sizeof CHECK - 1;
    assert_int_equal(browser->in.count, 1);
    browser->in.count = 0;
}

// A browser at a host of 10.0.0.0/8, each of which is a household.
static struct browser *new_browser(unsigned host, uint16_t port)
{
    struct browser *browser = &browsers[used++];
    *browser = (struct browser){.address = {{10, (uint8_t)(host >> 16), (uint8_t)(host >> 8), (uint8_t)host,
                                             (uint8_t)(port >> 8), (uint8_t)port},
                                            ADDRESS_BYTES_IPV4}};
    assert_int_equal(gnutls_init(&browser->dtls, GNUTLS_CLIENT | GNUTLS_DATAGRAM | GNUTLS_NONBLOCK), 0);
    assert_int_equal(gnutls_priority_set_direct(browser->dtls, "NORMAL:-VERS-ALL:+VERS-DTLS1.2", NULL), 0);
    assert_int_equal(gnutls_credentials_set(browser->dtls, GNUTLS_CRD_CERTIFICATE, nobody), 0);
    gnutls_transport_set_ptr(browser->dtls, browser);
    gnutls_transport_set_push_function(browser->dtls, push);
    gnutls_transport_set_pull_function(browser->dtls, pull);
    gnutls_transport_set_pull_timeout_function(browser->dtls, has_mail);
    check(browser);
    return browser;
}

// Goes on with the handshake, by so many flights.
static void shake(struct browser *browser, unsigned flights)
{
    for (unsigned i = 0; i < flights && !browser->is_done; i++) {
        browser->is_done = gnutls_handshake(browser->dtls) == GNUTLS_E_SUCCESS;
        deliver(browser);
    }
}

static struct browser *open_browser(unsigned host, uint16_t port)
{
    struct browser *browser = new_browser(host, port);
    shake(browser, 12);
    assert_true(browser->is_done);
    return browser;
}

// Gets its place by returning the cookie, and stays there in the middle of the handshake.
static struct browser *half_open(unsigned host, uint16_t port)
{
    struct browser *browser = new_browser(host, port);
    shake(browser, 2);
    assert_false(browser->is_done);
    return browser;
}

static bool has_place(const struct browser *browser)
{
    for (size_t i = 0; i < WEB_PEERS_CAPACITY; i++)
        if (peers.peers[i].dtls && net_address_equals(&peers.peers[i].address, &browser->address))
            return true;
    return false;
}

// Sends a record of any bytes.
static void say(struct browser *browser, size_t byte_count)
{
    static const uint8_t bytes[64];
    assert_int_equal(gnutls_record_send(browser->dtls, bytes, byte_count), byte_count);
    deliver(browser);
}

static void pass(uint64_t ms)
{
    for (uint64_t end_ms = now_ms + ms; now_ms < end_ms;) {
        now_ms += 50;
        web_peers_update(&peers, now_ms);
    }
}

static void begin(void)
{
    static bool is_ready;
    if (!is_ready)
        is_ready = gnutls_certificate_allocate_credentials(&nobody) == 0 && web_peers_certify(&certificate, NULL, 0);
    if (peers.updated_ms == 0)
        web_peers_init(&peers, &certificate, &(struct web_output){.emit = emit}, now_ms);
    webrtc_filter_init(&filter);
    used = 0;
    assert_true(is_ready);
}

static void end(void)
{
    pass(PATIENT_MS + SILENT_MS + 1000); // all are forgotten
    for (unsigned i = 0; i < used; i++)
        gnutls_deinit(browsers[i].dtls);
    assert_int_equal(peers.count, 0);
}

EACH_TEST(begin, end);

TEST(a_handshake_needs_a_cookie_and_then_an_end)
{
    struct browser *browser = new_browser(1, 5000);
    shake(browser, 1);
    assert_int_equal(peers.count, 0); // it was asked, and nothing is remembered
    assert_int_equal(browser->in.count, 1);
    assert_true(browser->got_bytes < browser->sent_bytes);
    shake(browser, 1);
    assert_true(has_place(browser));
    shake(browser, 10);
    assert_true(browser->is_done);
    const gnutls_datum_t *chain = gnutls_certificate_get_peers(browser->dtls, &(unsigned){0});
    uint8_t fingerprint[WEBRTC_FINGERPRINT_BYTES];
    size_t room = sizeof fingerprint;
    assert_non_null(chain);
    assert_int_equal(gnutls_fingerprint(GNUTLS_DIG_SHA256, chain, fingerprint, &room), 0);
    assert_memory_equal(fingerprint, certificate.ready, sizeof fingerprint);
    pass(PATIENT_MS + 1000);
    assert_true(has_place(browser)); // it has finished its handshake
}

TEST(the_cookie_of_another_address_is_none)
{
    struct browser *browser = new_browser(1, 5000);
    shake(browser, 1);
    browser->address.bytes[3] = 2;
    shake(browser, 1);
    assert_int_equal(peers.count, 0);
}

TEST(who_says_goodbye_or_nothing_is_forgotten)
{
    struct browser *waits = half_open(3, 5000), *speaks = open_browser(4, 5000);
    struct browser *leaves = open_browser(1, 5000), *sleeps = open_browser(2, 5000);
    gnutls_bye(leaves->dtls, GNUTLS_SHUT_WR);
    deliver(leaves);
    assert_false(has_place(leaves));
    pass(PATIENT_MS - 1000);
    assert_true(has_place(waits));
    pass(2000);
    assert_false(has_place(waits));
    say(speaks, 1);
    pass(SILENT_MS - PATIENT_MS - 2000);
    assert_true(has_place(sleeps));
    pass(3000);
    assert_false(has_place(sleeps));
    assert_true(has_place(speaks));
}

// Of these addresses some share a bucket with any other one; all get nothing.
static void ask_from_everywhere(void)
{
    static const uint8_t record[] = {23, 0xfe, 0xfd};
    struct net_address address = {{10, 9, 9, 9}, ADDRESS_BYTES_IPV4};
    for (unsigned port = 0; port < 8 * WEB_PEERS_BUCKETS; port++) {
        address.bytes[4] = (uint8_t)(port >> 8);
        address.bytes[5] = (uint8_t)port;
        web_peers_take(&peers, &(struct webrtc_frame){WEBRTC_PACKET, address, 0, record, sizeof record}, now_ms);
    }
    assert_int_equal(peers.count, 1);
}

TEST(an_address_that_has_left_comes_back)
{
    for (unsigned i = 0; i < 3; i++) {
        used = 0;
        struct browser *browser = open_browser(1, 5000);
        assert_true(has_place(browser));
        assert_int_equal(peers.count, 1);
        ask_from_everywhere();
        gnutls_bye(browser->dtls, GNUTLS_SHUT_WR);
        deliver(browser);
        assert_int_equal(peers.count, 0);
        gnutls_deinit(browser->dtls);
    }
    used = 0;
}

// A goodbye that is the second record of its datagram is heard.
TEST(a_datagram_may_have_several_records)
{
    struct browser *browser = open_browser(1, 5000);
    assert_int_equal(gnutls_record_send(browser->dtls, "?", 1), 1);
    gnutls_bye(browser->dtls, GNUTLS_SHUT_WR);
    assert_int_equal(browser->out.count, 2);
    unsigned first = browser->out.first, second = (first + 1) % QUEUE;
    memcpy(browser->out.of[first].bytes + browser->out.of[first].byte_count, browser->out.of[second].bytes,
           browser->out.of[second].byte_count);
    browser->out.of[first].byte_count += browser->out.of[second].byte_count;
    browser->out.count = 1;
    deliver(browser);
    assert_false(has_place(browser));
}

TEST(a_certificate_is_kept)
{
    struct web_certificate again, other;
    const uint8_t *kept = certificate.ready + WEBRTC_FINGERPRINT_BYTES;
    size_t kept_bytes = certificate.ready_bytes - WEBRTC_FINGERPRINT_BYTES;
    assert_true(web_peers_certify(&again, kept, kept_bytes));
    assert_int_equal(again.ready_bytes, certificate.ready_bytes);
    assert_memory_equal(again.ready, certificate.ready, again.ready_bytes);
    assert_true(web_peers_certify(&other, kept, kept_bytes / 2)); // not usable
    assert_memory_not_equal(other.ready, certificate.ready, WEBRTC_FINGERPRINT_BYTES);
    gnutls_certificate_free_credentials(again.credentials);
    gnutls_certificate_free_credentials(other.credentials);
}

// Sends the last datagram of a browser again and again; returns the bytes that come back for each of it.
static uint64_t replay(struct browser *browser, uint64_t ms)
{
    uint8_t last[BYTES];
    unsigned at = (browser->out.first + browser->out.count - 1) % QUEUE;
    size_t byte_count = browser->out.of[at].byte_count;
    memcpy(last, browser->out.of[at].bytes, byte_count);
    deliver(browser);
    uint64_t got = browser->got_bytes, end_ms = now_ms + ms;
    for (; now_ms < end_ms; pass(500)) {
        take(browser, &browser->address, last, byte_count);
        browser->sent_bytes += byte_count;
        browser->in.count = 0;
    }
    assert_true(browser->got_bytes <= 3 * browser->sent_bytes);
    return browser->got_bytes - got;
}

TEST(a_cookie_that_is_replayed_brings_little_and_after_a_minute_only_another)
{
    struct browser *browser = new_browser(1, 5000);
    shake(browser, 1);
    gnutls_handshake(browser->dtls); // writes what returns the cookie
    assert_true(browser->out.count > 0);
    replay(browser, 20000);
    pass(60000);
    check(browser);
    assert_int_equal(replay(browser, 1000), 2 * QUESTION_BYTES);
}

TEST(a_flight_that_was_lost_comes_again_when_the_browser_repeats_its_own)
{
    struct browser *browser = new_browser(1, 5000);
    shake(browser, 1);
    gnutls_handshake(browser->dtls);
    unsigned first = browser->out.first, count = browser->out.count;
    deliver(browser);
    assert_true(browser->in.count > 0);
    browser->in.count = 0;
    pass(100);
    browser->out.first = first;
    browser->out.count = count;
    deliver(browser);
    assert_true(browser->in.count > 0);
    shake(browser, 10);
    assert_true(browser->is_done);
}

// Each datagram is lost with a chance of 1 in `one_in`. Returns how long the handshake has taken, ms.
static uint64_t shake_on_a_bad_line(unsigned host, uint32_t one_in, uint64_t *random)
{
    struct browser *browser = new_browser(host, 5000);
    uint64_t begun_ms = now_ms;
    gnutls_dtls_set_timeouts(browser->dtls, 50, 60000); // as browsers do
    for (; !browser->is_done && now_ms - begun_ms < PATIENT_MS; now_ms += 10) {
        for (unsigned i = browser->in.count; i > 0; i--) {
            unsigned at = browser->in.first;
            browser->in.first = (at + 1) % QUEUE;
            browser->in.count--;
            if (random_next64(random) % one_in > 0)
                put(&browser->in, browser->in.of[at].bytes, browser->in.of[at].byte_count);
        }
        browser->is_done = gnutls_handshake(browser->dtls) == GNUTLS_E_SUCCESS;
        for (; browser->out.count > 0; browser->out.count--) {
            unsigned at = browser->out.first;
            browser->out.first = (at + 1) % QUEUE;
            if (random_next64(random) % one_in > 0)
                take(browser, &browser->address, browser->out.of[at].bytes, browser->out.of[at].byte_count);
        }
    }
    return now_ms - begun_ms;
}

TEST(handshakes_end_on_lines_that_lose_every_fifth_datagram)
{
    uint64_t random = 1, slow = 0;
    for (unsigned i = 1; i <= 100; i++) {
        uint64_t ms = shake_on_a_bad_line(i, 5, &random);
        slow += ms > 2000;
    }
    if (slow > 10)
        fail_msg("%llu of 100 handshakes took longer than 2 s", (unsigned long long)slow);
}

TEST(a_browser_that_is_silent_after_its_cookie_gets_one_flight)
{
    struct browser *browser = half_open(1, 5000);
    uint64_t got = browser->got_bytes;
    assert_true(got > 0);
    pass(PATIENT_MS - 1000);
    assert_true(has_place(browser));
    assert_int_equal(browser->got_bytes, got);
}

TEST(a_hello_that_comes_again_when_its_handshake_is_done_changes_nothing)
{
    struct browser *browser = new_browser(1, 5000);
    shake(browser, 1);
    gnutls_handshake(browser->dtls);
    unsigned at = browser->out.first;
    uint8_t hello[BYTES];
    size_t byte_count = browser->out.of[at].byte_count;
    memcpy(hello, browser->out.of[at].bytes, byte_count);
    deliver(browser);
    shake(browser, 10);
    assert_true(browser->is_done);
    uint64_t got = browser->got_bytes;
    take(browser, &browser->address, hello, byte_count);
    assert_true(has_place(browser));
    assert_true(webrtc_filter_lets_in(&filter, &browser->address, now_ms * CLOCK_MS_NS));
    assert_int_equal(browser->got_bytes, got);
    gnutls_bye(browser->dtls, GNUTLS_SHUT_WR);
    deliver(browser);
    assert_false(webrtc_filter_lets_in(&filter, &browser->address, now_ms * CLOCK_MS_NS));
}

// Anybody may have sent it, also as one of several records.
TEST(an_alert_that_is_not_encrypted_ends_no_handshake)
{
    static const uint8_t fatal[] = {21, 0xfe, 0xfd, 0, 0, 0, 0, 0, 0, 0, 9, 0, 2, 2, 40};
    uint8_t several[2 * sizeof fatal + 2];
    struct browser *browser = half_open(1, 5000);
    memcpy(several, fatal, sizeof fatal);
    memcpy(several + sizeof fatal, fatal, sizeof fatal);
    memset(several + 2 * sizeof fatal, 0, 2);
    take(browser, &browser->address, fatal, sizeof fatal);
    assert_true(has_place(browser));
    take(browser, &browser->address, several, sizeof several);
    assert_true(has_place(browser));
    shake(browser, 10);
    assert_true(browser->is_done);
}

// Of the site that has most, and there the oldest. Who plays stays.
TEST(if_all_places_are_taken_the_fullest_site_gives_way)
{
    struct browser *plays = open_browser(1, 4998);
    struct browser *other = half_open(2, 5000);
    pass(50);
    struct browser *oldest = half_open(1, 4999);
    for (unsigned i = 3; i < WEB_PEERS_CAPACITY; i++) {
        pass(i % 4 == 0 ? 50 : 0);
        half_open(i < 10 ? 1 : i / 3, (uint16_t)(5000 + i));
    }
    webrtc_filter_keep(&filter, &plays->address, (struct session_id){1, 1}, now_ms * CLOCK_MS_NS);
    assert_int_equal(filter.gave_way, 0);
    half_open(1, 4000);
    assert_int_equal(filter.gave_way, 1);
    assert_false(has_place(oldest));
    struct browser *newest = half_open(1000, 5000);
    assert_int_equal(filter.gave_way, 2);
    assert_int_equal(filter.gave_way_of, household_of(&oldest->address));
    assert_true(has_place(newest) && has_place(other) && has_place(plays));
}
