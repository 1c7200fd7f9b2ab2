// SPDX-License-Identifier: MIT
//
// deadfall-directory: lists the servers that announce themselves. HTTP has threads of its own; this one asks servers
// for their proofs, forgets who is gone, and makes the list. The only file of the directory that handles signals and
// ends the program.
#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <sodium.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/platform/process.h"
#include "directory.h"
#include "directory_http.h"
#include "directory_settings.h"
#include "monitor/systemd_notify.h"
#include "net/udp_socket.h"
#include "notes.h"
#include "punch_service.h"
#include "store/store.h"

#define ROUND_NS        (20 * CLOCK_MS_NS)
#define ROUND_DATAGRAMS 512
#define LIST_NS         CLOCK_SECOND_NS        // at least between two lists
#define LIST_STILL_NS   (10 * CLOCK_SECOND_NS) // at most, so that nobody takes it for old

struct service {
    struct directory_settings settings;
    struct log log;
    struct directory *directory;
    pthread_mutex_t lock; // of the directory
    struct directory_http *http;
    struct store *store;
    struct udp_socket udp; // asks for proofs
    struct punch_ports punch;
    struct systemd_notify notify;
    uint8_t key[SIGNED_TEXT_KEY_BYTES], secret[SIGNED_TEXT_SECRET_BYTES];
    char fingerprint[FINGERPRINT_TEXT_BYTES];
    char list_path[FILE_PATH_BYTES]; // "": not written
    const char *hosts[OPTION_LIST_CAPACITY];
    bool cannot_write;
    uint64_t listed_ns, rounds;
};

static volatile sig_atomic_t stops;

static void on_stop(int signal_number)
{
    (void)signal_number;
    stops = 1;
}

static int refuse(const struct error *error)
{
    fprintf(stderr, "deadfall-directory: %s\n", error->text);
    return error->code;
}

static int load_key(struct service *service)
{
    char path[2 * OPTION_TEXT_BYTES];
    uint8_t seed[IDENTITY_SEED_BYTES];
    struct error error = {.text = "there is no directory for the key; set --state-dir or HOME"};
    if (!file_in_state_dir(service->settings.state_dir, getenv, "directory.key", path, sizeof path) ||
        !identity_load(path, seed, &error)) {
        log_write(&service->log, LOG_ERROR, "%s", error.text);
        return EXIT_IO;
    }
    process_lock_memory(service->secret, sizeof service->secret);
    signed_text_keys(seed, service->key, service->secret);
    sodium_memzero(seed, sizeof seed);
    identity_fingerprint(service->key, service->fingerprint);
    return EXIT_OK;
}

// Strangers' connections are files.
static void raise_file_limit(void)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) == 0) {
        limit.rlim_cur = limit.rlim_max < 65536 ? limit.rlim_max : 65536;
        setrlimit(RLIMIT_NOFILE, &limit);
    }
}

static int open_service(struct service *service)
{
    const struct directory_settings *settings = &service->settings;
    struct household_rules households = directory_settings_households(settings);
    struct store_settings store = {settings->store, settings->store_password_file, settings->store_tls,
                                   service->secret};
    struct error error = {.text = "out of memory"};
    int code = load_key(service);
    if (code != EXIT_OK)
        return code;
    raise_file_limit();
    if (strcmp(settings->publish, "off") != 0) {
        snprintf(service->list_path, sizeof service->list_path, "%s/servers.json", settings->publish);
        file_make_folders(service->list_path);
    }
    service->directory = malloc(sizeof *service->directory);
    bool good = service->directory != NULL && udp_socket_open_query(&service->udp, &error);
    if (good) {
        directory_init(service->directory, &service->log, &households);
        service->directory->notes = notes_open(&service->directory->households);
        service->directory->hosts = (struct directory_hosts){settings->host.count, service->hosts};
        for (uint32_t i = 0; i < settings->host.count; i++)
            service->hosts[i] = settings->host.values[i];
        if (service->directory->notes && strcmp(settings->store, "memory") != 0)
            service->store = store_open(&store, service->directory, &service->lock, &error);
        good = service->directory->notes && (strcmp(settings->store, "memory") == 0 || service->store);
    }
    if (good)
        service->http = directory_http_open(settings, service->directory, &service->lock, &error);
    if (!service->http) {
        log_write(&service->log, LOG_ERROR, "%s", error.text);
        return EXIT_UNAVAILABLE;
    }
    return EXIT_OK;
}

static void report_ready(const struct service *service)
{
    printf("ready: http");
    for (uint32_t i = 0; i < service->settings.listen.count; i++)
        printf(" %u", directory_http_port(service->http, i));
    printf(" key=%s\n", service->fingerprint);
    if (fflush(stdout) != 0)
        log_write(&service->log, LOG_WARNING, "cannot write the ready line: %s", strerror(errno));
}

static void hear_proofs(struct service *service)
{
    uint8_t bytes[DATAGRAM_BYTES_MAX];
    struct net_address from;
    size_t byte_count;
    uint64_t now_ns = clock_now_ns();
    for (uint32_t i = 0;
         i < ROUND_DATAGRAMS && (byte_count = udp_socket_receive(&service->udp, now_ns, &from, bytes)) > 0; i++) {
        pthread_mutex_lock(&service->lock);
        directory_hear(service->directory, &from, bytes, byte_count, now_ns);
        pthread_mutex_unlock(&service->lock);
    }
}

