// SPDX-License-Identifier: MIT
#include "text.h"

#include <windows.h>

#include <errno.h>

#define LONG_PREFIX L"\\\\?\\"
#define PLAIN_UNITS 240 // a longer path needs the prefix, and must be absolute then

bool windows_text_wide(const char *text, wchar_t *wide, size_t unit_count)
{
    if (MultiByteToWideChar(CP_UTF8, MB_ERR_INVALID_CHARS, text, -1, wide, (int)unit_count) > 0)
        return true;
    errno = GetLastError() == ERROR_INSUFFICIENT_BUFFER ? ENAMETOOLONG : EILSEQ;
    return false;
}

bool windows_text_path(const char *path, wchar_t wide[WINDOWS_PATH_UNITS])
{
    wchar_t given[WINDOWS_PATH_UNITS];
    if (!windows_text_wide(path, given, WINDOWS_PATH_UNITS))
        return false;
    for (wchar_t *at = given; *at; at++)
        if (*at == L'/')
            *at = L'\\';
    size_t prefix_units = wcslen(given) < PLAIN_UNITS || wcsncmp(given, L"\\\\", 2) == 0 ? 0 : wcslen(LONG_PREFIX);
    wcscpy(wide, prefix_units ? LONG_PREFIX : given);
    if (prefix_units == 0)
        return true;
    DWORD room = (DWORD)(WINDOWS_PATH_UNITS - prefix_units);
    DWORD length = GetFullPathNameW(given, room, wide + prefix_units, NULL);
    if (length > 0 && length < room)
        return true;
    errno = ENAMETOOLONG;
    return false;
}

bool windows_text_program(const char *path, wchar_t wide[WINDOWS_PATH_UNITS])
{
    if (!windows_text_path(path, wide))
        return false;
    const wchar_t *last = wcsrchr(wide, L'\\');
    if (wcschr(last ? last : wide, L'.') == NULL && wcslen(wide) + wcslen(L".exe") < WINDOWS_PATH_UNITS)
        wcscat(wide, L".exe");
    return true;
}

bool windows_text_utf8(const wchar_t *wide, char *text, size_t text_bytes)
{
    if (WideCharToMultiByte(CP_UTF8, 0, wide, -1, text, (int)text_bytes, NULL, NULL) > 0)
        return true;
    errno = ENAMETOOLONG;
    return false;
}
