// SPDX-License-Identifier: MIT
//
// What a list shows about a server, in announcements and in lists of directories: the same members of JSON, read and
// written here. What is read comes from strangers: texts are short, clean and one line, numbers are within limits.
#ifndef DISCOVERY_SERVER_FACTS_H
#define DISCOVERY_SERVER_FACTS_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "net/webrtc.h"

/// Bytes of texts with their final zero.
#define SERVER_FACTS_NAME_BYTES 65
#define SERVER_FACTS_WORD_BYTES 32
#define SERVER_FACTS_URL_BYTES  161
/// Places at most.
#define SERVER_FACTS_PLACES_MAX 256
/// The best match.
#define SERVER_FACTS_INTEREST_MAX 100

struct server_facts {
    char name[SERVER_FACTS_NAME_BYTES]; ///< for people
    char mode[SERVER_FACTS_WORD_BYTES], map[SERVER_FACTS_WORD_BYTES], version[SERVER_FACTS_WORD_BYTES];
    char region[SERVER_FACTS_WORD_BYTES]; ///< as the operator calls it, "eu"; "": none
    uint32_t protocol;                    ///< version of the game's protocol
    uint32_t players, bots;               ///< people, computer players
    uint32_t places;                      ///< for both; computer players give way
    bool has_password, is_closing;
    char live_url[SERVER_FACTS_URL_BYTES];           ///< where the match can be watched live; "": nowhere
    char certificate[WEBRTC_FINGERPRINT_TEXT_BYTES]; ///< by which browsers join, as in an invitation; "": they cannot
    uint32_t interest; ///< how good the match is to watch, as the server says; 0 without `live_url`
};

/// Reads the members. False with an error that says which is wrong.
bool server_facts_read(const json_t *object, struct server_facts *facts, struct error *error);
/// Adds the members to an object. False without memory.
bool server_facts_write(const struct server_facts *facts, json_t *object);
/// Returns whether a text may be a region: at most 31 letters, digits, '-', '_' and '.'; empty: none.
bool server_facts_region_is_valid(const char *text);
/// Returns whether a text may be where a match can be watched: http://... or https://..., of at most 160 ASCII
/// characters that stand for themselves.
bool server_facts_live_url_is_valid(const char *text);
/// Returns whether nothing differs but the interest, which changes all the time.
bool server_facts_equal(const struct server_facts *facts, const struct server_facts *other);

#endif
