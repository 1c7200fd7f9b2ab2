// SPDX-License-Identifier: MIT
//
// What every program does first on Windows, before its main: its streams carry bytes as they are, as elsewhere, and a
// console shows them as UTF-8. A window has no console of its own; one that was started from a console speaks there. It
// lies in each program as an object, because nothing calls it.
#include <windows.h>

#include <fcntl.h>
#include <io.h>
#include <stdio.h>

static void use_console(FILE *stream)
{
    FILE *console = _fileno(stream) < 0 ? freopen("CONOUT$", "w", stream) : NULL;
    if (console)
        setvbuf(console, NULL, _IONBF, 0);
}

__attribute__((constructor)) static void begin(void)
{
    FILE *const streams[] = {stdin, stdout, stderr};
    if (!GetStdHandle(STD_ERROR_HANDLE) && AttachConsole(ATTACH_PARENT_PROCESS)) {
        use_console(stdout);
        use_console(stderr);
    }
    for (size_t i = 0; i < sizeof streams / sizeof *streams; i++)
        if (_fileno(streams[i]) >= 0)
            _setmode(_fileno(streams[i]), _O_BINARY);
    SetConsoleOutputCP(CP_UTF8);
}
