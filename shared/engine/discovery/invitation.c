// SPDX-License-Identifier: MIT
#include "invitation.h"

#include <stdio.h>
#include <string.h>

#include "base/host_port.h"

#define START  "invite: "
#define SCHEME "deadfall://"
#define REACH  " reach="

const char *const INVITATION_REACH_NAMES[] = {"waiting", "directory", "introduced", "router", "public", "silent",
                                              "refused", "carrier",   "blocked",    "nearby", "machine"};

void invitation_link(const struct invitation *invitation, char link[INVITATION_LINK_BYTES])
{
    snprintf(link, INVITATION_LINK_BYTES, SCHEME "%s%s%s%s%s%s%s", invitation->address,
             invitation->fingerprint[0] ? "#" : "", invitation->fingerprint, invitation->certificate[0] ? "." : "",
             invitation->certificate, invitation->through[0] ? "@" : "", invitation->through);
}

void invitation_line(const struct invitation *invitation, char line[INVITATION_LINE_BYTES])
{
    char link[INVITATION_LINK_BYTES];
    invitation_link(invitation, link);
    snprintf(line, INVITATION_LINE_BYTES, START "%s" REACH "%s", link, INVITATION_REACH_NAMES[invitation->reach]);
}

// Takes the next bytes as a text. False if it has no room for them.
static bool take(char *text, size_t text_bytes, const char *from, size_t byte_count)
{
    if (byte_count >= text_bytes)
        return false;
    memcpy(text, from, byte_count);
    text[byte_count] = '\0';
    return true;
}

bool invitation_read(struct invitation *invitation, const char *line)
{
    if (strncmp(line, START SCHEME, strlen(START SCHEME)) != 0)
        return false;
    const char *address = line + strlen(START SCHEME), *end = address + strcspn(address, "# ");
    const char *key = end + (*end == '#'), *key_end = key + strcspn(key, ".@ ");
    const char *certificate = key_end + (*key_end == '.'), *route = certificate + strcspn(certificate, "@ ");
    const char *through = route + (*route == '@'), *reach = through + strcspn(through, " ");
    if (strncmp(reach, REACH, strlen(REACH)) != 0)
        return false;
    const char *word = reach + strlen(REACH); // up to a blank or the end of the line
    size_t length = strcspn(word, " \r\n");
    uint32_t i = 0;
    while (i < INVITATION_REACHES &&
           (strlen(INVITATION_REACH_NAMES[i]) != length || strncmp(INVITATION_REACH_NAMES[i], word, length) != 0))
        i++;
    invitation->reach = (enum invitation_reach)i;
    return i < INVITATION_REACHES &&
           take(invitation->address, sizeof invitation->address, address, (size_t)(end - address)) &&
           take(invitation->fingerprint, sizeof invitation->fingerprint, key, (size_t)(key_end - key)) &&
           take(invitation->certificate, sizeof invitation->certificate, certificate, (size_t)(route - certificate)) &&
           take(invitation->through, sizeof invitation->through, through, (size_t)(reach - through)) &&
           host_port_is_numeric(invitation->address) && identity_fingerprint_is_valid(invitation->fingerprint) &&
           (*key_end != '.' || webrtc_frame_is_fingerprint(invitation->certificate)) &&
           (*route != '@' || host_port_is_numeric(invitation->through)) &&
           (invitation->reach == INVITATION_INTRODUCED) == (*route == '@');
}
