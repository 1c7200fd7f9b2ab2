// SPDX-License-Identifier: MIT
// Runs on the stage: every way to wait takes exactly its virtual time.
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <spawn.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "test.h"

static uint64_t now_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

// The time that a statement takes.
#define TAKES(ms, statement)                                                                                           \
    do {                                                                                                               \
        uint64_t begun_ms = now_ms();                                                                                  \
        statement;                                                                                                     \
        assert_int_equal(now_ms() - begun_ms, ms);                                                                     \
    } while (0)

static void sleep_ms(long ms)
{
    nanosleep(&(struct timespec){ms / 1000, ms % 1000 * 1000000}, NULL);
}

static struct timespec wall_after_ms(long ms)
{
    struct timespec time;
    clock_gettime(CLOCK_REALTIME, &time);
    time.tv_nsec += ms * 1000000;
    time.tv_sec += time.tv_nsec / 1000000000;
    time.tv_nsec %= 1000000000;
    return time;
}

// Something that another thread does later.
struct later {
    long ms;
    void (*act)(void *argument);
    void *argument;
    pthread_t thread;
};

static void *act_later(void *argument)
{
    struct later *later = argument;
    sleep_ms(later->ms);
    later->act(later->argument);
    return NULL;
}

static struct later *begin_later(long ms, void (*act)(void *argument), void *argument)
{
    static struct later later;
    later = (struct later){.ms = ms, .act = act, .argument = argument};
    assert_int_equal(pthread_create(&later.thread, NULL, act_later, &later), 0);
    return &later;
}

static void end_later(struct later *later)
{
    assert_int_equal(pthread_join(later->thread, NULL), 0);
}

// The time that a statement takes which waits for what another thread does then.
#define COMES(ms, act, argument, statement)                                                                            \
    do {                                                                                                               \
        struct later *other = begin_later(ms, act, argument);                                                          \
        TAKES(ms, statement);                                                                                          \
        end_later(other);                                                                                              \
    } while (0)

static void write_byte(void *argument)
{
    assert_int_equal(write(*(int *)argument, "\n", 1), 1);
}

TEST(sleeps_take_their_time)
{
    TAKES(10000, sleep(10));
    TAKES(250, usleep(250000));
    TAKES(3600000, sleep(3600));
    struct timespec wall = wall_after_ms(700);
    TAKES(700, clock_nanosleep(CLOCK_REALTIME, TIMER_ABSTIME, &wall, NULL));
    time_t date = time(NULL);
    sleep(86400);
    assert_int_equal(time(NULL) - date, 86400);
}

TEST(polls_end_at_their_time_or_when_something_comes)
{
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    struct pollfd file = {ends[0], POLLIN, 0};
    TAKES(1500, assert_int_equal(poll(&file, 1, 1500), 0));
    TAKES(0, assert_int_equal(poll(&file, 1, 0), 0));
    struct timespec most = {2, 0};
    TAKES(2000, assert_int_equal(ppoll(&file, 1, &most, NULL), 0));
    fd_set files;
    FD_ZERO(&files);
    FD_SET(ends[0], &files);
    struct timeval little = {0, 300000};
    TAKES(300, assert_int_equal(select(ends[0] + 1, &files, NULL, NULL, &little), 0));
    int set = epoll_create1(0);
    struct epoll_event event = {.events = EPOLLIN};
    assert_int_equal(epoll_ctl(set, EPOLL_CTL_ADD, ends[0], &event), 0);
    TAKES(40, assert_int_equal(epoll_wait(set, &event, 1, 40), 0));
    struct later *later = begin_later(25, write_byte, &ends[1]);
    TAKES(25, assert_int_equal(epoll_wait(set, &event, 1, -1), 1));
    TAKES(0, assert_int_equal(poll(&file, 1, -1), 1));
    end_later(later);
    close(set);
    close(ends[0]);
    close(ends[1]);
}

