// SPDX-License-Identifier: MIT
//
// What a server sends to a directory, signed by the server's key: that it is there, on which port, and what it plays.
// The time in it grows from each announcement to the next, so an old one cannot be sent again, and it names the
// directory, so nobody can send it to another. The address is not in it: it is the one that the announcement comes
// from. PROTOCOL.md documents the members. What is read comes from strangers: texts are short, clean and one line,
// numbers are within limits. Pure functions.
#ifndef DISCOVERY_ANNOUNCEMENT_H
#define DISCOVERY_ANNOUNCEMENT_H

#include "base/host_port.h"
#include "net/crypto/identity.h"
#include "net/webrtc.h"
#include "signed_text.h"

// --- what a list shows about a server: the same members of JSON in announcements and in lists of directories

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
bool announcement_facts_read(const json_t *object, struct server_facts *facts, struct error *error);
/// Adds the members to an object. False without memory.
bool announcement_facts_write(const struct server_facts *facts, json_t *object);
/// Returns whether a text may be a region: at most 31 letters, digits, '-', '_' and '.'; empty: none.
bool announcement_is_region(const char *text);
/// Returns whether a text may be where a match can be watched: http://... or https://..., of at most 160 ASCII
/// characters that stand for themselves.
bool announcement_is_live_url(const char *text);
/// Returns whether nothing differs but the interest, which changes all the time.
bool announcement_facts_equal(const struct server_facts *facts, const struct server_facts *other);

// --- the announcement

/// Bytes of an announcement at most.
#define ANNOUNCEMENT_BYTES_MAX 2048
/// How far its time may be from the directory's, ms.
#define ANNOUNCEMENT_CLOCK_MS 300000
/// How often a server announces itself, and how long it stays in a list without doing so, ms.
#define ANNOUNCEMENT_PERIOD_MS 20000
#define ANNOUNCEMENT_LIFE_MS   60000

struct announcement {
    uint8_t key[SIGNED_TEXT_KEY_BYTES];       ///< of the server, Ed25519; set by announcement_read()
    uint8_t server_key[IDENTITY_BYTES];       ///< the same as X25519, as in the handshake; set by announcement_read()
    char fingerprint[FINGERPRINT_TEXT_BYTES]; ///< of that, as in an invitation; set by announcement_read()
    uint64_t time_ms;                         ///< since 1970; more than in the one before
    char to[WEB_ADDRESS_AUTHORITY_BYTES];     ///< the directory, as the server was given its address
    bool leaves;                              ///< the server ends: it is to be listed no more
    uint16_t port;                            ///< UDP, never 0
    struct server_facts facts;
};

/// Signs an announcement. The caller frees the text. Null without memory.
char *announcement_write(const struct announcement *announcement, const uint8_t key[SIGNED_TEXT_KEY_BYTES],
                         const uint8_t secret[SIGNED_TEXT_SECRET_BYTES], size_t *byte_count);
/// Reads an announcement and verifies its signature. False with an error.
bool announcement_read(const char *text, size_t byte_count, struct announcement *announcement, struct error *error);

#endif
