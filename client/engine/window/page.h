// SPDX-License-Identifier: MIT
//
// What a page has that SDL does not pass on there: the keyboard of a phone, what its corners and its notch cover, the
// clipboard, a display that stays on, and downloads of its own files. A program that is no page has none of it, and SDL
// does what there is to do.
#ifndef WINDOW_PAGE_H
#define WINDOW_PAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Returns whether the window is a part of a page, which decides how large it is.
bool page_is_here(void);

/// Returns whether a display is pressed by fingers before anything else, as a phone's is.
bool page_is_for_fingers(void);

/// What a display covers of a window, in units of the window.
struct page_insets {
    int32_t left, top, right, bottom;
};

/// Finds what is covered.
struct page_insets page_find_insets(void);

/// Opens the keyboard of a phone if a finger was the last to press, or closes it.
void page_use_keyboard(bool on);

/// What that keyboard has typed.
struct page_press {
    uint32_t key;  ///< enum key; 0: a text
    char text[32]; ///< UTF-8
};
/// Takes the next press. False if there is none.
bool page_next_press(struct page_press *press);

/// Makes a link of the scheme that the page names (data-scheme) one that opens this page, if there is room for it.
/// Elsewhere it stays as it is.
void page_link(char *link, uint32_t link_bytes);

/// Puts a text on the clipboard; of a link, the one that opens this page. False if that is not possible here.
bool page_copy(const char *text);

/// Returns whether page_save_file() does something here. Elsewhere the program's files are in a folder that the person
/// can open.
bool page_saves_files(void);
/// Gives the person a file of this name, without a folder, as a download. The browser may ask them first.
void page_save_file(const char *name, const void *bytes, size_t byte_count);

/// Keeps the display on while somebody plays, or lets it go dark.
void page_keep_awake(bool on);

#endif
