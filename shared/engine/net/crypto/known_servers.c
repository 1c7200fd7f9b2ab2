// SPDX-License-Identifier: MIT
#include "known_servers.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "base/host_port.h"
#include "base/platform/disk.h"
#include "identity.h"
#include "net/net_address.h"

#define LINE_BYTES 512

// In small letters, without the dot at the end; "" if it is too long for a name.
static void simplify(const char *host, char simple[HOST_BYTES])
{
    size_t length = strlen(host);
    length -= length > 1 && host[length - 1] == '.';
    length = length < HOST_BYTES ? length : 0;
    for (size_t i = 0; i < length; i++)
        simple[i] = (char)(host[i] >= 'A' && host[i] <= 'Z' ? host[i] - 'A' + 'a' : host[i]);
    simple[length] = 0;
}

void known_servers_name(const char *host, uint16_t port, char name[KNOWN_SERVERS_NAME_BYTES])
{
    struct net_address address;
    char simple[HOST_BYTES];
    simplify(host, simple);
    if (ip_address_parse(&address, simple, port))
        net_address_text(&address, name);
    else
        snprintf(name, KNOWN_SERVERS_NAME_BYTES, "%s:%u", simple, port);
}

bool known_servers_is_loopback(const char *host)
{
    struct net_address address;
    char simple[HOST_BYTES];
    simplify(host, simple);
    return strcmp(simple, "localhost") == 0 ||
           (ip_address_parse(&address, simple, 0) && ip_address_is_loopback(&address));
}

// Whether a name in the list is that of a server. People and older versions may have spelled it in another way.
static bool is_name_of(char *written, const char *server)
{
    char name[KNOWN_SERVERS_NAME_BYTES], *colon = strrchr(written, ':');
    uint16_t port;
    if (strcmp(written, server) == 0)
        return true;
    if (!colon || !host_port_parse_port(colon + 1, &port))
        return false;
    bool is_bracketed = *written == '[' && colon[-1] == ']';
    colon[is_bracketed ? -1 : 0] = 0;
    known_servers_name(written + is_bracketed, port, name);
    return strcmp(name, server) == 0;
}

// Finds the key that the list has for a server, the last line counts, and compares it. Empty: it has none.
static bool compare(const char *path, const char *server, const char *fingerprint, char known[FINGERPRINT_TEXT_BYTES],
                    struct error *error)
{
    char line[LINE_BYTES];
    *known = 0;
    FILE *file = fopen(path, "re");
    if (!file && errno != ENOENT)
        return error_set(error, "the list of known servers %s cannot be read: %s", path, strerror(errno));
    while (file && fgets(line, sizeof line, file)) {
        line[strcspn(line, "\r\n")] = 0;
        char *space = strchr(line, ' ');
        if (!space || !identity_fingerprint_is_valid(space + 1))
            continue;
        *space = 0;
        if (is_name_of(line, server))
            strcpy(known, space + 1);
    }
    if (file)
        fclose(file);
    if (!*known || strcmp(known, fingerprint) == 0)
        return true;
    return error_set(error,
                     "%s has another key than when you first met it (%s then, %s now): either it was set up again, or "
                     "somebody else answers in its place; if you trust it, remove its line from %s",
                     server, known, fingerprint, path);
}

bool known_servers_check(const char *path, const char *server, const char *fingerprint, struct error *error)
{
    char known[FINGERPRINT_TEXT_BYTES];
    return compare(path, server, fingerprint, known, error);
}

bool known_servers_has(const char *path, const char *server, const char *fingerprint)
{
    char known[FINGERPRINT_TEXT_BYTES];
    struct error error;
    return compare(path, server, fingerprint, known, &error) && *known;
}

// One write to the end: programs that do this at once do not tear each other's line.
static bool append(const char *path, const char *server, const char *fingerprint)
{
    char line[LINE_BYTES], last = '\n';
    struct disk_facts facts;
    file_make_folders(path);
    int file = disk_open(path, DISK_APPEND, DISK_OWNER);
    if (file < 0)
        return false;
    // Somebody may have edited the list and left its last line without an end.
    bool is_torn = disk_look_at(file, &facts) && facts.byte_count > 0 &&
                   disk_read_at(file, &last, 1, facts.byte_count - 1) == 1 && last != '\n';
    int length = snprintf(line, sizeof line, "%s%s %s\n", is_torn ? "\n" : "", server, fingerprint);
    bool written = length < (int)sizeof line && disk_write(file, line, (size_t)length) == length;
    return disk_close(file) && written;
}

bool known_servers_add(const char *path, const char *server, const char *fingerprint, struct error *error)
{
    char known[FINGERPRINT_TEXT_BYTES];
    if (!compare(path, server, fingerprint, known, error))
        return false;
    if (*known || append(path, server, fingerprint))
        return true;
    return error_set(error, "the list of known servers %s cannot be written: %s", path, strerror(errno));
}
