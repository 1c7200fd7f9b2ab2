// SPDX-License-Identifier: MIT
#include "links.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "address.h"
#include "app/friends/friends.h"
#include "base/file.h"
#include "base/platform/process.h"

#define SCHEME      "deadfall"
#define PATIENCE_MS 10000 ///< for a window that starts or stops a server at the moment

int links_register(const struct settings *settings, FILE *out, struct error *error)
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

bool links_hand_over(const struct settings *settings, const struct log *log)
{
    if (!settings->follows_link || !line_socket_ask(settings->link_socket, settings->connect, PATIENCE_MS))
        return false;
    log_write(log, LOG_INFO, "The window that is open follows %s.", settings->connect);
    return true;
}

struct line_socket *links_open(const struct settings *settings, const struct log *log)
{
    struct error error;
    if (!settings->link_socket[0] || settings->frames || settings->input_script[0])
        return NULL;
    struct line_socket *socket = line_socket_open(settings->link_socket, &error);
    if (!socket)
        log_write(log, LOG_DEBUG, "%s", error.text);
    return socket;
}

// This player has sent it, but a web page may have made it up.
static bool is_link(const char *line)
{
    struct address address;
    struct error error;
    for (const char *c = line; *c; c++)
        if (*c <= ' ' || *c > '~')
            return false;
    return friend_is_key(line) ||
           (address_is_link(line) && strlen(line) < OPTION_TEXT_BYTES && address_read(&address, line, &error));
}

bool links_next(struct line_socket *socket, const struct log *log, char link[LINE_SOCKET_BYTES])
{
    const char *line;
    link[0] = 0;
    while (socket && (line = line_socket_next(socket))) {
        bool good = is_link(line);
        if (good)
            snprintf(link, LINE_SOCKET_BYTES, "%s", line);
        log_write(log, LOG_DEBUG, good ? "link %s" : "refuses a link", line);
        line_socket_answer(socket, good, good ? "" : "that is no link to a match");
    }
    return link[0];
}
