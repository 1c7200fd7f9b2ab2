// SPDX-License-Identifier: MIT
//
// docs/PROTOCOL.md, for tests that compare it with the code or take their vectors from it. What the page lacks fails
// the test.
#ifndef PROTOCOL_PAGE_H
#define PROTOCOL_PAGE_H

#include <stddef.h>
#include <stdint.h>

/// Returns the whole page.
const char *protocol_page(void);

/// Returns what follows a text at or after a place of the page.
const char *protocol_page_after(const char *place, const char *text);

/// Reads hexadecimal digits into `bytes`, up to the first other character. Returns how many bytes there are.
size_t protocol_page_hex(const char *digits, uint8_t *bytes, size_t capacity);

#endif
