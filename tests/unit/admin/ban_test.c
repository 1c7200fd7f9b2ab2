// SPDX-License-Identifier: MIT
//
// Tests bans as text, as a list, and as a file that survives a crash, a full disk and editing by hand.
#include "admin/ban.h"
#include "net/net_address.h"
#include "test.h"
#include "test_folder.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define NOW 1800000000 // 2027-01-15T08:00:00Z
#define KEY "abcdefghijklmnopqrstuvwxyz234567"

static char path[100];
static struct ban_list bans, again;

static void begin(void)
{
    bans.count = again.count = 0;
    test_folder_make();
    snprintf(path, sizeof path, "%s", test_folder_path("bans"));
}

EACH_TEST(begin, test_folder_remove);

static struct ban ban_of(const char *target, int64_t until, const char *reason)
{
    struct ban ban = {.until = until};
    assert_true(ban_target_parse(target, &ban.target));
    snprintf(ban.reason, sizeof ban.reason, "%s", reason);
    return ban;
}

static void add(const char *target, int64_t until, const char *reason)
{
    struct ban ban = ban_of(target, until, reason);
    assert_true(ban_list_add(&bans, &ban, NOW));
}

BARE_TEST(targets_are_read_and_written)
{
    static const struct {
        const char *text, *written; // null: refused
    } rows[] = {
        /*  1 */ {KEY, KEY},
        /*  2 */ {"192.0.2.7", "192.0.2.7"},
        /*  3 */ {"192.0.2.7/24", "192.0.2.0/24"},
        /*  4 */ {"192.0.2.7/32", "192.0.2.7"},
        /*  5 */ {"192.0.2.255/31", "192.0.2.254/31"},
        /*  6 */ {"10.0.0.0/7", NULL}, // a typing error
        /*  7 */ {"10.0.0.0/33", NULL},
        /*  8 */ {"10.0.0.0/", NULL},
        /*  9 */ {"10.0.0.0/-1", NULL},
        /* 10 */ {"10.0.0.0/8x", NULL},
        /* 11 */ {"2001:db8:1:1ff:3::4", "2001:db8:1:100::/56"}, // a household
        /* 12 */ {"2001:db8::1/128", "2001:db8::1/128"},
        /* 13 */ {"2001:db8:ffff::/33", "2001:db8:8000::/33"},
        /* 14 */ {"2001::/15", NULL},
        /* 15 */ {"::ffff:192.0.2.7", "192.0.2.7"}, // two forms of one address
        /* 16 */ {"::ffff:192.0.2.7/120", "192.0.2.0/24"},
        /* 17 */ {"::ffff:192.0.2.7/96", NULL},
        /* 18 */ {"192.0.2.7:27440", NULL},
        /* 19 */ {"", NULL},
        /* 20 */ {"Ann", NULL},
        /* 21 */ {"192.0.2", NULL},
        /* 22 */ {"10.0.0.0/18446744073709551624", NULL}, // 2^64 + 8
        /* 23 */ {"10.0.0.0/+24", NULL},
        /* 24 */ {"10.0.0.0/ 24", NULL},
        /* 25 */ {"10.1.2.3/8", "10.0.0.0/8"},
        /* 26 */ {"::ffff:10.1.2.3/104", "10.0.0.0/8"},
        /* 27 */ {"::ffff:10.1.2.3/103", NULL},
        /* 28 */ {"2001:db8::/16", "2001::/16"},
        /* 29 */ {"2001:db8::/129", NULL},
        /* 30 */ {"/24", NULL},
        /* 31 */ {"[2001:db8::1]", NULL},
        /* 32 */ {"::ffff:10.1.2.3/90", NULL},
        /* 33 */ {"0001:0002:0003:0004:0005:0006:0007:0008:0009:0010", NULL}, // longer than any address
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct ban_target target, back;
        char written[BAN_TARGET_BYTES];
        assert_int_equal(ban_target_parse(rows[i].text, &target), rows[i].written != NULL);
        if (!rows[i].written)
            continue;
        ban_target_text(&target, written);
        assert_string_equal(written, rows[i].written);
        assert_true(ban_target_parse(written, &back) && ban_target_equal(&target, &back));
    }
}

