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
#include "base/platform/disk.h"
#include "base/platform/process.h"
#include "directory_http.h"
#include "listing.h"
#include "monitor/systemd_notify.h"
#include "net/net_address.h"
#include "net/udp_socket.h"
#include "notes.h"
#include "options/options.h"
#include "punch_service.h"
#include "store/store.h"

#define ROUND_NS        (20 * CLOCK_MS_NS)
#define ROUND_DATAGRAMS 512
#define LIST_NS         CLOCK_SECOND_NS        // at least between two lists
#define LIST_STILL_NS   (10 * CLOCK_SECOND_NS) // at most, so that nobody takes it for old
#define FILES_MAX       65536                  // strangers' connections are files
#define FIELD(field)    .offset = offsetof(struct settings, field)

struct settings {
    struct option_list listen;         // ADDR:PORT
    struct option_list host;           // names of the directory; none: any
    struct option_list proxy;          // ADDRESS or ADDRESS/BITS
    char publish[OPTION_TEXT_BYTES];   // folder for servers.json, or "off"
    char allocator[OPTION_TEXT_BYTES]; // URL, or "off"
    char allocator_tls[OPTION_TEXT_BYTES], allocator_fleet[OPTION_TEXT_BYTES];
    char store[OPTION_TEXT_BYTES];               // "memory", or the address of a Redis
    char store_password_file[OPTION_TEXT_BYTES]; // empty: none
    char store_tls[OPTION_TEXT_BYTES];           // folder; empty: none
    char state_dir[OPTION_TEXT_BYTES];           // empty: as the environment says
    int64_t household_servers;                   // of one household; 0: no limit
    uint32_t household_lan;                      // 0 exempt, 1 limited
    struct option_list household_exempt;         // ADDRESS or ADDRESS/BITS
    uint32_t log_level, log_format;
};

static const char *const LAN_NAMES[] = {"exempt", "limited", NULL};

static const struct option OPTIONS[] = {
    {"listen", OPTION_LIST, FIELD(listen), "0.0.0.0:27480, [::]:27480", "ADDR:PORT",
     "serve HTTP here; servers learn their address of IPv4 and IPv6 by it; repeatable"},
    {"publish", OPTION_TEXT, FIELD(publish), "off", "DIR|off",
     "also write servers.json into this directory, for any web server"},
    {"host", OPTION_LIST, FIELD(host), NULL, "HOST[:PORT]",
     "name of this directory, as servers have it in --announce; announcements for others are refused; repeatable"},
    {"proxy", OPTION_LIST, FIELD(proxy), NULL, "ADDR[/BITS]",
     "reverse proxy; its X-Forwarded-For is believed; repeatable"},
    {"household-servers", OPTION_NUMBER, FIELD(household_servers), "16", "N",
     "servers at most from one household, which is an IPv4 address or a /56 of IPv6; 0: no limit", .most = 16384},
    {"household-lan", OPTION_CHOICE, FIELD(household_lan), "exempt", NULL,
     "whether private, link-local and loopback addresses have the limits of households too", .choices = LAN_NAMES},
    {"household-exempt", OPTION_LIST, FIELD(household_exempt), NULL, "ADDR[/BITS]",
     "addresses without the limits of households, such as a fleet; repeatable"},
    {"store", OPTION_TEXT, FIELD(store), "memory", "memory|redis[s]://HOST[:PORT][/DB]",
     "share the list with other directories that have the same name, through this Redis"},
    {"store-password-file", OPTION_TEXT, FIELD(store_password_file), "", "FILE",
     "file with the password of the Redis in its first line"},
    {"store-tls", OPTION_TEXT, FIELD(store_tls), "", "DIR",
     "directory with ca.crt, and tls.crt and tls.key for mutual TLS, for a Redis at rediss://"},
    {"allocator", OPTION_TEXT, FIELD(allocator), "off", "URL|off",
     "ask this allocator of Agones for a place first, and the list if it has none: https://HOST[:PORT]"},
    {"allocator-tls", OPTION_TEXT, FIELD(allocator_tls), "", "DIR",
     "directory with tls.crt, tls.key and ca.crt, for mutual TLS with the allocator"},
    {"allocator-fleet", OPTION_TEXT, FIELD(allocator_fleet), "default/deadfall", "[NAMESPACE/]FLEET",
     "fleet in which the allocator looks for a place"},
    {"state-dir", OPTION_TEXT, FIELD(state_dir), "", "DIR",
     "directory for the key; if not given, $STATE_DIRECTORY or ~/.local/state/deadfall"},
    {"log-level", OPTION_CHOICE, FIELD(log_level), "info", NULL, "least important lines to log",
     .choices = LOG_LEVEL_NAMES},
    {"log-format", OPTION_CHOICE, FIELD(log_format), "text", NULL, "format of the log on stderr",
     .choices = LOG_FORMAT_NAMES},
};

