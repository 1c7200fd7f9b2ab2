// SPDX-License-Identifier: MIT
//
// What is on its way between the tick and the thread of the records, in bounded queues: questions and their answers,
// players to be looked up, and vouches to be judged; also the names that are kept. Knows no threads; the lock of the
// records is held around each call but records_vouches_judge() and records_vouches_sign(), which only read the keys.
#ifndef RECORDS_RECORDS_QUEUES_H
#define RECORDS_RECORDS_QUEUES_H

#include "lifecycle/answers.h"
#include "options/options.h"
#include "records_database.h"

/// Rows that may wait for the database. If it cannot be written for so long, newer rows are lost and counted.
#define RECORDS_QUEUE_CAPACITY 2048
/// Length of the list of the best players, which is kept in memory.
#define RECORDS_TOP_CAPACITY 50

/// Questions that may wait at once.
#define RECORDS_QUESTION_CAPACITY 8
/// Bytes of an answer's text, with its final zero.
#define RECORDS_ANSWER_BYTES 2048
/// Players in an answer at most.
#define RECORDS_FOUND_MAX 5

/// What is asked for.
enum records_subject { RECORDS_PLAYER, RECORDS_EXPORT };

struct records_answer {
    bool done;                       ///< the question could be answered
    char text[RECORDS_ANSWER_BYTES]; ///< lines, each with its newline
    char path[OPTION_TEXT_BYTES];    ///< of the file that was written; empty: none
    uint32_t player_count;
    struct records_player players[RECORDS_FOUND_MAX]; ///< that the text is about, in its order
};

struct records_question {
    enum records_subject subject;
    char argument[OPTION_TEXT_BYTES]; ///< a name or a key, or the path of the file
    bool is_fetched;
    struct records_answer answer;
};

/// Questions and the newest answers. Zero-initialise.
struct records_questions {
    struct answers answers;
    struct records_question of[ANSWERS_CAPACITY]; ///< by their number
};

/// Adds a question. Returns its number, or 0 if too many wait or the argument is too long.
uint64_t records_question_put(struct records_questions *questions, enum records_subject subject, const char *argument);
/// Returns the question that has waited for longest, which stays where it is until it is answered; null: none waits.
struct records_question *records_question_next(struct records_questions *questions);
/// Answers that one.
void records_question_answer(struct records_questions *questions, const struct records_answer *answer);
/// Fetches the answer to a question. Returns true once, when the answer is there; never if many came after it.
bool records_question_take(struct records_questions *questions, uint64_t number, struct records_answer *answer);

/// Players who wait to be looked up; more are not.
#define RECORDS_ASKED_CAPACITY 256
/// Players who have been looked up and wait to be sent; the oldest make room.
#define RECORDS_FOUND_CAPACITY 512

/// What a player is to be sent: what is on record about them, and after a match a vouch.
struct records_mail {
    struct records_player player;
    bool has_vouch;
    uint8_t vouch[VOUCH_BYTES];
};

/// Zero-initialise.
struct records_own {
    uint32_t asked_put, asked_got;
    struct seat_key asked[RECORDS_ASKED_CAPACITY]; ///< a ring
    uint32_t found_put, found_got;
    struct records_mail found[RECORDS_FOUND_CAPACITY]; ///< a ring
};

/// Adds a player to be looked up. False if too many wait.
bool records_own_ask(struct records_own *own, const struct seat_key *key);
/// Takes the player who has waited for longest. False if there is none.
bool records_own_take_asked(struct records_own *own, struct seat_key *key);

/// Adds what a player is to be sent.
void records_own_put_found(struct records_own *own, const struct records_mail *mail);
/// Takes the oldest. False if there is none.
bool records_own_take_found(struct records_own *own, struct records_mail *mail);

/// Vouches that wait to be judged; the tick drops more.
#define RECORDS_SHOWN_CAPACITY 64
/// Names that are kept at most.
#define RECORDS_NAMES_CAPACITY 2048
/// Servers that are trusted at most.
#define RECORDS_TRUST_MAX 8

/// A vouch for the player with this key, or one that they show.
struct records_vouch {
    struct seat_key key;
    uint8_t bytes[VOUCH_BYTES];
};

/// Zero-initialise.
struct records_vouches {
    bool has_key;
    uint8_t server[IDENTITY_BYTES], secret[VOUCH_SECRET_BYTES];
    uint32_t trusted_count;
    char trusted[RECORDS_TRUST_MAX][FINGERPRINT_TEXT_BYTES];
    uint32_t shown_count;
    struct records_vouch shown[RECORDS_SHOWN_CAPACITY]; ///< the oldest first
    uint32_t name_count, name_changes;
    struct records_name names[RECORDS_NAMES_CAPACITY];
};

/// Sets the server's keys, and the servers that it trusts: fingerprints, at most RECORDS_TRUST_MAX.
void records_vouches_begin(struct records_vouches *vouches, const uint8_t seed[IDENTITY_SEED_BYTES],
                           const struct option_list *trust);
/// Returns whether a server is trusted.
bool records_vouches_trust(const struct records_vouches *vouches, const char *fingerprint);

/// Adds a vouch to be judged. False if too many wait.
bool records_vouches_show(struct records_vouches *vouches, const struct seat_key *key,
                          const uint8_t bytes[VOUCH_BYTES]);
/// Takes the oldest. False if there is none.
bool records_vouches_take_shown(struct records_vouches *vouches, struct records_vouch *shown);
/// Reads a vouch that a player shows, and returns whether it is for them, of a server that is trusted, and counts now.
bool records_vouches_judge(const struct records_vouches *vouches, const struct records_vouch *shown, int64_t unix_time,
                           struct vouch *vouch);

/// Makes a vouch for a player of the database who has finished a match.
void records_vouches_sign(const struct records_vouches *vouches, const struct records_player *player, int64_t unix_time,
                          struct records_vouch *made);
/// Replaces the names by those for which a trusted server vouches.
void records_vouches_set_names(struct records_vouches *vouches, const struct records_name *names, uint32_t count);
/// Returns whether a name, in upper or lower case, is kept for others than the player with this key; null: for anybody.
bool records_vouches_keep(const struct records_vouches *vouches, const struct seat_key *key, const char *name);

#endif
