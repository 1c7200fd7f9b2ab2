// SPDX-License-Identifier: MIT
//
// The modes, as people read them: one row of a table for each, with its title, a word where there is no room for that,
// and its goal. All are in the language in use. Keeps nothing.
#ifndef HUD_MODE_TEXT_H
#define HUD_MODE_TEXT_H

#include <stdint.h>

/// Returns what a mode (enum mode) is called; "" if there is no such mode.
const char *mode_text_title(uint32_t mode);
/// Returns the goal of a mode, to show to players; "" if there is no such mode.
const char *mode_text_goal(uint32_t mode);
/// Returns the title for the name of a mode, such as "lms"; the name itself if there is no such mode.
const char *mode_text_title_of(const char *name);
/// Returns a word for the name of a mode, where there is no room for its title.
const char *mode_text_word_of(const char *name);

#endif