// A disk that is full is reported once; the list goes on over HTTP.
static void write_file(struct service *service, const char *text, size_t byte_count)
{
    if (!service->list_path[0])
        return;
    bool good = file_write_public(service->list_path, text, byte_count);
    if (!good && !service->cannot_write)
        log_write(&service->log, LOG_ERROR, "cannot write %s: %s", service->list_path, strerror(errno));
    service->cannot_write = !good;
}

static void make_list(struct service *service)
{
    struct server_list list;
    size_t byte_count;
    uint64_t now_ns = clock_now_ns();
    pthread_mutex_lock(&service->lock);
    bool is_due = now_ns - service->listed_ns >= (service->directory->has_changed ? LIST_NS : LIST_STILL_NS);
    bool good = is_due && directory_list(service->directory, (uint64_t)clock_unix_s(), &list);
    service->directory->has_changed &= !good;
    pthread_mutex_unlock(&service->lock);
    if (!good)
        return;
    service->listed_ns = now_ns;
    if (service->settings.host.count > 0)
        server_list_set_host(&list, service->settings.host.values[0]);
    char *text = server_list_write(&list, service->key, service->secret, &byte_count);
    server_list_free(&list);
    if (!text)
        return;
    write_file(service, text, byte_count);
    directory_http_set_list(service->http, text, byte_count);
}

// Under the number of the first HTTP port, if that is free.
static void open_punch(struct service *service)
{
    struct error error;
    uint16_t wanted = directory_http_port(service->http, 0);
    uint16_t port = punch_service_open(&service->punch, wanted, service->secret, &error);
    pthread_mutex_lock(&service->lock);
    service->directory->punch_port = port;
    memcpy(service->directory->public_key, service->key, sizeof service->key);
    pthread_mutex_unlock(&service->lock);
    if (port == 0)
        log_write(&service->log, LOG_WARNING, "clients are introduced to no server: %s", error.text);
    else if (port != wanted)
        log_write(&service->log, LOG_WARNING, "UDP port %u is taken; servers register at %u", wanted, port);
}

static void serve(struct service *service)
{
    char status[80];
    while (!stops) {
        hear_proofs(service);
        uint8_t bytes[REACH_QUESTION_BYTES];
        struct net_address to;
        size_t byte_count;
        uint64_t now_ns = clock_now_ns();
        pthread_mutex_lock(&service->lock);
        while ((byte_count = directory_ask(service->directory, now_ns, &to, bytes)) > 0)
            udp_socket_send(&service->udp, now_ns, &to, bytes, byte_count);
        directory_sweep(service->directory, now_ns);
        pthread_mutex_unlock(&service->lock);
        punch_service_serve(&service->punch, service->directory, &service->lock);
        make_list(service);
        pthread_mutex_lock(&service->lock);
        snprintf(status, sizeof status, "knows %u servers", service->directory->used);
        pthread_mutex_unlock(&service->lock);
        systemd_notify_send(&service->notify, ++service->rounds, false, status, clock_now_ns());
        udp_socket_wait(&service->punch.first, clock_now_ns() + ROUND_NS);
    }
}

static int run(struct service *service)
{
    struct error error;
    int code = open_service(service);
    if (code != EXIT_OK)
        return code;
    open_punch(service);
    service->listed_ns = clock_now_ns() - LIST_STILL_NS;
    make_list(service);
    report_ready(service);
    if (!systemd_notify_open(&service->notify, getenv, getpid(), &error))
        log_write(&service->log, LOG_WARNING, "%s", error.text);
    systemd_notify_phase(&service->notify, SYSTEMD_NOTIFY_READY, clock_now_ns());
    serve(service);
    systemd_notify_phase(&service->notify, SYSTEMD_NOTIFY_STOPPING, clock_now_ns());
    return EXIT_OK;
}

int main(int argc, char **argv)
{
    static struct service service = {.lock = PTHREAD_MUTEX_INITIALIZER,
                                     .udp = {.sockets = {-1, -1}},
                                     .punch = {.first = {.sockets = {-1, -1}}, .second = {.sockets = {-1, -1}}},
                                     .notify = {.socket = -1}};
    struct options_result options;
    process_forbid_core_dumps();
    sigaction(SIGTERM, &(struct sigaction){.sa_handler = on_stop}, NULL);
    sigaction(SIGINT, &(struct sigaction){.sa_handler = on_stop}, NULL);
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN);
    enum options_outcome outcome =
        options_read(&DIRECTORY_PROGRAM, &service.settings, argc, argv, getenv, stdout, &options);
    if (outcome == OPTIONS_WRONG)
        return refuse(&options.error);
    if (outcome == OPTIONS_DONE && !options.check_config)
        return EXIT_OK;
    if (!directory_settings_validate(&service.settings, &options, &options.error))
        return refuse(&options.error);
    if (outcome == OPTIONS_DONE)
        return EXIT_OK;
    service.log = (struct log){stderr, service.settings.log_level, service.settings.log_format, clock_unix_s,
                               log_is_journal(stderr, getenv("JOURNAL_STREAM"))};
    if (sodium_init() < 0)
        return EXIT_UNAVAILABLE;
    int code = run(&service);
    directory_http_close(service.http);
    udp_socket_close(&service.udp);
    punch_service_close(&service.punch);
    systemd_notify_close(&service.notify);
    store_close(service.store);
    directory_clear(service.directory);
    free(service.directory);
    sodium_memzero(service.secret, sizeof service.secret);
    return code;
}
