// SPDX-License-Identifier: MIT
//
// Tests virtual time for several processes: each wait ends exactly when it should, or when what it waits for is there;
// processes that end, well or not, stop nobody.
#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "test.h"
#include "virtual_time.h"

#define HOUR_NS (3600 * CLOCK_SECOND_NS)

static char folder[] = "/tmp/virtual_time_XXXXXX";

static void begin(void)
{
    char path[64];
    snprintf(path, sizeof path, "%s/page", mkdtemp(folder));
    assert_true(virtual_time_begin(path));
}

static void end(void)
{
    char command[64];
    snprintf(command, sizeof command, "rm -r %s", folder);
    assert_int_equal(system(command), 0);
}

ALL_TESTS(begin, end);

// A child that sleeps, says a letter, and ends; or is killed.
static pid_t start_child(uint64_t sleeps_ns, int file, int signal)
{
    pid_t process = fork();
    if (process != 0)
        return process;
    clock_sleep(sleeps_ns);
    if (write(file, "x", 1) != 1 || signal)
        raise(signal);
    _exit(7);
}

TEST(a_sleep_of_an_hour_is_exact_and_takes_no_time)
{
    struct timespec hour = {.tv_sec = 3600};
    uint64_t before_ns = clock_now_ns();
    int64_t before_s = clock_unix_s();
    assert_int_equal(nanosleep(&hour, NULL), 0);
    assert_int_equal(clock_now_ns() - before_ns, HOUR_NS);
    clock_sleep_until(before_ns + 2 * HOUR_NS);
    assert_int_equal(clock_now_ns() - before_ns, 2 * HOUR_NS);
    assert_int_equal(poll(NULL, 0, 1500), 0);
    assert_int_equal(clock_now_ns() - before_ns, 2 * HOUR_NS + 1500 * CLOCK_MS_NS);
    assert_int_equal(clock_unix_s() - before_s, 7201);
}

TEST(a_wait_ends_when_another_process_writes)
{
    int ends[2], status;
    assert_int_equal(pipe(ends), 0);
    uint64_t before_ns = clock_now_ns();
    pid_t late = start_child(3 * CLOCK_SECOND_NS, ends[1], 0), early = start_child(CLOCK_SECOND_NS, ends[1], 0);
    struct pollfd readable = {.fd = ends[0], .events = POLLIN};
    assert_int_equal(poll(&readable, 1, 60000), 1);
    assert_int_equal(clock_now_ns() - before_ns, CLOCK_SECOND_NS);
    assert_int_equal(waitpid(early, &status, 0), early);
    assert_int_equal(WEXITSTATUS(status), 7);
    assert_int_equal(waitpid(late, &status, 0), late);
    assert_in_range(clock_now_ns() - before_ns, 3 * CLOCK_SECOND_NS, 3 * CLOCK_SECOND_NS + 2 * CLOCK_MS_NS);
    close(ends[0]);
    close(ends[1]);
}

TEST(an_answer_of_another_process_takes_no_time)
{
    int ask[2], answer[2];
    char byte;
    assert_int_equal(pipe(ask) + pipe(answer), 0);
    pid_t process = fork();
    struct pollfd asked = {.fd = ask[0], .events = POLLIN};
    while (process == 0) // its child
        if (poll(&asked, 1, 60000) != 1 || read(ask[0], &byte, 1) != 1 || write(answer[1], &byte, 1) != 1)
            _exit(1);
    struct pollfd answered = {.fd = answer[0], .events = POLLIN};
    clock_sleep(CLOCK_SECOND_NS);
    for (int i = 0; i < 100; i++) {
        uint64_t before_ns = clock_now_ns();
        assert_int_equal(write(ask[1], "x", 1), 1);
        assert_int_equal(poll(&answered, 1, 1000), 1);
        assert_int_equal(read(answer[0], &byte, 1), 1);
        assert_int_equal(clock_now_ns() - before_ns, 0);
    }
    kill(process, SIGKILL);
    assert_int_equal(waitpid(process, NULL, 0), process);
    for (int i = 0; i < 2; i++) {
        close(ask[i]);
        close(answer[i]);
    }
}

TEST(a_process_that_is_killed_stops_nobody)
{
    int ends[2], status;
    assert_int_equal(pipe(ends), 0);
    pid_t process = start_child(CLOCK_SECOND_NS, ends[1], SIGKILL); // while it has the turn
    assert_int_equal(waitpid(process, &status, 0), process);
    assert_true(WIFSIGNALED(status));
    process = start_child(HOUR_NS, ends[1], 0);
    clock_sleep(CLOCK_SECOND_NS);
    assert_int_equal(kill(process, SIGKILL), 0); // while it waits
    assert_int_equal(waitpid(process, &status, 0), process);
    uint64_t before_ns = clock_now_ns();
    clock_sleep(CLOCK_SECOND_NS);
    assert_int_equal(clock_now_ns() - before_ns, CLOCK_SECOND_NS);
    close(ends[0]);
    close(ends[1]);
}

TEST(a_datagram_is_dated_when_it_was_sent)
{
    int file = socket(AF_INET, SOCK_DGRAM, 0), on = 1;
    struct sockaddr_in own = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof own;
    assert_int_equal(bind(file, (struct sockaddr *)&own, size), 0);
    assert_int_equal(getsockname(file, (struct sockaddr *)&own, &size), 0);
    assert_int_equal(setsockopt(file, SOL_SOCKET, SO_TIMESTAMPNS, &on, sizeof on), 0);
    clock_sleep(CLOCK_SECOND_NS);
    uint64_t sent_ns = clock_unix_ns();
    assert_int_equal(sendto(file, "x", 1, 0, (struct sockaddr *)&own, size), 1);
    clock_sleep(CLOCK_SECOND_NS);
    char byte, control[CMSG_SPACE(sizeof(struct timespec))];
    struct iovec piece = {&byte, 1};
    struct mmsghdr message = {
        .msg_hdr = {.msg_iov = &piece, .msg_iovlen = 1, .msg_control = control, .msg_controllen = sizeof control}};
    struct timespec stamp;
    assert_int_equal(recvmmsg(file, &message, 1, 0, NULL), 1);
    memcpy(&stamp, CMSG_DATA(CMSG_FIRSTHDR(&message.msg_hdr)), sizeof stamp);
    assert_int_equal((uint64_t)stamp.tv_sec * CLOCK_SECOND_NS + (uint64_t)stamp.tv_nsec, sent_ns);
    close(file);
}

// The last bytes of the first numbers of SplitMix64.
TEST(chance_is_the_same_in_each_run)
{
    uint8_t bytes[4];
    assert_int_equal(getrandom(bytes, sizeof bytes, 0), sizeof bytes);
    assert_memory_equal(bytes, ((uint8_t[]){0xAF, 0xF4, 0x4F, 0xEC}), sizeof bytes);
}

TEST(a_loop_that_only_reads_the_clock_ends)
{
    uint64_t before_ns = clock_now_ns();
    while (clock_now_ns() - before_ns < 5000)
        continue;
}