TEST(blocking_calls_wait_for_what_comes)
{
    int ends[2];
    char byte;
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
    COMES(1000, write_byte, &ends[1], assert_int_equal(read(ends[0], &byte, 1), 1));
    COMES(2000, write_byte, &ends[1], assert_int_equal(recv(ends[0], &byte, 1, 0), 1));
    struct timeval most = {3, 0};
    setsockopt(ends[0], SOL_SOCKET, SO_RCVTIMEO, &most, sizeof most);
    TAKES(3000, assert_int_equal(recv(ends[0], &byte, 1, 0), -1));
    assert_int_equal(errno, EAGAIN);
    TAKES(0, assert_int_equal(recv(ends[0], &byte, 1, MSG_DONTWAIT), -1));
    close(ends[0]);
    close(ends[1]);
}

static void connect_to(void *argument)
{
    int client = socket(AF_INET, SOCK_STREAM, 0);
    assert_int_equal(connect(client, argument, sizeof(struct sockaddr_in)), 0);
    close(client);
}

TEST(accept_waits_for_a_connection)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t length = sizeof address;
    int server = socket(AF_INET, SOCK_STREAM, 0);
    assert_int_equal(bind(server, (struct sockaddr *)&address, sizeof address), 0);
    assert_int_equal(getsockname(server, (struct sockaddr *)&address, &length), 0);
    assert_int_equal(listen(server, 1), 0);
    struct later *later = begin_later(400, connect_to, &address);
    int client;
    TAKES(400, client = accept(server, NULL, NULL));
    assert_true(client >= 0);
    end_later(later);
    close(client);
    close(server);
}

static void drain(void *argument)
{
    static char bytes[1 << 16];
    fcntl(*(int *)argument, F_SETFL, O_NONBLOCK);
    while (read(*(int *)argument, bytes, sizeof bytes) > 0) {
    }
}

TEST(who_writes_into_a_full_pipe_waits_for_room)
{
    static char bytes[(1 << 20) + 5000];
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    COMES(600, drain, &ends[0], assert_int_equal(write(ends[1], bytes, sizeof bytes), sizeof bytes));
    assert_false(fcntl(ends[1], F_GETFL) & O_NONBLOCK);
    close(ends[0]);
    close(ends[1]);
}

TEST(streams_read_pipes)
{
    int ends[2];
    char text[64], *line = NULL;
    size_t room = 0;
    assert_int_equal(pipe(ends), 0);
    FILE *stream = fdopen(ends[0], "r");
    COMES(100, write_byte, &ends[1], assert_string_equal(fgets(text, sizeof text, stream), "\n"));
    assert_int_equal(write(ends[1], "Ada", 3), 3);
    struct later *later = begin_later(200, write_byte, &ends[1]);
    TAKES(200, assert_int_equal(getline(&line, &room, stream), 4));
    assert_string_equal(line, "Ada\n");
    end_later(later);
    COMES(300, write_byte, &ends[1], assert_int_equal(fread(text, 1, 1, stream), 1));
    COMES(400, write_byte, &ends[1], assert_int_equal(getc(stream), '\n'));
    close(ends[1]);
    TAKES(0, assert_null(fgets(text, sizeof text, stream)));
    free(line);
    fclose(stream);
}

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;

static void signal_condition(void *argument)
{
    (void)argument;
    pthread_cond_signal(&condition);
}

static void hold_locks(void *argument)
{
    (void)argument;
    pthread_mutex_lock(&mutex);
    pthread_rwlock_wrlock(&rwlock);
    sleep_ms(500);
    pthread_rwlock_unlock(&rwlock);
    pthread_mutex_unlock(&mutex);
}

static void post(void *argument)
{
    sem_post(argument);
}