static const struct program PROGRAM = {
    .name = "deadfall-directory",
    .summary = "Lists the servers of Deadfall that announce themselves and can be reached.",
    .options = OPTIONS,
    .option_count = sizeof OPTIONS / sizeof *OPTIONS,
    .configurable = true,
};

static struct allocator_settings allocator_of(const struct settings *settings, const struct log *log)
{
    return (struct allocator_settings){settings->allocator, settings->allocator_tls, settings->allocator_fleet, log};
}

// Checks what the table cannot. False with an error; its code is EXIT_USAGE or EXIT_CONFIG.
static bool validate(const struct settings *settings, const struct options_result *read, struct error *error)
{
    struct household_range household;
    struct address_range range;
    struct store_address store;
    char authority[2 * OPTION_TEXT_BYTES];
    bool listen_is_wrong = settings->listen.count == 0 || settings->listen.count > DIRECTORY_HTTP_LISTEN_MAX;
    bool shares = store_address_parse(settings->store, &store);
    bool has_authority =
        snprintf(authority, sizeof authority, "%s/ca.crt", settings->store_tls) < (int)sizeof authority &&
        disk_is_readable(authority);
    bool proxy_is_wrong = false, exempt_is_wrong = false;
    for (uint32_t i = 0; i < settings->listen.count; i++)
        listen_is_wrong = listen_is_wrong || !host_port_is_numeric(settings->listen.values[i]);
    for (uint32_t i = 0; i < settings->proxy.count; i++)
        proxy_is_wrong = proxy_is_wrong || !net_address_range_parse(settings->proxy.values[i], &range);
    for (uint32_t i = 0; i < settings->household_exempt.count; i++)
        exempt_is_wrong = exempt_is_wrong || !household_range_parse(settings->household_exempt.values[i], &household);
    const struct {
        bool is_wrong;
        const char *option, *text;
    } rows[] = {
        {listen_is_wrong, "listen", "--listen is ADDR:PORT such as 0.0.0.0:27480 or [::]:27480, up to eight times"},
        {!settings->publish[0], "publish", "--publish is a directory, or off"},
        {!shares && strcmp(settings->store, "memory") != 0, "store",
         "--store is memory, or redis://HOST[:PORT][/DB] such as redis://127.0.0.1:6379/0, or rediss:// for TLS"},
        {settings->store_tls[0] && (!shares || !store.is_secure || !has_authority), "store-tls",
         "--store-tls is a directory with ca.crt, and tls.crt and tls.key for mutual TLS, for --store rediss://..."},
        {proxy_is_wrong, "proxy", "--proxy is an address or ADDR/BITS, such as 127.0.0.1 or 2001:db8::/48"},
        {exempt_is_wrong, "household-exempt",
         "--household-exempt is an address or ADDR/BITS, such as 192.0.2.7, 198.51.100.0/24 or 2001:db8::/48"},
    };
    struct allocator_settings allocator = allocator_of(settings, NULL);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (rows[i].is_wrong)
            return error_set_code(error, options_given(&PROGRAM, read, rows[i].option) ? EXIT_USAGE : EXIT_CONFIG, "%s",
                                  rows[i].text);
    if (strcmp(settings->allocator, "off") != 0 && !allocator_settings_validate(&allocator, error)) {
        error->code = options_given(&PROGRAM, read, "allocator") ? EXIT_USAGE : EXIT_CONFIG;
        return false;
    }
    return true;
}

