// SPDX-License-Identifier: MIT
//
// Every sentence that the window shows goes through this table. The key of a sentence is the sentence in English, so
// that code reads as it did; a .po file for each other language lies beside this file, and the build compiles all of
// them into the program. A sentence that a language lacks shows in English. tests/tools/words_renew.sh collects new
// sentences into the .po files. Files and servers name a map by a short English word; a player reads its title in their
// language.
#ifndef TEXT_TEXT_H
#define TEXT_TEXT_H

#include <stddef.h>
#include <stdint.h>

/// The languages; TEXT_LANGUAGE_NAMES has them in this order.
enum text_language {
    TEXT_ENGLISH,
    TEXT_GERMAN,
    TEXT_SPANISH,
    TEXT_FRENCH,
    TEXT_POLISH,
    TEXT_PORTUGUESE, ///< of Brazil
    TEXT_JAPANESE,
    TEXT_LANGUAGES
};

/// Codes of the languages as options and .po files have them; NULL ends them.
#define TEXT_LANGUAGE_CODES "en", "de", "es", "fr", "pl", "pt_BR", "ja"
extern const char *const TEXT_LANGUAGE_NAMES[TEXT_LANGUAGES + 1];

/// Bytes for a formatted sentence in any language, with its zero.
#define TEXT_BYTES 256

/// Marks an English sentence in a table, where it cannot be translated yet: text_of() translates it when it is used.
#define TEXT_KEY(english) english
/// The same for both forms of a sentence with a number, for text_plural().
#define TEXT_PLURAL(one, many) one, many

/// Shows all sentences in a language from now on.
void text_use(enum text_language language);
/// Returns the language in use.
enum text_language text_language_used(void);
/// Returns how a language names itself, UTF-8.
const char *text_language_title(enum text_language language);
/// Returns the language of the system as gettext chooses it: LC_ALL, LC_MESSAGES or LANG names the locale, and unless
/// that is C, the first known language of LANGUAGE goes before it. English if none is known. `environment`: as
/// getenv().
enum text_language text_language_of_system(char *(*environment)(const char *name));

/// Returns a sentence in the language in use; the English one if it is missing there.
const char *text_of(const char *english) __attribute__((format_arg(1)));
/// Returns the form of a sentence for `count` things. English has two forms, other languages one to three.
const char *text_plural(const char *one, const char *many, uint64_t count)
    __attribute__((format_arg(1), format_arg(2)));

/// Returns the title of a map; the name itself if the game does not ship it.
const char *text_map_title(const char *name);

/// Writes what a server said, in the language in use. It comes in English, with names and numbers in it: lines of a
/// known form are taken apart and said again; others, such as an operator's own words, stay as they are.
/// rules.sentences checks that a server says each form.
void server_lines_translate(const char *said, char text[TEXT_BYTES]);

