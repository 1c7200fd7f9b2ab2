// SPDX-License-Identifier: MIT
#include "player_word.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "sync/player_name.h"

const char *player_word_take(const char *line, char word[PLAYER_WORD_BYTES])
{
    line += strspn(line, " ");
    bool quoted = *line == '"';
    line += quoted;
    size_t length = strcspn(line, quoted ? "\"" : " ");
    snprintf(word, PLAYER_WORD_BYTES, "%.*s", length < PLAYER_WORD_BYTES ? (int)length : 0, line);
    line += length + (quoted && line[length] == '"');
    return line + strspn(line, " ");
}

void player_word_name(const struct match *match, const struct peer *peer, char name[PLAYER_NAME_BYTES + 1])
{
    player_name_to_text(match->roster.seats[peer->slot].name, name);
}

// Whether a word names this player: #SLOT, their name in any case, or their key.
static bool is_named(const struct match *match, const struct peer *peer, const char *word)
{
    char name[PLAYER_NAME_BYTES + 1], fingerprint[FINGERPRINT_TEXT_BYTES], number[12];
    player_word_name(match, peer, name);
    identity_fingerprint(peer->client.identity, fingerprint);
    snprintf(number, sizeof number, "#%u", peer->slot);
    return strcmp(word, number) == 0 || strcasecmp(word, name) == 0 || strcmp(word, fingerprint) == 0;
}

// Two names may differ in case alone, so the exact one wins.
const struct peer *player_word_find(const struct match *match, const char *word)
{
    const struct peer *found = NULL;
    for (uint32_t i = 0; i < MATCH_PEER_CAPACITY && *word; i++) {
        const struct peer *peer = &match->peers[i];
        char name[PLAYER_NAME_BYTES + 1];
        if (!peer_has_seat(peer) || !is_named(match, peer, word))
            continue;
        player_word_name(match, peer, name);
        if (strcmp(name, word) == 0)
            return peer;
        found = peer;
    }
    return found;
}

bool player_word_refuse(struct command_call *call, const char *word)
{
    if (!*word)
        return command_call_refuse(call, "Who? Give a name (in \"quotes\" if it has blanks), #SLOT, or a key.");
    return command_call_refuse(call, "There is no player \"%s\". status lists the players.", word);
}
