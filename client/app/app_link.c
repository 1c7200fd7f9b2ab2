// SPDX-License-Identifier: MIT
#include "app_link.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "app/menu/screens.h"
#include "app/platform/page.h"
#include "app_commands.h"
#include "app_friends.h"
#include "app_trial.h"
#include "base/file.h"
#include "base/platform/process.h"

#define SCHEME      "deadfall"
#define PATIENCE_MS 10000 ///< for a window that starts or stops a server at the moment

int app_link_register(const struct settings *settings, FILE *out, struct error *error)
{
    char program[FILE_PATH_BYTES];
    bool is_wanted = settings->links == SETTINGS_LINKS_REGISTER;
    errno = ENOENT;
    bool is_done = is_wanted ? process_path(program, sizeof program) && process_open_links(SCHEME, program)
                             : process_open_no_links(SCHEME);
    if (!is_done && errno == ENOSYS)
        error_set_code(
            error, EXIT_UNAVAILABLE,
            "Here desktops open links with a program that has an entry in the menu for them; packages bring it, and "
            "README.txt of the archive has the lines that make it.");
    else if (!is_done)
        error_set_code(error, EXIT_IO, "The list of programs that open links cannot be changed: %s.", strerror(errno));
    if (!is_done)
        return (int)error->code;
    if (is_wanted)
        fprintf(out, "%s opens " SCHEME ":// links from now on.\n", program);
    else
        fputs("No program opens " SCHEME ":// links any more.\n", out);
    return EXIT_OK;
}

bool app_link_hand_over(const struct app_config *config)
{
    const struct settings *settings = config->settings;
    if (!settings->follows_link || !line_socket_ask(settings->link_socket, settings->connect, PATIENCE_MS))
        return false;
    log_write(config->log, LOG_INFO, "The window that is open follows %s.", settings->connect);
    return true;
}

// Runs for pictures and by a script play what they were told to.
void app_link_open(struct app *app)
{
    const struct settings *settings = app->config->settings;
    struct error error;
    if (!settings->link_socket[0] || settings->frames || app->config->script)
        return;
    app->links = line_socket_open(settings->link_socket, &error);
    if (!app->links)
        log_write(app->config->log, LOG_DEBUG, "%s", error.text);
}

void app_link_close(struct app *app)
{
    line_socket_close(app->links);
    app->links = NULL;
}

// This player has sent it, but a web page may have made it up.
static bool is_link(const char *line)
{
    struct address address;
    struct error error;
    uint8_t key[FRIEND_KEY_BYTES];
    size_t length = strlen(line);
    if (friend_key_read(line, key))
        return true;
    for (size_t i = 0; i < length; i++)
        if (line[i] <= ' ' || line[i] > '~')
            return false;
    return address_is_link(line) && length < OPTION_TEXT_BYTES && address_read(&address, line, &error);
}

// In a match the player is asked first.
static void follow(struct app *app, const char *link)
{
    struct menu_facts *facts = &app->menu.facts;
    window_raise(&app->window);
    if (app_friends_open_link(app, link))
        return;
    snprintf(facts->followed, sizeof facts->followed, "%.*s", (int)sizeof facts->followed - 1, link);
    if (local_players_client(&app->local) || app->trial.course)
        menu_open_alone(&app->menu, &SCREEN_FOLLOW);
    else
        app_join_address(app, link);
}

static void take_links(struct app *app)
{
    const char *line;
    char link[LINE_SOCKET_BYTES] = "";
    while (app->links && (line = line_socket_next(app->links))) {
        bool good = is_link(line);
        if (good)
            snprintf(link, sizeof link, "%s", line);
        log_write(app->config->log, LOG_DEBUG, good ? "link %s" : "refuses a link", line);
        line_socket_answer(app->links, good, good ? "" : "that is no link to a match");
    }
    if (link[0])
        follow(app, link);
}

// Returns who can join a guest's server: as it has been joined at that address, it can be again.
static enum invitation_reach reach_of_joined(const struct address *joined)
{
    struct net_address address;
    bool is_number = net_address_parse(&address, joined->host, joined->port);
    if (is_number && ip_address_is_loopback(&address))
        return INVITATION_MACHINE;
    if (joined->through[0])
        return INVITATION_INTRODUCED;
    return is_number && !ip_address_is_public(&address) ? INVITATION_NEARBY : INVITATION_DIRECTORY;
}

static void update_invitation(struct app *app)
{
    struct menu_invitation *known = &app->menu.facts.invitation;
    const struct address *joined = &app->local.address;
    char link[sizeof known->link] = "";
    enum invitation_reach reach = INVITATION_WAITING;
    local_server_listen(&app->host);
    const struct invitation *hosted = &app->host.invitation;
    if (app->menu.facts.open_port && hosted->address[0]) {
        invitation_link(hosted, link);
        reach = hosted->reach;
        known->port = app->host.port;
    } else if (app->menu.facts.in_match && !app->menu.facts.hosting) {
        address_link(joined, link, sizeof link);
        reach = reach_of_joined(joined);
        known->port = joined->port;
    }
    page_link(link, sizeof link);
    bool is_new = strcmp(link, known->link) != 0;
    if (!is_new && known->reach == reach)
        return;
    known->reach = reach;
    strcpy(known->link, link);
    if (is_new)
        qr_code_make(&known->code, link);
    log_write(app->config->log, LOG_DEBUG, "invitation %s %s", link[0] ? link : "-",
              INVITATION_REACH_NAMES[known->reach]);
}

void app_link_update(struct app *app)
{
    take_links(app);
    update_invitation(app);
}
