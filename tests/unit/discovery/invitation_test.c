// SPDX-License-Identifier: MIT
#include <stdio.h>
#include <string.h>

#include "discovery/invitation.h"
#include "test.h"

#define KEY         "abcdefghijklmnopqrstuvwxyz234567"
#define CERTIFICATE "rUVXWfJ0qV8AxUVUxyWVd0_fC7kmCz-ZgVnFL9XJ8Q4"

TEST(a_line_is_read_as_it_was_written)
{
    for (uint32_t i = 0; i < INVITATION_REACHES; i++) {
        struct invitation written = {.reach = (enum invitation_reach)i, .fingerprint = KEY}, read = {0};
        char line[INVITATION_LINE_BYTES + 1];
        snprintf(written.address, sizeof written.address, i % 2 ? "[2001:db8::7]:27440" : "192.0.2.7:27440");
        if (i == INVITATION_INTRODUCED)
            snprintf(written.through, sizeof written.through, "203.0.113.1:27480");
        if (i % 3 == 0)
            snprintf(written.certificate, sizeof written.certificate, CERTIFICATE);
        invitation_line(&written, line);
        strcat(line, "\n");
        assert_true(invitation_read(&read, line));
        assert_int_equal(read.reach, i);
        assert_string_equal(read.address, written.address);
        assert_string_equal(read.fingerprint, KEY);
        assert_string_equal(read.certificate, written.certificate);
        assert_string_equal(read.through, written.through);
    }
}

TEST(the_longest_link_has_room)
{
    struct invitation invitation = {.fingerprint = KEY, .certificate = CERTIFICATE};
    char link[INVITATION_LINK_BYTES], line[INVITATION_LINE_BYTES];
    memset(invitation.address, '1', sizeof invitation.address - 1);
    memset(invitation.through, '1', sizeof invitation.through - 1);
    invitation.reach = INVITATION_DIRECTORY;
    invitation_link(&invitation, link);
    assert_int_equal(strlen(link),
                     strlen("deadfall://") + 2 * (sizeof invitation.address - 1) + strlen("#" KEY "." CERTIFICATE "@"));
    invitation_line(&invitation, line);
    assert_string_equal(line + strlen(line) - strlen(" reach=directory"), " reach=directory");
}

TEST(other_lines_are_no_invitations)
{
    static const char *const lines[] = {
        /*  0 */ "",
        /*  1 */ "ready: udp 0.0.0.0:27440 map=foundry mode=ffa key=" KEY,
        /*  2 */ "invite: deadfall://192.0.2.7:27440#" KEY,
        /*  3 */ "invite: deadfall://192.0.2.7:27440#" KEY " reach=",
        /*  4 */ "invite: deadfall://192.0.2.7:27440#" KEY " reach=nowhere",
        /*  5 */ "invite: deadfall://192.0.2.7:27440 reach=router",
        /*  6 */ "invite: deadfall://192.0.2.7:27440#short reach=router",
        /*  7 */ "invite: deadfall://192.0.2.7:27440#" KEY "a reach=router",
        /*  8 */ "invite: deadfall://192.0.2.7:27440#" KEY ". reach=router",
        /*  9 */ "invite: deadfall://192.0.2.7:27440#" KEY ".A" CERTIFICATE " reach=router",
        /* 10 */ "invite: deadfall://example.org:27440#" KEY " reach=router",
        /* 11 */ "invite: deadfall://192.0.2.7#" KEY " reach=router",
        /* 12 */ "invite: deadfall://#" KEY " reach=router",
        /* 13 */ "invite: http://192.0.2.7:27440#" KEY " reach=router",
        /* 14 */ "invite: deadfall://192.0.2.7:27440#" KEY "@203.0.113.1:27480 reach=router",
        /* 15 */ "invite: deadfall://192.0.2.7:27440#" KEY "@ reach=introduced",
        /* 16 */ "invite: deadfall://192.0.2.7:27440#" KEY " reach=introduced",
        /* 17 */ "invite: deadfall://192.0.2.7:27440#" KEY "@example.org:27480 reach=introduced",
        /* 18 */
        "invite: deadfall://1111111111111111111111111111111111111111111111111111111111111111:1#" KEY " reach=router",
    };
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        struct invitation read;
        if (invitation_read(&read, lines[i]))
            fail_msg("row %zu", i);
    }
}
