// SPDX-License-Identifier: MIT
#include "page.h"

// In page_browser.js.
bool browser_is_for_fingers(void);
void browser_insets(int32_t *left_top_right_bottom);
void browser_use_keyboard(bool on);
bool browser_next_press(uint32_t *key, char *text, uint32_t text_bytes);
void browser_link(char *link, uint32_t link_bytes);
bool browser_copy(const char *text);
void browser_keep_awake(bool on);
void browser_save_file(const char *name, const void *bytes, uint32_t byte_count);

bool page_is_here(void)
{
    return true;
}

bool page_is_for_fingers(void)
{
    return browser_is_for_fingers();
}

struct page_insets page_find_insets(void)
{
    int32_t sides[4];
    browser_insets(sides);
    return (struct page_insets){sides[0], sides[1], sides[2], sides[3]};
}

void page_use_keyboard(bool on)
{
    browser_use_keyboard(on);
}

bool page_next_press(struct page_press *press)
{
    return browser_next_press(&press->key, press->text, sizeof press->text);
}

void page_link(char *link, uint32_t link_bytes)
{
    browser_link(link, link_bytes);
}

bool page_copy(const char *text)
{
    return browser_copy(text);
}

void page_keep_awake(bool on)
{
    browser_keep_awake(on);
}

bool page_saves_files(void)
{
    return true;
}

void page_save_file(const char *name, const void *bytes, size_t byte_count)
{
    browser_save_file(name, bytes, (uint32_t)byte_count);
}
