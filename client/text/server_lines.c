// SPDX-License-Identifier: MIT
#include "text.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/utf8.h"

#define PARTS_MAX 8
#define DEPTH_MAX 2 ///< a line, its reason, and a time in that

// A line with %s for each name or number. `parts` has a letter for each: n stays as it is, w is words of the server.
static const struct {
    const char *english, *parts;
} FORMS[] = {
    {TEXT_KEY("%s beats %s, %s to %s, and wins the tournament."), "nnnn"},
    {TEXT_KEY("%s beats %s, %s to %s."), "nnnn"},
    {TEXT_KEY("%s: %s plays %s."), "wnn"},
    {TEXT_KEY("%s: %s plays %s now"), "wnn"},
    {TEXT_KEY("%s: %s %s, %s %s; %s goes on"), "wnnnnn"},
    {TEXT_KEY("%s: %s plays %s"), "wnn"},
    {TEXT_KEY("Final"), ""},
    {TEXT_KEY("Semi-final"), ""},
    {TEXT_KEY("Quarter-final"), ""},
    {TEXT_KEY("Round of 16"), ""},
    {TEXT_KEY("Round of 32"), ""},
    {TEXT_KEY("Which map is next?"), ""},
    {TEXT_KEY("Change the map to %s?"), "n"},
    {TEXT_KEY("Change the mode to %s?"), "n"},
    {TEXT_KEY("Play with %s?"), "w"},
    {TEXT_KEY("no variants"), ""},
    {TEXT_KEY("Restart the match?"), ""},
    {TEXT_KEY("Kick %s?"), "n"},
    {TEXT_KEY("Yes"), ""},
    {TEXT_KEY("No"), ""},
    {TEXT_KEY("There is no vote: %s."), "w"},
    {TEXT_KEY("The match goes on as it is: %s."), "w"},
    {TEXT_KEY("a vote is open already"), ""},
    {TEXT_KEY("another map is being prepared; try again in a moment"), ""},
    {TEXT_KEY("%s votes of your household have failed, so you can ask again in %s minutes"), "nn"},
    {TEXT_KEY("you can ask to kick somebody once you have played for a minute"), ""},
    {TEXT_KEY("the match has these variants already"), ""},
    {TEXT_KEY("no player here is called \"%s\""), "n"},
    {TEXT_KEY("there is no mode \"%s\"; there are ffa, lms, teams and breakout"), "n"},
    {TEXT_KEY("you can vote on: map NAME, mode NAME, variants NAME, restart, kick NAME"), ""},
    {TEXT_KEY("There is no such command. %shelp lists them."), "n"},
    {TEXT_KEY("That command takes no argument. %shelp lists the commands."), "n"},
    {TEXT_KEY("The server closes after this round, in %s at most."), "w"},
    {TEXT_KEY("The server is closing within %s, and nobody new may join. Choose another one, or try again after that."),
     "w"},
    {TEXT_KEY("%s minutes"), "n"},
    {TEXT_KEY("%s seconds"), "n"},
    {TEXT_KEY("%s second"), "n"},
    {TEXT_KEY("%s. %s %s ±%s, matches %s, won %s, kills %s, deaths %s"), "nnnnnnnn"},
    {TEXT_KEY("How many? Say /top, or /top and a number from 1 to 10."), ""},
    {TEXT_KEY("Nobody has finished a match here yet."), ""},
    {TEXT_KEY("This server keeps no records."), ""},
    {TEXT_KEY("There is no tournament."), ""},
    {TEXT_KEY("The tournament is over. Everybody may /play."), ""},
    {TEXT_KEY("Too many commands at once. Try again."), ""},
    {TEXT_KEY("/help COMMAND says what it does, such as /help vote."), ""},
    {TEXT_KEY("/%s: %s"), "nw"},
    {TEXT_KEY("lists the commands, or explains one"), ""},
    {TEXT_KEY("lists the best players by rating"), ""},
    {TEXT_KEY("changes your team; auto picks the smaller one"), ""},
    {TEXT_KEY("leaves the match to watch it"), ""},
    {TEXT_KEY("returns to the match"), ""},
    {TEXT_KEY("whispers: only that player reads it"), ""},
    {TEXT_KEY("starts a vote, or votes in the open one"), ""},
    {TEXT_KEY("votes yes, or for the first choice"), ""},
    {TEXT_KEY("votes no, or for the second choice"), ""},
    {TEXT_KEY("shows the pairs of the tournament"), ""},
    {TEXT_KEY("You were kicked: %s."), "n"},
    {TEXT_KEY("You were kicked."), ""},
    {TEXT_KEY("You are banned until %s: %s."), "nn"},
    {TEXT_KEY("You are banned until %s."), "n"},
    {TEXT_KEY("You are banned: %s."), "n"},
    {TEXT_KEY("You are banned."), ""},
    {TEXT_KEY("Too many wrong passwords came from your network. Try again in %s."), "w"},
    {TEXT_KEY("%s is the name of another player here: you are %s."), "nn"},
    {TEXT_KEY("the key %s cannot be used: %s"), "nw"},
    {TEXT_KEY("%s can be read by others; make it your own: chmod 600 %s"), "nn"},
    {TEXT_KEY("%s is no key of %s bytes; restore it, or remove it to get another"), "nn"},
    {TEXT_KEY("the list of known servers %s cannot be read: %s"), "nw"},
    {TEXT_KEY("the list of known servers %s cannot be written: %s"), "nw"},
    {TEXT_KEY("%s has another key than when you first met it (%s then, %s now): either it was set up again, or "
              "somebody else answers in its place; if you trust it, remove its line from %s"),
     "nnnn"},
    {TEXT_KEY("%s asks for no password, but you gave one: either it needs none, or somebody else answers in its place; "
              "if you trust it, join without a password"),
     "n"},
};

