// SPDX-License-Identifier: MIT
//
// A server in a page, where there are no threads, no sockets of the system and no database: what it lacks, and says so.
#include <stddef.h>

#include "admin/admin_socket.h"
#include "lifecycle/settings.h"
#include "monitor/agones.h"
#include "monitor/http_server.h"
#include "monitor/page/page_server.h"
#include "monitor/reach/announcer.h"
#include "options/options.h"
#include "records/records.h"

// Where no other program of the user can connect.

int admin_socket_open(struct admin_socket **socket, struct admin_state *admin)
{
    *socket = NULL;
    log_write(admin->log, LOG_INFO, "this system has no admin socket");
    return EXIT_OK;
}

void admin_socket_serve(struct admin_socket *socket, uint64_t now_ns)
{
    (void)socket, (void)now_ns;
}

bool admin_socket_is_used(const struct admin_socket *socket)
{
    (void)socket;
    return false;
}

void admin_socket_close(struct admin_socket *socket)
{
    (void)socket;
}

// Where a server belongs to no fleet.

struct agones *agones_open(uint16_t port, const char *fingerprint, struct status_publisher *publisher,
                           const struct log *log)
{
    (void)port, (void)fingerprint, (void)publisher;
    log_write(log, LOG_ERROR, "on this system a server belongs to no fleet: leave --agones off");
    return NULL;
}

bool agones_wants_shutdown(const struct agones *agones)
{
    (void)agones;
    return false;
}

void agones_close(struct agones *agones)
{
    (void)agones;
}

// Where a server is in no list, because nobody else can reach it.

struct announcer *announcer_open(const struct announcer_config *config)
{
    (void)config;
    return NULL;
}

void announcer_set_password(struct announcer *announcer, bool has_password)
{
    (void)announcer, (void)has_password;
}

void announcer_set_port(struct announcer *announcer, uint16_t port)
{
    (void)announcer, (void)port;
}

uint32_t announcer_read(struct announcer *announcer, struct announcer_row rows[ANNOUNCER_ROWS_MAX])
{
    (void)announcer, (void)rows;
    return 0;
}

uint32_t announcer_punch(struct announcer *announcer,
                         struct punch_host_directory directories[PUNCH_HOST_DIRECTORIES_MAX])
{
    (void)announcer, (void)directories;
    return 0;
}

uint32_t announcer_own(struct announcer *announcer, struct net_address own[ANNOUNCER_ROWS_MAX])
{
    (void)announcer, (void)own;
    return 0;
}

void announcer_close(struct announcer *announcer, bool leaves)
{
    (void)announcer, (void)leaves;
}

// Where a program cannot serve the web.

struct http_server *http_server_open(const char *address_text, struct status_publisher *publisher,
                                     const struct status_server *server, struct error *error)
{
    (void)address_text, (void)publisher, (void)server;
    error_set(error, "on this system a server has no metrics: leave --metrics off");
    return NULL;
}

uint16_t http_server_port(const struct http_server *http)
{
    (void)http;
    return 0;
}

void http_server_close(struct http_server *http)
{
    (void)http;
}

// Where a program cannot serve the web.

bool page_server_check(const struct page_config *config, struct error *error)
{
    (void)config;
    return error_set_code(error, EXIT_UNAVAILABLE, "on this system a server has no page: leave --page off");
}

struct page_server *page_server_open(const struct page_config *config, struct error *error)
{
    page_server_check(config, error);
    return NULL;
}

uint16_t page_server_port(const struct page_server *server)
{
    (void)server;
    return 0;
}

uint32_t page_server_stale(const struct page_server *server)
{
    (void)server;
    return 0;
}

const struct page_site *page_server_site(const struct page_server *server)
{
    (void)server;
    return NULL;
}

void page_server_close(struct page_server *server)
{
    (void)server;
}

// Where there is no database: nobody has records, as with --records off.

struct records *records_begin(const struct settings *settings, const struct log *log)
{
    (void)settings, (void)log;
    return NULL;
}

void records_update(struct records *records, const struct match *match)
{
    (void)records, (void)match;
}

void records_close(struct records *records)
{
    (void)records;
}

uint32_t records_top(struct records *records, uint32_t count, struct records_player *players)
{
    (void)records, (void)count, (void)players;
    return 0;
}

uint64_t records_player(struct records *records, const char *name)
{
    (void)records, (void)name;
    return 0;
}

uint64_t records_export_csv(struct records *records, const char *path)
{
    (void)records, (void)path;
    return 0;
}

bool records_answer(struct records *records, uint64_t question, struct records_answer *answer)
{
    (void)records, (void)question, (void)answer;
    return false;
}

void records_begin_vouches(struct records *records, const uint8_t seed[IDENTITY_SEED_BYTES],
                           const struct option_list *trust)
{
    (void)records, (void)seed, (void)trust;
}

void records_show_vouch(void *records, const struct seat_key *key, const uint8_t bytes[VOUCH_BYTES])
{
    (void)records, (void)key, (void)bytes;
}

bool records_keep_name(void *records, const struct seat_key *key, const char *name)
{
    (void)records, (void)key, (void)name;
    return false;
}

bool records_names_changed(struct records *records)
{
    (void)records;
    return false;
}

void records_ask_own(void *records, const struct seat_key *key)
{
    (void)records, (void)key;
}

bool records_take_own(struct records *records, struct records_mail *mail)
{
    (void)records, (void)mail;
    return false;
}

void records_report(struct records *records, struct server_health *health)
{
    (void)records, (void)health;
}
