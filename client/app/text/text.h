// SPDX-License-Identifier: MIT
//
// Every sentence that the window shows goes through this table. The key of a sentence is the sentence in English, so
// that code reads as it did; a .po file for each other language lies beside this file, and the build compiles all of
// them into the program. A sentence that a language lacks shows in English. tests/tools/words_renew.sh collects new
// sentences into the .po files. Files and servers name a map by a short English word; a player reads its title in their
// language.
#ifndef APP_TEXT_TEXT_H
#define APP_TEXT_TEXT_H

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

#endif