// Words of other rooms that the window shows: tests/tools/words_renew.sh reads them here; a test checks that none is
// missing.
/// The choices of options, which stand in the preferences as English words with hyphens, and names of keys from SDL;
/// separated by commas.
#define TEXT_CHOICES                                                                                                   \
    TEXT_KEY("on"), TEXT_KEY("off"), TEXT_KEY("none"), TEXT_KEY("automatic"), TEXT_KEY("whole pixels"),                \
        TEXT_KEY("as large as fits"), TEXT_KEY("stretched"), TEXT_KEY("as the monitor"),                               \
        TEXT_KEY("where they are now"), TEXT_KEY("a moment late"), TEXT_KEY("all colours"), TEXT_KEY("deuteranopia"),  \
        TEXT_KEY("protanopia"), TEXT_KEY("tritanopia"), TEXT_KEY("no hat"), TEXT_KEY("miner"), TEXT_KEY("top hat"),    \
        TEXT_KEY("bowler"), TEXT_KEY("crown"), TEXT_KEY("flat cap"), TEXT_KEY("cone"), TEXT_KEY("goggles"),            \
        TEXT_KEY("idle"), TEXT_KEY("random"), TEXT_KEY("easy"), TEXT_KEY("normal"), TEXT_KEY("hard"),                  \
        TEXT_KEY("adaptive"), TEXT_KEY("Up"), TEXT_KEY("Down"), TEXT_KEY("back"), TEXT_KEY("guide"),                   \
        TEXT_KEY("start"), TEXT_KEY("left stick"), TEXT_KEY("right stick"), TEXT_KEY("left shoulder"),                 \
        TEXT_KEY("right shoulder"), TEXT_KEY("left trigger"), TEXT_KEY("right trigger"), TEXT_KEY("up"),               \
        TEXT_KEY("down"), TEXT_KEY("left"), TEXT_KEY("right"), TEXT_KEY("Space"), TEXT_KEY("Enter"),                   \
        TEXT_KEY("Backspace"), TEXT_KEY("Tab"), TEXT_KEY("Left Shift"), TEXT_KEY("Right Shift"),                       \
        TEXT_KEY("Left Ctrl"), TEXT_KEY("Right Ctrl"), TEXT_KEY("Left Alt"), TEXT_KEY("Right Alt"),                    \
        TEXT_KEY("Left GUI"), TEXT_KEY("Right GUI"), TEXT_KEY("AltGr"), TEXT_KEY("Insert"), TEXT_KEY("Delete"),        \
        TEXT_KEY("Home"), TEXT_KEY("End"), TEXT_KEY("PageUp"), TEXT_KEY("PageDown"), TEXT_KEY("CapsLock"),             \
        TEXT_KEY("Escape"), TEXT_KEY("Pause"), TEXT_KEY("PrintScreen"), TEXT_KEY("ScrollLock"), TEXT_KEY("Numlock"),   \
        TEXT_KEY("Menu"), TEXT_KEY("Esc"), TEXT_KEY("all"), TEXT_KEY("internet"), TEXT_KEY("this network"),            \
        TEXT_KEY("favourites"), TEXT_KEY("recent"), TEXT_KEY("friends"), TEXT_KEY("players"), TEXT_KEY("ping"),        \
        TEXT_KEY("name"), TEXT_KEY("mode"), TEXT_KEY("map"), TEXT_KEY("region")

/// Titles and helps of the variants of a match, in the same way.
#define TEXT_VARIANTS                                                                                                  \
    TEXT_KEY("Endless arrows"), TEXT_KEY("One arrow"), TEXT_KEY("No arrows"), TEXT_KEY("Bombs only"),                  \
        TEXT_KEY("Drills only"), TEXT_KEY("Low gravity"), TEXT_KEY("High jumps"), TEXT_KEY("Fast"), TEXT_KEY("Ice"),   \
        TEXT_KEY("Mirrored"), TEXT_KEY("No dash"), TEXT_KEY("Explosive death"), TEXT_KEY("Shields"),                   \
        TEXT_KEY("Wings"), TEXT_KEY("Hasty crushers"), TEXT_KEY("a quiver never gets empty"),                          \
        TEXT_KEY("nobody carries more than one arrow"), TEXT_KEY("stomps, balls and crushers decide"),                 \
        TEXT_KEY("every arrow is a bomb, and there are new ones every few seconds"),                                   \
        TEXT_KEY("every arrow passes a wall"), TEXT_KEY("everything falls half as fast"),                              \
        TEXT_KEY("jumps start a quarter faster"), TEXT_KEY("players run, shoot and come back faster"),                 \
        TEXT_KEY("the ground is slippery"), TEXT_KEY("left is right, and right is left"), TEXT_KEY("nobody can dash"), \
        TEXT_KEY("who dies leaves a lit bomb"), TEXT_KEY("everybody begins with a shield that takes one hit"),         \
        TEXT_KEY("everybody has wings"), TEXT_KEY("crushers fall sooner and are soon back")

/// Why a file cannot be used, in the words of the system.
#define TEXT_FILE_FAULTS                                                                                               \
    TEXT_KEY("Permission denied"), TEXT_KEY("No such file or directory"), TEXT_KEY("Read-only file system"),           \
        TEXT_KEY("No space left on device"), TEXT_KEY("Not a directory"), TEXT_KEY("Is a directory")

#endif
