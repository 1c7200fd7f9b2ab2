// SPDX-License-Identifier: MIT
#include "../link_handler.h"

#include <windows.h>

#include "error.h"
#include "text.h"

#define SCHEME_UNITS  32
#define KEY_UNITS     (SCHEME_UNITS + 64)
#define COMMAND_UNITS (WINDOWS_PATH_UNITS + 16)

// What begins with HKEY_CURRENT_USER is the user's own.
static bool find_key(const char *scheme, const wchar_t *rest, wchar_t key[KEY_UNITS])
{
    wchar_t wide[SCHEME_UNITS];
    if (!windows_text_wide(scheme, wide, SCHEME_UNITS))
        return false;
    swprintf(key, KEY_UNITS, L"Software\\Classes\\%ls%ls", wide, rest);
    return true;
}

static bool is_done(LSTATUS status)
{
    SetLastError((DWORD)status);
    return status == ERROR_SUCCESS || windows_error_take();
}

// `name` null: the value that the key itself has.
static bool set(const char *scheme, const wchar_t *rest, const wchar_t *name, const wchar_t *text)
{
    wchar_t key[KEY_UNITS];
    DWORD byte_count = (DWORD)((wcslen(text) + 1) * sizeof *text);
    return find_key(scheme, rest, key) &&
           is_done(RegSetKeyValueW(HKEY_CURRENT_USER, key, name, REG_SZ, text, byte_count));
}

// A link can have quotes in it, and so end its own: "--" leaves no option to what follows.
bool link_handler_register(const char *scheme, const char *program)
{
    wchar_t path[WINDOWS_PATH_UNITS], text[COMMAND_UNITS];
    if (!windows_text_program(program, path) || !set(scheme, L"", NULL, L"URL:Deadfall") ||
        !set(scheme, L"", L"URL Protocol", L""))
        return false;
    swprintf(text, COMMAND_UNITS, L"\"%ls\",0", path);
    if (!set(scheme, L"\\DefaultIcon", NULL, text))
        return false;
    swprintf(text, COMMAND_UNITS, L"\"%ls\" -- \"%%1\"", path);
    return set(scheme, L"\\shell\\open\\command", NULL, text);
}

bool link_handler_remove(const char *scheme)
{
    wchar_t key[KEY_UNITS];
    if (!find_key(scheme, L"", key))
        return false;
    LSTATUS status = RegDeleteTreeW(HKEY_CURRENT_USER, key);
    return status == ERROR_FILE_NOT_FOUND || is_done(status);
}