struct service {
    struct settings settings;
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

// Loads the key, and makes what answers others. EXIT_OK, or the exit code of a logged error.
static int open_service(struct service *service)
{
    const struct settings *settings = &service->settings;
    char path[2 * OPTION_TEXT_BYTES];
    uint8_t seed[IDENTITY_SEED_BYTES];
    struct rlimit limit;
    struct error error = {.text = "there is no directory for the key; set --state-dir or HOME"};
    if (!file_in_state_dir(settings->state_dir, getenv, "directory.key", path, sizeof path) ||
        !identity_load(path, seed, &error)) {
        log_write(&service->log, LOG_ERROR, "%s", error.text);
        return EXIT_IO;
    }
    process_lock_memory(service->secret, sizeof service->secret);
    signed_text_keys(seed, service->key, service->secret);
    sodium_memzero(seed, sizeof seed);
    identity_fingerprint(service->key, service->fingerprint);
    if (getrlimit(RLIMIT_NOFILE, &limit) == 0) {
        limit.rlim_cur = limit.rlim_max < FILES_MAX ? limit.rlim_max : FILES_MAX;
        setrlimit(RLIMIT_NOFILE, &limit);
    }
    if (strcmp(settings->publish, "off") != 0) {
        snprintf(service->list_path, sizeof service->list_path, "%s/servers.json", settings->publish);
        file_make_folders(service->list_path);
    }
    struct household_rules households = {.players_max = (uint32_t)settings->household_servers,
                                         .limits_lan = settings->household_lan == 1};
    for (uint32_t i = 0; i < settings->household_exempt.count; i++)
        households.exempt_count +=
            household_range_parse(settings->household_exempt.values[i], &households.exempt[households.exempt_count]);
    for (uint32_t i = 0; i < settings->host.count; i++)
        service->hosts[i] = settings->host.values[i];
    struct store_settings store = {settings->store, settings->store_password_file, settings->store_tls,
                                   service->secret};
    struct allocator_settings allocator = allocator_of(settings, &service->log);
    struct directory_http_settings http = {.listen = &settings->listen,
                                           .proxy = &settings->proxy,
                                           .host = service->hosts[0],
                                           .allocator = strcmp(settings->allocator, "off") == 0 ? NULL : &allocator};
    bool shares = strcmp(settings->store, "memory") != 0;
    error_set(&error, "out of memory");
    service->directory = malloc(sizeof *service->directory);
    bool good = service->directory != NULL && udp_socket_open_query(&service->udp, &error);
    if (service->directory) {
        directory_init(service->directory, &service->log, &households);
        service->directory->hosts = (struct directory_hosts){settings->host.count, service->hosts};
    }
    good = good && (service->directory->notes = notes_open(&service->directory->households)) != NULL;
    if (good && shares)
        good = (service->store = store_open(&store, service->directory, &service->lock, &error)) != NULL;
    if (good)
        service->http = directory_http_open(&http, service->directory, &service->lock, &error);
    if (!service->http) {
        log_write(&service->log, LOG_ERROR, "%s", error.text);
        return EXIT_UNAVAILABLE;
    }
    return EXIT_OK;
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
    // A disk that is full is reported once; the list goes on over HTTP.
    bool is_written = !service->list_path[0] || file_write_public(service->list_path, text, byte_count);
    if (!is_written && !service->cannot_write)
        log_write(&service->log, LOG_ERROR, "cannot write %s: %s", service->list_path, strerror(errno));
    service->cannot_write = !is_written;
    directory_http_set_list(service->http, text, byte_count);
}

// One round: hears proofs and asks for others, forgets who is gone, introduces clients, and makes the list.
static void serve(struct service *service)
{
    char status[80];
    uint8_t bytes[DATAGRAM_BYTES_MAX];
    struct datagram datagram = {.now_ns = clock_now_ns(), .bytes = bytes};
    for (uint32_t i = 0; i < ROUND_DATAGRAMS; i++) {
        datagram.byte_count = udp_socket_receive(&service->udp, datagram.now_ns, &datagram.from, bytes);
        if (datagram.byte_count == 0)
            break;
        pthread_mutex_lock(&service->lock);
        listing_hear(service->directory, &datagram);
        pthread_mutex_unlock(&service->lock);
    }
    struct net_address to;
    size_t byte_count;
    uint64_t now_ns = clock_now_ns();
    pthread_mutex_lock(&service->lock);
    while ((byte_count = listing_ask(service->directory, now_ns, &to, bytes)) > 0)
        udp_socket_send(&service->udp, now_ns, &to, bytes, byte_count);
    directory_sweep(service->directory, now_ns);
    snprintf(status, sizeof status, "knows %u servers", service->directory->used);
    pthread_mutex_unlock(&service->lock);
    punch_service_serve(&service->punch, service->directory, &service->lock);
    make_list(service);
    systemd_notify_send(&service->notify, ++service->rounds, false, status, clock_now_ns());
}

static int run(struct service *service)
{
    struct error error;
    int code = open_service(service);
    if (code != EXIT_OK)
        return code;
    // Under the number of the first HTTP port, if that is free.
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
    service->listed_ns = clock_now_ns() - LIST_STILL_NS;
    make_list(service);
    printf("ready: http");
    for (uint32_t i = 0; i < service->settings.listen.count; i++)
        printf(" %u", directory_http_port(service->http, i));
    printf(" key=%s\n", service->fingerprint);
    if (fflush(stdout) != 0)
        log_write(&service->log, LOG_WARNING, "cannot write the ready line: %s", strerror(errno));
    if (!systemd_notify_open(&service->notify, getenv, getpid(), &error))
        log_write(&service->log, LOG_WARNING, "%s", error.text);
    systemd_notify_phase(&service->notify, SYSTEMD_NOTIFY_READY, clock_now_ns());
    while (!stops) {
        serve(service);
        udp_socket_wait(&service->punch.first, clock_now_ns() + ROUND_NS);
    }
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
    enum options_outcome outcome = options_read(&PROGRAM, &service.settings, argc, argv, getenv, stdout, &options);
    if (outcome == OPTIONS_WRONG)
        return refuse(&options.error);
    if (outcome == OPTIONS_DONE && !options.check_config)
        return EXIT_OK;
    if (!validate(&service.settings, &options, &options.error))
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
    if (service.directory)
        notes_close(service.directory->notes);
    directory_clear(service.directory);
    free(service.directory);
    sodium_memzero(service.secret, sizeof service.secret);
    return code;
}
