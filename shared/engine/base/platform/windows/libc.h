// SPDX-License-Identifier: MIT
//
// What the C library of Windows lacks of the one that the project is written for. The build includes it before every
// file for Windows, so that none of them needs to know.
#ifndef PLATFORM_WINDOWS_LIBC_H
#define PLATFORM_WINDOWS_LIBC_H

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/// As memmem(3).
void *windows_libc_memmem(const void *text, size_t text_bytes, const void *part, size_t part_bytes);
/// As strcasestr(3).
char *windows_libc_strcasestr(const char *text, const char *part);
/// As strsep(3).
char *windows_libc_strsep(char **text, const char *ends);
/// As strndup(3).
char *windows_libc_strndup(const char *text, size_t byte_count);
/// As stpcpy(3).
char *windows_libc_stpcpy(char *to, const char *text);
/// As strptime(3), of %Y, %m, %d, %H, %M, %S and what stands between them.
char *windows_libc_strptime(const char *text, const char *format, struct tm *parts);
/// As timegm(3).
time_t windows_libc_timegm(struct tm *parts);
/// As fopen(3): the path is UTF-8, a line ends as it is written, and programs that this one starts do not get the file.
FILE *windows_libc_fopen(const char *path, const char *mode);

#define memmem     windows_libc_memmem
#define strcasestr windows_libc_strcasestr
#define strsep     windows_libc_strsep
#define strndup    windows_libc_strndup
#define stpcpy     windows_libc_stpcpy
#define strptime   windows_libc_strptime
#define timegm     windows_libc_timegm
#define fopen      windows_libc_fopen

#endif
