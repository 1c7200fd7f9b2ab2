// SPDX-License-Identifier: MIT
#include <string.h>

#include "base/utf8.h"
#include "test.h"
#include "text/text.h"

TEST(lines_of_a_server_are_said_again_in_the_language_in_use)
{
    static const struct {
        const char *said, *german;
    } rows[] = {
        /* 1 */ {"Semi-final: Ann plays Bob.", "Halbfinale: Ann spielt gegen Bob."},
        /* 2 */ {"Ann beats Bob, 5 to -2.", "Ann schlägt Bob mit 5 zu -2."},
        /* 3 */
        {"Ann beats Bob, 5 to 3, and wins the tournament.", "Ann schlägt Bob mit 5 zu 3 und gewinnt das Turnier."},
        /* 4 */ {"Final: Ann plays Bob now", "Finale: jetzt Ann gegen Bob"},
        /* 5 */ {"Kick Yes?", "Yes hinauswerfen?"}, // a name is not a word
        /* 6 */ {"Play with no variants?", "Mit keinen Varianten spielen?"},
        /* 7 */ {"Play with ice?", "Mit ice spielen?"},
        /* 8 */
        {"There is no vote: no player here is called \"Zoë\".",
         "Es gibt keine Abstimmung: hier heißt niemand \"Zoë\"."},
        /* 9 */
        {"The server closes after this round, in 3 minutes at most.",
         "Der Server schließt nach dieser Runde, spätestens in 3 Minuten."},
        /* 10 */ {"The vote has passed.", "Die Abstimmung ist angenommen."},
        /* 11 */ {"Yes", "Ja"},
        // An operator's own words, and what has only the beginning or the end of a form.
        /* 12 */ {"Cake at five, says Ann!", "Cake at five, says Ann!"},
        /* 13 */ {"Ann beats Bob", "Ann beats Bob"},
        /* 14 */ {"Kick", "Kick"},
        /* 15 */ {"?", "?"},
        /* 16 */ {"", ""},
        /* 17 */ {"100 %s", "100 %s"},
        // The best players, helps, and why somebody is not let in.
        /* 18 */
        {"2. Bob the 3. 1522 ±483, matches 1, won 0, kills 2, deaths 4",
         "2. Bob the 3. 1522 ±483, Matches 1, gewonnen 0, Abschüsse 2, Tode 4"},
        /* 19 */ {"Nobody has finished a match here yet.", "Noch hat hier niemand ein Match beendet."},
        /* 20 */
        {"/w NAME TEXT: whispers: only that player reads it", "/w NAME TEXT: flüstert: nur diese Person liest es"},
        /* 21 */ {"/play: returns to the match", "/play: kehrt ins Match zurück"},
        /* 22 */ {"You were kicked: no, Final.", "Du wurdest hinausgeworfen: no, Final."}, // an operator's words
        /* 23 */
        {"You are banned until 2026-05-12 10:30 UTC: spam.", "Du bist bis 2026-05-12 10:30 UTC gesperrt: spam."},
        /* 24 */ {"You are banned.", "Du bist gesperrt."},
        /* 25 */
        {"Ann is the name of another player here: you are Ann 2.",
         "Ann heißt hier schon jemand anders: Du bist Ann 2."},
        // What this machine says.
        /* 26 */
        {"the key /home/ann/player.key cannot be used: Permission denied",
         "Der Schlüssel /home/ann/player.key ist nicht zu benutzen: keine Berechtigung"},
    };
    text_use(TEXT_GERMAN);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[TEXT_BYTES];
        server_lines_translate(rows[i].said, text);
        assert_string_equal(text, rows[i].german);
    }
    text_use(TEXT_ENGLISH);
}

TEST(in_english_nothing_changes)
{
    char text[TEXT_BYTES];
    text_use(TEXT_ENGLISH);
    server_lines_translate("Round of 16: A, B plays C: D plays E.", text);
    assert_string_equal(text, "Round of 16: A, B plays C: D plays E.");
}

TEST(a_line_that_is_too_long_is_cut_between_characters)
{
    char said[3 * TEXT_BYTES] = "Kick x", text[TEXT_BYTES], again[TEXT_BYTES];
    for (int i = 0; i < 150; i++)
        strcat(said, "\u20AC");
    strcat(said, "?");
    server_lines_translate(said, text);
    assert_true(strlen(text) < TEXT_BYTES && strlen(text) >= TEXT_BYTES - 4);
    utf8_clean(again, sizeof again, text, strlen(text));
    assert_string_equal(text, again);
}