BARE_TEST(times_are_read)
{
    static const struct {
        const char *word;
        int64_t until; // 0: refused
    } rows[] = {
        /*  1 */ {"90s", NOW + 90},
        /*  2 */ {"30m", NOW + 1800},
        /*  3 */ {"12h", NOW + 43200},
        /*  4 */ {"7d", NOW + 604800},
        /*  5 */ {"2w", NOW + 1209600},
        /*  6 */ {"forever", BAN_FOREVER},
        /*  7 */ {"never", BAN_FOREVER},
        /*  8 */ {"99999999999999999999d", BAN_FOREVER}, // centuries: without end
        /*  9 */ {"0d", 0},
        /* 10 */ {"-1d", 0},
        /* 11 */ {"7", 0},
        /* 12 */ {"7days", 0},
        /* 13 */ {"", 0},
        /* 14 */ {"d", 0},
        /* 15 */ {"+7d", 0},
        /* 16 */ {" 7d", 0},
        /* 17 */ {"3660d", NOW + 3660ll * 86400}, // ten years at most
        /* 18 */ {"3661d", BAN_FOREVER},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        int64_t until = 0;
        assert_int_equal(ban_time_parse(rows[i].word, NOW, &until), rows[i].until != 0);
        assert_true(until == rows[i].until); // a refused text changes nothing
    }
}

TEST(a_ban_matches_its_target)
{
    struct net_client client = {.identity = {7}};
    char key[FINGERPRINT_TEXT_BYTES], of_sign[FINGERPRINT_TEXT_BYTES];
    identity_fingerprint(client.identity, key);
    identity_fingerprint_of_sign(client.identity, of_sign);
    const struct {
        const char *target, *address;
        int64_t until;
        bool banned;
    } rows[] = {
        /*  1 */ {key, "198.51.100.1", BAN_FOREVER, true},
        /*  2 */ {KEY, "198.51.100.1", BAN_FOREVER, false},
        /*  3 */ {"198.51.100.1", "198.51.100.1", NOW + 1, true},
        /*  4 */ {"198.51.100.1", "198.51.100.1", NOW, false}, // it has just expired
        /*  5 */ {"198.51.100.1", "198.51.100.11", BAN_FOREVER, false},
        /*  6 */ {"198.51.0.0/16", "198.51.100.1", BAN_FOREVER, true},
        /*  7 */ {"198.52.0.0/15", "198.51.100.1", BAN_FOREVER, false},
        /*  8 */ {"198.51.100.1", "::ffff:198.51.100.1", BAN_FOREVER, true},
        /*  9 */ {"2001:db8::7", "2001:db8::9", BAN_FOREVER, true}, // the same household
        /* 10 */ {"2001:db8::7/128", "2001:db8::9", BAN_FOREVER, false},
        /* 11 */ {"2001:db8::7/128", "2001:db8::7", BAN_FOREVER, true},
        /* 12 */ {"2001:db8::/32", "198.51.100.1", BAN_FOREVER, false},
        /* 13 */ {"0.0.0.0/8", "no address", BAN_FOREVER, false},
        /* 14 */ {"2001:db8::/65", "2001:db8::7", BAN_FOREVER, true},
        /* 15 */ {"2001:db8::8000:0:0:0/65", "2001:db8::7", BAN_FOREVER, false},
        /* 16 */ {KEY, "", BAN_FOREVER, false},
        /* 17 */ {of_sign, "198.51.100.1", BAN_FOREVER, true}, // as an older version has written it
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        bans.count = 0;
        add(rows[i].target, rows[i].until, "");
        client.address.byte_count = 0;
        ip_address_parse(&client.address, rows[i].address, 5);
        assert_int_equal(ban_list_find(&bans, &client, NOW) != NULL, rows[i].banned);
    }
}

BARE_TEST(a_banned_player_reads_why_and_until_when)
{
    char reason[NET_REASON_BYTES], longest[BAN_REASON_BYTES];
    struct ban ban = ban_of(KEY, NOW, "Camping");
    ban_list_message(&ban, reason);
    assert_string_equal(reason, "You are banned until 2027-01-15 08:00 UTC: Camping.");
    ban = ban_of(KEY, BAN_FOREVER, "");
    ban_list_message(&ban, reason);
    assert_string_equal(reason, "You are banned.");
    memset(longest, 'x', sizeof longest - 1);
    longest[sizeof longest - 1] = 0;
    ban = ban_of(KEY, NOW, longest);
    ban_list_message(&ban, reason);
    assert_int_equal(reason[strlen(reason) - 1], '.'); // nothing is cut off
}

TEST(the_file_keeps_bans_that_have_not_expired)
{
    struct error error;
    add(KEY, BAN_FOREVER, "words and \"more words\"");
    add("192.0.2.0/24", NOW + 60, "");
    add("2001:db8::/64", NOW + 10, "soon over");
    assert_true(ban_list_write(&bans, path, NOW + 10));
    assert_int_equal(ban_list_read(&again, path, NOW, &error), BAN_LIST_READ);
    assert_int_equal(again.count, 2);
    assert_string_equal(again.rows[0].reason, "words and \"more words\"");
    assert_true(again.rows[0].until == BAN_FOREVER && again.rows[1].until == NOW + 60);
    assert_int_equal(ban_list_read(&again, path, NOW + 60, &error), BAN_LIST_READ);
    assert_int_equal(again.count, 1);
    struct stat status;
    assert_int_equal(stat(path, &status), 0);
    assert_int_equal(status.st_mode & 0777, 0600);
}