// A part of a line.
struct part {
    const char *begin;
    size_t length;
};

// Finds what stands for each %s of a form: as little as possible for all but the last. Returns false if the line has
// another form.
static bool take_apart(const char *form, const char *said, struct part parts[PARTS_MAX])
{
    size_t count = 0, literal = strcspn(form, "%");
    if (strncmp(form, said, literal) != 0)
        return false;
    for (form += literal, said += literal; *form; count++) {
        char after[192];
        form += 2; // behind the %s
        literal = strcspn(form, "%");
        snprintf(after, sizeof after, "%.*s", (int)literal, form);
        size_t left = strlen(said);
        const char *end = form[literal] ? strstr(said, after) : left < literal ? NULL : said + left - literal;
        if (!end || strncmp(end, after, literal) != 0)
            return false;
        parts[count] = (struct part){said, (size_t)(end - said)};
        form += literal;
        said = end + literal;
    }
    return !*said;
}

static void translate(const char *said, uint32_t depth, char text[TEXT_BYTES]);

// Fills the translated form with the parts.
static void put_together(const char *form, const char *kinds, const struct part *parts, uint32_t depth,
                         char text[TEXT_BYTES])
{
    size_t used = 0;
    for (; *form && used < TEXT_BYTES - 1; form++) {
        char part[TEXT_BYTES], words[TEXT_BYTES];
        if (strncmp(form, "%s", 2) != 0) {
            text[used++] = *form;
            continue;
        }
        snprintf(part, sizeof part, "%.*s", (int)parts->length, parts->begin);
        parts++;
        form++;
        if (*kinds++ == 'w') {
            translate(part, depth + 1, words);
            memcpy(part, words, sizeof part);
        }
        utf8_copy(text + used, TEXT_BYTES - used, part);
        used += strlen(text + used);
    }
    text[used] = 0;
}

static void translate(const char *said, uint32_t depth, char text[TEXT_BYTES])
{
    struct part parts[PARTS_MAX];
    for (size_t i = 0; depth <= DEPTH_MAX && i < sizeof FORMS / sizeof *FORMS; i++)
        if (take_apart(FORMS[i].english, said, parts)) {
            put_together(text_of(FORMS[i].english), FORMS[i].parts, parts, depth, text);
            return;
        }
    utf8_copy(text, TEXT_BYTES, depth ? text_of(said) : said);
}

// A sentence without names or numbers is a key itself.
void server_lines_translate(const char *said, char text[TEXT_BYTES])
{
    size_t length = strlen(said);
    const char *whole = length && said[length - 1] == '.' ? text_of(said) : said;
    if (strcmp(whole, said) != 0)
        utf8_copy(text, TEXT_BYTES, whole);
    else
        translate(said, 0, text);
}