TEST(conditions_locks_and_semaphores_wait_for_others)
{
    pthread_mutex_lock(&mutex);
    COMES(800, signal_condition, NULL, pthread_cond_wait(&condition, &mutex));
    struct timespec until = wall_after_ms(900);
    TAKES(900, assert_int_equal(pthread_cond_timedwait(&condition, &mutex, &until), ETIMEDOUT));
    pthread_mutex_unlock(&mutex);
    struct later *later = begin_later(0, hold_locks, NULL);
    sleep_ms(100);
    TAKES(400, pthread_mutex_lock(&mutex));
    pthread_mutex_unlock(&mutex);
    end_later(later);
    later = begin_later(0, hold_locks, NULL);
    sleep_ms(200);
    TAKES(300, pthread_rwlock_rdlock(&rwlock));
    pthread_rwlock_unlock(&rwlock);
    end_later(later);
    sem_t semaphore;
    sem_init(&semaphore, 0, 0);
    COMES(70, post, &semaphore, sem_wait(&semaphore));
    until = wall_after_ms(30);
    TAKES(30, assert_int_equal(sem_timedwait(&semaphore, &until), -1));
    assert_int_equal(errno, ETIMEDOUT);
}

static int order[3];
static int arrivals;

static void *await_in_order(void *argument)
{
    pthread_mutex_lock(&mutex);
    pthread_cond_wait(&condition, &mutex);
    order[arrivals++] = *(int *)argument;
    pthread_mutex_unlock(&mutex);
    return NULL;
}

TEST(who_waits_first_for_a_condition_goes_on_first)
{
    pthread_t threads[3];
    int names[3] = {1, 2, 3};
    arrivals = 0;
    for (int i = 0; i < 3; i++) {
        pthread_create(&threads[i], NULL, await_in_order, &names[i]);
        sleep_ms(1);
    }
    for (int i = 0; i < 3; i++) {
        pthread_cond_signal(&condition);
        sleep_ms(1);
    }
    for (int i = 0; i < 3; i++) {
        pthread_join(threads[i], NULL);
        assert_int_equal(order[i], i + 1);
    }
}

static volatile sig_atomic_t signals_seen;

static void count_signal(int number)
{
    (void)number;
    signals_seen++;
}

TEST(timers_go_off_at_their_time)
{
    int file = timerfd_create(CLOCK_MONOTONIC, 0);
    uint64_t times;
    struct itimerspec wanted = {{0, 500000000}, {2, 0}};
    timerfd_settime(file, 0, &wanted, NULL);
    TAKES(2000, assert_int_equal(read(file, &times, sizeof times), sizeof times));
    TAKES(500, assert_int_equal(read(file, &times, sizeof times), sizeof times));
    assert_int_equal(times, 1);
    close(file);
    struct sigaction action = {.sa_handler = count_signal};
    sigaction(SIGALRM, &action, NULL);
    signals_seen = 0;
    alarm(7);
    TAKES(7000, pause());
    setitimer(ITIMER_REAL, &(struct itimerval){.it_value = {0, 250000}}, NULL);
    TAKES(250, assert_int_equal(sleep(60), 60));
    timer_t timer;
    assert_int_equal(timer_create(CLOCK_MONOTONIC, NULL, &timer), 0);
    timer_settime(timer, 0, &(struct itimerspec){.it_value = {3, 0}}, NULL);
    TAKES(3000, assert_int_equal(poll(NULL, 0, 10000), -1));
    assert_int_equal(errno, EINTR);
    timer_delete(timer);
    assert_int_equal(signals_seen, 3);
}

static void raise_later(void *argument)
{
    kill(getpid(), *(int *)argument);
}

TEST(signals_wake_those_who_wait_for_them)
{
    sigset_t set;
    int number = SIGUSR2, found = 0;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR2);
    pthread_sigmask(SIG_BLOCK, &set, NULL);
    struct timespec most = {1, 0};
    TAKES(1000, assert_int_equal(sigtimedwait(&set, NULL, &most), -1));
    struct later *later = begin_later(350, raise_later, &number);
    TAKES(350, assert_int_equal(sigwait(&set, &found), 0));
    assert_int_equal(found, SIGUSR2);
    end_later(later);
}

static pid_t begin_child(void)
{
    fflush(NULL);
    return fork();
}