TEST(every_good_line_of_an_edited_file_is_read)
{
    static char overlong[2000];
    memset(overlong, 'x', sizeof overlong - 1);
    static const struct {
        const char *text, *fault;
        uint32_t kept;
    } rows[] = {
        /*  1 */ {"", NULL, 0},
        /*  2 */ {"# a remark\n\n  \n" KEY " never\n", NULL, 1},
        /*  3 */ {KEY " never no end of line", NULL, 1},
        /*  4 */ {KEY "\tnever\tWindows\r\n", NULL, 1},
        /*  5 */ {"Ann never\n" KEY " never\n", "bans:1: this line does not begin with a key or an address", 1},
        /*  6 */ {KEY "\n192.0.2.1 never\n", "bans:1: this line has no time", 1},
        /*  7 */ {"192.0.2.1 tomorrow\n", "bans:1: this line has no time", 0},
        /*  8 */ {"192.0.2.1 2027-13-45T00:00:00Z\n", "bans:1: this line has no time", 0},
        /*  9 */ {overlong, "bans:1: this line does not begin with a key or an address", 0},
        /* 10 */
        {KEY " never 1234567890123456789012345678901234567890123456789012345678901234567890123\n",
         "bans:1: this line has too long a reason", 0},
        /* 11 */ {"192.0.2.1 1999-01-01T00:00:00Z old\n", NULL, 0},
        /* 12 */ {KEY " never one\n" KEY " never two\n", NULL, 1},
        /* 14 */
        {KEY " never a\x01"
             "b  c \n",
         NULL, 1},
        /* 15 */ {"192.0.2.1 2027-01-15T08:00:00Z now\n192.0.2.2 2027-01-15T08:00:01Z\n", NULL, 1},
        /* 16 */ {"#x\nAnn\nBob\n", "bans:2: this line does not begin", 0}, // the first fault
        /* 13 */ {"\x01\xff\xfe\n", "bans:1: this line does not begin", 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct error error = {0};
        test_folder_write("bans", rows[i].text);
        enum ban_list_outcome outcome = ban_list_read(&bans, path, NOW, &error);
        assert_int_equal(outcome, rows[i].fault ? BAN_LIST_FAULTY : BAN_LIST_READ);
        assert_int_equal(bans.count, rows[i].kept);
        if (rows[i].fault)
            assert_non_null(strstr(error.text, rows[i].fault));
    }
}

// A file system may leave such bytes where a power cut interrupted a write.
TEST(bans_behind_zero_bytes_are_read)
{
    static const char text[] = "192.0.2.1 never\n\0\0\0\0\n192.0.2.2 never\n192.0.2.3 never\0 hidden\n";
    struct error error = {0};
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, sizeof text - 1, file), sizeof text - 1);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(ban_list_read(&bans, path, NOW, &error), BAN_LIST_FAULTY);
    assert_non_null(strstr(error.text, ":2: this line has a zero byte"));
    assert_int_equal(bans.count, 2);
}

TEST(a_list_that_is_full_refuses_until_one_expires)
{
    char address[40];
    for (uint32_t i = 0; i < BAN_LIST_CAPACITY; i++) {
        snprintf(address, sizeof address, "10.0.%u.%u", i / 256, i % 256);
        add(address, i == 5 ? NOW + 1 : BAN_FOREVER, "");
    }
    struct ban more = ban_of("192.0.2.1", BAN_FOREVER, ""), same = ban_of("10.0.0.7", NOW + 9, "other");
    assert_false(ban_list_add(&bans, &more, NOW));
    assert_true(ban_list_add(&bans, &same, NOW)); // replaces itself
    assert_true(ban_list_add(&bans, &more, NOW + 1));
    assert_int_equal(bans.count, BAN_LIST_CAPACITY);
    assert_true(ban_list_remove(&bans, &more.target, NOW + 1));
    assert_false(ban_list_remove(&bans, &more.target, NOW + 1));
    assert_true(ban_list_write(&bans, path, NOW + 1));
    struct error error;
    assert_int_equal(ban_list_read(&again, path, NOW + 1, &error), BAN_LIST_READ);
    assert_int_equal(again.count, bans.count);
    assert_memory_equal(again.rows, bans.rows, bans.count * sizeof *bans.rows);
}

TEST(lines_that_have_no_room_are_reported)
{
    struct error error;
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    for (uint32_t i = 0; i <= BAN_LIST_CAPACITY; i++)
        fprintf(file, "10.0.%u.%u never\n", i / 256, i % 256);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(ban_list_read(&bans, path, NOW, &error), BAN_LIST_FAULTY);
    assert_int_equal(bans.count, BAN_LIST_CAPACITY);
    assert_non_null(strstr(error.text, "bans:1025: this line is one more than there is room for"));
}

