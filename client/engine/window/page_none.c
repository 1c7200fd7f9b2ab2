// SPDX-License-Identifier: MIT
#include "page.h"

bool page_is_here(void)
{
    return false;
}

bool page_is_for_fingers(void)
{
    return false;
}

struct page_insets page_find_insets(void)
{
    return (struct page_insets){0};
}

void page_use_keyboard(bool on)
{
    (void)on;
}

bool page_next_press(struct page_press *press)
{
    (void)press;
    return false;
}

void page_link(char *link, uint32_t link_bytes)
{
    (void)link, (void)link_bytes;
}

bool page_copy(const char *text)
{
    (void)text;
    return false;
}

void page_keep_awake(bool on)
{
    (void)on;
}

bool page_saves_files(void)
{
    return false;
}

void page_save_file(const char *name, const void *bytes, size_t byte_count)
{
    (void)name, (void)bytes, (void)byte_count;
}
