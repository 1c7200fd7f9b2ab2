// SPDX-License-Identifier: MIT
#include "records_queues.h"

#include <math.h>
#include <string.h>
#include <strings.h>

_Static_assert(VOUCH_NAME_BYTES == PLAYER_NAME_BYTES, "names of players");

static struct records_question *question_of(struct records_questions *questions, uint64_t number)
{
    return &questions->of[number % ANSWERS_CAPACITY];
}

uint64_t records_question_put(struct records_questions *questions, enum records_subject subject, const char *argument)
{
    if (answers_open(&questions->answers) == RECORDS_QUESTION_CAPACITY || strlen(argument) >= OPTION_TEXT_BYTES)
        return 0;
    uint64_t number = answers_ask(&questions->answers);
    struct records_question *question = question_of(questions, number);
    question->subject = subject;
    question->is_fetched = false;
    strcpy(question->argument, argument);
    return number;
}

struct records_question *records_question_next(struct records_questions *questions)
{
    return answers_open(&questions->answers) > 0 ? question_of(questions, questions->answers.answered + 1) : NULL;
}

void records_question_answer(struct records_questions *questions, const struct records_answer *answer)
{
    uint64_t number = questions->answers.answered + 1;
    question_of(questions, number)->answer = *answer;
    answers_give(&questions->answers, number, answer->done ? ANSWER_DONE : ANSWER_FAILED, NULL);
}

bool records_question_take(struct records_questions *questions, uint64_t number, struct records_answer *answer)
{
    enum answer_outcome outcome = answers_look(&questions->answers, number)->outcome;
    struct records_question *question = question_of(questions, number);
    // a question that is asked already may have the row of one that is forgotten
    if ((outcome != ANSWER_DONE && outcome != ANSWER_FAILED) || question->is_fetched ||
        questions->answers.asked - number >= ANSWERS_CAPACITY)
        return false;
    *answer = question->answer;
    return question->is_fetched = true;
}

bool records_own_ask(struct records_own *own, const struct seat_key *key)
{
    if (own->asked_put - own->asked_got == RECORDS_ASKED_CAPACITY)
        return false;
    own->asked[own->asked_put++ % RECORDS_ASKED_CAPACITY] = *key;
    return true;
}

bool records_own_take_asked(struct records_own *own, struct seat_key *key)
{
    if (own->asked_put == own->asked_got)
        return false;
    *key = own->asked[own->asked_got++ % RECORDS_ASKED_CAPACITY];
    return true;
}

void records_own_put_found(struct records_own *own, const struct records_mail *mail)
{
    if (own->found_put - own->found_got == RECORDS_FOUND_CAPACITY)
        own->found_got++;
    own->found[own->found_put++ % RECORDS_FOUND_CAPACITY] = *mail;
}

bool records_own_take_found(struct records_own *own, struct records_mail *mail)
{
    if (own->found_put == own->found_got)
        return false;
    *mail = own->found[own->found_got++ % RECORDS_FOUND_CAPACITY];
    return true;
}

void records_vouches_begin(struct records_vouches *vouches, const uint8_t seed[IDENTITY_SEED_BYTES],
                           const struct option_list *trust)
{
    vouch_keys(seed, vouches->server, vouches->secret);
    vouches->has_key = true;
    for (uint32_t i = 0; i < trust->count && i < RECORDS_TRUST_MAX; i++)
        if (identity_fingerprint_is_valid(trust->values[i]))
            memcpy(vouches->trusted[vouches->trusted_count++], trust->values[i], FINGERPRINT_TEXT_BYTES);
}

bool records_vouches_trust(const struct records_vouches *vouches, const char *fingerprint)
{
    for (uint32_t i = 0; i < vouches->trusted_count; i++)
        if (strcmp(vouches->trusted[i], fingerprint) == 0)
            return true;
    return false;
}

bool records_vouches_show(struct records_vouches *vouches, const struct seat_key *key, const uint8_t bytes[VOUCH_BYTES])
{
    if (vouches->shown_count == RECORDS_SHOWN_CAPACITY)
        return false;
    struct records_vouch *shown = &vouches->shown[vouches->shown_count++];
    shown->key = *key;
    memcpy(shown->bytes, bytes, VOUCH_BYTES);
    return true;
}

bool records_vouches_take_shown(struct records_vouches *vouches, struct records_vouch *shown)
{
    if (vouches->shown_count == 0)
        return false;
    *shown = vouches->shown[0];
    memmove(vouches->shown, vouches->shown + 1, --vouches->shown_count * sizeof *vouches->shown);
    return true;
}

bool records_vouches_judge(const struct records_vouches *vouches, const struct records_vouch *shown, int64_t unix_time,
                           struct vouch *vouch)
{
    return vouch_read(vouch, shown->bytes, VOUCH_BYTES) &&
           memcmp(vouch->player, shown->key.identity, sizeof vouch->player) == 0 && vouch->local == shown->key.local &&
           records_vouches_trust(vouches, vouch->fingerprint) && vouch_is_current(vouch, unix_time);
}

void records_vouches_sign(const struct records_vouches *vouches, const struct records_player *player, int64_t unix_time,
                          struct records_vouch *made)
{
    struct vouch vouch = {.local = player->key.local,
                          .mean = (int32_t)lround(player->rating.mean * 100),
                          .deviation = (uint32_t)lround(player->rating.deviation * 100),
                          .matches = player->matches < UINT32_MAX ? (uint32_t)player->matches : UINT32_MAX,
                          .made_s = (uint32_t)unix_time,
                          .expires_s = (uint32_t)unix_time + VOUCH_LIFE_S};
    memcpy(vouch.server, vouches->server, sizeof vouch.server);
    memcpy(vouch.player, player->key.identity, sizeof vouch.player);
    strcpy(vouch.name, player->name);
    made->key = player->key;
    vouch_write(&vouch, vouches->secret, made->bytes);
}

void records_vouches_set_names(struct records_vouches *vouches, const struct records_name *names, uint32_t count)
{
    uint32_t kept = 0;
    bool same = true;
    for (uint32_t i = 0; i < count && kept < RECORDS_NAMES_CAPACITY; i++) {
        if (!records_vouches_trust(vouches, names[i].server))
            continue;
        same = same && kept < vouches->name_count && memcmp(&vouches->names[kept], &names[i], sizeof *names) == 0;
        vouches->names[kept++] = names[i];
    }
    vouches->name_changes += !same || kept != vouches->name_count;
    vouches->name_count = kept;
}

// The first vouch with a name counts.
bool records_vouches_keep(const struct records_vouches *vouches, const struct seat_key *key, const char *name)
{
    for (uint32_t i = 0; i < vouches->name_count; i++)
        if (strcasecmp(vouches->names[i].name, name) == 0)
            return !key || memcmp(vouches->names[i].identity, key->identity, sizeof key->identity) != 0;
    return false;
}
