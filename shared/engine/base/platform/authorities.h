// SPDX-License-Identifier: MIT
//
// The authorities that sign certificates and that this machine trusts. Every kind of system keeps the list of them in a
// file of another name, and a library for TLS knows only the name on the system that it was built for. Programs that
// carry the library inside run on all of them.
#ifndef PLATFORM_AUTHORITIES_H
#define PLATFORM_AUTHORITIES_H

#include <stdbool.h>

/// Finds the list: the file that $SSL_CERT_FILE names, or the first of those that systems have. `*file` is null if the
/// library finds the list itself: on Windows, and if there is an $SSL_CERT_DIR. False if this machine has none.
bool authorities_find(const char **file);

#endif