TEST(a_full_disk_leaves_the_old_file)
{
    struct error error;
    struct rlimit limit, small;
    add(KEY, BAN_FOREVER, "kept");
    assert_true(ban_list_write(&bans, path, NOW));
    add("192.0.2.1", BAN_FOREVER, "new");
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &limit), 0);
    small = (struct rlimit){.rlim_cur = 150, .rlim_max = limit.rlim_max};
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    bool written = ban_list_write(&bans, path, NOW);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
    assert_false(written);
    assert_int_equal(ban_list_read(&again, path, NOW, &error), BAN_LIST_READ);
    assert_int_equal(again.count, 1);
    sprintf(path + strlen(path), ".new.%ld", (long)getpid());
    assert_int_not_equal(access(path, F_OK), 0); // no temporary file is left
}

TEST(a_kill_while_it_is_written_leaves_the_old_file)
{
    struct error error;
    int status;
    add(KEY, BAN_FOREVER, "one");
    assert_true(ban_list_write(&bans, path, NOW));
    for (uint32_t i = 0; i < 300; i++) {
        char address[40];
        snprintf(address, sizeof address, "10.0.%u.%u", i / 256, i % 256);
        add(address, BAN_FOREVER, "many");
    }
    for (rlim_t most = 0;; most += 500) {
        pid_t child = fork();
        assert_true(child >= 0);
        if (child == 0) { // the kernel kills who writes more
            signal(SIGXFSZ, SIG_DFL);
            setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
            setrlimit(RLIMIT_FSIZE, &(struct rlimit){most, most});
            _exit(!ban_list_write(&bans, path, NOW));
        }
        assert_int_equal(waitpid(child, &status, 0), child);
        assert_int_equal(ban_list_read(&again, path, NOW, &error), BAN_LIST_READ);
        if (WIFEXITED(status))
            break;
        assert_int_equal(again.count, 1);
    }
    assert_int_equal(WEXITSTATUS(status), 0);
    assert_int_equal(again.count, 301);
}

TEST(an_unreadable_file_is_an_error)
{
    struct error error;
    assert_int_equal(ban_list_read(&bans, path, NOW, &error), BAN_LIST_READ); // there is no file yet
    assert_int_equal(mkdir(path, 0700), 0);
    assert_int_equal(ban_list_read(&bans, path, NOW, &error), BAN_LIST_UNREADABLE);
    assert_non_null(strstr(error.text, "cannot be read: Is a directory"));
    assert_false(ban_list_write(&bans, path, NOW));
}

BARE_TEST(a_date_is_read_in_one_form_only)
{
    static const char *const wrong[] = {"2026-1-02T03:04:05Z",
                                        "2026-01-02T3:04:05Z",
                                        "2026-01-02T03:04:05",
                                        "2026-01-02 03:04:05Z",
                                        "2026-01-02T03:04:05Zx",
                                        "26-01-02T03:04:05Z",
                                        "2026-13-02T03:04:05Z",
                                        "",
                                        "Never"};
    int64_t until = 0;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        if (ban_time_read(wrong[i], &until))
            fail_msg("\"%s\" was read", wrong[i]);
    assert_true(ban_time_read("2027-01-15T08:00:00Z", &until));
    assert_int_equal(until, 1800000000);
    assert_true(ban_time_read("never", &until));
    assert_true(until == BAN_FOREVER);
}

// Of two bans of the same person the longer one counts, and a ban ends at its exact second.
BARE_TEST(the_longest_ban_counts_and_ends_on_time)
{
    static struct ban_list list;
    struct ban rows[3] = {{.until = 200, .reason = "middle"}, {.until = 300, .reason = "last"}, {.until = 100}};
    struct net_client client = {0};
    ip_address_parse(&client.address, "192.0.2.1", 5);
    assert_true(ban_target_parse("192.0.2.0/24", &rows[0].target));
    assert_true(ban_target_parse("192.0.2.1", &rows[1].target));
    assert_true(ban_target_parse("192.0.0.0/16", &rows[2].target));
    for (size_t i = 0; i < 3; i++)
        assert_true(ban_list_add(&list, &rows[i], 50));
    assert_string_equal(ban_list_find(&list, &client, 50)->reason, "last");
    assert_non_null(ban_list_find(&list, &client, 299));
    assert_null(ban_list_find(&list, &client, 300));
    assert_true(ban_list_remove(&list, &rows[1].target, 199));
    assert_string_equal(ban_list_find(&list, &client, 199)->reason, "middle");
    assert_false(ban_list_remove(&list, &rows[0].target, 200)); // it has expired just now
    assert_int_equal(list.count, 0);
}