TEST(children_are_waited_for)
{
    int status;
    pid_t child = begin_child();
    if (child == 0) {
        sleep(5);
        _exit(3);
    }
    TAKES(5000, assert_int_equal(waitpid(child, &status, 0), child));
    assert_int_equal(WEXITSTATUS(status), 3);
    char *const words[] = {"sleep", "4", NULL};
    assert_int_equal(posix_spawnp(&child, "sleep", NULL, NULL, words, environ), 0);
    TAKES(4000, waitpid(child, &status, 0));
    TAKES(2000, status = system("sleep 2; exit 9"));
    assert_int_equal(WEXITSTATUS(status), 9);
}

// Begins a program as Python does; it ends with 7 if the program is not there.
static pid_t begin_program(const char *path, char *const words[])
{
    pid_t child = vfork();
    if (child == 0) {
        execve(path, words, environ);
        _exit(7);
    }
    return child;
}

TEST(children_that_share_memory_are_waited_for)
{
    int status;
    char *const words[] = {"sleep", "4", NULL};
    for (int turn = 0; turn < 2; turn++) {
        pid_t sleeper = begin_program("/bin/sleep", words);
        TAKES(0, waitpid(begin_program("/nowhere", words), &status, 0));
        assert_int_equal(WEXITSTATUS(status), 7);
        TAKES(1000, sleep_ms(1000)); // the parent's own memory and slot are as before
        TAKES(3000, assert_int_equal(waitpid(sleeper, &status, 0), sleeper));
        assert_int_equal(status, 0);
    }
}

TEST(a_stopped_child_has_no_time)
{
    pid_t child = begin_child();
    if (child == 0) {
        sleep(1);
        _exit(0);
    }
    sleep_ms(500);
    kill(child, SIGSTOP);
    sleep_ms(10000);
    assert_int_equal(waitpid(child, NULL, WNOHANG), 0);
    kill(child, SIGCONT);
    TAKES(0, assert_int_equal(waitpid(child, NULL, 0), child));
    child = begin_child();
    if (child == 0)
        while (1)
            pause();
    sleep_ms(1);
    kill(child, SIGKILL);
    TAKES(0, assert_int_equal(waitpid(child, NULL, WNOHANG), child)); // it is dead when kill returns
}

TEST(locks_of_files_are_waited_for)
{
    char path[] = "/dev/shm/lockXXXXXX";
    int file = mkstemp(path);
    pid_t child = begin_child();
    if (child == 0) {
        int own = open(path, O_RDWR);
        struct flock lock = {.l_type = F_WRLCK};
        flock(own, LOCK_EX);
        fcntl(own, F_SETLK, &lock);
        sleep(6);
        flock(own, LOCK_UN);
        sleep(2);
        _exit(0);
    }
    sleep_ms(1000);
    TAKES(5000, assert_int_equal(flock(file, LOCK_EX), 0));
    struct flock lock = {.l_type = F_WRLCK};
    TAKES(2000, assert_int_equal(fcntl(file, F_SETLKW, &lock), 0));
    waitpid(child, NULL, 0);
    close(file);
    unlink(path);
}

TEST(datagrams_are_stamped_with_virtual_time)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t length = sizeof address;
    int in = socket(AF_INET, SOCK_DGRAM, 0), on = 1;
    bind(in, (struct sockaddr *)&address, sizeof address);
    getsockname(in, (struct sockaddr *)&address, &length);
    setsockopt(in, SOL_SOCKET, SO_TIMESTAMPNS, &on, sizeof on);
    sleep(10);
    struct timespec sent;
    clock_gettime(CLOCK_REALTIME, &sent);
    assert_int_equal(sendto(in, "x", 1, 0, (struct sockaddr *)&address, sizeof address), 1);
    sleep(10);
    char byte, control[128];
    struct iovec part = {&byte, 1};
    struct msghdr message = {
        .msg_iov = &part, .msg_iovlen = 1, .msg_control = control, .msg_controllen = sizeof control};
    assert_int_equal(recvmsg(in, &message, 0), 1);
    struct timespec stamp;
    memcpy(&stamp, CMSG_DATA(CMSG_FIRSTHDR(&message)), sizeof stamp);
    assert_int_equal(stamp.tv_sec, sent.tv_sec);
    assert_int_equal(stamp.tv_nsec, sent.tv_nsec);
    close(in);
}

