// SPDX-License-Identifier: MIT
//
// Where a program cannot take the place of another one in its process, there is none to check.
#include "preflight.h"

bool preflight_begin(struct preflight *preflight, const char *path, char **arguments, uint64_t now_ns,
                     struct error *error)
{
    (void)preflight, (void)path, (void)arguments, (void)now_ns;
    return error_set(error, "on this system a server cannot restart itself");
}

enum preflight_outcome preflight_poll(struct preflight *preflight, uint64_t now_ns, struct error *error)
{
    (void)preflight, (void)now_ns, (void)error;
    return PREFLIGHT_RUNS;
}