// The receiver has a turn before its queue is full, though the sender never waits.
static void *count_datagrams(void *argument)
{
    char byte;
    long count = 0;
    while (recv(*(int *)argument, &byte, 1, 0) == 1 && byte)
        count++;
    return (void *)count;
}

TEST(who_only_sends_gives_way)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t length = sizeof address;
    int in = socket(AF_INET, SOCK_DGRAM, 0), out = socket(AF_INET, SOCK_DGRAM, 0);
    bind(in, (struct sockaddr *)&address, sizeof address);
    getsockname(in, (struct sockaddr *)&address, &length);
    pthread_t thread;
    void *count;
    pthread_create(&thread, NULL, count_datagrams, &in);
    TAKES(0, for (int i = 0; i < 10000; i++) sendto(out, "x", 1, 0, (struct sockaddr *)&address, sizeof address));
    sendto(out, "", 1, 0, (struct sockaddr *)&address, sizeof address);
    pthread_join(thread, &count);
    assert_int_equal((long)count, 10000);
    close(in);
    close(out);
}

struct outsider {
    pthread_mutex_t lock;
    pthread_cond_t bell;
    bool is_rung, is_done;
    _Atomic bool waits, works;
};

static void *live_outside(void *argument)
{
    struct outsider *outsider = argument;
    pthread_mutex_lock(&outsider->lock);
    outsider->waits = true;
    while (!outsider->is_rung)
        pthread_cond_wait(&outsider->bell, &outsider->lock);
    outsider->works = true;
    sleep_ms(20); // real ones
    outsider->is_done = true;
    pthread_mutex_unlock(&outsider->lock);
    return NULL;
}

static void await_flag(_Atomic bool *flag)
{
    while (!*flag) {
    }
}

// As jemalloc begins its own, with a function that it finds behind the stage.
TEST(a_thread_that_the_stage_has_not_begun_takes_no_time)
{
    struct outsider outsider = {.lock = PTHREAD_MUTEX_INITIALIZER, .bell = PTHREAD_COND_INITIALIZER};
    __typeof__(&pthread_create) create;
    *(void **)&create = dlsym(dlopen("libc.so.6", RTLD_LAZY | RTLD_NOLOAD), "pthread_create");
    pthread_t thread;
    assert_int_equal(create(&thread, NULL, live_outside, &outsider), 0);
    TAKES(0, await_flag(&outsider.waits));
    TAKES(0, pthread_mutex_lock(&outsider.lock));
    outsider.is_rung = true;
    pthread_cond_signal(&outsider.bell);
    pthread_mutex_unlock(&outsider.lock);
    TAKES(0, await_flag(&outsider.works));
    TAKES(0, pthread_mutex_lock(&outsider.lock));
    assert_true(outsider.is_done);
    pthread_mutex_unlock(&outsider.lock);
    pthread_join(thread, NULL);
}

TEST(a_loop_that_only_asks_takes_time_in_the_end)
{
    uint64_t begun_ms = now_ms();
    while (now_ms() == begun_ms) {
    }
    assert_int_equal(now_ms(), begun_ms + 1);
}

TEST(chance_is_the_same_in_every_run)
{
    uint64_t first = 0, second = 0;
    assert_int_equal(getrandom(&first, sizeof first, 0), sizeof first);
    assert_int_equal(getentropy(&second, sizeof second), 0);
    assert_int_not_equal(first, second);
    printf("chance: %016llx %016llx, port", (unsigned long long)first, (unsigned long long)second);
    struct sockaddr_in address = {.sin_family = AF_INET};
    socklen_t length = sizeof address;
    int file = socket(AF_INET, SOCK_DGRAM, 0);
    bind(file, (struct sockaddr *)&address, sizeof address);
    getsockname(file, (struct sockaddr *)&address, &length);
    printf(" %u, process %d\n", ntohs(address.sin_port), getpid());
    close(file);
}
